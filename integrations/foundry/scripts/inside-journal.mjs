/**
 * The journal of Fracas inside Foundry: what a fight consists of, in a journal entry, so that another browser or another game master
 * goes on with it. Players do not see the entry, but their browsers may be given it: its lines are sealed (`inside-key.mjs`).
 *
 * Each fight has pages of its own, each with some of its lines. A line has the number that it has in its fight, and that of the claim
 * under which it was written: whoever runs Fracas has claimed the journal before, and a line of an earlier claim that arrives
 * after one of a later claim counts no more. So two clients never continue one fight in two ways.
 */

/** @typedef {import("../../inside/engine.mjs").Written} Written */
/** @typedef {{number: number, client: string}} Claim */
/** @typedef {{fight: string, part: number, lines: Record<string, string>}} Page lines are sealed, each for its place */

import { JournalKey, PATIENCE, findKey, keepKey, typedKey } from "./inside-key.mjs";
import { complain } from "./messages.mjs";

const MODULE = "fracas";
/** Of the entry, the same in every world: two clients never make two. */
export const ID = "fracasJournal000";
/** Characters of a page, beyond which the next line begins another one: each line that is added has Foundry write its page. */
const FULL = 64_000;
/** Milliseconds in which a claim that another client makes at the same time is heard. */
const SETTLE = 400;

/**
 * The lines of one fight, each with its key.
 *
 * @param {Iterable<Page>} pages
 * @returns {[string, string][]}
 */
export function linesOf(pages) {
  /** @type {Map<number, {claim: number, line: string}[]>} */
  const found = new Map();
  for (const { lines } of pages) {
    for (const [key, line] of Object.entries(lines ?? {})) {
      const [number, claim] = key.split("-").map(Number);
      found.set(number, [...(found.get(number) ?? []), { claim, line }]);
    }
  }
  /** @type {[string, string][]} */
  const whole = [];
  let newest = 0;
  for (let number = 0; found.has(number); number++) {
    const [last] = (found.get(number) ?? []).sort((a, b) => b.claim - a.claim);
    if (last.claim < newest) break;
    newest = last.claim;
    whole.push([`${number}-${last.claim}`, last.line]);
  }
  return whole;
}

/** The journal belongs to another client by now, or never was a game master's. */
export class NotOursError extends Error {}

/** The game master does not have the key of the journal. */
export class NoKeyError extends Error {}

/** A keeper for `Inside` (`Keeper` in `integrations/inside/inside.mjs`). */
export class WorldJournal {
  /** @type {any} */
  #entry;
  /** @type {Claim} */
  #claim = { number: 0, client: "" };
  #key = JournalKey.made();
  #secret = "";
  /** @type {Map<string, {next: number, part: number, page: string, size: number}>} where the next line of a fight goes */
  #ends = new Map();
  #settle;
  #patience;

  /** @param {number} [settle] milliseconds @param {number} [patience] milliseconds that other browsers have to hand over the key */
  constructor(settle = SETTLE, patience = PATIENCE) {
    this.#settle = settle;
    this.#patience = patience;
  }

