"""What a plain game makes of positions without a word of its own: fields that procedures share are filled in."""

from __future__ import annotations

from typing import Any

import pytest

from fracas.kernel import fields as kit
from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.placing import FAN, WEDGE, Placing, SpaceRules, Spread, Unit, in_force
from fracas.kernel.scattering import BEARING, FROM_BLAST, FROM_SPOT
from fracas.kernel.turns import TurnRules
from fracas.space import Area, Point, Position

SHOT = kit.vocabulary(
    kit.person("archer", "Archer"),
    kit.person("target", "Target"),
    kit.fields("archer", in_cover=kit.flag("In cover"), superior_position=kit.flag("Higher")),
    kit.fields("target", cover=kit.choice("Cover", choices=("none", "wall"))),
    kit.fields("", distance=kit.number("Distance", most=1000), light=kit.choice("Light", choices=("dim",))),
)
BOMB = kit.vocabulary(
    kit.person("thrower", "Thrower"),
    kit.person("target", "Target"),
    kit.person("victim_1", "Victim"),
    kit.fields("target", "victim_1", blast_distance=FROM_BLAST, spot_distance=FROM_SPOT, bearing=BEARING),
    kit.fields(
        "",
        aim=kit.choice("Aim", choices=("place", "goes-off")),
        distance=kit.number("Distance", most=1000),
    ),
)


class Feet(TurnRules):
    unit = Unit("ft", 0.3048)
    cover_words = ((0.5, "wall"),)


def somebody(id: str, *at: float, **more: Any) -> Participant:
    position = Position(*at, **more) if at else None
    return Participant(id, id.title(), "all", False, {}, position=position)


def step(*people: Participant, situation: Any = None, **areas: Area) -> StepContext:
    """The first does something to the second, the third is beside them."""
    table = Table(1, 1, {one.id: one for one in people}, areas=areas)
    others = {"victim_1": people[2]} if len(people) > 2 else {}
    return StepContext(table, people[0], people[1], "shot", situation or {}, others)


def placed(rules: SpaceRules, found: StepContext, vocabulary: Any = SHOT, **placing: Any) -> Any:
    return rules.placed(found, Placing(**placing), vocabulary)


ANN, BOB, CAT = somebody("ann", 0, 0), somebody("bob", 30.48, 0), somebody("cat", 30.48, 6.096)


def test_a_distance_is_filled_in_in_the_unit_of_the_game() -> None:
    assert placed(TurnRules(), step(ANN, BOB)) == {"distance": 30.48}
    assert placed(Feet(), step(ANN, BOB)) == {"distance": 100}


def test_of_those_who_are_nowhere_nothing_is_said() -> None:
    assert placed(TurnRules(), step(somebody("ann"), BOB)) == {}
    assert placed(TurnRules(), step(ANN, somebody("bob"))) == {}


def test_higher_ground_and_walls_say_what_the_game_has_words_for() -> None:
    wall = Area("Wall", (Point(30, -5), Point(30, 5)))
    assert placed(TurnRules(), step(ANN, BOB, wall=wall)) == {"distance": 30.48}
    found = placed(Feet(), step(somebody("ann", 0, 0, 2), BOB, wall=wall))
    assert found["target"] == {"cover": "wall"}
    assert found["archer"] == {"in_cover": True, "superior_position": True}
    low = placed(Feet(), step(somebody("ann", 0, 0, -0.2), BOB))
    assert low["archer"] == {"superior_position": False}


def test_zones_say_it_where_the_procedure_reads_it() -> None:
    night = Area("Night", (Point(15, 0),), 5, across={"light": "dim", "fog": "thick"})
    odd = Area("Odd", (Point(30, 0),), 5, inside={"cover": "feathers"})
    assert placed(TurnRules(), step(ANN, BOB, night=night, odd=odd)) == {"distance": 30.48, "light": "dim"}


def test_people_around_a_spot_have_their_distance_and_bearing() -> None:
    found = placed(TurnRules(), step(ANN, BOB, CAT), BOMB, spot=Point(30.48, 3.048))
    assert found["aim"] == "place"
    assert found["victim_1"]["spot_distance"] == pytest.approx(3.05)
    assert set(found["target"]) == {"spot_distance", "bearing"}


def test_what_lies_there_has_measured_distances() -> None:
    found = placed(
        TurnRules(), step(ANN, BOB, CAT, situation={"aim": "goes-off"}), BOMB, spot=Point(30.48, 0)
    )
    assert found == {"target": {"blast_distance": 0}, "victim_1": {"blast_distance": pytest.approx(6.1)}}


def test_areas_end_with_the_condition_of_those_who_keep_them() -> None:
    fire = Area("Fire", (Point(0, 0),), 5, by="ann", during="firing")
    firing = ANN._replace(conditions=frozenset(("firing",)))
    assert in_force(step(ANN, BOB, fire=fire).table) == {}
    assert in_force(step(firing, BOB, fire=fire).table) == {"fire": fire}


def test_spreads_have_those_who_may_be_reached() -> None:
    eye, spot = Position(0, 0), Point(10, 0)
    assert Spread(reach=2, scatter=1).has(None, spot, Position(13, 0))
    assert not Spread(reach=2, scatter=0.5).has(None, spot, Position(13, 0))
    assert Spread().has(None, spot, Position(900, 0))
    assert Spread(WEDGE, width=10).has(eye, spot, Position(10, 5))
    assert not Spread(WEDGE, width=10).has(None, spot, Position(10, 5))
    assert Spread(FAN, 30, width=90).has(eye, spot, Position(20, 20))
    assert not Spread(FAN, 30, width=90).has(eye, spot, Position(20, 21))
    corners = Spread(WEDGE, width=10).corners(eye, spot)
    assert corners == (Point(0, 0), Point(10, 5), Point(10, -5))
