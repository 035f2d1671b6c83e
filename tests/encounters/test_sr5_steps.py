"""Attacks of Shadowrun 5 in fights, with the dice of the rulebook's worked examples typed in by hand."""

from __future__ import annotations

from typing import Any

import pytest
from sr4_phases import audited
from sr5_board import SKILLS, after, codes, join, left, pools
from table_play import OpenTable, Table, games

from fracas.encounters.log import log_markdown
from fracas.errors import InputError
from fracas.kernel.newcomers import completed


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


def test_b14_recoil_counts_all_rounds_of_the_phase(table: Table) -> None:
    """Compensation 4: two bursts of three rounds in a phase are at -2 both, a single one in the next at nothing.

    The first is so if its rounds are said beforehand; the second in any case.
    """
    join(table, "ann", strength=6, weapons=["ak-97"])  # 1 + 6 / 3 = 3
    join(table, "bob")
    gun = {"rc": 1}
    table.begin(ann={"score": 20, "world": "physical", "bonus": 2}, bob={"score": 8})
    said: dict[str, Any]
    for said in ({"rounds_phase": 6}, {}):
        say = {"distance": 10, "weapon": gun, "attacker": said}
        table.act("ann", "fire-burst", "bob", situation=say)
        assert pools(table)["attack"] == 5 + 5 - 2
        table.dice([1, 2, 3, 4, 2, 2, 3, 4], [5, 5, 2, 2, 3, 3][: pools(table)["defense"]])
    assert left(table, "ann") == {"free": 1}
    table.do("next")
    table.do("next")
    table.begin(ann={"score": 20}, bob={"score": 8})
    table.act("ann", "fire-burst", "bob", situation={"distance": 10, "weapon": gun})
    assert pools(table)["attack"] == 10


class TestSavedParry:
    """B16: Alice saves a Simple action and parries with it."""

    @pytest.fixture
    def fight(self, table: Table) -> Table:
        join(table, "alice", reaction=5, skills=SKILLS, weapons=["katana"], asks=True, edge_points=0)
        join(table, "bob", agility=3, skills={"unarmed-combat": 3})
        join(table, "cas", side="somebody else's")  # no friend of Bob's in this melee
        table.begin(alice={"score": 22, "world": "physical", "bonus": 3}, bob={"score": 8}, cas={"score": 1})
        assert "needs" in codes(table, "bob", "dodge")  # before his first phase nobody does
        table.act("alice", "melee-attack", "cas", item="katana", ask=False)
        dice = pools(table)
        table.dice([2] * dice["attack"], [5] * dice["defense"])
        table.act("alice", "drop-prone")
        table.act("alice", "stand-up")
        table.act("alice", "take-cover")
        assert sum(left(table, "alice").values()) == 1
        table.do("next")
        table.act(
            "bob", "melee-attack", "alice", situation={"weapon": {"use": "unarmed"}, "target": {"reach": 0}}
        )
        return table

    def test_she_parries(self, fight: Table) -> None:
        assert "parry" in [option["id"] for option in fight.question("alice")["options"]]
        fight.answer("parry", owner="alice")
        assert pools(fight)["defense"] == 5 + 4 + 5
        fight.dice([5, 6, 5, 2, 1, 3], [5, 2, 6, 1, 3, 5, 4, 2, 6, 1, 3, 5, 2, 4])
        assert fight.one("alice").sheet.get("stun", 0) == 0
        assert "parrying" not in fight.conditions("alice")
        assert left(fight, "alice") == {"free": 1}  # which comes with every phase

    def test_she_does_not_and_keeps_it_for_the_next_turn(self, fight: Table) -> None:
        fight.answer("none", owner="alice")
        assert pools(fight)["defense"] == 9
        fight.dice([1, 2, 2, 2, 1, 3], [2] * 9)
        while fight.state.phase != "turn-over":
            fight.do("next")
        fight.begin(alice={"score": 18, "world": "physical", "bonus": 3}, bob={"score": 9}, cas={"score": 1})
        assert sum(left(fight, "alice").values()) == 1 + 2 + 3 + 1


def test_a_single_shot_weapon_fires_once_in_a_turn(table: Table) -> None:
    join(table, "ann", weapons=["ares-s-iii-super-squirt", "remington-950"])
    join(table, "bob", dice="service")
    table.do("set", combatant="ann", items={"remington-950": {"ready": True, "rounds": 5}})
    table.begin(ann={"score": 20, "world": "physical", "bonus": 2}, bob={"score": 8})
    shot: dict[str, Any] = {"item": "remington-950", "situation": {"distance": 10}}
    table.act("ann", "fire-single-shot", "bob", ask=False, **shot)
    table.dice([2] * pools(table)["attack"])
    assert "needs" in codes(table, "ann", "fire-single-shot", "bob", **shot)
    assert table.one("ann").items["remington-950"]["rounds"] == 4


