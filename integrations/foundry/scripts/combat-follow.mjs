/**
 * From the service to Foundry: the active game master's client listens to the feed of a fight and brings the tracker, the sheets
 * and the conditions into line, whatever has happened meanwhile; so a reload, a lost connection or an undo need nothing of
 * their own.
 *
 * All that is written carries the option `fracas`, by which the hooks know it.
 */

import { differences, secondsBetween } from "./combat-view.mjs";
import { fightOf, fighterIn } from "./fight.mjs";
import { complain, tell } from "./messages.mjs";
import { MODULE, activeMapping } from "./settings.mjs";
import { at } from "./sheet-mapping.mjs";
import { OURS, bringSheetIntoLine, tellSheet } from "./sheet-sync.mjs";
import { tellStatuses } from "./statuses.mjs";

/** @type {any} the Combat whose feed is heard */
let heard;
/** @type {string} the id of its fight */
let heardFight = "";
/** @type {() => void} */
let stop = () => {};
/** @type {Promise<unknown>} */
let queue = Promise.resolve();
/** A state is asked for already and will be told. */
let pending = false;

/**
 * Hears the feed of the Combat that is seen, or if it has no fight of the active one, if this is the active game master's
 * client; else hears nothing.
 */
export function listen() {
  const combat = game.user?.isActiveGM ? [game.combat, game.combats.active, ...game.combats].find((one) => one && fightOf(one)) : null;
  const fight = combat ? fightOf(combat) : null;
  if (heard === combat && heardFight === (fight?.id ?? "")) return;
  stop();
  stop = () => {};
  [heard, heardFight] = [combat, fight?.id ?? ""];
  if (!combat || !fight) return;
  stop = fight.follow({
    after: combat.getFlag(MODULE, "encounter")?.version ?? 0,
    onEvent: (event) => {
      Hooks.callAll(`${MODULE}.event`, fight, event);
      catchUp(combat);
    },
    onState: (state, error) => {
      if (state === "open") catchUp(combat).then(() => inTurn(() => tellWhatPeopleDid(combat))); // whatever happened before
      if (state === "closed" && error) complain(error);
      ui.combat?.render();
    },
  });
}

/** Begins again, with another address or token. */
export function listenAgain() {
  stop();
  [heard, heardFight] = [undefined, ""];
  listen();
}

/**
 * Asks for the state once more and brings everything into line with it; several wishes at a time are one.
 *
 * @param {any} [combat]
 * @returns {Promise<unknown>}
 */
export function catchUp(combat = game.combat) {
  if (pending) return queue;
  pending = true;
  return inTurn(async () => {
    pending = false;
    if (game.user?.isActiveGM && game.combats.get(combat.id)) await bringIntoLine(combat);
  });
}

/**
 * One after the other; what fails is told, and stops nothing.
 *
 * @template T
 * @param {() => Promise<T>} task
 * @returns {Promise<T | undefined>}
 */
export function inTurn(task) {
  const done = queue.then(task).catch((error) => void complain(error));
  queue = done;
  return /** @type {Promise<T | undefined>} */ (done);
}

/**
 * Sends the fight what people changed on sheets while no client of a game master heard it.
 *
 * @param {any} combat
 */
async function tellWhatPeopleDid(combat) {
  const fight = fightOf(combat);
  if (!fight || !game.combats.get(combat.id)) return;
  const mapping = await activeMapping();
  const { combatants } = await fight.state();
  const told = [];
  for (const combatant of [...combat.combatants]) {
    const one = combatants.find((/** @type {any} */ { id }) => id === fighterIn(combatant));
    if (!one?.sheet || !combatant.actor || one.gone) continue;
    const sheet = await tellSheet(fight, one.id, combatant.actor);
    if ((await tellStatuses(fight, mapping, combatant.actor, one)) || sheet) told.push(combatant.name);
  }
  if (told.length === 0) return;
  tell("info", game.i18n.format("FRACAS.combat.told", { names: told.join(", ") }));
  await bringIntoLine(combat);
}

/** @param {any} combat */
export async function bringIntoLine(combat) {
  const fight = fightOf(combat);
  if (!fight) return;
  const mapping = await activeMapping();
  const encounter = await fight.state();
  await tracker(mapping, combat, encounter);
  for (const combatant of combat.combatants) {
    const told = encounter.combatants.find((/** @type {any} */ { id }) => id === fighterIn(combatant));
    if (told?.sheet && combatant.actor) await bringSheetIntoLine(mapping, combatant.actor, encounter, told);
  }
  Hooks.callAll(`${MODULE}.encounter`, combat, encounter);
}

