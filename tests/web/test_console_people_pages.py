"""The page of people without a browser: they join in a line or from pasted text, and are edited on their rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
import segno
from console_browsers import Table, form_of, said_in
from flask import Flask

from fracas.encounters.newcomers import basics_of
from fracas.encounters.sheets import sheet_of
from fracas.kernel.newcomers import lacking
from fracas.web.console import board
from fracas.web.console.people import is_person
from fracas.web.console.start import when
from fracas.web.public_address import is_loopback

GAMES = ("sr4", "sr5", "cwn", "imperium")


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app)


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_name_is_enough_and_the_fight_begins(app: Flask, ruleset: str) -> None:
    """What a form leaves empty never stops the fight later: initiative is rolled, and somebody acts."""
    table = Table(app, ruleset, "")
    for name, count in (("Ann", "1"), ("Thug", "2")):
        answer = table.post("/add", {"name": name, "count": count, "side": name})
        assert answer.status_code == 200, said_in(answer)
    assert [one.name for one in table.state.combatants.values()] == ["Ann", "Thug 1", "Thug 2"]
    assert "The rules ask for it" not in table.get("/people").text
    table.does("begin-turn")
    assert table.until_acting()


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_form_of_one_line_has_what_the_rules_most_want(app: Flask, ruleset: str) -> None:
    table = Table(app, ruleset, "")
    page = table.get("/people").text
    form = form_of(page[page.index("/add") :].partition("</form>")[0])
    asked = [name for name in form if name.startswith("basic.")]
    assert 1 <= len(asked) <= 3
    weapon = table.fights.games.game(ruleset).packs.entries("weapon")[0]
    said = {"name": "Boss", "weapon": weapon.label, "whose": "hidden", **dict.fromkeys(asked, "7")}
    assert table.post("/add", said).status_code == 200
    (boss,) = table.state.combatants.values()
    assert (boss.hidden, boss.player, list(boss.items)) == (True, False, [weapon.slug])
    assert sum(value == 7 for value in boss.sheet.values()) >= len(asked)


def test_who_comes_later_gets_the_next_number(table: Table) -> None:
    assert "Guard 3, Guard 4 joined" in said_in(table.post("/add", {"name": "Guard", "count": "2"}))
    assert "Brick 2 joined" in said_in(table.post("/add", {"use": "brick", "whose": "player"}))
    assert list(table.state.combatants.values())[-1].player
    assert "Guard 5 joined" in said_in(table.post("/add", {"name": "Guard"}))  # one alone, too
    assert table.post("/command", {"command": "join", "combatant": "guard"}).status_code < 300
    assert [*table.state.combatants.values()][-1].name == "Guard 6"


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ({}, "give the new combatant a name"),
        ({"name": " "}, "give the new combatant a name"),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"name": "Ann", "count": "21"}, "1 to 20 is expected"),
        ({"name": "Ann", "count": "many"}, "1 to 20 is expected"),
        ({"name": "Ann", "weapon": "Katanna"}, "did you mean 'Katana'?"),
        ({"name": "Ann", "basic.0": "much"}, "Body: a whole number is expected"),
        ({"name": "Ann", "basic.0": "99"}, "Body: "),
        ({"name": "A\x00n"}, "NUL"),
        ({"use": "gard"}, "guard"),
    ],
)
def test_who_cannot_join(table: Table, said: Mapping[str, str], word: str) -> None:
    before = table.state
    answer = table.post("/add", said)
    assert answer.status_code == 422
    assert word in said_in(answer)
    assert table.state == before


def test_pasted_text_is_previewed_with_fields_for_what_is_missing(table: Table) -> None:
    text = "Name,Body,Weapon\nNightjar,3,Katana\nOrk x2,6,Clubb"
    told = table.post("/load", {"text": text})
    assert "Left out: Weapon: Clubb (did you mean 'Club'?)" in said_in(told)
    assert "Add 3 combatants" in said_in(told)
    form = form_of(told.text)
    assert "fill.0.intuition" in form
    before = table.version
    told = table.post(
        "/load", {"text": text, "join": "true", "side": "gang", **form, "fill.0.intuition": "6"}
    )
    assert "3 combatants joined: Nightjar, Ork 1, Ork 2." in said_in(told)
    assert table.version == before + 3
    nightjar, *orks = list(table.state.combatants.values())[-3:]
    assert (nightjar.sheet["intuition"], nightjar.sheet["agility"], nightjar.side) == (6, 3, "gang")
    assert [ork.player for ork in orks] == [False, False]


def test_faults_of_pasted_text_have_their_line_and_the_label_of_the_field(app: Flask) -> None:
    table = Table(app, "imperium", "")
    answer = table.post("/load", {"text": "Name,BS\nAnn,30\nBob,much\nCyd,5000", "join": "true"})
    assert answer.status_code == 422
    assert "line 3: Ballistic skill: a whole number is expected, not 'much'" in said_in(answer)
    assert "line 4: Ballistic skill: " in said_in(answer)
    assert not table.state.combatants


def test_the_example_of_the_box_can_be_added(app: Flask) -> None:
    for ruleset in GAMES:
        table = Table(app, ruleset, "")
        page = table.get("/people").text
        (example,) = re.findall(r'<textarea id="box"[^>]*placeholder="([^"]*)"', page)
        told = table.post("/load", {"text": example, "join": "true"})
        assert "4 combatants joined" in said_in(told), ruleset
        assert "Left out" not in said_in(table.post("/load", {"text": example}))


def test_who_lacks_something_is_shown_at_once(table: Table) -> None:
    said = {
        "command": "join",
        "combatant": {},
        "name": "Nobody",
    }  # through the interface, which takes anybody
    table.fights.command(table.fight, table.gm, said, "nobody")
    page = said_in(table.get("/people"))
    assert "Nobody has no Body, Agility, Reaction and " in page
    row = table.part("/person?combatant=nobody").text
    assert 'placeholder="3?"' in row
    table.post("/by-hand", {"combatant": "nobody", "sets": ["body"], "value": "4", "was": ""})
    assert "Nobody has no Agility" in said_in(table.get("/people"))


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_people_of_the_packs_lack_nothing(app: Flask, ruleset: str) -> None:
    """What follows from what their entries have is not asked of them."""
    game = app.extensions["fracas.encounters"].games.game(ruleset)
    lack = [
        entry.slug
        for entry in game.packs.entries("combatant")
        if is_person(sheet := sheet_of(game, {"use": entry.slug})[1]) and [*lacking(basics_of(game), sheet)]
    ]
    assert lack == (["boomkitty"] if ruleset == "cwn" else [])  # no attack of its own is known


# --- Edited on the row -------------------------------------------------------------------------------------


def test_a_number_of_the_row(table: Table) -> None:
    row = table.part("/person?combatant=brick").text
    forms = [form_of(part) for part in row.split("<form")[1:]]
    body = next(form for form in forms if form.getlist("sets") == ["body"])
    assert body["value"] == body["was"]
    version = table.version
    assert table.post("/by-hand", body).status_code == 204  # nothing is changed
    assert table.version == version
    body["value"] = "8"
    assert table.post("/by-hand", body).status_code == 204
    assert table.state.combatants["brick"].sheet["body"] == 8


def test_one_number_for_several_fields(app: Flask) -> None:
    table = Table(app, "cwn", "")
    table.post("/add", {"name": "Ann"})
    row = table.part("/person?combatant=ann").text
    forms = [form_of(part) for part in row.split("<form")[1:]]
    armor = next(form for form in forms if "ranged_ac" in form.getlist("sets"))
    armor["value"] = "14"
    assert table.post("/by-hand", armor).status_code == 204
    sheet = table.state.combatants["ann"].sheet
    assert (sheet["ranged_ac"], sheet["melee_ac"]) == (14, 14)


@pytest.mark.parametrize(
    ("field", "kind", "value", "found"),
    [
        ("body", 'type="number" min=', "7", 7),
        ("smartlink", '<option value="true"', "true", True),
        ("metatype", '<option value="ork"', "ork", "ork"),
        ("armor", "multiple", ["helmet"], ["helmet"]),
        ("senses", "multiple", ["normal", "low-light"], ["normal", "low-light"]),
        ("edge_group", '<input name="value"', "Thugs", "Thugs"),
        ("metatype", "<select", "", None),
        ("armor", "<select", [], []),
    ],
)
def test_a_field_is_set_as_its_kind_wants(
    table: Table, field: str, kind: str, value: str | list[str], found: Any
) -> None:
    control = table.part(f"/field?combatant=brick&field={field}")
    assert kind in control.text
    said = {"combatant": "brick", "sets": field, "value": value}
    assert table.post("/by-hand", said).status_code == 204
    assert table.state.combatants["brick"].sheet.get(field) == found


def test_fields_and_people_that_there_are_not(table: Table) -> None:
    assert "brick" in said_in(table.part("/person?combatant=brik"))
    assert "did you mean" in said_in(table.part("/field?combatant=brick&field=bdy"))
    assert table.part("/field?combatant=brick&field=").text == ""
    assert table.post("/by-hand", {"combatant": "brick", "sets": "bdy", "value": "3"}).status_code == 422


def test_an_open_row_stays_open(table: Table) -> None:
    assert 'aria-label="Values of Brick"' in table.get("/people?open=&open=brick").text
    assert 'aria-label="Values of Brick"' not in table.get("/people?open=nobody").text


# --- Groups, initiative by hand, the end -------------------------------------------------------------------


def test_a_side_as_a_group(table: Table) -> None:
    def corp() -> list[Any]:
        return [one for one in table.state.combatants.values() if one.side == "corp" and not one.gone]

    assert table.post("/group", {"side": "corp", "do": "hide"}).status_code == 204
    assert all(one.hidden for one in corp())
    version = table.version
    assert table.post("/group", {"side": "corp", "do": "hide"}).status_code == 204  # once more: nothing to do
    assert table.version == version
    assert table.post("/group", {"side": "corp", "do": "show"}).status_code == 204
    assert not any(one.hidden for one in corp())
    assert table.post("/group", {"side": "corp", "do": "name", "name": "Renraku"}).status_code == 204
    assert not corp()
    assert table.post("/group", {"side": "Renraku", "do": "leave"}).status_code == 204
    assert sum(not one.gone for one in table.state.combatants.values()) == 2
    for said in ({"side": "runners", "do": "name", "name": " "}, {"side": "runners", "do": "fly"}):
        assert table.post("/group", said).status_code == 422


@pytest.mark.parametrize("ruleset", GAMES)
def test_initiative_by_hand_begins_the_fight_and_changes_it(app: Flask, ruleset: str) -> None:
    table = Table(app, ruleset, "")
    for name in ("Ann", "Bob"):
        table.post("/add", {"name": name, "side": name})
    page = table.get("/people").text
    names = re.findall(r'name="(place\.[^"]+)"', page)
    assert len(names) == 2
    assert table.post("/places", {names[0]: "4", names[1]: "9", "begin": "true"}).status_code == 204
    table.settle()
    assert table.state.turn == 1
    assert table.state.acting[0] == "bob"
    assert table.post("/places", {names[0]: "12"}).status_code == 204
    ranks = {
        one["id"]: one["rank"]
        for one in table.fights.view(table.fights.fight(table.fight), table.gm)["combatants"]
    }
    assert ranks["ann"].startswith("12")


@pytest.mark.parametrize("value", ["", "first"])
def test_initiative_that_is_none(table: Table, value: str) -> None:
    version = table.version
    assert table.post("/places", {"place.rook": value}).status_code == 422
    assert table.version == version


def test_what_is_not_said_of_initiative_is_rolled(app: Flask) -> None:
    table = Table(app, skirmish="")
    table.post("/add", {"name": "Ann", "count": "2"})
    assert table.post("/places", {"place.ann-1": "30", "begin": "true"}).status_code == 204
    table.settle()
    assert table.state.acting == ("ann-1",)
    assert table.state.combatants["ann-2"].rolled


def test_a_fight_that_is_over_is_not_edited(table: Table) -> None:
    table.does("close")
    page = table.get("/people").text
    for words in ("/add", "/load", "/person?", "/group", "/places", "Edit Brick"):
        assert words not in page
    assert "The fight is over" in said_in(table.get("/people"))


@pytest.mark.parametrize(
    ("address", "alone"),
    [
        ("http://localhost:8844", True),
        ("http://127.0.0.1:8844", True),
        ("http://[::1]:8844/fracas", True),
        ("http://192.168.0.7:8844", False),
        ("https://vtt.example", False),
    ],
)
def test_which_addresses_phones_cannot_open(address: str, alone: bool) -> None:
    assert is_loopback(address) is alone


def test_an_invitation_has_a_code_and_a_link_and_can_be_taken_back(table: Table) -> None:
    answer = table.post("/keys", {"role": "player", "label": "Ada", "combatants": ["rook"]})
    (link,) = re.findall(r'data-copy="([^"]+)"', answer.text)
    assert link.startswith("http://localhost/console/enter#")
    assert "Phones and other computers cannot open http://localhost" in said_in(answer)
    assert "Ada plays Rook" in said_in(answer)
    code = segno.make(link, error="m", micro=False)
    assert f'viewBox="0 0 {code.symbol_size(border=2)[0]}' in answer.text
    (revoke,) = re.findall(r'action="(/console/fight/[^"]+/revoke)"', answer.text)
    assert table.client.post(revoke).status_code == 303
    assert "Ada plays" not in said_in(table.get("/people"))


# --- Words -----------------------------------------------------------------------------------------------------


def test_whose_turn_it_is_and_how_long_players_wait() -> None:
    people = {id: {"name": id.title()} for id in ("ann", "bob", "cy", "dee", "eve")}
    order = [{"actors": ["bob"]}, {"actors": ["cy", "dee"]}, {"actors": ["eve"]}, {"actors": ["ann"]}]
    view = {"acting": ["bob"], "order": order}
    told = {
        who: board.turn_note(view, people, [who] if who else []) for who in ("", "ann", "bob", "cy", "eve")
    }
    assert {who: (one["now"], one["next"]) for who, one in told.items() if one} == {
        "": ("Bob acts.", ""),
        "ann": ("Bob acts.", "Ann acts after 3 others."),
        "bob": ("Your turn: Bob acts.", ""),
        "cy": ("Bob acts.", "Cy acts next."),
        "eve": ("Bob acts.", "Eve acts after Cy and Dee."),
    }
    assert board.turn_note({"acting": [], "order": []}, people, ["ann"]) is None


def test_times_as_people_say_them() -> None:
    now = datetime(2026, 11, 24, 22, 41)
    times = (
        now,
        datetime(2026, 11, 24, 0, 5),
        datetime(2026, 11, 22, 9, 5),
        datetime(2026, 3, 4),
        datetime(2025, 3, 4),
    )
    assert [when(time, now) for time in times] == [
        "today 22:41",
        "today 00:05",
        "Sunday 09:05",
        "4 March",
        "4 March 2025",
    ]


def test_an_observer_is_told_whose_turn_it_is_and_no_hidden_name(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting()
    name = table.state.combatants[who].name
    observer = table.invites("observer", label="Eve")
    (note,) = re.findall(r'<p class="turn-note".*?</p>', observer.get().text, re.DOTALL)
    assert name in note
    assert re.search(r" acts?\.</b>", note)
    table.does("set", combatant=who, hidden="true")
    assert name not in said_in(observer.get("/board"))


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_distance_of_a_fight_of_ones_own_makes_shots_one_click(app: Flask, ruleset: str) -> None:
    table = Table(app, ruleset, "", distance="10")
    weapon = {"sr4": "Ares Predator IV", "sr5": "Ares Predator V", "cwn": "Heavy Pistol"}
    for side in ("gang", "law"):
        said = {"name": side, "side": side, "weapon": weapon.get(ruleset, "Bolt pistol")}
        assert table.post("/add", said).status_code == 200
    table.does("begin-turn")
    table.until_acting()
    assert "% to drop" in said_in(table.part("/board"))
    assert (
        app.test_client().post("/console/begin", data={"ruleset": ruleset, "distance": "far"}).status_code
        == 422
    )
