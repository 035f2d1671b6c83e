"""Explosions, suppressive fire and the like in fights of Cities Without Number: several people in one step."""

from __future__ import annotations

from typing import Any

import pytest
from cwn_rounds import begin, join
from table_play import OpenTable, Table

from fracas.encounters import offers
from fracas.encounters.schemas import SCHEMAS
from fracas.engine.loading import load
from fracas.errors import ForbiddenError

GRENADES = ("grenade-frag", "grenade-flash", "grenade-gas")
THINGS = ("sword", "automatic-rifle", "demo-charge", "mine-anti-personnel", "headshot-pod", *GRENADES)


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table("cwn")
    join(table, "me", weapons=THINGS, constitution=14)
    join(table, "friend")
    join(table, "foe", side="others")
    join(table, "other", side="others")
    begin(table)
    return table


def hp(table: Table, *ids: str) -> list[int]:
    return [table.one(id).sheet["hp"] for id in ids]


def due(table: Table) -> str:
    """The timer that is due; "" for none."""
    return table.state.due


def take(table: Table, thing: str, **state: Any) -> None:
    table.do("set", combatant="me", items={thing: {"ready": True, **state}})


def by_hand(table: Table, *ids: str) -> None:
    for id in ids:
        table.do("set", combatant=id, dice="hand")


def throw_dice(table: Table, **faces: list[int]) -> list[str]:
    """Throws for everybody until the step is over; the labels of the rolls. Dots of labels are two underscores."""
    labels = []
    while table.steps():
        parts = [part for part in table.question()["parts"] if part["hand"]]
        for part in parts:
            labels.append(part["label"])
            table.dice(faces[part["label"].replace(".", "__")], owner=part["who"])
    return labels


def test_a_grenade_harms_friends_and_foes_with_one_roll(table: Table) -> None:
    by_hand(table, "me", "friend", "foe")
    take(table, "grenade-frag", rounds=2)
    table.act(
        "me",
        "throw-grenade",
        item="grenade-frag",
        others=["friend", "foe"],
        situation={"distance": 8, "victim_1": {"blast_distance": 2}, "victim_2": {"blast_distance": 5}},
    )
    assert dict(table.step().who) == {"attacker": "me", "victim_1": "friend", "victim_2": "foe"}
    labels = throw_dice(
        table,
        attack=[12],
        blast_damage=[6, 5],
        victim_1__save=[2],
        victim_1__trauma=[1],
        victim_2__save=[19],
        victim_2__trauma=[1],
    )
    assert labels == [
        "attack",
        "blast_damage",
        "victim_1.save",
        "victim_1.trauma",
        "victim_2.save",
        "victim_2.trauma",
    ]
    assert hp(table, "friend", "foe", "other") == [49, 55, 60]
    assert table.one("me").items["grenade-frag"]["rounds"] == 1
    before = table.state
    table.do("undo")
    assert hp(table, "friend", "foe") == [60, 60]
    table.do("redo")
    assert table.state == before


def test_the_last_grenade_is_gone(table: Table) -> None:
    take(table, "grenade-frag", rounds=0)
    reasons = table.refused("act", combatant="me", action="throw-grenade", item="grenade-frag")
    assert [code for code, _ in reasons] == ["empty_magazine"]


def test_a_scattered_grenade_reaches_whom_it_reaches(table: Table) -> None:
    by_hand(table, "me", "friend", "foe")
    take(table, "grenade-frag")
    table.act(
        "me",
        "throw-grenade",
        "foe",
        item="grenade-frag",
        others=["friend"],
        situation={"distance": 8, "victim_1": {"distance": 8, "bearing": 180}},
    )
    throw_dice(
        table,
        attack=[1],
        scatter=[8],
        direction=[6],
        blast_damage=[3, 3],
        victim_1__save=[2],
        victim_1__trauma=[1],
    )
    assert hp(table, "friend", "foe") == [54, 60]  # eight metres back: at the friend's feet


