"""Several weapons of one model in a fight: each has rounds, ammunition and a hand of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from audited_logs import log_of
from table_play import OpenTable, Table

from fracas.encounters import fold
from fracas.encounters.audit import verify
from fracas.encounters.command_context import CommandContext
from fracas.encounters.offers import offers
from fracas.errors import InputError, Problem

PREDATOR = "ares-predator-iv"
OTHER = f"{PREDATOR}#2"
NEAR = {"distance": 4}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """Rook with two pistols of one model, both drawn, and a guard; everybody's dice are typed in."""
    table = open_table()
    table.join("rook", side="runners", dice="hand", asks=False, weapons=[PREDATOR, PREDATOR, "katana"])
    table.join("guard", side="corp", dice="hand", asks=False)
    table.do("set", combatant="rook", items={OTHER: {"ready": True}})
    table.begin(rook={"hits": 6}, guard={"hits": 1})
    return table


def throw(table: Table, face: int = 2) -> None:
    """Everybody throws this face until the step is over."""
    while table.steps():
        parts = [part for part in table.question()["parts"] if part["hand"]]
        table.dice(*([face] * sum(group["count"] for group in part["groups"]) for part in parts))


def item(table: Table, name: str, who: str = "rook") -> Mapping[str, Any]:
    return table.one(who).items[name]


def desk_of(table: Table) -> CommandContext:
    return table.encounters.context(table.fight, table.gm)


def problem(table: Table, command: str, **said: Any) -> Problem:
    with pytest.raises(InputError) as caught:
        table.do(command, **said)
    (found,) = caught.value.problems
    return found


def test_who_joins_with_two_has_two(table: Table) -> None:
    assert list(table.one("rook").items) == [PREDATOR, OTHER, "katana"]
    assert item(table, OTHER) == {"ready": True, "rounds": 15}
    assert item(table, "katana") == {"ready": False}
    told = table.shown("rook")["items"]
    assert told[OTHER]["rounds"] == told[PREDATOR]["rounds"] == 15


def test_each_has_rounds_of_its_own(table: Table) -> None:
    table.act("rook", "fire-semi-automatic", "guard", item=OTHER, situation=NEAR)
    assert dict(table.step().items) == {"weapon": OTHER}
    throw(table)
    assert (item(table, PREDATOR)["rounds"], item(table, OTHER)["rounds"]) == (15, 14)
    table.act("rook", "fire-semi-automatic", "guard", situation=NEAR)  # the first that is ready
    throw(table)
    assert (item(table, PREDATOR)["rounds"], item(table, OTHER)["rounds"]) == (14, 14)


def test_both_at_once(table: Table) -> None:
    table.act("rook", "fire-two-weapons", "guard", item=PREDATOR, second_item=OTHER, situation=NEAR)
    assert dict(table.step().items) == {"weapon": PREDATOR, "weapon_2": OTHER}
    throw(table)
    assert (item(table, PREDATOR)["rounds"], item(table, OTHER)["rounds"]) == (14, 14)
    report = verify(log_of(table))
    assert report.ok, str(report.first_difference)


def armor_of_the_guard(table: Table, name: str) -> int:
    """The guard's armor after penetration, against a shot with this pistol."""
    table.act("rook", "fire-semi-automatic", "guard", item=name, situation=NEAR)
    (rating,) = [tally["total"] for tally in table.step().tallies if tally["to"] == "armor.rating"]
    throw(table)
    return int(rating)


def test_ammunition_is_loaded_into_one(table: Table) -> None:
    table.do("set", combatant="rook", items={OTHER: {"ammunition": "apds"}})
    assert armor_of_the_guard(table, OTHER) == armor_of_the_guard(table, PREDATOR) - 4


def test_each_is_dropped_and_readied_by_itself(table: Table) -> None:
    table.act("rook", "drop-object", item=OTHER)
    assert item(table, OTHER) == {"ready": False, "rounds": 15, "dropped": True}
    assert item(table, PREDATOR)["ready"] is True
    table.act("rook", "pick-up-object", item=OTHER)
    table.act("rook", "ready-weapon", item=OTHER)
    assert item(table, OTHER)["ready"] is True


def test_aiming_is_with_one_of_them(table: Table) -> None:
    table.act("rook", "take-aim", item=OTHER)
    (aiming,) = [one for one in table.one("rook").conditions if one.slug == "aiming"]
    assert aiming.item == OTHER
    table.act("rook", "fire-semi-automatic", "guard", item=PREDATOR, situation=NEAR)
    assert "aiming" not in table.conditions("rook")
    facts = table.step().tallies[1]
    assert all(entry["id"] != "take-aim" or entry["verdict"] != "applied" for entry in facts["entries"])


