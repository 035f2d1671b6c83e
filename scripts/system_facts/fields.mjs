// What data models of a game system need of Foundry to say which fields they have: the classes of fields, and DataModel.
// Only what describes or initializes a field is here; nothing is validated.

/** Whether a value is plain data with keys, whichever realm it comes from. */
export const isRecord = (value) => Object.prototype.toString.call(value) === "[object Object]" && value.constructor?.name === "Object";

/** A copy of plain data. */
export function copied(value) {
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Set) return new Set(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)]));
}

/** The data of an object as they are now, without what it belongs to and without functions. */
export function plain(value, seen = new Set()) {
  if (value === null || typeof value !== "object") return typeof value === "function" ? undefined : value;
  if (seen.has(value)) return undefined;
  const inner = new Set([...seen, value]);
  if (value instanceof Map) return [...value.values()].map((one) => plain(one, inner));
  if (typeof value[Symbol.iterator] === "function") return [...value].map((one) => plain(one, inner));
  return Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (key === "parent" || typeof one === "function" ? [] : [[key, plain(one, inner)]])));
}

export class DataField {
  static recursive = false;
  static hierarchical = false;

  static get _defaults() {
    return { required: false, nullable: false, initial: undefined, readonly: false, gmOnly: false, label: "", hint: "", validationError: "" };
  }

  constructor(options = {}, { name, parent } = {}) {
    this.options = options ?? {};
    this.name = name ?? this.options.name;
    this.parent = parent;
    for (const [key, value] of Object.entries(this.constructor._defaults)) this[key] = key in this.options ? this.options[key] : value;
  }

  getInitialValue(data) {
    return typeof this.initial === "function" ? this.initial(data) : copied(this.initial);
  }

  initialize(value) {
    return copied(value === undefined ? this.getInitialValue({}) : value);
  }

  clean(value) {
    return value === undefined ? this.getInitialValue({}) : value;
  }

  toObject(value) {
    return copied(value);
  }

  validate() {}

  apply() {}

  applyChange(value, model, change) {
    const own = `_applyChange${change.type.charAt(0).toUpperCase()}${change.type.slice(1)}`;
    return this[own] ? this[own](value, change.value, model, change) : change.value;
  }
}

export class StringField extends DataField {
  static get _defaults() {
    return { ...super._defaults, blank: true, trim: true, choices: undefined, textSearch: false };
  }

  constructor(options = {}, context = {}) {
    super(options, context);
    if (this.choices !== undefined && !("blank" in this.options)) this.blank = false;
    if (this.initial === undefined && this.required && this.blank) this.initial = "";
  }
}

export class NumberField extends DataField {
  static get _defaults() {
    return { ...super._defaults, initial: null, nullable: true, min: undefined, max: undefined, step: undefined, integer: false, positive: false, choices: undefined };
  }

  constructor(options = {}, context = {}) {
    super(options, context);
    if (this.initial === null && !this.nullable) this.initial = undefined;
  }
}

export class BooleanField extends DataField {
  static get _defaults() {
    return { ...super._defaults, required: true, initial: false };
  }
}

export class HTMLField extends StringField {
  static get _defaults() {
    return { ...super._defaults, required: true };
  }
}

export class DocumentIdField extends StringField {
  static get _defaults() {
    return { ...super._defaults, required: true, blank: false, nullable: true, initial: null };
  }
}

export class FilePathField extends StringField {
  static get _defaults() {
    return { ...super._defaults, nullable: true, blank: false, initial: null };
  }
}

export class ForeignDocumentField extends DocumentIdField {
  constructor(model, options = {}, context = {}) {
    super(options, context);
    this.model = model;
  }
}

export class ArrayField extends DataField {
  static recursive = true;

  static get _defaults() {
    return { ...super._defaults, required: true, initial: () => [] };
  }

  constructor(element, options = {}, context = {}) {
    super(options, context);
    this.element = element;
    if (element instanceof DataField) element.parent = this;
  }
}

export class SetField extends ArrayField {
  initialize(value) {
    return new Set(value ?? this.getInitialValue({}));
  }
}

export class ObjectField extends DataField {
  static get _defaults() {
    return { ...super._defaults, required: true, initial: () => ({}) };
  }
}

export class TypedObjectField extends ObjectField {
  static recursive = true;

  constructor(element, options = {}, context = {}) {
    super(options, context);
    this.element = element;
    if (element instanceof DataField) element.parent = this;
  }

  getField(path) {
    const [, ...rest] = typeof path === "string" ? path.split(".") : path;
    return rest.length > 0 ? this.element.getField?.(rest) : this.element;
  }

  initialize(value, model) {
    const held = value ?? this.getInitialValue({});
    return Object.fromEntries(Object.entries(held).map(([key, inner]) => [key, this.element.initialize(inner, model)]));
  }
}

/** Stored data are complete: what nobody has set has its initial value. */
const filled = (field, value) => (value === undefined ? field.getInitialValue({}) : value);

