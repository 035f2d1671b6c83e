"""People in the way of shots, and barriers of magic before people, in fights.

Rook throws 11 dice with the Predator (5P, AP -1). Ballistic: Guard 6, Brick 7, Vesper 6; Body: Guard 3, Brick 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from audited_logs import log_of
from sr4_phases import play
from table_play import OpenTable, Table

from fracas.encounters.audit import verify
from fracas.encounters.offers import odds
from fracas.encounters.schemas import load_command
from fracas.errors import ForbiddenError, InputError

NEAR = {"distance": 4}
SHOT = {**NEAR, "fire": {"mode": "semi-automatic"}}
GUN = "ares-predator-iv"
UNRESISTED = [{"to": "barrier-resist.pool", "label": "No dice", "value": -100}]
"""The service would throw the dice of a barrier."""


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    for id in ("rook", "brick", "guard", "vesper"):
        table.join(id, id=id, side="runners" if id == "rook" else "corp", dice="hand", asks=False)
    table.do("set", combatant="vesper", fields={"powers": None})  # any spell
    table.begin(rook={"hits": 6}, brick={"hits": 1}, guard={"hits": 0}, vesper={"hits": 0})
    assert table.acting == ["rook"]
    return table


def boxes(table: Table, id: str) -> tuple[int, int]:
    sheet = table.one(id).sheet
    return sheet["physical"], sheet["stun"]


class TestSomebodyInTheWay:
    def test_a_shot_through_a_troll_hits_both(self, table: Table) -> None:
        table.act("rook", "fire-semi-automatic", "guard", others=["brick"], situation=NEAR)
        assert dict(table.step().who) == {"attacker": "rook", "target": "guard", "shield": "brick"}
        pools, outcome = play(table, attack=5, soak=4, shield_soak=5)
        # 5 + 5 = 10 exceeds 7 - 1. Guard: 6 + 7 - 1 = 12, Stun, 3 + 12 dice. Brick: 9 + 6 dice, Physical.
        assert pools == {"attack": 11, "defense": 3, "soak": 15, "shield.soak": 15}
        assert (boxes(table, "guard"), boxes(table, "brick")) == ((0, 6), (5, 0))
        assert (outcome["result"], outcome["shield.shields_no_more"]) == ("hit", False)
        assert table.one("brick").sheet.get("defenses_made", 0) == 0  # he is no target
        report = verify(log_of(table))
        assert report.ok, str(report.first_difference)

    def test_a_shot_that_stops_in_him_hurts_him_alone(self, table: Table) -> None:
        table.act("rook", "fire-semi-automatic", "guard", others=["brick"], situation=NEAR)
        pools, outcome = play(table, attack=1)
        assert outcome["result"] == "stopped"
        assert pools == {"attack": 11, "defense": 3, "shield.soak": 15}
        assert (boxes(table, "guard"), boxes(table, "brick")) == ((0, 0), (0, 6))

    def test_his_armor_is_that_of_the_moment(self, table: Table) -> None:
        table.do("set", combatant="brick", fields={"armor": [], "ballistic_bonus": 0, "spell_armor": 2})
        table.act("rook", "fire-semi-automatic", "guard", others=["brick"], situation=NEAR)
        pools, _ = play(table, attack=3)
        assert pools["soak"] == 3 + 6 + 2 - 1
        assert pools["shield.soak"] == 9 + 2 - 1

    def test_a_miss_hurts_nobody(self, table: Table) -> None:
        table.act("rook", "fire-semi-automatic", "guard", others=["brick"], situation=NEAR)
        play(table, attack=1, defense=2)
        assert (boxes(table, "guard"), boxes(table, "brick")) == ((0, 0), (0, 0))

    def test_who_is_the_target_is_still_asked(self, table: Table) -> None:
        with pytest.raises(InputError) as caught:
            table.act("rook", "fire-semi-automatic", situation=NEAR)
        assert [one.path for one in caught.value.problems] == ["target"]

    def test_nobody_in_the_way_reacts(self, table: Table) -> None:
        for id in ("guard", "brick"):
            table.do("set", combatant=id, asks=True)
        table.act("rook", "fire-semi-automatic", "guard", others=["brick"], situation=NEAR)
        assert table.question()["owners"] == ["guard"]
        table.answer("none")
        assert table.question()["kind"] != "reaction"

    def test_a_player_does_not_say_otherwise_than_the_sheet(self, table: Table) -> None:
        said = {**NEAR, "shield": {"body": 1}}
        with pytest.raises(ForbiddenError):
            table.act(
                "rook",
                "fire-semi-automatic",
                "guard",
                by=table.player("rook"),
                others=["brick"],
                situation=said,
            )

    def test_a_wall_and_somebody_are_two_barriers(self, table: Table) -> None:
        said = {**NEAR, "barrier": {"material": "cheap"}}
        with pytest.raises(InputError) as caught:
            table.act("rook", "fire-semi-automatic", "guard", others=["brick"], situation=said)
        assert [one.code for one in caught.value.problems] == ["two-barriers"]

    def test_odds_tell_both_apart(self, table: Table) -> None:
        wanted = {
            "command": "act",
            "combatant": "rook",
            "action": "fire-semi-automatic",
            "target": "guard",
            "situation": NEAR,
        }
        context = table.encounters.context(table.fight, table.gm)
        alone = measures(odds(context, load_command(wanted)))
        through = measures(odds(context, load_command(wanted | {"others": ["brick"]})))
        assert alone["shield"] == 0.0
        assert 0 < through["shield"] < 10
        assert 0 < through["hit"] < alone["hit"] < 1  # some shots are stopped
        assert through["damage"] < alone["damage"]


def measures(told: Mapping[str, Any]) -> dict[str, float]:
    return {one["id"]: one["value"] for one in told["measures"]}


class TestSomebodyAsTheBarrier:
    def test_who_is_the_target_of_the_action_is_the_barrier(self, table: Table) -> None:
        table.act("rook", "shoot-barrier", "vesper", item=GUN, situation=SHOT)
        assert dict(table.step().who) == {"attacker": "rook", "shield": "vesper"}
        pools, outcome = play(table, attack=4, shield_soak=2)
        assert pools == {"attack": 11, "shield.soak": 8}  # Body 3 + 6 - 1, and no defense
        assert boxes(table, "vesper") == (7, 0)  # 5 + 4 - 2
        assert outcome["shield.shields_no_more"] is True
        assert "prone" in table.conditions("vesper")
        assert table.one("rook").items[GUN]["rounds"] == 14
        report = verify(log_of(table))
        assert report.ok, str(report.first_difference)

    def test_things_are_shot_at_as_before(self, table: Table) -> None:
        said = {**SHOT, "barrier": {"material": "cheap"}}
        table.act("rook", "shoot-barrier", item=GUN, situation=said, modifiers=UNRESISTED)
        _, outcome = play(table, attack=4)
        assert (outcome["damage"], outcome["hole"]) == (9, True)

    def test_nothing_goes_off_at_somebody(self, table: Table) -> None:
        with pytest.raises(InputError) as caught:
            table.act("rook", "explosion-at-barrier", "vesper", item="fragmentation-grenade")
        assert [one.code for one in caught.value.problems] == ["no-barrier"]


class TestBarriersOfMagic:
    def raised(self, table: Table, hits: int) -> None:
        """Vesper raises a barrier before the guard, and it is Rook's turn again."""
        table.do("set", combatant="rook", done=True)
        table.do("next")
        while table.acting != ["vesper"]:
            table.do("next")
        said = {"spell": "physical-barrier", "force": 6}
        table.act("vesper", "cast-spell", "guard", situation=said)
        play(table, spell=hits, caster_drain=9)
        while table.acting:
            table.do("next")
        table.begin(rook={"hits": 6}, brick={"hits": 1}, guard={"hits": 0}, vesper={"hits": 0})

    def test_it_is_armor_for_whoever_stands_behind(self, table: Table) -> None:
        self.raised(table, 3)
        assert table.conditions("guard") == ["physical-barrier"]
        table.act("rook", "fire-semi-automatic", "guard", situation=NEAR)
        pools, outcome = play(table, attack=3)
        assert outcome["result"] == "hit"
        assert pools["soak"] == 3 + 6 + 3 - 1

    def test_it_stops_what_does_not_exceed_it(self, table: Table) -> None:
        self.raised(table, 6)
        table.act("rook", "fire-semi-automatic", "guard", situation=NEAR)
        _, outcome = play(table, attack=0)
        assert outcome["result"] in ("graze", "miss")
        table.do("set", combatant="guard", fields={"spell_barrier": 9})
        assert table.one("guard").sheet["spell_barrier"] == 9  # the spell still sets 6
        table.act("rook", "fire-semi-automatic", "guard", situation=NEAR)
        assert next(tally["total"] for tally in table.step().tallies if tally["to"] == "barrier.rating") == 5

    def shot_at(self, table: Table, hits: int) -> Mapping[str, Any]:
        table.act("rook", "shoot-barrier", "guard", item=GUN, situation=SHOT, modifiers=UNRESISTED)
        return play(table, attack=hits)[1]

    def test_it_is_worn_down_and_whole_again_in_the_next_turn(self, table: Table) -> None:
        self.raised(table, 6)
        outcome = self.shot_at(table, 1)
        assert (outcome["damage"], outcome["structure_left"], outcome["hole"]) == (
            6,
            0,
            False,
        )  # 6 exceeds 6 - 1
        assert table.one("guard").sheet["barrier_damage"] == 6
        assert boxes(table, "guard") == (0, 0)
        while table.acting:
            table.do("next")
        table.begin(rook={"hits": 6}, brick={"hits": 1}, guard={"hits": 0}, vesper={"hits": 0})
        assert table.one("guard").sheet["barrier_damage"] == 0

    def test_it_breaks_when_all_of_it_is_gone(self, table: Table) -> None:
        self.raised(table, 6)
        self.shot_at(table, 1)
        assert "physical-barrier" in table.conditions("guard")
        outcome = self.shot_at(table, 1)
        assert (outcome["structure_lost"], outcome["hole"]) == (12, True)
        assert "physical-barrier" not in table.conditions("guard")
        report = verify(log_of(table))
        assert report.ok, str(report.first_difference)

    def test_the_caster_lets_it_go(self, table: Table) -> None:
        self.raised(table, 4)
        assert "sustaining-spell" in table.conditions("vesper")
        while table.acting != ["vesper"]:
            table.do("next")
        table.act("vesper", "drop-sustained-spell", "guard", situation={"spell": "physical-barrier"})
        assert table.conditions("guard") == []
        assert "sustaining-spell" not in table.conditions("vesper")
