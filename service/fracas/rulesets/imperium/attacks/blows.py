"""The stages of an attack in close combat: the roll to hit, parries and what they break, force weapons, damage.

Rulebook sections 6, 7, 8.1, 10.3 and 10.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

from fracas.kernel import percentiles
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.percentiles import matched
from fracas.kernel.stage import Awaited, Decision, Effect, Fact, Facts, Option, Roll, Shared, Stage
from fracas.rulesets.imperium.attacks.attack import ATTACKER, TARGET, Rounds, Victim
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.nerve import PINNED
from fracas.rulesets.imperium.checks.percentile import Bands, Passing, Percentile, location_of
from fracas.rulesets.imperium.harms.bodies import OWED
from fracas.rulesets.imperium.harms.damage import Damage, DiceParts, Factors, field_roll
from fracas.rulesets.imperium.harms.injury import Blow, Harm, after_blows, unhurt

HIT, MISS, PARRIED = "hit", "miss", "parried"
FORCE_TEST = "force-test"
TEST, SPARE = "test", "spare"
FORCE_OPTIONS = (
    Option(TEST, "Test Willpower for the power of the force weapon"),
    Option(SPARE, "Strike with the weapon alone"),
)
WAYS = (TEST, SPARE)


class Force(Part, kind="imperium.force"):
    """What a force weapon does in the hands of a psyker.

    Attributes:
        test: the Willpower Test.
        asks: whether to take it is asked.
        dice, plus: added to the damage by a test that is passed.
        factors: of the damage if it is passed; `unpassed` if it is not.
    """

    test: Percentile
    asks: bool
    dice: DiceParts
    plus: int
    factors: Factors
    unpassed: Factors


class Breakage(Part, kind="imperium.breakage"):
    """What a parry may break.

    Attributes:
        whose: `ATTACKER` or `TARGET`.
        item: the weapon, as effects name it.
    """

    whose: str
    item: str
    test: Percentile


class Assault(Part, kind="imperium.assault"):
    """An attack, settled before the first roll.

    Attributes:
        test: with the Parry Penalty; `unparried` without it.
        dice, plus: the damage.
        critical: what a critical hit multiplies.
        force: None where no power of a force weapon is at work.
        breakage: None where a parry breaks nothing.
        rounds: of a pistol that is fired.
        rouses: a charge, which ends that its target is pinned.
        dodge, counter: what the target may do about it, of `attacks.defense`; None for nothing.
    """

    victim: Victim
    test: Percentile
    unparried: Percentile
    bands: Bands
    dice: DiceParts
    plus: int
    critical: Factors
    force: Force | None
    breakage: Breakage | None
    rounds: Rounds
    dodge: Any = None
    counter: Any = None
    rouses: bool = False

    def result(self, face: int) -> str:
        """What a face of the roll to hit means: `HIT`, `PARRIED` or `MISS`."""
        if self.test.passes(face):
            return HIT
        return PARRIED if self.unparried.passes(face) else MISS


@lru_cache(maxsize=256)
def _ways(assault: Shared[Assault]) -> percentiles.Weighed:
    """The ways in which the roll to hit can go: see `ways_of`."""
    plan = assault.value

    def meaning(face: int) -> tuple[str, bool, str]:
        result = plan.result(face)
        hit = result == HIT
        return result, hit and matched(face), location_of(face, plan.bands) if hit else ""

    return percentiles.ways_of(meaning)


class Attack(Waiting, kind="imperium.attack"):
    """Waits for the roll to hit."""

    assault: Shared[Assault]
    awaits = rolls("attack", ATTACKER, lambda self: self.assault.value.test)

    def spread(self, inputs: Any) -> percentiles.Weighed:
        """The faces of the roll that differ in what comes of them, with their weights."""
        return _ways(self.assault)

    def advance(self, answer: Any) -> Stage:
        plan = self.assault.value
        result = plan.result(answer)
        if result != HIT:
            missed = Fought(self.assault, result, False, "", unhurt(plan.victim.body))
            if result != PARRIED:
                return missed
            by = answer - plan.test.chance
            return Parry(missed, by) if plan.breakage is not None else missed.answered(by)
        struck = Struck(self.assault, location_of(answer, plan.bands), matched(answer), 0, False)
        if plan.dodge is not None:
            return cast(Stage, plan.dodge.offered(struck))
        return struck.warded()


class Parry(Waiting, kind="imperium.parry"):
    """Waits for the roll that says whether a power weapon breaks what it meets in a parry; then comes `end`."""

    end: Fought
    by: int = 0

    @property
    def awaits(self) -> Awaited:
        breakage = self._breakage
        by = TARGET if breakage.whose == ATTACKER else ATTACKER
        return percentile.pass_or_fail("breakage", by, breakage.test)

    @property
    def _breakage(self) -> Breakage:
        breakage = self.end.assault.value.breakage
        assert breakage is not None
        return breakage

    def advance(self, answer: Any) -> Stage:
        end = self.end._replace(broken=self._breakage.whose) if answer else self.end
        return end.answered(self.by)


class Struck(Waiting, kind="imperium.struck"):
    """Waits for the damage of a hit.

    Attributes:
        field: points that a force field takes off.
        powered: the test of the force weapon was passed.
        owed: actions that a dodge costs the target.
    """

    assault: Shared[Assault]
    location: str
    critical: bool
    field: int
    powered: bool
    owed: int = 0

    def warded(self) -> Stage:
        """What comes before the damage: the points of a force field, and the test of a force weapon."""
        return Warded(self) if self.assault.value.victim.protection.rolls else self.empowered()

    def end(self) -> Fought:
        """The hit, before its damage."""
        return Fought(self.assault, HIT, self.critical, "", unhurt(self.assault.value.victim.body), self.owed)

    def empowered(self) -> Stage:
        """What comes before the damage: the test of a force weapon."""
        force = self.assault.value.force
        if force is None:
            return self
        return Empower(self) if force.asks else WillpowerTest(self)

    @property
    def awaits(self) -> Awaited:
        plan = self.assault.value
        factors = plan.critical if self.critical else Factors()
        dice, plus, force = plan.dice, plan.plus, plan.force
        if force is not None and self.powered:
            dice, plus, factors = (*dice, *force.dice), plus + force.plus, factors.times(force.factors)
        elif force is not None:
            factors = factors.times(force.unpassed)
        less = plan.victim.protection.at(self.location) + self.field
        place = "" if plan.victim.hull else self.location
        return Roll(("damage",), (ATTACKER,), Damage(dice, plus, factors, less, place))

    def advance(self, answer: Any) -> Stage:
        victim = self.assault.value.victim
        return after_blows(self.end(), victim.who, Blow(self.location, answer))


class Warded(Waiting, kind="imperium.warded"):
    """Waits for the points that a force field takes off; then comes `struck`."""

    struck: Struck

    @property
    def awaits(self) -> Awaited:
        victim = self.struck.assault.value.victim
        return field_roll("field", victim.who, victim.protection)

    def advance(self, answer: Any) -> Stage:
        return self.struck._replace(field=answer).empowered()


class Empower(Waiting, kind="imperium.empower"):
    """A psyker decides whether to use the power of a force weapon."""

    struck: Struck
    awaits = Decision(FORCE_TEST, ATTACKER, FORCE_OPTIONS, TEST)

    def advance(self, answer: Any) -> Stage:
        return WillpowerTest(self.struck) if answer == TEST else self.struck


class WillpowerTest(Waiting, kind="imperium.willpower-test"):
    """Waits for the test of a force weapon."""

    struck: Struck
    awaits = rolls("force", ATTACKER, lambda self: Passing(self.struck.assault.value.force.test))

    def advance(self, answer: Any) -> Stage:
        return self.struck._replace(powered=bool(answer))


class Fought(Outcome, kind="imperium.fought"):
    """How an attack ended.

    Attributes:
        result: `HIT`, `PARRIED` or `MISS`.
        broken: whose weapon broke in the parry: `ATTACKER`, `TARGET` or "".
    """

    assault: Shared[Assault]
    result: str
    critical: bool
    broken: str
    harm: Harm
    owed: int = 0

    def answered(self, by: int) -> Stage:
        """With the blow that the target may strike in return; `by`: how far the attack failed."""
        counter = self.assault.value.counter
        return cast(Stage, counter.after(self, by)) if counter is not None else self

    def notes(self) -> Facts:
        plan = self.assault.value
        facts: dict[str, Fact] = {"result": self.result, "hit": self.result == HIT, "critical": self.critical}
        facts["parried"] = self.result == PARRIED
        if plan.breakage is not None:
            facts["broken"] = self.broken or "none"
        return facts | plan.victim.facts(self.harm) | plan.rounds.facts()

    def changes(self) -> Iterator[Effect]:
        plan = self.assault.value
        yield from plan.rounds.effects()
        if self.broken and plan.breakage is not None:
            state = (("destroyed", True), ("ready", False))
            yield Effect("item", self.broken, plan.breakage.item, None, state)
        if self.owed:
            yield Effect("mark", plan.victim.who, OWED, self.owed)
        yield from plan.victim.suffers(self.harm)
        if plan.rouses:
            yield Effect("remove-condition", plan.victim.who, PINNED)
