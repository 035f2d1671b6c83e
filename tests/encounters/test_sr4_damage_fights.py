"""What damage goes on doing in fights of Shadowrun 4: fire until it is put out, the dying until they are stabilized.

And Edge at death's door, grunts, and who wakes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from table_play import Table

from fracas.encounters.audit import verify
from fracas.encounters.log import log_json, log_markdown
from fracas.encounters.state import Timer


def fight_of(table: Table, *others: Any, **guard: Any) -> Table:
    """Rook acts first, then the guard; everybody's dice are typed in."""
    table.join({"use": "rook"}, side="runners", dice="hand", asks=False)
    table.join({"use": "guard", **guard}, side="corp", dice="hand", asks=False)
    for other in others:
        table.join(other, side="corp", dice="hand", asks=False)
    begin(table)
    return table


def begin(table: Table) -> None:
    """The next turn; who is unable has no score."""
    scores = {"rook": 3, "guard": 1, "vex": 0}
    table.begin(
        **{
            id: {"hits": hits}
            for id, hits in scores.items()
            if id in table.state.combatants and able(table, id)
        }
    )


def able(table: Table, id: str) -> bool:
    return bool(table.shown(id)["able"])


def due(table: Table) -> Timer:
    assert table.state.phase == "due"
    return table.state.timers[table.state.due]


def go_off(table: Table, *dice: list[int]) -> None:
    timer = due(table)
    table.act(timer.who, timer.action, timer=timer.id)
    for faces in dice:
        table.dice(faces)
    table.do("next")


def shoot(table: Table, *soak: int, net: int = 1, **weapon: Any) -> None:
    """Rook hits with so many net hits; the resistance dice are those given and 1s."""
    situation = {"distance": 4, "weapon": weapon} if weapon else {"distance": 4}
    table.act("rook", "fire-semi-automatic", "guard", situation=situation, confirm=True)
    for _ in range(2):
        parts = {
            part["label"]: sum(group["count"] for group in part["groups"])
            for part in table.question()["parts"]
        }
        if "soak" in parts:
            table.dice([*soak, *[1] * (parts["soak"] - len(soak))])
            return
        dice = [[5] * min(net, parts["attack"]) + [1] * max(0, parts["attack"] - net)]
        if parts.get("defense"):
            dice.append([1] * parts["defense"])
        table.dice(*dice)


class TestFire:
    """Predator IV made a flamethrower by the GM: 5P, fire, against the guard's vest with 4 / 2 - 1 = 1."""

    @pytest.fixture
    def fight(self, table: Table) -> Table:
        fight_of(table)
        shoot(table, 5, 5, 5, net=1, element="fire")
        return table

    def test_it_burns_in_every_turn_until_it_is_put_out(self, fight: Table) -> None:
        guard = fight.one("guard")
        assert guard.sheet["physical"] == 3  # 6 - 3
        assert "burning" in fight.conditions("guard")
        (timer,) = fight.state.timers.values()
        assert (timer.action, timer.who, timer.when, timer.turn) == ("burn", "guard", "turn-begin", 2)

        fight.do("next")
        fight.do("next")
        assert fight.state.phase == "turn-over"
        begin(fight)
        assert due(fight).label == "Goes on burning"
        go_off(fight, [5, 5, 5, 5, 1])  # 3 + 2, half the vest
        assert fight.one("guard").sheet["physical"] == 5  # 6 - 4
        assert fight.acting == ["rook"]

        fight.do("next")
        fight.act("guard", "put-out")
        assert "burning" not in fight.conditions("guard")
        fight.do("next")
        begin(fight)
        assert fight.acting == ["rook"]
        assert not fight.state.timers

    def test_nobody_puts_out_what_does_not_burn(self, fight: Table) -> None:
        assert ("needs", "needs to burn") in fight.refused("act", combatant="rook", action="put-out")

    def test_the_gm_may_let_it_pass(self, fight: Table) -> None:
        fight.do("next")
        fight.do("next")
        begin(fight)
        fight.do("next")
        assert fight.acting == ["rook"]
        assert fight.one("guard").sheet["physical"] == 3
        assert not fight.state.timers

    def test_two_flames_are_one_fire(self, fight: Table) -> None:
        shoot(fight, 5, 5, 5, 5, net=3, element="fire")
        (timer,) = fight.state.timers.values()
        assert timer.action == "burn"
        (burning,) = [one for one in fight.one("guard").conditions if one.slug == "burning"]
        assert burning.sets == {"burning_dv": 8}

    def test_a_house_fire_spreads(self, tmp_path: Path) -> None:
        table = Table(tmp_path, options={"fire_spreads": True}, name="spreading.db")
        fight_of(table)
        shoot(table, 5, 5, 5, net=1, element="fire")
        for value in (6, 7):
            table.do("next")
            table.do("next")
            begin(table)
            go_off(table, [5] * 5)
            (burning,) = [one for one in table.one("guard").conditions if one.slug == "burning"]
            assert burning.sets == {"burning_dv": value + 1}
        assert table.one("guard").sheet["physical"] == 3 + 1 + 2
        table.close()

    def test_acid_stays_with_its_first_value(self, table: Table) -> None:
        fight_of(table)
        shoot(table, 5, 5, 5, 5, net=1, element="acid")
        assert "acid-burning" in table.conditions("guard")
        for _ in range(2):
            table.do("next")
            table.do("next")
            begin(table)
            go_off(table, [5] * 5)
        assert table.one("guard").sheet["physical"] == 2 + 1 + 1
        table.do("next")
        table.act("guard", "wash-off")
        table.do("next")
        begin(table)
        assert table.acting == ["rook"]


