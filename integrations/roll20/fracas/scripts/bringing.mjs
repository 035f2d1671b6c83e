/** Packs brought into the game, brought up to date, and taken out of it. */

import { madeOf } from "./memory.mjs";
import { contentOf, create, lookUp, nameOf, namesakes, rowsOf, write } from "./objects.mjs";
import { bold, fingerprint, named, shown } from "./texts.mjs";

/** @typedef {import("./memory.mjs").Made} Made */
/** @typedef {import("./packs.mjs").Item} Item */
/** @typedef {import("./packs.mjs").Pack} Pack */

const AT_ONCE = 10;
const NOTHING = { object: undefined, content: "", edited: false };

/**
 * Brings one item into the game, or up to date.
 *
 * @param {Record<string, Made>} records
 * @param {Item} item
 * @param {boolean} reset whether edits and deletions of people are undone
 * @returns {Promise<"made" | "updated" | "unchanged" | "edited" | "outdated" | "deleted" | "taken">} what was done, or why
 *   nothing; outdated: edited, and the pack now says something else than it did
 */
async function bring(records, item, reset) {
  const record = records[item.key];
  const { object: there, content, edited: touched } = record ? await lookUp(item.key, record) : NOTHING;
  if (record && !there && !reset) return "deleted";
  if (!there) {
    const other = namesakes(item)[0];
    if (other && (await contentOf(item.kind, other)) !== item.content) return "taken";
    records[item.key] = await written(item, other || create(item), !other);
    return other ? "unchanged" : "made";
  }
  const edited = touched && content !== item.content;
  const changed = record.said !== fingerprint(item.content);
  if (edited && !reset) return changed ? "outdated" : "edited";
  if (there.get("name") === record.name && item.name !== record.name) there.set({ name: item.name });
  const stale = content !== item.content && (edited || changed);
  records[item.key] = await written(item, there, stale);
  return stale || record.name !== item.name ? "updated" : "unchanged";
}

/**
 * @param {Item} item
 * @param {Roll20Object} object
 * @param {boolean} anew
 * @returns {Promise<Made>}
 */
async function written(item, object, anew) {
  if (anew) write(item, object);
  const kept = fingerprint(await contentOf(item.kind, object));
  return { id: object.id, name: item.name, said: fingerprint(item.content), kept };
}

/**
 * Does something for each of many, a few at once, so that the sandbox stays answering.
 *
 * @template T, R
 * @param {readonly T[]} all
 * @param {(one: T) => Promise<R>} act
 * @returns {Promise<R[]>}
 */
export async function each(all, act) {
  /** @type {R[]} */
  const results = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    results.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(act))));
    await new Promise((resolve) => setTimeout(() => resolve(undefined), 0));
  }
  return results;
}

/**
 * @param {Pack} pack
 * @param {readonly Item[]} items
 * @param {boolean} reset
 * @returns {Promise<string>} a report, fit for the chat
 */
export async function bringAll(pack, items, reset) {
  const { made: records } = madeOf(pack.id);
  /** @type {Map<Item, string>} */
  const results = new Map();
  const act = async (/** @type {Item} */ item) => results.set(item, await bring(records, item, reset));
  for (const turn of [true, false]) await each(items.filter(({ first = false }) => first === turn), act);
  const of = (/** @type {string} */ result) => items.filter((item) => results.get(item) === result).map(nameOf);
  const counts = ["made", "updated", "unchanged"].map((result) => `${of(result).length} ${result}`).join(", ");
  const told = /** @type {const} */ ([
    ["Kept as you edited them", of("edited")],
    ["Kept as you edited them, though the pack says something new", of("outdated")],
    ["Left out, since you deleted them", of("deleted")],
    ["Left out, since something else has that name; rename it and import again", of("taken")],
  ]);
  const parts = told.map(([why, names]) => (names.length > 0 ? `${why}:${named(names)}` : ""));
  return `${bold(pack.title)} ${shown(pack.version)}: ${counts}.<br>${parts.join("")}`;
}

/**
 * Removes what the Mod made.
 *
 * @param {Record<string, Made>} records
 * @param {readonly string[]} keys
 * @param {boolean} all also what people edited
 * @returns {Promise<{removed: number, kept: string[]}>}
 */
export async function take(records, keys, all) {
  let removed = 0;
  const kept = await each(keys, async (key) => {
    const { object, kind, edited } = await lookUp(key, records[key]);
    if (edited && object && !all) return [nameOf({ kind, name: object.get("name") })];
    if (object) {
      if (kind === "table") for (const row of rowsOf(object)) row.remove();
      object.remove();
      removed += 1;
    }
    delete records[key];
    return [];
  });
  return { removed, kept: kept.flat() };
}
