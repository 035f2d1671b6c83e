"""Playing in the console without a server: forms of actions with their odds, what is set by hand, people who join, the
log and its proof."""

from __future__ import annotations

import html
import io
import json
import random
import re
from typing import Any

import pytest
from chummer_files import SAMURAI_4
from console_browsers import Table, form_of, said_in
from flask import Flask
from tiers import scale
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from fracas.encounters import offers
from fracas.encounters.command_context import CommandContext
from fracas.web.console import logs
from fracas.web.settings import MAX_UPLOAD

SKIRMISHES = {"sr4": "loading-dock", "sr5": "front-gate", "cwn": "alley", "imperium": "underhive"}
"""And who shoots how at whom in each."""


# --- Actions and their odds ------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_actions_on_offer_open_and_tell_odds_or_what_is_missing(app: Flask, ruleset: str) -> None:
    """One action of each procedure, as its form stands, and one without dice."""
    table = Table(app, ruleset, SKIRMISHES[ruleset])
    who = table.until_acting()
    offered = offered_in(table.part(f"/actions?who={who}").text, who)
    shelf = table.fights.games.game(ruleset).packs
    entries = [entry for action in offered if (entry := shelf.entry("action", action))]
    version, counted = table.version, 0
    for action in {entry.data.get("procedure"): entry.slug for entry in entries}.values():
        action_form = table.part(f"/action?combatant={who}&action={action}")
        assert action_form.status_code == 200, action
        form = form_of(action_form.text)
        assert (form["command"], form["combatant"], form["action"]) == ("act", who, action)
        if "/odds" in action_form.text:
            told = table.post("/odds", form)
            assert told.status_code == 200, action
            assert said_in(told), action
            ids = re.findall(r' id="([^"]+)"', action_form.text.partition('<div id="odds"')[0] + told.text)
            assert len(ids) == len(set(ids)), (action, sorted(ids))
            links = re.findall(r'href="#([^"]+)"', told.text)
            assert set(links) <= set(ids), action
            counted += "odds-top" in told.text
    assert counted >= 2
    assert table.version == version


def offered_in(board: str, who: str) -> list[str]:
    """The actions that a page offers for somebody, in its order."""
    return re.findall(rf'/action\?combatant={who}&(?:amp;)?action=([a-z0-9-]+)"', board)


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_an_attack_from_its_form_and_its_undo(app: Flask, ruleset: str) -> None:
    table = Table(app, ruleset, SKIRMISHES[ruleset])
    who = table.until_acting()
    before, version = table.state, table.version
    form = attack_of(table, who)
    assert 'hx-trigger="click" hx-target="#exchange"' in table.post("/odds", form).text
    if ruleset != "imperium" or scale(0, 1):  # six such attacks of Imperium take as long as all else here
        several = table.post("/exchange", form)
        assert several.status_code == 200, said_in(several)
        assert re.search(
            r"drops within (one attack|[0-9] attacks) with a chance of (about )?[0-9]+%", several.text
        )
        dropped = [int(number) for number in re.findall(r"% *</td><td>([0-9]+) %</td>", several.text)]
        assert dropped == sorted(dropped)
        survives = r"survives (a round of all opponents|the first [0-9]+) with a chance of"
        assert re.search(f"{survives}|There was no time for what the others could do", several.text)
    assert table.version == version
    answer = table.post("/command", form)
    assert answer.status_code == 204, said_in(answer)
    assert json.loads(answer.headers["HX-Trigger"]) == {"fight-changed": {"version": table.version}}
    table.settle()
    assert table.version > version
    assert table.state.combatants[who].spent != before.combatants[who].spent
    table.does("undo", to=str(version))
    assert table.state == before
    table.does("redo", steps="1")
    assert table.state.combatants[who].spent != before.combatants[who].spent


def attack_of(table: Table, who: str) -> MultiDict[str, str]:
    """The form of the first action on offer that does harm to its target, with all that it needs."""
    for action in offered_in(table.part(f"/actions?who={who}").text, who):
        action_form = table.part(f"/action?combatant={who}&action={action}").text
        odds = table.post("/odds", form_of(action_form)).text
        chosen = {}
        needed = re.search(r'class="needed">(.*?)</p>', odds)
        for id in re.findall(r'<a href="#(say-[^"]+)"', needed[1] if needed else ""):
            control = action_form.partition(f'<select id="{id}"')[2].partition("</select>")[0]
            options = re.findall(r'value="([^"]+)"', control)
            chosen |= dict.fromkeys(re.findall(r'name="([^"]+)"', control), options[0])
        form = form_of(action_form, odds, **chosen)
        told = said_in(table.post("/odds", form))
        if "target" in form and re.search("Chances by (net )?damage", told):
            return form
    raise AssertionError(f"{who} cannot attack")


