"""One test whose result somebody takes: the stage that waits for the roll, and how such a procedure is prepared.

The general stage of staunching, healing, psychic powers and tests of characteristics (rulebook section 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from fracas.kernel.forms import Waiting
from fracas.kernel.ruleset import Asked, Prepared
from fracas.kernel.stage import Awaited, Fact, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.imperium.checks.abilities import characteristic, title
from fracas.rulesets.imperium.checks.percentile import (
    Halving,
    Percentile,
    chance_of,
    d100,
    halved_again,
    percentile,
)


class Receiver(Protocol):
    """What comes of a test. It is a value that a stage may hold."""

    def take(self, test: Percentile, face: int) -> Stage:
        """The next stage, when the dice show this face."""


class Testing(Waiting, kind="imperium.testing"):
    """Waits for a test.

    Attributes:
        label: of the roll.
        by: the record of whoever tests.
    """

    label: str
    by: str
    test: Percentile
    receiver: Any

    @property
    def awaits(self) -> Awaited:
        return d100(self.label, self.by, self.test)

    def advance(self, answer: Any) -> Stage:
        receiver: Receiver = self.receiver
        return receiver.take(self.test, answer)


class Number(NamedTuple):
    """The number of a test: what to call it, whose it is, and what it is made of.

    Attributes:
        to, label: of the tally.
        who: the record of whoever tests.
        name: the characteristic.
        more: further parts of the base.
        halvings: what lowers it after everything else.
    """

    to: str
    label: str
    who: str
    name: str
    more: Sequence[Entry] = ()
    halvings: Sequence[Halving] = ()

    def chance(self, asked: Asked, facts: Mapping[str, Any]) -> Tally:
        """The tally.

        Raises:
            InputError: the characteristic is not told.
        """
        base: Iterable[Entry] = (
            Entry(self.name, title(self.name), characteristic(facts, self.who, self.name)),
            *self.more,
        )
        return chance_of(asked, facts, self.to, self.label, base, self.halvings)


def prepared_test(
    asked: Asked,
    facts: Mapping[str, Any],
    number: Number,
    receiver: Receiver,
    shown: Mapping[str, Fact],
    stage: Callable[[Percentile], Stage] | None = None,
) -> Prepared:
    """A procedure that begins with one test.

    Args:
        receiver: takes the result.
        shown: facts for the explanation.
        stage: the first stage, where it is not `Testing` with the label ``test``.

    Raises:
        InputError: the characteristic is not told.
    """
    tally = number.chance(asked, facts)
    refusals = asked.rules.refusals(facts)
    if refusals:
        return Prepared(None, (tally,), refusals)

    def first(chance: int) -> Stage:
        test = percentile(asked.options, chance)
        return stage(test) if stage else Testing("test", number.who, test, receiver)

    def rebuild(changed: Tally) -> Stage:
        return first(halved_again(changed, number.halvings, asked.options["rounding"]).total)

    return Prepared(first(tally.total), (tally,), (), shown, rebuild)
