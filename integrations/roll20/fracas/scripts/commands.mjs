/** What people may say to the Mod. */

import { importResult, undo } from "./applying.mjs";
import { bringAll, each, take } from "./bringing.mjs";
import { COMMAND } from "./chat.mjs";
import { markers, nameOfMarker, tagOf } from "./markers.mjs";
import { madeOf, memory } from "./memory.mjs";
import { lookUp, nameOf } from "./objects.mjs";
import { abilitiesOf, bars, itemsOf, loaded, packs } from "./packs.mjs";
import { positions } from "./positions.mjs";
import { Refusal, bold, counted, list, named, readable, shown } from "./texts.mjs";
import { tokensFor } from "./tokens.mjs";

/** @typedef {import("./chat.mjs").Asked} Asked */
/** @typedef {import("./packs.mjs").Bar} Bar */
/** @typedef {import("./packs.mjs").Kind} Kind */

const WORDS = { table: "tables", handout: "handouts", macro: "macros" };

/**
 * @typedef {object} Command
 * @property {string} form what may follow its name
 * @property {string} about
 * @property {boolean} [open] players may give it as well
 * @property {(asked: Asked) => string | Promise<string>} run gives what to answer, fit for the chat
 */

/** @type {Record<string, Command>} */
export const commands = {
  help: { form: "", about: "this list", open: true, run: help },
  "import-pack": {
    form: "[tables] [handouts] [macros] [--reset]",
    about: "put the pack into the game, or bring it up to date; with --reset also what you edited or deleted",
    run: importPack,
  },
  "token-actions": {
    form: "",
    about: "give the characters of the selected tokens the macros as token actions",
    run: tokenActions,
  },
  status: { form: "", about: "what was made of the pack, and what you edited", run: status },
  remove: { form: "[--all]", about: "remove what was made; with --all also what you edited", run: remove },
  config: {
    form: "[TRACK bar1|bar2|bar3|off [up|down]]",
    about: "which bar shows a track; up: it counts damage, down: it counts what is left",
    run: config,
  },
  markers: {
    form: "[CONDITION MARKER|off]",
    about: "which status marker shows a condition; a marker by its name in this game",
    run: configMarkers,
  },
  positions: {
    form: "",
    about: "where the selected tokens are, or all that players see, as lines for the bridge page",
    run: (asked) => positions(asked),
  },
  import: {
    form: "TEXT [--only WHO] [--token WHO=ID] [--again]",
    about: "apply a copied result to the tokens with its names, or to the selected one; players to their own tokens",
    open: true,
    run: importResult,
  },
  undo: {
    form: "[MARK]",
    about: "take the last applied result back, or the one with that mark",
    open: true,
    run: undo,
  },
};

function help() {
  const lines = Object.entries(commands).map(
    ([name, { form, about }]) => `<b>${COMMAND} ${name}${form && ` ${shown(form)}`}</b> ${shown(about)}`,
  );
  const which = [...packs.values()].map(({ title, version }) => `${shown(title)} ${shown(version)}`);
  return `Fracas${which.length > 0 ? ` with ${which.join(", ")}` : ", without a pack"}.${list(lines)}`;
}

/** @param {Asked} asked */
async function importPack({ words, playerid }) {
  const reset = words.includes("--reset");
  const wanted = words.filter((word) => word !== "--reset");
  const unknown = wanted.find((word) => !Object.values(WORDS).includes(word));
  if (unknown) throw new Refusal(`There are no ${bold(unknown)} in a pack, only ${Object.values(WORDS).join(", ")}.`);
  const takes = (/** @type {string} */ kind) =>
    wanted.length === 0 || wanted.includes(WORDS[/** @type {"table" | "handout" | "macro"} */ (kind)]);
  const reports = [];
  for (const pack of loaded()) {
    const records = madeOf(pack.id);
    const items = itemsOf(pack, playerid).filter(({ kind }) => takes(kind));
    let report = await bringAll(pack, items, reset);
    const keys = new Set(items.map(({ key }) => key));
    const gone = Object.keys(records.made).filter((key) => {
      const kind = key.split(" ")[0];
      return kind !== "ability" && takes(kind) && !keys.has(key);
    });
    if (gone.length > 0) {
      const { removed, kept } = await take(records.made, gone, reset);
      report += `No longer in the pack: ${removed} removed.`;
      if (kept.length > 0) report += `<br>Kept as you edited them:${named(kept)}`;
    }
    records.version = pack.version;
    reports.push(report);
  }
  return reports.join("<br>");
}

