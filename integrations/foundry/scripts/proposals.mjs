/**
 * Choices that the rules need and that nobody has made yet, such as the firing mode: the first one that the service takes is
 * proposed. It is shown like any other choice and can be changed.
 *
 * Nothing here needs Foundry.
 */

import { fieldAt, joined, valueAt, withValue } from "./situation.mjs";

/** @typedef {import("./attack-form.mjs").Attempt} Attempt */
/** @typedef {import("./attack-form.mjs").Chosen} Chosen */

/** One choice may bring the next, such as a burst that is narrow or wide. */
const MOST = 4;

/**
 * What was said, with the choices that are proposed.
 *
 * @param {Attempt} attempt
 * @param {Chosen} chosen
 * @returns {Promise<Record<string, any>>}
 */
export async function proposed(attempt, chosen) {
  const schema = await attempt.schema(chosen);
  let { said } = chosen;
  let answer = await tried(attempt, { ...chosen, said });
  for (let step = 0; step < MOST; step++) {
    const path = missingIn(answer).find((one) => open(attempt, { ...chosen, said }, schema, one));
    if (!path) return said;
    const found = await firstTaken(attempt, { ...chosen, said }, path, fieldAt(schema, path)?.options ?? []);
    if (!found) return said;
    ({ said, answer } = found);
  }
  return said;
}

/**
 * @param {Attempt} attempt
 * @param {Chosen} chosen
 * @param {string} path
 * @param {string[]} words
 */
async function firstTaken(attempt, chosen, path, words) {
  for (const word of words) {
    const said = withValue(chosen.said, path, word);
    const answer = await tried(attempt, { ...chosen, said });
    const missing = missingIn(answer);
    if (answer.status === "resolved" || (missing.length > 0 && !missing.includes(path))) return { said, answer };
  }
  return null;
}

/** Whether a field is a choice of this situation, and nobody has made it. @param {Attempt} attempt @param {Chosen} chosen @param {any} schema @param {string} path */
function open(attempt, chosen, schema, path) {
  const record = schema.properties?.[path.split(".")[0]]?.anyOf;
  return !record && fieldAt(schema, path)?.kind === "choice" && valueAt(joined(attempt.known(chosen), chosen.said), path) === undefined;
}

/** @param {Attempt} attempt @param {Chosen} chosen @returns {Promise<any>} odds, or why there are none */
function tried(attempt, chosen) {
  return attempt.odds(chosen).catch((error) => error);
}

/** @param {any} answer @returns {string[]} paths of what is missing; none if anything else is wrong, too */
function missingIn({ problems = [] }) {
  if (problems.some((/** @type {any} */ { code }) => code !== "missing-field")) return [];
  return problems.map((/** @type {any} */ { path }) => path.replace(/^situation\./, ""));
}
