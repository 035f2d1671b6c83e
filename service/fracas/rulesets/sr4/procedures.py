"""The procedures of Shadowrun 4, and what fights know of each: who is behind its records, and whose its numbers are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.rulesets.sr4.fights.movement import Movement
from fracas.rulesets.sr4.harms.damage_resistance import DamageResistance
from fracas.rulesets.sr4.harms.healing import FirstAid, Rest
from fracas.rulesets.sr4.magic.astral_attack import AstralAttack
from fracas.rulesets.sr4.magic.cast_spell import CastSpell
from fracas.rulesets.sr4.magic.spell_numbers import SPELL_OWNERS
from fracas.rulesets.sr4.magic.spell_upkeep import DeclareCounterspelling, DropSpell
from fracas.rulesets.sr4.magic.spirits import OWNERS as SPIRIT_OWNERS
from fracas.rulesets.sr4.magic.spirits import BanishSpirit, SummonSpirit
from fracas.rulesets.sr4.melee.escape_hold import EscapeHold
from fracas.rulesets.sr4.melee.melee_attack import MeleeAttack
from fracas.rulesets.sr4.melee.melee_sweep import MeleeSweep
from fracas.rulesets.sr4.melee.melee_vocabulary import SWEPT
from fracas.rulesets.sr4.ranged import suppressive_fire
from fracas.rulesets.sr4.ranged.barrier_attack import BarrierAttack
from fracas.rulesets.sr4.ranged.blast_attack import BlastAttack
from fracas.rulesets.sr4.ranged.body_vocabulary import OWNERS as BODY_OWNERS
from fracas.rulesets.sr4.ranged.body_vocabulary import SHIELD
from fracas.rulesets.sr4.ranged.quick_draw import QuickDraw
from fracas.rulesets.sr4.ranged.ranged_attack import RangedAttack
from fracas.rulesets.sr4.ranged.suppressive_fire import SuppressiveFire
from fracas.rulesets.sr4.ranged.volley import GROUPS as VOLLEY_GROUPS
from fracas.rulesets.sr4.ranged.volley import OWNERS, RangedVolley
from fracas.rulesets.sr4.ranged.weapon_setting import WeaponSetting
from fracas.rulesets.sr4.rolls.extended_test import ExtendedTest
from fracas.rulesets.sr4.rolls.initiative import InitiativeTest
from fracas.rulesets.sr4.rolls.last_edge import DeadMansTrigger, EscapeDeath
from fracas.rulesets.sr4.rolls.success_test import SuccessTest
from fracas.rulesets.sr4.rolls.surprise import SurpriseTest

PROCEDURES = (
    RangedAttack(),
    RangedVolley(),
    MeleeAttack(),
    MeleeSweep(),
    EscapeHold(),
    BlastAttack(),
    SuppressiveFire(),
    BarrierAttack(),
    QuickDraw(),
    WeaponSetting(),
    CastSpell(),
    DeclareCounterspelling(),
    DropSpell(),
    SummonSpirit(),
    BanishSpirit(),
    AstralAttack(),
    DamageResistance(),
    FirstAid(),
    Rest(),
    SuccessTest(),
    ExtendedTest(),
    InitiativeTest(),
    SurpriseTest(),
    DeadMansTrigger(),
    EscapeDeath(),
    Movement(),
)

_TESTS = (
    SuccessTest,
    ExtendedTest,
    InitiativeTest,
    SurpriseTest,
    DeadMansTrigger,
    EscapeDeath,
    Movement,
    Rest,
    WeaponSetting,
)

RECORDS: Mapping[str, tuple[str, str]] = {
    RangedAttack.id: ("attacker", "target"),
    RangedVolley.id: ("attacker", "target"),
    MeleeAttack.id: ("attacker", "target"),
    MeleeSweep.id: ("attacker", "target"),
    EscapeHold.id: ("tester", "holder"),
    BlastAttack.id: ("attacker", "target"),
    SuppressiveFire.id: ("attacker", "target"),
    BarrierAttack.id: ("attacker", SHIELD),
    QuickDraw.id: ("attacker", "target"),
    DamageResistance.id: ("target", ""),
    FirstAid.id: ("tester", "patient"),
    CastSpell.id: ("caster", "target"),
    DeclareCounterspelling.id: ("caster", ""),
    DropSpell.id: ("caster", ""),
    SummonSpirit.id: ("caster", ""),
    BanishSpirit.id: ("caster", "target"),
    AstralAttack.id: ("attacker", "target"),
    **{kind.id: ("tester", "") for kind in _TESTS},
}
"""For each procedure: the records of who acts and of the target."""

AT_TARGETS = (RangedAttack.id, RangedVolley.id, BlastAttack.id, SuppressiveFire.id, QuickDraw.id)
"""Procedures whose attacks lose dice for each target before in the same Action Phase."""

VOCABULARIES = {procedure.id: procedure.vocabulary for procedure in PROCEDURES}


def is_test(tally: str) -> bool:
    """Whether a number is the pool of a test that wounds, spells and shocks make harder: every test but those that
    resist damage or drain (sections 3, 11.6 and 16)."""
    name, _, last = tally.rpartition(".")
    return last == "pool" and not name.endswith(_RESISTING)


_RESISTING = ("resist", "resistance", "drain", "soak")


_OF_ATTACKERS = ("melee-attack.pool", "melee-damage.value", "backlash-armor.rating", "backlash-resist.pool")
"""The attacker's numbers in a melee attack; the others are the target's."""


TALLIES: Mapping[str, str] = {
    "attack.pool": "attacker",
    "recoil.compensation": "attacker",
    "damage.value": "attacker",
    "damage.burst": "attacker",
    "defense.pool": "target",
    "armor.rating": "target",
    "resist.pool": "target",
    "blast.value": "attacker",
    "blast-armor.target": "target",
    "blast-resist.target": "target",
    "melee-attack.pool": "attacker",
    "melee-damage.value": "attacker",
    "melee-defense.pool": "target",
    "melee-defense.dodge": "target",
    "melee-defense.parry": "target",
    "melee-defense.block": "target",
    "melee-armor.rating": "target",
    "melee-resist.pool": "target",
    "backlash-armor.rating": "attacker",
    "backlash-resist.pool": "attacker",
    **{
        f"{who}.{to}": "attacker" if to in _OF_ATTACKERS else who
        for who in SWEPT[1:]
        for to in MeleeAttack.targets
    },
    "test.pool": "tester",
    "initiative.pool": "tester",
    "surprise.pool": "tester",
    "resistance.value": "target",
    "resistance.armor": "target",
    "resistance.pool": "target",
    "first-aid.pool": "tester",
    "rest.pool": "tester",
    "last-action.pool": "tester",
    "escape-death.boxes": "tester",
    "movement.rate": "tester",
    "misfire.armor.rating": "attacker",
    "misfire.resist.pool": "attacker",
    "quick-draw.pool": "attacker",
    "quick-draw.threshold": "attacker",
    **OWNERS,
    **suppressive_fire.OWNERS,
    **SPELL_OWNERS,
    **SPIRIT_OWNERS,
    **BODY_OWNERS,
    "counterspelling.dice": "caster",
    "astral-attack.pool": "attacker",
    "astral-defense.pool": "target",
    "astral-damage.value": "attacker",
    "astral-resist.pool": "target",
}
"""Whose number each tally is, as a record of the procedure."""

GROUPS: Mapping[str, Sequence[str]] = {
    "tests.all": tuple(to for to in TALLIES if is_test(to)),
    **{to: (*names, *suppressive_fire.GROUPS.get(to, ())) for to, names in VOLLEY_GROUPS.items()},
}
"""Words that stand for several tallies in what changes them."""
