"""Every row of the rulebook's tables for ranged attacks (sections 8.1 to 8.6, 8.8, 8.10, 10.2, 11.5), typed in by hand
once more and compared with the dice that an attack has.

Nothing here is read from the packs or from the code: a number that is wrong in both would still be wrong here.
"""

from __future__ import annotations

from typing import Any

import pytest
from sr4_table import explain, resolve, total

BASE = 20
"""Dice of the attacker, and of the target, before anything counts."""

PLAIN: dict[str, Any] = {
    "skill": "automatics",
    "dv": 5,
    "damage": "physical",
    "ap": 0,
    "armor_kind": "ballistic",
    "modes": ["SS", "SA", "BF", "FA"],
    "rc": 0,
    "rounds": 100,
    "feed": "clip",
}


def shot(
    attacker: dict[str, Any] | None = None,
    target: dict[str, Any] | None = None,
    weapon: Any = None,
    fire: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A plain attack with these things changed."""
    use = weapon if isinstance(weapon, str) else {**PLAIN, **(weapon or {})}
    return {
        "attacker": {"pool": BASE, "rounds_before": 0, **(attacker or {})},
        "target": {"pool": BASE, "body": 3, "willpower": 3, "armor": [], **(target or {})},
        "weapon": use,
        "fire": {"mode": "semi-automatic", **(fire or {})},
        **more,
    }


def change(situation: dict[str, Any], to: str = "attack.pool", **options: Any) -> int:
    """Dice more or less than the base."""
    return total(explain(situation, options=options), to) - BASE


def refusals(situation: dict[str, Any]) -> list[str]:
    return [refusal["code"] for refusal in resolve(situation).get("refusals", ())]


# 8.1 Ranges: the upper limits of short, medium, long and extreme, and the least distance.

RANGES = {
    "taser": (5, 10, 15, 20, 0),
    "holdout": (5, 15, 30, 50, 0),
    "light-pistol": (5, 15, 30, 50, 0),
    "heavy-pistol": (5, 20, 40, 60, 0),
    "machine-pistol": (5, 15, 30, 50, 0),
    "submachine-gun": (10, 40, 80, 150, 0),
    "assault-rifle": (50, 150, 350, 550, 0),
    "shotgun-slug": (10, 40, 80, 150, 0),
    "shotgun-shot": (10, 25, 40, 60, 0),
    "sporting-rifle": (100, 250, 500, 750, 0),
    "sniper-rifle": (150, 350, 800, 1500, 0),
    "light-machine-gun": (75, 200, 400, 800, 0),
    "heavy-machine-gun": (80, 250, 750, 1200, 0),
    "assault-cannon": (100, 300, 750, 1500, 0),
    "grenade-launcher": (50, 100, 150, 500, 5),
    "missile-launcher": (70, 150, 450, 1500, 20),
    "light-crossbow": (6, 24, 60, 120, 0),
    "medium-crossbow": (9, 36, 90, 150, 0),
    "heavy-crossbow": (15, 45, 120, 180, 0),
    "mortar": (300, 1000, 4000, 6000, 150),
    # Strength 4
    "bow": (4, 40, 120, 240, 0),
    "thrown-knife": (4, 8, 12, 20, 0),
    "shuriken": (4, 8, 20, 28, 0),
    "grenade-standard": (8, 16, 24, 40, 0),
    "grenade-aerodynamic": (8, 16, 32, 60, 0),
}


@pytest.mark.parametrize("table", RANGES)
def test_range_bands(table: str) -> None:
    *limits, least = RANGES[table]

    def at(distance: float) -> dict[str, Any]:
        return shot({"strength": 4}, weapon={"range": table}, distance=distance)

    near = least
    for dice, limit in zip((0, -1, -2, -3), limits, strict=True):
        assert change(at(near)) == change(at(limit)) == dice
        near = limit + 1
    assert refusals(at(near)) == ["beyond_extreme_range"]
    if least:
        assert refusals(at(least - 1)) == ["below_minimum_range"]


@pytest.mark.parametrize(("strength", "far"), [(2, 120), (5, 300), (8, 300)])
def test_a_bow_carries_as_far_as_strength_and_its_rating(strength: int, far: int) -> None:
    """60 times the Strength, up to the rating 5; each point of Strength too few costs a die."""
    bow = {"category": "bow", "minimum_strength": 5, "range": "bow"}
    missing = max(0, 5 - strength)
    assert change(shot({"strength": strength}, weapon=bow, distance=far)) == -3 - missing
    assert refusals(shot({"strength": strength}, weapon=bow, distance=far + 1)) == ["beyond_extreme_range"]


# 8.2 Modifiers of the attacker.

ATTACK_ROWS: dict[str, tuple[dict[str, Any], int]] = {
    "nothing": ({}, 0),
    "magnification at medium range": (
        {"attacker": {"magnification": True}, "weapon": {"range": "heavy-pistol"}, "distance": 20}, 0,
    ),
    "magnification at extreme range": (
        {"attacker": {"magnification": True}, "weapon": {"range": "heavy-pistol"}, "distance": 60}, 0,
    ),
    "running": ({"attacker": {"running": True}}, -2),
    "in melee": ({"attacker": {"in_melee": True}}, -3),
    "in a moving vehicle": ({"attacker": {"in_moving_vehicle": True}}, -3),
    "target in partial cover": ({"target": {"cover": "partial"}}, -2),
    "target in good cover": ({"target": {"cover": "good"}}, -4),
    "target hidden": ({"target": {"hidden": True}}, -6),
    "firing from cover": ({"attacker": {"in_cover": True}}, -1),
    "3 Physical": ({"attacker": {"physical": 3, "stun": 0}}, -1),
    "2 Physical and 2 Stun": ({"attacker": {"physical": 2, "stun": 2}}, 0),
    "6 Physical and 3 Stun": ({"attacker": {"physical": 6, "stun": 3}}, -3),
    "low pain tolerance": ({"attacker": {"physical": 4, "stun": 0, "low_pain_tolerance": True}}, -2),
    "3 boxes ignored": ({"attacker": {"physical": 6, "stun": 3, "pain_resistance": 3}}, -1),
    "laser sight": ({"weapon": {"features": ["laser-sight"]}}, 1),
    "smartgun without smartlink": ({"weapon": {"features": ["smartgun"]}, "attacker": {"smartlink": False}}, 0),
    "smartlink": ({"weapon": {"features": ["smartgun"]}, "attacker": {"smartlink": True}}, 2),
    "smartlink without smartgun": ({"weapon": {"features": []}, "attacker": {"smartlink": True}}, 0),
    "smartlink and laser sight": (
        {"weapon": {"features": ["smartgun", "laser-sight"]}, "attacker": {"smartlink": True}}, 2,
    ),
    "off-hand": ({"attacker": {"off_hand": True}}, -2),
    "off-hand, ambidextrous": ({"attacker": {"off_hand": True, "ambidextrous": True}}, 0),
    "two firearms with smartlink": (
        {"weapon": {"features": ["smartgun"], "category": "heavy-pistol"},
         "attacker": {"smartlink": True, "split_dice": 10}},
        10 - BASE,
    ),
    "two firearms with laser": (
        {"weapon": {"features": ["laser-sight"], "category": "heavy-pistol"},
         "attacker": {"split_dice": 10, "off_hand": True}},
        10 - BASE - 2,
    ),
    "aimed twice with skill 4": ({"attacker": {"take_aim": 2, "skills": {"automatics": 4}}}, 2),
    "aimed three times with skill 5": ({"attacker": {"take_aim": 3, "skills": {"automatics": 5}}}, 2),
    "aimed without the skill": ({"attacker": {"take_aim": 1, "skills": {}}}, 0),
    "second target": ({"attacker": {"targets_before": 1}}, -2),
    "third target": ({"attacker": {"targets_before": 2}}, -4),
    "vital area for 1": ({"called_shot": {"kind": "vital", "dv": 1}}, -1),
    "vital area for 4": ({"called_shot": {"kind": "vital", "dv": 4}}, -4),
    "unarmored spot": (
        {"called_shot": {"kind": "unarmored"}, "target": {"armor": ["armor-jacket", "helmet"]}}, -9,
    ),
    "unarmored spot against flechettes": (
        {"called_shot": {"kind": "unarmored"}, "target": {"armor": ["armor-jacket", "helmet"]},
         "weapon": {"flechette": True}},
        -8,
    ),
    "an item": ({"called_shot": {"kind": "item"}, "target": {"strength": 3}}, -4),
    "a trick": ({"called_shot": {"kind": "trick", "penalty": 3}}, -3),
    "heavy armor": ({"attacker": {"body": 3, "armor": ["full-body-armor"]}}, -2),
    "tracers, one shot": ({"weapon": {"ammunition": "tracer"}}, 0),
    "tracers, short burst": (
        {"weapon": {"ammunition": "tracer", "rc": 9}, "fire": {"mode": "short-burst", "spread": "wide"}}, 1,
    ),
    "tracers, long burst": (
        {"weapon": {"ammunition": "tracer", "rc": 9}, "fire": {"mode": "long-burst", "spread": "wide"}}, 2,
    ),
    "tracers, full burst": (
        {"weapon": {"ammunition": "tracer", "rc": 9}, "fire": {"mode": "full-burst", "spread": "wide"}}, 3,
    ),
    "tracers, a long burst of 3 rounds": (
        {"weapon": {"ammunition": "tracer", "rc": 9, "rounds": 3},
         "fire": {"mode": "long-burst", "spread": "wide"}},
        1,
    ),
    "everything at once": (
        {"attacker": {"running": True, "in_cover": True, "targets_before": 1, "physical": 3, "stun": 3},
         "target": {"cover": "good"}, "weapon": {"range": "heavy-pistol", "features": ["laser-sight"]},
         "distance": 40},
        -2 - 1 - 2 - 2 - 4 - 2 + 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", ATTACK_ROWS)
def test_modifiers_of_the_attacker(row: str) -> None:
    situation, dice = ATTACK_ROWS[row]
    assert change(shot(**situation)) == dice


SR4A_ROWS: dict[str, tuple[dict[str, Any], int, int]] = {
    "firing from cover": ({"attacker": {"in_cover": True}}, -2, 0),
    "point-blank": ({"weapon": {"range": "heavy-pistol"}, "distance": 2}, 2, 0),
    "short range": ({"weapon": {"range": "heavy-pistol"}, "distance": 3}, 0, 0),
    "partial cover": ({"target": {"cover": "partial"}}, 0, 2),
    "good cover": ({"target": {"cover": "good"}}, 0, 4),
    "hidden": ({"target": {"hidden": True}}, -6, 4),
    "hidden in partial cover": ({"target": {"hidden": True, "cover": "partial"}}, -6, 4),
}


@pytest.mark.parametrize("row", SR4A_ROWS)
def test_the_other_profile(row: str) -> None:
    situation, attack, defense = SR4A_ROWS[row]
    assert change(shot(**situation), ranged_modifiers="sr4a") == attack
    assert change(shot(**situation), "defense.pool", ranged_modifiers="sr4a") == defense


def test_blind_fire_with_intuition() -> None:
    situation = shot(target={"hidden": True})
    situation["attacker"] = {"agility": 6, "intuition": 3, "skills": {"automatics": 4}}
    assert total(explain(situation), "attack.pool") == 6 + 4 - 6
    assert total(explain(situation, options={"blind_fire_attribute": "INT"}), "attack.pool") == 3 + 4 - 6


@pytest.mark.parametrize(("modes", "dice"), [(["SA", "BF"], 0), (["SA", "BF", "FA"], 1)])
def test_tracers_of_the_other_book(modes: list[str], dice: int) -> None:
    weapon = {"ammunition": "tracer", "rc": 9, "modes": modes}
    burst = {"mode": "short-burst", "spread": "wide"}
    assert change(shot(weapon=weapon, fire=burst), tracer_rule="full_auto_only") == dice


# 8.3 Visibility: with normal sight, low-light, thermographic, ultrasound.

SENSES = ("normal", "low-light", "thermographic", "ultrasound")
VISIBILITY = {
    "full-darkness": (-6, -6, -3, -3),
    "partial-light": (-2, 0, -2, -1),
    "glare": (-1, -1, -1, 0),
    "light-fog": (-2, -1, 0, -1),
    "heavy-fog": (-4, -2, -2, -2),
    "thermal-smoke": (-4, -2, -6, -2),
}


@pytest.mark.parametrize("condition", VISIBILITY)
def test_visibility_with_each_sense(condition: str) -> None:
    normal = VISIBILITY[condition][0]
    for sense, dice in zip(SENSES, VISIBILITY[condition], strict=True):
        seen = shot({"senses": [sense]}, visibility=[condition])
        assert change(seen) == max(dice, normal)  # everybody has normal sight


@pytest.mark.parametrize(
    ("senses", "conditions", "dice"),
    [
        (["normal", "low-light", "thermographic"], ["full-darkness"], -3),
        (["normal"], ["partial-light", "light-fog", "heavy-fog"], -4),  # the worst, no sum
        (["low-light"], ["partial-light", "heavy-fog"], -2),
        (["thermographic"], ["light-fog", "thermal-smoke"], -4),
        (["low-light", "thermographic"], ["full-darkness", "thermal-smoke"], -3),
        (["ultrasound"], ["glare", "partial-light"], -1),
        ([], [], 0),
    ],
)
def test_several_conditions_and_senses(senses: list[str], conditions: list[str], dice: int) -> None:
    assert change(shot({"senses": senses}, visibility=conditions)) == dice


def test_flare_compensation_takes_glare_away() -> None:
    assert change(shot({"flare_compensation": True}, visibility=["glare"])) == 0
    assert change(shot({"flare_compensation": True}, visibility=["glare", "partial-light"])) == -2


# 8.4 Firing modes: with so many rounds left, the rounds fired, and the bonus of a burst.

BURSTS = [
    ("single-shot", 9, 1, 0),
    ("semi-automatic", 9, 1, 0),
    ("short-burst", 30, 3, 2),
    ("short-burst", 2, 2, 1),
    ("short-burst", 1, 1, 0),
    ("long-burst", 30, 6, 5),
    ("long-burst", 5, 5, 4),
    ("long-burst", 4, 4, 3),
    ("long-burst", 3, 3, 2),
    ("long-burst", 2, 2, 1),
    ("long-burst", 1, 1, 0),
    ("full-burst", 30, 10, 9),
    ("full-burst", 9, 9, 8),
    ("full-burst", 8, 8, 7),
    ("full-burst", 7, 7, 6),
    ("full-burst", 6, 6, 5),
    ("full-burst", 5, 5, 4),
    ("full-burst", 3, 3, 2),
    ("full-burst", 1, 1, 0),
]


@pytest.mark.parametrize(("mode", "left", "fired", "bonus"), BURSTS)
def test_firing_modes(mode: str, left: int, fired: int, bonus: int) -> None:
    for spread in ("narrow", "wide"):
        burst = shot(weapon={"rounds": left}, fire={"mode": mode, "spread": spread})
        assert change(burst, "defense.pool") == (-bonus if spread == "wide" else 0)
        assert total(explain(burst), "damage.burst") == (bonus if spread == "narrow" else 0)
        assert total(explain(burst), "damage.value") == 5
        spent = [effect for effect in resolve(burst)["effects"] if effect["type"] == "item"]
        assert [effect["amount"] for effect in spent] == [-fired]


@pytest.mark.parametrize(
    ("modes", "possible"),
    [
        (["SS"], {"single-shot"}),
        (["SA"], {"semi-automatic"}),
        (["BF"], {"short-burst"}),
        (["SA", "BF"], {"semi-automatic", "short-burst"}),
        (["FA"], {"short-burst", "long-burst", "full-burst"}),
        (["BF", "FA"], {"short-burst", "long-burst", "full-burst"}),
        (["SA", "FA"], {"semi-automatic", "short-burst", "long-burst", "full-burst"}),
    ],
)
def test_what_a_weapon_may_fire(modes: list[str], possible: set[str]) -> None:
    for mode in ("single-shot", "semi-automatic", "short-burst", "long-burst", "full-burst"):
        refused = refusals(shot(weapon={"modes": modes}, fire={"mode": mode, "spread": "narrow"}))
        assert refused == ([] if mode in possible else ["mode_not_available"])


def test_a_silencer_is_not_for_full_automatic_fire() -> None:
    silenced = {"features": ["silencer"]}
    for mode, refused in (
        ("semi-automatic", []),
        ("short-burst", []),
        ("long-burst", ["silenced_automatic_fire"]),
    ):
        assert refusals(shot(weapon=silenced, fire={"mode": mode, "spread": "narrow"})) == refused
    assert (
        refusals(
            shot(weapon={"features": ["sound-suppressor"]}, fire={"mode": "full-burst", "spread": "wide"})
        )
        == []
    )


def test_an_empty_weapon() -> None:
    assert refusals(shot(weapon={"rounds": 0})) == ["empty_weapon"]


# 8.6 Recoil: attacks of one Action Phase, and their dice.

MODE_OF = {1: "semi-automatic", 3: "short-burst", 6: "long-burst", 10: "full-burst"}
RECOIL: list[tuple[list[int], dict[str, Any], list[int]]] = [
    ([1, 1], {"rc": 0}, [0, -1]),
    ([1, 1], {"rc": 1}, [0, 0]),
    ([3, 3], {"rc": 0}, [-2, -5]),
    ([3, 3], {"rc": 1}, [-1, -4]),
    ([3, 3], {"rc": 2}, [0, -3]),
    ([3, 3], {"rc": 3}, [0, -2]),
    ([3, 3], {"rc": 5}, [0, 0]),
    ([6, 3], {"rc": 0}, [-5, -8]),
    ([3, 6], {"rc": 0}, [-2, -8]),
    ([1, 3], {"rc": 0}, [0, -3]),
    ([3, 1], {"rc": 1}, [-1, -2]),
    ([6], {"rc": 2}, [-3]),
    ([10], {"rc": 0}, [-9]),
    ([10], {"rc": 6}, [-3]),
    ([6], {"rc": 3, "recoil_factor": 2, "category": "medium-machine-gun"}, [-4]),
    ([3, 3], {"rc": 3, "recoil_factor": 2, "category": "light-machine-gun"}, [0, -4]),
    ([3, 3], {"rc": 1, "recoil_factor": 2, "category": "shotgun"}, [-2, -8]),
    ([1, 1], {"rc": 0, "recoil_factor": 2, "category": "shotgun"}, [0, -1]),
]


@pytest.mark.parametrize(("rounds", "weapon", "dice"), RECOIL)
def test_recoil(rounds: list[int], weapon: dict[str, Any], dice: list[int]) -> None:
    fired = 0
    for count, expected in zip(rounds, dice, strict=True):
        fire = {"mode": MODE_OF[count], "spread": "wide"}
        assert change(shot({"rounds_before": fired}, weapon=weapon, fire=fire)) == expected
        fired += count


FLAT = [(1, 0, 0), (1, 1, -1), (3, 0, -2), (3, 1, -3), (6, 0, -5), (6, 1, -6), (10, 0, -9)]
"""Rounds, attacks before, and the number that the rulebook lists."""


@pytest.mark.parametrize(("rounds", "before", "dice"), FLAT)
@pytest.mark.parametrize("compensation", [0, 1, 4])
def test_flat_recoil(rounds: int, before: int, dice: int, compensation: int) -> None:
    fire = {"mode": MODE_OF[rounds], "spread": "wide"}
    attack = shot(
        {"bursts_before": before, "rounds_before": 3 * before}, weapon={"rc": compensation}, fire=fire
    )
    assert change(attack, recoil="flat") == min(0, dice + compensation)


COMPENSATION: list[tuple[str | dict[str, Any], dict[str, Any], int]] = [
    ("hk-mp-5-tx", {}, 2),
    ("hk-mp-5-tx", {"deployed": True}, 3),
    ("ultimax-hmg-2", {}, 3),
    ("ultimax-hmg-2", {"deployed": True}, 10),
    ("ultimax-hmg-2", {"deployed": True, "gyro": 6}, 10),  # one device of the first group
    ("ultimax-hmg-2", {"gyro": 6}, 9),
    ("ranger-arms-sm-4", {"deployed": True}, 1),
    ("ares-alpha", {}, 2),
    ("ares-alpha", {"deployed": True}, 2),
    ("ares-alpha", {"gyro": 6}, 8),
    ("ak-97", {"recoil_compensation": 2}, 2),
    ("ingram-white-knight", {"deployed": True}, 6),
    ("ingram-white-knight", {"deployed": True, "gyro": 6}, 12),  # a stock is of another group
]


@pytest.mark.parametrize(("weapon", "attacker", "compensation"), COMPENSATION)
def test_recoil_compensation(weapon: str, attacker: dict[str, Any], compensation: int) -> None:
    burst = {"mode": "long-burst", "spread": "wide"}
    answer = explain(shot(attacker, weapon=weapon, fire=burst))
    assert total(answer, "recoil.compensation") == compensation


@pytest.mark.parametrize(
    ("strength", "compensation"),
    [(5, 0), (6, 1), (9, 1), (10, 2), (13, 2), (14, 3), (17, 3), (18, 4), (25, 4)],
)
def test_strength_against_recoil(strength: int, compensation: int) -> None:
    attack = shot({"strength": strength})
    assert total(explain(attack, options={"strength_recoil": True}), "recoil.compensation") == compensation
    assert total(explain(attack), "recoil.compensation") == 0


@pytest.mark.parametrize(
    ("attacker", "mode", "dice"),
    [
        ({"gyro": 6, "running": True}, "semi-automatic", 0),
        ({"gyro": 6, "running": True}, "short-burst", 0),  # 2 of recoil and 2 of running
        ({"gyro": 6, "running": True}, "long-burst", -1),  # 5 of recoil, 1 is left for running
        ({"gyro": 6, "running": True}, "full-burst", -3 - 2),
        ({"gyro": 6, "running": True, "in_moving_vehicle": True}, "semi-automatic", 0),
        ({"gyro": 3, "running": True, "in_moving_vehicle": True}, "semi-automatic", -2),
        ({"gyro": 1, "in_moving_vehicle": True}, "semi-automatic", -2),
    ],
)
def test_a_gyro_cancels_recoil_or_movement_up_to_its_rating(
    attacker: dict[str, Any], mode: str, dice: int
) -> None:
    assert change(shot(attacker, fire={"mode": mode, "spread": "wide"})) == dice


SHOT = {"use": "remington-990", "ammunition": "flechette"}

# 8.8 Shotguns: DV and AP with each choke, and what they do to the defense.


@pytest.mark.parametrize(
    ("weapon", "choke", "dv", "armor", "defense"),
    [
        ("remington-990", None, 7, 8 - 1, 0),  # a slug, against Ballistic
        ("remington-990", "narrow", 9, 6 + 4, 0),
        ("remington-990", "medium", 7, 6 + 6, -2),
        ("remington-990", "wide", 5, 6 + 8, -4),
        (SHOT, None, 9, 6 + 4, 0),
        (SHOT, "narrow", 9, 6 + 4, 0),
        (SHOT, "medium", 7, 6 + 6, -2),
        (SHOT, "wide", 5, 6 + 8, -4),
        ("mossberg-am-cmdt", None, 9, 6 + 5, 0),
        ("mossberg-am-cmdt", "narrow", 9, 6 + 5, 0),
        ("mossberg-am-cmdt", "medium", 7, 6 + 7, -2),
        ("mossberg-am-cmdt", "wide", 5, 6 + 9, -4),
    ],
)
def test_chokes(weapon: Any, choke: str | None, dv: int, armor: int, defense: int) -> None:
    fire = {"mode": "semi-automatic"} | ({"choke": choke} if choke else {})
    attack = {**shot(target={"armor": ["armor-jacket"], "body": 4}), "weapon": weapon, "fire": fire}
    answer = explain(attack)
    assert (total(answer, "damage.value"), total(answer, "armor.rating")) == (dv, armor)
    assert change(attack, "defense.pool") == defense


@pytest.mark.parametrize(
    ("distance", "slug", "shot_"), [(10, 0, 0), (25, -1, -1), (26, -1, -2), (41, -2, -3)]
)
def test_shot_flies_less_far(distance: int, slug: int, shot_: int) -> None:
    assert change(shot(weapon="remington-990", distance=distance)) == slug
    assert change(shot(weapon="remington-990", fire={"choke": "narrow"}, distance=distance)) == shot_


def test_loaded_shot_flies_less_far_too() -> None:
    assert change({**shot(distance=26), "weapon": SHOT}) == -2


def test_a_choke_is_for_shotguns() -> None:
    assert refusals(shot(weapon="ak-97", fire={"choke": "wide"})) == ["no_choke"]


# 10.2 Modifiers of the defender.

DEFENSE_ROWS: dict[str, tuple[dict[str, Any], int]] = {
    "wounds": ({"target": {"physical": 6, "stun": 3}}, -3),
    "in a moving vehicle": ({"target": {"in_moving_vehicle": True}}, 3),
    "one defense before": ({"target": {"defenses_made": 1}}, -1),
    "three before": ({"target": {"defenses_made": 3}}, -3),
    "prone": ({"target": {"prone": True}, "distance": 40}, -2),
    "running": ({"target": {"running": True}}, 2),
    "in melee": ({"target": {"in_melee": True}}, -3),
    "area weapon": ({"fire": {"area": True}}, -2),
    "cover is a matter of the attacker": ({"target": {"cover": "good"}}, 0),
    "full dodge": ({"target": {"full_defense": "dodge", "skills": {"dodge": 4}}}, 4),
    "Gymnastics": ({"target": {"full_defense": "gymnastics", "skills": {"gymnastics": 3}}}, 3),
    "heavy armor": ({"target": {"body": 3, "armor": ["full-body-armor"]}}, -2),
}


@pytest.mark.parametrize("row", DEFENSE_ROWS)
def test_modifiers_of_the_defender(row: str) -> None:
    situation, dice = DEFENSE_ROWS[row]
    assert change(shot(**situation), "defense.pool") == dice


def test_prone_only_near_by_the_other_book() -> None:
    for distance, dice in ((5, -2), (6, 0)):
        attack = shot(target={"prone": True}, distance=distance)
        assert change(attack, "defense.pool", prone_vs_ranged="within_5m") == dice


def test_no_defense_without_awareness() -> None:
    named = {tally["to"] for tally in explain(shot(target={"unaware": True}))["modifiers"]}
    assert "defense.pool" not in named


# 11.5 Ammunition in an AK-97 (6P, AP -1): DV, armor left of 8/6, and the track.

AMMUNITION = [
    ("regular", 6, 8 - 1, "physical"),
    ("apds", 6, 8 - 1 - 4, "physical"),
    ("explosive", 7, 8 - 1, "physical"),
    ("ex-explosive", 7, 8 - 1 - 1, "physical"),
    ("flechette", 8, 6 - 1 + 5, "physical"),
    ("gel", 5, 6 - 1 + 2, "stun"),
    ("stick-n-shock", 6, 3, "stun"),
    ("tracer", 6, 8 - 1, "physical"),
]


@pytest.mark.parametrize(("ammunition", "dv", "armor", "track"), AMMUNITION)
def test_ammunition(ammunition: str, dv: int, armor: int, track: str) -> None:
    attack = shot({"pool": 4}, {"armor": ["armor-jacket"], "body": 9, "unaware": True})
    attack["weapon"] = {"use": "ak-97", "ammunition": ammunition}
    answer = explain(attack)
    assert (total(answer, "damage.value"), total(answer, "armor.rating")) == (dv, armor)
    dice = [[5, 5, 5, 5], [1] * (9 + armor)]
    if ammunition == "stick-n-shock":
        dice.append([1] * (9 + 3 + 3))  # Body, Willpower and half Impact against the after-effect
    told = resolve(attack, dice={"source": "supplied", "faces": dice})["outcome"]
    assert (told["track"], told["modified_dv"]) == (track if dv + 4 > armor else "stun", dv + 4)
