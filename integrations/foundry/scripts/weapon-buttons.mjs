/**
 * An attack one press away: beside each weapon on the sheet of an actor, and in the HUD of a token. A press with Shift rolls
 * at once, without the dialog.
 */

import { attack } from "./api.mjs";
import { complain } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { activeMapping } from "./settings.mjs";
import { weaponsOf } from "./sheet-mapping.mjs";

/** So many weapons are beside a token; the dialog has the others. */
const MOST = 4;

/** Names the buttons, so that a sheet whose parts are rendered again does not get a second one. */
const ROW = "fracas-weapon-button";
const HUD = "fracas-hud-button";

/** What bears the id of an item and is no row. */
const PARTS = "a, button, input, label, option, select, span";

/** For the hook `init`. */
export function registerWeaponButtons() {
  const listen = (/** @type {"renderActorSheet" | "renderActorSheetV2" | "renderTokenHUD"} */ hook, /** @type {(app: any, root: HTMLElement) => Promise<void>} */ show) =>
    Hooks.on(hook, (/** @type {any} */ app, /** @type {any} */ html) => {
      const root = html instanceof HTMLElement ? html : html?.[0]; // the old applications give jQuery
      if (root) show(app, root).catch(complain);
    });
  listen("renderActorSheet", onSheet);
  listen("renderActorSheetV2", onSheet);
  listen("renderTokenHUD", onHud);
}

/** @param {any} sheet @param {HTMLElement} root */
async function onSheet(sheet, root) {
  const actor = sheet.actor ?? sheet.document ?? sheet.object;
  if (actor?.documentName !== "Actor" || !actor.isOwner || actor.pack) return;
  const mapping = await activeMapping();
  if (mapping.ruleset === "*") return;
  for (const item of weaponsOf(mapping, actor)) {
    for (const row of rowsOf(root, item.id ?? "")) {
      if (row.querySelector(`.${ROW}`)) continue;
      const place = (mapping.controls && row.querySelector(mapping.controls)) || row;
      place.prepend(button(ROW, item, (fast) => attack({ attacker: actor.token?.object ?? actor, weapon: item.id ?? undefined, fast })));
    }
  }
}

/** @param {HTMLElement} root @param {string} id */
function rowsOf(root, id) {
  const selector = `[data-item-id="${CSS.escape(id)}"]`;
  return [...root.querySelectorAll(selector)].filter((one) => !one.matches(PARTS) && !one.parentElement?.closest(selector));
}

/** @param {any} hud @param {HTMLElement} root */
async function onHud(hud, root) {
  const token = hud.object;
  if (!token?.actor?.isOwner) return;
  const mapping = await activeMapping();
  if (mapping.ruleset === "*" || hud.object !== token || root.querySelector(`.${HUD}`)) return;
  const arms = weaponsOf(mapping, token.actor).slice(0, MOST);
  const shown = arms.length > 0 ? arms : [{ name: "", img: "", id: undefined }];
  const buttons = shown.map((item) =>
    button(`control-icon ${HUD}`, item, async (fast) => {
      await Promise.all([hud.close?.(), attack({ attacker: token, weapon: item.id ?? undefined, fast })]);
    }),
  );
  (root.querySelector(".col.right") ?? root).append(...buttons);
}

/**
 * @param {string} kind
 * @param {{name?: string, img?: string}} item
 * @param {(fast: boolean) => Promise<unknown>} press
 */
function button(kind, item, press) {
  const label = item.name ? game.i18n.format("FRACAS.attack.with", { weapon: item.name }) : game.i18n.localize("FRACAS.attack.title");
  const picture = kind !== ROW && item.img ? node("img", { src: item.img, alt: "" }) : node("i", { class: "fa-solid fa-crosshairs", inert: true });
  const made = node("button", { type: "button", class: kind, title: label, "aria-label": label }, picture);
  made.addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation(); // the row may have a meaning of its own
    press(event.shiftKey).catch(complain);
  });
  return made;
}
