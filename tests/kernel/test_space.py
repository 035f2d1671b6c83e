"""Geometry of the ground of a fight: properties, and worked examples whose numbers were found by hand."""

from __future__ import annotations

from math import cos, hypot, inf, isclose, radians, sin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fracas import space
from fracas.kernel.scattering import Spot
from fracas.space import Area, Point, Position

COORDINATES = st.integers(-20_000, 20_000).map(lambda one: one / 100)
POINTS = st.builds(Point, COORDINATES, COORDINATES, st.integers(-500, 500).map(lambda one: one / 100))
FLAT = st.builds(Point, COORDINATES, COORDINATES, st.just(0.0))
SIZES = st.sampled_from((0.5, 1.0, 2.5, 6.0))
BODIES = st.builds(lambda at, size: Position(*at, size), POINTS, SIZES)
ANGLES = st.sampled_from((0.0, 17.5, 90.0, 135.0, 271.0))
WALLS = st.builds(
    lambda one, other, height: Area("Wall", (one, other), height=height),
    FLAT,
    FLAT,
    st.sampled_from((0.5, 1.2, 3.0, None)),
)
ZONES = st.one_of(
    st.builds(
        lambda at, radius, factor: Area("Mud", (at,), radius, factor=factor),
        FLAT,
        st.sampled_from((3.0, 40.0)),
        st.sampled_from((0.5, 2.0, 3.0)),
    ),
    st.builds(
        lambda a, b, c, factor: Area("Rubble", (a, b, c), factor=factor), FLAT, FLAT, FLAT, st.just(2.0)
    ),
)


def near(one: float, other: float) -> bool:
    return isclose(one, other, abs_tol=1e-6)


def moved(at: Point, angle: float, aside: Point) -> Point:
    """A point turned around the middle of the map, and shifted."""
    turn = radians(angle)
    x = at.x * cos(turn) - at.y * sin(turn) + aside.x
    y = at.x * sin(turn) + at.y * cos(turn) + aside.y
    return Point(x, y, at.elevation + aside.elevation)


def moved_area(area: Area, angle: float, aside: Point) -> Area:
    return area._replace(points=tuple(moved(one, angle, aside) for one in area.points))


# Distances


@given(POINTS, POINTS, POINTS)
def test_distances_are_symmetric_and_no_detour_is_shorter(one: Point, other: Point, third: Point) -> None:
    assert space.distance(one, other) == space.distance(other, one)
    assert space.distance(one, one) == 0
    assert (space.distance(one, other) == 0) == (one == other)
    detour = space.distance(one, third) + space.distance(third, other)
    assert space.distance(one, other) <= detour + 1e-9


@given(POINTS, POINTS, ANGLES, POINTS)
def test_nothing_depends_on_where_the_map_begins(
    one: Point, other: Point, angle: float, aside: Point
) -> None:
    turned = moved(one, angle, aside), moved(other, angle, aside)
    assert near(space.distance(*turned), space.distance(one, other))


@given(BODIES, BODIES, BODIES)
def test_between_bodies_a_detour_is_longer_by_at_most_what_is_broad(
    one: Position, other: Position, third: Position
) -> None:
    assert space.between(one, other) == space.between(other, one) <= space.distance(one, other)
    through = space.between(one, third) + space.between(third, other)
    assert space.between(one, other) <= through + max(0.0, third.size - space.BODY) + 1e-9


def test_a_broad_body_is_nearer_by_half_of_what_it_is_broader() -> None:
    car, walker = Position(10, 0, size=5), Position(0, 0)
    assert space.between(walker, car) == 8
    assert space.between(walker, car._replace(size=0.3)) == 10
    assert space.between(Position(9, 0), car) == 0


@pytest.mark.parametrize(
    ("metres", "shown"), [(12.0, 12), (12.004, 12), (3.456, 3.46), (-0.001, 0), (0.1 + 0.2, 0.3)]
)
def test_metres_are_rounded_to_centimetres(metres: float, shown: float) -> None:
    found = space.rounded(metres)
    assert found == shown
    assert type(found) is type(shown)


# Directions: what a scatter does is what the rules make of distance and bearing


@pytest.mark.parametrize(
    ("at", "expected"), [((20, 0), 0), ((10, 5), 90), ((5, 0), 180), ((10, -5), 270), ((15, 5), 45)]
)
def test_a_bearing_is_seen_by_one_who_looks_at_the_spot(at: tuple[int, int], expected: float) -> None:
    assert space.bearing(Point(0, 0), Point(10, 0), Point(*at)) == expected


@given(FLAT, FLAT, FLAT, ANGLES, FLAT)
def test_bearings_do_not_depend_on_where_the_map_begins(
    eye: Point, spot: Point, at: Point, angle: float, aside: Point
) -> None:
    assume(space.distance(eye, spot) > 0.1 and space.distance(spot, at) > 0.1)
    turned = (moved(one, angle, aside) for one in (eye, spot, at))
    apart = (space.bearing(*turned) - space.bearing(eye, spot, at) + 180) % 360 - 180
    assert abs(apart) < 1e-4


