// Documents and collections, kept by the stand-in's server.

import { centerOf } from "./canvas.mjs";
import { RefusedData } from "./system_data.mjs";
import { Collection, Hooks, utils } from "./utils.mjs";

/** How documents reach the server; `stand_in.mjs` sets it. */
export const server = { world: "", user: "", client: "", async ask(path, body) {
  const response = await fetch(`/world/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ world: server.world, user: server.user, client: server.client, ...body }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
} };

/** The game system's data models and which Foundry this is; `stand_in.mjs` sets both. */
export const table = { /** @type {any} */ data: null, generation: 13 };

export class Document {
  static documentName = "";
  static embedded = {};

  constructor(data, { parent = null, pack = null } = {}) {
    Object.defineProperties(this, {
      parent: { value: parent },
      pack: { value: pack ?? parent?.pack ?? null },
      collections: { value: {} },
    });
    this._initialize(data);
  }

  _initialize(source) {
    for (const key of Object.keys(this._source ?? {})) delete this[key];
    Object.defineProperty(this, "_source", { value: source, configurable: true, writable: true });
    const own = structuredClone(source);
    for (const [field, name] of Object.entries(this.constructor.embedded)) {
      const before = this.collections[name];
      const collection = new Collection();
      for (const data of source[field] ?? []) {
        const held = before?.get(data._id);
        if (held) held._initialize(data);
        collection.set(data._id, held ?? new classes[name](data, { parent: this }));
      }
      this.collections[name] = collection;
      own[field] = collection;
    }
    own.flags ??= {};
    for (const [key, value] of Object.entries(own)) {
      Object.defineProperty(this, key, { value, configurable: true, writable: true, enumerable: true });
    }
    this.prepareData();
  }

  prepareData() {}
  get id() {
    return this._id;
  }
  get documentName() {
    return this.constructor.documentName;
  }
  get uuid() {
    const own = `${this.documentName}.${this.id}`;
    if (this.parent) return `${this.parent.uuid}.${own}`;
    return this.pack ? `Compendium.${this.pack}.${own}` : own;
  }
  get isEmbedded() {
    return this.parent !== null;
  }
  get isOwner() {
    return this.testUserPermission(game.user, "OWNER");
  }
  get visible() {
    return this.testUserPermission(game.user, "LIMITED");
  }
  getUserLevel(user) {
    if (user.isGM) return CONST.DOCUMENT_OWNERSHIP_LEVELS.OWNER;
    if (this.parent) return this.parent.getUserLevel(user);
    if (this.pack) return game.packs.get(this.pack).getUserLevel(user);
    return this.ownership?.[user.id] ?? this.ownership?.default ?? 0;
  }
  testUserPermission(user, level) {
    const needed = typeof level === "string" ? CONST.DOCUMENT_OWNERSHIP_LEVELS[level] : level;
    return this.getUserLevel(user) >= needed;
  }
  toObject() {
    return structuredClone(this._source);
  }
  toJSON() {
    return this.toObject();
  }
  getFlag(scope, key) {
    return utils.getProperty(this.flags?.[scope], key);
  }
  setFlag(scope, key, value) {
    return this.update({ [`flags.${scope}.${key}`]: value });
  }
  unsetFlag(scope, key) {
    const parts = key.split(".");
    const last = parts.pop();
    return this.update({ [["flags", scope, ...parts, `-=${last}`].join(".")]: null });
  }
  getEmbeddedCollection(name) {
    return this.collections[name];
  }
  async update(changes, options = {}) {
    const own = { ...changes, _id: this._id };
    const [updated] = await this.constructor.updateDocuments([own], { ...options, parent: this.parent, pack: this.pack });
    return updated;
  }
  async delete(options = {}) {
    const [deleted] = await this.constructor.deleteDocuments([this._id], { ...options, parent: this.parent, pack: this.pack });
    return deleted;
  }
  createEmbeddedDocuments(name, data, options = {}) {
    return classes[name].createDocuments(data, { ...options, parent: this, pack: this.pack });
  }
  updateEmbeddedDocuments(name, updates, options = {}) {
    return classes[name].updateDocuments(updates, { ...options, parent: this, pack: this.pack });
  }
  deleteEmbeddedDocuments(name, ids, options = {}) {
    return classes[name].deleteDocuments(ids, { ...options, parent: this, pack: this.pack });
  }

  /** Takes out of the data of a new document what its data model does not know. */
  static _clean() {}
  static _cleanChanges() {}
  static get implementation() {
    return classes[this.documentName];
  }
  static async create(data, options = {}) {
    const created = await this.createDocuments(Array.isArray(data) ? data : [data], options);
    return Array.isArray(data) ? created : created[0];
  }
  static async createDocuments(data, { parent = null, pack = null, keepId = false, ...options } = {}) {
    const sources = data.map((one) => (one instanceof Document ? one.toObject() : utils.expandObject(JSON.parse(JSON.stringify(one)))));
    const name = this.documentName;
    const sound = sources.filter((source) => accepted(() => this._clean(source)));
    const allowed = sound.filter((source) => Hooks.call(`preCreate${name}`, new this(source, { parent, pack }), source, options, game.user.id));
    return operate(this, "create", allowed, { parent, pack, keepId, ...options });
  }
  static async updateDocuments(updates, { parent = null, pack = null, ...options } = {}) {
    const held = holder(this.documentName, parent, pack);
    const sound = updates.map((update) => ({ ...update })).filter((update) => accepted(() => this._cleanChanges(update, held.get(update._id))));
    const allowed = sound.filter((update) => {
      const document = held.get(update._id);
      return !document || Hooks.call(`preUpdate${this.documentName}`, document, update, options, game.user.id);
    });
    return operate(this, "update", allowed, { parent, pack, ...options });
  }
  static async deleteDocuments(ids, { parent = null, pack = null, ...options } = {}) {
    return operate(this, "delete", ids, { parent, pack, ...options });
  }
}

/** Whether the data model takes some data; people are told if it does not. */
function accepted(clean) {
  try {
    clean();
    return true;
  } catch (error) {
    if (!(error instanceof RefusedData)) throw error;
    ui.notifications.error(error.message);
    return false;
  }
}

async function operate(kind, action, data, { parent, pack, keepId, ...options }) {
  if (data.length === 0) return [];
  const above = parent && { type: parent.constructor.documentName, id: parent._id };
  const key = crypto.randomUUID();
  const heard = new Promise((resolve) => asked.set(key, resolve));
  const operation = { key, action, type: kind.documentName, data, parent: above, pack, keepId, options };
  await server.ask("operate", { operation }).catch((error) => {
    asked.delete(key);
    throw error;
  });
  return heard;
}

/** Operations of this client that the server has not told of yet. */
const asked = new Map();

/** What the server has done comes to all clients in one order; whoever asked for it goes on then. */
export function hearOperation(operation) {
  const done = carryOut(operation);
  asked.get(operation.key)?.(done);
  asked.delete(operation.key);
}

/** The collection that holds documents of a kind. */
function holder(name, parent, pack) {
  if (parent) return parent.getEmbeddedCollection(name);
  if (pack && name === "Folder") return game.packs.get(pack).folders;
  return pack ? game.packs.get(pack) : game.collections.get(name);
}

/** What the server has done, of this client or another one. */
function carryOut({ action, type, data, parent, pack, user, options, worldTime }) {
  const above = parent && holder(parent.type, null, pack).get(parent.id);
  const held = holder(type, above, pack);
  const done = data.flatMap((one) => {
    let document = held.get(one._id);
    if (action === "create") {
      document = new classes[type](one, { parent: above, pack });
      held.set(one._id, document);
      refreshSource(above, type);
    } else if (!document) return [];
    else if (action === "update") {
      document._initialize(one.source);
      refreshSource(above, type);
    } else {
      held.delete(one._id);
      refreshSource(above, type);
    }
    return [{ document, changes: utils.expandObject(one.changes ?? {}) }];
  });
  for (const { document, changes } of done) {
    const told = toldOf(document);
    if (action === "create") Hooks.callAll(`create${type}`, told, options, user);
    if (action === "update") Hooks.callAll(`update${type}`, told, { ...changes, _id: document.id }, options, user);
    if (action === "delete") Hooks.callAll(`delete${type}`, told, options, user);
    document._changed?.(action, changes);
  }
  if (worldTime !== undefined) {
    const passed = worldTime - game.time.worldTime;
    game.time.worldTime = worldTime;
    Hooks.callAll("updateWorldTime", worldTime, passed, options, user);
  }
  if (above) above._changed?.("update", {});
  return done.map(({ document }) => document);
}

/** What hooks are given: of unlinked tokens the ActorDelta, and since v14 what is in them as its own. */
function toldOf(document) {
  if (document.isToken) return document.token.delta;
  if (table.generation < 14 || !document.parent?.isToken) return document;
  const update = (...args) => document.update(...args);
  return Object.create(document, { parent: { value: document.parent.token.delta }, actor: { value: null }, update: { value: update } });
}

function refreshSource(parent, type) {
  if (!parent) return;
  const [field] = Object.entries(parent.constructor.embedded).find(([, name]) => name === type);
  parent._source[field] = parent.getEmbeddedCollection(type).map((document) => document._source);
}

export class User extends Document {
  static documentName = "User";
  prepareData() {
    delete this.character; // an id in the data, an Actor of the user
  }
  get isGM() {
    return this.role >= CONST.USER_ROLES.ASSISTANT;
  }
  get isSelf() {
    return game.user === this;
  }
  get isActiveGM() {
    return game.users.activeGM === this;
  }
  get targets() {
    return (this.targeted ??= new Set());
  }
  get character() {
    return game.actors.get(this._source.character) ?? null;
  }
  can(permission) {
    return this.isGM || (this._source.permissions?.[permission] ?? ["QUERY_USER", "MESSAGE_WHISPER", "MACRO_SCRIPT"].includes(permission));
  }
  hasPermission(permission) {
    return this.can(permission);
  }
  hasRole(role) {
    return this.role >= (CONST.USER_ROLES[role] ?? role);
  }
  /** Ask another user's client; its handler is in `CONFIG.queries`. */
  async query(name, data, { timeout = 5000 } = {}) {
    if (!(name in CONFIG.queries)) throw new Error(`Query "${name}" is not registered`);
    if (this.isSelf) return CONFIG.queries[name](data, { user: game.user, timeout });
    const answer = await server.ask("query", { to: this.id, name, data, timeout });
    if (answer.error) throw new Error(answer.error);
    return answer.result;
  }
  async assignHotbarMacro(macro, slot) {
    const free = slot ?? [...Array(50).keys()].map((at) => at + 1).find((at) => !this.hotbar?.[at]);
    return this.update({ [`hotbar.${free}`]: macro?.id ?? null });
  }
  _changed() {
    if (this.isSelf && ui.hotbar.rendered) ui.hotbar.render();
  }
}

/** A document whose `system` the game system declares. */
class SystemDocument extends Document {
  static _clean(source) {
    if (!table.data) return;
    if (!table.data.has(this._kind, source.type)) throw new RefusedData(`"${source.type}" is not a valid type for the ${this.documentName} Document class`);
    source.system = table.data.stored(this._kind, source.type, source.system);
    for (const [field, name] of Object.entries(this.embedded)) for (const one of source[field] ?? []) classes[name]._clean(one);
  }
  static _cleanChanges(update, document) {
    const said = Object.keys(update).filter((key) => key === "system" || key.startsWith("system."));
    if (!table.data || !document || said.length === 0) return;
    const { system } = utils.expandObject(Object.fromEntries(said.map((key) => [key, update[key]])));
    for (const key of said) delete update[key];
    for (const [path, value] of Object.entries(table.data.changes(this._kind, document.type, system))) update[`system.${path}`] = value;
  }
  _initialize(source) {
    if (table.data) source.system = table.data.stored(this.constructor._kind, source.type, source.system, true);
    super._initialize(source);
  }
  prepareData() {
    const worked = table.data?.derived(this.constructor._kind, this.type, this._source.derived ?? {}) ?? {};
    for (const [path, value] of Object.entries(worked)) utils.setProperty(this.system, path, value);
  }
}

export class Item extends SystemDocument {
  static _kind = "items";
  static documentName = "Item";
  static embedded = { effects: "ActiveEffect" };
  get actor() {
    return this.parent;
  }
}

/** What durations of effects hold in each version of Foundry; all else is dropped. */
const DURATION = {
  13: ["startTime", "seconds", "combat", "rounds", "turns", "startRound", "startTurn"],
  14: ["value", "units", "expiry", "expired"],
};

export class ActiveEffect extends Document {
  static documentName = "ActiveEffect";
  static _clean(source) {
    const { duration } = source;
    for (const [key, value] of Object.entries(duration ?? {})) {
      if (!DURATION[table.generation]?.includes(key)) delete duration[key];
      else if (["seconds", "rounds", "turns", "value"].includes(key) && !(Number.isInteger(value) && value >= 0)) throw new RefusedData(`duration.${key}: must be a whole number`);
    }
    if (duration?.units && !CONST.ACTIVE_EFFECT_DURATION_UNITS.includes(duration.units)) throw new RefusedData("duration.units: is no unit");
  }
  static _cleanChanges(update) {
    this._clean(update);
  }
  get isSuppressed() {
    return false;
  }
  get isTemporary() {
    const { seconds, rounds, turns, value } = this.duration ?? {};
    if (table.generation >= 14) return Number.isFinite(value);
    return (seconds ?? rounds ?? turns ?? 0) > 0 || (this.statuses?.length ?? 0) > 0;
  }
}

export class Actor extends SystemDocument {
  static _kind = "actors";
  static documentName = "Actor";
  static embedded = { items: "Item", effects: "ActiveEffect" };
  get statuses() {
    return new Set(this.effects.contents.flatMap((effect) => (effect.disabled ? [] : [...(effect.statuses ?? [])])));
  }
  get appliedEffects() {
    return this.effects.filter(({ disabled }) => !disabled);
  }
  get hasPlayerOwner() {
    return game.users.some((user) => !user.isGM && this.testUserPermission(user, "OWNER"));
  }
  get isToken() {
    return false;
  }
  get token() {
    return null;
  }
  async getTokenDocument(data = {}) {
    return new Token({ name: this.name, actorLink: false, ...this._source.prototypeToken, ...data, actorId: this.id }, { parent: canvas.scene });
  }
  /** All tokens of it, also those with actors of their own; of such an actor its only one. */
  getActiveTokens() {
    return canvas.tokens.placeables.filter((token) => (this.isToken ? token.actor === this : token.document.actorId === this.id));
  }
  async toggleStatusEffect(id, { active, overlay = false } = {}) {
    const held = this.effects.find((effect) => effect.statuses?.includes?.(id));
    if (held && active !== true) return held.delete().then(() => false);
    if (held || active === false) return undefined;
    const status = CONFIG.statusEffects.find((one) => one.id === id);
    if (!status) throw new Error(`Invalid status ID "${id}" provided to Actor#toggleStatusEffect`);
    const [effect] = await this.createEmbeddedDocuments("ActiveEffect", [{ name: status.name, img: status.img, statuses: [id], showIcon: CONST.ACTIVE_EFFECT_SHOW_ICON?.ALWAYS, flags: { core: { overlay } } }]);
    return effect;
  }
}

/** The actor of an unlinked token, kept under the id of its token. Foundry tells of its changes as those of an ActorDelta. */
export class ActorDelta extends Actor {
  static documentName = "ActorDelta";
  get documentName() {
    return "Actor";
  }
  get id() {
    return this.actorId;
  }
  get uuid() {
    return `Scene.scene.Token.${this._id}.Actor.${this.id}`;
  }
  get isToken() {
    return true;
  }
  get token() {
    return canvas.tokens.get(this._id)?.document ?? null;
  }
}

export class Macro extends Document {
  static documentName = "Macro";
  async execute(scope = {}) {
    const AsyncFunction = (async () => {}).constructor;
    return new AsyncFunction("scope", `{${this.command}\n}`)(scope);
  }
}

export class Folder extends Document {
  static documentName = "Folder";
}

/** As the typings 13.346.0-beta.20251209192131, and those of August 2026 have it: a page has a name, and its type is one of the core's. */
export class JournalEntryPage extends Document {
  static documentName = "JournalEntryPage";
  static _clean(source) {
    named(source);
    source.type ??= "text";
    if (!["text", "image", "pdf", "video"].includes(source.type)) throw new RefusedData(`type: ${source.type} is no type of pages`);
  }
}

/** An entry has a name; an id that is kept has sixteen letters or digits. */
export class JournalEntry extends Document {
  static documentName = "JournalEntry";
  static embedded = { pages: "JournalEntryPage" };
  static _clean(source) {
    named(source);
    for (const page of source.pages ?? []) JournalEntryPage._clean(page);
  }
}

/** @param {{name?: unknown, _id?: unknown}} source */
function named({ name, _id }) {
  if (typeof name !== "string" || name.trim() === "") throw new RefusedData("name: may not be a blank string");
  if (_id !== undefined && _id !== null && !/^[A-Za-z0-9]{16}$/.test(String(_id))) throw new RefusedData("_id: must be a valid 16-character alphanumeric ID");
}

export class TableResult extends Document {
  static documentName = "TableResult";
}

export class RollTable extends Document {
  static documentName = "RollTable";
  static embedded = { results: "TableResult" };
}

export class Scene extends Document {
  static documentName = "Scene";
  static embedded = { tokens: "Token", templates: "MeasuredTemplate", regions: "Region" };
  get dimensions() {
    return { sceneRect: { x: 0, y: 0, width: 4000, height: 3000 } };
  }
}

/**
 * What is drawn on a scene to measure something, in Foundry 13: 14 has regions instead. As the typings 13.346.0-beta.20251209192131 have it:
 * x and y are whole numbers, which cleaning rounds; the distance is 0 or more; t is one of four.
 */
export class MeasuredTemplate extends Document {
  static documentName = "MeasuredTemplate";
  static _clean(source) {
    if (table.generation >= 14) throw new RefusedData("Foundry 14 has no measured templates");
    const { t = "circle", x = 0, y = 0, distance = 0, elevation = 0 } = source;
    if (!["circle", "cone", "rect", "ray"].includes(t)) throw new RefusedData(`t: ${t} must be a value in CONST.MEASURED_TEMPLATE_TYPES`);
    for (const [field, number] of Object.entries({ x, y, distance, elevation })) if (!Number.isFinite(number)) throw new RefusedData(`${field}: must be a number`);
    if (distance < 0) throw new RefusedData("distance: must be at least 0");
    Object.assign(source, { t, x: Math.round(x), y: Math.round(y), distance, elevation });
  }
}

/** The shapes that regions have, by generation. */
const SHAPES = { 13: ["rectangle", "circle", "ellipse", "polygon"], 14: ["rectangle", "circle", "ellipse", "polygon", "cone", "ring", "line", "emanation", "grid", "token"] };

/**
 * Players may draw them since Foundry 14. As the typings 13.346.0-beta.20251209192131, and those of 14.366 of July 2026 have it: a region has a
 * name; x and y of a circle are numbers, its radius is more than 0 in 13 and 0 or more in 14, where it may also follow the grid.
 */
export class Region extends Document {
  static documentName = "Region";
  static _clean(source) {
    if (typeof source.name !== "string" || source.name.trim() === "") throw new RefusedData("name: may not be a blank string");
    source.shapes ??= [];
    source.elevation = { bottom: null, top: null, ...source.elevation };
    const { bottom, top } = source.elevation;
    for (const level of [bottom, top]) if (level !== null && !Number.isFinite(level)) throw new RefusedData("elevation: must be a number or null");
    if (top !== null && bottom !== null && top < bottom) throw new RefusedData("elevation.top may not be less than elevation.bottom");
    for (const shape of source.shapes) {
      const { type, x, y, radius } = shape;
      if (!SHAPES[table.generation >= 14 ? 14 : 13].includes(type)) throw new RefusedData(`shapes: ${type} is no shape of this version`);
      if (type !== "circle") continue;
      if (![x, y, radius].every(Number.isFinite)) throw new RefusedData("shapes: a circle needs x, y and radius");
      if (radius < 0 || (radius === 0 && table.generation < 14)) throw new RefusedData("shapes: the radius must be positive");
      shape.hole ??= false;
      if (table.generation >= 14) shape.gridBased ??= false;
    }
  }
}

/** The document of a token that was put on the scene; those that a world begins with have none. */
export class Token extends Document {
  static documentName = "Token";
  get actor() {
    return game.collections.get("ActorDelta").get(this.id) ?? game.actors.get(this.actorId) ?? null;
  }
  get delta() {
    return this.actorLink ? null : { documentName: "ActorDelta", parent: this, syntheticActor: this.actor };
  }
  get object() {
    return canvas.tokens.get(this.id) ?? null;
  }
  getCenterPoint(at = {}) {
    return centerOf({ ...this._source, ...at });
  }
}

/** The collection of the world's actors. */
export class Actors extends Collection {
  async importFromCompendium(pack, id, changes = {}) {
    const { _id, folder, sort, ownership, ...source } = (await pack.getDocument(id)).toObject();
    return Actor.create({ ...source, ...changes });
  }
}

/** Named here, filled by `chat.mjs` and `combats.mjs` with theirs. */
export const classes = { User, Item, ActiveEffect, Actor, ActorDelta, Macro, Folder, JournalEntryPage, JournalEntry, TableResult, RollTable, Scene, Token, MeasuredTemplate, Region };

export class CompendiumCollection extends Collection {
  constructor({ folders = [], ...metadata }) {
    super();
    this.metadata = metadata;
    this.folders = new Collection(folders.map((data) => [data._id, new Folder(data, { pack: metadata.id })]));
  }
  get config() {
    return game.settings.get("core", "compendiumConfiguration")[this.collection] ?? {};
  }
  get ownership() {
    return this.config.ownership ?? this.metadata.ownership ?? { PLAYER: "OBSERVER", ASSISTANT: "OWNER" };
  }
  get folder() {
    return game.folders.get(this.config.folder) ?? null;
  }
  get visible() {
    return this.getUserLevel() >= CONST.DOCUMENT_OWNERSHIP_LEVELS.OBSERVER;
  }
  /** By roles: whoever has a higher one has the rights of those below it, too. */
  getUserLevel(user = game.user) {
    const levels = Object.entries(this.ownership).filter(([role]) => user.hasRole(role));
    return Math.max(0, ...levels.map(([, level]) => CONST.DOCUMENT_OWNERSHIP_LEVELS[level]));
  }
  async configure(changes = {}) {
    const all = game.settings.get("core", "compendiumConfiguration");
    await game.settings.set("core", "compendiumConfiguration", { ...all, [this.collection]: { ...this.config, ...changes } });
  }
  setFolder(folder) {
    return this.configure({ folder: folder?.id ?? folder });
  }
  get collection() {
    return this.metadata.id;
  }
  get documentName() {
    return this.metadata.type;
  }
  get documentClass() {
    return classes[this.metadata.type];
  }
  get title() {
    return this.metadata.label;
  }
  get locked() {
    return false;
  }
  get index() {
    return new Collection(this.contents.map((document) => [document.id, { ...document._source, uuid: document.uuid }]));
  }
  async getIndex() {
    await this.getDocuments();
    return this.index;
  }
  async getDocuments() {
    const asked = new URLSearchParams({ world: server.world, pack: this.collection, type: this.documentName });
    const found = await (await fetch(`/world/pack?${asked}`)).json();
    this.clear();
    for (const data of found) this.set(data._id, new this.documentClass(data, { pack: this.collection }));
    return this.contents;
  }
  async getDocument(id) {
    return (await this.getDocuments()).find((document) => document.id === id) ?? null;
  }
  static async createCompendium(metadata) {
    const made = await server.ask("pack", { metadata });
    const pack = new CompendiumCollection(made);
    game.packs.set(pack.collection, pack);
    return pack;
  }
}
