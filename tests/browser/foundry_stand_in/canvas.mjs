// The canvas: tokens on a line, which are clicked, hovered and targeted; and what the interface shows above them.

import { Hooks } from "./utils.mjs";

/** A layer for what is drawn. To draw there, one leaves the tokens, which are selected no more. */
function layer() {
  return {
    controlled: [],
    activate() {
      for (const token of canvas.tokens.placeables) token.controlled = false;
    },
  };
}

/**
 * The scene of those tokens: what changes them is told to the hooks, and kept by this client alone. As in Foundry since 13, a new place
 * is the end of a movement, which the options may describe, and which ends at walls unless it ignores them; places are whole pixels.
 */
const ground = {
  grid: { size: 100, distance: 1, units: "m" },
  async updateEmbeddedDocuments(name, updates, { movement = {}, ...options } = {}) {
    if (name !== "Token") throw new Error("only tokens stand here");
    const made = [];
    for (const { _id, ...update } of updates) {
      const token = canvas.tokens.get(_id);
      const { waypoints = [], constrainOptions = {} } = movement[_id] ?? {};
      const changes = { ...update, ...waypoints.at(-1) };
      for (const axis of ["x", "y"]) if (axis in changes && !Number.isInteger(changes[axis])) throw new Error(`${axis}: must be an integer`);
      const center = token.document.getCenterPoint(changes);
      if (!constrainOptions.ignoreWalls && testCollision(token.center, center, { type: "move", mode: "any" })) continue;
      Object.assign(token.document, changes);
      token.center = { x: center.x, y: center.y };
      made.push([token, changes]);
    }
    for (const [token, changes] of made) Hooks.callAll("updateToken", token.document, changes, options, game.userId);
  },
};

/** The middle of a token's base on squares, in pixels; its height is that of the base. */
export function centerOf({ x, y, width, height, elevation }) {
  return { x: x + 50 * width, y: y + 50 * height, elevation };
}

/** Tokens that a world begins with stand on a line; the document of one is no more than a name, a place and an actor. */
export function makeCanvas(generation) {
  return {
    ready: true,
    get scene() {
      return game.scenes.get("scene");
    },
    ...(generation >= 14 ? {} : { templates: layer() }),
    regions: layer(),
    dimensions: { size: 100, distance: 1, distancePixels: 100 },
    stage: { pivot: { x: 2000, y: 1500 } },
    grid: { size: 100, measurePath: ([a, b]) => ({ distance: Math.hypot((a.x - b.x) / 100, (a.y - b.y) / 100, (a.elevation ?? 0) - (b.elevation ?? 0)) }) },
    tokens: {
      placeables: [],
      /** The token under the pointer. */
      hover: null,
      get controlled() {
        return this.placeables.filter(({ controlled }) => controlled);
      },
      get(id) {
        return this.placeables.find((token) => token.id === id);
      },
    },
    hud: {},
    /** What lies on the scene: walls as [x, y, x, y], its darkness, and whom nobody sees. */
    walls: [],
    effects: {
      darkness: 0,
      light: false,
      getDarknessLevel({ elevation }) {
        if (elevation === undefined) throw new Error("getDarknessLevel needs an elevated point");
        return this.darkness;
      },
      testInsideLight({ elevation }) {
        if (elevation === undefined) throw new Error("testInsideLight needs an elevated point");
        return this.light;
      },
    },
    visibility: { unseen: [], testVisibility: (_point, { object }) => !canvas.visibility.unseen.includes(object.id) },
    interface: {
      /** What was shown, and above which point. */
      texts: [],
      async createScrollingText({ x, y }, content, { anchor, direction } = {}) {
        if (!game.settings.get("core", "scrollingStatusText")) return undefined;
        const points = Object.values(CONST.TEXT_ANCHOR_POINTS);
        if (typeof content !== "string" || ![anchor, direction].every((one) => points.includes(one))) throw new Error("no such text");
        this.texts.push({ x, y, content });
        return {};
      },
    },
  };
}

/** Whether a wall stands between two points; Foundry takes no test without the kind of walls. */
export function testCollision(origin, destination, { type, mode = "all" } = {}) {
  if (!["sight", "light", "sound", "move"].includes(type)) throw new Error("A valid wall restriction type is required");
  if (mode !== "any") throw new Error("only whether there is any");
  const side = (a, b, c) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  return canvas.walls.some(([x, y, toX, toY]) => {
    const [from, to] = [{ x, y }, { x: toX, y: toY }];
    return side(origin, destination, from) !== side(origin, destination, to) && side(from, to, origin) !== side(from, to, destination);
  });
}

export class Token {
  controlled = false;
  w = 100;
  h = 100;
  constructor(actor, at, document) {
    const { _source } = actor;
    this.actor = actor;
    if (document) {
      this.document = document;
      this.center = { x: document.x + 50, y: document.y + 50 };
      return;
    }
    const { x = at, y = 0, elevation = 0 } = _source.prototypeToken ?? {};
    this.center = { x: 100 * x, y: 100 * y };
    const id = actor.isToken ? actor._id : `token-${actor.id}`;
    this.document = { id, x: 100 * x - 50, y: 100 * y - 50, width: 1, height: 1, parent: ground, elevation, hidden: Boolean(_source.prototypeToken?.hidden), isSecret: false, documentName: "Token", uuid: `Scene.scene.Token.${id}`, name: actor.name, actor, actorId: actor.id, actorLink: !actor.isToken, object: this, getCenterPoint(at = {}) { return centerOf({ ...this, ...at }); }, get isOwner() { return actor.isOwner; }, get delta() { return { documentName: "ActorDelta", parent: this, syntheticActor: actor }; } };
  }
  get id() {
    return this.document.id;
  }
  get name() {
    return this.document.name;
  }
  get isOwner() {
    return this.actor.isOwner;
  }
  /** The eyes of a token, while it is selected. */
  get vision() {
    return this.controlled ? { active: true } : undefined;
  }
  get visible() {
    return !this.document.hidden || game.user.isGM;
  }
  /** The pictures of effects that are drawn on it. */
  get icons() {
    const { ALWAYS, CONDITIONAL } = CONST.ACTIVE_EFFECT_SHOW_ICON ?? {};
    const drawn = ({ showIcon = CONDITIONAL, isTemporary }) => (ALWAYS === undefined ? isTemporary : showIcon === ALWAYS || (showIcon === CONDITIONAL && isTemporary));
    return this.actor.appliedEffects.filter(drawn).map(({ img }) => img);
  }
  control() {
    for (const token of canvas.tokens.placeables) token.controlled = token === this;
    Hooks.callAll("controlToken", this, true);
    return true;
  }
  setTarget(targeted = true, { releaseOthers = true } = {}) {
    if (releaseOthers) game.user.targets.clear();
    if (targeted) game.user.targets.add(this);
    Hooks.callAll("targetToken", game.user, this, targeted);
  }

  /** A picture on the page with what a pointer does to a token: a left click selects it, a right click opens its HUD. */
  draw() {
    const shown = document.createElement("button");
    Object.assign(shown, { type: "button", className: "token", textContent: this.name });
    shown.dataset.tokenId = this.id;
    shown.addEventListener("click", () => this.isOwner && this.control());
    shown.addEventListener("pointerenter", () => (canvas.tokens.hover = this));
    shown.addEventListener("pointerleave", () => (canvas.tokens.hover = null));
    shown.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (this.isOwner && this.control()) canvas.hud.token.bind(this);
    });
    return shown;
  }
}
