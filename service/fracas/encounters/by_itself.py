"""What an event changes, and why: conditions that begin and end, monitors, who drops out, and which side is beaten.

Effects name what a step or an action does. Much follows from the state alone: a span ends, a bond breaks, a time is
over. `changes` compares the fight before and after an event and names all of it, as data that the event keeps.
`wording.change` is the one place that puts it into words, for the transcript, the feed, views and cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from fracas.encounters import order, sides
from fracas.encounters.effects import SCHEDULE
from fracas.encounters.events import TIMELESS, Event
from fracas.encounters.linked_conditions import holds
from fracas.encounters.state import Combatant, Condition, State
from fracas.exports.cards.terms import label_of, lowered
from fracas.kernel.items import slug_of
from fracas.kernel.remembering import by_identity
from fracas.kernel.tracks import Job
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup
from fracas.space import distance, rounded

ENDS, BEGINS, OUT, BACK, POINTS, JOB = "ends", "begins", "out", "back", "points", "job"
"""Kinds of changes: a condition ends or begins; a combatant cannot act any more, or can again; a number of theirs is
another; a job of several actions goes on."""
MOVES = "moves"
"""A combatant is somewhere else on the map."""
SIDE_OUT, SIDE_BACK = "side-out", "side-back"
"""A side has nobody left who can fight, or has one again."""
BOND = "bond"
"""The cause of the end of what depended on another combatant."""
EFFECT = "effect"
"""The cause of what an effect of the event names: the event itself says why."""

OF_TIME = ("advanced", "began-turn")
"""Types of events that do nothing but let time pass."""

CHANGES = "changes"
"""Where an event keeps what it changed; events of earlier versions have none."""

Data = Mapping[str, Any]


class Why(NamedTuple):
    """Why something changed.

    Attributes:
        cause: a stable word.
        text: the cause as a clause, to stand in brackets; "" where the event says it.
        of: id of another combatant on which it depends; "" for none.
    """

    cause: str
    text: str = ""
    of: str = ""


def changes(rules: TurnRules, lookup: EntryLookup, event: Event, before: State, after: State) -> list[Data]:
    """What an event changed, in the order in which people joined: ``kind``, ``who``, ``what`` (a slug) with its
    ``label``, ``cause`` and ``why``, and where they apply ``of``, ``towards``, ``was`` and ``now``, or ``metres``.
    Where one of several alike conditions ends, ``now`` is how many are left.

    Conditions that effects begin, and points that effects mark, spend or give, are not among them: these effects name
    them.
    """
    if event.type in TIMELESS or event.type == "created":
        return []
    return list(_Comparison(rules, lookup, event, before, after).all())


def changes_in(event: Event) -> tuple[Data, ...]:
    """The changes that an event keeps."""
    return tuple(event.data.get(CHANGES, ()))


class _Comparison:
    """The fight before and after one event."""

    def __init__(
        self, rules: TurnRules, lookup: EntryLookup, event: Event, before: State, after: State
    ) -> None:
        self._rules, self._lookup, self._event = rules, lookup, event
        self._before, self._after = before, after
        effects = list(effects_of(event.data))
        self._conditions = {
            (one["who"], one["what"])
            for one in effects
            if one["type"] in ("add-condition", "remove-condition")
        }
        self._points = {(one["who"], one["what"]) for one in effects if one["type"] in _POINTS}
        self._follows = {(one["who"], one["what"]) for one in event.data.get("follows", ())}

    def all(self) -> Iterator[Data]:
        for id, one in self._after.combatants.items():
            was = self._before.combatants.get(id)
            if was is None or one.gone or (was is one and self._before.options is self._after.options):
                continue
            yield from self._of_position(was, one)
            conditions = list(self._of_conditions(was, one))
            yield from conditions
            yield from self._of_numbers(was, one, conditions)
            yield from self._of_jobs(was, one)
            yield from self._of_ability(was, one, conditions)
        yield from sides.changes(self._rules, self._before, self._after)

    # Positions

    def _of_position(self, was: Combatant, one: Combatant) -> Iterator[Data]:
        """Who moved, and how far: by their own way, or by the GM's word in a straight line."""
        if was.position == one.position:
            return
        if one.position is None or was.position is None:
            label = "is off the map" if one.position is None else "is placed on the map"
            yield _change(MOVES, one.id, "", label, Why("by-hand"))
            return
        own = self._event.data.get("moves", {}).get(one.id)
        metres = own["metres"] if own else rounded(distance(was.position, one.position))
        if not metres:
            return
        why = Why("movement") if own else Why("by-hand", "set by hand")
        label = f"moves {metres:g} m"
        if one.position.elevation != was.position.elevation:
            label += f", to {one.position.elevation:g} m above the ground"
        if own and own.get("through"):
            label += f", through {' and '.join(own['through'])}"
        yield {**_change(MOVES, one.id, "", label, why), "metres": metres}

    # Conditions

    def _of_conditions(self, was: Combatant, one: Combatant) -> Iterator[Data]:
        ended = _missing(was, one)
        for condition in ended:
            named = (one.id, condition.slug) in self._conditions
            why = Why(EFFECT) if named else self._why_ended(was, one, condition)
            change = _change(ENDS, one.id, condition.slug, condition.label, why, towards=condition.towards)
            left = sum(each.slug == condition.slug for each in one.conditions)
            yield {**change, "now": left} if left else change
        for condition in _missing(one, was):
            if (one.id, condition.slug) in self._conditions:
                continue
            why = self._why_begun(one, condition, ended)
            yield _change(BEGINS, one.id, condition.slug, condition.label, why, towards=condition.towards)

    def _why_begun(self, one: Combatant, condition: Condition, ended: Iterable[Condition]) -> Why:
        if (one.id, condition.slug) in self._follows:
            return Why("state", "the damage so far is enough for it")
        for other in ended:
            if any(data["slug"] == condition.slug for data in other.then):
                return Why("after", f"after {self._named(other)}")
        return self._of_event()

    def _why_ended(self, was: Combatant, one: Combatant, condition: Condition) -> Why:
        """Of several things that would have ended it, the first of these: its time is over, nobody is there any more
        that it binds, its owner drops out, what it was done with is put away, and what else happens then."""
        if (one.id, condition.slug) in self._follows:
            return Why("state", "the damage so far is no longer enough")
        timely = condition.unit and self._time_is_over(condition)
        if timely and condition.counterpart and self._event.type in OF_TIME:
            return Why("time", "its time is over")
        for other in condition.towards if condition.counterpart else ():
            there = self._after.combatants.get(other)
            if there is None or there.gone or not holds(there, condition, one.id):
                return Why(BOND, self._why_free(other, condition), other)
        moments = {self._rules.moments.get(word, "") for word in condition.ends}
        if "unable" in moments and not self._able(one, self._after):
            return Why("unable", "cannot act")
        if condition.item and one.items.get(condition.item, {}).get("ready") is False:
            return Why("item", f"{self._item(condition.item)} is not in hand")
        if timely:
            return Why("time", "its time is over")
        if not self._taken_by(one.id).isdisjoint(condition.ends):
            return Why("action")
        marked = [self._rules.tracks.get(what) for who, what in self._points if who == one.id]
        for moment in (*_LASTING, *(track.moment for track in marked if track and track.moment)):
            if moment in moments and (text := self._happened(moment, was, one)):
                return Why(moment, text)
        known = self._of_event()
        if not known.cause and (text := self._happened("own-slot-end", was, one)):
            return Why("own-slot-end", text)
        return known

    def _why_free(self, other: str, condition: Condition) -> str:
        """Why another is bound no longer, to stand after their name; "" where that is shown of them, too."""
        there = self._after.combatants.get(other)
        if there is None or there.gone:
            return "has left"
        if not self._able(there, self._after):
            return "cannot act"
        same = condition.counterpart == condition.slug
        return "" if same else f"is no longer {self._state(condition.counterpart)}"

    def _taken_by(self, id: str) -> set[str]:
        """The actions that the event is about: its own, and the reactions before its steps."""
        data = self._event.data
        befores = ((step or {}).get("before") or {} for step in (data.get("step"), *data.get("steps", ())))
        return {
            data.get("action", ""),
            *(before["action"] for before in befores if before.get("combatant") == id),
        }

    def _of_event(self) -> Why:
        """What the type of the event says of the cause."""
        data = self._event.data
        if data.get("reopens"):
            return Why("goes-on", f"the {self._rules.words.turn} goes on")
        if data.get("reorders"):
            return Why("goes-on", f"the {self._rules.words.slot} gives way")
        return Why("by-hand", "set by hand") if self._event.type == "set" else Why("")

    def _time_is_over(self, condition: Condition) -> bool:
        if condition.unit == "turn":
            return condition.until <= self._before.turn
        return condition.until <= 1

    def _happened(self, moment: str, was: Combatant, one: Combatant) -> str:
        """That a moment has come for a combatant, as a clause; "" if it has not."""
        words, before, after = self._rules.words, self._before, self._after
        turn_over = before.turn != after.turn or (
            after.phase == "turn-over" and before.phase not in ("turn-over", "setup")
        )
        if moment == "turn-end" and turn_over:
            return f"the {words.turn} is over"
        if moment == "part-end" and (turn_over or before.part != after.part):
            return f"the {words.part} is over"
        if moment == "own-slot" and (one.id in after.acting or self._slot_came(was, one)):
            return f"the next {words.slot} begins"
        goes_on = one.id in after.acting and self._event.type == "acted"
        ended = (
            (one.id in before.acting and not goes_on) or one.done or turn_over or self._slot_came(was, one)
        )
        if moment == "own-slot-end" and ended:
            return f"the {words.slot} is over"
        if moment in ("own-action", "other-action"):
            return "another action is taken"
        if moment == "mended":
            return "able again"
        return f"is {moment}" if moment not in _LASTING else ""

    def _slot_came(self, was: Combatant, one: Combatant) -> bool:
        return was.skips > one.skips or (one.done and not was.done)

    # Numbers

    def _of_numbers(self, was: Combatant, one: Combatant, conditions: Iterable[Data]) -> Iterator[Data]:
        if was.sheet == one.sheet and was.conditions is one.conditions:
            return  # numbers follow from these alone
        had = _numbers(self._rules, was, self._before.options, self._lookup)
        has = _numbers(self._rules, one, self._after.options, self._lookup)
        for track in {**had, **has}:
            label, new = has.get(track) or (had[track][0], 0)
            old = had[track][1] if track in had else 0
            if new == old or (one.id, track) in self._points:
                continue
            why = self._why_another(one, track, conditions)
            yield _change(POINTS, one.id, track, label, why, was=old, now=new)

    def _why_another(self, one: Combatant, track: str, conditions: Iterable[Data]) -> Why:
        if self._event.type == "set" and self._event.data["combatant"] == one.id:
            return Why("by-hand", "set by hand")
        for change in conditions:
            if change["kind"] == ENDS and change["cause"] == "time":
                return Why("after", f"after {change['label']}")
        known = self._rules.tracks.get(track)
        others = (who for who, what in self._points if what == track and who != one.id)
        if known and known.group and (other := next(others, "")):
            return Why("shared", "shared points", other)
        if self._event.type == "advanced":
            return Why("own-slot-end", f"the {self._rules.words.slot} is over")
        return Why("limit", "no more is possible")

    def _of_jobs(self, was: Combatant, one: Combatant) -> Iterator[Data]:
        """Jobs of several actions into which another action has gone."""
        if was.conditions is one.conditions and was.items is one.items:
            return
        had, has = self._jobs(was, self._before), self._jobs(one, self._after)
        for key, (label, job) in has.items():
            done = had[key][1].done if key in had else 0
            if job.done > done:
                reported = _change(JOB, one.id, key[0], label, Why(EFFECT), was=done, now=job.done)
                yield {**reported, "goal": job.of} if job.of is not None else reported

    def _jobs(self, one: Combatant, state: State) -> dict[tuple[str, str], tuple[str, Job]]:
        seen = order.participant(self._rules, one, state.options)
        found = {}
        for each in one.conditions:
            if (job := self._rules.job(seen, each.slug, each.item, self._lookup)) is not None:
                found[each.slug, each.item] = each.label, job
        return found

    # Who can act

    def _of_ability(self, was: Combatant, one: Combatant, conditions: Iterable[Data]) -> Iterator[Data]:
        """Of combatants that no condition takes out which is named already, but their sheet alone."""
        could, can = self._able(was, self._before), self._able(one, self._after)
        if could == can:
            return
        unable, state = (one, self._after) if could else (was, self._before)
        seen = order.participant(self._rules, unable, state.options)
        label = order.why_unable(self._rules, unable, seen)
        if can:
            yield _change(BACK, one.id, "", label, Why("state", f"no longer {label}"))
            return
        taking = {each.slug for each in one.conditions if each.incapacitates}
        begun = {each["what"] for each in conditions if each["kind"] == BEGINS}
        named = {what for who, what in self._conditions if who == one.id}
        if taking.isdisjoint(begun | named):
            yield _change(OUT, one.id, "", label, Why("state"))

    def _able(self, one: Combatant, state: State) -> bool:
        return order.participant(self._rules, one, state.options).able

    # Labels

    def _state(self, condition: str) -> str:
        """What a combatant with a condition is."""
        entry = self._lookup.entry("condition", condition)
        return str(entry.data.get("state") or lowered(entry.label)) if entry else label_of(condition)

    def _named(self, condition: Condition) -> str:
        """A condition after which another begins."""
        entry = self._lookup.entry("condition", condition.slug)
        return str((entry and entry.data.get("state")) or condition.label)

    def _item(self, item: str) -> str:
        entry = self._lookup.entry("weapon", slug_of(item))
        return getattr(entry, "label", "") or label_of(slug_of(item))


