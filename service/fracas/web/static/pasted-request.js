// A request that was pasted, as macros of Roll20 whisper it or as the documentation shows it.

/** @typedef {import("../integrations/foundry/scripts/hand-modifiers.mjs").Modifier} Modifier */

/**
 * @typedef {object} Pasted
 * @property {string} ruleset
 * @property {string} procedure
 * @property {Record<string, any>} situation
 * @property {Modifier[]} modifiers
 * @property {Record<string, any>} further house rules and decisions: sent as they are
 * @property {string[]} unused fields of a request for which the page has settings of its own
 */

const NEEDED = ["ruleset", "procedure", "situation"];
const FURTHER = ["options", "decisions"];
const UNUSED = ["mode", "dice", "attribution", "exact", "explain", "cards"];

/**
 * @param {string} text with a request in it
 * @returns {Pasted}
 * @throws {Error} what is wrong with it, for people
 */
export function requestIn(text) {
  const plain = text.replace(/[\u201c\u201d]/g, '"');
  const [start, end] = [plain.indexOf("{"), plain.lastIndexOf("}")];
  if (start < 0 || end < start) throw new Error("There is no request in it: copy the line of a macro from its { to its }.");
  const request = parsed(plain.slice(start, end + 1));
  const missing = NEEDED.filter((name) => !(name in request));
  if (missing.length > 0) throw new Error(`The request lacks ${missing.join(", ")}.`);
  const stranger = Object.keys(request).find((name) => ![...NEEDED, "modifiers", ...FURTHER, ...UNUSED].includes(name));
  if (stranger !== undefined) throw new Error(`A request has no ${stranger}. It may have: ${[...NEEDED, "modifiers", ...FURTHER].join(", ")}.`);
  const { ruleset, procedure, situation, modifiers = [] } = request;
  for (const [name, value] of Object.entries({ ruleset, procedure })) {
    if (typeof value !== "string") throw new Error(`${name}: a word in quotation marks is expected, such as "sr4".`);
  }
  if (!isRecord(situation)) throw new Error("situation: fields in { } are expected.");
  const right = (/** @type {any} */ one) => isRecord(one) && typeof one.to === "string" && Number.isInteger(one.value) && typeof (one.label ?? "") === "string";
  if (!Array.isArray(modifiers) || !modifiers.every(right)) {
    throw new Error('modifiers: a list is expected, such as [{"to": "attack.pool", "label": "slick floor", "value": -1}].');
  }
  return {
    ruleset,
    procedure,
    situation,
    modifiers: modifiers.map(({ to, label = "", value }) => ({ to, label, value })),
    further: Object.fromEntries(FURTHER.filter((name) => name in request).map((name) => [name, request[name]])),
    unused: UNUSED.filter((name) => name in request),
  };
}

/** @param {string} json @returns {Record<string, any>} */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reference = /@\{[^{}]*\}/.exec(json);
    if (reference) throw new Error(`Roll20 found no ${reference[0]}: look whether the game has the sheet that the macro is for.`);
    const gap = /"([^"]*)"\s*:\s*(?=[,}\]])/.exec(json);
    if (gap) throw new Error(`There is nothing behind ${gap[1]}: that attribute is empty on the sheet. Fill it in there, or write the number into the line.`);
    throw new Error(`This is no request: ${error instanceof Error ? error.message : error}.`);
  }
}

/** @param {unknown} value */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
