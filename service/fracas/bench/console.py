"""How soon a GM sees what a click did: the console of a large fight in a real browser.

Playwright and Chromium are development tools, like the peers of the other rows.
"""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Iterator
from itertools import cycle
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from fracas.bench.http import service
from fracas.bench.timing import Figure, Row

if TYPE_CHECKING:
    from playwright.sync_api import Page

COMBATANTS = 20
CLICKS = 90
WARM_UP = 6
"""Clicks before those that count."""
ALLOWED = 100.0
"""Milliseconds from a click to the new content that still feel immediate."""

CLICK = Figure(
    f"a click in the console until the new content is there, {COMBATANTS} combatants: the median",
    "a tenth of a second",
    "ms",
    1.0,
    at_most=True,
)
FIGURES = (CLICK,)

_TABLE = "#board-inner"
_PRESS = """
([selector, at]) => new Promise((resolve) => {
  const all = [...document.querySelectorAll(selector)].filter((one) => one.offsetParent !== null && !one.disabled);
  if (all.length === 0) return resolve(null);
  const state = () => {
    const table = document.querySelector("#board-inner");
    const aimed = document.querySelector("#chosen-target");
    return [table?.dataset.version, aimed?.value, document.querySelector("#action-panel")?.innerHTML].join("|");
  };
  const before = state();
  const begun = performance.now();
  const seen = new MutationObserver(() => {
    if (state() === before) return;
    seen.disconnect();
    resolve(performance.now() - begun);
  });
  seen.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  setTimeout(() => { seen.disconnect(); resolve(null); }, 5000);
  all[at % all.length].click();
})
"""
"""Press one of the visible elements of a selector; the milliseconds until the table, the aim or the open form is
another one, and null where there is no such element or nothing changes."""

_BUTTONS = (
    ".targets input:not(:checked)",
    "#weapons form button.weapon",
    "#end-turn button, button#end-turn",
)
"""Aim at another target, an attack for which nothing is missing, and the end of the turn."""


class Large(NamedTuple):
    """A fight with many combatants.

    Attributes:
        key: the GM's token.
    """

    path: str
    key: str


def measure() -> list[Row]:
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        return [CLICK.missing("Playwright is not installed")]
    with service() as address:
        fight = large_fight(address)
        try:
            with sync_playwright() as playwright:
                executable = os.environ.get("CHROMIUM")
                browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                waits = list(clicks(page, address, fight, WARM_UP + CLICKS))[WARM_UP:]
                browser.close()
        except Error as error:
            return [CLICK.missing(f"Chromium: {error.message.splitlines()[0]}")]
    taken, slow = median(waits), sorted(waits)[len(waits) * 9 // 10]
    return [
        CLICK.row(taken, ALLOWED, taken / ALLOWED, f"{len(waits)} clicks, 90 % of them within {slow:.0f} ms")
    ]


def large_fight(address: tuple[str, int]) -> Large:
    """A fight of two equal sides in its first turn; effects are applied at once, and no decision is asked."""
    line = http.client.HTTPConnection(*address, timeout=60)
    made = _send(line, "/v1/encounters", {"ruleset": "sr4", "settings": {"apply": "at-once"}})
    path, key = f"/v1/encounters/{made['id']}", made["tokens"]["gm"]["secret"]
    for number in range(COMBATANTS):
        name, side = (("rook", "runners"), ("guard", "corp"))[number % 2]
        command = {"command": "join", "combatant": name, "side": side, "name": f"{side} {number // 2 + 1}"}
        _send(line, f"{path}/commands", command, key, str(number))
    _send(line, f"{path}/commands", {"command": "begin-turn"}, key, "begin")
    line.close()
    return Large(path, key)


def _send(
    line: http.client.HTTPConnection, path: str, body: dict[str, Any], key: str = "", once: str = ""
) -> Any:
    headers = {"Content-Type": "application/json"}
    if key:
        headers |= {"Authorization": f"Bearer {key}", "If-Match": "*", "Idempotency-Key": f"console-{once}"}
    line.request("POST", path, json.dumps(body), headers)
    response = line.getresponse()
    data = json.loads(response.read())
    if response.status not in (200, 201):
        raise RuntimeError(f"{body}: {data}")
    return data


def clicks(page: Page, address: tuple[str, int], fight: Large, count: int) -> Iterator[float]:
    """The milliseconds of so many clicks of a GM who aims, attacks, ends the turn, and begins anew.

    Raises:
        RuntimeError: nothing can be clicked any more.
    """
    page.goto(f"http://{address[0]}:{address[1]}/console/enter#{fight.key}")
    page.wait_for_selector(_TABLE)
    page.wait_for_load_state("networkidle")
    idle = 0
    for at, selector in enumerate(cycle(_BUTTONS)):
        wait = page.evaluate(_PRESS, [selector, at])
        idle = idle + 1 if wait is None else 0
        if idle > len(_BUTTONS):
            raise RuntimeError(f"nothing happens in the console: {page.locator('#acts').all_inner_texts()}")
        if wait is not None:
            yield float(wait)
            count -= 1
        if count == 0:
            return
