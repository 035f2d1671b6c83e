"""The worked examples of packs, run by the check."""

from __future__ import annotations

from pathlib import Path

import pytest
from checked_packs import HOUSE, STREET, at, entries, house, report_of, street, told
from whole_packs import files_of

from fracas.engine import fight_words
from fracas.engine.checking import check
from fracas.packs.shipped import shipped


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
            "status: resolved => refusals: [empty_weapon]",
            "[empty_weapon]",
            "refusals: ['empty_weapon'] expected, got []",
        ),
        ("outcome: {attack_hits: 2, defense_hits: 3} => effects: [{type: mark}]", "{type: mark}", None),
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


def test_an_example_that_does_not_work_at_all(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack for itself, and a house rule of which neither it nor a pack of Fracas says what counts."""
    monkeypatch.delitem(fight_words._defaults(shipped("datapacks") / "sr4-core"), "graze_on_zero")
    manifest = (
        HOUSE.replace("requires: [{id: street}]\n", "")
        .replace("ours", "our-table")
        .replace("layer: house\n", "")
    )
    texts = {"pack.yaml": manifest, "examples.yaml": STREET["examples.yaml"]}
    texts["examples.yaml"] = texts["examples.yaml"].replace("attacker: ann", "attacker: {pool: 4}")
    texts["examples.yaml"] = texts["examples.yaml"].replace(
        "{use: ann, cover: good}", "{reaction: 3, body: 3, armor: []}"
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
