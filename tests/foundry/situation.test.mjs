// What may be said of a situation, out of a procedure's schema and the verdicts of modifiers.

import assert from "node:assert/strict";
import test from "node:test";
import { legend, sign } from "../../integrations/foundry/scripts/certainty.mjs";
import { fieldAt, joined, numbersOf, ownFields, valueAt, withValue } from "../../integrations/foundry/scripts/situation.mjs";

const record = (properties) => ({ anyOf: [{ type: "string" }, { type: "object", properties }] });
const SCHEMA = {
  properties: {
    attacker: record({ running: { title: "Running", type: ["boolean", "null"] }, gyro: { title: "Gyro", type: ["integer", "null"], minimum: 0 } }),
    target: record({ cover: { title: "Cover", type: ["string", "null"], enum: ["partial", "good", null] }, armor: { type: ["array"], items: { type: "string" } } }),
    fire: { properties: { mode: { title: "Mode", enum: ["single", null] } } },
    light: { title: "Light", type: ["array", "null"], items: { enum: ["glare", "fog"] } },
    distance: { title: "Distance", type: ["number", "null"] },
  },
};

test("fields by their paths", () => {
  assert.equal(fieldAt(SCHEMA, "attacker.running").kind, "flag");
  assert.deepEqual(fieldAt(SCHEMA, "target.cover").options, ["partial", "good"]);
  assert.equal(fieldAt(SCHEMA, "attacker.gyro").whole, true);
  assert.equal(fieldAt(SCHEMA, "distance").whole, false);
  for (const path of ["attacker", "target.armor", "target.nothing", "nothing.at.all"]) assert.equal(fieldAt(SCHEMA, path), null);
});

test("fields of no sheet", () => {
  assert.deepEqual(ownFields(SCHEMA).map(({ path }) => path), ["fire.mode", "light", "distance"]);
});

test("saying something and taking it back", () => {
  const said = withValue({ target: "guard" }, "target.cover", "partial");
  assert.deepEqual(said, { target: { use: "guard", cover: "partial" } });
  assert.equal(valueAt(said, "target.cover"), "partial");
  assert.deepEqual(withValue(said, "target.cover", null), { target: { use: "guard" } });
  assert.deepEqual(withValue({ light: ["fog"] }, "light", []), {});
  assert.deepEqual(withValue({ fire: { mode: "single" } }, "fire.mode", null), {});
  assert.deepEqual(withValue({}, "attacker.running", false), { attacker: { running: false } });
});

test("what is said goes over what is known, field by field", () => {
  const known = { attacker: { body: 3, running: true }, weapon: "pistol", light: ["fog"] };
  assert.deepEqual(joined(known, { attacker: { running: false }, weapon: { rounds: 2 }, light: ["glare"] }), {
    attacker: { body: 3, running: false },
    weapon: { use: "pistol", rounds: 2 },
    light: ["glare"],
  });
  assert.deepEqual(known.attacker, { body: 3, running: true });
});

test("a modifier that asks keeps its field when it is answered, and a field is shown once", () => {
  const tally = (verdict, value, reason) => [
    { to: "pool", label: "Pool", total: 5, entries: [
      { id: "agility", label: "Agility", value: 5, verdict: "applied", reason: "" },
      { id: "run", label: "Running", value, verdict, reason },
      { id: "far", label: "Far", value: null, verdict: "failed", reason: "range:far" },
      { id: "run-more", label: "Also running", value: null, verdict: "unknown", reason: "attacker.running" },
      { id: "dist", label: "Distance", value: null, verdict: "unknown", reason: "distance" },
    ] },
  ];
  const asked = new Map();
  const rows = (...said) => numbersOf(tally(...said), SCHEMA, asked, new Set(["distance"]))[0].rows.map(({ id, field }) => [id, field?.path]);
  assert.deepEqual(rows("unknown", null, "attacker.running"), [["agility", undefined], ["run", "attacker.running"]]);
  assert.deepEqual(rows("applied", -2, ""), [["agility", undefined], ["run", "attacker.running"]]);
  assert.deepEqual(rows("failed", null, "attacker.running"), [["agility", undefined], ["run", "attacker.running"]]);
});

test("numbers keep how sure they are, in signs with one legend", () => {
  const tally = { to: "attack.pool", label: "Pool", total: 1, entries: [
    { id: "skill", label: "Skill", value: 4, verdict: "applied" },
    { id: "near", label: "Near", value: 2, verdict: "applied", provenance: "default" },
    { id: "mist", label: "Mist", value: -5, verdict: "applied", provenance: "default", confidence: "L" },
  ] };
  const [{ rows }] = numbersOf([tally], SCHEMA, new Map(), new Set());
  assert.deepEqual(rows.map(sign), ["", "†", "†(?)"]);
  const meanings = { "FRACAS.sure.default": "ours", "FRACAS.sure.M": "remembered", "FRACAS.sure.L": "not sure" };
  assert.deepEqual(legend(rows, (key) => meanings[key]), ["† ours", "(?) not sure"]);
});
