"""House rules of Cities Without Number: each changes something where it is in play (cwn.md, section 17)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from cwn_table import shelf

from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import RequestSchema
from fracas.errors import InputError


@cache
def games() -> Games:
    return open_games(())


@cache
def schema() -> RequestSchema:
    return RequestSchema(games())


FIGHTER = {
    "name": "Wren",
    "base_attack_bonus": 2,
    "dexterity": 14,
    "strength": 14,
    "skills": {"shoot": 1, "stab": 1},
    "foci": {},
    "cyberware": [],
}
VICTIM = {
    "ranged_ac": 13,
    "melee_ac": 13,
    "trauma_target": 6,
    "soak": 2,
    "hp": 12,
    "named": True,
    "save": 14,
    "traumatic_before": False,
}


def attack(weapon: str | Mapping[str, Any], distance: float, **more: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "procedure": "attack",
        "situation": {
            "attacker": {**FIGHTER, **more.pop("attacker", {})},
            "target": {**VICTIM, **more.pop("target", {})},
            "weapon": weapon,
            "distance": distance,
            **more,
        },
    }


BLAST = {
    "procedure": "blast",
    "situation": {
        "attacker": FIGHTER,
        "weapon": "grenade-frag",
        "aim": "point",
        "distance": 8,
        "victim_1": {**VICTIM, "save": 12},
        "victim_2": {**VICTIM, "save": 12},
    },
}

IN_PLAY: Mapping[str, dict[str, Any]] = {
    "shock_floor_before_trauma": attack("sword", 1, target={"melee_ac": 10}),
    "soak_vs_shock": attack("sword", 1, target={"melee_ac": 12}),
    "natural_20_hits": attack("heavy-pistol", 5, target={"ranged_ac": 40}),
    "natural_1_misses": attack("heavy-pistol", 5, target={"ranged_ac": 2}),
    "gunlink_offsets_prone": attack("rifle", 50, attacker={"cyberware": ["gunlink"]}, target={"prone": True}),
    "tt_stack": attack(
        "heavy-pistol",
        5,
        target={
            "trauma_target": None,
            "ranged_ac": None,
            "melee_ac": None,
            "soak": None,
            "dexterity": 10,
            "armor": ["light-armored-suit"],
            "trauma_sources": ["dermal-armor-1"],
        },
    ),
    "snap_unnamed_npc": attack("heavy-pistol", 5, attacker={"named": False}, attack={"snap": True}),
    "instants_after_roll": {
        **attack("heavy-pistol", 5, target={"can_total_defense": True}),
        "decisions": [{"decision": "total-defense", "by": "target", "choose": "defend"}],
    },
    "melee_reach_m": attack("heavy-pistol", 2, target={"prone": True}),
    "half_rounding": BLAST,
    "explosives_add_attr": BLAST,
    "shared_area_damage": BLAST,
    "morale_break": {"procedure": "morale", "situation": {"tester": {"morale": 8}}},
    "mod_bonus_cap": attack(
        {"use": "heavy-pistol", "mods": ["customized", "autotargeting", "predictive-guidance"]},
        5,
        attacker={"cyberware": ["gunlink"]},
    ),
    "npc_hit_die": {"procedure": "hit-points", "situation": {"npc": {"hit_dice": 2}}},
}
"""A request in which the house rule matters."""

OF_TURNS = {"initiative"}
"""House rules that the order of a fight reads; see test_cwn_turns and test_cwn_rounds."""

SEEDED = {"ruleset": "cwn", "dice": {"source": "seed", "seed": f"{7:064x}"}}
"""Dice that fall alike every time."""


def values_of(option: str) -> list[Any]:
    rule = shelf().options()[option]
    if rule.type == "choice":
        return list(rule.choices)
    return [1, 2] if rule.type == "whole" else [False, True]


def test_every_house_rule_is_tried() -> None:
    assert set(IN_PLAY) | OF_TURNS == set(shelf().options())


def picture(request: Mapping[str, Any], **options: Any) -> Any:
    """Every number and every odd of an attempt, and the dice of one; what speaks against it where it is refused."""
    asked = load(schema(), {"ruleset": "cwn", "attribution": False, **request, "options": options})
    before = running.explain(asked)
    if before["status"] == "refused":
        return before["refusals"]
    totals = {tally["to"]: tally["total"] for tally in before["modifiers"]}
    try:
        after = running.give_odds(asked)
    except InputError as error:  # a decision that this house rule does not offer
        return error.problems
    outcomes = sorted(
        (sorted(map(str, row["outcome"].items())), row["chance"])
        for branch in after["branches"]
        for row in branch["outcomes"]
    )
    alone = {name: value for name, value in request.items() if name != "decisions"}
    thrown = running.resolve(load(schema(), {**SEEDED, **alone, "options": options}))
    return totals, outcomes, [roll["label"] for roll in thrown["rolls"]]


@pytest.mark.parametrize("option", sorted(IN_PLAY))
def test_option_changes_something(option: str) -> None:
    seen = [picture(IN_PLAY[option], **{option: value}) for value in values_of(option)]
    assert len(seen) > 1
    assert all(one != other for one, other in combinations(seen, 2))


@pytest.mark.parametrize("option", sorted(IN_PLAY))
def test_its_default_is_what_counts_when_nothing_is_said(option: str) -> None:
    assert picture(IN_PLAY[option]) == picture(IN_PLAY[option], **{option: shelf().options()[option].default})


@pytest.mark.parametrize("option", sorted({*IN_PLAY, *OF_TURNS}))
def test_option_changes_nothing_that_it_is_not_about(option: str) -> None:
    """A shot that may miss or hit, of nobody in a hurry, at somebody who stands there."""
    plain = attack("heavy-pistol", 30, target={"soak": 0})
    first, *others = [picture(plain, **{option: value}) for value in values_of(option)]
    assert others
    assert all(other == first for other in others)


def test_every_ruling_that_may_be_switched_names_its_option() -> None:
    """The table of rulings and section 17."""
    table = games().game("cwn").packs.entry("table", "rulings")
    assert table is not None
    named = {row["option"] for row in table.data["rows"].values() if "option" in row}
    assert named <= set(shelf().options())
    assert games().game("cwn").packs.caps() == {"weapon-mod-hit": 3, "weapon-mod-damage": 3}
    assert set(games().game("cwn").packs.caps({"mod_bonus_cap": 5}).values()) == {5}
