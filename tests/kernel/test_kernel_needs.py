"""What words of an action's needs ask: it holds, it does not, or it is not known."""

from __future__ import annotations

import pytest

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.needs import (
    Holds,
    all_known,
    has_left,
    in_condition,
    in_condition_towards,
    of_item,
    of_target,
)

FOE, OTHER = Participant("foe", "Foe", "b", False, {}), Participant("other", "Other", "b", False, {})


@pytest.mark.parametrize(
    ("need", "sheet", "target", "holds"),
    [
        (in_condition("prone"), {}, None, True),
        (in_condition("held"), {}, None, False),
        (in_condition("running", "runs"), {"runs": True}, None, True),
        (in_condition_towards("holding"), {}, None, True),
        (in_condition_towards("holding"), {}, FOE, True),
        (in_condition_towards("holding"), {}, OTHER, False),
        (in_condition_towards("prone"), {}, OTHER, True),
        (has_left("edge"), {}, None, None),
        (has_left("edge"), {"edge": 0}, None, False),
        (has_left("edge"), {"edge": 2}, None, True),
        (of_target(lambda one: one.id == "foe"), {}, None, None),
        (of_target(lambda one: one.id == "foe"), {}, FOE, True),
        (of_item(lambda intent: intent.item == "gun"), {}, None, True),
    ],
)
def test_what_a_need_asks(
    need: Holds, sheet: dict[str, object], target: Participant | None, holds: bool | None
) -> None:
    conditions = frozenset({"prone", "holding"})
    who = Participant("me", "Me", "a", True, sheet, conditions, towards={"holding": frozenset({"foe"})})
    intent = Intent({}, "gun", {}, {}, target, {})
    assert need(Table(1, 1, {"me": who}), who, intent) is holds


def test_of_several_the_worst_is_known_first() -> None:
    assert all_known(True, None, False) is False
    assert all_known(True, None) is None
    assert all_known(True, True) is True
