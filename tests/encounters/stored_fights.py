"""Small encounters for tests of the store."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fracas.encounters.records import KeyUse, NewEncounter, Snapshot, StoredEvent, Token
from fracas.encounters.store import Store

START = 1_800_000_000_000
SEED = bytes(range(32))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def token(id: str = "gm", secret: str = "a secret", **fields: Any) -> Token:
    return Token(
        id,
        **{
            "role": "gm",
            "label": "The GM",
            "combatants": (),
            "hash": sha256(secret),
            "created": START,
            **fields,
        },
    )


def event(version: int, body: str | None = None) -> StoredEvent:
    return StoredEvent(version, body or f'{{"kind":"act","n":{version}}}')


def events(first: int, last: int) -> list[StoredEvent]:
    return [event(version) for version in range(first, last + 1)]


def begin(store: Store, id: str = "e1", tokens: Sequence[Token] = (), **fields: Any) -> str:
    """A fight of one event."""
    new = NewEncounter(id, **{"title": "Ambush", "ruleset": "sr4", "seed": SEED, "created": START, **fields})
    store.create(new, events(1, 1), Snapshot(1, '{"at":1}'), tokens)
    return id


def go_on(store: Store, seen: int, id: str = "e1", count: int = 1, **fields: Any) -> None:
    """Appends some events."""
    now = fields.pop("now", START + seen)
    store.append(id, seen, events(seen + 1, seen + count), **{"deadline": None, "now": now, **fields})


def key(name: str = "k1", token: str = "gm", body: str = "{}") -> KeyUse:
    return KeyUse(name, token, sha256(body))


def at_once(commands: Sequence[Sequence[str]]) -> None:
    """Runs appending.py several times at once; all of them must succeed."""
    running = [
        subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("appending.py")), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for words in commands
    ]
    try:
        for process in running:
            assert process.stdout
            if (said := process.stdout.readline()) != "ready\n":
                raise AssertionError(said + process.stdout.read())
        for process in running:
            assert process.stdin
            process.stdin.write("go\n")
            process.stdin.flush()
        said_last = [process.communicate(timeout=200)[0] for process in running]
    finally:
        for process in running:
            process.kill()
            process.communicate()
    assert [(process.returncode, said) for process, said in zip(running, said_last, strict=True)] == [
        (0, "") for _ in running
    ]
