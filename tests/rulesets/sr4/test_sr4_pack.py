"""Everything in the pack works: each weapon in each mode, each ammunition, armor and combatant."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from sr4_table import (
    FIRING,
    GAME,
    GUNS,
    MELEE,
    SINGLE,
    burst,
    counts,
    effects,
    entries,
    explain,
    lines,
    resolve,
    seed,
    total,
)

from fracas.errors import InputError
from fracas.kernel.vocabulary import Vocabulary
from fracas.packs.entries import Entry
from fracas.rulesets.sr4.melee.melee_vocabulary import MELEE_ATTACK
from fracas.rulesets.sr4.ranged.ranged_vocabulary import FIRE_MODES, RANGED_ATTACK

FIRES: dict[str, list[dict[str, str]]] = {
    "SS": [{"mode": "single-shot"}],
    "SA": [SINGLE],
    "BF": [burst("short"), burst("short", "wide")],
    "FA": [burst(length, spread) for length in ("short", "long", "full") for spread in ("narrow", "wide")],
}
ROUNDS = {"single-shot": 1, "semi-automatic": 1, "short-burst": 3, "long-burst": 6, "full-burst": 10}
RESULTS = {"hit", "graze", "miss"}


def slug(value: Any) -> str:
    return (
        value.slug
        if isinstance(value, Entry)
        else "-".join(value.values())
        if isinstance(value, dict)
        else str(value)
    )


def sayable(record: str, vocabulary: Vocabulary = RANGED_ATTACK) -> set[str]:
    """What the vocabulary lets one say of a record."""
    return {path.removeprefix(f"{record}.") for path in vocabulary.fields if path.startswith(f"{record}.")}


SHOTS = [
    (weapon, fire)
    for weapon in GUNS
    for fire in {slug(fire): fire for mode in weapon.data["modes"] for fire in FIRES[mode]}.values()
]


def shot(weapon: Entry, fire: dict[str, str], **target: Any) -> dict[str, Any]:
    """An attack with more dice than any recoil takes away."""
    return {
        "attacker": {"pool": 40, "strength": 6, "rounds_before": 0},
        "target": {"use": "guard", **target},
        "weapon": weapon.slug,
        "fire": fire,
        "distance": 3,
    }


@pytest.mark.parametrize(("weapon", "fire"), SHOTS, ids=slug)
def test_weapon_fires(weapon: Entry, fire: dict[str, str]) -> None:
    for number in range(3):
        answer = resolve(shot(weapon, fire), dice=seed(number))
        assert answer["status"] == "resolved"
        assert answer["outcome"]["result"] in RESULTS
        assert total(answer, "damage.value") > 0
    spent = min(ROUNDS[fire["mode"]], weapon.data["rounds"])
    # An arrow or a knife is gone, and the next has to be made ready.
    gone = [-1] if weapon.data["category"] == "crossbow" else [-1, None]
    expected = gone if weapon.data["feed"] == "none" else [-spent]
    assert [effect["amount"] for effect in effects(answer, "item", "weapon")] == expected


@pytest.mark.parametrize(("weapon", "fire"), SHOTS, ids=slug)
def test_weapon_does_its_damage(weapon: Entry, fire: dict[str, str]) -> None:
    """Nothing but hits, and none on the resistance: every number can be told from the weapon's data.

    So many wounds leave no dice for a test against electricity.
    """
    situation = shot(weapon, fire, unaware=True, physical=0, stun=0)
    pool, resistance = (total(explain(situation), to) for to in ("attack.pool", "resist.pool"))
    answer = resolve(situation, dice=[[6] * pool, [2] * resistance])
    value = weapon.data["dv"] + (3 if weapon.data.get("dv_half_strength") else 0)
    rounds = min(ROUNDS[fire["mode"]], weapon.data["rounds"])
    added = rounds - 1 if fire.get("spread") == "narrow" else 0
    outcome = answer["outcome"]
    assert outcome["modified_dv"] == value + pool
    assert outcome["damage"] == value + pool + added
    assert outcome["track"] == weapon.data["damage"]
    armor = {"ballistic": 6, "impact": 4}[weapon.data["armor_kind"]]
    if weapon.data.get("ap_half"):
        armor -= armor // 2
    assert outcome["modified_armor"] == max(0, armor + weapon.data["ap"])


@pytest.mark.parametrize("weapon", GUNS, ids=slug)
def test_weapon_refuses_every_other_mode(weapon: Entry) -> None:
    able = {fire["mode"] for mode in weapon.data["modes"] for fire in FIRES[mode]}
    for mode in FIRE_MODES:
        fire = {"mode": mode, "spread": "narrow"}
        answer = explain(shot(weapon, fire))
        codes = [refusal["code"] for refusal in answer.get("refusals", ())]
        assert codes == ([] if mode in able else ["mode_not_available"])


@pytest.mark.parametrize("weapon", GUNS, ids=slug)
def test_weapon_s_data(weapon: Entry) -> None:
    data = weapon.data
    assert set(data) - {"availability", "cost"} <= sayable("weapon")
    assert GAME.shelf.entry("range", data["range"])
    heavy = {"light-machine-gun", "medium-machine-gun", "heavy-machine-gun", "assault-cannon"}
    doubles = data["category"] in heavy or (data["category"] == "shotgun" and "BF" in data["modes"])
    assert data.get("recoil_factor", 1) == (2 if doubles else 1)
    assert data["rc_deployed"] >= data["rc"]
    assert data["rounds"] == data["magazine"] > 0
    assert (data["armor_kind"] == "impact") >= bool(data.get("flechette") or data.get("electric"))


@pytest.mark.parametrize("weapon", MELEE, ids=slug)
def test_melee_weapon_is_no_ranged_one(weapon: Entry) -> None:
    """The shop's fields are those of a melee attack; a ranged attack with it is refused in every mode."""
    assert set(weapon.data) - {"availability", "cost"} <= sayable("weapon", MELEE_ATTACK)
    assert weapon.data["armor_kind"] == "impact"
    for mode in FIRE_MODES:
        answer = explain(shot(weapon, {"mode": mode, "spread": "narrow"}))
        assert answer["status"] == "refused"
        assert "not_a_ranged_weapon" in [refusal["code"] for refusal in answer["refusals"]]


