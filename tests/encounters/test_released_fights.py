"""Fights that version 0.2.0 stored are folded to the same state, and go on where they stand.

``released/0.2.0-<ruleset>.jsonl`` was written by that version: the events of a short fight of a shipped skirmish, in
which a step is open, and in the last line the state. They are not to be made anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import History, event_of
from fracas.encounters.fight import Fight, snapshot_of
from fracas.encounters.fights import rules_of
from fracas.encounters.fold import fold
from fracas.encounters.records import NewEncounter, StoredEvent
from fracas.encounters.sql_store import SqlStore
from fracas.encounters.state import State, to_json
from fracas.engine.game import Games
from fracas.engine.opening import open_games

RELEASED = sorted((Path(__file__).parent / "released").glob("*.jsonl"))
GM = Author("gm", "gm", label="GM")


@pytest.fixture(scope="module")
def games() -> Games:
    return open_games(())


def read(path: Path) -> tuple[list[str], dict[str, Any]]:
    *events, state = path.read_text("utf-8").splitlines()
    return events, json.loads(state)


def folded(games: Games, events: list[str]) -> tuple[State, History]:
    history = History()
    for text in events:
        history = history.after(event_of(text))
    ruleset = json.loads(events[0])["data"]["ruleset"]
    return fold(rules_of(games.game(ruleset)), map(event_of, events)), history


def agrees(now: Any, then: Any) -> bool:
    """Whether all of a state that was stored is as it was; fields that came later may be there beside it."""
    if isinstance(then, Mapping):
        return all(name in now and agrees(now[name], part) for name, part in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(agrees, now, then))
    return bool(now == then)


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_it_folds_to_the_state_that_it_had(games: Games, path: Path) -> None:
    events, then = read(path)
    state, _ = folded(games, events)
    now = json.loads(json.dumps(to_json(state)))
    assert [name for name, part in then.items() if not agrees(now.get(name), part)] == []


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_its_open_step_is_answered_and_its_events_are_taken_back(
    games: Games, path: Path, tmp_path: Path
) -> None:
    events, _ = read(path)
    state, history = folded(games, events)
    with closing(SqlStore(str(tmp_path / "fights.db"))) as store:
        store.migrate()
        stored = [StoredEvent(at, text) for at, text in enumerate(events, start=1)]
        snapshot = snapshot_of(Fight("old", state, history))
        store.create(NewEncounter("old", "Old", state.ruleset, bytes(32), 0), stored, snapshot, [])
        encounters = Encounters(games, store, lambda: 1_800_001_000_000)
        assert encounters.fight("old").state.resolutions
        for _ in range(40):
            open_ = encounters.fight("old").state.resolutions.values()
            question = next((one.question for one in open_ if one.question), None)
            if question is None:
                break
            answer = {"command": "answer", "question": question["id"]}
            if question.get("options"):
                answer["choose"] = question["default"]
            encounters.command("old", GM, answer)
        assert not encounters.fight("old").state.resolutions
        encounters.command("old", GM, {"command": "undo", "to": 4})
        assert encounters.fight("old").state == folded(games, events[:4])[0]
        encounters.command("old", GM, {"command": "redo", "to": len(events)})
        assert encounters.fight("old").state == state


def test_every_ruleset_has_one() -> None:
    assert [path.stem for path in RELEASED] == ["0.2.0-cwn", "0.2.0-imperium", "0.2.0-sr4", "0.2.0-sr5"]
