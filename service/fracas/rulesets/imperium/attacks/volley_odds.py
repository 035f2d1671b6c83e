"""Exact odds of several shots at one person: all of them weighed together (`kernel.odds.Shortcut`).

One after the other they would lead to more different bodies than can be weighed. The outcomes show what the shots come
to, without the tests that each hit asks for, the single locations, and what becomes of a mount: these tests (system
shock, of a limb) make no difference to the hits that follow, nor to what is reported here.

Hits at different locations have nothing to do with each other but for the Injury Total, which is a sum. So each
location is weighed by itself, for each number of hits at it, and the locations are put together afterwards. Weights by
net damage are the digits of one whole number (`_Packing`), so that putting together is multiplying.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import comb, lcm
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.forms import Outcome
from fracas.kernel.odds import Played, Reached, Transitions
from fracas.kernel.stage import Facts, Roll, Stage
from fracas.rulesets.imperium.checks.percentile import SIDES, matched
from fracas.rulesets.imperium.harms.bodies import DEAD, UNCONSCIOUS, Body, rounded_up
from fracas.rulesets.imperium.harms.injury import NOBODY_DOWN, level_after
from fracas.rulesets.imperium.vocabulary import LOCATIONS

_OUT = ("", UNCONSCIOUS, DEAD)
"""What takes a combatant out, the worst last."""


class Strikes(NamedTuple):
    """How one attempt may go, in weights.

    Attributes:
        misses: of no hit.
        hits: by location ("" is none of this body's) and whether the hit is critical: weights by net damage.
        total: of all together.
    """

    misses: int
    hits: Mapping[tuple[str, bool], Mapping[int, int]]
    total: int


class VolleyEnd(Outcome, kind="imperium.volley-end"):
    """What several shots came to, as odds show it.

    Attributes:
        critical: one hit at least was critical.
        net_damage: of all hits.
        levels: injury levels gained.
        down: ``unconscious``, ``dead`` or ``none``.
    """

    shots: int
    hits: int
    critical: bool
    net_damage: int
    levels: int
    injury_total: int
    down: str

    def notes(self) -> Facts:
        return {
            "result": "hit" if self.hits else "miss",
            "hit": self.hits > 0,
            "critical": self.critical,
            "shots": self.shots,
            "hits": self.hits,
            "net_damage": self.net_damage,
            "injury_total": self.injury_total,
            "levels": self.levels,
            "down": self.down,
        }


class _Way(NamedTuple):
    """Hits that have nothing more in common than these; `out` is a place in `_OUT`."""

    hits: int
    critical: bool
    levels: int
    out: int


_Ways = dict[_Way, int]
"""Packed weights by net damage."""


class _Packing:
    """Weights by net damage as one whole number, of which each digit has `bits` bits."""

    def __init__(self, total: int, count: int) -> None:
        self.bits = (total * (count + 1)).bit_length() * count + 1

    def packed(self, weights: Mapping[int, int]) -> int:
        return sum(weight << (self.bits * net) for net, weight in weights.items())

    def unpacked(self, number: int) -> Iterator[tuple[int, int]]:
        """Net damage with its weight."""
        ones, net = (1 << self.bits) - 1, 0
        while number:
            if weight := number & ones:
                yield net, weight
            number, net = number >> self.bits, net + 1


def ends(body: Body, strikes: Strikes, count: int, budget: Budget = UNLIMITED) -> dict[Stage, int]:
    """What so many attempts come to, with weights over ``strikes.total ** count``.

    Raises:
        OverBudgetError: it takes too long.
    """
    packing = _Packing(strikes.total, count)
    known: _Ways = {_Way(0, False, 0, _OUT.index(body.out)): 1}
    for place in (*LOCATIONS, ""):
        known = _together(known, _at(body, place, strikes, count, packing, budget), count, budget)
    found: dict[Stage, int] = {}
    for way, number in known.items():
        budget.check()
        rest = comb(count, way.hits) * strikes.misses ** (count - way.hits)
        for net, weight in packing.unpacked(number) if rest else ():
            total = body.total + net
            out = DEAD if net > 0 and total >= body.death else _OUT[way.out]
            down = out if out != body.out else NOBODY_DOWN
            end = VolleyEnd(count, way.hits, way.critical, net, way.levels, total, down)
            found[end] = found.get(end, 0) + weight * rest
    return found


def _together(ones: _Ways, others: _Ways, count: int, budget: Budget) -> _Ways:
    """Both, however their hits come among one another."""
    found: _Ways = {}
    for one, number in ones.items():
        budget.check()
        for other, other_number in others.items():
            hits = one.hits + other.hits
            if hits > count:
                continue
            critical, out = one.critical or other.critical, max(one.out, other.out)
            way = _Way(hits, critical, one.levels + other.levels, out)
            found[way] = found.get(way, 0) + number * other_number * comb(hits, one.hits)
    return found


def _at(body: Body, place: str, strikes: Strikes, count: int, packing: _Packing, budget: Budget) -> _Ways:
    """What up to so many hits at one location come to, in the order in which they strike."""
    steps: dict[tuple[bool, int], dict[int, int]] = {}  # by criticality and levels: weights by net damage
    for critical in (False, True):
        for net, weight in strikes.hits.get((place, critical), {}).items():
            steps.setdefault((critical, rounded_up(net, body.base)), {})[net] = weight
    packed = {step: packing.packed(weights) for step, weights in steps.items()}
    latest: _Ways = {_Way(0, False, 0, 0): 1}
    found = dict(latest)
    for _ in range(count):
        after: _Ways = {}
        for way, number in latest.items():
            budget.check()
            for (critical, gained), step in packed.items():
                levels, out = _struck(body, place, way.levels, gained)
                then = _Way(way.hits + 1, way.critical or critical, levels, max(way.out, out))
                after[then] = after.get(then, 0) + number * step
        found |= after
        latest = after
    return found


def _struck(body: Body, name: str, so_far: int, gained: int) -> tuple[int, int]:
    """The levels gained in all, and which combatant is out, when a hit adds levels to those gained before."""
    if not name:
        return 0, 0
    place = LOCATIONS.index(name)
    had = body.levels[place] + so_far
    level, row, surplus = level_after(body, place, had, gained)
    does = (*(row.does if row else ()), *((DEAD,) if surplus else ()))
    return level - body.levels[place], max((_OUT.index(word) for word in does if word in _OUT), default=0)


MOST_SHOTS = 8
"""More shots at one person are refused: weighing them would hold up the service."""


class VolleyRest(NamedTuple):
    """All shots at one person, from the first on (`shot`, a stage `Shot`)."""

    shot: Any

    def play(self, reached: Iterable[Reached], rounded: bool, transitions: Transitions) -> Played:
        """
        Raises:
            InputError: too many shots, or more processor time than there is.
        """
        plan = self.shot.firing.value
        if plan.shots > MOST_SHOTS:
            message = f"the exact odds of more than {MOST_SHOTS} shots at one person take too long"
            raise InputError.one("situation", "too-complex", message)
        strikes = strikes_of(self.shot)
        total, body = strikes.total**plan.shots, self.shot.harm.body.value
        found = ends(body, strikes, plan.shots, transitions.budget)
        ends_of = ((came, {end: weight * came.weight for end, weight in found.items()}) for came in reached)
        return Played([(came.total * total, weighed) for came, weighed in ends_of], [])


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
