"""What a fight knows of a step, by the records of its procedure: who may defend, what protects, who drives, doses.

Rulebook sections 1.2, 3.2 (screening), 8.1, 8.3, 9 to 11, 13 and 14.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.things import slug_of
from fracas.rulesets.cwn.areas.blast import BlastProcedure
from fracas.rulesets.cwn.areas.unrolled import SuppressiveFire, Whirlwind
from fracas.rulesets.cwn.attacks.attack import AttackProcedure
from fracas.rulesets.cwn.checks.morale import Morale
from fracas.rulesets.cwn.checks.skill_check import EXPERTISE_USED, SkillCheck
from fracas.rulesets.cwn.fights import crews, melee, order
from fracas.rulesets.cwn.fights.action_rules import may_defend, move_of
from fracas.rulesets.cwn.fights.sheet import (
    OF_VICTIMS,
    is_surprised,
    listed,
    shock_shield,
    slugs,
    switched_off,
    unused,
)
from fracas.rulesets.cwn.harms.care import HEALER, PATIENT
from fracas.rulesets.cwn.harms.drugs import TakeDrug
from fracas.rulesets.cwn.harms.harm import MORTALLY_WOUNDED, MajorInjury
from fracas.rulesets.cwn.harms.healing import PANACEA, PATCH, FirstAid, Stabilize
from fracas.rulesets.cwn.harms.poison import Poison
from fracas.rulesets.cwn.machines import cyber_attack, hack, vehicles, volley
from fracas.rulesets.cwn.maneuvers.execution import ExecutionAttack
from fracas.rulesets.cwn.maneuvers.grips import GRAPPLING, DragGrappled, EscapeGrapple, Grapple, Shove
from fracas.rulesets.cwn.vocabulary import DRUGS

Known = dict[str, dict[str, Any]]
"""Fields by record."""

ATTACK, AREAS = AttackProcedure.id, (BlastProcedure.id, SuppressiveFire.id, Whirlwind.id)
TRAUMATIC = "traumatic-hit"
_AT_WORK = {f"on-{word}": word for word in DRUGS}
"""Conditions of those who are on a drug, with the word by which attacks and Morale know it."""
_OF_ATTACKERS = {"trajectory_node": "trajectory-optimization-node"}
"""Fields that tell of an implant which has not been used, by which the fight keeps account of it."""
_EYES, _EARS = "cybereyes", "cyberears"
_HOLDS = ("grappling", "grappled")
_SEALED, _CLOUD = "armor-sealed", "concealed"
_OUT_COLD = frozenset(("unconscious", "incapacitated", "stabilized", "mortally-wounded", "comatose"))


def situated(step: StepContext) -> Known:
    """Fields by record, nested as in a request; none of a procedure of which a fight knows nothing."""
    known = _BY_PROCEDURE[step.procedure](step) if step.procedure in _BY_PROCEDURE else {}
    return {record: fields for record, fields in known.items() if fields}


def _put(known: Known, record: str, fields: Mapping[str, Any]) -> None:
    known.setdefault(record, {}).update(fields)


# Attacks.


def _attack(step: StepContext) -> Known:
    known = _one_on_one(step)
    for record, one in {"attacker": step.actor, **step.people}.items():
        if record in ("attacker", "target") and (drugs := drugs_of(one)):
            _put(known, record, {"drugs": drugs})
    return _weapon_in_hand(step, known)


def _area(step: StepContext) -> Known:
    known: Known = {}
    for record, one in step.people.items():
        fields: dict[str, Any] = {**unused(one, OF_VICTIMS), **shock_shield(one)}
        if (found := protections_of(one)) is not None:
            fields["protections"] = found
        if any(step.actor.id in one.towards.get(hold, ()) for hold in _HOLDS):
            fields["in_grapple"] = True
        if drugs := drugs_of(one):
            fields["drugs"] = drugs
        if one.id in step.table.acting and one.spent.get("main"):
            fields["main_gone"] = True
        if is_surprised(one):
            fields["unsuspecting"] = True
        known[record] = fields
    return _weapon_in_hand(step, known)


def _weapon_in_hand(step: StepContext, known: Known) -> Known:
    """What a fight knows of whatever is done with a weapon, beside what is known already."""
    table, actor, target = step.table, step.actor, step.target
    said = step.said("attack")
    if said.get("snap"):
        _put(known, "attacker", {"main_spent": False})  # what was unspent is what pays for it
    if (engaged := melee.is_engaged(table, actor)) is not None:
        _put(known, "attacker", {"engaged": engaged})
    if (metres := move_of(actor)) and metres != actor.sheet.get("move"):
        _put(known, "attacker", {"move": metres})
    if (moves := crews.in_moving_vehicle(table, actor)) is not None:
        _put(known, "attacker", {"in_moving_vehicle": moves})
    for condition, field in (("snap-steadied", "steadied"), ("shock-burst-set", "shock_burst")):
        if condition in actor.conditions:
            _put(known, "attack", {field: True})
    for record, one in step.people.items():
        _put(known, record, crews.motion(table, one))
    if target is not None:
        _put(known, "target", {"can_total_defense": may_defend(table, target)})
        if _sees_through(actor, target):
            _put(known, "target", {"visibility": "seen"})
        swarm = melee.swarm_others(table, actor, target.id) if said.get("swarm") else None
        if swarm is not None:
            _put(known, "attack", {"swarm_others": swarm})
    return known


def _one_on_one(step: StepContext) -> Known:
    """Everybody in an attack or a maneuver that starts with one."""
    table, actor, attacks = step.table, step.actor, step.procedure == ATTACK
    own: dict[str, Any] = unused(actor, _OF_ATTACKERS)
    if not attacks or step.others:  # a check is made, whose ties go to players
        own["player"] = actor.player
    if attacks and "shock-fists" in switched_off(actor):
        own["shock_fists"] = False
    if (engaged := melee.is_engaged(table, actor)) is not None:
        own["engaged"] = engaged
    if step.procedure == Grapple.id:
        own["grappling"] = GRAPPLING in actor.conditions
    known: Known = {"attacker": own}
    for record, one in step.people.items() if step.procedure != ExecutionAttack.id else ():
        known[record] = {"can_total_defense": may_defend(table, one)}
        if attacks:
            known[record] |= {**unused(one, OF_VICTIMS), **shock_shield(one)}
        if record != "target" or not attacks:
            known[record]["player"] = one.player
        if is_surprised(one):
            known[record]["unsuspecting"] = True
    return known


def _sees_through(actor: Participant, target: Participant) -> bool:
    """Infrared sees through gas and smoke (4.5)."""
    return _CLOUD in target.conditions and bool(listed(actor.sheet, "augmentations", "eye-infrared"))


def protections_of(one: Participant) -> list[str] | None:
    """What somebody is protected by, by sheet, implants and sealed armor; None where nothing of it is known."""
    sheet = one.sheet
    if "protections" not in sheet and "augmentations" not in sheet:
        return None
    found = [*sheet.get("protections", ())]
    implants = slugs(sheet.get("augmentations"))
    if _EARS in implants:
        found.append("ear-protection")
    if {_EYES, _EARS} <= implants:
        found.append("eye-and-ear-protection")
    if _SEALED in one.conditions:
        found.append("breathing-protection")
    return sorted({*found})


# Contests and machines.


def _players(first: str, *records: str) -> Callable[[StepContext], Known]:
    """Who is a player: the actor, and all others or those of these records."""

    def known(step: StepContext) -> Known:
        people = {first: step.actor, **step.people}
        return {
            record: {"player": one.player}
            for record, one in people.items()
            if not records or record in (first, *records)
        }

    return known


def _ram(step: StepContext) -> Known:
    on_foot = step.target is not None and not crews.is_machine(step.target.sheet)
    return _players(vehicles.RAMMER, vehicles.OTHER_DRIVER, *(("target",) if on_foot else ()))(step)


def _volley(step: StepContext) -> Known:
    known: Known = {}
    for record, one in step.people.items():
        if record in volley.TARGETS_OF_VOLLEY:
            defends = {"can_total_defense": may_defend(step.table, one)}
            surprised = {"unsuspecting": True} if is_surprised(one) else {}
            known[record] = {
                **defends,
                **crews.motion(step.table, one),
                **unused(one, OF_VICTIMS),
                **surprised,
            }
    return known | {"volley": _mounts(step.others.get(volley.DRONE, step.actor), len(known))}


def _mounts(drone: Participant, targets: int) -> dict[str, Any]:
    """The weapons of a drone as far as there are targets for them, with their rounds; nothing where it has none."""
    things = list(drone.items.items())[:targets]
    if not things:
        return {}
    known: dict[str, Any] = {"weapons": [slug_of(name) for name, _ in things]}
    for number, (name, state) in enumerate(things, start=1):
        known[f"thing_{number}"] = name
        if isinstance(state.get("rounds"), int):
            known[f"rounds_{number}"] = state["rounds"]
    return known


def _aboard(step: StepContext) -> Known:
    aboard = {vehicles.OCCUPANTS[0]: step.target, **step.others} if step.target is not None else step.others
    return {
        record: {"drives": step.actor.id in one.towards.get(crews.DRIVING, ())}
        for record, one in aboard.items()
        if record in vehicles.OCCUPANTS
    }


def _program(step: StepContext) -> Known:
    known = _players(hack.HACKER, hack.TARGET, hack.DEFENDER)(step)
    known[hack.HACKER]["programs_running"] = crews.running(step.actor)
    if (target := step.target) is None:
        return known
    off = switched_off(target)  # implants that are switched off are there all the same; only they do not work
    if step.procedure == cyber_attack.CyberAttack.id:
        known[hack.TARGET]["unconscious"] = not _OUT_COLD.isdisjoint(target.conditions)
        known[hack.TARGET] |= {"neural_buffer": 0} if "neural-buffer" in off else {}
        return known
    if crews.is_machine(target.sheet):
        known[hack.TARGET] |= _operated(step.table, target)
    if off and "augmentations" in target.sheet:
        known[hack.TARGET]["augmentations"] = sorted({*slugs(target.sheet["augmentations"]), *off})
    return known


def _operated(table: Table, drone: Participant) -> dict[str, Any]:
    """The level or Hit Dice of whoever flies a drone, as far as it is known; or that nobody does. Of vehicles the
    rulebook says nothing."""
    if crews.is_vehicle(drone.sheet):
        return {}
    pilot = next((one for one in table.participants.values() if drone.id in crews.flies(one)), None)
    if pilot is None:
        return {"uncontrolled": True}
    found = pilot.sheet.get("level", pilot.sheet.get("hit_dice"))
    return {} if found is None else {"operator_level": found}


# Checks, healing, drugs and poison.


def _check(step: StepContext) -> Known:
    known = _players("tester")(step)
    if "target" in known:
        known["opponent"] = known.pop("target")
    if listed(step.actor.sheet, "edges", "masterful-expertise"):
        known["tester"]["masterful_expertise"] = EXPERTISE_USED not in step.actor.conditions
    return known


def _victim(step: StepContext) -> Known:
    return {"victim": {"traumatic_before": TRAUMATIC in step.actor.conditions}}


def _stabilize(step: StepContext) -> Known:
    record, patient = (HEALER, step.actor) if step.target is None else (PATIENT, step.target)
    rounds = rounds_down(step.table, patient)
    known: Known = {} if rounds is None else {record: {"rounds_down": rounds}}
    return known | {"stabilizing": _doses(step.actor, PATCH)}


def _first_aid(step: StepContext) -> Known:
    given = step.said("aid")
    return {"aid": _doses(step.actor, PANACEA if given.get("panacea") else str(given.get("means", "")))}


def _dose(step: StepContext) -> Known:
    slug = next(iter(slugs([step.said("drug").get("use", step.situation.get("drug"))])), "")
    known = _doses(step.actor, slug)
    return {"drug": {"use": slug, **known}} if known else {}


def _doses(who: Participant, slug: str) -> dict[str, Any]:
    """How many doses somebody has of a drug, where they are counted."""
    doses = who.items.get(slug, {}).get("rounds")
    return {"doses": doses} if isinstance(doses, int) else {}


def drugs_of(who: Participant) -> list[str]:
    """The drugs at work in somebody: those of the sheet, and those that the fight has seen him take."""
    said = who.sheet.get("drugs")
    found = [*said] if isinstance(said, list) else []
    found += [word for condition, word in _AT_WORK.items() if condition in who.conditions]
    return list(dict.fromkeys(found))


def rounds_down(table: Table, who: Participant) -> int | None:
    """Whole rounds since somebody was Mortally Wounded; None while he is not, or where the moment is not known.

    A round is counted when the initiative comes back to the slot in which he fell (R12).
    """
    if MORTALLY_WOUNDED not in who.since:
        return None
    turn, during = who.since[MORTALLY_WOUNDED]
    passed = table.turn - turn
    return max(0, passed if order.has_come_to(table, during) else passed - 1)


_BY_PROCEDURE: Mapping[str, Callable[[StepContext], Known]] = {
    ATTACK: _attack,
    **dict.fromkeys(AREAS, _area),
    **dict.fromkeys((Shove.id, Grapple.id, ExecutionAttack.id), _one_on_one),
    DragGrappled.id: _players("attacker"),
    EscapeGrapple.id: _players("escaper"),
    volley.DroneAttack.id: _volley,
    vehicles.Ram.id: _ram,
    **dict.fromkeys((vehicles.Crash.id, vehicles.VehicleDestroyed.id), _aboard),
    **dict.fromkeys((hack.Hack.id, cyber_attack.CyberAttack.id), _program),
    SkillCheck.id: _check,
    Morale.id: lambda step: {"tester": {"player": step.actor.player, "drugs": drugs_of(step.actor)}},
    **dict.fromkeys((MajorInjury.id, Poison.id), _victim),
    Stabilize.id: _stabilize,
    FirstAid.id: _first_aid,
    TakeDrug.id: _dose,
}
