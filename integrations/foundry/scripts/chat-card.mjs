/**
 * The chat card of a step: what happened and why, every number and every die, and buttons for what is to be decided. It knows
 * no rules: it shows what the service says.
 *
 * A message keeps its card as JSON in `flags.fracas.card`; in one string, because Foundry merges objects in flags.
 */

import { legend, sign } from "./certainty.mjs";
import { documentAt } from "./documents.mjs";
import { actorOf } from "./fight.mjs";
import { inert } from "./messages.mjs";
import { node, signed, words } from "./nodes.mjs";
import { MODULE, setting } from "./settings.mjs";

/**
 * @typedef {object} Question What is asked, of the service's `awaits` or a step's `question`.
 * @property {string} [id]
 * @property {"decision" | "reaction" | "roll" | "confirm"} kind
 * @property {string} [by]
 * @property {string[]} [owners]
 * @property {string} [decision]
 * @property {string} [label] of the decision
 * @property {string} [text] the question as a sentence, in a fight
 * @property {string} [default]
 * @property {{id: string, label: string, cost?: Record<string, number>, price?: string}[]} [options]
 * @property {Record<string, unknown>} [about]
 * @property {string} [dice]
 * @property {import("./dice.mjs").Group[]} [groups]
 * @property {{label: string, by: string, who: string, dice: string, hand: boolean, thrown: unknown, groups: import("./dice.mjs").Group[]}[]} [parts]
 *
 * @typedef {{id?: string, label: string, value: number | null, verdict?: string, reason?: string} & import("./certainty.mjs").Said} Entry
 *
 * @typedef {{verb: "takes" | "loses" | "recovers" | "spends" | "gains", what: string}} Points What happened to points: "loses", "5 HP".
 *
 * @typedef {object} Answer The parts of an answer, or of a step of a fight, that a card keeps.
 * @property {string} status resolved, waiting, refused
 * @property {string} [summary] what happened, as a sentence
 * @property {{label: string, total: number, entries: Entry[]}[]} modifiers only what counts
 * @property {{label: string}[]} refusals
 * @property {(import("./dice.mjs").ServiceRoll & {result: Record<string, unknown>})[]} rolls
 * @property {{decision: string, by: string, choice: string, how?: string}[]} decisions
 * @property {Record<string, unknown>} outcome
 * @property {import("./effects.mjs").Effect[]} effects
 * @property {Record<string, Points>} [points] by the number of an effect
 * @property {string[]} [changes] sentences about what follows from them, of a step of a fight that is over
 * @property {{commitment: string, seed?: string}} [committed]
 *
 * @typedef {object} Card
 * @property {string} title
 * @property {Record<string, {name: string, actor: string, token?: string}>} who by record of the request, or id in the fight: name, and
 *   uuids of the actor and of the token
 * @property {Record<string, string>} things uuids of items by record, such as weapon
 * @property {Answer} answer
 * @property {Question | null} question
 * @property {string} [continuation] of a step without a fight
 * @property {string} [fight] id of the encounter
 * @property {string} [step] id of the step in it
 * @property {string[]} [steps] ids of all steps, of a card for several
 * @property {{who: string, what: string, why: string}[]} [unplaced] effects that sheets have no place for
 * @property {"open" | "applied" | "discarded" | "undone"} state
 * @property {number} [version] of the fight, when its effects were applied
 */

/**
 * The parts of an answer that a card keeps. Effects that nobody writes on a sheet are none of them.
 *
 * @param {any} answer
 * @param {{fleeting?: readonly string[], nouns?: Record<string, string>, tracks?: Record<string, {mark: number}>}} mapping
 * @returns {Answer}
 */
