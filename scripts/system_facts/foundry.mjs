// The globals that a game system finds when Foundry loads it, as far as its data models need them. What it asks for beyond that,
// such as sheets and canvases, is `anything`, which bears every use and says nothing.

import { Collection, utils } from "../../tests/browser/foundry_stand_in/utils.mjs";
import { DataModel, FIELDS, TypeDataModel, copied, isRecord } from "./fields.mjs";

/** Statuses that Foundry has in every system, in their order. */
export const CORE_STATUSES = [
  "dead", "unconscious", "sleep", "stun", "prone", "restrain", "paralysis", "fly", "blind", "deaf", "silence", "fear", "burning",
  "frozen", "shock", "corrode", "bleeding", "disease", "poison", "curse", "regen", "degen", "hover", "burrow", "upgrade", "downgrade",
  "invisible", "target", "eye", "bless", "fireShield", "coldShield", "magicShield", "holyShield",
];

/** The methods of Foundry's Combat that step it, roll for it, or end it. */
export const COMBAT_METHODS = [
  "startCombat", "nextTurn", "previousTurn", "nextRound", "previousRound", "rollInitiative", "rollAll", "rollNPC", "resetAll",
  "setInitiative", "endCombat",
];

/** Bears every use: it can be called, constructed, extended, and has every property. */
export const anything = (() => {
  const held = new WeakMap();
  const make = () => {
    class Anything {}
    const itself = new Proxy(Anything, {
      get(target, key) {
        if (key === "prototype" || key === "length" || key === "name") return target[key];
        if (key === "then" || key === Symbol.hasInstance) return undefined;
        if (key === Symbol.toPrimitive) return () => "";
        if (key === Symbol.iterator) return function* () {};
        const own = held.get(target) ?? new Map();
        held.set(target, own);
        if (!own.has(key)) own.set(key, make());
        return own.get(key);
      },
      set(target, key, value) {
        const own = held.get(target) ?? new Map();
        held.set(target, own);
        own.set(key, value);
        return true;
      },
      has: (target, key) => key in target,
      apply: () => make(),
      construct: (target, args, kind) => (kind === itself ? make() : Reflect.construct(target, args, kind)),
    });
    return itself;
  };
  return make();
})();

/** An object whose missing properties are `anything`. */
export function open(known) {
  return new Proxy(known, { get: (target, key) => (key in target || typeof key === "symbol" || key === "then" ? target[key] : anything[key]) });
}

/** One object over another, path by path, as Foundry does it. */
function mergeObject(original, other = {}, { inplace = true, overwrite = true, insertKeys = true } = {}) {
  const target = inplace ? original : copied(original);
  for (const [path, value] of Object.entries(other ?? {})) {
    const [key, ...rest] = path in target ? [path] : path.split(".");
    const inner = rest.length > 0 ? { [rest.join(".")]: value } : value;
    if (isRecord(inner) && isRecord(target[key])) mergeObject(target[key], inner, { overwrite, insertKeys });
    else if (key in target ? overwrite : insertKeys) target[key] = rest.length > 0 ? mergeObject({}, inner) : copied(inner);
  }
  return target;
}

class Document {
  static documentName = "";
  static LOCALIZATION_PREFIXES = [];
  static get implementation() {
    return CONFIG_OF.get(this.documentName)?.documentClass ?? this;
  }
  static get metadata() {
    return {};
  }
  static get schema() {
    return { fields: {}, has: () => false };
  }
  static migrateData(source) {
    return source;
  }
  constructor(source = {}, { parent = null } = {}) {
    const own = { _source: source, parent, flags: {}, effects: new Collection(), items: new Collection(), statuses: new Set(), ...source };
    for (const [name, value] of Object.entries(own)) Object.defineProperty(this, name, { value, configurable: true, writable: true, enumerable: true });
  }
  get id() {
    return this._id ?? null;
  }
  get actor() {
    return this.parent;
  }
  get isOwner() {
    return true;
  }
  getFlag(scope, key) {
    return utils.getProperty(this.flags?.[scope], key);
  }
  prepareData() {
    this.prepareBaseData();
    this.prepareEmbeddedDocuments();
    this.prepareDerivedData();
  }
  prepareBaseData() {}
  prepareDerivedData() {}
  prepareEmbeddedDocuments() {}
  applyActiveEffects() {}
  allApplicableEffects() {
    return [];
  }
  getRollData() {
    return { ...this.system };
  }
}
const CONFIG_OF = new Map();

/**
 * The globals.
 *
 * @param {string} id of the system
 * @param {boolean} switched what settings that are on or off say; undefined for their defaults
 */
