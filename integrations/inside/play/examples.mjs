// @ts-check
/**
 * On the site of the documentation: examples that are requests to resolve get a form for their numbers and words, and the odds of what
 * it holds, worked out in this page (`inside.mjs`). Nothing is loaded before the first click, and nothing is kept.
 */

/** @typedef {{ruleset: string, procedure: string, situation: Record<string, any>}} Request */
/** @typedef {{title?: string, type?: string | string[], enum?: any[], minimum?: number, maximum?: number, properties?: Record<string, Schema>, anyOf?: Schema[]}} Schema */
/** @typedef {{path: string[], value: any, schema: Schema}} Leaf */

const BUNDLE = new URL("../", import.meta.url);

const SHEET = `.fracas-example { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; margin: 0 0 1rem; }
.fracas-example label { display: grid; font-size: 0.65rem; }
.fracas-example :is(input, select, button) { font: inherit; font-size: 0.7rem; padding: 0.25rem 0.5rem; border: 1px solid currentcolor; border-radius: 0.2rem; color: inherit; background: transparent; }
.fracas-example option { color: black; }
.fracas-example button { cursor: pointer; }
.fracas-example input[type="number"] { width: 6rem; }
.fracas-example [role="status"] { flex-basis: 100%; font-size: 0.75rem; }
.fracas-example [role="status"] dl { display: grid; grid-template-columns: max-content max-content; gap: 0 1rem; margin: 0; }
.fracas-example [role="status"] dd { margin: 0; font-weight: 700; text-align: right; }`;

/** @type {Promise<any> | null} */
let running = null;

/** Fracas in this page. */
function fracas() {
  running ??= (async () => {
    const { Inside, lacking } = await import(new URL("inside.mjs", BUNDLE).href);
    if (lacking().length > 0) throw new Error(`This browser lacks what Fracas needs: ${lacking().join(", ")}.`);
    const inside = new Inside(BUNDLE.href, { load: async () => [], keep: async () => {} }, { parts: ["interface"] });
    await inside.start();
    return inside;
  })().catch((error) => {
    running = null;
    throw error;
  });
  return running;
}

/** @param {string} path @param {object} [body] */
async function ask(path, body) {
  const posted = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await (await fracas()).fetch(path, posted ?? {});
  const answer = await response.json();
  if (!response.ok) throw new Error([answer.message, ...(answer.errors ?? []).map((/** @type {any} */ one) => `${one.path}: ${one.message}`)].join("; "));
  return answer;
}

/** The request that a block of code shows; null if it shows none. @param {string} text @returns {Request | null} */
export function requestIn(text) {
  const [found] = /^\{$[^]*?\}(?=\s*$(?![^]))|^\{$[^]*?\}(?=\nEND$)/m.exec(text) ?? [];
  try {
    const request = found && JSON.parse(found);
    return request?.ruleset && request.procedure && request.situation ? request : null;
  } catch {
    return null;
  }
}

/**
 * What of a situation people may change: numbers, words of a list, and switches.
 *
 * @param {Record<string, any>} situation @param {Schema} schema of the situation @param {string[]} [path]
 * @returns {Leaf[]}
 */
export function leavesOf(situation, schema, path = []) {
  const records = [schema, ...(schema.anyOf ?? [])];
  return Object.entries(situation).flatMap(([name, value]) => {
    const of = records.map(({ properties }) => properties?.[name]).find(Boolean);
    if (!of) return [];
    if (value && typeof value === "object") return Array.isArray(value) ? [] : leavesOf(value, of, [...path, name]);
    return of.enum || ["number", "boolean"].includes(typeof value) ? [{ path: [...path, name], value, schema: of }] : [];
  });
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [properties] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** @param {Leaf} leaf @param {(value: any) => void} change */
function field({ path, value, schema }, change) {
  const title = schema.title ?? path.at(-1) ?? "";
  if (schema.enum) {
    const words = schema.enum.filter((one) => one !== null);
    const select = made("select", {}, ...words.map((one) => made("option", { value: one, selected: one === value }, String(one).replaceAll("-", " "))));
    select.addEventListener("change", () => change(select.value));
    return made("label", {}, title, select);
  }
  const input = made("input", typeof value === "boolean" ? { type: "checkbox", checked: value } : { type: "number", value, min: schema.minimum ?? "", max: schema.maximum ?? "" });
  input.addEventListener("change", () => change(input.type === "checkbox" ? input.checked : input.valueAsNumber));
  return made("label", {}, title, input);
}

/** @param {string} label @param {number} value */
function shown(label, value) {
  return /^Chance/.test(label) ? `${(100 * value).toFixed(1)} %` : value.toFixed(2);
}

/** @param {Request} request @param {HTMLElement} place */
async function run(request, place) {
  const status = made("div", { role: "status" }, "Fracas starts in this page (about 8 MB at the first time) …");
  status.setAttribute("role", "status");
  place.replaceChildren(status);
  const { ruleset, procedure } = request;
  const situation = structuredClone(request.situation);
  const odds = async () => {
    try {
      const { measures, refusals } = await ask("/v1/odds", { ruleset, procedure, situation });
      const rows = (measures ?? []).filter((/** @type {any} */ one) => one.value !== null);
      const none = (refusals ?? []).map((/** @type {any} */ one) => one.label).join("; ");
      status.replaceChildren(none || made("dl", {}, ...rows.flatMap((/** @type {any} */ one) => [made("dt", {}, one.label), made("dd", {}, shown(one.label, one.value))])));
    } catch (error) {
      status.textContent = String(error instanceof Error ? error.message : error);
    }
  };
  try {
    const { procedures } = await ask(`/v1/rulesets/${ruleset}`);
    const { situation: schema } = procedures.find((/** @type {any} */ one) => one.id === procedure);
    const fields = leavesOf(situation, schema).map((leaf) =>
      field(leaf, (value) => {
        const record = leaf.path.slice(0, -1).reduce((at, name) => at[name], situation);
        record[/** @type {string} */ (leaf.path.at(-1))] = value;
        odds();
      }),
    );
    const roll = made("button", { type: "button" }, "Roll");
    roll.addEventListener("click", async () => {
      const { summary } = await ask("/v1/resolve", { ruleset, procedure, situation }).catch((error) => ({ summary: error.message }));
      await odds();
      status.append(made("p", {}, summary ?? ""));
    });
    place.replaceChildren(...fields, roll, status);
    await odds();
  } catch (error) {
    status.textContent = `Fracas does not run in this page: ${error instanceof Error ? error.message : error}`;
  }
}

function begin() {
  const sheet = made("style", {}, SHEET);
  for (const code of document.querySelectorAll("article pre code")) {
    const request = requestIn(code.textContent ?? "");
    const block = code.closest(".highlight") ?? code.closest("pre");
    if (!request || !block) continue;
    document.head.append(sheet);
    const start = made("button", { type: "button" }, "Change it, see the odds");
    const place = made("div", { className: "fracas-example" }, start);
    start.addEventListener("click", () => void run(request, place));
    block.after(place);
  }
}

if (globalThis.document) begin();
