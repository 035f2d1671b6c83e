"""``fracas --help``, ``examples``, ``serve`` and ``bench``."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest
from command import Run

from fracas.packs.shipped import shipped

COMMANDS = {
    "serve": ["--host", "--port", "--packs", "--database"],
    "resolve": ["FILE", "--dice", "--json", "--packs"],
    "odds": ["FILE", "--json", "--packs"],
    "examples": ["PATHS", "--json"],
    "bench": ["--json", "--only", "--markdown"],
}

# Help and usage.


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_the_commands(run: Run, flag: str) -> None:
    done = run(flag)
    assert (done.status, done.err) == (0, "")
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", done.out, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_names_its_options(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert (done.status, done.err) == (0, "")
    for word in COMMANDS[command]:
        assert word in done.out
    assert len(done.out.splitlines()) > 5


def test_the_version(run: Run) -> None:
    from fracas import __version__

    assert run("--version").out == f"fracas, version {__version__}\n"


USAGE: dict[str, tuple[list[str], str]] = {
    "command": (["solve"], "No such command 'solve'"),
    "file missing": (["resolve"], "Missing argument 'FILE'"),
    "option": (["resolve", "--dise", "1"], "--dise"),
    "port": (["serve", "--port", "0"], "1<=x<=65535"),
    "port too large": (["serve", "--port", "65536"], "1<=x<=65535"),
    "port no number": (["serve", "--port", "http"], "is not a valid integer"),
    "packs": (["serve", "--packs", "nowhere"], "'nowhere' does not exist"),
    "packs for a request": (["resolve", "x.yaml", "--packs", "nowhere"], "'nowhere' does not exist"),
    "examples": (["examples", "nowhere"], "'nowhere' does not exist"),
    "dice": (["resolve", "-", "--dice", "x"], "'x' is no face"),
}


@pytest.mark.parametrize(("words", "expected"), USAGE.values(), ids=USAGE)
def test_a_wrong_word_on_the_command_line_is_status_2(run: Run, words: list[str], expected: str) -> None:
    done = run(*words, given="ruleset: sr4\n")
    assert done.status == 2
    assert expected in done.complaint()
    assert done.err.startswith("Usage: ")


def test_no_command_at_all(run: Run) -> None:
    done = run()
    assert done.status == 2
    assert "Commands:" in done.out + done.err


# Worked examples.

PACK = "id: {id}\ntitle: A pack\nversion: 1.0.0\nschema_version: 2\nruleset: {ruleset}\nstatus: wip\n"
EXAMPLES = """\
kind: examples
ruleset: sr4
entries:
  - slug: right
    label: A right one
    request:
      procedure: success-test
      situation: {tester: {pool: 3}, threshold: 2}
    dice: [[5, 6, 1]]
    expect: {outcome: {success: true, hits: 2}}
  - slug: wrong
    label: A wrong one
    request:
      procedure: success-test
      situation: {tester: {pool: 3}, threshold: 2}
    dice: [[5, 5, 1]]
    expect: {outcome: {hits: 3}, totals: {test.pool: 4}}
  - slug: mistaken
    label: One that cannot run
    request:
      procedure: success-test
      situation: {tester: {pol: 3}}
    dice: [[5]]
    expect: {outcome: {hits: 1}}
  - slug: short of dice
    label: Not even a slug
