/**
 * What the attack dialog needs to know of an attempt: who, with what, in which ways; in a fight of the service or without one.
 */

import { combatantOf, slugOf, weaponOf, weaponsOf } from "./sheet-mapping.mjs";
import { joined } from "./situation.mjs";
import { resolveInChat } from "./conversation.mjs";
import { actInChat } from "./fight-cards.mjs";
import { fighterOf } from "./fight.mjs";
import { allowed } from "./public-hooks.mjs";
import { activeMapping, service } from "./settings.mjs";

/** @typedef {import("./attack-form.mjs").Attempt} Attempt */
/** @typedef {import("./attack-form.mjs").Chosen} Chosen */

/**
 * @typedef {object} Side A token, or what stands for one.
 * @property {any} actor
 * @property {string} name
 * @property {any} [object] on the canvas
 *
 * @typedef {object} Wanted
 * @property {Side} attacker
 * @property {Side} target
 * @property {Side[]} [others] further targets
 * @property {string} [weapon] id of an item, or slug of a weapon
 * @property {string} [action] slug
 * @property {string} [procedure]
 * @property {Record<string, any>} [situation] said in advance
 */

export const METRES = /** @type {Record<string, number>} */ ({ m: 1, meter: 1, meters: 1, metre: 1, metres: 1, ft: 0.3048, feet: 0.3048, yd: 0.9144 });

/** What was said last with a weapon: where it is kept, such as the firing mode. By uuid or slug. @type {Map<string, {way: string, said: Record<string, any>}>} */
const remembered = new Map();

/**
 * An attempt without a fight, out of the sheets.
 *
 * @param {Wanted} wanted
 * @returns {Promise<Attempt>}
 */
export async function freeAttempt({ attacker, target, others = [], weapon, procedure, situation = {} }) {
  const mapping = await activeMapping();
  if (mapping.ruleset === "*") throw new Error(game.i18n.localize("FRACAS.error.no-ruleset"));
  const { procedures } = await service().ruleset(mapping.ruleset);
  const ways = procedures.filter((/** @type {any} */ one) => fits(one, others.length));
  const [striker, struck] = [reading(mapping, attacker), reading(mapping, target)];
  const items = weaponsOf(mapping, attacker.actor);
  const arms = items.map((item) => ({ id: item.id ?? "", label: item.name ?? "", said: weaponOf(mapping, item), item }));
  if (weapon && !arms.some(({ id }) => id === weapon)) {
    arms.unshift({ id: weapon, label: weapon, said: { said: { use: weapon }, missing: [] }, item: { id: "" } });
  }
  const armed = (/** @type {Chosen} */ chosen) => arms.find(({ id }) => id === chosen.weapon);
  const way = (/** @type {Chosen} */ chosen) => procedures.find((/** @type {any} */ one) => one.id === chosen.way);
  const known = (/** @type {Chosen} */ chosen) => {
    const schema = way(chosen)?.situation;
    const extra = Object.keys(schema?.properties ?? {}).filter((name) => FURTHER.test(name));
    const read = {
      attacker: fitting(schema, "attacker", striker.said),
      target: fitting(schema, "target", struck.said),
      ...(armed(chosen) ? { weapon: fitting(schema, "weapon", armed(chosen)?.said.said ?? {}) } : {}),
      ...Object.fromEntries(others.slice(0, extra.length).map((one, at) => [extra[at], fitting(schema, extra[at], reading(mapping, one).said)])),
      ...("distance" in (schema?.properties ?? {}) ? distance(attacker, target) : {}),
    };
    return joined(joined(read, recalled(chosen)), situation);
  };
  const recalled = (/** @type {Chosen} */ chosen) => {
    const last = remembered.get(chosen.weapon);
    return last?.way === chosen.way ? last.said : {};
  };
  const request = (/** @type {Chosen} */ chosen) => ({
    ruleset: mapping.ruleset,
    procedure: chosen.way,
    situation: joined(known(chosen), chosen.said),
    ...(chosen.modifiers.length > 0 ? { modifiers: chosen.modifiers } : {}),
  });
  /** @type {Attempt["odds"]} */
  const odds = (chosen, signal) =>
    service().odds({ ...request(chosen), attribution: false, explain: "all" }, signal);
  const first = weapon ?? arms[0]?.id ?? "";
  return {
    title: game.i18n.format("FRACAS.attack.of", { attacker: attacker.name, target: target.name }),
    notes: [...noted(attacker, striker), ...noted(target, struck), ...arms.flatMap(({ label, said }) => noted({ name: label }, said))],
    weapons: arms.map(({ id, label }) => ({ id, label })),
    weapon: first,
    ways: ways.map((/** @type {any} */ { id, label }) => ({ id, label })),
    way: procedure ?? remembered.get(first)?.way ?? (await firstThatFits(ways, first, odds)),
    schema: async (chosen) => way(chosen)?.situation ?? {},
    known,
    odds,
    proposes: true,
    roll: async (chosen) => {
      const item = /** @type {any} */ (armed(chosen)?.item);
      if (!allowed({ ...sides(attacker, [target, ...others], item), way: chosen.way, situation: request(chosen).situation })) return undefined;
      const { attacker: _attacker, target: _target, weapon: _weapon, ...own } = chosen.said;
      const { distance: _distance, ...kept } = joined(recalled(chosen), own);
      remembered.set(chosen.weapon, { way: chosen.way, said: kept });
      const title = [way(chosen)?.label ?? chosen.way, armed(chosen)?.label].filter(Boolean).join(": ");
      return resolveInChat(request(chosen), {
        title,
        who: { attacker: shown(attacker), target: shown(target), ...further(way(chosen)?.situation, others) },
        things: item?.uuid ? { weapon: item.uuid } : {},
        speaker: ChatMessage.getSpeaker({ actor: attacker.actor }),
      });
    },
  };
}

