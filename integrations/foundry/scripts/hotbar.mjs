/** The module's macros on a user's own hotbar, and those of weapons that are dropped there: one line each, which calls the module. */

import { documentAt } from "./documents.mjs";
import { complain, tell } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { MODULE, mappingNow, setting } from "./settings.mjs";
import { slugOf, weaponsOf } from "./sheet-mapping.mjs";

const { ApplicationV2 } = foundry.applications.api;

/** The macros by the function that they call, with their pictures. */
const MACROS = /** @type {const} */ ({
  attack: "icons/svg/combat.svg",
  initiative: "icons/svg/clockwork.svg",
  undo: "icons/svg/cancel.svg",
});

/** @typedef {keyof typeof MACROS} Call */

/**
 * Puts a macro on the first free place of the user's hotbar; one that they have already is taken again.
 *
 * @param {Call} call
 * @returns {Promise<any>} the macro
 */
export async function toHotbar(call) {
  const macro = await macroOf(call, { name: game.i18n.localize(`FRACAS.hotbar.${call}`), img: MACROS[call], call: `${call}()` });
  await game.user?.assignHotbarMacro(macro);
  return macro;
}

/**
 * The user's macro of this mark, made if there is none.
 *
 * @param {string} mark
 * @param {{name: string, img?: string, call: string}} made call: what it calls of the module's interface
 * @returns {Promise<any>}
 */
async function macroOf(mark, { name, img, call }) {
  const known = game.macros.find((macro) => macro.isOwner && macro.getFlag(MODULE, "macro") === mark);
  const data = { name, type: /** @type {const} */ ("script"), ...(img ? { img } : {}), command: `game.modules.get("${MODULE}").api.${call};`, flags: { [MODULE]: { macro: mark } } };
  return known ?? Macro.create(data);
}

/** For the hook `init`: game systems make macros of all items that are dropped, so weapons are looked at before them. */
export function registerDrops() {
  Hooks.on("hotbarDrop", onDrop);
  const hooks = Hooks.events.hotbarDrop;
  const own = hooks?.pop();
  if (own) hooks.unshift(own);
}

/**
 * @param {any} _hotbar
 * @param {{type?: string, uuid?: string}} data what is dropped
 * @param {number} slot
 * @returns {false | void} false: it is seen to
 */
function onDrop(_hotbar, { type, uuid }, slot) {
  const mapping = mappingNow();
  if (type !== "Item" || !uuid || !mapping || mapping.ruleset === "*" || setting("hotbar") !== "fracas" || !game.user?.can("MACRO_SCRIPT")) return;
  const item = documentAt(uuid);
  if (!item || weaponsOf(mapping, { items: [item] }).length === 0) return;
  weaponToHotbar(item, slot).catch(complain);
  return false;
}

/**
 * @param {any} item of an actor of its own: that actor attacks; any other: the selected token, with its weapon of this name
 * @param {number} slot
 */
async function weaponToHotbar(item, slot) {
  const weapon = item.actor && !item.actor.isToken ? item.uuid : slugOf(item, "weapon") || item.name;
  const macro = await macroOf(`weapon ${weapon}`, { name: item.name, img: item.img, call: `attack(${JSON.stringify({ weapon })})` });
  await game.user?.assignHotbarMacro(macro, slot);
}

export class HotbarDialog extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "fracas-hotbar",
    classes: ["fracas", "fracas-hotbar"],
    window: { title: "FRACAS.hotbar.title", icon: "fa-solid fa-keyboard" },
    position: { width: 360 },
    actions: {
      /** @this {HotbarDialog} @param {Event} _event @param {HTMLElement} target */
      async add(_event, target) {
        const macro = await toHotbar(/** @type {Call} */ (target.dataset.call)).catch(complain);
        if (macro) tell("info", game.i18n.format("FRACAS.hotbar.added", { name: macro.name }));
      },
    },
  };

  /** @override */
  async _renderHTML() {
    const buttons = Object.keys(MACROS).map((call) =>
      node("button", { type: "button", "data-action": "add", "data-call": call }, game.i18n.localize(`FRACAS.hotbar.${call}`)),
    );
    return [node("p", {}, game.i18n.localize("FRACAS.hotbar.what")), ...buttons];
  }

  /** @override @param {any} result @param {HTMLElement} content */
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
  }
}
