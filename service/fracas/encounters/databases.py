"""Reaching the database: SQLite by default, PostgreSQL by its URL.

SQLite has one writer at a time, whatever one does. So all writers of a process share one connection and queue for it
fairly; readers have connections of their own and never wait. PostgreSQL sorts its writers out by itself.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, Dialect, Engine, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import NullPool, PoolProxiedConnection, QueuePool

from fracas.encounters.fair_lock import FairLock
from fracas.errors import DatabaseError

if TYPE_CHECKING:
    import psycopg

PATIENCE = 20.0
"""Seconds to wait for another process that is writing to the same SQLite file, and for PostgreSQL to answer a call."""

CONNECTIONS = 8
MORE_CONNECTIONS = 24
"""Readers: connections that are kept, and those that are opened for a rush."""

SQLITE_SETTINGS = (
    "foreign_keys = ON",
    "synchronous = FULL",
    "fullfsync = ON",  # on macOS a flush reaches the disk only so; elsewhere it means nothing
    "journal_size_limit = 67108864",
    "journal_mode = WAL",
)

FORMS = "expected sqlite:///path/to/file, postgresql://user:password@host/database, or the path of a file"


class ConflictError(Exception):
    """A row whose key is taken, or that belongs to nothing.

    Attributes:
        reason: the error of SQLAlchemy or of the driver.
    """

    def __init__(self, reason: Exception) -> None:
        super().__init__(str(reason))
        self.reason = reason


_BEGIN = "BEGIN IMMEDIATE"


class Prepared:
    """A statement of Core, compiled once and run by the driver: that costs a third of running it by SQLAlchemy."""

    def __init__(self, statement: sa.ClauseElement, dialect: Dialect) -> None:
        compiled: Any = statement.compile(dialect=dialect)
        self._text: str = compiled.string
        self._order: Sequence[str] | None = compiled.positiontup

    def run(self, connection: PoolProxiedConnection, *rows: Mapping[str, object]) -> int:
        """Runs it with these values, once for each row of them.

        Returns:
            how many rows of the table it touched.
        """
        order = self._order
        given: list[Any] = list(rows) if order is None else [[row[name] for name in order] for row in rows]
        cursor = connection.cursor()
        try:
            if len(given) == 1:
                cursor.execute(self._text, given[0])
            else:
                cursor.executemany(self._text, given)
            return cursor.rowcount
        finally:
            cursor.close()

    def first(
        self, connection: PoolProxiedConnection, values: Mapping[str, object]
    ) -> tuple[Any, ...] | None:
        """The first row that it finds with these values."""
        order = self._order
        cursor = connection.cursor()
        try:
            cursor.execute(self._text, values if order is None else [values[name] for name in order])
            row = cursor.fetchone()
            return None if row is None else tuple(row)
        finally:
            cursor.close()


class Database:
    """A database that is open.

    Attributes:
        postgres: whether it is PostgreSQL; otherwise it is SQLite.
        shown: what people call it: the path of a SQLite file, or a URL without the password.
        file: that of SQLite; None for PostgreSQL.

    Raises:
        DatabaseError: a URL that names nothing we know, a driver that is missing, a database that cannot be opened.
    """

    def __init__(self, url: str) -> None:
        self._url = _read(url)
        self.postgres = self._url.get_backend_name() == "postgresql"
        self.shown = _shown(self._url)
        self.file = file_of(url)
        if self.file is not None:
            private(self.file)
        try:
            self._engine, self._reader = (_postgres if self.postgres else _sqlite)(self._url)
        except ImportError as error:
            raise DatabaseError(
                "PostgreSQL needs the driver psycopg, which is not installed or does not load: "
                f"pip install fracas[postgres] ({error})"
            ) from error
        self.dialect = self._engine.dialect
        driver: Any = self.dialect.loaded_dbapi
        self._conflicts = (IntegrityError, driver.IntegrityError)
        self._failures = (SQLAlchemyError, driver.Error)
        self._turns = FairLock()
        self._writer: Connection | None = None
        self._idle: deque[PoolProxiedConnection] = deque()
        try:
            with self._telling():
                if not self.postgres:
                    self._writer = self._engine.connect()
                with self._reader.connect() as connection:
                    connection.exec_driver_sql("SELECT 1")
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection outside any transaction: each statement sees what is committed."""
        with self._telling(), self._reader.connect() as connection:
            yield connection

    def first(self, prepared: Prepared, values: Mapping[str, object]) -> tuple[Any, ...] | None:
        """The first row that a statement finds, as a connection for `reading` would.

        Every command asks several such questions. On SQLite a connection is kept for them, since it costs more to take
        one from the pool than to ask.
        """
        if self.postgres:
            with self.reading() as connection:
                return prepared.first(connection.connection, values)
        with self._telling():
            try:
                idle = self._idle.pop()
            except IndexError:
                idle = self._reader.raw_connection()
            try:
                row = prepared.first(idle, values)
            except BaseException:
                idle.close()
                raise
            self._idle.append(idle)
            return row

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction that is committed at the end, or rolled back.

        Raises:
            ConflictError: a key that is taken, or a row that belongs to nothing.
        """
        with self._telling():
            if self.postgres:
                with self._engine.begin() as connection:
                    yield connection
                return
            with self._alone() as writer, writer.begin():
                yield writer

    @contextmanager
    def appending(self) -> Iterator[PoolProxiedConnection]:
        """The same for prepared statements alone. On SQLite the driver begins and commits by itself, which takes a
        third of the time.

        Raises:
            ConflictError: see `writing`.
        """
        with self._telling():
            if self.postgres:
                with self._engine.begin() as connection:
                    yield connection.connection
                return
            with self._alone() as writer:
                driver = writer.connection
                driver.cursor().execute(_BEGIN)
                try:
                    yield driver
                except BaseException:
                    driver.rollback()
                    raise
                driver.commit()

    @contextmanager
    def _alone(self) -> Iterator[Connection]:
        """The one connection that writes to SQLite, which waits for its turn; after a failure there is a new one."""
        with self._turns:
            if self._writer is None:
                self._writer = self._engine.connect()
            try:
                yield self._writer
            except self._failures as error:
                if not isinstance(error, self._conflicts):
                    self._forget_writer()
                raise

    @contextmanager
    def at_one_moment(self) -> Iterator[Connection]:
        """A connection to PostgreSQL that sees everything as it is now, whatever is committed meanwhile."""
        engine = self._engine.execution_options(isolation_level="REPEATABLE READ")
        with self._telling(), engine.begin() as connection:
            yield connection

    def fold_journal(self) -> None:
        """Writes what SQLite's journal holds into the file, as far as no other process needs it."""
        if self.postgres:
            return
        with self.reading() as connection:
            connection.exec_driver_sql("PRAGMA busy_timeout = 1000")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def listening(self) -> psycopg.Connection[Any]:
        """A connection of its own to PostgreSQL, to LISTEN on; notices when the server is gone.

        Raises:
            psycopg.Error: as psycopg raises it.
        """
        import psycopg

        args, options = self.dialect.create_connect_args(self._url)
        alive = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
        settings: dict[str, Any] = {"connect_timeout": int(PATIENCE), **alive, **options}
        return psycopg.connect(*args, **settings, autocommit=True)

    def close(self) -> None:
        with self._turns:
            self._forget_writer()
        while self._idle:
            self._idle.pop().close()
        self._reader.dispose()
        self._engine.dispose()

    def _forget_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except self._conflicts as error:
            raise ConflictError(error) from error
        except self._failures as error:
            raise self.failure(error) from error

    def failure(self, error: Exception) -> DatabaseError:
        """The error in one sentence; without statements and values, which are nobody's business."""
        given = str(getattr(error, "orig", None) or error).strip().split("\n", 1)[0]
        return DatabaseError(
            f"the database {self.shown} does not answer as it should: {given}{self._hint(given)}"
        )

    def _hint(self, given: str) -> str:
        if self.postgres:
            return ""
        if "locked" in given:
            return f" (another process has been writing to it for over {PATIENCE:.0f} seconds)"
        if "unable to open" in given:
            path = self._url.database or ""
            folder = os.path.dirname(path) or os.curdir
            if not os.path.isdir(folder):
                return f" (there is no folder {folder!r})"
            return (
                f" ({path!r} is a folder)"
                if os.path.isdir(path)
                else f" (may this user write in {folder!r}?)"
            )
        return ""


