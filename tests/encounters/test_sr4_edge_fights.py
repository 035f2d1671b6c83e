"""Burned Edge and the Edge of helpers in fights: whose question it is, who pays, and what is left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from table_play import OpenTable, Table

from fracas.encounters import effects
from fracas.encounters.audit import verify
from fracas.encounters.log import log_json
from fracas.errors import ForbiddenError, InputError
from fracas.rulesets.sr4.fights.turns import CombatTurn

SHOT: dict[str, Any] = {"action": "fire-semi-automatic", "situation": {"distance": 4}}
BURN = {"decision": "edge-before", "choose": "burn"}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """Rook shoots at Vex; each is a player's own."""
    table = open_table()
    table.join("rook", side="one", player=True)
    table.join("vex", side="other", player=True)
    table.do("set", combatant="rook", asks=False)
    table.begin(rook={"hits": 5}, vex={"hits": 0})
    return table


def edge(table: Table, id: str) -> tuple[int, int]:
    sheet = table.one(id).sheet
    return sheet["edge"], sheet["edge_points"]


def shoot(table: Table, *decisions: Any, **more: Any) -> None:
    table.act("rook", target="vex", decisions=list(decisions), **{**SHOT, **more})


def to_the_defense(table: Table) -> None:
    """No reaction; the question is that of the defense."""
    table.answer("none", owner="vex")
    question = table.question("vex")
    assert (question["decision"], question["about"]["roll"]) == ("edge-before", "defense")


def audited(table: Table) -> None:
    report = verify(json.loads(json.dumps(log_json(table.encounters, table.id, table.gm))))
    assert report.ok, report.first_difference


def test_who_defends_burns_his_own_edge(table: Table) -> None:
    shoot(table)
    to_the_defense(table)
    offered = {option["id"]: option["cost"] for option in table.question()["options"]}
    assert offered == {"none": {}, "push": {"edge": 1}, "burn": {"edge-attribute": 1}}
    before = table.one("vex").sheet["physical"]
    table.answer("burn", by=table.player("vex"))
    assert not table.steps()
    assert edge(table, "vex") == (3, 3)  # of 4 points no more are left than the attribute has
    assert edge(table, "rook") == (3, 3)
    assert table.one("vex").sheet["physical"] == before
    assert table.one("vex").sheet["defenses_made"] == 1
    audited(table)
    table.do("undo", steps=1)
    assert edge(table, "vex") == (4, 4)


def test_fewer_points_stay_as_they_are(table: Table) -> None:
    table.do("set", combatant="vex", fields={"edge_points": 1})
    shoot(table)
    to_the_defense(table)
    table.answer("burn")
    assert edge(table, "vex") == (3, 1)


def test_who_has_no_points_left_is_not_asked(table: Table) -> None:
    table.do("set", combatant="vex", fields={"edge_points": 0, "reaction": 0, "unaware": True})
    shoot(table)
    table.answer("none", owner="vex")
    assert not [step for step in table.steps() if step.question and step.question["owners"] == ["vex"]]


def test_who_has_no_points_left_and_wants_to_be_asked_resists_everything(table: Table) -> None:
    fields = {"edge_points": 0, "burns_edge": True, "reaction": 0, "unaware": True}
    table.do("set", combatant="vex", fields=fields)
    shoot(table, modifiers=[{"to": "attack.pool", "label": "Sure", "value": 30}])
    table.answer("none", owner="vex")
    question = table.question("vex")
    assert (question["about"]["roll"], [option["id"] for option in question["options"]]) == (
        "soak",
        ["none", "burn"],
    )
    table.answer("burn", by=table.player("vex"))
    assert table.one("vex").sheet["physical"] == table.one("vex").sheet["stun"] == 0
    assert edge(table, "vex") == (3, 0)
    audited(table)


def test_nobody_burns_the_edge_of_somebody_else(table: Table) -> None:
    rook = table.player("rook")
    with pytest.raises(ForbiddenError, match=r"decisions\[0\]\.by"):
        shoot(table, {**BURN, "by": "target"}, by=rook)
    with pytest.raises(InputError):
        shoot(table, situation={"distance": 4, "target": {"burn_edge": True}}, by=rook)
    shoot(table, {**BURN, "roll": "defense"}, by=rook)  # without a name it is his own
    to_the_defense(table)
    with pytest.raises(ForbiddenError):
        table.answer("burn", by=rook)
    with pytest.raises(ForbiddenError):
        table.answer("burn", by=table.observer)
    assert edge(table, "vex") == (4, 4)


