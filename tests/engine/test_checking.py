"""The check of packs: all its steps together in one report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from whole_packs import files_of, texts_of

from fracas.engine import checking
from fracas.engine.checking import Report, check, located, split_place
from fracas.errors import Problem
from fracas.packs.files import in_folder
from fracas.packs.shipped import shipped

STREET = texts_of("street")
HOUSE = """\
id: house
title: House
version: 1.0.0
schema_version: 2
ruleset: sr4
status: ready
layer: house
licenses: {data: CC0-1.0}
sources: [{id: ours, title: Ours}]
requires: [{id: street}]
"""


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Without the packs that ship; those of this folder are built in instead."""
    folder = tmp_path / "built-in"
    folder.mkdir()
    monkeypatch.setattr(checking, "shipped", lambda name: folder)
    return folder


def street(**changed: str) -> dict[str, str]:
    """The street with some of its files changed: old and new text, apart from each other by `` => ``."""
    texts = dict(STREET)
    for kind, change in changed.items():
        old, new = change.split(" => ")
        name = next(name for name in texts if name.startswith(kind))
        assert texts[name].count(old) == 1, (name, old, texts[name].count(old))
        texts[name] = texts[name].replace(old, new)
    return texts


def house(files: Mapping[str, str], manifest: str = HOUSE) -> dict[str, str]:
    return {"pack.yaml": manifest, **files}


def entries(kind: str, text: str) -> str:
    return f"kind: {kind}\nruleset: sr4\nentries:\n{text}"


def report_of(*packs: Mapping[str, str], folders: tuple[Path, ...] = ()) -> Report:
    labels = ("street", "house", "third")
    return check([files_of(texts, label) for texts, label in zip(packs, labels, strict=False)], folders)


def told(report: Report) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in report.problems]


def at(texts: Mapping[str, str], name: str, part: str, label: str = "street") -> str:
    """The place of a part of a file's text, which must stand in it once."""
    text = texts[name]
    assert text.count(part) == 1, part
    before = text[: text.index(part)]
    return f"{label}/{name}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


# --- The report -------------------------------------------------------------------------------------------


def test_a_whole_pack(alone: Path) -> None:
    report = report_of(STREET)
    assert report == Report(("street",), 27, 1, ())
    assert report.to_json() == {"ok": True, "packs": ["street"], "entries": 27, "examples": 1, "problems": []}


def test_no_pack(alone: Path) -> None:
    assert check([]) == Report((), 0, 0, ())


def test_the_faults_of_every_step_come_together_in_one_report(alone: Path) -> None:
    texts = street(
        traits="label: Thick skin => label: Thick: skin",
        ranges="medium: 20 => medium: twenty",
        pack="options:\n => conflicts: [{id: street}]\noptions:\n",
        modifiers="[attacker:running] => [attacker:runing]",
        combatants="[coat, hat] => [coat, hatt]",
        actions="{times: 1, per: phase} => {times: 1, per: phase}\n    takes: 0",
        conditions="sets: {prone: true} => sets: {prone: maybe}",
    )
    texts["weapons/more.yaml"] = entries("weapons", "  - {slug: x}\n")
    texts["wepons.yaml"] = "kind: weapons\n"
    report = report_of(texts)
    assert {*told(report)} == {
        (at(texts, "traits.yaml", ": skin"), "bad-yaml"),
        (at(texts, "ranges.yaml", "twenty"), "wrong-type"),
        (at(texts, "pack.yaml", "street}]"), "conflict"),
        (at(texts, "modifiers.yaml", "attacker:runing"), "unknown-term"),
        (at(texts, "combatants.yaml", "hatt"), "unknown-reference"),
        (at(texts, "actions/all.yaml", "0\n    source"), "out-of-range"),
        (at(texts, "conditions.yaml", "maybe"), "wrong-type"),
        ("street/weapons/more.yaml:4:6", "missing-field"),
        ("street/wepons.yaml", "unknown-file"),
    }
    assert len({*report.problems}) == len(report.problems)
    assert report.packs == ("street",)
    assert report.entries == 23


def test_problems_are_in_the_order_of_files_and_lines(alone: Path) -> None:
    texts = street(weapons="dv: 5 => dv: x", armor="cost: 300 => cost: x")
    texts["weapons.yaml"] = (
        texts["weapons.yaml"].replace("magazine: 9", "magazine: x").replace("dv: 2", "dv: x")
    )
    assert [split_place(problem.path)[:2] for problem in report_of(texts).problems] == [
        ("street/armor.yaml", 9),
        ("street/weapons.yaml", 10),
        ("street/weapons.yaml", 18),
        ("street/weapons.yaml", 42),
    ]


