"""Entries beside each other: which columns say most in the room there is, and how they are printed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fracas.cli.terminal import line_width, print_lines

if TYPE_CHECKING:
    from fracas.packs.search import Row

GAP = 2

_CLAIMS = {"label": 20}
_CLAIM = 16
"""Columns that a field is given room for before the next one is considered; what is left over is shared out."""

_WIDEST = 40
_LEAST = 6
_NARROW = 40
"""Columns that the values of an entry need beside the titles of its fields."""

_NOT_TELLING = frozenset(
    {"id", "kind", "source", "notes", "renamed_from", "confidence", "provenance", "tags"}
)


class Column(NamedTuple):
    """A column ready to print.

    Attributes:
        width: longer cells are cut.
    """

    name: str
    cells: tuple[str, ...]
    width: int
    is_number: bool


class Layout(NamedTuple):
    """The columns of a table, and the names of fields that found no room."""

    columns: tuple[Column, ...]
    left_out: tuple[str, ...] = ()


def cell(value: Any) -> str:
    """A value as one short text."""
    from fracas.packs.yaml_writing import flow

    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(flow(item) if isinstance(item, (list, Mapping)) else cell(item) for item in value)
    if isinstance(value, Mapping):
        if not _is_flat(value):
            return flow(value) if len(value) == 1 else ", ".join(value)
        return ", ".join(f"{key} {cell(item)}" for key, item in value.items())
    return " ".join(str(value).split())


def _is_flat(value: Any) -> bool:
    return isinstance(value, Mapping) and not any(
        isinstance(item, (list, Mapping)) for item in value.values()
    )


def layout(rows: Sequence[Row], order: Sequence[str], first: Sequence[str], width: int) -> Layout:
    """The columns that say most: those of `first`, then as many of the fields as fit, the important ones in front.

    Args:
        order: fields that entries may have, the most important first.
        first: what is shown in any case.
        width: columns of a line.
    """
    whole = [_column(name, rows) for name in first]
    left = width + GAP - sum(_claim(column) + GAP for column in whole)
    left_out = []
    for name in order:
        if name in first or name in _NOT_TELLING:
            continue
        column = _column(name, rows)
        if not any(column.cells) or (len(rows) > 1 and len(set(column.cells)) == 1):
            continue  # it distinguishes the entries in nothing
        if _claim(column) + GAP <= left:
            whole.append(column)
            left -= _claim(column) + GAP
        else:
            left_out.append(name)
    return Layout(tuple(_grown(whole, width, _WIDEST)), tuple(left_out))


def _claim(column: Column) -> int:
    """Room for most cells, within bounds."""
    if column.name == "slug":
        return column.width
    lengths = sorted(map(len, column.cells))
    most = lengths[len(lengths) * 4 // 5] if lengths else 0
    return max(min(most, _CLAIMS.get(column.name, _CLAIM)), len(column.name))


def _grown(columns: Sequence[Column], width: int, widest: int) -> list[Column]:
    """Columns of at least the width that they claim, and together of no more than the width, if that can be.

    What is left over goes where the most cells would be cut.
    """
    found = [column._replace(width=_claim(column)) for column in columns]
    for _ in range(width + GAP - sum(column.width + GAP for column in found)):
        tight = [at for at in range(len(found)) if found[at].width < min(columns[at].width, widest)]
        if not tight:
            break
        most = max(tight, key=lambda at: sum(len(text) > found[at].width for text in found[at].cells))
        found[most] = found[most]._replace(width=found[most].width + 1)
    return _shrunk(found, width)


def chosen(rows: Sequence[Row], names: Sequence[str], width: int | None) -> Layout:
    """These columns; cut to a width where there is one."""
    columns = [_column(name, rows) for name in names]
    return Layout(tuple(columns if width is None else _grown(columns, width, width)))


def importance(rows: Sequence[Row], required: Iterable[str], known: Iterable[str]) -> list[str]:
    """Fields in the order of what they say: required ones, then those that most entries have."""
    must = list(dict.fromkeys(required))
    share = {name: sum(name in row for row in rows) / max(len(rows), 1) for name in known}
    often = sorted(
        (name for name in share if share[name] >= 0.5 and name not in must), key=lambda name: -share[name]
    )
    return [*must, *often]


def _column(name: str, rows: Sequence[Row]) -> Column:
    from fracas.packs.search import values

    found = [list(values(row, name)) for row in rows]
    cells = tuple(", ".join(map(cell, each)) for each in found)
    numbers = [value for each in found for value in each if value is not None]
    is_number = bool(numbers) and all(
        isinstance(value, (int, float)) and not isinstance(value, bool) for value in numbers
    )
    return Column(name, cells, max([len(name), *map(len, cells)]), is_number)


def _shrunk(columns: Sequence[Column], width: int) -> list[Column]:
    """Columns cut to the width, the widest first; the slug is kept whole, so that it can be copied."""
    found = list(columns)
    while sum(column.width + GAP for column in found) - GAP > width:
        widest = max(
            (at for at in range(len(found)) if found[at].name != "slug"),
            key=lambda at: found[at].width,
            default=None,
        )
        if widest is None or found[widest].width <= _LEAST:
            break
        found[widest] = found[widest]._replace(width=found[widest].width - 1)
    return found


# --- Printing -------------------------------------------------------------------------------------------


def plain(table: Layout) -> list[str]:
    """The lines of a table as plain text: names of the columns, then a line for each entry."""
    lines = []
    for at in range(-1, len(table.columns[0].cells) if table.columns else 0):
        parts = []
        for column in table.columns:
            text = _cut(column.name if at < 0 else column.cells[at], column.width)
            parts.append(text.rjust(column.width) if column.is_number else text.ljust(column.width))
        lines.append((" " * GAP).join(parts).rstrip())
    return lines


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def print_table(table: Layout, footer: str) -> None:
    """The table in colours, each entry on one line."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
    for column in table.columns:
        shown.add_column(
            Text(column.name),
            justify="right" if column.is_number else "left",
            style="cyan" if column.name in ("slug", "id") else "",
            width=column.width,
            no_wrap=True,
            overflow="ellipsis",
        )
    for at in range(len(table.columns[0].cells) if table.columns else 0):
        shown.add_row(*(Text(_cut(column.cells[at], column.width)) for column in table.columns))
    console = Console(highlight=False)
    console.print(shown)
    console.print(Text(footer, style="dim"))