@pytest.fixture(scope="module")
def shot(app: Flask) -> tuple[Table, str]:
    """A fight in which somebody is about to shoot, and the form."""
    table = Table(app)
    who = table.until_acting("rook", "vex")
    return table, table.part(f"/action?combatant={who}&action=fire-semi-automatic").text


def test_the_fight_as_it_was_is_there_to_look_at(app: Flask) -> None:
    table = Table(app)
    table.until_acting()
    newest = table.version
    then = said_in(table.get("/board?at=1"))
    assert f"As it was after event 1 of {newest}" in then
    assert "Back to here" in then
    assert " acts " not in then
    assert "Add combatants" not in then
    assert "As it was" not in said_in(table.get(f"/board?at={newest}"))
    for nowhere in ("0", str(newest + 1), "x"):
        assert table.get(f"/board?at={nowhere}").status_code == 422, nowhere
    player = table.invites("player", "vex")
    assert player.get("/board?at=1").status_code == 403
    shown = re.findall(r'id="person-([^"]+)"', player.get("/board").text)
    assert shown[0] == "vex"
    assert sorted(shown) == sorted(table.state.combatants)
    table.does("undo", to=str(newest - 1))
    assert "Back to here" not in said_in(table.get(f"/board?at={newest}"))
    assert table.version == newest + 1


def chance(answer: TestResponse) -> float:
    found = re.search(r"Chance to hit ([\d.]+) %", said_in(answer))
    assert found, answer.text
    return float(found[1])


def test_odds_follow_the_form(shot: tuple[Table, str]) -> None:
    table, action_form = shot
    plain = table.post("/odds", form_of(action_form))
    distance = "situation.distance"
    assert form_of(action_form)[distance] == "12"  # as the scene says
    far = table.post("/odds", form_of(action_form, **{distance: "35"}))
    dark = table.post("/odds", form_of(action_form, **{"situation.visibility": "full-darkness"}))
    assert chance(plain) > chance(far)
    assert chance(plain) > chance(dark)
    off_hand = table.post(
        "/odds", form_of(action_form, plain.text, **{"situation.attacker.off_hand": "true"})
    )
    assert chance(plain) > chance(off_hand)
    assert "Off-hand weapon -2" in said_in(off_hand)
    worth = re.search(r"What each modifier is worth(.*)", said_in(off_hand))
    assert worth
    assert "Off-hand weapon" in worth[1]


def test_the_scene_does_not_say_how_near_a_blow_falls(shot: tuple[Table, str]) -> None:
    table, _ = shot
    who = table.state.acting[0]  # two may act at the same time
    form = form_of(table.part(f"/action?combatant={who}&action=melee-attack").text)
    assert form.get("situation.distance") == ""


def test_what_was_said_among_the_odds_stays_said(shot: tuple[Table, str]) -> None:
    table, action_form = shot
    told = table.post("/odds", form_of(action_form))
    name = "situation.attacker.split_dice"
    assert name in form_of(told.text)
    once = table.post("/odds", form_of(action_form, told.text, **{name: "4"}))
    assert chance(once) < chance(told)
    assert form_of(once.text)[name] == "4"
    assert (
        location_of(name, once.text) == location_of(name, told.text) != ""
    )  # it stays under somebody's hands
    again = table.post("/odds", form_of(action_form, once.text))
    assert again.text == once.text
    gone = table.post("/odds", form_of(action_form, once.text, **{name: ""}))
    assert chance(gone) == chance(told)
    faulty = table.post("/odds", form_of(action_form, once.text, **{"situation.distance": "x"}))
    assert form_of(faulty.text)[name] == "4"


def location_of(name: str, odds: str) -> str:
    """What the row says in which a control stands."""
    (row,) = [row for row in re.findall(r"<tr.*?</tr>", odds, re.DOTALL) if f'name="{name}"' in row]
    return re.sub(r"<[^>]+>", " ", row.partition("<label")[0]).strip()


def test_odds_are_also_text(shot: tuple[Table, str]) -> None:
    table, action_form = shot
    told = table.post("/odds", form_of(action_form)).text
    (title,) = re.findall(r'<title id="chart-title">Chances by damage: ([^<]*)</title>', told)
    shares = [float(share) for share in re.findall(r": ([\d.]+) %", title)]
    assert len(shares) == told.count("<rect ")
    assert sum(shares) == pytest.approx(100, abs=0.05 * len(shares))


