"""Where things are on the ground of a fight: points in metres, distances, what lies in between, and areas.

The plane is that of a map on a screen: x grows to the right, y grows downwards, elevation upwards. Angles are degrees,
clockwise, so that 90 is to the right of somebody who looks along 0. All of it is pure geometry: what a distance means,
the rulesets say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, ceil, cos, degrees, hypot, inf, radians, sin
from typing import Any, NamedTuple

__all__ = [
    "EYES",
    "FARTHEST",
    "HEIGHT",
    "Area",
    "Point",
    "Position",
    "bearing",
    "between",
    "cost_of",
    "cover_of",
    "distance",
    "in_disc",
    "in_fan",
    "in_wedge",
    "is_in_way",
    "landing",
    "length_of",
    "rounded",
    "short_of",
    "started",
    "turned",
]

FARTHEST = 100_000.0
"""The greatest coordinate, in metres, to either side."""
HEIGHT, LOW = 1.8, 0.5
"""Metres from the ground to the top of those who stand, and of those who lie."""
EYES = 0.9
"""At which part of their height people look and shoot."""
BODY = 1.0
"""Metres across that a body of ordinary size takes up."""
_TINY = 1e-9


class Point(NamedTuple):
    """A place.

    Attributes:
        x, y: metres to the right and downwards on the map.
        elevation: metres above the ground of the map.
    """

    x: float
    y: float
    elevation: float = 0.0


class Position(NamedTuple):
    """Where a combatant is.

    Attributes:
        x, y, elevation: of the middle of their feet, as of a `Point`.
        size: metres across; what a body is broader than `BODY` brings it nearer to everything.
        facing: the direction in which they look: degrees, 0 to the right on the map; None where it is not known.
    """

    x: float
    y: float
    elevation: float = 0.0
    size: float = BODY
    facing: float | None = None

    @property
    def point(self) -> Point:
        return Point(self.x, self.y, self.elevation)

    def at(self, point: Point) -> Position:
        """The same body somewhere else."""
        return self._replace(x=point.x, y=point.y, elevation=point.elevation)


class Area(NamedTuple):
    """Something on the ground: a wall, or a zone.

    Attributes:
        label: for people.
        points: of two a wall from one to the other, of more the corners of a zone; of one the middle of a round zone.
        radius: of a round zone.
        elevation: where it begins.
        height: metres from there to its top; None: it ends nowhere.
        factor: how many metres of movement a metre in it takes.
        cover: how much of those behind a wall it hides, 0 to 1, whatever its height; None: as its height says.
        inside: fields of those who stand in it, by name.
        across: fields of the situation between two of whom at least one stands in it, or looks through it, by path.
        by, during: a combatant and a condition: it is there as long as they are in it. "" for what stays.
    """

    label: str
    points: tuple[Point, ...]
    radius: float = 0.0
    elevation: float = 0.0
    height: float | None = None
    factor: float = 1.0
    cover: float | None = None
    inside: Mapping[str, Any] = {}
    across: Mapping[str, Any] = {}
    by: str = ""
    during: str = ""

    @property
    def is_wall(self) -> bool:
        return len(self.points) == 2

    def reaches(self, elevation: float) -> bool:
        """Whether it is there at this height."""
        return self.elevation <= elevation <= self.elevation + (inf if self.height is None else self.height)

    def contains(self, at: Point) -> bool:
        """Whether a place is in a zone; in a wall none is."""
        if self.is_wall or not self.reaches(at.elevation):
            return False
        if len(self.points) == 1:
            return hypot(at.x - self.points[0].x, at.y - self.points[0].y) <= self.radius + _TINY
        inside = False
        for one, other in self.edges():
            if (one.y > at.y) != (other.y > at.y):
                across = one.x + (at.y - one.y) / (other.y - one.y) * (other.x - one.x)
                inside ^= at.x < across
        return inside

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """The sides of a zone with corners, or the one of a wall."""
        ends = self.points if self.is_wall else (*self.points, self.points[0])
        yield from pairwise(ends)

    def crossings(self, start: Point, end: Point) -> Iterator[float]:
        """Where a straight way may enter or leave it: parts of the way, from 0 to 1."""
        if rise := end.elevation - start.elevation:
            for level in (self.elevation, self.elevation + (self.height or 0)):
                yield (level - start.elevation) / rise
        if len(self.points) == 1:
            yield from _circle_crossings(self.points[0], self.radius, start, end)
            return
        for one, other in self.edges():
            if (found := _meeting(start, end, one, other)) is not None:
                yield found

    def touches(self, start: Point, end: Point) -> bool:
        """Whether some of a straight way is in a zone."""
        return any(
            self.contains(_part(start, end, (a + b) / 2)) for a, b in pairwise(_cuts(start, end, (self,)))
        )


# Distances and directions.


def distance(one: Point | Position, other: Point | Position) -> float:
    """Metres in a straight line, heights included, from middle to middle."""
    return hypot(one.x - other.x, one.y - other.y, one.elevation - other.elevation)


def between(one: Position, other: Position) -> float:
    """Metres between two bodies: from middle to middle, less what either is broader than an ordinary one."""
    broader = (max(0.0, one.size - BODY) + max(0.0, other.size - BODY)) / 2
    return max(0.0, distance(one, other) - broader)


def rounded(metres: float, places: int = 2) -> float:
    """Metres to the centimetre, or to so many decimal places, as a whole number where they are one."""
    found = round(metres + 0.0, places)
    return int(found) if found == int(found) else found


def turned(start: Point | Position, end: Point | Position) -> float:
    """The direction from one place to another: degrees from 0, to the right on the map, to 360."""
    return degrees(atan2(end.y - start.y, end.x - start.x)) % 360


def bearing(eye: Point | Position, spot: Point, at: Point | Position) -> float:
    """Where something is, seen from a spot by one who looks at the spot: 0 is beyond it, 90 to the right."""
    looks = turned(eye, spot) if (eye.x, eye.y) != (spot.x, spot.y) else 0.0
    found = round((turned(spot, at) - looks) % 360, 6) % 360
    return int(found) if found == int(found) else found


def landing(eye: Point | Position, spot: Point, metres: float, towards: float) -> Point:
    """Where something lands that goes astray from a spot, seen by one who aims at the spot; see `bearing`."""
    looks = turned(eye, spot) if (eye.x, eye.y) != (spot.x, spot.y) else 0.0
    angle = radians(looks + towards)
    return Point(spot.x + metres * cos(angle), spot.y + metres * sin(angle), spot.elevation)


def short_of(start: Position, goal: Position, gap: float) -> Point:
    """The place on the way to somebody that is so many metres from them; where one is, if that is nearer."""
    whole, now = distance(start, goal), between(start, goal)
    if now <= gap or not whole:
        return start.point
    return _part(start.point, goal.point, min(1.0, (now - gap) / whole))


# Ways.


def length_of(way: Sequence[Point]) -> float:
    """Metres of a way from place to place."""
    return sum(distance(one, other) for one, other in pairwise(way))


def cost_of(way: Sequence[Point], zones: Iterable[Area], factor: float = 1.0) -> float:
    """Metres of movement that a way takes: each metre counts by the most difficult ground that it leads over.

    Args:
        zones: with a factor each; walls count for nothing.
        factor: of all of the way beside.
    """
    hard = [zone for zone in zones if zone.factor != 1 and not zone.is_wall]
    total = 0.0
    for start, end in pairwise(way):
        for a, b in pairwise(_cuts(start, end, hard)):
            middle = _part(start, end, (a + b) / 2)
            factors = [zone.factor for zone in hard if zone.contains(middle)]
            total += (b - a) * distance(start, end) * max(factors, default=1.0)
    return total * factor


def _cuts(start: Point, end: Point, zones: Iterable[Area]) -> list[float]:
    """Parts of a way at whose ends a zone begins or ends."""
    inner = {at for zone in zones for at in zone.crossings(start, end) if 0 < at < 1}
    return [0.0, *sorted(inner), 1.0]


def _part(start: Point, end: Point, at: float) -> Point:
    return Point(*(a + at * (b - a) for a, b in zip(start, end, strict=True)))


def _meeting(start: Point, end: Point, one: Point, other: Point) -> float | None:
    """Where a way meets a line, as a part of the way; None where it does not, or runs along it."""
    way, line = (end.x - start.x, end.y - start.y), (other.x - one.x, other.y - one.y)
    apart = way[0] * line[1] - way[1] * line[0]
    if abs(apart) < _TINY:
        return None
    to = (one.x - start.x, one.y - start.y)
    at = (to[0] * line[1] - to[1] * line[0]) / apart
    on = (to[0] * way[1] - to[1] * way[0]) / apart
    inside = -_TINY <= at <= 1 + _TINY and -_TINY <= on <= 1 + _TINY
    return at if inside else None


def _circle_crossings(middle: Point, radius: float, start: Point, end: Point) -> Iterator[float]:
    dx, dy = end.x - start.x, end.y - start.y
    fx, fy = start.x - middle.x, start.y - middle.y
    a, b, c = dx * dx + dy * dy, 2 * (fx * dx + fy * dy), fx * fx + fy * fy - radius * radius
    under = b * b - 4 * a * c
    if a < _TINY or under <= 0:
        return
    for sign in (-1, 1):
        yield (-b + sign * under**0.5) / (2 * a)


# What lies in between.


def is_in_way(start: Position, end: Position, other: Position) -> bool:
    """Whether a third body stands in the straight line between two, neither beyond nor beside it."""
    dx, dy = end.x - start.x, end.y - start.y
    whole = dx * dx + dy * dy
    if whole < _TINY:
        return False
    at = ((other.x - start.x) * dx + (other.y - start.y) * dy) / whole
    if not 0 < at < 1:
        return False
    aside = hypot(start.x + at * dx - other.x, start.y + at * dy - other.y)
    line = start.elevation + at * (end.elevation - start.elevation) + HEIGHT * EYES
    return aside <= other.size / 2 and other.elevation <= line <= other.elevation + HEIGHT


def cover_of(eye: Position, target: Position, walls: Iterable[Area], low: bool = False) -> float:
    """How much of a target walls hide, from 0 to 1: the share of its height, of the wall that hides most.

    The eye looks from `EYES` of the height of one who stands. A wall of a known height hides what is below its top as
    the eye sees it, so one close to the eye hides nothing of a target that stands far behind it.

    Args:
        low: the target lies on the ground.
    """
    height, most = (LOW if low else HEIGHT), 0.0
    level = eye.elevation + HEIGHT * EYES
    for wall in walls:
        if not wall.is_wall or (at := _meeting(eye.point, target.point, *wall.points)) is None:
            continue
        if not _TINY < at < 1 - _TINY:
            continue
        if wall.cover is not None:
            most = max(most, wall.cover)
            continue
        top, bottom = inf, -inf
        if wall.height is not None:
            top = level + (wall.elevation + wall.height - level) / at
        if wall.elevation > 0:
            bottom = level + (wall.elevation - level) / at
        feet = target.elevation
        hidden = min(top, feet + height) - max(bottom, feet)
        most = max(most, hidden / height)
    return min(1.0, max(0.0, most))


# Areas around places.


def in_disc(middle: Point, radius: float, at: Point | Position) -> bool:
    """Whether something is at most so far from a place, heights included."""
    return distance(middle, at) <= radius + _TINY


def in_fan(apex: Point | Position, towards: Point, width: float, length: float, at: Point | Position) -> bool:
    """Whether something is in a sector of a circle.

    Args:
        width: the whole angle, in degrees, half of it to either side of the direction from the apex.
        length: metres that it reaches.
    """
    if distance(apex, at) > length + _TINY:
        return False
    if (apex.x, apex.y) in ((at.x, at.y), (towards.x, towards.y)):
        return (apex.x, apex.y) == (at.x, at.y)
    aside = abs((turned(apex, at) - turned(apex, towards) + 180) % 360 - 180)
    return aside <= width / 2 + 1e-6


def in_wedge(apex: Point | Position, end: Point, width: float, at: Point | Position) -> bool:
    """Whether something is in a triangle that is so many metres wide at its far end and comes to a point at the
    apex."""
    dx, dy = end.x - apex.x, end.y - apex.y
    whole = hypot(dx, dy)
    if whole < _TINY:
        return False
    along = ((at.x - apex.x) * dx + (at.y - apex.y) * dy) / whole
    aside = abs((at.x - apex.x) * dy - (at.y - apex.y) * dx) / whole
    return -_TINY <= along <= whole + _TINY and aside <= width / 2 * along / whole + _TINY


def in_line(start: Point | Position, towards: Point, length: float, at: Position) -> bool:
    """Whether a body is touched by a straight line that is so many metres long."""
    dx, dy = towards.x - start.x, towards.y - start.y
    whole = hypot(dx, dy)
    if whole < _TINY or distance(start, at) > length + _TINY:
        return False
    along = ((at.x - start.x) * dx + (at.y - start.y) * dy) / whole
    aside = abs((at.x - start.x) * dy - (at.y - start.y) * dx) / whole
    return along >= -_TINY and aside <= at.size / 2 + _TINY


def started(metres: float) -> int:
    """Started metres; a distance that only rounding makes longer counts as the whole number it is."""
    return ceil(round(metres, 6))
