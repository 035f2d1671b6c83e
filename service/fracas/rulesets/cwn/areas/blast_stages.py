"""From the throw or shot at a point to everybody in reach: rulebook section 5.7.

    attack roll -> (scatter -> direction) -> damage -> fork: where it went off, and one branch for each person

Of a weapon that strikes a combatant the whole attack comes first, and its outcome is a branch of the fork.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Shared, Stage
from fracas.rulesets.cwn.areas import area_stages
from fracas.rulesets.cwn.attacks.blows import DiceParts, Rounds, costs_of, reactions_of
from fracas.rulesets.cwn.attacks.rolling import Guard

LANDING = "blast"
"""The branch that shows where it went off; the others are named after the records of the people."""
DIRECT = "target"
"""The branch of the combatant that a weapon hits itself."""
CHARGE = "charge-goes-off"
"""The action of the packs that comes when a fuse has burned down."""
ON_THE_SPOT, SCATTERED, LOST, GOES_OFF, SET = "on-the-spot", "scattered", "lost", "goes-off", "set"
AROUND = 12
"""Faces of the die for the direction: the hours of a clock, 12 being beyond the point (ours)."""


class Blast(Part, kind="cwn.blast"):
    """What the stages after the attack roll need. `scatter`: dice of metres by which a miss goes astray, and what is
    added; no dice: a miss is lost. `fuse`: rounds until what is set goes off; -1 where it waits to be set off."""

    area: Shared[area_stages.Area]
    victims: tuple[Shared[area_stages.Victim], ...]
    scatter: DiceParts
    scatter_plus: int
    rounds: Rounds
    fuse: int = -1

    def asks_direction(self) -> bool:
        """Whether it matters where to it scatters: for a combatant, or for where to look who is there."""
        people = (victim.value for victim in self.victims)
        return not self.victims or any(one.measured is None and one.distance for one in people)


class Launched(Part, kind="cwn.launched"):
    """What follows an attack on a point, see `rolling.Plan.after`."""

    blast: Shared[Blast]
    victim: str = "target"

    def followed(self, guard: Guard, spent: tuple[str, ...], hit: bool) -> Stage:
        if hit:
            return explode(self.blast, Landed(ON_THE_SPOT, guard.ac, 0, 0, self.blast.value.rounds, spent))
        if self.blast.value.scatter:
            return Scatter(self.blast, guard.ac, spent)
        return lost(self.blast, Landed(LOST, guard.ac, 0, 0, self.blast.value.rounds, spent))


class Scatter(Waiting, kind="cwn.scatter"):
    """Waits for how far from the point it lands."""

    blast: Shared[Blast]
    ac: int
    spent: tuple[str, ...]
    awaits = rolls(
        "scatter", "attacker", lambda self: Total(self.blast.value.scatter, self.blast.value.scatter_plus)
    )

    def advance(self, answer: Any) -> Stage:
        metres = max(0, answer)
        landed = Landed(SCATTERED, self.ac, metres, 0, self.blast.value.rounds, self.spent)
        if metres and self.blast.value.asks_direction():
            return Direction(self.blast, landed)
        return explode(self.blast, landed)

    def notes(self) -> Facts:
        return {"hit": False}


class Direction(Waiting, kind="cwn.direction"):
    """Waits for where to it scatters."""

    blast: Shared[Blast]
    landed: Landed
    awaits = rolls("direction", "attacker", lambda self: Total(((1, AROUND),)))
    reports = (("scatter", "landed.scatter"),)

    def advance(self, answer: Any) -> Stage:
        return explode(self.blast, self.landed._replace(direction=answer))


class Explosion(Waiting, kind="cwn.explosion"):
    """Waits for the damage that everybody in reach shares. `beside`: how the attack on the one that it hit directly
    ended; None without one. `near`: for each victim, whether it is in reach."""

    blast: Shared[Blast]
    landed: Landed
    beside: Any
    near: tuple[bool, ...]
    awaits = rolls("blast_damage", "attacker", lambda self: self.blast.value.area.value.request)
    reports = (("scatter", "landed.scatter"),)

    def advance(self, answer: Any) -> Stage:
        damage = area_stages.dealt(self.blast.value.area.value, answer)
        return _forked(self.blast, self.landed, self.beside, self.near, damage)


def explode(blast: Shared[Blast], landed: Landed, beside: Stage | None = None) -> Stage:
    """It goes off where it landed."""
    what = blast.value
    degrees = landed.direction % AROUND * (360 // AROUND)
    near = tuple(area_stages.reached(what.area, victim, landed.scatter, degrees) for victim in what.victims)
    shared = (area_stages.shares_damage(what.area, victim) for victim in what.victims)
    if any(inside and shares for inside, shares in zip(near, shared, strict=True)):
        return Explosion(blast, landed, beside, near)
    return _forked(blast, landed, beside, near, 0)


def lost(blast: Shared[Blast], landed: Landed, beside: Stage | None = None) -> Stage:
    """It goes off where it reaches nobody."""
    return _forked(blast, landed, beside, (False,) * len(blast.value.victims), 0)


def _forked(
    blast: Shared[Blast], landed: Landed, beside: Stage | None, near: tuple[bool, ...], damage: int
) -> Fork:
    what = blast.value
    branches: list[tuple[str, Stage]] = [(LANDING, landed)]
    if beside is not None:
        branches.append((DIRECT, beside))
    for victim, inside in zip(what.victims, near, strict=True):
        then = area_stages.untouched(what.area, victim)
        if inside:
            then = area_stages.strike(what.area, victim, damage)
        branches.append((victim.value.who, then))
    return Fork(tuple(branches))


class Shell(Waiting, kind="cwn.shell"):
    """An attack (its stage) on a combatant with what explodes there, where it hits. See `attacks.attack`."""

    attack: Stage
    blast: Shared[Blast]
    ac: int

    @property
    def awaits(self) -> Awaited:
        return self.attack.awaits

    def advance(self, answer: Any) -> Stage:
        attack = self.attack.advance(answer)
        if attack.awaits is not None:
            return self._replace(attack=attack)
        hit = bool(attack.notes().get("hit"))
        landed = Landed(ON_THE_SPOT if hit else LOST, self.ac, 0, 0, Rounds(0, None), ())
        return (explode if hit else lost)(self.blast, landed, attack)

    def notes(self) -> Facts:
        return self.attack.notes()


class Landed(Outcome, kind="cwn.landed"):
    """Where it went off, and what the attack took.

    Attributes:
        result: `ON_THE_SPOT`, `SCATTERED`, `LOST` (nobody is reported where), `GOES_OFF` or `SET`.
        ac: Armor Class that was aimed at; 0 without an attack.
        scatter: metres from the point aimed at.
        direction: hour of the clock, 12 is beyond the point; 0 where it was not rolled.
        spent: see the module `rolling`.
        fuse: see `Blast`.
    """

    result: str
    ac: int
    scatter: int
    direction: int
    rounds: Rounds
    spent: tuple[str, ...]
    fuse: int = -1

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result}
        if self.ac:
            facts |= {"hit": self.result == ON_THE_SPOT, "target_ac": self.ac, "scatter": self.scatter}
        if self.direction:
            facts["direction"] = self.direction % AROUND * (360 // AROUND)
        return facts | self.rounds.facts() | reactions_of(self.spent)

    def changes(self) -> Iterator[Effect]:
        yield from costs_of(self.rounds, self.spent, "target")
        if self.fuse >= 0:
            detail = (("when", "turn-begin"), ("turns", self.fuse))
            yield Effect("schedule", "attacker", CHARGE, None, detail)
