// Asks Fracas to resolve an attack and shows the answer in chat. It knows no rules: it shows what the service says.
//
// Foundry VTT: make a macro of type "Script", paste this whole file, edit the part below, run it.
// Elsewhere nothing happens on loading; call fracasAttack and fracasSummary yourself.

// ---- Edit from here ----
const FRACAS_SERVICE = "http://127.0.0.1:8844";
const FRACAS_ATTACK = {
  ruleset: "sr4",
  procedure: "ranged-attack",
  situation: {
    attacker: "rook",
    target: { use: "guard", cover: "partial" },
    weapon: "ares-predator-iv",
    fire: { mode: "semi-automatic" },
    distance: 12,
  },
};
// ---- to here. Everybody at the table sees the message. ----

/**
 * @typedef {object} FracasCard What the table reads of an answer, with the names of people and things; /docs describes all.
 * @property {string} title
 * @property {{label: string, by: string, dice: string, faces: {face: number, hit: boolean | null}[], text: string}[]} rolls
 * @property {{group: string, label: string, value: string}[]} lines
 *
 * @typedef {object} FracasAnswer The parts of the service's answer that are used here.
 * @property {string} status resolved, refused, or waiting
 * @property {string} [summary] what happened, in one sentence
 * @property {{data?: FracasCard}} [cards]
 *
 * @typedef {object} FracasAttack Fields beside these (modifiers, decisions, dice, options) are sent as they are.
 * @property {string} [service] address of the service
 * @property {number} [timeout] milliseconds to wait
 * @property {"loopback" | "local"} [addressSpace] where the service runs, if the page is https and the service is
 *   not: on this computer, or on another one in the local network
 * @property {string} ruleset
 * @property {string} procedure
 * @property {object} situation
 */

/**
 * Resolves a combat step.
 *
 * @param {FracasAttack & Record<string, unknown>} attack
 * @returns {Promise<FracasAnswer>}
 * @throws {Error} with a message for people: the service's complaint, or why it could not be reached
 */
async function fracasAttack({
  service = FRACAS_SERVICE,
  timeout = 10_000,
  addressSpace = "loopback",
  ...request
}) {
  const space = fracasAddressSpace(service, addressSpace);
  const init = {
    ...space,
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ cards: ["data"], ...request }),
    signal: AbortSignal.timeout(timeout),
  };
  let response, text;
  try {
    response = await fetch(`${service.replace(/\/+$/, "")}/v1/resolve`, init);
    text = await response.text();
  } catch (error) {
    throw new Error(await fracasNoAnswer(service, timeout, error, space), { cause: error });
  }
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    // Something else than Fracas; the next line says so.
  }
  if (typeof body?.status !== (response.ok ? "string" : "number")) {
    throw new Error(`What answers at ${service} is not Fracas (HTTP status ${response.status}).`);
  }
  if (!response.ok) throw new Error(fracasComplaint(body));
  return body;
}

/**
 * What tells the browser why an https page calls plain http, which it otherwise blocks.
 *
 * @param {string} service
 * @param {"loopback" | "local"} targetAddressSpace
 * @returns {RequestInit}
 */
function fracasAddressSpace(service, targetAddressSpace) {
  const plain = globalThis.location?.protocol === "https:" && service.startsWith("http:");
  return /** @type {RequestInit} */ (plain ? { targetAddressSpace } : {});
}

/**
 * Why no answer came. The browser does not tell a script, but any page may ask whether the service is there.
 *
 * @param {string} service
 * @param {number} timeout
 * @param {unknown} error
 * @param {RequestInit} space see fracasAddressSpace
 */
async function fracasNoAnswer(service, timeout, error, space) {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `Fracas at ${service} did not answer within ${timeout / 1000} seconds.`;
  }
  const page = globalThis.location;
  if (page && (await fracasIsThere(service, space))) {
    return `Fracas at ${service} does not allow this page. Start it with: fracas serve --origin ${page.origin}`;
  }
  const causes = ["Is it running (fracas serve), and is the address right?"];
  if (page?.protocol === "https:") {
    causes.push("Does the browser allow this page to reach the local network (site settings)?");
  } else if (page && !globalThis.isSecureContext) {
    causes.push("Browsers keep http pages from other computers away from this one; use https or localhost.");
  }
  return `Fracas at ${service} could not be reached. ${causes.join(" ")}`;
}

