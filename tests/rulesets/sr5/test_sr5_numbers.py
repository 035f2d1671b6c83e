"""Numbers of the packs, looked up in the rulebook by hand, and its worked examples as far as modifiers go."""

from __future__ import annotations

from typing import Any

import pytest
from sr5_table import CORE, HOUSE, MELEE, RANGED, applied, data, fields, refused, row, tally

# --- Equipment ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "accuracy", "dv", "damage", "ap", "modes", "rc", "rounds", "feed"),
    [
        ("yamaha-pulsar", 5, 7, "stun", -5, ["SA"], 0, 4, "magazine"),
        ("walther-palm-pistol", 4, 7, "physical", 0, ["SS", "BF"], 0, 2, "break"),
        ("ares-predator-v", 5, 8, "physical", -1, ["SA"], 0, 15, "clip"),
        ("ruger-super-warhawk", 5, 9, "physical", -2, ["SS"], 0, 6, "cylinder"),
        ("fn-p93-praetor", 6, 8, "physical", 0, ["SA", "BF", "FA"], 1, 50, "clip"),
        ("uzi-iv", 4, 7, "physical", 0, ["BF"], 0, 24, "clip"),
        ("ak-97", 5, 10, "physical", -2, ["SA", "BF", "FA"], 0, 38, "clip"),
        ("ares-alpha", 5, 11, "physical", -2, ["SA", "BF", "FA"], 2, 42, "clip"),
        ("ranger-arms-sm-5", 8, 14, "physical", -5, ["SA"], 0, 15, "clip"),
        ("panther-xxl", 5, 17, "physical", -6, ["SS"], 0, 15, "clip"),
        ("heavy-crossbow", 5, 10, "physical", -3, ["SS"], 0, 4, "magazine"),
        ("bow-4", 6, 6, "physical", -1, ["SS"], 0, 1, "none"),
        ("bow-8", 6, 10, "physical", -2, ["SS"], 0, 1, "none"),
        ("bow-10", 6, 12, "physical", -3, ["SS"], 0, 1, "none"),
    ],
)
def test_firearms(
    slug: str,
    accuracy: int,
    dv: int,
    damage: str,
    ap: int,
    modes: list[str],
    rc: int,
    rounds: int,
    feed: str,
) -> None:
    names = ("accuracy", "dv", "damage", "ap", "modes", "rc", "rounds", "feed")
    assert fields("weapon", slug, *names) == (accuracy, dv, damage, ap, modes, rc, rounds, feed)


def test_peculiar_weapons() -> None:
    assert fields("weapon", "fichetti-tiffani-needler", "dv", "ap", "flechette") == (8, 5, True)
    assert fields("weapon", "defiance-ex-shocker", "element", "damage") == ("electricity", "stun")
    assert fields("weapon", "ares-antioch-2", "dv", "payload", "ap") == (None, "grenade", 0)
    assert fields("weapon", "aztechnology-striker", "dv", "payload", "ap") == (None, "missile", None)
    assert fields("weapon", "defiance-t-250-short-barrel", "range") == ("heavy-pistols",)
    assert fields("weapon", "parashield-dart-rifle", "range", "features") == (
        "sporting-rifles",
        ["imaging-scope"],
    )
    assert fields("weapon", "colt-cobra-tz-120", "features") == (
        ["folding-stock", "laser-sight", "gas-vent-2"],
    )
    assert fields("weapon", "ares-light-fire-75", "features") == (["smartgun", "silencer"],)
    assert fields("weapon", "beretta-201t", "features") == (["stock"],)


