"""What the dice come from: the seed that the service commits to, and what players add before the first die falls."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from audited_logs import changed, log_of, noticed, rechained
from table_play import OpenTable, Table

from fracas.dice.sources import SeededDice
from fracas.encounters.audit import verify
from fracas.encounters.command_context import Author
from fracas.encounters.transcript import written
from fracas.errors import ForbiddenError, InputError

ADA = Author("player", "ada", "Ada", frozenset())
BEN = Author("player", "ben", "Ben", frozenset(("rook",)))


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    table.join("rook")
    return table


def test_the_key_is_made_of_all(table: Table) -> None:
    table.do("contribute", ADA, entropy="7 of clubs")
    table.do("contribute", BEN, entropy="wörds")
    seed = table.store.seed(table.id)
    hashes = [hashlib.sha256(text.encode()).digest() for text in ("7 of clubs", "wörds")]
    key = hmac.digest(seed, b"".join(hashes), "sha256")
    event = table.do("begin-turn")
    (faces, source, draw) = event.data["rolls"][0]["answers"][-1][1][0]
    assert (source, draw) == ("seed", 0)
    assert [tuple(group) for group in faces] == [SeededDice(key).throw(len(faces[0]), 6)]
    assert tuple(faces[0]) != SeededDice(seed).throw(len(faces[0]), 6)


def test_verify_tells_who_contributed(table: Table) -> None:
    for by, text in ((ADA, "one"), (BEN, "two"), (ADA, "three")):
        table.do("contribute", by, entropy=text)
    table.do("begin-turn")
    table.do("close")
    for viewer in (table.gm, table.observer):
        report = verify(log_of(table, viewer))
        assert report.ok, report.first_difference
        assert report.counts["recomputed"] > 0
        assert any(note.endswith("in order: Ada, Ben, Ada") for note in report.notes)


def test_dice_of_the_seed_alone_are_told(table: Table) -> None:
    table.do("begin-turn")
    assert any("the seed alone" in note for note in verify(log_of(table)).notes)


def test_contributions_come_before_the_first_die(table: Table) -> None:
    assert table.view(table.observer)["may_contribute"] is True
    table.do("begin-turn")
    assert table.refused("contribute", ADA, entropy="late")[0][0] == "dice-fell"
    table.do("undo")  # the dice have fallen all the same
    assert table.refused("contribute", ADA, entropy="late")[0][0] == "dice-fell"
    assert table.view()["may_contribute"] is False


def test_only_players_contribute(table: Table) -> None:
    """Who knows the seed could try what brings good dice; the GM may well run the service."""
    for by in (table.gm, table.observer):
        with pytest.raises(ForbiddenError):
            table.do("contribute", by, entropy="mine")
    for text in ("", "x" * 201, 7):
        with pytest.raises(InputError):
            table.do("contribute", ADA, entropy=text)
    for number in range(64):
        table.do("contribute", ADA, entropy=str(number))
    assert table.refused("contribute", ADA, entropy="more")[0][0] == "too-many"


def test_no_undo_takes_a_contribution_back(table: Table) -> None:
    table.do("contribute", ADA, entropy="one")
    undoable = table.view()["undoable"]
    table.join("guard")
    table.do("contribute", BEN, entropy="two")
    assert table.view()["undoable"] == undoable + 1
    table.do("undo")
    assert "guard" not in table.state.combatants
    table.encounters = table.opened_again()
    told = [(one["label"], one["entropy"]) for one in table.view(table.observer)["contributions"]]
    assert told == [("Ada", "one"), ("Ben", "two")]
    table.do("redo")
    assert "guard" in table.state.combatants
    table.do("begin-turn")
    for _ in range(60):  # past a snapshot
        table.do("set", combatant="guard", fields={"reaction": 3})
    table.encounters = table.opened_again()
    table.do("set", combatant="guard", rolled={})
    table.do("roll-initiative")
    table.do("close")
    assert verify(log_of(table)).ok
    game, rules = table.encounters.game(table.fight), table.encounters.rules(table.fight)
    text = written(game, rules, table.fight, table.encounters.events(table.id), table.observer)
    assert "adds to what the dice come from: two *(Ben)*" in text


def test_other_contributions_are_other_dice(table: Table) -> None:
    table.do("contribute", ADA, entropy="one")
    table.do("contribute", BEN, entropy="two")
    table.do("begin-turn")
    table.do("close")
    log = log_of(table)
    place = next(at for at, event in enumerate(log["events"]) if event["type"] == "contributed")
    for path, value in (
        (("events", place, "data", "entropy"), "other"),
        (("events", place, "data", "entropy"), 7),
        (("events", place, "by", "role"), "gm"),
        (("events", place, "draws"), 1),
    ):
        assert noticed(rechained(changed(log, path, lambda _, value=value: value))), path
    copy = rechained(log)
    one, two = copy["events"][place : place + 2]
    one["data"], two["data"] = two["data"], one["data"]
    assert noticed(rechained(copy))
