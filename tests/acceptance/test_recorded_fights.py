"""Whole fights, recorded from play over HTTP, are played again and must go the same way to the last box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from recorded_fights import FOLDER, Table, plain, read, replay
from told_changes import check_fed

from fracas.encounters import fold
from fracas.encounters.audit import verify
from fracas.encounters.command_context import Author
from fracas.encounters.events import Event, History, counts
from fracas.encounters.fights import rules_of
from fracas.engine.opening import open_games

FIREFIGHT, STREETFIGHT, AMBUSH = "sr4-firefight", "cwn-streetfight", "imperium-ambush"
EXTRACTION = "sr5-extraction"
SHAPES = {FIREFIGHT: (3, 20), STREETFIGHT: (4, 17), AMBUSH: (4, 15), EXTRACTION: (4, 20)}
"""How many turns each has, and how many different actions, at the least."""
KINDS = {
    FIREFIGHT: {"contested", "began-turn", "acted", "answered", "bought", "delayed", "intervened", "closed"},
    STREETFIGHT: {"began-turn", "acted", "answered", "advanced", "closed"},
    AMBUSH: {"set", "began-turn", "acted", "answered", "advanced", "undone", "redone", "closed"},
    EXTRACTION: {
        "set",
        "contested",
        "began-turn",
        "acted",
        "answered",
        "bought",
        "undone",
        "redone",
        "closed",
    },
}


@pytest.fixture(scope="module", params=list(SHAPES))
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def recording(name: str) -> dict[str, Any]:
    return read(FOLDER / f"{name}.jsonl")


@pytest.fixture(scope="module")
def played(service: Any, recording: dict[str, Any]) -> Iterator[Table]:
    table = replay(service.port, recording)
    yield table
    table.close()


def test_the_fight_goes_as_it_was_recorded(played: Table, recording: dict[str, Any]) -> None:
    assert plain(played.log()["state"]) == recording["end"]


def test_its_log_is_proven(played: Table) -> None:
    report = verify(played.log())
    assert report.ok, report.first_difference


def test_no_change_is_without_a_line_or_a_cause(played: Table) -> None:
    """Of the events that count: the feed names every monitor, condition and ability that they change."""
    log = played.log()
    events = [Event(**one) for one in log["events"]]
    history = History()
    for event in events:
        history = history.after(event)
    game = open_games(()).game(log["ruleset"])
    state, gm = fold.NOTHING, Author("gm")
    for event in (event for event in events if counts(history.past, event.version)):
        before, state = state, fold.apply(rules_of(game), state, event)
        check_fed(game, rules_of(game), event, before, state, gm)


def test_it_is_a_whole_fight(name: str, recording: dict[str, Any]) -> None:
    """Six combatants, three turns or more, and much of what the rulebook has."""
    told = [one["told"] for one in recording["commands"]]
    kinds = {one["type"] for one in told if "type" in one}
    assert KINDS[name] <= kinds
    assert len(recording["end"]["combatants"]) == 6
    turns, different = SHAPES[name]
    assert recording["end"]["turn"] == turns
    actions = {one["data"]["action"] for one in told if one.get("type") == "acted"}
    assert len(actions) >= different, sorted(actions)
    assert any("status" in one for one in told)  # something was refused, and is again
