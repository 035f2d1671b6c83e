/** Objects of the game that the Mod makes, and whether people changed them. */

import { tableContent } from "./packs.mjs";
import { fingerprint } from "./texts.mjs";

/** @typedef {import("./memory.mjs").Made} Made */
/** @typedef {import("./packs.mjs").Item} Item */
/** @typedef {import("./packs.mjs").Kind} Kind */

const TYPES = { table: "rollabletable", handout: "handout", macro: "macro", ability: "ability" };

/** @param {Roll20Object} table */
export const rowsOf = (table) => findObjs({ _type: "tableitem", _rollabletableid: table.id });

/**
 * What counts as an object's content, as it stands in the game.
 *
 * @param {Kind} kind
 * @param {Roll20Object} object
 * @returns {Promise<string>}
 */
export function contentOf(kind, object) {
  switch (kind) {
    case "table": {
      // A picture that somebody gave a row counts as well.
      const textOf = (/** @type {Roll20Object} */ row) => [row.get("name"), row.get("avatar")].filter(Boolean).join(" ");
      const rows = rowsOf(object).map((row) => /** @type {const} */ ([textOf(row), Number(row.get("weight"))]));
      return Promise.resolve(tableContent(rows));
    }
    case "handout":
      return new Promise((resolve) => object.get("notes", (text) => resolve(String(text))));
    default:
      return Promise.resolve(String(object.get("action")));
  }
}

/**
 * @param {Item} item
 * @returns {Roll20Object}
 */
export function create({ kind, name, owner }) {
  switch (kind) {
    case "table":
      return createObj(TYPES.table, { name, showplayers: false });
    case "handout":
      return createObj(TYPES.handout, { name });
    case "macro":
      return createObj(TYPES.macro, { _playerid: owner, name });
    case "ability":
      return createObj(TYPES.ability, { _characterid: owner, name, istokenaction: true });
  }
}

/**
 * @param {Item} item
 * @param {Roll20Object} object
 */
export function write({ kind, content, rows }, object) {
  if (kind === "handout") object.set({ notes: content });
  else if (kind !== "table") object.set({ action: content });
  else {
    for (const row of rowsOf(object)) row.remove();
    for (const [name, weight] of rows) {
      createObj("tableitem", { _rollabletableid: object.id, name, weight });
    }
  }
}

/**
 * Objects of an item's name that could be mistaken for it.
 *
 * @param {Item} item
 */
export function namesakes({ kind, name, owner }) {
  switch (kind) {
    case "macro":
      return findObjs({ _type: TYPES.macro, _playerid: owner, name });
    case "ability":
      return findObjs({ _type: TYPES.ability, _characterid: owner, name });
    default:
      return findObjs({ _type: TYPES[kind], name }, { caseInsensitive: kind === "table" });
  }
}

/** @param {{kind: Kind, name: string}} item */
export const nameOf = ({ kind, name }) => `${name} (${kind})`;

/**
 * Whether an object is as the Mod left it. Roll20 may tidy up what it is given, so both what was said and what was read
 * back count.
 *
 * @param {Made} record
 * @param {string} content
 */
const untouched = (record, content) => [record.said, record.kept].includes(fingerprint(content));

/**
 * What has become of something that the Mod made.
 *
 * @param {string} key
 * @param {Made} record
 */
export async function lookUp(key, record) {
  const kind = /** @type {Kind} */ (key.split(" ")[0]);
  const object = getObj(TYPES[kind], record.id);
  const content = object ? await contentOf(kind, object) : "";
  return { kind, object, content, edited: Boolean(object) && !untouched(record, content) };
}