def file_of(url: str) -> Path | None:
    """The file of a SQLite database; None for PostgreSQL.

    Raises:
        DatabaseError: the URL names no database.
    """
    read = _read(url)
    return Path(os.path.abspath(read.database or "")) if read.get_backend_name() == "sqlite" else None


def private(file: Path) -> None:
    """Only the user who runs the service may read the file; it is made if it is not there.

    It holds seeds and hashes of tokens. SQLite gives its journals the rights of the file. On Windows files have those
    of their folder, and this changes nothing.
    """
    with suppress(OSError):  # what cannot be opened is reported when it is used
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            file.chmod(0o600)


def _read(url: str) -> URL:
    if "://" not in url:
        if not url.strip() or url == ":memory:":
            raise DatabaseError(f"{url!r} names no database that lasts: {FORMS}")
        return URL.create("sqlite+pysqlite", database=os.path.expanduser(url))
    scheme = url.split("://", 1)[0]
    if scheme.startswith("postgres"):
        url = "postgresql+psycopg" + url.removeprefix(scheme)
    try:
        read = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise DatabaseError(f"the URL of the database cannot be read: {FORMS}") from error
    if scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        return read
    if scheme not in ("sqlite", "sqlite+pysqlite"):
        raise DatabaseError(f"no database of the kind {scheme!r} can be used: {FORMS}")
    path = url.partition(":///")[2].partition("?")[0]  # SQLAlchemy decodes it since its version 2.1 only
    if path in ("", ":memory:"):
        raise DatabaseError(f"{url!r} names no database that lasts: {FORMS}")
    return read.set(drivername="sqlite+pysqlite", database=unquote(path))


