"""The example of house rules in docs changes three values of the core, in play and not on paper only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fracas.engine import running
from fracas.engine.checking import check
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import RequestSchema
from fracas.packs.files import in_folder

HOUSE_RULES = Path(__file__).resolve().parents[2] / "docs" / "house-rules"
GRITTY = HOUSE_RULES / "gritty-streets"


@pytest.fixture(scope="module")
def plain() -> Games:
    return open_games(())


@pytest.fixture(scope="module")
def gritty() -> Games:
    games = open_games((HOUSE_RULES,))
    assert games.left_out == {}
    return games


def play(games: Games, dice: list[list[int]], weapon: str, **attacker: Any) -> Any:
    """An attack with these dice: the same for both."""
    request = {
        "ruleset": "sr4",
        "procedure": "ranged-attack",
        "situation": {
            "attacker": {"pool": 8, "rounds_before": 0, **attacker},
            "target": {"pool": 3, "body": 3, "armor": []},
            "weapon": weapon,
            "fire": {"mode": "semi-automatic"},
            "distance": 3,
        },
        "dice": dice,
        "explain": "all",
    }
    return running.resolve(load(RequestSchema(games), request))


def rolled(pool: int, hits: int, *others: int) -> list[list[int]]:
    """The attacker's dice with so many hits, and the dice of others without any."""
    return [[5] * hits + [3] * (pool - hits), *([3] * size for size in others)]


def total(answer: Any, name: str) -> int:
    return next(tally["total"] for tally in answer["modifiers"] if tally["to"] == name)


def applied(answer: Any) -> dict[str, int]:
    return {
        entry["id"]: entry["value"]
        for tally in answer["modifiers"]
        if tally["to"] == "attack.pool"
        for entry in tally["entries"]
        if entry["verdict"] == "applied"
    }


def test_the_check_finds_nothing() -> None:
    report = check([in_folder(GRITTY)])
    assert report.problems == ()
    assert report.packs == ("gritty-streets",)


def test_three_values_of_the_core_are_changed_and_no_others(plain: Games, gritty: Games) -> None:
    changed = {}
    for pack in plain.library.packs.values():
        for entry in pack.entries:
            now = gritty.library.entry(entry.id)
            assert now is not None
            for field in entry.data.keys() | now.data.keys():
                if entry.data.get(field) != now.data.get(field):
                    assert now.author_of((field,)) == "gritty-streets"
                    changed[entry.id, field] = (entry.data.get(field), now.data.get(field))
    assert changed == {
        ("sr4-core:weapon/ares-predator-iv", "dv"): (5, 6),
        ("sr4-core:weapon/ak-97", "ap"): (-1, 0),
        ("sr4-core:modifier/attacker-running", "value"): (-2, -3),
    }


def test_a_heavier_pistol_does_more_damage(plain: Games, gritty: Games) -> None:
    """Four hits against none: the damage value and the net hits, and nobody resists."""
    damage = {}
    for name, games in (("plain", plain), ("gritty", gritty)):
        answer = play(games, rolled(8, 4, 3, 3), "ares-predator-iv")
        assert answer["status"] == "resolved"
        assert total(answer, "attack.pool") == 8
        damage[name] = answer["outcome"]["damage"]
    assert damage["gritty"] == damage["plain"] + 1 == 6 + 4


def test_a_lighter_rifle_leaves_the_armor(plain: Games, gritty: Games) -> None:
    """Armor counts its full value against AP 0, and one less against AP -1."""
    soak = {}
    for name, games in (("plain", plain), ("gritty", gritty)):
        request = {
            "ruleset": "sr4",
            "procedure": "ranged-attack",
            "situation": {
                "attacker": {"pool": 8, "rounds_before": 0},
                "target": {"pool": 3, "body": 3, "armor": ["armor-jacket"]},
                "weapon": "ak-97",
                "fire": {"mode": "semi-automatic"},
                "distance": 3,
            },
        }
        answer = running.explain(load(RequestSchema(games), request))
        soak[name] = next(
            tally["total"] for tally in answer["modifiers"] if tally["to"].startswith(("armor", "soak"))
        )
    assert soak["gritty"] == soak["plain"] + 1


def test_running_costs_another_die(plain: Games, gritty: Games) -> None:
    for games, value, size in ((plain, -2, 6), (gritty, -3, 5)):
        answer = play(games, rolled(size, 0, 3), "ares-predator-iv", running=True)
        assert applied(answer)["attacker-running"] == value
        assert total(answer, "attack.pool") == size


def test_one_house_rule_is_switched(plain: Games, gritty: Games) -> None:
    """A tie is a grazing hit in the core, and a miss here."""
    assert plain.game("sr4").options({})["grazing_hits"] is True
    assert gritty.game("sr4").options({})["grazing_hits"] is False
    results = [
        play(games, rolled(8, 0, 3), "ares-predator-iv")["outcome"]["result"] for games in (plain, gritty)
    ]
    assert results[0] != results[1] == "miss"


def test_a_weapon_is_added(plain: Games, gritty: Games) -> None:
    assert plain.game("sr4").packs.entry("weapon", "zip-gun") is None
    gun = gritty.game("sr4").packs.entry("weapon", "zip-gun")
    assert gun is not None
    assert gun.id == "gritty-streets:weapon/zip-gun"
    request = {
        "ruleset": "sr4",
        "procedure": "ranged-attack",
        "situation": {
            "attacker": {"pool": 4, "rounds_before": 0},
            "target": {"pool": 1, "body": 1, "armor": []},
            "weapon": "zip-gun",
            "fire": {"mode": "single-shot"},
            "distance": 2,
        },
        "dice": [[5, 5, 1, 2], [1], [1]],
    }
    outcome = running.resolve(load(RequestSchema(gritty), request))["outcome"]
    assert outcome["damage"] == gun.data["dv"] + 2
