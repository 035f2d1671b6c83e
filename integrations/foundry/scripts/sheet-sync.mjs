/**
 * A sheet and a combatant of a fight exchange what has changed. Numbers move by as much as they moved on the other
 * side, counted from what both knew last.
 */

import { durationOf, lastRounds } from "./durations.mjs";
import { carryOut, itemChanges, sheetChanges, shownConditions } from "./effects.mjs";
import { MODULE, activeMapping } from "./settings.mjs";
import { combatantOf, inFull, kindOf, slugOf, weaponOf, weaponsOf } from "./sheet-mapping.mjs";

/** @typedef {import("./client.mjs").Encounter} Encounter */
/** @typedef {import("./sheet-mapping.mjs").Mapping} Mapping */

/** The option of all that is written here, by which the hooks know it. */
export const OURS = { [MODULE]: true };

/**
 * Brings a sheet into line with a combatant of the encounter. What was sent last is kept in a flag of the actor, written
 * together with the values.
 *
 * @param {Mapping} mapping
 * @param {any} actor
 * @param {any} encounter
 * @param {any} told
 */
export async function bringSheetIntoLine(mapping, actor, encounter, told) {
  const before = lastTold(actor, encounter.id);
  const fields = only(told.sheet, writtenFields(mapping, actor));
  const items = Object.fromEntries(
    weaponsOf(mapping, actor).flatMap((item) => {
      const known = told.items?.[slugOf(item, "weapon")];
      return known ? [[slugOf(item, "weapon"), only(known, writtenStates(mapping, item))]] : [];
    }),
  );
  const changes = before ? sheetChanges(mapping, actor, before.fields, changed(before.fields, fields)) : [];
  for (const item of before ? weaponsOf(mapping, actor) : []) {
    const slug = slugOf(item, "weapon");
    const had = before?.items?.[slug] ?? {};
    if (items[slug]) changes.push(...itemChanges(mapping, item, had, changed(had, items[slug])));
  }
  const shown = new Set(shownConditions(actor).map((effect) => effect.flags.fracas.condition));
  const last = lastRounds(told.conditions, encounter.turn);
  const wanted = new Map(told.conditions.map((/** @type {any} */ { slug, label }) => [slug, { slug, label, ...last.get(slug) }]));
  await lengthen(actor, last);
  const add = [...wanted.values()].filter(({ slug }) => !shown.has(slug));
  const remove = [...shown].filter((slug) => !wanted.has(slug));
  const next = { encounter: encounter.id, fields, items };
  const same = before && JSON.stringify([before.fields, before.items]) === JSON.stringify([fields, items]);
  if (same && changes.length === 0 && add.length === 0 && remove.length === 0) return;
  const more = same ? {} : { [`flags.${MODULE}.told`]: JSON.stringify(next) };
  await carryOut(mapping, [{ actor, changes, add, remove }], OURS, more);
}

/**
 * Effects of conditions whose end was moved since they began.
 *
 * @param {any} actor
 * @param {ReturnType<typeof lastRounds>} last
 */
async function lengthen(actor, last) {
  const moved = shownConditions(actor).flatMap((effect) => {
    const { condition, until: before } = effect.flags[MODULE];
    const { until, span } = last.get(condition) ?? {};
    if (!until || !span || before === until) return [];
    // Foundry counts from the round in which the effect began.
    const longer = before && "rounds" in span ? { rounds: Math.max(1, roundsOf(effect) + until - before) } : span;
    return [{ _id: effect.id, ...durationOf(longer), [`flags.${MODULE}.until`]: until }];
  });
  if (moved.length > 0) await actor.updateEmbeddedDocuments("ActiveEffect", moved, OURS);
}

/** @param {any} effect @returns {number} of its duration: in Foundry 14 a value, whose unit is rounds */
function roundsOf({ _source: { duration } }) {
  return duration?.value ?? duration?.rounds ?? 0;
}

/**
 * What an actor last got of an encounter; null for never.
 *
 * @param {any} actor
 * @param {string} encounter
 * @returns {{encounter: string, fields: Record<string, unknown>, items: Record<string, Record<string, unknown>>} | null}
 */
function lastTold(actor, encounter) {
  const kept = actor.getFlag(MODULE, "told");
  try {
    const found = typeof kept === "string" ? JSON.parse(kept) : null;
    return found?.encounter === encounter && found.fields && found.items ? found : null;
  } catch {
    return null; // owners of the actor may write into its flags
  }
}

/**
 * @param {Mapping} mapping
 * @param {any} actor
 */
function writtenFields(mapping, actor) {
  const fields = Object.entries(kindOf(mapping, "combatants", actor.type)?.fields ?? {});
  return fields.filter(([, source]) => inFull(source).write || inFull(source).pool).map(([field]) => field);
}

/**
 * @param {Mapping} mapping
 * @param {any} item
 */
function writtenStates(mapping, item) {
  const fields = Object.entries(kindOf(mapping, "weapons", item.type)?.fields ?? {});
  return fields.filter(([, source]) => inFull(source).state && inFull(source).write).map(([state]) => state);
}

/**
 * @param {Record<string, unknown>} values
 * @param {readonly string[]} names
 */
export function only(values, names) {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]));
}

/**
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 */
function changed(before, after) {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}

/**
 * Sends the fight what people wrote on a sheet, as values set by hand.
 *
 * @param {Encounter} fight
 * @param {string} combatant
 * @param {any} actor
 * @returns {Promise<boolean>} whether there was anything to send
 */
export async function tellSheet(fight, combatant, actor) {
  const before = lastTold(actor, fight.id);
  if (!before) return false;
  const mapping = await activeMapping();
  const { said } = combatantOf(mapping, actor);
  const now = only(said, writtenFields(mapping, actor));
  const fields = changed(before.fields, now);
  const arms = loaded(mapping, weaponsOf(mapping, actor));
  const items = Object.fromEntries(
    Object.entries(arms)
      .map(([slug, known]) => [slug, changed(before.items[slug] ?? {}, known)])
      .filter(([, known]) => Object.keys(known).length > 0),
  );
  if (Object.keys(fields).length === 0 && Object.keys(items).length === 0) return false;
  await fight.command({
    command: "set",
    combatant,
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
    ...(Object.keys(items).length > 0 ? { items } : {}),
  });
  await remember(mapping, actor, fight.id, now, { ...before.items, ...arms });
  return true;
}

/**
 * The rounds that the sheet has in its weapons, for the fight.
 *
 * @param {Mapping} mapping
 * @param {import("./sheet-mapping.mjs").Sheet[]} arms
 * @returns {Record<string, Record<string, unknown>>}
 */
export function loaded(mapping, arms) {
  const linked = arms.filter((item) => slugOf(item, "weapon"));
  const states = linked.map((item) => {
    const { use, ...known } = weaponOf(mapping, item).said;
    return /** @type {const} */ ([use, only(known, writtenStates(mapping, item))]);
  });
  return Object.fromEntries(states.filter(([, known]) => Object.keys(known).length > 0));
}

/**
 * Keeps what an actor and the fight both know, from which later differences are counted.
 *
 * @param {Mapping} mapping
 * @param {any} actor
 * @param {string} encounter
 * @param {Record<string, unknown>} said
 * @param {Record<string, Record<string, unknown>>} items
 */
export async function remember(mapping, actor, encounter, said, items) {
  const told = { encounter, fields: only(said, writtenFields(mapping, actor)), items };
  await actor.update({ [`flags.${MODULE}.told`]: JSON.stringify(told) }, OURS);
}