export function keptOf({ status, summary = "", modifiers = [], refusals = [], rolls = [], decisions = [], outcome = {}, effects = [], changes = [], committed, question, done }, { fleeting = [], nouns = {}, tracks = {} }) {
  const kept = effects.filter((/** @type {any} */ { what }) => !fleeting.includes(what));
  const moved = kept.map((/** @type {any} */ effect, /** @type {number} */ at) => [`${at}`, pointsOf(effect, nouns[effect.what] ?? "", tracks[effect.what]?.mark === -1)]);
  const points = Object.fromEntries(moved.filter((/** @type {any[]} */ [, found]) => found));
  const isOver = (status ?? (done ? "resolved" : "")) === "resolved";
  return {
    status: status ?? (done ? "resolved" : question ? "waiting" : "resolved"),
    ...(summary && isOver ? { summary } : {}),
    ...(Object.keys(points).length > 0 ? { points } : {}),
    modifiers: modifiers.map((/** @type {any} */ { label, total, entries }) => ({
      label,
      total,
      entries: entries
        .filter((/** @type {Entry} */ { value, verdict = "applied" }) => value && ["applied", "capped"].includes(verdict))
        .map((/** @type {Entry} */ { label, value, provenance, confidence }) => ({ label, value, ...(provenance ? { provenance } : {}), ...(confidence ? { confidence } : {}) })),
    })),
    refusals: refusals.map((/** @type {any} */ { label }) => ({ label })),
    rolls,
    decisions,
    outcome,
    effects: kept,
    ...(changes.length > 0 ? { changes: changes.filter((/** @type {any} */ { cause }) => cause !== "effect").map((/** @type {any} */ { text }) => text) } : {}),
    ...(committed ? { committed } : {}),
  };
}

/**
 * The card of a message; null for any other message.
 *
 * @param {any} message
 * @returns {Card | null}
 */
export function cardOf(message) {
  const kept = message.flags?.[MODULE]?.card;
  try {
    return typeof kept === "string" ? JSON.parse(kept) : null;
  } catch {
    return null;
  }
}

/** @param {Card} card @returns {object} the flags of its message */
export function flagsOf(card) {
  return { [MODULE]: { card: JSON.stringify(card), fight: card.fight ?? "", step: (card.steps ?? [card.step ?? ""]).join(" ") } };
}

/**
 * The card as HTML in which every text of the service and of sheets stays text. Buttons come when it is shown, because each
 * person may press others.
 *
 * @param {Card} card
 * @param {(who: {name: string, actor: string} | undefined) => string | undefined} [naming]
 * @returns {string}
 */
export function cardHTML(card, naming = (who) => who?.name) {
  const { answer } = card;
  const { format } = texts();
  const name = (/** @type {string} */ who) => naming(card.who[who]) ?? who;
  const parts = [
    node("header", { class: "fracas-head" }, node("h3", { class: "fracas-title" }, inert(card.title)), node("p", { class: "fracas-state" }, stateOf(card))),
    ...(answer.summary ? [node("p", { class: "fracas-summary" }, inert(answer.summary))] : []),
    ...section("refusals", answer.refusals.map(({ label }) => inert(label)), true),
    ...section("effects", answer.effects.map((effect, at) => effectText(effect, name, answer.points?.[at])), true),
    ...section("changes", (answer.changes ?? []).map(inert), true),
    ...section("unplaced", (card.unplaced ?? []).map(({ who, what, why }) => inert(`${name(who)}: ${format(`FRACAS.effects.${why}`, { who: name(who), what: words(what) })}`)), false),
    ...diceSection(answer, name),
    ...section("outcome", factLines(answer.outcome), false),
    ...section("numbers", [...answer.modifiers.map(numberText), ...signsOf(answer)], false),
    ...section("decisions", answer.decisions.map(({ by, decision, choice }) => `${inert(name(by))}: ${inert(words(decision))}: ${inert(words(choice))}`), false),
    ...proof(answer),
    node("div", { class: "fracas-buttons", "data-fracas-buttons": true }),
  ];
  return node("section", { class: "fracas fracas-card" }, ...parts).outerHTML;
}

/**
 * The name on a card, for game masters with that of the actor that gets the effects, if neither the actor nor a token of it is called so.
 *
 * @param {{name: string, actor: string} | undefined} who
 */
