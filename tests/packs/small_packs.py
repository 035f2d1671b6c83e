"""Packs of a few lines, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.errors import Problem
from fracas.packs.entries import Fault, Pack
from fracas.packs.files import PackFiles, in_memory
from fracas.packs.library import Library
from fracas.packs.reading import read


def manifest(
    id: str,
    *,
    ruleset: str = "sr4",
    version: str = "1.0.0",
    layer: str = "",
    requires: Iterable[str] = (),
    conflicts: Iterable[str] = (),
    more: str = "",
) -> str:
    """A pack.yaml. Another pack is written as ``core`` or ``core >=0.1,<1``; each stands on a line of its own."""
    lines = [f"id: {id}", f"title: {id}", f"version: {version}", "schema_version: 2", f"ruleset: {ruleset}"]
    lines.append("status: ready")
    lines += [f"layer: {layer}"] * bool(layer)
    for field, others in (("requires", list(requires)), ("conflicts", list(conflicts))):
        lines += [f"{field}:"] * bool(others)
        for other in others:
            name, _, versions = other.partition(" ")
            lines.append(f"  - {{id: {name}" + (f', version: "{versions}"}}' if versions else "}"))
    return "\n".join(lines) + "\n" + more


def files_of(id: str, files: Mapping[str, str] | None = None, **said: Any) -> PackFiles:
    """The files of a pack whose folder is called like it."""
    texts = {"pack.yaml": manifest(id, **said), **(files or {})}
    return in_memory({name: text.encode() for name, text in texts.items()}, id)


def made(id: str, files: Mapping[str, str] | None = None, **said: Any) -> Pack:
    """A pack that has no faults of its own."""
    pack, problems, _ = read(files_of(id, files, **said))
    assert problems == ()
    assert pack is not None
    return pack


def entries(kind: str, *lines: str, ruleset: str = "sr4") -> str:
    """A file of entries, each on a line from line 4 on, in braces: ``slug: a, dv: 1``."""
    items = "".join(f"  - {{{line}}}\n" for line in lines)
    return f"kind: {kind}\nruleset: {ruleset}\nentries:\n{items}" if lines else ""


def weapons(*lines: str) -> dict[str, str]:
    """Files with these weapons."""
    return {"weapons.yaml": entries("weapons", *lines)}


def library(*packs: Pack) -> Library:
    """A library without faults."""
    found = Library(packs)
    assert found.faults == ()
    return found


def told(faults: Iterable[Fault]) -> list[tuple[str, str, str]]:
    """Pack, place and code of each."""
    return [(fault.pack, fault.problem.path, fault.problem.code) for fault in faults]


def only(faults: Iterable[Fault]) -> Problem:
    """The one fault there is."""
    (fault,) = faults
    return fault.problem


def marked(*lines: str, at: int = 4) -> tuple[list[str], list[str]]:
    """The lines without their ``^`` signs, and the places of these, in a file that `entries` makes."""
    places = []
    for number, line in enumerate(lines, at):
        before = 0
        for part in line.split("^")[:-1]:
            before += len(part)
            places.append(f"{number}:{before + len('  - {') + 1}")
    return [line.replace("^", "") for line in lines], places
