/** Keys of the module; each user may bind others. */

import { attack } from "./api.mjs";
import { MODULE } from "./settings.mjs";

const { MODIFIER_KEYS } = foundry.helpers.interaction.KeyboardManager;

/** For the hook `init`: later Foundry takes no more. */
export function registerKeys() {
  game.keybindings.register(MODULE, "attack", {
    name: "FRACAS.keys.attack.name",
    hint: "FRACAS.keys.attack.hint",
    editable: [{ key: "KeyF", modifiers: [MODIFIER_KEYS.SHIFT] }],
    onDown: () => {
      void attack();
      return true;
    },
  });
}
