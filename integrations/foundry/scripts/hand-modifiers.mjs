/**
 * Modifiers that people type in, with a few words and a number, to any number of an attack.
 *
 * Nothing here needs Foundry.
 */

import { node } from "./nodes.mjs";

/** @typedef {{to: string, label: string, value: number}} Modifier */

/** Characters of a label that the service takes. */
const LONGEST = "120";

export class HandModifiers {
  /** @type {Modifier[]} */
  #typed;
  /** @type {{value: string, label: string}} */
  #names;

  /**
   * @param {Modifier[]} given
   * @param {{value: string, label: string}} names of the two fields; that of the number stands for a label that is left out
   */
  constructor(given, names) {
    this.#typed = given.map((one) => ({ ...one }));
    this.#names = names;
  }

  /** Those that change something. @returns {Modifier[]} */
  get counting() {
    return this.#typed.filter(({ value }) => value !== 0).map((one) => ({ ...one, label: one.label.trim() || this.#names.value }));
  }

  /** @param {string} to a number, such as `attack.pool` @returns {HTMLElement[]} a row for each of its modifiers and one for another */
  rows(to) {
    this.#typed = this.#typed.filter((one) => one.to !== to || one.label || one.value);
    const own = this.#typed.filter((one) => one.to === to);
    return [...own, { to, label: "", value: 0 }].map(({ label, value }, at) => {
      const place = { "data-add": to, "data-at": `${at}` };
      const what = { type: "text", maxlength: LONGEST, value: label, placeholder: this.#names.label, "aria-label": this.#names.label };
      const number = { type: "number", step: "1", value: value === 0 ? "" : `${value}`, "aria-label": this.#names.value };
      return node(
        "li",
        { class: "fracas-modifier by-hand" },
        node("input", { ...what, ...place, "data-part": "label" }),
        node("input", { ...number, ...place, "data-part": "value" }),
      );
    });
  }

  /**
   * Takes what was typed into a field of a row.
   *
   * @param {HTMLInputElement} input
   * @returns {boolean} whether another number counts now
   */
  take(input) {
    const { add = "", at, part } = input.dataset;
    const own = this.#typed.filter((one) => one.to === add);
    const one = own[Number(at)] ?? { to: add, label: "", value: 0 };
    if (!own.includes(one)) this.#typed.push(one);
    if (part === "label") {
      one.label = input.value;
      return false;
    }
    if (input.validity.badInput) return false; // such as a minus whose number is still to come
    const value = Number(input.value);
    one.value = Number.isInteger(value) ? value : 0;
    return true;
  }
}
