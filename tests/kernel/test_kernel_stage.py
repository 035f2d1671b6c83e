"""Stages as JSON and back, and the classes that may be stages."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_rules import Aim, Bleed, Climb, Done, Strike, Volley, Yield

from fracas.dice.pools import Opposed, Pool
from fracas.dice.totals import Total
from fracas.errors import StageCodecError
from fracas.kernel.readers import begin, choose
from fracas.kernel.stage import Effect, Fork, from_json, stage_class, to_json, used_up

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)


def with_fields(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Tuples and stages whose fields hold `values`; the codec does not mind whether they make sense."""
    return st.one_of(
        st.lists(values, max_size=4).map(tuple),
        st.builds(Done, values, values),
        st.builds(Aim, values, values),
        st.builds(Climb, values),
        st.builds(Fork, values),
        st.builds(Total, values, values, values, values),
        st.builds(Opposed, values, values, values),
        st.builds(Pool, values, values, values, values, values, values, values, values, values),
    )


VALUES = st.recursive(SCALARS, with_fields, max_leaves=20)
KINDS = st.sampled_from(
    ["", "fork", "pool", "opposed", "total", "toy.done", "toy.aim", "no.such", "sr4.side"]
)
GARBAGE = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
        | st.tuples(KINDS, st.lists(inner, max_size=10)).map(lambda pair: [pair[0], *pair[1]])
    ),
    max_leaves=25,
)


def through_json(value: Any) -> Any:
    return from_json(json.loads(json.dumps(to_json(value))))


# There and back.


@given(VALUES)
def test_whatever_a_stage_may_hold_survives_json(value: Any) -> None:
    # repr tells 1, 1.0 and True apart, and classes with equal fields.
    assert repr(through_json(value)) == repr(value)


@pytest.mark.parametrize(
    "stage",
    [
        Aim(3, (("guard", 5), ("giant", 9))),
        Volley(0, True, ()),
        Fork((("guard", Strike(2, 5)), ("giant", Fork((("head", Done(3, True)), ("foot", Yield(1))))))),
        Opposed(Pool(3, True, before=(4, 2)), Pool(0, bonus=2), "full"),
        Total(((1, 20), (2, 6)), -3, 15, True),
    ],
)
def test_stages_come_back_equal_and_with_the_same_hash(stage: Any) -> None:
    back = through_json(stage)
    assert back == stage
    assert hash(back) == hash(stage)
    assert type(back) is type(stage)


def test_the_json_of_a_stage_is_its_kind_and_its_fields() -> None:
    assert to_json(Strike(2, 5)) == ["toy.strike", 2, 5]
    assert to_json(Fork((("guard", Done(1)),))) == ["fork", ["", ["", "guard", ["toy.done", 1, False]]]]


def test_classes_with_equal_fields_stay_apart() -> None:
    assert through_json(Yield(2)) == Yield(2)
    assert Yield(2) != Bleed(2)
    assert through_json(Yield(2)) != Bleed(2)


# What is refused.


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (["no.such", 1], "no stage of kind 'no.such' with 1 fields"),
        (["toy.strike", 1], "no stage of kind 'toy.strike' with 1 fields"),
        (["toy.strike", 1, 2, 3], "no stage of kind 'toy.strike' with 3 fields"),
        (["toy.strike", 1, 2, "toy.strike"], "no stage of kind 'toy.strike' with 3 fields"),
        (["fork"], "no stage of kind 'fork' with 0 fields"),
        ([], "this is not the JSON of a stage"),
        ({}, "this is not the JSON of a stage"),
        ({"kind": "fork"}, "this is not the JSON of a stage"),
        ([1, 2], "this is not the JSON of a stage"),
        ([None], "this is not the JSON of a stage"),
        ([["fork"]], "this is not the JSON of a stage"),
        (["", {}], "this is not the JSON of a stage"),
        (["fork", ["", ["nested.unknown"]]], "no stage of kind 'nested.unknown' with 0 fields"),
        (b"fork", "this is not the JSON of a stage"),
        ((1, 2), "this is not the JSON of a stage"),
    ],
)
def test_json_that_is_no_stage_is_refused(data: Any, message: str) -> None:
    with pytest.raises(StageCodecError) as caught:
        from_json(data)
    assert caught.value.message == message


def nested(levels: int) -> list[Any]:
    data: list[Any] = [""]
    for _ in range(levels - 1):
        data = ["", data]
    return data


def test_json_is_read_forty_levels_deep_and_no_deeper() -> None:
    assert to_json(from_json(nested(40))) == nested(40)
    for levels in (41, 100, 100_000):
        with pytest.raises(StageCodecError, match="not the JSON of a stage"):
            from_json(nested(levels))


@given(GARBAGE)
def test_garbage_is_refused_or_read_without_loss(data: Any) -> None:
    try:
        value = from_json(data)
    except StageCodecError:
        return
    assert holds(to_json(value), json.loads(json.dumps(data)))


def holds(read: Any, given: Any) -> bool:
    """Whether all of what was given is in what was read, which may have more at the ends of its lists: defaults."""
    if not isinstance(given, list):
        return type(read) is type(given) and (read == given or read != read)
    if read[0] in ("", "=") and len(read) != len(given):
        return False
    return len(read) >= len(given) and all(map(holds, read, given))


def test_a_value_of_an_earlier_version_may_lack_what_has_a_default_since() -> None:
    assert from_json(["toy.done", 3]) == Done(3)
    for data in (["toy.done"], ["toy.done", 3, True, 1]):
        with pytest.raises(StageCodecError, match=f"no stage of kind 'toy.done' with {len(data) - 1} fields"):
            from_json(data)


