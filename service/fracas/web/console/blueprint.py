"""All pages of the console under one address."""

from __future__ import annotations

from flask import Blueprint

from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.engine.balancing import Balances
from fracas.engine.game import Games
from fracas.forecast.parts import Parts
from fracas.web.callers import Callers
from fracas.web.console import (
    action_form,
    adding,
    asking,
    balance,
    by_hand,
    checks,
    connecting,
    ending,
    fights,
    forecasts,
    house_rules,
    logs,
    map,
    packs,
    pages,
    people,
    rows,
    start,
    timeline,
    weapons,
)
from fracas.web.quotas import Quotas
from fracas.web.settings import Settings


def blueprint(
    games: Games,
    encounters: Encounters,
    feed: Feed,
    settings: Settings,
    callers: Callers,
    quotas: Quotas,
    balances: Balances,
    parts: Parts,
) -> Blueprint:
    """The pages under ``/console``."""
    console = Blueprint("console", __name__, url_prefix="/console")
    pages.install(console)
    start.install(console, games, encounters, quotas)
    fights.install(console, encounters, feed)
    action_form.install(console, encounters, settings)
    by_hand.install(console, encounters)
    asking.install(console, encounters)
    ending.install(console, encounters)
    logs.install(console, encounters)
    timeline.install(console, encounters)
    map.install(console, encounters)
    house_rules.install(console, encounters)
    people.install(console, encounters, feed, settings, quotas)
    adding.install(console, encounters)
    rows.install(console, encounters)
    packs.install(console, games)
    forecasts.install(console, games, encounters, parts, settings)
    weapons.install(console, games, settings)
    balance.install(console, games, balances, settings)
    checks.install(console, games, settings)
    connecting.install(console, games, encounters, settings, callers, quotas)
    return console
