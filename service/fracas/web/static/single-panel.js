// The panel of a single attack: who, what and with what, requests that are pasted, and the roll, step by step.

import { words } from "../integrations/foundry/scripts/nodes.mjs";
import { FORMS, ask, attempted, by, fill, input, list, refresh, showForm } from "./panel.js";
import { SingleAttack } from "./single-attack.js";

/** @typedef {{ruleset: string, procedure: string, situation: Record<string, any>}} Pasted */

/** The game that was chosen last in this browser. */
const LAST = "fracas.bridge.ruleset";

export class SinglePanel {
  /** @type {Promise<unknown>} */
  #choosing = Promise.resolve();

  /**
   * @param {import("../integrations/foundry/scripts/client.mjs").ServiceClient} client
   * @param {import("./hand-over.js").HandOver} handOver
   */
  constructor(client, handOver) {
    this.client = client;
    this.handOver = handOver;
    this.single = new SingleAttack(client);
    by("single").addEventListener("change", ({ target }) => {
      const select = /** @type {HTMLSelectElement} */ (target);
      const { name, value, dataset } = select;
      if (name === "ruleset") {
        localStorage.setItem(LAST, value);
        this.#inTurn(() => this.#openRuleset());
      } else if (name === "procedure") this.#inTurn(() => this.#openProcedure());
      else if (dataset.choice === "part") {
        this.#inTurn(async () => {
          if (!select.isConnected) return; // another game or procedure came in between
          this.single.set(name, value);
          select.value = value;
          const rearmed = await this.single.rearm(name);
          if (rearmed) fill(list("single", "weapon"), rearmed.choices, rearmed.chosen);
          await refresh();
        });
      }
    });
    by("take").addEventListener("click", () => this.#inTurn(() => this.#take(/** @type {HTMLTextAreaElement} */ (by("pasted")).value)));
  }

  /** One choice after another: what is chosen last stands, however long the service takes. @param {() => Promise<unknown>} work */
  #inTurn(work) {
    this.#choosing = this.#choosing.then(() => attempted(work));
    return this.#choosing;
  }

  /** @param {URLSearchParams} said what the address of the page says */
  open(said) {
    const rulesets = list("single", "ruleset");
    const wanted = said.get("ruleset") ?? localStorage.getItem(LAST) ?? "";
    if ([...rulesets.options].some(({ value }) => value === wanted)) rulesets.value = wanted;
    return this.#inTurn(() => this.#openRuleset(said.get("procedure") ?? "", (id) => this.single.situationOf(id, said)));
  }

  /**
   * @param {string} [procedure] the first one if left out
   * @param {(id: string) => Record<string, any>} [situation] said from the start
   */
  async #openRuleset(procedure = "", situation = () => ({})) {
    const procedures = await this.single.open(list("single", "ruleset").value);
    const { id = "" } = procedures.find((one) => one.id === procedure) ?? procedures[0] ?? {};
    fill(list("single", "procedure"), procedures, id);
    await this.#openProcedure(situation(id));
  }

  /** @param {Record<string, any>} [situation] */
  async #openProcedure(situation) {
    await this.single.choose(list("single", "procedure").value, situation);
    await this.show();
  }

  async show() {
    const { shown, more } = await this.single.lists();
    by("records").replaceChildren(...shown);
    by("more").hidden = more.length === 0;
    by("more").querySelector("div")?.replaceChildren(...more);
    await showForm(this.single.attempt((_chosen, request) => this.#roll(request)));
  }

  /** Fills the form with a request, as macros of Roll20 make it. @param {string} text */
  async #take(text) {
    const request = requestIn(text);
    const rulesets = list("single", "ruleset");
    if (![...rulesets.options].some(({ value }) => value === request.ruleset)) throw new Error(`There is no game ${request.ruleset} here.`);
    rulesets.value = request.ruleset;
    await this.#openRuleset(request.procedure, () => request.situation);
    if (list("single", "procedure").value !== request.procedure) throw new Error(`This game has no ${request.procedure}.`);
    /** @type {HTMLDetailsElement} */ (by("paste")).open = false;
  }

  /** Resolves step by step: what is asked is shown, dice that the service throws are not asked for. @param {any} request */
  async #roll(request) {
    const how = new FormData(by("dice")).get("dice");
    const asks = input("dice", "ask").checked;
    const stepwise = asks || how === "typed";
    const dice = how === "proof" ? { dice: { source: "seed" } } : {};
    const first = await this.client.resolve({ ...request, ...dice, mode: stepwise ? "step" : "auto", cards: FORMS });
    await this.#goOn(first, how === "typed", asks);
  }

  /**
   * @param {any} answer
   * @param {boolean} typed dice are typed in
   * @param {boolean} asks decisions are asked; otherwise each takes its default
   * @returns {Promise<void>}
   */
  async #goOn(answer, typed, asks) {
    const { awaits, continuation, cards } = answer;
    /** @param {{dice?: number[][], choose?: string}} said */
    const goOn = async (said) => {
      const told = await this.client.ask("/v1/resolve/continue", { method: "POST", body: { continuation, ...said, cards: FORMS } });
      return this.#goOn(told, typed, asks);
    };
    if (awaits?.kind === "roll" && !typed) return goOn({});
    if (awaits?.kind === "decision" && !asks) return goOn({ choose: awaits.default });
    this.handOver.show(cards);
    if (!awaits) return ask([], true);
    const { kind, by: decider, about = {}, options = [], default: preset, groups = [] } = awaits;
    const facts = Object.entries(about).filter(([, value]) => value !== null && typeof value !== "object");
    const more = facts.map(([name, value]) => `${words(name)} ${value}`).join(", ");
    const who = decider ? `${await this.single.name(decider)}: ` : "";
    const what = kind === "roll" ? `Real dice: ${awaits.dice}` : `${this.single.decision(awaits.decision)}?`;
    const question = { title: `${who}${what}${more ? ` (${more})` : ""}`, options, preset, groups: kind === "roll" ? groups : [] };
    ask([{ question, answer: goOn }], true);
  }
}

/**
 * @param {string} text with a request in it
 * @returns {Pasted}
 */
function requestIn(text) {
  const plain = text.replace(/[\u201c\u201d]/g, '"');
  try {
    const { ruleset, procedure, situation, ...more } = JSON.parse(plain.slice(plain.indexOf("{"), plain.lastIndexOf("}") + 1));
    const whole = typeof ruleset === "string" && typeof procedure === "string" && Object.keys(more).length === 0;
    if (whole && typeof situation === "object" && situation !== null && !Array.isArray(situation)) return { ruleset, procedure, situation };
  } catch {
    // The same words for what is no JSON.
  }
  throw new Error("This is no request: the line of a macro is expected, from its { to its }. An empty attribute of a sheet leaves a gap in it.");
}
