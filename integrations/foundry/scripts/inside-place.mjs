/**
 * Fracas inside Foundry: the client of the active game master runs it, in a worker, and answers the other clients' requests. A request
 * has the token of the one who asks, as with a service, and Fracas answers by the token's role.
 */

import { MODULE, isInside, service, setInside } from "./settings.mjs";
import { ID, NoKeyError, WorldJournal, prepareKey, randomHex } from "./inside-journal.mjs";
import { canSeal, registerKeys } from "./inside-key.mjs";
import { FIGHTS, mayBeRelayed } from "./inside-relayed.mjs";
import { complain, tell } from "./messages.mjs";
import { askGamemaster, onRequest } from "./requests.mjs";
import { tokenOf } from "./fight.mjs";

/** @typedef {{method: string, path: string, headers: Record<string, string>, body?: string}} Asked */
/** @typedef {{status: number, body: string}} Answer */

const ASK = `${MODULE}.ask`;
const BEGIN = "begin";
/** Milliseconds that a client waits for an answer: the first one has the game master's client start Fracas. */
const PATIENCE = 120_000;
/** Requests of other clients that are answered at a time, and characters of one. */
const MOST = 32;
const LARGEST = 1_000_000;
/** What of a request reaches Fracas: no live feed, which only the client has that runs it. */
const HEADERS = ["authorization", "content-type", "idempotency-key", "if-match"];

/** @type {Promise<import("../../inside/inside.mjs").Inside> | null} */
let running = null;
/** @type {WorldJournal | null} */
let journal = null;
/** Why it does not start here until the page is loaded again: "elsewhere", as two windows of a user would take it from each other again and
 * again; or "no-key". "" if it may. */
let barred = "";
let relayed = 0;
/** By which Fracas knows the client that runs it. */
let admin = "";

/**
 * As `fetch`, for paths of the interface.
 *
 * @param {string} path
 * @param {RequestInit & {headers?: Record<string, string>, body?: string}} init
 * @returns {Promise<Response>}
 */
export async function insideFetch(path, { method = "GET", headers = {}, body, signal } = {}) {
  signal?.throwIfAborted();
  if (game.user?.isActiveGM) return (await here()).fetch(path, { method, headers, body, signal });
  const gm = game.users.activeGM;
  if (!gm) throw new Error(game.i18n.localize("FRACAS.error.no-gm"));
  if (!game.user?.hasPermission("QUERY_USER")) throw new Error(game.i18n.localize("FRACAS.inside.may-not-ask"));
  const begins = method === "POST" && path === FIGHTS;
  const asked = begins ? askGamemaster(BEGIN, body, PATIENCE) : gm.query(ASK, { method, path, headers, body }, { timeout: PATIENCE });
  const { status, body: text } = await before(signal, whileHere(gm, asked));
  return new Response(status === 204 ? null : text, { status, headers: { "Content-Type": "application/json" } });
}

/**
 * @template T
 * @param {any} gm
 * @param {Promise<T>} task that their client does
 * @returns {Promise<T>} fails as soon as they leave
 */
function whileHere(gm, task) {
  return new Promise((done, failed) => {
    const left = Hooks.on("userConnected", (user, connected) => {
      if (user.id === gm.id && !connected) failed(new Error(game.i18n.localize("FRACAS.error.no-gm")));
    });
    task.then(done, failed).finally(() => Hooks.off("userConnected", left));
  });
}

/**
 * @template T
 * @param {AbortSignal | null | undefined} signal
 * @param {Promise<T>} task
 * @returns {Promise<T>} fails as soon as the signal is given
 */
function before(signal, task) {
  if (!signal) return task;
  return new Promise((done, failed) => {
    signal.addEventListener("abort", () => failed(signal.reason), { once: true });
    task.then(done, failed);
  });
}

/** The worker of this client, which starts if it does not run. */
async function here() {
  if (barred) throw new Error(game.i18n.localize(`FRACAS.inside.${barred}`));
  running ??= start().catch((error) => {
    running = null;
    if (error instanceof NoKeyError) barred = "no-key";
    throw error;
  });
  return running;
}

