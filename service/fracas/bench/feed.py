"""The live feed: 200 listeners of one fight, each sent 40 events, over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from fracas.bench.http import service
from fracas.bench.listening import Audience
from fracas.bench.timing import Figure, Row

LISTENERS = 200
EVENTS = 40
PATIENCE = 60.0

COMPLETE = Figure(
    f"live feed: {LISTENERS} listeners of one fight get {EVENTS} events each, in order and without a loss",
    "all listeners",
    "listeners",
    1.0,
)
HEARD = Figure("the same, from sending the command to receiving the event", "", "ms", None)
FIGURES = (COMPLETE, HEARD)


def measure() -> list[Row]:
    with service() as address, Audience(address) as audience:
        fight = _Fight(address)
        before = resident()
        last = fight.version + EVENTS
        for at in range(LISTENERS):
            secret = fight.secrets[at % len(fight.secrets)]
            audience.open(f"{fight.path}/events?after={fight.version}", {"Authorization": f"Bearer {secret}"})
        audience.listen(lambda: all(b"retry" in one.body for one in audience.listeners), PATIENCE)
        after = resident()
        awaited = list(range(fight.version + 1, last + 1))
        sent: dict[int, float] = {}
        playing = threading.Thread(target=fight.play, args=(EVENTS, sent))
        playing.start()
        audience.listen(lambda: all(one.versions[-1:] == [last] for one in audience.listeners), PATIENCE)
        playing.join()
        complete = sum(one.versions == awaited for one in audience.listeners)
        waits = sorted(
            message.at - sent[int(message.id)] for one in audience.listeners for message in one.messages
        )
    p50, p99 = (waits[len(waits) * part // 100] * 1e3 if waits else 0.0 for part in (50, 99))
    text = f"median {p50:.1f} ms, 99th percentile {p99:.1f} ms"
    if before and after:
        text += f"; {(after - before) / LISTENERS / 1024:.0f} KiB of memory per listener"
    return [
        COMPLETE.row(float(complete), float(LISTENERS), complete / LISTENERS),
        HEARD.row(p50, None, None, text),
    ]


class _Answer(NamedTuple):
    status: int
    data: Any


class _Fight:
    """A fight with one combatant, whose GM goes on setting a value."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._connection = http.client.HTTPConnection(*address, timeout=PATIENCE)
        begun = self._post("/v1/encounters", {"ruleset": "sr4"}, {}).data
        self.path = f"/v1/encounters/{begun['id']}"
        self.secrets = [begun["tokens"][role]["secret"] for role in ("gm", "observer")]
        self.version = 1
        self._do({"command": "join", "combatant": "rook"}, 2)
        self.version = 2

    def play(self, events: int, sent: dict[int, float]) -> None:
        for version in range(self.version + 1, self.version + events + 1):
            sent[version] = time.perf_counter()
            fields = {"reaction": 3 + version % 5}
            self._do({"command": "set", "combatant": "rook", "fields": fields}, version)

    def _do(self, command: dict[str, Any], version: int) -> None:
        headers = {"If-Match": f'"{version - 1}"', "Idempotency-Key": f"bench-{version}"}
        headers["Authorization"] = f"Bearer {self.secrets[0]}"
        answer = self._post(f"{self.path}/commands", command, headers)
        if answer.status != 200:
            raise RuntimeError(f"the service answered {answer}")

    def _post(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> _Answer:
        kind = {"Content-Type": "application/json"}
        self._connection.request("POST", path, json.dumps(body), {**kind, **headers})
        response = self._connection.getresponse()
        return _Answer(response.status, json.loads(response.read()))


def resident() -> int:
    """Bytes in memory of the processes below this one, what they share only once; 0 where the system does not report
    it."""
    total, waiting = 0, [str(os.getpid())]
    try:
        while waiting:
            for task in Path("/proc", waiting.pop(), "task").iterdir():
                for child in (task / "children").read_text().split():
                    waiting.append(child)
                    text = Path("/proc", child, "smaps_rollup").read_text()
                    total += next(
                        int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:")
                    )
    except (OSError, StopIteration):
        return 0
    return total