@pytest.mark.parametrize(
    ("slug", "skill", "reach", "accuracy", "dv", "strength", "damage", "ap"),
    [
        ("katana", "blades", 1, 7, 3, True, "physical", -3),
        ("combat-axe", "blades", 2, 4, 5, True, "physical", -4),
        ("pole-arm", "blades", 3, 5, 3, True, "physical", -2),
        ("stun-baton", "clubs", 1, 4, 9, None, "stun", -5),
        ("monofilament-whip", "exotic-melee-weapon", 2, 5, 12, None, "physical", -8),
        ("knucks", "unarmed-combat", 0, None, 1, True, "physical", 0),
        ("hand-razors", "blades", 0, None, 1, True, "physical", -3),
        ("unarmed", "unarmed-combat", 0, None, 0, True, "stun", 0),
    ],
)
def test_melee_weapons(
    slug: str, skill: str, reach: int, accuracy: int | None, dv: int, strength: bool, damage: str, ap: int
) -> None:
    names = ("skill", "reach", "accuracy", "dv", "dv_strength", "damage", "ap")
    assert fields("weapon", slug, *names) == (skill, reach, accuracy, dv, strength, damage, ap)
    assert fields("weapon", slug, "accuracy_physical") == ((True,) if accuracy is None else (None,))


def test_loads() -> None:
    assert fields("ammunition", "apds", "dv", "ap") == (0, -4)
    assert fields("ammunition", "stick-n-shock", "dv", "ap", "ap_becomes", "damage", "element") == (
        -2,
        None,
        -5,
        "stun",
        "electricity",
    )
    assert fields("ammunition", "gel", "dv", "ap", "damage") == (0, 1, "stun")
    assert fields("ammunition", "flechette", "dv", "ap", "flechette") == (2, 5, True)
    assert fields("ammunition", "grenade-fragmentation", "dv", "ap", "blast_loss") == (18, 5, 1)
    assert fields("ammunition", "grenade-flash-bang", "dv", "damage", "ap", "radius") == (10, "stun", -4, 10)
    assert fields("ammunition", "missile-anti-vehicle", "dv", "ap", "ap_vehicle", "blast_loss") == (
        24,
        -4,
        -10,
        4,
    )
    assert fields("ammunition", "rocket-high-explosive", "dv", "ap", "blast_loss") == (21, -2, 2)


@pytest.mark.parametrize(
    ("slug", "bands"),
    [
        ("tasers", (5, 10, 15, 20)),
        ("assault-rifles", (25, 150, 350, 550)),
        ("sniper-rifles", (50, 350, 800, 1500)),
        ("medium-heavy-machine-guns", (40, 250, 750, 1200)),
        ("bows", (1, 10, 30, 60)),
        ("net", (0.5, 1, 1.5, 2.5)),
        ("aerodynamic-grenade", (2, 4, 8, 15)),
        ("flamethrowers", (15, 20, None, None)),
        ("spray-pen", (2, None, None, None)),
    ],
)
def test_ranges(slug: str, bands: tuple[float | None, ...]) -> None:
    assert fields("range", slug, "short", "medium", "long", "extreme") == bands


def test_least_ranges_and_ranges_by_strength() -> None:
    least = {one.slug: one.data["minimum"] for one in HOUSE.shelf.entries("range") if "minimum" in one.data}
    assert least == {"grenade-launchers": 5, "missile-launchers": 20}
    strong = {one.slug for one in HOUSE.shelf.entries("range") if one.data.get("per_strength")}
    assert strong == {"bows", "thrown-knife", "net", "shuriken", "standard-grenade", "aerodynamic-grenade"}
    for one in HOUSE.shelf.entries("range"):
        bands = [one.data[band] for band in ("short", "medium", "long", "extreme") if band in one.data]
        assert bands == sorted(set(bands)), one.id


def test_armor() -> None:
    assert fields("armor", "armor-jacket", "rating", "availability", "cost") == (12, "2", 1000)
    assert fields("armor", "chameleon-suit", "rating", "availability", "cost") == (9, "10R", 1700)
    assert fields("armor", "riot-shield", "rating", "stacks") == (6, True)
    assert fields("armor", "full-body-armor-helmet", "rating", "goes_with_armor") == (3, "full-body-armor")
    adding = {one.slug for one in HOUSE.shelf.entries("armor") if one.data.get("stacks")}
    assert len(adding) == 5


