/** The module's entry: hooks that only wire the rest. */

import { api } from "./api.mjs";
import { addButtons } from "./chat-card.mjs";
import { listen } from "./combat-follow.mjs";
import { beginFight, registerCombatSync } from "./combat-sync.mjs";
import { press, registerCardRequests } from "./conversation.mjs";
import { registerDamageText } from "./damage-text.mjs";
import { registerFightCards } from "./fight-cards.mjs";
import { registerHappenings } from "./happenings.mjs";
import { handOutAll, needToken, registerQueries } from "./fight.mjs";
import { registerCircles } from "./blast-circles.mjs";
import { registerChatMenu } from "./chat-menu.mjs";
import { registerDrops } from "./hotbar.mjs";
import { registerInside } from "./inside-place.mjs";
import { registerKeys } from "./keys.mjs";
import { registerMenus } from "./menus.mjs";
import { complain } from "./messages.mjs";
import { registerPublicHooks } from "./public-hooks.mjs";
import { registerQuench } from "./quench.mjs";
import { registerRequests } from "./requests.mjs";
import { MODULE, registerSettings } from "./settings.mjs";
import { registerStatuses } from "./statuses.mjs";
import { registerPositions } from "./token-positions.mjs";
import { registerWeaponButtons } from "./weapon-buttons.mjs";

Hooks.once("init", () => {
  registerSettings();
  registerMenus();
  registerKeys();
  registerDrops();
  registerChatMenu();
  registerWeaponButtons();
  registerPublicHooks();
  registerDamageText();
  registerCircles();
  registerQueries();
  registerRequests();
  registerInside();
  registerCardRequests();
  registerFightCards();
  registerHappenings();
  registerCombatSync();
  registerPositions();
  registerQuench();
  const module = game.modules.get(MODULE);
  if (module) module.api = { ...api, beginFight };
});

Hooks.once("ready", () => {
  registerStatuses().catch(complain);
  listen();
  handOutAll().catch(complain);
  needToken().catch(complain);
});

Hooks.on("userConnected", () => {
  handOutAll().catch(complain);
  needToken().catch(complain);
});

Hooks.on("renderChatMessageHTML", (message, html) => addButtons(message, html, press));
