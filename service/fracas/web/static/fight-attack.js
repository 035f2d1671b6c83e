// An action in a running fight: who may do what with what, the command that follows, and what came of it.

import { ServiceError } from "../integrations/foundry/scripts/client.mjs";
import { words } from "../integrations/foundry/scripts/nodes.mjs";
import { entriesOf } from "./entries.js";

/** @typedef {import("../integrations/foundry/scripts/attack-form.mjs").Attempt} Attempt */
/** @typedef {import("../integrations/foundry/scripts/attack-form.mjs").Chosen} Chosen */
/** @typedef {import("../integrations/foundry/scripts/client.mjs").Encounter} Encounter */
/** @typedef {import("./card-view.js").Card} Card */
/** @typedef {import("./card-view.js").Question} Question */
/** @typedef {{id: string, label: string, why?: string}} Choice */

const WEAPONED = ["attacker", "target", "weapon"];

export class FightAttack {
  /** @type {any} the fight as the token sees it */
  state = { combatants: [], steps: [] };
  /** @type {any[]} what the chosen combatant may do */
  #offers = [];
  /** @type {any} */
  #ruleset = { procedures: [] };
  /** Combatants whose sheets are open, but who are not the token's to command. @type {Set<string>} */
  #denied = new Set();
  /** Whether those who act may be done now. */
  mayPass = false;
  /** What weapons are called, by slug. @type {Map<string, string>} */
  #weapons = new Map();
  combatant = "";
  action = "";
  target = "";
  item = "";
  /** @type {string[]} */
  others = [];

  /** @param {Encounter} fight */
  constructor(fight) {
    this.fight = fight;
  }

  /** Looks at the fight. The one who acts is chosen if nobody is. */
  async look() {
    this.state = await this.fight.state();
    if (this.#ruleset.id !== this.state.ruleset) await this.#learn();
    const own = this.own().map(({ id }) => id);
    if (!own.includes(this.combatant)) await this.choose(this.state.acting.find((/** @type {string} */ id) => own.includes(id)) ?? own[0] ?? "");
    else await this.#ask();
  }

  async #learn() {
    const { client } = this.fight;
    this.#ruleset = await client.ruleset(this.state.ruleset);
    this.#weapons = new Map((await entriesOf(client, this.#ruleset, "weapon")).map(({ slug, label }) => [slug, label]));
  }

