// Statuses of Foundry as conditions of a fight, and what stands of a fight after undo and redo.

import assert from "node:assert/strict";
import test from "node:test";

import { conditionOf } from "../../integrations/foundry/scripts/effects.mjs";
import { hear, newStory } from "../../integrations/foundry/scripts/story.mjs";

const mapping = { defeated: "incapacitated", conditions: { blinded: "blind", dazzled: "blind", dead: "dead" } };
const effect = (statuses, more = {}) => ({ statuses: new Set(statuses), disabled: false, flags: {}, ...more });

test("a status is the first condition for which the mapping names it", () => {
  assert.equal(conditionOf(mapping, effect(["blind"]), "dead"), "blinded");
  assert.equal(conditionOf(mapping, effect(["dead"]), "dead"), "dead");
  assert.equal(conditionOf(mapping, effect(["stun"]), "dead"), "");
});

test("the skull of the tracker is what its button does", () => {
  const skull = { flags: { core: { overlay: true } } };
  assert.equal(conditionOf(mapping, effect(["dead"], skull), "dead"), "incapacitated");
  assert.equal(conditionOf({ conditions: { dead: "dead" } }, effect(["dead"], skull), "dead"), "");
});

test("nothing is guessed of an effect that is off, or has several statuses", () => {
  assert.equal(conditionOf(mapping, effect(["blind"], { disabled: true }), "dead"), "");
  assert.equal(conditionOf(mapping, effect(["blind", "dead"]), "dead"), "");
  assert.equal(conditionOf(mapping, effect([]), "dead"), "");
});

test("undo and redo change what stands, and are no events to go back to", () => {
  const story = newStory();
  const event = (version, type, data = {}) => hear(story, { version, type, data });
  for (const version of [1, 2, 3, 4]) event(version, "set");
  event(5, "undone", { to: 2 });
  assert.deepEqual([...story.standing], [1, 2]);
  event(6, "redone", { to: 3 });
  assert.deepEqual([...story.standing], [1, 2, 3]);
  event(7, "set");
  event(7, "set"); // heard twice
  assert.deepEqual([...story.standing], [1, 2, 3, 7]);
  assert.deepEqual(story.undone, []);
});