function named(who) {
  const actor = who?.actor && game.user?.isGM ? documentAt(who.actor) : null;
  const known = actor ? [actor.name, ...(actor.getActiveTokens?.() ?? []).map((/** @type {any} */ token) => token.name)] : [];
  return actor && !known.includes(who?.name) ? `${who?.name} (${actor.name})` : who?.name;
}

function texts() {
  return { localize: game.i18n.localize.bind(game.i18n), format: game.i18n.format.bind(game.i18n) };
}

/** @param {Card} card */
function stateOf({ answer, state, question }) {
  const { localize } = texts();
  const result = answer.outcome.result;
  const what = result ? words(String(result)) : answer.status === "refused" ? localize("FRACAS.card.refused") : "";
  const how = state === "open" ? (question ? localize("FRACAS.card.waiting") : "") : localize(`FRACAS.card.${state}`);
  return inert([what, how].filter(Boolean).join(" – "));
}

/**
 * @param {"refusals" | "effects" | "changes" | "unplaced" | "outcome" | "numbers" | "decisions"} name
 * @param {string[]} lines
 * @param {boolean} open
 */
function section(name, lines, open) {
  if (lines.length === 0) return [];
  const list = node("ul", {}, ...lines.map((line) => node("li", {}, line)));
  const title = game.i18n.localize(`FRACAS.card.${name}`);
  return [node("details", { class: `fracas-${name}`, open }, node("summary", {}, title), list)];
}

/**
 * @param {Answer} answer
 * @param {(who: string) => string} name
 */
function diceSection({ rolls }, name) {
  if (rolls.length === 0) return [];
  const lines = rolls.map(({ label, by, dice, faces, result }) => {
    const least = Number(/>= (\d+)/.exec(dice)?.[1] ?? Infinity);
    const dies = faces.map((face) => node("span", { class: `fracas-die${face >= least ? " success" : ""}${face === 1 ? " one" : ""}` }, `${face}`));
    const [first, ...others] = Object.entries(result);
    const telling = others.filter(([, value]) => value && value !== "none");
    const facts = first ? factLines(Object.fromEntries([first, ...telling])).join(", ") : "";
    const what = node("span", { class: "fracas-what" }, node("b", {}, inert(words(label))), inert(` ${name(by)}: ${dice}`));
    return node("li", {}, what, node("span", { class: "fracas-faces" }, ...dies), node("span", { class: "fracas-facts" }, facts));
  });
  const title = game.i18n.localize("FRACAS.card.dice");
  return [node("details", { class: "fracas-dice", open: true }, node("summary", {}, title), node("ul", {}, ...lines))];
}

/** @param {Answer["modifiers"][number]} number */
function numberText({ label, total, entries }) {
  const parts = entries.map((entry) => `${inert(entry.label)} ${signed(entry.value)}${sign(entry)}`);
  return `${inert(label)} ${total}${parts.length > 0 ? ` = ${parts.join(", ")}` : ""}`;
}

/** @param {Answer} answer @returns {string[]} what the signs beside unsure numbers mean, in one line; none without them */
function signsOf({ modifiers }) {
  const meanings = legend(modifiers.flatMap(({ entries }) => entries), texts().localize);
  return meanings.length > 0 ? [meanings.join("; ")] : [];
}

/**
 * What happens to points that have a name; null for any other effect.
 *
 * @param {import("./effects.mjs").Effect} effect
 * @param {string} noun of one point
 * @param {boolean} drained a mark takes points away, such as hit points
 * @returns {Points | null}
 */
function pointsOf({ type, amount }, noun, drained) {
  if (!noun || typeof amount !== "number" || !["mark", "spend", "gain"].includes(type)) return null;
  const marked = amount < 0 ? "recovers" : drained ? "loses" : "takes";
  return { verb: type === "spend" ? "spends" : type === "gain" ? "gains" : marked, what: counted(Math.abs(amount), noun) };
}

/**
 * A number with its noun: "3 boxes of Physical damage".
 *
 * @param {number} count
 * @param {string} noun
 */
