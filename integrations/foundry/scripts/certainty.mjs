// How sure numbers are, in the signs of the rulebooks (service/fracas/packs/certainty.py), with one legend.

/** @typedef {{provenance?: string, confidence?: string}} Said what a line of a number says of it */

/** @type {Record<string, string>} */
const SIGNS = { default: "†", M: "‡", L: "(?)" };

/** @param {Said} said @returns {string} "" for what is sure */
export function sign({ provenance, confidence }) {
  return [provenance, confidence].map((word) => SIGNS[word ?? ""] ?? "").join("");
}

/**
 * What the signs of these lines mean, each once.
 *
 * @param {Said[]} lines
 * @param {(key: string) => string} localize
 * @returns {string[]}
 */
export function legend(lines, localize) {
  const words = new Set(lines.flatMap(({ provenance, confidence }) => [provenance, confidence]));
  return Object.entries(SIGNS).flatMap(([word, sign]) => (words.has(word) ? [`${sign} ${localize(`FRACAS.sure.${word}`)}`] : []));
}