def changes(kind: str, slug: str) -> dict[str, Any]:
    """What an entry changes; of two changes of one number the last."""
    return {
        change["stat"]: change.get("add", change.get("at_least")) for change in data(kind, slug)["changes"]
    }


def test_enhancers_and_drugs() -> None:
    assert data("augmentation", "wired-reflexes")["essence"] == [2, 3, 5]
    assert data("augmentation", "synaptic-booster")["essence"] == [0.5, 1, 1.5]
    assert changes("augmentation", "move-by-wire")["initiative"] == [3, 6, 9]
    assert data("power", "improved-reflexes")["power_points"] == [1.5, 2.5, 3.5]
    assert changes("drug", "jazz") == {"drug_dice": 2, "reaction": 1, "limit_bonus": 1}
    assert changes("drug", "kamikaze")["strength"] == 2
    assert changes("drug", "kamikaze")["pain_resistance"] == 3
    assert data("drug", "cram")["duration"] == {"count": 12, "less": "body", "unit": "hour"}
    assert data("drug", "nitro")["duration"] == {"dice": "1d6", "times": 10, "unit": "minute"}
    assert changes("drug", "zen") == {"reaction": -2, "willpower": 1}
    assert changes("drug", "novacoke") == {
        "reaction": 1,
        "charisma": 1,
        "social_limit_bonus": 2,
        "pain_resistance": 1,
    }
    assert changes("drug", "nitro") == {
        "strength": 2,
        "willpower": 2,
        "limit_bonus": 2,
        "perception_bonus": 2,
        "pain_resistance": 6,
    }
    limits = dict.fromkeys(("limit_bonus", "mental_limit_bonus", "social_limit_bonus"), -1)
    assert {**changes("drug", "bliss"), "reaction": None} == {
        **limits,
        "pain_resistance": 3,
        "reaction": None,
    }


def test_spells() -> None:
    assert fields("power", "manabolt", "drain", "resisted_by", "damage") == (-3, "willpower", "physical")
    assert fields("power", "stunball", "drain", "range", "damage") == (0, "area", "stun")
    assert fields("power", "punch", "drain", "range", "damage", "form") == (-6, "touch", "stun", "indirect")
    assert fields("power", "fireball", "drain", "range") == (-1, "area")
    dice, score = (change["add"] for change in data("power", "increase-reflexes")["changes"][:2])
    assert dice[:8] == [0, 1, 1, 2, 2, 3, 3, 4]
    assert max(dice) == 4
    assert score[:3] == [1, 2, 3]


def test_tables() -> None:
    assert [row("initiative", name)["dice"] for name in ("physical", "cold-sim", "hot-sim", "astral")] == [
        1,
        3,
        4,
        2,
    ]
    assert [one["dice"] for one in data("table", "environment")["rows"].values()] == [0, -1, -3, -6, -10]
    modes = data("table", "firing-modes")["rows"]
    assert [one["rounds"] for one in modes.values()] == [1, 1, 3, 3, 6, 6, 10, 20]
    assert [one["defender"] for one in modes.values()] == [0, 0, -2, -2, -5, -5, -9, None]
    assert [name for name, one in modes.items() if not one["recoil"]] == ["single-shot", "suppressive"]
    assert [row("scatter", name)["dice"] for name in data("table", "scatter")["rows"]] == [1, 2, 3, 4, 5]
    assert row("monitors", "stun") == {
        "base": 8,
        "attribute": "willpower",
        "divisor": 2,
        "full": "unconscious",
    }
    assert row("damage-against-armor", "person")["equal"] == "physical"


# --- Modifiers ----------------------------------------------------------------------------------------------


def test_example_b11() -> None:
    """Agility 6 + Automatics 5 at medium range is 10 dice; Strength 5 takes up the recoil of a burst."""
    assert tally("recoil.compensation", {"attacker.vehicle": False, "attacker.strength": 5}).total == 3
    facts = {"environment.modifier": -1, "recoil.phase": 3, "recoil.compensation": 3}
    assert tally("attack.pool", facts, 11).total == 10
    facts = {"fire.mode": "burst", "fire.rounds_missing": 0}
    assert tally("defense.pool", facts, 8).total == 6