  /** Claims the journal, and reads it. @returns {Promise<string[]>} @throws {NotOursError} @throws {NoKeyError} */
  async load() {
    this.#entry = game.journal.get(ID) ?? (await made());
    if (isStrange(this.#entry)) throw new NotOursError(game.i18n.localize("FRACAS.inside.not-gm"));
    await this.#unlock();
    const before = claimOf(this.#entry)?.number ?? 0;
    this.#claim = { number: before + 1, client: foundry.utils.randomID() };
    await this.#entry.update({ [`flags.${MODULE}.claim`]: this.#claim });
    await new Promise((done) => setTimeout(done, this.#settle));
    this.#check();
    return await this.#read();
  }

  async #unlock() {
    const fits = fitsIn(this.#entry);
    const key = (await findKey(fits, this.#patience)) ?? (await typedKey(fits));
    if (!key) throw new NoKeyError(game.i18n.localize("FRACAS.inside.no-key"));
    this.#key = key;
    this.#secret = await key.open(this.#entry.flags[MODULE].secret, ID);
  }

  /** Signs continuations, in hexadecimal: questions outside of a fight outlast a reload. */
  get secret() {
    return this.#secret;
  }

  /** Whether this client may write. */
  get isOurs() {
    return claimOf(this.#entry)?.client === this.#claim.client;
  }

  #check() {
    if (!this.isOurs) throw new NotOursError(game.i18n.localize("FRACAS.inside.elsewhere"));
  }

  async #read() {
    this.#ends.clear();
    /** @type {Map<string, {id: string, flags: Page}[]>} */
    const fights = new Map();
    for (const page of this.#entry.pages) {
      const flags = page.flags[MODULE];
      if (flags?.fight) fights.set(flags.fight, [...(fights.get(flags.fight) ?? []), { id: page.id, flags }]);
    }
    const all = [];
    for (const [fight, pages] of fights) {
      const found = linesOf(pages.map(({ flags }) => flags)).map(([key, sealed]) => this.#key.open(sealed, placeOf(fight, key)));
      const lines = await Promise.all(found).catch((error) => (complain(error), []));
      if (!begins(lines[0])) continue; // a page was deleted or changed by hand: the other fights go on
      const last = pages.reduce((one, other) => (other.flags.part > one.flags.part ? other : one));
      const size = Object.values(last.flags.lines).join("").length;
      this.#ends.set(fight, { next: lines.length, part: last.flags.part, page: last.id, size });
      all.push(...lines);
    }
    return all;
  }

  /** @param {Written[]} written @throws {NotOursError} */
  async keep(written) {
    this.#check();
    /** @type {Map<string, string[]>} */
    const fights = new Map();
    for (const [fight, line] of written) if (fight) fights.set(fight, [...(fights.get(fight) ?? []), line]);
    for (const [fight, lines] of fights) {
      if (lines.some((line) => JSON.parse(line).what === "delete")) await this.#forget(fight);
      else await this.#add(fight, lines);
    }
    // A claim that was heard meanwhile was made before this was written.
    this.#check();
  }

  /** @param {string} fight */
  async #forget(fight) {
    const pages = [...this.#entry.pages].filter((page) => page.flags[MODULE]?.fight === fight).map(({ id }) => id);
    if (pages.length > 0) await this.#entry.deleteEmbeddedDocuments("JournalEntryPage", pages);
    this.#ends.delete(fight);
  }

  /** @param {string} fight @param {string[]} added */
  async #add(fight, added) {
    const end = this.#ends.get(fight) ?? { next: 0, part: -1, page: "", size: FULL };
    const sealed = added.map(async (line, at) => {
      const key = `${end.next + at}-${this.#claim.number}`;
      return [key, await this.#key.seal(line, placeOf(fight, key))];
    });
    const lines = Object.fromEntries(await Promise.all(sealed));
    const size = Object.values(lines).join("").length;
    if (end.size + size > FULL) {
      const part = end.part + 1;
      const data = { name: `${fight} ${part}`, type: "text", flags: { [MODULE]: { fight, part, lines } } };
      const [page] = await this.#entry.createEmbeddedDocuments("JournalEntryPage", [data]);
      this.#ends.set(fight, { next: end.next + added.length, part, page: page.id, size });
    } else {
      const changes = Object.fromEntries(Object.entries(lines).map(([key, line]) => [`flags.${MODULE}.lines.${key}`, line]));
      await this.#entry.updateEmbeddedDocuments("JournalEntryPage", [{ _id: end.page, ...changes }]);
      this.#ends.set(fight, { ...end, next: end.next + added.length, size: end.size + size });
    }
  }
}

/** Gets the key of a journal that is there from another game master's browser, as long as one is open. */
export async function prepareKey() {
  const entry = game.journal.get(ID);
  if (entry) await findKey(fitsIn(entry), PATIENCE);
}

/** Whether a key is that of a journal. @param {any} entry @returns {(key: JournalKey) => Promise<boolean>} */
function fitsIn(entry) {
  return (key) => key.open(String(entry.flags[MODULE]?.secret ?? ""), ID).then(() => true, () => false);
}

/**
 * Whether a player could have written the entry: they own it or a page of it, or they changed it last, such as by making it. Then what
 * is in it may be an older state that they have kept.
 *
 * @param {any} entry
 */
function isStrange(entry) {
  const owners = [entry, ...entry.pages].flatMap(({ ownership }) => Object.entries(ownership ?? {}).filter(([, level]) => Number(level) > 0));
  const last = game.users.get(entry._stats?.lastModifiedBy);
  return owners.some(([user]) => !game.users.get(user)?.isGM) || (last && !last.isGM);
}

/** Where a line stands, for which it is sealed. @param {string} fight @param {string} key */
function placeOf(fight, key) {
  return `${fight} ${key}`;
}

/** @param {any} entry @returns {Claim | undefined} */
function claimOf(entry) {
  return entry?.flags[MODULE]?.claim;
}

/** @param {string | undefined} line */
function begins(line) {
  return line !== undefined && JSON.parse(line).what === "create";
}

/** @param {number} bytes */
export function randomHex(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The entry, which no player may see, with a key of its own. */
async function made() {
  const { NONE } = CONST.DOCUMENT_OWNERSHIP_LEVELS;
  const key = JournalKey.made();
  const secret = await key.seal(randomHex(32), ID);
  await keepKey(key); // before others learn of the entry, and ask for it
  const data = { _id: ID, name: game.i18n.localize("FRACAS.inside.journal"), ownership: { default: NONE }, flags: { [MODULE]: { secret } } };
  const entry = await JournalEntry.create(data, { keepId: true }).catch((error) => {
    const other = game.journal.get(ID); // which another client made at the same time
    if (!other) throw error;
    return other;
  });
  return entry ?? game.journal.get(ID);
}
