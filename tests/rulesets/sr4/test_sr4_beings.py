"""Spirits, critters, machines and toxins, calculated a second time: from the chances of dice and the printed tables.

Nothing of the rules is asked for the expected numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_table import GAME, explain, measures, odds, resolve, seed, total

from fracas.errors import InputError
from fracas.rulesets.sr4.planes import passes_of
from fracas.rulesets.sr4.vocabulary import by_force

PRINTED = {
    "spirit-of-air": (-2, 3, 4, -3),
    "spirit-of-beasts": (2, 1, 2, 2),
    "spirit-of-earth": (4, -2, 2, 4),
    "spirit-of-fire": (1, 2, 3, -2),
    "spirit-of-man": (1, 0, 2, -2),
    "spirit-of-water": (2, 0, 2, 0),
    "guardian-spirit": (1, 2, 3, 2),
    "guidance-spirit": (3, -1, 2, 1),
    "plant-spirit": (3, -1, 2, 4),
    "task-spirit": (0, 0, 2, 2),
}
"""What is added to the Force for Body, Agility, Reaction and Strength."""


def chance(dice: int, hits: int) -> Fraction:
    """Of so many hits with so many dice."""
    return Fraction(comb(dice, hits) * 2 ** (dice - hits), 3**dice)


def opposed(first: int, second: int, of: Callable[[int], int | Fraction]) -> Fraction:
    """The expectation of a function of the net hits of two pools."""
    return sum(
        (
            chance(first, a) * chance(second, b) * of(a - b)
            for a in range(first + 1)
            for b in range(second + 1)
        ),
        Fraction(0),
    )


def alone(dice: int, of: Callable[[int], int | Fraction]) -> Fraction:
    return sum((chance(dice, hits) * of(hits) for hits in range(dice + 1)), Fraction(0))


def is_about(value: float, wanted: Fraction) -> bool:
    return value == pytest.approx(float(wanted), abs=1e-9)


def found(situation: Any, procedure: str, id: str, **more: Any) -> float:
    return measures(odds(situation, procedure=procedure, **more))[id]


@given(st.sampled_from(sorted(PRINTED)), st.integers(1, 12))
def test_a_spirit_has_its_force_and_what_its_kind_adds(kind: str, force: int) -> None:
    answer = explain({"tester": {"use": kind, "force": force}}, procedure="initiative-test")
    body, agility, reaction, strength = (max(1, force + more) for more in PRINTED[kind])
    assert total(answer, "initiative.pool") == reaction + force
    entry = GAME.packs.entry("combatant", kind)
    assert entry is not None
    sheet = by_force({"force": force, "by_force": entry.data["by_force"]})
    own = [sheet[name] for name in ("body", "agility", "reaction", "strength", "willpower", "magic")]
    assert own == [body, agility, reaction, strength, force, force]
    assert set(sheet["skills"].values()) == {force}


@pytest.mark.parametrize(("pool", "against"), [(8, 6), (4, 9), (1, 0), (12, 3)])
def test_a_power_works_with_more_hits(pool: int, against: int) -> None:
    situation = {"user": {"pool": pool}, "target": {"pool": against}, "power": "fear"}
    assert is_about(
        found(situation, "critter-power", "affected"), opposed(pool, against, lambda net: net > 0)
    )
    wanted = opposed(pool, against, lambda net: max(0, net))
    assert is_about(found(situation, "critter-power", "net_hits"), wanted)


@pytest.mark.parametrize(("attack", "dv", "ap", "force"), [(11, 5, -1, 4), (9, 9, -4, 5), (14, 6, 0, 3)])
def test_immunity_is_compared_before_anything_is_resisted(attack: int, dv: int, ap: int, force: int) -> None:
    defense, body = 6, 5
    rating = max(0, 2 * force + ap)
    gun = {"dv": dv, "ap": ap, "damage": "physical", "armor_kind": "ballistic", "feed": "none"}
    target = {"pool": defense, "body": body, "magic": force, "immune_to_weapons": True}
    situation = {
        "attacker": {"pool": attack},
        "target": target,
        "weapon": gun,
        "fire": {"mode": "single-shot"},
    }

    def boxes(net: int) -> Fraction:
        if net <= 0 or dv + net <= rating:
            return Fraction(0)
        return alone(body + rating, lambda hits: max(0, dv + net - hits))

    assert is_about(found(situation, "ranged-attack", "damage"), opposed(attack, defense, boxes))
    magical = {**situation, "weapon": {**gun, "magical": True}, "target": {**target, "armor": []}}

    def unarmored(net: int) -> Fraction:
        return alone(body, lambda hits: max(0, dv + net - hits)) if net > 0 else Fraction(0)

    assert is_about(found(magical, "ranged-attack", "damage"), opposed(attack, defense, unarmored))


@pytest.mark.parametrize(
    ("power", "body", "helps", "penetration"), [(10, 3, 0, 0), (8, 4, 3, -2), (6, 9, 2, -5)]
)
def test_each_hit_takes_one_off_the_power(power: int, body: int, helps: int, penetration: int) -> None:
    toxin = {"power": power, "damage": "stun", "vectors": ["contact"], "penetration": penetration}
    situation = {"target": {"body": body, "chemical_protection": helps}, "toxin": toxin}
    dice = body + max(0, helps + penetration)
    wanted = alone(dice, lambda hits: max(0, power - hits))
    assert is_about(found(situation, "toxin-exposure", "damage"), wanted)


@pytest.mark.parametrize(("armor", "rule", "needed"), [(4, None, 3), (0, None, 1), (4, "any_net_hit", 1)])
def test_a_dart_takes_more_through_armor(armor: int, rule: str | None, needed: int) -> None:
    dart = {"skill": "exotic-ranged-weapon", "ap": -2, "feed": "none"}
    target = {"pool": 4, "impact": armor, "ballistic": 0}
    situation = {"attacker": {"pool": 9}, "target": target, "weapon": dart, "toxin": "narcoject"}
    options = {"options": {"dart_delivery": rule}} if rule else {}
    wanted = opposed(9, 4, lambda net: net >= needed)
    assert is_about(found(situation, "toxin-dart", "delivered", **options), wanted)


@pytest.mark.parametrize(
    ("speed", "times"), [(10, Fraction(1, 2)), (21, 1), (60, 1), (61, 2), (200, 2), (201, 3)]
)
def test_a_crash_strikes_by_speed_and_body(speed: int, times: Fraction) -> None:
    pool, body, armor, threshold = 6, 7, 4, 3
    machine = {"pool": pool, "vehicle": True, "body": body, "vehicle_armor": armor}
    situation = {"tester": machine, "speed": speed, "threshold": threshold}
    answer = odds(situation, procedure="crash-test")
    crashes = alone(pool, lambda hits: hits < threshold)
    value = -(-body * times // 1)
    boxes = alone(body + armor, lambda hits: max(0, int(value) - hits)) if value > armor else Fraction(0)
    assert is_about(measures(answer)["crashed"], crashes)
    assert is_about(measures(answer)["damage"], crashes * boxes)


def test_the_rammer_takes_half_and_net_hits_add_nothing() -> None:
    rammer = {"pool": 8, "vehicle": True, "body": 10, "vehicle_armor": 6}
    target = {"pool": 5, "vehicle": True, "body": 6, "vehicle_armor": 2}
    answer = odds({"tester": rammer, "target": target, "speed": 30}, procedure="ram")
    lands = opposed(8, 5, lambda net: net > 0)
    boxes = alone(8, lambda hits: max(0, 10 - hits))  # its own 5 do not exceed its armor
    assert is_about(measures(answer)["rammed"], lands)
    assert is_about(measures(answer)["damage"], lands * boxes)


RIGGER: dict[str, Any] = {"response": 4, "skills": {"gunnery": 4}}
CONTROLS: Iterable[tuple[dict[str, Any], int, int, int]] = (
    ({"control": "driver", "reaction": 4, "vehicle_skill": 3, "handling": 1}, 8, 5, 0),
    (
        {"control": "remote", "command": 4, "vehicle_skill": 3, "skills": {"gunnery": 2}, "hot_sim": True},
        9,
        6,
        8,
    ),
    (
        {
            "control": "jumped",
            "response": 4,
            "vehicle_skill": 3,
            "sensor": 3,
            "skills": {"gunnery": 4},
            "control_rig": True,
        },
        9,
        6,
        9,
    ),
    ({"control": "pilot", "pilot": 3, "autosofts": {"maneuver": 2, "targeting": 4}, "handling": -1}, 4, 2, 7),
)
"""What each control has, and the pools of driving, defense and mounted weapons; 0 where the hand of the driver aims."""


@pytest.mark.parametrize(("has", "driving", "defends", "fires"), CONTROLS)
def test_pools_follow_from_the_control(has: dict[str, Any], driving: int, defends: int, fires: int) -> None:
    machine = {**has, "vehicle": True, "body": 4, "vehicle_armor": 2, "physical": 3}
    driven = explain({"tester": machine, "threshold": 1}, procedure="vehicle-test")
    assert total(driven, "vehicle.pool") == driving - 1  # three boxes
    gun = {"skill": "gunnery", "dv": 5, "ap": 0, "damage": "physical", "armor_kind": "ballistic"}
    attacker = machine if fires else {"pool": 5}
    shot = explain({"attacker": attacker, "target": machine, "weapon": gun, "fire": {"mode": "single-shot"}})
    assert total(shot, "defense.pool") == defends - 1
    assert total(shot, "attack.pool") == (fires - 1 if fires else 5)


def test_regeneration_heals_what_there_is_to_heal() -> None:
    critter = {"pool": 7, "physical": 4, "stun": 1, "body": 3, "willpower": 3, "lasting_boxes": 2}
    wanted = alone(7, lambda hits: min(hits, 3))
    assert is_about(found({"tester": critter}, "regenerate", "healed"), wanted)


def test_a_drug_lasts_as_its_die_says() -> None:
    assert is_about(found({"target": "rook", "drug": "jazz"}, "take-drug", "minutes"), Fraction(35))


def test_services_are_never_more_than_are_owed() -> None:
    for services in range(1, 5):
        spirit = {"services": services}
        fight = resolve(
            {"caster": {}, "target": spirit, "order": "fight"}, procedure="order-spirit", dice=seed(1)
        )
        remote = resolve(
            {"caster": {}, "target": spirit, "order": "remote"}, procedure="order-spirit", dice=seed(1)
        )
        assert (fight["outcome"]["services_left"], remote["outcome"]["services_left"]) == (services - 1, 0)


def drained(spirit: int, pool: int) -> Fraction:
    """The boxes of a conjuring: 2 for each hit of the spirit, at least 2, less those that are resisted."""
    return alone(spirit, lambda hits: alone(pool, lambda resisted: max(0, max(2, 2 * hits) - resisted)))


@pytest.mark.parametrize(("magic", "skill", "force", "drain"), [(5, 4, 4, 8), (3, 4, 5, 6), (6, 1, 1, 11)])
def test_a_spirit_owes_a_service_for_each_net_hit(magic: int, skill: int, force: int, drain: int) -> None:
    caster = {"magic": magic, "skills": {"summoning": skill}, "drain_pool": drain}
    answer = measures(odds({"caster": caster, "force": force}, procedure="summon-spirit"))
    assert is_about(answer["success"], opposed(magic + skill, force, lambda net: net > 0))
    assert is_about(answer["services"], opposed(magic + skill, force, lambda net: max(0, net)))
    assert is_about(answer["drain"], drained(force, drain))


@pytest.mark.parametrize(("force", "services", "binder"), [(3, 2, 0), (3, 4, 4), (6, 1, 2)])
def test_banishing_takes_a_service_for_each_net_hit(force: int, services: int, binder: int) -> None:
    caster = {"magic": 5, "skills": {"banishing": 3}, "drain_pool": 8}
    spirit = {"force": force, "services": services, **({"binder_magic": binder} if binder else {})}
    answer = measures(odds({"caster": caster, "target": spirit}, procedure="banish-spirit"))
    resists = force + binder
    assert is_about(answer["success"], opposed(8, resists, lambda net: net > 0))
    assert is_about(answer["services"], opposed(8, resists, lambda net: min(services, max(0, net))))
    assert is_about(answer["drain"], drained(resists, 8))


@pytest.mark.parametrize(("pool", "signature", "hider"), [(9, -3, 0), (6, 3, 4), (7, 0, 9)])
def test_a_lock_gives_a_die_for_each_net_hit(pool: int, signature: int, hider: int) -> None:
    target = {"signature": signature, **({"pool": hider, "hides": True} if hider else {})}
    answer = measures(odds({"tester": {"pool": pool}, "target": target}, procedure="sensor-lock"))
    dice = pool + signature
    wanted = (
        opposed(dice, hider, lambda net: max(0, net)) if hider else alone(dice, lambda hits: Fraction(hits))
    )
    assert is_about(answer["lock_dice"], wanted)


@pytest.mark.parametrize(("pool", "threshold", "other"), [(7, 2, 0), (10, 4, 0), (7, 0, 5), (4, 0, 8)])
def test_a_machine_needs_its_threshold_or_more_hits_than_the_other(
    pool: int, threshold: int, other: int
) -> None:
    situation: dict[str, Any] = {"tester": {"pool": pool}}
    situation |= {"target": {"pool": other}, "chase_distance": "short"} if other else {"threshold": threshold}
    answer = measures(odds(situation, procedure="vehicle-test"))
    wanted = (
        opposed(pool, other, lambda net: net > 0) if other else alone(pool, lambda hits: hits >= threshold)
    )
    assert is_about(answer["success"], wanted)


@pytest.mark.parametrize(
    ("attack", "defense", "charisma", "willpower"), [(7, 6, 5, 4), (11, 3, 2, 6), (5, 9, 8, 1)]
)
def test_an_astral_blow_has_half_of_charisma(
    attack: int, defense: int, charisma: int, willpower: int
) -> None:
    situation = {
        "attacker": {"pool": attack, "charisma": charisma},
        "target": {"pool": defense, "willpower": willpower},
    }
    answer = measures(odds(situation, procedure="astral-attack"))

    def boxes(net: int) -> Fraction:
        if net <= 0:
            return Fraction(0)
        return alone(willpower, lambda hits: max(0, -(-charisma // 2) + net - hits))

    assert is_about(answer["hit"], opposed(attack, defense, lambda net: net > 0))
    assert is_about(answer["damage"], opposed(attack, defense, boxes))


@pytest.mark.parametrize(
    ("weapon", "spared_from", "burned"),
    [("katana", 0, True), ("katana", 1, False), ("katana", 2, True), ("unarmed-attack", 1, True)],
)
def test_an_aura_burns_whoever_is_within_reach(weapon: str, spared_from: int, burned: bool) -> None:
    situation = {
        "attacker": {"use": "mako", "pool": 40},
        "target": {"use": "spirit-of-fire", "force": 4, "pool": 0},
        "weapon": weapon,
    }
    answer = resolve(situation, procedure="melee-attack", dice=seed(1), options={"aura_reach": spared_from})
    found = [effect["what"] for effect in answer["effects"] if effect["who"] == "attacker"]
    assert ("scorched" in found) == burned


@pytest.mark.parametrize(
    ("sheet", "option", "default"),
    [
        ({"world": "astral", "by_force": {}, "force": 4}, "spirit_astral_passes", 3),
        ({"world": "machine", "pilot": 3}, "autonomous_passes", 3),
    ],
)
def test_passes_of_beings_and_machines_are_house_rules(
    sheet: dict[str, Any], option: str, default: int
) -> None:
    assert passes_of(sheet, {option: 1}) == 1
    assert passes_of(sheet, {option: GAME.house_rules[option].default}) == default
    assert passes_of({"world": "astral"}, {option: 1}) == 3  # a projecting magician


@pytest.mark.parametrize(("immune", "armor"), [(["fire"], 6), (["cold"], 0), ([], 0)])
def test_immunity_to_an_element_is_twice_the_magic_against_it(immune: list[str], armor: int) -> None:
    hound = {"use": "hell-hound", "magic": 3, "immune_to": immune, "pool": 0}
    flames = {
        "dv": 5,
        "damage": "physical",
        "ap": 0,
        "element": "fire",
        "skill": "heavy-weapons",
        "modes": ["SA"],
    }
    shot = {"attacker": {"pool": 3}, "target": hound, "weapon": flames, "fire": {"mode": "semi-automatic"}}
    answer = resolve(shot, dice=[[5, 1, 2]] if armor else seed(1))
    assert total(answer, "armor.rating") == armor
    if armor:  # 5 and a net hit do not exceed 6
        assert answer["outcome"]["bounced"]


@pytest.mark.parametrize(
    ("target", "dice"),
    [
        ({"reaction": 4}, 4),
        ({"reaction": 4, "full_defense": "dodge", "skills": {"dodge": 3}}, 7),
        ({"reaction": 4, "physical": 6, "stun": 0}, 2),
        ({"reaction": 4, "defenses_made": 2}, 2),
    ],
)
def test_people_get_out_of_the_way_of_a_ram_as_of_a_shot(target: dict[str, Any], dice: int) -> None:
    victim = {"body": 3, "armor": [], "physical": 0, "stun": 0, "willpower": 3, **target}
    rammer = {"use": "gmc-bulldog", "control": "driver", "reaction": 3}
    answer = explain({"tester": rammer, "target": victim, "speed": 30}, procedure="ram")
    assert total(answer, "evading.pool") == dice


@pytest.mark.parametrize("given", [{}, {"full_defense": "dodge"}])
def test_a_ram_names_what_it_lacks_of_its_target(given: dict[str, Any]) -> None:
    rammer = {"use": "gmc-bulldog", "control": "driver", "reaction": 3}
    target = {"body": 3, "armor": [], **given}
    with pytest.raises(InputError) as error:
        resolve({"tester": rammer, "target": target, "speed": 30}, procedure="ram", dice=seed(1))
    assert "situation.target.reaction" in {problem.path for problem in error.value.problems}


def test_wounds_of_the_driver_count_on_vehicle_tests() -> None:
    driver = {"reaction": 4, "vehicle_skill": 3, "control": "driver", "physical": 3, "stun": 3}
    for procedure, number in (("vehicle-test", "vehicle.pool"), ("crash-test", "driving.pool")):
        tester = {**driver, "body": 10, "vehicle_armor": 6, "armor": []}
        answer = explain(
            {"tester": tester, "threshold": 2, **({"speed": 30} if number[0] == "d" else {})},
            procedure=procedure,
        )
        assert total(answer, number) == 4 + 3 - 2


@pytest.mark.parametrize(
    ("control", "gunnery", "recoil"), [("driver", True, 1), ("jumped", False, 1), ("driver", False, 2)]
)
def test_a_mount_that_sensors_aim_takes_half_of_the_recoil(control: str, gunnery: bool, recoil: int) -> None:
    shooter = {
        "control": control,
        "by_gunnery": gunnery,
        "sensor": 3,
        "response": 3,
        "agility": 3,
        "rounds_before": 0,
    }
    gun = {
        "dv": 6,
        "damage": "physical",
        "ap": -1,
        "armor_kind": "ballistic",
        "rc": 0,
        "modes": ["BF"],
        "skill": "gunnery",
    }
    shot = {
        "attacker": {**shooter, "skills": {"gunnery": 4}},
        "target": {"reaction": 3, "body": 3, "ballistic": 0},
    }
    answer = explain({**shot, "weapon": gun, "fire": {"mode": "short-burst", "spread": "narrow"}})
    assert total(answer, "attack.pool") == 3 + 4 - recoil


def test_wounds_count_when_an_attribute_is_boosted() -> None:
    adept = {"magic": 5, "agility": 5, "physical": 6, "stun": 0}
    answer = explain({"tester": adept, "boosts": "agility", "level": 3}, procedure="boost-attribute")
    assert total(answer, "boost.pool") == 5 + 3 - 2


@pytest.mark.parametrize("critter", ["devil-rat", "vampire"])
def test_immunity_to_toxins_is_twice_the_magic_in_dice(critter: str) -> None:
    entry = GAME.packs.entry("combatant", critter)
    assert entry is not None
    dice = entry.data["body"] + 2 * entry.data["magic"]
    toxin = {"power": 8, "damage": "stun", "vectors": ["contact"]}
    situation = {"target": critter, "toxin": toxin}
    assert total(explain(situation, procedure="toxin-exposure"), "toxin-resistance.pool") == dice
    wanted = alone(dice, lambda hits: max(0, 8 - hits))
    assert is_about(found(situation, "toxin-exposure", "damage"), wanted)


@pytest.mark.parametrize(("magic", "willpower"), [(4, 5), (6, 2)])
def test_psychokinesis_is_rolled_with_magic_and_willpower(magic: int, willpower: int) -> None:
    situation = {"user": {"magic": magic, "willpower": willpower}, "power": "psychokinesis"}
    assert total(explain(situation, procedure="critter-power"), "power.pool") == magic + willpower
