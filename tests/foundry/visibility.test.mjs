// Who sees a message: as chosen, and the game masters alone if that cannot be made sure of.

import assert from "node:assert/strict";
import test from "node:test";
import { withVisibility } from "../../integrations/foundry/scripts/visibility.mjs";

const gms = () => ["gm"];
const right = { public: [], gm: ["gm"], blind: ["gm"], self: ["ada"] };
const apply = (strip) => (data, mode) => Object.assign(data, { whisper: right[strip(mode)] ?? assert.fail(mode), blind: strip(mode) === "blind" });
const v13 = (current = "publicroll") => ({ current: () => current, applyRollMode: apply((mode) => mode.replace(/roll$/, "")), applyMode: undefined, gms, user: "ada" });
const v14 = (current = "public") => ({ current: () => current, applyMode: apply((mode) => mode), applyRollMode: undefined, gms, user: "ada" });
const sees = ({ whisper, blind }) => ({ whisper, blind });
const closed = { whisper: ["gm"], blind: true };

for (const [version, modes, words] of [["v13", v13, (mode) => `${mode}roll`], ["v14", v14, (mode) => mode]]) {
  for (const mode of Object.keys(right)) {
    const wanted = { whisper: right[mode], blind: mode === "blind" };
    test(`${version}: ${mode}, said or chosen at the table`, () => {
      assert.deepEqual(sees(withVisibility({}, mode, modes())), wanted);
      assert.deepEqual(sees(withVisibility({}, "table", modes(words(mode)))), wanted);
    });
  }
}

test("v14: public as one's character is public", () => {
  assert.deepEqual(sees(withVisibility({}, "table", v14("ic"))), { whisper: [], blind: false });
});

test("whatever is not known is closed", () => {
  const unknown = { ...v14(), applyMode: undefined };
  const broken = { ...v14(), applyMode: () => { throw new Error("no"); } };
  const open = { ...v14(), applyMode: (data) => data };
  const leaky = { ...v14(), applyMode: (data) => ({ ...data, whisper: ["gm", "ben"] }) };
  const unsettled = { ...v14(), current: () => { throw new Error("not registered"); } };
  assert.deepEqual(sees(withVisibility({}, "public", unknown)), closed);
  assert.deepEqual(sees(withVisibility({}, "table", unsettled)), closed);
  assert.deepEqual(sees(withVisibility({}, "table", v14("whispered-later"))), closed);
  for (const modes of [broken, open, leaky]) {
    for (const mode of ["gm", "blind", "self"]) assert.deepEqual(sees(withVisibility({}, mode, modes)), closed);
  }
});

test("a blind message that came back open to its author is closed", () => {
  const modes = { ...v14(), applyMode: (data) => ({ ...data, whisper: ["gm"], blind: false }) };
  assert.deepEqual(sees(withVisibility({}, "blind", modes)), closed);
});
