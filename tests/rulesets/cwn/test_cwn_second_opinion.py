"""Every worked example is right twice: a calculator of its own, written from the rulebook, agrees with it.

It also throws dice against the ruleset at random and counts out odds die by die; the golden tests of section 18 are
listed.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import second_opinion_cwn
from cwn_table import facts_of, prepare
from hypothesis import given, settings
from hypothesis import strategies as st
from second_opinion_cwn_rules import MoreDiceError, NotUnderstoodError, entries

from fracas.dice.sources import SeededDice
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy, RollRecord, resolve

EXAMPLES = entries("examples")
UNDERSTOOD = 180
"""Examples with which the calculator agrees in all that they expect, at the least."""
NOT_UNDERSTOOD = {"fittings-change-ac-and-armor"}
"""Examples of procedures that it knows, for which it has no rule all the same."""
STRANGE = sorted(
    {one["request"]["procedure"] for one in EXAMPLES.values()} - second_opinion_cwn.PROCEDURES.keys()
)
"""Procedures for which it has none: hacking, drones under control, driving, wrecks, what follows a fight."""
TESTS = Path(__file__).parents[2]
RULEBOOK_GOLDEN = """
    G01 G02a G02b G02c G02d G04a G04b G05a G05b G05c G05d G07a G07b G07c G07d G07e G07f G08a G08b G08c G08d G08e G10
    G11a G11b G13a G13b G14a G14b G16 G17a G17b G19 G20 G22 G23 G25 G26 G28 G29 G31 G32 G34 G35 G37
