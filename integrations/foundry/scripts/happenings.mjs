/**
 * What happens in a fight by itself, as chat messages of the active game master's client: a death as a clock runs out, a side that is
 * beaten. What a step brings about stands on its card.
 */

import { inert, tell } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { MODULE, setting } from "./settings.mjs";
import { withVisibility } from "./visibility.mjs";

/** Causes of changes that everybody expects: a stance ends with the next action, a value was set by hand. */
const ROUTINE = ["effect", "own-slot", "own-slot-end", "own-action", "other-action", "action", "by-hand", "goes-on", "part-end", "turn-end"];
/** Kinds of changes that are told whatever their cause. */
const ALWAYS = ["out", "back", "side-out", "side-back"];

/** For the hook `init`. */
export function registerHappenings() {
  Hooks.on(`${MODULE}.event`, (/** @type {unknown} */ _fight, /** @type {any} */ event) => {
    postHappenings(event).catch((error) => tell("error", `${error}`));
  });
}

/**
 * The lines of an event that are worth a message of their own.
 *
 * @param {any} event as the feed tells it
 * @returns {{text: string, hidden: boolean}[]}
 */
export function happeningsOf({ data = {}, lines = [] }) {
  if (data.step || data.steps?.length > 0 || data.rolls?.length > 0 || data.resolution) return [];
  return lines.filter(
    (/** @type {any} */ { kind, cause }) => kind !== "effect" && (ALWAYS.includes(kind) || !ROUTINE.includes(cause)),
  );
}

/** @param {any} event */
async function postHappenings(event) {
  const found = happeningsOf(event);
  for (const hidden of [false, true]) {
    const items = found.filter((line) => line.hidden === hidden).map(({ text }) => node("li", {}, inert(text)));
    if (items.length === 0) continue;
    const content = node("section", { class: "fracas fracas-happenings" }, node("ul", {}, ...items)).outerHTML;
    const data = { content, speaker: { alias: "Fracas" } };
    await ChatMessage.create(withVisibility(data, hidden ? "gm" : setting("visibility")));
  }
}
