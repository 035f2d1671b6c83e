"""Files of a pack beside its entries: how facts of outcomes read, what fights ask of combatants, and how combatants of
forecasts choose; for other programs
sheet mappings for Foundry VTT and what macros and tokens of Roll20 need.

They hold no entries. Each is checked against a JSON Schema of its own, and stays with the pack (`Pack.attached`).
"""

from __future__ import annotations

import re

FIGHTS = "fights.yaml"
PHRASES = "phrases.yaml"
ROLL20 = "roll20.yaml"
TACTICS = "tactics.yaml"
MAPPINGS = "foundry/"
"""Folder of sheet mappings, each in a file named by its id."""

_SCHEMAS = {
    re.compile(rf"{MAPPINGS}[a-z0-9][a-z0-9-]*\.yaml"): "foundry/sheet-mapping.schema.json",
    re.compile(re.escape(FIGHTS)): "texts/fights.schema.json",
    re.compile(re.escape(PHRASES)): "texts/phrases.schema.json",
    re.compile(re.escape(ROLL20)): "roll20/sheet.schema.json",
    re.compile(re.escape(TACTICS)): "texts/tactics.schema.json",
}


ATTACHED_SCHEMAS = tuple(_SCHEMAS.values())
"""The files of these schemas, beside those of entries (`schemas.names`)."""


def schema_of_attached(name: str) -> str | None:
    """The schema of a file of this path inside a pack; None for one that holds entries."""
    return next((schema for pattern, schema in _SCHEMAS.items() if pattern.fullmatch(name)), None)
