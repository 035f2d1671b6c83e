// The list that the type check holds against Foundry's own types names all that the stand-in offers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ApplicationV2, DialogV2 } from "../browser/foundry_stand_in/applications.mjs";
import { ChatMessage } from "../browser/foundry_stand_in/chat.mjs";
import "../browser/foundry_stand_in/combats.mjs";
import { ActorSheetV2, Keybindings } from "../browser/foundry_stand_in/controls.mjs";
import { CompendiumCollection, Document, classes } from "../browser/foundry_stand_in/documents.mjs";
import { RefusedData } from "../browser/foundry_stand_in/system_data.mjs";
import { system } from "./sheets.mjs";
import { Die, NumericTerm, OperatorTerm, Roll } from "../browser/foundry_stand_in/rolls.mjs";

const LIST = readFileSync(new URL("../js/stand_in.ts", import.meta.url), "utf-8");
const sr4 = system("shadowrun4e");
const swnr = system("swnr");

test("data of documents are kept as the data models of the system keep them", () => {
  const changes = (kind, type, data, known = sr4) => known.changes(kind, type, data);
  assert.deepEqual(changes("actors", "npc", { conditionMonitor: { physical: { current: 5, value: 3 } }, hp: 2 }), { "conditionMonitor.physical.value": 3 });
  assert.deepEqual(changes("actors", "npc", { sheetStats: { BODY: "4.6" } }), { "sheetStats.BODY": 5 });
  assert.deepEqual(changes("items", "armor", { soak: { value: -50 } }, swnr), { "soak.value": -20 });
  assert.deepEqual(changes("items", "weapon", { ammo: { type: "ammo" }, trauma: { rating: null } }, swnr), { "ammo.type": "ammo", "trauma.rating": null });
  for (const [kind, type, data, known] of [
    ["actors", "npc", { realm: "elsewhere" }, sr4],
    ["actors", "npc", { sheetStats: { BODY: "strong" } }, sr4],
    ["items", "weapon", { ammo: { type: "bullets" } }, swnr],
    ["items", "weapon", { damage: null }, swnr],
  ]) assert.throws(() => changes(kind, type, data, known), RefusedData);
  assert.throws(() => sr4.stored("actors", "npc", { conditionMonitor: { physical: { current: 5 } } }, true), RefusedData);
  assert.throws(() => swnr.stored("actors", "character", { ac: 5 }, true), RefusedData, "is worked out");
  assert.throws(() => swnr.derived("actors", "character", { armorClass: 5 }), RefusedData);
  assert.equal(sr4.stored("actors", "npc", {}).conditionMonitor.stun.max, 10);
  const members = { skills: { active: { pistols: { value: 3, rank: 2 } } } };
  assert.deepEqual(changes("actors", "character", members, system("shadowrun5e")), { "skills.active.pistols.value": 3 });
});

/** What only the stand-in needs. */
const OWN = new Set(["throwDice", "sum", "embedded", "constructor", "prototype", "length", "name"]);

function members(object) {
  return Object.getOwnPropertyNames(object).filter((name) => !name.startsWith("_") && !OWN.has(name));
}

for (const [name, kind] of Object.entries({ Document, ...classes, ChatMessage, CompendiumCollection, ApplicationV2, DialogV2, ActorSheetV2, Keybindings, Roll, Die, NumericTerm, OperatorTerm })) {
  test(name, () => {
    const listed = [...LIST.matchAll(new RegExp(`// ${name}\\n.*?,((?: \\|? ?"\\w+")+)>,`, "g"))].flatMap(([, names]) => names.match(/\w+/g));
    assert.deepEqual(listed, [...members(kind.prototype), ...members(kind)]);
  });
}

test("regions are refused as Foundry refuses them", async () => {
  const { Region } = classes;
  const circle = { type: "circle", x: 1, y: 2, radius: 3 };
  const clean = (source) => Region._clean({ name: "Blast", shapes: [circle], ...source });
  clean({});
  clean({ elevation: { bottom: 0, top: 3 } });
  for (const wrong of [
    { name: "" },
    { name: undefined },
    { shapes: [{ ...circle, radius: undefined }] },
    { shapes: [{ ...circle, radius: -1 }] },
    { shapes: [{ ...circle, type: "disc" }] },
    { elevation: { bottom: 3, top: 0 } },
    { elevation: { bottom: "floor" } },
  ]) assert.throws(() => clean(wrong), RefusedData, JSON.stringify(wrong));
});
