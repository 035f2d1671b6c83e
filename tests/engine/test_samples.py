"""Every entry is put to use: what works gives no fault, and each way of being broken gives its own."""

from __future__ import annotations

import json
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from shipped_library import game as shipped_game

from fracas.engine.game import Game, load_ruleset, ruleset_ids
from fracas.engine.modifier_samples import asked, bases, merged, try_modifier
from fracas.engine.samples import Fault, sample_faults
from fracas.kernel.ruleset import AttemptRequest, FieldSet, Prepared, Procedure, Ruleset, Sample, no_samples
from fracas.kernel.stage import Awaited, Effect, stage_class
from fracas.kernel.vocabulary import EntryLookup, Field, PackEntry, Record, Vocabulary
from fracas.packs.entries import KINDS, Entry
from fracas.packs.library import Library

SOURCE = {"ref": "own"}
ECONOMY = {
    "span": "round",
    "budget": {"main": 1, "move": 1},
    "bonus": {"haste": 1},
    "types": {"main": [{"main": 1}], "move": [{"move": 1}, {"main": 1}], "long": [{"main": 2}, {"haste": 2}]},
}

FOLDERS = {kind: folder for folder, kind in KINDS.items()}

WEAPON: dict[str, dict[str, Any]] = {
    "sr4": {
        "category": "heavy-pistol",
        "skill": "pistols",
        "dv": 5,
        "damage": "physical",
        "ap": -1,
        "armor_kind": "ballistic",
        "modes": ["SA"],
        "rc": 0,
        "rc_deployed": 0,
        "rounds": 10,
        "magazine": 10,
        "feed": "clip",
        "range": "pistol",
        "features": [],
    },
    "cwn": {
        "type": "gun",
        "skills": ["shoot"],
        "attributes": ["dexterity"],
        "damage": "1d8",
        "range_normal": 10,
        "range_long": 80,
        "trauma_die": "1d6",
        "trauma_rating": 2,
        "two_handed": False,
        "pistol_sized": True,
        "can_burst": False,
        "can_suppress": False,
        "thrown": False,
        "non_lethal": "never",
        "area": False,
        "mods": [],
    },
}
RANGE = {"short": 5, "medium": 15, "long": 30, "extreme": 50}
COMBATANT: dict[str, dict[str, Any]] = {
    "sr4": {
        "body": 4,
        "agility": 4,
        "reaction": 4,
        "strength": 4,
        "willpower": 3,
        "skills": {"pistols": 4},
        "armor": [],
        "physical": 0,
        "stun": 0,
        "weapons": [],
    },
    "cwn": {
        "named": True,
        "attack_bonus_ranged": 2,
        "attack_bonus_melee": 2,
        "ranged_ac": 13,
        "melee_ac": 13,
        "trauma_target": 6,
        "soak": 0,
        "hp": 8,
        "weapons": [],
    },
}

Entries = Mapping[str, Sequence[Mapping[str, Any]]]
"""Raw entries by kind, such as ``weapon``."""


def _options_of(ruleset: str) -> Any:
    """The house rules that the shipped packs of a ruleset declare."""
    if ruleset not in ("sr4", "cwn"):
        return {}
    raws = [pack.manifest.raw for pack in shipped_game(ruleset).packs.packs]
    return next(raw["options"] for raw in raws if raw.get("options"))


class Table:
    """Games of packs that a test writes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def game(self, ruleset: Ruleset, entries: Entries, **manifest: Any) -> Game:
        """A game of one pack with these entries; a modifier that cannot be compiled is left out of it."""
        folder = self._folder / "own"
        folder.mkdir(exist_ok=True)
        head = {"id": "own", "title": "Our own", "version": "0.1.0", "schema_version": 2, "status": "wip"}
        head |= {"ruleset": ruleset.id, "licenses": {"data": "CC0-1.0"}, "authors": ["We"]}
        head["sources"] = [{"id": "own", "title": "Ourselves"}]
        _write(folder / "pack.yaml", head | {"options": _options_of(ruleset.id)} | manifest)
        for kind, items in entries.items():
            whole = [
                {"slug": f"it-{at}", "label": f"It {at}", "source": SOURCE, **item}
                for at, item in enumerate(items)
            ]
            body = {"kind": FOLDERS[kind], "ruleset": ruleset.id, "entries": whole}
            _write(folder / f"{FOLDERS[kind]}.yaml", body)
        return Game(ruleset, Library.read([folder]).ruleset_packs(ruleset.id), tolerant=True)

    def faults(self, ruleset: str, entries: Entries, of: str | None = None, **manifest: Any) -> list[Fault]:
        """What is wrong with the entries, or with those of one kind."""
        manifest.setdefault("economy", ECONOMY)
        game = self.game(load_ruleset(ruleset), entries, **manifest)
        return sample_faults(game, [entry for entry in every(game) if of in (None, entry.kind)])


def _write(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data), encoding="utf-8")


def every(game: Game) -> list[Entry]:
    return [entry for pack in game.packs.packs for entry in pack.entries]


def briefs(faults: Sequence[Fault]) -> list[tuple[tuple[str | int, ...], str]]:
    return [(fault.path, fault.code) for fault in faults]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


# The packs that ship.


@pytest.mark.parametrize("id", sorted(ruleset_ids()))
def test_shipped_entries_all_work(id: str) -> None:
    faults = sample_faults(shipped_game(id), every(shipped_game(id)))
    assert [(fault.entry.id, fault.path, fault.code, fault.message, fault.hint) for fault in faults] == []


@pytest.mark.parametrize("id", sorted(ruleset_ids()))
def test_shipped_entries_have_samples_that_exist(id: str) -> None:
    game = shipped_game(id)
    known = {sheet.id for sheet in game.sheets()}
    for kind in ("weapon", "armor", "combatant"):
        for entry in game.packs.entries(kind):
            samples = game.ruleset.samples(entry, game.packs)
            assert samples, entry.id
            assert {sample.procedure for sample in samples} <= known, entry.id


@pytest.mark.parametrize("id", ["cwn", "sr4"])
def test_many_shipped_modifiers_are_seen_at_work_and_fast(id: str) -> None:
    game = shipped_game(id)
    start = time.process_time()
    samples = [try_modifier(game, entry) for entry in game.packs.entries("modifier")]
    assert time.process_time() - start < 10
    assert sum(bool(sample.proven) for sample in samples) > len(samples) / 3


def facts_of(game: Game, entry: Entry) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The procedure of each sample of an entry, and what follows from the situation."""
    for sample in game.ruleset.samples(entry, game.packs):
        if sample.procedure in game.ruleset.procedures:
            procedure = game.procedure(sample.procedure)
            attempt = asked(game, procedure, sample.situation, {})
            yield sample.procedure, {**attempt.input.facts, **procedure.prepare(attempt).facts}


