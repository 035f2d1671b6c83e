"""Combat spells of Shadowrun 5, and the defense of others against spells: rulebook sections 5 and 11.7.

    casting -> fork: one branch for each target (its test, then damage), and the drain

The hits of the casting hold against everybody. By the house rules everybody protected has the whole skill
Counterspelling, and as many people are protected as the Magic. A protection is used up by the first spell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import in_place_of, require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Facts, Fork, Shared, Stage, share
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5.attacks import attack
from fracas.rulesets.sr5.attacks.attack import SEVERAL, others
from fracas.rulesets.sr5.combatant import COVER, ELEMENTS, combatant_fields, resisting_fields
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.magic import magicians
from fracas.rulesets.sr5.magic.magicians import CASTER, CASTER_FIELDS, DRAIN, Resistance
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import derive_resisting, derive_side, pool_entries

PROTECTOR = "protector"
COUNTERSPELLING = "counterspelling"
DICE = "spell-defense.dice"
PROTECTED = "spell-protected"
"""The condition of the packs; it sets the dice."""
DEFENDING = "defending-against-spells"
"""The condition of a combatant who defends themselves; it lets their own skill count."""


class SpellDefense(Procedure):
    """The dice of Counterspelling for as many people as the Magic, against one spell."""

    vocabulary = vocabulary(
        person(PROTECTOR, "Magician"),
        person("target", "The protected", "Left out: the magician alone.", optional=True),
        *others("Another one who is protected.", "Protected", optional=True),
        combatant_fields(
            PROTECTOR, magic=whole("Magic", "So many people are protected.", most=50, example=5)
        ),
        fields(*SEVERAL, name=text("Name", most=80, example="Rook")),
    )
    targets: Mapping[str, str] = {DICE: "Dice against spells"}
    measures = (mean("dice", "Dice"),)

    def numbers(self, it: Attempt) -> None:
        skills = it.need(f"{PROTECTOR}.skills", "the skill ratings", {})
        magic = it.need(f"{PROTECTOR}.magic", "Magic")
        skill = Entry("skill", "Counterspelling", skills.get(COUNTERSPELLING, 0))
        dice = dice_test.make_pool(it, DICE, skill)
        known = {name.partition(".")[0] for name in it.facts} | set(it.request.input.used)
        it.plan = [who for who in SEVERAL if who in known] or [PROTECTOR]
        if len(it.plan) > magic:
            it.refused.append(Refusal("too_many", "No more people than the Magic are protected"))
        if not dice.total:
            it.refused.append(Refusal("no_counterspelling", "There are no dice to protect with"))

    def first(self, it: Attempt) -> Stage:
        return Guarded(tuple(it.plan), it.total(DICE))


class Guarded(Outcome, kind="sr5.spell-guarded"):
    """Who is protected, with how many dice."""

    people: tuple[str, ...]
    dice: int

    def notes(self) -> Facts:
        return {"dice": self.dice, "people": len(self.people)}

    def changes(self) -> Iterator[Effect]:
        detail = (("towards", PROTECTOR), (f"set_{COUNTERSPELLING}", self.dice))  # each magician's by itself
        return (Effect("add-condition", who, PROTECTED, None, detail) for who in self.people)


class DefensesUsed(Outcome, kind="sr5.spell-defenses-used"):
    """Protections that a spell has used up: the records of who had them, each with its condition."""

    used: tuple[tuple[str, str], ...]

    def changes(self) -> Iterator[Effect]:
        return (Effect("remove-condition", who, what) for who, what in self.used)


_FLAGS = (("spell_protected", PROTECTED), ("spell_defense", DEFENDING))
"""By which fields conditions report the protections of targets."""
DIRECT, INDIRECT, AREA = "direct", "indirect", "area"
POOL, LIMIT, DRAIN_VALUE = "spellcasting.pool", "spellcasting.limit", "drain.value"
RESIST, DEFENSE = "spell-resistance.pool", "spell-defense.pool"
OF_TARGETS = {RESIST: "Pool against the spell", DEFENSE: "Defense pool", **damage.TARGETS}
AREA_THRESHOLD = 3


def _of_targets(measure: Measure) -> Measure:
    """A measure that does not count what the spell costs its caster."""
    return measure._replace(of=lambda facts: measure.of(facts) if "result" in facts else 0.0)


class CastSpell(dice_test.TestingProcedure):
    """Magic + Spellcasting [Force] against one target or an area, damage, and drain."""

    label = "Cast a combat spell"
    vocabulary = vocabulary(
        person("caster", "Caster"),
        Record("spell", "Spell", "power", "A spell of the packs, or fields of one, or both."),
        Record("damage", "What hurts"),
        person("target", "Target"),
        *others("Another target of a spell that strikes an area."),
        CASTER_FIELDS,
        fields(
            "caster",
            specialized=flag("Specialized", "The specialization covers combat spells."),
            reagents=magicians.REAGENTS,
        ),
        fields("", force=whole("Force", "Also the limit.", 1, 50, example=5)),
        fields(
            "spell",
            name=text("Name", most=80),
            type=choice("Type", choices=("spell", "adept-power", "critter-power")),
            form=choice("Form", choices=(DIRECT, INDIRECT)),
            resisted_by=choice("Resisted by", choices=("willpower", "body")),
            damage=choice("Damage kind", "Which condition monitor it fills.", choices=("physical", "stun")),
            range=choice("Range", choices=("sight", "touch", AREA)),
            drain=whole("Drain", "Added to the Force.", -20, 20, example=-3),
            element=choice("Element", choices=ELEMENTS),
        ),
        fields(
            "damage",
            element=choice("Element", choices=ELEMENTS, derived_from="spell.element", example="fire"),
        ),
        *map(resisting_fields, SEVERAL),
        fields(
            *SEVERAL,
            pool=whole("Defense or resistance pool", "Dice before modifiers.", most=60),
            counterspelling=whole("Spell defense", "Dice of the magician who protects.", most=40, example=4),
            spell_defense=flag("Own spell defense", "With Counterspelling, unless protected with more."),
            spell_protected=flag("Protected by a magician", "Against the next spell."),
            unaware=flag("Unaware or surprised", "No defense; magic is resisted anyway."),
            sprinting=flag("Sprinting"),
            full_defense=flag("Full defense", "Declared and still in force."),
            defenses_made=whole("Earlier defenses", "Since one's own last action.", most=50),
            cover=choice("Cover", "Partial: over 25 %. Good: over 50 %.", choices=COVER),
        ),
    )
    """A combat spell, and the drain that it brings."""
    targets: Mapping[str, str] = {
        POOL: "Spellcasting pool",
        LIMIT: "Limit",
        DRAIN_VALUE: "Drain",
        magicians.DRAIN_POOL: "Drain resistance pool",
        **attack.labels_of(OF_TARGETS),
    }
    owners: Mapping[str, str] = dict.fromkeys(OF_TARGETS, "target")
    measures = (
        chance("result", "Expected number struck", "struck", among=(damage.HIT,)),
        *(_of_targets(measure) for measure in damage.MEASURES if measure.id != "hit"),
        Measure(
            "drain",
            "Expected boxes of drain",
            lambda facts: 0.0 if "result" in facts else float(facts.get("damage") or 0),
        ),
    )
    inner: Collection[str] = tuple(attack.named(who, damage.ARMOR) for who in SEVERAL)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        it.plan = []
        require(facts, _needed(facts))
        with it.faults.collect():
            derive_side(facts, CASTER)
            if "spell.element" in facts:
                facts["damage.element"] = facts["spell.element"]
            limit, trinket = magicians.by_reagents(it)
            pool = pool_entries(facts, CASTER, ("magic",), "spellcasting")
            dice_test.make_pool(it, POOL, *pool, *trinket)
            dice_test.make_limit(it, LIMIT, limit)
            lines = Entry("force", "Force", facts["force"]), Entry("spell", "Spell", facts["spell.drain"])
            it.tally(DRAIN_VALUE, *lines, least=magicians.LEAST_DRAIN, floor="Drain is never less than 2")
            magicians.resist_drain(it)
        for record in attack.targets_of(facts):
            one = attack.attempt_on(it, record, in_place_of(facts, record))
            with it.faults.collect({"target": record}):
                _resist(one)
                it.plan.append((record, one.facts))

    def first(self, it: Attempt) -> Stage:
        facts, direct = it.facts, it.facts["spell.form"] == DIRECT
        subjects = tuple(share(_subject(attack.attempt_on(it, record, seen))) for record, seen in it.plan)
        used = ((who, what) for who, _ in it.plan for name, what in _FLAGS if facts.get(f"{who}.{name}"))
        threshold = AREA_THRESHOLD if facts.get("spell.range") == AREA and not direct else 0
        resist = magicians.resistance(it)
        spell = Spell(direct, threshold, it.total(DRAIN_VALUE), resist, subjects, tuple(used))
        return dice_test.alone(it, "casting", CASTER, POOL, Casting(share(spell)), it.total(LIMIT))


def _needed(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "spell.form", "a combat spell, or its form"
    yield "spell.damage", "physical or stun"
    yield "spell.drain", "the drain of the spell"
    yield "force", "the Force"
    yield "caster.magic", "Magic of the caster"
    if facts.get("spell.form") == DIRECT:
        yield "spell.resisted_by", "what resists a direct spell"


def _resist(one: Attempt) -> None:
    """Make the numbers of one target: of its test against the spell, and of how it takes the damage.

    Willpower or Body counts against a direct spell, expected or not; against others Reaction + Intuition, but in areas.

    Raises:
        InputError: something of the target is missing.
    """
    facts = one.facts
    derive_resisting(facts, "target")
    if facts.get("target.spell_defense"):
        own = facts.get("target.skills", {}).get("counterspelling", 0)
        facts["target.counterspelling"] = max(own, facts.get("target.counterspelling", 0))
    if facts["spell.form"] == DIRECT:
        lines = magicians.of_a_machine(one) if (by := facts["spell.resisted_by"]) == "body" else []
        dice_test.make_pool(one, RESIST, *(lines or pool_entries(facts, "target", (by,))))
        return
    if not (facts.get("target.unaware") or facts.get("spell.range") == AREA):
        dice_test.make_pool(one, DEFENSE, *pool_entries(facts, "target", ("reaction", "intuition")))
    damage.past_immunity(facts)
    damage.resist(one, [("force", "the spell", -facts["force"])])


def _subject(one: Attempt) -> Subject:
    """One target, with its test against the spell."""
    facts, direct = one.facts, one.facts["spell.form"] == DIRECT
    pool, label = one.known(RESIST if direct else DEFENSE), "resistance" if direct else "defense"
    opposes = None if pool is None else dice_test.side_of(one, label, "target", pool)
    value, element = (0, "") if direct else (facts["force"], facts.get("spell.element", ""))
    plan = damage.plan_of(one, value, facts["spell.damage"], element, by=CASTER)
    return Subject(opposes, plan._replace(defended=not direct and opposes is not None))


class Subject(Part, kind="sr5.subject"):
    """A combatant that the spell is cast on.

    Attributes:
        opposes: the test against it; None where there is none.
        plan: how damage is resisted; its value is the Force, or 0 of a direct spell.
    """

    opposes: dice_test.Side | None
    plan: damage.Plan


class Spell(Part, kind="sr5.spell"):
    """What the stages after the casting need.

    Attributes:
        direct: net hits are the damage, and nothing is soaked or converted.
        threshold: hits that an area needs before it strikes where it should; 0 for none.
        drain: Damage Value of the drain.
        resist: how the caster resists that.
        guarded: protections that are used up, see `DefensesUsed`.
    """

    direct: bool
    threshold: int
    drain: int
    resist: Resistance
    subjects: tuple[Shared[Subject], ...]
    guarded: tuple[tuple[str, str], ...] = ()


class Casting(dice_test.Receiver, kind="sr5.casting"):
    """Takes the casting."""

    spell: Shared[Spell]
    reports = (("drain", "spell.value.drain"),)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        spell = self.spell.value
        branches = [(subject.value.plan.who, _strike(spell, subject, hits)) for subject in spell.subjects]
        used = [("", DefensesUsed(spell.guarded))] if spell.guarded else []
        return Fork((*branches, *used, (DRAIN, spell.resist.resisted(spell.drain, hits, spent[0]))))


def _strike(spell: Spell, shared: Shared[Subject], hits: int) -> Stage:
    """What the casting means for one target."""
    subject = shared.value
    if hits < max(1, spell.threshold):
        return damage.AttackOutcome(damage.MISS, 0, "", share(subject.plan._replace(defended=False)), (0, 0))
    struck = Struck(spell.direct, hits - spell.threshold, share(subject.plan))
    side = subject.opposes
    return struck.on_result(0, 0, (0, 0)) if side is None else dice_test.start(side, None, struck)


class Struck(dice_test.Receiver, kind="sr5.spell-struck"):
    """Takes the test of one target against the hits of the casting."""

    direct: bool
    hits: int
    plan: Shared[damage.Plan]
    lowers = "hits"
    reports = (("casting_hits", "hits"),)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        net, paid = self.hits - hits, (0, spent[0])
        if net < 0 or (net == 0 and (self.direct or plan.defended)):
            missed = damage.MISS if net or self.direct else damage.GRAZE
            return damage.AttackOutcome(missed, 0, "", self.plan, paid)
        if self.direct:
            boxes, track = (0, "") if plan.vehicle and plan.track == "stun" else (net, plan.track)
            return damage.AttackOutcome(damage.HIT, boxes, track, self.plan, paid)
        return damage.soak(self.plan, plan.value + net, net, paid)
