"""Packs that people send: a ZIP archive of packs, or one YAML file, which is given a pack to lie in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fracas.engine.game import ruleset_ids
from fracas.errors import PackError, Problem, suggestion
from fracas.packs.entries import SLUG
from fracas.packs.files import MANIFEST, PackFiles, in_archive, in_memory
from fracas.packs.library import Library
from fracas.packs.manifest import SCHEMA_VERSION
from fracas.packs.schemas import entry_kinds
from fracas.packs.yaml_source import YamlError, load

_LABEL = "upload"
_KIND = re.compile(rb"^[{ ]*[\"']?kind[\"']? *: *[\"']?([a-z]+)", re.MULTILINE)
_SCHEMA_VERSION = re.compile(rb"^schema_version:", re.MULTILINE)


def uploaded(content: bytes, is_archive: bool, library: Library) -> list[PackFiles]:
    """The packs of an upload.

    A YAML file of entries is taken for part of a pack that requires all packs of its ruleset in the library and knows
    all the sources that it names. What is wrong inside a file is left for the check to report.

    Raises:
        PackError: an archive that cannot be read or is too large, or a file that is neither entries nor a manifest.
    """
    if is_archive:
        return in_archive(content)
    try:
        data = load(content, _LABEL).data
    except YamlError as error:
        kind = _KIND.search(content)
        name = f"{kind[1].decode()}.yaml" if kind and kind[1].decode() in entry_kinds() else None
        if name is None and _SCHEMA_VERSION.search(content):
            name = MANIFEST
        if name is None:
            raise PackError(_problems_of(error)) from error
        files = {
            MANIFEST: _manifest(None, (), library),
            name: content,
        }  # the check reports what is wrong with it
        return [in_memory(files, _LABEL)]
    if isinstance(data, Mapping) and isinstance(data.get("kind"), str) and data["kind"] in entry_kinds():
        files = {
            f"{data['kind']}.yaml": content,
            MANIFEST: _manifest(data.get("ruleset"), data.get("entries"), library),
        }
        return [in_memory(files, _LABEL)]
    if isinstance(data, Mapping) and "schema_version" in data:
        return [in_memory({MANIFEST: content}, _LABEL)]
    message = "the file is neither a pack.yaml nor a file of entries, which begins with its 'kind'"
    hint = (
        suggestion(data.get("kind"), entry_kinds()) if isinstance(data, Mapping) and "kind" in data else None
    )
    raise PackError((Problem(f"{_LABEL}:1:1", "bad-file", message, hint),))


def _problems_of(error: YamlError) -> Iterator[Problem]:
    for code, message, (line, column), hint in error.problems:
        yield Problem(f"{_LABEL}:{line}:{column}", code, message, hint)


def _manifest(ruleset: Any, entries: Any, library: Library) -> bytes:
    """A manifest for a single file, in the JSON that is YAML too."""
    packs = [id for id, pack in library.packs.items() if pack.manifest.ruleset == ruleset]
    sources = sorted(set(_sources(entries))) or ["upload"]
    known = ruleset in ruleset_ids()  # another one is reported by the file's own check
    raw = {
        "id": _LABEL,
        "title": "Upload",
        "version": "0.0.0",
        "schema_version": SCHEMA_VERSION,
        "ruleset": ruleset if known else ruleset_ids()[0],
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
        if isinstance(ref, str) and SLUG.fullmatch(ref):
            yield ref
