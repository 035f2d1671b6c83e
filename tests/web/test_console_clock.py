"""What runs down by itself, as the table shows it, the ticks of the timeline, and weapons that cannot be used now."""

from __future__ import annotations

import re

import pytest
from console_browsers import Table, form_of, said_in
from flask import Flask


def line_of(table: Table) -> str:
    """The strip of what happens by the clock, as people read it."""
    board = table.part("/board").text
    strip = re.search(
        r'<section class="stack tight" aria-label="What happens by the clock".*?</section>', board, re.S
    )
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", strip[0])).strip() if strip else ""


@pytest.mark.parametrize(
    ("ruleset", "skirmish", "who", "condition", "said"),
    [
        ("cwn", "alley", "wren-gunhand", "mortally-wounded", "Wren, gunhand : Mortally Wounded, dead at the end of"),
        ("sr4", "loading-dock", "brick", "burning", "Brick : Burning at the beginning of Combat Turn 2"),
        ("sr5", "front-gate", "gate-guard-1", "dying", "Gate guard 1 : Dying"),
        ("imperium", "underhive", "hive-guard", "suffering", "Hive guard : Suffers from injuries after their"),
    ],
)  # fmt: skip
def test_who_dies_and_when_stands_above_what_can_be_done(
    app: Flask, ruleset: str, skirmish: str, who: str, condition: str, said: str
) -> None:
    table = Table(app, ruleset, skirmish)
    table.until_acting()
    assert line_of(table) == ""
    assert table.post("/by-hand", {"combatant": who, "add": condition}).status_code == 204
    assert line_of(table).startswith(said), line_of(table)
    assert table.post("/by-hand", {"combatant": who, "remove": condition}).status_code == 204
    assert line_of(table) == ""


def test_what_stops_it_is_one_click_for_the_one_who_acts(app: Flask) -> None:
    table = Table(app, "cwn", "alley")
    helper = table.until_acting("wren-gunhand", "dov-blade")
    other = {"wren-gunhand": "dov-blade", "dov-blade": "wren-gunhand"}[helper]
    table.post("/by-hand", {"combatant": other, "add": "mortally-wounded"})
    found = re.search(
        rf'/action\?combatant={helper}&action=(stabilize[a-z-]*)&target={other}"', table.part("/board").text
    )
    assert found
    action_form = table.part(f"/action?combatant={helper}&action={found[1]}&target={other}")
    assert f'name="target" value="{other}" checked' in action_form.text
    table.post("/by-hand", {"combatant": other, "remove": "mortally-wounded", "add": "dead", "key": "dead"})
    assert line_of(table) == ""  # it is too late


def test_players_are_not_shown_what_runs_down_for_those_they_do_not_see(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting()
    table.post("/by-hand", {"combatant": "brick", "add": "burning"})
    guest = table.invites("player", who)
    assert "Burning at the beginning" in guest.part("/board").text
    table.post("/by-hand", {"combatant": "brick", "hidden": "true", "key": "hide"})
    assert "Burning" not in guest.part("/board").text


def ticks(table: Table) -> list[tuple[str, str]]:
    """The side and the kind of each tick."""
    answer = table.part("/ticks")
    assert answer.status_code == 200, said_in(answer)
    return re.findall(r'<i(?: data-side="(\d)")?(?: class="(\w+)")?></i>', answer.text)


def test_each_action_that_counts_is_a_tick_of_its_side(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting()
    assert ticks(table) == [("", "turn")]
    side = {"runners": "1", "corp": "2"}[table.state.combatants[who].side]
    before = table.version
    board = table.part("/board").text
    attack = re.search(
        r'<form hx-post="[^"]*/command".*?</form>', board.partition('id="weapons"')[2], re.DOTALL
    )
    assert attack
    assert table.post("/command", form_of(attack[0])).status_code == 204
    table.settle()
    hurt = any(one.sheet.get("physical") or one.sheet.get("stun") for one in table.state.combatants.values())
    (_, found) = ticks(table)
    assert found[0] == side
    assert found[1] in (("hurt", "kill") if hurt else ("",))
    table.does("undo", to=str(before))
    assert ticks(table) == [("", "turn")]
    table.does("redo", steps="1")
    assert ticks(table)[1][0] == side


def test_ticks_are_for_those_who_may_look_back(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting()
    assert table.invites("player", who).part("/ticks").status_code == 403


@pytest.mark.parametrize(
    ("ruleset", "skirmish", "said"),
    [
        ("cwn", "alley", "Main Actions spent"),
        ("imperium", "underhive", "Actions spent"),
        ("sr4", "loading-dock", "Simple Actions spent"),
        ("sr5", "front-gate", "Simple Actions spent"),
    ],
)
def test_a_weapon_that_cannot_be_used_now_stands_there_with_the_reason(
    app: Flask, ruleset: str, skirmish: str, said: str
) -> None:
    table = Table(app, ruleset, skirmish)
    for _ in range(12):
        who = table.until_acting()
        board = table.part("/board").text
        greyed = re.findall(
            r'<button type="button" class="weapon" aria-disabled="true">.*?</button>', board, re.S
        )
        if any(said in one for one in greyed):
            offered = re.findall(
                r'<form hx-post="[^"]*/command".*?</form>', board.partition('id="weapons"')[2], re.S
            )
            held = [one for one in table.state.combatants[who].items.values() if one.get("ready")]
            assert len(greyed) <= len(held)
            assert not any(said in one for one in offered)
            return
        attack = re.search(
            r'<form hx-post="[^"]*/command".*?</form>', board.partition('id="weapons"')[2], re.S
        )
        if attack and 'value="act"' in attack[0]:
            table.post("/command", form_of(attack[0]))
        else:
            table.does("next", combatant=who)
    raise AssertionError("every weapon can be used for ever")


def test_an_empty_gun_says_so(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting("rook", "vex")
    gun = next(name for name, known in table.state.combatants[who].items.items() if known.get("ready"))
    table.fights.command(
        table.fight, table.gm, {"command": "set", "combatant": who, "items": {gun: {"rounds": 0}}}
    )
    board = table.part("/board").text
    greyed = re.findall(
        r'<button type="button" class="weapon" aria-disabled="true">(.*?)</button>', board, re.S
    )
    assert len(greyed) == 1
    assert "spent" not in greyed[0]
