"""One toy procedure, run by all four readers."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_rules import (
    Aim,
    Bleed,
    Climb,
    Done,
    Endless,
    Fixed,
    ForkOnHit,
    Strike,
    Volley,
    Yield,
    by_faces,
    throws,
)

from fracas.dice.pools import Pool
from fracas.dice.requests import Group
from fracas.dice.sources import Dealt, SeededDice, SuppliedDice
from fracas.dice.totals import Total
from fracas.errors import DiceError, InputError, ReplayError
from fracas.kernel import odds as odds_module
from fracas.kernel.expectations import Valuation
from fracas.kernel.odds import Odds, Transitions, odds
from fracas.kernel.readers import (
    ChoiceRecord,
    DefaultPolicy,
    Policy,
    Progress,
    RollRecord,
    begin,
    choose,
    replay,
    resolve,
    throw,
)
from fracas.kernel.stage import Effect, Fork, Roll, Stage, from_json, to_json

ONE = Aim(2, (("guard", 5),))
TWO = Aim(2, (("guard", 5), ("giant", 7)))
POLICIES = [
    Fixed(),
    Fixed(style="wild"),
    Fixed(**{"yield": "yield"}),
    Fixed(style="wild", **{"yield": "yield"}),
]


def weigh(stage: Stage, policy: Policy) -> Odds:
    return odds(stage, Transitions(policy))


def value(stage: Stage, policy: Policy) -> tuple[float, ...]:
    return Valuation(Transitions(policy), outcome_measure)(stage)


def outcome_measure(outcome: Stage) -> tuple[float, ...]:
    facts = outcome.notes()
    return float(facts["damage"] or 0), float(facts["yielded"] or False)


# Resolve.


def test_resolve_runs_to_the_outcome_and_notes_every_fact() -> None:
    dice = SuppliedDice([[5, 6, 2], [4], [5, 1], [3]])
    progress = resolve(ONE, dice, DefaultPolicy())
    dice.finish()
    assert progress.stage == Done(3)
    assert progress.done
    assert progress.effects() == (Effect("mark", "target", "wounds", 3),)
    assert progress.details == {
        "dice": 2,
        "style": "undecided",
        "thrown": 3,
        "volley_hits": 2,
        "volley_ones": 0,
        "volley_glitch": "none",
        "armor": 5,
        "strike_total": 6,
        "strike_target": 5,
        "strike_meets": True,
        "wounded": True,
        "bleeding_hits": 1,
        "bleeding_ones": 1,
        "bleeding_glitch": "glitch",
        "grit_hits": 0,
        "grit_ones": 0,
        "grit_glitch": "none",
        "damage": 3,
        "yielded": False,
    }


def test_resolve_records_every_roll_and_choice_in_order() -> None:
    policy = Fixed(style="wild", **{"yield": "yield"})
    progress = resolve(ONE, SuppliedDice([[5, 6, 1], [4]]), policy)
    assert progress.records == (
        ChoiceRecord(ONE.awaits, "wild", "policy"),
        RollRecord(
            Roll(("volley",), ("archer",), Pool(2, True)),
            Dealt(((5, 6, 1),), "supplied"),
            ({"hits": 2, "ones": 0, "glitch": "none"},),
        ),
        RollRecord(
            Roll(("strike",), ("archer",), Total(((1, 6),), 2, 5)),
            Dealt(((4,),), "supplied"),
            ({"total": 6, "target": 5, "meets": True},),
        ),
        ChoiceRecord(Yield(2).awaits, "yield", "policy"),
    )
    assert progress.details["style"] == "reckless"


def test_resolve_plays_the_branches_of_a_fork_one_after_the_other() -> None:
    dice = SuppliedDice([[5, 5, 2], [3], [6, 6], [1], [1]])
    progress = resolve(TWO, dice, DefaultPolicy())
    dice.finish()
    assert progress.stage == Fork((("guard", Done(4)), ("giant", Done(0))))
    assert progress.details["guard.damage"] == 4
    assert progress.details["giant.damage"] == 0
    assert progress.effects() == (Effect("mark", "target", "wounds", 4),)


def test_a_procedure_that_asks_for_ever_is_stopped() -> None:
    with pytest.raises(AssertionError, match="asked more than 1000 questions"):
        resolve(Endless(), SuppliedDice([]), DefaultPolicy())


# Step.


def stepped(stage: Stage, dice: SeededDice, policy: Fixed) -> Progress:
    """Answer one question after another; between two of them the stage is only JSON."""
    progress = begin(stage)
    while (awaited := progress.stage.awaits) is not None:
        again = from_json(json.loads(json.dumps(to_json(progress.stage))))
        assert again == progress.stage
        progress = progress._replace(stage=again)
        if isinstance(awaited, Roll):
            progress = throw(progress, dice.deal(awaited.request))
        else:
            progress = choose(progress, *policy.choose(awaited))
    return progress


@given(st.binary(min_size=16, max_size=16), st.sampled_from(POLICIES), st.sampled_from([ONE, TWO]))
def test_stepping_through_json_arrives_where_resolve_does(seed: bytes, policy: Fixed, stage: Stage) -> None:
    assert stepped(stage, SeededDice(seed), policy) == resolve(stage, SeededDice(seed), policy)


def test_a_choice_that_is_no_option_is_refused_with_a_hint() -> None:
    with pytest.raises(InputError) as caught:
        choose(begin(ONE), "stedy", path="answer")
    assert caught.value.problems == (
        ("answer", "unknown-option", "'stedy' is no option of style", "did you mean 'steady'?"),
    )


def test_a_choice_is_recorded_with_how_it_came_about() -> None:
    assert choose(begin(ONE), "wild").records == (ChoiceRecord(ONE.awaits, "wild", "chosen"),)
    assert choose(begin(ONE), "wild", "default").records == (ChoiceRecord(ONE.awaits, "wild", "default"),)


def test_answering_leaves_the_earlier_progress_as_it_was() -> None:
    start = begin(ONE)
    later = throw(choose(start, "steady"), Dealt(((1, 1, 1),), "supplied"))
    assert later.done
    assert start == begin(ONE)


# Odds.


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("dice", [0, 1, 3])
def test_odds_agree_with_every_face_of_every_die(policy: Fixed, dice: int) -> None:
    stage = Aim(dice, (("guard", 5),))
    found = weigh(stage, policy).only
    expected = by_faces(stage, policy)
    shares = {outcome: weight / found.total for outcome, weight in found.outcomes.items()}
    likely = {outcome: chance for outcome, chance in shares.items() if chance > 1e-13}
    assert set(likely) <= set(expected)
    assert {outcome: shares.get(outcome, 0.0) for outcome in expected} == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("policy", POLICIES)
def test_odds_of_a_branch_agree_with_every_face_of_every_die(policy: Fixed) -> None:
    found = weigh(TWO, policy).branches
    assert list(found) == ["guard", "giant"]
    together = by_faces(TWO, policy)
    for at, name in enumerate(found):
        expected: dict[Stage, float] = {}
        for fork, chance in together.items():
            outcome = fork.branches[at][1]  # type: ignore[attr-defined]
            expected[outcome] = expected.get(outcome, 0.0) + chance
        outcomes, total = found[name]
        shares = {outcome: outcomes.get(outcome, 0) / total for outcome in expected}
        assert shares == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "stage", [ONE, TWO, Volley(0, False, (("guard", 5), ("giant", 7))), Climb(0), Done(1)]
)
def test_weights_of_a_distribution_sum_exactly_to_its_total(stage: Stage, policy: Fixed) -> None:
    for distribution in weigh(stage, policy).branches.values():
        assert min(distribution.outcomes.values()) > 0
        assert sum(distribution.outcomes.values()) == distribution.total


def test_odds_of_chains_of_different_lengths_are_exact() -> None:
    found = weigh(Climb(0), DefaultPolicy()).only
    third = Fraction(1, 3)
    expected = {Done(0): third, Done(1): 2 * third**2, Done(2): 4 * third**3, Climb(3): Fraction(8, 27)}
    assert {outcome: Fraction(weight, found.total) for outcome, weight in found.outcomes.items()} == expected
    assert found.chance(lambda outcome: outcome.notes().get("height") == 3) == Fraction(8, 27)


def test_forks_in_forks_are_named_after_the_way_to_them() -> None:
    stage = Fork((("left", Fork((("up", Strike(1, 3)), ("down", Done(1))))), ("right", Done(2))))
    found = weigh(stage, Fixed(**{"yield": "yield"})).branches
    assert {name: branch.outcomes for name, branch in found.items()} == {
        "left.up": {Done(0): 1, Done(1, True): 5},
        "left.down": {Done(1): 1},
        "right": {Done(2): 1},
    }


def test_a_branch_without_a_name_goes_on_under_the_name_before_it() -> None:
    rest = Fork((("down", Done(1)), ("", Done(4))))
    stage = Fork((("left", Fork((("", Done(3)), ("up", Strike(1, 3))))), ("", rest)))
    found = weigh(stage, Fixed(**{"yield": "yield"})).branches
    assert {name: branch.outcomes for name, branch in found.items()} == {
        "left": {Done(3): 1},
        "left.up": {Done(0): 1, Done(1, True): 5},
        "down": {Done(1): 1},
        "": {Done(4): 1},
    }


def test_a_policy_changes_the_odds_of_what_it_decides() -> None:
    stage = Strike(3, 1)
    assert weigh(stage, Fixed(**{"yield": "yield"})).only.chance(lambda end: end == Done(3, True)) == 1
    assert weigh(stage, Fixed()).only.chance(lambda end: end == Done(3, True)) == 0


@given(st.binary(min_size=16, max_size=16), st.sampled_from(POLICIES))
def test_whatever_is_rolled_has_odds(seed: bytes, policy: Fixed) -> None:
    outcome = resolve(ONE, SeededDice(seed), policy).stage
    assert weigh(ONE, policy).only.outcomes[outcome] > 0


def test_glitches_are_weighed_with_the_chance_of_the_throw() -> None:
    found = weigh(ONE, DefaultPolicy()).glitches
    # Three dice in the volley; one hit or more, then d6 + hits >= 5, then two dice against one.
    struck = (
        Fraction(12, 27) * Fraction(3, 6)
        + Fraction(6, 27) * Fraction(4, 6)
        + Fraction(1, 27) * Fraction(5, 6)
    )
    assert set(found) == {"volley", "bleeding", "grit"}
    assert found["volley"].glitch == pytest.approx(3 * 2 / 216, abs=1e-15)  # 1, 1 and a hit
    assert found["volley"].critical == pytest.approx((3 * 3 + 1) / 216, abs=1e-15)
    assert found["bleeding"].glitch == pytest.approx(float(struck) * 4 / 36, abs=1e-15)
    assert found["bleeding"].critical == pytest.approx(float(struck) * 7 / 36, abs=1e-15)
    assert found["grit"] == pytest.approx((0.0, float(struck) / 6), abs=1e-15)


def test_glitches_are_not_looked_for_where_nobody_asks() -> None:
    assert odds(ONE, Transitions(DefaultPolicy()), glitches=False).glitches == {}


def test_odds_that_never_end_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        weigh(Endless(), DefaultPolicy())
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("situation", "too-complex")
    assert str(odds_module.MAX_THROWS) in problem.message


@pytest.mark.parametrize("policy", POLICIES)
def test_a_valuation_is_the_expectation_over_the_odds(policy: Fixed) -> None:
    found = weigh(ONE, policy).only
    damage = sum(weight * outcome_measure(end)[0] for end, weight in found.outcomes.items()) / found.total
    yielded = sum(weight * outcome_measure(end)[1] for end, weight in found.outcomes.items()) / found.total
    assert value(ONE, policy) == pytest.approx((damage, yielded), abs=1e-12)


def test_a_valuation_of_a_fork_adds_its_branches() -> None:
    guard, giant = Strike(2, 5), Strike(2, 7)
    parts = [value(part, DefaultPolicy()) for part in (guard, giant)]
    both = value(Fork((("guard", guard), ("giant", giant))), DefaultPolicy())
    assert both == pytest.approx(tuple(map(sum, zip(*parts, strict=True))), abs=1e-12)


def test_odds_and_valuations_may_share_what_they_know_of_the_stages() -> None:
    shared = Transitions(DefaultPolicy())
    first, second = odds(ONE, shared), Valuation(shared, outcome_measure)(ONE)
    assert (first, second) == (weigh(ONE, DefaultPolicy()), value(ONE, DefaultPolicy()))
    assert odds(ONE, shared) == first


# Replay.


@given(st.binary(min_size=16, max_size=16), st.sampled_from(POLICIES), st.sampled_from([ONE, TWO, Climb(0)]))
def test_replay_of_a_log_equals_the_original(seed: bytes, policy: Fixed, stage: Stage) -> None:
    original = resolve(stage, SeededDice(seed), policy)
    assert replay(stage, original.records) == original


LOG = resolve(TWO, SuppliedDice([[5, 5, 2], [3], [6, 6], [1], [6], [2, 2], [3]]), DefaultPolicy()).records


def changed(at: int, record: Any) -> list[Any]:
    return [*LOG[:at], record, *LOG[at + 1 :]]


@pytest.mark.parametrize("size", range(len(LOG)))
def test_replay_refuses_a_log_that_ends_early(size: int) -> None:
    with pytest.raises(ReplayError, match="the log ends before"):
        replay(TWO, LOG[:size])


@pytest.mark.parametrize("extra", LOG)
def test_replay_refuses_a_log_that_goes_on_after_the_outcome(extra: Any) -> None:
    with pytest.raises(ReplayError, match=f"record {len(LOG)} answers"):
        replay(TWO, [*LOG, extra])


@pytest.mark.parametrize("at", range(len(LOG)))
def test_replay_refuses_a_log_that_lacks_a_record(at: int) -> None:
    with pytest.raises(ReplayError):
        replay(TWO, [*LOG[:at], *LOG[at + 1 :]])


@pytest.mark.parametrize(("first", "second"), list(pairwise(range(len(LOG)))))
def test_replay_refuses_records_in_another_order(first: int, second: int) -> None:
    log = list(LOG)
    log[first], log[second] = log[second], log[first]
    with pytest.raises(ReplayError, match=f"record {first} answers"):
        replay(TWO, log)


@pytest.mark.parametrize("at", range(len(LOG)))
def test_replay_refuses_a_record_of_another_question(at: int) -> None:
    record = LOG[at]
    if isinstance(record, RollRecord):
        altered: Any = record._replace(roll=record.roll._replace(by=("somebody",)))
    else:
        altered = record._replace(decision=record.decision._replace(by="somebody"))
    with pytest.raises(ReplayError, match=f"record {at} answers"):
        replay(TWO, changed(at, altered))


def test_replay_refuses_a_choice_that_leads_to_another_question() -> None:
    with pytest.raises(ReplayError, match="record 1 answers"):
        replay(TWO, changed(0, LOG[0]._replace(choice="wild")))  # type: ignore[call-arg]


def test_replay_refuses_faces_that_lead_to_another_question() -> None:
    assert isinstance(LOG[1], RollRecord)
    with pytest.raises(ReplayError, match="record 2 answers"):
        replay(TWO, changed(1, LOG[1]._replace(dealt=Dealt(((1, 1, 1),), "supplied"))))


def test_replay_does_not_start_from_another_stage() -> None:
    with pytest.raises(ReplayError, match="record 0 answers"):
        replay(TWO._replace(dice=3), LOG)


# What the tests themselves count with.


def test_enumerated_throws_are_complete() -> None:
    for group in (Group(2, 6), Group(1, 20), Group(0, 6), Group(2, 6, True)):
        assert sum(chance for _, chance in throws(group)) == pytest.approx(1.0, abs=1e-12)


# Known faults.


def test_replay_refuses_a_choice_that_is_no_option() -> None:
    with pytest.raises(ReplayError):
        replay(TWO, changed(0, LOG[0]._replace(choice="never")))  # type: ignore[call-arg]


@pytest.mark.parametrize("faces", [((5, 5, 0),), ((5, 5, 2, 2),), ((5, 5),), ((5, 5, 2), (5,))])
def test_replay_refuses_faces_that_do_not_fit_the_roll(faces: Any) -> None:
    with pytest.raises((ReplayError, DiceError)):
        replay(TWO, changed(1, LOG[1]._replace(dealt=Dealt(faces, "supplied"))))  # type: ignore[call-arg]


def test_the_chance_of_a_glitch_is_never_above_one() -> None:
    guards = Fork(tuple((f"guard-{number}", Bleed(1)) for number in range(9)))
    assert max(map(sum, weigh(guards, DefaultPolicy()).glitches.values())) <= 1


def test_weights_of_a_branch_that_only_some_paths_reach_sum_to_the_share_that_does() -> None:
    found = weigh(ForkOnHit(), DefaultPolicy()).branches
    shares = {name: Fraction(sum(branch.outcomes.values()), branch.total) for name, branch in found.items()}
    forked = {share for name, share in shares.items() if name}
    assert len(forked) == 1
    assert 0 < forked.pop() == 1 - shares[""]
