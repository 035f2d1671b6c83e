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
        told = {"id": id, "label": name, "points": " ".join(f"{x},{y}" for x, y in ends), "at": ends[0]}
        yield {
            **told,
            "wall": area.is_wall,
            "radius": round(area.radius * frame.scale, 1),
            "height": area.height,
        }


def rings_of(
    frame: Frame, one: Mapping[str, Any] | None, around: Mapping[str, Any] | None
) -> Iterator[dict[str, Any]]:
    """How far the chosen combatant may go, and where the range bands of their weapon end."""
    if one is None or around is None or not one["position"]:
        return
    x, y = frame.at(point_of(one))
    rings = [("walk", "Move", around["movement"]["left"])]
    rings += [("way", way["label"], way["metres"]) for way in around["movement"]["ways"]]
    rings += [("ring", f"{band['label']} range", band["until"]) for band in around["bands"]]
    rings += [("ring", "Reach", around["reach"])]
    row = 14.0
    for kind, label, metres in rings:
        radius = round((metres or 0) * frame.scale, 1)
        if 0 < radius <= WIDTH:
            top = round(y - radius - 5, 1)
            if top < row:  # its upper edge is out of sight: names stand below each other
                top, row = row, row + 16
            yield {"kind": kind, "x": x, "y": y, "r": radius, "label": f"{label} {metres:g} m", "name_y": top}
