/** Tokens: whose they are, and the numbers in their bars. */

import { Refusal, bold } from "./texts.mjs";

/** @typedef {import("./chat.mjs").Asked} Asked */
/** @typedef {import("./packs.mjs").Bar} Bar */
/** @typedef {import("./results.mjs").Change} Change */
/** @typedef {import("./results.mjs").Result} Result */

/**
 * The tokens of whoever gave a command: those selected, and those of the page that they look at.
 *
 * @param {Asked} asked
 */
export function tokensFor(asked) {
  const selected = (asked.selected || []).flatMap(({ _id }) => {
    const token = getObj("graphic", _id);
    return token && token.get("_subtype") === "token" ? [token] : [];
  });
  const player = getObj("player", asked.playerid);
  const campaign = Campaign();
  const own = campaign.get("playerspecificpages");
  const page =
    (selected[0] && selected[0].get("_pageid")) ||
    (asked.gm && player && player.get("_lastpage")) ||
    (own && own[asked.playerid]) ||
    campaign.get("playerpageid");
  const seen = findObjs({ _type: "graphic", _subtype: "token", _pageid: page });
  return { selected, seen: asked.gm ? seen : seen.filter((token) => token.get("layer") === "objects") };
}

/**
 * The tokens of some people that are certain: those named with `--token`, and those that are the only ones of a name.
 *
 * @param {Asked} asked
 * @param {Result} result
 * @param {readonly string[]} people
 * @param {Map<string, string>} said
 */
export function namedTokens(asked, result, people, said) {
  const { selected, seen } = tokensFor(asked);
  /** @type {Map<string, Roll20Object>} */
  const found = new Map();
  for (const who of people) {
    const id = said.get(who);
    const token = id === undefined ? byName(result.names.get(who) || "", selected, seen) : getObj("graphic", id);
    if (token) found.set(who, token);
    else if (id !== undefined) throw new Refusal(`There is no token ${bold(id)}.`);
  }
  return found;
}

/**
 * Which token each of some people is: one that is certain, or, for the last who is left, the only one selected.
 *
 * @param {Asked} asked
 * @param {Result} result
 * @param {readonly string[]} people
 * @param {Map<string, string>} said
 * @returns {{found: Map<string, Roll20Object>, missing: string[]}}
 */
export function tokensOf(asked, result, people, said) {
  const found = namedTokens(asked, result, people, said);
  const missing = people.filter((who) => !found.has(who));
  const used = [...found.values()].map(({ id }) => id);
  const free = tokensFor(asked).selected.filter(({ id }) => !used.includes(id));
  if (missing.length === 1 && free.length === 1) found.set(missing[0], free[0]);
  return { found, missing: people.filter((who) => !found.has(who)) };
}

/**
 * @param {string} name
 * @param {readonly Roll20Object[]} selected
 * @param {readonly Roll20Object[]} seen
 */
function byName(name, selected, seen) {
  const simple = (/** @type {unknown} */ text) => String(text).trim().replace(/\s+/g, " ").toLowerCase();
  if (simple(name) === "") return undefined;
  for (const tokens of [selected, seen]) {
    const of = tokens.filter((token) => simple(token.get("name")) === simple(name));
    if (of.length === 1) return of[0];
  }
  return undefined;
}

/**
 * @param {Roll20Object} token
 * @param {string} player
 */
export function controls(token, player) {
  const character = token.get("represents") ? getObj("character", token.get("represents")) : undefined;
  const who = `${token.get("controlledby")},${character ? character.get("controlledby") : ""}`.split(",");
  return who.includes(player) || who.includes("all");
}

/**
 * By how much a change moves its bar.
 *
 * @param {Change} change
 * @param {Bar} bar
 * @returns {number}
 */
export function moves({ type, amount }, { way }) {
  const left = type === "gain" || type === "item" ? 1 : type === "mark" || type === "spend" ? -1 : 0;
  return (amount || 0) * (way === "up" ? -left : left);
}

/**
 * The number in a bar. An empty bar that counts up holds 0, one that counts down what it has at most.
 *
 * @param {Roll20Object} token
 * @param {Bar} bar
 */
export function valueOf(token, { bar, way }) {
  const value = token.get(`${bar}_value`);
  const full = way === "up" ? "0" : token.get(`${bar}_max`);
  const held = value === "" ? full : value;
  const number = wholeNumber(held);
  if (number !== null) return number;
  const found = held === "" ? "is empty" : `holds ${bold(String(held))}, which is no whole number`;
  throw new Refusal(`${bar} of ${bold(token.get("name") || "the token")} ${found}.`);
}

/**
 * What stands in a bar as a number; null if it is none.
 *
 * @param {unknown} value
 */
export function wholeNumber(value) {
  const text = String(value).trim();
  return /^-?[0-9]{1,9}$/.test(text) ? Number(text) : null;
}

/**
 * A bar's number after a change: never less than nothing, and what is left never grows beyond what there is at most.
 *
 * @param {Roll20Object} token
 * @param {Bar} bar
 * @param {number} from
 * @param {number} by
 */
export function moved(token, { bar, way }, from, by) {
  const most = wholeNumber(token.get(`${bar}_max`));
  const bound = way === "down" && by > 0 && most !== null ? Math.max(most, from) : Infinity;
  return Math.max(Math.min(from, 0), Math.min(from + by, bound));
}
