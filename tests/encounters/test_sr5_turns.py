"""Combat turns with bonus actions: rulebook sections 1 to 4 and 7, with the worked examples of section 15."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from audited_logs import log_of
from sr5_board import after, codes, join, left, table_of
from table_play import OpenTable, Table

from fracas.encounters.audit import verify

ALICE: dict[str, Any] = {"score": 22, "world": "physical", "bonus": 3}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


@pytest.fixture
def pair(table: Table) -> Table:
    """Alice at 22 with three bonus actions, Bob at 8."""
    join(table, "alice", weapons=["katana", "ak-97"])
    join(table, "bob")
    table.begin(alice=ALICE, bob={"score": 8})
    return table


def opened(folder: Path, **options: Any) -> Table:
    return table_of(folder, options)


def played(table: Table) -> list[str]:
    """Who acts in what is left of the turn."""
    found: list[str] = []
    while table.state.phase != "turn-over":
        found += table.acting
        table.do("next")
    return found


# --- B1: one phase each, by score ----------------------------------------------------------------------------


def test_b1_the_author_s_case_from_the_dice_on(table: Table) -> None:
    join(table, "alice", reaction=5, initiative_dice=4)
    join(table, "bob", reaction=3)
    table.do("begin-turn")
    table.dice([3, 4, 2, 4], owner="alice")
    table.dice([1], owner="bob")
    assert [table.shown(who)["rank"] for who in ("alice", "bob")] == ["22", "8"]
    assert table.acting == ["alice"]
    assert left(table, "alice") == {"simple": 2, "free": 1, "bonus-physical": 3}
    table.act("alice", "evade")
    table.act("alice", "evade")
    table.act("alice", "observe-in-detail")
    assert left(table, "alice") == {"free": 1}
    table.do("next")
    assert (table.acting, left(table, "bob")) == (["bob"], {"simple": 2, "free": 1})
    table.do("next")
    assert table.state.phase == "turn-over"
    table.do("begin-turn")
    assert len(table.steps()) == 2  # everybody rolls again


# --- B2: the legality formula -----------------------------------------------------------------------------------

P1, P2, M1, M2 = "observe-in-detail", "evade", "command-spirit", "astral-projection"


@pytest.mark.parametrize(
    ("plan", "refused"),
    [
        ([P1, P1, P1, P1], ""),
        ([P2, P2], ""),
        ([M2, P2], ""),
        ([M2], M1),
        ([P2, P2], P1),
    ],
)
def test_b2_wired_two(table: Table, plan: list[str], refused: str) -> None:
    join(table, "alice", awakened="magician")
    table.begin(alice={"score": 15, "world": "physical", "bonus": 2})
    for action in plan:
        table.act("alice", action)
    if refused:
        assert codes(table, "alice", refused) == ["too-dear"]


@pytest.mark.parametrize(("mixing", "simple"), [(True, 1), (False, 0)])
def test_a_complex_action_may_mix_its_tokens_unless_the_table_says_otherwise(
    tmp_path: Path, mixing: bool, simple: int
) -> None:
    table = opened(tmp_path, mix_units=mixing)
    join(table, "alice")
    table.begin(alice={"score": 15, "world": "physical", "bonus": 1})
    table.act("alice", P2)
    assert left(table, "alice") == {"free": 1} | ({"simple": simple} if mixing else {"bonus-physical": 1})
    table.close()


def test_b4_magic_tokens_pay_for_nothing_physical(table: Table) -> None:
    join(table, "mage", awakened="magician", initiate_grade=2)
    table.begin(mage={"score": 21, "world": "magic", "bonus": 2})
    table.act("mage", M2)
    table.act("mage", M1)
    table.act("mage", M1)
    assert left(table, "mage") == {"free": 1}
    table.do("undo", steps=3)
    table.act("mage", P2)
    assert codes(table, "mage", P1) == ["too-dear"]


# --- B7: ties ----------------------------------------------------------------------------------------------------


def test_b7_eric(table: Table) -> None:
    for name, edge, reaction, intuition in (("x", 3, 5, 4), ("y", 3, 6, 2), ("z", 4, 3, 3)):
        join(table, name, edge=edge, reaction=reaction, intuition=intuition)
    table.begin(**{name: {"score": 15} for name in "xyz"})
    assert played(table) == ["z", "y", "x"]


@pytest.mark.parametrize(("face", "first"), [(1, "y"), (2, "w")])
def test_b7_a_coin_at_last(table: Table, face: int, first: str) -> None:
    for name in ("y", "w"):
        join(table, name, edge=3, reaction=6, intuition=2)
    table.begin(y={"score": 15}, w={"score": 15})
    assert table.question()["owners"] == ["y"]  # heads: the first listed
    table.dice([face])
    assert table.acting == [first]


def test_three_toss_a_coin_each_until_nobody_ties(table: Table) -> None:
    for name in ("a", "b", "c"):
        join(table, name)
    table.begin(a={"score": 9}, b={"score": 9}, c={"score": 9})
    for name, face in (("a", 2), ("b", 1), ("c", 2)):
        table.dice([face], owner=name)
    assert table.question()["owners"] == ["a"]  # two are left
    table.dice([2])
    assert table.acting == ["b"]
    table.do("next")
    assert table.acting == ["c"]


def test_the_audit_follows_coins_that_are_tossed_again(table: Table) -> None:
    """Of four coins at least two fall alike."""
    for name in ("a", "b", "c", "d"):
        join(table, name, dice="service")
    table.begin(**{name: {"score": 9} for name in "abcd"})
    log = log_of(table)
    tossed = [step["open"]["actor"] for step in log["events"][-1]["data"]["rolls"]]
    assert len(tossed) > len(set(tossed))
    report = verify(log)
    assert report.ok, str(report.first_difference)


# --- B8: Free actions --------------------------------------------------------------------------------------------


def test_b8_a_free_action_in_every_phase(pair: Table) -> None:
    join(pair, "carol")
    pair.do("roll-initiative", given={"carol": {"score": 5}})
    pair.act("bob", "speak")
    assert codes(pair, "bob", "gesture")[0] == "out-of-turn"
    pair.do("next")
    pair.act("bob", "drop-prone")
    pair.do("next")
    assert pair.acting == ["carol"]
    pair.act("bob", "speak")
    assert left(pair, "alice")["free"] == 1  # the unused one of before did not add to it


def test_free_actions_in_one_s_own_phase_only(tmp_path: Path) -> None:
    table = opened(tmp_path, free_actions="own_phase")
    join(table, "alice")
    join(table, "bob")
    table.begin(alice={"score": 20}, bob={"score": 8})
    assert "out-of-turn" in codes(table, "bob", "speak")
    table.act("alice", "speak")
    table.act("alice", "gesture", pay={"simple": 1})  # buys a further one
    assert left(table, "alice") == {"simple": 1}
    table.close()


# --- B10, B20: scores stay --------------------------------------------------------------------------------------


def test_b10_initiative_is_kept(tmp_path: Path) -> None:
    table = opened(tmp_path, initiative_persist=True)
    join(table, "alice", initiative_dice=4, interface="ar", dni=True)
    join(table, "bob")
    table.begin(alice=ALICE, bob={"score": 8})
    table.do("set", combatant="alice", fields={"physical": 3})
    while table.state.phase != "turn-over":
        table.do("next")
    table.do("begin-turn", decisions=[{"combatant": "alice", "decision": "bonus-world", "choose": "matrix"}])
    assert [table.shown(who)["rank"] for who in ("alice", "bob")] == ["22", "8"]
    assert left(table, "alice") == {"simple": 4, "free": 1, "bonus-physical": 3, "bonus-matrix": 2}
    table.close()


def test_b10_wounds_may_lower_a_kept_score(tmp_path: Path) -> None:
    table = opened(tmp_path, initiative_persist=True, persist_apply_wounds=True)
    join(table, "alice")
    table.begin(alice={"score": 14})
    table.do("set", combatant="alice", fields={"physical": 5, "stun": 3})
    assert table.shown("alice")["rank"] == "14"
    table.do("next")
    table.do("begin-turn")
    assert table.shown("alice")["rank"] == "12"
    table.close()


def test_b20_wounds_lower_the_next_roll_only(table: Table) -> None:
    join(table, "alice")
    table.begin(alice={"score": 14})
    table.do("set", combatant="alice", fields={"physical": 5, "stun": 3})
    assert table.shown("alice")["rank"] == "14"
    table.do("next")
    table.do("begin-turn")
    table.dice([3])
    assert table.shown("alice")["rank"] == "9"


def test_a_score_of_nothing_gives_no_phase(table: Table) -> None:
    join(table, "alice")
    join(table, "bob")
    table.begin(alice={"score": 0}, bob={"score": 1})
    assert table.acting == ["bob"]
    assert table.shown("alice")["budget"]["simple"] == 0
    table.act("alice", "speak")  # a Free action in every phase all the same
    table.do("next")
    assert table.state.phase == "turn-over"


def test_who_comes_late_acts_unless_the_count_is_past_him(pair: Table) -> None:
    join(pair, "early")
    join(pair, "late")
    pair.do("roll-initiative", given={"early": {"score": 12}, "late": {"score": 30}})
    pair.do("next")
    assert pair.acting == ["early"]
    pair.do("next")
    assert pair.acting == ["bob"]
    assert "too-dear" in codes(pair, "late", "use-skill")
    pair.do("next")
    assert pair.state.phase == "turn-over"


# --- B19: seizing the initiative ---------------------------------------------------------------------------------


def test_b19_seize(table: Table) -> None:
    for name in ("top", "mid", "low"):
        join(table, name, edge_points=1)
    table.begin(top={"score": 22}, mid={"score": 15}, low={"score": 8})
    table.do("spend", combatant="low", on="seize-the-initiative")
    table.do("spend", combatant="mid", on="seize-the-initiative")
    assert played(table) == ["mid", "low", "top"]
    assert table.one("mid").sheet["edge_points"] == 0
    assert table.shown("mid")["rank"] == "15"  # as it was rolled


def test_nobody_seizes_once_somebody_has_acted(pair: Table) -> None:
    pair.act("alice", P1)
    assert pair.refused("spend", combatant="bob", on="seize-the-initiative") == [
        ("cannot-buy", "only at the start of a turn")
    ]


# --- Saved actions -----------------------------------------------------------------------------------------------


def test_saved_actions_last_to_the_end_of_the_next_phase(pair: Table) -> None:
    pair.act("alice", P2)
    pair.do("next")
    assert left(pair, "alice") == {"simple": 2, "free": 1, "bonus-physical": 1}
    pair.act("alice", P1)  # in Bob's phase, the bonus one
    pair.do("next")
    pair.begin(alice={"score": 10}, bob={"score": 18})
    assert left(pair, "alice") == {"simple": 2, "free": 1}  # across the turn, before her own phase
    pair.do("next")
    assert left(pair, "alice") == {"simple": 4, "free": 1}
    pair.do("next")
    assert left(pair, "alice") == {"simple": 2}  # what was saved before is lost now


def test_a_saved_bonus_action_keeps_its_world(pair: Table) -> None:
    pair.act("alice", "use-skill")
    after(pair, alice={"score": 9, "world": "matrix", "bonus": 2}, bob={"score": 18})
    assert left(pair, "alice") == {"free": 1, "bonus-physical": 3}
    assert codes(pair, "alice", "use-skill") == ["too-dear"]
    pair.act("alice", P1)


def test_without_saving_nothing_is_left_and_interrupts_cost_points(tmp_path: Path) -> None:
    table = opened(tmp_path, saved_actions=False)
    join(table, "alice")
    join(table, "bob")
    table.begin(alice={"score": 20}, bob={"score": 8})
    table.do("next")
    assert left(table, "alice") == {"free": 1, "initiative": 20}
    assert codes(table, "alice", P1) == ["done", "too-dear"]
    table.act("alice", "hit-the-dirt")
    assert table.shown("alice")["rank"] == "15"
    assert left(table, "alice") == {"free": 1, "initiative": 15}
    table.close()


def test_nobody_defends_before_his_first_phase_of_the_fight(pair: Table) -> None:
    assert "needs" in codes(pair, "bob", "full-defense")
    assert "needs" in codes(pair, "bob", "hit-the-dirt")
    after(pair, alice=ALICE, bob={"score": 8})
    pair.act("bob", "full-defense")  # with what he saved in the first turn
    assert "full-defense" in pair.conditions("bob")


def test_b23_a_saved_full_defense(pair: Table) -> None:
    pair.do("next")
    pair.act("alice", "full-defense")
    assert left(pair, "alice") == {"simple": 2, "free": 1, "bonus-physical": 1}
    after(pair, alice={"score": 18}, bob={"score": 20})
    assert "full-defense" in pair.conditions("alice")
    pair.do("next")
    assert "full-defense" not in pair.conditions("alice")


def test_nobody_delays(pair: Table) -> None:
    assert pair.refused("delay", combatant="alice")[0][0] == "no-delay"


def test_a_table_may_count_passes_with_the_house_rules_in_use(tmp_path: Path) -> None:
    """The options of the turn, one by one; what else the house changes stays. Compensation 2, bursts of three."""
    ordinary = {
        "initiative_passes": True,
        "frozen_initiative": False,
        "saved_actions": False,
        "bonus_actions": False,
        "progressive_recoil": True,
        "free_actions": "own_phase",
        "attack_cost": "core",
        "action_cost": "core",
    }
    table = opened(tmp_path, **ordinary)
    join(table, "alice", weapons=["ak-97"])
    join(table, "bob")
    table.begin(alice={"score": 22}, bob={"score": 13})
    for dice in (10 - 1, 10 - 4, 10 - 7):
        table.act(
            "alice",
            "fire-burst",
            "bob",
            situation={"distance": 10, "target": {"unaware": True}},
            ask=False,
        )
        (part,) = table.question()["parts"]
        assert sum(group["count"] for group in part["groups"]) == dice
        table.dice([2] * dice)
        assert left(table, "alice")["simple"] == 1
        table.do("next")
        if table.acting == ["bob"]:
            table.do("next")
    table.close()


# --- Actions -----------------------------------------------------------------------------------------------------


def test_attacks_cost_what_the_table_says(tmp_path: Path) -> None:
    for cost, simple in (("house", {"free": 1}), ("core", {"simple": 1, "free": 1})):
        table = table_of(tmp_path, {"attack_cost": cost}, f"{cost}.db")
        join(table, "alice", weapons=["ak-97"])
        join(table, "bob", dice="service")
        table.begin(alice={"score": 20}, bob={"score": 8})
        table.act(
            "alice", "fire-burst", "bob", situation={"distance": 5, "target": {"unaware": True}}, ask=False
        )
        assert left(table, "alice") == simple
        table.close()


def test_readying_a_sword(tmp_path: Path) -> None:
    for cost, simple in (("complex", {"free": 1}), ("simple", {"simple": 1, "free": 1})):
        table = table_of(tmp_path, {"ready_sword": cost}, f"{cost}.db")
        join(table, "alice", weapons=["ak-97", "katana"])
        table.begin(alice={"score": 20})
        table.act("alice", "ready-sword", item="katana")
        assert left(table, "alice") == simple
        assert table.one("alice").items["katana"]["ready"]
        table.close()


def test_standing_up_needs_no_test(pair: Table) -> None:
    assert "needs" in codes(pair, "alice", "stand-up")
    pair.act("alice", "drop-prone")
    pair.act("alice", "stand-up")
    assert "prone" not in pair.conditions("alice")


def test_take_aim_counts_up_to_half_the_willpower(pair: Table) -> None:
    pair.do("set", combatant="alice", items={"ak-97": {"ready": True}})
    for times in (1, 2):
        pair.act("alice", "take-aim", item="ak-97")
        assert pair.conditions("alice").count("aiming") == times
    assert "rules" in codes(pair, "alice", "take-aim", item="ak-97")
    pair.act("alice", P1)
    assert "aiming" not in pair.conditions("alice")


@pytest.mark.parametrize(
    ("does", "mode", "metres"), [(None, "walk", 5), ("run", "run", 20), ("drop-prone", "crawl", 2)]
)
def test_movement_is_counted_by_phases(pair: Table, does: str | None, mode: str, metres: int) -> None:
    if does:
        pair.act("alice", does)
    assert (pair.shown("alice")["movement"]["mode"], pair.shown("alice")["movement"]["metres"]) == (
        mode,
        metres,
    )


@pytest.mark.parametrize(("who", "run", "per_hit"), [("kestrel", 22, 2), ("torque", 16, 1)])
def test_a_sprint_is_as_long_as_its_hits(table: Table, who: str, run: int, per_hit: int) -> None:
    """10 + 2 x Agility, and metres for each hit that the Physical limit lets count; fewer for a dwarf."""
    id = table.join(who, asks=False, dice="hand")
    table.begin(**{id: {"score": 20}})
    table.act(id, "sprint", ask=False)
    dice = sum(group["count"] for part in table.question()["parts"] for group in part["groups"])
    table.dice([5, 5, 5] + [2] * (dice - 3))
    movement = table.shown(id)["movement"]
    assert (movement["mode"], movement["metres"]) == ("sprint", run + 3 * per_hit)
    table.do("next")
    assert table.shown(id)["movement"]["mode"] == "walk"
