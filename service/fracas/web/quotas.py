"""What one caller may begin and make, so that nobody fills the disk: see `Limits`."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from flask import request

from fracas.encounters.encounters import Encounters
from fracas.errors import FracasError
from fracas.web.limits import Limits
from fracas.web.turns import network_of

HOUR = 3600.0

CALLER = "fracas.caller"
"""In the environment of a request: the address of its caller, where the server knows it better than WSGI."""


class QuotaError(FracasError):
    """A limit is reached.

    Attributes:
        code: names the limit.
        status: 429 if it is one of the caller's, 503 if it is one of the service.
        retry: seconds after which it may be different.
    """

    def __init__(self, code: str, message: str, status: int = 429, retry: int = 60) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.retry = retry


def caller() -> str:
    """The address of the request that is handled, as limits count it."""
    return str(request.environ.get(CALLER) or network_of(request.remote_addr or ""))


class Quotas:
    """What callers have begun and made within an hour.

    Args:
        now: seconds that pass.
    """

    def __init__(
        self, limits: Limits, encounters: Encounters, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits
        self._encounters = encounters
        self._now = now
        self._fights: dict[str, deque[tuple[float, str]]] = {}
        self._tokens: dict[str, deque[tuple[float, str]]] = {}

    def check_fight(self) -> None:
        """Check that the caller may begin a fight.

        Raises:
            QuotaError: it has begun so many, or there are so many.
        """
        store, most = self._encounters.store, self.limits.fights
        if store.count() >= most:
            message = (
                f"{most} fights are kept here, which is the limit 'fights': remove old ones "
                "(fracas fights --older-than 30d --remove)"
            )
            raise QuotaError("too-many-fights", message, 503)
        mine, most = self._lately(self._fights), self.limits.fights_per_caller
        if len(mine) >= most:
            there = [one for one in mine if store.row(one[1]) is not None]
            mine.clear()
            mine.extend(there)
        if len(mine) >= most:
            message = (
                f"{most} fights were begun from here within an hour, which is the limit 'fights-per-caller': "
                "delete some, or wait"
            )
            raise QuotaError("too-many-fights", message)

    def begun(self, fight: str) -> None:
        """Count a fight of the caller."""
        self._lately(self._fights).append((self._now(), fight))

    def check_token(self) -> None:
        """Count a token that the caller makes.

        Raises:
            QuotaError: it has made so many.
        """
        mine, most = self._lately(self._tokens), self.limits.tokens_per_caller
        if len(mine) >= most:
            message = f"{most} tokens were made from here within an hour, which is the limit 'tokens-per-caller': wait"
            raise QuotaError("too-many-tokens", message)
        mine.append((self._now(), ""))

    def _lately(self, counted: dict[str, deque[tuple[float, str]]]) -> deque[tuple[float, str]]:
        """What the caller has done within an hour; of others, what is older is forgotten."""
        before = self._now() - HOUR
        for address in [one for one, done in counted.items() if done and done[-1][0] < before]:
            del counted[address]
        mine = counted.setdefault(caller(), deque())
        while mine and mine[0][0] < before:
            mine.popleft()
        return mine
