import assert from "node:assert/strict";
import test from "node:test";

import { customMapping, places, ratingPlaces } from "../../integrations/foundry/scripts/own-mapping.mjs";
import {
  changesOf,
  combatantOf,
  slugOf,
  stateChangesOf,
  weaponOf,
  weaponsOf,
} from "../../integrations/foundry/scripts/sheet-mapping.mjs";
import { document, mapping, operator, pistol, runner, sr4Skill, system } from "./sheets.mjs";

const sr4 = mapping("shadowrun4e");
const sr5 = mapping("shadowrun5e");
const cwn = mapping("swnr");
const faults = (reading) => Object.fromEntries(reading.missing.map(({ field, why, value }) => [field, [why, value]]));

test("a shadowrun4e sheet is read in the words of sr4", () => {
  const { said, missing } = combatantOf(sr4, runner());
  assert.deepEqual(said, {
    name: "Rook", body: 4, agility: 5, reaction: 4, strength: 3, charisma: 3, intuition: 4, logic: 3, willpower: 3,
    edge: 3, edge_points: 2, magic: 0, ballistic: 8, impact: 6, physical: 1, stun: 0, grunt: false, passes: 2,
    metatype: "human", skills: { pistols: 4, dodge: 2 },
  });
  assert.deepEqual(missing.map(({ field, why }) => `${field} ${why}`), ["senses absent", "smartlink absent"]);
});

test("worn armor is said by its pieces if packs know all that protects, else by the sheet's own number", () => {
  const piece = (id, entry, equipped) => document("shadowrun4e", "items", "Armor", { id, name: id, ...(entry ? { flags: { fracas: { entry } } } : {}) }, { equipped });
  const armed = (actor, ...pieces) => {
    const { said } = combatantOf(sr4, { ...runner(), ...actor, items: [...runner().items, ...pieces] });
    return [said.armor, said.ballistic, said.impact];
  };
  const ofPack = { flags: { fracas: { entry: "sr4-core:combatant/rook" } } };
  const jacket = piece("a1", "sr4-core:armor/armor-jacket", true);
  assert.deepEqual(armed(ofPack, jacket, piece("a2", "sr4-core:armor/helmet", false)), [["armor-jacket"], undefined, undefined]);
  assert.deepEqual(armed(ofPack), [[], undefined, undefined]);
  assert.deepEqual(armed(ofPack, jacket, piece("a3", "", true)), [undefined, 8, 6]);
  assert.deepEqual(armed(ofPack, jacket, piece("a3", "", false)), [["armor-jacket"], undefined, undefined]);
  assert.deepEqual(armed({}, jacket), [undefined, 8, 6]); // what else protects people of no pack stands on the sheet alone

  const inquisition = (...items) => combatantOf(mapping("dark-heresy"), { ...document("dark-heresy", "actors", "npc", { name: "x" }, {}), items });
  const flak = { type: "armour", name: "Flak vest", flags: { fracas: { entry: "imperium-core:armor/flak-vest" } } };
  assert.deepEqual(inquisition(flak, flak).said.armor, ["flak-vest"]);
  assert.deepEqual(faults(inquisition(flak, { type: "armour", name: "Robe" })).armor, ["not-of-packs", ""]);
});

test("what a sheet lacks is named with its place, and nothing stands in for it", () => {
  const actor = runner();
  delete actor.system.sheetStats.BODY;
  actor.system.sheetStats.AGILITY = "fast";
  actor.system.sheetStats.REACTION = 4.5;
  actor.system.descriptionAndNotes.metatype = "Centaur";
  actor.system.simpleHp = "perhaps";
  const reading = combatantOf(sr4, actor);
  for (const field of ["body", "agility", "reaction", "metatype", "grunt"]) assert.ok(!(field in reading.said), field);
  assert.deepEqual(faults(reading), {
    body: ["no-path", ""],
    agility: ["not-whole", "fast"],
    reaction: ["not-whole", "4.5"],
    metatype: ["unknown-word", "Centaur"],
    grunt: ["not-flag", "perhaps"],
    senses: ["absent", sr4.combatants[0].absent.senses],
    smartlink: ["absent", sr4.combatants[0].absent.smartlink],
  });
  assert.deepEqual(reading.missing.find(({ field }) => field === "body"), {
    field: "body", why: "no-path", paths: ["system.sheetStats.BODY"], value: "", needed: true,
  });
});

test("skills in another language are not taken for none", () => {
  const actor = runner();
  actor.items = [sr4Skill("s", "Pistolen", "", 4)];
  assert.deepEqual(faults(combatantOf(sr4, actor)).skills, ["unknown-word", "Pistolen"]);
  actor.items = [sr4Skill("s", "Pistolen", "sr4.skills.pistols", 4), sr4Skill("t", "Wurfwaffen", "sr4.skills.throwingweapons", 6)];
  assert.deepEqual(combatantOf(sr4, actor).said.skills, { pistols: 4, "throwing-weapons": 6 });
  actor.items = [];
  assert.deepEqual(combatantOf(sr4, actor).said.skills, {});
});

