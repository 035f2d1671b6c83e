"""Each of the readings of section 14 of the rules reference is held by worked examples, or by a test of fights.

The rulebook has the same table.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from imperium_play import core

TESTS = Path(__file__).parents[2]

READINGS: dict[int, tuple[str, ...]] = {
    1: ("encounters/test_imperium_rounds.py: test_two_in_a_round",),
    2: ("a7-awareness", "c02-looking-around-is-halved", "awareness-walking-free"),
    3: ("a4-surprised", "a4-surprised-rounded-down", "a5-merged-shot", "halves-rounded-down"),
    4: ("a1-tie", "encounters/test_imperium_order.py: test_equal_margins_are_ties"),
    5: ("a2-mob", "surprised-test-with-modifier"),
    6: (
        "encounters/test_imperium_order.py: test_golden_orders",
        "encounters/test_imperium_order.py: test_passers_always_come_first_and_nobody_is_lost",
    ),
    7: (
        "c07-surprise-halves-the-test",
        "encounters/test_imperium_order.py: test_surprise_halves_what_is_tested",
    ),
    8: (
        "c08-the-attack-of-a-charge-is-whole",
        "c08-a-merged-charge-is-halved",
        "charge-merged-and-parried",
        "encounters/test_imperium_attacks.py: test_a_charge_is_one_action_with_its_blow",
    ),
    9: (
        "c09-one-of-two-merged-blows",
        "c09-no-two-blows-under-the-house-rule",
        "encounters/test_imperium_attacks.py: test_two_blows_in_one_action_are_both_halved",
        "encounters/test_imperium_rounds.py: test_house_rules_of_pairs",
    ),
    10: ("c10-strength-is-doubled-as-well", "grenade-among-three"),
    11: ("a11-extreme-and-merged", "a11-one-more-misses", "c11-rounded-after-each-half"),
    12: ("a13-power-weapon-breaks", "charge-merged-and-parried", "parry-with-a-weapon-too-heavy"),
    13: ("a8-bleeding-d3", "a8-bleeding-flat1", "a8-bleeding-flat2"),
    14: ("c14-the-one-who-staunches-tests", "a14-staunching"),
    15: (
        "c15-lowest-roll-of-the-one-body",
        "c15-highest-roll-of-the-one-body",
        "rulesets/imperium/test_imperium_pack.py: test_hit_locations_cover_every_roll_once",
    ),
    16: ("packs/test_rows.py: test_the_numbers_are_those_of_the_rulebook",),
    17: (
        "c17-a-pike-is-as-its-table-has-it",
        "packs/test_rows.py: test_the_numbers_are_those_of_the_rulebook",
    ),
}
"""By number of the question: slugs of examples, and tests as file and name."""


def names_in(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_there_are_seventeen() -> None:
    assert list(READINGS) == list(range(1, 18))


@pytest.mark.parametrize("number", READINGS)
def test_something_holds_it(number: int) -> None:
    examples = {entry.slug for entry in core().packs.entries("example")}
    assert READINGS[number]
    for holder in READINGS[number]:
        file, _, name = holder.partition(": ")
        assert name in names_in(file) if name else holder in examples, holder


def test_examples_of_readings_are_listed() -> None:
    named = [entry.slug for entry in core().packs.entries("example") if entry.slug.startswith("c")]
    numbered = {slug for slug in named if slug[1:3].isdigit()}
    assert numbered == {
        holder for held in READINGS.values() for holder in held if holder[0] == "c" and holder[1:3].isdigit()
    }
    for number, held in READINGS.items():
        assert all(int(holder[1:3]) == number for holder in held if holder in numbered)
