"""From version 1 to 2: every file of entries names its ruleset.

Version 1 let readers guess the ruleset of a file from the fields of its entries. Now it is said: the manifest's
``ruleset`` again, in a line below ``kind``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.errors import PackError, Problem
from fracas.packs.entries import SLUG
from fracas.packs.files import MANIFEST
from fracas.packs.manifest import place
from fracas.packs.migrations.step import Edit, Source, Step, edited
from fracas.packs.yaml_editing import insert_key, plain_text, replace_scalar


def _texts(pack: Mapping[str, Source]) -> Mapping[str, str]:
    problems = list(_faults(pack))
    if problems:
        raise PackError(problems)
    ruleset = plain_text(pack[MANIFEST].located.data["ruleset"])
    edits: dict[str, Edit] = {
        name: lambda text: insert_key(text, ("kind",), "ruleset", ruleset)
        for name, source in pack.items()
        if name != MANIFEST and "ruleset" not in source.located.data
    }
    edits[MANIFEST] = lambda text: replace_scalar(text, ("schema_version",), "2")
    return edited(pack, edits)


def _faults(pack: Mapping[str, Source]) -> Iterable[Problem]:
    manifest = pack[MANIFEST].located
    ruleset = manifest.data.get("ruleset")
    if not isinstance(ruleset, str) or not SLUG.fullmatch(ruleset):
        found = repr(ruleset) if "ruleset" in manifest.data else "nothing"
        message = f"ruleset is the id of a ruleset, not {found}; the files of the pack will name it"
        yield Problem(place(manifest, ("ruleset",)), "bad-manifest", message)
        return
    for name, source in pack.items():
        data = source.located.data
        if name == MANIFEST:
            continue
        if not isinstance(data, dict) or "kind" not in data:
            message = "a pack file has 'kind' and a list of 'entries'"
            yield Problem(place(source.located, ()), "bad-file", message)
        elif data.get("ruleset", ruleset) != ruleset:
            message = f"the pack is for {ruleset!r}, and the file says {data['ruleset']!r}"
            yield Problem(place(source.located, ("ruleset",)), "wrong-ruleset", message)


def _data(pack: Mapping[str, Any]) -> Mapping[str, Any]:
    ruleset = pack[MANIFEST]["ruleset"]
    return {
        name: {**data, "schema_version": 2} if name == MANIFEST else _with_ruleset(data, ruleset)
        for name, data in pack.items()
    }


def _with_ruleset(data: Mapping[str, Any], ruleset: str) -> Mapping[str, Any]:
    if "ruleset" in data:
        return data
    new: dict[str, Any] = {}
    for key, value in data.items():
        new[key] = value
        if key == "kind":
            new["ruleset"] = ruleset
    return new


STEP = Step(1, 2, "every file of entries names its ruleset", _texts, _data)
