"""The map of the console without a browser: what is sent from it, and who may."""

from __future__ import annotations

import re

import pytest
from console_browsers import Table, said_in
from flask import Flask

from fracas.space import Point
from fracas.web.console.map_drawing import LEAST, WIDTH, Box, Frame, rings_of

GAMES = {"sr4": "loading-dock", "sr5": "front-gate", "cwn": "alley", "imperium": "underhive"}


@pytest.mark.parametrize("ruleset", GAMES)
def test_people_are_placed_and_the_one_who_acts_moves_by_the_rules(app: Flask, ruleset: str) -> None:
    table = Table(app, ruleset, GAMES[ruleset])
    assert "Nobody stands on the map yet" in table.get("/map").text
    assert table.post("/map/place", {"key": "all"}).status_code == 204
    assert all(one.position is not None for one in table.state.combatants.values())
    names = [one.name for one in table.state.combatants.values()]
    board = said_in(table.part("/board"))
    assert re.search(rf"{re.escape(names[0])}.*{re.escape(names[-1])} are placed on the map", board)
    assert "is placed on the map" not in board
    who = table.until_acting()
    at = table.state.combatants[who].position
    assert at is not None
    near = {"combatant": who, "x": str(at.x + 1), "y": str(at.y), "key": "near"}
    assert table.post("/map/move", near).status_code == 204
    moved = table.state.combatants[who].position
    assert moved is not None
    assert (moved.x, moved.y) == (at.x + 1, at.y)
    far = table.post("/map/move", {"combatant": who, "x": "900", "y": "0", "key": "far"})
    assert far.status_code == 409
    unit = "yd" if ruleset == "imperium" else "m"
    assert f"{unit} more in this" in said_in(far)
    page = table.get("/map").text
    assert re.search(rf"can move [\d.]+ {unit} more", said_in(table.get("/map")))
    assert f'data-token="{who}"' in page
    assert "–" in page or "m away" in page


def test_the_gm_moves_others_and_draws_walls(app: Flask) -> None:
    table = Table(app, "sr4", GAMES["sr4"])
    table.post("/map/place", {"key": "all"})
    who = table.until_acting()
    other = next(id for id in table.state.combatants if id not in table.state.acting)
    assert table.post("/map/move", {"combatant": other, "x": "70", "y": "7", "key": "a"}).status_code == 204
    assert (
        table.post("/map/move", {"combatant": who, "x": "80", "y": "7", "free": "1", "key": "b"}).status_code
        == 204
    )
    wall = {"x1": "1", "y1": "1", "x2": "1", "y2": "9", "height": "1.5", "key": "c"}
    assert table.post("/map/wall", wall).status_code == 204
    assert table.state.areas["wall-1"].height == 1.5
    assert "Remove Wall 1" in table.get("/map/part").text
    assert table.post("/map/wall", {"remove": "wall-1", "key": "d"}).status_code == 204
    assert table.state.areas == {}
    assert table.post("/map/nothing", {"key": "e"}).status_code == 422
    assert table.post("/map/move", {"combatant": who, "x": "here", "y": "7", "key": "f"}).status_code == 422


def test_how_high_people_stand_and_where_they_look(app: Flask) -> None:
    """Both by the GM; where people look only in a game that asks from where a blow comes."""
    table = Table(app, "imperium", GAMES["imperium"])
    table.post("/map/place", {"key": "all"})
    who = table.until_acting()
    stands = {"combatant": who, "elevation": "2.5", "facing": "90", "key": "a"}
    assert table.post("/map/stand", stands).status_code == 204
    position = table.state.combatants[who].position
    assert position is not None
    assert (position.elevation, position.facing) == (2.5, 90)
    page = table.get("/map/part").text
    assert "2.5 m up" in page
    assert 'class="looks"' in page
    assert table.post("/map/stand", {**stands, "facing": "", "key": "b"}).status_code == 204
    position = table.state.combatants[who].position
    assert position is not None
    assert position.facing is None
    assert "Looks towards" in page
    assert table.post("/map/stand", {**stands, "combatant": "nobody"}).status_code == 422