test("every skill of the compendium is read that the ruleset fights with", () => {
  const { skills } = system("shadowrun4e").facts;
  const actor = runner();
  actor.items = Object.entries(skills).map(([label, name], at) => sr4Skill(`s${at}`, name, label, 4));
  const wanted = new Set(Object.values(sr4.combatants[0].fields.skills.ratings.words));
  assert.deepEqual(new Set(Object.keys(combatantOf(sr4, actor).said.skills)), wanted);
  // As characters made by hand or by an older version have them: names alone, with hyphens.
  actor.items.forEach((item) => (item.system.label = ""));
  assert.deepEqual(new Set(Object.keys(combatantOf(sr4, actor).said.skills)), wanted);
});

test("a shadowrun5e character, spirit and drone are read in the words of sr5", () => {
  const five = (type, values) => combatantOf(sr5, document("shadowrun5e", "actors", type, { name: type }, values));
  const attributes = Object.fromEntries(["body", "agility", "reaction", "strength", "willpower", "intuition"].map((name) => [name, { value: 4 }]));
  const skill = (value) => ({ value, base: value });
  const runner = five("character", {
    attributes: { ...attributes, edge: { value: 3, uses: 2 } },
    "armor.rating.value": 12,
    "track.physical.value": 1,
    "skills.active": { pistols: skill(5), exotic_ranged_weapon: skill(3), etiquette: skill(6) },
  });
  assert.deepEqual(runner.missing.filter(({ needed }) => needed), []);
  assert.equal(runner.said.armor_value, 12);
  assert.equal(runner.said.physical, 1);
  assert.deepEqual(runner.said.skills, { pistols: 5, "exotic-ranged-weapon": 3 });
  const spirit = five("spirit", { attributes: { ...attributes, force: { value: 5 } }, "skills.active": { unarmed_combat: skill(5) } });
  assert.equal(spirit.said.force, 5);
  const drone = five("vehicle", { "vehicle_stats.pilot.value": 3, "attributes.body.value": 4, "armor.rating.value": 6, "track.physical.value": 2, "skills.active": {} });
  assert.deepEqual(drone.missing.filter(({ needed }) => needed), []);
  const { vehicle, nature, pilot, body, armor_value, physical, stun, initiative_dice } = drone.said;
  assert.deepEqual(
    { vehicle, nature, pilot, body, armor_value, physical, stun, initiative_dice },
    { vehicle: true, nature: "drone", pilot: 3, body: 4, armor_value: 6, physical: 2, stun: 0, initiative_dice: 4 },
  );
});

test("a type of actor without a mapping is named", () => {
  const { said, missing } = combatantOf(sr4, { ...runner(), type: "vehicle" });
  assert.deepEqual(said, {});
  assert.deepEqual(missing, [{ field: "type", why: "no-type", paths: ["type"], value: "vehicle", needed: true }]);
});

test("a weapon is read by its fields, and one that came from a pack by its name there", () => {
  const [own, ofPack] = weaponsOf(sr4, runner());
  assert.deepEqual(weaponOf(sr4, own), {
    said: {
      name: "Heavy pistol", category: "heavy-pistol", range: "heavy-pistol", skill: "pistols", dv: 5, damage: "physical",
      electric: false, ap: -1, armor_kind: "ballistic", modes: ["SA"], rc: 0, magazine: 15, rounds: 12, feed: "clip",
      features: ["smartgun"],
    },
    missing: [],
  });
  assert.deepEqual(weaponOf(sr4, ofPack), { said: { use: "ares-predator-iv", rounds: 12 }, missing: [] });
  assert.equal(slugOf({ flags: { fracas: { entry: "sr4-core:armor/armor-vest" } } }, "weapon"), "");
});

test("what a weapon's own words cannot say is named", () => {
  const weapon = pistol();
  Object.assign(weapon.system, { damage: "(STR/2)P", mode: "SA/BF", smartlink: false, damageType: "ELECTRICITY" });
  const reading = weaponOf(sr4, weapon);
  assert.deepEqual(faults(reading), { dv: ["not-whole", "(STR/2)P"], modes: ["unknown-word", "SA/BF"] });
  assert.equal(reading.said.element, "electricity");
  assert.equal(reading.said.electric, true);
  assert.equal(reading.said.damage, "stun");
  assert.ok(!("features" in reading.said), "that it has no smartlink says nothing of other features");
});

test("an swnr sheet is read in the words of cwn", () => {
  const { said } = combatantOf(cwn, operator());
  assert.deepEqual(said, {
    name: "Wren", named: true, level: 3, base_attack_bonus: 2, strength: 10, dexterity: 14, wisdom: 11, hp: 14,
    ranged_ac: 15, melee_ac: 13, trauma_target: 7, soak: 5, system_strain: 1, move: 10, skills: { shoot: 1, sneak: 0 },
  });
});

