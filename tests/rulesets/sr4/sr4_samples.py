"""Situations for every procedure of the ruleset: the pack's worked examples, and what its entries are tried out with.

A new procedure comes with examples, so that it is found here without being named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from sr4_table import GAME, entries, request

from fracas.engine import running
from fracas.engine.requests import Request
from fracas.errors import InputError
from fracas.kernel.ruleset import Prepared, Procedure
from fracas.kernel.tally import Tally

Data = dict[str, Any]
PROCEDURES: list[Procedure] = list(GAME.ruleset.procedures.values())
NUMBERS = {to for procedure in PROCEDURES for to in procedure.targets}
ENOUGH = 4
"""Samples of one procedure."""


def _situations() -> Iterator[tuple[str, Data]]:
    for example in entries("example"):
        asked = example.data["request"]
        yield asked["procedure"], {name: value for name, value in asked.items() if name != "procedure"}
    for kind in ("condition", "weapon", "ammunition", "combatant"):
        for entry in entries(kind):
            for trial in GAME.ruleset.trials(entry, GAME.shelf):
                yield trial.procedure, {"situation": dict(trial.situation)}


def asked(procedure: str, sample: Data, **more: Any) -> Request:
    """The request of a sample."""
    rest = {name: value for name, value in sample.items() if name not in ("situation", "ruleset")}
    return request(sample["situation"], procedure=procedure, **{**rest, **more})


def prepared(found: Request) -> Prepared:
    return running.prepare(found, found.asked)


@cache
def samples(procedure: str) -> tuple[Data, ...]:
    """Attempts that are possible, those with the most modifiers of the packs first, and no two with the same ones."""
    known: dict[tuple[tuple[str, str], ...], Data] = {}
    for name, sample in _situations():
        if name != procedure:
            continue
        try:
            found = prepared(asked(procedure, sample))
        except InputError:
            continue
        if found.stage is not None:
            known.setdefault(applied(found), sample)
    return tuple(known[key] for key in sorted(known, key=len, reverse=True)[:ENOUGH])


def applied(found: Prepared) -> tuple[tuple[str, str], ...]:
    """(tally, line) of everything that a pack, a hand or the rule adds to numbers that modifiers may name."""
    return tuple(
        (tally.to, entry.id)
        for tally in found.tallies
        for entry in tally.entries
        if tally.to in NUMBERS
        and entry.origin != "base"
        and entry.id != "floor"
        and entry.verdict in ("applied", "capped")
        and entry.value
    )


def with_edge(procedure: Procedure, sample: Data) -> Data:
    """The sample with a point of Edge, and two dice of it, for everybody in it."""
    situation = dict(sample["situation"])
    for record in procedure.vocabulary.records:
        said = situation.get(record)
        if said is None or f"{record}.edge_points" not in procedure.vocabulary.fields:
            continue
        fields: Mapping[str, Any] = {"use": said} if isinstance(said, str) else said
        situation[record] = {**fields, "edge": 2, "edge_points": 1}
    return {**sample, "situation": situation}


def is_pool(tally: Tally) -> bool:
    """Whether the number is thrown."""
    return not any(word in tally.to for word in _NO_DICE)


_NO_DICE = ("value", "burst", "rating", "compensation", "boxes", "armor", "rate", "structure", "threshold")
"""Parts of the names of numbers that are not thrown."""


def small(procedure: str, sample: Data, most: int = 2) -> Data:
    """The sample with modifiers by hand that leave few dice of every pool."""
    found = prepared(asked(procedure, sample))
    by_hand: list[Data] = [
        {"to": tally.to, "label": "Fewer dice", "value": max(-100, most - tally.total)}
        for tally in found.tallies
        if tally.total > most and tally.to in GAME.procedure(procedure).targets and is_pool(tally)
    ]
    # Parts of other numbers shrink those too: what was said first is corrected, once.
    again = prepared(asked(procedure, sample, modifiers=[*sample.get("modifiers", ()), *by_hand]))
    totals = {tally.to: tally.total for tally in again.tallies}
    for item in by_hand:
        if totals.get(item["to"], most) < most:
            item["value"] = min(100, item["value"] + most - totals[item["to"]])
    return {**sample, "modifiers": [*sample.get("modifiers", ()), *by_hand]}
