"""A load of requests over several kept-alive connections, from one thread without any library."""

from __future__ import annotations

import json
import selectors
import socket
import time
from typing import Any, NamedTuple

CLIENTS = 16


class Load(NamedTuple):
    """Requests a second, and the 50th and 99th percentile of the waiting time in milliseconds."""

    rate: float
    p50: float
    p99: float


def post(path: str, body: dict[str, Any], host: str) -> bytes:
    """A request as bytes."""
    data = json.dumps(body).encode()
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: {host}",
        "Content-Type: application/json",
        f"Content-Length: {len(data)}",
    )
    return "\r\n".join((*lines, "", "")).encode() + data


def run(address: tuple[str, int], request: bytes, seconds: float, warm_up: float = 0.5) -> Load:
    """Keep CLIENTS requests under way.

    Raises:
        RuntimeError: an answer other than 200.
    """
    selector = selectors.DefaultSelector()
    started: dict[socket.socket, float] = {}
    buffers: dict[socket.socket, bytearray] = {}
    waits: list[float] = []
    for _ in range(CLIENTS):
        client = socket.create_connection(address, timeout=10)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(client, selectors.EVENT_READ, client)
        buffers[client] = bytearray()
        started[client] = time.perf_counter()
        client.sendall(request)
    begin = time.perf_counter() + warm_up
    end = begin + seconds
    now = 0.0
    while now < end:
        for key, _ in selector.select(10):
            client = key.data
            buffer = buffers[client]
            buffer += client.recv(262_144)
            if not _complete(buffer):
                continue
            now = time.perf_counter()
            if begin <= now < end:
                waits.append(now - started[client])
            buffer.clear()
            started[client] = now
            client.sendall(request)
    for client in buffers:
        client.close()
    selector.close()
    waits.sort()
    return Load(len(waits) / seconds, waits[len(waits) // 2] * 1e3, waits[len(waits) * 99 // 100] * 1e3)


def _complete(buffer: bytearray) -> bool:
    head, found, body = buffer.partition(b"\r\n\r\n")
    if not found:
        return False
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"the service answered {bytes(buffer[:300])!r}")
    at = head.lower().find(b"content-length:")
    length = int(head[at + 15 :].split(b"\r\n", 1)[0])
    return len(body) >= length
