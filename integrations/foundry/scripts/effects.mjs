/**
 * What an answer does to sheets: its effects as changes of actors and their items through the sheet mapping, carried out
 * and taken back.
 *
 * What is carried out is returned as a record of plain data, which a chat message keeps in its flags; `takeBack` needs nothing
 * else. The caller of `carryOut` or `takeBack` must own the actors: it is the active GM's client that does.
 */

import { withDamage } from "./damage-text.mjs";
import { storedAt } from "./documents.mjs";
import { durationOf, spanOf } from "./durations.mjs";
import { at, changesOf, fieldAt, inFull, kindOf, slugOf, stateChangesOf } from "./sheet-mapping.mjs";

/** @typedef {import("./sheet-mapping.mjs").Change} Change */
/** @typedef {import("./sheet-mapping.mjs").Mapping} Mapping */
/** @typedef {import("./sheet-mapping.mjs").Sheet} Sheet */

/**
 * @typedef {object} Effect One effect of an answer, as the service answers it.
 * @property {string} type mark, spend, gain, item, add-condition, remove-condition, schedule
 * @property {string} who a record of the request, or a combatant of an encounter
 * @property {string} what
 * @property {number | null} [amount]
 * @property {string} [state]
 * @property {Record<string, number>} [change]
 * @property {Record<string, any>} [set]
 * @property {{slug?: string, label: string}} [condition]
 * @property {string} [unit] how long a condition lasts, with `length`
 * @property {number} [length]
 */

/**
 * @typedef {object} Shown A condition as it is shown on an actor.
 * @property {string} slug
 * @property {string} label
 * @property {import("./durations.mjs").Span} [span] how long it lasts from now
 * @property {number} [until] the last round of it, in a fight
 */

/**
 * @typedef {object} Plan What is to be done to one actor.
 * @property {any} actor a sheet; to be carried out, the document
 * @property {Change[]} changes
 * @property {Shown[]} add conditions
 * @property {string[]} remove slugs of conditions
 */

/**
 * @typedef {object} Unplaced An effect for which the sheet has no place.
 * @property {string} who
 * @property {string} what
 * @property {"no-actor" | "no-place" | "no-item"} why Its message is `FRACAS.effects.<why>`.
 */

/**
 * What the effects of an answer do to actors. Effects on the same number are added up.
 *
 * @param {Mapping} mapping
 * @param {readonly Effect[]} effects
 * @param {Record<string, Sheet & {_source?: any}>} actors by `who`
 * @param {Record<string, Sheet & {_source?: any}>} [things] items by `what`, such as `weapon`; others are found by their
 *   entries
 * @returns {{plans: Plan[], unplaced: Unplaced[]}}
 */
