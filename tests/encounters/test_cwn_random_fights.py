"""500 fights of Cities Without Number, played at random to their end, without an error; see `fight_board.check` and
`cwn_board` for what holds after each event.

A fight that fails tells its seed and its commands. ``RandomFight(seed, Counter())`` alone is another fight: what was
played in the fights before it decides which actions it prefers.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from cwn_random_fights import RandomFight
from fight_board import check_whole
from fight_playing import play_again

from fracas.encounters.audit import verify
from fracas.encounters.log import log_json

pytestmark = pytest.mark.slow

CHUNKS, FIGHTS, MORE = 10, 50, 60
"""More fights in the first chunk, as long as an action was in none of them: those who come then wish for it."""

REPLAYED = 25
"""Of so many fights one is played again with a store, audited, and taken back to its beginning."""


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
                table = play_again(fight.board, tmp_path / f"{number}", monkeypatch)
                report = verify(log_json(table.encounters, table.id, table.gm))
                assert report.ok, str(report.first_difference)
                table.close()
        except BaseException as error:
            commands = "\n".join(json.dumps(body) for body in [*fight.board.given, fight.board.trying])
            error.add_note(f"in fight {fight.seed}, with these commands:\n{commands}")
            raise
        missing = {action.slug for action in fight.board.actions} - set(played)
        if number >= FIGHTS - 1 and (chunk or not missing):
            break
    assert chunk or not missing, "nobody could take these actions: see `cwn_action_plays`"
