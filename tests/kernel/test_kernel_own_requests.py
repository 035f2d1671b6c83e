"""A ruleset may ask for dice in a way of its own: every reader plays it, and it survives JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from fracas.dice.requests import Faces, Facts, Group, Spread
from fracas.dice.sources import SuppliedDice
from fracas.engine.report import roll_rows
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy, RollRecord, replay, resolve
from fracas.kernel.stage import Awaited, Effect, Roll, Stage, from_json, stage_class, to_json


@stage_class
class Parity(NamedTuple):
    """A six-sided die of which only odd or even counts."""

    kind: Literal["test.parity"] = "test.parity"

    def groups(self) -> tuple[Group, ...]:
        return (Group(1, 6),)

    def answer(self, faces: Sequence[Faces]) -> bool:
        return faces[0][0] % 2 == 0

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        return ({"even": self.answer(faces)},)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (faces[0],)

    def spread(self) -> Spread:
        return Spread((True, False), (1, 1), 2)

    def __str__(self) -> str:
        return "1d6, odd or even"


@stage_class
class Guess(NamedTuple):
    """Waits for the die, whose request it holds."""

    request: Parity = Parity()
    even: bool | None = None
    kind: Literal["test.guess"] = "test.guess"

    @property
    def awaits(self) -> Awaited:
        return Roll(("guess",), ("attacker",), self.request) if self.even is None else None

    def advance(self, answer: Any) -> Stage:
        return self._replace(even=answer)

    def notes(self) -> dict[str, bool]:
        return {} if self.even is None else {"won": self.even}

    def effects(self) -> tuple[Effect, ...]:
        return ()


def test_readers_play_a_request_of_a_rulesets_own() -> None:
    progress = resolve(Guess(), SuppliedDice(((4,),), "dice"), DefaultPolicy())
    assert progress.details == {"guess_even": True, "won": True}
    assert replay(Guess(), progress.records).stage == progress.stage
    (record,) = progress.records
    assert isinstance(record, RollRecord)
    (row,) = roll_rows(record)
    assert (row["dice"], row["sides"], row["faces"]) == ("1d6, odd or even", 6, [4])


def test_odds_weigh_it_by_its_spread() -> None:
    found = odds(Guess(), Transitions(DefaultPolicy())).only
    assert found.chance(lambda end: bool(end.notes()["won"])) == 0.5


def test_it_survives_json() -> None:
    assert from_json(to_json(Guess())) == Guess()
