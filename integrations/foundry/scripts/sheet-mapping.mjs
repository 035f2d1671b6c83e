/**
 * What a sheet says, in the words of Fracas. A mapping (`mappings/*.yaml`, served as JSON) says where a game system keeps
 * each field. What cannot be read is named; nothing is ever guessed.
 *
 * Nothing here needs Foundry: documents are anything that has `type`, `system`, `flags` and, of actors, `items`.
 */


/**
 * @typedef {object} Sheet A document of Foundry, or what stands for one.
 * @property {string | null} [id]
 * @property {string | null} [uuid]
 * @property {string} [name]
 * @property {string} [type]
 * @property {any} [system]
 * @property {any} [flags]
 * @property {Iterable<Sheet>} [items]
 */

/**
 * @typedef {object} Source Where a value comes from; see `sheet-mapping.schema.json`.
 * @property {string | string[]} [from]
 * @property {boolean | number | string} [value]
 * @property {"whole" | "number" | "flag" | "text" | "word" | "words"} [as]
 * @property {string} [pattern]
 * @property {Record<string, any>} [words]
 * @property {string} [down_from]
 * @property {string} [write]
 * @property {true} [state]
 * @property {true} [needed]
 * @property {Record<string, string>} [flags]
 * @property {{items?: string, by?: string, object?: string, rating: string, least?: number, words: Record<string, string>}} [ratings]
 * @property {{items: string, value: string, most?: string, own?: string, where?: Record<string, unknown>}} [pool]
 * @property {{items: string, kind: string, own?: true, where?: Record<string, unknown>}} [entries]
 * @property {string} [unless] a field above this one
 */

/**
 * @typedef {object} SheetKind What documents of some types have.
 * @property {string[]} types
 * @property {Record<string, string | string[] | Source>} fields
 * @property {Record<string, string>} [absent]
 */

/**
 * @typedef {object} Mapping
 * @property {string} id
 * @property {string} label
 * @property {string} system
 * @property {string} ruleset
 * @property {string} [checked]
 * @property {string[]} [notes]
 * @property {SheetKind[]} combatants
 * @property {SheetKind[]} weapons
 * @property {{combatant: string[], weapon: string[], texts?: string[], skills_from?: number}} [asks]
 * @property {Record<string, {field: string, mark: 1 | -1}>} tracks
 * @property {string[]} [damage] tracks whose points are damage, shown above tokens
 * @property {string[]} [fleeting]
 * @property {Record<string, string>} [nouns] what one point of a track is called: "box of Physical damage"
 * @property {{pass?: string, acted?: string, left_out?: string[]}} [tracker]
 * @property {string} [initiative]
 * @property {string} [defeated]
 * @property {Record<string, string>} conditions
 * @property {Record<string, string>} [pictures]
 * @property {Record<string, import("./suggestions.mjs").Rule>} [suggests] what of the scene suggests what
 * @property {string} [controls] selector of what holds the buttons in the row of an item
 */

/**
 * @typedef {object} Missing A field that the rules may need and that could not be read.
 * @property {string} field
 * @property {"no-type" | "no-path" | "empty" | "not-whole" | "not-number" | "not-flag" | "unknown-word" | "not-of-packs" | "absent"} why
 *   Its message is `FRACAS.mapping.missing.<why>`.
 * @property {string[]} paths where it was looked for
 * @property {string} value what stood there; for `absent` the reason in words
 * @property {boolean} needed the rules cannot do without
 */

/**
 * @typedef {object} Reading
 * @property {Record<string, any>} said fields as in a request
 * @property {Missing[]} missing
 */

/**
 * @typedef {object} Change One value of a sheet to write.
 * @property {string} item id of the item; "" for the actor itself
 * @property {string} path
 * @property {unknown} from what stood there
 * @property {unknown} to what is to stand there
 */

/**
 * A property by its dotted path; undefined where the path leads nowhere.
 *
 * @param {any} root
 * @param {string} path
 * @returns {any}
 */
export function at(root, path) {
  let found = root;
  for (const step of path.split(".")) found = found?.[step];
  return found;
}

/**
 * The part of a mapping for a document.
 *
 * @param {Mapping} mapping
 * @param {"combatants" | "weapons"} part
 * @param {string | undefined} type of the document
 * @returns {SheetKind | undefined}
 */
export function kindOf(mapping, part, type) {
  return mapping[part].find(({ types }) => types.includes("*") || types.includes(type ?? ""));
}

