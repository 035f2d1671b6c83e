/** The module's macros on a user's own hotbar: one line each, which calls the module. */

import { complain, tell } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { MODULE } from "./settings.mjs";

const { ApplicationV2 } = foundry.applications.api;

/** The macros by the function that they call, with their pictures. */
const MACROS = /** @type {const} */ ({
  attack: "icons/svg/combat.svg",
  initiative: "icons/svg/clockwork.svg",
  undo: "icons/svg/cancel.svg",
});

/** @typedef {keyof typeof MACROS} Call */

/**
 * Puts a macro on the first free place of the user's hotbar; one that he has already is taken again.
 *
 * @param {Call} call
 * @returns {Promise<any>} the macro
 */
export async function toHotbar(call) {
  const known = game.macros.find((macro) => macro.isOwner && /** @type {any} */ (macro).getFlag(MODULE, "macro") === call);
  const macro =
    known ??
    (await Macro.create(
      /** @type {any} */ ({
        name: game.i18n.localize(`FRACAS.hotbar.${call}`),
        type: "script",
        img: MACROS[call],
        command: `game.modules.get("${MODULE}").api.${call}();`,
        flags: { [MODULE]: { macro: call } },
      }),
    ));
  await game.user?.assignHotbarMacro(/** @type {any} */ (macro));
  return macro;
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
