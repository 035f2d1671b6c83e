// Sheets of the game systems, made of what their data models have: a field that the facts do not list is refused.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { SystemData } from "../browser/foundry_stand_in/system_data.mjs";
import { utils } from "../browser/foundry_stand_in/utils.mjs";

/** @param {string | undefined} folder @param {string} id */
const read = (folder, id) => JSON.parse(readFileSync(join(folder ?? "", `${id}.json`), "utf8"));

/** @param {string} id */
export function mapping(id) {
  return read(process.env.FRACAS_MAPPINGS, id);
}

/** @param {string} id */
export function system(id) {
  return new SystemData(read(process.env.FRACAS_SYSTEMS, id));
}

const known = Object.fromEntries(["shadowrun4e", "shadowrun5e", "swnr", "dark-heresy"].map((id) => [id, system(id)]));

/**
 * The `system` of a document: what a new one has, with other values at some paths, and what the system works out.
 *
 * @param {string} id of the game system
 * @param {"actors" | "items"} kind
 * @param {string} type
 * @param {object} values nested or dotted
 * @param {Record<string, unknown>} [derived] by path
 */
export function data(id, kind, type, values, derived = {}) {
  const made = known[id].stored(kind, type, utils.expandObject(values), true);
  for (const [path, value] of Object.entries(known[id].derived(kind, type, derived))) utils.setProperty(made, path, value);
  return made;
}

/** @param {string} id @param {string} kind @param {string} type @param {any} document @param {object} values @param {any} [derived] */
export const document = (id, kind, type, document, values, derived) => ({ flags: {}, ...document, type, system: data(id, kind, type, values, derived) });

export const attributes = { BODY: 4, AGILITY: 5, REACTION: 4, STRENGTH: 3, CHARISMA: 3, INTUITION: 4, LOGIC: 3, WILLPOWER: 3 };

/** A skill of shadowrun4e as its compendium has it. */
export const sr4Skill = (id, name, label, rating) => document("shadowrun4e", "items", "Skill", { id, name }, { label, rating });

export function runner() {
  const sheet = {
    sheetStats: { ...attributes, EDGE: 3, CURRENTEDGE: 2, MAGIC: 0 },
    "derivedStats.passesString": "2/1/3",
    armor: { ballistic: 8, impact: 6 },
    "conditionMonitor.physical.value": 1,
    "descriptionAndNotes.metatype": "Human",
  };
  const items = [
    sr4Skill("s1", "Pistols", "sr4.skills.pistols", 4),
    sr4Skill("s2", "dodge ", "", 2),
    sr4Skill("s3", "Etiquette", "sr4.skills.etiquette", 3),
    sr4Skill("s4", "Blades", "sr4.skills.blades", 0),
    pistol(),
    { ...pistol(), id: "w2", flags: { fracas: { entry: "sr4-core:weapon/ares-predator-iv" } } },
  ];
  return { ...document("shadowrun4e", "actors", "character", { id: "actor1", name: "Rook" }, sheet), items };
}

export function pistol() {
  return document("shadowrun4e", "items", "Ranged Weapon", { id: "w1", name: "Heavy pistol" }, {
    category: "HEAVY_PISTOLS",
    attackSkill: "PISTOLS",
    damage: 5,
    damageType: "PHYSICAL",
    ap: -1,
    armorType: "ballistic",
    mode: "SEMI_AUTOMATIC",
    maxAmmo: 15,
    currentAmmo: 12,
    ammoFeed: "c",
    smartlink: true,
  });
}

/** @param {string} id @param {string} name @param {number} value @param {number} max @param {object} more */
const armor = (id, name, value, max, more) => document("swnr", "items", "armor", { id, name }, { soak: { value, max }, ...more });

export function operator() {
  const skill = (id, name, rank) => document("swnr", "items", "skill", { id, name }, { rank });
  const sheet = { "level.value": 3, ab: 2, health: { value: 14, max: 18 }, meleeAc: 13, "systemStrain.value": 1 };
  const derived = { ac: 15, modifiedTraumaTarget: 7, "stats.str.total": 10, "stats.dex.total": 14, "stats.wis.total": 11 };
  const worn = { location: "readied", use: true };
  const items = [
    skill("k1", "Shoot", 1),
    skill("k2", "Stab", -1),
    skill("k3", "Sneak", 0),
    armor("a1", "Vest", 2, 5, worn),
    armor("a2", "Helmet", 3, 3, worn),
    armor("a3", "Spare", 9, 9, { ...worn, location: "stowed" }),
    armor("a4", "Suit in the bag", 10, 10, { ...worn, use: false }),
  ];
  return { ...document("swnr", "actors", "character", { id: "actor2", name: "Wren" }, sheet, derived), items };
}
