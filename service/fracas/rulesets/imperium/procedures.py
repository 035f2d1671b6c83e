"""The procedures of the Inquisitor universe, and what fights know of each: whose its records and numbers are."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.ruleset import Procedure
from fracas.rulesets.imperium.attacks import close_combat, shooting
from fracas.rulesets.imperium.attacks.close_combat import CloseCombatProcedure
from fracas.rulesets.imperium.attacks.shooting import ShootingProcedure
from fracas.rulesets.imperium.checks import characteristic_test, initiative, psychic_power
from fracas.rulesets.imperium.checks.characteristic_test import CharacteristicTest
from fracas.rulesets.imperium.checks.initiative import InitiativeProcedure
from fracas.rulesets.imperium.checks.psychic_power import PsychicPower
from fracas.rulesets.imperium.harms import bleeding, care, recovery
from fracas.rulesets.imperium.harms.bleeding import BleedingProcedure, ConsciousnessProcedure
from fracas.rulesets.imperium.harms.body import test_name
from fracas.rulesets.imperium.harms.care import HealProcedure, StaunchProcedure
from fracas.rulesets.imperium.harms.cold import ColdProcedure
from fracas.rulesets.imperium.harms.injury_procedure import InjuryProcedure
from fracas.rulesets.imperium.harms.recovery import RecoveryProcedure

PROCEDURES: tuple[Procedure, ...] = (
    ShootingProcedure(),
    CloseCombatProcedure(),
    CharacteristicTest(),
    PsychicPower(),
    InitiativeProcedure(),
    InjuryProcedure(),
    BleedingProcedure(),
    ConsciousnessProcedure(),
    StaunchProcedure(),
    HealProcedure(),
    RecoveryProcedure(),
    ColdProcedure(),
)

TALLIES: Mapping[str, str] = {
    **shooting.OWNERS,
    **close_combat.OWNERS,
    characteristic_test.CHANCE: characteristic_test.TESTER,
    psychic_power.CHANCE: psychic_power.PSYKER,
    initiative.VALUE: initiative.ROLLER,
    test_name(bleeding.VICTIM): bleeding.VICTIM,
    care.STAUNCH: care.HEALER,
    care.HEAL: care.HEALER,
    recovery.CHANCE: recovery.PATIENT,
}
"""Whose number each tally is, as a record of the procedure."""