@pytest.mark.parametrize("weapon", FIRING, ids=slug)
def test_weapon_without_damage_of_its_own_asks_for_it(weapon: Entry) -> None:
    """It is fired once the damage is said; its own rounds are of the sort that it fires."""
    beside = {"fires", "mounted_on", "availability", "cost"}
    assert set(weapon.data) - beside <= sayable("weapon")
    (fire, *_) = (fire for mode in weapon.data["modes"] for fire in FIRES[mode])
    with pytest.raises(InputError) as caught:
        explain(shot(weapon, fire))
    assert {problem.code for problem in caught.value.problems} == {"missing-field"}
    assert "situation.weapon.dv" in [problem.path for problem in caught.value.problems]
    damage = {"use": weapon.slug, "dv": 10, "damage": "physical", "ap": -2, "armor_kind": "impact"}
    answer = resolve({**shot(weapon, fire), "weapon": damage, "distance": 20}, dice=seed(1))
    assert answer["outcome"]["result"] in RESULTS
    loaded = weapon.data.get("ammunition")
    if loaded:
        ammunition = GAME.shelf.entry("ammunition", loaded)
        assert ammunition
        assert ammunition.data["fits"] == weapon.data["fires"]
    mounted = weapon.data.get("mounted_on")
    assert mounted is None or GAME.shelf.entry("weapon", mounted)


@pytest.mark.parametrize("sort", ["grenade", "missile"])
def test_launchers_have_something_to_fire(sort: str) -> None:
    assert [weapon.slug for weapon in FIRING if weapon.data["fires"] == sort]
    warheads = [entry for entry in entries("ammunition") if entry.data.get("fits") == sort]
    assert warheads
    for warhead in warheads:
        data = warhead.data
        if "dv" in data:
            assert data["replaces"] is True
            # The radius of an explosion is where nothing is left of it.
            assert not data["blast_falloff"] or data["blast_radius"] == data["dv"] // data["blast_falloff"]
        else:
            assert data["delivers"]


@pytest.mark.parametrize(
    ("kind", "weapon"), [("ballistic", "streetline-special"), ("impact", "raecor-sting")]
)
@pytest.mark.parametrize("piece", entries("armor"), ids=slug)
def test_armor_is_worn(piece: Entry, kind: str, weapon: str) -> None:
    """Alone, over a vest of 6/4, and with troll skin; the Raecor Sting has AP +5."""
    penetration = 5 if kind == "impact" else 0
    vest = {"ballistic": 6, "impact": 4}[kind]
    own = piece.data[kind]
    together = vest + own if piece.data.get("stacks") else max(vest, own)
    worn: list[tuple[list[str], int, int]] = [
        ([piece.slug], 0, own),
        (["armor-vest", piece.slug], 0, together),
    ]
    worn.append(([piece.slug], 1, own + 1))
    for pieces, skin, rating in worn:
        target = {"use": "guard", "armor": pieces, f"{kind}_bonus": skin}
        fire = {"mode": "single-shot"}
        answer = resolve(
            {"attacker": {"pool": 9}, "target": target, "weapon": weapon, "fire": fire}, dice=seed(3)
        )
        assert total(answer, "armor.rating") == (rating + penetration if rating else 0)
        assert total(answer, "resist.pool") == 3 + total(answer, "armor.rating")