"""
"""The golden tests of section 18: 18.1, then 18.2."""


@cache
def verdict(slug: str) -> tuple[str, ...] | None:
    """Where the calculator differs from an example; None where it has no rule for it."""
    try:
        return tuple(second_opinion_cwn.differences(EXAMPLES[slug]))
    except NotUnderstoodError:
        return None


def known() -> list[str]:
    """The examples of procedures that it knows."""
    return [slug for slug, one in EXAMPLES.items() if one["request"]["procedure"] not in STRANGE]


@pytest.mark.parametrize("slug", [slug for slug in known() if slug not in NOT_UNDERSTOOD])
def test_the_second_opinion_is_the_same(slug: str) -> None:
    assert verdict(slug) == ()


def test_those_that_it_does_not_understand_are_named() -> None:
    assert {slug for slug in known() if verdict(slug) is None} == NOT_UNDERSTOOD
    assert len(known()) - len(NOT_UNDERSTOOD) >= UNDERSTOOD
    assert not set(STRANGE) & {
        "attack",
        "blast",
        "suppressive-fire",
        "execution-attack",
        "major-injury",
        "morale",
    }


# ----------------------------------------------------------------------------------------------------------------
# Attacks at random

YES = st.just(True)
PEOPLE = [
    slug for slug, who in entries("combatants").items() if not who.get("machine") and who.get("human_sized")
]
FOCI = st.dictionaries(
    st.sampled_from(["armsmaster", "deadeye", "close-combatant", "shocking-assault"]),
    st.integers(1, 2),
    max_size=2,
)
DRUGS = st.lists(st.sampled_from(["boneshaker", "olympus"]), unique=True)
CHARACTER = st.fixed_dictionaries(
    {
        "level": st.integers(1, 9),
        "base_attack_bonus": st.integers(0, 9),
        "strength": st.integers(3, 18),
        "dexterity": st.integers(3, 18),
        "skills": st.dictionaries(st.sampled_from(["shoot", "stab", "punch", "exert"]), st.integers(0, 4)),
        "foci": FOCI,
    },
    optional={
        "prone": YES,
        "killing_blow": YES,
        "drugs": DRUGS,
        "flashbanged": YES,
        "dazzled": YES,
        "in_moving_vehicle": YES,
        "cyberware": st.lists(st.sampled_from(["gunlink", "eye-zoom", "cranial-jack"]), unique=True),
    },
)
NPC = st.fixed_dictionaries(
    {"use": st.sampled_from(PEOPLE)}, optional={"prone": YES, "drugs": DRUGS, "flashbanged": YES}
)
STANCE: dict[str, st.SearchStrategy[Any]] = {
    "prone": YES,
    "charged": YES,
    "flashbanged": YES,
    "dazzled": YES,
    "blinded": YES,
    "total_defense": YES,
    "shock_immune": YES,
    "shock_shield": YES,
    "shock_proof": YES,
    "drugs": DRUGS,
    "frail": YES,
    "cover": st.sampled_from(["none", "half", "near-total", "total"]),
    "visibility": st.sampled_from(["seen", "unseen-known", "unseen-unknown"]),
    "named": st.booleans(),
}
SUITS = sorted(slug for slug, piece in entries("armor").items() if not piece["accessory"])
EXTRAS = ["riot-shield", "joint-reinforcement", "absorption-plates"]
STRUCK = st.fixed_dictionaries({"use": st.sampled_from(PEOPLE)}, optional=STANCE) | st.fixed_dictionaries(
    {
        "armor": st.tuples(st.sampled_from(SUITS), st.lists(st.sampled_from(EXTRAS), unique=True)).map(
            lambda worn: [worn[0], *worn[1]]
        ),
        "dexterity": st.integers(3, 18),
        "hp": st.integers(1, 30),
        "foci": FOCI,
        "trauma_sources": st.lists(
            st.sampled_from(["hard-to-kill", "dermal-armor-1", "dermal-armor-3", "trauma-shielding"]),
            unique=True,
        ).filter(lambda found: not {"dermal-armor-1", "dermal-armor-3"} <= set(found)),
    },
    optional={**STANCE, "cyber_ac": st.sampled_from([16, 18, 20])},
)
WEAPONS = [
    slug
    for slug, weapon in entries("weapons").items()
    if weapon["type"] in {"gun", "bow", "melee", "unarmed"}
    and not {"execution_only", "adds_level", "unrested", "mount", "ambush"} & set(weapon)
    and weapon.get("attributes")
    and not weapon["area"]
]
GUNS = [slug for slug in WEAPONS if entries("weapons")[slug]["type"] in {"gun", "bow"}]
BLADES = [slug for slug in WEAPONS if slug not in GUNS]
THROWN = [slug for slug in BLADES if entries("weapons")[slug]["thrown"]]
SHOTS = st.fixed_dictionaries(
    {
        "attacker": CHARACTER.flatmap(
            lambda who: st.booleans().map(lambda engaged: {**who, "engaged": engaged})
        )
        | NPC,
        "target": STRUCK,
        "weapon": st.fixed_dictionaries(
            {"use": st.sampled_from(GUNS)},
            optional={
                "rounds": st.integers(0, 5),
                "mods": st.lists(
                    st.sampled_from(["autotargeting", "customized", "predictive-guidance", "stun-rounds"]),
                    unique=True,
                ),
            },
        ),
        "distance": st.sampled_from([1, 2, 3, 9, 15, 25, 60, 150, 350, 900]),
    },
    optional={
        "attack": st.fixed_dictionaries(
            {}, optional={"burst": YES, "swarm_others": st.integers(1, 5), "snap": YES}
        )
    },
)
BLOWS = st.fixed_dictionaries(
    {
        "attacker": CHARACTER | NPC,
        "target": STRUCK,
        "weapon": st.fixed_dictionaries(
            {"use": st.sampled_from(BLADES)},
            optional={
                "mods": st.lists(
                    st.sampled_from(["customized", "integral-toxins", "savage-impact", "thermal-charge"]),
                    unique=True,
                ),
                "thermal_charge_active": YES,
                "improvised": YES,
            },
        ),
    },
    optional={
        "attack": st.fixed_dictionaries(
            {}, optional={"charge": YES, "swarm_others": st.integers(1, 5), "snap": YES}
        )
    },
)
THROWS = st.fixed_dictionaries(
    {
        "attacker": CHARACTER.map(lambda who: {**who, "engaged": who["level"] % 2 == 0}),
        "target": STRUCK,
        "weapon": st.fixed_dictionaries({"use": st.sampled_from(THROWN)}),
        "attack": st.fixed_dictionaries({"kind": st.just("thrown")}, optional={"charge": YES}),
        "distance": st.sampled_from([1, 4, 11, 20, 21]),
    }
)
HOUSE_RULES = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans()
        for name in ("shock_floor_before_trauma", "soak_vs_shock", "natural_20_hits", "natural_1_misses")
    },
)


HOW_SHOCK_IS_KEPT = {"shock.ac", "shock.immunity"}
"""Totals that the ruleset keeps in a way of its own: 99 for any AC, a point for each thing that stops Shock."""


def compare(
    situation: dict[str, Any], options: dict[str, Any], number: int, procedure: str = "attack"
) -> None:
    """Let the ruleset throw, and the calculator work out the same dice."""
    prepared = prepare(situation, options, procedure=procedure)
    example: dict[str, Any] = {
        "request": {"procedure": procedure, "situation": situation, "options": options},
        "expect": {},
    }
    if prepared.stage is None:
        said = second_opinion_cwn.answer({**example, "dice": []})
        assert said.refusals == {refusal.code for refusal in prepared.refusals}
        return
    progress = resolve(prepared.stage, SeededDice(bytes(28) + number.to_bytes(4, "big")), DefaultPolicy())
    example["dice"] = [
        list(faces)
        for record in progress.records
        if isinstance(record, RollRecord)
        for faces in record.dealt.faces
    ]
    said = second_opinion_cwn.answer(example)
    assert not said.refusals
    totals = {tally.to: tally.total for tally in prepared.tallies}
    for mine, theirs in ((said.outcome, facts_of(progress)), (said.totals, totals)):
        both = mine.keys() & theirs.keys() - HOW_SHOCK_IS_KEPT
        assert {name: theirs[name] for name in both} == {name: mine[name] for name in both}
    marks = {
        (effect.type, effect.who, effect.what): effect.amount
        for effect in progress.effects()
        if effect.type in ("mark", "spend")
    }
    assert marks == {key: amount for key, amount in said.harm.items() if key[0] in ("mark", "spend")}


@settings(max_examples=150)
@given(situation=SHOTS, options=HOUSE_RULES, number=st.integers(0, 2**31))
def test_shots_at_random(situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    compare(situation, options, number)


@settings(max_examples=150)
@given(situation=BLOWS, options=HOUSE_RULES, number=st.integers(0, 2**31))
def test_blows_at_random(situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    compare(situation, options, number)


@settings(max_examples=60)
@given(situation=THROWS, number=st.integers(0, 2**31))
def test_throws_at_random(situation: dict[str, Any], number: int) -> None:
    compare(situation, {}, number)


VICTIM = st.fixed_dictionaries(
    {"use": st.sampled_from(PEOPLE)},
    optional={
        "drugs": DRUGS,
        "traumatic_before": YES,
        "named": st.booleans(),
        "protections": st.lists(
            st.sampled_from(["eye-and-ear-protection", "breathing-protection", "heavy-cover"]), unique=True
        ),
    },
)
PLACED = st.tuples(VICTIM, st.sampled_from([0, 2, 4, 6, 9, 12]), st.sampled_from([0, 45, 90, 180, 270])).map(
    lambda found: {**found[0], "distance": found[1], "bearing": found[2]}
)
THROWER = {"base_attack_bonus": 2, "attribute_modifier": 1, "skill_level": 1}
BLASTS = st.fixed_dictionaries(
    {
        "attacker": st.fixed_dictionaries(
            {name: st.just(value) for name, value in THROWER.items()},
            optional={"prone": YES, "dazzled": YES, "engaged": YES, "blinded": YES},
        ),
        "weapon": st.sampled_from(["grenade-frag", "grenade-flash", "grenade-gas"]),
        "distance": st.sampled_from([5, 10, 11, 30, 31]),
        "target": PLACED,
        "victim_1": PLACED,
        "victim_2": PLACED,
    }
)
BLAST_RULES = st.fixed_dictionaries(
    {},
    optional={
        "half_rounding": st.sampled_from(["down", "up"]),
        "explosives_add_attr": st.booleans(),
        "shared_area_damage": st.booleans(),
    },
)
VOLLEYS = st.fixed_dictionaries(
    {
        "attacker": st.fixed_dictionaries(
            {"attribute_modifier": st.integers(-1, 2)}, optional={"prone": YES}
        ),
        "weapon": st.fixed_dictionaries({"use": st.just("automatic-rifle"), "rounds": st.integers(1, 3)}),
        "fire": st.sampled_from([{}, {"mounts": []}, {"mounts": ["support"]}]),
        "target": VICTIM,
        "victim_1": VICTIM,
    }
)
SNIPERS = st.fixed_dictionaries(
    {
        "attacker": st.fixed_dictionaries(
            {
                "strength": st.integers(3, 18),
                "dexterity": st.integers(3, 18),
                "skills": st.fixed_dictionaries({"shoot": st.integers(0, 4), "stab": st.integers(0, 4)}),
                "foci": st.dictionaries(st.just("snipers-eye"), st.integers(1, 2)),
            }
        ),
        "target": st.fixed_dictionaries(
            {"use": st.sampled_from(PEOPLE), "unsuspecting": st.just(True)}, optional={"named": st.booleans()}
        ),
        "weapon": st.sampled_from(
            ["knife", "club", "light-pistol", "rifle", "shotgun", "taser-pistol", "submachine-gun"]
        ),
        "attack": st.just({"prepared": True}),
        "distance": st.sampled_from([1, 2, 3, 10, 11, 30, 90]),
    }
)


@settings(max_examples=60)
@given(situation=BLASTS, options=BLAST_RULES, number=st.integers(0, 2**31))
def test_blasts_at_random(situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    compare(situation, options, number, "blast")


@settings(max_examples=40)
@given(situation=VOLLEYS, number=st.integers(0, 2**31))
def test_suppressive_fire_at_random(situation: dict[str, Any], number: int) -> None:
    compare(situation, {}, number, "suppressive-fire")


@settings(max_examples=60)
@given(situation=SNIPERS, number=st.integers(0, 2**31))
def test_executions_at_random(situation: dict[str, Any], number: int) -> None:
    compare(situation, {}, number, "execution-attack")


PATIENTS = st.fixed_dictionaries(
    {
        "hp": st.integers(1, 10),
        "hp_maximum": st.integers(10, 30),
        "system_strain": st.integers(0, 12),
        "constitution": st.integers(3, 18),
        "rounds_down": st.integers(0, 8),
        "lurch_doses": st.integers(0, 4),
    }
)
SKILLED = st.fixed_dictionaries(
    {
        "skills": st.dictionaries(st.sampled_from(["heal", "notice", "sneak"]), st.integers(0, 4)),
        **{name: st.integers(3, 18) for name in ("dexterity", "intelligence", "wisdom")},
    }
)
HEALER = st.tuples(SKILLED, st.dictionaries(st.just("healer"), st.integers(1, 2)), st.booleans()).map(
    lambda found: {**found[0], "foci": found[1], "medical_readout": found[2]}
)
TESTER = st.tuples(SKILLED, st.integers(-5, 5), st.booleans()).map(
    lambda found: {**found[0], "circumstances": found[1], "player": found[2]}
)
CHECK = {"skills": ["notice", "sneak"], "attributes": ["wisdom", "dexterity"]}
CARE: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "stabilize": st.fixed_dictionaries(
        {
            "healer": HEALER,
            "patient": PATIENTS.map(lambda who: {"rounds_down": who["rounds_down"]}),
            "stabilizing": st.sampled_from(
                [
                    {"medkit": True},
                    {"medkit": False, "aided": True},
                    {"means": "trauma-patch"},
                    {"means": "drone"},
                ]
            ),
        }
    ),
    "first-aid": st.fixed_dictionaries(
        {
            "healer": HEALER,
            "patient": PATIENTS.map(
                lambda who: {name: value for name, value in who.items() if name != "rounds_down"}
            ),
            "aid": st.sampled_from(
                [{"medkit": True}, {"medkit": False}, {"medkit": True, "panacea": True}, {"means": "lurch"}]
            ),
        }
    ),
    "skill-check": st.fixed_dictionaries(
        {"tester": TESTER, "check": st.just({**CHECK, "difficulty": 9})}, optional={"helper": TESTER}
    )
    | st.fixed_dictionaries({"tester": TESTER, "opponent": TESTER, "check": st.just(CHECK)}),
    "saving-throw": st.fixed_dictionaries(
        {
            "saver": st.fixed_dictionaries({"hit_dice": st.integers(1, 12)})
            | st.fixed_dictionaries({"save": st.integers(2, 25)}),
            "save": st.fixed_dictionaries(
                {"kind": st.sampled_from(["physical", "evasion", "mental", "luck"])},
                optional={"bonus": st.integers(-4, 4)},
            ),
        }
    ),
    "morale": st.fixed_dictionaries(
        {
            "tester": st.fixed_dictionaries(
                {"morale": st.integers(2, 12)},
                optional={
                    "drugs": st.lists(st.sampled_from(["boneshaker", "psycho", "olympus"]), unique=True)
                },
            )
        }
    ),
}


@settings(max_examples=150)
@given(
    case=st.sampled_from(sorted(CARE)).flatmap(lambda name: st.tuples(st.just(name), CARE[name])),
    number=st.integers(0, 2**31),
)
def test_checks_and_care_at_random(case: tuple[str, dict[str, Any]], number: int) -> None:
    procedure, situation = case
    compare(situation, {}, number, procedure)


# ----------------------------------------------------------------------------------------------------------------
# Odds, counted out die by die

BODY = st.fixed_dictionaries(
    {
        "ranged_ac": st.integers(8, 24),
        "melee_ac": st.integers(8, 24),
        "trauma_target": st.integers(2, 10),
        "soak": st.integers(0, 6),
        "hp": st.integers(1, 15),
        "named": st.booleans(),
    },
    optional=dict.fromkeys(("prone", "shock_shield", "total_defense", "charged", "frail"), YES),
)
FEW_DICE = [
    slug
    for slug in WEAPONS
    if entries("weapons")[slug]["damage"].startswith("1d") and "d12" not in entries("weapons")[slug]["damage"]
]
CASES = st.fixed_dictionaries(
    {
        "attacker": CHARACTER,
        "target": BODY,
        "weapon": st.sampled_from(FEW_DICE),
        "distance": st.sampled_from([1, 2, 5, 12]),
    },
    optional={"attack": st.fixed_dictionaries({}, optional={"swarm_others": st.integers(1, 4)})},
)
FATE = ("hit", "shock_damage", "traumatic", "down", "hp_loss")


def counted(
    example: dict[str, Any], dice: tuple[tuple[int, ...], ...] = ()
) -> Iterator[tuple[Fraction, Any]]:
    """Each fate with the chance of the dice that lead to it: one after another, as the calculator asks for them."""
    try:
        facts = second_opinion_cwn.answer({**example, "dice": dice}).outcome
    except MoreDiceError as more:
        for faces in product(range(1, more.sides + 1), repeat=more.number):
            for chance, fate in counted(example, (*dice, faces)):
                yield chance / more.sides**more.number, fate
    else:
        yield Fraction(1), tuple(facts.get(name) or None for name in FATE)


@settings(max_examples=60)
@given(situation=CASES, options=HOUSE_RULES)
def test_odds_are_those_of_all_dice(situation: dict[str, Any], options: dict[str, Any]) -> None:
    prepared = prepare(situation, options)
    assert prepared.stage is not None
    exact = odds(prepared.stage, Transitions(DefaultPolicy())).only
    theirs: Counter[Any] = Counter()
    for stage, weight in exact.outcomes.items():
        facts = stage.notes()
        theirs[tuple(facts.get(name) or None for name in FATE)] += Fraction(weight, exact.total)
    mine: Counter[Any] = Counter()
    example = {"request": {"procedure": "attack", "situation": situation, "options": options}}
    for chance, fate in counted(example):
        mine[fate] += chance
    assert mine == theirs


# ----------------------------------------------------------------------------------------------------------------
# The golden tests of section 18

GOLDEN: dict[str, tuple[str, ...]] = {
    "G01": ("g01-plain-ranged-hit-soak-absorbs-first",),
    "G02a": ("g02a-melee-miss-shock-applies",),
    "G02b": ("g02b-melee-miss-ac-above-the-shock-ac",),
    "G02c": ("g02c-melee-miss-soak-absorbs-the-shock",),
    "G02d": ("g02d-meeting-the-ac-exactly-is-a-hit",),
    "G04a": ("g04a-traumatic-hit-drops-a-pc",),
    "G04b": ("g04b-the-same-dice-against-trauma-target-8",),
    "G05a": ("g05a-prone-target-not-adjacent",),
    "G05b": ("g05b-prone-target-adjacent-melee",),
    "G05c": ("g05c-prone-target-adjacent-pistol-in-melee",),
    "G05d": ("g05d-prone-attacker-in-melee-shock-on-the-miss",),
    "G07a": ("g07a-two-handed-gun-in-melee",),
    "G07b": ("g07b-two-handed-gun-in-melee-with-deadeye", "g07b-as-printed"),
    "G07c": ("g07c-one-handed-gun-in-melee",),
    "G07d": ("g07d-throwing-while-in-melee",),
    "G07e": ("g07e-beyond-long-range",),
    "G07f": ("g07f-bow-in-melee",),
    "G08a": ("g08a-swarm-misses-shock-lands-on-a-shield",),
    "G08b": ("g08b-swarm-hits-bonus-capped-at-the-weapons-maximum",),
    "G08c": ("g08c-swarm-against-total-defense",),
    "G08d": ("g08d-more-than-four-in-a-swarm-add-nothing",),
    "G08e": ("g08e-swarm-with-one-other",),
    "G10": ("g10-charge-with-a-spear",),
    "G11a": ("g11a-burst",),
    "G11b": ("g11b-burst-with-too-few-rounds",),
    "G13a": ("g13a-bare-fist-adds-punch",),
    "G13b": ("g13b-body-blades-do-not-add-punch",),
    "G14a": ("g14a-killing-blow-adds-to-shock",),
    "G14b": ("g14b-killing-blow-adds-to-damage-and-trauma-die",),
    "G16": ("g16-taser-knocks-out",),
    "G17a": ("g17a-hit-before-any-reaction",),
    "G17b": ("g17b-the-same-dice-against-total-defense",),
    "G19": ("g19-suppressive-fire", "g19-suppressive-fire-odd-total"),
    "G20": (
        "g20-major-injury-ends-the-attack",
        "g20a-major-injury-of-the-right-arm",
        "g20b-major-injury-kills",
        "g20c-major-injury-on-avalanche",
        "g20d-major-injury-saved",
        "g20e-major-injury-natural-20",
        "g20f-major-injury-takes-a-traumatic-hit",
    ),
    "G22": ("g22-frag-grenade-misses-and-scatters", "g22-frag-grenade-hits"),
    "G23": ("g23-execution-save-fails", "g23-execution-save-made"),
    "G25": ("g25-initiative-of-the-pcs", "g25-initiative-of-the-npcs"),
    "G26": (
        "g26a-morale-meets-the-score",
        "g26b-morale-must-be-exceeded",
        "g26c-morale-holds-below",
        "g26d-morale-holds-below-with-exceed",
    ),
    "G28": (
        "g28c-natural-1-fails-a-save",
        "g28d-natural-20-makes-a-save",
        "g28-natural-20-misses",
        "g28-natural-1-hits",
    ),
    "G29": ("g29-gunlink-reroll", "g29-gunlink-needs-a-gun"),
    "G31": (),
    "G32": ("g32-first-aid",),
    "G34": ("g34-non-lethal-drop",),
    "G35": (
        "g35-charge-too-short",
        "g35-charge-of-3-metres",
        "g35-charge-of-20-metres",
        "g35-charge-too-far",
        "g35-charge-with-a-pistol",
    ),
    "G37": ("g37-total-defense-after-the-roll",),
}
"""The golden tests of section 18, those of 18.1 first, and the examples that state them."""

PLAYED = {
    "G25": (("test_cwn_fights.py", "test_a_side_rolls_once_and_a_tie_goes_to_the_pcs"),),
    "G31": (
        ("test_cwn_reach.py", "test_each_armed_foe_strikes_freely_at_who_runs"),
        ("test_cwn_reach.py", "test_nobody_strikes_at_who_has_withdrawn"),
        ("test_cwn_reach.py", "test_the_unarmed_do_not_strike"),
        ("test_cwn_reach.py", "test_enhanced_reflexes_leave_melee_unharmed"),
    ),
    "G34": (("test_cwn_rounds.py", "test_the_knocked_out_wake_with_a_hit_point_after_ten_minutes"),),
    "G35": (("test_cwn_rounds.py", "test_from_3_metres_to_twice_the_move"),),
    "G37": (
        ("test_cwn_rounds.py", "test_it_takes_an_unspent_main_action"),
        ("test_cwn_rounds.py", "test_it_raises_both_armor_classes_and_stops_shock"),
    ),
}
"""What of them only a fight shows, and the tests of fights that play it."""


@pytest.mark.parametrize("golden", RULEBOOK_GOLDEN.split())
def test_golden_tests_are_among_the_examples_or_played(golden: str) -> None:
    stated = GOLDEN[golden]
    for slug in stated:
        assert slug.startswith(golden.lower())
        assert EXAMPLES[slug]["source"]["ref"] == "rulebook-cwn"
        assert verdict(slug) == ()
    for file, name in PLAYED.get(golden, ()):
        tree = ast.parse((TESTS / "encounters" / file).read_text("utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert stated or golden in PLAYED


def test_no_golden_test_is_unlisted() -> None:
    listed = {slug for stated in GOLDEN.values() for slug in stated}
    assert {slug for slug in EXAMPLES if re.match(r"g\d\d", slug)} == listed
    assert set(GOLDEN) == set(RULEBOOK_GOLDEN.split()) >= set(PLAYED)
