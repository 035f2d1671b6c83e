"""Declaring fields: a record's fields by their names, each with what its type allows.

::

    fields(
        "weapon",
        rc=whole("Recoil compensation", "Always there.", most=50),
        modes=words("Firing modes", choices=MODES),
        silenced=flag("Silenced"),
    )

What a field means is told in `fracas.kernel.vocabulary.Field`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fracas.kernel.vocabulary import Field

Declared = Callable[[str], Field]
"""A field that awaits its path."""


def fields(record: str, /, **declared: Declared) -> tuple[Field, ...]:
    """The fields of a record, in their order.

    Args:
        record: its path, such as ``attacker``; "" for the fields of the situation itself.
    """
    before = f"{record}." if record else ""
    return tuple(of(before + name) for name, of in declared.items())


def whole(
    label: str,
    doc: str = "",
    least: float = 0,
    most: float = 1000,
    *,
    derived_from: str | None = None,
    example: int | None = None,
    in_scene: bool = True,
) -> Declared:
    """A whole number from `least` to `most`."""
    return lambda path: Field(
        path, "whole", label, doc, least, most, derived_from=derived_from, example=example, in_scene=in_scene
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
) -> Declared:
    """A number from `least` to `most`."""
    return lambda path: Field(
        path, "number", label, doc, least, most, derived_from=derived_from, example=example, in_scene=in_scene
    )


def flag(
    label: str,
    doc: str = "",
    *,
    derived_from: str | None = None,
    example: bool | None = None,
    in_scene: bool = True,
) -> Declared:
    """True or false."""
    return lambda path: Field(
        path, "flag", label, doc, derived_from=derived_from, example=example, in_scene=in_scene
    )


def choice(
    label: str,
    doc: str = "",
    *,
    choices: Sequence[str],
    derived_from: str | None = None,
    example: str | None = None,
    in_scene: bool = True,
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
    )


def words(
    label: str,
    doc: str = "",
    *,
    choices: Sequence[str],
    derived_from: str | None = None,
    example: Sequence[str] | None = None,
    in_scene: bool = True,
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
) -> Declared:
    """Whole numbers from `least` to `most`, by word; without `choices` any word will do."""
    return lambda path: Field(
        path, "ratings", label, doc, least, most, tuple(choices), derived_from=derived_from, example=example
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
