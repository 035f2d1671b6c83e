/**
 * What people ask of Foundry's Combat by its own methods: the next turn, the one before, initiative. Game systems override these
 * methods, each in its way, and call `update` with numbers of their own; so the methods themselves are taken over for a
 * Combat that follows a fight, and nothing is guessed from numbers. Any other Combat is as it was.
 */

/**
 * @typedef {"forward" | "back" | "roll" | "reset"} Asked forward: the one who acts is done, or the turn begins; roll: initiative of
 *   those who have none; reset: everybody's initiative is forgotten.
 */

/** @type {Readonly<Record<string, Asked>>} */
const CORE = {
  startCombat: "forward",
  nextTurn: "forward",
  nextRound: "forward",
  previousTurn: "back",
  previousRound: "back",
  rollInitiative: "roll",
  rollAll: "roll",
  rollNPC: "roll",
  resetAll: "reset",
};

/**
 * What each step of a class of Combat asks for, those among them that a game system adds, such as `nextPass`.
 *
 * @param {any} prototype
 * @returns {Record<string, Asked>}
 */
export function stepsOf(prototype) {
  /** @type {Record<string, Asked>} */
  const found = {};
  for (let at = prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value !== "function") continue;
      if (Object.hasOwn(CORE, name)) found[name] = CORE[name];
      else if (/^next[A-Z]/.test(name)) found[name] = "forward";
      else if (/^previous[A-Z]/.test(name)) found[name] = "back";
    }
  }
  return found;
}

const MODULE = "fracas";

/** @param {any} combat @returns {boolean} whether it follows a fight */
const follows = (combat) => Boolean(combat?.getFlag?.(MODULE, "encounter"));

/**
 * Takes the methods over. Once, after the game system has set its class.
 *
 * @param {any} kind the class of Combats
 * @param {(combat: any, asked: Asked, ids: string[]) => unknown} ask what is done instead; `ids` of Combatants, for a roll
 */
export function takeOver(kind, ask) {
  for (const [name, asked] of Object.entries(stepsOf(kind.prototype))) {
    wrap("Combat", kind, name, async function (original, ...args) {
      if (!follows(this)) return original(...args);
      const ids = name === "rollInitiative" ? [args[0]].flat() : [...this.combatants].map(({ id }) => id);
      await ask(this, asked, ids);
      return this;
    });
  }
  deafenSocket(kind);
}

/**
 * Leaves out what a game system's Combatants do to the order by themselves, such as a roll when a combatant changes worlds.
 *
 * @param {any} kind the class of Combatants
 * @param {readonly string[]} names of its methods
 * @param {() => void} refuse what is done instead
 */
export function leaveOut(kind, names, refuse) {
  for (const name of names.filter((one) => typeof kind.prototype[one] === "function")) {
    wrap("Combatant", kind, name, async function (original, ...args) {
      return follows(this.combat) ? refuse() : original(...args);
    });
  }
}

/**
 * Wraps a method, with the module libWrapper where it is there.
 *
 * @param {"Combat" | "Combatant"} document
 * @param {any} kind its class
 * @param {string} name of the method
 * @param {(this: any, original: (...args: any[]) => unknown, ...args: any[]) => Promise<unknown>} instead
 */
function wrap(document, kind, name, instead) {
  const wrapper = globalThis.libWrapper;
  if (wrapper?.register) {
    wrapper.register(MODULE, `CONFIG.${document}.documentClass.prototype.${name}`, instead, "MIXED");
    return;
  }
  const original = kind.prototype[name];
  kind.prototype[name] = function (/** @type {any[]} */ ...args) {
    return instead.call(this, original.bind(this), ...args);
  };
}

/**
 * Some systems let a player's client have the game master's step the Combat, by a socket that does not say who asks. In a
 * fight the player's own client has asked already, in the player's name.
 *
 * @param {any} kind
 */
function deafenSocket(kind) {
  const original = kind._handleSocketMessage;
  if (typeof original !== "function") return;
  kind._handleSocketMessage = function (/** @type {any} */ message, /** @type {any[]} */ ...rest) {
    return follows(game.combats.get(message?.data?.id)) ? undefined : original.call(this, message, ...rest);
  };
}
