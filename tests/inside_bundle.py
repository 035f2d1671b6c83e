"""The bundle of pages, made once for all tests and their processes, and again when something of it has changed."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from functools import cache
from pathlib import Path

from fracas.inside import bundle

REPOSITORY = Path(__file__).resolve().parents[1]
PYODIDE = REPOSITORY / "tests" / "js" / "node_modules" / "pyodide"
KEPT = REPOSITORY / "build" / "inside"
PATIENCE = 600.0
"""Seconds: a machine under load takes minutes."""


@cache
def the_bundle() -> Path:
    """The folder of the bundle of these sources; FRACAS_TEST_BUNDLE names one that is made already."""
    if made := os.environ.get("FRACAS_TEST_BUNDLE"):
        return Path(made)
    folder = KEPT / _of_sources()
    mark = folder / bundle.CONTENTS
    lock = KEPT / ".lock"
    KEPT.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + PATIENCE
    while not mark.exists():
        try:
            lock.mkdir()
        except FileExistsError:
            if time.monotonic() > deadline or time.time() - lock.stat().st_mtime > PATIENCE:
                shutil.rmtree(lock, ignore_errors=True)  # of a run that was killed
            time.sleep(0.2)
            continue
        try:
            if not mark.exists():
                made = KEPT / f"new-{os.getpid()}"
                bundle.build(made, PYODIDE)
                for old in KEPT.glob("[!.n]*"):
                    shutil.rmtree(old, ignore_errors=True)
                made.rename(folder)
        finally:
            lock.rmdir()
    return folder


def _of_sources() -> str:
    """Changes with every file that may go into the bundle."""
    found = hashlib.sha256()
    for name in (
        "service/fracas",
        "datapacks",
        "schemas",
        "integrations",
        "docs/rulebooks",
        "pyproject.toml",
    ):
        place = REPOSITORY / name
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.is_file() and not {"__pycache__", "node_modules"}.intersection(path.parts):
                content = path.read_bytes()
                found.update(f"{path.relative_to(REPOSITORY).as_posix()} {len(content)}\0".encode() + content)
    return found.hexdigest()[:24]
