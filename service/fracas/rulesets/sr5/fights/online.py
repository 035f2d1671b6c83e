"""What a fight knows of the Matrix: who has marks on whom, and how much noise there is (rulebook section 12.1)."""

from __future__ import annotations

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.needs import Holds
from fracas.rulesets.sr5.matrix.spike import MARKED

JAMMING = "jamming"


def marks_of(who: Participant, on: Participant) -> int:
    """The marks that a persona has on what another one owns; marks of nobody in particular are everybody's."""
    counts = (
        number
        for number, slug in enumerate(MARKED, 1)
        if slug in on.conditions and who.id in on.towards.get(slug, (who.id,))
    )
    return max(counts, default=0)


def noise_for(table: Table, who: Participant) -> int:
    """The noise that others make by jamming; of several the most."""
    return max(
        (
            int(one.sheet.get(JAMMING, 0))
            for one in table.participants.values()
            if one.id != who.id and JAMMING in one.conditions
        ),
        default=0,
    )


def of_marks(number: int) -> Holds:
    """Whether the one who acts has so many marks on the target; not known without one."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        return None if intent.target is None else marks_of(who, intent.target) >= number

    return holds
