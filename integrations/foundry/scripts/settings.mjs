/** What people set: for the world (address, mapping) and for each client (token, visibility, dice). */

import { ServiceClient } from "./client.mjs";
import { ConnectionDialog } from "./connection-dialog.mjs";
import { PRESETS } from "./sheet-mapping.mjs";
import { VISIBILITIES } from "./visibility.mjs";

export const MODULE = "fracas";

/** Mappings beside the presets: the preset of the world's game system, and the one made in the dialog. */
const MAPPINGS = ["auto", ...PRESETS, "own"];

export function registerSettings() {
  const { settings } = game;
  settings.register(MODULE, "address", {
    name: "FRACAS.settings.address.name",
    hint: "FRACAS.settings.address.hint",
    scope: "world",
    config: true,
    type: String,
    default: "http://127.0.0.1:8844",
    onChange: forget,
  });
  settings.register(MODULE, "mapping", {
    name: "FRACAS.settings.mapping.name",
    hint: "FRACAS.settings.mapping.hint",
    scope: "world",
    config: true,
    type: String,
    choices: Object.fromEntries(MAPPINGS.map((id) => [id, `FRACAS.settings.mapping.${id}`])),
    default: "auto",
    onChange: forget,
  });
  settings.register(MODULE, "token", {
    name: "FRACAS.settings.token.name",
    hint: "FRACAS.settings.token.hint",
    scope: "client",
    config: true,
    type: String,
    default: "",
    onChange: forget,
  });
  settings.register(MODULE, "visibility", {
    name: "FRACAS.settings.visibility.name",
    hint: "FRACAS.settings.visibility.hint",
    scope: "client",
    config: true,
    type: String,
    choices: Object.fromEntries(VISIBILITIES.map((id) => [id, `FRACAS.settings.visibility.${id}`])),
    default: "table",
  });
  settings.register(MODULE, "dice", {
    name: "FRACAS.settings.dice.name",
    hint: "FRACAS.settings.dice.hint",
    scope: "client",
    config: true,
    type: String,
    choices: { service: "FRACAS.settings.dice.service", foundry: "FRACAS.settings.dice.foundry" },
    default: "service",
  });
  settings.register(MODULE, "decisions", {
    name: "FRACAS.settings.decisions.name",
    hint: "FRACAS.settings.decisions.hint",
    scope: "user",
    config: true,
    type: String,
    choices: {
      world: "FRACAS.settings.decisions.world",
      ask: "FRACAS.settings.decisions.ask",
      reactions: "FRACAS.settings.decisions.reactions",
      default: "FRACAS.settings.decisions.default",
    },
    default: "world",
  });
  settings.register(MODULE, "worldDecisions", {
    name: "FRACAS.settings.world-decisions.name",
    hint: "FRACAS.settings.world-decisions.hint",
    scope: "world",
    config: true,
    type: String,
    choices: {
      ask: "FRACAS.settings.world-decisions.ask",
      reactions: "FRACAS.settings.world-decisions.reactions",
      default: "FRACAS.settings.decisions.default",
    },
    default: "reactions",
  });
  settings.register(MODULE, "hotbar", {
    name: "FRACAS.settings.hotbar.name",
    hint: "FRACAS.settings.hotbar.hint",
    scope: "client",
    config: true,
    type: String,
    choices: { fracas: "FRACAS.settings.hotbar.fracas", system: "FRACAS.settings.hotbar.system" },
    default: "fracas",
  });
  // Secrets of this client by the id of the fight; sent by the game master's client.
  settings.register(MODULE, "tokens", { scope: "client", config: false, type: Object, default: {} });
  settings.register(MODULE, "ownMapping", { scope: "world", config: false, type: Object, default: {}, onChange: forget });
  settings.registerMenu(MODULE, "connection", {
    name: "FRACAS.connection.title",
    label: "FRACAS.connection.test",
    hint: "FRACAS.connection.hint",
    icon: "fa-solid fa-plug",
    type: ConnectionDialog,
    restricted: false,
  });
}

/**
 * A setting of this module.
 *
 * @param {"address" | "mapping" | "token" | "visibility" | "dice" | "decisions" | "worldDecisions" | "hotbar" | "tokens" | "ownMapping"} key
 * @returns {any}
 */
export function setting(key) {
  return game.settings.get(MODULE, key);
}

/** @type {ServiceClient | undefined} */
let client;
/** @type {Promise<import("./sheet-mapping.mjs").Mapping> | undefined} */
let mapping;

/** @type {import("./sheet-mapping.mjs").Mapping | null} the mapping once it is there */
let loaded = null;

function forget() {
  client = undefined;
  mapping = undefined;
  loaded = null;
  if (game.ready) Hooks.callAll(`${MODULE}.service`);
}

/** The service that is set. */
export function service() {
  const version = game.modules.get(MODULE)?.version ?? "";
  client ??= new ServiceClient({ address: setting("address"), token: setting("token"), version });
  return client;
}

/**
 * The mapping that is set; `auto` takes the preset of the world's game system, or the generic one.
 *
 * @returns {Promise<import("./sheet-mapping.mjs").Mapping>}
 */
export function activeMapping() {
  mapping ??= loadMapping(setting("mapping"));
  mapping.then((found) => (loaded = found), () => (mapping = undefined));
  return mapping;
}

/** The same for what cannot wait; null while it is not there. */
export function mappingNow() {
  return loaded;
}

/** @param {string} id */
async function loadMapping(id) {
  const own = setting("ownMapping");
  if (id === "own" || (id === "auto" && own.id)) {
    if (own.id) return own;
    throw new Error(game.i18n.localize("FRACAS.settings.mapping.none"));
  }
  const preset = id !== "auto" ? id : PRESETS.includes(game.system.id) ? game.system.id : "generic";
  return presetMapping(preset);
}

/**
 * A mapping that comes with the module.
 *
 * @param {string} id
 * @returns {Promise<import("./sheet-mapping.mjs").Mapping>}
 */
export async function presetMapping(id) {
  const response = await fetch(new URL(`../mappings/${id}.json`, import.meta.url));
  if (!response.ok) throw new Error(`mappings/${id}.json: ${response.status}`);
  return response.json();
}
