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
from fracas.bench.timing import Figure, Row
from fracas.web.bench import ATTACK

IDLE = "an endpoint of the same application that only loads and dumps the same bodies"
RESOLVE = Figure(f"`POST /v1/resolve`, an SR4 attack, {load.CLIENTS} clients", IDLE, "requests/s", 0.6)
TAIL = Figure("the same, 99th percentile of the wait", "its own median", "ms", 2.0, at_most=True)
ODDS = Figure(f"`POST /v1/odds`, the same attack, {load.CLIENTS} clients", IDLE, "requests/s", 0.35)
FIGURES = (RESOLVE, TAIL, ODDS)

RUNS = 5
SECONDS = 2.0


def measure() -> list[Row]:
    with service() as address:
        host = f"{address[0]}:{address[1]}"
        resolved = _under_load("resolve", address, host)
        weighed = _under_load("odds", address, host)
    waits = [mine for mine, _ in resolved]
    tail = TAIL.row(
        median(mine.p99 for mine in waits),
        median(mine.p50 for mine in waits),
        median(mine.p99 / mine.p50 for mine in waits),
    )
    return [_rates(RESOLVE, resolved), tail, _rates(ODDS, weighed)]


def _under_load(name: str, address: tuple[str, int], host: str) -> list[tuple[load.Load, load.Load]]:
    """The endpoint and its peer in turn."""
    real, idle = load.post(f"/v1/{name}", ATTACK, host), load.post(f"/bench/{name}", ATTACK, host)
    return [(load.run(address, real, SECONDS), load.run(address, idle, SECONDS)) for _ in range(RUNS)]


def _rates(figure: Figure, pairs: list[tuple[load.Load, load.Load]]) -> Row:
    return figure.row(
        median(mine.rate for mine, _ in pairs),
        median(peer.rate for _, peer in pairs),
        median(mine.rate / peer.rate for mine, peer in pairs),
    )


@contextmanager
def service(database: str = "") -> Iterator[tuple[str, int]]:
    """The production server in a process of its own, with the bench endpoints; its database is empty unless named."""
    with started(database) as (address, _):
        yield address


@contextmanager
def started(database: str = "") -> Iterator[tuple[tuple[str, int], int]]:
    """See `service`; with the number of its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        kept = os.path.join(folder, "encounters.db")
        env = {**os.environ, "FRACAS_BENCH": "1", "FRACAS_DATABASE_URL": database or kept}
        env["FRACAS_LIMITS"] = "listeners-per-caller=256,listeners-per-fight=256"  # all call from one address
        command = [sys.executable, "-m", "fracas.cli", "serve", "--port", str(port)]
        process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
        try:
            _wait(port, process)
            yield ("127.0.0.1", port), process.pid
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
            time.sleep(0.01)
        finally:
            connection.close()
    raise RuntimeError("the service did not start")