# --- One entry ------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A field of an entry, or something else that there is to say of it.

    Attributes:
        name: "" for what is no field.
        note: what is to be given of the value.
    """

    name: str
    title: str
    value: Any
    note: str = ""


def value_lines(value: Any, width: int) -> list[str]:
    """A value as it is easiest to read: words beside each other, a table as one, other nested ones as YAML.

    Args:
        width: columns that there are for it; a line may be longer all the same.
    """
    from fracas.packs.yaml_writing import flow, mapping_lines

    if isinstance(value, str):
        return textwrap.wrap(value, width, break_on_hyphens=False) or [value or "none"]
    if not isinstance(value, (list, Mapping)) or not value:
        return [cell(value) or "none"]
    if isinstance(value, list) and not any(isinstance(item, (list, Mapping)) for item in value):
        return textwrap.wrap(cell(value), width, break_on_hyphens=False)
    if isinstance(value, Mapping) and _is_flat(value):
        return textwrap.wrap(cell(value), width, break_on_hyphens=False)
    if isinstance(value, Mapping) and all(_is_flat(row) and row for row in value.values()):
        grid = _grid(value)
        if max(map(len, grid)) <= width:
            return grid
    if isinstance(value, list) and len(flow(value)) <= width:
        return [flow(value)]
    lines = [line[2:] for line in mapping_lines({"x": value})[1:]]
    if not lines:
        lines = mapping_lines(value) if isinstance(value, Mapping) else [flow(value)]
    return [row for line in lines for row in _hanging(line, width)]


def _hanging(line: str, width: int) -> list[str]:
    """A line of YAML with its indentation; what does not fit goes on deeper."""
    indent = " " * (len(line) - len(line.lstrip()))
    text = line.strip()
    following = indent + ("    " if text.startswith("- ") else "  ")
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=following, break_on_hyphens=False
    )


def _grid(rows: Mapping[str, Any]) -> list[str]:
    """The rows of a table below each other."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    columns = [_column(name, list(rows.values())) for name in names]
    heads = Column("", tuple(rows), max(map(len, rows)), False)
    return plain(Layout((heads, *columns)))


def print_sheet(heading: Sequence[str], parts: Sequence[Sequence[Line]]) -> None:
    """An entry: its heading, then the parts below each other."""
    lines: list[list[tuple[str, str]]] = [[(heading[0], "bold")]]
    lines += [[(text, "cyan" if at == 0 else "dim")] for at, text in enumerate(heading[1:])]
    for part in parts:
        if part:
            lines.append([])
            lines += _sheet_lines(part, line_width())
    print_lines(lines)


def _sheet_lines(part: Sequence[Line], width: int) -> Iterable[list[tuple[str, str]]]:
    names = max(len(line.name) for line in part)
    titles = max(len(line.title) for line in part)
    if names and width - names - titles < _NARROW:
        titles = 0  # no room for them
    inner = 2 + sum(columns + GAP for columns in (names, titles) if columns)
    for line in part:
        first, *more = value_lines(line.value, max(width - inner, 24))
        name = line.name.ljust(names) + " " * GAP if names else ""
        title = line.title.ljust(titles) + " " * GAP if titles else ""
        note = f"   ({line.note})" if line.note else ""
        yield [
            ("  ", ""),
            (name, "cyan"),
            (title, "dim"),
            (first, ""),
            (note, "yellow"),
        ]
        for row in more:
            yield [(" " * inner + row, "")]
