"""What a fight knows of a step, by the records of its procedure: who may defend, what protects, who drives, doses.

Rulebook sections 1.2, 3.2 (screening), 8.1, 8.3, 9 to 11, 13 and 14.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.intents import Participant, StepContext, Table
from fracas.kernel.items import slug_of
from fracas.rulesets.cwn.checks.skill_check import EXPERTISE_USED
from fracas.rulesets.cwn.fights import crews, melee, order
from fracas.rulesets.cwn.fights import sheet as sheets
from fracas.rulesets.cwn.fights.action_rules import may_defend, move_of
from fracas.rulesets.cwn.fights.sheet import OF_VICTIMS, is_surprised, listed, slugs, switched_off, unused
from fracas.rulesets.cwn.harms.care import HEALER, PATIENT
from fracas.rulesets.cwn.harms.harm import MORTALLY_WOUNDED
from fracas.rulesets.cwn.harms.healing import PANACEA, PATCH
from fracas.rulesets.cwn.machines import hack, vehicles, volley
from fracas.rulesets.cwn.maneuvers.grips import GRAPPLING
from fracas.rulesets.cwn.vocabulary import DRUGS

Known = dict[str, dict[str, Any]]
"""Fields by record."""

ATTACK = "attack"
_AT_WORK = {f"on-{word}": word for word in DRUGS}
"""Conditions of those who are on a drug, with the word by which attacks and Morale know it."""
_OF_ATTACKERS = {"trajectory_node": "trajectory-optimization-node"}
"""Fields that report an implant which has not been used, by which the fight keeps account of it."""
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


def _so(**fields: Any) -> dict[str, Any]:
    """The fields that are true or not empty; of the others the sheet has the word."""
    return {name: value for name, value in fields.items() if value}


# Attacks.


def _attack(step: StepContext) -> Known:
    known = _one_on_one(step)
    _put(known, "attacker", _so(drugs=drugs_of(step.actor)))
    _put(known, "target", _so(drugs=step.target and drugs_of(step.target)))
    return _weapon_in_hand(step, known)


def _area(step: StepContext) -> Known:
    known: Known = {}
    for record, one in step.people.items():
        protections = protections_of(one)
        known[record] = {
            **unused(one, OF_VICTIMS),
            **sheets.shock_shield(one),
            **({} if protections is None else {"protections": protections}),
            **_so(
                in_grapple=any(step.actor.id in one.towards.get(hold, ()) for hold in _HOLDS),
                drugs=drugs_of(one),
                main_gone=one.id in step.table.acting and bool(one.spent.get("main")),
                unsuspecting=is_surprised(one),
            ),
        }
    return _weapon_in_hand(step, known)


def _weapon_in_hand(step: StepContext, known: Known) -> Known:
    """What a fight knows of whatever is done with a weapon, beside what is known already."""
    table, actor, target = step.table, step.actor, step.target
    stated = step.input("attack")
    own = {
        "main_spent": False if stated.get("snap") else None,  # what was unspent is what pays for it
        "engaged": melee.is_engaged(table, actor),
        "move": metres if (metres := move_of(actor)) and metres != actor.sheet.get("move") else None,
        "in_moving_vehicle": crews.in_moving_vehicle(table, actor),
    }
    _put(known, "attacker", {name: value for name, value in own.items() if value is not None})
    steadied, burst = (state in actor.conditions for state in ("snap-steadied", "shock-burst-set"))
    _put(known, "attack", _so(steadied=steadied, shock_burst=burst))
    for record, one in step.people.items():
        _put(known, record, crews.motion(table, one))
    if target is not None:
        _put(known, "target", {"can_total_defense": may_defend(table, target)})
        infrared = _CLOUD in target.conditions and listed(actor.sheet, "augmentations", "eye-infrared")
        _put(known, "target", _so(visibility=infrared and "seen"))  # through gas and smoke (4.5)
        swarm = melee.swarm_others(table, actor, target.id) if stated.get("swarm") else None
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
    if step.procedure == "grapple":
        own["grappling"] = GRAPPLING in actor.conditions
    known: Known = {"attacker": own}
    for record, one in step.people.items() if step.procedure != "execution-attack" else ():
        known[record] = {"can_total_defense": may_defend(table, one)}
        if attacks:
            known[record] |= {**unused(one, OF_VICTIMS), **sheets.shock_shield(one)}
        if record != "target" or not attacks:
            known[record]["player"] = one.player
        known[record] |= _so(unsuspecting=is_surprised(one))
    return known


def protections_of(one: Participant) -> list[str] | None:
    """What a combatant is protected by, by sheet, implants and sealed armor; None where nothing of it is known."""
    sheet = one.sheet
    if "protections" not in sheet and "augmentations" not in sheet:
        return None
    implants = slugs(sheet.get("augmentations"))
    more = {
        "ear-protection": _EARS in implants,
        "eye-and-ear-protection": {_EYES, _EARS} <= implants,
        "breathing-protection": _SEALED in one.conditions,
    }
    return sorted({*sheet.get("protections", ()), *(word for word, there in more.items() if there)})


# Contests and machines.


def _players(first: str, *records: str) -> Callable[[StepContext], Known]:
    """Who is a player: the actor, and all others or those of these records."""

    def known(step: StepContext) -> Known:
        people = {first: step.actor, **step.people}
        named = (first, *records) if records else people
        return {record: {"player": one.player} for record, one in people.items() if record in named}

    return known


def _ram(step: StepContext) -> Known:
    on_foot = step.target is not None and not crews.is_machine(step.target.sheet)
    return _players(vehicles.RAMMER, vehicles.OTHER_DRIVER, *(("target",) if on_foot else ()))(step)


def _volley(step: StepContext) -> Known:
    known: Known = {}
    for record, one in step.people.items():
        if record in volley.TARGETS_OF_VOLLEY:
            known[record] = crews.motion(step.table, one) | {"can_total_defense": may_defend(step.table, one)}
            known[record] |= {**unused(one, OF_VICTIMS), **_so(unsuspecting=is_surprised(one))}
    return known | {"volley": _mounts(step.others.get(volley.DRONE, step.actor), len(known))}


def _mounts(drone: Participant, targets: int) -> dict[str, Any]:
    """The weapons of a drone as far as there are targets for them, with their rounds; nothing where it has none."""
    weapons = list(drone.items.items())[:targets]
    if not weapons:
        return {}
    known: dict[str, Any] = {"weapons": [slug_of(name) for name, _ in weapons]}
    for number, (name, state) in enumerate(weapons, start=1):
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
    if step.procedure == "cyber-attack":
        known[hack.TARGET]["unconscious"] = not _OUT_COLD.isdisjoint(target.conditions)
        known[hack.TARGET] |= {"neural_buffer": 0} if "neural-buffer" in off else {}
        return known
    if crews.is_machine(target.sheet):
        known[hack.TARGET] |= _operated(step.table, target)
    if off and "augmentations" in target.sheet:
        known[hack.TARGET]["augmentations"] = sorted({*slugs(target.sheet["augmentations"]), *off})
    return known


def _operated(table: Table, drone: Participant) -> dict[str, Any]:
    """Level or Hit Dice of a drone's pilot, as far as known; or that there is none. Vehicles have no rule for it."""
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
    return {"victim": {"traumatic_before": "traumatic-hit" in step.actor.conditions}}


