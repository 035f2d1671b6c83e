"""The JSON Schemas of pack files: those under ``schemas/``, and what installed rulesets of other packages add."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from fracas.packs.entries import KINDS
from fracas.packs.formats import SUFFIX, Format, Schema, definitions, frame, with_ruleset
from fracas.packs.shipped import shipped

GROUP = "fracas.rulesets"
"""The entry point group of packages that bring a ruleset: its id, and where the ruleset is."""

_COMMON = f"common{SUFFIX}"


@cache
def installed() -> Mapping[str, EntryPoint]:
    """The entry points of all rulesets, by id; of two packages that use one id, Fracas wins.

    Looked up once: it reads the metadata of every installed package. To whom a point belongs takes as long again.
    """
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.value):
        if point.name not in found or not _is_ours(found[point.name]):
            found[point.name] = point
    return found


def _is_ours(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == "fracas"


@cache
def outside() -> Mapping[str, Format]:
    """The formats of the rulesets whose packs no schema under ``schemas/`` describes, by ruleset."""
    own = shipped_rulesets()
    return {id: point.load().format for id, point in sorted(installed().items()) if id not in own}


@cache
def entry_kinds() -> Mapping[str, str]:
    """The kinds of entries of all rulesets, by their files or folders: ``{"weapons": "weapon"}``."""
    found = dict(KINDS)
    for format_ in outside().values():
        for kind, one in format_.kinds.items():
            found.setdefault(one.folder, kind)
    return found


def folder_of(kind: str) -> str:
    """The file or folder of entries of a kind: ``weapons`` for ``weapon``."""
    return next(folder for folder, one in entry_kinds().items() if one == kind)


@cache
def names() -> tuple[str, ...]:
    """The file names of all schemas."""
    own = {path.name for path in shipped("schemas").glob(f"*{SUFFIX}")}
    for id, format_ in outside().items():
        own |= {f"{id}{SUFFIX}", *(f"{kind.folder}{SUFFIX}" for kind in format_.kinds.values())}
    return tuple(sorted(own))


@cache
def schema(name: str) -> Mapping[str, Any]:
    """A schema by the name of its file, such as ``weapons.schema.json``.

    Raises:
        KeyError: there is no such file.
    """
    if name not in names():
        raise KeyError(name)
    stem = name.removesuffix(SUFFIX)
    if stem in outside():
        return definitions(outside()[stem])
    found = _shipped(name) if (shipped("schemas") / name).exists() else None
    if name == _COMMON and found is not None and outside():
        found["$defs"]["ruleset"]["enum"] += outside()
    for id, format_ in outside().items():
        for kind, one in format_.kinds.items():
            if one.folder == stem:
                found = with_ruleset(found or frame(stem, one.doc), id, kind)
    assert found is not None
    return found


def text(name: str) -> str:
    """A schema as its file, for editors.

    Raises:
        KeyError: there is no such file.
    """
    found = schema(name)
    path = shipped("schemas") / name
    if path.exists() and found == _shipped(name):
        return path.read_text("utf-8")
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


@cache
def shipped_rulesets() -> tuple[str, ...]:
    """The rulesets whose packs the schemas under ``schemas/`` describe."""
    found: tuple[str, ...] = tuple(_shipped(_COMMON)["$defs"]["ruleset"]["enum"])
    return found


def _shipped(name: str) -> Schema:
    loaded: Schema = json.loads((shipped("schemas") / name).read_text("utf-8"))
    return loaded
