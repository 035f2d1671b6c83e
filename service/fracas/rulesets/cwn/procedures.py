"""The procedures of Cities Without Number, whose their numbers are, and what their outcomes say to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.procedures import Procedure
from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact
from fracas.rulesets.cwn.areas.area_stages import HIT, SHOCKED
from fracas.rulesets.cwn.areas.blast import BlastProcedure
from fracas.rulesets.cwn.areas.unrolled import SuppressiveFire, Whirlwind
from fracas.rulesets.cwn.attacks.attack import AttackProcedure
from fracas.rulesets.cwn.checks.initiative import Initiative, SurpriseCheck
from fracas.rulesets.cwn.checks.morale import Morale, ReactionRoll
from fracas.rulesets.cwn.checks.saves import SavingThrow
from fracas.rulesets.cwn.checks.skill_check import SkillCheck
from fracas.rulesets.cwn.harms import care, harm, healing, poison, resting
from fracas.rulesets.cwn.machines import cyber_attack, hack, vehicles, volley
from fracas.rulesets.cwn.maneuvers.execution import ExecutionAttack
from fracas.rulesets.cwn.maneuvers.grips import DragGrappled, EscapeGrapple, Grapple, Shove

PROCEDURES: tuple[Procedure, ...] = (
    *(AttackProcedure(), ExecutionAttack(), Shove(), Grapple(), EscapeGrapple(), DragGrappled()),
    *(BlastProcedure(), SuppressiveFire(), Whirlwind()),
    *(Initiative(), SkillCheck(), SavingThrow(), Morale(), ReactionRoll()),
    *(harm.MajorInjury(), healing.Stabilize(), healing.FirstAid(), resting.Rest(), resting.Frailty()),
    *(care.TakeDrug(), poison.Poison(), resting.ZombieWires()),
    *(SurpriseCheck(), harm.HitPoints(), resting.Revival()),
    *(volley.DroneAttack(), vehicles.Drive(), vehicles.Ram(), vehicles.Crash(), vehicles.VehicleDestroyed()),
    *(hack.Hack(), cyber_attack.CyberAttack()),
)


ATTACKS: Mapping[str, Attack] = {
    **dict.fromkeys(("attack", "execution-attack", "shove", "grapple"), Attack()),
    **dict.fromkeys(("blast", "suppressive-fire", "whirlwind"), Attack()),
    "drone-attack": Attack(by="drone", means=""),
    "ram": Attack(by="vehicle", means=""),
    "cyber-attack": Attack(by="hacker", means=""),
}


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """The damage, what of it went through, and what became of the target. A save against an explosion or a line of fire
    is no hit, though some damage may be left, nor is a miss that deals Shock."""
    works = facts.get("success")
    found = str(facts.get("result") or ("" if works is None else HIT if works else "miss"))
    hit = bool(facts.get("hit", found in (HIT, SHOCKED)))
    damage = int(facts.get("damage") or 0)
    words = [*_harm_in_words(facts, damage)]
    instead = str(facts.get("redirected_to") or "")
    return Struck(hit, HIT if found == SHOCKED else found, damage, words, instead) if found or words else None


def _harm_in_words(facts: Mapping[str, Fact], damage: int) -> Iterator[str]:
    if damage:
        yield f"{damage} {'Shock ' if facts.get('shock_damage') else ''}damage{_multiplied(facts, damage)}"
    lost = int(harm.hp_lost(facts))
    if "hp_loss" in facts and lost != damage:
        yield f"{lost or 'no'} hit {'point' if lost == 1 else 'points'} lost"
    if facts.get("traumatic"):
        yield "a Traumatic Hit"
    injury = str(facts.get("major_injury") or "none")
    if injury not in ("none", harm.UNKNOWN):
        yield f"a Major Injury: {injury.replace('-', ' ')}"
    down = str(facts.get("down") or harm.NOBODY_DOWN)
    if down != harm.NOBODY_DOWN:
        yield down.replace("-", " ")


def _multiplied(facts: Mapping[str, Fact], damage: int) -> str:
    """What a Traumatic Hit multiplies the rolled damage by: " (12 × 2)"."""
    rolled = int(facts.get("damage_after_swarm") or facts.get("damage_rolled") or 0)
    whole = rolled and damage > rolled and damage % rolled == 0
    return f" ({rolled} × {damage // rolled})" if facts.get("traumatic") and whole else ""
