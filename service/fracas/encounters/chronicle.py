"""The log of a fight as Markdown: turn by turn, who did what, with all dice; what is undone stays, struck through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from fracas import __version__
from fracas.encounters import asking, by_itself, conversation, effects, fold, views, wording
from fracas.encounters.contests import CONTEST
from fracas.encounters.desk import Author
from fracas.encounters.events import Event, History
from fracas.encounters.fight import Fight
from fracas.encounters.glossary import NOTHING, Glossary, counted, fact, told
from fracas.encounters.state import Resolution, State, resolution_of
from fracas.encounters.wording import plain
from fracas.engine import report
from fracas.engine.game import Game
from fracas.exports.cards.card import label_of, value_text
from fracas.kernel.readers import ChoiceRecord, Progress, RollRecord
from fracas.kernel.stage import Decision
from fracas.kernel.turns import TurnRules

Data = Mapping[str, Any]
Lines = Iterator[str]

_MINOR = ("ones",)
"""Facts of a roll that its faces show anyhow."""


def written(game: Game, rules: TurnRules, fight: Fight, events: Sequence[Event], viewer: Author) -> str:
    """The log as a viewer may read it.

    Args:
        events: all of the fight, as they are stored.
    """
    return "\n".join(_Chronicle(game, rules, fight, events, viewer).lines()) + "\n"


class Passage(NamedTuple):
    """What an event was, as Markdown.

    Attributes:
        headings: of the turn and the slot that begin with it, with their marks.
        head, more: what happened, and how; struck out if it was undone.
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

    def lines(self) -> Lines:
        marks = f" *({', '.join(self.marks)})*" if self.marks else ""
        yield f"- **{self.version}** {self.head}{marks}"
        for line in self.more:
            yield f"  - {line}"


def passages(
    game: Game,
    rules: TurnRules,
    fight: Fight,
    events: Sequence[Event],
    viewer: Author,
    start: Fight | None = None,
) -> Iterator[Passage]:
    """The same event by event, as a viewer may read it.

    Args:
        start: the fight before the first of these events, none of which takes back or brings back anything; None
            where they are all of the fight.
    """
    return _Chronicle(game, rules, fight, events, viewer, start).passages()


