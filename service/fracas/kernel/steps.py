"""Steps that every game has: someone throws dice, or chooses, and the game says what comes of it.

A ruleset's own stages are made of these where nothing else happens in them: what comes of a throw is a
`forms.Continuation` of the ruleset, which has the numbers that it needs.
"""

from __future__ import annotations

from typing import Any, Protocol

from fracas.dice.requests import Request
from fracas.kernel.forms import Continuation, Outcome, Waiting
from fracas.kernel.stage import Decision, Facts, Option, Roll, Stage

__all__ = ["Choice", "Result", "Score", "Scored", "Throw"]


class Result(Protocol):
    """What comes of a throw: a `Continuation` with a method for it."""

    def on_result(self, answer: Any) -> Stage:
        """The next stage. `answer`: that of the request, such as a total, or whether it met the target."""

    def notes(self) -> Facts: ...


class Throw(Waiting, kind="throw"):
    """Waits for one combatant's dice.

    Attributes:
        label: a word for them, after which their facts are named (``attack``).
        by: the record of who throws.
        then: what comes of it.
    """

    label: str
    by: str
    request: Request
    then: Result

    @property
    def awaits(self) -> Roll:
        return Roll((self.label,), (self.by,), self.request)

    def advance(self, answer: Any) -> Stage:
        return self.then.on_result(answer)

    def notes(self) -> Facts:
        return self.then.notes()


class Choice(Waiting, kind="choice"):
    """Waits for one combatant's decision, such as to throw again for a price.

    Attributes:
        id: of the decision.
        by: the record of who decides.
        ways: at least two: id, label, cost as (resource, amount) pairs, and the stage that it leads to. The first is
            taken where nobody chooses.
    """

    id: str
    by: str
    ways: tuple[tuple[str, str, tuple[tuple[str, int], ...], Stage], ...]

    @property
    def awaits(self) -> Decision:
        options = tuple(Option(id, label, cost) for id, label, cost, _ in self.ways)
        return Decision(self.id, self.by, options, options[0].id)

    def advance(self, answer: str) -> Stage:
        return next(stage for id, _, _, stage in self.ways if id == answer)


class Score(Continuation, kind="score"):
    """The total of a throw is all that comes of it, such as that of initiative; `fact`: its name."""

    fact: str = "score"

    def on_result(self, answer: int) -> Stage:
        return Scored(self.fact, answer)


class Scored(Outcome, kind="scored"):
    """The end of a throw of which the total counts."""

    fact: str
    total: int

    def notes(self) -> Facts:
        return {self.fact: self.total}
