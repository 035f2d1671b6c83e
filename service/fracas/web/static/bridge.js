// The bridge page: a single attack or an action of a running fight is put together, rolled and shown, and its card is handed
// to the table. Each of these has a file of its own; this one opens the page.

import { ServiceClient } from "../integrations/foundry/scripts/client.mjs";
import { FightPanel } from "./fight-panel.js";
import { HandOver } from "./hand-over.js";
import { ask, attempted, by, clearForm, wireForm } from "./panel.js";
import { SinglePanel } from "./single-panel.js";

const client = new ServiceClient({ address: new URL("..", import.meta.url).href });
const handOver = new HandOver(by("result"));
const single = new SinglePanel(client, handOver);
const fight = new FightPanel(client, handOver, showWhere);
const inFight = /** @type {HTMLInputElement} */ (by("work").querySelector("[name=where][value=fight]"));

/** Shows the panel that is chosen. @returns {Promise<void>} */
function showWhere() {
  const { checked } = inFight;
  by("single").hidden = checked;
  by("connection").hidden = !checked || fight.open;
  by("fight").hidden = !checked || !fight.open;
  by("dice").hidden = checked;
  by("notes").replaceChildren();
  clearForm();
  fight.forget();
  ask([], false);
  return attempted(() => (checked ? fight.show() : single.show()));
}

async function start() {
  wireForm();
  by("work").addEventListener("change", ({ target }) => /** @type {HTMLInputElement} */ (target).name === "where" && showWhere());
  const wanted = FightPanel.wanted();
  await single.open(new URLSearchParams(location.search));
  if (!wanted) return;
  inFight.checked = true;
  await showWhere();
  await fight.connect(wanted);
}

start();
