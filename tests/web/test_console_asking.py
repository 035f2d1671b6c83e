"""When decisions such as Edge are asked: what the browser remembers beyond a fight, and what players set themselves."""

from __future__ import annotations

from console_browsers import Browser, Table, said_in
from flask import Flask

from fracas.encounters.audit import verify
from fracas.encounters.log import log_json
from fracas.web.console.asking import ALWAYS, COOKIE, MOST, NEVER, PLAYERS


def asked(table: Browser) -> set[str]:
    state = table.fights.fight(table.fight).state
    return {one.name for one in state.combatants.values() if one.asks}


def another(table: Table, **said: str) -> Table:
    """A further fight of the same browser."""
    next_ = object.__new__(Table)
    Browser.__init__(next_, table.app)
    next_.client = table.client
    answer = next_.client.post("/console/begin", data={"ruleset": "sr4", "skirmish": "loading-dock", **said})
    assert answer.status_code == 303, said_in(answer)
    next_.fight = answer.location.split("/")[3]
    return next_


def test_nobody_is_asked_unless_they_want_it(app: Flask) -> None:
    assert asked(Table(app)) == set()
    assert asked(Table(app, asks="true")) == {"Rook", "Vex"}


def test_what_holds_for_all_is_remembered_in_the_next_fight(app: Flask) -> None:
    table = Table(app)
    assert 'name="asks" value="true">' in table.client.get("/console/").text
    table.post("/asks", {"asks": "true", "key": "all"})
    assert asked(table) == {"Rook", "Vex", "Brick", "Guard 1", "Guard 2"}
    assert 'name="asks" value="true" checked>' in table.client.get("/console/").text
    assert asked(another(table, asks="true")) == {"Rook", "Vex", "Brick", "Guard 1", "Guard 2"}
    assert asked(another(table)) == set()
    assert asked(another(table, asks="true")) == {"Rook", "Vex"}  # nobody was asked in between
    assert asked(Table(app)) == set()  # another browser


def test_what_holds_for_one_is_remembered_by_name(app: Flask) -> None:
    table = Table(app)
    assert table.post("/by-hand", {"combatant": "vex", "when": "always", "key": "1"}).status_code == 204
    assert table.post("/by-hand", {"combatant": "brick", "when": "reactions", "key": "2"}).status_code == 204
    one = {"combatant": "rook", "asks": "true", "key": "3"}  # the switch on the page of people
    assert table.post("/by-hand", one).status_code == 204
    later = another(table)
    assert asked(later) == {"Vex", "Rook"}
    assert later.state.combatants["brick"].asks_reactions
    later.post("/add", {"use": "vex", "side": "corp", "count": "1", "name": "Vex"})
    assert [one.asks for one in later.state.combatants.values() if one.name.startswith("Vex")] == [
        True,
        False,
    ]
    later.post("/asks", {"asks": "false", "key": "none"})
    assert asked(another(table)) == set()


def test_a_cookie_of_nonsense_is_no_wish(app: Flask) -> None:
    table = Table(app)
    for nonsense in (
        "",
        "a" * 3000,
        "&" * 3000,
        "*=loud&Vex=often",
        "%00=always&=always",
        "*=" + "&x=" * 100,
    ):
        table.client.set_cookie(COOKIE, nonsense, path="/console")
        assert asked(another(table)) == set()
    cookie = "&".join(f"Somebody+{number}=always" for number in range(MOST))
    table.client.set_cookie(COOKIE, cookie, path="/console")
    table.post("/by-hand", {"combatant": "vex", "when": "always", "key": "1"})
    kept = table.client.get_cookie(COOKIE, path="/console")
    assert kept is not None
    assert kept.value.count("=") == MOST + 1
    assert "Vex=always" in kept.value
    assert "Somebody+0=" not in kept.value
    assert {ALWAYS, PLAYERS, NEVER} == {"always", "players", "never"}


def test_players_set_when_they_are_asked_and_nothing_else(app: Flask) -> None:
    table = Table(app)
    table.until_acting()
    ada = table.invites("player", "vex")
    assert "Ask me about decisions such as Edge" in ada.part("/board").text
    assert ada.post("/by-hand", {"combatant": "vex", "when": "always", "key": "1"}).status_code == 204
    assert asked(table) == {"Vex"}
    assert ada.post("/by-hand", {"combatant": "rook", "when": "always", "key": "2"}).status_code == 403
    for more in (
        {"dice": "hand"},
        {"add": "prone"},
        {"name": "Ada"},
        {"sets": "body", "value": "9", "was": ""},
    ):
        answer = ada.post("/by-hand", {"combatant": "vex", "when": "never", "key": str(more), **more})
        assert answer.status_code == 403, more
    assert asked(table) == {"Vex"}
    table.does("close")
    report = verify(log_json(table.fights, table.fight, table.gm))
    assert report.ok, report.first_difference


def test_a_player_is_asked_in_the_next_fight_as_in_the_one_before(app: Flask) -> None:
    first, second = Table(app), Table(app)
    ada = first.invites("player", "vex")
    ada.post("/by-hand", {"combatant": "vex", "when": "always", "key": "1"})
    (secret,) = (
        issued.secret for issued in [second.fights.add_token(second.fight, "player", "Ada", ["vex", "rook"])]
    )
    assert ada.client.post("/console/enter", data={"key": secret}).status_code == 303
    assert asked(second) == {"Vex"}
    second.does("close")
    again = second.fights.add_token(second.fight, "player", "Ada", ["vex"]).secret
    assert ada.client.post("/console/enter", data={"key": again}).status_code == 303
