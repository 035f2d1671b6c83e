"""Extended Tests and teamwork: the odds against every throw of small pools, and laws that hold for all."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_table import chances, effects, measures, odds, resolve, seed, step, total

from fracas.engine.running import Answer
from fracas.errors import InputError

NAMES = ("ended", "hits", "rolls", "glitched")
Ends = dict[tuple[Any, ...], Fraction]


def extended(tester: Any, threshold: int = 4, **more: Any) -> dict[str, Any]:
    names = ("intervals", "interval", "hits_before", "rolls_before", "teamwork", "attribute", "skill")
    situation = {name: more.pop(name) for name in names if name in more}
    return {
        "situation": {"tester": tester, "threshold": threshold, **situation},
        "procedure": "extended-test",
        **more,
    }


@cache
def throws(pool: int) -> dict[tuple[int, str], Fraction]:
    """Hits and glitch of every throw of some dice."""
    found: dict[tuple[int, str], Fraction] = defaultdict(Fraction)
    for dice in product(range(1, 7), repeat=pool):
        hits, ones = sum(die >= 5 for die in dice), dice.count(1)
        glitch = "no" if ones * 2 < pool else "glitch" if hits else "critical"
        found[hits, glitch] += Fraction(1, 6**pool)
    return dict(found)


def by_the_book(pool: int, threshold: int, rolls: int, decay: bool = False, loses: bool = True) -> Ends:
    """Section 1 once more: roll after roll."""
    found: Ends = defaultdict(Fraction)

    def go(hits: int, made: int, glitched: bool, chance: Fraction) -> None:
        dice = pool - made if decay else pool
        if hits >= threshold:
            found["threshold", hits, made, glitched] += chance
        elif made == rolls:
            found["time", hits, made, glitched] += chance
        elif dice <= 0:
            found["no-dice", hits, made, glitched] += chance
        else:
            for (more, glitch), share in throws(dice).items():
                now, spoilt = hits + more, glitched or glitch != "no"
                if glitch == "critical":
                    found["critical-glitch", now, made + 1, spoilt] += chance * share
                elif glitch == "glitch" and loses and now < threshold:
                    for die in range(1, 7):
                        go(max(0, now - die), made + 1, spoilt, chance * share / 6)
                else:
                    go(now, made + 1, spoilt, chance * share)

    go(0, 0, False, Fraction(1))
    return found


@pytest.mark.parametrize("loses", [True, False])
@pytest.mark.parametrize("decay", [True, False])
@pytest.mark.parametrize(
    ("pool", "threshold", "rolls"), [(1, 1, 2), (2, 3, 3), (3, 2, 3), (4, 4, 3), (3, 4, 5)]
)
def test_odds_are_those_of_all_throws(
    pool: int, threshold: int, rolls: int, decay: bool, loses: bool
) -> None:
    options = {"extended_decay": decay, "extended_glitch_loses_hits": loses}
    found = odds(**extended({"pool": pool}, threshold, intervals=rolls, options=options))
    expected = by_the_book(pool, threshold, rolls, decay, loses)
    wanted = {key: float(chance) for key, chance in expected.items()}
    assert chances(found, NAMES) == pytest.approx(wanted, abs=1e-12)
    success = sum(float(chance) for key, chance in expected.items() if key[0] == "threshold")
    assert measures(found)["success"] == pytest.approx(success, abs=1e-12)
    assert measures(found)["rolls"] == pytest.approx(
        sum(key[2] * float(chance) for key, chance in expected.items())
    )


def test_the_chance_of_a_glitch_is_given_for_each_roll() -> None:
    found = odds(**extended({"pool": 3}, 4, intervals=2))
    glitches = {each["roll"]: each for each in found["glitches"]}
    assert set(glitches) == {"roll_1", "roll_2"}
    first = throws(3)
    plain = float(sum(share for (_, glitch), share in first.items() if glitch == "glitch"))
    worst = float(sum(share for (_, glitch), share in first.items() if glitch == "critical"))
    assert glitches["roll_1"]["glitch"] == pytest.approx(plain)
    assert glitches["roll_1"]["critical"] == pytest.approx(worst)
    assert glitches["roll_2"]["critical"] < worst


@given(
    pool=st.integers(0, 8),
    threshold=st.integers(1, 12),
    rolls=st.integers(1, 6),
    decay=st.booleans(),
    number=st.integers(0, 2**32),
)
def test_laws_of_what_falls(pool: int, threshold: int, rolls: int, decay: bool, number: int) -> None:
    answer = resolve(
        **extended(
            {"pool": pool}, threshold, intervals=rolls, options={"extended_decay": decay}, dice=seed(number)
        )
    )
    outcome = answer["outcome"]
    assert outcome["success"] is (outcome["ended"] == "threshold") is (outcome["hits"] >= threshold)
    assert 0 <= outcome["rolls"] <= rolls
    assert outcome["hits"] >= 0
    thrown = [outcome[f"roll_{at}_hits"] for at in range(1, outcome["rolls"] + 1)]
    assert outcome["hits"] <= sum(thrown)
    if not outcome["glitched"]:
        assert outcome["hits"] == sum(thrown)
    if outcome["ended"] == "time":
        assert outcome["rolls"] == rolls
    if decay:
        assert outcome["rolls"] <= pool


@given(pool=st.integers(1, 8), threshold=st.integers(1, 8), rolls=st.integers(1, 5))
def test_more_time_never_hurts(pool: int, threshold: int, rolls: int) -> None:
    short = measures(odds(**extended({"pool": pool}, threshold, intervals=rolls)))
    long = measures(odds(**extended({"pool": pool}, threshold, intervals=rolls + 1)))
    assert long["success"] >= short["success"] - 1e-12


def test_a_test_may_be_continued() -> None:
    """Two rolls at once are as good as one and one more."""
    whole = measures(odds(**extended({"pool": 4}, 3, intervals=2)))["success"]
    first = chances(odds(**extended({"pool": 4}, 3, intervals=1)), ("ended", "hits"))
    later = 0.0
    for (ended, hits), chance in first.items():
        if ended == "threshold":
            later += chance
        elif ended == "time":
            rest = odds(**extended({"pool": 4}, 3, intervals=1, rolls_before=1, hits_before=hits))
            later += chance * measures(rest)["success"]
    assert later == pytest.approx(whole, abs=1e-12)


def test_edge_is_offered_until_it_is_spent() -> None:
    """In step mode every roll asks, before and after; once a point is gone, nobody is asked any more."""
    tester = {"pool": 3, "edge": 2, "edge_points": 5}
    dice = iter([[2, 3, 4], [2, 3, 4], [6, 5, 1], [2, 3, 4]])

    def choose(question: Any) -> str | None:
        second = question["about"]["roll"] == "roll_2" and question["decision"] == "edge-after"
        return "reroll" if second else None

    def roll(question: Any) -> Answer:
        return Answer(dice=(tuple(next(dice)),))

    answer, asked = step(**extended(tester, 9, intervals=3), choose=choose, roll=roll)
    decisions = [(each["decision"], each["about"]["roll"]) for each in asked if each["kind"] == "decision"]
    assert decisions == [
        ("edge-before", "roll_1"),
        ("edge-after", "roll_1"),
        ("edge-before", "roll_2"),
        ("edge-after", "roll_2"),
    ]
    assert answer["outcome"]["hits"] == 2
    (spent,) = effects(answer, "spend", "edge")
    assert spent["amount"] == 1


def test_a_reroll_keeps_the_glitch_and_its_loss() -> None:
    tester = {"pool": 4, "edge": 2, "edge_points": 1}
    answer = resolve(
        **extended(
            tester,
            6,
            intervals=1,
            decisions=[{"decision": "edge-after", "by": "tester", "choose": "reroll"}],
            dice=[[1, 1, 5, 3], [6, 6, 2], [2]],
        )
    )
    assert answer["outcome"]["roll_1_hits"] == 3
    assert answer["outcome"]["glitched"] is True
    assert answer["outcome"]["hits"] == 1


def test_a_long_shot_is_one_roll() -> None:
    tester = {"pool": 0, "edge": 3, "edge_points": 1}
    answer = resolve(
        **extended(
            tester,
            4,
            intervals=3,
            decisions=[{"decision": "edge-before", "by": "tester", "choose": "long-shot"}],
            dice=[[6, 5, 2]],
        )
    )
    assert (answer["outcome"]["hits"], answer["outcome"]["ended"]) == (2, "no-dice")
    assert effects(answer, "spend", "edge")


@pytest.mark.parametrize("given_", ["push", "add", "reroll", "negate-glitch"])
def test_with_edge_the_chances_still_make_one(given_: str) -> None:
    when = "edge-before" if given_ == "push" else "edge-after"
    wish = [{"decision": when, "by": "tester", "roll": "roll_1", "choose": given_}]
    tester = {"pool": 3, "edge": 2, "edge_points": 1}
    with_edge = odds(**extended(tester, 4, intervals=2, decisions=wish))
    without = odds(**extended(tester, 4, intervals=2))
    assert sum(chances(with_edge, NAMES).values()) == pytest.approx(1, abs=1e-12)
    assert measures(with_edge)["success"] > measures(without)["success"]


def test_intervals_take_time() -> None:
    def seconds(interval: str) -> int:
        answer = resolve(**extended({"pool": 1}, 9, intervals=2, interval=interval, dice=[[2], [3]]))
        return int(answer["outcome"]["seconds"])

    assert [seconds(name) for name in ("fast", "quick", "short", "average", "long", "consuming")] == [
        2 * unit for unit in (3, 60, 600, 1800, 3600, 86400)
    ]


# Teamwork.


def teamwork(tester: dict[str, Any], hits: int, **more: Any) -> int:
    situation = {
        "tester": tester,
        "attribute": "agility",
        "teamwork": {"hits": hits, **more},
        "skill": "pistols",
    }
    answer = resolve(situation=situation, procedure="success-test", dice=seed(3))
    return total(answer, "test.pool")


@given(skill=st.integers(1, 7), hits=st.integers(0, 12))
def test_helpers_never_add_more_than_the_skill(skill: int, hits: int) -> None:
    tester = {"agility": 4, "skills": {"pistols": skill}}
    assert teamwork(tester, hits) == 4 + skill + min(skill, hits)
    assert teamwork(tester, hits, critical_glitch=True) == 4 + skill


def test_helpers_of_somebody_unskilled_do_not_help() -> None:
    assert teamwork({"agility": 4, "skills": {}}, 3) == 3


# Burned Edge.


def burn(**tester: Any) -> dict[str, Any]:
    return {"situation": {"tester": {"pool": 2, "burn_edge": True, **tester}}, "procedure": "success-test"}


def test_burned_edge_leaves_nothing_to_chance() -> None:
    found = odds(**burn(edge=1))
    assert measures(found) == {"success": 1, "hits": 4}


@pytest.mark.parametrize(("tester", "code"), [({}, "missing-field"), ({"edge": 0}, "no-edge")])
def test_no_edge_nothing_to_burn(tester: dict[str, int], code: str) -> None:
    with pytest.raises(InputError) as caught:
        resolve(**burn(**tester))
    assert [problem.code for problem in caught.value.problems] == [code]
