"""What random fights of all rulesets share: answers to questions, and fights that are played again with a store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fight_board import Board, Body
from table_play import Table

from fracas.encounters import encounters, fold
from fracas.encounters.state import Resolution


def answer_to(board: Board, pick: Random, one: Resolution, boldly: float) -> Body:
    """An answer to the question of a step: dice typed in or not, any option that can be paid for, or the default.

    Args:
        boldly: how often any option is taken instead of the default.
    """
    question = one.question
    assert question is not None
    body: Body = {"command": "answer", "question": question["id"]}
    if question["kind"] == "roll":
        groups = [
            group
            for part in question["parts"]
            if part["hand"] and part["thrown"] is None
            for group in part["groups"]
        ]
        if groups and pick.random() < 0.5:
            body["dice"] = [_faces(pick, group) for group in groups]
    elif question["kind"] != "confirm" and pick.random() < boldly:
        scene = board.scene()
        owner = question["owners"][0] if question["owners"] else ""
        options = [
            option["id"]
            for option in question["options"]
            if not owner or not scene.why_not_pay(owner, option["cost"])
        ]
        body["choose"] = pick.choice(options)
    else:
        body["choose"] = question["default"]
    return body


def _faces(pick: Random, group: Mapping[str, Any]) -> list[int]:
    sides, wanted = group["sides"], group["count"]
    faces: list[int] = []
    while wanted:
        thrown = [pick.randint(1, sides) for _ in range(wanted)]
        faces += thrown
        wanted = thrown.count(sides) if group["exploding"] else 0
    return faces


def play_again(board: Board, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The same commands with the same seed make the same fight in a store; undo and redo lead back and forth."""
    folder.mkdir()
    monkeypatch.setattr(encounters, "new_seed", lambda: board.seed)
    table = Table(folder, board.ruleset, board.settings, board.options)
    begun = table.state
    for body in board.given[:-1]:
        table.encounters.command(table.id, table.gm, body)
    state = table.state
    assert state == fold.fold(board.rules, board.events[:-1])
    assert table.opened_again().fight(table.id).state == state
    steps = len(board.given) - 1
    table.do("undo", steps=steps)
    assert table.state == begun
    table.do("redo", steps=steps)
    assert table.state == state
    table.encounters.command(table.id, table.gm, board.given[-1])
    assert table.state == board.state
    return table