/**
 * Who takes part, for other modules.
 *
 * @param {Side} attacker
 * @param {Side[]} targets
 * @param {any} item
 */
function sides(attacker, targets, item) {
  return { attacker: attacker.object ?? null, actor: attacker.actor, targets: targets.flatMap(({ object }) => object ?? []), item: item?.uuid ? item : null };
}

const FURTHER = /^(target|victim)_\d+$/;

/**
 * Whether a procedure is an attack of one on another with a weapon, or on several if several are targeted. Whoever else
 * it may concern (somebody in the way, a second weapon) need not be named.
 *
 * @param {any} procedure
 * @param {number} others
 */
function fits({ situation }, others) {
  const records = Object.entries(situation.properties).filter(([, one]) => /** @type {any} */ (one).anyOf);
  const names = records.map(([name]) => name);
  const known = ["attacker", "target", "weapon"].every((name) => names.includes(name));
  return known && names.some((name) => FURTHER.test(name)) === others > 0;
}

/**
 * The first procedure that the service takes with this weapon, or the first.
 *
 * @param {any[]} ways
 * @param {string} weapon
 * @param {Attempt["odds"]} odds
 */
async function firstThatFits(ways, weapon, odds) {
  for (const { id } of ways) {
    const answer = await odds({ weapon, way: id, said: {}, modifiers: [] }).catch((error) => error);
    if (answer.status === "resolved") return id;
    // What is only not said yet can be said in the dialog; a weapon that does not fit cannot.
    if (answer.problems?.every((/** @type {any} */ { path }) => !/^situation\.(weapon|attacker|target)/.test(path))) return id;
  }
  return ways[0]?.id ?? "";
}

/**
 * An actor as a combatant; one that came from a pack is told by its name there, and by what its sheet says.
 *
 * @param {import("./sheet-mapping.mjs").Mapping} mapping
 * @param {Side} side
 */
function reading(mapping, { actor, name }) {
  const slug = slugOf(actor, "combatant");
  const { said, missing } = combatantOf(mapping, actor);
  return { said: { ...(slug ? { use: slug } : {}), ...said, name: name.slice(0, 80) }, missing: slug ? [] : missing };
}

