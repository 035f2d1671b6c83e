/** What people read when something fails, in their language. */

import { ServiceError } from "./client.mjs";

/**
 * A failure in words: what happened, and the first faults that the service names, with their places.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function inWords(error) {
  if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : String(error);
  const said = game.i18n.format(`FRACAS.error.${error.kind}`, { message: error.message, ...error.data });
  const faults = error.problems.slice(0, 3).map(({ path, message, hint }) => {
    return `${path ? `${path}: ` : ""}${message}${hint ? ` (${hint})` : ""}`;
  });
  return faults.length > 0 ? faults.join("; ") : said;
}

/**
 * Reports a failure; one of the connection says where it can be tested.
 *
 * @param {unknown} error
 */
export function complain(error) {
  console.error(error);
  const connection = error instanceof ServiceError && error.kind !== "answer";
  const more = connection ? ` ${game.i18n.localize("FRACAS.error.test")}` : "";
  tell("error", `Fracas: ${inWords(error)}${more}`, { permanent: connection });
}

/**
 * A notice in which names stay text, whatever stands in them: Foundry takes a plain notice for HTML.
 *
 * @param {"info" | "warn" | "error"} kind
 * @param {string} text
 * @param {{permanent?: boolean}} [options]
 */
export function tell(kind, text, options = {}) {
  ui.notifications[kind]("FRACAS.told", { ...options, format: { text }, escape: true });
}

/**
 * One line in which `[[1d6]]` or `@UUID[...]` stay mere text: the chat would run them, even from escaped HTML.
 *
 * @param {unknown} text
 * @returns {string}
 */
export function inert(text) {
  return String(text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/[[{]/g, "\u2060$&");
}
