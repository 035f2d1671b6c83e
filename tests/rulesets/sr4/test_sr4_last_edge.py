"""Edge at death's door, and exploded dice in the glitch rule."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_fight import OPTIONS
from sr4_table import effects, explain, measures, odds, resolve, seed, total

from fracas.encounters import effects as applied
from fracas.encounters.state import Combatant, State
from fracas.errors import InputError
from fracas.rulesets.sr4.fights.turns import CombatTurn
from fracas.rulesets.sr4.sheet import Monitors


def trigger(**tester: Any) -> dict[str, Any]:
    return {"situation": {"tester": {"edge_points": 1, **tester}}, "procedure": "dead-mans-trigger"}


def escape(boxes: int | None = None, **tester: Any) -> dict[str, Any]:
    person = {"body": 4, "willpower": 3, "edge": 2, "physical": 12, **tester}
    left = {} if boxes is None else {"boxes": boxes}
    return {"situation": {"tester": person, **left}, "procedure": "escape-death"}


def codes(request: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        resolve(**request)
    return [(problem.path, problem.code) for problem in caught.value.problems]


# Dead Man's Trigger.


@pytest.mark.parametrize(("pool", "chance"), [(0, 0), (2, 0), (3, 1 / 27), (4, 9 / 81)])
def test_three_hits_make_a_last_action(pool: int, chance: float) -> None:
    """Of 4 dice: 4 hits 1/81, 3 hits 4 * 2/81."""
    assert measures(odds(**trigger(pool=pool)))["success"] == pytest.approx(chance, abs=1e-12)


@given(
    body=st.integers(1, 8), willpower=st.integers(1, 6), physical=st.integers(0, 20), stun=st.integers(0, 12)
)
def test_its_pool_is_body_and_willpower_less_wounds(
    body: int, willpower: int, physical: int, stun: int
) -> None:
    answer = explain(**trigger(body=body, willpower=willpower, physical=physical, stun=stun))
    assert total(answer, "last-action.pool") == max(0, body + willpower - physical // 3 - stun // 3)


def test_it_costs_a_point_whatever_the_dice_say() -> None:
    for number in range(8):
        (spent,) = effects(resolve(**trigger(pool=5), dice=seed(number)), "spend")
        assert (spent["what"], spent["amount"]) == ("edge", 1)


def test_nobody_without_a_point_pulls_it() -> None:
    assert codes(trigger(pool=5, edge_points=0)) == [("situation.tester.edge_points", "no-edge")]
    assert codes({"situation": {"tester": {"pool": 5}}, "procedure": "dead-mans-trigger"}) == [
        ("situation.tester.edge_points", "missing-field")
    ]


def test_it_needs_its_attributes() -> None:
    assert codes(trigger(body=4)) == [("situation.tester.willpower", "missing-field")]


# Escaping death.


def test_who_is_not_dying_has_nothing_to_escape() -> None:
    assert codes(escape(physical=9)) == [("situation.tester.physical", "not-dying")]
    assert codes(escape(edge=0)) == [("situation.tester.edge", "no-edge")]


@pytest.mark.parametrize("name", ["body", "willpower", "physical"])
def test_it_needs_the_monitor(name: str) -> None:
    request = escape()
    del request["situation"]["tester"][name]
    assert codes(request) == [(f"situation.tester.{name}", "missing-field")]


@given(
    body=st.integers(1, 10),
    beyond=st.integers(0, 30),
    boxes=st.one_of(st.none(), st.integers(0, 30)),
    extra=st.integers(0, 2),
)
def test_who_escapes_death_lives(body: int, beyond: int, boxes: int | None, extra: int) -> None:
    full = 8 + (body + 1) // 2 + extra
    answer = resolve(**escape(boxes, body=body, physical=full + beyond, extra_boxes=extra))
    left = answer["outcome"]["physical_after"]
    assert left == min(full if boxes is None else boxes, full + beyond)
    marked = sum(effect["amount"] for effect in effects(answer, "mark", "physical"))
    assert full + beyond + marked == left
    (burned,) = effects(answer, "spend")
    assert (burned["what"], burned["amount"]) == ("edge-attribute", 1)
    assert bool(effects(answer, "add-condition", "stabilized")) is (left >= full)
    if boxes is None:
        monitors = Monitors.of(
            {"t.physical": left, "t.stun": 0, "t.body": body, "t.willpower": 3, "t.extra_boxes": extra},
            "t",
            OPTIONS,
        )
        assert monitors is not None
        assert not monitors.after(0, "physical").dead


@pytest.mark.parametrize(
    ("edge", "points", "group", "left"),
    [(4, 4, "", 2), (4, 3, "", 2), (4, 1, "", 1), (2, 2, "", 0), (4, 4, "gangers", 4)],
)
def test_burning_lowers_the_attribute_and_no_more_points_are_left_than_it_has(
    edge: int, points: int, group: str, left: int
) -> None:
    """The effects of both ways to burn, as encounters apply them. The points of a crowd are no attribute's."""
    sheet = {"body": 4, "willpower": 3, "edge": edge, "edge_points": points, "physical": 15}
    if group:
        sheet["edge_group"] = group
    one = Combatant("tester", "Rook", "", True, False, False, "service", sheet)
    state = State("sr4", "Alley", {}, {}, {}, combatants={"tester": one})
    for request in (escape(**sheet), burn_a_test(**sheet)):
        told = [effect for effect in resolve(**request)["effects"] if effect["type"] in ("spend", "mark")]
        state = applied.apply(CombatTurn(), state, told)
    after = state.combatants["tester"].sheet
    assert (after["edge"], after["edge_points"], after["physical"]) == (edge - 2, left, 10)


