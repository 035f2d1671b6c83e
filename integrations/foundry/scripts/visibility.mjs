/**
 * Who sees a message. Whatever cannot be made sure of is whispered to the game masters: a private roll must never be shown
 * to all because a name changed between two versions of Foundry.
 */

/** @typedef {"table" | "public" | "gm" | "blind" | "self"} Visibility `table`: what is chosen at Foundry's chat. */

export const VISIBILITIES = /** @type {const} */ (["table", "public", "gm", "blind", "self"]);

/**
 * What of Foundry decides about it; the functions of v14 go before those of v13.
 *
 * @typedef {object} Modes
 * @property {() => string} current the choice at the chat: `gmroll` (v13) or `gm` (v14)
 * @property {((data: any, mode: string) => unknown) | undefined} applyMode v14
 * @property {((data: any, mode: string) => unknown) | undefined} applyRollMode v13
 * @property {() => string[]} gms ids of the game masters
 * @property {string} user id of the own user
 */

/** @returns {Modes} */
export function foundryModes() {
  const chat = /** @type {{[Name in "applyMode" | "applyRollMode"]?: (data: any, mode: any) => unknown}} */ (CONFIG.ChatMessage.documentClass);
  const known = /** @type {ReadonlyMap<string, unknown>} */ (game.settings.settings);
  return {
    current: () => {
      const key = ["messageMode", "rollMode"].find((key) => known.has(`core.${key}`));
      return String(game.settings.get("core", /** @type {"rollMode"} */ (key)));
    },
    applyMode: typeof chat.applyMode === "function" ? chat.applyMode.bind(chat) : undefined,
    applyRollMode: typeof chat.applyRollMode === "function" ? chat.applyRollMode.bind(chat) : undefined,
    gms: () => game.users.filter((user) => user.isGM).map((user) => user.id),
    user: game.userId ?? "",
  };
}

/**
 * The data of a message with those it is for.
 *
 * @template {object} Data
 * @param {Data} data
 * @param {Visibility} wanted
 * @param {Modes} [modes]
 * @returns {Data & {whisper: string[], blind: boolean}}
 */
export function withVisibility(data, wanted, modes = foundryModes()) {
  const mode = modeOf(wanted, modes);
  if (mode === "public" && (modes.applyMode || modes.applyRollMode)) return { ...data, whisper: [], blind: false };
  if (mode) {
    try {
      const made = { ...data, whisper: [], blind: false };
      const apply = modes.applyMode ?? modes.applyRollMode;
      const name = modes.applyMode ? mode : `${mode}roll`;
      const changed = /** @type {typeof made} */ (apply?.(made, name) ?? made);
      if (holds(changed, mode, modes)) return changed;
    } catch (error) {
      console.warn("Fracas: this version of Foundry does not know the chosen visibility.", error);
    }
  }
  return { ...data, whisper: modes.gms(), blind: true };
}

/**
 * The mode in the words of v14; null for one that is not known.
 *
 * @param {Visibility} wanted
 * @param {Modes} modes
 * @returns {Exclude<Visibility, "table"> | null}
 */
function modeOf(wanted, modes) {
  try {
    const chosen = wanted === "table" ? modes.current().replace(/roll$/, "") : wanted;
    const mode = chosen === "ic" ? "public" : chosen; // v14: public, in the voice of one's character
    return /** @type {const} */ (["public", "gm", "blind", "self"]).find((one) => one === mode) ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether a message is as private as it was to be.
 *
 * @param {any} data
 * @param {Exclude<Visibility, "table">} mode
 * @param {Modes} modes
 */
function holds({ whisper, blind }, mode, modes) {
  const seen = (whisper ?? []).map((/** @type {any} */ user) => user?.id ?? user);
  const may = mode === "self" ? [modes.user] : modes.gms();
  const private_ = seen.length > 0 && seen.every((/** @type {string} */ user) => may.includes(user) || user === modes.user);
  return private_ && (mode !== "blind" || blind === true);
}