/**
 * A source written in full.
 *
 * @param {string | string[] | Source} source
 * @returns {Source}
 */
export function inFull(source) {
  return typeof source === "string" || Array.isArray(source) ? { from: source } : source;
}

/**
 * An actor as a combatant of a request: `{said: {body: 4, ...}, missing: [...]}`.
 *
 * @param {Mapping} mapping
 * @param {Sheet} actor
 * @returns {Reading}
 */
export function combatantOf(mapping, actor) {
  return read(kindOf(mapping, "combatants", actor.type), actor);
}

/**
 * An item as a weapon of a request. One that came from a pack is identified by its name there (`use`), with what changes in play,
 * such as the rounds that are left; any other by its fields.
 *
 * @param {Mapping} mapping
 * @param {Sheet} item
 * @returns {Reading}
 */
export function weaponOf(mapping, item) {
  const kind = kindOf(mapping, "weapons", item.type);
  const slug = slugOf(item, "weapon");
  if (!slug) return read(kind, item);
  const states = Object.entries(kind?.fields ?? {}).filter(([, source]) => inFull(source).state);
  const { said, missing } = read({ types: ["*"], fields: Object.fromEntries(states) }, item);
  return { said: { use: slug, ...said }, missing };
}

/**
 * The weapons of an actor, with those that fit no part of the mapping left out.
 *
 * @param {Mapping} mapping
 * @param {Sheet} actor
 * @returns {Sheet[]}
 */
export function weaponsOf(mapping, actor) {
  return [...(actor.items ?? [])].filter(
    (item) => slugOf(item, "weapon") || mapping.weapons.some(({ types }) => types.includes(item.type ?? "")),
  );
}

/**
 * The slug of the pack entry that a document came from: `ares-predator-iv` of `sr4-core:weapon/ares-predator-iv`.
 *
 * @param {Sheet} document
 * @param {string} kind such as weapon
 * @returns {string} "" for a document that came from no pack
 */
export function slugOf(document, kind) {
  const entry = document.flags?.fracas?.entry;
  const found = typeof entry === "string" ? /^(?:[^:]*:)?([^/]+)\/([^/]+)$/.exec(entry) : null;
  return found && found[1] === kind ? found[2] : "";
}

/**
 * @param {SheetKind | undefined} kind
 * @param {Sheet} document
 * @returns {Reading}
 */
function read(kind, document) {
  /** @type {Record<string, any>} */
  const said = {};
  if (!kind) {
    const value = document.type ?? "";
    return { said, missing: [{ field: "type", why: "no-type", paths: ["type"], value, needed: true }] };
  }
  /** @type {Missing[]} */
  const missing = [];
  for (const [field, short] of Object.entries(kind.fields)) {
    const source = inFull(short);
    if (source.unless && source.unless in said) continue;
    const found = valueOf(source, document);
    if ("value" in found) {
      if (found.value !== null) said[field] = found.value; // null is known to say nothing
    } else if (source.needed || !["no-path", "empty"].includes(found.why)) {
      const { why, paths, raw } = found;
      missing.push({ field, why, paths, value: raw, needed: source.needed ?? false });
    }
  }
  for (const [field, value] of Object.entries(kind.absent ?? {})) {
    missing.push({ field, why: "absent", paths: [], value, needed: false });
  }
  return { said, missing };
}

/**
 * @param {Source} source
 * @param {Sheet} document
 * @returns {{value: any} | Fault}
 */
function valueOf(source, document) {
  if (source.value !== undefined) return { value: source.value };
  if (source.ratings) return ratings(source.ratings, document);
  if (source.entries) return entries(source.entries, document);
  if (source.pool) return { value: pool(source.pool, document).reduce((sum, { have }) => sum + have, 0) };
  if (source.flags) return marked(source.flags, document);
  const paths = [source.from ?? []].flat();
  const path = paths.find((path) => ![undefined, null].includes(at(document, path)));
  if (path === undefined) return fault("no-path", paths, undefined);
  let raw = at(document, path);
  if (source.pattern) raw = new RegExp(source.pattern).exec(String(raw))?.[1] ?? "";
  const words = source.words && byWord(source.words);
  const word = String(raw).trim().toLowerCase();
  if (words?.has(word)) return { value: words.get(word) };
  return typed(source, document, raw, paths, words);
}

/**
 * @param {Source} source
 * @param {Sheet} document
 * @param {any} raw
 * @param {string[]} paths
 * @param {Map<string, any> | undefined} words
 * @returns {{value: any} | Fault}
 */
