"""The end of a fight in the console: that it is noticed, and its summary against other ways to count the same."""

from __future__ import annotations

import itertools
import re

import pytest
from console_browsers import Table, form_of, said_in
from flask import Flask

from fracas.encounters.tallying import MOST_DICE, Tally, luck_of, tally

SKIRMISHES = {"sr4": "loading-dock", "sr5": "front-gate", "cwn": "alley", "imperium": "underhive"}


def strikes(table: Table) -> bool:
    """Whoever acts makes the attack that the table has first; whether there is one."""
    board = table.part("/board").text.partition('id="weapons"')[2]
    form = re.search(r'<form hx-post="[^"]*/command".*?</form>', board, re.DOTALL)
    if form is None:
        return False
    assert table.post("/command", form_of(form[0])).status_code == 204
    table.settle()
    return True


def plays(table: Table, attacks: int) -> None:
    """So many attacks, turn by turn, while there is somebody to attack."""
    for _ in range(200):
        who = table.until_acting()
        if attacks and strikes(table):
            attacks -= 1
        elif not attacks:
            return
        if who in table.state.acting and not table.questions():
            table.does("next", combatant=who)
        if table.fights.view(table.fights.fight(table.fight), table.gm)["over"]:
            return


def counted(table: Table) -> Tally:
    fights, fight = table.fights, table.fights.fight(table.fight)
    events = fights.events(table.fight, 0, fight.history.version)
    return tally(fights.game(fight), fights.rules(fight), fight, events, table.gm)


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_a_tally_by_the_log_and_by_the_wounds(app: Flask, ruleset: str) -> None:
    """Attacks as the log tells of them, and damage as it stands on the monitors in the end."""
    table = Table(app, ruleset, SKIRMISHES[ruleset])
    plays(table, 8)
    found = counted(table)
    sentences = re.findall(r"- \*\*\d+\*\* ([^\n]*)", table.get("/log.md").text)
    assert sum(count.attacks for count in found.by.values()) >= 1
    assert len(sentences) >= found.actions
    view = table.fights.view(table.fights.fight(table.fight), table.gm)
    tracks = table.fights.rules(table.fights.fight(table.fight)).tracks
    for one in view["combatants"]:
        marked = 0
        for gauge in one["gauges"]:
            if gauge["harm"] and gauge["most"] and gauge["id"] in tracks and not tracks[gauge["id"]].key:
                marked += gauge["value"] if gauge["fills"] else gauge["most"] - gauge["value"]
        if ruleset in ("sr4", "cwn"):  # in the others wounds also come by themselves, by bleeding say
            assert found.by[one["id"]].taken == marked, one["name"]
    assert sum(count.dealt for count in found.by.values()) <= sum(count.taken for count in found.by.values())
    downed = [id for count in found.by.values() for id in count.downed]
    assert {one["id"] for one in view["combatants"] if one["out"]} >= set(downed)


def test_what_is_undone_does_not_count(app: Flask) -> None:
    table = Table(app)
    table.until_acting()
    before, version = counted(table), table.version
    assert strikes(table)
    after, done = counted(table), table.version - version
    assert sum(count.attacks for count in after.by.values()) == 1
    table.does("undo", to=str(version))
    assert counted(table).by == before.by
    table.does("redo", steps=str(done))
    assert counted(table).by == after.by


@pytest.mark.parametrize(
    "dice", ["1d20 + 4 >= 15", "2d6 - 1 >= 7", "3d6 >= 11", "1d100 <= 60", "2d10 + 3 <= 12"]
)
def test_luck_by_trying_every_throw(dice: str) -> None:
    """The luck of all throws together is none."""
    asked = re.fullmatch(r"(\d)d(\d+)(?: ([+-]) (\d))? ([<>]=) (\d+)", dice)
    assert asked
    count, sides, goal = int(asked[1]), int(asked[2]), int(asked[6])
    more = int(f"{asked[3]}{asked[4]}") if asked[3] else 0
    luck = 0.0
    for faces in itertools.product(range(1, sides + 1), repeat=count):
        total = sum(faces) + more
        found = luck_of(dice, {"total": total, "meets": total >= goal if asked[5] == ">=" else total <= goal})
        assert found is not None
        luck += found
    assert luck == pytest.approx(0, abs=1e-3)


def test_luck_of_dice_that_are_no_test() -> None:
    assert luck_of("2d10 + 4", {"rolled": 13}) is None
    assert luck_of(f"{MOST_DICE + 1}d6 >= 40", {"meets": True}) is None
    assert luck_of("6d6! >= 5", {"hits": 3}) == pytest.approx(3 - 6 / 3 * 6 / 5)


def test_the_end_is_noticed_and_offered(app: Flask) -> None:
    table = Table(app)
    table.until_acting()
    assert "out of the fight" not in said_in(table.part("/board"))
    for number, who in enumerate(id for id, one in table.state.combatants.items() if one.side == "corp"):
        harm = {"combatant": who, "track": "physical", "amount": "15", "way": "damage", "key": str(number)}
        assert table.post("/harm", harm).status_code == 204
    board = said_in(table.part("/board"))
    assert "All of the corp are out of the fight. Summary End fight" in board
    targets = re.findall(r'name="aim"[^>]*value="([^"]+)"', table.part("/board").text)
    assert {table.state.combatants[id].side for id in targets[:3]} == {"corp"}  # and no friend before them
    for part in ("/board", "/people", "/summary"):
        assert "This cannot be undone" in table.part(part).text
    page = said_in(table.get("/summary"))
    assert "Won by the runners in Combat Turn 1" in page
    assert "Keep fighting" in page
    player = table.invites("player", "vex")
    assert player.get("/summary").status_code == 403
    table.does("close")
    assert 'hx-trigger="load"' in table.part("/board").text
    for viewer in (table, player):
        part = said_in(viewer.part("/summary"))
        assert "The fight is over" in part
        assert "End fight" not in part
        for words in (
            "Attacks hit",
            "Damage dealt",
            "Damage taken",
            "Dice luck",
            "Open log",
            "Verify every die",
        ):
            assert words in part


def test_the_log_has_the_luck_of_each(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting()
    player = table.invites("player", who)
    assert 'hx-get="' + table.path + '/luck"' in table.get("/log").text
    assert "No dice have fallen" in table.part("/luck").text or "Dice luck" in table.part("/luck").text
    assert strikes(table)
    lucky = table.part("/luck").text
    rows = re.findall(r'<th scope="row">.*?</i>(.*?)</span></th><td>.*?>([+−]?[\d.]+)</span></td>', lucky)
    assert table.state.combatants[who].name in dict(rows)
    summary = table.part("/summary").text
    for name, luck in rows:
        assert re.search(rf"{name}</span></th>.*?>{re.escape(luck)}</span>", summary, re.S)
    assert "luck-title" not in player.get("/log").text
    assert player.part("/luck").status_code == 403
    table.does("close")
    assert player.part("/luck").text == lucky
