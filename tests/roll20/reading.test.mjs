/** The Mod reads the text of a result as Python wrote it, and refuses whatever Python refuses. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { inWords, read } from "../../integrations/roll20/fracas/scripts/results.mjs";
import { Refusal, crc32, fingerprint } from "../../integrations/roll20/fracas/scripts/texts.mjs";

/** Texts with what they say, as fracas.exports.roll20.importing reads them; null: it refuses them. */
const { readings: READINGS } = JSON.parse(readFileSync(process.env.FRACAS_RESULTS, "utf8"));

function said(line) {
  try {
    const { mark, title, names, changes } = read(line.split(" ").slice(2));
    return { mark, title, names: Object.fromEntries(names), changes };
  } catch (error) {
    assert.ok(error instanceof Refusal, error);
    return null;
  }
}

test("what Python wrote says the same here", () => {
  const right = READINGS.filter(({ whole }) => whole);
  assert.ok(right.length >= 200);
  for (const { text, says } of right) assert.deepEqual(said(text), says, text);
});

test("what was changed on its way is refused, or says what Python reads in it", () => {
  const changed = READINGS.filter(({ whole }) => !whole);
  assert.ok(changed.filter(({ says }) => says === null).length >= 200);
  for (const { text, says } of changed) {
    const here = said(text);
    if (here !== null) assert.deepEqual(here, says, text);
  }
});

test("changes in words", () => {
  const names = new Map([["target", "Zoë & [Co]"]]);
  const words = (type, what, amount) => inWords({ who: "target", type, what, amount }, { names });
  assert.equal(words("mark", "physical", 6), "Zoë &#38; &#91;Co&#93;: physical +6 damage");
  assert.equal(words("mark", "hp", -2), "Zoë &#38; &#91;Co&#93;: hp -2 damage");
  assert.equal(words("spend", "edge-points", 1), "Zoë &#38; &#91;Co&#93; spends 1 edge points");
  assert.equal(words("gain", "edge", 1), "Zoë &#38; &#91;Co&#93; gains 1 edge");
  assert.equal(words("schedule", "bleeding", null), "Zoë &#38; &#91;Co&#93;: bleeding");
  assert.equal(words("remove-condition", "prone", null), "Zoë &#38; &#91;Co&#93; is no longer prone");
});

test("fingerprints tell texts apart, whatever characters they hold", () => {
  assert.equal(crc32("123456789"), "cbf43926");
  const texts = ["", "a", "b", "ä", "\ud800", "a\ud800", "🥷", "🥷🥷"];
  assert.equal(new Set(texts.map(fingerprint)).size, texts.length);
});
