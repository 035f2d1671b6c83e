// ApplicationV2 and DialogV2, as far as modules use them.

import { Hooks } from "./utils.mjs";

let topmost = 100;

export class ApplicationV2 extends EventTarget {
  static DEFAULT_OPTIONS = { id: "app-{id}", classes: [], tag: "div", window: { frame: true, title: "" }, position: {}, actions: {}, form: {} };
  static RENDER_STATES = { ERROR: -3, CLOSING: -2, CLOSED: -1, NONE: 0, RENDERING: 1, RENDERED: 2 };
  static #count = 0;

  constructor(options = {}) {
    super();
    const chain = [];
    for (let kind = this.constructor; kind.DEFAULT_OPTIONS; kind = Object.getPrototypeOf(kind)) {
      if (Object.hasOwn(kind, "DEFAULT_OPTIONS")) chain.unshift(kind.DEFAULT_OPTIONS);
    }
    const merged = {};
    for (const one of [...chain, options]) {
      const classes = [...(merged.classes ?? []), ...(one.classes ?? [])];
      const actions = { ...merged.actions, ...one.actions };
      Object.assign(merged, one, { classes, actions, window: { ...merged.window, ...one.window }, position: { ...merged.position, ...one.position }, form: { ...merged.form, ...one.form } });
    }
    merged.id = merged.id.replace("{id}", String(++ApplicationV2.#count));
    this.options = Object.freeze(merged);
    this.position = { ...merged.position };
    this.state = ApplicationV2.RENDER_STATES.NONE;
    this.element = null;
  }

  get id() {
    return this.options.id;
  }
  get title() {
    return game.i18n.localize(this.options.window.title);
  }
  get rendered() {
    return this.state === ApplicationV2.RENDER_STATES.RENDERED;
  }
  get form() {
    return this.element instanceof HTMLFormElement ? this.element : (this.element?.querySelector("form") ?? null);
  }
  get hasFrame() {
    return this.options.window.frame !== false;
  }

  async render(options = {}) {
    const given = typeof options === "boolean" ? { force: options } : options;
    const first = !this.rendered;
    if (first && !given.force) return this;
    const context = await this._prepareContext(given);
    const result = await this._renderHTML(context, given);
    if (first) this.#open();
    this._replaceHTML(result, this.hasFrame ? this.element.querySelector(":scope > .window-content") : this.element, given);
    this.element.querySelector(":scope > .window-header .window-title")?.replaceChildren(this.title);
    this.state = ApplicationV2.RENDER_STATES.RENDERED;
    foundry.applications.instances.set(this.id, this);
    if (first) await this._onFirstRender(context, given);
    await this._onRender(context, given);
    for (let kind = this.constructor; kind !== EventTarget; kind = Object.getPrototypeOf(kind)) Hooks.callAll(`render${kind.name}`, this, this.element, context, given);
    this.dispatchEvent(new Event("render"));
    return this;
  }

  #open() {
    const element = document.createElement(this.options.tag);
    element.id = this.id;
    element.className = ["application", ...this.options.classes].join(" ");
    const { width, top = 40, left = 40 } = this.position;
    if (this.hasFrame) Object.assign(element.style, { top: `${top}px`, left: `${left}px`, zIndex: String(++topmost) });
    if (Number.isFinite(width)) element.style.width = `${width}px`;
    if (this.hasFrame) {
      element.innerHTML = `<header class="window-header"><h1 class="window-title"></h1><button type="button" data-action="close" aria-label="Close">×</button></header><section class="window-content"></section>`;
    }
    element.addEventListener("click", (event) => this.#click(event));
    element.addEventListener("change", (event) => this._onChangeForm({ ...this.options.form }, event));
    element.addEventListener("submit", (event) => this._onSubmitForm(this.options.form, event));
    this.element = element;
    document.body.append(element);
  }

  async #click(event) {
    const target = event.target.closest("[data-action]");
    if (!target || !this.element.contains(target)) return;
    if (target.dataset.action === "close") return this.close();
    const action = this.options.actions[target.dataset.action];
    const handler = typeof action === "object" ? action.handler : action;
    if (handler) {
      event.preventDefault();
      await handler.call(this, event, target);
    } else this._onClickAction(event, target);
  }

  async _prepareContext(_options) {
    return {};
  }
  async _renderHTML(_context, _options) {
    throw new Error(`The ${this.constructor.name} class must implement _renderHTML`);
  }
  _replaceHTML(_result, _content, _options) {
    throw new Error(`The ${this.constructor.name} class must implement _replaceHTML`);
  }
  async _onFirstRender(_context, _options) {}
  async _onRender(_context, _options) {}
  _onClose(_options) {}
  _onClickAction(_event, _target) {}
  async _onChangeForm(form, event) {
    if (form.submitOnChange) await this._onSubmitForm(form, event);
  }
  async _onSubmitForm(form, event) {
    event.preventDefault();
    const data = new FormDataExtended(this.form);
    await form.handler?.call(this, event, this.form, data);
    if (form.closeOnSubmit) await this.close({ submitted: true });
  }
  setPosition(position) {
    Object.assign(this.position, position);
    return this.position;
  }
  bringToFront() {
    if (this.element) this.element.style.zIndex = String(++topmost);
  }
  async close(options = {}) {
    if (!this.element) return this;
    this.element.remove();
    this.element = null;
    this.state = ApplicationV2.RENDER_STATES.CLOSED;
    foundry.applications.instances.delete(this.id);
    this._onClose(options);
    this.dispatchEvent(new Event("close"));
    return this;
  }
}

export class DialogV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "dialog-{id}", classes: ["dialog"], tag: "dialog", window: { frame: true } };

  async _renderHTML() {
    const form = document.createElement("form");
    form.className = "dialog-form standard-form";
    form.autocomplete = "off";
    const content = document.createElement("section");
    content.className = "dialog-content standard-form";
    if (this.options.content instanceof Node) content.append(this.options.content);
    else content.innerHTML = this.options.content ?? "";
    const footer = document.createElement("footer");
    footer.className = "form-footer";
    for (const { action, label, default: first } of this.options.buttons) {
      const button = document.createElement("button");
      Object.assign(button, { type: "submit", autofocus: Boolean(first) });
      button.dataset.action = action;
      button.textContent = game.i18n.localize(label);
      footer.append(button);
    }
    form.append(content, footer);
    return form;
  }
  _replaceHTML(result, content) {
    this.element.setAttribute("open", "");
    content.replaceChildren(result);
  }
  async _onRender() {
    for (const { action, callback } of this.options.buttons) {
      const button = this.element.querySelector(`button[data-action="${action}"]`);
      button.addEventListener("click", async (event) => {
        event.preventDefault();
        event.stopPropagation();
        const result = (await callback?.(event, button, this)) ?? action;
        await this.options.submit?.(result, this);
        await this.close({ submitted: true });
      });
    }
  }

  static wait({ rejectClose = false, close, render, ...options }) {
    return new Promise((resolve, reject) => {
      const dialog = new this({ ...options, submit: async (result) => resolve(result) });
      dialog.addEventListener("close", () => (rejectClose ? reject(new Error("closed")) : resolve(close?.() ?? null)), { once: true });
      if (render) dialog.addEventListener("render", (event) => render(event, dialog), { once: true });
      dialog.render({ force: true });
    });
  }
  static confirm({ yes = {}, no = {}, ...options }) {
    const buttons = [
      { action: "yes", label: "Yes", callback: () => true, ...yes },
      { action: "no", label: "No", default: true, callback: () => false, ...no },
    ];
    return this.wait({ buttons, ...options });
  }
  static prompt({ ok = {}, ...options }) {
    return this.wait({ buttons: [{ action: "ok", label: "Confirm", default: true, ...ok }], ...options });
  }
  static input({ ok = {}, ...options }) {
    const callback = (_event, button) => new FormDataExtended(button.form).object;
    return this.prompt({ ok: { callback, ...ok }, ...options });
  }
}

export class FormDataExtended extends FormData {
  constructor(form) {
    super();
    this.object = {};
    for (const field of form.elements) {
      if (!field.name || field.disabled) continue;
      if (field.type === "radio" && !field.checked) continue;
      if (field.type === "checkbox") this.object[field.name] = field.checked;
      else if (field.type === "number" || field.type === "range" || field.dataset.dtype === "Number") this.object[field.name] = field.value === "" ? null : Number(field.value);
      else if (field.multiple) this.object[field.name] = [...field.selectedOptions].map(({ value }) => value);
      else this.object[field.name] = field.value;
    }
  }
}
