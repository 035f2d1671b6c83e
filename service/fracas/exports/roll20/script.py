"""The folder of a Mod as Roll20's repository of scripts wants it: manifest, script, and a folder for each version."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from fracas import __version__
from fracas.exports.roll20.mod import SCRIPT, folder, script
from fracas.packs.entries import Pack
from fracas.packs.library import RulesetPacks

MANIFEST = "script.json"
_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def files(
    pack: Pack, packs: RulesetPacks, earlier: Mapping[str, Any] | None = None, folders: Collection[str] = ()
) -> dict[str, str]:
    """The texts of the folder's files by their names.

    Args:
        packs: all packs of its ruleset.
        earlier: the manifest of an earlier export into the same folder.
        folders: the names of those in it; versions that have one stay known.
    """
    now, text = version(pack), script(pack, packs)
    return {
        SCRIPT: text,
        f"{now}/{SCRIPT}": text,
        MANIFEST: json.dumps(manifest(pack, earlier, folders), indent=2, ensure_ascii=False) + "\n",
        "README.md": (folder() / "README.md").read_text("utf-8"),
    }


def manifest(
    pack: Pack, earlier: Mapping[str, Any] | None = None, folders: Collection[str] = ()
) -> dict[str, Any]:
    """What Roll20 knows of the Mod. What people changed in that of an earlier export stays."""
    template: dict[str, Any] = json.loads((folder() / MANIFEST).read_text("utf-8"))
    before, now = earlier or {}, version(pack)
    known = dict.fromkeys(map(str, [*before.get("previousversions", ()), before.get("version", now)]))
    previous = [each for each in known if each in folders and each != now]
    return {**template, **before, "script": SCRIPT, "version": now, "previousversions": previous}


def is_of_the_mod(manifest: Any) -> bool:
    """Whether a manifest is that of an earlier export."""
    name = json.loads((folder() / MANIFEST).read_text("utf-8"))["name"]
    return (
        isinstance(manifest, dict)
        and (manifest.get("name"), manifest.get("script")) == (name, SCRIPT)
        and isinstance(manifest.get("previousversions"), list)
    )


def version(pack: Pack) -> str:
    """That of Fracas and that of the pack in one, of digits and dots only: ``0.1.0.0.3.0``."""
    return ".".join(map(_numbers, (__version__, pack.manifest.version)))


def _numbers(version: str) -> str:
    found = _NUMBERS.match(version)
    return found[0] if found else "0"
