"""When the modifiers of the packs apply, and the rulebook's worked examples as far as modifiers go."""

from __future__ import annotations

from typing import Any

import pytest
from sr5_table import CORE, HOUSE, MELEE, RANGED, applied, refused, tally

# --- Modifiers ----------------------------------------------------------------------------------------------


def test_example_b11() -> None:
    """Agility 6 + Automatics 5 at medium range is 10 dice; Strength 5 takes up the recoil of a burst."""
    assert tally("recoil.compensation", {"attacker.vehicle": False, "attacker.strength": 5}).total == 3
    facts = {"environment.modifier": -1, "recoil.phase": 3, "recoil.compensation": 3}
    assert tally("attack.pool", facts, 11).total == 10
    facts = {"fire.mode": "burst", "fire.rounds_missing": 0}
    assert tally("defense.pool", facts, 8).total == 6


def test_example_b14_recoil_counts_for_every_attack_of_the_phase() -> None:
    facts = {"recoil.compensation": 4, "recoil.own": 3, "recoil.phase": 6, "recoil.progressive": 9}
    assert applied(tally("attack.pool", facts)) == {"recoil": -2}
    assert applied(tally("attack.pool", facts, game=CORE)) == {"recoil": -5}
    assert applied(tally("attack.pool", {**facts, "recoil.phase": 3})) == {}


def test_example_b23_full_defense() -> None:
    facts = {"target.full_defense": True, "target.willpower": 4, "target.defenses_made": 0}
    assert tally("defense.pool", facts, 7).total == 11
    assert tally("defense.pool", {**facts, "target.defenses_made": 1}, 7).total == 10


def test_example_b16_parry_without_cover() -> None:
    facts = {"target.active_defense": "parry", "target.defense_skill": 5}
    assert tally("melee-defense.pool", facts, 9).total == 14
    assert tally("melee-defense.pool", {"target.active_defense": "none"}, 9).total == 9
    assert "target.cover" in RANGED.vocabulary.fields
    assert "target.cover" not in MELEE.vocabulary.fields


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"attacker.blind_fire": True}, {"blind-fire": -6}),
        ({"attacker.in_moving_vehicle": True}, {"attacker-in-vehicle": -2}),
        ({"attacker.in_melee": True}, {"attacker-in-melee": -3}),
        ({"attacker.running": True, "attacker.off_hand": True}, {"off-hand": -2, "attacker-running": -2}),
        ({"attacker.imaging_from_cover": True}, {"imaging-from-cover": -3}),
        ({"attacker.called_shot": True}, {"called-shot": -4}),
        ({"attacker.wound_modifier": -2}, {"attacker-wounds": -2}),
        (
            {"attacker.take_aim": 4, "attacker.aim_for": "dice", "attacker.willpower": 5},
            {"take-aim-dice": 3},
        ),
        ({"attacker.suppressed": 3, "attacker.prone": False, "attacker.in_cover": False}, {"suppressed": -3}),
        ({"attacker.suppressed": 3, "attacker.prone": True, "attacker.in_cover": False}, {}),
    ],
)
def test_ranged_attacker(facts: dict[str, Any], expected: dict[str, int]) -> None:
    assert applied(tally("attack.pool", facts)) == expected


SMART = {"weapon.features": ("smartgun", "laser-sight"), "attacker.smartlink": "implanted"}


def test_smartguns() -> None:
    assert applied(tally("limit.accuracy", SMART, game=CORE)) == {"smartgun-accuracy": 2}
    assert applied(tally("attack.pool", SMART, game=CORE)) == {"smartgun-implanted": 2}
    worn = {**SMART, "attacker.smartlink": "worn"}
    assert applied(tally("attack.pool", worn, game=CORE)) == {"smartgun-worn": 1}
    assert applied(tally("limit.accuracy", {**SMART, "attacker.smartlink": "none"}, game=CORE)) == {
        "laser-sight": 1
    }
    # The house rules want a direct neural interface.
    assert applied(tally("limit.accuracy", {**SMART, "attacker.dni": False})) == {"laser-sight": 1}
    assert applied(tally("attack.pool", {**SMART, "attacker.dni": False})) == {}
    assert applied(tally("attack.pool", {**SMART, "attacker.dni": True})) == {"smartgun-implanted": 2}
    # It is enough for Accuracy; the dice need a smartlink as well.
    bare = {**SMART, "attacker.smartlink": "none", "attacker.dni": True}
    assert applied(tally("limit.accuracy", bare)) == {"smartgun-accuracy": 2}
    assert applied(tally("attack.pool", bare)) == {}


