"""The second opinion on imperium and the ruleset, at the same table: a throw of the one is worked out by the other."""

from __future__ import annotations

from typing import Any

import second_opinion_imperium
from imperium_play import asked
from second_opinions import DiffersError

from fracas.dice.sources import SeededDice
from fracas.kernel.readers import DefaultPolicy, RollRecord, resolve

Effects = set[tuple[str, str, str, int | None]]


def compare(procedure: str, situation: dict[str, Any], options: dict[str, Any], number: int) -> str:
    """Let the ruleset throw, and the calculator work out the same dice: facts, totals and effects are the same.

    Returns:
        The ``result`` of the outcome, or ``refused``.
    """
    request = asked(procedure, situation, options=options)
    prepared = request.procedure.prepare(request.attempt)
    example: dict[str, Any] = {
        "request": {"procedure": procedure, "situation": situation, "options": options},
        "dice": [],
    }
    if prepared.stage is None:
        theirs = {refusal.code for refusal in prepared.refusals}
        said = second_opinion_imperium.answer(example)
        assert said.refusals == theirs, (situation, said.refusals, theirs)
        return "refused"
    progress = resolve(prepared.stage, SeededDice(bytes(28) + number.to_bytes(4, "big")), DefaultPolicy())
    records = [record for record in progress.records if isinstance(record, RollRecord)]
    example["dice"] = [list(faces) for record in records for faces in record.dealt.faces]
    totals = {tally.to: tally.total for tally in prepared.tallies}
    outcome = dict(progress.details)
    try:
        said = second_opinion_imperium.answer(example)
    except DiffersError as differs:
        raise AssertionError((situation, example["dice"], totals, outcome)) from differs
    assert not said.refusals, (situation, said.refusals)
    for mine, facts in ((said.outcome, outcome), (said.totals, totals)):
        differing = {
            name: (mine[name], facts[name])
            for name in mine.keys() & facts.keys()
            if mine[name] != facts[name]
        }
        assert not differing, (situation, options, example["dice"], differing)
    here: Effects = {(one.type, one.who, one.what, one.amount) for one in progress.effects()}
    there: Effects = {
        (one["type"], one["who"], one["what"], one["amount"]) for one in said.then_so if "who" in one
    }
    assert here == there, (situation, options, example["dice"], here ^ there)
    return str(outcome.get("result", ""))