function counted(count, noun) {
  const [head = "", ...rest] = noun.split(" of ");
  const several = count === 1 || head === head.toUpperCase() ? head : `${head}${/(s|x|ch)$/.test(head) ? "es" : "s"}`;
  return [`${count} ${several}`, ...rest].join(" of ");
}

/**
 * @param {import("./effects.mjs").Effect} effect
 * @param {(who: string) => string} name
 * @param {Points} [points]
 */
function effectText({ type, who, what, amount, ...detail }, name, points) {
  const { format } = texts();
  if (points) return inert(format(`FRACAS.points.${points.verb}`, { who: name(who), what: points.what }));
  if (type === "item") {
    const moved = detail.change ?? (typeof amount === "number" ? { [detail.state ?? ""]: amount } : {});
    const parts = [...Object.entries(moved).map(([state, by]) => `${words(state)} ${signed(by)}`), ...factLines(detail.set ?? {})];
    return inert(`${name(who)}: ${words(what)} ${parts.join(", ")}`);
  }
  if (type === "add-condition" || type === "remove-condition") {
    const key = type === "add-condition" ? "is" : "is-not";
    return inert(format(`FRACAS.points.${key}`, { who: name(who), what: detail.condition?.label ?? words(what) }));
  }
  const sign = type === "spend" ? -1 : 1;
  const number = typeof amount === "number" ? ` ${signed(sign * amount)}` : "";
  const more = factLines(flat(detail)).join(", ");
  const kind = ["mark", "spend", "gain"].includes(type) ? "" : `${words(type)} `;
  return inert(`${name(who)}: ${kind}${words(what)}${number}${more ? ` (${more})` : ""}`);
}

/** @param {Record<string, unknown>} detail @returns {Record<string, unknown>} */
function flat(detail) {
  return Object.fromEntries(
    Object.entries(detail).flatMap(([key, value]) => {
      const inner = value && typeof value === "object" && !Array.isArray(value);
      return inner ? Object.entries(/** @type {object} */ (value)) : [[key, value]];
    }),
  );
}

/** @param {Record<string, unknown>} facts @returns {string[]} */
function factLines(facts) {
  const { localize } = texts();
  const known = Object.entries(facts).filter(([, value]) => value !== null && typeof value !== "object");
  return known.map(([name, value]) => {
    const word = typeof value === "boolean" ? localize(value ? "FRACAS.yes" : "FRACAS.no") : typeof value === "string" ? words(value) : value;
    return inert(`${words(name)} ${word}`);
  });
}

/** @param {Answer} answer */
function proof({ committed }) {
  if (!committed) return [];
  const { format } = texts();
  const text = committed.seed
    ? format("FRACAS.card.seed", { seed: committed.seed, commitment: committed.commitment })
    : format("FRACAS.card.commitment", { commitment: committed.commitment });
  const title = game.i18n.localize("FRACAS.card.proof");
  return [node("details", { class: "fracas-proof" }, node("summary", {}, title), node("p", {}, text))];
}

/**
 * Whether this client's user may answer what a card asks.
 *
 * @param {Card} card
 * @param {any} [user]
 * @returns {boolean}
 */
export function mayAnswer(card, user = game.user) {
  const { question } = card;
  if (!question || card.state !== "open") return false;
  if (user.isGM) return true;
  return askedActors(card).some((actor) => actor?.testUserPermission(user, "OWNER"));
}

/**
 * The actors of those who are asked.
 *
 * @param {Card} card
 * @returns {any[]}
 */
function askedActors(card) {
  return asked(card).map((who) => {
    const uuid = card.who[who]?.actor;
    return uuid ? documentAt(uuid) : card.fight ? actorOf(who) : undefined;
  });
}

/** @param {Card} card @returns {string[]} records, or ids in the fight */
function asked({ question, fight }) {
  if (!question || question.kind === "confirm") return [];
  if (fight) return question.owners ?? [];
  const by = question.by ?? question.groups?.[0]?.by;
  return by ? [by] : [];
}

/**
 * @typedef {object} Pressed What a button asks for.
 * @property {"choose" | "service" | "foundry" | "apply" | "undo"} press service, foundry: who throws
 * @property {string} [choose]
 */

