// The combat tracker's documents; and a Combat with a mind of its own, as some game systems have it.

import { Document, classes } from "./documents.mjs";
import { Hooks } from "./utils.mjs";

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
    this.initiative ??= null;
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
    const data = { round: 1, turn: 0 };
    Hooks.callAll("combatStart", this, data);
    return this.update(data);
  }
  nextTurn() {
    const turn = (this.turn ?? -1) + 1;
    if (this.round === 0 || turn >= this.turns.length) return this.nextRound();
    return this._step("combatTurn", { round: this.round, turn }, 1);
  }
  previousTurn() {
    if (this.round === 0) return this;
    if (!this.turn) return this.previousRound();
    return this._step("combatTurn", { round: this.round, turn: this.turn - 1 }, -1);
  }
  nextRound() {
    return this._step("combatRound", { round: this.round + 1, turn: this.turn === null ? null : 0 }, 1);
  }
  previousRound() {
    const round = Math.max(this.round - 1, 0);
    return this._step("combatRound", { round, turn: round > 0 ? Math.max(this.turns.length - 1, 0) : null }, -1);
  }
  _step(hook, data, direction) {
    const options = { direction, worldTime: { delta: this.getTimeDelta(this.round, this.turn, data.round, data.turn) } };
    Hooks.callAll(hook, this, data, options);
    return this.update(data, options);
  }
  getTimeDelta(fromRound, fromTurn, toRound, toTurn) {
    return (toRound - fromRound) * CONFIG.time.roundTime + ((toTurn ?? 0) - (fromTurn ?? 0)) * CONFIG.time.turnTime;
  }
  async rollInitiative(ids) {
    const rolled = [ids].flat().map((id) => this.combatants.get(id)).filter((one) => one?.isOwner);
    for (const one of rolled) {
      const roll = await new Roll("1d20").evaluate();
      await one.update({ initiative: roll.total });
      await ChatMessage.create({ content: `${one.name} rolls for Initiative!`, rolls: [JSON.stringify(roll)], flags: { core: { initiativeRoll: true } } });
    }
    return this;
  }
  rollAll(options) {
    return this.rollInitiative(this.combatants.filter(({ isOwner, initiative }) => isOwner && initiative === null).map(({ id }) => id), options);
  }
  rollNPC(options) {
    return this.rollInitiative(this.combatants.filter((one) => one.isOwner && !one.actor?.hasPlayerOwner && one.initiative === null).map(({ id }) => id), options);
  }
  async resetAll() {
    await this.updateEmbeddedDocuments("Combatant", this.combatants.map(({ id }) => ({ _id: id, initiative: null })));
    return this;
  }
  setInitiative(id, initiative) {
    return this.combatants.get(id, { strict: true }).update({ initiative });
  }
  async activate() {
    for (const other of game.combats.filter((one) => one !== this && one.active)) await other.update({ active: false });
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

Object.assign(classes, { Combatant, Combat });

/** Has the game master's client do something. @returns {boolean} whether this client is another one */
function toGamemaster(socket, type, data) {
  if (!game.user.isGM) game.socket.emit(socket, { type, data });
  return !game.user.isGM;
}

/**
 * The Combatant of a game system that adds methods which change the order, and lets the game master's client act for players.
 *
 * @param {string} id of the system
 * @param {{acts?: string[]}} facts
 */
export function combatantOf(id, { acts = [] }) {
  const socket = `system.${id}`;
  class SystemCombatant extends Combatant {
    static documentName = "Combatant";
  }
  const own = {
    async applyModeChange() {
      if (!toGamemaster(socket, "doCombatantFunction", { id: this.id, name: "applyModeChange" })) await this.update({ initiative: this.initiative + 5 });
    },
    async toggleSeizeInitiative() {
      if (!toGamemaster(socket, "doCombatantFunction", { id: this.id, name: "toggleSeizeInitiative" })) await this.update({ initiative: 99 });
    },
  };
  for (const name of acts) if (own[name]) SystemCombatant.prototype[name] = own[name];
  Hooks.once("ready", () => game.socket.on(socket, ({ type, data }) => {
    if (game.user.isGM && type === "doCombatantFunction") game.combat.combatants.get(data.id)?.[data.name]();
  }));
  return SystemCombatant;
}

/**
 * The Combat of a game system that overrides or adds these methods: it steps by its own count of who has acted, tells of it in
 * updates without saying in which direction they go, rolls by itself, and lets the game master's client act for players.
 *
 * @param {string} id of the system
 * @param {{overrides: string[], adds: string[]}} facts
 */
export function combatOf(id, { overrides, adds }) {
  const socket = `system.${id}`;
  const methods = [...overrides, ...adds];
  if (methods.length === 0) return Combat;
  const relayed = (combat, name) => adds.length > 0 && toGamemaster(socket, "doCombatFunction", { id: combat.id, name });
  class SystemCombat extends Combat {
    static documentName = "Combat";
    static _handleSocketMessage({ type, data }) {
      if (game.user.isGM && type === "doCombatFunction") return game.combats.get(data.id)?.[data.name]?.();
    }
    /** A system that keeps the pass in a flag begins every other round with the first one. */
    static _cleanChanges(update, document) {
      if (adds.length === 0 && document && "round" in update && update.round !== document.round) update[`flags.${id}.initiativePass`] = 1;
    }
  }
  const own = {
    async startCombat() {
      await this.rollAll();
      return Combat.prototype.startCombat.call(this);
    },
    async nextTurn(passed) {
      if (relayed(this, "nextTurn")) return this;
      const acted = new Set([...(passed ? [] : [this.combatant?.id]), ...(this.getFlag(id, "acted") ?? [])]);
      const turn = this.turns.findIndex((one) => !acted.has(one.id));
      if (turn < 0) return adds.includes("nextPass") ? this.nextPass() : this.nextRound();
      return this.update({ turn, [`flags.${id}.acted`]: [...acted] });
    },
    async nextPass() {
      if (relayed(this, "nextPass")) return this;
      await this.createEmbeddedDocuments("Combatant", [{ name: "Pad", flags: { [id]: { pad: true } } }]);
      await this.update({ [`flags.${id}.acted`]: [] });
      return this.nextTurn(true);
    },
    async previousTurn() {
      return relayed(this, "previousTurn") ? this : this.update({ turn: 0, round: this.round });
    },
    async rollInitiative(ids) {
      for (const one of [ids].flat()) {
        globalThis.asked = [...(globalThis.asked ?? []), one]; // whether to spend a point of Edge
        await this.combatants.get(one)?.update({ initiative: 1 });
        await ChatMessage.create({ content: "Initiative of the system" });
      }
      return this;
    },
  };
  own.previousPass = own.previousRound = own.previousTurn;
  own.nextRound = async function () {
    return relayed(this, "nextRound") ? this : this.update({ round: this.round + 1, turn: null, [`flags.${id}.acted`]: [] });
  };
  for (const name of methods) if (own[name]) SystemCombat.prototype[name] = own[name];
  Hooks.once("ready", () => game.socket.on(socket, SystemCombat._handleSocketMessage.bind(SystemCombat)));
  return SystemCombat;
}
