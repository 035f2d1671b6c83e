// A card of the service (the form `data`) and the questions of a step, as nodes of a page.

import { node, words } from "../integrations/foundry/scripts/nodes.mjs";

/**
 * @typedef {{face: number, hit: boolean | null}} Die
 * @typedef {{label: string, by: string, dice: string, faces: Die[], text: string}} Roll
 * @typedef {{group: string, label: string, value: string}} Line
 * @typedef {{title: string, status: string, result: string, rolls: Roll[], lines: Line[]}} Card
 *
 * @typedef {{label: string, by: string, count: number, sides: number, exploding?: boolean}} Group Dice to throw at once.
 *
 * @typedef {object} Question
 * @property {string} title what is asked, and who is asked
 * @property {{id: string, label: string, cost?: Record<string, number>, price?: string}[]} options none for dice
 * @property {string} [preset] the option that is taken when nobody answers
 * @property {Group[]} groups dice to be typed in
 *
 * @typedef {{choose?: string, dice?: number[][]}} Answer without either the service throws
 */

const FIRST = ["refusals", "question"];
const FOLDED = /** @type {Record<string, string>} */ ({ numbers: "Numbers", decisions: "Decisions", proof: "Proof of the dice" });

/** @param {Card} card @returns {HTMLElement} */
export function cardView({ title, status, result, rolls, lines }) {
  const state = result || (status === "resolved" ? "" : status);
  const head = node("header", { class: "fracas-head" }, node("h3", {}, title), node("span", { class: "fracas-state" }, state));
  const told = lines.filter(({ group }) => !FOLDED[group]);
  const first = told.filter(({ group, label }) => FIRST.includes(group) || (group === "outcome" && label === "Result"));
  const folded = Object.entries(FOLDED).flatMap(([group, name]) => {
    const own = lines.filter((line) => line.group === group);
    return own.length > 0 ? [node("details", {}, node("summary", {}, name), list(own))] : [];
  });
  return node(
    "article",
    { class: "fracas-card", "aria-label": title },
    head,
    list(first),
    node("ul", { class: "fracas-dice", "aria-label": "Dice" }, ...rolls.map(rollView)),
    list(told.filter((line) => !first.includes(line))),
    ...folded,
  );
}

/** @param {Line[]} lines */
function list(lines) {
  return node("dl", { class: "lines" }, ...lines.map(({ label, value }) => node("div", {}, node("dt", {}, label), node("dd", {}, value))));
}

/** @param {Roll} roll */
function rollView({ label, by, dice, faces, text }) {
  const shown = faces.map(({ face, hit }) => {
    const said = hit ? [`${face}`, node("span", { class: "hush" }, " hit")] : [`${face}`];
    return node("span", { class: hit ? "fracas-die success" : "fracas-die" }, ...said);
  });
  const what = node("span", { class: "fracas-what" }, node("b", {}, label), ` ${by}: ${dice}`);
  return node("li", {}, what, node("span", { class: "fracas-faces" }, ...shown.flatMap((die) => [die, " "])), node("span", { class: "fracas-facts" }, text));
}

/**
 * A question with what answers it.
 *
 * @param {Question} question
 * @param {(answer: Answer) => Promise<unknown>} answer
 * @returns {HTMLElement}
 */
export function questionView({ title, options, preset, groups }, answer) {
  const fault = node("p", { class: "trouble", role: "alert", hidden: true });
  const form = node("form", { class: "question", "aria-label": title, autocomplete: "off" }, node("p", { class: "asked" }, title));
  /** @param {Answer} said */
  const give = async (said) => {
    const buttons = [...form.querySelectorAll("button")];
    for (const one of buttons) one.disabled = true;
    try {
      await answer(said);
    } finally {
      for (const one of buttons) one.disabled = false;
    }
  };
  const fields = groups.map((group) => {
    const whole = `${group.label ? `${words(group.label)}: ` : ""}${group.count}d${group.sides}${group.exploding ? ", and those that explode" : ""}`;
    return { group, field: node("input", { name: "dice", inputmode: "numeric", required: true, placeholder: example(group), "aria-label": whole }), whole };
  });
  form.append(...fields.map(({ field, whole }) => node("label", {}, node("span", {}, whole), field)), fault);
  const buttons = options.map(({ id, label, cost = {}, price: told }) => {
    const price = told ?? Object.entries(cost).map(([what, amount]) => `${words(what)} ${amount}`).join(", ");
    const button = node("button", { type: "button", class: id === preset ? "main" : undefined }, price ? `${label} (${price})` : label);
    button.addEventListener("click", () => give({ choose: id }));
    return button;
  });
  if (groups.length > 0) {
    const service = node("button", { type: "button" }, "Let the service roll");
    service.addEventListener("click", () => give({}));
    buttons.push(node("button", { type: "submit", class: "main" }, "These dice"), service);
  }
  form.append(node("div", { class: "buttons" }, ...buttons));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const read = fields.map(({ group, field, whole }) => ({ field, whole, ...facesOf(field.value, group) }));
    for (const { field, problem } of read) field.setAttribute("aria-invalid", `${Boolean(problem)}`);
    const wrong = read.find(({ problem }) => problem);
    fault.hidden = !wrong;
    fault.textContent = wrong ? `${wrong.whole}: ${wrong.problem}` : "";
    if (wrong) wrong.field.focus();
    else give({ dice: read.map(({ faces }) => faces) });
  });
  return form;
}

/** @param {Group} group */
function example({ count, sides }) {
  return Array.from({ length: Math.min(count, 3) }, (_, at) => 1 + ((at * 3 + 3) % sides)).join(" ") + (count > 3 ? " …" : "");
}

/**
 * Dice that were typed in: numbers with anything between them, or digits in a row where a die has no more than nine sides.
 *
 * @param {string} text
 * @param {Group} group
 * @returns {{faces: number[], problem: string}}
 */
export function facesOf(text, { count, sides, exploding }) {
  const numbers = text.match(/\d+/g) ?? [];
  const single = sides <= 9 && numbers.length === 1 && numbers[0].length > 1;
  const faces = (single ? [...numbers[0]] : numbers).map(Number);
  const beyond = faces.find((face) => face < 1 || face > sides);
  if (/[^\d\s,;.]/.test(text)) return { faces, problem: "numbers are expected" };
  if (beyond !== undefined) return { faces, problem: `${beyond} is on no die with ${sides} sides` };
  if (exploding ? faces.length < count : faces.length !== count) return { faces, problem: `${count} dice are expected, not ${faces.length}` };
  return { faces, problem: "" };
}