def test_take_aim_with_a_smartgun() -> None:
    """Both dice and Accuracy; by the house rules only with a direct neural interface."""
    facts = {**SMART, "attacker.take_aim": 2, "attacker.willpower": 5, "attacker.aim_for": "accuracy"}
    assert applied(tally("attack.pool", facts, game=CORE))["take-aim-dice"] == 2
    assert applied(tally("attack.pool", {**facts, "attacker.dni": True}))["take-aim-dice"] == 2
    without = {**facts, "attacker.dni": False}
    assert "take-aim-dice" not in applied(tally("attack.pool", without))
    assert applied(tally("limit.accuracy", without))["take-aim-accuracy"] == 2


def test_blind_fire_round_a_corner() -> None:
    facts = {**SMART, "attacker.dni": True, "attacker.blind_fire": True, "attacker.around_corner": True}
    assert applied(tally("attack.pool", facts)) == {"smartgun-implanted": 2, "blind-fire-smartlink": -4}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"attacker.charging": True, "attacker.running": True}, {"charging": 2}),
        ({"attacker.running": True}, {"melee-running": -2}),
        (
            {"attacker.superior_position": True, "attacker.touch_only": True},
            {"superior-position": 2, "touch-only": 2},
        ),
        (
            {"target.prone": True, "attacker.friends_in_melee": True},
            {"opponent-prone": 1, "friends-in-melee": 1},
        ),
        ({"attacker.prone": True, "attacker.off_hand": True}, {"attacker-prone": -1, "off-hand": -2}),
        ({"environment.sight_modifier": -3}, {"melee-environment": -3}),
    ],
)
def test_melee_attacker(facts: dict[str, Any], expected: dict[str, int]) -> None:
    assert applied(tally("melee-attack.pool", facts)) == expected


@pytest.mark.parametrize(
    ("to", "facts", "expected"),
    [
        ("defense.pool", {"target.in_moving_vehicle": True}, {"target-in-vehicle": 3}),
        ("defense.pool", {"target.running": True, "target.sprinting": True}, {"target-sprinting": 4}),
        ("defense.pool", {"target.cover": "good"}, {"good-cover": 4}),
        ("defense.pool", {"target.prone": True, "distance": 5}, {"target-prone-near": -2}),
        ("defense.pool", {"target.prone": True, "distance": 6}, {}),
        ("defense.pool", {"target.in_melee": True}, {"target-in-melee": -3}),
        ("defense.pool", {"fire.mode": "long-full-automatic", "fire.rounds_missing": 4}, {"ten-rounds": -5}),
        ("defense.pool", {"fire.mode": "burst", "fire.rounds_missing": 2}, {"three-rounds": 0}),
        ("melee-defense.pool", {"target.prone": True}, {"target-prone-melee": -2}),
        ("melee-defense.pool", {"target.reach": 0, "weapon.reach": 2}, {"reach": -2}),
        ("melee-defense.pool", {"target.reach": 3, "weapon.reach": 1}, {"reach": 2}),
        (
            "melee-defense.pool",
            {"attacker.charging": True, "target.awaits_charge": True},
            {"charge-received": 1},
        ),
    ],
)
def test_defender(to: str, facts: dict[str, Any], expected: dict[str, int]) -> None:
    assert applied(tally(to, facts)) == expected


def test_armor_mods_help_against_their_element_only() -> None:
    facts = {"damage.element": "electricity", "target.nonconductivity": 3, "target.fire_resistance": 4}
    assert applied(tally("soak.pool", facts)) == {"nonconductivity": 3}


def test_refusals() -> None:
    assert refused({"range.band": "beyond"}) == ["beyond_range"]
    assert refused({"range.band": "too-close", "weapon.rounds": 0}) == ["too_close", "empty_weapon"]
    assert refused({"fire.mode": "burst", "weapon.modes": ("SA",)}) == ["mode_missing"]
    assert refused({"fire.mode": "burst", "weapon.modes": ("SA", "BF")}) == []
    shot = {"fire.mode": "single-shot", "weapon.modes": ("SS",), "weapon.fired_this_turn": True}
    assert refused(shot) == ["single_shot_spent"]
    assert refused(shot, CORE) == []


# --- Option modifiers: paydata ------------------------------------------------------------------------------

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


def test_paydata_is_off_by_default() -> None:
    assert HOUSE.options({})["modifiers"] == "core"
    assert not any(
        id.startswith("paydata") for id in applied(tally("attack.pool", {"environment.wind": "strong"}))
    )


def test_draft_ammunition() -> None:
    assert applied(tally("damage.value", {"load.type": "apds"})) == {}
    assert applied(tally("damage.value", {"load.type": "apds"}, ammunition="draft")) == {"apds-draft": -1}