/**
 * @param {import("./sheet-mapping.mjs").Mapping} mapping
 * @param {any} combat
 * @param {any} encounter
 */
async function tracker({ tracker: own = {} }, combat, encounter) {
  const fighters = [...combat.combatants].map((one) => ({
    id: one.id,
    combatant: fighterIn(one),
    name: one.name,
    initiative: one.initiative ?? null,
    defeated: Boolean(one.defeated),
    hidden: Boolean(one.hidden),
  }));
  const { create, update: changed, remove, round, acting } = differences(encounter, fighters);
  const update = own.acted ? withActed(own.acted, combat, encounter, changed) : changed;
  if (remove.length > 0) await combat.deleteEmbeddedDocuments("Combatant", remove, OURS);
  if (create.length > 0) {
    const made = create.map(({ data }) => ({ ...data, _id: foundry.utils.randomID() }));
    await link(combat, Object.fromEntries(made.map(({ _id }, at) => [_id, create[at].combatant])));
    await combat.createEmbeddedDocuments("Combatant", made, { ...OURS, keepId: true });
  }
  if (update.length > 0) await combat.updateEmbeddedDocuments("Combatant", update, { ...OURS, turnEvents: false });
  const found = combat.turns.findIndex((/** @type {any} */ one) => acting && fighterIn(one) === acting);
  const turn = found >= 0 ? found : null;
  const { version, phase, part, parts, words, undoable, redoable } = encounter;
  const shown = combat.getFlag(MODULE, "encounter");
  const flag = { id: shown.id, version, phase, part, parts, words: words.part, undoable, redoable };
  // What is stored: Foundry moves the turn in its own memory as well, to stay with the one who acts.
  const stored = combat._source;
  const moved = stored.round !== round || stored.turn !== turn;
  if (moved || Object.entries(flag).some(([key, value]) => shown[key] !== value)) {
    const changes = { round, turn, [`flags.${MODULE}.encounter`]: flag };
    await combat.update(changes, moved ? stepOptions(combat, changes, encounter) : OURS);
  }
  // After the round: with another round, some systems go to the first pass, and an undo leads to a later one.
  const pass = Math.max(part, 1);
  if (own.pass && at(combat, own.pass) !== pass) await combat.update({ [own.pass]: pass }, OURS);
}

/**
 * Changes of Combatants, with whether each has acted where the system's own tracker keeps it.
 *
 * @param {string} path
 * @param {any} combat
 * @param {any} encounter
 * @param {readonly {_id: string}[]} changed
 */
function withActed(path, combat, encounter, changed) {
  /** @type {Map<string, any>} */
  const updates = new Map(changed.map((one) => [one._id, one]));
  for (const combatant of combat.combatants) {
    const told = encounter.combatants.find((/** @type {any} */ { id }) => id === fighterIn(combatant));
    if (!told || told.gone || Boolean(at(combatant, path)) === Boolean(told.done)) continue;
    updates.set(combatant.id, { ...(updates.get(combatant.id) ?? { _id: combatant.id }), [path]: Boolean(told.done) });
  }
  return [...updates.values()];
}

/**
 * Options of an update that steps the Combat, with those of a step in Foundry: its direction, and the time that passes in the
 * game. Hooks of Foundry are called for it, as by Foundry's own buttons.
 *
 * @param {any} combat
 * @param {{round: number, turn: number | null}} changes
 * @param {any} encounter
 */
function stepOptions(combat, changes, { seconds }) {
  const { round, turn } = combat._source;
  const other = changes.round !== round;
  const direction = Math.sign(other ? changes.round - round : (changes.turn ?? -1) - (turn ?? -1));
  const { roundTime } = CONFIG.time;
  const delta = secondsBetween(round, changes.round, roundTime || seconds || 0);
  const options = { ...OURS, direction, ...(delta ? { worldTime: { delta } } : {}) };
  const hook = round === 0 && changes.round > 0 ? "combatStart" : other ? "combatRound" : "combatTurn";
  // The typings know these hooks as they were in Foundry 12.
  /** @type {{callAll: (hook: string, ...args: unknown[]) => unknown}} */ (Hooks).callAll(hook, combat, changes, options);
  return options;
}

/**
 * Keeps which Combatants stand for which combatants of the fight.
 *
 * @param {any} combat
 * @param {Record<string, string>} fighters ids in the fight by those of the Combatants
 */
export async function link(combat, fighters) {
  await combat.update({ [`flags.${MODULE}.fighters`]: fighters }, OURS);
}

/** @returns {any} the Combat whose feed this client hears, if any */
export function followed() {
  return heard;
}
