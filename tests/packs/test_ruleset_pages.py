"""The pages of docs/rulesets and the rulebooks tell the truth: every procedure, each conflict, and all that is ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from plain_yaml import data_of

from fracas.engine.game import Game, load_ruleset
from fracas.packs.library import Library
from fracas.packs.manuscript import read

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "rulesets").glob("*.md"))
_OWN_KINDS = ("examples", "combatants")


def test_there_are_pages() -> None:
    assert [page.stem for page in PAGES] == ["cwn", "imperium", "sr4", "sr5"]


def words(page: Path) -> set[str]:
    book = ROOT / "docs" / "rulebooks" / page.name
    texts = [file.read_text("utf-8") for file in (page, book) if file.is_file()]
    return {word for text in texts for word in re.findall(r"`([a-z0-9_-]+)`", text)}


def options_of(ruleset: str) -> dict[str, Any]:
    """The house rules that the packs of a ruleset have, those of its layers too."""
    found: dict[str, Any] = {}
    for path in sorted((ROOT / "datapacks").glob(f"{ruleset}-*/pack.yaml")):
        found |= data_of(path)["options"]
    return found


def entries_of(ruleset: str, *but: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Slug and content of each entry of its packs, and of each patch; `but`: kinds left out."""
    for path in sorted((ROOT / "datapacks").glob(f"{ruleset}-*/**/*.yaml")):
        data = data_of(path)
        if "kind" not in data or data["kind"] in but:
            continue
        for entry in data["entries"]:
            target = entry.get("patch") or entry.get("replace") or entry.get("remove") or ""
            yield entry.get("slug", target.rpartition("/")[2]), {**entry, **entry.get("set", {})}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_procedure_is_named(page: Path) -> None:
    assert set(load_ruleset(page.stem).procedures) - words(page) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_everything_that_is_ours_is_named(page: Path) -> None:
    ours = {
        slug for slug, entry in entries_of(page.stem, *_OWN_KINDS) if entry.get("provenance") == "default"
    }
    assert ours - words(page) == set()


@pytest.mark.parametrize(
    ("ruleset", "section", "conflicts"),
    [("imperium", "14", 26), ("sr4", "19", 31), ("sr5", "14", 33), ("cwn", "16", 17), ("cwn", "17", 24)],
)
def test_what_holds_the_answer_to_each_conflict_of_the_sources_exists(
    ruleset: str, section: str, conflicts: int
) -> None:
    """Options, entries and tests hold each row of the table where the sources disagree, or are silent."""
    chapters = {section.number: section.text for section in read(ruleset).sections}
    table = chapters[section].partition("\n\n|")[2].partition("\n\n")[0]
    lines = table.splitlines()
    held = [re.findall(r"`([^`]+)`", line.rsplit("|", 2)[1]) for line in lines[2:]]
    assert len(held) == conflicts
    assert all(held)
    entries = {slug for slug, _ in entries_of(ruleset)}
    files = ("encounters", f"test_{ruleset}_*.py"), (f"rulesets/{ruleset}", "test_*.py")
    tests = {
        name
        for folder, pattern in files
        for path in (ROOT / "tests" / folder).glob(pattern)
        for name in re.findall(r"def (test_\w+)", path.read_text("utf-8"))
    }
    known = entries | tests | set(options_of(ruleset))
    assert {name for row in held for name in row} - known == set()


def test_what_the_gm_checks_in_fights_of_sr4_is_on_its_page() -> None:
    """Requirements of actions that a fight never knows."""
    packs = Library.read([ROOT / "datapacks" / "sr4-core"]).ruleset_packs("sr4")
    turns = Game(load_ruleset("sr4"), packs).ruleset.turns
    assert turns is not None
    used = {need for _, entry in entries_of("sr4") for need in entry.get("needs", ())}
    left = {need.label for word, need in turns.needs.items() if need.holds is None and word in used}
    _, _, after = (ROOT / "docs/rulesets/sr4.md").read_text("utf-8").partition("## What the GM checks")
    section = " ".join(after.partition("## What is ours")[0].split())
    assert len(left) > 5
    assert {label for label in left if label not in section} == set()
