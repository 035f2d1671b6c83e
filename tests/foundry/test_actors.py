"""Actors of Foundry: their sheets say the same as the combatants of the packs that they are made of.

``scripts/system-actors FOLDER`` runs these tests with the classes of a system itself, out of a checkout of it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sheet_mappings import SYSTEMS, write_mappings
from system_facts import facts

from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import RequestSchema
from fracas.engine.running import resolve
from fracas.errors import InputError
from fracas.exports.foundry.actors import actors
from fracas.packs.entries import Entry
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

HERE = Path(__file__).resolve().parent
SOURCE = os.environ.get("FRACAS_SYSTEM_SOURCE", "")
PACKS = {
    "shadowrun4e": "sr4-core",
    "shadowrun5e": "sr5-core",
    "swnr": "cwn-core",
    "dark-heresy": "imperium-core",
}
Json = dict[str, Any]


@cache
def library() -> Library:
    return Library.read([shipped("datapacks")], None, ("examples",))


@cache
def games() -> Games:
    return Games(library())


@cache
def exported(system: str) -> list[Json]:
    found = SYSTEMS[system]
    return actors(library().packs[PACKS[system]], library().ruleset_packs(found.ruleset), found)


class Tools(NamedTuple):
    """Folders with the mappings and the facts as JSON, as the scripts read them."""

    mappings: Path
    systems: Path


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    made = Tools(write_mappings(tmp_path_factory.mktemp("mappings")), tmp_path_factory.mktemp("systems"))
    for system in SYSTEMS:
        (made.systems / f"{system}.json").write_text(json.dumps(facts(system).as_json()), "utf-8")
    return made


@pytest.fixture(scope="module")
def readings(tools: Tools) -> Any:
    """What the mapping of a system reads of its actors."""

    @cache
    def read(system: str) -> list[Json]:
        node = shutil.which("node")
        assert node, "Node is needed; scripts/test installs it"
        done = subprocess.run(
            [
                node,
                "--experimental-vm-modules",
                "--no-warnings",
                "read_actors.mjs",
                system,
                *source_of(system),
            ],
            input=json.dumps(exported(system)),
            cwd=HERE,
            env={**os.environ, "FRACAS_MAPPINGS": str(tools.mappings), "FRACAS_SYSTEMS": str(tools.systems)},
            capture_output=True,
            text=True,
            timeout=1500 if SOURCE else 120,
        )
        assert done.returncode == 0, done.stderr
        found: list[Json] = json.loads(done.stdout)
        return found

    return read


def entry_of(id: str) -> Entry:
    entry = library().entry(id)
    assert entry is not None
    return entry


def skills_of(system: str, id: str) -> set[str]:
    return entry_of(id).data.get("skills", {}).keys() - WITHOUT[system]


def source_of(system: str) -> list[str]:
    """The checkout of a system, if it is the one that is tried."""
    manifests = [Path(SOURCE, name) for name in ("system.json", "public/system.json", "src/system.json")]
    found = next((path for path in manifests if SOURCE and path.is_file()), None)
    named = json.loads(found.read_text("utf-8"))["id"] if found else ""
    return [SOURCE] if named == system else []


def test_every_combatant_of_the_packs_is_an_actor() -> None:
    made = [each["flags"]["fracas"]["entry"] for system in SYSTEMS for each in exported(system)]
    packs = library().packs.values()
    assert sorted(made) == sorted(
        entry.id for pack in packs for entry in pack.entries if entry.kind == "combatant"
    )
    assert len(made) > 200


def test_creatures_of_shadowrun_5_have_the_type_of_their_kind() -> None:
    types = defaultdict(set)
    for actor in exported("shadowrun5e"):
        data = entry_of(actor["flags"]["fracas"]["entry"]).data
        types[data.get("nature", "person")].add(actor["type"])
    assert types == {
        "person": {"character"},
        "agent": {"character"},
        "drone": {"vehicle"},
        "ic": {"ic"},
        "spirit": {"spirit"},
        "sprite": {"sprite"},
    }
    made = {each["name"]: each["system"] for each in exported("shadowrun5e")}
    assert made["Black IC"]["icType"] == "black_ic"
    assert {one["icType"] for one in made.values() if "icType" in one} >= {"killer", "tar_baby", "track"}
    drones = {name: one["isDrone"] for name, one in made.items() if "isDrone" in one}
    assert not drones["Ford Americar (sedan)"]
    assert drones["Steel Lynx (large)"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_system_takes_every_actor_as_it_is(system: str, readings: Any) -> None:
    """No field is dropped or refused, nothing fails, and the mapping finds all that it needs.

    With the system's source its sheet is opened, too, and shows the actor with all weapons and armor.
    """
    found = readings(system)
    assert len(found) == len(exported(system))
    assert [each["complaints"] + each["faults"] for each in found] == [[] for _ in found]
    lacking = {
        each["entry"]: fields
        for each in found
        if (fields := [one["field"] for one in each["missing"] if one["why"] != "absent"])
    }
    fighters = {id: fields for id, fields in lacking.items() if not is_program(entry_of(id))}
    # Who has none of the skills that are read has none on the sheet.
    assert {
        id: fields for id, fields in fighters.items() if fields != ["skills"] or skills_of(system, id)
    } == {}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_sheet_says_what_its_combatant_says(system: str, readings: Any) -> None:
    for each in readings(system):
        entry = library().entry(each["entry"])
        assert entry is not None
        same = {field: value for field, value in each["said"].items() if field in entry.data}
        own = {field: entry.data[field] for field in same}
        if "skills" in own:
            own["skills"] = {
                skill: own["skills"][skill] for skill in own["skills"] if skill not in WITHOUT[system]
            }
        assert same == own, entry.id
        assert each["said"]["name"] == entry.label
        assert len(same) > 3 or {"agent", "vehicle"} & entry.data.keys(), entry.id
        assert [weapon["use"] for weapon in each["weapons"]][: len(entry.data.get("weapons", ()))] == list(
            entry.data.get("weapons", ())
        )


WITHOUT = defaultdict(set, shadowrun4e={"flight"}, shadowrun5e={"sneaking"})
"""Skills that a system does not have, or that its mapping does not read."""


def is_program(entry: Entry) -> bool:
    """Programs have no body: they strike none, and none strikes them."""
    return bool(entry.data.get("agent")) or entry.data.get("nature") in ("agent", "ic", "sprite")


TRIED = {
    "shadowrun4e": ("ares-predator-iv", "katana"),
    "shadowrun5e": ("ares-predator-v", "katana"),
    "swnr": ("heavy-pistol", "knife"),
    "dark-heresy": ("autopistol", "sword"),
}
"""A weapon for each kind of attack, with which each combatant attacks and is attacked."""


@pytest.mark.parametrize("reading", ["said", "whole"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_attacks_by_sheets_are_those_by_names(system: str, reading: str, readings: Any) -> None:
    """Pools and armor are what the rules make of the entry.

    Also when the numbers are those that the system adds up, as they are read of actors of no pack (``whole``).
    """
    for each in readings(system):
        entry = library().entry(each["entry"])
        assert entry is not None
        if (system, reading, entry.slug) in OTHER_RULES or is_program(entry):
            continue
        if (system, reading) == ("shadowrun5e", "whole") and "hardened_armor" in entry.data:
            continue  # the system keeps hardened armor beside armor
        attacks = [*attacks_of(system, entry, each[reading])]
        by_name = {way: answer(body) for way, body, _ in attacks}
        by_sheet = {way: answer(body) for way, _, body in attacks}
        known = [way for way, found in by_name.items() if found]
        assert {way: by_sheet[way] for way in known} == {way: by_name[way] for way in known}, entry.id
        assert len(known) >= 2, entry.id


OTHER_RULES = {("shadowrun5e", "whole", "shift-captain")}
"""The system has no limit of what Strength carries beside a suit of armor."""

OF_THE_MOMENT = {"rounds_before", "rounds_phase", "aware", "conscious", "stunned", "mounted"}
"""What neither entries nor sheets say of somebody."""


def attacks_of(system: str, entry: Entry, said: Mapping[str, Any]) -> Iterator[tuple[str, Json, Json]]:
    """Attacks by a combatant and on them: by the entry's name alone, and by name with what the sheet says."""
    game = games().game(SYSTEMS[system].ruleset)
    comparison = game.ruleset.comparison
    assert comparison is not None
    for weapon in TRIED[system]:
        found = game.packs.entry("weapon", weapon)
        assert found is not None
        sample = comparison.sample(found, 0, game.packs)
        assert sample is not None
        known = game.ruleset.procedures[sample.procedure].vocabulary.fields
        standard = {
            role: {name: value for name, value in sample.situation[role].items() if f"{role}.{name}" in known}
            for role in ("attacker", "target")
        }
        for role in standard:
            beside = {name: value for name, value in standard[role].items() if name in OF_THE_MOMENT}
            spoken = {name: value for name, value in said.items() if f"{role}.{name}" in known}
            bodies = [
                {
                    "ruleset": game.ruleset.id,
                    "procedure": sample.procedure,
                    "situation": {**sample.situation, **standard, role: {"use": entry.id, **beside, **more}},
                    "dice": {"source": "seed", "seed": "1" * 64},
                }
                for more in ({}, spoken)
            ]
            yield f"{role} {weapon}", bodies[0], bodies[1]


def answer(body: Json) -> Json | None:
    """Totals and outcome; None if the entry's name does not say enough, such as a dog's bonus with a gun."""
    try:
        found = resolve(load(RequestSchema(games()), body))
    except InputError as error:
        if {problem.code for problem in error.problems} != {"missing-field"}:
            raise
        return None
    totals = {tally["to"]: tally["total"] for tally in found["modifiers"]}
    return {"totals": totals, "outcome": found.get("outcome"), "refused": found.get("refusals")}
