"""Exchanges against second calculations: by hand, and from the facts of the odds of one attack."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any

import pytest

from fracas.encounters import exchanges
from fracas.encounters.exchanges import Exchange, Requested, best, lines, orders, reported
from fracas.engine.budgets import seconds_of_work
from fracas.engine.game import Game, Games
from fracas.engine.opening import open_games
from fracas.engine.requests import DiceWish, check_request
from fracas.engine.running import give_odds
from fracas.errors import InputError, OverBudgetError

LOCATIONS = ("head", "body", "right-arm", "left-arm", "right-leg", "left-leg")


@pytest.fixture(scope="module")
def games() -> Games:
    return open_games([])


def attack(game: Game, slug: str, armor: int, **target: Any) -> dict[str, Any]:
    """The attack by which the ruleset compares weapons."""
    weapon, comparison = game.packs.entry("weapon", slug), game.ruleset.comparison
    assert weapon is not None
    assert comparison is not None
    sample = comparison.sample(weapon, armor, game.packs)
    assert sample is not None
    situation = {**sample.situation, "target": {**sample.situation["target"], **target}}
    plain = {"options": {}, "modifiers": [], "decisions": [], "mode": "auto", "dice": DiceWish()}
    return {
        **plain,
        "procedure": sample.procedure,
        "situation": situation,
        "attribution": False,
        "exact": False,
    }


def exchange(game: Game, *attacks: Mapping[str, Any]) -> Exchange:
    world = Requested(game, attacks)
    return Exchange(world, world.first)


def test_a_taser_by_hand(games: Games) -> None:
    """d20 + 3 against AC 13 hits with 11 of 20 faces; 1d8 each time, and 10 hit points are gone after a sum of 10."""
    sums, down, found = {0: 1.0}, 0.0, []
    for _ in range(4):
        following: dict[int, float] = {}
        for before, chance in sums.items():
            following[before] = following.get(before, 0.0) + chance * 9 / 20
            for damage in range(1, 9):
                then = before + damage
                if then >= 10:
                    down += chance * 11 / 20 / 8
                else:
                    following[then] = following.get(then, 0.0) + chance * 11 / 20 / 8
        sums = following
        found.append(down)
    game = games.game("cwn")
    rows = exchange(game, attack(game, "taser-pistol", 13)).course([0] * 4)
    assert [row.down for row in rows] == pytest.approx(found)
    assert rows[0].hit == pytest.approx(11 / 20)


def wounded_in_shadowrun(facts: Mapping[str, Any]) -> dict[str, Any]:
    wounds = {"physical": facts["physical_after"], "stun": facts["stun_after"], "defenses_made": 1}
    return wounds | ({"prone": True} if facts.get("knockdown") else {})


def wounded_in_imperium(facts: Mapping[str, Any]) -> dict[str, Any]:
    levels = {place: facts.get(f"{place.replace('-', '_')}_level", 0) for place in LOCATIONS}
    wounds = {
        "injury_total": facts.get("injury_total", 0),
        "injuries": {place: level for place, level in levels.items() if level},
        "stunned_actions": facts.get("stunned_actions", 0),
    }
    flags = {"prone": facts.get("prone"), "stunned": bool(wounds["stunned_actions"])}
    return wounds | {flag: True for flag, value in flags.items() if value}


SECOND = {
    "sr4": ("ak-97", 8, wounded_in_shadowrun),
    "sr5": ("ares-predator-v", 9, wounded_in_shadowrun),
    "imperium": ("lasgun", 8, wounded_in_imperium),
}


@pytest.mark.parametrize("ruleset", SECOND)
def test_two_attacks_from_the_facts_of_one(games: Games, ruleset: str) -> None:
    """The second attack is made anew on a target with the wounds that the first one reports."""
    slug, armor, wounded = SECOND[ruleset]
    game = games.game(ruleset)
    first = attack(game, slug, armor)
    answer = give_odds(check_request(first, game))
    drops = {one["id"]: one["value"] for one in answer["measures"]}["down"]
    measure = next(one for one in game.procedure(first["procedure"]).measures if one.id == "down")
    known: dict[str, float] = {}
    later = []
    for outcome in answer["branches"][0]["outcomes"]:
        facts = outcome["outcome"]
        if measure.of(facts):
            continue
        wounds = wounded(facts)
        if str(wounds) not in known:
            second = check_request(attack(game, slug, armor, **wounds), game)
            measures = give_odds(second)["measures"]
            known[str(wounds)] = next(one["value"] for one in measures if one["id"] == "down")
        later.append(outcome["chance"] * known[str(wounds)])
    rows = exchange(game, first).course([0, 0])
    assert rows[0].down == pytest.approx(drops)
    assert rows[1].down == pytest.approx(drops + fsum(later))
    assert rows[1].down > 1 - (1 - drops) ** 2  # wounds count


def test_the_best_order_is_the_best_of_all(games: Games) -> None:
    game = games.game("sr4")
    made = exchange(game, attack(game, "ares-predator-iv", 8), attack(game, "katana", 8))
    found, worst, compared = best(made, (2, 1))
    assert compared == len(set(orders((2, 1)))) == 3
    every = [made.course(order)[-1].down for order in orders((2, 1))]
    assert found[-1].down == pytest.approx(max(every))
    assert worst[-1].down == pytest.approx(min(every))
    with pytest.raises(InputError, match="orders"):
        best(made, (2,) * 6)


def test_a_sample_stands_for_too_many_ways(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.game("sr4")
    exact = exchange(game, attack(game, "ak-97", 8)).course([0] * 5)
    assert not any(row.estimated for row in exact)
    for name, most in (("MOST_WAYS", 60), ("KEPT_WAYS", 40), ("MOST_ENDS", 400), ("KEPT_ENDS", 200)):
        monkeypatch.setattr(exchanges, name, most)
    rows = exchange(game, attack(game, "ak-97", 8)).course([0] * 5)
    assert [row.estimated for row in rows] == [False, False, True, True, True]
    assert [row.down for row in rows] == pytest.approx([row.down for row in exact], abs=0.01)
    assert [row.damage for row in rows] == pytest.approx([row.damage for row in exact], rel=0.01)
    shown = list(lines(reported(exchange(game, attack(game, "ak-97", 8)), ["AK-97"], [5])))
    assert shown[-1] == exchanges.ESTIMATED


def test_time_is_limited(games: Games) -> None:
    game = games.game("imperium")
    world = Requested(game, [attack(game, "boltgun", 4)])
    with pytest.raises(OverBudgetError):
        Exchange(world, world.first, seconds_of_work(-1.0)).course([0])
    answer = reported(Exchange(world, world.first, seconds_of_work(0.3)), ["Boltgun"], [9])
    assert answer["cut"]
    assert 1 <= len(answer["attacks"]) < 9
    assert list(lines(answer))[-1] == "There was no time for more attacks."


def test_what_an_exchange_needs(games: Games) -> None:
    game = games.game("cwn")
    unknown = attack(game, "rifle", 13)
    del unknown["situation"]["target"]["hp"]
    with pytest.raises(InputError, match="hp"):
        exchange(game, unknown).course([0, 0])
    with pytest.raises(InputError, match="not an attack"):
        Requested(game, [{**unknown, "procedure": "morale"}])
