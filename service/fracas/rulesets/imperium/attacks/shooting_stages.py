"""The stages of shots at one person: each roll to hit, which of rider and mount is struck, field, damage, injuries.

Rulebook sections 5.2 to 5.4, 7 and 8.1. One roll of percentile dice says whether a shot hits, whether it is a critical
hit, and where: of its face the next stage keeps these three.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Any

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage
from fracas.rulesets.imperium.attacks.damage import Damage, DiceParts, Factors, Protection
from fracas.rulesets.imperium.attacks.volley_odds import VolleyRest
from fracas.rulesets.imperium.checks.passing import pass_or_fail
from fracas.rulesets.imperium.checks.percentile import SIDES, Bands, Percentile, d100, location_of, matched
from fracas.rulesets.imperium.harms.body import Body
from fracas.rulesets.imperium.harms.harm import Harm, unhurt
from fracas.rulesets.imperium.harms.injury import Blow, after_blows


class Rounds(Part, kind="imperium.rounds"):
    """Ammunition: shots that are fired, and those left after it (None when the request did not say)."""

    used: int
    left: int | None


NO_ROUNDS = Rounds(0, None)
CERTAIN, ONLY_WHEN_MATCHED, NEVER, UNTOLD = "certain", "matched-failure", "never", "untold"
"""When the report of a weapon is heard."""
MOST_WEIGHED = 4
"""Shots that exact odds can follow one after the other, where `volley_odds` does not weigh them together."""
RIDER, MOUNT, EITHER = "rider", "mount", "either"
"""What the firer shoots at."""


class Victim(Part, kind="imperium.victim"):
    """Whoever is shot at.

    Attributes:
        who: the record.
        body: None where the Toughness is not told, and of an object.
        inert: an object, which has no injuries.
        aimed_at: `RIDER`, `MOUNT` or `EITHER`; then `mount` is the chance that the mount is struck.
    """

    who: str
    protection: Protection
    body: Shared[Body] | None
    inert: bool
    aimed_at: str
    mount: Percentile


class Firing(Part, kind="imperium.firing"):
    """What all shots at one person have in common.

    Attributes:
        shots: how many.
        dice, plus: the damage.
        critical: what a critical hit multiplies.
        report: when it is heard.
        rounds: used by all shots together.
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

    def begin(self, firing: Shared[Firing]) -> Stage:
        """The first shot; `firing` is this, shared."""
        body = self.victim.body
        return Shot(firing, self.shots, 0, 0, 0, 0, False, unhurt(body))

    def label(self, word: str, left: int) -> str:
        """The label of a roll: numbered where there are several shots."""
        return word if self.shots == 1 else f"{word}_{self.shots - left + 1}"


