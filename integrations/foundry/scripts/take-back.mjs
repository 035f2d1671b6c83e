/**
 * Taking back in a fight: whatever came later goes as well, so people see what that is, values written by hand among it,
 * before it happens.
 */

import { actorOf, combatOf } from "./fight.mjs";
import { node, words } from "./nodes.mjs";
import { storyOf } from "./story.mjs";

/** @typedef {import("./client.mjs").Encounter} Encounter */

/** Events that end a combatant's slot, or begin a turn. */
const STEPS = ["advanced", "began-turn"];

/**
 * Whether the fight shall go back to a version: people are asked if that takes back more than one command.
 *
 * @param {Encounter} fight
 * @param {number} to
 * @returns {Promise<boolean>}
 */
export async function sureToUndo(fight, to) {
  const { version } = await fight.state();
  const later = await standingAfter(fight, to, version);
  if (later.length < 2) return true;
  const lines = later.map((event) => node("li", {}, eventText(event, (id) => actorOf(id, combatOf(fight.id))?.name ?? id)));
  const content = node("div", {}, node("p", {}, game.i18n.localize("FRACAS.undo.later")), node("ul", {}, ...lines));
  const sure = await foundry.applications.api.DialogV2.confirm({ window: { title: "FRACAS.undo.title" }, content: content.outerHTML });
  return Boolean(sure);
}

/**
 * The version to go back to so that the last slot that ended is open again.
 *
 * @param {Encounter} fight
 * @param {number} version of the fight
 * @returns {Promise<number | null>} null: no slot has ended yet
 */
export async function beforeLastSlot(fight, version) {
  const last = (await standingAfter(fight, 0, version)).filter(({ type }) => STEPS.includes(type)).at(-1);
  return last ? lastBefore(fight, last.version) : null;
}

/**
 * The version to go back to so that an event is undone: the one before it that stands; the numbers between are of undo and redo.
 *
 * @param {Encounter} fight
 * @param {number} version of the event
 * @returns {Promise<number>}
 */
export async function lastBefore(fight, version) {
  const { standing } = await storyOf(fight, version);
  return Math.max(...[...standing].filter((one) => one < version));
}

/**
 * The events after a version that stand.
 *
 * @param {Encounter} fight
 * @param {number} after
 * @param {number} version of the fight
 * @returns {Promise<any[]>}
 */
async function standingAfter(fight, after, version) {
  const { standing } = await storyOf(fight, version);
  const found = [];
  for (let at = after; at < version; ) {
    const { events } = await fight.events(at);
    if (events.length === 0) break;
    found.push(...events.filter((/** @type {any} */ event) => standing.has(event.version)));
    at = events.at(-1).version;
  }
  return found;
}

/**
 * An event in a few words: who, what, and of values set by hand which.
 *
 * @param {any} event
 * @param {(id: string) => string} name
 * @returns {string}
 */
export function eventText({ type, data = {} }, name) {
  const whom = [data.combatant?.id ?? data.combatant ?? data.combatants ?? []].flat().map(name).join(", ");
  const what = game.i18n.localize(`FRACAS.event.${type}`);
  const values = [
    ...(typeof data.action === "string" ? [words(data.action)] : []),
    ...(type === "set" ? setByHand(data) : []),
  ];
  return [whom ? `${whom}: ${what}` : what, ...(values.length > 0 ? [`(${values.join(", ")})`] : [])].join(" ");
}

/** @param {any} data of an event `set` @returns {string[]} */
function setByHand({ fields = {}, items = {}, rolled = {}, is = {}, effects = [] }) {
  const plain = (/** @type {Record<string, unknown>} */ facts) =>
    Object.entries(facts).filter(([, value]) => typeof value !== "object").map(([fact, value]) => `${words(fact)} ${value}`);
  return [
    ...plain(fields),
    ...Object.entries(items).flatMap(([item, states]) => plain(states).map((state) => `${words(item)} ${state}`)),
    ...plain(rolled),
    ...plain(is),
    ...effects.map((/** @type {any} */ { type, what, condition }) => `${type === "remove-condition" ? "\u2212" : "+"} ${condition?.label ?? words(what)}`),
  ];
}
