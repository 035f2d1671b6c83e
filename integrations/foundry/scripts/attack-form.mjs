/**
 * The form of an attack or any other procedure: what may be said of the situation, every modifier that counts or could, with its
 * field, and exact odds that follow each click. What may be said and what it changes is asked of the service.
 *
 * Nothing here needs Foundry: the dialog there and the pages of the service show it.
 */

import { ServiceError } from "./client.mjs";
import { legend, sign } from "./certainty.mjs";
import { HandModifiers } from "./hand-modifiers.mjs";
import { node, signed, words } from "./nodes.mjs";
import { proposed } from "./proposals.mjs";
import { fieldAt, joined, numbersOf, ownFields, valueAt, withValue } from "./situation.mjs";

/** @typedef {import("./situation.mjs").Field} Field */

/**
 * @typedef {object} Choice One of the weapons, actions or procedures to choose from.
 * @property {string} id
 * @property {string} label
 * @property {string} [why] why it is not allowed now; only to be read
 *
 * @typedef {object} Attempt What is about to be done, in a fight or without one.
 * @property {string} title
 * @property {string[]} notes such as fields that sheets lack
 * @property {Choice[]} weapons none: the form does not ask for one
 * @property {string} weapon
 * @property {Choice[]} ways actions of the fight, or procedures; none: the form does not ask for one
 * @property {string} way
 * @property {(chosen: Chosen) => Promise<any>} schema of the situation
 * @property {(chosen: Chosen) => Record<string, any>} [settled] what the chosen way itself says of the situation: nobody is asked for it
 * @property {{to: string, label: string, value: number}[]} [modifiers] those that were typed in before
 * @property {(way: string) => string} [meant] the weapon that a way is meant with; "" for none
 * @property {(chosen: Chosen) => Record<string, string>} [named] names of people by record, where the situation does not say them
 * @property {(chosen: Chosen) => Record<string, any>} known what sheets and tokens say of the situation; shown, and what is said in the form goes before it
 * @property {(chosen: Chosen, signal?: AbortSignal) => Promise<any>} odds
 * @property {(chosen: Chosen) => Promise<Suggestion[]>} [suggestions] what may be true and nobody has said
 * @property {boolean} [proposes] choices that the rules need are proposed, so that it can be rolled at once
 * @property {(chosen: Chosen) => Promise<any>} roll undefined: it was called off
 *
 * @typedef {{weapon: string, way: string, said: Record<string, any>, modifiers: {to: string, label: string, value: number}[]}} Chosen
 *
 * @typedef {object} Suggestion
 * @property {string} path of the field
 * @property {any} value
 * @property {string} text what is suggested, and why
 *
 * @typedef {object} Texts What the place where the form stands says for it.
 * @property {(key: string) => string} localize
 * @property {(error: unknown) => string} inWords
 * @property {string} lang
 */

export class AttackForm {
  /** @type {Attempt} */
  #attempt;
  /** @type {Texts} */
  #texts;
  /** @type {() => Promise<unknown>} */
  #again;
  /** @type {Chosen} */
  #chosen;
  /** @type {HandModifiers} */
  #hand;
  /** @type {any} */
  #schema = {};
  /** @type {Map<string, Field>} */
  #asked = new Map();
  /** @type {AbortController | undefined} */
  #running;
  /** @type {Suggestion[]} */
  #suggestions = [];
  /** @type {any} the last odds */
  #odds = null;
  /** @type {string[]} why there are no odds */
  #faults = [];
  /** Paths of fields that the rules needed once and nobody had said: they are asked for from then on. @type {Set<string>} */
  #wanted = new Set();
  /** Those of them that are missing now. @type {Set<string>} */
  #missing = new Set();
  /** The weapon was chosen by hand: it stays when the way changes. */
  #byHand = false;
  /** Numbers that people have opened or closed. @type {Map<string, boolean>} */
  #folded = new Map();

  /**
   * @param {Attempt} attempt
   * @param {Texts} texts
   * @param {() => Promise<unknown>} again called when another weapon or way is chosen: `prepare`, and show the `parts` anew
   */
  constructor(attempt, texts, again) {
    this.#attempt = attempt;
    this.#texts = texts;
    this.#again = again;
    const names = { value: texts.localize("FRACAS.attack.by-hand"), label: texts.localize("FRACAS.attack.by-hand-label") };
    this.#hand = new HandModifiers(attempt.modifiers ?? [], names);
    this.#chosen = { weapon: attempt.weapon, way: attempt.way, said: {}, modifiers: this.#hand.counting };
  }

