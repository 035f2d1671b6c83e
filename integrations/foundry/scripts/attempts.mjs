/**
 * What the attack dialog needs to know of an attempt: who, with what, in which ways; in a fight of the service or without one.
 */

import { aimedAt, recordsAround } from "./blast-circles.mjs";
import { metresBetween } from "./distances.mjs";
import { combatantOf, slugOf, weaponOf, weaponsOf } from "./sheet-mapping.mjs";
import { joined } from "./situation.mjs";
import { suggestionsFor } from "./suggestions.mjs";
import { resolveInChat } from "./conversation.mjs";
import { actInChat } from "./fight-cards.mjs";
import { fighterOf } from "./fight.mjs";
import { allowed } from "./public-hooks.mjs";
import { activeMapping, service, setting } from "./settings.mjs";
import { spotOf } from "./token-places.mjs";

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
 * @property {import("./blast-circles.mjs").Circle} [circle] where it goes off: the targets stand in it
 */

/** What was said last with a weapon: where it is kept, such as the firing mode. By uuid or slug. @type {Map<string, {way: string, said: Record<string, any>}>} */
const remembered = new Map();

/**
 * An attempt without a fight, out of the sheets.
 *
 * @param {Wanted} wanted
 * @returns {Promise<Attempt>}
 */
