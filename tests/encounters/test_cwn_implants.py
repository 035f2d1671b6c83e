"""Implants in fights of Cities Without Number: what their data tell, and what happens when programs switch them off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import begin, hold, join
from sr4_phases import audited, settle
from table_play import Table

from fracas.encounters.offers import odds
from fracas.encounters.schemas import load_command

OTHERS_FIRST = "others"
FAR = 50
"""Metres: long range of a pistol."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, "cwn")
    yield table
    audited(table)
    table.close()


def opened(table: Table, implants: Sequence[str], first: str = "players", **fields: Any) -> None:
    """`me` hacks, `foe` has implants."""
    join(table, "me")
    join(table, "friend")
    join(table, "foe", "others", augmentations=list(implants), **{"dexterity": 10, **fields})
    begin(table, first)
    for id in ("me", "friend", "foe"):
        table.do("set", combatant=id, dice="hand")


def hack(table: Table, verb: str, implant: str) -> None:
    """`me` does it, whatever it takes."""
    table.act("me", "run-program", "foe", situation={"hack": {"verb": verb, "cyber": implant}})
    table.dice([6, 6], owner="me")


def numbers(table: Table, who: str, target: str, item: str = "heavy-pistol") -> dict[str, int]:
    """The numbers of an attack, as things stand; nothing comes of it."""
    action = "melee-attack" if item == "sword" else "ranged-attack"
    said = {} if item == "sword" else {"distance": FAR}
    body = {"command": "act", "combatant": who, "action": action, "target": target, "item": item}
    told = odds(table.encounters.context(table.fight, table.gm), load_command({**body, "situation": said}))
    return {one["to"]: int(one["total"]) for one in told["modifiers"]}


def ac_and_trauma(table: Table) -> tuple[int, int]:
    """Ranged Armor Class and Trauma Target of `foe`."""
    found = numbers(table, "friend", "foe")
    return found["target.ac"], found["trauma.target"]


def to(table: Table, who: str) -> None:
    """The next slot of somebody."""
    table.do("next")
    while who not in table.acting:
        table.do("next" if table.acting or table.state.phase == "due" else "begin-turn")


class TestDermalArmor:
    def test_armor_class_and_trauma_target_follow_from_the_implant(self, table: Table) -> None:
        opened(table, ["dermal-armor-1", "trauma-shielding"])
        assert ac_and_trauma(table) == (16, 8)

    def test_both_end_and_come_back(self, table: Table) -> None:
        opened(table, ["dermal-armor-2"])
        assert ac_and_trauma(table)[0] == 18
        hack(table, "glitch", "dermal-armor-2")
        assert table.one("foe").sheet["augmentations"] == ["dermal-armor-2"]
        assert ac_and_trauma(table) == (10, 6)
        for _ in range(2):  # Program-1: three rounds
            to(table, "me")
            assert ac_and_trauma(table) == (10, 6)
        to(table, "me")
        assert ac_and_trauma(table) == (18, 7)

    def test_another_implant_stays_as_it_is(self, table: Table) -> None:
        opened(table, ["dermal-armor-2", "gunlink"])
        hack(table, "deactivate", "gunlink")
        assert ac_and_trauma(table)[0] == 18

    def test_two_of_them_are_off_at_a_time(self, table: Table) -> None:
        opened(table, ["dermal-armor-1", "trauma-shielding"])
        table.do("set", combatant="me", fields={"edges": ["hacker"]})
        hack(table, "deactivate", "dermal-armor-1")
        hack(table, "deactivate", "trauma-shielding")
        assert table.conditions("foe") == ["deactivated", "deactivated"]
        assert ac_and_trauma(table)[1] == 6
        to(table, "foe")
        table.act("foe", "reboot")
        assert table.conditions("foe") == []

    def test_the_first_shock_of_a_round_is_stopped_no_more(self, table: Table) -> None:
        opened(table, ["dermal-armor-2"], melee_ac=10)
        hack(table, "deactivate", "dermal-armor-2")
        hold(table, "sword", "friend")
        table.act("friend", "melee-attack", "foe", item="sword", situation={"attack": {"kind": "melee"}})
        table.dice([1], owner="friend")
        assert table.one("foe").sheet["hp"] == 60 - 3  # 2 and the attribute