def test_nobody_says_that_somebody_else_burns_in_his_own_attack(table: Table) -> None:
    """The field of whoever acts goes with the action, which is not another player's to take."""
    said = {"distance": 4, "attacker": {"burn_edge": True}}
    with pytest.raises(ForbiddenError):
        shoot(table, situation=said, by=table.player("vex"))
    shoot(table, situation=said, by=table.player("rook"))
    to_the_burning(table)
    assert edge(table, "rook") == (2, 2)


def to_the_burning(table: Table) -> None:
    """Vex lets it happen: against burned Edge nothing but burned Edge is offered for the defense."""
    table.answer("none", owner="vex")
    question = table.question("vex")
    assert [option["id"] for option in question["options"]] == ["none", "burn"]
    while table.steps():
        table.answer("none")


def test_what_is_gone_cannot_be_burned(table: Table) -> None:
    shoot(table)
    to_the_defense(table)
    table.do("set", combatant="vex", fields={"edge": 0})
    reasons = table.refused("answer", question=table.question()["id"], choose="burn")
    assert reasons == [("cannot-pay", "Vex has no edge attribute left for it")]


@pytest.mark.parametrize(("least", "left"), [(1, 2), (60, 3)])
def test_a_policy_burns_only_in_its_case(table: Table, least: int, left: int) -> None:
    """Rook's player says beforehand what is worth a point for ever."""
    policy = {**BURN, "by": "attacker", "roll": "attack", "when": {"pool": {"at_least": least}}}
    table.do("set", combatant="vex", asks=False)
    shoot(table, policy, by=table.player("rook"))
    assert edge(table, "rook") == (left, left)


def test_the_points_of_a_crowd_are_no_attribute_s(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.join("rook", side="runners", asks=False)
    for id in ("one", "two"):
        table.join({"use": "guard", "edge": 1, "edge_points": 4, "edge_group": "gang"}, id=id, asks=True)
    table.begin(rook={"hits": 5}, one={"hits": 0}, two={"hits": 0})
    table.act("rook", target="one", **SHOT)
    if table.question()["kind"] == "reaction":
        table.answer("none")
    table.answer("burn")
    while table.steps():
        table.answer("none")
    assert edge(table, "one") == (0, 4)
    assert edge(table, "two") == (1, 4)
    table.close()


def test_effects_of_older_logs_change_no_points(table: Table) -> None:
    old = {"type": "spend", "who": "vex", "what": "edge-attribute", "amount": 1}
    after = effects.apply(CombatTurn(), table.state, [old])
    assert (after.combatants["vex"].sheet["edge"], after.combatants["vex"].sheet["edge_points"]) == (3, 4)
    after = effects.apply(CombatTurn(), table.state, [{**old, "limits": "edge"}])
    assert (after.combatants["vex"].sheet["edge"], after.combatants["vex"].sheet["edge_points"]) == (3, 3)


# Helpers.

SKILL = {"attribute": "logic", "skill": "first-aid", "threshold": 1}


def help_rook(table: Table, *decisions: Any, **more: Any) -> None:
    table.act("rook", "use-skill", others=["vex"], situation=SKILL, decisions=list(decisions), **more)


def test_a_helper_is_asked_and_pays(table: Table) -> None:
    help_rook(table)
    question = table.question()
    assert (question["owners"], question["by"]) == (["vex"], "helper")
    table.answer("push", by=table.player("vex"))
    assert not table.steps()
    assert (edge(table, "vex"), edge(table, "rook")) == ((4, 3), (3, 3))
    audited(table)


def test_a_leader_does_not_spend_the_edge_of_helpers(table: Table) -> None:
    push = {"decision": "edge-before", "choose": "push"}
    with pytest.raises(ForbiddenError, match=r"decisions\[0\]\.by"):
        help_rook(table, {**push, "by": "helper"}, by=table.player("rook"))
    help_rook(table, push, by=table.player("rook"))
    assert (edge(table, "vex"), edge(table, "rook")) == ((4, 4), (3, 2))
    assert not table.steps()  # the test has had its point


def test_who_is_aimed_at_is_no_helper(table: Table) -> None:
    table.act("rook", "use-skill", "vex", situation=SKILL)
    assert not table.steps()
    assert edge(table, "vex") == (4, 4)
