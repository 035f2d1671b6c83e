"""Who looks at a fight in the console: a browser keeps a token for each fight in a cookie that scripts cannot read.

A cookie is sent by pages of this service alone (``SameSite=Lax``), and the guard refuses changes from any other
origin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flask import abort, request
from werkzeug.wrappers import Response

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.records import EncounterRow
from fracas.errors import NoEncounterError, TokenError

_COOKIE = "fracas-fight-"
_ID = re.compile(r"[0-9a-f]{1,32}")
_DAYS = 90


def viewer(encounters: Encounters, id: str) -> Author:
    """Who looks at a fight. Without a cookie for it, the request ends with 401.

    Raises:
        TokenError: the token was revoked.
        NoEncounterError: there is no such fight any more.
    """
    secret = secret_of(id)
    if not secret:
        abort(
            401, "this browser has no key to this fight: open the link that its GM gave you, or enter the key"
        )
    return encounters.author(id, secret)


def secret_of(id: str) -> str:
    """The token that this browser shows for a fight; "" for none."""
    return request.cookies.get(_COOKIE + id, "")


def remember(response: Response, id: str, secret: str) -> None:
    response.set_cookie(
        _COOKIE + id,
        secret,
        max_age=_DAYS * 86_400,
        path=_path(),
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def forget(response: Response, id: str) -> None:
    if not _ID.fullmatch(id):
        return  # no fight has such an id, and no cookie can have it in its name
    response.delete_cookie(
        _COOKIE + id, path=_path(), secure=request.is_secure, httponly=True, samesite="Lax"
    )


def _path() -> str:
    """Where the cookies belong: the console's pages alone."""
    return f"{request.script_root}/console"


def known_fights(encounters: Encounters) -> Iterator[tuple[EncounterRow, Author]]:
    """The fights to which this browser has a key that is still good."""
    for name, secret in request.cookies.items():
        id = name.removeprefix(_COOKIE)
        if name == id or not _ID.fullmatch(id):
            continue
        try:
            yield encounters.row(id), encounters.author(id, secret)
        except (NoEncounterError, TokenError):
            continue
