"""Budgets of processor time, with clocks of our own."""

from __future__ import annotations

import pytest

from fracas.errors import OverBudgetError
from fracas.kernel.budget import UNLIMITED, Budget


class Clock:
    """A clock that stands still until it is set.

    Attributes:
        read: how often it was read.
    """

    def __init__(self) -> None:
        self.now = 100.0
        self.read = 0

    def __call__(self) -> float:
        self.read += 1
        return self.now


def test_a_budget_ends_when_its_processor_time_is_used() -> None:
    used, passed = Clock(), Clock()
    budget = Budget(2, used, passed)
    used.now, passed.now = 102.0, 150.0
    budget.check()  # much time has passed, but for others
    used.now = 102.1
    with pytest.raises(OverBudgetError) as caught:
        budget.check()
    (problem,) = caught.value.problems
    assert problem.code == "too-complex"
    assert "more than 2 s of processor time" in problem.message


def test_the_slow_clock_is_read_only_when_so_much_time_has_passed() -> None:
    used, passed = Clock(), Clock()
    budget = Budget(2, used, passed)
    before = used.read
    passed.now = 101.9
    for _ in range(1000):
        budget.check()
    assert used.read == before


def test_a_budget_may_end_with_another_error() -> None:
    used = Clock()
    budget = Budget(1, used, used, lambda seconds: KeyError(seconds))
    used.now = 102.0
    with pytest.raises(KeyError, match="1"):
        budget.check()


def test_without_a_limit_nothing_ends() -> None:
    UNLIMITED.check()
    assert not UNLIMITED.is_over
