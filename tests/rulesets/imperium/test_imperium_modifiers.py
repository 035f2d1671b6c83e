"""The modifiers of imperium-core compile, apply when the rulebook says so, and have its numbers."""

from __future__ import annotations

from typing import Any

import pytest
from imperium_table import GAME, applied, entries, refusals, rows, sheet_of, tally

from fracas.kernel.predicates import Compiler
from fracas.kernel.values import compile_value
from fracas.packs.entries import Entry

OF_ATTACKS = {
    "shooting.chance",
    "shooting.damage",
    "shooting.refusal",
    "close-combat.chance",
    "close-combat.damage",
    "close-combat.refusal",
    "parry.penalty",
}


def slug(value: Any) -> str:
    return value.slug if isinstance(value, Entry) else str(value)


@pytest.mark.parametrize("modifier", entries("modifier"), ids=slug)
def test_modifier_compiles(modifier: Entry) -> None:
    """Against the words of every procedure that has one of its numbers."""
    wanted = modifier.data["applies_to"]
    for target in wanted:
        compiler = Compiler(GAME.vocabulary(sheet_of(target)))
        compiler.predicate(modifier.data["when"], ("when",))
        compile_value(modifier.data.get("value", 0), compiler, ("value",))
        assert not compiler.problems
    assert {"refuses" in modifier.data} == {target.endswith(".refusal") for target in wanted}


def test_every_number_of_an_attack_has_a_modifier() -> None:
    named = {to for modifier in entries("modifier") for to in modifier.data["applies_to"]}
    assert named >= OF_ATTACKS


PLAIN = {
    "range.band": "short",
    "attacker.aim": 0,
    "attacker.strength": 50,
    "attacker.grants": (),
    "weapon.type": "basic",
    "weapon.excess": 0,
    "weapon.silencer": "none",
    "weapon.modes": ("single", "semi-auto"),
    "weapon.semi_least": 2,
    "weapon.semi_most": 4,
    "weapon.rounds": 10,
    "weapon.ammunition": ("limax", "longus"),
    "fire.mode": "single",
    "fire.shots": 1,
    "target.pace": "moved",
    "target.aware": True,
    "target.prone": False,
    "target.mounted": False,
    "action.arm_injury": 0,
    "visibility": (),
}
"""A shot that nothing helps or hinders."""

SHOTS: list[tuple[dict[str, Any], dict[str, int]]] = [
    ({}, {}),
    ({"range.band": "medium"}, {"range-medium": -10}),
    ({"range.band": "long"}, {"range-long": -20}),
    ({"range.band": "extreme"}, {"range-extreme": -20}),
    ({"weapon.silencer": "removable"}, {"removable-silencer": -10}),
    ({"weapon.silencer": "integral"}, {}),
    ({"weapon.excess": 7}, {"over-encumbered-shooting": -7}),
    ({"attacker.aim": 1}, {"aim": 20}),
    ({"attacker.aim": 2}, {"aim": 20, "aim-second": 10}),
    ({"attacker.aim": 3}, {"aim": 20, "aim-second": 10}),
    ({"target.pace": "ran"}, {"target-ran": -10}),
    ({"target.pace": "sprinted"}, {"target-sprinted": -20}),
    ({"target.prone": True}, {}),
    ({"target.prone": True, "range.band": "long"}, {"range-long": -20, "target-prone": -10}),
    ({"target.pace": "stationary"}, {}),
    ({"target.aware": False}, {}),
    ({"target.pace": "stationary", "target.aware": False}, {"target-unaware": 20}),
    ({"visibility": ("darkness",)}, {"bad-sight": -20}),
    ({"visibility": ("darkness", "smoke")}, {"bad-sight": -20}),
    ({"fire.mode": "semi-auto", "fire.shots": 2}, {"semi-automatic": -5}),
    ({"fire.mode": "semi-auto", "fire.shots": 4}, {"semi-automatic": -15}),
    ({"action.arm_injury": 3}, {"arm-serious": -20}),
]


@pytest.mark.parametrize(("changed", "expected"), SHOTS)
def test_shot(changed: dict[str, Any], expected: dict[str, int]) -> None:
    facts = PLAIN | changed
    found = applied("shooting.chance", facts)
    found.pop("range-short", None)
    assert found == expected
    assert tally("shooting.chance", facts).total == sum(expected.values())
    assert not [line for line in tally("shooting.chance", facts).entries if line.verdict == "unknown"]
    assert refusals("shooting", facts) == []


