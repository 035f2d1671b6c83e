"""What marks, reboots, noise and full devices mean in fights of Shadowrun 5 (sections 12.1 to 12.5)."""

from __future__ import annotations

from typing import Any

import pytest
from sr5_board import codes, join, pools, throw
from table_play import OpenTable, Table
from test_sr5_matrix_fights import DECKER, RIGGER

TECHNOMANCER: dict[str, Any] = {
    "technomancer": True,
    "resonance": 6,
    "skills": {"software": 6, "hacking": 5},
    "interface": "cold-sim",
}
ICE = {"device_rating": 5, "attack": 6, "sleaze": 5, "data_processing": 7, "firewall": 8}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


def totals(table: Table) -> dict[str, int]:
    return {one["to"]: one["total"] for one in table.step().tallies}


@pytest.fixture
def host(table: Table) -> Table:
    """A host with Probe, Killer and Scramble, and a decker in it; outside, signals are jammed."""
    join(table, "decker", side="ours", **DECKER)
    table.do("set", combatant="decker", add=["in-host"])
    for kind in ("probe", "killer", "scramble"):
        table.join({"use": f"{kind}-ic", **ICE}, id=kind, side="theirs", asks=False, dice="hand")
    join(table, "jammer", side="theirs", **DECKER)
    scores = {kind: {"score": 20 - at} for at, kind in enumerate(("jammer", "probe", "killer", "scramble"))}
    table.begin(**scores, decker={"score": 5, "world": "matrix", "bonus": 3})
    table.act("jammer", "jam-signals")
    throw(table, 3)
    table.do("next")
    return table


def test_marks_of_one_ic_are_those_of_its_host(host: Table) -> None:
    host.act("probe", "ic-attack", "decker", situation={"act": "probe"})
    throw(host, 3, 1)
    assert host.conditions("decker") == ["in-host", "marked-once"]
    host.do("next")
    host.act("killer", "ic-attack", "decker", situation={"act": "killer"})
    assert totals(host)["matrix-damage.value"] == 6 + 2


def test_scramble_takes_three_marks(host: Table) -> None:
    for _ in range(2):
        host.do("next")
    scrambles: dict[str, Any] = {"situation": {"act": "scramble"}}
    assert codes(host, "scramble", "ic-attack", "decker", **scrambles) == ["marks"]
    host.do("set", combatant="decker", add=["marked-thrice"], towards=["probe"])
    host.act("scramble", "ic-attack", "decker", **scrambles)


def test_no_noise_reaches_those_in_a_host(host: Table) -> None:
    for _ in range(3):
        host.do("next")
    host.act("decker", "hack-on-the-fly", "probe")
    assert pools(host)["action"] == 6 + 5 + 2


def test_who_enters_a_host_has_a_mark_on_it(table: Table) -> None:
    join(table, "decker", side="ours", **DECKER)
    table.join({"use": "patrol-ic", **ICE}, id="host", side="theirs", asks=False, dice="hand")
    table.begin(decker={"score": 20, "world": "matrix", "bonus": 3}, host={"score": 5})
    assert codes(table, "decker", "enter-exit-host", "host") == ["needs"]
    table.do("set", combatant="host", add=["marked-once"], towards=["decker"])
    table.act("decker", "enter-exit-host", "host")


@pytest.fixture
def two(table: Table) -> Table:
    """Two deckers, with marks on each other's device; the first has also been struck by IC."""
    for who in ("decker", "other"):
        join(table, who, side=who, **DECKER)
    table.do("set", combatant="decker", add=["marked-twice"], towards=["other"])
    table.do("set", combatant="other", add=["marked-thrice"], towards=["decker"])
    table.begin(
        decker={"score": 20, "world": "matrix", "bonus": 3}, other={"score": 5, "world": "matrix", "bonus": 3}
    )
    return table


def test_a_reboot_takes_the_marks_of_both_sides_and_gives_back_what_ic_took(two: Table) -> None:
    two.do("set", combatant="other", add=["firewall-eaten", "program-crashed"], fields={"overwatch": 9})
    two.act("decker", "reboot-device", "other")
    throw(two, 4, 1)
    throw(two, 6)
    assert two.conditions("other") == ["dumpshock", "rebooting"]
    assert two.conditions("decker") == ["marking"]
    assert two.one("other").sheet["overwatch"] == 0
    two.do("next")
    assert codes(two, "other", "enter-hot-sim") == ["forbidden"]


def test_who_jacks_out_reboots(two: Table) -> None:
    two.do("set", combatant="decker", fields={"overwatch": 12})
    two.act("decker", "jack-out")
    throw(two, 6)
    assert set(two.conditions("decker")) == {"rebooting", "dumpshock", "jacked-out"}
    assert (two.one("decker").sheet["overwatch"], two.conditions("other")) == (0, ["marking"])


