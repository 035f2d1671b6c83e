/**
 * What a mapping of one's own is made of: the places of a sheet, and what people choose among them. Nothing here needs Foundry.
 */

import { at, rated, ratingName } from "./sheet-mapping.mjs";

/** @typedef {import("./sheet-mapping.mjs").Mapping} Mapping */
/** @typedef {import("./sheet-mapping.mjs").Sheet} Sheet */
/** @typedef {import("./sheet-mapping.mjs").SheetKind} SheetKind */
/** @typedef {import("./sheet-mapping.mjs").Source} Source */

/**
 * The places of a document that hold a number, true or false, or a short text, for the dialog in which people choose.
 *
 * @param {Sheet} document
 * @returns {{path: string, value: number | boolean | string}[]}
 */
export function places(document) {
  /** @type {{path: string, value: number | boolean | string}[]} */
  const found = [];
  const plain = JSON.parse(JSON.stringify(document.system ?? {}));
  /** @type {(path: string, value: any, depth: number) => void} */
  const walk = (path, value, depth) => {
    if (["number", "boolean"].includes(typeof value)) found.push({ path, value });
    else if (typeof value === "string" && value.length <= 40 && !value.includes("<")) found.push({ path, value });
    else if (value && typeof value === "object" && !Array.isArray(value) && depth < 6) {
      for (const [key, member] of Object.entries(value)) {
        if (/^[\w-]+$/.test(key)) walk(`${path}.${key}`, member, depth + 1);
      }
    }
  };
  walk("system", plain, 0);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * A mapping of one's own: a preset with other places for some fields, as the dialog makes it.
 *
 * @param {Mapping} preset
 * @param {object} own
 * @param {string} own.ruleset
 * @param {string} own.type of the actors
 * @param {Record<string, {from: string, down_from?: string, writes?: boolean}>} own.combatant by field
 * @param {string} [own.weaponType]
 * @param {Record<string, {from: string, writes?: boolean}>} [own.weapon]
 * @param {NonNullable<Source["ratings"]> | null} [own.skills]
 * @returns {Mapping}
 */
export function customMapping(preset, { ruleset, type, combatant, weaponType, weapon = {}, skills = null }) {
  const texts = preset.asks?.texts ?? [];
  /** @type {(fields: Record<string, {from: string, down_from?: string, writes?: boolean}>, state: boolean) => Record<string, Source>} */
  const sources = (fields, state) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, { from, down_from, writes }]) => [
        field,
        {
          from,
          ...(down_from ? { down_from } : {}),
          ...(writes ? { write: from } : {}),
          ...(writes && state ? { state: /** @type {const} */ (true) } : {}),
          needed: /** @type {const} */ (true),
          ...(texts.includes(field) ? { as: /** @type {const} */ ("text") } : {}),
        },
      ]),
    );
  /** @type {(kinds: SheetKind[], type: string | undefined, fields: Record<string, Source>) => SheetKind[]} */
  const over = (kinds, type, fields) => {
    if (!type) return kinds;
    const below = kinds.find(({ types }) => types.includes("*") || types.includes(type)) ?? { types: [type], fields: {} };
    const rest = kinds
      .map((kind) => ({ ...kind, types: kind.types.filter((one) => one !== type) }))
      .filter(({ types }) => types.length > 0);
    return [{ types: [type], fields: { ...below.fields, ...fields } }, ...rest];
  };
  /** @type {Record<string, Source>} */
  const rated = skills ? { skills: { ratings: skills, needed: /** @type {const} */ (true) } } : {};
  return {
    ...preset,
    ruleset,
    combatants: over(preset.combatants, type, { ...sources(combatant, false), ...rated }),
    weapons: over(preset.weapons, weaponType, sources(weapon, true)),
  };
}

/**
 * @typedef {{items?: string, object?: string, rating: string, example: string}} RatingPlace
 */

/**
 * Where a sheet may keep ratings that are called by these words: as items of a type, or as members of an object.
 *
 * @param {Sheet} document
 * @param {Record<string, string>} words
 * @returns {RatingPlace[]}
 */
export function ratingPlaces(document, words) {
  const known = new Set(Object.keys(words).map(ratingName));
  const named = (/** @type {string} */ name) => known.has(ratingName(name));
  /** @type {RatingPlace[]} */
  const found = [];
  for (const item of document.items ?? []) {
    if (!named(item.name ?? "") || found.some(({ items }) => items === item.type)) continue;
    for (const { path, value } of places(item)) {
      if (typeof value === "number") found.push({ items: item.type, rating: path, example: `${item.name} = ${value}` });
    }
  }
  /** @type {(path: string, value: any, depth: number) => void} */
  const walk = (path, value, depth) => {
    if (!value || typeof value !== "object" || Array.isArray(value) || depth > 4) return;
    const [first, second] = Object.keys(value).filter(named);
    if (second) {
      const member = value[first];
      const ratings = typeof member === "number" ? ["."] : Object.keys(member ?? {}).filter((key) => typeof member[key] === "number");
      found.push(...ratings.map((rating) => ({ object: path, rating, example: `${first} = ${rated(member, rating)}` })));
    } else for (const [key, part] of Object.entries(value)) if (/^[\w-]+$/.test(key)) walk(`${path}.${key}`, part, depth + 1);
  };
  walk("system", JSON.parse(JSON.stringify(document.system ?? {})), 0);
  return found;
}
