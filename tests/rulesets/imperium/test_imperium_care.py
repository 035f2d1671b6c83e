"""Staunching, healing, recovery and cold: over all faces, and with the numbers of a table's own layer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imperium_play import (
    asked,
    counted,
    first_stage,
    layered,
    measures,
    outcome,
    patched,
    play,
    survives_json,
)

from fracas.engine import running
from fracas.errors import InputError

_MEDIC = {"sagacity": 60, "traits": ["medic"]}


def staunch(
    face: int, toughness: int = 50, bleeding: int = 9, game: Any = None, **said: Any
) -> dict[str, Any]:
    situation = {"healer": {"toughness": toughness}, "patient": {"bleeding": {"body": bleeding}}, **said}
    return outcome("staunch-bleeding", situation, [face], game=game)


@given(st.integers(1, 100), st.integers(1, 120), st.integers(1, 12))
def test_ten_points_or_part_of_them_stop_one(face: int, toughness: int, bleeding: int) -> None:
    found = staunch(face, toughness, bleeding)
    margin = toughness - face
    may_stop = 0 if margin < 0 else max(1, (margin + 9) // 10)
    assert found["stopped"] == min(bleeding, may_stop)
    assert found["bleeding_left"] == bleeding - found["stopped"]
    assert found["success"] is (margin >= 0)
    assert found["test_margin"] == abs(margin)


def test_odds_of_staunching() -> None:
    said = {"healer": {"toughness": 50}, "patient": {"bleeding": {"left-leg": 3}}}
    found = measures("staunch-bleeding", said)
    assert found == pytest.approx(counted("staunch-bleeding", said), abs=1e-12)
    # margins 0 to 10 stop 1 (11 faces), 11 to 20 stop 2 (10), 21 to 49 stop 3 (29)
    assert found["stopped"] == pytest.approx((11 + 20 + 87) / 100)
    survives_json(first_stage("staunch-bleeding", said))


def test_layers_change_staunching() -> None:
    assert staunch(38)["stopped"] == 2
    assert staunch(38, game=patched("staunching", "margin-per-bleeding", value=5))["stopped"] == 3
    assert staunch(50, game=patched("staunching", "stopped-at-margin-0", value=0))["stopped"] == 0


def test_the_location_must_be_named_where_several_bleed() -> None:
    said = {"healer": {"toughness": 50}, "patient": {"bleeding": {"head": 1, "body": 2, "left-leg": 0}}}
    with pytest.raises(InputError, match=r"staunching\.location"):
        first_stage("staunch-bleeding", said)
    found = outcome("staunch-bleeding", {**said, "staunching": {"location": "head"}}, [1])
    assert (found["location"], found["stopped"]) == ("head", 1)


def test_nobody_bleeds() -> None:
    answer = play("staunch-bleeding", {"healer": {"toughness": 50, "bleeding": {}}})
    assert [one["code"] for one in answer["refusals"]] == ["not_bleeding"]


def test_attribution_takes_a_line_away_before_the_half() -> None:
    """Without the modifier the half is made anew: (50 + 11) / 2 = 31 up, without it 25."""
    hand = [{"to": "staunch.chance", "label": "Light", "value": 11}]
    said = {
        "healer": {"toughness": 50},
        "patient": {"bleeding": {"body": 1}},
        "action": {"merged": True},
    }
    answer = running.give_odds(asked("staunch-bleeding", said, modifiers=hand, attribution=True))
    values = {one["id"]: one["value"] for one in answer["measures"]}
    assert values["success"] == pytest.approx(0.31)
    told = {one["id"]: one for one in answer["attribution"]}
    assert told["hand-1"]["change"]["success"] == pytest.approx(0.06)
    assert told["merged-action"]["change"]["success"] == pytest.approx(-0.30)


@pytest.mark.parametrize(
    ("healer", "healing", "chance"),
    [
        (_MEDIC, {"equipment": True}, 60),
        (_MEDIC, {"equipment": False}, 30),
        ({"sagacity": 60, "traits": ["surgeon"]}, {"equipment": True}, 60),
        ({"sagacity": 60, "traits": ["acrobatic"]}, {"equipment": True, "gm_allows": True}, 20),
        ({"sagacity": 60, "traits": []}, {"equipment": False, "gm_allows": True}, -10),
    ],
)
def test_chances_of_healing(healer: dict[str, Any], healing: dict[str, Any], chance: int) -> None:
    answer = play(
        "heal-injury", {"healer": healer, "patient": {"injuries": {"body": 2}}, "healing": healing}, [45]
    )
    (tally,) = answer["modifiers"]
    assert tally["total"] == chance
    assert answer["outcome"]["success"] is (chance >= 45)
    assert answer["outcome"]["test_chance"] == max(0, chance)


def test_a_mishap_of_a_medic_is_half_as_bad() -> None:
    said = {"healer": _MEDIC, "patient": {"injuries": {"body": 2}}, "healing": {"equipment": True}}
    found = outcome("heal-injury", said, [66])
    assert (found["mishap"], found["bleeding"]) == (True, 1)
    plain = outcome("heal-injury", said, [67])
    assert (plain["mishap"], plain["success"], plain["level"]) == (False, False, 2)
    worse = patched("healing", "mishap-bleedings", value=3)
    assert outcome("heal-injury", said, [66], game=worse)["bleeding"] == 3
    better = patched("healing", "levels", value=2)
    assert outcome("heal-injury", said, [60], game=better)["level"] == 0


def test_modifiers_of_healing_are_data() -> None:
    game = layered("modifier", "healing-without-equipment", {"value": -5})
    said = {"healer": _MEDIC, "patient": {"injuries": {"body": 2}}, "healing": {"equipment": False}}
    assert outcome("heal-injury", said, [55], game=game)["success"]
    assert not outcome("heal-injury", said, [55])["success"]


def test_a_mishap_makes_somebody_suffer_once() -> None:
    said = {
        "healer": _MEDIC,
        "patient": {"injuries": {"body": 2}, "suffering": True},
        "healing": {"equipment": True},
    }
    assert [one["what"] for one in play("heal-injury", said, [77])["effects"]] == ["bleeding-body"]


@pytest.mark.parametrize(
    ("place", "bionic", "level"),
    [
        ("right-arm", False, 5),
        ("right-arm", True, 0),
        ("left-leg", False, 5),
        ("body", False, 4),
        ("head", True, 0),
    ],
)
def test_what_is_crippled_heals_in_part(place: str, bionic: bool, level: int) -> None:
    patient = {"toughness": 50, "injuries": {place: 5, "right-leg": 1}, "traits": []}
    said = {"patient": patient, "recovery": {"location": place, "bionic": bionic}}
    found = outcome("recovery", said, [4])
    assert (found["weeks"], found["level"], found["healed"]) == (7, level, 5 - level)


def test_odds_and_layers_of_recovery() -> None:
    said: dict[str, Any] = {"patient": {"toughness": 76, "injuries": {"body": 5}, "traits": []}}
    assert measures("recovery", said)["weeks"] == pytest.approx(5)
    tougher = patched("long-term-recovery", "crippled-tough-or-regenerating", toughness_above=80)
    assert measures("recovery", said, game=tougher)["weeks"] == pytest.approx(6.5)
    survives_json(first_stage("recovery", said))
    weekly: dict[str, Any] = {"patient": {"toughness": 40, "injuries": {"body": 4}, "traits": []}}
    assert measures("recovery", weekly)["level"] == pytest.approx(3.6)
    faster = patched("long-term-recovery", "acute-or-less", healed=2)
    assert measures("recovery", weekly, game=faster)["level"] == pytest.approx(3.2)
    whole = play("recovery", {"patient": {"toughness": 40, "injuries": {}, "traits": []}})
    assert [one["code"] for one in whole["refusals"]] == ["unhurt"]


@pytest.mark.parametrize(
    ("missing", "hours"),
    [([], 50), (["fire"], 25), (["fire", "food", "shelter", "warm-clothing"], 3.125)],
)
def test_hours_in_the_cold(missing: list[str], hours: float) -> None:
    found = outcome("cold", {"victim": {"toughness": 50}, "cold": {"missing": missing, "hours": 3.125}})
    assert found["grace_hours"] == pytest.approx(hours)
    assert found["hours_left"] == pytest.approx(hours - 3.125)
    assert not found["grace_over"]


def test_layers_change_the_cold() -> None:
    said = {"victim": {"toughness": 50}, "cold": {"missing": ["fire", "food"], "hours": 20}}
    assert outcome("cold", said)["grace_over"]
    milder = patched("cold", "factor-per-missing-element", value=0.8)
    assert outcome("cold", said, game=milder)["grace_hours"] == pytest.approx(32)
    unneeded = patched("survival-elements", "food", needed=False)
    assert outcome("cold", said, game=unneeded)["grace_hours"] == pytest.approx(25)
