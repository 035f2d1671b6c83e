"""How an attack ends: what it did to the target, and the effects to apply.

Rulebook sections 5.1 (steps 5 to 7), 5.5 (Soak), 9.1 (0 hit points).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Stage, stage_class

NOBODY_DOWN = "none"
REACTIONS = ("total-defense", "gunlink-reroll", "attacker-luck", "target-luck")
"""The words in `Outcome.spent` that somebody chose."""


@stage_class
class Rounds(NamedTuple):
    """Ammunition: rounds the attack uses, and rounds left after it (None when the request did not say)."""

    used: int
    left: int | None
    kind: Literal["cwn.rounds"] = "cwn.rounds"


@stage_class
class Body(NamedTuple):
    """What damage meets.

    Attributes:
        soak: points of Soak left.
        soaks_shock: Soak absorbs Shock (R3).
        armor: points of vehicle Armor off each hit.
        hp: hit points left; None when the request did not say.
        fall: what becomes of the target at 0 HP.
    """

    soak: int
    soaks_shock: bool
    armor: int
    hp: int | None
    fall: str
    kind: Literal["cwn.body"] = "cwn.body"


@stage_class
class Outcome(NamedTuple):
    """How an attack ended.

    Attributes:
        hit: it hit.
        rolled: damage of dice and bonuses, of a hit or of a weapon that harms on a miss; None for none.
        swarmed: the same with the swarm's bonus; None without a swarm.
        floored: Shock raised the damage of the hit.
        shock: points of Shock of a miss.
        traumatic: a Traumatic Hit.
        damage: after everything but Soak.
        soaked: points that Soak absorbed; `loss` is the rest.
        hp: hit points before; None when the request did not say.
        down: what became of the target: ``none``, ``incapacitated``, ``mortally-wounded``, ``dead`` or
            ``defeated``; "" when its hit points are not known.
        spent: see the module `stages`.
    """

    hit: bool
    rolled: int | None
    swarmed: int | None
    floored: bool
    shock: int
    traumatic: bool
    damage: int
    soaked: int
    loss: int
    hp: int | None
    down: str
    rounds: Rounds
    spent: tuple[str, ...]
    kind: Literal["cwn.attack-outcome"] = "cwn.attack-outcome"

    @classmethod
    def of(
        cls,
        rounds: Rounds,
        spent: tuple[str, ...],
        body: Body,
        *,
        damage: int,
        soakable: int,
        hit: bool = False,
        rolled: int | None = None,
        swarmed: int | None = None,
        floored: bool = False,
        shock: int = 0,
        traumatic: bool = False,
    ) -> Outcome:
        """Vehicle Armor, Soak and hit points; `soakable` is the part of the damage that Soak absorbs."""
        damage = max(0, damage - body.armor)
        soaked = min(body.soak, soakable, damage)
        loss = damage - soaked
        down = ""
        if body.hp is not None:
            down = body.fall if loss and loss >= body.hp else NOBODY_DOWN
        return cls(
            hit,
            rolled,
            swarmed,
            floored,
            shock,
            traumatic,
            damage,
            soaked,
            loss,
            body.hp,
            down,
            rounds,
            spent,
        )

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: Any) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": "hit" if self.hit else "miss", "hit": self.hit}
        if self.hit:
            facts["damage_rolled"] = self.rolled
            if self.swarmed is not None:
                facts["damage_after_swarm"] = self.swarmed
            facts["shock_floor_applied"] = self.floored
        else:
            if self.rolled is not None:
                facts["miss_damage"] = self.rolled
            facts["shock_damage"] = self.shock
        facts |= {
            "traumatic": self.traumatic,
            "damage": self.damage,
            "soak_absorbed": self.soaked,
            "hp_loss": self.loss,
        }
        if self.hp is not None:
            facts |= {"hp_after": max(0, self.hp - self.loss), "down": self.down}
        if self.rounds.left is not None:
            facts["ammo_left"] = self.rounds.left
        used = [word for word in self.spent if word in REACTIONS]
        if used:
            facts["used"] = ", ".join(used)
        return facts

    def effects(self) -> tuple[Effect, ...]:
        return (*self._costs(), *self._harm())

    def _costs(self) -> Iterator[Effect]:
        """What the attack and the reactions to it used up."""
        if self.rounds.used:
            yield Effect("item", "attacker", "weapon", -self.rounds.used, (("state", "rounds"),))
        for word in dict.fromkeys(self.spent):
            yield from _COSTS[word](self.spent.count(word))

    def _harm(self) -> Iterator[Effect]:
        if self.soaked:
            yield Effect("spend", "target", "soak", self.soaked)
        lost = self.loss if self.hp is None else min(self.loss, self.hp)
        if lost:
            yield Effect("mark", "target", "hp", lost)
        if self.traumatic:
            yield _condition("target", "traumatic-hit", "scene", 1)
        if self.down == "mortally-wounded":
            yield _condition("target", self.down, "round", 6, ("from", "next"))
        elif self.down == "incapacitated":
            yield _condition("target", self.down, "minute", 10, ("hp_then", 1))
        elif self.down not in ("", NOBODY_DOWN):
            yield Effect("add-condition", "target", self.down)


def _condition(who: str, name: str, unit: str, length: int, *more: tuple[str, Fact]) -> Effect:
    return Effect("add-condition", who, name, None, (("unit", unit), ("length", length), *more))


def _uses(who: str, what: str) -> Any:
    return lambda times: (Effect("spend", who, what, times),)


_COSTS: dict[str, Any] = {
    "total-defense": lambda times: (
        Effect("spend", "target", "main-action", 1),
        _condition("target", "total-defense", "round", 1, ("from", "next")),
        _condition("target", "shock-proof", "round", 1),
    ),
    "gunlink-reroll": _uses("attacker", "gunlink-reroll"),
    "attacker-luck": _uses("attacker", "veterans-luck"),
    "target-luck": _uses("target", "veterans-luck"),
    "charge": lambda times: (_condition("attacker", "charged", "round", 1),),
    "shock-burst": lambda times: (
        Effect("spend", "attacker", "shock-burst", times),
        Effect("remove-condition", "attacker", "shock-burst-set"),
    ),
    "shock-shield": lambda times: (_condition("target", "shock-shield-used", "round", 1),),
    "skillplug": lambda times: (_condition("attacker", "skillplug-jack-locked", "scene", 1),),
}
"""Effects by the words in `Outcome.spent`."""
