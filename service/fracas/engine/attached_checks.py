"""Files of packs beside their entries, held against the rules: they name fields, tracks, conditions, procedures,
actions, decisions and house rules.

A name that nothing knows would be passed over in silence: a value that is never read, a bar that never moves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from fracas.engine.game import Game
from fracas.errors import Problem, suggestion
from fracas.kernel.needs import NAMED
from fracas.kernel.ruleset import Procedure
from fracas.kernel.vocabulary import Vocabulary
from fracas.packs.attached import FIGHTS, MAPPINGS, ROLL20, TACTICS
from fracas.packs.entries import Fault, FieldPath, Location, Pack
from fracas.packs.schemas import entry_kinds


class _Names(NamedTuple):
    """What may be named: what it is, who has it, the code of the fault if it is not there, and all that there are."""

    what: str
    owner: str
    code: str
    known: Collection[str]


_Named = tuple[FieldPath, str, _Names]
"""A place in a file, and the name that stands there as a key or a value."""


def attached_faults(game: Game, pack: Pack) -> Iterator[Fault]:
    """Names in the files of a pack beside its entries that its ruleset or the packs do not know."""
    for file, located in pack.attached.items():
        location, data = Location(located, ()), located.data
        if file == ROLL20:
            named = _of_roll20(data, game)
        elif file == TACTICS:
            named = _of_tactics(data, game)
        elif file == FIGHTS:
            named = _of_fights(data, game)
        elif not file.startswith(MAPPINGS):
            continue
        else:
            yield from _heads(
                pack, location, {"id": PurePosixPath(file).stem, "ruleset": pack.manifest.ruleset}
            )
            named = _of_mapping(data, game)
        for path, word, names in named:
            if word not in names.known:
                message = f"{names.owner} has no {names.what} {word!r}"
                place = location.text(path, of_key=str(path[-1]) == word.rpartition(".")[2])
                hint = suggestion(word, names.known)
                yield Fault(pack.id, Problem(place, names.code, message, hint))


def _heads(pack: Pack, location: Location, expected: Mapping[str, str]) -> Iterator[Fault]:
    """A mapping is found by its id, which the file is named by, and made for the ruleset of its pack."""
    for name, value in expected.items():
        found = location.located.data[name]
        if found != value:
            by = "the file is called so" if name == "id" else "the pack is for it"
            message = f"{name!r} must be {value!r}, not {found!r}: {by}"
            yield Fault(pack.id, Problem(location.text((name,)), f"wrong-{name}", message))


def _of_mapping(data: Mapping[str, Any], game: Game) -> Iterator[_Named]:
    """What a sheet mapping names."""
    tracks, conditions = _tracks(game), _conditions(game)
    for part in ("combatants", "weapons"):
        kind = part.removesuffix("s")
        fields = _Names(f"field of {part}", game.ruleset.id, "unknown-field", {*_fields(game, kind)})
        for at, sheet in enumerate(data[part]):
            for key in ("fields", "absent"):
                yield from (((part, at, key, field), field, fields) for field in sheet.get(key, ()))
        for at, field in enumerate(data.get("asks", {}).get(kind, ())):
            yield ("asks", kind, at), field, fields
        if kind == "combatant":
            for track, its in data["tracks"].items():
                yield ("tracks", track), track, tracks
                yield ("tracks", track, "field"), its["field"], fields
    for key in ("fleeting", "damage"):
        yield from (((key, at), track, tracks) for at, track in enumerate(data.get(key, ())))
    for key in ("conditions", "pictures"):
        yield from (((key, slug), slug, conditions) for slug in data.get(key, ()))
    if "defeated" in data:
        yield ("defeated",), data["defeated"], conditions


def _of_tactics(data: Mapping[str, Any], game: Game) -> Iterator[_Named]:
    """What tactics name."""
    known = _Names("tactics", "the file", "unknown-tactics", data["tactics"])
    yield ("default",), data["default"], known
    actions = _Names("action", game.ruleset.id, "unknown-reference", {*game.packs.names("action")})
    infos = [one for procedure in game.ruleset.procedures.values() for one in procedure.decisions]
    decisions = _Names("decision", game.ruleset.id, "unknown-decision", {one.id for one in infos})
    for id, one in data["tactics"].items():
        for key in ("first", "prefers", "last", "avoids"):
            yield from ((("tactics", id, key, at), slug, actions) for at, slug in enumerate(one.get(key, ())))
        for at, choice in enumerate(one.get("decisions", ())):
            path = ("tactics", id, "decisions", at)
            yield (*path, "decision"), choice["decision"], decisions
            options = {option for info in infos if info.id == choice["decision"] for option in info.options}
            yield (
                (*path, "choose"),
                choice["choose"],
                _Names("option", choice["decision"], "unknown-option", options),
            )


def _of_fights(data: Mapping[str, Any], game: Game) -> Iterator[_Named]:
    """What needs in the forms of every ruleset name, and what stands for what of a combatant."""
    field = _Names("field of combatants", game.ruleset.id, "unknown-field", {*_fields(game, "combatant")})
    known = {
        "condition": _conditions(game),
        "field": field,
        "house rule": _Names("house rule", game.ruleset.id, "unknown-option", game.house_rules),
    }
    own = game.ruleset.turns.need_forms if game.ruleset.turns else {}
    for need, data_of_need in data.get("needs", {}).items():
        for form, value in data_of_need.items():
            if form not in own:
                words = value if isinstance(value, list) else [value]
                for at, (word, what) in enumerate(zip(words, NAMED.get(form, ()), strict=False)):
                    path = ("needs", need, form, at) if isinstance(value, list) else ("needs", need, form)
                    yield path, str(word), known[what]
        likely = data_of_need.get("likely")
        if isinstance(likely, Mapping):
            yield ("needs", need, "likely", "anybody"), likely["anybody"], field
    for at, basic in enumerate(data.get("basics", ())):
        for key in ("fields", "instead"):
            yield from (
                (("basics", at, key, place), name, field) for place, name in enumerate(basic.get(key, ()))
            )
    everything = {path.rpartition(".")[2] for sheet in game.sheets() for path in sheet.vocabulary.fields}
    anywhere = _Names("field", game.ruleset.id, "unknown-field", everything)
    for name, others in data.get("stand_ins", {}).items():
        yield ("stand_ins", name), name, anywhere
        yield from ((("stand_ins", name, at), other, anywhere) for at, other in enumerate(others))


def _of_roll20(data: Mapping[str, Any], game: Game) -> Iterator[_Named]:
    """What a file for Roll20 names, and what its macros say."""
    for key, names in (("bars", _tracks(game)), ("markers", _conditions(game))):
        yield from (((key, name), name, names) for name in data.get(key, ()))
    procedures = _Names("procedure", game.ruleset.id, "unknown-procedure", game.ruleset.procedures)
    for at, macro in enumerate(data.get("macros", ())):
        yield ("macros", at, "procedure"), macro["procedure"], procedures
        procedure = game.ruleset.procedures.get(macro["procedure"])
        if procedure is not None:
            yield from _of_situation(macro["situation"], ("macros", at, "situation"), procedure)


def _of_situation(situation: Mapping[str, Any], inside: FieldPath, procedure: Procedure) -> Iterator[_Named]:
    words = procedure.vocabulary
    fields = _Names("field", procedure.id, "unknown-field", {*words.records, *words.fields})
    kinds = _Names("kind of entries", "a pack", "unknown-kind", {*entry_kinds().values()})
    for path, value in _given(situation, (), words):
        yield (*inside, *path), ".".join(map(str, path)), fields
        if isinstance(value, Mapping) and "entries" in value:
            yield (*inside, *path, "entries"), value["entries"], kinds


def _given(given: Mapping[str, Any], above: FieldPath, words: Vocabulary) -> Iterator[tuple[FieldPath, Any]]:
    """Each record and field of a situation with what is given of it, down to the fields."""
    for name, value in given.items():
        path = (*above, name)
        yield path, value
        if isinstance(value, Mapping) and "ask" not in value and ".".join(map(str, path)) in words.records:
            yield from _given(value, path, words)


def _fields(game: Game, kind: str) -> Iterable[str]:
    """The fields that requests may say of what entries of a kind fill in."""
    for sheet in game.sheets():
        for path, record in sheet.vocabulary.records.items():
            if record.entry_kind == kind:
                yield from sheet.vocabulary.fields_of(path)


def _tracks(game: Game) -> _Names:
    return _Names(
        "track", game.ruleset.id, "unknown-track", game.ruleset.turns.tracks if game.ruleset.turns else ()
    )


def _conditions(game: Game) -> _Names:
    faulty = (entry.slug for pack in game.packs.packs for entry in pack.left_out if entry.kind == "condition")
    known = {*game.packs.names("condition"), *faulty}
    return _Names("condition", game.ruleset.id, "unknown-reference", known)
