"""Catching fire, burning, and putting the flames out (rulebook chapter 17).

The figures stand in the packs' table ``fire``. Those who burn are hurt as each own round ends, until the flames are
out; two fires are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.composing import ThenAlso
from fracas.kernel.fields import fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Continuation, Outcome, Waiting
from fracas.kernel.percentiles import matched
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Shared, Stage
from fracas.kernel.steps import Throw, ended
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Percentile, dice_in
from fracas.rulesets.imperium.harms import bodies, injury
from fracas.rulesets.imperium.harms.bodies import DEAD, OWED, Body
from fracas.rulesets.imperium.harms.damage import COVER, SKIN, protection_of
from fracas.rulesets.imperium.harms.hurting import Aftereffect, exposed, hazard_of
from fracas.rulesets.imperium.harms.injury import ARMS, MEASURES, Blow, Harm, after_blows, unhurt
from fracas.rulesets.imperium.vocabulary import MERGING, fields_named

FIRE = "fire"
"""The table of the packs."""
BURNING = "burning"
"""The condition, and the field."""
BURN = "burn"
"""The action that says, as an own round ends, what the flames do."""
VICTIM, TESTER = "victim", "tester"
BURNS = flag("Burning", "Left out: is not.")


def burning(who: str) -> tuple[Effect, ...]:
    """A combatant burns from now on, until the flames are out."""
    when = (("when", injury.ROUND_END), ("while", BURNING))
    return Effect("add-condition", who, BURNING), Effect("schedule", who, BURN, None, when)


FIRE_TEST = percentile.OwnTest("initiative-test", "test of Initiative")
"""Of a combatant among flames."""


def keep_test(it: Attempt, who: str) -> None:
    """Make the number of that test, where the Initiative is known."""
    if f"{who}.initiative" in it.facts:
        percentile.number_of_test(it, FIRE_TEST.of(who), who, "initiative")


class Kindling(Aftereffect, kind="imperium.kindling"):
    """What may set its victim on fire.

    Attributes:
        test: of Initiative, which keeps the flames off.
        bare: wears nothing that covers the body, so that any hit is enough.
    """

    test: Percentile
    bare: bool

    def follows(self, settled: Stage) -> Stage:
        harm, hit = getattr(settled, "harm", None), settled.notes().get("hit")
        if harm is None or harm.out == DEAD or not (harm.net or (self.bare and hit)):
            return settled
        alight, spared = ended({BURNING: True}, *burning(self.who)), ended({BURNING: False})
        return ThenAlso(settled, percentile.either("fire", self.who, self.test, spared, alight), "")


def kindling_of(it: Attempt, who: str) -> Kindling | None:
    """What may set a combatant on fire; None for those who burn already, and where the Initiative is not known."""
    chance = it.known(FIRE_TEST.of(who))
    if chance is None or it.facts.get(f"{who}.{BURNING}") or it.facts.get(f"{who}.object"):
        return None
    if f"{who}.hull" in it.facts:
        return None
    worn = (one.data.get("locations", ()) for one in it.facts.get(f"{who}.armor", ()))
    return Kindling(who, percentile.of_chance(it, chance), not any("body" in places for places in worn))


class Burn(Procedure):
    """What the flames do to a combatant as their own round ends; armor counts half, the location is rolled."""

    vocabulary = vocabulary(
        person(VICTIM, "Who burns"),
        bodies.body_fields(VICTIM),
        fields_named(VICTIM, "armor", **COVER),
        fields(VICTIM, burning=BURNS),
    )
    targets: Mapping[str, str] = {
        **bodies.INJURY_TEST.targets(VICTIM),
        f"{VICTIM}.nerve-test": "Test of Nerve not to beat at the flames",
    }
    measures = (*MEASURES, chance("beats_at_flames", "Chance to beat at the flames"))

    def numbers(self, it: Attempt) -> None:
        it.facts.pop(f"{VICTIM}.cover", None)
        it.plan = bodies.known_body(it, VICTIM), protection_of(it, VICTIM).halved()
        what = "the Nerve of those who burn"
        percentile.number_of_test(it, f"{VICTIM}.nerve-test", VICTIM, "nerve", what=what)

    def first(self, it: Attempt) -> Stage:
        body, protection = it.plan
        row = row_of(it.lookup, FIRE, BURNING)
        hazard = hazard_of(it, VICTIM, dice_in(FIRE, row["dice"]), protection=protection)
        test = percentile.of_number(it, f"{VICTIM}.nerve-test")
        body = bodies.as_numbered(it, VICTIM, body)
        return exposed(Burned(unhurt(body), test, row["actions"], None), hazard)


class Burned(Waiting, kind="imperium.burned"):
    """What the flames did; waits for the test of Nerve of those who can still act.

    Attributes:
        actions: that beating at the flames costs.
        passed: None before the test.
    """

    harm: Harm
    test: Percentile
    actions: int
    passed: bool | None

    @property
    def awaits(self) -> Awaited:
        if self.passed is not None or self.harm.out:
            return None
        return percentile.pass_or_fail("nerve", VICTIM, self.test)

    def advance(self, answer: Any) -> Stage:
        return self._replace(passed=bool(answer))

    def notes(self) -> Facts:
        if self.awaits is not None:
            return {}
        return {**self.harm.facts(), "beats_at_flames": self.passed is False}

    def effects(self) -> tuple[Effect, ...]:
        if self.awaits is not None:
            return ()
        beats = (Effect("mark", VICTIM, OWED, self.actions),) if self.passed is False else ()
        again = burning(VICTIM)[1:] if self.harm.out != DEAD else ()
        return (*self.harm.effects(VICTIM), *beats, *again)


class PutOutFire(Procedure):
    """A test of Initiative puts out the flames on oneself; a matched failure burns both hands."""

    label = "Put out a fire"
    vocabulary = vocabulary(
        person(TESTER, "Who burns"),
        Record("fire", "The fire"),
        Record("action", "The action"),
        bodies.body_fields(TESTER),
        fields_named(TESTER, "armor", "prone", hide=SKIN["hide"]),
        fields(TESTER, burning=BURNS),
        fields(
            "fire",
            helpers=whole("Helpers", "Who spend an action on it, two at most. Left out: none.", most=2),
            water=flag("Water", "Puts it out at once. Left out: none."),
        ),
        MERGING,
    )
    targets: Mapping[str, str] = {
        "fire.chance": "Chance to put out the fire",
        **bodies.INJURY_TEST.targets(TESTER),
    }
    measures = (chance("success", "Chance to put it out"),)

    def numbers(self, it: Attempt) -> None:
        it.plan = bodies.body_of(it, TESTER)
        if not it.facts.get("fire.water"):
            halvings = percentile.merged_halvings(it)
            percentile.number_of_test(it, "fire.chance", TESTER, "initiative", halvings=halvings)

    def first(self, it: Attempt) -> Stage:
        body = bodies.as_numbered(it, TESTER, it.plan)
        if "fire.chance" not in it.made:
            return FireEnd(unhurt(body), True)
        arms = (0, 0)
        if f"{TESTER}.armor" in it.facts:
            protection = protection_of(it, TESTER)
            arms = protection.at(ARMS[0]), protection.at(ARMS[1])
        hands = dice_in(FIRE, row_of(it.lookup, FIRE, "hands")["dice"])
        return percentile.tested(it, "fire.chance", TESTER, Beating(body, hands, arms))


class Beating(Continuation, kind="imperium.beating"):
    """What comes of the test.

    Attributes:
        hands: the damage to each of them after a matched failure.
        arms: the armor of the right and the left one.
    """

    body: Shared[Body] | None
    hands: Total
    arms: tuple[int, int]

    def on_result(self, test: Percentile, face: int) -> Stage:
        if test.passes(face) or not matched(face):
            return FireEnd(unhurt(self.body), test.passes(face))
        return Throw("hands", TESTER, self.hands, BurnedHands(self.body, self.arms))


class BurnedHands(Continuation, kind="imperium.burned-hands"):
    """What comes of the dice of hands in the flames; see `Beating`."""

    body: Shared[Body] | None
    arms: tuple[int, int]

    def on_result(self, rolled: int) -> Stage:
        blows = (Blow(arm, max(0, rolled - less)) for arm, less in zip(ARMS, self.arms, strict=True))
        return after_blows(FireEnd(unhurt(self.body), False), TESTER, *blows)


class FireEnd(Outcome, kind="imperium.fire-end"):
    """Whether the fire is out, and what it did to the hands."""

    harm: Harm
    success: bool

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.success}
        return facts | (dict(self.harm.facts()) if self.harm.net else {})

    def changes(self) -> Iterator[Effect]:
        if self.success:
            yield Effect("remove-condition", TESTER, BURNING)
        if self.harm.net:
            yield from self.harm.effects(TESTER)
