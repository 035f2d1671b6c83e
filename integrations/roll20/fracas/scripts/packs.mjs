/** The packs that scripts of the game hold, and the objects that they want in it. */

import { memory } from "./memory.mjs";
import { Refusal } from "./texts.mjs";

/**
 * @typedef {object} Bar Where a number of a result goes.
 * @property {"bar1" | "bar2" | "bar3"} bar
 * @property {"up" | "down"} way up: the bar counts what was suffered or spent; down: what is left
 *
 * @typedef {object} Pack What fracas/exports/roll20/mod.py tells.
 * @property {string} id
 * @property {string} title
 * @property {string} version
 * @property {Record<string, Bar>} bars by track
 * @property {Record<string, string>} markers status markers by condition
 * @property {{id: string, name: string, rows: [string, number][]}[]} tables rows: text and weight
 * @property {{id: string, name: string, notes: string}[]} handouts notes: HTML in which nothing is run
 * @property {{id: string, name: string, text: string, token: boolean}[]} macros token: also a token action
 *
 * @typedef {"table" | "handout" | "macro" | "ability"} Kind
 *
 * @typedef {object} Item One object that a pack wants in the game.
 * @property {Kind} kind
 * @property {string} key
 * @property {string} name
 * @property {string} content all that counts as its content, as one text
 * @property {string} owner a player's id for a macro, a character's for an ability
 * @property {[string, number][]} rows of a table
 * @property {boolean} [first] a handout without links, to which others may lead
 */

const LINK = /<a href="handout:(([a-z0-9-]+):[a-z0-9/-]+)">(.*?)<\/a>/;

/**
 * Notes with links to handouts by their addresses in this game; one that is not in it is only named.
 *
 * @param {string} notes
 */
function linked(notes) {
  return notes.replace(new RegExp(LINK, "g"), (_, id, pack, text) => {
    const made = memory().packs[pack]?.made[`handout ${id}`];
    return made ? `<a href="http://journal.roll20.net/handout/${made.id}">${text}</a>` : text;
  });
}

/** @type {Map<string, Pack>} */
export const packs = new Map();

export function loaded() {
  if (packs.size > 0) return [...packs.values()];
  throw new Refusal("This script holds no pack. Make one that does with <b>fracas export roll20</b>.");
}

/** @param {Pack | null} pack */
export function add(pack) {
  if (pack) packs.set(pack.id, pack);
}

/**
 * @param {Pack} pack
 * @param {string} player whose macros they become
 * @returns {Item[]}
 */
export function itemsOf(pack, player) {
  const item = (/** @type {Kind} */ kind, /** @type {{id: string, name: string}} */ { id, name }) => ({
    kind,
    key: `${kind} ${id}`,
    name,
    owner: "",
    rows: /** @type {[string, number][]} */ ([]),
  });
  return [
    ...pack.tables.map((each) => ({ ...item("table", each), rows: each.rows, content: tableContent(each.rows) })),
    ...pack.handouts.map((each) => ({
      ...item("handout", each),
      first: !LINK.test(each.notes),
      // Read when it is written: the handouts that it leads to are in the game by then.
      get content() {
        return linked(each.notes);
      },
    })),
    ...pack.macros.map((each) => ({ ...item("macro", each), owner: player, content: each.text })),
  ];
}

/**
 * @param {Pack} pack
 * @param {string} character
 * @returns {Item[]}
 */
export function abilitiesOf(pack, character) {
  return pack.macros
    .filter((each) => each.token)
    .map(({ id, name, text }) => ({
      kind: "ability",
      key: `ability ${id} ${character}`,
      name,
      content: text,
      owner: character,
      rows: [],
    }));
}

/** @param {readonly (readonly [string, number])[]} rows in whatever order: Roll20 keeps none */
export const tableContent = (rows) => rows.map(([text, weight]) => `${weight} ${text}`).sort().join("\n");

/** @returns {Map<string, Bar>} where numbers go, by track: as the packs say, unless the GM said something else */
export function bars() {
  const said = [...packs.values()].flatMap((pack) => Object.entries(pack.bars));
  /** @type {Map<string, Bar>} */
  const found = new Map(said);
  for (const [what, bar] of Object.entries(memory().bars)) {
    if (bar) found.set(what, bar);
    else found.delete(what);
  }
  return found;
}
