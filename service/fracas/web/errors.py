"""One error body for every failure: ``{code, status, message, errors}``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Flask, Response, current_app, jsonify
from werkzeug.exceptions import HTTPException

from fracas.errors import (
    ContinuationError,
    DatabaseError,
    EventError,
    ForbiddenError,
    FracasError,
    KeyReusedError,
    KeyTakenError,
    NoEncounterError,
    PackError,
    Problem,
    ProblemsError,
    RefusedError,
    StaleVersionError,
    TokenError,
    UnknownNameError,
)
from fracas.web.quotas import QuotaError
from fracas.web.work import HandedOverError, answer_nothing

STATUS: dict[type[FracasError], int] = {
    ContinuationError: 403,
    DatabaseError: 503,
    EventError: 500,
    ForbiddenError: 403,
    KeyReusedError: 422,
    KeyTakenError: 409,
    NoEncounterError: 404,
    PackError: 500,
    RefusedError: 409,
    StaleVersionError: 412,
    TokenError: 401,
    UnknownNameError: 422,
    ProblemsError: 422,
}

_CODES = {
    400: "bad-request",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    412: "precondition-failed",
    413: "too-large",
    415: "wrong-media-type",
    421: "wrong-host",
    422: "invalid-input",
    428: "precondition-required",
    429: "too-many",
    503: "unavailable",
}


def status_of(error: FracasError) -> int:
    if isinstance(error, QuotaError):
        return error.status
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)


def body(code: str, status: int, message: str, problems: Iterable[Problem] = ()) -> dict[str, Any]:
    return {
        "code": code,
        "status": status,
        "message": message,
        "errors": [problem._asdict() for problem in problems],
    }


def answer_fracas_error(error: FracasError) -> Response:
    status = status_of(error)
    message, problems = error.message, _problems(error)
    if isinstance(error, ProblemsError) and len(problems) > 1:
        message = f"{len(problems)} faults; the first: {problems[0]}"
    if isinstance(error, (DatabaseError, EventError)):  # where things lie here is nobody's business
        current_app.logger.error("%s: %s", error.code, error.message)
        message = "encounters cannot be read or kept just now; the log of the service has the details"
    reported = body(error.code, status, message, problems)
    if isinstance(error, StaleVersionError):
        reported["current"] = error.current
    response = jsonify(reported)
    response.status_code = status
    if isinstance(error, StaleVersionError):
        response.headers["ETag"] = f'"{error.current}"'
    elif isinstance(error, TokenError):
        response.headers["WWW-Authenticate"] = 'Bearer error="invalid_token"'
    elif isinstance(error, QuotaError):
        response.headers["Retry-After"] = str(error.retry)
    elif isinstance(error, DatabaseError):
        response.headers["Retry-After"] = "2"
    return response


def _problems(error: FracasError) -> tuple[Problem, ...]:
    if isinstance(error, RefusedError):
        return tuple(Problem("", code, message) for code, message in error.reasons)
    return error.problems if isinstance(error, ProblemsError) else ()


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


class Conditional(Response):
    """Flask's response, where `If-Match: *` matches whatever is there; Werkzeug takes it for a tag."""

    def make_conditional(self, request_or_environ: Any, *args: Any, **kwargs: Any) -> Any:
        environ = getattr(request_or_environ, "environ", request_or_environ)
        if environ.get("HTTP_IF_MATCH", "").strip() == "*":
            environ = {name: value for name, value in environ.items() if name != "HTTP_IF_MATCH"}
        super().make_conditional(environ, *args, **kwargs)
        if self.status_code == 412:
            message = "what is here now has another ETag than If-Match names"
            self.close()
            self.direct_passthrough = False
            self.headers.pop("Content-Encoding", None)
            self.mimetype = "application/json"
            self.data = current_app.json.dumps(body(_CODES[412], 412, message))
        return self


def answer_unexpected(error: Exception) -> tuple[Response, int]:
    message = "the service failed; its log has the details"
    return jsonify(body("internal-error", 500, message)), 500


def install(app: Flask) -> None:
    app.response_class = Conditional
    app.register_error_handler(HandedOverError, answer_nothing)
    app.register_error_handler(FracasError, answer_fracas_error)
    app.register_error_handler(HTTPException, answer_http_error)
    app.register_error_handler(Exception, _log_and_answer(app))


def _log_and_answer(app: Flask) -> Any:
    def handle(error: Exception) -> tuple[Response, int]:
        app.logger.exception("unexpected error")
        return answer_unexpected(error)

    return handle
