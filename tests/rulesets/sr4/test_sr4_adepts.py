"""Powers of adepts on a sheet count by themselves, in the test and in its odds; worked out again from section 34.4."""

from __future__ import annotations

from typing import Any

import pytest
from sr4_table import effects, entries, lines, measures, odds, resolve, seed, total

from fracas.rulesets.sr4.vocabulary import by_powers

ADEPT = {"agility": 5, "strength": 6, "skills": {"unarmed-combat": 6, "throwing-weapons": 4}, "magic": 5}
VICTIM = {"reaction": 3, "skills": {}, "body": 4, "willpower": 3, "ballistic": 6, "impact": 6}


def melee(powers: list[str], levels: dict[str, int] | None = None, **more: Any) -> dict[str, Any]:
    adept = {**ADEPT, "powers": powers, "power_levels": levels or {}}
    return {"attacker": adept, "target": VICTIM, "weapon": "unarmed-attack", **more}


def thrown(powers: list[str], levels: dict[str, int] | None = None, **more: Any) -> dict[str, Any]:
    adept = {**ADEPT, "powers": powers, "power_levels": levels or {}, "rounds_before": 0}
    shot = {"weapon": "shuriken", "fire": {"mode": "single-shot"}, "distance": 6}
    return {"attacker": adept, "target": VICTIM, **shot, **more}


DARK = {"visibility": ["full-darkness"]}


@pytest.mark.parametrize(
    ("power", "level", "procedure", "situation", "number", "changes"),
    [
        ("penetrating-strike", 3, "melee-attack", melee, "melee-armor.rating", -3),
        ("critical-strike", 2, "melee-attack", melee, "melee-damage.value", 2),
        ("missile-mastery", 1, "ranged-attack", thrown, "damage.value", 1),
        ("power-throw", 3, "ranged-attack", thrown, "damage.value", 3),
    ],
)
def test_a_power_counts_by_itself_with_a_line_and_in_the_odds(
    power: str, level: int, procedure: str, situation: Any, number: str, changes: int
) -> None:
    own, without = situation([power], {power: level}), situation([])
    answers = [resolve(one, procedure=procedure, dice=seed(1)) for one in (own, without)]
    assert total(answers[0], number) - total(answers[1], number) == changes
    assert changes in {line["value"] for line in lines(answers[0], number).values()}
    chances = [measures(odds(one, procedure=procedure)) for one in (own, without)]
    assert chances[0]["damage"] > chances[1]["damage"]


@pytest.mark.parametrize(
    ("procedure", "situation", "number", "more", "gained"),
    [
        ("melee-attack", melee, "melee-attack.pool", DARK, 2),
        ("ranged-attack", thrown, "attack.pool", DARK, 2),
        ("ranged-attack", thrown, "attack.pool", {**DARK, "target": {**VICTIM, "hidden": True}}, 2),
        ("ranged-attack", thrown, "attack.pool", {"visibility": ["heavy-fog"]}, 0),
    ],
)
def test_full_darkness_takes_four_dice_of_blind_fighting(
    procedure: str, situation: Any, number: str, more: dict[str, Any], gained: int
) -> None:
    pools = [
        total(resolve(situation(one, **more), procedure=procedure, dice=seed(1)), number)
        for one in (["blind-fighting"], [])
    ]
    assert pools[0] - pools[1] == gained


def test_strength_to_throw_counts_for_the_range() -> None:
    """A shuriken flies 7 times the Strength: 42 m with Strength 6, 56 m with 2 more."""
    far = {"distance": 50}
    assert resolve(thrown([], **far), dice=seed(1))["status"] == "refused"
    assert resolve(thrown(["power-throw"], **far), dice=seed(1))["status"] == "resolved"


def test_missile_parry_defends_against_what_is_thrown_and_not_against_bullets() -> None:
    adept = {"target": {**VICTIM, "powers": ["missile-parry"], "power_levels": {"missile-parry": 4}}}
    pools = [
        total(resolve(thrown([], **adept, weapon=weapon), dice=seed(1)), "defense.pool")
        for weapon in ("shuriken", "ares-viper-slivergun")
    ]
    assert pools == [3 + 4, 3]


