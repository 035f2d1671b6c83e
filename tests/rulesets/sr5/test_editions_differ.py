"""Where the fourth and the fifth edition part: the same dice, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from late_packs import late
from sr5_table import CORE as SR5

from fracas.dice.sources import Dealt
from fracas.engine.game import Game
from fracas.engine.modifier_samples import asked
from fracas.kernel import readers
from fracas.kernel.intents import Participant, Table
from fracas.kernel.stage import Roll
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.rulesets.sr4 import RULESET as FOURTH

SR4 = late(lambda: Game(FOURTH, Library.read([shipped("datapacks") / "sr4-core"]).ruleset_packs("sr4")))


def played(
    game: Game, procedure: str, situation: Mapping[str, Any], faces: list[list[int]], **choices: str
) -> dict[str, Any]:
    """The facts at the end, with these dice and decisions."""
    one = game.ruleset.procedures[procedure]
    wanted = {name.replace("_", "-"): choice for name, choice in choices.items()}
    prepared = one.prepare(asked(game, one, situation, {})._replace(open=frozenset(wanted)))
    assert prepared.stage is not None
    progress, left = readers.begin(prepared.stage), list(faces)
    while (awaited := progress.stage.awaits) is not None:
        if isinstance(awaited, Roll):
            groups = tuple(tuple(left.pop(0)) for _ in awaited.request.groups())
            progress = readers.throw(progress, Dealt(groups, "given"))
        else:
            offered = [option.id for option in awaited.options]
            choice = wanted.get(awaited.id, awaited.default)
            progress = readers.choose(progress, choice if choice in offered else awaited.default)
    assert not left
    return dict(progress.details)


@pytest.mark.parametrize(
    ("faces", "fourth", "fifth"),
    [
        ([1, 1, 5, 2], "glitch", "none"),
        ([1, 1, 1, 5], "glitch", "glitch"),
        ([1, 1, 3, 2], "critical", "none"),
        ([1, 1, 1, 2], "critical", "critical"),
        ([1, 5, 5, 2], "none", "none"),
    ],
)
def test_half_of_the_dice_or_more_than_half(faces: list[int], fourth: str, fifth: str) -> None:
    situation = {"tester": {"pool": 4}}
    assert played(SR4, "success-test", situation, [faces])["test_glitch"] == fourth
    assert played(SR5, "success-test", situation, [faces])["test_glitch"] == fifth


@given(st.lists(st.integers(1, 6), min_size=1, max_size=9))
def test_hits_are_counted_alike_and_glitches_differ_at_half_only(faces: list[int]) -> None:
    situation = {"tester": {"pool": len(faces)}}
    fourth, fifth = (played(game, "success-test", situation, [faces]) for game in (SR4, SR5))
    assert fourth["test_hits"] == fifth["test_hits"] == sum(face >= 5 for face in faces)
    assert (fourth["test_glitch"] != fifth["test_glitch"]) == (2 * faces.count(1) == len(faces))


def shot(game: Game, faces: list[list[int]], **more: Any) -> dict[str, Any]:
    """DV 7, AP 0, against an armor of 10."""
    monitors = {"physical": 0, "stun": 0, "willpower": 3}
    weapon = {"skill": "pistols", "dv": 7, "damage": "physical", "ap": 0, "modes": ["SA"]}
    armor: dict[str, Any] = {"armor_value": 10}
    if game is SR4:
        weapon |= {"armor_kind": "ballistic"}
        armor = {"ballistic": 10, "impact": 10, "vehicle_armor": 10}
    else:
        weapon |= {"accuracy": more.pop("accuracy", 9)}
    situation = {
        "attacker": {"pool": len(faces[0]), "strength": 3, "rounds_before": 0},
        "target": {"pool": len(faces[1]), "body": 3, **armor, **monitors, **more},
        "weapon": weapon,
        "fire": {"mode": "semi-automatic"},
        "distance": 3,
    }
    return played(game, "ranged-attack", situation, faces)


def test_damage_that_equals_the_armor() -> None:
    """7 + 3 = 10 against 10: Stun in the fourth edition, Physical in the fifth."""
    faces = [[5, 5, 5], [1], [1] * 13]
    assert shot(SR4, faces)["track"] == "stun"
    assert shot(SR5, faces)["track"] == "physical"
    below = [[5, 5, 1], [1], [1] * 13]
    assert shot(SR4, below)["track"] == shot(SR5, below)["track"] == "stun"


def test_damage_that_equals_the_armor_of_a_vehicle() -> None:
    """10 against 10 does nothing in the fourth edition, and goes through in the fifth."""
    hit = [[5, 5, 5], [1]]
    assert shot(SR4, hit, vehicle=True)["damage"] == 0
    assert shot(SR5, [*hit, [1] * 13], vehicle=True)["damage"] == 10


def test_only_the_fifth_edition_has_limits() -> None:
    faces = [[5, 5, 5, 5], [5, 1], [1] * 13]
    assert shot(SR4, faces)["net_hits"] == 3
    assert shot(SR5, faces)["net_hits"] == 3
    assert shot(SR5, faces, accuracy=2)["net_hits"] == 1


def test_a_glitch_after_a_second_try() -> None:
    """Neither edition undoes a glitch with dice thrown again."""
    situation = {"tester": {"pool": 3, "edge": 2, "edge_points": 1}}
    faces = [[1, 1, 5], [5, 5]]
    for game, choice in ((SR4, "reroll"), (SR5, "second-chance")):
        assert played(game, "success-test", situation, faces, edge_after=choice)["test_glitch"] == "glitch"


def hurt(game: Game, damage: int, track: str, **target: int) -> dict[str, Any]:
    """Body 4 and Willpower 3, both monitors with 10 boxes; nothing resists, nothing protects."""
    who: dict[str, Any] = {"body": 4, "willpower": 3, "physical": 0, "stun": 0, **target}
    cause = {"value": damage, "kind": track}
    who |= {"ballistic": 0, "impact": 0} if game is SR4 else {"armor_value": 0}
    return played(game, "damage-resistance", {"target": who, "damage": cause}, [[1] * 4])


def test_overflow_of_as_many_boxes_as_body() -> None:
    """10 + 4 of Body: the fourth edition kills with one box more, the fifth when they are full."""
    assert [hurt(game, 3, "physical", physical=10)["dead"] for game in (SR4, SR5)] == [False, False]
    assert [hurt(game, 4, "physical", physical=10)["dead"] for game in (SR4, SR5)] == [False, True]
    assert [hurt(game, 5, "physical", physical=10)["dead"] for game in (SR4, SR5)] == [True, True]


def test_stun_beyond_its_monitor() -> None:
    """Four boxes too many: four Physical ones in the fourth edition, two in the fifth."""
    assert hurt(SR4, 6, "stun", stun=8)["physical_after"] == 4
    assert hurt(SR5, 6, "stun", stun=8)["physical_after"] == 2


def test_a_tied_attack_grazes_in_both() -> None:
    for faces in ([[5, 1], [5, 1]], [[1, 2], [1, 2]]):
        assert [shot(game, faces)["result"] for game in (SR4, SR5)] == ["graze", "graze"]


def turn(game: Game, **people: tuple[int, int, int]) -> list[str]:
    """Who acts one after another at the score of 12, with these Edges, Reactions and Intuitions."""
    rules = game.ruleset.turns
    assert rules is not None
    options = game.options({})
    table = {}
    for name, (edge, reaction, intuition) in people.items():
        rolled = {"score": 12, "wounds": 0, "hits": 12 - reaction - intuition, "glitch": "none", "passes": 1}
        sheet = {"edge": edge, "reaction": reaction, "intuition": intuition, "passes": 1}
        table[name] = Participant(name, name, "", True, sheet, rolled=rolled, options=options)
    return ["+".join(slot.actors) for slot in rules.order(Table(1, 1, table, (), options))]


def test_equal_scores_act_together_or_one_after_another() -> None:
    """The fourth edition lets them act at the same time; the fifth compares Edge, Reaction and Intuition."""
    people = {"x": (3, 5, 4), "y": (3, 6, 2), "z": (4, 3, 3)}
    assert turn(SR4, **people) == ["x+y+z"]
    assert turn(SR5, **people) == ["z", "y", "x"]
