// The journal of Fracas inside Foundry: lines in their order, whatever an earlier claim has written late; and one writer at a time.

import assert from "node:assert/strict";
import test from "node:test";
import { ID, NoKeyError, NotOursError, WorldJournal, linesOf } from "../../integrations/foundry/scripts/inside-journal.mjs";
import { JournalKey } from "../../integrations/foundry/scripts/inside-key.mjs";

const set = (target, path, value) => {
  const names = path.split(".");
  const last = names.pop();
  names.reduce((at, name) => (at[name] ??= {}), target)[last] = value;
};

/** A journal entry as far as it is used; `users` are those who own it. */
function world(ownership = { default: 0, gm: 3 }) {
  let made = 0;
  const entry = {
    id: ID,
    ownership,
    flags: {},
    pages: [],
    async update(changes) {
      for (const [path, value] of Object.entries(changes)) set(this, path, value);
    },
    async createEmbeddedDocuments(_name, data) {
      const pages = data.map((one) => ({ id: `p${++made}`, ...structuredClone(one) }));
      this.pages.push(...pages);
      return pages;
    },
    async updateEmbeddedDocuments(_name, updates) {
      for (const { _id, ...changes } of updates) for (const [path, value] of Object.entries(changes)) set(this.pages.find(({ id }) => id === _id), path, value);
    },
    async deleteEmbeddedDocuments(_name, ids) {
      this.pages = this.pages.filter(({ id }) => !ids.includes(id));
    },
  };
  let ids = 0;
  const keys = {};
  const settings = { get: () => keys, set: async (_module, _name, value) => Object.assign(keys, value) };
  Object.assign(globalThis, {
    keys,
    game: { settings, world: { id: "alley" }, user: null, journal: new Map(), users: new Map([["gm", { isGM: true }], ["ada", { isGM: false }]]), i18n: { localize: (key) => key } },
    foundry: { utils: { randomID: () => `client${++ids}` } },
    CONST: { DOCUMENT_OWNERSHIP_LEVELS: { NONE: 0 } },
    JournalEntry: {
      async create(data, { keepId }) {
        assert.deepEqual([data._id, data.ownership, keepId], [ID, { default: 0 }, true]);
        if (game.journal.has(ID)) throw new Error("exists already");
        entry.flags = structuredClone(data.flags ?? {});
        game.journal.set(ID, entry);
        return entry;
      },
    },
  });
  return entry;
}

const line = (fight, what, more = "") => JSON.stringify({ encounter: fight, what, more });
const written = (fight, what, more) => [fight, line(fight, what, more)];

test("lines come back in their order, each fight for itself, and a deleted one does not", async () => {
  const entry = world();
  const journal = new WorldJournal(0);
  assert.deepEqual(await journal.load(), []);
  const long = "x".repeat(40_000);
  await journal.keep([written("a", "create"), written("a", "append", "1")]);
  await journal.keep([written("b", "create", long)]);
  await journal.keep([written("a", "append", "2"), ["", line("", "sessions")]]);
  await journal.keep([written("b", "append", long)]);
  await journal.keep([written("c", "create")]);
  await journal.keep([written("c", "delete")]);
  assert.equal(entry.pages.length, 3, "the second line of b begins a page");
  const again = new WorldJournal(0);
  assert.deepEqual(await again.load(), [line("a", "create"), line("a", "append", "1"), line("a", "append", "2"), line("b", "create", long), line("b", "append", long)]);
  await again.keep([written("b", "append", "3")]);
  assert.equal((await new WorldJournal(0).load()).at(-1), line("b", "append", "3"));
});

test("whoever claims the journal last is the only one who writes it", async () => {
  world();
  const first = new WorldJournal(0);
  await first.load();
  await first.keep([written("a", "create")]);
  const second = new WorldJournal(0);
  assert.deepEqual(await second.load(), [line("a", "create")]);
  await assert.rejects(first.keep([written("a", "append", "late")]), NotOursError);
  await second.keep([written("a", "append", "1")]);
  const rivals = [new WorldJournal(50), new WorldJournal(50)];
  const both = await Promise.allSettled(rivals.map((one) => one.load()));
  assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"], "whose claim came last has it");
  assert.deepEqual(rivals.map(({ isOurs }) => isOurs), both.map(({ status }) => status === "fulfilled"));
});

