/**
 * Foundry's statuses and the conditions of a fight: a status that a user sets on an actor becomes the condition for which the
 * sheet mapping names it, and its effect is the one that shows the condition from then on.
 */

import { conditionOf, ownStatuses } from "./effects.mjs";
import { complain } from "./messages.mjs";
import { MODULE, activeMapping } from "./settings.mjs";
import { OURS } from "./sheet-sync.mjs";

/** @typedef {import("./sheet-mapping.mjs").Mapping} Mapping */

/** Offers statuses of our own where Foundry offers those of the game system, such as beside a token. For the hook `ready`. */
export async function registerStatuses() {
  const statuses = /** @type {any[]} */ (CONFIG.statusEffects);
  const own = ownStatuses(await activeMapping()).map((one) => ({ ...one, name: game.i18n.localize(one.name) }));
  statuses.push(...own.filter(({ id }) => !statuses.some((one) => one.id === id)));
}

/**
 * Sends the fight the statuses of an actor that it does not know as conditions. For the active game master's client.
 *
 * @param {import("./client.mjs").Encounter} fight
 * @param {Mapping} mapping
 * @param {any} actor
 * @param {any} told the combatant as the fight has it
 * @param {readonly any[]} [effects] only these
 * @returns {Promise<boolean>} whether there was anything to send
 */
export async function tellStatuses(fight, mapping, actor, told, effects = [...actor.effects]) {
  const known = new Set(told.conditions.map((/** @type {any} */ { slug }) => slug));
  let any = false;
  for (const effect of effects) {
    const slug = effect.flags?.[MODULE]?.condition ?? conditionOf(mapping, effect);
    if (!slug || !actor.effects.get(effect.id)) continue;
    try {
      if (!known.has(slug)) {
        await fight.command({ command: "set", combatant: told.id, add: [slug] });
        known.add(slug);
        any = true;
      }
      if (!effect.flags?.[MODULE]?.condition) await effect.update({ [`flags.${MODULE}.condition`]: slug }, OURS);
    } catch (error) {
      complain(error); // the fight does not know it; the status stays, for people
    }
  }
  return any;
}

/**
 * Ends a condition whose effect was taken away.
 *
 * @param {import("./client.mjs").Encounter} fight
 * @param {any} told the combatant as the fight has it
 * @param {string} slug
 */
export async function endCondition(fight, told, slug) {
  if (!told.conditions.some((/** @type {any} */ one) => one.slug === slug)) return;
  await fight.command({ command: "set", combatant: told.id, remove: [slug] });
}
