"""Declaring fields: a record's fields by their names, each with what its type allows.

::

    fields(
        "weapon",
        rc=whole("Recoil compensation", "Always there.", most=50),
        modes=words("Firing modes", choices=MODES),
        silenced=flag("Silenced", default=False),
    )

`vocabulary` makes the words of a procedure of such groups and their records.

`fracas.kernel.field.Field` describes what a field has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypedDict, TypeVar, Unpack

from fracas.kernel.field import Field, Type
from fracas.kernel.vocabulary import Record, Vocabulary

__all__ = [
    "Declared",
    "choice",
    "distinct",
    "entries",
    "entry",
    "fields",
    "flag",
    "metres",
    "number",
    "person",
    "ratings",
    "text",
    "vocabulary",
    "whole",
    "words",
]

Declared = Callable[[str], Field]
"""A field that awaits its path."""


def fields(*records: str, **declared: Declared) -> tuple[Field, ...]:
    """The fields of a record in their order, or of each of several records that have the same.

    Args:
        records: their paths, such as ``attacker``; "" for the fields of the situation itself.
    """
    return tuple(
        of(f"{record}.{name}" if record else name) for record in records for name, of in declared.items()
    )


def distinct(*groups: Iterable[Field]) -> tuple[Field, ...]:
    """All fields of these groups; of several with one path the first counts, such as skills that an attack and a test
    both read."""
    found: dict[str, Field] = {}
    for group in groups:
        for field in group:
            found.setdefault(field.path, field)
    return tuple(found.values())


def person(
    path: str,
    label: str,
    doc: str = "A combatant of the packs, or fields of one, or both.",
    *,
    optional: bool = False,
    helps: bool = False,
) -> Record:
    """The record of a combatant."""
    return Record(path, label, "combatant", doc, optional, helps)


def vocabulary(*parts: Record | Field | Iterable[Field]) -> Vocabulary:
    """The vocabulary of these records and fields, in any order: a record stands best before its own fields.

    Of several fields with one path the first counts, see `distinct`.
    """
    records = [part for part in parts if isinstance(part, Record)]
    groups = [(part,) if isinstance(part, Field) else part for part in parts if not isinstance(part, Record)]
    return Vocabulary(records, distinct(*groups))


_T = TypeVar("_T")


class _More(TypedDict, Generic[_T], total=False):
    """What most types of fields may have besides, see `kernel.field.Field`."""

    required: str
    derived_from: str | None
    example: _T | None
    in_scene: bool
    default: _T | None
    renamed_from: str


class _Measured(_More[_T], Generic[_T], total=False):
    """The same of numbers."""

    unit: str


def _of(type: Type, label: str, doc: str, least: float = 0, most: float = 1000, **more: Any) -> Declared:
    return lambda path: Field(path, type, label, doc, least, most, **more)


def whole(
    label: str, doc: str = "", least: float = 0, most: float = 1000, **more: Unpack[_Measured[int]]
) -> Declared:
    """A whole number from `least` to `most`."""
    return _of("whole", label, doc, least, most, **more)


def number(
    label: str, doc: str = "", least: float = 0, most: float = 1000, **more: Unpack[_Measured[float]]
) -> Declared:
    """A number from `least` to `most`."""
    return _of("number", label, doc, least, most, **more)


def metres(label: str, doc: str = "", most: float = 10_000, **more: Unpack[_More[float]]) -> Declared:
    """A distance of at most so many metres."""
    return number(label, doc, most=most, unit="metres", **more)


def flag(label: str, doc: str = "", **more: Unpack[_More[bool]]) -> Declared:
    """True or false."""
    return _of("flag", label, doc, **more)


def choice(label: str, doc: str = "", *, choices: Sequence[str], **more: Unpack[_More[str]]) -> Declared:
    """One of several words."""
    return _of("choice", label, doc, choices=tuple(choices), **more)


def words(
    label: str, doc: str = "", *, choices: Sequence[str], **more: Unpack[_More[Sequence[str]]]
) -> Declared:
    """A list of some of several words."""
    return _of("words", label, doc, choices=tuple(choices), **more)


def text(label: str, doc: str = "", *, most: float = 1000, **more: Unpack[_More[str]]) -> Declared:
    """Up to `most` characters."""
    return _of("text", label, doc, most=most, **more)


def ratings(
    label: str,
    doc: str = "",
    *,
    choices: Sequence[str] = (),
    least: float = 0,
    most: float = 1000,
    **more: Unpack[_More[dict[str, int]]],
) -> Declared:
    """Whole numbers from `least` to `most`, by word; without `choices` any word will do."""
    return _of("ratings", label, doc, least, most, choices=tuple(choices), **more)


def entry(label: str, doc: str = "", *, entry_kind: str, **more: Unpack[_More[str]]) -> Declared:
    """The name of a pack's entry of a kind."""
    return _of("entry", label, doc, entry_kind=entry_kind, **more)


def entries(
    label: str, doc: str = "", *, entry_kind: str, most: float = 1000, **more: Unpack[_More[Any]]
) -> Declared:
    """The names of several entries of a kind."""
    return _of("entries", label, doc, most=most, entry_kind=entry_kind, **more)