/**
 * Fills in the buttons that this client's user may press, whenever a message is shown.
 *
 * @param {any} message
 * @param {HTMLElement} html
 * @param {(message: any, pressed: Pressed) => Promise<void>} press
 */
export function addButtons(message, html, press) {
  const shown = html.querySelector(".fracas-card");
  const card = cardOf(message);
  if (!shown || !card) return;
  // What is seen is what the buttons are about, whatever its author wrote into the message; and in the language of this client.
  shown.outerHTML = cardHTML(card, named);
  const place = /** @type {HTMLElement} */ (html.querySelector("[data-fracas-buttons]"));
  place.replaceChildren(...buttonsOf(card).map(({ label, title, first, ...pressed }) => {
    const button = node("button", { type: "button", "data-press": pressed.press, "data-choose": pressed.choose, title, class: first ? "default" : undefined }, inert(label));
    button.addEventListener("click", async () => {
      const all = /** @type {HTMLButtonElement[]} */ ([...place.querySelectorAll("button")]);
      for (const one of all) one.disabled = true;
      try {
        await press(message, pressed);
      } finally {
        for (const one of all) one.disabled = false;
      }
    });
    return button;
  }));
  const waits = waitingFor(card);
  if (waits) place.append(node("p", { class: "fracas-waits" }, waits));
}

/**
 * @param {Card} card
 * @returns {(Pressed & {label: string, title?: string, first?: boolean})[]}
 */
function buttonsOf(card) {
  const { question, state, answer, fight } = card;
  const { localize } = texts();
  const gm = Boolean(game.user?.isGM);
  if (state === "applied") return gm ? [{ press: "undo", label: localize("FRACAS.card.undo") }] : [];
  if (state !== "open") return [];
  if (!question) {
    const apply = gm && !fight && answer.status === "resolved" && answer.effects.length > 0;
    return apply ? [{ press: "apply", label: localize("FRACAS.card.apply"), first: true }] : [];
  }
  if (!mayAnswer(card)) return [];
  if (question.kind === "roll") {
    const foundry = setting("dice") === "foundry";
    return [
      { press: "service", label: localize("FRACAS.card.roll"), first: !foundry },
      { press: "foundry", label: localize("FRACAS.card.roll-in-foundry"), first: foundry },
    ];
  }
  return (question.options ?? []).map(({ id, label, cost = {}, price: inWords }) => {
    const price = inWords ?? Object.entries(cost).map(([what, amount]) => `${words(what)} ${amount}`).join(", ");
    const own = question.kind === "confirm" ? localize(`FRACAS.card.${id}`) : label;
    return { press: "choose", choose: id, label: price ? `${own} (${price})` : own, first: id === question.default };
  });
}

/** @param {Card} card @returns {string} what is asked, and who is asked; "" if nothing is */
function waitingFor(card) {
  const { question, state } = card;
  if (!question || state !== "open") return "";
  const { localize, format } = texts();
  const who = asked(card).map((one) => card.who[one]?.name ?? one);
  // That of a decision may say what its owner has left, which is not for everybody who reads the card.
  const reaction = question.kind === "reaction" && question.text?.replace(/\?$/, "");
  const decision = question.kind === "decision" && (question.label ?? words(question.decision ?? ""));
  const what = reaction || decision || localize(`FRACAS.card.question.${question.kind}`);
  const facts = Object.entries(question.about ?? {}).filter(([, value]) => typeof value !== "object");
  const rolls = (question.parts ?? []).filter(({ hand, thrown }) => hand && thrown === null);
  const about = [...facts.map(([name, value]) => `${words(name)} ${value}`), ...rolls.map(({ label, dice }) => `${words(label)} ${dice}`)].join(", ");
  const names = who.length > 0 ? who.join(", ") : localize("FRACAS.card.gm");
  const text = inert(format("FRACAS.card.waits-for", { who: names, what }));
  return about ? `${text} (${inert(about)})` : text;
}
