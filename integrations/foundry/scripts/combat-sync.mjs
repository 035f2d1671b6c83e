/**
 * From Foundry to the service: what people do in the combat tracker, or to a sheet, becomes a command; the tracker changes when
 * the service says so (`combat-follow.mjs`). Another client hands it to that of the active game master.
 */

import { bringIntoLine, catchUp, followed, inTurn, link, listen, listenAgain } from "./combat-follow.mjs";
import { leaveOut, takeOver } from "./combat-steps.mjs";
import { forward, rolledFor } from "./combat-view.mjs";
import { isAsked, onWishes } from "./decisions.mjs";
import { conditionOf, shownConditions } from "./effects.mjs";
import { carriedOut } from "./fight-cards.mjs";
import { actorOf, fightOf, fighterIn, fighterOf, handOutAll, keepToken } from "./fight.mjs";
import { complain, tell } from "./messages.mjs";
import { askGamemaster, onRequest } from "./requests.mjs";
import { MODULE, activeMapping, service } from "./settings.mjs";
import { combatantOf, slugOf, weaponsOf } from "./sheet-mapping.mjs";
import { OURS, loaded, only, remember, tellSheet } from "./sheet-sync.mjs";
import { endCondition, tellStatuses } from "./statuses.mjs";
import { beforeLastSlot, sureToUndo } from "./take-back.mjs";
import { showLine } from "./tracker-line.mjs";

/** @typedef {import("./client.mjs").Encounter} Encounter */
/** @typedef {import("./sheet-mapping.mjs").Mapping} Mapping */

const TASK = "combat";

/** For the hooks `init` and `ready`. */
export function registerCombatSync() {
  onRequest(TASK, carryOutWish);
  Hooks.on("setup", () => takeOver(CONFIG.Combat.documentClass, onAsked));
  Hooks.on("preUpdateCombat", onMoved);
  Hooks.on("preUpdateCombatant", onFighterEdited);
  Hooks.on("createCombatant", onFighterAdded);
  Hooks.on("deleteCombatant", onFighterRemoved);
  for (const hook of /** @type {const} */ (["updateCombat", "createCombat", "deleteCombat", "canvasReady", "userConnected", "fracas.token"])) Hooks.on(hook, () => listen());
  Hooks.on("fracas.service", listenAgain);
  Hooks.on("updateActor", onSheetEdited);
  Hooks.on("updateActorDelta", (/** @type {any} */ delta, changes, options) => delta.parent?.actor && onSheetEdited(delta.parent.actor, changes, options));
  Hooks.on("updateItem", (item, _changes, options) => onSheetEdited(item.actor ?? actorAround(item), {}, options));
  Hooks.on("createActiveEffect", onStatusSet);
  Hooks.on("deleteActiveEffect", onConditionEnded);
  Hooks.on("renderCombatTracker", (_app, html) =>
    showLine(html, { begin: beginFight, undo: (combat) => command(combat, "undo"), redo: (combat) => command(combat, "redo") }),
  );
  Hooks.once("ready", () => leaveOutOrder().catch(complain));
  onWishes(async () => inTurn(tellWishes));
}

/** The order is the fight's: what the game system's Combatants would do to it by themselves is left out. */
async function leaveOutOrder() {
  const { tracker } = await activeMapping();
  leaveOut(CONFIG.Combatant.documentClass, tracker?.left_out ?? [], () => ui.notifications.warn("FRACAS.combat.order", { localize: true }));
}

/** Of a fight only players are asked; the game master has enough to do. @param {any} actor @returns {{asks: boolean, asks_reactions: boolean}} */
function askedInFight(actor) {
  const wants = (/** @type {boolean} */ reaction) => Boolean(actor?.hasPlayerOwner) && isAsked(actor, reaction);
  return { asks: wants(false), asks_reactions: wants(true) };
}

/** Sends the fight that is heard who wants to be asked by now. */
async function tellWishes() {
  const combat = followed();
  const fight = combat && game.user?.isActiveGM ? fightOf(combat) : null;
  if (!fight) return;
  const { combatants } = await fight.state();
  for (const { id, asks, asks_reactions: reacts, gone } of combatants) {
    const actor = actorOf(id, combat);
    if (!actor || gone) continue;
    const wish = askedInFight(actor);
    if (wish.asks !== asks || wish.asks_reactions !== reacts) await fight.command({ command: "set", combatant: id, ...wish });
  }
}

/**
 * Begins a fight of the service for a Combat, with all who are in it. For the game master.
 *
 * @param {any} [combat]
 * @param {{ruleset?: string, title?: string, options?: object, settings?: object}} [fight]
 * @returns {Promise<Encounter | null>} null: there is one already, and it is gone on with; one for which this client has no
 *   token is left behind
 */
