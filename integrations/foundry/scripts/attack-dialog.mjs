/** The attack dialog: the form of an attempt in a window of Foundry. */

import { AttackForm } from "./attack-form.mjs";
import { CIRCLE } from "./blast-circles.mjs";
import { cardOf } from "./chat-card.mjs";
import { press } from "./conversation.mjs";
import { complain, inWords } from "./messages.mjs";
import { node } from "./nodes.mjs";

const { ApplicationV2 } = foundry.applications.api;

/** @typedef {import("./attack-form.mjs").Attempt} Attempt */

export class AttackDialog extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "fracas-attack-{id}",
    classes: ["fracas", "fracas-attack"],
    window: { title: "FRACAS.attack.title", icon: "fa-solid fa-crosshairs", resizable: true },
    position: { width: 560 },
    actions: {
      /** @this {AttackDialog} */
      roll() {
        return this.#roll(false);
      },
      /** @this {AttackDialog} @param {Event} _event @param {HTMLElement} target */
      suggestion(_event, target) {
        return this.#form.suggested(Number(target.dataset.at));
      },
      /** @this {AttackDialog} */
      apply() {
        return this.#roll(true);
      },
    },
  };

  /** @type {Attempt} */
  #attempt;
  /** @type {AttackForm} */
  #form;
  /** @type {(result: any) => void} */
  #settle = () => {};

  /** What of the hook of circles is heard. @type {number} */
  #heard;

  /**
   * @param {Attempt} attempt
   * @param {(weapon: string) => Promise<Attempt | null>} again the attempt anew, when a circle was placed; null if it stays as it is
   * @param {object} [options]
   */
  constructor(attempt, again, options = {}) {
    super(options);
    this.#attempt = attempt;
    this.#form = this.#formOf(attempt);
    this.#heard = Hooks.on(CIRCLE, async () => {
      const other = await again(this.#form.chosen.weapon).catch(() => null);
      if (!other || !this.rendered) return;
      this.#attempt = other;
      this.#form = this.#formOf(other);
      await this.render();
    });
    /** Settled with the message of the roll, or with null when the dialog is closed without one. */
    this.result = new Promise((resolve) => (this.#settle = resolve));
  }

  /** @param {Attempt} attempt */
  #formOf(attempt) {
    const localize = (/** @type {string} */ key) => game.i18n.localize(key);
    return new AttackForm(attempt, { localize, inWords, lang: game.i18n.lang }, () => this.render());
  }

  /** @override */
  get title() {
    return this.#attempt.title;
  }

  /** @override @param {foundry.applications.api.ApplicationV2.RenderOptions & {isFirstRender: boolean}} options */
  async _prepareContext(options) {
    await this.#form.prepare();
    return super._prepareContext(options);
  }

  /** @override */
  async _renderHTML() {
    const apply = game.user?.isGM ? [button("apply", "fa-burst", "FRACAS.attack.apply")] : [];
    return [...this.#form.parts(), node("footer", { class: "form-footer" }, button("roll", "fa-dice", "FRACAS.attack.roll"), ...apply)];
  }

  /** @override @param {any} result @param {HTMLElement} content */
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
    this.#form.show(this.element);
  }

  /** @override @param {any} context @param {any} options */
  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    this.element.addEventListener("input", (event) => this.#form.changed(event, this.element));
  }

  /** @override @param {any} options */
  _onClose(options) {
    Hooks.off(CIRCLE, this.#heard);
    this.#form.stop();
    this.#settle(null);
    return super._onClose(options);
  }

  /** @param {boolean} applied write the effects at once, if nobody is asked for anything */
  async #roll(applied) {
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (this.element.querySelectorAll(".form-footer button"));
    for (const one of buttons) one.disabled = true;
    try {
      const message = await this.#attempt.roll(this.#form.chosen);
      if (message === undefined) return void (await this.render());
      this.#settle(message);
      await this.close();
      if (applied) await applyAtOnce(message);
    } catch (error) {
      complain(error);
      for (const one of buttons) one.disabled = false;
    }
  }
}

/** @param {string} action @param {string} icon @param {string} label key of the text */
function button(action, icon, label) {
  const sign = node("i", { class: `fa-solid ${icon}`, inert: true });
  return node("button", { type: "button", "data-action": action, "data-rolls": true, class: action === "roll" ? "default" : undefined }, sign, ` ${game.i18n.localize(label)}`);
}

/** @param {any} message with a card */
async function applyAtOnce(message) {
  const card = message && cardOf(message);
  if (card?.question?.kind === "confirm") await press(message, { press: "choose", choose: "apply" });
  else if (card && !card.question && card.state === "open" && !card.fight && card.answer.effects.length > 0) await press(message, { press: "apply" });
}