class TestDying:
    """The guard with 9 boxes, Body 3, a tenth and eleventh come: overflow 1."""

    @pytest.fixture
    def fight(self, table: Table) -> Table:
        fight_of(table, {"use": "vex", "skills": {"first-aid": 3}}, physical=6)
        shoot(table, 5, 5, net=2)  # 7 - 2 boxes, and 7 exceeds 6 - 1
        return table

    def turns(self, fight: Table, count: int) -> None:
        for _ in range(count):
            while fight.state.phase != "turn-over":
                fight.do("next")
            begin(fight)

    def test_bleeding_to_death(self, fight: Table) -> None:
        assert fight.one("guard").sheet["physical"] == 11
        assert {"unconscious", "dying"} <= set(fight.conditions("guard"))
        for boxes in (12, 13):
            self.turns(fight, 3)
            go_off(fight)
            assert fight.one("guard").sheet["physical"] == boxes
        assert "dead" not in fight.conditions("guard")
        self.turns(fight, 3)
        go_off(fight)
        assert "dead" in fight.conditions("guard")
        assert not fight.state.timers

    def test_the_dead_bleed_no_more(self, fight: Table) -> None:
        fight.do("set", combatant="guard", add=["dead"])
        self.turns(fight, 3)
        assert (fight.state.phase, fight.state.timers) == ("slot", {})

    def test_it_bleeds_at_the_third_turn_and_not_before(self, fight: Table) -> None:
        (timer,) = fight.state.timers.values()
        assert (timer.action, timer.turn) == ("bleed", fight.state.turn + 3)
        self.turns(fight, 2)
        assert fight.state.phase == "slot"
        self.turns(fight, 1)
        assert due(fight).action == "bleed"

    def test_stabilized_and_treated(self, fight: Table) -> None:
        fight.do("next")
        assert fight.acting == ["vex"]
        assert fight.refused("act", combatant="vex", action="stabilize", target="rook") == [
            ("needs", "needs a patient who is dying")
        ]
        fight.act("vex", "stabilize", "guard")
        fight.dice([5, 5, 1, 1, 1, 1])  # two hits of three
        assert "dying" in fight.conditions("guard")
        self.turns(fight, 1)
        fight.do("next")
        fight.act("vex", "stabilize", "guard")
        fight.dice([5, 5, 5, 1, 1, 1])
        assert "dying" not in fight.conditions("guard")
        assert "stabilized" in fight.conditions("guard")
        self.turns(fight, 1)
        assert not fight.state.timers

        fight.do("next")
        fight.act("vex", "first-aid", "guard")
        fight.dice([5, 5, 5, 5, 1, 1])  # two above the threshold
        assert fight.one("guard").sheet["physical"] == 9
        assert able(fight, "guard")
        assert not {"stabilized", "unconscious"} & set(fight.conditions("guard"))
        self.turns(fight, 1)
        fight.do("next")
        again = fight.refused("act", combatant="vex", action="first-aid", target="guard")
        assert again == [("needs", "needs a patient with wounds that have had no first aid")]

    def test_without_the_house_rule_nobody_bleeds(self, tmp_path: Path) -> None:
        table = Table(tmp_path, options={"bleeding_out": False}, name="dry.db")
        fight_of(table, physical=6)
        shoot(table, 5, 5, net=2)
        assert "dying" in table.conditions("guard")
        assert not table.state.timers
        table.close()


