"""What a JSON Schema validator finds wrong with an entry, each fault reported once.

Of several rules that a value breaks only the most telling one is reported; and of a misspelt field neither that it is
missing, nor what follows from its being missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from fracas.packs.structure_wording import MAX_FAULTS, Error, Fault, Path, worded

_MOST_TELLING = (
    "wrong-type",
    "unknown-choice",
    "out-of-range",
    "too-short",
    "too-long",
    "wrong-form",
    "not-allowed",
    "too-few",
    "too-many",
    "double-item",
    "wrong-value",
)
"""Of the faults of one value only the first of these is reported."""

_TRIALS = 3
"""Misspelt fields of one entry of which it is tried out whether other faults follow from them."""

Validate = Callable[[Any], Iterable[Error]]
"""Finds the errors of a value by a closed form."""


def faults(validate: Validate, value: Any, inside: Path) -> list[Fault]:
    """The faults of a value that stands at `inside` in its file, unordered, and at most MAX_FAULTS + 1 of them."""
    found = _found(validate, value, inside)
    for misspelt in islice((fault for fault in found if fault.decides), _TRIALS):
        rest = _as_meant(validate, value, misspelt, inside)
        if len(rest) < len(found) - 1:
            return [misspelt, *rest]
    return found


def _as_meant(validate: Validate, value: Any, misspelt: Fault, inside: Path) -> list[Fault]:
    """The faults that would be left if a misspelt field were written as it was meant."""
    (meant,) = misspelt.names
    *way, key = misspelt.path[len(inside) :]
    there = (*misspelt.path[:-1], meant)
    return [
        fault._replace(path=(*misspelt.path, *fault.path[len(there) :]))
        if fault.path[: len(there)] == there
        else fault
        for fault in _found(validate, _renamed(value, way, key, meant), inside)
    ]


def _renamed(value: Any, way: Sequence[str | int], key: str | int, name: str) -> Any:
    """A copy in which a key of the mapping at the end of the way has another name."""
    if not way:
        return {name if known == key else known: part for known, part in value.items()}
    first, *rest = way
    changed = _renamed(value[first], rest, key, name)
    if isinstance(value, list):
        return [changed if at == first else item for at, item in enumerate(value)]
    return {**value, first: changed}


def _found(validate: Validate, value: Any, inside: Path) -> list[Fault]:
    seen: dict[Any, Fault] = {}
    for fault in _each_once(validate(value), inside):
        telling = fault.code in _MOST_TELLING
        key = (fault.path, fault.of_key) if telling else (fault.path, fault.code, fault.names)
        known = seen.get(key)
        if known is None or (telling and _rank(fault) < _rank(known)):
            seen[key] = fault
        if len(seen) > 2 * MAX_FAULTS:
            break
    found = list(seen.values())
    meant = {
        (fault.path[:-1], name) for fault in found if fault.code == "unknown-field" for name in fault.names
    }
    found = [
        fault
        for fault in found
        if fault.code != "missing-field" or not any((fault.path, name) in meant for name in fault.names)
    ]
    return found[: MAX_FAULTS + 1]


def _each_once(errors: Iterable[Error], inside: Path) -> Iterator[Fault]:
    """The faults that the errors stand for; jsonschema has one error for each missing field of the same list."""
    seen = set()
    for error in errors:
        if error.validator in ("required", "dependentRequired"):
            key = (tuple(error.absolute_path), id(error.validator_value))
            if key in seen:
                continue
            seen.add(key)
        yield from worded(error, inside)


def _rank(fault: Fault) -> int:
    return _MOST_TELLING.index(fault.code)
