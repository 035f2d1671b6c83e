"""``fracas import``: characters and lists into a pack, all of them or nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from chummer_files import SAMURAI_4, SAMURAI_5
from click.testing import CliRunner

from fracas.cli.importing import import_
from fracas.engine.checking import check
from fracas.errors import FracasError
from fracas.packs.files import in_folder
from fracas.packs.shipped import shipped
from fracas.packs.yaml_source import load

MANIFEST = (
    "id: mine\ntitle: Mine\nversion: 0.1.0\nschema_version: 2\nruleset: {ruleset}\nlayer: house\nstatus: wip\n"
    "licenses: {{data: CC0-1.0}}\nsources: [{{id: table, title: Our table}}]\nrequires: [{{id: {ruleset}-core}}]\n"
)
ROSTER = (
    "slug,name,use,side,weapons,body,skills.pistols,notes\n"
    ",Ann,guard,crew,katana,6,5,\n"
    ",Ann,guard,crew,,,,\n"
    "boss,The boss,guard,corp,,7,,Takes no prisoners\n"
)


def run(*words: Any) -> tuple[str, str]:
    """What the command says, and the one thing that it complains of."""
    result = CliRunner().invoke(import_, list(map(str, words)))
    if isinstance(result.exception, FracasError):  # the group above this one shows its message
        return result.stdout, result.exception.message
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    found = re.search(r"^Error: (.*)", result.stderr, re.MULTILINE | re.DOTALL)
    assert (found is None) == (result.exit_code == 0), result.stderr
    return result.stdout, found[1].strip() if found else ""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, with no packs but the built-in ones."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FRACAS_PACKS", raising=False)
    return tmp_path


def pack(here: Path, ruleset: str = "sr4", **files: str) -> Path:
    folder = here / "mine"
    folder.mkdir()
    (folder / "pack.yaml").write_text(MANIFEST.format(ruleset=ruleset), "utf-8")
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder


def file(here: Path, name: str, content: str | bytes) -> Path:
    path = here / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def contents(folder: Path) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def people(folder: Path) -> dict[str, Any]:
    """The combatants of a pack, which passes the check, by slug."""
    assert check([in_folder(folder)]).problems == ()
    entries = load((folder / "combatants.yaml").read_text("utf-8")).data["entries"]
    return {entry["slug"]: entry for entry in entries}


# Characters


def test_a_character_of_the_fourth_edition(here: Path) -> None:
    folder = pack(here)
    out, complaint = run(file(here, "nightjar.chum", SAMURAI_4), "--pack", folder)
    assert complaint == ""
    assert "Nightjar\n" in out
    assert "  body: 4\n" in out
    assert "  augmentations: wired-reflexes (Wired Reflexes)\n" in out
    assert "  Combat Chainsaw (weapon): no pack in use has it under this name\n" in out
    assert "Assumed, because the file does not say:\n" in out
    assert "  senses: [normal]\n" in out
    place = re.search(r"^Wrote mine/combatants.yaml:(\d+):\d+$", out, re.MULTILINE)
    assert place
    assert "slug: nightjar" in (folder / "combatants.yaml").read_text("utf-8").splitlines()[int(place[1]) - 1]
    one = people(folder)["nightjar"]
    assert (one["label"], one["metatype"], one["body"]) == ("Nightjar", "ork", 4)
    assert (one["passes"], one["weapons"]) == (3, ["ares-predator-iv", "katana"])
    assert (one["armor"], one["skills"]) == (["armor-jacket"], {"pistols": 4, "dodge": 3})
    assert one["source"] == {"ref": "table"}


def test_a_character_of_the_fifth_edition(here: Path) -> None:
    folder = pack(here, "sr5")
    assert run(file(here, "heron.chum5", SAMURAI_5), "--pack", folder)[1] == ""
    one = people(folder)["ms-heron"]
    assert (one["metatype"], one["essence"], one["initiative_dice"]) == ("elf", 3.5, 1)
    assert one["skills"] == {"automatics": 6, "pistols": 3, "perception": 3}


def test_without_a_pack_it_only_tells(here: Path) -> None:
    path = file(here, "nightjar.chum", SAMURAI_4)
    out, complaint = run(path)
    assert complaint == ""
    assert "Nightjar" in out
    assert out.endswith("Nothing was written; --pack FOLDER writes this to a pack.\n")
    assert list(here.iterdir()) == [path]


# Lists


def test_columns_as_people_call_them(here: Path) -> None:
    table = file(here, "gang.csv", "Name,HP,AC,Weapon\nBob,10,13,Heavy Pistol\n")
    out, complaint = run(table, "--ruleset", "cwn")
    assert complaint == ""
    assert "  hp: 10\n  ranged_ac: 13\n  melee_ac: 13\n  weapons: [heavy-pistol]\n" in out


def test_a_column_that_no_sheet_has_leads_to_those_that_it_has(here: Path) -> None:
    complaint = run(file(here, "gang.csv", "Name,HP\nBob,10\n"), "--ruleset", "sr4")[1]
    assert (
        "gang.csv:1: unknown-field: there is no column 'HP' (known are name, count, side, player, "
        in complaint
    )
    assert "weapons, body, agility, " in complaint


def test_a_list(here: Path) -> None:
    folder = pack(here)
    out, complaint = run(file(here, "crew.csv", ROSTER), "--pack", folder)
    assert complaint == ""
    assert "Ann (crew.csv:2)\n" in out
    assert "  side: given when a combatant joins a fight\n" in out
    assert len(re.findall(r"^Wrote mine/combatants.yaml:\d+:\d+$", out, re.MULTILINE)) == 3
    found = people(folder)
    assert list(found) == ["ann", "ann-2", "boss"]
    assert [one["body"] for one in found.values()] == [6, found["ann-2"]["body"], 7]
    assert found["ann"]["weapons"] == ["katana"]
    assert found["ann"]["skills"] == {**found["ann-2"]["skills"], "pistols": 5}
    assert found["ann-2"]["weapons"] != []
    assert found["boss"]["notes"] == "Takes no prisoners"


def test_a_list_in_yaml_beside_what_was_there(here: Path) -> None:
    folder = pack(here)
    run(file(here, "first.csv", ROSTER), "--pack", folder)
    own = "# Our people\n" + (folder / "combatants.yaml").read_text("utf-8")
    (folder / "combatants.yaml").write_text(own, "utf-8")
    text = "- {slug: cay, label: Cay, use: guard, tags: [x]}\n"
    assert run(file(here, "more.yaml", text), "--pack", folder)[1] == ""
    assert (folder / "combatants.yaml").read_text("utf-8").startswith(own)
    assert people(folder)["cay"]["tags"] == ["x"]


@pytest.mark.parametrize("ruleset", ["cwn", "imperium"])
def test_other_rulesets(here: Path, ruleset: str) -> None:
    folder = pack(here, ruleset)
    like = {"cwn": "street-thug", "imperium": "hive-guard"}[ruleset]
    assert run(file(here, "list.csv", f"name,use\nAnn,{like}\n"), "--pack", folder)[1] == ""
    assert people(folder)["ann"]["label"] == "Ann"


# Nothing half-written


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "list.csv",
            "name,use\nAnn,guard\nBob,gard\n",
            "list.csv:3: unknown-entry: there is no combatant 'gard' (did you mean 'guard'?)",
        ),
        (
            "list.csv",
            "name,use,bdy\nAnn,guard,4\n",
            "list.csv:1: unknown-field: there is no column 'bdy' (did you mean 'body'?)",
        ),
        ("list.csv", "name,use,body\nAnn,guard,4\nBob,guard,x\n", "would not pass the check"),
        ("list.csv", "name,body\nAnn,4\n", "would not pass the check"),
        ("list.csv", "name,use,weapons\nAnn,guard,\nBob,guard,katanna\n", "katanna"),
        ("list.csv", "name,use\nAnn,guard\nHere,guard\n", "already"),
        ("list.yaml", "- {label: Ann, use: guard, slug: A B}", "is no slug"),
        ("list.yaml", "- {label: Ann, use: guard, tags: 5}", "would not pass the check"),
        ("list.yaml", "- [", "list.yaml:1:"),
        ("list.csv", "Zoë".encode("cp1252"), "no text in UTF-8"),
        ("somebody.chum", b"", "empty"),
        ("somebody.chum", SAMURAI_5, "this is a character of sr5; one of sr4 is expected"),
        ("somebody.chum", SAMURAI_4.replace(b"Ork", b"Gnome"), "metatype"),
        ("somebody.txt", "name\nAnn", "not well-formed XML"),
    ],
)
def test_all_or_nothing(here: Path, name: str, content: str | bytes, said: str) -> None:
    folder = pack(here)
    assert run(file(here, "there.csv", "name,use\nHere,guard\n"), "--pack", folder)[1] == ""
    before = contents(folder)
    out, complaint = run(file(here, name, content), "--pack", folder)
    assert said in complaint, complaint
    assert "Wrote" not in out
    assert contents(folder) == before


def test_what_is_said_of_rulesets(here: Path) -> None:
    crew = file(here, "crew.csv", ROSTER)
    assert "a list does not name its ruleset" in run(crew)[1]
    assert "did you mean 'sr4'" in run(crew, "--ruleset", "sr44")[1]
    assert "is a pack of sr4" in run(crew, "--ruleset", "cwn", "--pack", pack(here))[1]
    assert "has no pack.yaml" in run(crew, "--pack", here)[1]
    assert run(crew, "--ruleset", "sr4")[1] == ""
    assert run(file(here, "x.chum", SAMURAI_5), "--ruleset", "sr4")[1].startswith("x.chum: unknown-edition")


# What docs/packs.md shows


def shown(beginning: str, language: str) -> str:
    """The block of code of the page that begins like this."""
    page = (shipped("datapacks").parent / "docs" / "packs.md").read_text("utf-8")
    return next(
        block
        for block in re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        if block.startswith(beginning)
    )


def test_the_list_of_the_page_can_be_imported(here: Path) -> None:
    folder = pack(here)
    assert run(file(here, "crew.csv", shown("slug,name", "csv")), "--pack", folder)[1] == ""
    assert people(folder)["door"]["weapons"] == ["ares-predator-iv", "katana"]


def test_the_skirmish_of_the_page_passes_the_check(here: Path) -> None:
    text = shown("kind: skirmishes", "yaml").replace("slug: loading-dock", "slug: other-dock")
    folder = pack(here, skirmishes=text.replace("our-table", "table"))
    assert check([in_folder(folder)]).problems == ()
