"""Duels are solved exactly, and forecasts agree with that within their bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any

import pytest

from fracas.errors import InputError
from fracas.forecast.duels import LEAST, Duel
from fracas.forecast.forecasting import Forecast

Made = Callable[..., Forecast]
FIGHTS, SURE = 300, 3.3
"""Bounds that hold in 999 of 1000 cases; the fights are the same in each run."""


def two(one: str, other: str, **more: tuple[int, int]) -> list[dict[str, Any]]:
    """Two of the packs, of whom each has so much of each field: duels of people who are hurt already are short."""
    fields = [{name: values[at] for name, values in more.items()} for at in (0, 1)]
    return [
        {"combatant": {"use": use, **own}, "side": side}
        for use, own, side in zip((one, other), fields, ("one", "two"), strict=True)
    ]


DUELS: Mapping[str, tuple[str, list[dict[str, Any]]]] = {
    "sr4 a shot": ("sr4", two("guard", "street-ganger", physical=(8, 8))),
    "sr5 bursts": ("sr5", two("splice", "alley-ganger", physical=(8, 9))),
    "cwn unhurt with a dog": ("cwn", two("guard-dog", "street-thug")),
    "cwn a blade": ("cwn", two("juno", "dov", hp=(3, 5))),
    "imperium pistols": ("imperium", two("raw-juve", "raw-juve", injury_total=(43, 43))),
    "long sr4 unhurt": ("sr4", two("grizzly", "wolf")),
    "long sr4 a rat": ("sr4", two("street-ganger", "devil-rat", physical=(9, 8))),
    "long sr4 stunned": ("sr4", two("spark", "street-ganger", stun=(8, 0), physical=(0, 9))),
    "long sr4 a trait": ("sr4", two("shark", "crocodile", physical=(8, 9))),
    "long sr5 several passes": ("sr5", two("sable", "roof-sniper", physical=(9, 9))),
    "long sr5 unhurt": ("sr5", two("basilisk", "great-cat")),
    "long sr5 unhurt with a dog": ("sr5", two("great-cat", "dog")),
    "long sr5 carbines": ("sr5", two("gate-guard", "splice", physical=(9, 9))),
    "long cwn unhurt": ("cwn", two("street-thug", "street-thug")),
    "long cwn rifles": ("cwn", two("wren", "gang-gunman", hp=(4, 3))),
    "long cwn unhurt with a gang": ("cwn", two("gang-member", "street-thug")),
    "long imperium autoguns": ("imperium", two("hive-guard", "raw-juve", injury_total=(51, 43))),
    "long imperium swords": ("imperium", two("duellist", "chirurgeon", injury_total=(47, 49))),
    "long imperium chains": ("imperium", two("zealot", "pit-fighter", injury_total=(59, 67))),
    "long imperium a servitor": ("imperium", two("labour-servitor", "hive-guard", injury_total=(84, 51))),
}
"""Those that begin with "long" run in the nightly tier."""


@pytest.mark.parametrize("duel", DUELS)
def test_a_forecast_agrees_with_the_exact_chances(forecast: Made, duel: str) -> None:
    ruleset, combatants = DUELS[duel]
    made = forecast(ruleset=ruleset, situation={"distance": 8}, combatants=combatants)
    exact = Duel(made.variants[0].model, least=4e-7 if "unhurt" in duel else LEAST).solve()
    assert sum(exact.wins) + exact.drawn + exact.undecided + exact.lost == pytest.approx(1)
    ended = sum(exact.turns.values()) + exact.lost
    assert 1 - exact.undecided - 1e-9 <= ended <= 1 + 1e-9
    assert exact.lost < 0.003
    (tally,) = made.play(0, FIGHTS)
    for side, chance in enumerate(exact.wins):
        played = sum(winner == side for winner in tally.counts.winners) / FIGHTS
        width = SURE * sqrt(chance * (1 - chance) / FIGHTS) + exact.lost
        assert abs(played - chance) < width + 1e-9
    turns = sum(turn * chance for turn, chance in exact.turns.items())
    spread = sum((turn - turns) ** 2 * chance for turn, chance in exact.turns.items())
    mean = sum(turn * count for turn, count in tally.counts.turns.items()) / FIGHTS
    assert abs(mean - turns) < SURE * sqrt(spread / FIGHTS) + 0.05


def test_a_duel_is_fought_by_two(forecast: Made) -> None:
    fight = forecast(ruleset="cwn", skirmish="alley")
    with pytest.raises(InputError, match="two"):
        Duel(fight.variants[0].model)
