/** Every command of the Mod in docs/roll20.md and in the Mod's own page does something, in both stand-ins. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { HOSTS, packOf, scriptWith } from "./hosts.mjs";

const PAGES = ["../../docs/roll20.md", "../../integrations/roll20/fracas/README.md"];
const text = PAGES.map((page) => readFileSync(new URL(page, import.meta.url), "utf8")).join("\n");
const commands = [...new Set([...text.matchAll(/`(!fracas [^`…]+)`|^(!fracas import 1 .+)$/gm)].map(([, inline, line]) => inline ?? line))];

test("the pages name the commands", () => {
  const first = new Set(commands.map((command) => command.split(" ")[1]));
  assert.deepEqual([...first].sort(), ["config", "help", "import", "import-pack", "markers", "positions", "remove", "status", "token-actions", "undo"]);
});

for (const [name, host] of Object.entries(HOSTS)) {
  for (const command of commands) {
    test(`${name}: ${command}`, async () => {
      const table = host(scriptWith(packOf()));
      const character = table.make("character", { name: "Guard" });
      const guard = table.token("Guard", { bar1_value: 1, represents: character.id });
      const told = await table.gmSays(command, [guard]);
      assert.doesNotMatch(told, /There is no command|There are no|not understood|for the GM|changed on its way/);
      if (command.includes(" import 1 ")) assert.equal(Number(guard.get("bar1_value")), 7);
      assert.deepEqual(table.warnings, []);
    });
  }
}