export class SchemaField extends DataField {
  static recursive = true;

  static get _defaults() {
    return { ...super._defaults, required: true, initial: undefined };
  }

  constructor(fields = {}, options = {}, context = {}) {
    super(options, context);
    this.fields = this._initialize(fields);
  }

  _initialize(fields) {
    const found = {};
    for (const [name, field] of Object.entries({ ...fields })) {
      if (!(field instanceof DataField)) continue;
      field.name = name;
      field.parent = this;
      found[name] = field;
    }
    return found;
  }

  *[Symbol.iterator]() {
    yield* Object.values(this.fields);
  }
  keys() {
    return Object.keys(this.fields);
  }
  values() {
    return Object.values(this.fields);
  }
  entries() {
    return Object.entries(this.fields);
  }
  has(name) {
    return name in this.fields;
  }
  get(name) {
    return this.fields[name];
  }
  getField(path) {
    const [name, ...rest] = typeof path === "string" ? path.split(".") : path;
    const found = this.fields[name];
    return rest.length > 0 ? found?.getField?.(rest) : found;
  }

  getInitialValue(data) {
    if (this.initial !== undefined) return super.getInitialValue(data);
    return Object.fromEntries(this.entries().map(([name, field]) => [name, field.getInitialValue(data)]));
  }

  initialize(value, model) {
    if (value === null || (value === undefined && !this.required)) return value;
    return Object.fromEntries(this.entries().map(([name, field]) => [name, field.initialize(filled(field, value?.[name]), model)]));
  }
}

export class EmbeddedDataField extends SchemaField {
  constructor(model, options = {}, context = {}) {
    super(model.defineSchema(), options, context);
    this.model = model;
  }

  initialize(value, model) {
    return value === null ? value : new this.model(value ?? {}, { parent: model });
  }
}

export class TypedSchemaField extends DataField {
  static recursive = true;

  constructor(types = {}, options = {}, context = {}) {
    super(options, context);
    this.types = types;
  }
}

/** Fields that hold a text, a number, a list or anything, without more to say. */
const KINDS = { text: StringField, number: NumberField, list: ArrayField, any: DataField, object: ObjectField };
const OTHERS = {
  ColorField: "text", DocumentUUIDField: "text", DocumentTypeField: "text", JavaScriptField: "text", JSONField: "text",
  AlphaField: "number", AngleField: "number", HueField: "number", IntegerSortField: "number",
  EmbeddedCollectionField: "list", EmbeddedCollectionDeltaField: "list",
  AnyField: "any", TypeDataField: "object", DocumentFlagsField: "object", DocumentOwnershipField: "object", DocumentStatsField: "object",
};
const others = Object.fromEntries(
  Object.entries(OTHERS).map(([name, kind]) => [name, { [name]: class extends KINDS[kind] {} }[name]]),
);

const schemas = new WeakMap();

export class DataModel {
  static defineSchema() {
    return {};
  }
  static LOCALIZATION_PREFIXES = [];

  static get schema() {
    if (!schemas.has(this)) schemas.set(this, new SchemaField(this.defineSchema()));
    return schemas.get(this);
  }
  static get metadata() {
    return {};
  }
  static cleanData(source = {}) {
    return source;
  }
  static migrateData(source) {
    return source;
  }
  static shimData(data) {
    return data;
  }
  static *_initializationOrder() {
    yield* this.schema.entries();
  }

  constructor(source = {}, { parent = null } = {}) {
    Object.defineProperty(this, "parent", { value: parent, configurable: true });
    const kept = Object.fromEntries([...this.constructor.schema.entries()].map(([name, field]) => [name, filled(field, source[name])]));
    Object.defineProperty(this, "_source", { value: { ...source, ...kept }, configurable: true, writable: true });
    this._configure?.({});
    this._initialize();
  }

  get schema() {
    return this.constructor.schema;
  }

  _initialize() {
    for (const [name, field] of this.constructor._initializationOrder()) {
      const value = field.initialize(this._source?.[name], this);
      const inner = typeof value === "function" ? value() : value;
      try {
        this[name] = inner;
      } catch {
        // a field without a setter
      }
    }
  }

  updateSource(changes) {
    Object.assign(this._source, changes);
    return changes;
  }
  toObject(stored = true) {
    return stored ? copied(this._source) : plain(this);
  }
  validate() {
    return true;
  }
  reset() {
    this._initialize();
  }
}

export class TypeDataModel extends DataModel {
  prepareBaseData() {}
  prepareDerivedData() {}
  getRollData() {
    return { ...this };
  }
}

export const FIELDS = {
  DataField, StringField, NumberField, BooleanField, HTMLField, DocumentIdField, FilePathField, ForeignDocumentField, ArrayField,
  SetField, ObjectField, TypedObjectField, SchemaField, EmbeddedDataField, EmbeddedDocumentField: EmbeddedDataField,
  TypedSchemaField, ...others,
};
