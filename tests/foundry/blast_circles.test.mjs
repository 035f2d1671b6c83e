import assert from "node:assert/strict";
import test from "node:test";

import { circleIn, recordsAround } from "../../integrations/foundry/scripts/blast-circles.mjs";
import { bearing } from "../../integrations/foundry/scripts/distances.mjs";

globalThis.canvas = { dimensions: { distancePixels: 20 } };

test("circles of both versions of Foundry, and what is none", () => {
  const template = { documentName: "MeasuredTemplate", t: "circle", x: 10, y: 20, distance: 3, elevation: 2 };
  assert.deepEqual(circleIn(template), { x: 10, y: 20, radius: 60, elevation: 2 });
  assert.equal(circleIn({ ...template, t: "cone" }), null);
  const circle = { type: "circle", x: 10, y: 20, radius: 60, hole: false };
  const region = { documentName: "Region", shapes: [circle], elevation: { bottom: null, top: null } };
  assert.deepEqual(circleIn(region), { x: 10, y: 20, radius: 60, elevation: 0 });
  assert.deepEqual(circleIn({ ...region, elevation: { bottom: -Infinity, top: Infinity } })?.elevation, 0);
  assert.deepEqual(circleIn({ ...region, elevation: { bottom: 4, top: 9 } })?.elevation, 4);
  assert.deepEqual(circleIn({ ...region, shapes: [circle, { ...circle, hole: true }] })?.radius, 60);
  assert.equal(circleIn({ ...region, shapes: [circle, circle] }), null);
  assert.equal(circleIn({ ...region, shapes: [{ ...circle, type: "ring" }] }), null);
});

test("bearings as the attacker sees them", () => {
  const [from, spot] = [{ x: 0, y: 0 }, { x: 10, y: 0 }];
  const around = [{ x: 12, y: 0 }, { x: 10, y: 3 }, { x: 8, y: 0 }, { x: 10, y: -3 }, { x: 12, y: 2 }];
  assert.deepEqual(around.map((point) => bearing(from, spot, point)), [0, 90, 180, 270, 45]);
  assert.equal(bearing({ x: 10, y: 10 }, spot, { x: 12, y: 0 }), 90); // whoever looks up sees it on the right
});

test("people around a spot are those whose records know a bearing", () => {
  const record = (...names) => ({ anyOf: [{ type: "string" }, { properties: Object.fromEntries(names.map((name) => [name, {}])) }] });
  const properties = { attacker: record(), target: record("cover"), victim_1: record("distance", "bearing"), victim_2: record("distance", "bearing") };
  assert.deepEqual(recordsAround({ properties }), ["victim_1", "victim_2"]);
  assert.deepEqual(recordsAround({ properties: { target: record("cover"), target_2: record("distance") } }), []);
});
