"""Names of a combatant's items: the slug of a pack entry, and of a second one of the same model ``slug#2``.

What a fight knows of each (rounds, ready, dropped) is kept under its name, so that two guns of one model stay apart.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

__all__ = ["MARK", "alike", "next_name", "numbered", "slug_of"]

MARK = "#"
"""Between the slug and the number; slugs have none."""


def slug_of(name: str) -> str:
    """The slug of the pack entry that an item is one of."""
    return name.partition(MARK)[0]


def numbered(slug: str, number: int) -> str:
    """The name of one of several alike; the first has no number."""
    return slug if number == 1 else f"{slug}{MARK}{number}"


def next_name(slug: str, taken: Container[str]) -> str:
    """The name of one more of a model."""
    number = 1
    while numbered(slug, number) in taken:
        number += 1
    return numbered(slug, number)


def alike(slug: str, names: Iterable[str]) -> list[str]:
    """Those of these items that are of one model, in their order."""
    return [name for name in names if slug_of(name) == slug]