class TestLastEdge:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        fight_of(table, physical=6)
        shoot(table, 5, 5, net=2)
        return table

    def test_one_last_action_before_the_lights_go_out(self, fight: Table) -> None:
        assert not able(fight, "guard")
        assert ("unable" in dict(fight.refused("act", combatant="guard", action="drop-prone"))) is True
        fight.act("guard", "dead-mans-trigger")
        assert {part["label"]: part["groups"][0]["count"] for part in fight.question()["parts"]} == {
            "last_action": 3
        }
        fight.dice([5, 5, 5])  # 3 + 3 - 3 for 11 boxes
        assert fight.one("guard").sheet["edge_points"] == 0
        assert able(fight, "guard")
        fight.do("next")
        assert fight.acting == ["guard"]
        assert ("forbidden", "not while due a last action") in fight.refused(
            "act", combatant="guard", action="run"
        )
        fight.act("guard", "fire-semi-automatic", "rook", situation={"distance": 4})
        while fight.steps():
            parts = fight.question()["parts"]
            fight.dice(*[[1] * sum(group["count"] for group in part["groups"]) for part in parts])
        assert not able(fight, "guard")
        assert "last-action" not in fight.conditions("guard")
        fight.do("next")
        assert fight.state.phase == "turn-over"

    def test_a_failure_takes_the_point_and_there_is_no_second_try(self, fight: Table) -> None:
        fight.act("guard", "dead-mans-trigger")
        fight.dice([5, 5, 4])
        assert fight.one("guard").sheet["edge_points"] == 0
        assert not able(fight, "guard")
        assert fight.refused("act", combatant="guard", action="dead-mans-trigger")

    def test_not_without_an_action_that_is_due(self, table: Table) -> None:
        """The guard has acted; only in the first of two passes is the other one still to come."""
        for passes in (1, 2):
            name = f"guard-{passes}"
            table.join({"use": "guard", "name": name, "passes": passes}, dice="hand", asks=False)
        table.join("vex", dice="hand", asks=False)
        ids = list(table.state.combatants)
        table.begin(**{id: {"hits": hits} for id, hits in zip(ids, (9, 9, 0), strict=True)})
        table.do("next", combatant=ids[0])
        table.do("next", combatant=ids[1])
        for id, refused in zip(ids[:2], (True, False), strict=True):
            table.do("set", combatant=id, fields={"physical": 10})
            reasons = table.refused("act", combatant=id, action="dead-mans-trigger") if refused else []
            wanted = ("needs", "needs an action that is still to come in this Combat Turn")
            assert (wanted in reasons) is refused

    def test_escaping_death(self, fight: Table) -> None:
        fight.act("guard", "escape-death")
        guard = fight.one("guard")
        assert (guard.sheet["physical"], guard.sheet["edge"]) == (10, 0)
        assert "stabilized" in fight.conditions("guard")
        assert "dying" not in fight.conditions("guard")
        fight.do("next")
        assert not fight.state.timers
        assert ("needs", "needs to be dying or dead") in fight.refused(
            "act", combatant="rook", action="escape-death"
        )


class TestCrowds:
    """Grunts: one monitor each, and Edge together."""

    def test_a_crowd_shares_its_edge(self, table: Table) -> None:
        crowd = {"use": "guard", "edge": 2, "edge_points": 2, "edge_group": "gangers"}
        for _ in range(2):
            table.join(crowd, side="corp", dice="hand", asks=False)
        table.join("rook", side="runners", dice="hand", asks=False)
        one, other, _ = table.state.combatants
        table.begin(**{id: {"hits": 3} for id in table.state.combatants})
        table.do("spend", combatant=one, on="go-first")
        assert [table.one(id).sheet["edge_points"] for id in table.state.combatants] == [1, 1, 3]
        table.do("spend", combatant=other, on="go-first")
        assert [table.one(id).sheet["edge_points"] for id in table.state.combatants] == [0, 0, 3]
        assert table.refused("spend", combatant=one, on="extra-pass") == [("cannot-buy", "no Edge left")]

    def test_one_monitor_takes_a_grunt_out(self, tmp_path: Path) -> None:
        """5 and 5 boxes fill 8 + 3 / 2 = 10; of two monitors neither would be full."""
        for single in (True, False):
            options = {"npc_single_track": single}
            table = Table(tmp_path, options=options, name=f"grunts-{single}.db")
            fight_of(table, grunt=True, stun=5)
            shoot(table, 5, 5, net=2)
            assert table.one("guard").sheet["physical"] == 5
            assert able(table, "guard") is not single
            assert ("unconscious" in table.conditions("guard")) is single
            rank = table.shown("guard")["rank"]
            assert single or rank == str(3 + 3 + 1 - 1 - 1)
            table.close()

    def test_wounds_of_a_grunt_lower_the_score_together(self, tmp_path: Path) -> None:
        for single, lost in ((True, 2), (False, 0)):
            table = Table(tmp_path, options={"npc_single_track": single}, name=f"scores-{single}.db")
            fight_of(table, grunt=True)
            table.do("set", combatant="guard", fields={"physical": 2, "stun": 4 if single else 2})
            assert table.shown("guard")["rank"] == str(3 + 3 + 1 - lost)
            table.close()


