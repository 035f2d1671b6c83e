/**
 * What was written to sheets for which chat message, so that it can be taken back.
 *
 * It is kept in a flag of the game master's user who wrote it, not of the message: the one who wrote a message may change its
 * flags, and what these say is to be taken back would be written to any sheet.
 */

import { MODULE } from "./settings.mjs";

/**
 * @typedef {object} Entry
 * @property {string} message id
 * @property {number} at counts up over all game masters; the last entry of a message holds
 * @property {import("./effects.mjs").Done[] | null} done null: taken back
 */

/** How many a user keeps. */
const MOST = 100;

/**
 * What stands on sheets because of a message; null if nothing does.
 *
 * @param {string} message id
 * @returns {import("./effects.mjs").Done[] | null}
 */
export function writtenFor(message) {
  const found = entries().filter((entry) => entry.message === message);
  return found.sort((one, other) => other.at - one.at)[0]?.done ?? null;
}

/**
 * For a game master's client.
 *
 * @param {string} message id
 * @param {import("./effects.mjs").Done[] | null} done null: it was taken back
 */
export async function keepWritten(message, done) {
  const at = Math.max(0, ...entries().map((entry) => entry.at)) + 1;
  const own = entriesOf(game.user).filter((entry) => entry.message !== message);
  const kept = [...own, { message, at, done }].slice(-MOST);
  await game.user?.update({ flags: { [MODULE]: { written: JSON.stringify(kept) } } });
}

/** @returns {Entry[]} */
function entries() {
  return game.users.filter((user) => user.isGM).flatMap(entriesOf);
}

/** @param {any} user @returns {Entry[]} */
function entriesOf(user) {
  const kept = user.getFlag(MODULE, "written");
  return typeof kept === "string" ? JSON.parse(kept) : [];
}