export function globals(id, switched) {
  const kinds = {};
  const config = { Dice: open({ rolls: [], terms: {}, types: [] }), time: { roundTime: 0, turnTime: 0 }, statusEffects: [], specialStatusEffects: { DEFEATED: "dead" } };
  for (const name of ["Actor", "Item", "Combat", "Combatant", "ActiveEffect", "ChatMessage", "Token", "JournalEntry", "JournalEntryPage", "RollTable", "Scene", "User", "Macro", "Folder", "Region", "RegionBehavior", "Setting"]) {
    const kind = { [name]: class extends Document {} }[name];
    kind.documentName = name;
    kinds[name] = kind;
    config[name] = open({ documentClass: kind, dataModels: {}, typeLabels: {}, typeIcons: {}, sheetClasses: {}, compendiumIndexFields: [], trackableAttributes: {}, polymorphic: false });
    CONFIG_OF.set(name, config[name]);
  }
  config.Combat.initiative = { formula: null, decimals: 0 };
  for (const method of COMBAT_METHODS) kinds.Combat.prototype[method] = async function () {};
  Object.defineProperty(kinds.Actor.prototype, "itemTypes", { get: () => open({}), configurable: true });
  config.statusEffects = CORE_STATUSES.map((id) => ({ id, name: `EFFECT.${id}`, img: `icons/svg/${id}.svg` }));

  const hooks = new Map();
  const on = (name, callback) => hooks.set(name, [...(hooks.get(name) ?? []), callback]).size;
  const settings = new Map();
  const setting = (space, key) => {
    const found = settings.get(`${space}.${key}`);
    if (switched !== undefined && found?.type?.name === "Boolean") return switched;
    return found && "default" in found ? (typeof found.default === "function" ? undefined : found.default) : undefined;
  };
  const game = open({
    system: open({ id }), world: open({ id: "world" }), user: open({ isGM: true, id: "gm", isActiveGM: true }), users: new Collection(),
    actors: new Collection(), items: new Collection(), combats: new Collection(), packs: new Collection(), modules: new Collection(),
    release: { generation: 14 }, ready: false,
    settings: { register: (space, key, data) => settings.set(`${space}.${key}`, data), registerMenu() {}, get: setting, set: async () => {}, settings, menus: new Map() },
    i18n: { localize: (key) => String(key), format: (key) => String(key), has: () => false, lang: "en", translations: {}, getListFormatter: () => ({ format: (list) => list.join() }) },
    socket: { on() {}, emit() {} }, keybindings: { register() {}, get: () => [] },
  });
  const foundry = open({
    abstract: open({ DataModel, TypeDataModel, Document }),
    data: open({ fields: open(FIELDS), ...FIELDS }),
    documents: open({ ...kinds, ...Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [`Base${name}`, kind])), collections: anything }),
    utils: open({ ...utils, Collection, mergeObject, deepClone: copied, duplicate: copied, expandObject: (one) => mergeObject({}, one), objectsEqual: (a, b) => JSON.stringify(a) === JSON.stringify(b), getType: (value) => (value === null ? "null" : Array.isArray(value) ? "Array" : typeof value === "object" ? "Object" : typeof value), filterObject: (one) => one, diffObject: (_, other) => other, deepFreeze: (value) => value, deepSeal: (value) => value }),
    CONST: open({}),
  });
  const Math_ = Object.create(Math, Object.getOwnPropertyDescriptors(Math));
  Math_.clamp = Math_.clamped = (value, least, most) => Math.min(Math.max(value, least), most);
  return {
    hooks,
    names: {
      CONFIG: open(config), CONST: open({ ACTIVE_EFFECT_MODES: { CUSTOM: 0, MULTIPLY: 1, ADD: 2, DOWNGRADE: 3, UPGRADE: 4, OVERRIDE: 5 } }),
      Hooks: { on, once: on, off() {}, call: () => true, callAll: () => true, events: {} },
      game, foundry, ...kinds, Collection, Math: Math_, console: open({}), structuredClone: copied,
      setTimeout: () => 0, clearTimeout() {}, setInterval: () => 0, clearInterval() {}, queueMicrotask, URL, URLSearchParams, TextEncoder, TextDecoder,
      Event: class {}, EventTarget, AbortController,
      ui: open({ notifications: open({}) }),
    },
  };
}

/** What Foundry adds to the language, and newer versions of it have; runs in the context of the system. */
export function additions() {
  const add = (kind, methods) => {
    for (const [name, value] of Object.entries(methods)) {
      if (!(name in kind)) Object.defineProperty(kind, name, { value, configurable: true, writable: true });
    }
  };
  add(Promise, {
    withResolvers() {
      const made = {};
      made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
      return made;
    },
  });
  const over = (method) => function (...args) {
    return [...this][method](...args);
  };
  add(Set.prototype, {
    ...Object.fromEntries(["find", "some", "every", "reduce"].map((name) => [name, over(name)])),
    ...Object.fromEntries(["filter", "map"].map((name) => [name, function (test) {
      return new Set([...this][name]((one) => test(one)));
    }])),
    first() {
      return [...this][0];
    },
    toObject() {
      return [...this];
    },
  });
  add(String.prototype, {
    capitalize() {
      return this.charAt(0).toUpperCase() + this.slice(1);
    },
    titleCase() {
      return this.split(" ").map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join(" ");
    },
    slugify({ replacement = "-" } = {}) {
      return this.toLowerCase().replace(/[^a-z0-9]+/g, replacement);
    },
  });
  add(Array.prototype, {
    findSplice(test, instead) {
      const at = this.findIndex(test);
      return at < 0 ? null : instead === undefined ? this.splice(at, 1)[0] : this.splice(at, 1, instead)[0];
    },
    filterJoin(sign) {
      return this.filter(Boolean).join(sign);
    },
    partition(test) {
      return [this.filter((one) => !test(one)), this.filter((one) => test(one))];
    },
  });
  add(Array, { fromRange: (count, from = 0) => Array.from({ length: count }, (_, at) => at + from) });
  add(Number, { isNumeric: (value) => value !== null && value !== "" && Number.isFinite(Number(value)), fromString: Number });
  add(Number.prototype, {
    signedString() {
      return this >= 0 ? `+${this}` : `${this}`;
    },
    paddedString(digits) {
      return `${this}`.padStart(digits, "0");
    },
    toNearest(step = 1) {
      return Math.round(this / step) * step;
    },
    between(least, most) {
      return this >= least && this <= most;
    },
  });
}
