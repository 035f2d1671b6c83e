/**
 * Circles on the scene as places where something goes off: regions, and in Foundry 13 measured templates, which 14 has no more. Who stands in one
 * and where is measured here; what it does to them, the service says.
 */

import { bearing, metresBetween } from "./distances.mjs";
import { documentAt } from "./documents.mjs";

/** The hook for a circle that was placed, moved or selected here. */
export const CIRCLE = "fracas.circle";

/** @typedef {import("./attempts.mjs").Side} Side */

/**
 * @typedef {object} Circle
 * @property {number} x of its middle, in pixels of the scene
 * @property {number} y
 * @property {number} radius in pixels
 * @property {number} elevation in units of the scene
 */

/** The uuid of the circle that this client's user placed last. */
let placed = "";

/** For the hook `init`. */
export function registerCircles() {
  for (const kind of /** @type {const} */ (["MeasuredTemplate", "Region"])) {
    const tell = (/** @type {any} */ document) => void (circleIn(document) && Hooks.callAll(CIRCLE));
    Hooks.on(`create${kind}`, (/** @type {any} */ document, /** @type {any} */ _options, /** @type {string} */ user) => {
      if (user !== game.userId) return;
      if (circleIn(document)) placed = document.uuid;
      tell(document);
    });
    Hooks.on(`update${kind}`, (/** @type {any} */ document) => document.uuid === placed && tell(document));
    Hooks.on(`control${kind}`, (/** @type {any} */ { document }, /** @type {boolean} */ controlled) => controlled && tell(document));
  }
}

/**
 * The circle that is selected, or else the one that the user placed last; null for none.
 *
 * @returns {{circle: Circle, selected: boolean} | null}
 */
export function circleNow() {
  const templates = game.release.generation >= 14 ? [] : (canvas.templates?.controlled ?? []);
  const selected = [...(canvas.regions?.controlled ?? []), ...templates].map(({ document }) => circleIn(document)).find(Boolean);
  if (selected) return { circle: selected, selected: true };
  const document = documentAt(placed);
  const circle = document?.parent?.id === canvas.scene?.id ? circleIn(document) : null;
  return circle ? { circle, selected: false } : null;
}

/**
 * The circle that a document is; null for any other shape.
 *
 * @param {any} document of a template or a region
 * @returns {Circle | null}
 */
export function circleIn(document) {
  if (!document) return null;
  if (document.documentName === "MeasuredTemplate") {
    const { t, x, y, distance, elevation = 0 } = document;
    return t === "circle" ? { x, y, radius: distance * (canvas.dimensions?.distancePixels ?? 0), elevation } : null;
  }
  const shapes = (document.shapes ?? []).filter((/** @type {any} */ { hole }) => !hole);
  const [shape] = shapes;
  if (shapes.length !== 1 || shape.type !== "circle") return null;
  const bottom = document.elevation?.bottom; // null or without end, where it reaches all the way down
  return { x: shape.x, y: shape.y, radius: shape.radius, elevation: Number.isFinite(bottom) ? bottom : 0 };
}

/**
 * The tokens in a circle that the user sees, the nearest to its middle first.
 *
 * @param {Circle} circle
 * @returns {any[]}
 */
export function tokensIn(circle) {
  const away = (/** @type {any} */ { center: { x, y } }) => Math.hypot(x - circle.x, y - circle.y);
  const inside = (canvas.tokens?.placeables ?? []).filter((token) => token.actor && token.visible && away(token) <= circle.radius);
  return inside.sort((one, other) => away(one) - away(other));
}

/**
 * The records of a procedure that say where a combatant stands around the spot that is aimed at, in their order.
 *
 * @param {any} schema
 * @returns {string[]} none: it aims at no places
 */
export function recordsAround(schema) {
  return Object.keys(schema?.properties ?? {}).filter((name) => /^(target|(target|victim)_\d+)$/.test(name) && fieldsOf(schema, name)?.bearing);
}

/**
 * What a circle says of the situation: the middle is the spot that is aimed at, from which scatter is counted.
 *
 * @param {any} schema
 * @param {Circle} circle
 * @param {Side} attacker
 * @param {Record<string, Side>} people by record
 * @returns {Record<string, any>}
 */
export function aimedAt(schema, circle, attacker, people) {
  const aim = ["place", "point"].find((word) => schema.properties.aim?.enum?.includes(word));
  const middle = { center: circle, document: circle };
  const around = Object.entries(people).map(([record, { object }]) => {
    const field = fieldsOf(schema, record)?.spot_distance ? "spot_distance" : "distance";
    const metres = metresBetween(middle, object);
    return [record, { ...(metres === null ? {} : { [field]: metres }), bearing: bearing(attacker.object?.center, circle, object.center) }];
  });
  const far = attacker.object ? metresBetween(attacker.object, middle) : null;
  return { ...(aim ? { aim } : {}), ...("distance" in schema.properties && far !== null ? { distance: far } : {}), ...Object.fromEntries(around) };
}

/** @param {any} schema @param {string} record @returns {Record<string, any> | undefined} */
function fieldsOf(schema, record) {
  return schema.properties[record]?.anyOf?.find((/** @type {any} */ one) => one.properties)?.properties;
}
