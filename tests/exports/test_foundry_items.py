"""Items of game systems: right numbers in the systems' own words, whatever a pack says; and schemas that mind."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from exported_packs import LIBRARIES, core
from hypothesis import given
from hypothesis import strategies as st
from item_schemas import SCHEMAS, complaints, item_check
from jsonschema import Draft202012Validator
from sheet_mappings import SYSTEMS
from system_facts import facts

from fracas.exports.foundry import shadowrun4e
from fracas.exports.foundry.items import items
from fracas.exports.foundry.systems import System
from fracas.packs.entries import Entry, Pack
from fracas.packs.schema_fields import form
from fracas.packs.schema_flattening import closed

PACK_OF = {
    "shadowrun4e": "sr4-core",
    "shadowrun5e": "sr5-core",
    "swnr": "cwn-core",
    "dark-heresy": "imperium-core",
}
KINDS = {"weapon": "weapons", "armor": "armor", "action": "actions"}


def built(system: System, pack: Pack) -> list[dict[str, Any]]:
    return items(pack, core().ruleset_packs(system.ruleset), system)


def item(system: str, entry: str) -> dict[str, Any]:
    """The item of an entry (``weapon/ares-predator-iv``) of a core pack."""
    pack = core().packs[PACK_OF[system]]
    (found,) = (
        each
        for each in built(SYSTEMS[system], pack)
        if each["flags"]["fracas"]["entry"] == f"{pack.id}:{entry}"
    )
    return found


def at(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value[step]
    return value


EXPECTED: list[tuple[str, str, str, dict[str, Any]]] = [
    ("shadowrun4e", "weapon/ares-predator-iv", "Ranged Weapon",
     {"category": "HEAVY_PISTOLS", "attackSkill": "PISTOLS", "damage": 5, "damageType": "PHYSICAL", "ap": -1,
      "mode": "SEMI_AUTOMATIC", "maxAmmo": 15, "currentAmmo": 15, "ammoFeed": "c", "armorType": "ballistic",
      "cost": 350, "availability": "4R", "avail": 4, "legality": "R", "smartlink": True, "quantity": 1}),
    ("shadowrun4e", "weapon/ak-97", "Ranged Weapon", {"mode": "SEMI_BURST_FULL_AUTO", "attackSkill": "AUTOMATICS"}),
    ("shadowrun4e", "weapon/defiance-ex-shocker", "Ranged Weapon",
     {"damage": 8, "damageType": "ELECTRICITY", "armorType": "impact", "category": "TASERS"}),
    ("shadowrun4e", "weapon/defiance-ex-shocker-melee", "Melee Weapon",
     {"damage": 8, "attackSkill": "CLUBS", "reach": 0, "noStrengthBonus": True}),
    ("shadowrun4e", "weapon/fragmentation-grenade", "Ranged Weapon",
     {"damage": 12, "ap": 5, "attackSkill": "THROWING", "armorType": "impact", "category": "THROWING_WEAPONS"}),
    ("shadowrun4e", "action/fire-full-burst", "Action", {"actionType": "COMPLEX", "actionPart1": ""}),
    ("shadowrun5e", "weapon/grenade-fragmentation", "weapon",
     {"category": "thrown", "action.damage.base": 18, "action.damage.ap.base": 5, "thrown.blast.dropoff": -1,
      "thrown.ranges.category": "standardThrownGrenade", "action.limit.attribute": "physical"}),
    ("shadowrun5e", "weapon/grenade-flash-bang", "weapon",
     {"action.damage.type.value": "stun", "thrown.blast.radius": 10, "action.damage.base": 10}),
    ("shadowrun5e", "weapon/armtech-mgl-12", "weapon",
     {"category": "range", "range.modes.semi_auto": True, "range.modes.full_auto": False, "ammo.current.max": 12,
      "ammo.clip_type": "removable_clip", "range.ranges.category": "grenadeLauncher", "range.ranges.short": 50}),
    ("shadowrun5e", "weapon/throwing-knife", "weapon",
     {"action.damage.attribute": "strength", "action.damage.base_formula_operator": "add", "action.damage.base": 1}),
    ("swnr", "weapon/heavy-pistol", "weapon",
     {"damage": "1d8", "stat": "dex", "secondStat": "none", "ammo.type": "ammo", "ammo.max": 8, "ammo.value": 8,
      "range.normal": 10, "range.max": 100, "trauma.die": "1d6", "trauma.rating": 3, "isMelee": False}),
    ("swnr", "weapon/grenade-flash", "weapon",
     {"damage": "0", "trauma.rating": None, "save": "physical", "ammo.type": "none", "shock.dmg": "0"}),
    ("swnr", "weapon/mortar", "weapon", {"stat": "wis", "save": "evasion", "ammo.type": "missile"}),
    ("swnr", "weapon/banshee-module", "weapon", {"stat": "ask", "secondStat": "none", "isNonLethal": True}),
    ("swnr", "armor/reinforced-clothing", "armor",
     {"ac": 13, "meleeAc": 10, "soak.value": 2, "soak.max": 2, "isSubtle": True, "shield": False}),
    ("swnr", "armor/riot-shield", "armor",
     {"ac": 10, "shield": True, "shieldACBonus": 2, "shieldMeleeACBonus": 4, "meleeAc": None}),
    ("dark-heresy", "weapon/autopistol", "weapon",
     {"class": "pistol", "range": 20, "rateOfFire": {"single": 1, "burst": 4, "full": 0}, "damage": "2d6",
      "clip": {"max": 15, "value": 15}}),
    ("dark-heresy", "weapon/chain-axe", "weapon",
     {"class": "melee", "type": "chain", "rateOfFire": {"single": 0, "burst": 0, "full": 0}, "special": "Chain, Loud"}),
    ("dark-heresy", "armor/leather-jacket", "armour",
     {"part": {"head": 0, "leftArm": 2, "rightArm": 2, "body": 2, "leftLeg": 0, "rightLeg": 0}, "type": "basic"}),
]  # fmt: skip


@pytest.mark.parametrize(("system", "entry", "type", "values"), EXPECTED, ids=lambda value: str(value)[:40])
def test_numbers_and_words(system: str, entry: str, type: str, values: dict[str, Any]) -> None:
    found = item(system, entry)
    assert found["type"] == type
    assert {path: at(found["system"], path) for path in values} == values


@pytest.mark.parametrize(
    ("system", "entry", "picture"),
    [
        ("shadowrun4e", "weapon/ares-predator-iv", "guns/gun-pistol-brass.webp"),
        ("shadowrun4e", "weapon/fragmentation-grenade", "thrown/grenade-round.webp"),
        ("shadowrun4e", "weapon/katana", "swords/sword-katana.webp"),
        ("shadowrun5e", "weapon/ranger-arms-sm-5", "guns/rifle-fluted.webp"),  # no arm of a pole
        ("shadowrun5e", "weapon/hand-razors", "fist/claw-gauntlet-gray.webp"),
        ("swnr", "weapon/sniper-heavy-pistol", "guns/gun-pistol-brass.webp"),
        ("swnr", "weapon/grenade-smoke", "thrown/bomb-gas-grey-purple.webp"),
        ("swnr", "weapon/omnihand", "swords/sword-guard.webp"),  # by its type, as its name tells nothing
        ("dark-heresy", "weapon/autogun", "guns/gun-worn-steel.webp"),
        ("dark-heresy", "weapon/chain-axe", "axes/axe-battle-black.webp"),
    ],
)
def test_a_pistol_does_not_look_like_a_sword(system: str, entry: str, picture: str) -> None:
    assert item(system, entry)["img"] == f"icons/weapons/{picture}"


@pytest.mark.parametrize(
    ("modes", "word"),
    [
        (["SS"], "SINGLE_SHOT"),
        (["FA", "SA", "BF"], "SEMI_BURST_FULL_AUTO"),
        (["SS", "BF"], "SINGLE_SHOT"),  # it has no word for both: never one for more than there is
        (["SA", "FA"], "SEMI_AUTOMATIC"),
        (["SA", "BF", "XX"], "SEMI_BURST"),
        ([], ""),
    ],
)
def test_several_firing_modes_in_one_word(modes: list[str], word: str) -> None:
    assert shadowrun4e.mode(modes) == word


# --- The game systems' own fields ---------------------------------------------------------------------------------


def leaves(data: dict[str, Any], system: str, type: str, before: str = "") -> Iterator[tuple[str, Any]]:
    """Paths and values, down to where the system has a field."""
    for name, value in data.items():
        path = before + name
        field = facts(system).field("items", type, path)
        if isinstance(value, dict) and not (field and field["type"] in ("object", "any")):
            yield from leaves(value, system, type, f"{path}.")
        else:
            yield path, value


PYTHON = {
    "whole": int,
    "number": (int, float),
    "flag": bool,
    "text": str,
    "html": str,
    "list": list,
    "object": dict,
}


def misfits(system: str, document: dict[str, Any]) -> Iterator[str]:
    """What of an item the system would drop, refuse or change."""
    type = document["type"]
    for path, value in leaves(document["system"], system, type):
        field = facts(system).field("items", type, path)
        if field is None or field.get("derived"):
            yield f"{type} has no {path}"
        elif value is None:
            if not field.get("nullable"):
                yield f"{type} {path} cannot be null"
        elif field["type"] != "any" and not isinstance(value, PYTHON[field["type"]]):
            yield f"{type} {path} takes {field['type']}, not {value!r}"
        elif field["type"] in ("whole", "number"):
            if not field.get("least", value) <= value <= field.get("most", value):
                yield f"{type} {path}: {value} is out of its range"
        elif (known := field.get("choices") or field.get("words")) and value not in (*known, ""):
            yield f"{type} {path} is never {value!r}"


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_every_value_has_a_field_that_takes_it(system: System) -> None:
    found = {
        wrong
        for each in built(system, core().packs[PACK_OF[system.id]])
        for wrong in misfits(system.id, each)
    }
    assert sorted(found) == []


# --- Every word of our schemas ------------------------------------------------------------------------------


def words(value: Any) -> list[Any]:
    """The values that a field may have, if they are a closed list."""
    found = value.get("enum") or value.get("items", {}).get("enum") or ()
    return list(found)


def enumerated(system: System, kind: str) -> Iterator[tuple[str, Any]]:
    """Each field of a kind with a closed list of words, and each of these."""
    forms = closed(KINDS[kind]).entries
    whole = dict(forms.get(system.ruleset) or forms[None])
    stack, seen = [whole], []
    while stack:
        part = stack.pop()
        for name, each in part.get("properties", {}).items():
            seen += [(name, [word] if "items" in each else word) for word in words(each)]
        stack += [
            each
            for key in ("allOf", "anyOf", "oneOf")
            for each in part.get(key, ())
            if isinstance(each, dict)
        ]
        stack += [part[key] for key in ("then", "else", "if") if isinstance(part.get(key), dict)]
        if "$ref" in part:
            stack.append(whole["$defs"][part["$ref"].rpartition("/")[2]])
    yield from {
        repr(each): each for each in seen if each[0] not in ("source", "provenance", "confidence")
    }.values()


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_every_word_that_a_pack_may_say_has_one_of_the_system(system: System) -> None:
    pack = core().packs[PACK_OF[system.id]]
    tried = set()
    for kind in system.builders:
        models = [entry for entry in pack.entries if entry.kind == kind]
        for field, word in enumerated(system, kind):
            model = next((entry for entry in models if field in entry.data), models[0])
            changed = model._replace(data={**model.data, field: word})
            (found,) = built(system, pack._replace(entries=(changed,)))
            assert complaints(item_check(system.id), found) == [], (field, word)
            tried.add((field, str(word)))
            if (system.id, field) in MUST_BE_KNOWN:
                assert at(found["system"], MUST_BE_KNOWN[system.id, field]) not in ("", None), word
    assert len(tried) > 5


MUST_BE_KNOWN = {
    ("shadowrun4e", "category"): "category",
    ("swnr", "attributes"): "stat",
    ("dark-heresy", "material"): "type",
    ("dark-heresy", "type"): "class",
}
"""Fields none of whose words may be lost: the system's path that must have one."""

