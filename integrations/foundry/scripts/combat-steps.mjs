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
  const wrapper = globalThis.libWrapper;
  for (const [name, asked] of Object.entries(stepsOf(kind.prototype))) {
    /** @type {(this: any, original: (...args: any[]) => unknown, ...args: any[]) => Promise<unknown>} */
    const instead = async function (original, ...args) {
      if (!follows(this)) return original(...args);
      const ids = name === "rollInitiative" ? [args[0]].flat() : [...this.combatants].map(({ id }) => id);
      await ask(this, asked, ids);
      return this;
    };
    if (wrapper?.register) {
      wrapper.register(MODULE, `CONFIG.Combat.documentClass.prototype.${name}`, instead, "MIXED");
    } else {
      const original = kind.prototype[name];
      kind.prototype[name] = function (/** @type {any[]} */ ...args) {
        return instead.call(this, original.bind(this), ...args);
      };
    }
  }
  deafenSocket(kind);
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