def test_a_single_shot_weapon_fires_once_in_a_turn_with_saved_actions_too(table: Table) -> None:
    join(table, "ann", weapons=["remington-950"])
    join(table, "bob", dice="service")
    shot: dict[str, Any] = {"situation": {"distance": 10, "target": {"unaware": True}}, "ask": False}
    table.begin(ann={"score": 8, "world": "physical", "bonus": 4}, bob={"score": 20})
    table.do("next")
    table.act("ann", "observe-in-detail")
    table.do("next")  # five actions are saved
    table.begin(ann={"score": 8, "world": "physical", "bonus": 2}, bob={"score": 20})
    table.act("ann", "fire-single-shot", "bob", **shot)  # before her own phase
    table.dice([2] * pools(table)["attack"])
    table.do("next")
    assert table.acting == ["ann"]
    assert "needs" in codes(table, "ann", "fire-single-shot", "bob", **shot)
    after(table, ann={"score": 30}, bob={"score": 20})
    table.act("ann", "fire-single-shot", "bob", **shot)
    table.dice([2] * pools(table)["attack"])


def test_recoil_is_that_of_a_phase_with_saved_actions_too(table: Table) -> None:
    join(table, "ann", weapons=["ak-97"])  # compensation 1 + 3 / 3 = 2
    join(table, "bob")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 2}, bob={"score": 8})
    burst: dict[str, Any] = {"situation": {"distance": 10, "target": {"unaware": True}}, "ask": False}
    table.act("ann", "fire-burst", "bob", **burst)
    table.dice([2] * 9)  # three rounds
    table.do("next")
    table.act("ann", "fire-burst", "bob", **burst)
    assert pools(table) == {"attack": 9}  # three again, in the phase of Bob
    table.dice([2] * 9)
    assert left(table, "ann") == {"free": 1}


# --- Carnival of Carnage: one Complex action, and a Simple one for each further target ---------------------------

SMARTGUN: dict[str, Any] = {"smartlink": "implanted", "dni": True, "weapons": ["ares-alpha"]}
CARNIVAL = "carnival-of-carnage-ranged"


def test_a_ranged_carnival_is_one_step(table: Table) -> None:
    """Compensation 2 + 1 + 1: three bursts are nine rounds, so -5, and +2 for the smartgun, for each of them."""
    join(table, "ann", **SMARTGUN)
    for foe in ("bob", "cas", "dan", "eve"):
        join(table, foe)
    table.begin(
        ann={"score": 20, "world": "physical", "bonus": 2},
        **{foe: {"score": 5 - at} for at, foe in enumerate(("bob", "cas", "dan", "eve"))},
    )
    burst: dict[str, Any] = {"situation": {"distance": 10, "fire": {"mode": "burst"}}}
    assert codes(table, "ann", CARNIVAL, "bob", **burst) == ["needs"]  # it takes several
    assert codes(table, "ann", CARNIVAL, "bob", others=["cas", "dan", "eve"], **burst) == ["too-dear"]
    table.act("ann", CARNIVAL, "bob", others=["cas", "dan"], **burst)
    assert left(table, "ann") == {"free": 1}
    while table.steps():
        attack, defense = pools(table).values()
        assert attack == 10 - 5 + 2
        table.dice([2] * attack, [2] * defense)
    assert table.one("ann").items["ares-alpha"]["rounds"] == 42 - 9


def test_a_carnival_of_two_leaves_the_rest_of_the_phase(table: Table) -> None:
    join(table, "ann", **SMARTGUN)
    for foe in ("bob", "cas"):
        join(table, foe, dice="service")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 3}, bob={"score": 5}, cas={"score": 4})
    shot = {"distance": 10, "fire": {"mode": "semi-automatic"}}
    with pytest.raises(InputError, match="named twice"):  # nobody is attacked twice
        table.act("ann", CARNIVAL, "bob", others=["bob"], situation=shot)
    table.act("ann", CARNIVAL, "bob", others=["cas"], situation=shot, ask=False)
    assert left(table, "ann") == {"free": 1, "simple": 2}