def test_sr4_weapons_are_fired_in_each_mode_and_each_band() -> None:
    game = shipped_game("sr4")
    modes = {"SS": "single-shot", "SA": "semi-automatic", "BF": "short-burst", "FA": "full-burst"}
    for weapon in game.packs.entries("weapon"):
        if "reach" in weapon.data or "range" not in weapon.data:
            continue
        facts = [found for procedure, found in facts_of(game, weapon) if procedure == "ranged-attack"]
        assert {found["fire.mode"] for found in facts} >= {modes[mode] for mode in weapon.data["modes"]}, (
            weapon.id
        )
        assert {found["range.band"] for found in facts} == {"short", "medium", "long", "extreme"}, weapon.id


@pytest.mark.parametrize("kind", ["weapon", "ammunition"])
def test_sr4_grenades_and_missiles_explode_at_a_place_at_a_target_and_where_they_lie(kind: str) -> None:
    game = shipped_game("sr4")
    for entry in game.packs.entries(kind):
        aims = [found["aim"] for procedure, found in facts_of(game, entry) if procedure == "blast-attack"]
        area = entry.data.get("fires", entry.data.get("fits")) in ("grenade", "missile")
        assert aims == (["place", "target", "goes-off"] if area else []), entry.id


def test_sr4_ranges_are_shot_at_in_each_band() -> None:
    game = shipped_game("sr4")
    for entry in game.packs.entries("range"):
        bands = {found["range.band"] for _, found in facts_of(game, entry)}
        assert bands == {"short", "medium", "long", "extreme"}, entry.id


def test_cwn_weapons_are_used_in_every_way() -> None:
    game = shipped_game("cwn")
    for weapon in game.packs.entries("weapon"):
        facts = [found for procedure, found in facts_of(game, weapon) if procedure == "attack"]
        if not facts:  # what only goes off, or strikes in execution attacks
            continue
        if (
            weapon.data.get("range_long", 0) > weapon.data.get("range_normal", 0)
            and "unrested" not in weapon.data
        ):
            assert {found.get("range.band") for found in facts} >= {"normal", "long"}, weapon.id
        if weapon.data["can_burst"]:
            assert {found.get("attack.burst") for found in facts} == {True, None}, weapon.id
        if weapon.data["type"] == "melee" and weapon.data["thrown"]:
            assert {found["attack.kind"] for found in facts} == {"melee", "thrown"}, weapon.id
        if weapon.data["non_lethal"] == "default":
            assert {found["attack.lethal"] for found in facts} == {True, False}, weapon.id


@pytest.mark.parametrize("id", ["cwn", "sr4"])
def test_combatants_attack_with_their_weapons_and_are_attacked(id: str) -> None:
    game = shipped_game(id)
    for combatant in game.packs.entries("combatant"):
        samples = [sample.situation for sample in game.ruleset.samples(combatant, game.packs)]
        uses: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for situation in samples:
            for side in ("attacker", "target"):
                said = situation.get(side)
                if isinstance(said, Mapping) and said.get("use") == combatant.id:
                    uses[side].append(situation)
        assert uses["target"], combatant.id
        used = [situation["weapon"] for situation in uses["attacker"] if "weapon" in situation]
        names = [weapon if isinstance(weapon, str) else weapon.get("use") for weapon in used]
        for reference in combatant.data.get("weapons", ()):
            weapon = game.packs.entry("weapon", reference)
            assert weapon is not None
            assert reference in names or weapon.data.get("area"), combatant.id


# Packs without a cast.


@pytest.mark.parametrize("ruleset", ["sr4", "cwn"])
@pytest.mark.parametrize("cast", [False, True])
def test_a_home_made_pack_works(table: Table, ruleset: str, cast: bool) -> None:
    entries = {"weapon": [WEAPON[ruleset]], "range": [RANGE | {"slug": "pistol"}]}
    entries["armor"] = [
        {"ballistic": 5, "impact": 3, "ranged_ac": 14, "melee_ac": 12, "soak": 5, "trauma_target": 1}
    ]
    if ruleset == "sr4":
        entries["ammunition"] = [{"dv": 1, "ap": -1, "armor_kind": "weapon"}]
    else:
        del entries["range"]
    if cast:
        entries["combatant"] = [COMBATANT[ruleset] | {"weapons": ["it-0"]}]
    assert table.faults(ruleset, entries) == []


