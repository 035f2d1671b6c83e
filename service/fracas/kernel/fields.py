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
from typing import Any

from fracas.kernel.vocabulary import Field, Record, Vocabulary

__all__ = [
    "Declared",
    "choice",
    "distinct",
    "entries",
    "entry",
    "fields",
    "flag",
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
    """All fields of these groups; of several with one path the first counts, as of people of whom an attack and a test
    both read the skills."""
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


def whole(
    label: str,
    doc: str = "",
    least: float = 0,
    most: float = 1000,
    *,
    derived_from: str | None = None,
    example: int | None = None,
    in_scene: bool = True,
    default: int | None = None,
) -> Declared:
    """A whole number from `least` to `most`."""
    return lambda path: Field(
        path,
        "whole",
        label,
        doc,
        least,
        most,
        derived_from=derived_from,
        example=example,
        in_scene=in_scene,
        default=default,
    )


def number(
    label: str,
    doc: str = "",
    least: float = 0,
    most: float = 1000,
    *,
    derived_from: str | None = None,
    example: float | None = None,
    in_scene: bool = True,
    default: float | None = None,
) -> Declared:
    """A number from `least` to `most`."""
    return lambda path: Field(
        path,
        "number",
        label,
        doc,
        least,
        most,
        derived_from=derived_from,
        example=example,
        in_scene=in_scene,
        default=default,
    )


def flag(
    label: str,
    doc: str = "",
    *,
    derived_from: str | None = None,
    example: bool | None = None,
    in_scene: bool = True,
    default: bool | None = None,
) -> Declared:
    """True or false."""
    return lambda path: Field(
        path,
        "flag",
        label,
        doc,
        derived_from=derived_from,
        example=example,
        in_scene=in_scene,
        default=default,
    )


def choice(
    label: str,
    doc: str = "",
    *,
    choices: Sequence[str],
    derived_from: str | None = None,
    example: str | None = None,
    in_scene: bool = True,
    default: str | None = None,
) -> Declared:
    """One of several words."""
    return lambda path: Field(
        path,
        "choice",
        label,
        doc,
        choices=tuple(choices),
        derived_from=derived_from,
        example=example,
        in_scene=in_scene,
        default=default,
    )


def words(
    label: str,
    doc: str = "",
    *,
    choices: Sequence[str],
    derived_from: str | None = None,
    example: Sequence[str] | None = None,
    in_scene: bool = True,
    default: Sequence[str] | None = None,
) -> Declared:
    """A list of some of several words."""
    return lambda path: Field(
        path,
        "words",
        label,
        doc,
        choices=tuple(choices),
        derived_from=derived_from,
        example=example,
        in_scene=in_scene,
        default=default,
    )


def text(label: str, doc: str = "", *, most: float = 1000, example: str | None = None) -> Declared:
    """Up to `most` characters."""
    return lambda path: Field(path, "text", label, doc, most=most, example=example)


def ratings(
    label: str,
    doc: str = "",
    *,
    choices: Sequence[str] = (),
    least: float = 0,
    most: float = 1000,
    derived_from: str | None = None,
    example: dict[str, int] | None = None,
    default: dict[str, int] | None = None,
) -> Declared:
    """Whole numbers from `least` to `most`, by word; without `choices` any word will do."""
    return lambda path: Field(
        path,
        "ratings",
        label,
        doc,
        least,
        most,
        tuple(choices),
        derived_from=derived_from,
        example=example,
        default=default,
    )


def entry(
    label: str, doc: str = "", *, entry_kind: str, derived_from: str | None = None, example: str | None = None
) -> Declared:
    """The name of a pack's entry of a kind."""
    return lambda path: Field(
        path, "entry", label, doc, entry_kind=entry_kind, derived_from=derived_from, example=example
    )


def entries(
    label: str,
    doc: str = "",
    *,
    entry_kind: str,
    derived_from: str | None = None,
    example: Any = None,
    most: float = 1000,
) -> Declared:
    """The names of several entries of a kind."""
    return lambda path: Field(
        path,
        "entries",
        label,
        doc,
        most=most,
        entry_kind=entry_kind,
        derived_from=derived_from,
        example=example,
    )
