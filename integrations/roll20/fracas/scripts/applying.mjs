/** Results applied to tokens, and taken back. */

import { COMMAND } from "./chat.mjs";
import { memory } from "./memory.mjs";
import { bars } from "./packs.mjs";
import { inWords, read } from "./results.mjs";
import { Refusal, bold, button, list, shown } from "./texts.mjs";
import { controls, moved, moves, tokensOf, valueOf, wholeNumber } from "./tokens.mjs";

/** @typedef {import("./chat.mjs").Asked} Asked */
/** @typedef {import("./memory.mjs").Applied} Applied */
/** @typedef {import("./packs.mjs").Bar} Bar */
/** @typedef {import("./results.mjs").Change} Change */
/** @typedef {import("./results.mjs").Result} Result */

const REMEMBERED = 200;

/**
 * Applies a result, all of it or nothing.
 *
 * @param {Asked} asked
 * @param {Result} result
 * @param {{tokens: Map<string, string>, only: string[], again: boolean}} options
 * @returns {string}
 */
function apply(asked, result, { tokens, only, again }) {
  const places = bars();
  const concerned = result.changes.filter(({ who }) => only.length === 0 || only.includes(who));
  const moving = concerned.filter((change) => movesOf(change, places) !== 0);
  const byHand = concerned.filter((change) => !moving.includes(change)).map((change) => inWords(change, result));
  const rest = byHand.length > 0 ? `To be done by hand:${list(byHand)}` : "";
  if (moving.length === 0) return `${bold(result.title)} moves no bar. ${rest}`;
  const everybody = [...new Set(moving.map(({ who }) => who))];
  const people = again ? everybody : everybody.filter((who) => !memory().applied.some(isOf(result, who)));
  if (people.length === 0) throw new Refusal(appliedAlready(result));
  const { found, missing } = tokensOf(asked, result, people, tokens);
  if (missing.length > 0) throw new Refusal(whichToken(result, missing));
  const others = [...found.values()].filter((token) => !asked.gm && !controls(token, asked.playerid));
  if (others.length > 0) {
    const whose = others.map((token) => bold(token.get("name") || "a token")).join(", ");
    throw new Refusal(`Only the GM may change ${whose}; nothing was changed.`);
  }
  const steps = stepsOf(found, moving, places);
  for (const { token, bar, to } of steps) token.set({ [`${bar}_value`]: to });
  remember(asked, result, steps);
  const done = steps.map(({ token, bar, from, to }) => `${shown(token.get("name"))}: ${bar} ${from} to ${to}`);
  return `${bold(result.title)} ${undoButton(result)}${list(done)}${rest}`;
}

/**
 * @param {Change} change
 * @param {Map<string, Bar>} places
 */
function movesOf(change, places) {
  const place = places.get(change.what);
  return place ? moves(change, place) : 0;
}

/**
 * @param {Result} result
 * @param {string} who
 */
const isOf = (result, who) => (/** @type {Applied} */ done) => done.mark === result.mark && done.who === who;

/**
 * @typedef {object} Step What happens to one bar for one of the people.
 * @property {string} who
 * @property {Roll20Object} token
 * @property {Bar["bar"]} bar
 * @property {number} from
 * @property {number} to
 */

/**
 * How bars move. Two of the people may be one token: what moves it for one begins where the other left it.
 *
 * @param {Map<string, Roll20Object>} tokens by person
 * @param {readonly Change[]} changes
 * @param {Map<string, Bar>} places
 * @returns {Step[]}
 */
function stepsOf(tokens, changes, places) {
  /** @type {Step[]} */
  const steps = [];
  for (const [who, token] of tokens) {
    for (const change of changes.filter((one) => one.who === who)) {
      const place = /** @type {Bar} */ (places.get(change.what));
      const before = steps.filter((one) => one.token.id === token.id && one.bar === place.bar).pop();
      const from = before ? before.to : valueOf(token, place);
      const to = moved(token, place, from, moves(change, place));
      if (before && before.who === who) before.to = to;
      else steps.push({ who, token, bar: place.bar, from, to });
    }
  }
  return steps;
}

