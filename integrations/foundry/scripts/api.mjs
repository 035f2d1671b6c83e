/**
 * What macros call: `game.modules.get("fracas").api`. With a fight of the service that knows both sides an action is taken
 * in it; without one, a step is resolved out of the sheets.
 */

import { AttackDialog } from "./attack-dialog.mjs";
import { fightAttempt, freeAttempt } from "./attempts.mjs";
import { circleNow, tokensIn } from "./blast-circles.mjs";
import { cardOf } from "./chat-card.mjs";
import { press, resolveInChat } from "./conversation.mjs";
import { documentAt } from "./documents.mjs";
import { actInChat, carriedOut } from "./fight-cards.mjs";
import { fighterOf, fightOf } from "./fight.mjs";
import { openSkirmishes as skirmish } from "./skirmish-dialog.mjs";
import { combatantOf, slugOf } from "./sheet-mapping.mjs";
import { complain, tell } from "./messages.mjs";
import { words } from "./nodes.mjs";
import { proposed } from "./proposals.mjs";
import { MODULE, activeMapping, service } from "./settings.mjs";
import { writtenFor } from "./written.mjs";

/** @typedef {import("./attempts.mjs").Side} Side */

/**
 * @typedef {object} Attack Everything may be left out: the selected token attacks the targeted one.
 * @property {any} [attacker] a token, a token's document or an actor
 * @property {any} [target]
 * @property {string} [weapon] an item by its id, its uuid, its name or the slug of its weapon; or the slug of any weapon. The
 *   actor of a uuid attacks if no other does
 * @property {string} [action] slug or id of an action, for a fight
 * @property {string} [procedure] such as melee-attack
 * @property {Record<string, any>} [situation] what is known already: `{target: {cover: "partial"}}`
 * @property {boolean} [fast] roll at once, without the dialog
 */

/**
 * An attack: opens the dialog, and settles with the chat message, or null if it was closed.
 *
 * @param {Attack} [wanted]
 * @returns {Promise<any>}
 */
export async function attack(wanted = {}) {
  return told(async () => {
    const attacker = attackerOf(wanted);
    const attempt = await attemptOf(wanted, attacker);
    if (!wanted.fast) return opened(attempt, (weapon) => againAround(wanted, attacker, weapon));
    const chosen = { weapon: attempt.weapon, way: attempt.way, said: {}, modifiers: [] };
    return attempt.roll({ ...chosen, said: await proposed(attempt, chosen) });
  });
}

/**
 * The attempt with the circle that was just placed or selected; null if it has nothing to do with it. The attacker is the same:
 * the one who places a circle has no token selected any more.
 *
 * @param {Attack} wanted
 * @param {Side} attacker
 * @param {string} weapon that is chosen by now
 */
async function againAround(wanted, attacker, weapon) {
  return wanted.target ? null : blastOf({ ...wanted, weapon }, attacker, weapon, true);
}

/**
 * @param {import("./attack-form.mjs").Attempt} attempt
 * @param {(weapon: string) => Promise<import("./attack-form.mjs").Attempt | null>} again
 */
async function opened(attempt, again) {
  const dialog = new AttackDialog(attempt, again);
  await dialog.render({ force: true });
  return dialog.result;
}

/** @param {Attack} wanted @returns {Side} */
function attackerOf(wanted) {
  const attacker = sideOf(wanted.attacker ?? weaponNamed(wanted.weapon)?.actor) ?? ownSide();
  if (!attacker) throw new Error(game.i18n.localize("FRACAS.attack.no-attacker"));
  return attacker;
}

/** @param {Attack} wanted @param {Side} attacker */
async function attemptOf(wanted, attacker) {
  const item = weaponNamed(wanted.weapon);
  const blast = wanted.target ? null : await blastOf(wanted, attacker, item?.id);
  if (blast) return blast;
  const [first, ...others] = wanted.target ? [sideOf(wanted.target)] : [...(game.user?.targets ?? [])].map(sideOf);
  if (!first) throw new Error(game.i18n.localize("FRACAS.attack.no-target"));
  const found = others.filter((side) => side !== undefined);
  return attemptOn(wanted, { attacker, target: first, others: found, weapon: ownWeapon(attacker.actor, item?.id ?? wanted.weapon) });
}

/**
 * An attack on those who stand in a circle of the scene: in the one that is selected, else, if nobody is targeted, in the one that
 * was placed last; null if there is none, or for a weapon that is not thrown or fired at places.
 *
 * @param {Attack} wanted
 * @param {Side} attacker
 * @param {string} [id] of the weapon
 * @param {boolean} [anew] it was placed just now, whatever is targeted
 */
