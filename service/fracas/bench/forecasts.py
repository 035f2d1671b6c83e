"""Forecasts of fights of four against four, against the same fights played step by step."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from fracas.bench.timing import Figure, Row
from fracas.dice.sources import SeededDice, new_seed
from fracas.encounters import fold
from fracas.encounters.action_commands import act
from fracas.encounters.schemas import load_command
from fracas.engine.loading import load
from fracas.forecast.actions import Against
from fracas.forecast.asking import NewForecastSchema
from fracas.forecast.forecasting import Forecast
from fracas.forecast.playing import Play
from fracas.forecast.spreading import made
from fracas.forecast.statuses import ACTOR, TARGET
from fracas.forecast.walks import lots

FIGHTS, PROCESSES, STEPPED = 10_000, 2, 5
WARMING = 2_000
"""Fights after which nearly all is known that fights come to."""
MOST_SECONDS, MOST_FOR_TABLES = 3.0, 5.0
PLAYED = Figure(
    f"{FIGHTS:,} fights of four against four in sr4, on {PROCESSES} processes, after the tables are made",
    f"the same fights step by step, each action by the rules of encounters; {STEPPED} of them, times "
    f"{FIGHTS // STEPPED}",
    "s",
    20.0,
)
SECONDS = Figure("processor time of these fights, on each processor", "what is wanted", "s", 1.0, True)
TABLES = Figure(
    "processor time of the tables of these fights, on one process", "what is wanted", "s", 1.0, True
)
FIGURES = (PLAYED, SECONDS, TABLES)
ASKED: dict[str, Any] = {
    "ruleset": "sr4",
    "situation": {"distance": 12},
    "combatants": [
        {"combatant": "rook", "side": "one"},
        {"combatant": "vex", "side": "one"},
        {"combatant": "guard", "side": "one", "count": 2},
        {"combatant": "guard", "side": "two", "count": 3},
        {"combatant": "brick", "side": "two"},
    ],
}
_READY: list[Forecast] = []


class Stepped(Play):
    """A fight whose actions are carried out one by one, with dice, and nothing remembered of any."""

    def _attacks(self, i: int, way: Against, j: int) -> None:
        statuses, self.busy = self.model.statuses, True
        state = statuses.pair(self.status[i], self.status[j])
        command = {
            "command": "act", "combatant": ACTOR, "action": way.way.action.slug, "target": TARGET,
            "item": way.way.item or None, "situation": dict(way.way.situation), "confirm": True,
        }  # fmt: skip
        context = statuses.context(state)._replace(trying=False, dice=SeededDice(new_seed()))
        _, data, _ = act(context, load_command(command))
        after = fold.acted(statuses.rules, state, data).combatants
        for at, id in ((i, ACTOR), (j, TARGET)):
            kind = self.model.fighters[at].kind
            self.status[at], rounds = statuses.status(kind, after[id])
            full = statuses.kinds[kind].full.values()
            self._spend(at, [has - had for has, had in zip(rounds, full, strict=True)])
            self._note(at)


def measure() -> list[Row]:
    start = time.process_time()
    one = made(load(NewForecastSchema(), ASKED), ())
    one.play(0, WARMING)
    spent = time.process_time() - start
    start = time.process_time()
    one.play(0, WARMING)
    tables = spent - (time.process_time() - start)
    _READY[:] = [one]
    mine, busy = _spread(one)
    start = time.perf_counter()
    for number in range(STEPPED):
        Stepped(one.variants[0].model, lots("fracas", number)).run()
    theirs = (time.perf_counter() - start) / STEPPED * FIGHTS
    note = f"{len(one.variants[0].model.statuses):,} ways to stand{_memory()}"
    return [
        PLAYED.row(mine, theirs, theirs / mine, note),
        SECONDS.row(busy, MOST_SECONDS, busy / MOST_SECONDS),
        TABLES.row(tables, MOST_FOR_TABLES, tables / MOST_FOR_TABLES),
    ]


def _spread(one: Forecast) -> tuple[float, float]:
    """Seconds for all fights, on processes that are copies of this one where the system can copy; and the most
    processor time that one of them takes."""
    if not hasattr(os, "fork"):
        start, busy = time.perf_counter(), time.process_time()
        one.play(0, FIGHTS)
        return time.perf_counter() - start, (time.process_time() - busy) / PROCESSES
    each = FIGHTS // PROCESSES
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("fork")) as pool:
        list(pool.map(_play, [(0, 1)] * PROCESSES))  # which starts them
        start = time.perf_counter()
        busy = max(pool.map(_play, [(at * each, each) for at in range(PROCESSES)]))
        return time.perf_counter() - start, busy


def _play(part: Sequence[int]) -> float:
    """Seconds of processor time for a part of the fights."""
    began = time.process_time()
    start, count = part
    _READY[0].play(start, count)
    return time.process_time() - began


def _memory() -> str:
    try:
        import resource
    except ImportError:  # on Windows
        return ""
    return f"; {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024:,} MB at most, packs and all"
