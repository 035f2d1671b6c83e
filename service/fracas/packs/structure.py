"""The structural check of pack files: each against the JSON Schema of its kind, with the place of every fault.

Entries that are right are cleared by a quick check; jsonschema judges the rest, by the schemas' closed form, and is
imported only then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from fracas.errors import InputError, Problem
from fracas.packs.attached import schema_of_attached
from fracas.packs.schema_flattening import closed
from fracas.packs.schema_quick import Check, quick_check
from fracas.packs.shipped import shipped
from fracas.packs.structure_faults import faults
from fracas.packs.structure_wording import CODES, MAX_FAULTS, Error, Fault, Path
from fracas.packs.yaml_source import Located

__all__ = ["CODES", "structure_problems"]


def structure_problems(located: Located, kind: str) -> list[Problem]:
    """All faults of a file's structure, in the order of the text; none if its schema accepts it.

    Args:
        kind: ``pack`` for a manifest, the path of a file that holds no entries (`attached`), else a key of KINDS.

    Returns:
        Problems whose path is ``name:line:column`` and whose code is one of CODES: an unknown field's key, a missing
        field's mapping at its first key, or the wrong value. Beyond MAX_FAULTS a last one says that there are more.

    Raises:
        KeyError: there is no schema of this kind.
    """
    return _placed(find_faults(located.data, kind), located)


def find_faults(data: Any, kind: str) -> list[Fault]:
    """The faults of a file's data, with paths for places; when there are more than MAX_FAULTS the search ends."""
    attached = schema_of_attached(kind)
    if attached is not None:
        return faults(lambda value: _errors(attached, value), data, ())
    frame, forms = _judges(kind)
    found = frame.faults(data, ())
    if not forms or not isinstance(data, Mapping) or not isinstance(data.get("entries"), list):
        return found
    ruleset = data.get("ruleset")
    form = forms.get(ruleset if isinstance(ruleset, str) else None) or forms[None]
    for at, entry in enumerate(data["entries"]):
        found += form.faults(entry, ("entries", at))
        if len(found) > MAX_FAULTS:
            break
    return found


class _Judge(NamedTuple):
    """A closed form with its two ways of checking."""

    form: Mapping[str, Any]
    clears: Check
    validate: Callable[[], Callable[[Any], Iterable[Error]]]

    def faults(self, value: Any, inside: Path) -> list[Fault]:
        return [] if self.clears(value) else faults(self.validate(), value, inside)


def _judge(form: Mapping[str, Any]) -> _Judge:
    @cache
    def validate() -> Callable[[Any], Iterable[Error]]:
        errors: Callable[[Any], Iterable[Error]] = _validator_of(form).iter_errors
        return errors

    return _Judge(form, quick_check(form), validate)


@cache
def _judges(kind: str) -> tuple[_Judge, Mapping[str | None, _Judge]]:
    frame, entries = closed(kind)
    return _judge(frame), {ruleset: _judge(form) for ruleset, form in entries.items()}


def _errors(schema: str, value: Any) -> Iterator[Error]:
    """What a schema that is used as it is finds; of several ways to write a value, as for the one probably meant."""
    for error in _validator(schema).iter_errors(value):
        yield min(_leaves(error), key=lambda leaf: (leaf.validator == "type", -len(leaf.absolute_path)))


def _leaves(error: Error) -> Iterator[Error]:
    if not error.context:
        yield error
    for inner in error.context or ():
        yield from _leaves(inner)


@cache
def _validator(schema: str) -> Any:
    return _validator_of(json.loads((shipped("schemas") / schema).read_text("utf-8")))


def _validator_of(schema: Mapping[str, Any]) -> Any:
    """
    Raises:
        InputError: this Python has no validator, as in a page; data without faults needs none.
    """
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        message = (
            "something in the pack does not fit its schema, and only `fracas check` on a computer can name it"
        )
        raise InputError.one("", "check-elsewhere", message) from None
    return Draft202012Validator(schema)


def _placed(found: list[Fault], located: Located) -> list[Problem]:
    placed = sorted(
        ((_position(fault, located), fault) for fault in found[:MAX_FAULTS]), key=lambda pair: pair[0]
    )
    problems = [
        Problem(f"{located.name}:{line}:{column}", fault.code, fault.message, fault.hint)
        for (line, column), fault in placed
    ]
    if len(found) > MAX_FAULTS:
        message = f"there are more faults; these are {MAX_FAULTS} of them"
        problems.append(Problem(problems[-1].path, "too-many-problems", message))
    return problems


def _position(fault: Fault, located: Located) -> tuple[int, int]:
    path = fault.path
    if fault.code == "missing-field":
        value = located.data
        for step in path:
            value = value[step]
        if value:
            return located.position((*path, next(iter(value))), of_key=True)
    return located.position(path, of_key=fault.of_key)
