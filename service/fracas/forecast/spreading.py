"""A forecast over several processes. Each fight draws its own lots, so that their number changes no result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.forecast.asking import NewForecastSchema, state_of_new
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
) -> dict[str, Any]:
    """The forecast that a request asks for.

    Args:
        folders: of packs, beside the built-in ones.
        progress: called with the fights that are played, and those that are wanted.

    Raises:
        InputError: it cannot be forecast, and why.
    """
    asked = load(NewForecastSchema(), dict(given))
    one = made(asked, folders)
    parts = [
        (start, min(PART, asked["start"] + asked["fights"] - start))
        for start in range(asked["start"], asked["start"] + asked["fights"], PART)
    ]
    found: dict[int, list[Counts]] = {}
    done = 0
    if processes == 1 or len(parts) == 1:
        for start, count in parts:
            found[start] = [tally.counts for tally in one.play(start, count)]
            done += count
            if progress:
                progress(done, asked["fights"])
    else:
        _HERE[:] = [one]  # processes that are forked have what is known already
        with ProcessPoolExecutor(processes, initializer=_begin, initargs=(asked, folders)) as pool:
            waiting = {pool.submit(_play, *part): part for part in parts}
            for future in as_completed(waiting):
                start, count = waiting[future]
                found[start] = future.result()
                done += count
                if progress:
                    progress(done, asked["fights"])
    tallies = one.tallies()
    for start, _ in parts:
        for tally, counts in zip(tallies, found[start], strict=True):
            tally.counts.plus(counts)
    return one.report(asked["start"], tallies)


def made(asked: Mapping[str, Any], folders: Sequence[Path]) -> Forecast:
    """The fight that a request describes, made ready."""
    library = Library.read((shipped("datapacks"), *folders), asked["ruleset"], without=("examples",))
    game, state = state_of_new(Games(library), asked)
    return Forecast(game, state, asked)


def _begin(asked: Mapping[str, Any], folders: Sequence[Path]) -> None:
    if not _HERE:
        _HERE.append(made(asked, folders))


def _play(start: int, count: int) -> list[Counts]:
    return [tally.counts for tally in _HERE[0].play(start, count)]
