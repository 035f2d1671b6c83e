"""Shots and throws: what they are refused for, what a layer may change, and that odds count every face of every die."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from imperium_play import (
    asked,
    counted,
    first_stage,
    layered,
    measures,
    outcome,
    patched,
    play,
    survives_json,
)

from fracas.engine import running
from fracas.engine.game import Game
from fracas.errors import InputError

GUN = {
    "type": "basic",
    "features": [],
    "damage": "1d4+3",
    "short": 10,
    "medium": 20,
    "long": 40,
    "modes": ["single", "semi-auto", "full-auto"],
    "semi_least": 2,
    "semi_most": 4,
    "rounds": 20,
    "ammunition": ["limax"],
    "mods": [],
}
SHOT: dict[str, Any] = {
    "attacker": {"ballistic_skill": 47, "strength": 50, "aim": 0},
    "target": {"armor": ["flak-vest"], "toughness": 50},
    "weapon": GUN,
    "fire": {"mode": "single"},
    "distance": 8,
}


def shot(**changed: Any) -> dict[str, Any]:
    """The shot with other fields; of records those that are given."""
    merged = dict(SHOT)
    for name, value in changed.items():
        merged[name] = {**merged[name], **value} if name in merged and isinstance(value, dict) else value
    return merged


FIELD = {"value": 0, "locations": ["body"], "field_dice": "1d2"}
SHOTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("plain", shot(), {}),
    ("merged", shot(action={"merged": True}, distance=70), {}),
    ("silenced", shot(weapon={"mods": ["removable-silencer"]}), {}),
    ("no body", shot(target={"toughness": None}), {}),
    ("object", shot(target={"object": True, "toughness": None}, armor={"value": 3}), {}),
    ("field", shot(armor=FIELD, weapon={"damage": "1d3+5"}), {}),
    ("thrown", shot(weapon={"type": "thrown", "throw_short": 5, "throw_medium": 4, "throw_long": 2}), {}),
    ("always", shot(), {"auto_success": 3, "auto_fail": 40}),
]


@pytest.mark.parametrize(
    ("situation", "options"), [case[1:] for case in SHOTS], ids=[case[0] for case in SHOTS]
)
def test_odds_are_those_of_every_face(situation: dict[str, Any], options: dict[str, Any]) -> None:
    found = measures("shooting", situation, options=options)
    assert found == pytest.approx(counted("shooting", situation, options=options), abs=1e-12)
    assert found["hit"] > 0


def test_odds_of_a_shot_that_is_dodged() -> None:
    """At 47 per cent, of which half are dodged at 50; a matched failure, one of 55 to 00, makes a hit critical."""
    target = {"initiative": 60, "aware": True, "stunned": False}
    said: dict[str, Any] = {"decisions": [{"decision": "dodge", "choose": "dodge"}]}
    found = measures("shooting", shot(target=target), options={"dodge_shots": True}, **said)
    assert found["hit"] == pytest.approx(0.47 * 0.5)
    assert found["critical"] == pytest.approx(0.04 * 0.5 + 0.43 * 0.06)
    whole = measures("shooting", shot(target=target), options={"dodge_shots": True})
    assert whole == measures("shooting", shot(target=target))


def test_odds_of_a_grenade_that_goes_astray() -> None:
    """At 47 per cent: it fails by 15 at most in 15 more of a hundred, and then bursts within 3 yards."""
    grenade: dict[str, Any] = {**shot(), "weapon": {"use": "frag-grenade", "mods": []}, "distance": 4}
    grenade = {name: its for name, its in grenade.items() if name != "fire"}
    assert measures("shooting", grenade)["hit"] == pytest.approx(0.47)
    assert measures("shooting", grenade, options={"grenade_scatter": "margin"})["hit"] == pytest.approx(0.62)


def test_odds_of_a_rider_and_of_two_shots() -> None:
    rider = shot(target={"mounted": True, "toughness": None}, weapon={"damage": "4"})
    assert measures("shooting", rider) == pytest.approx(counted("shooting", rider), abs=1e-12)
    both = shot(target={"toughness": None}, weapon={"damage": "4"}, fire={"mode": "semi-auto", "shots": 2})
    assert measures("shooting", both) == pytest.approx(counted("shooting", both), abs=1e-12)
    assert measures("shooting", both)["hits"] == pytest.approx(2 * 0.42)


def test_criticals_and_locations_come_from_one_roll() -> None:
    """At 30 per cent the faces 11 and 22 are critical, and both strike where their digits say: leg and body."""
    answer = running.give_odds(
        asked("shooting", shot(attacker={"ballistic_skill": 30}, target={"armor": []}))
    )
    assert {one["id"]: one["value"] for one in answer["measures"]}["critical"] == pytest.approx(0.02)


def test_odds_of_shots_that_hurt_nobody_known() -> None:
    burst = shot(weapon={"damage": "2d10+4"}, target={"armor": [], "toughness": None})
    found = measures("shooting", {**burst, "fire": {"mode": "full-auto", "shots": 3}})
    assert found["hits"] == pytest.approx(3 * 0.24)
    assert found["net-damage"] == pytest.approx(3 * (0.24 + 0.02) * 15)  # 11 and 22 are doubled
    with pytest.raises(InputError, match="at most 4 shots at a mount, or without a Toughness, not 5"):
        measures("shooting", {**burst, "fire": {"mode": "full-auto", "shots": 5}})


@pytest.mark.parametrize(
    ("distance", "band"),
    [(10, "short"), (10.5, "medium"), (20, "medium"), (40, "long"), (41, "extreme"), (80, "extreme")],
)
def test_range_bands(distance: float, band: str) -> None:
    request = asked("shooting", shot(distance=distance))
    assert request.procedure.prepare(request.attempt).facts["range.band"] == band


def chance(situation: Mapping[str, Any], game: Game | None = None, **said: Any) -> int:
    request = asked("shooting", situation, game, **said)
    prepared = request.procedure.prepare(request.attempt)
    return next(tally.total for tally in prepared.tallies if tally.to == "shooting.chance")


LAYERS: list[tuple[str, str, dict[str, Any], dict[str, Any], int]] = [
    ("halving", "merged-action", {"divisor": 4}, shot(action={"merged": True}), 12),
    ("shooting-bands", "short", {"factor": 0.5}, shot(), 37),
    ("shooting-bands", "medium", {"halved": True}, shot(distance=15), 19),
    ("fire-modes", "full-auto", {"halved": False}, shot(fire={"mode": "full-auto", "shots": 5}), 47),
]


@pytest.mark.parametrize(("table", "row", "numbers", "situation", "total"), LAYERS)
def test_a_layer_changes_the_chance(
    table: str, row: str, numbers: dict[str, Any], situation: dict[str, Any], total: int
) -> None:
    game = patched(table, row, **numbers)
    assert chance(situation, game) == total != chance(situation)


def test_a_layer_changes_a_modifier() -> None:
    aimed = shot(attacker={"aim": 1})
    assert chance(aimed) == 67
    assert chance(aimed, layered("modifier", "aim", {"value": 25})) == 72


def test_a_layer_changes_what_a_critical_hit_multiplies() -> None:
    trebled = patched("damage-factors", "critical", factor=3)
    assert outcome("shooting", shot(), [44], [4], [50], [1], game=trebled)["net_damage"] == 3 * 7 - 4
    late = patched("damage-factors", "critical", after_armor=True)
    assert outcome("shooting", shot(), [44], [4], game=late)["net_damage"] == 2 * (7 - 4)


def test_a_layer_changes_locations_and_the_share_of_the_mount() -> None:
    legs = patched("hit-location", "right-leg", to=100)
    assert outcome("shooting", shot(), [36], [1], game=legs)["damage_location"] == "right-leg"
    rider = shot(target={"mounted": True, "toughness": None})
    never = patched("mounted-target", "not-aimed", hits_mount=0)
    assert outcome("shooting", rider, [36], [1], [1], game=never)["mount_hits"] == 0


def test_further_targets_are_for_full_automatic_fire() -> None:
    two = shot(other_1={"armor": [], "toughness": 50, "distance": 8})
    with pytest.raises(InputError, match="only full automatic fire"):
        play("shooting", two)
    for fire in ({"mode": "full-auto", "shots": 1}, {"mode": "full-auto"}):
        with pytest.raises(InputError, match="1 shots cannot be split over 2"):
            play("shooting", {**two, "fire": fire})
    single = patched("fire-modes", "semi-auto", split=True)
    split = {**two, "fire": {"mode": "semi-auto", "shots": 2}}
    assert outcome("shooting", split, [99], [99], game=single)["other_1.hit"] is False


def test_what_is_missing_is_told_at_once() -> None:
    with pytest.raises(InputError) as raised:
        play("shooting", {"attacker": {}, "target": {}, "weapon": {"modes": ["single", "full-auto"]}})
    assert {problem.path for problem in raised.value.problems} == {
        "situation.attacker.ballistic_skill",
        "situation.weapon.damage",
        "situation.fire.mode",
        "situation.distance",
        "situation.target.armor",
        *(f"situation.weapon.{band}" for band in ("short", "medium", "long")),
    }
    two = shot(fire={"mode": "full-auto", "shots": 4}, other_1={"toughness": 40})
    with pytest.raises(InputError) as raised:
        play("shooting", two)
    assert {problem.path for problem in raised.value.problems} == {
        "situation.other_1.distance",
        "situation.other_1.armor",
    }


def test_odds_of_a_blast_count_people() -> None:
    throw = {
        **shot(target={"toughness": None}, other_1={"armor": []}, distance=5),
        "weapon": {"use": "frag-grenade", "mods": []},
    }
    found = measures("shooting", throw)
    assert (found["hit"], found["critical"]) == pytest.approx((2 * 0.47, 0.04))


def test_one_piece_in_place_of_all_is_the_targets() -> None:
    throw = {
        **shot(target={"toughness": None}, other_1={"armor": []}, armor={"value": 9}, distance=5),
        "weapon": {"use": "frag-grenade", "mods": []},
    }
    # 36: 5 + 6 = 11, of which 9 stay in the armor; 50 is the body of the other, who has none
    facts = outcome("shooting", throw, [36], [5, 6], [50])
    assert (facts["target.net_damage"], facts["other_1.net_damage"]) == (2, 11)


def test_cover_must_say_what_it_hides() -> None:
    with pytest.raises(InputError, match="the locations that the cover hides"):
        play("shooting", shot(target={"cover": 4}))


def test_another_target_has_modifiers_of_its_own() -> None:
    two = shot(
        fire={"mode": "full-auto", "shots": 4},
        target={"pace": "ran"},
        other_1={"armor": [], "toughness": 40, "distance": 45, "pace": "sprinted", "prone": True},
    )
    request = asked(
        "shooting", two, modifiers=[{"to": "other_1.shooting.chance", "label": "Gust", "value": -3}]
    )
    totals = {tally.to: tally.total for tally in request.procedure.prepare(request.attempt).tallies}
    assert totals["shooting.chance"] == 19  # (47 - 10) / 2
    # 47 - 20 extreme - 20 - 10 prone - 3 = -6, half for the range -3, half for the burst -1.5 up -1
    assert totals["other_1.shooting.chance"] == -1


def test_dead_and_unhurt_people_in_a_blast() -> None:
    throw = shot(
        weapon={"use": "frag-grenade", "mods": []},
        target={"toughness": 30},
        other_1={"armor": ["protective-field"], "toughness": 50},
        distance=5,
    )
    throw["weapon"] = {"use": "frag-grenade", "mods": []}
    # 33: critical, 20 doubled and less 4 is 36 of 30. 25 is the body; the field takes 10 of 20, and 10 is not above 10
    answer = play("shooting", throw, [33], [10, 10], [25], [10])
    facts = answer["outcome"]
    assert (facts["target.down"], facts["target.net_damage"]) == ("dead", 36)
    assert (facts["other_1.net_damage"], facts["other_1.body_level"]) == (10, 2)
    assert [one["amount"] for one in answer["effects"] if one["type"] == "item"] == [-1]


@pytest.mark.parametrize(
    "situation",
    [
        shot(armor=FIELD),
        shot(target={"mounted": True}, weapon={"damage": "3", "mods": ["removable-silencer"]}),
        shot(attacker={"mounted": True, "hands_off": True, "initiative": 40}, weapon={"damage": "3"}),
    ],
)
def test_stages_survive_json(situation: dict[str, Any]) -> None:
    survives_json(first_stage("shooting", situation))


REBUILT = [
    shot(action={"merged": True}, attacker={"aim": 2}, distance=60, weapon={"mods": ["removable-silencer"]}),
    shot(
        fire={"mode": "full-auto", "shots": 5},
        other_1={"armor": [], "toughness": 40, "distance": 30, "pace": "ran"},
        action={"merged": True},
    ),
    shot(attacker={"mounted": True, "hands_off": True, "initiative": 40}),
]


@pytest.mark.parametrize("situation", REBUILT)
def test_without_a_line_the_shot_is_what_it_would_be_without(situation: dict[str, Any]) -> None:
    typed = [{"to": "shooting.chance", "label": "Hand", "value": 7}]
    request = asked("shooting", situation, modifiers=typed)
    rules = request.attempt.rules.remembering()
    wish = request.attempt._replace(rules=rules)
    prepared = request.procedure.prepare(wish)
    assert prepared.rebuild is not None
    seen = 0
    for tally in prepared.tallies:
        for entry in tally.changing():
            stage = prepared.rebuild(rules.retally(tally, entry.id))
            if entry.origin == "hand":
                afresh = wish._replace(hand=())
            else:
                afresh = wish._replace(rules=request.attempt.rules.without(tally.to, entry.id))
            assert stage == request.procedure.prepare(afresh).stage
            seen += 1
    assert seen >= 1
