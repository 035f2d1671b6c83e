"""Guns and fittings of vehicles in fights of Cities Without Number (section 13.2)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import begin, join
from sr4_phases import audited, settle
from table_play import Table

from fracas.encounters.offers import offers

AT_5: dict[str, Any] = {"situation": {"distance": 5}}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, "cwn")
    join(table, "me")
    join(table, "friend")
    join(table, "foe", "others", hp=200, save=14)
    guns = ["mounted-autogun", "drone-cannon", "drone-cannon", "main-tank-gun"]
    table.join("car", id="van", side="players", weapons=guns, asks=False)
    begin(table)
    table.do("set", combatant="me", add=["at-the-gun"], towards=["van"])
    for id in ("me", "friend", "foe"):
        table.do("set", combatant=id, dice="hand")
    yield table
    audited(table)
    table.close()


def rounds(table: Table, who: str = "van") -> dict[str, Any]:
    return {name: known.get("rounds") for name, known in table.one(who).items.items()}


def to(table: Table, who: str) -> None:
    """The next slot of somebody."""
    table.do("next")
    while who not in table.acting:
        if table.steps():
            settle(table)
        else:
            table.do("next" if table.acting or table.state.phase == "due" else "begin-turn")


class TestGuns:
    def test_a_gunner_fires_the_gun_of_the_vehicle(self, table: Table) -> None:
        before = rounds(table, "me")
        table.act("me", "fire-mounted-gun", "foe", **AT_5)
        table.dice([10], owner="me")
        table.dice([4, 4, 4], owner="me")
        table.dice([1], owner="me")
        assert table.one("foe").sheet["hp"] == 200 - 13  # 3d8 and an attribute of 14
        assert rounds(table)["mounted-autogun"] == 9
        assert rounds(table, "me") == before
        version = table.state
        table.do("undo")
        table.do("redo")
        assert table.state == version

    def test_any_of_its_guns_is_named(self, table: Table) -> None:
        table.act("me", "fire-mounted-gun", "foe", item="drone-cannon#2", **AT_5)
        table.dice([1], owner="me")
        assert (rounds(table)["drone-cannon"], rounds(table)["drone-cannon#2"]) == (10, 9)

    def test_a_player_fires_only_what_the_vehicle_has(self, table: Table) -> None:
        player = table.player("me")
        with pytest.raises(Exception, match="has no 'heavy-pistol'"):
            table.do(
                "act", player, combatant="me", action="fire-mounted-gun", target="foe", item="heavy-pistol"
            )

    def test_an_empty_gun_is_reloaded(self, table: Table) -> None:
        table.do("set", combatant="van", items={"mounted-autogun": {"rounds": 0}})
        reasons = table.refused("act", combatant="me", action="fire-mounted-gun", target="foe", **AT_5)
        assert [code for code, _ in reasons] == ["empty_magazine"]
        table.act("me", "reload-mounted-gun", item="mounted-autogun")
        assert rounds(table)["mounted-autogun"] == 10
        assert table.one("me").spent == {"main": 1}

    def test_nothing_fires_from_a_wreck(self, table: Table) -> None:
        table.do("set", combatant="van", add=["wrecked"])
        reasons = table.refused("act", combatant="me", action="fire-mounted-gun", target="foe", **AT_5)
        assert ("rules", "Car is out of it") in reasons

    def test_motion_matters_to_a_pistol_and_not_to_the_gun(self, table: Table) -> None:
        table.do("set", combatant="van", add=["under-way"])
        found = []
        for action in ("fire-mounted-gun", "ranged-attack"):
            event = table.act("me", action, "foe", **AT_5)
            tallies = {one["to"]: one["total"] for one in event.data["step"]["open"]["tallies"]}
            found.append(tallies["attack.bonus"])
            table.do("undo")
        assert found == [5, 5 - 4]

    def test_it_suppresses_from_its_mount(self, table: Table) -> None:
        table.act("me", "suppress-with-mounted-gun", others=["foe"], situation={"victim_1": {"distance": 50}})
        settle(table)
        assert rounds(table)["mounted-autogun"] == 8

    def test_the_gun_of_a_tank_is_aimed_at_a_point(self, table: Table) -> None:
        wanted: dict[str, Any] = {"combatant": "me", "action": "fire-tank-gun", "item": "mounted-autogun"}
        reasons = table.refused("act", **wanted, others=["foe"], situation={"distance": 50})
        assert ("needs", "needs a gun that is aimed at a point") in reasons
        table.act("me", "fire-tank-gun", "foe", item="main-tank-gun", situation={"distance": 50})
        table.dice([5], owner="me")
        table.dice([6, 6, 6, 6], owner="me")
        table.dice([1], owner="me")
        settle(table)
        assert table.one("foe").sheet["hp"] == 200 - 24  # no attribute adds to what explodes
        assert rounds(table)["main-tank-gun"] == 0


class TestTargetingBoard:
    def miss(self, table: Table, action: str, item: str) -> None:
        table.act("me", action, "foe", item=item, **AT_5)
        table.dice([1], owner="me")

    def test_one_gunner_fires_three_guns_each_once(self, table: Table) -> None:
        table.do("set", combatant="van", fields={"vehicle_fittings": ["targeting-board"]})
        again: dict[str, Any] = {"combatant": "me", "action": "fire-another-gun", "target": "foe", **AT_5}
        codes = [code for code, _ in table.refused("act", **again, item="drone-cannon")]
        assert "too-dear" in codes
        self.miss(table, "fire-mounted-gun", "mounted-autogun")
        assert ("rules", "this gun has fired already") in table.refused(
            "act", **again, item="mounted-autogun"
        )
        self.miss(table, "fire-another-gun", "drone-cannon")
        self.miss(table, "fire-another-gun", "drone-cannon#2")
        table.do("set", combatant="van", items={"main-tank-gun": {"rounds": 1}})
        assert "too-dear" in [code for code, _ in table.refused("act", **again, item="drone-cannon")]
        assert rounds(table) == {
            "mounted-autogun": 9,
            "drone-cannon": 9,
            "drone-cannon#2": 9,
            "main-tank-gun": 1,
        }
        to(table, "me")
        assert "too-dear" in [code for code, _ in table.refused("act", **again, item="drone-cannon")]
        self.miss(table, "fire-mounted-gun", "drone-cannon")
        self.miss(table, "fire-another-gun", "mounted-autogun")
        assert rounds(table)["mounted-autogun"] == 8

    def test_the_gun_that_is_offered_has_not_fired_yet(self, table: Table) -> None:
        table.do("set", combatant="van", fields={"vehicle_fittings": ["targeting-board"]})
        self.miss(table, "fire-mounted-gun", "mounted-autogun")
        found = offers(table.encounters.context(table.fight, table.gm), "me")["actions"]
        offer = next(one for one in found if one["action"] == "fire-another-gun")
        assert (offer["item"], offer["missing"]) == ("drone-cannon", ["distance"])

    def test_without_one_a_main_action_fires_one_gun(self, table: Table) -> None:
        self.miss(table, "fire-mounted-gun", "mounted-autogun")
        table.do("set", combatant="van", fields={"vehicle_fittings": []})
        reasons = table.refused(
            "act", combatant="me", action="fire-another-gun", target="foe", item="drone-cannon", **AT_5
        )
        assert ("needs", "needs a Targeting Board") in reasons


class TestFittings:
    def test_the_best_of_the_crew_runs_it(self, table: Table) -> None:
        table.do("set", combatant="van", fields={"vehicle_fittings": ["ecm-emitter"]})
        table.do("set", combatant="friend", fields={"skills": {"program": 3}, "intelligence": 8})
        table.do("set", combatant="friend", add=["aboard"], towards=["van"])
        to(table, "foe")
        missile: dict[str, Any] = {"distance": 50, "weapon": {"use": "drone-cannon", "guided": True}}
        event = table.act("foe", "ranged-attack", "van", item="heavy-pistol", situation=missile)
        tallies = {one["to"]: one["total"] for one in event.data["step"]["open"]["tallies"]}
        assert (tallies["ecm.jamming"], tallies["ecm.guiding"]) == (3, 1 + 1)  # me: Program-1 and 14
        table.do("set", combatant="van", dice="hand")
        table.dice([20], owner="foe")
        table.dice([4, 4], owner="van")
        table.dice([3, 3], owner="foe")  # 11 against 8: jammed, and rolled again
        table.dice([1], owner="foe")
        assert not table.steps()
        assert table.one("van").sheet["hp"] == 30

    @pytest.mark.parametrize(("rounding", "whole"), [("down", 37), ("up", 38)])
    def test_extra_durability(self, rounding: str, whole: int, tmp_path: Path) -> None:
        """30 hit points of a car, and a quarter of them more: 37.5."""
        table = Table(tmp_path, "cwn", options={"half_rounding": rounding}, name="more.db")
        fitted = {"use": "car", "vehicle_fittings": ["extra-durability", "armor-plating"]}
        table.join(fitted, id="new", asks=False)
        table.join({**fitted, "hp": 12}, id="hurt", asks=False)
        table.join("car", id="plain", asks=False)
        found = {id: table.one(id).sheet for id in ("new", "hurt", "plain")}
        assert [found[id]["hp"] for id in found] == [whole, 12, 30]
        assert [found[id]["hp_maximum"] for id in found] == [whole, whole, 30]
        table.close()
