"""Explosions, suppressive fire and Whirlwind Assault beside a second opinion: every throw of dice, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import cos, hypot, radians, sin
from typing import Any

import pytest
from cwn_table import Answers, facts_of, play, prepare, rules, shelf, words
from hypothesis import given
from hypothesis import strategies as st

from fracas.errors import InputError
from fracas.kernel.odds import Odds, Transitions, odds
from fracas.kernel.procedures import owners_of
from fracas.kernel.stage import Stage, from_json, to_json
from fracas.kernel.tally import Entry, HandModifier
from fracas.rulesets.cwn import RULESET
from fracas.rulesets.cwn.samples import area_samples

THROWER = {"base_attack_bonus": 1, "attribute_modifier": 1, "skill_level": 1}
BODY = {"ranged_ac": 12, "melee_ac": 17, "trauma_target": 7, "soak": 2, "hp": 11, "save": 13, "named": False}
FRAG = {"attacker": THROWER, "weapon": "grenade-frag", "distance": 8}


def found(situation: Mapping[str, Any], procedure: str = "blast", **options: Any) -> Odds:
    prepared = prepare(situation, options, procedure=procedure)
    assert prepared.stage is not None, prepared.refusals
    return odds(prepared.stage, Transitions(Answers()))


def expected(told: Odds, branch: str, fact: str) -> Fraction:
    """The exact expectation of a number of a branch."""
    there = told.branches[branch]
    weighed = sum(int(stage.notes().get(fact) or 0) * weight for stage, weight in there.outcomes.items())
    return Fraction(weighed, there.total)


def frag_by_hand(distance: float, bearing: float) -> Iterator[tuple[Fraction, bool]]:
    """(chance, whether it reaches) of each place where it may land: as the rulebook says it, in other words."""
    places = [(Fraction(14, 20), 0, 0)]  # 7 and more on the die: 7 + 3 = 10
    places += [(Fraction(6, 20) / 120, metres, hour * 30) for metres in range(1, 11) for hour in range(1, 13)]
    for chance, metres, degrees in places:
        east = distance * sin(radians(bearing)) - metres * sin(radians(degrees))
        north = distance * cos(radians(bearing)) - metres * cos(radians(degrees))
        yield chance, hypot(east, north) <= 5 + 1e-9


def damages_by_hand() -> Iterator[int]:
    """The damage to somebody in reach, for each of 6 x 6 x 20 x 8 throws."""
    for first, second, save, trauma in product(range(1, 7), range(1, 7), range(1, 21), range(1, 9)):
        damage = (first + second) * (2 if trauma >= 7 else 1)
        if save >= 13:
            damage //= 2
        yield max(0, damage - 3)


@pytest.mark.parametrize(("distance", "bearing"), [(0, 0), (3, 90), (5, 180)])
@pytest.mark.parametrize("shared", [True, False])
def test_odds_of_a_grenade_beside_a_second_opinion(distance: float, bearing: float, shared: bool) -> None:
    victim = {**BODY, "distance": distance, "bearing": bearing}
    told = found({**FRAG, "aim": "point", "target": victim}, shared_area_damage=shared)
    places, damages = list(frag_by_hand(distance, bearing)), list(damages_by_hand())
    reached = sum((chance for chance, reaches in places if reaches), Fraction(0))
    assert expected(told, "target", "damage") == reached * Fraction(sum(damages), len(damages))
    losses = [max(0, damage - 2) for damage in damages]
    assert expected(told, "target", "hp_loss") == reached * Fraction(sum(losses), len(losses))
    outside = told.branches["target"].chance(lambda stage: stage.notes()["result"] == "outside")
    assert outside == 1 - reached


def test_odds_of_suppressive_fire_beside_a_second_opinion() -> None:
    told = found(
        {
            "attacker": {"attribute_modifier": 1},
            "weapon": "automatic-rifle",
            "fire": {"mounts": ["prone"]},
            "target": BODY,
        },
        "suppressive-fire",
    )
    total = Fraction(0)
    for first, second, save, trauma in product(range(1, 9), range(1, 9), range(1, 21), range(1, 11)):
        if save < 13:
            total += -(-(first + second + 1) // 2) * (3 if trauma >= 7 else 1)
    assert expected(told, "target", "damage") == total / (8 * 8 * 20 * 10)


def test_each_victim_has_odds_of_its_own() -> None:
    """What happens to one does not depend on who else is there."""
    others = {f"victim_{number}": {**BODY, "save": 8 + number} for number in range(1, 9)}
    alone = found({**FRAG, "aim": "point", "victim_3": others["victim_3"]})
    together = found({**FRAG, "aim": "point", "target": BODY, **others})
    mine, theirs = alone.branches["victim_3"], together.branches["victim_3"]
    assert mine.chance(lambda stage: stage.notes().get("down") == "dead") == theirs.chance(
        lambda stage: stage.notes().get("down") == "dead"
    )
    assert len(together.branches) == 10


def test_a_flash_lasts_as_long_as_a_die_says() -> None:
    told = found(
        {**FRAG, "weapon": "grenade-flash", "aim": "point", "victim_1": {"save": 14, "blast_distance": 4}}
    )
    there = told.branches["victim_1"]
    rounds = {
        length: Fraction(
            sum(
                weight
                for stage, weight in there.outcomes.items()
                if stage.notes().get("flashbanged") == length
            ),
            there.total,
        )
        for length in range(1, 7)
    }
    assert set(rounds.values()) == {Fraction(13, 20) / 6}
    protected = there.chance(lambda stage: "flash-proof" in {effect.what for effect in stage.effects()})
    assert protected == Fraction(7, 20)


def test_luck_turns_a_miss_around_and_is_spent() -> None:
    situation = {
        "attacker": {**THROWER, "veterans_luck": True},
        "weapon": "grenade-frag",
        "distance": 8,
        "aim": "point",
        "target": BODY,
    }
    dice = [[2], [3, 3], [20], [1]]
    told = play(situation, dice, {("veterans-luck", "attacker"): "use"}, procedure="blast")
    facts = facts_of(told)
    assert (facts["blast.result"], facts["blast.used"], facts["target.damage"]) == (
        "on-the-spot",
        "attacker-luck",
        0,
    )
    assert ("spend", "veterans-luck") in {(effect.type, effect.what) for effect in told.stage.effects()}
    open_ = prepare(situation, open_={"veterans-luck"}, procedure="blast").stage
    closed = prepare(situation, procedure="blast").stage
    assert open_ is not None
    assert closed is not None
    one, other = (odds(stage, Transitions(Answers())) for stage in (open_, closed))
    assert expected(one, "target", "damage") == expected(other, "target", "damage")


@pytest.mark.parametrize("to", ["attack.bonus", "blast.damage"])
def test_what_a_changed_number_makes_of_it(to: str) -> None:
    """The first stage built again is the one that a typed modifier gives."""

    situation = {**FRAG, "aim": "point", "target": BODY}
    prepared = prepare(situation, procedure="blast")
    assert prepared.rebuild is not None
    tally = next(tally for tally in prepared.tallies if tally.to == to)
    rebuilt = prepared.rebuild(tally.plus(Entry("more", "More", 2)))
    typed = prepare(situation, hand=[HandModifier(to, "More", 2)], procedure="blast").stage
    assert rebuilt == typed != prepared.stage


def test_what_is_typed_for_the_attack_counts_once_for_each_who_is_struck() -> None:
    situation = {**FRAG, "aim": "point", "target": BODY, "victim_1": BODY}
    hand = [HandModifier("trauma.bonus", "More", 2), HandModifier("victim_1.trauma.target", "Less", -1)]
    plain, typed = (
        {tally.to: tally.total for tally in prepare(situation, hand=more, procedure="blast").tallies}
        for more in ([], hand)
    )
    changed = {to: typed[to] - total for to, total in plain.items() if typed[to] != total}
    assert changed == {"target.trauma.bonus": 2, "victim_1.trauma.bonus": 2, "victim_1.trauma.target": -1}


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("blast", {**FRAG, "distance": 31, "target": BODY}, "beyond_long_range"),
    ("blast", {**FRAG, "weapon": {"use": "grenade-frag", "rounds": 0}, "target": BODY}, "empty_magazine"),
    (
        "blast",
        {**FRAG, "weapon": {"use": "grenade-frag", "ready": False}, "target": BODY},
        "weapon_not_ready",
    ),
    ("blast", {**FRAG, "weapon": "demo-charge", "target": BODY, "aim": "point"}, "cannot_be_thrown"),
    ("blast", {**FRAG, "attacker": {**THROWER, "blinded": True}, "target": BODY}, "blinded_ranged"),
    (
        "suppressive-fire",
        {"attacker": THROWER, "weapon": "combat-rifle", "target": BODY},
        "weapon_cannot_suppress",
    ),
    ("whirlwind", {"attacker": THROWER, "weapon": "heavy-pistol", "target": BODY, "distance": 1}, "no_shock"),
]


@pytest.mark.parametrize(("procedure", "situation", "code"), REFUSED)
def test_what_is_impossible_is_refused_before_any_die(
    procedure: str, situation: dict[str, Any], code: str
) -> None:
    prepared = prepare(situation, procedure=procedure)
    assert prepared.stage is None
    assert code in [refusal.code for refusal in prepared.refusals]


FAULTY: list[tuple[str, dict[str, Any], list[str]]] = [
    ("blast", {**FRAG, "target": {**BODY, "distance": 3}, "aim": "point"}, ["target.bearing"]),
    ("blast", {**FRAG, "weapon": "grenade-launcher", "aim": "point"}, ["blast.like"]),
    ("blast", {**FRAG, "weapon": "heavy-pistol", "aim": "point"}, ["weapon"]),
    ("blast", {**FRAG, "weapon": "heavy-pistol", "target": BODY}, ["weapon"]),
    (
        "blast",
        {
            **FRAG,
            "weapon": {
                "type": "grenade",
                "area": True,
                "damage": "2d6",
                "range_normal": 10,
                "range_long": 30,
            },
            "target": BODY,
            "aim": "point",
        },
        ["blast.reach"],
    ),
    ("blast", {**FRAG, "victim_2": {"hp": 5}}, ["victim_2.soak", "victim_2.melee_ac", "victim_2.save"]),
    ("blast", {**FRAG, "blast": {"scatter": "many"}, "target": BODY}, ["blast.scatter"]),
    (
        "suppressive-fire",
        {"weapon": "automatic-rifle", "fire": {"mounts": ["support"]}},
        ["attacker.dexterity"],
    ),
    ("whirlwind", {"attacker": {"attribute_modifier": 1}, "weapon": "sword"}, ["target"]),
]


@pytest.mark.parametrize(("procedure", "situation", "paths"), FAULTY)
def test_what_is_missing_or_wrong_is_told(
    procedure: str, situation: dict[str, Any], paths: list[str]
) -> None:
    with pytest.raises(InputError) as caught:
        prepare(situation, procedure=procedure)
    told = [problem.path.removeprefix("situation.") for problem in caught.value.problems]
    assert set(paths) <= set(told)


def test_machines_make_no_save_and_light_blasts_do_nothing_to_armored_ones() -> None:
    car = {"machine": True, "melee_ac": 11, "trauma_target": 12, "soak": 0, "vehicle_armor": 6, "hp": 30}
    facts = facts_of(play({**FRAG, "target": car, "aim": "point"}, [[9], [6, 5]], procedure="blast"))
    assert (facts["target.damage"], facts["target.down"], facts["target.traumatic"]) == (5, "none", False)
    tank = {**car, "immune": "light"}
    facts = facts_of(play({**FRAG, "target": tank, "aim": "point"}, [[9]], procedure="blast"))
    assert facts["target.by"] == "armor"
    shell = {"attacker": THROWER, "weapon": "mine-anti-vehicle", "aim": "goes-off", "target": tank}
    facts = facts_of(play(shell, [[8, 8, 8], [12]], procedure="blast"))
    assert facts["target.damage"] == 66  # 24 x 3 - 6
    flash = {**FRAG, "weapon": "grenade-flash", "target": car, "aim": "point"}
    assert facts_of(play(flash, [[9]], procedure="blast"))["target.by"] == "machine"


@pytest.mark.parametrize(
    ("weapon", "aim"),
    [
        ("grenade-frag", "point"),
        ("mortar", "point"),
        ("rocket-launcher", "target"),
        ("headshot-pod", "target"),
        ("mine-anti-personnel", "goes-off"),
        ("eye-dazzler", "goes-off"),
        ("retribution-shield", "goes-off"),
    ],
)
def test_what_it_is_aimed_at_follows_from_the_weapon(weapon: str, aim: str) -> None:
    distance = {} if aim == "goes-off" else {"distance": 100 if aim == "target" or weapon == "mortar" else 8}
    situation = {"attacker": {**THROWER, "wisdom": 10}, "weapon": weapon, "target": BODY, **distance}
    assert prepare(situation, procedure="blast").facts["aim"] == aim


def test_a_major_injury_follows_a_traumatic_blast() -> None:
    hero = {**BODY, "named": True, "hp": 3}
    dice = [[9], [5, 5], [2], [8], [2], [8]]
    facts = facts_of(play({**FRAG, "target": hero, "aim": "point"}, dice, procedure="blast"))
    assert facts["target.down"] == "mortally-wounded"
    assert facts["target.major_injury"] == "right-arm-ruined"


def test_golden_areas_are_there() -> None:
    golden = [example.slug.split("-")[0] for example in shelf().entries("example")]
    assert golden.count("g19") >= 2
    assert golden.count("g22") >= 2


def test_every_weapon_that_strikes_several_is_tried() -> None:
    """Each plays to its end, with any dice, and its stages survive JSON."""
    tried = set()
    for weapon in shelf().entries("weapon"):
        for sample in area_samples(weapon, {**THROWER, "level": 3}, BODY):
            prepared = prepare(sample.situation, procedure=sample.procedure)
            assert prepared.stage is not None, (weapon.slug, prepared.refusals)
            stage: Any = prepared.stage
            while stage.awaits is not None:
                assert from_json(to_json(stage)) == stage
                stage = stage.advance(stage.awaits.request.spread().answers[0])
            assert from_json(to_json(stage)) == stage
            tried.add(weapon.slug)
    with_blast = {entry.slug for entry in shelf().entries("weapon") if entry.data.get("area")}
    assert with_blast <= tried
    assert {"automatic-rifle", "sword", "rocket-launcher"} <= tried


def test_every_number_of_an_area_is_declared_and_owned() -> None:
    for id in ("blast", "suppressive-fire", "whirlwind"):
        assert all(owners_of((RULESET.procedures[id],)).values())
        assert rules(id).by_target
        assert "victim_8" in words(id).records


POINTS = st.integers(0, 200)


@given(damage=POINTS, more=POINTS, soak=st.integers(0, 20), ac=st.integers(10, 24), saved=st.booleans())
def test_more_damage_never_does_less(damage: int, more: int, soak: int, ac: int, saved: bool) -> None:
    """And armor, Soak and a save never do harm."""
    low, high = (_struck(points, soak, ac, saved) for points in (damage, damage + more))
    assert low["damage"] <= high["damage"]
    assert low["hp_loss"] <= high["hp_loss"]
    assert low["hp_loss"] + low["soak_absorbed"] == low["damage"]
    assert _struck(damage, soak, ac, True)["damage"] <= low["damage"] or saved
    assert _struck(damage, soak, ac + 1, saved)["damage"] <= low["damage"]


def _struck(damage: int, soak: int, ac: int, saved: bool) -> dict[str, Any]:
    victim = {**BODY, "soak": soak, "melee_ac": ac, "hp": 1000}
    situation = {"weapon": "grenade-frag", "aim": "goes-off", "target": victim}
    stage = prepare(situation, procedure="blast").stage
    assert stage is not None
    return dict(_after(stage.advance(damage), saved).notes())


def _after(stage: Stage, saved: bool) -> Stage:
    """The victim's outcome: the save as given, the Trauma Die without effect."""
    branches: Any = stage.advance(saved).advance(False)
    found: Stage = dict(branches.branches)["target"]
    return found
