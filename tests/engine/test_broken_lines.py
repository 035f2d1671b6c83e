"""Line and column are right: every line of two packs is broken in several ways, and the check must tell each there.

The places come from the text alone (`breakages`). A breakage that the check cannot see must have a reason here, and
nothing but the breakages may be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, zip_longest
from pathlib import Path

import pytest
from breakages import Breakage, breakages, lines_of
from tiers import scale
from whole_packs import files_of, texts_of

from fracas.engine import checking
from fracas.packs.entries import KINDS
from fracas.packs.yaml_source import load

pytestmark = pytest.mark.slow

NAMING = {
    "options": "declares a house rule, which only the code of the ruleset asks for",
    "budget": "declares a token",
    "bonus": "declares a token",
    "types": "declares a type of action",
    "changelog": "is the name of a version",
    "stack_caps": "declares a stacking type",
    "rows": "is the name of a row, which the code of the ruleset asks for",
    "partial-light": "is the name of a column",
    "full-darkness": "is the name of a column",
    "glare": "is the name of a column",
    "light-fog": "is the name of a column",
    "heavy-fog": "is the name of a column",
    "thermal-smoke": "is the name of a column",
    "skills": "is the name of a skill, of which rulesets do not close the list",
}
"""Mappings whose keys are names that the pack chooses: the keys can be anything."""

FREE = {
    "label": "free text",
    "title": "free text",
    "doc": "free text",
    "description": "free text",
    "name": "free text",
    "side": "any word",
    "notes": "free text",
    "notice": "free text",
    "authors": "free text",
    "section": "free text",
    "url": "free text",
    "data": "any license",
    "text": "any license",
    "license": "any license",
    "1.2.0": "free text",
    "tags": "free words",
    "renamed_from": "any former name",
    "stack": "declares a stacking type",
    "refuses": "declares a reason",
    "choices": "declares a setting",
    "needs": "words for people",
    "ends": "words for people",
    "stat": "any number of a character sheet; procedures read some of them",
}
"""Fields whose values are words that the pack chooses."""

REPEATABLE = {
    "when": "the same predicate twice is no fault",
    "any": "the same predicate twice is no fault",
    "all": "the same predicate twice is no fault",
    "min": "the same operand twice is no fault",
    "changes": "a change may be made twice",
    "weapons": "somebody may carry two of a sort",
    "combatants": "two of a sort may take part",
}
"""Lists that may hold an item twice."""

PACKS = {pack: texts_of(pack) for pack in ("street", "city")}


def reason(breakage: Breakage) -> str | None:
    """Why the check cannot tell of it."""
    what, line = breakage.what, breakage.line
    if breakage.way == "misspelt key" and what is not None:
        return NAMING.get(what.owner)
    if breakage.way == "misspelt word" and what is not None:
        return FREE.get(what.owner)
    if breakage.way == "double" and line.dashes:
        return REPEATABLE.get(line.owner)
    return None


EVERY = {(pack, name): list(breakages(text)) for pack, texts in PACKS.items() for name, text in texts.items()}
SEEN = {file: [each for each in found if reason(each) is None] for file, found in EVERY.items()}


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the packs that ship beside."""
    monkeypatch.setattr(checking, "shipped", lambda name: tmp_path)


def told(pack: str, changed: Mapping[str, str]) -> set[str]:
    """The places that a check tells, of a pack with these files in place of its own."""
    report = checking.check([files_of({**PACKS[pack], **changed}, pack)])
    return {problem.path for problem in report.problems}


def place(pack: str, name: str, breakage: Breakage) -> str:
    line, column = breakage.place
    return f"{pack}/{name}:{line}:{column}"


@pytest.mark.parametrize("pack", PACKS)
def test_the_packs_are_whole_and_have_every_kind(pack: str) -> None:
    report = checking.check([files_of(PACKS[pack], pack)])
    assert report.problems == ()
    assert report.entries >= 2
    kinds = {load(text).data.get("kind", "pack") for texts in PACKS.values() for text in texts.values()}
    assert kinds == {"pack", *KINDS}


@pytest.mark.parametrize("pack", PACKS)
def test_every_broken_line_is_told_in_its_place(pack: str) -> None:
    """One line of each file at a time: the files do not get in each other's way."""
    files = {name: SEEN[pack, name] for name in PACKS[pack] if name not in ("pack.yaml", "examples.yaml")}
    for row in islice(zip_longest(*files.values()), 0, None, scale(27, 1)):
        broken = {name: one for name, one in zip(files, row, strict=True) if one is not None}
        wanted = {place(pack, name, one) for name, one in broken.items()}
        found = told(pack, {name: one.text for name, one in broken.items()})
        shown = {name: (one.way, one.line.text, one.what) for name, one in broken.items()}
        assert found == wanted, (found - wanted, wanted - found, shown)


@pytest.mark.parametrize(
    ("pack", "name"), [("street", "pack.yaml"), ("city", "pack.yaml"), ("street", "examples.yaml")]
)
def test_every_broken_line_of_what_all_depends_on(pack: str, name: str) -> None:
    """Manifests and examples, with whole files beside."""
    for one in SEEN[pack, name][:: scale(27, 1)]:
        assert told(pack, {name: one.text}) == {place(pack, name, one)}, (one.way, one.line.text, one.what)


@pytest.mark.parametrize("pack", PACKS)
def test_a_broken_line_is_told_alone(pack: str) -> None:
    """Some lines of each file again, with whole files beside, on which the broken entries have no effect."""
    for name in PACKS[pack]:
        if name not in ("pack.yaml", "examples.yaml"):
            for one in islice(SEEN[pack, name], 7, None, scale(435, 29)):
                found = told(pack, {name: one.text})
                assert found == {place(pack, name, one)}, (name, one.way, one.line.text, one.what)


def test_every_line_is_covered() -> None:
    """By several breakages that are told; all other lines are comments or free text."""
    for (pack, name), found in SEEN.items():
        for line in lines_of(PACKS[pack][name]):
            ways = {each.way for each in found if each.line.number == line.number}
            assert (len(ways) >= 2) == (line.sort not in ("comment", "text")), (name, line.number, line.text)
    ways = [each.way for found in SEEN.values() for each in found]
    assert {way for way in ways if ways.count(way) >= 100} == {
        "misspelt key", "wrong type", "misspelt word", "bad sign", "double", "tab", "deeper", "shallower",
    }  # fmt: skip
    assert len(ways) > 2000


def test_every_reason_is_needed() -> None:
    reasons = {reason(each) for found in EVERY.values() for each in found}
    assert reasons == {None, *NAMING.values(), *FREE.values(), *REPEATABLE.values()}


@pytest.mark.parametrize(("start", "end"), [("", "\r\n"), ("\ufeff", "\n"), ("\ufeff", "\r\n")])
def test_places_do_not_depend_on_line_ends_and_byte_order_marks(start: str, end: str) -> None:
    for name in ("modifiers.yaml", "weapons.yaml", "combatants.yaml"):
        for one in islice(SEEN["street", name], 3, None, scale(249, 41)):
            broken = start + one.text.replace("\n", end)
            assert told("street", {name: broken}) == {place("street", name, one)}, (one.way, one.line.text)