@pytest.mark.parametrize(
    "lacking", [{"smartlink": "none"}, {"dni": False}, {"weapons": ["katana", "ares-alpha"]}]
)
def test_a_ranged_carnival_needs_a_linked_smartgun(table: Table, lacking: dict[str, Any]) -> None:
    join(table, "ann", **SMARTGUN | lacking)
    for foe in ("bob", "cas"):
        join(table, foe)
    table.begin(ann={"score": 20, "world": "physical", "bonus": 3}, bob={"score": 5}, cas={"score": 4})
    burst: dict[str, Any] = {"situation": {"distance": 10, "fire": {"mode": "burst"}}, "others": ["cas"]}
    assert "needs" in codes(table, "ann", CARNIVAL, "bob", **burst)


def test_a_single_shot_weapon_fires_at_one_target_only(table: Table) -> None:
    join(table, "ann", **SMARTGUN | {"weapons": ["panther-xxl"]})
    for foe in ("bob", "cas"):
        join(table, foe)
    table.begin(ann={"score": 20, "world": "physical", "bonus": 3}, bob={"score": 5}, cas={"score": 4})
    for action in (CARNIVAL, "multiple-attacks-ranged"):
        refused = codes(table, "ann", action, "bob", others=["cas"], situation={"distance": 10})
        assert refused == ["needs"], action


def test_a_ranged_carnival_needs_bonus_actions_of_the_body(table: Table) -> None:
    join(table, "ann", **SMARTGUN)
    for foe in ("bob", "cas"):
        join(table, foe)
    table.begin(ann={"score": 20, "world": "matrix", "bonus": 3}, bob={"score": 5}, cas={"score": 4})
    burst: dict[str, Any] = {"situation": {"distance": 10, "fire": {"mode": "burst"}}, "others": ["cas"]}
    assert codes(table, "ann", CARNIVAL, "bob", **burst) == ["needs", "too-dear"]


def test_a_melee_carnival_strikes_each_once_with_the_whole_pool(table: Table) -> None:
    """Wired reflexes 3: five units, so a Complex attack and three more targets."""
    join(table, "ann", weapons=["katana"])
    foes = ["bob", "cas", "dan", "eve", "fay"]
    for foe in foes:
        join(table, foe, dice="service")
    scores = {foe: {"score": 5 - at} for at, foe in enumerate(foes)}
    table.begin(ann={"score": 20, "world": "physical", "bonus": 3}, **scores)
    whirl = "carnival-of-carnage-melee"
    assert codes(table, "ann", whirl, "bob", others=foes[1:], item="katana") == ["too-dear"]
    table.act("ann", whirl, "bob", others=foes[1:4], item="katana", ask=False)
    rolls = 0
    while table.steps():
        rolls += 1
        assert next(iter(pools(table).values())) == 10
        table.dice([2] * 10)
    assert (rolls, left(table, "ann")) == (4, {"free": 1})


def test_who_is_swept_over_may_parry_once(table: Table) -> None:
    join(table, "ann", weapons=["katana"])
    for foe in ("bob", "cas"):
        join(table, foe, weapons=["sword"], asks=True, edge_points=0)
    table.begin(ann={"score": 8, "world": "physical", "bonus": 2}, bob={"score": 20}, cas={"score": 18})
    table.do("next")
    table.do("next")
    table.act("ann", "carnival-of-carnage-melee", "bob", others=["cas"], item="katana", ask=False)
    table.answer("parry", owner="bob")
    table.answer("parry", owner="cas")
    for _ in ("bob", "cas"):
        assert [*pools(table).values()] == [10, 4 + 4 + 5]
        table.dice([2] * 10, [2] * 13)
    assert table.conditions("bob") == table.conditions("cas") == ["in-melee"]


# --- Called shots -------------------------------------------------------------------------------------------------


def test_a_called_shot_lowers_the_next_roll(table: Table) -> None:
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob", armor=["armor-jacket"])
    table.begin(ann={"score": 20}, bob={"score": 18})
    shot: dict[str, Any] = {"distance": 10, "attacker": {"called_initiative": 5}}
    assert codes(table, "ann", "fire-semi-automatic", "bob", situation=shot) == ["not_called"]
    table.act("ann", "call-a-shot")
    table.act("ann", "fire-semi-automatic", "bob", situation=shot, ask=False)
    assert pools(table) == {"attack": 10 - 4, "defense": 8}
    table.dice([5, 5, 2, 2, 3, 4], [2] * 8)
    table.dice([5] * 14)
    assert "calling-a-shot" not in table.conditions("ann")
    assert table.shown("bob")["rank"] == "18"  # scores stay
    table.do("next")
    table.do("next")
    table.do("begin-turn")
    table.dice([3], owner="ann")
    table.dice([6], owner="bob")
    assert table.shown("bob")["rank"] == str(4 + 4 + 6 - 5)
    assert table.one("bob").sheet["initiative_loss"] == 0
    table.do("next")
    table.do("next")
    table.do("begin-turn")
    table.dice([3], owner="ann")
    table.dice([6], owner="bob")
    assert table.shown("bob")["rank"] == "14"  # once only


