"""The log of a fight as Markdown: turn by turn, who did what, with all dice; what is undone stays, struck through."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from fracas import __version__
from fracas.encounters import effects, fold, sight, throws
from fracas.encounters.command_context import Author
from fracas.encounters.event_lines import EventLines
from fracas.encounters.events import TIMELESS, Event, History
from fracas.encounters.fight import Fight
from fracas.encounters.state import State
from fracas.encounters.telling import Lines
from fracas.encounters.wording import plain
from fracas.engine.game import Game
from fracas.kernel.turns import TurnRules


def written(game: Game, rules: TurnRules, fight: Fight, events: Sequence[Event], viewer: Author) -> str:
    """The log as a viewer may read it.

    Args:
        events: all of the fight, as they are stored.
    """
    return "\n".join(_Transcript(game, rules, fight, events, viewer).lines()) + "\n"


class Passage(NamedTuple):
    """What an event was, as Markdown.

    Attributes:
        headings: of the turn and the slot that begin with it, with their marks.
        head, more: what happened, and how; struck out if it was undone.
        changes: what it changed for people, see `by_itself`.
        marks: who did it, and whether it was hidden or undone.
        undone_by: the version of the event that took it back; 0 for none.
    """

    version: int
    type: str
    at: int
    headings: tuple[str, ...]
    head: str
    more: tuple[str, ...]
    marks: tuple[str, ...]
    undone_by: int
    changes: tuple[str, ...] = ()

    def lines(self) -> Lines:
        marks = f" *({', '.join(self.marks)})*" if self.marks else ""
        yield f"- **{self.version}** {self.head}{marks}"
        for line in (*self.more, *self.changes):
            yield f"  - {line}"


def passages(
    game: Game,
    rules: TurnRules,
    fight: Fight,
    events: Sequence[Event],
    viewer: Author,
    start: Fight | None = None,
    brief: bool = False,
) -> Iterator[Passage]:
    """The same event by event, as a viewer may read it.

    Args:
        start: the fight before the first of these events, which take back or bring back nothing older; None
            where they are all of the fight.
        brief: without `Passage.more`, which of a test that hundreds make are thousands of lines.
    """
    return _Transcript(game, rules, fight, events, viewer, start, brief).passages()


class _Transcript(EventLines):
    def __init__(
        self,
        game: Game,
        rules: TurnRules,
        fight: Fight,
        events: Sequence[Event],
        viewer: Author,
        start: Fight | None = None,
        brief: bool = False,
    ) -> None:
        super().__init__(game, rules, fight, viewer)
        self._start, self._brief = start, brief
        self._events = events
        self._undone_by: dict[int, int] = {}
        self._walked_all = list(self._walked())

    def _walked(self) -> Iterator[tuple[Event, State, State]]:
        """Each event with the states before and after it."""
        history, state = (
            (History(), fold.NOTHING) if self._start is None else (self._start.history, self._start.state)
        )
        after = {history.past[-1][1]: state} if history.past else {}
        for event in self._events:
            before, past, history = state, history.past, history.after(event)
            if event.type == "undone":
                gone = _of(past) - _of(history.past)
                self._undone_by |= dict.fromkeys(gone, event.version)
            elif event.type == "redone":
                for version in _of(history.past):
                    self._undone_by.pop(version, None)
            elif event.type not in TIMELESS:
                after[event.version] = fold.apply(self._rules, before, event)
            state = after[history.past[-1][1]]
            yield event, before, state

    # The whole

    def lines(self) -> Lines:
        created, state, words = self._events[0], self._fight.state, self._rules.words
        reported = created.data
        yield f"# {plain(reported['title'] or 'A fight')}"
        yield ""
        packs = plain(self._glossary.packs(reported["packs"]))
        yield f"- Rules: {plain(self._game.ruleset.label)}, with the packs {packs}"
        usual = self._game.options({})
        house = {name: value for name, value in reported["options"].items() if usual.get(name) != value}
        if house:
            glossary = self._glossary
            rules = (f"{glossary.option(id)}: {glossary.setting(id, value)}" for id, value in house.items())
            yield f"- House rules: {plain(', '.join(rules))}"
        yield f"- Begun: {_time(created.at)}; last event: {_time(self._events[-1].at)}"
        yield f"- Written by Fracas {__version__}, as seen by {_ROLES.get(self._viewer.role, 'all')}"
        yield f"- Commitment of the dice (SHA-256 of the seed): `{reported['commitment']}`"
        if state.phase == "closed":
            last = self._events[-1].data
            for seed in last.get("former", ()):
                yield f"- Seed before another took its place: `{seed}`"
            yield f"- Seed: `{last['seed']}`"
        else:
            yield "- Seed: disclosed when the fight is closed"
        if sight.sees_draws(self._viewer, state):
            yield f"- Draws of dice: {self._fight.history.draws}"
        yield ""
        yield from self._cast(state)
        yield from ("", f"## Before the first {plain(words.turn)}", "")
        for passage in self.passages():
            for heading in passage.headings:
                yield from ("", heading, "")
            yield from passage.lines()

    def passages(self) -> Iterator[Passage]:
        """All events in order, each with what is new of its place in the fight."""
        place: tuple[Any, ...] = ()
        turn, words = self._start.state.turn if self._start else 0, self._rules.words
        for event, before, after in self._walked_all:
            struck = event.version in self._undone_by
            headings = []
            if event.type == "began-turn":
                turn = after.turn
                headings.append(self._struck(f"## {plain(words.turn)} {turn}", struck))
            elif before.turn != turn:
                turn = before.turn
                headings.append(f"## {plain(words.turn)} {turn}, again")
            if _in_slot(event, before) and _place(before) != place and self._is_seen(event):
                place = _place(before)
                headings.append(f"### {self._slot(before)}")
            yield self._passage(event, before, after, tuple(headings))

    def _cast(self, state: State) -> Lines:
        """Who took part, as they are at the end."""
        yield "## Combatants"
        yield ""
        yield "| Name | Side | Played by | At the end |"
        yield "| --- | --- | --- | --- |"
        for id, one in state.combatants.items():
            if not sight.sees(self._viewer, state, id):
                continue
            labels = Counter(condition.label for condition in effects.shown(one))
            times = (f"{plain(label)} ({n} times)" if n > 1 else plain(label) for label, n in labels.items())
            conditions = ", ".join(times)
            notes = [conditions, "has left" if one.gone else "", "hidden" if one.hidden else ""]
            cells = (
                plain(one.name),
                plain(one.side),
                "a player" if one.player else "the GM",
                "; ".join(filter(None, notes)),
            )
            yield f"| {' | '.join(cells)} |"

    def _slot(self, state: State) -> str:
        words, who = self._rules.words, self._named(state.acting, state)
        named = words.part != TurnRules.words.part  # who gives them no name has one
        several = state.part > 1 or (named and self._rules.has_parts(state.options))
        part = f"{plain(words.part)} {state.part}: " if several and state.part else ""
        return f"{part}{who}" if who else f"{part}out of sight"

    # One event

    def _is_seen(self, event: Event) -> bool:
        """The viewer may see what happened."""
        reported = sight.event(event, self._viewer, self._fight.state)
        return bool(reported["type"] != sight.HIDDEN)

    def _passage(self, event: Event, before: State, after: State, headings: tuple[str, ...]) -> Passage:
        reported = sight.event(event, self._viewer, self._fight.state)
        undone_by = self._undone_by.get(event.version, 0)
        if reported["type"] == sight.HIDDEN:
            return Passage(event.version, sight.HIDDEN, event.at, headings, "*out of sight*", (), (), 0)
        lines = self.lines_of(event, reported["data"], before, after)
        head, more = next(lines), [] if self._brief else list(lines)
        if not self._brief:
            more += [self.ended(one, before) for one in reported["data"].get("ended", ())]
            more += self.follows(reported["data"], after)
        changes = self.changes(event, before, after)
        marks = [self._by(event)]
        if event.hidden:
            marks.append("hidden")
        again = throws.kept_in(event)
        if again is not None and again[1] > 1:
            marks.append(f"{throws.called(event)} thrown {again[1]} times")
        if undone_by:
            marks.append(f"undone by {undone_by}")
        return Passage(
            event.version,
            event.type,
            event.at,
            headings,
            self._struck(head, bool(undone_by)),
            tuple(self._struck(line, bool(undone_by)) for line in more),
            tuple(marks),
            undone_by,
            tuple(self._struck(line, bool(undone_by)) for line in changes),
        )

    @staticmethod
    def _struck(text: str, struck: bool) -> str:
        if not struck:
            return text
        start = re.match(r"#+ ", text)
        return f"{start[0]}~~{text[start.end() :]}~~" if start else f"~~{text}~~"

    @staticmethod
    def _by(event: Event) -> str:
        role, label = event.by.get("role", ""), event.by.get("label", "")
        if role == "clock":
            return "time was over"
        return plain(label or role)


_ROLES = {"gm": "the GM", "player": "a player", "observer": "observers"}


def _of(ranges: Iterable[tuple[int, int]]) -> set[int]:
    return {version for first, last in ranges for version in range(first, last + 1)}


def _in_slot(event: Event, before: State) -> bool:
    return before.phase == "slot" and event.type in ("acted", "delayed", "bought", "advanced", "answered")


def _place(state: State) -> tuple[Any, ...]:
    return state.turn, state.part, state.acting


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
