/**
 * Damage above the tokens that took it, on the screen of everyone who sees them: the client that writes to a sheet informs the other
 * clients what it was, with the options of the update.
 */

/**
 * @typedef {{text: string, amount: number}[]} Lines damage, and below 0 what was healed
 * @typedef {{lines: Lines, closed: boolean}} Shown closed: only for those who may see the sheet
 */

const KEY = "fracasDamage";

/**
 * Options of an update that show damage.
 *
 * @param {Lines} lines
 * @param {any} options those of the update; `closed` of them is for this alone
 */
export function withDamage(lines, { closed = false, ...options }) {
  return lines.length > 0 ? { ...options, [KEY]: { lines, closed } } : options;
}

/** For the hook `init`. */
export function registerDamageText() {
  Hooks.on("updateActor", (actor, _changes, options) => show(actor, options));
  Hooks.on("updateActorDelta", (/** @type {any} */ delta, _changes, options) => {
    if (delta.parent?.actor) show(delta.parent.actor, options);
  });
}

/** @param {any} actor @param {object} options of the update */
function show(actor, options) {
  const { [KEY]: shown } = /** @type {{[KEY]?: Shown}} */ (options);
  if (!shown || !canvas.ready || (shown.closed && !actor.testUserPermission(game.user, "OBSERVER"))) return;
  const { CENTER, TOP, BOTTOM } = CONST.TEXT_ANCHOR_POINTS;
  for (const token of actor.getActiveTokens?.() ?? []) {
    if (!token.visible || token.document.isSecret) continue;
    for (const { text, amount } of shown.lines) {
      const hurt = amount > 0;
      const line = game.i18n.format(hurt ? "FRACAS.damage.taken" : "FRACAS.damage.healed", { amount: `${Math.abs(amount)}`, what: text });
      const how = { anchor: CENTER, direction: hurt ? BOTTOM : TOP, fontSize: 28, fill: hurt ? "#ff5c4d" : "#6fdc6f", stroke: "#000000", strokeThickness: 4, jitter: 0.25 };
      // Whether texts scroll at all, each user sets in Foundry.
      void canvas.interface?.createScrollingText(token.center, line, how);
    }
  }
}