def test_a_called_shot_that_misses_takes_nothing(table: Table) -> None:
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 18})
    table.act("ann", "call-a-shot")
    shot: dict[str, Any] = {"distance": 10, "attacker": {"called_initiative": 10}}
    table.act("ann", "fire-semi-automatic", "bob", situation=shot, ask=False)
    table.dice([2] * 6, [2] * 8)
    assert "initiative_loss" not in table.one("bob").sheet
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "ann is no longer calling a shot (another action is taken)" in text


def test_a_shot_is_called_in_spite_of_aiming(table: Table) -> None:
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 1}, bob={"score": 18})
    table.act("ann", "take-aim", item="ak-97")
    table.act("ann", "call-a-shot")
    aimed: dict[str, Any] = {"distance": 10, "attacker": {"aim_for": "dice"}}
    table.act("ann", "fire-semi-automatic", "bob", situation=aimed, ask=False)
    assert pools(table)["attack"] == 10 + 1 - 4


def test_whoever_runs_shoots_worse_and_is_harder_to_hit(table: Table) -> None:
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob", weapons=["ak-97"])
    table.begin(ann={"score": 20}, bob={"score": 8})
    table.act("ann", "run")
    table.act("ann", "fire-semi-automatic", "bob", situation={"distance": 10})
    assert pools(table) == {"attack": 8, "defense": 8}
    table.dice([2] * 8, [2] * 8)
    table.do("next")
    assert "running" not in table.conditions("ann")  # for the phase only


@pytest.mark.parametrize(("cover", "dice"), [("take-cover", 2), ("take-good-cover", 4)])
def test_cover_lasts_until_one_moves(table: Table, cover: str, dice: int) -> None:
    join(table, "ann")
    join(table, "bob", weapons=["ak-97"])
    table.begin(ann={"score": 20}, bob={"score": 8, "world": "physical", "bonus": 2})
    table.act("ann", cover)
    table.do("next")
    for more in (dice, 2 - 1):  # in the open again: she runs, and has defended once
        table.act("bob", "fire-semi-automatic", "ann", situation={"distance": 10})
        assert pools(table)["defense"] == 8 + more
        table.dice([2] * pools(table)["attack"], [2] * (8 + more))
        if more == dice:
            table.act("ann", "run")


@pytest.mark.parametrize("action", ["take-cover", "take-good-cover", "drop-prone"])
def test_nobody_takes_what_they_have(table: Table, action: str) -> None:
    join(table, "ann")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 2})
    table.act("ann", action)
    assert codes(table, "ann", action)[0] == "needs"


def test_a_person_who_is_called_one_wears_nothing_unless_it_is_said() -> None:
    basics = games().game("sr5").ruleset.turns.basics
    assert "armor" in completed(basics, {"nature": "person"})
    assert "armor" not in completed(basics, {"nature": "spirit", "spirit_type": "fire"})


def test_take_aim_adds_a_die_to_the_next_shot(table: Table) -> None:
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob")
    table.begin(ann={"score": 20, "world": "physical", "bonus": 1}, bob={"score": 8})
    table.act("ann", "take-aim", item="ak-97")
    table.act(
        "ann", "fire-semi-automatic", "bob", situation={"distance": 10, "attacker": {"aim_for": "dice"}}
    )
    assert pools(table)["attack"] == 11
    table.dice([2] * 11, [2] * 8)
    assert "aiming" not in table.conditions("ann")


def test_whoever_is_surprised_loses_ten_points_and_his_defense_until_his_phase(table: Table) -> None:
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob")
    table.do("contest", contest="surprise", combatants=["ann", "bob"])
    assert table.refused("begin-turn")[0][1].startswith("Surprise by ann is not over")
    table.dice([5, 5, 5, 4, 2, 2, 3, 4], owner="ann")
    table.dice([1, 2, 3, 4, 2, 2, 3, 4], owner="bob")
    assert table.conditions("ann") == []
    assert "surprised" in table.conditions("bob")
    table.do("begin-turn")
    table.dice([6], owner="ann")
    table.dice([6], owner="bob")
    assert [table.shown(who)["rank"] for who in ("ann", "bob")] == ["14", "4"]
    table.act("ann", "fire-semi-automatic", "bob", situation={"distance": 10})
    assert pools(table) == {"attack": 10}
    table.dice([2] * 10)
    table.do("next")
    assert "surprised" not in table.conditions("bob")


