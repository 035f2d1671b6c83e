"""A flag of a sheet that a condition owns is the condition: nobody lies prone beside it, and can never stand up."""

from __future__ import annotations

from contextlib import closing
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


@pytest.mark.parametrize(
    ("ruleset", "field", "value", "slug"),
    [
        ("cwn", "traumatic_before", True, "traumatic-hit"),
        ("imperium", "concentrated", True, "concentrating"),
        ("imperium", "steady", True, "stimmed"),
        ("imperium", "warded", True, "holding-warding-sign"),
        ("sr4", "full_defense", "dodge", "full-dodge"),
        ("sr4", "magnification", True, "magnifying"),
        ("sr5", "active_defense", "dodge", "dodging"),
        ("sr5", "called_shot", True, "calling-a-shot"),
    ],
)
def test_a_field_is_the_condition_that_owns_it(
    ruleset: str, field: str, value: object, slug: str, tmp_path: Path
) -> None:
    with closing(Table(tmp_path, ruleset)) as table:
        id, comes = table.join(PEOPLE[ruleset]), "comes"
        table.do("set", combatant=id, fields={field: value})
        table.join({"use": PEOPLE[ruleset], field: value}, id=comes)
        for who in (id, comes):
            assert table.conditions(who) == [slug]
            assert field not in table.one(who).sheet
            assert present(table.one(who))[field] == value
            table.do("set", combatant=who, fields={field: None})
            assert table.conditions(who) == []
            assert not present(table.one(who)).get(field)
        audited(table)


def test_of_several_values_of_a_field_each_is_a_condition(table: Table) -> None:
    table.join("guard", id="me")
    for value, slug in (("dodge", "full-dodge"), ("gymnastics", "gymnastics-dodge")):
        table.do("set", combatant="me", fields={"full_defense": value})
        assert table.conditions("me") == [slug]
    table.do("set", combatant="me", fields={"full_defense": "none"})
    assert table.conditions("me") == []


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
