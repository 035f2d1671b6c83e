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
        f"{name} is no longer Mortally Wounded (its time is over)",
        f"{name} is now dead (after Mortally Wounded)",
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
    assert {"Guard is no longer aiming (cannot act)", "All of the corp are out of the fight"} <= set(follows)
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


def test_a_blow_that_stuns_a_psyker_ends_their_powers_because_it_stuns(tmp_path: Path) -> None:
    """Not because a slot is over: the psyker was done before the blow."""
    table = Table(tmp_path, "imperium")
    psyker = table.join("sister-veyra", side="ours")
    foe = table.join("pit-fighter", side="theirs")
    table.do("begin-turn")
    while table.acting != [foe]:
        table.do("next")
    table.do("set", combatant=foe, dice="hand")
    table.do("set", combatant=psyker, dice="hand", add=["holding-mind-speech"])
    table.act(foe, "attack", psyker, ask=False)
    while table.steps():
        groups = [group for part in table.question()["parts"] for group in part["groups"]]
        table.dice(*([{100: 51}.get(group["sides"], 7)] * group["count"] for group in groups))
    assert "stunned" in table.conditions(psyker)
    [line] = [line for line in told(table) if "no longer holding mind speech" in line]
    assert line.endswith("(is stunned)")
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
    [line] = [line for line in told(table) if "no longer obeying" in line]
    assert line.endswith("(the Action Phase is over)")


def test_an_action_on_a_comrade_is_not_against_them(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn")
    for who, side in (("wren", "crew"), ("dov", "crew"), ("gang-member", "gang")):
        table.join(who, side=side, id=who)
    table.begin(wren={"side": 5}, dov={"side": 5}, **{"gang-member": {"side": 1}})
    table.act("dov", "screen-ally", "wren")
    table.act("wren", "ranged-attack", "gang-member", situation={"distance": 5})
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "Dov, blade: Screen an Ally: Wren, gunhand (1 Move Action)" in text
    assert "Wren, gunhand: Make a Ranged Attack against Gang Member with Heavy Pistol (1 Main Action)" in text
    table.close()


def test_a_condition_that_begins_twice_in_an_event_is_reported_once(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn")
    for who, side in (("dov", "crew"), ("gang-member", "gang")):
        table.join(who, side=side, id=who, asks=False)
    table.begin(dov={"side": 5}, **{"gang-member": {"side": 1}})
    table.do("set", combatant="gang-member", fields={"hp": 90})
    table.act("dov", "charge", "gang-member", situation={"distance": 8})
    assert told(table).count("Dov, blade is now charging (to the end of Round 1)") == 1
    text = log_markdown(table.encounters, table.id, table.gm)
    assert text.count("Dov, blade is now charging (to the end of Round 1)") == 1
    table.close()


def test_a_roll_about_another_has_their_name(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn")
    for who, side in (("sable", "crew"), ("gang-member", "gang")):
        table.join(who, side=side, id=who, asks=False, carried={"grenade-frag": 1})
    table.begin(sable={"side": 5}, **{"gang-member": {"side": 1}})
    luck = [{"label": "luck", "to": "attack.bonus", "value": 20}]
    table.act("sable", "throw-grenade", "gang-member", situation={"distance": 6}, modifiers=luck)
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "  - save (Gang Member): 1d20 >= 15: " in text
    assert "  - trauma for Gang Member (Sable, sniper): 1d8 >= 6: " in text
    table.close()


def test_what_is_due_and_passed_over_does_not_happen(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn")
    for who, side in (("car", "crew"), ("gang-member", "gang")):
        table.join(who, side=side, id=who)
    table.join("wren", id="wren", side="crew")
    table.do("set", combatant="car", fields={"hp": 1})
    table.do("set", combatant="wren", add=["aboard"], towards=["car"])
    table.begin(wren={"side": 5}, **{"gang-member": {"side": 9}})
    luck = [{"label": "luck", "to": name, "value": 50} for name in ("attack.bonus", "damage.bonus")]
    hit = {"distance": 5, "attack": {"pierces": True}}
    table.act("gang-member", "ranged-attack", "car", situation=hit, modifiers=luck)
    table.do("next")
    assert table.state.phase == "due"
    table.do("next")
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "“A vehicle is destroyed” does not happen" in text
    table.close()
