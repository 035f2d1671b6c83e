// A page with the globals of Foundry VTT that the module uses, true to the shape of their interfaces and without anything else.
//
// The address says which world, who plays, and which version: /join?world=alley&user=gm&version=14. Both clients of a
// world see each other's changes. A test finds `ready` true when all hooks have run, `wire` with everything that came
// over the module's socket, and `notices` with what was shown to people.

import { ApplicationV2, DialogV2, FormDataExtended } from "./applications.mjs";
import { Token, makeCanvas, testCollision } from "./canvas.mjs";
import { ChatLog, ChatMessage, installModes } from "./chat.mjs";
import { combatOf, combatantOf } from "./combats.mjs";
import { ActorSheet, ActorSheetV2, Hotbar, Keybindings, TokenHUD, openMenu, registerCoreKeybindings } from "./controls.mjs";
import { Actors, CompendiumCollection, classes, hearOperation, server, table } from "./documents.mjs";
import { Die, NumericTerm, OperatorTerm, Roll } from "./rolls.mjs";
import { SystemData } from "./system_data.mjs";
import { Collection, Hooks, utils } from "./utils.mjs";

const asked = new URLSearchParams(location.search);
const generation = Number(asked.get("version") ?? 13);
server.world = asked.get("world");
server.user = asked.get("user");
server.client = crypto.randomUUID();
const feed = new EventSource(`/world/feed?world=${server.world}&user=${server.user}&client=${server.client}`);
/** What comes before this client can use it. */
const early = [];
const state = await new Promise((resolve) => {
  feed.onmessage = ({ data }) => {
    resolve(JSON.parse(data));
    feed.onmessage = ({ data }) => early.push(JSON.parse(data));
  };
});

const facts = state.facts ?? { statuses: ["dead", "unconscious", "prone"], round: 0, combat: { overrides: [], adds: [] } };
table.generation = generation;
table.data = state.facts ? new SystemData(state.facts) : null;
classes.Combat = combatOf(state.system, facts.combat);
classes.Combatant = combatantOf(state.system, facts.combat);

globalThis.ready = false;
globalThis.wire = [];
globalThis.notices = [];

globalThis.CONST = {
  CHAT_MESSAGE_STYLES: { OTHER: 0, OOC: 1, IC: 2, EMOTE: 3 },
  DOCUMENT_OWNERSHIP_LEVELS: { INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 },
  ...(generation >= 14 ? { ACTIVE_EFFECT_SHOW_ICON: { NEVER: 0, CONDITIONAL: 1, ALWAYS: 2 } } : {}),
  ...(generation >= 14 ? { ACTIVE_EFFECT_DURATION_UNITS: ["years", "months", "days", "hours", "minutes", "seconds", "rounds", "turns"] } : {}),
  TEXT_ANCHOR_POINTS: { CENTER: 0, BOTTOM: 1, TOP: 2, LEFT: 3, RIGHT: 4 },
  USER_ROLES: { NONE: 0, PLAYER: 1, TRUSTED: 2, ASSISTANT: 3, GAMEMASTER: 4 },
};
globalThis.CONFIG = {
  queries: {},
  ChatMessage: { documentClass: ChatMessage },
  Dice: { randomUniform: () => Math.random(), rolls: [Roll], fulfillment: { methods: {} } },
  ...Object.fromEntries(["Actor", "Item", "Combat", "Combatant", "JournalEntry", "RollTable", "Macro"].map((name) => [name, { documentClass: classes[name], dataModels: {} }])),
  Canvas: { polygonBackends: { sight: { testCollision } } },
  specialStatusEffects: { DEFEATED: "dead" },
  time: { roundTime: facts.round, turnTime: 0 },
  statusEffects: facts.statuses.map((id) => ({ id, name: id, img: `icons/svg/${id}.svg` })),
};
Object.assign(globalThis, { Hooks, Roll, ChatMessage, ...classes, fromUuid: utils.fromUuid, fromUuidSync: utils.fromUuidSync });
globalThis.foundry = {
  utils: { ...utils, Collection },
  applications: { api: { ApplicationV2, DialogV2 }, sheets: { ActorSheetV2 }, ux: { FormDataExtended }, instances: new Map(), handlebars: {} },
  dice: { Roll, terms: { Die, NumericTerm, OperatorTerm } },
  documents: { ...classes, collections: { CompendiumCollection } },
  appv1: { sheets: { ActorSheet } },
  helpers: { interaction: { KeyboardManager: { MODIFIER_KEYS: { CONTROL: "Control", SHIFT: "Shift", ALT: "Alt" } } } },
};
globalThis.ui = {
  chat: new ChatLog(),
  combat: { render: showCombat },
  controls: { render() {} },
  hotbar: new Hotbar(),
  notifications: Object.fromEntries(
    ["info", "warn", "error"].map((kind) => [kind, (message, options = {}) => notify(kind === "warn" ? "warning" : kind, message, options)]),
  ),
};

