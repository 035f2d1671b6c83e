"""How each kind of pack entry is put to use once, to see that a request may take it."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.sr5.magic.spell_trials import dose_of, drugged, magic_of, spell_cast
from fracas.rulesets.sr5.melee.melee_trials import blow_at_armor, blows_of, blows_with
from fracas.rulesets.sr5.ranged.shot_trials import shot_at_armor, shot_with_load, shots_of, shots_with
from fracas.rulesets.sr5.words import MELEE_CATEGORIES


def trials(entry: PackEntry, catalog: Catalog) -> Sequence[Trial]:
    """The trials of an entry; none for a kind that no procedure reads."""
    kind = entry.kind
    if kind == "weapon":
        if entry.data.get("category") in MELEE_CATEGORIES:
            return [*blows_with(entry)]
        return [*shots_with(entry, catalog)]
    if kind == "ammunition":
        return [shot_with_load(entry)]
    if kind == "armor":
        return [shot_at_armor(entry), *blow_at_armor(entry)]
    if kind == "combatant":
        return [*shots_of(entry), *blows_of(entry), *magic_of(entry)]
    if kind == "power" and "form" in entry.data:
        return [spell_cast(entry)]
    if kind == "drug":
        return [drugged(entry), dose_of(entry)]
    return ()
