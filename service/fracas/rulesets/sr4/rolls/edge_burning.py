"""Edge that is burned for a critical success without a roll, and whose Edge pays for what (rulebook section 2).

Receivers are told that a point was spent, whatever it was: a burned point is the one that a test and an action take.
`PaidOtherwise` puts what it costs in place of the point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.errors import InputError
from fracas.kernel.forms import Part
from fracas.kernel.required import lacks
from fracas.kernel.stage import Effect, Fact, Fork, Stage
from fracas.rulesets.sr4.composing import EDGE_ATTRIBUTE, Around, Kept, Wrap
from fracas.rulesets.sr4.rolls.receivers import CRITICAL_SUCCESS, Passing, Receiver


class Burn(Part, kind="sr4.burn"):
    """Edge that somebody may burn.

    Attributes:
        rating: the attribute, 1 at least.
        said: it is said beforehand that a point of it is burned.
        shared: the points are those of a crowd, which no attribute limits.
    """

    rating: int
    said: bool = False
    shared: bool = False

    def effect(self, who: str) -> Effect:
        """A point of the attribute is gone for good, and no more points are left than it has then."""
        detail: tuple[tuple[str, Fact], ...] = (
            () if self.shared else (("limits", "edge"), ("most", self.rating - 1))
        )
        return Effect("spend", who, EDGE_ATTRIBUTE, 1, detail)

    def less(self, points: int) -> Burn | None:
        """What is left of it when so many points have been burned."""
        return self._replace(rating=self.rating - points) if self.rating > points else None


def burnable(facts: Mapping[str, Any], who: str) -> Burn | None:
    """The Edge that somebody is asked about burning; None without a point left, unless he wants to be asked then too
    (``burns_edge``)."""
    rating = facts.get(f"{who}.edge", 0)
    if rating < 1 or not (facts.get(f"{who}.edge_points") or facts.get(f"{who}.burns_edge")):
        return None
    return Burn(rating, shared=bool(facts.get(f"{who}.edge_group")))


def said_to_burn(facts: Mapping[str, Any], who: str) -> Burn | None:
    """The Edge that a request burns; None where it does not say so.

    Raises:
        InputError: there is no Edge to burn.
    """
    if not facts.get(f"{who}.burn_edge"):
        return None
    needs_edge(facts, who, "edge", "no Edge is left to burn")
    return Burn(facts[f"{who}.edge"], True, bool(facts.get(f"{who}.edge_group")))


def needs_edge(facts: Mapping[str, Any], who: str, field: str, none_left: str) -> None:
    """Check that there is Edge to pay with; `field` is ``edge``, the attribute, or ``edge_points``.

    Raises:
        InputError: it is not said, or 0.
    """
    have = facts.get(f"{who}.{field}")
    if have is None:
        raise lacks(f"{who}.{field}", "to know the Edge")
    if have < 1:
        raise InputError.one(f"situation.{who}.{field}", "no-edge", none_left)


class Outdone(Passing, kind="sr4.outdone"):
    """Takes the dice of somebody whose adversary has burned Edge: they matter for a glitch alone."""

    then: Receiver

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return self.then.take(-CRITICAL_SUCCESS, False, (edge_spent[0], 1))

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return self.then.take_both_told(-CRITICAL_SUCCESS, False, glitch, (edge_spent[0], 1))

    def short(self, net: int, scoreless: bool) -> int | None:
        return self.then.short(-CRITICAL_SUCCESS, False)


class PaidOtherwise(Wrap, kind="sr4.paid-otherwise"):
    """An outcome in which one of the points of Edge that somebody spends is paid with something else.

    Attributes:
        who: who spends the points, as the stage tells it.
        instead: the effect in place of one point, in the order of its fields.
    """

    who: str
    instead: Kept

    def put(self, stage: Stage) -> Stage:
        """Of a fork, the branch that has spent the point already, or all where none has: one of them will tell it."""
        if not isinstance(stage, Fork):
            return Around(stage, self)
        spent = [_spends_at(part.effects(), self.who) is not None for _, part in stage.branches]
        return Fork(
            tuple(
                (label, self.put(part) if here or not any(spent) else part)
                for (label, part), here in zip(stage.branches, spent, strict=True)
            )
        )

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        effects = list(outcome.effects())
        at = _spends_at(effects, self.who)
        if at is not None:
            points = effects[at].amount or 0
            left = [effects[at]._replace(amount=points - 1)] if points > 1 else []
            effects[at : at + 1] = [Effect(*self.instead), *left]
        return tuple(effects)


def _spends_at(effects: Sequence[Effect], who: str) -> int | None:
    """The first effect by which somebody spends points of Edge."""
    found = ("spend", who, "edge")
    return next((at for at, effect in enumerate(effects) if effect[:3] == found), None)


def paid_otherwise(stage: Stage, who: str, instead: Effect) -> Stage:
    """A stage in whose outcome one point of Edge of somebody is paid with this; of a fork, where it is spent."""
    return PaidOtherwise(who, instead[:]).put(stage)


def settled_payments(stage: Stage) -> tuple[Stage, list[tuple[str, Effect]]]:
    """A stage without what `paid_otherwise` has put around it, and with whose points are paid how, innermost first."""
    payments: list[tuple[str, Effect]] = []
    while isinstance(stage, Around) and isinstance(stage.wrap, PaidOtherwise):
        payments.insert(0, (stage.wrap.who, Effect(*stage.wrap.instead)))
        stage = stage.stage
    return stage, payments
