"""The games of the shipped packs, and requests for forecasts of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.forecast.asking import NewForecastSchema, state_of_new
from fracas.forecast.forecasting import Forecast
from fracas.packs.library import Library
from fracas.packs.shipped import shipped


@pytest.fixture(scope="session")
def games() -> Games:
    return Games(Library.read((shipped("datapacks"),), without=("examples",)))


@pytest.fixture(scope="session")
def forecast(games: Games) -> Callable[..., Forecast]:
    """A forecast of a fight that begins."""

    def made(**asked: Any) -> Forecast:
        given = load(NewForecastSchema(), asked)
        game, state = state_of_new(games, given)
        return Forecast(game, state, given)

    return made
