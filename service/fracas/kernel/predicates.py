"""Predicates: when a modifier applies.

A predicate is a list, all of which must hold. Each item is a term, a word that the ruleset declares
(``attack:ranged``, ``attacker:running``), or a mapping with one operator::

    - attacker:running
    - any: [weapon:smartgun, weapon:laser-sight]
    - not: target:prone
    - gte: [distance, 16]
    - in: [target.cover, [partial, good]]

Operators: ``all any none not eq ne lt lte gt gte in``. Answers are three-valued: a predicate holds, fails
because of a term, or is unknown because the request did not say a field. The vocabulary is closed: an unknown
word is a fault with the nearest known word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from fracas.errors import Problem, nearest, suggestion

__all__ = [
    "COMPARISONS",
    "GROUPS",
    "OPERATORS",
    "Compiler",
    "Facts",
    "Failed",
    "Predicate",
    "Unknown",
    "Why",
    "Words",
    "all_of",
    "term_hint",
]

Facts = Mapping[str, Any]
"""What is known of a situation, by path; a fact that is absent is unknown."""


class Failed(NamedTuple):
    """The predicate is false because of this term."""

    term: str


class Unknown(NamedTuple):
    """The predicate cannot be judged: the request did not say this field."""

    field: str


Why = Failed | Unknown
"""Why a predicate does not hold."""
Predicate = Callable[[Facts], Why | None]
"""None when it holds."""

GROUPS = ("all", "any", "none", "not")
"""The operators that take predicates."""
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda left, right: left == right,
    "ne": lambda left, right: left != right,
    "lt": lambda left, right: left < right,
    "lte": lambda left, right: left <= right,
    "gt": lambda left, right: left > right,
    "gte": lambda left, right: left >= right,
    "in": lambda left, right: left in right,
}
"""The operators that take two values."""
OPERATORS = (*GROUPS, *COMPARISONS)
"""Every operator of a predicate."""


class Words(Protocol):
    """What the compiler learns from a ruleset's vocabulary."""

    def term(self, word: str) -> tuple[str, Any] | None:
        """The path a term reads and the value it must have (or hold), or None."""

    def terms(self) -> Iterable[str]:
        """Every term."""

    def paths(self) -> Iterable[str]:
        """The paths of the fields whose values can be compared."""

    def is_number(self, path: str) -> bool:
        """Whether the field at `path` holds a number."""

    def is_whole(self, path: str) -> bool:
        """Whether the field at `path` holds a whole number."""

    def is_list(self, path: str) -> bool:
        """Whether the field at `path` holds a list of words."""

    def choices(self, path: str) -> Sequence[str] | None:
        """The words that the field at `path` may hold; None when it holds no words."""

    def source_of(self, path: str) -> str:
        """The field a person fills in, from which `path` comes."""


