"""The sides of a test, with what Edge each is offered, and what takes the result (rulebook sections 1 and 2).

Receivers are reported that a point was spent, whatever it was: a burned point is the one that a test and an action
take. `PaidOtherwise` puts what it costs in place of the point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.errors import InputError
from fracas.kernel.composing import KeptEffect, Wrapped, Wrapper
from fracas.kernel.forms import Continuation, Part
from fracas.kernel.pool_tests import EDGE_DICE, GLITCH, ONES, POOL, SHORT
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import require
from fracas.kernel.ruleset import AttemptRequest, ContextField, DecisionInfo
from fracas.kernel.stage import Effect, Facts, Fork, Option, Stage
from fracas.rulesets.sr4.sheet import EDGE_ATTRIBUTE, uses_edge

EDGE_BEFORE, EDGE_AFTER, BUY_HITS = "edge-before", "edge-after", "buy-hits"
_PLANNED = (POOL, EDGE_DICE, ContextField("needed", "Hits that it takes; of a test that nobody opposes"))
_HITS = ContextField("hits", "Hits of one's own")
_THROWN = (_HITS, ONES, GLITCH, ContextField("other_hits", "Hits of the other side"), SHORT)
_BOUGHT = ContextField("short", "Hits that are missing if hits are bought")
_BEFORE, _AFTER = ("none", "push", "long-shot", "burn"), ("none", "add", "reroll", "negate-glitch")
DECISIONS = (
    DecisionInfo(EDGE_BEFORE, "Spend Edge before the roll", _BEFORE, "none", _PLANNED),
    DecisionInfo(EDGE_AFTER, "Spend Edge after the roll", _AFTER, "none", _THROWN),
    DecisionInfo(BUY_HITS, "Buy hits instead of rolling", ("none", "buy"), "none", (*_PLANNED, _BOUGHT)),
)

EDGE = (("edge", 1),)
BURN = Option("burn", "Burn Edge: a critical success without a roll", ((EDGE_ATTRIBUTE, 1),))
PUSH = Option("push", "Push: add Edge dice, every 6 rolls again", EDGE)
LONG_SHOT = Option("long-shot", "Long shot: roll Edge dice alone", EDGE)
ADD = Option("add", "Roll Edge dice more, their 6s roll again", EDGE)
REROLL = Option("reroll", "Roll every die again that was no hit", EDGE)

Spent = tuple[int, int]
"""Points of Edge that the two sides of a test have spent, such as attacker and target."""
CRITICAL_SUCCESS = 4
"""Net hits above the threshold from which a success is critical."""


class Receiver(Continuation):
    """Takes the result of a test, by the method for its kind. `notes`: facts settled before the test."""

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        """The stage after the test.

        Args:
            net: hits of the first side less those of the second; of a test without a second side, its hits.
            scoreless: both sides had no hit; only known where the rules ask for both counts, else False.
            edge_spent: points of Edge that the two sides spent.
        """
        return self.on_reported_result(net, scoreless, 0, edge_spent)

    def on_each_result(self, counts: Sequence[int], edge_spent: Spent, met: dict[Any, Any]) -> list[Stage]:
        """The stages after many counts, none known to be scoreless: for exact odds. `met`: see
        `kernel.odds.Transitions`."""
        on_result = self.on_result
        return [on_result(net, False, edge_spent) for net in counts]

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        """The stage after a test whose rules have `reports_glitch`: the place of the first side's glitch in `GLITCHES`,
        0 where Edge has cancelled it."""
        raise NotImplementedError

    def on_skip(self) -> Stage | None:
        """The stage where the first side has no dice and no long shot, such as no attack; None to throw anyway."""
        return None

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
        """Hits that the first side lacks for a success, 0 or less where it has one; arguments as of `on_result`.
        None where nothing is to be reached, as in a test for initiative. Called at decisions only.

        Of a resistance test these are the boxes that come through.
        """
        return None

    def critical(self) -> int:
        """The hits of a critical success, where Edge is burned for one in a test that nobody opposes: 4 above a
        threshold; in a test that resists damage as many as nothing of it comes through."""
        return CRITICAL_SUCCESS


class Reaching(Receiver):
    """Takes the hits of a test against a threshold, which its facts show under the name of `fact`."""

    fact = "threshold"

    @property
    def threshold(self) -> int:
        """Hits needed: a field of the class, or what follows from its fields."""
        raise NotImplementedError

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
        return self.threshold - net

    def critical(self) -> int:
        return self.threshold + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {self.fact: self.threshold}


class Opposing(Reaching):
    """Takes the test of one who opposes hits that have fallen already. `threshold`: the hits that are opposed.
    `edge_spent`: points of Edge that were spent on them, to be reported with the outcome."""

    fact = "hits_against"
    plan: Any
    threshold: int
    edge_spent: int


class Striking(Receiver):
    """Takes the test of an attack that lands with any net hit."""

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
        return 1 - net


class Resisting(Receiver):
    """Takes a test that resists damage: each hit lowers the Damage Value by one."""

    @property
    def dv(self) -> int:
        """The Damage Value: a field of the class, or what follows from its fields."""
        raise NotImplementedError

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
        return self.dv - net

    def critical(self) -> int:
        return self.dv


class Passing(Receiver):
    """Hands the result on to another receiver; a class of it does one thing more."""

    @property
    def then(self) -> Receiver:
        """What takes the result: a field of the class."""
        raise NotImplementedError

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return self.then.on_result(net, scoreless, edge_spent)

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        return self.then.on_reported_result(net, scoreless, glitch, edge_spent)

    def on_skip(self) -> Stage | None:
        return self.then.on_skip()

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
        return self.then.hits_needed(net, scoreless)

    def notes(self) -> Facts:
        return self.then.notes()


class Burn(Part, kind="sr4.burn"):
    """Edge that a combatant may burn. `rating`: the attribute, 1 at least. `given`: it is stated beforehand that a
    point of it is burned. `shared`: the points are those of a crowd, which no attribute limits."""

    rating: int
    given: bool = False
    shared: bool = False

    def effect(self, who: str) -> Effect:
        """A point of the attribute is gone for good, and no more points are left than it has then."""
        limits = (("limits", "edge"), ("most", self.rating - 1))
        return Effect("spend", who, EDGE_ATTRIBUTE, 1, () if self.shared else limits)


def needs_edge(facts: Mapping[str, Any], who: str, field: str, none_left: str) -> None:
    """Check for Edge to pay with: ``edge``, the attribute, or ``edge_points``. `InputError`: not given, or 0."""
    require(facts, [(f"{who}.{field}", "to know the Edge")])
    if facts[f"{who}.{field}"] < 1:
        raise InputError.one(f"situation.{who}.{field}", "no-edge", none_left)


class Outdone(Passing, kind="sr4.outdone"):
    """Takes the dice of a combatant whose adversary has burned Edge: they matter for a glitch alone."""

    then: Receiver

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return self.then.on_result(-CRITICAL_SUCCESS, False, (edge_spent[0], 1))

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        return self.then.on_reported_result(-CRITICAL_SUCCESS, False, glitch, (edge_spent[0], 1))

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
        return self.then.hits_needed(-CRITICAL_SUCCESS, False)


class PaidOtherwise(Wrapper, kind="sr4.paid-otherwise"):
    """An outcome in which one of the points of Edge that a combatant spends is paid with another effect."""

    who: str
    instead: KeptEffect

    def concerned(self, fork: Fork) -> Sequence[bool]:
        """The branch that has spent the point already, or all where none has: one of them will show it."""
        spent = [_spends_at(part.effects(), self.who) is not None for _, part in fork.branches]
        return spent if any(spent) else super().concerned(fork)

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        effects = list(outcome.effects())
        at = _spends_at(effects, self.who)
        if at is not None:
            points = effects[at].amount or 0
            left = [effects[at]._replace(amount=points - 1)] if points > 1 else []
            effects[at : at + 1] = [Effect(*self.instead), *left]
        return tuple(effects)


def _spends_at(effects: Sequence[Effect], who: str) -> int | None:
    """The first effect by which a combatant spends points of Edge."""
    found = ("spend", who, "edge")
    return next((at for at, effect in enumerate(effects) if effect[:3] == found), None)


def paid_otherwise(stage: Stage, who: str, instead: Effect) -> Stage:
    """A stage in whose outcome one point of Edge of a combatant is paid with this; of a fork, where it is spent."""
    return PaidOtherwise(who, instead[:]).put(stage)


def settled_payments(stage: Stage) -> tuple[Stage, list[tuple[str, Effect]]]:
    """A stage without what `paid_otherwise` has put around it, and with whose points are paid how, innermost first."""
    payments: list[tuple[str, Effect]] = []
    while isinstance(stage, Wrapped) and isinstance(stage.wrap, PaidOtherwise):
        payments.insert(0, (stage.wrap.who, Effect(*stage.wrap.instead)))
        stage = stage.stage
    return stage, payments


class Side(Part, kind="sr4.side"):
    """One side of a test.

    Attributes:
        label: names the roll's facts (``attack`` gives ``attack_hits``).
        by: who decides, and throws unless `of` says otherwise.
        pool: dice, after all modifiers, never below 0.
        edge: the Edge attribute; 0 where Edge is not offered before the roll.
        edge_after: the same for after the roll.
        can_buy: hits may be bought.
        burn: Edge that may be burned for a critical success without a roll; None where there is none.
        helper: a `Side` of the same dice, of a helper who may spend Edge on them where this side spends none.
        of: of a helper: whose test it is.
        smooth: its glitches do not count (house rule ``guard_stops_glitches``).
    """

    label: str
    by: str
    pool: int
    edge: int = 0
    edge_after: int = 0
    can_buy: bool = False
    burn: Burn | None = None
    helper: Any = None
    of: str = ""
    smooth: bool = False

    @property
    def thrower(self) -> str:
        """Who throws the dice, and by whose name what they cost is reported."""
        return self.of or self.by

    @property
    def decides(self) -> bool:
        """Anything is offered to it."""
        return bool(self.edge or self.edge_after or self.can_buy or self.burn or self.helper)

    @property
    def burns(self) -> bool:
        """It was stated beforehand that Edge is burned."""
        return self.burn is not None and self.burn.given

    def without_edge(self) -> Side:
        """Where the point of Edge that an action takes is spent."""
        return self._replace(edge=0, edge_after=0, burn=None, helper=None)

    def without_points(self) -> Side:
        """Where no point of Edge is left; the attribute may still be burned."""
        return self._replace(edge=0, edge_after=0)

    def less_burned(self, points: int) -> Side:
        """Where so many points of the attribute have been burned: so many Edge dice fewer."""
        rating = max(0, self.burn.rating - points) if self.burn else 0
        burn = self.burn._replace(rating=rating) if self.burn and rating else None
        return self._replace(edge=min(self.edge, rating), edge_after=min(self.edge_after, rating), burn=burn)

    def again(self, label: str, pool: int) -> Side:
        """With another label and other dice, for its helper too."""
        helper = self.helper and self.helper._replace(label=label, pool=pool)
        return self._replace(label=label, pool=pool, helper=helper)


class RollRules(Part, kind="sr4.roll-rules"):
    """House rules that a test needs, and what its receiver needs; for `glitch` see `glitch_of`.

    Attributes:
        reroll_explodes: dice rolled again through Edge follow the Rule of Six.
        both_hits: the receiver needs the hits of both sides.
        counts_exploded: dice added by exploding sixes count for glitches.
        reports_glitch: the receiver gets the glitch of the first side, see `Receiver.on_reported_result`.
        limit: of an opposed test with `both_hits`, the hits of the first side that count at most; 0 for all.
    """

    glitch: str = "half_or_more"
    reroll_explodes: bool = False
    both_hits: bool = False
    counts_exploded: bool = False
    reports_glitch: bool = False
    limit: int = 0

    @classmethod
    def of(
        cls, options: Mapping[str, Any], both_hits: bool = False, reports_glitch: bool = False
    ) -> RollRules:
        """The house rules as the packs' options set them."""
        dice = options["glitch_rule"], options["edge_reroll_explodes"]
        return cls(*dice, both_hits, options["glitch_counts_exploded"], reports_glitch)

    def counted(self, hits: int) -> int:
        """The hits of the first side that count."""
        return min(hits, self.limit) if self.limit else hits


