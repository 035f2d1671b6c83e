"""The stages of shots at one person, and of what bursts (rulebook sections 5.1 to 5.4, 7, 8.1 and 11).

One roll of percentile dice says whether a shot hits, whether it is a critical hit, and where: of its face the next
stage keeps these three. Then come which of rider and mount is struck, force field, damage and injuries.

Of what bursts most is ours. The one who the throw hits is struck where the roll to hit says, and by the doubled damage
of a critical hit; everybody else in reach where their own roll says. The damage is rolled once. A miss harms nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel import percentiles
from fracas.kernel.forms import Continuation, Outcome, Part, Waiting, rolls
from fracas.kernel.percentiles import matched
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Roll, Shared, Stage
from fracas.rulesets.imperium.attacks.attack import EITHER, MOUNT, NO_ROUNDS, RIDER, Rounds, Victim
from fracas.rulesets.imperium.attacks.close_combat import dodging
from fracas.rulesets.imperium.attacks.volley_odds import VolleyRest
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Bands, Percentile, location_of
from fracas.rulesets.imperium.harms.bodies import OWED
from fracas.rulesets.imperium.harms.damage import Damage, DiceParts, Factors, field_roll
from fracas.rulesets.imperium.harms.injury import Blow, Harm, after_blows, unhurt
from fracas.rulesets.imperium.vocabulary import LOCATIONS

CERTAIN, ONLY_WHEN_MATCHED, NEVER, UNTOLD = "certain", "matched-failure", "never", "untold"
"""When the report of a weapon is heard."""
HIT, OUTSIDE, UNHARMED = "hit", "outside", "unharmed"
"""What a burst is for a combatant."""
MOST_WEIGHED = 4
"""Shots that exact odds can follow one after the other, where `volley_odds` does not weigh them together."""


class Firing(Part, kind="imperium.firing"):
    """What all shots at one person have in common.

    Attributes:
        shots: how many.
        dice, plus: the damage.
        critical: what a critical hit multiplies.
        report: when it is heard.
        rounds: used by all shots together.
        dodge: the test of a victim who may dodge one of the hits, for `owed` actions; None for none.
    """

    victim: Victim
    test: Percentile
    bands: Bands
    shots: int
    dice: DiceParts
    plus: int
    critical: Factors
    report: str
    rounds: Rounds
    dodge: Percentile | None = None
    owed: int = 0

    def label(self, word: str, left: int) -> str:
        """The label of a roll: numbered where there are several shots."""
        return word if self.shots == 1 else f"{word}_{self.shots - left + 1}"


@lru_cache(maxsize=256)
def _ways(test: Percentile, bands: Bands, silenced: bool, scatter: Any = None) -> percentiles.Weighed:
    """The ways in which a shot can go: see `ways_of`."""

    def meaning(face: int) -> tuple[bool, bool, str, int]:
        hit, yards = test.passes(face), scatter.yards(test, face) if scatter else 0
        return hit, matched(face) and (hit or silenced), location_of(face, bands) if hit else "", yards

    return percentiles.ways_of(meaning)


class Shot(Waiting, kind="imperium.shot"):
    """Waits for the roll of one shot, or is done.

    Attributes:
        left: shots still to be rolled, this one included; 0 for none.
        hits, criticals: of the shots before.
        mount_hits, mount_damage: of these, what struck the mount.
        heard: a silencer failed.
        harm: what the shots before did.
        evaded: a dodge has been tried; `dodged`: with success.
    """

    firing: Shared[Firing]
    left: int
    hits: int
    criticals: int
    mount_hits: int
    mount_damage: int
    heard: bool
    harm: Harm
    evaded: bool = False
    dodged: bool = False

    @property
    def awaits(self) -> Awaited:
        if not self.left:
            return None
        plan = self.firing.value
        return Roll((plan.label("shot", self.left),), ("attacker",), plan.test)

    def spread(self, inputs: Any) -> percentiles.Weighed:
        """The faces of the roll that differ in what comes of them, with their weights.

        Raises:
            InputError: there are more shots than odds can follow.
        """
        plan = self.firing.value
        if plan.shots > MOST_WEIGHED:
            at_whom = "a target who may dodge" if plan.dodge else "a mount, or without a Toughness"
            message = f"odds follow at most {MOST_WEIGHED} shots at {at_whom}, not {plan.shots}"
            raise InputError.one("situation.fire.shots", "too-complex", message)
        return _ways(plan.test, plan.bands, plan.report == ONLY_WHEN_MATCHED)

    def shortcut(self, inputs: Any) -> VolleyRest | None:
        """Several shots at one person are weighed together, see `volley_odds`."""
        plan = self.firing.value
        whole = self.left == plan.shots > 1 and self.harm.body is not None
        simple = plan.victim.aimed_at != MOUNT and plan.dodge is None
        return VolleyRest(self) if whole and simple else None

    def advance(self, answer: Any) -> Stage:
        plan, double = self.firing.value, matched(answer)
        if not plan.test.passes(answer):
            heard = self.heard or (double and plan.report == ONLY_WHEN_MATCHED)
            return self._replace(left=self.left - 1, heard=heard)
        shot = self._replace(hits=self.hits + 1, criticals=self.criticals + double)
        location = location_of(answer, plan.bands)
        if plan.victim.aimed_at == EITHER:
            return RiderOrMount(shot, location, double)
        if plan.dodge is not None and not self.evaded:
            stands = shot.struck(location, double, mount=False)
            label, dodged = plan.label("dodge", self.left), Sidestepped(shot, location, double)
            return dodging(plan.victim.who, stands, label, plan.dodge, dodged)
        return shot.struck(location, double, plan.victim.aimed_at == MOUNT)

    def struck(self, location: str, critical: bool, mount: bool) -> Stage:
        """A hit at a location of the one who is struck."""
        if not mount and self.firing.value.victim.protection.rolls:
            return Shielded(self, location, critical)
        return Damaging(self, "" if mount else location, critical, 0)

    def notes(self) -> Facts:
        if self.left:
            return {}
        plan = self.firing.value
        missed = "dodged" if self.dodged else "miss"
        facts: dict[str, Fact] = {"result": "hit" if self.hits else missed, "hit": self.hits > 0}
        facts["critical"] = self.criticals > 0
        if plan.shots > 1:
            facts |= {"shots": plan.shots, "hits": self.hits, "criticals": self.criticals}
        if plan.report != UNTOLD:
            facts["heard"] = self.heard or plan.report == CERTAIN
        if plan.victim.aimed_at != RIDER:
            facts |= {"mount_hits": self.mount_hits, "mount_damage": self.mount_damage}
        return facts | plan.victim.facts(self.harm) | plan.rounds.facts()

    def effects(self) -> tuple[Effect, ...]:
        if self.left:
            return ()
        plan = self.firing.value
        shaken = plan.victim.shaken(self.harm, hit=self.hits > 0, shots=plan.shots)
        owed = (Effect("mark", plan.victim.who, OWED, plan.owed),) if self.evaded else ()
        return (*plan.rounds.effects(), *owed, *plan.victim.suffers(self.harm), *shaken)


class _Hit(Waiting):
    """A stage of a hit that has yet to do its damage.

    Attributes:
        shot: what is settled; of its shots the first that is left is this one.
        location: where it strikes; "" where that is the mount, whose armor and injuries are not known.
        critical: the hit is a critical one.
    """

    shot: Shot
    location: str
    critical: bool


class Sidestepped(Continuation, kind="imperium.sidestepped"):
    """What comes of the dodge: one hit less; or the hit, which a matched failure makes critical."""

    shot: Shot
    location: str
    critical: bool

    def on_result(self, test: Percentile, face: int) -> Stage:
        shot = self.shot._replace(evaded=True)
        if test.passes(face):
            fewer = shot._replace(hits=shot.hits - 1, criticals=shot.criticals - self.critical)
            return fewer._replace(left=shot.left - 1, dodged=True)
        critical = self.critical or matched(face)
        shot = shot._replace(criticals=shot.criticals + (critical and not self.critical))
        return shot.struck(self.location, critical, mount=False)


class RiderOrMount(_Hit, kind="imperium.rider-or-mount"):
    """Waits for the roll that says whether a hit strikes the mount."""

    @property
    def awaits(self) -> Awaited:
        plan = self.shot.firing.value
        return percentile.pass_or_fail(plan.label("mount", self.shot.left), "attacker", plan.victim.mount)

    def advance(self, answer: Any) -> Stage:
        return self.shot.struck(self.location, self.critical, bool(answer))


class Shielded(_Hit, kind="imperium.shielded"):
    """Waits for the points that a force field takes off a hit."""

    @property
    def awaits(self) -> Awaited:
        plan = self.shot.firing.value
        return field_roll(plan.label("field", self.shot.left), plan.victim.who, plan.victim.protection)

    def advance(self, answer: Any) -> Stage:
        return Damaging(self.shot, self.location, self.critical, answer)


class Damaging(_Hit, kind="imperium.damaging"):
    """Waits for the damage of a hit; `field` are the points of a force field."""

    field: int

    @property
    def awaits(self) -> Awaited:
        plan = self.shot.firing.value
        factors = plan.critical if self.critical else Factors()
        less = plan.victim.protection.at(self.location) + self.field if self.location else 0
        place = "" if plan.victim.hull else self.location
        damage = Damage(plan.dice, plan.plus, factors, less, place)
        return Roll((plan.label("damage", self.shot.left),), ("attacker",), damage)

    def advance(self, answer: Any) -> Stage:
        shot = self.shot._replace(left=self.shot.left - 1)
        if not self.location:
            return shot._replace(mount_hits=shot.mount_hits + 1, mount_damage=shot.mount_damage + answer)
        return after_blows(shot, shot.firing.value.victim.who, Blow(self.location, answer))


class Bystander(Part, kind="imperium.bystander"):
    """A combatant that a throw may reach.

    Attributes:
        struck: it does damage to them.
        result: `HIT`, `UNHARMED` by what they are, or `OUTSIDE` its reach; "" in a step of version 0.2.0, where all
            that it does not damage are outside.
    """

    victim: Victim
    struck: bool
    result: str = ""


class Blast(Part, kind="imperium.blast"):
    """A throw at a combatant, and what it may do to them and to the others.

    Attributes:
        dice, plus: the damage, which is rolled once for all (ours); no dice of what does none.
        critical: what a critical hit multiplies, for the one who is hit directly (ours).
        others: those that it may reach beside the victim.
        struck, result: see `Bystander`, for the victim.
        scatter: where a miss bursts, of `grenades`; None for nowhere.
    """

    test: Percentile
    bands: Bands
    dice: DiceParts
    plus: int
    critical: Factors
    rounds: Rounds
    victim: Victim
    others: tuple[Bystander, ...]
    struck: bool = True
    result: str = HIT
    scatter: Any = None

    def bursts(self, rolled: int, location: str, critical: bool) -> Stage:
        """What it does to each of them.

        Args:
            rolled: the damage.
            location: where it strikes the victim; `critical`: for the victim.
        """
        branches: list[tuple[str, Stage]] = []
        among = Bystander(self.victim, self.struck, self.result), *self.others
        for at, (victim, struck, result, _) in enumerate(among):
            double = critical and not at and struck
            times, rounds = self.critical if double else Factors(), NO_ROUNDS if at else self.rounds
            end = Caught(victim, rolled, times, double, "", rounds, unhurt(victim.body))
            end = end._replace(result=result or (HIT if struck else OUTSIDE))
            if not struck:
                branches.append((victim.who, end))
            elif not at:
                branches.append((victim.who, _shielded(end._replace(location=location))))
            else:
                branches.append((victim.who, end.struck(self.bands)))
        return branches[0][1] if len(branches) == 1 else Fork(tuple(branches))


class Throw(Waiting, kind="imperium.throw"):
    """Waits for the roll to hit."""

    blast: Shared[Blast]
    awaits = rolls("shot", "attacker", lambda self: self.blast.value.test)

    def spread(self, inputs: Any) -> percentiles.Weighed:
        """The faces of the roll that differ in what comes of them, with their weights."""
        blast = self.blast.value
        return _ways(blast.test, blast.bands, False, blast.scatter)

    def advance(self, answer: Any) -> Stage:
        blast = self.blast.value
        if not blast.test.passes(answer):
            return (
                cast(Stage, blast.scatter.off(self.blast, answer)) if blast.scatter else Astray(blast.rounds)
            )
        location = location_of(answer, blast.bands)
        if not blast.dice:
            return blast.bursts(0, location, False)
        return Bursting(self.blast, location, matched(answer))


class Astray(Outcome, kind="imperium.astray"):
    """The throw missed, and nobody is harmed."""

    rounds: Rounds

    def notes(self) -> Facts:
        return {"result": "miss", "hit": False, "critical": False}

    def changes(self) -> Iterator[Effect]:
        return self.rounds.effects()


class Bursting(Waiting, kind="imperium.bursting"):
    """Waits for the damage, which is the same for everybody.

    Attributes:
        location: where it strikes the one at which it was thrown.
    """

    blast: Shared[Blast]
    location: str
    critical: bool
    awaits = rolls("damage", "attacker", lambda self: Total(self.blast.value.dice, self.blast.value.plus))

    def advance(self, answer: Any) -> Stage:
        return self.blast.value.bursts(answer, self.location, self.critical)

    def notes(self) -> Facts:
        return {"hit": True, "critical": self.critical}


class Caught(Outcome, kind="imperium.caught"):
    """What became of a combatant near the blast.

    Attributes:
        rolled: the damage of all.
        factors: what multiplies it.
        critical: the throw was a critical hit on this person.
        location: "" where it does no damage.
        rounds: what the throw used up, with the one at which it was aimed.
        result: see `Bystander`.
    """

    victim: Victim
    rolled: int
    factors: Factors
    critical: bool
    location: str
    rounds: Rounds
    harm: Harm
    result: str = HIT

    def struck(self, bands: Bands) -> Stage:
        """Where it strikes is rolled; a vehicle has no locations."""
        return self._replace(location=LOCATIONS[0]).damaged(0) if self.victim.hull else Place(self, bands)

    def damaged(self, field: int) -> Stage:
        """With the damage, of which a force field takes these points."""
        less = self.victim.protection.at(self.location) + field
        net = Damage((), self.rolled, self.factors, less, self.location).net(self.rolled)
        return after_blows(self, self.victim.who, Blow(self.location, net))

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result, "hit": self.result == HIT, "critical": self.critical}
        if self.location and not self.victim.hull:
            facts["location"] = self.location
        return facts | self.victim.facts(self.harm) | self.rounds.facts()

    def changes(self) -> Iterator[Effect]:
        yield from self.rounds.effects()
        yield from self.victim.suffers(self.harm)
        if self.result == HIT:
            yield from self.victim.shaken(self.harm, hit=bool(self.harm.net), among=True)


def _shielded(end: Caught) -> Stage:
    return Sheltered(end) if end.victim.protection.rolls else end.damaged(0)


class Place(Waiting, kind="imperium.place"):
    """Waits for the roll that says where a combatant in reach is struck (section 7)."""

    end: Caught
    bands: Bands
    awaits = Roll(("location",), ("attacker",), Total(((1, percentiles.SIDES),)))

    def spread(self, inputs: Any) -> percentiles.Weighed:
        """The lowest roll of each location, with its weight."""
        return percentiles.ways_of(lambda roll: percentile.location_at(roll, self.bands))

    def advance(self, answer: Any) -> Stage:
        return _shielded(self.end._replace(location=percentile.location_at(answer, self.bands)))


class Sheltered(Waiting, kind="imperium.sheltered"):
    """Waits for the points that the force field of a combatant in reach takes off."""

    end: Caught
    awaits = property(lambda self: field_roll("field", self.end.victim.who, self.end.victim.protection))
    reports = (("location", "end.location"),)

    def advance(self, answer: Any) -> Stage:
        return self.end.damaged(answer)
