"""Numbers of drones, vehicles and programs that stand in tables of the packs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Catalog

FITTINGS = "vehicle-fittings"


def vehicle_armor(catalog: Catalog, facts: Mapping[str, Any], who: str) -> int:
    """Points of Armor off each hit, with what fittings add and take away; never below 0.

    Raises:
        InputError: the packs in use do not tell what a fitting does.
    """
    fitted = facts.get(f"{who}.vehicle_fittings", ())
    more = sum(row_of(catalog, FITTINGS, slug).get("armor", 0) for slug in fitted)
    return max(0, int(facts.get(f"{who}.vehicle_armor", 0)) + int(more))
