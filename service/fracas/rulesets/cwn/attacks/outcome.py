"""How an attack ends: what it did to the target, what it used up, and the effects to apply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.stage import Effect, Fact, Facts
from fracas.rulesets.cwn.harms.harm import Body, Hurt, lasting

REACTIONS = (
    "total-defense",
    "gunlink-reroll",
    "attacker-luck",
    "target-luck",
    "trajectory-node",
    "iron-hand",
)
"""The words in `AttackEnd.spent` that somebody chose."""


class Rounds(Part, kind="cwn.rounds"):
    """Ammunition: rounds the attack uses, and rounds left after it (None when the request did not say)."""

    used: int
    left: int | None


FELLED = "felled"
"""A word in `AttackEnd.spent`: whoever was hit fell at once, without any damage being rolled (8.3)."""
NO_ROUNDS = Rounds(0, None)


class AttackEnd(Outcome, kind="cwn.attack-outcome"):
    """How an attack ended.

    Attributes:
        hit: it hit.
        rolled: damage of dice and bonuses, of a hit or of a weapon that harms on a miss; None for none.
        swarmed: the same with the swarm's bonus; None without a swarm.
        floored: Shock raised the damage of the hit.
        shock: points of Shock of a miss.
        hurt: what it did to the victim.
        spent: see the module `rolling`.
        victim: the record of whoever is struck.
    """

    hit: bool
    rolled: int | None
    swarmed: int | None
    floored: bool
    shock: int
    hurt: Hurt
    rounds: Rounds
    spent: tuple[str, ...]
    victim: str

    @classmethod
    def of(
        cls,
        rounds: Rounds,
        spent: tuple[str, ...],
        body: Body,
        victim: str,
        *,
        damage: int,
        soakable: int,
        hit: bool = False,
        rolled: int | None = None,
        swarmed: int | None = None,
        floored: bool = False,
        shock: int = 0,
        traumatic: bool = False,
    ) -> AttackEnd:
        """The damage meets the body; `soakable` is the part of it that Soak absorbs."""
        hurt = Hurt.by(body, damage, soakable, traumatic)
        return cls(hit, rolled, swarmed, floored, shock, hurt, rounds, spent, victim)

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": "hit" if self.hit else "miss", "hit": self.hit}
        if FELLED in self.spent:
            facts["felled"] = True
        elif self.hit:
            facts["damage_rolled"] = self.rolled
            if self.swarmed is not None:
                facts["damage_after_swarm"] = self.swarmed
            facts["shock_floor_applied"] = self.floored
        else:
            if self.rolled is not None:
                facts["miss_damage"] = self.rolled
            facts["shock_damage"] = self.shock
        facts |= self.hurt.facts()
        if self.rounds.left is not None:
            facts["ammo_left"] = self.rounds.left
        facts |= reactions_of(self.spent)
        if self.victim != "target":
            facts["redirected_to"] = self.victim
        return facts

    def effects(self) -> tuple[Effect, ...]:
        costs = costs_of(self.rounds, self.spent, self.victim)
        return (*costs, *self.hurt.effects(self.victim))


def reactions_of(spent: tuple[str, ...]) -> dict[str, Fact]:
    """The fact ``used``: what somebody chose in answer to the roll; nothing where nobody did."""
    used = [word for word in spent if word in REACTIONS]
    return {"used": ", ".join(used)} if used else {}


def costs_of(rounds: Rounds, spent: tuple[str, ...], victim: str) -> Iterator[Effect]:
    """What an attack and the reactions to it used up."""
    if rounds.used:
        yield Effect("item", "attacker", "weapon", -rounds.used, (("state", "rounds"),))
    for word in dict.fromkeys(spent):
        for effect in _COSTS[word](spent.count(word)):
            yield effect._replace(who=victim) if effect.who == "target" else effect


_GRIPS = {
    "grapple": ("grapple-damage", "grappling"),
    "skin-of-grappler": ("sharkskin-shock", "grappling"),
    "skin-of-grappled": ("sharkskin-shock-held", "grappled"),
}
"""What comes as each round of a grapple ends: the action, and the condition of its actor with which it stops."""


def squeezes(hold: str, turns: int, who: str = "attacker") -> Effect:
    """What a grapple does as a round ends, this one or `turns` later, as long as it lasts (8.1)."""
    action, meanwhile = _GRIPS[hold]
    when = (("when", "turn-end"), ("turns", turns), ("while", meanwhile))
    return Effect("schedule", who, action, None, when)


def _comes_again(hold: str) -> Any:
    return lambda times: (squeezes(hold, 1),)


def _uses(who: str, what: str) -> Any:
    return lambda times: (Effect("spend", who, what, times),)


_COSTS: dict[str, Any] = {
    "total-defense": lambda times: (
        Effect("spend", "target", "main-action", 1),
        lasting("target", "total-defense", "round", 1, ("from", "next")),
        lasting("target", "shock-proof", "round", 1),
    ),
    "gunlink-reroll": _uses("attacker", "gunlink-reroll"),
    "attacker-luck": _uses("attacker", "veterans-luck"),
    "target-luck": _uses("target", "veterans-luck"),
    "trajectory-node": _uses("attacker", "trajectory-node"),
    "iron-hand": _uses("target", "iron-hand"),
    FELLED: lambda times: (),
    **{hold: _comes_again(hold) for hold in _GRIPS},
    "charge": lambda times: (lasting("attacker", "charged", "round", 1),),
    "shock-burst": lambda times: (
        Effect("spend", "attacker", "shock-burst", times),
        Effect("remove-condition", "attacker", "shock-burst-set"),
    ),
    "shock-shield": lambda times: (lasting("target", "shock-shield-used", "round", 1),),
    "skillplug": lambda times: (lasting("attacker", "skillplug-jack-locked", "scene", 1),),
}
"""Effects by the words in `AttackEnd.spent`."""