  /** What has been chosen and said so far. */
  get chosen() {
    return this.#chosen;
  }

  /** Whether it can be rolled as it stands. */
  get ready() {
    return this.#faults.length === 0 && this.#odds !== null && this.#odds.status !== "refused";
  }

  /** Asks for the fields and the odds. */
  async prepare() {
    this.#schema = await this.#attempt.schema(this.#chosen);
    this.#suggestions = (await this.#attempt.suggestions?.(this.#chosen)) ?? [];
    await this.#ask();
    if (!this.#attempt.proposes || this.#missing.size === 0) return;
    const said = await proposed(this.#attempt, this.#chosen);
    if (said === this.#chosen.said) return;
    this.#chosen.said = said;
    await this.#ask();
  }

  /** Its parts, to be put into one element; then `show` fills in what the odds say. @returns {HTMLElement[]} */
  parts() {
    const { notes, weapons, ways } = this.#attempt;
    const label = (/** @type {string} */ key) => this.#texts.localize(`FRACAS.attack.${key}`);
    return [
      ...notes.map((note) => node("p", { class: "fracas-note" }, note)),
      node(
        "div",
        { class: "fracas-choices" },
        ...(weapons.length > 0 ? [choice("weapon", label("weapon"), weapons, this.#chosen.weapon)] : []),
        ...(ways.length > 0 ? [choice("way", label("way"), ways, this.#chosen.way)] : []),
      ),
      ...this.#suggestions.map(({ text }, at) => {
        const take = node("button", { type: "button", "data-action": "suggestion", "data-at": `${at}` }, label("take"));
        return node("p", { class: "fracas-suggestion" }, node("b", {}, label("suggested")), node("span", {}, text), take);
      }),
      node("fieldset", { class: "fracas-fields" }, node("legend", {}, label("situation")), ...this.#fields()),
      node("div", { class: "fracas-odds", "aria-live": "polite" }),
      node("div", { class: "fracas-modifiers" }),
    ];
  }

  /** What sheets say and what was said here. */
  get #situation() {
    return joined(this.#attempt.known(this.#chosen), this.#chosen.said);
  }

  /** The fields that belong to no sheet and that the chosen way leaves open, and those that were missing on a sheet. */
  #open() {
    const settled = this.#attempt.settled?.(this.#chosen) ?? {};
    const own = ownFields(this.#schema).filter(({ path }) => valueAt(settled, path) === undefined);
    const paths = new Set(own.map(({ path }) => path));
    const others = [...this.#wanted].filter((path) => !paths.has(path)).map((path) => fieldAt(this.#schema, path));
    return [...own, ...others.filter((field) => field !== null).map((field) => ({ ...field, title: this.#named(field) }))];
  }

  /**
   * A field by its title, one of a person or thing with whose it is.
   *
   * @param {Field} field
   */
  #named({ path, title }) {
    const [record, ...inner] = path.split(".");
    const { anyOf, title: role } = this.#schema.properties?.[record] ?? {};
    const name = this.#attempt.named?.(this.#chosen)[record] ?? valueAt(this.#situation, record)?.name ?? role;
    return inner.length > 0 && anyOf ? `${name}: ${title}` : title;
  }

  #fields() {
    return this.#open().map((field) => control(field, valueAt(this.#situation, field.path)));
  }

  /**
   * Takes what was said in a control of the form.
   *
   * @param {Event} event
   * @param {HTMLElement} root the element with the parts
   */
  async changed(event, root) {
    const input = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target);
    const { choice, path, add } = input.dataset;
    if (choice === "weapon" || choice === "way") {
      this.#chosen[choice] = input.value;
      this.#byHand ||= choice === "weapon";
      if (!this.#byHand) this.#chosen.weapon = this.#attempt.meant?.(input.value) || this.#chosen.weapon;
      await this.#again();
    } else if (path) {
      const field = fieldAt(this.#schema, path);
      const value = field?.kind === "several" ? ticked(root, path) : field && readControl(field, input);
      if (field) this.#chosen.said = withValue(this.#chosen.said, path, value);
      await this.refresh(root);
    } else if (add) {
      const counts = this.#hand.take(/** @type {HTMLInputElement} */ (input));
      this.#chosen.modifiers = this.#hand.counting;
      if (counts) await this.refresh(root);
    }
  }

  /**
   * Takes a suggestion, as if it had been said in its field.
   *
   * @param {number} at
   */
  async suggested(at) {
    const { path, value } = this.#suggestions[at];
    this.#chosen.said = withValue(this.#chosen.said, path, value);
    await this.#again();
  }

  /** Asks for the odds again and shows them. @param {HTMLElement} root */
  async refresh(root) {
    await this.#ask();
    if (root.isConnected) this.show(root);
  }

  /** Gives up a question that is not answered yet. */
  stop() {
    this.#running?.abort();
  }

  /** Asks for the odds; an older question that is not answered yet is given up. */
  async #ask() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    try {
      const odds = await this.#attempt.odds(this.#chosen, running.signal);
      if (running.signal.aborted) return;
      [this.#odds, this.#faults] = [odds, []];
      this.#missing.clear();
    } catch (error) {
      if (running.signal.aborted) return;
      this.#odds = null;
      this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    const problems = error instanceof ServiceError ? error.problems : [];
    const missing = problems.filter(({ code }) => code === "missing-field").map(({ path }) => path.replace(/^situation\./, ""));
    this.#missing = new Set(missing);
    for (const path of missing) this.#wanted.add(path);
    const told = problems.map(({ path, message, hint }) => {
      const field = fieldAt(this.#schema, path.replace(/^situation\./, ""));
      return `${field ? this.#named(field) : path}: ${message}${hint ? ` (${hint})` : ""}`;
    });
    this.#faults = told.length > 0 ? told : [this.#texts.inWords(error)];
  }

  /**
   * Shows the odds and modifiers as they stand. What has the focus keeps it.
   *
   * @param {HTMLElement} root the element with the parts
   */
  show(root) {
    const odds = root.querySelector(".fracas-odds");
    const modifiers = root.querySelector(".fracas-modifiers");
    if (!odds || !modifiers) return;
    const faults = this.#faults.map((fault) => node("p", { class: "fracas-fault" }, fault));
    odds.replaceChildren(...(faults.length > 0 ? faults : measures(this.#odds, this.#texts.lang)));
    this.#askForMissing(root);
    if (this.#odds?.modifiers) {
      const focus = /** @type {HTMLElement | null} */ (modifiers.querySelector(":focus"));
      const { path, add, at, part } = focus?.dataset ?? {};
      modifiers.replaceChildren(...this.#numbers());
      const same = path ? `[data-path="${path}"]` : `[data-add="${add}"][data-at="${at}"][data-part="${part}"]`;
      const again = path || add ? /** @type {HTMLElement | null} */ (modifiers.querySelector(same)) : null;
      if (add && focus) again?.replaceWith(focus); // with its cursor, in the middle of what is typed
      (add ? focus : again)?.focus();
    }
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("[data-action=roll], [data-rolls]"));
    for (const button of buttons) button.disabled = !this.ready;
    root.dataset.odds = String(Number(root.dataset.odds ?? 0) + 1);
  }

  /**
   * Marks the fields that the rules cannot do without, and adds those that are not there yet.
   *
   * @param {HTMLElement} root
   */
  #askForMissing(root) {
    const fields = root.querySelector(".fracas-fields");
    for (const field of this.#open()) {
      const there = fields?.querySelector(`[data-path="${field.path}"]`)?.closest(".fracas-several, label");
      const label = there ?? control(field, valueAt(this.#situation, field.path));
      label.classList.toggle("fracas-missing", this.#missing.has(field.path));
      if (!there) fields?.append(label);
    }
  }

  #numbers() {
    const { localize } = this.#texts;
    const elsewhere = new Set([...ownFields(this.#schema).map(({ path }) => path), ...this.#wanted]);
    const numbers = numbersOf(this.#odds.modifiers, this.#schema, this.#asked, elsewhere);
    const shown = numbers.map(({ label, total, rows }) => {
      const to = this.#odds.modifiers.find((/** @type {any} */ one) => one.label === label)?.to ?? "";
      const lines = rows.map((row) => {
        const { value, verdict, field } = row;
        const label = `${row.label}${sign(row)}`;
        const known = field ? valueAt(this.#situation, field.path) : undefined;
        const value_ = value === null ? "" : signed(value);
        return node(
          "li",
          { class: `fracas-modifier ${verdict}`, title: localize(`FRACAS.verdict.${verdict}`) },
          ...(field ? [control(field, known, label)] : [node("span", {}, label)]),
          node("span", { class: "fracas-value" }, verdict === "suppressed" ? `(${value_})` : value_),
        );
      });
      const counts = rows.some(({ value, field }) => value || this.#said(field));
      const open = this.#folded.get(to) ?? counts;
      const head = node("summary", {}, node("span", {}, label), node("span", { class: "fracas-value" }, `${total}`));
      const number = node("details", { open, "data-to": to }, head, node("ul", {}, ...lines, ...this.#hand.rows(to)));
      number.addEventListener("toggle", () => number.isConnected && this.#folded.set(to, number.open));
      return number;
    });
    const signs = legend(numbers.flatMap(({ rows }) => rows), localize);
    return signs.length > 0 ? [...shown, node("p", { class: "fracas-signs" }, signs.join("; "))] : shown;
  }

  /** @param {Field | null} field */
  #said(field) {
    return field !== null && valueAt(this.#chosen.said, field.path) !== undefined;
  }
}

/**
 * The words of a field of several that are ticked.
 *
 * @param {HTMLElement} root
 * @param {string} path
 */
function ticked(root, path) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll(`[data-path="${path}"]`)]);
  return boxes.filter(({ checked }) => checked).map(({ value }) => value);
}

/**
 * A list to choose from.
 *
 * @param {string} name
 * @param {string} label
 * @param {Choice[]} choices
 * @param {string} chosen
 */
export function choice(name, label, choices, chosen) {
  const options = choices.map(({ id, label, why }) => node("option", { value: id, selected: id === chosen, disabled: Boolean(why), title: why }, label));
  return node("label", { class: "fracas-choice" }, node("span", {}, label), node("select", { "data-choice": name }, ...options));
}

/**
 * @param {Field} field
 * @param {any} value
 * @param {string} [label] of the modifier that asks, else the field's own
 */
function control(field, value, label = field.title) {
  const text = node("span", {}, label);
  const data = { "data-path": field.path, title: field.hint || field.title };
  if (field.kind === "flag") return node("label", { class: "fracas-flag" }, node("input", { type: "checkbox", checked: value === true, ...data }), text);
  if (field.kind === "number") {
    const bounds = { min: bound(field.least), max: bound(field.most), step: field.whole ? "1" : "any" };
    return node("label", { class: "fracas-number" }, text, node("input", { type: "number", value: bound(value), ...bounds, ...data }));
  }
  if (field.kind === "several") {
    const chosen = new Set([value ?? []].flat());
    const boxes = field.options.map((word) => {
      const box = node("input", { type: "checkbox", value: word, checked: chosen.has(word), ...data });
      return node("label", { class: "fracas-flag" }, box, node("span", {}, words(word)));
    });
    return node("div", { class: "fracas-several", role: "group", "aria-label": label }, text, ...boxes);
  }
  const options = field.options.map((word) => node("option", { value: word, selected: word === value }, words(word)));
  const list = node("select", data, node("option", { value: "" }, "–"), ...options);
  return node("label", { class: "fracas-select" }, text, list);
}

/** @param {number | undefined} value */
function bound(value) {
  return value === undefined || value === null ? undefined : `${value}`;
}

/**
 * What a control says; null for nothing.
 *
 * @param {Field} field
 * @param {HTMLInputElement | HTMLSelectElement} input
 */
function readControl({ kind }, input) {
  if (input instanceof HTMLSelectElement) return input.value || null;
  if (kind === "flag") return input.checked;
  return input.value === "" ? null : Number(input.value);
}

/**
 * The first two measures say whether and how hard it hits; of the others only what can happen is shown.
 *
 * @param {any} one
 * @param {number} at
 */
const worthShowing = ({ value }, at) => at < 2 || value !== 0;

/**
 * The measures of odds: chances as percentages, expectations as numbers; or why nothing can be rolled.
 *
 * @param {any} odds
 * @param {string} lang
 */
function measures({ status, refusals = [], measures = [] }, lang) {
  if (status === "refused") {
    return refusals.map((/** @type {any} */ { label, message }) => node("p", { class: "fracas-fault" }, label ?? message));
  }
  return [
    node(
      "dl",
      {},
      ...measures.filter(worthShowing).map((/** @type {any} */ { id, label, value }) =>
        node("div", {}, node("dt", {}, label), node("dd", { "data-measure": id }, label.startsWith("Chance") ? percent(value, lang) : number(value, lang))),
      ),
    ),
  ];
}

/** @param {number} chance @param {string} lang */
function percent(chance, lang) {
  return new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 1 }).format(chance);
}

/** @param {number} value @param {string} lang */
function number(value, lang) {
  return new Intl.NumberFormat(lang, { maximumFractionDigits: 2 }).format(value);
}
