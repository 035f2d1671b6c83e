"""What an event of a log is checked against, and how a claim is compared with what it should be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.encounters.audit_dice import Dice, DiffersError, Span
from fracas.encounters.events import Event
from fracas.encounters.state import State
from fracas.kernel.ruleset import Procedure
from fracas.kernel.turns import TurnRules

Data = Mapping[str, Any]


class Scene(NamedTuple):
    """What an event is checked against.

    Attributes:
        apply: the setting: effects wait for a confirmation, or not.
        turn: in which the command was given.
        state: as the step finds it; None where the log does not show everything.
        procedures: those of the ruleset.
    """

    rules: TurnRules
    event: Event
    dice: Dice
    apply: str
    turn: int
    state: State | None
    procedures: Mapping[str, Procedure]

    @property
    def span(self) -> Span:
        return Span(self.rules, self.turn)


def same(found: Any, expected: Any) -> bool:
    """JSON data that are the same, also in the kind of their numbers."""
    return difference(found, expected) is None


def difference(found: Any, expected: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """The first place where two JSON data differ, and what each says there."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for name in [*expected, *(name for name in found if name not in expected)]:
            place = f"{path}.{name}" if path else str(name)
            if name not in found or name not in expected:
                return place, found.get(name), expected.get(name)
            if (inner := difference(found[name], expected[name], place)) is not None:
                return inner
        return None
    lists = (list, tuple)
    if isinstance(expected, lists) and isinstance(found, lists):
        for at, (one, other) in enumerate(zip(found, expected, strict=False)):
            if (inner := difference(one, other, f"{path}[{at}]")) is not None:
                return inner
        if len(found) != len(expected):
            return f"number of {path or 'items'}", len(found), len(expected)
        return None
    return None if type(found) is type(expected) and found == expected else (path, found, expected)


def expect(found: Any, expected: Any, where: str, check: str = "outcomes") -> None:
    """
    Raises:
        DiffersError: the two are not the same; it names the first place.
    """
    first = difference(found, expected)
    if first is not None:
        path, given, right = first
        raise DiffersError(check, f"{where}.{path}" if path else where, found=given, expected=right)


def require(holds: bool, where: str, message: str) -> None:
    """
    Raises:
        DiffersError: it does not hold.
    """
    if not holds:
        raise DiffersError("outcomes", where, message)
