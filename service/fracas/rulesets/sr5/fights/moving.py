"""How far people get (rulebook section 6.1): the packs' table of movement, in metres of a phase or of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Participant
from fracas.kernel.turns import Moving
from fracas.kernel.vocabulary import Catalog

CRAWL, WALK, RUN, SPRINT = "crawl", "walk", "run", "sprint"
TABLE = "movement"


def rates_of(sheet: Mapping[str, Any], catalog: Catalog, metatype: str = "") -> dict[str, int]:
    """Metres by mode, as fields of a sheet (``metres_run``); none where the Agility that they need is not said. And
    those that a hit adds to a sprint, fewer for a dwarf."""
    table = catalog.entry("table", TABLE)
    rows = table.data["rows"] if table is not None else {}
    agility = sheet.get("agility")
    found: dict[str, int] = {}
    for mode, row in rows.items():
        by_agility = row.get("agility", 0)
        if by_agility and not isinstance(agility, int):
            continue
        found[f"metres_{mode}"] = row.get("metres", 0) + by_agility * (agility or 0)
        if "per_hit" in row:
            found["metres_per_hit"] = row.get(f"per_hit_{metatype}", row["per_hit"])
    return found


def moving(who: Participant) -> Moving | None:
    """By what the sheet and its conditions say; who lies crawls, where the table knows how far."""
    sheet = who.sheet
    mode = WALK
    if sheet.get("sprinting"):
        mode = SPRINT
    elif sheet.get("running"):
        mode = RUN
    elif sheet.get("prone"):
        mode = CRAWL
    metres = sheet.get(f"metres_{mode}", sheet.get(f"metres_{RUN}") if mode == SPRINT else None)
    return None if metres is None else Moving(mode, metres, metres)