_LASTING = (
    *("turn-end", "part-end", "own-slot", "own-slot-end"),
    *("own-action", "other-action", "mended"),
)
"""Moments that end conditions, the surest first."""
_POINTS = ("mark", "spend", "gain")


@by_identity()
def _numbers(
    rules: TurnRules, one: Combatant, options: Mapping[str, Any], lookup: EntryLookup
) -> dict[str, tuple[str, int]]:
    """The label and the number of each track of a combatant. What an event leaves is what the next one begins with."""
    seen = order.participant(rules, one, options)
    found = {gauge.id: (gauge.label, gauge.value) for gauge in rules.gauges(seen, lookup)}
    for name, track in rules.tracks.items():
        if track.key and name not in found:
            number = (one.sheet.get(track.field) or {}).get(track.key, 0)
            found |= {name: (label_of(name), number)} if number else {}
    return found


def _change(
    kind: str,
    who: str,
    what: str,
    label: str,
    why: Why,
    towards: tuple[str, ...] = (),
    was: int | None = None,
    now: int | None = None,
) -> Data:
    reported: dict[str, Any] = {"kind": kind, "who": who, "what": what, "label": label}
    reported |= {"cause": why.cause, "why": why.text}
    more = {"of": why.of, "towards": list(towards)}
    reported |= {name: value for name, value in more.items() if value}
    return reported if was is None else {**reported, "was": was, "now": now}


