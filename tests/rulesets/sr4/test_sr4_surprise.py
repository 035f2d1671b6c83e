"""Surprise Tests: their odds against every throw of the dice, and who surprises whom."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_table import GAME, chances, effects, lines, measures, odds, resolve, seed, step, total

from fracas.errors import InputError
from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.procedures import owners_of
from fracas.rulesets.sr4.fights.turns import CombatTurn
from fracas.rulesets.sr4.rolls.initiative import SurpriseHits, SurpriseTest, is_surprised, surprised_by

TIES = ("core", "sr4a")
IDS = "abcde"
NOTICING = st.dictionaries(
    st.sampled_from(IDS),
    st.builds(
        SurpriseHits,
        st.integers(0, 6),
        st.sampled_from(["", "red", "blue"]),
        st.frozensets(st.sampled_from(IDS)),
    ),
    max_size=5,
)


def surprise(tester: Any, **more: Any) -> dict[str, Any]:
    situation = {name: more.pop(name) for name in ("against",) if name in more}
    return {"situation": {"tester": tester, **situation}, "procedure": "surprise-test", **more}


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(("pool", "against"), [(1, 0), (2, 1), (4, 2), (5, 0), (3, 4)])
def test_chance_of_surprise_is_that_of_all_throws(pool: int, against: int, tie: str) -> None:
    found = odds(**surprise({"pool": pool}, against=against, options={"surprise_tie": tie}))
    expected: dict[tuple[Any, ...], Fraction] = {}
    for dice in product(range(1, 7), repeat=pool):
        hits = sum(die >= 5 for die in dice)
        surprised = hits <= against if tie == "core" else hits < against
        key = (hits, surprised)
        expected[key] = expected.get(key, Fraction(0)) + Fraction(1, 6**pool)
    wanted = {key: float(chance) for key, chance in expected.items()}
    assert chances(found, ("hits", "surprised")) == pytest.approx(wanted, abs=1e-12)
    assert measures(found)["surprised"] == pytest.approx(
        sum(float(chance) for (_, surprised), chance in expected.items() if surprised), abs=1e-12
    )
    assert measures(found)["hits"] == pytest.approx(pool / 3)


@given(pool=st.integers(0, 12), against=st.integers(0, 8), number=st.integers(0, 2**32))
def test_what_falls_is_compared_as_the_odds_do(pool: int, against: int, number: int) -> None:
    answer = resolve(**surprise({"pool": pool}, against=against, dice=seed(number)))
    hits, surprised = answer["outcome"]["hits"], answer["outcome"]["surprised"]
    assert surprised is (hits <= against)
    assert bool(effects(answer, "add-condition", "surprised")) is surprised
    found = chances(odds(**surprise({"pool": pool}, against=against)), ("hits", "surprised"))
    assert found[hits, surprised] > 0


def test_nobody_else_no_comparison() -> None:
    answer = resolve(**surprise({"pool": 3}, dice=[[1, 2, 3]]))
    assert "surprised" not in answer["outcome"]
    assert not answer["effects"]
    assert measures(odds(**surprise({"pool": 3})))["surprised"] == 0


def test_who_lies_in_wait_is_never_surprised() -> None:
    found = odds(**surprise({"pool": 3, "ambushing": True}, against=6))
    assert measures(found)["surprised"] == 0


@pytest.mark.parametrize(
    ("more", "dice"),
    [({}, 0), ({"alerted": True}, 3), ({"ambushing": True}, 6), ({"alerted": True, "ambushing": True}, 6)],
)
def test_being_warned_and_lying_in_wait(more: dict[str, bool], dice: int) -> None:
    answer = resolve(**surprise({"reaction": 4, "intuition": 3, **more}, dice=seed(1)))
    assert total(answer, "surprise.pool") == 7 + dice


def test_combat_paralysis_by_hand() -> None:
    """The trait's change, as encounters bring it in."""
    trait = GAME.packs.entry("trait", "combat-paralysis")
    assert trait
    (change,) = trait.data["changes"]
    hand = [{"to": change["stat"], "value": change["add"], "label": trait.label}]
    answer = resolve(**surprise({"reaction": 4, "intuition": 3}, modifiers=hand, dice=seed(1)))
    assert total(answer, "surprise.pool") == 4


def test_attributes_are_needed() -> None:
    with pytest.raises(InputError) as caught:
        resolve(**surprise({"body": 3}))
    assert [problem.path for problem in caught.value.problems] == [
        "situation.tester.reaction",
        "situation.tester.intuition",
    ]


