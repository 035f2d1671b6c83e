"""A hacker in a fight: what is kept between the rolls of an intrusion, and what becomes of icons, users and devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sr4_phases import offered, play
from table_play import Table

from fracas.encounters import effects
from fracas.encounters.audit import verify
from fracas.encounters.log import log_json


@pytest.fixture
def fight(table: Table) -> Table:
    """Spark in hot sim and Rook against IC and a guard; everybody's dice are typed in."""
    people = ("spark", "rook", "hunter-4", "killer-5", "guard")
    for id in people:
        side = "runners" if id in ("spark", "rook") else "corp"
        table.join(id, id=id, side=side, dice="hand", asks=False)
    table.do("set", combatant="spark", add=["in-hot-sim"])
    turn(table)
    return table


def turn(table: Table) -> None:
    while table.acting:
        table.do("next")
    names = ("spark", "rook", "hunter-4", "killer-5", "guard")
    table.begin(**{id: {"hits": 15 - 3 * at} for at, id in enumerate(names)})


def until(table: Table, id: str) -> None:
    for _ in range(40):
        if table.acting == [id]:
            return
        if table.acting:
            table.do("next")
        else:
            turn(table)
    raise AssertionError(f"{id} never acts")


def again(table: Table, id: str) -> None:
    """The next Action Phase of a combatant."""
    table.do("next")
    until(table, id)


def act(
    table: Table,
    by: str,
    action: str,
    target: str | None = None,
    *,
    said: Mapping[str, Any] | None = None,
    **hits: int,
) -> Mapping[str, Any]:
    table.act(by, action, target, situation=said or {})
    return play(table, **hits)[1]


def now(table: Table, id: str) -> Mapping[str, Any]:
    return effects.present(table.one(id))


def test_hits_add_up_against_one_node_and_begin_anew_at_another(fight: Table) -> None:
    said = {"device": {"rating": 3}, "rights": "security"}
    first = act(fight, "spark", "hack-on-the-fly", "guard", said=said, matrix=4, detection=1)
    assert (first["sum"], first["success"]) == (4, False)
    assert now(fight, "spark")["work_hits"] == 4
    again(fight, "spark")
    other = act(
        fight, "spark", "hack-on-the-fly", "hunter-4", said={"rights": "admin"}, matrix=2, detection=0
    )
    assert other["sum"] == 2
    again(fight, "spark")
    more = act(fight, "spark", "hack-on-the-fly", "hunter-4", said={"rights": "admin"}, matrix=8, detection=4)
    assert (more["sum"], more["success"], more["alert"]) == (10, True, True)
    assert now(fight, "spark")["account"] == "admin"
    assert {"logged-on", "under-alert"} <= set(fight.conditions("spark"))
    assert "matrix-work" not in fight.conditions("spark")


def test_an_alert_raises_the_firewall_of_this_node_alone(fight: Table) -> None:
    act(fight, "spark", "hack-on-the-fly", "hunter-4", matrix=1, detection=4)
    assert "under-alert" in fight.conditions("spark")
    for target, dice in (("hunter-4", 12), ("killer-5", 10)):
        again(fight, "spark")
        fight.act("spark", "crash-program", target, situation={})
        parts = {
            part["label"]: sum(one["count"] for one in part["groups"]) for part in fight.question()["parts"]
        }
        assert parts["opposition"] == dice
        play(fight, matrix=0, opposition=1)


def test_the_armor_of_ic_crashes_and_then_the_ic(fight: Table) -> None:
    act(fight, "spark", "crash-program", "hunter-4", matrix=4, opposition=2)
    assert now(fight, "hunter-4")["crashed"] == "armor"
    again(fight, "spark")
    fight.do("set", combatant="hunter-4", fields={"matrix_boxes": 7})
    found = act(fight, "spark", "matrix-attack", "hunter-4", attack=3, defense=2, soak=2)
    assert (found["damage"], found["icon_crashes"]) == (3, True)
    assert fight.conditions("hunter-4")[-1] == "crashed"
    assert not fight.shown("hunter-4")["able"]


def test_black_ic_holds_the_connection_open_until_it_is_beaten_or_gone(fight: Table) -> None:
    until(fight, "killer-5")
    found = act(fight, "killer-5", "matrix-attack-black-hammer", "spark", attack=4, defense=2, soak=3)
    assert (found["damage"], found["track"]) == (4, "physical")
    assert fight.one("spark").sheet["physical"] == 4
    until(fight, "spark")
    reasons = [message for _, message in fight.refused("act", combatant="spark", action="jack-out")]
    assert any("held in virtual reality" in reason for reason in reasons), reasons
    act(fight, "spark", "jack-out-jammed", "killer-5", matrix=3, opposition=4)
    assert "jammed" in fight.conditions("spark")
    fight.do("set", combatant="killer-5", fields={"matrix_boxes": 11}, add=["crashed"])
    assert "jammed" not in fight.conditions("spark")


