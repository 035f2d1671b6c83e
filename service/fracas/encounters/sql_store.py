"""The store of encounters in a database: SQLite or PostgreSQL. What a method returned for is on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.pool import PoolProxiedConnection

from fracas.encounters.browser_sessions import BrowserSessions
from fracas.encounters.databases import ConflictError, Database, Prepared
from fracas.encounters.listening import CHANNEL, Listener
from fracas.encounters.migrating import migrate
from fracas.encounters.records import (
    EncounterRow,
    KeyUse,
    NewEncounter,
    PastCommand,
    Snapshot,
    StoredEvent,
    Token,
)
from fracas.encounters.store import Heard, last_version
from fracas.encounters.tables import COMMANDS, ENCOUNTERS, EVENTS, FORMER_SEEDS, SNAPSHOTS, TOKENS
from fracas.errors import KeyTakenError, NoEncounterError, StaleVersionError

_ROW = [ENCOUNTERS.c[name] for name in EncounterRow._fields]
_TOKEN = [TOKENS.c[name] for name in Token._fields]
_ID = ENCOUNTERS.c.id == bindparam("encounter")

_ADVANCE = (
    sa.update(ENCOUNTERS)
    .where(
        _ID,
        ENCOUNTERS.c.version == bindparam("seen"),
        sa.or_(ENCOUNTERS.c.head == bindparam("was"), ENCOUNTERS.c.head == sa.literal_column("''")),
    )
    .values(
        version=bindparam("new"),
        head=bindparam("now_head", type_=sa.Text),
        closed=sa.func.coalesce(bindparam("closing", type_=sa.BigInteger), ENCOUNTERS.c.closed),
        updated=bindparam("now"),
        deadline=bindparam("until"),
    )
)
_CHANNEL: sa.ColumnElement[str] = sa.literal_column(f"'{CHANNEL}'")
_NOTIFY = sa.select(sa.func.pg_notify(_CHANNEL, bindparam("payload", type_=sa.Text)))
_NOTIFY_AGAIN = sa.select(
    sa.func.pg_notify(_CHANNEL, ENCOUNTERS.c.id + " " + sa.cast(ENCOUNTERS.c.version, sa.Text))
).where(_ID)

_EVENTS = (
    sa.select(EVENTS.c.version, EVENTS.c.body)
    .where(EVENTS.c.encounter == bindparam("encounter"), EVENTS.c.version > bindparam("after"))
    .order_by(EVENTS.c.version)
)
_EVENTS_UP_TO = _EVENTS.where(EVENTS.c.version <= bindparam("up_to"))
_SNAPSHOT = (
    sa.select(SNAPSHOTS.c.version, SNAPSHOTS.c.body)
    .where(SNAPSHOTS.c.encounter == bindparam("encounter"))
    .order_by(SNAPSHOTS.c.version.desc())
    .limit(1)
)
_SNAPSHOT_UP_TO = _SNAPSHOT.where(SNAPSHOTS.c.version <= bindparam("up_to"))
_PAST_COMMAND = sa.select(COMMANDS.c.body_hash, COMMANDS.c.first_version, COMMANDS.c.last_version).where(
    COMMANDS.c.encounter == bindparam("encounter"),
    COMMANDS.c.token == bindparam("token"),
    COMMANDS.c.idempotency_key == bindparam("key"),
)
_ONE_ROW = sa.select(*_ROW).where(_ID)
_ROWS = sa.select(*_ROW).order_by(ENCOUNTERS.c.created, ENCOUNTERS.c.id)
_COUNT = sa.select(sa.func.count()).select_from(ENCOUNTERS)
_SEED = sa.select(ENCOUNTERS.c.seed).where(_ID)
_FORMER_SEEDS = (
    sa.select(FORMER_SEEDS.c.seed)
    .where(FORMER_SEEDS.c.encounter == bindparam("encounter"))
    .order_by(FORMER_SEEDS.c.version)
)
_DUE = (
    sa.select(ENCOUNTERS.c.id)
    .where(ENCOUNTERS.c.deadline <= bindparam("now"), ENCOUNTERS.c.closed.is_(None))
    .order_by(ENCOUNTERS.c.deadline, ENCOUNTERS.c.id)
)
_ITS_TOKENS = (
    sa.select(*_TOKEN)
    .where(TOKENS.c.encounter == bindparam("encounter"))
    .order_by(TOKENS.c.created, TOKENS.c.id)
)
_TOKEN_BY_HASH = sa.select(TOKENS.c.encounter, *_TOKEN).where(TOKENS.c.hash == bindparam("secret_hash"))
_GOOD_TOKEN = sa.update(TOKENS).where(
    TOKENS.c.encounter == bindparam("whose"), TOKENS.c.id == bindparam("which"), TOKENS.c.revoked.is_(None)
)


class SqlStore:
    """One database. Several processes may use the same one. What its methods do, `store.Store` says.

    On SQLite, writers of one process are served in order of arrival; processes are not queued fairly, so several
    of them want PostgreSQL.

    Args:
        url: ``sqlite:///path``, ``postgresql://user:password@host/database``, or the path of a file.

    Attributes:
        sessions: those of browsers.

    Every method raises DatabaseError when the database fails.

    Raises:
        DatabaseError: the database cannot be opened; the message says why.
    """

    def __init__(self, url: str) -> None:
        self._database = Database(url)
        self.sessions = BrowserSessions(self._database)
        self._listeners: list[Listener] = []
        dialect = self._database.dialect
        self._advance = Prepared(_ADVANCE, dialect)
        self._add_event = Prepared(sa.insert(EVENTS), dialect)
        self._add_command = Prepared(sa.insert(COMMANDS), dialect)
        self._put_snapshot = Prepared(self._upsert_snapshot(), dialect)
        self._notify = Prepared(_NOTIFY, dialect)
        # What every command asks.
        self._past_command = Prepared(_PAST_COMMAND, dialect)
        self._one_row = Prepared(_ONE_ROW, dialect)
        self._token_by_hash = Prepared(_TOKEN_BY_HASH, dialect)

    def _upsert_snapshot(self) -> sa.Insert:
        put: postgresql.Insert | sqlite.Insert
        if self._database.postgres:  # a dialect takes long to import
            from sqlalchemy.dialects import postgresql

            put = postgresql.insert(SNAPSHOTS)
        else:
            from sqlalchemy.dialects import sqlite

            put = sqlite.insert(SNAPSHOTS)
        return put.on_conflict_do_update(
            index_elements=["encounter", "version"], set_={"body": put.excluded.body}
        )

    @property
    def name(self) -> str:
        """What people call the database: the path of a SQLite file, or a URL without the password."""
        return self._database.shown

    def migrate(self) -> None:
        """Brings the database to the schema of this version; does nothing when it has it. Several may do so at once.

        Raises:
            DatabaseError: the schema is newer than this version of Fracas.
        """
        migrate(self._database)

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database; None for PostgreSQL."""
        return self._database.file

    def fold_journal(self) -> None:
        """See `databases.Database.fold_journal`."""
        self._database.fold_journal()

    def close(self) -> None:
        """Stops listening and lets go of every connection."""
        for listener in self._listeners:
            listener.stop()
        self._listeners.clear()
        self._database.close()

    # Writing

    def create(
        self,
        encounter: NewEncounter,
        events: Sequence[StoredEvent],
        snapshot: Snapshot,
        tokens: Sequence[Token],
    ) -> None:
        new = last_version(0, events)
        row = {**encounter._asdict(), "version": new, "updated": encounter.created}
        try:
            with self._database.writing() as connection:
                connection.execute(sa.insert(ENCOUNTERS), row)
                self._append_events(connection.connection, encounter.id, events)
                self._put_snapshot.run(connection.connection, _with(encounter.id, snapshot))
                for token in tokens:
                    connection.execute(sa.insert(TOKENS), token.row(encounter.id))
        except ConflictError as error:
            raise self._database.failure(error.reason) from error

    def append(
        self,
        encounter: str,
        seen: int,
        events: Sequence[StoredEvent],
        *,
        key: KeyUse | None = None,
        snapshot: Snapshot | None = None,
        closed: int | None = None,
        deadline: int | None,
        now: int,
        was: str = "",
        head: str = "",
    ) -> None:
        new = last_version(seen, events)
        advance = {
            "encounter": encounter,
            "seen": seen,
            "new": new,
            "closing": closed,
            "now": now,
            "until": deadline,
            "was": was,
            "now_head": head,
        }
        try:
            with self._database.appending() as connection:
                if self._advance.run(connection, advance) != 1:
                    raise _NotAdvancedError
                self._append_events(connection, encounter, events)
                if snapshot is not None:
                    self._put_snapshot.run(connection, _with(encounter, snapshot))
                if key is not None:
                    self._add_command.run(connection, key.row(encounter, seen + 1, new))
                if self._database.postgres:
                    self._notify.run(connection, {"payload": f"{encounter} {new}"})
        except (_NotAdvancedError, ConflictError) as error:
            raise self._why_not_appended(encounter, key, error) from error

    def _append_events(
        self, connection: PoolProxiedConnection, encounter: str, events: Sequence[StoredEvent]
    ) -> None:
        if events:
            self._add_event.run(connection, *(_with(encounter, event) for event in events))

    def _why_not_appended(
        self, encounter: str, key: KeyUse | None, error: ConflictError | _NotAdvancedError
    ) -> Exception:
        if key is not None and self.past_command(encounter, key.token, key.key) is not None:
            return KeyTakenError(key.key)
        row = self.row(encounter)
        if row is None:
            return NoEncounterError(encounter)
        if isinstance(error, ConflictError):
            return self._database.failure(error.reason)
        return StaleVersionError(row.version)

    def save_snapshot(self, encounter: str, snapshot: Snapshot) -> None:
        try:
            with self._database.appending() as connection:
                self._put_snapshot.run(connection, _with(encounter, snapshot))
        except ConflictError as error:
            raise NoEncounterError(encounter) from error

    def delete(self, encounter: str) -> None:
        """Removes an encounter with everything that belongs to it; does nothing when there is none.

        Listeners hear of it as version 0.
        """
        with self._database.writing() as connection:
            found = connection.execute(sa.delete(ENCOUNTERS).where(_ID), {"encounter": encounter})
            if found.rowcount and self._database.postgres:
                self._notify.run(connection.connection, {"payload": f"{encounter} 0"})

    # Reading

    def past_command(self, encounter: str, token: str, key: str) -> PastCommand | None:
        row = self._quickly(self._past_command, encounter=encounter, token=token, key=key)
        return None if row is None else PastCommand._make(row)

    def events(self, encounter: str, after: int = 0, up_to: int | None = None) -> list[StoredEvent]:
        if up_to is None:
            rows = self._all(_EVENTS, encounter=encounter, after=after)
        else:
            rows = self._all(_EVENTS_UP_TO, encounter=encounter, after=after, up_to=up_to)
        return [StoredEvent._make(row) for row in rows]

    def snapshot(self, encounter: str, up_to: int | None = None) -> Snapshot | None:
        if up_to is None:
            row = self._first(_SNAPSHOT, encounter=encounter)
        else:
            row = self._first(_SNAPSHOT_UP_TO, encounter=encounter, up_to=up_to)
        return None if row is None else Snapshot._make(row)

    def row(self, encounter: str) -> EncounterRow | None:
        row = self._quickly(self._one_row, encounter=encounter)
        return None if row is None else EncounterRow._make(row)

    def rows(self) -> list[EncounterRow]:
        return [EncounterRow._make(row) for row in self._all(_ROWS)]

    def count(self) -> int:
        row = self._first(_COUNT)
        return 0 if row is None else int(row[0])

    def seed(self, encounter: str) -> bytes:
        row = self._first(_SEED, encounter=encounter)
        if row is None:
            raise NoEncounterError(encounter)
        return bytes(row[0])

    def former_seeds(self, encounter: str) -> list[bytes]:
        return [bytes(row[0]) for row in self._all(_FORMER_SEEDS, encounter=encounter)]

    def due(self, now: int) -> list[str]:
        return [row[0] for row in self._all(_DUE, now=now)]

    # Tokens

    def add_token(self, encounter: str, token: Token) -> None:
        try:
            with self._database.writing() as connection:
                connection.execute(sa.insert(TOKENS), token.row(encounter))
        except ConflictError as error:
            if self.row(encounter) is None:
                raise NoEncounterError(encounter) from error
            raise self._database.failure(error.reason) from error

    def tokens(self, encounter: str) -> list[Token]:
        return [Token.of(row) for row in self._all(_ITS_TOKENS, encounter=encounter)]

    def token_by_hash(self, hash: str) -> tuple[str, Token] | None:
        row = self._quickly(self._token_by_hash, secret_hash=hash)
        return None if row is None else (row[0], Token.of(row[1:]))

    def revoke(self, encounter: str, token: str, now: int) -> bool:
        return self._change_token(encounter, token, {"revoked": now})

    def rotate(self, encounter: str, token: str, hash: str) -> bool:
        return self._change_token(encounter, token, {"hash": hash})

    def _change_token(self, encounter: str, token: str, values: dict[str, Any]) -> bool:
        change = _GOOD_TOKEN.values(**values)
        try:
            with self._database.writing() as connection:
                changed = connection.execute(change, {"whose": encounter, "which": token}).rowcount == 1
                if changed and self._database.postgres:
                    connection.execute(_NOTIFY_AGAIN, {"encounter": encounter})
        except ConflictError as error:
            raise self._database.failure(error.reason) from error
        return changed

    # News from other processes

    def start_listener(self, heard: Heard) -> None:
        if self._database.postgres:
            self._listeners.append(Listener(self._database.listening, heard))

    # Common parts

    def _all(self, statement: sa.Select[Any], **values: object) -> Sequence[sa.Row[Any]]:
        with self._database.reading() as connection:
            return connection.execute(statement, values).all()

    def _first(self, statement: sa.Select[Any], **values: object) -> sa.Row[Any] | None:
        with self._database.reading() as connection:
            return connection.execute(statement, values).first()

    def _quickly(self, prepared: Prepared, **values: object) -> tuple[Any, ...] | None:
        return self._database.first(prepared, values)


class _NotAdvancedError(Exception):
    pass


def _with(encounter: str, record: StoredEvent | Snapshot) -> dict[str, object]:
    return {"encounter": encounter, "version": record.version, "body": record.body}
