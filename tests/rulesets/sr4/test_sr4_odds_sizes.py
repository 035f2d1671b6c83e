"""Odds of the largest tests that requests allow: they answer, they are right, or they say why not."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_table import SINGLE, measures, request

from fracas.engine.running import give_odds
from fracas.errors import InputError

AFTER = {"decision": "edge-after"}
FAILING = {**AFTER, "choose": "reroll", "when": "failing"}
NEGATE = {**AFTER, "choose": "negate-glitch", "when": "glitch"}
ADD = {**AFTER, "choose": "add", "when": "failing"}


def extended(pool: int, threshold: int = 50, **more: Any) -> dict[str, Any]:
    situation = {"tester": {"pool": pool, **more.pop("tester", {})}, "threshold": threshold}
    situation |= more.pop("situation", {})
    return give_odds(request(situation, procedure="extended-test", **{"attribution": False, **more}))


def attack(mine: int, theirs: int, *decisions: Any, edge: int = 6, **more: Any) -> dict[str, Any]:
    """A shot of so many dice against so many; both sides have Edge."""
    spare = {"edge": edge, "edge_points": 1}
    situation = {
        "attacker": {"agility": 6, "skills": {"pistols": 6}, **spare},
        "target": {"reaction": 6, "body": 10, "ballistic": 10, "impact": 10, **spare},
        "weapon": "ares-predator-iv",
        "distance": 4,
        "fire": SINGLE,
    }
    numbers = {"attack.pool": mine, "defense.pool": theirs}
    totals = {tally["to"]: tally["total"] for tally in give_odds(request(situation))["modifiers"]}
    fewer = [{"to": to, "label": "So many", "value": dice - totals[to]} for to, dice in numbers.items()]
    asked = {"decisions": list(decisions), "modifiers": fewer, "attribution": False, **more}
    return give_odds(request(situation, **asked))


def chances(answer: Any) -> list[float]:
    return [row["chance"] for branch in answer["branches"] for row in branch["outcomes"]]


# Extended Tests.


@pytest.mark.parametrize(
    "decisions", [[], [FAILING], [NEGATE], [ADD, NEGATE], [{"decision": "edge-before", "choose": "push"}]]
)
def test_sixty_dice_again_and_again_have_odds(decisions: list[Any]) -> None:
    answer = extended(60, tester={"edge": 6, "edge_points": 1}, decisions=decisions)
    assert sum(chances(answer)) == pytest.approx(1, abs=1e-12)
    assert measures(answer)["success"] == pytest.approx(1, abs=1e-9)


def test_a_hundred_rolls_of_few_dice_have_odds() -> None:
    """A die hits every third time, less what glitches cost; two thirds of the rolls of one die are no hit."""
    answer = extended(6, situation={"intervals": 100})
    assert sum(chances(answer)) == pytest.approx(1, abs=1e-12)
    rolls = {row["roll"]: row for row in answer["glitches"]}
    assert set(rolls) == {f"roll_{number}" for number in range(1, 101)}
    assert all(0 < row["glitch"] < 1 for row in rolls.values())


def by_hand(pool: int, threshold: int, rolls: int, loses: bool, decays: bool) -> dict[Any, Fraction]:
    """Every face of every die of every roll."""
    ends: dict[Any, Fraction] = defaultdict(Fraction)

    def go(hits: int, made: int, glitched: bool, share: Fraction) -> None:
        dice = max(0, pool - made) if decays else pool
        if hits >= threshold or made == rolls or dice == 0:
            why = "threshold" if hits >= threshold else "time" if made == rolls else "no-dice"
            ends[hits, made, glitched, why] += share
            return
        for faces in product(range(1, 7), repeat=dice):
            each, new = share / 6**dice, sum(face >= 5 for face in faces)
            glitch = faces.count(1) * 2 >= dice
            if glitch and not new:
                ends[hits, made + 1, True, "critical-glitch"] += each
            elif glitch and loses and hits + new < threshold:
                for lost in range(1, 7):
                    go(max(0, hits + new - lost), made + 1, True, each / 6)
            else:
                go(hits + new, made + 1, glitched or glitch, each)

    go(0, 0, False, Fraction(1))
    return dict(ends)


@pytest.mark.parametrize("loses", [False, True])
@pytest.mark.parametrize("decays", [False, True])
@pytest.mark.parametrize(("pool", "threshold", "rolls"), [(2, 2, 3), (3, 4, 2), (1, 1, 4), (2, 0, 2)])
def test_the_shorter_way_gives_what_every_throw_gives(
    pool: int, threshold: int, rolls: int, loses: bool, decays: bool
) -> None:
    options = {"extended_glitch_loses_hits": loses, "extended_decay": decays}
    answer = extended(pool, threshold, situation={"intervals": rolls}, options=options, exact=True)
    (branch,) = answer["branches"]
    found = {
        tuple(row["outcome"][name] for name in ("hits", "rolls", "glitched", "ended")): Fraction(
            int(row["weight"]), int(branch["total"])
        )
        for row in branch["outcomes"]
    }
    assert found == by_hand(pool, threshold, rolls, loses, decays)


ALWAYS = {"short": {"at_least": -999}}
"""A condition that goes by the hits so far, and so has every throw weighed after every other."""


@pytest.mark.parametrize("loses", [False, True])
@pytest.mark.parametrize("decays", [False, True])
@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize(
    ("choose", "when"),
    [
        ("negate-glitch", {"glitch": ["glitch", "critical"]}),
        ("negate-glitch", {"glitch": "critical"}),
        ("add", {"hits": {"at_most": 1}}),
        ("reroll", {"ones": {"at_least": 2}}),
        ("push", {"pool": {"at_most": 3}}),
    ],
)
def test_edge_that_waits_for_its_roll_gives_what_every_throw_gives(
    choose: str, when: dict[str, Any], counted: bool, decays: bool, loses: bool
) -> None:
    options = {
        "extended_glitch_loses_hits": loses,
        "extended_decay": decays,
        "glitch_counts_exploded": counted,
    }
    decision = {"decision": "edge-before" if choose == "push" else "edge-after", "choose": choose}
    always = ALWAYS if choose != "push" else {"needed": {"at_most": 999}}
    short, long = (
        extended(
            4,
            5,
            tester={"edge": 2, "edge_points": 1},
            situation={"intervals": 6, "hits_before": 1, "rolls_before": 1},
            decisions=[{**decision, "when": said}],
            options=options,
            exact=True,
        )
        for said in (when, when | always)
    )
    for one in (short, long):
        (branch,) = one["branches"]
        one["told"] = sorted(
            (*row["outcome"].items(), Fraction(int(row["weight"]), int(branch["total"])))
            for row in branch["outcomes"]
        )
    assert short["told"] == long["told"]
    assert glitches(short) == pytest.approx(glitches(long), abs=1e-12)
    assert measures(short) == pytest.approx(measures(long), abs=1e-12)


@given(
    pool=st.integers(1, 12),
    threshold=st.integers(1, 20),
    rolls=st.integers(1, 6),
    hand=st.integers(-3, 3).filter(bool),
)
def test_attribution_in_floats_is_that_of_fractions(pool: int, threshold: int, rolls: int, hand: int) -> None:
    situation, by_hand = {"intervals": rolls}, [{"to": "test.pool", "label": "By hand", "value": hand}]
    answer = extended(pool, threshold, situation=situation, modifiers=by_hand, attribution=True)
    without = extended(pool, threshold, situation=situation)
    (row,) = answer["attribution"]
    difference = {id: value - measures(without)[id] for id, value in measures(answer).items()}
    assert row["change"] == pytest.approx(difference, abs=1e-9)


def test_what_is_too_large_says_so() -> None:
    with pytest.raises(InputError) as caught:
        extended(60, modifiers=[{"to": "test.pool", "label": "By hand", "value": 90}])
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("situation.intervals", "too-complex")
    assert "150 dice" in problem.message
    assert problem.hint is not None
    assert "intervals" in problem.hint


def test_fractions_of_thousands_of_digits_are_not_written_out() -> None:
    with pytest.raises(InputError) as caught:
        extended(60, situation={"intervals": 90}, exact=True)
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("exact", "too-complex")


# Policies.


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize(
    "decisions", [[FAILING], [ADD], [NEGATE, FAILING]], ids=["reroll", "add", "negate, or reroll"]
)
def test_policies_of_sixty_dice_against_sixty_have_odds(decisions: list[Any], counted: bool) -> None:
    answer = attack(60, 60, *decisions, options={"glitch_counts_exploded": counted})
    assert sum(chances(answer)) == pytest.approx(1, abs=1e-12)


def glitches(answer: Any) -> dict[tuple[str, str], float]:
    return {(row["roll"], kind): row[kind] for row in answer["glitches"] for kind in ("glitch", "critical")}


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("decision", [FAILING, ADD], ids=["reroll", "add"])
@pytest.mark.parametrize(("mine", "theirs"), [(3, 2), (4, 5), (1, 3)])
def test_glitches_are_those_of_each_number_of_ones(
    mine: int, theirs: int, decision: Any, counted: bool
) -> None:
    """A policy that goes by the ones has each of them told apart; its chances must be the same."""
    options = {"glitch_counts_exploded": counted}
    never = {**AFTER, "choose": "reroll", "by": "target", "when": {"ones": {"at_least": 90}}}
    short = {"short": {"at_least": 1}, "ones": {"at_least": 0}}
    apart = attack(mine, theirs, {**decision, "when": short}, never, edge=2, options=options)
    merged = attack(mine, theirs, decision, edge=2, options=options)
    assert measures(merged) == pytest.approx(measures(apart), abs=1e-12)
    assert glitches(merged) == pytest.approx(glitches(apart), abs=1e-12)


def test_ones_of_both_sides_are_too_many_to_tell_apart() -> None:
    with pytest.raises(InputError) as caught:
        attack(60, 60, {**AFTER, "choose": "reroll", "when": {"ones": {"at_most": 10}}})
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("decisions", "too-complex")