function typed(source, document, raw, paths, words) {
  const text = String(raw).trim();
  if (text === "") return fault("empty", paths, raw);
  switch (source.as ?? "whole") {
    case "text":
      return { value: text };
    case "word":
    case "words":
      return fault("unknown-word", paths, raw);
    case "flag":
      return typeof raw === "boolean" && !words ? { value: raw } : fault(words ? "unknown-word" : "not-flag", paths, raw);
    default:
      return numbered(source, document, typeof raw === "boolean" ? NaN : Number(text), paths, raw);
  }
}

/**
 * @param {Source} source
 * @param {Sheet} document
 * @param {number} number
 * @param {string[]} paths
 * @param {unknown} raw
 * @returns {{value: any} | Fault}
 */
function numbered(source, document, number, paths, raw) {
  const whole = source.as !== "number";
  if (!Number.isFinite(number) || (whole && !Number.isInteger(number))) {
    return fault(whole ? "not-whole" : "not-number", paths, raw);
  }
  if (!source.down_from) return { value: number };
  const most = at(document, source.down_from);
  return Number.isFinite(most) ? { value: most - number } : fault("no-path", [source.down_from], most);
}

/**
 * @typedef {{why: Missing["why"], paths: string[], raw: string}} Fault What stood in place of a value.
 *
 * @param {Missing["why"]} why
 * @param {string[]} paths
 * @param {unknown} raw
 * @returns {Fault}
 */
function fault(why, paths, raw) {
  return { why, paths, raw: String(raw ?? "") };
}

/**
 * The words by which a sheet may say them, in small letters.
 *
 * @param {Record<string, any>} words
 */
function byWord(words) {
  return new Map(Object.entries(words).map(([word, meaning]) => [word.trim().toLowerCase(), meaning]));
}

/**
 * @param {Record<string, string>} flags
 * @param {Sheet} document
 * @returns {{value: any} | Fault}
 */
function marked(flags, document) {
  const known = Object.entries(flags).filter(([, path]) => ![undefined, null].includes(at(document, path)));
  if (known.length === 0) return fault("no-path", Object.values(flags), undefined);
  return { value: known.filter(([, path]) => Number(at(document, path)) > 0).map(([word]) => word) };
}

/**
 * @param {NonNullable<Source["ratings"]>} ratings
 * @param {Sheet} document
 * @returns {{value: any} | Fault}
 */
function ratings({ items, by = "name", object, rating, least = 1, words }, document) {
  const known = new Map(Object.entries(words).map(([word, slug]) => [ratingName(word), slug]));
  /** @type {[string[], any][]} names, and what is had */
  const had = items
    ? [...(document.items ?? [])]
        .filter(({ type }) => type === items)
        .map((item) => [[at(item, by), item.name].map(String), at(item, rating)])
    : Object.entries(at(document, object ?? "") ?? {}).map(([key, member]) => [[key], rated(member, rating)]);
  /** @type {Record<string, number>} */
  const found = {};
  let matched = false;
  for (const [names, raw] of had) {
    const slug = names.map((name) => known.get(ratingName(name))).find(Boolean);
    matched ||= slug !== undefined;
    const value = Number(raw);
    if (slug === undefined || !Number.isInteger(value) || value < least) continue;
    found[slug] = Math.max(value, found[slug] ?? least);
  }
  if (!matched && (had.length > 0 || !items)) {
    const shown = had.map(([names]) => names.at(-1)).slice(0, 3);
    return fault(had.length > 0 ? "unknown-word" : "no-path", [items ?? object ?? ""], shown);
  }
  return { value: found };
}

/**
 * The entries of packs that items came from: all of them or none, since the rest would be forgotten.
 *
 * @param {NonNullable<Source["entries"]>} entries
 * @param {Sheet} document
 * @returns {{value: any} | Fault}
 */
function entries({ items, kind, own, where }, document) {
  if (own && !slugOf(document, "combatant")) return fault("no-path", [], undefined);
  const slugs = itemsOf(document, items, where).map((item) => slugOf(item, kind));
  return slugs.every(Boolean) ? { value: [...new Set(slugs)] } : fault(own ? "no-path" : "not-of-packs", [items], "");
}

/**
 * @param {Sheet} document
 * @param {string} type
 * @param {Record<string, unknown>} [where] values that they have
 */
function itemsOf(document, type, where = {}) {
  return [...(document.items ?? [])].filter(
    (item) => item.type === type && Object.entries(where).every(([path, wanted]) => at(item, path) === wanted),
  );
}

