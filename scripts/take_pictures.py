"""Pictures of the console's main pages: ``python scripts/take_pictures.py FOLDER``. With ``--all`` before the folder
those of every page, in light and dark, on a screen and on a phone, to look at.

Starts a service of its own with an empty database, plays a little of a fight in Chromium (the program that CHROMIUM
names, else /usr/bin/chromium), and writes the pictures as PNG. Dice fall as they like, so no two runs show the same.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, FloatRect, Locator, Page, sync_playwright

WIDE, PHONE = (1120, 800), (390, 844)
TALLEST = 1000
"""Pixels of a part of a page."""
OTHERS = ("cwn", "imperium", "sr5")
"""Games of which the table and a form of an attack are taken, too."""
WEAPONS = "/console/compare?ruleset=sr4&weapon=ares-predator-iv&weapon=ak-97&weapon=katana"
SCREEN = (1280, 800)
SEATS = {
    "gm": {
        "start": "/console/",
        "table": "FIGHT",
        "people": "FIGHT/people",
        "map": "FIGHT/map",
        "summary": "FIGHT/summary",
        "forecast": "FIGHT/forecast",
        "log": "FIGHT/log",
        "packs": "/console/packs?ruleset=sr4&q=pistol",
        "entry": "/console/entries/sr4-core:weapon/ares-predator-iv",
        "weapons": WEAPONS,
        "check": "/console/check",
        "connect": "/console/connect",
        "enter": "/console/enter",
        "rules": "/book/sr4",
        "chapter": "/book/sr4/8",
        "balance": "/console/balance?ruleset=sr4",
        "bridge": "/bridge",
    },
    "player": {"table": "FIGHT", "map": "FIGHT/map", "log": "FIGHT/log"},
    "observer": {"table": "FIGHT"},
}
"""By who looks, the names and addresses of pages."""
AT_REST: dict[str, Any] = {"animations": "disabled", "caret": "hide"}
ENOUGH = 40
"""Attacks and turns after which a fight goes on for another picture no longer."""
SECONDS = 120
"""How long a service may take to start, or to answer."""


@contextmanager
def service(folder: Path) -> Iterator[str]:
    """The address of a service that keeps its fights in the folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    words = ["serve", "--port", str(port), "--database", str(folder / "fights.sqlite3")]
    with open(folder / "service.log", "wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "fracas.cli", *words], stdout=log, stderr=log)
        try:
            _wait(process, address)
            yield address
        finally:
            process.terminate()
            process.wait(SECONDS)


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            urllib.request.urlopen(f"{address}/health", timeout=SECONDS).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def begun(page: Page, address: str, game: str = "sr4") -> None:
    """The first skirmish of a game, in which a combatant has a turn."""
    page.goto(f"{address}/console/?game={game}")
    page.get_by_role("button", name="Play “").first.click()
    page.wait_for_selector("#board-inner")
    settled(page)


def settled(page: Page) -> None:
    """Every open question gets its default, or else its first answer."""
    while page.locator(".question button").count():
        main = page.locator(".question button.main")
        sends(page, main if main.count() else page.locator(".question button"))


def sends(page: Page, buttons: Locator) -> None:
    """Press the first of these buttons, and wait until the page shows what came of it."""
    before = page.locator("#board-inner").get_attribute("data-version")
    buttons.first.click()
    page.wait_for_function(
        "before => document.querySelector('#board-inner').dataset.version !== before", arg=before
    )


def aimed(page: Page) -> None:
    """The form of a shot, with its odds."""
    page.locator(".weapon-slot:has(.best) .more-of").click()
    page.wait_for_selector("#odds svg")


def attacked(page: Page) -> None:
    """An attack by the first who can make one."""
    armed(page)
    sends(page, page.locator(".weapon.best"))
    settled(page)


def armed(page: Page) -> None:
    """Turns are ended until a combatant acts who has an attack."""
    while not page.locator(".weapon.best").count():
        sends(page, page.locator("#end-turn button"))
        settled(page)


def fought(page: Page) -> None:
    """Attack after attack, until one side is out of the fight or enough has happened."""
    for _ in range(ENOUGH):
        if page.locator(".note.over").count():
            return
        attack, turn = page.locator(".weapon.best"), page.locator("#end-turn button")
        passes = page.locator(".enders form button")
        sends(page, attack if attack.count() else turn if turn.count() else passes)
        settled(page)


def pictures(browser: Browser, address: str, folder: Path) -> None:
    """Those of the documentation."""
    with browser.new_context(viewport=_size(WIDE), color_scheme="light", reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_default_timeout(SECONDS * 1000)
        begun(page, address)
        sends(page, page.locator(".weapon.best"))
        page.goto(page.url)
        page.wait_for_selector("#ticks i", state="attached")
        _taken(page, folder / "table.png")
        aimed(page)
        page.mouse.move(0, 0)
        page.screenshot(
            path=folder / "attack.png", full_page=True, clip=_top(page.locator("form.action-form")), **AT_REST
        )
        table, kept = page.url, context.storage_state()
        page.goto(f"{table}/log")
        _taken(page, folder / "log.png")
        page.goto(f"{address}/console/")
        _taken(page, folder / "start.png")
        page.goto(f"{table}/people")
        previewed(page)
        _taken(page, folder / "people.png")
        page.goto(address + WEAPONS)
        _taken(page, folder / "weapons.png")
    with browser.new_context(
        viewport=_size(PHONE), color_scheme="dark", reduced_motion="reduce", storage_state=kept
    ) as context:
        page = context.new_page()
        page.set_default_timeout(SECONDS * 1000)
        page.goto(table)
        _taken(page, folder / "phone.png")
    with browser.new_context(
        viewport=_size(WIDE), color_scheme="light", reduced_motion="reduce", storage_state=kept
    ) as context:
        page = context.new_page()
        page.set_default_timeout(SECONDS * 1000)
        page.goto(table)
        fought(page)
        page.goto(f"{table}/summary")
        _taken(page, folder / "summary.png")


def previewed(page: Page) -> None:
    """The example of the box for pasted tables, with fields for what is missing."""
    page.locator("[data-example]").click()
    page.locator("#paste-form button", has_text="Preview").click()
    page.wait_for_selector("#loaded .numbers")


def invited(page: Page, fight: str, name: str, role: str = "player", who: str = "") -> str:
    """The link of an invitation."""
    page.goto(f"{fight}/people")
    page.locator("#label").fill(name)
    page.locator(f'[name="role"][value="{role}"]').check(force=True)
    if who:
        page.locator("#commands").get_by_role("checkbox", name=who, exact=True).check()
    page.get_by_role("button", name="Create link").click()
    return page.locator("#key input").input_value()


def every_page(browser: Browser, address: str, folder: Path) -> list[str]:
    """Each page as GM, player and observer see it, whole, in light and dark, on a screen and on a phone; returns what
    sticks out sideways."""
    with browser.new_context() as context:
        page = context.new_page()
        paths = {seat: dict(pages) for seat, pages in SEATS.items()}
        for game in OTHERS:
            begun(page, address, game)
            attacked(page)
            armed(page)
            paths["gm"] |= {f"table-{game}": page.url, f"form-{game}": page.url}
        begun(page, address)
        attacked(page)
        armed(page)
        fight = page.url
        paths["gm"]["form-sr4"] = fight
        links = [invited(page, fight, "Anna", who="Rook"), invited(page, fight, "Eve", "observer")]
        seats = {"gm": context.storage_state()}
    for seat, link in zip(("player", "observer"), links, strict=True):
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(link)
            page.wait_for_selector("#board-inner")
            seats[seat] = context.storage_state()
    wide: list[str] = []
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        for size in (SCREEN, PHONE):
            for seat, pages in paths.items():
                with browser.new_context(
                    viewport=_size(size),
                    color_scheme=scheme,
                    reduced_motion="reduce",
                    storage_state=seats[seat],
                ) as context:
                    page = context.new_page()
                    page.set_default_timeout(SECONDS * 1000)
                    for name, path in pages.items():
                        path = path.replace("FIGHT", fight)
                        page.goto(path if path.startswith(address) else address + path)
                        page.wait_for_load_state()
                        if name == "people":
                            previewed(page)
                        elif name.startswith("form"):
                            aimed(page)
                        file = f"{seat}-{name}-{scheme}-{size[0]}.png"
                        page.screenshot(path=folder / file, full_page=True, **AT_REST)
                        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                            wide.append(file)
    return wide


def _top(part: Locator) -> FloatRect:
    """Where a part of the page is, as far down as a picture goes."""
    place = """(part, most) => {
        const {x, y, width, height} = part.getBoundingClientRect();
        return {x: x + scrollX, y: y + scrollY, width, height: Math.min(height, most)};
    }"""
    found: FloatRect = part.evaluate(place, TALLEST)
    return found


def _size(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def _taken(page: Page, file: Path) -> None:
    page.mouse.move(0, 0)
    page.screenshot(path=file, **AT_REST)


def main(folder: Path, all_pages: bool = False) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with (
        tempfile.TemporaryDirectory() as kept,
        service(Path(kept)) as address,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        ) as browser,
    ):
        if not all_pages:
            pictures(browser, address, folder)
        elif wide := every_page(browser, address, folder):
            sys.exit(f"wider than the window: {', '.join(wide)}")


if __name__ == "__main__":
    main(Path(sys.argv[-1]), "--all" in sys.argv)
