"""``fracas new``: packs and entries that pass the check as they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from fracas.cli.scaffold import new
from fracas.engine.checking import check
from fracas.errors import FracasError
from fracas.packs.entries import KINDS
from fracas.packs.files import in_folder
from fracas.packs.schema_fields import kinds_of, rulesets
from fracas.packs.shipped import shipped
from fracas.packs.yaml_source import load


class Done(NamedTuple):
    """How a command ended: what it said to people, or the one thing that it complained of."""

    out: str
    err: str
    complaint: str


def run(*words: Any) -> Done:
    result = CliRunner().invoke(new, list(map(str, words)))
    if isinstance(result.exception, FracasError):  # the group above this one shows its message
        return Done(result.stdout, result.stderr, result.exception.message)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    found = re.search(r"^Error: (.*)", result.stderr, re.MULTILINE | re.DOTALL)
    assert (found is None) == (result.exit_code == 0), result.stderr
    return Done(result.stdout, result.stderr, found[1].strip() if found else "")


def faults(folder: Path, folders: Sequence[Path] = ()) -> list[str]:
    return [str(problem) for problem in check([in_folder(folder)], folders).problems]


def written_at(done: Done) -> tuple[Path, int, int]:
    """The place that a command says it wrote to."""
    found = re.search(r"^Wrote (.*):(\d+):(\d+)$", done.out, re.MULTILINE)
    assert found, done
    return Path(found[1]), int(found[2]), int(found[3])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, with no packs but the built-in ones."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FRACAS_PACKS", raising=False)
    return tmp_path


@pytest.fixture
def pack(here: Path) -> Path:
    """A small pack with one weapon in a file of its own."""
    folder = here / "mine"
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        "# yaml-language-server: $schema=../elsewhere/pack.schema.json\n"
        "id: mine\ntitle: Mine\nversion: 0.1.0\nschema_version: 2\nruleset: sr4\nlayer: house\nstatus: wip\n"
        "licenses: {data: CC0-1.0}\nsources: [{id: table, title: Our table}, {id: other, title: Other}]\n"
        "requires: [{id: sr4-core}]\n",
        "utf-8",
    )
    return folder


# Packs.


@pytest.mark.parametrize("ruleset", rulesets())
def test_a_new_pack_passes_the_check(here: Path, ruleset: str) -> None:
    done = run("pack", "my-pack", "--ruleset", ruleset, "--title", "My: pack", "--author", "Ann")
    assert (done.err, done.complaint) == ("", "")
    assert "run: fracas check my-pack" in done.out
    report = check([in_folder(here / "my-pack")])
    assert report.problems == ()
    names = {path.name for path in (here / "my-pack").iterdir() if path.is_file()}
    missing = {f"{kind}.yaml" for kind in kinds_of(ruleset)} - names
    assert missing <= {"examples.yaml"}
    assert report.entries == len(names - {"pack.yaml", "README.md", "modifiers.yaml"})
    assert report.examples == (0 if missing else 1)
    for name in names:
        assert f"my-pack/{name}" in done.out
    assert "\r" not in (here / "my-pack" / "pack.yaml").read_bytes().decode()


def test_two_new_packs_can_be_used_together(here: Path) -> None:
    assert not run("pack", "one").complaint
    assert not run("pack", "two", "--folder", here).complaint
    assert faults(here / "two", [here / "one"]) == []


def test_a_pack_in_another_folder_with_what_was_there_before(here: Path) -> None:
    (here / "packs" / "guns").mkdir(parents=True)
    done = run("pack", "guns", "--folder", "packs")
    assert "run: fracas check packs/guns" in done.out
    assert faults(here / "packs" / "guns") == []


def test_nothing_is_overwritten(here: Path) -> None:
    (here / "guns").mkdir()
    (here / "guns" / "notes.txt").write_text("mine", "utf-8")
    assert "guns is there already, and nothing is overwritten" in run("pack", "guns").complaint
    assert [path.name for path in (here / "guns").iterdir()] == ["notes.txt"]
    (here / "file").write_text("mine", "utf-8")
    assert "nothing is overwritten" in run("pack", "file").complaint
    assert (here / "file").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["My Guns"], "'My Guns' is no id of a pack"),
        (["My Guns"], "did you mean 'my-guns'?"),
        (["guns", "--ruleset", "sr6"], "there is no ruleset 'sr6' (did you mean 'sr5'?)"),
        (["sr4-core"], "there is a pack 'sr4-core' already"),
        (["cwn-core", "--ruleset", "sr4"], "there is a pack 'cwn-core' already"),
        (["guns", "--title", "a\x07b"], "the title"),
    ],
)
def test_what_cannot_be_made(here: Path, words: list[str], said: str) -> None:
    assert said in run("pack", *words).complaint
    assert list(here.iterdir()) == []


def test_without_its_core_pack_a_ruleset_cannot_be_written_for(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "none").mkdir()
    monkeypatch.setattr("fracas.packs.shipped.shipped", lambda name: here / "none")
    assert (
        "the core pack of sr4 is not installed: a pack sr4-core was expected" in run("pack", "guns").complaint
    )
    assert not (here / "guns").exists()


def test_editors_find_the_schemas(here: Path) -> None:
    run("pack", "guns")
    folder = here / "guns"
    for path in folder.glob("*.yaml"):
        first = path.read_text("utf-8").splitlines()[0]
        schema = folder / first.removeprefix("# yaml-language-server: $schema=")
        assert schema.name == f"{path.stem}.schema.json"
        assert schema.read_bytes() == (shipped("schemas") / schema.name).read_bytes()
    copies = {path.relative_to(folder / ".schemas").as_posix() for path in folder.rglob("*.json")}
    # Of files that hold no entries, those that packs may have.
    attached = {"texts/fights", "texts/phrases", "texts/tactics", "foundry/sheet-mapping", "roll20/sheet"}
    entries = {path.name for path in shipped("schemas").glob("*.json")}
    assert copies == entries | {f"{name}.schema.json" for name in attached}


def left(folder: Path) -> list[tuple[str, str]]:
    """What the check notices of unfinished entries: the place and the message."""
    warnings = check([in_folder(folder)]).warnings
    assert {warning.code for warning in warnings} <= {"example-left"}
    return [(warning.path, warning.message) for warning in warnings]


@pytest.mark.parametrize("ruleset", rulesets())
def test_an_empty_pack_has_no_entries(here: Path, ruleset: str) -> None:
    done = run("pack", "mine", "--ruleset", ruleset, "--empty")
    assert not done.complaint
    report = check([in_folder(here / "mine")])
    assert (report.problems, report.warnings, report.entries) == ((), (), 0)
    assert {path.name for path in (here / "mine").iterdir() if path.is_file()} == {"pack.yaml", "README.md"}
    commands = re.findall(r"`fracas (new [^`]+)`", (here / "mine" / "README.md").read_text("utf-8"))
    assert len(commands) == 4
    for command in commands[1:3]:
        words = [word.strip("'") for word in re.findall(r"'[^']+'|\S+", command)[1:]]
        assert not run(*words, "--pack", "mine").complaint, command


def test_the_examples_of_a_new_pack_are_one_warning(here: Path) -> None:
    run("pack", "mine")
    ((place, message),) = left(here / "mine")
    assert re.fullmatch(r"mine/actions\.yaml:\d+:3", place)
    assert message == "16 entries are still as 'fracas new pack' wrote examples"
    for path in (here / "mine").glob("*.yaml"):
        path.write_text(re.sub(r"^ +# Made after .*\n", "", path.read_text("utf-8"), flags=re.M), "utf-8")
    assert left(here / "mine") == []


def test_a_half_filled_entry_is_noticed(pack: Path) -> None:
    run("modifier", "neon-glare", "--pack", pack)
    file = pack / "modifiers.yaml"
    for rest in ("applies_to, when, value", "when, value", "value"):
        ((place, message),) = left(pack)
        line, column = map(int, place.split(":")[1:])
        assert file.read_text("utf-8").splitlines()[line - 1][column - 1 :].startswith(rest.split(",")[0])
        assert message == f"neon-glare still has values that 'fracas new' wrote as examples: {rest}"
        file.write_text(file.read_text("utf-8").replace("  # an example: put your own here", "", 1), "utf-8")
    assert left(pack) == []


def test_values_that_the_author_chose_are_no_examples(pack: Path) -> None:
    run("weapon", "mine", "--pack", pack, "--from", "ak-97")
    assert left(pack) == []


# Patches.


def test_a_patch_changes_fields_and_expects_what_they_were(pack: Path) -> None:
    done = run("patch", "ares-predator-iv", "--pack", pack, "--set", "dv=7", "--set", "modes=[SA, BF]")
    assert not done.complaint
    assert "\n  dv: 5 -> 7\n  modes: [SA] -> [SA, BF]\n" in done.out
    path, line, column = written_at(done)
    text = path.read_text("utf-8")
    assert text.splitlines()[line - 1][column - 1 :] == "patch: sr4-core:weapon/ares-predator-iv"
    assert load(text).data["entries"] == [
        {
            "patch": "sr4-core:weapon/ares-predator-iv",
            "expects": {"dv": 5, "modes": ["SA"]},
            "set": {"dv": 7, "modes": ["SA", "BF"]},
            "source": {"ref": "table"},
        }
    ]
    assert "      #skill: pistols\n      dv: 7  # Damage Value\n" in text
    assert (faults(pack), left(pack)) == ([], [])


def test_a_field_behind_a_sign_can_be_changed_too(pack: Path) -> None:
    run("patch", "ares-predator-iv", "--pack", pack, "--set", "dv=7")
    file = pack / "weapons.yaml"
    file.write_text(file.read_text("utf-8").replace("#cost: 350", "cost: 400"), "utf-8")
    assert load(file.read_text("utf-8")).data["entries"][0]["set"] == {"dv": 7, "cost": 400}
    assert faults(pack) == []


def test_a_patch_takes_fields_away_and_gives_new_ones(pack: Path) -> None:
    assert not run("patch", "katana", "--pack", pack, "--unset", "availability").complaint
    assert not run("patch", "ares-predator-iv", "--pack", pack, "--set", "notes=loud").complaint
    first, second = load((pack / "weapons.yaml").read_text("utf-8")).data["entries"]
    assert (first["expects"], first["unset"], "set" in first) == (
        {"availability": "4R"},
        ["availability"],
        False,
    )
    assert ("expects" in second, second["set"]) == (False, {"notes": "loud"})
    assert faults(pack) == []


def test_new_values_may_stand_beside_the_name(pack: Path) -> None:
    assert not run("patch", "katana", "dv=4", "notes=long", "--pack", pack).complaint
    (only,) = load((pack / "weapons.yaml").read_text("utf-8")).data["entries"]
    assert only["set"] == {"dv": 4, "notes": "long"}
    assert faults(pack) == []


def test_a_patch_without_a_change_is_left_to_its_author(pack: Path) -> None:
    assert "change the fields" in run("patch", "katana", "--pack", pack).out
    assert faults(pack) == []
    ((_, message),) = left(pack)
    assert message.endswith("wrote as examples: label")


REFUSED_PATCHES: dict[str, tuple[list[str], str]] = {
    "field": (["katana", "--set", "dvv=3"], "no field 'dvv' (did you mean 'dv'?)"),
    "field to take away": (["katana", "--unset", "modes"], "no field 'modes'"),
    "value": (["katana", "--set", "dv=high"], "wrong-type: 'dv' must be a whole number"),
    "no YAML": (["katana", "--set", "dv=[3"], "dv=[3: "),
    "no value beside the name": (
        ["katana", "dv"],
        "a change is a field and its value, such as dv=7, not 'dv'",
    ),
    "no value": (["katana", "--set", "dv"], "such as dv=7"),
    "slug": (["katana", "--set", "slug=blade"], "no field 'slug'"),
    "entry": (["katanna", "--set", "dv=3"], "did you mean 'katana'?"),
    "of another ruleset": (["sr5-core:weapon/katana", "--set", "dv=3"], "there is no entry"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED_PATCHES.values(), ids=REFUSED_PATCHES)
def test_patches_that_are_refused(
    pack: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(pack)
    assert said in run("patch", *words).complaint
    assert [path.name for path in pack.iterdir()] == ["pack.yaml"]


def test_a_pack_does_not_patch_itself_or_the_same_field_twice(pack: Path) -> None:
    run("weapon", "mine", "--pack", pack, "--from", "ak-97")
    assert "an entry of this very pack" in run("patch", "weapon/mine", "--pack", pack).complaint
    run("patch", "katana", "--pack", pack, "--set", "dv=7")
    assert "double-change" in run("patch", "katana", "--pack", pack, "--set", "dv=8").complaint


# Entries.


def test_a_new_entry_passes_the_check(pack: Path) -> None:
    done = run("weapon", "back-alley-special", "--pack", pack)
    assert (done.err, done.complaint) == ("", "")
    assert "run: fracas check mine" in done.out
    path, line, column = written_at(done)
    assert path == Path("mine/weapons.yaml")
    text = path.read_text("utf-8")
    assert text.splitlines()[line - 1][column - 1 :] == "slug: back-alley-special"
    assert text.startswith("# yaml-language-server: $schema=../elsewhere/weapons.schema.json\n")
    (entry,) = load(text).data["entries"]
    assert (entry["label"], entry["source"]) == ("Back alley special", {"ref": "table"})
    assert "# Damage Value: before net hits, without Strength. In boxes." in text
    assert faults(pack) == []


@pytest.mark.parametrize(
    ("ruleset", "kind"),
    [
        ("sr4", "examples"),
        ("cwn", "weapons"),
        ("cwn", "actions"),
        ("imperium", "modifiers"),
        ("sr5", "combatants"),
    ],
)
def test_where_the_examples_of_the_schema_do_not_go_together_the_core_helps(
    here: Path, ruleset: str, kind: str
) -> None:
    run("pack", "mine", "--ruleset", ruleset)
    done = run(KINDS[kind], "second", "--pack", "mine")
    assert not done.complaint
    assert written_at(done)[0] == Path(f"mine/{kind}.yaml")
    assert faults(here / "mine") == []
    assert [
        entry["slug"] for entry in load((here / "mine" / f"{kind}.yaml").read_text("utf-8")).data["entries"]
    ] == ([] if kind == "modifiers" else [f"my-{KINDS[kind]}"]) + ["second"]


@pytest.mark.parametrize("name", ["sr4-core:weapon/ak-97", "weapon/ak-97", "ak-97", "AK-97"])
def test_an_entry_like_another(pack: Path, name: str) -> None:
    done = run("weapon", "mine", "--pack", pack, "--from", name, "--label", "Old: one")
    assert "with the values of sr4-core:weapon/ak-97" in done.out
    (entry,) = load((pack / "weapons.yaml").read_text("utf-8")).data["entries"]
    core = load((shipped("datapacks") / "sr4-core" / "weapons.yaml").read_bytes()).data["entries"]
    (other,) = [found for found in core if found["slug"] == "ak-97"]
    about = {"slug", "label", "source", "notes", "tags", "provenance", "confidence", "renamed_from"}
    assert {name: value for name, value in entry.items() if name not in about} == {
        name: value for name, value in other.items() if name not in about
    }
    assert (entry["label"], entry["source"]) == ("Old: one", {"ref": "table"})
    assert not about & entry.keys() - {"slug", "label", "source"}
    assert faults(pack) == []


def test_an_entry_like_one_of_the_pack_itself(pack: Path) -> None:
    run("weapon", "first", "--pack", pack)
    done = run("weapon", "second", "--pack", pack, "--from", "first")
    assert "with the values of mine:weapon/first" in done.out
    assert faults(pack) == []


def test_what_was_written_before_stays(pack: Path) -> None:
    before = (
        "# Ours.\r\nkind: modifiers\r\nruleset: sr4\r\nentries:\r\n- slug: house   # by Ann\r\n"
        "  label: 'House'\r\n  applies_to: [attack.pool]\r\n  when: [attacker:running]\r\n  value: -1\r\n"
        "  source: {ref: other}\r\n\r\n# The end\r\n"
    )
    (pack / "modifiers.yaml").write_bytes(before.encode())
    run("modifier", "second", "--pack", pack)
    text = (pack / "modifiers.yaml").read_bytes().decode()
    head, tail = before.split("\r\n\r\n")
    assert text.startswith(head + "\r\n\r\n# Modifier: ")
    assert text.endswith("\r\n" + tail)
    assert "\n" not in text.replace("\r\n", "")
    assert faults(pack) == []


def test_the_only_file_of_a_kind_is_used(pack: Path) -> None:
    (pack / "weapons").mkdir()
    (pack / "weapons" / "guns.yaml").write_text("kind: weapons\nruleset: sr4\nentries: []\n", "utf-8")
    assert written_at(run("weapon", "first", "--pack", pack))[0] == Path("mine/weapons/guns.yaml")
    (pack / "weapons" / "more.yaml").write_text("kind: weapons\nruleset: sr4\nentries: []\n", "utf-8")
    assert written_at(run("weapon", "second", "--pack", pack))[0] == Path("mine/weapons.yaml")
    assert faults(pack) == []


def test_the_current_folder_is_the_pack(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pack)
    done = run("armor", "vest")
    assert written_at(done)[0] == Path("armor.yaml")
    assert "run: fracas check ." in done.out


def test_a_folder_with_a_blank_in_its_name(here: Path) -> None:
    (here / "my packs").mkdir()
    assert 'fracas check "my packs/guns"' in run("pack", "guns", "--folder", "my packs").out


REFUSED: dict[str, tuple[list[str], str]] = {
    "bad slug": (["weapon", "My_Gun"], "'My_Gun' is no slug"),
    "kind": (["wepon", "x"], "did you mean 'weapon'?"),
    "kind of another ruleset": (["vehicle", "x"], "the ruleset sr4 has no vehicles (it has actions, "),
    "slug of the core": (["weapon", "ak-97"], "sr4-core has a weapon 'ak-97' too, at "),
    "unknown model": (
        ["weapon", "x", "--from", "ak-79"],
        "there is no entry 'ak-79' (did you mean 'ak-97'?)",
    ),
    "model of another kind": (
        ["weapon", "x", "--from", "toughness"],
        "sr4-core:trait/toughness is no weapon",
    ),
    "model of another ruleset": (["weapon", "x", "--from", "cwn-core:weapon/rifle"], "there is no entry"),
    "no label": (["weapon", "x", "--label", "a\tb"], "the label"),
    "label too long": (
        ["weapon", "x", "--label", "a" * 200],
        "nothing was written, because x would not pass",
    ),
    "no pack": (["weapon", "x", "--pack", ".."], "is no pack: it has no pack.yaml"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(pack: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str) -> None:
    monkeypatch.chdir(pack)
    assert said in run(*words).complaint
    assert [path.name for path in pack.iterdir()] == ["pack.yaml"]


def test_a_slug_exists_once(pack: Path) -> None:
    run("weapon", "first", "--pack", pack)
    before = (pack / "weapons.yaml").read_bytes()
    assert (
        "mine has mine:weapon/first already, at mine/weapons.yaml:"
        in run("weapon", "first", "--pack", pack).complaint
    )
    assert (pack / "weapons.yaml").read_bytes() == before
    assert not run("armor", "first", "--pack", pack).complaint


def test_a_slug_of_a_pack_that_is_not_required_brings_a_warning(here: Path, pack: Path) -> None:
    run("pack", "other")
    done = run("weapon", "my-weapon", "--pack", pack, "--packs", "other")
    assert done.err.startswith("Warning: other has a weapon 'my-weapon' too, at other/weapons.yaml:")
    assert not done.complaint
    assert faults(pack) == []


def test_a_name_that_the_pack_takes_over_is_free(pack: Path) -> None:
    """The pack removes the core's weapon, so that its own may have the name."""
    (pack / "weapons.yaml").write_text(
        "kind: weapons\nruleset: sr4\nentries:\n  - remove: sr4-core:weapon/raecor-sting\n    source: {ref: table}\n",
        "utf-8",
    )
    assert not run("weapon", "raecor-sting", "--pack", pack).complaint
    assert faults(pack) == []


