// Documents and collections, kept by the stand-in's server.

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
    const allowed = sources.filter((source) => Hooks.call(`preCreate${name}`, new this(source, { parent, pack }), source, options, game.user.id));
    return operate(this, "create", allowed, { parent, pack, keepId, ...options });
  }
  static async updateDocuments(updates, { parent = null, pack = null, ...options } = {}) {
    const held = holder(this.documentName, parent, pack);
    const allowed = updates.filter((update) => {
      const document = held.get(update._id);
      return !document || Hooks.call(`preUpdate${this.documentName}`, document, update, options, game.user.id);
    });
    return operate(this, "update", allowed, { parent, pack, ...options });
  }
  static async deleteDocuments(ids, { parent = null, pack = null, ...options } = {}) {
    return operate(this, "delete", ids, { parent, pack, ...options });
  }
}

async function operate(kind, action, data, { parent, pack, keepId, ...options }) {
  if (data.length === 0) return [];
  const above = parent && { type: parent.constructor.documentName, id: parent._id };
  const done = await server.ask("operate", {
    operation: { action, type: kind.documentName, data, parent: above, pack, keepId, options },
  });
  return carryOut(done);
}

/** The collection that holds documents of a kind. */
function holder(name, parent, pack) {
  if (parent) return parent.getEmbeddedCollection(name);
  return pack ? game.packs.get(pack) : game.collections.get(name);
}

/** What the server has done, of this client or another one. */
export function carryOut({ action, type, data, parent, pack, user, options }) {
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
    if (action === "create") Hooks.callAll(`create${type}`, document, options, user);
    if (action === "update") Hooks.callAll(`update${type}`, document.isToken ? document.token.delta : document, { ...changes, _id: document.id }, options, user);
    if (action === "delete") Hooks.callAll(`delete${type}`, document, options, user);
    document._changed?.(action, changes);
  }
  if (above) above._changed?.("update", {});
  return done.map(({ document }) => document);
}

function refreshSource(parent, type) {
  if (!parent) return;
  const [field] = Object.entries(parent.constructor.embedded).find(([, name]) => name === type);
  parent._source[field] = parent.getEmbeddedCollection(type).map((document) => document._source);
}

export class User extends Document {
  static documentName = "User";
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
  set character(_) {}
  can(permission) {
    return this.isGM || permission === "QUERY_USER" || permission === "MESSAGE_WHISPER";
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
}

export class Item extends Document {
  static documentName = "Item";
  static embedded = { effects: "ActiveEffect" };
  get actor() {
    return this.parent;
  }
}

export class ActiveEffect extends Document {
  static documentName = "ActiveEffect";
  get isSuppressed() {
    return false;
  }
}

export class Actor extends Document {
  static documentName = "Actor";
  static embedded = { items: "Item", effects: "ActiveEffect" };
  get statuses() {
    return new Set(this.effects.contents.flatMap((effect) => (effect.disabled ? [] : [...(effect.statuses ?? [])])));
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
  getActiveTokens() {
    return canvas.tokens.placeables.filter((token) => token.actor === this);
  }
  async toggleStatusEffect(id, { active, overlay = false } = {}) {
    const held = this.effects.find((effect) => effect.statuses?.includes?.(id));
    if (held && active !== true) return held.delete().then(() => false);
    if (held || active === false) return undefined;
    const status = CONFIG.statusEffects.find((one) => one.id === id);
    if (!status) throw new Error(`Invalid status ID "${id}" provided to Actor#toggleStatusEffect`);
    const [effect] = await this.createEmbeddedDocuments("ActiveEffect", [{ name: status.name, img: status.img, statuses: [id], flags: { core: { overlay } } }]);
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

export class Combatant extends Document {
  static documentName = "Combatant";
  get combat() {
    return this.parent;
  }
  get actor() {
    return game.collections.get("ActorDelta").get(this.tokenId) ?? game.actors.get(this.actorId) ?? null;
  }
  get token() {
    return canvas.tokens.placeables.find((token) => token.id === this.tokenId)?.document ?? null;
  }
  prepareData() {
    this.name ||= this.actor?.name ?? "";
  }
  get isDefeated() {
    return Boolean(this.defeated);
  }
  get isOwner() {
    return game.user.isGM || Boolean(this.actor?.isOwner);
  }
  getUserLevel(user) {
    return user.isGM ? 3 : (this.actor?.getUserLevel(user) ?? 0);
  }
  get players() {
    return game.users.filter((user) => !user.isGM && this.actor?.testUserPermission(user, "OWNER"));
  }
}

export class Combat extends Document {
  static documentName = "Combat";
  static embedded = { combatants: "Combatant" };
  prepareData() {
    this.round ??= 0;
    this.turn ??= null;
    this.turns = this.setupTurns();
  }
  setupTurns() {
    const value = ({ initiative }) => (Number.isFinite(initiative) ? initiative : -Infinity);
    return this.collections.Combatant.contents.sort((a, b) => value(b) - value(a) || (a.id > b.id ? 1 : -1));
  }
  get combatant() {
    return this.turns[this.turn] ?? null;
  }
  get started() {
    return this.round > 0;
  }
  get isActive() {
    return game.combats.active === this;
  }
  getCombatantsByActor(actor) {
    return this.combatants.filter(({ actorId }) => actorId === (actor.id ?? actor));
  }
  getCombatantByToken(token) {
    return this.combatants.find(({ tokenId }) => tokenId === (token.id ?? token));
  }
  startCombat() {
    Hooks.callAll("combatStart", this, { round: 1, turn: 0 });
    return this.update({ round: 1, turn: 0 });
  }
  nextTurn() {
    const turn = (this.turn ?? -1) + 1;
    if (turn >= this.turns.length) return this.nextRound();
    Hooks.callAll("combatTurn", this, { round: this.round, turn }, {});
    return this.update({ turn }, { direction: 1 });
  }
  previousTurn() {
    if (this.turn > 0) return this.update({ turn: this.turn - 1 }, { direction: -1 });
    return this.update({ round: Math.max(this.round - 1, 0), turn: this.turns.length - 1 }, { direction: -1 });
  }
  nextRound() {
    return this.update({ round: this.round + 1, turn: 0 }, { direction: 1 });
  }
  setInitiative(id, initiative) {
    return this.combatants.get(id, { strict: true }).update({ initiative });
  }
  activate() {
    return this.update({ active: true });
  }
  endCombat() {
    return this.delete();
  }
  _changed(action, changes) {
    this.turns = this.setupTurns();
    const current = { round: this.round, turn: this.turn, combatantId: this.combatant?.id ?? null };
    if (action === "update" && ("round" in changes || "turn" in changes)) {
      Hooks.callAll("combatTurnChange", this, this.previous ?? {}, current);
    }
    Object.defineProperty(this, "previous", { value: current, configurable: true, writable: true });
    ui.combat?.render();
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

export class JournalEntryPage extends Document {
  static documentName = "JournalEntryPage";
}

export class JournalEntry extends Document {
  static documentName = "JournalEntry";
  static embedded = { pages: "JournalEntryPage" };
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
}

/** Named here, filled by `chat.mjs` with ChatMessage. */
export const classes = { User, Item, ActiveEffect, Actor, ActorDelta, Combatant, Combat, Macro, Folder, JournalEntryPage, JournalEntry, TableResult, RollTable, Scene };

export class CompendiumCollection extends Collection {
  constructor(metadata) {
    super();
    this.metadata = metadata;
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
