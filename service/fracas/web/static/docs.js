// Shows the service's own OpenAPI document. Everything comes from the service, so it works offline.
//
// A request may be that of any procedure, and there are so many that the page would draw for minutes. So it is given
// a document in which requests are of one procedure, chosen at the top.
"use strict";

/** @typedef {{ $ref: string }} Reference */
/** @typedef {{ ruleset: string, procedure: string, request: Reference }} Choice */

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const address = new URL("../openapi.json", script.src).href;
const COMPONENTS = "#/components/schemas/";

/** The requests that may be sent, one for each procedure. @param {any} whole @returns {Choice[]} */
function choices(whole) {
  const schemas = whole.components.schemas;
  const named = (/** @type {Reference} */ reference) => schemas[reference.$ref.slice(COMPONENTS.length)];
  return named({ $ref: `${COMPONENTS}Request` }).oneOf.flatMap((/** @type {Reference} */ ruleset) =>
    named(ruleset).oneOf.map((/** @type {Reference} */ request) => {
      const { properties } = named(request);
      return { ruleset: properties.ruleset.const, procedure: properties.procedure.const, request };
    }),
  );
}

/** Adds the names of all components that a part of the document leads to. @param {any} part @param {any} schemas @param {Set<string>} found */
function reach(part, schemas, found) {
  if (part === null || typeof part !== "object") return;
  const name = typeof part.$ref === "string" ? part.$ref.slice(COMPONENTS.length) : "";
  if (name in schemas && !found.has(name)) {
    found.add(name);
    reach(schemas[name], schemas, found);
  }
  for (const value of Object.values(part)) reach(value, schemas, found);
}

/** The document with requests of one procedure, and no components that nothing leads to. @param {any} whole @param {Choice} choice */
function narrowed(whole, choice) {
  const { paths, components } = structuredClone(whole);
  const schemas = { ...components.schemas, Request: choice.request };
  for (const item of Object.values(paths)) {
    const content = item.post?.requestBody?.content?.["application/json"];
    const example = content?.example;
    if (example?.procedure && (example.procedure !== choice.procedure || example.ruleset !== choice.ruleset)) {
      delete content.example;
    }
  }
  const found = new Set();
  reach(paths, schemas, found);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
  return { ...whole, paths, components: { ...components, schemas: kept } };
}

/** @param {any} whole @param {Choice} choice */
function show(whole, choice) {
  const { SwaggerUIBundle } = /** @type {any} */ (window);
  SwaggerUIBundle({
    spec: narrowed(whole, choice),
    dom_id: "#docs",
    presets: [SwaggerUIBundle.presets.apis],
    deepLinking: true,
    validatorUrl: null,
  });
}

async function begin() {
  const whole = await (await fetch(address)).json();
  const all = choices(whole);
  const example = whole.paths["/v1/resolve"].post.requestBody.content["application/json"].example;
  const select = /** @type {HTMLSelectElement} */ (document.getElementById("procedure"));
  for (const ruleset of new Set(all.map((each) => each.ruleset))) {
    const group = document.createElement("optgroup");
    group.label = ruleset;
    all.forEach((each, at) => {
      if (each.ruleset === ruleset) group.append(new Option(`${ruleset} ${each.procedure}`, String(at)));
    });
    select.append(group);
  }
  const shown = all.findIndex((each) => each.ruleset === example.ruleset && each.procedure === example.procedure);
  select.value = String(shown);
  select.addEventListener("change", () => show(whole, all[Number(select.value)]));
  show(whole, all[shown]);
}

begin();
