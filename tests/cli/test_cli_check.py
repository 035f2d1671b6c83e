"""``fracas check``: what can be checked, how faults are told, and the exit status."""

from __future__ import annotations

import io
import json
import os
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from command import Run
from whole_packs import texts_of

from fracas.cli import main, packs
from fracas.engine import checking, opening

STREET, CITY = texts_of("street"), texts_of("city")
WELL = "1 pack, 28 entries, 1 worked example: all is well\n"


class Done(NamedTuple):
    """How the command ended."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """Each fault's place, and the last line."""
        return [": ".join(line.split(": ")[:2]) for line in self.out.splitlines()]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder; the city is the only built-in pack."""
    write(tmp_path / "built-in" / "city", CITY)
    for module in ("fracas.packs.shipped", checking.__name__, opening.__name__):
        monkeypatch.setattr(f"{module}.shipped", lambda name: tmp_path / "built-in")
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("FRACAS_PACKS", raising=False)
    return folder


def check(*words: object) -> Done:
    result = CliRunner().invoke(main, ["check", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Done(result.exit_code, result.stdout, result.stderr)


def write(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def broken(*changes: tuple[str, str, str]) -> dict[str, str]:
    """The street with some texts changed."""
    texts = dict(STREET)
    for name, old, new in changes:
        assert texts[name].count(old) == 1
        texts[name] = texts[name].replace(old, new)
    return texts


COAT = ("armor.yaml", "cost: 300", "cost: dear")
SNUB = ("weapons.yaml", "modes: [SA]", "modes: [SX]")


def zipped(path: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


# --- What is checked --------------------------------------------------------------------------------------


def test_a_pack_folder(here: Path) -> None:
    write(here / "street", STREET)
    assert check("street") == (0, WELL, "")


def test_files_are_named_from_the_current_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here / "packs" / "street", broken(COAT))
    line = "armor.yaml:9:9: wrong-type"
    for words in (["packs/street"], ["packs"], ["./packs/../packs/street"], [here / "packs" / "street"]):
        assert check(*words).lines[0] == f"packs/street/{line}"
    monkeypatch.chdir(here / "packs")
    assert check("street").lines[0] == f"street/{line}"
    monkeypatch.chdir(here / "packs" / "street")
    assert check(".").lines[0] == line
    assert check().lines[0] == line
    assert check("armor.yaml").lines[0] == line
    (here / "other").mkdir()
    monkeypatch.chdir(here / "other")
    shown = check("../packs/street").lines[0]
    assert shown == f"{(here / 'packs' / 'street').as_posix()}/{line}"


def test_a_folder_of_packs(here: Path) -> None:
    write(here / "packs" / "street", STREET)
    write(here / "packs" / "city", CITY)
    write(here / "packs" / "none", {"readme.yaml": "x"})
    done = check("packs")
    assert (done.status, done.out) == (0, "2 packs, 30 entries, 1 worked example: all is well\n")


def test_one_file_of_a_pack(here: Path) -> None:
    write(here / "street", broken(COAT, SNUB))
    assert check("street/armor.yaml").lines == [
        "street/armor.yaml:9:9: wrong-type",
        WELL.split(":")[0].replace("28", "26") + ": 1 fault",
    ]
    assert check("street/ranges.yaml").status == 0
    assert check("street/armor.yaml", "street/weapons.yaml", "street/ranges.yaml").lines[:-1] == [
        "street/armor.yaml:9:9: wrong-type",
        "street/weapons.yaml:14:13: unknown-choice",
    ]
    assert check("street/actions/all.yaml").status == 0


def test_a_file_and_a_whole_pack(here: Path) -> None:
    write(here / "street", broken(COAT, SNUB))
    write(here / "city", {**CITY, "drugs.yaml": CITY["drugs.yaml"].replace("cost: 10", "cost: x")})
    assert check("street/armor.yaml", "city").lines[:-1] == [
        "city/drugs.yaml:10:11: wrong-type",
        "street/armor.yaml:9:9: wrong-type",
    ]
    assert len(check("street/armor.yaml", "street").lines) == 3


def test_a_broken_manifest_is_told_with_any_file(here: Path) -> None:
    """It hides what the other files have wrong, so that a silent check would say too little."""
    write(here / "street", broken(("pack.yaml", "status: wip", "status: done")))
    done = check("street/armor.yaml")
    assert (done.status, done.lines[0]) == (1, "street/pack.yaml:8:9: unknown-choice")


def test_without_a_path(here: Path) -> None:
    assert check().out == "1 pack, 2 entries, 0 worked examples: all is well\n"  # the built-in one
    write(here / "datapacks" / "street", broken(COAT))
    assert check().lines[0] == "datapacks/street/armor.yaml:9:9: wrong-type"
    write(here / "a", STREET)
    assert check().out == WELL
    write(here, broken(COAT))
    assert check().lines[0] == "armor.yaml:9:9: wrong-type"


@pytest.mark.parametrize("suffix", [".zip", ".ZIP"])
def test_an_archive(here: Path, suffix: str) -> None:
    path = zipped(here / f"street{suffix}", STREET)
    assert check(path.name) == (0, WELL, "")
    zipped(path, broken(COAT))
    assert check(path.name).lines[0] == f"{path.name}/armor.yaml:9:9: wrong-type"
    zipped(path, {f"some/where/{name}": text for name, text in broken(COAT).items()})
    assert check(path.name).lines[0] == f"{path.name}/some/where/armor.yaml:9:9: wrong-type"


def test_an_archive_that_cannot_be_read_is_told_like_any_fault(here: Path) -> None:
    (here / "bad.zip").write_bytes(b"PK, but no archive")
    zipped(here / "out.zip", {"../pack.yaml": "x"})
    write(here / "street", broken(COAT))
    done = check("bad.zip", "street", "out.zip")
    assert done.status == 1
    assert done.lines == [
        "bad.zip: bad-archive",
        "out.zip: bad-path",
        "street/armor.yaml:9:9: wrong-type",
        "1 pack, 27 entries, 1 worked example: 3 faults",
    ]
    problems = json.loads(check("bad.zip", "--format", "json").out)["problems"]
    assert [(problem["file"], problem["line"], problem["code"]) for problem in problems] == [
        ("bad.zip", None, "bad-archive")
    ]


def test_packs_to_build_on(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = "id: house\ntitle: H\nversion: 1.0.0\nschema_version: 2\nruleset: sr4\nstatus: ready\n"
    house += "licenses: {data: CC0-1.0}\nsources: [{id: a, title: A}]\nrequires: [{id: street}]\n"
    write(here / "house", {"pack.yaml": house})
    write(here / "more" / "street", STREET)
    assert check("house").lines[0] == "house/pack.yaml:9:17: missing-pack"
    assert check("house", "--packs", "more").status == 0
    assert check("house", "--packs", "more/street", "--packs", "more").status == 0
    monkeypatch.setenv("FRACAS_PACKS", os.pathsep.join(["nowhere", str(here / "more")]))
    assert check("house").status == 0


# --- How faults are told ----------------------------------------------------------------------------------


def test_text(here: Path) -> None:
    write(here / "street", broken(COAT, ("ranges.yaml", "slug: far", "slgu: far")))
    done = check("street")
    assert done.status == 1
    assert done.out == (
        "street/armor.yaml:9:9: wrong-type: 'cost' must be a whole number, not the text 'dear' (for instance 350)\n"
        "street/ranges.yaml:11:5: unknown-field: the entry has no field 'slgu' (did you mean 'slug'?)\n"
        "1 pack, 26 entries, 1 worked example: 2 faults\n"
    )


def test_json(here: Path) -> None:
    write(here / "street", broken(COAT))
    done = check("street", "--format", "json")
    assert done.status == 1
    assert json.loads(done.out) == {
        "ok": False,
        "packs": ["street"],
        "entries": 27,
        "examples": 1,
        "problems": [
            {
                "file": "street/armor.yaml",
                "line": 9,
                "column": 9,
                "code": "wrong-type",
                "message": "'cost' must be a whole number, not the text 'dear'",
                "hint": "for instance 350",
            }
        ],
        "warnings": [],
    }
    write(here / "street", STREET)
    done = check("street", "--format", "json")
    assert (done.status, json.loads(done.out)["ok"]) == (0, True)


def test_github(here: Path) -> None:
    write(here / "street", broken(COAT))
    (here / "street" / "wepons.yaml").write_text("", "utf-8")
    done = check("street", "--format", "github")
    assert done.status == 1
    assert done.out.splitlines() == [
        "::error file=street/armor.yaml,line=9,col=9,title=wrong-type::"
        "'cost' must be a whole number, not the text 'dear' (for instance 350)",
        "::error file=street/wepons.yaml,title=unknown-file::"
        "files of a pack are pack.yaml, <kind>.yaml and <kind>/<name>.yaml (did you mean 'weapons.yaml'?)",
        "1 pack, 27 entries, 1 worked example: 2 faults",
    ]
    write(here / "street", STREET)
    (here / "street" / "wepons.yaml").unlink()
    assert check("street", "--format", "github").out == WELL


def test_warnings_are_told_and_all_is_well(here: Path) -> None:
    write(here / "street", broken(("conditions.yaml", "[get-up]", "[get-upp]")))
    why = "is neither an action nor a moment of a fight, so it ends nothing by itself"
    told = f"'get-upp' {why} (did you mean 'get-up'?)"
    end = "1 pack, 28 entries, 1 worked example: all is well, 1 warning\n"
    done = check("street")
    assert (done.status, done.out) == (
        0,
        f"street/conditions.yaml:7:12: warning, near-miss: {told}\n{end}",
    )
    done = check("street", "--format", "github")
    place = "file=street/conditions.yaml,line=7,col=12,title=near-miss"
    assert (done.status, done.out) == (0, f"::warning {place}::{told}\n{end}")
    done = check("street/armor.yaml")
    assert done.out.endswith("all is well\n")


@pytest.mark.parametrize("value", ['"100%\\r\\n::error::x"', "50%0A", '"a, b: c"'])
def test_github_commands_are_escaped(here: Path, value: str) -> None:
    folder = "odd, 100% name"
    write(here / folder, broken(("armor.yaml", "cost: 300", f"cost: {value}")))
    (line, last) = check(folder, "--format", "github").out.splitlines()
    assert last.endswith("1 fault")
    head, _, message = line.partition("::error ")[2].partition("::")
    properties = dict(part.split("=", 1) for part in head.split(","))
    assert properties["file"].replace("%2C", ",").replace("%25", "%") == f"{folder}/armor.yaml"
    assert (properties["line"], properties["col"]) == ("9", "9")
    assert "%" not in message.replace("%25", "").replace("%0A", "").replace("%0D", "")


def test_a_windows_path_is_escaped() -> None:
    from fracas.errors import Problem

    line = packs._annotation(Problem("C:\\a\\b.yaml:3:4", "code", "message"))
    assert line == "::error file=C%3A\\a\\b.yaml,line=3,col=4,title=code::message"


def test_characters_that_no_terminal_shows(here: Path) -> None:
    """Half a character cannot come from a file, but from a request in an example."""
    write(here / "street", broken(("armor.yaml", "cost: 300", 'cost: "ä→😀"')))
    done = check("street")
    assert (done.status, "ä→😀" in done.out) == (1, True)


# --- The exit status --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nowhere"], "nowhere"),
        (["empty"], "empty is no pack: there is no pack.yaml, nor one level down"),
        (["stray.yaml"], "stray.yaml lies in no pack"),
        (["street", "--format", "xml"], "'xml' is not one of"),
        (["street", "--packs", "nowhere"], "nowhere"),
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_a_wrong_call_is_status_2(here: Path, words: list[str], complaint: str) -> None:
    write(here / "street", broken(COAT))
    write(here, {"stray.yaml": "kind: armor\n"})
    (here / "empty").mkdir()
    done = check(*words)
    assert (done.status, done.out) == (2, "")
    assert complaint in done.err


# --- Progress ---------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("after", "wanted"), [(0.0, True), (1000.0, False)])
def test_a_bar_on_a_terminal_once_it_takes_long(
    after: float, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(packs, "SHOW_PROGRESS_AFTER", after)
    with packs._progress(True) as step:
        assert step is not None
        for done in range(5):
            step(done, 5)
    assert ("Checking" in terminal.getvalue()) is wanted
    with packs._progress(False) as step:
        assert step is None


def test_no_bar_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with packs._progress(True) as step:
        assert step is None


# --- As a process of its own ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_shipped_packs_are_well(run: Run) -> None:
    done = run("check")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("all is well\n")


def test_a_pack_on_top_of_the_shipped_ones(run: Run, tmp_path: Path) -> None:
    gritty = Path(__file__).resolve().parents[2] / "docs" / "house-rules" / "gritty-streets"
    texts = {path.name: path.read_text("utf-8") for path in gritty.glob("*.yaml")}
    write(tmp_path / "gritty", texts)
    assert run("check", tmp_path / "gritty").status == 0
    texts["weapons.yaml"] = texts["weapons.yaml"].replace("expects: {dv: 5}", "expects: {dv: 55}")
    write(tmp_path / "gritty", texts)
    done = run("check", tmp_path / "gritty", "--format", "json")
    assert (done.status, done.err) == (1, "")
    (problem,) = done.data["problems"]
    line = next(number for number, line in enumerate(texts["weapons.yaml"].splitlines(), 1) if "55" in line)
    assert (problem["code"], problem["line"]) == ("unexpected-value", line)
    assert problem["file"] == (tmp_path / "gritty" / "weapons.yaml").as_posix()
    assert run("check", tmp_path / "nowhere").status == 2
