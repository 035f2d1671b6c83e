"""Every kind of field of recorded fights, changed or left out one at a time: does an audit notice?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from audited_logs import Log, Path_, at, leaves, log_of, noticed, other
from table_play import Table

from fracas.encounters.command_context import Author
from fracas.encounters.events import NOTHING_BEFORE, digest
from fracas.encounters.schemas import NewEncounterSchema
from fracas.engine.loading import load
from fracas.errors import FracasError

RECORDINGS = Path(__file__).parents[1] / "acceptance" / "recordings"
FIGHTS = {
    "sr4": "sr4-firefight",
    "sr5": "sr5-extraction",
    "cwn": "cwn-streetfight",
    "imperium": "imperium-ambush",
}
"""A recorded fight of each ruleset."""


class Site(NamedTuple):
    """A place in a log: the kind of field that it is an example of, and the way to it."""

    kind: str
    path: Path_


def recorded(folder: Path, ruleset: str, count: int | None = None) -> Log:
    """The log of a recorded fight, played anew up to its end, or as far as its first commands go."""
    head, *lines = (RECORDINGS / f"{FIGHTS[ruleset]}.jsonl").read_text("utf-8").splitlines()
    recording = json.loads(head)
    table = Table(folder, ruleset, name=f"{ruleset}.db")
    fight, issued = table.encounters.begin(load(NewEncounterSchema(), recording["encounter"]))
    table.id, table.gm = fight.id, Author("gm", issued[0].token.id, "GM")
    for line in lines[:count]:
        one = json.loads(line)
        own = frozenset(recording["players"].get(one["who"], ()))
        by = table.gm if one["who"] == "gm" else Author("player", one["who"], one["who"], own)
        table.now += 1000
        try:
            table.encounters.command(table.id, by, one["body"])
        except FracasError:
            assert "status" in one["told"], one
    if table.state.phase != "closed":
        table.do("close")
    log = log_of(table)
    table.close()
    return log


def kind_of(log: Log, path: Path_) -> str:
    """The type of the event, and the way in it without numbers."""
    number, *way = path[1:]
    return ".".join(
        [log["events"][number]["type"], *("[]" if isinstance(step, int) else step for step in way)]
    )


def sites(log: Log, ways: Callable[[Any, Path_], Iterator[Path_]] = leaves) -> list[Site]:
    """One place for each kind of field: that in the middle of the fight."""
    found: dict[str, list[Path_]] = {}
    for path in ways(log["events"], ("events",)):
        found.setdefault(kind_of(log, path), []).append(path)
    return [Site(kind, paths[len(paths) // 2]) for kind, paths in sorted(found.items())]


def fields(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The way to every named field."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield (*path, name)
            yield from fields(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from fields(inner, (*path, number))


def flipped(log: Log, path: Path_) -> Log:
    """The log with another value there. What is not on the way is shared, and must not be changed."""
    return _with(log, path, other(at(log, path)))


def without(log: Log, path: Path_) -> Log:
    """The log without that field."""
    *way, name = path
    left = {key: value for key, value in at(log, tuple(way)).items() if key != name}
    return _with(log, tuple(way), left)


def _with(value: Any, path: Path_, new: Any) -> Any:
    if not path:
        return new
    first, *rest = path
    copy = list(value) if isinstance(value, list) else dict(value)
    copy[first] = _with(copy[first], tuple(rest), new)
    return copy


def unchained(log: Log) -> Log:
    """The log without hashes, as who forges one can make it: what is left are the checks of what it says."""
    copy: Log = json.loads(json.dumps(log))
    for event in copy["events"]:
        event.pop("previous", None)
        event.pop("salt", None)
    copy.pop("head", None)
    return copy | {"version": 1}


def unnoticed(log: Log, change: Callable[[Log, Path_], Log], places: list[Site]) -> list[str]:
    """The kinds of fields whose change an audit does not notice."""
    return [site.kind for site in places if not noticed(change(log, site.path))]


def breaks_the_chain(log: Log, change: Callable[[Log, Path_], Log], site: Site) -> bool:
    """Whether the hash of the changed event is no longer the one that the next event, or the log, carries."""
    number = site.path[1]
    assert isinstance(number, int)
    events = log["events"]
    event = change(log, site.path)["events"][number]
    before = digest(events[number - 1]) if number else NOTHING_BEFORE
    carried = events[number + 1]["previous"] if number + 1 < len(events) else log["head"]
    return event.get("previous") != before or digest(event) != carried