class _Chronicle:
    def __init__(
        self,
        game: Game,
        rules: TurnRules,
        fight: Fight,
        events: Sequence[Event],
        viewer: Author,
        start: Fight | None = None,
    ) -> None:
        self._game = game
        self._rules = rules
        self._glossary = Glossary(game, rules)
        self._start = start
        self._fight = fight
        self._events = events
        self._viewer = viewer
        self._undone_by: dict[int, int] = {}
        self._walked_all = list(self._walked())
        self._names = {id: one.name for id, one in fight.state.combatants.items()}
        self._labels: dict[str, str] = {}

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
            else:
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
            yield f"- Seed: `{self._events[-1].data['seed']}`"
        else:
            yield "- Seed: told when the fight is closed"
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
            if not views.sees(self._viewer, state, id):
                continue
            conditions = ", ".join(plain(condition.label) for condition in effects.shown(one))
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
        part = f"{plain(words.part)} {state.part}: " if state.part else ""
        return f"{part}{who}" if who else f"{part}out of sight"

    # One event

    def _told(self, event: Event) -> bool:
        """The viewer may see what happened."""
        told = views.event(event, self._viewer, self._fight.state)
        return bool(told["type"] != views.HIDDEN)

    def _passage(self, event: Event, before: State, after: State, headings: tuple[str, ...]) -> Passage:
        told = views.event(event, self._viewer, self._fight.state)
        undone_by = self._undone_by.get(event.version, 0)
        if told["type"] == views.HIDDEN:
            return Passage(event.version, views.HIDDEN, event.at, headings, "*out of sight*", (), (), 0)
        head, *more = list(_WORDS[event.type](self, event, told["data"], before, after))
        more += [self._ended(one, before) for one in told["data"].get("ended", ())]
        more += self._by_itself(event, before, after)
        marks = [self._by(event)]
        if event.hidden:
            marks.append("hidden")
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

    def name(self, id: str, state: State | None = None) -> str:
        """What somebody is called, for whoever may know of him."""
        if not id:
            return "nobody"
        if not views.sees(self._viewer, self._fight.state, id):
            return "somebody"
        there = state.combatants.get(id) if state else None
        return plain(there.name if there else self._names.get(id, id))

    def _named(self, ids: Iterable[str], state: State) -> str:
        seen = [id for id in ids if views.sees(self._viewer, self._fight.state, id)]
        return " and ".join(self.name(id, state) for id in seen)

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
            yield f"{self.name(id, before)}: initiative entered, {self._facts(facts)}"
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

    def _by_itself(self, event: Event, before: State, after: State) -> Lines:
        """What changed with it and no effect names: what ends with a span, or with whoever drops out."""
        for who, kind, what, towards in by_itself.changes(self._rules, event, before, after):
            concerned = [id for id in towards if views.sees(self._viewer, self._fight.state, id)]
            if not views.sees(self._viewer, self._fight.state, who) or (towards and not concerned):
                continue
            name, label = self.name(who, after), plain(what)
            yield {
                by_itself.ENDS: f"{name}: {label} ends",
                by_itself.BEGINS: f"{name}: {label} begins",
                by_itself.OUT: f"{name} cannot act any more: {label}",
                by_itself.BACK: f"{name} can act again",
            }[kind]

    def _ended(self, one: Data, before: State) -> str:
        who = self.name(one["combatant"], before)
        return f"{who}: {plain(one['label'])} ends unfinished, {who} cannot act any more"

    def _price(self, data: Data) -> str:
        payment, skips = data["payment"], data.get("skips", 0)
        found = [plain(self._glossary.token(token, count)) for token, count in payment.items() if count]
        if skips:
            found.append(plain(counted(skips, f"coming {self._rules.words.slot}")))
        return f" ({', '.join(found)})" if found else ""

    def answered(self, event: Event, data: Data, before: State, after: State) -> Lines:
        step = data["steps"][0] if data["steps"] else {}
        one = before.resolutions.get(step.get("resolution", ""))
        whose = f"{self.name(one.actor, before)}: " if one else ""
        what = self._what(one, before) if one else "a question"
        late = ": nobody answered in time, so the default counts" if data["how"] == "timeout" else ""
        yield f"{whose}{what} goes on{late}"
        yield from self._steps(data["steps"], before)
        yield from self._effects(data.get("settled") or (), before)

    def _what(self, one: Resolution, before: State) -> str:
        """What a step is called: its action, the test of a contest, or the initiative roll."""
        if one.purpose == CONTEST and before.contest is not None:
            found = self._rules.contests.get(before.contest[CONTEST])
            return plain(found.label if found else before.contest[CONTEST])
        return self._label(one.action)

    def _label(self, action: str) -> str:
        """What an action was called when it was taken, or is called now."""
        label = self._labels.get(action) or (self._glossary.action(action) if action else "initiative roll")
        return plain(label)

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
        for name, value in data.get("fields", {}).items():
            yield f"{plain(self._glossary.field(name))}: {plain(self._glossary.value(value))}"
        if data.get("rolled"):
            yield f"initiative: {self._facts(data['rolled'])}"
        for name, value in data.get("is", {}).items():
            yield plain(self._setting(name, value))
        for name, known in data.get("items", {}).items():
            yield f"{plain(self._glossary.item(name))}: {self._facts(known)}"
        yield from self._effects(data.get("effects", ()), before)
        yield from self._steps(data.get("rolls", ()), before)

    def _setting(self, name: str, value: Any) -> str:
        """What the GM has changed about a combatant beside the sheet."""
        if name in _SETTINGS:
            return _SETTINGS[name][bool(value)]
        if name == "dice":
            return "rolls their own dice" if value == "hand" else "the service rolls their dice"
        if name == "skips":
            return f"gives up {counted(value, f'coming {self._rules.words.slot}')}"
        return f"is now called {value}" if name == "name" else f"is now on the side {value}"

    def _facts(self, known: Data) -> str:
        return plain(self._glossary.facts(known))

    def advanced(self, event: Event, data: Data, before: State, after: State) -> Lines:
        who = self._named(data["combatants"], before)
        if data.get("waits"):
            yield f"{self.name(data['waits'], before)} waits for the next {plain(self._rules.words.part)}"
        elif data.get("due"):
            timer = before.timers.get(data["due"])
            yield f"{plain(timer.label) if timer else 'what was due'} is over"
        elif not data["combatants"]:
            yield "nobody uses a delayed action any more"
        else:
            yield f"{who or 'somebody'} {'are' if len(data['combatants']) > 1 else 'is'} done"
        if after.phase == "turn-over":
            yield f"the {plain(self._rules.words.turn)} is over"

    def timeless(self, event: Event, data: Data, before: State, after: State) -> Lines:
        word = "undo" if event.type == "undone" else "redo"
        yield f"{word}: the fight is as after event {data['to']}"

    def closed(self, event: Event, data: Data, before: State, after: State) -> Lines:
        yield "the fight is closed, and the seed of its dice is told"

    # Steps

    def _steps(self, steps: Iterable[Data], state: State) -> Lines:
        for step in steps:
            opened = step.get("open")
            one = resolution_of(opened) if opened else state.resolutions.get(step["resolution"])
            if one is None:
                continue
            yield from self._step(one, step, state)

    def _step(self, one: Resolution, step: Data, state: State) -> Lines:
        who = f"{self.name(one.actor, state)}: " if one.purpose != "action" else ""
        if before := step.get("before"):
            reaction = f"{plain(before['label'])}{self._price(before)}"
            yield f"{self.name(before['combatant'], state)} reacts: {reaction}"
            yield from self._effects(before["effects"], state)
        elif step.get("reaction"):
            whom = (one.question or {}).get("owners", (one.target,))
            yield f"{self._named(whom, state)} does not react"
        if made := step.get("prepared"):
            one = one._replace(first=made["first"], tallies=tuple(made["tallies"]))
        if made or step.get("open"):
            yield from (f"{who}{self._tally(one, tally, state)}" for tally in one.tallies)
        yield from self._answers(one, step, state)
        if step.get("outcome") is not None:
            for id, facts in (step.get("rolled") or {}).items():
                known = {name: value for name, value in facts.items() if value not in NOTHING}
                yield f"{self.name(id, state)}: initiative: {self._facts(known)}"
            if one.purpose != "initiative":
                yield from (f"{who}{line}" for line in self._outcome(one, step, state))
            waits = "" if step["applied"] else "if applied: "
            yield from (f"{waits}{line}" for line in self._effects(step["effects"], state))
        if (question := step.get("question")) is not None and question["kind"] != "confirm":
            yield self._asked(one, question, state)

    def _tally(self, one: Resolution, tally: Data, state: State) -> str:
        """A number; of one among several people with the name in place of the record."""
        line = wording.tally(tally)
        for record, id in one.who.items():
            number = f"{label_of(record)}: "
            if line.startswith(number):
                return f"{self.name(id, state)}: {line.removeprefix(number)}"
        return line

    def _asked(self, one: Resolution, question: Data, state: State) -> str:
        seen = [id for id in question["owners"] if views.sees(self._viewer, self._fight.state, id)]
        verb = "are" if len(seen) > 1 else "is"
        text = asking.text(self._glossary, question, self._what(one, state), self.name(one.actor, state))
        return f"{self._named(seen, state) or 'somebody'} {verb} asked: {text}"

    def _outcome(self, one: Resolution, step: Data, state: State) -> Lines:
        """What an outcome says beyond its rolls, a line for each whom it concerns."""
        skip: set[str] = set()
        if one.first is not None:
            with suppress(Exception):  # begun by another version of Fracas: all facts are told
                progress = conversation.resumed(one.first, (*one.answers, *step["answers"]))
                rows = [
                    row
                    for record in progress.records
                    if isinstance(record, RollRecord)
                    for row in report.roll_rows(record)
                ]
                skip = {f"{row['label']}_{name}" for row in rows for name in row["result"]}
        lines: dict[str, list[str]] = {}
        for record, text in told(step["outcome"], frozenset(skip)):
            lines.setdefault(record, []).append(plain(text))
        for record, texts in lines.items():
            whose = self.name(one.who[record], state) if record in one.who else plain(label_of(record))
            yield f"{f'{whose}: ' if record else 'outcome: '}{', '.join(texts)}"

    def _answers(self, one: Resolution, step: Data, state: State) -> Lines:
        answers = step["answers"]
        question = step.get("question") or {}
        if not answers and question.get("kind") == "roll":
            for part in question["parts"]:
                if part["thrown"] is not None:
                    label = plain(asking.roll(part["label"], part["by"]))
                    yield f"{label} ({self.name(part['who'], state)}): {wording.faces(*part['thrown'])}"
        if one.first is None or not answers:
            return
        progress: Progress | None
        try:
            progress = conversation.resumed(one.first, one.answers)
        except Exception:  # begun by another version of Fracas: its dice are shown without their meaning
            progress = None
        for answer in answers:
            if progress is None:
                yield from _raw(answer)
                continue
            awaited = progress.stage.awaits
            progress = conversation.resumed(one.first, (*one.answers, answer))
            one = one._replace(answers=(*one.answers, answer))
            record = [found for found in progress.records if not _empty(found)][-1]
            if isinstance(record, RollRecord):
                yield from self._roll(one, record, answer[1], state)
            elif isinstance(awaited, Decision):
                yield self._choice(one, record, state)

    def _roll(self, one: Resolution, record: RollRecord, parts: Sequence[Any], state: State) -> Lines:
        for row, thrown in zip(report.roll_rows(record), parts, strict=True):
            who = self.name(one.who.get(row["by"], row["by"]), state)
            first, *more = ((name, value) for name, value in row["result"].items() if name not in _MINOR)
            facts = [fact(*first), *(fact(*one) for one in more if one[1] not in NOTHING)]
            result = plain(", ".join(facts))
            label = plain(asking.roll(row["label"], row["by"]))
            yield f"{label} ({who}): {plain(row['dice'])}: {wording.faces(*thrown)}; {result}"

    def _choice(self, one: Resolution, record: ChoiceRecord, state: State) -> str:
        decision, choice, how = record
        label = next((option.label for option in decision.options if option.id == choice), choice)
        who = self.name(one.who.get(decision.by, decision.by), state)
        told = {
            "policy": ", as decided in advance",
            "default": ", by default",
            "timeout": ", since time was over",
        }.get(how, "")
        return f"{who}: {plain(self._glossary.decision(decision.id))}? {plain(label)}{told}"

    # Effects

    def _effects(self, effects: Iterable[Data], state: State) -> Lines:
        for effect in effects:
            if effect["type"] == "remove-condition" and not _has(state, effect):
                continue  # whoever runs walks no more, whether they walked or not
            line = wording.effect(effect, self._glossary)
            yield f"{self.name(effect['who'], state)}: {line}"


