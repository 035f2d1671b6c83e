// A single attack, or any other procedure, of what the packs have: who and what takes part, and the request that follows.

import { choice } from "../integrations/foundry/scripts/attack-form.mjs";
import { fieldAt, joined, withValue } from "../integrations/foundry/scripts/situation.mjs";
import { entriesOf } from "./entries.js";

/** @typedef {import("../integrations/foundry/scripts/attack-form.mjs").Attempt} Attempt */
/** @typedef {import("../integrations/foundry/scripts/attack-form.mjs").Chosen} Chosen */
/** @typedef {import("../integrations/foundry/scripts/client.mjs").ServiceClient} ServiceClient */
/** @typedef {import("../integrations/foundry/scripts/hand-modifiers.mjs").Modifier} Modifier */
/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {{name: string, title: string, kind: string}} Part A person or thing that a procedure knows. */

/** How many parts are asked for at once; more come when the user looks for them. */
const SHOWN = 3;

/** Which part is filled in from the start. */
const PRESET = /^(target|weapon)$/;
const WEAPON = "weapon";
const COMBATANT = "combatant";

export class SingleAttack {
  /** @type {any} */
  #ruleset = {};
  /** @type {any} */
  #procedure = {};
  /** Entries of the packs by kind. @type {Map<string, Promise<Entry[]>>} */
  #entries = new Map();
  /** The slugs that were chosen, by part. @type {Map<string, string>} */
  #chosen = new Map();
  /** The weapon was chosen by hand: it stays when another combatant attacks. */
  #byHand = false;
  /** Said by the address of the page, or pasted. @type {Record<string, any>} */
  #given = {};
  /** What else of a request was pasted. @type {{modifiers: Modifier[], further: Record<string, any>}} */
  #pasted = { modifiers: [], further: {} };

  /** @param {ServiceClient} client */
  constructor(client) {
    this.client = client;
  }

  /** @param {string} id @returns {Promise<{id: string, label: string}[]>} the procedures of a ruleset */
  async open(id) {
    this.#ruleset = await this.client.ruleset(id);
    this.#entries.clear();
    this.#chosen.clear();
    this.#byHand = false;
    return this.#ruleset.procedures;
  }

  /**
   * Chooses a procedure, and who and what takes part for as long as nobody says otherwise.
   *
   * @param {string} id
   * @param {Record<string, any>} [situation] said from the start
   * @param {{modifiers: Modifier[], further: Record<string, any>}} [pasted]
   */
  async choose(id, situation = {}, pasted = { modifiers: [], further: {} }) {
    this.#pasted = pasted;
    this.#procedure = this.#ruleset.procedures.find((/** @type {any} */ one) => one.id === id) ?? {};
    this.#given = {};
    const parts = this.parts();
    this.#byHand ||= WEAPON in situation;
    if (!this.#byHand) this.#chosen.delete(WEAPON);
    for (const [name, value] of Object.entries(situation)) {
      if (!parts.some((part) => part.name === name)) this.#given[name] = value;
      else if (typeof value === "string") this.#chosen.set(name, value);
      else {
        const { use = "", ...fields } = value ?? {};
        this.#chosen.set(name, use);
        this.#given[name] = fields;
      }
    }
    for (const [at, { name, kind }] of parts.entries()) {
      if (this.#chosen.has(name) || !(at === 0 || PRESET.test(name))) continue;
      const known = await this.entries(kind);
      const foe = at > 0 && kind === COMBATANT ? await this.#opponent() : "";
      const first = kind === "weapon" ? await this.#fitting() : foe || known[Math.min(at, known.length - 1)]?.slug;
      if (first) this.#chosen.set(name, first);
    }
  }

  /**
   * What the address of a page says of a situation: people and things by their part, fields by their path.
   *
   * @param {string} id of a procedure
   * @param {URLSearchParams} said such as `attacker=rook`, `distance=12`, `target.cover=partial`
   * @returns {Record<string, any>}
   */
  situationOf(id, said) {
    const { situation: schema = {} } = this.#ruleset.procedures.find((/** @type {any} */ one) => one.id === id) ?? {};
    let situation = {};
    for (const [path, text] of said) {
      const field = fieldAt(schema, path);
      const kinds = { flag: /^(1|true|yes|on)$/i.test(text), number: Number(text), choice: text, several: text.split(",") };
      const value = field ? kinds[field.kind] : schema.properties?.[path]?.anyOf ? text : "";
      if (text.trim() && !Number.isNaN(value)) situation = withValue(situation, path, value);
    }
    return situation;
  }

  /** @returns {Part[]} in the order in which they are asked for */
  parts() {
    const all = Object.entries(this.#procedure.situation?.properties ?? {}).flatMap(([name, { title = name, anyOf }]) => {
      const kind = anyOf?.[0]?.["x-entry-kind"];
      return kind ? [{ name, title, kind }] : [];
    });
    const further = (/** @type {Part} */ { name }) => /_\d+$/.test(name);
    return [...all.filter((part) => !further(part)), ...all.filter(further)];
  }

  /** The part of the one who acts: the first. */
  get actor() {
    return this.parts()[0]?.name ?? "";
  }

  /** @param {string} kind such as weapon @returns {Promise<Entry[]>} those of all packs of the ruleset */
  entries(kind) {
    const known = this.#entries.get(kind) ?? entriesOf(this.client, this.#ruleset, kind);
    this.#entries.set(kind, known);
    return known;
  }

  /** Against whom the first one stands in a ready-made fight; "" for nobody. */
  async #opponent() {
    const actor = this.#chosen.get(this.actor);
    for (const { data } of await this.entries("skirmish")) {
      const people = /** @type {{combatant: string, side: string}[]} */ (data.combatants ?? []);
      const side = people.find(({ combatant }) => combatant === actor)?.side;
      const foe = people.find((one) => side !== undefined && one.side !== side);
      if (foe) return foe.combatant;
    }
    return "";
  }

