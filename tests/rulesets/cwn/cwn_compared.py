"""The second opinion on cwn and the ruleset, at the same table: a throw of the one is worked out by the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import second_opinion_cwn
from cwn_table import facts_of, prepare
from hypothesis import strategies as st
from second_opinion_cwn_rules import entries
from second_opinions import DiffersError, Entry

from fracas.dice.sources import SeededDice
from fracas.kernel.readers import DefaultPolicy, RollRecord, resolve


def slugs(kind: str, fits: Callable[[Entry], object]) -> st.SearchStrategy[str]:
    """One of the entries of a kind that fit. The pack is read when the first is drawn."""
    return st.deferred(
        lambda: st.sampled_from([slug for slug, entry in entries(kind).items() if fits(entry)])
    )


HOW_SHOCK_IS_KEPT = {"shock.ac", "shock.immunity"}
"""Totals that the ruleset keeps in a way of its own: 99 for any AC, a point for each thing that stops Shock."""


def compare(
    situation: dict[str, Any], options: dict[str, Any], number: int, procedure: str = "attack"
) -> None:
    """Let the ruleset throw, and the calculator work out the same dice."""
    prepared = prepare(situation, options, procedure=procedure)
    example: dict[str, Any] = {
        "request": {"procedure": procedure, "situation": situation, "options": options},
        "expect": {},
    }
    if prepared.stage is None:
        said = second_opinion_cwn.answer({**example, "dice": []})
        theirs = {refusal.code for refusal in prepared.refusals}
        assert said.refusals == theirs, (situation, said.refusals, theirs)
        return
    progress = resolve(prepared.stage, SeededDice(bytes(28) + number.to_bytes(4, "big")), DefaultPolicy())
    example["dice"] = [
        list(faces)
        for record in progress.records
        if isinstance(record, RollRecord)
        for faces in record.dealt.faces
    ]
    totals = {tally.to: tally.total for tally in prepared.tallies}
    outcome = facts_of(progress)
    try:
        said = second_opinion_cwn.answer(example)
    except DiffersError as differs:
        raise AssertionError((situation, example["dice"], totals, outcome)) from differs
    assert not said.refusals, (situation, said.refusals)
    for mine, facts in ((said.outcome, outcome), (said.totals, totals)):
        both = mine.keys() & facts.keys() - HOW_SHOCK_IS_KEPT
        differing = {name: (mine[name], facts[name]) for name in both if mine[name] != facts[name]}
        assert not differing, (situation, example["dice"], differing)
    marks = {
        (effect.type, effect.who, effect.what): effect.amount
        for effect in progress.effects()
        if effect.type in ("mark", "spend")
    }
    harm = {key: amount for key, amount in said.harm.items() if key[0] in ("mark", "spend")}
    assert marks == harm, (situation, example["dice"], marks, harm)
