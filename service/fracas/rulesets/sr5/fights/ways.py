"""Ways to take an action among which a command has to choose: the spells of a caster, the mode in which a gun fires."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.intents import Intent, Participant, Suggestion
from fracas.rulesets.sr5.magic.cast_spell import CastSpell

_VOLLEY = "ranged-volley"
_MODES = {"SA": "semi-automatic", "SS": "single-shot", "BF": "burst", "FA": "full-automatic"}
"""What a gun fires that is set so, the fewest bullets first."""


def suggested(who: Participant, intent: Intent) -> list[Suggestion]:
    """The likeliest way first; empty where there is nothing to choose."""
    procedure = intent.action.get("procedure")
    if procedure == CastSpell.id:
        return _spells(who, intent)
    modes = intent.thing.get("modes", ())
    said = intent.action.get("situation", {}).get("fire", {})
    if procedure != _VOLLEY or "mode" in said:
        return []
    return [Suggestion({"fire": {"mode": fired}}) for mode, fired in _MODES.items() if mode in modes][:1]


def _spells(who: Participant, intent: Intent) -> list[Suggestion]:
    """The combat spells on the sheet, at a Force equal to the Magic: more than that is overcast."""
    magic = who.sheet.get("magic")
    if intent.catalog is None or not magic:
        return []
    known = [intent.catalog.entry("power", str(slug)) for slug in who.sheet.get("powers", ())]
    return [
        Suggestion({"spell": spell.slug, "force": magic}, spell.label)
        for spell in known
        if spell is not None and "form" in spell.data
    ]


def unknown_spell(who: Participant, intent: Intent) -> str:
    """Why a spell is not cast: where the spells of a caster are known, they cast no other. "" if nothing speaks
    against it."""
    said, known = intent.situation.get("spell"), who.sheet.get("powers")
    name = said.get("use") if isinstance(said, Mapping) else said
    if intent.action.get("procedure") != CastSpell.id or known is None or not isinstance(name, str):
        return ""
    entry = intent.catalog.entry("power", name) if intent.catalog is not None else None
    if entry is None or any(str(power).rpartition("/")[2] == entry.slug for power in known):
        return ""
    return f"{who.name} does not know the spell {entry.label}"
