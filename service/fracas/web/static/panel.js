// The part of the bridge page that both kinds of attempts share: the form with its odds, the button, questions, what went wrong.

import { AttackForm } from "../integrations/foundry/scripts/attack-form.mjs";
import { node } from "../integrations/foundry/scripts/nodes.mjs";
import { questionView } from "./card-view.js";
import { inWords, localize } from "./texts.js";

/** @typedef {import("../integrations/foundry/scripts/attack-form.mjs").Attempt} Attempt */
/** @typedef {{question: import("./card-view.js").Question, answer: (said: import("./card-view.js").Answer) => Promise<unknown>}} Asked */

/** The forms of cards that the page shows and hands over. */
export const FORMS = ["data", "beyond20", "roll20", "mod", "text"];

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
export const by = (id) => /** @type {T} */ (document.getElementById(id));

/** @param {string} form @param {string} name */
export const list = (form, name) => /** @type {HTMLSelectElement} */ (by(form).querySelector(`select[name="${name}"]`));

/** @param {string} form @param {string} name */
export const input = (form, name) => /** @type {HTMLInputElement} */ (by(form).querySelector(`input[name="${name}"]`));

/** Shows why something failed; "" takes it away. @param {unknown} error */
export function complain(error) {
  if (error) console.warn(error);
  const place = by("trouble");
  place.textContent = error ? inWords(error) : "";
  place.hidden = !error;
}

/** Does what the user wants, and says why if it fails. @param {() => Promise<unknown>} work */
export async function attempted(work) {
  complain("");
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) complain(error);
  }
}

/**
 * @typedef {object} Shown
 * @property {Attempt} attempt
 * @property {AttackForm} form
 * @property {boolean} plain nothing is rolled: it has no form
 * @property {() => boolean} allowed
 */

/** @type {Shown | null} */
let shown = null;

/**
 * Shows the form of an attempt.
 *
 * @param {Attempt} attempt
 * @param {{plain?: boolean, allowed?: () => boolean}} [how]
 */
export async function showForm(attempt, { plain = false, allowed = () => true } = {}) {
  clearForm();
  const form = new AttackForm(attempt, { localize, inWords, lang: "en" }, async () => {});
  const now = { attempt, form, plain, allowed };
  shown = now;
  if (!plain) await form.prepare();
  if (shown !== now) return;
  if (!plain) {
    by("form").replaceChildren(...form.parts());
    form.show(by("form"));
  }
  allowRoll();
}

/** Takes the form away. */
export function clearForm() {
  shown?.form.stop();
  shown = null;
  by("form").replaceChildren();
  allowRoll();
}

/** Asks for the odds again: for other people or things, or as the fight stands now, with what was said. */
export async function refresh() {
  if (shown && !shown.plain) await shown.form.refresh(by("form"));
  allowRoll();
}

function allowRoll() {
  const button = /** @type {HTMLButtonElement} */ (by("roll"));
  const ready = shown !== null && (shown.plain ? shown.attempt.way !== "" : shown.form.ready);
  button.disabled = !ready || !shown?.allowed();
  button.textContent = shown?.attempt.title || "Roll dice";
}

/** The questions that are shown, to see whether others are. */
let asked = "";

/**
 * Shows questions in place of those that were there.
 *
 * @param {Asked[]} questions
 * @param {boolean} own this follows on what was done here: the focus goes to what comes next
 */
export function ask(questions, own) {
  const now = JSON.stringify(questions.map(({ question }) => question));
  if (now === asked && !own) return; // the user may be answering them
  asked = now;
  const views = questions.map(({ question, answer }) => questionView(question, (said) => attempted(() => answer(said))));
  by("questions").replaceChildren(...views);
  const next = views[0]?.querySelector("input, button.main, button") ?? by("send");
  if (own) /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
}

/**
 * Fills a list with choices.
 *
 * @param {HTMLSelectElement} list
 * @param {import("../integrations/foundry/scripts/attack-form.mjs").Choice[]} choices
 * @param {string} chosen
 */
export function fill(list, choices, chosen) {
  const filled = JSON.stringify([choices, chosen]);
  if (list.dataset.filled === filled && list.value === chosen) return; // the user may have it open
  list.dataset.filled = filled;
  list.replaceChildren(...choices.map(({ id, label, why }) => node("option", { value: id, selected: id === chosen, disabled: Boolean(why), title: why }, why ? `${label} (${why})` : label)));
}

/** For the start of the page. */
export function wireForm() {
  by("form").addEventListener("input", (event) => shown?.form.changed(event, by("form")).then(allowRoll));
  by("roll").addEventListener("click", () => {
    const now = shown;
    if (!now) return;
    /** @type {HTMLButtonElement} */ (by("roll")).disabled = true;
    attempted(async () => {
      await now.attempt.roll(now.form.chosen);
      by("result").scrollIntoView({ block: "nearest" });
    }).finally(allowRoll);
  });
  for (const one of document.querySelectorAll("form")) one.addEventListener("submit", (event) => event.preventDefault());
}
