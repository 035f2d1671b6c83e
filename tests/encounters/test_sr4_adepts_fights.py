"""Powers of adepts in fights: the list of powers is enough."""

from __future__ import annotations

from sr4_phases import pool_of
from table_play import Table

ADEPT = {
    "use": "mako",
    "powers": ["counterstrike", "penetrating-strike", "pain-resistance", "killing-hands"],
    "power_levels": {"counterstrike": 3, "pain-resistance": 2},
    "pain_resistance": 0,
    "reaction": 40,
}


def test_an_adept_joins_with_what_the_powers_bring(table: Table) -> None:
    table.join(ADEPT, id="mako", side="runners", asks=False)
    sheet = table.one("mako").sheet
    assert [sheet[name] for name in ("counterstrike", "unarmed_ap", "pain_resistance")] == [3, 1, 2]
    assert sheet["unarmed_magical"]


def defended(table: Table) -> None:
    """An adept with Counterstrike has defended against one of two guards."""
    table.join(ADEPT, id="mako", side="runners", asks=False)
    table.join("guard", id="guard", side="corp", asks=False)
    table.join("guard", id="other", side="corp", asks=False)
    table.begin(guard={"hits": 9}, mako={"hits": -30}, other={"hits": 0})
    table.act("guard", "melee-attack", "mako")


def test_who_has_defended_strikes_back_once_at_that_opponent(table: Table) -> None:
    """Forty dice of defense leave more net hits than the level counts."""
    defended(table)
    assert "counterstriking" in table.conditions("mako")
    while "mako" not in table.acting:
        table.do("next")
    step = table.act("mako", "melee-attack", "guard").data["step"]
    assert pool_of(step, "melee-attack.pool")["counterstrike"] == 3
    assert "counterstriking" not in table.conditions("mako")


def test_the_dice_are_for_that_opponent_alone(table: Table) -> None:
    defended(table)
    while "mako" not in table.acting:
        table.do("next")
    step = table.act("mako", "melee-attack", "other").data["step"]
    assert "counterstrike" not in pool_of(step, "melee-attack.pool")
