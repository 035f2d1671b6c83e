"""A forecast over several processes. Each fight draws its own lots, so that their number changes no result."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from fracas.encounters.encounters import Encounters
from fracas.encounters.sql_store import SqlStore
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.forecast.asking import ForecastSchema, NewForecastSchema, state_of_new
from fracas.forecast.forecasting import Forecast
from fracas.forecast.summing import Counts
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

PART = 250
"""Fights of one part."""
_HERE: list[Forecast] = []
"""What this process plays."""


def spread(
    given: Mapping[str, Any],
    folders: Sequence[Path],
    processes: int,
    progress: Callable[[int, int], object] | None = None,
    kept: tuple[str, str] | None = None,
) -> dict[str, Any]:
    """The forecast that a request asks for. If Ctrl+C stops it, of the parts that are played by then.

    Args:
        folders: of packs, beside the built-in ones.
        progress: called with the fights that are played, and those that are wanted.
        kept: the database and the id of a fight that stands, in place of one that would begin.

    Raises:
        InputError: it cannot be forecast, and why.
        UnknownFightError, DatabaseError: there is no such fight, or its database cannot be read.
    """
    asked = load(ForecastSchema() if kept else NewForecastSchema(), dict(given))
    one = made(asked, folders, kept)
    parts = [
        (start, min(PART, asked["start"] + asked["fights"] - start))
        for start in range(asked["start"], asked["start"] + asked["fights"], PART)
    ]
    found: dict[int, list[Counts]] = {}
    done = 0

    def played(start: int, count: int, counts: list[Counts]) -> None:
        nonlocal done
        found[start] = counts
        done += count
        if progress:
            progress(done, asked["fights"])

    try:
        if processes == 1 or len(parts) == 1:
            for start, count in parts:
                played(start, count, [tally.counts for tally in one.play(start, count)])
        else:
            _HERE[:] = [one]  # processes that are forked have what is known already
            with ProcessPoolExecutor(processes, initializer=_begin, initargs=(asked, folders, kept)) as pool:
                waiting = {pool.submit(_play, *part): part for part in parts}
                try:
                    for future in as_completed(waiting):
                        played(*waiting[future], future.result())
                except KeyboardInterrupt:
                    pool.shutdown(cancel_futures=True)
                    raise
    except KeyboardInterrupt:
        if not found:
            raise
    tallies = one.tallies()
    for _, part in sorted(found.items()):
        for tally, counts in zip(tallies, part, strict=True):
            tally.counts.plus(counts)
    return one.report(asked["start"], tallies)


def made(asked: Mapping[str, Any], folders: Sequence[Path], kept: tuple[str, str] | None = None) -> Forecast:
    """The fight that a request describes, or a kept one, made ready."""
    if kept is not None:
        library = Library.read((shipped("datapacks"), *folders), without=("examples",))
        store = SqlStore(kept[0])
        try:
            encounters = Encounters(Games(library), store, lambda: 0)
            fight = encounters.fight(kept[1])
            return Forecast(encounters.game(fight), fight.state, asked)
        finally:
            store.close()
    library = Library.read((shipped("datapacks"), *folders), asked["ruleset"], without=("examples",))
    game, state = state_of_new(Games(library), asked)
    return Forecast(game, state, asked)


def _begin(asked: Mapping[str, Any], folders: Sequence[Path], kept: tuple[str, str] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks ends the others
    if not _HERE:
        _HERE.append(made(asked, folders, kept))


def _play(start: int, count: int) -> list[Counts]:
    return [tally.counts for tally in _HERE[0].play(start, count)]
