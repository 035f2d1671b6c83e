/**
 * What the scene suggests for an attack: cover from the walls between two tokens, darkness from the lighting, and whether the
 * attacker's token sees the target's. People take a suggestion or leave it; nothing is said of the situation without them.
 *
 * Which field and which word a share stands for, the sheet mapping says.
 */

import { fieldAt, valueAt } from "./situation.mjs";
import { words } from "./nodes.mjs";

/** @typedef {import("./attack-form.mjs").Suggestion} Suggestion */

/**
 * @typedef {{field: string, from?: Record<string, number>, value?: boolean | string}} Rule from: words with the least share that they
 *   stand for
 */

/** Where lines of sight to a token end, in parts of its size from its middle. */
const POINTS = [-0.4, 0, 0.4];

/**
 * What is suggested and not said yet.
 *
 * @param {import("./sheet-mapping.mjs").Mapping} mapping
 * @param {any} schema of the situation
 * @param {Record<string, any>} situation what is said of it
 * @param {any} attacker token on the canvas, if any
 * @param {any} target
 * @returns {Suggestion[]}
 */
export function suggestionsFor({ suggests = {} }, schema, situation, attacker, target) {
  if (!attacker?.center || !target?.center) return [];
  const facts = { cover: coverBetween, darkness: darknessAt, unseen: unseenBy };
  return Object.entries(facts).flatMap(([name, find]) => {
    const rule = /** @type {Record<string, Rule>} */ (suggests)[name];
    const field = rule && fieldAt(schema, rule.field);
    const found = field ? find(attacker, target) : null;
    const value = found && valueOf(rule, found.share);
    if (!field || !found || value === undefined || value === null) return [];
    const now = valueAt(situation, field.path);
    const several = field.kind === "several";
    if (several ? now?.includes(value) : now === value) return [];
    const word = typeof value === "string" ? words(value) : "";
    const text = game.i18n.format(`FRACAS.suggestion.${name}`, { field: word ? `${field.title}: ${word}` : field.title, ...found.told });
    return [{ path: field.path, value: several ? [...(now ?? []), value] : value, text }];
  });
}

/** @param {Rule} rule @param {number} share */
function valueOf({ from, value }, share) {
  if (!from) return share > 0 ? value : undefined;
  const reached = Object.entries(from).filter(([, least]) => share >= least && share > 0);
  return reached.sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** @param {any} token */
function placeOf({ center: { x, y }, document }) {
  return { x, y, elevation: document.elevation ?? 0 };
}

/**
 * Lines of sight from the attacker to nine points of the target.
 *
 * @param {any} attacker
 * @param {any} target
 */
function coverBetween(attacker, target) {
  const backend = CONFIG.Canvas?.polygonBackends?.sight;
  if (!backend) return null;
  const [eye, body] = [placeOf(attacker), placeOf(target)];
  const points = POINTS.flatMap((across) => POINTS.map((down) => ({ ...body, x: body.x + across * target.w, y: body.y + down * target.h })));
  const blocked = points.filter((point) => backend.testCollision(eye, point, { type: "sight", mode: "any" })).length;
  return { share: blocked / points.length, told: { blocked: `${blocked}`, of: `${points.length}` } };
}

/** @param {any} _attacker @param {any} target */
function darknessAt(_attacker, target) {
  const { effects } = canvas;
  if (!effects?.getDarknessLevel) return null;
  const place = placeOf(target);
  const share = effects.testInsideLight(place) ? 0 : effects.getDarknessLevel(place);
  return { share, told: { level: `${Math.round(100 * share)}` } };
}

/** Only where the canvas is seen with the attacker's eyes. @param {any} attacker @param {any} target */
function unseenBy(attacker, target) {
  const { visibility } = canvas;
  if (!visibility?.testVisibility || !attacker.controlled || !attacker.vision?.active) return null;
  return { share: visibility.testVisibility(placeOf(target), { object: target }) ? 0 : 1, told: {} };
}