def _stabilize(step: StepContext) -> Known:
    record, patient = (HEALER, step.actor) if step.target is None else (PATIENT, step.target)
    rounds = rounds_down(step.table, patient)
    known: Known = {} if rounds is None else {record: {"rounds_down": rounds}}
    return known | {"stabilizing": _doses(step.actor, PATCH)}


def _first_aid(step: StepContext) -> Known:
    given = step.input("aid")
    return {"aid": _doses(step.actor, PANACEA if given.get("panacea") else str(given.get("means", "")))}


def _dose(step: StepContext) -> Known:
    slug = next(iter(slugs([step.input("drug").get("use", step.situation.get("drug"))])), "")
    known = _doses(step.actor, slug)
    return {"drug": {"use": slug, **known}} if known else {}


def _doses(who: Participant, slug: str) -> dict[str, Any]:
    """How many doses a combatant has of a drug, where they are counted."""
    doses = who.items.get(slug, {}).get("rounds")
    return {"doses": doses} if isinstance(doses, int) else {}


def drugs_of(who: Participant) -> list[str]:
    """The drugs at work in a combatant: those of the sheet, and those that the fight has seen them take."""
    stated = who.sheet.get("drugs")
    found = [*stated] if isinstance(stated, list) else []
    found += [word for condition, word in _AT_WORK.items() if condition in who.conditions]
    return list(dict.fromkeys(found))


def rounds_down(table: Table, who: Participant) -> int | None:
    """Whole rounds since the fall of a combatant Mortally Wounded; None for others, or if unknown. One is counted when
    the initiative comes back to the slot of the fall (R12)."""
    if MORTALLY_WOUNDED not in who.since:
        return None
    turn, during = who.since[MORTALLY_WOUNDED]
    passed = table.turn - turn
    return max(0, passed if order.has_come_to(table, during) else passed - 1)


_BY_PROCEDURE: Mapping[str, Callable[[StepContext], Known]] = {
    ATTACK: _attack,
    **dict.fromkeys(("blast", "suppressive-fire", "whirlwind"), _area),
    **dict.fromkeys(("shove", "grapple", "execution-attack"), _one_on_one),
    "drag-grappled": _players("attacker"),
    "escape-grapple": _players("escaper"),
    "drone-attack": _volley,
    "ram": _ram,
    **dict.fromkeys(("crash", "vehicle-destroyed"), _aboard),
    **dict.fromkeys(("hack", "cyber-attack"), _program),
    "skill-check": _check,
    "morale": lambda step: {"tester": {"player": step.actor.player, "drugs": drugs_of(step.actor)}},
    **dict.fromkeys(("major-injury", "poison"), _victim),
    "stabilize": _stabilize,
    "first-aid": _first_aid,
    "take-drug": _dose,
}