export async function beginFight(combat = game.combat, fight = {}) {
  if (!combat) throw new Error(game.i18n.localize("FRACAS.combat.no-combat"));
  if (fightOf(combat)) return null;
  const mapping = await activeMapping();
  const ruleset = fight.ruleset ?? mapping.ruleset;
  if (ruleset === "*") throw new Error(game.i18n.localize("FRACAS.combat.no-ruleset"));
  const title = fight.title ?? combat.scene?.name ?? game.world.title;
  const begun = await service().begin({ title: title.slice(0, 120), ...fight, ruleset });
  await keepToken(begun.id, begun.tokens.gm.secret);
  const strangers = Object.fromEntries(combat.combatants.map((/** @type {any} */ { id }) => [id, ""]));
  const flags = { encounter: { id: begun.id, version: begun.version, phase: "" }, fighters: strangers };
  await combat.update({ [`flags.${MODULE}.encounter`]: flags.encounter, [`flags.${MODULE}.fighters`]: flags.fighters }, OURS);
  await inTurn(async () => {
    for (const combatant of [...combat.combatants]) await join(combat, combatant);
    await bringIntoLine(combat);
  });
  await handOutAll();
  return fightOf(combat);
}

/**
 * What a user wants of the fight, as it goes from client to client.
 *
 * @typedef {{combat: string, kind: "forward"} | {combat: string, kind: "roll", combatants: string[]}
 *   | {combat: string, kind: "edit", combatant: string, wanted: {initiative?: number | null, defeated?: boolean, hidden?: boolean}}} Wish
 */

/**
 * Hands a wish to the active game master's client.
 *
 * @param {Wish} wish
 * @returns {Promise<void>} when it is done, or refused and people are notified
 */
async function hand(wish) {
  if (!game.users.activeGM) ui.notifications.warn("FRACAS.combat.no-gm", { localize: true });
  else await askGamemaster(TASK, wish).catch(complain);
}

/**
 * @param {Wish} wish
 * @param {any} user who wants it
 */
async function carryOutWish(wish, user) {
  const combat = game.combats.get(wish.combat);
  if (!combat || !game.user?.isActiveGM) return false;
  /** @type {unknown} */
  let refused;
  const task = () => (wish.kind === "forward" ? step(combat, user) : wish.kind === "roll" ? roll(combat, wish, user) : edit(combat, wish, user));
  await inTurn(() => task().catch((error) => void (refused = error)));
  if (refused) throw refused; // shown to the one who wished it
  return true;
}

/**
 * The fight goes back to before the end of the last slot, and the tracker with it. For a game master.
 *
 * @param {any} combat
 */
async function backOneSlot(combat) {
  const fight = fightOf(combat);
  if (!fight) return;
  const { version } = await fight.state();
  const to = await beforeLastSlot(fight, version);
  if (to === null) ui.notifications.info("FRACAS.undo.nothing", { localize: true });
  else if (await sureToUndo(fight, to)) await carriedOut(fight, { command: "undo", to });
}

/**
 * @param {any} combat
 * @param {"undo" | "redo"} what one command of the fight
 */
async function command(combat, what) {
  const fight = fightOf(combat);
  if (fight) await carriedOut(fight, { command: what, steps: 1 });
}

/**
 * @param {any} combat
 * @param {any} user
 */
async function step(combat, user) {
  const fight = fightOf(combat);
  if (!fight) return;
  const encounter = await fight.state();
  const command = forward(encounter);
  if (user.isGM) await fight.command({ command }, { version: encounter.version });
  else if (command === "next") {
    // Of those who act the service knows more than the tracker, which may lag behind.
    const own = encounter.acting.filter((/** @type {string} */ id) => actorOf(id, combat)?.testUserPermission(user, "OWNER"));
    if (own.length === 0) throw new Error(game.i18n.localize("FRACAS.combat.not-your-turn"));
    for (const combatant of own) await fight.command({ command: "next", combatant });
  } else throw new Error(game.i18n.localize("FRACAS.error.gm-only"));
  await bringIntoLine(combat);
}

/**
 * Initiative of those who have none, by the service; before the first turn it is not rolled yet.
 *
 * @param {any} combat
 * @param {Extract<Wish, {kind: "roll"}>} wish
 * @param {any} user
 */
async function roll(combat, { combatants }, user) {
  const fight = fightOf(combat);
  if (!fight) return;
  const asked = combatants.map((id) => combat.combatants.get(id));
  if (!user.isGM && !asked.some((one) => one?.actor?.testUserPermission(user, "OWNER"))) {
    throw new Error(game.i18n.localize("FRACAS.error.not-yours"));
  }
  const { turn, combatants: there } = await fight.state();
  if (turn === 0) throw new Error(game.i18n.localize("FRACAS.combat.roll-later"));
  const known = new Set(asked.map(fighterIn));
  if (!there.some((/** @type {any} */ { id, rank, gone }) => known.has(id) && rank === "" && !gone)) {
    throw new Error(game.i18n.localize("FRACAS.combat.rolled"));
  }
  await fight.command({ command: "roll-initiative" });
  await bringIntoLine(combat);
}

