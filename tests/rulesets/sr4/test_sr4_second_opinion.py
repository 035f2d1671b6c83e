"""Every worked example is right twice: a calculator of its own, written from the rulebook, agrees with it.

It also throws dice against the ruleset at random. And the traps of the rulebook (section 18) are covered, each by
examples whose arithmetic was done twice.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import second_opinion
from hypothesis import given, settings
from hypothesis import strategies as st
from late_packs import late
from second_opinion_rules import entries
from second_opinions import NotUnderstoodError
from sr4_table import resolve, seed
from tiers import scale

EXAMPLES = late(lambda: entries("examples"))
AGREE = 500
"""Examples with which the calculator agrees in all that they expect, at the least."""
ROLLED = 240
"""Of these, those with dice: more than the sum of a pool."""
FIGHTS = Path(__file__).parents[2] / "encounters"

TRAPS: dict[int, tuple[str, ...]] = {
    1: (
        "sr4-ex-20-2",
        "sr4-ex-20-6",
        "test-default",
        "trap-01-four-ones-of-nine",
        "trap-01-five-ones-of-nine",
        "blast-glitch-doubles-scatter",
        "melee-whip-glitch",
    ),
    2: ("sr4-ex-02-graze", "tie-at-zero", "melee-tie", "graze-contact", "melee-touch-tie"),
    3: (
        "sr4-ex-05",
        "sr4-ex-19",
        "trap-03-ammunition-counts",
        "trap-03-called-shot-counts",
        "trap-03-long-burst-does-not-count",
        "short-burst-of-2",
    ),
    4: ("sr4-ex-04-equal", "melee-equal-to-armor", "fall-that-armor-breaks", "fire-that-armor-stops"),
    5: ("sr4-ex-04-below", "melee-charge-received", "melee-killing-hands", "acid-each-turn"),
    6: ("sr4-ex-07-second", "trap-06-wounded-target", "fire-each-turn", "melee-wounded-and-laden"),
    7: (
        "sr4-ex-28-wounds-3",
        "trap-07-two-and-two-boxes",
        "trap-07-five-and-four-boxes",
        "low-pain-tolerance",
        "stand-up-wounded",
    ),
    8: (
        "sr4-ex-08-04-second",
        "trap-08-budget-is-used-up",
        "recoil-heavy-weapon",
        "recoil-strength",
        "recoil-shotgun-burst",
        "recoil-shotgun-single",
    ),
    9: (
        "sr4-ex-07-second",
        "target-defended-before",
        "melee-ambidextrous",
        "trap-09-full-dodge-for-the-fourth-time",
    ),
    10: (
        "trap-10-wide-burst-at-cover",
        "trap-10-wide-burst-at-cover-sr4a",
        "wide-short-burst",
        "choke-medium",
        "cover-partial",
        "cover-partial-sr4a",
    ),
    11: (
        "smartlink-and-laser",
        "trap-11-laser-without-a-smartlink",
        "two-firearms-main-hand",
        "two-firearms-off-hand",
    ),
    12: ("trap-12-call-aim-fire", "trap-12-aim-call-fire", "take-aim", "split-long-burst-first"),
    13: ("trap-13-before-the-boost", "trap-13-after-the-boost", "initiative-increased-reflexes"),
    14: ("sr4-ex-10", "trap-14-score-of-zero", "trap-14-defends-all-the-same", "initiative-no-dice"),
    15: ("trap-15-single-shot-is-not-semi-automatic", "trap-15-revolver", "refused-single-shot"),
    16: ("sr4-ex-13-first", "sr4-ex-13-second", "full-defense-dodge", "trap-16-full-dodge-in-the-open"),
    17: (
        "sr4-ex-17",
        "ammunition-gel",
        "ammunition-flechette",
        "ammunition-stick-n-shock",
        "blast-flash-bang",
        "trap-17-gel-against-armor-clothing",
        "trap-17-shot-of-a-shotgun",
    ),
    18: (
        "bow-rating",
        "thrown-knife-strength-3",
        "thrown-knife-strength-9",
        "trap-18-weakened-archer",
        "trap-18-grenade-of-the-weak",
        "trap-18-grenade-of-the-strong",
    ),
    19: (
        "melee-reach-of-a-troll",
        "melee-reach-of-axe-and-troll",
        "melee-interception-missed",
        "trap-19-troll-with-a-sword",
    ),
    20: (
        "sr4-ex-25-6",
        "two-suits",
        "helmet",
        "encumbrance-suit-and-helmet",
        "trap-20-two-suits-and-a-shield",
    ),
}
"""Examples that cover each trap of section 18."""

PLAYED = {
    9: (
        "test_sr4_traps.py",
        "test_trap_9_defenses_count_until_the_own_phase_and_not_until_the_next_pass_or_turn",
    ),
    12: ("test_sr4_ranged.py", "test_calling_after_aiming_loses_the_aim"),
    13: ("test_sr4_initiative.py", "test_initiative_8_score_11_boosted_to_10_is_13_and_back"),
    14: (
        "test_sr4_initiative.py",
        "test_a_score_of_zero_takes_every_action_of_the_turn_and_leaves_the_defense",
    ),
    15: (
        "test_sr4_weapons_in_hand.py",
        "test_a_single_shot_weapon_fires_once_in_a_phase_and_another_one_too",
    ),
    16: ("test_sr4_fights.py", "test_without_an_action_left_it_takes_the_first_of_the_next_turn"),
}
"""What of a trap shows only in a fight, and the test of fights that plays it."""


OF_OTHERS = ("30.1", "30.2", "30.4", "30.5", "31.1", "31.2", "31.3", "31.4", "31.5", "32.2", "33.3")
"""Sections about beings, machines and gas, which `test_sr4_beings` works out again."""


@cache
def verdict(slug: str) -> tuple[str, ...] | None:
    """Where the calculator differs from an example; None where it has no rule for it."""
    try:
        return tuple(second_opinion.differences(EXAMPLES[slug]))
    except NotUnderstoodError:
        return None


def understood() -> list[str]:
    return [slug for slug in EXAMPLES if verdict(slug) is not None]


@pytest.mark.each("slug", understood)
def test_the_second_opinion_is_the_same(slug: str) -> None:
    assert verdict(slug) == ()


def test_it_understands_most_of_them() -> None:
    agree = [slug for slug in EXAMPLES if verdict(slug) == ()]
    assert len(agree) >= AGREE
    assert len([slug for slug in agree if EXAMPLES[slug].get("dice")]) >= ROLLED


def test_of_the_procedures_it_knows_it_leaves_out_hardly_any() -> None:
    known = [
        slug
        for slug, example in EXAMPLES.items()
        if example["request"]["procedure"] in second_opinion.PROCEDURES
        and example.get("source", {}).get("section") not in OF_OTHERS
    ]
    left = [slug for slug in known if verdict(slug) is None]
    assert len(left) <= len(known) / 25


@pytest.mark.parametrize("trap", range(1, 21))
def test_traps_are_covered(trap: int) -> None:
    covered = TRAPS[trap]
    assert len(covered) >= 2
    assert len({slug for slug in covered if not slug.startswith("sr4-ex-")}) >= 2
    for slug in covered:
        example = EXAMPLES[slug]
        assert example["source"]["ref"] in {"rulebook-sr4", "fracas"}
        assert verdict(slug) == ()


def test_more_than_forty_examples_of_ours_cover_them() -> None:
    ours = {slug for covered in TRAPS.values() for slug in covered if not slug.startswith("sr4-ex-")}
    assert len(ours) >= 40


@pytest.mark.parametrize(("file", "name"), PLAYED.values())
def test_what_only_a_fight_shows_is_played(file: str, name: str) -> None:
    tree = ast.parse((FIGHTS / file).read_text("utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


# ----------------------------------------------------------------------------------------------------------------
# Attacks at random

PEOPLE = st.deferred(
    lambda: st.sampled_from(sorted(slug for slug, who in entries("combatants").items() if "metatype" in who))
)
ARMOR = st.lists(st.deferred(lambda: st.sampled_from(sorted(entries("armor")))), max_size=3, unique=True)
YES = st.just(True)
GUNS = st.deferred(
    lambda: st.sampled_from(
        [
            slug
            for slug, weapon in entries("weapons").items()
            if "modes" in weapon
            and "dv" in weapon
            and weapon["category"] not in {"taser", "shotgun", "natural-ranged"}
        ]
    )
)
BLADES = st.deferred(
    lambda: st.sampled_from(
        [
            slug
            for slug, weapon in entries("weapons").items()
            if "reach" in weapon and not weapon["category"].startswith("natural")
        ]
    )
)
ROUNDS = ["regular", "apds", "explosive", "ex-explosive", "flechette", "gel", "stick-n-shock", "tracer"]
BODY = {
    "physical": st.integers(0, 8),
    "stun": st.integers(0, 8),
    "armor": ARMOR,
    "body": st.integers(1, 12),
    "running": YES,
    "low_pain_tolerance": YES,
    "pain_resistance": st.integers(1, 3),
    "extra_boxes": st.integers(1, 2),
}
STANCE = {
    "powers": st.just(["missile-parry", "combat-sense-adept"]),
    "prone": YES,
    "in_moving_vehicle": YES,
    "defenses_made": st.integers(0, 3),
    "combat_sense": YES.map(int),
}
SHOOTER = st.fixed_dictionaries(
    {"use": PEOPLE, "rounds_before": st.sampled_from([0, 1, 3, 6]), "bursts_before": st.just(1)},
    optional={
        **BODY,
        "pool": st.integers(6, 18),
        "powers": st.just(["power-throw", "missile-mastery", "blind-fighting"]),
        "power_levels": st.just({"power-throw": 3}),
        "in_melee": YES,
        "in_cover": YES,
        "off_hand": YES,
        "smartlink": YES,
        "deployed": YES,
        "magnification": YES,
        "take_aim": st.integers(0, 3),
        "targets_before": st.integers(0, 2),
        "gyro": st.sampled_from([3, 6]),
        "strength": st.integers(1, 19),
    },
)
SHOT_AT = st.fixed_dictionaries(
    {"use": PEOPLE},
    optional={
        **BODY,
        **STANCE,
        "in_melee": YES,
        "hidden": YES,
        "cover": st.sampled_from(["partial", "good"]),
        "full_defense": st.sampled_from(["dodge", "gymnastics"]),
    },
)
FIGHTER = st.fixed_dictionaries(
    {"use": PEOPLE},
    optional={
        **BODY,
        "superior_position": YES,
        "off_hand": YES,
        "friends_in_melee": st.integers(0, 6),
        "unarmed_dv": st.integers(1, 3),
        "powers": st.just(["penetrating-strike", "killing-hands", "blind-fighting"]),
        "power_levels": st.just({"penetrating-strike": 2}),
        "strength": st.integers(1, 12),
    },
)
FOUGHT = st.fixed_dictionaries(
    {"use": PEOPLE, "weapon": BLADES},
    optional={**BODY, **STANCE, "full_defense": st.sampled_from(["dodge", "gymnastics", "parry"])},
)
SINGLE = st.fixed_dictionaries({"mode": st.sampled_from(["single-shot", "semi-automatic"])})
BURST = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["short-burst", "long-burst", "full-burst"]),
        "spread": st.sampled_from(["narrow", "wide"]),
    }
)
CALLED = st.one_of(
    st.fixed_dictionaries({"kind": st.just("vital"), "dv": st.integers(1, 4)}), st.just({"kind": "unarmored"})
)
SHOTS = st.fixed_dictionaries(
    {
        "attacker": SHOOTER,
        "target": SHOT_AT,
        "weapon": st.fixed_dictionaries(
            {"use": GUNS},
            optional={"ammunition": st.sampled_from(ROUNDS), "rounds": st.integers(1, 12)},
        ),
        "fire": SINGLE | BURST,
    },
    optional={
        "distance": st.sampled_from([1, 3, 5, 6, 12, 25, 45, 90, 160]),
        "visibility": st.lists(
            st.sampled_from(["full-darkness", "partial-light", "glare", "light-fog"]), max_size=2, unique=True
        ),
        "called_shot": CALLED,
    },
)
BLOWS = st.fixed_dictionaries(
    {"attacker": FIGHTER, "target": FOUGHT, "weapon": BLADES},
    optional={"called_shot": CALLED, "reach_use": st.sampled_from(["own-dice", "dice-of-the-other"])},
)
HOUSE_RULES = st.fixed_dictionaries(
    {},
    optional={
        "ranged_modifiers": st.just("sr4a"),
        "recoil": st.just("flat"),
        "grazing_hits": st.just(False),
        "encumbrance_combine": st.just("sum"),
        "half_armor_round": st.just("down"),
        "ap_positive_needs_armor": st.just(False),
        "strength_recoil": YES,
    },
)


def compare(procedure: str, situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    """Let the service throw, and the calculator work out the same dice."""
    told = resolve(situation, procedure=procedure, options=options, dice=seed(number))
    example = {
        "request": {"procedure": procedure, "situation": situation, "options": options},
        "dice": [roll["faces"] for roll in told.get("rolls", ()) if roll["faces"]],
        "expect": {},
    }
    said = second_opinion.answer(example)
    assert said.refusals == {refusal["code"] for refusal in told.get("refusals", ())}
    if said.refusals:
        return
    totals = {tally["to"]: tally["total"] for tally in told["modifiers"]}
    for facts, theirs in ((said.outcome, told["outcome"]), (said.totals, totals)):
        both = facts.keys() & theirs.keys()  # where nothing comes of it, 0 is as good as nothing
        assert {name: theirs[name] or None for name in both} == {name: facts[name] or None for name in both}


@settings(max_examples=scale(40, 120))
@given(situation=SHOTS, options=HOUSE_RULES, number=st.integers(0, 2**40))
def test_shots_at_random(situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    compare("ranged-attack", situation, options, number)


@settings(max_examples=scale(40, 120))
@given(situation=BLOWS, options=HOUSE_RULES, number=st.integers(0, 2**40))
def test_blows_at_random(situation: dict[str, Any], options: dict[str, Any], number: int) -> None:
    compare("melee-attack", situation, options, number)
