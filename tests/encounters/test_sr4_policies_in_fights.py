"""Policies in fights: what is said in advance holds for the whole step, for one's own people, and in odds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from table_play import Table

from fracas.encounters import offers
from fracas.encounters.audit import verify
from fracas.encounters.command_context import Author
from fracas.encounters.log import log_json, log_markdown
from fracas.encounters.schemas import SCHEMAS
from fracas.encounters.sight import event as told_to
from fracas.engine.loading import load
from fracas.errors import ForbiddenError, InputError

FAILING = {"decision": "edge-after", "choose": "reroll", "by": "attacker", "when": "failing"}
SHOT: dict[str, Any] = {"action": "fire-semi-automatic", "situation": {"distance": 4}}
MISS, HIT = [1, 2, 3, 4], [5, 6, 5, 6]


@pytest.fixture
def settings() -> dict[str, Any]:
    return {}


@pytest.fixture
def table(tmp_path: Path, settings: dict[str, Any]) -> Iterator[Table]:
    """Vex shoots at a guard; four dice against two, typed in."""
    table = Table(tmp_path, settings=settings)
    table.join("vex", side="runners", player=True, dice="hand")
    table.join("guard", side="corp", dice="hand", asks=False)
    table.do("set", combatant="guard", fields={"reaction": 2, "edge": 2, "edge_points": 1})
    table.begin(vex={"hits": 3}, guard={"hits": 1})
    yield table
    table.close()


def shoot(table: Table, *decisions: Any, by: Author | None = None) -> None:
    fewer = [{"to": "attack.pool", "value": 4 - attack_dice(table)}] if by is None else []
    table.act("vex", target="guard", decisions=list(decisions), modifiers=fewer, by=by, **SHOT)


def odds(table: Table, by: Author | None = None, **more: Any) -> dict[str, Any]:
    wanted = load(SCHEMAS["act"], {"combatant": "vex", "target": "guard", **SHOT, **more})
    return offers.odds(table.encounters.context(table.fight, by or table.gm), wanted)


def attack_dice(table: Table) -> int:
    return next(tally["total"] for tally in odds(table)["modifiers"] if tally["to"] == "attack.pool")


def measures(answer: Any) -> dict[str, float]:
    return {one["id"]: one["value"] for one in answer["measures"]}


NO_PUSH = {"decision": "edge-before", "choose": "none", "by": "attacker"}


def test_it_rerolls_what_misses_without_asking(table: Table) -> None:
    shoot(table, NO_PUSH, FAILING)
    table.dice(MISS, [1, 2])
    parts = table.question()["parts"]
    assert [(part["label"], part["groups"][0]["count"]) for part in parts] == [("attack", 4)]
    table.dice(HIT)
    assert table.question()["parts"][0]["label"] == "soak"


def test_what_hits_is_left_to_its_owner(table: Table) -> None:
    """The policy says nothing of this case, and Vex wants to be asked."""
    shoot(table, NO_PUSH, FAILING)
    table.dice(HIT, [1, 2])
    question = table.question()
    assert (question["decision"], question["owners"], question["about"]["short"]) == (
        "edge-after",
        ["vex"],
        -3,
    )
    table.answer("none")
    assert table.one("vex").sheet["edge_points"] == 4


def test_it_holds_although_somebody_else_is_asked_in_between(table: Table) -> None:
    """The guard is asked for Edge before the roll; the policy is for what comes after it."""
    table.do("set", combatant="guard", asks=True)
    shoot(table, NO_PUSH, FAILING)
    table.answer("none", owner="guard")  # no reaction
    table.answer("none", owner="guard")  # no Edge
    table.dice(MISS, [1, 2])
    assert table.question()["parts"][0]["label"] == "attack"
    table.dice(HIT)
    while table.steps():
        question = table.question()
        if question["kind"] == "roll":
            table.dice(*([2] * group["count"] for part in question["parts"] for group in part["groups"]))
        else:
            table.answer("none")
    assert table.one("vex").sheet["edge_points"] == 3


REROLL = {"decision": "edge-after", "choose": "reroll", "by": "attacker"}


def test_a_plain_choice_holds_for_the_whole_act(table: Table) -> None:
    """What Vex chose waits while the guard is asked for a reaction, and for Edge, and the dice are typed in."""
    table.do("set", combatant="guard", asks=True)
    shoot(table, NO_PUSH, REROLL)
    table.answer("none", owner="guard")
    table.answer("none", owner="guard")
    event = table.dice(HIT[:1] + MISS[:3], [5, 1])
    assert ["c", "reroll", "chosen"] in event.data["steps"][0]["answers"]
    assert [part["label"] for part in table.question()["parts"]] == ["attack"]
    report = verify(json.loads(json.dumps(log_json(table.encounters, table.id, table.gm))))
    assert report.ok, report.first_difference


def test_a_plain_choice_answers_one_question_only(table: Table) -> None:
    """It was for Vex's own throw: the push is spent by the time that the guard is asked the same."""
    table.do("set", combatant="guard", asks=True)
    shoot(table, {"decision": "edge-before", "choose": "push"})
    table.answer("none", owner="guard")
    assert table.step().answers == (["c", "push", "chosen"],)
    assert (table.question()["decision"], table.question()["owners"]) == ("edge-before", ["guard"])
    table.answer("none", owner="guard")
    assert table.question()["kind"] == "roll"


