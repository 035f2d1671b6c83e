/**
 * The fight of the service that a Combat of Foundry follows, and this client's token for it.
 *
 * Flags of the Combat: `fracas.encounter` = `{id, version}`; `fracas.fighters` = ids in the fight by those of the Combatants.
 * It is the Combat that keeps them, because Foundry lets players write flags of their own Combatants, and a user who posed
 * as another there would get that one's token. Secrets are kept by each client for itself, never in a document.
 */

import { ServiceError } from "./client.mjs";
import { makeToken } from "./inside-place.mjs";
import { MODULE, isInside, service, setting } from "./settings.mjs";

const GIVE = `${MODULE}.token`;
const NEED = `${MODULE}.need-token`;

/**
 * The fight of a Combat; null if it has none, or if this client has no token for it.
 *
 * @param {any} [combat]
 * @returns {import("./client.mjs").Encounter | null}
 */
export function fightOf(combat = game.combat) {
  const id = combat?.getFlag(MODULE, "encounter")?.id;
  const token = id ? tokenOf(id) : "";
  return token ? service().encounter(id, token) : null;
}

/**
 * The Combat that follows a fight.
 *
 * @param {string} fight
 * @returns {any} undefined if none here does
 */
export function combatOf(fight) {
  return game.combats.find((one) => one.getFlag(MODULE, "encounter")?.id === fight);
}

/**
 * The id by which the fight knows a Combatant; "" if it does not.
 *
 * @param {any} combatant
 * @returns {string}
 */
export function fighterIn(combatant) {
  return combatant?.combat?.getFlag(MODULE, "fighters")?.[combatant.id] ?? "";
}

/**
 * The id by which the fight knows an actor; "" if it does not.
 *
 * @param {any} actor
 * @param {any} [combat]
 * @returns {string}
 */
export function fighterOf(actor, combat = game.combat) {
  const combatant = combat?.combatants.find((/** @type {any} */ one) => one.actor === actor || one.actor?.uuid === actor?.uuid);
  return fighterIn(combatant);
}

/**
 * The actor of a combatant of the fight.
 *
 * @param {string} fighter
 * @param {any} [combat]
 * @returns {any} undefined if nobody here is called so
 */
export function actorOf(fighter, combat = game.combat) {
  return fighter ? combat?.combatants.find((/** @type {any} */ one) => fighterIn(one) === fighter)?.actor : undefined;
}

/**
 * The token document of a combatant of the fight.
 *
 * @param {string} fighter
 * @param {any} [combat]
 * @returns {any}
 */
export function fightersToken(fighter, combat = game.combat) {
  return fighter ? combat?.combatants.find((/** @type {any} */ one) => fighterIn(one) === fighter)?.token : undefined;
}

/**
 * This client's secret for a fight: its own, else the one from the settings.
 *
 * @param {string} fight
 * @returns {string}
 */
export function tokenOf(fight) {
  return setting("tokens")[fight] ?? setting("token");
}

/**
 * @param {string} fight
 * @param {string} secret
 */
export async function keepToken(fight, secret) {
  await game.settings.set(MODULE, "tokens", { ...setting("tokens"), [fight]: secret });
  Hooks.callAll("fracas.token", fight);
}

/** Lets the game master's client hand out tokens, and this one ask for its own. */
export function registerQueries() {
  const queries = CONFIG.queries;
  queries[GIVE] = takeToken;
  // The secret always goes to the client of the user that it is for.
  queries[NEED] = async (/** @type {{user: string}} */ { user }) => {
    const asking = game.users.get(user);
    if (asking && game.user?.isGM) await handOut(game.combat, asking, { again: true });
    return true;
  };
}

/**
 * Keeps a token that was handed out, if it is of a fight that is played here and for the user it is said to be for: not every version
 * of Foundry says who sends a query, and a player could hand on their own.
 *
 * @param {{fight: string, secret: string}} given
 * @param {{user?: any}} [sender]
 */
async function takeToken({ fight, secret }, { user } = {}) {
  if (user && !user.isGM) throw new Error(game.i18n.localize("FRACAS.error.gm-only"));
  const combat = combatOf(fight);
  if (!combat) return false;
  const offered = service().encounter(fight, secret);
  if (game.user?.isGM) await offered.tokens(); // only a game master's shows them
  else {
    const { combatants } = await offered.state();
    const seen = combatants.filter((/** @type {any} */ { sheet }) => sheet).map((/** @type {any} */ { id }) => id);
    if (ownFighters(combat, game.user).some((id) => !seen.includes(id))) return false;
  }
  await keepToken(fight, secret);
  return true;
}

/**
 * @param {any} combat
 * @param {any} user
 * @returns {string[]} ids in the fight of those whom a user owns
 */
function ownFighters(combat, user) {
  const own = combat.combatants.filter((/** @type {any} */ one) => one.actor?.testUserPermission(user, "OWNER"));
  return own.map(fighterIn).filter(Boolean).sort();
}

/**
 * Gives a user a token for the combatants that they own, if they have none yet or own others by now; another game master gets
 * a game master's. For the game master's client. What was given is noted in the Combat, without the secret.
 *
 * @param {any} combat
 * @param {any} user
 * @param {{again?: boolean}} [how] again: also if they should have one
 */
export async function handOut(combat, user, { again = false } = {}) {
  const fight = fightOf(combat);
  if (!fight || user.isSelf || !user.active) return;
  const combatants = user.isGM ? [] : ownFighters(combat, user);
  if (combatants.length === 0 && !user.isGM) return;
  const given = combat.getFlag(MODULE, "tokens")?.[user.id];
  if (!again && given && given.combatants.join() === combatants.join()) return;
  const made = await fight.makeToken({ role: user.isGM ? "gm" : "player", label: user.name, combatants });
  await user.query(GIVE, { fight: fight.id, secret: made.secret }, { timeout: 10_000 });
  await combat.setFlag(MODULE, "tokens", { [user.id]: { id: made.id, combatants } });
  if (given) await fight.client.ask(`${fight.path}/tokens/${given.id}`, { method: "DELETE", token: fight.token }).catch(() => {});
}

/** The active game master's client gives everybody who is there a token; that of another one gives them one. */
export async function handOutAll() {
  const combat = game.combat;
  if (!game.user?.isGM || !combat || !fightOf(combat)) return;
  for (const user of game.users) {
    if (game.user.isActiveGM || user === game.users.activeGM) await handOut(combat, user);
  }
}

/** @param {string} fight @returns {Promise<boolean>} false: the service does not know this client's token any more */
async function isGood(fight) {
  const refused = (/** @type {any} */ error) => error instanceof ServiceError && [401, 404].includes(error.status);
  return service().encounter(fight, tokenOf(fight)).state().then(() => true, (error) => !refused(error));
}

/** Asks the game master's client for a token, if this one needs one and has none that is good. */
export async function needToken() {
  const id = game.combat?.getFlag(MODULE, "encounter")?.id;
  if (!id || (tokenOf(id) && (await isGood(id)))) return;
  if (isInside() && game.user?.isActiveGM) {
    const secret = await makeToken(id);
    if (secret) await keepToken(id, secret);
    return;
  }
  const gm = game.users.find((user) => user.isGM && user.active && !user.isSelf);
  if (!gm) return;
  await gm.query(NEED, { user: game.userId ?? "" }, { timeout: 10_000 });
}
