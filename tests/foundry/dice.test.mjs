// Rolls of answers as Foundry's own data: every form in which the service writes dice.

import assert from "node:assert/strict";
import test from "node:test";
import { rollData } from "../../integrations/foundry/scripts/dice.mjs";

const roll = (dice, faces) => rollData({ label: "attack", by: "attacker", dice, sides: 6, faces });

/** What Foundry would make of the terms. */
function sum({ terms }) {
  const value = (term) => term.results?.reduce((all, { result, count }) => all + (count ?? result), 0) ?? term.number ?? 0;
  return terms.reduce((all, term, at) => all + (terms[at - 1]?.operator === "-" ? -1 : 1) * value(term), 0);
}

test("a pool counts its hits", () => {
  const { terms, total, formula, evaluated } = roll("4d6 >= 5", [5, 1, 6, 4]);
  assert.equal(formula, "4d6cs>=5");
  assert.equal(total, 2);
  assert.equal(evaluated, true);
  assert.deepEqual(terms[0].results.map(({ success }) => success), [true, false, true, false]);
});

test("dice of explosions belong to the pool, bought hits are added", () => {
  const data = roll("2d6! >= 5 + 1 hits", [6, 2, 6, 5]);
  assert.equal(data.formula, "4d6cs>=5 + 1");
  assert.equal(data.total, 4);
});

for (const [dice, faces, formula, total] of [
  ["1d20 + 5 >= 14", [11], "1d20 + 5", 16],
  ["1d20 - 2", [11], "1d20 - 2", 9],
  ["1d8 + 2d6 - 1 <= 12", [3, 4, 5], "1d8 + 2d6 - 1", 11],
  ["2d10", [3, 7], "2d10", 10],
  ["2d10", [3, 7, 9], "3d10", 19],
]) {
  test(`the sum ${dice} of ${faces}`, () => {
    const data = roll(dice, faces);
    assert.equal(data.formula, formula);
    assert.equal(data.total, total);
  });
}

test("the total always fits the terms, and every face is there", () => {
  for (const dice of ["8d6 >= 5", "3d6! >= 4 + 2 hits", "1d20 + 1d4 + 3", "1d100 <= 45"]) {
    const faces = [...dice.matchAll(/(\d+)d(\d+)/g)].flatMap(([, count, sides]) => Array.from({ length: count }, (_, at) => 1 + (at % sides)));
    const data = roll(dice, faces);
    assert.equal(data.total, sum(data), dice);
    assert.deepEqual(data.terms.flatMap(({ results = [] }) => results.map(({ result }) => result)), faces);
  }
});

test("no dice, no roll", () => assert.equal(roll("0d6 >= 5", []), null));
