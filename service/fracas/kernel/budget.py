"""Processor time that a computation may take, checked where the work is done.

The kernel knows no clock: the one who makes a budget brings one (`fracas.engine.budgets`).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from fracas.errors import OverBudgetError

__all__ = ["UNLIMITED", "Budget"]


class Budget:
    """Seconds of processor time, counted from when it is made.

    Args:
        seconds: of processor time.
        used: the processor time of this thread in seconds.
        passed: the time that has passed in seconds, which is never less and is read much faster.
        over: makes the error of a budget that is used up.
    """

    __slots__ = ("_end", "_last", "_over", "_passed", "_used", "seconds")

    def __init__(
        self,
        seconds: float,
        used: Callable[[], float],
        passed: Callable[[], float],
        over: Callable[[float], Exception] = OverBudgetError.after,
    ) -> None:
        self.seconds = seconds
        self._used, self._passed, self._over = used, passed, over
        self._end, self._last = used() + seconds, passed() + seconds

    def check(self) -> None:
        """
        Raises:
            OverBudgetError: all of it is used, unless `over` makes another error.
        """
        if self._passed() > self._last and self.is_over:
            raise self._over(self.seconds)

    @property
    def is_over(self) -> bool:
        """Whether all of it is used."""
        return self._used() > self._end


def _never() -> float:
    return 0.0


UNLIMITED = Budget(inf, _never, _never)
"""As much time as it takes, for a caller who waits alone and can give up."""
