// The panel of a single attack: who, what and with what, requests that are pasted, and the roll, step by step.

import { node, words } from "../integrations/foundry/scripts/nodes.mjs";
import { FORMS, ask, attempted, by, clearForm, fill, list, refresh, showForm } from "./panel.js";
import { requestIn } from "./pasted-request.js";
import { SingleAttack } from "./single-attack.js";

/** The game that was chosen last in this browser, and whose decisions are asked. */
const LAST = "fracas.bridge.ruleset";
const ASKED = "fracas.bridge.asked";

export class SinglePanel {
  /** @type {Promise<unknown>} */
  #choosing = Promise.resolve();
  /** Choices that wait for their turn and after which all below is another. */
  #toCome = 0;

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
        this.#anew(() => this.#openRuleset());
      } else if (name === "procedure") this.#anew(() => this.#openProcedure());
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
    const asked = list("dice", "asked");
    asked.value = localStorage.getItem(ASKED) ?? "";
    if (asked.selectedIndex < 0) asked.value = "";
    asked.addEventListener("change", () => localStorage.setItem(ASKED, asked.value));
    by("take").addEventListener("click", () => this.#inTurn(() => this.#take(/** @type {HTMLTextAreaElement} */ (by("pasted")).value)));
  }

  /** One choice after another: what is chosen last stands, however long the service takes. @param {() => Promise<unknown>} work */
  #inTurn(work) {
    this.#choosing = this.#choosing.then(() => attempted(work));
    return this.#choosing;
  }

  /** What stood below goes at once: nobody fills in a form that is about to be replaced. @param {() => Promise<unknown>} work */
  #anew(work) {
    this.#toCome += 1;
    by("records").replaceChildren();
    by("more").hidden = true;
    clearForm();
    return this.#inTurn(() => {
      this.#toCome -= 1;
      return work();
    });
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
   * @param {Partial<import("./pasted-request.js").Pasted>} [more] of a request that was pasted
   */
  async #openRuleset(procedure = "", situation = () => ({}), more = {}) {
    const procedures = await this.single.open(list("single", "ruleset").value);
    const { id = "" } = procedures.find((one) => one.id === procedure) ?? procedures[0] ?? {};
    fill(list("single", "procedure"), procedures, id);
    await this.#openProcedure(situation(id), more);
  }

  /** @param {Record<string, any>} [situation] @param {Partial<import("./pasted-request.js").Pasted>} [more] */
  async #openProcedure(situation, more = {}) {
    const { modifiers = [], further = {}, unused = [] } = more;
    await this.single.choose(list("single", "procedure").value, situation, { modifiers, further });
    const notes = Object.entries(further).map(([name, value]) => `Pasted as well: ${name} ${JSON.stringify(value)}`);
    if (unused.length > 0) notes.push(`Not taken from what was pasted, as the page has settings of its own: ${unused.join(", ")}.`);
    by("notes").replaceChildren(...notes.map((note) => node("p", { class: "fracas-note" }, note)));
    await this.show();
  }

  async show() {
    const { shown, more } = await this.single.lists();
    if (this.#toCome > 0) return;
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
    const { procedures } = await this.client.ruleset(request.ruleset);
    if (!procedures.some((/** @type {any} */ { id }) => id === request.procedure)) throw new Error(`This game has no ${request.procedure}.`);
    rulesets.value = request.ruleset;
    await this.#openRuleset(request.procedure, () => request.situation, request);
    /** @type {HTMLDetailsElement} */ (by("paste")).open = false;
  }

  /** Resolves step by step where people are asked: for dice that they type in, or for decisions. @param {any} request */
  async #roll(request) {
    const how = new FormData(by("dice")).get("dice");
    const asked = list("dice", "asked").value;
    const dice = how === "proof" ? { dice: { source: "seed" } } : {};
    const typed = how === "typed";
    const { decisions: _, ...open } = request; // decisions that were pasted count where nobody is asked
    const body = asked || typed ? { ...open, mode: "step" } : request;
    const first = await this.client.resolve({ ...body, ...dice, cards: FORMS });
    await this.#goOn(first, typed, asked);
  }

  /**
   * @param {any} answer
   * @param {boolean} typed dice are typed in
   * @param {string} asked whose decisions are asked: "actor", "everybody" or "" for nobody's; others take their defaults
   * @returns {Promise<void>}
   */
  async #goOn(answer, typed, asked) {
    const { awaits, continuation, cards } = answer;
    /** @param {{dice?: number[][], choose?: string}} said */
    const goOn = async (said) => {
      const told = await this.client.ask("/v1/resolve/continue", { method: "POST", body: { continuation, ...said, cards: FORMS } });
      return this.#goOn(told, typed, asked);
    };
    if (awaits?.kind === "roll" && !typed) return goOn({});
    const wanted = asked === "everybody" || (asked === "actor" && awaits?.by === this.single.actor);
    if (awaits?.kind === "decision" && !wanted) return goOn({ choose: awaits.default });
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
