"""Chat cards of answers: callers that ask for ``cards`` get the answer in these forms as well.

What makes them is imported when it is needed: most processes that resolve a step make none, and start faster.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from marshmallow import fields, validate

from fracas.exports.cards import KNOWN
from fracas.kernel.ruleset import Procedure, Ruleset
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup, Input

if TYPE_CHECKING:
    from fracas.exports.cards.changes import Points


def cards_field() -> fields.Field[Any]:
    """The field of a request that asks for cards."""
    known = fields.String(validate=validate.OneOf(KNOWN))
    reported = "Forms in which the answer is wanted besides: a card for the chat of a virtual tabletop."
    return fields.List(
        known, load_default=list, validate=validate.Length(max=len(KNOWN)), metadata={"description": reported}
    )


class Caption(NamedTuple):
    """What cards of a request need beside its answer: the title, and what its records are called."""

    title: str
    names: Mapping[str, str]


def caption_of(procedure: Procedure, given: Input, lookup: EntryLookup) -> Caption:
    """Records are called as the situation says, or as the entries of the packs that it uses."""
    from fracas.exports.cards.card import title_of

    found: dict[str, str] = {}
    records = procedure.vocabulary.records
    for record, id in given.used.items():
        entry = lookup.entry(records[record].entry_kind, id)
        if entry is not None:
            found[record] = entry.label
    for record in records:
        name = given.facts.get(f"{record}.name")
        if isinstance(name, str) and name.strip():
            found[record] = name
    people = [
        found[path] for path, record in records.items() if record.entry_kind == "combatant" and path in found
    ]
    return Caption(title_of(procedure.label, people), found)


def with_cards(
    answer: dict[str, Any],
    caption: Caption,
    ruleset: Ruleset,
    procedure: Procedure,
    wanted: Sequence[str],
    lookup: EntryLookup | None = None,
) -> dict[str, Any]:
    """An answer of a request with its cards, if any are wanted."""
    if not wanted:
        return answer
    from fracas.engine.summary import outcome_told
    from fracas.exports.cards.card import card_of
    from fracas.exports.cards.forms import forms

    known = points(ruleset.turns, procedure, lookup, answer.get("effects", ()))
    outcome_lines = outcome_told(
        ruleset, procedure, caption.names, answer.get("outcome", {}), answer.get("rolls", ())
    )
    mark = os.urandom(8).hex()
    card = card_of(answer, caption.title, caption.names, mark, known, came_of_it=outcome_lines)
    return answer | {"cards": forms(card, wanted)}


def points(
    turns: TurnRules | None,
    procedure: Procedure | None = None,
    lookup: EntryLookup | None = None,
    effects: Sequence[Mapping[str, Any]] = (),
) -> Points:
    """What cards need to know of a ruleset's tracks; nothing of a ruleset without fights.

    Args:
        procedure: whose decisions are named.
        lookup: where the labels of what begins and ends by ``effects`` are.
    """
    from fracas.exports.cards.changes import Points
    from fracas.exports.cards.terms import words

    tracks = turns.tracks if turns is not None else {}
    nouns = {name: track.noun for name, track in tracks.items() if track.noun}
    if turns is not None and lookup is not None:
        for what in {str(effect["what"]) for effect in effects} - tracks.keys():
            if item := turns.item_of_track(what):
                found = (lookup.entry(kind, item) for kind in ("weapon", "armor", "augmentation"))
                label = next((entry.label for entry in found if entry), words(item))
                nouns[what] = f"box of damage to the {label}"
    return Points(
        drained=frozenset(name for name, track in tracks.items() if track.mark < 0),
        fleeting=frozenset(name for name, track in tracks.items() if track.fleeting),
        nouns=nouns,
        burdens=frozenset(name for name, track in tracks.items() if track.burden),
        phrases={name: track.phrases for name, track in tracks.items() if track.phrases},
        called=dict(_called(lookup, effects)) if lookup is not None else {},
        decisions={one.id: one.label for one in procedure.decisions} if procedure is not None else {},
    )


_KINDS = {
    "add-condition": "condition",
    "remove-condition": "condition",
    "join": "combatant",
    "schedule": "action",
}
"""The kind of entry that an effect of a type names."""


def _called(lookup: EntryLookup, effects: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """What begins and ends by effects, as it stands in a sentence."""
    from fracas.exports.cards.terms import lowered

    for effect in effects:
        what = str(effect["what"])
        entry = lookup.entry(_KINDS[effect["type"]], what) if effect["type"] in _KINDS else None
        if entry is None:
            continue
        own = (effect.get("condition") or {}).get("label") or entry.label
        state = entry.data.get("state") if own == entry.label else None
        condition = _KINDS[effect["type"]] == "condition"
        yield what, str(state or lowered(own)) if condition else own
