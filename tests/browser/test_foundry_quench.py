"""The batches for Quench: here they run in the stand-in, so that they are right when somebody runs them in Foundry."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from foundry_worlds import GM, Foundry, alley, join, make_world
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

NAMES = (f"quench{number}" for number in itertools.count(1))

RUNNER = """async (spoil) => {
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const hold = (fact, text) => { if (!fact) throw new Error(text); };
  const assert = {
    isString: (a, m) => hold(typeof a === "string", `${m} ${a} is no string`),
    isAbove: (a, b, m) => hold(a > b, `${m} ${a} is not above ${b}`),
    include: (a, b, m) => hold(a.includes(b), `${m} ${b} is not in ${a}`),
    equal: (a, b, m) => hold(a === b, `${m ?? ""} ${a} is not ${b}`),
    deepEqual: (a, b, m) => hold(same(a, b), `${m ?? ""} ${JSON.stringify(a)} is not ${JSON.stringify(b)}`),
    isTrue: (a, m) => hold(a === true, `${m} is ${a}`),
    isNotEmpty: (a, m) => hold(a.length > 0, `${m} is empty`),
  };
  if (spoil) {
    // As after an update of the game system that has named a field anew.
    const { table } = await import("/stand_in/documents.mjs");
    delete table.data.fields("actors", "npc")["armor.ballistic"];
    delete table.data.fields("items", "Melee Weapon").reach;
    CONFIG.statusEffects = CONFIG.statusEffects.filter(({ id }) => id !== "prone");
  }
  const told = [];
  const batches = new Map();
  Hooks.callAll("quenchReady", { registerBatch: (id, batch) => batches.set(id, batch) });
  for (const [id, batch] of batches) {
    const steps = { before: [], it: [], after: [] };
    const context = {
      assert,
      describe: (_label, body) => body.call({}),
      it: (label, body) => steps.it.push([label, body]),
      before: (body) => steps.before.push(["before", body]),
      after: (body) => steps.after.push(["after", body]),
    };
    batch(context);
    for (const [label, body] of [...steps.before, ...steps.it, ...steps.after]) {
      try {
        await body();
        told.push([id, label, ""]);
      } catch (error) {
        told.push([id, label, error.message]);
      }
    }
  }
  return told;
}"""


def run(page: Page, spoil: bool = False) -> list[tuple[str, str, str]]:
    told: list[Any] = page.evaluate(RUNNER, spoil)
    return [(id, label, fault) for id, label, fault in told]


def test_every_batch_holds(browser: Browser, foundry: Foundry, fracas: str) -> None:
    name = next(NAMES)
    world = make_world(name, alley(fracas))
    page = join(browser, foundry, name, GM)
    told = run(page)
    assert [one for one in told if one[2]] == []
    assert {id for id, _, _ in told} == {
        f"fracas.{name}" for name in ("service", "sheets", "packs", "chat", "combat")
    }
    assert sum(label not in ("before", "after") for _, label, _ in told) == 14
    left = [one["name"] for one in world.documents["Actor"].values()]
    assert left == ["Rook", "Guard"], "what the tests made is gone"
    assert not world.documents.get("Combat")
    page.context.close()


def test_a_batch_tells_what_is_wrong(browser: Browser, foundry: Foundry, fracas: str) -> None:
    name = next(NAMES)
    make_world(name, alley(fracas))
    page = join(browser, foundry, name, GM)
    faults = {label: fault for _, label, fault in run(page, spoil=True) if fault}
    assert "npc system.armor.ballistic" in faults["have every path that the mapping reads"]
    assert "Melee Weapon system.reach" in faults["have every path that the mapping reads"]
    assert "character" not in faults["have every path that the mapping reads"]
    assert "prone" in faults["have every status that the mapping names"]
    page.context.close()
