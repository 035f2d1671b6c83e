"""The pack imperium-core: its entries are read, refer to what exists, and say the numbers of the rulebook."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from imperium_table import GAME, SHELF, data, entries, parse, rows

from fracas.kernel.economy import Payment, afford
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.packs.entries import Entry
from fracas.packs.shipped import shipped
from fracas.rulesets.imperium import RULESET, vocabulary
from fracas.rulesets.imperium.attacks.attack_vocabulary import CLOSE_COMBAT, SHOOTING

DICE = re.compile(r"[1-9]\d*d(3|6|10)([+-]\d+)?")
PLAYED = ("weapon", "armor", "combatant", "mod", "trait")
BESIDE = {
    "weapon": set(),
    "armor": set(),
    "combatant": {"weapons"},
    "mod": {"silencer", "ammunition", "heard_on_matched_failure", "as_weapon"},
    "trait": {"grants"},
}
"""Fields that no procedure reads from the entry itself: what it refers to, or what it says of others."""


def slug(value: Any) -> str:
    return value.slug if isinstance(value, Entry) else str(value)


def everything(*kinds: str) -> list[Entry]:
    return [entry for kind in kinds for entry in entries(kind)]


def read_by(entry: Entry) -> dict[str, Any]:
    """What the trials of an entry read from it, by the name of the field."""
    found: dict[str, Any] = {}
    for trial in RULESET.trials(entry, SHELF):
        words = RULESET.procedures[trial.procedure].vocabulary
        said = words.parse(trial.situation, SHELF)
        for record in said.used:
            given = trial.situation[record]
            told = set(given) if isinstance(given, dict) else set()
            for path, value in said.facts.items():
                if path.rpartition(".")[0] == record and path.rpartition(".")[2] not in told:
                    found[path.rpartition(".")[2]] = value
    return found


# --- Every entry is put to use ------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", everything(*PLAYED), ids=slug)
def test_entry_is_read_by_a_procedure(entry: Entry) -> None:
    trials = RULESET.trials(entry, SHELF)
    assert trials
    for trial in trials:
        RULESET.procedures[trial.procedure].vocabulary.parse(trial.situation, SHELF)


@pytest.mark.parametrize("entry", everything("weapon", "armor", "combatant"), ids=slug)
def test_no_field_of_an_entry_is_passed_over(entry: Entry) -> None:
    read = read_by(entry)
    assert set(entry.data) - BESIDE[entry.kind] <= set(read)
    for name, value in entry.data.items():
        if isinstance(value, (int, float, str)) and name != "mundane_weapon":
            assert read[name] == value


def test_a_kind_that_nothing_reads_has_no_trials() -> None:
    assert not RULESET.trials(entries("table")[0], SHELF)


def test_entries_are_read_in_every_part_they_play() -> None:
    def parts(kind: str, name: str) -> set[str]:
        entry = SHELF.entry(kind, name)
        assert entry
        return {trial.procedure for trial in RULESET.trials(entry, SHELF)}

    assert parts("weapon", "sword") == {"close-combat"}
    assert parts("weapon", "bolt-pistol") == {"shooting", "close-combat"}
    assert parts("weapon", "frag-grenade") == {"shooting"}
    assert parts("armor", "flak-vest") == {"shooting", "close-combat"}
    assert parts("combatant", "agent") > {"shooting", "close-combat", "staunch-bleeding"}
    assert parts("mod", "bayonet") == {"shooting", "close-combat"}


# --- The vocabulary and the schema say the same -------------------------------------------------------------

SCHEMA = json.loads((shipped("schemas") / "imperium.schema.json").read_text("utf-8"))["$defs"]
PASSING = {
    "weapon": {"name", "fixed"},
    "armor": {"name"},
    "combatant": {"name", "mounted", "prone", "stunned", "conscious", "aware", "pace", "cover", "aim"}
    | {
        "behind_cover",
        "object",
        "hands_off",
        "dead",
        "suffering",
        "stunned_actions",
        "right_hand",
        "left_hand",
    },
    "mod": {"name"},
}
RECORDS = {
    "weapon": ["weapon"],
    "armor": ["armor"],
    "combatant": ["attacker", "target"],
    "mod": ["accessory"],
}


def sayable(kind: str) -> dict[str, list[Field]]:
    found: dict[str, list[Field]] = {}
    for words in (SHOOTING, CLOSE_COMBAT):
        for field in words.fields.values():
            record, _, name = field.path.rpartition(".")
            if record in RECORDS[kind] and field.derived_from is None:
                found.setdefault(name, []).append(field)
    return found


@pytest.mark.parametrize("kind", RECORDS)
def test_schema_has_the_fields_of_the_vocabulary(kind: str) -> None:
    properties = set(SCHEMA[f"{kind}-fields"]["properties"])
    assert properties - BESIDE[kind] == set(sayable(kind)) - PASSING[kind]


@pytest.mark.parametrize("kind", RECORDS)
def test_schema_has_the_bounds_and_words_of_the_vocabulary(kind: str) -> None:
    for name, shape in SCHEMA[f"{kind}-fields"]["properties"].items():
        for field in sayable(kind).get(name, ()):
            assert bounds(shape) == bounds_of(field), field.path


def bounds(shape: dict[str, Any]) -> Any:
    if "items" in shape:
        shape = shape["items"]
    elif "additionalProperties" in shape:
        rating = shape["additionalProperties"]
        return (shape["propertyNames"]["enum"], rating["minimum"], rating["maximum"])
    if "$ref" in shape:
        return "reference"
    if "enum" in shape:
        return shape["enum"]
    if "maxLength" in shape:
        return shape["maxLength"]
    return (shape["type"], shape.get("minimum"), shape.get("maximum"))


def bounds_of(field: Field) -> Any:
    names = {"whole": "integer", "number": "number"}
    if field.type in names:
        return (names[field.type], field.least, field.most)
    if field.type == "ratings":
        return ([*field.choices], field.least, field.most)
    if field.type in ("choice", "words"):
        return [*field.choices]
    return {"flag": ("boolean", None, None), "text": field.most}.get(field.type, "reference")


def test_a_trait_grants_what_the_vocabulary_knows() -> None:
    grants = SCHEMA["trait-fields"]["properties"]["grants"]["items"]["enum"]
    assert grants == [*vocabulary.GRANTS]
    assert {word for trait in entries("trait") for word in trait.data["grants"]} == set(grants)


@pytest.mark.parametrize("words", [SHOOTING, CLOSE_COMBAT], ids=["shooting", "close"])
def test_derived_fields_name_a_field_that_can_be_said(words: Vocabulary) -> None:
    for field in words.fields.values():
        if field.derived_from is not None:
            assert words.fields[field.derived_from].derived_from is None, field.path


# --- References ---------------------------------------------------------------------------------------------

REFERENCES = [
    (entry.slug, kind, reference)
    for entry in everything("combatant", "weapon", "mod", "action", "condition")
    for name, kind in {
        "weapons": "weapon",
        "armor": "armor",
        "traits": "trait",
        "mundane_weapon": "weapon",
        "mods": "mod",
        "as_weapon": "weapon",
        "conditions": "condition",
        "forbids": "action",
    }.items()
    for reference in (
        [entry.data[name]] if isinstance(entry.data.get(name), str) else entry.data.get(name, ())
    )
]


@pytest.mark.parametrize(("who", "kind", "reference"), REFERENCES)
def test_reference_exists(who: str, kind: str, reference: str) -> None:
    assert SHELF.entry(kind, reference)


def test_every_entry_names_a_source_of_the_manifest() -> None:
    manifest = SHELF.packs[0].manifest.raw
    known = {source["id"] for source in manifest["sources"]}
    assert {entry.meta["source"]["ref"] for entry in SHELF.packs[0].entries} == known


# --- Actions and conditions -----------------------------------------------------------------------------------


def test_actions_of_a_pair_are_actions_of_the_pack() -> None:
    assert set(vocabulary.ACTIONS) <= {action.slug for action in entries("action")}


@pytest.mark.parametrize("action", entries("action"), ids=slug)
def test_action_can_be_paid(action: Entry) -> None:
    economy = GAME.economy
    assert economy
    cost = action.data.get("cost", economy.types.get(action.data.get("type", "")))
    assert cost is not None
    if "type" in action.data:
        assert isinstance(afford(economy.full(), economy.types[action.data["type"]]), Payment)


def test_two_actions_make_a_round() -> None:
    assert GAME.economy
    assert GAME.economy.span == "round"
    assert dict(GAME.economy.budget) == {"action": 2}


def test_what_merges_with_doing_nothing_is_no_faster_than_a_walk() -> None:
    slow = {name for name, row in rows("movement").items() if row["with_do_nothing"]}
    assert slow == {"crawl", "sneak", "wade", "swim", "walk"}
    assert rows("merge-rules")["do-nothing"]["second"] == "not-slow"


@pytest.mark.parametrize("name", ["unconscious", "dead"])
def test_nobody_acts_without_consciousness(name: str) -> None:
    assert data("condition", name)["incapacitates"] is True


@pytest.mark.parametrize("condition", entries("condition"), ids=slug)
def test_condition_sets_fields_of_a_combatant(condition: Entry) -> None:
    for name, value in condition.data.get("sets", {}).items():
        facts = [
            parse(id, {who: {name: value}})
            for id, procedure in RULESET.procedures.items()
            for who, record in procedure.vocabulary.records.items()
            if record.entry_kind == "combatant" and f"{who}.{name}" in procedure.vocabulary.fields
        ]
        assert facts
        assert all([*fact.values()] == [value] for fact in facts)


@pytest.mark.parametrize("level", ["heavy", "serious", "acute"])
def test_injured_legs_leave_the_movement_of_the_table(level: str) -> None:
    fastest = rows("injury-effects")[f"leg-{level}"]["fastest"]
    rank = {name: row["rank"] for name, row in rows("movement").items() if row["rank"]}
    forbidden = set(data("condition", f"leg-{level}")["forbids"])
    wanted = {name for name in rank if rank[name] > rank[fastest] or (level == "acute" and name != "crawl")}
    assert forbidden & set(rank) == wanted


# --- Numbers, typed from the rulebook by hand -----------------------------------------------------------------

CLOSE = """
    axe                  2d6+2    10  -10  20
    duelling-sword       1d10     15  -30  15
    flail                1d6+1    20    0  25
    great-hammer         2d6+2     0   -5  40
    sword                2d6      15  -25  20
    whip                 1d6-4    15    0  10
    chainsword           2d10     10  -10  25
    eviscerator          2d10+6    0    0  40
    lightning-claw       2d10+5    5  -15  30
    power-sword          3d10     15  -20  25
    thunder-hammer       3d10+4   10   -5  50
    force-sword          2d6+2    10  -20  20
    nemesis-force-sword  3d6+4     0   -5  35