@pytest.mark.parametrize("body", range(1, 7))
@pytest.mark.parametrize("piece", entries("armor"), ids=slug)
def test_armor_encumbers(piece: Entry, body: int) -> None:
    over = max(piece.data["ballistic"], piece.data["impact"]) - 2 * body
    target = {"use": "brick", "body": body, "armor": [piece.slug]}
    answer = explain(
        {"attacker": {"pool": 9}, "target": target, "weapon": "colt-america-l36", "fire": SINGLE}
    )
    line = lines(answer, "defense.pool")["target-encumbrance"]
    assert counts(line) is (over > 0)
    assert total(answer, "defense.pool") == max(0, 3 - max(0, (over + 1) // 2))


def attack_dice(attacker: Entry, weapon: Entry) -> int:
    """Attribute, skill and sight, by hand; nobody of the pack is wounded, the Guard's vest encumbers nobody."""
    data, gun = attacker.data, weapon.data
    rating = data["skills"].get(gun["skill"], -1)
    smart = data["smartlink"] and "smartgun" in gun["features"]
    sight = 2 if smart else 1 if "laser-sight" in gun["features"] else 0
    return int(data["agility"] + rating + sight)


@pytest.mark.parametrize(("attacker", "target"), list(product(entries("combatant"), repeat=2)), ids=slug)
def test_combatants_attack_each_other(attacker: Entry, target: Entry) -> None:
    guns = [weapon.slug for weapon in GUNS]
    for reference in [weapon for weapon in attacker.data["weapons"] if weapon in guns] or ["colt-manhunter"]:
        weapon = GAME.shelf.entry("weapon", reference)
        assert weapon
        fire = FIRES[weapon.data["modes"][0]][0]
        situation = {
            "attacker": {"use": attacker.slug, "recoil_compensation": 9},
            "target": target.slug,
            "weapon": weapon.slug,
            "fire": fire,
            "distance": 2,
        }
        answer = resolve(situation, dice=seed(11))
        assert answer["outcome"]["result"] in RESULTS
        assert total(answer, "attack.pool") == attack_dice(attacker, weapon)
        assert total(answer, "defense.pool") == target.data["reaction"]
        assert answer["outcome"].keys() >= {"physical_after", "stun_after", "dead"}


@pytest.mark.parametrize("combatant", entries("combatant"), ids=slug)
def test_combatant_s_data(combatant: Entry) -> None:
    counted = {"augmentations": "augmentation", "traits": "trait", "powers": "power"}
    beside = {"passes", "weapons", "unarmed_dv", "unarmed_physical", "tradition", *counted}
    assert set(combatant.data) - beside <= sayable("attacker") | sayable("target")
    assert combatant.data["edge_points"] == combatant.data["edge"]
    for field, kind in {**counted, "weapons": "weapon"}.items():
        for reference in combatant.data.get(field, ()):
            assert GAME.shelf.entry(kind, reference), reference


@pytest.mark.parametrize("combatant", entries("combatant"), ids=slug)
def test_combatant_is_within_the_limits_of_the_metatype(combatant: Entry) -> None:
    metatype = GAME.shelf.entry("metatype", combatant.data["metatype"])
    assert metatype
    for name, most in metatype.data["maximum"].items():
        assert 1 <= combatant.data[name] <= most * 3 // 2, name
    assert set(metatype.data["senses"]) <= set(combatant.data["senses"])


def test_every_armor_field_is_known() -> None:
    for piece in entries("armor"):
        assert set(piece.data) - {"availability", "cost"} <= {"ballistic", "impact", "stacks"}, piece.id


def test_who_is_down_takes_no_action() -> None:
    """Score 0 is not among them: who has no action left may still go on full defense (rulebook 4.3)."""
    down = {entry.slug for entry in entries("condition") if entry.data.get("incapacitates")}
    assert down == {"unconscious", "dying", "stabilized", "dead", "incapacitated", "wrecked", "banished"}


@pytest.mark.parametrize("weapon", ["remington-990", "mossberg-am-cmdt", "cyber-shotgun", "hk-xm30-shotgun"])
def test_every_shotgun_has_a_choke(weapon: str) -> None:
    entry = GAME.shelf.entry("weapon", weapon)
    assert entry
    for choke in ("narrow", "medium", "wide"):
        assert "refusals" not in explain(shot(entry, {**SINGLE, "choke": choke}))
