/** "Test connection": what works, step by step, and what to do about what does not. */

import { ServiceError } from "./client.mjs";
import { tokenOf } from "./fight.mjs";
import { keptKey } from "./inside-key.mjs";
import { inWords } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { MODULE, isInside, service, setting } from "./settings.mjs";

const { ApplicationV2 } = foundry.applications.api;

/** @typedef {{step: "reach" | "version" | "packs" | "token", ok: boolean | null, text: string, help: string}} Check ok: null for what could not be tried */

/**
 * Every check up to the first that fails.
 *
 * @param {import("./client.mjs").ServiceClient} client
 * @param {{id: string, token: string} | null} fight whose token is tried
 * @returns {Promise<Check[]>}
 */
export async function checkConnection(client, fight) {
  /** @type {Check[]} */
  const checks = [];
  const { localize, format } = { localize: game.i18n.localize.bind(game.i18n), format: game.i18n.format.bind(game.i18n) };
  /** @type {(step: Check["step"], error: unknown) => Check} */
  const failed = (step, error) => {
    const kind = error instanceof ServiceError ? error.kind : "answer";
    return { step, ok: false, text: inWords(error), help: format(`FRACAS.help.${kind}`, { origin: location.origin, address: client.address }) };
  };
  try {
    const { version, packs } = await client.health();
    const name = game.users.activeGM?.name ?? "";
    const reached = client.transport ? format("FRACAS.connection.inside", { name }) : format("FRACAS.connection.reached", { address: client.address });
    checks.push({ step: "reach", ok: true, text: reached, help: "" });
    checks.push({ step: "version", ok: true, text: format("FRACAS.connection.version", { version }), help: "" });
    checks.push({ step: "packs", ok: packs > 0, text: format("FRACAS.connection.packs", { packs: `${packs}` }), help: "" });
  } catch (error) {
    return [failed(error instanceof ServiceError && error.kind === "version" ? "version" : "reach", error)];
  }
  const token = fight?.token || client.token;
  if (!token) return [...checks, { step: "token", ok: null, text: localize("FRACAS.connection.no-token"), help: "" }];
  if (!fight) return [...checks, { step: "token", ok: null, text: localize("FRACAS.connection.no-fight"), help: "" }];
  try {
    await client.encounter(fight.id, token).state();
    checks.push({ step: "token", ok: true, text: localize("FRACAS.connection.token"), help: "" });
  } catch (error) {
    const wrong = error instanceof ServiceError && [401, 403, 404].includes(error.status);
    checks.push(failed("token", wrong ? new ServiceError("token", error.message, { status: error.status }) : error));
  }
  return checks;
}

/** For a game master whose browser has the key of the journal. */
function recoveryKey() {
  const key = game.user?.isGM && isInside() ? keptKey() : null;
  if (!key) return [];
  const shown = node("code", {}, key.phrase);
  return [node("details", { class: "fracas-key" }, node("summary", {}, game.i18n.localize("FRACAS.inside.key")), node("p", {}, shown), node("p", { class: "hint" }, game.i18n.localize("FRACAS.inside.key-hint")))];
}

export class ConnectionDialog extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "fracas-connection",
    classes: ["fracas", "fracas-connection"],
    window: { title: "FRACAS.connection.title", icon: "fa-solid fa-plug" },
    position: { width: 520 },
    actions: {
      /** @this {ConnectionDialog} */
      async again() {
        await this.render({ force: true });
      },
    },
  };

  /** @override @param {foundry.applications.api.ApplicationV2.RenderOptions & {isFirstRender: boolean}} options */
  async _prepareContext(options) {
    const id = game.combat?.getFlag(MODULE, "encounter")?.id;
    const fight = typeof id === "string" ? { id, token: tokenOf(id) } : null;
    const address = isInside() ? game.i18n.localize("FRACAS.settings.where.inside") : setting("address");
    return { ...(await super._prepareContext(options)), address, checks: await checkConnection(service(), fight) };
  }

  /** @override @param {any} context */
  async _renderHTML({ address, checks }) {
    const signs = { true: "✔", false: "✘", null: "–" };
    const lines = /** @type {Check[]} */ (checks).map(({ step, ok, text, help }) =>
      node(
        "li",
        { class: `fracas-check ${ok === null ? "open" : ok ? "good" : "bad"}`, "data-step": step },
        node("span", { class: "fracas-sign" }, signs[/** @type {"true"} */ (`${ok}`)]),
        node("div", {}, node("p", {}, text), ...(help ? help.split("\n").map((line) => node("p", { class: "hint" }, line)) : [])),
      ),
    );
    return [
      node("p", {}, game.i18n.format("FRACAS.connection.what", { address, origin: location.origin })),
      node("ul", { class: "fracas-checks" }, ...lines),
      ...recoveryKey(),
      node("footer", { class: "form-footer" }, node("button", { type: "button", "data-action": "again" }, game.i18n.localize("FRACAS.connection.again"))),
    ];
  }

  /** @override @param {any} result @param {HTMLElement} content */
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
  }
}
