"""The console's page Connect in Chromium: callers show by themselves, macros when asked for, a fight in the bridge."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_a_gm_connects_a_tabletop(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("radio", name="Shadowrun 4", exact=True).check(force=True)
    expect(page.get_by_role("button", name="Play “The loading dock”")).to_be_visible()
    page.get_by_role("button", name="New fight").click()
    quick = page.get_by_role("region", name="Add combatants")
    for name in ("Kite", "Bruno"):
        quick.get_by_role("textbox", name="Name").fill(name)
        quick.get_by_role("button", name="Add").click()
        expect(page.get_by_role("region", name="In the fight")).to_contain_text(name)
    page.get_by_role("link", name="Connect").click()

    manifest = page.get_by_role("textbox", name="Address of the manifest")
    expect(manifest).to_have_value(f"{address}/foundry/module.json")
    calls = page.locator("#calls")
    page.request.get(f"{address}/health", headers={"Origin": "https://table.example.org"})
    expect(calls).to_contain_text("--origin https://table.example.org")

    page.get_by_text("compatible with Shadowrun 4").click()
    macro = page.get_by_role("textbox", name="Shoot-sr4")
    expect(macro).to_have_value(re.compile(r'^/w gm {"ruleset":"sr4"'))
    macro.focus()
    assert page.evaluate("getSelection().toString()") == macro.input_value()

    page.get_by_role("button", name="Create token").click()
    page.get_by_role("link", name="Open it in the bridge page").click()
    expect(page.get_by_role("combobox", name="Combatant", exact=True)).to_contain_text("Kite")
    assert "token" not in page.url
