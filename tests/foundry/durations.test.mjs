import assert from "node:assert/strict";
import test from "node:test";

import { durationOf, lastRounds, spanOf } from "../../integrations/foundry/scripts/durations.mjs";
import { damageOf } from "../../integrations/foundry/scripts/effects.mjs";
import { mapping, operator, runner } from "./sheets.mjs";

test("lengths that Foundry can count", () => {
  assert.deepEqual(spanOf("turn", 3), { rounds: 3 });
  assert.deepEqual(spanOf("minutes", 2), { seconds: 120 });
  for (const [unit, length] of [["phase", 1], ["turn", 0], [undefined, 2], ["turn", undefined]]) assert.equal(spanOf(unit, length), null);
});

test("what is left of conditions in a fight", () => {
  const conditions = [
    { slug: "out-of-breath", unit: "turn", until: 4 },
    { slug: "stacked", unit: "turn", until: 4 },
    { slug: "stacked", unit: "turn", until: 6 },
    { slug: "surprised", unit: "parts", until: 1 },
    { slug: "prone", unit: "", until: 0 },
  ];
  assert.deepEqual([...lastRounds(conditions, 3)], [
    ["out-of-breath", { until: 4, span: { rounds: 2 } }],
    ["stacked", { until: 6, span: { rounds: 4 } }],
  ]);
  assert.deepEqual(lastRounds(conditions.slice(0, 1), 0).get("out-of-breath").span, { rounds: 4 }); // before the first turn
});

test("a duration in the words of each version of Foundry", () => {
  globalThis.CONST = {};
  assert.deepEqual(durationOf({ rounds: 2 }), { duration: { rounds: 2 } });
  globalThis.CONST = { ACTIVE_EFFECT_DURATION_UNITS: ["rounds", "seconds"] };
  assert.deepEqual(durationOf({ seconds: 60 }), { duration: { value: 60, units: "seconds" } });
  assert.deepEqual(durationOf(null), {});
});

test("damage is what is taken, however a sheet counts it", () => {
  const up = [{ item: "", path: "system.conditionMonitor.physical.value", from: 1, to: 5 }];
  assert.deepEqual(damageOf(mapping("shadowrun4e"), runner(), up), [{ text: "physical", amount: 4 }]);
  const down = [{ item: "", path: "system.health.value", from: 14, to: 8 }, { item: "vest", path: "system.soak.value", from: 3, to: 0 }];
  assert.deepEqual(damageOf(mapping("swnr"), operator(), down), [{ text: "hp", amount: 6 }]);
  assert.deepEqual(damageOf(mapping("swnr"), operator(), [{ ...down[0], to: 16 }]), [{ text: "hp", amount: -2 }]);
});
