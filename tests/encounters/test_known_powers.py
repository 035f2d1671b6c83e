"""Spells, powers, programs and implants are those of the sheet: another is refused, and without a list none is likely.

What the fight would know if it were there, and does not, is unlikely: offers fold it away, and it can still be done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from table_play import Table

from fracas.encounters.offers import offers

Made = Callable[..., Table]
GIVEN: dict[str, Any] = {
    "sr4": {"me": {"hits": 9}, "foe": {"hits": 0}},
    "sr5": {"me": {"score": 30, "world": "none"}, "foe": {"score": 5, "world": "none"}},
    "cwn": {"me": {"side": 8}, "foe": {"side": 1}},
    "imperium": {"me": {"initiative": 90}, "foe": {"initiative": 10}},
}
FOES = {"sr4": "guard", "sr5": "gate-guard", "cwn": "gang-gunman", "imperium": "cult-fanatic"}
SIXTH_SENSE = {"magic": 5, "skills": {"spellcasting": 4}, "edge_points": 2}
PEOPLE: dict[str, dict[str, Any]] = {
    "sr4": {"name": "Bare", "body": 3, "willpower": 4, "logic": 4, "physical": 0, "stun": 0, **SIXTH_SENSE},
    "sr5": {"name": "Bare", "body": 3, "willpower": 4, "logic": 4, "awakened": "magician", **SIXTH_SENSE},
    "cwn": {"name": "Bare", "hp": 10},
    "imperium": {"name": "Bare", "toughness": 50, "initiative": 50},
}


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    tables: list[Table] = []

    def make(ruleset: str, me: Any, **fields: Any) -> Table:
        table = Table(tmp_path, ruleset, name=f"{len(tables)}.db")
        tables.append(table)
        table.join(me, id="me", side="us")
        if fields:
            table.do("set", combatant="me", fields=fields)
        table.join(FOES[ruleset], id="foe", side="them")
        table.do("begin-turn", given=GIVEN[ruleset])
        if "me" not in table.acting:
            table.do("next")
        return table

    yield make
    for table in tables:
        table.close()


def offered(table: Table, action: str) -> dict[str, Any]:
    [found] = offers(table.encounters.context(table.fight, table.gm), "me", action)["actions"]
    return found


def reasons(table: Table, action: str) -> list[str]:
    return [one["message"] for one in offered(table, action)["reasons"]]


CAST = {"sr4": "cast-spell", "sr5": "cast-combat-spell"}
MAGES = {"sr4": "vesper", "sr5": "cinder"}
NOT_THEIRS = {"sr4": "powerbolt", "sr5": "powerbolt"}
SPELL = "needs a spell that is on the sheet"


@pytest.mark.parametrize("ruleset", CAST)
class TestSpells:
    def cast(self, ruleset: str, spell: str) -> dict[str, Any]:
        said = {"spell": spell, "force": 3}
        return {"combatant": "me", "action": CAST[ruleset], "target": "foe", "situation": said, "ask": False}

    def test_those_of_the_sheet_are_offered(self, made: Made, ruleset: str) -> None:
        assert offered(made(ruleset, MAGES[ruleset]), CAST[ruleset])["allowed"]

    def test_another_is_refused_and_may_be_forced(self, made: Made, ruleset: str) -> None:
        table = made(ruleset, MAGES[ruleset])
        cast = self.cast(ruleset, NOT_THEIRS[ruleset])
        [(code, why)] = table.refused("act", **cast)
        assert (code, "does not know the spell Powerbolt" in why) == ("rules", True)
        event = table.do("act", **cast, force=True)
        assert event.data["forced"] == [why]

    @pytest.mark.parametrize("me", [None, {"powers": None}], ids=["bare", "without a list"])
    def test_without_a_list_none_is_likely_and_each_can_be_cast(
        self, made: Made, ruleset: str, me: dict[str, Any] | None
    ) -> None:
        table = made(ruleset, MAGES[ruleset], **me) if me else made(ruleset, PEOPLE[ruleset])
        offer = offered(table, CAST[ruleset])
        assert (offer["allowed"], offer["unlikely"]) == (False, True)
        assert f"{SPELL}, which is not known here" in reasons(table, CAST[ruleset])
        if me:
            table.do("act", **self.cast(ruleset, NOT_THEIRS[ruleset]))

    def test_a_list_without_spells_casts_none(self, made: Made, ruleset: str) -> None:
        table = made(ruleset, MAGES[ruleset], powers=["improved-reflexes"])
        assert reasons(table, CAST[ruleset]) == [SPELL]
        assert not offered(table, CAST[ruleset])["unlikely"]


def test_an_adept_is_no_magician(made: Made) -> None:
    table = made("sr4", "mako")
    for action in ("project", "shift-perception", "cast-spell", "summon"):
        offer = offered(table, action)
        assert (offer["allowed"], offer["unlikely"]) == (False, False), action


def test_a_hacker_runs_the_programs_on_the_deck(made: Made) -> None:
    said = {"distance": 20, "hack": {"verb": "glitch", "cyber": "gunlink"}}
    run = {"combatant": "me", "action": "run-program", "target": "foe", "situation": said}
    table = made("cwn", "juno", access=4, cpu_slots=3)  # a hacker has some, if nobody says which
    assert offered(table, "run-program")["missing"] == ["hack.verb"]
    table.do("act", **run)
    table = made("cwn", "juno", access=4, cpu_slots=3, programs=["blind", "stun"])
    assert table.refused("act", **run) == [("rules", "Juno, drone pilot has no program Glitch")]
    assert table.do("act", **run, force=True).data["forced"] == ["Juno, drone pilot has no program Glitch"]
    assert offered(table, "run-program")["defaults"] == {"hack": {"verb": "blind"}}
    [(_, why)] = table.refused("act", combatant="me", action="kill-avatar", target="foe")
    assert why == "Juno, drone pilot has no program Kill"
    table = made("cwn", "juno", access=4, cpu_slots=3, programs=[])
    assert "needs a program that is on the sheet" in reasons(table, "run-program")


NOBODY_SAID = [
    ("cwn", "run-program", "a program that is on the sheet"),
    ("cwn", "banshee-scream", "a Banshee Module"),
    ("cwn", "enhanced-reflexes", "Enhanced Reflexes"),
    ("cwn", "ghost-move", "the edge Ghost"),
    ("cwn", "reload-deadeye", "the focus Deadeye at level 2"),
    ("cwn", "fighting-withdrawal-on-turn", "the edge Ghost, or the focus Close Combatant at level 2"),
    ("imperium", "concentrate", "psychic powers"),
    ("sr5", "matrix-search", "augmented or virtual reality"),
    ("sr5", "insert-clip", "a weapon with a clip"),
    ("sr4", "quick-draw", "a pistol-sized weapon in its holster"),
    ("sr4", "drop-object", "something in the hand"),
]
"""What a sheet would show, or the items of a combatant."""


@pytest.mark.parametrize(("ruleset", "action", "lacks"), NOBODY_SAID)
def test_what_a_bare_sheet_does_not_show_is_unlikely(
    made: Made, ruleset: str, action: str, lacks: str
) -> None:
    table = made(ruleset, PEOPLE[ruleset])
    offer = offered(table, action)
    assert (offer["allowed"], offer["unlikely"]) == (False, True)
    assert f"needs {lacks}, which is not known here" in reasons(table, action)
