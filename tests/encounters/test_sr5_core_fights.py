"""Fights of the ordinary game by itself, at a table that leaves the house rules out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sr5_board import codes, core_games, core_table_of, join, left
from table_play import Table, games

from fracas.engine.opening import open_games
from fracas.errors import InputError, PackError

SHOT: dict[str, Any] = {"situation": {"distance": 10, "target": {"unaware": True}}, "ask": False}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = core_table_of(tmp_path)
    yield table
    table.close()


@pytest.fixture
def pair(table: Table) -> Table:
    join(table, "ann", weapons=["ak-97", "katana"])
    join(table, "bob", weapons=["sword"])
    table.begin(ann={"score": 22}, bob={"score": 13})
    return table


def question_dice(table: Table) -> dict[str, int]:
    question = table.question()
    assert question["kind"] == "roll", question
    return {part["label"]: sum(group["count"] for group in part["groups"]) for part in question["parts"]}


def fire(table: Table, action: str, dice: int) -> None:
    """Somebody unaware is missed, with as many dice."""
    table.act("ann", action, "bob", **SHOT)
    assert question_dice(table) == {"attack": dice}
    table.dice([2] * dice)


def test_the_layer_is_left_out_and_nothing_else() -> None:
    with_all = {pack.manifest.id for pack in games().library.packs.values()}
    left_out = {pack.manifest.id for pack in core_games().library.packs.values()}
    assert with_all - left_out == {"sr5-bonus-actions"}
    assert core_games().left_out == {}
    assert "mix_units" not in core_games().game("sr5").house_rules


def test_nobody_leaves_out_what_is_not_there() -> None:
    with pytest.raises(PackError) as found:
        open_games((), without=["sr5-bonus-action"])
    (problem,) = found.value.problems
    assert (problem.code, "sr5-bonus-actions" in str(problem)) == ("unknown-pack", True)


def test_initiative_passes(pair: Table) -> None:
    """22 acts in three passes, 13 in two."""
    played = []
    while pair.state.phase != "turn-over":
        played += [(who, pair.shown(who)["rank"]) for who in pair.acting]
        pair.do("next")
    assert played == [("ann", "22"), ("bob", "13"), ("ann", "12"), ("bob", "3"), ("ann", "2")]


def test_a_phase_has_two_simple_actions_and_nothing_is_saved(pair: Table) -> None:
    assert left(pair, "ann") == {"simple": 2, "free": 1, "initiative": 22}
    pair.act("ann", "observe-in-detail")
    pair.do("next")
    assert left(pair, "ann") == {"initiative": 22}
    assert codes(pair, "ann", "observe-in-detail") == ["done", "too-dear"]
    assert codes(pair, "ann", "speak") == ["done", "too-dear"]  # not in the phases of others
    pair.do("next")
    assert left(pair, "ann") == {"simple": 2, "free": 1, "initiative": 12}


def test_initiative_dice_give_no_actions(table: Table) -> None:
    join(table, "ann", initiative_dice=3, initiate_grade=2, awakened="magician")
    table.do("begin-turn")
    table.dice([6, 6, 4])
    assert table.shown("ann")["rank"] == "24"
    assert left(table, "ann") == {"simple": 2, "free": 1, "initiative": 24}


def test_one_simple_attack_in_a_phase(pair: Table) -> None:
    fire(pair, "fire-semi-automatic", 10)
    assert left(pair, "ann")["simple"] == 1
    assert codes(pair, "ann", "fire-semi-automatic", "bob", **SHOT) == ["needs"]
    assert pair.refused("act", combatant="ann", action="fire-burst", target="bob", **SHOT) == [
        ("needs", "needs no attack before in this phase")
    ]
    pair.act("ann", "take-aim", item="ak-97")


def test_recoil_grows_from_phase_to_phase_until_nobody_fires(pair: Table) -> None:
    """Compensation 1 + 3 / 3 = 2: a burst of three has -1, the next of six -7, and after a pause again -1."""
    fire(pair, "fire-burst", 10 - 1)
    pair.do("next")
    pair.do("next")
    fire(pair, "fire-long-burst", 10 - 7)
    pair.do("next")
    pair.do("next")
    pair.act("ann", "observe-in-detail")
    pair.do("next")
    assert pair.state.phase == "turn-over"
    assert pair.one("ann").sheet["rounds_before"] == 0
    pair.begin(ann={"score": 22}, bob={"score": 13})
    fire(pair, "fire-burst", 10 - 1)


def test_an_interrupt_costs_points_and_perhaps_a_pass(table: Table) -> None:
    join(table, "ann", weapons=["katana"])
    join(table, "bob", weapons=["sword"], asks=True, edge_points=0)
    table.begin(ann={"score": 22}, bob={"score": 13})
    table.act("ann", "melee-attack", "bob", item="katana", ask=False, situation={"target": {"reach": 1}})
    options = {option["id"]: option["cost"] for option in table.question("bob")["options"]}
    assert options["parry"] == options["dodge"] == options["block"] == {"initiative": 5}
    assert options["full-defense"] == {"initiative": 10}
    table.answer("parry", owner="bob")  # before his first phase, too
    assert question_dice(table) == {"attack": 10, "defense": 4 + 4 + 5}
    table.dice([2] * 10, [2] * 13)
    assert "parrying" not in table.conditions("bob")
    assert table.shown("bob")["rank"] == "8"
    table.do("next")
    assert (table.acting, left(table, "bob")) == (["bob"], {"simple": 2, "free": 1, "initiative": 8})
    table.do("next")
    assert table.acting == ["ann"]
    table.do("next")
    assert table.acting == ["ann"]  # the score of Bob gives no second pass any more
    assert table.shown("bob")["rank"] == "-12"


def test_who_has_too_few_points_left_makes_no_interrupt(pair: Table) -> None:
    pair.act("bob", "full-defense")
    assert "full-defense" in pair.conditions("bob")
    assert left(pair, "bob") == {"initiative": 3}
    assert codes(pair, "bob", "hit-the-dirt") == ["too-dear"]


def test_wounds_and_called_shots_lower_the_score_at_once(pair: Table) -> None:
    pair.act("ann", "call-a-shot")
    pair.act(
        "ann",
        "fire-semi-automatic",
        "bob",
        situation={"distance": 10, "attacker": {"called_initiative": 10}, "target": {"unaware": True}},
        ask=False,
    )
    assert question_dice(pair) == {"attack": 6}
    pair.dice([5, 1, 2, 2, 3, 4])
    pair.dice([5, 5, 5, 5])
    assert pair.one("bob").sheet["physical"] == 10 + 1 - 4
    assert pair.shown("bob")["rank"] == str(13 - 10 - 2)
    while pair.state.phase != "turn-over":
        pair.do("next")
    pair.do("begin-turn")
    pair.dice([1], owner="ann")
    pair.dice([6], owner="bob")
    assert pair.shown("bob")["rank"] == str(4 + 4 + 6 - 2)  # the loss was that of a turn


def test_suppressive_fire_lasts_to_the_end_of_the_turn(pair: Table) -> None:
    pair.act("ann", "suppressive-fire", "bob", situation={"distance": 20}, ask=False)
    pair.dice([5, 6, 1, 1, 2, 3, 4, 2, 3, 4])
    pair.do("next")
    pair.do("next")
    assert pair.acting == ["ann"]  # in her second pass
    assert "suppressing" in pair.conditions("ann")
    assert "suppressed" in pair.conditions("bob")
    while pair.state.phase != "turn-over":
        pair.do("next")
    assert pair.conditions("ann") == pair.conditions("bob") == []


def test_movement_is_that_of_a_turn(pair: Table) -> None:
    assert pair.shown("ann")["movement"]["metres"] == 10  # Agility x 2
    pair.act("ann", "run")
    assert pair.shown("ann")["movement"]["metres"] == 20
    pair.do("next")
    assert "running" in pair.conditions("ann")


def test_what_the_house_removed_is_there(pair: Table) -> None:
    pair.act("ann", "quick-draw")
    with pytest.raises(InputError) as found:
        pair.act("ann", "carnival-of-carnage-ranged", "bob")
    assert [problem.code for problem in found.value.problems] == ["unknown-action"]


def test_who_comes_late_has_the_passes_that_are_left(pair: Table) -> None:
    """His score loses ten for each pass that is over."""
    pair.do("next")
    pair.do("next")
    join(pair, "cas")
    pair.do("roll-initiative", given={"cas": {"score": 15}})
    assert pair.shown("cas")["rank"] == "5"
    pair.do("next")
    assert pair.acting == ["cas"]
