"""Injuries: levels, what they do, what they ask for; and that every number of it can be overridden by a layer."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imperium_play import asked, core, counted, first_stage, measures, outcome, patched, play

from fracas.errors import InputError
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Effect, Facts, Stage, stage_class
from fracas.rulesets.imperium.checks.percentile import Passing, Percentile
from fracas.rulesets.imperium.harms.bodies import body_of, known_body, row_of_place
from fracas.rulesets.imperium.harms.injuring import Injury
from fracas.rulesets.imperium.harms.injury import Blow, Facing, Harm, after_blows, unhurt
from fracas.rulesets.imperium.vocabulary import LEVELS, LOCATIONS


@stage_class
class Ended(NamedTuple):
    """An outcome that keeps the harm."""

    harm: Harm | None = None
    kind: Literal["test.imperium-ended"] = "test.imperium-ended"

    @property
    def awaits(self) -> None:
        return None

    def advance(self, answer: Any) -> Stage:
        raise AssertionError

    def notes(self) -> Facts:
        return self.harm.facts() if self.harm else {}

    def effects(self) -> tuple[Effect, ...]:
        return tuple(self.harm.effects("victim")) if self.harm else ()


def body(**sheet: Any) -> Any:
    """The body of somebody, and the harm that is none."""
    request = asked("injury", {"victim": {"toughness": 50, **sheet}, "injury": {"damage": 1}})
    return known_body(Attempt(request.attempt, Injury.targets), "victim")


def passed(stage: Stage) -> Harm:
    """Every test passed, every other die 1, to the end."""
    while stage.awaits is not None:
        assert isinstance(stage, Facing)
        stage = stage.advance(1)
    assert isinstance(stage, Ended)
    assert stage.harm is not None
    return stage.harm


def hit(place: str, damage: int, *dice: list[int], game: Any = None, **sheet: Any) -> dict[str, Any]:
    options = sheet.pop("options", {})
    said = {"victim": {"toughness": 50, **sheet}, "injury": {"damage": damage, "location": place}}
    return outcome("injury", said, *dice, game=game, options=options)


# Exactness


@pytest.mark.parametrize("place", LOCATIONS)
@pytest.mark.parametrize("damage", [4, 9, 12, 17])
def test_odds_are_what_counting_gives(place: str, damage: int) -> None:
    victim = {"toughness": 47, "injury_total": 12, "injuries": {place: 1}}
    said = {"victim": victim, "injury": {"damage": damage, "location": place}}
    assert measures("injury", said) == pytest.approx(counted("injury", said), abs=1e-12)


def test_odds_where_the_location_is_rolled() -> None:
    said = {"victim": {"toughness": 30}, "injury": {"damage": 14}}
    found = measures("injury", said)
    assert found == pytest.approx(counted("injury", said), abs=1e-12)
    # 14 / 3 = 4.7 up 5: Crippled. Body (40 faces) unconscious, head (10 faces) dead, limbs hold out
    assert found["down"] == pytest.approx(0.5)
    assert found["dead"] == pytest.approx(0.1)


@pytest.mark.parametrize("test", [Percentile(37), Percentile(0), Percentile(130), Percentile(40, 5, 96)])
def test_a_test_of_which_success_counts_is_the_whole_test(test: Percentile) -> None:
    passing, plain = Passing(test), test.spread()
    wins = sum(1 for face in plain.answers if isinstance(face, int) and test.passes(face))
    spread = passing.spread()
    assert dict(zip(spread.answers, spread.weights, strict=True)).get(True, 0) == wins
    assert sum(spread.weights) == spread.total == 100
    assert passing.facts(((44,),)) == test.facts(((44,),))
    assert passing.answer(((44,),)) is test.passes(44)


# Laws


@given(st.lists(st.tuples(st.sampled_from(LOCATIONS), st.integers(0, 30)), min_size=1, max_size=5))
def test_blows_add_up(struck: list[tuple[str, int]]) -> None:
    """One after the other they do the same as all at once; levels only grow, and no more than 5."""
    whole, blows = body(), tuple(Blow(place, net) for place, net in struck)
    together = passed(after_blows(Ended(unhurt(whole)), "victim", *blows))
    harm = unhurt(whole)
    for blow in blows:
        after = passed(after_blows(Ended(harm), "victim", blow))
        assert all(old <= new <= 5 for old, new in zip(harm.levels, after.levels, strict=True))
        assert after.net == harm.net + blow.net
        assert after.stunned >= harm.stunned
        harm = after
    assert harm == together
    assert harm.total == sum(net for _, net in struck)
    assert (harm.out == "dead") or harm.total < 50


@given(st.sampled_from(LOCATIONS), st.integers(0, 4), st.integers(1, 40))
def test_one_bleeding_for_each_level_newly_passed(place: str, had: int, damage: int) -> None:
    hurt = body(toughness=100, injuries={place: had})
    harm = passed(after_blows(Ended(unhurt(hurt)), "victim", Blow(place, damage)))
    level = min(5, had + -(-damage // 10))
    assert harm.levels[LOCATIONS.index(place)] == level
    worse = [one for one in range(had + 1, level + 1) if one >= 3 and not (place == "head" and one == 5)]
    assert sum(harm.bled) == harm.bled[LOCATIONS.index(place)] == len(worse)


# Single rules


def test_values_are_rounded_up() -> None:
    facts = play("injury", {"victim": {"toughness": 41}, "injury": {"damage": 1, "location": "body"}})[
        "facts"
    ]
    assert facts == {"base_injury_value": 5, "system_shock_value": 9, "consciousness_value": 21}


def test_system_shock_needs_more_than_its_value() -> None:
    assert "system_shock_roll" not in hit("left-arm", 10, [50])  # the test of the arm
    assert hit("left-arm", 11, [50], toughness=55)[
        "injury_test_success"
    ]  # 11 is not above 11; the arm's again
    assert hit("left-arm", 11, [51])["system_shock_success"] is False


def test_a_blow_that_does_nothing_asks_for_nothing() -> None:
    found = hit("head", 0)
    assert (found["net_damage"], found["levels"], found["down"]) == (0, 0, "none")
    assert (
        play("injury", {"victim": {"toughness": 50}, "injury": {"damage": 0, "location": "head"}})["effects"]
        == []
    )


def test_the_longer_time_stunned_counts() -> None:
    # head Heavy: a round; system shock failed: a round as well; not four actions but two
    assert hit("head", 9, toughness=90)["stunned_actions"] == 1  # Light: one action
    assert hit("head", 12, [99], toughness=55)["stunned_actions"] == 2
    assert hit("head", 2, stunned_actions=5)["stunned_actions"] == 0  # nothing is added
    effects = play(
        "injury",
        {"victim": {"toughness": 50, "stunned_actions": 1}, "injury": {"damage": 6, "location": "head"}},
    )
    told = {(one["type"], one["what"]): one["amount"] for one in effects["effects"]}
    assert told["mark", "stunned-actions"] == 1  # one more: two in all


def test_what_a_hand_holds_is_dropped() -> None:
    said = {
        "victim": {"toughness": 50, "left_hand": "knife#2"},
        "injury": {"damage": 11, "location": "left-arm"},
    }
    answer = play("injury", said, [1])
    assert answer["outcome"]["drops"] == "left-arm"
    assert {
        "type": "item",
        "who": "victim",
        "what": "knife#2",
        "amount": None,
        "ready": False,
        "dropped": True,
    } in answer["effects"]
    nothing = play("injury", {**said, "victim": {"toughness": 50}}, [1])
    assert [one for one in nothing["effects"] if one["type"] == "item"] == []
    assert nothing["outcome"]["drops"] == "left-arm"


def test_a_crippled_limb_takes_no_more_levels() -> None:
    found = hit("left-leg", 6, injuries={"left-leg": 5})
    assert (found["levels"], found["bleeding"], found["prone"], found["down"]) == (0, 0, False, "none")


@pytest.mark.parametrize("place", ["body", "head"])
def test_a_crippled_body_or_head_takes_none(place: str) -> None:
    assert hit(place, 1, injuries={place: 5}, conscious=False)["down"] == "dead"


def test_the_unconscious_may_die_and_are_asked_nothing() -> None:
    found = hit("left-leg", 12, conscious=False)
    assert (found["down"], found["left_leg_level"]) == ("none", 3)
    assert hit("left-leg", 12, conscious=False, injury_total=38)["down"] == "dead"


def test_two_legs_may_be_hurt_alike() -> None:
    said = {
        "victim": {"toughness": 50, "injuries": {"left-leg": 2}},
        "injury": {"damage": 10, "location": "right-leg"},
    }
    effects = play("injury", said, [1])["effects"]
    assert "leg-heavy" not in [one["what"] for one in effects]  # in that condition already
    worse = {
        "victim": {"toughness": 50, "injuries": {"left-leg": 2, "right-leg": 2}},
        "injury": {"damage": 5, "location": "right-leg"},
    }
    found = [(one["type"], one["what"]) for one in play("injury", worse)["effects"]]
    assert ("add-condition", "leg-serious") in found
    assert ("remove-condition", "leg-heavy") not in found  # of the other leg


def test_who_suffers_already_does_not_begin_to() -> None:
    said = {"victim": {"toughness": 50}, "injury": {"damage": 15, "location": "left-leg"}}
    assert "suffer-injuries" in [one["what"] for one in play("injury", said, [1])["effects"]]
    said["victim"] = {"toughness": 50, "suffering": True}
    assert "suffer-injuries" not in [one["what"] for one in play("injury", said, [1])["effects"]]


def test_without_toughness_only_damage_counts() -> None:
    request = asked("injury", {"victim": {}, "injury": {"damage": 1}})
    assert body_of(Attempt(request.attempt, Injury.targets), "victim") is None
    harm = passed(after_blows(Ended(unhurt(None)), "victim", Blow("head", 7), Blow("body", 5)))
    assert harm.facts() == {"net_damage": 12}
    assert [(one.type, one.amount) for one in harm.effects("victim")] == [("mark", 12)]
    with pytest.raises(InputError, match="Toughness"):
        first_stage("injury", {"victim": {}, "injury": {"damage": 1}})


def test_a_modifier_by_hand_helps_to_withstand() -> None:
    hand = [{"to": "victim.injury-test", "label": "Drugged", "value": 15}]
    said = {"victim": {"toughness": 50}, "injury": {"damage": 10, "location": "left-arm"}}
    assert outcome("injury", said, [65], modifiers=hand)["injury_test_success"]


# Every number is data


@pytest.mark.parametrize(
    ("table", "row", "numbers", "dice", "told"),
    [
        ("injury-values", "base-injury-value", {"toughness_divisor": 5}, [[1], [1]], {"levels": 2}),
        ("injury-values", "death", {"toughness_divisor": 5}, [], {"down": "dead"}),
        ("injury-effects", "arm-light", {"bleeding": 2}, [[1]], {"bleeding": 3}),
        (
            "injury-effects",
            "arm-serious",
            {"stunned": "3", "stunned_unit": "round"},
            [[1]],
            {"stunned_actions": 6},
        ),
        ("injury-effects", "arm-serious", {"prone": True}, [[1]], {"prone": True}),
        ("injury-effects", "arm-serious", {"unconscious": True}, [], {"down": "unconscious"}),
        ("injury-effects", "arm-serious", {"dead": True}, [], {"down": "dead"}),
    ],
)
def test_a_layer_changes_it(
    table: str, row: str, numbers: dict[str, Any], dice: list[list[int]], told: dict[str, Any]
) -> None:
    """A blow of 15 to the arm of somebody with T 50, who withstands everything: 3 levels, Serious."""
    before = hit("right-arm", 15, [1])
    after = hit("right-arm", 15, *dice, game=patched(table, row, **numbers))
    assert {name: after[name] for name in told} == told
    assert {name: before[name] for name in told} != told


def test_a_layer_changes_system_shock() -> None:
    assert hit("right-arm", 15, [99])["stunned_actions"] == 2
    longer = patched("injury-checks", "system-shock", stunned="1d3")
    assert hit("right-arm", 15, [99], [3], game=longer)["stunned_actions"] == 6
    tougher = patched("injury-values", "system-shock", toughness_divisor=3)
    assert "system_shock_roll" not in hit("right-arm", 15, game=tougher)
    by_nerve = patched("injury-checks", "system-shock", test="nerve")
    assert hit("right-arm", 15, [60], game=by_nerve, nerve=60)["system_shock_success"]


def test_a_layer_may_spare_the_body_its_surplus() -> None:
    said: dict[str, Any] = {"injuries": {"body": 5}, "conscious": False}
    assert hit("body", 1, **said)["down"] == "dead"
    assert hit("body", 1, game=patched("surplus-levels", "body", effect="lost"), **said)["down"] == "none"


def test_each_level_of_each_location_has_its_row() -> None:
    table = core().packs.entry("table", "injury-effects")
    assert table is not None
    rows = body().value.rows
    for place, name in enumerate(LOCATIONS):
        for level in range(1, 6):
            told = table.data["rows"][f"{name.rpartition('-')[2]}-{LEVELS[level]}"]
            row = row_of_place(rows, place, level)
            assert row.bleeding == told["bleeding"]
            assert row.does == tuple(
                word for word in ("prone", "drop", "unconscious", "dead") if told.get(word)
            )
            assert row.failure == told.get("failure", "")
            assert (row.dice is not None) is (told.get("stunned") == "1d3")
            assert row.stunned == (0 if row.dice or "stunned" not in told else row.unit)
