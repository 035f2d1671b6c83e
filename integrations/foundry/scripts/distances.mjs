/** How far apart tokens and places on the scene are, and in which direction. */

/** Of a unit of the scene, by its name in small letters. */
export const METRES = /** @type {Record<string, number>} */ ({ m: 1, meter: 1, meters: 1, metre: 1, metres: 1, ft: 0.3048, feet: 0.3048, yd: 0.9144 });

/**
 * Metres between two tokens, heights included; null where they cannot be measured.
 *
 * @param {any} one
 * @param {any} other
 * @returns {number | null}
 */
export function metresBetween(one, other) {
  const units = METRES[String(canvas.scene?.grid.units ?? "").trim().toLowerCase()];
  const points = [one, other].map((object) => object?.center && { x: object.center.x, y: object.center.y, elevation: object.document.elevation ?? 0 });
  if (!units || !points.every(Boolean) || !canvas.grid) return null;
  // The typings of 14 know no points that it takes.
  const { grid } = /** @type {{grid: {measurePath: (points: unknown[], options: object) => {distance: number}}}} */ (/** @type {unknown} */ (canvas));
  const measured = grid.measurePath(points, {}).distance * units;
  return Number.isFinite(measured) ? Math.round(10 * measured) / 10 : null;
}

/**
 * Degrees as seen by one who looks at a spot: 0 is beyond it, 90 to the right.
 *
 * @param {{x: number, y: number} | undefined} from
 * @param {{x: number, y: number}} spot
 * @param {{x: number, y: number}} point
 */
export function bearing(from, spot, point) {
  const angle = (/** @type {{x: number, y: number}} */ a, /** @type {{x: number, y: number}} */ b) => Math.atan2(b.y - a.y, b.x - a.x);
  const degrees = ((angle(spot, point) - (from ? angle(from, spot) : 0)) * 180) / Math.PI;
  return Math.round(degrees + 720) % 360; // on a screen angles grow to the right
}
