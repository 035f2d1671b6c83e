/** What the Mod makes of a pack: made once, brought up to date, kept where people edited it, and removed. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import vm from "node:vm";

import { HOSTS, bare, packOf, scriptWith } from "./hosts.mjs";

const MODS = process.env.FRACAS_MODS;

for (const [name, host] of Object.entries(HOSTS)) {
  const play = (about, act) =>
    test(`${name}: ${about}`, async () => {
      const table = host(scriptWith(packOf()));
      await act(table);
      assert.deepEqual(table.warnings, []);
      assert.ok(!table.heard.some((line) => line.startsWith("aloud")), table.heard.join("\n"));
    });
  play("a pack becomes tables, handouts and macros of the GM who asks", async (table) => {
    const told = await table.gmSays("!fracas import-pack");
    assert.match(told, /^to GM: .*4 made, 0 updated, 0 unchanged/);
    const { tables, handouts, macros, abilities } = await table.content();
    assert.deepEqual(tables, [["Falls", [["Bruised", 2], ["Broken", 4]]]]);
    assert.deepEqual(handouts, [["Actions", "<h3>Aim</h3><p>Takes a while</p>"]]);
    assert.deepEqual(macros.map(([owner, macro]) => [owner, macro]), [[table.gm.id, "Attack"], [table.gm.id, "Roll"]]);
    assert.deepEqual(abilities, []);
    assert.equal(table.named("rollabletable", "Falls").get("showplayers"), false);
  });

  play("a second time changes nothing", async (table) => {
    await table.gmSays("!fracas import-pack");
    const before = await table.content();
    const ids = table.all("tableitem").map(({ id }) => id);
    assert.match(await table.gmSays("!fracas import-pack"), /0 made, 0 updated, 4 unchanged/);
    assert.deepEqual(await table.content(), before);
    assert.deepEqual(table.all("tableitem").map(({ id }) => id), ids);
  });

  play("handouts lead to those that are in the game", async (table) => {
    const link = (id, text) => `<a href="handout:p:${id}">${text}</a>`;
    const handouts = [
      { id: "p:actions", name: "Actions", notes: `<p>The rule: ${link("rulebook/8", "8 Aiming")}, ${link("rulebook/9", "9 Gone")}</p>` },
      { id: "p:rulebook/8", name: "Rules", notes: "<h3>8 Aiming</h3>" },
    ];
    table.load(scriptWith(packOf({ handouts })));
    assert.match(await table.gmSays("!fracas import-pack handouts"), /2 made/);
    const { id } = table.named("handout", "Rules");
    const notes = Object.fromEntries((await table.content()).handouts).Actions;
    assert.equal(notes, `<p>The rule: <a href="http://journal.roll20.net/handout/${id}">8 Aiming</a>, 9 Gone</p>`);
    assert.match(await table.gmSays("!fracas import-pack handouts"), /0 made, 0 updated, 2 unchanged/);
  });

  play("only some kinds", async (table) => {
    assert.match(await table.gmSays("!fracas import-pack tables"), /1 made/);
    assert.deepEqual((await table.content()).macros, []);
    assert.match(await table.gmSays("!fracas import-pack macros handouts"), /3 made/);
    assert.match(await table.gmSays("!fracas import-pack wands"), /no <b>wands<\/b> in a pack, only tables, handouts, macros/);
  });

  play("what the pack changes is updated, what it drops is removed", async (table) => {
    await table.gmSays("!fracas import-pack");
    table.load(
      scriptWith(
        packOf({
          version: "1.1.0",
          tables: [{ id: "p:table/falls", name: "Falling", rows: [["Bruised", 1], ["Dead", 1]] }],
          handouts: [{ id: "p:actions", name: "Actions", notes: "<p>New</p>" }],
          macros: [{ id: "p:attack", name: "Attack", text: "[[2d6]]", token: false }],
        }),
      ),
    );
    assert.match(await table.gmSays("!fracas status"), /1&#46;0&#46;0; the script holds 1&#46;1&#46;0: 4 objects/);
    assert.match(await table.gmSays("!fracas import-pack"), /0 made, 3 updated, 0 unchanged.*No longer in the pack: 1 removed/);
    const { tables, handouts, macros } = await table.content();
    assert.deepEqual(tables, [["Falling", [["Bruised", 1], ["Dead", 1]]]]);
    assert.deepEqual(handouts, [["Actions", "<p>New</p>"]]);
    assert.deepEqual(macros, [[table.gm.id, "Attack", "[[2d6]]"]]);
    assert.match(await table.gmSays("!fracas import-pack"), /0 made, 0 updated, 3 unchanged/);
  });

  play("edits of people are kept and named, until a reset", async (table) => {
    await table.gmSays("!fracas import-pack");
    const before = await table.content();
    table.make("tableitem", { _rollabletableid: table.named("rollabletable", "Falls").id, name: "Mine", weight: 1 });
    table.named("handout", "Actions").set({ notes: "<p>Mine</p>" });
    table.named("macro", "Roll").set({ action: "[[1d8]]" });
    table.named("macro", "Attack").set({ visibleto: "all", name: "Shoot" });
    const edited = await table.content();
    assert.match(await table.gmSays("!fracas status"), /4 objects.*You edited:.*Actions.*Roll.*Falls/);
    const told = await table.gmSays("!fracas import-pack");
    assert.match(told, /0 made, 0 updated, 1 unchanged.*Kept as you edited them:.*Falls.*Actions.*Roll/);
    assert.ok(!told.includes("Attack") && !told.includes("Shoot"));
    assert.deepEqual(await table.content(), edited);
    table.load(scriptWith(packOf({ macros: [{ id: "p:roll", name: "Roll", text: "[[3d6]]", token: false }] })));
    assert.match(await table.gmSays("!fracas import-pack macros"), /though the pack says something new:<ul><li>Roll/);
    table.load(scriptWith(packOf()));
    assert.match(await table.gmSays("!fracas import-pack --reset"), /updated/);
    const after = await table.content();
    assert.deepEqual([after.tables, after.handouts], [before.tables, before.handouts]);
    assert.equal(table.named("macro", "Roll").get("action"), "[[1d6]]");
  });

  play("what people deleted stays deleted, until a reset", async (table) => {
    await table.gmSays("!fracas import-pack");
    table.named("handout", "Actions").remove();
    assert.match(await table.gmSays("!fracas import-pack"), /3 unchanged.*since you deleted them:<ul><li>Actions/);
    assert.deepEqual(table.all("handout"), []);
    assert.match(await table.gmSays("!fracas status"), /3 objects. You deleted:<ul><li>Actions/);
    assert.match(await table.gmSays("!fracas import-pack --reset"), /1 made/);
    assert.equal(table.all("handout").length, 1);
  });

  play("what others made is left alone; what is equal is taken for its own", async (table) => {
    const theirs = table.make("rollabletable", { name: "falls", showplayers: true });
    table.make("tableitem", { _rollabletableid: theirs.id, name: "Theirs", weight: 1 });
    table.make("macro", { _playerid: table.gm.id, name: "Roll", action: "[[1d6]]" });
    table.make("macro", { _playerid: table.player.id, name: "Attack", action: "of Pat" });
    const told = await table.gmSays("!fracas import-pack");
    assert.match(told, /2 made, 0 updated, 1 unchanged.*something else has that name.*<ul><li>Falls/);
    assert.deepEqual(table.all("macro").map((one) => one.get("name")).sort(), ["Attack", "Attack", "Roll"]);
    await table.gmSays("!fracas remove --all");
    assert.deepEqual((await table.content()).tables, [["falls", [["Theirs", 1]]]]);
    assert.deepEqual((await table.content()).macros, [[table.player.id, "Attack", "of Pat"]]);
  });

  play("all that was made is removed, but not what people edited", async (table) => {
    await table.gmSays("!fracas import-pack");
    table.named("macro", "Roll").set({ action: "[[1d8]]" });
    const told = await table.gmSays("!fracas remove");
    assert.match(told, /3 objects removed. Kept, since you edited them.*Roll/);
    const { tables, handouts, macros } = await table.content();
    assert.deepEqual([tables, handouts, table.all("tableitem")], [[], [], []]);
    assert.deepEqual(macros.map(([, macro]) => macro), ["Roll"]);
    assert.match(await table.gmSays("!fracas remove --all"), /1 object removed/);
    assert.deepEqual(table.all("macro"), []);
    assert.match(await table.gmSays("!fracas remove"), /nothing to remove/);
    assert.match(await table.gmSays("!fracas remove everything"), /only --all is/);
    assert.match(await table.gmSays("!fracas import-pack"), /4 made/);
  });

  play("characters of the selected tokens get token actions", async (table) => {
    const rook = table.make("character", { name: "Rook" });
    const selected = [table.token("Rook", { represents: rook.id }), table.token("Rook 2", { represents: rook.id }), table.token("Crate")];
    assert.match(await table.gmSays("!fracas token-actions"), /Select tokens that represent characters/);
    assert.match(await table.gmSays("!fracas token-actions", selected), /1 made/);
    const { abilities } = await table.content();
    assert.deepEqual(abilities, [[rook.id, "Attack", "&{template:default} {{name=@{selected|token_name}}}", true]]);
    assert.match(await table.gmSays("!fracas token-actions", selected), /0 made, 0 updated, 1 unchanged/);
    assert.match(await table.gmSays("!fracas import-pack"), /4 made/);
    assert.equal(table.all("ability").length, 1);
    await table.gmSays("!fracas remove");
    assert.deepEqual(table.all("ability"), []);
  });

  play("players are refused, and told in a whisper", async (table) => {
    for (const command of ["import-pack", "remove --all", "config hp bar2", "status", "token-actions", "nonsense"]) {
      assert.equal(await table.says(table.player, `!fracas ${command}`), "to Pat: This is for the GM.");
    }
    assert.deepEqual((await table.content()).macros, []);
    assert.match(await table.says(table.player, "!fracas help"), /^to Pat: Fracas with A pack/);
  });

  play("help names every command, and faults are told", async (table) => {
    const help = await table.gmSays("!fracas");
    for (const command of "help import-pack token-actions status remove config markers import undo".split(" ")) {
      assert.ok(help.includes(`<b>!fracas ${command}`), command);
    }
    assert.match(await table.gmSays("!fracas [[9d9]]"), /There is no command/);
    assert.match(await table.gmSays("!fracas constructor"), /There is no command <b>constructor<\/b>/);
    assert.match(await table.gmSays("!fracas status"), /Nothing was imported yet/);
    table.type(table.gm, "!fracasx import-pack", []);
    table.type(table.gm, "fracas import-pack", []);
    assert.match(await table.gmSays("!fracas config"), /Bars of tokens/);
    assert.deepEqual(table.all("macro"), []);
  });

  test(`${name}: commands given at once are carried out one after the other`, async () => {
    const table = host(scriptWith(packOf()));
    table.type(table.gm, "!fracas import-pack", []);
    table.type(table.gm, "!fracas import-pack", []);
    const told = await table.gmSays("!fracas status");
    while (table.heard.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.match(table.heard[0], /4 made/);
    assert.match(table.heard[1], /4 unchanged/);
    assert.ok(told);
    assert.equal(table.all("macro").length, 2);
  });

  test(`${name}: without a pack it says so`, async () => {
    const table = host(scriptWith(null));
    assert.match(await table.gmSays("!fracas import-pack"), /holds no pack/);
    assert.match(await table.gmSays("!fracas help"), /without a pack/);
    assert.match(await table.gmSays("!fracas status"), /There is no pack/);
  });

  test(`${name}: of two exports in one game one answers, with both packs`, async () => {
    const other = packOf({ id: "q", title: "Other (cwn)", tables: [], handouts: [], macros: [] });
    const table = host(scriptWith(packOf()), scriptWith(other));
    assert.match(await table.gmSays("!fracas help"), /A pack .*Other/);
    assert.match(await table.gmSays("!fracas import-pack"), /A pack.*4 made.*Other.*0 made/);
    assert.equal(table.heard.length, 2);
  });

  test(`${name}: nothing in a pack is read by Roll20 in a report`, async () => {
    const evil = '[[1d6]] @{a|b} %{a|b} ?{q} &{template:x} {{k=v}} [x](!run) <img> "';
    const macros = [{ id: evil, name: evil, text: "x", token: false }];
    const table = host(scriptWith(packOf({ title: evil, macros })));
    await table.gmSays("!fracas import-pack");
    table.named("macro", evil).set({ action: "y" });
    const told = await table.gmSays("!fracas import-pack");
    assert.match(told, /Kept/);
    assert.ok(!/[[\]{}@%?]|&(?!#\d+;)|<img/.test(told), told);
    assert.deepEqual(table.warnings, []);
  });

  // Whole packs take seconds: in the ordinary run in one of the sandboxes.
  if (process.env.FRACAS_EVERYWHERE !== "1" && host !== Object.values(HOSTS)[0]) continue;
  for (const file of readdirSync(MODS).filter((one) => one.endsWith(".js"))) {
    test(`${name}: ${file} is made, made again, and removed`, async () => {
      const table = host(readFileSync(join(MODS, file), "utf8"));
      const told = await table.gmSays("!fracas import-pack");
      assert.match(told, /[1-9]\d* made, 0 updated, 0 unchanged\.<br>$/);
      const before = await table.content();
      assert.ok(before.handouts.length > 0 && (before.tables.length > 0) === !file.startsWith("sr5"));
      for (const [title, notes] of before.handouts) assert.ok(!/[[\]{}@%?]|&(?!#\d+;)/.test(notes), title);
      assert.match(await table.gmSays("!fracas import-pack"), / 0 made, 0 updated, [1-9]\d* unchanged\.<br>$/);
      assert.deepEqual(await table.content(), before);
      await table.gmSays("!fracas remove");
      assert.deepEqual(await table.content(), { tables: [], handouts: [], macros: [], abilities: [] });
      assert.deepEqual(table.warnings, []);
    });
  }
}

test("the sandbox has no network, no modules and no page", () => {
  const table = bare(scriptWith(packOf()));
  const missing = "fetch XMLHttpRequest WebSocket require process module document window navigator Buffer";
  for (const name of missing.split(" ")) {
    assert.equal(vm.runInContext(`typeof ${name}`, table.context), "undefined", name);
  }
});

test("what was made is known after the sandbox began anew", async () => {
  const table = bare(scriptWith(packOf()));
  const guard = table.token("Guard", { bar1_value: 2 });
  await table.gmSays("!fracas import-pack");
  await table.gmSays("!fracas config stun bar3 down");
  table.named("macro", "Roll").set({ action: "[[1d8]]" });
  table.restart(scriptWith(packOf({ version: "1.0.1", tables: [] })));
  assert.match(await table.gmSays("!fracas config"), /stun: bar3 down/);
  assert.match(await table.gmSays("!fracas import-pack"), /0 made, 0 updated, 2 unchanged.*edited them.*Roll.*: 1 removed/);
  table.restart(scriptWith(null));
  assert.match(await table.gmSays("!fracas status"), /p, which no script holds any more.*3 objects/);
  assert.match(await table.gmSays("!fracas remove --all"), /3 objects removed/);
  assert.equal(guard.get("bar1_value"), 2);
  assert.deepEqual(await table.content(), { tables: [], handouts: [], macros: [], abilities: [] });
  assert.deepEqual(table.warnings, []);
});
