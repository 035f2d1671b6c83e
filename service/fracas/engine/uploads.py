"""Packs that people send: a ZIP archive of packs, or one YAML file, which is given a pack to lie in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from fracas.errors import PackError, Problem
from fracas.packs.entries import KINDS
from fracas.packs.files import MANIFEST, PackFiles, in_archive, in_memory
from fracas.packs.library import Library
from fracas.packs.manifest import SCHEMA_VERSION
from fracas.packs.yaml_source import YamlError, load

_LABEL = "upload"


def uploaded(content: bytes, is_archive: bool, library: Library) -> list[PackFiles]:
    """The packs of an upload.

    A YAML file of entries is taken for part of a pack that requires all packs of its ruleset in the library and knows
    all the sources that it names.

    Raises:
        PackError: an archive that cannot be read or is too large, or a file that is neither entries nor a manifest.
    """
    if is_archive:
        return in_archive(content)
    try:
        data = load(content, _LABEL).data
    except YamlError as error:
        raise PackError(
            Problem(
                f"{_LABEL}:{fault.position.line}:{fault.position.column}",
                fault.code,
                fault.message,
                fault.hint,
            )
            for fault in error.problems
        ) from error
    if isinstance(data, Mapping) and data.get("kind") in KINDS:
        ruleset = data.get("ruleset")
        files = {f"{data['kind']}.yaml": content, MANIFEST: _manifest(ruleset, data.get("entries"), library)}
        return [in_memory(files, _LABEL)]
    if isinstance(data, Mapping) and "schema_version" in data:
        return [in_memory({MANIFEST: content}, _LABEL)]
    message = "the file is neither a pack.yaml nor a file of entries, which begins with its 'kind'"
    raise PackError((Problem(f"{_LABEL}:1:1", "bad-file", message),))


def _manifest(ruleset: Any, entries: Any, library: Library) -> bytes:
    """A manifest for a single file, in the JSON that is YAML too."""
    packs = [id for id, pack in library.packs.items() if pack.manifest.ruleset == ruleset]
    sources = sorted(set(_sources(entries))) or ["upload"]
    raw = {
        "id": _LABEL,
        "title": "Upload",
        "version": "0.0.0",
        "schema_version": SCHEMA_VERSION,
        "ruleset": ruleset if isinstance(ruleset, str) else "sr4",
        "status": "wip",
        "layer": "table",
        "licenses": {"data": "CC0-1.0"},
        "sources": [{"id": source, "title": source} for source in sources],
        "requires": [{"id": id} for id in packs],
    }
    return json.dumps(raw).encode()


def _sources(entries: Any) -> Iterable[str]:
    for entry in entries if isinstance(entries, list) else ():
        source = entry.get("source") if isinstance(entry, Mapping) else None
        ref = source.get("ref") if isinstance(source, Mapping) else None
        if isinstance(ref, str) and 0 < len(ref) <= 64:
            yield ref