export function planOf(mapping, effects, actors, things = {}) {
  /** @type {Map<string, Plan>} */
  const plans = new Map();
  /** @type {Unplaced[]} */
  const unplaced = [];
  /** @type {Map<string, {who: string, what: string, by: number, find: (how: {by: number}) => Change[] | null}>} */
  const sums = new Map();
  for (const effect of effects) {
    const { who, what } = effect;
    const actor = actors[who];
    if (!actor) {
      if (effect.type !== "schedule" && effect.type !== "join") unplaced.push({ who, what, why: "no-actor" });
      continue;
    }
    const plan = plans.get(who) ?? { actor, changes: [], add: [], remove: [] };
    plans.set(who, plan);
    const sum = (/** @type {string} */ key, /** @type {number} */ by, /** @type {any} */ find) => {
      const have = sums.get(key) ?? { who, what, by: 0, find };
      sums.set(key, { ...have, by: have.by + by });
    };
    const track = mapping.tracks[what];
    switch (effect.type) {
      case "mark":
      case "spend":
      case "gain": {
        if (!track) {
          if (!mapping.fleeting?.includes(what)) unplaced.push({ who, what, why: "no-place" });
        } else {
          const sign = effect.type === "mark" ? track.mark : effect.type === "spend" ? -1 : 1;
          const find = (/** @type {{by: number}} */ how) => changesOf(mapping, actor, track.field, how);
          sum(`${who} ${track.field}`, sign * (effect.amount ?? 0), find);
        }
        break;
      }
      case "item": {
        const item = things[what] ?? [...(actor.items ?? [])].find((one) => slugOf(one, "weapon") === what);
        if (!item) {
          unplaced.push({ who, what, why: "no-item" });
          break;
        }
        const by = effect.change ?? (effect.amount ? { [effect.state ?? "rounds"]: effect.amount } : {});
        for (const [state, amount] of Object.entries(by)) {
          sum(`${who} ${item.id} ${state}`, amount, (/** @type {{by: number}} */ how) =>
            stateChangesOf(mapping, item, state, how),
          );
        }
        for (const [state, to] of Object.entries(effect.set ?? {})) {
          plan.changes.push(...(stateChangesOf(mapping, item, state, { to }) ?? []));
        }
        break;
      }
      case "add-condition": {
        const span = spanOf(effect.unit, effect.length);
        plan.add.push({ slug: what, label: titled(what), ...effect.condition, ...(span ? { span } : {}) });
        break;
      }
      case "remove-condition":
        plan.remove.push(what);
    }
  }
  for (const { who, what, by, find } of sums.values()) {
    const changes = find({ by });
    if (changes) plans.get(who)?.changes.push(...changes);
    else if (by !== 0) unplaced.push({ who, what, why: "no-place" });
  }
  return { plans: [...plans.values()], unplaced };
}

/**
 * What happened to the sheet of a combatant in an encounter since the state that the actor last got. Numbers move
 * by as much as they moved there, so that what people have changed on the sheet meanwhile stays.
 *
 * @param {Mapping} mapping
 * @param {Sheet & {_source?: any}} actor
 * @param {Record<string, unknown>} before fields that were sent last
 * @param {Record<string, unknown>} after fields now
 * @returns {Change[]}
 */
export function sheetChanges(mapping, actor, before, after) {
  return Object.keys(after).flatMap((field) => changesOf(mapping, actor, field, moved(before[field], after[field])) ?? []);
}

/**
 * The same for a thing of the actor.
 *
 * @param {Mapping} mapping
 * @param {Sheet & {_source?: any}} item
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 * @returns {Change[]}
 */
export function itemChanges(mapping, item, before, after) {
  return Object.keys(after).flatMap(
    (state) => stateChangesOf(mapping, item, state, moved(before[state], after[state])) ?? [],
  );
}

/**
 * @param {unknown} before
 * @param {unknown} after
 * @returns {{by: number} | {to: unknown}}
 */
function moved(before, after) {
  return typeof before === "number" && typeof after === "number" ? { by: after - before } : { to: after };
}

/**
 * @typedef {object} Done What was done to one actor, as plain data.
 * @property {string} actor uuid
 * @property {Change[]} changes
 * @property {string[]} added ids of the effects that show conditions
 * @property {object[]} removed the effects that were taken away
 */

/**
 * Carry a plan out.
 *
 * @param {Mapping} mapping
 * @param {readonly Plan[]} plans
 * @param {{closed?: boolean} & Record<string, unknown>} [options] for the updates, such as `{fracas: true}`; closed: damage is
 *   shown on tokens only to those who may see the sheet
 * @param {Record<string, unknown>} [more] further values to write to the actors with the same update
 * @returns {Promise<Done[]>}
 */
export async function carryOut(mapping, plans, options = {}, more = {}) {
  /** @type {Done[]} */
  const done = [];
  const { closed: _closed, ...others } = options;
  for (const { actor, changes, add, remove } of plans) {
    await write(actor, changes, others, more, withDamage(damageOf(mapping, actor, changes), options));
    const gone = shownConditions(actor).filter((effect) => remove.includes(effect.flags.fracas.condition));
    const removed = gone.map((effect) => effect.toObject());
    if (gone.length > 0) {
      await actor.deleteEmbeddedDocuments("ActiveEffect", gone.map(({ id }) => id), others);
    }
    const there = new Set(shownConditions(actor).map((effect) => effect.flags.fracas.condition));
    const fresh = add.filter(({ slug }, index) => !there.has(slug) && add.findIndex((one) => one.slug === slug) === index);
    const made = fresh.map((condition) => effectOf(mapping, condition));
    const added = made.length > 0 ? await actor.createEmbeddedDocuments("ActiveEffect", made, others) : [];
    done.push({ actor: actor.uuid, changes, added: added.map((/** @type {any} */ { id }) => id), removed });
  }
  return done;
}

