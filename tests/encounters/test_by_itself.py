"""What happens by itself is named with who, what and why, the same in feed, transcript, view and cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from sr4_phases import join
from table_play import Table

from fracas.encounters import views
from fracas.encounters.cards import cards_of_step
from fracas.encounters.log import log_markdown


def told(table: Table) -> list[str]:
    """The lines of all events, as the feed tells them to the table."""
    glossary, state = table.encounters.glossary(table.fight), table.state
    found = (
        views.event_seen(one, table.observer, state, glossary) for one in table.encounters.events(table.id)
    )
    return [line["text"] for one in found for line in one.get("lines", ())]


def test_a_death_by_the_mortal_wound_clock(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn")
    for who, side in (("wren", "crew"), ("gang-member", "gang")):
        table.join(who, side=side, id=who)
    sides = {"wren": {"side": 5}, "gang-member": {"side": 1}}
    table.begin(**sides)
    table.do("set", combatant="wren", add=["mortally-wounded"])
    while "dead" not in table.conditions("wren"):
        if table.acting:
            table.do("next")
        else:
            table.begin(**sides)
    assert table.state.turn == 7
    name = table.one("wren").name
    lines = [
        f"{name}: Mortally Wounded ends (its time is over)",
        f"{name}: Dead begins (after Mortally Wounded)",
    ]
    assert [line for line in told(table) if line in lines] == lines
    text = log_markdown(table.encounters, table.id, table.gm)
    assert all(f"  - {line}\n" in text for line in lines)
    assert [one["text"] for one in table.view()["changes"]][-2:] == lines
    table.close()


@pytest.mark.parametrize("apply", ["at-once", "confirm"])
def test_the_card_of_a_step_says_what_follows(apply: str, tmp_path: Path) -> None:
    table = Table(tmp_path, "sr4", {"apply": apply})
    for who, side in (("rook", "runners"), ("guard", "corp")):
        table.join(who, side=side, dice="hand", asks=False)
    table.do("set", combatant="guard", fields={"physical": 8, "body": 1, "armor": []}, add=["aiming"])
    table.begin(rook={"hits": 3}, guard={"hits": 0})
    event = table.act("rook", "fire-semi-automatic", "guard", situation={"distance": 3}, ask=False)
    while table.steps() and table.question()["kind"] == "roll":
        parts = [part for part in table.question()["parts"] if part["hand"]]
        faces = [
            [5 if part["label"] == "attack" else 1] * group["count"]
            for part in parts
            for group in part["groups"]
        ]
        table.dice(*faces)
    step = event.data["step"]["open"]["id"]
    if apply == "confirm":
        table.do("apply", resolution=step)
    assert not table.shown("guard")["able"]
    cards = cards_of_step(table.encounters, table.fight, step, ["text"])
    assert cards is not None
    follows = [line for line in told(table) if line in str(cards)]
    assert {"Guard: Aiming ends (cannot act)", "All of the corp are out of the fight"} <= set(follows)
    table.close()


def test_the_action_that_ends_a_condition_is_no_other_action(tmp_path: Path) -> None:
    """In imperium the second of two actions loads the gun, and ends reloading; only another one breaks it off."""
    table = Table(tmp_path, "imperium")
    me = table.join("agent", side="ours")
    table.join("cult-fanatic", side="theirs")
    table.do("begin-turn")
    table.do("set", combatant=me, items={"bolt-pistol": {"rounds": 3}})
    table.act(me, "reload")
    event = table.act(me, "reload")
    assert [(one["label"], one["cause"], one["why"]) for one in event.data["changes"]] == [
        ("Reloading", "action", "")
    ]
    table.do("undo")
    event = table.act(me, "walk")
    assert [(one["label"], one["cause"]) for one in event.data["changes"]] == [("Reloading", "other-action")]
    table.close()


def test_what_ends_with_a_slot_that_was_given_up_has_a_reason(table: Table) -> None:
    """The slot of the first pass has paid for a full defense; the event that passes over it leads to the second."""
    join(table, "me", passes=2)
    join(table, "foe")
    table.begin(me={"hits": 0}, foe={"hits": 9})
    assert table.acting == ["foe"]
    table.act("me", "full-dodge")
    table.do("set", combatant="me", add=["spoofed"])
    table.do("next")
    assert (table.acting, table.state.part) == (["me"], 2)
    assert "spoofed" not in table.conditions("me")
    [line] = [line for line in told(table) if "Spoofed ends" in line]
    assert line.endswith("(the Action Phase is over)")
