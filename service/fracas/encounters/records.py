"""What the store of encounters takes and gives. Times are milliseconds since the epoch."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple


def new_salt() -> str:
    """What keeps the hash of an event from telling what is in it, see `events.Event`."""
    return secrets.token_hex(16)


class NewEncounter(NamedTuple):
    """An encounter to be.

    Attributes:
        seed: the secret that its dice come from.
        head: the hash of its last event, see `events.digest`.
    """

    id: str
    title: str
    ruleset: str
    seed: bytes
    created: int
    head: str = ""


class StoredEvent(NamedTuple):
    """One event; the first of an encounter has version 1, each next one more."""

    version: int
    body: str


class Snapshot(NamedTuple):
    """The state right after the event of that version."""

    version: int
    body: str


class KeyUse(NamedTuple):
    """An ``Idempotency-Key``.

    Attributes:
        token: id of the token that used it; another token may use the same key for something else.
        body_hash: of the request's body, so that a repetition can be distinguished from another request.
    """

    key: str
    token: str
    body_hash: str

    def row(self, encounter: str, first: int, last: int) -> dict[str, object]:
        """As the table of commands keeps it, with the versions of the events of its command."""
        return {
            "encounter": encounter,
            "token": self.token,
            "idempotency_key": self.key,
            "body_hash": self.body_hash,
            "first_version": first,
            "last_version": last,
        }


class PastCommand(NamedTuple):
    """What was done under an ``Idempotency-Key``.

    Attributes:
        first, last: versions of its events; of a command without events, last is first - 1.
    """

    body_hash: str
    first: int
    last: int


class Token(NamedTuple):
    """Who may do what in one encounter.

    Attributes:
        combatants: ids of those that it may command.
        hash: sha256 of the secret, as hexadecimal; the secret itself is kept nowhere.
        revoked: when, or None while it is good.
    """

    id: str
    role: str
    label: str
    combatants: tuple[str, ...]
    hash: str
    created: int
    revoked: int | None = None

    def row(self, encounter: str) -> dict[str, object]:
        """As the table of tokens keeps it."""
        return {"encounter": encounter, **self._asdict(), "combatants": json.dumps(self.combatants)}

    @classmethod
    def of(cls, row: Sequence[Any]) -> Token:
        """The token of a row of the table, without the encounter."""
        id, role, label, combatants, *rest = row
        return cls(id, role, label, tuple(json.loads(combatants)), *rest)


class EncounterRow(NamedTuple):
    """An encounter, as lists show it.

    Attributes:
        version: of its last event.
        closed: when it was closed, or None.
        updated: when the last event was appended.
        deadline: when a pending question answers itself, or None.
        head: the hash of its last event; "" if an earlier version of Fracas stored that.
    """

    id: str
    title: str
    ruleset: str
    version: int
    closed: int | None
    created: int
    updated: int
    deadline: int | None
    head: str = ""
