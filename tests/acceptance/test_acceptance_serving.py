"""The server process: its start, its settings, its end, and callers that do not behave."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shlex
import signal
import socket
import threading
from typing import Any

import pytest
from attempts import SR4
from http_client import head, send, send_raw

BODY = json.dumps(SR4).encode()
JSON = {"Content-Type": "application/json"}
JSON_LINE = "Content-Type: application/json"


def test_it_is_well(service: Any) -> None:
    answer = send(service.port, "GET", "/health")
    assert answer.status == 200
    assert answer.data["status"] == "ok"
    assert answer.data["packs"] == 5
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", answer.data["version"])


def test_the_line_it_prints_resolves_an_attack(service: Any) -> None:
    (line,) = [line.strip() for line in service.said().splitlines() if line.strip().startswith("curl ")]
    if os.name == "nt":
        return
    words = shlex.split(line)
    (address,) = [word for word in words if word.startswith("http://")]
    assert address == f"http://127.0.0.1:{service.port}/v1/resolve"
    name, _, kind = words[words.index("-H") + 1].partition(": ")
    answer = send(service.port, "POST", "/v1/resolve", words[words.index("-d") + 1].encode(), {name: kind})
    assert answer.status == 200
    assert answer.data["status"] == "resolved"


def test_it_says_where_it_listens(service: Any) -> None:
    assert f"http://127.0.0.1:{service.port}" in service.said()
    assert "password" not in service.said()


def test_it_is_a_production_server(service: Any) -> None:
    assert "werkzeug" not in send(service.port, "GET", "/health").headers["Server"].lower()


SIGNALS = [signal.SIGTERM, signal.SIGINT] if os.name == "posix" else [signal.SIGTERM]


@pytest.mark.parametrize("signal_", SIGNALS)
def test_it_ends_cleanly_even_with_callers_connected(serve: Any, signal_: signal.Signals) -> None:
    with serve() as service:
        idle = http.client.HTTPConnection("127.0.0.1", service.port, timeout=100)
        idle.request("GET", "/health")
        idle.getresponse().read()
        service.process.send_signal(signal_)
        assert service.process.wait(200) == (0 if os.name == "posix" else 1)
        idle.close()
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", service.port), timeout=5)


# Packs of the settings.

PACK = """\
id: house
title: House rules of one table
version: 1.2.3
schema_version: 2
ruleset: sr4
status: wip
licenses: {data: CC0-1.0}
sources: [{id: house, title: House rules}]
"""
MODIFIERS = """\
kind: modifiers
ruleset: sr4
entries:
  - slug: lucky-day
    label: A lucky day
    applies_to: [attack.pool]
    when: [target:prone]
    value: 7
    source: {ref: house, section: "1"}