/**
 * @param {any} combat
 * @param {Extract<Wish, {kind: "edit"}>} wish
 * @param {any} user
 */
async function edit(combat, { combatant: id, wanted: asked }, user) {
  const fight = fightOf(combat);
  const combatant = combat.combatants.get(id);
  const fighter = fighterIn(combatant);
  if (!fight || !fighter) return;
  const encounter = await fight.state();
  const told = encounter.combatants.find((/** @type {any} */ one) => one.id === fighter);
  // A player may have their initiative rolled, and nothing else.
  const own = combatant.actor?.testUserPermission(user, "OWNER") && told.rank === "";
  if (!user.isGM && !own) throw new Error(game.i18n.localize("FRACAS.error.gm-only"));
  /** @type {{initiative?: number | null, defeated?: boolean, hidden?: boolean}} */
  const wanted = user.isGM ? asked : only(asked, ["initiative"]);
  const mapping = await activeMapping();
  if (wanted.hidden !== undefined) await fight.command({ command: "set", combatant: fighter, hidden: wanted.hidden });
  if (wanted.defeated !== undefined) await defeat(fight, mapping, told, wanted.defeated);
  if (typeof wanted.initiative === "number") {
    const rolled = encounter.turn ? rolledFor(told, mapping.initiative, wanted.initiative) : null;
    // A number rolled here before one was rolled there: the fight's own roll takes its place.
    if (told.rank === "" && encounter.turn) await fight.command({ command: "roll-initiative" });
    else if (rolled) await fight.command({ command: "set", combatant: fighter, rolled });
    else ui.notifications.warn("FRACAS.combat.initiative", { localize: true });
  }
  await bringIntoLine(combat);
}

/**
 * @param {Encounter} fight
 * @param {Mapping} mapping
 * @param {any} told
 * @param {boolean} defeated
 */
async function defeat(fight, mapping, told, defeated) {
  const slug = mapping.defeated ?? "dead";
  const has = told.conditions.some((/** @type {any} */ one) => one.slug === slug);
  if (defeated && !has) await fight.command({ command: "set", combatant: told.id, add: [slug] });
  else if (!defeated && has) await fight.command({ command: "set", combatant: told.id, remove: [slug] });
  else if (!defeated) tell("warn", game.i18n.format("FRACAS.combat.still-out", { name: told.name, why: told.unable }));
}

/**
 * A Combatant of Foundry's Combat joins the fight. What the sheet lacks is named.
 *
 * @param {any} combat
 * @param {any} combatant
 */
async function join(combat, combatant) {
  const fight = fightOf(combat);
  if (!fight || fighterIn(combatant) || combatant.system?.pad) return; // shadowrun5e's place-holders are nobody
  const mapping = await activeMapping();
  const { actor } = combatant;
  const { said, missing } = actor ? combatantOf(mapping, actor) : { said: {}, missing: [] };
  const named = missing.filter(({ needed }) => needed).map(({ field }) => field.replaceAll("_", " "));
  if (named.length > 0) {
    const fields = named.join(", ");
    tell("warn", game.i18n.format("FRACAS.combat.missing", { name: combatant.name, fields }), { permanent: true });
  }
  const use = actor ? slugOf(actor, "combatant") : "";
  const arms = actor ? weaponsOf(mapping, actor) : [];
  const weapons = arms.map((item) => slugOf(item, "weapon")).filter(Boolean);
  const done = await fight.command({
    command: "join",
    combatant: { ...(use ? { use } : {}), ...said, name: combatant.name.slice(0, 80) },
    name: combatant.name.slice(0, 80),
    player: Boolean(actor?.hasPlayerOwner),
    ...askedInFight(actor),
    hidden: Boolean(combatant.hidden),
    ...(weapons.length > 0 || !use ? { weapons: [...new Set(weapons)] } : {}),
  });
  const { id } = done.events[0].data.combatant;
  await link(combat, { [combatant.id]: id });
  const items = loaded(mapping, arms);
  if (Object.keys(items).length > 0) await fight.command({ command: "set", combatant: id, items });
  if (!actor) return;
  await remember(mapping, actor, fight.id, said, items);
  const told = (await fight.state()).combatants.find((/** @type {any} */ one) => one.id === id);
  await tellStatuses(fight, mapping, actor, told);
}

// --- Hooks -------------------------------------------------------------------------------------------------

/**
 * A step of a Combat that follows a fight, asked for by one of its methods.
 *
 * @param {any} combat
 * @param {import("./combat-steps.mjs").Asked} asked
 * @param {string[]} combatants
 */
