"""Suppressive fire, barriers, quick draws, misfires and called shots without damage, against counts by brute force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sr4_table import chances, entries, explain, measures, odds, resolve, step, total
from tiers import scale

from fracas.dice.pools import GLITCHES, Opposed, Pool, glitch_of
from fracas.engine.running import Answer
from fracas.errors import InputError

GUN: dict[str, Any] = {
    "skill": "pistols",
    "category": "heavy-pistol",
    "dv": 3,
    "damage": "physical",
    "ap": 0,
    "armor_kind": "ballistic",
    "modes": ["SA", "FA"],
    "feed": "clip",
    "rounds": 30,
}
NOBODY = {"body": 1, "ballistic": 1, "impact": 1}
SINGLE = {"mode": "semi-automatic"}


FACES = (("one", 1), ("plain", 3), ("hit", 2))
"""What a die may show, and in how many ways."""


@cache
def fallen(dice: int) -> Mapping[tuple[int, int], Fraction]:
    """The chance of each (hits, place in `GLITCHES`), by going through every way that the dice may fall."""
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for shown in product(FACES, repeat=dice):
        kinds = [kind for kind, _ in shown]
        hits, ones = kinds.count("hit"), kinds.count("one")
        glitch = 0 if not dice or ones * 2 < dice else 1 if hits else 2
        found[hits, glitch] += Fraction(prod(ways for _, ways in shown), 6**dice)
    return found


@cache
def hits_of(dice: int) -> Mapping[int, Fraction]:
    """The chance of each number of hits."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for (hits, _), chance in fallen(dice).items():
        found[hits] += chance
    return found


def branch(answer: dict[str, Any], name: str, *facts: str) -> dict[tuple[Any, ...], float]:
    found: dict[tuple[Any, ...], float] = defaultdict(float)
    (told,) = [one for one in answer["branches"] if one["branch"] == name]
    for row in told["outcomes"]:
        found[tuple(row["outcome"].get(fact) for fact in facts)] += row["chance"]
    return dict(found)


def agree(found: Mapping[Any, float], counted: Mapping[Any, Fraction]) -> None:
    assert found.keys() == {key for key, chance in counted.items() if chance}
    for key, chance in found.items():
        assert chance == pytest.approx(float(counted[key]), abs=1e-9)


@pytest.mark.parametrize(("mine", "theirs"), [(0, 0), (1, 0), (0, 2), (2, 1), (3, 2)])
def test_a_test_of_two_sides_tells_the_glitch_of_the_first(mine: int, theirs: int) -> None:
    counted: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    for (hits, glitch), chance in fallen(mine).items():
        for other, more in hits_of(theirs).items():
            counted[hits, glitch, other] += chance * more
    spread = Opposed(Pool(mine), Pool(theirs), "told").spread()
    found = {
        answer: weight / spread.total for answer, weight in zip(spread.answers, spread.weights, strict=True)
    }
    agree(found, counted)
    request = Opposed(Pool(mine), Pool(theirs), "told")
    for faces in product(range(1, 7), repeat=mine + theirs):
        groups = [group for group in (faces[:mine], faces[mine:]) if group]
        hits, ones = sum(face >= 5 for face in faces[:mine]), faces[:mine].count(1)
        glitch = GLITCHES.index(glitch_of(mine, hits, ones, "half_or_more"))
        assert request.answer(groups) == (hits, glitch, sum(face >= 5 for face in faces[mine:]))


# Suppressive fire


@pytest.mark.parametrize(("attack", "avoid"), [(1, 1), (2, 3), (3, 2), (0, 2), (2, 0)])
def test_odds_of_suppressive_fire(attack: int, avoid: int) -> None:
    situation = {
        "attacker": {"pool": attack},
        "weapon": GUN,
        "victim_1": {**NOBODY, "pool": avoid},
        "victim_2": {**NOBODY, "unaware": True},
    }
    counted: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    surely: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    soak = hits_of(2)
    for threshold, chance in hits_of(attack).items():
        for away, more in hits_of(avoid).items():
            for soaked, most in soak.items():
                share = chance * more * most
                if not threshold:
                    counted["safe", 0] += share
                elif away >= threshold:
                    counted["avoided", 0] += share
                else:
                    counted["hit", 3 - soaked] += share
        for soaked, most in soak.items():
            surely[("hit", 3 - soaked) if threshold else ("safe", 0)] += chance * most
    answer = odds(situation, procedure="suppressive-fire")
    agree(branch(answer, "victim_1", "result", "damage"), counted)
    agree(branch(answer, "victim_2", "result", "damage"), surely)
    thresholds = {(hits,): chance for hits, chance in hits_of(attack).items()}
    agree(branch(answer, "zone", "threshold"), thresholds)


