/**
 * "Import packs": the service's documents become compendiums of the world, and later imports bring them up to date.
 *
 * Each document says in its flags what it was made of (`entry`), what its content was when it came (`hash`, of the
 * service), and what Foundry made of it (`stored`, of this module). Where the second has changed meanwhile, people have
 * edited it: it is kept and listed.
 */

import { fingerprint, steps } from "./import-steps.mjs";
import { inWords } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { MODULE, activeMapping, service } from "./settings.mjs";

const { ApplicationV2 } = foundry.applications.api;

/** Documents that go to Foundry at once. */
const BATCH = 50;
const EMBEDDED = { JournalEntry: /** @type {const} */ (["JournalEntryPage", "pages"]) };

/** @typedef {import("./import-steps.mjs").Source} Source */

/**
 * @typedef {object} Compendium Documents of one type, as the service tells them.
 * @property {string} name
 * @property {string} label
 * @property {string} type
 * @property {string} system
 * @property {Source[]} documents
 */

/**
 * @typedef {object} Result
 * @property {string} compendium its label
 * @property {number} created
 * @property {number} replaced
 * @property {number} same
 * @property {string[]} kept names
 * @property {string[]} gone names
 * @property {{name: string, message: string}[]} failed
 */

/**
 * Imports the documents of one compendium into a compendium of the world, which is made if it is not there.
 *
 * @param {Compendium} compendium
 * @param {object} [how]
 * @param {boolean} [how.overwrite]
 * @param {(done: number) => void} [how.progress] called with how many more documents are done
 * @returns {Promise<Result>}
 */
export async function importCompendium({ name, label, type, system, documents }, { overwrite = false, progress = () => {} } = {}) {
  const Packs = /** @type {any} */ (foundry.documents.collections.CompendiumCollection);
  const wanted = { name: `${MODULE}-${name}`.slice(0, 80), label, type, ...(system ? { system } : {}) };
  /** @type {any} */
  const pack = game.packs.get(`world.${wanted.name}`) ?? (await Packs.createCompendium(wanted));
  /** @type {Result} */
  const result = { compendium: label, created: 0, replaced: 0, same: 0, kept: [], gone: [], failed: [] };
  if (pack.locked) {
    const message = game.i18n.localize("FRACAS.import.locked");
    return { ...result, failed: [{ name: label, message }] };
  }
  /** @type {any[]} */
  const there = await pack.getDocuments();
  const embedded = EMBEDDED[/** @type {"JournalEntry"} */ (type)];
  if (embedded) await importJournals(pack, there, documents, overwrite, result, progress);
  else await importAlike(topLevel(pack), documents, there.map(plain), overwrite, result, progress);
  return result;
}

/**
 * Journals by their pages, so that an edited page keeps no other one from an update.
 *
 * @param {any} pack
 * @param {any[]} there
 * @param {Source[]} documents
 * @param {boolean} overwrite
 * @param {Result} result
 * @param {(done: number) => void} progress
 */
async function importJournals(pack, there, documents, overwrite, result, progress) {
  const [type, field] = EMBEDDED.JournalEntry;
  const journals = new Map(there.map((document) => [document.id, document]));
  const fresh = documents.filter(({ _id }) => !journals.has(_id)).map((source) => ({ ...source, [field]: [] }));
  for (const made of await topLevel(pack).create(fresh)) journals.set(made.id, made);
  for (const { _id, name, [field]: pages } of documents) {
    const journal = journals.get(_id);
    if (journal.name !== name) await journal.update({ name });
    const old = [...journal[field]].map(plain);
    await importAlike(inside(journal, type), pages, old, overwrite, result, progress);
  }
  const ids = new Set(documents.map(({ _id }) => _id));
  result.gone.push(...there.filter(({ id, flags }) => !ids.has(id) && flags?.[MODULE]?.entry).map(({ name }) => name));
}

/**
 * @param {Target} into
 * @param {Source[]} served
 * @param {Source[]} there
 * @param {boolean} overwrite
 * @param {Result} result
 * @param {(done: number) => void} progress
 */
