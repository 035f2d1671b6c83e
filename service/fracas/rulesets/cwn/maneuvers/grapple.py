"""Getting hold of somebody: rulebook section 8.1, and 8.1's grabbed drones.

What a grapple does as each round ends is an attack with ``attack.hold``; see `escape` for how it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.rulesets.cwn.attacks.attack import DECISIONS, chance
from fracas.rulesets.cwn.attacks.outcome import NO_ROUNDS, costs_of, reactions_of, squeezes
from fracas.rulesets.cwn.attacks.planning import shown_of
from fracas.rulesets.cwn.maneuvers.bouts import TARGETS, Bout
from fracas.rulesets.cwn.maneuvers.maneuver_vocabulary import GRAPPLE

GRAPPLING, GRAPPLED = "grappling", "grappled"
SHARKSKIN = "sharkskin-electrodes"
_SKILLS = ("punch",)


class Grapple:
    """An unarmed attack without damage, then Strength and Punch against the same."""

    id = "grapple"
    label = "Grapple"
    doc = "Unarmed attack roll without damage, then opposed checks of strength; a drone does not resist."
    vocabulary = GRAPPLE
    decisions = DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("hit", "Chance to hit", chance(lambda facts: facts["hit"])),
        Measure("success", "Chance to get hold", chance(lambda facts: facts["result"] == GRAPPLED)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        shocking = tuple(who for who in ("attacker", "target") if _has_sharkskin(facts, who))
        bout = Bout.of(
            asked,
            self.id,
            _SKILLS,
            GrappleEnd((), shocking),
            resists=lambda facts: not facts.get("target.machine"),
        )
        shown = shown_of(bout.facts)
        if bout.refusals:
            return Prepared(None, (), bout.refusals, shown)
        return Prepared(bout.begin(), bout.tallies(), (), shown, bout.begin)


def _has_sharkskin(facts: Mapping[str, Any], who: str) -> bool:
    return SHARKSKIN in {entry.slug for entry in facts.get(f"{who}.augmentations", ())}


class GrappleEnd(Part, kind="cwn.grapple-end"):
    """What follows the contest of a grapple; `shocking`: those whose skin shocks whoever is in a grapple with them."""

    spent: tuple[str, ...]
    shocking: tuple[str, ...]

    def with_spent(self, spent: tuple[str, ...]) -> GrappleEnd:
        return self._replace(spent=spent)

    def missed(self, spent: tuple[str, ...]) -> Stage:
        return Grappled("miss", (), spent)

    def settled(self, won: bool) -> Stage:
        return Grappled(GRAPPLED if won else "resisted", self.shocking if won else (), self.spent)


class Grappled(Outcome, kind="cwn.grappled"):
    """How it ended: ``miss``, ``resisted`` or ``grappled``; the rest as in `GrappleEnd`."""

    result: str
    shocking: tuple[str, ...]
    spent: tuple[str, ...]

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result, "hit": self.result != "miss"}
        return facts | reactions_of(self.spent)

    def effects(self) -> tuple[Effect, ...]:
        return (*costs_of(NO_ROUNDS, self.spent, "target"), *self._hold())

    def _hold(self) -> Iterator[Effect]:
        if self.result != GRAPPLED:
            return
        yield Effect("add-condition", "attacker", GRAPPLING, None, (("towards", "target"),))
        yield Effect("add-condition", "target", GRAPPLED, None, (("towards", "attacker"),))
        yield squeezes("grapple", 0)
        for who in self.shocking:
            yield squeezes("skin-of-grappler" if who == "attacker" else "skin-of-grappled", 0, who)