STANDARD = RollRules()


def side_of(
    label: str, who: str, pool: int, facts: Mapping[str, Any], request: AttemptRequest, *, says: bool = False
) -> Side:
    """A side of a test, with all that is offered to a combatant.

    Args:
        who: the record in `facts`.
        says: the request may say beforehand that Edge is burned on this test (``burn_edge``).

    Raises:
        InputError: it says so, and there is no Edge to burn.
    """
    rating, points = facts.get(f"{who}.edge", 0), facts.get(f"{who}.edge_points")
    if not uses_edge(facts, request.options, who):
        rating, points = 0, 0
    burn, shared = None, bool(facts.get(f"{who}.edge_group"))
    if says and facts.get(f"{who}.burn_edge"):
        needs_edge(facts, who, "edge", "no Edge is left to burn")
        burn = Burn(rating, True, shared)
    elif EDGE_BEFORE in request.open and rating > 0 and (points or facts.get(f"{who}.burns_edge")):
        burn = Burn(rating, shared=shared)
    dice = rating if points else 0
    before, after = dice * (EDGE_BEFORE in request.open), dice * (EDGE_AFTER in request.open)
    buys = BUY_HITS in request.open and request.options["buying_hits"]
    smooth = bool(facts.get(f"{who}.without_glitches") and request.options["guard_stops_glitches"])
    return Side(label, who, max(0, pool), before, after, buys, burn, smooth=smooth)


def opposed(
    it: Attempt, first: tuple[str, str, str], second: tuple[str, str, str]
) -> tuple[Side, Side | None]:
    """Both sides of an opposed test, each by its label, its record and its pool; without a pool nobody opposes it."""
    (label, who, to), (other_label, other, against) = first, second
    side = side_of(label, who, it.total(to), it.facts, it.request, says=True)
    dice = it.known(against)
    return side, None if dice is None else side_of(other_label, other, dice, it.facts, it.request)


class Unopposed(Wrapper, kind="sr4.unopposed"):
    """An attack without a defense: the outcome says that the defense had no hits."""

    def notes(self, outcome: Stage) -> Facts:
        return {**outcome.notes(), "defense_hits": 0}
