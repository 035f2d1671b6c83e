"""The strip of what will harm combatants by itself, with the action of the one who acts that stops it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.encounters import offers
from fracas.encounters.threats import Threat

MOST = 2
"""Lines that always stand above the acting panel; further ones are folded."""
NAMED = 2
"""Actions that a line names at most where the one who acts can take none of them."""


def strip(
    threats: Sequence[Threat], names: Mapping[str, str], offer: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """A line for each threat; combatants with the same one stand in one line.

    Args:
        names: of the combatants by id.
        offer: what one of those who act may do; None where nobody acts whom the viewer commands.
    """
    groups: dict[tuple[Any, ...], list[Threat]] = {}
    for threat in threats:
        if threat.who in names:
            groups.setdefault((threat.label, threat.when, threat.kills, threat.due), []).append(threat)
    usable = {one["action"]: one for one in offer["actions"] if offers.may_be_tried(one)} if offer else {}
    lines = []
    for several in groups.values():
        first = several[0]
        stops = [action.label for action in first.stops]
        lines.append(
            {
                "who": [names[one.who] for one in several],
                "label": first.label,
                "when": first.when,
                "kills": first.kills,
                "due": first.due,
                "stops": stops[:NAMED],
                "help": _help(several, usable, offer["combatant"] if offer else "", names),
            }
        )
    return lines


def _help(
    several: Sequence[Threat], usable: Mapping[str, Mapping[str, Any]], actor: str, names: Mapping[str, str]
) -> dict[str, str] | None:
    """The first action by which the one who acts stops it, and for whom; None where there is none."""
    for threat in several:
        for action in threat.stops:
            own = action.slug in threat.own
            if action.slug in usable and (threat.who == actor) is own:
                label = action.label if own else f"{action.label}: {names[threat.who]}"
                return {"action": action.slug, "target": "" if own else threat.who, "label": label}
    return None