/**
 * @param {Asked} asked
 * @param {Result} result
 * @param {readonly Step[]} steps
 */
function remember({ playerid }, { mark, title }, steps) {
  const { applied } = memory();
  for (const who of new Set(steps.map((step) => step.who))) {
    const changes = steps
      .filter((step) => step.who === who)
      .map(({ token, bar, from, to }) => ({ token: token.id, name: String(token.get("name")), bar, from, to }));
    applied.push({ mark, title, who, player: playerid, changes });
  }
  applied.splice(0, applied.length - REMEMBERED);
}

/** @param {Result} result */
const undoButton = ({ mark }) => button("Undo", `${COMMAND} undo ${mark}`);

/** @param {Result} result */
function appliedAlready(result) {
  const again = button("Apply again", `${COMMAND} import ${result.text} --again`);
  return `${bold(result.title)} was applied already. ${undoButton(result)} ${again}`;
}

/**
 * @param {Result} result
 * @param {readonly string[]} missing
 */
function whichToken(result, missing) {
  const buttons = missing.map((who) =>
    button(result.names.get(who) || who, `${COMMAND} import ${result.text} --only ${who}`),
  );
  return (
    "Nothing was changed: there is no token, or more than one, with the name of these. Select the token of one of " +
    `them, then click the name. ${buttons.join(" ")}`
  );
}

/** @param {Asked} asked */
export function importResult(asked) {
  const end = asked.words.findIndex((word) => word.startsWith("--"));
  const text = end < 0 ? asked.words : asked.words.slice(0, end);
  const result = read(text);
  /** @type {Map<string, string>} */
  const tokens = new Map();
  /** @type {string[]} */
  const only = [];
  let again = false;
  const options = end < 0 ? [] : asked.words.slice(end);
  while (options.length > 0) {
    const option = options.shift();
    const value = option === "--again" ? "" : options.shift() || "";
    if (option === "--again") again = true;
    else if (option === "--only" && result.changes.some(({ who }) => who === value)) only.push(value);
    else if (option === "--token" && value.includes("=")) {
      const at = value.indexOf("=");
      tokens.set(value.slice(0, at), value.slice(at + 1));
    } else throw new Refusal(`${bold(`${option} ${value}`)} is not understood.`);
  }
  return apply(asked, result, { tokens, only, again });
}

/** @param {Asked} asked */
export function undo({ words, gm, playerid }) {
  const { applied } = memory();
  const mine = gm ? applied : applied.filter(({ player }) => player === playerid);
  const mark = words[0] || (mine.length > 0 ? mine[mine.length - 1].mark : "");
  const undone = mine.filter((done) => done.mark === mark);
  if (undone.length === 0) throw new Refusal("There is no applied result to take back.");
  const told = undone.reverse().flatMap(({ changes }) => [...changes].reverse().map(takeBack));
  memory().applied = applied.filter((done) => !undone.includes(done));
  return `Taken back: ${bold(undone[0].title)}${list(told)}`;
}

/**
 * Moves a bar back by as much as it went.
 *
 * @param {Applied["changes"][number]} change
 * @returns {string} what was done
 */
function takeBack({ token: id, name, bar, from, to }) {
  const token = getObj("graphic", id);
  if (!token) return `${shown(name)}: the token is gone`;
  const now = wholeNumber(token.get(`${bar}_value`));
  if (now === null) return `${shown(name)}: ${bar} holds no number any more and was left`;
  const back = Math.max(Math.min(0, from), now - (to - from));
  token.set({ [`${bar}_value`]: back });
  return `${shown(name)}: ${bar} ${now} to ${back}${now === to ? "" : `; it was changed in between, from ${to}`}`;
}
