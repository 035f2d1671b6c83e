"""What a forecast draws of a step is what the odds reader says of it, for combatants who stand in all sorts of ways."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fracas.encounters import offers
from fracas.encounters.schemas import load_command
from fracas.forecast.forecasting import Forecast
from fracas.forecast.statuses import ACTOR, TARGET
from fracas.kernel.ruleset import DOWN

Made = Callable[..., Forecast]
SKIRMISHES = {"sr4": "loading-dock", "sr5": "front-gate", "cwn": "alley", "imperium": "underhive"}


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_the_chance_to_take_out_is_that_of_the_odds(forecast: Made, ruleset: str) -> None:
    one = forecast(ruleset=ruleset, skirmish=SKIRMISHES[ruleset])
    one.play(0, 2)  # in which people are hurt, and statuses of all sorts come about
    model = one.variants[0].model
    statuses, compared = model.statuses, 0
    for ways in model.attacks.values():
        for way in ways[:1]:
            hurt = sorted(
                (status for status in way.sorts if not statuses.out[status]), key=statuses.rest.__getitem__
            )
            actors = [(status, begun) for status, begun in way.begun.items() if begun is not None]
            for (actor, begun), target in zip(actors[-2:], hurt[:2], strict=False):
                state = statuses.pair(actor, target)
                context = statuses.context(state)._replace(trying=False)
                wanted = load_command(
                    {
                        "command": "act", "combatant": ACTOR, "action": way.way.action.slug, "target": TARGET,
                        "item": way.way.item or None, "situation": dict(way.way.situation),
                    }
                )  # fmt: skip
                answer = offers.odds(context, {**wanted, "attribution": False})
                measured = {each["id"]: each["value"] for each in answer["measures"]}
                drawn = sum(
                    chance
                    for end, chance in way.distribution(begun, target).items()
                    if statuses.out[way.target_then[target, end][0]]
                )
                if DOWN in measured:
                    assert drawn == pytest.approx(measured[DOWN], abs=1e-9), (
                        way.way.action.slug,
                        actor,
                        target,
                    )
                    compared += 1
    assert compared >= 4


@pytest.mark.parametrize("ruleset", ["sr4", "sr5"])
def test_what_is_known_of_a_shape_holds_for_all_its_harms(forecast: Made, ruleset: str) -> None:
    one = forecast(ruleset=ruleset, skirmish=SKIRMISHES[ruleset])
    one.play(0, 4)
    statuses = one.variants[0].model.statuses
    fields = one.variants[0].model.rules.harm_fields
    assert len(set(statuses.shape_of)) < len(statuses) / 2
    for moment in ("begin_turn", "begin_slot", "end_slot"):
        memo = getattr(statuses, moment)
        for status, then in [*memo.items()][-12:]:
            alone = type(statuses)(
                statuses.game, statuses.rules, statuses.alone(status)
            )  # which knows nothing yet
            alone.usual_roll = {0: statuses.combatant(status).rolled}
            combatant = statuses.combatant(status)
            (own, _) = alone.status(alone.kind(combatant), combatant)
            found = alone.combatant(getattr(alone, moment)[own])
            expected = statuses.combatant(then)
            assert found.conditions == expected.conditions
            assert {**dict.fromkeys(fields), **found.sheet} == {**dict.fromkeys(fields), **expected.sheet}
