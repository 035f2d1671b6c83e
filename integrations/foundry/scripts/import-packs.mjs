/**
 * Importing packs: the service's documents become compendiums of the world, and later imports bring them up to date. What
 * players are not to see goes into compendiums that are closed to them.
 *
 * Each document says in its flags what it was made of (`entry`), what its content was when it came (`hash`, of the
 * service), and what Foundry made of it (`stored`, of this module). Where the second has changed meanwhile, people have
 * edited it: it is kept and listed.
 */

import { fingerprint, steps } from "./import-steps.mjs";
import { inWords } from "./messages.mjs";
import { MODULE, service } from "./settings.mjs";

/** Documents that go to Foundry at once. */
const BATCH = 50;
/** How long the documents of a whole pack may take, in milliseconds: a small machine makes thousands of them. */
export const WHOLE_PACK = 120_000;
const EMBEDDED = { JournalEntry: /** @type {const} */ (["JournalEntryPage", "pages"]) };

/** @typedef {import("./import-steps.mjs").Source} Source */

/**
 * @typedef {object} Compendium Documents of one type, as the service answers them.
 * @property {string} name
 * @property {string} label
 * @property {CompendiumCollection.DocumentName} type
 * @property {string} system
 * @property {Record<string, string>} ownership by role, of what players are not to see; else empty
 * @property {Source[]} folders those that documents are in
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
 * @param {any} [how.folder] where the compendium is shown in the sidebar, if it is made
 * @param {(done: number) => void} [how.progress] called with how many more documents are done
 * @returns {Promise<Result>}
 */
export async function importCompendium(compendium, { overwrite = false, folder = null, progress = () => {} } = {}) {
  const { name, label, type, system, ownership, folders, documents } = compendium;
  const wanted = { name: `${MODULE}-${name}`.slice(0, 80), label, type, ...(system ? { system } : {}) };
  /** @type {any} */
  let pack = game.packs.get(`world.${wanted.name}`);
  if (!pack) {
    pack = await foundry.documents.collections.CompendiumCollection.createCompendium(wanted);
    if (folder) await pack.setFolder(folder);
  }
  // Before anything is in it. What a game master has set stays.
  if (Object.keys(ownership).length > 0 && !pack.config?.ownership) await pack.configure({ ownership });
  /** @type {Result} */
  const result = { compendium: label, created: 0, replaced: 0, same: 0, kept: [], gone: [], failed: [] };
  if (pack.locked) {
    const message = game.i18n.localize("FRACAS.import.locked");
    return { ...result, failed: [{ name: label, message }] };
  }
  /** @type {any[]} */
  const there = await pack.getDocuments();
  await importFolders(pack, folders);
  const embedded = type === "JournalEntry";
  if (embedded) await importJournals(pack, there, documents, overwrite, result, progress);
  else await importAlike(topLevel(pack), documents, there.map(plain), overwrite, result, progress);
  return result;
}

/**
 * Those of a compendium. Their names and places are the game master's as soon as they are there.
 *
 * @param {any} pack
 * @param {Source[]} served
 */
async function importFolders(pack, served) {
  const options = { pack: pack.collection };
  const there = new Map(pack.folders.map((/** @type {any} */ folder) => [folder.id, folder]));
  const fresh = served.filter(({ _id }) => !there.has(_id)).map(withoutKeys);
  if (fresh.length > 0) await Folder.createDocuments(fresh, { ...options, keepId: true });
  const changed = served.filter(({ _id, flags }) => there.has(_id) && there.get(_id).flags?.[MODULE]?.hash !== flags[MODULE].hash);
  if (changed.length > 0) await Folder.updateDocuments(changed.map(({ _id, flags }) => ({ _id, flags })), options);
}

/**
 * The folder of the sidebar for a pack's compendiums, which is made if it is not there; without a pack the one around it.
 *
 * @param {string} [pack] its id
 * @param {string} [name] of the folder, if it is made
 * @returns {Promise<any>}
 */
async function sidebarFolder(pack = "", name = "Fracas") {
  const known = game.folders.find((/** @type {any} */ one) => one.type === "Compendium" && one.flags?.[MODULE]?.sidebar === pack);
  if (known) return known;
  const around = pack ? (await sidebarFolder()).id : null;
  return Folder.create({ name, type: "Compendium", folder: around, flags: { [MODULE]: { sidebar: pack } } });
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
  /** @type {(Compendium & {place: {pack: string, title: string}})[]} */
  const wanted = [];
  for (const pack of packs) {
    const system = encodeURIComponent(game.system.id);
    const { title, compendiums } = await service().ask(`/foundry/documents?pack=${encodeURIComponent(pack)}&system=${system}`, { token: "", timeout: WHOLE_PACK });
    /** @type {Compendium[]} */
    const fresh = compendiums.filter((/** @type {Compendium} */ one) => !wanted.some(({ name }) => name === one.name));
    wanted.push(...fresh.map((one) => ({ ...one, place: one.name.startsWith(`${pack}-`) ? { pack, title } : { pack: "", title: "Fracas" } })));
  }
  const sizes = wanted.map(({ type, documents }) =>
    type in EMBEDDED ? documents.reduce((sum, { pages }) => sum + pages.length, 0) : documents.length,
  );
  const of = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  const results = [];
  for (const compendium of wanted) {
    progress(done, of, compendium.label);
    const folder = await sidebarFolder(compendium.place.pack, compendium.place.title);
    const more = (/** @type {number} */ count) => progress((done += count), of, compendium.label);
    results.push(await importCompendium(compendium, { overwrite, folder, progress: more }));
  }
  progress(of, of, "");
  return results;
}
