"""A flag of a sheet that a condition owns is the condition: nobody lies prone beside it, and can never stand up."""

from __future__ import annotations

from pathlib import Path

import pytest
from sr4_phases import SOMEBODY, audited, settle
from table_play import Table

from fracas.encounters.effects import present

PEOPLE = {"sr4": "guard", "cwn": "gang-member", "sr5": "gate-guard", "imperium": "pit-fighter"}


@pytest.mark.parametrize("ruleset", PEOPLE)
def test_setting_it_by_hand_adds_and_removes_the_condition(ruleset: str, tmp_path: Path) -> None:
    table = Table(tmp_path, ruleset)
    id = table.join(PEOPLE[ruleset])
    table.do("set", combatant=id, fields={"prone": True})
    assert table.conditions(id) == ["prone"]
    assert "prone" not in table.one(id).sheet
    table.do("set", combatant=id, fields={"prone": False})
    assert table.conditions(id) == []
    assert not present(table.one(id)).get("prone")
    table.do("set", combatant=id, fields={"prone": True}, add=["prone"])
    assert table.conditions(id) == ["prone"]
    audited(table)
    table.close()


@pytest.mark.parametrize(
    ("ruleset", "given", "action"),
    [("sr5", {"score": 10, "world": "none"}, "stand-up"), ("imperium", {"initiative": 50}, "get-up")],
)
def test_whoever_is_set_prone_gets_up_in_earnest(
    ruleset: str, given: dict[str, object], action: str, tmp_path: Path
) -> None:
    """Before, the action was spent, and the sheet still said prone."""
    table = Table(tmp_path, ruleset)
    id = table.join(PEOPLE[ruleset])
    table.do("begin-turn", given={id: given})
    table.do("set", combatant=id, fields={"prone": True})
    assert present(table.one(id))["prone"] is True
    table.act(id, action)
    assert not present(table.one(id)).get("prone")
    table.close()


def test_whoever_joins_prone_can_stand_up(table: Table) -> None:
    table.join({**SOMEBODY, "name": "me", "prone": True}, id="me")
    assert table.conditions("me") == ["prone"]
    table.begin(me={"hits": 1})
    table.act("me", "stand-up")
    settle(table)
    assert not present(table.one("me")).get("prone")


def test_other_fields_are_set_beside_it(fight: Table) -> None:
    event = fight.do("set", combatant="me", fields={"prone": True, "body": 6})
    assert event.data["fields"] == {"body": 6}
    assert [effect["what"] for effect in event.data["effects"]] == ["prone"]
