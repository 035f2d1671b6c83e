"""Grenades and area weapons: scatter, fall-off, several people, against counts by brute force and laws of geometry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, cos, radians, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_table import effects, entries, explain, measures, odds, resolve, seed, step, total

from fracas.errors import InputError
from fracas.kernel.stage import Fork, Stage, from_json, share, to_json
from fracas.packs.entries import Entry
from fracas.rulesets.sr4.ranged.blast_stages import Blast, Launched, Scatter, Victim, go_off
from fracas.rulesets.sr4.rolls.sides import RollRules, Side

HE = "high-explosive-grenade"


def warheads() -> list[Entry]:
    return [entry for entry in entries("ammunition") if entry.data.get("fits") in ("grenade", "missile")]


def blast(situation: dict[str, Any], **more: Any) -> dict[str, Any]:
    return resolve(situation, procedure="blast-attack", **more)


def missing(situation: dict[str, Any]) -> set[str]:
    with pytest.raises(InputError) as caught:
        explain(situation, procedure="blast-attack")
    assert {problem.code for problem in caught.value.problems} == {"missing-field"}
    return {problem.path.removeprefix("situation.") for problem in caught.value.problems}


def victim(where: dict[str, Any], armor: int = 2, dice: int = 0) -> Victim:
    return Victim(
        "victim_1",
        where.get("measured"),
        where.get("distance", 0),
        where.get("bearing", 0),
        where.get("rebound"),
        armor,
        Side("soak", "victim_1", dice),
        0,
        3,
        None,
    )


def explosion(*victims: Victim, **more: Any) -> Blast:
    plan = Blast(
        10, 2, 5, "physical", 1, 1, 0, (0, 60, 120, 180, 240, 300), "", False,
        tuple(share(one) for one in victims), RollRules(),
    )  # fmt: skip
    return plan._replace(**more)


# Odds, counted anew.


def thrown(pool: int) -> Iterator[tuple[int, bool]]:
    """(hits, glitch) of every way that a pool may fall."""
    for faces in product(range(1, 7), repeat=pool):
        yield sum(face >= 5 for face in faces), 2 * faces.count(1) >= pool


def brute(
    pool: int, distance: int, bearing: int, armor: int, dice: int
) -> dict[tuple[int, str | None], Fraction]:
    """The chance of (boxes, track) for one person in reach of a high explosive grenade, by counting every way."""
    soak: dict[int, Fraction] = defaultdict(Fraction)
    for faces in product(range(1, 7), repeat=dice):
        soak[sum(face >= 5 for face in faces)] += Fraction(1, 6**dice)
    found: dict[tuple[int, str | None], Fraction] = defaultdict(Fraction)
    for (hits, glitch), scatter, direction in product(thrown(pool), range(1, 7), range(6)):
        away = max(0, scatter - hits) * (2 if glitch else 1)
        angle = radians(60 * direction - bearing)
        way = sqrt(max(0.0, distance**2 + away**2 - 2 * distance * away * cos(angle)))
        value = max(0, 10 - 2 * ceil(round(way, 6)))
        weight = Fraction(1, 6**pool * 36)
        if not value:
            found[0, None] += weight
            continue
        for resisted, chance in soak.items():
            found[max(0, value - resisted), "physical" if value > armor else "stun"] += weight * chance
    return dict(found)


@pytest.mark.parametrize(
    ("pool", "distance", "bearing", "impact", "body"),
    [(2, 0, 0, 2, 3), (3, 3, 0, 3, 2), (3, 2, 90, 6, 0), (4, 4, 217, 8, 1)],
)
def test_odds_are_those_of_counting_every_way(
    pool: int, distance: int, bearing: int, impact: int, body: int
) -> None:
    person = {"distance": distance, "bearing": bearing, "impact": impact, "body": body}
    answer = odds(
        {"attacker": {"pool": pool}, "weapon": HE, "victim_1": person}, procedure="blast-attack", exact=True
    )
    armor = impact - 2
    expected = brute(pool, distance, bearing, armor, body + armor)
    branch = next(each for each in answer["branches"] if each["branch"] == "victim_1")
    found: dict[tuple[int, str | None], float] = defaultdict(float)
    for row in branch["outcomes"]:
        found[row["outcome"]["damage"], row["outcome"]["track"]] += row["chance"]
    assert found.keys() == expected.keys()
    for key, chance in expected.items():
        assert found[key] == pytest.approx(float(chance), abs=1e-12)
    boxes = sum(damage * chance for (damage, _), chance in expected.items())
    assert measures(answer)["damage"] == pytest.approx(float(boxes))
    hurt = sum(chance for (damage, _), chance in expected.items() if damage)
    assert measures(answer)["hurt"] == pytest.approx(float(hurt))


def test_odds_give_each_person_a_branch_and_their_boxes_add_up() -> None:
    one = {"use": "guard", "distance": 1, "bearing": 0}
    other = {"use": "vex", "distance": 2, "bearing": 120}
    base = {"attacker": {"pool": 5}, "weapon": HE}
    both = odds({**base, "victim_1": one, "victim_2": other}, procedure="blast-attack")
    alone = [odds({**base, "victim_1": person}, procedure="blast-attack") for person in (one, other)]
    assert [branch["branch"] for branch in both["branches"]] == ["blast", "victim_1", "victim_2"]
    for name in ("hurt", "damage", "down"):
        assert measures(both)[name] == pytest.approx(sum(measures(each)[name] for each in alone))
    assert measures(both)["on_the_spot"] == pytest.approx(measures(alone[0])["on_the_spot"])


def test_each_modifier_s_part_of_the_odds_is_what_its_absence_changes() -> None:
    situation = {
        "attacker": {"pool": 6, "running": True},
        "target": {"use": "guard", "running": True},
        "weapon": HE,
    }
    answer = odds(situation, procedure="blast-attack", attribution=True)
    rows = {row["id"]: row["change"] for row in answer["attribution"]}
    assert rows.keys() == {"attacker-running", "target-running", "area-weapon", "ap-ammunition"}
    standing = {**situation, "attacker": {"pool": 6}}
    without = measures(odds(standing, procedure="blast-attack"))
    assert rows["attacker-running"]["damage"] == pytest.approx(measures(answer)["damage"] - without["damage"])
    assert rows["attacker-running"]["damage"] < 0 < rows["area-weapon"]["damage"]


# Scatter.


@given(st.integers(-3, 8), st.integers(1, 30), st.integers(1, 5), st.sampled_from([1, 2]), st.booleans())
def test_hits_shorten_the_scatter_and_a_glitch_doubles_it(
    hits: int, rolled: int, dice: int, per_hit: int, glitch: bool
) -> None:
    plan = share(explosion(victim({"measured": 1}), dice=dice, per_hit=per_hit, less=1))
    launched = Launched(plan)
    stage = (
        launched.on_reported_result(hits, False, 1, (0, 0))
        if glitch
        else launched.on_result(hits, False, (0, 0))
    )
    assert isinstance(stage, Scatter)
    rolled = min(6 * dice, max(dice, rolled))
    landed = stage.advance(rolled)
    assert isinstance(landed, Fork)
    metres = max(0, rolled - 1 - per_hit * max(0, hits)) * (2 if glitch else 1)
    assert landed.notes()["blast.scatter"] == metres


@given(st.floats(0, 40), st.floats(0, 360), st.integers(0, 30), st.sampled_from([0, 60, 120, 180, 240, 300]))
def test_the_distance_from_the_blast_keeps_the_laws_of_triangles(
    distance: float, bearing: float, scatter: int, direction: int
) -> None:
    person = victim({"distance": distance, "bearing": bearing})
    way = person.way(scatter, direction)
    assert abs(distance - scatter) - 1e-6 <= way <= distance + scatter + 1e-6
    turned = victim({"distance": distance, "bearing": (bearing + 60) % 360})
    assert turned.way(scatter, (direction + 60) % 360) == pytest.approx(way, abs=1e-6)
    assert person.way(0, direction) == pytest.approx(distance, abs=1e-9)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 6), st.integers(0, 4))
def test_nearer_is_never_safer(near: int, more: int, value: int, falloff: int) -> None:
    plan = explosion(value=value, falloff=falloff, radius=None)
    assert 0 <= plan.value_at(near + more) <= plan.value_at(near) <= value
    assert plan._replace(radius=near).value_at(near) == plan.value_at(near)
    assert plan._replace(radius=near).value_at(near + 1) == 0


@pytest.mark.parametrize(
    ("metres", "value"), [(0, 10), (0.1, 8), (1, 8), (1.01, 6), (2, 6), (4.5, 0), (5, 0)]
)
def test_started_metres_count(metres: float, value: int) -> None:
    person = {"use": "guard", "armor": [], "blast_distance": metres}
    answer = blast({"aim": "goes-off", "weapon": HE, "victim_1": person}, dice=seed(1))
    assert answer["outcome"].get("victim_1.dv", 0) == value


def test_nobody_asks_for_a_direction_that_changes_nothing() -> None:
    def rolls(**people: Any) -> list[str]:
        situation = {"attacker": {"pool": 1}, "weapon": HE, **people}
        answer = blast(situation, dice=seed(5))
        assert answer["outcome"]["blast.scatter"] > 0
        return [roll["label"] for roll in answer["rolls"]]

    assert "direction" not in rolls(victim_1={"use": "guard", "blast_distance": 9})
    assert "direction" in rolls(victim_1={"use": "guard", "distance": 0})
    assert "direction" in rolls()


def test_house_rule_without_dice_lands_on_the_spot() -> None:
    options = {"scatter_dice_standard": 0}
    answer = blast({"attacker": {"pool": 1}, "weapon": HE}, options=options, dice=[[2]])
    assert answer["outcome"]["blast.result"] == "on-the-spot"


# Everybody in the packs' reach.


@pytest.mark.each("warhead", warheads, ids=lambda entry: entry.slug)
def test_warhead_at_the_center_and_beyond(warhead: Any) -> None:
    data = warhead.data
    weapon = "armtech-mgl-12" if data["fits"] == "grenade" else "mitsubishi-yakusoku-mrl"
    person = {"use": "brick", "edge_points": 0}
    situation = {
        "aim": "goes-off",
        "weapon": {"use": weapon, "ammunition": warhead.slug},
        "victim_1": {**person, "blast_distance": 0},
        "victim_2": {**person, "blast_distance": data.get("blast_radius", 0) + 1},
    }
    outcome = blast(situation, dice=seed(2))["outcome"]
    assert outcome.get("victim_1.dv") == data.get("dv")
    assert outcome["victim_1.result"] == ("hit" if "dv" in data else "in-area")
    assert outcome["victim_2.damage"] == 0
    if "blast_radius" in data:
        assert outcome["victim_2.result"] == "outside"


@pytest.mark.parametrize("number", range(20))
def test_whatever_falls_the_marks_are_the_damage(number: int) -> None:
    people = {
        "target": "guard",
        "victim_1": {"use": "vex", "distance": 2, "bearing": 45},
        "victim_2": {"use": "brick", "distance": 3, "bearing": 300, "physical": 3, "stun": 8},
        "victim_3": {"use": "rook", "distance": 6, "bearing": 180},
    }
    answer = blast({"attacker": "rook", "weapon": "fragmentation-grenade", **people}, dice=seed(number))
    outcome = answer["outcome"]
    for who in people:
        marked = [effect["amount"] for effect in effects(answer, "mark") if effect["who"] == who]
        assert sum(marked) == outcome[f"{who}.damage"]
        assert outcome[f"{who}.damage"] <= outcome.get(f"{who}.dv", 0)
        fallen = [effect for effect in effects(answer, "add-condition", "prone") if effect["who"] == who]
        assert bool(fallen) is outcome[f"{who}.knockdown"]


def test_step_by_step_each_person_decides_about_edge() -> None:
    situation = {
        "attacker": {"pool": 8},
        "weapon": HE,
        "victim_1": {"use": "guard", "blast_distance": 1, "edge": 2, "edge_points": 1},
        "victim_2": {"use": "vex", "blast_distance": 2},
    }
    answer, questions = step(situation, procedure="blast-attack")
    assert answer["status"] == "resolved"
    deciding = {question["by"] for question in questions if question["kind"] == "decision"}
    assert deciding == {"victim_1", "victim_2"}


def test_edge_spent_on_the_defense_is_gone_for_the_resistance() -> None:
    situation = {
        "attacker": {"pool": 8},
        "target": {"use": "guard", "edge": 2, "edge_points": 1, "blast_distance": 1},
        "weapon": HE,
    }
    _, questions = step(
        situation,
        procedure="blast-attack",
        choose=lambda asked: "push" if asked["about"]["roll"] == "defense" else None,
    )
    asked = {
        question["about"]["roll"]: [option["id"] for option in question["options"]]
        for question in questions
        if question["kind"] == "decision"
    }
    assert asked == {"defense": ["none", "push", "burn"], "soak": ["none", "burn"]}


def test_who_is_unaware_does_not_defend() -> None:
    situation = {"attacker": {"pool": 4}, "target": {"use": "guard", "unaware": True}, "weapon": HE}
    answer = blast(situation, dice=seed(1))
    assert "defense_hits" not in answer["outcome"]
    assert not effects(answer, "gain", "defenses-made")
    assert "target.damage" in answer["outcome"]


def test_full_defense_helps_to_get_away() -> None:
    situation = {"attacker": {"pool": 4}, "target": {"use": "vex", "full_defense": "dodge"}, "weapon": HE}
    assert total(explain(situation, procedure="blast-attack"), "defense.pool") == 5 + 4 - 2


def test_cover_of_somebody_who_is_not_aimed_at_does_not_hamper() -> None:
    near = {"use": "guard", "cover": "good", "blast_distance": 1}
    place = {"aim": "place", "attacker": {"pool": 6}, "target": near, "weapon": HE}
    answer = explain(place, procedure="blast-attack")
    assert total(answer, "attack.pool") == 6
    assert total(answer, "blast-resist.target") == 3 + 2
    aimed = explain({**place, "aim": "target"}, procedure="blast-attack")
    assert total(aimed, "attack.pool") == 2


def test_what_is_thrown_has_no_recoil() -> None:
    before = {"attacker": {"pool": 6, "rounds_before": 9}}
    answer = explain({**before, "weapon": HE}, procedure="blast-attack")
    assert total(answer, "attack.pool") == 6
    launcher = {"use": "armtech-mgl-12", "ammunition": HE}
    assert total(explain({**before, "weapon": launcher}, procedure="blast-attack"), "attack.pool") == 0


@pytest.mark.parametrize(
    ("weapon", "aim", "spent", "fired"),
    [
        (HE, "place", 1, False),
        ({"use": "armtech-mgl-12", "ammunition": HE}, "place", 1, True),
        (
            {"dv": 6, "damage": "stun", "ap": 0, "blast_falloff": 1, "skill": "throwing-weapons"},
            "place",
            0,
            False,
        ),
        (HE, "goes-off", 0, False),
    ],
)
def test_what_is_thrown_or_fired_is_gone(weapon: Any, aim: str, spent: int, fired: bool) -> None:
    person = {"use": "guard", "blast_distance": 3}
    situation = {"aim": aim, "attacker": {"pool": 4}, "weapon": weapon, "victim_1": person}
    answer = blast(situation, dice=seed(4))
    counted = [
        effect["amount"] for effect in effects(answer, "item", "weapon") if effect["amount"] is not None
    ]
    assert counted == [-1] * spent
    assert bool(effects(answer, "gain", "rounds-fired")) is fired


# What is missing.


def test_what_the_rule_needs_is_told_at_once() -> None:
    assert missing({"weapon": "armtech-mgl-12"}) == {
        "attacker.agility",
        "attacker.skills",
        "weapon.ammunition",
    }
    assert missing({"aim": "goes-off", "weapon": HE}) == {"victim_1", "victim_1.blast_distance"}
    person = {"name": "Somebody"}
    assert missing({"attacker": {"pool": 4}, "weapon": HE, "victim_2": person}) == {
        "victim_2.body",
        "victim_2.armor",
        "victim_2.blast_distance",
    }
    away = {"use": "guard", "distance": 3}
    assert missing({"attacker": {"pool": 4}, "weapon": HE, "victim_1": away}) == {"victim_1.bearing"}
    assert missing({"aim": "goes-off", "weapon": HE, "victim_1": away}) == {"victim_1.blast_distance"}
    assert missing({"attacker": {"pool": 4}, "weapon": HE, "target": {"body": 3, "impact": 0}}) == {
        "target.reaction"
    }
    assert missing({"aim": "goes-off", "weapon": {"blast_falloff": 1}, "target": "guard"}) == {
        "weapon.dv",
        "target.blast_distance",
    }


def test_the_stages_survive_json() -> None:
    person = victim({"distance": 2.5, "bearing": 30.5, "rebound": 6.0}, dice=4)
    plan = share(explosion(person, victim({"measured": 3})))
    stages: list[Stage] = [
        Scatter(plan, 2, 1, (1, 0)),
        Scatter(plan, 0, 2, (0, 0)).advance(4),
        go_off(plan, 3, 60, (1, 1)),
    ]
    for stage in stages:
        assert from_json(to_json(stage)) == stage
