"""Fracas as it runs inside a page, in Node: for tests that speak with it as with a service."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from http.client import responses
from pathlib import Path
from typing import Any

from inside_bundle import the_bundle

SERVE = Path(__file__).parent / "inside" / "serve.mjs"


class InsideService:
    """A process of Node with Fracas in it.

    Attributes:
        lines: the journal.
        memory: bytes of Python's memory after the start.
    """

    def __init__(self, prefix: str = "") -> None:
        node = shutil.which("node")
        assert node, "Node is needed; scripts/test installs it"
        command = [node, str(SERVE), f"{the_bundle().as_posix()}/", prefix]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines: list[str] = []
        self.memory: int = self._heard()["memory"]

    def _heard(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"Node ended with status {self._process.wait(200)}"
        told: dict[str, Any] = json.loads(line)
        assert "failed" not in told, told["failed"]
        return told

    def _ask(self, **what: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self._heard()

    def call(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Status, headers and body of an answer."""
        sent = base64.b64encode(body).decode()
        told = self._ask(method=method, path=path, headers=dict(headers or {}), body=sent)
        self.lines += [line for _, line in told["written"]]
        return (
            told["status"],
            [(name, value) for name, value in told["headers"]],
            base64.b64decode(told["body"]),
        )

    def python(self, code: str) -> Any:
        """The value of the last expression of some code."""
        return self._ask(python=code)["value"]

    def restart(self) -> None:
        """As after a page was loaded anew: only the journal is left."""
        self._ask(lines=self.lines)

    def wsgi(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """It, for clients that speak with WSGI applications."""
        headers = {
            name[5:].replace("_", "-").title(): value
            for name, value in environ.items()
            if name[:5] == "HTTP_"
        }
        headers.pop("Host", None)
        if environ.get("CONTENT_TYPE"):
            headers["Content-Type"] = environ["CONTENT_TYPE"]
        length = environ.get("CONTENT_LENGTH")
        body = environ["wsgi.input"].read(int(length)) if length else b""
        path = environ["PATH_INFO"].encode("latin-1")
        query = f"?{environ['QUERY_STRING']}" if environ["QUERY_STRING"] else ""
        status, said, answer = self.call(environ["REQUEST_METHOD"], _quoted(path) + query, headers, body)
        start_response(f"{status} {responses.get(status, '')}", said)
        return [answer]

    def close(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(200)
        if self._process.stdout is not None:
            self._process.stdout.close()


def _quoted(path: bytes) -> str:
    from urllib.parse import quote_from_bytes

    return quote_from_bytes(path, safe="/:@!$&'()*+,;=~")
