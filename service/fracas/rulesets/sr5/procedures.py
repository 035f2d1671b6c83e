"""The procedures of Shadowrun 5, whose their numbers are, and what their outcomes say to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fracas.kernel.procedures import Procedure, owners_of
from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact
from fracas.rulesets.sr5.attacks.blast import BlastAttack
from fracas.rulesets.sr5.attacks.data_spike import DataSpike
from fracas.rulesets.sr5.attacks.melee import MeleeAttack, MeleeSweep
from fracas.rulesets.sr5.attacks.ranged import EscapeSuppression, RangedAttack, RangedVolley, SuppressiveFire
from fracas.rulesets.sr5.harms.care import FirstAid, TakeDrug
from fracas.rulesets.sr5.harms.damage import HIT
from fracas.rulesets.sr5.harms.damage_resistance import DamageResistance
from fracas.rulesets.sr5.magic.cast_spell import CastSpell, SpellDefense
from fracas.rulesets.sr5.magic.spirits import BanishSpirit, SummonSpirit
from fracas.rulesets.sr5.rolls.initiative import Initiative
from fracas.rulesets.sr5.rolls.success_test import DeadMansTrigger, ExtendedTest, OpposedTest, SuccessTest
from fracas.rulesets.sr5.rolls.surprise import CoinToss, SurpriseTest

PROCEDURES: tuple[Procedure, ...] = (
    RangedAttack(),
    RangedVolley(),
    SuppressiveFire(),
    EscapeSuppression(),
    MeleeAttack(),
    MeleeSweep(),
    BlastAttack(),
    CastSpell(),
    SpellDefense(),
    SummonSpirit(),
    BanishSpirit(),
    DataSpike(),
    DamageResistance(),
    FirstAid(),
    TakeDrug(),
    SuccessTest(),
    OpposedTest(),
    ExtendedTest(),
    DeadMansTrigger(),
    Initiative(),
    CoinToss(),
    SurpriseTest(),
)

TALLIES: Mapping[str, str] = owners_of(PROCEDURES)
"""Whose number each tally is, as a record of the procedure."""

_RESISTING = ("resistance", "drain", "soak", "biofeedback", "dumpshock")


def is_test(tally: str) -> bool:
    """Whether a number is the pool of a test that shocks make harder: all but those that resist damage or drain."""
    name, _, last = tally.rpartition(".")
    return last == "pool" and not name.endswith(_RESISTING)


GROUPS: Mapping[str, Sequence[str]] = {"tests.all": tuple(to for to in TALLIES if is_test(to))}
"""Words that stand for several tallies in what changes them."""


ATTACKS: Mapping[str, Attack] = {
    **dict.fromkeys(("ranged-attack", "ranged-volley", "blast-attack", "escape-suppression"), Attack()),
    **dict.fromkeys(("melee-attack", "melee-sweep"), Attack()),
    "data-spike": Attack(means=""),
    "cast-spell": Attack(by="caster", means="spell"),
}


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """Boxes of damage, and what became of the target."""
    result = str(facts.get("result") or "")
    boxes = int(facts.get("damage") or 0)
    words = [*_words(facts, boxes)]
    return Struck(result == HIT, result, boxes, words) if result or words else None


def _words(facts: Mapping[str, Fact], boxes: int) -> Iterator[str]:
    if boxes:
        kind = str(facts.get("track") or "matrix").capitalize()
        yield f"{boxes} {'box' if boxes == 1 else 'boxes'} of {kind} damage"
    for name, words in (("bricked", "bricked"), ("knockdown", "knocked down")):
        if facts.get(name):
            yield words
    if down := next((name for name in ("dead", "dying", "unconscious") if facts.get(name)), ""):
        yield down
