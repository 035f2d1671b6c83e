/**
 * What a player's client may not do itself, and asks of the active game master's.
 *
 * The request is written into a flag of the asking user: Foundry lets nobody else write there, so that the game master's
 * client knows for certain who asks, in every version. (Whether a query says who asks differs between versions.) The
 * answer comes as a query, which any client could send. So it has a code that only the two know: the flag is shown to everybody, and
 * the code went before it as a query.
 */

import { MODULE } from "./settings.mjs";

const REPLY = `${MODULE}.reply`;
const CODE = `${MODULE}.code`;
/** Codes that are kept of requests that have not come. */
const MOST = 256;

/** @typedef {(data: any, user: any) => Promise<unknown>} Handler */

/** @type {Map<string, Handler>} */
const handlers = new Map();
/** @type {Map<string, {code: string, heard: (reply: {result?: unknown, error?: string}) => void}>} */
const waiting = new Map();
/** By which those who ask know the answer, by the request. @type {Map<string, string>} */
const codes = new Map();

/**
 * What the active game master's client does when it is asked.
 *
 * @param {string} name
 * @param {Handler} handler `user` is who asks, for certain
 */
export function onRequest(name, handler) {
  handlers.set(name, handler);
}

/**
 * Asks the active game master's client, which may be this one.
 *
 * @param {string} name
 * @param {unknown} data plain data
 * @param {number} [patience] milliseconds
 * @returns {Promise<any>}
 * @throws {Error} nobody is there to do it, or what the handler threw
 */
export async function askGamemaster(name, data, patience = 20_000) {
  const gm = game.users.activeGM;
  if (!gm) throw new Error(game.i18n.localize("FRACAS.error.no-gm"));
  if (gm.isSelf) return handlers.get(name)?.(data, game.user);
  const id = foundry.utils.randomID();
  const code = await agree(gm, id);
  /** @type {Promise<{result?: unknown, error?: string}>} */
  const replied = new Promise((resolve) => {
    waiting.set(id, { code, heard: resolve });
    setTimeout(() => resolve({ error: game.i18n.localize("FRACAS.error.no-gm") }), patience);
  });
  try {
    await game.user?.update({ flags: { [MODULE]: { request: JSON.stringify({ id, name, data }) } } });
    const { result, error } = await replied;
    if (error) throw new Error(error);
    return result;
  } finally {
    waiting.delete(id);
  }
}

/**
 * @param {any} gm
 * @param {string} id of a request that is made next
 * @returns {Promise<string>} "" for users who may not query others
 */
async function agree(gm, id) {
  if (!game.user?.hasPermission("QUERY_USER")) return "";
  const code = foundry.utils.randomID(32);
  await gm.query(CODE, { id, code });
  return code;
}

/** For the hook `init`. */
export function registerRequests() {
  const queries = CONFIG.queries;
  queries[CODE] = async (/** @type {{id: string, code: string}} */ { id, code }) => {
    codes.delete(codes.size >= MOST ? (codes.keys().next().value ?? "") : "");
    if (!codes.has(id)) codes.set(String(id), String(code));
    return true;
  };
  queries[REPLY] = async (/** @type {{id: string, code: string, result?: unknown, error?: string}} */ { id, code, ...reply }) => {
    const asked = waiting.get(id);
    if (asked?.code === code) asked.heard(reply);
    return true;
  };
  Hooks.on("updateUser", (/** @type {any} */ user, /** @type {any} */ changes) => {
    if (changes.flags?.[MODULE]?.request && game.user?.isActiveGM && !user.isSelf) answer(user);
  });
}

/** @param {any} user who asks */
async function answer(user) {
  const { id, name, data } = JSON.parse(user.flags[MODULE].request);
  const code = codes.get(id) ?? "";
  codes.delete(id);
  /** @type {{result?: unknown, error?: string}} */
  let reply;
  try {
    const handler = handlers.get(name);
    if (!handler) throw new Error(`nobody here does ${name}`);
    reply = { result: (await handler(data, user)) ?? null };
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) };
  }
  await user.query(REPLY, { id, code, ...reply }).catch(console.warn);
}
