"""What is known from the sheet of a combatant in a fight: numbers, foci, edges and implants, and what is shown of it.

Sheets are as requests say them. A field that is left out is not known, and the answer is then None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.kernel.fields import entries, fields, person, vocabulary, whole
from fracas.kernel.intents import Participant
from fracas.kernel.items import slug_of
from fracas.kernel.ruleset import FieldSet
from fracas.rulesets.cwn.checks.initiative import SURPRISED, booster_of
from fracas.rulesets.cwn.vocabulary import SCORES, attribute_modifier

Sheet = Mapping[str, Any]

_REFLEXES = {"enhanced-reflexes-1": 1, "enhanced-reflexes-2": 2, "enhanced-reflexes-3": 3}
OF_VICTIMS: Mapping[str, str] = {"iron_hand": "iron-hand-aegis"}
"""Fields for an implant of a combatant attacked that is not used yet; a fight keeps account of it by them."""
_OFF = ("deactivated", "glitched", "frozen", "sabotaged", "implant-damaged")
"""Conditions of implants that do not work."""
BOOSTED = "reflexes-boosted"
_SHOCK_PROOF = frozenset(("dermal-armor-2", "dermal-armor-3"))


def slugs(names: object) -> frozenset[str]:
    """Names of pack entries, each of which may be an id, as slugs."""
    if not isinstance(names, Iterable) or isinstance(names, (str, Mapping)):
        return frozenset()
    return frozenset(slug_of(name.rpartition("/")[2]) for name in names if isinstance(name, str))


def listed(sheet: Sheet, field: str, slug: str) -> bool | None:
    """Whether a list of the sheet names something."""
    return slug in slugs(sheet[field]) if field in sheet else None


def level(sheet: Sheet, field: str, name: str) -> int | None:
    """A level of the sheet's `field` (``skills``, ``foci``); -1 for an untrained skill, 0 for a focus not had."""
    levels = sheet.get(field)
    if not isinstance(levels, Mapping):
        return None
    return int(levels.get(name, -1 if field == "skills" else 0))


def dexterity_modifier(sheet: Sheet) -> int:
    """The modifier; 0 where nothing is given, as for most NPCs (2.2)."""
    given = sheet.get("dexterity_modifier")
    if given is not None:
        return int(given)
    return attribute_modifier(sheet["dexterity"]) if sheet.get("dexterity") is not None else 0


def booster(sheet: Sheet) -> int:
    return booster_of(slugs(sheet.get("augmentations")))


def stops_shock(sheet: Sheet) -> bool:
    """Has what stops the first Shock of each round: a riot shield, Dermal Armor II or III (5.4)."""
    implants = slugs(sheet.get("augmentations"))
    return "riot-shield" in slugs(sheet.get("armor")) or not _SHOCK_PROOF.isdisjoint(implants)


def switched_off(who: Participant) -> frozenset[str]:
    """Slugs of implants that programs or injuries keep from working, as far as it is known which (14)."""
    return frozenset(item for condition in _OFF for item in who.condition_items.get(condition, ()))


def unused(who: Participant, fields: Mapping[str, str]) -> dict[str, bool]:
    """Fields that report implants which may be used, by what the sheet lists: what has been used is given on the sheet
    itself. False of those that are switched off."""
    off = switched_off(who)
    return {
        field: implant not in off
        for field, implant in fields.items()
        if implant in off or (field not in who.sheet and listed(who.sheet, "augmentations", implant))
    }


def shock_shield(who: Participant) -> dict[str, bool]:
    """The field ``shock_shield``, where the fight knows it; once a shield has stopped one Shock, the sheet says so."""
    if stops_shock(who.sheet):
        return {} if "shock_shield" in who.sheet else {"shock_shield": True}
    return {} if _SHOCK_PROOF.isdisjoint(switched_off(who)) else {"shock_shield": False}


def boosts(who: Participant) -> bool:
    """Whether Enhanced Reflexes that were set off in this round work on."""
    return BOOSTED in who.conditions and switched_off(who).isdisjoint(_REFLEXES)


def reflexes(sheet: Sheet) -> int:
    """Grade of Enhanced Reflexes; 0 for none."""
    return max((_REFLEXES.get(slug, 0) for slug in slugs(sheet.get("augmentations"))), default=0)


def alert(sheet: Sheet) -> int:
    """Level of the focus Alert."""
    return level(sheet, "foci", "alert") or 0


def is_automatic(who: Participant) -> bool:
    """Has automatic initiative: Alert 2, Reaction Booster II (2.2)."""
    return alert(who.sheet) >= 2 or booster(who.sheet) >= 2


def is_surprised(who: Participant) -> bool:
    """Is surprised, and not one of those that surprise does not stop (2.3)."""
    return SURPRISED in who.conditions and alert(who.sheet) < 1 and booster(who.sheet) < 2


_EDGES = "Beside the foci; an empty list for none."
FIGHT = FieldSet(
    "fight",
    "Fight",
    vocabulary(
        person("fighter", "Fighter"),
        fields(
            "fighter",
            edges=entries("Edges and arts", _EDGES, entry_kind="trait", example=["veterans-luck"]),
            attacks=whole(
                "Attacks with one Main Action", "Of a stat block. Left out: one.", least=1, most=10, example=2
            ),
            constitution=SCORES["constitution"],
            system_strain=whole("System Strain", "Points, rounded up, that of implants among them."),
        ),
    ),
    {},
)
"""Edges give tokens and actions; System Strain pays for what implants do (rulebook sections 1.6 and 10)."""