/**
 * @param {string} service
 * @param {RequestInit} space
 */
async function fracasIsThere(service, space) {
  const signal = AbortSignal.timeout(3000);
  try {
    await fetch(`${service.replace(/\/+$/, "")}/health`, { ...space, mode: "no-cors", cache: "no-store", signal });
    return true;
  } catch {
    return false;
  }
}

/**
 * The first fault of an error body, with its place and the service's suggestion.
 *
 * @param {{message: string, errors?: {path: string, message: string, hint: string | null}[]}} body
 */
function fracasComplaint({ message, errors = [] }) {
  const [first] = errors;
  if (!first) return `Fracas: ${message}`;
  const place = first.path ? `${first.path}: ` : "";
  const hint = first.hint ? ` (${first.hint})` : "";
  const more = errors.length > 1 ? ` – and ${errors.length - 1} more` : "";
  return `Fracas: ${place}${first.message}${hint}${more}`;
}

/**
 * An answer for people, as plain text and as HTML in which every text of the answer is escaped.
 *
 * @param {FracasAnswer} answer
 */
function fracasSummary({ status, summary = status, cards = {} }) {
  const { title = "Fracas", lines = [], rolls = [] } = cards.data ?? {};
  /** @param {string} group @param {(line: FracasCard["lines"][number]) => string} told @returns {string[]} */
  const of = (group, told = ({ label, value }) => `${label}: ${value}`) => {
    return lines.filter((line) => line.group === group).map(told);
  };
  const value = (/** @type {FracasCard["lines"][number]} */ line) => line.value;
  /** @type {[string, string[]][]} */
  const all = [
    ["Impossible", of("refusals", value)],
    ["Question", of("question")],
    ["Effects", of("effects")],
    ["Dice", rolls.map(fracasRoll)],
    ["Decisions", of("decisions", value)],
    ["Numbers", of("numbers")],
    ["Outcome", of("outcome").filter((line) => !line.startsWith("Result: "))], // the sentence above says it
    ["Proof", of("proof")],
  ];
  const sections = all.filter(([, told]) => told.length > 0);
  const text = sections.map(([heading, told]) => [heading, ...told.map(fracasInert)].join("\n  "));
  const html = sections.map(([heading, told]) => {
    const items = told.map((line) => `<li>${fracasEscape(line)}</li>`);
    return `<p><strong>${heading}</strong></p><ul>${items.join("")}</ul>`;
  });
  const head = `<h3>${fracasEscape(title)}</h3><p>${fracasEscape(summary)}</p>`;
  return {
    text: [fracasInert(title), fracasInert(summary), ...text].join("\n"),
    html: `<section class="fracas">${head}${html.join("")}</section>`,
  };
}

/** @param {FracasCard["rolls"][number]} roll */
function fracasRoll({ label, by, dice, faces, text }) {
  const shown = faces.map(({ face, hit }) => (hit ? `${face}*` : face));
  return `${label} by ${by}: ${dice}: ${shown.join(" ") || "no dice"} → ${text}`;
}

// One line in which [[1d6]], @UUID[...] or @{...} stay mere text: a chat would run them, even from escaped HTML.
/** @param {string} text */
function fracasInert(text) {
  return text.replace(/[\s\p{Cc}]+/gu, " ").replace(/[[{]/g, "\u2060$&");
}

/** @param {string} text */
function fracasEscape(text) {
  return fracasInert(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

if (typeof ChatMessage !== "undefined") {
  fracasAttack(FRACAS_ATTACK)
    .then((answer) => ChatMessage.create({ speaker: ChatMessage.getSpeaker(), content: fracasSummary(answer).html }))
    .catch((error) => ui.notifications.error(fracasEscape(error.message), { permanent: true }));
}
