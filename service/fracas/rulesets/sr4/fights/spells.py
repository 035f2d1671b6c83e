"""The spells that a fight knows of a caster: those on the sheet."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.intents import Intent, Participant, Suggestion
from fracas.rulesets.sr4.magic.cast_spell import CastSpell


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


def spells_of(who: Participant, intent: Intent) -> list[Suggestion]:
    """The spells on a sheet that attack, at a Force equal to the Magic: more is overcast. Of a caster who has none, the
    others."""
    magic = who.sheet.get("magic")
    if intent.action.get("procedure") != CastSpell.id or intent.catalog is None or not magic:
        return []
    known = [intent.catalog.entry("power", str(slug)) for slug in who.sheet.get("powers", ())]
    spells = [spell for spell in known if spell is not None and spell.data.get("type") == "spell"]
    spells = [spell for spell in spells if "attack" in spell.data] or spells
    return [Suggestion({"spell": spell.slug, "force": magic}, spell.label) for spell in spells]