def test_a_copy_that_refers_to_a_pack_that_is_not_required_is_refused(here: Path, pack: Path) -> None:
    run("pack", "other")
    ranged = (here / "other" / "weapons.yaml").read_text("utf-8")
    ranged = re.sub(r"range: \S+", "range: my-range", ranged)
    (here / "other" / "weapons.yaml").write_text(ranged, "utf-8")
    done = run("weapon", "mine", "--pack", pack, "--from", "my-weapon", "--packs", "other")
    assert "nothing was written, because mine would not pass the check" in done.complaint
    assert "other:range/my-range is of a pack that mine does not require" in done.complaint
    assert not (pack / "weapons.yaml").exists()


def test_faults_that_were_there_before_are_no_hindrance(pack: Path) -> None:
    (pack / "armor.yaml").write_text(
        "kind: armor\nruleset: sr4\nentries: [{slug: vest, label: Vest}]\n", "utf-8"
    )
    before = faults(pack)
    assert before
    done = run("weapon", "first", "--pack", pack)
    assert not done.complaint
    assert faults(pack) == before


def test_a_file_that_cannot_be_read_is_told_of(pack: Path) -> None:
    (pack / "weapons.yaml").write_text("kind: weapons\nruleset: sr4\nentries: [\n", "utf-8")
    assert re.search(
        r"mine/weapons\.yaml:\d+:\d+: bad-yaml", run("weapon", "first", "--pack", pack).complaint
    )


def test_a_pack_without_sources(pack: Path) -> None:
    text = (pack / "pack.yaml").read_text("utf-8")
    (pack / "pack.yaml").write_text(re.sub(r"sources: .*\n", "", text), "utf-8")
    assert "mine/pack.yaml lists no sources" in run("weapon", "first", "--pack", pack).complaint


def test_a_broken_pack_beside_it_is_left_out_with_a_warning(here: Path, pack: Path) -> None:
    (here / "broken").mkdir()
    (here / "broken" / "pack.yaml").write_text("id: broken\n", "utf-8")
    done = run("weapon", "first", "--pack", pack, "--packs", "broken")
    assert "Warning: left out broken: broken/pack.yaml:1:1" in done.err
    assert not done.complaint


# Help.


def test_help_lists_every_kind() -> None:
    done = run("--help")
    for name in ("pack", *KINDS.values()):
        assert re.search(rf"^  {name} ", done.out, re.MULTILINE)
    assert "Add a weapon to a pack." in done.out
    assert "Add armor to a pack." in done.out
    assert "--from" in run("weapon", "--help").out
