"""500 fights of Shadowrun 4, played at random to their end, without an error; see `fight_board.check` for what holds
after each event.

A fight that fails tells its seed and its commands. ``RandomFight(seed, Counter(), Counter())`` alone is another fight:
what was played in the fights before it decides which actions it prefers.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from fight_playing import play_again
from sr4_board import check_whole
from sr4_random_fights import WAYS, RandomFight

pytestmark = pytest.mark.slow

CHUNKS, FIGHTS, MORE = 10, 50, 30
"""A few more fights where an action was in none of them: those who come then wish for it."""

REPLAYED = 25
"""Of so many fights one is played again with a store, and taken back to its beginning."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_fights_come_to_their_end(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    for number in range(FIGHTS + MORE):
        fight = RandomFight(f"{chunk}.{number}", played, ways)
        try:
            fight.play()
            assert fight.over
            check_whole(fight.board)
            if number % REPLAYED == 0:
                play_again(fight.board, tmp_path / f"{number}", monkeypatch).close()
        except BaseException as error:
            commands = "\n".join(json.dumps(body) for body in [*fight.board.given, fight.board.trying])
            error.add_note(f"in fight {fight.seed}, with these commands:\n{commands}")
            raise
        missing = {action.slug for action in fight.board.actions} - set(played) | WAYS - set(ways)
        if number >= FIGHTS - 1 and not missing:
            break
    assert not missing, "nobody could do this: see `sr4_action_plays`"
