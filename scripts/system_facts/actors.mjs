// Actors made and prepared by a system's own classes, and what these make of each: whether a field is dropped or refused, and
// whether anything fails.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Collection } from "../../tests/browser/foundry_stand_in/utils.mjs";
import { json, load } from "./checkout.mjs";
import { sheetsFor, withData } from "./sheets.mjs";
import {
  ArrayField, BooleanField, NumberField, ObjectField, SchemaField, StringField, TypedObjectField, copied, isRecord,
} from "./fields.mjs";

/**
 * What the data model would drop or refuse of some data.
 *
 * @param {any} field
 * @param {any} value
 * @param {string} path
 * @returns {string[]}
 */
function complaints(field, value, path) {
  const refuse = (why) => [`${path}: ${JSON.stringify(value)} ${why}`];
  if (!field) return [`${path}: no such field`];
  if (value === null) return field.nullable ? [] : refuse("is not nullable");
  if (field instanceof TypedObjectField) return Object.entries(value).flatMap(([key, inner]) => complaints(field.element, inner, `${path}.${key}`));
  if (field instanceof SchemaField) {
    if (!isRecord(value)) return refuse("is no object");
    return Object.entries(value).flatMap(([key, inner]) => complaints(field.fields[key], inner, path ? `${path}.${key}` : key));
  }
  if (field instanceof NumberField) {
    if (typeof value !== "number" || !Number.isFinite(value)) return refuse("is no number");
    if (field.integer && !Number.isInteger(value)) return refuse("is not whole");
    if (value < (field.min ?? -Infinity) || value > (field.max ?? Infinity)) return refuse("is out of range");
  }
  if (field instanceof BooleanField && typeof value !== "boolean") return refuse("is neither true nor false");
  if (field instanceof StringField) {
    if (typeof value !== "string") return refuse("is no text");
    if (value === "" && !field.blank) return refuse("is blank");
    const choices = typeof field.choices === "function" ? field.choices() : field.choices;
    const known = !choices ? null : Array.isArray(choices) ? choices : Object.keys(choices);
    if (known && value !== "" && !known.includes(value)) return refuse(`is none of ${known}`);
  }
  if (field instanceof ArrayField && !Array.isArray(value)) return refuse("is no list");
  if (field instanceof ObjectField && !isRecord(value)) return refuse("is no object");
  return [];
}

/** The same for a type of a `template.json`: what it does not have is dropped. */
function unknown(template, value, path = "") {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = path ? `${path}.${key}` : key;
    if (!isRecord(template) || !(key in template)) return [`${at}: no such field`];
    return isRecord(template[key]) && Object.keys(template[key]).length > 0 ? unknown(template[key], inner, at) : [];
  });
}

/** Data with the template's where they say nothing, in the realm of the system. */
function filled(template, value) {
  const made = copied(template);
  for (const [key, inner] of Object.entries(value)) made[key] = isRecord(inner) && isRecord(made[key]) ? filled(made[key], inner) : inner;
  return made;
}

const traced = (error) => `${error?.stack ?? error}`.split("\n").slice(0, 3).join(" ");

/**
 * @typedef {object} Made An actor as the system makes it.
 * @property {any} document
 * @property {string[]} complaints what is dropped or refused
 * @property {string[]} faults what failed
 * @property {string} html what its sheet shows
 */

/**
 * Makes actors of a system.
 *
 * @param {string} folder the system's source
 * @param {any[]} sources actors as compendiums have them
 * @param {boolean} [switched] what settings that are on or off say; their defaults without it
 * @returns {Promise<{names: any, made: Made[]}>}
 */
export async function actorsOf(folder, sources, switched) {
  let sheets;
  const { names } = await load(folder, switched, (globals, id) => {
    sheets = sheetsFor(globals, id, folder);
  });
  const templates = ["template.json", "public/template.json"].map((name) => json(join(folder, name))).find(Boolean) ?? {};
  const template = (kind, type) => {
    const { templates: shared = [], ...own } = templates[kind]?.[type] ?? {};
    return Object.assign({}, ...shared.map((name) => templates[kind].templates[name]), own);
  };
  names.game.model = Object.fromEntries(
    ["Actor", "Item"].map((kind) => [kind, Object.fromEntries([...(templates[kind]?.types ?? []), ...Object.keys(names.CONFIG[kind].dataModels)].map((type) => [type, {}]))]),
  );
  for (const kind of ["Actor", "Item"]) {
    const { typeLabels } = names.CONFIG[kind];
    for (const type of Object.keys(names.game.model[kind])) typeLabels[type] ??= `TYPES.${kind}.${type}`;
  }
  /** A document with its `system`. */
  const made = (kind, source, parent) => {
    const { documentClass, dataModels } = names.CONFIG[kind];
    const Model = dataModels[source.type];
    const migrated = copied(source);
    documentClass.migrateData?.(migrated);
    const changed = JSON.stringify(migrated.system) === JSON.stringify(source.system) ? [] : [`${source.name}: migrated by the system`];
    const found = Model ? complaints(Model.schema, source.system, "") : unknown(template(kind, source.type), source.system);
    const document = new documentClass({ ...source, items: new Collection(), effects: new Collection(), system: {} }, { parent });
    document.system = Model ? new Model(copied(source.system), { parent: document }) : filled(template(kind, source.type), source.system);
    const where = parent ? `${source.name} (item)` : source.name;
    return { document, found: [...found.map((one) => `${where}: ${one}`), ...changed] };
  };
  const one = async (source) => {
    const { document, found } = made("Actor", source, null);
    const faults = [];
    for (const item of source.items) {
      const inner = made("Item", item, document);
      found.push(...inner.found);
      document.items.set(item._id, inner.document);
    }
    const guarded = (what, done) => {
      try {
        done();
      } catch (error) {
        faults.push(`${source.name}: ${what}: ${traced(error)}`);
      }
    };
    // In the order in which Foundry prepares an actor.
    guarded("base data", () => document.system.prepareBaseData?.());
    guarded("base data", () => document.prepareBaseData());
    guarded("embedded documents", () => document.prepareEmbeddedDocuments());
    for (const item of document.items) {
      guarded(`item ${item.name}`, () => {
        item.system.prepareBaseData?.();
        item.prepareBaseData();
        item.system.prepareDerivedData?.();
        item.prepareDerivedData();
      });
    }
    guarded("derived data", () => document.system.prepareDerivedData?.());
    guarded("derived data", () => document.prepareDerivedData());
    withData(document, names.CONFIG.Actor.dataModels[source.type]?.schema.fields);
    const html = await sheets.opened(document).catch((error) => {
      faults.push(`${source.name}: sheet: ${traced(error)}`);
      return "";
    });
    return { document, complaints: found, faults, html };
  };
  const all = [];
  for (const source of sources) all.push(await one(source));
  return { names, made: all };
}

/** @param {string} path */
export const documentsIn = (path) => JSON.parse(readFileSync(path, "utf-8")).documents;