def _shown(url: URL) -> str:
    if url.get_backend_name() == "sqlite" and url.database and not url.query:
        return os.path.abspath(url.database)
    return url.render_as_string(hide_password=True)


def _postgres(url: URL) -> tuple[Engine, Engine]:
    engine = sa.create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_size=CONNECTIONS,
        max_overflow=MORE_CONNECTIONS,
        connect_args={} if "connect_timeout" in url.query else {"connect_timeout": int(PATIENCE)},
    )
    return engine, engine.execution_options(isolation_level="AUTOCOMMIT")


def _sqlite(url: URL) -> tuple[Engine, Engine]:
    # Without isolation level, Python's driver begins no transactions of its own.
    options: dict[str, Any] = {"isolation_level": None, "check_same_thread": False, "timeout": PATIENCE}
    engine = sa.create_engine(url, hide_parameters=True, poolclass=NullPool, connect_args=options)
    reader = sa.create_engine(
        url,
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=CONNECTIONS,
        max_overflow=MORE_CONNECTIONS,
        connect_args=options,
    )
    for one in (engine, reader):
        event.listen(one, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine, reader


def _set_up_sqlite(connection: sqlite3.Connection, _: object) -> None:
    try:
        for setting in SQLITE_SETTINGS:
            _patiently(connection, f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    """SQLite does not wait for others by itself while the journal's mode changes."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _begin_immediate(connection: Connection) -> None:
    driver: Any = connection.connection.dbapi_connection
    driver.execute(_BEGIN)
