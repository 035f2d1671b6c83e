/**
 * Carries a step without a fight on: from the first request over its questions to what is written to sheets, and back. Each
 * change of a card is a change of its message, made by a client that may: its author's, or the game master's.
 */

import { cardHTML, cardOf, flagsOf, keptOf, mayAnswer } from "./chat-card.mjs";
import { isAsked } from "./decisions.mjs";
import { animate, foundryRolls, throwInFoundry } from "./dice.mjs";
import { documentAt } from "./documents.mjs";
import { carryOut, planOf, takeBack } from "./effects.mjs";
import { pressInFight } from "./fight-cards.mjs";
import { complain, tell } from "./messages.mjs";
import { words } from "./nodes.mjs";
import { askGamemaster, onRequest } from "./requests.mjs";
import { MODULE, activeMapping, service, setting } from "./settings.mjs";
import { fieldAt } from "./sheet-mapping.mjs";
import { withVisibility } from "./visibility.mjs";
import { keepWritten, writtenFor } from "./written.mjs";

/** @typedef {import("./chat-card.mjs").Card} Card */
/** @typedef {import("./chat-card.mjs").Pressed} Pressed */

const PRESS = "press";

/**
 * What a request without a fight came to, as a message with a card.
 *
 * @param {object} request for `/v1/resolve`
 * @param {Pick<Card, "title" | "who" | "things"> & {speaker?: any}} shown
 * @returns {Promise<any>} the message
 */
export async function resolveInChat(request, { speaker, ...shown }) {
  const byHand = setting("dice") === "foundry";
  const ask = askedAmong(shown.who);
  const nobody = [...Object.keys(shown.who), ""].every((who) => !ask(who, true));
  const answer = await service().resolve({ dice: { source: "seed" }, ...request, mode: nobody && !byHand ? "auto" : "step" });
  const reached = await goOn(answer, byHand ? "foundry" : "service", ask);
  /** @type {Card} */
  const card = { ...shown, ...(await told(reached)), state: "open" };
  return post(card, speaker);
}

/**
 * Who of a card is asked for decisions, by record of the request; "" stands for this client's user.
 *
 * @param {Card["who"]} who
 * @returns {(by: string, reaction: boolean) => boolean}
 */
function askedAmong(who) {
  return (by, reaction) => isAsked(documentAt(who[by]?.actor), reaction);
}

/**
 * Lets the dice fall until a user must decide who wants to.
 *
 * @param {any} answer
 * @param {"service" | "foundry"} thrower
 * @param {(by: string, reaction: boolean) => boolean} ask others' decisions take their default
 * @returns {Promise<any>}
 */
async function goOn(answer, thrower, ask) {
  let reached = answer;
  while (reached.status === "waiting") {
    const { kind, by, groups, default: choose, reaction } = reached.awaits;
    if (kind !== "roll" && ask(by, Boolean(reaction))) return reached;
    /** @type {{dice?: number[][], choose?: string}} */
    let given = {};
    if (kind !== "roll") given = { choose };
    else if (thrower === "foundry") given = { dice: (await throwInFoundry(groups)).faces };
    reached = { modifiers: reached.modifiers, ...(await service().goOn(reached.continuation, given)) }; // between, they are not told again
  }
  return reached;
}

/**
 * What a card shows of an answer without a fight.
 *
 * @param {any} answer
 * @returns {Promise<Pick<Card, "answer" | "question" | "continuation">>}
 */
async function told(answer) {
  const question = await labelled(answer.awaits, answer.procedure, answer.ruleset);
  return { answer: keptOf(answer, await activeMapping()), question, continuation: answer.continuation };
}

/**
 * A question with the label that the ruleset gives its decision.
 *
 * @param {import("./chat-card.mjs").Question | null | undefined} question
 * @param {string} procedure
 * @param {string} [ruleset]
 * @returns {Promise<import("./chat-card.mjs").Question | null>}
 */
export async function labelled(question, procedure, ruleset) {
  if (!question?.decision) return question ?? null;
  try {
    const { procedures } = await service().ruleset(ruleset ?? (await activeMapping()).ruleset);
    const { decisions } = procedures.find((/** @type {any} */ one) => one.id === procedure);
    return { ...question, label: decisions.find((/** @type {any} */ one) => one.id === question.decision)?.label };
  } catch {
    return question;
  }
}

/**
 * @param {Card} card
 * @param {any} [speaker]
 * @param {import("./visibility.mjs").Visibility} [visibility]
 */
export async function post(card, speaker, visibility = setting("visibility")) {
  const rolls = foundryRolls(card.answer.rolls);
  const data = {
    content: cardHTML(card),
    speaker: speaker ?? ChatMessage.getSpeaker(),
    rolls: rolls.map((roll) => JSON.stringify(roll.toJSON())),
    flags: flagsOf(card),
    ...(rolls.length > 0 ? { sound: CONFIG.sounds?.dice } : {}),
  };
  return ChatMessage.create(withVisibility(data, visibility));
}

