"""What all pages of the console have in common: drawing, headers, and errors that people can read."""

from __future__ import annotations

import json
import re
import secrets
from typing import Any, NamedTuple, NoReturn

from flask import Blueprint, Response, abort, current_app, make_response, redirect, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from fracas import __version__
from fracas.errors import FracasError, Problem, ProblemsError, RefusedError
from fracas.web.console.forms import SITUATION
from fracas.web.errors import status_of
from fracas.web.settings import Settings
from fracas.web.work import HandedOverError, answer_nothing

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FRAGMENT = "HX-Request"
"""The header of requests that want a part of a page."""


def drawn(template: str, status: int = 200, **shown: Any) -> Response:
    """A page, or a part of one."""
    response = make_response(
        render_template(f"console/{template}", version=__version__, key=_key, **shown), status
    )
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Referrer-Policy"] = "same-origin"
    response.vary.add(FRAGMENT)
    return response


def _key() -> str:
    """A word for an Idempotency-Key, so that a form that is sent twice is carried out once."""
    return secrets.token_urlsafe(12)


CHANGED = "fight-changed"
"""The event on which parts of a page fetch themselves anew."""


def told_changed(response: Response, version: int) -> Response:
    """The answer to a command: the page fetches what has changed."""
    response.headers["HX-Trigger"] = json.dumps({CHANGED: {"version": version}})
    return response


def gone_to(address: str) -> BaseResponse:
    """Elsewhere in the service, for a form as for a part of a page."""
    address = request.script_root + address
    if FRAGMENT in request.headers:
        response = make_response("", 204)
        response.headers["HX-Redirect"] = address
        return response
    return redirect(address, 303)


def address_for_others(settings: Settings) -> str:
    """Where people at other computers find the service: its public address, else where this request has found it."""
    return str(settings.public or request.url_root.rstrip("/"))


def downloaded(text: str, type: str, name: str) -> Response:
    """A file to keep."""
    response = Response(text, content_type=type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def install(console: Blueprint) -> None:
    """Errors under the console's addresses become pages; of a part of a page, its notice. Changes are taken from its
    own pages alone: others that may call the service show a token, but a browser shows the console's cookies for any
    page of the same host, such as that of a virtual tabletop beside it."""

    @console.before_request
    def only_own_pages() -> None:
        if request.method not in ("GET", "HEAD", "OPTIONS") and not _from_own_page():
            abort(403, "the console takes changes from its own pages only")

    @console.get("/<path:rest>")
    def elsewhere(rest: str) -> NoReturn:
        abort(404, "the console has no such page")

    as_pages(console)


def as_pages(blueprint: Blueprint) -> None:
    """Errors under the addresses of a blueprint become pages."""
    blueprint.register_error_handler(HandedOverError, answer_nothing)
    blueprint.register_error_handler(FracasError, _fracas_error)
    blueprint.register_error_handler(HTTPException, _http_error)
    blueprint.register_error_handler(Exception, _unexpected)


def _from_own_page() -> bool:
    """Whether a browser says that one of our pages sends this; a proxy may have changed scheme and host on the way."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site in ("same-origin", "none")
    return origin is None or origin.partition("://")[2] == request.host


class Reason(NamedTuple):
    """Why something cannot be done, for people.

    Attributes:
        field: the control of a form that it is about, as the form names it, or "".
        where: the same in words: "Fire, mode"; "" for the only field of a form, which needs no name.
        text: what is wrong, and how to mend it.
    """

    field: str
    where: str
    text: str


def reasons(error: FracasError) -> list[str]:
    """Sentences for people, the most important first."""
    return [f"{one.where}: {one.text}" if one.where else one.text for one in _reasons(error)]


def _reasons(error: FracasError) -> list[Reason]:
    """What is wrong, the most important first."""
    if isinstance(error, RefusedError):
        return [Reason("", "", message) for _, message in error.reasons]
    if isinstance(error, ProblemsError):
        return [_reason(problem) for problem in error.problems]
    return [Reason("", "", error.message)]


def _reason(problem: Problem) -> Reason:
    """A problem without its code."""
    words = problem.path.removeprefix(SITUATION).replace(".", ", ").replace("_", " ")
    where = words[:1].upper() + words[1:] if problem.path not in ("", "file", "key") else ""
    text = without_keys(problem.message) if problem.path.startswith(SITUATION) else problem.message
    return Reason(problem.path, where, text + (f" ({problem.hint})" if problem.hint else ""))


def without_keys(message: str) -> str:
    """What the rules lack, with words in place of the paths of fields.

    >>> without_keys("the rule needs Body, or damage.not_resisted in place of body")
    'the rule needs Body, or not resisted in place of body'
    """
    return _KEY.sub(lambda found: found[1].replace("_", " "), message)


_KEY = re.compile(r"\b[a-z_]+(?:\.[a-z_]+)*\.([a-z_]+)\b")


def _failed(status: int, title: str, reported: list[Reason]) -> Response:
    template = "_notice.html" if FRAGMENT in request.headers else "failed.html"
    response = drawn(template, status, title=title, reasons=reported)
    if FRAGMENT in request.headers:
        response.headers["HX-Retarget"] = "#notice"
        response.headers["HX-Reswap"] = "innerHTML"
    return response


def _fracas_error(error: FracasError) -> Response:
    status = status_of(error)
    if status >= 500:
        current_app.logger.error("%s: %s", error.code, error.message)
        return _failed(status, "The service failed", [Reason("", "", "its log has the details")])
    return _failed(status, "This cannot be done", _reasons(error))


def _http_error(error: HTTPException) -> Response:
    return _failed(error.code or 500, error.name, [Reason("", "", str(error.description or error.name))])


def _unexpected(error: Exception) -> Response:
    current_app.logger.exception("unexpected error")
    return _failed(500, "The service failed", [Reason("", "", "its log has the details")])