def test_what_is_not_said_is_unknown_and_not_false() -> None:
    facts = {path: value for path, value in PLAIN.items() if path != "weapon.silencer"}
    (line,) = [line for line in tally("shooting.chance", facts).entries if line.verdict == "unknown"]
    assert (line.id, line.reason) == ("removable-silencer", "weapon.mods")


REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"range.band": "beyond"}, ["beyond_range"]),
    ({"weapon.rounds": 0}, ["empty_weapon"]),
    ({"fire.mode": "full-auto"}, ["mode_not_available"]),
    ({"fire.mode": "semi-auto", "fire.shots": 1}, ["too_few_shots"]),
    ({"fire.mode": "semi-auto", "fire.shots": 5}, ["too_many_shots"]),
    ({"fire.shots": 2}, ["too_many_shots"]),
    ({"fire.mode": "semi-auto", "fire.shots": 4, "weapon.rounds": 3}, ["too_few_rounds"]),
    ({"fire.mode": "semi-auto", "fire.shots": 3, "weapon.rounds": 3}, []),
    ({"weapon.type": "close"}, ["not_a_ranged_weapon"]),
    ({"weapon.silencer": "removable", "weapon.ammunition": ()}, ["silencer_does_not_fit"]),
    ({"weapon.silencer": "removable", "weapon.type": "heavy"}, ["silencer_does_not_fit"]),
    ({"weapon.silencer": "integral", "weapon.ammunition": ()}, []),
    ({"action.arm_injury": 4}, ["arm_useless"]),
    ({"action.merged_with": "draw-weapon"}, ["illegal_merge"]),
    ({"action.merged_with": "draw-weapon", "attacker.grants": ("quick-draw",)}, []),
    ({"action.merged_with": "draw-weapon", "weapon.type": "thrown"}, ["illegal_merge"]),
    ({"action.merged_with": "do-nothing"}, ["illegal_merge"]),
    ({"action.merged_with": "sprint"}, ["illegal_merge"]),
    ({"action.merged_with": "run"}, []),
    ({"action.merged_with": "leap"}, []),
    ({"action.merged_with": "fire-weapon"}, []),
    ({"target.mounted": True, "fire.aims_at": "mount"}, ["has_not_aimed"]),
    ({"target.mounted": True, "fire.aims_at": "mount", "attacker.aim": 1}, []),
]


@pytest.mark.parametrize(("changed", "expected"), REFUSED)
def test_shot_that_cannot_be(changed: dict[str, Any], expected: list[str]) -> None:
    assert refusals("shooting", PLAIN | changed) == expected


def test_house_rules_decide_what_merges() -> None:
    throw = PLAIN | {"weapon.type": "thrown", "action.merged_with": "draw-weapon"}
    assert refusals("shooting", throw, draw_merge_grenade=True) == []
    shot = PLAIN | {"action.merged_with": "draw-weapon"}
    assert refusals("shooting", shot, draw_merge_grenade=True) == ["illegal_merge"]
    twice = PLAIN | {"action.merged_with": "fire-weapon"}
    assert refusals("shooting", twice, merge_same=False) == ["illegal_merge"]
    throws = PLAIN | {"weapon.type": "thrown", "action.merged_with": "throw-grenade"}
    assert refusals("shooting", throws, merge_same=False) == ["illegal_merge"]
    assert refusals("close-combat", FIGHT | {"action.merged_with": "attack"}) == []
    assert refusals("close-combat", FIGHT | {"action.merged_with": "attack"}, merge_same=False) == [
        "illegal_merge"
    ]


FIGHT = {
    "attack.charge": False,
    "attack.shot": False,
    "attack.direction": "front",
    "attack.evades_height": False,
    "attacker.strength": 50,
    "attacker.mounted": False,
    "attacker.grants": (),
    "target.aware": True,
    "target.conscious": True,
    "target.stunned": False,
    "target.mounted": False,
    "weapon.type": "close",
    "weapon.excess": 0,
    "weapon.requires": (),
    "parry.may_parry": True,
    "parry.parry_penalty": -20,
    "parry.excess": 0,
    "action.arm_injury": 0,
}
"""A blow against somebody who holds a power sword (A13)."""

BLOWS: list[tuple[dict[str, Any], dict[str, int]]] = [
    ({}, {}),
    ({"attack.charge": True}, {"charge": 10}),
    ({"target.mounted": True}, {"against-rider": -10}),
    ({"target.mounted": True, "attacker.mounted": True}, {}),
    ({"target.mounted": True, "attack.evades_height": True}, {}),
    ({"weapon.excess": 12}, {"over-encumbered": -12}),
    ({"action.arm_injury": 3}, {"arm-serious": -20}),
]


