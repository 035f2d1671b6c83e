/**
 * The cards of a fight's steps: the one who commands posts the card of a new step; from then on the active game master's client
 * keeps it in line with the fight (without one, the author's). Answers go to the service with the own token, which
 * decides who may.
 */

import { cardOf, keptOf, mayAnswer } from "./chat-card.mjs";
import { ServiceError } from "./client.mjs";
import { labelled, post, update } from "./conversation.mjs";
import { throwInFoundry } from "./dice.mjs";
import { actorOf, fightOf, fightersToken as tokenOf } from "./fight.mjs";
import { complain } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { MODULE, activeMapping } from "./settings.mjs";
import { storyOf } from "./story.mjs";
import { lastBefore, sureToUndo } from "./take-back.mjs";

/** @typedef {import("./chat-card.mjs").Card} Card */
/** @typedef {import("./chat-card.mjs").Pressed} Pressed */
/** @typedef {import("./client.mjs").Encounter} Encounter */
/** @typedef {import("./story.mjs").Story} Story */

/** Milliseconds after which the game master's client posts a card that nobody has posted. */
const PATIENCE = 1500;

/** For the hook `init`. */
export function registerFightCards() {
  Hooks.on(`${MODULE}.event`, (/** @type {Encounter} */ fight, /** @type {any} */ event) => {
    const begun = begunIn([event]);
    if (begun.length > 0) setTimeout(() => showOver(fight, begun).catch(complain), PATIENCE);
  });
  Hooks.on(`${MODULE}.encounter`, (/** @type {any} */ combat, /** @type {any} */ encounter) => {
    const fight = fightOf(combat);
    if (fight && game.user?.isActiveGM) followCards(fight, encounter);
  });
}

/**
 * Takes an action in the fight and shows its step.
 *
 * @param {Encounter} fight
 * @param {object} act the command without its name
 * @param {Pick<Card, "title"> & Partial<Pick<Card, "things">> & {speaker?: any}} shown
 * @returns {Promise<any>} the message; null for an action without a step, undefined if people would rather not take it
 */
export async function actInChat(fight, act, shown) {
  const told = await fight.confirmed({ command: "act", ...act }, sureOfTarget);
  if (!told) return undefined;
  const [message] = await showAll(fight, told, shown);
  return message ?? null;
}

/**
 * Whether something shall be done to a target who is out of the fight.
 *
 * @param {string} question as the service puts it
 * @returns {Promise<boolean>}
 */
async function sureOfTarget(question) {
  const content = node("p", {}, question);
  const sure = await foundry.applications.api.DialogV2.confirm({ window: { title: "FRACAS.confirm.title" }, content: content.outerHTML });
  return Boolean(sure);
}

/**
 * Sends a command and shows what came of it.
 *
 * @param {Encounter} fight
 * @param {object} command
 * @returns {Promise<any>} the service's answer
 */
export async function carriedOut(fight, command) {
  const told = await fight.command(command);
  await showAll(fight, told);
  return told;
}

/**
 * The cards of what a command began: of steps that are under way, and of those that were over at once.
 *
 * @param {Encounter} fight
 * @param {{events: any[], steps: any[]}} told the service's answer to it
 * @param {{title?: string, speaker?: any, things?: Card["things"]}} [shown]
 * @returns {Promise<any[]>} the messages that were made
 */
async function showAll(fight, { events, steps }, shown) {
  const over = begunIn(events).filter((id) => !steps.some((step) => step.id === id));
  return [...(await showOver(fight, over, shown)), ...(await showSteps(fight, steps, shown))];
}

/**
 * The steps that events began.
 *
 * @param {any[]} events
 * @returns {string[]}
 */
function begunIn(events) {
  const pieces = events.flatMap(({ data }) => [data?.step, ...(data?.rolls ?? []), ...(data?.steps ?? [])]);
  return pieces.map((piece) => piece?.open?.id).filter(Boolean);
}

/**
 * Cards of steps that were over as soon as they began, unless they are posted already; initiative is one card for all.
 *
 * @param {Encounter} fight
 * @param {string[]} ids
 * @param {{title?: string, speaker?: any, things?: Card["things"]}} [shown]
 * @returns {Promise<any[]>} the messages that were made
 */
