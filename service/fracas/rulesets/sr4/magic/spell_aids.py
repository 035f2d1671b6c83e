"""What spells do that are no attacks, and the conditions of the packs in which they put somebody: section 16."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr4.magic.spell_facts import said_of
from fracas.rulesets.sr4.magic.spell_outcomes import Aid
from fracas.rulesets.sr4.magic.spell_vocabulary import (
    ARMOR,
    ATTRIBUTE,
    BARRIER,
    CASTER,
    HEAL,
    MANA_BARRIER,
    PEOPLE,
    REFLEXES,
    SENSE,
)
from fracas.rulesets.sr4.sheet import Monitors

CONDITIONS = {
    REFLEXES: ("increased-reflexes", "reflex_boost"),
    ARMOR: ("armor-spell", "spell_armor"),
    SENSE: ("combat-sense", "combat_sense"),
    BARRIER: ("physical-barrier", "spell_barrier"),
    MANA_BARRIER: ("mana-barrier", "mana_barrier"),
}
"""Of what a sustained spell does: the condition of the packs, and the field that it sets. A raised attribute has a
condition of its own for each attribute, to which it adds."""

_REFLEXES = {2: 1, 3: 2, 4: 3}
"""Initiative and passes by hits, where the packs have no table."""


def condition_and_field(facts: Mapping[str, Any]) -> tuple[str, str]:
    """The condition of the packs that a spell puts on somebody, and the field that this changes; "" for none.

    Raises:
        InputError: the spell raises an attribute, and nobody says which.
    """
    does = facts.get("spell.does", "")
    if does != ATTRIBUTE:
        return CONDITIONS.get(does, ("", ""))
    attribute = facts.get("attribute")
    if attribute is None:
        raise lacks("attribute", "the attribute that it raises")
    return f"increased-{attribute}", attribute


def aid_of(facts: Mapping[str, Any], asked: Asked) -> Aid:
    """What a spell will do that is no attack.

    Raises:
        InputError: see `condition_and_field`.
    """
    does = facts.get("spell.does", "")
    condition, field = condition_and_field(facts)
    threshold = facts.get("spell.threshold", 1)
    steps: tuple[int, ...] = ()
    if does == REFLEXES:
        by_hits = _reflexes(asked.catalog)
        threshold = min(by_hits)
        steps = tuple(by_hits.get(hits, 0) for hits in range(threshold, max(by_hits) + 1))
    return Aid(
        "target" if said_of(asked.said.facts, PEOPLE[:1]) else CASTER,
        threshold,
        does,
        condition,
        field,
        steps,
        bool(facts.get("spell.sustained")),
        Monitors.of(facts, "target", asked.options) if does == HEAL else None,
    )


def _reflexes(catalog: Catalog) -> Mapping[int, int]:
    """What Increase Reflexes adds to Initiative and passes, by hits (section 4.5)."""
    table = catalog.entry("table", "increase-reflexes")
    if table is None:
        return _REFLEXES
    return {int(name.removeprefix("hits-")): int(row["passes"]) for name, row in table.data["rows"].items()}
