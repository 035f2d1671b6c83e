"""A weapon that no pack has is described whole in the command; what is at hand stays out of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from table_play import Table

from fracas.errors import ForbiddenError

ZIP_GUN: dict[str, Any] = {
    "name": "Zip gun",
    "category": "light-pistol",
    "skill": "pistols",
    "range": "holdout",
    "dv": 4,
    "damage": "physical",
    "ap": 0,
    "armor_kind": "ballistic",
    "modes": ["SA"],
    "rc": 0,
    "rounds": 6,
}
SHOT: dict[str, Any] = {"distance": 3, "weapon": ZIP_GUN}


def street(folder: Path, apply: str) -> Table:
    table = Table(folder, settings={"apply": apply})
    table.join("rook", player=True, asks=False)
    table.join("guard")
    table.begin(rook={"hits": 4}, guard={"hits": 0})
    return table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = street(tmp_path, "confirm")
    yield table
    table.close()


def test_it_is_fired_in_place_of_what_is_ready(table: Table) -> None:
    assert table.one("rook").items["ares-predator-iv"]["ready"] is True
    table.act("rook", "fire-semi-automatic", "guard", table.player("rook"), situation=SHOT)
    step = table.step()
    numbers = {one["to"]: one["total"] for one in step.tallies}
    assert numbers["damage.value"] == 4  # the pistol at hand would do 5
    assert step.item == ""
    table.answer("apply")
    assert table.one("rook").items["ares-predator-iv"]["rounds"] == 15


def test_what_it_cannot_do_is_refused(table: Table) -> None:
    burst = {"combatant": "rook", "action": "fire-long-burst", "target": "guard", "situation": SHOT}
    reasons = table.refused("act", **burst)
    assert [code for code, _ in reasons] == ["needs"], reasons


def test_without_a_name_it_is_the_one_at_hand(table: Table) -> None:
    table.act("rook", "fire-semi-automatic", "guard", situation={"distance": 3, "weapon": {"ap": -2}})
    assert table.step().item == "ares-predator-iv"


def test_where_nobody_confirms_it_is_the_gms(tmp_path: Path) -> None:
    table = street(tmp_path, "at-once")
    with pytest.raises(ForbiddenError, match="no pack has"):
        table.act("rook", "fire-semi-automatic", "guard", table.player("rook"), situation=SHOT)
    table.act("rook", "fire-semi-automatic", "guard", situation=SHOT)
    table.close()
