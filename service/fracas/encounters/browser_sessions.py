"""Sessions of browsers: a random name stands for the tokens that a browser has shown, and is worth nothing elsewhere.

Like the secrets of tokens, the name is kept as a hash. A session says of each fight which token it stands for, and
which secret that token had; another secret, or a revoked token, ends it.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

import sqlalchemy as sa

from fracas.encounters.databases import Database
from fracas.encounters.records import Token
from fracas.encounters.tables import SESSIONS

DAYS = 90
"""How long a session is kept after it was renewed."""

_DAY = 86_400_000


class Shown(NamedTuple):
    """A token that a browser has shown.

    Attributes:
        token: its id.
        hash: of its secret then.
    """

    encounter: str
    token: str
    hash: str


class BrowserSessions:
    """The sessions of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def renew(self, name: str, encounter: str, token: Token, now: int) -> str:
        """Another name for a session, to which one more token belongs; the former name is worth nothing any more.

        Whoever knew the former name, because they had made it, has no part in what the browser shows now.

        Args:
            name: of the session; "" for none.
            now: in milliseconds since the epoch.

        Returns:
            the name, which is kept nowhere.
        """
        fresh = secrets.token_urlsafe(32)
        before, after = _hash(name), _hash(fresh)
        with self._database.writing() as connection:
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.created < now - DAYS * _DAY))
            if name:
                connection.execute(
                    sa.delete(SESSIONS).where(SESSIONS.c.session == before, SESSIONS.c.encounter == encounter)
                )
                connection.execute(
                    sa.update(SESSIONS).where(SESSIONS.c.session == before).values(session=after, created=now)
                )
            row = {"session": after, "created": now}
            shown = {"encounter": encounter, "token": token.id, "hash": token.hash}
            connection.execute(sa.insert(SESSIONS), {**row, **shown})
        return fresh

    def shown(self, name: str) -> list[Shown]:
        """The tokens that belong to a session."""
        columns = [SESSIONS.c[field] for field in Shown._fields]
        wanted = sa.select(*columns).where(SESSIONS.c.session == _hash(name))
        with self._database.reading() as connection:
            return [Shown._make(row) for row in connection.execute(wanted)]

    def forget(self, name: str, encounter: str) -> None:
        """Take a fight's token out of a session."""
        found = sa.delete(SESSIONS).where(
            SESSIONS.c.session == _hash(name), SESSIONS.c.encounter == encounter
        )
        with self._database.writing() as connection:
            connection.execute(found)


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()
