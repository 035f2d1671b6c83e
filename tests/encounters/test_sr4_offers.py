"""What a fight of Shadowrun 4 offers to somebody follows from what it knows: things carried, Magic, patients."""

from __future__ import annotations

from typing import Any

import pytest
from sr4_phases import AWAY, SOMEBODY, hold, join, offered, refused, settle
from table_play import Table

from fracas.errors import InputError

WITH_GUNS = (
    "fire-single-shot",
    "fire-semi-automatic",
    "fire-short-burst",
    "fire-long-burst",
    "fire-full-burst",
    "fire-two-weapons",
    "fire-spread",
    "split-full-burst",
    "suppressive-fire",
    "fire-launcher",
    "throw-weapon",
    "throw-grenade",
    "throw-fused-grenade",
    "set-charge",
    "shoot-barrier",
    "shoot-barrier-full",
    "quick-draw",
    "quick-draw-two",
    "take-aim",
    "change-gun-mode",
    "change-smartgun-mode",
    "eject-smartgun-clip",
    "reload-firearm",
    "reload-speed-loader",
    "ready-weapon",
)
WITH_MAGIC = (
    "cast-spell",
    "drop-sustained-spell",
    "project",
    "shift-perception",
    "summon",
    "banish",
    "call-spirit",
    "command-spirit",
    "activate-focus",
)
WITH_PATIENTS = ("stabilize", "stabilize-with-medicine", "first-aid")


def told(table: Table, action: str) -> tuple[bool, list[str]]:
    one = offered(table, action, "blade")
    return one["allowed"], [reason["message"] for reason in one["reasons"]]


@pytest.fixture
def swordsman(fight: Table) -> Table:
    """The turn of somebody with a katana and nothing else."""
    join(fight, "blade", weapons=["katana"])
    fight.do("roll-initiative", given={"blade": {"hits": 9}})
    fight.do("next")
    assert fight.acting == ["blade"]
    return fight


@pytest.mark.parametrize("action", [*WITH_GUNS, *WITH_MAGIC, *WITH_PATIENTS])
def test_what_takes_something_that_is_not_there_is_not_offered(action: str, swordsman: Table) -> None:
    allowed, reasons = told(swordsman, action)
    assert not allowed
    assert all(reason.startswith("needs ") for reason in reasons), reasons


def test_what_can_be_done_with_it_is(swordsman: Table) -> None:
    for action in ("melee-attack", "full-parry", "full-dodge", "stow-weapon", "run"):
        assert told(swordsman, action) == (True, []), action


def test_a_patient_or_magic_makes_it_possible(swordsman: Table) -> None:
    swordsman.do("set", combatant="foe", fields={"physical": 3})
    assert told(swordsman, "first-aid")[0]
    swordsman.do("set", combatant="foe", add=["dying"])
    assert told(swordsman, "stabilize")[0]
    swordsman.do("set", combatant="blade", fields={"magic": 4})
    assert told(swordsman, "project")[0]


def test_a_spirit_is_ordered_to_fight_while_it_owes_services(fight: Table) -> None:
    """Whether it owes any is asked where nobody says it."""
    join(fight, "mage", magic=4, skills={"summoning": 4})
    fight.join("spirit-of-fire", id="fire")
    fight.do("roll-initiative", given={"mage": {"hits": 9}, "fire": {"hits": 0}})
    fight.do("next")
    assert fight.acting == ["mage"]
    for services, allowed in ((None, False), (0, False), (1, True)):
        fight.do("set", combatant="fire", fields={"services": services, "reaction": 4})
        one = offered(fight, "order-spirit", "mage")
        assert (one["allowed"], one["defaults"]) == (allowed, {"order": "fight"})
    assert one["target"] == "fire"
    act: dict[str, Any] = {
        "combatant": "mage",
        "action": "order-spirit",
        "target": "fire",
        "situation": {"order": "fight"},
    }
    fight.do("act", **act)
    settle(fight)
    assert fight.one("fire").sheet["services"] == 0
    act["situation"] = {"order": "aid-sorcery"}
    assert fight.refused("act", **act) == [("no_services", "The spirit owes no service any more")]
    fight.do("set", combatant="fire", fields={"services": None})
    with pytest.raises(InputError, match="the services that it still owes"):
        fight.do("act", **act)


def test_the_reason_names_what_the_gun_lacks(fight: Table) -> None:
    hold(fight, "ruger-super-warhawk")
    assert refused(fight, "fire-semi-automatic", "foe", situation={"distance": 4}) == [
        "needs a weapon that fires semi-automatically"
    ]


def test_nobody_is_refused_a_shot_because_nobody_said_what_they_carry(fight: Table) -> None:
    fight.join({**SOMEBODY, "name": "bare"}, id="bare", weapons=[])
    assert offered(fight, "fire-semi-automatic", "bare")["reasons"][0]["code"] != "needs"
    fight.do("set", combatant="me", items=dict.fromkeys(fight.one("me").items, AWAY))
    assert "needs a ready firearm" in refused(fight, "fire-semi-automatic", "foe", situation={"distance": 4})