@given(threshold=st.integers(0, 6), pool=st.integers(0, 5))
@settings(max_examples=25, deadline=None)
def test_a_zone_that_is_entered_has_the_threshold_with_which_it_was_opened(threshold: int, pool: int) -> None:
    situation = {
        "zone": "entered",
        "attacker": {"suppression": threshold},
        "weapon": GUN,
        "victim_1": {**NOBODY, "pool": pool},
    }
    found = branch(odds(situation, procedure="suppressive-fire"), "victim_1", "result")
    away = sum((chance for hits, chance in hits_of(pool).items() if hits >= threshold), Fraction())
    counted = {("avoided",): away, ("hit",): 1 - away} if threshold else {("safe",): Fraction(1)}
    agree(found, counted)


@pytest.mark.parametrize(
    ("situation", "missing"),
    [
        ({"attacker": {"pool": 4}}, {"weapon.dv", "weapon.damage", "weapon.ap", "weapon.armor_kind"}),
        ({"weapon": GUN}, {"attacker.agility", "attacker.skills"}),
        ({"weapon": GUN, "zone": "entered"}, {"attacker.suppression", "victim_1"}),
        (
            {"attacker": {"pool": 4}, "weapon": GUN, "victim_2": {"reaction": 3}},
            {"victim_2.edge", "victim_2.body", "victim_2.armor"},
        ),
        (
            {
                "attacker": {"pool": 4},
                "weapon": {**GUN, "ammunition": "stick-n-shock"},
                "victim_1": {**NOBODY, "pool": 1},
            },
            {"victim_1.willpower"},
        ),
    ],
)
def test_what_suppressive_fire_needs(situation: dict[str, Any], missing: set[str]) -> None:
    with pytest.raises(InputError) as caught:
        explain(situation, procedure="suppressive-fire")
    assert {problem.path.removeprefix("situation.") for problem in caught.value.problems} == missing


def test_edge_to_get_away_is_a_point_less_for_the_resistance() -> None:
    situation = {
        "zone": "entered",
        "attacker": {"suppression": 3},
        "weapon": GUN,
        "victim_1": {**NOBODY, "pool": 2, "edge": 2, "edge_points": 1},
    }
    answer, asked = step(
        situation,
        lambda question: "push" if question["about"]["roll"] == "avoid" else None,
        lambda question: Answer(dice=None),
        procedure="suppressive-fire",
        dice={"source": "seed", "seed": f"{7:064x}"},
    )
    options = [[one["id"] for one in each["options"]] for each in asked if each["kind"] == "decision"]
    only_point_spent = ["none", "burn"]
    assert options == [["none", "push", "burn"], only_point_spent]
    assert [effect["amount"] for effect in answer["effects"] if effect["what"] == "edge"] == [1]


# Barriers


@given(attack=st.integers(1, 10), defense=st.integers(0, 8), armor=st.integers(0, 8))
@settings(max_examples=20, deadline=None)
def test_a_barrier_without_armor_is_none(attack: int, defense: int, armor: int) -> None:
    situation = {
        "attacker": {"pool": attack},
        "target": {"pool": defense, "body": 3, "ballistic": armor, "impact": 2},
        "weapon": GUN,
        "fire": SINGLE,
    }
    plain = chances(odds(situation), ("result", "damage", "track"))
    behind = chances(odds({**situation, "barrier": {"armor": 0}}), ("result", "damage", "track"))
    assert behind.keys() == plain.keys()
    assert all(behind[key] == pytest.approx(chance) for key, chance in plain.items())