def test_step_by_step_edge_is_asked_for() -> None:
    tester = {"pool": 3, "edge": 2, "edge_points": 1}
    answer, asked = step(
        **surprise(tester, against=1),
        choose=lambda question: "push" if question["decision"] == "edge-before" else None,
    )
    assert answer["status"] == "resolved"
    assert effects(answer, "spend", "edge")
    assert asked[0]["decision"] == "edge-before"


def test_encounters_know_the_test() -> None:
    """Its number belongs to the tester, and the fight tells the boxes."""
    rules = CombatTurn()
    assert owners_of((SurpriseTest(),))["surprise.pool"] == "tester"
    one = Participant("one", "One", "players", True, {"reaction": 3, "intuition": 3})
    told = rules.situate(StepContext(Table(1, 1, {"one": one}), one, None, "surprise-test", {}))
    assert told["tester"]["physical"] == told["tester"]["stun"] == 0


def test_its_lines_are_those_of_the_rule() -> None:
    answer = resolve(**surprise({"reaction": 3, "intuition": 2, "stun": 6}, dice=seed(2)))
    told = lines(answer, "surprise.pool").items()
    assert {id: line["value"] for id, line in told if line["verdict"] == "applied"} == {
        "reaction": 3,
        "intuition": 2,
        "wounds": -2,
    }


# Comparing.


@pytest.mark.parametrize(
    ("mine", "theirs", "seed_", "sr4a"),
    [(2, 2, True, False), (3, 2, False, False), (1, 2, True, True), (0, 0, True, False)],
)
def test_the_rulebook_s_two_readings(mine: int, theirs: int, seed_: bool, sr4a: bool) -> None:
    assert is_surprised(mine, theirs, "seed") is seed_
    assert is_surprised(mine, theirs, "sr4a") is sr4a


def test_an_ambush() -> None:
    """Two lie in wait for two; one of these has more hits than one of the ambushers."""
    tests = {
        "ann": SurpriseHits(3, "ambush", frozenset({"cas", "dan"})),
        "bob": SurpriseHits(1, "ambush", frozenset({"cas", "dan"})),
        "cas": SurpriseHits(2, "prey"),
        "dan": SurpriseHits(3, "prey"),
    }
    assert surprised_by(tests, "seed") == {"ann": (), "bob": (), "cas": ("ann",), "dan": ("ann",)}
    assert surprised_by(tests, "sr4a") == {"ann": (), "bob": (), "cas": ("ann",), "dan": ()}


def test_an_ambusher_may_be_surprised_by_somebody_not_expected() -> None:
    tests = {
        "ann": SurpriseHits(1, awaits=frozenset({"cas"})),
        "cas": SurpriseHits(2),
        "eve": SurpriseHits(2),
    }
    assert surprised_by(tests, "seed") == {"ann": ("eve",), "cas": ("eve",), "eve": ("cas",)}


@given(tests=NOTICING)
def test_by_seed_of_two_foes_at_least_one_is_surprised_by_sr4a_at_most_one(
    tests: dict[str, SurpriseHits],
) -> None:
    strict, lenient = surprised_by(tests, "seed"), surprised_by(tests, "sr4a")
    for one, other in combinations(tests, 2):
        mine, theirs = tests[one], tests[other]
        friends = bool(mine.side) and mine.side == theirs.side
        open_ = not friends and other not in mine.awaits and one not in theirs.awaits
        assert not open_ or other in strict[one] or one in strict[other]
        assert not (other in lenient[one] and one in lenient[other])
        assert not (friends and (other in strict[one] or one in strict[other]))
    for one in tests:
        assert set(lenient[one]) <= set(strict[one])
        assert one not in strict[one]
        assert not set(strict[one]) & tests[one].awaits


@given(tests=NOTICING, tie=st.sampled_from(TIES), data=st.data())
def test_more_hits_never_surprise_more(tests: dict[str, SurpriseHits], tie: str, data: st.DataObject) -> None:
    if not tests:
        assert surprised_by(tests, tie) == {}
        return
    one = data.draw(st.sampled_from(sorted(tests)))
    better = {**tests, one: tests[one]._replace(hits=tests[one].hits + 1)}
    before, after = surprised_by(tests, tie), surprised_by(better, tie)
    assert set(after[one]) <= set(before[one])
    assert all(set(before[other]) - {one} == set(after[other]) - {one} for other in tests if other != one)
