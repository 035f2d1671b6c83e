"""Movement: rates divided by passes, the sprint and what it costs in the long run."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_fight import RULES, changed, fight, fighter
from sr4_table import GAME, effects, odds, resolve, seed

from fracas.errors import InputError
from fracas.rulesets.sr4.movement import moving

RATES = {
    "human": (10, 25, 5),
    "ork": (10, 25, 5),
    "elf": (10, 25, 6),
    "dwarf": (8, 20, 4),
    "troll": (15, 35, 7),
}
"""Walk, run and swim in metres a Combat Turn: rulebook section 6."""


def moved(tester: dict[str, Any], mode: str, **more: Any) -> dict[str, Any]:
    answer = resolve({"tester": tester, "mode": mode, **more}, procedure="movement")
    outcome: dict[str, Any] = answer["outcome"]
    return outcome


@pytest.mark.parametrize(("metatype", "at"), list(product(RATES, range(3))))
def test_the_rates_of_every_metatype(metatype: str, at: int) -> None:
    mode = ("walk", "run", "swim")[at]
    for passes in (1, 2, 3, 4):
        outcome = moved({"metatype": metatype}, mode, passes=passes)
        assert outcome["metres_turn"] == RATES[metatype][at]
        assert outcome["metres_pass"] * passes == pytest.approx(RATES[metatype][at])


def test_who_stands_goes_nowhere() -> None:
    assert moved({}, "stationary", passes=2) == {"mode": "stationary", "metres_turn": 0, "metres_pass": 0}


def test_without_passes_only_the_turn_is_told() -> None:
    assert moved({"metatype": "elf"}, "run") == {"mode": "run", "metres_turn": 25}


def test_what_is_missing() -> None:
    with pytest.raises(InputError) as caught:
        moved({}, "run")
    assert [problem.path for problem in caught.value.problems] == ["situation.tester.metatype"]
    with pytest.raises(InputError) as caught:
        resolve({"tester": {"metatype": "human"}}, procedure="movement")
    assert [problem.path for problem in caught.value.problems] == ["situation.mode"]


@given(
    hits=st.integers(0, 4),
    body=st.integers(1, 6),
    before=st.integers(0, 12),
    again=st.booleans(),
    rate=st.integers(1, 60),
)
def test_a_sprint_by_its_numbers(hits: int, body: int, before: int, again: bool, rate: int) -> None:
    tester: dict[str, Any] = {"run": rate, "pool": 4, "body": body, "willpower": 3, "physical": 0, "stun": 0}
    tester |= {"sprint_turns": before, "sprinted": again}
    dice = [[5] * hits + [2] * (4 - hits)]
    answer = resolve({"tester": tester, "mode": "sprint"}, procedure="movement", dice=dice)
    assert answer["outcome"]["metres_turn"] == rate + 2 * hits
    tired = not again and before + 1 > body + hits
    assert answer["outcome"]["tired"] is tired
    assert [effect["amount"] for effect in effects(answer, "mark")] == ([1] if tired else [])
    sprinting = effects(answer, "add-condition", "sprinting")
    assert len(sprinting) == 1
    lately = effects(answer, "add-condition", "out-of-breath")
    assert len(lately) == (0 if again else 1)


def test_nobody_tires_whose_turns_nobody_counts() -> None:
    answer = resolve(
        {"tester": {"run": 25, "pool": 4, "body": 1}, "mode": "sprint"}, procedure="movement", dice=seed(4)
    )
    assert not answer["outcome"]["tired"]


def test_odds_of_a_sprint() -> None:
    answer = odds({"tester": {"run": 25, "pool": 6}, "mode": "sprint"}, procedure="movement")
    measures = {measure["id"]: measure["value"] for measure in answer["measures"]}
    assert measures["hits"] == pytest.approx(2)
    assert measures["metres"] == pytest.approx(29)


class TestInAFight:
    def test_modes(self) -> None:
        me = fighter("me", walk=10, run=25, swim=5)
        stands, walks = moving(me, 2), moving(me._replace(conditions=frozenset({"walking"})), 2)
        swims = moving(me._replace(conditions=frozenset({"swimming"})), 2)
        runs = moving(fighter("me", walk=10, run=25, running=True), 4)
        assert (stands.mode, stands.metres) == ("stationary", 0)
        assert (walks.mode, walks.metres, walks.turn) == ("walk", 5, 10)
        assert (swims.mode, swims.metres) == ("swim", 2.5)
        assert (runs.mode, runs.metres) == ("run", 6.25)

    def test_a_sprint_is_faster(self) -> None:
        me = fighter(
            "me", run=20, running=True, sprint_hits=3, conditions=frozenset({"sprinting", "running"})
        )
        assert moving(me, 1) == ("sprint", 26, 26)
        without = me._replace(conditions=frozenset({"running"}))
        assert moving(without, 1) == ("run", 20, 20)

    @pytest.mark.parametrize(
        "state", [{"prone": True}, {"conditions": frozenset({"held", "walking"})}, {"able": False}]
    )
    def test_who_lies_is_held_or_out_goes_nowhere(self, state: dict[str, Any]) -> None:
        assert moving(fighter("me", run=25, running=True, **state), 1).mode == "stationary"

    def test_unknown_rates(self) -> None:
        assert moving(fighter("me", running=True), 1) == ("run", None, None)

    def test_passes_are_the_most_that_anyone_acts_in(self) -> None:
        me, other = fighter("me", run=25, running=True), fighter("other", passes=3)
        assert RULES.movement(fight(me), "me") == ("run", 25, 25)
        table = fight(me, other)
        assert RULES.movement(table, "me") == ("run", 25 / 3, 25)
        bought = changed(table, "other", marks={"extra-pass-4": 1})
        assert RULES.movement(bought, "me") == ("run", 6.25, 25)
        # Who made it so many passes is out; those that have been played stay.
        late = changed(table, "other", able=False)._replace(part=2)
        assert RULES.movement(late, "me") == ("run", 12.5, 25)

    def test_metatypes_give_their_rates(self) -> None:
        assert RULES.inherited == {"metatype": ("walk", "run", "swim")}
        for metatype, rates in RATES.items():
            entry = GAME.packs.entry("metatype", metatype)
            assert entry is not None
            assert tuple(entry.data[name] for name in RULES.inherited["metatype"]) == rates
