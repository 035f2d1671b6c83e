"""What takes the result of a test, and carries the rules on from there."""

from __future__ import annotations

from fracas.kernel.forms import Continuation
from fracas.kernel.stage import Facts, Stage

CRITICAL_SUCCESS = 4
"""Net hits above the threshold from which a success is critical."""


class Receiver(Continuation):
    """Takes the result of a test, by the method for the kind of test that it is used with.

    `notes` are facts that were settled before the test, for the explanation.
    """

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        """The stage after the test.

        Args:
            net: hits of the first side less those of the second; of a test without a second side, its hits.
            scoreless: both sides had no hit; only known where the rules ask for both counts, else False.
            edge_spent: points of Edge that the two sides spent.
        """
        raise NotImplementedError

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        """The stage after a test that nobody opposes, and whose rules have `tells_glitch`.

        `glitch` is a place in `GLITCHES`, 0 where Edge has cancelled it.
        """
        raise NotImplementedError

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        """The stage after such a test of two sides; the glitch is that of the first."""
        raise NotImplementedError

    def forgo(self) -> Stage | None:
        """The stage where the first side has no dice and takes no long shot; None to throw all the same."""
        return None

    def short(self, net: int, scoreless: bool) -> int | None:
        """Hits that the first side lacks for a success, 0 or less where it has one; the arguments are those of `take`.
        None where nothing is to be reached, as in a test for initiative. It is asked only where somebody decides.

        Of a resistance test these are the boxes that come through.
        """
        return None

    def critical(self) -> int:
        """The hits of a critical success, where Edge is burned for one in a test that nobody opposes: 4 above a
        threshold; in a test that resists damage as many as nothing of it comes through."""
        return CRITICAL_SUCCESS


class Passing(Receiver):
    """Hands the result on to another receiver; a class of it does one thing more."""

    @property
    def then(self) -> Receiver:
        """What takes the result: a field of the class."""
        raise NotImplementedError

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return self.then.take(net, scoreless, edge_spent)

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return self.then.take_told(hits, glitch, edge_spent)

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return self.then.take_both_told(net, scoreless, glitch, edge_spent)

    def forgo(self) -> Stage | None:
        return self.then.forgo()

    def short(self, net: int, scoreless: bool) -> int | None:
        return self.then.short(net, scoreless)

    def notes(self) -> Facts:
        return self.then.notes()