class Compiler:
    """Turns raw predicates into functions, and collects faults.

    Attributes:
        problems: what was wrong; the path of each is where in the raw data, from `compile`'s root.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self.problems: list[tuple[tuple[str | int, ...], Problem]] = []

    def fault(self, path: tuple[str | int, ...], code: str, message: str, hint: str | None = None) -> None:
        """Report a fault of the raw data at `path`."""
        self.problems.append((path, Problem("", code, message, hint)))

    def unknown_word(self, path: tuple[str | int, ...], code: str, word: Any, known: Iterable[str]) -> None:
        """Report a word that is none of those known, with the nearest one."""
        self.fault(path, code, f"{word!r} is not known here", suggestion(word, known))

    def source_of(self, path: str) -> str:
        return self._words.source_of(path)

    def number(self, name: str, path: tuple[str | int, ...], fractional: bool) -> bool:
        """Whether `name` is a declared number, whole unless `fractional`; reports it if not."""
        if name not in set(self._words.paths()):
            self.unknown_word(path, "unknown-path", name, self._words.paths())
            return False
        if not self._words.is_number(name):
            self.fault(path, "not-a-number", f"{name} is no number")
            return False
        if not fractional and not self._words.is_whole(name):
            self.fault(path, "not-whole", f"{name} may be a fraction", "round it with floor or ceil")
            return False
        return True

    def items(self, raw: Any, path: tuple[str | int, ...] = ()) -> list[Predicate]:
        """The items of a list, each for itself, or a single item."""
        if not isinstance(raw, list):
            return [self.predicate(raw, path)]
        return [self.predicate(item, (*path, at)) for at, item in enumerate(raw)]

    def predicate(self, raw: Any, path: tuple[str | int, ...] = ()) -> Predicate:
        """All items of a list, or a single item."""
        if isinstance(raw, list):
            return all_of(self.items(raw, path))
        if isinstance(raw, str):
            return self._term(raw, path)
        if isinstance(raw, Mapping) and len(raw) == 1:
            (operator, operand), *_ = raw.items()
            if operator in GROUPS:
                return self._group(operator, operand, (*path, operator))
            if operator in COMPARISONS:
                return self._comparison(operator, operand, (*path, operator))
            self.unknown_word((*path, operator), "unknown-operator", operator, OPERATORS)
        else:
            self.fault(path, "bad-predicate", "a predicate is a term, or a mapping with one operator")
        return _never

    def _term(self, word: str, path: tuple[str | int, ...]) -> Predicate:
        found = self._words.term(word)
        if found is None:
            hint = term_hint(word, self._words.terms())
            self.fault(path, "unknown-term", f"{word!r} is not known here", hint)
            return _never
        name, wanted = found
        failed, unknown = Failed(word), Unknown(self._words.source_of(name))
        holds_many = (self._words.choices(name) is not None) and wanted is not True

        def check(facts: Facts) -> Why | None:
            value = facts.get(name)
            if value is None:
                return unknown
            if value == wanted or (holds_many and not isinstance(value, str) and wanted in value):
                return None
            return failed

        return check

    def _group(self, operator: str, operand: Any, path: tuple[str | int, ...]) -> Predicate:
        if operator == "not":
            return _not(self.predicate(operand, path), _shown({operator: operand}))
        if not isinstance(operand, list) or not operand:
            self.fault(path, "bad-predicate", f"{operator} takes a list of predicates")
            return _never
        parts = [self.predicate(item, (*path, at)) for at, item in enumerate(operand)]
        if operator == "all":
            return all_of(parts)
        anyone = _any(parts, _shown({"any": operand}))
        return anyone if operator == "any" else _not(anyone, _shown({operator: operand}))

    def _comparison(self, operator: str, operand: Any, path: tuple[str | int, ...]) -> Predicate:
        if not isinstance(operand, list) or len(operand) != 2 or not isinstance(operand[0], str):
            self.fault(path, "bad-predicate", f"{operator} takes a list of a path and a value")
            return _never
        name, wanted = operand
        if name not in set(self._words.paths()):
            self.unknown_word((*path, 0), "unknown-path", name, self._words.paths())
            return _never
        if self._words.is_list(name):
            hint = f"write {name}:<word>"
            self.fault((*path, 0), "wrong-type", f"{name} is a list, which {operator} cannot compare", hint)
            return _never
        other = self._right_side(operator, name, wanted, path)
        failed, unknown = Failed(_shown({operator: operand})), Unknown(self._words.source_of(name))
        other_unknown = Unknown(self._words.source_of(wanted)) if other else unknown
        compare = COMPARISONS[operator]

        def check(facts: Facts) -> Why | None:
            value = facts.get(name)
            if value is None:
                return unknown
            if other is None:
                return None if compare(value, wanted) else failed
            against = facts.get(other)
            if against is None:
                return other_unknown
            return None if compare(value, against) else failed

        return check

    def _right_side(self, operator: str, name: str, wanted: Any, path: tuple[str | int, ...]) -> str | None:
        """The path to compare with, or None where `wanted` is a plain value; reports a value of the wrong kind."""
        choices = self._words.choices(name)
        here = (*path, 1)
        if operator == "in" and not isinstance(wanted, list):
            self.fault(here, "bad-predicate", "in takes a path and a list of values")
            return None
        values = (
            [((*here, at), value) for at, value in enumerate(wanted)]
            if operator == "in"
            else [(here, wanted)]
        )
        if self._words.is_number(name):
            if (
                isinstance(wanted, str)
                and wanted in set(self._words.paths())
                and self._words.is_number(wanted)
            ):
                return wanted
            for place, value in values:
                if isinstance(value, bool) or not isinstance(value, (int, float)):
                    self.fault(place, "wrong-type", f"{name} is a number, and {value!r} is none")
            return None
        if operator not in ("eq", "ne", "in"):
            self.fault(path, "wrong-type", f"{operator} compares numbers, and {name} is none")
        for place, value in values:
            if choices is not None:
                if value not in choices:
                    self.unknown_word(place, "unknown-choice", value, choices)
            elif not isinstance(value, bool):
                self.fault(place, "wrong-type", f"{name} is true or false, and {value!r} is neither")
        return None


_MOST_NAMED = 40
"""Words that a hint names."""


def term_hint(word: str, known: Iterable[str]) -> str | None:
    """The term that is meant; of a known record or field, or what it has if no word of it is like this one."""
    known = list(known)
    record, colon, name = word.rpartition(":")
    names = [term.removeprefix(f"{record}:") for term in known if term.rpartition(":")[0] == record]
    if not colon or not names:
        return suggestion(word, known)
    near = nearest(name, names)
    if near is not None:
        return f"did you mean {f'{record}:{near}'!r}?"
    more = [f"and {len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return f"{record} has: {', '.join([*names[:_MOST_NAMED], *more])}"


def _never(facts: Facts) -> Why | None:
    return Failed("a faulty predicate")


def all_of(parts: list[Predicate]) -> Predicate:
    """Holds where all parts do; a part that fails counts before one that is unknown."""
    if len(parts) == 1:
        return parts[0]

    def check(facts: Facts) -> Why | None:
        unknown = None
        for part in parts:
            why = part(facts)
            if why is not None:
                if isinstance(why, Failed):
                    return why
                unknown = unknown or why
        return unknown

    return check


def _any(parts: list[Predicate], shown: str) -> Predicate:
    failed = Failed(shown)

    def check(facts: Facts) -> Why | None:
        unknown = None
        for part in parts:
            why = part(facts)
            if why is None:
                return None
            if isinstance(why, Unknown):
                unknown = unknown or why
        return unknown or failed

    return check


def _not(part: Predicate, shown: str) -> Predicate:
    failed = Failed(shown)

    def check(facts: Facts) -> Why | None:
        why = part(facts)
        if why is None:
            return failed
        return why if isinstance(why, Unknown) else None

    return check


def _shown(raw: Any) -> str:
    """A predicate as one short line."""
    if isinstance(raw, Mapping):
        return ", ".join(f"{key}: {_shown(value)}" for key, value in raw.items())
    if isinstance(raw, list):
        return "[" + ", ".join(map(_shown, raw)) + "]"
    if isinstance(raw, bool):
        return str(raw).lower()
    return str(raw)
