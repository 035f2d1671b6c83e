// The card that is shown, and the ways by which it gets to the table: Beyond20, and the clipboard.

import { customDomains, lingerLoading, send, watch } from "./beyond20.js";
import { cardView } from "./card-view.js";

/**
 * @typedef {object} Cards A card in the forms of the service.
 * @property {import("./card-view.js").Card} data
 * @property {Record<string, unknown> | null} beyond20 null while the step waits
 * @property {string} roll20
 * @property {string} mod
 * @property {string} text
 */

const PRESENCE = /** @type {Record<import("./beyond20.js").Presence, string>} */ ({
  looking: "Looking for Beyond20 …",
  here: "Beyond20 is here",
  keeps: "Beyond20 is here, but set to keep rolls to itself",
  missing: "Beyond20 is not on this page",
});

export class HandOver {
  /** @type {Cards | null} what may be handed over */
  #cards = null;
  /** How often the card was handed over. */
  #tries = 0;
  /** @type {import("./beyond20.js").Presence} */
  #presence = "looking";
  /** Steps that were handed over by themselves or by hand. @type {Set<string>} */
  #sent = new Set();
  #step = "";

  /** @param {HTMLElement} root the part of the page with the card and its buttons */
  constructor(root) {
    this.root = root;
    lingerLoading();
    watch((presence) => this.#found(presence));
    this.#find("#send").addEventListener("click", () => this.#send());
    for (const button of root.querySelectorAll("button[data-form]")) {
      const { form = "" } = /** @type {HTMLElement} */ (button).dataset;
      button.addEventListener("click", () => this.#copy(form, button.textContent ?? ""));
    }
    const domain = document.getElementById("domain");
    const lines = customDomains(location, /Firefox\//.test(navigator.userAgent));
    if (domain) domain.textContent = lines.join("\n");
    for (const part of document.querySelectorAll("[data-domain]")) {
      /** @type {HTMLElement} */ (part).hidden = (lines.length > 0) !== (/** @type {HTMLElement} */ (part).dataset.domain === "taken");
    }
    document.querySelector("[data-copy=domain]")?.addEventListener("click", () => this.#write(domain?.textContent ?? "", "The address is copied."));
  }

  /** @param {string} selector @returns {any} */
  #find(selector) {
    return this.root.querySelector(selector);
  }

  /** @param {Cards} cards @param {string} [step] of a fight */
  show(cards, step = "") {
    this.#cards = cards;
    this.#step = step;
    this.#tries = 0;
    this.#find("#card").replaceChildren(cardView(cards.data));
    this.#find("#secret").hidden = true;
    this.#find("#hand-over").hidden = false;
    this.#find("[data-form=mod]").disabled = !cards.mod;
    this.#find("#by-hand").hidden = true;
    this.#say(this.#sent.has(step) && step ? "This card was handed over before." : "");
    this.#offer();
  }

  /** @param {import("./card-view.js").Card} card what nobody else may see */
  showSecret(card) {
    this.#cards = null;
    this.#find("#card").replaceChildren(cardView(card));
    this.#find("#secret").hidden = false;
    this.#find("#hand-over").hidden = true;
    this.#find("#by-hand").hidden = true;
    this.#say("");
  }

  /** Hands a card of a fight over by itself, once. @param {Cards} cards @param {string} step */
  relay(cards, step) {
    if (this.#sent.has(step)) return;
    if (this.#cards === null || this.#step !== step) this.show(cards, step);
    this.#send();
  }

  /** @param {import("./beyond20.js").Presence} presence */
  #found(presence) {
    this.#presence = presence;
    const pill = document.getElementById("beyond20");
    if (pill) {
      pill.textContent = PRESENCE[presence];
      pill.dataset.presence = presence;
    }
    this.#offer();
  }

  #offer() {
    const button = this.#find("#send");
    button.disabled = !this.#cards?.beyond20;
    button.textContent = this.#tries > 0 ? "Retry" : "Send to the table";
  }

  #send() {
    const request = this.#cards?.beyond20;
    if (!request) return;
    if (this.#presence === "missing" || this.#presence === "looking") {
      this.#say("Not sent: Beyond20 is not on this page. See above how it is connected, or copy the card.", "bad");
      return;
    }
    send(request);
    this.#tries += 1;
    if (this.#step) this.#sent.add(this.#step);
    const time = new Date().toLocaleTimeString();
    const count = this.#tries > 1 ? ` (${this.#tries} times)` : "";
    if (this.#presence === "keeps") {
      this.#say(`Handed to Beyond20 at ${time}${count}, which is set to send rolls nowhere: choose a table in its popup, then retry.`, "bad");
    } else {
      this.#say(`Handed to Beyond20 at ${time}${count}. It does not report back: if the chat of the table shows nothing, retry or copy.`, "good");
    }
    this.#offer();
  }

  /** @param {string} text @param {"" | "good" | "bad"} [kind] */
  #say(text, kind = "") {
    const place = this.#find("#delivery");
    place.textContent = text;
    place.dataset.kind = kind;
  }

  /** @param {string} form @param {string} label */
  #copy(form, label) {
    const text = this.#cards?.[/** @type {"roll20" | "mod" | "text"} */ (form)];
    if (text) this.#write(text, `${label.replace(/^Copy/, "Copied")}: paste it into the chat of the table.`);
  }

  /** @param {string} text @param {string} done */
  async #write(text, done) {
    const area = this.#find("#by-hand textarea");
    try {
      await navigator.clipboard.writeText(text);
      this.#find("#by-hand").hidden = true;
      this.#say(done, "good");
    } catch {
      // No permission, or plain http of another computer.
      area.value = text;
      this.#find("#by-hand").hidden = false;
      area.focus();
      area.select();
      this.#say("");
    }
  }
}
