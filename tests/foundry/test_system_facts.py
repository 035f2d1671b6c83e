"""The files of facts about game systems: their form, and the script that makes them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from system_facts import SYSTEMS, facts, written_out

from fracas.packs.shipped import shipped

LITTLE = Path(__file__).resolve().parent / "little_system"
REPOSITORY = Path(__file__).resolve().parents[2]
CHECK = Draft202012Validator(
    json.loads((shipped("schemas") / "foundry/system-facts.schema.json").read_text("utf-8"))
)


def test_there_is_one_for_each_system() -> None:
    assert SYSTEMS == ("dark-heresy", "dnd5e", "shadowrun4e", "shadowrun5e", "swnr")


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_fits_its_schema(system: str) -> None:
    raw = facts(system).raw
    assert [error.message for error in CHECK.iter_errors(raw)] == []
    assert raw["id"] == system
    for kind in ("actors", "items"):
        listed = raw["made"].get(kind) or raw[kind]["types"]
        assert sorted(facts(system).documents[kind]) == sorted(listed)
        for fields in facts(system).documents[kind].values():
            assert not [path for path in fields if re.search(r"[{},]", path)]


def test_paths_are_written_out() -> None:
    assert written_out("a.{b,c}.{d,e}.f") == ["a.b.d.f", "a.b.e.f", "a.c.d.f", "a.c.e.f"]
    assert written_out("a.*.b") == ["a.*.b"]


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Runs the script on the system beside this file, in a copy of the parts of the repository that it uses."""
    (tmp_path / "scripts").mkdir()
    for name in ("scripts/system_facts", "tests/browser/foundry_stand_in"):
        shutil.copytree(REPOSITORY / name, tmp_path / name)
    (tmp_path / "tests/js").mkdir()
    (tmp_path / "tests/js/node_modules").symlink_to(REPOSITORY / "tests/js/node_modules")
    target = tmp_path / "integrations/foundry/systems/little.yaml"
    target.parent.mkdir(parents=True)

    def run(made: str) -> Any:
        target.write_text(f"made: {made}\n", "utf-8")
        node = shutil.which("node")
        assert node, "Node is needed; scripts/test installs it"
        command = [node, "--experimental-vm-modules", "--no-warnings", "scripts/system_facts/main.mjs"]
        done = subprocess.run(
            [*command, str(LITTLE), "2026-01-02"], cwd=tmp_path, capture_output=True, text=True, timeout=200
        )
        assert (done.returncode, done.stderr) == (0, "")
        return yaml.safe_load(target.read_text("utf-8"))

    return run


def test_the_script_reads_what_a_system_declares(read: Any) -> None:
    skills = "{items: skill, in: packs, by: system.label}"
    words = "[{paths: [gun.rank], module: ranks.js, name: Ranks}]"
    items = "{type: skill, in: packs, fields: [label, group]}"
    tables = "{ranks: {module: ranks.js, name: Ranks}}"
    made = f"actors: [hero, mook], closed: [stun], skills: {skills}, skill_items: {items}, tables: {tables}"
    found = read(f"{{{made}, words: {words}}}")
    assert [error.message for error in CHECK.iter_errors(found)] == []
    assert (found["id"], found["version"], found["date"], found["round"]) == ("little", "1", "2026-01-02", 6)
    assert found["statuses"] == ["out", "dead"]
    combat = {"class": "LittleCombat", "overrides": ["nextTurn"], "adds": ["nextPass"], "acts": ["hurry"]}
    assert found["combat"] == combat
    assert found["skills"] == {"little.shooting": "Shooting"}
    assert found["skill_items"] == {"Shooting": {"label": "little.shooting", "group": None}}
    assert found["tables"] == {"ranks": {"low": 1, "high": 2}}
    assert found["actors"]["types"] == ["hero", "mook"]
    both, hero = found["actors"]["fields"]
    assert both == {
        "types": ["hero", "mook"],
        "paths": {
            "physical.value": {"type": "whole", "initial": 0, "nullable": True, "least": 0},
            "physical.max": {"type": "whole", "initial": 10, "nullable": True},
            "{stun,talents}": {"type": "object"},
            "notes": {"type": "html", "initial": ""},
            "talents.*.rank": {"type": "whole", "initial": 1},
        },
    }
    assert hero["paths"] == {"side": {"type": "text", "choices": ["left", "right"], "initial": "left"}}
    assert found["actors"]["derived"] == [
        {"types": ["hero", "mook"], "paths": {"left": "number", "hard": "flag"}}
    ]
    assert found["items"]["fields"] == [
        {"types": ["gun"],
         "paths": {"rank": {"type": "text", "initial": "", "words": ["low", "high"]}, "marks": {"type": "list"}}}
    ]  # fmt: skip
    assert found["made"]["closed"] == ["stun"]


def test_a_new_system_has_all_its_types_listed(read: Any) -> None:
    found = read("{}")
    assert {type for group in found["actors"]["fields"] for type in group["types"]} == {"hero", "mook"}
    assert "skills" not in found