test("losses of a pool go from one piece to the next, and come back", () => {
  const wren = operator();
  assert.deepEqual(changesOf(cwn, wren, "soak", { by: -4 }), [
    { item: "a1", path: "system.soak.value", from: 2, to: 0 },
    { item: "a2", path: "system.soak.value", from: 3, to: 1 },
  ]);
  assert.deepEqual(changesOf(cwn, wren, "soak", { by: -9 }), [
    { item: "a1", path: "system.soak.value", from: 2, to: 0 },
    { item: "a2", path: "system.soak.value", from: 3, to: 0 },
  ]);
  assert.deepEqual(changesOf(cwn, wren, "soak", { by: 9 }), [{ item: "a1", path: "system.soak.value", from: 2, to: 5 }]);
});

test("changes go to what is stored, not to what effects make of it, and stop at 0", () => {
  const wren = { ...operator(), _source: { system: { health: { value: 12 } } } };
  assert.deepEqual(changesOf(cwn, wren, "hp", { by: -5 }), [{ item: "", path: "system.health.value", from: 12, to: 7 }]);
  assert.deepEqual(changesOf(cwn, wren, "hp", { by: -50 }), [{ item: "", path: "system.health.value", from: 12, to: 0 }]);
  assert.deepEqual(changesOf(cwn, wren, "hp", { by: 0 }), []);
  assert.equal(changesOf(cwn, wren, "level", { by: 1 }), null);
  assert.equal(changesOf(cwn, wren, "nonsense", { by: 1 }), null);
  assert.deepEqual(stateChangesOf(sr4, pistol(), "rounds", { by: -3 }), [
    { item: "w1", path: "system.currentAmmo", from: 12, to: 9 },
  ]);
});

test("a mapping of one's own reads and writes where people said", () => {
  const actor = { id: "x", type: "hero", name: "Ada", flags: {}, system: { stats: { tough: 4 }, boxes: { left: 7, all: 10 } } };
  const own = customMapping(mapping("generic"), {
    ruleset: "sr4",
    type: "hero",
    combatant: { body: { from: "system.stats.tough" }, physical: { from: "system.boxes.left", down_from: "system.boxes.all", writes: true } },
  });
  assert.equal(own.ruleset, "sr4");
  assert.deepEqual(combatantOf(own, actor), { said: { name: "Ada", body: 4, physical: 3 }, missing: [] });
  assert.deepEqual(changesOf(own, actor, "physical", { by: 2 }), [{ item: "", path: "system.boxes.left", from: 7, to: 5 }]);
  assert.equal(changesOf(own, actor, "body", { by: 2 }), null);
  const bare = combatantOf(own, { ...actor, system: { boxes: { left: 7 } } });
  assert.deepEqual(bare.missing.map(({ field, why, needed }) => [field, why, needed]), [
    ["body", "no-path", true],
    ["physical", "no-path", true],
  ]);
});

test("the places that can be chosen are all that hold a plain value", () => {
  const system = { hp: { value: 4 }, bio: "<p>long</p>", list: [1], tall: true, kind: "ork", none: null };
  assert.deepEqual(places({ system }), [
    { path: "system.hp.value", value: 4 },
    { path: "system.kind", value: "ork" },
    { path: "system.tall", value: true },
  ]);
});

test("skills are found by their names, as items and as members of an object", () => {
  const words = { pistols: "pistols", "heavy-weapons": "heavy-weapons", dodge: "dodge" };
  const system = { talents: { pistols: 3, heavyWeapons: 2, knitting: 5 }, arts: { dodge: { value: 1, mods: [] }, heavy_weapons: { value: 2 } }, other: { pistols: 1 } };
  const items = [
    { type: "Gear", name: "Rope", system: { weight: 2 } },
    { type: "Ability", name: "Heavy Weapons", system: { rank: 4, cost: "x" } },
  ];
  assert.deepEqual(ratingPlaces({ system, items }, words), [
    { items: "Ability", rating: "system.rank", example: "Heavy Weapons = 4" },
    { object: "system.talents", rating: ".", example: "pistols = 3" },
    { object: "system.arts", rating: "value", example: "dodge = 1" },
  ]);
  for (const [place, skills] of [
    [{ object: "system.talents", rating: "." }, { pistols: 3, "heavy-weapons": 2 }],
    [{ object: "system.arts", rating: "value" }, { dodge: 1, "heavy-weapons": 2 }],
    [{ items: "Ability", rating: "system.rank" }, { "heavy-weapons": 4 }],
  ]) {
    const own = customMapping(mapping("generic"), { ruleset: "sr4", type: "hero", combatant: {}, skills: { ...place, words } });
    assert.deepEqual(combatantOf(own, { type: "hero", name: "x", system, items }).said.skills, skills);
  }
});
