/** The line above Foundry's combat tracker: what the fight waits for, and buttons for the game master. */

import { fightOf } from "./fight.mjs";
import { complain } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { MODULE } from "./settings.mjs";

/**
 * @typedef {object} Commands What the buttons do.
 * @property {(combat: any) => Promise<unknown>} begin
 * @property {(combat: any) => Promise<unknown>} undo
 * @property {(combat: any) => Promise<unknown>} redo
 */

/**
 * Shows which part of the turn it is and what the fight waits for, with undo and redo; or the button that begins a fight.
 *
 * @param {HTMLElement} html of the tracker
 * @param {Commands} commands
 */
export function showLine(html, commands) {
  html.querySelector(".fracas-status")?.remove();
  const combat = game.combat;
  const state = combat?.getFlag(MODULE, "encounter");
  const gm = Boolean(game.user?.isGM);
  const parts = state?.phase ? [node("span", {}, whatNow(state))] : [];
  /** @type {(keyof Commands)[]} */
  const offered = [];
  if (combat && gm && !fightOf(combat)) {
    if (state) parts.push(node("span", {}, game.i18n.localize("FRACAS.combat.no-token")));
    offered.push("begin");
  } else if (gm && state?.phase) {
    if ((state.undoable ?? 0) > 0) offered.push("undo");
    if ((state.redoable ?? 0) > 0) offered.push("redo");
  }
  const buttons = offered.map((command) => buttonFor(combat, command, commands[command]));
  if (parts.length + buttons.length > 0) html.prepend(node("div", { class: "fracas-status" }, ...parts, ...buttons));
}

/** @param {any} state of the Combat's flag @returns {string} */
function whatNow({ phase, part, parts, words }) {
  const where = parts > 1 ? `${words} ${part}/${parts}` : "";
  return [where, game.i18n.localize(`FRACAS.combat.phase.${phase}`)].filter(Boolean).join(" · ");
}

const ICONS = { begin: "fa-solid fa-swords", undo: "fa-solid fa-rotate-left", redo: "fa-solid fa-rotate-right" };

/**
 * @param {any} combat
 * @param {keyof Commands} command
 * @param {(combat: any) => Promise<unknown>} run
 */
function buttonFor(combat, command, run) {
  const label = game.i18n.localize(`FRACAS.combat.button.${command}`);
  const icon = node("i", { class: ICONS[command], "aria-hidden": "true" });
  const button = node("button", { type: "button", "data-fracas": command }, icon, ` ${label}`);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await run(combat).catch(complain);
    button.disabled = false;
  });
  return button;
}
