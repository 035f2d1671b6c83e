"""The world of the bonus actions, where a score is given by hand and where nobody chooses."""

from __future__ import annotations

from typing import Any

import pytest
from sr5_board import join, left
from table_play import OpenTable, Table

from fracas.encounters.log import log_markdown
from fracas.errors import InputError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


WIRED: dict[str, Any] = {"reaction": 5, "initiative_dice": 3, "interface": "ar", "dni": True}


def test_a_given_score_asks_for_the_world_as_a_roll_does(table: Table) -> None:
    join(table, "ann", asks=True, initiative_loss=5, **WIRED)
    join(table, "bob", dice="service", **WIRED)
    table.begin(ann={"score": 21, "edge": 6}, bob={"score": 20})
    question = table.question()
    assert [option["label"] for option in question["options"]] == [
        "Physical world: 2 bonus Simple actions",
        "Matrix: 2 bonus Simple actions",
    ]
    table.answer("matrix")
    rolled = table.one("ann").rolled
    assert rolled == {
        "score": 21,
        "wounds": 0,
        "world": "matrix",
        "bonus": 2,
        "edge": 6,
        "reaction": 5,
        "intuition": 4,
    }
    assert table.one("ann").sheet["initiative_loss"] == 5  # that is for the next roll
    assert left(table, "ann") == {"simple": 2, "free": 1, "bonus-matrix": 2}
    assert (table.one("bob").rolled["world"], table.one("bob").rolled["bonus"]) == ("physical", 2)


@pytest.mark.parametrize(
    ("given", "world", "bonus"),
    [
        ({"score": 21, "world": "matrix"}, "matrix", 2),
        ({"score": 21, "world": "magic"}, "magic", 0),
        ({"score": 21, "world": "none"}, "none", 0),
        ({"score": 21, "world": "magic", "bonus": 3}, "magic", 3),
    ],
)
def test_the_bonus_of_a_given_world_follows_from_the_sheet(
    table: Table, given: dict[str, Any], world: str, bonus: int
) -> None:
    join(table, "ann", asks=True, **WIRED)
    table.begin(ann=given)
    assert table.acting == ["ann"]
    assert (table.one("ann").rolled["world"], table.one("ann").rolled["bonus"]) == (world, bonus)


def test_the_only_world_is_not_asked_for(table: Table) -> None:
    join(table, "ann", asks=True, initiative_dice=2)
    join(table, "bob", asks=True)
    table.begin(ann={"score": 21}, bob={"score": 8})
    assert left(table, "ann") == {"simple": 2, "free": 1, "bonus-physical": 1}
    assert table.one("bob").rolled["world"] == "none"


def test_a_world_that_does_not_exist_is_refused(table: Table) -> None:
    join(table, "ann", **WIRED)
    with pytest.raises(InputError) as refused:
        table.begin(ann={"score": 21, "world": "matirx"})
    (problem,) = refused.value.problems
    assert (problem.path, problem.hint) == ("given.ann.world", "did you mean 'matrix'?")


@pytest.mark.parametrize(
    ("fields", "world"),
    [
        ({"interface": "ar", "dni": True}, "physical"),
        ({"interface": "cold-sim", "data_processing": 5}, "matrix"),
        ({"place": "astral", "awakened": "magician", "initiate_grade": 1}, "magic"),
        ({"awakened": "magician", "initiate_grade": 3}, "physical"),
        ({"awakened": "magician", "initiate_grade": 1, "bonus_world": "magic"}, "magic"),
        ({"bonus_world": "magic"}, "physical"),
    ],
)
def test_the_usual_world_follows_from_place_and_sheet(
    table: Table, fields: dict[str, Any], world: str
) -> None:
    """A guard with a booster is never asked; before, he had the world with the most actions, of use to him or not."""
    join(table, "guard", dice="service", initiative_dice=3, **fields)
    table.do("begin-turn")
    assert table.one("guard").rolled["world"] == world


def lines_of(table: Table) -> str:
    return log_markdown(table.encounters, table.id, table.gm)


def test_forms_have_fading_and_name_what_is_threaded(table: Table) -> None:
    online = {"interface": "hot-sim", "willpower": 4}
    join(table, "techno", resonance=5, logic=5, skills={"software": 4}, **online)
    join(table, "decker", side="theirs", firewall=4, device_rating=4, attack=4, **online)
    table.begin(techno={"score": 20, "world": "none"}, decker={"score": 1, "world": "none"})
    spike = {"act": "resonance-spike", "force": 3}
    event = table.act("techno", "thread-complex-form", "decker", situation=spike)
    tallies = {one["to"]: one for one in event.data["step"]["open"]["tallies"]}
    assert {to: one["label"] for to, one in tallies.items()} == {
        "threading.pool": "Threading pool",
        "threading.limit": "Limit",
        "power-resistance.pool": "Pool against the form",
        "drain.value": "Fading",
        "drain.pool": "Fading resistance pool",
    }
    assert [one["label"] for one in tallies["drain.value"]["entries"]] == [
        "Level",
        "Form",
        "Fading is never less than 2",
    ]
    assert "Thread a complex form: Resonance spike against decker" in lines_of(table)


@pytest.mark.parametrize(
    ("action", "condition", "back", "why_not", "why_not_back"),
    [
        (
            "run-silent",
            "running-silent",
            "stop-running-silent",
            "needs not to be running silent",
            "needs to be running silent",
        ),
        (
            "take-device-offline",
            "offline",
            "go-online",
            "needs to be online",
            "needs a device that is offline",
        ),
    ],
)
def test_nobody_goes_silent_or_offline_twice(
    action: str, condition: str, back: str, why_not: str, why_not_back: str, table: Table
) -> None:
    join(table, "decker", firewall=4, device_rating=4, **{**WIRED, "interface": "ar"})
    table.begin(decker={"score": 20, "world": "none"})
    assert ("needs", why_not_back) in table.refused("act", combatant="decker", action=back)
    table.act("decker", action)
    assert table.conditions("decker") == [condition]
    assert ("needs", why_not) in table.refused("act", combatant="decker", action=action)
    table.act("decker", back, pay={"simple": 1})
    assert table.conditions("decker") == []
