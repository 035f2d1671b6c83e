"""The samples that a ruleset need not set up: an entry takes part in the packs' worked examples.

A procedure without a worked example is tried with the examples of its fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from fracas.engine.game import Game
from fracas.kernel.ruleset import Procedure, Sample, no_samples
from fracas.kernel.vocabulary import Vocabulary
from fracas.packs.entries import Entry

_STATES_OF = {"ammunition": "weapon"}
"""Whose fields an entry sets, by its kind; all others set those of combatants."""
_REFUSED = "refused"
_situations: WeakKeyDictionary[Game, Mapping[str, Mapping[str, Any]]] = WeakKeyDictionary()


def samples_of(game: Game, entry: Entry) -> Sequence[Sample]:
    """The samples of an entry: those of its ruleset, and the worked examples with it in them.

    A ruleset without samples has those of the examples alone, with the entry in each record that it may fill in. Of
    one with samples, combatants act in the procedures that their samples leave out, and what combatants and weapons
    have, such as traits, is named in these.
    """
    found = list(game.ruleset.samples(entry, game.packs))
    plain, tried = game.ruleset.samples is no_samples, {sample.procedure for sample in found}
    for procedure in game.ruleset.procedures.values():
        taking_part = _taking_part(game, procedure, entry)
        if plain:
            found += taking_part
        elif procedure.id not in tried:
            found += islice(taking_part if entry.kind == "combatant" else _named(game, procedure, entry), 1)
        found += _in_state(game, procedure, entry)
    return found


def _taking_part(game: Game, procedure: Procedure, entry: Entry) -> Iterator[Sample]:
    """The entry in each record. What it does not say itself is that of the example too, since a procedure need not be
    for every entry of a kind."""
    given = situation_of(game, procedure)
    for path, record in procedure.vocabulary.records.items():
        if record.entry_kind == entry.kind and not record.optional:
            rest = {name: value for name, value in _fields(given, path).items() if name not in entry.data}
            yield Sample(procedure.id, {**given, path: {**rest, "use": entry.id}}, tentative=True)


def _named(game: Game, procedure: Procedure, entry: Entry) -> Iterator[Sample]:
    """The entry as the only one in a list of its kind that people and weapons have, each in turn."""
    given = situation_of(game, procedure)
    for path, name in _lists_of(procedure.vocabulary, entry.kind):
        if path in given:
            with_it = {**given, path: {**_fields(given, path), name: [entry.id]}}
            yield Sample(procedure.id, with_it, tentative=True)


@cache
def _lists_of(vocabulary: Vocabulary, kind: str) -> tuple[tuple[str, str], ...]:
    """The fields of a vocabulary that are lists of such entries, by record and name."""
    return tuple(
        (path, name)
        for path in vocabulary.records
        for name, field in vocabulary.fields_of(path).items()
        if field.type == "entries" and field.entry_kind == kind
    )


def _in_state(game: Game, procedure: Procedure, entry: Entry) -> Iterator[Sample]:
    """What the entry sets, set of everybody, or of the weapon, who may have it."""
    sets, whose = entry.data.get("sets"), _STATES_OF.get(entry.kind, "combatant")
    if not isinstance(sets, Mapping):
        return
    given = situation_of(game, procedure)
    for path, record in procedure.vocabulary.records.items():
        fields = procedure.vocabulary.fields_of(path) if record.entry_kind == whose else ()
        state = {name: value for name, value in sets.items() if name in fields}
        if state and path in given:
            yield Sample(procedure.id, {**given, path: {**_fields(given, path), **state}}, tentative=True)


def _fields(situation: Mapping[str, Any], record: str) -> dict[str, Any]:
    found = situation.get(record, {})
    return dict(found) if isinstance(found, Mapping) else {"use": found}


def situation_of(game: Game, procedure: Procedure) -> Mapping[str, Any]:
    """That of the packs' worked example of a procedure that is possible and states the least, or else all examples of
    its fields."""
    known = _situations.get(game)
    if known is None:
        examples = [one.data for one in game.packs.entries("example")]
        requests = [one["request"] for one in examples if one["expect"].get("status") != _REFUSED]
        requests.sort(key=lambda request: -len(repr(request)))
        known = {one["procedure"]: one["situation"] for one in requests if "situation" in one}
        _situations[game] = known
    return known[procedure.id] if procedure.id in known else _of_fields(procedure)


def _of_fields(procedure: Procedure) -> dict[str, Any]:
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
