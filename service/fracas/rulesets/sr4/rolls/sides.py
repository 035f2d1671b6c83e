"""Who makes a test, with what Edge is offered, and the house rules of the roll (rulebook sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fracas.kernel.forms import Part
from fracas.kernel.ruleset import Asked
from fracas.rulesets.sr4.rolls.edge_burning import Burn, burnable, said_to_burn
from fracas.rulesets.sr4.rolls.edge_choices import BUY_HITS, EDGE_AFTER, EDGE_BEFORE


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

    @property
    def thrower(self) -> str:
        """Who throws the dice, and by whose name what they cost is told."""
        return self.of or self.by

    @property
    def burns(self) -> bool:
        """It was said beforehand that Edge is burned."""
        return self.burn is not None and self.burn.said

    def without_edge(self) -> Side:
        """Where the point of Edge that an action takes is spent."""
        return self._replace(edge=0, edge_after=0, burn=None, helper=None)

    def without_points(self) -> Side:
        """Where no point of Edge is left; the attribute may still be burned."""
        return self._replace(edge=0, edge_after=0)

    def less_burned(self, points: int) -> Side:
        """Where so many points of the attribute have been burned: so many Edge dice fewer."""
        left = self.burn and self.burn.less(points)
        rating = left.rating if left else 0
        return self._replace(edge=min(self.edge, rating), edge_after=min(self.edge_after, rating), burn=left)

    def labelled(self, label: str) -> Side:
        """With another label, for its helper too."""
        return self._replace(label=label, helper=self.helper and self.helper._replace(label=label))

    def with_dice(self, pool: int) -> Side:
        """With another pool, for its helper too."""
        helper = self.helper and self.helper._replace(pool=pool)
        return self._replace(pool=pool, helper=helper)


class RollRules(Part, kind="sr4.roll-rules"):
    """House rules that a test needs, and what its receiver needs; for `glitch` see `glitch_of`.

    Attributes:
        reroll_explodes: dice rolled again through Edge follow the Rule of Six.
        both_hits: the receiver needs the hits of both sides.
        counts_exploded: dice added by exploding sixes count for glitches.
        tells_glitch: the receiver is told the glitch of the first side, see `Receiver.take_told`.
        limit: of an opposed test with `both_hits`, the hits of the first side that count at most; 0 for all.
    """

    glitch: str = "half_or_more"
    reroll_explodes: bool = False
    both_hits: bool = False
    counts_exploded: bool = False
    tells_glitch: bool = False
    limit: int = 0

    @classmethod
    def of(cls, options: Mapping[str, Any], both_hits: bool = False, tells_glitch: bool = False) -> RollRules:
        """The house rules as the packs' options set them."""
        return cls(
            options["glitch_rule"],
            options["edge_reroll_explodes"],
            both_hits,
            options.get("glitch_counts_exploded", False),
            tells_glitch,
        )

    def counted(self, hits: int) -> int:
        """The hits of the first side that count."""
        return min(hits, self.limit) if self.limit else hits


STANDARD = RollRules()


def side_of(
    label: str, who: str, pool: int, facts: Mapping[str, Any], asked: Asked, *, says: bool = False
) -> Side:
    """A side of a test, with all that is offered to somebody.

    Args:
        who: the record in `facts`.
        says: the request may say beforehand that Edge is burned on this test (``burn_edge``).

    Raises:
        InputError: it says so, and there is no Edge to burn.
    """
    burn = said_to_burn(facts, who) if says else None
    return Side(
        label,
        who,
        max(0, pool),
        *edge_offered(facts, who, asked.open),
        BUY_HITS in asked.open and asked.options["buying_hits"],
        burn or (burnable(facts, who) if EDGE_BEFORE in asked.open else None),
    )


def edge_offered(facts: Mapping[str, Any], who: str, open: Collection[str]) -> tuple[int, int]:
    """The Edge dice that somebody may bring before and after a roll; 0 without a point left, or where nobody asks."""
    rating: int = facts.get(f"{who}.edge", 0) if facts.get(f"{who}.edge_points", 0) else 0
    return (rating if EDGE_BEFORE in open else 0), (rating if EDGE_AFTER in open else 0)
