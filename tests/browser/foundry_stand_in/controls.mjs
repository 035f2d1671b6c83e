// By what people act at a table: keys, the hotbar, the HUD of a token, sheets of actors, and the menu of a chat message.

import { ApplicationV2 } from "./applications.mjs";
import { Hooks } from "./utils.mjs";

export class Keybindings {
  actions = new Map();
  /** Set when no action can be registered any more. */
  bindings = undefined;

  register(namespace, action, data) {
    if (this.bindings) throw new Error("You cannot register a Keybinding after the init hook");
    if (!data.onDown && !data.onUp) throw new Error("A Keybinding needs a callback");
    this.actions.set(`${namespace}.${action}`, { namespace, editable: [], uneditable: [], restricted: false, ...data });
  }
  get(namespace, action) {
    return this.bindings.get(`${namespace}.${action}`);
  }
  initialize() {
    this.bindings = new Map([...this.actions].map(([id, { uneditable, editable }]) => [id, [...uneditable, ...editable]]));
    document.addEventListener("keydown", (event) => this.#down(event));
  }
  #down(event) {
    if (event.target.closest?.("input, select, textarea")) return;
    const held = [["Control", event.ctrlKey], ["Shift", event.shiftKey], ["Alt", event.altKey]].flatMap(([name, down]) => (down ? [name] : []));
    for (const [id, { restricted, onDown, name }] of this.actions) {
      if (restricted && !game.user.isGM) continue;
      const bound = this.bindings.get(id).some(({ key, modifiers = [] }) => key === event.code && `${modifiers}` === `${held}`);
      if (bound && onDown?.({ key: event.code, event, action: name }) === true) return event.preventDefault();
    }
  }
}

/** Foundry's own binding: the hovered token is targeted. */
export function registerCoreKeybindings(keybindings) {
  const onDown = () => {
    const token = canvas.tokens.hover;
    token?.setTarget(!game.user.targets.has(token));
    return Boolean(token);
  };
  keybindings.register("core", "target", { name: "KEYBINDINGS.Target", editable: [{ key: "KeyT" }], onDown });
}

/** Ten slots; what is dropped there becomes a macro, unless a hook sees to it. */
export class Hotbar extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "hotbar", window: { frame: false } };

  async _renderHTML() {
    return [...Array(10).keys()].map((at) => {
      const slot = document.createElement("li");
      const macro = game.macros.get(game.user.hotbar?.[at + 1]);
      slot.className = "slot";
      slot.dataset.slot = `${at + 1}`;
      slot.textContent = macro?.name ?? "";
      slot.addEventListener("click", () => macro?.execute());
      slot.addEventListener("dragover", (event) => event.preventDefault());
      slot.addEventListener("drop", (event) => this._onDrop(event, at + 1));
      return slot;
    });
  }
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
  }
  async _onDrop(event, slot) {
    event.preventDefault();
    const data = JSON.parse(event.dataTransfer.getData("text/plain"));
    if (Hooks.call("hotbarDrop", this, data, slot) === false) return;
    const document = await fromUuid(data.uuid);
    const command = `await foundry.applications.ui.Hotbar.toggleDocumentSheet("${data.uuid}");`;
    const macro = await Macro.create({ name: document.name, type: "script", command });
    await game.user.assignHotbarMacro(macro, slot);
  }
}

export class TokenHUD extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "token-hud", window: { frame: false } };
  object = null;

  get document() {
    return this.object?.document;
  }
  bind(object) {
    this.object = object;
    return this.render({ force: true });
  }
  async _renderHTML() {
    return ["left", "middle", "right"].map((side) => Object.assign(document.createElement("div"), { className: `col ${side}` }));
  }
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
  }
}

/** Rows of weapons as the templates of the game systems have them, as far as their classes and data go. */
const ROWS = {
  shadowrun4e: ({ id }) => `<div class="item-card item weapon-card" data-item-id="${id}" id="${id}"><div class="item-header item-row"><span class="item-name"></span><div class="item-actions"><button type="button" class="attack roll-action" data-action="attackRoll" data-item-id="${id}"></button></div></div><div class="item-body weapon-stats"></div></div>`,
  shadowrun5e: ({ id, uuid }) => `<div class="list-item-container"><div class="list-item draggable" data-item-id="${id}" data-context-menu="item" data-uuid="${uuid}"><div class="list-item-start"></div><div class="list-item-icons"></div></div><div class="list-item-desc"><select class="select sr5-select weapon-ammo-select" data-item-id="${id}"></select></div></div>`,
  swnr: ({ id }) => `<li class="item grid grid-4col" data-item-id="${id}" data-drag="true" data-document-class="Item"><div class="item-name"><span data-action="toggleItemDescription" data-item-id="${id}"></span></div><div class="flex-group-right item-controls-small"></div></li>`,
  "dark-heresy": ({ id }) => `<div class="weapon item flex row" data-item-id="${id}"><div class="flex name"><button class="roll-weapon" type="button"></button></div><div class="class"></div></div>`,
};
const rows = (actor) => actor.items.map((item) => (ROWS[game.system.id] ?? (({ id }) => `<li data-item-id="${id}"></li>`))(item)).join("");

/** A sheet made with ApplicationV2. */
export class ActorSheetV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "ActorSheet-{id}", position: { width: 420, left: 500 } };
  get document() {
    return this.options.document;
  }
  get actor() {
    return this.document;
  }
  get title() {
    return this.actor.name;
  }
  async _renderHTML() {
    return rows(this.actor);
  }
  _replaceHTML(result, content, { parts } = {}) {
    if (!parts) content.innerHTML = result; // parts that are not asked for stay as they are
  }
}

/** What of jQuery hooks of the old applications get: the element at 0. Its methods are not there. */
const wrapped = (element) => ({ 0: element, length: 1 });

/** A sheet made with the application of Foundry before 12: hooks get its frame at first, later only what is in it. */
export class ActorSheet {
  constructor(document) {
    this.object = document;
  }
  get document() {
    return this.object;
  }
  get actor() {
    return this.object;
  }
  async render() {
    const form = document.createElement("form");
    form.innerHTML = rows(this.actor);
    const first = !this.frame;
    if (first) {
      this.frame = document.createElement("div");
      this.frame.className = "app window-app";
      document.body.append(this.frame);
    }
    this.frame.replaceChildren(form);
    this.element = wrapped(this.frame);
    Hooks.callAll("renderActorSheet", this, wrapped(first ? this.frame : form), {});
    return this;
  }
}

/** The menu of a chat message: entries as each version of Foundry has them. */
export function openMenu(element, generation) {
  const entries = [];
  Hooks.callAll("getChatMessageContextOptions", ui.chat, entries);
  const menu = document.createElement("nav");
  menu.id = "context-menu";
  for (const entry of entries) {
    const { label, shows, press } =
      generation >= 14
        ? { label: entry.label, shows: entry.visible, press: (event) => entry.onClick(event, element) }
        : { label: entry.name, shows: entry.condition, press: () => entry.callback(element) };
    if (!label || (typeof shows === "function" ? shows(element) : shows) === false) continue;
    const line = document.createElement("li");
    line.className = "context-item";
    line.textContent = game.i18n.localize(label);
    line.addEventListener("click", (event) => {
      menu.remove();
      press(event);
    });
    menu.append(line);
  }
  document.getElementById("context-menu")?.remove();
  element.append(menu);
}
