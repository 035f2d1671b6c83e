/** What the Mod does with pasted results: read strictly, applied whole or not at all, and taken back. */

import { deepEqual as loosely } from "node:assert";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { HOSTS, packOf, scriptWith } from "./hosts.mjs";

/**
 * Texts by name that fracas.exports.roll20.importing wrote, answers of the service with the text of their cards, and texts
 * with what `escape` makes of them.
 */
const { results: RESULTS, answers: ANSWERS, escapes: ESCAPES } = JSON.parse(readFileSync(process.env.FRACAS_RESULTS, "utf8"));

for (const [name, host] of Object.entries(HOSTS)) {
  const play = (about, act) =>
    test(`${name}: ${about}`, async () => {
      const table = host(scriptWith(packOf()));
      const rook = table.token("Rook", { bar1_value: 1 });
      const guard = table.token("Guard", { bar1_value: "2", bar2_value: "", bar1_max: 10 });
      await act(table, { rook, guard });
      assert.deepEqual(table.warnings, []);
    });

  play("a result changes the bars of the tokens with its names, and says what is left to do", async (table, { rook, guard }) => {
    const told = await table.gmSays(RESULTS.hit);
    assert.equal(guard.get("bar1_value"), 8);
    assert.equal(rook.get("bar1_value"), 1);
    assert.match(told, /^to GM: <b>Ranged attack<\/b> \[Undo\]\(!fracas undo 0123456789abcdef\)<ul><li>Guard: bar1 2 to 8<\/li>/);
    assert.match(told, /<li>Guard: marker back-pain on<\/li><\/ul>To be done by hand:<ul><li>Rook: weapon rounds -1<\/li><\/ul>$/);
    assert.equal(guard.get("statusmarkers"), "back-pain");
  });

  play("conditions come and go as status markers, beside those that are there", async (table, { rook, guard }) => {
    guard.set({ statusmarkers: "red@3,dead,blue" });
    assert.match(await table.gmSays(RESULTS.conditions), /Guard: marker dead off<.*Guard: marker back-pain on<.*by hand:<ul><li>Guard is dazzled</);
    assert.equal(guard.get("statusmarkers"), "red@3,blue,back-pain");
    assert.equal(rook.get("statusmarkers"), "back-pain");
    assert.match(await table.gmSays(RESULTS.conditions), /was applied already/);
    await table.gmSays("!fracas undo");
    assert.equal(guard.get("statusmarkers"), "red@3,blue,dead");
    assert.equal(rook.get("statusmarkers"), "");
    guard.set({ statusmarkers: "back-pain@2" });
    rook.remove();
    assert.match(await table.gmSays(RESULTS.conditions), /changes no token.*<li>Rook is prone<\/li>/);
    assert.equal(guard.get("statusmarkers"), "back-pain@2");
    const other = table.token("Somebody");
    assert.match(await table.gmSays(RESULTS.conditions, [other]), /Somebody: marker back-pain on/);
  });

  play("players mark only what they control", async (table, { rook, guard }) => {
    guard.set({ controlledby: "all" });
    const told = await table.says(table.player, RESULTS.conditions);
    assert.match(told, /Guard: marker back-pain on.*by hand:<ul>.*<li>Rook is prone</);
    assert.equal(rook.get("statusmarkers"), "");
  });

  play("markers are chosen from those of the game", async (table, { guard }) => {
    assert.match(await table.gmSays("!fracas markers"), /prone: back-pain<.*dead: dead</);
    assert.doesNotMatch(await table.gmSays("!fracas markers"), /stunned/); // its marker is not in the set of this game
    delete table.state.Fracas.markers; // as an earlier version left it
    assert.match(await table.gmSays("!fracas markers prone knocked down"), /prone: Knocked&#95;Down</);
    await table.gmSays(RESULTS.hit);
    assert.equal(guard.get("statusmarkers"), "Knocked_Down::4711");
    await table.gmSays("!fracas undo");
    assert.equal(guard.get("statusmarkers"), "");
    assert.match(await table.gmSays("!fracas markers dazzled yellow"), /dazzled: yellow</);
    assert.doesNotMatch(await table.gmSays("!fracas markers prone off"), /prone/);
    assert.match(await table.gmSays(RESULTS.hit), /by hand:.*Guard is prone/);
    for (const wrong of ["prone", "prone [[1d6]]", "Prone red", "@{x} red", "prone no such marker"]) {
      assert.match(await table.gmSays(`!fracas markers ${wrong}`), /no status marker|not understood/, wrong);
    }
  });

  play("a result is applied once, again if asked, and taken back", async (table, { guard }) => {
    await table.gmSays(RESULTS.hit);
    const refused = await table.gmSays(RESULTS.hit);
    assert.match(refused, /was applied already.*\[Undo\].*\[Apply again\]\((!fracas import [^)]*) --again\)/);
    assert.equal(guard.get("bar1_value"), 8);
    await table.gmSays(/\[Apply again\]\(([^)]*)\)/.exec(refused)[1]);
    assert.equal(guard.get("bar1_value"), 14);
    assert.match(await table.gmSays("!fracas undo"), /Guard: bar1 14 to 8<.*Guard: bar1 8 to 2</);
    assert.equal(guard.get("bar1_value"), 2);
    assert.match(await table.gmSays("!fracas undo"), /no applied result/);
    await table.gmSays(RESULTS.hit);
    assert.equal(guard.get("bar1_value"), 8);
  });

  play("undo takes back the last result, or the one that is named", async (table, { rook, guard }) => {
    await table.gmSays(RESULTS.hit);
    await table.gmSays(RESULTS.both);
    assert.deepEqual([rook.get("bar1_value"), guard.get("bar1_value"), guard.get("bar2_value")], [4, 9, 2]);
    assert.match(await table.gmSays("!fracas undo 0123456789abcdef"), /Guard: bar1 9 to 3; it was changed in between, from 8/);
    assert.match(await table.gmSays("!fracas undo 0123456789abcdef"), /no applied result/);
    await table.gmSays("!fracas undo");
    assert.deepEqual([rook.get("bar1_value"), guard.get("bar1_value"), guard.get("bar2_value")], [1, 2, 0]);
  });

  play("undo keeps what happened since, and tells what is gone", async (table, { rook, guard }) => {
    await table.gmSays(RESULTS.both);
    rook.remove();
    guard.set({ bar1_value: 1, bar2_value: "out" });
    const told = await table.gmSays("!fracas undo");
    assert.match(told, /Rook: the token is gone/);
    assert.match(told, /Guard: bar1 1 to 0; it was changed in between, from 3/);
    assert.match(told, /bar2 holds no number any more and was left/);
    assert.deepEqual([guard.get("bar1_value"), guard.get("bar2_value")], [0, "out"]);
  });

  play("a bar that counts what is left goes down to 0, and up to its most", async (table, { guard }) => {
    assert.match(await table.gmSays(RESULTS.hp), /Guard: bar1 2 to 0/);
    assert.match(await table.gmSays(RESULTS.heal), /Guard: bar1 0 to 10/);
    guard.set({ bar1_value: "" });
    assert.match(await table.gmSays("!fracas undo"), /holds no number/);
    assert.match(await table.gmSays(`${RESULTS.hp} --again`), /Guard: bar1 10 to 5/);
  });

  play("changes of one bar are added up", async (table, { guard }) => {
    await table.gmSays("!fracas config stun bar1");
    assert.match(await table.gmSays(RESULTS.both), /Guard: bar1 2 to 5</);
    await table.gmSays("!fracas undo");
    assert.equal(guard.get("bar1_value"), 2);
  });

  play("bars are configured", async (table, { rook, guard }) => {
    assert.match(await table.gmSays("!fracas config"), /hp: bar1 down.*physical: bar1 up.*stun: bar2 up/);
    assert.match(await table.gmSays("!fracas config physical bar3 up"), /physical: bar3 up/);
    assert.match(await table.gmSays("!fracas config weapon/rounds bar2 down"), /rounds: bar2 down/);
    rook.set({ bar2_value: 12 });
    const told = await table.gmSays(RESULTS.hit);
    assert.match(told, /Guard: bar3 0 to 6/);
    assert.match(told, /Rook: bar2 12 to 11/);
    assert.equal(guard.get("bar1_value"), "2");
    assert.ok(!(await table.gmSays("!fracas config hp off")).includes("hp"));
    assert.match(await table.gmSays(RESULTS.hp), /changes no token. To be done by hand:<ul><li>Guard: hp \+5 damage/);
    assert.match(await table.gmSays("!fracas config hp bar1"), /hp: bar1 up/);
    for (const wrong of ["hp bar4", "hp bar1 sideways", "hp", "[[1d6]] bar1", "hp bar1 up now"]) {
      const before = await table.gmSays("!fracas config");
      assert.match(await table.gmSays(`!fracas config ${wrong}`), /Say bar1|not understood/, wrong);
      assert.equal(await table.gmSays("!fracas config"), before);
    }
  });

  play("the selected token is meant where names do not tell", async (table) => {
    const other = table.token("Ork 1", { bar1_value: 0 });
    assert.match(await table.gmSays(RESULTS.ork, [other]), /Ork 1: bar1 0 to 3/);
    const twins = [table.token("Ork", { bar1_value: 0 }), table.token(" ork ", { bar1_value: 0 })];
    const refused = await table.gmSays(`${RESULTS.ork} --again`);
    assert.match(refused, /Nothing was changed.*Select the token.*\[Ork\]\(!fracas import /);
    assert.match(await table.gmSays(/\[Ork\]\(([^)]*)\)/.exec(refused)[1] + " --again", [twins[1]]), /bar1 0 to 3/);
    assert.deepEqual(twins.map((token) => token.get("bar1_value")), [0, 3]);
  });

  play("tokens are named in a command", async (table) => {
    const twins = [table.token("Ork", { bar1_value: 0 }), table.token("Ork", { bar1_value: 0 })];
    await table.gmSays(`${RESULTS.ork} --token target=${twins[0].id}`);
    assert.deepEqual(twins.map((token) => token.get("bar1_value")), [3, 0]);
    assert.match(await table.gmSays(`${RESULTS.ork} --again --token target=-Mnone`), /There is no token/);
    for (const wrong of ["--token target", "--only nobody", "--now", "--token", "--again now"]) {
      assert.match(await table.gmSays(`${RESULTS.ork} ${wrong}`), /is not understood/, wrong);
    }
  });

  play("of several people one at a time", async (table, { rook, guard }) => {
    guard.set({ name: "Somebody" });
    const refused = await table.gmSays(RESULTS.both);
    assert.match(refused, /Nothing was changed.*\[Guard\]/);
    assert.equal(rook.get("bar1_value"), 1);
    await table.gmSays(/\[Guard\]\(([^)]*)\)/.exec(refused)[1], [guard]);
    assert.equal(guard.get("bar1_value"), 3);
    await table.gmSays(RESULTS.both);
    assert.deepEqual([rook.get("bar1_value"), guard.get("bar1_value")], [4, 3]);
  });

  play("it is applied whole or not at all", async (table, { rook, guard }) => {
    guard.set({ bar2_value: "many" });
    assert.match(await table.gmSays(RESULTS.both), /bar2 of <b>Guard<\/b> holds <b>many<\/b>, which is no whole number/);
    assert.deepEqual([rook.get("bar1_value"), guard.get("bar1_value")], [1, "2"]);
    rook.set({ bar1_value: "", name: "Guard 2" });
    guard.set({ bar1_value: "", bar1_max: "" });
    assert.match(await table.gmSays(RESULTS.hp), /bar1 of <b>Guard<\/b> is empty/);
  });

  play("players apply to what they control, and take that back", async (table, { rook, guard }) => {
    const character = table.make("character", { name: "Guard", controlledby: `x,${table.player.id}` });
    assert.match(await table.says(table.player, RESULTS.both), /^to Pat: Only the GM may change <b>Rook<\/b>, <b>Guard<\/b>/);
    rook.set({ controlledby: "all" });
    assert.match(await table.says(table.player, RESULTS.both), /Only the GM may change <b>Guard<\/b>; nothing/);
    assert.deepEqual([rook.get("bar1_value"), guard.get("bar1_value")], [1, "2"]);
    guard.set({ represents: character.id });
    const told = await table.says(table.player, RESULTS.both);
    assert.match(told, /^to Pat: .*Guard: bar1 2 to 3.*\nto GM: [^:]+: .*Guard: bar1 2 to 3/s);
    await table.gmSays(RESULTS.hit);
    assert.match(await table.says(table.player, "!fracas undo"), /^to Pat: Taken back: <b>Both<\/b>/);
    assert.match(await table.says(table.player, "!fracas undo 0123456789abcdef"), /no applied result/);
    assert.equal(guard.get("bar1_value"), 8);
  });

  play("players do not find hidden tokens", async (table, { guard }) => {
    guard.set({ layer: "gmlayer", controlledby: "all" });
    assert.match(await table.says(table.player, RESULTS.hit), /there is no token/);
    assert.match(await table.gmSays(RESULTS.hit), /Guard: bar1 2 to 8/);
  });

  play("what is not a result is refused, and changes nothing", async (table, { guard }) => {
    const good = RESULTS.hit;
    const wrong = {
      "Paste a result": ["!fracas import", "!fracas import --again"],
      "cut or changed": [
        good.slice(0, -1),
        good.replace(":6", ":7"),
        good.replace("Guard", "Rook"),
        good.replace(/ title=\S+/, ""),
        `${good} more`,
        "!fracas import 1 x",
      ],
      "characters that none has": [
        "!fracas import {\"effects\": []}",
        good.replace("Guard", "[[1d6]]"),
        good.replace("Guard", "@hp"),
        `${good} <b>`,
      ],
      "another version": [good.replace("import 1 ", "import 2 "), "!fracas import hello"],
      "too long": [`!fracas import ${"1 ".repeat(2500)}`],
      "cannot be read": RESULTS.unreadable,
      "mark is missing": [RESULTS.unmarked],
    };
    for (const [why, texts] of Object.entries(wrong)) {
      for (const text of texts) assert.match(await table.gmSays(text), new RegExp(why), text.slice(0, 200));
    }
    assert.equal(guard.get("bar1_value"), "2");
    assert.match(await table.gmSays("!fracas undo"), /no applied result/);
  });

  play("names of any letters arrive as they are", async (table) => {
    const { text, names } = RESULTS.strange;
    const [target] = names;
    const token = table.token(target, { bar1_value: 0 });
    const told = await table.gmSays(text);
    assert.equal(token.get("bar1_value"), 2);
    const escaped = ESCAPES.find(([raw]) => raw === target)[1];
    assert.ok(told.includes(`<li>${escaped}: bar1 0 to 2</li>`), told);
  });

  play("texts are escaped as Python escapes them", async (table) => {
    const words = ESCAPES.filter(([raw]) => !/\s/.test(raw));
    assert.ok(words.length > 300);
    const [raw, escaped] = [0, 1].map((at) => words.map((pair) => pair[at]).join(""));
    const told = await table.gmSays(`!fracas ${raw}`);
    assert.equal(told, `to GM: There is no command <b>${escaped}</b>; <b>!fracas help</b> lists them.`);
  });

  play("what people wrote is shown and never read", async (table, { guard }) => {
    const evil = '{{name=x}}|<img src=x>&{template:x}[y](!z)`%"';
    guard.set({ name: `[[1d6]] @{selected|hp} ?{q} ${evil}`, bar1_value: evil });
    const here = `${RESULTS.hp} --token target=${guard.id}`;
    const lines = [here, `${RESULTS.hp} ${evil}`, `${RESULTS.hp} --${evil}`, `${RESULTS.hp} --token target=${evil}`];
    for (const command of ["", "import", "config", "import-pack", "remove", "undo"]) lines.push(`!fracas ${command} ${evil}`);
    const answers = [];
    for (const line of lines) answers.push(await table.gmSays(line));
    assert.match(answers[0], /holds/);
    guard.set({ bar1_value: 20 });
    answers.push(await table.gmSays(here), await table.gmSays("!fracas undo"), await table.gmSays(RESULTS.hit));
    assert.match(answers.at(-2), /bar1 15 to 20/);
    for (const told of answers) {
      const left = told.replace(/<\/?(?:b|ul|li|br)>|\[[^[\]()]*\]\(![A-Za-z0-9._~:= -]+\)|&#\d+;/g, "");
      assert.doesNotMatch(left, /[[\]{}@%?|<>&`]/, told);
    }
  });

  play("two people who are one token both count", async (table, { guard }) => {
    const told = await table.gmSays(`${RESULTS.both} --token attacker=${guard.id}`);
    assert.match(told, /Guard: bar1 2 to 5.*Guard: bar1 5 to 6.*Guard: bar2 0 to 2/);
    await table.gmSays("!fracas undo");
    assert.equal(guard.get("bar1_value"), 2);
  });

  for (const { pack, text, names, marks } of ANSWERS) {
    test(`${name}: an answer of the service reaches the tokens in a game with ${pack}`, async () => {
      const table = host(readFileSync(join(process.env.FRACAS_MODS, `${pack}.js`), "utf8"));
      const bars = Object.fromEntries([1, 2, 3].flatMap((n) => [[`bar${n}_value`, 20], [`bar${n}_max`, 30]]));
      const tokens = Object.fromEntries(Object.entries(names).map(([who, label]) => [who, table.token(label, bars)]));
      assert.ok(marks.length > 0);
      const told = await table.gmSays(text);
      const config = await table.gmSays("!fracas config");
      for (const { who, what, amount } of marks) {
        const [, bar, way] = new RegExp(`<li>${what}: (bar.) (up|down)`).exec(config);
        assert.equal(tokens[who].get(`${bar}_value`), way === "up" ? 20 + amount : 20 - amount, told);
      }
      await table.gmSays("!fracas undo");
      for (const token of Object.values(tokens)) {
        assert.deepEqual([1, 2, 3].map((n) => token.get(`bar${n}_value`)), [20, 20, 20]);
      }
      assert.deepEqual(table.warnings, []);
    });
  }

  test(`${name}: what is remembered is plain data, and bounded`, async () => {
    const table = host(scriptWith(packOf()));
    const guard = table.token("Guard", { bar1_value: 0 });
    await table.gmSays("!fracas import-pack");
    for (let at = 0; at < 210; at += 1) await table.gmSays(`${RESULTS.hit} --again`);
    assert.equal(guard.get("bar1_value"), 6 * 210);
    const { Fracas: kept } = table.state;
    assert.equal(kept.applied.length, 200);
    loosely(JSON.parse(JSON.stringify(kept)), kept); // as objects of another context have other prototypes
    assert.ok(JSON.stringify(kept).length < 100_000);
  });
}
