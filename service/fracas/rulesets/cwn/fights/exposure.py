"""What a fight knows of those whom something strikes all at once: what protects them, whom they hold or are held by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Participant, Table
from fracas.rulesets.cwn.fights.caring import drugs_of
from fracas.rulesets.cwn.fights.sheet import (
    OF_VICTIMS,
    Sheet,
    is_surprised,
    listed,
    shock_shield,
    slugs,
    unused,
)

AREAS = ("blast", "suppressive-fire", "whirlwind")
"""The procedures that strike several people."""
_EYES, _EARS = "cybereyes", "cyberears"
_HOLDS = ("grappling", "grappled")
_SEALED = "armor-sealed"
_CLOUD = "concealed"


def protections_of(one: Participant) -> list[str] | None:
    """What somebody is protected by, by sheet, implants and sealed armor; None where nothing of it is known."""
    sheet: Sheet = one.sheet
    if "protections" not in sheet and "augmentations" not in sheet:
        return None
    found = [*sheet.get("protections", ())]
    implants = slugs(sheet.get("augmentations"))
    if _EARS in implants:
        found.append("ear-protection")
    if {_EYES, _EARS} <= implants:
        found.append("eye-and-ear-protection")
    if _SEALED in one.conditions:
        found.append("breathing-protection")
    return sorted({*found})


def exposure(
    table: Table, actor: Participant, target: Participant | None, others: Mapping[str, Participant]
) -> dict[str, dict[str, Any]]:
    """The fields of each victim's record."""
    people = {**({"target": target} if target is not None else {}), **others}
    known: dict[str, dict[str, Any]] = {}
    for record, one in people.items():
        fields: dict[str, Any] = {}
        if (found := protections_of(one)) is not None:
            fields["protections"] = found
        if any(actor.id in one.towards.get(hold, ()) for hold in _HOLDS):
            fields["in_grapple"] = True
        if drugs := drugs_of(one):
            fields["drugs"] = drugs
        fields |= {**unused(one, OF_VICTIMS), **shock_shield(one)}
        if one.id in table.acting and one.spent.get("main"):
            fields["main_gone"] = True
        if is_surprised(one):
            fields["unsuspecting"] = True
        if fields:
            known[record] = fields
    return known


def sees_through(actor: Participant, target: Participant) -> bool:
    """Infrared sees through gas and smoke (4.5)."""
    return _CLOUD in target.conditions and bool(listed(actor.sheet, "augmentations", "eye-infrared"))
