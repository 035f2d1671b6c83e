"""Many who listen to live feeds, in one thread without any library."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Message(NamedTuple):
    """A message of a feed.

    Attributes:
        at: when it came, by ``time.perf_counter``.
        id, type, data: of Server-Sent Events; "" where there is none.
    """

    at: float
    id: str
    type: str
    data: str


class Listener:
    """One connection to a feed.

    Attributes:
        status: of the answer; 0 until it is there.
        headers: in lower case.
        body: all that came after them, as it was before it was cut into chunks.
        messages: the events.
        comments: how many heartbeats there were.
        ended: no more will come.
    """

    def __init__(self, address: tuple[str, int], path: str, headers: Mapping[str, str]) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = bytearray()
        self.messages: list[Message] = []
        self.comments = 0
        self.ended = False
        self._raw = bytearray()
        self._left: int | None = None
        self._read = 0
        self.socket = socket.create_connection(address, timeout=10)
        lines = [f"GET {path} HTTP/1.1", f"Host: {address[0]}:{address[1]}", "Accept: text/event-stream"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.socket.sendall("\r\n".join((*lines, "", "")).encode())

    @property
    def versions(self) -> list[int]:
        """The ids of its messages, which are versions of events."""
        return [int(message.id) for message in self.messages if message.id]

    def receive(self) -> None:
        """Take what has come."""
        try:
            data = self.socket.recv(262_144)
        except ConnectionError:
            data = b""
        now = time.perf_counter()
        self._raw += data
        if not data:
            self.ended = True
        if not self.status:
            self._take_head()
        if self.status:
            self._take_body()
            self._take_messages(now)

    def close(self) -> None:
        self.socket.close()

    def _take_head(self) -> None:
        head, found, rest = bytes(self._raw).partition(b"\r\n\r\n")
        if not found:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        self.headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
        }
        self._raw[:] = rest
        self.status = int(first.split()[1])

    def _take_body(self) -> None:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            self.body += self._raw
            self._raw.clear()
            length = self.headers.get("content-length")
            self.ended = (
                self.ended or self.status == 204 or (length is not None and len(self.body) >= int(length))
            )
            return
        while True:
            line = self._raw.find(b"\r\n")
            if line < 0:
                return
            size = int(bytes(self._raw[:line]), 16)
            if len(self._raw) < line + size + 4:
                return
            self.body += self._raw[line + 2 : line + 2 + size]
            del self._raw[: line + size + 4]
            if not size:
                self.ended = True

    def _take_messages(self, now: float) -> None:
        while (end := self.body.find(b"\n\n", self._read)) >= 0:
            fields = {"id": "", "event": "", "data": ""}
            for line in self.body[self._read : end].decode().split("\n"):
                name, _, value = line.partition(":")
                if name in fields:
                    fields[name] = value.strip()
                elif not name:
                    self.comments += 1
            if fields["id"] or fields["data"]:
                self.messages.append(Message(now, fields["id"], fields["event"], fields["data"]))
            self._read = end + 2


class Audience:
    """Listeners that one thread serves; used with ``with``."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._selector = selectors.DefaultSelector()
        self.listeners: list[Listener] = []

    def open(self, path: str, headers: Mapping[str, str]) -> Listener:
        listener = Listener(self._address, path, headers)
        self._selector.register(listener.socket, selectors.EVENT_READ, listener)
        self.listeners.append(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        self._selector.unregister(listener.socket)
        self.listeners.remove(listener)
        listener.close()

    def listen(self, until: Callable[[], bool], seconds: float) -> bool:
        """Take what comes until something holds; False when the time was over before."""
        deadline = time.monotonic() + seconds
        while not until():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            for key, _ in self._selector.select(min(left, 0.05)):
                key.data.receive()
                if key.data.ended:
                    self._selector.unregister(key.data.socket)
        return True

    def __enter__(self) -> Audience:
        return self

    def __exit__(self, *_: object) -> None:
        for listener in self.listeners:
            listener.close()
        self._selector.close()
