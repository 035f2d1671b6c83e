"""Whatever is played: the state is what the counting events make, undo and redo come back, no die falls twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from random_play import RandomPlay
from table_play import Table
from tiers import scale

from fracas.encounters import encounters
from fracas.encounters.events import TIMELESS

STEPS = 110


@pytest.mark.parametrize("seed", range(scale(3, 6)))
@pytest.mark.parametrize("ruleset", ["sr4", "cwn", "sr5"])
def test_random_play(ruleset: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed % 2:
        monkeypatch.setattr(encounters, "SNAPSHOT_EVERY", 7)
    options = {"initiative": "individual"} if ruleset == "cwn" and seed % 3 == 2 else {}
    settings = {"apply": "confirm" if seed % 3 else "at-once"}
    table = Table(tmp_path, ruleset, settings, options)
    play = RandomPlay(table, seed)
    play.start()
    for number in range(STEPS):
        play.step()
        if number % 5 == 0:
            play.check_reopened()
    play.check_log()
    changing = {event.version for event in table.encounters.events(table.id) if event.type not in TIMELESS}
    assert set(play.states) == changing  # so that every undo was held against what had been there
    assert play.refused > 2
    assert Counter(play.played)["act"] > 0  # how many depends on the dice
    undo_and_redo_all(table, play)
    table.close()


def undo_and_redo_all(table: Table, play: RandomPlay) -> None:
    """Back to the beginning in a few steps and forth again in others is where it was."""
    state, count = table.state, table.view()["undoable"]
    left = count
    while left:
        steps = min(left, play.random.randint(1, 40))
        play.give({"command": "undo", "steps": steps}, table.gm)
        left -= steps
    assert table.state == play.states[1]
    while left < count:
        steps = min(count - left, play.random.randint(1, 40))
        play.give({"command": "redo", "steps": steps}, table.gm)
        left += steps
    assert table.state == state
    play.check_reopened()
    play.check_log()
