"""What a fight knows of a step, and a request would have to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.procedures import people_of
from fracas.kernel.things import slug_of
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr5.attacks.suppressive_fire import SUPPRESSED, SUPPRESSING, EscapeSuppression
from fracas.rulesets.sr5.fights.action_rules import recoil_grows
from fracas.rulesets.sr5.procedures import PROCEDURES

IN_MELEE = "in-melee"
"""The condition of the packs, towards those with whom a combatant is in melee."""
_AT_FIRST: Mapping[str, Any] = {
    **dict.fromkeys(("physical", "stun", "pain_resistance", "armor_bonus", "soak_bonus"), 0),
    **dict.fromkeys(("defenses_made", "rounds_before", "take_aim", "perception_bonus", "counterspelling"), 0),
    **dict.fromkeys(("running", "sprinting", "prone", "in_melee", "in_moving_vehicle", "in_cover"), False),
    **dict.fromkeys(("unaware", "grunt", "vehicle", "hardened_armor", "dni", "full_defense"), False),
    **dict.fromkeys(("full_matrix_defense", "spell_defense", "spell_protected"), False),
    **dict.fromkeys(("cover", "active_defense", "smartlink"), "none"),
    "nature": "person",
}
"""What a fight keeps track of, as it is before anything has happened; and gear that nobody has whose sheet names
none."""


_PROCEDURES = {procedure.id: procedure for procedure in PROCEDURES}


def situated(step: StepContext) -> Mapping[str, Any]:
    """What the fight keeps track of and the sheets do not say yet."""
    table, actor, target, procedure, _, others = step
    if procedure not in _PROCEDURES:
        return {}
    fields = _PROCEDURES[procedure].vocabulary.fields
    known = [*zip(people_of(_PROCEDURES[procedure]), (actor, target), strict=False), *others.items()]
    people = {record: who for record, who in known if who is not None}
    told: dict[str, Any] = {record: _at_first(record, who, fields) for record, who in people.items()}
    for record, who in people.items():
        if who.items and f"{record}.in_hand" in fields:
            ready = [slug_of(thing) for thing, state in who.items.items() if state.get("ready")]
            told[record]["in_hand"] = list(dict.fromkeys(ready))
        if f"{record}.suppressed" in fields:
            told[record]["suppressed"] = _fire_on(table, who)
        if who is not actor and f"{record}.unaware" in fields:
            if actor.id in who.towards.get("surprised", ()):
                told[record]["unaware"] = True
            elif "surprised" in who.conditions and who.towards.get("surprised"):
                told[record]["unaware"] = False  # surprised by others only
    if people.get("attacker") is actor:
        told["attacker"] |= _of_attack(table, actor, fields)
    if target is not None and "attacker.friends_in_melee" in fields and _names_opponents(table):
        told["attacker"]["friends_in_melee"] = _has_friends_against(table, actor, target)
    if target is not None and procedure == EscapeSuppression.id:
        for thing in target.things.get(SUPPRESSING, ()):
            told["weapon"] = {"use": slug_of(thing)}
    return told


def _at_first(record: str, who: Participant, fields: Mapping[str, Field]) -> dict[str, Any]:
    """What a record can have and the sheet does not say, as it is before anything has happened."""
    known = ((name, value, fields.get(f"{record}.{name}")) for name, value in _AT_FIRST.items())
    return {
        name: value
        for name, value, field in known
        if field is not None and field.derived_from is None and name not in who.sheet
    }


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
