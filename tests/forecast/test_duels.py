"""Duels are solved exactly, and forecasts agree with that within their bounds."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import pytest

from fracas.errors import InputError
from fracas.forecast.duels import Duel
from fracas.forecast.forecasting import Forecast

Made = Callable[..., Forecast]
FIGHTS, SURE = 300, 3.3
"""Bounds that hold in 999 of 1000 cases; the fights are the same in each run."""


@pytest.mark.parametrize("pair", [("street-thug", "gang-member"), ("wren", "street-thug")])
def test_a_forecast_agrees_with_the_exact_chances(forecast: Made, pair: tuple[str, str]) -> None:
    two = [{"combatant": one, "side": side} for one, side in zip(pair, ("one", "two"), strict=True)]
    duel = forecast(ruleset="cwn", situation={"distance": 8}, combatants=two)
    exact = Duel(duel.variants[0].model).solve()
    assert sum(exact.wins) + exact.drawn + exact.undecided + exact.lost == pytest.approx(1)
    assert sum(exact.turns.values()) + exact.lost == pytest.approx(1)
    assert exact.lost < 0.001
    (tally,) = duel.play(0, FIGHTS)
    for side, chance in enumerate(exact.wins):
        played = sum(winner == side for winner in tally.counts.winners) / FIGHTS
        width = SURE * sqrt(chance * (1 - chance) / FIGHTS) + exact.lost
        assert abs(played - chance) < width
    turns = sum(turn * chance for turn, chance in exact.turns.items())
    spread = sum((turn - turns) ** 2 * chance for turn, chance in exact.turns.items())
    mean = sum(turn * count for turn, count in tally.counts.turns.items()) / FIGHTS
    assert abs(mean - turns) < SURE * sqrt(spread / FIGHTS) + 0.01


def test_a_duel_is_fought_by_two(forecast: Made) -> None:
    fight = forecast(ruleset="cwn", skirmish="alley")
    with pytest.raises(InputError, match="two"):
        Duel(fight.variants[0].model)
