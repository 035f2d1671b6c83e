"""Sample facts: facts under which a predicate holds, or fails.

A predicate that no facts make true is a contradiction, one that no facts make false says nothing; neither can be
seen by running it on some situation. The paths that a predicate reads take few values that make a difference: the
words it names and one other, true and false, numbers beside those it names. All their combinations are searched,
as far as they are still open: a predicate is three-valued, so that part of the facts often settles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from math import ceil, floor
from typing import Any, NamedTuple

from fracas.kernel.predicates import COMPARISONS, GROUPS, Facts, Predicate, Unknown
from fracas.kernel.vocabulary import Field, Vocabulary

__all__ = ["LIMIT", "MANY", "Domains", "Mentions", "Search", "domains", "search"]

LIMIT = 20_000
"""How often a predicate is judged before a search gives up."""

MANY = 8
"""Of more words than these a list holds one, two, all but one, or all: not every combination is searched."""


class Domains(NamedTuple):
    """The values that make a difference.

    Attributes:
        values: for each path that is read its values, the plainest first.
        complete: facts that none of their combinations stands for do not exist.
    """

    values: Mapping[str, Sequence[Any]]
    complete: bool


class Search(NamedTuple):
    """What a search found.

    Attributes:
        found: facts, each with a value for every path of the domains.
        complete: there are no others; so if none was found, there are none.
    """

    found: tuple[Facts, ...]
    complete: bool


class Mentions:
    """The paths that predicates and values read, in order, with the values that they are held against."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.constants: dict[str, list[Any]] = {}
        self.compared: list[tuple[str, str]] = []

    def predicate(self, raw: Any) -> Mentions:
        """Note what a predicate reads. It must be one that compiles without a fault."""
        if isinstance(raw, str):
            found = self._vocabulary.term(raw)
            if found is not None:
                self._note(found[0], [] if found[1] is True else [found[1]])
        elif isinstance(raw, list):
            for item in raw:
                self.predicate(item)
        elif isinstance(raw, Mapping):
            for operator, operand in raw.items():
                if operator in GROUPS:
                    self.predicate(operand)
                elif operator in COMPARISONS:
                    self._comparison(*operand)
        return self

    def value(self, raw: Any) -> Mentions:
        """Note what the value of a modifier reads."""
        if isinstance(raw, str):
            self._note(raw, [])
        elif isinstance(raw, Mapping):
            for operator, operands in raw.items():
                condition, rest = ([], operands) if operator != "if" else (operands[0], operands[1:])
                self.predicate(condition)
                for operand in rest:
                    self.value(operand)
        return self

    def _comparison(self, path: str, wanted: Any) -> None:
        if isinstance(wanted, str) and self._vocabulary.is_number(path):
            self._note(path, [])
            self._note(wanted, [])
            self.compared.append((path, wanted))
        else:
            self._note(path, wanted if isinstance(wanted, list) else [wanted])

    def _note(self, path: str, constants: list[Any]) -> None:
        known = self.constants.setdefault(path, [])
        known += [constant for constant in constants if constant not in known]


def domains(mentions: Mentions, vocabulary: Vocabulary) -> Domains:
    """The values of every path mentioned that make a difference to what mentions it."""
    values: dict[str, Sequence[Any]] = dict.fromkeys(mentions.constants, ())
    complete = True
    for path, constants in mentions.constants.items():
        field = vocabulary.fields[path]
        if field.type == "flag":
            values[path] = (False, True)
        elif field.type == "choice":
            others = [word for word in field.choices if word not in constants]
            values[path] = (*others[:1], *constants)
        elif field.type == "words":
            values[path] = _lists(constants)
            complete = complete and len(constants) <= MANY
    for group in _linked(mentions, vocabulary):
        values.update(_numbers([vocabulary.fields[path] for path in group], mentions))
    return Domains(values, complete)


def _lists(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Lists of some of the words, short ones first."""
    count = len(words)
    sizes = range(count + 1) if count <= MANY else (0, 1, 2, count - 1, count)
    return [chosen for size in sizes for chosen in combinations(words, size)]


def _linked(mentions: Mentions, vocabulary: Vocabulary) -> list[list[str]]:
    """The numbers mentioned, those together that are compared with one another."""
    groups = {path: [path] for path in mentions.constants if vocabulary.is_number(path)}
    for one, other in mentions.compared:
        if groups[one] is not groups[other]:
            groups[one] += groups[other]
            for path in groups[other]:
                groups[path] = groups[one]
    return list({id(group): group for group in groups.values()}.values())


def _numbers(fields: Sequence[Field], mentions: Mentions) -> dict[str, list[Any]]:
    """For numbers that are compared with constants and with one another: enough to take every order.

    As many whole numbers beside each constant and each bound as there are fields, and as many fractions between two
    of these as there are fields that may be fractions: whatever values the fields have, these can stand for them.
    """
    marks = [bound for field in fields for bound in (field.least, field.most)]
    lowest, highest = min(marks), max(marks)
    for field in fields:
        marks += [number for number in mentions.constants[field.path] if lowest <= number <= highest]
    count = len(fields)
    whole = {number for mark in marks for number in range(floor(mark) - count, ceil(mark) + count + 1)}
    fractions = sum(field.type == "number" for field in fields)
    points = sorted({*whole, *marks})
    between = [
        low + (high - low) * part / (fractions + 1)
        for low, high in pairwise(points)
        for part in range(1, fractions + 1)
    ]
    found: dict[str, list[Any]] = {}
    for field in fields:
        candidates: Iterable[float] = whole if field.type == "whole" else {*points, *between}
        allowed = (number for number in candidates if field.least <= number <= field.most)
        found[field.path] = sorted(allowed, key=_plainness)
    return found


def _plainness(number: float) -> tuple[bool, float, bool]:
    return number != int(number), abs(number), number < 0


def search(predicate: Predicate, within: Domains, *, holds: bool, most: int = 1) -> Search:
    """Up to `most` facts under which the predicate holds, or fails if `holds` is false.

    A path on which it does not depend in the end gets its plainest value.
    """
    paths = list(within.values)
    found: list[Facts] = []
    facts: dict[str, Any] = {}
    judged = 0

    def descend(depth: int) -> bool:
        """Whether the search goes on."""
        nonlocal judged
        judged += 1
        if judged > LIMIT:
            return False
        why = predicate(facts)
        if not isinstance(why, Unknown):
            if (why is None) is holds:
                found.append({path: facts.get(path, within.values[path][0]) for path in paths})
            return len(found) < most
        path = paths[depth]
        for value in within.values[path]:
            facts[path] = value
            if not descend(depth + 1):
                return False
        del facts[path]
        return True

    if not all(within.values.values()):  # a field that can have no value at all
        return Search((), within.complete)
    ended = descend(0)
    return Search(tuple(found), ended and within.complete)
