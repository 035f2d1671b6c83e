"""Who may call: the Host header against DNS rebinding, exact origins for browsers, limits on bodies."""

from __future__ import annotations

import hmac
import ipaddress
import re

from flask import Flask, Response, abort, current_app, request
from werkzeug.datastructures import WWWAuthenticate

from fracas.web.addresses import EVERY_ADDRESS
from fracas.web.bodies import Refusal
from fracas.web.callers import Callers
from fracas.web.errors import body
from fracas.web.settings import Settings, is_origin
from fracas.web.work import REFUSED

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::[0-9]{1,5})?")
_METHODS = "GET, POST, DELETE, OPTIONS"
_HEADERS = "Content-Type, Authorization, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
_SAFE = ("GET", "HEAD", "OPTIONS")


def install(app: Flask, settings: Settings, callers: Callers) -> None:
    allowed = frozenset(settings.origins)
    hosts = frozenset(name.lower() for name in (*_LOOPBACK, settings.host, *settings.hosts))
    if ":" in settings.host:
        hosts |= {f"[{settings.host.strip('[]').lower()}]"}
    if settings.public is not None:
        hosts |= {settings.public.host}
    everywhere = settings.host in EVERY_ADDRESS

    @app.before_request
    def check() -> Response | None:
        refusal: Refusal | None = request.environ.get(REFUSED)
        if refusal is not None:
            if request.blueprint == "console":
                abort(refusal.status, refusal.message)  # for people, as all its refusals
            return _refusal(refusal)
        host = _host_name(request.headers.get("Host", ""))
        if host not in hosts and not (everywhere and _is_address(host)):
            if host and callers.misnamed(host):
                text = "a request for the name %r was refused; FRACAS_HOSTS allows it"
                current_app.logger.warning(text, host[:100])
            abort(421, f"this service is not called {host[:80]!r}; name it in FRACAS_HOSTS if it is")
        origin = request.headers.get("Origin")
        if origin is not None and not _same_origin(origin):
            first = callers.called(origin, origin in allowed)
            if origin not in allowed:
                _refuse(origin, first)
                return None
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return _preflight(origin)
        return None

    @app.after_request
    def permit(response: Response) -> Response:
        origin = request.headers.get("Origin")
        response.vary.add("Origin")
        if origin in allowed:
            response.headers["Access-Control-Allow-Origin"] = str(origin)
            response.headers["Access-Control-Expose-Headers"] = (
                "ETag, Location, Allow, Retry-After, WWW-Authenticate"
            )
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cross-Origin-Resource-Policy"] = (
            "cross-origin" if origin in allowed or _tells_nothing(response) else "same-origin"
        )
        response.headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def _refusal(refusal: Refusal) -> Response:
    """The answer to a request that the server does not want handled."""
    status, code, message, retry = refusal
    response = current_app.make_response((body(code, status, message), status))
    if retry:
        response.headers["Retry-After"] = str(retry)
    return response


def _refuse(origin: str, first: bool) -> None:
    """What happens to a request of an origin that is not allowed; the log shows the first one of each."""
    if first and is_origin(origin):
        text = "a page of %s was refused; fracas serve --origin %s allows it"
        current_app.logger.warning(text, origin, origin)
    if request.method not in _SAFE:
        shown = origin[:80]
        allow = f"start it with --origin {shown}, or add {shown} to FRACAS_ORIGINS, to allow them as well"
        abort(403, f"pages of {shown!r} may not call this service; {allow}")


def _tells_nothing(response: Response) -> bool:
    """Whether any page may know that this answer exists, without reading it: so a page that is not allowed can
    distinguish a service that refuses it from one that does not run."""
    return request.path == "/health" and response.status_code == 200


def check_administrator(settings: Settings) -> None:
    """Let pass only who shows the administrator's token (401 without one, 403 with a wrong one)."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        message = "this needs the administrator's token: Authorization: Bearer ..."
        abort(401, message, www_authenticate=WWWAuthenticate("bearer"))
    shown, known = token.strip().encode("utf-8", "replace"), settings.admin_token.encode()
    if not known or not hmac.compare_digest(shown, known):
        abort(403, "this is not the administrator's token")


def _preflight(origin: str | None) -> Response:
    response = current_app.response_class(status=204)
    if origin is not None:
        response.headers["Access-Control-Allow-Methods"] = _METHODS
        response.headers["Access-Control-Allow-Headers"] = _HEADERS
        response.headers["Access-Control-Max-Age"] = "600"
        if request.headers.get("Access-Control-Request-Private-Network") == "true":
            response.headers["Access-Control-Allow-Private-Network"] = "true"
    return response


def _host_name(header: str) -> str:
    """The Host header without its port; "" when it is none."""
    found = _HOST.fullmatch(header.strip().lower())
    return found[1] if found else ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _same_origin(origin: str) -> bool:
    return origin == request.host_url.rstrip("/")
