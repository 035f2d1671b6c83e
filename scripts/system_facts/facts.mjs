// What a system is made of, as plain data: types with their fields, what it works out by itself, statuses, and its Combat.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import yaml from "../../tests/js/node_modules/js-yaml/dist/js-yaml.mjs";
import { json, load, manifestOf } from "./checkout.mjs";
import {
  ArrayField, BooleanField, DataField, HTMLField, NumberField, ObjectField, SchemaField, SetField, StringField, TypedObjectField,
  TypedSchemaField, copied, isRecord,
} from "./fields.mjs";
import { COMBAT_METHODS } from "./foundry.mjs";

/**
 * A field in the file: `{type, choices, words, blank, initial, nullable, least, most}`, of which `words` are no more
 * than what the system offers people.
 *
 * @typedef {Record<string, unknown>} Fact
 */

/**
 * The fields of a schema by their paths. Members of a list are not looked into; those of an object with free keys have `*` for
 * the key.
 *
 * @param {any} schema
 * @param {string} [before]
 * @returns {Record<string, Fact>}
 */
export function fieldsOf(schema, before = "") {
  /** @type {Record<string, Fact>} */
  const found = {};
  for (const [name, field] of Object.entries(schema.fields)) Object.assign(found, pathsOf(field, before + name));
  return found;
}

/** @returns {Record<string, Fact>} */
function pathsOf(field, path) {
  if (field instanceof TypedObjectField && field.element instanceof SchemaField) {
    return { [path]: { type: "object" }, ...pathsOf(field.element, `${path}.*`) };
  }
  if (field instanceof SchemaField) {
    const inner = fieldsOf(field, `${path}.`);
    return Object.keys(inner).length > 0 ? inner : { [path]: { type: "object" } };
  }
  return { [path]: factOf(field) };
}

/** @param {any} field @returns {Fact} */
function factOf(field) {
  const type = typeOf(field);
  /** @type {Fact} */
  const fact = { type };
  const choices = choicesOf(field);
  if (choices.length > 0) fact.choices = choices;
  if (choices.length > 0 && field.blank && !choices.includes("")) fact.blank = true;
  const initial = plainly(() => field.getInitialValue({}));
  const label = typeof initial === "string" && /^\w+(\.\w+)+$/.test(initial); // a key of its translations
  if (initial !== undefined && !label && !["list", "object", "any"].includes(type)) fact.initial = initial;
  if (field.nullable && type !== "any") fact.nullable = true;
  if (Number.isFinite(field.min)) fact.least = field.min;
  if (Number.isFinite(field.max)) fact.most = field.max;
  return fact;
}

/** @param {any} field */
function typeOf(field) {
  if (field instanceof NumberField) return field.integer ? "whole" : "number";
  if (field instanceof BooleanField) return "flag";
  if (field instanceof HTMLField) return "html";
  if (field instanceof StringField) return "text";
  if (field instanceof SetField) return "list";
  if (field instanceof ArrayField) return "list";
  if (field instanceof ObjectField || field instanceof TypedSchemaField) return "object";
  return field instanceof DataField ? "any" : "unknown";
}

/** @param {any} field @returns {unknown[]} */
function choicesOf(field) {
  const given = plainly(() => (typeof field.choices === "function" ? field.choices() : field.choices), true);
  if (!given) return [];
  const listed = Array.isArray(given) ? given : isRecord(given) ? Object.keys(given) : [];
  return listed.map((one) => (isRecord(one) ? one.value : one)).filter((one) => ["string", "number"].includes(typeof one));
}

