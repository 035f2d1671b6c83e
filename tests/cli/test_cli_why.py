"""``fracas why``: who set each field of an entry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from command import Run
from whole_packs import texts_of

from fracas.cli import main

STREET = texts_of("street")
HOUSE = {
    "pack.yaml": (
        "id: house\ntitle: H\nversion: 1.0.0\nschema_version: 2\nruleset: sr4\nstatus: ready\nlayer: house\n"
        "licenses: {data: CC0-1.0}\nsources: [{id: ours, title: Ours}]\nrequires: [{id: street}]\n"
        "option_defaults: {grazing_hits: false}\n"
    ),
    "armor.yaml": (
        "kind: armor\nruleset: sr4\nentries:\n"
        "  - patch: street:armor/coat\n    set: {impact: 3}\n    unset: [cost]\n    source: {ref: ours}\n"
    ),
    "traits.yaml": (
        "kind: traits\nruleset: sr4\nentries:\n  - remove: street:trait/both-hands\n    source: {ref: ours}\n"
    ),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a house rule, for the street, which is built in."""
    write(tmp_path / "built-in" / "street", STREET)
    monkeypatch.setattr("fracas.packs.shipped.shipped", lambda name: tmp_path / "built-in")
    write(tmp_path / "here" / "packs" / "house", HOUSE)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.delenv("FRACAS_PACKS", raising=False)
    return tmp_path / "here"


def write(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def why(*words: str) -> Result:
    return CliRunner().invoke(main, ["why", *words])


def rows(result: Result) -> list[list[str]]:
    """The cells of the table."""
    assert result.exit_code == 0, result.output
    return [line.strip().split("  ") for line in result.stdout.splitlines()[1:]]


def cells(result: Result) -> list[tuple[str, ...]]:
    return [tuple(cell.strip() for cell in row if cell.strip()) for row in rows(result)]


def test_an_entry_that_nobody_changed(here: Path) -> None:
    street = (here.parent / "built-in" / "street").as_posix()
    result = why("street:armor/coat")
    assert result.stdout.splitlines()[0] == "street:armor/coat  Coat"
    assert cells(result) == [
        ("field", "value", "set by", "at"),
        ("label", "Coat", "street", f"{street}/armor.yaml:5:10"),
        ("source", "{ref: our-table}", "street", f"{street}/armor.yaml:10:11"),
        ("ballistic", "4", "street", f"{street}/armor.yaml:6:14"),
        ("impact", "2", "street", f"{street}/armor.yaml:7:11"),
        ("availability", "2", "street", f"{street}/armor.yaml:8:17"),
        ("cost", "300", "street", f"{street}/armor.yaml:9:9"),
    ]


def test_a_changed_entry_with_what_it_was_before(here: Path) -> None:
    street = (here.parent / "built-in" / "street").as_posix()
    found = cells(why("street:armor/coat", "--packs", "packs"))
    at = found.index(("impact", "3", "house", "packs/house/armor.yaml:5:19"))
    assert found[at + 1] == ("was 2", "street", f"{street}/armor.yaml:7:11")
    at = found.index(("cost", "(unset)", "house", "packs/house/armor.yaml:6:13"))
    assert found[at + 1] == ("was 300", "street", f"{street}/armor.yaml:9:9")
    # A pack as well as a folder of packs may be named.
    assert cells(why("street:armor/coat", "--packs", "packs/house")) == found


def test_places_are_those_of_the_current_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "packs" / "house")
    assert ("impact", "3", "house", "armor.yaml:5:19") in cells(why("street:armor/coat", "--packs", "."))


