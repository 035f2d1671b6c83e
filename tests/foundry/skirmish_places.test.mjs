import assert from "node:assert/strict";
import test from "node:test";

import { placesOf } from "../../integrations/foundry/scripts/skirmish-places.mjs";

const one = (name, side, count = 1) => ({ actor: name, name, side, count, player: false });
const DOCK = [one("Rook", "runners"), one("Vex", "runners"), one("Guard", "corp", 2), one("Brick", "corp")];
const rect = { x: 500, y: 300, width: 4000, height: 3000 };
const ground = { size: 100, metres: 2, centre: { x: 2500, y: 1800 }, rect };

test("sides stand as far apart as the skirmish says, those of one kind numbered", () => {
  const found = placesOf(DOCK, 12, ground);
  assert.deepEqual(found.map(({ name, x, y }) => [name, x, y]), [
    ["Rook", 2200, 1700],
    ["Vex", 2200, 1900],
    ["Guard 1", 2800, 1600],
    ["Guard 2", 2800, 1800],
    ["Brick", 2800, 2000],
  ]);
});

test("all stand on squares of the scene, however small it is and wherever people look", () => {
  for (const centre of [{ x: -9000, y: 0 }, { x: 2543, y: 1811 }, { x: 9e6, y: 9e6 }]) {
    for (const [width, height] of [[4000, 3000], [400, 300], [100, 100]]) {
      for (const { x, y } of placesOf(DOCK, 50, { ...ground, centre, rect: { ...rect, width, height } })) {
        assert.ok(x >= 500 && x + 100 <= 500 + width && y >= 300 && y + 100 <= 300 + height, `${x} ${y}`);
        assert.deepEqual([(x - 500) % 100, (y - 300) % 100], [0, 0]);
      }
    }
  }
});

test("sides of which no distance is known are six squares apart; nobody's side is alone in the middle", () => {
  const columns = (distance, metres, people = DOCK) => [...new Set(placesOf(people, distance, { ...ground, metres }).map(({ x }) => x))];
  assert.deepEqual(columns(0, 2), [2200, 2800]);
  assert.deepEqual(columns(12, 0), [2200, 2800], "of a scene without a known unit");
  assert.deepEqual(columns(0, 2, [...DOCK, one("Cop", "law")]), [1900, 2500, 3100]);
});
