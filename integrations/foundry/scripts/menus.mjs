/** The dialogs that the settings open, beside that of the connection. */

import { HotbarDialog } from "./hotbar.mjs";
import { ImportPacksDialog } from "./import-dialog.mjs";
import { MappingDialog } from "./mapping-dialog.mjs";
import { MODULE } from "./settings.mjs";
import { SkirmishDialog } from "./skirmish-dialog.mjs";

export function registerMenus() {
  game.settings.registerMenu(MODULE, "import", {
    name: "FRACAS.import.title",
    label: "FRACAS.import.menu",
    hint: "FRACAS.import.hint",
    icon: "fa-solid fa-file-import",
    type: ImportPacksDialog,
    restricted: true,
  });
  game.settings.registerMenu(MODULE, "skirmish", {
    name: "FRACAS.skirmish.title",
    label: "FRACAS.skirmish.menu",
    hint: "FRACAS.skirmish.hint",
    icon: "fa-solid fa-people-group",
    type: SkirmishDialog,
    restricted: true,
  });
  game.settings.registerMenu(MODULE, "fields", {
    name: "FRACAS.mapping.title",
    label: "FRACAS.mapping.menu",
    hint: "FRACAS.mapping.hint",
    icon: "fa-solid fa-table-list",
    type: MappingDialog,
    restricted: true,
  });
  game.settings.registerMenu(MODULE, "hotbar", {
    name: "FRACAS.hotbar.title",
    label: "FRACAS.hotbar.menu",
    hint: "FRACAS.hotbar.hint",
    icon: "fa-solid fa-keyboard",
    type: HotbarDialog,
    restricted: false,
  });
}