def _missing(of: Combatant, there: Combatant) -> list[Condition]:
    """The conditions of a combatant that are not there any more; of several alike one for all that are gone."""
    if of.conditions is there.conditions:
        return []
    fewer = Counter(each.slug for each in of.conditions)
    fewer.subtract(each.slug for each in there.conditions)
    left = Counter((each.slug, each.towards) for each in there.conditions)
    found: dict[tuple[str, tuple[str, ...]], Condition] = {}
    for each in of.conditions:
        key = each.slug, each.towards
        left[key] -= 1
        if left[key] < 0 and fewer[each.slug] > 0:
            found[key] = each
    return list(found.values())


def effects_of(data: Data) -> Iterator[Data]:
    """The effects that an event carries out, the same condition once; conditions that follow from what combatants have
    become are among its changes."""
    begun: list[Data] = []
    for effect in _effects_of(data):
        if not begins_once(effect):
            yield effect
        elif effect not in begun:
            begun.append(effect)
            yield effect


def begins_once(effect: Data) -> bool:
    """Whether it begins a condition that does not stack."""
    return effect["type"] == "add-condition" and not effect["condition"].get("stacks")


def _effects_of(data: Data) -> Iterator[Data]:
    yield from data.get("effects") or ()
    yield from data.get("settled") or ()
    yield from (one for one in data.get("follows", ()) if one["type"] == SCHEDULE)
    pieces: Iterable[Any] = (data.get("step"), *data.get("steps", ()), *data.get("rolls", ()))
    for piece in pieces:
        if piece:
            yield from (piece.get("effects") or ()) if piece.get("applied") else ()
            yield from (piece.get("before") or {}).get("effects", ())
    if "purchase" in data:
        for what, amount in data["cost"]:
            yield {"type": "spend", "who": data["combatant"], "what": what, "amount": amount}


def seen(change: Data, sees: Callable[[str], bool], reads: Callable[[str], bool], gm: bool) -> Data | None:
    """A change as a viewer may know of it; None for one that they may not.

    Args:
        sees, reads: whether the viewer knows of a combatant, and may read their sheet.
    """
    if change["kind"] in (SIDE_OUT, SIDE_BACK):
        reported = {name: value for name, value in change.items() if name != "seen_by"}
        return reported if change["seen_by"] in ("all", "gm" if gm else "others") else None
    towards = [id for id in change.get("towards", ()) if sees(id)]
    if not sees(change["who"]) or (change.get("towards") and not towards):
        return None
    if change["kind"] == POINTS and not reads(change["who"]):
        return None
    reported = {name: value for name, value in change.items() if name not in ("towards", "of")}
    if towards:
        reported["towards"] = towards
    if of := change.get("of"):
        reported |= {"of": of} if sees(of) else {"why": ""}
    return reported