async function onAsked(combat, asked, combatants) {
  if (asked === "forward") await hand({ combat: combat.id, kind: "forward" });
  else if (asked === "roll") await hand({ combat: combat.id, kind: "roll", combatants });
  else if (asked === "reset") ui.notifications.warn("FRACAS.combat.no-reset", { localize: true });
  else if (game.user?.isGM) await backOneSlot(combat).catch(complain);
  else ui.notifications.warn("FRACAS.combat.back", { localize: true });
}

/**
 * Whose turn it is the fight says. What else moves it, such as Foundry itself when the order changes, is left out; the rest
 * of an update is carried out.
 *
 * @param {any} combat
 * @param {any} changes
 * @param {any} options
 */
function onMoved(combat, changes, options) {
  if (options[MODULE] || !("round" in changes || "turn" in changes) || !combat.getFlag(MODULE, "encounter")) return true;
  if ("round" in changes) ui.notifications.warn("FRACAS.combat.by-buttons", { localize: true });
  delete changes.round;
  delete changes.turn;
  return Object.keys(changes).some((key) => key !== "_id");
}

/** @param {any} combatant @param {any} changes @param {any} options */
function onFighterEdited(combatant, changes, options) {
  if (options[MODULE] || !fighterIn(combatant) || !combatant.combat?.getFlag(MODULE, "encounter")) return true;
  const wanted = only(changes, ["initiative", "defeated", "hidden"]);
  if (Object.keys(wanted).length === 0) return true;
  for (const key of Object.keys(wanted)) delete changes[key];
  void hand({ combat: combatant.combat.id, kind: "edit", combatant: combatant.id, wanted });
  return Object.keys(changes).some((key) => key !== "_id");
}

/** @param {any} combatant @param {any} options */
function onFighterAdded(combatant, options) {
  const { combat } = combatant;
  if (options[MODULE] || !game.user?.isActiveGM || !fightOf(combat)) return;
  inTurn(async () => {
    await join(combat, combatant);
    await bringIntoLine(combat);
  }).then(handOutAll, complain);
}

/** @param {any} combatant @param {any} options */
function onFighterRemoved(combatant, options) {
  const { combat } = combatant;
  const fighter = fighterIn(combatant);
  if (options[MODULE] || !fighter || !game.user?.isActiveGM || !game.combats.get(combat?.id)) return;
  inTurn(async () => {
    await fightOf(combat)?.command({ command: "leave", combatant: fighter });
    await bringIntoLine(combat);
  });
}

/**
 * What people write on a sheet goes to the fight, as values set by hand.
 *
 * @param {any} actor
 * @param {any} _changes
 * @param {any} options
 */
function onSheetEdited(actor, _changes, options) {
  tellOf(actor, options, (fight, { id }) => tellSheet(fight, id, actor));
}

/**
 * Whose effect or item it is. Of an unlinked token Foundry 14 gives hooks the ActorDelta as the parent.
 *
 * @param {any} document
 */
function actorAround({ parent }) {
  return parent?.documentName === "ActorDelta" ? (parent.syntheticActor ?? parent.parent?.actor) : parent;
}

/** @param {any} effect @param {any} options */
function onStatusSet(effect, options) {
  const actor = actorAround(effect);
  tellOf(actor, options, async (fight, told) => tellStatuses(fight, await activeMapping(), actor, told, [effect]));
}

/** @param {any} effect @param {any} options */
function onConditionEnded(effect, options) {
  // What else shows it now: when its turn comes, the effect may have been made anew for a fight that does not know yet.
  const actor = actorAround(effect);
  const others = shownConditions(actor).map((one) => one.flags[MODULE].condition);
  tellOf(actor, options, async (fight, told) => {
    const slug = effect.flags?.[MODULE]?.condition ?? conditionOf(await activeMapping(), effect);
    return slug && !others.includes(slug) ? endCondition(fight, told, slug) : false;
  });
}

/**
 * What a user did to an actor goes to the fight that is heard, if the actor is in it.
 *
 * @param {any} actor
 * @param {any} options of Foundry's operation
 * @param {(fight: Encounter, told: any) => Promise<unknown>} say what is said, of the combatant as the fight has it; false:
 *   nothing
 */
function tellOf(actor, options, say) {
  const combat = followed();
  if (!actor || options[MODULE] || !game.user?.isActiveGM || !fightOf(combat) || !fighterOf(actor, combat)) return;
  inTurn(async () => {
    const fight = fightOf(combat);
    const told = (await fight?.state())?.combatants.find((/** @type {any} */ { id }) => id === fighterOf(actor, combat));
    if (fight && told && (await say(fight, told)) !== false) await bringIntoLine(combat);
  });
}
