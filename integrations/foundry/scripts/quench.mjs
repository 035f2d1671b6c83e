/**
 * Tests that run inside a real Foundry, with the module Quench: what no stand-in can show, such as whether Foundry and the
 * game system accept our documents. They work on documents of their own and remove them again.
 */

import { catchUp } from "./combat-follow.mjs";
import { beginFight } from "./combat-sync.mjs";
import { rollData } from "./dice.mjs";
import { carryOut, planOf, takeBack } from "./effects.mjs";
import { fightOf, fighterIn, fighterOf } from "./fight.mjs";
import { WHOLE_PACK, importCompendium } from "./import-packs.mjs";
import { MODULE, activeMapping, service } from "./settings.mjs";
import { at, changesOf, combatantOf, inFull, kindOf } from "./sheet-mapping.mjs";
import { withVisibility } from "./visibility.mjs";

const NAME = "Fracas: test";

/** For the hook `quenchReady`, which the module Quench calls. */
export function registerQuench() {
  Hooks.on("quenchReady", (/** @type {any} */ quench) => {
    for (const [name, batch] of Object.entries({ service: serviceBatch, sheets, packs, chat, combat })) {
      quench.registerBatch(`${MODULE}.${name}`, batch, { displayName: `Fracas: ${name}` });
    }
  });
}

/** @param {any} context */
function serviceBatch({ describe, it, assert }) {
  describe("The service", () => {
    it("can be reached from this page and fits this module", async () => {
      const { version, packs } = await service().health();
      assert.isString(version);
      assert.isAbove(packs, 0);
    });
    it("plays the ruleset of the sheet mapping", async () => {
      const { ruleset } = await activeMapping();
      const known = await service().rulesets();
      assert.include(known.map((/** @type {any} */ { id }) => id), ruleset);
    });
  });
}

/** @param {any} context */
function sheets({ describe, it, assert, before, after }) {
  describe("Sheets of this game system", () => {
    /** @type {any} */
    let actor;
    before(async () => {
      actor = await testActor();
    });
    after(() => actor?.delete());

    it("have every path that the mapping reads", async () => {
      const mapping = await activeMapping();
      const lost = [];
      for (const [kinds, document] of /** @type {[import("./sheet-mapping.mjs").SheetKind[], any][]} */ ([
        [mapping.combatants, CONFIG.Actor.documentClass],
        [mapping.weapons, CONFIG.Item.documentClass],
      ])) {
        for (const kind of kinds) for (const type of kind.types.filter((one) => one !== "*")) {
          const made = new document({ name: NAME, type });
          // A field of one of the types alone is not needed by the others.
          const read = Object.values(kind.fields).map(inFull).filter(({ needed }) => needed || kind.types.length === 1);
          const none = read.filter(({ from }) => from && [from].flat().every((path) => at(made, path) === undefined));
          lost.push(...none.map(({ from }) => `${type} ${[from].flat()}`));
        }
      }
      assert.deepEqual(lost, [], "not on a new sheet");
    });
    it("have every status that the mapping names", async () => {
      const known = CONFIG.statusEffects.map(({ id }) => id);
      const lost = Object.values((await activeMapping()).conditions).filter((id) => !known.includes(id));
      assert.deepEqual(lost, []);
    });
    it("can be read: whatever is missing is named", async () => {
      const { said, missing } = combatantOf(await activeMapping(), actor);
      assert.equal(said.name, NAME);
      for (const { field, why } of missing) assert.isTrue(game.i18n.has(`FRACAS.mapping.missing.${why}`), field);
    });
    it("take effects on every track, and give them back", async () => {
      const mapping = await activeMapping();
      for (const [what, { field }] of Object.entries(mapping.tracks)) {
        const before = combatantOf(mapping, actor).said[field];
        if (!changesOf(mapping, actor, field, { by: 1 })?.length) continue; // an empty pool holds nothing
        const { plans } = planOf(mapping, [{ type: "gain", who: "one", what, amount: 1 }], { one: actor });
        const done = await carryOut(mapping, plans, { [MODULE]: true });
        assert.equal(combatantOf(mapping, actor).said[field], before + 1, what);
        assert.deepEqual(await takeBack(done, { [MODULE]: true }), []);
        assert.equal(combatantOf(mapping, actor).said[field], before, what);
      }
    });
    it("show conditions with their statuses, and lose them again", async () => {
      const mapping = await activeMapping();
      const effects = Object.keys(mapping.conditions).map((what) => ({ type: "add-condition", who: "one", what }));
      const { plans } = planOf(mapping, effects, { one: actor });
      const done = await carryOut(mapping, plans, { [MODULE]: true });
      for (const status of Object.values(mapping.conditions)) assert.isTrue(actor.statuses.has(status), status);
      await takeBack(done, { [MODULE]: true });
      assert.equal(actor.effects.size, 0);
    });
  });
}

