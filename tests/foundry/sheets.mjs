// Sheets of the systems as their sources describe them, as far as the mappings read them.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** @param {string} id */
export function mapping(id) {
  return JSON.parse(readFileSync(join(process.env.FRACAS_MAPPINGS ?? "", `${id}.json`), "utf8"));
}

export const attributes = { BODY: 4, AGILITY: 5, REACTION: 4, STRENGTH: 3, CHARISMA: 3, INTUITION: 4, LOGIC: 3, WILLPOWER: 3 };

export function runner() {
  return {
    id: "actor1",
    name: "Rook",
    type: "character",
    flags: {},
    system: {
      sheetStats: { ...attributes, EDGE: 3, CURRENTEDGE: 2, MAGIC: 0 },
      derivedStats: { passesString: "2/1/3" },
      armor: { ballistic: 8, impact: 6 },
      conditionMonitor: { physical: { current: 1, max: 10 }, stun: { current: 0, max: 10 } },
      descriptionAndNotes: { metatype: "Human" },
      simpleHp: false,
    },
    items: [
      { id: "s1", type: "Skill", name: "Pistols", system: { rating: 4 } },
      { id: "s2", type: "Skill", name: "dodge ", system: { rating: 2 } },
      { id: "s3", type: "Skill", name: "Etiquette", system: { rating: 3 } },
      { id: "s4", type: "Skill", name: "Blades", system: { rating: 0 } },
      pistol(),
      { ...pistol(), id: "w2", flags: { fracas: { entry: "sr4-core:weapon/ares-predator-iv" } } },
    ],
  };
}

export function pistol() {
  return {
    id: "w1",
    name: "Heavy pistol",
    type: "Ranged Weapon",
    flags: {},
    system: {
      category: "HEAVY_PISTOLS",
      attackSkill: "PISTOLS",
      damage: "5",
      damageType: "PHYSICAL",
      ap: "-1",
      armorType: "ballistic",
      mode: "SEMI_AUTOMATIC",
      rc: 0,
      maxAmmo: 15,
      currentAmmo: 12,
      ammoFeed: "c",
      smartlink: true,
    },
  };
}

export function operator() {
  return {
    id: "actor2",
    name: "Wren",
    type: "character",
    flags: {},
    system: {
      level: { value: 3 },
      ab: 2,
      stats: { str: { total: 10 }, dex: { total: 14 }, wis: { total: 11 } },
      health: { value: 14, max: 18 },
      ac: 15,
      meleeAc: 13,
      modifiedTraumaTarget: 7,
      traumaTarget: 6,
      systemStrain: { value: 1 },
      speed: 10,
    },
    items: [
      { id: "k1", type: "skill", name: "Shoot", system: { rank: 1 } },
      { id: "k2", type: "skill", name: "Stab", system: { rank: -1 } },
      { id: "k3", type: "skill", name: "Sneak", system: { rank: 0 } },
      { id: "a1", type: "armor", name: "Vest", system: { location: "readied", soak: { value: 2, max: 5 } } },
      { id: "a2", type: "armor", name: "Helmet", system: { location: "readied", soak: { value: 3, max: 3 } } },
      { id: "a3", type: "armor", name: "Spare", system: { location: "stowed", soak: { value: 9, max: 9 } } },
    ],
  };
}
