"""Rows of people at the table: what opens, damage and healing, conditions, and who is asked about decisions."""

from __future__ import annotations

import re

import pytest
from console_browsers import Table, form_of, said_in
from flask import Flask
from markupsafe import Markup, escape

from fracas.web.console.board import name_of, result_of, track_of

HARMED = {"sr4": ("brick", "physical", 3), "sr5": ("gate-guard", "stun", 3), "cwn": ("wren", "hp", -3)}
"""Somebody of each skirmish, a monitor of theirs, and what 3 points of damage do to its field."""


def opened(table: Table, who: str) -> str:
    """The open part of a row."""
    page = table.part(f"/board?open={who}").text
    return page.partition(f'id="open-{who}"')[2].partition("</li>")[0]


@pytest.mark.parametrize("ruleset", HARMED)
def test_damage_and_healing_of_a_row(app: Flask, ruleset: str) -> None:
    part, track, change = HARMED[ruleset]
    table = Table(app, ruleset, {"sr4": "loading-dock", "sr5": "front-gate", "cwn": "alley"}[ruleset])
    who = next(id for id in table.state.combatants if part in id)
    form = form_of(opened(table, who).partition("</form>")[0], amount="3", track=track)

    def value() -> int:
        view = table.fights.view(table.fights.fight(table.fight), table.gm)
        (one,) = (one for one in view["combatants"] if one["id"] == who)
        return int(next(gauge["value"] for gauge in one["gauges"] if gauge["id"] == track))

    before = value()
    assert table.post("/harm", {**form, "way": "damage"}).status_code == 204
    assert value() == before + change
    assert table.post("/harm", {**form, "way": "heal", "amount": "99", "key": "x"}).status_code == 204
    assert value() == before
    for amount in ("0", "-1", "", "much", "1.5"):
        refused = table.post("/harm", {**form, "way": "damage", "amount": amount})
        assert refused.status_code == 422
        assert "a whole number of 1 or more" in said_in(refused)
    for wrong in ({"track": "nonsense"}, {"combatant": "nobody"}):
        assert table.post("/harm", {**form, "way": "damage", **wrong}).status_code == 422
    assert value() == before


def test_only_the_gm_opens_rows(app: Flask) -> None:
    table = Table(app)
    player = table.invites("player", "vex")
    assert 'aria-label="Physical of Brick"' in table.part("/board").text
    assert 'class="number"' not in player.part("/board").text
    assert "Damage" in opened(table, "brick")
    assert opened(player, "vex") == ""  # type: ignore[arg-type]
    harm = {"combatant": "vex", "track": "physical", "amount": "1", "way": "damage"}
    assert player.post("/harm", harm).status_code == 403


def test_removing_somebody_is_confirmed(app: Flask) -> None:
    """The button that removes lies in a fold of its own, which says what it does."""
    part = opened(Table(app), "brick")
    confirm = part.partition('<details class="confirm"')[2]
    assert "Brick leaves the fight. Undo brings them back." in confirm
    assert 'value="leave"' in confirm
    assert part.count('value="leave"') == 1


def test_who_is_asked(app: Flask) -> None:
    table = Table(app)
    page = table.part("/board").text
    assert "Ask about decisions such as Edge" in said_in(table.part("/board"))
    assert re.search(r'aria-pressed="true">Nobody', page)  # after Play
    when = {"combatant": "vex", "when": "always"}
    assert table.post("/by-hand", {**when, "key": "1"}).status_code == 204
    assert [one.id for one in table.state.combatants.values() if one.asks] == ["vex"]
    page = table.part("/board?open=vex").text
    assert "1 of 5 are asked" in page
    assert 'value="always" checked' in page
    assert 'aria-pressed="true">' not in page.partition('class="asking"')[2]
    assert table.post("/by-hand", {**when, "when": "reactions", "key": "2"}).status_code == 204
    vex = table.state.combatants["vex"]
    assert (vex.asks, vex.asks_reactions) == (False, True)
    for asks, wanted in (("true", True), ("false", False)):
        assert table.post("/asks", {"asks": asks, "key": f"all {asks}"}).status_code == 204
        assert {one.asks for one in table.state.combatants.values()} == {wanted}
        assert table.post("/asks", {"asks": asks, "key": f"again {asks}"}).status_code == 204


def test_all_sides_of_the_track_keep_their_numbers() -> None:
    assert name_of("Unaffiliated Street Thug 12") == ("Unaffiliated Street Thug", "12", "U12")
    view = {"turn": 0, "order": [], "acting": [], "timers": []}
    assert track_of(view, [])["bands"] == []


def test_all_questions_get_their_defaults_at_once(app: Flask) -> None:
    table = Table(app, asks="true")
    asked = table.questions()
    assert len(asked) > 1
    page = table.part("/board")
    assert f"No, to all {len(asked)} questions" in said_in(page)
    assert 'data-measure="acting"' not in page.text  # the answer comes first
    player = table.invites("player", "vex")
    form = {"seen": str(table.version), "key": "all"}
    assert player.post("/defaults", form).status_code == 204
    assert len(table.questions()) >= len(asked) - 1  # only their own
    assert table.post("/defaults", {"seen": "1", "key": "late"}).status_code == 412
    while table.questions():
        again = {"seen": str(table.version), "key": f"gm {table.version}"}
        assert table.post("/defaults", again).status_code == 204
    assert table.state.acting
    assert table.post("/defaults", {"key": "none"}).status_code in (204, 422)


def test_who_joins_in_the_middle_of_a_turn_is_not_done(app: Flask) -> None:
    """They stand behind those who still act, with the turn from which they do."""
    table = Table(app)
    table.until_acting()
    assert table.post("/add", {"name": "Late", "side": "corp"}).status_code == 200
    slots = re.findall(r'class="slot (\w+)[^>]* title="([^"]*)"', table.part("/board").text)
    assert slots[-1] == ("new", "Late")
    assert "from Combat Turn 2" in said_in(table.part("/board"))


def test_a_death_by_the_clock_stands_on_top() -> None:
    """When a turn ends, more may happen than one line tells: who is out comes first."""
    lines = [
        "Wren <1> is no longer Mortally Wounded (its time is over)",
        "Wren <1> is now dead (after Mortally Wounded)",
    ]
    changes = [Markup(escape(line)) for line in lines]
    passage = {"version": 3, "type": "advanced", "undone_by": None, "steps": [], "changes": changes}
    people = {"dov": {"name": "Dov", "out": False}, "wren": {"name": "Wren <1>", "out": True}}
    told = result_of([passage], people)
    assert told is not None
    assert (told["title"], told["verdict"]) == (changes[1], "Down")
    told = result_of([{**passage, "changes": changes[:1]}], people)
    assert told is not None
    assert (told["title"], told["verdict"]) == (changes[0], "")


def test_a_bar_of_injuries_fills_and_one_of_hit_points_empties(app: Flask) -> None:
    """Nobody who is unhurt has anything red, whichever way the game counts."""
    bar = r'<svg class="bar([^"]*)".*?<rect class="now" width="(\d+)".*?<rect class="new".*?width="(\d+)"'
    for ruleset, skirmish, way, full in (
        ("imperium", "underhive", " fills", "0"),
        ("cwn", "alley", "", "100"),
    ):
        found = re.findall(bar, Table(app, ruleset, skirmish).part("/board").text)
        assert set(found) == {(way, full, "0")}
