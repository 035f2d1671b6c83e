// The `system` of documents as a game system's data models keep it, by the facts of the system: what is not set has its initial
// value, what no field knows is dropped, numbers are rounded and kept in their range, and other words than the choices are refused.

import { utils } from "./utils.mjs";

const PLAIN = { whole: "number", number: "number", flag: "boolean", text: "string", html: "string" };

/** Foundry refuses such data. */
export class RefusedData extends Error {}

export class SystemData {
  /** @param {any} facts of the system: `{documents: {actors: {character: {path: field}}}}` with every path written out */
  constructor(facts) {
    this.facts = facts;
  }

  /** Whether the system has documents of a type. */
  has(kind, type) {
    return (this.facts[kind]?.types ?? []).includes(type);
  }

  /** The fields of a type; null for a type whose fields are not listed. */
  fields(kind, type) {
    return this.facts.documents[kind]?.[type] ?? null;
  }

  /** What a new document has, complete. */
  initial(kind, type) {
    const made = {};
    for (const [path, field] of Object.entries(this.fields(kind, type) ?? {})) {
      if (!field.derived && !path.includes("*")) utils.setProperty(made, path, first(field));
    }
    return made;
  }

  /**
   * Data of a document as they are stored.
   *
   * @param {any} data nested
   * @param {boolean} [strict] refuse what would be dropped, as data of tests must be right
   */
  stored(kind, type, data, strict = false) {
    const made = this.initial(kind, type);
    for (const [path, value] of Object.entries(this.changes(kind, type, data, strict))) utils.setProperty(made, path, value);
    return made;
  }

  /** What of some changes is stored, by path. */
  changes(kind, type, data, strict = false) {
    const fields = this.fields(kind, type);
    const given = flat(data, fields);
    if (!fields) return Object.fromEntries(given);
    const kept = {};
    for (const [path, value] of given) {
      const field = fieldAt(fields, path);
      if (field && !field.derived) kept[path] = cleaned(field, path, value);
      else if (strict) throw new RefusedData(`${type} has no field system.${path}${field ? ": it is worked out" : ""}`);
    }
    return kept;
  }

  /** Checks that the system works a value out by itself. */
  derived(kind, type, values) {
    const fields = this.fields(kind, type) ?? {};
    for (const path of Object.keys(values)) {
      if (!fields[path]) throw new RefusedData(`${type} has no system.${path}`);
    }
    return values;
  }
}

/** The field at a path; of an object whose keys are free, that object. */
function fieldAt(fields, path) {
  const steps = path.split(".");
  for (let length = steps.length; length > 0; length--) {
    const own = steps.slice(0, length).join(".");
    const any = steps.map((_, at) => steps.slice(0, length).map((step, place) => (place === at && at > 0 ? "*" : step)).join("."));
    const found = fields[own] ?? any.map((way) => fields[way]).find(Boolean);
    if (found && length === steps.length) return found;
    if (found && ["object", "any"].includes(found.type) && !Object.keys(fields).some((one) => one.startsWith(`${own}.*`))) return found;
  }
  return null;
}

/** Paths to values; lists and objects with free keys are values. */
function flat(data, fields, before = "") {
  return Object.entries(data ?? {}).flatMap(([key, value]) => {
    const path = before + key;
    const plain = value !== null && typeof value === "object" && !Array.isArray(value);
    if (plain && !fields?.[path] && Object.keys(value).length > 0) return flat(value, fields, `${path}.`);
    if (plain && fields?.[path] && Object.keys(fields).some((one) => one.startsWith(`${path}.*`))) return flat(value, fields, `${path}.`);
    return [[path, value]];
  });
}

function first(field) {
  if (field.initial !== undefined) return field.initial;
  if (field.nullable) return null;
  if (field.type === "list") return [];
  if (field.type === "object") return {};
  return { text: field.choices?.[0] ?? "", html: "", flag: false, whole: 0, number: 0 }[field.type] ?? null;
}

function cleaned(field, path, value) {
  if (value === null && field.nullable) return null;
  const refuse = (why) => {
    throw new RefusedData(`system.${path}: ${JSON.stringify(value)} ${why}`);
  };
  const type = PLAIN[field.type];
  if (type === "number") {
    const number = typeof value === "string" && value.trim() === "" ? NaN : Number(value);
    if (value === null || typeof value === "boolean" || !Number.isFinite(number)) refuse("must be a number");
    const whole = field.type === "whole" ? Math.round(number) : number;
    return Math.min(field.most ?? Infinity, Math.max(field.least ?? -Infinity, whole));
  }
  if (type === "boolean") return typeof value === "boolean" ? value : value === "true" || value === 1;
  if (type === "string" && typeof value !== "string") return value === null || typeof value === "object" ? refuse("must be a text") : String(value);
  if (field.choices && !field.choices.includes(value) && !(field.blank && value === "")) refuse(`is none of ${field.choices.join(", ")}`);
  if (field.type === "list" && !Array.isArray(value)) refuse("must be a list");
  return value;
}
