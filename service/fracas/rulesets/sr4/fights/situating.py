"""What a fight knows of a step, and a request would have to say: first states, targets before, things in hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.things import slug_of
from fracas.rulesets.sr4.fights.action_rules import AGAINST_BODIES, may_receive_charge
from fracas.rulesets.sr4.movement import Movement
from fracas.rulesets.sr4.procedures import AT_TARGETS, RECORDS, VOCABULARIES
from fracas.rulesets.sr4.rolls.initiative import surprised_towards
from fracas.rulesets.sr4.vocabulary import listed
from fracas.rulesets.sr4.worlds import is_away

_NONE = listed(
    "physical stun physical_fresh stun_fresh defenses_made rounds_before rounds_before_2 bursts_before take_aim "
    "sprint_turns spell_armor combat_sense spell_barrier barrier_damage mana_barrier gyro recoil_compensation"
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


def situated(step: StepContext, passes: int) -> Mapping[str, Any]:
    """What the fight keeps track of and the sheets do not say yet, and the other targets of this phase.

    Args:
        passes: in this turn.
    """
    table, actor, target, procedure, _, others = step
    if procedure not in RECORDS:
        return {}
    fields, acts = VOCABULARIES[procedure].fields, RECORDS[procedure][0]
    named = [*zip(RECORDS[procedure], (actor, target), strict=True), *others.items()]
    people = {record: who for record, who in named if record and who is not None}
    told: dict[str, Any] = {record: _at_first(record, who, fields) for record, who in people.items()}
    if f"{acts}.receiving_charge" in fields and not may_receive_charge(actor):
        told[acts]["receiving_charge"] = False
    del people[acts]
    for record, who in people.items():
        its, melee = told[record], "attacker" if who is target else record
        if f"{record}.unaware" in fields:
            left = procedure in AGAINST_BODIES and is_away(who.sheet)
            if left or surprised_towards(who, actor.id):
                its["unaware"] = True
            unaware = its.get("unaware", who.sheet.get("unaware"))
            if unaware and f"{record}.full_defense" in fields:  # it was against others, or before
                its["full_defense"] = "none"
        if f"{record}.attacked_before" in fields and who.id in actor.targets:
            its["attacked_before"] = True
        if f"{melee}.friends_in_melee" in fields and _names_opponents(table):
            told[melee]["friends_in_melee"] = _friends_against(table, actor, who)
        if who.items and f"{record}.in_hand" in fields:
            ready = (slug_of(thing) for thing, state in who.items.items() if state.get("ready"))
            its["in_hand"] = list(dict.fromkeys(ready))
    if procedure == Movement.id:
        told["passes"] = passes
    if procedure in AT_TARGETS:
        told["attacker"]["targets_before"] = sum(target is None or id != target.id for id in actor.targets)
    return told


def _at_first(record: str, who: Participant, fields: Mapping[str, Any]) -> dict[str, Any]:
    unsaid = _AT_FIRST.keys() - who.sheet.keys()
    return {name: its for name, its in _AT_FIRST.items() if name in unsaid and f"{record}.{name}" in fields}


IN_MELEE = "in-melee"


def _names_opponents(table: Table) -> bool:
    """Whether anybody said with whom he is in melee; otherwise people count."""
    return any(who.towards.get(IN_MELEE) for who in table.participants.values())


def _friends_against(table: Table, actor: Participant, target: Participant) -> int:
    """Others of one's side who are in melee with somebody (section 9.1)."""
    friends = (who for who in table.participants.values() if who.id != actor.id and who.side == actor.side)
    return sum(who.able and target.id in who.towards.get(IN_MELEE, ()) for who in friends)