async function blastOf(wanted, attacker, id, anew = false) {
  const now = circleNow();
  if (!now || (!anew && !now.selected && (game.user?.targets.size ?? 0) > 0)) return null;
  const [target, ...others] = tokensIn(now.circle).flatMap((token) => sideOf(token) ?? []);
  if (!target) return null;
  const named = wanted.weapon ? ownWeapon(attacker.actor, id ?? wanted.weapon) : undefined;
  const { weapons } = named ? { weapons: [{ id: named }] } : await attemptOn(wanted, { attacker, target, others, circle: now.circle });
  for (const weapon of weapons) {
    const attempt = await attemptOn(wanted, { attacker, target, others, circle: now.circle, weapon: weapon.id });
    if (attempt.ways.length > 0 && (await suits(attempt))) return attempt;
  }
  return null;
}

/** Whether a weapon can be used so: nothing is wrong but what is not said yet. @param {import("./attack-form.mjs").Attempt} attempt */
async function suits(attempt) {
  const { weapon, way } = attempt;
  const answer = await attempt.odds({ weapon, way, said: {}, modifiers: [] }).catch((error) => error);
  const only = answer.problems?.length > 0 && answer.problems.every((/** @type {any} */ { code, path }) => code === "missing-field" && !path.startsWith("situation.weapon"));
  return answer.status === "resolved" || only;
}

/**
 * @param {Attack} wanted
 * @param {import("./attempts.mjs").Wanted} known
 */
async function attemptOn({ action: asked, procedure, situation }, known) {
  const action = asked ? slug(asked) : undefined;
  const { attacker } = known;
  const fight = fightOf();
  if (fight && fighterOf(attacker.actor)) return fightAttempt(fight, { ...known, situation, action, procedure });
  return freeAttempt({ ...known, situation, procedure: procedure ?? (await procedureOf(asked)) });
}

/**
 * The item of a uuid; undefined for any other name of a weapon.
 *
 * @param {string | undefined} name
 * @returns {any}
 */
function weaponNamed(name) {
  if (!name || !/^(Actor|Scene)\./.test(name)) return undefined;
  const item = documentAt(name);
  if (!item) throw new Error(game.i18n.localize("FRACAS.attack.no-weapon"));
  return item;
}

/**
 * The id of an actor's weapon that is called so in one way or another; else the name itself.
 *
 * @param {any} actor
 * @param {string | undefined} name
 */
function ownWeapon(actor, name) {
  const items = [...actor.items];
  const found = items.find(({ id }) => id === name) ?? items.find((item) => slugOf(item, "weapon") === name || item.name === name);
  return found?.id ?? name;
}

/** @param {string | undefined} action id of an entry */
async function procedureOf(action) {
  if (!action?.includes(":")) return undefined;
  const entry = await service().ask(`/v1/entries/${encodeURIComponent(action)}`, { token: "" });
  return entry.data.procedure;
}

/** @param {string} id such as sr4-core:action/take-aim */
function slug(id) {
  return id.split("/").at(-1) ?? id;
}

/**
 * A token, its document or an actor as a side.
 *
 * @param {any} one
 * @returns {Side | undefined}
 */
function sideOf(one) {
  if (!one) return undefined;
  if (one.documentName === "Actor") {
    const tokens = one.getActiveTokens?.() ?? [];
    const token = tokens.find((/** @type {any} */ { controlled }) => controlled) ?? tokens[0];
    return { actor: one, name: token?.name ?? one.name, object: token };
  }
  const object = one.object ?? one;
  return one.actor ? { actor: one.actor, name: one.name, object } : undefined;
}

/** The selected token, or the user's own character. */
function ownSide() {
  const [token] = canvas.tokens?.controlled ?? [];
  return sideOf(token) ?? sideOf(game.user?.character);
}

/**
 * One procedure, for `/v1/resolve`; shown in chat unless `chat` is false.
 *
 * @param {{ruleset?: string, procedure: string, situation: object} & Record<string, unknown>} request
 * @param {{chat?: boolean, title?: string, who?: import("./chat-card.mjs").Card["who"]}} [how]
 * @returns {Promise<any>} the message, or the answer
 */
export async function resolve(request, { chat = true, title = words(request.procedure), who = {} } = {}) {
  return told(async () => {
    const { ruleset } = await activeMapping();
    const whole = { ruleset, ...request };
    return chat ? resolveInChat(whole, { title, who, things: {} }) : service().resolve(whole);
  });
}

/**
 * Exact odds: of a request, or of what the selected token may do to the targeted one.
 *
 * @param {{procedure: string, situation: object} & Record<string, unknown>} [request]
 * @returns {Promise<any>}
 */
export async function odds(request) {
  if (!request) return attack();
  return told(async () => service().odds({ ruleset: (await activeMapping()).ruleset, ...request }));
}

