/**
 * What Foundry's Combat shows of an encounter of the service, as plain data. Nothing here needs Foundry.
 */

/**
 * @typedef {object} Fighter A combatant of Foundry's Combat.
 * @property {string} id of the Foundry document
 * @property {string} combatant its id in the encounter; "" for one that is not there yet
 * @property {string} name
 * @property {number | null} initiative
 * @property {boolean} defeated
 * @property {boolean} hidden
 */

/**
 * @typedef {object} Differences What has to be done to Foundry's Combat.
 * @property {{combatant: string, data: object}[]} create new ones: their ids in the encounter, and the data of the documents
 * @property {{_id: string, initiative?: number | null, defeated?: boolean, hidden?: boolean}[]} update
 * @property {string[]} remove ids of Foundry documents
 * @property {number} round
 * @property {string} acting id in the encounter of the one who acts; "" for nobody
 */

/**
 * The numbers by which Foundry sorts its tracker so that it shows the order of the encounter: scores where the order is that
 * of the scores, and a little more where a combatant comes before others with greater ones. First those who have had their
 * slot, then those whose slot it is, then the others as they follow, then those without a slot in this part.
 *
 * @param {any} encounter as the service answers it
 * @param {ReadonlyMap<string, number | null>} before numbers shown so far, by combatant
 * @returns {Map<string, number | null>}
 */
export function initiatives(encounter, before) {
  const there = encounter.combatants.filter((/** @type {any} */ { gone }) => !gone);
  if (!encounter.turn) return new Map(there.map((/** @type {any} */ { id }) => [id, null]));
  /** @type {string[]} */
  const coming = encounter.order.flatMap((/** @type {any} */ { actors }) => actors);
  /** @type {any[]} */
  const rest = there.filter((/** @type {any} */ { id }) => !coming.includes(id));
  const had = rest.filter(({ done, delaying }) => done && !delaying);
  const shown = (/** @type {any} */ one) => before.get(one.id) ?? score(one);
  had.sort((a, b) => shown(b) - shown(a));
  const byId = new Map(there.map((/** @type {any} */ one) => [one.id, one]));
  const idle = rest.filter((one) => !had.includes(one));
  const rows = [
    ...[...had, ...coming.map((id) => byId.get(id))].map((one) => ({ one, least: score(one) })),
    ...idle.filter(({ rank }) => rank !== "").map((one) => ({ one, least: 0 })),
  ];
  /** @type {Map<string, number | null>} */
  const found = new Map(idle.filter(({ rank }) => rank === "").map(({ id }) => [id, null]));
  let below = -Infinity;
  for (const { one, least } of rows.reverse()) {
    below = least > below ? least : Math.round(100 * below + 1) / 100;
    found.set(one.id, below);
  }
  return found;
}

/** @param {any} combatant */
function score({ rank }) {
  const number = Number.parseFloat(rank);
  return Number.isFinite(number) ? number : 0;
}

/**
 * What differs between the encounter and what Foundry shows.
 *
 * @param {any} encounter
 * @param {readonly Fighter[]} fighters
 * @returns {Differences}
 */
export function differences(encounter, fighters) {
  const linked = new Map(fighters.filter(({ combatant }) => combatant).map((one) => [one.combatant, one]));
  const order = initiatives(encounter, new Map([...linked].map(([id, { initiative }]) => [id, initiative])));
  /** @type {Differences} */
  const found = { create: [], update: [], remove: [], round: encounter.turn, acting: encounter.acting[0] ?? "" };
  for (const one of encounter.combatants) {
    const fighter = linked.get(one.id);
    const wanted = { initiative: order.get(one.id) ?? null, defeated: !one.able && !one.gone, hidden: one.hidden };
    if (one.gone) {
      if (fighter) found.remove.push(fighter.id);
    } else if (!fighter) {
      found.create.push({ combatant: one.id, data: { name: one.name, ...wanted } });
    } else {
      const changed = Object.entries(wanted).filter(([key, value]) => fighter[/** @type {keyof Fighter} */ (key)] !== value);
      if (changed.length > 0) found.update.push({ _id: fighter.id, ...Object.fromEntries(changed) });
    }
  }
  const known = new Set(encounter.combatants.map((/** @type {any} */ { id }) => id));
  // Those whose joining was undone.
  found.remove.push(...fighters.filter(({ combatant }) => combatant && !known.has(combatant)).map(({ id }) => id));
  return found;
}

/**
 * The command by which a fight goes on.
 *
 * @param {any} encounter
 * @returns {"begin-turn" | "next"}
 */
export function forward({ phase }) {
  return ["setup", "turn-over"].includes(phase) ? "begin-turn" : "next";
}

/**
 * Seconds that pass in the game from one turn to another, with the sign of the direction.
 *
 * @param {number} from number of the turn; 0 before the first
 * @param {number} to
 * @param {number} seconds of a turn
 */
export function secondsBetween(from, to, seconds) {
  return (Math.max(to, 1) - Math.max(from, 1)) * seconds;
}

/**
 * What an initiative changed by hand in the tracker is in the words of the ruleset: as much more or less on the roll.
 *
 * @param {any} combatant as the service answers it
 * @param {string | undefined} fact of the roll that is added to the score; from the sheet mapping
 * @param {number} wanted
 * @returns {Record<string, unknown> | null} null: it cannot be said
 */
export function rolledFor(combatant, fact, wanted) {
  const had = fact ? combatant.rolled?.[fact] : undefined;
  if (!fact || !Number.isFinite(wanted) || combatant.rank === "" || typeof had !== "number") return null;
  return { ...combatant.rolled, [fact]: Math.max(0, had + Math.round(wanted) - score(combatant)) };
}
