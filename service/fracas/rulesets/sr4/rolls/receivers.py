"""What takes the result of a test, and carries the rules on from there."""

from __future__ import annotations

from typing import Any, Protocol

from fracas.kernel.stage import Facts, Stage


class Receiver(Protocol):
    """Takes the result of a test. A value of a registered class."""

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        """The stage after the test.

        Args:
            net: hits of the first side less those of the second; of a test without a second side, its hits.
            scoreless: both sides had no hit; only known where the rules ask for both counts, else False.
            edge_spent: points of Edge that the two sides spent.
        """

    def forgo(self) -> Stage | None:
        """The stage where the first side has no dice and takes no long shot; None to throw all the same."""

    def notes(self) -> Facts:
        """Facts that were settled before the test, for the explanation."""


class Teller(Protocol):
    """A receiver that knows how much is missing; many do. It is asked only where somebody decides.

    A test where nothing is to be reached, such as one for initiative, has no such method, or answers None.
    """

    def short(self, net: int, scoreless: bool) -> int | None:
        """Hits that the first side lacks for a success; 0 or less where it has one. The arguments are those of `take`.

        Of a resistance test these are the boxes that come through.
        """


class Judge(Protocol):
    """A receiver that knows what a critical success is, where Edge is burned for one in a test that nobody opposes.

    It is 4 hits elsewhere, and 4 net hits in every opposed test.
    """

    def critical(self) -> int:
        """The hits: 4 above a threshold; in a test that resists damage as many as nothing of it comes through."""


class GlitchReceiver(Protocol):
    """Takes the result of a test whose rules have `tells_glitch`; beside this, it has what a `Receiver` has.

    It needs only the method for the kind of test that it is used with. `glitch` is a place in `GLITCHES`, 0 where Edge
    has cancelled it.
    """

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        """The stage after a test that nobody opposes."""

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        """The stage after a test of two sides; the glitch is that of the first."""


def short_of(receiver: Any, net: int, scoreless: bool) -> int | None:
    """What a `Teller` tells; None of any other receiver."""
    teller: Teller | None = receiver if hasattr(receiver, "short") else None
    return None if teller is None else teller.short(net, scoreless)
