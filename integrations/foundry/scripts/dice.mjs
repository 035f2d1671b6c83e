/**
 * Dice of the service as Foundry's, so that they are shown, animated and kept like any other; and Foundry's for the service.
 *
 * What is made of answers (`rollData`) needs no Foundry.
 */

/**
 * @typedef {object} ServiceRoll A roll of an answer.
 * @property {string} label
 * @property {string} by
 * @property {string} dice such as `8d6! >= 5 + 1 hits` or `1d20 + 2d6 - 1 <= 12`
 * @property {number} sides
 * @property {number[]} faces
 *
 * @typedef {{count: number, sides: number, exploding: boolean, label?: string, by?: string}} Group Dice to throw at once.
 */

const DICE = /(\d+)d(\d+)/g;

/**
 * An evaluated roll as `Roll.fromData` takes it; null for a roll without dice. Its total fits its terms: the hits of a
 * pool, the sum of anything else.
 *
 * @param {ServiceRoll} roll
 * @returns {any}
 */
export function rollData({ dice, faces, label, by }) {
  if (faces.length === 0) return null;
  const pool = /^\d+d(\d+)(!?) >= (\d+)(?: \+ (\d+) hits)?$/.exec(dice);
  const terms = pool ? poolTerms(faces, pool) : sumTerms(dice, faces);
  const total = terms.reduce((sum, term, at) => {
    const sign = terms[at - 1]?.operator === "-" ? -1 : 1;
    if (term.class === "OperatorTerm") return sum;
    const own = term.class === "Die" ? term.results.reduce((/** @type {number} */ all, /** @type {any} */ one) => all + (one.count ?? one.result), 0) : term.number;
    return sum + sign * own;
  }, 0);
  const formula = terms.map(expression).join(" ");
  return { class: "Roll", formula, terms, total, evaluated: true, options: { flavor: `${label} (${by})` }, dice: [] };
}

/**
 * @param {number[]} faces
 * @param {RegExpExecArray} found
 * @returns {any[]}
 */
function poolTerms(faces, [, sides, , target, bonus]) {
  const least = Number(target);
  const results = faces.map((result) => ({ result, active: true, success: result >= least, count: result >= least ? 1 : 0 }));
  const die = { class: "Die", number: faces.length, faces: Number(sides), modifiers: [`cs>=${target}`], options: {}, evaluated: true, results };
  return bonus ? [die, operator("+"), number(Number(bonus))] : [die];
}

/**
 * @param {string} dice
 * @param {number[]} faces
 * @returns {any[]}
 */
function sumTerms(dice, faces) {
  const [sum] = dice.split(/ [<>]= /);
  const groups = [...sum.matchAll(DICE)].map(([, count, sides]) => ({ count: Number(count), sides: Number(sides) }));
  const known = groups.reduce((all, { count }) => all + count, 0);
  if (known !== faces.length) groups.splice(0, groups.length, { count: faces.length, sides: groups[0]?.sides ?? Math.max(...faces) });
  let at = 0;
  const terms = groups.flatMap(({ count, sides }, place) => {
    const results = faces.slice(at, at + count).map((result) => ({ result, active: true }));
    at += count;
    const die = { class: "Die", number: count, faces: sides, modifiers: [], options: {}, evaluated: true, results };
    return place ? [operator("+"), die] : [die];
  });
  const plus = /([+-]) (\d+)$/.exec(sum);
  return plus ? [...terms, operator(plus[1]), number(Number(plus[2]))] : terms;
}

/** @param {string} sign */
function operator(sign) {
  return { class: "OperatorTerm", operator: sign, options: {}, evaluated: true };
}

/** @param {number} value */
function number(value) {
  return { class: "NumericTerm", number: value, options: {}, evaluated: true };
}

/** @param {any} term */
function expression(term) {
  if (term.class === "Die") return `${term.number}d${term.faces}${term.modifiers.join("")}`;
  return term.operator ?? `${term.number}`;
}

/**
 * The rolls of an answer as Foundry's own; one that this version of Foundry does not take is left out.
 *
 * @param {ServiceRoll[]} rolls
 * @returns {Roll<any>[]}
 */
export function foundryRolls(rolls) {
  return rolls.flatMap((roll) => {
    const data = rollData(roll);
    if (!data) return [];
    try {
      return [Roll.fromData(data)];
    } catch (error) {
      console.warn("Fracas: Foundry does not take the roll", data, error);
      return [];
    }
  });
}

/**
 * Throws Foundry's dice.
 *
 * @param {Group[]} groups those without dice are not thrown
 * @returns {Promise<{rolls: Roll<any>[], faces: number[][]}>} one list of faces a group, in the order asked; the dice that an
 *   exploding group adds come after its own
 */
export async function throwInFoundry(groups) {
  const rolls = [];
  for (const { count, sides, exploding } of groups.filter(({ count }) => count > 0)) {
    rolls.push(await new Roll(`${count}d${sides}${exploding ? `x${sides}` : ""}`).evaluate());
  }
  const faces = rolls.map((roll) => roll.dice[0].results.map(({ result }) => result));
  return { rolls, faces };
}

/**
 * Animates dice that came after their message was made, for all who may see it. A message that comes with its rolls is
 * animated without this; never do both.
 *
 * @param {Roll<any>[]} rolls
 * @param {{whisper: string[], blind: boolean, id: string}} message
 */
export async function animate(rolls, { whisper, blind, id }) {
  const { dice3d } = /** @type {{dice3d?: {showForRoll: (...args: unknown[]) => Promise<unknown>}}} */ (game); // of the module Dice So Nice
  if (!dice3d) return;
  for (const roll of rolls) await dice3d.showForRoll(roll, game.user, true, whisper.length ? whisper : null, blind, id);
}
