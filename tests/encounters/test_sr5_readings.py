"""Readings of section 14 of the rulebook that only a fight can show; the numbers in the names are its rows.

Others are worked examples, or tests of the turn (test_sr5_turns.py) and of steps (test_sr5_steps.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sr5_board import codes, join, left, table_of
from table_play import OpenTable, Table

P1, P2, M1, M2, X1, X2 = (
    "observe-in-detail",
    "evade",
    "command-spirit",
    "summon",
    "send-message",
    "matrix-search",
)
BURST: dict[str, Any] = {"situation": {"distance": 10, "target": {"unaware": True}}, "ask": False}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


def opened(folder: Path, **options: Any) -> Table:
    name = "-".join(f"{option}-{value}" for option, value in options.items())
    return table_of(folder, options, f"{name}.db")


def rolled(table: Table, *dice: int, **more: Any) -> dict[str, Any]:
    """What the initiative roll of somebody alone keeps."""
    join(table, "ann", **more)
    table.do("begin-turn")
    table.dice(list(dice))
    return dict(table.one("ann").rolled)


def shoots(table: Table, action: str, target: str = "bob") -> None:
    """Whoever acts fires at somebody unaware, and misses."""
    table.act(table.acting[0], action, target, **BURST)
    (part,) = table.question()["parts"]
    table.dice([2] * sum(group["count"] for group in part["groups"]))


@pytest.mark.parametrize(("dice", "score"), [(2, 13), (3, 14)])
def test_1_astral_dice(tmp_path: Path, dice: int, score: int) -> None:
    table = opened(tmp_path, astral_initiative_dice=dice)
    assert rolled(table, *[3, 2, 1][:dice], place="astral")["score"] == score
    table.close()


def test_2_augmented_reality_rolls_physical_initiative(table: Table) -> None:
    found = rolled(table, 5, 1, interface="ar", dni=True, data_processing=9, initiative_dice=2)
    assert found["score"] == 4 + 4 + 6


def test_3_wired_two_attacks_twice_and_strikes_three(table: Table) -> None:
    join(table, "ann", weapons=["katana"])
    foes = ["bob", "cas", "dan"]
    for foe in foes:
        join(table, foe, dice="service")
    scores = {foe: {"score": 5 - at} for at, foe in enumerate(foes)}
    table.begin(ann={"score": 20, "world": "physical", "bonus": 2}, **scores)
    unaware: dict[str, Any] = {"situation": {"target": {"unaware": True}}, "item": "katana", "ask": False}
    for _ in (1, 2):
        table.act("ann", "melee-attack", "bob", **unaware)
        table.dice([2] * 10)
    assert codes(table, "ann", "melee-attack", "bob", **unaware) == ["too-dear"]
    table.do("undo", steps=4)
    table.act("ann", "carnival-of-carnage-melee", "bob", others=foes[1:], item="katana", ask=False)
    assert len(table.question()["parts"]) >= 1
    assert left(table, "ann") == {"free": 1}


@pytest.mark.parametrize(
    ("cost", "attacks", "most"), [("house", 1, 2), ("core", 1, 1), ("core", 2, 2), ("core", 4, 4)]
)
def test_5_attacks_cost_what_the_table_wants(tmp_path: Path, cost: str, attacks: int, most: int) -> None:
    table = opened(tmp_path, attack_cost=cost, max_attacks=attacks)
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 2}, bob={"score": 8})
    for _ in range(most):
        shoots(table, "fire-semi-automatic")
    refused = codes(table, "ann", "fire-semi-automatic", "bob", **BURST)
    assert refused == (["too-dear"] if cost == "house" else ["rules", "too-dear"] if most == 4 else ["rules"])
    table.close()


def test_5_under_core_costs_a_carnival_is_one_attack(tmp_path: Path) -> None:
    table = opened(tmp_path, attack_cost="core")
    join(table, "ann", weapons=["katana"])
    for foe in ("bob", "cas"):
        join(table, foe, dice="service")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 3}, bob={"score": 5}, cas={"score": 4})
    table.act("ann", "carnival-of-carnage-melee", "bob", others=["cas"], item="katana", ask=False)
    assert left(table, "ann") == {"simple": 2, "free": 1}
    table.close()


@pytest.mark.parametrize(("grade", "bonus"), [(1, 1), (3, 3), (4, 3), (6, 3)])
def test_7_grades_above_three_give_no_more(table: Table, grade: int, bonus: int) -> None:
    found = rolled(table, 3, awakened="magician", initiate_grade=grade)
    assert (found["world"], found["bonus"]) == ("magic", bonus)


def test_9_the_world_stays_until_the_next_roll(table: Table) -> None:
    found = rolled(table, 3, 1, 1, 1, interface="hot-sim", data_processing=5, firewall=4, dni=True)
    assert (found["world"], found["bonus"]) == ("matrix", 3)
    table.act("ann", "jack-out")
    table.dice([5] * 8)  # dumpshock is resisted
    assert left(table, "ann") == {"simple": 2, "free": 1, "bonus-matrix": 2}
    assert "needs" in codes(table, "ann", "control-vehicle")
    table.act("ann", P2)
    assert codes(table, "ann", P1) == ["too-dear"]  # what is left is of no use here
    table.do("next")
    table.do("begin-turn")
    table.dice([3])  # the next roll is physical
    assert table.one("ann").rolled["score"] == 4 + 4 + 3


def test_who_projects_rolls_astral_initiative_next(table: Table) -> None:
    rolled(table, 3, awakened="magician")
    table.act("ann", "astral-projection")
    table.do("next")
    table.do("begin-turn")
    table.dice([5, 6])
    assert table.one("ann").rolled["score"] == 4 + 4 + 11


def test_10_one_free_action_in_one_s_own_phase_too(table: Table) -> None:
    join(table, "ann")
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 8})
    table.act("ann", P2)
    table.act("ann", "speak")
    assert codes(table, "ann", "gesture") == ["too-dear"]


def test_13_a_free_action_before_one_s_first_phase_but_no_defense(table: Table) -> None:
    join(table, "ann")
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 8})
    table.act("bob", "drop-prone")
    assert "needs" in codes(table, "bob", "dodge")


def test_15_and_16_saved_units_add_to_the_next_phase_and_are_not_saved_again(table: Table) -> None:
    join(table, "ann")
    for score, units in ((20, 2), (18, 4), (16, 4)):
        table.begin(ann={"score": score})
        assert left(table, "ann") == {"simple": units, "free": 1}
        table.do("next")


@pytest.mark.parametrize(("saves", "matrix"), [(True, 2), (False, 0)])
def test_bonus_actions_of_another_world_are_kept_or_not_saved(
    saves: bool, matrix: int, tmp_path: Path
) -> None:
    """Section 7.6: saved bonus actions keep their world; the option takes them out of saving."""
    table = table_of(tmp_path, {"saved_bonus_actions": saves})
    join(table, "ann")
    table.begin(ann={"score": 20, "world": "matrix", "bonus": 2})
    table.do("next")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 2})
    found = left(table, "ann")
    assert (found["simple"], found["bonus-physical"], found.get("bonus-matrix", 0)) == (4, 2, matrix)
    table.close()


def test_14_the_price_of_full_defense(table: Table) -> None:
    join(table, "ann")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 1})
    table.act("ann", "full-defense")
    assert left(table, "ann") == {"simple": 1, "free": 1}


def test_17_a_late_joiner_acts_in_the_next_turn_if_the_count_is_past_him(table: Table) -> None:
    join(table, "ann")
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 8})
    table.do("next")
    join(table, "cas")
    table.do("roll-initiative")
    table.dice([6])
    assert table.shown("cas")["rank"] == "14"
    assert left(table, "cas") == {"free": 1}
    table.do("next")
    assert table.state.phase == "turn-over"


def test_19_there_is_no_reckless_spellcasting(table: Table) -> None:
    assert table.encounters.game(table.fight).packs.entry("action", "reckless-spellcasting") is None


def test_28_a_simple_buys_a_free_action_in_one_s_own_phase_only(table: Table) -> None:
    join(table, "ann")
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 8})
    table.act("ann", "speak")
    assert codes(table, "ann", "gesture") == ["choose-payment"]
    table.act("ann", "gesture", pay={"simple": 1})
    assert left(table, "ann") == {"simple": 1}
    table.do("next")
    table.act("ann", "speak")
    assert codes(table, "ann", "speak")[0] == "out-of-turn"  # with what was saved nobody buys one
    assert left(table, "ann") == {"simple": 1}


@pytest.mark.parametrize(
    ("option", "value", "action", "item", "units"),
    [
        ("ready_sword", "complex", "ready-sword", "katana", 2),
        ("ready_sword", "simple", "ready-sword", "katana", 1),
        ("action_cost", "core", "ready-sword", "katana", 1),
        ("action_cost", "house", "ready-large-weapon", "ak-97", 2),
        ("action_cost", "core", "ready-large-weapon", "ak-97", 1),
        ("action_cost", "house", "ready-quick-pistol", "ares-predator-v", 0),
        ("action_cost", "core", "ready-quick-pistol", "ares-predator-v", 1),
    ],
)
def test_29_what_it_costs_to_make_ready(
    tmp_path: Path, option: str, value: str, action: str, item: str, units: int
) -> None:
    table = opened(tmp_path, **{option: value})
    join(table, "ann", weapons=["knife", "katana", "ak-97", "ares-predator-v"])
    table.begin(ann={"score": 20, "world": "physical", "bonus": 1})
    table.act("ann", action, item=item)
    free = 0 if not units else 1
    assert sum(left(table, "ann").values()) == 2 + 1 - units + free
    assert table.one("ann").items[item]["ready"]
    table.close()


@pytest.mark.parametrize(
    ("awakened", "option", "bonus"),
    [("mystic-adept", False, 2), ("adept", False, 0), ("adept", True, 2)],
)
def test_31_the_magic_bonus_of_adepts(tmp_path: Path, awakened: str, option: bool, bonus: int) -> None:
    table = opened(tmp_path, adept_magic_bonus=option)
    assert rolled(table, 3, awakened=awakened, initiate_grade=2)["bonus"] == bonus
    table.close()


def test_32_the_interface_decides_for_anybody(table: Table) -> None:
    found = rolled(table, 3, interface="ar", dni=True)
    assert (found["world"], found["bonus"]) == ("matrix", 2)
    table.act("ann", X2)
    table.act("ann", X2)
    assert codes(table, "ann", X1) == ["too-dear"]


@pytest.mark.parametrize(("granted", "bonus"), [(False, 0), (True, 2)])
def test_dice_by_nature(tmp_path: Path, granted: bool, bonus: int) -> None:
    """Section 13: those of a spirit are no augmentation."""
    table = opened(tmp_path, npc_intrinsic_dice_grant=granted)
    found = rolled(table, 3, 1, 1, initiative=10, initiative_dice=3, intrinsic_dice=True)
    assert (found["score"], found["bonus"]) == (15, bonus)
    table.close()


# --- Options that are off by default -------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "dice"), [("core", 4 + 5), ("house", 4 + 2)])
def test_skills_of_the_house(tmp_path: Path, rules: str, dice: int) -> None:
    """The table knows Longarms in place of Automatics for rifles."""
    table = opened(tmp_path, skills=rules)
    join(table, "ann", agility=4, weapons=["ak-97"], skills={"automatics": 5, "longarms": 2})
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 8})
    assert shot_at(table, {})["attack"] == dice
    table.close()


def shot_at(table: Table, said: dict[str, Any]) -> dict[str, int]:
    """Dice of a shot of Ann at Bob."""
    table.act("ann", "fire-semi-automatic", "bob", situation={"distance": 10, **said}, ask=False)
    parts = table.question()["parts"]
    return {part["label"]: sum(group["count"] for group in part["groups"]) for part in parts}


@pytest.mark.parametrize(("rules", "dice"), [("core", 10 - 1), ("paydata", 10 - 4 - 4)])
def test_modifiers_of_the_house(tmp_path: Path, rules: str, dice: int) -> None:
    """Light rain: a row of the table, or a category of its own, beside that of a rifle far away."""
    table = opened(tmp_path, modifiers=rules)
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 8})
    said: dict[str, Any] = {"environment": {"visibility": "light"}}
    if rules == "paydata":
        said["range"] = {"zone": "far"}
    assert shot_at(table, said)["attack"] == dice
    table.close()


@pytest.mark.parametrize(("rules", "boxes"), [("core", 10 + 1), ("draft", 9 + 1)])
def test_ammunition_of_the_house(tmp_path: Path, rules: str, boxes: int) -> None:
    table = opened(tmp_path, ammunition=rules)
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 8})
    dice = shot_at(table, {"load": {"use": "apds"}, "target": {"unaware": True}})["attack"]
    table.dice([5] + [2] * (dice - 1))
    table.dice([2] * 4)
    assert table.one("bob").sheet["physical"] == boxes
    table.close()


def test_no_drug_takes_an_attribute_below_nothing(table: Table) -> None:
    """Zen lowers Reaction by 2, of which there is 1."""
    join(table, "ann", reaction=1)
    table.begin(ann={"score": 20})
    table.act("ann", "take-drug", situation={"drug": "zen"}, ask=False)
    while table.steps():
        table.do("answer", question=table.question()["id"])
    table.do("next")
    table.do("begin-turn")
    table.dice([3])
    assert table.one("ann").rolled["score"] == 0 + 4 + 3


# --- What is refused without the thing or the gift ----------------------------------------------------------------


def test_who_has_no_magic_does_no_magic(table: Table) -> None:
    join(table, "ann")
    join(table, "may", magic=5)
    join(table, "eve", magic=5, awakened="adept")
    table.begin(ann={"score": 20}, may={"score": 8}, eve={"score": 5})
    for action in (M1, M2, "cast-combat-spell", "assense"):
        assert "needs" in codes(table, "ann", action, "may" if action == "cast-combat-spell" else None)
    table.do("next")
    table.act("may", M1)  # what she is, people know
    table.do("next")
    assert codes(table, "eve", M1) == ["needs"]
    table.act("eve", "assense", situation={"tester": {"essence": 6}})
    assert len(table.steps()) == 1


def test_a_bow_is_fired_with_a_bow(table: Table) -> None:
    join(table, "ann", weapons=["ak-97"])
    join(table, "sue", weapons=["ak-97", "bow-4"], skills={"archery": 4})
    join(table, "bob")
    table.begin(ann={"score": 20}, sue={"score": 12}, bob={"score": 8})
    for action in ("fire-bow", "load-and-fire-bow", "throw-grenade", "throw-weapon", "fire-launcher"):
        assert codes(table, "ann", action, "bob", **BURST) == ["needs"], action
    table.do("next")
    assert codes(table, "sue", "fire-bow", "bob", **BURST) == ["needs"]  # not in the hand
    table.do("set", combatant="sue", items={"bow-4": {"ready": True}})
    shoots(table, "fire-bow")


def test_the_needs_of_an_interface(table: Table) -> None:
    join(table, "ann")
    table.begin(ann={"score": 20})
    assert codes(table, "ann", "use-simple-device-dni") == ["needs"]
    table.act("ann", "use-simple-device")