def test_a_flash_takes_the_next_main_action_and_two_points_for_some_rounds(table: Table) -> None:
    by_hand(table, "me", "foe", "other")
    take(table, "grenade-flash")
    table.act("me", "throw-grenade", "foe", item="grenade-flash", others=["other"], situation={"distance": 8})
    throw_dice(table, attack=[12], target__save=[2], target__rounds=[2], victim_1__save=[20])
    assert set(table.conditions("foe")) == {"flashbanged", "main-action-lost"}
    assert table.conditions("other") == ["flash-proof"]
    table.do("next")
    assert set(table.acting) == {"foe", "other"}
    assert table.refused("act", combatant="foe", action="melee-attack", target="me")
    table.do("next")
    assert "main-action-lost" not in table.conditions("foe")  # it has cost one
    table.do("begin-turn")
    assert table.conditions("foe") == ["flashbanged"]  # its second round
    assert table.conditions("other") == []
    table.do("next")
    table.do("next")
    table.do("begin-turn")
    assert table.conditions("foe") == []


def test_who_has_spent_the_main_action_loses_that_of_the_next_round(table: Table) -> None:
    by_hand(table, "me", "friend")
    table.act("friend", "improvise-main")
    take(table, "grenade-flash")
    table.act("me", "throw-grenade", "friend", item="grenade-flash", situation={"distance": 8})
    throw_dice(table, attack=[12], target__save=[2], target__rounds=[4])
    for _ in range(2):
        table.do("next")
    table.do("begin-turn")
    assert set(table.conditions("friend")) == {"flashbanged", "main-action-lost"}
    assert table.refused("act", combatant="friend", action="improvise-main")
    for _ in range(2):
        table.do("next")
    table.do("begin-turn")
    table.act("friend", "improvise-main")


def test_nobody_is_flashed_twice_and_who_withstood_is_safe_in_this_round(table: Table) -> None:
    by_hand(table, "me", "foe", "other")
    table.do("set", combatant="foe", add=["flashbanged"])
    table.do("set", combatant="other", add=["flash-proof"])
    take(table, "grenade-flash")
    table.act("me", "throw-grenade", "foe", item="grenade-flash", others=["other"], situation={"distance": 8})
    assert throw_dice(table, attack=[12]) == ["attack"]
    assert table.conditions("foe") == ["flashbanged"]


def test_implants_protect_from_a_flash(table: Table) -> None:
    by_hand(table, "me", "foe")
    table.do("set", combatant="foe", fields={"augmentations": ["cybereyes", "cyberears"]})
    take(table, "grenade-flash")
    table.act("me", "throw-grenade", "foe", item="grenade-flash", situation={"distance": 8})
    assert throw_dice(table, attack=[12]) == ["attack"]
    assert table.conditions("foe") == []


def test_gas_conceals_for_a_round_and_a_mask_keeps_it_out(table: Table) -> None:
    by_hand(table, "me", "foe", "other")
    table.do("set", combatant="other", fields={"protections": ["breathing-protection"]})
    take(table, "grenade-gas")
    table.act("me", "throw-grenade", "foe", item="grenade-gas", others=["other"], situation={"distance": 8})
    throw_dice(table, attack=[12], blast_damage=[7], target__save=[2])
    assert hp(table, "foe", "other") == [53, 60]
    assert table.conditions("foe") == table.conditions("other") == ["concealed"]
    table.do("next")
    table.act("foe", "leave-cloud")
    assert table.conditions("foe") == []
    table.do("next")
    table.do("begin-turn")
    assert table.conditions("other") == []


def test_suppressive_fire_takes_two_rounds_and_asks_everybody(table: Table) -> None:
    by_hand(table, "me", "foe", "other")
    take(table, "automatic-rifle", rounds=10)
    table.act(
        "me",
        "suppressive-fire",
        "foe",
        item="automatic-rifle",
        others=["other"],
        situation={"fire": {"mounts": ["support"]}},
    )
    throw_dice(table, damage=[8, 8], target__save=[2], target__trauma=[1], victim_1__save=[20])
    assert hp(table, "foe", "other") == [51, 60]  # 16 + 1, half up 9
    assert table.one("me").items["automatic-rifle"]["rounds"] == 8
    assert table.refused(
        "act", combatant="me", action="suppressive-fire", target="foe", item="automatic-rifle"
    )


def test_an_iron_hand_is_asked_and_used_up(table: Table) -> None:
    by_hand(table, "me", "foe")
    table.do("set", combatant="foe", fields={"augmentations": ["iron-hand-aegis"]}, asks=True)
    take(table, "automatic-rifle", rounds=10)
    fire: dict[str, Any] = {"item": "automatic-rifle", "situation": {"fire": {"mounts": ["support"]}}}
    table.act("me", "suppressive-fire", "foe", **fire)
    table.dice([8, 8], owner="me")
    table.dice([2], owner="foe")
    table.answer("ward-off", owner="foe")
    assert hp(table, "foe") == [60]
    assert table.one("foe").sheet["iron_hand"] is False


