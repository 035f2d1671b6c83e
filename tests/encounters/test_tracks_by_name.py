"""Tracks that are one of several numbers of a field, such as the injuries of each location (`Track.key`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_play import Table

from fracas.encounters.effects import apply
from fracas.encounters.state import Combatant, State
from fracas.kernel.tracks import Track
from fracas.kernel.turns import TurnRules

RULES = cast(
    TurnRules,
    SimpleNamespace(tracks={"left": Track("hurt", key="left"), "right": Track("hurt", key="right", mark=-1)}),
)


def after(sheet: Mapping[str, Any], *effects: tuple[str, str, int]) -> Mapping[str, Any]:
    """The sheet after effects: type, track and amount."""
    one = Combatant("me", "Me", "us", False, False, False, "service", dict(sheet))
    told = [{"type": kind, "who": "me", "what": what, "amount": amount} for kind, what, amount in effects]
    state = apply(RULES, _state(one), told)
    return state.combatants["me"].sheet


def _state(one: Combatant) -> State:
    fields = {name: SimpleNamespace() for name in State._fields if name not in State._field_defaults}
    return State(**{**fields, "combatants": {one.id: one}})  # type: ignore[arg-type]


@given(
    st.dictionaries(st.sampled_from(("left", "right", "head")), st.integers(1, 5)),
    st.lists(st.tuples(st.sampled_from(("mark", "spend", "gain")), st.integers(0, 4)), max_size=6),
)
def test_points_add_up_and_never_fall_below_0(
    hurt: dict[str, int], changes: Sequence[tuple[str, int]]
) -> None:
    left = hurt.get("left", 0)
    for kind, amount in changes:
        left = max(0, left + (-amount if kind == "spend" else amount))
    found = after({"hurt": hurt}, *((kind, "left", amount) for kind, amount in changes))["hurt"]
    assert found.get("left", 0) == left
    assert {name: value for name, value in found.items() if name != "left"} == {
        name: value for name, value in hurt.items() if name != "left"
    }


def test_what_was_not_told_is_0_and_what_falls_to_0_is_no_longer_told() -> None:
    assert after({}, ("mark", "left", 2)) == {"hurt": {"left": 2}}
    assert after({"hurt": {"left": 2}}, ("spend", "left", 2)) == {"hurt": {}}
    assert after({"hurt": {"right": 3}}, ("mark", "right", 2)) == {"hurt": {"right": 1}}


def test_other_states_keep_their_sheet() -> None:
    before = {"hurt": {"left": 1}}
    after(before, ("mark", "left", 1))
    assert before == {"hurt": {"left": 1}}


@pytest.fixture
def table(tmp_path: Path) -> Any:
    made = Table(tmp_path, "imperium")
    yield made
    made.close()


def test_a_fight_shows_them_and_takes_them_back(table: Table) -> None:
    """Injury and bleeding of a location stand in the sheet, and undo and redo move them like anything else."""
    table.join("hive-guard", id="guard", dice="hand", asks=False)
    table.join("raw-juve", id="juve", side="others")
    said = {"injury": {"damage": 17, "location": "left-leg"}}  # T 52: 17 / 6 up 3, Serious
    table.begin()
    table.act("guard", "suffer-damage", situation=said)
    table.dice([60])  # system shock, 17 above 11: fails
    sheet = table.one("guard").sheet
    assert (sheet["injuries"], sheet["bleeding"]) == ({"left-leg": 3}, {"left-leg": 1})
    assert (sheet["injury_total"], sheet["stunned_actions"]) == (17, 2)
    assert table.shown("guard")["sheet"]["injuries"] == {"left-leg": 3}
    assert {"prone", "stunned", "leg-serious", "suffering"} <= set(table.conditions("guard"))
    while table.one("guard").sheet.get("injury_total"):
        table.do("undo")
    assert table.one("guard").sheet["injuries"] == {}
    assert table.conditions("guard") == []
    while not table.one("guard").sheet.get("injury_total"):
        table.do("redo")
    assert table.one("guard").sheet["injuries"] == {"left-leg": 3}