"""


@pytest.mark.parametrize("how", ["option", "variable"])
def test_packs_of_other_folders_are_in_play(serve: Any, tmp_path: Any, how: str) -> None:
    folder = tmp_path / "packs" / "house"
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(PACK, "utf-8")
    (folder / "modifiers.yaml").write_text(MODIFIERS, "utf-8")
    given = {"FRACAS_PACKS": str(folder)} if how == "variable" else {}
    options = () if given else ("--packs", str(tmp_path / "packs"))
    request = json.loads(BODY)
    request["situation"]["target"]["prone"] = True
    request["explain"] = "all"
    with serve(*options, **given) as service:
        assert send(service.port, "GET", "/health").data["packs"] == 6
        assert send(service.port, "GET", "/v1/packs/house/modifiers").data[0]["slug"] == "lucky-day"
        answer = send(service.port, "POST", "/v1/resolve", json.dumps(request).encode(), JSON).data
    assert {"id": "house", "version": "1.2.3"} in answer["packs"]
    (pool,) = [tally for tally in answer["modifiers"] if tally["to"] == "attack.pool"]
    (lucky,) = [entry for entry in pool["entries"] if entry["id"] == "lucky-day"]
    assert (lucky["value"], lucky["verdict"], lucky["source"]) == (7, "applied", "house:modifier/lucky-day")


# Callers.


def test_many_callers_at_once(service: Any) -> None:
    found: list[Any] = []

    def call() -> None:
        for _ in range(10):
            found.append(send(service.port, "POST", "/v1/resolve", BODY, JSON))

    callers = [threading.Thread(target=call) for _ in range(16)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert [answer.status for answer in found] == [200] * 160
    thrown = {tuple(map(tuple, (roll["faces"] for roll in answer.data["rolls"]))) for answer in found}
    assert len(thrown) > 150


def test_one_connection_serves_many_requests(service: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=300)
    connection.connect()
    socket_ = connection.sock
    for _ in range(5):
        connection.request("POST", "/v1/resolve", BODY, JSON)
        assert connection.getresponse().read().startswith(b'{"status":"resolved"')
        connection.request("GET", "/health")
        assert connection.getresponse().read().startswith(b'{"status":"ok"')
    assert connection.sock is socket_
    connection.close()


HIDDEN = b"GET /v1/packs HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/v1/resolve", {"Content-Type": "text/plain"}, 415),
        ("/v1/resolve", {**JSON, "Origin": "http://evil.example"}, 403),
        ("/v1/resolve", {**JSON, "Host": "evil.example"}, 421),
        ("/v1/resolve", JSON, 400),
        ("/nope", JSON, 404),
        ("/health", JSON, 405),
    ],
)
def test_a_body_that_nobody_read_is_not_the_next_request(
    service: Any, path: str, headers: Any, status: int
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=300)
    connection.request("POST", path, HIDDEN, headers)
    response = connection.getresponse()
    response.read()
    assert response.status == status
    connection.request("GET", "/health")
    assert connection.getresponse().read().startswith(b'{"status":"ok"')
    connection.close()


def test_a_caller_that_hangs_up_in_the_middle_harms_nobody(service: Any) -> None:
    lines = head(
        "POST", "/v1/resolve", "Host: localhost", "Content-Type: application/json", "Content-Length: 5000"
    )
    for part in (b"", lines[:20], lines, lines + BODY[:50]):
        with socket.create_connection(("127.0.0.1", service.port), timeout=100) as connection:
            connection.sendall(part)
    assert send(service.port, "POST", "/v1/resolve", BODY, JSON).status == 200


@pytest.mark.parametrize("callers", [1, 12])
def test_callers_that_dawdle_keep_nobody_waiting(service: Any, callers: int) -> None:
    lines = head("POST", "/v1/resolve", "Host: localhost", JSON_LINE, f"Content-Length: {len(BODY)}")
    with contextlib.ExitStack() as stack:
        dawdlers = []
        for _ in range(callers):
            dawdlers.append(
                stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=100))
            )
            dawdlers[-1].sendall(lines + BODY[:50])
        other = http.client.HTTPConnection("127.0.0.1", service.port, timeout=8)
        stack.callback(other.close)
        other.request("POST", "/v1/resolve", BODY, JSON)
        assert other.getresponse().status == 200
        for dawdler in dawdlers:
            dawdler.sendall(BODY[50:])
            assert dawdler.recv(12) == b"HTTP/1.1 200"


def test_a_name_of_this_machine_can_be_listened_on(serve: Any) -> None:
    with serve("--host", "localhost") as service:
        assert send(service.port, "GET", "/health").status == 200
        assert "password" not in service.said()


@pytest.mark.parametrize(
    "request_", [b"garbage\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x00\xa5"]
)
def test_what_is_no_http_harms_nobody(service: Any, request_: bytes) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=100) as connection:
        connection.sendall(request_)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(4_096)
    assert answer == b"" or b" 400 " in answer.split(b"\r\n")[0] + b" "
    assert send(service.port, "GET", "/health").status == 200


def test_an_old_caller(service: Any) -> None:
    answer = send_raw(service.port, b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
    assert answer.status == 200
    assert answer.data["status"] == "ok"