def test_example_b14_recoil_counts_for_every_attack_of_the_phase() -> None:
    facts = {"recoil.compensation": 4, "recoil.own": 3, "recoil.phase": 6, "recoil.progressive": 9}
    assert applied(tally("attack.pool", facts)) == {"recoil": -2}
    assert applied(tally("attack.pool", facts, game=CORE)) == {"recoil": -5}
    assert applied(tally("attack.pool", {**facts, "recoil.phase": 3})) == {}


def test_example_b23_full_defense() -> None:
    facts = {"target.full_defense": True, "target.willpower": 4, "target.defenses_made": 0}
    assert tally("defense.pool", facts, 7).total == 11
    assert tally("defense.pool", {**facts, "target.defenses_made": 1}, 7).total == 10


def test_example_b16_parry_without_cover() -> None:
    facts = {"target.active_defense": "parry", "target.defense_skill": 5}
    assert tally("melee-defense.pool", facts, 9).total == 14
    assert tally("melee-defense.pool", {"target.active_defense": "none"}, 9).total == 9
    assert "target.cover" in RANGED.vocabulary.fields
    assert "target.cover" not in MELEE.vocabulary.fields


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"attacker.blind_fire": True}, {"blind-fire": -6}),
        ({"attacker.in_moving_vehicle": True}, {"attacker-in-vehicle": -2}),
        ({"attacker.in_melee": True}, {"attacker-in-melee": -3}),
        ({"attacker.running": True, "attacker.off_hand": True}, {"off-hand": -2, "attacker-running": -2}),
        ({"attacker.imaging_from_cover": True}, {"imaging-from-cover": -3}),
        ({"attacker.called_shot": True}, {"called-shot": -4}),
        ({"attacker.wound_modifier": -2}, {"attacker-wounds": -2}),
        (
            {"attacker.take_aim": 4, "attacker.aim_for": "dice", "attacker.willpower": 5},
            {"take-aim-dice": 3},
        ),
        ({"attacker.suppressed": 3, "attacker.prone": False, "attacker.in_cover": False}, {"suppressed": -3}),
        ({"attacker.suppressed": 3, "attacker.prone": True, "attacker.in_cover": False}, {}),
    ],
)
def test_ranged_attacker(facts: dict[str, Any], expected: dict[str, int]) -> None:
    assert applied(tally("attack.pool", facts)) == expected


SMART = {"weapon.features": ("smartgun", "laser-sight"), "attacker.smartlink": "implanted"}


def test_smartguns() -> None:
    assert applied(tally("limit.accuracy", SMART, game=CORE)) == {"smartgun-accuracy": 2}
    assert applied(tally("attack.pool", SMART, game=CORE)) == {"smartgun-implanted": 2}
    worn = {**SMART, "attacker.smartlink": "worn"}
    assert applied(tally("attack.pool", worn, game=CORE)) == {"smartgun-worn": 1}
    assert applied(tally("limit.accuracy", {**SMART, "attacker.smartlink": "none"}, game=CORE)) == {
        "laser-sight": 1
    }
    # The house rules want a direct neural interface.
    assert applied(tally("limit.accuracy", {**SMART, "attacker.dni": False})) == {"laser-sight": 1}
    assert applied(tally("attack.pool", {**SMART, "attacker.dni": False})) == {}
    assert applied(tally("attack.pool", {**SMART, "attacker.dni": True})) == {"smartgun-implanted": 2}
    # It is enough for Accuracy; the dice need a smartlink as well.
    bare = {**SMART, "attacker.smartlink": "none", "attacker.dni": True}
    assert applied(tally("limit.accuracy", bare)) == {"smartgun-accuracy": 2}
    assert applied(tally("attack.pool", bare)) == {}


