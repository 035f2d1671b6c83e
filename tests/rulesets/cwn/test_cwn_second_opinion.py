"""Every worked example is right twice: a calculator of its own, written from the rulebook, agrees with it.

The golden tests of section 18 are listed: they are among the examples, or played.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
import second_opinion_cwn
from second_opinion_cwn_rules import entries
from second_opinions import NotUnderstoodError

NOT_UNDERSTOOD: dict[str, str] = {}
"""Examples for which the calculator has no rule, and why."""
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
        return tuple(second_opinion_cwn.differences(entries("examples")[slug]))
    except NotUnderstoodError:
        return None


def test_the_second_opinion_is_the_same() -> None:
    assert {slug: found for slug in entries("examples") if (found := verdict(slug))} == {}


def test_those_that_it_does_not_understand_are_named() -> None:
    assert {slug for slug in entries("examples") if verdict(slug) is None} == set(NOT_UNDERSTOOD)


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
        assert entries("examples")[slug]["source"]["ref"] == "rulebook-cwn"
        assert verdict(slug) == ()
    for file, name in PLAYED.get(golden, ()):
        tree = ast.parse((TESTS / "encounters" / file).read_text("utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert stated or golden in PLAYED


def test_no_golden_test_is_unlisted() -> None:
    listed = {slug for stated in GOLDEN.values() for slug in stated}
    assert {slug for slug in entries("examples") if re.match(r"g\d\d", slug)} == listed
    assert set(GOLDEN) == set(RULEBOOK_GOLDEN.split()) >= set(PLAYED)
