/**
 * Two stand-ins for Roll20 in which the Mod runs: mock20, which others wrote, and a bare one of ours, which is stricter. In both the
 * script sees the names of Roll20's sandbox and nothing else: no network, no modules, no page.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import vm from "node:vm";

const require = createRequire(new URL("../js/package.json", import.meta.url));
const PLACE = "const PACK = null;";
const MARKERS = { prone: "back-pain", dead: "dead", stunned: "fist" };

/** The status markers of the game: those of Roll20's default set that are used here, and one of the GM's own. */
const GAME_MARKERS = JSON.stringify([
  { id: 59, name: "back-pain", tag: "back-pain", url: "" },
  { id: 4711, name: "Knocked Down", tag: "Knocked_Down::4711", url: "" },
]);

const BARS = { hp: { bar: "bar1", way: "down" }, physical: { bar: "bar1", way: "up" }, stun: { bar: "bar2", way: "up" } };

/**
 * What a new page has of its scale. `left` and `top` of a graphic are the pixels of its middle from the upper left corner of the page;
 * a unit of the grid has 70, a square `snapping_increment` units (0 without a grid) and measures `scale_number` of `scale_units`.
 */
const SCALE = { snapping_increment: 1, scale_number: 5, scale_units: "ft" };

/** The names that a Mod finds, besides those of the language. */
const NAMES = "on sendChat createObj getObj findObjs playerIsGM Campaign log state setTimeout".split(" ");

/** The script that the export made, with a pack in it; `null`: none. */
export function scriptWith(pack) {
  const text = readFileSync(process.env.FRACAS_MOD, "utf8");
  assert.equal(text.split(PLACE).length, 2);
  return text.replace(PLACE, () => `const PACK = ${JSON.stringify(pack)};`);
}

export function packOf(more = {}) {
  return {
    id: "p",
    title: "A pack (sr4)",
    version: "1.0.0",
    bars: BARS,
    markers: MARKERS,
    tables: [{ id: "p:table/falls", name: "Falls", rows: [["Bruised", 2], ["Broken", 4]] }],
    handouts: [{ id: "p:actions", name: "Actions", notes: "<h3>Aim</h3><p>Takes a while</p>" }],
    macros: [
      { id: "p:attack", name: "Attack", text: "&{template:default} {{name=@{selected|token_name}}}", token: true },
      { id: "p:roll", name: "Roll", text: "[[1d6]]", token: false },
    ],
    ...more,
  };
}

/** Somebody at a table: what they type arrives with what they have selected. */
class Table {
  constructor(host, scripts) {
    Object.assign(this, host);
    for (const script of scripts) this.load(script);
    this.start();
  }

  load(script) {
    vm.runInContext(script, this.context, { timeout: 60000 });
  }

