"""What a user of the service feels of another who repeats the odds that take longest, and what stays of them."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from fracas.bench.http import started
from fracas.bench.timing import Figure, Row
from fracas.web.bench import ATTACK

RESOLVE = Figure(
    "`POST /v1/resolve` beside a client that repeats the worst odds, 99th percentile of the wait",
    "the same alone",
    "ms",
    3.0,
    at_most=True,
)
HEALTH = Figure("`GET /health` beside it, the longest wait", "a tenth of a second", "ms", 1.0, at_most=True)
MEMORY = Figure("memory of the service a minute later", "the same before", "MB", 1.2, at_most=True)
FIGURES = (RESOLVE, HEALTH, MEMORY)

SECONDS = 15.0
LATER = 60.0
ALLOWED = 100.0
"""Milliseconds in which ``/health`` answers."""

_SIDE = {
    **dict.fromkeys(("agility", "body", "reaction", "willpower", "edge"), 50),
    "edge_points": 20,
    "armor": [],
    "skills": {"automatics": 20, "pistols": 10},
}
EXTENDED = {
    "ruleset": "sr4",
    "procedure": "extended-test",
    "situation": {
        "tester": {**_SIDE, "logic": 50},
        "attribute": "agility",
        "skill": "pistols",
        "threshold": 50,
        "intervals": 100,
    },
}
"""A hundred rolls of sixty dice: nearly as much as is answered."""

_REROLL = {"decision": "edge-after", "choose": "reroll", "when": "failing"}
VOLLEY = {
    "ruleset": "sr4",
    "procedure": "ranged-volley",
    "situation": {
        **dict.fromkeys(("attacker", "target", "target_2", "target_3"), _SIDE),
        "weapon": "ak-97",
        "distance": 5,
        "volley": "split-burst",
        "fire": {"mode": "full-burst", "spread": "narrow"},
        "fire_2": {"mode": "long-burst", "spread": "narrow"},
    },
    "decisions": [{**_REROLL, "by": "attacker"}, {**_REROLL, "by": "target"}],
}
"""What takes all of its budget."""


def measure() -> list[Row]:
    with started() as (address, pid):
        user = _User(address)
        user.resolve(2.0)
        before = _memory(pid)
        alone = user.resolve(SECONDS)
        with _rival(address) as answers:
            beside = user.resolve(SECONDS)
            health, queued = user.health(SECONDS / 3, pid)
        note = f"{len(answers)} answers to the other: {', '.join(sorted(set(answers)))}"
        rows = [
            RESOLVE.row(beside, alone, beside / alone, note),
            HEALTH.row(health, ALLOWED, health / ALLOWED, f"{queued:.0f} ms of it for a processor in use"),
        ]
        most = _memory(pid)
        time.sleep(LATER)
        after = _memory(pid)
    if before is None or after is None or most is None:
        return [*rows, MEMORY.missing("there is no ps")]
    return [*rows, MEMORY.row(after, before, after / before, f"{most:,.0f} MB with the other's work")]


class _User:
    """One who sends a request after the other."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._line = http.client.HTTPConnection(*address, timeout=120)

    def resolve(self, seconds: float) -> float:
        """The 99th percentile of the wait, in milliseconds."""
        waits = sorted(self._waits("POST", "/v1/resolve", json.dumps(ATTACK).encode(), seconds))
        return waits[len(waits) * 99 // 100]

    def health(self, seconds: float, pid: int) -> tuple[float, float]:
        """The longest wait, in milliseconds, and how much of it the service and this program waited for a processor
        that other programs had; 0 where nothing shows it."""
        served, found = _below(pid), []
        before = _queued(served)
        for wait in self._waits("GET", "/health", None, seconds):
            after = _queued(served)
            found.append((wait, min(wait, after - before)))
            before = _queued(served)
        return max(found)

    def _waits(self, method: str, path: str, body: bytes | None, seconds: float) -> Iterator[float]:
        end = time.perf_counter() + seconds
        while (began := time.perf_counter()) < end:
            self._line.request(method, path, body, {"Content-Type": "application/json"})
            response = self._line.getresponse()
            response.read()
            if response.status != 200:
                raise RuntimeError(f"the service answered {response.status}")
            yield (time.perf_counter() - began) * 1e3


@contextmanager
def _rival(address: tuple[str, int]) -> Iterator[list[str]]:
    """Another client, who repeats what takes longest; what it is answered."""
    answers: list[str] = []
    over = Event()

    def repeat() -> None:
        line = http.client.HTTPConnection(*address, timeout=300)
        while not over.is_set():
            for body in (EXTENDED, VOLLEY):
                line.request("POST", "/v1/odds", json.dumps(body), {"Content-Type": "application/json"})
                response = line.getresponse()
                response.read()
                answers.append(str(response.status))
        line.close()

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    time.sleep(5)  # until a worker has started
    try:
        yield answers
    finally:
        over.set()
        thread.join(60)


def _below(pid: int) -> list[int]:
    """The processes that a process has started, as the system shows them, and this one."""
    try:
        shown = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True
        ).stdout
    except OSError:
        return [os.getpid()]
    return [os.getpid(), *map(int, shown.split())]


def _queued(pids: list[int]) -> float:
    """Milliseconds in which the threads of processes have waited for a processor; 0 where nothing shows it."""
    found = 0.0
    for pid in pids:
        for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with suppress(OSError, ValueError, IndexError):
                found += int(path.read_text().split()[1]) / 1e6
    return found


def _memory(pid: int) -> float | None:
    """What a process and those below it hold in memory, in MB; None where nothing shows it."""
    try:
        shown = subprocess.run(
            ["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    rows = [tuple(map(int, line.split())) for line in shown.splitlines()]
    below = {pid}
    for _ in range(4):
        below |= {number for number, parent, _ in rows if parent in below}
    return sum(size for number, _, size in rows if number in below) / 1e3