@pytest.mark.parametrize(
    "weapon",
    [
        {
            "category": "bow",
            "skill": "archery",
            "modes": ["SS"],
            "range": "bow",
            "minimum_strength": 3,
            "feed": "none",
        },
        {
            "category": "shuriken",
            "skill": "throwing-weapons",
            "dv_half_strength": True,
            "modes": ["SS"],
            "range": "bow",
        },
        {"modes": ["SS", "SA", "BF", "FA"], "rounds": 4},
        {"electric": True, "armor_kind": "impact", "damage": "stun"},
        {"range": "launcher"},
    ],
)
def test_odd_weapons_of_sr4(table: Table, weapon: Mapping[str, Any]) -> None:
    ranges = [
        RANGE | {"slug": "pistol"},
        RANGE | {"slug": "launcher", "minimum": 10},
        {"slug": "bow", "short": 2, "medium": 4, "long": 6, "extreme": 15, "per_strength": True},
    ]
    assert table.faults("sr4", {"weapon": [WEAPON["sr4"] | weapon], "range": ranges}) == []


def test_a_launcher_needs_no_damage_of_its_own(table: Table) -> None:
    own = ("dv", "damage", "ap", "armor_kind", "range")
    launcher = {name: value for name, value in WEAPON["sr4"].items() if name not in own} | {
        "fires": "grenade"
    }
    grenade = {
        "dv": 10,
        "ap": -2,
        "armor_kind": "impact",
        "damage": "physical",
        "replaces": True,
        "fits": "grenade",
    }
    assert table.faults("sr4", {"weapon": [launcher], "ammunition": [grenade]}) == []
    game = table.game(load_ruleset("sr4"), {"weapon": [launcher], "ammunition": [grenade]})
    (fired,) = [
        sample.situation for sample in game.ruleset.samples(game.packs.entries("ammunition")[0], game.packs)
    ]
    assert fired["weapon"]["use"] == "own:weapon/it-0"
    assert fired["weapon"]["ammunition"] == "own:ammunition/it-0"


@pytest.mark.parametrize(
    "weapon",
    [
        {
            "type": "melee",
            "skills": ["stab"],
            "attributes": ["strength"],
            "shock": 1,
            "shock_ac": 13,
            "thrown": True,
        },
        {"type": "unarmed", "skills": ["punch"], "attributes": ["strength"], "non_lethal": "default"},
        {"type": "grenade", "thrown": True, "area": True, "damage": None},
        {"type": "grenade", "thrown": False, "area": True, "range_normal": None, "range_long": None},
        {"can_burst": True, "rounds": 20, "magazine": 20},
        {"unrested": "it-0"},
        {"skills": None, "attributes": None},
    ],
)
def test_odd_weapons_of_cwn(table: Table, weapon: Mapping[str, Any]) -> None:
    data = {name: value for name, value in (WEAPON["cwn"] | weapon).items() if value is not None}
    assert table.faults("cwn", {"weapon": [WEAPON["cwn"], data]}) == []


# Broken entries.


def without(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in names}


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({"dv": None}, [(("dv",), "missing-field")]),
        ({"skill": None}, [(("skill",), "missing-field")]),
        ({"skill": "pistol"}, [(("skill",), "unknown-choice")]),
        ({"dv": 500}, [(("dv",), "out-of-range")]),
        ({"dv": "5P"}, [(("dv",), "wrong-type")]),
        ({"features": ["smartgun", "smartgan"]}, [(("features", 1), "unknown-choice")]),
        ({"range": "pistole"}, [(("range",), "unknown-entry")]),
        ({"rounds": 0}, [(("rounds",), "refused")]),
        ({"modes": []}, [(("modes",), "refused")]),
        ({"dv": None, "ap": None}, [(("dv",), "missing-field"), (("ap",), "missing-field")]),
    ],
)
def test_a_broken_weapon(table: Table, change: Mapping[str, Any], faults: list[Any]) -> None:
    """Each fault is told once, however many shots it spoils."""
    weapon = {name: value for name, value in (WEAPON["sr4"] | change).items() if value is not None}
    refusals = [
        {"applies_to": ["ranged-attack.refusal"], "when": [{"eq": ["weapon.rounds", 0]}], "refuses": "empty"},
        {
            "applies_to": ["ranged-attack.refusal"],
            "when": ["fire.mode:single-shot", {"not": "weapon.modes:SS"}],
            "refuses": "mode",
        },
    ]
    entries = {"weapon": [weapon], "range": [RANGE | {"slug": "pistol"}], "modifier": refusals}
    assert briefs(table.faults("sr4", entries, "weapon")) == faults


def test_a_fault_says_what_was_tried_and_what_would_be_near(table: Table) -> None:
    entries = {"weapon": [WEAPON["sr4"] | {"skill": "pistol"}, WEAPON["sr4"] | {"dv": None}]}
    first, second = table.faults("sr4", {"weapon": [without(item, "range") for item in entries["weapon"]]})
    assert first.message == "ranged-attack: 'pistol' is not known here"
    assert first.hint == "did you mean 'pistols'?"
    assert second.entry.slug == "it-1"
    assert second.message == "ranged-attack: the rule needs the Damage Value"
    assert second.hint is not None
    assert second.hint.startswith("tried with attacker ")
    assert "weapon own:weapon/it-1" in second.hint


