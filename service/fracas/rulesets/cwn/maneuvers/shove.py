"""Pushing somebody back or to the ground: rulebook section 8.1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Stage
from fracas.rulesets.cwn.attacks.attack import DECISIONS, chance
from fracas.rulesets.cwn.attacks.outcome import NO_ROUNDS, costs_of, reactions_of
from fracas.rulesets.cwn.attacks.planning import shown_of
from fracas.rulesets.cwn.maneuvers.bouts import TARGETS, Bout
from fracas.rulesets.cwn.maneuvers.maneuver_vocabulary import SHOVE

SHOVE_RESULT = "shove-result"
PUSHED, PRONE = "push", "prone"
METRES = 3
_SKILLS = ("exert", "punch")
_OPTIONS = (Option(PUSHED, "Push back up to 3 metres"), Option(PRONE, "Knock to the ground"))


class Shove:
    """A melee attack without damage, then Strength and Exert or Punch against the same."""

    id = "shove"
    label = "Shove"
    doc = "Attack roll without damage, then opposed checks of strength; pushed up to 3 metres back, or knocked prone."
    vocabulary = SHOVE
    decisions = (
        *DECISIONS,
        DecisionInfo(SHOVE_RESULT, "Push back or knock prone", (PUSHED, PRONE), PUSHED),
    )
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("hit", "Chance to hit", chance(lambda facts: facts["hit"])),
        Measure("success", "Chance to shove", chance(lambda facts: facts["result"] == "shoved")),
    )

    def prepare(self, asked: Asked) -> Prepared:
        end = ShoveEnd((), SHOVE_RESULT in asked.open)
        bout = Bout.of(asked, self.id, _SKILLS, end, resists=lambda facts: True)
        shown = shown_of(bout.facts)
        if bout.refusals:
            return Prepared(None, (), bout.refusals, shown)
        return Prepared(bout.begin(), bout.tallies(), (), shown, bout.begin)


class ShoveEnd(Part, kind="cwn.shove-end"):
    """What follows the contest of a shove; `asks`: the attacker chooses what comes of it."""

    spent: tuple[str, ...]
    asks: bool

    def with_spent(self, spent: tuple[str, ...]) -> ShoveEnd:
        return self._replace(spent=spent)

    def missed(self, spent: tuple[str, ...]) -> Stage:
        return Shoved("miss", "", spent)

    def settled(self, won: bool) -> Stage:
        if not won:
            return Shoved("resisted", "", self.spent)
        return ShoveChoice(self.spent) if self.asks else Shoved("shoved", PUSHED, self.spent)


class ShoveChoice(Waiting, kind="cwn.shove-choice"):
    """Waits for what the shove does."""

    spent: tuple[str, ...]

    @property
    def awaits(self) -> Awaited:
        return Decision(SHOVE_RESULT, "attacker", _OPTIONS, PUSHED)

    def advance(self, answer: Any) -> Stage:
        return Shoved("shoved", str(answer), self.spent)


class Shoved(Outcome, kind="cwn.shoved"):
    """How a shove ended: ``miss``, ``resisted`` or ``shoved``; `how` it did, and what was spent on it."""

    result: str
    how: str
    spent: tuple[str, ...]

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result, "hit": self.result != "miss"}
        if self.how:
            facts |= {"shoved": self.how} | ({"pushed_m": METRES} if self.how == PUSHED else {})
        return facts | reactions_of(self.spent)

    def effects(self) -> tuple[Effect, ...]:
        return (*costs_of(NO_ROUNDS, self.spent, "target"), *self._prone())

    def _prone(self) -> Iterator[Effect]:
        if self.how == PRONE:
            yield Effect("add-condition", "target", "prone")
