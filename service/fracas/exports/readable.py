"""What entries say, as people read it: plain texts of nested values, and the titles of fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from fracas.packs.entries import Entry, Pack
from fracas.packs.schema_fields import all_fields, kinds_of
from fracas.packs.schemas import entry_kinds, folder_of

NOT_EXPORTED = ("examples",)
"""Kinds that concern the pack's authors only: worked examples are its tests."""

_SIGNS = {
    "eq": "=",
    "ne": "≠",
    "lt": "<",
    "lte": "≤",
    "gt": ">",
    "gte": "≥",
    "in": "is one of",
    "-": "−",
    "*": "×",
}
_JOINED = {"all": " and ", "any": " or ", "none": " or ", "not": " and ", "+": " + ", "*": " × "}
_DIVIDED = {"floor": "rounded down", "ceil": "rounded up"}


class Line(NamedTuple):
    """A field of an entry, with its title and its value as a text."""

    name: str
    title: str
    text: str


def readable(value: Any) -> str:
    """A value as a short text; what is nested stands in brackets.

    >>> readable({"short": 5, "features": ["smartgun", "stock"]})
    'short: 5; features: (smartgun, stock)'
    >>> readable([{"eq": ["range.adjacent", False]}, "target:prone"])
    'range.adjacent = no, target:prone'
    >>> readable([{}])
    ''
    """
    if isinstance(value, Mapping):
        return _formula(value) or "; ".join(f"{name}: {_inner(part)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return "" if all(part == {} for part in value) else ", ".join(_inner(part) for part in value)
    return plain(value)


def by_means(item: str, article: str = "the ") -> str:
    """What an attack is made with, to stand after it; hands and feet are no item.

    >>> by_means("Katana"), by_means("Katana", ""), by_means("Unarmed Attack"), by_means("Unarmed")
    (' with the Katana', ' with Katana', ' unarmed', ' unarmed')
    """
    bare = item.casefold() in ("unarmed", "unarmed attack", "bare hands")
    return " unarmed" if bare else f" with {article}{item}"


def plain(value: Any) -> str:
    """A value without parts as a text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())


def listed(names: Sequence[str]) -> str:
    """Names in a row, equal ones as one with their number; with semicolons where one of them has a comma.

    >>> listed(["Rook", "Vex", "Brick"]), listed(["Guard", "Vex", "Guard"])
    ('Rook, Vex and Brick', 'Guard × 2 and Vex')
    >>> listed(["Dov, blade", "Wren, gunhand", "Pim"])
    'Dov, blade; Wren, gunhand and Pim'
    """
    *some, last = (
        (f"{name} × {n}" if n > 1 else name for name, n in Counter(names).items()) if names else [""]
    )
    comma = "; " if any("," in name for name in names) else ", "
    return f"{comma.join(some)} and {last}" if some else last


def counted(count: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(3, "box of Physical damage"), counted(1, "Simple Action"), counted(5, "HP")
    ('3 boxes of Physical damage', '1 Simple Action', '5 HP')
    """
    head, of, rest = noun.partition(" of ")
    if head == "die" and count != 1:
        head = "dice"
    elif count != 1 and not head.isupper():
        head += "es" if head.endswith(("s", "x", "ch")) else "s"
    return f"{count} {head}{of}{rest}"


def _inner(value: Any) -> str:
    """A part of a value: in brackets if it has parts itself that would run into those around it."""
    if isinstance(value, Mapping):
        return _formula(value) or f"({readable(value)})"
    return f"({readable(value)})" if isinstance(value, (list, tuple)) and len(value) > 1 else readable(value)


def _formula(value: Mapping[str, Any]) -> str:
    """A predicate or an expression in signs; "" if it is neither."""
    if len(value) != 1:
        return ""
    ((operator, operands),) = value.items()
    if not isinstance(operands, (list, tuple)):
        return ""
    parts = [_operand(part) for part in operands]
    if operator == "-" and len(parts) == 1:
        return f"−{parts[0]}"
    if operator in _SIGNS and len(parts) == 2:
        return f"{parts[0]} {_SIGNS[operator]} {parts[1]}"
    if operator in _JOINED and parts:
        joined = _JOINED[operator].join(parts)
        return f"not ({joined})" if operator in ("none", "not") else joined
    if operator in _DIVIDED and len(parts) == 2:
        return f"{parts[0]} / {parts[1]} {_DIVIDED[operator]}"
    if operator in ("min", "max"):
        return f"{'lowest' if operator == 'min' else 'highest'} of ({', '.join(parts)})"
    if operator == "if" and len(parts) == 3:
        return f"{parts[1]} if {parts[0]}, else {parts[2]}"
    return ""


def _operand(value: Any) -> str:
    if isinstance(value, Mapping):
        text = readable(value)
        return f"({text})" if " " in text else text
    return f"({readable(value)})" if isinstance(value, (list, tuple)) else plain(value)


# --- Entries --------------------------------------------------------------------------------------------


def by_kind(pack: Pack) -> dict[str, list[Entry]]:
    """The entries that are exported, by the names of their kinds (``weapons``), in the order of `entry_kinds`."""
    found: dict[str, list[Entry]] = {
        kind: [entry for entry in pack.entries if entry.kind == name]
        for kind, name in entry_kinds().items()
        if kind not in NOT_EXPORTED
    }
    return {kind: entries for kind, entries in found.items() if entries}


def short_title(pack: Pack) -> str:
    """A pack's title with its ruleset in place of all that stands in brackets: ``Street combat core (sr4)``."""
    return f"{plain(pack.manifest.title).partition(' (')[0]} ({pack.manifest.ruleset})"


def plural(kind: str) -> str:
    """The name of a kind of files (``weapons``) of a kind of entries (``weapon``)."""
    return folder_of(kind)


@cache
def titles(kind: str, ruleset: str) -> Mapping[str, str]:
    """The titles of the fields of a kind (``weapons``), in the order in which packs write them."""
    if ruleset and kind in kinds_of(ruleset):
        return {name: field.title for name, field in all_fields(kind, ruleset).items()}
    return {}


def title_of(kind: str, ruleset: str, name: str) -> str:
    """The title of a field; where no schema knows it, its name in words."""
    return titles(kind, ruleset).get(name) or name.replace("_", " ").capitalize()


def lines(entry: Entry, ruleset: str, leave_out: Iterable[str] = ()) -> list[Line]:
    """All that an entry says in its own fields, without what is empty."""
    kind, without = plural(entry.kind), set(leave_out)
    order = {name: at for at, name in enumerate(titles(kind, ruleset))}
    names = sorted(entry.data, key=lambda name: order.get(name, len(order)))
    found = (
        Line(name, title_of(kind, ruleset, name), readable(entry.data[name]))
        for name in names
        if name not in without
    )
    return [line for line in found if line.text]


def source(entry: Entry) -> str:
    """Where the entry's numbers come from: ``rulebook-sr4, 12.2, page 317``."""
    given = entry.meta.get("source")
    if not isinstance(given, Mapping):
        return plain(given)
    page = f"page {given['page']}" if "page" in given else ""
    return ", ".join(filter(None, (plain(given.get("ref")), plain(given.get("section")), page)))


def remarks(entry: Entry) -> str:
    """The entry's notes, and whether its authors chose the numbers themselves."""
    chosen = "Numbers chosen by the authors of the pack." if entry.meta.get("provenance") == "default" else ""
    return " ".join(filter(None, (plain(entry.meta.get("notes")), chosen)))
