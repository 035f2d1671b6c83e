"""House rules that change after the beginning of a fight: when they may, what follows, undo, the log, and its proof."""

from __future__ import annotations

import copy
import re

import pytest
from console_browsers import Table, form_of, said_in
from flask import Flask

from fracas.encounters.audit import verify
from fracas.encounters.log import log_json


def form(table: Table, **said: str) -> dict[str, str]:
    return {"key": f"rules {table.version}", **said}


def until_over(table: Table) -> None:
    """Play until the turn is over."""
    for _ in range(60):
        table.settle()
        if table.state.phase == "turn-over":
            return
        table.does("next", **({"combatant": table.state.acting[0]} if table.state.acting else {}))
    raise AssertionError("the turn is never over")


def test_they_change_between_two_turns(app: Flask) -> None:
    table = Table(app, "cwn", "alley")
    table.until_acting()
    refused = table.post("/rules", form(table, **{"option.initiative": "individual"}))
    assert refused.status_code == 409
    assert "house rules change between two Rounds, and Round 1 is not over" in said_in(refused)
    page = table.get("/people").text
    assert "House rules change between two Rounds" in page
    assert "Change house rules" not in page
    assert re.search(r'name="option.initiative"[^>]*>|<fieldset class="switch" disabled', page)
    until_over(table)
    assert "Change house rules" in table.get("/people").text
    sent = {"option.initiative": "individual", "option.natural_20_hits": "yes", "switch.natural_20_hits": "1"}
    assert table.post("/rules", form(table, **sent)).status_code == 204
    assert (table.state.options["initiative"], table.state.options["natural_20_hits"]) == ("individual", True)
    assert table.state.options["tt_stack"] == "sum"
    page = said_in(table.get("/people"))
    assert "house rules as usual" in page
    assert page.index("Initiative") < page.index("house rules as usual")
    assert "house rules change" in table.part("/log").text
    assert "Initiative: each alone, was by side" in said_in(table.part("/log"))
    again = table.post("/rules", form(table, **sent))
    assert again.status_code == 422  # no house rule is changed
    table.does("undo", steps="1")
    assert table.state.options["initiative"] == "side"
    table.does("redo", steps="1")
    assert table.state.options["initiative"] == "individual"
    table.until_acting()
    assert all("own" in one.rolled for one in table.state.combatants.values())


@pytest.mark.parametrize(
    ("ruleset", "skirmish", "options"),
    [
        (
            "sr4",
            "loading-dock",
            {"option.max_passes": "2", "switch.simultaneous_actions": "1", "option.recoil": "flat"},
        ),
        (
            "sr5",
            "front-gate",
            {"option.initiative_passes": "yes", "switch.frozen_initiative": "1", "switch.bonus_actions": "1"},
        ),
        ("cwn", "alley", {"option.initiative": "individual", "option.npc_hit_die": "d6"}),
        (
            "imperium",
            "underhive",
            {
                "option.rolled_initiative": "yes",
                "option.one_action_rounds": "yes",
                "option.death_at": "total_exceeds_toughness",
            },
        ),
    ],
)
def test_a_fight_goes_on_by_the_other_rules_and_is_proved(
    app: Flask, ruleset: str, skirmish: str, options: dict[str, str]
) -> None:
    table = Table(app, ruleset, skirmish)
    for turn in range(3):
        until_over_of_some(table)
        if turn == 0:
            assert table.post("/rules", form(table, **options)).status_code == 204
    table.does("undo", steps="3")
    table.until_acting()
    table.does("close")
    log = log_json(table.fights, table.fight, table.gm)
    report = verify(log)
    assert report.ok, report.first_difference
    assert all(check.status == "ok" for check in report.checks), report.checks
    forged = copy.deepcopy(log)
    (ruled,) = (event for event in forged["events"] if event["type"] == "ruled")
    ruled["data"]["options"]["no-such-rule"] = True
    assert not verify(forged).ok


def until_over_of_some(table: Table) -> None:
    """A turn in which everybody who can attacks once."""
    table.until_acting()
    while table.state.phase != "turn-over":
        table.settle()
        acting = table.state.acting
        board = table.part("/board").text.partition('id="weapons"')[2]
        attack = re.search(r'<form hx-post="[^"]*/command".*?</form>', board, re.S)
        if acting and attack and table.state.combatants[acting[0]].spent == {}:
            table.post("/command", form_of(attack[0]))
            table.settle()
        if table.state.acting:
            table.does("next", combatant=table.state.acting[0])
        elif table.state.phase == "due":
            table.does("next")


def test_before_the_first_turn_and_only_by_the_gm(app: Flask) -> None:
    table = Table(app, "sr4", "")
    table.does("join", combatant="rook", side="runners")
    player = table.invites("player", "rook")
    sent = form(table, **{"option.recoil": "flat"})
    assert player.post("/rules", sent).status_code == 403
    assert player.command("change-rules").status_code in (403, 422)
    assert table.post("/rules", sent).status_code == 204
    assert table.state.options["recoil"] == "flat"
    for wrong in ({"option.recoil": "loud"}, {"option.max_passes": "many"}, {}):
        assert table.post("/rules", form(table, **wrong)).status_code == 422
    table.does("begin-turn")
    table.does("close")
    assert table.post("/rules", form(table, **{"option.recoil": "cumulative"})).status_code == 409


def test_the_distance_changes_for_everybody_in_the_middle_of_a_turn(app: Flask) -> None:
    table = Table(app)
    table.until_acting()
    assert 'name="scene.distance"' in table.get().text
    assert table.post("/rules", form(table, **{"scene.distance": "7"})).status_code == 204
    assert table.state.settings["scene"]["distance"] == 7
    assert re.search(r'name="scene.distance"[^>]* value="7"', table.get().text)
    log = said_in(table.part("/log"))
    assert "the scene changes" in log
    assert re.search(r"Distance to the target: 7 metres, was \d+|Distance: 7 metres, was \d+", log)
    for wrong, message in (("near", "Distance"), ("-3", "Distance")):
        answer = table.post("/rules", form(table, **{"scene.distance": wrong}))
        assert answer.status_code == 422
        assert message in said_in(answer)
    table.does("undo", steps="1")
    assert table.state.settings["scene"]["distance"] != 7
    table.does("redo", steps="1")
    table.does("close")
    report = verify(log_json(table.fights, table.fight, table.gm))
    assert report.ok, report.first_difference


def test_a_fight_without_a_distance_leads_to_its_field(app: Flask) -> None:
    table = Table(app, "imperium", "")
    for name, side in (("Ann", "us"), ("Bob", "them")):
        table.does("join", combatant="agent", name=name, side=side)
    table.until_acting()
    board = table.part("/board").text
    assert 'href="#apart-value"' in board
    assert 'id="apart-value"' in board
    assert table.post("/rules", form(table, **{"scene.distance": "12"})).status_code == 204
    board = table.part("/board").text
    assert 'href="#apart-value"' not in board
    assert 'class="weapon best"' in board
