// The panel of a running fight: connecting, actions and questions, cards of steps, and cards that go to the table by themselves.

import { node, words } from "../integrations/foundry/scripts/nodes.mjs";
import { FightAttack, ownCard, stepsOf } from "./fight-attack.js";
import { FORMS, ask, attempted, by, complain, fill, input, list, refresh, showForm } from "./panel.js";

const QUERY = FORMS.map((form) => `cards=${form}`).join("&");
const KEPT = "fracas.bridge.fight";

/** Cards of a fight that are listed. */
const PAST = 20;

export class FightPanel {
  /** @type {FightAttack | null} */
  #fight = null;
  /** @type {() => void} ends listening to the fight */
  #leave = () => {};
  /** Whose action the form is of: what was said in it stays while others act. */
  #formOf = "";

  /**
   * @param {import("../integrations/foundry/scripts/client.mjs").ServiceClient} client
   * @param {import("./hand-over.js").HandOver} handOver
   * @param {() => unknown} gone called when the user leaves the fight
   */
  constructor(client, handOver, gone) {
    this.client = client;
    this.handOver = handOver;
    by("connection").addEventListener("submit", () => {
      const [id, token] = ["fight", "token"].map((name) => input("connection", name).value.trim());
      attempted(() => this.#connect(id, token));
    });
    by("fight").addEventListener("change", ({ target }) => attempted(() => this.#chosen(/** @type {HTMLInputElement} */ (target))));
    by("place").addEventListener("click", () => attempted(() => this.#place(/** @type {HTMLTextAreaElement} */ (by("placed")).value, list("fight", "unit").value)));
    by("next").addEventListener("click", () => attempted(() => this.#act({ command: "next", combatant: this.#fight?.combatant })));
    by("leave").addEventListener("click", () => {
      this.#disconnect();
      gone();
    });
  }

  /** Whether it is connected. */
  get open() {
    return this.#fight !== null;
  }

  /**
   * The fight that the address of the page names, which is taken out of it, or the one that this tab had before.
   *
   * @returns {{id: string, token: string} | null}
   */
  static wanted() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!given.has("fight")) return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    history.replaceState(null, "", location.pathname + location.search);
    return { id: given.get("fight") ?? "", token: given.get("token") ?? "" };
  }

  /** @param {{id: string, token: string}} wanted */
  connect({ id, token }) {
    input("connection", "fight").value = id;
    return attempted(() => this.#connect(id, token));
  }

  /** @param {string} id @param {string} token */
  async #connect(id, token) {
    const found = new FightAttack(this.client.encounter(id, token));
    await found.look();
    this.#leave();
    this.#fight = found;
    sessionStorage.setItem(KEPT, JSON.stringify({ id, token }));
    this.#leave = found.fight.follow({
      after: found.state.version,
      onEvent: (event) => this.#heard(found, event).catch(complain),
      onState: (state, error) => state === "closed" && complain(error),
    });
    by("connection").hidden = true;
    by("fight").hidden = false;
    await this.show();
  }

  #disconnect() {
    this.#leave();
    this.#fight = null;
    sessionStorage.removeItem(KEPT);
    by("past").hidden = true;
    by("past").querySelector("ul")?.replaceChildren();
  }

  /** The form is gone: it will be made anew. */
  forget() {
    this.#formOf = "";
  }

  /** Shows everything of the fight as it stands. @param {boolean} [own] see `ask` */
  async show(own = false) {
    const now = this.#fight;
    if (!now) return;
    by("standing").textContent = now.standing();
    /** @type {HTMLButtonElement} */ (by("next")).disabled = !now.mayPass;
    fill(list("fight", "combatant"), now.own(), now.combatant);
    fill(list("fight", "action"), now.actions(), now.action);
    fill(list("fight", "target"), now.targets(), now.target);
    fill(list("fight", "item"), [{ id: "", label: "–" }, ...now.items()], now.item);
    /** @type {HTMLElement} */ (list("fight", "target").closest("label")).hidden = !now.targeted;
    const others = now.targets().filter(({ id }) => id !== now.target);
    by("others").hidden = others.length === 0;
    const boxes = others.map(({ id, label }) => {
      const box = node("input", { type: "checkbox", name: "others", value: id, checked: now.others.includes(id) });
      return node("label", {}, box, ` ${label}`);
    });
    by("others").querySelector(".checks")?.replaceChildren(...boxes);
    by("notes").replaceChildren(...now.notes().map((note) => node("p", { class: "fracas-note" }, note)));
    const answer = (/** @type {string} */ question) => (/** @type {object} */ said) => this.#act({ command: "answer", question, ...said });
    ask(now.questions().map(({ id, question }) => ({ question, answer: answer(id) })), own);
    const whose = `${now.combatant} ${now.action} ${now.rolls}`;
    if (this.#formOf === whose) return refresh();
    await showForm(now.attempt((command) => this.#act(command)), { plain: !now.rolls, allowed: () => now.allowed });
    this.#formOf = whose;
  }

  /** Something else was chosen. @param {HTMLInputElement} input */
  async #chosen({ name, value, checked }) {
    const now = this.#fight;
    if (!now || ["relay", "unit", ""].includes(name)) return;
    if (name === "combatant") await now.choose(value);
    else if (name === "action") now.act(value);
    else if (name === "target") now.target = value;
    else if (name === "item") now.item = value;
    else if (name === "others") now.others = checked ? [...now.others, value] : now.others.filter((id) => id !== value);
    await this.show();
  }

  /** Gives a command and shows what came of it. @param {any} command */
  async #act(command) {
    const now = this.#fight;
    if (!now) return;
    const told = await now.fight.confirmed(command, (question) => confirm(question), { cards: QUERY });
    if (!told) return;
    const shown = stepsOf(told.events).at(-1);
    if (shown) await this.#showStep(now, shown, told.cards?.find((/** @type {any} */ one) => one.step === shown)?.cards);
    else by("delivery").textContent = "Done.";
    await now.look();
    await this.show(true);
  }

  /** Places combatants as a text says, all of them or nobody. @param {string} text @param {string} unit */
  async #place(text, unit) {
    const now = this.#fight;
    if (!now) return;
    const { events } = await now.fight.command({ command: "place", text, unit });
    const placed = events.flatMap((/** @type {any} */ { lines }) => lines.map((/** @type {any} */ line) => line.text));
    by("delivery").textContent = `${placed.join("; ")}.`;
    await now.look();
    await this.show();
  }

  /**
   * Shows a step's card; one that not everybody may see is shown here alone.
   *
   * @param {FightAttack} now
   * @param {string} id
   * @param {import("./hand-over.js").Cards} [cards] asked for if left out
   */
  async #showStep(now, id, cards) {
    if (cards) return this.handOver.show(cards, id);
    const step = await now.fight.step(id, QUERY);
    if (step.cards) this.handOver.show(step.cards, id);
    else this.handOver.showSecret(ownCard(step, (who) => now.name(who)));
  }

  /** Something happened in the fight. @param {FightAttack} now @param {any} event */
  async #heard(now, event) {
    if (now !== this.#fight) return;
    for (const id of stepsOf([event])) await this.#remember(now, id);
    if (event.type === "undone") await this.#forgetUndone(now);
    if (event.version <= now.state.version) return;
    await now.look();
    if (now === this.#fight && !by("fight").hidden) await this.show();
  }

  /** Takes steps that do not stand any more out of the list. @param {FightAttack} now */
  async #forgetUndone(now) {
    for (const button of by("past").querySelectorAll("button")) {
      const step = await now.fight.step(button.dataset.step ?? "").catch(() => null);
      if (!step) button.closest("li")?.remove();
    }
  }

  /**
   * Adds a finished step to the cards of the fight, and hands it over if that is wanted.
   *
   * @param {FightAttack} now
   * @param {string} id
   */
  async #remember(now, id) {
    const step = await now.fight.step(id, QUERY).catch(() => null);
    if (!step || (step.question && step.question.kind !== "confirm")) return;
    if (step.rolls.length === 0 && step.effects.length === 0) return; // such as initiative that was not rolled
    const past = /** @type {HTMLElement} */ (by("past").querySelector("ul"));
    if (past.querySelector(`[data-step="${id}"]`)) return;
    const title = step.cards?.data.title ?? `${words(step.action ?? step.procedure)} (secret)`;
    const button = node("button", { type: "button", "data-step": id }, title);
    button.addEventListener("click", () => attempted(() => this.#showStep(now, id)));
    past.prepend(node("li", {}, button));
    while (past.children.length > PAST) past.lastElementChild?.remove();
    by("past").hidden = false;
    if (input("fight", "relay").checked && step.cards?.beyond20) this.handOver.relay(step.cards, id);
  }
}
