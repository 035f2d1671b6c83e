/** The attack dialog: the form of an attempt in a window of Foundry. */

import { AttackForm } from "./attack-form.mjs";
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
        return this.#roll();
      },
    },
  };

  /** @type {Attempt} */
  #attempt;
  /** @type {AttackForm} */
  #form;
  /** @type {(result: any) => void} */
  #settle = () => {};

  /** @param {Attempt} attempt @param {object} [options] */
  constructor(attempt, options = {}) {
    super(options);
    this.#attempt = attempt;
    const localize = (/** @type {string} */ key) => game.i18n.localize(key);
    this.#form = new AttackForm(attempt, { localize, inWords, lang: game.i18n.lang }, () => this.render());
    /** Settled with the message of the roll, or with null when the dialog is closed without one. */
    this.result = new Promise((resolve) => (this.#settle = resolve));
  }

  /** @override */
  get title() {
    return this.#attempt.title;
  }

  /** @override */
  async _prepareContext() {
    await this.#form.prepare();
    return /** @type {any} */ ({});
  }

  /** @override */
  async _renderHTML() {
    const roll = [node("i", { class: "fa-solid fa-dice", inert: true }), ` ${game.i18n.localize("FRACAS.attack.roll")}`];
    const button = node("button", { type: "button", "data-action": "roll", class: "default" }, ...roll);
    return [...this.#form.parts(), node("footer", { class: "form-footer" }, button)];
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
    this.#form.stop();
    this.#settle(null);
    return super._onClose(options);
  }

  async #roll() {
    const button = /** @type {HTMLButtonElement | null} */ (this.element.querySelector("[data-action=roll]"));
    if (button) button.disabled = true;
    try {
      this.#settle(await this.#attempt.roll(this.#form.chosen));
      await this.close();
    } catch (error) {
      complain(error);
      if (button) button.disabled = false;
    }
  }
}
