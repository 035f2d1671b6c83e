"""The check of packs: all its steps together in one report."""

from __future__ import annotations

from pathlib import Path

import pytest
from checked_packs import STREET, at, entries, house, report_of, street, told
from whole_packs import files_of

from fracas.engine import checking, fight_words
from fracas.engine.checking import Report, check, located, split_place
from fracas.engine.near_misses import near_misses
from fracas.engine.opening import open_games
from fracas.errors import Problem
from fracas.packs.files import in_folder, in_memory
from fracas.packs.shipped import shipped

# --- Warnings --------------------------------------------------------------------------------------------


def test_words_that_are_nearly_known_ones_are_warnings(alone: Path) -> None:
    texts = street(conditions="[get-up] => [get-upp, gets-up, turn-end, cannot-atc, noticed]")
    report = report_of(texts)
    assert (report.problems, report.examples) == ((), 1)
    assert [(one.path, one.code, one.hint) for one in report.warnings] == [
        (at(texts, "conditions.yaml", "get-upp"), "near-miss", "did you mean 'get-up'?"),
        (at(texts, "conditions.yaml", "turn-end"), "near-miss", "did you mean 'turn-ends'?"),
        (at(texts, "conditions.yaml", "cannot-atc"), "near-miss", "did you mean 'cannot-act'?"),
    ]
    patch = "  - patch: street:condition/down\n    set: {ends: [get-upp]}\n    source: {ref: ours}\n"
    texts = house({"conditions.yaml": entries("conditions", patch)})
    (warning,) = report_of(street(), texts).warnings
    assert warning.path == "house/conditions.yaml:5:18"


def test_the_shipped_packs_have_no_such_words() -> None:
    games = open_games(())
    for id in games.ids():
        shelf = games.game(id).packs
        assert list(near_misses(games.game(id), shelf.entries("condition"))) == []


# --- The report -------------------------------------------------------------------------------------------


def test_a_whole_pack(alone: Path) -> None:
    report = report_of(STREET)
    assert report == Report(("street",), 28, 1, ())
    assert report.to_json() == {
        "ok": True,
        "packs": ["street"],
        "entries": 28,
        "examples": 1,
        "problems": [],
        "warnings": [],
    }


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
    assert report.entries == 24


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


TABLE = """\
  - slug: mishaps
    label: Mishaps
    roll: %s
    rows:
      jam: {least: 1, most: %s}
      misfire: {least: 5, most: 6}
    source: {ref: our-table}
"""


@pytest.mark.parametrize(("dice", "most", "fits"), [("1d6", 4, True), ("1d6", 3, False), ("1d8", 4, False)])
def test_a_table_that_is_rolled_has_a_row_for_every_number(
    dice: str, most: int, fits: bool, alone: Path
) -> None:
    texts = {**STREET, "tables.yaml": STREET["tables.yaml"] + TABLE % (dice, most)}
    report = report_of(texts)
    place = at(texts, "tables.yaml", f"{dice}\n    rows")
    assert told(report) == ([] if fits else [(place, "roll-fits-no-rows")])
    assert fits or "every number from 1 to" in report.problems[0].message


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


# --- On the way -------------------------------------------------------------------------------------------


def test_progress_is_told_and_may_give_up(alone: Path) -> None:
    steps: list[tuple[int, int]] = []
    check([files_of(STREET, "street")], (), lambda done, total: steps.append((done, total)))
    assert steps[-1] == (28, 28)
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


def test_a_fault_of_structure_hides_no_other_fault_of_the_entry() -> None:
    """Words, targets, references and sources of an entry are looked up although its form is wrong."""
    modifiers = """\
kind: modifiers
ruleset: sr4
entries:
  - slug: odd
    label: Odd
    applies_to: [attack.pol]
    when:
      - attacker:runing
      - any: [tracer, {nott: tracer}]
      - gt: [distanse, 5]
    value: {min: [1, attacker.agilty]}
    suppresses: [recoil-of-nobody]
    source: {ref: nowhere}
"""
    manifest = """\
id: mine
title: Mine
version: 1.0.0
schema_version: 2
ruleset: sr4
status: wip
layer: house
licenses: {data: CC0-1.0}
sources: [{id: here, title: Here}]
requires: [{id: sr4-core}]
"""
    files = {"pack.yaml": manifest.encode(), "modifiers.yaml": modifiers.encode()}
    report = check([in_memory(files, "mine")])
    assert [(problem.path, problem.code) for problem in report.problems] == [
        ("mine/modifiers.yaml:6:18", "unknown-target"),
        ("mine/modifiers.yaml:8:9", "unknown-term"),
        ("mine/modifiers.yaml:9:24", "unknown-field"),
        ("mine/modifiers.yaml:10:14", "unknown-path"),
        ("mine/modifiers.yaml:11:22", "unknown-path"),
        ("mine/modifiers.yaml:12:18", "unknown-reference"),
        ("mine/modifiers.yaml:13:19", "unknown-source"),
    ]


def test_what_breaks_many_trials_down_is_told_once(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the pack nor the ruleset has a house rule that its code asks for."""
    defaults = fight_words._defaults(shipped("datapacks") / "sr4-core")
    monkeypatch.delitem(defaults, "graze_on_zero")
    report = report_of(street(pack="  graze_on_zero: => # graze_on_zero:"))
    crashes = [problem for problem in report.problems if problem.code == "trial-crashes"]
    assert len({problem.message for problem in crashes}) == len(crashes)
    assert "KeyError: 'graze_on_zero'" in crashes[0].message
    assert str(crashes[0].hint).startswith("so does that of ")


def test_hints_end_where_they_would_take_too_long(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bows = [
        f"  - {{patch: 'street:weapon/bow{at}', set: {{dv: 1}}, source: {{ref: ours}}}}\n" for at in range(20)
    ]
    texts = house({"weapons.yaml": entries("weapons", "".join(bows))})
    for compared, hints in ((checking._COMPARED, 20), (30, 10)):
        monkeypatch.setattr(checking, "_COMPARED", compared)
        problems = report_of(STREET, texts).problems
        assert [problem.code for problem in problems] == ["orphaned-change"] * 20
        assert sum(problem.hint is not None for problem in problems) == hints
