"""The sheet mappings of the built-in packs, as the Foundry module has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fracas.engine.game import ruleset_ids
from fracas.exports.foundry.mappings import mappings
from fracas.exports.foundry.systems import known_systems
from fracas.packs.entries import KINDS
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

SYSTEMS = {one.id: one for ruleset in ruleset_ids() for one in known_systems(ruleset)}
"""The game systems that the built-in rulesets know."""


@cache
def sheet_mappings() -> Mapping[str, Any]:
    """By id; made without reading an entry."""
    return mappings(Library.read([shipped("datapacks")], None, [*KINDS]))


def write_mappings(folder: Path) -> Path:
    """Each as JSON in a folder, where the scripts find them."""
    for id, mapping in sheet_mappings().items():
        (folder / f"{id}.json").write_text(json.dumps(mapping), "utf-8")
    return folder