FIGHTING = {"archery", "automatics", "blades", "clubs", "exotic-melee-weapon", "exotic-ranged-weapon", "gunnery",
            "heavy-weapons", "longarms", "pistols", "throwing-weapons", "unarmed-combat"}  # fmt: skip


@pytest.mark.parametrize(
    ("system", "path", "none"), [("shadowrun4e", "attackSkill", "NONE"), ("shadowrun5e", "action.skill", "")]
)
@pytest.mark.parametrize("skill", sorted(FIGHTING))
def test_every_skill_that_fights_is_known(system: str, path: str, none: str, skill: str) -> None:
    pack = core().packs[PACK_OF[system]]
    model = next(entry for entry in pack.entries if entry.kind == "weapon")
    (found,) = built(
        SYSTEMS[system], pack._replace(entries=(model._replace(data={**model.data, "skill": skill}),))
    )
    assert at(found["system"], path) != none


def test_every_range_of_sr5_is_one_of_the_system_or_none() -> None:
    pack = core().packs["sr5-core"]
    model = next(entry for entry in pack.entries if entry.kind == "weapon" and "range" in entry.data)
    for name in core().ruleset_packs("sr5").names("range"):
        (found,) = built(
            SYSTEMS["shadowrun5e"],
            pack._replace(entries=(model._replace(data={**model.data, "range": name}),)),
        )
        assert complaints(item_check("shadowrun5e"), found) == [], name


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@given(data=st.data())
def test_whatever_an_entry_leaves_out_its_item_is_sound(system: System, data: st.DataObject) -> None:
    pack = core().packs[PACK_OF[system.id]]
    entries = [entry for entry in pack.entries if entry.kind in system.builders]
    entry: Entry = data.draw(st.sampled_from(entries))
    required = {
        field.name for field in form(KINDS[entry.kind], system.ruleset, entry.data).fields if field.required
    }
    free = sorted(set(entry.data) - required)
    gone = data.draw(st.sets(st.sampled_from(free))) if free else set()
    less = {name: value for name, value in entry.data.items() if name not in gone}
    (found,) = built(system, pack._replace(entries=(entry._replace(data=less),)))
    assert complaints(item_check(system.id), found) == []


