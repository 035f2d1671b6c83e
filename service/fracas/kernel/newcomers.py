"""What combatants need that a GM makes up at the table, so that their fight never stands still for a number.

Packs declare these as data (``fights.yaml``); forms ask for them, and what stays unknown becomes what an ordinary
person has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["Basic", "completed", "lacking"]


class Basic(NamedTuple):
    """A field that the rules need of every combatant.

    Attributes:
        fields: of the sheet; all of them have this value.
        label: for people.
        usual: what an ordinary person has, which stands in where nothing is known; None: rules do without.
        instead: fields of which one makes it needless, such as worn armor for an armor class.
        short: what stat blocks call it, beside the label and the names of the fields.
        quick: a form of one line asks for it.
    """

    fields: tuple[str, ...]
    label: str
    usual: Any = None
    instead: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    quick: bool = False

    @property
    def is_number(self) -> bool:
        """Whether people can be asked for it in a small field."""
        return self.usual is None or isinstance(self.usual, int)


def lacking(basics: Sequence[Basic], sheet: Mapping[str, Any]) -> Iterator[Basic]:
    """What a sheet does not have, and the rules will ask for."""
    for basic in basics:
        known = any(sheet.get(field) is not None for field in basic.fields)
        needless = any(sheet.get(field) not in (None, False) for field in basic.instead)
        if basic.usual is not None and not known and not needless:
            yield basic


def completed(basics: Sequence[Basic], sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet with what ordinary people have where it says nothing."""
    usual = {field: basic.usual for basic in lacking(basics, sheet) for field in basic.fields}
    return {**usual, **sheet}