/** What a function gives, if it is plain data. */
function plainly(given, any = false) {
  try {
    const value = given();
    return any || value === null || ["string", "number", "boolean"].includes(typeof value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of plain data, as a `template.json` has them. */
function fieldsOfData(data, before = "") {
  /** @type {Record<string, Fact>} */
  const found = {};
  for (const [name, value] of Object.entries(data)) {
    const path = before + name;
    if (Array.isArray(value)) found[path] = { type: "list" };
    else if (isRecord(value) && Object.keys(value).length > 0) Object.assign(found, fieldsOfData(value, `${path}.`));
    else if (isRecord(value)) found[path] = { type: "object" };
    else if (value === null) found[path] = { type: "any" };
    else found[path] = { type: { string: "text", number: "number", boolean: "flag" }[typeof value], ...(/^\w+(\.\w+)+$/.test(value) ? {} : { initial: value }) };
  }
  return found;
}

/** The fields without those inside of the objects at some paths, such as `skills.*.specialities`. */
function shortened(fields, closed = []) {
  const ways = closed.map((path) => new RegExp(`^(${path.replaceAll(".", "\\.").replaceAll("*", "[^.]+")})\\.`));
  /** @type {Record<string, Fact>} */
  const found = {};
  for (const [path, fact] of Object.entries(fields)) {
    const inside = ways.map((way) => way.exec(path)?.[1]).find(Boolean);
    if (inside) found[inside] = { type: "object" };
    else found[path] = fact;
  }
  return found;
}

/** The data of a type of a `template.json`, with those of its templates. */
function templated(template, type) {
  const { templates = [], ...own } = template[type] ?? {};
  return Object.assign({}, ...templates.map((/** @type {string} */ name) => template.templates?.[name]), own);
}

/** The plain values that stand in prepared data, by path. */
function valuesOf(data, before = "", depth = 0) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const name of Object.keys(data ?? {})) {
    const value = plainly(() => data[name], true);
    const path = before + name;
    if (isRecord(value) && depth < 6) Object.assign(found, valuesOf(value, `${path}.`, depth + 1));
    else if (["string", "number", "boolean"].includes(typeof value)) found[path] = value;
  }
  return found;
}

/**
 * What the system works out for a new document and does not store.
 *
 * @returns {{found: Record<string, Fact>, fault: string}}
 */
function derived(names, kind, type, fields, data) {
  const { documentClass, dataModels } = names.CONFIG[kind];
  const Model = dataModels[type];
  let fault = "";
  let document;
  try {
    document = new documentClass({ name: type, type });
    document.system = Model ? new Model({}, { parent: document }) : copied(data);
    document.system.prepareBaseData?.();
    document.prepareBaseData?.();
    document.system.prepareEmbeddedData?.();
    document.system.prepareDerivedData?.();
    document.prepareDerivedData?.();
  } catch (error) {
    fault = `${/** @type {any} */ (error)?.stack ?? error}`.split("\n").slice(0, 2).join(" ");
  }
  const stored = Object.keys(fields).map((path) => new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", "[^.]+")}(\\.|$)`));
  const found = Object.entries(valuesOf(document?.system)).filter(([path]) => !stored.some((one) => one.test(path)));
  const typed = found.map(([path, value]) => [path, { type: { string: "text", number: "number", boolean: "flag" }[typeof value] }]);
  return { found: Object.fromEntries(typed), fault };
}

/** The methods that the system's class of a document has of its own, or anew. */
function methodsOf(names, document) {
  const found = new Set();
  for (let at = names.CONFIG[document].documentClass.prototype; at && at !== names[document].prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === "function" && name !== "constructor") found.add(name);
    }
  }
  return [...found].sort();
}

/** What the system's Combat does differently from Foundry's. */
function combatOf(names) {
  const methods = methodsOf(names, "Combat");
  const overrides = methods.filter((name) => COMBAT_METHODS.includes(name));
  const adds = methods.filter((name) => /^(next|previous)[A-Z]/.test(name) && !overrides.includes(name));
  const acts = methodsOf(names, "Combatant").filter((name) => !name.startsWith("_") && !(name in names.Combatant.prototype));
  const declared = ([name, key]) => {
    const model = names.CONFIG[name].dataModels.base;
    return model ? [[key, Object.keys(fieldsOf(model.schema))]] : [];
  };
  const fields = Object.fromEntries([["Combat", "fields"], ["Combatant", "combatants"]].flatMap(declared));
  return { class: names.CONFIG.Combat.documentClass.name, overrides, adds, ...fields, ...(acts.length > 0 ? { acts } : {}) };
}

/**
 * The skills that the system knows: by what stays the same in every language, and how each is called.
 *
 * @param {string} folder
 * @param {any} names
 * @param {any} recipe `{items, in, by}`: items of a type in a folder or file; `{config, object}`: keys of a table of CONFIG
 * @returns {Record<string, string>}
 */
function skillsOf(folder, names, recipe) {
  if (recipe.config) {
    const table = recipe.config.split(".").reduce((at, name) => at?.[name], names.CONFIG);
    return Object.fromEntries(Object.entries({ ...table }).map(([key, label]) => [key, String(label)]));
  }
  const found = filesUnder(join(folder, recipe.in)).flatMap((path) => [parsed(path)].flat()).map((one) => one?.data ?? one);
  const skills = found.filter((one) => one?.type === recipe.items && one.name);
  const by = (one) => recipe.by.split(".").reduce((at, name) => at?.[name], one);
  return Object.fromEntries(skills.map((one) => [by(one), one.name]).sort());
}