async function showOver(fight, ids, { title, speaker, things = {} } = {}) {
  /** @type {any[]} */
  const steps = [];
  for (const id of ids) {
    const step = messageOf(fight.id, id) ? null : await pastStep(fight, id);
    if (step && !step.question && (step.rolls.length > 0 || step.effects.length > 0)) steps.push(step);
  }
  /** @param {any} step */
  const together = ({ purpose, hidden }) => (purpose === "initiative" ? `${hidden}` : "");
  const several = ["true", "false"].map((hidden) => steps.filter((step) => together(step) === hidden));
  const alone = steps.filter((step) => !together(step)).map((step) => [step]);
  const made = [];
  for (const group of [...alone, ...several]) {
    const [first] = group;
    if (!first || messageOf(fight.id, first.id)) continue;
    const card = await cardOfStep(fight, group.length > 1 ? joinedSteps(group) : first, title ?? titleOf(first), things);
    const steps = group.map(({ id }) => id);
    const told = await ended(fight, null, { ...card, steps }, await storyOf(fight, Infinity));
    made.push(await post(told, speaker, first.hidden ? "gm" : undefined));
  }
  return made;
}

/**
 * Several steps of one kind as one: the id in the fight says whose each number and each roll is.
 *
 * @param {any[]} steps
 */
function joinedSteps(steps) {
  const rolls = steps.flatMap(({ actor, rolls }) => rolls.map((/** @type {any} */ roll) => ({ ...roll, by: actor })));
  const decisions = steps.flatMap(({ actor, decisions }) => decisions.map((/** @type {any} */ one) => ({ ...one, by: actor })));
  const modifiers = steps.flatMap(({ actor, modifiers }) =>
    modifiers.map((/** @type {any} */ one) => ({ ...one, label: `${actorOf(actor)?.name ?? actor}: ${one.label}` })),
  );
  const who = Object.fromEntries(steps.map(({ actor }) => [actor, actor]));
  return { ...steps[0], who, rolls, decisions, modifiers, outcome: {}, effects: steps.flatMap(({ effects }) => effects) };
}

/**
 * A step of the fight as it is, or was at its end; null if it was taken back, or is not for this client.
 *
 * @param {Encounter} fight
 * @param {string} id
 * @returns {Promise<any>}
 */