@pytest.mark.parametrize("barrier", [1, 3, 4, 5, 9])
@pytest.mark.parametrize("armor", [0, 2])
def test_odds_through_a_barrier(barrier: int, armor: int) -> None:
    attack, defense, body = 3, 1, 1
    counted: dict[tuple[str, int, str | None], Fraction] = defaultdict(Fraction)
    for hits, chance in hits_of(attack).items():
        for dodged, more in hits_of(defense).items():
            net = hits - dodged
            if net <= 0:
                counted["graze" if net == 0 else "miss", 0, None] += chance * more
            elif 3 + net <= barrier:
                counted["stopped", 0, None] += chance * more
            else:
                for soaked, most in hits_of(body + armor + barrier).items():
                    track = "physical" if 3 + net > armor + barrier else "stun"
                    counted["hit", max(0, 3 + net - soaked), track] += chance * more * most
    situation = {
        "attacker": {"pool": attack},
        "target": {"pool": defense, "body": body, "ballistic": armor, "impact": 0},
        "weapon": GUN,
        "fire": SINGLE,
        "barrier": {"armor": barrier},
    }
    found = chances(odds(situation), ("result", "damage", "track"))
    agree(found, counted)


def _penetration(barrier: int, worn: int, ap: int, halves: bool = False) -> tuple[int, int]:
    """The armor of the barrier, and that of somebody behind it, by the rulebook: AP counts once for both together."""
    if halves:
        worn, barrier = -(-worn // 2), -(-barrier // 2)
    return max(0, barrier + ap), max(0, worn + barrier + ap)


@given(barrier=st.integers(0, 20), worn=st.integers(0, 12), ap=st.integers(-8, 8), halves=st.booleans())
@settings(max_examples=scale(20, 60), deadline=None)
def test_armor_behind_a_barrier(barrier: int, worn: int, ap: int, halves: bool) -> None:
    situation = {
        "attacker": {"pool": 5},
        "target": {"pool": 5, "body": 3, "ballistic": worn, "impact": 0},
        "weapon": {**GUN, "ap": ap, "ap_half": halves},
        "fire": SINGLE,
        "barrier": {"armor": barrier},
    }
    answer = explain(situation)
    wall, both = _penetration(barrier, worn, ap, halves)
    if ap > 0 and barrier == 0:  # there is no armor that it could raise
        wall, both = 0, both if worn else 0
    assert (total(answer, "barrier.rating"), total(answer, "armor.rating")) == (wall, both)


@pytest.mark.parametrize(("attack", "armor", "structure", "lost"), [(2, 2, 1, 0), (3, 3, 2, 1), (1, 4, 1, 0)])
def test_odds_of_a_hole(attack: int, armor: int, structure: int, lost: int) -> None:
    counted: dict[tuple[str, int, bool], Fraction] = defaultdict(Fraction)
    for hits, chance in hits_of(attack).items():
        if not hits or 3 + hits <= armor:
            counted["no-effect" if hits else "miss", 0, lost > structure] += chance
            continue
        for resisted, more in hits_of(armor).items():
            damage = max(0, 3 + hits - resisted)
            counted["hit", damage, lost + damage > structure] += chance * more
    situation = {
        "attacker": {"pool": attack},
        "weapon": GUN,
        "fire": SINGLE,
        "barrier": {"armor": armor, "structure": structure, "damage": lost},
    }
    answer = odds(situation, procedure="barrier-attack")
    agree(chances(answer, ("result", "damage", "hole")), counted)
    hole = sum(chance for (_, _, broken), chance in counted.items() if broken)
    assert measures(answer)["hole"] == pytest.approx(float(hole))


def test_materials_are_rows_of_the_packs() -> None:
    rows = {
        "fragile": (1, 1), "cheap": (2, 3), "average": (4, 5), "heavy": (6, 7), "reinforced": (8, 9),
        "structural": (12, 11), "heavy-structural": (16, 13), "armored": (24, 15), "hardened": (32, 17),
    }  # fmt: skip
    for material, (armor, structure) in rows.items():
        situation = {
            "attacker": {"pool": 40},
            "weapon": {**GUN, "dv": 90},
            "fire": SINGLE,
            "barrier": {"material": material},
        }
        outcome = resolve(situation, procedure="barrier-attack", dice={"source": "seed", "seed": f"{1:064x}"})
        assert outcome["outcome"]["modified_armor"] == armor
        lost = {**situation, "barrier": {"material": material, "damage": structure}}
        lost["weapon"] = {**GUN, "dv": 0}
        left = resolve(lost, procedure="barrier-attack", dice={"source": "seed", "seed": f"{1:064x}"})
        assert left["outcome"]["structure_left"] == 0
    with pytest.raises(InputError, match="cheep"):
        explain({**situation, "barrier": {"material": "cheep"}}, procedure="barrier-attack")


def test_melee_weapons_break_barriers_too() -> None:
    """Agility 5 + Blades 4, without the -3 of shooting in melee; (3/2 + 3)P, AP -1 against 2 - 1."""
    attacker = {"use": "rook", "in_melee": True}
    situation = {"attacker": attacker, "weapon": "katana", "barrier": {"material": "cheap"}}
    answer = explain(situation, procedure="barrier-attack")
    assert total(answer, "attack.pool") == 9
    assert (total(answer, "damage.value"), total(answer, "barrier.rating")) == (5, 1)


def test_what_does_no_damage_breaks_nothing() -> None:
    with pytest.raises(InputError, match="no damage"):
        explain(
            {"explodes": True, "weapon": "smoke-grenade", "barrier": {"material": "cheap"}},
            procedure="barrier-attack",
        )


# Quick draw


@given(draw=st.integers(1, 12), attack=st.integers(1, 10), holster=st.booleans(), wounds=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_a_hit_takes_a_draw_and_an_attack(draw: int, attack: int, holster: bool, wounds: int) -> None:
    situation = {
        "attacker": {
            "draw_pool": draw, "pool": attack, "quick_draw_holster": holster, "physical": wounds, "stun": 0,
        },
        "target": {"pool": 3, "body": 3, "ballistic": 4, "impact": 2},
        "weapon": GUN,
        "fire": SINGLE,
    }  # fmt: skip
    quick = measures(odds(situation, procedure="quick-draw"))
    drawn = {name: value for name, value in situation["attacker"].items() if "draw" not in name}
    shot = measures(odds({**situation, "attacker": drawn}))
    dice = max(0, draw - wounds // 3)
    if dice <= 6:
        wanted = 2 if holster else 3
        counted = sum(
            chance for (hits, glitch), chance in fallen(dice).items() if hits >= wanted and not glitch
        )
        assert quick["drawn"] == pytest.approx(float(counted))
    for name in ("hit", "damage", "knockdown"):
        assert quick[name] == pytest.approx(quick["drawn"] * shot[name])


def test_without_anybody_to_shoot_at_it_only_draws() -> None:
    situation = {"attacker": {"draw_pool": 2}, "weapon": GUN}
    counted: dict[tuple[str], Fraction] = defaultdict(Fraction)
    for (hits, glitch), chance in fallen(2).items():
        result = ("success" if hits >= 3 else "slow", "stuck", "flung")[glitch]
        counted[result,] += chance
    agree(chances(odds(situation, procedure="quick-draw"), ("draw",)), counted)


def test_two_draws_are_two_tests() -> None:
    situation = {"attacker": {"draw_pool": 5, "quick_draw_holster": True}, "weapon": GUN, "weapon_2": {}}
    situation["weapon_2"] = {"category": "light-pistol"}
    drawn = sum(chance for (hits, glitch), chance in fallen(5).items() if hits >= 3 and not glitch)
    both = chances(odds(situation, procedure="quick-draw"), ("draw", "second_draw"))
    assert both["success", "success"] == pytest.approx(float(drawn * drawn))
    assert sum(both.values()) == pytest.approx(1)


def test_one_point_of_edge_is_not_spent_on_both_draws() -> None:
    situation = {
        "attacker": {"draw_pool": 4, "edge": 3, "edge_points": 3},
        "weapon": GUN,
        "weapon_2": {"category": "light-pistol"},
    }
    answer, asked = step(
        situation,
        lambda question: "push" if question["decision"] == "edge-before" else None,
        procedure="quick-draw",
        dice={"source": "seed", "seed": f"{3:064x}"},
    )
    assert [one["decision"] for one in asked if one.get("decision") == "edge-before"] == ["edge-before"]
    assert sum(effect["amount"] for effect in answer["effects"] if effect["what"] == "edge") == 1


# Misfires


EXPLOSIVE = {**GUN, "ammunition": "explosive"}


@pytest.mark.parametrize("unaware", [False, True])
@pytest.mark.parametrize("pool", [1, 2, 3, 4])
def test_odds_of_a_misfire(pool: int, unaware: bool) -> None:
    situation = {
        "attacker": {"pool": pool, **NOBODY},
        "target": {"pool": 2, "body": 1, "ballistic": 0, "impact": 0, "unaware": unaware},
        "weapon": EXPLOSIVE,
        "fire": SINGLE,
    }
    critical = fallen(pool)[0, 2]
    counted: dict[tuple[bool | None, int | None], Fraction] = defaultdict(Fraction)
    counted[None, None] = 1 - critical
    for soaked, chance in hits_of(2).items():  # 3 + 1 against Body 1 and armor 1
        counted[True, 4 - soaked] += critical * chance
    answer = odds(situation)
    agree(chances(answer, ("misfire", "misfire_damage")), counted)
    plain = measures(odds({**situation, "weapon": GUN}))["hit"]
    assert measures(answer)["hit"] == pytest.approx(plain)


def test_edge_cancels_the_glitch_before_it_goes_off() -> None:
    situation = {
        "attacker": {"pool": 2, "edge": 2, "edge_points": 1, **NOBODY},
        "target": {"pool": 2, "body": 1, "ballistic": 0, "impact": 0, "edge": 1, "edge_points": 1},
        "weapon": EXPLOSIVE,
        "fire": SINGLE,
    }
    faces = {"attack": (1, 1), "defense": (1, 1)}

    def play(choice: str | None, by: str = "attacker") -> dict[str, Any]:
        def choose(question: Any) -> str | None:
            return choice if question["decision"] == "edge-after" and question["by"] == by else None

        def roll(question: Any) -> Answer:
            labels = [group["label"] for group in question["groups"]]
            known = [faces[label] for label in labels if label in faces]
            return Answer(dice=tuple(known)) if known else Answer()

        answer, _ = step(situation, choose, roll, dice={"source": "seed", "seed": f"{5:064x}"})
        found: dict[str, Any] = answer["outcome"]
        return found

    assert play(None)["misfire"] is True
    assert "misfire" not in play("negate-glitch")
    assert play("negate-glitch", "target")["misfire"] is True  # the glitch of the defender is his own matter


def test_too_little_known_of_the_shooter() -> None:
    situation = {
        "attacker": {"pool": 2},
        "target": {"pool": 2, "body": 1, "ballistic": 0, "impact": 0},
        "weapon": EXPLOSIVE,
        "fire": SINGLE,
    }
    dice = {"source": "supplied", "faces": [[1, 1], [1, 1]]}
    outcome = resolve(situation, dice=dice)["outcome"]
    assert (outcome["misfire"], outcome["result"]) == (True, "miss")
    assert "misfire_damage" not in outcome


# Called shots without damage


@pytest.mark.parametrize("strength", [0, 3, 4, 5, 9])
def test_odds_of_knocking_an_item_away(strength: int) -> None:
    situation = {
        "attacker": {"pool": 4 + 3},
        "target": {"pool": 2, "body": 1, "strength": strength, "ballistic": 0, "impact": 0},
        "weapon": GUN,
        "fire": SINGLE,
        "called_shot": {"kind": "item"},
    }
    counted: dict[tuple[bool], Fraction] = defaultdict(Fraction)
    for hits, chance in hits_of(3).items():  # 7 - 4
        for dodged, more in hits_of(2).items():
            net = hits - dodged
            counted[(net > 0 and 3 + net > strength),] += chance * more
    answer = odds(situation)
    agree(chances(answer, ("item_dropped",)), counted)
    assert measures(answer)["damage"] == 0


# All of them


def requests() -> list[Any]:
    return [
        pytest.param(entry.data["request"], id=entry.slug)
        for entry in entries("example")
        if entry.data["expect"].get("status") == "resolved"
        and entry.data["request"]["procedure"] in ("suppressive-fire", "barrier-attack", "quick-draw")
    ]


@pytest.mark.each("request_made", requests)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_one_question_at_a_time_gives_what_all_at_once_gives(
    request_made: dict[str, Any], number: int
) -> None:
    asked = {**request_made, "dice": {"source": "seed", "seed": f"{number:064x}"}}
    answer, questions = step(**asked)
    at_once = resolve(**asked)
    assert questions
    assert (answer["outcome"], answer["effects"]) == (at_once["outcome"], at_once["effects"])