const world = new Map();
const users = new Map();
const ofUser = (key, user) => `${user} ${key}`;
const local = {
  get: (key) => JSON.parse(localStorage.getItem(`${server.world}.${server.user}.${key}`) ?? "null"),
  set: (key, value) => localStorage.setItem(`${server.world}.${server.user}.${key}`, JSON.stringify(value)),
};
class Settings {
  settings = new Map();
  /** Those of the world are the users', too. */
  storage = new Map([
    ["client", localStorage],
    ["world", { getItem: (key, user = null) => JSON.stringify(user ? users.get(ofUser(key, user)) : world.get(key)) ?? null }],
  ]);
  menus = new Map();
  register(namespace, key, data) {
    this.settings.set(`${namespace}.${key}`, { namespace, key, ...data });
  }
  registerMenu(namespace, key, data) {
    this.menus.set(`${namespace}.${key}`, { namespace, key, ...data });
  }
  #known(namespace, key) {
    const setting = this.settings.get(`${namespace}.${key}`);
    if (!setting) throw new Error(`"${namespace}.${key}" is not a registered game setting`);
    return setting;
  }
  get(namespace, key) {
    const setting = this.#known(namespace, key);
    const name = `${namespace}.${key}`;
    const kept = setting.scope === "world" ? world.get(name) : setting.scope === "user" ? users.get(ofUser(name, game.user.id)) : local.get(name);
    return structuredClone(kept ?? (typeof setting.default === "function" ? undefined : setting.default));
  }
  async set(namespace, key, value) {
    const setting = this.#known(namespace, key);
    const name = `${namespace}.${key}`;
    if (setting.scope === "world") {
      await server.ask("setting", { key: name, value });
      world.set(name, value);
      Hooks.callAll("updateSetting", { key: name, user: null }, {}, {}, game.user.id);
    } else if (setting.scope === "user") {
      await server.ask("setting", { key: name, value, of: game.user.id });
      users.set(ofUser(name, game.user.id), value);
      Hooks.callAll("updateSetting", { key: name, user: game.user.id }, {}, {}, game.user.id);
    } else local.set(name, value);
    await setting.onChange?.(this.get(namespace, key), {}, game.user.id);
    Hooks.callAll("clientSettingChanged", name, value);
    return value;
  }
}

/** Translations of the module, English below the chosen language. */
const i18n = {
  lang: asked.get("lang") ?? "en",
  translations: {},
  missing: new Set(),
  async load(manifest) {
    for (const lang of new Set(["en", this.lang])) {
      const file = manifest.languages.find((one) => one.lang === lang);
      if (file) utils.mergeObject(this.translations, utils.expandObject(await (await fetch(`/modules/fracas/${file.path}`)).json()));
    }
  },
  has(key) {
    return typeof utils.getProperty(this.translations, key) === "string";
  },
  localize(key) {
    const found = utils.getProperty(this.translations, key);
    if (typeof found !== "string" && /^FRACAS\./i.test(key)) this.missing.add(key);
    return typeof found === "string" ? found : key;
  },
  format(key, data = {}) {
    return this.localize(key).replace(/\{([^}]+)\}/g, (_, name) => data[name] ?? `{${name}}`);
  },
  getListFormatter: (options) => new Intl.ListFormat(i18n.lang, options),
};

