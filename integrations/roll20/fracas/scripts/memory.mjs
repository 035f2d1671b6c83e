/** What Roll20 keeps for the Mod, in `state.Fracas`, as plain data. */

/**
 * @typedef {object} Made What was made of one item of a pack.
 * @property {string} id of the object in the game
 * @property {string} name
 * @property {string} said fingerprint of the content as the pack gave it
 * @property {string} kept fingerprint of the content as Roll20 gave it back
 *
 * @typedef {object} Applied What a result did to one token.
 * @property {string} mark
 * @property {string} title
 * @property {string} who
 * @property {string} player
 * @property {(BarMoved | MarkerSet)[]} changes
 *
 * @typedef {{token: string, name: string, bar: string, from: number, to: number}} BarMoved
 * @typedef {{token: string, name: string, marker: string, on: boolean}} MarkerSet
 *
 * @typedef {object} Memory
 * @property {1} form
 * @property {Record<string, {version: string, made: Record<string, Made>}>} packs
 * @property {Record<string, Bar | null>} bars what the GM said; null: no bar shows the track
 * @property {Record<string, string | null>} markers what the GM said of conditions; null: no marker shows it
 * @property {Applied[]} applied
 *
 * @typedef {import("./packs.mjs").Bar} Bar
 */

/** @returns {Memory} */
export function memory() {
  if (!state.Fracas || state.Fracas.form !== 1) state.Fracas = { form: 1, packs: {}, bars: {}, applied: [] };
  if (!state.Fracas.markers) state.Fracas.markers = {}; // as an earlier version left it
  return state.Fracas;
}

/** @param {string} pack */
export function madeOf(pack) {
  const kept = memory().packs;
  if (!kept[pack]) kept[pack] = { version: "", made: {} };
  return kept[pack];
}
