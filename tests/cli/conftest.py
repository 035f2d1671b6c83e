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
from command import SR4, Done, Run

from fracas.packs import reading
from fracas.packs.files import PackFiles
from fracas.packs.reading import Reading, Structure
from fracas.packs.shipped import shipped

read_pack_files = reading.read
BUILT_IN: dict[tuple[object, ...], Reading] = {}
"""What was read of the built-in packs, by the arguments."""


def variables(**given: str) -> dict[str, str]:
    """The environment of a command."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FRACAS_")}
    return {**kept, "PYTHONUTF8": "1", "COLUMNS": "90", **given}


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
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs ``fracas`` with these words in a process of its own, away from the clone."""
    folder = tmp_path_factory.mktemp("elsewhere")
    if not hasattr(os, "fork"):
        yield lambda *words, given=b"", **more: started(folder, words, given, more)
        return
    streams = tmp_path_factory.mktemp("streams")
    command = [sys.executable, warm_process.__file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables()) as process:

        def command_of(*words: Any, given: str | bytes = b"", **more: str) -> Done:
            return copied(process, streams, folder, words, given, more)

        yield command_of
        assert process.stdin
        process.stdin.close()


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
    """A command in a copy of a process that has read the packs; see `warm_process`."""
    assert process.stdin
    assert process.stdout
    files = {name: streams / name for name in ("input", "output", "errors")}
    files["input"].write_bytes(given.encode() if isinstance(given, str) else given)
    for name in ("output", "errors"):
        files[name].write_bytes(b"")
    order = {"words": [*map(str, words)], "folder": str(folder), "variables": variables(**more)}
    order |= {name: str(path) for name, path in files.items()}
    process.stdin.write(json.dumps(order).encode() + b"\n")
    process.stdin.flush()
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
