"""How much processor time the work of a request may take.

What may take long is done by worker processes (`fracas.web.workers`). What is mostly quick, such as odds, is tried at
once: a server that has workers asks for that with `TRIED` in the environment of a request. If such a trial takes
longer than `TRIAL` seconds, it ends, and a worker does the whole work from the beginning.
"""

from __future__ import annotations

from flask import request

from fracas.engine.budgets import seconds_of_work
from fracas.kernel.budget import Budget

TRIAL = 0.02
"""Seconds of processor time of a trial: all others wait so long, and odds of an ordinary attack take a third of it."""

TRIED = "fracas.tried"
"""Set in the environment of a request which a worker handles if it takes long."""

HANDED_OVER = "fracas.handed-over"
"""Set by a trial that took too long."""

REFUSED = "fracas.refused"
"""Set in the environment of a request that the server does not want handled: a `bodies.Refusal`."""

CHECK = 15
"""Times the budget of odds that the check of a pack has: it puts each entry to use."""

BALANCE = 5
"""Times the budget of odds that weighing all weapons of a game has."""


EXCHANGE = 5
"""The same for several attacks, one after the other."""

SEVERAL = max(BALANCE, EXCHANGE)
"""Times the budget of odds that a worker has for what is tried first, some of which is many odds."""


class HandedOverError(Exception):
    """A trial took too long. No error of Fracas, so that nobody takes it for an answer."""


def answer_nothing(error: HandedOverError) -> tuple[str, int]:
    """The answer of a trial that took too long, which no one sees."""
    return "", 503


def budget(seconds: float) -> Budget:
    """The budget of the request that is handled; nothing that it changed may be kept when it ends.

    Args:
        seconds: of processor time, unless this is a trial.
    """
    environ = request.environ
    if environ.get(TRIED):
        return seconds_of_work(min(seconds, TRIAL), _hand_over)
    return seconds_of_work(seconds)


def _hand_over(seconds: float) -> Exception:
    request.environ[HANDED_OVER] = True
    return HandedOverError()
