"""Work that ends with its budget of processor time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from worst_odds import WORST, extended_test, volley

from fracas.engine.budgets import seconds_of_work
from fracas.engine.game import Games
from fracas.engine.running import give_odds
from fracas.engine.samples import sample_faults
from fracas.errors import OverBudgetError, Problem
from fracas.kernel import adding_up
from fracas.kernel.budget import Budget
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy

SLACK = 1.5
"""Seconds from one look at the clock to the next, with garbage collections of a machine under load."""


@pytest.mark.parametrize("name", WORST)
def test_the_worst_odds_end_with_their_budget(ask: Callable[[Any], Any], name: str) -> None:
    request = ask(WORST[name])
    began = time.thread_time()
    with pytest.raises(OverBudgetError) as caught:
        give_odds(request, seconds_of_work(0.1))
    assert time.thread_time() - began < 0.1 + SLACK
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("situation", "too-complex")
    assert "0.1 s" in problem.message


def hint_of(problems: tuple[Problem, ...]) -> str:
    (problem,) = problems
    assert problem.hint is not None
    return problem.hint


def test_a_refusal_names_what_would_make_it_cheaper(ask: Callable[[Any], Any]) -> None:
    over = seconds_of_work(-1)
    for data, named, unnamed in (
        (volley(), "attribution: false", "exact"),
        (volley(attribution=False, exact=True), "exact", "attribution"),
        (volley(), "decisions", "exact"),
        (extended_test(), "fewer dice", "decisions"),
    ):
        with pytest.raises(OverBudgetError) as caught:
            give_odds(ask(data), over)
        hint = hint_of(caught.value.problems)
        assert named in hint
        assert unnamed not in hint


def test_a_budget_that_suffices_changes_nothing(ask: Callable[[Any], Any]) -> None:
    request = ask(extended_test(3))
    assert give_odds(request, seconds_of_work(60)) == give_odds(request)


class Counted:
    """A clock that moves on by one each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def after(checks: int) -> Budget:
    """A budget that is over after so many checks."""
    clock = Counted()
    return Budget(checks, clock, clock)


def test_the_rolls_of_an_extended_test_look_at_the_clock_within_a_product() -> None:
    smooth, none = [1] * 50, [0] * 50
    with pytest.raises(OverBudgetError):
        adding_up.after((smooth, none), ([1] * 61, [0] * 61, 0), 1, after(40))


def test_the_check_of_a_pack_ends_between_two_entries(games: Games) -> None:
    game = games.game("sr4")
    entries = list(game.packs.entries("weapon"))[:3]
    assert sample_faults(game, entries, after(3)) == []
    with pytest.raises(OverBudgetError):
        sample_faults(game, entries, after(2))


def test_stages_are_visited_under_a_budget(ask: Callable[[Any], Any]) -> None:
    prepared = ask(extended_test(3)).procedure.prepare(ask(extended_test(3)).attempt)
    assert prepared.stage is not None
    with pytest.raises(OverBudgetError):
        odds(prepared.stage, Transitions(DefaultPolicy(), budget=after(1)))
