/**
 * Fracas in Roll20: puts a pack's tables, actions, modifiers and macros into a game, and applies pasted results to
 * tokens.
 *
 * `fracas export roll20 PACK` makes one script of these files, with the pack in it. It runs in Roll20's sandbox, which
 * has no network: it calls nothing. It decides no rule; a result says what happens.
 *
 * What it made it keeps in `state.Fracas`, with fingerprints of what it wrote. So a second run changes nothing, what
 * people edited stays theirs, and all of it can be removed again.
 */

import { COMMAND, say, tell } from "./chat.mjs";
import { commands } from "./commands.mjs";
import { memory } from "./memory.mjs";
import { packs } from "./packs.mjs";
import { Refusal, bold, shown } from "./texts.mjs";

/** @typedef {import("./chat.mjs").Asked} Asked */

/** @type {Promise<void>} */
let last = Promise.resolve();

/** @param {Asked} asked */
async function run(asked) {
  const [, name = "help", ...words] = asked.words;
  const command = Object.prototype.hasOwnProperty.call(commands, name) ? commands[name] : undefined;
  try {
    if (!asked.gm && !(command && command.open)) throw new Refusal("This is for the GM.");
    if (!command) throw new Refusal(`There is no command ${bold(name)}; <b>${COMMAND} help</b> lists them.`);
    const told = await command.run({ ...asked, words });
    tell(asked, told);
    if (!asked.gm && name !== "help") say("gm", `${shown(asked.who)}: ${told}`);
  } catch (error) {
    if (!(error instanceof Refusal)) log(`Fracas: ${error instanceof Error ? error.stack : error}`);
    tell(asked, error instanceof Refusal ? error.message : "Fracas failed at that; the Mod's console says where.");
  }
}

on("ready", () => {
  memory();
  log(`Fracas is ready: ${[...packs.keys()].join(", ") || "no pack"}. ${COMMAND} help lists its commands.`);
  on("chat:message", (message) => {
    const words = message.content.trim().split(/\s+/);
    if (message.type !== "api" || words[0] !== COMMAND) return;
    const asked = { ...message, words, gm: message.playerid !== "API" && playerIsGM(message.playerid) };
    last = last.then(() => run(asked));
  });
});
