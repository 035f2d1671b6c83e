"""Attacks and spells of sr5 at random: a calculator of its own makes the same of the same dice and decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import second_opinion_sr5
from hypothesis import given, settings
from hypothesis import strategies as st
from second_opinion_sr5_people import entries
from second_opinion_sr5_rules import MoreDiceError
from sr5_compared import prepare
from sr5_strategies import (
    AUTOMATIC,
    BLADES,
    BODY,
    CASTER,
    DEFENDING,
    DISTANCE,
    ENVIRONMENT,
    GRENADES,
    GUNS,
    MODES,
    NUMBER,
    PAYLOADS,
    PERSON,
    RECORD,
    ROUNDS,
    RULES,
    SEEING,
    SHOOTER,
    SHOT_AT,
    SPELLS,
    STANCE,
    THROWN,
    WEAPONS,
    YES,
    ZONE,
    Rules,
    check,
    facts,
    large,
    several,
    some,
    with_defaults,
)
from tiers import scale

from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy


def fitting(said: dict[str, Any]) -> dict[str, Any]:
    """Mostly a mode that the weapon has; what is thrown has none."""
    modes = WEAPONS[said["weapon"]["use"]].get("modes")
    names = {"SS": ["single-shot"], "SA": MODES[1:3], "BF": MODES[3:5], "FA": MODES[5:]}
    if "payload" in WEAPONS[said["weapon"]["use"]]:
        said.pop("load", None)
    if not modes:
        said.pop("fire")
        return said
    has = [name for mode in modes for name in names[mode]]
    if said["fire"]["mode"] not in has and said["distance"] % 7:
        said["fire"] = {"mode": has[said["distance"] % len(has)]}
    return said


def gun(slugs: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    named = facts({"use": slugs})
    more = facts({}, rounds=st.integers(0, 12), fired_this_turn=YES, rc=st.integers(0, 3))
    return named | with_defaults(named, more)


CALLED = facts(
    {"called_shot": st.sampled_from([True, True, False]), "called_initiative": st.sampled_from([0, 5])}
)
SHOTS = facts(
    {
        "attacker": SHOOTER | with_defaults(SHOOTER, CALLED),
        "target": SHOT_AT,
        "weapon": gun(GUNS) | gun(GUNS) | gun(PAYLOADS) | facts({"use": st.sampled_from(THROWN)}),
        "fire": facts({"mode": st.sampled_from(MODES)}),
        "distance": DISTANCE,
    },
    environment=ENVIRONMENT,
    load=ROUNDS,
    range=ZONE,
).map(fitting)


@settings(max_examples=scale(50, 150))
@given(situation=SHOTS, rules=RULES, number=NUMBER)
def test_shots(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("ranged-attack", rules, situation, number)


VOLLEYS = st.tuples(
    facts(
        {
            "attacker": SHOOTER,
            "weapon": gun(GUNS),
            "fire": facts({"mode": st.sampled_from(MODES)}),
            "distance": DISTANCE,
        },
        environment=ENVIRONMENT,
        load=ROUNDS,
        way=st.sampled_from(["split", "carnival"]),
    ).map(fitting),
    several(
        SHOT_AT,
        {
            "split_dice": st.integers(1, 4),
            "distance": st.sampled_from([3, 8, 20]),
            "called_shot": st.booleans(),
        },
    ),
).map(lambda found: large({**found[0], **found[1]}))
FIRE = facts(
    {
        "attacker": SHOOTER,
        "weapon": gun(AUTOMATIC),
        "distance": DISTANCE,
    },
    environment=ENVIRONMENT,
    load=ROUNDS,
    target=st.just({"name": "Ada", "prone": False}),
    target_2=st.just({"name": "Ben", "prone": True}),
)
ESCAPES = facts(
    {
        "attacker": with_defaults(PERSON, facts({"suppression": st.integers(0, 6)})),
        "weapon": gun(GUNS),
        "target": with_defaults(SHOT_AT, facts({"edge": st.integers(1, 6)})),
    },
    load=ROUNDS,
)


@settings(max_examples=scale(20, 60))
@given(situation=VOLLEYS, rules=RULES, number=NUMBER)
def test_shots_at_several(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("ranged-volley", rules, situation, number)


@settings(max_examples=scale(13, 40))
@given(situation=FIRE, rules=RULES, number=NUMBER)
def test_suppressive_fire(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("suppressive-fire", rules, situation, number)


@settings(max_examples=scale(13, 40))
@given(situation=ESCAPES, rules=RULES, number=NUMBER)
def test_escapes(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("escape-suppression", rules, situation, number)


FIGHTING: dict[str, st.SearchStrategy[Any]] = {
    **{name: said for name, said in STANCE.items() if name != "running"},
    "superior_position": YES,
    "touch_only": YES,
    "friends_in_melee": YES,
}
AURA = facts({"aura": st.sampled_from(["fire", "electricity", "cold"]), "force": st.integers(1, 6)})
"""An Energy Aura, which few have."""
FIGHTER = with_defaults(
    with_defaults(PERSON | RECORD, facts({}, pool=st.integers(8, 20)) | AURA),
    with_defaults(
        st.sampled_from(
            [
                {},
                {"running": True},
                {"running": True, "charging": True},
                {"charging": True},
                {"running": False},
                {"charging": True, "running": False},
            ]
        ),
        with_defaults(some(FIGHTING), some(SEEING)),
    ),
)
ANY_DEFENSE = st.sampled_from(["none", "parry", "block", "dodge"])
NO_PARRY = st.sampled_from(["none", "block", "dodge"])
HELD = facts(
    {"active_defense": ANY_DEFENSE},
    in_hand=st.sampled_from([["katana", "ak-97"], ["knife", "pole-arm"], ["unarmed", "hand-razors"]]),
    weapon=st.sampled_from(["katana", "staff"]),
    reach=st.integers(0, 3),
).filter(lambda said: len({"in_hand", "weapon"} & set(said)) == 1) | facts(
    {"active_defense": NO_PARRY}, in_hand=st.sampled_from([[], ["ak-97"]])
)
STRUCK = with_defaults(
    with_defaults(PERSON | RECORD, HELD),
    with_defaults(with_defaults(some(DEFENDING), some(BODY, 2)), facts({}, awaits_charge=YES) | AURA),
)
BLOWS = facts(
    {
        "attacker": FIGHTER | with_defaults(FIGHTER, CALLED),
        "target": STRUCK,
        "weapon": BLADES,
    },
    environment=ENVIRONMENT,
)
SWEEPS = st.tuples(
    facts(
        {"attacker": FIGHTER, "weapon": BLADES},
        environment=ENVIRONMENT,
        way=st.sampled_from(["split", "carnival"]),
    ),
    several(
        STRUCK,
        {
            "split_dice": st.integers(1, 4),
            "friends_in_melee": st.booleans(),
            "superior_position": st.booleans(),
            "charging": st.booleans(),
        },
    ),
).map(lambda found: large({**found[0], **found[1]}))


@settings(max_examples=scale(40, 120))
@given(situation=BLOWS, rules=RULES, number=NUMBER)
def test_blows(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("melee-attack", rules, situation, number)


@settings(max_examples=scale(20, 60))
@given(situation=SWEEPS, rules=RULES, number=NUMBER)
def test_blows_at_several(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("melee-sweep", rules, situation, number)


PLACE = st.sampled_from(
    [
        {"blast_distance": 0},
        {"blast_distance": 2.5},
        {"blast_distance": 10},
        {"spot_distance": 0},
        {"spot_distance": 4, "bearing": 60},
        {"spot_distance": 7, "bearing": 200},
        {"spot_distance": 3, "bearing": 0},
    ]
)
CAUGHT = with_defaults(with_defaults(PERSON | RECORD, some(BODY, 2)), PLACE)
THROWN_GRENADES = GRENADES.map(lambda slug: {"weapon": {"use": slug}})
LAUNCHED = GRENADES.map(
    lambda slug: {"weapon": {"use": "ares-antioch-2"}, "load": slug, "fire": {"mode": "single-shot"}}
)
FIRED = st.sampled_from(
    [
        {"weapon": {"use": "grenade-high-explosive", "range": "aerodynamic-grenade"}},
        {"weapon": {"use": "armtech-mgl-12"}, "load": "grenade-fragmentation", "airburst": True},
        *(
            {"weapon": {"use": "onotari-interceptor"}, "load": f"{kind}-{what}"}
            for kind in ("missile", "rocket")
            for what in ("anti-vehicle", "fragmentation", "high-explosive")
        ),
    ]
)
BLASTS = st.tuples(
    facts({"attacker": SHOOTER, "distance": DISTANCE}, environment=ENVIRONMENT, range=ZONE),
    THROWN_GRENADES | LAUNCHED | FIRED,
    several(CAUGHT, {}),
    st.sampled_from([{}, {}, {"scatter": "aerodynamic"}, {"fuse": "next-phase"}]),
).map(lambda found: {**found[0], **found[1], **found[2], **found[3]})
LYING = st.tuples(
    several(
        with_defaults(
            PERSON | RECORD, facts({"blast_distance": st.sampled_from([0, 0.5, 3, 11, 30])}, **BODY)
        ),
        {},
    ),
    facts({"aim": st.just("goes-off"), "load": GRENADES}),
).map(lambda found: {**found[0], **found[1]})


@settings(max_examples=scale(40, 120))
@given(situation=BLASTS | LYING, rules=RULES, number=NUMBER)
def test_blasts(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("blast-attack", rules, situation, number)


ENCHANTED = with_defaults(
    SHOT_AT, facts({}, counterspelling=st.integers(1, 6), spell_defense=YES, spell_protected=YES)
).map(lambda said: {name: fact for name, fact in said.items() if name != "strapped_in"})
SPELLS_CAST = (
    st.tuples(
        facts({"caster": CASTER, "spell": SPELLS, "force": st.integers(1, 10)}),
        several(ENCHANTED, {}),
    )
    .map(lambda found: {**found[0], **found[1]})
    .map(
        lambda said: (
            said
            if entries("powers")[said["spell"]]["range"] == "area"
            else {name: fact for name, fact in said.items() if name not in ("target_2", "target_3")}
        )
    )
)


@settings(max_examples=scale(40, 120))
@given(situation=SPELLS_CAST, rules=RULES, number=NUMBER)
def test_spells(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("cast-spell", rules, situation, number)


# ----------------------------------------------------------------------------------------------------------------
# Odds, counted out by the calculator

SMALL = facts(
    {
        "body": st.integers(1, 2),
        "willpower": st.integers(1, 4),
        "strength": st.integers(1, 3),
        "reaction": st.integers(1, 3),
        "physical": st.integers(6, 9),
        "stun": st.integers(6, 9),
        "pool": st.integers(0, 3),
        "armor_value": st.integers(0, 4),
        "pain_resistance": st.just(9),
    },
    unaware=YES,
    hardened_armor=YES,
    vehicle=YES,
    grunt=YES,
)
SMALL_ATTACKER = facts(
    {"pool": st.integers(0, 4), **dict.fromkeys(("body", "strength", "reaction"), st.just(2))}
)
FEW_DICE = {
    "ranged-attack": facts(
        {
            "attacker": SMALL_ATTACKER,
            "target": SMALL,
            "weapon": facts(
                {"use": st.just("ak-97"), "dv": st.integers(1, 6), "accuracy": st.integers(1, 4)}
            ),
            "fire": st.just({"mode": "semi-automatic"}),
            "distance": st.just(5),
        }
    ),
    "melee-attack": facts(
        {
            "attacker": SMALL_ATTACKER,
            "target": SMALL,
            "weapon": st.sampled_from(["knife", "club", "unarmed", "stun-baton"]),
        }
    ),
}
FATE = ("result", "damage", "track", "knockdown")
AFTER = ("physical_after", "stun_after", "unconscious", "dying", "dead", "disabled")


def fate(told: Mapping[str, Any]) -> tuple[Any, ...]:
    """How an attack ended, and where it did damage how the target is then."""
    return tuple(told.get(name) or None for name in (*FATE, *(AFTER if told.get("damage") else ())))


def counted(
    example: dict[str, Any], layer: str, dice: tuple[list[int], ...] = ()
) -> Iterator[tuple[Fraction, Any]]:
    """Each fate with the chance of the dice that lead to it: ones, misses and hits of one throw after another."""
    try:
        told = second_opinion_sr5.answer({**example, "dice": dice}, layer == "house").outcome
    except MoreDiceError as more:
        for ones, hits in product(range(more.number + 1), repeat=2):
            misses = more.number - ones - hits
            if misses >= 0:
                ways = comb(more.number, ones) * comb(more.number - ones, hits) * 3**misses * 2**hits
                for chance, end in counted(example, layer, (*dice, [1] * ones + [5] * hits + [3] * misses)):
                    yield chance * Fraction(ways, 6**more.number), end
    else:
        yield Fraction(1), fate(told)


@settings(max_examples=scale(13, 40))
@given(
    asked=st.sampled_from(sorted(FEW_DICE)).flatmap(lambda name: st.tuples(st.just(name), FEW_DICE[name])),
    layer=st.sampled_from(["core", "house"]),
)
def test_odds_are_those_of_all_dice(asked: tuple[str, dict[str, Any]], layer: str) -> None:
    procedure, situation = asked
    prepared = prepare(procedure, situation, {}, layer)
    assert prepared.stage is not None
    exact = odds(prepared.stage, Transitions(DefaultPolicy())).only
    theirs: Counter[Any] = Counter()
    for stage, weight in exact.outcomes.items():
        theirs[fate(stage.notes())] += Fraction(weight, exact.total)
    mine: Counter[Any] = Counter()
    request = {"procedure": procedure, "situation": situation}
    for chance, end in counted({"request": request, "expect": {}}, layer):
        mine[end] += chance
    assert mine == theirs