def test_a_refusal_that_reads_nothing_of_the_entry_names_no_part_of_it(table: Table) -> None:
    refusal = {
        "applies_to": ["ranged-attack.refusal"],
        "when": [{"lt": ["distance", 99]}],
        "refuses": "never",
    }
    weapon = without(WEAPON["sr4"], "range")
    assert briefs(table.faults("sr4", {"weapon": [weapon], "modifier": [refusal]}, "weapon")) == [
        ((), "refused")
    ]


@pytest.mark.parametrize(
    ("ruleset", "change", "faults"),
    [
        ("sr4", {"agility": None}, [(("agility",), "missing-field")]),
        ("sr4", {"weapons": ["it-0", "nothing"]}, [(("weapons", 1), "unknown-entry")]),
        ("sr4", {"armor": ["nothing"]}, [(("armor", 0), "unknown-entry")]),
        ("sr4", {"skills": {"pistol": 3}}, [(("skills", "pistol"), "unknown-choice")]),
        ("cwn", {"attack_bonus_ranged": None}, [(("base_attack_bonus",), "missing-field")]),
        ("cwn", {"hp": "many"}, [(("hp",), "wrong-type")]),
    ],
)
def test_a_broken_combatant(table: Table, ruleset: str, change: Mapping[str, Any], faults: list[Any]) -> None:
    """Only the combatant is at fault, not the weapon that it would have been a target of."""
    data = COMBATANT[ruleset] | {"weapons": ["it-0"]} | change
    combatant = {name: value for name, value in data.items() if value is not None}
    entries = {"weapon": [without(WEAPON[ruleset], "range")], "combatant": [combatant]}
    found = table.faults(ruleset, entries)
    assert {fault.entry.kind for fault in found} == {"combatant"}
    assert set(faults) <= set(briefs(found))
    assert {path[0] for path, _ in briefs(found)} <= {faults[0][0][0], "skills", "dexterity"}


def test_broken_data_that_no_check_foresaw(table: Table) -> None:
    (fault,) = table.faults("sr4", {"armor": [{"ballistic": "hard", "impact": 0}]})
    assert (fault.path, fault.code) == ((), "trial-crashes")
    assert fault.message.startswith("ranged-attack breaks down: TypeError: ")


# Modifiers.


def modifier(when: Any, value: Any = -1, to: str = "attack.pool") -> dict[str, Any]:
    return {"applies_to": [to], "when": when, "value": value}


BANDS = ["range.band:short", "range.band:long"]


@pytest.mark.parametrize(
    ("entry", "faults"),
    [
        (modifier(["attacker:running"]), []),
        (modifier([]), []),
        (modifier([], {"-": ["attacker.targets_before"]}), []),
        (modifier([{"eq": ["option.recoil", "flat"]}, {"gt": ["recoil.own", 0]}], {"-": ["recoil.own"]}), []),
        (modifier(BANDS), [(("when",), "never-applies")]),
        (modifier([{"gt": ["distance", 5]}, {"lt": ["distance", 5]}]), [(("when",), "never-applies")]),
        (modifier([{"gt": ["attacker.take_aim", 20]}]), [(("when",), "never-applies")]),
        (
            modifier([{"not": {"any": ["target:prone", {"not": "target:prone"}]}}]),
            [(("when",), "never-applies")],
        ),
        (modifier({"not": []}), [(("when",), "never-applies")]),
        (modifier([{"gte": ["attacker.take_aim", 0]}]), [(("when",), "always-applies")]),
        (modifier([{"any": ["target:prone", {"not": "target:prone"}]}]), [(("when",), "always-applies")]),
        (modifier(["attacker:running"], {"*": [600, "attacker.take_aim"]}), [(("value",), "value-fails")]),
        (modifier(["attacker:running"], 1001), [(("value",), "value-fails")]),
        (
            modifier([{"gte": ["attacker.take_aim", 0]}], {"*": [-600, "attacker.take_aim"]}),
            [(("when",), "always-applies"), (("value",), "value-fails")],
        ),
        (modifier(["attacker:runing"]), [(("when", 0), "unknown-term")]),
        (modifier([], "attacker.takeaim"), [(("value",), "unknown-path")]),
        (
            {"applies_to": ["ranged-attack.refusal"], "when": BANDS, "refuses": "never"},
            [(("when",), "never-applies")],
        ),
        ({"applies_to": ["ranged-attack.refusal"], "when": ["target:prone"], "refuses": "prone"}, []),
        (modifier([{"lt": ["tester.wound_modifier", 1]}], to="test.pool"), [(("when",), "always-applies")]),
    ],
)
def test_modifiers(table: Table, entry: Mapping[str, Any], faults: list[Any]) -> None:
    assert briefs(table.faults("sr4", {"modifier": [entry]})) == faults


def test_a_contradiction_is_named(table: Table) -> None:
    when = ["attacker:running", "range.band:long", {"in": ["range.band", ["short", "medium"]]}]
    (fault,) = table.faults("sr4", {"modifier": [modifier(when)]})
    assert fault.message == "in ranged-attack it can never apply: no situation makes all of this true"
    assert fault.hint == "range.band:long and in: [range.band, [short, medium]] exclude each other"


