"""Packs made for a check, and what its report says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whole_packs import files_of, texts_of

from fracas.engine.checking import Report, check

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