async function importAlike(into, served, there, overwrite, result, progress) {
  const { create, replace, same, kept, edited, gone } = steps(served, there, { overwrite });
  result.same += same;
  result.kept.push(...[...kept, ...edited].map(({ name }) => name));
  result.gone.push(...gone.map(({ name }) => name));
  progress(same + kept.length + edited.length);
  for (const [sources, old] of /** @type {const} */ ([[replace, true], [create, false]])) {
    for (let at = 0; at < sources.length; at += BATCH) {
      const batch = sources.slice(at, at + BATCH);
      // The same ids come back at once: references to them stay good.
      if (old) await into.remove(batch.map(({ _id }) => _id));
      const made = await created(into, batch, result);
      if (old) result.replaced += made;
      else result.created += made;
      progress(batch.length);
    }
  }
}

/**
 * Creates documents with their marks; where one is refused the others still come.
 *
 * @param {Target} into
 * @param {Source[]} batch
 * @param {Result} result
 * @returns {Promise<number>} how many
 */
async function created(into, batch, result) {
  /** @type {any[]} */
  let made = [];
  try {
    made = await into.create(batch);
  } catch (error) {
    if (batch.length === 1) result.failed.push({ name: batch[0].name, message: inWords(error) });
    else {
      let count = 0;
      for (const one of batch) count += await created(into, [one], result);
      return count;
    }
  }
  const marks = made.map((document) => ({ _id: document.id, [`flags.${MODULE}.stored`]: fingerprint(plain(document)) }));
  if (marks.length > 0) await into.mark(marks);
  return made.length;
}

/**
 * @typedef {object} Target Where documents of one type go.
 * @property {(sources: Source[]) => Promise<any[]>} create
 * @property {(ids: string[]) => Promise<unknown>} remove
 * @property {(marks: object[]) => Promise<unknown>} mark
 */

/** @param {any} pack @returns {Target} */
function topLevel(pack) {
  const [made, options] = [pack.documentClass, { pack: pack.collection }];
  return {
    create: async (sources) =>
      sources.length > 0 ? made.createDocuments(sources.map(withoutKeys), { ...options, keepId: true }) : [],
    remove: (ids) => made.deleteDocuments(ids, options),
    mark: (marks) => made.updateDocuments(marks, options),
  };
}

/** @param {any} document @param {string} type @returns {Target} */
function inside(document, type) {
  return {
    create: (sources) => document.createEmbeddedDocuments(type, sources.map(withoutKeys), { keepId: true }),
    remove: (ids) => document.deleteEmbeddedDocuments(type, ids),
    mark: (marks) => document.updateEmbeddedDocuments(type, marks),
  };
}

/** @param {any} value @returns {any} without the keys of compendium files, which Foundry does not know here */
function withoutKeys(value) {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => (key === "_key" ? [] : [[key, withoutKeys(part)]])));
}

/** @param {any} document @returns {Source} */
function plain(document) {
  return document.toObject();
}

/**
 * Imports packs of the service.
 *
 * @param {readonly string[]} packs ids
 * @param {object} [how]
 * @param {boolean} [how.overwrite] replace what people have edited, too
 * @param {(done: number, of: number, label: string) => void} [how.progress]
 * @returns {Promise<Result[]>}
 */
export async function importPacks(packs, { overwrite = false, progress = () => {} } = {}) {
  /** @type {Compendium[]} */
  const wanted = [];
  for (const pack of packs) {
    const system = encodeURIComponent(game.system.id);
    const { compendiums } = await service().ask(`/foundry/documents?pack=${encodeURIComponent(pack)}&system=${system}`, { token: "" });
    wanted.push(...compendiums.filter((/** @type {Compendium} */ one) => !wanted.some(({ name }) => name === one.name)));
  }
  const sizes = wanted.map(({ type, documents }) =>
    type in EMBEDDED ? documents.reduce((sum, { pages }) => sum + pages.length, 0) : documents.length,
  );
  const of = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  const results = [];
  for (const compendium of wanted) {
    progress(done, of, compendium.label);
    results.push(
      await importCompendium(compendium, { overwrite, progress: (more) => progress((done += more), of, compendium.label) }),
    );
  }
  progress(of, of, "");
  return results;
}

