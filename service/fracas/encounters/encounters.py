"""All fights of a store: beginning them, giving them commands, looking at them.

One command at a time is carried out in a process; another process that shares the database shows by a stale version,
and the fight catches up. Nothing is reported before it is stored.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

from fracas.dice.sources import SeededDice, new_seed
from fracas.encounters import by_itself, fold, throws, views
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.commands import decide
from fracas.encounters.events import (
    KNOWN,
    NOTHING_BEFORE,
    Event,
    History,
    Ranges,
    digest,
    dumps,
    event_of,
    loads,
)
from fracas.encounters.fair_lock import FairLock
from fracas.encounters.fight import (
    SNAPSHOT_EVERY,
    Fight,
    OtherPastError,
    after,
    caught_up,
    deadlines,
    opened,
    snapshot_of,
)
from fracas.encounters.glossary import Glossary
from fracas.encounters.records import EncounterRow, KeyUse, NewEncounter, StoredEvent, Token, new_salt
from fracas.encounters.schemas import load_command
from fracas.encounters.skirmishes import joins, skirmish_of
from fracas.encounters.store import Store
from fracas.encounters.tokens import Issued, author_of, hash_of, issue, new_secret
from fracas.engine.game import Game, Games
from fracas.errors import (
    FracasError,
    InputError,
    KeyReusedError,
    KeyTakenError,
    NoEncounterError,
    RefusedError,
    StaleVersionError,
    TokenError,
    suggestion,
)
from fracas.kernel.readers import Progress
from fracas.kernel.turns import TurnRules

IN_MEMORY = 256
"""Fights whose state is kept between two commands; others are opened from their snapshots."""

RECENT = 4
"""Events of each fight in memory that need not be read when they are undone."""

MAX_TOKENS = 256
"""Of an encounter, revoked ones included."""

RETRIES = 64
"""How often a command that takes any version is tried again when another process was faster."""

_NO_THROWS: tuple[Ranges, Counter[throws.Of]] = ((), Counter())

_LOG = logging.getLogger(__name__)

Listener = Callable[[str, Event], None]
"""Called with each event after it is stored, in order."""


class Done(NamedTuple):
    """What a command did.

    Attributes:
        fight: after it.
        events: what it made.
        repeated: it had been done before, under the same key.
        played: the steps that it ended, by id, as they were played.
    """

    fight: Fight
    events: tuple[Event, ...]
    repeated: bool = False
    played: Mapping[str, Progress] = {}


class _Made(NamedTuple):
    """An event that is not stored yet, the text in which it will be, the fight after it, and the steps that it ends."""

    event: Event
    text: str
    fight: Fight
    played: Mapping[str, Progress]


class Encounters:
    """All fights of a store.

    Args:
        now: the time in milliseconds since the epoch.

    Attributes:
        max_tokens: how many an encounter may have, see `MAX_TOKENS`.
    """

    def __init__(self, games: Games, store: Store, now: Callable[[], int]) -> None:
        self.games = games
        self.max_tokens = MAX_TOKENS
        self.store = store
        self.now = now
        self._writing = FairLock()
        self._fights: OrderedDict[str, Fight] = OrderedDict()
        self._guard = Lock()
        self._seeds: dict[str, bytes] = {}
        self._glossaries: dict[str, Glossary] = {}  # by ruleset
        self._recent: dict[str, deque[Event]] = {}
        self._throws: dict[str, tuple[Ranges, Counter[throws.Of]]] = {}
        self._listeners: list[Listener] = []
        self._stuck: set[tuple[str, str]] = set()

    def listen(self, listener: Listener) -> None:
        """Have a function called with each event that this process stores."""
        self._listeners.append(listener)

    # Beginning

    def begin(self, data: Mapping[str, Any], label: str = "") -> tuple[Fight, list[Issued]]:
        """A new fight, with tokens for a GM and for observers; the people of a skirmish have joined it.

        Raises:
            InputError: an unknown ruleset, skirmish or house rule, or a ruleset whose fights cannot be played.
        """
        game = self.games.game(data["ruleset"])
        rules_of(game)
        if game.shelf.economy() is None:
            raise InputError.one(
                "ruleset", "no-economy", f"no pack of {game.ruleset.id} says what actions cost"
            )
        skirmish = skirmish_of(game, data["skirmish"]) if data.get("skirmish") else None
        title, settings = data["title"], data["settings"]
        if skirmish is not None:
            title = title or skirmish.label
            settings = {**settings, "scene": {**skirmish.data.get("situation", {}), **settings["scene"]}}
        id, seed, now = secrets.token_hex(8), new_seed(), self.now()
        issued = [issue("gm", label or "GM", (), now), issue("observer", "Observers", (), now)]
        told = {
            "ruleset": game.ruleset.id,
            "title": title,
            "options": game.options(data["options"]),
            "economy": game.shelf.economy(),
            "settings": settings,
            "packs": [[pack.manifest.id, pack.manifest.version] for pack in game.shelf.packs],
            "commitment": SeededDice(seed).commitment,
        }
        by = {"role": "gm", "token": issued[0].token.id, "label": issued[0].token.label}
        event = Event(1, "created", KNOWN["created"], now, by, False, 0, told, NOTHING_BEFORE, new_salt())
        text = event.to_json()
        event = event_of(text)
        state = fold.apply(rules_of(game), fold.NOTHING, event)
        fight = Fight(id, state, History().after(event), by["token"], head=digest(event.plain()))
        events = [StoredEvent(1, text)]
        self._seeds[id] = seed
        try:
            for body in joins(game, skirmish) if skirmish is not None else ():
                made = self._made(fight, author_of(issued[0].token), body)
                fight = made.fight
                events.append(StoredEvent(made.event.version, made.text))
            self.store.create(
                NewEncounter(id, title, game.ruleset.id, seed, now, fight.head),
                events,
                snapshot_of(fight),
                [one.token for one in issued],
            )
        except FracasError:
            self._forget(id)
            raise
        self._keep(fight)
        return fight, issued

    # Looking

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

    def view(self, fight: Fight, viewer: Author) -> dict[str, Any]:
        """A fight as a viewer sees it."""
        facts = {
            "commitment": self.commitment(fight.id),
            "draws": fight.history.draws,
            "head": fight.head,
            "contributions": [
                {"label": label, "entropy": text} for label, text in fight.history.contributions
            ],
            "may_contribute": fight.history.untouched and fight.state.phase != "closed",
        }
        return views.encounter(fight, self.glossary(fight), self.game(fight).shelf, viewer, facts)

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

    # Commands

    def command(
        self, id: str, author: Author, body: Mapping[str, Any], key: str = "", seen: int | None = None
    ) -> Done:
        """Carry out a command.

        Args:
            body: the command as it was sent.
            key: a repeated one gets the first answer; "" for none.
            seen: the version on which the command is based; None for any.

        Raises:
            StaleVersionError: the fight has moved on.
            KeyReusedError: the key stood for another command.
            RefusedError, ForbiddenError, InputError: see `commands.decide`.
        """
        return self.commands(id, author, [body], key, seen)

    def commands(
        self,
        id: str,
        author: Author,
        bodies: Sequence[Mapping[str, Any]],
        key: str = "",
        seen: int | None = None,
    ) -> Done:
        """Carry out several commands, one after the other: all of them, or none. If there is more than one, no undo or
        redo is among them. A key is that of the last, for which those before it prepare.

        Args, Raises: see `command`.
        """
        last = bodies[-1] if bodies else None
        digest = hashlib.sha256(json.dumps(last, sort_keys=True).encode()).hexdigest()
        return self._retried(id, author, bodies, KeyUse(key, author.token, digest), seen)

    def _retried(
        self, id: str, author: Author, bodies: Sequence[Mapping[str, Any]], key: KeyUse, seen: int | None
    ) -> Done:
        for left in reversed(range(RETRIES)):
            try:
                with self._writing:
                    return self._carry_out(id, author, bodies, key, seen)
            except KeyTakenError:
                continue  # another process carried it out a moment ago: its answer is found now
            except StaleVersionError:
                if seen is not None or not left:
                    raise
        raise KeyReusedError(f"the Idempotency-Key {key.key!r} is in use")

    def _carry_out(
        self, id: str, author: Author, bodies: Sequence[Mapping[str, Any]], key: KeyUse, seen: int | None
    ) -> Done:
        fight = self.fight(id)
        if key.key:
            past = self.store.past_command(id, key.token, key.key)
            if past is not None:
                if past.body_hash != key.body_hash:
                    raise KeyReusedError(f"the Idempotency-Key {key.key!r} stood for another command before")
                then = opened(self.rules(fight), self.store, id, past.last)
                return Done(then, tuple(self.events(id, past.first - 1, past.last)), True)
        version = fight.history.version
        if seen is not None and seen != version:
            raise StaleVersionError(version)
        made: list[_Made] = []
        for body in bodies:
            made.append(self._made(made[-1].fight if made else fight, author, body))
        if not made:
            return Done(fight, ())
        then, events = made[-1].fight, tuple(one.event for one in made)
        self.store.append(
            id,
            version,
            [StoredEvent(one.event.version, one.text) for one in made],
            key=key if key.key else None,
            snapshot=snapshot_of(then) if _passes_a_snapshot(version, then.history.version) else None,
            closed=events[-1].at if events[-1].type == "closed" else None,
            deadline=then.deadline,
            now=events[-1].at,
            was=fight.head,
            head=then.head,
        )
        self._keep(then)
        self._recent.setdefault(id, deque(maxlen=RECENT)).extend(events)
        for event in events:
            for listener in self._listeners:
                try:
                    listener(id, event)
                except Exception:  # what is stored is done, though a listener may miss it
                    _LOG.exception("encounter %s: a listener failed", id)
        return Done(then, events, played={id: one for each in made for id, one in each.played.items()})

    def _made(self, fight: Fight, author: Author, body: Mapping[str, Any]) -> _Made:
        """What a command makes of a fight; nothing is stored."""
        context = self.context(fight, author)
        event = event_of(decide(context, load_command(body)).to_json())  # what is folded is what is stored
        then = after(context.rules, self.store, fight, event)
        found = by_itself.changes(context.rules, context.game.shelf, event, fight.state, then.state)
        more: dict[str, Any] = {by_itself.CHANGES: found} if found else {}
        of = throws.thrown(event, fight.state, fight.history.draws)
        if of is not None:
            more[throws.THROW] = throws.told(of, self._undone_throws(fight))
        if more:
            event = event._replace(data={**event.data, **loads(dumps(more))})
        event = event._replace(previous=fight.head, salt=new_salt())
        then = then._replace(changes=by_itself.told_in(event), head=digest(event.plain()))
        return _Made(event, event.to_json(), then, context.played or {})

    def _undone_throws(self, fight: Fight) -> Mapping[throws.Of, int]:
        """How often each was thrown in events that do not count any more."""
        gaps = throws.gaps(fight.history.past, fight.history.version)
        known, found = self._throws.get(fight.id, _NO_THROWS)
        if known != gaps:
            if throws.beyond(known, gaps):  # some count again
                known, found = _NO_THROWS
            new = throws.beyond(gaps, known)
            found = found + throws.counted(
                event for first, last in new for event in self._stored(fight.id, first, last)
            )
            if len(self._throws) > 1000:
                self._throws.clear()
            self._throws[fight.id] = (gaps, found)
        return found

    def _stored(self, id: str, first: int, last: int) -> Sequence[Event]:
        """Events as they are stored; those that were made a moment ago are still known."""
        recent = self._recent.get(id, ())
        known = [event for event in recent if first <= event.version <= last]
        if len(known) == last - first + 1:
            return known
        return [event_of(row.body) for row in self.store.events(id, first - 1, last)]

    def context(self, fight: Fight, author: Author) -> CommandContext:
        """All that deciding on a command of a combatant needs, now."""
        game = self.game(fight)
        added = [text for _, text in fight.history.contributions]
        dice = SeededDice(self.seed(fight.id), fight.history.draws, added)
        rules = rules_of(game)
        context = CommandContext(
            game,
            rules,
            fight.state,
            fight.history,
            author,
            self.now(),
            dice,
            fight.last_by,
            played={},
        )
        if fight.history.seeds == 1:
            return context
        return context._replace(former=tuple(self.store.former_seeds(fight.id)))

    def delete(self, id: str, seen: int | None = None) -> None:
        """Remove a fight with its log.

        Raises:
            NoEncounterError: there is none of that id.
            StaleVersionError: it has moved on since `seen`.
        """
        with self._writing:
            version = self.row(id).version
            if seen is not None and seen != version:
                raise StaleVersionError(version)
            self.store.delete(id)
            self._forget(id)

    # Questions whose time is over

    def answer_overdue(self) -> int:
        """Answer every question whose time is over with its default; how many were answered."""
        answered = 0
        for id in self.store.due(self.now()):
            try:
                fight = self.fight(id)
                overdue = [one for one, due in deadlines(fight).items() if due <= self.now()]
                for resolution in overdue:
                    answered += self._answer_default(fight, resolution)
            except FracasError as error:
                _LOG.warning("encounter %s: an overdue question cannot be answered: %s", id, error)
        return answered

    def _answer_default(self, fight: Fight, resolution: str) -> bool:
        question = fight.state.resolutions[resolution].question
        assert question is not None
        if (fight.id, question["id"]) in self._stuck:
            return False
        body = {"command": "answer", "question": question["id"], "choose": question.get("default")}
        try:
            self.command(fight.id, Author("clock", label="clock"), body)
        except (RefusedError, StaleVersionError):
            return False  # another process was faster
        except FracasError as error:
            self._stuck.add((fight.id, question["id"]))
            _LOG.warning("encounter %s: %s has no answer: %s", fight.id, question["id"], error)
            return False
        return True

    # Tokens

    def author(self, id: str, secret: str) -> Author:
        """Who shows a token.

        Raises:
            TokenError: it is not known, or revoked.
            NoEncounterError: it is of another fight; whether there is a fight of this id stays untold.
        """
        found = self.store.token_by_hash(hash_of(secret))
        if found is None:
            raise TokenError("this token is not known; that of an encounter that was deleted is not, either")
        if found[0] != id:
            raise NoEncounterError(id)
        if found[1].revoked is not None:
            raise TokenError("this token was revoked")
        return author_of(found[1])

    def tokens(self, id: str) -> list[Token]:
        self.row(id)
        return self.store.tokens(id)

    def add_token(self, id: str, role: str, label: str, combatants: Sequence[str]) -> Issued:
        """A new token.

        Raises:
            InputError: combatants that are not in the fight, or that do not go with the role.
            RefusedError: there are too many.
        """
        fight = self.fight(id)
        for at, one in enumerate(combatants):
            if one not in fight.state.combatants:
                hint = suggestion(one, fight.state.combatants)
                raise InputError.one(
                    f"combatants[{at}]", "unknown-combatant", f"there is no combatant {one!r} here", hint
                )
        if combatants and role != "player":
            raise InputError.one("combatants", "wrong-role", "only a player's token is bound to combatants")
        if len(self.store.tokens(id)) >= self.max_tokens:
            message = (
                f"this fight has {self.max_tokens} tokens, which is the limit 'tokens-per-fight', "
                "revoked ones included: give one of them a new secret instead"
            )
            raise RefusedError("too-many", message)
        issued = issue(role, label, tuple(combatants), self.now())
        self.store.add_token(id, issued.token)
        return issued

    def revoke(self, id: str, token: str) -> None:
        """
        Raises:
            TokenError: the fight has no such token.
            RefusedError: it is that of the only GM.
        """
        good = [one for one in self.tokens(id) if one.revoked is None and one.role == "gm"]
        if [one.id for one in good] == [token]:
            raise RefusedError("last-gm", "this is the only GM's token: make another one first")
        if not self.store.revoke(id, token, self.now()):
            raise TokenError(f"this encounter has no token {token!r} that could be revoked")

    def rotate(self, id: str, token: str) -> str:
        """A new secret for a token; the old one is worth nothing any more.

        Raises:
            TokenError: the fight has no such token.
            RefusedError: it was revoked.
        """
        if any(one.id == token and one.revoked is not None for one in self.tokens(id)):
            raise RefusedError("revoked", "this token was revoked: make another one")
        secret = new_secret()
        if not self.store.rotate(id, token, hash_of(secret)):
            raise TokenError(f"this encounter has no good token {token!r}")
        return secret

    # Fights in memory

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

    def _forget(self, id: str) -> None:
        with self._guard:
            self._fights.pop(id, None)
            self._seeds.pop(id, None)
            self._throws.pop(id, None)
            self._recent.pop(id, None)


def _passes_a_snapshot(before: int, version: int) -> bool:
    return version // SNAPSHOT_EVERY > before // SNAPSHOT_EVERY


def rules_of(game: Game) -> TurnRules:
    """How fights of a game are ordered.

    Raises:
        InputError: its ruleset cannot be played in encounters yet.
    """
    rules = game.ruleset.turns
    if rules is None:
        raise InputError.one("ruleset", "no-encounters", f"{game.ruleset.id} has no encounters yet")
    return rules
