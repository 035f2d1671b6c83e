/** What people set: for the world (address, mapping) and for each client (token, visibility, dice). */

import { ServiceClient } from "./client.mjs";
import { ConnectionDialog } from "./connection-dialog.mjs";
import { VISIBILITIES } from "./visibility.mjs";

export const MODULE = "fracas";

/** The game system of mappings in which people choose the places on the sheet. */
const ANY = "*";

/**
 * The mappings that the packs had when the module was made.
 *
 * @returns {{id: string, label: string, system: string, ruleset: string}[]}
 */
function brought() {
  return flags().mappings ?? [];
}

/** What the manifest says of this module. @returns {{mappings?: any[], inside?: boolean}} */
function flags() {
  const all = /** @type {Record<string, any>} */ (game.modules.get(MODULE)?.flags ?? {});
  return all[MODULE] ?? {};
}

export function registerSettings() {
  const { settings } = game;
  settings.register(MODULE, "where", {
    name: "FRACAS.settings.where.name",
    hint: "FRACAS.settings.where.hint",
    scope: "world",
    config: true,
    type: String,
    choices: { inside: "FRACAS.settings.where.inside", service: "FRACAS.settings.where.service" },
    default: flags().inside ? "inside" : "service", // a module that a service gave has no Fracas in it
    onChange: forget,
  });
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
    choices: {
      auto: "FRACAS.settings.mapping.auto",
      ...Object.fromEntries(brought().flatMap(({ id, label, system }) => (system === ANY ? [] : [[id, label]]))),
      generic: "FRACAS.settings.mapping.generic",
      own: "FRACAS.settings.mapping.own",
    },
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
  settings.register(MODULE, "positions", {
    name: "FRACAS.settings.positions.name",
    hint: "FRACAS.settings.positions.hint",
    scope: "world",
    config: true,
    type: Boolean,
    default: false,
  });
  // Secrets of this client by the id of the fight; sent by the game master's client.
  settings.register(MODULE, "tokens", { scope: "client", config: false, type: Object, default: {} });
  // Of the journal of Fracas inside Foundry, by world (`inside-key.mjs`).
  settings.register(MODULE, "journalKeys", { scope: "client", config: false, type: Object, default: {} });
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
 * @param {"where" | "address" | "mapping" | "token" | "visibility" | "dice" | "decisions" | "worldDecisions" | "hotbar" | "positions" | "tokens" | "ownMapping"} key
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

/** @type {{transport: (path: string, init: any) => Promise<Response>, timeout: number} | undefined} */
let inside;

/**
 * How Fracas is asked where it runs in Foundry itself.
 *
 * @param {(path: string, init: any) => Promise<Response>} transport
 * @param {number} timeout milliseconds
 */
export function setInside(transport, timeout) {
  inside = { transport, timeout };
}

/** Whether Fracas runs in Foundry itself. */
export function isInside() {
  return setting("where") === "inside";
}

/** The service that is set. */
export function service() {
  const version = game.modules.get(MODULE)?.version ?? "";
  const place = isInside() ? { address: "inside", ...inside } : { address: setting("address") };
  client ??= new ServiceClient({ ...place, token: setting("token"), version });
  return client;
}

/**
 * The mapping that is set; `auto` takes that of the world's game system, or the generic one.
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
  if (id !== "auto") return presetMapping(id);
  return (await mappingOf(({ system }) => system === game.system.id)) ?? presetMapping("generic");
}

/**
 * The mapping of a ruleset in which people choose the places on the sheet.
 *
 * @param {string} ruleset
 * @returns {Promise<import("./sheet-mapping.mjs").Mapping | null>}
 */
export function mappingForAny(ruleset) {
  return mappingOf((one) => one.system === ANY && one.ruleset === ruleset);
}

/**
 * A mapping that came with the module, or else one of the service, whose packs may be others by now.
 *
 * @param {(mapping: {system: string, ruleset: string}) => boolean} fits
 * @returns {Promise<import("./sheet-mapping.mjs").Mapping | null>}
 */
async function mappingOf(fits) {
  const near = brought().find(fits);
  if (near) return presetMapping(near.id);
  const known = await service().mappings().catch(() => []);
  return known.find(fits) ?? null;
}

/**
 * @param {string} id
 * @returns {Promise<import("./sheet-mapping.mjs").Mapping>}
 */
async function presetMapping(id) {
  const response = await fetch(new URL(`../mappings/${id}.json`, import.meta.url));
  if (!response.ok) throw new Error(`mappings/${id}.json: ${response.status}`);
  return response.json();
}
