"""A ruleset of another package: its packs are read, checked and begun as those of Fracas's own rulesets are."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from outside_game import GAME, PACK, install

from fracas.packs.entries import KINDS
from fracas.packs.formats import with_ruleset
from fracas.packs.schemas import names, schema, shipped_rulesets

FRACAS = str(Path(sys.executable).with_name("fracas"))
OF_A_RULESET = [kind for kind in KINDS if schema(f"{kind}.schema.json").get("allOf")]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install(tmp_path_factory.mktemp("site"))


@pytest.fixture
def fracas(environment: dict[str, str], tmp_path: Path) -> Any:
    def run(*words: str | Path, code: int = 0) -> str:
        command = [FRACAS, *map(str, words)]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


@pytest.mark.parametrize("kind", OF_A_RULESET)
def test_the_shipped_schemas_say_of_our_rulesets_what_is_made_for_others(kind: str) -> None:
    shipped = schema(f"{kind}.schema.json")
    bare = deepcopy(dict(shipped))
    rulesets = bare["properties"]["ruleset"].pop("enum")
    bare["properties"]["ruleset"]["enum"], bare["allOf"], bare["$defs"] = [], [], {}
    for ruleset in rulesets:
        bare = with_ruleset(bare, ruleset, KINDS[kind])
    unversioned = json.loads(json.dumps(shipped).replace("?version=2", ""))
    assert json.loads(json.dumps(bare).replace("?version=2", "")) == unversioned


def test_without_other_packages_there_are_only_the_shipped_schemas() -> None:
    assert set(names()) == {path.name for path in (PACK.parents[2] / "schemas").glob("*.schema.json")}
    assert sorted(shipped_rulesets()) == ["cwn", "imperium", "sr4", "sr5"]


def test_a_whole_game_is_short() -> None:
    lines = [path.read_text("utf-8").count("\n") for path in (GAME / "lanterns").rglob("*.py")]
    assert sum(lines) <= 250


def test_the_pack_passes_the_check_with_its_worked_examples(fracas: Any) -> None:
    assert "1 worked example: all is well" in fracas("check", PACK)


def test_faults_of_its_entries_are_placed_and_come_with_the_nearest_word(fracas: Any, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    shutil.copytree(PACK, pack)
    for name, before, after in (
        ("charms.yaml", "die: d10, fierceness: 12", "die: d12, fierceness: 12"),
        ("charms.yaml", "die: d6, fierceness: 7", "die: d6, firceness: 7"),
        ("combatants.yaml", "weapons: [maul]", "weapons: [mall]"),
        ("conditions.yaml", "ends: [own-turn]", "ends: [own-tunr]"),
        ("roll20.yaml", "way: down}\n  sparks", "way: dwon}\n  sparks"),
    ):
        text = (pack / name).read_text("utf-8")
        assert before in text
        (pack / name).write_text(text.replace(before, after), "utf-8")
    lines = fracas("check", pack, code=1).splitlines()
    assert [line.partition(": ")[2] for line in lines if ".yaml:" in line] == [
        "unknown-field: the entry has no field 'firceness' (did you mean 'fierceness'?)",
        "unknown-choice: 'die' must be 'd6', 'd8' or 'd10', not 'd12' (did you mean 'd10'?)",
        "unknown-reference: there is no weapon 'mall' (did you mean 'maul'?)",
        "unknown-choice: 'way' must be 'up' or 'down', not 'dwon' (did you mean 'down'?)",
        "warning, near-miss: 'own-tunr' is neither an action nor a moment of a fight, so it ends nothing by itself "
        "(did you mean 'own-turn'?)",
    ]


def test_names_in_files_beside_the_entries_are_held_against_the_rules(fracas: Any, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    shutil.copytree(PACK, pack)
    for name, before, after in (
        ("fights.yaml", "flag: in_the_dark}", "flag: in_the_drak}"),
        ("fights.yaml", "oil for the lamp}", "oil for the lamp, without: [duking]}"),
        ("fights.yaml", "fields: [grit]", "fields: [girt]"),
        ("foundry/lanterns-dnd5e.yaml", "      grit: {", "      girt: {"),
        ("foundry/lanterns-dnd5e.yaml", "damage: [hp]", "damage: [hps]"),
        ("foundry/lanterns-dnd5e.yaml", "ducking: dodging", "duking: dodging"),
        ("foundry/lanterns-dnd5e.yaml", "id: lanterns-dnd5e", "id: lanterns"),
        ("roll20.yaml", "sparks: {bar: bar2", "spraks: {bar: bar2"),
        ("roll20.yaml", "procedure: initiative", "procedure: initative"),
        ("roll20.yaml", 'defense: "@', 'defence: "@'),
        ("roll20.yaml", "entries: weapon", "entries: wepon"),
    ):
        text = (pack / name).read_text("utf-8")
        assert text.count(before) == 1, before
        (pack / name).write_text(text.replace(before, after), "utf-8")
    lines = fracas("check", pack, code=1).splitlines()
    assert [line.removeprefix("pack/") for line in lines[:-1]] == [
        "fights.yaml:3:49: unknown-field: "
        "lanterns has no field of combatants 'in_the_drak' (did you mean 'in_the_dark'?)",
        "fights.yaml:4:44: unknown-reference: lanterns has no condition 'duking' (did you mean 'ducking'?)",
        "fights.yaml:7:15: unknown-field: lanterns has no field of combatants 'girt' (did you mean 'grit'?)",
        "foundry/lanterns-dnd5e.yaml:2:5: wrong-id: "
        "'id' must be 'lanterns-dnd5e', not 'lanterns': the file is called so",
        "foundry/lanterns-dnd5e.yaml:16:7: unknown-field: "
        "lanterns has no field of combatants 'girt' (did you mean 'grit'?)",
        "foundry/lanterns-dnd5e.yaml:38:10: unknown-track: lanterns has no track 'hps' (did you mean 'hp'?)",
        "foundry/lanterns-dnd5e.yaml:45:3: unknown-reference: "
        "lanterns has no condition 'duking' (did you mean 'ducking'?)",
        "roll20.yaml:6:3: unknown-track: lanterns has no track 'spraks' (did you mean 'sparks'?)",
        "roll20.yaml:17:9: unknown-field: "
        "attack has no field 'target.defence' (did you mean 'target.defense'?)",
        "roll20.yaml:21:38: unknown-kind: a pack has no kind of entries 'wepon' (did you mean 'weapon'?)",
        "roll20.yaml:24:16: unknown-procedure: "
        "lanterns has no procedure 'initative' (did you mean 'initiative'?)",
    ]


def test_a_pack_and_an_entry_of_a_kind_of_its_own_are_begun_and_pass(fracas: Any, tmp_path: Path) -> None:
    fracas("new", "pack", "our-street", "--ruleset", "lanterns", "--packs", PACK)
    fracas("new", "charm", "dusk", "--pack", tmp_path / "our-street", "--packs", PACK)
    assert "all is well" in fracas("check", tmp_path / "our-street", "--packs", PACK)
    written = (tmp_path / "our-street" / "charms.yaml").read_text("utf-8")
    assert "# Fierceness: what d12 and grit must reach. A whole number from 4 to 18." in written
    schemas = tmp_path / "our-street" / ".schemas"
    editors = {path.name: json.loads(path.read_text("utf-8")) for path in schemas.glob("*.schema.json")}
    assert "lanterns" in editors["weapons.schema.json"]["properties"]["ruleset"]["enum"]
    assert editors["charms.schema.json"]["$defs"].keys() == {"lanterns"}
    fields = editors["lanterns.schema.json"]["$defs"]["charm-fields"]["properties"]
    assert fields["die"]["enum"] == ["d6", "d8", "d10"]


def test_its_entries_are_put_to_use(tmp_path: Path) -> None:
    """A rule that breaks down with an entry is found by the check, though no worked example reaches it."""
    environment = install(tmp_path)
    rules = tmp_path / "lanterns" / "rules.py"
    rules.write_text(rules.read_text("utf-8").replace('["charm.die"][1:]', '["charm.die"][2:]'), "utf-8")
    done = subprocess.run(
        [FRACAS, "check", str(PACK)], env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert "trial-crashes: flare breaks down: ValueError" in done.stdout
    # Six combatants, both conditions that set something, and two of three charms.
    assert "(so does that of 9 more)" in done.stdout


def test_its_entries_are_listed_and_shown(fracas: Any) -> None:
    listed = fracas("list", "charms", "--ruleset", "lanterns", "--where", "fierceness>8", "--packs", PACK)
    assert "White flare" in listed
    assert "Ember" not in listed
    strong = json.loads(
        fracas("list", "combatants", "--ruleset", "lanterns", "--where", "hp>=12", "--packs", PACK, "--json")
    )
    assert [entry["slug"] for entry in strong] == ["wick", "tallow", "gloaming"]
    assert "Fierceness  12" in fracas("show", "charm/noon", "--packs", PACK)
    assert "Accuracy" in fracas("show", "weapon/lamp-pole", "--packs", PACK)
    why = fracas("why", "lanterns-core:charm/noon", "--packs", PACK)
    assert [word for word in ("die", "fierceness", "charms.yaml:6") if word not in why] == []


def test_without_its_package_the_pack_is_refused_with_the_rulesets_that_there_are(tmp_path: Path) -> None:
    done = subprocess.run([FRACAS, "check", str(PACK)], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 1
    assert "'ruleset' must be 'sr4', 'sr5', 'imperium' or 'cwn', not 'lanterns'" in done.stdout + done.stderr


def test_it_is_exported_for_foundry_and_roll20(fracas: Any, tmp_path: Path) -> None:
    fracas("export", "foundry", "lanterns-core", "--packs", PACK, "--out", tmp_path / "foundry")
    fracas("export", "roll20", "lanterns-core", "--packs", PACK, "--out", tmp_path / "roll20")
    (manifest,) = (tmp_path / "foundry").rglob("module.json")
    assert json.loads(manifest.read_text("utf-8"))["title"] == "Lanterns"
    scripts = "".join(path.read_text("utf-8") for path in (tmp_path / "roll20").rglob("*.js"))
    assert "Light a flare" in scripts
    assert '"hp":{"bar":"bar1","way":"down"}' in scripts
    assert "Strike-lanterns" in (tmp_path / "roll20" / "macros.md").read_text("utf-8")
