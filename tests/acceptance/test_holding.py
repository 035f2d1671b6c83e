"""Nothing small stops the service: half-sent requests, odds that take long, callers who hang up."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attempts import SR4
from http_client import PATIENCE, head, send
from tiers import TESTS, scale

sys.path.append(str(TESTS / "engine"))
from worst_odds import volley

JSON = {"Content-Type": "application/json"}
BODY = json.dumps(SR4).encode()
WORST = json.dumps(volley()).encode()
SOON = 8.0
"""Seconds in which what is not held up is answered, also by a slow machine; half a request is given up after ten."""

pytestmark = pytest.mark.slow
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@pytest.fixture(scope="module")
def served(serve: Callable[..., Any]) -> Iterator[Any]:
    with serve("--budget", "0.2") as service:
        yield service


def timed(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, float]:
    began = time.monotonic()
    return send(port, method, path, body, JSON).status, time.monotonic() - began


def test_half_sent_requests_leave_the_service_answering(served: Any) -> None:
    lines = head(
        "POST", "/v1/resolve", "Host: localhost", "Content-Type: application/json", "Content-Length: 900"
    )
    with contextlib.ExitStack() as stack:
        half = []
        for _ in range(scale(200, 1000)):
            half.append(
                stack.enter_context(socket.create_connection(("127.0.0.1", served.port), timeout=100))
            )
            half[-1].sendall(lines + b"{")
        time.sleep(0.5)  # until they count as unfinished
        for method, path, body in (("GET", "/health", None), ("POST", "/v1/resolve", BODY)):
            status, seconds = timed(served.port, method, path, body)
            assert (status, seconds < SOON) == (200, True)
        told = [one.recv(12) for one in half]
    assert {*told} == {b"HTTP/1.1 408", b"HTTP/1.1 429"}
    assert told.count(b"HTTP/1.1 408") == 64  # each of them after its ten seconds


@contextlib.contextmanager
def asked(port: int, path: str, body: bytes) -> Iterator[http.client.HTTPConnection]:
    """A request under way."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=200)
    try:
        connection.request("POST", path, body, JSON)
        yield connection
    finally:
        connection.close()


def test_odds_that_take_long_hold_up_nobody_and_are_refused(served: Any) -> None:
    with asked(served.port, "/v1/odds", WORST) as worst:
        for _ in range(5):
            for method, path, body in (("GET", "/health", None), ("POST", "/v1/resolve", BODY)):
                status, seconds = timed(served.port, method, path, body)
                assert (status, seconds < SOON) == (200, True)
        answer = worst.getresponse()
        (error,) = json.loads(answer.read())["errors"]
    assert (answer.status, error["code"]) == (422, "too-complex")
    assert "0.2 s" in error["message"]
    assert "attribution" in error["hint"]


@ON_LINUX
def test_work_of_callers_who_have_gone_is_dropped(served: Any) -> None:
    def worst_of_all() -> None:
        assert send(served.port, "POST", "/v1/odds", WORST, JSON).status == 422

    worst_of_all()  # the first one reads what all need
    before = processor_time(served.process.pid)
    worst_of_all()
    after = processor_time(served.process.pid)
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(asked(served.port, "/v1/odds", WORST))
        time.sleep(0.3)
    worst_of_all()
    # Beside this one, one of those who have gone may have been under way.
    assert processor_time(served.process.pid) - after < 4 * (after - before)


def test_who_waits_with_too_much_is_told(served: Any) -> None:
    with contextlib.ExitStack() as stack:
        waiting = [stack.enter_context(asked(served.port, "/v1/odds", WORST)) for _ in range(12)]
        found = [json.loads(one.getresponse().read())["code"] for one in waiting]
    assert set(found) == {"invalid-input", "too-much-work"}
    assert found.count("too-much-work") in (2, 3)


def test_checks_and_exports_are_those_of_the_service(served: Any) -> None:
    entry = b"{slug: a, label: A, ballistic: x, impact: 1, source: {ref: o}}"
    entries = b"kind: armor\nruleset: sr4\nentries:\n  - " + entry + b"\n"
    report = send(served.port, "POST", "/v1/packs/check", entries, {"Content-Type": "application/yaml"})
    assert (report.status, report.data["ok"]) == (200, False)
    deadline = time.monotonic() + PATIENCE
    # A worker has a minute, in which a busy machine does little.
    while (manifest := send(served.port, "GET", "/foundry/module.json")).status == 422:
        assert time.monotonic() < deadline, manifest
    assert manifest.data["manifest"].startswith(f"http://127.0.0.1:{served.port}/")


@ON_LINUX
def test_a_worker_that_dies_costs_no_answer(served: Any) -> None:
    for worker in workers(served.process.pid):
        os.kill(worker, signal.SIGKILL)
    assert send(served.port, "POST", "/v1/odds", BODY, JSON).status == 200
    assert send(served.port, "POST", "/v1/odds", WORST, JSON).status == 422


def below(pid: int) -> dict[int, str]:
    """A process and those that it has started, with their commands."""
    shown = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in shown.splitlines()[1:]]
    found = {pid: ""}
    for number, parent, args in rows * 3:
        if int(parent) in found:
            found[int(number)] = args
    return found


def workers(pid: int) -> list[int]:
    """The worker processes of a service."""
    return [number for number, args in below(pid).items() if "spawn_main" in args]


def processor_time(pid: int) -> float:
    """Seconds that the processes of a service have used."""
    stats = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in below(pid)]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")
