/**
 * What other modules learn of attacks, such as those that play animations.
 *
 * `fracas.preAttack` is called by the client that is about to roll; a listener that returns false cancels the attack.
 * `fracas.attack` is called once for each attack, when its outcome is known: by the client of the one who rolled; by that of the
 * active game master if that user is not there any more, or may not see the outcome.
 */

import { cardOf } from "./chat-card.mjs";
import { documentAt } from "./documents.mjs";
import { MODULE } from "./settings.mjs";

/**
 * @typedef {object} Told
 * @property {any} attacker the token; null for one that is not on the scene
 * @property {any} actor the attacker's
 * @property {any[]} targets tokens
 * @property {any} item the weapon; null if it is none of the actor's
 */

const TARGETS = /^(target|victim)(_\d+)?$/;

/** Messages whose outcome was told, or was known before this client was there. @type {Set<string>} */
const known = new Set();

/** For the hook `init`. */
export function registerPublicHooks() {
  Hooks.on("createChatMessage", tell);
  Hooks.on("updateChatMessage", tell);
  Hooks.once("ready", () => {
    for (const message of game.messages) if (resolved(message)) known.add(/** @type {string} */ (message.id));
  });
}

/**
 * Whether no other module objects to an attack.
 *
 * @param {Told & {way: string, situation: Record<string, any>}} attack way: the procedure, or the action of a fight; situation:
 *   what is said of it, to be read
 * @returns {boolean}
 */
export function allowed(attack) {
  return Hooks.call(`${MODULE}.preAttack`, attack) !== false;
}

/** @param {any} message @returns {import("./chat-card.mjs").Card | null} the card of an attack whose outcome is known */
function resolved(message) {
  const card = cardOf(message);
  return card?.who.attacker && card.answer.status === "resolved" && card.state !== "undone" ? card : null;
}

/** @param {any} message */
function tell(message) {
  const card = game.ready ? resolved(message) : null;
  if (!card || known.has(message.id)) return;
  known.add(message.id);
  if (!tells(message)) return;
  const { attacker, ...others } = card.who;
  const targets = Object.entries(others).filter(([record]) => TARGETS.test(record)).flatMap(([, who]) => tokenOf(who) ?? []);
  const { outcome, effects } = structuredClone(card.answer);
  const item = card.things.weapon ? documentAt(card.things.weapon) : null;
  Hooks.callAll(`${MODULE}.attack`, { attacker: tokenOf(attacker), actor: documentAt(attacker.actor), targets, item, outcome, effects, message });
}

/** Whether this client is the one that reports a message. @param {any} message */
function tells({ author, blind }) {
  const own = author?.active && (author.isGM || !blind);
  return own ? author.isSelf : Boolean(game.user?.isActiveGM);
}

/** @param {{actor: string, token?: string}} who @returns {any} a token on the canvas, or null */
function tokenOf({ actor, token }) {
  return documentAt(token)?.object ?? documentAt(actor)?.getActiveTokens?.()[0] ?? null;
}
