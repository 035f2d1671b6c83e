"""Hit points, System Strain, Damage Soak and Access at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.turns import Gauge


def gauges(sheet: Mapping[str, Any]) -> Sequence[Gauge]:
    """Hit points first; what is 0 and can only be spent is left out."""
    found = []
    hp, soak, access = (sheet.get(name) for name in ("hp", "soak", "access"))
    if isinstance(hp, int):
        found.append(Gauge("hp", "Hit points", hp, sheet.get("hp_maximum"), fills=False))
    if isinstance(soak, int) and soak:
        found.append(Gauge("soak", "Soak", soak, fills=False, harm=False))
    strain, most = sheet.get("system_strain"), sheet.get("strain_maximum", sheet.get("constitution"))
    if isinstance(strain, int):
        found.append(Gauge("system-strain", "System Strain", strain, most, harm=False))
    if isinstance(access, int) and access:
        found.append(Gauge("access", "Access", access, fills=False, harm=False))
    return found