/**
 * The fields of a record that its procedure knows.
 *
 * @param {any} schema
 * @param {string} record
 * @param {Record<string, any>} said
 */
function fitting(schema, record, said) {
  const one = schema?.properties?.[record]?.anyOf?.find((/** @type {any} */ inner) => inner.properties);
  return one ? Object.fromEntries(Object.entries(said).filter(([name]) => name in one.properties)) : said;
}

/**
 * Fields that the rules need and that a sheet lacks, in words.
 *
 * @param {{name: string}} side
 * @param {{missing: import("./sheet-mapping.mjs").Missing[]}} reading
 */
function noted({ name }, { missing }) {
  return missing
    .filter(({ needed }) => needed)
    .map(({ field, why, value, paths }) => {
      const reason = game.i18n.format(`FRACAS.mapping.missing.${why}`, { value, paths: paths.join(", ") });
      return game.i18n.format("FRACAS.attack.missing", { name, field: field.replaceAll("_", " "), reason });
    });
}

/**
 * @param {Side} attacker
 * @param {Side} target
 * @returns {{distance?: number}} metres, heights included; nothing where it cannot be measured
 */
function distance(attacker, target) {
  const units = METRES[String(canvas.scene?.grid.units ?? "").trim().toLowerCase()];
  const points = [attacker, target].map(({ object }) => object?.center && raised(object));
  if (!units || !points.every(Boolean) || !canvas.grid) return {};
  const measured = canvas.grid.measurePath(/** @type {any} */ (points), {}).distance * units;
  return Number.isFinite(measured) ? { distance: Math.round(10 * measured) / 10 } : {};
}

/** @param {any} object a token on the canvas */
function raised({ center: { x, y }, document }) {
  return { x, y, elevation: document.elevation ?? 0 };
}

/** @param {Side} side */
function shown({ name, actor, object }) {
  return { name, actor: actor?.uuid ?? "", token: object?.document?.uuid ?? "" };
}

/** @param {any} schema @param {Side[]} others */
function further(schema, others) {
  const extra = Object.keys(schema?.properties ?? {}).filter((name) => FURTHER.test(name));
  return Object.fromEntries(others.slice(0, extra.length).map((one, at) => [extra[at], shown(one)]));
}

/**
 * An attempt in a fight: sheets, conditions and what was done before are known there.
 *
 * @param {import("./client.mjs").Encounter} fight
 * @param {Wanted} wanted
 * @returns {Promise<Attempt>}
 */
