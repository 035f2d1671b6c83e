"""What actions about wounds, fire, acid and death need (rulebook sections 2, 3 and 11.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.monitors import DEAD, DYING, UNCONSCIOUS, Condition
from fracas.rulesets.sr4.fights.standing import actions, with_owner
from fracas.rulesets.sr4.harms.harm import ACID_BURNING, BURNING
from fracas.rulesets.sr4.sheet import Monitors


def state_of(who: Participant) -> Condition | None:
    """The monitors as they are; None where the sheet does not tell them."""
    monitors = Monitors.of(with_owner(who.sheet), "own", who.options)
    return monitors.after(0, "physical") if monitors is not None else None


def _burning(table: Table, who: Participant, intent: Intent) -> bool | None:
    return BURNING in who.conditions


def _acid_burned(table: Table, who: Participant, intent: Intent) -> bool | None:
    return ACID_BURNING in who.conditions


def _dying(table: Table, who: Participant, intent: Intent) -> bool | None:
    return DYING in who.conditions and DEAD not in who.conditions


def _dying_patient(table: Table, who: Participant, intent: Intent) -> bool | None:
    return _patient(table, intent, lambda one: DYING in one.conditions and DEAD not in one.conditions)


def _patient(table: Table, intent: Intent, suits: Callable[[Participant], bool]) -> bool | None:
    """Whether the target is such a patient; where nobody is named, whether anybody could be."""
    if intent.target is not None:
        return suits(intent.target)
    return None if any(map(suits, table.participants.values())) else False


def _wounded_patient(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Somebody who lives, with wounds that have had no first aid."""
    return _patient(table, intent, _is_wounded)


def _is_wounded(patient: Participant) -> bool:
    sheet = patient.sheet
    if sheet.get("treated") or sheet.get("vehicle") or DEAD in patient.conditions:
        return False
    return bool(sheet.get("physical") or sheet.get("stun"))


def _knocked_out(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Knocked out or killed, by full monitors."""
    if who.able:
        return False
    if {UNCONSCIOUS, DYING, DEAD} & who.conditions:
        return True
    state = state_of(who)
    return None if state is None else state.unconscious


def _at_deaths_door(table: Table, who: Participant, intent: Intent) -> bool | None:
    state = state_of(who)
    return False if state is None else state.dying


def _edge_point(table: Table, who: Participant, intent: Intent) -> bool | None:
    points = who.sheet.get("edge_points")
    return None if points is None else points > 0


def _edge_to_burn(table: Table, who: Participant, intent: Intent) -> bool | None:
    edge = who.sheet.get("edge")
    return None if edge is None else edge > 0


def action_due(table: Table, who: Participant) -> bool:
    """Whether somebody would still have an action in this Combat Turn, could he act."""
    passes = actions(who, table.options)
    if any(part > table.part for part in passes):
        return True
    if who.done or table.part not in passes:
        return False
    others = (one for one in table.participants.values() if one.able and not one.done)
    return bool(table.acting) or any(table.part in actions(one, table.options) for one in others)


def _action_due(table: Table, who: Participant, intent: Intent) -> bool | None:
    return action_due(table, who)


WOUND_NEEDS: Mapping[str, Need] = {
    "burning": Need("to burn", _burning),
    "acid-burned": Need("to have acid on one", _acid_burned),
    "dying": Need("to be dying", _dying),
    "dying-patient": Need("a patient who is dying", _dying_patient),
    "wounded-patient": Need("a patient with wounds that have had no first aid", _wounded_patient),
    "knocked-out": Need("to have been knocked out or killed", _knocked_out),
    "at-deaths-door": Need("to be dying or dead", _at_deaths_door),
    "edge-point": Need("a point of Edge", _edge_point),
    "edge-to-burn": Need("Edge to burn", _edge_to_burn),
    "action-due": Need("an action that is still to come in this Combat Turn", _action_due),
}
