"""What a situation lacks, reported all at once.

A rule asks for a field where it needs it, and often cannot go on without. So an attempt that lacks something is made
again with sample answers, several times with different ones. A field that is asked for whatever the answers are is
reported with the rest; one that only some answers call for is left to the next round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from fracas.errors import InputError, Problem
from fracas.kernel.required import MISSING, ROOT
from fracas.kernel.ruleset import AttemptRequest, Prepared, Procedure
from fracas.kernel.vocabulary import EntryLookup, Field, Input

__all__ = ["FEWEST", "MOST", "ROUNDS", "prepare"]

FEWEST, MOST = 16, 24
"""How many samples are tried: one for each word of the longest choice that is asked for, within these bounds."""
ROUNDS = 12
"""How often a sample may be asked for more."""
_NUMBERS = (3, 1, 6, 2, 4)


def prepare(procedure: Procedure, request: AttemptRequest) -> Prepared:
    """The procedure made ready, as `Procedure.prepare` does it.

    Raises:
        InputError: the situation contradicts something that the rule needs, or lacks it: then every missing field that
            does not depend on the value of another; if a brief answer is asked for, only the first.
    """
    try:
        return procedure.prepare(request)
    except InputError as error:
        found = error.problems
    if not request.brief and any(problem.code == MISSING for problem in found):
        found = (*found, *_further(procedure, request, found))
    raise InputError(found)


class _Sample(NamedTuple):
    """One way to answer what is asked.

    Attributes:
        missing: what was asked for, by path.
        complete: the attempt is possible with these answers.
    """

    missing: Mapping[str, Problem]
    complete: bool


def _further(procedure: Procedure, request: AttemptRequest, found: Sequence[Problem]) -> Iterable[Problem]:
    """The missing fields that stand behind those found, whatever the answers to these are."""
    fields = procedure.vocabulary.fields
    longest = max((len(fields[path].choices) for path in map(_path, found) if path in fields), default=0)
    samples = [
        _sample(procedure, request, found, number) for number in range(min(max(longest, FEWEST), MOST))
    ]
    reported = [sample.missing for sample in samples if sample.complete] or [
        sample.missing for sample in samples
    ]
    known = {problem.path for problem in found}
    return [
        problem
        for path, problem in reported[0].items()
        if path not in known and all(path in others for others in reported)
    ]


def _sample(procedure: Procedure, request: AttemptRequest, found: Sequence[Problem], number: int) -> _Sample:
    """What is asked for when everything is answered with a sample value."""
    given = Input({**request.input.facts}, {**request.input.used})
    met: dict[str, Problem] = {}
    for _ in range(ROUNDS):
        fresh = [problem for problem in found if problem.code == MISSING and problem.path not in met]
        met.update((problem.path, problem) for problem in fresh)
        answers = [_answers(procedure, _path(problem), request.lookup, number) for problem in fresh]
        if not fresh or not all(more.facts for more in answers):
            break
        for more in answers:
            given.facts.update(more.facts)
            given.used.update(more.used)
        try:
            prepared = procedure.prepare(request._replace(input=Input({**given.facts}, {**given.used})))
        except InputError as error:
            found = error.problems
        else:
            return _Sample(met, prepared.stage is not None)
    return _Sample(met, False)


def _path(problem: Problem) -> str:
    return problem.path.removeprefix(ROOT)


def _answers(procedure: Procedure, path: str, lookup: EntryLookup, number: int) -> Input:
    """Facts that answer what is asked for; none where nothing does."""
    vocabulary = procedure.vocabulary
    field, record = vocabulary.fields.get(path), vocabulary.records.get(path.removesuffix(".use"))
    if field is not None and field.derived_from is None:
        values = _values(field, lookup)
        return Input({path: _pick(values, path, number)} if values else {}, {})
    entries = _spread(lookup.entries(record.entry_kind)) if record and record.entry_kind else ()
    if record is None or not entries:
        return Input({}, {})
    situation: dict[str, Any] = {"use": entries[number % len(entries)].slug}
    for part in reversed(record.path.split(".")):
        situation = {part: situation}
    return vocabulary.parse(situation, lookup)


def _pick(values: Sequence[Any], path: str, number: int) -> Any:
    """One of the values: of many each in its turn, of two or three mixed, so that no two fields go together."""
    turn = (
        number + crc32(path.encode()) if len(values) > len(_NUMBERS) else crc32(f"{number} {path}".encode())
    )
    return values[turn % len(values)]


def _values(field: Field, lookup: EntryLookup) -> Sequence[Any]:
    """Different values that a field may have, as facts."""
    match field.type:
        case "whole" | "number":
            known = [field.example] if field.example is not None else []
            return [v for v in (*known, *_NUMBERS) if field.least <= v <= field.most] or [int(field.least)]
        case "flag":
            return (True, False)
        case "choice":
            return field.choices
        case "words":
            return [(word,) for word in field.choices] or [()]
        case "text":
            return [field.example or "x"]
        case "ratings":
            rating = int(min(max(_NUMBERS[0], field.least), field.most))
            return ({}, dict.fromkeys(field.choices, rating))
        case "entry":
            return _spread(lookup.entries(field.entry_kind))
        case "entries":
            return [(entry,) for entry in _spread(lookup.entries(field.entry_kind))]


def _spread(entries: Sequence[Any]) -> Sequence[Any]:
    """Some of the entries, from everywhere among them."""
    return entries[:: -(-len(entries) // MOST)] if entries else ()
