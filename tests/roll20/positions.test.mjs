/** Where tokens are, as lines that the bridge page takes: in units of the page, whatever its grid and its names. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { HOSTS, packOf, scriptWith } from "./hosts.mjs";

/** What the service reads of the tokens below. */
const { positions: LINES } = JSON.parse(readFileSync(process.env.FRACAS_RESULTS, "utf8"));

/** The lines of an answer, as a browser copies them. @param {string} told */
function copied(told) {
  const [, text] = told.split("<br><br>");
  const plain = (/** @type {string} */ html) => html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  return text.split("<br>").map(plain).join("\n");
}

for (const [name, host] of Object.entries(HOSTS)) {
  const play = (about, act) =>
    test(`${name}: ${about}`, async () => {
      const table = host(scriptWith(packOf()));
      const rook = table.token("Rook", { left: 35, top: 105 });
      table.token("Guard, the second", { left: 175, top: 70 });
      table.token('#1; a "boss"', { left: 0, top: 140 });
      await act(table, rook);
      assert.deepEqual(table.warnings, []);
    });

  play("all that players see, in feet", async (table) => {
    table.token("Lurker", { layer: "gmlayer", left: 700, top: 700 });
    const told = await table.gmSays("!fracas positions");
    assert.equal(copied(told), LINES);
    assert.match(told, /^to GM: Copy these lines into the bridge page; a square is 5 ft\.</);
  });

  play("only the selected ones", async (table, rook) => {
    assert.equal(copied(await table.gmSays("!fracas positions", [rook])), "unit: ft\nRook, 2.5, 7.5");
  });

  play("squares of another size, and pages without a grid", async (table, rook) => {
    table.page.set({ snapping_increment: 0.5, scale_number: 2, scale_units: "m" });
    assert.equal(copied(await table.gmSays("!fracas positions", [rook])), "unit: m\nRook, 2, 6");
    table.page.set({ snapping_increment: 0 });
    assert.equal(copied(await table.gmSays("!fracas positions", [rook])), "unit: m\nRook, 1, 3");
  });

  play("units that nobody can convert are chosen on the page", async (table, rook) => {
    table.page.set({ scale_number: 1, scale_units: "hex" });
    const told = await table.gmSays("!fracas positions", [rook]);
    assert.match(told, /measures in <b>hex<\/b>: choose/);
    assert.equal(copied(told), "Rook, 0.5, 1.5");
  });

  play("tokens without a name have that of their character, or are counted", async (table) => {
    const character = table.make("character", { name: "Vex" });
    const tokens = [table.token("", { left: 70, top: 70, represents: character.id }), table.token("", { left: 0, top: 0 })];
    const told = await table.gmSays("!fracas positions", tokens);
    assert.equal(copied(told), "unit: ft\nVex, 5, 5");
    assert.match(told, /Left out: 1 token without a name/);
    assert.match(await table.gmSays("!fracas positions", [tokens[1]]), /No token with a name is here/);
  });

  play("players may not ask", async (table) => {
    assert.match(await table.says(table.player, "!fracas positions"), /This is for the GM/);
  });
}
