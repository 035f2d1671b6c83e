"""What injuries bring about that nobody has suffered in the fight: of those who join with them, or whose sheet the GM
changes (rulebook sections 8.3 to 8.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.kernel.intents import Participant
from fracas.kernel.stage import Effect
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.imperium.fights.sheet import bleedings
from fracas.rulesets.imperium.harms.body import by_location, injury_rows, injury_value
from fracas.rulesets.imperium.harms.harm import SUFFERING, lasting_injuries, suffers_next


def of_injuries(before: Participant | None, after: Participant, catalog: Catalog) -> Sequence[Effect]:
    """Conditions that injuries leave and that heal with them, and the timer of bleeding and consciousness."""
    return [*_limbs(before, after, catalog), *_suffering(before, after, catalog)]


def _limbs(before: Participant | None, after: Participant, catalog: Catalog) -> Iterator[Effect]:
    """What levels leave or no longer leave, without what is there already."""
    had, has = (by_location((one.sheet.get("injuries") or {}) if one else {}) for one in (before, after))
    if had == has:
        return
    for effect in lasting_injuries(after.id, injury_rows(catalog, 1), had, has):
        if (effect.type == "add-condition") is (effect.what not in after.conditions):
            yield effect


def _suffering(before: Participant | None, after: Participant, catalog: Catalog) -> Iterator[Effect]:
    """Who begins to suffer is seen to as each own round ends; who is in the condition already has a timer."""
    out = after.sheet.get("dead")
    must, is_in = not out and _suffers(after, catalog), SUFFERING in after.conditions
    if must and not is_in:
        yield Effect("add-condition", after.id, SUFFERING)
        yield suffers_next(after.id)
    elif is_in and (before is None or SUFFERING not in before.conditions):
        yield suffers_next(after.id)
    elif is_in and not must and before is not None and _suffers(before, catalog):
        yield Effect("remove-condition", after.id, SUFFERING)


def _suffers(who: Participant, catalog: Catalog) -> bool:
    """A combatant bleeds, or is above Consciousness and has it to lose."""
    if bleedings(who):
        return True
    toughness, total = who.sheet.get("toughness"), who.sheet.get("injury_total", 0)
    if not isinstance(toughness, int) or not isinstance(total, int) or not who.sheet.get("conscious", True):
        return False
    return total > injury_value(catalog, toughness, "consciousness")
