"""Shots: derived facts, refusals, odds counted in another way, several targets, suppressive fire."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr5_table import CORE, HOUSE

from fracas.engine.game import Game
from fracas.engine.modifier_samples import asked, prepare
from fracas.errors import InputError
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy
from fracas.kernel.ruleset import Prepared
from fracas.kernel.stage import Decision
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5 import RULESET
from fracas.rulesets.sr5.attacks.shooting import environment_modifier, range_band

SHOT: dict[str, Any] = {
    "attacker": {"pool": 7, "strength": 3},
    "target": {"pool": 3, "body": 3, "armor_value": 6, "willpower": 3, "physical": 0, "stun": 0},
    "weapon": {"use": "ak-97", "accuracy": 2, "ap": 0, "dv": 4},
    "fire": {"mode": "semi-automatic"},
    "distance": 10,
}


def made(situation: Mapping[str, Any], game: Game = CORE, procedure: str = "ranged-attack") -> Prepared:
    return prepare(game, RULESET.procedures[procedure], situation, {})


def totals(prepared: Prepared) -> dict[str, int]:
    return {tally.to: tally.total for tally in prepared.tallies}


def hits(dice: int, limit: int | None = None) -> dict[int, Fraction]:
    """The chances of hits by the binomial formula."""
    found: dict[int, Fraction] = {}
    for number in range(dice + 1):
        kept = number if limit is None else min(number, limit)
        chance = Fraction(comb(dice, number) * 2 ** (dice - number), 3**dice)
        found[kept] = found.get(kept, Fraction(0)) + chance
    return found


def test_odds_of_an_attack_are_those_of_three_binomials() -> None:
    """7 dice with a limit of 2 against 3; DV 4 against armor 6, so Stun below 6; soak 9 dice."""
    boxes: dict[tuple[str, int], Fraction] = {}
    for mine, chance in hits(7, 2).items():
        for theirs, other in hits(3).items():
            net = mine - theirs
            if net <= 0:
                key = ("graze" if net == 0 else "miss", 0)
                boxes[key] = boxes.get(key, Fraction(0)) + chance * other
                continue
            for soaked, third in hits(9).items():
                track = "stun" if 4 + net < 6 else "physical"
                key = (track, max(0, 4 + net - soaked))
                boxes[key] = boxes.get(key, Fraction(0)) + chance * other * third
    prepared = made(SHOT)
    assert totals(prepared)["soak.pool"] == 9
    assert prepared.stage is not None
    found = odds(prepared.stage, Transitions(DefaultPolicy())).only
    for (what, damage), chance in boxes.items():
        got = found.chance(
            lambda end, what=what, damage=damage: (  # type: ignore[misc]
                what in (end.notes()["result"], end.notes()["track"]) and end.notes()["damage"] == damage
            )
        )
        assert got == chance, (what, damage)


def test_another_tally_makes_the_same_stage_as_preparing_again() -> None:
    prepared = made(SHOT)
    assert prepared.rebuild is not None
    for tally in prepared.tallies:
        same = prepared.rebuild(tally)
        assert same is None or same == prepared.stage
    attack = next(tally for tally in prepared.tallies if tally.to == "attack.pool")
    fewer = prepared.rebuild(attack.plus(Entry("less", "Less", -3)))
    assert fewer == made({**SHOT, "attacker": {"pool": 4, "strength": 3}}).stage


# --- Environment and range ----------------------------------------------------------------------------------

ROWS = ("none", "light", "moderate", "heavy")
WORDS = {
    "visibility": ("clear", "light", "moderate", "heavy"),
    "light": ("full", "partial", "dim", "dark"),
    "glare": ("none", "weak", "moderate", "blinding"),
    "wind": ("none", "light", "moderate", "strong"),
    "range": ("short", "medium", "long", "extreme"),
}
LEVEL = st.integers(0, 3)


@given(LEVEL, LEVEL, LEVEL, LEVEL, LEVEL)
def test_the_worst_row_counts_or_the_next_one(see: int, light: int, glare: int, wind: int, far: int) -> None:
    facts = {
        "environment.visibility": WORDS["visibility"][see],
        "environment.light": WORDS["light"][light],
        "environment.glare": WORDS["glare"][glare],
        "environment.wind": WORDS["wind"][wind],
        "range.band": WORDS["range"][far],
    }
    columns = sorted((see, max(light, glare), wind, far))
    dice = (0, -1, -3, -6, -10)
    worst = columns[-1] + (1 if columns[-1] and columns[-2] == columns[-1] else 0)
    assert environment_modifier(facts, CORE.packs) == dice[worst]


def test_what_nobody_says_of_the_environment_does_not_count() -> None:
    assert environment_modifier({}, CORE.packs) is None
    assert environment_modifier({"environment.wind": "strong"}, CORE.packs) == -6


@pytest.mark.parametrize(
    ("weapon", "strength", "distance", "band"),
    [
        ("ak-97", 3, 25, "short"),
        ("ak-97", 3, 25.5, "medium"),
        ("ak-97", 3, 551, "beyond"),
        ("ares-antioch-2", 3, 4, "too-close"),
        ("bow-6", 4, 40, "medium"),
        ("bow-6", 4, 41, "long"),
    ],
)
def test_range_bands(weapon: str, strength: int, distance: float, band: str) -> None:
    entry = CORE.packs.entry("weapon", weapon)
    assert entry is not None
    table = CORE.packs.entry("range", entry.data["range"])
    facts = {"weapon.range": table, "attacker.strength": strength, "distance": distance}
    assert range_band(facts) == band


# --- Rounds and recoil --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "rounds", "fired", "recoil", "defense"),
    [
        ("single-shot", 9, 1, 0, 0),
        ("semi-automatic", 9, 1, 0, 0),
        ("semi-automatic-burst", 9, 3, -1, -2),
        ("burst", 2, 2, 0, -1),
        ("long-burst", 9, 6, -4, -5),
        ("full-automatic", 6, 6, -4, -5),
        ("long-full-automatic", 38, 10, -8, -9),
        ("long-full-automatic", 1, 1, 0, 0),
    ],
)
def test_rounds_recoil_and_defense(mode: str, rounds: int, fired: int, recoil: int, defense: int) -> None:
    """Compensation 2. The rifle is given every mode."""
    weapon = {"use": "ak-97", "rounds": rounds, "modes": ["SS", "SA", "BF", "FA"]}
    prepared = made(
        {**SHOT, "target": {**SHOT["target"], "pool": 12}, "weapon": weapon, "fire": {"mode": mode}}
    )
    assert prepared.facts["fire.rounds"] == fired
    assert totals(prepared)["attack.pool"] == max(0, 7 + recoil)
    assert totals(prepared)["defense.pool"] == 12 + defense


def test_accessories_compensate_where_they_are_set_up() -> None:
    """RPK HMG: tripod +6; Strength 6 and the free point make 3."""
    for deployed, compensation in ((False, 3), (True, 9)):
        situation = {
            **SHOT,
            "attacker": {"pool": 7, "strength": 6, "deployed": deployed},
            "weapon": "rpk-hmg",
        }
        prepared = made({**situation, "fire": {"mode": "full-automatic"}})
        assert totals(prepared)["recoil.compensation"] == compensation


def test_gel_knocks_down_two_points_earlier() -> None:
    """Physical limit (6 + 3 + 3) / 3 = 4."""
    target = {**SHOT["target"], "strength": 3, "reaction": 3}
    for load, limit in (("regular", 4), ("gel", 2)):
        stage: Any = made({**SHOT, "target": target, "load": load}).stage
        assert stage.test.then.plan.value.limit == limit


@pytest.mark.parametrize(
    ("load", "dv", "armor", "track"),
    [
        ("apds", 10, 12 - 2 - 4, "physical"),
        ("explosive", 11, 12 - 2 - 1, "physical"),
        ("ex-explosive", 12, 12 - 2 - 1, "physical"),
        ("hollow-point", 11, 12, "physical"),
        ("flechette", 12, 12 - 2 + 5, "physical"),
        ("gel", 10, 12 - 2 + 1, "stun"),
        ("stick-n-shock", 8, 12 - 5, "stun"),
    ],
)
def test_loads(load: str, dv: int, armor: int, track: str) -> None:
    target = {**SHOT["target"], "armor_value": 12}
    prepared = made({**SHOT, "target": target, "weapon": "ak-97", "load": load})
    assert (totals(prepared)["damage.value"], totals(prepared)["armor.value"]) == (dv, armor)
    stage: Any = prepared.stage
    assert stage.test.then.plan.value.track == track


# --- What is missing or impossible --------------------------------------------------------------------------


def test_everything_missing_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        made({"distance": 3})
    assert {problem.path for problem in caught.value.problems} == {
        f"situation.{name}"
        for name in (
            "attacker.agility",
            "attacker.skills",
            "weapon.skill",
            "weapon.accuracy",
            "weapon.dv",
            "weapon.damage",
            "weapon.ap",
            "fire.mode",
            "target.reaction",
            "target.intuition",
            "target.body",
        )
    }


def test_suppressive_fire_is_no_attack_on_somebody() -> None:
    with pytest.raises(InputError, match="suppressive-fire"):
        made({**SHOT, "fire": {"mode": "suppressive"}})


def test_without_dice_there_is_no_attack() -> None:
    stage: Any = made({**SHOT, "attacker": {"pool": 0, "strength": 3}}).stage
    assert stage.notes()["result"] == "no-attack"
    assert stage.effects() == ()


def test_a_dart_does_no_damage_of_its_own() -> None:
    prepared = made({**SHOT, "weapon": "parashield-dart-pistol"})
    assert prepared.stage is not None
    found = odds(prepared.stage, Transitions(DefaultPolicy())).only
    assert found.chance(lambda end: end.notes()["damage"] == 0) == 1
    assert found.chance(lambda end: bool(end.notes().get("contact"))) > Fraction(1, 2)


# --- Several targets ----------------------------------------------------------------------------------------


def several(way: str, number: int, game: Game = HOUSE, **more: Any) -> Prepared:
    others = {f"target_{at}": SHOT["target"] for at in range(2, number + 1)}
    return made({**SHOT, **others, "way": way, **more}, game, "ranged-volley")


@pytest.mark.parametrize("number", [1, 2, 3, 6])
def test_a_split_pool_is_split_wholly_and_carnival_not_at_all(number: int) -> None:
    attacker = {"pool": 40, "strength": 3}
    names = ["attack.pool", *(f"target_{at}.attack.pool" for at in range(2, number + 1))]
    recoil = min(0, 2 - number)
    split = totals(several("split", number, attacker=attacker))
    assert sum(split[name] for name in names) == 40 + number * recoil
    carnival = totals(several("carnival", number, attacker=attacker))
    assert [carnival[name] for name in names] == [40 + recoil] * number


def test_too_few_dice_for_so_many_targets() -> None:
    with pytest.raises(InputError, match="too few"):
        several("split", 6, attacker={"pool": 5, "strength": 3})


def test_rounds_run_out_among_several_targets() -> None:
    prepared = several("carnival", 3, weapon={"use": "ak-97", "rounds": 2})
    assert [refusal.code for refusal in prepared.refusals] == ["empty_weapon"]


def test_one_point_of_edge_is_offered_once() -> None:
    attacker = {"pool": 9, "strength": 3, "edge": 3, "edge_points": 1}
    situation = {**SHOT, "target_2": SHOT["target"], "way": "carnival", "attacker": attacker}
    procedure = RULESET.procedures["ranged-volley"]
    attempt = asked(HOUSE, procedure, situation, {})._replace(open=frozenset({"edge-before"}))
    fork: Any = procedure.prepare(attempt).stage
    awaited = [stage.awaits for _, stage in fork.branches]
    assert [isinstance(one, Decision) for one in awaited] == [True, False]
    assert awaited[0].by == "attacker"


# --- Suppressive fire ---------------------------------------------------------------------------------------


def escaping(**target: Any) -> Any:
    situation = {**SHOT, "attacker": {"suppression": 2}, "target": {**SHOT["target"], **target}}
    return made(situation, CORE, "escape-suppression").stage


def test_getting_away_takes_as_many_hits_as_the_fire() -> None:
    """DV 4 against armor 6 is Stun; nine dice resist it."""
    found = odds(escaping(pool=4), Transitions(DefaultPolicy())).only
    away = sum(chance for number, chance in hits(4).items() if number >= 2)
    assert found.chance(lambda end: end.notes()["result"] == "avoided") == away
    unhurt = sum(chance for number, chance in hits(9).items() if number >= 4)
    assert found.chance(lambda end: end.notes()["damage"] == 0) == away + (1 - away) * unhurt


def test_who_is_unaware_cannot_get_away() -> None:
    assert escaping(unaware=True).awaits.labels == ("soak",)


def test_suppressive_fire_needs_no_target_and_no_recoil() -> None:
    prepared = made({"attacker": SHOT["attacker"], "weapon": "ak-97"}, CORE, "suppressive-fire")
    assert totals(prepared) == {"recoil.compensation": 2, "attack.pool": 7, "limit.accuracy": 5}
    assert prepared.facts["fire.rounds"] == 20
