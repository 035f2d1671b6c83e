/**
 * Which documents of a pack an import brings, replaces and keeps. Nothing here needs Foundry.
 */

const MODULE = "fracas";

/** @typedef {Record<string, any>} Source A document as plain data. */

/**
 * @typedef {object} Steps What an import does to the documents of a compendium.
 * @property {Source[]} create
 * @property {Source[]} replace
 * @property {number} same
 * @property {Source[]} kept edited by people, and changed by the service as well
 * @property {Source[]} edited edited by people, while the service has nothing new
 * @property {Source[]} gone no longer in the pack
 */

/**
 * What a document says, as a short text that changes when it does: without what Foundry keeps beside it.
 *
 * @param {Source} source
 * @returns {string}
 */
export function fingerprint(source) {
  return hashed(JSON.stringify(content(source)));
}

const BESIDE = new Set(["_stats", "_key", "ownership", "folder", "sort"]);

/**
 * @param {any} value
 * @returns {any} with sorted keys
 */
function content(value) {
  if (Array.isArray(value)) return value.map(content);
  if (!value || typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([key]) => !BESIDE.has(key))
    .map(([key, part]) => /** @type {const} */ ([key, key === "flags" ? foreign(part) : content(part)]));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {any} flags without ours */
function foreign(flags) {
  const { [MODULE]: _, ...others } = flags ?? {};
  return content(others);
}

/**
 * Two rounds of FNV-1a: enough to notice a change. `crypto.subtle` is not there on plain http.
 *
 * @param {string} text
 */
function hashed(text) {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x01000193) ^ (a >>> 13);
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * Which documents are new, which have changed, and which are people's own by now.
 *
 * @param {readonly Source[]} served
 * @param {readonly Source[]} there
 * @param {object} [how]
 * @param {boolean} [how.overwrite] replace what people have edited, too
 * @returns {Steps}
 */
export function steps(served, there, { overwrite = false } = {}) {
  const known = new Map(there.map((source) => [source._id, source]));
  /** @type {Steps} */
  const found = { create: [], replace: [], same: 0, kept: [], edited: [], gone: [] };
  for (const source of served) {
    const old = known.get(source._id);
    if (!old) found.create.push(source);
    else {
      const mine = old.flags?.[MODULE] ?? {};
      const news = mine.hash !== source.flags[MODULE].hash;
      const touched = !mine.stored || mine.stored !== fingerprint(old);
      if (touched && !overwrite) (news ? found.kept : found.edited).push(old);
      else if (news || touched) found.replace.push(old.folder ? { ...source, folder: old.folder } : source);
      else found.same += 1;
    }
  }
  const ids = new Set(served.map(({ _id }) => _id));
  found.gone = there.filter(({ _id, flags }) => !ids.has(_id) && flags?.[MODULE]?.entry);
  return found;
}
