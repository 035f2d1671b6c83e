// Fracas inside Foundry: what a player's client may ask of the game master's, whatever the address is written like.

import assert from "node:assert/strict";
import test from "node:test";
import { mayBeRelayed } from "../../integrations/foundry/scripts/inside-relayed.mjs";

const ALLOWED = [
  ["GET", "/health"],
  ["GET", "/v1/rulesets"],
  ["GET", "/v1/entries/sr4-core:weapon/ares-predator-iv?full=it's"],
  ["GET", "/foundry/mappings"],
  ["GET", "/v1/encounters/a/events?after=3"],
  ["POST", "/v1/odds"],
  ["POST", "/v1/resolve"],
  ["POST", "/v1/resolve/continue"],
  ["POST", "/v1/encounters/a/commands"],
  ["DELETE", "/v1/encounters/a/tokens/b"],
];

const REFUSED = [
  ["POST", "/v1/encounters"],
  ["POST", "/v1/encounters?a=/v1/encounters/"],
  ["POST", "/v1/encounters#/v1/encounters/"],
  ["POST", "/v1/encounters/"],
  ["POST", "/v1/encounters/../encounters"],
  ["POST", "/v1/encounters/%2e%2e/encounters"],
  ["POST", "/v1/encounters/.%2E/packs/reload"],
  ["POST", "/v1/encounters/..\\encounters"],
  ["POST", "/v1/encounters/a/..\\..\\..\\v1\\encounters"],
  ["POST", "/v1/encounters/a/..%5c..%5cencounters"],
  ["POST", "/v1/encounters/.\t./encounters"],
  ["POST", "/v1/encounters/%2f"],
  ["POST", "/v1/encounters/%"],
  ["POST", "//host/v1/encounters"],
  ["POST", "http://host/v1/packs/reload"],
  ["POST", "/v1/packs/reload"],
  ["POST", "/v1/packs/check"],
  ["PUT", "/v1/encounters/a/commands"],
  ["GET", "/console/fight/a"],
  ["GET", "/v1/../console/fight/a"],
  ["GET", "/v1/%2e%2e/console/fight/a"],
  ["GET", "/foundry/fracas.zip"],
  ["GET", "http://["],
];

test("clients ask for what is read, worked out, or decided by a token", () => {
  for (const [method, path] of ALLOWED) assert.equal(mayBeRelayed(method, path), true, `${method} ${path}`);
});

test("no way of writing an address leads to what only the game master's client asks for", () => {
  for (const [method, path] of REFUSED) assert.equal(mayBeRelayed(method, path), false, `${method} ${path}`);
});
