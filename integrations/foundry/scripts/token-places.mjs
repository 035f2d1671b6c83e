/**
 * Where a token stands in metres, and where on its scene a position is.
 *
 * Nothing here needs Foundry. Its tokens have the place of their upper left corner and of their middle in pixels, their size in
 * squares, and their elevation in the units of the scene.
 */

import { METRES } from "./distances.mjs";

/** @typedef {{x: number, y: number, elevation: number, width: number, height: number, middle: {x: number, y: number}}} Token */
/** @typedef {{size: number, distance: number, units: string}} Grid of a scene: pixels of a square, and what it measures */
/** @typedef {{x: number, y: number, elevation: number, size: number}} Position */

/** Metres that a token may be away from where the fight has it: of rounding to pixels. */
const NEAR = 0.05;

/**
 * Metres of a unit of the scene, and of a pixel; null where they are not known.
 *
 * @param {Grid} grid
 */
function scaleOf({ size, distance, units }) {
  const unit = METRES[String(units ?? "").trim().toLowerCase()];
  return unit && size > 0 && distance > 0 ? { unit, pixel: (unit * distance) / size } : null;
}

const rounded = (/** @type {number} */ metres) => Math.round(metres * 1000) / 1000;

/**
 * @param {Token} token
 * @param {Grid} grid
 * @returns {Position | null} null where the scene measures in nothing that is known
 */
export function positionOf({ elevation, width, height, middle }, grid) {
  const scale = scaleOf(grid);
  if (!scale) return null;
  const broader = Math.max(0, Math.max(width, height) - 1) * grid.distance * scale.unit;
  return { x: rounded(middle.x * scale.pixel), y: rounded(middle.y * scale.pixel), elevation: rounded((elevation ?? 0) * scale.unit), size: rounded(1 + broader) };
}

/**
 * The middle of a circle on a scene, as the place of a blast.
 *
 * @param {{x: number, y: number, elevation: number}} circle in pixels and in units of the scene
 * @param {Grid} grid
 * @returns {{x: number, y: number, elevation: number} | null} null where the scene measures in nothing that is known
 */
export function spotOf({ x, y, elevation }, grid) {
  const scale = scaleOf(grid);
  return scale && { x: rounded(x * scale.pixel), y: rounded(y * scale.pixel), elevation: rounded(elevation * scale.unit) };
}

/**
 * What of a token has to change for it to stand where the fight says; null for nothing.
 *
 * @param {Position} position
 * @param {Token} token
 * @param {Grid} grid
 * @returns {{x: number, y: number, elevation: number} | null}
 */
export function moveTo(position, token, grid) {
  const scale = scaleOf(grid);
  const now = positionOf(token, grid);
  if (!scale || !now || Math.hypot(position.x - now.x, position.y - now.y, position.elevation - now.elevation) <= NEAR) return null;
  const corner = (/** @type {"x" | "y"} */ axis) => Math.round(token[axis] + position[axis] / scale.pixel - token.middle[axis]);
  return { x: corner("x"), y: corner("y"), elevation: Math.round((position.elevation / scale.unit) * 100) / 100 };
}