def burn_a_test(**sheet: Any) -> dict[str, Any]:
    tester = {**sheet, "pool": 4, "burn_edge": True}
    return {"situation": {"tester": tester}, "procedure": "success-test"}


def test_the_effect_says_how_many_points_are_left_at_most() -> None:
    for edge in (1, 2, 5):
        (burned,) = effects(resolve(**escape(edge=edge, edge_points=edge)), "spend")
        assert (burned["limits"], burned["most"]) == ("edge", edge - 1)


# Exploded dice in the glitch rule.


def pushed(pool: int, edge: int, **options: bool) -> tuple[float, float]:
    tester = {"pool": pool, "edge": edge, "edge_points": 1}
    wish = [{"decision": "edge-before", "by": "tester", "choose": "push"}]
    found = odds({"tester": tester}, procedure="success-test", decisions=wish, options=options)
    (roll,) = found["glitches"]
    return roll["glitch"], roll["critical"]


def test_a_die_that_explodes_once_and_shows_a_one() -> None:
    """1 + 1 dice. A critical glitch needs no hit, so nothing explodes: as before."""
    plain, counted = pushed(1, 1), pushed(1, 1, glitch_counts_exploded=True)
    assert counted[1] == pytest.approx(plain[1], abs=1e-12)
    assert counted[0] != pytest.approx(plain[0], abs=1e-6)


def test_a_glitch_with_a_hit_counted_by_hand() -> None:
    """Two dice, a one and a hit; in the other rule the chain of sixes decides.

    Off: one die ends it as a one at once, the other brings a hit: 2 * 1/6 * 1/3 = 1/9.
    On, with each die sixes and then a last face: glitches are (1, 5): 2/36; (6 1, 1): 3 dice with 2 ones, 2/216;
    (6 1, 6 1) and (6 6 1, 1): 4 dice with 2 ones, 1/1296 and 2/1296. More sixes are too many dice.
    """
    assert pushed(1, 1)[0] == pytest.approx(1 / 9, abs=1e-12)
    by_hand = 2 / 36 + 2 / 216 + 3 / 1296
    assert pushed(1, 1, glitch_counts_exploded=True)[0] == pytest.approx(by_hand, abs=1e-12)


def test_rolls_without_edge_are_alike_under_both_rules() -> None:
    plain = odds({"tester": {"pool": 5}}, procedure="success-test")
    assert (
        odds({"tester": {"pool": 5}}, procedure="success-test", options={"glitch_counts_exploded": True})
        == plain
    )