def test_what_the_rules_cannot_do_without_is_asked_for(app: Flask) -> None:
    table = Table(app, "imperium", "underhive")
    who = table.until_acting()
    action_form = table.part(f"/action?combatant={who}&action=fire-weapon").text
    assert (
        "Chance to die" in table.post("/odds", form_of(action_form)).text
    )  # the likeliest mode is filled in
    nothing = {"situation.fire.mode": ""}
    told = table.post("/odds", form_of(action_form, **nothing))
    (id,) = re.findall(r'Missing: <a href="#([^"]+)">Firing mode</a>', told.text)
    assert f'<fieldset class="control" id="{id}"' in action_form
    assert "odds-top" not in told.text
    refused = table.post("/command", form_of(action_form, **nothing))
    assert refused.status_code == 422
    assert "Fire, mode: " in said_in(refused)
    said = table.post("/odds", form_of(action_form, told.text, **{"situation.fire.mode": "single"}))
    assert "Chance to die" in said_in(said)


def test_a_usual_spell_is_filled_in_and_another_can_be_chosen(app: Flask) -> None:
    table = Table(app)
    table.does("join", combatant="vesper", side="players")
    table.until_acting("vesper-combat-mage")
    queries = re.findall(r'hx-get="[^"?]*/action\?([^"]*)"', table.part("/board").text)
    (query,) = [query for query in queries if "situation.spell=stunbolt" in query]
    action_form = table.part("/action?" + query.replace("&amp;", "&")).text
    assert '<option value="stunbolt" selected>Stunbolt</option>' in action_form
    assert form_of(action_form)["situation.force"] == "5"
    assert "Expected boxes" in table.post("/odds", form_of(action_form)).text
    other = form_of(action_form, **{"situation.spell": "manabolt", "situation.force": "3"})
    assert table.post("/command", other).status_code < 300


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("distance", "nan"),
        ("distance", "inf"),
        ("distance", "1e999"),
        ("distance", "-1"),
        ("distance", "9" * 400),
        ("distance", "x"),
        ("visibility", "dark"),
        ("fire.area", "maybe"),
        ("called_shot.dv", "2.5"),
        ("no-such-thing", "1"),
        ("distance.more", "1"),
        ("a." * 50_000, "1"),
        ("...", "1"),
        ("attacker.weapon.range", "x\x00"),
    ],
)
def test_what_cannot_be_said_names_its_field(shot: tuple[Table, str], name: str, value: str) -> None:
    table, action_form = shot
    form, version = form_of(action_form, **{"situation." + name: value}), table.version
    told = table.post("/odds", form)
    assert told.status_code == 200
    assert 'class="refusals"' in told.text
    assert "odds-top" not in told.text
    answer = table.post("/command", form)
    assert answer.status_code == 422
    assert re.search(r"[A-Za-z].*: | is no field", said_in(answer).removeprefix("This cannot be done "))
    assert table.version == version


