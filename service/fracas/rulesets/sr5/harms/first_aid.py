"""First aid of Shadowrun 5, and keeping the dying alive: rulebook section 8.6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.forms import Outcome
from fracas.kernel.monitors import DYING, STABILIZED
from fracas.kernel.required import require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.harms.harm import healed
from fracas.rulesets.sr5.harms.harm_vocabulary import FIRST_AID
from fracas.rulesets.sr5.harms.monitors import Monitors
from fracas.rulesets.sr5.harms.soaking import FLOOR
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, spent_edge
from fracas.rulesets.sr5.sheet import derive_side, pool_entries

SKILL = "first-aid"
_THRESHOLD = 2
"""Hits needed where the packs have no table ``first-aid``."""
POOL = "first-aid.pool"


class FirstAid:
    """First Aid + Logic (2): the net hits are boxes healed, or a dying combatant is stabilized."""

    id = "first-aid"
    label = "First aid"
    doc = "First Aid + Logic (2) with a medkit within an hour: hits above it heal boxes, up to the skill."
    vocabulary = FIRST_AID
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "First aid pool"}
    measures = (
        Measure("success", "Chance of success", lambda facts: float(bool(facts["success"]))),
        Measure("boxes", "Expected boxes healed", lambda facts: float(facts["boxes"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = {"stabilize": False, **asked.said.facts}
        names = ("body", "willpower", "physical", "stun")
        require(facts, ((f"patient.{name}", f"{name.capitalize()} of the patient") for name in names))
        for who in ("tester", "patient"):
            derive_side(facts, who)
        base = pool_entries(facts, "tester", ("logic",), SKILL)
        if facts.get("tester.specialized"):
            base.append(Entry("specialization", "Specialization", 2))
        if facts.get("tester.wound_modifier"):
            base.append(Entry("wounds", "Wounds", facts["tester.wound_modifier"], origin="rule"))
        pool = asked.rules.tally(POOL, self.targets[POOL], base, facts, asked.hand).at_least(0, FLOOR)
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (pool,), refusals)
        monitors = Monitors.of(facts, "patient")
        assert monitors is not None, "what it needs is there"
        table = asked.catalog.entry("table", "first-aid")
        threshold = table.data["rows"]["threshold"]["value"] if table else _THRESHOLD
        skills = facts.get("tester.skills")
        most = -1 if skills is None else skills.get(SKILL, 0)
        care = Care(monitors, facts.get("track", "physical"), threshold, most, bool(facts["stabilize"]))

        def first(pool: Tally) -> Stage:
            side = dice_test.side_of("first_aid", "tester", pool.total, facts, asked)
            return dice_test.start(side, None, care)

        return Prepared(first(pool), (pool,), rebuild=first)


class Care(Receiver, kind="sr5.care"):
    """Takes the hits.

    Attributes:
        track: whose boxes are healed first; then the other's.
        most: boxes at most; -1 for no limit.
        stabilizes: the dying are kept alive; no box is healed.
    """

    monitors: Monitors
    track: str
    threshold: int
    most: int
    stabilizes: bool

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return CareEnd(self, hits, spent[0])

    def short(self, hits: int, other_hits: int) -> int:
        return self.threshold + (0 if self.stabilizes else 1) - hits

    def notes(self) -> Facts:
        return {"threshold": self.threshold}

    def healed(self, hits: int) -> tuple[int, int]:
        """The Physical and Stun boxes that so many hits heal."""
        boxes = 0 if self.stabilizes else max(0, hits - self.threshold)
        boxes = boxes if self.most < 0 else min(boxes, self.most)
        first, other = self.monitors.physical, self.monitors.stun
        if self.track == "stun":
            first, other = other, first
        mended = min(boxes, first)
        rest = min(boxes - mended, other)
        return (mended, rest) if self.track == "physical" else (rest, mended)


class CareEnd(Outcome, kind="sr5.care-end"):
    """How it ended."""

    care: Care
    hits: int
    edge_spent: int

    @property
    def _stabilized(self) -> bool:
        care = self.care
        return care.stabilizes and self.hits >= care.threshold and care.monitors.now().dying

    def notes(self) -> Facts:
        care = self.care
        physical, stun = care.healed(self.hits)
        monitors = care.monitors
        now = monitors._replace(physical=monitors.physical - physical, stun=monitors.stun - stun).now()
        facts: dict[str, Fact] = {
            "success": self.hits >= care.threshold,
            "hits": self.hits,
            "boxes": physical + stun,
            "physical_after": now.physical,
            "stun_after": now.stun,
            "unconscious": now.unconscious,
            "dying": now.dying and not (self._stabilized or monitors.stabilized),
        }
        return facts | ({"stabilized": self._stabilized} if care.stabilizes else {})

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(("tester", self.edge_spent))
        yield from healed("patient", self.care.monitors, *self.care.healed(self.hits))
        if self._stabilized:
            yield Effect("add-condition", "patient", STABILIZED)
            yield Effect("remove-condition", "patient", DYING)
