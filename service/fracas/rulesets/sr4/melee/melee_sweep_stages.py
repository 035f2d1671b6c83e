"""The stages of an attack on several targets: one attack after the other, each with dice of its own.

    test of the first -> fork: what it does to the first | test of the second -> fork: ...

Only the attacker's Edge carries on: a point of it is spent once in an action (rulebook section 2).
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.stage import Awaited, Facts, Fork, Roll, Shared, Stage
from fracas.rulesets.sr4.composing import Names, Within, seen_as
from fracas.rulesets.sr4.rolls.edge_burning import paid_otherwise, settled_payments
from fracas.rulesets.sr4.rolls.receivers import Passing, Receiver


class Sweep(Part, kind="sr4.melee-sweep"):
    """All attacks of a sweep; not a stage itself.

    Attributes:
        targets: the records of those who are attacked, in order.
        fresh: the beginning of each attack, with Edge.
        spent: the same without, for an attacker who has spent a point of Edge on an attack before.
        then: what takes the result of each.
    """

    targets: tuple[str, ...]
    fresh: tuple[Any, ...]
    spent: tuple[Any, ...]
    then: tuple[Any, ...]


def begin(sweep: Shared[Sweep], at: int = 0, edge_spent: bool = False) -> Stage:
    """An attack of a sweep from its beginning.

    Args:
        at: which, from 0.
        edge_spent: the attacker has spent Edge on one before.
    """
    attacks = sweep.value.spent if edge_spent else sweep.value.fresh
    return _stroke(sweep, at, edge_spent, attacks[at])


def _stroke(sweep: Shared[Sweep], at: int, edge_spent: bool, stage: Stage) -> Stage:
    decided, payments = settled_payments(stage)
    if not isinstance(decided, Decided):
        return Stroke(sweep, at, edge_spent, stage)
    found = sweep.value
    who = found.targets[at]
    outcome = decided.given(found.then[at])
    for whose, instead in payments:
        outcome = paid_otherwise(outcome, whose, instead)
    branches: list[tuple[str, Stage]] = [(who, seen_as(outcome, _names(who)))]
    if at + 1 < len(found.targets):
        branches.append(("", begin(sweep, at + 1, edge_spent or bool(decided.edge_spent[0]))))
    return Fork(tuple(branches))


def _names(who: str) -> Names:
    return (("target", who),)


class Stroke(Within, kind="sr4.melee-stroke"):
    """One attack of a sweep until its test is decided; rolls and facts are named after its target.

    Attributes:
        edge_spent: the attacker has spent Edge on an attack before this one.
        stage: of an attack on a ``target``.
    """

    sweep: Shared[Sweep]
    at: int
    edge_spent: bool
    stage: Any

    @property
    def who(self) -> str:
        return self.sweep.value.targets[self.at]

    @property
    def awaits(self) -> Awaited:
        awaited = seen_as(self.stage, _names(self.who)).awaits
        if awaited is None:
            return None
        if isinstance(awaited, Roll):
            return awaited._replace(labels=tuple(map(self._named, awaited.labels)))
        about = tuple(
            (name, self._named(str(fact)) if name == "roll" else fact) for name, fact in awaited.about
        )
        options = tuple(
            option._replace(notes=tuple((self._named(name), fact) for name, fact in option.notes))
            for option in awaited.options
        )
        return awaited._replace(about=about, options=options)

    def advance(self, answer: Any) -> Stage:
        return _stroke(self.sweep, self.at, self.edge_spent, self.stage.advance(answer))

    def notes(self) -> Facts:
        return {self._named(name): fact for name, fact in self.stage.notes().items()}

    def _named(self, name: str) -> str:
        return f"{self.who}.{name}"


class Deciding(Passing, kind="sr4.melee-deciding"):
    """Takes the result of an attack's test and keeps it; `then` is what takes it in the end."""

    then: Receiver

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return Decided(net, scoreless, -1, edge_spent)

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return Decided(hits, False, glitch, edge_spent)

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return Decided(net, scoreless, glitch, edge_spent)

    def forgo(self) -> Stage:
        return Decided(0, False, -1, (0, 0), True)


class Decided(Outcome, kind="sr4.melee-decided"):
    """The result of an attack's test; nobody ever waits for anything here.

    Attributes:
        net, scoreless, edge_spent: as a `Receiver` takes them.
        glitch: as a `GlitchReceiver` takes it; -1 for one that is not told.
        forgone: there was no attack, for want of dice.
    """

    net: int
    scoreless: bool
    glitch: int
    edge_spent: tuple[int, int]
    forgone: bool = False

    def given(self, then: Receiver) -> Stage:
        """What follows from it."""
        if self.forgone:
            forgone = then.forgo()
            assert forgone is not None, "an attack without dice is none"
            return forgone
        if self.glitch < 0:
            return then.take(self.net, self.scoreless, self.edge_spent)
        return then.take_both_told(self.net, self.scoreless, self.glitch, self.edge_spent)
