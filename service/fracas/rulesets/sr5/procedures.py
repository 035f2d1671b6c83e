"""The procedures of Shadowrun 5, whose their numbers are, and what their outcomes say to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.kernel.procedures import Procedure
from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact
from fracas.rulesets.sr5.attacks.blast import BlastAttack
from fracas.rulesets.sr5.attacks.melee import BURNED, MeleeAttack, MeleeSweep
from fracas.rulesets.sr5.attacks.ranged import EscapeSuppression, RangedAttack, RangedVolley, SuppressiveFire
from fracas.rulesets.sr5.harms.care import FirstAid, ResistToxin, TakeDrug
from fracas.rulesets.sr5.harms.damage import HIT
from fracas.rulesets.sr5.harms.damage_resistance import DamageResistance
from fracas.rulesets.sr5.machines import Ram, SensorLock, VehicleTest
from fracas.rulesets.sr5.magic.astral import Dispel, UsePower
from fracas.rulesets.sr5.magic.cast_spell import CastSpell, SpellDefense
from fracas.rulesets.sr5.magic.forms import CompileSprite, DecompileSprite, ThreadForm
from fracas.rulesets.sr5.magic.magicians import BanishSpirit, SummonSpirit
from fracas.rulesets.sr5.magic.working import WorkSpell
from fracas.rulesets.sr5.matrix import actions as matrix
from fracas.rulesets.sr5.matrix.launching import LaunchIc
from fracas.rulesets.sr5.rolls.initiative import CoinToss, Initiative, SurpriseTest
from fracas.rulesets.sr5.rolls.success_test import DeadMansTrigger, ExtendedTest, OpposedTest, SuccessTest

PROCEDURES: tuple[Procedure, ...] = (
    *(RangedAttack(), RangedVolley(), SuppressiveFire(), EscapeSuppression()),
    *(MeleeAttack(), MeleeSweep(), BlastAttack()),
    *(CastSpell(), SpellDefense(), SummonSpirit(), BanishSpirit()),
    *(WorkSpell(), Dispel(), UsePower(), ThreadForm()),
    *(CompileSprite(), DecompileSprite(), ResistToxin()),
    *matrix.PROCEDURES,
    LaunchIc(),
    *(VehicleTest(), SensorLock(), Ram()),
    *(DamageResistance(), FirstAid(), TakeDrug()),
    *(SuccessTest(), OpposedTest(), ExtendedTest(), DeadMansTrigger()),
    *(Initiative(), CoinToss(), SurpriseTest()),
)


def is_test(tally: str) -> bool:
    """Whether a number is the pool of a test that shocks make harder: all but those that resist damage, toxins or
    drain."""
    name, _, last = tally.rpartition(".")
    return last == "pool" and not name.endswith(_RESISTING)


_RESISTING = ("toxin-resistance", "drain", "soak", "biofeedback", "dumpshock")


GROUPS: Mapping[str, Sequence[str]] = {
    "tests.all": tuple({to: "" for one in PROCEDURES for to in one.targets if is_test(to)})
}
"""Words that stand for several tallies in what changes them."""

ATTACKS: Mapping[str, Attack] = {
    **dict.fromkeys(("ranged-attack", "ranged-volley", "blast-attack", "escape-suppression"), Attack()),
    **dict.fromkeys(("melee-attack", "melee-sweep"), Attack()),
    **dict.fromkeys(("data-spike", "ic-attack", "ram"), Attack(means="")),
    "use-power": Attack(means=""),
    "cast-spell": Attack(by="caster", means="spell"),
}


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """Boxes of damage, and what became of the target."""
    result = str(facts.get("result") or "")
    boxes = int(facts.get("damage") or 0)
    kind = str(facts.get("track") or "matrix").capitalize()
    words = [f"{boxes} {'box' if boxes == 1 else 'boxes'} of {kind} damage"] if boxes else []
    if result == BURNED:
        words = [f"{words[0]} from the Energy Aura" if words else "resists the Energy Aura"]
    befell = (("bricked", "bricked"), ("knockdown", "knocked down"))
    words += [what for name, what in befell if facts.get(name)]
    words += [name for name in ("dead", "dying", "unconscious") if facts.get(name)][:1]
    numbers = numbers_of(facts)
    return Struck(result == HIT, result, boxes, words, numbers=numbers) if result or words else None


def numbers_of(facts: Mapping[str, Fact]) -> list[tuple[str, str]]:
    """The hits that were not met, and the Damage Value with them."""
    if not facts.get("net_hits"):
        return []
    found = [("Net hits", str(facts["net_hits"]))]
    if "modified_dv" in facts:
        found.append(("Damage Value with net hits", str(facts["modified_dv"])))
    return found
