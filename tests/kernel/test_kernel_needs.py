"""What words of an action's needs ask: it holds, it does not, or it is not known."""

from __future__ import annotations

import pytest

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.needs import (
    Holds,
    all_known,
    friends_towards,
    has_left,
    in_condition,
    in_condition_towards,
    of_data,
    of_item,
    of_sheet,
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
        (of_data("modes", lambda modes: "SA" in modes), {}, None, True),
        (of_data("modes", lambda modes: "FA" in modes), {}, None, False),
        (of_data("feed", bool), {}, None, None),
        (of_sheet("edge", lambda edge: edge > 1), {}, None, None),
        (of_sheet("edge", lambda edge: edge > 1), {"edge": 1}, None, False),
        (of_sheet("edge", lambda edge: edge > 1), {"edge": 2}, None, True),
    ],
)
def test_what_a_need_asks(
    need: Holds, sheet: dict[str, object], target: Participant | None, holds: bool | None
) -> None:
    conditions = frozenset({"prone", "holding"})
    who = Participant("me", "Me", "a", True, sheet, conditions, towards={"holding": frozenset({"foe"})})
    intent = Intent({}, "gun", {}, {"modes": ("SS", "SA")}, target, {})
    assert need(Table(1, 1, {"me": who}), who, intent) is holds


def test_of_several_the_worst_is_known_first() -> None:
    assert all_known(True, None, False) is False
    assert all_known(True, None) is None
    assert all_known(True, True) is True


def test_friends_are_others_of_the_same_side_who_can_act() -> None:
    towards = {"in-melee": frozenset({"foe"})}
    me, friend = (Participant(id, id, "a", True, {}, towards=towards) for id in ("me", "friend"))
    away, down = friend._replace(id="away", towards={}), friend._replace(id="down", able=False)
    table = Table(1, 1, {one.id: one for one in (me, friend, away, down, FOE._replace(towards=towards))})
    assert friends_towards(table, me, FOE, "in-melee") == 1
    assert friends_towards(table, me, OTHER, "in-melee") == 0
