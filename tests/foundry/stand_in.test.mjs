// The list that the type check holds against Foundry's own types names all that the stand-in offers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ApplicationV2, DialogV2 } from "../browser/foundry_stand_in/applications.mjs";
import { ChatMessage } from "../browser/foundry_stand_in/chat.mjs";
import { CompendiumCollection, Document, classes } from "../browser/foundry_stand_in/documents.mjs";
import { Die, NumericTerm, OperatorTerm, Roll } from "../browser/foundry_stand_in/rolls.mjs";

const LIST = readFileSync(new URL("../js/stand_in.ts", import.meta.url), "utf-8");
/** What only the stand-in needs. */
const OWN = new Set(["throwDice", "sum", "embedded", "constructor", "prototype", "length", "name"]);

function members(object) {
  return Object.getOwnPropertyNames(object).filter((name) => !name.startsWith("_") && !OWN.has(name));
}

for (const [name, kind] of Object.entries({ Document, ...classes, ChatMessage, CompendiumCollection, ApplicationV2, DialogV2, Roll, Die, NumericTerm, OperatorTerm })) {
  test(name, () => {
    const listed = [...LIST.matchAll(new RegExp(`// ${name}\\n.*?,((?: \\|? ?"\\w+")+)>,`, "g"))].flatMap(([, names]) => names.match(/\w+/g));
    assert.deepEqual(listed, [...members(kind.prototype), ...members(kind)]);
  });
}