/** @param {any} context */
function packs({ describe, it, assert, after }) {
  describe("Documents of the service", /** @this {any} */ function () {
    this.timeout?.(2 * WHOLE_PACK);
    /** @type {any} */
    let made;
    after(() => made?.deleteCompendium?.());

    it("are accepted by Foundry and the game system, every one", async () => {
      const { ruleset } = await activeMapping();
      const listed = await service().ask("/v1/packs", { token: "" });
      const refused = [];
      for (const { id } of listed.filter((/** @type {any} */ pack) => pack.ruleset === ruleset)) {
        const asked = `/foundry/documents?pack=${encodeURIComponent(id)}&system=${encodeURIComponent(game.system.id)}`;
        for (const { type, documents } of (await service().ask(asked, { token: "", timeout: WHOLE_PACK })).compendiums) {
          const kind = /** @type {(new (...args: any[]) => unknown) | undefined} */ (foundry.utils.getProperty(CONFIG, `${type}.documentClass`));
          for (const source of documents) {
            if (!kind) continue;
            try {
              new kind(foundry.utils.deepClone(source), { strict: true });
            } catch (error) {
              refused.push(`${type} ${source.name}: ${error instanceof Error ? error.message : error}`);
            }
          }
        }
      }
      assert.deepEqual(refused, []);
    });
    it("are imported once, into a compendium that is closed to players, and not again", async () => {
      const flags = { [MODULE]: { pack: "test", entry: "test:table/test", version: "1.0.0", hash: "1" } };
      const results = [{ _id: "fracastestresult", type: "text", name: "One", range: [1, 1], weight: 1 }];
      const folder = { _id: "fracastestfolder", name: NAME, type: "RollTable", flags };
      const document = { _id: "fracastesttable1", name: NAME, formula: "1d1", folder: folder._id, results, flags };
      const ownership = { PLAYER: "NONE", TRUSTED: "NONE", ASSISTANT: "OWNER" };
      const compendium = { name: "quench", label: NAME, type: /** @type {const} */ ("RollTable"), system: "", ownership, folders: [folder], documents: [document] };
      assert.equal((await importCompendium(compendium)).created, 1);
      made = game.packs.get(`world.${MODULE}-quench`);
      assert.equal(made.ownership.PLAYER, "NONE");
      assert.equal(made.folders.get(folder._id)?.name, NAME);
      const again = await importCompendium(compendium);
      assert.deepEqual([again.created, again.replaced, again.same, again.kept], [0, 0, 1, []]);
    });
  });
}

/** @param {any} context */
function chat({ describe, it, assert }) {
  describe("Chat", () => {
    it("shows dice of the service with the total of the service", () => {
      const data = rollData({ label: "attack", by: "attacker", dice: "4d6 >= 5", sides: 6, faces: [6, 5, 1, 2] });
      const roll = Roll.fromData(data);
      assert.equal(roll.total, 2);
      assert.deepEqual(roll.dice[0].results.map(({ result }) => result), [6, 5, 1, 2]);
    });
    it("keeps a private card from players", () => {
      for (const wanted of /** @type {const} */ (["gm", "blind"])) {
        const { whisper } = withVisibility({ content: "" }, wanted);
        assert.isNotEmpty(whisper, wanted);
        for (const id of whisper) assert.isTrue(game.users.get(id)?.isGM || id === game.userId, wanted);
      }
    });
  });
}

/** @param {any} context */
function combat({ describe, it, assert, before, after }) {
  describe("A fight", /** @this {any} */ function () {
    this.timeout?.(30_000);
    /** @type {any[]} */
    const actors = [];
    /** @type {any} */
    let made;
    /** @type {any} */
    let fight;
    before(async () => {
      actors.push(await testActor("one"), await testActor("two"));
      made = await CONFIG.Combat.documentClass.create({ active: true });
      await made.activate?.();
      await made.createEmbeddedDocuments("Combatant", actors.map(({ id, name }) => ({ actorId: id, name })));
    });
    after(async () => {
      if (fight) await fight.client.ask(fight.path, { method: "DELETE", token: fight.token, headers: { "If-Match": "*" } }).catch(() => {});
      await made?.delete();
      for (const actor of actors) await actor.delete();
    });

    it("begins with everybody of the Combat in it", async () => {
      await beginFight(made);
      fight = fightOf(made);
      const { combatants } = await fight.state();
      assert.equal(combatants.length, 2);
      for (const one of made.combatants) assert.isNotEmpty(fighterIn(one));
    });
    it("shows on the sheet what happens in it, and takes it back", async () => {
      const mapping = await activeMapping();
      const [what] = Object.entries(mapping.tracks).find(([, { field }]) => changesOf(mapping, actors[0], field, { by: 1 })?.length) ?? [];
      if (!what) return;
      const { field } = mapping.tracks[what];
      const before = combatantOf(mapping, actors[0]).said[field];
      const combatant = fighterOf(actors[0], made);
      await fight.command({ command: "set", combatant, fields: { [field]: before + 1 } });
      await catchUp(made);
      assert.equal(combatantOf(mapping, actors[0]).said[field], before + 1);
      await fight.command({ command: "undo", steps: 1 });
      await catchUp(made);
      assert.equal(combatantOf(mapping, actors[0]).said[field], before);
    });
    it("is moved on by the tracker", async () => {
      await made.startCombat();
      const deadline = Date.now() + 10_000;
      while (made.round !== 1 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(made.round, 1);
      assert.equal((await fight.state()).turn, 1);
    });
  });
}

/**
 * An actor of the first type that the mapping knows.
 *
 * @param {string} [more]
 */
async function testActor(more = "") {
  const mapping = await activeMapping();
  const known = Object.keys(CONFIG.Actor.dataModels ?? {});
  const [wanted] = mapping.combatants[0].types;
  const type = wanted === "*" ? (known[0] ?? "base") : wanted;
  const name = [NAME, more].filter(Boolean).join(" ");
  const made = await CONFIG.Actor.documentClass.create({ name, type: /** @type {Actor.SubType} */ (type) });
  if (!made) throw new Error(`no actor of type ${type} could be made`);
  return made;
}
