"""A small client for the acceptance tests; it checks every answer against the OpenAPI document."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import socket
from collections.abc import Iterable, Mapping
from email.message import Message
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

ERROR = {"code", "status", "message", "errors"}
PATIENCE = 500
"""Seconds to wait for an answer: workers come after all else that a busy machine does."""
KNOWN_TO_ALL = "/health"
"""Any page may know that this answer exists."""


class Answer(NamedTuple):
    """What the service answered."""

    status: int
    headers: Message
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    def faults(self) -> list[tuple[str, str]]:
        """Path and code of each fault."""
        return [(fault["path"], fault["code"]) for fault in self.data["errors"]]

    def hints(self) -> str:
        return " ".join(fault["hint"] or "" for fault in self.data["errors"])


def send(
    port: int,
    method: str,
    path: str,
    body: bytes | Iterable[bytes] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """One request on a connection of its own. A server may answer before it has read the whole body."""
    chunked = body is not None and not isinstance(body, bytes)
    sent = {"Transfer-Encoding": "chunked"} if chunked else {}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the answer is on its way
            connection.request(method, path, body, {**sent, **(headers or {})}, encode_chunked=chunked)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


def send_raw(port: int, request: bytes) -> Answer:
    """Bytes as they are, which must ask for the connection to be closed."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        response = http.client.HTTPResponse(connection, method=request.split(b" ", 1)[0].decode())
        response.begin()
        return Answer(response.status, response.headers, response.read())


def head(method: str, path: str, *headers: str) -> bytes:
    """The head of a request, headers as they are."""
    return "\r\n".join((f"{method} {path} HTTP/1.1", *headers, "Connection: close", "", "")).encode("latin-1")


class Document:
    """An OpenAPI document, and what it says of answers."""

    def __init__(self, content: Any) -> None:
        self.content = content
        resource = Resource.from_contents(content, default_specification=DRAFT202012)
        self._registry = Registry().with_resource("urn:openapi", resource)
        self._paths = {
            path: re.compile(
                re.sub(r"\\\{\w+\\\}", "[^/]+" if "entries" not in path else ".+", re.escape(path))
            )
            for path in content["paths"]
        }

    def validator(self, *way: str) -> Draft202012Validator:
        """For the schema at a way of keys, such as ``components``, ``schemas``, ``Error``."""
        pointer = "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in way)
        return Draft202012Validator({"$ref": f"urn:openapi#{pointer}"}, registry=self._registry)

    def template(self, path: str) -> str | None:
        plain = path.partition("?")[0]
        return next((name for name, pattern in self._paths.items() if pattern.fullmatch(plain)), None)

    def check(self, method: str, path: str, answer: Answer) -> None:
        """The answer is one that the document describes for this operation."""
        template = self.template(path)
        operation = self.content["paths"].get(template, {}).get(method.lower())
        if operation is None:
            self.validator("components", "schemas", "Error").validate(answer.data)
            return
        status = str(answer.status)
        assert status in operation["responses"], f"{method} {template} answers {status} without a word"
        way = ["paths", str(template), method.lower(), "responses", status]
        if "$ref" in operation["responses"][status]:
            way = operation["responses"][status]["$ref"].removeprefix("#/").split("/")
        assert answer.headers["Content-Type"] == "application/json"
        self.validator(*way, "content", "application/json", "schema").validate(answer.data)


class Api:
    """Calls of one service, each answer checked: documented, one error body, safe headers."""

    def __init__(self, port: int, document: Document) -> None:
        self.port = port
        self.document = document

    def call(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        kind = {"Content-Type": "application/json"} if body is not None else {}
        answer = send(self.port, method, path, body, {**kind, **(headers or {})})
        assert answer.status < 500, answer.body
        assert "Origin" in answer.headers["Vary"].split(", ")
        if answer.status in (204, 304):
            assert not answer.body
        else:
            self.document.check(method, path, answer)
        if answer.status >= 400:
            check_error(answer)
        assert answer.headers["x-content-type-options"] == "nosniff"
        policy = "cross-origin" if path == KNOWN_TO_ALL and answer.status == 200 else "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == policy
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.call(
            "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )

    def post(self, path: str, body: Any) -> Answer:
        return self.call("POST", path, body)

    def resolve(self, request: Any) -> Any:
        answer = self.post("/v1/resolve", request)
        assert answer.status == 200, answer.body
        return answer.data

    def go_on(self, continuation: str, **answer: Any) -> Any:
        found = self.post("/v1/resolve/continue", {"continuation": continuation, **answer})
        assert found.status == 200, found.body
        return found.data

    def odds(self, request: Any) -> Any:
        answer = self.post("/v1/odds", request)
        assert answer.status == 200, answer.body
        return answer.data


def check_error(answer: Answer) -> None:
    """The one error body."""
    data = answer.data
    assert set(data) == (ERROR | {"current"} if answer.status == 412 else ERROR)
    assert data["status"] == answer.status
    assert data["message"]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", data["code"])
    for fault in data["errors"]:
        assert set(fault) == {"path", "code", "message", "hint"}
        assert fault["message"]
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", fault["code"])
