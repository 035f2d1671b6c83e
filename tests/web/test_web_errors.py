"""One error body for everything that can go wrong in a view."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from werkzeug.exceptions import (
    HTTPException,
    MethodNotAllowed,
    RequestedRangeNotSatisfiable,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    default_exceptions,
)
from werkzeug.test import Client

from fracas.errors import (
    ContinuationError,
    DiceError,
    FracasError,
    InputError,
    PackError,
    Problem,
    ReplayError,
    StageCodecError,
    UnknownNameError,
)
from fracas.web.application import create_app
from fracas.web.settings import Settings

HIDDEN = "a detail that is nobody's business: /etc/fracas"

FRACAS: dict[str, tuple[Callable[[], FracasError], int, str]] = {
    "input": (lambda: InputError.one("a.b", "out-of-range", "too large", "try 1"), 422, "invalid-input"),
    "name": (lambda: UnknownNameError.one("a", "unknown-entry", "none such"), 422, "unknown-name"),
    "dice": (lambda: DiceError.one("dice", "wrong-dice", "3 dice"), 422, "wrong-dice"),
    "continuation": (lambda: ContinuationError("forged"), 403, "bad-continuation"),
}
INTERNAL: dict[str, Callable[[], Exception]] = {
    "fracas": lambda: FracasError(HIDDEN),
    "pack": lambda: PackError((Problem("x.yaml:1:1", "bad-yaml", HIDDEN),)),
    "replay": lambda: ReplayError(HIDDEN),
    "stage": lambda: StageCodecError(HIDDEN),
    "value": lambda: ValueError(HIDDEN),
    "key": lambda: KeyError(HIDDEN),
    "recursion": lambda: RecursionError(HIDDEN),
    "unicode": lambda: UnicodeEncodeError("utf-8", "\ud800", 0, 1, HIDDEN),
    "assertion": lambda: AssertionError(HIDDEN),
}
WITH_HEADERS: dict[str, tuple[Callable[[], HTTPException], str, str]] = {
    "allow": (lambda: MethodNotAllowed(["GET", "PUT"]), "Allow", "GET, PUT"),
    "range": (lambda: RequestedRangeNotSatisfiable(10), "Content-Range", "bytes */10"),
    "later": (lambda: TooManyRequests(retry_after=5), "Retry-After", "5"),
    "down": (lambda: ServiceUnavailable(retry_after=7), "Retry-After", "7"),
    "who": (lambda: Unauthorized(www_authenticate=_challenge()), "WWW-Authenticate", "Basic realm"),
}
CODES = {
    400: "bad-request", 403: "forbidden", 404: "not-found", 405: "method-not-allowed", 413: "too-large",
    415: "wrong-media-type", 421: "wrong-host", 422: "invalid-input",
}  # fmt: skip


def _challenge() -> Any:
    from werkzeug.datastructures import WWWAuthenticate

    return WWWAuthenticate("basic", {"realm": "x"})


@pytest.fixture(scope="module")
def failing() -> Flask:
    """An application with a route for each way to fail."""
    app = create_app(Settings(secret=b"x" * 32))
    ways: dict[str, Callable[[], Exception]] = {
        **{str(code): kind for code, kind in default_exceptions.items()},
        **{name: make for name, (make, _, _) in {**FRACAS, **WITH_HEADERS}.items()},
        **{f"internal-{name}": make for name, make in INTERNAL.items()},
    }

    def fail(way: str) -> str:
        raise ways[way]()

    app.add_url_rule("/fail/<way>", view_func=fail)
    return app


def fetch(app: Flask, way: str) -> Any:
    response = app.test_client().get(f"/fail/{way}")
    assert response.content_type == "application/json"
    body = json.loads(response.data)
    assert set(body) == {"code", "status", "message", "errors"}
    assert body["status"] == response.status_code
    assert re.fullmatch("[a-z]+(-[a-z]+)*", body["code"])
    assert body["message"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "<!doctype" not in response.text
    return response


@pytest.mark.parametrize("code", sorted(default_exceptions))
def test_every_http_error_has_the_one_body(failing: Flask, code: int) -> None:
    response = fetch(failing, str(code))
    assert response.status_code == code
    assert response.json["errors"] == []
    assert response.json["code"] == CODES.get(code, response.json["code"])


def test_the_list_of_http_errors_is_not_empty() -> None:
    assert len(default_exceptions) > 25
    assert set(CODES) <= set(default_exceptions)


@pytest.mark.parametrize(
    ("name", "header", "value"), [(name, *rest[1:]) for name, rest in WITH_HEADERS.items()]
)
def test_an_http_error_keeps_its_headers(failing: Flask, name: str, header: str, value: str) -> None:
    assert value in fetch(failing, name).headers[header]


@pytest.mark.parametrize(("name", "status", "code"), [(name, *rest[1:]) for name, rest in FRACAS.items()])
def test_what_a_caller_did_wrong_is_told(failing: Flask, name: str, status: int, code: str) -> None:
    response = fetch(failing, name)
    assert (response.status_code, response.json["code"]) == (status, code)
    error = FRACAS[name][0]()
    told = [problem._asdict() for problem in getattr(error, "problems", ())]
    assert response.json["errors"] == told
    assert error.message in response.json["message"]


@pytest.mark.parametrize("name", INTERNAL)
def test_what_we_did_wrong_is_a_500(failing: Flask, name: str) -> None:
    assert fetch(failing, f"internal-{name}").status_code == 500


@pytest.mark.parametrize("name", ["value", "key", "recursion", "unicode", "assertion"])
def test_what_we_did_wrong_goes_to_the_log_alone(
    failing: Flask, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    response = fetch(failing, f"internal-{name}")
    assert response.json["code"] == "internal-error"
    assert HIDDEN not in response.text
    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info is not None
    assert type(INTERNAL[name]()) is record.exc_info[0]


@pytest.mark.parametrize(
    "path",
    ["/v1/packs", "/openapi.json", "/schemas/pack.schema.json", "/foundry/module.json"],
)
def test_a_page_with_an_etag_knows_if_match(client: Client, path: str) -> None:
    knows_if_match(client, path)


def test_a_static_file_knows_if_match(app: Flask) -> None:
    """Fracas in a page has none: the page itself loads them."""
    knows_if_match(app.test_client(), "/static/console.js")


def knows_if_match(client: Client, path: str) -> None:
    def get(**headers: str) -> Any:
        return client.get(
            path, headers={name.replace("_", "-"): value for name, value in headers.items()}, buffered=True
        )

    plain = get()
    tag = plain.headers["ETag"]
    for matching in ("*", tag, f'"other", {tag}'):
        answer = get(if_match=matching)
        assert (answer.status_code, answer.data) == (200, plain.data), matching
    answer = get(if_match="*", if_none_match=tag)
    assert (answer.status_code, answer.data) == (304, b"")
    answer = get(if_match='"other"', accept_encoding="gzip")
    assert answer.mimetype == "application/json"
    assert json.loads(answer.data) == {
        "code": "precondition-failed",
        "status": 412,
        "message": "what is here now has another ETag than If-Match names",
        "errors": [],
    }
    assert answer.status_code == 412
    assert int(answer.headers["Content-Length"]) == len(answer.data)
