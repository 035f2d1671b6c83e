"""Where combatants are: placed, moved, undone, told, kept in a log; and the walls and zones of the map."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sr4_phases import join
from table_play import OpenTable, Table

from fracas.encounters import fold
from fracas.encounters.audit import verify
from fracas.encounters.events import loads
from fracas.encounters.log import log_json, log_markdown
from fracas.encounters.state import state_of, to_json
from fracas.encounters.views import event_seen
from fracas.errors import ForbiddenError, InputError
from fracas.space import Area, Point, Position

MUD = {"label": "Mud", "points": [{"x": 5, "y": 0}], "radius": 2, "factor": 2}
WALL = {"label": "Gate wall", "points": [{"x": 3, "y": -5}, {"x": 3, "y": 5}], "height": 1.2}
SMOKE = {
    "label": "Smoke",
    "points": [{"x": 0, "y": 0}, {"x": 9, "y": 0}, {"x": 0, "y": 9}],
    "across": {"visibility": ["light-fog"]},
    "inside": {"cover": "partial"},
}


@pytest.fixture
def fight(open_table: OpenTable) -> Table:
    """The turn of `me`, who stands at the corner of the map; `foe` is nowhere yet."""
    table = open_table()
    join(table, "me", position={"x": 0, "y": 0})
    join(table, "foe")
    table.begin(me={"hits": 5}, foe={"hits": 1})
    return table


def lines(table: Table, viewer: Any = None) -> list[str]:
    """What the newest event says in sentences."""
    event = table.encounters.events(table.id)[-1]
    glossary = table.encounters.glossary(table.fight)
    return [line["text"] for line in event_seen(event, viewer or table.gm, table.state, glossary)["lines"]]


def test_nobody_is_anywhere_unless_it_is_said(fight: Table) -> None:
    assert fight.one("foe").position is None
    assert "position" not in to_json(fight.one("foe"))
    assert "areas" not in to_json(fight.state)
    assert fight.shown("foe")["position"] is None


def test_many_are_placed_in_one_event_and_taken_back_together(fight: Table) -> None:
    before, version = fight.state, fight.fight.history.version
    fight.do(
        "place", positions={"me": {"x": 1, "y": 2.1234}, "foe": {"x": 9, "y": 2, "elevation": 3, "size": 2}}
    )
    assert fight.fight.history.version == version + 1
    assert fight.one("me").position == Position(1, 2.123)
    assert fight.one("foe").position == Position(9, 2, 3, 2)
    assert fight.shown("foe")["position"] == {"x": 9, "y": 2, "elevation": 3, "size": 2, "facing": None}
    assert lines(fight) == ["me moves 2.35 m (set by hand)", "foe is placed on the map"]
    fight.do("undo")
    assert fight.state == before
    fight.do("redo")
    fight.do("place", positions={"foe": None, "me": {"x": 1, "y": 2.123, "facing": 90}})
    assert fight.one("foe").position is None
    assert fight.one("me").position == Position(1, 2.123, facing=90)
    assert lines(fight) == ["foe is off the map"]


def test_what_is_left_out_stays_as_it_was(fight: Table) -> None:
    fight.do("place", positions={"me": {"x": 1, "y": 2, "elevation": 4, "size": 3, "facing": 10}})
    fight.do("place", positions={"me": {"x": 5, "y": 6}})
    assert fight.one("me").position == Position(5, 6, 4, 3, 10)


def test_who_moves_is_told_with_the_metres_of_the_way(fight: Table) -> None:
    fight.do("map", areas={"mud": MUD})
    way = {"x": 3, "y": 4, "via": [{"x": 3, "y": 0}]}
    event = fight.do("move", moves={"me": way}, force=True)
    assert event.data["moves"]["me"]["metres"] == 7
    assert lines(fight) == ["me moves 7 m"]
    fight.do("move", moves={"me": {"x": 3, "y": 0, "elevation": 0}}, force=True)
    fight.do("move", moves={"me": {"x": 6, "y": 0}}, force=True)
    assert fight.fight.changes[0]["metres"] == 3
    used = fight.one("me").used
    assert used == {"pass:metres:moved": 1700}
    assert "difficult ground, it takes 6 m" in log_markdown(fight.encounters, fight.id, fight.gm)
    fight.do("undo", steps=3)
    assert fight.one("me").used == {}


def test_elevation_is_told(fight: Table) -> None:
    fight.do("move", moves={"me": {"x": 3, "y": 0, "elevation": 4}}, force=True)
    assert lines(fight) == ["me moves 5 m, to 4 m above the ground"]


def test_walls_and_zones_come_and_go(fight: Table) -> None:
    fight.do("map", areas={"wall": WALL, "smoke": SMOKE, "mud": MUD})
    assert fight.state.areas["wall"] == Area("Gate wall", (Point(3, -5), Point(3, 5)), height=1.2)
    shown = fight.view(fight.observer)["areas"]
    assert shown["mud"]["factor"] == 2
    assert shown["smoke"]["across"] == {"visibility": ["light-fog"]}
    fight.do("map", areas={"wall": {**WALL, "height": None}, "mud": None})
    assert list(fight.state.areas) == ["smoke", "wall"]
    text = log_markdown(fight.encounters, fight.id, fight.gm)
    assert "Mud is removed" in text
    assert "Gate wall is another" in text
    fight.do("undo", steps=2)
    assert fight.state.areas == {}


@pytest.mark.parametrize(
    ("command", "fields", "path", "code"),
    [
        ("place", {"positions": {"nobody": {"x": 1, "y": 1}}}, "positions.nobody", "unknown-combatant"),
        ("place", {"positions": {}}, "positions", "invalid"),
        ("place", {"positions": {"me": {"x": "1", "y": 1}}}, "positions.me.x", "invalid"),
        ("place", {"positions": {"me": {"x": 1e9, "y": 1}}}, "positions.me.x", "invalid"),
        ("move", {"moves": {"me": {"x": 1}}}, "moves.me.y", "invalid"),
        ("move", {"moves": {"me": {"x": 1, "y": 1, "zz": 1}}}, "moves.me.zz", "unknown-field"),
        ("map", {"areas": {"nothing": None}}, "areas.nothing", "unknown-area"),
        ("map", {"areas": {"disc": {"points": [{"x": 1, "y": 1}]}}}, "areas.disc.radius", "missing-field"),
        ("map", {"areas": {"w": {**WALL, "factor": 2}}}, "areas.w.factor", "unknown-field"),
        ("map", {"areas": {"w": {**WALL, "inside": {"cover": "good"}}}}, "areas.w.inside", "unknown-field"),
        ("map", {"areas": {"m": {**MUD, "cover": 0.5}}}, "areas.m.cover", "unknown-field"),
        (
            "map",
            {"areas": {"m": {**MUD, "inside": {"kover": "good"}}}},
            "areas.m.inside.kover",
            "unknown-field",
        ),
        (
            "map",
            {"areas": {"m": {**MUD, "inside": {"cover": "thick"}}}},
            "areas.m.inside.cover",
            "wrong-value",
        ),
    ],
)
def test_what_is_wrong_is_named(fight: Table, command: str, fields: Any, path: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        fight.do(command, **fields)
    (problem,) = caught.value.problems
    assert (problem.path, code in ("invalid", problem.code)) == (path, True)


def test_who_may_say_where_somebody_is(fight: Table) -> None:
    mine = fight.player("me")
    with pytest.raises(ForbiddenError):
        fight.do("place", mine, positions={"me": {"x": 1, "y": 1}})
    with pytest.raises(ForbiddenError):
        fight.do("map", mine, areas={"mud": MUD})
    with pytest.raises(ForbiddenError):
        fight.do("move", mine, moves={"foe": {"x": 1, "y": 1}})
    with pytest.raises(ForbiddenError):
        fight.do("move", mine, moves={"me": {"x": 99, "y": 1}}, force=True)
    fight.act("me", "walk", by=mine, to={"x": 1, "y": 1})
    fight.do("move", mine, moves={"me": {"x": 2, "y": 1}})
    assert fight.refused("move", moves={"foe": {"x": 1, "y": 1}})[0][0] == "no-position"


def test_before_the_first_turn_nobody_moves_by_the_rules(tmp_path: Path) -> None:
    table = Table(tmp_path)
    join(table, "me", position={"x": 0, "y": 0})
    assert table.refused("move", moves={"me": {"x": 1, "y": 1}})[0][0] == "not-begun"
    table.do("place", positions={"me": {"x": 1, "y": 1}})
    table.close()


def test_others_do_not_see_where_the_hidden_are(fight: Table) -> None:
    join(fight, "lurker", hidden=True, position={"x": 12341, "y": 1})
    hidden = fight.do("place", positions={"lurker": {"x": 12342, "y": 1}})
    mixed = fight.do("place", positions={"lurker": {"x": 12343, "y": 1}, "foe": {"x": 2, "y": 2}})
    assert hidden.hidden
    assert not mixed.hidden
    for viewer in (fight.observer, fight.player("me")):
        text = fight.all_that_is_told(viewer)
        assert not any(word in text for word in ("lurker", "12341", "12342", "12343"))
        assert lines(fight, viewer) == ["foe is placed on the map"]


def test_a_fight_with_positions_is_kept_and_proved(fight: Table) -> None:
    fight.do("map", areas={"wall": WALL, "smoke": SMOKE})
    fight.do("place", positions={"foe": {"x": 8, "y": 0, "elevation": 1.5}})
    fight.do("move", moves={"me": {"x": 2, "y": 0}}, force=True)
    events = fight.encounters.events(fight.id)
    assert fold.fold(fight.encounters.rules(fight.fight), events) == fight.state
    assert state_of(loads(json.dumps(to_json(fight.state)))) == fight.state
    assert fight.opened_again().fight(fight.id).state == fight.state
    fight.do("close")
    report = verify(log_json(fight.encounters, fight.id, fight.gm))
    assert report.ok, str(report.first_difference)
