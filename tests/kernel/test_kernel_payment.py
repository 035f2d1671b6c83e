"""Which tokens pay: the most special first, and what is taken only where it is chosen."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fracas.errors import InputError
from fracas.kernel.economy import Payment, Tokens, afford, economy_of, special_first

CWN = economy_of(
    {
        "span": "round",
        "budget": {"main": 1, "move": 1},
        "bonus": {"hacking-main": 1, "drone-main": 1, "drone-move": 1, "swift-move": 1},
        "types": {"main": [{"main": 1}], "move": [{"main": 1}, {"move": 1}, {"swift-move": 1}]},
    }
)
BONUS = {
    "span": "phase",
    "budget": {"simple": 2, "free": 1},
    "bonus": {"bonus": 4, "initiative": 20},
    "types": {
        "free": [{"free": 1}, {"simple": 1}],
        "simple": [{"simple": 1}, {"bonus": 1}],
        "complex": [{"simple": 2}, {"bonus": 1, "simple": 1}, {"bonus": 2}],
        "pure": [{"simple": 1}],
        "interrupt": [{"initiative": 5}],
        "declared": [{"free": 1}, {"initiative": 5}],
    },
}


@pytest.mark.parametrize(
    ("price", "order"),
    [
        ([{"main": 1}, {"hacking-main": 1}], [{"hacking-main": 1}, {"main": 1}]),
        (
            [{"move": 1}, {"main": 1}, {"drone-move": 1}, {"drone-main": 1}],
            [{"drone-move": 1}, {"drone-main": 1}, {"move": 1}, {"main": 1}],
        ),
        (CWN.types["move"], [{"move": 1}, {"swift-move": 1}, {"main": 1}]),
        ([{}, {"main": 1}], [{}, {"main": 1}]),
    ],
)
def test_what_pays_for_less_is_spent_first(price: Sequence[Tokens], order: Sequence[Tokens]) -> None:
    assert list(special_first(price, CWN.types)) == order


def test_several_tokens_and_points_that_only_look_special() -> None:
    types = economy_of(BONUS).types
    assert types["simple"][0] == {"bonus": 1}
    assert types["complex"] == ({"bonus": 2}, {"simple": 2}, {"bonus": 1, "simple": 1})
    assert types["free"][0] == {"free": 1}
    assert types["declared"][0] == {"free": 1}  # neither pays for all that the other does


def test_the_ordinary_action_is_left_when_a_special_one_fits() -> None:
    left: Tokens = {"main": 1, "move": 1, "hacking-main": 1}
    paid = afford(left, special_first([{"main": 1}, {"hacking-main": 1}], CWN.types))
    assert isinstance(paid, Payment)
    assert paid.left == left | {"hacking-main": 0}


def test_types_paid_otherwise_by_choice_are_types() -> None:
    assert economy_of({**BONUS, "asked": ["free"]}).asked == {"free"}
    with pytest.raises(InputError) as error:
        economy_of({**BONUS, "asked": ["fre"]})
    assert [(one.path, one.code) for one in error.value.problems] == [("asked[0]", "unknown-type")]
