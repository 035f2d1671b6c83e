"""What a fight knows of attacks, grapples and execution attacks: implants that are unused, who suspects nothing.

Rulebook sections 3.2 (screening), 8.1, 8.3 and 10.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table
from fracas.rulesets.cwn.attacks.attack import AttackProcedure
from fracas.rulesets.cwn.fights import reach
from fracas.rulesets.cwn.fights.sheet import OF_VICTIMS, is_surprised, shock_shield, switched_off, unused
from fracas.rulesets.cwn.maneuvers.contests import HOLDERS
from fracas.rulesets.cwn.maneuvers.execution import ExecutionAttack
from fracas.rulesets.cwn.maneuvers.grips import (
    GRAPPLED,
    GRAPPLING,
    DragGrappled,
    EscapeGrapple,
    Grapple,
    Shove,
)

_ONE_ON_ONE = (Shove.id, Grapple.id, DragGrappled.id, EscapeGrapple.id, ExecutionAttack.id)
MANEUVERS = frozenset(_ONE_ON_ONE)
_OF_ATTACKERS = {"trajectory_node": "trajectory-optimization-node"}
"""Fields that tell of an implant which has not been used, by which the fight keeps account of it."""


def situated(
    table: Table,
    actor: Participant,
    target: Participant | None,
    procedure: str,
    others: Mapping[str, Participant],
    may_defend: Callable[[Table, Participant], bool],
) -> dict[str, dict[str, Any]]:
    """Facts of everybody in an attack or a maneuver, by record."""
    first = "escaper" if procedure == EscapeGrapple.id else "attacker"
    checks = procedure != AttackProcedure.id or bool(others)
    known: dict[str, dict[str, Any]] = {first: {"player": actor.player}} if checks else {}
    if procedure in (DragGrappled.id, EscapeGrapple.id):
        for record, one in (("target", target), *others.items()):
            if one is not None:
                known[record] = {"player": one.player}
        return known
    own: dict[str, Any] = unused(actor, _OF_ATTACKERS)
    if procedure == AttackProcedure.id and "shock-fists" in switched_off(actor):
        own["shock_fists"] = False
    engaged = reach.is_engaged(table, actor)
    if engaged is not None:
        own["engaged"] = engaged
    if procedure == Grapple.id:
        own["grappling"] = GRAPPLING in actor.conditions
    if own:
        known.setdefault(first, {}).update(own)
    for record, one in (("target", target), *others.items()):
        if one is None or procedure == ExecutionAttack.id:
            continue
        known[record] = {"can_total_defense": may_defend(table, one)}
        if procedure == AttackProcedure.id:
            known[record] |= {**unused(one, OF_VICTIMS), **shock_shield(one)}
        if record != "target" or procedure != AttackProcedure.id:
            known[record]["player"] = one.player
        if is_surprised(one):
            known[record]["unsuspecting"] = True
    return known


def bystanders(table: Table, who: Participant, intent: Intent) -> list[str]:
    """Whoever gets free must beat all who hold on: those beside the target."""
    if intent.action.get("procedure") != EscapeGrapple.id or intent.target is None:
        return []
    holders = who.towards.get(GRAPPLED, frozenset())
    others = [id for id in table.participants if id in holders and id != intent.target.id]
    return others[: len(HOLDERS) - 1]


def is_held_fast(intent: Intent) -> bool:
    """Whether it is what a grapple does as a round ends: nobody steps in its way."""
    said = intent.action.get("situation", {}).get("attack", {})
    return "hold" in said


def objections(who: Participant, intent: Intent) -> list[str]:
    """A grapple is a matter of those who are in it, and its damage comes up by itself."""
    procedure, target = intent.action.get("procedure"), intent.target
    said = intent.situation.get("attack")
    if isinstance(said, Mapping) and "hold" in said:
        return ["what a grapple does as a round ends is an action of its own"]
    if target is None:
        return []
    held, holders = who.towards.get(GRAPPLING), who.towards.get(GRAPPLED)
    if procedure == DragGrappled.id or "grappling" in intent.action.get("needs", ()):
        return [f"does not hold {target.name}"] if held and target.id not in held else []
    if procedure == EscapeGrapple.id or "grappled" in intent.action.get("needs", ()):
        return [f"is not held by {target.name}"] if holders and target.id not in holders else []
    return []
