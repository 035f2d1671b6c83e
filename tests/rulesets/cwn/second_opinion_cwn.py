"""A second opinion: a small calculator of its own for the worked examples of cwn.

It was written from the rulebook and from the examples, before its author had read a stage of `fracas.rulesets.cwn`,
and imports nothing of it. Of the packs it reads plain YAML: who the people are, the printed figures of weapons and
armor. Every rule, every modifier and every order of steps stands here a second time. Where the rulebook decides nothing
it follows the reading of the ruleset, so that its agreement proves nothing there: which of two screeners with equal
totals is struck, what two NPCs make of a tie, that the gun of a tank adds an attribute while a rocket does not, the
blast of a rocket that misses, that non-lethal damage kills the Frail, when a Healer throws three dice.

`answer` takes an example and says what its outcome and its totals must be. It takes the example's dice in the order in
which it asks for them itself, so an example with other dice differs at once (`DiffersError`). What it has no rule for,
it says (`NotUnderstoodError`); a word that it does not know is never passed over in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from second_opinion_cwn_areas import blast, suppressive_fire
from second_opinion_cwn_attack import attack, whirlwind
from second_opinion_cwn_care import CARE
from second_opinion_cwn_checks import CHECKS
from second_opinion_cwn_maneuvers import MANEUVERS
from second_opinion_cwn_rules import Case, DiffersError, Entry, Facts, NotUnderstoodError

PROCEDURES = {
    "attack": attack,
    "whirlwind": whirlwind,
    "blast": blast,
    "suppressive-fire": suppressive_fire,
    **MANEUVERS,
    **CHECKS,
    **CARE,
}


class Answer(NamedTuple):
    """What the calculator says: refusal codes, or facts of the outcome, totals of numbers and amounts of effects."""

    refusals: frozenset[str]
    outcome: Facts
    totals: Facts
    harm: Mapping[tuple[str, str, str], int]


def answer(example: Entry) -> Answer:
    """What the rulebook says of an example.

    Errors: `NotUnderstoodError`, and `DiffersError` for dice that do not fit.
    """
    procedure = example["request"]["procedure"]
    if procedure not in PROCEDURES:
        raise NotUnderstoodError(f"procedure: {procedure}")
    case = Case(example)
    try:
        PROCEDURES[procedure](case)
    except KeyError as missing:
        raise NotUnderstoodError(f"not said: {missing}") from missing
    if not case.refusals and case.table.left_over():
        raise DiffersError("dice or decisions are left over")
    return Answer(frozenset(case.refusals), case.outcome, case.totals, case.harm)


def differences(example: Entry) -> list[str]:
    """Where the example expects something else; empty if the calculator agrees with all of it.

    Compared are refusals, outcome, totals, and of effects those that the calculator knows. Errors: `NotUnderstoodError`
    also for a fact that the calculator does not work out.
    """
    expect = example["expect"]
    try:
        said = answer(example)
    except DiffersError as differs:
        return [str(differs)]
    wanted = set(expect.get("refusals", []))
    if expect.get("status") == "refused" or said.refusals:
        return [] if wanted == said.refusals else [f"refused {sorted(said.refusals)}, not {sorted(wanted)}"]
    found = []
    for kind, facts in (("outcome", said.outcome), ("totals", said.totals)):
        for name, expected in expect.get(kind, {}).items():
            if name not in facts:
                raise NotUnderstoodError(f"{kind}: {name}")
            if facts[name] != expected:
                found.append(f"{name} is {facts[name]}, not {expected}")
    for effect in expect.get("effects", []):
        amount = said.harm.get((effect["type"], effect["who"], effect["what"]))
        if effect["type"] in {"mark", "spend", "gain", "item"} and amount != effect["amount"]:
            found.append(f"effect {effect}: {dict(said.harm)}")
    return found
