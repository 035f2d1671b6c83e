"""The action economy: budgets of tokens, prices with alternatives, and why an action cannot be paid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.errors import InputError
from fracas.kernel.economy import Economy, Payment, Shortage, Tokens, afford, economy_of, together

SR4 = {
    "span": "phase",
    "budget": {"simple": 2, "free": 1},
    "types": {"simple": [{"simple": 1}], "complex": [{"simple": 2}], "free": [{"free": 1}, {"simple": 1}]},
}
CWN = {
    "span": "round",
    "budget": {"main": 1, "move": 1},
    "types": {"main": [{"main": 1}], "move": [{"move": 1}, {"main": 1}], "instant": [{}]},
}
SR5 = {
    "span": "phase",
    "budget": {"any": 2, "free": 1},
    "bonus": {"bonus-physical": 4, "free": 1},
    "types": {"simple-physical": [{"bonus-physical": 1}, {"any": 1}], "simple": [{"any": 1}]},
}

NAMES = ("simple", "free", "main")
BUDGETS = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 4))
PRICES = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 4), max_size=3)
ALTERNATIVES = st.lists(PRICES, min_size=1, max_size=4)


def covers(budget: Tokens, price: Tokens) -> bool:
    return all(budget.get(name, 0) >= count for name, count in price.items())


def spend(economy: Economy, *types: str) -> list[str]:
    """What becomes of these actions one after the other: ``paid`` or the reason why not."""
    budget: Tokens = economy.budget
    told = []
    for type in types:
        found = afford(budget, economy.types[type])
        if isinstance(found, Payment):
            budget = found.left
        told.append("paid" if isinstance(found, Payment) else found.reason())
    return told


@pytest.mark.parametrize(
    ("raw", "types", "told"),
    [
        (SR4, ["simple", "simple", "simple"], ["paid", "paid", "needs 1 simple, 0 left"]),
        (SR4, ["simple", "complex"], ["paid", "needs 2 simple, 1 left"]),
        (SR4, ["complex", "free", "free"], ["paid", "paid", "needs 1 free, 0 left, or 1 simple, 0 left"]),
        (SR4, ["free", "free", "simple", "simple"], ["paid", "paid", "paid", "needs 1 simple, 0 left"]),
        (CWN, ["main", "main"], ["paid", "needs 1 main, 0 left"]),
        (CWN, ["move", "move", "main"], ["paid", "paid", "needs 1 main, 0 left"]),
        (CWN, ["main", "move", "instant", "instant"], ["paid"] * 4),
        (SR5, ["simple-physical", "simple-physical", "simple"], ["paid", "paid", "needs 1 any, 0 left"]),
    ],
)
def test_actions_of_the_rulesets(raw: Mapping[str, Any], types: Sequence[str], told: list[str]) -> None:
    assert spend(economy_of(raw), *types) == told


@given(BUDGETS, ALTERNATIVES)
def test_the_first_alternative_that_is_covered_pays(budget: Tokens, alternatives: list[Tokens]) -> None:
    found = afford(budget, alternatives)
    covered = [at for at, price in enumerate(alternatives) if covers(budget, price)]
    assert isinstance(found, Payment) is bool(covered)
    if isinstance(found, Payment):
        assert found.alternative == covered[0]
        assert found.spent == alternatives[covered[0]]


@given(BUDGETS, ALTERNATIVES)
def test_what_is_spent_and_what_is_left_make_the_budget(budget: Tokens, alternatives: list[Tokens]) -> None:
    found = afford(budget, alternatives)
    if isinstance(found, Payment):
        assert {name: found.left.get(name, 0) + found.spent.get(name, 0) for name in NAMES} == {
            name: budget.get(name, 0) for name in NAMES
        }
        assert all(count >= 0 for count in found.left.values())


@given(BUDGETS, ALTERNATIVES)
def test_a_shortage_names_a_token_that_is_short(budget: Tokens, alternatives: list[Tokens]) -> None:
    found = afford(budget, alternatives)
    if isinstance(found, Shortage):
        assert found.had == budget.get(found.token, 0) < found.needed == alternatives[0][found.token]
        assert found.reason().startswith(f"needs {found.needed} {found.token}, {found.had} left")
        for needed, token, had in re.findall(r"(\d+) (\w+), (\d+) left", found.reason()):
            assert int(had) == budget.get(token, 0) < int(needed)
            assert any(price.get(token) == int(needed) for price in alternatives)


@given(BUDGETS, BUDGETS, ALTERNATIVES)
def test_more_tokens_never_make_an_action_impossible(
    budget: Tokens, more: Tokens, alternatives: list[Tokens]
) -> None:
    richer = {name: budget.get(name, 0) + more.get(name, 0) for name in NAMES}
    if isinstance(afford(budget, alternatives), Payment):
        assert isinstance(afford(richer, alternatives), Payment)


@given(BUDGETS, ALTERNATIVES)
def test_paying_changes_no_argument(budget: dict[str, int], alternatives: list[dict[str, int]]) -> None:
    before = (dict(budget), [dict(price) for price in alternatives])
    afford(budget, alternatives)
    assert (budget, alternatives) == before


def test_what_costs_nothing_is_paid_from_nothing() -> None:
    assert afford({}, [{}]) == Payment(0, {}, {})


def test_a_shortage_is_told_once() -> None:
    found = afford({"simple": 1}, [{"simple": 2}, {"simple": 2, "free": 1}])
    assert found == Shortage("simple", 1, 2, (("simple", 1, 2),))
    ways = Shortage("bonus", 2, 5, (("bonus", 2, 5), ("bonus", 2, 4), ("simple", 0, 5)))
    assert ways.reason() == "needs 5 bonus, 2 left, or 5 simple, 0 left"


def test_a_price_without_alternatives_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least one alternative"):
        afford({"main": 1}, [])


def test_an_economy_as_the_manifest_states_it() -> None:
    economy = economy_of(SR5)
    assert economy == Economy(
        "phase",
        {"any": 2, "free": 1},
        {"bonus-physical": 4, "free": 1},
        {"simple-physical": ({"bonus-physical": 1}, {"any": 1}), "simple": ({"any": 1},)},
    )
    assert economy.full() == {"any": 2, "free": 2, "bonus-physical": 4}
    assert economy_of(CWN).full() == CWN["budget"]


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({"span": "fase"}, [("span", "unknown-choice", "did you mean 'phase'?")]),
        ({"span": None}, [("span", "unknown-choice", "known: phase, round, turn")]),
        ({"budget": {}}, [("budget", "missing-field", None)]),
        ({"budget": ["simple"]}, [("budget", "wrong-type", None)]),
        ({"budget": {"simple": 0, "free": 1}}, [("budget.simple", "out-of-range", None)]),
        ({"budget": {"simple": True, "free": 1}}, [("budget.simple", "out-of-range", None)]),
        ({"budget": {"simple": 21, "free": 1}}, [("budget.simple", "out-of-range", None)]),
        ({"bonus": {"haste": "1"}}, [("bonus.haste", "out-of-range", None)]),
        ({"types": {}}, [("types", "wrong-type", None)]),
        ({"types": {"simple": []}}, [("types.simple", "wrong-type", None)]),
        ({"types": {"simple": {"simple": 1}}}, [("types.simple", "wrong-type", None)]),
        ({"types": {"simple": [3]}}, [("types.simple[0]", "wrong-type", None)]),
        (
            {"types": {"simple": [{"simple": 1}, {"simpel": 1}]}},
            [("types.simple[1].simpel", "unknown-token", "did you mean 'simple'?")],
        ),
        ({"returns": ["free"]}, [("returns", "wrong-type", None)]),
        (
            {"returns": {"fre": "turn", "free": "own-slott"}},
            [
                ("returns.fre", "unknown-token", "did you mean 'free'?"),
                ("returns.free", "unknown-choice", "did you mean 'own-slot'?"),
            ],
        ),
        (
            {"span": "x", "types": {"simple": [{"simple": 0}]}},
            [
                ("span", "unknown-choice", "known: phase, round, turn"),
                ("types.simple[0].simple", "out-of-range", None),
            ],
        ),
    ],
)
def test_a_faulty_economy(change: dict[str, Any], faults: list[tuple[str, str, str | None]]) -> None:
    with pytest.raises(InputError) as caught:
        economy_of({**SR4, **change})
    found = [(problem.path, problem.code, problem.hint) for problem in caught.value.problems]
    if "budget" in change:  # tokens that the budget lost are missed by the prices too
        found = [fault for fault in found if fault[1] != "unknown-token"]
    assert found == faults


@given(BUDGETS, ALTERNATIVES, ALTERNATIVES)
def test_two_prices_together_are_paid_by_some_alternative_of_each(
    budget: Tokens, one: Sequence[Tokens], other: Sequence[Tokens]
) -> None:
    def both(first: Tokens, second: Tokens) -> bool:
        return all(budget.get(name, 0) >= first.get(name, 0) + second.get(name, 0) for name in NAMES)

    paid = isinstance(afford(budget, together(one, other)), Payment)
    assert paid is any(both(first, second) for first in one for second in other)


def test_two_prices_together_are_told_once() -> None:
    """Bonus tokens first, as each price has them."""
    complex_ = [{"bonus": 2}, {"bonus": 1, "simple": 1}, {"simple": 2}]
    found = together(complex_, [{"bonus": 1}, {"simple": 1}])
    assert found == (
        {"bonus": 3},
        {"bonus": 2, "simple": 1},
        {"bonus": 1, "simple": 2},
        {"simple": 3},
    )
