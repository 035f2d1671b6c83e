/**
 * The fight of the service that a Combat of Foundry follows, and this client's token for it.
 *
 * Flags of the Combat: `fracas.encounter` = `{id, version}`. Of its Combatants: `fracas.combatant` = the id in the fight.
 * Secrets are kept by each client for itself, never in a document.
 */

import { MODULE, service, setting } from "./settings.mjs";

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
 * The id by which the fight knows an actor; "" if it does not.
 *
 * @param {any} actor
 * @param {any} [combat]
 * @returns {string}
 */
export function fighterOf(actor, combat = game.combat) {
  const combatant = combat?.combatants.find((/** @type {any} */ one) => one.actor === actor || one.actor?.uuid === actor?.uuid);
  return combatant?.getFlag(MODULE, "combatant") ?? "";
}

/**
 * The actor of a combatant of the fight.
 *
 * @param {string} fighter
 * @param {any} [combat]
 * @returns {any} undefined if nobody here is called so
 */
export function actorOf(fighter, combat = game.combat) {
  return combat?.combatants.find((/** @type {any} */ one) => one.getFlag(MODULE, "combatant") === fighter)?.actor;
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
  await game.settings.set(MODULE, "tokens", /** @type {any} */ ({ ...setting("tokens"), [fight]: secret }));
  Hooks.callAll(/** @type {any} */ ("fracas.token"), fight);
}

/** Lets the game master's client hand out tokens, and this one ask for its own. */
export function registerQueries() {
  const queries = /** @type {any} */ (CONFIG.queries);
  queries[GIVE] = async (/** @type {{fight: string, secret: string}} */ { fight, secret }, /** @type {any} */ { user } = {}) => {
    if (user && !user.isGM) throw new Error(game.i18n.localize("FRACAS.error.gm-only"));
    await keepToken(fight, secret);
    return true;
  };
  // Whoever asks, the secret goes to the client of the user that it is for.
  queries[NEED] = async (/** @type {{user: string}} */ { user }) => {
    const asking = game.users.get(user);
    if (asking && game.user?.isGM) await handOut(game.combat, asking, { again: true });
    return true;
  };
}

/**
 * Gives a user a token for the combatants that he owns, if he has none yet or owns others by now; another game master gets
 * a game master's. For the game master's client. What was given is noted in the Combat, without the secret.
 *
 * @param {any} combat
 * @param {any} user
 * @param {{again?: boolean}} [how] again: also if he should have one
 */
export async function handOut(combat, user, { again = false } = {}) {
  const fight = fightOf(combat);
  if (!fight || user.isSelf || !user.active) return;
  const combatants = combat.combatants
    .filter((/** @type {any} */ one) => one.actor?.testUserPermission(user, "OWNER") && one.getFlag(MODULE, "combatant"))
    .map((/** @type {any} */ one) => (user.isGM ? "" : one.getFlag(MODULE, "combatant")))
    .filter(Boolean)
    .sort();
  if (combatants.length === 0 && !user.isGM) return;
  const given = combat.getFlag(MODULE, "tokens")?.[user.id];
  if (!again && given && given.combatants.join() === combatants.join()) return;
  const made = await fight.makeToken({ role: user.isGM ? "gm" : "player", label: user.name, combatants });
  await user.query(GIVE, { fight: fight.id, secret: made.secret }, { timeout: 10_000 });
  await combat.setFlag(MODULE, "tokens", { [user.id]: { id: made.id, combatants } });
  if (given) await fight.client.ask(`${fight.path}/tokens/${given.id}`, { method: "DELETE", token: fight.token }).catch(() => {});
}

/** The active game master's client gives everybody who is there a token; that of another one gives him one. */
export async function handOutAll() {
  const combat = game.combat;
  if (!game.user?.isGM || !combat || !fightOf(combat)) return;
  for (const user of game.users) {
    if (game.user.isActiveGM || user === game.users.activeGM) await handOut(combat, user);
  }
}

/** Asks the game master's client for a token, if this one needs one and has none. */
export async function needToken() {
  const id = /** @type {any} */ (game.combat)?.getFlag(MODULE, "encounter")?.id;
  const gm = game.users.find((user) => user.isGM && user.active && !user.isSelf);
  if (!id || tokenOf(id) || !gm) return;
  await /** @type {any} */ (gm).query(NEED, { user: game.userId }, { timeout: 10_000 });
}