/**
 * Shows what a card has become, and the dice that are new.
 *
 * @param {any} message
 * @param {Card} card
 */
export async function update(message, card) {
  const before = cardOf(message)?.answer.rolls.length ?? 0;
  const rolls = foundryRolls(card.answer.rolls);
  await message.update({ content: cardHTML(card), flags: flagsOf(card), rolls: rolls.map((roll) => JSON.stringify(roll.toJSON())) });
  await animate(foundryRolls(card.answer.rolls.slice(before)), message);
}

/** @param {any} message */
function mayUpdate(message) {
  return Boolean(message.isAuthor || game.user?.isGM);
}

/**
 * A button of a card was pressed.
 *
 * @param {any} message
 * @param {Pressed} pressed
 */
export async function press(message, pressed) {
  try {
    const card = cardOf(message);
    if (!card) return;
    if (card.fight) await pressInFight(card, pressed);
    else if (mayUpdate(message)) await pressWithoutFight(message, pressed);
    else await askGamemaster(PRESS, { message: message.id, pressed: await withDice(card, pressed) });
  } catch (error) {
    complain(error);
  }
}

/**
 * A user who may not change the message throws before the game master's client is asked.
 *
 * @param {Card} card
 * @param {Pressed} pressed
 * @returns {Promise<Pressed & {dice?: number[][]}>}
 */
async function withDice(card, pressed) {
  if (pressed.press !== "foundry") return pressed;
  return { ...pressed, dice: (await throwInFoundry(card.question?.groups ?? [])).faces };
}

/**
 * @param {any} message
 * @param {Pressed & {dice?: number[][]}} pressed
 * @param {any} [user] who pressed
 */
async function pressWithoutFight(message, { press, choose, dice }, user = game.user) {
  const card = cardOf(message);
  if (!card) return;
  if (press === "apply" || press === "undo") {
    if (!user.isGM) throw new Error(game.i18n.localize("FRACAS.error.gm-only"));
    return press === "apply" ? applyCard(message, card) : undoCard(message, card);
  }
  if (!mayAnswer(card, user) || !card.continuation) throw new Error(game.i18n.localize("FRACAS.error.not-yours"));
  const thrown = press === "foundry" ? (dice ?? (await throwInFoundry(card.question?.groups ?? [])).faces) : undefined;
  const next = await service().goOn(card.continuation, { ...(choose ? { choose } : {}), ...(thrown ? { dice: thrown } : {}) });
  const answer = { modifiers: card.answer.modifiers, ...next };
  const reached = await goOn(answer, setting("dice"), askedAmong(card.who));
  await update(message, { ...card, ...(await told(reached)) });
}

/**
 * Writes what a card says to the sheets. For the game master's client.
 *
 * @param {any} message
 * @param {Card} card
 */
async function applyCard(message, card) {
  if (card.state !== "open" || writtenFor(message.id)) return;
  const mapping = await activeMapping();
  const present = (/** @type {[string, any][]} */ pairs) => Object.fromEntries(pairs.filter(([, one]) => one));
  const actors = present(Object.entries(card.who).map(([who, { actor }]) => [who, documentAt(actor)]));
  const things = present(Object.entries(card.things).map(([what, uuid]) => [what, documentAt(uuid)]));
  const { plans, unplaced } = planOf(mapping, card.answer.effects, actors, things);
  await keepWritten(message.id, await carryOut(mapping, plans, { [MODULE]: true, closed: message.whisper.length > 0 }));
  await update(message, { ...card, unplaced, state: "applied" });
}

/**
 * @param {any} message
 * @param {Card} card
 */
async function undoCard(message, card) {
  const done = writtenFor(message.id);
  if (card.state !== "applied" || !done) return void ui.notifications.info("FRACAS.undo.nothing", { localize: true });
  await keepWritten(message.id, null);
  const edited = await takeBack(done, { [MODULE]: true });
  const mapping = await activeMapping();
  for (const { actor, path, why, now } of edited) {
    tell("warn", game.i18n.format(`FRACAS.effects.${why}`, { who: actor, what: words(fieldAt(mapping, path)), now: `${now}` }), { permanent: true });
  }
  await update(message, { ...card, unplaced: [], state: "open" });
}

/** What other clients may ask of the active game master's. */
export function registerCardRequests() {
  onRequest(PRESS, async (/** @type {any} */ { message, pressed }, user) => {
    const found = game.messages.get(message);
    if (!found) throw new Error(game.i18n.localize("FRACAS.error.not-yours"));
    await pressWithoutFight(found, pressed, user);
  });
}