export async function fightAttempt(fight, { attacker, target, others = [], weapon, action, procedure, situation = {} }) {
  const mapping = await activeMapping();
  const fighter = fighterOf(attacker.actor);
  const [{ actions }, encounter] = await Promise.all([fight.actions(fighter), fight.state()]);
  const { procedures } = await service().ruleset(encounter.ruleset);
  const schemaOf = (/** @type {string} */ id) => procedures.find((/** @type {any} */ one) => one.id === id)?.situation ?? {};
  const attacks = actions.filter((/** @type {any} */ one) => {
    if (action) return one.action === action;
    const names = Object.keys(schemaOf(one.procedure).properties ?? {});
    return one.targets && ["attacker", "target", "weapon"].every((name) => names.includes(name)) && (!procedure || one.procedure === procedure);
  });
  const own = encounter.combatants.find((/** @type {any} */ one) => one.id === fighter);
  const items = weaponsOf(mapping, attacker.actor);
  const named = new Map(items.map((item) => [slugOf(item, "weapon"), item]));
  const arms = Object.entries(own?.items ?? {}).map(([slug, state]) => ({ id: slug, label: named.get(slug)?.name ?? slug, ready: /** @type {any} */ (state).ready, said: null }));
  const unknown = items.filter((item) => !slugOf(item, "weapon"));
  const weapons = [...arms, ...unknown.map((item) => ({ id: item.id ?? "", label: item.name ?? "", ready: false, said: weaponOf(mapping, item).said }))];
  const armed = (/** @type {Chosen} */ chosen) => weapons.find(({ id }) => id === chosen.weapon);
  const chosenAction = (/** @type {Chosen} */ chosen) => actions.find((/** @type {any} */ one) => one.action === chosen.way);
  const known = (/** @type {Chosen} */ chosen) => {
    const { properties = {} } = schemaOf(chosenAction(chosen)?.procedure);
    const weapon = armed(chosen)?.said;
    return joined({ ...(weapon ? { weapon } : {}), ...("distance" in properties ? distance(attacker, target) : {}) }, situation);
  };
  const body = (/** @type {Chosen} */ chosen) => ({
    combatant: fighter,
    action: chosen.way,
    target: fighterOf(target.actor),
    ...(others.length > 0 ? { others: others.map(({ actor }) => fighterOf(actor)).filter(Boolean) } : {}),
    ...(chosen.weapon && !armed(chosen)?.said ? { item: chosen.weapon } : {}),
    situation: joined(known(chosen), chosen.said),
    ...(chosen.modifiers.length > 0 ? { modifiers: chosen.modifiers } : {}),
  });
  const sorted = [...attacks].sort((a, b) => Number(b.allowed) - Number(a.allowed));
  const wantedAction = action ? actions.find((/** @type {any} */ one) => one.action === action) : undefined;
  const ready = weapons.find(({ ready }) => ready) ?? weapons[0];
  const slug = named.get(weapon ?? "") ? weapon : items.find(({ id }) => id === weapon);
  const first = typeof slug === "string" ? slug : slug ? slugOf(slug, "weapon") || (slug.id ?? "") : (wantedAction?.item ?? ready?.id ?? "");
  const suited = sorted.find((one) => one.allowed && one.item === first && one.judged.length === 0) ?? sorted.find((one) => one.allowed && one.item === first);
  return {
    title: game.i18n.format("FRACAS.attack.of", { attacker: attacker.name, target: target.name }),
    notes: [
      ...(fighterOf(target.actor) ? [] : [game.i18n.format("FRACAS.attack.not-in-fight", { name: target.name })]),
      ...unknown.flatMap((item) => [game.i18n.format("FRACAS.attack.no-pack", { name: item.name ?? "" }), ...noted({ name: item.name ?? "" }, weaponOf(mapping, item))]),
    ],
    weapons: weapons.map(({ id, label }) => ({ id, label })),
    weapon: first,
    ways: sorted.map(({ action, label, allowed, reasons }) => ({
      id: action,
      label,
      ...(allowed ? {} : { why: reasons.map((/** @type {any} */ { message }) => message).join("; ") }),
    })),
    way: action ?? suited?.action ?? sorted[0]?.action ?? "",
    schema: async (chosen) => schemaOf(chosenAction(chosen)?.procedure),
    settled: (chosen) => chosenAction(chosen)?.situation ?? {},
    meant: (way) => actions.find((/** @type {any} */ one) => one.action === way)?.item ?? "",
    named: (chosen) => {
      const people = further(schemaOf(chosenAction(chosen)?.procedure), others);
      return { attacker: attacker.name, target: target.name, ...Object.fromEntries(Object.entries(people).map(([record, { name }]) => [record, name])) };
    },
    known,
    odds: (chosen, signal) => fight.odds(body(chosen), signal),
    proposes: true,
    roll: async (chosen) => {
      const item = /** @type {any} */ (named.get(chosen.weapon) ?? items.find(({ id }) => id === chosen.weapon));
      if (!allowed({ ...sides(attacker, [target, ...others], item), way: chosen.way, situation: body(chosen).situation })) return undefined;
      const title = [chosenAction(chosen)?.label ?? chosen.way, armed(chosen)?.label].filter(Boolean).join(": ");
      return actInChat(fight, body(chosen), { title, things: item?.uuid ? { weapon: item.uuid } : {}, speaker: ChatMessage.getSpeaker({ actor: attacker.actor }) });
    },
  };
}