def test_a_problem_as_json() -> None:
    assert located(Problem("a/b.yaml:3:14", "code", "message", "hint")) == {
        "file": "a/b.yaml", "line": 3, "column": 14, "code": "code", "message": "message", "hint": "hint",
    }  # fmt: skip
    nowhere = located(Problem("a/b.yaml", "code", "message"))
    assert (nowhere["file"], nowhere["line"], nowhere["column"], nowhere["hint"]) == (
        "a/b.yaml",
        None,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a/b.yaml:3:14", ("a/b.yaml", 3, 14)),
        ("C:\\a\\b.yaml:3:14", ("C:\\a\\b.yaml", 3, 14)),
        ("C:/a/b.yaml", ("C:/a/b.yaml", None, None)),
        ("a:1.yaml", ("a:1.yaml", None, None)),
        ("a:²:³", ("a:²:³", None, None)),
        ("", ("", None, None)),
    ],
)
def test_places_taken_apart(path: str, parts: tuple[str, int | None, int | None]) -> None:
    assert split_place(path) == parts


# --- Nothing twice, nothing hidden ------------------------------------------------------------------------

CASCADES: list[tuple[dict[str, str], str, str]] = [
    ({"weapons": "skill: pistols\n => skil: pistols\n"}, "weapons.yaml", "skil:"),
    ({"weapons": "kind: weapons => kind: weapon"}, "weapons.yaml", "weapon\n"),
    ({"weapons": "dv: 5 => dv: @5"}, "weapons.yaml", "@5"),
    ({"armor": "entries: => entrys:"}, "armor.yaml", "entrys:"),
    ({"armor": "- slug: coat => - slg: coat"}, "armor.yaml", "slg:"),
    ({"armor": "- slug: coat => - slug: 5"}, "armor.yaml", "5      #"),
    ({"ranges": "short: 5 => short: [5]"}, "ranges.yaml", "[5]"),
    ({"combatants": "reaction: 4 => reaction: four"}, "combatants.yaml", "four"),
    ({"combatants": "ruleset: sr4 => ruleset: sr9"}, "combatants.yaml", "sr9"),
    ({"modifiers": "value: -2 => value: minus two"}, "modifiers.yaml", "minus two"),
    ({"tables": "thermographic: -2\n => thermographic: -2: x\n"}, "tables.yaml", ": x"),
    ({"pack": "sources:\n => source:\n"}, "pack.yaml", "source:"),
    ({"pack": "economy:\n => econmy:\n"}, "pack.yaml", "econmy:"),
    ({"pack": "options:\n => optons:\n"}, "pack.yaml", "optons:"),
    ({"pack": "budget: {simple: 2, free: 1} => budget: {simple: 2, free: 21}"}, "pack.yaml", "21}"),
    ({"pack": "ruleset: sr4 => ruleset: sr44"}, "pack.yaml", "sr44"),
    ({"pack": "id: street => id: Street"}, "pack.yaml", "Street\n"),
    ({"pack": "status: wip => status: @wip"}, "pack.yaml", "@wip"),
]


@pytest.mark.parametrize(("changed", "name", "part"), CASCADES)
def test_what_follows_from_a_fault_is_not_told_as_well(
    changed: dict[str, str], name: str, part: str, alone: Path
) -> None:
    texts = street(**changed)
    assert [path for path, _ in told(report_of(texts))] == [at(texts, name, part)]


def test_a_broken_entry_does_not_hide_the_faults_of_others(alone: Path) -> None:
    texts = street(
        weapons="dv: 5 => dv: five", modifiers="[weapon.features:laser-sight] => [weapon.features:lasr]"
    )
    texts["weapons.yaml"] = texts["weapons.yaml"].replace("range: far", "range: fra")
    assert told(report_of(texts)) == [
        (at(texts, "modifiers.yaml", "weapon.features:lasr"), "unknown-term"),
        (at(texts, "weapons.yaml", "five"), "wrong-type"),
        (at(texts, "weapons.yaml", "fra,"), "unknown-reference"),
    ]


def test_broken_entries_of_one_line_do_not_hide_each_other(alone: Path) -> None:
    armor = "kind: armor\nruleset: sr4\nentries: ["
    armor += "{slug: a, label: A, ballistic: x, impact: 1, source: {ref: our-table}}, "
    armor += "{slug: b, label: B, ballistic: 1, impact: 1, source: {ref: old-bok}}]\n"
    texts = {**STREET, "armor/one-line.yaml": armor}
    assert told(report_of(texts)) == [
        (at(texts, "armor/one-line.yaml", "x, impact"), "wrong-type"),
        (at(texts, "armor/one-line.yaml", "old-bok"), "unknown-source"),
    ]


def test_two_faults_of_one_entry_come_together(alone: Path) -> None:
    texts = street(weapons="dv: 5 => dv: five")
    texts["weapons.yaml"] = texts["weapons.yaml"].replace("modes: [SA]", "modes: [SX]")
    assert told(report_of(texts)) == [
        (at(texts, "weapons.yaml", "five"), "wrong-type"),
        (at(texts, "weapons.yaml", "SX"), "unknown-choice"),
    ]


# --- Schema versions --------------------------------------------------------------------------------------