def test_a_charge_goes_off_when_its_fuse_has_burned_down(table: Table) -> None:
    by_hand(table, "me", "foe")
    take(table, "demo-charge", rounds=1)
    table.act("me", "set-charge", item="demo-charge", situation={"fuse_rounds": 1})
    assert table.one("me").items["demo-charge"]["rounds"] == 0
    table.do("next")
    table.do("next")
    assert due(table) == ""
    table.do("begin-turn")
    timer = due(table)
    table.act("me", "charge-goes-off", "foe", timer=timer)
    throw_dice(table, blast_damage=[4, 4, 4], target__save=[2], target__trauma=[1])
    assert hp(table, "foe") == [48]
    table.do("next")
    assert "me" in table.acting


def test_a_mine_goes_off_though_its_owner_is_down(table: Table) -> None:
    by_hand(table, "me", "foe")
    take(table, "mine-anti-personnel", rounds=1)
    table.act("me", "set-charge", item="mine-anti-personnel")
    table.do("set", combatant="me", fields={"hp": 0})
    player = table.player("me")
    with pytest.raises(ForbiddenError):
        table.act("me", "mine-goes-off", "foe", by=player, item="mine-anti-personnel")
    table.act("me", "mine-goes-off", "foe", item="mine-anti-personnel")
    throw_dice(table, blast_damage=[8], target__save=[2], target__trauma=[1])
    assert hp(table, "foe") == [52]


def test_a_retribution_shield_costs_strain_and_reloads(table: Table) -> None:
    by_hand(table, "me", "foe")
    table.do("set", combatant="me", fields={"augmentations": ["retribution-shield"]})
    table.do("set", combatant="foe", add=["grappling"], towards=["me"])
    table.act("me", "retribution-shield", "foe")
    throw_dice(table, target__trauma=[1])
    assert hp(table, "foe") == [48]  # the most, without a roll and a save
    assert table.one("me").sheet["system_strain"] == 1
    assert table.refused("act", combatant="me", action="retribution-shield", target="foe")


def test_eyes_dazzle_a_victim_once_in_a_scene(table: Table) -> None:
    by_hand(table, "me", "foe")
    table.do("set", combatant="me", fields={"augmentations": ["eye-dazzler"]})
    table.act("me", "dazzle", "foe")
    throw_dice(table, target__save=[2], target__rounds=[1])
    assert set(table.conditions("foe")) == {"dazzled", "dazzle-proof"}
    table.do("next")
    table.do("next")
    table.do("begin-turn")
    assert table.conditions("foe") == ["dazzle-proof"]
    table.act("me", "dazzle", "foe")
    assert table.conditions("foe") == ["dazzle-proof"]
    assert table.one("me").sheet["system_strain"] == 2


def test_a_whirl_of_blows_once_in_a_scene(table: Table) -> None:
    table.do("set", combatant="me", fields={"foci": {"whirlwind-assault": 1}})
    take(table, "sword")
    table.act("me", "whirlwind-assault", "foe", item="sword", others=["other"])
    assert hp(table, "foe", "other") == [57, 57]  # 2 + 1
    assert table.refused("act", combatant="me", action="whirlwind-assault", target="foe", item="sword")


def test_a_drone_blows_itself_up(table: Table) -> None:
    by_hand(table, "me", "foe")
    table.join("pitbull", id="drone", side="players", asks=False)
    table.act("me", "suicide-charge", "drone", others=["foe"])
    throw_dice(table, blast_damage=[2, 2, 2], victim_1__save=[2])
    assert "defeated" in table.conditions("drone")
    assert hp(table, "foe") == [54]


def test_a_kill_in_the_whirl_gives_another_attack(table: Table) -> None:
    table.do("set", combatant="me", fields={"foci": {"whirlwind-assault": 2}})
    table.do("set", combatant="foe", fields={"hp": 3})
    take(table, "sword")
    assert table.refused("act", combatant="me", action="attack-after-kill", target="other", item="sword")
    table.act("me", "whirlwind-assault", "foe", item="sword")
    table.act("me", "attack-after-kill", "other", item="sword")


