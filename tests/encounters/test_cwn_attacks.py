"""Attacks and maneuvers of Cities Without Number in a fight (cwn.md, sections 3.2, 4, 5.8, 8, 10 and 12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from table_play import OpenTable, Table

from fracas.errors import ForbiddenError

Sit = Callable[..., Table]


@pytest.fixture
def sit(open_table: OpenTable) -> Sit:
    return lambda **options: open_table("cwn", options=options)


@pytest.fixture
def fight(sit: Sit) -> Table:
    """Hask, Dov and Pim, who act first, against a bruiser and a member of a gang; dice by hand."""
    table = sit()
    for name in ("hask", "dov", "pim"):
        table.join(name, id=name, player=True, asks=False, dice="hand")
    table.join("gang-bruiser", id="bruiser", side="gang", asks=False, dice="hand")
    table.join("gang-member", id="thug", side="gang", asks=False, dice="hand")
    first, second = {"side": 7, "own": 7}, {"side": 3, "own": 3}
    table.begin(hask=first, dov=first, pim=first, bruiser=second, thug=second)
    return table


def thrown(table: Table, *dice: list[int]) -> dict[str, Any]:
    """Answer rolls one after the other; every die must be asked for. The outcome of the only step."""
    for faces in dice:
        table.dice(faces)
    assert not table.steps(), table.question()
    outcome: dict[str, Any] = dict(_last_outcome(table))
    return outcome


def _last_outcome(table: Table) -> Any:
    for event in reversed(table.encounters.events(table.id)):
        for step in event.data.get("steps", ()) or ([event.data["step"]] if event.data.get("step") else []):
            if step.get("outcome"):
                return step["outcome"]
    raise AssertionError("nothing has ended")


def to_the_gang(table: Table) -> None:
    table.do("next")
    assert sorted(table.acting) == ["bruiser", "thug"]


class TestGrapple:
    def hold(self, table: Table) -> None:
        table.act("hask", "grapple", "thug")
        outcome = thrown(table, [12], [6, 6], [1, 1])
        assert outcome["result"] == "grappled"

    def test_both_are_in_it_towards_each_other(self, fight: Table) -> None:
        self.hold(fight)
        (grappling,) = [one for one in fight.one("hask").conditions if one.slug == "grappling"]
        (grappled,) = [one for one in fight.one("thug").conditions if one.slug == "grappled"]
        assert (grappling.towards, grappled.towards) == (("thug",), ("hask",))
        assert fight.refused("act", combatant="hask", action="run")

    def test_it_does_damage_as_each_round_ends(self, fight: Table) -> None:
        self.hold(fight)
        fight.do("next")
        fight.do("next")
        (timer,) = fight.state.timers.values()
        assert (fight.state.phase, fight.state.due, timer.action) == ("due", timer.id, "grapple-damage")
        fight.act("hask", "grapple-damage", "thug", timer=timer.id)
        outcome = thrown(fight, [5])  # 1d8 of Unarmed Combatant, + Strength 1 + Punch-1
        assert (outcome["damage"], outcome["soak_absorbed"], outcome["hp_loss"]) == (7, 3, 4)
        assert fight.one("thug").sheet["hp"] == 1
        fight.do("next")
        fight.do("begin-turn")
        fight.do("next")
        fight.do("next")
        (timer,) = fight.state.timers.values()
        assert fight.state.due == timer.id  # and in the next round again

    def test_who_gets_free_ends_the_damage(self, fight: Table) -> None:
        self.hold(fight)
        to_the_gang(fight)
        fight.act("thug", "escape-grapple", "hask")
        assert thrown(fight, [6, 6], [1, 1])["escaped"] is True
        assert "grappling" not in fight.conditions("hask")
        assert "grappled" not in fight.conditions("thug")
        fight.do("next")
        assert fight.state.phase == "turn-over"

    def test_it_ends_when_the_grappler_falls(self, fight: Table) -> None:
        self.hold(fight)
        fight.do("set", combatant="hask", fields={"hp": 0})
        assert "grappled" not in fight.conditions("thug")
        fight.do("next")
        fight.do("next")
        assert fight.state.phase == "turn-over"  # and no damage came due

    def test_everybody_who_holds_on_must_be_beaten(self, fight: Table) -> None:
        self.hold(fight)
        fight.act("dov", "grapple", "thug", situation={"attacker": {"hands_free": True}})
        thrown(fight, [15], [6, 6], [1, 1])
        to_the_gang(fight)
        assert ("rules", "is not held by Pim, street medic") in fight.refused(
            "act", combatant="thug", action="escape-grapple", target="pim"
        )
        fight.act("thug", "escape-grapple", "hask")
        outcome = thrown(fight, [5, 5], [1, 1], [6, 6])
        assert outcome["escaped"] is False
        assert "grappled" in fight.conditions("thug")

    def test_nobody_steps_in_its_way(self, fight: Table) -> None:
        fight.act("hask", "grapple", "bruiser")
        assert thrown(fight, [18], [6, 6], [1, 1])["result"] == "grappled"
        to_the_gang(fight)
        fight.act("thug", "screen-ally", "bruiser")
        fight.do("next")
        (timer,) = fight.state.timers.values()
        fight.act("hask", "grapple-damage", "bruiser", timer=timer.id)
        assert thrown(fight, [5])["damage"] == 7

    def test_no_other_attack_is_as_sure(self, fight: Table) -> None:
        self.hold(fight)
        said = {"attack": {"hold": "grapple"}}
        reasons = fight.refused(
            "act", combatant="dov", action="melee-attack", target="thug", item="sword", situation=said
        )
        assert ("rules", "what a grapple does as a round ends is an action of its own") in reasons

    def test_letting_go_frees_the_victim(self, fight: Table) -> None:
        self.hold(fight)
        fight.act("hask", "release-grapple", "thug")
        assert "grappled" not in fight.conditions("thug")
        assert "grappling" not in fight.conditions("hask")

    def test_nobody_grapples_with_a_second_victim(self, fight: Table) -> None:
        self.hold(fight)
        reasons = fight.refused("act", combatant="hask", action="grapple", target="bruiser")
        assert any("held in a grapple" in text for _, text in reasons)

    def test_the_victim_is_thrown(self, fight: Table) -> None:
        self.hold(fight)
        fight.do("next")
        fight.do("next")
        (timer,) = fight.state.timers.values()
        fight.do("next")  # the damage is let pass
        fight.do("begin-turn")
        fight.act("hask", "drag-grappled", "thug", decisions=[{"decision": "drag-result", "choose": "throw"}])
        assert thrown(fight, [6, 6], [1, 1])["result"] == "throw"
        assert fight.conditions("thug") == ["prone"]
        assert timer.id not in fight.state.timers


class TestShove:
    def test_it_takes_the_main_action_and_puts_on_the_ground(self, fight: Table) -> None:
        choice = [{"decision": "shove-result", "choose": "prone"}]
        fight.act("hask", "shove", "thug", decisions=choice)
        assert thrown(fight, [12], [6, 6], [1, 1])["shoved"] == "prone"
        assert "prone" in fight.conditions("thug")
        assert fight.shown("hask")["budget"]["main"] == 0

    def test_who_is_asked_chooses(self, fight: Table) -> None:
        fight.do("set", combatant="hask", asks=True)
        fight.act("hask", "shove", "thug")
        for faces in ([12], [6, 6], [1, 1]):
            while fight.question()["kind"] == "decision":
                fight.answer(fight.question()["default"])
            fight.dice(faces)
        assert [option["id"] for option in fight.question()["options"]] == ["push", "prone"]
        fight.answer("prone")
        assert "prone" in fight.conditions("thug")


class TestScreening:
    @pytest.fixture(autouse=True)
    def blades_out(self, fight: Table) -> None:
        fight.act("dov", "screen-ally", "pim")
        to_the_gang(fight)

    def test_who_stands_in_the_way_is_struck(self, fight: Table) -> None:
        fight.act("bruiser", "melee-attack", "pim", item="bruiser-body-blades-1")
        outcome = thrown(fight, [1, 1], [6, 6], [12], [7], [1])
        assert outcome["redirected_to"] == "screener_1"
        assert outcome["damage"] == 8
        assert fight.one("dov").sheet["hp"] == 18 - 3
        assert fight.one("pim").sheet["hp"] == 9
        assert "engaged" in fight.conditions("dov")  # with whom the attacker is in melee now
        assert "engaged" not in fight.conditions("pim")

    def test_who_is_struck_instead_is_asked(self, fight: Table) -> None:
        fight.do("set", combatant="dov", asks=True, fields={"veterans_luck": True})
        fight.act("bruiser", "melee-attack", "pim", item="bruiser-body-blades-1")
        for faces in ([1, 1], [6, 6], [12]):
            fight.dice(faces)
        assert fight.question()["owners"] == ["dov"]
        while fight.steps() and "use" not in _options(fight):
            fight.answer(fight.question()["default"])
        fight.answer("use")
        assert not fight.steps()
        assert fight.one("dov").sheet["veterans_luck"] is False
        assert fight.one("dov").sheet["hp"] == 18

    def test_a_player_wins_the_tie(self, fight: Table) -> None:
        fight.act("bruiser", "melee-attack", "pim", item="bruiser-body-blades-1")
        outcome = thrown(fight, [3, 3], [3, 3], [2])
        assert outcome["redirected_to"] == "screener_1"


class TestSeveralAttacks:
    @pytest.fixture
    def beast(self, sit: Sit) -> Table:
        table = sit()
        table.join("dov", id="dov", player=True, asks=False, dice="hand")
        table.join("cyber-beast", id="beast", side="gang", asks=False, dice="hand")
        table.begin(beast={"side": 7}, dov={"side": 2})
        return table

    def test_two_with_one_main_action(self, beast: Table) -> None:
        assert beast.refused("act", combatant="beast", action="further-attack", target="dov")
        beast.act("beast", "melee-attack", "dov")
        thrown(beast, [1])
        beast.act("beast", "further-attack", "dov")
        thrown(beast, [1])
        reasons = beast.refused("act", combatant="beast", action="further-attack", target="dov")
        assert reasons[0][0] == "too-dear"
        beast.do("next")
        beast.do("next")
        beast.do("begin-turn")
        beast.act("beast", "melee-attack", "dov")
        thrown(beast, [1])
        beast.act("beast", "further-attack", "dov")

    def test_others_have_one(self, beast: Table) -> None:
        beast.do("next")
        beast.act("dov", "melee-attack", "beast")
        thrown(beast, [1])
        reasons = beast.refused("act", combatant="dov", action="further-attack", target="beast")
        assert any(code == "too-dear" for code, _ in reasons)


class TestImplants:
    def test_an_iron_hand_helps_once_in_a_scene(self, sit: Sit) -> None:
        table = sit()
        table.join("wren", id="wren", player=True, asks=False, dice="hand")
        hand = {"use": "gang-member", "augmentations": ["iron-hand-aegis"]}
        table.join(hand, id="thug", side="gang", asks=True)
        table.begin(wren={"side": 7}, thug={"side": 2})
        table.act("wren", "ranged-attack", "thug", situation={"distance": 5})
        if table.question()["kind"] == "reaction":
            table.answer(table.question()["default"])
        table.dice([19])
        while table.question()["kind"] == "decision" and "ward-off" not in _options(table):
            table.answer(table.question()["default"])
        table.answer("ward-off")
        assert table.one("thug").sheet["iron_hand"] is False
        assert table.one("thug").sheet["hp"] == 5
        table.do("next")
        table.do("next")
        table.do("begin-turn")
        table.act("wren", "ranged-attack", "thug", situation={"distance": 5})
        if table.question()["kind"] == "reaction":
            table.answer(table.question()["default"])
        table.dice([19])
        while table.steps() and table.question()["kind"] == "decision":
            assert "ward-off" not in _options(table)
            table.answer(table.question()["default"])

    def test_shock_fists_add_their_die_for_the_scene(self, fight: Table) -> None:
        fight.act("hask", "shock-fists")
        fight.act("hask", "melee-attack", "thug")
        fight.dice([15])
        (part,) = fight.question()["parts"]
        assert part["dice"] == "1d8 + 1d8 + 2"

    def test_somebody_surprised_wards_nothing_off(self, sit: Sit) -> None:
        table = sit()
        table.join("wren", id="wren", player=True, asks=False, dice="hand")
        hand = {"use": "gang-member", "augmentations": ["iron-hand-aegis"]}
        table.join(hand, id="thug", side="gang", asks=True)
        table.do("set", combatant="thug", add=["surprised"])
        table.do("begin-turn")
        table.act("wren", "ranged-attack", "thug", situation={"distance": 5})
        table.dice([19])
        while table.steps() and table.question()["kind"] == "decision":
            assert "ward-off" not in _options(table)
            table.answer(table.question()["default"])

    def test_players_claim_no_implant(self, fight: Table) -> None:
        said = {"attacker": {"trajectory_node": True}, "target": {"unsuspecting": True}}
        for record, fields in said.items():
            with pytest.raises(ForbiddenError):
                fight.act("dov", "melee-attack", "thug", by=fight.player("dov"), situation={record: fields})


def _options(table: Table) -> list[str]:
    return [option["id"] for option in table.question()["options"]]


class TestTwoWeapons:
    def test_a_second_thing_is_the_weapon_in_the_other_hand(self, sit: Sit) -> None:
        table = sit()
        fighter = {"use": "dov", "skills": {"stab": 1, "shoot": 1}}
        table.join(fighter, id="dov", player=True, asks=False, dice="hand")
        table.join("gang-member", id="thug", side="gang", asks=False)
        table.begin(dov={"side": 7}, thug={"side": 2})
        reasons = table.refused(
            "act", combatant="dov", action="melee-attack", target="thug", item="sword", second_item="knife"
        )
        assert reasons == [("weapon_not_ready", "The weapon in the other hand is not Readied")]
        table.do("set", combatant="dov", items={"knife": {"ready": True}, "sword": {"ready": True}})
        table.act("dov", "melee-attack", "thug", item="sword", second_item="knife")
        (part,) = table.question()["parts"]
        assert part["dice"].startswith("1d20 + 4")  # base 3, Strength 1, Stab-1, -1 with two
        table.dice([15])
        (part,) = table.question()["parts"]
        assert part["dice"] == "1d8 + 6"  # Strength 1, Armsmaster 1, Killing Blow 2, both in reach 2


class TestExecution:
    def test_after_a_minute_somebody_unsuspecting_falls(self, sit: Sit) -> None:
        table = sit()
        table.join("sable", id="sable", player=True, asks=False, dice="hand")
        table.join("corp-guard", id="guard", side="corp", asks=False, dice="hand")
        table.do("set", combatant="guard", add=["surprised"])
        table.do("set", combatant="sable", items={"light-pistol": {"ready": True}})
        table.do("begin-turn")
        table.act(
            "sable",
            "execution-attack",
            "guard",
            item="light-pistol",
            situation={"distance": 8},
            force=True,
        )
        outcome = thrown(table, [1, 4, 3], [2])
        assert outcome["felled"] is True
        assert "dead" in table.conditions("guard")

    def test_nobody_alert_is_executed(self, sit: Sit) -> None:
        table = sit()
        table.join("sable", id="sable", player=True, asks=False)
        table.join({"use": "corp-guard", "foci": {"alert": 1}}, id="guard", side="corp", asks=False)
        table.begin(sable={"side": 7}, guard={"side": 2})
        reasons = table.refused(
            "act",
            combatant="sable",
            action="execution-attack",
            target="guard",
            item="light-pistol",
            situation={"distance": 8},
        )
        assert ("needs", "needs a target that suspects nothing") in reasons
