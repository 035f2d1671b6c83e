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
 * @typedef {Record<string, string | number | boolean | null>} FracasFacts
 *
 * @typedef {{label: string, value: number | null, verdict: string}} FracasEntry
 *
 * @typedef {object} FracasAnswer The parts of the service's answer that are shown; /docs describes all.
 * @property {string} status resolved, refused, or waiting
 * @property {string} ruleset
 * @property {string} procedure
 * @property {{label: string, code: string}[]} [refusals]
 * @property {{label: string, total: number, entries: FracasEntry[]}[]} modifiers
 * @property {{label: string, by: string, dice: string, faces: number[], result: FracasFacts}[]} [rolls]
 * @property {{decision: string, by: string, choice: string}[]} [decisions]
 * @property {FracasFacts} [outcome]
 * @property {({type: string, who: string, what: string, amount: number | null} & FracasFacts)[]} [effects]
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
  const page = globalThis.location;
  /** @type {RequestInit & {targetAddressSpace?: string}} */
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(timeout),
  };
  // Tells the browser why an https page calls plain http, which it otherwise blocks.
  if (page?.protocol === "https:" && service.startsWith("http:")) init.targetAddressSpace = addressSpace;

  let response, text;
  try {
    response = await fetch(`${service.replace(/\/+$/, "")}/v1/resolve`, init);
    text = await response.text();
  } catch (error) {
    throw new Error(fracasNoAnswer(service, timeout, error), { cause: error });
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
 * The browser tells a script only that no answer came, so the message lists what may be wrong.
 *
 * @param {string} service
 * @param {number} timeout
 * @param {unknown} error
 */
function fracasNoAnswer(service, timeout, error) {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `Fracas at ${service} did not answer within ${timeout / 1000} seconds.`;
  }
  const page = globalThis.location;
  const causes = ["Is it running (fracas serve), and is the address right?"];
  if (page) causes.push(`Does it allow this page (fracas serve --origin ${page.origin})?`);
  if (page?.protocol === "https:") {
    causes.push("Does the browser allow this page to reach the local network (site settings)?");
  } else if (page && !globalThis.isSecureContext) {
    causes.push("Browsers keep http pages from other computers away from this one; use https or localhost.");
  }
  return `Fracas at ${service} could not be reached. ${causes.join(" ")}`;
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
function fracasSummary(answer) {
  const title = `${answer.ruleset} ${answer.procedure}: ${answer.outcome?.result ?? answer.status}`;
  /** @type {[string, string[]][]} */
  const all = [
    ["Impossible", (answer.refusals ?? []).map(({ label }) => label)],
    ["Effects", (answer.effects ?? []).map(fracasEffect)],
    ["Dice", (answer.rolls ?? []).map(fracasRoll)],
    ["Decisions", (answer.decisions ?? []).map(({ by, decision, choice }) => `${by}: ${decision}: ${choice}`)],
    ["Numbers", answer.modifiers.map(fracasNumber)],
    ["Outcome", answer.outcome ? [fracasFacts(answer.outcome)] : []],
  ];
  const sections = all.filter(([, lines]) => lines.length > 0);
  const text = sections.map(([heading, lines]) => [heading, ...lines.map(fracasInert)].join("\n  "));
  const html = sections.map(([heading, lines]) => {
    const items = lines.map((line) => `<li>${fracasEscape(line)}</li>`);
    return `<p><strong>${heading}</strong></p><ul>${items.join("")}</ul>`;
  });
  return {
    text: [title, ...text].join("\n"),
    html: `<section class="fracas"><h3>${fracasEscape(title)}</h3>${html.join("")}</section>`,
  };
}

/** @param {FracasAnswer["modifiers"][number]} number */
function fracasNumber({ label, total, entries }) {
  const parts = entries.flatMap(({ label, value, verdict }) => {
    return value && ["applied", "capped"].includes(verdict) ? [`${label} ${value > 0 ? "+" : ""}${value}`] : [];
  });
  return `${label} ${total}${parts.length > 0 ? ` = ${parts.join(", ")}` : ""}`;
}

/** @param {NonNullable<FracasAnswer["rolls"]>[number]} roll */
function fracasRoll({ label, by, dice, faces, result }) {
  return `${label} (${by}): ${dice}: ${faces.join(" ") || "no dice"} → ${fracasFacts(result)}`;
}

/** @param {NonNullable<FracasAnswer["effects"]>[number]} effect */
function fracasEffect({ type, who, what, amount, ...detail }) {
  const more = fracasFacts(detail);
  return `${who}: ${type} ${what}${amount === null ? "" : ` ${amount}`}${more ? ` (${more})` : ""}`;
}

/** @param {FracasFacts} facts */
function fracasFacts(facts) {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  const word = (/** @type {unknown} */ value) => (value === true ? "yes" : value === false ? "no" : value);
  return known.map(([name, value]) => `${name.replaceAll("_", " ")} ${word(value)}`).join(", ");
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
