"""Faults of a situation: all of them are reported at once, and each of them once."""

from __future__ import annotations

import pytest

from fracas.errors import InputError, Problem
from fracas.kernel.required import Faults, in_place_of, lacks


def reported(faults: Faults, *, refused: bool = False) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        faults.check(refused=refused)
    return [(problem.path, problem.code) for problem in caught.value.problems]


def test_a_field_has_one_fault_of_a_kind() -> None:
    faults = Faults()
    faults.wrong("weapon.damage", "unknown-dice", "these are no dice")
    faults.wrong("weapon.damage", "unknown-dice", "nor are these")
    faults.wrong("weapon.damage", "too-many-dice", "there are 300 of them")
    faults.wrong("weapon.trauma_die", "unknown-dice", "these are no dice")
    assert reported(faults) == [
        ("situation.weapon.damage", "unknown-dice"),
        ("situation.weapon.damage", "too-many-dice"),
        ("situation.weapon.trauma_die", "unknown-dice"),
    ]


def test_what_is_refused_may_lack_something_and_may_not_be_wrong() -> None:
    faults = Faults()
    faults.need("target.body", "Body")
    faults.check(refused=True)
    faults.wrong("weapon.damage", "unknown-dice", "these are no dice")
    assert reported(faults, refused=True) == [("situation.weapon.damage", "unknown-dice")]
    assert len(reported(faults)) == 2


def test_faults_of_a_record_are_those_of_the_one_in_its_place() -> None:
    faults = Faults()
    with faults.collect({"target": "target_2"}):
        raise lacks("target.body", "Body")
    with faults.collect({"target": "target_2"}):
        raise InputError([Problem("situation.targeting", "unknown-word", "no such word")])
    assert reported(faults) == [
        ("situation.target_2.body", "missing-field"),
        ("situation.targeting", "unknown-word"),
    ]


def test_a_field_that_serves_in_place_of_another_is_a_hint() -> None:
    [problem] = lacks("target.reaction", "Reaction of the target | target.pool").problems
    assert problem == Problem(
        "situation.target.reaction",
        "missing-field",
        "the rule needs Reaction of the target",
        "or give target.pool",
    )


def test_one_of_several_stands_where_the_target_does() -> None:
    said = {"distance": 5, "target.body": 3, "target.prone": True, "target_2.body": 4, "target_3.body": 5}
    assert in_place_of(said, "target_2", without=("target_2", "target_3")) == {
        "distance": 5,
        "target.body": 4,
    }
    assert in_place_of(said, "target_2") == {
        "distance": 5,
        "target.body": 4,
        "target_2.body": 4,
        "target_3.body": 5,
    }
    assert in_place_of(said, "target") == said
    assert in_place_of(said, "target", without=("target_2",))["target.prone"]
