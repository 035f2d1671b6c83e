/**
 * Tokens tell the fight where they stand, and go where it says: what the game master moves together is one event. Only if the
 * world wants it, and only on scenes whose units are known.
 */

import { bringIntoLine, followed, inTurn } from "./combat-follow.mjs";
import { fightOf, fighterIn } from "./fight.mjs";
import { MODULE, setting } from "./settings.mjs";
import { OURS } from "./sheet-sync.mjs";
import { moveTo, positionOf } from "./token-places.mjs";

const CHANGES = ["x", "y", "elevation", "width", "height"];
/** Milliseconds in which moves count as one. */
const TOGETHER = 50;
const UNCONSTRAINED = { ignoreWalls: true, ignoreCost: true };

/** @type {Set<string>} ids of Combatants whose tokens were moved, and of whom the fight does not know yet */
const moved = new Set();
/** @type {WeakMap<any, any>} the fight of each Combat as it is by now: whom an earlier turn has placed need not be placed again */
const latest = new WeakMap();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** For the hook `init`. */
export function registerPositions() {
  Hooks.on("updateToken", onMoved);
  Hooks.on(/** @type {any} */ (`${MODULE}.encounter`), (/** @type {any} */ combat, /** @type {any} */ encounter) => {
    latest.set(combat, encounter);
    void inTurn(() => follow(combat, latest.get(combat)));
  });
}

/** @param {any} token @param {any} changes @param {any} options */
function onMoved(token, changes, options) {
  const combat = followed();
  if (options[MODULE] || !setting("positions") || !combat || !game.user?.isActiveGM || !CHANGES.some((key) => key in changes)) return;
  const combatant = combat.combatants.find((/** @type {any} */ one) => one.token?.uuid === token.uuid);
  if (!fighterIn(combatant)) return;
  moved.add(combatant.id);
  clearTimeout(waiting);
  waiting = setTimeout(() => void inTurn(() => send(combat)), TOGETHER);
}

/** Sends where all stand that were moved. @param {any} combat */
async function send(combat) {
  const there = [...moved].map((id) => combat.combatants.get(id)).filter(Boolean);
  moved.clear();
  if (await place(combat, there)) await bringIntoLine(combat);
}

/**
 * @param {any} combat
 * @param {any[]} combatants
 * @returns {Promise<boolean>} whether the fight was told anything
 */
async function place(combat, combatants) {
  const known = combatants.map((one) => [fighterIn(one), one.token ? positionOf(placeOf(one.token), gridOf(one.token)) : null]);
  const positions = Object.fromEntries(known.filter(([id, position]) => id && position));
  const fight = fightOf(combat);
  if (!fight || Object.keys(positions).length === 0) return false;
  await fight.command({ command: "place", positions });
  return true;
}

/** @param {any} token @returns {import("./token-places.mjs").Token} */
function placeOf(token) {
  const { x, y, elevation, width, height } = token;
  return { x, y, elevation, width, height, middle: token.getCenterPoint() };
}

/** @param {any} token */
function gridOf(token) {
  const { size, distance, units } = token.parent.grid;
  return { size, distance, units };
}

/**
 * Those whom the fight has nowhere yet are placed by their tokens; other tokens go where the fight has them, past walls: Foundry
 * would stop them there, however they are moved.
 *
 * @param {any} combat
 * @param {any} encounter
 */
async function follow(combat, encounter) {
  if (!setting("positions") || combat !== followed() || encounter.phase === "closed") return;
  const nowhere = [];
  /** @type {Map<any, Record<string, object>>} */
  const moves = new Map();
  for (const combatant of combat.combatants) {
    const told = encounter.combatants.find((/** @type {any} */ { id }) => id === fighterIn(combatant));
    const { token } = combatant;
    if (!told || told.gone || !token || moved.has(combatant.id)) continue;
    if (!told.position) nowhere.push(combatant);
    else {
      const to = moveTo(told.position, placeOf(token), gridOf(token));
      if (to) moves.set(token.parent, { ...moves.get(token.parent), [token.id]: { waypoints: [to], constrainOptions: UNCONSTRAINED } });
    }
  }
  for (const [scene, movement] of moves) {
    await scene.updateEmbeddedDocuments("Token", Object.keys(movement).map((_id) => ({ _id })), { ...OURS, movement });
  }
  if (await place(combat, nowhere)) await bringIntoLine(combat);
}