def test_infrared_sees_through_gas(table: Table) -> None:
    table.do("set", combatant="foe", add=["concealed"])
    take(table, "sword")
    body = {"combatant": "me", "action": "melee-attack", "target": "foe", "item": "sword"}

    def penalties() -> set[str]:
        told = offers.odds(table.encounters.context(table.fight, table.gm), load(SCHEMAS["act"], body))
        bonus = next(tally for tally in told["modifiers"] if tally["to"] == "attack.bonus")
        return {
            entry["id"] for entry in bonus["entries"] if entry["verdict"] == "applied" and entry["value"] < 0
        }

    assert penalties() == {"unseen-known"}
    table.do("set", combatant="me", fields={"augmentations": ["eye-infrared"]})
    assert penalties() == set()


def test_a_headshot_pod_is_aimed_for_two_rounds(table: Table) -> None:
    by_hand(table, "me", "foe", "other")
    take(table, "headshot-pod", rounds=1)
    fire: dict[str, Any] = {
        "combatant": "me",
        "action": "fire-headshot-pod",
        "target": "foe",
        "item": "headshot-pod",
    }
    for _ in range(2):
        assert table.refused("act", **fire)
        table.act("me", "aim-headshot-pod")
        for _ in range(2):
            table.do("next")
        table.do("begin-turn")
    table.do("act", **fire, others=["other"], situation={"distance": 500})
    labels = throw_dice(
        table,
        attack=[9],
        damage=[3, 3, 3, 3],
        trauma=[1],
        blast_damage=[1, 1],
        victim_1__save=[2],
        victim_1__trauma=[1],
    )
    assert labels[:2] == ["attack", "damage"]
    assert hp(table, "foe", "other") == [48, 58]
    assert table.refused("act", **fire)  # it is to be aimed anew


def test_odds_of_a_throw_tell_each_victim(table: Table) -> None:
    take(table, "grenade-frag")
    body = {
        "combatant": "me",
        "action": "throw-grenade",
        "target": "foe",
        "item": "grenade-frag",
        "others": ["friend", "other"],
        "situation": {"distance": 8},
    }
    found = offers.odds(table.encounters.context(table.fight, table.gm), load(SCHEMAS["act"], body))
    assert {"blast", "target", "victim_1", "victim_2"} == {one["branch"] for one in found["branches"]}
    measures = {one["id"]: one["value"] for one in found["measures"]}
    assert measures["on-the-spot"] == pytest.approx(0.8)  # 3 + 1 + 1 against 10
    assert 0 < measures["struck"] < 3


def offered(table: Table, action: str) -> dict[str, Any]:
    [found] = offers.offers(table.encounters.context(table.fight, table.gm), "me", action)["actions"]
    return found


def test_a_charge_is_set_off_once_it_is_set_and_with_nothing_else(table: Table) -> None:
    """Setting it off costs nothing, so it is offered when the Main Action is spent: to whom has set one."""
    take(table, "automatic-rifle")
    assert not offered(table, "set-off-charge")["allowed"]
    take(table, "demo-charge", rounds=2)
    table.act("me", "set-charge", item="demo-charge")
    assert table.one("me").items["demo-charge"]["laid"] == 1
    told = offers.offers(table.encounters.context(table.fight, table.gm), "me")["usual"]
    assert {line["item"] for line in told if line["action"] == "set-off-charge"} <= {"demo-charge"}
    offer = offered(table, "set-off-charge")
    assert (offer["allowed"], offer["item"]) == (True, "demo-charge")
    refused = table.refused("act", combatant="me", action="set-off-charge", item="automatic-rifle")
    assert [why for _, why in refused] == ["needs a charge or mine that was set before"]
    table.act("me", "set-off-charge", item="demo-charge", others=["foe"])
    assert table.one("me").items["demo-charge"]["laid"] == 0
    offer = offered(table, "set-off-charge")
    assert (offer["allowed"], offer["unlikely"]) == (False, True)


def test_a_charge_is_not_shot_at_a_point(table: Table) -> None:
    take(table, "demo-charge", rounds=2)
    assert table.refused("act", combatant="me", action="shoot-at-a-point", item="demo-charge")[0] == (
        "needs",
        "needs a ready weapon that strikes an area",
    )
