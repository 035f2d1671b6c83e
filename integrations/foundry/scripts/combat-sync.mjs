/**
 * Foundry's Combat and an encounter of the service follow each other.
 *
 * From the service: the active game master's client listens to the feed and brings the tracker, the sheets and the
 * conditions into line, whatever has happened meanwhile; so a reload, a lost connection or an undo need nothing of their
 * own. From Foundry: what people do in the tracker, or write on a sheet, becomes a command; the tracker changes when the
 * service says so. Another client hands it to the game master's.
 *
 * All that is written carries the option `fracas`, by which the hooks know it.
 */

import { differences, rolledFor, stepped } from "./combat-view.mjs";
import { fightOf, handOutAll, keepToken } from "./fight.mjs";
import { complain } from "./messages.mjs";
import { askGamemaster, onRequest } from "./requests.mjs";
import { MODULE, activeMapping, service } from "./settings.mjs";
import { combatantOf, slugOf, weaponsOf } from "./sheet-mapping.mjs";
import { OURS, bringSheetIntoLine, loaded, only, remember, tellSheet } from "./sheet-sync.mjs";

/** @typedef {import("./client.mjs").Encounter} Encounter */
/** @typedef {import("./sheet-mapping.mjs").Mapping} Mapping */

const TASK = "combat";

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
/** How many writes of ours Foundry is still busy with; meanwhile it moves the turn itself, to stay with whoever acts. */
let writing = 0;
/** Milliseconds after which Foundry has done so. */
const SETTLED = 100;

/** For the hooks `init` and `ready`. */
export function registerCombatSync() {
  onRequest(TASK, carryOutWish);
  /** @type {[string, (...args: any[]) => unknown][]} */
  const hooks = [
    ["preUpdateCombat", onTrackerStep],
    ["preUpdateCombatant", onFighterEdited],
    ["createCombatant", onFighterAdded],
    ["deleteCombatant", onFighterRemoved],
    ["updateCombat", onCombatUpdated],
    ["createCombat", listen],
    ["deleteCombat", listen],
    ["userConnected", listen],
    [`${MODULE}.token`, listen],
    ["clientSettingChanged", (key) => key === `${MODULE}.address` && listen()],
    ["updateActor", onSheetEdited],
    ["updateActorDelta", (delta, changes, options) => delta.syntheticActor && onSheetEdited(delta.syntheticActor, changes, options)],
    ["updateItem", (item, _changes, options) => item.actor && onSheetEdited(item.actor, {}, options)],
    ["deleteActiveEffect", onConditionEnded],
    ["renderCombatTracker", (_app, html) => showStatus(html)],
  ];
  for (const [name, hook] of hooks) Hooks.on(/** @type {any} */ (name), /** @type {any} */ (hook));
}

/**
 * Begins a fight of the service for a Combat, with all who are in it. For the game master.
 *
 * @param {any} [combat]
 * @param {{ruleset?: string, title?: string, options?: object, settings?: object}} [fight]
 * @returns {Promise<Encounter | null>} null: there is one already, and it is gone on with
 */
export async function beginFight(combat = game.combat, fight = {}) {
  if (!combat) throw new Error(game.i18n.localize("FRACAS.combat.no-combat"));
  if (combat.getFlag(MODULE, "encounter")) return null;
  const mapping = await activeMapping();
  const ruleset = fight.ruleset ?? mapping.ruleset;
  if (ruleset === "*") throw new Error(game.i18n.localize("FRACAS.combat.no-ruleset"));
  const title = fight.title ?? combat.scene?.name ?? game.world.title;
  const begun = await service().begin({ title: title.slice(0, 120), ...fight, ruleset });
  await keepToken(begun.id, begun.tokens.gm.secret);
  await combat.update({ [`flags.${MODULE}.encounter`]: { id: begun.id, version: begun.version } }, OURS);
  await inTurn(async () => {
    for (const combatant of [...combat.combatants]) await join(combat, combatant);
    await bringIntoLine(combat);
  });
  await handOutAll();
  return fightOf(combat);
}

/** Hears the feed of the Combat that is seen, if this is the active game master's client; else hears nothing. */
export function listen() {
  const combat = game.user?.isActiveGM ? game.combat : null;
  const fight = combat ? fightOf(combat) : null;
  if (heard === combat && heardFight === (fight?.id ?? "")) return;
  stop();
  stop = () => {};
  [heard, heardFight] = [combat, fight?.id ?? ""];
  if (!combat || !fight) return;
  stop = fight.follow({
    after: /** @type {any} */ (combat).getFlag(MODULE, "encounter").version,
    onEvent: (event) => {
      Hooks.callAll(/** @type {any} */ (`${MODULE}.event`), fight, event);
      catchUp(combat);
    },
    onState: (state, error) => {
      if (state === "open") catchUp(combat); // whatever happened before
      if (state === "closed" && error) complain(error);
      ui.combat?.render();
    },
  });
}