def test_the_map_follows_the_acting_combatant_and_asks_what_the_table_asks(app: Flask) -> None:
    table = Table(app, "sr5", GAMES["sr5"])
    table.post("/map/place", {"key": "all"})
    who = table.until_acting()
    other = next(id for id in table.state.combatants if id not in table.state.acting)
    chosen = f"/map/part?who={other}&acts={'%20'.join(table.state.acting)}"
    assert f'value="{other}" selected' in table.get(chosen).text
    table.does("next", combatant=who)
    following = table.until_acting()
    assert following != who
    assert f'value="{following}" selected' in table.get(chosen).text
    while table.state.acting:
        table.does("next", combatant=table.state.acting[0])
    assert "Next Combat Turn" in table.get("/map").text
    assert table.post("/asks", {"asks": "true", "key": "asks"}).status_code == 204
    table.does("begin-turn")
    asked = table.fights.view(table.fights.fight(table.fight), table.gm)["steps"][0]["question"]["text"]
    assert asked in said_in(table.get("/map"))


def test_only_who_plays_a_combatant_sees_how_far_they_reach(app: Flask) -> None:
    table = Table(app, "sr4", GAMES["sr4"])
    table.post("/map/place", {"key": "all"})
    player = table.invites("player", "vex")
    assert "Looks towards" not in table.get("/map/part").text
    assert "<circle" in player.part("/map/rings?who=vex").text
    assert player.get("/map/rings?who=brick").status_code == 403
    assert "<circle" in table.part("/map/rings?who=brick").text


def test_a_frame_has_everybody_in_it() -> None:
    for points in ([], [Point(0, 0)], [Point(-300, 40), Point(500, 90)], [Point(0, 0), Point(1, 900)]):
        frame = Frame.of(points)
        assert frame.width >= LEAST[0]
        for point in points:
            x, y = frame.at(point)
            assert 0 <= x <= WIDTH * 1.01
            assert 0 <= y <= frame.height * frame.scale * 1.01
        assert frame.square * frame.scale >= 20 or not points
        assert len(frame.lines()["x"]) < 50


def test_names_of_circles_lie_on_nothing_else() -> None:
    """Ten combatants close to each other, with long names, and six circles around one of them."""
    at = [Point(x, y) for x in (0, 3, 6, 9, 12) for y in (0, 2)]
    frame = Frame.of(at)
    pieces = []
    for number, point in enumerate(at):
        position = {"x": point.x, "y": point.y, "elevation": 0}
        x, y = frame.at(point)
        one = {"name": f"Shift captain {number}", "position": position}
        pieces.append({"x": x, "y": y, "half": 15.0, "one": one})
    bands = [{"label": label, "until": metres} for label, metres in (("Short", 5), ("Medium", 15))]
    ways = [{"label": label, "metres": metres} for label, metres in (("Walk", 5), ("Run", 12))]
    around = {"movement": {"left": 2, "ways": ways}, "bands": bands, "reach": 3}
    found = list(rings_of(frame, pieces[0]["one"], around, pieces))
    assert [ring["label"] for ring in found] == [
        *("Move 2 m", "Reach 3 m", "Walk 5 m", "Short range 5 m", "Run 12 m", "Medium range 15 m")
    ]
    named = [Box.of_name(*ring["at"], ring["label"]) for ring in found if ring["at"]]
    assert len(named) == len(found)
    tokens = [Box(p["x"] - 15, p["y"] - 15, p["x"] + 15, p["y"] + 15) for p in pieces]
    tags = [Box.of_name(p["x"], p["y"] + 31, p["one"]["name"]) for p in pieces]
    for number, name in enumerate(named):
        assert not any(name.overlaps(other) for other in (*tokens, *tags, *named[:number]))
