/**
 * How long conditions last, as durations of the effects that show them. The fight ends a condition; the effect only shows how
 * much is left. Foundry 13 counts rounds and seconds in fields of their own, 14 a value in a unit.
 */

/** @typedef {{rounds: number} | {seconds: number}} Span */

const SECONDS = /** @type {Record<string, number>} */ ({ second: 1, minute: 60, hour: 3600, day: 86400 });

/**
 * A length as the service names it; null for one that Foundry cannot count, such as action phases.
 *
 * @param {unknown} unit such as turn
 * @param {unknown} length
 * @returns {Span | null}
 */
export function spanOf(unit, length) {
  if (typeof unit !== "string" || typeof length !== "number" || length < 1) return null;
  if (["turn", "round"].includes(unit)) return { rounds: length };
  const seconds = SECONDS[unit.replace(/s$/, "")];
  return seconds ? { seconds: seconds * length } : null;
}

/**
 * How long the conditions of a combatant in a fight last, by slug: the round of the last, and the span from now.
 *
 * @param {readonly {slug: string, unit: string, until: number}[]} conditions
 * @param {number} turn that is now
 * @returns {Map<string, {until: number, span: Span}>}
 */
export function lastRounds(conditions, turn) {
  /** @type {Map<string, {until: number, span: Span}>} */
  const found = new Map();
  for (const { slug, unit, until } of conditions) {
    if (unit !== "turn" || until <= (found.get(slug)?.until ?? 0)) continue;
    found.set(slug, { until, span: { rounds: Math.max(1, until - Math.max(1, turn) + 1) } });
  }
  return found;
}

/**
 * Data of an effect for a span.
 *
 * @param {Span | null | undefined} span
 * @returns {{duration?: object}}
 */
export function durationOf(span) {
  if (!span) return {};
  const [[units, value]] = Object.entries(span);
  const fourteen = "ACTIVE_EFFECT_DURATION_UNITS" in CONST;
  return { duration: fourteen ? { value, units } : { [units]: value } };
}
