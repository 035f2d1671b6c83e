"""All fights of a store: beginning them, and giving them commands.

One command at a time is carried out in a process; another process that shares the database shows by a stale version,
and the fight catches up. Nothing is reported before it is stored.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.dice.sources import SeededDice, new_seed
from fracas.encounters import by_itself, by_state, fold, throws, views
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.commands import decide
from fracas.encounters.events import (
    KNOWN,
    NOTHING_BEFORE,
    Event,
    History,
    Ranges,
    as_stored,
    digest,
    dumps,
    event_of,
    loads,
)
from fracas.encounters.fair_lock import FairLock
from fracas.encounters.fight import (
    SNAPSHOT_EVERY,
    Fight,
    after,
    deadlines,
    opened,
    snapshot_of,
)
from fracas.encounters.fight_tokens import FightTokens
from fracas.encounters.fights import rules_of
from fracas.encounters.records import KeyUse, NewEncounter, StoredEvent, new_salt
from fracas.encounters.schemas import load_command
from fracas.encounters.skirmishes import joins, skirmish_of
from fracas.encounters.store import Store
from fracas.encounters.tokens import Issued, author_of, issue
from fracas.engine.game import Games
from fracas.errors import (
    FracasError,
    InputError,
    KeyReusedError,
    KeyTakenError,
    RefusedError,
    StaleVersionError,
)
from fracas.kernel.readers import Progress

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


class Encounters(FightTokens):
    """All fights of a store.

    Args:
        now: the time in milliseconds since the epoch.
    """

    def __init__(self, games: Games, store: Store, now: Callable[[], int]) -> None:
        super().__init__(games, store, now)
        self._writing = FairLock()
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
        if game.packs.economy() is None:
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
        created = {
            "ruleset": game.ruleset.id,
            "title": title,
            "options": game.options(data["options"]),
            "economy": game.packs.economy(),
            "settings": settings,
            "packs": [[pack.manifest.id, pack.manifest.version] for pack in game.packs.packs],
            "commitment": SeededDice(seed).commitment,
        }
        by = {"role": "gm", "token": issued[0].token.id, "label": issued[0].token.label}
        event = Event(1, "created", KNOWN["created"], now, by, False, 0, created, NOTHING_BEFORE, new_salt())
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
        return views.encounter(fight, self.glossary(fight), self.game(fight).packs, viewer, facts)

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
        self._remember(id, events, (one.fight for one in made))
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
        event = as_stored(decide(context, load_command(body)))  # what is folded is what is stored
        then = after(context.rules, self.store, fight, event, self._stood.get(fight.id, ()))
        if (followed := by_state.with_follows(context, event, then.state)) is not event:
            event = as_stored(followed)
            then = after(context.rules, self.store, fight, event)
        found = by_itself.changes(context.rules, context.game.packs, event, fight.state, then.state)
        more: dict[str, Any] = {by_itself.CHANGES: found} if found else {}
        of = throws.thrown(event, fight.state, fight.history.draws)
        if of is not None:
            more[throws.THROW] = throws.kept(of, self._undone_throws(fight))
        data = {**event.data, **loads(dumps(more))} if more else event.data
        event = event._replace(data=data, previous=fight.head, salt=new_salt())
        then = then._replace(changes=by_itself.changes_in(event), head=digest(event.plain()))
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


def _passes_a_snapshot(before: int, version: int) -> bool:
    return version // SNAPSHOT_EVERY > before // SNAPSHOT_EVERY
