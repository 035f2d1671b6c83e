"""The command line in processes of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
import warm_process
from command import SR4, Done, Run, begin, variables

from fracas.packs import reading
from fracas.packs.files import PackFiles
from fracas.packs.reading import Reading, Structure
from fracas.packs.shipped import shipped

read_pack_files = reading.read
BUILT_IN: dict[tuple[object, ...], Reading] = {}
"""What was read of the built-in packs, by the arguments."""


@pytest.fixture(autouse=True)
def built_in_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands in the process of the tests read the built-in packs once; those of `run` read them each time."""

    def read(
        files: PackFiles,
        ruleset: str | None = None,
        structure: Structure | None = None,
        without: Collection[str] = (),
    ) -> Reading:
        if structure is not None or files.folder is None or files.folder.parent != shipped("datapacks"):
            return read_pack_files(files, ruleset, structure, without)
        given = (files.label, files.folder, ruleset, frozenset(without))
        if given not in BUILT_IN:
            BUILT_IN[given] = read_pack_files(files, ruleset, None, without)
        return BUILT_IN[given]

    monkeypatch.setattr(reading, "read", read)


@pytest.fixture(scope="session")
def warm() -> Iterator[subprocess.Popen[bytes] | None]:
    """What commands are copied from; see `warm_process`. None where processes cannot be copied."""
    if not hasattr(os, "fork"):
        yield None
        return
    command = [sys.executable, warm_process.__file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables()) as process:
        yield process
        assert process.stdin
        process.stdin.close()


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory, warm: subprocess.Popen[bytes] | None) -> Run:
    """Runs ``fracas`` with these words in a process of its own, away from the clone."""
    folder = tmp_path_factory.mktemp("elsewhere")
    if warm is None:
        return lambda *words, given=b"", **more: started(folder, words, given, more)
    streams = tmp_path_factory.mktemp("streams")
    return lambda *words, given=b"", **more: copied(warm, streams, folder, words, given, more)


def started(folder: Path, words: tuple[Any, ...], given: str | bytes, more: dict[str, str]) -> Done:
    """A command in a process that begins with nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "fracas.cli", *map(str, words)],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        cwd=folder,
        env=variables(**more),
        timeout=200,
    )
    return ended(done.returncode, done.stdout, done.stderr, more)


def copied(
    process: subprocess.Popen[bytes],
    streams: Path,
    folder: Path,
    words: tuple[Any, ...],
    given: str | bytes,
    more: dict[str, str],
) -> Done:
    """A command in a copy of a process that has read the packs."""
    assert process.stdout
    files = {name: streams / name for name in ("input", "output", "errors")}
    files["input"].write_bytes(given.encode() if isinstance(given, str) else given)
    for name in ("output", "errors"):
        files[name].write_bytes(b"")
    begin(process, folder, words, variables(**more), {name: str(path) for name, path in files.items()})
    status = int(process.stdout.readline())
    return ended(status, files["output"].read_bytes(), files["errors"].read_bytes(), more)


def ended(status: int, out: bytes, err: bytes, more: dict[str, str]) -> Done:
    """How a command ended that printed these bytes."""
    encoding = more.get("PYTHONIOENCODING", "utf-8")
    if encoding == "ascii":  # click takes it for a mistake, and writes UTF-8
        encoding = "utf-8"
    return Done(status, *(text.decode(encoding) for text in (out, err)))


@pytest.fixture
def attack(tmp_path: Path) -> Path:
    """A request in a file."""
    path = tmp_path / "attack.json"
    path.write_text(json.dumps(SR4), "utf-8")
    return path