@pytest.mark.parametrize("asked", [False, True])
def test_whoever_wants_no_questions_gets_none(table: Table, asked: bool) -> None:
    """`ask` false holds although the guard is asked, and dice are typed in; otherwise Vex is asked for Edge."""
    table.do("set", combatant="guard", asks=True)
    fewer = [{"to": "attack.pool", "value": 4 - attack_dice(table)}]
    table.act("vex", target="guard", modifiers=fewer, decisions=[NO_PUSH], ask=asked, **SHOT)
    table.answer("none", owner="guard")
    table.answer("none", owner="guard")
    table.dice(MISS, [1, 2])
    owners = table.question()["owners"] if table.steps() else []
    assert ("vex" in owners) is asked


def test_the_log_tells_of_it_and_is_right(table: Table) -> None:
    shoot(table, NO_PUSH, FAILING)
    event = table.dice(MISS, [1, 2])
    assert ["c", "reroll", "policy"] in event.data["steps"][0]["answers"]
    log = json.loads(json.dumps(log_json(table.encounters, table.id, table.gm)))
    report = verify(log)
    assert report.ok, report.first_difference
    assert "as decided in advance" in log_markdown(table.encounters, table.id, table.gm)


def test_edge_that_is_gone_is_not_spent(table: Table) -> None:
    table.do("set", combatant="vex", fields={"edge_points": 1})
    shoot(table, NO_PUSH, FAILING)
    table.do("set", combatant="vex", fields={"edge_points": 0})
    table.dice(MISS, [1, 2])
    assert not table.steps() or table.question()["kind"] == "decision"


def test_a_player_decides_for_nobody_else(table: Table) -> None:
    """Who attacks might have the target waste its Edge."""
    vex = table.player("vex")
    with pytest.raises(ForbiddenError, match=r"decisions\[1\]\.by"):
        shoot(table, NO_PUSH, {**FAILING, "by": "target", "when": "succeeding"}, by=vex)
    table.do("set", combatant="guard", asks=True)
    anybody = {"decision": "edge-before", "choose": "push"}
    shoot(table, anybody, by=vex)
    table.answer("none", owner="guard")
    assert (table.question()["decision"], table.question()["owners"]) == ("edge-before", ["guard"])


def test_the_gm_may_decide_for_all(table: Table) -> None:
    shoot(table, NO_PUSH, FAILING, {**FAILING, "by": "target", "roll": "defense"})
    table.dice(MISS, [1, 2])
    table.dice(HIT)
    assert [part["label"] for part in table.question()["parts"]] == ["defense"]


def test_others_are_not_told_what_is_up_ones_sleeve(table: Table) -> None:
    shoot(table, NO_PUSH, FAILING)
    state = table.state
    for viewer in (table.observer, table.player("guard")):
        told = [told_to(event, viewer, state) for event in table.encounters.events(table.id)]
        assert "failing" not in str(told)


def test_a_wrong_condition_is_refused_before_anything_happens(table: Table) -> None:
    before = table.fight
    with pytest.raises(InputError) as caught:
        shoot(table, {**FAILING, "when": "failling"})
    (problem,) = caught.value.problems
    assert (problem.path, problem.code, problem.hint) == (
        "decisions[0].when",
        "unknown-condition",
        "did you mean 'failing'?",
    )
    assert table.fight == before


def test_undo_and_the_snapshot_keep_it(table: Table) -> None:
    """Another service goes on with the step as it stands."""
    shoot(table, NO_PUSH, FAILING)
    table.encounters = table.opened_again()
    table.dice(MISS, [1, 2])
    assert table.question()["parts"][0]["label"] == "attack"


# Odds.


def test_odds_with_a_policy(table: Table) -> None:
    plain, better = odds(table), odds(table, decisions=[FAILING])
    assert measures(better)["hit"] > measures(plain)["hit"]
    assert better["policy"] == [{**FAILING, "roll": ""}]


def test_odds_compare_what_the_target_may_do(table: Table) -> None:
    """Full dodge makes hits rarer, as if the situation had said it."""
    table.do("set", combatant="guard", fields={"skills": {"dodge": 4, "gymnastics": 2}})
    answer = odds(table)
    by_action = {one["action"]: one for one in answer["reactions"]}
    assert {one["who"] for one in answer["reactions"]} == {"guard"}
    dodging = measures(by_action["full-dodge"])
    assert dodging["hit"] < measures(answer)["hit"]
    said = odds(table, situation={"distance": 4, "target": {"full_defense": "dodge"}})
    assert dodging == pytest.approx(measures(said), abs=1e-12)
    with_edge = odds(table, decisions=[FAILING])
    again = {one["action"]: measures(one) for one in with_edge["reactions"]}
    assert again["full-dodge"]["hit"] > dodging["hit"]


def test_what_the_target_may_do_is_told_to_those_who_may_read_its_sheet(table: Table) -> None:
    assert odds(table, by=table.player("vex"))["reactions"] == []
    assert odds(table, by=table.player("vex", "guard"))["reactions"]


@pytest.mark.parametrize("settings", [{"open_sheets": True}])
def test_with_open_sheets_everybody_is_told(table: Table) -> None:
    assert odds(table, by=table.player("vex"))["reactions"]


def test_whoever_cannot_react_has_no_reactions(table: Table) -> None:
    table.do("set", combatant="guard", add=["surprised"])
    assert odds(table)["reactions"] == []
