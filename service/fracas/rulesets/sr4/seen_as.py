"""Stages under other names: what is written for one ``target`` serves for each of several."""

from __future__ import annotations

from typing import Any

from fracas.kernel.forms import Waiting
from fracas.kernel.stage import Awaited, Effect, Facts, Fork, Roll, Stage

Names = tuple[tuple[str, str], ...]
"""(record in the stage, record of the request) pairs."""


def seen_as(stage: Stage, names: Names) -> Stage:
    """A stage in which records have other names."""
    if isinstance(stage, Fork):
        return Fork(tuple((label, seen_as(part, names)) for label, part in stage.branches))
    return SeenAs(stage, names)


class SeenAs(Waiting, kind="sr4.seen-as"):
    """A stage in which records have other names: who throws, who decides, and whom effects are for."""

    stage: Any
    names: Names

    def called(self, who: str) -> str:
        return next((name for known, name in self.names if known == who), who)

    @property
    def awaits(self) -> Awaited:
        awaited: Awaited = self.stage.awaits
        if isinstance(awaited, Roll):
            return awaited._replace(by=tuple(map(self.called, awaited.by)))
        return None if awaited is None else awaited._replace(by=self.called(awaited.by))

    @property
    def weigh(self) -> Any:
        return getattr(self.stage, "weigh", None)

    def advance(self, answer: Any) -> Stage:
        return seen_as(self.stage.advance(answer), self.names)

    def notes(self) -> Facts:
        notes: Facts = self.stage.notes()
        return notes

    def effects(self) -> tuple[Effect, ...]:
        return tuple(
            effect._replace(
                who=self.called(effect.who),
                detail=tuple(
                    (name, self.called(str(value)) if name == _CONCERNS else value)
                    for name, value in effect.detail
                ),
            )
            for effect in self.stage.effects()
        )


_CONCERNS = "towards"
"""The detail of an effect that names a record."""
