"""Combatants as people paste them: a table with names of their own for its columns, or stat blocks.

Columns and values may be called as the sheet calls them, by their labels or by what stat blocks write (``HP``, ``AC``),
in capitals or not. What no sheet has is left out, and reported. Several of a kind are ``Guard x3``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.errors import InputError
from fracas.imports.roster import CALLED, JOINING, MAX_ROWS, MAX_TEXT, Row, plain, read_cell, rows
from fracas.kernel.vocabulary import Field

Names = Mapping[str, Sequence[tuple[str, ...]]]
"""By `plain` words, the fields that they may mean, the likeliest first: each a tuple of fields with the same value."""

NAME = "pasted"
_SEPARATORS = ("\t", ";", "|", ",")
_RULER = re.compile(r"[\s|:+=-]+")
_BLANKS = re.compile(r"\t|\s{2,}")
_COUNTED = re.compile(r"(?P<name>.*\S)\s*[x×]\s*(?P<count>\d{1,2})|(?P<number>\d{1,2})\s*[x×]\s+(?P<what>.+)")
_LIST = re.compile(r"(?P<label>[A-Za-z][A-Za-z ]*?)\s*[:=]\s*(?P<rest>[^\d\s+-].*)")
_PAIR = re.compile(r"(?<!\w)(?P<label>[A-Za-z][A-Za-z.'/ -]*?)\s*[:=]?\s*(?P<value>[+-]?\d+)(?![\w.])")
_PART = re.compile(r"\s*[,;/|]\s*")


def names_of(fields: Mapping[str, Field], more: Iterable[tuple[tuple[str, ...], Iterable[str]]]) -> Names:
    """What people may call the fields of a sheet.

    Args:
        more: fields with what they are called beside.
    """
    found: dict[str, list[tuple[str, ...]]] = {}

    def called(words: str, meant: tuple[str, ...]) -> None:
        meanings = found.setdefault(plain(words), [])
        if meant not in meanings:
            meanings.append(meant)

    for name in JOINING:
        called(name, (name,))
    for words, name in CALLED.items():
        called(words, (name,))
    for meant, several in more:
        for words in several:
            called(words, meant)
    for name, field in fields.items():
        called(name, (name,))
        called(field.label, (name,))
    return found


def people(text: str, fields: Mapping[str, Field], names: Names) -> list[Row]:
    """The people of a text.

    Raises:
        InputError: it names nobody, or is too long; of YAML, every fault.
    """
    if len(text) > MAX_TEXT:
        raise InputError.one("text", "too-large", f"more than {MAX_TEXT:,} characters")
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith(("- ", "kind:", "entries:", "# yaml")):
        return rows(text, f"{NAME}.yaml", fields)
    table = _table(lines, names)
    found = list(_of_table(table, fields, names) if table else _of_blocks(lines, fields, names))
    if not found:
        raise InputError.one("text", "empty", "nobody is named: begin each with a line that is the name")
    if len(found) > MAX_ROWS:
        raise InputError.one("text", "too-many", f"{len(found)} combatants; at most {MAX_ROWS} are read")
    return found


def _table(lines: Sequence[str], names: Names) -> list[tuple[int, list[str]]]:
    """The rows of a table, the first of which names its columns, each with its line; nothing for another text."""
    there = [(at, line) for at, line in enumerate(lines, 1) if line.strip() and not _RULER.fullmatch(line)]
    if not there:
        return []
    head = there[0][1]
    for separator in _SEPARATORS:
        if separator in head and _is_head(cells := _cells(head, separator), names):
            return [(there[0][0], cells), *((at, _cells(line, separator)) for at, line in there[1:])]
    if _is_head(cells := _BLANKS.split(head.strip()), names):
        return [(there[0][0], cells), *((at, _BLANKS.split(line.strip())) for at, line in there[1:])]
    return []


def _is_head(cells: Sequence[str], names: Names) -> bool:
    known = sum(plain(cell) in names or "." in cell for cell in cells)
    return len(cells) > 1 and known * 2 >= len(cells) and not any(map(str.isdigit, cells))


def _cells(line: str, separator: str) -> list[str]:
    if separator == "|":
        line = line.strip().strip("|")
    return [cell.strip() for cell in next(csv.reader(io.StringIO(line), delimiter=separator))]


def _of_table(
    table: Sequence[tuple[int, Sequence[str]]], fields: Mapping[str, Field], names: Names
) -> Iterator[Row]:
    columns = table[0][1]
    for line, cells in table[1:]:
        pairs = [(column, cell) for column, cell in zip(columns, cells, strict=False) if column and cell]
        if pairs:
            yield _row(f"line {line}", pairs, fields, names)


def _of_blocks(lines: Sequence[str], fields: Mapping[str, Field], names: Names) -> Iterator[Row]:
    block: list[str] = []
    began = 1
    for at, line in enumerate([*lines, ""], 1):
        if line.strip():
            began = began if block else at
            block.append(line.strip())
        elif block:
            yield _row(f"line {began}", list(_of_block(block, names)), fields, names)
            block = []


def _of_block(block: Sequence[str], names: Names) -> Iterator[tuple[str, str]]:
    """What a stat block says, in pairs; its first line is, or begins with, the name."""
    name, rest = _split_off(block[0], names)
    yield "name", name.strip(" *#")
    several = iter([rest.strip(), *block[1:]])
    for line in several:
        labels = line.split()
        if len(labels) > 1 and _heads(labels, names):
            values = next(several, "").split()
            yield from zip(labels, values, strict=False)
        elif (found := _LIST.fullmatch(line)) and plain(found["label"]) in names:
            yield found["label"], found["rest"]
        else:
            for pair in _PAIR.finditer(line):
                yield pair["label"].strip(" ,;.-/"), pair["value"]


def _heads(labels: Sequence[str], names: Names) -> bool:
    """Whether a line has only labels, which stand above their values: most of them are known."""
    known = sum(plain(label) in names for label in labels)
    return known * 2 > len(labels) and all(label.isalpha() for label in labels)


def _split_off(line: str, names: Names) -> tuple[str, str]:
    """The name with which a stat block begins, and what follows on the same line: ``Zealot WS 40, BS 35``."""
    name, colon, rest = line.partition(":")
    pair = None if colon else _PAIR.search(line)
    words = pair["label"].split() if pair else []
    if pair is not None and len(words) > 1 and plain(words[-1]) in names:
        at = pair.start("label") + pair["label"].rindex(words[-1])
        return line[:at], line[at:]
    return name, rest


def _row(place: str, pairs: Iterable[tuple[str, str]], fields: Mapping[str, Field], names: Names) -> Row:
    given: dict[str, Any] = {}
    left: dict[str, Any] = {}
    for column, cell in pairs:
        rating, dot, key = column.partition(".")
        meant = _meant(column, cell, fields, names)
        if dot and rating in fields:
            given.setdefault(rating, {})[key] = _value("whole", cell)
        elif not meant:
            left[column] = cell
        elif meant == ("name",):
            given |= _named(cell)
        else:
            given |= dict.fromkeys(meant, _read(meant[0], cell, fields))
    joining = {name: given.pop(name) for name in JOINING if name in given}
    return Row(place, joining, given, left)


def _meant(column: str, cell: str, fields: Mapping[str, Field], names: Names) -> tuple[str, ...]:
    """The fields that a column means: of those that have its name, such as take the value."""
    meanings = names.get(plain(column), ())
    is_number = isinstance(_value("whole", cell), int)
    fits = (one for one in meanings if is_number == (_type(one[0], fields) in ("whole", "number")))
    return next(fits, meanings[0] if meanings else ())


def _named(cell: str) -> dict[str, Any]:
    found = _COUNTED.fullmatch(cell)
    if not found:
        return {"name": cell}
    return {"name": found["name"] or found["what"], "count": int(found["count"] or found["number"])}


def _type(name: str, fields: Mapping[str, Field]) -> str:
    joining = {"player": "flag", "hidden": "flag", "weapons": "entries", "count": "whole"}
    return joining.get(name) or (fields[name].type if name in fields else "text")


def _read(name: str, cell: str, fields: Mapping[str, Field]) -> Any:
    type = _type(name, fields)
    if type == "ratings":
        return {pair["label"].strip(" ,;"): int(pair["value"]) for pair in _PAIR.finditer(cell)}
    if type in ("words", "entries"):
        return [part for part in _PART.split(cell) if part]
    return _value(type, cell)


def _value(type: str, cell: str) -> Any:
    return read_cell(type, cell.removeprefix("+"))
