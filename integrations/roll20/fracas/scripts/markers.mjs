/** Status markers of tokens, which show the conditions that results bring about. */

import { memory } from "./memory.mjs";
import { packs } from "./packs.mjs";

/** Those that every game has, whatever set of markers its GM chose. */
const ALWAYS = ["red", "blue", "green", "brown", "purple", "pink", "yellow", "dead"];

/**
 * The markers of the set that the GM chose; null where the game does not list them: then it has the default set.
 *
 * @returns {{tag: string, name: string}[] | null}
 */
function chosenSet() {
  try {
    return JSON.parse(Campaign().get("_token_markers"));
  } catch (error) {
    return null;
  }
}

/**
 * The tag under which a token keeps a marker.
 *
 * @param {string} name of a marker, or its tag
 * @returns {string} "" if the game has none of that name
 */
export function tagOf(name) {
  const markers = chosenSet();
  if (ALWAYS.includes(name) || (markers === null && /^[a-z]+(-[a-z]+)*$/.test(name))) return name;
  const same = (/** @type {string} */ text) => text.toLowerCase() === name.toLowerCase();
  const found = (markers || []).find((one) => same(one.tag)) || (markers || []).find((one) => same(one.name));
  return found ? found.tag : "";
}

/** @returns {Map<string, string>} tags by condition: as the packs say, unless the GM said something else */
export function markers() {
  const said = [...packs.values()].flatMap((pack) => Object.entries(pack.markers));
  const own = Object.entries(memory().markers);
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [condition, name] of [...said, ...own]) {
    const tag = name === null ? "" : tagOf(name);
    if (tag) found.set(condition, tag);
    else found.delete(condition);
  }
  return found;
}

/**
 * What a marker is called: tags of a GM's own markers end with a number.
 *
 * @param {string} tag
 */
export const nameOfMarker = (tag) => tag.split("::")[0];

/** @param {Roll20Object} token */
const shownOn = (token) => String(token.get("statusmarkers")).split(",").filter(Boolean);

/**
 * Whether a token shows a marker, with a number or without.
 *
 * @param {Roll20Object} token
 * @param {string} tag
 */
export const shows = (token, tag) => shownOn(token).some((one) => one.split("@")[0] === tag);

/**
 * @param {Roll20Object} token
 * @param {string} tag
 * @param {boolean} on
 */
export function show(token, tag, on) {
  const others = shownOn(token).filter((one) => one.split("@")[0] !== tag);
  token.set({ statusmarkers: [...others, ...(on ? [tag] : [])].join(",") });
}
