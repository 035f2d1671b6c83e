"""What a rule requires of a situation, and the one way to say that it is missing or wrong."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import repeat
from typing import Any

from fracas.errors import InputError, Problem

__all__ = [
    "INSTEAD",
    "MISSING",
    "ROOT",
    "WRONG_ENTRY",
    "Faults",
    "facts_of",
    "has_record",
    "in_place_of",
    "lacks",
    "missing",
    "renamed",
    "report_missing",
    "reported_as",
    "require",
]

MISSING = "missing-field"
"""The code of a field that a rule needs and that the situation does not have. One that is there is never called so."""
WRONG_ENTRY = "wrong-entry"
"""The code of a field that is there, and does not serve: ammunition that does not explode, where it has to."""
ROOT = "situation."
"""What the paths of faults begin with."""
INSTEAD = " | "
"""Between what a rule needs and the field that serves in its place: "Reaction of the target | target.pool"."""


def missing(path: str, what: str, *, there: bool = False) -> Problem:
    """The fault that a rule needs a field.

    Args:
        path: of the field or record, as in the vocabulary: ``attacker.agility``.
        what: what the rule needs, in people's words: "Agility of the attacker"; see `INSTEAD`.
        there: the situation has the field, but what it has does not serve.
    """
    needed, _, other = what.partition(INSTEAD)
    hint = f"or give {other}" if other else None
    return Problem(f"{ROOT}{path}", WRONG_ENTRY if there else MISSING, f"the rule needs {needed}", hint)


def lacks(path: str, what: str, *, there: bool = False) -> InputError:
    """The error that a rule needs a field, to be raised; see `missing`."""
    return InputError((missing(path, what, there=there),))


def require(facts: Container[str], needed: Iterable[tuple[str, str]]) -> None:
    """Check that fields are there; `needed`: (path, what the rule needs).

    Raises:
        InputError: some are missing; it names each once.
    """
    report_missing((path, what) for path, what in needed if path not in facts)


def has_record(facts: Iterable[str], record: str) -> bool:
    """Whether a situation has any field of a record."""
    return any(map(str.startswith, facts, repeat(f"{record}.")))


def facts_of(facts: Mapping[str, Any], record: str) -> dict[str, Any]:
    """What is given of a record, by the names of its fields."""
    start = f"{record}."
    return {path.removeprefix(start): fact for path, fact in facts.items() if path.startswith(start)}


def in_place_of(
    facts: Mapping[str, Any], record: str, other: str = "target", without: Collection[str] = ()
) -> dict[str, Any]:
    """A situation in which a record stands where another one does: one of several targets as if there were no other.

    Args:
        other: of which nothing is left.
        without: further records of which nothing is left, such as those of all targets.
    """
    if record == other and not without:
        return dict(facts)
    gone = tuple(f"{one}." for one in (other, *without))
    seen = {path: fact for path, fact in facts.items() if not path.startswith(gone)}
    return seen | {f"{other}.{name}": fact for name, fact in facts_of(facts, record).items()}


def report_missing(found: Iterable[tuple[str, str]], facts: Container[str] = ()) -> None:
    """The same of what was found to be missing, or to be there and not to serve.

    Raises:
        InputError: anything was.
    """
    absent: dict[str, str] = {}
    for path, what in found:
        absent.setdefault(path, what)
    if absent:
        raise InputError(missing(path, what, there=path in facts) for path, what in absent.items())


@contextmanager
def reported_as(names: Mapping[str, str]) -> Iterator[None]:
    """While it lasts, the faults of a record are reported of another one, which stands in its place.

    Args:
        names: the record that the request has, by the one that the rule sees: ``{"target": "target_2"}``.

    Raises:
        InputError: the faults.
    """
    try:
        yield
    except InputError as error:
        raise InputError(renamed(problem, names) for problem in error.problems) from None


def renamed(problem: Problem, names: Mapping[str, str]) -> Problem:
    """A fault of a record as one of the record that stands in its place; see `reported_as`."""
    record, dot, field = problem.path.removeprefix(ROOT).partition(".")
    if names.get(record, record) == record:
        return problem
    hint = problem.hint and problem.hint.replace(f"{record}.", f"{names[record]}.")
    return problem._replace(path=f"{ROOT}{names[record]}{dot}{field}", hint=hint)


class Faults:
    """What a situation lacks or contradicts, collected so that all of it is reported at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def need(self, path: str, what: str, *, there: bool = False) -> None:
        """Note that a field is missing; see `missing`."""
        self._note(missing(path, what, there=there))

    def wrong(self, path: str, code: str, message: str, hint: str | None = None) -> None:
        """Note that a field is there and wrong."""
        self._note(Problem(f"{ROOT}{path}", code, message, hint))

    @contextmanager
    def collect(self, names: Mapping[str, str] = {}) -> Iterator[None]:
        """While it lasts, the faults that are raised are noted; `names`: see `reported_as`."""
        try:
            yield
        except InputError as error:
            for problem in error.problems:
                self._note(renamed(problem, names))

    def _note(self, found: Problem) -> None:
        """Note a fault, once for each field and code."""
        if all(problem[:2] != found[:2] for problem in self.problems):
            self.problems.append(found)

    def check(self, *, refused: bool = False) -> None:
        """Raise everything found so far; of what is refused only what is wrong, not what it lacks.

        Raises:
            InputError: all of it.
        """
        found = [problem for problem in self.problems if not refused or problem.code != MISSING]
        if found:
            raise InputError(found)
