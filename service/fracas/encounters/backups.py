"""Backups of all fights of a database: one SQLite file, whatever the database is, made while services use it.

A fight that is restored while it is open goes on with another seed: what the old one would still have dealt may be
known to those who played on after the backup was made.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from fracas.dice.sources import SeededDice, new_seed
from fracas.encounters.databases import Database, file_of, private
from fracas.encounters.events import KNOWN, Event, digest, event_of
from fracas.encounters.listening import CHANNEL
from fracas.encounters.migrating import migrate
from fracas.encounters.records import new_salt
from fracas.encounters.tables import ENCOUNTERS, EVENTS, FORMER_SEEDS, METADATA, SCHEMA_TABLE
from fracas.errors import DatabaseError

BY_SERVICE = {"role": "service", "token": "", "label": "fracas restore"}
RESTORED = "restored from a backup"

_AT_ONCE = 500
_PARTS = [table for table in METADATA.sorted_tables if table is not ENCOUNTERS]


class Restored(NamedTuple):
    """What restoring a backup does, as ids of fights.

    Attributes:
        added: the database did not have them.
        replaced: the database had them in another state, mostly a later one.
        same: the database has them as they are in the backup.
    """

    added: tuple[str, ...]
    replaced: tuple[str, ...]
    same: tuple[str, ...]


def back_up(url: str, file: Path) -> int:
    """Copy a database into a new file, as it is at one moment; services may go on using it.

    Returns:
        how many fights it has.

    Raises:
        DatabaseError: the file exists or cannot be written, or the database cannot be read.
    """
    if file.exists():
        raise DatabaseError(f"{file} exists already, and no backup is overwritten")
    source = file_of(url)
    if source is not None and not source.is_file():
        raise DatabaseError(f"there is no database {source}")
    with _written(file) as part:
        if source is not None:
            _copy(source, part)
        else:
            with closing(Database(url)) as database, closing(Database(str(part))) as copy:
                migrate(copy)
                _copy_tables(database, copy)
        return _made_one_file(part)


def restore(url: str, file: Path, now: int, try_only: bool = False) -> Restored:
    """Put the fights of a backup in place of those of a database, all or nothing; others of the database stay.

    Args:
        now: in milliseconds since the epoch.
        try_only: change nothing.

    Raises:
        DatabaseError: the file is no backup, or one of a later version; or the database cannot be written.
    """
    with (
        tempfile.TemporaryDirectory(prefix="fracas-") as folder,
        closing(_opened(file, Path(folder, "backup.db"))) as backup,
        closing(Database(url)) as database,
    ):
        migrate(backup)
        migrate(database)
        with backup.reading() as source:
            fights = [dict(row) for row in source.execute(sa.select(ENCOUNTERS)).mappings()]
            if try_only:
                with database.reading() as target:
                    return _compared(source, target, fights)
            with database.writing() as target:
                found = _compared(source, target, fights)
                for fight in fights:
                    if fight["id"] not in found.same:
                        _put(source, target, fight, now)
                        if database.postgres:
                            _notify(target, fight["id"])
    return found


# Copies


@contextmanager
def _written(file: Path) -> Iterator[Path]:
    """A file to write to, which is there under its name only when all of it is."""
    part = file.with_name(f".{file.name}.part")
    if not file.parent.is_dir():
        raise DatabaseError(f"there is no folder {file.parent}")
    try:
        part.unlink(missing_ok=True)
        private(part)
        yield part
        os.replace(part, file)
    except OSError as error:
        raise DatabaseError(f"{file} cannot be written: {error.strerror or error}") from error
    finally:
        for left in (part, Path(f"{part}-wal"), Path(f"{part}-shm")):
            left.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """All of a SQLite file, as it is at one moment, with what its journal holds."""
    try:
        with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as other:
            one.backup(other)
    except sqlite3.Error as error:
        raise DatabaseError(f"{source} cannot be copied: {error}") from error


def _made_one_file(part: Path) -> int:
    """Without a journal beside it, so that the one file is all; how many fights it has."""
    with closing(sqlite3.connect(part)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        try:
            count: int = connection.execute("SELECT count(*) FROM encounters").fetchone()[0]
        except sqlite3.OperationalError as error:
            raise DatabaseError("the database has no fights of Fracas") from error
        return count


def _copy_tables(source: Database, target: Database) -> None:
    with source.at_one_moment() as reading, target.writing() as writing:
        for table in METADATA.sorted_tables:
            rows = reading.execute(sa.select(table)).mappings()
            for part in rows.partitions(_AT_ONCE):
                writing.execute(sa.insert(table), [dict(row) for row in part])


def _opened(file: Path, copy: Path) -> Database:
    """A copy of a backup, which may be migrated.

    Raises:
        DatabaseError: it is none.
    """
    if not file.is_file():
        raise DatabaseError(f"there is no file {file}")
    _copy(file, copy)
    with closing(sqlite3.connect(copy)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not tables.issuperset((SCHEMA_TABLE, ENCOUNTERS.name)):
        raise DatabaseError(f"{file} is no backup of Fracas")
    return Database(str(copy))


# Fights


def _compared(source: Connection, target: Connection, fights: Iterable[Mapping[str, Any]]) -> Restored:
    added, replaced, same = [], [], []
    for fight in fights:
        id = fight["id"]
        there = target.execute(sa.select(ENCOUNTERS).where(ENCOUNTERS.c.id == id)).mappings().first()
        if there is None:
            added.append(id)
        elif (there["version"], _last(target, id)) == (fight["version"], _last(source, id)):
            same.append(id)
        else:
            replaced.append(id)
    return Restored(tuple(added), tuple(replaced), tuple(same))


def _last(connection: Connection, id: str) -> Any:
    """The text of the newest event."""
    newest = sa.select(EVENTS.c.body).where(EVENTS.c.encounter == id).order_by(EVENTS.c.version.desc())
    return connection.scalar(newest.limit(1))


def _put(source: Connection, target: Connection, fight: Mapping[str, Any], now: int) -> None:
    """A fight of the backup in place of that of the database."""
    id = fight["id"]
    target.execute(sa.delete(ENCOUNTERS).where(ENCOUNTERS.c.id == id))
    target.execute(sa.insert(ENCOUNTERS), fight)
    for table in _PARTS:
        rows = source.execute(sa.select(table).where(table.c.encounter == id)).mappings()
        for part in rows.partitions(_AT_ONCE):
            target.execute(sa.insert(table), [dict(row) for row in part])
    if fight["closed"] is None:
        _reseed(target, fight, event_of(_last(source, id)), now)


def _reseed(target: Connection, fight: Mapping[str, Any], last: Event, now: int) -> None:
    """The fight goes on with another seed, and its log says so."""
    id, seed = fight["id"], new_seed()
    data = {"commitment": SeededDice(seed).commitment, "reason": RESTORED}
    at = max(now, last.at)
    event = Event(
        last.version + 1,
        "reseeded",
        KNOWN["reseeded"],
        at,
        BY_SERVICE,
        False,
        last.draws,
        data,
        digest(last.plain()),
        new_salt(),
    )
    left = fight["deadline"] - fight["updated"] if fight["deadline"] is not None else None
    values = {
        "version": event.version,
        "updated": at,
        "deadline": None if left is None else at + max(0, left),
        "seed": seed,
        "head": digest(event.plain()),
    }
    former = {"encounter": id, "version": event.version, "seed": fight["seed"]}
    target.execute(sa.insert(EVENTS), {"encounter": id, "version": event.version, "body": event.to_json()})
    target.execute(sa.insert(FORMER_SEEDS), former)
    target.execute(sa.update(ENCOUNTERS).where(ENCOUNTERS.c.id == id).values(**values))


def _notify(target: Connection, id: str) -> None:
    version = sa.select(ENCOUNTERS.c.version).where(ENCOUNTERS.c.id == id)
    target.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{id} {target.scalar(version)}")))