/** Ends it, for tests and for a module that is switched off. */
export function stopListening() {
  stop();
  [heard, heardFight] = [undefined, ""];
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
function inTurn(task) {
  const done = queue.then(task).catch((error) => void complain(error));
  queue = done;
  return /** @type {Promise<T | undefined>} */ (done);
}

// --- From the service to Foundry ---------------------------------------------------------------------------

/** @param {any} combat */
async function bringIntoLine(combat) {
  const fight = fightOf(combat);
  if (!fight) return;
  const mapping = await activeMapping();
  const encounter = await fight.state();
  await tracker(combat, encounter);
  for (const combatant of combat.combatants) {
    const told = encounter.combatants.find((/** @type {any} */ { id }) => id === combatant.getFlag(MODULE, "combatant"));
    if (told?.sheet && combatant.actor) await bringSheetIntoLine(mapping, combatant.actor, encounter, told);
  }
  Hooks.callAll(/** @type {any} */ (`${MODULE}.encounter`), combat, encounter);
}

/**
 * @param {any} combat
 * @param {any} encounter
 */
async function tracker(combat, encounter) {
  const fighters = [...combat.combatants].map((one) => ({
    id: one.id,
    combatant: one.getFlag(MODULE, "combatant") ?? "",
    name: one.name,
    initiative: one.initiative ?? null,
    defeated: Boolean(one.defeated),
    hidden: Boolean(one.hidden),
  }));
  const { create, update, remove, round, acting } = differences(encounter, fighters);
  writing += 1;
  setTimeout(() => (writing -= 1), SETTLED);
  if (remove.length > 0) await combat.deleteEmbeddedDocuments("Combatant", remove, OURS);
  if (create.length > 0) await combat.createEmbeddedDocuments("Combatant", create, OURS);
  if (update.length > 0) await combat.updateEmbeddedDocuments("Combatant", update, { ...OURS, turnEvents: false });
  const found = combat.turns.findIndex((/** @type {any} */ one) => one.getFlag(MODULE, "combatant") === acting);
  const turn = acting && found >= 0 ? found : null;
  const { version, phase, part, parts, words } = encounter;
  const shown = combat.getFlag(MODULE, "encounter");
  const flag = { id: shown.id, version, phase, part, parts, words: words.part };
  const same = combat.round === round && combat.turn === turn && Object.entries(flag).every(([key, value]) => shown[key] === value);
  if (!same) await combat.update({ round, turn, [`flags.${MODULE}.encounter`]: flag }, OURS);
}

// --- From Foundry to the service ---------------------------------------------------------------------------

/**
 * What somebody wants of the fight, as it goes from client to client.
 *
 * @typedef {{combat: string, kind: "step", wanted: {round?: number, turn?: number | null}}
 *   | {combat: string, kind: "edit", combatant: string, wanted: {initiative?: number | null, defeated?: boolean, hidden?: boolean}}} Wish
 */

/**
 * @param {Wish} wish
 * @returns {false} so that Foundry changes nothing itself
 */
function hand(wish) {
  if (!game.users.activeGM) ui.notifications.warn("FRACAS.combat.no-gm", { localize: true });
  else askGamemaster(TASK, wish).catch(complain);
  return false;
}

/**
 * @param {Wish} wish
 * @param {any} user who wants it
 */
async function carryOutWish(wish, user) {
  const combat = game.combats.get(wish.combat);
  if (!combat || !game.user?.isActiveGM) return false;
  await inTurn(() => (wish.kind === "step" ? step(combat, wish.wanted, user) : edit(combat, wish, user)));
  return true;
}

/**
 * @param {any} combat
 * @param {{round?: number, turn?: number | null}} wanted
 * @param {any} user
 */
async function step(combat, wanted, user) {
  const fight = fightOf(combat);
  if (!fight) return;
  const encounter = await fight.state();
  if (!user.isGM && !combat.combatant?.actor?.testUserPermission(user, "OWNER")) return;
  const command = stepped(encounter, combat, wanted);
  if (command === "back") ui.notifications.warn("FRACAS.combat.back", { localize: true });
  else if (command === "next" || (user.isGM && command !== "stay")) await fight.command({ command }, { version: encounter.version });
  await bringIntoLine(combat);
}

/**
 * @param {any} combat
 * @param {Extract<Wish, {kind: "edit"}>} wish
 * @param {any} user
 */
async function edit(combat, { combatant: id, wanted }, user) {
  const fight = fightOf(combat);
  const combatant = combat.combatants.get(id);
  const fighter = combatant?.getFlag(MODULE, "combatant");
  if (!fight || !fighter) return;
  if (!user.isGM && !(combatant.actor?.testUserPermission(user, "OWNER") && "initiative" in wanted)) return;
  const encounter = await fight.state();
  const told = encounter.combatants.find((/** @type {any} */ one) => one.id === fighter);
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
  else if (!defeated) ui.notifications.warn(game.i18n.format("FRACAS.combat.still-out", { name: told.name, why: told.unable }));
}

/**
 * Somebody of Foundry's Combat joins the fight. What the sheet lacks is named.
 *
 * @param {any} combat
 * @param {any} combatant
 */
async function join(combat, combatant) {
  const fight = fightOf(combat);
  if (!fight || combatant.getFlag(MODULE, "combatant")) return;
  const mapping = await activeMapping();
  const { actor } = combatant;
  const { said, missing } = actor ? combatantOf(mapping, actor) : { said: {}, missing: [] };
  const named = missing.filter(({ needed }) => needed).map(({ field }) => field.replaceAll("_", " "));
  if (named.length > 0) {
    const fields = named.join(", ");
    ui.notifications.warn(game.i18n.format("FRACAS.combat.missing", { name: combatant.name, fields }), { permanent: true });
  }
  const use = actor ? slugOf(actor, "combatant") : "";
  const arms = actor ? weaponsOf(mapping, actor) : [];
  const weapons = arms.map((item) => slugOf(item, "weapon")).filter(Boolean);
  const done = await fight.command({
    command: "join",
    combatant: { ...(use ? { use } : {}), ...said, name: combatant.name.slice(0, 80) },
    name: combatant.name.slice(0, 80),
    player: Boolean(actor?.hasPlayerOwner),
    hidden: Boolean(combatant.hidden),
    ...(weapons.length > 0 || !use ? { weapons: [...new Set(weapons)] } : {}),
  });
  const { id } = done.events[0].data.combatant;
  await combatant.update({ [`flags.${MODULE}.combatant`]: id }, OURS);
  const items = loaded(mapping, arms);
  if (Object.keys(items).length > 0) await fight.command({ command: "set", combatant: id, items });
  if (actor) await remember(mapping, actor, fight.id, said, items);
}

// --- Hooks -------------------------------------------------------------------------------------------------

/** @param {any} combat @param {any} changes @param {any} options */
function onTrackerStep(combat, changes, options) {
  if (options[MODULE] || !("round" in changes || "turn" in changes) || !combat.getFlag(MODULE, "encounter")) return true;
  if (writing > 0 && !("round" in changes) && options.direction === undefined) return true;
  const { round, turn } = changes;
  return hand({ combat: combat.id, kind: "step", wanted: { ...(round === undefined ? {} : { round }), ...(turn === undefined ? {} : { turn }) } });
}

/** @param {any} combat @param {any} changes @param {any} options */
function onCombatUpdated(combat, changes, options) {
  listen();
  const moved = "round" in changes || "turn" in changes;
  if (moved && !options[MODULE] && game.user?.isActiveGM && fightOf(combat)) catchUp(combat); // Foundry's own doing
}

/** @param {any} combatant @param {any} changes @param {any} options */
function onFighterEdited(combatant, changes, options) {
  if (options[MODULE] || !combatant.getFlag(MODULE, "combatant") || !combatant.combat?.getFlag(MODULE, "encounter")) return true;
  const wanted = only(changes, ["initiative", "defeated", "hidden"]);
  if (Object.keys(wanted).length === 0) return true;
  for (const key of Object.keys(wanted)) delete changes[key];
  hand({ combat: combatant.combat.id, kind: "edit", combatant: combatant.id, wanted });
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
  const fighter = combatant.getFlag(MODULE, "combatant");
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
  const combat = game.combat;
  if (options[MODULE] || !game.user?.isActiveGM || !fightOf(combat) || !fighterIn(combat, actor)) return;
  inTurn(async () => {
    const fight = fightOf(combat);
    if (fight && (await tellSheet(fight, fighterIn(combat, actor), actor))) await bringIntoLine(combat);
  });
}

/** @param {any} effect @param {any} options */
function onConditionEnded(effect, options) {
  const slug = effect.flags?.fracas?.condition;
  const combat = game.combat;
  const fighter = slug ? fighterIn(combat, effect.parent) : "";
  if (options[MODULE] || !fighter || !game.user?.isActiveGM || !fightOf(combat)) return;
  inTurn(async () => {
    await fightOf(combat)?.command({ command: "set", combatant: fighter, remove: [slug] });
    await bringIntoLine(combat);
  });
}

/**
 * @param {any} combat
 * @param {any} actor
 * @returns {string}
 */
function fighterIn(combat, actor) {
  const found = combat?.combatants.find((/** @type {any} */ one) => one.actor?.uuid === actor?.uuid);
  return found?.getFlag(MODULE, "combatant") ?? "";
}

/**
 * A line above the tracker: which part of the turn it is, and what the fight waits for; or the button that begins a fight.
 *
 * @param {HTMLElement} html
 */
function showStatus(html) {
  html.querySelector(".fracas-status")?.remove();
  const combat = /** @type {any} */ (game.combat);
  if (!combat) return;
  const line = document.createElement("div");
  line.className = "fracas-status";
  const state = combat.getFlag(MODULE, "encounter");
  if (state?.phase) {
    const part = state.parts > 1 ? `${state.words} ${state.part}/${state.parts}` : "";
    line.textContent = [part, game.i18n.localize(`FRACAS.combat.phase.${state.phase}`)].filter(Boolean).join(" · ");
  } else if (!state && game.user?.isGM) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = game.i18n.localize("FRACAS.combat.begin");
    button.addEventListener("click", () => {
      button.disabled = true;
      beginFight(combat).catch((error) => {
        button.disabled = false;
        complain(error);
      });
    });
    line.append(button);
  } else return;
  html.prepend(line);
}
