import assert from "node:assert/strict";
import test from "node:test";

import { itemChanges, planOf, reversed, sheetChanges } from "../../integrations/foundry/scripts/effects.mjs";
import { utils } from "../browser/foundry_stand_in/utils.mjs";
import { document, mapping, operator, runner, system } from "./sheets.mjs";

const sr4 = mapping("shadowrun4e");
const cwn = mapping("swnr");

test("the effects of an attack become changes of the sheets", () => {
  const [rook, guard] = [runner(), runner()];
  const effects = [
    { type: "item", who: "attacker", what: "weapon", amount: -1, state: "rounds" },
    { type: "spend", who: "attacker", what: "edge", amount: 1 },
    { type: "gain", who: "attacker", what: "rounds-fired", amount: 1 }, // which nobody notes on a sheet
    { type: "mark", who: "target", what: "barrier-damage", amount: 2 },
    { type: "mark", who: "target", what: "physical", amount: 4 },
    { type: "mark", who: "target", what: "physical", amount: 1 },
    { type: "add-condition", who: "target", what: "prone" },
  ];
  const { plans, unplaced } = planOf(sr4, effects, { attacker: rook, target: guard }, { weapon: rook.items[4] });
  assert.deepEqual(plans.map(({ changes, add, remove }) => ({ changes, add, remove })), [
    {
      changes: [
        { item: "w1", path: "system.currentAmmo", from: 12, to: 11 },
        { item: "", path: "system.sheetStats.CURRENTEDGE", from: 2, to: 1 },
      ],
      add: [],
      remove: [],
    },
    {
      changes: [{ item: "", path: "system.conditionMonitor.physical.value", from: 1, to: 6 }],
      add: [{ slug: "prone", label: "Prone" }],
      remove: [],
    },
  ]);
  assert.deepEqual(unplaced, [{ who: "target", what: "barrier-damage", why: "no-place" }]);
});

test("what is written is stored by the system's data model", () => {
  const fields = (plan) => plan.changes.filter(({ item }) => !item).map(({ path, to }) => [path.replace("system.", ""), to]);
  const effects = ["physical", "stun"].map((what) => ({ type: "mark", who: "target", what, amount: 3 }));
  for (const [id, type] of [["shadowrun4e", "character"], ["shadowrun4e", "npc"], ["shadowrun5e", "character"], ["shadowrun5e", "spirit"]]) {
    const target = document(id, "actors", type, { id: "t", name: "Target" }, {});
    const written = Object.fromEntries(planOf(mapping(id), effects, { target }).plans.flatMap(fields));
    assert.equal(Object.keys(written).length, 2);
    assert.deepEqual(system(id).changes("actors", type, utils.expandObject(written)), written);
  }
});

test("injuries of imperium are wounds of Dark Heresy 2", () => {
  const target = document("dark-heresy", "actors", "npc", { id: "t", name: "Heretic" }, { "wounds.value": 2 });
  const effects = [
    { type: "mark", who: "target", what: "injury-total", amount: 6 },
    { type: "mark", who: "target", what: "injury-body", amount: 2 },
  ];
  const { plans, unplaced } = planOf(mapping("dark-heresy"), effects, { target });
  assert.deepEqual(plans[0].changes, [{ item: "", path: "system.wounds.value", from: 2, to: 8 }]);
  assert.deepEqual(unplaced.map(({ what }) => what), ["injury-body"]);
});

test("a marked point is a hit point less where the mapping says so", () => {
  const wren = operator();
  const effects = [
    { type: "mark", who: "wren", what: "hp", amount: 6 },
    { type: "spend", who: "wren", what: "soak", amount: 3 },
  ];
  assert.deepEqual(planOf(cwn, effects, { wren }).plans[0].changes, [
    { item: "", path: "system.health.value", from: 14, to: 8 },
    { item: "a1", path: "system.soak.value", from: 2, to: 0 },
    { item: "a2", path: "system.soak.value", from: 3, to: 2 },
  ]);
});

test("effects of an encounter name things by their entries, and carry complete conditions", () => {
  const rook = runner();
  const effects = [
    { type: "item", who: "rook", what: "ares-predator-iv", change: { rounds: -3 } },
    { type: "item", who: "rook", what: "katana", set: { ready: true } },
    { type: "add-condition", who: "rook", what: "aiming", condition: { slug: "aiming", label: "Aiming" } },
    { type: "remove-condition", who: "rook", what: "running" },
    { type: "mark", who: "stranger", what: "stun", amount: 1 },
    { type: "schedule", who: "nobody", what: "grenade-goes-off" },
  ];
  const { plans, unplaced } = planOf(sr4, effects, { rook });
  assert.deepEqual(plans[0].changes, [{ item: "w2", path: "system.currentAmmo", from: 12, to: 9 }]);
  assert.deepEqual([plans[0].add, plans[0].remove], [[{ slug: "aiming", label: "Aiming" }], ["running"]]);
  assert.deepEqual(unplaced, [
    { who: "rook", what: "katana", why: "no-item" },
    { who: "stranger", what: "stun", why: "no-actor" },
  ]);
});

test("what a sheet was changed to meanwhile stays: numbers move by as much as in the encounter", () => {
  const rook = runner(); // 1 box, although 0 were told last
  assert.deepEqual(sheetChanges(sr4, rook, { physical: 0 }, { physical: 3 }), [
    { item: "", path: "system.conditionMonitor.physical.value", from: 1, to: 4 },
  ]);
  assert.deepEqual(sheetChanges(sr4, rook, {}, { physical: 3 }), [
    { item: "", path: "system.conditionMonitor.physical.value", from: 1, to: 3 },
  ]);
  assert.deepEqual(itemChanges(sr4, rook.items[5], { rounds: 12 }, { rounds: 9 }), [
    { item: "w2", path: "system.currentAmmo", from: 12, to: 9 },
  ]);
});

test("a change goes back by as much, and not over what people did", () => {
  const change = (from, to) => ({ item: "", path: "p", from, to });
  assert.deepEqual(reversed(change(1, 6), 6), change(6, 1));
  assert.deepEqual(reversed(change(1, 6), 8), change(8, 3));
  assert.deepEqual(reversed(change(1, 6), 2), change(2, 0));
  assert.deepEqual(reversed(change("12", "11"), "11"), change("11", "12"));
  assert.deepEqual(reversed(change(false, true), true), change(true, false));
  assert.equal(reversed(change(false, true), false), null);
  assert.equal(reversed(change(null, 3), undefined), null);
});
