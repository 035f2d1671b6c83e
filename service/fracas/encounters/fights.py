"""The fights of a store as they stand, each also if another process changed it."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from threading import Lock

from fracas.dice.sources import SeededDice
from fracas.encounters import throws
from fracas.encounters.events import Event, Ranges, event_of
from fracas.encounters.fight import Fight, OtherPastError, caught_up, opened
from fracas.encounters.glossary import Glossary
from fracas.encounters.records import EncounterRow
from fracas.encounters.store import Store
from fracas.engine.game import Game, Games
from fracas.errors import InputError, NoEncounterError
from fracas.kernel.turns import TurnRules

IN_MEMORY = 256
"""Fights whose state is kept between two commands; others are opened from their snapshots."""

STOOD = 10
"""States of each fight in memory that need not be folded again to look at them."""
RECENT = 4
"""Events of each fight in memory that need not be read when they are undone."""


class Fights:
    """The fights of a store.

    Args:
        now: the time in milliseconds since the epoch.
    """

    def __init__(self, games: Games, store: Store, now: Callable[[], int]) -> None:
        self.games = games
        self.store = store
        self.now = now
        self._fights: OrderedDict[str, Fight] = OrderedDict()
        self._guard = Lock()
        self._seeds: dict[str, bytes] = {}
        self._glossaries: dict[str, Glossary] = {}  # by ruleset
        self._recent: dict[str, deque[Event]] = {}
        self._stood: dict[str, deque[Fight]] = {}
        self._throws: dict[str, tuple[Ranges, Counter[throws.Of]]] = {}

    def fight(self, id: str) -> Fight:
        """A fight as it stands now, also if another process changed it.

        Raises:
            NoEncounterError: there is none of that id.
        """
        kept = self._kept(id)  # before the row, which is then at least as new
        row = self.row(id)
        fight = self._brought_up(kept, row) if kept is not None else None
        if fight is None:
            self._forget(id)
            fight = opened(self._rules(row.ruleset), self.store, id)
        if row.head and fight.history.version == row.version:
            fight = fight._replace(head=row.head)  # what was stored then, whatever became of the event since
        self._keep(fight)
        return fight

    def stood(self, fight: Fight, version: int) -> Fight:
        """A fight as it stood after an event: from memory, if that was a moment ago.

        Raises:
            NoEncounterError: there is none of that id.
        """
        known = (one for one in self._stood.get(fight.id, ()) if one.history.version == version)
        return next(known, None) or opened(self.rules(fight), self.store, fight.id, version)

    def _brought_up(self, fight: Fight, row: EncounterRow) -> Fight | None:
        """A fight in memory as it is stored; None if a backup has taken the place of that fight meanwhile."""
        if fight.history.version == row.version:
            return fight if row.head in ("", fight.head) else None
        if fight.history.version > row.version:
            return None
        self._seeds.pop(fight.id, None)  # another may have taken its place
        try:
            return caught_up(self._rules(row.ruleset), self.store, fight)
        except OtherPastError:
            return None

    def row(self, id: str) -> EncounterRow:
        """
        Raises:
            NoEncounterError: there is none of that id.
        """
        row = self.store.row(id)
        if row is None:
            self._forget(id)
            raise NoEncounterError(id)
        return row

    def game(self, fight: Fight) -> Game:
        return self.games.game(fight.state.ruleset)

    def rules(self, fight: Fight) -> TurnRules:
        return self._rules(fight.state.ruleset)

    def _rules(self, ruleset: str) -> TurnRules:
        return rules_of(self.games.game(ruleset))

    def glossary(self, fight: Fight) -> Glossary:
        """What people call what the fight keeps by key."""
        game = self.game(fight)
        found = self._glossaries.get(game.ruleset.id)
        if found is None or found.of is not game:
            found = self._glossaries[game.ruleset.id] = Glossary(game, self.rules(fight))
        return found

    def commitment(self, id: str) -> str:
        """What was disclosed of the seed of a fight's dice at its beginning."""
        return SeededDice(self.seed(id)).commitment

    def seed(self, id: str) -> bytes:
        if id not in self._seeds:
            if len(self._seeds) > 10_000:
                self._seeds.clear()
            self._seeds[id] = self.store.seed(id)
        return self._seeds[id]

    def events(self, id: str, after: int = 0, up_to: int | None = None) -> list[Event]:
        """
        Raises:
            NoEncounterError: there is none of that id.
        """
        self.row(id)
        return [event_of(row.body) for row in self.store.events(id, after, up_to)]

    def _stored(self, id: str, first: int, last: int) -> Sequence[Event]:
        """Events as they are stored; those that were made a moment ago are still known."""
        recent = self._recent.get(id, ())
        known = [event for event in recent if first <= event.version <= last]
        if len(known) == last - first + 1:
            return known
        return [event_of(row.body) for row in self.store.events(id, first - 1, last)]

    def _kept(self, id: str) -> Fight | None:
        with self._guard:
            fight = self._fights.get(id)
            if fight is not None:
                self._fights.move_to_end(id)
            return fight

    def _keep(self, fight: Fight) -> None:
        with self._guard:
            known = self._fights.get(fight.id)
            if known is None or known.history.version <= fight.history.version:
                self._fights[fight.id] = fight
                self._fights.move_to_end(fight.id)
            if len(self._fights) > IN_MEMORY:
                gone, _ = self._fights.popitem(last=False)
                self._recent.pop(gone, None)
                self._stood.pop(gone, None)

    def _remember(self, id: str, events: Sequence[Event], after: Iterable[Fight]) -> None:
        """Keep events that were just stored, and the fight after each of them, for a while."""
        self._recent.setdefault(id, deque(maxlen=RECENT)).extend(events)
        self._stood.setdefault(id, deque(maxlen=STOOD)).extend(after)

    def _forget(self, id: str) -> None:
        with self._guard:
            self._fights.pop(id, None)
            self._seeds.pop(id, None)
            self._throws.pop(id, None)
            self._recent.pop(id, None)
            self._stood.pop(id, None)


def rules_of(game: Game) -> TurnRules:
    """How fights of a game are ordered.

    Raises:
        InputError: its ruleset cannot be played in encounters yet.
    """
    rules = game.ruleset.turns
    if rules is None:
        raise InputError.one("ruleset", "no-encounters", f"{game.ruleset.id} has no encounters yet")
    return rules
