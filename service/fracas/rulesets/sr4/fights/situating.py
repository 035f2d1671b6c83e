"""What a fight of Shadowrun 4 knows of a step, and a request would have to give.

Also who is at the controls of a machine (rulebook section 31.2), and who is hidden by illusions (34.2, 34.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.items import slug_of
from fracas.kernel.needs import friends_towards
from fracas.kernel.stage import Fact
from fracas.rulesets.sr4 import controls
from fracas.rulesets.sr4.controls import machine_of, operator_of
from fracas.rulesets.sr4.fights.action_rules import AGAINST_BODIES, IN_MATRIX, IN_MELEE, may_receive_charge
from fracas.rulesets.sr4.magic.illusions import SEES_THROUGH
from fracas.rulesets.sr4.magic.spell_outcomes import COUNTERSPELLING, PROTECTED
from fracas.rulesets.sr4.matrix.cybercombat import JAMMED
from fracas.rulesets.sr4.matrix.matrix_actions import ALERT, WORK
from fracas.rulesets.sr4.melee.melee_stages import STRIKES_BACK
from fracas.rulesets.sr4.movement import Movement
from fracas.rulesets.sr4.planes import HOT_SIM, is_projecting
from fracas.rulesets.sr4.procedures import AT_TARGETS, RECORDS, VOCABULARIES
from fracas.rulesets.sr4.rolls.initiative import surprised_towards
from fracas.rulesets.sr4.sheet import wound_modifier
from fracas.rulesets.sr4.vocabulary import listed

_AT_ONE = {"locked-on": "lock_dice", STRIKES_BACK: "counterstrike_dice"}
"""Conditions with the dice that they give against one combatant alone."""
_OF_OPERATORS = ("reaction", "skills", "vehicle_skill", "response", "command", "control_rig")
"""What of the one at the controls counts for a machine."""


def _control(operator: Participant) -> dict[str, Any]:
    """How a machine is controlled, and what of the one at its controls counts."""
    world = operator.sheet.get("world", "")
    jumped = world.startswith("jumped-in")
    mode = controls.JUMPED if jumped else operator.sheet.get("control", controls.DRIVER)
    own = {name: operator.sheet[name] for name in _OF_OPERATORS if name in operator.sheet}
    return {**own, "control": mode, "hot_sim": world in HOT_SIM}


def controlled(table: Table, who: Participant, target: Participant | None) -> dict[str, Any]:
    """What a fight knows of a machine and its control, or of one who controls one; empty for all others."""
    found: dict[str, Any] = {}
    for condition, dice in _AT_ONE.items():
        if condition in who.conditions and (
            target is None or target.id not in who.towards.get(condition, ())
        ):
            found[dice] = 0
    if who.sheet.get("vehicle"):
        operator = operator_of(table, who)
        if operator is not None:
            hurt = wound_modifier({"physical": 0, "stun": 0, **operator.sheet}, "", operator.options)
            return {**found, **_control(operator), "operator_wounds": hurt or 0}
        by_itself = "pilot" in who.sheet and "control" not in who.sheet
        return {**found, "control": controls.ITSELF} if by_itself else found
    machine = machine_of(table, who)
    if machine is None:
        return found
    its = {name: machine.sheet[name] for name in ("sensor", "handling") if name in machine.sheet}
    damage = {"machine_boxes": machine.sheet.get("physical", 0)}
    return {**found, **its, **damage, **_control(who), "by_gunnery": True}


FROM_PEOPLE, FROM_ALL = "invisible", "invisible-to-machines"
"""Conditions of those hidden by a mana spell, or by a physical one."""


def is_hidden(bearer: Participant, viewer: Participant) -> bool:
    """Whether an illusion hides the bearer from a viewer who has not seen through it. Machines see through mana."""
    mana_alone = FROM_ALL not in bearer.conditions
    if mana_alone and (FROM_PEOPLE not in bearer.conditions or viewer.sheet.get("vehicle")):
        return False
    return not any(bearer.id in viewer.towards.get(slug, ()) for slug in SEES_THROUGH.values())


_OF_ONE: dict[str, dict[str, Fact]] = {WORK: {"work": ""}, ALERT: {"under_alert": False}, JAMMED: {"jam": 0}}
"""Conditions that count towards those alone whom they concern, with their fields as they are towards others."""
_NONE = listed(
    "physical stun physical_fresh stun_fresh defenses_made rounds_before rounds_before_2 bursts_before take_aim "
    "sprint_turns spell_armor combat_sense spell_barrier barrier_damage mana_barrier gyro recoil_compensation "
    "counterstrike_dice darkness_dice thrown_dv throwing_strength unarmed_dv unarmed_ap missile_parry counterstrike"
)
_NOT = listed(
    "running prone in_melee in_moving_vehicle in_cover hidden unaware grunt vehicle treated stabilized magnification "
    "sprinted focus_active smartlink flare_compensation"
)
_AT_FIRST: Mapping[str, Any] = {
    **dict.fromkeys(_NONE, 0),
    **dict.fromkeys(_NOT, False),
    **dict.fromkeys(("cover", "full_defense"), "none"),
    "senses": ["normal"],
}
"""What a fight keeps track of, as it is before anything has happened: no box filled, no condition; and the gear that a
sheet would name, which nobody has whose sheet does not."""


@cache
def _at_first(procedure: str, record: str) -> Mapping[str, Any]:
    """Of `_AT_FIRST` what a record of a procedure has."""
    fields = VOCABULARIES[procedure].fields
    return {name: its for name, its in _AT_FIRST.items() if f"{record}.{name}" in fields}


def situated(step: StepContext, passes: Callable[[], int]) -> Mapping[str, Any]:
    """What the fight keeps track of and no sheet says, and other targets of this phase. `passes`: in this turn."""
    table, actor, target, procedure, _, others = step
    if procedure not in RECORDS:
        return {}
    fields, acts = VOCABULARIES[procedure].fields, RECORDS[procedure][0]
    named = [*zip(RECORDS[procedure], (actor, target), strict=True), *others.items()]
    people = {record: who for record, who in named if record and who is not None}
    reported: dict[str, Any] = {}
    for record, who in people.items():
        first = _at_first(procedure, record)
        reported[record] = {name: its for name, its in first.items() if name not in who.sheet}
    if f"{acts}.receiving_charge" in fields and not may_receive_charge(actor):
        reported[acts]["receiving_charge"] = False
    for record, who in people.items():
        its = controlled(table, who, target if record == acts else actor).items()
        reported[record] |= {name: value for name, value in its if f"{record}.{name}" in fields}
    del people[acts]
    opponents = any(who.towards.get(IN_MELEE) for who in table.participants.values())  # if not, people count
    for record, who in people.items():
        its, melee = reported[record], "attacker" if who is target else record
        if f"{record}.unaware" in fields:
            left = procedure in AGAINST_BODIES and is_projecting(who.sheet)
            if left or surprised_towards(who, actor.id):
                its["unaware"] = True
            unaware = its.get("unaware", who.sheet.get("unaware"))
            if unaware and f"{record}.full_defense" in fields:  # it was against others, or before
                its["full_defense"] = "none"
        if f"{record}.hidden" in fields and is_hidden(who, actor):
            its["hidden"] = True
        if f"{record}.counterspelling_by" in fields:
            its |= _protection(table, who)
        if f"{record}.attacked_before" in fields and who.id in actor.targets:
            its["attacked_before"] = True
        if f"{melee}.friends_in_melee" in fields and opponents:
            reported[melee]["friends_in_melee"] = friends_towards(table, actor, who, IN_MELEE)
        if who.items and f"{record}.in_hand" in fields:
            ready = (slug_of(item) for item, state in who.items.items() if state.get("ready"))
            its["in_hand"] = list(dict.fromkeys(ready))
    if procedure in IN_MATRIX:
        towards = target and target.id
        for condition, unset in _OF_ONE.items():
            if condition in actor.conditions and towards not in actor.towards.get(condition, ()):
                reported[acts] |= {name: its for name, its in unset.items() if f"{acts}.{name}" in fields}
    if procedure == Movement.id:
        reported["passes"] = passes()
    if procedure in AT_TARGETS:
        others_before = [id for id in actor.targets if target is None or id != target.id]
        reported["attacker"]["targets_before"] = len(others_before)
    return reported


def _protection(table: Table, who: Participant) -> dict[str, Any]:
    """The magician whose dice protect a combatant, the best of several, and the dice of the others (section 16)."""
    ids = (id for id in sorted(who.towards.get(PROTECTED, ())) if id in table.participants)
    people = [table.participants[id] for id in ids]
    people += [who] if COUNTERSPELLING in who.conditions else []
    if not people:
        return {}
    best, *others = sorted(people, key=lambda one: one.sheet.get("counterspelling", 0), reverse=True)
    helping = sum(one.sheet.get("counterspelling", 0) for one in others)
    return {"counterspelling_by": best.id} | ({"counterspelling_help": helping} if helping else {})