async function pastStep(fight, id) {
  try {
    return await fight.step(id);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
}

/**
 * Cards of steps that have none yet; then all are brought into line.
 *
 * @param {Encounter} fight
 * @param {any[]} steps
 * @param {{title?: string, speaker?: any, things?: Card["things"]}} [shown] for new cards
 * @returns {Promise<any[]>} the messages that were made
 */
async function showSteps(fight, steps, { title, speaker, things = {} } = {}) {
  const made = [];
  for (const step of steps) {
    const key = `${fight.id} ${step.id}`;
    if (messageOf(fight.id, step.id) || posting.has(key)) continue;
    posting.add(key);
    try {
      made.push(await post(await cardOfStep(fight, step, title ?? titleOf(step), things), speaker, step.hidden ? "gm" : undefined));
    } finally {
      posting.delete(key);
    }
  }
  if (game.user?.isActiveGM || !game.users.activeGM) await followCards(fight, await fight.state());
  return made;
}

/** Steps whose cards are on their way: a client that hears of them meanwhile posts no second one. @type {Set<string>} */
const posting = new Set();

/** @param {any} step */
function titleOf({ action, purpose, procedure }) {
  return (action || (purpose === "action" ? procedure : purpose) || procedure).replaceAll("-", " ");
}

/** @type {Promise<unknown>} */
let queue = Promise.resolve();

/**
 * Brings the cards into line with the fight, one call after another.
 *
 * @param {Encounter} fight
 * @param {any} encounter its state
 * @returns {Promise<unknown>}
 */
function followCards(fight, encounter) {
  queue = queue.then(() => bringIntoLine(fight, encounter)).catch(complain);
  return queue;
}

/**
 * @param {Encounter} fight
 * @param {any} encounter
 */
async function bringIntoLine(fight, { steps, version }) {
  const story = await storyOf(fight, version);
  for (const message of messagesOf(fight.id)) {
    const card = cardOf(message);
    if (!card || !(game.user?.isGM || message.isAuthor)) continue;
    const step = steps.find((/** @type {any} */ one) => one.id === card.step);
    if (step?.hidden && !maySee(message, step)) continue;
    const changed = step ? { ...card, ...(await toldOf(step)), state: /** @type {const} */ ("open") } : await ended(fight, message, card, story);
    if (JSON.stringify(changed) !== JSON.stringify(card)) await update(message, changed);
  }
  const unseen = steps.filter((/** @type {any} */ step) => !messageOf(fight.id, step.id));
  if (unseen.length > 0 && game.user?.isActiveGM) {
    setTimeout(async () => {
      const { steps } = await fight.state();
      const still = steps.filter((/** @type {any} */ step) => unseen.some((/** @type {any} */ one) => one.id === step.id));
      if (still.length > 0) await showSteps(fight, still);
    }, PATIENCE);
  }
}

/**
 * The card of a step that is open no more, with what its last answer brought.
 *
 * @param {Encounter} fight
 * @param {any} message
 * @param {Card} card
 * @param {Story} story
 * @returns {Promise<Card>}
 */
async function ended(fight, message, card, { standing, ends }) {
  const step = card.step ?? "";
  if (!standing.has(began(step))) return { ...card, question: null, state: "undone" };
  const applied = ends.get(step)?.state === "applied" && card.state !== "applied";
  const last = card.answer.status === "waiting" || applied ? await pastStep(fight, step) : null;
  const told = last && (!last.hidden || maySee(message, last));
  return { ...card, answer: told ? keptOf(last, await activeMapping()) : card.answer, question: null, state: "open", ...ends.get(step) };
}

/**
 * Whether a hidden step may be written into a message, which anybody may have made for it: one that only game masters see, and
 * its author, who must be one of them or own the one who acts.
 *
 * @param {any} message
 * @param {any} step
 */
function maySee({ whisper, author }, { actor }) {
  const closed = whisper.length > 0 && whisper.every((/** @type {string} */ id) => game.users.get(id)?.isGM);
  return closed && Boolean(author?.isGM || actorOf(actor)?.testUserPermission(author, "OWNER"));
}

/** @param {string} step such as r12, or r12.1, of version 12 */
function began(step) {
  return Number(/^r(\d+)/.exec(step)?.[1] ?? 0);
}

/** @param {string} fight @returns {any[]} */
function messagesOf(fight) {
  return game.messages.filter((message) => message.flags?.[MODULE]?.fight === fight);
}

/** @param {string} fight @param {string} step */
function messageOf(fight, step) {
  return messagesOf(fight).find((message) => message.flags[MODULE].step.split(" ").includes(step));
}

/**
 * @param {Encounter} fight
 * @param {any} step
 * @param {string} title
 * @param {Card["things"]} things
 * @returns {Promise<Card>}
 */
async function cardOfStep(fight, step, title, things) {
  const records = Object.entries(/** @type {Record<string, string>} */ (step.who ?? {}));
  const fighters = [...new Set([step.actor, step.target, ...records.map(([, id]) => id)].filter(Boolean))];
  const shown = Object.fromEntries(
    fighters.map((id) => {
      const actor = actorOf(id);
      return [id, { name: actor?.name ?? id, actor: actor?.uuid ?? "", token: tokenOf(id)?.uuid ?? "" }];
    }),
  );
  const who = { ...Object.fromEntries(records.map(([record, id]) => [record, shown[id]])), ...shown };
  return { title, who, things, fight: fight.id, step: step.id, ...(await toldOf(step)), state: "open" };
}

/**
 * @param {any} step
 * @returns {Promise<Pick<Card, "answer" | "question">>}
 */
async function toldOf(step) {
  return { answer: keptOf(step, await activeMapping()), question: await labelled(step.question, step.procedure) };
}

/**
 * A button of a card was pressed.
 *
 * @param {Card} card
 * @param {Pressed} pressed
 */
export async function pressInFight(card, { press, choose }) {
  const fight = fightOf();
  if (!fight || fight.id !== card.fight) throw new Error(game.i18n.localize("FRACAS.error.other-fight"));
  if (press === "undo") return undoTo(fight, card);
  const { question } = card;
  if (!question?.id || !mayAnswer(card)) throw new Error(game.i18n.localize("FRACAS.error.not-yours"));
  const dice = press === "foundry" ? (await throwInFoundry(ownGroups(question))).faces : undefined;
  await carriedOut(fight, { command: "answer", question: question.id, ...(choose ? { choose } : {}), ...(dice ? { dice } : {}) });
}

/**
 * The dice of a question that this client's user throws: of the parts for hands, those of their own combatants.
 *
 * @param {import("./chat-card.mjs").Question} question
 */
function ownGroups({ parts = [] }) {
  const open = parts.filter(({ hand, thrown }) => hand && thrown === null);
  return open.filter(({ who }) => game.user?.isGM || actorOf(who)?.isOwner).flatMap(({ groups }) => groups);
}

/**
 * Takes back what a card's step did, and whatever came after it; people are asked if there is such.
 *
 * @param {Encounter} fight
 * @param {Card} card
 */
async function undoTo(fight, card) {
  const before = await lastBefore(fight, card.version ?? (await fight.state()).version);
  if (await sureToUndo(fight, before)) await carriedOut(fight, { command: "undo", to: before });
}
