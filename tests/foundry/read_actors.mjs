// What the sheet mapping of a system reads of exported actors: those on standard input, as JSON on standard output.
//
// node read_actors.mjs SYSTEM [FOLDER]: with FOLDER, a checkout of the system, its own classes make and prepare the actors;
// without it the facts of the system do, and what the system works out is worked out here.

import { readFileSync } from "node:fs";

import { combatantOf, weaponOf, weaponsOf } from "../../integrations/foundry/scripts/sheet-mapping.mjs";
import { mapping, system } from "./sheets.mjs";

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const best = (numbers) => Math.max(0, ...numbers);
const ofType = (actor, type) => actor.items.filter((item) => item.type === type).map((item) => item.system);

/** What each system works out for an actor, as far as its mapping reads it. */
const WORKED_OUT = {
  shadowrun4e(actor) {
    const worn = ofType(actor, "Armor").filter(({ equipped }) => equipped);
    for (const [kind, field] of [["ballistic", "ballisticarmor"], ["impact", "impactarmor"]]) {
      const suits = worn.filter(({ stackingType }) => stackingType === "standard").map((one) => one[field]);
      const more = worn.filter(({ stackingType }) => stackingType !== "standard").map((one) => one[field]);
      actor.system.armor[kind] += best(suits) + sum(more);
    }
    actor.system.derivedStats.passesString = `${1 + actor.system.modifiers.initiative.passes.physical}/0/0`;
  },
  shadowrun5e(actor, { tables }) {
    const { attributes, armor, host, initiative, matrix, modifiers, metatype, is_npc, vehicle_stats: stats } = actor.system;
    const added = (is_npc && tables.metatypes[metatype]?.attributes) || {};
    for (const [name, attribute] of Object.entries(attributes)) attribute.value = attribute.base + (added[name] ?? 0);
    const counted = (names, by) => names.forEach((name) => (attributes[name].value += by));
    const mental = ["willpower", "logic", "intuition", "charisma"];
    const body = ["body", "agility", "reaction", "strength"];
    const key = (name) => name.trim().replace(/[\s-]+/g, "_").toLowerCase();
    const skills = actor.items.filter(({ type }) => type === "skill");
    actor.system.skills.active = Object.fromEntries(skills.map((item) => [key(item.name), { value: item.system.skill.rating }]));
    for (const one of Object.values({ ...stats, ...matrix })) if (one?.base !== undefined) one.value = one.base;
    if (actor.type === "ic") {
      counted(mental, host.rating);
      for (const { value, att } of Object.values(host.atts)) matrix[att].value = value;
      return;
    }
    if (actor.type === "sprite") {
      for (const att of ["attack", "sleaze", "data_processing", "firewall"]) matrix[att].value += attributes.level.value;
      return;
    }
    if (actor.type === "spirit") counted([...body, ...mental, "magic", "essence"], attributes.force.value);
    if (actor.type === "vehicle") {
      for (const name of ["agility", "reaction", ...mental]) attributes[name].value = stats.pilot.value;
      attributes.strength.value = attributes.body.value;
      for (const att of ["data_processing", "firewall"]) matrix[att].value = stats.pilot.value;
    }
    const worn = ofType(actor, "armor").filter(({ technology }) => technology.equipped).map((one) => one.armor);
    const suits = worn.filter(({ accessory }) => !accessory).map(({ value }) => value);
    const more = sum(worn.filter(({ accessory }) => accessory).map(({ value }) => value));
    armor.rating.value = best([armor.rating.base, ...suits]) + more + modifiers.armor;
    initiative.meatspace.dice.value = initiative.meatspace.dice.base;
    for (const { value, att } of ofType(actor, "device").flatMap(({ atts }) => Object.values(atts))) if (value > 0) matrix[att].value = value;
  },
  swnr(actor) {
    const own = actor.system;
    const armor = ofType(actor, "armor");
    if (actor.type === "npc") {
      own.ac = own.baseAc;
      own.modifiedTraumaTarget = own.traumaTarget + sum(armor.map(({ traumaDiePenalty }) => traumaDiePenalty));
      return;
    }
    for (const stat of Object.values(own.stats)) stat.total = stat.base + stat.boost + stat.temp;
    const dexterity = own.stats.dex.total;
    const modifier = dexterity <= 3 ? -2 : dexterity <= 7 ? -1 : dexterity <= 13 ? 0 : dexterity <= 17 ? 1 : 2;
    const worn = armor.filter(({ use, location }) => use && location === "readied");
    const suit = worn.filter(({ shield, ac }) => !shield && ac > own.baseAc).sort((a, b) => b.ac - a.ac)[0];
    const shields = worn.filter(({ shield }) => shield);
    own.modifiedTraumaTarget = own.traumaTarget + (suit?.traumaDiePenalty ?? 0);
    own.ac = (suit?.ac ?? own.baseAc) + modifier + sum(shields.map(({ shieldACBonus }) => shieldACBonus));
    own.meleeAc = (suit?.meleeAc ?? own.baseAc) + modifier + sum(shields.map(({ shieldMeleeACBonus }) => shieldMeleeACBonus));
  },
  "dark-heresy"(actor) {
    for (const one of Object.values(actor.system.characteristics)) one.total = one.base + one.advance;
  },
};

function byFacts(id, source) {
  const known = system(id);
  const complaints = [];
  const stored = (kind, document) => {
    try {
      return { ...document, id: document._id, system: known.stored(kind, document.type, document.system, true) };
    } catch (error) {
      complaints.push(`${document.name}: ${error.message}`);
      return { ...document, id: document._id };
    }
  };
  const actor = stored("actors", { ...source, items: source.items.map((item) => stored("items", item)) });
  if (complaints.length === 0) WORKED_OUT[id]?.(actor, known.facts);
  return { document: actor, complaints, faults: [] };
}

const [id, folder] = process.argv.slice(2);
const sources = JSON.parse(readFileSync(0, "utf-8"));
const made = folder
  ? (await (await import("../../scripts/system_facts/actors.mjs")).actorsOf(folder, sources, id === "swnr" || undefined)).made
  : sources.map((source) => byFacts(id, source));
const own = mapping(id);
const escaped = (name) => name.replaceAll("&", "&amp;").replaceAll("'", "&#x27;").replaceAll('"', "&quot;");
/** Whom and what the sheet of the system does not name: the actor, weapons and armor. */
const unseen = (html, { name, items }) => {
  const gear = items.filter(({ flags }) => !flags.fracas.trait).map((item) => item.name);
  return [name, ...gear].filter((one) => !html.includes(escaped(one)) && !html.includes(one));
};
const readings = made.map(({ document, complaints, faults, html }, at) => ({
  entry: sources[at].flags.fracas.entry,
  complaints,
  faults: [...faults, ...(html === undefined ? [] : unseen(html, sources[at]).map((one) => `${sources[at].name}: the sheet does not show ${one}`))],
  ...(complaints.length === 0 ? combatantOf(own, document) : {}),
  whole: complaints.length === 0 ? combatantOf(own, Object.create(document, { flags: { value: {} } })).said : {},
  weapons: weaponsOf(own, { items: [...document.items] }).map((item) => weaponOf(own, item).said),
}));
process.stdout.write(JSON.stringify(readings));
