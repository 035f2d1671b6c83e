"""The log of a fight as Markdown: turn by turn, who did what, with all dice; what is undone stays, struck through."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from fracas import __version__
from fracas.encounters import by_itself, effects, fold, sight, throws
from fracas.encounters.command_context import Author
from fracas.encounters.events import TIMELESS, Event, History
from fracas.encounters.fight import Fight
from fracas.encounters.state import State
from fracas.encounters.telling import Data, Lines, Telling
from fracas.encounters.wording import UNNAMED, plain
from fracas.engine.game import Game
from fracas.exports.cards.card import value_text
from fracas.exports.readable import counted
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
        start: the fight before the first of these events, none of which takes back or brings back anything; None
            where they are all of the fight.
        brief: without `Passage.more`, which of a test that hundreds make are thousands of lines.
    """
    return _Transcript(game, rules, fight, events, viewer, start, brief).passages()


class _Transcript(Telling):
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
        after: dict[int, State] = {}
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
        told = created.data
        yield f"# {plain(told['title'] or 'A fight')}"
        yield ""
        packs = plain(self._glossary.packs(told["packs"]))
        yield f"- Rules: {plain(self._game.ruleset.label)}, with the packs {packs}"
        usual = self._game.options({})
        house = {name: value for name, value in told["options"].items() if usual.get(name) != value}
        if house:
            rules = (f"{self._glossary.option(name)}: {_on(value)}" for name, value in house.items())
            yield f"- House rules: {plain(', '.join(rules))}"
        yield f"- Begun: {_time(created.at)}; last event: {_time(self._events[-1].at)}"
        yield f"- Written by Fracas {__version__}, as seen by {_ROLES.get(self._viewer.role, 'all')}"
        yield f"- Commitment of the dice (SHA-256 of the seed): `{told['commitment']}`"
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
            if _in_slot(event, before) and _place(before) != place and self._told(event):
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
        several = state.part > 1 or words.part != TurnRules.words.part  # who gives them no name has one
        part = f"{plain(words.part)} {state.part}: " if several and state.part else ""
        return f"{part}{who}" if who else f"{part}out of sight"

    # One event

    def _told(self, event: Event) -> bool:
        """The viewer may see what happened."""
        told = sight.event(event, self._viewer, self._fight.state)
        return bool(told["type"] != sight.HIDDEN)

    def _passage(self, event: Event, before: State, after: State, headings: tuple[str, ...]) -> Passage:
        told = sight.event(event, self._viewer, self._fight.state)
        undone_by = self._undone_by.get(event.version, 0)
        if told["type"] == sight.HIDDEN:
            return Passage(event.version, sight.HIDDEN, event.at, headings, "*out of sight*", (), (), 0)
        lines = _WORDS[event.type](self, event, told["data"], before, after)
        head, more = next(lines), [] if self._brief else list(lines)
        if not self._brief:
            more += [self._ended(one, before) for one in told["data"].get("ended", ())]
        changes = self._changes(event, before, after)
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

    # Kinds of events: the first line says what happened, the others how

    def created(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "the fight is created"

    def joined(self, event: Event, data: Data, before: State, after: State) -> Lines:
        one = data["combatant"]
        yield f"{plain(one['name'])} joins ({plain(one['side'])})"
        yield from self._effects(data.get("effects", ()), after)

    def left(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"{self.name(data['combatant'], before)} leaves"

    def began(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield (
            "initiative"
            if event.type != "began-turn"
            else f"{plain(self._rules.words.turn)} {after.turn} begins"
        )
        for id, facts in data["given"].items():
            known = {name: value for name, value in facts.items() if value != "none"}
            yield f"{self.name(id, before)}: initiative entered, {self._facts(known)}"
        yield from self._steps(data["rolls"], before)

    def acted(self, event: Event, data: Data, before: State, after: State) -> Lines:
        target, item = data.get("target") or "", data.get("item") or ""
        self._labels[data["action"]] = data["label"]
        text = f"{self.name(data['combatant'], before)}: {plain(data['label'])}"
        text += f" against {self.name(target, before)}" if target else ""
        text += f" with {plain(self._glossary.item(item))}" if item else ""
        yield text + self._price(data)
        if data.get("note"):
            yield f"note: {plain(data['note'])}"
        if data.get("judged"):
            yield f"for the GM to check: {', '.join(map(plain, data['judged']))}"
        if data.get("forced"):
            yield f"forced, although: {', '.join(map(plain, data['forced']))}"
        yield from self._effects(data["effects"], before)
        yield from self._steps([data["step"]] if data["step"] else [], before)

    def _changes(self, event: Event, before: State, after: State) -> Lines:
        """What it changed, in words."""
        for change in self._found(event, before, after):
            known = sight.known_change(change, self._viewer, self._fight.state)
            if known is not None:
                yield by_itself.sentence(known, lambda id: self.name(id, after), plain)

    def _found(self, event: Event, before: State, after: State) -> Sequence[Data]:
        """What an event changed; of one of an earlier version this is worked out."""
        told = by_itself.changes_in(event)
        return told or by_itself.changes(self._rules, self._game.packs, event, before, after)

    def _ended(self, one: Data, before: State) -> str:
        who = self.name(one["combatant"], before)
        return f"{who}: {plain(one['label'])} ends unfinished, {who} cannot act any more"

    def answered(self, event: Event, data: Data, before: State, after: State) -> Lines:
        step = data["steps"][0] if data["steps"] else {}
        one = before.resolutions.get(step.get("resolution", ""))
        whose = f"{self.name(one.actor, before)}: " if one else ""
        what = self._what(one, before) if one else "a question"
        late = ": no answer came in time, so the default counts" if data["how"] == "timeout" else ""
        yield f"{whose}{what}, answered{late}"
        yield from self._steps(data["steps"], before)
        yield from self._effects(data.get("settled") or (), before)

    def applied(self, event: Event, data: Data, before: State, after: State) -> Lines:
        one = before.resolutions[data["resolution"]]
        all_of_them = len(data["effects"]) == len(one.effects)
        which = "all effects" if all_of_them else f"{len(data['effects'])} of {len(one.effects)} effects"
        yield f"{self.name(one.actor, before)}: {self._label(one.action)}, {which} are applied"
        yield from self._effects(data["effects"], before)

    def discarded(self, event: Event, data: Data, before: State, after: State) -> Lines:
        one = before.resolutions[data["resolution"]]
        yield f"{self.name(one.actor, before)}: {self._label(one.action)} is given up"

    def contested(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield plain(data.get("label", data["contest"]))
        yield from self._steps(data["rolls"], before)
        yield from self._effects(data.get("settled") or (), before)

    def bought(self, event: Event, data: Data, before: State, after: State) -> Lines:
        cost = ", ".join(plain(self._glossary.points(what, amount)) for what, amount in data["cost"])
        yield f"{self.name(data['combatant'], before)}: {plain(data.get('label', data['purchase']))} for {cost}"

    def delayed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"{self.name(data['combatant'], before)} delays"

    def intervened(self, event: Event, data: Data, before: State, after: State) -> Lines:
        when = {"before": "before", "with": "together with", "after": "after"}.get(data["when"])
        whom = self._named(before.acting, before)
        yield f"{self.name(data['combatant'], before)} uses the delayed action" + (
            f" {when} {whom}" if when and whom else ""
        )

    def set_by_hand(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"{self.name(data['combatant'], before)} is changed by hand"
        watched = {self._rules.tracks[gauge].field for gauge in self._watched(event, before, after)}
        for name, value in data.get("fields", {}).items():
            if name in watched:  # which is among the changes
                continue
            yield f"{plain(self._glossary.field(name))}: {plain(self._glossary.value(value))}"
        if data.get("rolled"):
            yield f"initiative: {self._facts(data['rolled'])}"
        for name, value in data.get("is", {}).items():
            yield plain(self._setting(name, value))
        for name, known in data.get("items", {}).items():
            yield f"{plain(self._glossary.item(name))}: {self._facts(known)}"
        yield from self._effects(data.get("effects", ()), before)
        yield from self._steps(data.get("rolls", ()), before)

    def placed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        who = self._named(data["positions"], after)
        yield f"the GM says where {who or 'somebody'} {'are' if len(data['positions']) > 1 else 'is'}"

    def moved(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"{self._named(data['moves'], before) or 'somebody'} {'move' if len(data['moves']) > 1 else 'moves'}"
        for id, one in data["moves"].items():
            if one["taken"] != one["metres"]:
                yield f"{self.name(id, before)}: difficult ground, it takes {one['taken']:g} m"
        if data.get("forced"):
            yield f"forced, although: {', '.join(map(plain, data['forced']))}"

    def mapped(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "the map changes"
        for id, one in data["areas"].items():
            known = after.areas.get(id) or before.areas.get(id)
            verb = "is removed" if one is None else "is another" if id in before.areas else "is added"
            yield f"{plain((known.label if known else '') or id)} {verb}"

    def ruled(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "house rules change"
        for id, value in data["options"].items():
            label, was = self._glossary.option(id), _on(before.options.get(id))
            yield f"{label}: {_on(value)}, was {was}"

    def _watched(self, event: Event, before: State, after: State) -> Lines:
        """The tracks of numbers that have changed."""
        whose, found = event.data["combatant"], self._found(event, before, after)
        yield from (one["what"] for one in found if one["kind"] == by_itself.POINTS and one["who"] == whose)

    def _setting(self, name: str, value: Any) -> str:
        """What the GM has changed about a combatant beside the sheet."""
        if name in _SETTINGS:
            return _SETTINGS[name][bool(value)]
        if name == "dice":
            return "rolls their own dice" if value == "hand" else "the service rolls their dice"
        if name == "skips":
            return f"gives up {counted(value, f'coming {self._rules.words.slot}')}"
        return f"is now called {value}" if name == "name" else f"is now on the side {value}"

    def advanced(self, event: Event, data: Data, before: State, after: State) -> Lines:
        who = self._named(data["combatants"], before)
        if data.get("waits"):
            yield f"{self.name(data['waits'], before)} waits for the next {plain(self._rules.words.part)}"
        elif data.get("due"):
            timer = before.timers.get(data["due"])
            yield f"{plain(timer.label) if timer else 'what was due'} is over"
        elif not data["combatants"]:
            yield "no delayed action is used any more"
        else:
            yield f"{who or UNNAMED} {'are' if len(data['combatants']) > 1 else 'is'} done"
        if after.phase == "turn-over":
            yield f"the {plain(self._rules.words.turn)} is over"

    def timeless(self, event: Event, data: Data, before: State, after: State) -> Lines:
        word = "undo" if event.type == "undone" else "redo"
        yield f"{word}: the fight is as after event {data['to']}"

    def contributed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"adds to what the dice come from: {plain(data['entropy'])}"

    def reseeded(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield f"the dice come from another seed from now on: {plain(data['reason'])}"
        yield f"commitment of the dice (SHA-256 of the seed): `{data['commitment']}`"

    def closed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "the fight is closed, and the seed of its dice is disclosed"


_WORDS: Mapping[str, Callable[[_Transcript, Event, Data, State, State], Lines]] = {
    "created": _Transcript.created,
    "joined": _Transcript.joined,
    "left": _Transcript.left,
    "began-turn": _Transcript.began,
    "rolled-initiative": _Transcript.began,
    "acted": _Transcript.acted,
    "delayed": _Transcript.delayed,
    "intervened": _Transcript.intervened,
    "answered": _Transcript.answered,
    "contested": _Transcript.contested,
    "applied": _Transcript.applied,
    "discarded": _Transcript.discarded,
    "bought": _Transcript.bought,
    "set": _Transcript.set_by_hand,
    "placed": _Transcript.placed,
    "moved": _Transcript.moved,
    "mapped": _Transcript.mapped,
    "ruled": _Transcript.ruled,
    "advanced": _Transcript.advanced,
    "undone": _Transcript.timeless,
    "redone": _Transcript.timeless,
    "contributed": _Transcript.contributed,
    "reseeded": _Transcript.reseeded,
    "closed": _Transcript.closed,
}


_ROLES = {"gm": "the GM", "player": "a player", "observer": "observers"}
_SETTINGS = {
    "player": ("is the GM's", "is a player's"),
    "hidden": ("can be seen", "is hidden"),
    "asks": ("is not asked for decisions", "is asked for decisions"),
    "asks_reactions": ("is not asked about reactions", "is asked about reactions"),
    "done": ("has still to act", "has acted"),
}
"""By setting: what it is called when it is off, and on."""


def _on(value: Any) -> str:
    """The value of a house rule."""
    return ("on" if value else "off") if isinstance(value, bool) else value_text(value)


def _of(ranges: Iterable[tuple[int, int]]) -> set[int]:
    return {version for first, last in ranges for version in range(first, last + 1)}


def _in_slot(event: Event, before: State) -> bool:
    return before.phase == "slot" and event.type in ("acted", "delayed", "bought", "advanced", "answered")


def _place(state: State) -> tuple[Any, ...]:
    return state.turn, state.part, state.acting


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