export async function freeAttempt({ attacker, target, others = [], weapon, procedure, situation = {}, circle }) {
  const mapping = await activeMapping();
  if (mapping.ruleset === "*") throw new Error(game.i18n.localize("FRACAS.error.no-ruleset"));
  const { procedures } = await service().ruleset(mapping.ruleset);
  const ways = procedures.filter((/** @type {any} */ one) => (circle ? aimsAtPlaces(one) : fits(one, others.length)));
  const [striker, struck] = [reading(mapping, attacker), reading(mapping, target)];
  const people = (/** @type {any} */ schema) => byRecord(schema, [target, ...others], circle);
  const items = weaponsOf(mapping, attacker.actor);
  const arms = items.map((item) => ({ id: item.id ?? "", label: item.name ?? "", said: weaponOf(mapping, item), item }));
  if (weapon && !arms.some(({ id }) => id === weapon)) {
    arms.unshift({ id: weapon, label: weapon, said: { said: { use: weapon }, missing: [] }, item: { id: "" } });
  }
  const armed = (/** @type {Chosen} */ chosen) => arms.find(({ id }) => id === chosen.weapon);
  const way = (/** @type {Chosen} */ chosen) => procedures.find((/** @type {any} */ one) => one.id === chosen.way);
  const known = (/** @type {Chosen} */ chosen) => {
    const schema = way(chosen)?.situation;
    const there = people(schema);
    const read = {
      attacker: fitting(schema, "attacker", striker.said),
      ...(armed(chosen) ? { weapon: fitting(schema, "weapon", armed(chosen)?.said.said ?? {}) } : {}),
      ...Object.fromEntries(Object.entries(there).map(([record, one]) => [record, fitting(schema, record, reading(mapping, one).said)])),
    };
    return joined(joined(joined(read, places(schema, attacker, target, there, circle)), recalled(chosen)), situation);
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
    title: titled(attacker, [target, ...others], circle),
    notes: [...inCircle([target, ...others], circle), ...noted(attacker, striker), ...noted(target, struck), ...arms.flatMap(({ label, said }) => noted({ name: label }, said))],
    weapons: arms.map(({ id, label }) => ({ id, label })),
    weapon: first,
    ways: ways.map((/** @type {any} */ { id, label }) => ({ id, label })),
    way: procedure ?? remembered.get(first)?.way ?? (await firstThatFits(ways, first, odds)),
    schema: async (chosen) => way(chosen)?.situation ?? {},
    known,
    suggestions: async (chosen) => (circle ? [] : suggestionsFor(mapping, way(chosen)?.situation ?? {}, joined(known(chosen), chosen.said), attacker.object, target.object)),
    odds,
    proposes: true,
    roll: async (chosen) => {
      const item = armed(chosen)?.item;
      if (!allowed({ ...sides(attacker, [target, ...others], item), way: chosen.way, situation: request(chosen).situation })) return undefined;
      const { attacker: _attacker, target: _target, weapon: _weapon, ...own } = chosen.said;
      const { distance: _distance, ...kept } = joined(recalled(chosen), own);
      remembered.set(chosen.weapon, { way: chosen.way, said: kept });
      const title = [way(chosen)?.label ?? chosen.way, armed(chosen)?.label].filter(Boolean).join(": ");
      return resolveInChat(request(chosen), {
        title,
        who: { attacker: shown(attacker), ...Object.fromEntries(Object.entries(people(way(chosen)?.situation)).map(([record, one]) => [record, shown(one)])) },
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
 * Whether a procedure is an attack of one on another with a weapon, or on several if several are targeted. Others that
 * it may concern (a body in the way, a second weapon) need not be named.
 *
 * @param {any} procedure
 * @param {number} others
 */
function fits({ situation }, others) {
  const records = Object.entries(situation.properties).filter(([, one]) => one.anyOf);
  const names = records.map(([name]) => name);
  const known = ["attacker", "target", "weapon"].every((name) => names.includes(name));
  return known && names.some((name) => FURTHER.test(name)) === others > 0;
}

/** Whether a procedure is an attack with a weapon at a place, around which people stand. @param {any} procedure */
function aimsAtPlaces({ situation }) {
  return "attacker" in situation.properties && "weapon" in situation.properties && recordsAround(situation).length > 0;
}

/**
 * Who is meant by the records of a procedure: the target and further ones; with a circle, those who stand around a spot.
 *
 * @param {any} schema
 * @param {Side[]} sides
 * @param {import("./blast-circles.mjs").Circle} [circle]
 * @returns {Record<string, Side>}
 */
function byRecord(schema, sides, circle) {
  const records = circle ? recordsAround(schema) : ["target", ...Object.keys(schema?.properties ?? {}).filter((name) => FURTHER.test(name))];
  return Object.fromEntries(sides.slice(0, records.length).map((side, at) => [records[at], side]));
}

/**
 * What the scene says: how far away the target is, or the spot that is aimed at and those around it.
 *
 * @param {any} schema
 * @param {Side} attacker
 * @param {Side} target
 * @param {Record<string, Side>} people
 * @param {import("./blast-circles.mjs").Circle} [circle]
 * @returns {Record<string, any>}
 */
function places(schema, attacker, target, people, circle) {
  if (circle && recordsAround(schema).length > 0) return aimedAt(schema, circle, attacker, people);
  const metres = metresBetween(attacker.object, target.object);
  return "distance" in (schema?.properties ?? {}) && metres !== null ? { distance: metres } : {};
}

/** @param {Side} attacker @param {Side[]} sides @param {unknown} circle */
function titled(attacker, sides, circle) {
  const target = (circle ? sides : sides.slice(0, 1)).map(({ name }) => name).join(", ");
  return game.i18n.format("FRACAS.attack.of", { attacker: attacker.name, target });
}

/** @param {Side[]} sides @param {unknown} circle @returns {string[]} that the circle was looked at */
function inCircle(sides, circle) {
  return circle ? [game.i18n.format("FRACAS.attack.circle", { names: sides.map(({ name }) => name).join(", ") })] : [];
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
 * An actor as a combatant; one that came from a pack is identified by its name there, with what its sheet says.
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

/** @param {Side} side */
function shown({ name, actor, object }) {
  return { name, actor: actor?.uuid ?? "", token: object?.document?.uuid ?? "" };
}

/**
 * An attempt in a fight: sheets, conditions and what was done before are known there.
 *
 * @param {import("./client.mjs").Encounter} fight
 * @param {Wanted} wanted
 * @returns {Promise<Attempt>}
 */
export async function fightAttempt(fight, { attacker, target, others = [], weapon, action, procedure, situation = {}, circle }) {
  const mapping = await activeMapping();
  const fighter = fighterOf(attacker.actor);
  const [{ actions, usual }, encounter] = await Promise.all([fight.actions(fighter), fight.state()]);
  const { procedures } = await service().ruleset(encounter.ruleset);
  const schemaOf = (/** @type {string} */ id) => procedures.find((/** @type {any} */ one) => one.id === id)?.situation ?? {};
  const attacks = actions.filter((/** @type {any} */ one) => {
    if (action) return one.action === action;
    if (circle) return one.targets && aimsAtPlaces({ situation: { properties: {}, ...schemaOf(one.procedure) } });
    const names = Object.keys(schemaOf(one.procedure).properties ?? {});
    return one.targets && ["attacker", "target", "weapon"].every((name) => names.includes(name)) && (!procedure || one.procedure === procedure);
  });
  const own = encounter.combatants.find((/** @type {any} */ one) => one.id === fighter);
  const items = weaponsOf(mapping, attacker.actor);
  const named = new Map(items.map((item) => [slugOf(item, "weapon"), item]));
  const arms = Object.entries(own?.items ?? {}).map(([slug, state]) => ({ id: slug, label: named.get(slug)?.name ?? slug, ready: state.ready, said: null }));
  const unknown = items.filter((item) => !slugOf(item, "weapon"));
  const weapons = [...arms, ...unknown.map((item) => ({ id: item.id ?? "", label: item.name ?? "", ready: false, said: weaponOf(mapping, item).said }))];
  const armed = (/** @type {Chosen} */ chosen) => weapons.find(({ id }) => id === chosen.weapon);
  const chosenAction = (/** @type {Chosen} */ chosen) => actions.find((/** @type {any} */ one) => one.action === chosen.way);
  const known = (/** @type {Chosen} */ chosen) => {
    const schema = schemaOf(chosenAction(chosen)?.procedure);
    const weapon = armed(chosen)?.said;
    const { aim, ...there } = places(schema, attacker, target, people(chosen), circle);
    const open = aim && chosenAction(chosen)?.situation?.aim === undefined;
    return joined({ ...(weapon ? { weapon } : {}), ...(spot(chosen) ? {} : there), ...(open && !spot(chosen) ? { aim } : {}) }, situation);
  };
  // Where the fight knows positions, the circle is a place on its map: it works out who is in reach of it, and of its scatter.
  const place = circle && own?.position && attacker.object && setting("positions") && canvas.scene ? spotOf(circle, canvas.scene.grid) : null;
  const spot = (/** @type {Chosen} */ chosen) => (place && recordsAround(schemaOf(chosenAction(chosen)?.procedure)).length > 0 && chosenAction(chosen)?.situation?.aim === undefined ? place : null);
  const fighters = [target, ...others].filter(({ actor }) => fighterOf(actor));
  const people = (/** @type {Chosen} */ chosen) => byRecord(schemaOf(chosenAction(chosen)?.procedure), circle ? fighters : [target, ...others], circle);
  const told = (/** @type {Chosen} */ chosen) => {
    if (spot(chosen)) return { spot: spot(chosen) };
    const { target: aimed, ...further } = people(chosen);
    const ids = Object.values(further).map(({ actor }) => fighterOf(actor)).filter(Boolean);
    return { ...(aimed ? { target: fighterOf(aimed.actor) } : {}), ...(ids.length > 0 ? { others: ids } : {}) };
  };
  const body = (/** @type {Chosen} */ chosen) => ({
    combatant: fighter,
    action: chosen.way,
    ...told(chosen),
    ...(chosen.weapon && !armed(chosen)?.said ? { item: chosen.weapon } : {}),
    situation: joined(known(chosen), chosen.said),
    ...(chosen.modifiers.length > 0 ? { modifiers: chosen.modifiers } : {}),
  });
  // What needs to be said here, such as a distance, can be taken; what is unlikely comes after it, what is refused last.
  // Into a circle one throws or shoots; what lies there already goes off by itself.
  const takeable = (/** @type {any} */ one) => one.allowed || (one.missing?.length > 0 && !one.unlikely);
  const refused = (/** @type {any} */ one) => !takeable(one) && !one.unlikely;
  const open = (/** @type {any} */ one) => Number(!circle || one.situation?.aim === undefined);
  const likely = new Map(usual?.map((/** @type {any} */ one, /** @type {number} */ at) => [one.action, at]) ?? []);
  const rank = (/** @type {any} */ one) => likely.get(one.action) ?? likely.size;
  const sorted = [...attacks].sort(
    (a, b) => Number(refused(a)) - Number(refused(b)) || open(b) - open(a) || Number(takeable(b)) - Number(takeable(a)) || rank(a) - rank(b),
  );
  const wantedAction = action ? actions.find((/** @type {any} */ one) => one.action === action) : undefined;
  const ready = weapons.find(({ ready }) => ready) ?? weapons[0];
  const slug = named.get(weapon ?? "") ? weapon : items.find(({ id }) => id === weapon);
  const first = typeof slug === "string" ? slug : slug ? slugOf(slug, "weapon") || (slug.id ?? "") : (wantedAction?.item ?? ready?.id ?? "");
  const suited = sorted.find((one) => takeable(one) && one.item === first && one.judged.length === 0) ?? sorted.find((one) => !refused(one) && one.item === first);
  return {
    title: titled(attacker, [target, ...others], circle),
    notes: [
      ...inCircle([target, ...others], circle),
      ...(fighterOf(target.actor) ? [] : [game.i18n.format("FRACAS.attack.not-in-fight", { name: target.name })]),
      ...unknown.flatMap((item) => [game.i18n.format("FRACAS.attack.no-pack", { name: item.name ?? "" }), ...noted({ name: item.name ?? "" }, weaponOf(mapping, item))]),
    ],
    weapons: weapons.map(({ id, label }) => ({ id, label })),
    weapon: first,
    ways: sorted.map(({ action, label, reasons, ...one }) => ({
      id: action,
      label,
      ...(!refused(one) ? {} : { why: reasons.map((/** @type {any} */ { message }) => message).join("; ") }),
    })),
    way: action ?? suited?.action ?? sorted[0]?.action ?? "",
    schema: async (chosen) => schemaOf(chosenAction(chosen)?.procedure),
    settled: (chosen) => chosenAction(chosen)?.situation ?? {},
    meant: (way) => actions.find((/** @type {any} */ one) => one.action === way)?.item ?? "",
    named: (chosen) => ({ attacker: attacker.name, ...Object.fromEntries(Object.entries(people(chosen)).map(([record, { name }]) => [record, name])) }),
    known,
    suggestions: async (chosen) => {
      const schema = schemaOf(chosenAction(chosen)?.procedure);
      return circle ? [] : suggestionsFor(mapping, schema, joined(known(chosen), chosen.said), attacker.object, target.object);
    },
    odds: (chosen, signal) => fight.odds(body(chosen), signal),
    proposes: true,
    roll: async (chosen) => {
      const item = named.get(chosen.weapon) ?? items.find(({ id }) => id === chosen.weapon);
      if (!allowed({ ...sides(attacker, [target, ...others], item), way: chosen.way, situation: body(chosen).situation })) return undefined;
      const title = [chosenAction(chosen)?.label ?? chosen.way, armed(chosen)?.label].filter(Boolean).join(": ");
      return actInChat(fight, body(chosen), { title, things: item?.uuid ? { weapon: item.uuid } : {}, speaker: ChatMessage.getSpeaker({ actor: attacker.actor }) });
    },
  };
}
