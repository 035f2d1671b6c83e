"""Finding entries: by name, and by conditions on their fields such as ``skill=pistols`` or ``skills.dodge>=4``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from fracas.errors import FracasError, suggestion
from fracas.packs.entries import Entry
from fracas.packs.library import Library, RulesetPacks
from fracas.packs.schemas import entry_kinds

Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "~"]

Row: TypeAlias = Mapping[str, Any]
"""All that an entry says, by field: what every entry has and its own data, with its pack, ruleset, kind and id."""

_CONDITION = re.compile(r"\s*([^=!<>~\s]+)\s*(!=|<=|>=|==|=|<|>|~)(.*)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)")
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


class SearchError(FracasError):
    """A search that cannot be understood, or a name that no entry has."""

    code = "bad-search"


class Condition(NamedTuple):
    """One condition on entries.

    Attributes:
        field: its name, with dots into mappings: ``skills.pistols``.
        value: as it was typed.
    """

    field: str
    operator: Operator
    value: str


def row_of(entry: Entry, ruleset: str) -> Row:
    """What can be asked of an entry."""
    about = {"id": entry.id, "kind": entry.kind, "ruleset": ruleset, "pack": entry.pack}
    return {**about, **entry.meta, "slug": entry.slug, "label": entry.label, **entry.data}


# --- Conditions -----------------------------------------------------------------------------------------


def condition(text: str) -> Condition:
    """Read a condition: a field, one of ``= != < <= > >= ~`` (contains), and a value.

    Raises:
        SearchError: it is none.
    """
    found = _CONDITION.fullmatch(text)
    if found is None:
        message = f"{text!r} is no condition: a field, one of = != < <= > >= ~ and a value are expected"
        raise SearchError(f"{message} (as in 'skill=pistols' or 'dv>=6')")
    field, sign, value = found.groups()
    operator: Any = "=" if sign == "==" else sign
    made = Condition(field, operator, value.strip())
    if operator in ("<", "<=", ">", ">=") and _number(made.value) is None:
        raise SearchError(f"{text!r}: {operator} compares numbers, and {made.value!r} is none")
    return made


def matches(condition: Condition, row: Row) -> bool:
    """Whether an entry fulfils a condition.

    Of a list or a mapping it is enough that one item, or one key, does. ``!=`` is the opposite of ``=``, so it holds
    for entries without the field; ``field=`` holds for these and for empty values. Capitals make no difference.
    """
    field, operator, value = condition
    found = [item for item in values(row, field) if item is not None]
    if operator in ("=", "!="):
        equal = any(_equal(item, value) for item in found) if value else not any(map(_says, found))
        return equal == (operator == "=")
    if operator == "~":
        return any(value.casefold() in text for item in found for text in _texts(item))
    limit = _number(value)
    return limit is not None and any(
        _compare(number, operator, limit) for item in found for number in _numbers(item)
    )


def values(row: Any, field: str) -> Iterator[Any]:
    """What stands under a dotted field: of a list of mappings, one value for each of them.

    A key may hold dots itself, as ``attack.pool`` does.
    """
    if not field:
        yield row
    elif isinstance(row, Mapping):
        steps = field.split(".")
        for depth in range(len(steps), 0, -1):
            key = ".".join(steps[:depth])
            if key in row:
                yield from values(row[key], ".".join(steps[depth:]))
                return
    elif isinstance(row, list):
        for item in row:
            yield from values(item, field)


def paths(row: Any, above: str = "") -> Iterator[str]:
    """All dotted fields of a row."""
    if isinstance(row, Mapping):
        for key, value in row.items():
            yield above + key
            yield from paths(value, f"{above}{key}.")
    elif isinstance(row, list):
        for item in row:
            if isinstance(item, Mapping):
                yield from paths(item, above)


def select(rows: Iterable[Row], conditions: Sequence[Condition], known: Iterable[str] = ()) -> list[Row]:
    """The rows that fulfil all conditions.

    Args:
        known: fields that may be asked about though no row has them.

    Raises:
        SearchError: a field that no row has, or a comparison of what is a number in none of them.
    """
    kept = list(rows)
    check_fields((each.field for each in conditions), kept, known)
    for each in conditions:
        if each.operator in ("<", "<=", ">", ">="):
            found = [value for row in kept for value in values(row, each.field)]
            if found and not any(True for value in found for _ in _numbers(value)):
                message = f"{each.field!r} is a number in no entry, and {each.operator} compares numbers"
                raise SearchError(f"{message} (use = or ~)")
    return [row for row in kept if all(matches(each, row) for each in conditions)]


def check_fields(fields: Iterable[str], rows: Sequence[Row], known: Iterable[str] = ()) -> None:
    """
    Raises:
        SearchError: a field that neither a row has nor is known.
    """
    wanted = list(fields)
    if not rows or not wanted:
        return
    there = {*known, *(path for row in rows for path in paths(row))}
    for field in wanted:
        if field not in there:
            parent, dot, _ = field.rpartition(".")
            near = [path for path in there if path.startswith(parent + dot)] if parent in there else there
            hint = suggestion(field, near)
            raise SearchError(f"no entry here has a field {field!r}" + (f" ({hint})" if hint else ""))


def ordered(rows: Iterable[Row], field: str) -> list[Row]:
    """Rows by a field: numbers first, then text, then those without it; from above with a ``-`` in front."""
    descending = field.startswith("-")
    name = field.removeprefix("-")
    with_value: list[tuple[tuple[int, float, str], Row]] = []
    without: list[Row] = []
    for row in rows:
        first = next((value for value in values(row, name) if _says(value)), None)
        if first is None:
            without.append(row)
        else:
            with_value.append((_rank(first), row))
    with_value.sort(key=lambda pair: pair[0], reverse=descending)
    return [*(row for _, row in with_value), *without]


def _rank(value: Any) -> tuple[int, float, str]:
    if isinstance(value, (int, float)):
        return 0, float(value), ""
    text = next(_texts(value), "")
    number = _number(text)
    return (0, number, text) if number is not None else (1, 0.0, text)


def _compare(one: float, operator: Operator, other: float) -> bool:
    if operator in ("<=", ">=") and one == other:
        return True
    return one < other if operator in ("<", "<=") else one > other


def _equal(value: Any, wanted: str) -> bool:
    if isinstance(value, bool):
        return _TRUTH.get(wanted.casefold()) is value
    if isinstance(value, (int, float)):
        return _number(wanted) == value
    return any(wanted.casefold() == text for text in _texts(value))


def _says(value: Any) -> bool:
    return value is not None and value not in ("", [], {})


def _texts(value: Any) -> Iterator[str]:
    """The words of a value in small letters: of a list those of its items, of a mapping its keys."""
    if isinstance(value, (list, Mapping)):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value).casefold()


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, str):
        number = _number(value)
        if number is not None:
            yield number
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


# --- Names ----------------------------------------------------------------------------------------------


_FEW = 6
"""Entries that a hint names, where several begin as a name does."""


def kind_of(word: str, known: Iterable[str] | None = None) -> str:
    """The kind (``weapons``) that a word means, which may be the name of one entry: ``weapon``.

    Raises:
        SearchError: there is no such kind.
    """
    kinds = list(entry_kinds() if known is None else known)
    for kind in kinds:
        if word.casefold() in (kind, entry_kinds()[kind]):
            return kind
    begun = [kind for kind in kinds if word and kind.startswith(word.casefold()[:3])]
    hint = f"did you mean {begun[0]!r}?" if len(begun) == 1 else suggestion(word, kinds)
    raise SearchError(f"there is no kind {word!r}" + (f" ({hint})" if hint else ""))


def by_ruleset(library: Library) -> dict[str, RulesetPacks]:
    """The entries of each ruleset that has a pack in the library."""
    rulesets = {pack.manifest.ruleset for pack in library.packs.values()}
    return {ruleset: library.ruleset_packs(ruleset) for ruleset in sorted(rulesets)}


def find(library: Library, name: str, ruleset: str | None = None) -> list[Entry]:
    """The entries that a name may mean: a full id, ``kind/slug``, a slug or a label. Former names serve too.

    Raises:
        SearchError: no entry is called so.
    """
    searched = [packs for id, packs in by_ruleset(library).items() if ruleset in (None, id)]
    if ":" in name:
        pack, _, rest = name.partition(":")
        kind, slash, slug = rest.partition("/")
        full = f"{pack}:{_singular(kind)}{slash}{slug}"
        found = [entry for packs in searched if (entry := packs.by_id(full))]
        if not found and full in library.removed:
            removal = library.removed[full]
            raise SearchError(f"{removal.pack} has removed {full}, at {removal.location.text()}")
    else:
        kind, _, slug = name.rpartition("/")
        kinds = [_singular(kind)] if kind else list(entry_kinds().values())
        found = [entry for packs in searched for one in kinds if (entry := packs.entry(one, slug))]
    found = found or [entry for entry in _all(searched) if entry.label.casefold() == name.casefold()]
    if not found:
        hint = _nearest(name, searched)
        raise SearchError(f"there is no entry {name!r}" + (f" ({hint})" if hint else ""))
    return found


def _singular(kind: str) -> str:
    return entry_kinds().get(kind, kind)


def _all(searched: Iterable[RulesetPacks]) -> Iterator[Entry]:
    for packs in searched:
        for kind in entry_kinds().values():
            yield from packs.entries(kind)


def _nearest(name: str, searched: Iterable[RulesetPacks]) -> str | None:
    """The known name that is most like this one, written in the same form."""
    entries = list(_all(searched))
    if ":" in name:
        return suggestion(name, (entry.id for entry in entries))
    if "/" in name:
        return suggestion(name, (f"{entry.kind}/{entry.slug}" for entry in entries))
    begun = (
        sorted({entry.slug for entry in entries if entry.slug.startswith(name.casefold())}) if name else []
    )
    if len(begun) > 1:
        more = f" and {len(begun) - _FEW} more" if len(begun) > _FEW else ""
        return f"those that begin so: {', '.join(begun[:_FEW])}{more}"
    return f"did you mean {begun[0]!r}?" if begun else suggestion(name, (entry.slug for entry in entries))
