"""Where the rules of Cities Without Number are easily got wrong, played out in a fight (cwn.md, 3, 4, 5, 8, 9, 10, 17).

Each test is a trap: what a table would argue about, and what the rulebook says of it. Dice are thrown by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import SOMEBODY, hold, near
from table_play import Table

Sit = Callable[..., Table]
READY = {"ready": True, "dropped": False}


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """A table where `me` and `friend` (players) act first, against `foe` and `other`; fields by name."""
    tables: list[Table] = []

    def down(options: Mapping[str, Any] | None = None, **people: Mapping[str, Any]) -> Table:
        table = Table(tmp_path, "cwn", options=dict(options or {}), name=f"{len(tables)}.db")
        tables.append(table)
        for id in ("me", "friend", "foe", "other"):
            player = id in ("me", "friend")
            fields = dict(people.get(id, {}))
            weapons = fields.pop(
                "weapons", ["sword", "heavy-pistol", "combat-rifle", "knife", "taser-pistol"]
            )
            sheet = {**SOMEBODY, "name": id, "hp": 20, "armor": [], **fields}
            side = "players" if player else "others"
            table.join(sheet, id=id, player=player, side=side, weapons=weapons, asks=False, dice="hand")
        table.begin(me={"side": 8}, friend={"side": 8}, foe={"side": 1}, other={"side": 1})
        return table

    yield down
    for table in tables:
        table.close()


def play(
    table: Table, who: str, action: str, target: str, item: str, *dice: list[int], **said: Any
) -> dict[str, Any]:
    """An action with a thing in the hand and its dice; its outcome. Every die must be asked for."""
    if item not in ("", "unarmed"):
        table.do("set", combatant=who, items={item: {**table.one(who).items[item], **READY}})
    if item:
        said["item"] = item
    table.act(who, action, target, **said)
    for faces in dice:
        table.dice(faces)
    assert not table.steps(), table.question()
    for event in reversed(table.encounters.events(table.id)):
        for step in event.data.get("steps", ()) or ([event.data["step"]] if event.data.get("step") else []):
            if step.get("outcome"):
                return dict(step["outcome"])
    raise AssertionError("nothing has ended")


def stab(table: Table, *dice: list[int], who: str = "me", target: str = "foe", **said: Any) -> dict[str, Any]:
    """+3 base, +1 attribute, Stab-1: 5 in all; 1d8 + 1; Shock 3/13."""
    return play(table, who, "melee-attack", target, "sword", *dice, **said)


def shoot(
    table: Table, *dice: list[int], who: str = "me", target: str = "foe", **said: Any
) -> dict[str, Any]:
    """The same with a heavy pistol at five metres."""
    said.setdefault("situation", {"distance": 5})
    return play(table, who, "ranged-attack", target, "heavy-pistol", *dice, **said)


def again(table: Table, who: str = "me") -> None:
    """The next round."""
    while table.acting or table.state.phase == "due":
        table.do("next")
    table.begin()


def hp(table: Table, id: str = "foe") -> int:
    return int(table.one(id).sheet["hp"])


def refused(table: Table, action: str, target: str = "", who: str = "me", **said: Any) -> str:
    return " ".join(
        message
        for _, message in table.refused("act", combatant=who, action=action, target=target or None, **said)
    )


class TestShock:
    def test_it_is_soaked_and_soak_is_spent(self, sit: Sit) -> None:
        table = sit(foe={"armor": ["reinforced-clothing"]})
        outcome = stab(table, [1])
        assert (outcome["shock_damage"], outcome["soak_absorbed"], outcome["hp_loss"]) == (3, 2, 1)
        again(table)
        assert stab(table, [1])["soak_absorbed"] == 0

    def test_it_can_bring_down(self, sit: Sit) -> None:
        table = sit(foe={"hp": 3, "named": False})
        assert stab(table, [1])["down"] == "dead"

    def test_it_never_calls_for_a_trauma_die(self, sit: Sit) -> None:
        assert stab(sit(), [1])["traumatic"] is False

    def test_a_shield_stops_the_first_of_a_round(self, sit: Sit) -> None:
        table = sit(foe={"shock_shield": True}, friend={})
        assert stab(table, [1])["shock_damage"] == 0
        assert stab(table, [1], who="friend")["shock_damage"] == 3
        again(table)
        assert stab(table, [1])["shock_damage"] == 0

    @pytest.mark.parametrize(
        "worn",
        [
            {"armor": ["riot-shield"]},
            {"augmentations": ["dermal-armor-2"]},
            {"augmentations": ["dermal-armor-3"]},
        ],
    )
    def test_a_shield_is_what_is_worn(self, worn: dict[str, Any], sit: Sit) -> None:
        table = sit(foe={"melee_ac": 8, **worn})
        assert stab(table, [1])["shock_damage"] == 0
        assert stab(table, [1], who="friend")["shock_damage"] == 3

    def test_a_hit_has_no_floor_where_a_shield_stops_it(self, sit: Sit) -> None:
        table = sit(foe={"shock_shield": True}, me={"strength": 3, "dexterity": 3})
        assert stab(table, [20], [1], [1])["damage"] == 0  # 1 - 2, never below 0

    def test_a_throw_has_none(self, sit: Sit) -> None:
        outcome = play(
            sit(),
            "me",
            "ranged-attack",
            "foe",
            "knife",
            [1],
            situation={"attack": {"kind": "thrown"}, "distance": 5},
        )
        assert (outcome["result"], outcome["hp_loss"]) == ("miss", 0)

    def test_total_defense_stops_that_of_a_swarm_after_the_roll(self, sit: Sit) -> None:
        table = sit()
        table.do("set", combatant="foe", asks=True)
        for who in ("me", "friend"):
            table.act(who, "swarm-attack", "foe")
        table.do("set", combatant="me", items={"sword": READY})
        table.act("me", "strike-as-swarm", "foe", item="sword")
        table.dice([2])  # 2 + 5 + 2 = 9 misses 11
        table.answer("defend")
        assert not table.steps()
        assert hp(table) == 20


class TestSwarm:
    def test_the_last_to_fall_out_no_longer_helps(self, sit: Sit) -> None:
        table = sit()
        for who in ("me", "friend"):
            table.act(who, "swarm-attack", "foe")
        table.do("set", combatant="friend", fields={"hp": 0})
        outcome = play(table, "me", "strike-as-swarm", "foe", "sword", [5])
        assert outcome["attack_total"] == 10

    def test_bonus_damage_stays_within_the_dice(self, sit: Sit) -> None:
        table = sit()
        for who in ("me", "friend"):
            table.act(who, "swarm-attack", "foe")
        outcome = play(table, "me", "strike-as-swarm", "foe", "sword", [20], [8], [1])
        assert (outcome["damage_rolled"], outcome["damage"]) == (9, 9)

    def test_its_members_make_no_other_attack(self, sit: Sit) -> None:
        table = sit()
        table.act("me", "swarm-attack", "foe")
        assert refused(table, "melee-attack", "foe", item="sword")


class TestRolls:
    def test_a_natural_20_misses_and_a_natural_1_hits(self, sit: Sit) -> None:
        table = sit(foe={"melee_ac": 30, "shock_immune": True}, other={"melee_ac": 5})
        assert stab(table, [20])["result"] == "miss"
        again(table)
        assert stab(table, [1], [4], [1], target="other")["result"] == "hit"

    def test_a_stat_block_adds_neither_skill_nor_attribute(self, sit: Sit) -> None:
        table = sit(foe={"attack_bonus_melee": 2, "foci": {"armsmaster": 2}})
        table.do("next")
        outcome = stab(table, [15], [5], [1], who="foe", target="me")
        assert (outcome["attack_total"], outcome["damage_rolled"]) == (17, 5)

    def test_punch_adds_to_a_fist_but_not_to_its_shock(self, sit: Sit) -> None:
        fighter = {"skills": {"punch": 3}, "foci": {"unarmed-combatant": 1}}
        table = sit(me={**fighter, "weapons": ["unarmed"]})
        missed = play(table, "me", "melee-attack", "foe", "unarmed", [1])
        assert missed["shock_damage"] == 4  # the focus's Shock is Punch-3, and the attribute's 1
        again(table)
        hit = play(table, "me", "melee-attack", "foe", "unarmed", [18], [1])
        assert (hit["damage_rolled"], hit["traumatic"]) == (5, False)  # 1 + 1 + 3, and meant to stun

    def test_a_gunlink_reroll_is_once_in_a_scene(self, sit: Sit) -> None:
        table = sit(me={"cyberware": ["gunlink"], "gunlink_rerolls": 1})
        table.do("set", combatant="me", asks=True)
        table.do("set", combatant="me", items={"heavy-pistol": READY})
        for first in (True, False):
            table.act("me", "ranged-attack", "foe", item="heavy-pistol", situation={"distance": 5})
            table.dice([1])
            if first:
                table.answer("reroll")
                table.dice([2])
            assert not table.steps()
            again(table)

    def test_luck_is_once_in_a_scene_for_both_uses(self, sit: Sit) -> None:
        table = sit(me={"veterans_luck": True})
        table.do("set", combatant="me", asks=True)
        table.do("set", combatant="me", items={"sword": READY})
        table.act("me", "melee-attack", "foe", item="sword")
        table.dice([1])
        table.answer("use")
        table.dice([1])
        table.dice([1])
        table.do("next")
        stab(table, [20], [1], [1], who="foe", target="me")  # nobody is asked

    def test_what_is_refused_costs_nothing(self, sit: Sit) -> None:
        table = sit()
        near(table, "me", "foe")
        hold(table, "sword", "foe")
        hold(table, "combat-rifle")
        before = dict(table.one("me").items["combat-rifle"])
        assert "two-handed" in refused(
            table, "ranged-attack", "foe", item="combat-rifle", situation={"distance": 1}
        )
        assert table.one("me").items["combat-rifle"] == before
        assert not table.one("me").spent.get("main")

    def test_a_burst_uses_three_rounds(self, sit: Sit) -> None:
        table = sit()
        said = {"situation": {"distance": 5, "attack": {"burst": True}}}
        outcome = play(table, "me", "ranged-attack", "foe", "combat-rifle", [10], [5], [1], **said)
        assert (outcome["attack_total"], outcome["damage_rolled"]) == (17, 8)
        assert table.one("me").items["combat-rifle"]["rounds"] == 27
        table.do("set", combatant="me", items={"combat-rifle": {"rounds": 2}})
        again(table)
        assert "three rounds" in refused(table, "ranged-attack", "foe", item="combat-rifle", **said)

    def test_a_rifle_is_of_use_where_nobody_near_is_armed(self, sit: Sit) -> None:
        table = sit(foe={"weapons": []})
        near(table, "me", "foe")
        said = {"situation": {"distance": 1}}
        assert (
            play(table, "me", "ranged-attack", "foe", "combat-rifle", [10], [1], [1], **said)["attack_total"]
            == 15
        )

    def test_a_pistol_in_melee_is_aimed_four_worse(self, sit: Sit) -> None:
        table = sit()
        near(table, "me", "foe")
        hold(table, "sword", "foe")
        assert shoot(table, [9], situation={"distance": 1})["attack_total"] == 10

    def test_a_swordsman_who_lies_on_the_ground(self, sit: Sit) -> None:
        table = sit()
        table.act("me", "go-prone")
        assert stab(table, [9])["attack_total"] == 10
        table.do("next")
        assert stab(table, [10], [1], [1], who="foe", target="me")["attack_total"] == 17


class TestDeadAndDying:
    def test_the_frail_die(self, sit: Sit) -> None:
        table = sit(foe={"hp": 1})
        table.do("set", combatant="foe", add=["frail"])
        stab(table, [1])
        assert "dead" in table.conditions("foe")
        assert "mortally-wounded" not in table.conditions("foe")

    def test_a_major_injury_follows_a_traumatic_hit_of_the_same_scene(self, sit: Sit) -> None:
        table = sit(foe={"hp": 22})
        assert stab(table, [20], [8], [6])["traumatic"] is True  # 9 x 2 = 18 of 22
        again(table)
        outcome = stab(table, [20], [5], [1], [1], [9])  # not traumatic; the save fails
        assert (outcome["traumatic"], outcome["major_injury"]) == (False, "left-arm-ruined")
        assert {"mortally-wounded", "arm-ruined"} <= set(table.conditions("foe"))

    def test_and_none_of_an_earlier_scene(self, sit: Sit) -> None:
        table = sit(foe={"hp": 22})
        stab(table, [20], [8], [6])
        table.do("set", combatant="foe", remove=["traumatic-hit"])
        again(table)
        assert "major_injury" not in stab(table, [20], [5], [1])

    def test_none_of_a_fist_that_is_meant_to_stun(self, sit: Sit) -> None:
        table = sit(foe={"hp": 2, "traumatic_before": True}, me={"weapons": ["unarmed"]})
        outcome = play(table, "me", "melee-attack", "foe", "unarmed", [20], [2])
        assert outcome["down"] == "incapacitated"
        assert "major_injury" not in outcome

    def test_a_fist_meant_to_kill_is_a_traumatic_hit_though_it_multiplies_nothing(self, sit: Sit) -> None:
        table = sit(me={"weapons": ["unarmed"]})
        said = {"situation": {"attack": {"lethal": True}}}
        outcome = play(table, "me", "melee-attack", "foe", "unarmed", [20], [2], [6], **said)
        assert (outcome["traumatic"], outcome["damage"]) == (True, 4)
        assert "traumatic-hit" in table.conditions("foe")

    def test_the_nameless_die_at_once(self, sit: Sit) -> None:
        table = sit(foe={"hp": 4, "named": False})
        assert stab(table, [20], [8], [6])["down"] == "dead"

    def test_a_taser_stuns_and_leaves_a_hit_point(self, sit: Sit) -> None:
        table = sit(foe={"hp": 4})
        outcome = play(
            table, "me", "ranged-attack", "foe", "taser-pistol", [15], [8], situation={"distance": 5}
        )
        assert outcome["down"] == "incapacitated"
        assert "frail" not in table.conditions("foe")

    def test_rounds_since_the_fall_are_those_completed(self, sit: Sit) -> None:
        """R12: a round counts when the initiative is back at the slot in which the victim fell."""
        table = sit(foe={"hp": 4}, other={"skills": {"heal": 2}})
        stab(table, [20], [8], [1])
        table.do("next")
        for _ in range(2):
            said = {"situation": {"stabilizing": {"medkit": True}}}
            outcome = play(table, "other", "stabilize", "foe", "", [1, 1], **said)
            assert outcome["difficulty"] == 8 + table.state.turn - 1
            again(table)
            table.do("next")


class TestInstants:
    def test_a_gun_is_readied_at_once_by_a_deadeye_and_no_blade(self, sit: Sit) -> None:
        table = sit(me={"foci": {"deadeye": 1}})
        hold(table, "knife")
        table.act("me", "ready-ranged-weapon-instant", item="heavy-pistol")
        assert refused(table, "ready-ranged-weapon-instant", item="sword")
        assert refused(table, "ready-melee-weapon-instant", item="sword")

    def test_a_blade_is_readied_at_once_by_an_armsmaster_and_no_gun(self, sit: Sit) -> None:
        table = sit(me={"foci": {"armsmaster": 1}})
        hold(table, "combat-rifle")
        table.act("me", "ready-melee-weapon-instant", item="sword")
        assert refused(table, "ready-melee-weapon-instant", item="heavy-pistol")

    def test_a_free_attack_is_no_shot_and_takes_no_main_action(self, sit: Sit) -> None:
        table = sit()
        near(table, "me", "foe")
        hold(table, "sword", "foe")
        table.act("me", "run")
        table.do("set", combatant="foe", items={"heavy-pistol": READY})
        assert refused(table, "free-attack", "me", "foe", item="heavy-pistol", situation={"distance": 2})
        outcome = play(table, "foe", "free-attack", "me", "sword", [1])
        assert outcome["attack_total"] == 6
        assert not table.one("foe").spent.get("main")

    def test_a_charge_exposes_to_both_kinds_of_attack(self, sit: Sit) -> None:
        table = sit()
        said = {"situation": {"attack": {"charge_distance": 5}}}
        assert play(table, "me", "charge", "foe", "sword", [1], **said)["attack_total"] == 8
        assert "move" in str(table.one("me").spent)
        table.do("next")
        assert stab(table, [4], [1], [1], who="foe", target="me")["target_ac"] == 9
        assert shoot(table, [4], [1], [1], who="other", target="me")["target_ac"] == 9

    def test_total_defense_and_a_snap_are_not_both_possible(self, sit: Sit) -> None:
        table = sit()
        table.act("foe", "total-defense")
        assert refused(table, "snap-attack", "me", "foe", item="sword")
        assert "shock-proof" in table.conditions("foe")
        outcome = stab(table, [5])
        assert (outcome["target_ac"], outcome["shock_damage"]) == (13, 0)

    def test_nameless_npcs_do_not_snap(self, sit: Sit) -> None:
        table = sit(foe={"named": False})
        assert refused(table, "snap-attack", "me", "foe", item="sword")
        forced = table.act("foe", "snap-attack", "me", item="sword", force=True)
        assert "Snap Attacks are not for nameless NPCs" in forced.data["forced"]
        table = sit({"snap_unnamed_npc": "allow"}, foe={"named": False})
        assert play(table, "foe", "snap-attack", "me", "sword", [9])["attack_total"] == 10

    def test_an_iron_hand_is_of_no_use_against_blades(self, sit: Sit) -> None:
        table = sit(foe={"augmentations": ["iron-hand-aegis"]})
        table.do("set", combatant="foe", asks=True, dice="hand")
        table.do("set", combatant="me", items={"sword": READY})
        table.act("me", "melee-attack", "foe", item="sword")
        table.dice([20])
        assert table.question()["kind"] != "decision" or table.question().get("decision") != "iron-hand"

    def test_total_defense_that_does_not_help_is_spent_all_the_same(self, sit: Sit) -> None:
        table = sit()
        table.do("set", combatant="foe", asks=True)
        table.do("set", combatant="me", items={"sword": READY})
        table.act("me", "melee-attack", "foe", item="sword")
        table.dice([10])
        table.answer("defend")  # 15 hits 13 as well
        table.dice([1])
        table.dice([1])
        assert table.one("foe").spent == {"main": 1}
        assert hp(table) == 18  # 1 + 1; the Shock of 3 is no floor under Total Defense


class TestHolds:
    @pytest.fixture
    def held(self, sit: Sit) -> Table:
        table = sit(foe={"weapons": ["sword", "heavy-pistol", "grenade-frag", "body-blades-1"]})
        table.do("set", combatant="me", items={name: {"ready": False} for name in table.one("me").items})
        said = {"situation": {"attacker": {"hands_free": True}}}
        assert play(table, "me", "grapple", "foe", "", [15], [6, 6], [1, 1], **said)["result"] == "grappled"
        table.do("next")
        table.do("set", combatant="foe", items=dict.fromkeys(table.one("foe").items, READY))
        return table

    def test_only_fists_and_blades_of_the_body_serve(self, held: Table) -> None:
        assert "grapple" in refused(held, "melee-attack", "me", "foe", item="sword")
        assert "grapple" in refused(
            held, "ranged-attack", "me", "foe", item="heavy-pistol", situation={"distance": 1}
        )
        assert "grapple" in refused(
            held, "throw-grenade", "me", "foe", item="grenade-frag", situation={"distance": 1}
        )
        assert play(held, "foe", "melee-attack", "me", "body-blades-1", [1])["attack_total"] == 6

    def test_neither_leaves(self, held: Table) -> None:
        assert refused(held, "run", "", "foe")

    def test_a_tie_frees_whoever_is_dragged(self, held: Table) -> None:
        again(held)
        outcome = play(held, "me", "drag-grappled", "foe", "", [3, 3], [3, 3])
        assert outcome["result"] == "freed"
        assert "grappled" not in held.conditions("foe")


class TestCare:
    def test_one_healer_a_round(self, sit: Sit) -> None:
        table = sit(foe={"hp": 4}, me={}, other={})
        stab(table, [20], [8], [1])
        said = {"situation": {"stabilizing": {"medkit": True}}}
        play(table, "friend", "stabilize", "foe", "", [1, 1], **said)
        table.do("next")
        assert refused(table, "stabilize", "foe", "other", **said)
        again(table)
        play(table, "me", "stabilize", "foe", "", [6, 6], **said)
        assert "stabilized" in table.conditions("foe")
        assert "mortally-wounded" not in table.conditions("foe")

    def test_first_aid_heals_the_frail_and_leaves_them_frail(self, sit: Sit) -> None:
        table = sit(friend={"hp": 5, "hp_maximum": 20})
        table.do("set", combatant="friend", add=["frail"])
        play(table, "me", "first-aid", "friend", "", [4], situation={"aid": {"medkit": True}})
        assert hp(table, "friend") == 10  # 4 + Heal-1
        assert "frail" in table.conditions("friend")
        assert table.one("friend").sheet["system_strain"] == 1

    def test_no_first_aid_beyond_the_strain_that_somebody_bears(self, sit: Sit) -> None:
        table = sit(friend={"hp": 5, "hp_maximum": 20, "system_strain": 14})
        assert refused(table, "first-aid", "friend", situation={"aid": {"medkit": True}})
        assert hp(table, "friend") == 5


class TestAreas:
    def test_a_blast_spares_no_friend(self, sit: Sit) -> None:
        table = sit(me={"weapons": ["grenade-frag"]}, friend={"armor": ["heavy-armored-suit"]})
        said = {"others": ["friend"], "situation": {"distance": 9}}
        dice = ([15], [6, 4], [1], [1], [1], [1])
        play(table, "me", "throw-grenade", "foe", "grenade-frag", *dice, **said)
        assert hp(table, "foe") == 10
        assert hp(table, "friend") == 20  # 10 - (19 - 14) = 5, which the Soak of 15 takes