@lru_cache(maxsize=256)
def ways(test: Percentile, bands: Bands, silenced: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """One face for each way that a shot can go, with how many faces go the same way."""
    found: dict[tuple[bool, bool, str], list[int]] = defaultdict(list)
    for face in range(1, SIDES + 1):
        hit = test.passes(face)
        where = location_of(face, bands) if hit else ""
        found[hit, matched(face) and (hit or silenced), where].append(face)
    return tuple(faces[0] for faces in found.values()), tuple(map(len, found.values()))


class Shot(Waiting, kind="imperium.shot"):
    """Waits for the roll of one shot, or is done.

    Attributes:
        left: shots still to be rolled, this one included; 0 for none.
        hits, criticals: of the shots before.
        mount_hits, mount_damage: of these, what struck the mount.
        heard: a silencer failed.
        harm: what the shots before did.
    """

    firing: Shared[Firing]
    left: int
    hits: int
    criticals: int
    mount_hits: int
    mount_damage: int
    heard: bool
    harm: Harm

    @property
    def awaits(self) -> Awaited:
        if not self.left:
            return None
        plan = self.firing.value
        return d100(plan.label("shot", self.left), "attacker", plan.test)

    def weigh(self, watched: Any) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """The faces of the roll that differ in what comes of them, with their weights.

        Raises:
            InputError: there are more shots than odds can follow.
        """
        plan = self.firing.value
        if plan.shots > MOST_WEIGHED:
            message = f"odds follow at most {MOST_WEIGHED} shots at a mount, or without a Toughness, not {plan.shots}"
            raise InputError.one("situation.fire.shots", "too-complex", message)
        faces, weights = ways(plan.test, plan.bands, plan.report == ONLY_WHEN_MATCHED)
        return faces, weights, SIDES

    def rest(self, watched: Any) -> VolleyRest | None:
        """Several shots at one person are weighed together, see `volley_odds`."""
        plan = self.firing.value
        whole = self.left == plan.shots > 1 and self.harm.body is not None
        return VolleyRest(self) if whole and plan.victim.aimed_at != MOUNT else None

    def advance(self, answer: Any) -> Stage:
        plan = self.firing.value
        victim = plan.victim
        double = matched(answer)
        if not plan.test.passes(answer):
            return self._replace(left=self.left - 1, heard=self._heard(double))
        shot = self._replace(hits=self.hits + 1, criticals=self.criticals + double)
        location = location_of(answer, plan.bands)
        if victim.aimed_at == EITHER:
            return RiderOrMount(shot, location, double)
        return shot.struck(location, double, victim.aimed_at == MOUNT)

    def _heard(self, double: bool) -> bool:
        return self.heard or (double and self.firing.value.report == ONLY_WHEN_MATCHED)

    def struck(self, location: str, critical: bool, mount: bool) -> Stage:
        """A hit at a location of whoever is struck."""
        plan = self.firing.value
        if mount:
            return Damaging(self, "", critical, 0)
        if plan.victim.protection.rolls:
            return Shielded(self, location, critical)
        return Damaging(self, location, critical, 0)

    def notes(self) -> Facts:
        if self.left:
            return {}
        plan = self.firing.value
        facts: dict[str, Fact] = {
            "result": "hit" if self.hits else "miss",
            "hit": self.hits > 0,
            "critical": self.criticals > 0,
        }
        if plan.shots > 1:
            facts |= {"shots": plan.shots, "hits": self.hits, "criticals": self.criticals}
        if plan.report != UNTOLD:
            facts["heard"] = self.heard or plan.report == CERTAIN
        if plan.victim.aimed_at != RIDER:
            facts |= {"mount_hits": self.mount_hits, "mount_damage": self.mount_damage}
        facts |= self.harm.facts()
        if plan.rounds.left is not None:
            facts["rounds_left"] = plan.rounds.left
        return facts

    def effects(self) -> tuple[Effect, ...]:
        if self.left:
            return ()
        plan = self.firing.value
        harm = () if plan.victim.inert else self.harm.effects(plan.victim.who)
        return (*spent(plan.rounds), *harm)


def spent(rounds: Rounds) -> tuple[Effect, ...]:
    """What shots or a throw use up."""
    if not rounds.used:
        return ()
    return (Effect("item", "attacker", "weapon", -rounds.used, (("state", "rounds"),)),)


class RiderOrMount(Waiting, kind="imperium.rider-or-mount"):
    """Waits for the roll that says whether a hit strikes the mount; the rest as in `Shielded`."""

    shot: Shot
    location: str
    critical: bool

    @property
    def awaits(self) -> Awaited:
        plan = self.shot.firing.value
        return pass_or_fail(plan.label("mount", self.shot.left), "attacker", plan.victim.mount)

    def advance(self, answer: Any) -> Stage:
        return self.shot.struck(self.location, self.critical, bool(answer))


class Shielded(Waiting, kind="imperium.shielded"):
    """Waits for the points that a force field takes off a hit.

    Attributes:
        shot: what is settled; of its shots the first that is left is this one.
        location: where it strikes.
        critical: the hit is a critical one.
    """

    shot: Shot
    location: str
    critical: bool

    @property
    def awaits(self) -> Awaited:
        plan = self.shot.firing.value
        return field_roll(plan.label("field", self.shot.left), plan.victim.who, plan.victim.protection)

    def advance(self, answer: Any) -> Stage:
        return Damaging(self.shot, self.location, self.critical, answer)


def field_roll(label: str, by: str, protection: Protection) -> Roll:
    """The roll of a force field: points off a hit, before armor."""
    return Roll((label,), (by,), Total(protection.field, protection.field_plus))


class Damaging(Waiting, kind="imperium.damaging"):
    """Waits for the damage of a hit; `field` are the points of a force field, the rest as in `Shielded`.

    Attributes:
        location: "" where the mount is struck, whose armor and injuries are not known.
    """

    shot: Shot
    location: str
    critical: bool
    field: int

    @property
    def awaits(self) -> Awaited:
        plan = self.shot.firing.value
        factors = plan.critical if self.critical else Factors()
        less = plan.victim.protection.at(self.location) + self.field if self.location else 0
        damage = Damage(plan.dice, plan.plus, factors, less, self.location)
        return Roll((plan.label("damage", self.shot.left),), ("attacker",), damage)

    def advance(self, answer: Any) -> Stage:
        shot = self.shot._replace(left=self.shot.left - 1)
        if not self.location:
            return shot._replace(mount_hits=shot.mount_hits + 1, mount_damage=shot.mount_damage + answer)
        victim = shot.firing.value.victim
        return after_blows(shot, victim.who, victim.body, (Blow(self.location, answer),))
