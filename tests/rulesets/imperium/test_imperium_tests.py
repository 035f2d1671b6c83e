"""Tests of characteristics and psychic powers: over all faces, merged and not, by ability, and under layers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imperium_play import counted, first_stage, layered, measures, outcome, patched, play, survives_json

from fracas.errors import InputError
from fracas.rulesets.imperium.checks.characteristic_test import KINDS
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS

_ALL = {name: 40 + at for at, name in enumerate(CHARACTERISTICS)}
_OF_KIND = {
    "awareness": "initiative",
    "leap": "strength",
    "swim": "strength",
    "tread-water": "strength",
    "sneak": "initiative",
    "reins": "initiative",
    "find-data": "sagacity",
    "subordination": "leadership",
    "resist-poison": "toughness",
    "resist-trauma": "nerve",
    "break-free": "strength",
}
_HARDER = {"break-free": -10}


def attempt(kind: str, face: int, game: Any = None, **said: Any) -> dict[str, Any]:
    situation = {"tester": {**_ALL, "traits": []}, "test": {"kind": kind}, **said}
    return outcome("characteristic-test", situation, [face], game=game, options={"subordination": True})


@given(
    st.integers(1, 100),
    st.integers(0, 150),
    st.integers(-60, 60),
    st.booleans(),
    st.sampled_from(("up", "down")),
)
def test_any_test(face: int, value: int, modifier: int, merged: bool, rounding: str) -> None:
    """Roll, chance, success, margin and matched dice, with the half last and rounded as the option says."""
    said = {
        "tester": {"nerve": value},
        "test": {"characteristic": "nerve", "modifier": modifier},
        "action": {"merged": merged},
    }
    found = outcome("characteristic-test", said, [face], options={"rounding": rounding})
    chance = value + modifier
    if merged:
        chance = -(-chance // 2) if rounding == "up" else chance // 2
    assert found["test_roll"] == face
    assert found["test_chance"] == max(0, min(100, chance))
    assert found["success"] is found["test_success"] is (face <= chance)
    assert found["test_margin"] == abs(chance - face)
    assert found["test_matched"] is (f"{face % 100:02}"[0] == f"{face % 100:02}"[1])


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_tests_its_characteristic(kind: str) -> None:
    value = _ALL[_OF_KIND[kind]] + _HARDER.get(kind, 0)
    assert attempt(kind, value)["success"]
    missed = attempt(kind, value + 1)
    assert not missed["success"]
    assert missed["test_margin"] == 1
    said = {"tester": {**_ALL, "traits": []}, "test": {"kind": kind}}
    options = {"subordination": True}
    found = measures("characteristic-test", said, options=options)
    assert found == pytest.approx(counted("characteristic-test", said, options=options))
    assert found["success"] == pytest.approx(value / 100)
    survives_json(first_stage("characteristic-test", said, options=options))


@pytest.mark.parametrize("kind", KINDS)
def test_a_layer_says_otherwise(kind: str) -> None:
    game = patched("other-tests", kind, test="weapon_skill")
    value = _ALL["weapon_skill"] + _HARDER.get(kind, 0)
    assert attempt(kind, value, game=game)["success"]
    assert not attempt(kind, value + 1, game=game)["success"]


def test_automatic_rolls_are_options() -> None:
    said = {"tester": {"nerve": 0}, "test": {"characteristic": "nerve"}}
    assert not outcome("characteristic-test", said, [1])["success"]
    found = outcome("characteristic-test", said, [5], options={"auto_success": 5})
    assert (found["success"], found["test_margin"]) == (True, 0)
    sure = {"tester": {"nerve": 120}, "test": {"characteristic": "nerve"}}
    assert outcome("characteristic-test", sure, [100])["test_margin"] == 20
    found = outcome("characteristic-test", sure, [96], options={"auto_fail": 96})
    assert (found["success"], found["test_margin"]) == (False, 1)


@pytest.mark.parametrize("kind", ["swim", "tread-water"])
def test_in_water(kind: str) -> None:
    for face in range(43, 101):
        found = attempt(kind, face)
        drowns = face in (44, 55, 66, 77, 88, 99, 100)
        assert (found["loses_action"], found["loud"], found["drowning"]) == (True, True, drowns)
    fine = attempt(kind, 33)
    assert (fine["success"], fine["loses_action"], fine["drowning"]) == (True, False, False)
    quiet = patched("swimming-failure", "matched-failure", drowning=False)
    assert attempt(kind, 99, game=quiet)["drowning"] is False


def test_merged_leaps() -> None:
    said = {
        "tester": {"strength": 60, "traits": ["acrobatic"]},
        "test": {"kind": "leap"},
        "action": {"merged": True},
    }
    assert outcome("characteristic-test", said, [45])["success"]
    assert not outcome("characteristic-test", said, [46])["success"]
    free = patched("merged-jump", "acrobatic", lost=0)
    assert outcome("characteristic-test", said, [60], game=free)["success"]
    clumsy = {**said, "tester": {"strength": 60, "traits": []}}
    assert not outcome("characteristic-test", clumsy, [31])["success"]
    worse = patched("merged-jump", "anybody", lost=3)
    assert outcome("characteristic-test", clumsy, [15], game=worse)["test_margin"] == 0


@pytest.mark.parametrize("pace", ["walk", "crawl", "sneak", "wade", "swim"])
def test_looking_around_on_slow_feet(pace: str) -> None:
    said = {"tester": {"initiative": 50}, "test": {"kind": "awareness"}, "action": {"merged_with": pace}}
    assert outcome("characteristic-test", said, [26])["test_chance"] == 25
    free = outcome("characteristic-test", said, [26], options={"do_nothing_walk_free": True})
    assert (free["test_chance"], free["notices"]) == (50, True)


@pytest.mark.parametrize("pace", ["run", "sprint", "leap", "drive"])
def test_nobody_looks_around_in_haste(pace: str) -> None:
    said = {"tester": {"initiative": 50}, "test": {"kind": "awareness"}, "action": {"merged_with": pace}}
    codes = {one["code"] for one in play("characteristic-test", said)["refusals"]}
    assert codes == {"illegal_merge"}


def test_a_kind_or_a_characteristic_is_needed() -> None:
    with pytest.raises(InputError, match=r"test\.characteristic"):
        first_stage("characteristic-test", {"tester": _ALL})
    with pytest.raises(InputError, match=r"tester\.nerve"):
        first_stage("characteristic-test", {"tester": {}, "test": {"kind": "resist-trauma"}})


@given(st.integers(0, 120), st.integers(0, 100), st.integers(1, 100), st.booleans())
def test_powers(willpower: int, difficulty: int, face: int, merged: bool) -> None:
    psyker = {"willpower": willpower, "traits": ["psyker"], "concentrated": True}
    said = {"psyker": psyker, "power": {"difficulty": difficulty}, "action": {"merged": merged}}
    answer = play("use-psychic-power", said, [face], options={"psychic_backlash": False})
    chance = willpower - difficulty
    chance = -(-chance // 2) if merged else chance
    assert answer["outcome"]["success"] is (face <= chance)
    assert [(one["type"], one["what"]) for one in answer["effects"]] == [
        ("remove-condition", "concentrating")
    ]


def test_a_power_needs_its_difficulty() -> None:
    with pytest.raises(InputError, match=r"power\.difficulty"):
        first_stage("use-psychic-power", {"psyker": {"willpower": 50}})


def test_modifiers_of_a_layer_count_in_tests() -> None:
    fields = {"applies_to": ["test.chance"], "when": ["test.kind:sneak", "tester:mounted"], "value": -30}
    game = layered("modifier", "aim", fields)
    said = {"tester": {"initiative": 50, "mounted": True}, "test": {"kind": "sneak"}}
    assert not outcome("characteristic-test", said, [21], game=game)["unnoticed"]
    assert outcome("characteristic-test", said, [21])["unnoticed"]


@pytest.mark.parametrize(
    ("face", "said"), [(50, "success, the charge is planted"), (51, "failure, the charge does not stick")]
)
def test_a_charge_that_is_planted_is_a_success(face: int, said: str) -> None:
    situation = {"attacker": {"weapon_skill": 50}, "target": {"hull": 40}, "weapon": {"use": "melta-bomb"}}
    assert play("plant-charge", situation, [face])["summary"] == f"Plant a charge: {said}."
    assert measures("plant-charge", situation) == {"success": pytest.approx(0.5)}
