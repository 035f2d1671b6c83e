"""A store of encounters in memory, with a journal: what changes is given to a keeper first, and applied then.

A store that is made from the lines of its journal is the store that wrote them. A caller that keeps the lines keeps the
fights: a browser, a document of a virtual tabletop, a file. Nothing here is written anywhere, and no thread is needed.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from threading import RLock
from typing import Any, NamedTuple

from fracas.encounters.records import (
    EncounterRow,
    KeyUse,
    NewEncounter,
    PastCommand,
    Snapshot,
    StoredEvent,
    Token,
)
from fracas.encounters.store import SESSION_DAYS, Heard, Shown, last_version
from fracas.errors import DatabaseError, KeyTakenError, NoEncounterError, StaleVersionError

Journal = Callable[[str, str], object]
"""Keeps a line, which is JSON without a line end, of the encounter of this id.

A line of no encounter ("") takes the place of the one before it, and the lines of an encounter that was deleted are
needed no more. What it raises, the method that wrote raises, and nothing has changed.
"""

_DAY = 86_400_000


class _Kept(NamedTuple):
    """One encounter."""

    row: EncounterRow
    seed: bytes
    events: list[StoredEvent]
    snapshots: dict[int, Snapshot]
    commands: dict[tuple[str, str], PastCommand]
    tokens: dict[str, Token]


class MemoryStore:
    """Encounters in memory. What its methods do, `store.Store` says.

    Args:
        journal: gets every change before it is made.
        lines: those of a journal, in their order; the journal does not get them again.

    Raises:
        DatabaseError: the lines are no journal, or not of this version.
    """

    name = "memory"

    def __init__(self, journal: Journal | None = None, lines: Iterable[str] = ()) -> None:
        self._journal = journal
        self._lock = RLock()
        self._all: dict[str, _Kept] = {}
        self._by_hash: dict[str, tuple[str, str]] = {}
        self.sessions = MemorySessions(self)
        for number, line in enumerate(lines, 1):
            try:
                self._apply(json.loads(line))
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise DatabaseError(f"line {number} of the journal cannot be used") from error

    def close(self) -> None:
        """Nothing is open."""

    def start_listener(self, heard: Heard) -> None:
        """One process does all the writing."""

    def _write(self, record: dict[str, Any]) -> None:
        """Have a change kept, and make it."""
        if self._journal is not None:
            line = json.dumps(record, separators=(",", ":"))
            self._journal(record["encounter"], line)
        self._apply(record)

    def _apply(self, record: dict[str, Any]) -> None:
        id = record["encounter"]
        match record["what"]:
            case "create":
                row = EncounterRow(*record["row"])
                self._all[id] = _Kept(row, bytes.fromhex(record["seed"]), [], {}, {}, {})
                self._add_events(id, record)
                for token in record["tokens"]:
                    self._put_token(id, token)
            case "append":
                kept = self._all[id]
                self._all[id] = kept._replace(row=EncounterRow(*record["row"]))
                if record.get("key"):
                    token, key, *past = record["key"]
                    kept.commands[token, key] = PastCommand(*past)
                self._add_events(id, record)
            case "token":
                self._put_token(id, record["token"])
            case "delete":
                for token in self._all.pop(id).tokens.values():
                    del self._by_hash[token.hash]
                self.sessions.ended(id)
            case "sessions":
                self.sessions.rows = [_Session(*row) for row in record["rows"]]
            case what:
                raise ValueError(f"unknown record {what!r}")

    def _add_events(self, id: str, record: dict[str, Any]) -> None:
        kept = self._all[id]
        for body in record["events"]:
            kept.events.append(StoredEvent(len(kept.events) + 1, body))
        if kept.events and kept.events[-1].version != self._all[id].row.version:
            raise ValueError("an event is missing")
        if record.get("snapshot"):
            snapshot = Snapshot(*record["snapshot"])
            kept.snapshots[snapshot.version] = snapshot

    def _put_token(self, id: str, values: Sequence[Any]) -> None:
        token = Token._make(values)
        token = token._replace(combatants=tuple(token.combatants))
        before = self._all[id].tokens.get(token.id)
        if before is not None:
            del self._by_hash[before.hash]
        self._all[id].tokens[token.id] = token
        self._by_hash[token.hash] = id, token.id

    # Writing

    def create(
        self,
        encounter: NewEncounter,
        events: Sequence[StoredEvent],
        snapshot: Snapshot,
        tokens: Sequence[Token],
    ) -> None:
        new = last_version(0, events)
        id, now = encounter.id, encounter.created
        with self._lock:
            hashes = {token.hash for token in tokens}
            if id in self._all or len(hashes) < len(tokens) or not hashes.isdisjoint(self._by_hash):
                raise DatabaseError("there is an encounter of this id, or a token of this hash")
            row = EncounterRow(
                id, encounter.title, encounter.ruleset, new, None, now, now, None, encounter.head
            )
            self._write(
                {
                    "encounter": id,
                    "what": "create",
                    "row": row,
                    "seed": encounter.seed.hex(),
                    "events": [event.body for event in events],
                    "snapshot": snapshot,
                    "tokens": tokens,
                }
            )

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
        with self._lock:
            if key is not None and self.past_command(encounter, key.token, key.key) is not None:
                raise KeyTakenError(key.key)
            kept = self._all.get(encounter)
            if kept is None:
                raise NoEncounterError(encounter)
            row = kept.row
            if row.version != seen or row.head not in (was, ""):
                raise StaleVersionError(row.version)
            row = row._replace(
                version=new,
                closed=row.closed if closed is None else closed,
                updated=now,
                deadline=deadline,
                head=head,
            )
            record: dict[str, Any] = {
                "encounter": encounter,
                "what": "append",
                "row": row,
                "events": [event.body for event in events],
            }
            if key is not None:
                record["key"] = [key.token, key.key, key.body_hash, seen + 1, new]
            if snapshot is not None:
                record["snapshot"] = snapshot
            self._write(record)

    def save_snapshot(self, encounter: str, snapshot: Snapshot) -> None:
        """Such a state can be worked out again, so the journal does without it."""
        with self._lock:
            if encounter not in self._all:
                raise NoEncounterError(encounter)
            self._all[encounter].snapshots[snapshot.version] = snapshot

    def delete(self, encounter: str) -> None:
        with self._lock:
            if encounter in self._all:
                self._write({"encounter": encounter, "what": "delete"})

    # Reading

    def past_command(self, encounter: str, token: str, key: str) -> PastCommand | None:
        kept = self._all.get(encounter)
        return None if kept is None else kept.commands.get((token, key))

    def events(self, encounter: str, after: int = 0, up_to: int | None = None) -> list[StoredEvent]:
        kept = self._all.get(encounter)
        return [] if kept is None else kept.events[max(after, 0) : up_to]

    def snapshot(self, encounter: str, up_to: int | None = None) -> Snapshot | None:
        kept = self._all.get(encounter)
        found = [] if kept is None else [at for at in kept.snapshots if up_to is None or at <= up_to]
        return kept.snapshots[max(found)] if kept is not None and found else None

    def row(self, encounter: str) -> EncounterRow | None:
        kept = self._all.get(encounter)
        return None if kept is None else kept.row

    def rows(self) -> list[EncounterRow]:
        rows = [kept.row for kept in self._all.values()]
        return sorted(rows, key=lambda row: (row.created, row.id))

    def count(self) -> int:
        return len(self._all)

    def seed(self, encounter: str) -> bytes:
        kept = self._all.get(encounter)
        if kept is None:
            raise NoEncounterError(encounter)
        return kept.seed

    def former_seeds(self, encounter: str) -> list[bytes]:
        return []

    def due(self, now: int) -> list[str]:
        rows = (kept.row for kept in self._all.values() if kept.row.closed is None)
        found = [(row.deadline, row.id) for row in rows if row.deadline is not None and row.deadline <= now]
        return [id for _, id in sorted(found)]

    # Tokens

    def add_token(self, encounter: str, token: Token) -> None:
        with self._lock:
            kept = self._all.get(encounter)
            if kept is None:
                raise NoEncounterError(encounter)
            if token.id in kept.tokens or token.hash in self._by_hash:
                raise DatabaseError("there is a token of this id, or of this hash")
            self._write({"encounter": encounter, "what": "token", "token": token})

    def tokens(self, encounter: str) -> list[Token]:
        kept = self._all.get(encounter)
        found = kept.tokens.values() if kept is not None else ()
        return sorted(found, key=lambda token: (token.created, token.id))

    def token_by_hash(self, hash: str) -> tuple[str, Token] | None:
        encounter, token = self._by_hash.get(hash, ("", ""))
        return (encounter, self._all[encounter].tokens[token]) if encounter else None

    def revoke(self, encounter: str, token: str, now: int) -> bool:
        return self._change_token(encounter, token, revoked=now)

    def rotate(self, encounter: str, token: str, hash: str) -> bool:
        with self._lock:
            if hash in self._by_hash and self._good(encounter, token) is not None:
                raise DatabaseError("there is a token of this hash")
            return self._change_token(encounter, token, hash=hash)

    def _good(self, encounter: str, token: str) -> Token | None:
        kept = self._all.get(encounter)
        found = None if kept is None else kept.tokens.get(token)
        return found if found is not None and found.revoked is None else None

    def _change_token(self, encounter: str, token: str, **values: Any) -> bool:
        with self._lock:
            found = self._good(encounter, token)
            if found is not None:
                changed = found._replace(**values)
                self._write({"encounter": encounter, "what": "token", "token": changed})
            return found is not None


class _Session(NamedTuple):
    session: str
    created: int
    encounter: str
    token: str
    hash: str


class MemorySessions:
    """The sessions of a store in memory, see `store.Sessions`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.rows: list[_Session] = []

    def renew(self, name: str, encounter: str, token: Token, now: int) -> str:
        fresh = secrets.token_urlsafe(32)
        before, after = _hash(name), _hash(fresh)
        rows = [row for row in self.rows if row.created >= now - SESSION_DAYS * _DAY]
        if name:
            rows = [
                row._replace(session=after, created=now) if row.session == before else row
                for row in rows
                if (row.session, row.encounter) != (before, encounter)
            ]
        self._keep([*rows, _Session(after, now, encounter, token.id, token.hash)])
        return fresh

    def shown(self, name: str) -> list[Shown]:
        wanted = _hash(name)
        return [Shown(row.encounter, row.token, row.hash) for row in self.rows if row.session == wanted]

    def forget(self, name: str, encounter: str) -> None:
        taken = _hash(name), encounter
        self._keep([row for row in self.rows if (row.session, row.encounter) != taken])

    def ended(self, encounter: str) -> None:
        """A fight was deleted, and nobody has a token of it any more."""
        self.rows = [row for row in self.rows if row.encounter != encounter]

    def _keep(self, rows: list[_Session]) -> None:
        self._store._write({"encounter": "", "what": "sessions", "rows": rows})


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()
