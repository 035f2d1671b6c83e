"""Shots at several with a split pool, in a fight of Shadowrun 5."""

from __future__ import annotations

from pathlib import Path

from sr5_board import join, left, table_of


def test_a_split_pool_against_two(tmp_path: Path) -> None:
    """Agility 5 + Automatics 5, five dice each; compensation 2, two rounds: no recoil."""
    table = table_of(tmp_path)
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob", dice="service")
    join(table, "cas", dice="service")
    table.begin(ann={"score": 20, "world": "physical"}, bob={"score": 12}, cas={"score": 5})
    situation = {"distance": 10, "fire": {"mode": "semi-automatic"}}
    table.act("ann", "multiple-attacks-ranged", "bob", others=["cas"], situation=situation, ask=False)
    for _ in ("bob", "cas"):
        question = table.question()
        assert next(group["count"] for part in question["parts"] for group in part["groups"]) == 5
        table.dice([2, 2, 3, 4, 1])
    assert table.one("ann").items["ak-97"]["rounds"] == 36
    assert left(table, "ann") == {}
    assert [table.one(who).sheet["physical"] for who in ("bob", "cas")] == [0, 0]
    table.close()
