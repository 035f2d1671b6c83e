"""Fights of Shadowrun 4, played at random to their end: one chunk of 20, in the nightly run ten of 50.

They end without an error. See `fight_board.check` for what holds after each event. In each
chunk of them every action of the packs is taken, and delayed actions become all they may.

A fight that fails tells its seed and its commands. ``RandomFight(seed, Counter(), Counter())`` alone is another fight:
what was played in the fights before it decides which actions it prefers.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from fight_playing import play_chunk
from sr4_random_fights import WAYS, RandomFight
from tiers import scale

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("chunk", range(scale(1, 10)))
def test_fights_come_to_their_end(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    play_chunk(
        lambda seed: RandomFight(seed, played, ways),
        chunk,
        lambda fight: {action.slug for action in fight.board.actions} - set(played) | WAYS - set(ways),
        tmp_path,
        monkeypatch,
    )
