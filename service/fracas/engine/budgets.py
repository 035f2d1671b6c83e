"""Budgets by the clocks of this computer."""

from __future__ import annotations

import time
from collections.abc import Callable

from fracas.errors import OverBudgetError
from fracas.kernel.budget import Budget

_used = getattr(time, "thread_time", time.perf_counter)  # Python in a browser has no time of a thread


def seconds_of_work(seconds: float, over: Callable[[float], Exception] = OverBudgetError.after) -> Budget:
    """A budget of processor time of the thread that calls this, and that does the work.

    Args:
        over: makes the error of a budget that is used up.
    """
    return Budget(seconds, _used, time.monotonic, over)