def test_who_is_healed_by_hand_wakes(table: Table) -> None:
    """But only when the sheet kept him down: who sleeps for another reason sleeps on."""
    fight_of(table, physical=6)
    shoot(table, 5, 5, net=2)
    assert {"unconscious", "dying"} <= set(table.conditions("guard"))
    table.do("set", combatant="guard", fields={"physical": 10})
    assert "unconscious" in table.conditions("guard")
    table.do("set", combatant="guard", fields={"physical": 9})
    assert not {"unconscious", "dying"} & set(table.conditions("guard"))
    assert able(table, "guard")
    table.do("set", combatant="guard", add=["unconscious"])
    table.do("set", combatant="guard", fields={"physical": 3})
    assert "unconscious" in table.conditions("guard")


def test_the_audit_understands_it(table: Table) -> None:
    """Fire, bleeding, a last action, an escape and healing by hand, in one log."""
    fight_of(table, {"use": "vex", "skills": {"first-aid": 3}}, physical=6)
    shoot(table, 5, 5, net=2, element="fire")
    table.act("guard", "dead-mans-trigger")
    table.dice([5, 5, 5][: sum(group["count"] for group in table.question()["parts"][0]["groups"])])
    table.act("guard", "escape-death")
    table.do("next")
    while table.state.phase != "turn-over":
        table.do("next")
    begin(table)
    go_off(table, [1] * 5)
    table.do("set", combatant="guard", fields={"physical": 2})
    table.do("close")
    report = verify(log_json(table.encounters, table.id, table.gm))
    assert report.ok, str(report.first_difference)


def test_a_new_wound_undoes_what_stabilized(table: Table) -> None:
    fight_of(table, {"use": "vex", "skills": {"first-aid": 3}}, physical=6)
    shoot(table, 5, 5, net=2)
    table.do("next")
    table.act("vex", "stabilize", "guard")
    table.dice([5, 5, 5, 1, 1, 1])
    assert "stabilized" in table.conditions("guard")
    assert "dying" not in table.conditions("guard")
    while table.state.phase != "turn-over":
        table.do("next")
    begin(table)
    assert not table.state.timers
    shoot(table, 5, 5, 5, 5, 5, 5, net=2)  # one box of seven
    assert table.one("guard").sheet["physical"] == 12
    assert "stabilized" not in table.conditions("guard")
    assert "dying" in table.conditions("guard")
    assert [timer.action for timer in table.state.timers.values()] == ["bleed"]


def test_a_drone_is_shot_to_pieces(table: Table) -> None:
    """Body 4, armor 4: 6 exceeds 4 - 1 = 3, and its 10 boxes are full after two shots of 5; a third is not needed.

    5 boxes at once are more than its Body: it is out of control (section 31.4).
    """
    drone = {"name": "Drone", "vehicle": True, "body": 4, "vehicle_armor": 4, "reaction": 2, "intuition": 2}
    table.join("rook", side="runners", dice="hand", asks=False)
    table.join(drone, id="guard", side="corp", dice="hand", asks=False)
    table.begin(rook={"hits": 3}, guard={"hits": 0})
    shoot(table, 5, net=1)
    assert table.one("guard").sheet["physical"] == 5
    assert table.conditions("guard") == ["out-of-control"]
    shoot(table, 5, net=1)
    assert table.conditions("guard") == ["wrecked", "out-of-control"]
    assert not able(table, "guard")
    table.do("next")
    assert table.state.phase == "turn-over"


def test_who_has_left_burns_no_more(table: Table) -> None:
    fight_of(table)
    shoot(table, 5, 5, 5, net=1, element="fire")
    table.do("leave", combatant="guard")
    table.do("next")
    table.begin(rook={"hits": 3})
    assert table.acting == ["rook"]
    assert not table.state.timers


def test_the_worst_state_stands_for_all(tmp_path: Path) -> None:
    """Dead over dying over unconscious: one is shown."""
    table = Table(tmp_path)
    table.join("guard")
    for slug in ("unconscious", "dying", "dead"):
        table.do("set", combatant="guard", add=[slug])
        shown = table.shown("guard")
        assert [one["slug"] for one in shown["conditions"]] == [slug]
        assert shown["unable"] == slug.capitalize()
    table.do("set", combatant="guard", remove=["dead"])
    assert [one["slug"] for one in table.shown("guard")["conditions"]] == ["dying"]
    table.do("close")
    assert "| Guard | others | the GM | Dying |" in log_markdown(table.encounters, table.id, table.gm)
    table.close()
