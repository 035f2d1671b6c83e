"""Exact odds of several shots at one person: weighed all together (`kernel.odds.Rest`).

One after the other they would lead to more different bodies than can be weighed. The outcomes tell what the shots come
to, without the tests that each hit asks for, the single locations, and what becomes of a mount.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import lcm
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.forms import Outcome
from fracas.kernel.odds import Played, Reached, Transitions
from fracas.kernel.stage import Fact, Facts, Roll, Stage
from fracas.rulesets.imperium.checks.percentile import SIDES, matched
from fracas.rulesets.imperium.harms.harm import NOBODY_DOWN
from fracas.rulesets.imperium.harms.many_blows import Strikes, Sum, sums

MOST_SHOTS = 8
"""More shots at one person are refused: weighing them would hold up the service."""


class VolleyRest(NamedTuple):
    """All shots at one person, from the first on (`shot`, a stage `Shot`)."""

    shot: Any

    def play(self, reached: Iterable[Reached], rounded: bool, transitions: Transitions) -> Played:
        """
        Raises:
            InputError: too many shots.
        """
        plan = self.shot.firing.value
        if plan.shots > MOST_SHOTS:
            message = f"the exact odds of more than {MOST_SHOTS} shots at one person take too long"
            raise InputError.one("situation", "too-complex", message)
        body = self.shot.harm.body.value
        strikes = strikes_of(self.shot)
        found: dict[Stage, int] = {}
        for one, weight in sums(body, strikes, plan.shots):
            end = VolleyEnd(
                one, plan.shots, body.total + one.net, one.out if one.out != body.out else NOBODY_DOWN
            )
            found[end] = found.get(end, 0) + weight
        total = strikes.total**plan.shots
        ends = [
            (came.total * total, {end: weight * came.weight for end, weight in found.items()})
            for came in reached
        ]
        return Played(ends, [])


def strikes_of(shot: Any) -> Strikes:
    """How one shot may go: face, rider or mount, the dice of a force field and of the damage."""
    plan = shot.firing.value
    passing = [face for face in range(1, SIDES + 1) if plan.test.passes(face)]
    landings = [(matched(face), one) for face in passing for one in _landings(shot.advance(face), 1)]
    ways = lcm(*(one.total for _, one in landings))
    found: dict[tuple[str, bool], dict[int, int]] = {}
    for critical, one in landings:
        by_net = found.setdefault((one.location, critical), {})
        by_net[one.net] = by_net.get(one.net, 0) + one.weight * (ways // one.total)
    return Strikes((SIDES - len(passing)) * ways, found, SIDES * ways)


class _Landing(NamedTuple):
    """One way of a hit, with its weight; `location` is "" where it strikes the mount, which `net` leaves out."""

    location: str
    net: int
    weight: int
    total: int


def _landings(stage: Any, total: int) -> Iterator[_Landing]:
    """The ways of a hit, from a stage after the roll to hit; the last roll of a hit is that of its damage."""
    if stage.kind == _DAMAGING and not stage.location:
        yield _Landing("", 0, 1, total)
        return
    awaited = stage.awaits
    assert isinstance(awaited, Roll)
    spread = awaited.request.spread()
    total *= spread.total
    for answer, weight in zip(spread.answers, spread.weights, strict=True):
        if stage.kind == _DAMAGING:
            yield _Landing(stage.location, answer, weight, total)  # type: ignore[arg-type]
        else:
            for one in _landings(stage.advance(answer), total):
                yield one._replace(weight=one.weight * weight)


_DAMAGING = "imperium.damaging"
"""The stage that waits for the damage of a hit."""


class VolleyEnd(Outcome, kind="imperium.volley-end"):
    """What several shots came to, as odds tell it.

    Attributes:
        total: the Injury Total.
        down: ``unconscious``, ``dead`` or ``none``.
    """

    sum: Sum
    shots: int
    total: int
    down: str

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "result": "hit" if self.sum.hits else "miss",
            "hit": self.sum.hits > 0,
            "critical": self.sum.critical,
            "shots": self.shots,
            "hits": self.sum.hits,
            "net_damage": self.sum.net,
            "injury_total": self.total,
            "levels": self.sum.levels,
            "down": self.down,
        }
        return facts