"""


@pytest.mark.parametrize(
    "line", [line.split() for line in CLOSE.strip().splitlines()], ids=lambda line: line[0]
)
def test_close_combat_weapon(line: list[str]) -> None:
    name, damage, skill, parry, encumbrance = line
    weapon = data("weapon", name)
    assert weapon["type"] == "close"
    assert weapon["damage"] == damage
    assert weapon["may_parry"] is True
    found = (weapon["ws_modifier"], weapon["parry_penalty"], weapon["encumbrance"])
    assert found == (int(skill), int(parry), int(encumbrance))


RANGED = """
    stub-gun    2d6     10/20/30  single                      -    6   2  10
    autopistol  2d6     10/20/30  single,semi-auto,full-auto  2/4  15  2  15
    laspistol   2d6+1   10/20/40  single,semi-auto            2/2  30  2  15
    bolt-pistol 2d10+4  10/20/40  single,semi-auto            2/2  6   2  25
    autogun     2d6+2   20/40/80  single,semi-auto,full-auto  2/4  30  2  25
    lasgun      2d6+3   20/40/80  single,semi-auto            2/4  60  2  25
    boltgun     2d10+4  20/40/80  single,semi-auto            2/4  20  2  35
    shotgun     2d10    10/20/40  single                      -    8   4  25