test("what an earlier claim writes late counts no more", () => {
  const page = (part, lines) => ({ fight: "a", part, lines });
  const lines = (pages) => linesOf(pages).map(([, line]) => line);
  assert.deepEqual(linesOf([page(0, { "0-1": "a", "1-1": "late", "1-2": "b" })]), [["0-1", "a"], ["1-2", "b"]]);
  assert.deepEqual(lines([page(1, { "2-2": "c" }), page(0, { "0-1": "a", "1-1": "b" })]), ["a", "b", "c"]);
  assert.deepEqual(lines([page(0, { "0-1": "a", "1-1": "late", "2-1": "later", "1-2": "b" })]), ["a", "b"]);
  assert.deepEqual(lines([page(0, { "0-1": "a", "2-1": "c" })]), ["a"], "after a gap nothing counts");
});

test("a fight without its beginning is left out, the others go on", async () => {
  const entry = world();
  const journal = new WorldJournal(0);
  await journal.load();
  await journal.keep([written("a", "create", "x".repeat(70_000)), written("b", "create")]);
  await journal.keep([written("a", "append")]);
  entry.pages = entry.pages.filter(({ flags }) => flags.fracas.fight !== "a" || flags.fracas.part > 0);
  assert.deepEqual(await new WorldJournal(0).load(), [line("b", "create")]);
});

test("a player who made the entry first would read the seeds", async () => {
  world({ default: 0, ada: 3 });
  await JournalEntry.create({ _id: ID, ownership: { default: 0 } }, { keepId: true });
  await assert.rejects(new WorldJournal(0).load(), NotOursError);
});

test("an entry that a player made out of what they had kept is no journal, until a game master changes it", async () => {
  const entry = world();
  const journal = new WorldJournal(0);
  await journal.load();
  await journal.keep([written("a", "create")]);
  entry._stats = { lastModifiedBy: "ada" };
  await assert.rejects(new WorldJournal(0).load(), NotOursError);
  for (const trusted of ["gm", "gone"]) {
    entry._stats.lastModifiedBy = trusted;
    assert.deepEqual(await new WorldJournal(0).load(), [line("a", "create")]);
  }
  entry.pages[0].ownership = { default: -1, ada: 3 };
  await assert.rejects(new WorldJournal(0).load(), NotOursError);
});

test("what players' browsers are given has nothing of a fight in it, and is good in its place alone", async () => {
  const entry = world();
  const journal = new WorldJournal(0);
  await journal.load();
  assert.match(journal.secret, /^[0-9a-f]{64}$/);
  await journal.keep([written("a", "create", "seed"), written("a", "append", "1"), written("b", "create", "2")]);
  const given = JSON.stringify(entry);
  for (const secret of ["seed", "create", "append", journal.secret, ...Object.values(keys)]) assert.ok(!given.includes(secret), secret);
  const [first] = entry.pages;
  const [one, other] = Object.keys(first.flags.fracas.lines);
  first.flags.fracas.lines[other] = first.flags.fracas.lines[one];
  const complaints = [];
  globalThis.ui = { notifications: { error: (...all) => complaints.push(all) } };
  const silent = console.error;
  console.error = () => {};
  assert.deepEqual(await new WorldJournal(0).load(), [line("b", "create", "2")], "a fight that was tampered with is left out");
  console.error = silent;
  assert.equal(complaints.length, 1);
});

test("how long a line is does not show what happened", async () => {
  const key = JournalKey.made();
  const lengths = ["", "x", "ä".repeat(250), "x".repeat(512)].map(async (text) => {
    const sealed = await key.seal(line("a", "append", text), "a 1-1");
    assert.equal(await key.open(sealed, "a 1-1"), line("a", "append", text));
    return sealed.length;
  });
  const [empty, short, most, more] = await Promise.all(lengths);
  assert.deepEqual([short, most > empty, more], [empty, true, most]);
});

test("without the key nobody claims the journal", async () => {
  const entry = world();
  await new WorldJournal(0).load();
  const claim = entry.flags.fracas.claim;
  keys.alley = JournalKey.made().phrase;
  const typed = [{ key: "no key" }, { key: keys.alley }, null];
  foundry.applications = { api: { DialogV2: { input: async () => typed.shift() } } };
  await assert.rejects(new WorldJournal(0, 20).load(), NoKeyError);
  assert.deepEqual([entry.flags.fracas.claim, typed.length], [claim, 0]);
});

test("a recovery key is typed in any case, without hyphens, and with letters that look like numbers", () => {
  for (let count = 0; count < 50; count++) {
    const { phrase } = JournalKey.made();
    assert.match(phrase, /^([0-9A-HJKMNP-TV-Z]{5}-){5}[0-9A-HJKMNP-TV-Z]$/);
    const typed = phrase.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
    assert.equal(JournalKey.of(typed)?.phrase, phrase);
  }
  for (const wrong of ["", "AAAAA", "U".repeat(26), "A".repeat(27)]) assert.equal(JournalKey.of(wrong), null);
});
