"""Steps that every game has: someone throws dice, or chooses, and the game says what comes of it.

A ruleset's own stages are made of these where nothing else happens in them: what comes of a throw is a
`forms.Continuation` of the ruleset, which has the numbers that it needs. The continuations here are those that many
games share; each of them leads on to one of the ruleset, or to its outcomes:

* a roll against a target: `Throw`, with `Against` where the outcomes are known beforehand,
* an opposed roll: `Throw` of a `dice.pools.Opposed`, or two totals with `Contest`,
* a throw that may be made again for a price: `Again`,
* a save for half: `save_for_half`,
* one throw at several targets: `ForEach`; with scatter `scattering.Area`,
* several targets one after the other: `each_in_turn`,
* a throw that is one number of the outcome: `Filling`,
* an outcome whose facts and effects are known: `ended`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, cast

from fracas.dice.requests import Request
from fracas.dice.totals import Kept, Total
from fracas.kernel.composing import KeptEffect, with_effects
from fracas.kernel.forms import Continuation, Outcome, Waiting
from fracas.kernel.stage import Decision, Effect, Fact, Facts, Fork, Option, Roll, Stage

__all__ = [
    "Again",
    "Against",
    "Choice",
    "Contest",
    "Ended",
    "Filling",
    "ForEach",
    "Result",
    "Score",
    "Scored",
    "Throw",
    "each_in_turn",
    "ended",
    "save_for_half",
]


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


class Ended(Outcome, kind="ended"):
    """The end of a chain that needs no class of its own, made by `ended`."""

    facts: tuple[tuple[str, Fact], ...]
    changed: tuple[KeptEffect, ...]

    def notes(self) -> Facts:
        return dict(self.facts)

    def changes(self) -> Iterator[Effect]:
        return (Effect(*one) for one in self.changed)


def ended(facts: Facts, *effects: Effect) -> Stage:
    """An outcome whose facts and effects are all known."""
    return Ended(tuple(facts.items()), tuple(one[:] for one in effects))


class Filling(Continuation, kind="filling"):
    """A throw of which the total, at least 0, is one field of the outcome: `end` has it then in `field`."""

    end: Any
    field: str

    def on_result(self, answer: int) -> Stage:
        return cast(Stage, self.end._replace(**{self.field: max(0, answer)}))


def _meets(answer: Any, needed: int | None) -> bool:
    return bool(answer) if needed is None else answer >= needed


class Against(Continuation, kind="against"):
    """A throw against a target, of which only counts whether it is met.

    Attributes:
        met, missed: what comes of it.
        needed: how much meets it, such as hits of a pool; None where the answer itself says whether it is met, as that
            of a `Total` with a target does.
    """

    met: Stage
    missed: Stage
    needed: int | None = None

    def on_result(self, answer: Any) -> Stage:
        return self.met if _meets(answer, self.needed) else self.missed


class Contest(Continuation, kind="contest"):
    """An opposed roll of two totals: that of the first throw is what the other one must reach.

    Attributes:
        label, by, request: the other throw, without a target.
        then: takes whether the other one has won.
        ties: whether equal totals are enough for the other one.
    """

    label: str
    by: str
    request: Total | Kept
    then: Result
    ties: bool = True

    def on_result(self, answer: int) -> Stage:
        target = answer if self.ties else answer + 1
        return Throw(self.label, self.by, self.request._replace(target=target), self.then)


class Again(Continuation, kind="again"):
    """What comes of a throw that may be made again for a price where it fails; the new throw counts.

    Attributes:
        decision: its id.
        label, by, request: the throw. Facts of later ones are named ``<label>_again``.
        price: what each costs, as (resource, amount) pairs. The outcome spends it.
        left: how often it may be made again.
        then: takes the answer that counts.
        needed: see `Against`.
    """

    decision: str
    label: str
    by: str
    request: Request
    price: tuple[tuple[str, int], ...]
    left: int
    then: Result
    needed: int | None = None

    def throw(self) -> Stage:
        """The throw that may be made again."""
        return Throw(self.label, self.by, self.request, self)

    def on_result(self, answer: Any) -> Stage:
        kept = self.then.on_result(answer)
        if not self.left or _meets(answer, self.needed):
            return kept
        label = self.label if self.label.endswith("_again") else f"{self.label}_again"
        spent = [Effect("spend", self.by, resource, amount) for resource, amount in self.price]
        anew = with_effects(self._replace(label=label, left=self.left - 1).throw(), spent)
        keep, again = ("keep", "Keep it", (), kept), ("again", "Throw again", self.price, anew)
        return Choice(self.decision, self.by, (keep, again))

    def notes(self) -> Facts:
        return self.then.notes()


def save_for_half(label: str, by: str, request: Request, damage: int, then: Result) -> Stage:
    """A throw by which one who is hurt suffers half of it, rounded down, or else all.

    Args:
        request: answers whether the save is made.
        then: takes the damage that is left.
    """
    return Throw(label, by, request, Against(then.on_result(damage // 2), then.on_result(damage)))


class ForEach(Continuation, kind="for-each"):
    """One throw at several targets: each has a branch, named after its record, which takes the answer."""

    branches: tuple[tuple[str, Result], ...]

    def on_result(self, answer: Any) -> Fork:
        return Fork(tuple((who, then.on_result(answer)) for who, then in self.branches))


def each_in_turn(branches: Iterable[tuple[str, Stage]]) -> Stage:
    """Several targets one after the other: the chain against each is played to its end before the next begins.

    Args:
        branches: the record of each with the first stage against it.
    """
    return Fork(tuple(branches))
