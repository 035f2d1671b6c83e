"""What the second opinions of all rulesets share: reading a pack as plain YAML, and holding an example against what a
calculator says of it. Nothing of the service is imported, here as there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from plain_yaml import data_of

PACKS = Path(__file__).parents[1] / "datapacks"

Entry = dict[str, Any]
Facts = dict[str, Any]


class NotUnderstoodError(Exception):
    """The calculator has no rule for something in the example."""


class DiffersError(Exception):
    """The dice or decisions of the example are not those that the calculator asks for."""


@cache
def entries_of(pack: str, kind: str) -> dict[str, Entry]:
    """All entries of a kind in a pack, by slug."""
    files = [*(PACKS / pack).glob(f"{kind}.yaml"), *sorted((PACKS / pack).glob(f"{kind}/*.yaml"))]
    return {entry["slug"]: entry for file in files for entry in data_of(file)["entries"]}


class Answer(NamedTuple):
    """What a calculator says.

    Attributes:
        refusals: codes.
        outcome: facts of the outcome; `totals`: of numbers.
        harm: amounts of effects by (type, who, what).
        then_so: effects that are no amounts, where the calculator works them out.
    """

    refusals: Collection[str]
    outcome: Facts
    totals: Facts
    harm: Mapping[tuple[str, str, str], int]
    then_so: Sequence[Entry] = ()


class _Dice(Protocol):
    def left_over(self) -> bool: ...


class _Case(Protocol):
    refusals: set[str]

    @property
    def table(self) -> _Dice: ...


C = TypeVar("C", bound=_Case)


def work_out(case: C, example: Entry, procedures: Mapping[str, Callable[[C], None]]) -> C:
    """Let the rules of an example's procedure work on it.

    Errors: `NotUnderstoodError`, and `DiffersError` for dice that do not fit.
    """
    procedure = example["request"]["procedure"]
    if procedure not in procedures:
        raise NotUnderstoodError(f"procedure: {procedure}")
    try:
        procedures[procedure](case)
    except KeyError as missing:
        raise NotUnderstoodError(f"not said: {missing}") from missing
    if not case.refusals and case.table.left_over():
        raise DiffersError("dice or decisions are left over")
    return case


def differences(example: Entry, answer: Callable[[Entry], Answer], amounts: Collection[str]) -> list[str]:
    """Where the example expects something else; empty if the calculator agrees with all of it.

    Compared are refusals, outcome, totals, the amounts of effects, and what else the calculator knows of effects.

    Args:
        amounts: types of effects whose amounts the calculator works out.

    Errors: `NotUnderstoodError` also for a fact that the calculator does not work out.
    """
    expect = example["expect"]
    try:
        said = answer(example)
    except DiffersError as differs:
        return [str(differs)]
    wanted = set(expect.get("refusals", []))
    if expect.get("status") == "refused" or said.refusals:
        refused = set(said.refusals)
        return [] if wanted == refused else [f"refused {sorted(refused)}, not {sorted(wanted)}"]
    found = []
    for kind, facts in (("outcome", said.outcome), ("totals", said.totals)):
        for name, expected in expect.get(kind, {}).items():
            if name not in facts:
                raise NotUnderstoodError(f"{kind}: {name}")
            if facts[name] != expected:
                found.append(f"{name} is {facts[name]}, not {expected}")
    for effect in expect.get("effects", []):
        if effect["type"] in amounts:
            so = said.harm.get((effect["type"], effect["who"], effect["what"])) == effect["amount"]
        else:
            so = not said.then_so or any(effect.items() <= one.items() for one in said.then_so)
        if not so:
            found.append(f"effect {effect}: {dict(said.harm)}, {said.then_so}")
    return found
