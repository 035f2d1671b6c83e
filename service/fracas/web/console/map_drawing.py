"""Where on the map everything is drawn: its frame, tokens, walls, and how far a combatant reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, cos, floor, radians, sin
from typing import Any, NamedTuple

from fracas.space import Area, Point, rounded

WIDTH, LEAST, MARGIN = 880, (40.0, 26.0), 4.0
"""Units of the drawing across; the fewest metres that are shown, and those around everybody."""
SQUARES = (1, 2, 5, 10, 25, 50, 100, 250)
"""Metres that a square may have: as few as leave at least 20 units between lines."""
LETTER, LINE = 7.0, 16.0
"""Units that a letter of a name is wide, and a line high."""
ANGLES = tuple(sorted(range(-180, 180, 15), key=lambda angle: abs(angle + 90) % 180))
"""Degrees from the right, clockwise: where on its circle a name may lie, the best first."""


class Box(NamedTuple):
    """What is taken on the drawing, in its units."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def of_name(cls, x: float, y: float, name: str) -> Box:
        """A name whose middle is at ``x``, and whose line stands on ``y``."""
        half = len(name) * LETTER / 2
        return cls(x - half, y - LINE + 3, x + half, y + 3)

    def overlaps(self, other: Box) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, other: Box) -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


class Frame(NamedTuple):
    """What part of the ground is drawn, in metres, and how many units a metre has."""

    x: float
    y: float
    width: float
    height: float
    scale: float
    square: int

    @classmethod
    def of(cls, points: Sequence[Point]) -> Frame:
        xs, ys = [one.x for one in points] or [0.0], [one.y for one in points] or [0.0]
        width, height = (
            max(least, max(at) - min(at) + 2 * MARGIN) for least, at in zip(LEAST, (xs, ys), strict=True)
        )
        width, height = max(width, height * LEAST[0] / LEAST[1]), max(height, width * LEAST[1] / LEAST[0])
        square = next((one for one in SQUARES if one * WIDTH / width >= 24), SQUARES[-1])
        width, height = width + square, height + square
        scale = WIDTH / width
        left, top = ((max(at) + min(at) - size) / 2 for at, size in ((xs, width), (ys, height)))
        return cls(floor(left / square) * square, floor(top / square) * square, width, height, scale, square)

    def at(self, point: Any) -> tuple[float, float]:
        return round((point.x - self.x) * self.scale, 1), round((point.y - self.y) * self.scale, 1)

    def lines(self) -> dict[str, list[float]]:
        step = self.square * self.scale
        return {
            "x": [round(step * n, 1) for n in range(1, ceil(WIDTH / step))],
            "y": [round(step * n, 1) for n in range(1, ceil(self.height * self.scale / step))],
        }


def point_of(one: Mapping[str, Any]) -> Point:
    return Point(one["position"]["x"], one["position"]["y"], one["position"]["elevation"])


def piece_of(
    frame: Frame, one: Mapping[str, Any], mine: bool, around: Mapping[str, Any] | None
) -> dict[str, Any]:
    x, y = frame.at(point_of(one))
    half = max(15.0, one["position"]["size"] * frame.scale / 2)
    at = one["position"]
    where = f"{rounded(at['x']):g} m right, {rounded(at['y']):g} m down"
    high = f"{rounded(at['elevation']):g} m up" if at["elevation"] else ""
    row = next((row for row in around["others"] if row["id"] == one["id"]), None) if around else None
    if row is not None and row["distance"] is not None:
        words = [
            f"{row['distance']:g} {around['unit']['name']} away" if around else "",
            f"{row['band'].replace('-', ' ')} range" if row["band"] else "",
            f"{row['cover'].replace('-', ' ')} cover" if row["cover"] else "",
            "in melee reach" if row["engaged"] else "",
            f"{len(row['in_the_way'])} in the way" if row["in_the_way"] else "",
        ]
        where = ", ".join(filter(None, words))
    looks = None
    if at["facing"] is not None:
        angle = radians(at["facing"])
        looks = [round(x + (half + 9) * cos(angle), 1), round(y + (half + 9) * sin(angle), 1)]
    where = ", ".join(filter(None, (where, high)))
    return {"one": one, "x": x, "y": y, "half": half, "mine": mine, "where": where, "looks": looks}


def walls_of(frame: Frame, areas: Mapping[str, Area]) -> Iterator[dict[str, Any]]:
    for id, area in areas.items():
        ends = [frame.at(point) for point in area.points]
        name = area.label or id
        reported = {"id": id, "label": name, "points": " ".join(f"{x},{y}" for x, y in ends), "at": ends[0]}
        yield {
            **reported,
            "wall": area.is_wall,
            "radius": round(area.radius * frame.scale, 1),
            "height": area.height,
        }


def rings_of(
    frame: Frame,
    one: Mapping[str, Any] | None,
    around: Mapping[str, Any] | None,
    pieces: Sequence[Mapping[str, Any]],
) -> Iterator[dict[str, Any]]:
    """How far a combatant may go, and where the range bands of their weapon end; names lie beside the tokens."""
    if one is None or around is None or not one["position"]:
        return
    x, y = frame.at(point_of(one))
    found = [("walk", "Move", around["movement"]["left"])]
    found += [("way", way["label"], way["metres"]) for way in around["movement"]["ways"]]
    found += [("ring", f"{band['label']} range", band["until"]) for band in around["bands"]]
    found += [("ring", "Reach", around["reach"])]
    taken = [box for piece in pieces for box in _boxes(piece)]
    for kind, label, metres in sorted(found, key=lambda ring: ring[2] or 0):
        radius = round((metres or 0) * frame.scale, 1)
        if not 0 < radius <= WIDTH:
            continue
        name = f"{label} {metres:g} m"
        at = _free(frame, (x, y), radius, name, taken)
        if at is not None:
            taken.append(Box.of_name(*at, name))
        yield {"kind": kind, "x": x, "y": y, "r": radius, "label": name, "at": at}


def _boxes(piece: Mapping[str, Any]) -> Iterator[Box]:
    x, y, half = piece["x"], piece["y"], piece["half"]
    yield Box(x - half, y - half, x + half, y + half)
    yield Box.of_name(x, y + half + 16, piece["one"]["name"])


def _free(
    frame: Frame, middle: tuple[float, float], radius: float, name: str, taken: Sequence[Box]
) -> tuple[float, float] | None:
    """Where a name lies just outside its circle, on the drawing and on nothing else; None if there is no such place."""
    sheet = Box(0, 0, WIDTH, frame.height * frame.scale)
    for angle in ANGLES:
        right, down = cos(radians(angle)), sin(radians(angle))
        x = middle[0] + (radius + 5) * right + len(name) * LETTER / 2 * right
        y = middle[1] + (radius + 5) * down + (LINE / 2 - 3) * (1 + down)
        box = Box.of_name(x, y, name)
        if sheet.holds(box) and not any(box.overlaps(one) for one in taken):
            return round(x, 1), round(y, 1)
    return None
