/** Where tokens are, as lines for the bridge page: name, x, y, in units of the page, from its upper left corner. */

import { Refusal, bold, counted, shown } from "./texts.mjs";
import { tokensFor } from "./tokens.mjs";

/** @typedef {import("./chat.mjs").Asked} Asked */

/** Pixels of a unit of the grid. */
const UNIT_PIXELS = 70;
/** Units of a page that the service knows; others, such as `un` and `hex`, are chosen on the bridge page. */
const KNOWN_UNITS = ["m", "ft", "yd", "km", "mi", "in", "cm"];

/**
 * The lines of the selected tokens, or of all that players see.
 *
 * @param {Asked} asked
 */
export function positions(asked) {
  const { selected, seen } = tokensFor(asked);
  const tokens = selected.length > 0 ? selected : seen.filter((token) => token.get("layer") === "objects");
  const named = tokens.flatMap((token) => (tokenName(token) === "" ? [] : [{ token, name: tokenName(token) }]));
  if (named.length === 0) throw new Refusal("No token with a name is here: select tokens, or give them names.");
  const page = getObj("page", named[0].token.get("_pageid"));
  const measures = page ? Number(page.get("scale_number")) : 0;
  if (!page || !(measures > 0)) throw new Refusal("This page has no scale: set one in its settings.");
  const square = UNIT_PIXELS * (Number(page.get("snapping_increment")) || 1);
  const units = String(page.get("scale_units")).trim().toLowerCase();
  const far = (/** @type {unknown} */ pixels) => Math.round((100 * Number(pixels) * measures) / square) / 100;
  const lines = named.map(({ token, name }) => `${quotedName(name)}, ${far(token.get("left"))}, ${far(token.get("top"))}`);
  const known = KNOWN_UNITS.includes(units);
  const text = [...(known ? [`unit: ${units}`] : []), ...lines].map(shown).join("<br>");
  const without = tokens.length - named.length;
  const notes = [
    known ? "" : `This page measures in ${bold(units || "nothing")}: choose below the box what one of them is.`,
    without > 0 ? `Left out: ${counted(without, "token")} without a name.` : "",
  ];
  const head = `Copy these lines into the bridge page; a square is ${shown(`${measures} ${units}`)}.`;
  return [head, ...notes.filter(Boolean)].join(" ") + `<br><br>${text}`;
}

/** @param {Roll20Object} token */
function tokenName(token) {
  const character = token.get("represents") ? getObj("character", token.get("represents")) : undefined;
  return String(token.get("name") || (character ? character.get("name") : "")).trim();
}

/** @param {string} name */
const quotedName = (name) => (/[,;"\t]|^#|^unit\s*:/i.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