def test_a_step_that_is_impossible_says_why(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting("rook", "vex")
    action_form = table.part(f"/action?combatant={who}&action=intercept").text
    told = table.post("/odds", form_of(action_form, **{"situation.distance": "12"}))
    assert told.status_code == 200
    assert 'class="refusals"' in told.text


def test_hit_points_without_a_maximum_are_in_the_row(app: Flask) -> None:
    table = Table(app, "cwn", "alley")
    bo = {"command": "join", "combatant": {"name": "Bo", "hp": 5}, "id": "bo", "side": "crew"}
    table.fights.command(table.fight, table.gm, bo)
    unknown = {"command": "set", "combatant": "bo", "fields": {"hp_maximum": None}}
    table.fights.command(table.fight, table.gm, unknown)
    row = table.get().text.partition('id="person-bo"')[2].partition("</li>")[0]
    assert "<span>Hit points <b>5</b></span>" in row


def test_an_action_without_dice_has_no_odds(shot: tuple[Table, str]) -> None:
    table, _ = shot
    for action in ("take-aim", "unknown", ""):
        answer = table.post("/odds", {"command": "act", "combatant": "rook", "action": action})
        assert (answer.status_code, said_in(answer)) == (200, "")


def test_a_form_that_is_sent_twice_is_carried_out_once(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting()
    form = {"command": "next", "combatant": who, "key": "once", "seen": str(table.version)}
    first, again = table.post("/command", form), table.post("/command", form)
    assert (first.status_code, again.status_code) == (204, 204)
    assert first.headers["HX-Trigger"] == again.headers["HX-Trigger"]
    assert table.post("/command", form | {"command": "delay"}).status_code == 422
    assert table.post("/command", form | {"key": "a\x00"}).status_code == 422
    stale = table.post("/command", form | {"key": "other"})
    assert stale.status_code == 412
    assert "seen" in said_in(stale) or "version" in said_in(stale)


def test_dice_that_somebody_types_in(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting("rook", "vex")
    version = table.version
    action_form = table.part(f"/action?combatant={who}&action=fire-semi-automatic").text
    form = form_of(action_form, throws="hand")
    for _ in range(2):  # somebody clicks twice
        assert table.post("/command", form).status_code == 204
        assert table.version == version + 2
    assert table.state.combatants[who].dice == "hand"
    while (asked := table.questions()[0])["kind"] != "roll":
        table.does("answer", question=asked["id"], choose=asked["default"])
    assert asked["owners"] == [who]
    table.does("undo", to=str(version))
    assert table.state.combatants[who].dice == "service"
    refused = table.post("/command", form_of(action_form, throws="hand", key="new", target="nobody"))
    assert refused.status_code == 422
    assert table.state.combatants[who].dice == "service"


# --- By hand ---------------------------------------------------------------------------------------------


def by_hand(table: Table, **said: str) -> TestResponse:
    """The form for Brick is opened, something in it is changed, and it is sent."""
    page = table.part("/by-hand?combatant=brick").text.partition("</form>")[0]
    return table.post("/by-hand", form_of(page, **said))


def test_only_what_was_changed_is_set(app: Flask) -> None:
    table = Table(app)
    assert by_hand(table).status_code == 422  # nothing is set
    before = table.state.combatants["brick"]
    assert by_hand(table, **{"field.physical": "4"}).status_code == 204
    after = table.state.combatants["brick"]
    assert after.sheet == {**before.sheet, "physical": 4}
    assert after._replace(sheet=before.sheet) == before
    again = form_of(table.part("/by-hand?combatant=brick").text)
    assert (again["field.physical"], again["was.physical"]) == ("4", "4")


def test_conditions_and_states_by_hand(app: Flask) -> None:
    table = Table(app)
    said = {
        "add": "prone",
        "dice": "hand",
        "when": "always",
        "hidden": "true",
        "name": "Old Brick",
        "side": "none",
    }
    answer = by_hand(table, **said)
    assert answer.status_code == 204, said_in(answer)
    one = table.state.combatants["brick"]
    assert [condition.slug for condition in one.conditions] == ["prone"]
    assert (one.dice, one.asks, one.hidden, one.name, one.side) == ("hand", True, True, "Old Brick", "none")
    assert 'name="remove" value="prone"' in table.part("/by-hand?combatant=brick").text
    assert by_hand(table, remove="prone").status_code == 204
    assert not table.state.combatants["brick"].conditions
    assert table.state.combatants["brick"]._replace(conditions=one.conditions) == one


def test_any_field_of_a_sheet_by_hand(app: Flask) -> None:
    table = Table(app)
    assert '<option value="body">' in table.part("/by-hand?combatant=brick").text
    for value, found in (("7", 7), ("", None)):
        assert by_hand(table, sets="body", value=value).status_code == 204
        assert table.state.combatants["brick"].sheet.get("body") == found


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ({"sets": "bdy", "value": "7"}, "body"),
        ({"sets": "body", "value": "much"}, "body"),
        ({"sets": "body", "value": "9" * 30}, "body"),
        ({"sets": "body." * 50_000, "value": "1"}, "body"),
        ({"field.physical": "-1"}, "physical"),
        ({"field.physical": "2.5"}, "physical"),
        ({"field.nonsense": "2"}, "nonsense"),
        ({"add": "pron"}, "prone"),
        ({"name": "x" * 500}, "name"),
        ({"dice": "loaded"}, "dice"),
        ({"combatant": "brik", "dice": "hand"}, "brick"),
        ({"dice": "hand", "key": "\x00"}, "NUL"),
    ],
)
def test_what_cannot_be_set_by_hand(shot: tuple[Table, str], said: dict[str, str], word: str) -> None:
    table, _ = shot
    before, version = table.state, table.version
    answer = by_hand(table, **said)
    assert answer.status_code == 422
    assert word.casefold() in said_in(answer).casefold()
    assert (table.state, table.version) == (before, version)


# --- People who join -------------------------------------------------------------------------------------

LIST = "name,side,body,physical,weapons\nAnn,gang,4,1,katana\nBob,gang,3,,ares-predator-iv; katana\n"


def loads(table: Table, data: bytes | str, name: str = "people.csv", **said: str) -> TestResponse:
    content = data.encode() if isinstance(data, str) else data
    return table.post("/load", {"file": (io.BytesIO(content), name), **said})


def names(table: Table) -> list[str]:
    return [one.name for one in table.state.combatants.values()]


def test_a_list_is_read_before_its_people_join(app: Flask) -> None:
    table = Table(app, skirmish="")
    told = loads(table, LIST)
    assert told.status_code == 200
    assert "Ann gang Body 4" in said_in(told)
    assert "Bob gang Body 3" in said_in(told)
    assert 'name="join"' in told.text
    assert (names(table), table.version) == ([], 1)
    joined = loads(table, LIST, join="true")
    assert "2 combatants joined: Ann, Bob." in said_in(joined)
    assert 'name="join"' not in joined.text
    assert names(table) == ["Ann", "Bob"]
    (ann, bob) = table.state.combatants.values()
    assert (ann.sheet["body"], ann.sheet["physical"], bob.sheet["body"]) == (4, 1, 3)
    assert (list(ann.items), list(bob.items)) == (["katana"], ["ares-predator-iv", "katana"])


@pytest.mark.parametrize(
    ("data", "name", "word"),
    [
        (LIST + "Cyd,gang,much,,\n", "people.csv", "people.csv:4"),
        (LIST + "Cyd,gang,4,,katanna\n", "people.csv", "katana"),
        (LIST.replace("side", "sid"), "people.csv", "side"),
        ("id,name,use\na,Ann,guard\na,Bob,guard\n", "people.csv", "'a'"),
        ("id,name,use\nnew,Ann,guard\nrook,Bob,guard\n", "people.csv", "'rook'"),
        ("- {name: Ann, body: 3}\n- {name: Bob, body: [3]}\n", "people.yaml", "Body"),
        ("- {name: Ann\n", "people.yaml", "people.yaml"),
        ("", "people.csv", "no combatant"),
        (b"\xff\xfe\x00", "people.csv", "UTF-8"),
        ("no save file", "runner.chum", "XML"),
        ("no save file", "runner", "XML"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><character>&b;</character>', "runner.chum5", "file"),
        ("name,body\nAnn\x00,3\n", "people.csv", "NUL"),
    ],
)
def test_nothing_is_half_loaded(app: Flask, data: bytes | str, name: str, word: str) -> None:
    table = Table(app)
    before, version = names(table), table.version
    answer = loads(table, data, name, join="true")
    assert answer.status_code in (409, 422), said_in(answer)
    assert word.casefold() in said_in(answer).casefold()
    assert (names(table), table.version) == (before, version)


def test_what_no_fight_uses_is_told(app: Flask) -> None:
    told = loads(
        Table(app, skirmish=""), "- {name: Ann, body: 3, notes: Owes Bob, tags: [x]}\n", "people.yaml"
    )
    assert "Ann" in said_in(told)
    assert "Not used in a fight: notes, tags" in said_in(told)
    assert "Not used" not in loads(Table(app, skirmish=""), LIST).text


def test_a_character_of_another_program(app: Flask) -> None:
    table = Table(app)
    told = loads(table, SAMURAI_4, "nightjar.chum", side="runners", player="true")
    assert "Nightjar runners" in said_in(told)
    assert "Combat Chainsaw" in said_in(told)
    assert "Nightjar" not in names(table)
    assert loads(table, SAMURAI_4, "nightjar.chum", player="true", join="true").status_code == 200
    one = next(one for one in table.state.combatants.values() if one.name == "Nightjar")
    assert (one.side, one.player, one.sheet["agility"]) == ("players", True, 5)
    for ruleset in ("sr5", "cwn"):
        other = Table(app, ruleset, SKIRMISHES[ruleset])
        before = names(other)
        assert loads(other, SAMURAI_4, "nightjar.chum", join="true").status_code == 422
        assert names(other) == before


FORM = {"Content-Type": "multipart/form-data; boundary=x"}


def test_files_that_are_missing_or_too_large(app: Flask) -> None:
    table = Table(app)
    assert "choose a file" in said_in(table.post("/load", {"side": "x"}))
    assert "choose a file" in said_in(loads(table, "", ""))
    assert table.post("/load", b"x" * (MAX_UPLOAD + 1), **FORM).status_code == 413
    assert loads(table, LIST, "x" * 300 + ".CSV").status_code == 200


def test_people_of_the_packs_are_found_by_words(app: Flask) -> None:
    table = Table(app)

    def found(words: str) -> list[str]:
        return re.findall(r'name="use" value="([^"]+)"', table.part(f"/join?q={words}").text)

    assert "guard" in found("guard")
    assert found("GUARD") == found("guard")
    assert found("guard+nonsense") == []
    assert "Nobody in the packs has these words" in said_in(table.part("/join?q=nonsense"))
    everybody = table.part("/join").text
    forms = everybody.split("<form")[1:]
    assert 0 < len(forms) <= 30
    form = form_of(next(form for form in forms if 'value="guard"' in form), whose="hidden", count="2")
    answer = table.post("/add", form)
    assert answer.status_code == 200, said_in(answer)
    assert "Guard 3, Guard 4 joined." in said_in(answer)
    assert [one.hidden for one in table.state.combatants.values()][-2:] == [True, True]


# --- The log ---------------------------------------------------------------------------------------------


@pytest.fixture
def played(app: Flask) -> Table:
    table = Table(app)
    who = table.until_acting("rook", "vex")
    act = {"combatant": who, "action": "fire-semi-automatic", "target": "brick"}
    table.does("act", **act, **{"situation.distance": "9"})
    table.settle()
    return table


def events_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r'<article class="event[^"]*" id="event-(\d+)"', text)]


