"""What a fight knows of a step, and a request would have to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.things import slug_of
from fracas.rulesets.sr5.attacks.suppressive_fire import SUPPRESSED, SUPPRESSING, EscapeSuppression
from fracas.rulesets.sr5.fights.action_rules import recoil_grows
from fracas.rulesets.sr5.procedures import RECORDS, VOCABULARIES

IN_MELEE = "in-melee"
"""The condition of the packs, towards those with whom a combatant is in melee."""
_AT_FIRST: Mapping[str, Any] = {
    "physical": 0,
    "stun": 0,
    "pain_resistance": 0,
    "armor_bonus": 0,
    "defenses_made": 0,
    "rounds_before": 0,
    "take_aim": 0,
    "soak_bonus": 0,
    "running": False,
    "sprinting": False,
    "prone": False,
    "in_melee": False,
    "in_moving_vehicle": False,
    "in_cover": False,
    "unaware": False,
    "grunt": False,
    "vehicle": False,
    "hardened_armor": False,
    "full_defense": False,
    "cover": "none",
    "active_defense": "none",
    "smartlink": "none",
    "dni": False,
    "nature": "person",
    "perception_bonus": 0,
    "full_matrix_defense": False,
    "counterspelling": 0,
    "spell_defense": False,
    "spell_protected": False,
}
"""What a fight keeps track of, as it is before anything has happened; and gear that nobody has whose sheet names
none."""


def situated(step: StepContext) -> Mapping[str, Any]:
    """What the fight keeps track of and the sheets do not say yet."""
    table, actor, target, procedure, _, others = step
    if procedure not in RECORDS:
        return {}
    fields = VOCABULARIES[procedure].fields
    people = [*zip(RECORDS[procedure], (actor, target), strict=True), *others.items()]
    told: dict[str, Any] = {
        record: {
            name: value
            for name, value in _AT_FIRST.items()
            if name not in who.sheet
            and f"{record}.{name}" in fields
            and fields[f"{record}.{name}"].derived_from is None
        }
        for record, who in people
        if record and who is not None
    }
    for record, who in people:
        if record and who is not None and who.items and f"{record}.in_hand" in fields:
            ready = [slug_of(thing) for thing, state in who.items.items() if state.get("ready")]
            told[record]["in_hand"] = list(dict.fromkeys(ready))
    for record, who in people:
        if record and who is not None and f"{record}.suppressed" in fields:
            told[record]["suppressed"] = _fire_on(table, who)
    if RECORDS[procedure][0] == "attacker":
        told["attacker"] |= _of_attack(table, actor, fields)
    if target is not None and "attacker.friends_in_melee" in fields and _names_opponents(table):
        told["attacker"]["friends_in_melee"] = _has_friends_against(table, actor, target)
    if target is not None and procedure == EscapeSuppression.id:
        for thing in target.things.get(SUPPRESSING, ()):
            told["weapon"] = {"use": slug_of(thing)}
    for record, who in people[1:]:
        if record and who is not None and f"{record}.unaware" in fields:
            if actor.id in who.towards.get("surprised", ()):
                told[record]["unaware"] = True
            elif "surprised" in who.conditions and who.towards.get("surprised"):
                told[record]["unaware"] = False  # surprised by others only
    return told


def _of_attack(table: Table, who: Participant, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What only counts for the one who attacks: a shot is called by the action, and rounds of this phase are recoil."""
    told: dict[str, Any] = {}
    if "attacker.called_shot" in fields and "called_shot" not in who.sheet:
        told["called_shot"] = False
    if "attacker.rounds_in_phase" in fields and not recoil_grows(table.options):
        told["rounds_in_phase"] = who.sheet.get("rounds_before", 0)
    return told


def _names_opponents(table: Table) -> bool:
    """Whether the fight knows of anybody with whom they are in melee; otherwise people say it."""
    return any(who.towards.get(IN_MELEE) for who in table.participants.values())


def _has_friends_against(table: Table, actor: Participant, target: Participant) -> bool:
    """Whether others of one's side are in melee with the target (section 9.3)."""
    return any(
        who.able
        and who.id != actor.id
        and who.side == actor.side
        and target.id in who.towards.get(IN_MELEE, ())
        for who in table.participants.values()
    )


def _fire_on(table: Table, who: Participant) -> int:
    """The hits of the suppressive fire in whose zone a combatant is, the worst where there are several."""
    shooters = (table.participants.get(id) for id in who.towards.get(SUPPRESSED, ()))
    hits = [int(one.sheet.get("suppression", 0)) for one in shooters if one is not None]
    return max([int(who.sheet.get("suppressed", 0)), *hits])
