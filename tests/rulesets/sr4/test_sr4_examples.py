"""Every worked example of the pack: it comes out, also step by step, and together they cover the modifiers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from sr4_table import GAMES, counts, entries, explain, odds, resolve, step

from fracas.engine import examples
from fracas.engine.running import Answer
from fracas.packs.entries import Entry
from fracas.rulesets.sr4 import RULESET


def marked(chosen: list[Entry]) -> list[Any]:
    """Parameters, named after the examples."""
    return [pytest.param(example, id=example.slug) for example in chosen]


def every() -> list[Any]:
    return marked(entries("example"))


def resolved() -> list[Any]:
    return marked(
        [one for one in entries("example") if one.data["expect"].get("status", "resolved") == "resolved"]
    )


def asked(example: Entry, *parts: str) -> dict[str, Any]:
    """The example's request with some of: dice, decisions."""
    return {**example.data["request"], **{part: example.data[part] for part in parts if part in example.data}}


@pytest.mark.each("example", every)
def test_example(example: Entry) -> None:
    assert examples.run(example, "sr4", GAMES).failures == ()


@pytest.mark.each("example", resolved)
def test_step_by_step_with_every_decision_asked_it_ends_alike(example: Entry) -> None:
    dice = list(example.data["dice"])
    wishes = list(example.data.get("decisions", ()))

    def roll(question: Mapping[str, Any]) -> Answer:
        groups = len(question["groups"])
        given = tuple(map(tuple, dice[:groups]))
        del dice[:groups]
        return Answer(dice=given)

    def choose(question: Mapping[str, Any]) -> str | None:
        for wish in wishes:
            known = {
                "decision": question["decision"],
                "by": question["by"],
                "roll": question["about"].get("roll", ""),
            }
            offered = wish["choose"] in [option["id"] for option in question["options"]]
            if offered and all(known[name] == value for name, value in wish.items() if name in known):
                wishes.remove(wish)
                return str(wish["choose"])
        return None

    answer, _ = step(**asked(example), choose=choose, roll=roll)
    expected = resolve(**asked(example, "dice", "decisions"))
    assert not dice
    assert not wishes
    assert answer["outcome"] == expected["outcome"]
    assert answer["effects"] == expected["effects"]
    assert answer["modifiers"] == expected["modifiers"]


@pytest.mark.each("example", resolved)
def test_its_outcome_is_among_the_odds(example: Entry) -> None:
    outcome = resolve(**asked(example, "dice", "decisions"))["outcome"]
    branches = odds(**asked(example, "decisions"))["branches"]
    assert branches
    for branch in branches:
        start = f"{branch['branch']}." if branch["branch"] else ""
        mine = {name.removeprefix(start): fact for name, fact in outcome.items() if name.startswith(start)}
        reached = sum(row["chance"] for row in branch["outcomes"])
        if branch["branch"] in PERHAPS:
            assert 0 < reached < 1
        else:
            assert reached == pytest.approx(1, abs=1e-12)
        if mine or branch["branch"] not in PERHAPS:
            rows = branch["outcomes"]
            assert any(row["chance"] > 0 and row["outcome"].items() <= mine.items() for row in rows)


PERHAPS = ("backlash", "shield")
"""Branches that only some throws reach: a glitch, a hit through somebody."""


@pytest.mark.parametrize(
    "number",
    [
        "01",
        "02",
        "04",
        "05",
        "07",
        "08",
        "10",
        "13",
        "14",
        "16",
        "17",
        "19",
        "20",
        "22",
        "25",
        "26",
        "28",
        "29",
        "31",
    ],
)
def test_the_rulebook_s_example_is_here(number: str) -> None:
    section = [example for example in entries("example") if example.slug.startswith(f"sr4-ex-{number}")]
    assert section
    assert all(example.meta["source"] == {"ref": "rulebook-sr4", "section": "17"} for example in section)


@cache
def seen() -> dict[str, set[bool]]:
    """For each modifier: whether it counts, over all examples of a procedure that it may apply to."""
    found: dict[str, set[bool]] = defaultdict(set)
    targets = {procedure.id: {*procedure.targets, f"{procedure.id}.refusal"} for procedure in procedures()}
    for example in entries("example"):
        answer = explain(**asked(example))
        counting = {line["id"] for tally in answer["modifiers"] for line in tally["entries"] if counts(line)}
        counting |= {refusal["source"].rpartition("/")[2] for refusal in answer.get("refusals", ())}
        for modifier in entries("modifier"):
            if targets[answer["procedure"]] & set(modifier.data["applies_to"]):
                found[modifier.slug].add(modifier.slug in counting)
    return found


def procedures() -> list[Any]:
    return list(RULESET.procedures.values())


TARGETS = {to for procedure in procedures() for to in (*procedure.targets, f"{procedure.id}.refusal")}
"""Of procedures; a worksheet has no examples."""


@pytest.mark.each(
    "modifier",
    lambda: [modifier for modifier in entries("modifier") if TARGETS & set(modifier.data["applies_to"])],
    ids=lambda modifier: modifier.slug,
)
def test_modifier_counts_in_some_example_and_not_in_another(modifier: Entry) -> None:
    assert seen()[modifier.slug] == {True, False}
