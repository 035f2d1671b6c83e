/**
 * What may be said of a situation, from the ruleset's own description of it, and which modifiers would ask for it. No rule is
 * known here: a modifier whose verdict is `unknown` names the field that it waits for, and the JSON Schema of the procedure
 * says what may stand there.
 *
 * Nothing here needs Foundry.
 */

/**
 * @typedef {object} Field
 * @property {string} path such as `target.cover`
 * @property {string} title
 * @property {string} hint
 * @property {"flag" | "choice" | "number" | "several"} kind
 * @property {string[]} options of a choice or several
 * @property {number} [least]
 * @property {number} [most]
 * @property {boolean} [whole]
 */

/** Fields of sheets are not asked for again in the dialog: these, of the record itself, are. */
const RECORDS = new Set(["attacker", "target", "weapon"]);

/**
 * The field at a path of a situation; null for none that a dialog can show, such as a whole record.
 *
 * @param {any} schema of the situation
 * @param {string} path
 * @returns {Field | null}
 */
export function fieldAt(schema, path) {
  let found = schema;
  for (const step of path.split(".")) {
    const inner = found?.properties ? found : found?.anyOf?.find((/** @type {any} */ one) => one.properties);
    found = inner?.properties?.[step];
  }
  return found ? fieldOf(path, found) : null;
}

/**
 * @param {string} path
 * @param {any} schema
 * @returns {Field | null}
 */
function fieldOf(path, schema) {
  const { title = path, description = "", minimum, maximum } = schema;
  const types = [schema.type ?? []].flat();
  const base = { path, title, hint: description, options: [] };
  const words = (schema.enum ?? []).filter((/** @type {unknown} */ word) => typeof word === "string");
  if (words.length > 0) return { ...base, kind: "choice", options: words };
  if (types.includes("boolean")) return { ...base, kind: "flag" };
  if (types.includes("array") && schema.items?.enum) return { ...base, kind: "several", options: schema.items.enum };
  if (types.includes("integer") || types.includes("number")) {
    return { ...base, kind: "number", least: minimum, most: maximum, whole: types.includes("integer") };
  }
  return null;
}

/**
 * The fields of a situation that belong to no sheet: distance, firing mode, visibility.
 *
 * @param {any} schema
 * @returns {Field[]}
 */
export function ownFields(schema) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const record = RECORDS.has(name) || one.anyOf;
    if (record) return [];
    const inner = one.properties;
    const pairs = inner ? Object.keys(inner).map((key) => `${name}.${key}`) : [name];
    return pairs.flatMap((path) => fieldAt(schema, path) ?? []);
  });
}

/**
 * @typedef {object} Row A modifier in the dialog.
 * @property {string} id
 * @property {string} label
 * @property {number | null} value
 * @property {string} verdict applied, capped, suppressed, failed, unknown ...
 * @property {Field | null} field what says whether it counts; shown with the first row that asks
 * @property {string} [provenance] `default` if no source gives its number
 * @property {string} [confidence] if its pack is not sure of it
 *
 * @typedef {{label: string, total: number, rows: Row[]}} Number_ What modifiers change, such as a pool.
 */

/**
 * The numbers of an answer with the modifiers that count or could count. Fields that were asked for once stay, so that
 * nothing jumps when they are filled in.
 *
 * @param {any[]} tallies `modifiers` of an answer
 * @param {any} schema of the situation
 * @param {Map<string, Field>} asked by number and modifier; grows
 * @param {ReadonlySet<string>} elsewhere paths that are shown anyway
 * @returns {Number_[]}
 */
export function numbersOf(tallies, schema, asked, elsewhere) {
  /** @type {Set<string>} */
  const shown = new Set(elsewhere);
  const numbers = tallies.map(({ to, label, total, entries }) => {
    const rows = entries.flatMap((/** @type {any} */ { id, label, value, verdict, reason, provenance, confidence }) => {
      const key = `${to} ${id}`;
      const wanted = verdict === "unknown" ? fieldAt(schema, reason) : null;
      if (wanted && !asked.has(key)) asked.set(key, wanted);
      const field = asked.get(key) ?? null;
      const counts = ["applied", "capped", "suppressed"].includes(verdict) && value !== null && (value !== 0 || verdict === "suppressed");
      if (!counts && (!field || shown.has(field.path))) return [];
      const first = field !== null && !shown.has(field.path);
      if (first) shown.add(field.path);
      return [{ id, label, value, verdict, field: first ? field : null, provenance, confidence }];
    });
    return { label, total, rows };
  });
  return numbers.filter(({ rows }) => rows.length > 0);
}

/**
 * A situation with a value at a path; null and empty lists take the field out: it is unknown then. A record that is only
 * named becomes one with fields.
 *
 * @param {Record<string, any>} situation
 * @param {string} path
 * @param {unknown} value
 * @returns {Record<string, any>}
 */
export function withValue(situation, path, value) {
  const [name, ...rest] = path.split(".");
  const changed = { ...situation };
  if (rest.length > 0) {
    const inner = typeof changed[name] === "string" ? { use: changed[name] } : (changed[name] ?? {});
    changed[name] = withValue(inner, rest.join("."), value);
    if (Object.keys(changed[name]).length === 0) delete changed[name];
  } else if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) delete changed[name];
  else changed[name] = value;
  return changed;
}

/**
 * @param {Record<string, any>} situation
 * @param {string} path
 * @returns {any}
 */
export function valueAt(situation, path) {
  return path.split(".").reduce((/** @type {any} */ found, step) => found?.[step], situation);
}

/**
 * What is said in one situation over another, field by field.
 *
 * @param {Record<string, any>} below
 * @param {Record<string, any>} above
 * @returns {Record<string, any>}
 */
export function joined(below, above) {
  const made = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const record = value && typeof value === "object" && !Array.isArray(value);
    const lower = typeof made[name] === "string" ? { use: made[name] } : made[name];
    made[name] = record && lower && typeof lower === "object" ? joined(lower, value) : value;
  }
  return made;
}
