/**
 * Where the people of a skirmish stand on a scene: each side in a column, the sides as far apart as the skirmish says.
 *
 * Nothing here needs Foundry.
 */

/**
 * @typedef {object} Participant As the folder of a skirmish has it.
 * @property {string} actor id in the compendium
 * @property {string} name
 * @property {string} side
 * @property {number} count
 * @property {boolean} player
 */

/**
 * @typedef {object} Ground The scene, in pixels.
 * @property {number} size of a square
 * @property {number} metres of a square
 * @property {{x: number, y: number}} centre of what people see
 * @property {{x: number, y: number, width: number, height: number}} rect what is no padding
 */

/** @typedef {{actor: string, name: string, player: boolean, x: number, y: number}} Place */

/** Squares between two who stand beside each other, and between sides of which no distance is known. */
const [ROW, GAP] = [2, 6];

/**
 * The places of all, those of one kind numbered.
 *
 * @param {readonly Participant[]} participants
 * @param {number} distance between the sides, in metres; 0: not known
 * @param {Ground} ground
 * @returns {Place[]}
 */
export function placesOf(participants, distance, { size, metres, centre, rect }) {
  const sides = [...new Set(participants.map(({ side }) => side))];
  const gap = distance > 0 && metres > 0 ? Math.max(1, Math.round(distance / metres)) : GAP;
  const snapped = (/** @type {number} */ at, /** @type {number} */ start, /** @type {number} */ length) => {
    const most = Math.max(0, Math.floor(length / size) - 1);
    return start + size * Math.min(most, Math.max(0, Math.round((at - start) / size)));
  };
  return sides.flatMap((side, column) => {
    const people = participants.filter((one) => one.side === side).flatMap(each);
    return people.map((one, row) => ({
      ...one,
      x: snapped(centre.x + size * gap * (column - (sides.length - 1) / 2), rect.x, rect.width),
      y: snapped(centre.y + size * ROW * (row - (people.length - 1) / 2), rect.y, rect.height),
    }));
  });
}

/** @param {Participant} one */
function each({ actor, name, count, player }) {
  return Array.from({ length: count }, (_, at) => ({ actor, name: count > 1 ? `${name} ${at + 1}` : name, player }));
}
