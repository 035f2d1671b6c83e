"""One test with a result that something follows from: the stage that waits for the roll, and the number of the test.

The general stage of staunching, healing, psychic powers and tests of characteristics (rulebook section 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from fracas.kernel.forms import Waiting
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Awaited, Stage
from fracas.kernel.tally import Entry
from fracas.rulesets.imperium.checks.abilities import title
from fracas.rulesets.imperium.checks.percentile import Halving, Percentile, d100, keep_chance, percentile


class AfterTest(Protocol):
    """The continuation of a test."""

    def on_result(self, test: Percentile, face: int) -> Stage:
        """The next stage, when the dice show this face."""


class Testing(Waiting, kind="imperium.testing"):
    """Waits for a test.

    Attributes:
        label: of the roll.
        by: the record of the combatant who tests.
    """

    label: str
    by: str
    test: Percentile
    then: Any

    @property
    def awaits(self) -> Awaited:
        return d100(self.label, self.by, self.test)

    def advance(self, answer: Any) -> Stage:
        then: AfterTest = self.then
        return then.on_result(self.test, answer)


def number_of_test(
    it: Attempt, to: str, who: str, name: str, *more: Entry, halvings: Sequence[Halving] = ()
) -> None:
    """Make the number of a test of a characteristic, which the situation must have.

    Args:
        who: the record of the combatant who tests.
        name: the characteristic.
        more: further parts of the base.
        halvings: what lowers it after everything else.
    """
    value = it.need(f"{who}.{name}", f"the {title(name)}")
    keep_chance(it, to, Entry(name, title(name), value), *more, halvings=halvings)


def tested(it: Attempt, to: str, who: str, then: AfterTest) -> Stage:
    """The stage of a test with the number that the attempt has under this name."""
    return Testing("test", who, percentile(it.options, it.total(to)), then)
