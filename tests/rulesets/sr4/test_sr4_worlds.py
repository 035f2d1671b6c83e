"""Initiative and passes by world: the rows of sections 4.4 and 4.5, and the laws of what boosts reflexes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_fight import OPTIONS, RULES, fight, fighter, order
from sr4_table import GAME, explain, total

from fracas.errors import InputError
from fracas.rulesets.sr4.fights.initiative_order import initiative, own_passes, score
from fracas.rulesets.sr4.planes import COLD_SIM, HOT_SIM, WORLDS, is_projecting, passes_of

SHEET = {"reaction": 4, "intuition": 5, "response": 3, "vehicle_response": 6, "passes": 2, "pilot": 5}

ROWS = {
    "physical": (9, 2),
    "astral": (10, 3),
    "matrix-ar": (9, 2),
    "matrix-cold": (8, 2),
    "matrix-hot": (9, 3),
    "technomancer": (11, 3),
    "jumped-in-cold": (8, 2),
    "jumped-in-hot": (9, 3),
    "machine": (8, 3),
    "ai": (8, 3),
    "agent": (8, 3),
}
"""Worked out by hand: Initiative and passes of this sheet in each world."""


def test_every_world_has_a_row() -> None:
    assert set(ROWS) == set(WORLDS)
    assert {world for world in WORLDS if is_projecting({"world": world})} == {"astral", *COLD_SIM, *HOT_SIM}


@pytest.mark.parametrize("world", WORLDS)
def test_rows(world: str) -> None:
    attribute, passes = ROWS[world]
    sheet: dict[str, Any] = {**SHEET, "world": world}
    assert (initiative(sheet, OPTIONS), passes_of(sheet, OPTIONS)) == (attribute, passes)
    assert initiative({**sheet, "physical": 3, "stun": 6}, OPTIONS) == attribute - 3
    assert total(explain({"tester": sheet}, procedure="initiative-test"), "initiative.pool") == attribute


@pytest.mark.parametrize(("world", "attribute"), [("jumped-in-cold", 11), ("jumped-in-hot", 12)])
def test_a_rigger_may_have_the_response_of_the_vehicle(world: str, attribute: int) -> None:
    sheet = {**SHEET, "world": world}
    assert initiative(sheet, {**OPTIONS, "rigged_response": "vehicle"}) == attribute
    alone = {name: value for name, value in sheet.items() if name != "response"}
    assert initiative(alone, OPTIONS) == attribute  # that of the commlink is not known


def test_the_table_of_the_packs_names_the_same_passes() -> None:
    table = GAME.packs.entry("table", "initiative-by-world")
    assert table
    rows = table.data["rows"]
    named = {"astral": "astral", "matrix-cold": "matrix-cold-sim", "matrix-hot": "matrix-hot-sim"}
    named |= {"technomancer": "technomancer", "ai": "sprite-or-ai"}
    for world, row in named.items():
        assert rows[row]["passes"] == WORLDS[world].passes


@pytest.mark.parametrize("world", ["matrix-cold", "matrix-hot", "ai"])
def test_what_a_world_needs_is_asked_for(world: str) -> None:
    with pytest.raises(InputError, match="response"):
        explain({"tester": {"intuition": 3, "world": world}}, procedure="initiative-test")
    answer = explain({"tester": {"world": world, "initiative": 7}}, procedure="initiative-test")
    assert total(answer, "initiative.pool") == 7  # a spirit or sprite with a value of its own


def test_armor_does_not_encumber_a_mind() -> None:
    said = {"tester": {"use": "guard", "armor": ["full-body-armor"], "response": 4}}
    body = total(explain(said, procedure="initiative-test"), "initiative.pool")
    said["tester"]["world"] = "matrix-cold"
    assert body < 6
    assert total(explain(said, procedure="initiative-test"), "initiative.pool") == 7
    one = fighter("one", reaction=3, intuition=3, rolled={"hits": 2, "passes": 1, "encumbrance": -1})
    assert score(one) == 7
    assert score(one._replace(sheet={**one.sheet, "world": "astral"})) == 8


@given(passes=st.integers(1, 4), boost=st.integers(0, 3))
def test_boosts_are_not_cumulative(passes: int, boost: int) -> None:
    """A spell and an implant together are as good as the better of the two, in passes and in Initiative."""
    bare = {"reaction": 4 - (passes - 1) + 3, "intuition": 4}  # without the implant's share of Reaction
    implant: dict[str, Any] = {**bare, "reaction": bare["reaction"] + passes - 1, "passes": passes}
    both = {**implant, "reflex_boost": boost}
    spell = {**bare, "passes": 1, "reflex_boost": boost}
    assert passes_of(both, OPTIONS) == max(passes_of(implant, OPTIONS), passes_of(spell, OPTIONS))
    assert initiative(both, OPTIONS) == max(initiative(implant, OPTIONS), initiative(spell, OPTIONS))


@given(
    world=st.sampled_from(sorted(WORLDS)),
    passes=st.integers(1, 4),
    boost=st.integers(0, 3),
    kept=st.integers(0, 4),
)
def test_who_has_returned_has_no_more_passes_than_the_body(
    world: str, passes: int, boost: int, kept: int
) -> None:
    sheet = {**SHEET, "world": world, "passes": passes, "reflex_boost": boost}
    one = fighter("one", rolled={"hits": 1, "passes": kept})._replace(sheet=sheet)
    back = one._replace(sheet={**sheet, "returned": True})
    body = own_passes(one._replace(sheet={**sheet, "world": "physical"}), OPTIONS)
    assert own_passes(back, OPTIONS) <= min(own_passes(one, OPTIONS), body)


def test_a_change_of_worlds_reorders_the_pass() -> None:
    slow, quick = fighter("slow", 11), fighter("quick", 12)
    assert order(fight(slow, quick)) == ["quick", "slow"]
    away = slow._replace(sheet={**slow.sheet, "intuition": 5, "world": "astral"})
    assert order(fight(away, quick)) == ["slow", "quick"]  # 10 and 5 hits
    assert RULES.rank(fight(away, quick), "slow") == "15"