def test_the_log_has_every_event_the_newest_first(played: Table) -> None:
    text = played.get("/log").text
    assert events_in(text) == list(range(played.version, 0, -1))
    assert events_in(played.part("/log/events").text) == events_in(text)
    assert f'data-version="{played.version}"' in text


def test_back_to_an_event_and_forth_again(played: Table) -> None:
    version, state = played.version, played.state
    article = next(one for one in played.get("/log").text.split("<article") if 'id="event-6"' in one)
    assert played.post("/command", form_of(article)).status_code == 204
    assert played.state.turn == 0
    text = played.get("/log").text
    struck = re.findall(r'<article class="event undone" id="event-(\d+)"', text)
    assert struck == [str(number) for number in range(version, 6, -1)]
    assert all("Back to" not in one for one in text.split("<article") if "event undone" in one)
    played.does("redo", steps=str(version - 6))
    assert played.state == state


def test_files_and_proof_of_a_log(played: Table) -> None:
    for ending in ("", "close"):
        if ending:
            played.does(ending)
        answer = played.get("/log.json")
        told = answer.json
        assert answer.headers["Content-Disposition"] == f'attachment; filename="fracas-{played.fight}.json"'
        assert len(told["events"]) == played.version
        assert ("seed" in told["events"][-1]["data"]) is bool(ending)
        assert played.get("/log.md").text.startswith("# The loading dock\n")
        proof = said_in(played.post("/proof"))
        assert "Every die and outcome is as the seed and the rules say" in proof
        assert proof.count("failed") == 0
        assert (proof.count(" ok") >= 6) is bool(ending)


