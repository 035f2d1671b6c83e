"""Forecasts part by part: each answer counts all fights so far, and holds what goes on from there."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from itsdangerous import BadSignature
from itsdangerous.url_safe import URLSafeSerializer

from fracas.encounters.state import State, to_json
from fracas.engine.game import Game
from fracas.errors import ContinuationError
from fracas.forecast.forecasting import Forecast
from fracas.forecast.summing import Counts, Tally
from fracas.kernel.budget import Budget

KEPT = 2
"""Forecasts that stay made ready, for the parts that follow."""
_NOT_OF_IT = ("fights", "continuation")
"""What of a request changes nothing of its fights."""


class Parts:
    """Answers parts of forecasts.

    Args:
        secret: signs continuations.

    Attributes:
        most: fights of one answer; None for as many as the budget allows.
    """

    most: int | None = None

    def __init__(self, secret: bytes) -> None:
        self._signer = URLSafeSerializer(secret, salt="fracas.forecast.1")
        self._kept: OrderedDict[str, Forecast] = OrderedDict()

    def answer(
        self,
        game: Game,
        state: State,
        asked: Mapping[str, Any],
        budgets: tuple[Callable[[], Budget], Callable[[], Budget]],
        paused: bool = False,
    ) -> dict[str, Any]:
        """The forecast so far: as many fights as the budget allows, on top of those of a continuation.

        Args:
            asked: as `asking.ForecastSchema` leaves it.
            budgets: make the budget for making it ready, and for playing.
            paused: plays no more fights, so that what there is is answered at once.

        Raises:
            InputError: it cannot be forecast, and why.
            ContinuationError: what goes on is another forecast, or another fight.
        """
        key = _key(game, state, asked)
        one = self._ready(key, game, state, asked, budgets[0])
        tallies, done = one.tallies(), 0
        if asked["continuation"]:
            done = self._go_on(key, asked["continuation"], tallies)
        count = 0 if paused else max(0, asked["fights"] - done)
        count = count if self.most is None else min(count, self.most)
        found = one.play(asked["start"] + done, count, budgets[1]())
        for tally, more in zip(tallies, found, strict=True):
            tally.counts.plus(more.counts)
        done = len(tallies[0].counts.winners)
        answer = one.report(asked["start"], tallies)
        left = asked["fights"] - done
        counts = [plain(tally.counts) for tally in tallies]
        answer["continuation"] = self._signer.dumps([key, counts]) if left > 0 else None
        return {**answer, "wanted": asked["fights"]}

    def _ready(
        self, key: str, game: Game, state: State, asked: Mapping[str, Any], budget: Callable[[], Budget]
    ) -> Forecast:
        found = self._kept.get(key)
        if found is None:
            found = Forecast(game, state, asked, budget())
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return found

    def _go_on(self, key: str, continuation: str, tallies: list[Tally]) -> int:
        try:
            of, counts = self._signer.loads(continuation)
        except BadSignature:
            raise ContinuationError("this is no continuation of a forecast by this service") from None
        if of != key or len(counts) != len(tallies):
            raise ContinuationError("the continuation is of another forecast, or the fight has moved on")
        for tally, one in zip(tallies, counts, strict=True):
            tally.counts.plus(counts_of(one, tally))
        return len(tallies[0].counts.winners)


def _key(game: Game, state: State, asked: Mapping[str, Any]) -> str:
    """Equal for the same fights."""
    packs = [[pack.manifest.id, pack.manifest.version, pack.digest] for pack in game.packs.packs]
    rest = {name: value for name, value in asked.items() if name not in _NOT_OF_IT}
    text = json.dumps([packs, to_json(state), rest], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def plain(counts: Counts) -> dict[str, Any]:
    """Counts as JSON data."""
    found: dict[str, Any] = {}
    for name, value in vars(counts).items():
        if name == "winners":
            found[name] = "".join(
                chr(ord("c") + winner) for winner in value
            )  # a: undecided, b: drawn, c: the first
        elif isinstance(value, Counter):
            found[name] = [[key, count] for key, count in value.items()]
        elif name == "rounds":
            found[name] = value
        else:
            found[name] = [[[key, count] for key, count in one.items()] for one in value]
    return found


def counts_of(data: Mapping[str, Any], like: Tally) -> Counts:
    """The counts that `plain` wrote."""
    found = Counts(like.model.fighters)
    for name, value in data.items():
        if name == "winners":
            found.winners = [ord(letter) - ord("c") for letter in value]
        elif name == "rounds":
            found.rounds = value
        elif isinstance(getattr(found, name), Counter):
            getattr(found, name).update({_tuples(key): count for key, count in value})
        else:
            for one, each in zip(getattr(found, name), value, strict=True):
                one.update({_tuples(key): count for key, count in each})
    return found


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
