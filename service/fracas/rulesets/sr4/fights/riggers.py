"""Machines in a fight, and who is at their controls: rulebook section 31.2.

Somebody is ``at-the-controls`` towards a machine, which is ``controlled`` towards them: it acts with them, and has no
Action Phase of its own. A machine that nobody controls acts by itself if it has a Pilot.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.intents import Participant, Table
from fracas.rulesets.sr4 import controls
from fracas.rulesets.sr4.planes import HOT_SIM

LOCKED_ON = "locked-on"
AT_THE_CONTROLS, CONTROLLED = "at-the-controls", "controlled"
_OF_OPERATORS = ("reaction", "skills", "vehicle_skill", "response", "command", "control_rig")
"""What of the one at the controls counts for a machine."""


def machine_of(table: Table, who: Participant) -> Participant | None:
    """The machine at whose controls a combatant is."""
    return next((table.participants.get(id) for id in sorted(who.towards.get(AT_THE_CONTROLS, ()))), None)


def operator_of(table: Table, machine: Participant) -> Participant | None:
    """Who is at the controls of a machine, and can act."""
    people = table.participants.values()
    return next(
        (who for who in people if who.able and machine.id in who.towards.get(AT_THE_CONTROLS, ())), None
    )


def _control(operator: Participant) -> dict[str, Any]:
    """How somebody controls a machine, and what of them counts."""
    world = operator.sheet.get("world", "")
    jumped = world.startswith("jumped-in")
    mode = controls.JUMPED if jumped else operator.sheet.get("control", controls.DRIVER)
    own = {name: operator.sheet[name] for name in _OF_OPERATORS if name in operator.sheet}
    return {**own, "control": mode, "hot_sim": world in HOT_SIM}


def controlled(table: Table, who: Participant, target: Participant | None) -> dict[str, Any]:
    """What a fight knows of a machine and its control, or of one who controls one; empty for all others."""
    locked = target is not None and target.id in who.towards.get(LOCKED_ON, ())
    found: dict[str, Any] = {"lock_dice": 0} if LOCKED_ON in who.conditions and not locked else {}
    if who.sheet.get("vehicle"):
        operator = operator_of(table, who)
        if operator is not None:
            return {**found, **_control(operator)}
        return (
            {**found, "control": controls.ITSELF}
            if "pilot" in who.sheet and "control" not in who.sheet
            else found
        )
    machine = machine_of(table, who)
    if machine is None:
        return found
    its = {name: machine.sheet[name] for name in ("sensor", "handling") if name in machine.sheet}
    return {**found, **its, **_control(who), "by_gunnery": True}
