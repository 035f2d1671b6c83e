/**
 * Where the sheets of a system without a preset keep what Fracas asks for: the game master chooses an actor as the model,
 * and for each field one of the places of its sheet. What is read there now is shown beside it.
 */

import { complain, tell } from "./messages.mjs";
import { node } from "./nodes.mjs";
import { customMapping, places, ratingPlaces } from "./own-mapping.mjs";
import { mappingForAny, MODULE, service, setting } from "./settings.mjs";
import { at, combatantOf, weaponOf } from "./sheet-mapping.mjs";

const { ApplicationV2 } = foundry.applications.api;

/** @typedef {{from: string, down_from?: string, writes?: boolean}} Chosen */

export class MappingDialog extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "fracas-mapping",
    classes: ["fracas", "fracas-mapping"],
    window: { title: "FRACAS.mapping.title", icon: "fa-solid fa-table-list" },
    position: { width: 640 },
    actions: {
      /** @this {MappingDialog} */
      async save() {
        await this.save().catch(complain);
      },
    },
  };

  #ruleset = "";
  #actor = "";
  #weapon = "";
  /** @type {Record<"combatant" | "weapon", Record<string, Chosen>>} */
  #chosen = { combatant: {}, weapon: {} };
  /** @type {{items?: string, object?: string, rating: string} | null} where the skills are */
  #skills = null;
  /** @type {Record<string, string>} the names of the ruleset's skills */
  #words = {};
  /** @type {Set<string>} fields that effects change */
  #changing = new Set();

  /** @override @param {foundry.applications.api.ApplicationV2.RenderOptions & {isFirstRender: boolean}} options */
  async _prepareContext(options) {
    const labels = await service().rulesets();
    const own = setting("ownMapping");
    this.#ruleset ||= own.ruleset ?? labels[0]?.id ?? "";
    this.#actor ||= game.actors.contents[0]?.id ?? "";
    const actor = game.actors.get(this.#actor);
    if (own.id && own.ruleset === this.#ruleset && Object.keys(this.#chosen.combatant).length === 0) {
      this.#chosen = chosenOf(own, actor?.type);
      this.#skills ??= own.combatants[0]?.fields.skills?.ratings ?? null;
    }
    const preset = await mappingForAny(this.#ruleset);
    this.#changing = new Set([...Object.values(preset?.tracks ?? {}).map(({ field }) => field), "rounds"]);
    this.#words = Object.fromEntries((await skillsOf(this.#ruleset)).map((slug) => [slug, slug]));
    const items = actor ? [...actor.items] : [];
    if (!items.some(({ id }) => id === this.#weapon)) this.#weapon = items.find(({ type }) => /weapon/i.test(type))?.id ?? "";
    return { ...(await super._prepareContext(options)), preset, labels, actor, items, asks: preset?.asks };
  }

  /** @override @param {any} context */
  async _renderHTML({ labels, actor, items, asks }) {
    const say = (/** @type {string} */ key, /** @type {any} */ data = {}) => game.i18n.format(`FRACAS.mapping.${key}`, data);
    const choice = (/** @type {string} */ name, /** @type {string} */ chosen, /** @type {[string, string][]} */ options) =>
      node(
        "select",
        { name },
        ...options.map(([value, label]) => node("option", { value, selected: value === chosen }, label)),
      );
    const actors = /** @type {[string, string][]} */ (game.actors.map(({ id, name, type }) => [id, `${name} (${type})`]));
    const weapons = /** @type {[string, string][]} */ (items.map((/** @type {any} */ { id, name, type }) => [id, `${name} (${type})`]));
    const weapon = items.find((/** @type {any} */ { id }) => id === this.#weapon);
    const row = (/** @type {string} */ key, /** @type {HTMLElement} */ control) => node("label", { class: "fracas-row" }, `${say(key)} `, control);
    return [
      node("p", {}, say("what")),
      row("ruleset", choice("ruleset", this.#ruleset, labels.map((/** @type {any} */ { id, label }) => [id, label]))),
      row("actor", choice("actor", this.#actor, actors)),
      ...(actor && asks ? [this.#table("combatant", actor, asks.combatant, say)] : [node("p", {}, say("no-actor"))]),
      ...(actor && Object.keys(this.#words).length > 0 ? [row("skills", this.#skillsChoice(actor))] : []),
      ...(actor ? [row("weapon", choice("weapon", this.#weapon, [["", say("no-weapon")], ...weapons]))] : []),
      ...(weapon && asks ? [this.#table("weapon", weapon, asks.weapon, say)] : []),
      node("p", { class: "fracas-missing hint" }, this.#lacking(actor, weapon, asks, say)),
      node("footer", { class: "form-footer" }, node("button", { type: "button", "data-action": "save" }, say("save"))),
    ];
  }

  /**
   * @param {"combatant" | "weapon"} part
   * @param {any} document
   * @param {string[]} fields
   * @param {(key: string, data?: any) => string} say
   */
  #table(part, document, fields, say) {
    const found = places(document);
    const paths = (/** @type {string} */ name, /** @type {string} */ chosen) =>
      node(
        "select",
        { name },
        node("option", { value: "" }, "–"),
        ...found.map(({ path, value }) => node("option", { value: path, selected: path === chosen }, `${path} = ${value}`)),
      );
    const rows = fields.map((field) => {
      const { from = "", down_from = "", writes = false } = this.#chosen[part][field] ?? {};
      const changing = this.#changing.has(field);
      return node(
        "tr",
        { "data-field": field },
        node("th", {}, field.replaceAll("_", " ")),
        node("td", {}, paths(`${part}.${field}.from`, from)),
        node("td", {}, ...(part === "combatant" && changing ? [paths(`${part}.${field}.down_from`, down_from)] : [])),
        node("td", {}, ...(changing ? [node("input", { type: "checkbox", name: `${part}.${field}.writes`, checked: writes })] : [])),
        node("td", { class: "fracas-value" }, from ? String((down_from ? at(document, down_from) - at(document, from) : at(document, from)) ?? "") : ""),
      );
    });
    const heads = ["field", "place", ...(part === "combatant" ? ["down-from"] : ["nothing"]), "writes", "now"];
    const head = node("tr", {}, ...heads.map((key) => node("th", {}, key === "nothing" ? "" : say(key))));
    return node("table", { class: `fracas-places fracas-${part}` }, node("thead", {}, head), node("tbody", {}, ...rows));
  }

  /** @param {any} actor */
  #skillsChoice(actor) {
    const key = (/** @type {any} */ place) => (place ? `${place.items ? "items" : "object"}|${place.items ?? place.object}|${place.rating}` : "");
    const options = ratingPlaces(actor, this.#words).map((place) => {
      const value = key(place);
      return node("option", { value, selected: value === key(this.#skills) }, `${place.items ?? place.object}: ${place.rating} (${place.example})`);
    });
    return node("select", { name: "skills" }, node("option", { value: "" }, "–"), ...options);
  }

  /**
   * @param {any} actor
   * @param {any} weapon
   * @param {any} asks
   * @param {(key: string, data?: any) => string} say
   */
  #lacking(actor, weapon, asks, say) {
    if (!actor || !asks) return "";
    const open = asks.combatant.filter((/** @type {string} */ field) => !this.#chosen.combatant[field]);
    if (!this.#skills && Object.keys(this.#words).length > 0) open.push("skills");
    if (weapon) open.push(...asks.weapon.filter((/** @type {string} */ field) => !this.#chosen.weapon[field]));
    return open.length > 0 ? say("open", { fields: open.map((/** @type {string} */ field) => field.replaceAll("_", " ")).join(", ") }) : say("complete");
  }

  /** @override @param {any} result @param {HTMLElement} content */
  _replaceHTML(result, content) {
    content.replaceChildren(...result);
    content.onchange = (event) => this.#change(/** @type {HTMLInputElement} */ (event.target));
  }

  /** @param {HTMLInputElement} input */
  #change({ name, value, checked }) {
    const [part, field, what] = name.split(".");
    if (name === "ruleset") [this.#ruleset, this.#chosen, this.#skills] = [value, { combatant: {}, weapon: {} }, null];
    else if (name === "skills") this.#skills = placeOf(value);
    else if (name === "actor") [this.#actor, this.#weapon] = [value, ""];
    else if (name === "weapon") this.#weapon = value;
    else {
      const chosen = this.#chosen[/** @type {"combatant"} */ (part)];
      const next = { ...(chosen[field] ?? { from: "" }), [what]: what === "writes" ? checked : value };
      if (what === "from" && this.#changing.has(field) && !chosen[field]) next.writes = true;
      if (next.from) chosen[field] = next;
      else delete chosen[field];
    }
    return this.render();
  }

  /** Keeps the mapping in the world, and reports what it cannot read of the model. */
  async save() {
    const actor = game.actors.get(this.#actor);
    if (!actor) return void ui.notifications.warn("FRACAS.mapping.no-actor", { localize: true });
    const weapon = actor.items.get(this.#weapon);
    const preset = await mappingForAny(this.#ruleset);
    if (!preset) return void ui.notifications.warn("FRACAS.mapping.no-fields", { localize: true });
    const least = preset.asks?.skills_from ?? 1;
    const made = customMapping(preset, {
      ruleset: this.#ruleset,
      type: actor.type,
      combatant: clean(this.#chosen.combatant),
      weaponType: weapon?.type,
      weapon: clean(this.#chosen.weapon),
      skills: this.#skills ? { ...this.#skills, least, words: this.#words } : null,
    });
    const own = { ...made, id: "own", label: game.i18n.localize("FRACAS.settings.mapping.own"), system: game.system.id };
    await game.settings.set(MODULE, "ownMapping", own);
    const missing = [...combatantOf(own, actor).missing, ...(weapon ? weaponOf(own, weapon).missing : [])];
    if (missing.length > 0) {
      const lines = missing.map((one) => `${one.field.replaceAll("_", " ")}: ${game.i18n.localize(`FRACAS.mapping.missing.${one.why}`)}`);
      tell("warn", `Fracas: ${lines.join("; ")}`);
    } else {
      const say = (/** @type {string} */ key, /** @type {any} */ data = {}) => game.i18n.format(`FRACAS.mapping.${key}`, data);
      tell("info", `${say("saved")} ${this.#lacking(actor, weapon, preset.asks, say)}`);
    }
  }
}

/**
 * The skills that a ruleset knows; none where it has no procedures yet.
 *
 * @param {string} ruleset
 * @returns {Promise<string[]>}
 */
async function skillsOf(ruleset) {
  if (!ruleset) return [];
  const { procedures } = await service().ruleset(ruleset);
  for (const { situation } of procedures) {
    for (const record of Object.values(situation?.properties ?? {})) {
      const skills = record.anyOf?.at(-1)?.properties?.skills;
      if (skills?.propertyNames?.enum) return skills.propertyNames.enum;
    }
  }
  return [];
}

/** @param {string} value such as `items|Skill|system.rating` */
function placeOf(value) {
  const [kind, where, rating] = value.split("|");
  return rating ? { [kind]: where, rating } : null;
}

/** @param {Record<string, Chosen>} chosen */
function clean(chosen) {
  return Object.fromEntries(
    Object.entries(chosen).map(([field, { from, down_from, writes }]) => [field, { from, ...(down_from ? { down_from } : {}), writes: Boolean(writes) }]),
  );
}

/**
 * What was chosen when a mapping was made.
 *
 * @param {import("./sheet-mapping.mjs").Mapping} own
 * @param {string | undefined} type
 * @returns {Record<"combatant" | "weapon", Record<string, Chosen>>}
 */
function chosenOf(own, type) {
  const kinds = [own.combatants.find(({ types }) => types.includes(type ?? "")), own.weapons[0]];
  const [combatant, weapon] = kinds.map((kind) => {
    const sources = Object.entries(kind?.fields ?? {}).filter(([field]) => field !== "name");
    return Object.fromEntries(
      sources.flatMap(([field, source]) => {
        if (typeof source !== "object" || Array.isArray(source) || typeof source.from !== "string") return [];
        return [[field, { from: source.from, ...(source.down_from ? { down_from: source.down_from } : {}), writes: Boolean(source.write) }]];
      }),
    );
  });
  return { combatant, weapon };
}
