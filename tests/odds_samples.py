"""Situations for every procedure of a ruleset: the packs' worked examples, and what their entries are tried out with.

A new procedure comes with examples, so that it is found here without being named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from tiers import scale

from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.errors import InputError
from fracas.kernel.ruleset import Prepared, Procedure
from fracas.kernel.tally import Tally

Data = dict[str, Any]
ENOUGH = scale(2, 4)
"""Samples of one procedure."""


class Samples:
    """The situations of one ruleset.

    Args:
        tried: kinds of entries whose samples are situations, too.
        no_dice: parts of the names of numbers that are not thrown.
    """

    def __init__(self, games: Games, ruleset: str, tried: tuple[str, ...], no_dice: tuple[str, ...]) -> None:
        self.game = games.game(ruleset)
        self.procedures: list[Procedure] = list(self.game.ruleset.procedures.values())
        self.of = cache(self._of)
        self._numbers = {to for procedure in self.procedures for to in procedure.targets}
        self._ruleset, self._tried, self._no_dice = ruleset, tried, no_dice
        self._schema = RequestSchema(games)

    def _situations(self) -> Iterator[tuple[str, Data]]:
        for example in self.game.packs.entries("example"):
            asked = example.data["request"]
            yield asked["procedure"], {name: value for name, value in asked.items() if name != "procedure"}
        for kind in self._tried:
            for entry in self.game.packs.entries(kind):
                for sample in self.game.ruleset.samples(entry, self.game.packs):
                    yield sample.procedure, {"situation": dict(sample.situation)}

    def asked(self, procedure: str, sample: Data, **more: Any) -> Request:
        """The request of a sample."""
        loaded: Request = load(
            self._schema,
            {"explain": "all", **sample, "ruleset": self._ruleset, "procedure": procedure, **more},
        )
        return loaded

    def _of(self, procedure: str) -> tuple[Data, ...]:
        """Attempts that are possible, the most modifiers of the packs first, and no two with the same ones."""
        known: dict[tuple[tuple[str, str], ...], Data] = {}
        for name, sample in self._situations():
            if name != procedure:
                continue
            try:
                found = prepared(self.asked(procedure, sample))
            except InputError:
                continue
            if found.stage is not None:
                known.setdefault(self.applied(found), sample)
        return tuple(known[key] for key in sorted(known, key=len, reverse=True)[:ENOUGH])

    def applied(self, found: Prepared) -> tuple[tuple[str, str], ...]:
        """(tally, line) of everything that a pack, a hand or the rule adds to numbers that modifiers may name."""
        return tuple(
            (tally.to, entry.id)
            for tally in found.tallies
            for entry in tally.entries
            if tally.to in self._numbers
            and entry.origin != "base"
            and entry.id != "floor"
            and entry.verdict in ("applied", "capped")
            and entry.value
        )

    def is_pool(self, tally: Tally) -> bool:
        """Whether the number is thrown."""
        return not any(word in tally.to for word in self._no_dice)

    def small(self, procedure: str, sample: Data, most: int = 2) -> Data:
        """The sample with modifiers by hand that leave few dice of every pool."""
        found = prepared(self.asked(procedure, sample))
        by_hand: list[Data] = [
            {"to": tally.to, "label": "Fewer dice", "value": max(-100, most - tally.total)}
            for tally in found.tallies
            if tally.total > most
            and tally.to in self.game.procedure(procedure).targets
            and self.is_pool(tally)
        ]
        # Parts of other numbers shrink those too: what was said first is corrected, once.
        again = prepared(
            self.asked(procedure, sample | {"modifiers": [*sample.get("modifiers", ()), *by_hand]})
        )
        totals = {tally.to: tally.total for tally in again.tallies}
        for item in by_hand:
            if totals.get(item["to"], most) < most:
                item["value"] = min(100, item["value"] + most - totals[item["to"]])
        return {**sample, "modifiers": [*sample.get("modifiers", ()), *by_hand]}


def prepared(found: Request) -> Prepared:
    return running.prepare(found, found.attempt)


def with_edge(procedure: Procedure, sample: Data) -> Data:
    """The sample with a point of Edge, and two dice of it, for everybody in it."""
    situation = dict(sample["situation"])
    for record in procedure.vocabulary.records:
        said = situation.get(record)
        if said is None or f"{record}.edge_points" not in procedure.vocabulary.fields:
            continue
        fields: Mapping[str, Any] = {"use": said} if isinstance(said, str) else said
        situation[record] = {**fields, "edge": 2, "edge_points": 1}
    return {**sample, "situation": situation}
