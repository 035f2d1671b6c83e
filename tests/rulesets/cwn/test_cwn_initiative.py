"""The initiative roll by itself."""

from __future__ import annotations

from typing import Any

import pytest
from cwn_table import Answers, distribution, every_path, facts_of, play, prepare, shelf

from fracas.kernel.readers import DefaultPolicy
from fracas.kernel.stage import from_json, to_json

CASES = [
    # dexterity, foci, implants, scope, dice, total
    (None, {}, [], "own", [[8]], 8),
    (3, {}, [], "own", [[1]], -1),
    (18, {}, ["reaction-booster-1"], "own", [[1]], 5),
    (18, {}, ["reaction-booster-1"], "side", [[1]], 3),
    (18, {}, ["reaction-booster-1"], "automatic", [[1]], 3),
    (18, {}, ["reaction-booster-2"], "automatic", [[1]], 1),
    (18, {"alert": 2}, [], "automatic", [[1], [5]], 7),
    (10, {"alert": 1}, [], "own", [[5], [1]], 5),
    (10, {"deadeye": 2}, [], "own", [[5]], 5),
]


@pytest.mark.parametrize(("dexterity", "foci", "implants", "scope", "dice", "total"), CASES)
def test_totals(
    dexterity: int | None, foci: Any, implants: list[str], scope: str, dice: list[list[int]], total: int
) -> None:
    roller = {"foci": foci, "augmentations": implants} | ({"dexterity": dexterity} if dexterity else {})
    progress = play({"roller": roller, "initiative": {"scope": scope}}, dice, procedure="initiative")
    facts = facts_of(progress)
    assert facts["total"] == total
    assert facts["die"] == max(die for throw in dice for die in throw)
    assert facts["scope"] == scope
    assert progress.effects() == ()


def test_what_the_request_says_of_rolling_twice_counts() -> None:
    alert = {"foci": {"alert": 1}}
    once = play({"roller": alert, "initiative": {"twice": False}}, [[2]], procedure="initiative")
    twice = play({"roller": {}, "initiative": {"twice": True}}, [[2], [3]], procedure="initiative")
    assert (facts_of(once)["total"], facts_of(twice)["total"]) == (2, 3)


def test_odds_of_the_better_of_two_dice() -> None:
    stage = prepare({"roller": {"foci": {"alert": 1}}}, procedure="initiative").stage
    assert stage is not None
    chances: dict[Any, float] = {}
    for outcome, chance, _ in every_path(stage, Answers()):
        total = outcome.notes()["total"]
        chances[total] = chances.get(total, 0) + chance
        assert from_json(to_json(outcome)) == outcome
    assert chances == pytest.approx({face: (2 * face - 1) / 64 for face in range(1, 9)})
    exact = distribution(stage, DefaultPolicy())
    odds = {outcome.notes()["total"]: weight / exact.total for outcome, weight in exact.outcomes.items()}
    assert odds == pytest.approx(chances)


def test_every_combatant_rolls() -> None:
    for entry in shelf().entries("combatant"):
        assert prepare({"roller": entry.slug}, procedure="initiative").stage is not None, entry.id