@pytest.mark.parametrize(("tried", "dice", "left"), [(1, 0, ["marked-once"]), (2, 4, [])])
def test_a_decker_erases_as_many_marks_as_they_try_for(
    two: Table, tried: int, dice: int, left: list[str]
) -> None:
    two.act("decker", "erase-mark", "other", situation={"marks_tried": tried})
    assert pools(two)["action"] == 6 + 5 + 2 - dice
    throw(two, 3, 1)
    assert [one for one in two.conditions("decker") if one.startswith("marked")] == left


@pytest.mark.parametrize(("programs", "found"), [([], True), (["sneak"], False)])
def test_the_grid_finds_the_body(table: Table, programs: list[str], found: bool) -> None:
    join(table, "decker", side="ours", programs=programs, **{**DECKER, "interface": "ar"})
    table.begin(decker={"score": 20, "world": "matrix", "bonus": 2})
    table.do("set", combatant="decker", add=["converging"])
    table.do("next")
    (due,) = table.state.timers
    table.act("decker", "converge", timer=due)
    throw(table, 3)
    assert ("traced" in table.conditions("decker"), "rebooting" in table.conditions("decker")) == (
        found,
        True,
    )


def test_compensation_adds_to_what_gear_takes_away(table: Table) -> None:
    join(table, "decker", side="ours", noise_reduction=2, **DECKER)
    join(table, "guard", side="theirs", firewall=3, device_rating=3)
    table.begin(decker={"score": 20, "world": "matrix", "bonus": 3}, guard={"score": 5})
    table.act("decker", "compensate-for-noise", situation={"noise": 5})
    throw(table, 2)
    table.act("decker", "hack-on-the-fly", "guard", situation={"noise": 5})
    assert pools(table)["action"] == 6 + 5 + 2 - 1


def test_noise_hampers_a_rigger_who_fires_by_remote(table: Table) -> None:
    join(table, "rigger", side="ours", **RIGGER)
    join(table, "jammer", side="theirs", **DECKER)
    table.join("steel-lynx", id="lynx", side="ours", asks=False, dice="hand")
    table.do("set", combatant="lynx", items={"stoner-ares-m202": {"ready": True}})
    table.begin(jammer={"score": 25}, rigger={"score": 20, "world": "matrix", "bonus": 2}, lynx={"score": 10})
    table.act("jammer", "jam-signals")
    throw(table, 3)
    table.do("next")
    table.act("rigger", "jump-in-by-cable", "lynx")
    fired = {"distance": 20, "fire": {"mode": "full-automatic"}}
    table.act("rigger", "fire-mounted-weapon", "jammer", item="stoner-ares-m202", situation=fired)
    assert pools(table)["attack"] == 5 + 6 + 2 - 3


def test_a_spike_of_resonance_bricks_what_it_fills(table: Table) -> None:
    join(table, "technomancer", side="ours", **TECHNOMANCER)
    join(table, "decker", side="theirs", device_damage=8, **{**DECKER, "interface": "ar"})
    table.begin(technomancer={"score": 20, "world": "matrix", "bonus": 3}, decker={"score": 5})
    table.act(
        "technomancer", "thread-complex-form", "decker", situation={"act": "resonance-spike", "force": 6}
    )
    for hits in (3, 0, 4):
        throw(table, hits)
    assert table.conditions("decker") == ["bricked"]


def test_a_bricked_device_throws_its_user_out_of_virtual_reality(two: Table) -> None:
    two.do("set", combatant="other", fields={"device_damage": 9})
    two.act("decker", "data-spike", "other")
    throw(two, 3, 1)
    throw(two, 0)
    assert "dumpshock" in pools(two)


def test_any_virtual_reality_of_a_technomancer_is_hot(table: Table) -> None:
    join(table, "technomancer", side="ours", sleaze=4, **TECHNOMANCER)
    join(table, "guard", side="theirs", firewall=3, device_rating=3)
    table.begin(technomancer={"score": 20, "world": "matrix", "bonus": 3}, guard={"score": 5})
    table.act("technomancer", "hack-on-the-fly", "guard")
    assert pools(table)["action"] == 3 + 5 + 2


def test_a_technomancer_is_online_with_a_living_persona(table: Table) -> None:
    """Charisma 3, Intuition 4, Logic 3 and Willpower 4 in place of a device, whose rating is the Resonance."""
    join(table, "technomancer", firewall=6, **TECHNOMANCER)
    names = ("device_rating", "attack", "sleaze", "data_processing", "firewall")
    assert [table.one("technomancer").sheet[name] for name in names] == [6, 3, 4, 3, 6]


def test_a_vehicle_test_takes_a_vehicle_in_hand_again(table: Table) -> None:
    table.join("steel-lynx", id="lynx", side="ours", asks=False, dice="hand")
    table.do("set", combatant="lynx", add=["uncontrolled"])
    table.begin(lynx={"score": 10})
    table.act("lynx", "make-vehicle-test", situation={"threshold": 2})
    throw(table, 2)
    assert table.conditions("lynx") == []
