"""A blow, after the attack roll: damage, the Trauma Die, what some weapons do on a miss, the injury, and how it ends.

Rulebook sections 5.1 (the order of everything), 5.3 to 5.5, 5.8, 9.3, 17 (R2, R3). The attack roll is in `rolling`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, lasting
from fracas.rulesets.cwn.attacks import rolling
from fracas.rulesets.cwn.attacks.rolling import IRON_HAND, LUCK_OF, Guard
from fracas.rulesets.cwn.harms.harm import Body, Hurt, Risk, after_harm

REACTIONS = (*rolling.OPTIONS, *LUCK_OF.values())
"""The words in `AttackEnd.spent` that a combatant chose."""


class Rounds(Part, kind="cwn.rounds"):
    """Ammunition: rounds the attack uses, and rounds left after it (None when the request did not say)."""

    used: int
    left: int | None

    @classmethod
    def of(cls, used: int, had: int | None) -> Rounds:
        """`had`: rounds before the attack; None if they are not known."""
        return cls(used, None if had is None else max(0, had - used))

    def facts(self) -> dict[str, Fact]:
        return {} if self.left is None else {"ammo_left": self.left}


FELLED = "felled"
"""A word in `AttackEnd.spent`: the one who was hit fell at once, without any damage being rolled (8.3)."""
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
        victim: the record of the one who is struck.
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
        facts |= self.rounds.facts() | reactions_of(self.spent)
        if self.victim != "target":
            facts["redirected_to"] = self.victim
        return facts

    def changes(self) -> Iterator[Effect]:
        yield from costs_of(self.rounds, self.spent, self.victim)
        yield from self.hurt.effects(self.victim)


def reactions_of(spent: tuple[str, ...]) -> dict[str, Fact]:
    """The fact ``used``: what a combatant chose in answer to the roll; nothing where nobody did."""
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


def _uses(who: str, what: str) -> Any:
    return lambda times: (Effect("spend", who, what, times),)


_COSTS: dict[str, Any] = {
    rolling.TOTAL_DEFENSE: lambda times: (
        Effect("spend", "target", "main-action", 1),
        lasting("target", "total-defense", "round", 1, ("from", "next")),
        lasting("target", "shock-proof", "round", 1),
    ),
    rolling.GUNLINK_REROLL: _uses("attacker", rolling.GUNLINK_REROLL),
    **{word: _uses(who, rolling.VETERANS_LUCK) for who, word in LUCK_OF.items()},
    rolling.TRAJECTORY_NODE: _uses("attacker", rolling.TRAJECTORY_NODE),
    IRON_HAND: _uses("target", IRON_HAND),
    FELLED: lambda times: (),
    **{hold: lambda times, hold=hold: (squeezes(hold, 1),) for hold in _GRIPS},
    "charge": lambda times: (lasting("attacker", "charged", "round", 1),),
    "shock-burst": lambda times: (
        Effect("spend", "attacker", "shock-burst", times),
        Effect("remove-condition", "attacker", "shock-burst-set"),
    ),
    "shock-shield": lambda times: (lasting("target", "shock-shield-used", "round", 1),),
    "skillplug": lambda times: (lasting("attacker", "skillplug-jack-locked", "scene", 1),),
}
"""Effects by the words in `AttackEnd.spent`."""


DiceParts = tuple[tuple[int, int], ...]


class Blow(Part, kind="cwn.blow"):
    """The damage of a hit, and of a miss with some weapons.

    Attributes:
        dice: (count, sides) of every part; `plus` is added to them.
        swarm: points that a swarm adds, up to the greatest damage of dice and `plus`.
        factor: what damage of a hit is multiplied by whatever the Trauma Die says; 1 as a rule.
        floor_first: Shock raises the damage before the Trauma Rating multiplies it (R2).
        miss_dice: (count, sides) rolled on a miss, beside any Shock; `miss_plus` is added.
        shock_burst: a Shock Burst is used up by doing harm.
    """

    dice: DiceParts
    plus: int
    swarm: int
    factor: int
    floor_first: bool
    miss_dice: DiceParts
    miss_plus: int
    shock_burst: bool

    def swarmed(self, rolled: int) -> int:
        """The damage with the swarm's bonus, which cannot lift it above the attack's maximum (3.1)."""
        greatest = sum(count * sides for count, sides in self.dice) + self.plus
        return max(rolled, min(rolled + self.swarm, greatest))


class TraumaDie(Part, kind="cwn.trauma-die"):
    """The Trauma Die, the Trauma Target it must meet, and the factor of a Traumatic Hit."""

    dice: DiceParts
    plus: int
    target: int
    rating: int

    @property
    def request(self) -> Total:
        return Total(self.dice, self.plus, self.target)


class After(Part, kind="cwn.after"):
    """What is settled before the first roll about everything after the attack roll, for the record `victim`. Attacks
    that differ in that roll alone share it."""

    blow: Blow
    trauma: TraumaDie | None
    body: Body
    rounds: Rounds
    victim: str
    risk: Shared[Risk]

    def followed(self, guard: Guard, spent: tuple[str, ...], hit: bool) -> Stage:
        """What follows when it is settled whether the attack hits."""
        if self.blow.shock_burst and (hit or guard.shock):
            spent = (*spent, "shock-burst")
        if hit:
            return Damage(self, guard.shock, spent)
        if guard.shield:
            spent = (*spent, "shock-shield")
        if self.blow.miss_dice and "iron-hand" not in spent:
            return Graze(self, guard.shock, spent)
        return missed(self, guard.shock, spent, None)


class Damage(Waiting, kind="cwn.damage"):
    """Waits for the damage of a hit. `shock`: the least damage; 0 where a miss would have dealt no Shock."""

    after: After
    shock: int
    spent: tuple[str, ...]
    awaits = rolls("damage", "attacker", lambda self: Total(self.after.blow.dice, self.after.blow.plus))

    def advance(self, answer: Any) -> Stage:
        rolled = max(0, answer)
        if self.after.trauma is None:
            return struck(self.after, self.shock, self.spent, rolled, False)
        return Trauma(self.after, self.shock, self.spent, rolled)

    def notes(self) -> Facts:
        return {"hit": True}


class Trauma(Waiting, kind="cwn.trauma"):
    """Waits for the Trauma Die; `rolled` is the damage of dice and bonuses, the rest as in `Damage`."""

    after: After
    shock: int
    spent: tuple[str, ...]
    rolled: int
    awaits = rolls("trauma", "attacker", lambda self: self.after.trauma.request)
    reports = (("damage_rolled", "rolled"),)

    def advance(self, answer: Any) -> Stage:
        return struck(self.after, self.shock, self.spent, self.rolled, answer)


class Graze(Waiting, kind="cwn.graze"):
    """Waits for the damage that some weapons do on a miss (5.8), beside `shock` points of Shock."""

    after: After
    shock: int
    spent: tuple[str, ...]
    awaits = rolls(
        "miss_damage", "attacker", lambda self: Total(self.after.blow.miss_dice, self.after.blow.miss_plus)
    )

    def advance(self, answer: Any) -> Stage:
        return missed(self.after, self.shock, self.spent, max(0, answer))

    def notes(self) -> Facts:
        return {"hit": False}


def missed(after: After, shock: int, spent: tuple[str, ...], rolled: int | None) -> Stage:
    """A miss: Shock, and damage that is rolled on a miss (5.4)."""
    harm = rolled or 0
    hurt = Hurt.by(after.body, harm + shock, harm + (shock if after.body.soaks_shock else 0))
    end = AttackEnd(False, rolled, None, False, shock, hurt, after.rounds, spent, after.victim)
    return after_harm(end, after.victim, after.risk.value)


def struck(after: After, shock: int, spent: tuple[str, ...], rolled: int, traumatic: bool) -> Stage:
    """A hit: swarm bonus, Shock floor, Trauma Rating, in this order (5.1)."""
    blow = after.blow
    damage = blow.swarmed(rolled)
    swarmed = damage if blow.swarm else None
    factor = blow.factor * (after.trauma.rating if traumatic and after.trauma else 1)
    if not blow.floor_first:
        damage, factor = damage * factor, 1
    harm = max(damage, shock) * factor
    hurt = Hurt.by(after.body, harm, harm, traumatic)
    end = AttackEnd(True, rolled, swarmed, shock > damage, 0, hurt, after.rounds, spent, after.victim)
    return after_harm(end, after.victim, after.risk.value)
