"""A table to play fights at: encounters in process, with a clock that tests set and people with names."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fracas.encounters import sight
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Done, Encounters
from fracas.encounters.events import Event
from fracas.encounters.fight import Fight
from fracas.encounters.schemas import NewEncounterSchema
from fracas.encounters.sql_store import SqlStore
from fracas.encounters.state import Combatant, Resolution, State
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.errors import RefusedError

START = 1_800_000_000_000
SECOND = 1000


@cache
def games() -> Games:
    return open_games(())


@cache
def empty_store() -> bytes:
    """A database with its tables: making them takes longer than most fights."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        store = SqlStore(f"sqlite:///{file.as_posix()}")
        store.migrate()
        store.close()
        return file.read_bytes()


class Table:
    """One fight and those who play it. The GM commands unless somebody else is named.

    Attributes:
        now: the clock, in milliseconds; tests move it.
    """

    def __init__(
        self,
        folder: Path,
        ruleset: str = "sr4",
        settings: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        name: str = "fights.db",
        played_by: Games | None = None,
    ) -> None:
        self.now = START
        self.games = played_by or games()
        (folder / name).write_bytes(empty_store())
        self.store = SqlStore(f"sqlite:///{(folder / name).as_posix()}")
        self.encounters = self.opened_again()
        wish = {"ruleset": ruleset, "settings": {"apply": "at-once", **(settings or {})}}
        fight, issued = self.encounters.begin(load(NewEncounterSchema(), wish | {"options": options or {}}))
        self.id = fight.id
        self.gm = Author("gm", issued[0].token.id, "GM")
        self.observer = Author("observer", issued[1].token.id, "Observers")

    def opened_again(self) -> Encounters:
        """Another service on the same store, which remembers nothing."""
        return Encounters(self.games, self.store, lambda: self.now)

    def close(self) -> None:
        self.store.close()

    def player(self, *combatants: str, token: str = "") -> Author:
        return Author("player", token or f"token-{'-'.join(combatants)}", "a player", frozenset(combatants))

    # Looking

    @property
    def fight(self) -> Fight:
        return self.encounters.fight(self.id)

    @property
    def state(self) -> State:
        return self.fight.state

    @property
    def acting(self) -> list[str]:
        return list(self.state.acting)

    def one(self, id: str) -> Combatant:
        return self.state.combatants[id]

    def conditions(self, id: str) -> list[str]:
        return [condition.slug for condition in self.one(id).conditions]

    def steps(self) -> list[Resolution]:
        return list(self.state.resolutions.values())

    def step(self) -> Resolution:
        """The only step that is open."""
        (one,) = self.steps()
        return one

    def question(self, owner: str = "") -> Mapping[str, Any]:
        """The only question, or the only one of somebody."""
        asked = [one.question for one in self.steps() if one.question is not None]
        (found,) = [question for question in asked if not owner or owner in question["owners"]]
        return found

    def view(self, viewer: Author | None = None) -> dict[str, Any]:
        return self.encounters.view(self.fight, viewer or self.gm)

    def shown(self, id: str, viewer: Author | None = None) -> dict[str, Any]:
        """A combatant as the view tells it."""
        found: dict[str, Any] = next(one for one in self.view(viewer)["combatants"] if one["id"] == id)
        return found

    def all_that_is_told(self, viewer: Author) -> str:
        """View and events of a role as one text."""
        state = self.state
        told = [sight.event(event, viewer, state) for event in self.encounters.events(self.id)]
        return json.dumps([self.view(viewer), told])

    # Playing

    def do(self, command: str, by: Author | None = None, seen: int | None = None, **fields: Any) -> Event:
        return self.done(command, by, seen, **fields).events[-1]

    def done(self, command: str, by: Author | None = None, seen: int | None = None, **fields: Any) -> Done:
        body = {"command": command, **fields}
        return self.encounters.command(self.id, by or self.gm, body, seen=seen)

    def refused(self, command: str, by: Author | None = None, **fields: Any) -> list[tuple[str, str]]:
        """Why a command is refused; it must be, and must change nothing."""
        before = self.fight
        try:
            self.do(command, by, **fields)
        except RefusedError as error:
            assert self.fight == before
            return list(error.reasons)
        raise AssertionError(f"{command} {fields} was not refused")

    def join(self, combatant: Any, **fields: Any) -> str:
        id: str = self.do("join", combatant=combatant, **fields).data["combatant"]["id"]
        return id

    def begin(self, **given: Any) -> None:
        """A turn whose initiative is set by hand."""
        self.do("begin-turn", given=given)

    def act(
        self, combatant: str, action: str, target: str = "", by: Author | None = None, **fields: Any
    ) -> Event:
        return self.do("act", by, combatant=combatant, action=action, target=target or None, **fields)

    def answer(
        self, choose: str | None = None, by: Author | None = None, owner: str = "", **fields: Any
    ) -> Event:
        return self.do("answer", by, question=self.question(owner)["id"], choose=choose, **fields)

    def dice(self, *groups: list[int], by: Author | None = None, owner: str = "") -> Event:
        return self.answer(None, by, owner, dice=list(groups))


OpenTable = Callable[..., Table]
"""Opens a table, which its test need not close."""
