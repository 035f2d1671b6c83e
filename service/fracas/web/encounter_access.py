"""Who calls an encounter, what they have seen of it, and which command this is: tokens and the headers of changes."""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any

from flask import abort, request
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.datastructures import WWWAuthenticate

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.records import Token
from fracas.encounters.tokens import author_of
from fracas.errors import ForbiddenError, InputError, Problem, TokenError

TICKET_SECONDS = 60
"""How long a ticket for the feed is good."""

_TAGS = re.compile(r'[\s,]*(?:(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,[\s,]*|\Z))+')
_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
_VERSION = re.compile(r"[1-9][0-9]{0,15}")
_KEY = re.compile(r"[\x20-\x7e]{1,200}")


def secret() -> str:
    """What the request shows as its token; 401 when it shows none."""
    scheme, _, shown = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not shown.strip():
        message = "this needs a token of the encounter: Authorization: Bearer ..."
        abort(401, message, www_authenticate=WWWAuthenticate("bearer"))
    return shown.strip()


def author(encounters: Encounters, id: str) -> Author:
    """Who calls.

    Raises:
        TokenError: the token is unknown, or it was revoked.
        NoEncounterError: the token is of another encounter. Whether there is one of this id is not disclosed.
    """
    return encounters.author(id, secret())


def manages(encounters: Encounters, id: str, admin_token: str) -> None:
    """Let pass only a GM of the encounter, and the administrator, who helps when a GM's secret is lost.

    Raises:
        TokenError, NoEncounterError: see `author`.
        ForbiddenError: the token is another's.
    """
    shown = secret()
    if admin_token and hmac.compare_digest(shown.encode("utf-8", "replace"), admin_token.encode()):
        encounters.row(id)
    elif encounters.author(id, shown).role != "gm":
        raise ForbiddenError("only the GM may do this")


def etag(version: int) -> str:
    """A version as the headers ETag and If-Match write it."""
    return f'"{version}"'


def seen(encounters: Encounters, id: str) -> int | None:
    """The version that If-Match names; None for any. Of several, the one that stands, if it is among them.

    A missing header ends the request with 428, one that cannot be read with 400.
    """
    header = request.headers.get("If-Match", "").strip()
    if not header:
        abort(428, 'If-Match is missing: the version that you have seen, such as "12", or * for any')
    if header == "*":
        return None
    if not _TAGS.fullmatch(header):
        abort(400, f'If-Match has versions in quotation marks, such as "12", or *, not {header[:80]}')
    strong = [tag for weak, tag in _TAG.findall(header) if not weak]
    versions = [int(tag) for tag in strong if _VERSION.fullmatch(tag)]
    if len(versions) < 2:
        return versions[0] if versions else -1
    current = encounters.row(id).version
    return current if current in versions else max(versions)


def idempotency_key() -> str:
    """The Idempotency-Key; 428 when it is missing, 400 when it cannot be one."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if not key:
        abort(428, "Idempotency-Key is missing: a word of your own that no other command of yours has")
    if not _KEY.fullmatch(key):
        abort(400, "an Idempotency-Key has 1 to 200 printable characters of ASCII")
    return key


def check_storable(data: Any) -> None:
    """What is kept must come back as it was.

    Raises:
        InputError: numbers beyond 64 bits, or text with characters that no database keeps.
    """
    problems = list(_unstorable(data, ""))
    if problems:
        raise InputError(problems)


def _unstorable(data: Any, path: str) -> Iterable[Problem]:
    if isinstance(data, dict):
        for key, value in data.items():
            if not _storable_text(key):
                yield Problem(path, "invalid", "a name has half a character, or the character NUL")
            yield from _unstorable(value, f"{path}.{key}" if path else key)
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from _unstorable(value, f"{path}[{at}]")
    elif isinstance(data, str):
        if not _storable_text(data):
            yield Problem(path, "invalid", "the text has half a character, or the character NUL")
    elif isinstance(data, (int, float)) and not -(2**63) <= data < 2**63:
        yield Problem(path, "out-of-range", "this number is too large, or none")


def _storable_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\x00" not in text


class Tickets:
    """Short-lived stand-ins for a token in the address of a feed, which browsers cannot give headers.

    An address may be written down on its way, so a ticket is good for one use only. Each service remembers those that
    it has seen.
    """

    def __init__(self, secret: bytes) -> None:
        self._signer = URLSafeTimedSerializer(secret, salt="fracas.ticket.2")
        self._used: OrderedDict[str, float] = OrderedDict()
        self._guard = Lock()

    def issue(self, encounter: str, token: Token) -> str:
        return str(self._signer.dumps([encounter, token.id, token.hash[:16], secrets.token_urlsafe(9)]))

    def author(self, encounters: Encounters, id: str, ticket: str) -> Author:
        """Who shows a ticket.

        Raises:
            TokenError: it is none, used, too old, for another encounter, or its token is not good any more.
        """
        try:
            encounter, token, hash, number = self._signer.loads(ticket, max_age=TICKET_SECONDS)
        except (BadSignature, UnicodeError, ValueError):
            raise TokenError("this ticket is not good, or not any more: get another one") from None
        if encounter == id:
            for known in encounters.store.tokens(id):
                good = known.id == token and known.revoked is None and known.hash.startswith(hash)
                if good and self._use(number):
                    return author_of(known)
        raise TokenError("this ticket is not good, or not any more: get another one")

    def _use(self, number: str) -> bool:
        """Whether this is the first use of a ticket."""
        now = time.monotonic()
        with self._guard:
            while self._used and next(iter(self._used.values())) < now:
                self._used.popitem(last=False)
            if number in self._used:
                return False
            self._used[number] = now + TICKET_SECONDS + 5
            return True
