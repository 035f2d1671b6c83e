"""What a page of the console must not tell, whoever asks: who is hidden, and sheets of others; and names that people
give are text, whatever they look like."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest
from console_browsers import Browser, Table, said_in
from flask import Flask

GHOST, NAME = "wraith", "Zebulon"
"""Somebody of whom players do not know."""


@pytest.fixture(scope="module")
def table(app: Flask) -> Table:
    """A hidden guard has joined, was wounded, has thrown for initiative, and has shot at Rook, who was asked."""
    table = Table(app)
    table.settle()
    table.does("undo", to="6")
    table.does("join", combatant="guard", id=GHOST, name=NAME, hidden="true", side="corp")
    table.does("set", combatant=GHOST, fields="", add=["prone"], name=NAME)
    table.does("begin-turn")
    return table


@pytest.fixture(scope="module")
def after_a_shot(table: Table) -> Table:
    table.until_acting(GHOST)
    shot = {"combatant": GHOST, "action": "fire-semi-automatic", "target": "rook"}
    table.does("act", **shot, **{"situation.distance": "12"})
    return table


def pages_of(guest: Browser, *more: str) -> Iterator[tuple[str, str]]:
    for path in ("", "/board", "/log", "/log/events", *more):
        answer = guest.get(path)
        assert answer.status_code == 200, (path, answer.text)
        yield path, html.unescape(answer.text)


def test_who_is_hidden_is_on_no_page(table: Table, after_a_shot: Table) -> None:
    assert all(NAME in text for _, text in pages_of(table))
    own = table.invites("player", GHOST)
    assert NAME in own.get().text
    for guest in (table.invites("player", "rook"), table.invites("observer")):
        for path, text in pages_of(guest):
            assert NAME not in text, path
            assert GHOST not in text, path


def test_nobody_can_ask_for_who_is_hidden(table: Table) -> None:
    rook = table.invites("player", "rook")
    told: dict[str, list[tuple[int, str]]] = {}
    for who in (GHOST, "zorro"):
        answers = [
            rook.part(f"/action?combatant={who}&action=take-aim"),
            rook.command("act", combatant=who, action="take-aim"),
            rook.command("act", combatant=who, action="take-aim", throws="hand"),
            rook.command("next", combatant=who),
            rook.post("/odds", {"command": "act", "combatant": who, "action": "take-aim"}),
            rook.command("act", combatant="rook", action="fire-semi-automatic", target=who),
            rook.post(
                "/odds",
                {"command": "act", "combatant": "rook", "action": "fire-semi-automatic", "target": who},
            ),
        ]
        told[who] = [(answer.status_code, said_in(answer).replace(who, "…")) for answer in answers]
    assert told[GHOST] == told["zorro"]
    assert not any(NAME in text for _, text in told[GHOST])


def test_who_is_hidden_is_no_target_and_no_helper(app: Flask) -> None:
    table = Table(app)
    table.settle()
    table.does("join", combatant="guard", id=GHOST, name=NAME, hidden="true")
    who = table.until_acting("rook", "vex")
    action_form = f"/action?combatant={who}&action=fire-semi-automatic"
    assert f'value="{GHOST}"' in table.part(action_form).text
    player = table.invites("player", who)
    told = player.part(action_form).text
    assert f'value="{GHOST}"' not in told
    assert 'value="brick"' in told
    table.does("set", combatant=GHOST, hidden="false")
    assert f'value="{GHOST}"' in player.part(action_form).text


def test_the_log_of_a_fight_that_is_over(app: Flask) -> None:
    table = Table(app)
    table.settle()
    table.does("undo", to="1")
    table.does("join", combatant="rook", player="true")
    table.does("join", combatant="guard", id=GHOST, name=NAME, hidden="true", side="corp")
    table.until_acting(GHOST)
    table.does("act", combatant=GHOST, action="take-aim")
    player, watcher = table.invites("player", "rook"), table.invites("observer")
    files = ("/log.json", "/log.md")
    assert {guest.get(path).status_code for guest in (player, watcher) for path in files} == {403}
    table.does("close")
    for guest in (player, watcher):
        for path, text in pages_of(guest, *files):
            assert NAME not in text, path
            assert GHOST not in text, path
        assert "is not what it should be" not in said_in(guest.post("/proof"))
    assert NAME in table.get("/log.md").text


KNOWN = {"gm": ("brick", "rook"), "player": ("rook",), "observer": ()}


def test_sheets_of_others_are_on_no_page(app: Flask) -> None:
    table = Table(app)
    table.settle()
    for who in ("brick", "rook"):
        answer = table.post("/by-hand", {"combatant": who, "sets": "physical", "value": "7"})
        assert answer.status_code == 204
    for role, known in KNOWN.items():
        guest = table if role == "gm" else table.invites(role, *(["rook"] if role == "player" else []))
        shown = dict(
            re.findall(
                r'id="person-([^"]+)"(.*?)(?=id="person-|</section>)', guest.get("/board").text, re.DOTALL
            )
        )
        assert len(shown) == 5
        for who in ("brick", "rook"):
            assert (re.search('class="monitor[" ]', shown[who]) is not None) is (who in known), (role, who)
        assert said_in(guest.get("/log")).count("Physical rises from 0 to 7") == len(known)


# --- Names are text --------------------------------------------------------------------------------------

NAMES = [
    '<img src=x onerror="alert(1)">',
    "'\"><script>alert(1)</script>",
    "</textarea></select><svg/onload=alert(1)>",
    "**bold** _it_ `code` ~~gone~~ # x",
    "[click](javascript:alert(1)) ![x](https://evil.example/x.png)",
    "https://evil.example <https://evil.example>",
    "{{ 7 * 7 }} {% raw %} &lt;b&gt; &amp;",
    "a\u202eb \u2066c",
]


def assert_harmless(text: str) -> None:
    assert not re.search(r"<(img|script(?! src=\"/static/)|svg/|b> &|iframe)", text), text
    assert 'evil.example"' not in re.sub(r'value="[^"]*"', "", text)
    assert not re.search(r"<[a-z][^>]*\son[a-z]+\s*=", re.sub(r'"[^"]*"', '""', text)), text
    assert 'href="javascript' not in text


@pytest.mark.parametrize("name", NAMES)
def test_names_are_text_on_every_page(app: Flask, name: str) -> None:
    table = Table(app, title=name)
    table.settle()
    table.does("set", combatant="rook", name=name[:80], side=name[:60])
    table.does("set", combatant="brick", name=name[:78] + " 2")
    who = table.until_acting("rook")
    key = table.post("/keys", {"role": "player", "label": name[:80], "combatants": ["rook"]})
    table.does(
        "act", combatant=who, action="fire-semi-automatic", target="brick", **{"situation.distance": "9"}
    )
    table.settle()
    action_form = "/action?combatant=rook&action=fire-semi-automatic"
    said = {"command": "act", "combatant": "rook", "action": "fire-semi-automatic", "target": "brick"}
    odds = table.post("/odds", {**said, "situation.distance": "9"})
    answers = [table.get(path) for path in ("", "/board", "/log", "/people", "/by-hand?combatant=rook")]
    answers += [table.part(action_form), key, odds, table.client.get("/console/")]
    for answer in answers:
        assert answer.status_code == 200, answer.text
        assert_harmless(answer.text)
    for answer in (*answers[:2], *answers[3:6]):
        assert name[:60] in html.unescape(answer.text), answer.request.path
    assert name[:60] in html.unescape(re.sub(r"<[^>]+>", "", answers[2].text)), said_in(answers[2])
    table.does("leave", combatant="brick")
    for answer in (table.part("/by-hand?combatant=brick"), table.command("next", combatant="brick")):
        assert_harmless(answer.text)


@pytest.mark.parametrize("word", NAMES)
def test_what_people_send_is_told_back_as_text(app: Flask, word: str) -> None:
    table = Table(app)
    answers = [
        table.command(word),
        table.command("act", combatant=word, action="take-aim"),
        table.command("act", combatant="rook", action=word),
        table.command("join", combatant=word),
        table.part("/action?combatant=rook&action=x"),
        table.post("/by-hand", {"combatant": "rook", f"field.{word}": word, "sets": word}),
        table.post("/keys", {"role": word, "label": word}),
        table.client.post("/console/begin", data={"ruleset": word}),
        table.client.get("/console/packs", query_string={"q": word, "ruleset": word, "kind": word}),
        table.client.get("/console/entries/" + word.replace("/", "")),
        table.client.get("/console/compare", query_string={"weapon": word, "ruleset": "sr4"}),
        table.client.get("/console/", headers={"Host": "x" + word.encode("ascii", "replace").decode()}),
    ]
    for answer in answers:
        assert answer.status_code in (200, 404, 409, 421, 422), answer.status
        assert_harmless(answer.text)
