"""One error body for every failure: ``{code, status, message, errors}``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from fracas.errors import ContinuationError, FracasError, PackError, Problem, ProblemsError, UnknownNameError

STATUS: dict[type[FracasError], int] = {
    ContinuationError: 403,
    PackError: 500,
    UnknownNameError: 422,
    ProblemsError: 422,
}

_CODES = {
    400: "bad-request",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "wrong-media-type",
    421: "wrong-host",
    422: "invalid-input",
}


def status_of(error: FracasError) -> int:
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)


def body(code: str, status: int, message: str, problems: Iterable[Problem] = ()) -> dict[str, Any]:
    return {
        "code": code,
        "status": status,
        "message": message,
        "errors": [problem._asdict() for problem in problems],
    }


def answer_fracas_error(error: FracasError) -> tuple[Response, int]:
    status = status_of(error)
    problems = error.problems if isinstance(error, ProblemsError) else ()
    message = error.message if len(problems) < 2 else f"{len(problems)} faults; the first: {problems[0]}"
    return jsonify(body(error.code, status, message, problems)), status


def answer_http_error(error: HTTPException) -> Response:
    """Keeps the headers of the error, such as Allow of a 405."""
    status = error.code or 500
    code = _CODES.get(status, "http-error")
    response = jsonify(body(code, status, str(error.description or error.name)))
    response.status_code = status
    for name, value in error.get_headers(None):
        if name.lower() not in ("content-type", "content-length"):
            response.headers[name] = value
    return response


def answer_unexpected(error: Exception) -> tuple[Response, int]:
    message = "the service failed; its log tells more"
    return jsonify(body("internal-error", 500, message)), 500


def install(app: Flask) -> None:
    app.register_error_handler(FracasError, answer_fracas_error)
    app.register_error_handler(HTTPException, answer_http_error)
    app.register_error_handler(Exception, _log_and_answer(app))


def _log_and_answer(app: Flask) -> Any:
    def handle(error: Exception) -> tuple[Response, int]:
        app.logger.exception("unexpected error")
        return answer_unexpected(error)

    return handle