def test_take_aim_with_a_smartgun() -> None:
    """Both dice and Accuracy; by the house rules only with a direct neural interface."""
    facts = {**SMART, "attacker.take_aim": 2, "attacker.willpower": 5, "attacker.aim_for": "accuracy"}
    assert applied(tally("attack.pool", facts, game=CORE))["take-aim-dice"] == 2
    assert applied(tally("attack.pool", {**facts, "attacker.dni": True}))["take-aim-dice"] == 2
    without = {**facts, "attacker.dni": False}
    assert "take-aim-dice" not in applied(tally("attack.pool", without))
    assert applied(tally("limit.accuracy", without))["take-aim-accuracy"] == 2


def test_blind_fire_round_a_corner() -> None:
    facts = {**SMART, "attacker.dni": True, "attacker.blind_fire": True, "attacker.around_corner": True}
    assert applied(tally("attack.pool", facts)) == {"smartgun-implanted": 2, "blind-fire-smartlink": -4}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"attacker.charging": True, "attacker.running": True}, {"charging": 2}),
        ({"attacker.running": True}, {"melee-running": -2}),
        (
            {"attacker.superior_position": True, "attacker.touch_only": True},
            {"superior-position": 2, "touch-only": 2},
        ),
        (
            {"target.prone": True, "attacker.friends_in_melee": True},
            {"opponent-prone": 1, "friends-in-melee": 1},
        ),
        ({"attacker.prone": True, "attacker.off_hand": True}, {"attacker-prone": -1, "off-hand": -2}),
        ({"environment.sight_modifier": -3}, {"melee-environment": -3}),
    ],
)
def test_melee_attacker(facts: dict[str, Any], expected: dict[str, int]) -> None:
    assert applied(tally("melee-attack.pool", facts)) == expected


@pytest.mark.parametrize(
    ("to", "facts", "expected"),
    [
        ("defense.pool", {"target.in_moving_vehicle": True}, {"target-in-vehicle": 3}),
        ("defense.pool", {"target.running": True, "target.sprinting": True}, {"target-sprinting": 4}),
        ("defense.pool", {"target.cover": "good"}, {"good-cover": 4}),
        ("defense.pool", {"target.prone": True, "distance": 5}, {"target-prone-near": -2}),
        ("defense.pool", {"target.prone": True, "distance": 6}, {}),
        ("defense.pool", {"target.in_melee": True}, {"target-in-melee": -3}),
        ("defense.pool", {"fire.mode": "long-full-automatic", "fire.rounds_missing": 4}, {"ten-rounds": -5}),
        ("defense.pool", {"fire.mode": "burst", "fire.rounds_missing": 2}, {"three-rounds": 0}),
        ("melee-defense.pool", {"target.prone": True}, {"target-prone-melee": -2}),
        ("melee-defense.pool", {"target.reach": 0, "weapon.reach": 2}, {"reach": -2}),
        ("melee-defense.pool", {"target.reach": 3, "weapon.reach": 1}, {"reach": 2}),
        (
            "melee-defense.pool",
            {"attacker.charging": True, "target.awaits_charge": True},
            {"charge-received": 1},
        ),
    ],
)
def test_defender(to: str, facts: dict[str, Any], expected: dict[str, int]) -> None:
    assert applied(tally(to, facts)) == expected


def test_armor_mods_help_against_their_element_only() -> None:
    facts = {"damage.element": "electricity", "target.nonconductivity": 3, "target.fire_resistance": 4}
    assert applied(tally("soak.pool", facts)) == {"nonconductivity": 3}


def test_refusals() -> None:
    assert refused({"range.band": "beyond"}) == ["beyond_range"]
    assert refused({"range.band": "too-close", "weapon.rounds": 0}) == ["too_close", "empty_weapon"]
    assert refused({"fire.mode": "burst", "weapon.modes": ("SA",)}) == ["mode_missing"]
    assert refused({"fire.mode": "burst", "weapon.modes": ("SA", "BF")}) == []
    shot = {"fire.mode": "single-shot", "weapon.modes": ("SS",), "weapon.fired_this_turn": True}
    assert refused(shot) == ["single_shot_spent"]
    assert refused(shot, CORE) == []


