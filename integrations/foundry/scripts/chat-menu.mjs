/** The menu of a chat message: the attack of a card once more. Its entries have other names since Foundry 14. */

import { attack } from "./api.mjs";
import { cardOf } from "./chat-card.mjs";
import { documentAt } from "./documents.mjs";

/** For the hook `init`. */
export function registerChatMenu() {
  Hooks.on("getChatMessageContextOptions", (/** @type {any} */ _log, /** @type {any[]} */ entries) => {
    const label = "FRACAS.card.again";
    const shows = (/** @type {HTMLElement} */ message) => attackOf(message) !== null;
    const press = (/** @type {HTMLElement} */ message) => {
      const found = attackOf(message);
      if (found) void attack(found);
    };
    const old = { name: label, icon: '<i class="fa-solid fa-crosshairs"></i>', condition: shows, callback: press };
    const now = { label, icon: "fa-solid fa-crosshairs", visible: shows, onClick: (/** @type {Event} */ _event, /** @type {HTMLElement} */ message) => press(message) };
    entries.push(game.release.generation >= 14 ? now : old);
  });
}

/**
 * What the card of a message showed, if this client's user may do it again.
 *
 * @param {HTMLElement} shown the message in the log
 * @returns {import("./api.mjs").Attack | null}
 */
function attackOf(shown) {
  const message = game.messages.get(shown.dataset.messageId ?? "");
  const card = message && cardOf(message);
  const [attacker, target] = [card?.who.attacker, card?.who.target].map(present);
  if (!attacker || !target || !(attacker.actor ?? attacker).isOwner) return null;
  const weapon = card?.things.weapon;
  return { attacker, target, ...(documentAt(weapon) ? { weapon } : {}) };
}

/** The one that a card names: the token if it is on the scene, else the actor. @param {{actor: string, token?: string} | undefined} who @returns {any} */
function present(who) {
  const [token, actor] = [who?.token, who?.actor].map(documentAt);
  return token?.object ?? actor;
}