def test_a_value_is_tried_with_the_words_of_its_conditions(table: Table) -> None:
    value = {"if": ["weapon.features:smartgun", 1, {"if": ["target.cover:good", -2000, 0]}]}
    (fault,) = table.faults("sr4", {"modifier": [modifier([], value)]})
    assert (fault.path, fault.code) == (("value",), "value-fails")
    assert fault.message == "in ranged-attack its value is -2000; -1000 to 1000 is expected"
    assert fault.hint == "with weapon.features: [], target.cover: good"


def test_which_modifiers_are_seen_at_work(table: Table) -> None:
    """With a situation of the samples, to which what the modifier asks for is added."""
    entries = {
        "weapon": [without(WEAPON["sr4"], "range")],
        "modifier": [
            modifier(["attacker:running"]),
            modifier([{"eq": ["option.recoil", "flat"]}, "target.cover:good"]),
            modifier(["range.band:long"]),
            modifier([{"gt": ["attacker.take_aim", 0]}], "attacker.skill"),
            modifier(["tester:running"], to="test.pool"),
            {"applies_to": ["ranged-attack.refusal"], "when": ["target:prone"], "refuses": "prone"},
        ],
    }
    game = table.game(load_ruleset("sr4"), entries)
    proven = [try_modifier(game, entry).proven for entry in game.packs.entries("modifier")]
    shooting = ("ranged-attack", "ranged-volley", "barrier-attack", "quick-draw")
    assert proven == [shooting, shooting, (), (), (), ("ranged-attack",)]


def test_situations_differ_in_the_numbers_that_they_make() -> None:
    game = shipped_game("cwn")
    procedure = game.procedure("attack")
    made = [
        frozenset(tally.to for tally in procedure.prepare(asked(game, procedure, base, {})).tallies)
        for base in bases(game, procedure)
    ]
    assert len(set(made)) == len(made) > 2
    alone = {to for to in procedure.targets if not to.startswith("screen")}  # samples have nobody between
    assert frozenset().union(*made) >= alone - {"damage.swarm"}


@pytest.mark.parametrize(
    ("situation", "facts", "result"),
    [
        ({}, {"distance": 3}, {"distance": 3}),
        ({"a": "rook"}, {"a.prone": True}, {"a": {"use": "rook", "prone": True}}),
        ({"a": {"use": "rook", "prone": False}}, {"a.prone": True}, {"a": {"use": "rook", "prone": True}}),
        ({"w": {"x": 1}}, {"w.features": ("a", "b")}, {"w": {"x": 1, "features": ["a", "b"]}}),
        ({}, {"a.b.c": 1, "a.b.d": 2}, {"a": {"b": {"c": 1, "d": 2}}}),
    ],
)
def test_facts_are_said(situation: dict[str, Any], facts: dict[str, Any], result: dict[str, Any]) -> None:
    before = json.dumps(situation)
    assert merged(situation, facts) == result
    assert json.dumps(situation) == before


# Changes of numbers, and states.


@pytest.mark.parametrize(
    ("entry", "faults"),
    [
        ({"changes": [{"stat": "agility", "add": 1}]}, []),
        ({"ratings": 3, "changes": [{"stat": "agility", "add": [1, 2, 3]}]}, []),
        ({"ratings": 3, "changes": [{"stat": "agility", "add": [1]}]}, []),
        (
            {"ratings": 3, "changes": [{"stat": "agility", "set": [1, 2]}]},
            [(("changes", 0, "set"), "wrong-count")],
        ),
        ({"changes": [{"stat": "agility", "add": [1, 2]}]}, [(("changes", 0, "add"), "wrong-count")]),
        ({"changes": [{"stat": "luck", "add": 900}]}, []),
        ({"changes": [{"stat": "agility", "add": 900}]}, [(("changes", 0, "add"), "out-of-range")]),
        ({"changes": [{"stat": "agility", "set": 51}]}, [(("changes", 0, "set"), "out-of-range")]),
        ({"changes": [{"stat": "agility", "at_least": 60}]}, [(("changes", 0, "at_least"), "out-of-range")]),
        ({"changes": [{"stat": "agility", "add": -2}]}, []),
        ({"changes": [{"stat": "agility", "add": -20}]}, [(("changes", 0, "add"), "out-of-range")]),
        ({"changes": [{"stat": "charisma", "add": -20}]}, []),
        ({"changes": [{"stat": "charisma", "set": -1}]}, [(("changes", 0, "set"), "out-of-range")]),
        ({"changes": [{"stat": "skills.pistols", "add": 2}]}, []),
        ({"changes": [{"stat": "skills.pistols", "add": 17}]}, [(("changes", 0, "add"), "out-of-range")]),
        ({"changes": [{"stat": "skills.pistol", "add": 2}]}, [(("changes", 0, "stat"), "unknown-choice")]),
        ({"changes": [{"stat": "skills", "add": 2}]}, [(("changes", 0, "stat"), "wrong-type")]),
        ({"changes": [{"stat": "smartlink", "add": 2}]}, [(("changes", 0, "stat"), "wrong-type")]),
        (
            {"changes": [{"stat": "agility", "add": 1}, {"stat": "body", "add": [1, 60]}]},
            [(("changes", 1, "add"), "wrong-count"), (("changes", 1, "add"), "out-of-range")],
        ),
    ],
)
@pytest.mark.parametrize("kind", ["augmentation", "trait", "condition"])
def test_changes(table: Table, kind: str, entry: Mapping[str, Any], faults: list[Any]) -> None:
    weak = COMBATANT["sr4"] | {"slug": "weak", "agility": 1}
    entries = {"combatant": [COMBATANT["sr4"] | {"slug": "strong"}, weak], kind: [entry]}
    assert briefs(table.faults("sr4", entries)) == faults


