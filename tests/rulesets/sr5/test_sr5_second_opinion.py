"""Every worked example of both packs is right twice: a calculator written from the rulebook agrees with it.

The golden examples of section 15 are listed: they are among the worked examples, or played.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import second_opinion_sr5
from late_packs import late
from second_opinion_sr5_people import CORE, HOUSE
from second_opinions import Entry, NotUnderstoodError, entries_of

from fracas.rulesets.sr5 import RULESET

EXAMPLES = late(
    lambda: {
        f"{pack}/{slug}": example
        for pack in (CORE, HOUSE)
        for slug, example in entries_of(pack, "examples").items()
    }
)
TESTS = Path(__file__).parents[2]


def differences(name: str, example: Entry | None = None) -> list[str]:
    """Where the calculator differs from an example, or from a changed one."""
    return second_opinion_sr5.differences(example or EXAMPLES[name], house=name.startswith(HOUSE))


@cache
def verdict(name: str) -> tuple[str, ...] | None:
    """Where the calculator differs from an example; None where it has no rule for it."""
    try:
        return tuple(differences(name))
    except NotUnderstoodError:
        return None


@pytest.mark.each("name", lambda: EXAMPLES)
def test_the_second_opinion_is_the_same(name: str) -> None:
    assert verdict(name) == ()


def test_it_knows_every_procedure_and_each_has_examples() -> None:
    used = {example["request"]["procedure"] for example in EXAMPLES.values()}
    assert used == set(second_opinion_sr5.PROCEDURES) == set(RULESET.procedures)


def tampered(example: Entry) -> Iterator[tuple[str, Entry]]:
    """The example with one number or word after the other made wrong, or a die added."""
    expect = example["expect"]
    for part in ("outcome", "totals"):
        for name, value in expect.get(part, {}).items():
            wrong = deepcopy(example)
            changed: Any = "?" if value is None or isinstance(value, str) else value + 1
            wrong["expect"][part][name] = not value if isinstance(value, bool) else changed
            yield f"{part}.{name}", wrong
    for at, effect in enumerate(expect.get("effects", ())):
        wrong = deepcopy(example)
        if isinstance(effect.get("amount"), int):
            wrong["expect"]["effects"][at]["amount"] += 1
        else:
            wrong["expect"]["effects"][at]["type"] = "something else"
        yield f"effects.{at}", wrong
    if expect.get("refusals"):
        yield "refusals", {**example, "expect": {**expect, "refusals": ["something_else"]}}
    elif expect.get("status") != "waiting":
        yield "dice", {**example, "dice": [*example.get("dice", ()), [1]]}


def test_it_notices_every_number_and_word_that_is_wrong() -> None:
    unnoticed = [
        (name, what)
        for name, example in EXAMPLES.items()
        for what, wrong in tampered(example)
        if not differences(name, wrong)
    ]
    assert unnoticed == []


def test_it_imports_nothing_of_the_service() -> None:
    for file in Path(__file__).parent.glob("second_opinion_sr5*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(alias.name.startswith("fracas") for alias in node.names), file
            elif isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("fracas"), file


# ----------------------------------------------------------------------------------------------------------------
# The golden examples of section 15

GOLDEN = {
    "B1": ("b1-alice", "b1-bob"),
    "B2": (),
    "B4": ("b4-initiate-on-kamikaze", "b4-kamikaze-alone"),
    "B5": ("b5-five-dice-at-most",),
    "B7": (),
    "B8": (),
    "B10": ("b10-kept-initiative",),
    "B11": ("b11-attack-limit-soak",),
    "B13": ("b13-graze",),
    "B14": ("b14-two-bursts-of-a-phase", "b14-next-phase", "b14-progressive-recoil"),
    "B16": ("b16-deferred-parry", "b16-without-parry"),
    "B17": ("b17-push-the-limit",),
    "B19": (),
    "B20": ("b20-wounds-lower-the-next-roll",),
    "B22": ("b22-two-light-rows", "b22-two-moderate-rows", "b22-two-heavy-rows", "b22-worst-row-alone"),
    "B23": ("b23-full-defense", "b23-second-attack", "b23-house"),
    "B25": ("b25-hot-sim",),
}
"""The golden examples and the worked examples that state them."""
TURNS, STEPS = "test_sr5_turns.py", "test_sr5_steps.py"
PLAYED = {
    "B1": ((TURNS, "test_b1_the_author_s_case_from_the_dice_on"),),
    "B2": ((TURNS, "test_b2_wired_two"),),
    "B4": ((TURNS, "test_b4_magic_tokens_pay_for_nothing_physical"),),
    "B7": ((TURNS, "test_b7_eric"), (TURNS, "test_b7_a_coin_at_last")),
    "B8": ((TURNS, "test_b8_a_free_action_in_every_phase"),),
    "B10": (
        (TURNS, "test_b10_initiative_is_kept"),
        (TURNS, "test_b10_wounds_may_lower_a_kept_score"),
    ),
    "B14": ((STEPS, "test_b14_recoil_counts_all_rounds_of_the_phase"),),
    "B16": ((STEPS, "test_she_parries"), (STEPS, "test_she_does_not_and_keeps_it_for_the_next_turn")),
    "B19": ((TURNS, "test_b19_seize"),),
    "B20": ((TURNS, "test_b20_wounds_lower_the_next_roll_only"),),
    "B23": (
        (TURNS, "test_b23_a_saved_full_defense"),
        (STEPS, "test_b23_full_defense_with_both_saved_actions"),
    ),
}
"""What of them only a fight shows, and the tests of fights that play it."""
SLUGS = late(lambda: {name.partition("/")[2]: name for name in EXAMPLES})


@pytest.mark.parametrize("golden", GOLDEN)
def test_golden_examples_are_among_the_worked_ones_or_played(golden: str) -> None:
    for slug in GOLDEN[golden]:
        assert slug.startswith(f"{golden.lower()}-")
        assert EXAMPLES[SLUGS[slug]]["source"] == {"ref": "rulebook-sr5", "section": "15"}
        assert verdict(SLUGS[slug]) == ()
    for file, test in PLAYED.get(golden, ()):
        tree = ast.parse((TESTS / "encounters" / file).read_text("utf-8"))
        assert test in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert GOLDEN[golden] or golden in PLAYED


def test_no_golden_example_is_unlisted() -> None:
    listed = {slug for stated in GOLDEN.values() for slug in stated}
    assert {slug for slug in SLUGS if re.match(r"b\d+-", slug)} == listed
    assert set(GOLDEN) >= set(PLAYED)


def test_there_are_many_examples_beyond_the_golden_ones() -> None:
    """At least 25 that throw dice, and all of them are worked out."""
    golden = {slug for stated in GOLDEN.values() for slug in stated}
    ours = [name for slug, name in SLUGS.items() if slug not in golden and EXAMPLES[name].get("dice")]
    assert len(ours) >= 25
    assert all(verdict(name) == () for name in ours)
