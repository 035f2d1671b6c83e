"""What keeps encounters: events, snapshots, commands and tokens.

A store never looks into the JSON it keeps, and it knows no clock: texts and times come from the caller. An encounter's
versions have no gaps: they are 1, 2, 3 and so on. `sql_store` keeps them in a database, `memory_store` in memory with a
journal for the caller to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from fracas.encounters.records import (
    EncounterRow,
    KeyUse,
    NewEncounter,
    PastCommand,
    Snapshot,
    StoredEvent,
    Token,
)

Heard = Callable[[str | None, int], object]
"""Takes an encounter's id and its version, see `Store.start_listener`."""


SESSION_DAYS = 90
"""How long a session of a browser is kept after it was renewed."""


class Shown(NamedTuple):
    """A token that a browser has shown.

    Attributes:
        token: its id.
        hash: of its secret then.
    """

    encounter: str
    token: str
    hash: str


class Sessions(Protocol):
    """Sessions of browsers: a random name stands for the tokens that a browser has shown, and is worth nothing else.

    Like the secrets of tokens, the name is kept as a hash. A session says of each fight which token it stands for, and
    which secret that token had; another secret, or a revoked token, ends it.
    """

    def renew(self, name: str, encounter: str, token: Token, now: int) -> str:
        """Another name for a session, to which one more token belongs; the former name is worth nothing any more.

        A page that knew the former name, because it had made it, has no part in what the browser shows now.

        Args:
            name: of the session; "" for none.
            now: in milliseconds since the epoch.

        Returns:
            the name, which is kept nowhere.
        """
        ...

    def shown(self, name: str) -> list[Shown]:
        """The tokens that belong to a session."""
        ...

    def forget(self, name: str, encounter: str) -> None:
        """Take a fight's token out of a session."""
        ...


class Store(Protocol):
    """Where encounters are kept. Safe to share between threads.

    Every method raises DatabaseError when the store fails.
    """

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def sessions(self) -> Sessions:
        """Those of browsers."""
        ...

    def close(self) -> None:
        """Stops listening and lets go of everything."""
        ...

    # Writing

    def create(
        self,
        encounter: NewEncounter,
        events: Sequence[StoredEvent],
        snapshot: Snapshot,
        tokens: Sequence[Token],
    ) -> None:
        """A new encounter with its first events, all or nothing.

        Raises:
            DatabaseError: an encounter of this id, or a token of this hash, exists.
            ValueError: the events' versions are not 1, 2, 3 and so on.
        """
        ...

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
        """Adds events after the one of version `seen`, all or nothing, and lets other processes know.

        Args:
            was: the hash of the event of version `seen`.
            head: that of the last of these events.
            closed: when the encounter was closed; None leaves it as it is, open or closed.
            deadline: when the pending question answers itself; None when nothing does.

        Raises:
            StaleVersionError: `seen` is not the last event, or another one than `was` says.
            KeyTakenError: the token has used the key before; also when `seen` is not the last event.
            NoEncounterError: there is none of this id.
            ValueError: the events' versions do not follow `seen` without a gap.
        """
        ...

    def save_snapshot(self, encounter: str, snapshot: Snapshot) -> None:
        """Keeps a state that was worked out later; one of the same version is replaced.

        Raises:
            NoEncounterError: there is none of this id.
        """
        ...

    def delete(self, encounter: str) -> None:
        """Removes an encounter with everything that belongs to it; does nothing when there is none."""
        ...

    # Reading

    def past_command(self, encounter: str, token: str, key: str) -> PastCommand | None:
        """What this token did under this Idempotency-Key."""
        ...

    def events(self, encounter: str, after: int = 0, up_to: int | None = None) -> list[StoredEvent]:
        """The events of versions after + 1 to `up_to` or the last, in order."""
        ...

    def snapshot(self, encounter: str, up_to: int | None = None) -> Snapshot | None:
        """The newest snapshot, or the newest at or below version `up_to`."""
        ...

    def row(self, encounter: str) -> EncounterRow | None:
        """An encounter as lists show it."""
        ...

    def rows(self) -> list[EncounterRow]:
        """All encounters, the oldest first."""
        ...

    def count(self) -> int:
        """How many encounters there are."""
        ...

    def seed(self, encounter: str) -> bytes:
        """The secret that the dice come from.

        Raises:
            NoEncounterError: there is none of this id.
        """
        ...

    def former_seeds(self, encounter: str) -> list[bytes]:
        """The seeds whose place another has taken, the oldest first."""
        ...

    def due(self, now: int) -> list[str]:
        """Ids of the open encounters whose deadline has come, the earliest first."""
        ...

    # Tokens

    def add_token(self, encounter: str, token: Token) -> None:
        """One more token.

        Raises:
            NoEncounterError: there is no encounter of this id.
            DatabaseError: it has a token of this id, or some token has this hash.
        """
        ...

    def tokens(self, encounter: str) -> list[Token]:
        """All of an encounter's tokens, the revoked ones too, the oldest first."""
        ...

    def token_by_hash(self, hash: str) -> tuple[str, Token] | None:
        """The encounter's id and the token, which may be revoked; None when no token has this hash."""
        ...

    def revoke(self, encounter: str, token: str, now: int) -> bool:
        """Makes a token worthless; False when there is none, or when it was revoked before."""
        ...

    def rotate(self, encounter: str, token: str, hash: str) -> bool:
        """Gives a token another secret, of which this is the hash; False when there is none, or when it is revoked.

        Raises:
            DatabaseError: some token has this hash.
        """
        ...

    # News from other processes

    def start_listener(self, heard: Heard) -> None:
        """Calls `heard` in a thread of its own whenever any process, this one too, has changed an encounter.

        It gets the encounter's id and its version: the same one again when its tokens changed, 0 when it was deleted.
        (None, 0) says that the connection was lost for a while and anything may have changed. Where one process does
        all the writing, nothing is ever called.
        """
        ...


def last_version(seen: int, events: Sequence[StoredEvent]) -> int:
    """The version after events that follow `seen`.

    Raises:
        ValueError: there is a gap.
    """
    versions = [event.version for event in events]
    if versions != list(range(seen + 1, seen + 1 + len(events))):
        raise ValueError(f"events after version {seen} cannot have the versions {versions}")
    return seen + len(events)
