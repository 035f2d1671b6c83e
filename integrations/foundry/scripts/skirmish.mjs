/**
 * Skirmishes of packs on the scene: their people as tokens, and a Combat of them. For the game master.
 *
 * The folder of a skirmish in a compendium of actors says who is in it (flag `skirmish`).
 */

import { METRES } from "./distances.mjs";
import { MODULE } from "./settings.mjs";
import { placesOf } from "./skirmish-places.mjs";

/**
 * @typedef {object} Skirmish
 * @property {string} id of its entry, such as sr4-core:skirmish/loading-dock
 * @property {string} name
 * @property {string} description
 * @property {number} distance between the sides, in metres; 0: not known
 * @property {import("./skirmish-places.mjs").Participant[]} combatants
 */

/**
 * @typedef {object} How
 * @property {boolean} [players] also place those that players play
 * @property {boolean} [hidden] hide all others from players
 * @property {boolean} [combat] make a Combat of all who are placed
 */

/** The skirmishes of all compendiums of actors for this game system, by name. @returns {Skirmish[]} */
export function skirmishes() {
  /** @type {Map<string, Skirmish>} */
  const found = new Map();
  for (const pack of actorPacks()) {
    for (const { name, flags } of pack.folders) {
      const { entry, skirmish } = flags?.[MODULE] ?? {};
      if (skirmish) found.set(entry, { id: entry, name, ...skirmish });
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Puts the people of a skirmish on the scene that is seen. Actors come out of the compendiums; those that the world has of the
 * same entries are taken as they are, and a player's token that is there stays where it is.
 *
 * @param {Skirmish} skirmish
 * @param {How} [how]
 * @returns {Promise<any[]>} the documents of their tokens
 */
export async function placeSkirmish(skirmish, { players = true, hidden = true, combat = true } = {}) {
  if (!game.user?.isGM) throw new Error(game.i18n.localize("FRACAS.error.gm-only"));
  const { scene } = canvas;
  if (!scene) throw new Error(game.i18n.localize("FRACAS.skirmish.no-scene"));
  const wanted = skirmish.combatants.filter(({ player }) => players || !player);
  const actors = await actorsOf(skirmish, wanted);
  /** @type {any[]} */
  const there = [];
  const sources = [];
  for (const { actor: id, name, player, x, y } of placesOf(wanted, skirmish.distance, ground(scene))) {
    const actor = actors.get(id);
    const [known] = actor.hasPlayerOwner ? actor.getActiveTokens() : [];
    if (known) there.push(known.document);
    else {
      const token = await actor.getTokenDocument({ x, y, hidden: hidden && !player });
      sources.push({ ...token.toObject(), name: actor.hasPlayerOwner ? actor.name : name });
    }
  }
  const tokens = [...there, ...(await scene.createEmbeddedDocuments("Token", sources))];
  if (combat) await combatOf(tokens, scene);
  return tokens;
}

/** @returns {any[]} compendiums of actors for this game system */
function actorPacks() {
  return game.packs.filter((/** @type {any} */ { documentName, metadata }) => documentName === "Actor" && (metadata.system ?? game.system.id) === game.system.id);
}

/**
 * Actors of the world by their ids in the compendiums.
 *
 * @param {Skirmish} skirmish
 * @param {Skirmish["combatants"]} wanted
 */
async function actorsOf(skirmish, wanted) {
  /** @type {Map<string, any>} */
  const found = new Map();
  const lost = [];
  for (const { actor: id, name } of wanted.filter((one, at) => wanted.findIndex(({ actor }) => actor === one.actor) === at)) {
    const pack = await packOf(id);
    const entry = (await pack?.getDocument(id))?.flags[MODULE]?.entry;
    const known = game.actors.filter((/** @type {any} */ one) => entry && one.flags[MODULE]?.entry === entry);
    const actor = known.find(({ hasPlayerOwner }) => hasPlayerOwner) ?? known[0];
    if (pack) found.set(id, actor ?? { pack, id });
    else lost.push(name);
  }
  if (lost.length > 0) throw new Error(game.i18n.format("FRACAS.skirmish.lost", { names: lost.join(", ") }));
  // Only when all are there: a skirmish that lacks someone leaves nothing behind.
  const missing = [...found].filter(([, one]) => one.pack);
  const folder = missing.length > 0 ? (await worldFolder(skirmish)).id : null;
  const actors = game.actors;
  for (const [id, { pack }] of missing) found.set(id, await actors.importFromCompendium(pack, id, { folder }));
  return found;
}

/** @param {string} id of an actor @returns {Promise<any>} the compendium that has it; undefined if none has */
async function packOf(id) {
  for (const pack of actorPacks()) if ((await pack.getIndex()).has(id)) return pack;
  return undefined;
}

/** @param {Skirmish} skirmish @returns {Promise<any>} the folder of the world for its actors */
async function worldFolder({ id, name }) {
  const known = game.folders.find((/** @type {any} */ { type, flags }) => type === "Actor" && flags?.[MODULE]?.entry === id);
  return known ?? Folder.create({ name, type: "Actor", flags: { [MODULE]: { entry: id } } });
}

/** @param {Scene.Implementation} scene @returns {import("./skirmish-places.mjs").Ground} */
function ground({ grid: { size, distance, units }, dimensions: { sceneRect: rect } }) {
  const { x, y } = canvas.stage?.pivot ?? rect;
  return { size, metres: distance * (METRES[String(units ?? "").trim().toLowerCase()] ?? 0), centre: { x, y }, rect };
}

/** @param {any[]} tokens @param {any} scene */
async function combatOf(tokens, scene) {
  /** @type {any} */
  const made = await Combat.create({ scene: scene.id });
  const lines = tokens.map(({ id, actorId, hidden }) => ({ tokenId: id, sceneId: scene.id, actorId, hidden }));
  await made.createEmbeddedDocuments("Combatant", lines);
  await made.activate();
}