# --- The schemas --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_every_schema_is_one(schema: Any) -> None:
    Draft202012Validator.check_schema(schema)


SPOILT: list[tuple[str, str, str, Any]] = [
    ("swnr", "weapon/heavy-pistol", "system.trauma", None),
    ("swnr", "weapon/heavy-pistol", "system.trauma.die", "none"),
    ("swnr", "weapon/heavy-pistol", "system.trauma.rating", "none"),
    ("swnr", "weapon/heavy-pistol", "system.stat", "dexterity"),
    ("swnr", "weapon/heavy-pistol", "system.ammo.type", "bullets"),
    ("swnr", "weapon/heavy-pistol", "system.save", ""),
    ("swnr", "armor/riot-shield", "system.ac", "13"),
    ("dark-heresy", "weapon/autopistol", "system.rateOfFire", None),
    ("dark-heresy", "weapon/autopistol", "system.rateOfFire.full", None),
    ("dark-heresy", "weapon/autopistol", "system.rateOfFire.burst", "4"),
    ("dark-heresy", "weapon/autopistol", "system.penetration", 4),
    ("dark-heresy", "weapon/autopistol", "system.class", "Pistol"),
    ("dark-heresy", "weapon/autopistol", "system.damageType", "Impact"),
    ("dark-heresy", "armor/leather-jacket", "type", "armor"),
    ("dark-heresy", "armor/leather-jacket", "system.part.leftArm", None),
    ("shadowrun4e", "weapon/ares-predator-iv", "system.mode", "SA"),
    ("shadowrun4e", "weapon/ares-predator-iv", "system.attackSkill", "pistols"),
    ("shadowrun4e", "weapon/ares-predator-iv", "system.attackSkill", "BLADES"),
    ("shadowrun4e", "weapon/ares-predator-iv", "system.damageType", "physical"),
    ("shadowrun4e", "weapon/ares-predator-iv", "system.damage", "5P"),
    ("shadowrun4e", "weapon/ares-predator-iv", "type", "weapon"),
    ("shadowrun4e", "weapon/ares-predator-iv", "type", "Melee Weapon"),
    ("shadowrun4e", "action/fire-full-burst", "system.actionType", "complex"),
    ("shadowrun5e", "weapon/armtech-mgl-12", "system.action.damage.normal_weapon", False),
    ("shadowrun5e", "weapon/armtech-mgl-12", "system.category", "ranged"),
    ("shadowrun5e", "weapon/armtech-mgl-12", "system.range.ranges.category", "grenade-launchers"),
    ("shadowrun5e", "weapon/armtech-mgl-12", "system.range.ranges.short", 0.5),
    ("shadowrun5e", "weapon/armtech-mgl-12", "system.action.damage.element.value", "chemical"),
    ("shadowrun5e", "weapon/armtech-mgl-12", "_id", "short"),
    ("shadowrun5e", "weapon/armtech-mgl-12", "_key", "!actors!0123456789abcdef"),
    ("shadowrun5e", "weapon/armtech-mgl-12", "_key", None),
    ("shadowrun5e", "weapon/armtech-mgl-12", "name", " "),
    ("shadowrun5e", "weapon/armtech-mgl-12", "flags.fracas.hash", None),
    ("shadowrun5e", "weapon/armtech-mgl-12", "_stats.systemId", "shadowrun4e"),
    ("shadowrun5e", "weapon/armtech-mgl-12", "_stats.coreVersion", "12.331"),
    ("shadowrun5e", "weapon/armtech-mgl-12", "system.surprise", 1),
]


@pytest.mark.parametrize(("system", "entry", "path", "value"), SPOILT)
def test_what_the_system_would_not_bear_is_noticed(system: str, entry: str, path: str, value: Any) -> None:
    """A value of None takes the field away."""
    found = copy.deepcopy(item(system, entry))
    assert complaints(item_check(system), found) == []
    *way, last = path.split(".")
    inside = at(found, ".".join(way)) if way else found
    if value is None:
        del inside[last]
    else:
        inside[last] = value
    assert complaints(item_check(system), found)


def test_the_contributed_packs_have_items_too() -> None:
    small = LIBRARIES["small"]()
    for pack in small.packs.values():
        system = next(each for each in SYSTEMS.values() if each.ruleset == pack.manifest.ruleset)
        made = items(pack, small.ruleset_packs(system.ruleset), system)
        assert [complaints(item_check(system.id), each) for each in made] == [[] for _ in made]
