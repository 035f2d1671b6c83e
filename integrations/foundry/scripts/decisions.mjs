/**
 * Who is asked for decisions of the rules. Players are asked how their characters react to what is done to them, such as by which
 * defense; what they spend on rolls, such as Edge, only those are asked who want to be. For anyone else the default is taken.
 *
 * Each player sets it, or leaves it to what the world has. It counts for the actors that the player owns; those without a
 * player are the game masters'. It is kept per user, not per browser, because others' clients need it, too.
 */

import { complain } from "./messages.mjs";
import { MODULE, setting } from "./settings.mjs";

const KEYS = { own: `${MODULE}.decisions`, world: `${MODULE}.worldDecisions` };

/**
 * Whether the owner of an actor wants to decide.
 *
 * @param {any} actor none: what is done is this client's user's
 * @param {boolean} reaction how they react; otherwise what they spend, or choose of their own attack
 * @returns {boolean}
 */
export function isAsked(actor, reaction) {
  const players = actor ? game.users.filter((user) => !user.isGM && actor.testUserPermission(user, "OWNER")) : [];
  const owners = !actor ? [game.user] : players.length > 0 ? players : game.users.filter((user) => user.isGM);
  return owners.some((user) => wantsToDecide(user, reaction));
}

/**
 * What the world has of reactions is for players: the GM has enough to do.
 *
 * @param {any} user
 * @param {boolean} reaction
 */
function wantsToDecide(user, reaction) {
  const own = user.isSelf ? setting("decisions") : settingOf(user);
  const wish = own === "world" ? setting("worldDecisions") : own;
  return wish === "ask" || (reaction && wish === "reactions" && !(user.isGM && own === "world"));
}

/**
 * What another user has set; Foundry keeps settings of users where it keeps the world's.
 *
 * @param {any} user
 * @returns {string}
 */
function settingOf(user) {
  const kept = game.settings.storage.get("world")?.getItem(KEYS.own, user.id);
  try {
    return kept ? JSON.parse(kept) : "world";
  } catch {
    return "world";
  }
}

/**
 * Calls back when it is set anew.
 *
 * @param {() => Promise<unknown>} changed
 */
export function onWishes(changed) {
  const names = Object.values(KEYS);
  for (const hook of /** @type {const} */ (["createSetting", "updateSetting"])) {
    Hooks.on(hook, (/** @type {{key: string}} */ { key }) => {
      if (names.includes(key)) changed().catch(complain);
    });
  }
}
