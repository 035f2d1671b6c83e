"""What changes with an event beside the effects that it names: spans that end, bonds that break, people who drop out.

No effect reports these, because they follow from the state; the transcript reports them all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from fracas.encounters import order
from fracas.encounters.events import TIMELESS, Event
from fracas.encounters.state import Combatant, Condition, State
from fracas.kernel.turns import TurnRules

ENDS, BEGINS, OUT, BACK = "ends", "begins", "out", "back"


class Change(NamedTuple):
    """Something that changed for a combatant.

    Attributes:
        kind: `ENDS` or `BEGINS`, of a condition; `OUT` or `BACK`, of a combatant who cannot act any more, or can again.
        what: the label of the condition, or what takes its owner out; "" for `BACK`.
        towards: ids of the combatants that the condition concerns; empty where it concerns everybody.
    """

    who: str
    kind: str
    what: str
    towards: tuple[str, ...] = ()


def changes(rules: TurnRules, event: Event, before: State, after: State) -> Iterator[Change]:
    """What the event changed and does not name, in the order in which people joined."""
    if event.type in TIMELESS:
        return
    named = frozenset(_named(event.data))
    for id, one in after.combatants.items():
        was = before.combatants.get(id)
        if was is None or was is one or one.gone:
            continue
        found = list(_conditions(was, one, named))
        yield from found
        yield from _able(rules, before, after, was, one, {*named, *((id, each.what) for each in found)})


def _conditions(was: Combatant, one: Combatant, named: frozenset[tuple[str, str]]) -> Iterator[Change]:
    for kind, these, others in (ENDS, was, one), (BEGINS, one, was):
        left = Counter(each.slug for each in these.conditions)
        left.subtract(each.slug for each in others.conditions)
        by_slug: Mapping[str, Condition] = {each.slug: each for each in these.conditions}
        for slug, count in left.items():
            if count > 0 and (one.id, slug) not in named:
                yield Change(one.id, kind, by_slug[slug].label, by_slug[slug].towards)


def _able(
    rules: TurnRules, before: State, after: State, was: Combatant, one: Combatant, named: set[tuple[str, str]]
) -> Iterator[Change]:
    """Of combatants that are taken out by their sheet alone, and by no condition that is reported."""
    seen = [order.participant(rules, each, state.options) for each, state in ((was, before), (one, after))]
    if seen[0].able and not seen[1].able:
        why = order.why_unable(rules, one, seen[1])
        taking = {each.slug for each in one.conditions if each.incapacitates}
        if not any((one.id, slug) in named for slug in taking) and (one.id, why) not in named:
            yield Change(one.id, OUT, why)
    elif seen[1].able and not seen[0].able:
        yield Change(one.id, BACK, "")


def _named(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The conditions that an event's effects begin or end, with those whose they are."""
    for effect in _effects(data):
        if effect["type"] in ("add-condition", "remove-condition"):
            yield effect["who"], effect["what"]


def _effects(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from data.get("effects") or ()
    yield from data.get("settled") or ()
    pieces: Iterable[Any] = (data.get("step"), *data.get("steps", ()), *data.get("rolls", ()))
    for piece in pieces:
        if piece:
            yield from piece.get("effects") or ()
            yield from (piece.get("before") or {}).get("effects", ())
