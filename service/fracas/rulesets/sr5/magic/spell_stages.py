"""From the casting of a combat spell to boxes of its targets and of its caster: rulebook section 11.7.

    casting -> fork: one branch for each target (its test, then damage), and the drain

The hits of the casting hold against everybody.
"""

from __future__ import annotations

from fracas.kernel.forms import Part
from fracas.kernel.stage import Facts, Fork, Shared, Stage, share
from fracas.rulesets.sr5.harms.damage import GRAZE, HIT, MISS, AttackOutcome, Plan, soak
from fracas.rulesets.sr5.magic.drain import DRAIN, Resistance
from fracas.rulesets.sr5.magic.spell_defense import DefensesUsed
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, Side

AREA_THRESHOLD = 3


class Subject(Part, kind="sr5.subject"):
    """A combatant on whom the spell is cast.

    Attributes:
        opposes: the test against it; None where there is none.
        plan: how damage is resisted; its value is the Force, or 0 of a direct spell.
    """

    opposes: Side | None
    plan: Plan


class Spell(Part, kind="sr5.spell"):
    """What the stages after the casting need.

    Attributes:
        direct: net hits are the damage, and nothing is soaked or converted.
        threshold: hits that an area needs before it strikes where it should; 0 for none.
        drain: Damage Value of the drain.
        resist: how the caster resists that.
        guarded: protections that are used up, see `spell_defense.DefensesUsed`.
    """

    direct: bool
    threshold: int
    drain: int
    resist: Resistance
    subjects: tuple[Shared[Subject], ...]
    guarded: tuple[tuple[str, str], ...] = ()


class Casting(Receiver, kind="sr5.casting"):
    """Takes the casting."""

    spell: Shared[Spell]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        spell = self.spell.value
        branches: list[tuple[str, Stage]] = [
            (subject.value.plan.who, _strike(spell, subject, hits)) for subject in spell.subjects
        ]
        if spell.guarded:
            branches.append(("", DefensesUsed(spell.guarded)))
        return Fork((*branches, (DRAIN, spell.resist.resisted(spell.drain, hits, spent[0]))))

    def notes(self) -> Facts:
        return {"drain": self.spell.value.drain}


def _strike(spell: Spell, shared: Shared[Subject], hits: int) -> Stage:
    """What the casting means for one target."""
    subject = shared.value
    missed = AttackOutcome(MISS, 0, "", share(subject.plan._replace(defended=False)), (0, 0))
    if hits <= spell.threshold and (spell.threshold == 0 or hits < spell.threshold):
        return missed
    struck = Struck(spell.direct, hits - spell.threshold, share(subject.plan))
    if subject.opposes is None:
        return struck.take(0, 0, (0, 0))
    return dice_test.start(subject.opposes, None, struck)


class Struck(Receiver, kind="sr5.spell-struck"):
    """Takes the test of one target against the hits of the casting."""

    direct: bool
    hits: int
    plan: Shared[Plan]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        net = self.hits - hits
        paid = (0, spent[0])
        if net < 0 or (net == 0 and self.direct):
            return AttackOutcome(MISS, 0, "", self.plan, paid)
        if net == 0 and plan.defended:
            return AttackOutcome(GRAZE, 0, "", self.plan, paid)
        if self.direct:
            harmless = plan.vehicle and plan.track == "stun"
            return AttackOutcome(HIT, 0 if harmless else net, "" if harmless else plan.track, self.plan, paid)
        return soak(self.plan, plan.value + net, net, paid)

    def short(self, hits: int, other_hits: int) -> int:
        return self.hits - hits

    def notes(self) -> Facts:
        return {"casting_hits": self.hits}