def test_a_fight_that_is_over(played: Table) -> None:
    player = played.invites("player", "rook")
    played.does("close")
    for guest in (played, player):
        assert "The fight is over" in said_in(guest.get())
        assert "/action?" not in guest.get().text
        assert 'action="' not in guest.get("/board").text.replace('action="/console', "")
        assert guest.get("/log.json").status_code == 200
        assert "as the seed and the rules say" in said_in(guest.post("/proof"))
    assert "Back to" not in played.get("/log").text
    assert played.command("next").status_code == 409
    assert "The fight is over" in said_in(played.get("/people"))


# --- Connecting ------------------------------------------------------------------------------------------


def test_callers_are_few_and_their_names_are_text(app: Flask) -> None:
    client = app.test_client()
    client.post("/v1/step", headers={"Origin": "https://<b>evil"})
    client.get("/v1/rulesets", headers={"Origin": "http://localhost"})
    calls = client.get("/console/connect/calls").text
    assert "https://&lt;b&gt;evil" in calls
    assert "http://localhost<" not in calls
    for number in range(40):
        client.get("/health", headers={"Origin": f"https://{number}.example/{'x' * 300}"})
    calls = client.get("/console/connect/calls").text
    assert calls.count("<li") == 20
    assert "evil" not in calls
    assert len(calls) < 10_000


def test_a_fist_is_among_the_things_of_a_form(app: Flask) -> None:
    table = Table(app, "cwn", SKIRMISHES["cwn"])
    who = table.until_acting()
    text = table.part(f"/action?combatant={who}&action=melee-attack").text
    chosen = text.partition('id="action-item"')[2].partition("</select>")[0]
    assert "Unarmed Attack" in chosen
    assert "nothing in particular" not in chosen


def test_a_spell_is_chosen_among_the_spells_of_the_game(app: Flask) -> None:
    table = Table(app, "sr5", "front-gate")
    who = table.until_acting("cinder-combat-mage")
    action_form = table.part(f"/action?combatant={who}&action=cast-combat-spell").text
    name = "situation.spell"
    chooser = action_form.partition(f'name="{name}"')[2].partition("</select>")[0]
    assert dict(re.findall(r'<option value="([^"]+)">([^<]+)</option>', chooser))["stunbolt"] == "Stunbolt"
    force = {"situation.force": "4"}
    assert ">Spell</a>" in table.post("/odds", form_of(action_form, **force, **{name: ""})).text
    told = table.post("/odds", form_of(action_form, **force, **{name: "stunbolt"}))
    assert ">Spell</a>" not in told.text
    assert "Drain resistance pool" in said_in(told)


# --- Many ------------------------------------------------------------------------------------------------


