"""The procedures of Shadowrun 4, and what fights know of each: who is behind its records, and whose its numbers are.

What attacks did, and the words for other facts of outcomes, in sentences for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fracas.kernel.procedures import Procedure, people_of
from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact
from fracas.rulesets.sr4.harms.damage_resistance import DamageResistance
from fracas.rulesets.sr4.harms.healing import FirstAid, Regenerate, Rest
from fracas.rulesets.sr4.machines import CrashTest, Ram, SensorLock, VehicleTest
from fracas.rulesets.sr4.magic.astral_attack import AstralAttack
from fracas.rulesets.sr4.magic.boosts import BoostAttribute
from fracas.rulesets.sr4.magic.cast_spell import CastSpell
from fracas.rulesets.sr4.magic.critter_power import CritterPower
from fracas.rulesets.sr4.magic.illusions import BreakControl, Dispel, PerceiveIllusion
from fracas.rulesets.sr4.magic.spell_outcomes import DeclareCounterspelling, DropSpell
from fracas.rulesets.sr4.magic.spirits import BanishSpirit, OrderSpirit, SummonSpirit
from fracas.rulesets.sr4.matrix.cybercombat import MatrixAttack
from fracas.rulesets.sr4.matrix.matrix_actions import LaunchProgram, MatrixTest, MatrixWork
from fracas.rulesets.sr4.melee.melee_attack import EscapeHold, MeleeAttack
from fracas.rulesets.sr4.melee.melee_sweep import MeleeSweep
from fracas.rulesets.sr4.movement import Movement
from fracas.rulesets.sr4.ranged import suppressive_fire
from fracas.rulesets.sr4.ranged.barrier_attack import BarrierAttack
from fracas.rulesets.sr4.ranged.blast_attack import BlastAttack
from fracas.rulesets.sr4.ranged.handling import QuickDraw, WeaponSetting
from fracas.rulesets.sr4.ranged.ranged_attack import RangedAttack
from fracas.rulesets.sr4.ranged.suppressive_fire import SuppressiveFire
from fracas.rulesets.sr4.ranged.volley import GROUPS as VOLLEY_GROUPS
from fracas.rulesets.sr4.ranged.volley import RangedVolley
from fracas.rulesets.sr4.rolls.extended_test import ExtendedTest
from fracas.rulesets.sr4.rolls.initiative import InitiativeTest, SurpriseTest
from fracas.rulesets.sr4.rolls.success_test import DeadMansTrigger, EscapeDeath, SuccessTest
from fracas.rulesets.sr4.toxins import TakeDrug, ToxinDart, ToxinExposure

_KINDS: tuple[type[Procedure], ...] = (
    *(RangedAttack, RangedVolley, MeleeAttack, MeleeSweep, EscapeHold),
    *(BlastAttack, SuppressiveFire, BarrierAttack, QuickDraw, WeaponSetting),
    *(CastSpell, DeclareCounterspelling, DropSpell, SummonSpirit, BanishSpirit, AstralAttack),
    *(PerceiveIllusion, BreakControl, Dispel, BoostAttribute, OrderSpirit, CritterPower, Regenerate),
    *(MatrixAttack, MatrixTest, MatrixWork, LaunchProgram, VehicleTest, SensorLock, CrashTest, Ram),
    *(ToxinExposure, ToxinDart, TakeDrug, DamageResistance, FirstAid, Rest),
    *(SuccessTest, ExtendedTest, InitiativeTest, SurpriseTest, DeadMansTrigger, EscapeDeath, Movement),
)
PROCEDURES: tuple[Procedure, ...] = tuple(kind() for kind in _KINDS)


def _people(procedure: Procedure) -> tuple[str, str]:
    """Who acts, and the target; the one who helps or is protected is none."""
    records = procedure.vocabulary.records
    first, *others = (path for path in people_of(procedure) if not records[path].helps)
    keeps = isinstance(procedure, (DeclareCounterspelling, DropSpell))
    return first, others[0] if others and not keeps else ""


RECORDS: Mapping[str, tuple[str, str]] = {procedure.id: _people(procedure) for procedure in PROCEDURES}
"""For each procedure: the records of who acts and of the target."""

AT_TARGETS = (RangedAttack.id, RangedVolley.id, BlastAttack.id, SuppressiveFire.id, QuickDraw.id)
"""Procedures whose attacks lose dice for each target before in the same Action Phase."""

VOCABULARIES = {procedure.id: procedure.vocabulary for procedure in PROCEDURES}


def is_test(tally: str) -> bool:
    """Whether a number is the pool of a test that wounds, spells and shocks make harder: every test but those that
    resist damage or drain (sections 3, 11.6 and 16)."""
    name, _, last = tally.rpartition(".")
    return last == "pool" and not name.endswith(("resist", "resistance", "drain", "soak"))


GROUPS: Mapping[str, Sequence[str]] = {
    "tests.all": tuple({to: "" for one in PROCEDURES for to in one.targets if is_test(to)}),
    **{to: (*names, *suppressive_fire.GROUPS.get(to, ())) for to, names in VOLLEY_GROUPS.items()},
}
"""Words that stand for several tallies in what changes them."""

ATTACKS: Mapping[str, Attack] = {
    **dict.fromkeys(("ranged-attack", "ranged-volley", "blast-attack", "suppressive-fire"), Attack()),
    **dict.fromkeys(("quick-draw", "melee-attack", "melee-sweep"), Attack()),
    **dict.fromkeys(("astral-attack", "matrix-attack"), Attack(means="")),
    "barrier-attack": Attack(target="barrier"),
    "cast-spell": Attack(by="caster", means="spell"),
}
_HITS = ("hit", "graze_contact", "no-effect")
"""A barrier is hit even where that has no effect."""


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """Boxes of damage, and what became of the target."""
    result = str(facts.get("result") or "")
    boxes = int(facts.get("damage") or 0)
    words = [*_words(facts, boxes)]
    numbers = numbers_of(facts)
    return Struck(result in _HITS, result, boxes, words, numbers=numbers) if result or words else None


def _words(facts: Mapping[str, Fact], boxes: int) -> Iterator[str]:
    if boxes:
        yield boxes_of(boxes, facts.get("track"))
    if lost := facts.get("structure_lost"):
        yield f"{lost} of its Structure lost"
    for name, words in (("hole", "a hole"), ("knockdown", "knocked down"), ("held", "held")):
        if facts.get(name):
            yield words
    if down := next((name for name in ("dead", "dying", "unconscious") if facts.get(name)), ""):
        yield down
    if misfired := int(facts.get("misfire_damage") or 0):
        yield f"a misfire with {boxes_of(misfired, facts.get('misfire_track'))} to the shooter"
    if drain := int(facts.get("drain_damage") or 0):
        yield f"{boxes_of(drain, facts.get('drain_track'))} from Drain"


def boxes_of(boxes: int, track: Fact) -> str:
    """Damage in words.

    >>> boxes_of(1, "stun")
    '1 box of Stun damage'
    """
    kind = f"{str(track).capitalize()} damage" if track else "damage"
    return f"{boxes} {'box' if boxes == 1 else 'boxes'} of {kind}"


def numbers_of(facts: Mapping[str, Fact]) -> list[tuple[str, str]]:
    """The hits that were not met, and the Damage Value with them."""
    if not facts.get("net_hits"):
        return []
    found = [("Net hits", str(facts["net_hits"]))]
    if "modified_dv" in facts:
        found.append(("Damage Value with net hits", str(facts["modified_dv"])))
    return found
