"""Turns of sr5 at random: a calculator of its own gives the same people their phases in the same order."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from second_opinion_sr5_turn import Fighter, phases
from sr5_table import GAMES

from fracas.kernel.intents import Participant, Table
from fracas.rulesets.sr5.fights.turns import CombatTurn

RULES = CombatTurn()
FIGHTERS = st.lists(
    st.builds(
        Fighter,
        st.uuids().map(str),
        st.integers(-4, 34) | st.sampled_from([9, 10, 11, 20]),
        *[st.integers(1, 3)] * 3,
        st.integers(-3, 0),
    ),
    min_size=1,
    max_size=6,
)


def told(fighters: list[Fighter], layer: str) -> list[list[str]]:
    """Who acts in each pass, as the ruleset says."""
    options = GAMES[layer].options({})
    people = {
        one.name: Participant(
            one.name,
            one.name,
            "all",
            True,
            {"physical": -3 * one.hurt, "stun": 0, **one._asdict()},
            rolled={"score": one.score, "wounds": 0},
            options=options,
        )
        for one in fighters
    }
    first = Table(1, 1, people, (), options)
    tables = [first._replace(part=part) for part in range(1, RULES.parts(first) + 1)]
    return [[name for slot in RULES.order(table) for name in slot.actors] for table in tables]


@pytest.mark.parametrize("layer", ["core", "house"])
@given(fighters=FIGHTERS)
def test_phases_at_random(layer: str, fighters: list[Fighter]) -> None:
    house = layer == "house"
    ties = {(one.score + (0 if house else one.hurt), *one[2:5]) for one in fighters}
    assume(len(ties) == len(fighters))  # a coin decides between equals
    assert told(fighters, layer) == phases(fighters, frozen=house, passes=not house)
