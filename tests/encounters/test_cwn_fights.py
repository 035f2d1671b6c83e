"""Rounds of Cities Without Number in a fight (cwn.md, sections 2, 3 and 9.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from table_play import OpenTable, Table

Sit = Callable[..., Table]


@pytest.fixture
def sit(open_table: OpenTable) -> Sit:
    return lambda **options: open_table("cwn", options=options)


def people(table: Table, **fields: Any) -> None:
    """Two PCs against two of a gang."""
    for name in ("wren", "dov"):
        table.join(name, id=name, player=True, **{"asks": False, **fields})
    for id in ("thug", "boss"):
        table.join("gang-member", id=id, name=id.capitalize(), side="gang", asks=False, **fields)


def pcs_first(table: Table) -> None:
    table.begin(
        wren={"side": 7, "own": 7},
        dov={"side": 7, "own": 3},
        thug={"side": 4, "own": 5},
        boss={"side": 4, "own": 2},
    )


class TestInitiative:
    def test_a_side_rolls_once_and_a_tie_goes_to_the_pcs(self, sit: Sit) -> None:
        """G25, with a Dexterity modifier of 1."""
        table = sit()
        people(table)
        for id in ("wren", "thug"):
            table.do("set", combatant=id, dice="hand")
        table.do("begin-turn")
        assert {one.question["owners"][0] for one in table.steps() if one.question} == {"wren", "thug"}
        assert [part["dice"] for part in table.question("wren")["parts"]] == ["1d8 + 1"]
        table.dice([4], owner="wren")
        table.dice([5], owner="thug")
        assert {one["rank"] for one in table.view()["combatants"]} == {"5"}
        assert sorted(table.acting) == ["dov", "wren"]
        assert not table.state.together
        assert [row["label"] for row in table.view()["order"][1:]] == ["gang"]
        table.do("next")
        assert sorted(table.acting) == ["boss", "thug"]
        table.do("next")
        assert table.state.phase == "turn-over"
        table.do("begin-turn")  # in the same order, without a roll
        assert not table.steps()
        assert sorted(table.acting) == ["dov", "wren"]

    def test_npc_sides_that_tie_roll_again(self, sit: Sit) -> None:
        table = sit()
        for id in ("red", "blue"):
            table.join("gang-member", id=id, side=id, dice="hand")
        table.do("begin-turn")
        table.dice([5], owner="red")
        table.dice([5], owner="blue")
        assert table.state.phase == "initiative"
        table.dice([2], owner="red")
        table.dice([7], owner="blue")
        assert table.acting == ["blue"]
        table.do("next")
        assert table.acting == ["red"]

    def test_everybody_alone(self, sit: Sit) -> None:
        table = sit(initiative="individual")
        people(table)
        pcs_first(table)
        order = []
        while table.acting:
            order += table.acting
            table.do("next")
        assert order == ["wren", "thug", "dov", "boss"]

    def test_a_side_acts_in_any_order_it_likes(self, sit: Sit) -> None:
        table = sit()
        people(table)
        pcs_first(table)
        table.act("dov", "run")
        table.act("wren", "run")
        table.do("next", by=table.player("wren"))
        assert table.acting == ["dov"]
        table.act("dov", "use-skill")
        table.do("next", combatant="dov", by=table.player("dov"))
        assert sorted(table.acting) == ["boss", "thug"]

    def test_surprise_is_a_round_before_initiative(self, sit: Sit) -> None:
        table = sit()
        people(table)
        for id in ("thug", "boss"):
            table.do("set", combatant=id, add=["surprised"])
        table.do("begin-turn")
        assert sorted(table.acting) == ["dov", "wren"]
        assert not table.one("wren").rolled
        assert table.refused("act", combatant="thug", action="run")[0][1] == "Thug has no Turn now: surprised"
        table.do("next")
        assert table.state.phase == "turn-over"
        assert table.conditions("thug") == []
        table.do("begin-turn")
        assert table.one("wren").rolled


class TestActions:
    @pytest.fixture
    def fight(self, sit: Sit) -> Table:
        table = sit()
        people(table)
        pcs_first(table)
        return table

    def test_a_main_and_a_move(self, fight: Table) -> None:
        fight.act("wren", "run")
        fight.act("wren", "run")  # the Main Action pays for a second Move
        reasons = fight.refused("act", combatant="wren", action="run")
        assert reasons == [
            ("too-dear", "Move Actions spent: needs 1 Move Action, 0 left, or 1 Main Action, 0 left")
        ]
        assert fight.shown("wren")["budget"] == {"main": 0, "move": 0}
        fight.act("wren", "say-something")
        fight.act("wren", "drop-item", item="heavy-pistol")

    def test_a_charge_exposes_until_the_round_ends(self, fight: Table) -> None:
        for id in ("dov", "thug"):
            fight.do("set", combatant=id, dice="hand")
        situation = {"distance": 1, "attack": {"charge_distance": 8}}
        fight.act("dov", "charge", "thug", situation=situation)
        assert fight.conditions("dov") == ["charged"]
        fight.dice([2])  # a miss
        while fight.steps():
            fight.answer()
        assert fight.shown("dov")["budget"] == {"main": 0, "move": 0}
        fight.do("next")
        assert fight.conditions("dov") == ["charged", "engaged"]
        fight.do("next")
        assert fight.state.phase == "turn-over"
        assert fight.conditions("dov") == ["engaged"]

    def test_total_defense_before_the_own_turn_ends_with_it(self, fight: Table) -> None:
        fight.act("thug", "total-defense")
        assert fight.conditions("thug") == ["total-defense", "shock-proof"]
        fight.do("next")
        assert fight.conditions("thug") == ["shock-proof"]
        assert fight.shown("thug")["budget"] == {"main": 0, "move": 1}
        assert fight.refused("act", combatant="thug", action="use-skill")[0][0] == "too-dear"
        fight.do("next")
        assert fight.conditions("thug") == []

    def test_total_defense_after_the_own_turn_lasts_until_the_next(self, fight: Table) -> None:
        fight.do("next")
        fight.act("wren", "total-defense")
        fight.do("next")
        assert fight.conditions("wren") == ["total-defense"]
        fight.do("begin-turn")
        assert "wren" in fight.acting
        assert fight.conditions("wren") == []

    def test_a_held_action_is_taken_later_in_the_round(self, fight: Table) -> None:
        fight.act("wren", "hold-action")
        fight.do("next")
        fight.act("wren", "use-skill", by=fight.player("wren"))
        assert fight.refused("act", combatant="wren", action="use-skill")[0][0] == "too-dear"
        dov = fight.refused("act", combatant="dov", action="use-skill")
        assert dov[0][0] in ("done", "not-your-turn", "out-of-turn")
        fight.do("next")
        assert fight.conditions("wren") == []

    def test_a_held_action_is_lost_with_the_round(self, fight: Table) -> None:
        fight.act("wren", "hold-action")
        fight.do("next")
        fight.do("next")
        assert fight.state.phase == "turn-over"
        fight.do("begin-turn")
        fight.do("next")
        assert fight.refused("act", combatant="wren", action="use-skill")

    def test_a_snap_attack_before_the_own_turn_takes_the_main_action(self, sit: Sit) -> None:
        table = sit()
        people(table)
        table.begin(wren={"side": 3}, dov={"side": 3}, thug={"side": 6}, boss={"side": 6})
        assert sorted(table.acting) == ["boss", "thug"]
        table.do("set", combatant="wren", dice="hand")
        table.act("wren", "snap-attack", "thug", by=table.player("wren"), situation={"distance": 5})
        (part,) = table.question()["parts"]
        table.dice([1], by=table.player("wren"))
        while table.steps():
            table.answer(table.question().get("default"))
        assert table.one("wren").spent == {"main": 1}
        assert table.refused("act", combatant="wren", action="snap-attack", target="thug")[0][0] == "too-dear"
        table.do("next")
        assert "wren" in table.acting
        assert table.shown("wren")["budget"]["main"] == 0
        assert part["by"] == "attacker"

    def test_total_defense_answers_an_attack_while_the_main_action_is_there(self, fight: Table) -> None:
        fight.do("set", combatant="wren", dice="hand")
        fight.do("set", combatant="thug", asks=True)
        fight.act("wren", "ranged-attack", "thug", situation={"distance": 5})
        fight.dice([13])
        while fight.question()["kind"] == "roll" or fight.question().get("decision") != "total-defense":
            fight.answer(fight.question().get("default"))
        assert fight.question()["owners"] == ["thug"]
        fight.answer("defend", by=fight.player("thug"))
        while fight.steps():
            fight.answer(fight.question().get("default"))
        assert fight.one("thug").spent == {"main": 1}
        assert "total-defense" in fight.conditions("thug")

    def test_total_defense_before_the_roll(self, sit: Sit) -> None:
        """The house rule: it is a reaction. A snap attack that it answers has been paid for, and still stands."""
        table = sit(instants_after_roll=False)
        people(table)
        table.begin(wren={"side": 3}, dov={"side": 3}, thug={"side": 6}, boss={"side": 6})
        table.do("set", combatant="thug", asks=True)
        table.act("wren", "snap-attack", "thug", situation={"distance": 5})
        question = table.question("thug")
        assert [option["id"] for option in question["options"]] == ["none", "total-defense-before-the-roll"]
        done = table.answer("total-defense-before-the-roll")
        assert done.data["steps"][0]["outcome"] is not None
        assert table.one("thug").spent == {"main": 1}

    def test_nobody_delays(self, fight: Table) -> None:
        assert fight.refused("delay", combatant="wren")[0][0] == "no-delay"
        assert fight.refused("intervene", combatant="wren")[0][0] == "not-delaying"


def test_the_mortally_wounded_die_at_the_end_of_the_sixth_round(sit: Sit) -> None:
    table = sit()
    people(table)
    pcs_first(table)
    table.do("set", combatant="wren", fields={"hp": 0}, add=["mortally-wounded"])
    assert table.shown("wren")["unable"] == "Mortally Wounded"
    for number in range(1, 8):
        assert table.state.turn == number
        assert table.conditions("wren") == ["mortally-wounded"]
        while table.acting:
            assert "wren" not in table.acting or number == 1
            table.do("next")
        if number < 7:
            table.do("begin-turn")
    assert table.conditions("wren") == ["dead"]
    table.do("undo")
    assert table.conditions("wren") == ["mortally-wounded"]


def test_who_is_stabilized_lives(sit: Sit) -> None:
    table = sit()
    people(table)
    pcs_first(table)
    table.do("set", combatant="wren", add=["mortally-wounded"])
    table.do("set", combatant="wren", remove=["mortally-wounded"], add=["stabilized"])
    for _ in range(8):
        while table.acting:
            table.do("next")
        table.do("begin-turn")
    assert table.conditions("wren") == ["stabilized"]


def test_the_dice_of_a_duration_come_from_the_fight(sit: Sit) -> None:
    table = sit()
    people(table)
    pcs_first(table)
    before = table.fight.history.draws
    event = table.do("set", combatant="thug", add=["flashbanged"])
    thrown = event.data["effects"][0]["dice"]
    assert (thrown["dice"], thrown["draw"], event.draws) == ("1d6", before, before + 1)
    (condition,) = table.one("thug").conditions
    assert (condition.unit, condition.until) == ("turn", thrown["faces"][0])
