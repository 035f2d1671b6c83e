"""500 fights of Shadowrun 4, played at random to their end, without an error; see `sr4_board.check` for what holds
after each event.

A fight that fails tells its seed and its commands. ``RandomFight(seed, Counter())`` alone is another fight: what was
played in the fights before it decides which actions it prefers.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from sr4_board import Board, check_whole
from sr4_random_fights import UNPLAYED, RandomFight
from table_play import Table

from fracas.encounters import encounters, fold

pytestmark = pytest.mark.slow

CHUNKS, FIGHTS, MORE = 10, 50, 30
"""A few more fights where an action was in none of them: those who come then wish for it."""

REPLAYED = 25
"""Of so many fights one is played again with a store, and taken back to its beginning."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_fights_come_to_their_end(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: Counter[str] = Counter()
    for number in range(FIGHTS + MORE):
        fight = RandomFight(f"{chunk}.{number}", played)
        try:
            fight.play()
            assert fight.over
            check_whole(fight.board)
            if number % REPLAYED == 0:
                play_again(fight.board, tmp_path / f"{number}", monkeypatch)
        except BaseException as error:
            commands = "\n".join(json.dumps(body) for body in [*fight.board.given, fight.board.trying])
            error.add_note(f"in fight {fight.seed}, with these commands:\n{commands}")
            raise
        missing = {action.slug for action in fight.board.actions} - set(played) - UNPLAYED
        if number >= FIGHTS - 1 and not missing:
            break
    assert not missing, "nobody could take these actions: see `sr4_action_plays`"


def play_again(board: Board, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same commands with the same seed make the same fight in a store; undo and redo lead back and forth."""
    folder.mkdir()
    monkeypatch.setattr(encounters, "new_seed", lambda: board.seed)
    table = Table(folder, "sr4", board.settings, board.options)
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
    table.close()
