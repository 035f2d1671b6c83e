"""Drivers and riggers in fights of Shadowrun 5: damaged machines, rams, other drivers (sections 12.3 and 12.4)."""

from __future__ import annotations

import pytest
from sr5_board import codes, join, pools, throw
from table_play import OpenTable, Table, games
from test_sr5_marks_and_noise import totals
from test_sr5_matrix_fights import DECKER, RIGGER, offered

from fracas.encounters.log import log_markdown
from fracas.web.console.offered import towards

DRIVER = {"skills": {"pilot-ground-craft": 4}}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


@pytest.fixture
def car(table: Table) -> Table:
    """A car with 7 boxes of damage that its driver controls by hand."""
    join(table, "driver", side="ours", stun=3, **DRIVER)
    table.join({"use": "ford-americar", "physical": 7}, id="car", side="ours", asks=False, dice="hand")
    join(table, "guard", side="theirs", weapons=["ares-predator-v"])
    table.do("set", combatant="guard", items={"ares-predator-v": {"ready": True}})
    table.begin(driver={"score": 20}, guard={"score": 10}, car={"score": 1})
    table.act("driver", "control-vehicle-by-hand", "car")
    return table


def test_damage_lowers_the_handling(car: Table) -> None:
    """W38: two points for six boxes and more."""
    car.do("next")
    car.do("next")
    car.do("next")
    car.begin(driver={"score": 20}, guard={"score": 10}, car={"score": 1})
    car.act("driver", "make-vehicle-test", situation={"threshold": 1})
    assert (pools(car)["driving"], totals(car)["driving.limit"]) == (4 + 4 - 1, 4 - 2)


def test_a_machine_evades_by_its_driver(car: Table) -> None:
    car.do("next")
    at = {"item": "ares-predator-v", "situation": {"distance": 5}}
    car.act("guard", "fire-semi-automatic", "car", **at)
    assert pools(car)["defense"] == 4 + 4


def test_wounds_and_damage_hamper_a_ram(car: Table) -> None:
    car.do("set", combatant="guard", fields={"physical": 3})
    car.do("next")
    car.do("next")
    car.do("next")
    car.begin(driver={"score": 20}, guard={"score": 10}, car={"score": 1})
    car.act("driver", "ram", "guard", situation={"impact_speed": 30})
    assert pools(car) == {"attack": 4 + 4 - 1, "defense": 4 + 4 - 1}
    assert totals(car)["ramming.limit"] == 4 - 2


def test_a_rigger_rams_through_noise_in_hot_sim(table: Table) -> None:
    """Reaction 4 + Pilot 3 + rig 2, hot-sim 2, noise 3; Handling 5 + rig 2."""
    skills = {"gunnery": 6, "pilot-ground-craft": 3}
    join(table, "rigger", side="ours", **{**RIGGER, "interface": "hot-sim", "skills": skills})
    join(table, "jammer", side="theirs", **DECKER)
    table.join("steel-lynx", id="lynx", side="ours", asks=False, dice="hand")
    table.begin(jammer={"score": 25}, rigger={"score": 20, "world": "matrix", "bonus": 3}, lynx={"score": 10})
    table.act("jammer", "jam-signals")
    throw(table, 3)
    table.do("next")
    table.act("rigger", "rigger-jump-in", "lynx")
    table.act("rigger", "ram", "jammer", situation={"impact_speed": 30})
    assert pools(table)["attack"] == 4 + 3 + 2 + 2 - 3
    assert totals(table)["ramming.limit"] == 5 + 2


def test_a_rigger_with_two_drones_jumps_into_one_of_them_by_name(table: Table) -> None:
    """The page asks for the machine, as it does for every condition towards a combatant."""
    join(table, "rigger", side="ours", **RIGGER)
    for drone in ("lynx", "dog"):
        table.join("steel-lynx", id=drone, side="ours", asks=False, dice="hand")
    table.begin(rigger={"score": 20, "world": "matrix", "bonus": 2}, lynx={"score": 10}, dog={"score": 5})
    asked = {slug for slug in ("rigger-jump-in", "control-vehicle") if towards(games().game("sr5"), slug)}
    assert asked == {"rigger-jump-in", "control-vehicle"}
    offer = offered(table, "rigger", "rigger-jump-in")
    assert (offer["allowed"], offer["target"]) == (True, "lynx")
    assert codes(table, "rigger", "rigger-jump-in") == ["needs"]
    table.act("rigger", "rigger-jump-in", "dog")
    assert (table.conditions("dog"), table.conditions("lynx")) == (["moved-by-its-rigger"], [])
    assert "is now jumped into" in log_markdown(table.encounters, table.id, table.gm)
