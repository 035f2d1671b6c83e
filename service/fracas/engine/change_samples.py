"""Changes of a combatant's numbers put to use: implants, drugs, traits, conditions and the like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from fracas.engine.game import Game
from fracas.engine.modifier_samples import Fault
from fracas.errors import InputError, suggestion
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.packs.entries import Entry

_WAYS = ("add", "set", "at_least")


class _Place(NamedTuple):
    """A field of a combatant or weapon, in one of the records that they fill in."""

    vocabulary: Vocabulary
    record: str
    field: Field


def change_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """``changes``: a value for each rating, and numbers that combatants may have.

    Penalties end at the least that a number can be; so one is too large only if it is so for everybody.
    """
    changes = entry.data.get("changes")
    if not isinstance(changes, list):
        return
    ratings = entry.data.get("ratings", 1)
    places = _places(game, "combatant")
    for at, change in enumerate(changes):
        if not isinstance(change, Mapping):
            continue
        for way in _WAYS:
            values = change.get(way)
            if values is None:
                continue
            if isinstance(values, list) and len(values) not in (1, ratings):
                yield Fault(entry, ("changes", at, way), "wrong-count", *_count_fault(values, entry))
            numbers = values if isinstance(values, list) else [values]
            if all(isinstance(number, int) for number in numbers):
                yield from _stat_faults(game, entry, at, way, change.get("stat"), numbers, places)


def _count_fault(values: list[Any], entry: Entry) -> tuple[str, str]:
    if "ratings" not in entry.data:
        return (
            f"there are {len(values)} values, and the entry has no ratings",
            "state 'ratings', or one value",
        )
    ratings = entry.data["ratings"]
    return f"there are {len(values)} values for {ratings} ratings", f"{ratings} values, or one for all"


def _stat_faults(
    game: Game,
    entry: Entry,
    at: int,
    way: str,
    stat: Any,
    numbers: list[int],
    places: Mapping[str, list[_Place]],
) -> Iterator[Fault]:
    """What is wrong with the numbers that ready-made combatants have after the change."""
    name, _, key = str(stat).partition(".")
    if name not in places or (key and places[name][0].field.type != "ratings"):
        return  # a number that procedures do not read
    field = places[name][0].field
    if not key and field.type not in ("whole", "number"):
        hint = f"write {name}.<name> for one of them" if field.type == "ratings" else None
        message = f"{stat} is no number of a combatant"
        yield Fault(entry, ("changes", at, "stat"), "wrong-type", message, hint)
        return
    if key and field.choices and key not in field.choices:
        message = f"{key!r} is not known in {name}"
        yield Fault(entry, ("changes", at, "stat"), "unknown-choice", message, suggestion(key, field.choices))
        return
    befores = {} if way == "set" else _numbers(game, name, key)
    for number in numbers:
        afters = {
            who: max(had, number) if way == "at_least" else had + number for who, had in befores.items()
        }
        afters = afters or ({} if way == "add" else {"it": number})
        high = [who for who, after in afters.items() if after > field.most]
        low = [who for who, after in afters.items() if after < field.least]
        if high or (low and len(low) == len(afters)):
            who = (high or low)[0]
            allowed = f"{field.least:g} to {field.most:g}"
            message = f"{stat} becomes {afters[who]} ({who}), and {allowed} is what a combatant may have"
            if who == "it":
                message = f"{stat} becomes {number}, and {allowed} is what a combatant may have"
            yield Fault(entry, ("changes", at, way), "out-of-range", message)
            return


def _numbers(game: Game, name: str, key: str) -> dict[str, int]:
    """The number that each ready-made combatant has, by slug; who does not say it is left out."""
    found = {}
    for combatant in game.packs.entries("combatant"):
        value = combatant.data.get(name)
        if key:
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, int):
            found[combatant.slug] = value
    return found


def state_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """``sets``: fields that combatants have (weapons, for ammunition), with values that they take; ``takes_from``:
    fields that they have."""
    if lists := entry.data.get("takes_from"):
        known = _places(game, "combatant")
        for at, name in enumerate(lists if known else ()):
            if name not in known:
                message = f"a combatant has no field {name!r}"
                yield Fault(entry, ("takes_from", at), "unknown-field", message, suggestion(name, known))
    sets = entry.data.get("sets")
    if not isinstance(sets, Mapping):
        return
    whose = "weapon" if entry.kind == "ammunition" else "combatant"
    places = _places(game, whose)
    if not places:
        return  # no procedure of the ruleset reads any yet
    for name, value in sets.items():
        if name not in places:
            message = f"a {whose} has no field {name!r}"
            yield Fault(entry, ("sets", name), "unknown-field", message, suggestion(name, places))
            continue
        refusals = [_refused(place, value, game) for place in places[name]]
        reasons = [reason for reason in refusals if reason is not None]
        if len(reasons) == len(refusals):
            yield Fault(entry, ("sets", name), *reasons[0])


def _refused(place: _Place, value: Any, game: Game) -> tuple[str, str, str | None] | None:
    """Why a field does not take a value; None if it does."""
    name = place.field.path.removeprefix(f"{place.record}.")
    situation: dict[str, Any] = {name: value}
    for record in reversed(place.record.split(".")):
        situation = {record: situation}
    try:
        place.vocabulary.parse(situation, game.packs)
    except InputError as error:
        problem = error.problems[0]
        return problem.code, f"{name}: {problem.message}", problem.hint
    return None


def _places(game: Game, kind: str) -> Mapping[str, list[_Place]]:
    """The fields that a request may say of a combatant or a weapon, by name."""
    return _places_in(tuple(sheet.vocabulary for sheet in game.sheets()), kind)


@cache
def _places_in(vocabularies: tuple[Vocabulary, ...], kind: str) -> Mapping[str, list[_Place]]:
    """Those of vocabularies, which are the same for a ruleset as long as the program runs."""
    found: dict[str, list[_Place]] = {}
    for vocabulary in vocabularies:
        for record in vocabulary.records.values():
            for name, field in vocabulary.fields_of(record.path).items():
                if record.entry_kind == kind:
                    found.setdefault(name, []).append(_Place(vocabulary, record.path, field))
    return found
