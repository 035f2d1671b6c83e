/** Results applied to bars and status markers of tokens, and taken back. */

import { COMMAND } from "./chat.mjs";
import { markers, nameOfMarker, show, shows } from "./markers.mjs";
import { memory } from "./memory.mjs";
import { bars } from "./packs.mjs";
import { inWords, read } from "./results.mjs";
import { Refusal, bold, button, list, shown } from "./texts.mjs";
import { controls, moved, moves, namedTokens, tokensOf, valueOf, wholeNumber } from "./tokens.mjs";

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
  const signs = markers();
  const concerned = result.changes.filter(({ who }) => only.length === 0 || only.includes(who));
  const moving = concerned.filter((change) => movesOf(change, places) !== 0);
  const marking = concerned.filter((change) => markerOf(change, signs) !== "");
  const isNew = (/** @type {string} */ who) => again || !memory().applied.some(isOf(result, who));
  const hurt = people(moving);
  const first = hurt.length > 0 ? hurt : people(marking);
  if (first.length > 0 && !first.some(isNew)) throw new Refusal(appliedAlready(result));
  const { found, missing } = tokensOf(asked, result, hurt.filter(isNew), tokens);
  if (missing.length > 0) throw new Refusal(whichToken(result, missing));
  const others = [...found.values()].filter((token) => !mayChange(asked, token));
  if (others.length > 0) {
    const whose = others.map((token) => bold(token.get("name") || "a token")).join(", ");
    throw new Refusal(`Only the GM may change ${whose}; nothing was changed.`);
  }
  // Of those whose conditions alone change, the token need not be here.
  const bearers = people(marking).filter(isNew);
  const certain = hurt.length > 0 ? namedTokens(asked, result, bearers, tokens) : tokensOf(asked, result, bearers, tokens).found;
  const marked = new Map([...certain, ...found].filter(([, token]) => mayChange(asked, token)));
  const steps = [...stepsOf(found, moving, places), ...markersOf(marked, marking, signs)];
  const done = steps.map(carryOut);
  if (steps.length > 0) remember(asked, result, steps);
  const shownBy = marking.filter(({ who }) => marked.has(who));
  const left = concerned.filter((change) => !moving.includes(change) && !shownBy.includes(change));
  const rest = left.length > 0 ? `To be done by hand:${list(left.map((change) => inWords(change, result)))}` : "";
  if (done.length === 0) return `${bold(result.title)} changes no token. ${rest}`;
  return `${bold(result.title)} ${undoButton(result)}${list(done)}${rest}`;
}

/**
 * @param {Asked} asked
 * @param {Roll20Object} token
 */
const mayChange = (asked, token) => asked.gm || controls(token, asked.playerid);

/** @param {readonly Change[]} changes */
const people = (changes) => [...new Set(changes.map(({ who }) => who))];

/**
 * The marker that shows a condition which comes or goes; "" for anything else.
 *
 * @param {Change} change
 * @param {Map<string, string>} signs markers by condition
 */
const markerOf = ({ type, what }, signs) => (/^(add|remove)-condition$/.test(type) && signs.get(what)) || "";

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
 * @typedef {object} BarStep What happens to one bar for one of the people.
 * @property {string} who
 * @property {Roll20Object} token
 * @property {Bar["bar"]} bar
 * @property {number} from
 * @property {number} to
 *
 * @typedef {{who: string, token: Roll20Object, marker: string, on: boolean}} MarkerStep
 * @typedef {BarStep | MarkerStep} Step
 */

/**
 * How bars move. Two of the people may be one token: what moves it for one begins where the other left it.
 *
 * @param {Map<string, Roll20Object>} tokens by person
 * @param {readonly Change[]} changes
 * @param {Map<string, Bar>} places
 * @returns {BarStep[]}
 */
function stepsOf(tokens, changes, places) {
  /** @type {BarStep[]} */
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
 * The markers that come and go; one that is as it should be stays.
 *
 * @param {Map<string, Roll20Object>} tokens by person
 * @param {readonly Change[]} changes
 * @param {Map<string, string>} signs markers by condition
 * @returns {MarkerStep[]}
 */
function markersOf(tokens, changes, signs) {
  return [...tokens].flatMap(([who, token]) => {
    const own = changes.filter((one) => one.who === who);
    /** @type {Map<string, boolean>} */
    const wanted = new Map(own.map((change) => [markerOf(change, signs), change.type === "add-condition"]));
    return [...wanted].filter(([marker, on]) => shows(token, marker) !== on).map(([marker, on]) => ({ who, token, marker, on }));
  });
}

/**
 * @param {Step} step
 * @returns {string} what was done
 */
function carryOut(step) {
  const name = shown(step.token.get("name"));
  if ("marker" in step) {
    show(step.token, step.marker, step.on);
    return `${name}: marker ${shown(nameOfMarker(step.marker))} ${step.on ? "on" : "off"}`;
  }
  step.token.set({ [`${step.bar}_value`]: step.to });
  return `${name}: ${step.bar} ${step.from} to ${step.to}`;
}

/**
 * @param {Asked} asked
 * @param {Result} result
 * @param {readonly Step[]} steps
 */
function remember({ playerid }, { mark, title }, steps) {
  const { applied } = memory();
  for (const who of new Set(steps.map((step) => step.who))) {
    const changes = steps.filter((step) => step.who === who).map(recorded);
    applied.push({ mark, title, who, player: playerid, changes });
  }
  applied.splice(0, applied.length - REMEMBERED);
}

/**
 * @param {Step} step
 * @returns {Applied["changes"][number]}
 */
function recorded(step) {
  const which = { token: step.token.id, name: String(step.token.get("name")) };
  return "marker" in step ? { ...which, marker: step.marker, on: step.on } : { ...which, bar: step.bar, from: step.from, to: step.to };
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
 * Moves a bar back by as much as it went, or puts a marker as it was.
 *
 * @param {Applied["changes"][number]} change
 * @returns {string} what was done
 */
function takeBack(change) {
  const name = shown(change.name);
  const token = getObj("graphic", change.token);
  if (!token) return `${name}: the token is gone`;
  if ("marker" in change) return carryOut({ who: "", token, marker: change.marker, on: !change.on });
  const { bar, from, to } = change;
  const now = wholeNumber(token.get(`${bar}_value`));
  if (now === null) return `${name}: ${bar} holds no number any more and was left`;
  const back = Math.max(Math.min(0, from), now - (to - from));
  token.set({ [`${bar}_value`]: back });
  return `${name}: ${bar} ${now} to ${back}${now === to ? "" : `; it was changed in between, from ${to}`}`;
}
