"""Chat cards of answers: callers that ask for ``cards`` get the answer in these forms as well.

What makes them is imported when it is needed: most processes that resolve a step make none, and start faster.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from marshmallow import fields, validate

from fracas.exports.cards import KNOWN
from fracas.kernel.ruleset import Procedure
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup, Input

if TYPE_CHECKING:
    from fracas.exports.cards.card import Points


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
    answer: dict[str, Any], caption: Caption, turns: TurnRules | None, wanted: Sequence[str]
) -> dict[str, Any]:
    """An answer of a request with its cards, if any are wanted; with the turns of its ruleset."""
    if not wanted:
        return answer
    from fracas.exports.cards.card import card_of
    from fracas.exports.cards.forms import forms

    card = card_of(answer, caption.title, caption.names, os.urandom(8).hex(), points(turns))
    return answer | {"cards": forms(card, wanted)}


def points(turns: TurnRules | None) -> Points:
    """What cards need to know of a ruleset's tracks; nothing of a ruleset without fights."""
    from fracas.exports.cards.card import Points

    tracks = turns.tracks if turns is not None else {}
    drained = frozenset(name for name, track in tracks.items() if track.mark < 0)
    return Points(drained, frozenset(name for name, track in tracks.items() if track.fleeting))