def test_rapid_healing_helps_to_rest() -> None:
    hurt = {"body": 4, "willpower": 3, "physical": 0, "stun": 6, "powers": ["rapid-healing"]}
    answer = resolve(
        {"tester": {**hurt, "power_levels": {"rapid-healing": 2}}}, procedure="rest", dice=seed(1)
    )
    assert lines(answer, "rest.pool")["rapid-healing"]["value"] == 2


@pytest.mark.parametrize(("powers", "bounces"), [([], True), (["killing-hands"], False)])
def test_killing_hands_pass_immunity_to_normal_weapons(powers: list[str], bounces: bool) -> None:
    """Immunity 8 stops DV 3 with 4 net hits and less; the hands of an adept are magical."""
    spirit = {"use": "spirit-of-earth", "force": 4, "pool": 0}
    adept = {**ADEPT, "powers": powers, "pool": 12}
    blow = {"attacker": adept, "target": spirit, "weapon": "unarmed-attack"}
    answer = resolve(blow, procedure="melee-attack", dice=seed(3))
    assert total(answer, "melee-armor.rating") == (8 if bounces else 0)
    chances = measures(odds(blow, procedure="melee-attack"))
    plain = measures(
        odds({**blow, "weapon": {"use": "unarmed-attack", "magical": True}}, procedure="melee-attack")
    )
    assert (chances["damage"] == plain["damage"]) != bounces


@pytest.mark.parametrize(("level", "dice"), [(1, 1), (3, 3), (20, 8)])
def test_counterstrike_gives_net_hits_of_the_defense_up_to_its_level(level: int, dice: int) -> None:
    defender = {**VICTIM, "powers": ["counterstrike"], "counterstrike": level, "pool": 8}
    blow = {"attacker": {"pool": 1, "strength": 3}, "target": defender, "weapon": "unarmed-attack"}
    answer = resolve(blow, procedure="melee-attack", dice=[[1], [6] * 8])
    (gained,) = effects(answer, "add-condition", "counterstriking")
    assert (gained["who"], gained["towards"], gained["set_counterstrike_dice"]) == (
        "target",
        "attacker",
        dice,
    )


def test_dice_of_counterstrike_are_in_the_pool() -> None:
    adept = {**ADEPT, "counterstrike_dice": 2}
    answer = resolve({"attacker": adept, "target": VICTIM}, procedure="melee-attack", dice=seed(1))
    assert lines(answer, "melee-attack.pool")["counterstrike"]["value"] == 2


def test_what_the_sheet_says_counts_in_place_of_what_powers_bring() -> None:
    by_slug = {one.slug: one for one in entries("power")}
    sheet = {"powers": [by_slug["critical-strike"], by_slug["improved-reflexes"]], "unarmed_dv": 3}
    assert by_powers(sheet) == {}
    assert by_powers({**sheet, "unarmed_dv": 0, "power_levels": {"critical-strike": 9}}) == {"unarmed_dv": 6}


@pytest.mark.parametrize("slug", ["missile-mastery", "combat-sense-adept", "mystic-armor", "killing-hands"])
def test_powers_with_numbers_bring_some(slug: str) -> None:
    (power,) = [one for one in entries("power") if one.slug == slug]
    assert by_powers({"powers": [power]})


def test_a_sweep_at_an_energy_aura_burns_too() -> None:
    spirit = {"use": "spirit-of-fire", "force": 4, "pool": 0}
    blow = {
        "attacker": {"use": "mako", "pool": 40},
        "target": {"use": "guard", "pool": 0},
        "target_2": spirit,
    }
    answer = resolve({**blow, "weapon": "katana"}, procedure="melee-sweep", dice=seed(1))
    (burned,) = effects(answer, "add-condition", "scorched")
    assert (burned["who"], burned["towards"]) == ("attacker", "target_2")
