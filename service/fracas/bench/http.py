"""The service under load, against endpoints that only load and dump the same bodies."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from fracas.bench import load
from fracas.bench.timing import Row
from fracas.web.bench import ATTACK

RUNS = 5
SECONDS = 2.0


def measure() -> list[Row]:
    with service() as address:
        host = f"{address[0]}:{address[1]}"
        return [
            *_compare("resolve", 0.6, address, host, with_tail=True),
            *_compare("odds", 0.35, address, host, with_tail=False),
        ]


def _compare(name: str, goal: float, address: tuple[str, int], host: str, *, with_tail: bool) -> list[Row]:
    real, idle = load.post(f"/v1/{name}", ATTACK, host), load.post(f"/bench/{name}", ATTACK, host)
    pairs = [(load.run(address, real, SECONDS), load.run(address, idle, SECONDS)) for _ in range(RUNS)]
    rows = [
        Row(
            f"POST /v1/{name}, {load.CLIENTS} clients, against loading and dumping alone",
            "requests/s",
            median(mine.rate for mine, _ in pairs),
            median(peer.rate for _, peer in pairs),
            median(mine.rate / peer.rate for mine, peer in pairs),
            goal,
        )
    ]
    if with_tail:
        rows.append(
            Row(
                f"POST /v1/{name}, 99th percentile against the median wait",
                "ms",
                median(mine.p99 for mine, _ in pairs),
                median(mine.p50 for mine, _ in pairs),
                median(mine.p99 / mine.p50 for mine, _ in pairs),
                2.0,
                at_most=True,
            )
        )
    return rows


@contextmanager
def service(database: str = "") -> Iterator[tuple[str, int]]:
    """The production server in a process of its own, with the bench endpoints; its database is empty unless named."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        kept = os.path.join(folder, "encounters.db")
        env = {**os.environ, "FRACAS_BENCH": "1", "FRACAS_DATABASE_URL": database or kept}
        command = [sys.executable, "-m", "fracas.cli", "serve", "--port", str(port)]
        process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
        try:
            _wait(port, process)
            yield "127.0.0.1", port
        finally:
            process.terminate()
            process.wait(10)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the service ended with status {process.returncode}")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        try:
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.1)
        finally:
            connection.close()
    raise RuntimeError("the service did not start")
