"""What the log of a fight of the Inquisitor universe says of powers and of what is used up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from imperium_rounds import begin, join
from table_play import OpenTable, Table

from fracas.encounters.log import log_markdown


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A psyker who has mastered three powers, and a foe."""
    table = Table(tmp_path, "imperium", options={"pinning": False})
    powers = ["force-shield", "fire-wall", "weaken"]
    join(
        table,
        "me",
        60,
        side="us",
        weapons=["autogun"],
        traits=["psyker"],
        willpower=150,
        powers=powers,
        dice="service",
    )
    join(table, "foe", 40, weapons=["sword"], side="others", dice="service")
    begin(table)
    yield table
    table.close()


def used(table: Table, power: str) -> str:
    table.act("me", "concentrate")
    table.act("me", "use-psychic-power", target="foe", situation={"power": power})
    return log_markdown(table.encounters, table.id, table.gm)


@pytest.mark.parametrize("power", ["Force shield", "Fire wall"])
def test_a_power_on_oneself_or_a_place_is_against_nobody(table: Table, power: str) -> None:
    text = used(table, power.lower().replace(" ", "-"))
    assert f"Use a psychic power: {power} (1 Action)" in text


def test_what_a_person_suffers_from_a_ram_is_for_the_gm(open_table: OpenTable) -> None:
    table = open_table("imperium")
    table.join("ganger-buggy", id="buggy", side="us", dice="hand")
    join(table, "foe", 40, side="others")
    begin(table, buggy=60)
    table.act("buggy", "ram", "foe", situation={"driving": {"speed": 12}})
    for faces in ([40], [3, 4, 6]):
        table.dice(faces)
    assert "what a person who is run down suffers is for the GM" in log_markdown(
        table.encounters, table.id, table.gm
    )


def test_the_present_turn_is_none_of_the_rounds_of_a_power_which_all_lines_call_so(table: Table) -> None:
    text = used(table, "weaken")
    assert "Use a psychic power: Weaken against foe (1 Action)" in text
    assert "for 4 rounds" in text
    assert "me is now holding weaken (foe) (for 4 Rounds after this one)" in text
    assert "foe is now weakened (me)\n" in text
    for _ in range(5):
        assert "weakened" in {one.slug for one in table.one("foe").conditions}
        while table.acting or table.state.phase == "due":
            table.do("next")
        begin(table)
    assert "weakened" not in {one.slug for one in table.one("foe").conditions}


def test_rounds_are_used(table: Table) -> None:
    shot = {"distance": 5, "visibility": [], "fire": {"mode": "single"}}
    table.act("me", "fire-weapon", item="autogun", target="foe", situation=shot)
    assert "Autogun: 1 round used" in log_markdown(table.encounters, table.id, table.gm)


def test_a_blow_is_dodged_as_a_blow(table: Table) -> None:
    """Shots, blows and flames are dodged by decisions of one id, and each has words of its own."""
    table.do(
        "set", combatant="me", fields={"weapon_skill": 99}, items={"knife": {"ready": True}}, dice="hand"
    )
    table.do("set", combatant="foe", asks=True)
    table.act("me", "attack", "foe", item="knife", situation={"target": {"aware": True}})
    table.dice([41])
    (step,) = table.view()["steps"]
    assert step["question"]["text"] == "Dodge the blow?"
    table.answer("stand")
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "foe is asked: Dodge the blow?" in text
    assert "foe: Dodge the blow? Stand the blow" in text
