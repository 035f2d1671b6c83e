"""Where encounters are kept: the database that the settings name, or one in a folder that is removed at the end."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
import time
import weakref
from collections.abc import Mapping
from pathlib import Path

from fracas.encounters.databases import private
from fracas.encounters.encounters import Encounters
from fracas.encounters.sql_store import SqlStore
from fracas.engine.game import Games
from fracas.errors import DatabaseError
from fracas.web.settings import Settings

FILE = "encounters.db"


def milliseconds() -> int:
    """The time since the epoch."""
    return time.time_ns() // 1_000_000


def open_encounters(games: Games, url: str) -> Encounters:
    """The encounters of a database; for "" of an empty one that lasts as long as they are used.

    Raises:
        DatabaseError: it cannot be opened.
    """
    folder = "" if url else tempfile.mkdtemp(prefix="fracas-")
    store = open_store(url or os.path.join(folder, FILE))
    encounters = Encounters(games, store, milliseconds)
    weakref.finalize(encounters, _let_go, store, folder)
    return encounters


def _let_go(store: SqlStore, folder: str) -> None:
    store.close()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def open_store(url: str) -> SqlStore:
    """A store of the newest schema.

    Raises:
        DatabaseError: it cannot be opened, or its schema is newer than this version of Fracas.
    """
    store = SqlStore(url)
    try:
        store.migrate()
    except BaseException:
        store.close()
        raise
    return store


def claim(file: Path) -> sqlite3.Connection | None:
    """Marks a SQLite file as that of this service, for as long as the process keeps the result.

    Returns:
        None if another service has marked it. Without the right to write beside the file it is not marked.
    """
    private(Path(f"{file}-service"))
    mark = sqlite3.connect(f"{file}-service", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        mark.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            mark.close()
            return None
    return mark


def with_database(settings: Settings) -> Settings:
    """The settings with the user's own database where they name none.

    Raises:
        DatabaseError: see `own_database`.
    """
    return settings if settings.database else settings._replace(database=own_database())


def own_database(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """The path of the database in the user's folder for data; the folder is made.

    Raises:
        DatabaseError: there is no such folder, and none can be made.
    """
    advice = "say where with --database or FRACAS_DATABASE_URL"
    try:
        folder = data_folder(os.environ if environment is None else environment, platform)
    except RuntimeError as error:
        raise DatabaseError(f"this user has no home folder to keep encounters in: {advice}") from error
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"encounters cannot be kept in {folder}: {error.strerror or error}; {advice}"
        raise DatabaseError(message) from error
    return str(folder / FILE)


def data_folder(environment: Mapping[str, str], platform: str) -> Path:
    """Where programs of this user keep their data.

    Raises:
        RuntimeError: the user has no home folder.
    """
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "Fracas"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Fracas"
    shared = environment.get("XDG_DATA_HOME", "")
    # The convention asks to pass over a path that is not absolute.
    return (Path(shared) if os.path.isabs(shared) else Path.home() / ".local" / "share") / "fracas"