/**
 * What the system's own skills are, by name: the items of its compendium.
 *
 * @param {string} folder
 * @param {{type: string, in: string, fields: string[]}} recipe
 * @returns {Record<string, Record<string, unknown>>}
 */
function skillItemsOf(folder, recipe) {
  const found = filesUnder(join(folder, recipe.in)).flatMap((path) => [parsed(path)].flat()).map((one) => one?.data ?? one);
  const skills = found.filter((one) => one?.type === recipe.type && one.name).sort((a, b) => (a.name < b.name ? -1 : 1));
  const value = (one, path) => path.split(".").reduce((at, name) => at?.[name], one.system) ?? null;
  return Object.fromEntries(skills.map((one) => [one.name, Object.fromEntries(recipe.fields.map((path) => [path, value(one, path)]))]));
}

function filesUnder(path) {
  if (!existsSync(path)) throw new Error(`${path} is not there; see \`made.skills\` in the file of the system`);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true }).map((name) => join(path, String(name))).filter((one) => /\.(json|ya?ml)$/.test(one));
}

function parsed(path) {
  const text = readFileSync(path, "utf-8");
  return path.endsWith(".json") ? JSON.parse(text) : yaml.load(text);
}

/**
 * @typedef {object} Made How a file is made; kept in it by hand.
 * @property {string[]} [actors] types whose fields are listed; all without it
 * @property {string[]} [items]
 * @property {string[]} [closed] objects that are not looked into
 * @property {any} [skills] see `skillsOf`
 * @property {any} [skill_items] see `skillItemsOf`
 * @property {Record<string, {module: string, name: string}>} [tables] plain data that modules of the system export
 * @property {{paths: string[], module: string, name: string}[]} [words] texts whose words the system has in a table of one of
 *   its modules: paths with their types, such as `Ranged Weapon.mode`
 */

/**
 * Everything that can be read of a system's checkout.
 *
 * @param {string} folder
 * @param {Made} made
 */
export async function factsOf(folder, made) {
  const manifest = manifestOf(folder);
  const template = ["template.json", "public/template.json", "static/template.json"].map((name) => join(folder, name)).find(existsSync);
  const types = template ? json(template) : {};
  const { names, faults, exported } = await load(folder);
  const { names: switched } = await load(folder, true);
  const exportOf = ({ module, name }) => {
    const table = name.split(".").reduce((at, step) => at?.[step], exported(join(folder, module)));
    if (!table) throw new Error(`${module} has no ${name}; see \`made\` in the file of the system`);
    return table;
  };
  const kinds = {};
  for (const [kind, key] of [["Actor", "actors"], ["Item", "items"]]) {
    const models = names.CONFIG[kind].dataModels;
    const all = [...new Set([...Object.keys(manifest.documentTypes?.[kind] ?? {}), ...(types[kind]?.types ?? []), ...Object.keys(models)])].sort();
    const listed = {};
    for (const type of all.filter((one) => !made[key] || made[key].includes(one))) {
      const data = models[type] ? undefined : templated(types[kind] ?? {}, type);
      const fields = shortened(models[type] ? fieldsOf(models[type].schema) : fieldsOfData(data), made.closed);
      const one = derived(names, kind, type, fields, data);
      const other = derived(switched, kind, type, fields, data);
      listed[type] = { fields, derived: { ...other.found, ...one.found } };
      if (one.fault) faults.push(`${kind} ${type} cannot be prepared: ${one.fault}`);
    }
    for (const { paths, ...place } of made.words ?? []) {
      const table = exportOf(place);
      for (const path of paths) {
        const type = Object.keys(listed).find((one) => path.startsWith(`${one}.`));
        const field = type && listed[type].fields[path.slice(type.length + 1)];
        if (field) field.words = Array.isArray(table) ? [...table] : Object.keys(table);
      }
    }
    kinds[key] = { types: all, listed };
  }
  const skills = made.skills ? { skills: skillsOf(folder, names, made.skills) } : {};
  const items = made.skill_items ? { skill_items: skillItemsOf(folder, made.skill_items) } : {};
  const tables = Object.entries(made.tables ?? {}).map(([name, place]) => [name, exportOf(place)]);
  const statuses = names.CONFIG.statusEffects.map(({ id }) => id);
  return { manifest, faults, ...kinds, ...skills, ...items, tables: Object.fromEntries(tables), statuses, round: Number(names.CONFIG.time.roundTime) || 0, combat: combatOf(names) };
}
