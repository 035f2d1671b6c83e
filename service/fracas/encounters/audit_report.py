"""What an audit reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

CHECKS: Mapping[str, str] = {
    "structure": "Events follow each other without gaps; undo and redo are right",
    "chain": "Every event carries the hash of the one before",
    "commitment": "The seed is the one that was committed to",
    "draws": "Every draw is used once, in order",
    "dice": "Every die is the one that the seed gives",
    "outcomes": "Steps come out as the rules say",
    "state": "The events make the state that the log ends with",
}
"""What is checked, in the order in which it is reported."""


class Difference(NamedTuple):
    """Where a log is not what it should be.

    Attributes:
        check: one of `CHECKS`.
        event: the version of the event; 0 for the log as a whole.
        type: of the event.
        where: the place in it.
        message: what is wrong, where `found` and `expected` do not say it.
    """

    check: str
    event: int
    type: str
    where: str
    message: str
    found: Any
    expected: Any

    def __str__(self) -> str:
        place = f"event {self.event} ({self.type})" if self.event else "the log"
        if self.where:
            place += f": {self.where}"
        text = self.message
        if self.found is not None or self.expected is not None:
            should = "the seed gives" if self.check == "dice" else "it should be"
            told = f"the log says {_shown(self.found)}, {should} {_shown(self.expected)}"
            text = f"{text}: {told}" if text else told
        return f"{place}: {text}"


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


class Check(NamedTuple):
    """One of `CHECKS`: ``ok``, ``failed``, ``partly`` (as far as the audit came, or could see), or ``not-checked``."""

    id: str
    label: str
    status: str
    detail: str


class Report(NamedTuple):
    """What an audit found.

    Attributes:
        ok: no difference; see `checks` for what could not be checked.
        first_difference: None if there is none.
        counts: of events, undone ones, steps, draws; dice that were ``recomputed``, ``supplied`` by people, and
            ``unproven`` while the seed is secret.
        notes: what is no difference, and still for people to know: who contributed to the dice, for example.
    """

    ok: bool
    checks: tuple[Check, ...]
    first_difference: Difference | None
    counts: Mapping[str, int]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        first = self.first_difference
        return {
            "ok": self.ok,
            "checks": [check._asdict() for check in self.checks],
            "first_difference": {**first._asdict(), "text": str(first)} if first else None,
            "counts": dict(self.counts),
            "notes": list(self.notes),
        }
