// What the scripts say that pages share with the module for Foundry: its texts stand in the page.

import { ServiceError } from "../integrations/foundry/scripts/client.mjs";

/** @type {any} */
const known = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");

/** @param {string} key such as `FRACAS.attack.weapon` @returns {string} */
export function localize(key) {
  const found = key.split(".").slice(1).reduce((texts, part) => texts?.[part], known);
  return typeof found === "string" ? found : key;
}

/**
 * A failure in words: what happened, and the first faults that the service names, with their places.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function inWords(error) {
  if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : String(error);
  const faults = error.problems.slice(0, 3).map(({ path, message, hint }) => `${path ? `${path}: ` : ""}${message}${hint ? ` (${hint})` : ""}`);
  if (faults.length > 0) return faults.join("; ");
  return localize(`FRACAS.error.${error.kind}`).replace(/\{(\w+)\}/g, (_, name) => error.data[name] ?? error.message);
}