def test_a_change_says_whose_number_goes_too_far(table: Table) -> None:
    entries = {"combatant": [COMBATANT["sr4"]], "trait": [{"changes": [{"stat": "agility", "add": 47}]}]}
    (fault,) = table.faults("sr4", entries)
    assert fault.message == "agility becomes 51 (it-0), and 0 to 50 is what a combatant may have"


@pytest.mark.parametrize(
    ("ruleset", "kind", "sets", "faults"),
    [
        ("sr4", "condition", {"prone": True, "running": True}, []),
        ("sr4", "condition", {"full_defense": "dodge"}, []),
        ("sr4", "condition", {"prone": 1}, [(("sets", "prone"), "wrong-type")]),
        ("sr4", "condition", {"pron": True}, [(("sets", "pron"), "unknown-field")]),
        ("sr4", "condition", {"cover": "god"}, [(("sets", "cover"), "unknown-choice")]),
        ("sr4", "condition", {"wound_modifier": -2}, [(("sets", "wound_modifier"), "unknown-field")]),
        ("sr4", "trait", {"ambidextrous": True}, []),
        ("sr4", "trait", {"ambidextrus": True}, [(("sets", "ambidextrus"), "unknown-field")]),
        ("cwn", "condition", {"prone": True, "main_spent": True}, []),
        ("cwn", "condition", {"blinded": True}, []),
        ("cwn", "condition", {"hp": -5}, [(("sets", "hp"), "out-of-range")]),
        ("cwn", "ammunition", {"slug": True}, []),
        ("cwn", "ammunition", {"prone": True}, [(("sets", "prone"), "unknown-field")]),
    ],
)
def test_states(table: Table, ruleset: str, kind: str, sets: Mapping[str, Any], faults: list[Any]) -> None:
    """Also such as make an attack impossible, which is no fault of theirs."""
    refusal = {"applies_to": ["attack.refusal"], "when": ["attacker:blinded"], "refuses": "blinded"}
    entries: dict[str, Any] = {kind: [{"sets": sets}]}
    if ruleset == "cwn":
        entries["modifier"] = [refusal]
    found = table.faults(ruleset, entries, kind)
    assert {(fault.path, fault.code) for fault in found if fault.path} == set(faults)
    assert bool(found) is bool(faults)


def test_a_state_suggests_the_field_that_was_meant(table: Table) -> None:
    (fault,) = table.faults("sr4", {"condition": [{"sets": {"runing": True}}]})
    assert (fault.message, fault.hint) == ("a combatant has no field 'runing'", "did you mean 'running'?")


def test_a_condition_takes_from_lists_that_combatants_have(table: Table) -> None:
    entries = {"condition": [{"takes_from": ["augmentations", "augmentation"]}]}
    (fault,) = table.faults("cwn", entries, "condition")
    assert (fault.path, fault.hint) == (("takes_from", 1), "did you mean 'augmentations'?")


# Actions.


@pytest.mark.parametrize(
    ("entry", "faults"),
    [
        ({"type": "main"}, []),
        ({"type": "move", "procedure": "ranged-attack"}, []),
        ({"type": "mane"}, [(("type",), "unknown-type")]),
        ({"type": "long"}, [(("type",), "unaffordable")]),
        ({"type": "long", "takes": 2}, []),
        ({"cost": [{"main": 1, "move": 1}]}, []),
        ({"cost": [{"haste": 1}]}, []),
        ({"cost": [{}]}, []),
        ({"cost": [{"main": 2}, {"move": 2}]}, [(("cost",), "unaffordable")]),
        ({"cost": [{"main": 2}, {"move": 1}]}, []),
        ({"cost": [{"main": 1}, {"mane": 1}]}, [(("cost", 1, "mane"), "unknown-token")]),
        ({"cost": []}, [(("cost",), "wrong-type")]),
        ({"type": "main", "procedure": "range-attack"}, [(("procedure",), "unknown-procedure")]),
        (
            {"type": "mane", "procedure": "melee"},
            [(("procedure",), "unknown-procedure"), (("type",), "unknown-type")],
        ),
        ({"type": "main", "needs": ["ready-firearm"]}, []),
        ({"type": "main", "needs": ["ready-firearm", "redy-firearm"]}, [(("needs", 1), "unknown-need")]),
        ({"type": "main", "points": {"edge": -1, "edgy": 1}}, [(("points", "edgy"), "unknown-track")]),
        ({"type": "main", "each_other": "move"}, []),
        ({"type": "main", "each_other": "moove"}, [(("each_other",), "unknown-type")]),
        ({"type": "main", "types": [{"option": "recoil", "is": "flat", "type": "move"}]}, []),
        (
            {"type": "main", "types": [{"option": "recoill", "is": "flat", "type": "moove"}]},
            [(("types", 0, "type"), "unknown-type"), (("types", 0, "option"), "unknown-option")],
        ),
        ({"type": "main", "outcomes": [{"is": {"result": "hit"}}]}, [(("outcomes",), "no-procedure")]),
        ({"type": "main", "answers": ["ranged-attack"]}, []),
        ({"type": "main", "answers": ["ranged-atack"]}, [(("answers", 0), "unknown-procedure")]),
        (
            {"type": "main", "procedure": "ranged-attack", "situation": {"fire": {"mode": "single-shot"}}},
            [],
        ),
        (
            {"type": "main", "procedure": "ranged-attack", "situation": {"fire": {"mode": "single"}}},
            [(("situation", "fire", "mode"), "unknown-choice")],
        ),
        (
            {"type": "main", "situation": {"fire": {"mode": "single-shot"}}},
            [(("situation",), "no-procedure")],
        ),
    ],
)
def test_actions(table: Table, entry: Mapping[str, Any], faults: list[Any]) -> None:
    assert briefs(table.faults("sr4", {"action": [entry]})) == faults


