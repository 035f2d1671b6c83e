"""What grenades and needles leave in a fight of the Inquisitor universe, charges that go off later, and pinning.

imperium.md, sections 19, 20 and 24.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from imperium_rounds import begin, join, refused
from sr4_phases import audited
from table_play import Table

from fracas.encounters.log import log_markdown

PLACES = {"me": (0, 0), "thrower": (10, 3), "foe": (20, 0)}
CLEAR = {"visibility": []}
GRENADES = ("smoke-grenade", "choke-gas-grenade", "frag-grenade")
ALL_HIT = 5


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """`me` and `foe` look at each other; `thrower` acts first, and stands beside."""
    table = Table(tmp_path, "imperium", options={"auto_success": ALL_HIT, "pinning": False})
    join(table, "thrower", 60, side="others", weapons=[*GRENADES, "melta-bomb"])
    join(table, "me", 50, weapons=["autogun"])
    join(table, "foe", 40, side="others", weapons=["sword"])
    begin(table)
    yield table
    audited(table)
    table.close()


def hold(table: Table, who: str, item: str) -> None:
    items = {name: {"ready": name == item} for name in table.one(who).items}
    table.do("set", combatant=who, items=items)


def place(table: Table) -> None:
    table.do("place", positions={id: {"x": x, "y": y} for id, (x, y) in PLACES.items()})


def throw(table: Table, item: str, **fields: object) -> None:
    hold(table, "thrower", item)
    table.act("thrower", "throw-grenade", item=item, **fields)
    table.dice([ALL_HIT])


def next_round(table: Table) -> None:
    while table.acting or table.state.phase == "due":
        table.do("next")
    begin(table)


def test_smoke_hampers_the_sight_through_it_for_five_rounds(table: Table) -> None:
    place(table)
    throw(table, "smoke-grenade", target="foe", spot={"x": 10, "y": 0})
    (smoke,) = table.view()["areas"].values()
    assert (smoke["label"], round(smoke["radius"], 2)) == ("Smoke grenade", 4.57)
    table.do("next")
    shot = {"item": "autogun", "situation": {"fire": {"mode": "single"}}}
    event = table.act("me", "fire-weapon", "foe", **shot)
    (chance,) = [one for one in event.data["step"]["open"]["tallies"] if one["to"] == "shooting.chance"]
    hampers = {one["label"]: one["value"] for one in chance["entries"] if one["verdict"] == "applied"}
    assert hampers["Darkness or smoke"] == -20
    table.dice([99])
    for _ in range(4):
        assert table.view()["areas"]
        next_round(table)
    assert table.view()["areas"], "the fifth round"
    next_round(table)
    assert not table.view()["areas"]
    assert not table.state.areas


def test_a_grenade_thrown_at_a_place_strikes_nobody_who_is_away_from_it(table: Table) -> None:
    """Neither the target whom the command names, nor, where nobody is named or near, the nearest."""
    place(table)
    hold(table, "thrower", "frag-grenade")
    for named in ({"target": "foe"}, {}):
        whole = table.one("foe").sheet, table.one("me").sheet
        body = {"item": "frag-grenade", "spot": {"x": 8, "y": 12}, **named}
        event = table.do("act", combatant="thrower", action="throw-grenade", **body)
        assert event.data["target"] == named.get("target", "me")
        table.dice([ALL_HIT])
        table.dice([5, 5])
        assert (table.one("foe").sheet, table.one("me").sheet) == whole
        table.do("set", combatant="thrower", items={"frag-grenade": {"rounds": 1}})
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "Thrower attacks foe with the Frag grenade: outside the blast." in text


def test_smoke_that_misses_is_none(table: Table) -> None:
    place(table)
    hold(table, "thrower", "smoke-grenade")
    table.act("thrower", "throw-grenade", "foe", item="smoke-grenade", spot={"x": 10, "y": 0})
    assert table.state.areas, "it may hit yet"
    table.dice([99])
    assert not table.view()["areas"]
    table.do("set", combatant="thrower", items={"smoke-grenade": {"rounds": 1}})
    table.act("thrower", "throw-grenade", "foe", item="smoke-grenade", spot={"x": 9, "y": 5})
    table.dice([ALL_HIT])
    (smoke,) = table.view()["areas"].values()
    assert [(at["x"], at["y"]) for at in smoke["points"]] == [(9, 5)], (
        "and none where the first one went astray"
    )


def test_gas_is_resisted_in_each_own_round_until_its_victim_runs(table: Table) -> None:
    throw(table, "choke-gas-grenade", target="me", situation={"distance": 5, **CLEAR})
    assert table.conditions("me") == ["in-gas"]
    for _ in range(2):
        while "me" not in table.acting:
            table.do("next")
        table.do("next")
        (timer,) = [one for one in table.view()["timers"] if one["due"]]
        assert (timer["who"], timer["action"]) == ("me", "suffer-poison")
        table.act("me", "suffer-poison", timer=timer["id"])
        table.dice([40])
        next_round(table)
    while "me" not in table.acting:
        table.do("next")
    table.act("me", "run")
    assert table.conditions("me") == ["ran"]
    table.do("next")
    assert not [one for one in table.view()["timers"] if one["who"] == "me"]


def test_a_charge_goes_off_as_the_next_round_ends(table: Table) -> None:
    car = {"hull": 80, "hull_full": 80, "plates_front": 12, "plates_side": 10, "plates_rear": 8}
    join(table, "car", 20, side="third", **car)
    hold(table, "thrower", "melta-bomb")
    wanted = {"item": "melta-bomb", "situation": {"target": {"facing": "rear"}}}
    assert refused(
        table, "throw-grenade", "thrower", "car", item="melta-bomb", situation={"distance": 1, **CLEAR}
    )
    table.act("thrower", "plant-charge", "car", **wanted)
    table.dice([50])
    assert table.one("thrower").items["melta-bomb"]["rounds"] == 0
    next_round(table)
    while table.acting:
        table.do("next")
    (timer,) = [one for one in table.view()["timers"] if one["due"]]
    table.act("car", "charge-goes-off", timer=timer["id"])
    table.dice([1, 1, 1, 1, 1, 1])
    assert table.one("car").sheet["hull"] == 80 - (6 + 10 - 4)


def test_the_poison_of_the_dead_is_over(tmp_path: Path) -> None:
    table = Table(tmp_path, "imperium")
    join(table, "me", 50, weapons=["needle-rifle"])
    join(table, "foe", 40, side="others", weapons=["sword"])
    begin(table)
    table.act("me", "fire-weapon", "foe", item="needle-rifle", situation={"distance": 10, **CLEAR})
    table.dice([20])
    table.dice([1])
    assert "suffer-poison" in {timer.action for timer in table.state.timers.values()}
    table.do("set", combatant="foe", add=["dead"])
    assert not table.state.timers
    table.close()


def test_needles_poison_and_fire_pins_by_itself(tmp_path: Path) -> None:
    """The toxin is due as the own round ends; the test of Nerve as the round of the shooter does."""
    table = Table(tmp_path, "imperium")
    join(table, "me", 50, weapons=["needle-rifle"])
    join(table, "foe", 40, side="others", weapons=["sword"])
    begin(table)
    shot = {"distance": 10, **CLEAR}
    for roll in (20, 21):  # the second shot asks for another test, which one who is pinned does not take
        table.act("me", "fire-weapon", "foe", item="needle-rifle", situation=shot)
        table.dice([roll])
        table.dice([1])
    table.do("next")
    (timer,) = [one for one in table.view()["timers"] if one["due"]]
    assert (timer["who"], timer["action"]) == ("foe", "pinning-test")
    table.act("foe", "pinning-test", timer=timer["id"])
    table.dice([41])  # 50, less 10 for the hit
    assert set(table.conditions("foe")) == {"pinned", "prone"}
    table.do("next")
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "foe: Test not to be pinned *" in text
    assert "does not happen" not in text
    while not any(one["due"] for one in table.view()["timers"]):
        table.do("next")
    (timer,) = [one for one in table.view()["timers"] if one["due"]]
    assert (timer["who"], timer["action"]) == ("foe", "suffer-poison")
    audited(table)
    table.close()
