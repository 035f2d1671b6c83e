"""Called shots, suppressive fire, barriers and quick draws in a fight."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from audited_logs import log_of
from table_play import OpenTable, Table

from fracas.encounters.audit import verify


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    table.join("rook", side="runners", dice="hand", asks=False)
    table.join("guard", side="corp", dice="hand", asks=False)
    table.join("vex", side="corp", dice="hand", asks=False)
    table.begin(rook={"hits": 9}, guard={"hits": 6}, vex={"hits": 0})
    return table


NEAR = {"distance": 4}
SINGLE = {"mode": "semi-automatic"}


def throw(table: Table, *groups: list[int]) -> dict[str, Any]:
    """Everybody throws in turn; what came of it."""
    left, outcome = list(groups), {}
    while table.steps():
        parts = table.question()["parts"]
        event = table.dice(*(left.pop(0) for part in parts if part["hand"] for _ in part["groups"]))
        outcome = event.data["steps"][0].get("outcome", {})
    assert not left
    return outcome


def aimed(kind: str, **more: Any) -> dict[str, Any]:
    return {**NEAR, "called_shot": {"kind": kind, **more}}


def why_not(table: Table, situation: dict[str, Any]) -> list[str]:
    refused = table.refused(
        "act", combatant="rook", action="fire-semi-automatic", target="guard", situation=situation
    )
    return [text for _, text in refused]


class TestCalledShots:
    def test_it_must_be_called_right_before(self, table: Table) -> None:
        assert why_not(table, aimed("vital", dv=2)) == [
            "a called shot takes a Free Action right before: call it first"
        ]
        table.act("rook", "call-shot")
        assert table.conditions("rook") == ["calling-shot"]
        table.act("rook", "fire-semi-automatic", "guard", situation=aimed("vital", dv=2))
        assert table.conditions("rook") == []
        outcome = throw(table, [5, 5, 6, 1, 2, 3, 4, 2, 3], [5, 1, 2], [1] * 8)
        assert outcome["modified_dv"] == 9  # 5 + 2 called + 2 net
        assert why_not(table, aimed("vital", dv=2)) == [
            "a called shot takes a Free Action right before: call it first"
        ]

    def test_anything_in_between_forgets_it(self, table: Table) -> None:
        table.act("rook", "call-shot")
        table.act("rook", "speak")  # for the Simple Action given up
        assert table.conditions("rook") == []

    def test_call_then_aim_then_fire(self, table: Table) -> None:
        table.act("rook", "call-shot")
        table.act("rook", "take-aim")
        assert table.conditions("rook") == ["calling-shot", "aiming"]
        table.act("rook", "fire-semi-automatic", "guard", situation=aimed("unarmored"))
        pool = next(tally for tally in table.step().tallies if tally["to"] == "attack.pool")
        assert pool["total"] == 5 + 4 + 2 + 1 - 6  # the aim, and the armor avoided

    def test_calling_after_aiming_loses_the_aim(self, table: Table) -> None:
        table.act("rook", "take-aim")
        table.act("rook", "call-shot")
        assert table.conditions("rook") == ["calling-shot"]

    def test_what_is_shot_out_of_the_hand_lies_on_the_ground(self, table: Table) -> None:
        table.act("rook", "call-shot")
        situation = aimed("item", item="colt-america-l36")
        table.act("rook", "fire-semi-automatic", "guard", situation=situation)
        outcome = throw(table, [5, 5, 6, 1, 2, 3, 4], [5, 1, 2])
        assert outcome["item_dropped"] is True
        pistol = table.one("guard").items["colt-america-l36"]
        assert (pistol["ready"], pistol["dropped"]) == (False, True)
        assert table.one("guard").sheet["physical"] == 0


class TestSuppressiveFire:
    @pytest.fixture
    def zone(self, table: Table) -> Table:
        """The guard keeps Rook down with a threshold of 3."""
        table.do("next")
        rifle = {"ak-97": {"ready": True, "rounds": 38, "loaded": True}}
        table.do("set", combatant="guard", items=rifle)
        table.do(
            "act", combatant="guard", action="suppressive-fire", item="ak-97", others=["rook"], situation=NEAR
        )
        throw(table, [5, 3, 5, 1, 6, 2], [4, 6, 6, 1, 3, 3, 3], [5, 1, 5, 2, 3, 5, 4, 2, 4, 6, 2])
        return table

    def test_it_hits_and_spends_rounds(self, zone: Table) -> None:
        assert zone.one("rook").sheet["stun"] == 2
        assert zone.one("guard").items["ak-97"]["rounds"] == 18
        assert zone.conditions("guard") == ["suppressing"]

    def test_whoever_enters_later_rolls_against_the_same_threshold(self, zone: Table) -> None:
        zone.do("next")  # Vex's phase
        zone.do(
            "act", combatant="guard", action="suppress-zone", others=["vex"]
        )  # with the weapon that fires
        assert zone.step().item == "ak-97"
        outcome = throw(zone, [5, 5, 6, 1, 2, 3, 4, 1, 2])
        assert (outcome["zone.threshold"], outcome["victim_1.result"]) == (3, "avoided")
        assert zone.one("guard").items["ak-97"]["rounds"] == 18

    def test_it_needs_no_more_rounds(self, zone: Table) -> None:
        zone.do("next")
        zone.do("set", combatant="guard", items={"ak-97": {"rounds": 0}})
        zone.do("act", combatant="guard", action="suppress-zone", others=["vex"])
        assert zone.step().action == "suppress-zone"

    def test_who_is_shaken_gets_away_worse(self, zone: Table) -> None:
        zone.do("next")
        zone.do("set", combatant="vex", add=["shaken"])
        zone.do("act", combatant="guard", action="suppress-zone", others=["vex"])
        assert [part["groups"][0]["count"] for part in zone.question()["parts"]] == [5 + 4 - 2]

    def test_it_ends_with_the_next_own_phase(self, zone: Table) -> None:
        zone.do("next")
        zone.do("next")
        assert zone.conditions("guard") == ["suppressing"]
        zone.begin(rook={"hits": 0}, guard={"hits": 9}, vex={"hits": 0})
        assert zone.acting == ["guard"]
        assert zone.conditions("guard") == []
        refused = zone.refused("act", combatant="guard", action="suppress-zone", item="ak-97", others=["vex"])
        assert ("needs", "needs suppressive fire that one lays down with it") in refused

    def test_undo_and_redo(self, zone: Table) -> None:
        before = zone.state
        zone.do("undo", steps=4)
        zone.do("redo", steps=4)
        assert zone.state == before


class TestQuickDraw:
    @pytest.fixture
    def holstered(self, table: Table) -> Table:
        table.do("set", combatant="rook", items={"ares-predator-iv": {"ready": False, "rounds": 15}})
        return table

    def test_draw_and_fire(self, holstered: Table) -> None:
        holstered.act("rook", "quick-draw", "guard", situation=NEAR)
        outcome = throw(
            holstered,
            [5, 5, 6, 1, 2, 3, 4, 1],
            [5, 6, 5, 1, 2, 3, 4, 1, 2, 3, 4],
            [5, 1, 2],
            [5, 6, 1, 2, 3, 4, 1, 2],
        )
        assert (outcome["draw"], outcome["damage"]) == ("success", 5)
        pistol = holstered.one("rook").items["ares-predator-iv"]
        assert (pistol["ready"], pistol["rounds"]) == (True, 14)
        assert holstered.one("rook").spent == {"simple": 1}

    def test_too_slow(self, holstered: Table) -> None:
        holstered.act("rook", "quick-draw", "guard", situation=NEAR)
        outcome = throw(holstered, [5, 5, 1, 1, 2, 3, 4, 1])
        assert outcome["draw"] == "slow"
        assert holstered.one("rook").items["ares-predator-iv"]["ready"] is True
        assert holstered.one("guard").sheet.get("defenses_made", 0) == 0

    @pytest.mark.parametrize(
        ("choose", "state"),
        [("stuck", {"ready": False}), ("dropped", {"ready": False, "dropped": True})],
    )
    def test_a_glitch(self, holstered: Table, choose: str, state: dict[str, bool]) -> None:
        holstered.do("set", combatant="rook", asks=True)
        holstered.act("rook", "quick-draw", "guard", situation=NEAR)
        holstered.answer("none")  # no Edge before
        holstered.dice([1, 1, 1, 1, 5, 5, 6, 2])
        holstered.answer("none")  # nor afterwards
        assert holstered.question()["decision"] == "draw-glitch"
        outcome = holstered.answer(choose).data["steps"][0]["outcome"]
        assert outcome["draw"] == choose
        pistol = holstered.one("rook").items["ares-predator-iv"]
        assert {name: pistol[name] for name in state} == state

    def test_without_a_target(self, holstered: Table) -> None:
        holstered.act("rook", "quick-draw")
        assert throw(holstered, [5, 5, 6, 1, 2, 3, 4, 1])["draw"] == "success"
        assert holstered.one("rook").items["ares-predator-iv"]["rounds"] == 15

    def test_what_is_in_the_hand_is_not_drawn(self, table: Table) -> None:
        refused = table.refused(
            "act", combatant="rook", action="quick-draw", item="ares-predator-iv", target="guard"
        )
        assert refused == [("needs", "needs a pistol-sized weapon in its holster")]

    def test_two_at_once(self, holstered: Table) -> None:
        holstered.do("set", combatant="rook", items={"colt-america-l36": {"ready": False, "rounds": 11}})
        holstered.act("rook", "quick-draw-two", item="ares-predator-iv", second_item="colt-america-l36")
        outcome = throw(holstered, [5, 5, 6, 5, 2, 3, 4, 1], [5, 6, 5, 5, 2, 3, 4, 1])
        assert (outcome["draw"], outcome["second_draw"]) == ("success", "success")
        assert all(
            holstered.one("rook").items[gun]["ready"] for gun in ("ares-predator-iv", "colt-america-l36")
        )
        assert "quick-drawn" in holstered.conditions("rook")
        guns = ("ares-predator-iv", "colt-america-l36")
        holstered.act(
            "rook", "fire-drawn-weapons", "guard", item=guns[0], second_item=guns[1], situation=NEAR
        )
        assert holstered.one("rook").spent == {"simple": 1}  # all with the one that drew them
        while holstered.steps():
            holstered.dice(*([2] * part["groups"][0]["count"] for part in holstered.question()["parts"]))
        assert "quick-drawn" not in holstered.conditions("rook")
        assert [holstered.one("rook").items[gun]["rounds"] for gun in guns] == [14, 10]


def test_a_shot_at_a_door(table: Table) -> None:
    door = {"fire": {"mode": "semi-automatic"}, "barrier": {"material": "cheap"}, **NEAR}
    table.act("rook", "shoot-barrier", situation=door)
    outcome = throw(table, [5, 6, 1, 2, 3, 4, 1, 2, 3, 4, 2])  # the door throws by itself
    assert (outcome["modified_dv"], outcome["modified_armor"]) == (7, 1)
    assert (outcome["damage"], outcome["hole"]) == (7 - outcome["resist_hits"], True)
    rook = table.one("rook")
    assert (rook.items["ares-predator-iv"]["rounds"], rook.sheet["rounds_before"]) == (14, 1)


def test_the_log_of_all_of_them_is_found_right(tmp_path: Path) -> None:
    """With dice of the service, whatever they show: every event, every die and every effect is checked again."""
    table = Table(tmp_path, settings={"apply": "at-once"})
    for id in ("rook", "guard", "vex"):
        table.join(id, asks=False)
    pistol = {"ares-predator-iv": {"ready": False, "rounds": 15, "ammunition": "explosive"}}
    table.do("set", combatant="rook", items=pistol)
    table.do("set", combatant="guard", items={"ak-97": {"ready": True, "rounds": 38}})
    table.begin(rook={"hits": 9}, guard={"hits": 7}, vex={"hits": 0})
    table.act("rook", "quick-draw", "vex", situation=NEAR)
    table.do("set", combatant="rook", items={"ares-predator-iv": {"ready": True, "dropped": False}})
    table.act("rook", "shoot-barrier", situation={**NEAR, "barrier": {"material": "average"}, "fire": SINGLE})
    table.do("next")
    table.act("guard", "suppressive-fire", item="ak-97", others=["rook", "vex"], situation=NEAR)
    if "suppressing" in table.conditions("guard"):
        table.act("guard", "suppress-zone", others=["vex"])
    table.do("close")
    report = verify(log_of(table))
    assert report.ok, report.first_difference
    table.close()