@given(FLAT, FLAT, FLAT, st.sampled_from((0, 1, 3, 8)), st.sampled_from(range(0, 360, 45)))
def test_scatter_leads_to_the_place_from_which_the_rules_measure(
    eye: Point, spot: Point, victim: Point, metres: int, towards: int
) -> None:
    assume(space.distance(eye, spot) > 0.1)
    seen = Spot(space.distance(spot, victim), space.bearing(eye, spot, victim))
    assert (
        abs(seen.way(metres, towards) - space.distance(space.landing(eye, spot, metres, towards), victim))
        < 1e-4
    )


# Ways


@given(POINTS, POINTS, SIZES, st.sampled_from((0.0, 1.0, 2.0)))
def test_short_of_somebody_is_on_the_way_and_as_near_as_wanted(
    start: Point, goal: Point, size: float, gap: float
) -> None:
    me, them = Position(*start), Position(*goal, size)
    there = space.short_of(me, them, gap)
    left = space.between(me.at(there), them)
    assert near(left, min(gap, space.between(me, them))) or left <= gap
    assert near(space.distance(me, there) + space.distance(there, them), space.distance(me, them))


@given(st.lists(POINTS, min_size=2, max_size=4), st.lists(ZONES, max_size=3), ANGLES, FLAT)
def test_a_way_takes_what_its_parts_take_forth_or_back_wherever_the_map_begins(
    way: list[Point], zones: list[Area], angle: float, aside: Point
) -> None:
    taken, length = space.cost_of(way, zones), space.length_of(way)
    factors = [zone.factor for zone in zones]
    assert length * min((1.0, *factors)) - 1e-6 <= taken <= length * max((1.0, *factors)) + 1e-6
    assert near(space.cost_of(way[::-1], zones), taken)
    halves = [*way[:1], Point(*((a + b) / 2 for a, b in zip(way[0], way[1], strict=True))), *way[1:]]
    assert near(space.cost_of(halves, zones), taken)
    assert near(space.cost_of(way, zones, 2), 2 * taken)
    turned = [moved_area(zone, angle, aside) for zone in zones]
    assert abs(space.cost_of([moved(at, angle, aside) for at in way], turned) - taken) < 1e-3


def test_a_metre_of_difficult_ground_takes_more() -> None:
    mud = Area("Mud", (Point(10, 0),), 2, factor=2)
    swamp = Area("Swamp", (Point(8, -5), Point(9, -5), Point(9, 5), Point(8, 5)), factor=3)
    assert space.cost_of([Point(0, 0), Point(20, 0)], [mud]) == 24
    assert near(space.cost_of([Point(0, 0), Point(20, 0)], [mud, swamp]), 25)
    assert space.cost_of([Point(0, 3), Point(20, 3)], [mud]) == 20
    bridge = [Point(0, 0, 5), Point(20, 0, 5)]
    assert space.cost_of(bridge, [mud._replace(height=1)]) == 20


# In between


@given(POINTS, POINTS, POINTS, SIZES)
def test_who_is_in_the_way_is_so_from_both_ends(one: Point, other: Point, third: Point, size: float) -> None:
    between = Position(*third[:2], one.elevation, size)
    start, end = Position(*one), Position(*other[:2], one.elevation)
    assert space.is_in_way(start, end, between) == space.is_in_way(end, start, between)
    if space.is_in_way(start, end, between):
        assert space.distance(start, between) <= space.distance(start, end) + size


@pytest.mark.parametrize(
    ("third", "stands"),
    [
        ((5, 0), True),
        ((5, 0.5), True),
        ((5, 0.6), False),
        ((11, 0), False),
        ((-1, 0), False),
        ((5, 0, 4), False),
    ],
)
def test_a_body_in_the_line(third: tuple[float, ...], stands: bool) -> None:
    assert space.is_in_way(Position(0, 0), Position(10, 0), Position(*third)) == stands


@given(BODIES, BODIES, st.lists(WALLS, max_size=4), st.booleans())
def test_cover_is_a_share_and_walls_never_lessen_it(
    eye: Position, target: Position, walls: list[Area], low: bool
) -> None:
    shares = [space.cover_of(eye, target, walls[:count], low) for count in range(len(walls) + 1)]
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert 0 <= shares[-1] <= 1
    assert space.cover_of(eye, target, [wall._replace(cover=0.4) for wall in walls]) in (0, 0.4)


@given(BODIES, BODIES, WALLS, ANGLES, FLAT)
def test_cover_does_not_depend_on_where_the_map_begins(
    eye: Position, target: Position, wall: Area, angle: float, aside: Point
) -> None:
    at = [space._meeting(eye.point, target.point, *wall.points) or 0]
    assume(all(0.001 < one < 0.999 or one == 0 for one in at) and space.distance(*wall.points) > 0.01)
    found = space.cover_of(eye, target, [wall])
    turned = [one.at(moved(one.point, angle, aside)) for one in (eye, target)]
    again = space.cover_of(*turned, [moved_area(wall, angle, aside)])
    # At the very end of a wall rounding decides whether it is met.
    assert abs(again - found) < 1e-3 or 0 in (again, found)