class TestOthers:
    def test_a_gunlink_no_longer_aims(self, table: Table) -> None:
        opened(table, ["gunlink"], OTHERS_FIRST, cyberware=["gunlink"])
        assert numbers(table, "foe", "me")["attack.bonus"] == 3 + 1
        to(table, "me")
        hack(table, "sabotage", "gunlink")
        table.dice([1], owner="foe")
        table.dice([1], owner="foe")
        assert sorted(table.conditions("foe")) == ["sabotage-tried", "sabotaged"]
        assert numbers(table, "foe", "me")["attack.bonus"] == 4 - 2  # long range
        assert table.one("foe").sheet["cyberware"] == ["gunlink"]

    def test_a_blade_of_the_body_does_not_come_out(self, table: Table) -> None:
        join(table, "me")
        join(table, "foe", "others", weapons=["body-blades-1", "unarmed"], augmentations=["body-blades-1"])
        begin(table)
        hack_ = {"hack": {"verb": "deactivate", "cyber": "body-blades-1"}}
        table.do("set", combatant="me", dice="hand")
        table.act("me", "run-program", "foe", situation=hack_)
        table.dice([6, 6], owner="me")
        to(table, "foe")
        wanted: dict[str, Any] = {"combatant": "foe", "action": "melee-attack", "target": "me"}
        reasons = table.refused("act", **wanted, item="body-blades-1")
        assert reasons == [("rules", "the implant is switched off")]
        table.act("foe", "melee-attack", "me", item="unarmed")
        settle(table)

    def test_what_enhanced_reflexes_gave_is_gone(self, table: Table) -> None:
        opened(table, ["enhanced-reflexes-2"], OTHERS_FIRST)
        table.act("foe", "enhanced-reflexes")
        assert table.shown("foe")["budget"]["main"] == 2
        table.do("next")
        hack(table, "deactivate", "enhanced-reflexes-2")
        to(table, "foe")
        reasons = table.refused("act", combatant="foe", action="enhanced-reflexes")
        assert ("needs", "needs Enhanced Reflexes") in reasons

    def test_an_iron_hand_does_not_catch_what_it_could(self, table: Table) -> None:
        opened(table, ["iron-hand-aegis"], iron_hand=True)
        table.do("set", combatant="foe", asks=True)
        hack(table, "deactivate", "iron-hand-aegis")
        table.act("friend", "ranged-attack", "foe", item="heavy-pistol", situation={"distance": 5})
        table.dice([20], owner="friend")
        assert table.question()["decision"] == "total-defense"
        table.answer("decline")
        assert "damage" in {part["label"] for part in table.question()["parts"]}
        settle(table)

    def test_an_implant_that_is_not_there_is_not_hacked(self, table: Table) -> None:
        opened(table, ["gunlink"])
        said = {"hack": {"verb": "glitch", "cyber": "dermal-armor-1"}}
        reasons = table.refused("act", combatant="me", action="run-program", target="foe", situation=said)
        assert [code for code, _ in reasons] == ["no_such_implant"]

    def test_frisk_shows_what_is_switched_off_too(self, table: Table) -> None:
        opened(table, ["gunlink", "cybereyes"])
        table.do("set", combatant="me", fields={"edges": ["hacker"]})
        hack(table, "deactivate", "gunlink")
        table.act("me", "run-program", "foe", situation={"hack": {"verb": "frisk"}})
        event = table.dice([6, 6], owner="me")
        assert event.data["steps"][0]["outcome"]["implants"] == "cybereyes, gunlink"

    def test_taking_it_back_brings_the_implant_back(self, table: Table) -> None:
        opened(table, ["dermal-armor-2"])
        before = ac_and_trauma(table)
        hack(table, "deactivate", "dermal-armor-2")
        after = ac_and_trauma(table)
        table.do("undo", steps=2)
        assert ac_and_trauma(table) == before
        assert after != before


class TestLostEyes:
    def test_who_has_lost_his_eyes_is_as_good_as_blinded(self, table: Table) -> None:
        opened(table, [], OTHERS_FIRST)
        assert ac_and_trauma(table)[0] == 10
        table.do("set", combatant="foe", add=["eyes-lost"])
        shot = {"item": "heavy-pistol", "situation": {"distance": 5}}
        reasons = table.refused("act", combatant="foe", action="ranged-attack", target="me", **shot)
        assert ("forbidden", "not while blind") in reasons
        hold(table, "sword", "foe")
        assert numbers(table, "foe", "me", "sword")["attack.bonus"] == 3 + 1 + 1 - 4
        assert table.shown("foe")["movement"]["metres"] == 5
        assert ac_and_trauma(table)[0] == 10 - 4
        table.do("set", combatant="foe", remove=["eyes-lost"])
        assert ac_and_trauma(table)[0] == 10

    def test_lost_eyes_are_what_a_major_injury_leaves(self, table: Table) -> None:
        opened(table, [], save=14, hp=1, traumatic_before=True)
        table.act("friend", "ranged-attack", "foe", item="heavy-pistol", situation={"distance": 5})
        for faces, who in ([20], "friend"), ([8], "friend"), ([1], "friend"), ([1], "foe"), ([4], "foe"):
            table.dice(faces, owner=who)
        assert {"eyes-lost", "mortally-wounded"} <= set(table.conditions("foe"))
        table.do("set", combatant="foe", remove=["mortally-wounded"], fields={"hp": 5})
        assert ac_and_trauma(table)[0] == 10 - 4