def crowd(app: Flask, ruleset: str) -> Table:
    """A fight of two hundred, in its first turn."""
    table = Table(app, ruleset, "")
    slugs = [entry.slug for entry in table.fights.games.game(ruleset).packs.entries("combatant")][:2]
    for number in range(200):
        body = {"command": "join", "combatant": slugs[number % 2], "side": "ab"[number % 2]}
        table.fights.command(table.fight, table.gm, body)
    table.fights.command(table.fight, table.gm, {"command": "begin-turn"})
    return table


@pytest.mark.parametrize("ruleset", ["sr4", "cwn"])
def test_of_two_hundred_the_actions_of_one_are_worked_out(
    app: Flask, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever of those who act together is chosen; `fracas bench` has the time that it takes."""
    table = crowd(app, ruleset)
    asked: list[str] = []
    true = offers.offers

    def counted(context: CommandContext, id: str, **said: Any) -> dict[str, Any]:
        asked.append(id)
        return true(context, id, **said)

    monkeypatch.setattr(offers, "offers", counted)
    acting = table.state.acting
    page = table.part("/board").text
    assert asked == [acting[0]]
    assert page.count('data-measure="acting"') == 1
    assert page.count('class="person') == 200
    other = table.part(f"/board?who={acting[-1]}").text
    assert asked[1:] == [acting[-1]]
    assert f'name="who" value="{acting[-1]}"' in other


def test_the_result_of_a_drug_names_it_and_what_it_does(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting()
    table.does("act", combatant=who, action="take-drug", **{"situation.drug": "jazz"})
    result = said_in(table.part("/board"))
    name = table.state.combatants[who].name
    assert f"{name}: Take a drug: Jazz: for " in result
    assert f"{name} is now on Jazz" in result


def test_the_result_of_a_test_is_headed_by_the_action_and_says_once_what_it_ends(app: Flask) -> None:
    table = Table(app, "imperium", "underhive")
    who = table.until_acting()
    name = table.state.combatants[who].name
    table.does("set", combatant=who, add="gripped", dice="hand")
    table.does("act", combatant=who, action="break-free")
    (question,) = table.questions()
    table.does("answer", question=question["id"], dice="1")
    (result,) = re.findall(r'<section class="result.*?</section>', table.part("/board").text, re.DOTALL)
    said = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "\n", result)))
    assert f"{name}: Break free from a grip: success" in said
    top, _, rest = said.partition("Dice and reasons")
    assert [text.count(f"{name} is no longer gripped by a power") for text in (top, rest)] == [1, 1]


def test_a_drug_is_for_oneself_unless_a_target_is_named(app: Flask) -> None:
    table = Table(app, "cwn", "alley")
    who = table.until_acting()
    form = table.part(f"/action?combatant={who}&action=use-drug").text
    targets = form.partition('id="action-target"')[2].partition("</fieldset>")[0]
    assert re.findall(r'value="([^"]*)" checked', targets) == [""]
    assert "oneself" in targets
    drugs = re.findall(
        r'<option value="([^"]+)"', form.partition('id="say-situation-drug"')[2].partition("</select>")[0]
    )
    assert "boneshaker" in drugs


def test_poisons_are_no_drugs_to_take(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting()
    form = table.part(f"/action?combatant={who}&action=take-drug").text
    drugs = re.findall(
        r'<option value="([^"]+)"', form.partition('id="say-situation-drug"')[2].partition("</select>")[0]
    )
    assert "jazz" in drugs
    assert "cyanide" not in drugs


def test_no_interception_is_offered_among_the_weapons(app: Flask) -> None:
    """When only a Free Action is left, the best thing to press ends the turn."""
    table = Table(app)
    (brick,) = (id for id, one in table.state.combatants.items() if one.name == "Brick")
    (rook,) = (id for id, one in table.state.combatants.items() if one.name == "Rook")
    table.until_acting(brick)
    table.post("/rules", {"key": "near", "scene.distance": "1"})
    assert 'class="weapon best"' in table.part("/board").text
    table.does("act", combatant=brick, action="melee-attack", target=rook, item="club")
    table.settle()
    board = table.part("/board").text
    assert table.state.acting == (brick,)
    assert 'class="weapon best"' not in board


def test_reasons_are_in_people_s_words(app: Flask) -> None:
    """What an attack did is in sentences, and no fact stands there only because the service counts on with it."""
    table = Table(app)
    who = table.until_acting("rook", "vex")
    table.does("act", combatant=who, action="fire-semi-automatic", target="guard-1", item="ares-predator-iv")
    table.settle()
    name = table.state.combatants[who].name
    reasons = table.part("/board").text.partition('id="reasons"')[2].partition("</details>")[0]
    words = re.sub(r"<[^>]+>", " ", reasons)
    assert f"{name}: Ares Predator IV: 1 round used" in words
    assert "Attack pool" in words
    for key in ("Physical after", "Track", "Effects on", "rounds fired", "attacks made"):
        assert key not in words


def test_what_asks_nothing_is_done_at_a_click_and_the_rest_opens_its_form(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting("vex")
    moves = re.search(r'<div class="moves".*?<label', table.get("/board").text, re.DOTALL)
    assert moves
    (ready,) = (one for one in moves[0].split("<form")[1:] if 'value="ready-weapon"' in one)
    thing = "ares-viper-slivergun"
    assert not table.state.combatants[who].items[thing]["ready"]
    table.does("act", **dict(re.findall(r'name="(combatant|action|item|target)" value="([^"]*)"', ready)))
    assert table.state.combatants[who].items[thing]["ready"]
    result = said_in(table.get("/board")).partition("Vex acts")[0]
    assert "Vex: Ready a weapon: Ares Viper Slivergun" in result
    for _ in range(2):  # after an undo, the next action is undone as well
        undo = form_of(table.get("/board").text.partition('id="undo-action"')[2].partition("</form>")[0])
        table.does("undo", to=undo["to"])
        assert not table.state.combatants[who].items[thing]["ready"]
        table.does("act", combatant=who, action="ready-weapon", item=thing)
    assert 'value="observe-in-detail"' not in moves[0]  # which rolls dice
    assert "action=observe-in-detail" in moves[0]


def test_those_in_melee_are_within_reach_whatever_the_scene_says(app: Flask) -> None:
    """The sides stand 8 metres apart: a blow is out of reach until somebody runs there, and then it is offered."""
    table = Table(app, "cwn", "alley")
    table.until_acting("dov-blade", "wren-gunhand")
    foe, blade = "unaffiliated-street-thug-1", "who=dov-blade&target=unaffiliated-street-thug-1"
    far = table.get(f"/board?{blade}").text
    assert "Charge" in far
    assert "Make a Melee Attack" not in far
    (run,) = (one for one in far.split("<form") if "Run: in melee with Unaffiliated Street Thug 1" in one)
    table.does("act", **dict(re.findall(r'name="(combatant|action|item|target)" value="([^"]*)"', run)))
    assert "Make a Melee Attack" in table.get(f"/board?{blade}").text
    near = table.part(f"/action?combatant=dov-blade&action=melee-attack&target={foe}").text
    assert form_of(near)["situation.distance"] == "2"
    other = table.get("/board?who=dov-blade&target=unaffiliated-street-thug-2").text
    assert "Out of melee range, to which a Run or a Charge leads" in html.unescape(other)


def test_an_action_towards_a_combatant_names_them_in_its_form(app: Flask) -> None:
    table = Table(app, "cwn", "alley")
    table.until_acting("dov-blade", "wren-gunhand")
    screen = table.part("/action?combatant=dov-blade&action=screen-ally").text
    form = form_of(screen)
    assert form["target"] == "wren-gunhand"
    table.does("act", **{name: form[name] for name in ("combatant", "action", "target")})
    (held,) = (one for one in table.state.combatants["dov-blade"].conditions if one.slug == "screening")
    assert held.towards == ("wren-gunhand",)
    assert 'name="target"' not in table.part("/action?combatant=dov-blade&action=go-prone").text


def test_after_many_undos_the_last_result_is_still_there(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting("vex")
    table.does("act", combatant=who, action="ready-weapon", item="ares-viper-slivergun")
    stands, result = table.version, "Vex: Ready a weapon: Ares Viper Slivergun"
    for _ in range(4):
        table.does("set", combatant=who, add="prone")
        table.does("undo", to=str(stands))
    result_now = said_in(table.get("/board")).partition("Vex acts")[0]
    assert result in result_now
    assert "Nothing has happened yet" not in result_now


def test_the_latest_are_the_same_from_a_part_of_the_log_and_from_all_of_it(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, dice, compared = Table(app), random.Random(30), 0
    who = table.until_acting("vex")
    begun = table.version
    for _ in range(50):
        history = table.fights.fight(table.fight).history
        counted = [version for first, last in history.past for version in range(first, last + 1)]
        counted = [version for version in counted if version >= begun][-9:-1]
        kind = dice.choice(["set", "set", "set", "undo", "redo"])
        if kind == "redo" and history.future:
            table.does("redo")
        elif kind == "undo" and counted:
            table.does("undo", to=str(dice.choice(counted)))
        else:
            table.does("set", combatant=who, add=dice.choice(["prone", "behind-good-cover"]))
        fight = table.fights.fight(table.fight)
        part = logs.latest(table.fights, fight, table.gm)
        compared += logs._since(table.fights, fight) > 0
        with monkeypatch.context() as patched:
            patched.setattr(logs, "_since", lambda *_: 0)
            assert part == logs.latest(table.fights, fight, table.gm)
    assert compared > 10