class Socket {
  #handlers = new Map();
  on(event, handler) {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
  }
  emit(event, data) {
    return server.ask("socket", { event, data });
  }
  deliver(event, data, user) {
    wire.push(data);
    for (const handler of this.#handlers.get(event) ?? []) handler(data, user);
  }
}

class Users extends Collection {
  get activeGM() {
    return this.filter(({ isGM, active }) => isGM && active).sort((a, b) => (a.id > b.id ? 1 : -1))[0] ?? null;
  }
  get current() {
    return game.user;
  }
}
class Combats extends Collection {
  get active() {
    return this.find(({ active }) => active) ?? null;
  }
  get viewed() {
    return this.active ?? this.contents[0] ?? null;
  }
}

const manifest = await (await fetch("/modules/fracas/module.json")).json();
const own = { User: Users, Combat: Combats, Actor: Actors };
const collections = new Map(Object.keys(classes).map((name) => [name, new (own[name] ?? Collection)()]));
globalThis.game = {
  world: { id: server.world, title: server.world },
  system: { id: state.system, version: "1.0.0", title: state.system },
  release: { generation, build: 1 },
  version: `${generation}.350`,
  userId: server.user,
  ready: false,
  settings: new Settings(),
  i18n,
  socket: new Socket(),
  modules: new Collection([["fracas", { id: "fracas", active: true, title: "Fracas", version: manifest.version, flags: manifest.flags ?? {} }]]),
  packs: new Collection(),
  collections,
  time: { worldTime: state.time },
  keybindings: new Keybindings(),
  users: collections.get("User"),
  actors: collections.get("Actor"),
  items: collections.get("Item"),
  messages: collections.get("ChatMessage"),
  combats: collections.get("Combat"),
  macros: collections.get("Macro"),
  folders: collections.get("Folder"),
  journal: collections.get("JournalEntry"),
  tables: collections.get("RollTable"),
  scenes: collections.get("Scene"),
  get user() {
    return this.users.get(server.user);
  },
  get combat() {
    return this.combats.viewed;
  },
};
game.settings.register("core", "compendiumConfiguration", { scope: "world", default: {} });
game.settings.register("core", "scrollingStatusText", { scope: "client", type: Boolean, default: true });
for (const [key, value] of Object.entries(state.settings)) world.set(key, value);
for (const [user, known] of Object.entries(state.userSettings)) for (const [key, value] of Object.entries(known)) users.set(ofUser(key, user), value);
installModes(generation);

globalThis.canvas = makeCanvas(generation);
canvas.hud.token = new TokenHUD();

/** A token that is put on the scene, with an actor of its own if it is not linked. */
function put(document) {
  const deltas = collections.get("ActorDelta");
  const actor = game.actors.get(document.actorId);
  if (!document.actorLink && !deltas.has(document.id)) {
    deltas.set(document.id, new classes.ActorDelta({ ...actor.toObject(), _id: document.id, actorId: actor.id, name: document.name }));
  }
  canvas.tokens.placeables.push(new Token(document.actor, 0, document));
}

/** Without `format` a notice is HTML; Foundry takes scripts out of it. */
function notify(kind, message, { escape = true, localize = false, format } = {}) {
  const safe = (text) => (escape ? utils.escapeHTML(text) : text);
  const filled = format && Object.fromEntries(Object.entries(format).map(([key, value]) => [key, safe(value)]));
  const text = format ? i18n.format(message, filled) : localize ? i18n.localize(message) : message;
  const line = document.createElement("div");
  line.className = kind;
  line.innerHTML = text;
  notices.push({ kind, text: line.textContent });
  document.getElementById("notifications").append(line);
  return { id: notices.length };
}

function showCombat() {
  const place = document.getElementById("combat");
  const combat = game.combat;
  place.replaceChildren();
  if (!combat) return;
  const title = document.createElement("h4");
  title.textContent = `Round ${combat.round}`;
  const list = document.createElement("ol");
  list.className = "combat-tracker";
  for (const combatant of combat.turns) {
    const line = document.createElement("li");
    line.className = `combatant${combatant === combat.combatant ? " active" : ""}${combatant.defeated ? " defeated" : ""}`;
    line.dataset.combatantId = combatant.id;
    line.textContent = `${combatant.name} ${combatant.initiative ?? "–"}`;
    list.append(line);
  }
  place.append(title, list);
  Hooks.callAll("renderCombatTracker", { element: place }, place, {}, {});
}

function listen() {
  feed.onmessage = ({ data }) => hear(JSON.parse(data));
  for (const message of early) hear(message);
}

async function hear(message) {
  if (message.kind === "operation") hearOperation(message.operation);
  else if (message.kind === "setting") {
    if (message.of) users.set(ofUser(message.key, message.of), message.value);
    else {
      world.set(message.key, message.value);
      await game.settings.settings.get(message.key)?.onChange?.(message.value, {}, "");
    }
    Hooks.callAll("updateSetting", { key: message.key, user: message.of || null }, {}, {}, "");
  } else if (message.kind === "pack") game.packs.set(message.metadata.id, new CompendiumCollection(message.metadata));
  else if (message.kind === "socket") game.socket.deliver(message.event, message.data, message.user);
  else if (message.kind === "connected") {
    const user = game.users.get(message.user);
    user.active = message.active;
    Hooks.callAll("userConnected", user, message.active);
  } else if (message.kind === "query") {
    const answer = { id: message.id };
    try {
      answer.result = await CONFIG.queries[message.name](message.data, { user: game.users.get(message.user) });
    } catch (error) {
      answer.error = error.message;
    }
    await server.ask("answer", answer);
  }
}

registerCoreKeybindings(game.keybindings);
// What the game system does with items that are dropped on the hotbar; its scripts run before those of modules.
if (facts.made?.sheet?.drops) Hooks.on("hotbarDrop", (_hotbar, { type }) => (type === "Item" ? false : undefined));
await i18n.load(manifest);
for (const path of manifest.esmodules) await import(`${location.origin}/modules/fracas/${path}`);
Hooks.callAll("init");
Hooks.callAll("i18nInit");
for (const name of ["User", ...[...collections.keys()].filter((name) => name !== "User")]) {
  for (const data of state.documents[name] ?? []) collections.get(name).set(data._id, new classes[name](data));
}
for (const user of game.users) user.active = state.active.includes(user.id);
for (const metadata of state.packs) game.packs.set(metadata.id, new CompendiumCollection(metadata));
const linked = game.actors.filter((actor) => !collections.get("ActorDelta").some((one) => one.actorId === actor.id));
const placed = new Set(canvas.scene.tokens.map(({ id }) => id));
canvas.tokens.placeables = [...linked, ...collections.get("ActorDelta").filter(({ _id }) => !placed.has(_id))].map((actor, at) => new Token(actor, 10 * at));
canvas.scene.tokens.forEach(put);
Hooks.on("createToken", put);
document.getElementById("tokens").replaceChildren(...canvas.tokens.placeables.map((token) => token.draw()));
Hooks.callAll("setup");
game.keybindings.initialize();
listen();
await ui.hotbar.render({ force: true });
document.querySelector(".chat-log").addEventListener("contextmenu", (event) => {
  const message = event.target.closest("[data-message-id]");
  event.preventDefault();
  if (message) openMenu(message, generation);
});
for (const message of game.messages) await ui.chat.refresh(message, "create");
showCombat();
game.ready = true;
Hooks.callAll("canvasReady", canvas);
Hooks.callAll("ready");
globalThis.ready = true;