def test_what_actions_are_told(table: Table) -> None:
    actions = [{"type": "mane"}, {"type": "long"}, {"type": "main", "procedure": "range-attack"}]
    told = [
        (fault.message, fault.hint.partition(" sr4 has ")[0])
        for fault in table.faults("sr4", {"action": actions})
    ]
    assert told == [
        ("no economy has a type of action 'mane'", "did you mean 'main'?"),
        (
            "nobody can pay for it in one round: needs 2 haste, 1 in all, or 2 main, 1 in all",
            "say in 'takes' how many rounds it takes, if it takes longer",
        ),
        ("sr4 has no procedure 'range-attack'", "did you mean 'ranged-attack'?"),
    ]


def test_actions_without_an_economy(table: Table) -> None:
    game = table.game(load_ruleset("sr4"), {"action": [{"type": "main"}, {"cost": [{"main": 1}]}]})
    found = sample_faults(game, every(game))
    assert briefs(found) == [(("type",), "no-economy"), (("cost",), "no-economy")]
    assert {fault.hint for fault in found} == {"state an 'economy' in pack.yaml"}


# Rulesets that are at fault themselves, or have worksheets only.


@stage_class
class Done(NamedTuple):
    """An outcome of the toy ruleset, with a fact that may be no number."""

    score: float
    kind: Literal["samples.done"] = "samples.done"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Done:
        raise AssertionError

    def notes(self) -> dict[str, Any]:
        return {"score": self.score}

    def effects(self) -> tuple[Effect, ...]:
        return ()


TOY_WORDS = Vocabulary(
    (Record("hero", "Hero", "combatant"),),
    (Field("hero.luck", "whole", "Luck", most=9), Field("hero.bold", "flag", "Bold")),
)


class Toy:
    """A procedure that gives a score, and lets nobody be bold."""

    id = "toy"
    label = "Toy"
    doc = ""
    vocabulary = TOY_WORDS
    decisions = ()
    targets: Mapping[str, str] = {"toy.score": "Score"}
    measures = ()

    def __init__(self, score: float = 1.0) -> None:
        self._score = score

    def prepare(self, asked: AttemptRequest) -> Prepared:
        facts = asked.input.facts | {"hero.bold": False}
        tally = asked.rules.tally("toy.score", "Score", [], facts)
        return Prepared(Done(self._score / (asked.input.facts.get("hero.luck", 1))), (tally,))


def toy_samples(entry: PackEntry, catalog: EntryLookup) -> Sequence[Sample]:
    return [Sample("toy", {"hero": entry.id})] if ":combatant/" in entry.id else []


def toy(
    procedure: Procedure, samples: Callable[[PackEntry, EntryLookup], Sequence[Sample]] = toy_samples
) -> Ruleset:
    sheet = FieldSet("sheet", "Sheet", TOY_WORDS, {"sheet.score": "Score"})
    return Ruleset("toy", "Toy", "no game", {"toy": procedure}, {"sheet": sheet}, samples)


def toy_faults(table: Table, ruleset: Ruleset, **combatant: Any) -> list[Fault]:
    game = table.game(ruleset, {"combatant": [combatant]})
    return sample_faults(game, every(game))


def test_a_toy_works(table: Table) -> None:
    assert toy_faults(table, toy(Toy()), luck=2) == []


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_an_outcome_that_is_no_number(table: Table, score: float) -> None:
    (fault,) = toy_faults(table, toy(Toy(score)), luck=2)
    assert (fault.path, fault.code) == ((), "bad-outcome")


def test_a_procedure_that_breaks_down(table: Table) -> None:
    (fault,) = toy_faults(table, toy(Toy()), luck=0)
    assert fault.code == "trial-crashes"
    assert fault.message == "toy breaks down: ZeroDivisionError: float division by zero"


@pytest.mark.parametrize(("luck", "codes"), [(2, []), (0, ["trial-crashes"])])
def test_a_ruleset_without_samples_has_those_of_the_examples(
    table: Table, luck: int, codes: list[str]
) -> None:
    assert [fault.code for fault in toy_faults(table, toy(Toy(), no_samples), luck=luck)] == codes


def nothing_of_its_own(entry: PackEntry, catalog: EntryLookup) -> Sequence[Sample]:
    return []


@pytest.mark.parametrize(("luck", "codes"), [(2, []), (0, ["trial-crashes"])])
def test_a_combatant_acts_where_the_samples_of_the_ruleset_leave_it_out(
    table: Table, luck: int, codes: list[str]
) -> None:
    assert [fault.code for fault in toy_faults(table, toy(Toy(), nothing_of_its_own), luck=luck)] == codes