@pytest.mark.parametrize(("changed", "expected"), BLOWS)
def test_blow(changed: dict[str, Any], expected: dict[str, int]) -> None:
    facts = FIGHT | changed
    assert applied("close-combat.chance", facts) == expected
    assert not [line for line in tally("close-combat.chance", facts).entries if line.verdict == "unknown"]
    assert refusals("close-combat", facts) == []


@pytest.mark.parametrize(
    ("changed", "total"),
    [
        ({}, -20),
        ({"target.aware": False}, 0),
        ({"target.conscious": False}, 0),
        ({"target.stunned": True}, 0),
        ({"attack.direction": "rear"}, 0),
        ({"attack.direction": "side"}, 0),
        ({"parry.may_parry": False}, 0),
        ({"parry.excess": 9}, -20),
        ({"parry.excess": 10}, -15),
        ({"parry.excess": 25}, -10),
        ({"parry.excess": 99}, 0),
        ({"parry.parry_penalty": -5, "parry.excess": 20}, 0),
    ],
)
def test_parry_penalty(changed: dict[str, Any], total: int) -> None:
    facts = FIGHT | changed
    if facts["parry.may_parry"] is False:
        del facts["parry.parry_penalty"]
    assert tally("parry.penalty", facts).total == total


@pytest.mark.parametrize(
    ("strength", "points"), [(20, 0), (50, 0), (59, 0), (60, 1), (69, 1), (70, 2), (105, 5)]
)
def test_strength_adds_to_damage(strength: int, points: int) -> None:
    facts = FIGHT | {"attacker.strength": strength}
    assert tally("close-combat.damage", facts).total == points
    assert tally("shooting.damage", PLAIN | {"attacker.strength": strength}).total == 0
    thrown = PLAIN | {"attacker.strength": strength, "weapon.type": "thrown"}
    assert tally("shooting.damage", thrown).total == points
    shot = facts | {"weapon.type": "pistol", "attack.shot": True}
    assert tally("close-combat.damage", shot).total == 0
    bayonet = facts | {"weapon.type": "basic"}
    assert tally("close-combat.damage", bayonet).total == points


@pytest.mark.parametrize(("excess", "points"), [(0, 0), (9, 0), (10, -1), (19, -1), (30, -3)])
def test_a_weapon_too_heavy_does_less_damage(excess: int, points: int) -> None:
    assert tally("close-combat.damage", FIGHT | {"weapon.excess": excess}).total == points


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"weapon.requires": ("chain-weapons",)}, ["needs_ability"]),
        ({"weapon.requires": ("chain-weapons",), "attacker.grants": ("chain-weapons",)}, []),
        ({"weapon.requires": ("chain-weapons", "power-weapons")}, ["needs_ability", "needs_ability"]),
        (
            {"weapon.requires": ("chain-weapons", "power-weapons"), "attacker.grants": ("chain-weapons",)},
            ["needs_ability"],
        ),
        ({"accessory.requires": ("chain-weapons",)}, ["needs_ability"]),
        ({"accessory.fits": ("basic",)}, ["accessory_does_not_fit"]),
        ({"accessory.fits": ("basic",), "weapon.type": "basic"}, []),
        ({"action.arm_injury": 5}, ["arm_useless"]),
        ({"weapon.type": "thrown"}, ["not_a_close_weapon"]),
        ({"attack.shot": True}, ["not_a_pistol"]),
        ({"attack.shot": True, "weapon.type": "pistol", "weapon.rounds": 0}, ["empty_weapon"]),
        ({"attack.shot": True, "weapon.type": "pistol", "weapon.rounds": 1}, []),
        ({"action.merged_with": "draw-weapon"}, ["illegal_merge"]),
        ({"action.merged_with": "draw-weapon", "attacker.grants": ("quick-draw",)}, []),
        ({"action.merged_with": "sprint"}, ["illegal_merge"]),
    ],
)
def test_blow_that_cannot_be(changed: dict[str, Any], expected: list[str]) -> None:
    assert refusals("close-combat", FIGHT | changed) == expected


def test_every_range_of_the_table_has_a_modifier() -> None:
    for band in rows("shooting-bands"):
        if band == "beyond":
            assert refusals("shooting", PLAIN | {"range.band": band}) == ["beyond_range"]
        else:
            assert [*applied("shooting.chance", PLAIN | {"range.band": band})] == [f"range-{band}"]
    assert [band for band, row in rows("shooting-bands").items() if row["halved"]] == ["extreme"]