/**
 * How a rating is named, whatever its case and the signs between its words; of a key of translations only its end counts:
 * `sr4.skills.throwingweapons` and `Throwing-Weapons` are the same.
 *
 * @param {unknown} name
 * @returns {string}
 */
export function ratingName(name) {
  return String(name ?? "").replace(/^[\w.]+\.(?=\w+$)/, "").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** @param {any} member @param {string} rating `.` for the member itself */
export function rated(member, rating) {
  return rating === "." ? member : at(member, rating);
}

/**
 * The places of a pool, in the order in which losses use them up.
 *
 * @param {NonNullable<Source["pool"]>} pool
 * @param {Sheet} document
 * @returns {{item: string, path: string, have: number, most: number}[]}
 */
function pool({ items, value, most, own, where }, document) {
  const whole = (/** @type {unknown} */ number) => (Number.isInteger(number) ? Number(number) : 0);
  const parts = itemsOf(document, items, where).map((item) => ({
      item: item.id ?? "",
      path: value,
      have: whole(at(item, value)),
      most: most && Number.isInteger(at(item, most)) ? at(item, most) : Infinity,
    }));
  const mine = own ? [{ item: "", path: own, have: whole(at(document, own)), most: Infinity }] : [];
  return [...mine, ...parts];
}

/**
 * The field that is written at a place of a sheet, such as physical; the place itself if it is none's.
 *
 * @param {Mapping} mapping
 * @param {string} path
 * @returns {string}
 */
export function fieldAt(mapping, path) {
  const fields = [...mapping.combatants, ...mapping.weapons].flatMap((kind) => Object.entries(kind.fields));
  const found = fields.find(([, short]) => {
    const { write, pool } = inFull(short);
    return [write, pool?.value, pool?.own].includes(path);
  });
  return found?.[0] ?? path;
}

/**
 * What to write so that a field of a combatant changes by so many points, or becomes a value.
 *
 * @param {Mapping} mapping
 * @param {Sheet & {_source?: any}} actor
 * @param {string} field
 * @param {{by: number} | {to: unknown}} how
 * @returns {Change[] | null} null: the mapping has no place for it
 */
export function changesOf(mapping, actor, field, how) {
  const short = kindOf(mapping, "combatants", actor.type)?.fields[field];
  if (short === undefined) return null;
  const source = inFull(short);
  if (source.pool) return "by" in how ? pooled(source.pool, actor, how.by) : null;
  return written(source, actor, "", how);
}

/**
 * The same for what is known of a weapon, such as the rounds that are left.
 *
 * @param {Mapping} mapping
 * @param {Sheet & {_source?: any}} item
 * @param {string} state such as rounds
 * @param {{by: number} | {to: unknown}} how
 * @returns {Change[] | null}
 */
export function stateChangesOf(mapping, item, state, how) {
  const short = kindOf(mapping, "weapons", item.type)?.fields[state];
  return short === undefined ? null : written(inFull(short), item, item.id ?? "", how);
}

/**
 * @param {Source} source
 * @param {Sheet & {_source?: any}} document
 * @param {string} item
 * @param {{by: number} | {to: unknown}} how
 * @returns {Change[] | null}
 */
function written({ write, down_from }, document, item, how) {
  if (!write) return null;
  // What is stored, not what effects on the sheet make of it.
  const from = at(document._source, write) ?? at(document, write);
  const sign = down_from ? -1 : 1;
  if ("by" in how) {
    const have = Number(from ?? 0);
    if (!Number.isFinite(have)) return null;
    const to = Math.max(0, have + sign * how.by);
    return to === have ? [] : [{ item, path: write, from, to: typeof from === "string" ? String(to) : to }];
  }
  const to = down_from && typeof how.to === "number" ? at(document, down_from) - how.to : how.to;
  return to === from ? [] : [{ item, path: write, from, to }];
}

/**
 * @param {NonNullable<Source["pool"]>} source
 * @param {Sheet} actor
 * @param {number} by
 * @returns {Change[]}
 */
function pooled(source, actor, by) {
  /** @type {Change[]} */
  const changes = [];
  let left = by;
  const parts = pool(source, actor);
  for (const { item, path, have, most } of by < 0 ? parts : parts.reverse()) {
    const step = left < 0 ? Math.max(left, -have) : Math.min(left, Math.max(0, most - have));
    if (step !== 0) changes.push({ item, path, from: have, to: have + step });
    left -= step;
  }
  return changes;
}