@pytest.mark.parametrize(("luck", "codes"), [(2, []), (0, ["trial-crashes"])])
def test_what_a_condition_sets_is_set_in_the_worked_examples(
    table: Table, luck: int, codes: list[str]
) -> None:
    request = {"procedure": "toy", "situation": {"hero": {"luck": 2}}}
    example = {"request": request, "expect": {"status": "resolved"}}
    entries = {"condition": [{"sets": {"luck": luck}}], "example": [example]}
    game = table.game(toy(Toy(), nothing_of_its_own), entries)
    assert [fault.code for fault in sample_faults(game, game.packs.entries("condition"))] == codes


def test_samples_that_cannot_be_set_up(table: Table) -> None:
    def broken(entry: PackEntry, catalog: EntryLookup) -> Sequence[Sample]:
        raise KeyError("luck")

    (fault,) = toy_faults(table, toy(Toy(), broken), luck=2)
    assert fault.code == "trial-crashes"
    assert fault.message == "its sample cannot be set up: KeyError: 'luck'"


@pytest.mark.parametrize(("luck", "faults"), [(9, []), (10, [(("luck",), "out-of-range")])])
def test_a_worksheet_reads_the_situation(table: Table, luck: int, faults: list[Any]) -> None:
    def on_paper(entry: PackEntry, catalog: EntryLookup) -> Sequence[Sample]:
        return [Sample("sheet", {"hero": entry.id})]

    assert briefs(toy_faults(table, toy(Toy(), on_paper), luck=luck)) == faults


def test_a_modifier_that_the_procedure_never_lets_apply(table: Table) -> None:
    """Its predicate can hold, but what it asks for, said in a request, does not make it hold."""
    entries = {
        "combatant": [{"luck": 2}],
        "modifier": [
            modifier(["hero:bold"], to="toy.score"),
            modifier(["hero:bold"], to="sheet.score"),
            modifier([{"gt": ["hero.luck", 2]}], to="toy.score"),
        ],
    }
    game = table.game(toy(Toy()), entries)
    (fault,) = sample_faults(game, game.packs.entries("modifier"))
    assert fault.entry.slug == "it-0"
    assert (fault.path, fault.code) == (("when",), "never-applies")
    assert fault.message == "toy finds that it does not apply, though everything that it asks for was given"
    assert fault.hint == "with hero.bold: true"


def test_a_modifier_under_whose_facts_the_procedure_breaks_down(table: Table) -> None:
    entries = {"combatant": [{"luck": 2}], "modifier": [modifier([{"eq": ["hero.luck", 0]}], to="toy.score")]}
    game = table.game(toy(Toy()), entries)
    (fault,) = sample_faults(game, every(game))
    assert (fault.entry.kind, fault.code) == ("modifier", "trial-crashes")
    assert fault.message == "it cannot be tried: ZeroDivisionError: float division by zero"


def test_a_modifier_is_tried_where_some_entries_are_broken(table: Table) -> None:
    entries = {
        "combatant": [{"luck": 0}, {"luck": "x"}, {"luck": 2}],
        "modifier": [modifier([{"gt": ["hero.luck", 3]}], to="toy.score")],
    }
    game = table.game(toy(Toy()), entries)
    (entry,) = game.packs.entries("modifier")
    assert try_modifier(game, entry).proven == ("toy",)
    assert sample_faults(game, [entry]) == []


def test_a_modifier_is_tried_with_the_words_of_a_worksheet(table: Table) -> None:
    contradiction = modifier(["hero:bold", {"not": "hero:bold"}], to="sheet.score")
    game = table.game(toy(Toy()), {"modifier": [contradiction]})
    (fault,) = sample_faults(game, every(game))
    assert fault.message == "in sheet it can never apply: no situation makes all of this true"


def test_an_action_whose_procedure_is_a_worksheet(table: Table) -> None:
    game = table.game(toy(Toy()), {"action": [{"type": "main", "procedure": "sheet"}]}, economy=ECONOMY)
    (fault,) = sample_faults(game, every(game))
    assert (fault.path, fault.code) == (("procedure",), "unknown-procedure")
    assert fault.hint == "its words are declared, but not how it is resolved; leave it out for now"


def test_the_same_faults_each_time(table: Table) -> None:
    entries = {
        "weapon": [without(WEAPON["sr4"], "dv")],
        "trait": [{"changes": [{"stat": "body", "set": 99}]}],
    }
    game = table.game(load_ruleset("sr4"), entries)
    assert sample_faults(game, every(game)) == sample_faults(game, reversed(every(game)))[::-1] != []


# Ready-made fights.


@pytest.mark.parametrize(
    ("situation", "faults"),
    [
        ({"distance": 12}, []),
        ({"distance": 12.5, "weather": "rain"}, [(("situation", "weather"), "unknown-field")]),
        ({"distanse": 12}, [(("situation", "distanse"), "unknown-field")]),
        ({"distance": "far"}, [(("situation", "distance"), "wrong-type")]),
        ({"distance": -1}, [(("situation", "distance"), "out-of-range")]),
        ({"attacker": "it-0"}, [(("situation", "attacker"), "unknown-field")]),
    ],
)
@pytest.mark.parametrize("ruleset", ["sr4", "cwn"])
def test_the_situation_of_a_skirmish(
    table: Table, ruleset: str, situation: Mapping[str, Any], faults: list[Any]
) -> None:
    people = [{"combatant": "it-0", "side": "us"}, {"combatant": "it-0", "side": "them"}]
    skirmish = {"combatants": people, "situation": situation}
    entries = {"combatant": [COMBATANT[ruleset]], "skirmish": [skirmish]}
    assert briefs(table.faults(ruleset, entries, "skirmish")) == faults
