// Chat messages and their log, in the shape of v13 (roll modes) or v14 (message modes).

import { Document, classes } from "./documents.mjs";
import { Roll } from "./rolls.mjs";
import { Hooks } from "./utils.mjs";

export class ChatMessage extends Document {
  static documentName = "ChatMessage";

  prepareData() {
    this.whisper ??= [];
    this.blind ??= false;
    Object.defineProperty(this, "author", { value: game.users?.get(this._source.author) ?? null, configurable: true });
    const rolls = (this._source.rolls ?? []).map((roll) => (typeof roll === "string" ? Roll.fromJSON(roll) : Roll.fromData(roll)));
    Object.defineProperty(this, "rolls", { value: rolls, configurable: true });
  }
  get isAuthor() {
    return game.user === this.author;
  }
  get isRoll() {
    return this.rolls.length > 0;
  }
  get isContentVisible() {
    if (this.isRoll && this.blind) return game.user.isGM;
    return this.visible;
  }
  get visible() {
    if (this.whisper.length === 0) return true;
    return this.whisper.includes(game.user.id) || (this.isAuthor && !this.blind);
  }
  getUserLevel(user) {
    return user.isGM || user === this.author ? 3 : 0;
  }
  static getSpeaker({ actor, token, alias } = {}) {
    const found = token?.actor ?? actor ?? game.user.character;
    return { scene: canvas.scene?.id ?? null, actor: found?.id ?? null, token: token?.id ?? null, alias: alias ?? token?.name ?? found?.name ?? game.user.name };
  }
  static getWhisperRecipients(name) {
    const gm = ["GM", "DM"].includes(name.toUpperCase());
    return game.users.filter((user) => (gm ? user.isGM : user.name === name));
  }
  async renderHTML() {
    const item = document.createElement("li");
    item.className = `chat-message message flexcol${this.whisper.length ? " whisper" : ""}`;
    item.dataset.messageId = this.id;
    const time = this.whisper.length ? "whisper" : "";
    item.innerHTML = `<header class="message-header"><h4 class="message-sender"></h4><span>${time}</span></header><div class="message-content"></div>`;
    item.querySelector(".message-sender").textContent = this.speaker?.alias ?? this.author?.name ?? "";
    item.querySelector(".message-content").innerHTML = this.content || (await Promise.all(this.rolls.map((roll) => roll.render()))).join("");
    Hooks.callAll("renderChatMessageHTML", this, item, { message: this.toObject(), author: this.author });
    return item;
  }
  _changed(action) {
    ui.chat.refresh(this, action);
  }
}

/** Adds what each version of Foundry calls the function that applies a privacy to a message's data. */
export function installModes(generation) {
  const gms = () => ChatMessage.getWhisperRecipients("GM").map(({ id }) => id);
  const modes = {
    public: (data) => Object.assign(data, { whisper: [], blind: false }),
    gm: (data) => Object.assign(data, { whisper: gms(), blind: false }),
    blind: (data) => Object.assign(data, { whisper: gms(), blind: true }),
    self: (data) => Object.assign(data, { whisper: [game.user.id], blind: false }),
    ...(generation >= 14 ? { ic: (data) => Object.assign(data, { whisper: [], blind: false, style: CONST.CHAT_MESSAGE_STYLES.IC }) } : {}),
  };
  const names = Object.keys(modes);
  if (generation === 13) {
    ChatMessage.applyRollMode = (data, mode) => {
      const wanted = mode === "roll" ? game.settings.get("core", "rollMode") : mode;
      return modes[wanted.replace("roll", "")](data);
    };
    CONFIG.Dice.rollModes = Object.fromEntries(names.map((name) => [`${name}roll`, { label: name }]));
    game.settings.register("core", "rollMode", { scope: "client", type: String, default: "publicroll" });
  } else if (generation === 14) {
    ChatMessage.applyMode = (data, mode = game.settings.get("core", "messageMode")) => modes[mode](data);
    CONFIG.ChatMessage.modes = Object.fromEntries(names.map((name) => [name, { label: name }]));
    game.settings.register("core", "messageMode", { scope: "client", type: String, default: "public" });
  }
}

export class ChatLog {
  #jobs = Promise.resolve();
  get element() {
    return document.getElementById("chat");
  }
  refresh(message, action) {
    this.#jobs = this.#jobs.then(() => this.#show(message, action)).catch(console.error);
    return this.#jobs;
  }
  async #show(message, action) {
    const log = this.element.querySelector(".chat-log");
    const before = log.querySelector(`[data-message-id="${message.id}"]`);
    if (action === "delete" || !message.visible) return before?.remove();
    const html = await message.renderHTML();
    if (before) before.replaceWith(html);
    else log.append(html);
    html.scrollIntoView();
  }
  updateMessage(message) {
    return this.refresh(message, "update");
  }
}

classes.ChatMessage = ChatMessage;
