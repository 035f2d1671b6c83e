import assert from "node:assert/strict";
import test from "node:test";

import { moveTo, positionOf, spotOf } from "../../integrations/foundry/scripts/token-places.mjs";

const METRES = { size: 100, distance: 2, units: "m" };
const FEET = { size: 70, distance: 5, units: "ft" };
/** A token on squares of 100 pixels, or of those of a grid. */
const token = (x, y, more = {}, { size } = METRES) => {
  const one = { x, y, elevation: 0, width: 1, height: 1, ...more };
  return { ...one, middle: { x: one.x + (one.width * size) / 2, y: one.y + (one.height * size) / 2 } };
};

test("a token is where its middle is, in metres", () => {
  assert.deepEqual(positionOf(token(0, 0), METRES), { x: 1, y: 1, elevation: 0, size: 1 });
  assert.deepEqual(positionOf(token(500, 250, { elevation: 3 }), METRES), { x: 11, y: 6, elevation: 3, size: 1 });
  assert.deepEqual(positionOf(token(70, 0, { elevation: 10 }, FEET), FEET), { x: 2.286, y: 0.762, elevation: 3.048, size: 1 });
});

test("the middle of a circle is where a token stands whose middle it is", () => {
  for (const grid of [METRES, FEET]) {
    const { size, ...at } = positionOf(token(140, 70, { elevation: 10 }, grid), grid);
    assert.deepEqual(spotOf({ x: 140 + grid.size / 2, y: 70 + grid.size / 2, elevation: 10 }, grid), at);
  }
  assert.equal(spotOf({ x: 0, y: 0, elevation: 0 }, { ...METRES, units: "hex" }), null);
});

test("neighbors are a square apart, however broad they are", () => {
  const car = positionOf(token(0, 0, { width: 2, height: 2 }), METRES);
  const walker = positionOf(token(200, 50), METRES);
  assert.equal(car.size, 3);
  assert.equal(Math.hypot(car.x - walker.x, car.y - walker.y) - (car.size - 1) / 2, 2);
});

test("of a scene in no known unit nothing is said", () => {
  assert.equal(positionOf(token(0, 0), { ...METRES, units: "parsecs" }), null);
  assert.equal(moveTo({ x: 1, y: 1, elevation: 0, size: 1 }, token(0, 0), { ...METRES, units: "" }), null);
});

test("a token goes where the fight says, and stays where it is already", () => {
  for (const grid of [METRES, FEET]) {
    for (const one of [token(0, 0, {}, grid), token(333, 471, { elevation: 12, width: 2, height: 1 }, grid)]) {
      const position = positionOf(one, grid);
      assert.equal(moveTo(position, one, grid), null);
      const away = { ...one, x: one.x + 212, elevation: one.elevation + 7, middle: { ...one.middle, x: one.middle.x + 212 } };
      assert.deepEqual(moveTo(position, away, grid), { x: one.x, y: one.y, elevation: one.elevation });
    }
  }
});

test("on hexagons, the middle is where Foundry says", () => {
  const one = { x: 86.6, y: 150, elevation: 0, width: 1, height: 1, middle: { x: 136.6, y: 207.735 } }; // a row of hexagons is 115.47 pixels high
  assert.deepEqual(positionOf(one, METRES), { x: 2.732, y: 4.155, elevation: 0, size: 1 });
  assert.deepEqual(moveTo({ x: 4.732, y: 4.155, elevation: 0, size: 1 }, one, METRES), { x: 187, y: 150, elevation: 0 });
});
