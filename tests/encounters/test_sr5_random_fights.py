"""Fights of Shadowrun 5, played at random to their end: two chunks of 20, in the nightly run ten of 50.

They end without an error. See `fight_board.check` and `sr5_checked_board` for what holds after each event. In each
chunk of them every action of the packs is taken.

A fight that fails tells its seed and its commands. ``RandomFight(seed, Counter())`` alone is another fight:
what was played in the fights before it decides which actions it prefers.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from fight_playing import play_chunk
from sr5_checked_board import Board, CoreBoard
from sr5_random_fights import RandomFight
from tiers import scale

pytestmark = pytest.mark.slow


def play(chunk: int, board: type[Board], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: Counter[str] = Counter()
    play_chunk(
        lambda seed: RandomFight(seed, played, board),
        chunk,
        lambda fight: {action.slug for action in fight.board.actions} - set(played),
        folder,
        monkeypatch,
    )


@pytest.mark.parametrize("chunk", range(scale(1, 9)))
def test_fights_come_to_their_end(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(chunk, Board, tmp_path, monkeypatch)


def test_so_do_fights_by_the_ordinary_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the pack of the house rules."""
    play(9, CoreBoard, tmp_path, monkeypatch)
