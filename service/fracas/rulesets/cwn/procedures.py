"""The procedures of Cities Without Number, and what fights know of each: whose its records and numbers are."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.procedures import Procedure, owners_of
from fracas.rulesets.cwn.areas.blast import BlastProcedure
from fracas.rulesets.cwn.areas.unrolled import SuppressiveFire, Whirlwind
from fracas.rulesets.cwn.attacks.attack import AttackProcedure
from fracas.rulesets.cwn.checks.initiative import InitiativeProcedure, SurpriseCheck
from fracas.rulesets.cwn.checks.morale import MoraleProcedure, ReactionRollProcedure
from fracas.rulesets.cwn.checks.saves import SavingThrowProcedure
from fracas.rulesets.cwn.checks.skill_check import SkillCheckProcedure
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
from fracas.rulesets.cwn.machines.cyber_attack import CyberAttack
from fracas.rulesets.cwn.machines.hack import HackProcedure
from fracas.rulesets.cwn.machines.ramming import RamProcedure
from fracas.rulesets.cwn.machines.vehicles import CrashProcedure, DriveProcedure, VehicleDestroyed
from fracas.rulesets.cwn.machines.volley import DroneAttack
from fracas.rulesets.cwn.maneuvers.execution import ExecutionAttack
from fracas.rulesets.cwn.maneuvers.grips import DragGrappled, EscapeGrapple, Grapple, Shove

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

TALLIES: Mapping[str, str] = owners_of(PROCEDURES)
"""Whose number each tally is, as a record of the procedure."""
