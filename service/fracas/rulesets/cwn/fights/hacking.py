"""What a fight knows of programs: who runs which, who defends, whose drone it is (rulebook section 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table
from fracas.rulesets.cwn.fights import machines
from fracas.rulesets.cwn.fights.sheet import slugs, switched_off
from fracas.rulesets.cwn.machines.cyber_attack import CyberAttack
from fracas.rulesets.cwn.machines.hack import DEFEND, RUNNING, HackProcedure
from fracas.rulesets.cwn.machines.programs import DEFENDER, HACKER, TARGET

PROGRAMS = frozenset((HackProcedure.id, CyberAttack.id))
PARALYZED = "avatar-paralyzed"
DEFENDED = RUNNING[DEFEND][1]
_OUT_COLD = frozenset(("unconscious", "incapacitated", "stabilized", "mortally-wounded", "comatose"))


def running(who: Participant) -> int:
    """How many programs of somebody go on; one that he runs for himself is bound to nobody."""
    mine = sum(len(who.towards.get(own, ())) for own, _ in RUNNING.values())
    return mine + (DEFENDED in who.conditions and not who.towards.get(DEFENDED))


def bystanders(table: Table, who: Participant, intent: Intent) -> list[str]:
    """Whoever defends the target."""
    if intent.action.get("procedure") != HackProcedure.id or intent.target is None:
        return []
    defenders = intent.target.towards.get(DEFENDED, frozenset())
    return [id for id in table.participants if id in defenders and id not in (who.id, intent.target.id)][:1]


def is_frozen(who: Participant, intent: Intent, *, hacking: bool) -> bool:
    """Whether a paralyzed avatar keeps somebody's body from it: programs may still be run and ended."""
    ends = any(own in intent.action.get("removes", ()) for own, _ in RUNNING.values())
    happens = intent.action.get("gm") or intent.action.get("while_unable")
    return PARALYZED in who.conditions and not (hacking or ends or happens)


def situated(
    table: Table,
    actor: Participant,
    target: Participant | None,
    procedure: str,
    others: Mapping[str, Participant],
) -> dict[str, dict[str, Any]]:
    """The facts of hacker, target and defender."""
    known: dict[str, dict[str, Any]] = {HACKER: {"player": actor.player, "programs_running": running(actor)}}
    if target is not None:
        known[TARGET] = {"player": target.player}
        if procedure == CyberAttack.id:
            known[TARGET]["unconscious"] = not _OUT_COLD.isdisjoint(target.conditions)
        elif machines.is_machine(target.sheet):
            known[TARGET] |= _operated(table, target)
        known[TARGET] |= _of_implants(target, procedure)
    if DEFENDER in others:
        known[DEFENDER] = {"player": others[DEFENDER].player}
    return known


def _of_implants(target: Participant, procedure: str) -> dict[str, Any]:
    """Implants that are switched off are there all the same; only they do not work."""
    off = switched_off(target)
    if procedure == CyberAttack.id:
        return {"neural_buffer": 0} if "neural-buffer" in off else {}
    if not off or "augmentations" not in target.sheet:
        return {}
    return {"augmentations": sorted({*slugs(target.sheet["augmentations"]), *off})}


def _operated(table: Table, drone: Participant) -> dict[str, Any]:
    """The level or Hit Dice of whoever flies a drone, as far as it is known; or that nobody does. Of vehicles the
    rulebook says nothing."""
    if machines.is_vehicle(drone.sheet):
        return {}
    pilot = next((one for one in table.participants.values() if drone.id in machines.flies(one)), None)
    if pilot is None:
        return {"uncontrolled": True}
    found = pilot.sheet.get("level", pilot.sheet.get("hit_dice"))
    return {} if found is None else {"operator_level": found}
