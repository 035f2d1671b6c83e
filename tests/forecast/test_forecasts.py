"""Forecasts repeat, add up, and say what they cannot do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fracas.errors import InputError
from fracas.forecast import spreading
from fracas.forecast.forecasting import Forecast

Made = Callable[..., Forecast]

DUEL = {"ruleset": "cwn", "situation": {"distance": 8}}
TWO = [{"combatant": "wren", "side": "crew"}, {"combatant": "gang-gunman", "side": "gang"}]


def test_parts_of_a_forecast_add_up_whoever_plays_them(forecast: Made) -> None:
    one = forecast(**DUEL, combatants=TWO)
    (whole,) = one.play(0, 24)
    other = forecast(**DUEL, combatants=TWO)
    later, first = other.play(12, 12)[0], other.play(0, 12)[0]  # the order changes nothing
    first.counts.plus(later.counts)
    assert vars(first.counts) == vars(whole.counts)
    assert one.report(0, [whole]) == other.report(0, [first])


@pytest.mark.parametrize("processes", [1, 2])
def test_whoever_stops_it_gets_what_is_played(monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    monkeypatch.setattr(spreading, "PART", 2)
    asked = {"ruleset": "cwn", "skirmish": "alley", "fights": 4000}

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    answer = spreading.spread(asked, (), processes, stop)
    assert answer["fights"] == 2


def test_one_more_combatant_helps_their_side(forecast: Made) -> None:
    more = {"label": "one more", "add": [{"combatant": "street-thug", "side": "gang", "count": 2}]}
    away = {
        "label": "without the gunman, against a thug",
        "without": ["veteran-gang-gunman"],
        "add": more["add"][:1],
    }
    away["add"] = [{"combatant": "street-thug", "side": "gang"}]
    one = forecast(**DUEL, combatants=TWO, compare=[more, away])
    answer = one.report(0, one.play(0, 60))
    gang = [
        next(each for each in other["differences"] if each["side"] == "gang") for other in answer["compared"]
    ]
    assert gang[0]["wins"]["low"] > 0 > gang[1]["wins"]["high"]
    assert [len(each["combatants"]) for each in (answer, answer["compared"][0])] == [2, 4]


@pytest.mark.parametrize(
    ("ruleset", "tactics", "one", "other"),
    [
        ("sr4", "with-edge", "rook", "vex"),
        ("sr5", "with-edge", "sable", "roof-sniper"),
        ("cwn", "with-luck", "wren", "gang-gunman"),
    ],
)
def test_what_is_spent_on_failures_helps(
    forecast: Made, ruleset: str, tactics: str, one: str, other: str
) -> None:
    made = forecast(
        ruleset=ruleset,
        situation={"distance": 8},
        combatants=[{"combatant": one, "side": "a"}, {"combatant": other, "side": "b"}],
        compare=[{"label": "spends", "tactics": {"a": tactics}}],
    )
    before = made.report(0, played := made.play(0, 60))
    assert played[1].counts.winners.count(0) > played[0].counts.winners.count(0)
    spends = [each["spent"] for each in (before["combatants"][0], before["compared"][0]["combatants"][0])]
    assert spends[0] == []
    assert [each["field"] for each in spends[1]] == (["edge_points"] if tactics == "with-edge" else [])


def test_those_who_are_hurt_take_cover(forecast: Made) -> None:
    two = [{"combatant": "alley-ganger", "side": "a"}, {"combatant": "alley-ganger", "side": "b"}]
    made = forecast(
        ruleset="sr5", situation={"distance": 8}, combatants=two,
        compare=[{"label": "cover", "tactics": {"a": "with-cover"}}],
    )  # fmt: skip
    made.play(0, 20)
    for variant, covers in zip(made.variants, (False, True), strict=True):
        statuses, guarded = variant.model.statuses, variant.model.fighters[0].kind
        covered = [
            status
            for status, kind in enumerate(statuses.kind_of)
            if kind == guarded and "in-cover" in {one.slug for one in statuses.combatant(status).conditions}
        ]
        assert bool(covered) == covers
        assert all(statuses.rest[status] <= 0.7 for status in covered)


def test_the_dying_are_helped_if_tactics_say_so(forecast: Made) -> None:
    tends = {"label": "tends", "tactics": {"crew": "tend-the-fallen"}}
    made = forecast(ruleset="cwn", skirmish="alley", compare=[tends])
    answer = made.report(0, made.play(0, 40))
    wren = [one["combatants"][0]["left_with"] for one in (answer, answer["compared"][0])]
    before, after = ({one["label"]: one["chance"]["value"] for one in each} for each in wren)
    assert "Stabilized" not in before
    assert after["Stabilized"] > 0
    assert after["Mortally Wounded"] < before["Mortally Wounded"]
    assert answer["compared"][0]["differences"][0]["wins"]["value"] < 0  # who helps does not shoot


def test_more_shots_than_odds_follow_are_drawn_one_by_one(forecast: Made) -> None:
    gunner = {"combatant": "gunner-ostrowe", "side": "a"}
    two = [gunner, {"combatant": "raw-juve", "side": "b", "count": 2}]
    made = forecast(ruleset="imperium", situation={"distance": 20}, combatants=two)
    answer = made.report(0, made.play(0, 20))
    assert answer["tactics"][0]["attacks"] == ["Fire a weapon (Heavy bolter)"]
    assert answer["sides"][0]["wins"]["low"] > 0.3


def test_a_device_is_attacked_long_after_it_is_bricked(forecast: Made) -> None:
    two = [{"combatant": "agent", "side": "a"}, {"combatant": "gate-guard", "side": "b"}]
    made = forecast(ruleset="sr5", situation={"distance": 8}, combatants=two)
    assert made.report(0, made.play(0, 3))["fights"] == 3


def test_who_is_down_is_out_of_the_fight(forecast: Made) -> None:
    two = [dict(one) for one in TWO]
    two[1]["combatant"] = {"use": "gang-gunman", "hp": 0}
    made = forecast(**DUEL, combatants=two)
    answer = made.report(0, made.play(0, 2))
    assert answer["assumed"][0] == "Veteran Gang Gunman is out of the fight already"
    assert not any(one.startswith("Wren") for one in answer["assumed"])
    assert [one["wins"]["value"] for one in answer["sides"]] == [1, 0]


def test_a_fight_that_lacks_a_fact_names_it(forecast: Made) -> None:
    weak = {"combatant": {"name": "Nobody in particular", "initiative": 5}, "side": "b"}
    with pytest.raises(InputError) as caught:
        forecast(ruleset="sr4", combatants=[{"combatant": "rook", "side": "a"}, weak])
    assert "target.body" in {one.path.removeprefix("situation.") for one in caught.value.problems}
    assert "Rook with Ares Predator IV against Nobody in particular: " in caught.value.message


@pytest.mark.parametrize(
    ("asked", "place", "code"),
    [
        ({"combatants": TWO[:1]}, "combatants", "one-side"),
        ({"combatants": TWO, "tactics": {"gangs": "steady"}}, "tactics.gangs", "unknown-side"),
        ({"combatants": TWO, "tactics": {"gang": "stedy"}}, "tactics.gang", "unknown-tactics"),
        ({"combatants": TWO, "first": "gangs"}, "first", "unknown-side"),
        ({"combatants": [*TWO, {"combatant": "nobody"}]}, "combatants[2].combatant.use", "unknown-entry"),
        ({"combatants": [*TWO, {"count": 99}]}, "combatants[2].count", "out-of-range"),
    ],
)
def test_bad_requests_name_the_place(forecast: Made, asked: dict[str, object], place: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        forecast(**DUEL, **asked)
    assert [(one.path, one.code) for one in caught.value.problems] == [(place, code)]