  /** What the Mod answers to a line in the chat. */
  async says(who, line, selected = []) {
    const before = this.heard.length;
    this.type(who, line, selected.map((token) => ({ _id: token.id, _type: "graphic" })));
    const start = Date.now();
    while (this.heard.length === before) {
      assert.ok(Date.now() - start < 20_000, `no answer to ${line}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
    return this.heard.slice(before).join("\n");
  }

  gmSays(line, selected) {
    return this.says(this.gm, line, selected);
  }

  token(name, values = {}) {
    return this.make("graphic", { _pageid: this.page.id, _subtype: "token", layer: "objects", name, ...values });
  }

  /** Everything that a pack can put into a game, as plain data. */
  async content() {
    const handouts = await Promise.all(
      this.all("handout").map((one) => new Promise((resolve) => one.get("notes", (text) => resolve([one.get("name"), text])))),
    );
    const named = (type, fields) => this.all(type).map((one) => fields.map((field) => one.get(field)));
    return {
      tables: this.all("rollabletable").map((table) => [
        table.get("name"),
        this.rows(table).map((row) => [row.get("name"), Number(row.get("weight"))]),
      ]),
      handouts,
      macros: named("macro", ["_playerid", "name", "action"]),
      abilities: named("ability", ["_characterid", "name", "action", "istokenaction"]),
    };
  }

  rows(table) {
    return this.all("tableitem").filter((row) => row.get("_rollabletableid") === table.id);
  }

  named(type, name) {
    return this.all(type).find((one) => one.get("name") === name);
  }
}

function contextOf(functions) {
  const names = { ...functions, setTimeout: (act, ms) => void setTimeout(act, ms) };
  assert.deepEqual(Object.keys(names).sort(), [...NAMES].sort());
  return vm.createContext(names);
}

/** A game in mock20. */
export function mock20(...scripts) {
  for (const path of Object.keys(require.cache)) if (path.includes("mock20")) delete require.cache[path];
  require("mock20");
  const heard = [];
  const warnings = [];
  const logged = [];
  globalThis.MOCK20log = (text, _options, kind) => {
    if (kind !== "ROLL20 CHAT") warnings.push(text);
    else if (JSON.parse(text).who === "error") warnings.push(text);
  };
  const override = { MOCK20override: true };
  const page = globalThis.createObj("page", { name: "Yard", ...SCALE }, override);
  const person = (name, isGm) => {
    const player = globalThis.createObj("player", { _displayname: name, _lastpage: page.id }, override);
    player.MOCK20gm = isGm;
    return player;
  };
  globalThis.Campaign().MOCK20data.playerpageid = page.id;
  globalThis.Campaign().MOCK20data._token_markers = GAME_MARKERS; // newer than mock20
  globalThis.on("chat:message", (message) => {
    if (message.playerid !== "API") return;
    heard.push(message.type === "whisper" ? `to ${message.target_name}: ${message.content}` : `aloud: ${message.content}`);
    if (message.inlinerolls || message.rolltemplate) warnings.push(`read by Roll20: ${message.content}`);
  });
  const { on, sendChat, createObj, getObj, findObjs, playerIsGM, Campaign, state } = globalThis;
  return new Table(
    {
      context: contextOf({ on, sendChat, createObj, getObj, findObjs, playerIsGM, Campaign, state, log: (text) => logged.push(text) }),
      heard,
      warnings,
      logged,
      state,
      page,
      gm: person("Gail", true),
      player: person("Pat", false),
      make: createObj,
      all: (type) => findObjs({ _type: type }),
      type: (who, line, selected) => who.MOCK20chat(line, { MOCK20selected: selected }),
      start: () => globalThis.MOCK20endOfLastScript(),
    },
    scripts,
  );
}

/** Properties that objects of Roll20 have; what else is set or asked for is a fault. */
const PROPERTIES = {
  page: ["name", "snapping_increment", "scale_number", "scale_units"],
  player: ["_displayname", "_lastpage"],
  campaign: ["playerpageid", "playerspecificpages", "_token_markers"],
  character: ["name", "controlledby"],
  rollabletable: ["name", "showplayers"],
  tableitem: ["_rollabletableid", "name", "weight", "avatar"],
  handout: ["name", "notes", "gmnotes", "inplayerjournals"],
  macro: ["_playerid", "name", "action", "visibleto", "istokenaction"],
  ability: ["_characterid", "name", "action", "description", "istokenaction"],
  graphic: [
    ...["_pageid", "_subtype", "layer", "left", "top", "name", "represents", "controlledby", "statusmarkers"],
    ...["bar1", "bar2", "bar3"].flatMap((bar) => [`${bar}_value`, `${bar}_max`]),
  ],
};

/** A game of ours: as strict as Roll20's documentation. Texts of handouts come late, and tidied up. */
export function bare(...scripts) {
  const objects = new Map();
  const listeners = { ready: [], "chat:message": [] };
  const heard = [];
  const warnings = [];
  const logged = [];
  let last = 0;
  const make = (type, properties) => {
    const id = `-M${type}_${(last += 1)}`;
    const values = new Map(PROPERTIES[type].map((name) => [name, ""]));
    const known = (name) => {
      if (!values.has(name) && name !== "_type" && name !== "_id") warnings.push(`${type} has no ${name}`);
    };
    const object = {
      id,
      get(name, callback) {
        known(name);
        const value = name === "_type" ? type : name === "_id" ? id : values.get(name);
        if (type === "handout" && ["notes", "gmnotes"].includes(name)) {
          if (typeof callback !== "function") warnings.push(`${name} without callback`);
          setTimeout(() => callback(value), 1);
          return undefined;
        }
        return value;
      },
      set(changes) {
        for (const [name, value] of Object.entries(changes)) {
          known(name);
          if (name.startsWith("_")) warnings.push(`${name} cannot be set`);
          values.set(name, name === "notes" ? value.replace(/<br>/g, "<br />") : value);
        }
      },
      remove: () => objects.delete(id),
    };
    for (const [name, value] of Object.entries(properties)) {
      known(name);
      if (name === "notes") warnings.push("a new handout takes no notes");
      values.set(name, value);
    }
    objects.set(id, object);
    return object;
  };
  const matches = (object, wanted, folded) =>
    Object.entries(wanted).every(([name, value]) => folded(object.get(name)) === folded(value));
  const page = make("page", { name: "Yard", ...SCALE });
  const campaign = make("campaign", { playerpageid: page.id, playerspecificpages: false, _token_markers: GAME_MARKERS });
  const gm = make("player", { _displayname: "Gail", _lastpage: page.id });
  const player = make("player", { _displayname: "Pat", _lastpage: page.id });
  const all = (type) => [...objects.values()].filter((one) => one.get("_type") === type);
  const functions = {
    on: (event, callback) => listeners[event].push(callback),
    createObj: make,
    getObj: (type, id) => (objects.get(id)?.get("_type") === type ? objects.get(id) : null),
    findObjs: ({ _type, ...wanted }, options = {}) => {
      const folded = (value) => (options.caseInsensitive && typeof value === "string" ? value.toLowerCase() : value);
      return all(_type).filter((one) => matches(one, wanted, folded));
    },
    playerIsGM: (id) => id === gm.id,
    Campaign: () => campaign,
    log: (text) => logged.push(text),
    sendChat: (_speaker, text, callback, options) => {
      const whisper = /^\/w (gm|"[^"]+") (.*)$/.exec(text);
      if (!whisper) warnings.push(`no whisper on one line: ${text}`);
      else heard.push(`to ${whisper[1].replaceAll('"', "").replace("gm", "GM")}: ${whisper[2]}`);
      if (callback !== null || options?.noarchive !== true) warnings.push("sent in another way");
    },
  };
  const table = new Table(
    {
      context: contextOf({ ...functions, state: {} }),
      heard,
      warnings,
      logged,
      page,
      gm,
      player,
      make,
      all,
      type: (who, content, selected) => {
        const message = { type: content.startsWith("!") ? "api" : "general", content, playerid: who.id, who: "x", selected };
        for (const listener of listeners["chat:message"]) listener(message);
      },
      start: () => listeners.ready.forEach((listener) => listener()),
    },
    scripts,
  );
  table.state = table.context.state;
  /** The sandbox begins anew, with what Roll20 kept, as it does when a script is saved. */
  table.restart = (script) => {
    listeners.ready = [];
    listeners["chat:message"] = [];
    table.context = contextOf({ ...functions, state: JSON.parse(JSON.stringify(table.context.state)) });
    table.load(script);
    table.start();
  };
  return table;
}

export const HOSTS = { mock20, bare };