/**
 * What changes of an actor's own fields are as damage: points by the field that counts them, below 0 for healing.
 *
 * @param {Mapping} mapping
 * @param {Sheet} actor
 * @param {readonly Change[]} changes
 * @returns {import("./damage-text.mjs").Lines}
 */
export function damageOf(mapping, actor, changes) {
  const fields = kindOf(mapping, "combatants", actor.type)?.fields ?? {};
  return (mapping.damage ?? []).flatMap((what) => {
    const { field, mark } = mapping.tracks[what];
    const down = inFull(fields[field] ?? "").down_from ? -1 : 1;
    const moved = changes.filter(({ item, path }) => !item && fieldAt(mapping, path) === field).map(({ from, to }) => Number(to) - Number(from ?? 0));
    const amount = mark * down * moved.reduce((sum, by) => sum + by, 0);
    return amount ? [{ text: what.replaceAll("-", " "), amount }] : [];
  });
}

/**
 * @typedef {object} Edited A place of a sheet that people have changed since, so that it does not go back as it was.
 * @property {string} actor its name; the uuid if it is gone
 * @property {string} path "" for the whole actor
 * @property {"moved" | "left" | "gone"} why moved: a number, which went back by as much as it went; left: anything else; gone:
 *   there is no such actor or item any more. Its message is `FRACAS.effects.<why>`.
 * @property {unknown} now what stands there afterwards
 */

/**
 * Take back what was carried out. Numbers go back by as much as they went, whatever happened to them since; what people
 * have changed to something else meanwhile is left. Both are told.
 *
 * @param {readonly Done[]} done
 * @param {object} [options]
 * @returns {Promise<Edited[]>}
 */
export async function takeBack(done, options = {}) {
  /** @type {Edited[]} */
  const edited = [];
  for (const { actor: uuid, changes, added, removed } of [...done].reverse()) {
    const actor = await storedAt(uuid);
    if (!actor) {
      edited.push({ actor: uuid, path: "", why: "gone", now: undefined });
      continue;
    }
    /** @type {Change[]} */
    const back = [];
    for (const change of changes) {
      const now = stored(actor, change);
      const undone = reversed(change, now);
      if (undone) back.push(undone);
      const why = change.item && !actor.items.get(change.item) ? "gone" : undone ? "moved" : "left";
      if (!undone || now !== change.to) edited.push({ actor: actor.name, path: change.path, why, now: undone?.to ?? now });
    }
    await write(actor, back, options);
    const there = added.filter((id) => actor.effects.get(id));
    if (there.length > 0) await actor.deleteEmbeddedDocuments("ActiveEffect", there, options);
    const shown = new Set(shownConditions(actor).map((effect) => effect.flags.fracas.condition));
    const lost = removed.filter((/** @type {any} */ data) => !actor.effects.get(data._id) && !shown.has(data.flags?.fracas?.condition));
    if (lost.length > 0) await actor.createEmbeddedDocuments("ActiveEffect", lost, { ...options, keepId: true });
  }
  return edited;
}

/**
 * A change the other way, from what stands there now.
 *
 * @param {Change} change
 * @param {unknown} now
 * @returns {Change | null} null: it has been changed to something else, or is gone
 */
export function reversed({ item, path, from, to }, now) {
  const numbers = [from, to, now].map((value) => (value === null || value === "" ? NaN : Number(value)));
  if (typeof to !== "boolean" && numbers.every(Number.isFinite)) {
    const back = Math.max(0, numbers[2] - (numbers[1] - numbers[0]));
    return { item, path, from: now, to: typeof now === "string" ? String(back) : back };
  }
  return now === to ? { item, path, from: now, to: from ?? null } : null;
}

