"""Sessions of browsers in a database, see `store.Sessions`."""

from __future__ import annotations

import hashlib
import secrets

import sqlalchemy as sa

from fracas.encounters.databases import Database
from fracas.encounters.records import Token
from fracas.encounters.store import SESSION_DAYS, Shown
from fracas.encounters.tables import SESSIONS

_DAY = 86_400_000


class BrowserSessions:
    """The sessions of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def renew(self, name: str, encounter: str, token: Token, now: int) -> str:
        """See `store.Sessions.renew`."""
        fresh = secrets.token_urlsafe(32)
        before, after = _hash(name), _hash(fresh)
        with self._database.writing() as connection:
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.created < now - SESSION_DAYS * _DAY))
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