"""


def pack(folder: Path, id: str = "tried", ruleset: str = "sr4", **files: str) -> Path:
    home = folder / id
    home.mkdir(parents=True)
    (home / "pack.yaml").write_text(PACK.format(id=id, ruleset=ruleset), "utf-8")
    for name, text in files.items():
        (home / f"{name}.yaml").write_text(text, "utf-8")
    return home


def head_of(text: str, entries: int) -> str:
    """A file of examples with only its first entries."""
    parts = text.split("  - slug: ")
    return "  - slug: ".join(parts[: entries + 1])


def test_all_examples_of_the_built_in_packs_pass(run: Run) -> None:
    done = run("examples")
    assert (done.status, done.err) == (0, "")
    passed = re.fullmatch(r"(\d+) passed, 0 failed\n", done.out)
    assert passed is not None, done.out[-2_000:]
    assert int(passed[1]) > 100


def test_all_examples_as_json(run: Run) -> None:
    report = run("examples", "--json").data
    assert report["failed"] == 0
    assert report["passed"] == len(report["examples"]) > 100
    packs = {example["id"].partition(":")[0] for example in report["examples"]}
    assert packs == {"sr4-core", "cwn-core", "imperium-core", "sr5-core", "sr5-bonus-actions"}


def test_examples_of_one_built_in_pack_as_json(run: Run) -> None:
    report = run("examples", shipped("datapacks") / "sr5-bonus-actions", "--json").data
    assert report["failed"] == 0
    assert report["passed"] == len(report["examples"]) > 5
    assert {example["id"].partition(":")[0] for example in report["examples"]} == {"sr5-bonus-actions"}


def test_examples_of_a_pack_of_ones_own(run: Run, tmp_path: Path) -> None:
    home = pack(tmp_path, examples=head_of(EXAMPLES, 1))
    for path in (home, tmp_path, home / "examples.yaml"):
        done = run("examples", path)
        assert (done.status, done.out) == (0, "1 passed, 0 failed\n")


def test_a_wrong_example_is_told_with_its_place_and_its_differences(run: Run, tmp_path: Path) -> None:
    home = pack(tmp_path, examples=head_of(EXAMPLES, 3))
    done = run("examples", home)
    assert done.status == 1
    assert done.err == ""
    lines = done.out.splitlines()
    assert lines[-1] == "1 passed, 2 failed"
    assert "tried/examples.yaml:11:5: wrong" in lines
    assert "tried/examples.yaml:18:5: mistaken" in lines
    assert any("outcome.hits: 3 expected, got 2" in line for line in lines)
    assert any("totals.test.pool: 4 expected, got 3" in line for line in lines)
    assert any("situation.tester.pol: unknown-field" in line and "'pool'" in line for line in lines)
    assert "right" not in done.out
    report = run("examples", home, "--json")
    assert report.status == 1
    assert (report.data["passed"], report.data["failed"]) == (1, 2)
    failures = {example["id"]: example["failures"] for example in report.data["examples"]}
    assert failures["tried:example/right"] == []
    assert len(failures["tried:example/wrong"]) == 2


def test_no_examples_are_no_success(run: Run, tmp_path: Path) -> None:
    assert "no examples" in run("examples", pack(tmp_path)).complaint()
    (tmp_path / "empty").mkdir()
    assert "no-pack" in run("examples", tmp_path / "empty").complaint()


def test_a_file_outside_of_any_pack(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "examples.yaml"
    path.write_text(head_of(EXAMPLES, 1), "utf-8")
    assert "lies in no pack (put it into the folder of a pack" in run("examples", path).complaint()


# Packs that cannot be used: one fault, with file, line and column, from every command.

MODIFIER = """\
kind: modifiers
ruleset: sr4
entries:
  - slug: odd
    label: Odd
    applies_to: [attack.pool]
    when: [attacker:runing]
    value: 1