/** @param {Asked} asked */
async function tokenActions(asked) {
  const { selected } = tokensFor(asked);
  const ids = [...new Set(selected.map((token) => token.get("represents")).filter(Boolean))];
  if (ids.length === 0) throw new Refusal("Select tokens that represent characters first.");
  const reports = [];
  for (const pack of loaded()) {
    const items = ids.flatMap((id) => abilitiesOf(pack, id));
    if (items.length === 0) throw new Refusal(`${bold(pack.title)} has no macros for token actions.`);
    reports.push(await bringAll(pack, items, false));
  }
  return reports.join("<br>");
}

async function status() {
  const reports = [];
  for (const [id, { version, made: records }] of Object.entries(memory().packs)) {
    const pack = packs.get(id);
    const title = pack ? pack.title : `${id}, which no script holds any more`;
    const newer = pack && pack.version !== version ? `; the script holds ${shown(pack.version)}` : "";
    const states = await each(Object.entries(records).sort(), async ([key, record]) => {
      const { object, kind, edited } = await lookUp(key, record);
      return { name: nameOf({ kind, name: object ? object.get("name") : record.name }), there: !!object, edited };
    });
    const there = states.filter((one) => one.there);
    const edited = there.filter((one) => one.edited).map(({ name }) => name);
    const deleted = states.filter((one) => !one.there).map(({ name }) => name);
    reports.push(
      `${bold(title)} ${shown(version)}${newer}: ${counted(there.length, "object")}.` +
        (edited.length > 0 ? ` You edited:${named(edited)}` : "") +
        (deleted.length > 0 ? ` You deleted:${named(deleted)}` : ""),
    );
  }
  const none = packs.size > 0 ? `Nothing was imported yet: <b>${COMMAND} import-pack</b> does.` : "There is no pack.";
  return reports.length > 0 ? reports.join("<br>") : none;
}

/** @param {Asked} asked */
async function remove({ words }) {
  const all = words.includes("--all");
  const unknown = words.find((word) => word !== "--all");
  if (unknown) throw new Refusal(`${bold(unknown)} is not understood; only --all is.`);
  const reports = [];
  const { packs: kept } = memory();
  for (const [id, { made: records }] of Object.entries(kept)) {
    const pack = packs.get(id);
    const done = await take(records, Object.keys(records).sort(), all);
    const left = done.kept.length > 0 ? ` Kept, since you edited them; --all removes them too:${named(done.kept)}` : "";
    if (Object.keys(records).length === 0) delete kept[id];
    reports.push(`${bold(pack ? pack.title : id)}: ${counted(done.removed, "object")} removed.${left}`);
  }
  return reports.length > 0 ? reports.join("<br>") : "There is nothing to remove.";
}

/** @param {Asked} asked */
function config({ words }) {
  const [what, where = "", way, ...more] = words;
  const mine = memory().bars;
  if (what !== undefined) {
    const before = bars().get(what);
    if (!/^[a-z0-9][a-z0-9./_-]{0,79}$/.test(what) || more.length > 0) {
      throw new Refusal(`${bold(words.join(" "))} is not understood, for example: ${COMMAND} config hp bar1 down`);
    }
    if (where === "off") mine[what] = null;
    else if (/^bar[123]$/.test(where) && /^(up|down)?$/.test(way || "")) {
      const counts = way || (before ? before.way : "up");
      mine[what] = { bar: /** @type {Bar["bar"]} */ (where), way: /** @type {Bar["way"]} */ (counts) };
    } else throw new Refusal("Say bar1, bar2, bar3 or off, and then up or down.");
  }
  const lines = [...bars()].map(([track, { bar, way: counts }]) => {
    const about = counts === "up" ? "up: it counts what was suffered or spent" : "down: it counts what is left";
    return `${shown(track)}: ${bar} ${about}`;
  });
  return lines.length > 0 ? `Bars of tokens:${list(lines)}` : "No bar shows anything.";
}

/** @param {Asked} asked */
function configMarkers({ words }) {
  const [condition, ...name] = words;
  if (condition !== undefined) {
    if (!/^[a-z0-9][a-z0-9-]{0,79}$/.test(condition) || name.length === 0) {
      throw new Refusal(`${bold(words.join(" "))} is not understood, for example: ${COMMAND} markers prone back-pain`);
    }
    const marker = name.join(" ");
    const tag = marker === "off" ? null : tagOf(marker);
    if (tag === "") throw new Refusal(`This game has no status marker ${bold(marker)}.`);
    memory().markers[condition] = tag;
  }
  const lines = [...markers()].map(([slug, tag]) => shown(`${readable(slug)}: ${nameOfMarker(tag)}`));
  return lines.length > 0 ? `Status markers of conditions:${list(lines)}` : "No marker shows a condition.";
}
