"""Shots, throws and blows in fights of the Inquisitor universe: what a fight fills in, and what it takes away.

imperium.md, sections 3.2, 5, 6 and 8; golden examples A5, A7 and A13.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from imperium_rounds import begin, join, pair, refused
from sr4_phases import offered
from table_play import OpenTable, Table


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """`me` acts first, then `foe`."""
    table = open_table("imperium", options={"pinning": False})
    join(table, "me", 60, weapons=["autogun", "laspistol", "sword", "frag-grenade"])
    join(table, "foe", 40, weapons=["power-sword"], side="others", traits=["specialist-weapon-power"])
    begin(table)
    return table


def opened(table: Table) -> list[Mapping[str, Any]]:
    """The numbers of the step that the newest action began."""
    events = table.encounters.events(table.id)
    step = next(event.data["step"] for event in reversed(events) if event.type == "acted")
    found: list[Mapping[str, Any]] = step["open"]["tallies"]
    return found


def numbers(table: Table) -> dict[str, int]:
    return {one["to"]: one["total"] for one in opened(table)}


def lines(table: Table, to: str) -> dict[str, int]:
    """The lines that count of one of its numbers, by label."""
    entries = next(one["entries"] for one in opened(table) if one["to"] == to)
    return {entry["label"]: entry["value"] for entry in entries if entry["verdict"] == "applied"}


def told(table: Table) -> Mapping[str, Any]:
    """How the newest step ended."""
    outcome: Mapping[str, Any] = table.encounters.events(table.id)[-1].data["steps"][0]["outcome"]
    return outcome


def shoot(table: Table, distance: int = 10, **fields: Any) -> None:
    said = fields.pop("situation", {})
    situation = {"distance": distance, "visibility": [], "fire": {"mode": "single"}, **said}
    table.act("me", "fire-weapon", "foe", item="autogun", situation=situation, **fields)


def next_round(table: Table) -> None:
    while table.acting or table.state.phase == "due":
        table.do("next")
    begin(table)


def hold(table: Table, who: str, item: str) -> None:
    """This thing alone is in hand."""
    away = {name: {"ready": False} for name in table.one(who).items if name != item}
    table.do("set", combatant=who, items={**away, item: {"ready": True}})


@pytest.mark.parametrize("action", ["walk", "wade", "swim"])
def test_a_gun_is_braced_until_its_gunner_moves(action: str, open_table: OpenTable) -> None:
    table = open_table("imperium")
    table.join("gunner-ostrowe", id="gunner", side="us")
    begin(table)
    table.do("set", combatant="gunner", add=["braced"])
    table.act("gunner", action, ask=False)
    assert "braced" not in table.conditions("gunner")


class TestVehicles:
    def test_its_guns_are_braced_and_suffer_while_it_moves(self, open_table: OpenTable) -> None:
        table = open_table("imperium", options={"pinning": False})
        table.join("half-track", id="track", side="us", dice="hand")
        join(table, "foe", 40, side="others")
        begin(table)
        shot = {"distance": 10, "visibility": [], "fire": {"mode": "semi-auto", "shots": 3}}
        table.act("track", "drive")
        table.act("track", "fire-weapon", "foe", item="heavy-bolter", situation=shot)
        assert lines(table, "shooting.chance") == {
            "Ballistic Skill": 50,
            "Short range": 0,
            "Semi-automatic fire": -10,
            "From a moving vehicle": -10,
        }

    def test_shots_strike_plates_and_hull(self, table: Table) -> None:
        """3 + 2 + 2, doubled by a critical hit, is 14; the rear stops 2; 12 of 20 Hull; a die at half of it."""
        table.join("scout-bike", id="bike", side="others", dice="hand")
        volley = {"fire": {"mode": "semi-auto", "shots": 2}, "target": {"facing": "rear"}}
        situation = {"distance": 10, "visibility": [], **volley}
        table.act("me", "fire-weapon", "bike", item="autogun", situation=situation)
        for faces in ([11], [3, 2], [99], [10]):
            table.dice(faces)
        bike = table.one("bike")
        assert (bike.sheet["hull"], bike.sheet.get("injury_total")) == (8, 0)
        assert [one.slug for one in bike.conditions] == ["stopped"]

    def test_a_ram_damages_both(self, open_table: OpenTable) -> None:
        table = open_table("imperium", options={"pinning": False})
        for id, entry, side in (("carrier", "armored-carrier", "us"), ("bike", "scout-bike", "others")):
            table.join(entry, id=id, side=side, dice="hand")
        begin(table, carrier=60, bike=50)
        situation = {"driving": {"speed": 15}, "target": {"facing": "front"}}
        table.act("carrier", "ram", "bike", situation=situation)
        for faces in ([40], [2, 2, 2, 2, 2, 2]):  # 15 / 5 and 80 / 25: 6 dice, 12; less 4 is 8
            table.dice(faces)
        assert (table.one("bike").sheet["hull"], table.one("carrier").sheet["hull"]) == (12, 74)


class TestPlasmaPistols:
    def test_a_shot_in_close_combat_recharges_and_takes_its_setting_as_offered(
        self, open_table: OpenTable
    ) -> None:
        table = open_table("imperium", options={"pinning": False})
        join(table, "me", 60, weapons=["plasma-pistol"])
        join(table, "foe", 40, side="others")
        begin(table)
        assert offered(table, "close-shot", "me")["defaults"] == {"fire": {"setting": "low"}}
        table.act("me", "close-shot", "foe", situation={"fire": {"setting": "low"}})
        table.dice([99])
        assert table.one("me").items["plasma-pistol"]["ready_round"] == 3
        assert refused(table, "close-shot", "me", "foe", situation={"fire": {"setting": "low"}}) == [
            "needs a weapon that has recharged, and not overheated"
        ]


class TestShots:
    def test_a5_both_of_a_pair_are_halved_and_last(self, table: Table) -> None:
        """Strength 60 / 2 = 30; (65 - 10) / 2 = 27.5, up 28. Rolls 24 and 27 succeed."""
        table.do("set", combatant="me", fields={"strength": 60, "ballistic_skill": 65})
        pair(table, "me", "leap", "fire-weapon")
        table.dice([24])
        assert (told(table)["test_chance"], told(table)["success"]) == (30, True)
        shoot(table, 30)
        assert numbers(table)["shooting.chance"] == 28
        assert lines(table, "shooting.chance")["Merged action: halved"] == -27
        table.dice([27])
        assert table.one("me").spent == {"action": 1, "merged": 1}

    def test_a7_an_action_by_itself_has_its_full_chance(self, table: Table) -> None:
        pair(table, "me", "walk", "do-nothing")
        table.act("me", "do-nothing")
        table.dice([20])
        shoot(table)
        assert numbers(table)["shooting.chance"] == 60
        table.dice([58])
        assert table.step().answers

    def test_the_fight_counts_aim_and_uses_it_up(self, table: Table) -> None:
        table.act("me", "aim", item="autogun")
        shoot(table)
        assert lines(table, "shooting.chance")["Aimed"] == 20
        assert numbers(table)["shooting.chance"] == 80
        table.dice([99])
        next_round(table)
        shoot(table)
        assert numbers(table)["shooting.chance"] == 60

    def test_a8_aim_in_one_round_and_fire_in_the_next(self, tmp_path: Path) -> None:
        table = Table(
            tmp_path, "imperium", options={"one_action_rounds": True, "pinning": False}, name="one.db"
        )
        join(table, "me", 60, weapons=["autogun"])
        join(table, "foe", 40, side="others")
        for hurt, chance in ((False, 80), (True, 60)):
            begin(table)
            table.act("me", "aim", item="autogun")
            if hurt:
                table.act("me", "suffer-damage", situation={"injury": {"damage": 3, "location": "right-leg"}})
            next_round(table)
            shoot(table)
            assert numbers(table)["shooting.chance"] == chance
            table.dice([99])
            while table.acting:
                table.do("next")
        table.close()

    def test_aim_with_one_weapon_is_none_with_another(self, table: Table) -> None:
        table.do("set", combatant="me", items={"laspistol": {"ready": True}})
        table.act("me", "aim", item="laspistol")
        shoot(table)
        assert numbers(table)["shooting.chance"] == 60

    @pytest.mark.parametrize(("way", "less"), [("walk", 0), ("run", 10), ("sprint", 20)])
    def test_the_fastest_movement_of_the_target_counts_until_its_next_round(
        self, way: str, less: int, table: Table
    ) -> None:
        table.do("next")
        table.act("foe", way)
        table.act("foe", "walk")
        table.do("next")
        begin(table)
        shoot(table)
        assert numbers(table)["shooting.chance"] == 60 - less
        table.dice([99])
        table.do("next")
        next_round(table)
        shoot(table)
        assert numbers(table)["shooting.chance"] == 60

    def test_a_target_that_lies_is_harder_to_hit_beyond_short_range(self, table: Table) -> None:
        table.do("set", combatant="foe", add=["prone"])
        shoot(table, 30)
        assert numbers(table)["shooting.chance"] == 60 - 10 - 10

    def test_shots_are_counted_and_run_out(self, table: Table) -> None:
        table.do("set", combatant="me", items={"autogun": {"rounds": 5}})
        shoot(table, situation={"fire": {"mode": "semi-auto", "shots": 4}})
        for _ in range(4):
            table.dice([99])
        assert table.one("me").items["autogun"]["rounds"] == 1
        said = {"distance": 10, "visibility": [], "fire": {"mode": "semi-auto", "shots": 4}}
        assert refused(table, "fire-weapon", target="foe", item="autogun", situation=said)
        shoot(table)
        table.dice([99])
        next_round(table)
        wanted = refused(table, "fire-weapon", target="foe", item="autogun", situation=said)
        assert "needs something loaded" in wanted

    def test_an_injured_arm_makes_it_harder_and_a_useless_one_impossible(self, table: Table) -> None:
        """A rifle is held with both: the worse counts."""
        table.do("set", combatant="me", fields={"injuries": {"left-arm": 3}})
        shoot(table)
        assert numbers(table)["shooting.chance"] == 40
        table.dice([99])
        table.do("set", combatant="me", fields={"injuries": {"left-arm": 4}})
        said = {"distance": 10, "visibility": [], "fire": {"mode": "single"}}
        assert "it takes two hands" in refused(
            table, "fire-weapon", target="foe", item="autogun", situation=said
        )

    def test_a_pistol_goes_to_the_better_arm(self, table: Table) -> None:
        hold(table, "me", "laspistol")
        table.do("set", combatant="me", fields={"injuries": {"right-arm": 4}})
        situation = {"distance": 5, "visibility": [], "fire": {"mode": "single"}}
        table.act("me", "fire-weapon", "foe", item="laspistol", situation=situation)
        assert numbers(table)["shooting.chance"] == 60

    def test_a_player_may_not_say_otherwise_than_the_fight_knows(self, table: Table) -> None:
        me = table.player("me")
        table.act("me", "walk", situation={"action": {"merged_with": "fire-weapon"}}, by=me)
        said = {"distance": 10, "visibility": [], "fire": {"mode": "single"}, "action": {"merged": False}}
        with pytest.raises(Exception, match="only the GM may set this otherwise"):
            table.act("me", "fire-weapon", "foe", by=me, item="autogun", situation=said)
        del said["action"]
        table.act("me", "fire-weapon", "foe", by=me, item="autogun", situation=said)
        assert numbers(table)["shooting.chance"] == 30

    def test_a_hit_hurts_and_makes_the_target_lose_its_aim(self, table: Table) -> None:
        """2D6+2 with 5 and 4 = 11 to the body (reversed 25 = 52): three levels, 11 > 10, the test passes."""
        table.do("set", combatant="foe", add=["aiming"])
        shoot(table)
        table.dice([25])
        table.dice([5, 4])
        table.dice([50])
        foe = table.one("foe")
        assert (foe.sheet["injury_total"], foe.sheet["injuries"], foe.sheet["bleeding"]) == (
            11,
            {"body": 3},
            {"body": 1},
        )
        assert set(table.conditions("foe")) == {"stunned", "suffering"}
        assert foe.sheet["stunned_actions"] == 2

    def test_a_grenade_is_gone_after_the_throw(self, table: Table) -> None:
        hold(table, "me", "frag-grenade")
        situation = {"distance": 4, "visibility": []}
        table.act("me", "throw-grenade", "foe", item="frag-grenade", situation=situation)
        table.dice([99])
        while table.steps():
            table.dice(
                [1] * sum(group["count"] for part in table.question()["parts"] for group in part["groups"])
            )
        assert table.one("me").items["frag-grenade"]["rounds"] == 0
        assert refused(table, "throw-grenade", target="foe", item="frag-grenade", situation=situation)
        assert refused(table, "aim", item="frag-grenade") == ["needs a weapon in hand"]
        table.act("me", "draw-weapon", item="autogun")
        assert table.one("me").items["autogun"]["ready"] is True, "the hand is free again"


class TestBlows:
    def test_the_weapon_that_the_target_holds_parries(self, table: Table) -> None:
        """50 + 15 of the sword - 20 of the power sword."""
        hold(table, "me", "sword")
        table.act("me", "attack", "foe", item="sword")
        assert numbers(table)["close-combat.chance"] == 45
        table.dice([99])
        table.do("set", combatant="foe", items={"power-sword": {"ready": False}})
        table.act("me", "attack", "foe", item="sword")
        assert numbers(table)["close-combat.chance"] == 65

    def test_nobody_parries_stunned_or_unconscious(self, table: Table) -> None:
        hold(table, "me", "sword")
        table.do("set", combatant="foe", fields={"stunned_actions": 1})
        table.act("me", "attack", "foe", item="sword")
        assert numbers(table)["close-combat.chance"] == 65
        table.dice([99])
        table.do("set", combatant="foe", fields={"stunned_actions": 0}, add=["unconscious"])
        table.act("me", "attack", "foe", item="sword", confirm=True)
        assert numbers(table)["close-combat.chance"] == 65

    def test_a13_the_power_sword_destroys_what_it_parries(self, table: Table) -> None:
        """55 + 15 - 20 = 50: 60 fails, and would have succeeded without the parry; 25 of 100 breaks the sword."""
        hold(table, "me", "sword")
        table.do("set", combatant="me", fields={"weapon_skill": 55})
        table.act("me", "attack", "foe", item="sword")
        table.dice([60])
        table.dice([25])
        assert table.one("me").items["sword"]["ready"] is False
        assert "needs something to strike with in hand" in refused(
            table, "attack", target="foe", item="sword"
        )
        assert refused(table, "draw-weapon", item="sword") == ["it is destroyed"]

    def test_a_charge_is_one_action_with_its_blow(self, table: Table) -> None:
        """50 + 15 + 10 - 20; it is not halved for the move, and merged with another action it is."""
        hold(table, "me", "sword")
        table.act("me", "charge", "foe", item="sword")
        assert numbers(table)["close-combat.chance"] == 55
        table.dice([99])
        assert table.one("me").spent == {"action": 1}
        pair(table, "me", "charge", "walk", "foe", item="sword")
        assert numbers(table)["close-combat.chance"] == 28

    def test_two_blows_in_one_action_are_both_halved(self, table: Table) -> None:
        """45 / 2 = 22.5, up 23."""
        hold(table, "me", "sword")
        pair(table, "me", "attack", "attack", "foe", item="sword")
        assert numbers(table)["close-combat.chance"] == 23
        table.dice([99])
        table.act("me", "attack", "foe", item="sword")
        assert numbers(table)["close-combat.chance"] == 23

    def test_a_pistol_is_fired_with_weapon_skill(self, table: Table) -> None:
        hold(table, "me", "laspistol")
        table.act("me", "close-shot", "foe", item="laspistol")
        table.dice([100])
        assert table.one("me").items["laspistol"]["rounds"] == 29

    def test_bare_hands_need_no_weapon_and_risk_none(self, table: Table) -> None:
        """50 - 20; the fist parried by a power sword is no sword."""
        hold(table, "me", "sword")
        table.act("me", "strike-bare-handed", "foe")
        assert numbers(table)["close-combat.chance"] == 30
        assert table.step().items == {}

    @pytest.mark.parametrize(
        "said",
        [
            {"parry": {"parry_penalty": 0}},
            {"weapon": {"damage": "9d10"}},
            {"weapon": {"stationary_damage": "9d10"}},
            {"armor": "leather-vest"},
            {"armor": {"value": 0}},
            {"attack": {"direction": "rear"}},
            {"target": {"aware": False}},
            {"target": {"object": True}},
        ],
    )
    def test_a_player_says_nothing_in_place_of_what_the_fight_knows(
        self, said: dict[str, Any], table: Table
    ) -> None:
        hold(table, "me", "sword")
        me = table.player("me")
        with pytest.raises(Exception, match="only the GM may set this otherwise"):
            table.act("me", "attack", "foe", by=me, item="sword", situation=said)
        table.act("me", "attack", "foe", by=me, item="sword")

    def test_one_weapon_at_a_time(self, table: Table) -> None:
        reasons = refused(table, "attack", target="foe", item="sword", second_item="laspistol")
        assert "one weapon is used at a time" in reasons