"""
BROKEN_PACKS: dict[str, tuple[dict[str, str], str]] = {
    "bad YAML": ({"weapons": "kind: weapons\nentries: [\n"}, r"tried/weapons\.yaml:\d+:\d+: bad-yaml: "),
    "wrong kind": ({"weapons": "kind: armor\nentries: []\n"}, r"tried/weapons\.yaml:1:\d+: wrong-kind: "),
    "no entries": ({"weapons": "kind: weapons\n"}, r"tried/weapons\.yaml:1:1: bad-file: "),
    "bad slug": (
        {"weapons": "kind: weapons\nruleset: sr4\nentries:\n  - {slug: A}\n"},
        r"tried/weapons\.yaml:4:5: bad-slug: ",
    ),
    "a slug twice": (
        {"weapons": "kind: weapons\nruleset: sr4\nentries:\n  - {slug: a}\n  - {slug: a}\n"},
        r"tried/weapons\.yaml:5:\d+: duplicate-slug: .*:4:",
    ),
    "predicate word": (
        {"modifiers": MODIFIER},
        r"tried/modifiers\.yaml:\d+:\d+.*unknown-.*'attacker:running'",
    ),
    "target": (
        {"modifiers": MODIFIER.replace("attack.pool", "attack.pol").replace("runing", "running")},
        r"tried/modifiers\.yaml:\d+:\d+.*unknown-target: .*'attack\.pool'",
    ),
    "manifest": ({"pack": "id: tried\ntitle: x\n"}, r"tried/pack\.yaml:1:1: missing-field: .*'version'"),
    "manifest is no mapping": ({"pack": "- id: tried\n"}, r"tried/pack\.yaml:1:1: bad-manifest: "),
    "the id of another pack": (
        {"pack": PACK.format(id="sr4-core", ruleset="sr4")},
        "duplicate-pack: .*sr4-core",
    ),
}


@pytest.mark.parametrize(("files", "expected"), BROKEN_PACKS.values(), ids=BROKEN_PACKS)
def test_a_broken_pack_is_told_to_who_uses_it(
    run: Run, tmp_path: Path, attack: Path, files: dict[str, str], expected: str
) -> None:
    home = pack(tmp_path, **files)
    assert re.search(expected, run("resolve", attack, "--packs", home).complaint())


def test_a_broken_pack_is_told_to_who_asks_for_odds(run: Run, tmp_path: Path, attack: Path) -> None:
    home = pack(tmp_path, modifiers=MODIFIER)
    assert re.search(BROKEN_PACKS["predicate word"][1], run("odds", attack, "--packs", home).complaint())


# Serving.


def test_a_port_that_is_taken(run: Run, service: Any) -> None:
    done = run("serve", "--port", service.port)
    assert done.complaint() == f"cannot listen on 127.0.0.1:{service.port}: Address already in use"
    assert done.out.startswith("Starting Fracas")
    assert len(done.out.splitlines()) == 1  # it notices before it reads all packs


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_that_is_not_ours(run: Run, host: str) -> None:
    assert run("serve", "--host", host).complaint().startswith(f"cannot listen on {host}:8844: ")


SETTINGS = {
    "FRACAS_PORT": ["0", "x", "", "65536", "-1"],
    "FRACAS_SECRET": ["x", "00" * 15, "0" * 33],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in SETTINGS.items() for value in values]
)
def test_a_variable_that_makes_no_sense(run: Run, name: str, value: str) -> None:
    complaint = run("serve", **{name: value}).complaint()
    assert complaint.startswith(f"{name}: bad-setting: ")


def test_a_folder_of_packs_that_is_not_there(run: Run, tmp_path: Path) -> None:
    """No database can be opened, so that the command ends either way."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    done = run("serve", "--port", port, "--database", tmp_path, FRACAS_PACKS=str(tmp_path / "nowhere"))
    assert f"{str(tmp_path)!r} is a folder" in done.complaint()
    assert "LEFT OUT" in done.out
    assert "nowhere" in done.out


# Bench. How fast anything is, is not asked here.


def test_bench_compares_with_a_peer(run: Run) -> None:
    done = run("bench", "--only", "odds", "--json")
    assert done.err == ""
    report = done.data
    assert report["rows"]
    for row in report["rows"]:
        assert row["name"]
        assert row["unit"]
        assert row["ours"] > 0
        assert row["peer"] > 0
        assert row["ratio"] > 0
        assert row["goal"] > 0
        assert row["met"] is (
            (row["ratio"] <= row["goal"]) if row["at_most"] else (row["ratio"] >= row["goal"])
        )
        assert f"ratio {row['ratio']:.2f}" in report["text"]
    assert report["met"] is all(row["met"] for row in report["rows"])
    assert done.status == (0 if report["met"] else 1)


def test_bench_of_a_part_that_does_not_exist(run: Run) -> None:
    assert (
        "no part named 'forecasts' (did you mean 'forecast'?)"
        in run("bench", "--only", "forecasts").complaint()
    )