# --- Option modifiers: paydata ------------------------------------------------------------------------------

PAYDATA = {"modifiers": "paydata"}


@pytest.mark.parametrize(
    ("to", "facts", "expected"),
    [
        (
            "attack.pool",
            {"environment.visibility": "light", "environment.light": "dark", "environment.glare": "none"},
            {"paydata-visibility": -4, "paydata-light": -4},
        ),
        (
            "attack.pool",
            {"environment.visibility": "heavy", "attacker.visibility_help": "gear"},
            {"paydata-visibility-gear": -2},
        ),
        (
            "attack.pool",
            {"environment.light": "dim", "environment.glare": "none", "attacker.light_help": "own"},
            {"paydata-light-own": 0},
        ),
        ("attack.pool", {"weapon.category": "taser", "range.zone": "near"}, {"paydata-pistol-near": -4}),
        ("attack.pool", {"weapon.category": "light-machine-gun", "range.zone": "far"}, {"paydata-machine-gun-far": -4}),
        ("attack.pool", {"weapon.category": "shotgun", "range.zone": "close"}, {}),
        ("attack.pool", {"weapon.category": "holdout", "attacker.in_melee": True}, {"paydata-handgun-in-melee": -4}),
        ("attack.pool", {"weapon.category": "shotgun", "attacker.in_melee": True}, {"paydata-long-gun-in-melee": -8}),
        ("attack.pool", {"attacker.aim_turns": 5, "attacker.willpower": 3}, {"paydata-aim": 3}),
        ("attack.pool", {**SMART, "attacker.dni": True}, {"paydata-smartgun": 2}),
        ("attack.pool", {"environment.modifier": -3, "attacker.running": True}, {"attacker-running": -2}),
        ("melee-attack.pool", {"attacker.prone": True}, {"paydata-attacker-prone": -2}),
        ("melee-attack.pool", {"attacker.touch_only": True}, {"paydata-touch-only": 4}),
        ("melee-attack.pool", {"target.prone": True, "attacker.friends_in_melee": True}, {}),
        ("defense.pool", {"target.prone": True, "distance": 40}, {"paydata-target-prone": -2}),
        ("defense.pool", {"target.strapped_in": True, "target.in_moving_vehicle": True}, {"paydata-strapped-in": -4}),
        ("defense.pool", {"target.defenses_made": 2, "target.cover": "partial"}, {"partial-cover": 2}),
    ],
)  # fmt: skip
def test_paydata(to: str, facts: dict[str, Any], expected: dict[str, int]) -> None:
    assert applied(tally(to, facts, **PAYDATA)) == expected


@pytest.mark.parametrize(
    ("facts", "codes"),
    [
        ({"weapon.category": "heavy-pistol", "range.zone": "far"}, ["out_of_zone"]),
        ({"weapon.category": "sniper-rifle", "range.zone": "extreme"}, []),
        ({"weapon.category": "missile-launcher", "load.type": "rocket", "range.zone": "extreme"}, ["out_of_zone"]),
        ({"weapon.category": "missile-launcher", "load.type": "missile", "range.zone": "extreme"}, []),
        ({"range.band": "beyond"}, []),
    ],
)  # fmt: skip
def test_paydata_zones_that_cannot_be_reached(facts: dict[str, Any], codes: list[str]) -> None:
    assert refused(facts, **PAYDATA) == codes


def test_paydata_is_off_by_default() -> None:
    assert HOUSE.options({})["modifiers"] == "core"
    assert not any(
        id.startswith("paydata") for id in applied(tally("attack.pool", {"environment.wind": "strong"}))
    )


def test_draft_ammunition() -> None:
    assert applied(tally("damage.value", {"load.type": "apds"})) == {}
    assert applied(tally("damage.value", {"load.type": "apds"}, ammunition="draft")) == {"apds-draft": -1}
