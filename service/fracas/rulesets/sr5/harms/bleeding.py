"""The box more that a dying combatant loses: rulebook section 8.6."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.forms import Outcome
from fracas.kernel.stage import Effect, Fact, Facts
from fracas.rulesets.sr5.harms.harm import bleeding, facts_after, marks
from fracas.rulesets.sr5.harms.monitors import Monitors


class Bled(Outcome, kind="sr5.bled"):
    """What nobody resists; it comes again as long as the wounds are not stabilized. The dead are left alone."""

    who: str
    monitors: Monitors | None
    boxes: int

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"damage": self.boxes, "track": "physical"}
        if self.monitors is not None:
            facts |= facts_after(self.monitors.after(self.boxes, "physical"))
        return facts

    def changes(self) -> Iterator[Effect]:
        monitors = self.monitors
        effects = marks(self.who, monitors, self.boxes, "physical")
        yield from effects
        begins = any(effect.type == "schedule" for effect in effects)
        if monitors is not None and not begins and not monitors.after(self.boxes, "physical").dead:
            yield from bleeding(self.who, monitors)
