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
from fracas.rulesets.sr4.worlds import is_away

_AT_FIRST: Mapping[str, Any] = {
    "physical": 0,
    "stun": 0,
    "physical_fresh": 0,
    "stun_fresh": 0,
    "defenses_made": 0,
    "rounds_before": 0,
    "rounds_before_2": 0,
    "bursts_before": 0,
    "take_aim": 0,
    "sprint_turns": 0,
    "running": False,
    "prone": False,
    "in_melee": False,
    "in_moving_vehicle": False,
    "in_cover": False,
    "hidden": False,
    "unaware": False,
    "cover": "none",
    "full_defense": "none",
    "grunt": False,
    "vehicle": False,
    "treated": False,
    "stabilized": False,
    "magnification": False,
    "sprinted": False,
    "spell_armor": 0,
    "combat_sense": 0,
    "spell_barrier": 0,
    "barrier_damage": 0,
    "mana_barrier": 0,
    "focus_active": False,
    "gyro": 0,
    "recoil_compensation": 0,
    "smartlink": False,
    "flare_compensation": False,
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
    fields = VOCABULARIES[procedure].fields
    told: dict[str, Any] = {}
    people = [*zip(RECORDS[procedure], (actor, target), strict=True), *others.items()]
    for record, who in people:
        if record and who is not None:
            told[record] = {
                name: value
                for name, value in _AT_FIRST.items()
                if name not in who.sheet and f"{record}.{name}" in fields
            }
    if f"{RECORDS[procedure][0]}.receiving_charge" in fields and not may_receive_charge(actor):
        told[RECORDS[procedure][0]]["receiving_charge"] = False
    for record, who in people[1:]:
        if who is not None and f"{record}.unaware" in fields:
            left = procedure in AGAINST_BODIES and is_away(who.sheet)
            if left or surprised_towards(who, actor.id):
                told[record]["unaware"] = True
            unaware = told[record].get("unaware", who.sheet.get("unaware"))
            if unaware and f"{record}.full_defense" in fields:  # it was against others, or before
                told[record]["full_defense"] = "none"
        if who is not None and f"{record}.attacked_before" in fields and who.id in actor.targets:
            told[record]["attacked_before"] = True
        record = "attacker" if who is target else record
        if who is not None and f"{record}.friends_in_melee" in fields and _names_opponents(table):
            told[record]["friends_in_melee"] = _friends_against(table, actor, who)
    if procedure == Movement.id:
        told["passes"] = passes
    if procedure in AT_TARGETS:
        before = [id for id in actor.targets if target is None or id != target.id]
        told["attacker"]["targets_before"] = len(before)
    for record, who in people[1:]:
        if who is not None and who.items and f"{record}.in_hand" in fields:
            ready = [slug_of(thing) for thing, state in who.items.items() if state.get("ready")]
            told[record]["in_hand"] = list(dict.fromkeys(ready))
    return told


IN_MELEE = "in-melee"


def _names_opponents(table: Table) -> bool:
    """Whether anybody said with whom he is in melee; otherwise people count."""
    return any(who.towards.get(IN_MELEE) for who in table.participants.values())


def _friends_against(table: Table, actor: Participant, target: Participant) -> int:
    """Others of one's side who are in melee with somebody (section 9.1)."""
    return sum(
        who.able
        and who.id != actor.id
        and who.side == actor.side
        and target.id in who.towards.get(IN_MELEE, ())
        for who in table.participants.values()
    )
