"""What a table keeps an eye on: monitors, hit points, injuries; where each ends, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from table_play import Table

from fracas.kernel.tracks import Gauge

Sit = Callable[..., Table]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Sits down to a fight of a ruleset."""
    tables: list[Table] = []

    def opened(ruleset: str, **settings: Any) -> Table:
        tables.append(Table(tmp_path, ruleset, settings, name=f"{len(tables)}.db"))
        return tables[-1]

    yield opened
    for table in tables:
        table.close()


def gauges(table: Table, id: str, viewer: Any = None) -> dict[str, Gauge]:
    return {one["id"]: Gauge(**one) for one in table.shown(id, viewer)["gauges"]}


def levels(table: Table, id: str) -> dict[str, tuple[int, int | None]]:
    return {name: (one.value, one.most) for name, one in gauges(table, id).items()}


def test_sr4_monitors_and_edge(sit: Sit) -> None:
    table = sit("sr4")
    sheet = {"name": "Ann", "body": 5, "willpower": 4, "edge": 3, "physical": 2, "stun": 0}
    id = table.join(sheet | {"edge_points": 1})
    # 8 and half the attribute, rounded up.
    assert levels(table, id) == {"physical": (2, 11), "stun": (0, 10), "edge": (1, 3)}
    found = gauges(table, id)
    assert [one.harm for one in found.values()] == [True, True, False]
    assert [one.fills for one in found.values()] == [True, True, False]
    table.do("set", combatant=id, fields={"physical": 12, "edge_points": 0})
    assert levels(table, id) == {"physical": (12, 11), "stun": (0, 10), "edge": (0, 3)}


def test_sr4_what_the_sheet_does_not_tell(sit: Sit) -> None:
    table = sit("sr4")
    assert gauges(table, table.join({"name": "Ann"})) == {}
    vehicle = table.join({"name": "Van", "vehicle": True, "body": 10, "physical": 3})
    assert levels(table, vehicle) == {"physical": (3, 13)}


def test_sr5_monitors_and_edge(sit: Sit) -> None:
    table = sit("sr5")
    sheet = {"name": "Ann", "body": 5, "willpower": 4, "edge": 3, "physical": 2, "stun": 1, "edge_points": 2}
    id = table.join(sheet)
    # 8 and half the attribute, rounded up.
    assert levels(table, id) == {"physical": (2, 11), "stun": (1, 10), "edge": (2, 3)}
    grunt = table.join({"name": "Ganger", "grunt": True, "body": 3, "willpower": 6, "physical": 4, "stun": 0})
    # One monitor for both kinds, of the higher attribute.
    assert levels(table, grunt) == {"physical": (4, 11), "stun": (0, 11)}


def test_cwn_hit_points_soak_and_strain(sit: Sit) -> None:
    table = sit("cwn")
    sheet = {"name": "Dov", "hp": 12, "constitution": 11, "system_strain": 4, "soak": 5, "access": 2}
    id = table.join(sheet)
    assert levels(table, id) == {
        "hp": (12, 12),
        "soak": (5, None),
        "system-strain": (4, 11),
        "access": (2, None),
    }
    found = gauges(table, id)
    assert [name for name, one in found.items() if one.harm] == ["hp"]
    assert [name for name, one in found.items() if one.fills] == ["system-strain"]
    table.do("set", combatant=id, fields={"hp": 3, "soak": 0, "access": 0, "strain_maximum": 8})
    assert levels(table, id) == {"hp": (3, 12), "system-strain": (4, 8)}


def test_imperium_injuries(sit: Sit) -> None:
    table = sit("imperium")
    sheet = {"name": "Juve", "toughness": 42, "injury_total": 7, "injuries": {"left-arm": 2, "head": 0}}
    id = table.join(sheet)
    dead = levels(table, id)["injury-total"][1]
    assert dead is not None
    assert levels(table, id) == {"injury-total": (7, dead), "injury-left-arm": (2, 5)}
    assert gauges(table, id)["injury-left-arm"].label == "Left arm"
    assert all(one.harm and one.fills for one in gauges(table, id).values())
    table.do("set", combatant=id, fields={"toughness": None, "injuries": {}})
    assert levels(table, id) == {"injury-total": (7, None)}


@pytest.mark.parametrize("ruleset", ["sr4", "sr5", "cwn", "imperium"])
def test_everybody_of_the_packs_has_harm_first_and_within_bounds(sit: Sit, ruleset: str) -> None:
    table = sit(ruleset)
    for entry in table.encounters.game(table.fight).packs.entries("combatant"):
        found = list(gauges(table, table.join(entry.slug)).values())
        assert found, entry.id
        assert [one.harm for one in found] == sorted((one.harm for one in found), reverse=True), entry.id
        assert found[0].harm, entry.id
        assert len({one.id for one in found}) == len(found), entry.id
        for one in found:
            assert one.label, entry.id
            assert one.most is None or 0 <= one.value <= one.most, entry.id


@pytest.mark.parametrize("ruleset", ["sr4", "sr5", "cwn", "imperium"])
def test_whoever_may_read_the_sheet_sees_them(sit: Sit, ruleset: str) -> None:
    for is_open in (False, True):
        table = sit(ruleset, open_sheets=is_open)
        first, second = (
            entry.slug for entry in table.encounters.game(table.fight).packs.entries("combatant")[:2]
        )
        own, other = table.join(first), table.join(second)
        player = table.player(own)
        assert table.shown(own, table.gm)["gauges"] == table.shown(own, player)["gauges"]
        for viewer, id in ((player, other), (table.observer, own)):
            assert ("gauges" in table.shown(id, viewer)) is is_open