/**
 * Takes an action of the fight; one that concerns another opens the dialog unless `fast` is true.
 *
 * @param {{action: string, combatant?: any, fast?: boolean} & Record<string, any>} wanted
 * @returns {Promise<any>}
 */
export async function act({ action, combatant, fast = false, ...rest }) {
  return told(async () => {
    const fight = fightOf();
    const side = sideOf(combatant) ?? ownSide();
    if (!fight || !side || !fighterOf(side.actor)) return attack({ action, attacker: combatant, fast, ...rest });
    const fighter = fighterOf(side.actor);
    const { actions } = await fight.actions(fighter);
    const found = actions.find((/** @type {any} */ one) => one.action === slug(action));
    if (found?.targets && found.procedure && !fast) return attack({ action, attacker: combatant, ...rest });
    const target = [...(game.user?.targets ?? [])].map((one) => fighterOf(one.actor)).find(Boolean);
    const command = { combatant: fighter, action: slug(action), ...(found?.targets && target ? { target } : {}), ...rest };
    const message = await actInChat(fight, command, { title: found?.label ?? slug(action), speaker: ChatMessage.getSpeaker({ actor: side.actor }) });
    if (message === null) tell("info", `${side.name}: ${found?.label ?? slug(action)}`);
    return message;
  });
}

/**
 * Initiative: of the fight, for the game master; without one, of the selected tokens.
 *
 * @returns {Promise<any>}
 */
export async function initiative() {
  return told(async () => {
    const fight = fightOf();
    if (fight) {
      const { phase } = await fight.state();
      return carriedOut(fight, { command: ["setup", "turn-over"].includes(phase) ? "begin-turn" : "roll-initiative" });
    }
    const mapping = await activeMapping();
    const { procedures } = await service().ruleset(mapping.ruleset);
    const procedure = procedures.find((/** @type {any} */ { id }) => id.startsWith("initiative"));
    if (!procedure) throw new Error(game.i18n.localize("FRACAS.error.no-initiative"));
    const [record] = Object.entries(procedure.situation.properties).find(([, one]) => one.anyOf) ?? [];
    const known = new Set(Object.keys(procedure.situation.properties[record ?? ""]?.anyOf?.at(-1)?.properties ?? {}));
    for (const token of canvas.tokens?.controlled ?? []) {
      const { actor } = token;
      if (!actor) continue;
      const use = slugOf(actor, "combatant");
      const said = { ...(use ? { use } : {}), ...combatantOf(mapping, actor).said };
      const fitting = Object.fromEntries(Object.entries(said).filter(([name]) => known.has(name)));
      const request = { ruleset: mapping.ruleset, procedure: procedure.id, situation: { [record ?? ""]: fitting } };
      const who = { [record ?? ""]: { name: token.name, actor: actor.uuid ?? "" } };
      const message = await resolveInChat(request, { title: procedure.label, who, things: {}, speaker: ChatMessage.getSpeaker({ actor: /** @type {Actor.Stored} */ (actor) }) });
      const outcome = cardOf(message)?.answer.outcome;
      const score = outcome?.score ?? outcome?.total;
      const combatant = game.combat?.combatants.find((/** @type {any} */ one) => one.actor === actor);
      if (combatant?.id && typeof score === "number") await game.combat?.setInitiative(combatant.id, score);
    }
  });
}

/**
 * Answers what a message asks.
 *
 * @param {any} message a chat message or its id
 * @param {import("./chat-card.mjs").Pressed} [how] `{press: "choose", choose: "none"}`; the service throws if left out
 */
export async function answer(message, how = { press: "service" }) {
  const found = typeof message === "string" ? game.messages.get(message) : message;
  return press(found, how);
}

/**
 * Takes back: the last step of the fight, or what the last card wrote to sheets. For the game master.
 *
 * @param {number} [steps] of a fight
 */
export async function undo(steps = 1) {
  return told(async () => {
    const fight = fightOf();
    if (fight) return carriedOut(fight, { command: "undo", steps });
    const last = game.messages.contents.filter((message) => cardOf(message)?.state === "applied" && writtenFor(/** @type {string} */ (message.id))).at(-1);
    if (!last) return void ui.notifications.info("FRACAS.undo.nothing", { localize: true });
    return press(last, { press: "undo" });
  });
}

/**
 * @template T
 * @param {() => Promise<T>} task
 * @returns {Promise<T | null>} null if it failed, which is reported
 */
async function told(task) {
  try {
    return await task();
  } catch (error) {
    complain(error);
    return null;
  }
}

export const api = { attack, resolve, odds, initiative, act, answer, undo, skirmish, id: MODULE };
