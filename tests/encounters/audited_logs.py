"""Logs of random fights for the tests of the audit, and the places in them where somebody might cheat."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from random_play import RandomPlay
from table_play import Table

from fracas.encounters import encounters
from fracas.encounters.audit import verify
from fracas.encounters.command_context import Author
from fracas.encounters.events import NOTHING_BEFORE, digest
from fracas.encounters.log import log_json
from fracas.errors import InputError

Log = dict[str, Any]
Path_ = tuple[str | int, ...]


def played(folder: Path, ruleset: str, seed: int, steps: int = 140, apply: str = "confirm") -> Table:
    """A random fight with undo and redo, dice typed in, and hidden rolls; not closed."""
    table = _with_known_dice(folder, ruleset, seed, apply)
    play = RandomPlay(table, seed)
    play.start()
    for _ in range(steps):
        play.step()
    return table


def played_whole(folder: Path, ruleset: str, seed: int, apply: str = "confirm") -> Table:
    """The first fight from `seed` on whose log holds something of everything that tests change; not closed."""
    for fight in range(seed, seed + 10):
        table = _with_known_dice(folder, ruleset, fight, apply)
        play = RandomPlay(table, fight)
        play.start()
        for id in list(table.state.combatants)[::2]:
            play.give({"command": "set", "combatant": id, "dice": "hand"}, table.gm)
        for _ in range(180):
            play.step()
        _by_hand(table)
        if _complete(table, apply):
            return table
        table.close()
    raise AssertionError("the random fights play no longer what the tests of the audit need")


def _by_hand(table: Table) -> None:
    """What chance may leave out: undo and redo, and a condition whose time is thrown for, where there is one."""
    table.do("undo", steps=2)
    table.do("redo", steps=1)
    conditions = table.encounters.game(table.fight).packs.entries("condition")
    thrown = [one.slug for one in conditions if isinstance(one.data.get("lasts", {}).get("count"), str)]
    somebody = next(one.id for one in table.state.combatants.values() if not one.gone)
    if thrown:
        table.do("set", combatant=somebody, add=thrown[:1])


def _complete(table: Table, apply: str) -> bool:
    log = log_of(table)
    parts = [part for _, _, part in parts_of(log)]
    confirmed = [event for event in log["events"] if event["type"] == "applied" and event["data"]["effects"]]
    return (
        {"undone", "redone", "acted", "answered"} <= {event["type"] for event in log["events"]}
        and {part[1] for part in parts} == {"seed", "supplied"}
        and sum(len(faces) for part in parts if part[1] == "seed" for faces in part[0]) > 15
        and any(step.get("effects") for _, _, step in steps_of(log))
        and any(answer[0] == "c" for _, _, step in steps_of(log) for answer in step["answers"])
        and (bool(confirmed) or apply != "confirm")
        and (log["ruleset"] != "cwn" or bool(durations(log)))
        and (log["ruleset"] != "cwn" or any(step.get("besides") for _, _, step in steps_of(log)))
    )


def _with_known_dice(folder: Path, ruleset: str, seed: int, apply: str) -> Table:
    """A table whose dice fall alike in every test run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encounters, "new_seed", lambda: hashlib.sha256(f"{ruleset}{seed}".encode()).digest())
        return Table(folder, ruleset, {"apply": apply}, name=f"{ruleset}-{seed}.db")


def log_of(table: Table, viewer: Author | None = None) -> Log:
    """The log as it is after a journey as JSON."""
    log: Log = json.loads(json.dumps(log_json(table.encounters, table.id, viewer or table.gm)))
    return log


class Site(NamedTuple):
    """A place in a log.

    Attributes:
        event: the version of the event in which it is.
        path: the way to it, from the log.
        draw, die: for a die of the seed, which one it is; the die from 1.
    """

    event: int
    path: Path_
    draw: int = 0
    die: int = 0


def at(log: Any, path: Path_) -> Any:
    for step in path:
        log = log[step]
    return log


def changed(log: Log, path: Path_, change: Callable[[Any], Any]) -> Log:
    """A copy of the log in which one place is another."""
    copy: Log = json.loads(json.dumps(log))
    *way, last = path
    inner = at(copy, tuple(way))
    inner[last] = change(inner[last])
    return copy


def rechained(log: Log) -> Log:
    """A copy of a log with the hashes that its events have now: so does somebody who changes a log with care."""
    copy: Log = json.loads(json.dumps(log))
    before = NOTHING_BEFORE
    for event in copy["events"]:
        if "previous" in event:
            event["previous"] = before
        before = digest(event)
    if copy["events"] and "head" in copy:
        copy["head"] = before
    return copy


def noticed(log: Log) -> bool:
    """Whether an audit finds that the log is not right, or that it is none."""
    try:
        return not verify(log).ok
    except InputError:
        return True


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return f"{value}x" if isinstance(value, str) else "x"


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The way to every value that holds no others."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves(inner, (*path, number))
    else:
        yield path


def steps_of(log: Log) -> Iterator[tuple[int, Path_, Mapping[str, Any]]]:
    """Each piece of a resolution, with its event and the way to it."""
    for number, event in enumerate(log["events"]):
        data = event["data"]
        path: Path_ = ("events", number, "data")
        if data.get("step"):
            yield event["version"], (*path, "step"), data["step"]
        for name in ("steps", "rolls"):
            for index, step in enumerate(data.get(name, ())):
                yield event["version"], (*path, name, index), step


def parts_of(log: Log) -> Iterator[tuple[int, Path_, Any]]:
    """Each part of a roll where it is told first: faces, source, draw."""
    seen = set()
    for version, path, step in steps_of(log):
        found = []
        for index, answer in enumerate(step["answers"]):
            if answer[0] == "r":
                found += [((*path, "answers", index, 1, n), part) for n, part in enumerate(answer[1])]
        question = step.get("question") or {}
        for index, part in enumerate(question.get("parts", ())):
            if part["thrown"] is not None:
                found.append(((*path, "question", "parts", index, "thrown"), part["thrown"]))
        for way, part in found:
            key = (part[1], part[2]) if part[2] is not None else way
            if key not in seen and part[0]:
                seen.add(key)
                yield version, way, part


def seed_dice(log: Log) -> list[Site]:
    """Dice of the seed, without those of rolls that go on where the highest face falls."""
    found = []
    for version, path, (groups, source, draw) in parts_of(log):
        if source != "seed":
            continue
        for group, faces in enumerate(groups):
            for die in range(len(faces)):
                if len(groups) == 1:
                    found.append(Site(version, (*path, 0, group, die), draw, die + 1))
    return found


def durations(log: Log) -> list[Site]:
    """Dice of how long conditions last."""
    found = []
    for number, event in enumerate(log["events"]):
        for path in leaves(event["data"], ("events", number, "data")):
            if path[-1] == "draw" and path[-2] == "dice":
                dice = at(log, path[:-1])
                found += [
                    Site(event["version"], (*path[:-1], "faces", die), dice["draw"], die + 1)
                    for die in range(len(dice["faces"]))
                    if path[-4] == "effects" and event["type"] != "applied"
                ]
    return found
