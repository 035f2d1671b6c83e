"""What the console shows so that nobody has to be trusted: the hash of the log, who added to the dice, rolls thrown
again."""

from __future__ import annotations

from console_browsers import Table, form_of, said_in
from flask import Flask

from fracas.encounters.cards import HEAD


def test_table_and_log_show_the_hash_of_the_log(app: Flask) -> None:
    table = Table(app)
    player = table.invites("player", "rook")
    for guest in (table, player):
        head = table.fights.fight(table.fight).head
        for page in ("", "/board", "/log", "/log/events"):
            text = guest.get(page).text
            assert f'data-copy="{head}"' in text, page
            assert f"Log up to event {table.version}: {head[:HEAD]}" in said_in(guest.get(page))
    before = table.fights.fight(table.fight).head
    then = table.version
    table.does("set", combatant="rook", name="Other")
    assert f'data-copy="{before}"' in table.get(f"/board?at={then}").text


def test_players_add_to_the_dice_with_a_button(app: Flask) -> None:
    table = Table(app, skirmish="")
    table.does("join", combatant="rook")
    player = table.invites("player", "rook")
    watcher = table.invites("observer", label="Eve")
    for guest in (table, watcher):
        assert "Add to the dice" not in guest.get().text
    board = player.get("/board").text
    form = form_of(board[board.index('class="contribute"') :])
    assert (form["command"], form["entropy"]) == ("contribute", "")
    for text in ("7 of clubs", "8 of spades"):
        player.does("contribute", entropy=text)
    assert "Added to the dice, in order: Ada, Ada" in said_in(watcher.get())
    assert "adds to what the dice come from: 8 of spades" in said_in(watcher.get("/log"))
    table.does("begin-turn")
    assert "Add to the dice" not in player.get().text
    assert player.command("contribute", entropy="late").status_code == 409


def test_dice_that_are_thrown_again_are_named(app: Flask) -> None:
    table = Table(app)
    table.does("undo", steps="1")
    table.does("begin-turn")
    for page in ("", "/log"):
        assert "initiative thrown 2 times" in said_in(table.get(page)), page
    table.does("close")
    proof = said_in(table.post("/proof"))
    assert f"Thrown again after an undo: initiative of event {table.version - 1}, 2 times" in proof
    assert "no player contributed" in proof


def test_a_fight_that_keeps_its_rolls(app: Flask) -> None:
    table = Table(app, keep_rolls="true")
    assert table.state.settings["keep_rolls"] is True
    answer = table.command("undo", steps="1")
    assert answer.status_code == 409
    assert "this fight keeps its rolls" in said_in(answer)


def test_a_log_that_is_not_right_says_where(app: Flask) -> None:
    table = Table(app)
    table.until_acting()
    with table.fights.store._database.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE events SET body = replace(body, '\"at\":1', '\"at\":2') WHERE version = 2"
        )
    proof = said_in(table.post("/proof"))
    assert "The log is not what it should be" in proof
    assert "First difference: event" in proof


def test_cards_show_the_hash_of_the_log(app: Flask) -> None:
    table = Table(app)
    who = table.until_acting("kestrel", "rook", "vex")
    table.does(
        "act",
        **{"combatant": who, "action": "fire-semi-automatic", "target": "brick", "situation.distance": "9"},
    )
    table.settle()
    head = table.fights.fight(table.fight).head
    assert f"Log {head[:HEAD]} (event {table.version})" in said_in(table.get())
