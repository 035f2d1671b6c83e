/** Texts that are fit for the chat, and fingerprints of texts. */

const NAMED = 20;

/** Something that was asked for and cannot be done, in words that are fit for the chat. */
export class Refusal extends Error {}

/**
 * A text on one line which Roll20 shows and does not read; the same as `escape` in fracas/exports/roll20/escaping.py.
 *
 * @param {string} text
 */
export function shown(text) {
  const escaped = Array.from(text, (character) => {
    if (/[A-Za-z0-9 ,:;+-]/.test(character)) return character;
    if (/[\s\x1c-\x1f\x85]/.test(character) && character !== "\ufeff") return " ";
    if (/[!-~]/.test(character)) return `&#${character.charCodeAt(0)};`;
    return /\p{C}/u.test(character) ? "" : character;
  });
  return escaped.join("").split(/ +/).filter(Boolean).join(" ");
}

/** @param {string} text */
export const bold = (text) => `<b>${shown(text)}</b>`;

/**
 * @param {string} label
 * @param {string} command
 */
export const button = (label, command) => `[${shown(label)}](${command})`;

/** @param {readonly string[]} items fit for the chat */
export const list = (items) => `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;

/** @param {readonly string[]} names */
export function named(names) {
  const more = names.length > NAMED ? [`and ${names.length - NAMED} more`] : [];
  return list([...names.slice(0, NAMED).map(shown), ...more]);
}

/**
 * @param {number} count
 * @param {string} word
 */
export const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** @param {string} slug */
export const readable = (slug) => slug.replace(/[-_/]/g, " ");

/**
 * CRC-32 of a text of ASCII, as `zlib.crc32` gives it, as 8 hexadecimal digits.
 *
 * @param {string} text
 */
export function crc32(text) {
  let crc = -1;
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ((crc ^ -1) >>> 0).toString(16).padStart(8, "0");
}

/**
 * A text of any characters in short, to notice that it changed.
 *
 * @param {string} text
 */
export function fingerprint(text) {
  const whole = text.replace(/[\ud800-\udfff]/gu, ""); // halves of characters cannot be encoded
  return `${crc32(encodeURIComponent(whole))}-${text.length}`;
}
