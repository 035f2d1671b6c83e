"""Lists of combatants that a GM keeps: a CSV table, or YAML.

A row says how a combatant joins (``id``, ``name``, ``use``, ``side``, ``player``, ``hidden``, ``dice``, ``weapons``,
``count``) and fields of the sheet by name, or by label. In CSV a list has ``;`` between its parts, ratings are columns
of their own (``skills.pistols``), and what is left empty is not given. YAML is a list of mappings, or a file of
``combatants`` as packs have them, of which a fight keeps what a sheet has.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from fracas.errors import InputError, Problem, few_suggestions, suggestion
from fracas.kernel.vocabulary import Field
from fracas.packs.yaml_source import Located, YamlError, load

MAX_ROWS = 200
MAX_TEXT = 1_000_000
"""Characters of a list."""

JOINING = ("id", "name", "use", "side", "player", "hidden", "dice", "weapons", "count", "label", "slug")
_FLAGS = {"yes": True, "true": True, "1": True, "x": True, "no": False, "false": False, "0": False}
_LIST = ";"
_SEPARATORS = ",;\t"
CALLED = {
    "weapon": "weapons", "attacks": "weapons", "arms": "weapons", "number": "count", "qty": "count",
    "quantity": "count", "team": "side", "faction": "side", "pc": "player", "who": "name",
}  # fmt: skip
"""What people call columns that say how a combatant joins."""
_SHOWN = ("name", "count", "side", "player", "weapons")
_MOST_SHOWN = 8
"""Fields of a sheet that a message about an unknown column names."""
_KEPT_OUT = ("source", "provenance", "notes", "tags", "confidence", "renamed_from")
"""What all entries of packs have beside the fields of a sheet."""

_COMPARED = 20_000
"""Known names that misspelt ones are compared with for hints."""


class Row(NamedTuple):
    """A combatant in a list.

    Attributes:
        place: where it begins, such as ``roster.csv:3``.
        joining: what it says of how they join; `fields` of their sheet.
        left: what it says beside, which no fight reads.
    """

    place: str
    joining: Mapping[str, Any]
    fields: Mapping[str, Any]
    left: Mapping[str, Any] = {}


def plain(words: str) -> str:
    """
    >>> plain("Ballistic skill"), plain("ballistic_skill"), plain("HP")
    ('ballisticskill', 'ballisticskill', 'hp')
    """
    return re.sub(r"[^a-z0-9]", "", words.casefold())


def text_of(data: bytes, name: str) -> str:
    """The text of a list.

    Raises:
        InputError: it is none, or not in UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{name} is no text in UTF-8, from byte {error.start + 1} on: save it as UTF-8"
        raise InputError.one("file", "not-text", message) from None


def rows(
    text: str,
    name: str,
    fields: Mapping[str, Field],
    unread: Collection[str] = _KEPT_OUT,
    called: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> list[Row]:
    """The people of a list.

    Args:
        name: of the file, for messages; ``.csv`` and ``.tsv`` are tables, all others YAML.
        fields: what a sheet may say, by name.
        unread: what else may stand there.
        called: fields by other names of the columns of a table, such as ``HP``; one value may be for several.

    Raises:
        InputError: every fault, with its place.
    """
    if len(text) > MAX_TEXT:
        raise InputError.one("file", "too-large", f"{name} has more than {MAX_TEXT:,} characters")
    beside = frozenset({*unread, *_KEPT_OUT} - {*fields, *JOINING})
    with few_suggestions(_COMPARED):
        if name.casefold().endswith((".csv", ".tsv")):
            found = list(_table_rows(text, name, fields, beside, called))
        else:
            found = list(_yaml_rows(text, name, fields, beside))
    if not found:
        raise InputError.one("file", "empty", f"{name} names no combatant")
    if len(found) > MAX_ROWS:
        raise InputError.one("file", "too-many", f"{len(found)} rows; at most {MAX_ROWS} are read")
    return found


def _table_rows(
    text: str,
    name: str,
    fields: Mapping[str, Field],
    unread: Collection[str],
    called: Mapping[str, Sequence[str]],
) -> Iterator[Row]:
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=head.count)
    lines = list(_lines(text, name, separator))
    if not lines:
        return
    meant = {plain(words): tuple(several) for words, several in called.items()}
    columns = _columns(lines[0][1], fields, unread, meant)
    several = {one[0]: one for one in meant.values()}
    problems = [
        *_column_problems(columns, name, fields, unread),
        *(
            problem
            for line, cells in lines[1:]
            for problem in _cell_problems(columns, cells, f"{name}:{line}")
        ),
    ]
    if problems:
        raise InputError(problems)
    for line, cells in lines[1:]:
        given: dict[str, Any] = {}
        for column, cell in zip(columns, map(str.strip, cells), strict=False):
            field, _, key = column.partition(".")
            if cell and column in unread:
                given[column] = read_cell("whole", cell)
            elif cell and key:
                given.setdefault(field, {})[key] = read_cell("whole", cell)
            elif cell:
                value = read_cell(_type(column, fields), cell)
                given |= dict.fromkeys(several.get(column, (column,)), value)
        if given:
            yield _row(f"{name}:{line}", given, unread)