def test_an_old_schema_version_says_how_to_migrate(alone: Path) -> None:
    texts = street(pack="schema_version: 2 => schema_version: 1")
    texts["weapons.yaml"] = texts["weapons.yaml"].replace("ruleset: sr4\n", "").replace("dv: 5", "dv: five")
    (problem,) = report_of(texts).problems
    assert (problem.path, problem.code) == (at(texts, "pack.yaml", "1\nruleset"), "old-schema-version")
    assert problem.message == "the pack has schema_version 1, and this is 2"
    assert problem.hint == "run: fracas migrate street"


def test_a_new_schema_version_says_so(alone: Path) -> None:
    (problem,) = report_of(street(pack="schema_version: 2 => schema_version: 3")).problems
    assert (problem.code, problem.hint) == ("new-schema-version", "update Fracas")


# --- Examples ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "part", "message"),
    [
        ("attack_hits: 2 => attack_hits: 3", "3, defense", "outcome.attack_hits: 3 expected, got 2"),
        (
            "attack_hits: 2 => atack_hits: 2",
            "atack",
            "outcome.atack_hits: 2 expected, got nothing (did you mean 'attack_hits'?)",
        ),
        ("status: resolved => status: refused", "refused", "status: refused expected, got resolved"),
        (
            "distance: 10 => distnce: 10",
            "distnce",
            "situation.distnce: unknown-field: 'distnce' is no field here (did you mean 'distance'?)",
        ),
        ("weapon: snub => weapon: snbu", "snbu", None),
        ("fire: {mode: semi-automatic} => fire: {mode: auto}", "auto}", None),
        ("procedure: ranged-attack => procedure: range-attack", "range-attack", None),
        (
            "4, 2], [6, 6, 3, 6]] => 4, 2], [6, 6, 3, 7]]",
            "7]]",
            None,
        ),
    ],
)
def test_a_failing_example_is_told_where_it_fails(
    change: str, part: str, message: str | None, alone: Path
) -> None:
    texts = street(examples=change)
    report = report_of(texts)
    assert told(report) == [(at(texts, "examples.yaml", part), "example-fails")]
    assert report.examples == 1
    if message is not None:
        assert report.problems[0].message == message


def test_an_example_that_does_not_work_at_all(alone: Path) -> None:
    """A pack for itself, without the house rules that the code of the ruleset asks for."""
    manifest = (
        HOUSE.replace("requires: [{id: street}]\n", "")
        .replace("ours", "our-table")
        .replace("layer: house\n", "")
    )
    texts = {"pack.yaml": manifest, "examples.yaml": STREET["examples.yaml"]}
    texts["examples.yaml"] = texts["examples.yaml"].replace("attacker: ann", "attacker: {pool: 4}")
    texts["examples.yaml"] = texts["examples.yaml"].replace(
        "{use: ann, cover: good}", "{reaction: 3, body: 3}"
    )
    texts["examples.yaml"] = texts["examples.yaml"].replace(
        "weapon: snub", "weapon: {dv: 5, damage: physical, ap: 0, armor_kind: ballistic, modes: [SA]}"
    )
    (problem,) = check([files_of(texts, "house")]).problems
    assert problem.code == "example-fails"
    assert problem.message.startswith("it breaks down: KeyError: ")


HEAVIER = entries(
    "modifiers", "  - patch: street:modifier/laser\n    set: {value: 3}\n    source: {ref: ours}\n"
)


def test_examples_are_run_without_the_packs_above(alone: Path) -> None:
    """A house rule that changes the numbers does not break the examples of the core."""
    assert report_of(STREET, house({"modifiers.yaml": HEAVIER})).problems == ()


def test_examples_of_a_house_rule_are_run_with_it(alone: Path) -> None:
    example = STREET["examples.yaml"].replace("our-table", "ours").replace("a-miss", "mine")
    texts = house({"modifiers.yaml": HEAVIER, "examples.yaml": example})
    report = report_of(STREET, texts)
    assert told(report) == [(at(texts, "examples.yaml", "[4, 2, 1", "house"), "example-fails")]
    assert "asks for 12d6" in report.problems[0].message
    assert report.examples == 2


def test_progress_is_told_and_may_give_up(alone: Path) -> None:
    steps: list[tuple[int, int]] = []
    check([files_of(STREET, "street")], (), lambda done, total: steps.append((done, total)))
    assert steps[-1] == (27, 27)
    assert steps == sorted(steps, key=lambda step: (step[1], step[0]))

    class EnoughError(Exception):
        pass

    def give_up(done: int, total: int) -> None:
        raise EnoughError

    with pytest.raises(EnoughError):
        check([files_of(STREET, "street")], (), give_up)


def test_the_shipped_packs_and_the_example_of_house_rules() -> None:
    """With the real packs beside."""
    gritty = Path(__file__).resolve().parents[2] / "docs" / "house-rules" / "gritty-streets"
    report = check([in_folder(gritty)])
    assert report.problems == ()
    assert report.packs == ("gritty-streets",)
    assert report.entries >= 4
    assert shipped("datapacks").is_dir()
