"""The end of an own round with injuries: bleeding under each of its modes, death, the test to stay conscious."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imperium_play import counted, first_stage, layered, measures, outcome, patched, play, survives_json

MODES: dict[str, tuple[int, int]] = {"d3": (1, 3), "flat1": (1, 1), "flat2": (2, 2)}


def victim(**sheet: Any) -> dict[str, Any]:
    return {"victim": {"toughness": 50, "suffering": True, **sheet}}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("total", [10, 22, 30, 46, 60])
def test_odds_are_what_counting_gives(mode: str, total: int) -> None:
    said = victim(injury_total=total, bleeding={"left-leg": 2, "head": 1})
    options = {"bleeding_mode": mode}
    found = measures("bleeding", said, options=options)
    assert found == pytest.approx(counted("bleeding", said, options=options), abs=1e-12)
    least, most = MODES[mode]
    assert found["bleeding-points"] == pytest.approx(3 * (least + most) / 2)
    survives_json(first_stage("bleeding", said, options=options))


def test_chance_to_fall_unconscious() -> None:
    """24 + D3 is above 25 for two faces of three; the test fails with T 40 for 60 of 100."""
    said = {"victim": {"toughness": 49, "injury_total": 24, "bleeding": {"body": 1}}}
    assert measures("bleeding", said)["down"] == pytest.approx(2 / 3 * 51 / 100)


@given(
    st.integers(0, 60),
    st.dictionaries(st.sampled_from(("body", "head", "left-leg")), st.integers(0, 3)),
    st.booleans(),
    st.booleans(),
)
def test_somebody_suffers_as_long_as_there_is_something_to_see(
    total: int, bleeding: dict[str, int], conscious: bool, suffering: bool
) -> None:
    """Whoever lives and bleeds, or is awake above Consciousness, is looked at again; nobody else is."""
    sheet = {"injury_total": total, "bleeding": bleeding, "conscious": conscious, "suffering": suffering}
    count = sum(bleeding.values())
    after = total + count
    tests = [[1]] if 25 < after < 50 and conscious else []
    answer = play("bleeding", victim(**sheet), *tests, options={"bleeding_mode": "flat1"})
    told = [(one["type"], one["what"]) for one in answer["effects"]]
    alive = after < 50
    again = alive and (count > 0 or (conscious and after > 25))
    assert (("schedule", "suffer-injuries") in told) is again
    assert (("add-condition", "suffering") in told) is (again and not suffering)
    assert (("remove-condition", "suffering") in told) is (suffering and not again)
    assert (("add-condition", "dead") in told) is not alive
    assert answer["outcome"]["injury_total"] == after


def test_the_unconscious_bleed_on_without_a_test() -> None:
    found = outcome("bleeding", victim(injury_total=30, bleeding={"body": 1}, conscious=False), [3])
    assert (found["bleeding_points"], found["down"], found["conscious"]) == (3, "none", False)


def test_the_dead_bleed_no_more() -> None:
    found = outcome("bleeding", victim(injury_total=60, bleeding={"body": 1}, conscious=False, dead=True))
    assert (found["bleeding_points"], found["down"]) == (0, "none")


def test_consciousness_alone() -> None:
    said = victim(injury_total=25)
    assert outcome("consciousness", said)["conscious"]  # not above 25: no test
    assert outcome("consciousness", victim(injury_total=26), [51])["down"] == "unconscious"
    assert outcome("consciousness", victim(injury_total=50))["down"] == "dead"


def test_auto_follows_the_length_of_a_round() -> None:
    said = victim(bleeding={"body": 2})
    assert outcome("bleeding", said, [3, 3])["bleeding_points"] == 6
    assert outcome("bleeding", said, options={"one_action_rounds": True})["bleeding_points"] == 2
    leave = {"one_action_rounds": True, "bleeding_mode": "d3"}
    assert outcome("bleeding", said, [3, 1], options=leave)["bleeding_points"] == 4


def test_a_layer_changes_the_points() -> None:
    said = victim(bleeding={"body": 2})
    worse = patched("bleeding-modes", "d3", points="1d6+1")
    assert outcome("bleeding", said, [6, 2], game=worse)["bleeding_points"] == 10
    other = patched("bleeding-modes", "auto", normal="flat2")
    assert outcome("bleeding", said, game=other)["bleeding_points"] == 4
    later = patched("injury-values", "consciousness", toughness_divisor=1)
    assert "consciousness_roll" not in outcome("bleeding", victim(injury_total=40), game=later)


def test_a_layer_may_help_to_stay_conscious() -> None:
    fields = {"applies_to": ["victim.injury-test"], "when": [], "value": 30}
    game = layered("modifier", "aim", fields)
    assert outcome("consciousness", victim(injury_total=30), [80], game=game)["conscious"]
    assert not outcome("consciousness", victim(injury_total=30), [80])["conscious"]