  /** The weapons that the first one carries. */
  async #carried() {
    const [{ name = "", kind = "" } = {}] = this.parts();
    const own = (await this.entries(kind)).find(({ slug }) => slug === this.#chosen.get(name))?.data.weapons ?? [];
    return /** @type {string[]} */ (own.map((/** @type {string} */ weapon) => weapon.replace(/^.*[:/]/, "")));
  }

  /** The first of them that the procedure takes. */
  async #fitting() {
    const carried = await this.#carried();
    for (const weapon of carried) {
      const request = this.#request({ weapon: "", way: "", said: { weapon }, modifiers: [] });
      const refused = await this.client.odds({ ...request, attribution: false }).then(
        ({ status }) => status === "refused",
        ({ problems = [] }) => problems.some((/** @type {any} */ { path, code }) => code !== "missing-field" && /^situation\.weapon/.test(path)),
      );
      if (!refused) return weapon;
    }
    return carried[0];
  }

  /**
   * The lists of people and things to choose from.
   *
   * @returns {Promise<{shown: HTMLElement[], more: HTMLElement[]}>}
   */
  async lists() {
    const carried = await this.#carried();
    const lists = await Promise.all(this.parts().map(async (part) => ({ part, list: await this.#list(part, carried) })));
    const shown = lists.filter(({ part: { name } }, at) => at < SHOWN && (!/_\d+$/.test(name) || this.#chosen.has(name)));
    return { shown: shown.map(({ list }) => list), more: lists.filter((one) => !shown.includes(one)).map(({ list }) => list) };
  }

  /** @param {Part} part @param {string[]} carried */
  async #list({ name, title, kind }, carried) {
    const list = choice("part", title, await this.#choices(kind, carried), this.#chosen.get(name) ?? "");
    list.querySelector("select")?.setAttribute("name", name);
    return list;
  }

  /** Entries of a kind, and nothing; of weapons those that are carried first. @param {string} kind @param {string[]} carried */
  async #choices(kind, carried) {
    const known = (await this.entries(kind)).map(({ slug, label }) => ({ id: slug, label }));
    const own = kind === "weapon" ? known.filter(({ id }) => carried.includes(id)) : [];
    return [{ id: "", label: "–" }, ...own, ...known.filter((one) => !own.includes(one))];
  }

  /** @param {string} part @param {string} slug "" for nobody or nothing */
  set(part, slug) {
    this.#chosen.set(part, slug);
    delete this.#given[part];
    this.#byHand ||= part === WEAPON;
  }

  /**
   * Gives the first one a weapon of their own, unless one was chosen by hand.
   *
   * @param {string} part that has changed
   * @returns {Promise<{choices: import("../integrations/foundry/scripts/attack-form.mjs").Choice[], chosen: string} | null>} what
   *   the list of weapons shows then; null where nothing changes
   */
  async rearm(part) {
    const [first] = this.parts();
    if (this.#byHand || part !== first?.name || !this.parts().some(({ name }) => name === WEAPON)) return null;
    const weapon = (await this.#fitting()) ?? this.#chosen.get(WEAPON) ?? "";
    this.#chosen.set(WEAPON, weapon);
    return { choices: await this.#choices(WEAPON, await this.#carried()), chosen: weapon };
  }

  /** What the lists and the address of the page say of the situation. */
  #known() {
    const parts = this.parts().flatMap(({ name }) => (this.#chosen.get(name) ? [[name, this.#chosen.get(name)]] : []));
    return joined(Object.fromEntries(parts), this.#given);
  }

  /** @param {Chosen} chosen */
  #request({ said, modifiers }) {
    const { id: ruleset } = this.#ruleset;
    const request = { ...this.#pasted.further, ruleset, procedure: this.#procedure.id, situation: joined(this.#known(), said) };
    return modifiers.length > 0 ? { ...request, modifiers } : request;
  }

  /** The name of a decision, and of an option's record, as people call them. @param {string} id */
  decision(id) {
    return this.#procedure.decisions?.find((/** @type {any} */ one) => one.id === id)?.label ?? id;
  }

  /** @param {string} part @returns {Promise<string>} what the one is called */
  async name(part) {
    const { kind = "", title = part } = this.parts().find(({ name }) => name === part) ?? {};
    const known = kind ? await this.entries(kind) : [];
    return known.find(({ slug }) => slug === this.#chosen.get(part))?.label ?? title;
  }

  /**
   * @param {(chosen: Chosen, request: any) => Promise<any>} roll
   * @returns {Attempt}
   */
  attempt(roll) {
    return {
      title: this.#procedure.label ?? "",
      notes: [],
      weapons: [],
      weapon: "",
      ways: [],
      way: this.#procedure.id ?? "",
      modifiers: this.#pasted.modifiers,
      schema: async () => this.#procedure.situation ?? {},
      known: () => this.#known(),
      odds: (chosen, signal) => this.client.odds({ ...this.#request(chosen), attribution: false, explain: "all" }, signal),
      roll: (chosen) => roll(chosen, this.#request(chosen)),
    };
  }
}
