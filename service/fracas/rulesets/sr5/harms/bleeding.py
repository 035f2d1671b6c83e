"""The box more that a dying combatant loses: rulebook section 8.6."""

from __future__ import annotations

from typing import Literal, NamedTuple

from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Stage, stage_class
from fracas.rulesets.sr5.harms.harm import bleeding, facts_after, marks
from fracas.rulesets.sr5.harms.monitors import Monitors


@stage_class
class Bled(NamedTuple):
    """What nobody resists; it comes again as long as the wounds are not stabilized. The dead are left alone."""

    who: str
    monitors: Monitors | None
    boxes: int
    kind: Literal["sr5.bled"] = "sr5.bled"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"damage": self.boxes, "track": "physical"}
        if self.monitors is not None:
            facts |= facts_after(self.monitors.after(self.boxes, "physical"))
        return facts

    def effects(self) -> tuple[Effect, ...]:
        monitors = self.monitors
        effects = marks(self.who, monitors, self.boxes, "physical")
        begins = any(effect.type == "schedule" for effect in effects)
        if monitors is not None and not begins and not monitors.after(self.boxes, "physical").dead:
            effects += bleeding(self.who, monitors)
        return tuple(effects)