def _lines(text: str, name: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, each with the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    try:
        for cells in reader:
            yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError.one("file", "no-table", f"{name}:{begins}: {error}") from None


def _columns(
    head: Sequence[str],
    fields: Mapping[str, Field],
    unread: Collection[str],
    called: Mapping[str, Sequence[str]],
) -> Sequence[str]:
    """The columns as a sheet calls them, where the list writes labels or capitals: ``Ballistic skill``."""
    known = CALLED | {words: several[0] for words, several in called.items()}
    known |= {plain(name): name for name in (*JOINING, *fields)}
    labels = {plain(field.label): name for name, field in fields.items()}
    return [
        cell if cell in unread or "." in cell else known.get(plain(cell)) or labels.get(plain(cell), cell)
        for cell in map(str.strip, head)
    ]


def _column_problems(
    columns: Sequence[str], name: str, fields: Mapping[str, Field], unread: Collection[str]
) -> Iterator[Problem]:
    ratings = [field for field, known in fields.items() if known.type == "ratings"]
    seen: set[str] = set()
    for column in columns:
        field, dot, key = column.partition(".")
        if column in seen:
            yield Problem("file", "twice", f"{name}:1: there are two columns {column!r}")
        elif dot and field in ratings:
            choices = fields[field].choices
            if not key or (choices and key not in choices):
                message = f"{name}:1: {field} has no {key!r}"
                yield Problem("file", "unknown-field", message, suggestion(key, choices))
        elif column in ratings:
            example = (fields[column].choices or ("name",))[0]
            hint = f"{column}.{example} is one of its columns"
            yield Problem(
                "file", "wrong-type", f"{name}:1: {column} has a column for each of its ratings", hint
            )
        elif column and column not in fields and column not in JOINING and column not in unread:
            message = f"{name}:1: there is no column {column!r}"
            hint = suggestion(column, [*fields, *JOINING]) or _expected(fields)
            yield Problem("file", "unknown-field", message, hint)
        seen |= {column} - {""}


def _expected(fields: Mapping[str, Field]) -> str:
    """Which columns a table may have."""
    numbers = [name for name, field in fields.items() if field.type == "whole"]
    shown = ", ".join((*_SHOWN, *numbers[:_MOST_SHOWN]))
    return f"known are {shown} and the other fields of a sheet, by their names or labels; leave out what has none"


def _cell_problems(columns: Sequence[str], cells: Sequence[str], place: str) -> Iterator[Problem]:
    if not any(cell.strip() for cell in cells):
        return
    if len(cells) != len(columns):
        message = f"{place}: {len(cells)} cells, and the first row has {len(columns)}"
        yield Problem("file", "wrong-length", message)
    for column, cell in zip(columns, cells, strict=False):
        if cell.strip() and not column:
            yield Problem("file", "no-name", f"{place}: the column of {cell.strip()[:40]!r} has no name")


def _yaml_rows(text: str, name: str, fields: Mapping[str, Field], unread: Collection[str]) -> Iterator[Row]:
    try:
        located = load(text.encode("utf-8", "replace"), name)
    except YamlError as error:
        raise InputError(
            Problem("file", code, f"{name}:{line}:{column}: {message}", hint)
            for code, message, (line, column), hint in error.problems
        ) from None
    people = located.data
    path: tuple[str | int, ...] = ()
    if isinstance(people, Mapping) and isinstance(people.get("entries"), list):
        if people.get("kind", "combatants") != "combatants":
            raise InputError.one("file", "wrong-kind", f"{name}: a list of combatants is expected")
        people, path = people["entries"], ("entries",)
    if not isinstance(people, list):
        raise InputError.one("file", "wrong-type", f"{name}: a list of combatants is expected")
    problems = list(_unknown(located, people, path, {*fields, *JOINING, *unread}))
    if problems:
        raise InputError(problems)
    for at, one in enumerate(people):
        line, column = located.position((*path, at))
        yield _row(f"{name}:{line}:{column}", one, unread)


def _unknown(
    located: Located, people: Sequence[Any], path: tuple[str | int, ...], known: Collection[str]
) -> Iterator[Problem]:
    for at, one in enumerate(people):
        line, column = located.position((*path, at))
        if not isinstance(one, Mapping):
            yield Problem(
                "file", "wrong-type", f"{located.name}:{line}:{column}: a mapping of fields is expected"
            )
            continue
        for key in one:
            if key not in known:
                line, column = located.position((*path, at, key), of_key=True)
                message = f"{located.name}:{line}:{column}: there is no field {key!r}"
                yield Problem("file", "unknown-field", message, suggestion(key, known))


def _row(place: str, given: Mapping[str, Any], unread: Collection[str]) -> Row:
    joining = {name: given[name] for name in JOINING if name in given}
    name = joining.pop("label", None)
    joining.pop("slug", None)
    if name and "name" not in joining:
        joining["name"] = name
    kept = {key: value for key, value in given.items() if key not in JOINING and key not in unread}
    left = {key: value for key, value in given.items() if key in unread or key == "slug"}
    return Row(place, joining, kept, left)


def _type(column: str, fields: Mapping[str, Field]) -> str:
    if column in ("player", "hidden"):
        return "flag"
    if column == "weapons":
        return "entries"
    if column == "count":
        return "whole"
    return fields[column].type if column in fields else "text"


def read_cell(type: str, cell: str) -> Any:
    """A cell as a field of this type; what cannot be read stays text, for the check that names the field."""
    if type in ("words", "entries"):
        return [part.strip() for part in cell.split(_LIST) if part.strip()]
    if type == "flag":
        return _FLAGS.get(cell.casefold(), cell)
    if type in ("whole", "number"):
        try:
            number = int(cell) if type == "whole" else float(cell)
        except ValueError:
            return cell
        is_plain = "_" not in cell and (isinstance(number, int) or math.isfinite(number))
        return number if is_plain else cell
    return cell