class Unregistered(NamedTuple):
    kind: str = "toy.unregistered"


class Impostor(NamedTuple):
    """Says that it is another class."""

    damage: int
    yielded: bool = False
    kind: str = "toy.done"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Unregistered(), "Unregistered is not a stage class"),
        (Impostor(1), "Impostor is not a stage class"),
        (Effect("mark", "target", "stun", 1), "Effect is not a stage class"),
        (Done(1)._replace(kind="toy.aim"), "Done is not a stage class"),  # type: ignore[arg-type]
        ([1], "a stage cannot hold list"),
        ({}, "a stage cannot hold dict"),
        ({1}, "a stage cannot hold set"),
        (b"x", "a stage cannot hold bytes"),
        (1j, "a stage cannot hold complex"),
        ((1, (2, [3])), "a stage cannot hold list"),
        (Done([1]), "a stage cannot hold list"),  # type: ignore[arg-type]
    ],
)
def test_values_that_no_stage_may_hold_are_refused(value: Any, message: str) -> None:
    with pytest.raises(StageCodecError) as caught:
        to_json(value)
    assert caught.value.message == message


# Classes.


def test_two_classes_of_one_kind_are_refused() -> None:
    class First(NamedTuple):
        kind: str = "toy.twice"

    class Second(NamedTuple):
        kind: str = "toy.twice"

    stage_class(First)
    with pytest.raises(TypeError, match=r"two stage classes of kind 'toy\.twice'"):
        stage_class(Second)
    assert through_json(First()) == First()


def test_a_kind_of_the_kernel_cannot_be_taken() -> None:
    class Mine(NamedTuple):
        kind: str = "pool"

    with pytest.raises(TypeError, match="two stage classes of kind 'pool'"):
        stage_class(Mine)
    assert type(through_json(Pool(1))) is Pool


def test_a_class_without_a_kind_is_refused() -> None:
    class Kindless(NamedTuple):
        damage: int = 0

    with pytest.raises(TypeError, match="Kindless: the last field of a stage class is its kind"):
        stage_class(Kindless)


def test_a_class_whose_kind_has_no_default_is_refused() -> None:
    class Bare(NamedTuple):
        kind: str

    with pytest.raises(TypeError, match="Bare: the last field of a stage class is its kind"):
        stage_class(Bare)


def test_a_class_whose_kind_is_not_its_last_field_is_refused() -> None:
    class Early(NamedTuple):
        kind: str = "toy.early"
        damage: int = 0

    with pytest.raises(TypeError, match="Early: the last field of a stage class is its kind"):
        stage_class(Early)


def test_registering_a_class_again_changes_nothing() -> None:
    assert stage_class(Done) is Done
    assert through_json(Done(2)) == Done(2)


# Forks.


def test_a_fork_asks_for_its_first_open_branch() -> None:
    fork = Fork((("guard", Done(0)), ("giant", Strike(1, 4)), ("dwarf", Strike(2, 4))))
    assert fork.awaits == Strike(1, 4).awaits._replace(labels=("giant.strike",))
    after = fork.advance(False)
    assert after == Fork((("guard", Done(0)), ("giant", Done(0)), ("dwarf", Strike(2, 4))))
    assert after.awaits == Strike(2, 4).awaits._replace(labels=("dwarf.strike",))


def test_what_a_choice_in_a_branch_settles_is_named_after_the_branch() -> None:
    aim = Aim(3, 1)
    progress = begin(Fork((("guard", Done(0)), ("giant", aim))))
    assert progress.details["giant.style"] == "undecided"
    after = choose(progress, "wild")
    assert after.details["giant.style"] == "reckless"
    assert "style" not in after.details
    plain = Fork((("", aim),)).awaits
    assert plain == aim.awaits


def test_a_fork_is_an_outcome_once_all_its_branches_are() -> None:
    fork = Fork((("guard", Done(1)), ("giant", Done(2, True))))
    assert fork.awaits is None
    assert fork.notes() == {
        "guard.damage": 1,
        "guard.yielded": False,
        "giant.damage": 2,
        "giant.yielded": True,
    }
    assert [effect.amount for effect in fork.effects()] == [1, 2]


def test_a_branch_without_a_name_adds_none() -> None:
    fork = Fork((("", Strike(1, 4)), ("giant", Fork((("", Done(2)), ("head", Done(3)))))))
    assert fork.awaits == Strike(1, 4).awaits
    names = fork.advance(False).notes().keys()
    assert names == {
        "damage",
        "yielded",
        "giant.damage",
        "giant.yielded",
        "giant.head.damage",
        "giant.head.yielded",
    }


# Known faults.


def test_two_classes_of_one_kind_and_name_in_two_modules_are_refused() -> None:
    class First(NamedTuple):
        kind: str = "toy.same-name"

    class Second(NamedTuple):
        boxes: int = 0
        kind: str = "toy.same-name"

    for cls, module in ((First, "one"), (Second, "two")):
        cls.__module__, cls.__qualname__ = module, "Outcome"
    stage_class(First)
    with pytest.raises(TypeError):
        stage_class(Second)


def test_what_is_used_up_is_taken_from_the_state_of_the_item() -> None:
    assert [*used_up("attacker", "weapon", 3)] == [
        Effect("item", "attacker", "weapon", -3, (("state", "rounds"),))
    ]
    assert [*used_up("attacker", "weapon", 0)] == []
