"""What pays for an action in a fight: the most special token first, any way that is chosen, and nothing unasked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cwn_rounds import begin, hold
from cwn_rounds import join as join_cwn
from sr4_phases import audited, left, offered, settle
from sr5_board import core_table_of
from sr5_board import join as join_sr5
from table_play import Table

from fracas.encounters.offers import offers
from fracas.errors import InputError

HACK = {"distance": 20, "hack": {"verb": "glitch", "cyber": "gunlink"}}


def usual_of(table: Table, who: str) -> list[str]:
    return [one["action"] for one in offers(table.encounters.context(table.fight, table.gm), who)["usual"]]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, "cwn")
    yield table
    audited(table)
    table.close()


@pytest.fixture
def hacker(table: Table) -> Table:
    join_cwn(table, "me", edges=["hacker"])
    join_cwn(table, "foe", "others", augmentations=["gunlink"])
    begin(table)
    hold(table, "heavy-pistol", rounds=8)
    return table


def test_a_hacker_hacks_and_shoots(hacker: Table) -> None:
    offer = offered(hacker, "run-program")
    assert offer["payment"] == {"hacking-main": 1}
    assert offer["payments"] == [{"hacking-main": 1}, {"main": 1}]
    event = hacker.act("me", "run-program", "foe", situation=HACK)
    assert event.data["payment"] == {"hacking-main": 1}
    settle(hacker)
    assert left(hacker)["main"] == 1
    hacker.act("me", "ranged-attack", "foe", situation={"distance": 20})
    settle(hacker)


def test_a_command_chooses_what_it_spends(hacker: Table) -> None:
    event = hacker.act("me", "run-program", "foe", situation=HACK, pay={"main": 1})
    assert event.data["payment"] == {"main": 1}
    settle(hacker)
    assert (left(hacker)["main"], left(hacker)["hacking-main"]) == (0, 1)
    (reason,) = hacker.refused("act", combatant="me", action="run-program", target="foe", pay={"main": 1})
    assert reason[0] == "too-dear"
    with pytest.raises(InputError) as error:
        hacker.act("me", "run-program", "foe", situation=HACK, pay={"move": 1})
    assert [(one.path, one.code) for one in error.value.problems] == [("pay", "unknown-payment")]
    assert "1 Hacking Main Action or 1 Main Action does" in str(error.value)


def test_a_pilot_moves_the_drone_with_its_own_move(table: Table) -> None:
    join_cwn(table, "me", augmentations=["remote-control-unit"])
    join_cwn(table, "foe", "others")
    table.join("pitbull", id="drone", side="players", weapons=["heavy-pistol"], asks=False)
    begin(table)
    table.do("set", combatant="me", add=["controlling"], towards=["drone"])
    assert table.act("me", "move-drone").data["payment"] == {"drone-move": 1}
    assert left(table)["move"] == left(table)["main"] == 1
    assert table.act("me", "run").data["payment"] == {"move": 1}


def test_reflexes_as_an_instant_are_spent_in_the_foes_turn(table: Table) -> None:
    """Enhanced Reflexes II: the Move and one Main Action, once each, while the foe's attack waits for its dice."""
    join_cwn(table, "me", augmentations=["enhanced-reflexes-2"])
    join_cwn(table, "foe", "others")
    begin(table, "others")
    for who in ("me", "foe"):
        hold(table, "heavy-pistol", who, rounds=8)
    table.do("set", combatant="foe", dice="hand")
    table.act("foe", "ranged-attack", "me", situation={"distance": 20})
    assert not offered(table, "swift-move")["allowed"]
    table.act("me", "enhanced-reflexes-instant")
    assert table.one("me").sheet["system_strain"] == 1
    assert table.act("me", "swift-move").data["payment"] == {"swift-move": 1}
    assert not offered(table, "swift-move")["allowed"]
    assert not offered(table, "charge")["allowed"]  # its Move is not one that came out of turn
    shot = table.act("me", "ranged-attack", "foe", situation={"distance": 20})
    assert shot.data["payment"] == {"main": 1}
    settle(table)
    assert left(table)["main"] == 1  # for the own Turn
    (reason,) = table.refused("act", combatant="me", action="ranged-attack", target="foe")
    assert reason[0] == "too-dear"


def test_free_actions_burn_no_simple_unasked(tmp_path: Path) -> None:
    table = core_table_of(tmp_path)
    join_sr5(table, "ann", weapons=["ak-97"])
    join_sr5(table, "bob", weapons=["sword"])
    table.begin(ann={"score": 22}, bob={"score": 13})
    assert "run" in usual_of(table, "ann")
    assert table.act("ann", "speak").data["payment"] == {"free": 1}
    assert "run" not in usual_of(table, "ann")  # taken as offered, it would be refused
    (reason,) = table.refused("act", combatant="ann", action="speak")
    assert reason == (
        "choose-payment",
        "needs 1 Free Action, which is spent; 1 Simple Action can pay for it instead, if you choose it (pay)",
    )
    offer = offered(table, "speak", "ann")
    assert (offer["allowed"], offer["choose_payment"], offer["payment"]) == (True, True, {"simple": 1})
    assert table.act("ann", "speak", pay=offer["payment"]).data["payment"] == {"simple": 1}
    assert left(table, "ann")["simple"] == 1
    table.close()