/**
 * The effects of an actor by which conditions of Fracas are shown.
 *
 * @param {any} actor
 * @returns {any[]}
 */
export function shownConditions(actor) {
  return [...(actor?.effects ?? [])].filter((effect) => effect.flags?.fracas?.condition);
}

/** Ids of statuses of our own begin so. */
const OWN = "fracas-";

/**
 * Statuses of our own, for conditions that the game system has none for: entries of `CONFIG.statusEffects`.
 *
 * @param {Mapping} mapping
 * @returns {{id: string, name: string, img: string}[]}
 */
export function ownStatuses({ pictures = {} }) {
  return Object.entries(pictures).map(([slug, picture]) => ({
    id: `${OWN}${slug}`,
    name: `FRACAS.status.${slug}`,
    img: `icons/svg/${picture}.svg`,
  }));
}

/**
 * A condition as data of an effect that shows it. Tokens draw it if it has a status: in Foundry 13 for that alone, in 14 because
 * it asks for it.
 *
 * @param {Mapping} mapping
 * @param {Shown} condition
 * @returns {object}
 */
export function effectOf(mapping, { slug, label, span, until }) {
  const known = [...CONFIG.statusEffects, ...ownStatuses(mapping)];
  const status = [mapping.conditions[slug], `${OWN}${slug}`].map((id) => known.find((one) => one.id === id)).find(Boolean);
  const always = /** @type {{ACTIVE_EFFECT_SHOW_ICON?: {ALWAYS: number}}} */ (CONST).ACTIVE_EFFECT_SHOW_ICON?.ALWAYS;
  return {
    name: label,
    img: status?.img ?? "icons/svg/aura.svg",
    statuses: status ? [status.id] : [],
    ...(status && always !== undefined ? { showIcon: always } : {}),
    ...durationOf(span),
    flags: { fracas: { condition: slug, ...(until ? { until } : {}) } },
  };
}

/**
 * The condition that an effect of an actor stands for: the first for which the mapping names its status. The skull that the
 * tracker's button for the defeated sets stands for what that button does in the fight.
 *
 * @param {Mapping} mapping
 * @param {any} effect
 * @param {string} [skull] the status of the defeated
 * @returns {string} "" if it stands for none
 */
export function conditionOf(mapping, effect, skull = CONFIG.specialStatusEffects?.DEFEATED) {
  const statuses = [...(effect.statuses ?? [])];
  if (effect.disabled || statuses.length !== 1) return "";
  if (statuses[0] === skull && effect.flags?.core?.overlay) return mapping.defeated ?? "";
  const own = statuses[0].startsWith(OWN) ? statuses[0].slice(OWN.length) : "";
  if (own in (mapping.pictures ?? {})) return own;
  return Object.keys(mapping.conditions).find((slug) => mapping.conditions[slug] === statuses[0]) ?? "";
}

/**
 * @param {any} actor
 * @param {readonly Change[]} changes
 * @param {object} options
 * @param {Record<string, unknown>} [more]
 * @param {object} [shown] options of the update of the actor itself
 */
async function write(actor, changes, options, more = {}, shown = options) {
  /** @type {Map<string, Record<string, unknown>>} */
  const items = new Map();
  /** @type {Record<string, unknown>} */
  const own = { ...more };
  for (const { item, path, to } of changes) {
    if (item) items.set(item, { ...(items.get(item) ?? { _id: item }), [path]: to });
    else own[path] = to;
  }
  if (Object.keys(own).length > 0) await actor.update(own, shown);
  const there = [...items.values()].filter(({ _id }) => actor.items.get(_id));
  if (there.length > 0) await actor.updateEmbeddedDocuments("Item", there, options);
}

/**
 * @param {any} actor
 * @param {Change} change
 */
function stored(actor, { item, path }) {
  const document = item ? actor.items.get(item) : actor;
  return at(document?._source, path) ?? at(document, path);
}

/** @param {string} slug */
function titled(slug) {
  return slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll("-", " ");
}
