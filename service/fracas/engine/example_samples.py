"""The samples of entries whose ruleset has none of its own: each procedure is tried with the examples of its fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fracas.engine.game import Game
from fracas.kernel.ruleset import Procedure, Sample, no_samples
from fracas.packs.entries import Entry


def samples_of(game: Game, entry: Entry) -> Sequence[Sample]:
    """The samples of an entry, as its ruleset has them; a ruleset without samples has those of the examples."""
    if game.ruleset.samples is not no_samples:
        return game.ruleset.samples(entry, game.packs)
    return [sample for one in game.ruleset.procedures.values() for sample in _by_examples(one, entry)]


def _by_examples(procedure: Procedure, entry: Entry) -> Iterator[Sample]:
    """The entry in each record that it may fill in. What it does not say itself is that of the examples too, since a
    procedure need not be for every entry of a kind."""
    given = _examples(procedure)
    for path, record in procedure.vocabulary.records.items():
        if record.entry_kind == entry.kind and not record.optional:
            rest = {name: value for name, value in given.get(path, {}).items() if name not in entry.data}
            yield Sample(procedure.id, {**given, path: {"use": entry.id, **rest}}, tentative=True)


def _examples(procedure: Procedure) -> dict[str, Any]:
    """A situation of all examples, without those of records that may be left out."""
    words = procedure.vocabulary
    situation: dict[str, Any] = {}
    for field in words.fields.values():
        *records, name = field.path.split(".")
        record = words.records.get(".".join(records))
        named = field.type in ("entry", "entries")
        if field.example is None or named or field.derived_from or (record and record.optional):
            continue
        at: Any = situation
        for part in records:
            at = at.setdefault(part, {})
        at[name] = list(field.example) if isinstance(field.example, (tuple, list)) else field.example
    return situation
