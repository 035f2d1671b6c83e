"""Ready-made fights put to use: whether a request may contain the situations that they describe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.engine.game import Game
from fracas.engine.modifier_samples import Fault
from fracas.errors import InputError, suggestion
from fracas.packs.entries import Entry


def skirmish_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """``situation``: fields that the situation of some procedure has, with values that one of them takes."""
    situation = entry.data.get("situation")
    if entry.kind != "skirmish" or not isinstance(situation, Mapping):
        return
    sheets = game.sheets()
    known = {
        path
        for sheet in sheets
        for path, field in sheet.vocabulary.fields.items()
        if "." not in path and field.derived_from is None
    }
    for name, value in situation.items():
        if name not in known:
            message = f"no situation has a field {name!r}"
            yield Fault(entry, ("situation", name), "unknown-field", message, suggestion(name, known))
            continue
        refusals = []
        for vocabulary in (sheet.vocabulary for sheet in sheets if name in sheet.vocabulary.fields):
            try:
                vocabulary.parse({name: value}, game.packs)
                break
            except InputError as error:
                refusals.append(error.problems[0])
        else:
            yield Fault(entry, ("situation", name), *refusals[0][1:])