@pytest.mark.parametrize("contest", [True, False])
def test_surprise_after_the_roll_takes_its_points_and_sorts_anew(table: Table, contest: bool) -> None:
    join(table, "ann")
    join(table, "bob")
    table.begin(ann={"score": 12}, bob={"score": 20})
    assert table.acting == ["bob"]
    if contest:
        table.do("contest", contest="surprise", combatants=["ann", "bob"])
        table.dice([5, 5, 5, 4, 2, 2, 3, 4], owner="ann")
        table.dice([1, 2, 3, 4, 2, 2, 3, 4], owner="bob")
    else:
        table.do("set", combatant="bob", add=["surprised"])
    assert [table.shown(who)["rank"] for who in ("ann", "bob")] == ["12", "10"]
    assert table.acting == ["ann"]
    table.do("next")
    assert table.acting == ["bob"]
    assert table.conditions("bob") == []
    audited(table)


def test_a_grenade_with_a_timer_goes_off_in_the_next_turn(table: Table) -> None:
    join(table, "ann", weapons=["grenade-fragmentation"])
    join(table, "bob")
    table.begin(ann={"score": 20}, bob={"score": 8})
    table.act("ann", "throw-fused-grenade", situation={"distance": 10}, ask=False)
    while table.steps():
        table.do("answer", question=table.question()["id"])
    assert left(table, "ann") == {"free": 1}
    table.do("next")
    table.do("next")
    table.begin(ann={"score": 15}, bob={"score": 25})
    assert table.acting == ["bob"]
    table.do("next")
    assert table.state.phase == "due"  # at the score at which it was thrown
    (timer,) = table.state.timers
    assert table.state.timers[timer].action == "grenade-goes-off"
    table.do("next")
    assert table.acting == ["ann"]


def test_what_is_thrown_is_out_of_the_hand(table: Table) -> None:
    join(table, "ann", weapons=["grenade-fragmentation", "throwing-knife"], skills={"throwing-weapons": 4})
    join(table, "bob", asks=True, edge_points=0)
    table.do("set", combatant="ann", items={"throwing-knife": {"ready": True, "rounds": 2}})
    table.begin(ann={"score": 8, "world": "physical", "bonus": 4}, bob={"score": 20, "world": "physical"})
    table.do("next")
    throw: dict[str, Any] = {"item": "throwing-knife", "situation": {"distance": 3}, "ask": False}
    for left_over in ({"ready": True, "rounds": 1}, {"ready": False, "dropped": True}):
        table.act("ann", "throw-weapon", "bob", **throw)
        if table.question()["kind"] == "reaction":
            table.answer("none", owner="bob")
        table.dice(*([2] * count for count in pools(table).values()))
        assert left_over.items() <= table.one("ann").items["throwing-knife"].items()
    assert "needs" in codes(table, "ann", "throw-weapon", "bob", **throw)
    table.do("next")
    table.begin(ann={"score": 18}, bob={"score": 8})
    assert codes(table, "ann", "ready-small-weapon", item="throwing-knife") == ["rules"]
    table.act("ann", "pick-up-put-down", item="throwing-knife")
    table.act("ann", "ready-small-weapon", item="throwing-knife")
    assert table.one("ann").items["throwing-knife"]["ready"]
    table.do("next")
    table.do("next")
    table.begin(ann={"score": 18}, bob={"score": 8})
    table.act("ann", "throw-fused-grenade", situation={"distance": 10}, ask=False)
    while table.steps():
        table.do("answer", question=table.question()["id"])
    assert table.one("ann").items["grenade-fragmentation"]["ready"] is False
    table.do("next")
    table.do("next")
    table.begin(ann={"score": 18}, bob={"score": 8})
    table.do("next")  # it goes off unseen
    assert codes(table, "ann", "ready-small-weapon", item="grenade-fragmentation") == ["rules"]


def test_b23_full_defense_with_both_saved_actions(table: Table) -> None:
    join(table, "ann", intuition=3)
    join(table, "bob", weapons=["ak-97"])
    table.begin(ann={"score": 18}, bob={"score": 12, "world": "physical", "bonus": 2})
    table.do("next")
    table.act("ann", "full-defense")
    assert left(table, "ann") == {"free": 1}
    for dice in (11, 10):  # one less for the defense before
        table.act("bob", "fire-semi-automatic", "ann", situation={"distance": 10})
        assert pools(table)["defense"] == dice
        table.dice([2] * pools(table)["attack"], [2] * dice)
    table.do("next")
    table.begin(ann={"score": 18}, bob={"score": 12})
    assert left(table, "ann") == {"simple": 2, "free": 1}
    assert "full-defense" not in table.conditions("ann")
