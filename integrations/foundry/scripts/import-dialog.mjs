/** "Import packs": the dialog. */

import { importPacks } from "./import-packs.mjs";
import { inWords } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { activeMapping, service } from "./settings.mjs";

/** @typedef {import("./import-packs.mjs").Result} Result */

const { ApplicationV2 } = foundry.applications.api;

/** Packs of the service, to be chosen; how far the import is; and what it did. */
export class ImportPacksDialog extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "fracas-import",
    classes: ["fracas", "fracas-import"],
    window: { title: "FRACAS.import.title", icon: "fa-solid fa-file-import" },
    position: { width: 560 },
    actions: {
      /** @this {ImportPacksDialog} */
      async import() {
        await this.import();
      },
    },
  };

  /** @type {Result[] | null} */
  #results = null;
  /** @type {string} */
  #error = "";
  /** Those of the ruleset that is played here, until people choose. @type {Set<string> | null} */
  #chosen = null;

  /** @override @param {foundry.applications.api.ApplicationV2.RenderOptions & {isFirstRender: boolean}} options */
  async _prepareContext(options) {
    /** @type {any[]} */
    let packs = [];
    try {
      packs = await service().ask("/v1/packs", { token: "" });
      const { ruleset } = await activeMapping();
      const fits = (/** @type {any} */ pack) => pack.ruleset === ruleset;
      packs = [...packs.filter(fits), ...packs.filter((pack) => !fits(pack))];
      this.#chosen ??= new Set(packs.filter(fits).map(({ id }) => id));
    } catch (error) {
      this.#error = inWords(error);
    }
    return { ...(await super._prepareContext(options)), packs, results: this.#results, error: this.#error, chosen: this.#chosen ?? new Set() };
  }

  /** @override @param {any} context */
  async _renderHTML({ packs, results, error, chosen }) {
    const say = (/** @type {string} */ key, /** @type {any} */ data = {}) => game.i18n.format(`FRACAS.import.${key}`, data);
    const rows = packs.map((/** @type {any} */ { id, title, version, ruleset }) =>
      node(
        "label",
        { class: "fracas-pack" },
        node("input", { type: "checkbox", name: "pack", value: id, checked: chosen.has(id) }),
        node("span", {}, title),
        node("span", { class: "fracas-tag" }, `${ruleset} ${version}`),
      ),
    );
    const bar = node("progress", { max: "1", value: "0", hidden: true });
    return [
      node("p", {}, say("what", { system: game.system.title ?? game.system.id })),
      ...(error ? [node("p", { class: "fracas-error" }, error)] : []),
      node("div", { class: "fracas-packs" }, ...rows),
      node("label", { class: "fracas-overwrite" }, node("input", { type: "checkbox", name: "overwrite" }), ` ${say("overwrite")}`),
      bar,
      node("p", { class: "fracas-progress hint" }),
      ...(results ? [shown(results, say)] : []),
      node("footer", { class: "form-footer" }, node("button", { type: "button", "data-action": "import" }, say("start"))),
    ];
  }

  /** @override @param {any} result @param {HTMLElement} content */
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
  }

  async import() {
    const inputs = [.../** @type {HTMLElement} */ (this.element).querySelectorAll("input")];
    this.#chosen = new Set(inputs.filter(({ name, checked }) => name === "pack" && checked).map(({ value }) => value));
    const overwrite = inputs.some(({ name, checked }) => name === "overwrite" && checked);
    if (this.#chosen.size === 0) return void ui.notifications.warn("FRACAS.import.none", { localize: true });
    for (const control of this.element.querySelectorAll("input, button[data-action=import]")) control.setAttribute("disabled", "");
    const bar = /** @type {HTMLProgressElement} */ (this.element.querySelector("progress"));
    const line = /** @type {HTMLElement} */ (this.element.querySelector(".fracas-progress"));
    bar.hidden = false;
    this.#error = "";
    try {
      this.#results = await importPacks([...this.#chosen], {
        overwrite,
        progress: (done, of, label) => {
          Object.assign(bar, { max: Math.max(1, of), value: done });
          line.textContent = label ? game.i18n.format("FRACAS.import.progress", { done: `${done}`, of: `${of}`, label }) : "";
        },
      });
    } catch (error) {
      this.#error = inWords(error);
    }
    return this.render();
  }
}

/**
 * @param {Result[]} results
 * @param {(key: string, data?: any) => string} say
 */
function shown(results, say) {
  const lines = results.map(({ compendium, created, replaced, same, kept, gone, failed }) => {
    const numbers = say("result", { compendium, created: `${created}`, replaced: `${replaced}`, same: `${same}` });
    /** @type {[string, string[]][]} */
    const lists = [
      ["kept", kept],
      ["gone", gone],
      ["failed", failed.map(({ name, message }) => `${name}: ${message}`)],
    ];
    const more = lists
      .filter(([, names]) => names.length > 0)
      .map(([key, names]) =>
        node(
          "details",
          { class: `fracas-${key}`, open: names.length <= 8 },
          node("summary", {}, say(key, { count: `${names.length}` })),
          node("ul", {}, ...names.map((name) => node("li", {}, name))),
        ),
      );
    return node("li", {}, numbers, ...more);
  });
  return node("ul", { class: "fracas-results" }, ...lines);
}