def test_what_is_shot_out_of_the_hand_is_one_that_is_ready(table: Table) -> None:
    table.act("rook", "drop-object", item=PREDATOR)
    table.do("next")
    table.act("guard", "call-shot")
    said = {"distance": 4, "called_shot": {"kind": "item", "item": PREDATOR}}
    table.act("guard", "fire-semi-automatic", "rook", situation=said)
    throw_hits(table)
    assert item(table, OTHER) == {"ready": False, "rounds": 15, "dropped": True}
    report = verify(log_of(table))
    assert report.ok, str(report.first_difference)


def throw_hits(table: Table) -> None:
    """Hits for whoever attacks, none for the others."""
    while table.steps():
        parts = [part for part in table.question()["parts"] if part["hand"]]
        table.dice(
            *(
                [5 if part["label"] == "attack" else 2] * sum(group["count"] for group in part["groups"])
                for part in parts
            )
        )


class TestNames:
    def test_a_wrong_number_has_the_nearest_name(self, table: Table) -> None:
        player = table.player("rook")
        said = {"combatant": "rook", "action": "fire-semi-automatic", "target": "guard", "situation": NEAR}
        found = problem(table, "act", by=player, **said, item=f"{PREDATOR}#4")
        assert (found.path, found.code) == ("item", "unknown-item")
        assert found.hint == f"did you mean {OTHER!r}?"
        found = problem(table, "act", by=player, **said, item="ares-predator-4#2")
        assert found.hint == f"did you mean {OTHER!r}?"
        found = problem(table, "act", by=player, **said, second_item="katanna")
        assert (found.path, found.hint) == ("second_item", "did you mean 'katana'?")

    @pytest.mark.parametrize("name", [f"{PREDATOR}#", f"{PREDATOR}#1", f"{PREDATOR}#02", "#2", "#"])
    def test_names_are_written_in_one_way(self, table: Table, name: str) -> None:
        found = problem(table, "set", combatant="rook", items={name: {"ready": True}})
        assert (found.path, found.code) == (f"items.{name}", "unknown-item")

    def test_the_same_one_twice_is_refused(self, table: Table) -> None:
        said = {"combatant": "rook", "action": "fire-two-weapons", "target": "guard", "situation": NEAR}
        found = problem(table, "act", **said, item=OTHER, second_item=OTHER)
        assert (found.path, found.code) == ("second_item", "named-twice")
        assert found.hint == f"did you mean {PREDATOR!r}?"

    def test_the_gm_adds_one_more_but_leaves_no_gap(self, table: Table) -> None:
        table.do("set", combatant="rook", items={f"{PREDATOR}#3": {"ready": False, "rounds": 2}})
        assert item(table, f"{PREDATOR}#3") == {"ready": False, "rounds": 2}
        found = problem(table, "set", combatant="rook", items={f"{PREDATOR}#5": {"rounds": 2}})
        assert found.hint == f"did you mean '{PREDATOR}#3'?"

    def test_a_full_id_names_the_second_as_well(self, table: Table) -> None:
        table.do("set", combatant="rook", items={f"sr4-core:weapon/{OTHER}": {"rounds": 3}})
        assert item(table, OTHER)["rounds"] == 3


def test_offers_name_the_one_that_will_do(table: Table) -> None:
    table.do("set", combatant="rook", items={PREDATOR: {"ready": False}})
    told = offers(desk_of(table), "rook")["actions"]
    shot = next(one for one in told if one["action"] == "fire-semi-automatic")
    assert (shot["item"], shot["allowed"]) == (OTHER, True)


def test_old_logs_fold_as_before(table: Table) -> None:
    """A log from before has one state under the slug, whichever was meant."""
    table.act("rook", "fire-semi-automatic", "guard", item=PREDATOR, situation=NEAR)
    throw(table)
    events = []
    for event in table.encounters.events(table.id):
        data = json.loads(json.dumps(event.data))
        if event.type == "joined":
            data["combatant"]["items"] = {PREDATOR: {"ready": True, "rounds": 9}}
        if event.type != "set":
            events.append(event._replace(data=data))
    rules = table.encounters.game(table.fight).ruleset.turns
    assert rules is not None
    assert fold.fold(rules, events).combatants["rook"].items == {PREDATOR: {"ready": True, "rounds": 8}}


def test_two_knives_of_cities_without_number(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn")
    table.join({"name": "Sable", "hp": 8}, id="sable", weapons=["knife", "knife"])
    assert list(table.one("sable").items) == ["knife", "knife#2"]
    table.close()
