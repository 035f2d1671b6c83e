"""Foundry's own LevelDB, the package classic-level, in a Node process: another reader of the databases we write."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).resolve().parent / "js" / "classic_level.mjs"


class ClassicLevel:
    """Opens databases; each is closed when a method returns, but for that of `held`. Opening one changes its files."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def read(self, folder: Path) -> dict[bytes, bytes]:
        """All records, in the order of the database."""
        found = self._ask(read=str(folder))["records"]
        assert len({key for key, _ in found}) == len(found)
        return {b64decode(key): b64decode(value) for key, value in found}

    def add(self, folder: Path, records: Mapping[bytes, bytes]) -> None:
        """Write to a database that is there."""
        pairs = [(b64encode(key).decode(), b64encode(value).decode()) for key, value in records.items()]
        self._ask(add=str(folder), records=pairs)

    @contextmanager
    def held(self, folder: Path) -> Iterator[None]:
        """Keep a database open, as a running Foundry does."""
        self._ask(hold=str(folder))
        yield
        self._ask(release=str(folder))

    def _ask(self, **request: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer


@contextmanager
def started() -> Iterator[ClassicLevel]:
    """The process, which ends with the context."""
    node = shutil.which("node")
    assert node, "Node is needed; scripts/test installs it"
    with subprocess.Popen(
        [node, PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield ClassicLevel(process)
        process.communicate()
