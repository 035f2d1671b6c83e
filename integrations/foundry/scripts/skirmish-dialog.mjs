/** "Place a skirmish": which one, and how. For the game master. */

import { complain } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { placeSkirmish, skirmishes } from "./skirmish.mjs";

const { ApplicationV2 } = foundry.applications.api;

/** What may be chosen, with what holds until then. */
const CHOICES = /** @type {const} */ (["players", "hidden", "combat"]);

export class SkirmishDialog extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "fracas-skirmish",
    classes: ["fracas", "fracas-skirmish"],
    window: { title: "FRACAS.skirmish.title", icon: "fa-solid fa-people-group" },
    position: { width: 420 },
    actions: {
      /** @this {SkirmishDialog} */
      async place() {
        await this.place().catch(complain);
      },
    },
  };

  /** @override */
  async _renderHTML() {
    const say = (/** @type {string} */ key) => game.i18n.localize(`FRACAS.skirmish.${key}`);
    const found = skirmishes();
    if (found.length === 0) return [node("p", {}, say("none"))];
    const options = found.map(({ id, name }) => node("option", { value: id }, name));
    const about = node("p", { class: "hint" }, found[0]?.description ?? "");
    const select = node("select", { name: "skirmish" }, ...options);
    select.addEventListener("change", () => {
      about.textContent = found.find(({ id }) => id === select.value)?.description ?? "";
    });
    const checks = CHOICES.map((name) => node("label", {}, node("input", { type: "checkbox", name, checked: true }), ` ${say(name)}`));
    return [select, about, ...checks, node("footer", { class: "form-footer" }, node("button", { type: "button", "data-action": "place" }, say("place")))];
  }

  /** @override @param {any} result @param {HTMLElement} content */
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
  }

  async place() {
    const chosen = this.element.querySelector("select")?.value;
    const skirmish = skirmishes().find(({ id }) => id === chosen);
    if (!skirmish) return;
    const [players, hidden, combat] = CHOICES.map((name) => /** @type {HTMLInputElement} */ (this.element.querySelector(`input[name=${name}]`)).checked);
    await placeSkirmish(skirmish, { players, hidden, combat });
    await this.close();
  }
}

/** What the macro calls. @returns {Promise<unknown>} */
export async function openSkirmishes() {
  if (game.user?.isGM) return new SkirmishDialog().render({ force: true });
  return ui.notifications.warn("FRACAS.error.gm-only", { localize: true });
}
