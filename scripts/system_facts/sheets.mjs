// Sheets of actors, opened as far as that goes without a page: a system's own sheet classes prepare what they show, and its own
// templates are filled with it by Handlebars. Foundry's part in this is as little as its documentation says.

import { readFileSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";

import Handlebars from "../../tests/js/node_modules/handlebars/dist/cjs/handlebars.js";
import { anything, open } from "./foundry.mjs";
import { copied, plain } from "./fields.mjs";

/** Options of a class over those of the classes that it extends. */
function inherited(kind, name) {
  const chain = [];
  for (let one = kind; one; one = Object.getPrototypeOf(one)) if (Object.hasOwn(one, name)) chain.unshift(one[name]);
  return Object.assign({}, ...chain);
}

class ApplicationV2 {
  constructor(options = {}) {
    this.options = open({ ...inherited(this.constructor, "DEFAULT_OPTIONS"), ...options });
    this.id = "sheet";
    this.tabGroups = {};
  }
  get element() {
    return anything;
  }
  get rendered() {
    return false;
  }
  _configureRenderOptions(options) {
    options.parts = Object.keys(this.constructor.PARTS ?? {});
  }
  _configureRenderParts() {
    return copied(this.constructor.PARTS ?? {});
  }
  async _prepareContext() {
    return {};
  }
  async _preparePartContext(part, context) {
    return { ...context, partId: `${this.id}-${part}`, ...(context.tabs?.[part] ? { tab: context.tabs[part] } : {}) };
  }
  _getTabsConfig(group) {
    return this.constructor.TABS?.[group] ?? null;
  }
  _prepareTabs(group) {
    const { tabs = [], labelPrefix, initial = null } = this._getTabsConfig(group) ?? {};
    this.tabGroups[group] ??= initial;
    const made = tabs.map((tab) => {
      const active = this.tabGroups[group] === tab.id;
      return [tab.id, { group, active, cssClass: active ? "active" : "", label: labelPrefix ? `${labelPrefix}.${tab.id}` : "", ...tab }];
    });
    return Object.fromEntries(made);
  }
}

class ActorSheetV2 extends ApplicationV2 {
  get document() {
    return this.options.document;
  }
  get actor() {
    return this.document;
  }
  get isEditable() {
    return true;
  }
  get token() {
    return null;
  }
  async _prepareContext() {
    return { document: this.document, source: this.document._source, fields: this.document.schema.fields, editable: true, user: open({ isGM: true }), rootId: "sheet" };
  }
}

/** The sheet of before. */
class ActorSheet {
  static get defaultOptions() {
    return {};
  }
  constructor(document) {
    this.document = this.actor = this.object = document;
    this.options = open({ ...this.constructor.defaultOptions });
  }
  get isEditable() {
    return true;
  }
  get template() {
    return this.options.template;
  }
  getData() {
    const data = { ...this.document, items: [...this.document.items].map((item) => item.toObject(false)) };
    return { actor: this.document, data, items: data.items, effects: [], cssClass: "editable", editable: true, limited: false, owner: true, options: this.options, title: this.document.name };
  }
}

const truth = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** Helpers of templates that Foundry has in every system; those that only draw a field draw its name. */
const HELPERS = {
  localize: (key) => String(key),
  concat: (...parts) => parts.slice(0, -1).join(""),
  ifThen: (test, yes, no) => (test ? yes : no),
  checked: (value) => (value ? "checked" : ""),
  disabled: (value) => (value ? "disabled" : ""),
  object: ({ hash }) => hash,
  array: (...items) => items.slice(0, -1),
  numberFormat: (value, { hash = {} } = {}) => Number(value ?? 0).toFixed(hash.decimals ?? 0),
  numberInput: (value) => `<input type="number" value="${value}">`,
  selectOptions(choices, { hash = {} }) {
    if (choices === null || choices === undefined) throw new Error("selectOptions: there are no choices");
    return new Handlebars.SafeString(Object.keys(choices).map((key) => `<option${`${key}` === `${hash.selected}` ? " selected" : ""}>${key}</option>`).join(""));
  },
  radioBoxes: (name) => name,
  editor: (content) => content ?? "",
  timeSince: () => "",
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  gt: (a, b) => a > b,
  lte: (a, b) => a <= b,
  gte: (a, b) => a >= b,
  not: (value) => !value,
  and: (...all) => all.slice(0, -1).every(truth),
  or: (...all) => all.slice(0, -1).some(truth),
  select: (_selected, options) => options.fn(this),
};
for (const name of ["formInput", "formField", "formGroup"]) {
  HELPERS[name] = (field, { hash, loc }) => {
    if (!field) throw new Error(`${name}: there is no such field, line ${loc?.start.line} of a template, ${JSON.stringify(hash)}`);
    return "";
  };
}

/** All templates of a checkout by their paths. */
function templatesIn(folder) {
  const files = readdirSync(folder, { recursive: true }).map((name) => name.split(sep).join("/"));
  return files.filter((name) => /\.(hbs|html|handlebars)$/.test(name) && !name.includes("node_modules"));
}

/**
 * Gives a system's modules what they need to declare sheets; to be called before they run.
 *
 * @param {any} names the globals
 * @param {string} id of the system
 * @param {string} folder its source
 */
export function sheetsFor(names, id, folder) {
  const registered = [];
  const handlebars = Handlebars.create();
  handlebars.registerHelper(HELPERS);
  const files = templatesIn(folder);
  /** A template by its path in Foundry: the file of the checkout that ends as it does. */
  const source = (path) => {
    if (!path.startsWith(`systems/${id}/`)) return null; // Foundry's own
    const parts = path.slice(`systems/${id}/`.length).split("/");
    for (let from = 0; from < parts.length; from += 1) {
      const end = parts.slice(from).join("/");
      const found = files.filter((name) => name === end || name.endsWith(`/${end}`));
      if (found.length === 1) return readFileSync(join(folder, found[0]), "utf-8");
    }
    throw new Error(`no template ${path} in the source`);
  };
  const loadTemplates = async (paths) => {
    for (const [key, path] of Array.isArray(paths) ? paths.map((one) => [one, one]) : Object.entries(paths)) {
      const text = source(path);
      if (text !== null) handlebars.registerPartial({ [key]: text, [path]: text });
    }
  };
  const registerSheet = (...given) => {
    const [sheet, { types = [] } = {}] = given.slice(-2);
    registered.push({ sheet, types });
  };
  const actors = open({ registerSheet: (_scope, sheet, how) => registerSheet(sheet, how), unregisterSheet() {} });
  const config = open({ registerSheet: (kind, _scope, sheet, how) => kind === names.Actor && registerSheet(sheet, how), unregisterSheet() {} });
  const TextEditor = open({ enrichHTML: async (text) => text ?? "" });
  TextEditor.implementation = TextEditor;
  const handlers = open({ loadTemplates, renderTemplate: async () => "" });
  names.foundry.applications = open({
    api: open({ ApplicationV2, DocumentSheetV2: ActorSheetV2, HandlebarsApplicationMixin: (base) => class extends base {} }),
    sheets: open({ ActorSheetV2, ItemSheetV2: anything }), handlebars: handlers, ux: open({ TextEditor }), apps: open({ DocumentSheetConfig: config }),
  });
  names.foundry.appv1 = open({ sheets: open({ ActorSheet }) });
  names.foundry.documents.collections = open({ Actors: actors });
  // The game is there, as systems ask that way, and so is the page.
  names.foundry.Game = class {
    static [Symbol.hasInstance] = (one) => one === names.game;
  };
  names.canvas = { ready: false, scene: null, tokens: null };
  names.fetch = async (path) => open({ ok: true, text: async () => source(path) ?? "" });
  const page = Object.fromEntries(["$", "document", "DragDrop", "HTMLElement", "HTMLInputElement", "HTMLSelectElement", "HTMLTextAreaElement"].map((name) => [name, anything]));
  Object.assign(names, { ...page, ActorSheet, Actors: actors, DocumentSheetConfig: config, Handlebars: handlebars, TextEditor, loadTemplates });

  return { opened };

  /**
   * Opens the sheet of an actor.
   *
   * @param {any} document
   * @returns {Promise<string>} its HTML
   */
  async function opened(document) {
    const { sheet: Sheet } = registered.findLast(({ types }) => types.length === 0 || types.includes(document.type)) ?? {};
    if (!Sheet) throw new Error(`no sheet for ${document.type}`);
    if (Sheet.prototype instanceof ActorSheet) {
      const sheet = new Sheet(document);
      return filled(sheet.template, await sheet.getData());
    }
    const sheet = new Sheet({ document });
    const options = { isFirstRender: true, parts: [] };
    sheet._configureRenderOptions(options);
    const context = await sheet._prepareContext(options);
    const parts = sheet._configureRenderParts(options);
    for (const { template, templates = [] } of Object.values(parts)) await loadTemplates([...templates, template]);
    const shown = [];
    for (const part of options.parts) {
      shown.push(await filled(parts[part].template, await sheet._preparePartContext(part, { ...context }, options)));
    }
    return shown.join("\n");
  }
  async function filled(path, context) {
    const text = source(path);
    return text === null ? "" : handlebars.compile(text)(context, { allowProtoPropertiesByDefault: true, allowProtoMethodsByDefault: true });
  }
}

/**
 * Adds to the stub of a document what sheets ask for beyond data models.
 *
 * @param {any} document
 * @param {any} fields of its system's data model; undefined without one
 */
export function withData(document, fields) {
  Object.defineProperties(document, {
    toObject: { value: (stored = true) => plain(stored ? { ...document._source, items: document.items } : document), configurable: true },
    schema: { value: { fields: { name: {}, img: {}, system: { fields } } }, configurable: true },
    limited: { value: false, configurable: true },
    uuid: { value: `Actor.${document._id}`, configurable: true },
    isEmbedded: { value: Boolean(document.parent), configurable: true },
    testUserPermission: { value: () => true, configurable: true },
    getActiveTokens: { value: () => [], configurable: true },
    itemTypes: { get: () => new Proxy({}, { get: (_, type) => [...document.items].filter((item) => item.type === type) }), configurable: true },
  });
  for (const item of document.items ?? []) withData(item, {});
}
