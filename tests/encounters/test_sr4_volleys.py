"""Several targets and two firearms in fights: rounds of each weapon, recoil, targets, and what everybody knows."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from table_play import OpenTable, Table

from fracas.encounters import reported_steps
from fracas.encounters.log import log_markdown

PREDATOR, COLT, INGRAM, REMINGTON = (
    "ares-predator-iv",
    "colt-america-l36",
    "ingram-smartgun-x",
    "remington-990",
)


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    table.join("rook", side="runners", dice="hand", asks=False, weapons=[PREDATOR, COLT, INGRAM, REMINGTON])
    for id in ("guard", "vex", "brick"):
        table.join(id, side="corp", dice="hand", asks=False)
    table.do("set", combatant="rook", items={slug: {"ready": True} for slug in (COLT, INGRAM, REMINGTON)})
    table.begin(rook={"hits": 6}, guard={"hits": 1}, vex={"hits": 0}, brick={"hits": 0})
    assert table.acting == ["rook"]
    return table


def play(table: Table, face: int, **faces: int) -> Counter[str]:
    """Everybody throws this face (`faces`: another one for rolls of that name) until the step is over; the pools
    that were thrown."""
    pools: Counter[str] = Counter()
    while table.steps():
        thrown = []
        for part in table.question()["parts"]:
            count = sum(group["count"] for group in part["groups"])
            pools[part["label"]] = count
            if part["hand"]:
                thrown.append([faces.get(part["label"].rpartition(".")[2], face)] * count)
        table.dice(*thrown)
    return pools


def rounds(table: Table, slug: str) -> Any:
    return table.one("rook").items[slug]["rounds"]


def both(table: Table, target: str = "guard", **more: Any) -> None:
    situation = {"distance": 4, "target_2": {"distance": 4}} if more.get("others") else {"distance": 4}
    table.act(
        "rook", "fire-two-weapons", target, item=PREDATOR, second_item=COLT, situation=situation, **more
    )


def test_two_pistols_at_one_target(table: Table) -> None:
    both(table)
    id = table.step().id
    assert dict(table.step().items) == {"weapon": PREDATOR, "weapon_2": COLT}
    pools = play(table, 2, attack=5, soak=2)
    # 9 dice are 5 and 4, off-hand 2 less. Five hits: 5 + 5 = 10 boxes, and the guard makes no second defense.
    expected = {"target.attack": 5, "target.defense": 3, "target.soak": 8}
    assert pools == {**expected, "weapon_2.attack": 2, "weapon_2.soak": 9}
    assert (rounds(table, PREDATOR), rounds(table, COLT)) == (14, 10)
    guard = table.one("guard").sheet
    assert (guard["physical"], guard["stun"], guard["defenses_made"]) == (10, 6, 1)
    sheet = table.one("rook").sheet
    assert (sheet["rounds_before"], sheet["rounds_before_2"], sheet["bursts_before"]) == (2, 1, 2)
    text = log_markdown(table.encounters, table.id, table.gm)
    for weapon in ("Ares Predator IV", "Colt America L36"):  # at the one guard
        assert re.search(rf"Rook (hits|misses) Guard with the {weapon}", text)
    seen = reported_steps.step(table.encounters, table.fight, id, table.gm, "none")
    assert seen is not None
    shots = r"Guard with the Ares Predator IV \(.*\), Guard with the Colt America L36 \(.*\)[.]"
    assert re.fullmatch(f"Rook attacks: {shots}", seen["summary"])
    assert not {"items", "named"} & seen.keys()


def test_the_second_pair_of_shots_has_recoil_and_a_tired_target(table: Table) -> None:
    both(table)
    pools = play(table, 2)
    assert (pools["target.attack"], pools["weapon_2.attack"]) == (5, 2)
    assert (pools["target.defense"], pools["weapon_2.defense"]) == (3, 2)
    both(table)
    pools = play(table, 2)
    # Each has fired once before: 1 for the one's own recoil, 1 for the other's. The third and fourth defense.
    assert (pools["target.attack"], pools["weapon_2.attack"]) == (3, 0)
    assert pools["target.defense"] == 1
    assert (rounds(table, PREDATOR), rounds(table, COLT)) == (13, 10)  # no dice, no shot
    table.do("next")
    while table.acting != ["rook"]:
        if table.state.phase == "turn-over":
            table.begin(rook={"hits": 6}, guard={"hits": 1}, vex={"hits": 0}, brick={"hits": 0})
        else:
            table.do("next")
    sheet = table.one("rook").sheet
    assert (sheet["rounds_before"], sheet["rounds_before_2"], sheet["bursts_before"]) == (0, 0, 0)


def test_two_targets_count_as_targets_of_the_phase(table: Table) -> None:
    both(table, "guard", others=["vex"])
    assert dict(table.step().who) == {"attacker": "rook", "target": "guard", "target_2": "vex"}
    pools = play(table, 2)
    assert (pools["target.attack"], pools["target_2.attack"]) == (5, 0)  # 4 - 2 off-hand - 2 further target
    assert table.one("rook").targets == ("guard", "vex")
    table.act("rook", "fire-semi-automatic", "vex", item=PREDATOR, situation={"distance": 4})
    assert play(table, 2)["attack"] == 11 - 2 - 1  # the guard before; recoil of the one round that was fired


def test_who_was_attacked_in_this_phase_is_no_further_target(table: Table) -> None:
    both(table, "guard", others=["vex"])
    play(table, 2)
    both(table, "guard", others=["vex"])
    pools = play(table, 2)
    # Guard: 5, the vex before 2, recoil 1. Vex: 4 - 2 - 2, and recoil 1 of the other.
    assert (pools["target.attack"], pools["target_2.attack"]) == (2, 0)


def test_a_spread_strikes_everybody_and_takes_one_round(table: Table) -> None:
    table.act(
        "rook",
        "fire-spread",
        "guard",
        item=REMINGTON,
        others=["vex", "brick"],
        situation={"fire": {"choke": "wide"}, "distance": 5},
    )
    pools = play(table, 2, attack=5)
    # Agility 5 - 1 for no Longarms; Reaction 3, 5 and 3, less 4; Impact 4, 4 and 5, + 8.
    assert pools == {
        "attack": 4,
        "target.soak": 15,
        "target_2.defense": 1,
        "target_2.soak": 15,
        "target_3.soak": 22,
    }
    assert [table.one(id).sheet["stun"] for id in ("guard", "vex", "brick")] == [9, 9, 9]  # 5 + 4 hits
    assert rounds(table, REMINGTON) == 7
    assert table.one("rook").sheet["rounds_before"] == 1
    assert [table.one(id).sheet["defenses_made"] for id in ("guard", "vex", "brick")] == [1, 1, 1]
    assert table.one("rook").targets == ("guard", "vex", "brick")
    before = table.state
    table.do("undo")
    table.do("redo")
    assert table.state == before


def test_a_split_full_burst_takes_ten_rounds(table: Table) -> None:
    table.act(
        "rook",
        "split-full-burst",
        "guard",
        item=INGRAM,
        others=["vex"],
        situation={"fire": {"spread": "narrow"}, "distance": 5, "apart": 1},
    )
    pools = play(table, 2)
    # 5 + 4 + 2 = 11, recoil 2 - 2; then 11 - 2, recoil 8 - 2.
    assert (pools["target.attack"], pools["target_2.attack"]) == (11, 3)
    assert rounds(table, INGRAM) == 22
    assert table.one("rook").sheet["rounds_before"] == 10
    assert table.one("rook").spent == {"simple": 2}


def test_whoever_is_surprised_makes_no_defense(table: Table) -> None:
    table.do("set", combatant="vex", add=["surprised"])
    both(table, "guard", others=["vex"])
    pools = play(table, 2)
    assert "target.defense" in pools
    assert "target_2.defense" not in pools


def test_what_a_condition_changes_counts_for_the_one_in_it(table: Table) -> None:
    """Shaken by electricity: 2 dice less on every test but those that resist damage."""
    plain = {"fire": {"choke": "medium"}, "distance": 5}
    table.act("rook", "fire-spread", "guard", item=REMINGTON, others=["vex"], situation=plain)
    pools = play(table, 2)
    assert (pools["target.defense"], pools["target_2.defense"]) == (1, 3)
    table.do("set", combatant="vex", add=["shaken"])
    table.act("rook", "fire-spread", "guard", item=REMINGTON, others=["vex"], situation=plain)
    pools = play(table, 2)
    assert (pools["target.defense"], pools["target_2.defense"]) == (0, 0)  # 3 - 1 earlier defense - 2


def test_a_full_dodge_answers_several_attacks_too(table: Table) -> None:
    table.do("set", combatant="guard", asks=True)
    both(table)
    offered = [option["id"] for option in table.question()["options"]]
    assert "full-dodge" in offered


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"action": "fire-two-weapons", "item": PREDATOR, "second_item": REMINGTON}, "weapon_too_large"),
        ({"action": "split-full-burst", "item": PREDATOR, "others": ["vex"]}, "needs"),
        (
            {
                "action": "fire-spread",
                "item": REMINGTON,
                "others": ["vex"],
                "situation": {"fire": {"choke": "narrow"}},
            },
            "too_many_targets",
        ),
    ],
)
def test_what_is_refused_costs_nothing(table: Table, command: dict[str, Any], code: str) -> None:
    reasons = table.refused("act", combatant="rook", target="guard", **command)
    assert code in {one for one, _ in reasons}
    assert table.one("rook").spent == {}
