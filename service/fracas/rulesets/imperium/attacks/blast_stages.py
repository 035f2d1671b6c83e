"""The stages of what bursts: the throw, one roll of damage, and what it does to everybody in reach.

Rulebook sections 5.1, 5.2 and 11; most of it is ours. Whoever the throw hits is struck where the roll to hit says, and
by the doubled damage of a critical hit; everybody else in reach where a roll of his own says. A miss harms nobody.
"""

from __future__ import annotations

from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Roll, Shared, Stage
from fracas.rulesets.imperium.attacks.damage import Damage, DiceParts, Factors
from fracas.rulesets.imperium.attacks.shooting_stages import (
    NO_ROUNDS,
    Rounds,
    Victim,
    field_roll,
    spent,
    ways,
)
from fracas.rulesets.imperium.checks.percentile import (
    SIDES,
    Bands,
    Percentile,
    d100,
    location_at,
    location_of,
    matched,
)
from fracas.rulesets.imperium.harms.harm import Harm, unhurt
from fracas.rulesets.imperium.harms.injury import Blow, after_blows


class Bystander(Part, kind="imperium.bystander"):
    """Somebody beside whoever the throw is aimed at; `reached`: within the blast."""

    victim: Victim
    reached: bool


class Blast(Part, kind="imperium.blast"):
    """A throw at somebody, and what it may do to him and to the others.

    Attributes:
        dice, plus: the damage, which is rolled once for all (ours).
        critical: what a critical hit multiplies, for whoever is hit directly (ours).
    """

    test: Percentile
    bands: Bands
    dice: DiceParts
    plus: int
    critical: Factors
    rounds: Rounds
    victim: Victim
    others: tuple[Bystander, ...]


class Throw(Waiting, kind="imperium.throw"):
    """Waits for the roll to hit."""

    blast: Shared[Blast]

    @property
    def awaits(self) -> Awaited:
        return d100("shot", "attacker", self.blast.value.test)

    def weigh(self, watched: Any) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """The faces of the roll that differ in what comes of them, with their weights."""
        return (*ways(self.blast.value.test, self.blast.value.bands, False), SIDES)

    def advance(self, answer: Any) -> Stage:
        blast = self.blast.value
        if not blast.test.passes(answer):
            return Astray(blast.rounds)
        return Bursting(self.blast, location_of(answer, blast.bands), matched(answer))


class Astray(Outcome, kind="imperium.astray"):
    """The throw missed, and nobody is harmed."""

    rounds: Rounds

    def notes(self) -> Facts:
        return {"result": "miss", "hit": False, "critical": False}

    def changes(self) -> tuple[Effect, ...]:
        return spent(self.rounds)


class Bursting(Waiting, kind="imperium.bursting"):
    """Waits for the damage, which is the same for everybody.

    Attributes:
        location: where it strikes whoever it was thrown at.
    """

    blast: Shared[Blast]
    location: str
    critical: bool

    @property
    def awaits(self) -> Awaited:
        blast = self.blast.value
        return Roll(("damage",), ("attacker",), Total(blast.dice, blast.plus))

    def advance(self, answer: Any) -> Stage:
        blast = self.blast.value
        factors = blast.critical if self.critical else Factors()
        harm = unhurt(blast.victim.body)
        hit = Caught(blast.victim, answer, factors, self.critical, self.location, blast.rounds, harm)
        branches: list[tuple[str, Stage]] = [(blast.victim.who, _shielded(hit))]
        for one in blast.others:
            victim = one.victim
            near = Caught(victim, answer, Factors(), False, "", NO_ROUNDS, unhurt(victim.body))
            branches.append((victim.who, Place(near, blast.bands) if one.reached else near))
        return Fork(tuple(branches))

    def notes(self) -> Facts:
        return {"hit": True, "critical": self.critical}


class Caught(Outcome, kind="imperium.caught"):
    """What became of somebody near the blast.

    Attributes:
        rolled: the damage of all.
        factors: what multiplies it.
        critical: the throw was a critical hit on this person.
        location: "" for whoever is out of reach.
        rounds: what the throw used up, with whoever it was aimed at.
    """

    victim: Victim
    rolled: int
    factors: Factors
    critical: bool
    location: str
    rounds: Rounds
    harm: Harm

    def damaged(self, field: int) -> Stage:
        """With the damage, of which a force field takes these points."""
        less = self.victim.protection.at(self.location) + field
        net = Damage((), self.rolled, self.factors, less, self.location).net(self.rolled)
        return after_blows(self, self.victim.who, self.victim.body, (Blow(self.location, net),))

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": "hit" if self.location else "outside"}
        facts |= {"hit": bool(self.location), "critical": self.critical}
        if self.location:
            facts["location"] = self.location
        facts |= self.harm.facts()
        if self.rounds.left is not None:
            facts["rounds_left"] = self.rounds.left
        return facts

    def effects(self) -> tuple[Effect, ...]:
        harm = () if self.victim.inert else self.harm.effects(self.victim.who)
        return (*spent(self.rounds), *harm)


def _shielded(end: Caught) -> Stage:
    return Sheltered(end) if end.victim.protection.rolls else end.damaged(0)


class Place(Waiting, kind="imperium.place"):
    """Waits for the roll that says where somebody in reach is struck (section 7)."""

    end: Caught
    bands: Bands

    @property
    def awaits(self) -> Awaited:
        return Roll(("location",), ("attacker",), Total(((1, SIDES),)))

    def weigh(self, watched: Any) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """The lowest roll of each location, with its weight."""
        found = [location_at(roll, self.bands) for roll in range(1, SIDES + 1)]
        names = tuple(dict.fromkeys(found))
        return tuple(found.index(name) + 1 for name in names), tuple(map(found.count, names)), SIDES

    def advance(self, answer: Any) -> Stage:
        return _shielded(self.end._replace(location=location_at(answer, self.bands)))


class Sheltered(Waiting, kind="imperium.sheltered"):
    """Waits for the points that the force field of somebody in reach takes off."""

    end: Caught

    @property
    def awaits(self) -> Awaited:
        return field_roll("field", self.end.victim.who, self.end.victim.protection)

    def advance(self, answer: Any) -> Stage:
        return self.end.damaged(answer)

    def notes(self) -> Facts:
        return {"location": self.end.location}
