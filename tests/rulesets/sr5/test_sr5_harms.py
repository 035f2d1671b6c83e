"""Monitors, damage resistance, blows and blasts: laws, and odds against every throw counted one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from late_packs import late

from fracas.dice.sources import Dealt
from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.kernel import readers
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.stage import Roll, Stage, from_json, share, to_json
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.rulesets.sr5.attacks.blast import Reach
from fracas.rulesets.sr5.harms.damage import AttackOutcome, Compare, Plan, knocks_down, soak
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Side
from fracas.rulesets.sr5.sheet import Monitors, wound_modifier

_PACKS = shipped("datapacks")
_GAMES = late(lambda: Games(Library.read([_PACKS / "sr5-core"])))
BOXES = st.integers(0, 30)


def monitors(**fields: Any) -> Monitors:
    """Body 4 and Willpower 3: 10 Physical boxes, 10 of Stun, 4 of overflow."""
    usual: dict[str, Any] = {f"x.{name}": 0 for name in ("physical", "stun")} | {
        "x.body": 4,
        "x.willpower": 3,
    }
    found = Monitors.of(usual | {f"x.{name}": value for name, value in fields.items()}, "x")
    assert found is not None
    return found


def plan(**fields: Any) -> Plan:
    """Resists with 3 dice; no armor unless said."""
    return Plan(4, 0, "physical", Side("soak", "target", 3), 0, 5, True, monitors())._replace(**fields)


def resolve(procedure: str, situation: dict[str, Any], dice: list[list[int]]) -> dict[str, Any]:
    data = {"ruleset": "sr5", "procedure": procedure, "situation": situation, "dice": dice}
    request: Request = load(RequestSchema(_GAMES), data)
    return running.resolve(request)


# --- Monitors -----------------------------------------------------------------------------------------------


@given(BOXES, st.integers(0, 9), st.integers(0, 9))
def test_physical_boxes_are_marked_one_for_one(boxes: int, physical: int, stun: int) -> None:
    after = monitors(physical=physical, stun=stun).after(boxes, "physical")
    assert (after.physical, after.stun) == (physical + boxes, stun)
    assert after.dying == (after.physical >= 10)
    assert after.dead == (after.physical >= 14)


@given(BOXES, st.integers(0, 9), st.integers(0, 10))
def test_stun_beyond_its_monitor_is_physical_two_for_one(boxes: int, physical: int, stun: int) -> None:
    after = monitors(physical=physical, stun=stun).after(boxes, "stun")
    beyond = max(0, stun + boxes - 10)
    assert (after.stun, after.physical) == (min(10, stun + boxes), physical + beyond // 2)
    assert after.unconscious == (after.stun == 10 or after.physical >= 10)


@given(BOXES, st.sampled_from(["physical", "stun"]))
def test_a_grunt_is_out_on_one_monitor(boxes: int, track: str) -> None:
    after = monitors(grunt=True, willpower=6).after(boxes, track)
    assert after.unconscious == (boxes >= 11)
    assert not after.dying
    assert after.physical + after.stun == boxes


@given(BOXES, BOXES)
def test_wounds_count_track_by_track(physical: int, stun: int) -> None:
    facts = {"x.physical": physical, "x.stun": stun}
    assert wound_modifier(facts, "x") == -(physical // 3 + stun // 3)
    patient = facts | {"x.pain_resistance": 3}
    assert wound_modifier(patient, "x") == -(max(0, physical - 3) // 3 + max(0, stun - 3) // 3)
    assert wound_modifier(facts | {"x.grunt": True}, "x") == -((physical + stun) // 3)


@pytest.mark.parametrize(
    ("boxes", "limit", "falls"), [(5, 5, True), (4, 5, False), (10, 20, True), (0, 0, False)]
)
def test_knockdown_at_the_limit_or_ten(boxes: int, limit: int, falls: bool) -> None:
    assert knocks_down(boxes, limit) is falls


# --- Damage -------------------------------------------------------------------------------------------------


@given(st.integers(1, 20), st.integers(0, 20), st.sampled_from(["physical", "stun"]))
def test_only_what_is_lower_than_the_armor_becomes_stun(dv: int, armor: int, track: str) -> None:
    stage: Any = soak(share(plan(armor=armor, track=track)), dv, 0, (0, 0))
    assert stage.test.then.track == ("stun" if dv < armor else track)


@given(st.integers(1, 20), st.integers(0, 20))
def test_hardened_armor_stops_what_is_lower(dv: int, armor: int) -> None:
    stage = soak(share(plan(armor=armor, stops=True)), dv, 0, (0, 0))
    assert isinstance(stage, AttackOutcome) == (dv < armor)


def test_a_vehicle_takes_no_stun_but_from_electricity() -> None:
    stunned = plan(vehicle=True, stops=True, track="stun")
    assert isinstance(soak(share(stunned), 9, 0, (0, 0)), AttackOutcome)
    shocked: Any = soak(share(stunned._replace(electric=True)), 9, 0, (0, 0))
    assert shocked.test.then.track == "physical"


@pytest.mark.parametrize(
    ("hits", "other_hits", "defended", "result"),
    [(2, 2, True, "graze"), (0, 0, True, "graze"), (0, 0, False, "miss"), (1, 2, True, "miss")],
)
def test_without_net_hits(hits: int, other_hits: int, defended: bool, result: str) -> None:
    stage = Compare(share(plan(defended=defended))).on_result(hits, other_hits, (0, 0))
    assert isinstance(stage, AttackOutcome)
    assert (stage.result, stage.damage) == (result, 0)


def finished(stage: Stage, throws: tuple[int, ...]) -> tuple[AttackOutcome, int]:
    """The outcome with these dice, and how many of them were thrown."""
    progress, used = readers.begin(stage), 0
    while (awaited := progress.stage.awaits) is not None:
        assert from_json(to_json(progress.stage)) == progress.stage
        assert isinstance(awaited, Roll)
        groups = []
        for group in awaited.request.groups():
            groups.append(throws[used : used + group.dice])
            used += group.dice
        progress = readers.throw(progress, Dealt(tuple(groups), "given"))
    outcome: Any = progress.stage
    assert from_json(to_json(outcome)) == outcome
    return outcome, used


def test_odds_of_a_blow_are_those_of_every_throw() -> None:
    """Two dice limited to one hit against one, then one die resists: 6 ** 4 throws."""
    about = share(plan(value=1, armor=2, resist=Side("soak", "target", 1)))
    stage = dice_test.start(Side("attack", "attacker", 2, 1), Side("defense", "target", 1), Compare(about))
    counted: Counter[tuple[str, int, str]] = Counter()
    for throws in product(range(1, 7), repeat=4):
        outcome, _ = finished(stage, throws)
        counted[outcome.result, outcome.damage, outcome.track] += 1
    found = odds(stage, Transitions(readers.DefaultPolicy())).only
    for ended, weight in counted.items():
        chance = found.chance(lambda end, ended=ended: (end.result, end.damage, end.track) == ended)  # type: ignore[misc]
        assert chance == Fraction(weight, 6**4)


# --- Procedures ---------------------------------------------------------------------------------------------


def test_edge_is_offered_on_no_more_attacks_than_there_are_points() -> None:
    someone = {"pool": 2, "body": 3, "strength": 3, "reaction": 3, "armor": []}
    attacker = {"pool": 6, "strength": 3, "body": 3, "reaction": 3, "edge": 3, "edge_points": 1}
    situation = {"attacker": attacker, "target": someone, "target_2": someone, "way": "carnival"}
    data = {"ruleset": "sr5", "procedure": "melee-sweep", "situation": situation}
    request: Request = load(RequestSchema(_GAMES), data)
    prepared = running.prepare(request, request.attempt._replace(open=frozenset(["edge-before"])))
    assert prepared.stage is not None
    branches = dict(prepared.stage.branches)  # type: ignore[attr-defined]
    assert branches["target"].awaits.id == "edge-before"
    assert isinstance(branches["target_2"].awaits, Roll)


@given(st.floats(0, 20), st.integers(0, 359), st.integers(0, 12), st.integers(0, 5))
def test_a_blast_is_as_far_as_the_triangle_says(
    distance: float, bearing: int, scatter: int, sector: int
) -> None:
    reach = Reach(-1, distance, bearing, share(plan()))
    way = reach.way(scatter, 60 * sector)
    assert abs(distance - scatter) - 1e-5 <= way <= distance + scatter + 1 + 1e-5
    assert Reach(7.5, distance, bearing, share(plan())).way(scatter, 60 * sector) == 8


def test_grenades_are_spent_and_hurt_everybody_in_reach() -> None:
    person = {"body": 1, "armor_value": 0}
    situation = {
        "attacker": {"pool": 3, "strength": 3, "body": 3, "reaction": 3},
        "weapon": "armtech-mgl-12",
        "load": "grenade-high-explosive",
        "distance": 20,
        "target": {**person, "blast_distance": 1},
        "target_2": {**person, "blast_distance": 7.5},
    }
    answer = resolve("blast-attack", situation, [[5, 5, 5], [1]])
    assert answer["outcome"]["target.damage"] == 14
    assert answer["outcome"]["target_2.damage"] == 0
    assert {"type": "item", "amount": -1}.items() <= answer["effects"][0].items()


@pytest.mark.parametrize("protected", [{}, {"spell_protected": True, "counterspelling": 0}])
def test_drain_is_counted_apart_from_the_damage_of_a_spell(protected: dict[str, Any]) -> None:
    """One die against none, and two points of drain that nothing resists. A protection that is used up is neither."""
    caster = {"magic": 10, "pool": 1, "drain_pool": 0}
    situation = {
        "caster": caster,
        "target": {"pool": 0, "body": 1, **protected},
        "spell": "stunbolt",
        "force": 2,
    }
    data = {"ruleset": "sr5", "procedure": "cast-spell", "situation": situation}
    request: Request = load(RequestSchema(_GAMES), data)
    told = {measure["id"]: measure["value"] for measure in running.give_odds(request)["measures"]}
    assert told["struck"] == pytest.approx(1 / 3)
    assert told["damage"] == pytest.approx(1 / 3)
    assert told["drain"] == 2


@pytest.mark.parametrize("physical", [9, 10, 12])
def test_bleeding_comes_again_once(physical: int) -> None:
    """Of 10 boxes: somebody who dies of it just now, and somebody who is dying already."""
    target = {"body": 4, "willpower": 3, "physical": physical, "stun": 0}
    answer = resolve("damage-resistance", {"target": target, "damage": {"again": "bleeding"}}, [])
    assert [effect["type"] for effect in answer["effects"]].count("schedule") == 1
