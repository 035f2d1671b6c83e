"""What the bench does in the console goes on working: it aims, attacks and ends turns in a fight of twenty."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import Browser

from fracas.bench.console import COMBATANTS, clicks, large_fight


def test_each_click_of_the_bench_brings_something_new(browser: Browser, address: str) -> None:
    host, port = urlsplit(address).hostname or "", urlsplit(address).port or 0
    fight = large_fight((host, port))
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    waits = list(clicks(page, (host, port), fight, 7))
    assert len(waits) == 7
    assert min(waits) > 0
    assert page.locator("li.person").count() == COMBATANTS
    page.close()
