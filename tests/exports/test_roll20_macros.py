"""Macros ask in Roll20's own way, and what they show is a request that the service takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

import pytest

from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import Request, RequestSchema
from fracas.exports.roll20.macros import Macro, macros, macros_page
from fracas.packs.entries import Pack
from fracas.packs.library import RulesetPacks

RULESETS = ("sr4", "cwn", "imperium", "sr5")
NUMBERS = {"AC": 13, "HP": 9, "dexterity": 12, "strength": 11, "level": 2, "attack_bonus": 2}
"""What sheets hold; everything else 4, and damage 0."""
CHARACTERISTICS = dict.fromkeys(("BS", "WS", "S", "T", "Ag", "Wp"), 40)

REFERENCE = re.compile(r"@\{(selected|target)\|([A-Za-z_]+)\}")
QUERY = re.compile(r"\?\{([^|{}]+)\|([^{}]*)\}")


@cache
def games() -> Games:
    return open_games(())


def read(body: dict[str, object]) -> Request:
    found: Request = load(RequestSchema(games()), body)
    return found


def pack(ruleset: str) -> Pack:
    return games().library.packs[f"{ruleset}-core"]


def shelf(ruleset: str) -> RulesetPacks:
    return games().library.ruleset_packs(ruleset)


def options(query: str) -> list[str]:
    """What a person may choose: the part behind the comma of each option; a single one is there to be typed over."""
    return [option.split(",", 1)[-1] for option in query.split("|")]


def answered(macro: Macro, chosen: dict[str, int]) -> str:
    """What Roll20 shows, with the first option chosen where nothing else is said."""
    sheet = {**NUMBERS, **CHARACTERISTICS, "physical": 0, "stun": 0}
    text = REFERENCE.sub(lambda found: str(sheet.get(found[2], 4)), macro.text)
    return QUERY.sub(lambda found: options(found[2])[chosen.get(found[1], 0)], text)


def request(macro: Macro, chosen: dict[str, int] | None = None) -> dict[str, object]:
    shown = answered(macro, chosen or {})
    assert shown.startswith("/w gm {")
    found: dict[str, object] = json.loads(shown.removeprefix("/w gm "))
    return found


def ways(macro: Macro) -> Iterator[dict[str, int]]:
    """Every option of every question, one at a time."""
    yield {}
    for label, query in QUERY.findall(macro.text):
        yield from ({label: at} for at in range(1, len(options(query))))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_whatever_is_chosen_makes_a_request(ruleset: str) -> None:
    for macro in macros(shelf(ruleset), pack(ruleset)):
        for chosen in ways(macro):
            asked = read(request(macro, chosen))
            assert asked.game.ruleset.id == ruleset
            prepared = running.explain(asked)
            assert prepared["status"] in ("waiting", "refused"), (macro.name, chosen)
        assert running.resolve(read(request(macro)))["status"] == "resolved", macro.name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_without_a_pack_the_weapon_is_typed_in(ruleset: str) -> None:
    for macro in macros(shelf(ruleset)):
        assert running.resolve(read(request(macro)))["status"] == "resolved", macro.name
        for label, query in QUERY.findall(macro.text):
            assert label != "Weapon" or len(options(query)) == 1, macro.name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_macro_holds_what_roll20_reads_only_where_it_should(ruleset: str) -> None:
    for macro in macros(shelf(ruleset), pack(ruleset)):
        holds_what_roll20_reads(macro, ruleset)


def holds_what_roll20_reads(macro: Macro, ruleset: str) -> None:
    assert "\n" not in macro.text
    assert re.fullmatch(rf"[A-Za-z]+-{ruleset}", macro.name)
    rest = QUERY.sub("", REFERENCE.sub("", macro.text))
    assert not re.search(r"[@?%#&]|\[\[|\]\]|\$", rest)
    assert not re.search(r"name|character", " ".join(name for _, name in REFERENCE.findall(macro.text)))
    for label, query in QUERY.findall(macro.text):
        assert re.fullmatch(r"[A-Za-z0-9 .-]+", label)
        labels = [option.split(",", 1)[0] for option in query.split("|")]
        assert len(set(labels)) == len(labels)
        assert all(option.count(",") <= 1 for option in query.split("|"))
    assert "@{selected|" in macro.text


def test_weapons_of_the_pack_may_be_chosen() -> None:
    (shoot, *_) = macros(shelf("sr4"), pack("sr4"))
    (query,) = (query for label, query in QUERY.findall(shoot.text) if label == "Weapon")
    slugs = options(query)
    known = {entry.slug for entry in pack("sr4").entries if entry.kind == "weapon"}
    assert set(slugs) <= known
    assert {"ares-predator-iv", "ak-97"} <= set(slugs)
    assert "katana" not in slugs


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_page_has_every_macro_and_its_sheet(ruleset: str) -> None:
    page = macros_page(shelf(ruleset), pack(ruleset))
    for macro in macros(shelf(ruleset), pack(ruleset)):
        assert f"```text\n{macro.text}\n```" in page
        assert f"`{macro.name}`" in page
    assert macros(shelf("none")) == []
    assert "none for this ruleset" in macros_page(shelf("none"))
