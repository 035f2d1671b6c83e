"""The procedures of Cities Without Number, and what fights know of each: whose its records and numbers are."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.ruleset import Procedure
from fracas.rulesets.cwn.areas.area_victims import OWNERS as OF_VICTIMS
from fracas.rulesets.cwn.areas.blast import BlastProcedure
from fracas.rulesets.cwn.areas.unrolled import SuppressiveFire, Whirlwind
from fracas.rulesets.cwn.attacks import attack
from fracas.rulesets.cwn.attacks.attack import AttackProcedure
from fracas.rulesets.cwn.checks import surprise
from fracas.rulesets.cwn.checks.initiative import InitiativeProcedure
from fracas.rulesets.cwn.checks.morale import MoraleProcedure, ReactionRollProcedure
from fracas.rulesets.cwn.checks.saves import KINDS, PHYSICAL, save_name
from fracas.rulesets.cwn.checks.saving_throw import SavingThrowProcedure
from fracas.rulesets.cwn.checks.skill_check import SkillCheckProcedure
from fracas.rulesets.cwn.checks.surprise import SurpriseCheck
from fracas.rulesets.cwn.harms import harm, resting
from fracas.rulesets.cwn.harms.drugs import TakeDrugProcedure
from fracas.rulesets.cwn.harms.harm import HitPointsProcedure
from fracas.rulesets.cwn.harms.healing import FirstAidProcedure, StabilizeProcedure
from fracas.rulesets.cwn.harms.major_injury import MajorInjuryProcedure
from fracas.rulesets.cwn.harms.poison import PoisonProcedure
from fracas.rulesets.cwn.harms.resting import (
    FrailtyProcedure,
    RestProcedure,
    RevivalProcedure,
    ZombieWiresProcedure,
)
from fracas.rulesets.cwn.machines import cyber_attack, hack, ramming, volley
from fracas.rulesets.cwn.machines.cyber_attack import CyberAttack
from fracas.rulesets.cwn.machines.hack import HackProcedure
from fracas.rulesets.cwn.machines.ramming import RamProcedure
from fracas.rulesets.cwn.machines.vehicles import CrashProcedure, DriveProcedure, VehicleDestroyed
from fracas.rulesets.cwn.machines.volley import DroneAttack
from fracas.rulesets.cwn.maneuvers import bouts, escape, execution
from fracas.rulesets.cwn.maneuvers.escape import DragGrappled, EscapeGrapple
from fracas.rulesets.cwn.maneuvers.execution import ExecutionAttack
from fracas.rulesets.cwn.maneuvers.grapple import Grapple
from fracas.rulesets.cwn.maneuvers.shove import Shove

PROCEDURES: tuple[Procedure, ...] = (
    AttackProcedure(),
    ExecutionAttack(),
    Shove(),
    Grapple(),
    EscapeGrapple(),
    DragGrappled(),
    BlastProcedure(),
    SuppressiveFire(),
    Whirlwind(),
    InitiativeProcedure(),
    SkillCheckProcedure(),
    SavingThrowProcedure(),
    MoraleProcedure(),
    ReactionRollProcedure(),
    MajorInjuryProcedure(),
    StabilizeProcedure(),
    FirstAidProcedure(),
    RestProcedure(),
    FrailtyProcedure(),
    TakeDrugProcedure(),
    PoisonProcedure(),
    ZombieWiresProcedure(),
    SurpriseCheck(),
    HitPointsProcedure(),
    RevivalProcedure(),
    DroneAttack(),
    DriveProcedure(),
    RamProcedure(),
    CrashProcedure(),
    VehicleDestroyed(),
    HackProcedure(),
    CyberAttack(),
)

TALLIES: Mapping[str, str] = {
    **attack.OWNERS,
    **bouts.OWNERS,
    **escape.OWNERS,
    **execution.OWNERS,
    **OF_VICTIMS,
    **volley.OWNERS,
    **ramming.OWNERS,
    **hack.OWNERS,
    **cyber_attack.OWNERS,
    "blast.damage": "attacker",
    "initiative.total": "roller",
    "check.bonus": "tester",
    "check.opposed": "opponent",
    "check.help": "helper",
    "morale.score": "tester",
    "reaction.bonus": "face",
    "stabilize.bonus": "healer",
    "stabilize.difficulty": "patient",
    "heal.bonus": "healer",
    "frailty.bonus": "healer",
    "rest.hp": "sleeper",
    "zombie.hp": "owner",
    surprise.BONUS: surprise.TESTER,
    harm.BONUS: harm.NPC,
    resting.LOSS: resting.OWNER,
    **{save_name(kind, "saver"): "saver" for kind in KINDS},
    **{save_name(PHYSICAL, who): who for who in ("victim", "giver", "taker", "healer")},
}
"""Whose number each tally is, as a record of the procedure."""