"""


@pytest.mark.parametrize(
    "line", [line.split() for line in RANGED.strip().splitlines()], ids=lambda line: line[0]
)
def test_gun(line: list[str]) -> None:
    name, damage, ranges, modes, shots, capacity, reload, encumbrance = line
    gun = data("weapon", name)
    assert gun["damage"] == damage
    assert [gun["short"], gun["medium"], gun["long"]] == [int(yards) for yards in ranges.split("/")]
    assert gun["modes"] == modes.split(",")
    assert [gun.get("semi_least"), gun.get("semi_most")] == (
        [None, None] if shots == "-" else [int(count) for count in shots.split("/")]
    )
    assert (gun["capacity"], gun["rounds"]) == (int(capacity), int(capacity))
    assert (gun["reload"], gun["encumbrance"]) == (int(reload), int(encumbrance))
    assert gun.get("loaded_directly", False) is (name == "shotgun")


def test_every_gun_is_listed() -> None:
    listed = {line.split()[0] for line in RANGED.strip().splitlines()}
    assert {entry.slug for entry in entries("weapon") if "short" in entry.data} == listed


def test_frag_grenade() -> None:
    grenade = data("weapon", "frag-grenade")
    assert [grenade[f"throw_{band}"] for band in ("short", "medium", "long")] == [10, 5, 3]
    assert (grenade["damage"], grenade["blast"], grenade["encumbrance"]) == ("2d10", 3, 5)
    assert grenade["one_shot"] is True
    assert "reload" not in grenade


@pytest.mark.parametrize(("group", "count"), [("chain", 4), ("power", 10), ("force", 8)])
def test_special_weapons_are_marked(group: str, count: int) -> None:
    marked = [entry for entry in entries("weapon") if group in entry.data["features"]]
    assert len(marked) == count
    if group == "chain":
        assert all("chain-weapons" in entry.data["requires"] for entry in marked)


def test_peculiar_weapons() -> None:
    chainfist = data("weapon", "chainfist")
    assert chainfist["requires"] == ["chain-weapons", "power-weapons"]
    assert chainfist["stationary_damage"] == "3d6"
    assert [entry.slug for entry in entries("weapon") if entry.data.get("may_parry") is False] == [
        "knuckledusters",
        "unarmed",
    ]
    unarmed, butt = data("weapon", "unarmed"), data("weapon", "rifle-butt")
    assert (unarmed["damage"], unarmed["ws_modifier"]) == ("1d3-1", 0)
    assert (butt["damage"], butt["ws_modifier"], butt["parry_penalty"]) == ("1d6", 0, 0)
    assert len(entries("weapon")) == 18 + 3 + 10 + 8 + 9 + 2


@pytest.mark.parametrize("weapon", entries("weapon"), ids=slug)
def test_weapon_is_whole(weapon: Entry) -> None:
    said = weapon.data
    assert DICE.fullmatch(said["damage"])
    assert ("parry_penalty" in said) == bool(said.get("may_parry"))
    assert ("semi-auto" in said.get("modes", ())) == ("semi_least" in said)
    assert (said["type"] == "close") == ("ws_modifier" in said) == ("modes" not in said)
    if said["type"] != "close":
        assert ("reload" in said) != ("one_shot" in said)
        assert weapon.meta["provenance"] == "default"


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("axe-bayonet", ("1d6+2", 10, -5, 15)),
        ("bayonet", ("1d6", 20, -10, 10)),
        ("chainblade", ("2d6", 15, -5, 20)),
    ],
)
def test_combat_accessory(name: str, numbers: tuple[Any, ...]) -> None:
    mod = data("mod", name)
    assert tuple(mod[field] for field in ("damage", "ws_modifier", "parry_penalty", "encumbrance")) == numbers
    assert mod["fits"] == ["basic"]
    assert mod["requires"] == (["chain-weapons"] if name == "chainblade" else [])


def test_silencers() -> None:
    removable, integral = data("mod", "removable-silencer"), data("mod", "integral-silencer")
    assert removable["encumbrance"] == 5
    assert removable["ammunition"] == ["limax", "longus"]
    assert (removable["heard_on_matched_failure"], integral["heard_on_matched_failure"]) == (True, False)


@pytest.mark.parametrize("armor", [one for one in entries("armor") if "material" in one.data], ids=slug)
def test_armor_is_a_piece_in_a_material(armor: Entry) -> None:
    said = armor.data
    piece = rows("armor-pieces")[said["piece"]]
    whole = set(piece["locations"].split())
    if armor.slug == "mesh-hooded-bodysuit":
        assert piece["hood"]
        whole.add("head")
    if "right-" in armor.slug or "left-" in armor.slug:
        assert piece["single"]
        whole = {place for place in whole if place.split("-")[0] in armor.slug}
    assert set(said["locations"]) == whole
    assert said["value"] == rows("armor-materials")[said["material"]]["value"]
    assert said.get("limited", False) is (said["piece"] == "vest")
    assert (armor.meta["provenance"], armor.meta["confidence"]) == ("default", "L")


def test_values_of_armor() -> None:
    values = {name: row["value"] for name, row in rows("armor-materials").items()}
    assert values == {"leather": 2, "flak": 4, "mesh": 4, "carapace": 6, "power": 10}
    assert {entry.data["piece"] for entry in entries("armor")} == {*rows("armor-pieces"), "force-field"}


def test_movement() -> None:
    yards = {name: row["yards"] for name, row in rows("movement").items()}
    assert yards == {"crawl": 2, "sneak": 2, "wade": 2, "swim": None, "walk": 4, "run": 6, "sprint": 10}
    assert rows("movement")["swim"]["strength_divisor"] == 20


def test_hit_locations_cover_every_roll_once() -> None:
    bands = rows("hit-location")
    assert tuple(bands) == vocabulary.LOCATIONS
    rolls = [roll for band in bands.values() for roll in range(band["from"], band["to"] + 1)]
    assert rolls == list(range(1, 101))
    assert [band["to"] for band in bands.values()] == [10, 20, 60, 75, 90, 100]
    torso = [
        roll for band in rows("torso-locations").values() for roll in range(band["from"], band["to"] + 1)
    ]
    assert torso == list(range(bands["body"]["from"], bands["body"]["to"] + 1))


def test_injury_values() -> None:
    divisors = {name: row["toughness_divisor"] for name, row in rows("injury-values").items()}
    assert divisors == {"base-injury-value": 10, "system-shock": 5, "consciousness": 2, "death": 1}
    levels = {name: row["level"] for name, row in rows("injury-levels").items()}
    assert levels == {name: level for level, name in enumerate(vocabulary.LEVELS) if level}


def test_injury_effects() -> None:
    effects = rows("injury-effects")
    assert set(effects) == {
        f"{place}-{level}" for place in ("leg", "arm", "body", "head") for level in vocabulary.LEVELS[1:]
    }
    for name, row in effects.items():
        assert vocabulary.LEVELS[row["level"]] == name.split("-")[1]
    assert [name for name, row in effects.items() if row.get("prone")] == [
        "leg-serious",
        "leg-acute",
        "leg-crippled",
        "body-acute",
        "head-serious",
    ]
    assert [name for name, row in effects.items() if row.get("stunned") == "1d3"] == [
        "body-acute",
        "head-serious",
    ]
    assert [name for name, row in effects.items() if row.get("unconscious")] == [
        "body-crippled",
        "head-acute",
    ]
    assert [name for name, row in effects.items() if row.get("dead")] == ["head-crippled"]
    bleeding = {name for name, row in effects.items() if row["bleeding"]}
    assert bleeding == {name for name, row in effects.items() if row["level"] >= 3} - {"head-crippled"}


def test_single_figures() -> None:
    assert rows("power-weapon-breakage")["other"]["chance"] == 25
    assert [row["hits_mount"] for row in rows("mounted-target").values()] == [None, 50, 60]
    assert rows("staunching")["margin-per-bleeding"]["value"] == 10
    assert rows("cold")["factor-per-missing-element"]["value"] == 0.5
    assert len(rows("survival-elements")) == rows("cold")["elements"]["value"] == 4
    assert [row["value"] for row in rows("round").values()] == [10, 8, 14, 6, 12]
    assert [row["points"] for row in rows("bleeding-modes").values()] == [None, "1d3", "1", "2"]
    assert len(rows("characteristics")) == len(vocabulary.CHARACTERISTICS) == 9
    assert [row["field"] for row in rows("characteristics").values()] == [*vocabulary.CHARACTERISTICS]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("table", "staunching"),
        ("table", "long-term-recovery"),
        ("table", "injury-effects"),
        ("action", "use-psychic-power"),
        ("action", "sprint"),
        ("modifier", "aim"),
        ("weapon", "unarmed"),
    ],
)
def test_numbers_of_our_own_are_marked(kind: str, name: str) -> None:
    entry = SHELF.entry(kind, name)
    assert entry
    assert entry.meta["provenance"] == "default"


DEFAULTS = {
    "auto_success": 0,
    "auto_fail": 0,
    "rounding": "up",
    "rolled_initiative": False,
    "one_action_rounds": False,
    "one_action_scale_durations": "leave",
    "bleeding_mode": "auto",
    "draw_merge_grenade": False,
    "do_nothing_walk_free": False,
    "merge_same": True,
    "death_at": "total_reaches_toughness",
    "converse": False,
    "subordination": False,
}


def test_house_rules_and_their_defaults() -> None:
    assert GAME.options({}) == DEFAULTS


@pytest.mark.parametrize("combatant", entries("combatant"), ids=slug)
def test_combatant_can_fight_with_what_they_carry(combatant: Entry) -> None:
    said = combatant.data
    granted = {word for ability in said["traits"] for word in data("trait", ability)["grants"]}
    assert said["weapons"]
    for name in said["weapons"]:
        weapon = data("weapon", name)
        assert set(weapon.get("requires", ())) <= granted
        assert weapon.get("encumbrance", 0) <= said["strength"]
    assert (said["injury_total"], said["injuries"], said["bleeding"]) == (0, {}, {})


def test_there_is_somebody_of_each_sort_to_fight_with() -> None:
    assert len(entries("combatant")) >= 6
    weapons = {name for combatant in entries("combatant") for name in combatant.data["weapons"]}
    assert {data("weapon", name)["type"] for name in weapons} == {"close", "pistol", "basic", "thrown"}
