"""The short list of modifiers, which is an option of the house rules: when each of them counts."""

from __future__ import annotations

from typing import Any

import pytest
from sr5_table import HOUSE, applied, refused, tally

SMART = {"weapon.features": ("smartgun", "laser-sight"), "attacker.smartlink": "implanted"}
PAYDATA = {"modifiers": "paydata"}


@pytest.mark.parametrize(
    ("to", "facts", "expected"),
    [
        (
            "attack.pool",
            {"environment.visibility": "light", "environment.light": "dark", "environment.glare": "none"},
            {"paydata-visibility": -4, "paydata-light": -4},
        ),
        (
            "attack.pool",
            {"environment.visibility": "heavy", "attacker.visibility_help": "gear"},
            {"paydata-visibility-gear": -2},
        ),
        (
            "attack.pool",
            {"environment.light": "dim", "environment.glare": "none", "attacker.light_help": "own"},
            {"paydata-light-own": 0},
        ),
        ("attack.pool", {"weapon.category": "taser", "range.zone": "near"}, {"paydata-pistol-near": -4}),
        ("attack.pool", {"weapon.category": "light-machine-gun", "range.zone": "far"}, {"paydata-machine-gun-far": -4}),
        ("attack.pool", {"weapon.category": "shotgun", "range.zone": "close"}, {}),
        ("attack.pool", {"weapon.category": "holdout", "attacker.in_melee": True}, {"paydata-handgun-in-melee": -4}),
        ("attack.pool", {"weapon.category": "shotgun", "attacker.in_melee": True}, {"paydata-long-gun-in-melee": -8}),
        ("attack.pool", {"attacker.aim_turns": 5, "attacker.willpower": 3}, {"paydata-aim": 3}),
        ("attack.pool", {**SMART, "attacker.dni": True}, {"paydata-smartgun": 2}),
        ("attack.pool", {"attacker.imaging_from_cover": True}, {"paydata-imaging-from-cover": -4}),
        ("attack.pool", {"environment.modifier": -3, "attacker.running": True}, {"attacker-running": -2}),
        ("melee-attack.pool", {"attacker.prone": True}, {"paydata-attacker-prone": -2}),
        ("melee-attack.pool", {"attacker.touch_only": True}, {"paydata-touch-only": 4}),
        ("melee-attack.pool", {"target.prone": True, "attacker.friends_in_melee": True}, {}),
        ("defense.pool", {"target.prone": True, "distance": 40}, {"paydata-target-prone": -2}),
        ("defense.pool", {"target.strapped_in": True, "target.in_moving_vehicle": True}, {"paydata-strapped-in": -4}),
        ("defense.pool", {"target.defenses_made": 2, "target.cover": "partial"}, {"partial-cover": 2}),
    ],
)  # fmt: skip
def test_paydata(to: str, facts: dict[str, Any], expected: dict[str, int]) -> None:
    assert applied(tally(to, facts, **PAYDATA)) == expected
    assert not any(id.startswith("paydata") for id in applied(tally(to, facts)))


@pytest.mark.parametrize(
    ("facts", "codes"),
    [
        ({"weapon.category": "heavy-pistol", "range.zone": "far"}, ["out_of_zone"]),
        ({"weapon.category": "sniper-rifle", "range.zone": "extreme"}, []),
        ({"weapon.category": "missile-launcher", "load.type": "rocket", "range.zone": "extreme"}, ["out_of_zone"]),
        ({"weapon.category": "missile-launcher", "load.type": "missile", "range.zone": "extreme"}, []),
        ({"range.band": "beyond"}, []),
    ],
)  # fmt: skip
def test_paydata_zones_that_cannot_be_reached(facts: dict[str, Any], codes: list[str]) -> None:
    assert refused(facts, **PAYDATA) == codes


def test_the_short_list_is_off_by_default() -> None:
    assert HOUSE.options({})["modifiers"] == "core"