_WORDS: Mapping[str, Callable[[_Chronicle, Event, Data, State, State], Lines]] = {
    "created": _Chronicle.created,
    "joined": _Chronicle.joined,
    "left": _Chronicle.left,
    "began-turn": _Chronicle.began,
    "rolled-initiative": _Chronicle.began,
    "acted": _Chronicle.acted,
    "delayed": _Chronicle.delayed,
    "intervened": _Chronicle.intervened,
    "answered": _Chronicle.answered,
    "contested": _Chronicle.contested,
    "applied": _Chronicle.applied,
    "discarded": _Chronicle.discarded,
    "bought": _Chronicle.bought,
    "set": _Chronicle.set_by_hand,
    "advanced": _Chronicle.advanced,
    "undone": _Chronicle.timeless,
    "redone": _Chronicle.timeless,
    "closed": _Chronicle.closed,
}


_ROLES = {"gm": "the GM", "player": "a player", "observer": "observers"}
_SETTINGS = {
    "player": ("is the GM's", "is a player's"),
    "hidden": ("can be seen", "is hidden"),
    "asks": ("is not asked for decisions", "is asked for decisions"),
    "done": ("has still to act", "has acted"),
}
"""By setting: what it is called when it is off, and on."""


def _has(state: State, effect: Data) -> bool:
    one = state.combatants.get(effect["who"])
    return one is not None and any(condition.slug == effect["what"] for condition in one.conditions)


def _on(value: Any) -> str:
    """The value of a house rule."""
    return ("on" if value else "off") if isinstance(value, bool) else value_text(value)


def _of(ranges: Iterable[tuple[int, int]]) -> set[int]:
    return {version for first, last in ranges for version in range(first, last + 1)}


def _in_slot(event: Event, before: State) -> bool:
    return before.phase == "slot" and event.type in ("acted", "delayed", "bought", "advanced", "answered")


def _place(state: State) -> tuple[Any, ...]:
    return state.turn, state.part, state.acting


def _empty(record: Any) -> bool:
    return isinstance(record, RollRecord) and not record.dealt.faces


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _raw(answer: Sequence[Any]) -> Lines:
    kind, *value = answer
    if kind == "r":
        yield from (f"dice: {wording.faces(*part)}" for part in value[0])
    else:
        yield f"choice: {plain(value[0])}"
