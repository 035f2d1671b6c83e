"""Who looks at a fight in the console: a browser has a session, for which the service keeps the tokens it has shown.

The cookie holds a random name, which scripts cannot read and which is no token of the interface: another server of the
same host, which gets the cookies of this one too, learns nothing that ``/v1`` takes. Its name is that of this
instance. It is sent by pages of this service alone (``SameSite=Lax``), and the guard refuses changes from any other
origin.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from flask import abort, after_this_request, request
from werkzeug.wrappers import Response

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.records import EncounterRow, Token
from fracas.encounters.store import SESSION_DAYS
from fracas.encounters.tokens import author_of, hash_of
from fracas.errors import ForbiddenError, NoEncounterError, TokenError

_FORMER = "fracas-fight-"
"""Until version 0.2, a cookie for each fight held its token. They are taken once more, and replaced."""

_ID = re.compile(r"[0-9a-f]{1,32}")


def viewer(encounters: Encounters, id: str) -> Author:
    """Who looks at a fight. Without a session that knows it, the request ends with 401.

    Raises:
        TokenError: the token was revoked, or has another secret now.
        NoEncounterError: there is no such fight any more.
    """
    for shown in encounters.store.sessions.shown(_name(encounters)):
        if shown.encounter == id:
            return author_of(_good(encounters, id, shown.token, shown.hash))
    secret = request.cookies.get(_FORMER + id, "")
    if not secret:
        abort(
            401, "this browser has no key to this fight: open the link that its GM gave you, or enter the key"
        )
    found = encounters.author(id, secret)
    _replace_former(encounters, id, secret)
    return found


def gm(encounters: Encounters, id: str) -> Author:
    """
    Raises:
        ForbiddenError: the viewer is not the GM.
    """
    found = viewer(encounters, id)
    if found.role != "gm":
        raise ForbiddenError("this is for the GM")
    return found


def _good(encounters: Encounters, id: str, token: str, hash: str) -> Token:
    known = {one.id: one for one in encounters.tokens(id)}.get(token)
    if known is None or known.revoked is not None or known.hash != hash:
        raise TokenError("this key was revoked, or has been replaced by another one")
    return known


def remember(response: Response, encounters: Encounters, id: str, secret: str) -> None:
    """Let the browser that asks look at a fight with this token from now on.

    Raises:
        TokenError: the token is not known.
    """
    found = encounters.store.token_by_hash(hash_of(secret))
    if found is None:
        raise TokenError("this token is not known")
    name = encounters.store.sessions.renew(_name(encounters), id, found[1], encounters.now())
    response.set_cookie(
        _cookie(encounters),
        name,
        max_age=SESSION_DAYS * 86_400,
        path=_path(),
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )
    _forget_former(response, id)


def forget(response: Response, encounters: Encounters, id: str) -> None:
    if not _ID.fullmatch(id):
        return  # no fight has such an id, and no cookie can have it in its name
    if name := _name(encounters):
        encounters.store.sessions.forget(name, id)
    _forget_former(response, id)


def known_fights(encounters: Encounters) -> Iterator[tuple[EncounterRow, Author]]:
    """The fights to which this browser has a key that is still good."""
    reported = set()
    for shown in encounters.store.sessions.shown(_name(encounters)):
        reported.add(shown.encounter)
        try:
            row = encounters.row(shown.encounter)
            yield row, author_of(_good(encounters, shown.encounter, shown.token, shown.hash))
        except (NoEncounterError, TokenError):
            continue
    for name, secret in request.cookies.items():
        id = name.removeprefix(_FORMER)
        if name == id or not _ID.fullmatch(id) or id in reported:
            continue
        try:
            yield encounters.row(id), encounters.author(id, secret)
        except (NoEncounterError, TokenError):
            continue


def _replace_former(encounters: Encounters, id: str, secret: str) -> None:
    """Begin a session in place of a former cookie, with the answer to a whole page: no other is under way then."""
    if request.method != "GET" or "HX-Request" in request.headers or "feed" in request.path:
        return

    @after_this_request
    def replace(response: Response) -> Response:
        remember(response, encounters, id, secret)
        return response


def _forget_former(response: Response, id: str) -> None:
    if _FORMER + id in request.cookies:
        response.delete_cookie(
            _FORMER + id, path=_path(), secure=request.is_secure, httponly=True, samesite="Lax"
        )


def _cookie(encounters: Encounters) -> str:
    """The name of the cookie: another instance of the same host has another database."""
    return f"fracas-{hashlib.sha256(encounters.store.name.encode()).hexdigest()[:10]}"


def _name(encounters: Encounters) -> str:
    """The name of this browser's session; "" for none."""
    return request.cookies.get(_cookie(encounters), "")


def _path() -> str:
    """Where the cookies belong: the console's pages alone."""
    return f"{request.script_root}/console"
