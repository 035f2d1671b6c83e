import assert from "node:assert/strict";
import test from "node:test";

import { differences, forward, initiatives, rolledFor, secondsBetween } from "../../integrations/foundry/scripts/combat-view.mjs";

const one = (id, rank, more = {}) => ({
  id, name: id, rank, able: true, unable: "", gone: false, done: false, delaying: false, hidden: false, conditions: [], ...more,
});
const fight = (combatants, order, more = {}) => ({
  turn: 1, part: 1, phase: "slot", acting: order[0] ?? [], combatants,
  order: order.map((actors) => ({ actors, together: true, label: "" })), ...more,
});
const sorted = (found) => [...found].filter(([, n]) => n !== null).sort((a, b) => b[1] - a[1]).map(([id]) => id);

test("scores are shown as they are, where the order is theirs", () => {
  const found = initiatives(fight([one("a", "7"), one("b", "11"), one("c", "9")], [["b"], ["c"], ["a"]]), new Map());
  assert.deepEqual(Object.fromEntries(found), { a: 7, b: 11, c: 9 });
});

test("whoever goes first in spite of a lower score stands first", () => {
  const found = initiatives(fight([one("a", "7"), one("b", "11"), one("c", "11")], [["a"], ["c"], ["b"]]), new Map());
  assert.deepEqual(sorted(found), ["a", "c", "b"]);
  assert.deepEqual(Object.fromEntries(found), { a: 11.02, b: 11, c: 11.01 });
});

test("those who have acted stay above, those without a slot in this part stand below", () => {
  const people = [one("a", "11", { done: true }), one("b", "9"), one("c", "13"), one("d", ""), one("e", "12", { done: true, delaying: true })];
  const found = initiatives(fight(people, [["b"]], { part: 2 }), new Map([["a", 11]]));
  assert.deepEqual(sorted(found), ["a", "b", "c", "e"]);
  assert.equal(found.get("d"), null);
  assert.equal(found.get("a"), 11);
});

test("the order holds for any scores", () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 16807) % 2147483647) % n;
  for (let round = 0; round < 300; round++) {
    const ids = Array.from({ length: 1 + random(8) }, (_, at) => `c${at}`);
    const people = ids.map((id) => one(id, String(random(15) - 2)));
    const order = [...ids].sort(() => random(3) - 1);
    const found = initiatives(fight(people, order.map((id) => [id])), new Map());
    assert.deepEqual(sorted(found), order);
  }
});

test("before the first turn nobody has an initiative", () => {
  const found = initiatives(fight([one("a", "")], [], { turn: 0, phase: "setup" }), new Map([["a", 3]]));
  assert.deepEqual([...found], [["a", null]]);
});

test("only what differs is written", () => {
  const people = [one("a", "9"), one("b", "7", { able: false, unable: "dead" }), one("new", "5", { hidden: true }), one("left", "3", { gone: true })];
  const shown = [
    { id: "A", combatant: "a", name: "a", initiative: 9, defeated: false, hidden: false },
    { id: "B", combatant: "b", name: "b", initiative: 7, defeated: false, hidden: false },
    { id: "L", combatant: "left", name: "left", initiative: 3, defeated: false, hidden: false },
    { id: "U", combatant: "undone", name: "undone", initiative: 3, defeated: false, hidden: false },
    { id: "F", combatant: "", name: "not in the fight", initiative: null, defeated: false, hidden: false },
  ];
  assert.deepEqual(differences(fight(people, [["a"], ["new"]]), shown), {
    create: [{ combatant: "new", data: { name: "new", initiative: 5, defeated: false, hidden: true } }],
    update: [{ _id: "B", initiative: 0, defeated: true }],
    remove: ["L", "U"],
    round: 1,
    acting: "a",
  });
});

test("a fight goes on by a command of its phase", () => {
  assert.equal(forward({ phase: "slot" }), "next");
  assert.equal(forward({ phase: "waiting" }), "next");
  assert.equal(forward({ phase: "turn-over" }), "begin-turn");
  assert.equal(forward({ phase: "setup" }), "begin-turn");
});

test("time passes with turns, and goes back with them", () => {
  assert.equal(secondsBetween(0, 1, 3), 0); // the first turn begins
  assert.equal(secondsBetween(1, 2, 3), 3);
  assert.equal(secondsBetween(1, 4, 3), 9); // after a while without a client
  assert.equal(secondsBetween(3, 2, 3), -3);
  assert.equal(secondsBetween(2, 0, 3), -3);
});

test("a score set by hand is so much more or less on the roll", () => {
  assert.deepEqual(rolledFor({ rank: "11", rolled: { hits: 3, glitch: "none" } }, "hits", 13), { hits: 5, glitch: "none" });
  assert.deepEqual(rolledFor({ rank: "11", rolled: { hits: 3 } }, "hits", 2), { hits: 0 });
  assert.equal(rolledFor({ rank: "11", rolled: { hits: 3 } }, undefined, 13), null);
  assert.equal(rolledFor({ rank: "11", rolled: {} }, "hits", 13), null);
  assert.equal(rolledFor({ rank: "", rolled: {} }, "hits", 13), null);
  assert.equal(rolledFor({ rank: "11", rolled: { hits: 3 } }, "hits", NaN), null);
});
