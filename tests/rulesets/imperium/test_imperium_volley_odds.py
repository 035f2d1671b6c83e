"""Exact odds of several shots at one person: weighed together they are what they are one after the other."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from imperium_play import asked, core, first_stage, measures, survives_json

from fracas.engine import running
from fracas.errors import InputError
from fracas.kernel.budget import Budget
from fracas.kernel.odds import Distribution, Transitions, odds
from fracas.kernel.readers import DefaultPolicy
from fracas.kernel.stage import Stage
from fracas.rulesets.imperium import RULESET
from fracas.rulesets.imperium.attacks.shots import Shot
from fracas.rulesets.imperium.attacks.volley_odds import MOST_SHOTS

_FACTS = ("hits", "critical", "net_damage", "levels", "down", "injury_total")


def shooting(target: dict[str, Any], shots: int = 2, damage: str = "1d6+4", **more: Any) -> dict[str, Any]:
    gun = {
        "type": "basic",
        "features": [],
        "damage": damage,
        "short": 20,
        "medium": 40,
        "long": 80,
        "modes": ["semi-auto", "full-auto"],
        "semi_least": 2,
        "semi_most": 20,
        "capacity": 30,
        "rounds": 30,
        "ammunition": [],
        "mods": [],
        "encumbrance": 10,
    }
    attacker = {"ballistic_skill": 70, "strength": 60, "traits": [], "aim": 0, "injuries": {}}
    known = {"toughness": 40, "armor": [], "traits": [], "mounted": False, "prone": False, "aware": True}
    return {
        "attacker": attacker,
        "target": {**known, "pace": "moved", **target},
        "weapon": gun,
        "fire": {"mode": "semi-auto", "shots": shots},
        "distance": 15,
        "visibility": [],
        **more,
    }


def joint(found: Distribution) -> dict[tuple[Any, ...], Fraction]:
    """Chances of what both ways tell."""
    chances: dict[tuple[Any, ...], Fraction] = {}
    for end, weight in found.outcomes.items():
        facts = end.notes()
        key = tuple(facts.get(name) for name in _FACTS)
        chances[key] = chances.get(key, Fraction(0)) + Fraction(weight, found.total)
    return chances


def weighed(stage: Stage) -> Distribution:
    return odds(stage, Transitions(DefaultPolicy(), None)).only


@pytest.fixture
def one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> Callable[[Stage], Distribution]:
    def way(stage: Stage) -> Distribution:
        with monkeypatch.context() as patch:
            patch.setattr(Shot, "shortcut", lambda shot, watched: None)
            return weighed(stage)

    return way


@pytest.mark.parametrize(
    "target",
    [
        {},
        {"toughness": 12, "injury_total": 3},
        {"injuries": {"body": 3, "head": 2, "left-leg": 5}, "injury_total": 20},
        {"injuries": {"head": 4, "body": 5}, "conscious": False},
        {"armor": ["flak-vest", "flak-helmet"], "cover": 3, "behind_cover": ["left-leg", "right-leg"]},
        {"mounted": True, "small": True},
    ],
)
def test_together_is_one_after_the_other(target: dict[str, Any], one_after_the_other: Any) -> None:
    stage = first_stage("shooting", shooting(target))
    together, plain = weighed(stage), one_after_the_other(stage)
    assert joint(together) == joint(plain)
    assert len(together.outcomes) < len(plain.outcomes)
    for one in RULESET.procedures["shooting"].measures:
        values = [
            sum(
                Fraction(weight, found.total) * Fraction(one.of(end.notes()))
                for end, weight in found.outcomes.items()
            )
            for found in (together, plain)
        ]
        assert values[0] == values[1], one.id


def test_with_a_force_field(one_after_the_other: Any) -> None:
    fields = [one for one in core().packs.entries("armor") if "field_dice" in one.data]
    stage = first_stage("shooting", shooting({"armor": [fields[0].slug]}, damage="1d3+6"))
    assert joint(weighed(stage)) == joint(one_after_the_other(stage))


def test_three_shots_at_somebody_who_falls_at_once(one_after_the_other: Any) -> None:
    stage = first_stage("shooting", shooting({"toughness": 4}, 3, "1d2"))
    assert joint(weighed(stage)) == joint(one_after_the_other(stage))


def test_hits_are_binomial() -> None:
    """70 less 5 for each further shot."""
    shots = 5
    chance = Fraction(70 - 5 * (shots - 1), 100)
    found = weighed(first_stage("shooting", shooting({}, shots)))
    for hits in range(shots + 1):
        expected = comb(shots, hits) * chance**hits * (1 - chance) ** (shots - hits)
        assert found.chance(lambda end, hits=hits: end.notes()["hits"] == hits) == expected  # type: ignore[misc]
    for end in found.outcomes:
        survives_json(end)
        assert end.effects() == ()


def test_whoever_dies_more_surely_with_each_shot() -> None:
    chances = [measures("shooting", shooting({}, shots, "2d10"))["dead"] for shots in (2, 3, 4)]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


def test_attribution_goes_the_same_way() -> None:
    answer = running.give_odds(asked("shooting", shooting({}, 3), attribution=True))
    told = {row["id"]: row["change"] for row in answer["attribution"]}
    assert told["semi-automatic"]["hits"] == pytest.approx(-0.3)  # three shots at 10 less


def test_the_clock_is_looked_at_while_shots_are_put_together() -> None:
    looks = itertools.count()
    budget = Budget(1e9, lambda: 0.0, lambda: float(next(looks)))
    odds(first_stage("shooting", shooting({}, 6)), Transitions(DefaultPolicy(), None, budget))
    assert next(looks) > 500


def test_too_many_shots_are_refused_at_once() -> None:
    with pytest.raises(InputError, match="take too long"):
        measures("shooting", shooting({}, MOST_SHOTS + 1, "2d10"))
