/** Results of Fracas as text, read strictly. */

import { Refusal, bold, crc32, readable, shown } from "./texts.mjs";

/**
 * @typedef {object} Change
 * @property {string} who
 * @property {string} type
 * @property {string} what
 * @property {number | null} amount
 *
 * @typedef {object} Result
 * @property {string} text the checked text itself
 * @property {string} mark
 * @property {string} title
 * @property {Map<string, string>} names
 * @property {Change[]} changes
 */

const LONGEST = 4000;

/**
 * Reads the text of a result; fracas/exports/roll20/importing.py writes it and says what it looks like.
 *
 * @param {readonly string[]} words the text after `!fracas import`
 * @returns {Result}
 */
export function read(words) {
  const text = words.join(" ");
  if (text === "") throw new Refusal("Paste a result after it: “Copy for the Mod” of Fracas gives the whole line.");
  if (text.length > LONGEST) {
    throw new Refusal(`This is too long for a result: more than ${LONGEST} characters.`);
  }
  if (!/^[A-Za-z0-9._~:= -]+$/.test(text)) {
    throw new Refusal("This is no result of Fracas: it holds characters that none has. Copy the whole line once more.");
  }
  const body = words.slice(0, -1).join(" ");
  if (words[0] !== "1") throw new Refusal("This is no result of Fracas, or one of another version.");
  if (crc32(body) !== words[words.length - 1]) {
    throw new Refusal("This result was cut or changed on its way. Copy the whole line once more.");
  }
  const [, mark, ...parts] = words.slice(0, -1);
  if (!/^[0-9a-f]{16}$/.test(mark || "")) throw new Refusal("This is no result of Fracas: its mark is missing.");
  const names = new Map();
  const changes = [];
  for (const part of parts) {
    const name = /^([a-z0-9][a-z0-9._-]{0,99})=(.*)$/.exec(part);
    const change = /^([a-z0-9][a-z0-9._-]{0,99}):([a-z-]{1,40}):([^:]*):(-?[0-9]{1,9})?$/.exec(part);
    if (name) names.set(name[1], decoded(name[2]));
    else if (change) {
      const [, who, type, what, amount] = change;
      changes.push({ who, type, what: decoded(what), amount: amount === undefined ? null : Number(amount) });
    } else throw unreadable(part);
  }
  const title = names.get("title") || "A result";
  names.delete("title");
  return { text, mark, title, names, changes };
}

/** @param {string} word */
function decoded(word) {
  if (!/^(?:[A-Za-z0-9._-]|~[0-9a-f]{1,6}~)*$/.test(word)) throw unreadable(word);
  return word.replace(/_/g, " ").replace(/~([0-9a-f]+)~/g, (_, digits) => {
    const point = parseInt(digits, 16);
    if (point > 0x10ffff) throw unreadable(word);
    return String.fromCodePoint(point);
  });
}

/** @param {string} part */
const unreadable = (part) => new Refusal(`This result cannot be read at ${bold(part)}.`);

/**
 * What a change does, for somebody who does it by hand.
 *
 * @param {Change} change
 * @param {Result} result
 */
export function inWords({ who, type, what, amount }, { names }) {
  const name = shown(names.get(who) || who);
  const thing = shown(readable(what));
  const signed = amount === null ? "" : ` ${amount > 0 ? "+" : ""}${amount}`;
  switch (type) {
    case "add-condition":
      return `${name} is ${thing}`;
    case "remove-condition":
      return `${name} is no longer ${thing}`;
    case "mark":
      return `${name}: ${thing}${signed} damage`;
    case "spend":
      return `${name} spends ${amount} ${thing}`;
    case "gain":
      return `${name} gains ${amount} ${thing}`;
    default:
      return `${name}: ${thing}${signed}`;
  }
}
