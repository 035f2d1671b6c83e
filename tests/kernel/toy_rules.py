"""A tiny ruleset for the kernel's tests: an archer looses at several targets.

Aim (choice) -> Volley (pool) -> for each target: Strike (total) -> Yield (choice) -> Bleed (opposed)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Literal, NamedTuple

from fracas.dice.pools import Opposed, Pool
from fracas.dice.requests import Faces, Group
from fracas.dice.totals import Total
from fracas.kernel.readers import Policy
from fracas.kernel.stage import (
    Awaited,
    Decision,
    Effect,
    Facts,
    Fork,
    Option,
    Roll,
    Stage,
    stage_class,
)


@stage_class
class Done(NamedTuple):
    """What happened to one target."""

    damage: int
    yielded: bool = False
    kind: Literal["toy.done"] = "toy.done"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: Any) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        return {"damage": self.damage, "yielded": self.yielded}

    def effects(self) -> tuple[Effect, ...]:
        return (Effect("mark", "target", "wounds", self.damage),) if self.damage else ()


@stage_class
class Aim(NamedTuple):
    """One more die, or dice that explode."""

    dice: int
    targets: tuple[tuple[str, int], ...]
    kind: Literal["toy.aim"] = "toy.aim"

    @property
    def awaits(self) -> Awaited:
        steady = Option("steady", "Steady")
        wild = Option("wild", "Wild", (("nerve", 1),), (("style", "reckless"),))
        return Decision("style", "archer", (steady, wild), "steady", (("dice", self.dice),))

    def advance(self, answer: Any) -> Stage:
        return Volley(self.dice + (answer == "steady"), answer == "wild", self.targets)

    def notes(self) -> Facts:
        return {"dice": self.dice, "style": "undecided"}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Volley(NamedTuple):
    """The shared roll; every target gets the hits."""

    dice: int
    wild: bool
    targets: tuple[tuple[str, int], ...]
    kind: Literal["toy.volley"] = "toy.volley"

    @property
    def awaits(self) -> Awaited:
        return Roll(("volley",), ("archer",), Pool(self.dice, self.wild))

    def advance(self, answer: Any) -> Stage:
        parts = tuple((name, strike(answer, armor)) for name, armor in self.targets)
        return parts[0][1] if len(parts) == 1 else Fork(parts)

    def notes(self) -> Facts:
        return {"thrown": self.dice}

    def effects(self) -> tuple[Effect, ...]:
        return ()


def strike(hits: int, armor: int) -> Stage:
    """Without a hit there is nothing to roll."""
    return Strike(hits, armor) if hits else Done(0)


@stage_class
class Strike(NamedTuple):
    """A d6 and the hits against the armor."""

    hits: int
    armor: int
    kind: Literal["toy.strike"] = "toy.strike"

    @property
    def awaits(self) -> Awaited:
        return Roll(("strike",), ("archer",), Total(((1, 6),), self.hits, self.armor))

    def advance(self, answer: Any) -> Stage:
        return Yield(self.hits) if answer else Done(0)

    def notes(self) -> Facts:
        return {"armor": self.armor}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Yield(NamedTuple):
    """The target gives up, or bleeds on."""

    damage: int
    kind: Literal["toy.yield"] = "toy.yield"

    @property
    def awaits(self) -> Awaited:
        options = (Option("fight", "Fight on"), Option("yield", "Yield"))
        return Decision("yield", "target", options, "fight", (("damage", self.damage),))

    def advance(self, answer: Any) -> Stage:
        return Done(self.damage, True) if answer == "yield" else Bleed(self.damage)

    def notes(self) -> Facts:
        return {"wounded": True}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Bleed(NamedTuple):
    """Two dice against one: net hits are more damage, or less."""

    damage: int
    kind: Literal["toy.bleed"] = "toy.bleed"

    @property
    def awaits(self) -> Awaited:
        return Roll(("bleeding", "grit"), ("archer", "target"), Opposed(Pool(2), Pool(1)))

    def advance(self, answer: Any) -> Stage:
        return Done(max(0, self.damage + answer))

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Climb(NamedTuple):
    """Roll until one fails or three steps are made: chains of different lengths."""

    height: int
    kind: Literal["toy.climb"] = "toy.climb"

    @property
    def awaits(self) -> Awaited:
        return Roll(("climb",), ("climber",), Total(((1, 6),), 0, 3)) if self.height < 3 else None

    def advance(self, answer: Any) -> Stage:
        return Climb(self.height + 1) if answer else Done(self.height)

    def notes(self) -> Facts:
        return {"height": self.height}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class ForkOnHit(NamedTuple):
    """A miss ends at once; only a hit splits into branches."""

    kind: Literal["toy.fork-on-hit"] = "toy.fork-on-hit"

    @property
    def awaits(self) -> Awaited:
        return Roll(("attack",), ("archer",), Total(((1, 6),), 0, 5))

    def advance(self, answer: Any) -> Stage:
        return Fork((("guard", Done(1)), ("giant", Done(2)))) if answer else Done(0)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Endless(NamedTuple):
    """A faulty procedure that asks for ever."""

    asked: int = 0
    kind: Literal["toy.endless"] = "toy.endless"

    @property
    def awaits(self) -> Awaited:
        return Decision("more", "nobody", (Option("yes", "Yes"), Option("no", "No")), "yes")

    def advance(self, answer: Any) -> Stage:
        return Endless(self.asked + 1)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


class Fixed:
    """A policy: some decisions by their id, the rest by default."""

    def __init__(self, **choices: str) -> None:
        self._choices = choices

    def choose(self, decision: Decision) -> tuple[str, str]:
        chosen = self._choices.get(decision.id)
        return (chosen, "policy") if chosen else (decision.default, "default")


def throws(group: Group, least: float = 1e-15) -> Iterator[tuple[Faces, float]]:
    """Every way to throw a group, with its chance; explosions until they are less likely than `least`."""
    for faces in product(range(1, group.sides + 1), repeat=group.dice):
        chance = group.sides**-group.dice
        tops = faces.count(group.sides) if group.exploding else 0
        if not tops:
            yield faces, chance
        elif chance >= least:
            for more, rest in throws(group._replace(dice=tops), least / chance):
                yield faces + more, chance * rest


def by_faces(stage: Stage, policy: Policy) -> dict[Stage, float]:
    """The chances of the outcomes, found by throwing every face of every die."""
    known: dict[Stage, dict[Stage, float]] = {}

    def outcomes(stage: Stage) -> dict[Stage, float]:
        if stage not in known:
            known[stage] = follow(stage)
        return known[stage]

    def follow(stage: Stage) -> dict[Stage, float]:
        awaited = stage.awaits
        if awaited is None:
            return {stage: 1.0}
        if isinstance(awaited, Decision):
            return outcomes(stage.advance(policy.choose(awaited)[0]))
        found: dict[Stage, float] = {}
        for parts in product(*(list(throws(group)) for group in awaited.request.groups())):
            chance = 1.0
            for _, share in parts:
                chance *= share
            then = stage.advance(awaited.request.answer([faces for faces, _ in parts]))
            for outcome, share in outcomes(then).items():
                found[outcome] = found.get(outcome, 0.0) + chance * share
        return found

    return outcomes(stage)
