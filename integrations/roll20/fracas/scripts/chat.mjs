/** The chat: who asked, and who is told. */

/** @typedef {Roll20Message & {words: string[], gm: boolean}} Asked words: of the line, or what follows the command */

export const COMMAND = "!fracas";

/**
 * Whispers to whoever gave a command; to the GM, if that player's name cannot be written in a whisper.
 *
 * @param {Asked} asked
 * @param {string} html fit for the chat
 */
export function tell(asked, html) {
  const player = getObj("player", asked.playerid);
  const name = player ? String(player.get("_displayname")) : "";
  const to = !asked.gm && /^[\p{L}\p{N} ._-]+$/u.test(name) ? `"${name}"` : "gm";
  say(to, html);
}

/**
 * @param {string} to
 * @param {string} html fit for the chat
 */
export function say(to, html) {
  sendChat("Fracas", `/w ${to} ${html}`, null, { noarchive: true });
}