async function start() {
  const base = new URL("../inside/", import.meta.url).href;
  const { Inside, lacking } = await import(`${base}inside.mjs`).catch((cause) => {
    throw new Error(game.i18n.localize("FRACAS.inside.no-bundle"), { cause });
  });
  const lacks = lacking();
  if (lacks.length > 0) throw new Error(game.i18n.format("FRACAS.inside.lacks", { what: lacks.join(", ") }));
  if (!canSeal()) throw new Error(game.i18n.localize("FRACAS.inside.insecure"));
  tell("info", game.i18n.localize("FRACAS.inside.starts"));
  journal = new WorldJournal();
  admin = randomHex(32);
  const inside = new Inside(base, journal, { parts: ["interface"], admin });
  await inside.start();
  return inside;
}

/**
 * A game master's token for a fight, made by the client that runs Fracas: in another browser, or if no other game master is here.
 *
 * @param {string} fight
 * @returns {Promise<string>} "" if there is no such fight
 */
export async function makeToken(fight) {
  const inside = await here();
  const body = JSON.stringify({ role: "gm", label: game.user?.name ?? "", combatants: [] });
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${admin}` };
  const response = await inside.fetch(`${FIGHTS}/${encodeURIComponent(fight)}/tokens`, { method: "POST", headers, body });
  return response.ok ? (await response.json()).secret : "";
}

/** Ends what runs here, if anything does. */
function stop() {
  running?.then((inside) => inside.stop()).catch(() => {});
  running = journal = null;
}

/**
 * The answer to another client.
 *
 * @param {Asked} asked
 * @returns {Promise<Answer>}
 */
async function answer({ method, path, headers, body }) {
  if (!isInside() || !game.user?.isActiveGM) throw new Error(game.i18n.localize("FRACAS.error.no-gm"));
  const whole = [method, path, body ?? ""].every((text) => typeof text === "string") && (body ?? "").length <= LARGEST;
  if (!whole || !mayBeRelayed(method, path)) return refusal(403, "gm-only", game.i18n.localize("FRACAS.error.gm-only"));
  if (relayed >= MOST) return refusal(503, "busy", game.i18n.localize("FRACAS.inside.busy"));
  relayed += 1;
  try {
    const kept = Object.entries(headers ?? {}).filter(([name]) => HEADERS.includes(name.toLowerCase()));
    const response = await (await here()).fetch(path, { method, headers: Object.fromEntries(kept), body });
    return { status: response.status, body: await response.text() };
  } finally {
    relayed -= 1;
  }
}

/** @param {number} status @param {string} code @param {string} message @returns {Answer} */
function refusal(status, code, message) {
  return { status, body: JSON.stringify({ code, message, errors: [] }) };
}

/** For the hook `init`. */
export function registerInside() {
  registerKeys();
  setInside(insideFetch, PATIENCE);
  const queries = CONFIG.queries;
  queries[ASK] = answer;
  // Who asks is certain only here. What begins a fight has no secrets; the answer, which has, goes to the asking user alone.
  onRequest(BEGIN, async (body, user) => {
    if (!user.isGM) return refusal(403, "gm-only", game.i18n.localize("FRACAS.error.gm-only"));
    const response = await (await here()).fetch(FIGHTS, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    return { status: response.status, body: await response.text() };
  });
  Hooks.on("updateJournalEntry", (entry) => {
    if (entry.id !== ID || !journal || journal.isOurs) return;
    stop();
    barred = game.user?.isActiveGM ? "elsewhere" : "";
    if (barred) tell("warn", game.i18n.localize("FRACAS.inside.elsewhere"), { permanent: true });
  });
  // Another game master's client gets the key while the one that has it is here.
  Hooks.once("ready", prepare);
  Hooks.on("createJournalEntry", (entry) => void (entry.id === ID && prepare()));
  Hooks.on("userConnected", (user) => {
    if (user.isGM && user.active) prepare();
    if (game.user?.isActiveGM) return;
    stop();
    barred = "";
  });
  Hooks.on(`${MODULE}.service`, () => {
    if (!isInside()) stop();
  });
  Hooks.on("deleteCombat", (combat) => {
    if (isInside() && game.user?.isActiveGM) forget(combat.getFlag(MODULE, "encounter")?.id).catch(complain);
  });
}

function prepare() {
  if (isInside() && game.user?.isGM && canSeal()) prepareKey().catch(console.warn);
}

/** The fight of a Combat that is gone: nobody could reach it any more, and the world would keep it for ever. @param {string | undefined} fight */
async function forget(fight) {
  const token = fight && tokenOf(fight);
  if (token) await service().ask(`${FIGHTS}/${fight}`, { method: "DELETE", token, headers: { "If-Match": "*" } });
}