/** Packs of the service, to be chosen; how far the import is; and what it did. */
export class ImportPacksDialog extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "fracas-import",
    classes: ["fracas", "fracas-import"],
    window: { title: "FRACAS.import.title", icon: "fa-solid fa-file-import" },
    position: { width: 560 },
    actions: {
      /** @this {ImportPacksDialog} */
      async import() {
        await this.import();
      },
    },
  };

  /** @type {Result[] | null} */
  #results = null;
  /** @type {string} */
  #error = "";
  /** Those of the ruleset that is played here, until people choose. @type {Set<string> | null} */
  #chosen = null;

  /** @override */
  async _prepareContext() {
    /** @type {any[]} */
    let packs = [];
    try {
      packs = await service().ask("/v1/packs", { token: "" });
      const { ruleset } = await activeMapping();
      const fits = (/** @type {any} */ pack) => pack.ruleset === ruleset;
      packs = [...packs.filter(fits), ...packs.filter((pack) => !fits(pack))];
      this.#chosen ??= new Set(packs.filter(fits).map(({ id }) => id));
    } catch (error) {
      this.#error = inWords(error);
    }
    return /** @type {any} */ ({ packs, results: this.#results, error: this.#error, chosen: this.#chosen ?? new Set() });
  }

  /** @override @param {any} context */
  async _renderHTML({ packs, results, error, chosen }) {
    const say = (/** @type {string} */ key, /** @type {any} */ data = {}) => game.i18n.format(`FRACAS.import.${key}`, data);
    const rows = packs.map((/** @type {any} */ { id, title, version, ruleset }) =>
      node(
        "label",
        { class: "fracas-pack" },
        node("input", { type: "checkbox", name: "pack", value: id, checked: chosen.has(id) }),
        node("span", {}, title),
        node("span", { class: "fracas-tag" }, `${ruleset} ${version}`),
      ),
    );
    const bar = node("progress", { max: "1", value: "0", hidden: true });
    return [
      node("p", {}, say("what", { system: game.system.title ?? game.system.id })),
      ...(error ? [node("p", { class: "fracas-error" }, error)] : []),
      node("div", { class: "fracas-packs" }, ...rows),
      node("label", { class: "fracas-overwrite" }, node("input", { type: "checkbox", name: "overwrite" }), ` ${say("overwrite")}`),
      bar,
      node("p", { class: "fracas-progress hint" }),
      ...(results ? [shown(results, say)] : []),
      node("footer", { class: "form-footer" }, node("button", { type: "button", "data-action": "import" }, say("start"))),
    ];
  }

  /** @override @param {any} result @param {HTMLElement} content */
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
  }

  async import() {
    const inputs = [.../** @type {HTMLElement} */ (this.element).querySelectorAll("input")];
    this.#chosen = new Set(inputs.filter(({ name, checked }) => name === "pack" && checked).map(({ value }) => value));
    const overwrite = inputs.some(({ name, checked }) => name === "overwrite" && checked);
    if (this.#chosen.size === 0) return void ui.notifications.warn("FRACAS.import.none", { localize: true });
    for (const control of this.element.querySelectorAll("input, button[data-action=import]")) control.setAttribute("disabled", "");
    const bar = /** @type {HTMLProgressElement} */ (this.element.querySelector("progress"));
    const line = /** @type {HTMLElement} */ (this.element.querySelector(".fracas-progress"));
    bar.hidden = false;
    this.#error = "";
    try {
      this.#results = await importPacks([...this.#chosen], {
        overwrite,
        progress: (done, of, label) => {
          Object.assign(bar, { max: Math.max(1, of), value: done });
          line.textContent = label ? game.i18n.format("FRACAS.import.progress", { done: `${done}`, of: `${of}`, label }) : "";
        },
      });
    } catch (error) {
      this.#error = inWords(error);
    }
    return this.render();
  }
}

/**
 * @param {Result[]} results
 * @param {(key: string, data?: any) => string} say
 */
function shown(results, say) {
  const lines = results.map(({ compendium, created, replaced, same, kept, gone, failed }) => {
    const numbers = say("result", { compendium, created: `${created}`, replaced: `${replaced}`, same: `${same}` });
    /** @type {[string, string[]][]} */
    const lists = [
      ["kept", kept],
      ["gone", gone],
      ["failed", failed.map(({ name, message }) => `${name}: ${message}`)],
    ];
    const more = lists
      .filter(([, names]) => names.length > 0)
      .map(([key, names]) =>
        node(
          "details",
          { class: `fracas-${key}`, open: names.length <= 8 },
          node("summary", {}, say(key, { count: `${names.length}` })),
          node("ul", {}, ...names.map((name) => node("li", {}, name))),
        ),
      );
    return node("li", {}, numbers, ...more);
  });
  return node("ul", { class: "fracas-results" }, ...lines);
}