  /** @param {string} combatant */
  async choose(combatant) {
    this.combatant = combatant;
    this.action = "";
    this.others = [];
    await this.#ask();
    const foe = this.targets().find(({ id }) => this.#find(id).side !== this.#find(combatant).side) ?? this.targets()[0];
    if (this.target === combatant || !this.targets().some(({ id }) => id === this.target)) this.target = foe?.id ?? "";
  }

  /** @returns {Promise<void>} */
  async #ask() {
    if (!this.combatant) {
      [this.#offers, this.mayPass] = [[], false];
      return;
    }
    try {
      const told = await this.fight.actions(this.combatant);
      this.#offers = told.actions;
      this.mayPass = told.next.allowed;
    } catch (error) {
      if (!(error instanceof ServiceError && error.status === 403)) throw error;
      this.#denied.add(this.combatant);
      return this.choose(this.own()[0]?.id ?? "");
    }
    if (this.#offer) return;
    const may = this.#offers.filter(({ allowed }) => allowed);
    const attacks = may.filter((offer) => offer.item && this.#attacks(offer));
    const first = attacks.find(({ judged }) => judged.length === 0) ?? attacks[0] ?? may[0];
    this.act(first?.action ?? this.#offers[0]?.action ?? "");
  }

  /** @param {string} action */
  act(action) {
    this.action = action;
    this.item = this.#offer?.item ?? this.item;
    if (!this.items().some(({ id }) => id === this.item)) this.item = "";
  }

  /** Whether it needs a target and a weapon. @param {any} offer */
  #attacks({ targets, procedure }) {
    const { properties = {} } = this.#ruleset.procedures.find((/** @type {any} */ { id }) => id === procedure)?.situation ?? {};
    return targets && WEAPONED.every((part) => properties[part]?.anyOf);
  }

  get #offer() {
    return this.#offers.find(({ action }) => action === this.action);
  }

  get #procedure() {
    return this.#ruleset.procedures.find((/** @type {any} */ { id }) => id === this.#offer?.procedure);
  }

  /** Whether the action is a step with dice and numbers. */
  get rolls() {
    return Boolean(this.#procedure);
  }

  /** Whether it is allowed now, or only has to be confirmed. */
  get allowed() {
    const reasons = this.#offer?.reasons ?? [];
    return Boolean(this.#offer) && reasons.every((/** @type {any} */ { code }) => code === "confirm-target");
  }

  /** Whether it needs a target. */
  get targeted() {
    return Boolean(this.#offer?.targets);
  }

  /** @param {string} id */
  #find(id) {
    return this.state.combatants.find((/** @type {any} */ one) => one.id === id) ?? {};
  }

  /** @param {string} id @returns {string} */
  name(id) {
    return this.#find(id).name ?? id;
  }

  /** Those that the token may command, or seems to. @returns {Choice[]} */
  own() {
    return this.state.combatants.filter((/** @type {any} */ one) => !one.gone && "asks" in one && !this.#denied.has(one.id)).map(named);
  }

  /** @returns {Choice[]} */
  targets() {
    return this.state.combatants.filter((/** @type {any} */ { id, gone }) => !gone && id !== this.combatant).map(named);
  }

  /** @returns {Choice[]} attacks that may be made first, then what else may be done, then the rest with the reasons */
  actions() {
    const sorted = [...this.#offers].sort((a, b) => Number(this.#attacks(b)) - Number(this.#attacks(a)));
    const told = sorted.map(({ action, label, allowed, reasons }) => {
      const why = allowed ? {} : { why: reasons.map((/** @type {any} */ { message }) => message).join("; ") };
      return { id: action, label, ...why };
    });
    return [...told.filter(({ why }) => !why), ...told.filter(({ why }) => why)];
  }

  /** @returns {Choice[]} */
  items() {
    return Object.keys(this.#find(this.combatant).items ?? {}).map((thing) => {
      const [slug, number] = thing.split("#");
      const label = this.#weapons.get(slug) ?? words(slug);
      return { id: thing, label: number ? `${label} #${number}` : label };
    });
  }

  /** Why the action is not allowed now, and what people must judge. @returns {string[]} */
  notes() {
    const { reasons = [], judged = [] } = this.#offer ?? {};
    return [
      ...reasons.map((/** @type {any} */ { message }) => `Not now: ${message}.`),
      ...judged.map((/** @type {string} */ need) => `You judge: ${need}.`),
    ];
  }

  /** How the fight stands, in a line. @returns {string} */
  standing() {
    const { title, turn, phase, acting, words: span } = this.state;
    const who = acting.map((/** @type {string} */ id) => this.name(id)).join(", ");
    return [title || "A fight", `${span?.turn ?? "turn"} ${turn}`, who ? `${who} to act` : words(phase)].join(" · ");
  }

  /** @param {Chosen} chosen */
  #body({ said, modifiers }) {
    return {
      combatant: this.combatant,
      action: this.action,
      ...(this.targeted && this.target ? { target: this.target } : {}),
      ...(this.others.length > 0 ? { others: this.others } : {}),
      ...(this.item ? { item: this.item } : {}),
      ...(Object.keys(said).length > 0 ? { situation: said } : {}),
      ...(modifiers.length > 0 ? { modifiers } : {}),
    };
  }

  /**
   * @param {(act: any) => Promise<any>} roll
   * @returns {Attempt}
   */
  attempt(roll) {
    return {
      title: this.#offer?.label ?? "",
      notes: [],
      weapons: [],
      weapon: "",
      ways: [],
      way: this.action,
      schema: async () => this.#procedure?.situation ?? {},
      settled: () => this.#offer?.situation ?? {},
      named: () => ({ attacker: this.name(this.combatant), target: this.name(this.target) }),
      known: () => ({}),
      odds: (chosen, signal) => this.fight.odds(this.#body(chosen), signal),
      roll: (chosen) => roll({ command: "act", ...this.#body(chosen) }),
    };
  }

  /** The questions that the token may answer. @returns {{id: string, question: Question}[]} */
  questions() {
    const open = this.state.steps.map((/** @type {any} */ step) => step.question).filter((/** @type {any} */ one) => one?.yours);
    return open.map((/** @type {any} */ { id, text, owners, options = [], default: preset, parts = [], about = {} }) => {
      const who = owners.map((/** @type {string} */ one) => this.name(one)).join(", ") || "Game master";
      const facts = Object.entries(about).filter(([, value]) => value !== null && typeof value !== "object");
      const more = facts.map(([name, value]) => `${words(name)} ${value}`).join(", ");
      const groups = parts.filter((/** @type {any} */ { hand, thrown }) => hand && thrown === null).flatMap((/** @type {any} */ part) => part.groups);
      return { id, question: { title: `${who}: ${text}${more ? ` (${more})` : ""}`, options, preset, groups } };
    });
  }
}

/** @param {any} combatant */
function named({ id, name }) {
  return { id, label: name };
}

/**
 * The steps that events began, continued or ended.
 *
 * @param {any[]} events
 * @returns {string[]}
 */
export function stepsOf(events) {
  const pieces = events.flatMap(({ data }) => [data?.step, data, ...(data?.rolls ?? []), ...(data?.steps ?? [])]);
  const ids = pieces.flatMap((piece) => [piece?.open?.id, piece?.resolution]);
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}

/**
 * A step for the eyes of this token alone: what everybody may see comes as a card from the service.
 *
 * @param {any} step
 * @param {(id: string) => string} name
 * @returns {Card}
 */
export function ownCard({ action, procedure, who, rolls, outcome, question }, name) {
  const facts = Object.entries(outcome ?? {}).filter(([fact, value]) => fact !== "result" && value !== null && value !== false && typeof value !== "object");
  return {
    title: words(action ?? procedure),
    status: question ? "waiting" : "resolved",
    result: words(String(outcome?.result ?? "")),
    rolls: rolls.map((/** @type {any} */ { label, by, dice, faces, result }) => {
      const told = Object.entries(result).filter(([, value]) => typeof value === "number");
      const shown = faces.map((/** @type {number} */ face) => ({ face, hit: null }));
      return { label: words(label), by: name(who[by] ?? by), dice, faces: shown, text: told.map(([fact, value]) => `${words(fact)} ${value}`).join(", ") };
    }),
    lines: facts.map(([fact, value]) => ({ group: "outcome", label: words(fact), value: String(value) })),
  };
}