def wall_at(x: float, height: float | None, elevation: float = 0) -> list[Area]:
    return [Area("Wall", (Point(x, -5), Point(x, 5)), height=height, elevation=elevation)]


@pytest.mark.parametrize(
    ("walls", "hidden"),
    [
        (wall_at(9.99, 0.9), 0.5),  # close to the target its own height counts
        (wall_at(5, None), 1),
        (wall_at(5, 1.2), (1.62 + (1.2 - 1.62) / 0.5) / 1.8),
        (wall_at(1, 1.2), 0),  # the eye looks over what stands close to it
        (wall_at(5, 1, 3), 0),  # and below what hangs
        (wall_at(12, None), 0),
        (wall_at(-1, None), 0),
    ],
)
def test_how_much_a_wall_hides(walls: list[Area], hidden: float) -> None:
    assert space.cover_of(Position(0, 0), Position(10, 0), walls) == pytest.approx(hidden, abs=0.005)


def test_who_lies_is_hidden_by_less_and_who_stands_higher_sees_more() -> None:
    walls = wall_at(9, 0.6)
    assert space.cover_of(Position(0, 0), Position(10, 0), walls, low=True) == pytest.approx(0.97, abs=0.01)
    high = Position(0, 0, elevation=10)
    assert space.cover_of(high, Position(10, 0), walls) < space.cover_of(
        Position(0, 0), Position(10, 0), walls
    )


# Areas


@given(POINTS, POINTS, POINTS, ANGLES, POINTS, st.sampled_from((1.0, 8.0, 90.0)))
def test_areas_do_not_depend_on_where_the_map_begins(
    apex: Point, end: Point, at: Point, angle: float, aside: Point, size: float
) -> None:
    level = at._replace(elevation=apex.elevation)
    assume(space.distance(apex, end) > 0.1 and space.distance(apex, level) > 0.1)
    turned = [moved(one, angle, aside) for one in (apex, end, level)]
    for width in (size - 0.001, size + 0.001):  # not on the edge itself, where rounding decides
        if space.in_disc(apex, width, level) != space.in_disc(apex, 2 * size - width, level):
            return
    assert space.in_disc(turned[0], size, turned[2]) == space.in_disc(apex, size, level)
    if abs(abs((space.turned(apex, level) - space.turned(apex, end) + 180) % 360 - 180) - size / 2) > 0.01:
        found = space.in_fan(apex, end, size, 500, level)
        assert space.in_fan(turned[0], turned[1], size, 500, turned[2]) == found


def test_a_wedge_is_as_wide_as_its_end_says_and_a_fan_as_its_angle() -> None:
    muzzle, end = Point(0, 0), Point(20, 0)
    assert space.in_wedge(muzzle, end, 10, Point(20, 5))
    assert not space.in_wedge(muzzle, end, 10, Point(20, 5.1))
    assert space.in_wedge(muzzle, end, 10, Point(10, 2.5))
    assert not space.in_wedge(muzzle, end, 10, Point(10, 2.6))
    assert not space.in_wedge(muzzle, end, 10, Point(20.1, 0))
    assert not space.in_wedge(muzzle, end, 10, Point(-1, 0))
    assert space.in_fan(muzzle, end, 90, 30, Point(10, 10))
    assert not space.in_fan(muzzle, end, 90, 30, Point(10, 10.1))
    assert not space.in_fan(muzzle, end, 90, 30, Point(31, 0))
    assert space.in_fan(muzzle, end, 90, 30, Point(0, 0))


def test_a_line_touches_the_bodies_in_it_as_far_as_it_goes() -> None:
    mouth, end = Position(0, 0), Point(3, 4)
    assert space.in_line(mouth, end, 10, Position(6, 8))
    assert not space.in_line(mouth, end, 10, Position(6.1, 8))
    assert space.in_line(mouth, end, 10, Position(3.4, 3.7))
    assert not space.in_line(mouth, end, 10, Position(3.5, 3.6))
    assert space.in_line(mouth, end, 10, Position(3.5, 3.6, 0, 2))
    assert not space.in_line(mouth, end, 10, Position(-3, -4))
    assert not space.in_line(mouth, mouth.point, 10, Position(1, 1))


@given(st.one_of(ZONES, WALLS), FLAT, ANGLES, FLAT)
def test_what_is_inside_stays_inside(area: Area, at: Point, angle: float, aside: Point) -> None:
    edges = () if len(area.points) == 1 else area.edges()
    near_edge = [abs(hypot(at.x - one.x, at.y - one.y) - area.radius) for one in area.points]
    near_edge += [
        abs((b.x - a.x) * (a.y - at.y) - (a.x - at.x) * (b.y - a.y)) / (space.distance(a, b) or inf)
        for a, b in edges
    ]
    assume(min(near_edge) > 0.01)
    assert moved_area(area, angle, aside).contains(moved(at, angle, aside)) == area.contains(at)
    assert not (area.is_wall and area.contains(at))