def test_who_jacks_out_has_dumpshock_as_the_phase_is_over(fight: Table) -> None:
    fight.act("spark", "jack-out")
    fight.do("next")
    (due,) = fight.state.timers.values()
    assert due.action == "dumpshock"
    fight.act("spark", "dumpshock", timer=due.id)
    play(fight, soak=2)
    assert fight.one("spark").sheet["physical"] == 3
    assert set(fight.conditions("spark")) == {"dumpshocked", "returned-to-body"}
    assert now(fight, "spark").get("world", "physical") == "physical"
    fight.do("close")
    report = verify(log_json(fight.encounters, fight.id, fight.gm))
    assert report.ok, str(report)[:3000]


def test_a_smartgun_ejects_its_clip_for_an_access_id(fight: Table) -> None:
    fight.do("set", combatant="guard", items={"ares-predator-iv": {"ready": True, "rounds": 15}})
    assert "an access ID" in str(offered(fight, "spoof-smartgun-clip", "spark"))
    act(fight, "spark", "analyze-icon", "guard", said={"device": {"kind": "smartgun"}}, matrix=2)
    assert "access-id" in fight.conditions("spark")
    again(fight, "spark")
    act(fight, "spark", "spoof-smartgun-clip", "guard", matrix=4, opposition=3)
    assert (fight.one("guard").items["ares-predator-iv"]["rounds"]) == 0
    assert fight.one("guard").items["ares-predator-iv"]["loaded"] is False


def test_an_edited_stream_is_kept_up_each_pass(fight: Table) -> None:
    act(fight, "spark", "edit-stream", "guard", matrix=4, opposition=2)
    assert "stream-edited" in fight.conditions("guard")
    again(fight, "spark")
    fight.act("spark", "keep-editing", "guard")
    again(fight, "spark")
    assert "stream-edited" in fight.conditions("guard")
    again(fight, "spark")
    assert "stream-edited" not in fight.conditions("guard")


def test_boosted_reflexes_go_off_and_on_again(fight: Table) -> None:
    fight.do("set", combatant="guard", fields={"passes": 3, "reaction": 5})
    fight.do("set", combatant="spark", add=["access-id"])
    act(fight, "spark", "spoof-cyberware", "guard", matrix=4, opposition=2)
    assert (now(fight, "guard")["passes"], now(fight, "guard")["reaction"]) == (1, 3)
    until(fight, "guard")
    fight.act("guard", "switch-cyberware-on")
    assert (now(fight, "guard")["passes"], now(fight, "guard")["reaction"]) == (3, 5)


def test_nobody_shoots_a_program_and_programs_shoot_nobody(fight: Table) -> None:
    until(fight, "rook")
    said = {"distance": 5, "fire": {"mode": "semi-automatic"}}
    shot = {"action": "fire-semi-automatic", "item": "ares-predator-iv", "situation": said}
    reasons = fight.refused("act", combatant="rook", target="hunter-4", **shot)
    assert any("has no body" in message for _, message in reasons)
    until(fight, "hunter-4")
    reasons = fight.refused("act", combatant="hunter-4", action="run")
    assert any("not in the body" in message for _, message in reasons)


def test_jamming_reaches_those_with_no_more_signal(fight: Table) -> None:
    fight.do("set", combatant="guard", fields={"signal": 3})
    fight.do("set", combatant="rook", fields={"signal": 5})
    refused = fight.refused("act", combatant="spark", action="jam-signals", target="rook")
    assert any("Signal" in message for _, message in refused)
    fight.act("spark", "jam-signals", "guard")
    assert now(fight, "guard")["wireless_off"] is True
    again(fight, "spark")
    fight.act("spark", "stop-jamming")
    assert "signals-jammed" not in fight.conditions("guard")
    fight.do("close")
    report = verify(log_json(fight.encounters, fight.id, fight.gm))
    assert report.ok, str(report)[:3000]


def test_the_log_of_such_a_fight_is_proven(fight: Table) -> None:
    act(fight, "spark", "matrix-attack", "hunter-4", attack=4, defense=2, soak=1)
    until(fight, "killer-5")
    act(fight, "killer-5", "matrix-attack-black-hammer", "spark", attack=4, defense=2, soak=3)
    fight.do("close")
    report = verify(log_json(fight.encounters, fight.id, fight.gm))
    assert report.ok, str(report)[:3000]


def test_full_matrix_defense_is_not_taken_twice(table: Table) -> None:
    table.join("hunter-4", id="ic", side="corp")
    table.join("guard", id="guard", side="runners")
    table.begin(ic={"hits": 9}, guard={"hits": 0})
    assert offered(table, "full-matrix-defense", "ic")["allowed"]
    assert not offered(table, "hold-breath", "ic")["allowed"]
    table.act("ic", "full-matrix-defense")
    again = table.refused("act", combatant="ic", action="full-matrix-defense")
    assert ("needs", "needs not to be on full Matrix defense already") in again
