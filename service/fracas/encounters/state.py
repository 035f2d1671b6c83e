"""The state of a fight: what the fold of its events makes. Everything in it is JSON data or a tuple of such."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas._former_names import formerly
from fracas.kernel.stage import Fact
from fracas.space import Area, Point, Position


class Condition(NamedTuple):
    """A condition that a combatant is in, complete as its event reported it: packs may change, a fight does not.

    Attributes:
        sets, changes: fields of the sheet that have other values meanwhile.
        incapacitates, enables: it takes its owner out; it lets its owner act in spite of all that takes them out.
        ends: words of what ends it, beside its time.
        unit, until: when its time is over: ``turn`` and the number of the last turn; ``slots`` or ``parts`` and how
            many are left; "" for no time.
        then: conditions that follow, as data of `condition_of`; their turns are counted from the end of this one.
        by: slug of the action that brought it; "" for none.
        counterpart: slug of the condition in which the combatants that it concerns are towards its owner; it ends with
            that one.
        towards: ids of the combatants that it concerns, such as those who surprised one; empty where it concerns
            everybody.
        outlasts: slugs of actions that do not end it, although any other action does.
        item: the thing that it concerns, with which it was brought about; "" where it concerns none.
        leaves: fields of the sheet that have at least these values when its time is over.
        takes_from: lists of the sheet from which `item` is gone meanwhile: an implant that is switched off.
        covers: slugs of conditions that are not shown beside it.
        group: of several of one group the one that gives or takes most counts, and the others do nothing; "" for none.
        since, during: of one that takes its owner out: the turn in which it came, and who was acting then.
    """

    slug: str
    label: str
    sets: Mapping[str, Any] = {}
    changes: tuple[Mapping[str, Any], ...] = ()
    forbids: tuple[str, ...] = ()
    incapacitates: bool = False
    enables: bool = False
    stacks: bool = False
    ends: tuple[str, ...] = ()
    unit: str = ""
    until: int = 0
    then: tuple[Mapping[str, Any], ...] = ()
    by: str = ""
    towards: tuple[str, ...] = ()
    counterpart: str = ""
    outlasts: tuple[str, ...] = ()
    item: str = ""
    group: str = ""
    leaves: Mapping[str, int] = {}
    since: int = 0
    during: tuple[str, ...] = ()
    takes_from: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


class Timer(NamedTuple):
    """Something that will happen by itself: a fuse, a fire that goes on burning.

    Attributes:
        id: ``t`` and the version of the event that set it, and a number where one sets several.
        label: for people.
        action: slug of the action that it is, when its time has come.
        who, item: who takes that action, with what.
        situation: what was settled when it was set, nested as in a request.
        when: ``part`` (in a part, at a place in its order), ``turn-begin``, ``turn-end``, ``slot-end`` (as its
            owner's slot in that turn is over) or ``now`` (as the slot is over in which it was set).
        turn, part: when it is due; `part` counts for ``part`` only.
        rank: its place in the order of that part, as the ruleset understands it.
        lasting: slug of a condition; when `who` is no longer in it, nothing will happen. Of the same action of the
            same person only the latest is kept then. With ``not`` before it, nothing will happen when `who` is in
            it, or out; with ``not dead``, out in no other way. "" for what happens in any case.
        spot: where on the map it will happen; None where it is not known.
        happened: it is due, and its action is taken; it is gone as soon as the fight goes on.
    """

    id: str
    label: str
    action: str
    who: str
    item: str
    situation: Mapping[str, Any]
    when: str
    turn: int
    part: int = 0
    rank: int = 0
    lasting: str = ""
    spot: Mapping[str, float] | None = None
    happened: bool = False


class Combatant(NamedTuple):
    """A combatant in the fight.

    Attributes:
        side: who belongs together.
        player: belongs to a player.
        hidden: only the GM knows of it.
        asks: decisions are asked; otherwise they take their defaults.
        asks_reactions: the decisions by which it reacts to what is done to it are asked all the same.
        dice: who throws for it: ``service`` or ``hand``.
        sheet: fields as in a request, without what conditions do.
        conditions: in the order in which they came.
        items: by name, see `kernel.items`: slug of a pack entry, of a second one alike ``slug#2``.
        rolled: what its initiative roll gave.
        done, spent, skips, targets: see `kernel.intents.Participant`.
        marks: by word, each with its value and the span after which it goes.
        used: how often it took actions that are limited, by ``span:slug``.
        gone: it has left.
        position: where it is; None where it is not known.
    """

    id: str
    name: str
    side: str
    player: bool
    hidden: bool
    asks: bool
    dice: str
    sheet: Mapping[str, Any]
    conditions: tuple[Condition, ...] = ()
    items: Mapping[str, Mapping[str, Fact]] = {}
    rolled: Mapping[str, Fact] = {}
    done: bool = False
    spent: Mapping[str, int] = {}
    marks: Mapping[str, tuple[int, str]] = {}
    skips: int = 0
    targets: tuple[str, ...] = ()
    used: Mapping[str, int] = {}
    gone: bool = False
    asks_reactions: bool = False
    position: Position | None = None

    def decides(self, reaction: bool) -> bool:
        """Whether it is asked for a decision, of a reaction or of any other kind."""
        return self.asks or (reaction and self.asks_reactions)


@formerly(things="items")
class Resolution(NamedTuple):
    """A combat step under way, a conversation.

    Attributes:
        id: ``r`` and the version of the event that opened it, and a number where one event opens several.
        purpose: ``action``, ``initiative`` or ``contest``.
        actor, target, action, item: who does what to which target, with what; "" where there is none.
        counts_for: initiative: whose roll it is.
        items: records of weapons, each with the item that fills it in.
        holder: whose these are; "" for the actor.
        named: what else it is done with, such as a spell or a drug, by its record: the label.
        procedure: id of the procedure.
        who: the combatant behind each record of the procedure: ``{"attacker": "rook"}``.
        hidden: only the GM sees it.
        request: what it will be prepared from, while a reaction is awaited.
        first: the first stage as JSON; None before it is prepared.
        tallies, facts: the explanation of its numbers.
        answers: ``["r", faces, source, draw]`` and ``["c", choice, how]``, in order.
        question: what is asked now; None when it is over and its effects are applied.
        outcome, effects: of the end; effects name combatants.
        policies: choices taken in advance, as a command says them, also those whose question has come; they answer for
            those who have taken them.
        quiet: the actor is asked nothing.
        places: where it takes place, and what follows from that, see `placing`.
    """

    id: str
    purpose: str
    actor: str
    target: str
    action: str
    item: str
    counts_for: tuple[str, ...]
    procedure: str
    who: Mapping[str, str]
    hidden: bool
    request: Mapping[str, Any] | None
    first: Any
    tallies: tuple[Any, ...]
    facts: Mapping[str, Fact]
    answers: tuple[Any, ...] = ()
    question: Mapping[str, Any] | None = None
    outcome: Mapping[str, Any] | None = None
    effects: tuple[Mapping[str, Any], ...] = ()
    items: Mapping[str, str] = {}
    policies: tuple[Mapping[str, Any], ...] = ()
    quiet: bool = False
    holder: str = ""
    places: Mapping[str, Any] = {}
    named: Mapping[str, str] = {}


class State(NamedTuple):
    """A fight.

    Attributes:
        ruleset, title: what is played.
        options: house rules, complete.
        economy: as a pack's manifest states it.
        settings: see `commands.SETTINGS`.
        turn, part: counted from 1; turn 0 before the first.
        phase: ``setup`` (before the first turn), ``initiative`` (rolls are awaited), ``slot`` (a combatant acts),
            ``waiting`` (a part is over, but for those who delay), ``due`` (a timer has run down), ``turn-over``,
            ``closed``.
        acting: whose slot it is.
        together: those acting act at the same time.
        shielded: those of a slot of several who act at the same time: what the others do to them does not stop them.
        queue: slots that come before the order goes on.
        unopened: those who act, by id, as they were before their slot began.
        ended: in a turn that is over, the combatants that its end changed, by id, as they were before.
        areas: walls and zones of the map, by id.
        combatants, resolutions: by id, in order of arrival.
        timers: by id, in the order in which they were set.
        due: the timer that has run down; "" for none.
        contest: a test that several make, until all have thrown: ``contest``, its word, and ``results`` by combatant.
    """

    ruleset: str
    title: str
    options: Mapping[str, Any]
    economy: Mapping[str, Any]
    settings: Mapping[str, Any]
    turn: int = 0
    part: int = 0
    phase: str = "setup"
    acting: tuple[str, ...] = ()
    together: bool = False
    shielded: tuple[str, ...] = ()
    queue: tuple[tuple[str, ...], ...] = ()
    combatants: Mapping[str, Combatant] = {}
    resolutions: Mapping[str, Resolution] = {}
    timers: Mapping[str, Timer] = {}
    due: str = ""
    contest: Mapping[str, Any] | None = None
    unopened: Mapping[str, Combatant] = {}
    ended: Mapping[str, Combatant] = {}
    areas: Mapping[str, Area] = {}


LATER: Mapping[type, tuple[str, ...]] = {
    State: ("ended", "areas"),
    Combatant: ("position",),
    Resolution: ("places", "named"),
    Timer: ("spot", "happened"),
    Condition: ("covers",),
    Position: ("elevation", "size", "facing"),
    Point: ("elevation",),
    Area: tuple(Area._fields[2:]),
}
"""Fields that logs of earlier versions do not have, or of positions what is as usual: then they are left out."""

_STORED: Mapping[type, tuple[str, ...]] = {
    Resolution: tuple("things" if name == "items" else name for name in Resolution._fields)
}
"""Names under which fields are stored where they have changed since: logs keep their form."""

_PLAIN = frozenset((str, int, bool, float, type(None)))


def to_json(value: Any) -> Any:
    """A state as JSON data."""
    kind = type(value)
    if kind in _PLAIN:  # most of what there is, and telling whether something is a Mapping takes long
        return value
    if kind is dict:
        return {key: part if type(part) in _PLAIN else to_json(part) for key, part in value.items()}
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        if fields is not None:
            fields, later = _STORED.get(kind, fields), LATER.get(kind, ())
            usual = getattr(kind, "_field_defaults", {})
            return {
                name: part if type(part) in _PLAIN else to_json(part)
                for name, part in zip(fields, value, strict=True)
                if name not in later or part != usual.get(name)
            }
        return [part if type(part) in _PLAIN else to_json(part) for part in value]
    if kind is list:
        return [part if type(part) in _PLAIN else to_json(part) for part in value]
    if isinstance(value, Mapping):
        return {key: to_json(part) for key, part in value.items()}
    return value


def state_of(data: Mapping[str, Any]) -> State:
    """The state that `to_json` wrote."""
    combatants = {id: combatant_of(one) for id, one in data["combatants"].items()}
    resolutions = {id: resolution_of(one) for id, one in data["resolutions"].items()}
    more = {
        "acting": tuple(data["acting"]),
        "shielded": tuple(data["shielded"]),
        "queue": tuple(map(tuple, data["queue"])),
        "combatants": combatants,
        "resolutions": resolutions,
        "unopened": {id: combatant_of(one) for id, one in data.get("unopened", {}).items()},
        "ended": {id: combatant_of(one) for id, one in data.get("ended", {}).items()},
        "timers": {id: Timer(**one) for id, one in data.get("timers", {}).items()},
        "areas": {id: area_of(one) for id, one in data.get("areas", {}).items()},
    }
    return State(**{**data, **more})


def combatant_of(data: Mapping[str, Any]) -> Combatant:
    more: dict[str, Any] = {
        "conditions": tuple(map(condition_of, data.get("conditions", ()))),
        "marks": {word: (value, span) for word, (value, span) in data.get("marks", {}).items()},
        "targets": tuple(data.get("targets", ())),
    }
    if data.get("position"):
        more["position"] = Position(**data["position"])
    return Combatant(**{**data, **more})


_LISTS = ("changes", "forbids", "ends", "then", "towards", "outlasts", "during", "takes_from", "covers")


def condition_of(data: Mapping[str, Any]) -> Condition:
    more = {name: tuple(data[name]) for name in _LISTS if name in data}
    return Condition(**{**data, **more})


def resolution_of(data: Mapping[str, Any]) -> Resolution:
    tuples = ("counts_for", "tallies", "answers", "effects", "policies")
    known = {**data, **{name: tuple(data[name]) for name in tuples if name in data}}
    if "things" in known:
        known["items"] = known.pop("things")
    return Resolution(**known)


def opened(one: Resolution) -> dict[str, Any]:
    """A step of JSON data as the event has it that opens it."""
    found = dict(zip(_STORED[Resolution], one, strict=True))
    if not one.places:
        del found["places"]
    return found


def area_of(data: Mapping[str, Any]) -> Area:
    """The wall or zone that `to_json` wrote."""
    return Area(**{**data, "points": tuple(Point(**one) for one in data["points"])})
