/**
 * The cards of a fight's steps: whoever commands posts the card of a new step; from then on the active game master's client
 * keeps it in line with the fight (without one, the author's). Answers go to the service with the own token, which
 * decides who may.
 */

import { cardOf, keptOf, mayAnswer } from "./chat-card.mjs";
import { labelled, post, update } from "./conversation.mjs";
import { throwInFoundry } from "./dice.mjs";
import { actorOf, fightOf } from "./fight.mjs";
import { complain } from "./messages.mjs";
import { MODULE } from "./settings.mjs";

/** @typedef {import("./chat-card.mjs").Card} Card */
/** @typedef {import("./chat-card.mjs").Pressed} Pressed */
/** @typedef {import("./client.mjs").Encounter} Encounter */

/** Milliseconds after which the game master's client posts a card that nobody has posted. */
const PATIENCE = 1500;

/** For the hook `init`. */
export function registerFightCards() {
  Hooks.on(/** @type {any} */ (`${MODULE}.encounter`), (/** @type {any} */ combat, /** @type {any} */ encounter) => {
    const fight = fightOf(combat);
    if (fight && game.user?.isActiveGM) followCards(fight, encounter);
  });
}

/**
 * Takes an action in the fight and shows its step.
 *
 * @param {Encounter} fight
 * @param {object} act the command without its name
 * @param {Pick<Card, "title"> & {speaker?: any}} shown
 * @returns {Promise<any>} the message; null for an action without a step
 */
export async function actInChat(fight, act, shown) {
  const told = await fight.command({ command: "act", ...act });
  const [message] = await showSteps(fight, told.steps, shown);
  return message ?? null;
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
  await showSteps(fight, told.steps);
  return told;
}

/**
 * Cards of steps that have none yet; then all are brought into line.
 *
 * @param {Encounter} fight
 * @param {any[]} steps
 * @param {{title?: string, speaker?: any}} [shown] for new cards
 * @returns {Promise<any[]>} the messages that were made
 */
async function showSteps(fight, steps, { title, speaker } = {}) {
  const made = [];
  for (const step of steps) {
    if (messageOf(fight.id, step.id)) continue;
    made.push(await post(await cardOfStep(fight, step, title ?? titleOf(step)), speaker, step.hidden ? "gm" : undefined));
  }
  if (game.user?.isActiveGM || !game.users.activeGM) await followCards(fight, await fight.state());
  return made;
}

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
    const changed = step ? { ...card, ...(await toldOf(step)), state: /** @type {const} */ ("open") } : ended(card, story);
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
 * The card of a step that is open no more.
 *
 * @param {Card} card
 * @param {Story} story
 * @returns {Card}
 */
function ended(card, { standing, ends, finished }) {
  const step = card.step ?? "";
  if (!standing.has(began(step))) return { ...card, question: null, state: "undone" };
  const last = finished.get(step);
  const answer = last ? { ...card.answer, ...last, status: "resolved" } : card.answer;
  return { ...card, answer, question: null, state: "open", ...ends.get(step) };
}

/**
 * What stands of a fight, told by its events.
 *
 * @typedef {object} Story
 * @property {number} version
 * @property {Set<number>} standing versions that are not undone
 * @property {number[]} undone what redo would bring back
 * @property {Map<string, {state: "applied" | "discarded", version: number}>} ends how steps ended, of standing events
 * @property {Map<string, {outcome: any, effects: any[]}>} finished what steps came to that ended with their last answer
 * @property {{version: number, type: string, data: any}[]} events that end steps
 */

/** @type {Map<string, Story>} by fight */
const stories = new Map();

/**
 * @param {Encounter} fight
 * @param {number} version up to which
 * @returns {Promise<Story>}
 */
async function storyOf(fight, version) {
  const story = stories.get(fight.id) ?? { version: 0, standing: new Set(), undone: [], ends: new Map(), finished: new Map(), events: [] };
  stories.set(fight.id, story);
  while (story.version < version) {
    const { events } = await fight.events(story.version);
    if (events.length === 0) break;
    for (const event of events) hear(story, event);
  }
  const ends = story.events.filter((event) => story.standing.has(event.version));
  story.ends = new Map(ends.map(({ type, version, data }) => [data.resolution, { state: /** @type {any} */ (type), version }]));
  return story;
}

/**
 * @param {Story} story
 * @param {{version: number, type: string, data: any}} event
 */
function hear(story, event) {
  const { version, type, data } = event;
  if (version <= story.version) return;
  story.version = version;
  if (type === "undone") {
    const gone = [...story.standing].filter((one) => one > data.to);
    for (const one of gone) story.standing.delete(one);
    story.undone = [...gone, ...story.undone];
  } else if (type === "redone") {
    for (const one of story.undone.filter((one) => one <= data.to)) story.standing.add(one);
    story.undone = story.undone.filter((one) => one > data.to);
  } else {
    story.standing.add(version);
    story.undone = [];
    if (type === "applied" || type === "discarded") story.events.push(event);
    for (const { resolution, outcome, effects } of data.steps ?? []) {
      if (outcome) story.finished.set(resolution, { outcome, effects });
    }
  }
}

/** @param {string} step such as r12, or r12.1, of version 12 */
function began(step) {
  return Number(/^r(\d+)/.exec(step)?.[1] ?? 0);
}

/** @param {string} fight @returns {any[]} */
function messagesOf(fight) {
  return game.messages.filter((message) => /** @type {any} */ (message).flags?.[MODULE]?.fight === fight);
}

/** @param {string} fight @param {string} step */
function messageOf(fight, step) {
  return messagesOf(fight).find((message) => message.flags[MODULE].step === step);
}

/**
 * @param {Encounter} fight
 * @param {any} step
 * @param {string} title
 * @returns {Promise<Card>}
 */
async function cardOfStep(fight, step, title) {
  const records = Object.entries(/** @type {Record<string, string>} */ (step.who ?? {}));
  const fighters = [...new Set([step.actor, step.target, ...records.map(([, id]) => id)].filter(Boolean))];
  const shown = Object.fromEntries(
    fighters.map((id) => {
      const actor = actorOf(id);
      return [id, { name: actor?.name ?? id, actor: actor?.uuid ?? "" }];
    }),
  );
  const who = { ...Object.fromEntries(records.map(([record, id]) => [record, shown[id]])), ...shown };
  return { title, who, things: {}, fight: fight.id, step: step.id, ...(await toldOf(step)), state: "open" };
}

/**
 * @param {any} step
 * @returns {Promise<Pick<Card, "answer" | "question">>}
 */
async function toldOf(step) {
  return { answer: keptOf(step), question: await labelled(step.question, step.procedure) };
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
 * The dice of a question that this client's user throws: of the parts for hands, those of his own combatants.
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
  const { version } = await fight.state();
  const applied = card.version ?? version;
  if (version > applied) {
    const sure = await foundry.applications.api.DialogV2.confirm({
      window: { title: "FRACAS.undo.title" },
      content: `<p>${game.i18n.format("FRACAS.undo.later", { count: `${version - applied}` })}</p>`,
    });
    if (!sure) return;
  }
  await carriedOut(fight, { command: "undo", to: applied - 1 });
}