def test_packs_of_the_environment(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_PACKS", "packs")
    assert "packs/house/armor.yaml:5:19" in why("street:armor/coat").stdout


def test_as_json(here: Path) -> None:
    found: Any = json.loads(why("street:armor/coat", "--packs", "packs", "--json").stdout)
    assert (found["id"], found["label"], found["removed"]) == ("street:armor/coat", "Coat", None)
    assert [setting["value"] for setting in found["fields"]["impact"]] == [2, 3]
    assert [setting["pack"] for setting in found["fields"]["cost"]] == ["street", "house"]
    assert found["fields"]["cost"][-1] == {
        "value": None,
        "pack": "house",
        "place": "packs/house/armor.yaml:6:13",
    }


def test_a_removed_entry(here: Path) -> None:
    result = why("street:trait/both-hands", "--packs", "packs")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "street:trait/both-hands",
        "removed by house at packs/house/traits.yaml:4:13",
    ]


def test_a_house_rule(here: Path) -> None:
    found = cells(why("street:option/grazing_hits", "--packs", "packs"))
    assert found[1] == ("default", "false", "house", "packs/house/pack.yaml:11:33")
    assert found[2][:2] == ("was true", "street")


def test_an_example(here: Path) -> None:
    result = why("street:example/a-miss")
    assert result.exit_code == 0
    assert result.stdout.startswith("street:example/a-miss  A miss at medium range\n")


@pytest.mark.parametrize(
    ("id", "hint"),
    [
        ("street:armor/coaat", "did you mean 'street:armor/coat'?"),
        ("street:optoin/recoil", "did you mean 'street:option/recoil'?"),
        ("street:option/recol", "did you mean 'street:option/recoil'?"),
    ],
)
def test_what_does_not_exist(here: Path, id: str, hint: str) -> None:
    result = why(id)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ")
    assert id in result.stderr
    assert hint in result.stderr


def test_a_broken_pack_beside_is_told_and_does_not_matter(here: Path) -> None:
    write(
        here / "packs" / "broken",
        {"pack.yaml": HOUSE["pack.yaml"].replace("house", "broken"), "armor.yaml": "kind: [x\n"},
    )
    result = why("street:armor/coat", "--packs", "packs")
    assert result.exit_code == 0
    assert "packs/house/armor.yaml:5:19" in result.stdout
    assert "packs/broken" in result.stderr


def test_a_copy_of_a_pack_beside_does_not_matter(here: Path) -> None:
    write(here / "packs" / "copy", STREET)
    result = why("street:armor/coat", "--packs", "packs")
    assert result.exit_code == 0
    assert "packs/house/armor.yaml:5:19" in result.stdout
    assert "left out packs/copy: packs/copy/pack.yaml:3:5: duplicate-pack" in result.stderr


def test_values_of_several_lines_stay_in_their_row(here: Path) -> None:
    found = cells(why("street:weapon/stick"))
    assert [row[1] for row in found if row[0] == "notes"] == [
        "Any stick that lies about. dv: 99 is no field here."
    ]


def test_a_wrong_call(here: Path) -> None:
    assert why().exit_code == 2
    assert why("street:armor/coat", "--packs", "nowhere").exit_code == 2


def test_the_example_of_house_rules_as_a_process(run: Run) -> None:
    folder = Path(__file__).resolve().parents[2] / "docs" / "house-rules"
    done = run("why", "sr4-core:weapon/ares-predator-iv", "--packs", folder)
    assert (done.status, done.err) == (0, "")
    line = next(line for line in done.out.splitlines() if line.strip().startswith("dv "))
    assert line.split()[:3] == ["dv", "6", "gritty-streets"]
    assert line.split()[3].startswith((folder / "gritty-streets" / "weapons.yaml").as_posix() + ":")


@pytest.mark.parametrize(
    ("id", "section"),
    [("imperium-core:modifier/range-medium", "5.3"), ("imperium-core:option/rounding", "1")],
)
def test_it_ends_with_how_sure_the_number_is_and_where_its_rule_stands(id: str, section: str) -> None:
    *_, sure, rule = (line for line in why(id).stdout.splitlines() if not line.startswith("‡"))
    assert sure == "† no source gives this number: the authors of the pack chose it"
    assert rule == f"the rule: fracas book imperium {section}"
