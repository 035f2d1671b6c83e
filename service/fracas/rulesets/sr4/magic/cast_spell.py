"""Casting a spell in Shadowrun 4, protecting others from spells, and keeping one up no longer.

Rulebook sections 5.1, 9.1 (touching), 10.1, 10.2, 11.6, 11.7 and 16. Magic + Spellcasting, of whose hits the Force lets
as many count; against Body or Willpower for a direct spell, against Reaction for one that strikes like a shot. Whatever
comes of it, the caster resists drain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, person, text, vocabulary
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import has_record, reported_as
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Stage, share
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.harms.damage import OF_ALL, Plan, grazing
from fracas.rulesets.sr4.harms.harm import Damage, penetrated, protection, worn_armor
from fracas.rulesets.sr4.magic.spell_facts import (
    AGAINST_DRAIN,
    AVOID,
    CAST_SPELL,
    CASTER,
    CASTING,
    DEFENSE,
    DIRECT,
    DOES,
    DRAIN,
    OF_DRAIN,
    OPPOSITION,
    OWNERS,
    RAISED_ATTRIBUTE,
    SOAK,
    SPELL_ARMOR,
    TARGETS,
    TOUCH,
    avoid_base,
    cast_base,
    derive,
    drain_base,
    drain_value,
    focus_fields,
    has_to_touch,
    is_attack,
    people_of,
    seen_by,
    touch_base,
)
from fracas.rulesets.sr4.magic.spell_outcomes import SUSTAINING, aid_of, condition_and_field, drain_of
from fracas.rulesets.sr4.magic.spell_stages import (
    DECISION,
    LEAST_DRAIN,
    NET_HITS,
    Spell,
    Subject,
    Touching,
    begin,
)
from fracas.rulesets.sr4.ranged.shot import defense_base
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import RollRules, Side, side_of
from fracas.rulesets.sr4.sheet import FLOOR, by_rule, pool_given, soak_entries
from fracas.rulesets.sr4.vocabulary import combatant_fields

MEASURES = (
    chance("damage", "Expected number of people hurt", "hurt"),
    *OF_ALL,
    chance("success", "Chance that a spell without an attack works"),
    *OF_DRAIN,
)
"""Over all branches together; of a single target, a number of people is a chance."""


class CastSpell(Procedure):
    """One spell, and its drain."""

    id = "cast-spell"
    label = "Cast a spell"
    doc = "Spellcasting against those who resist or dodge, what the spell does, and the resistance to drain."
    vocabulary = CAST_SPELL
    decisions = (*dice_test.DECISIONS, DECISION)
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = OWNERS
    measures = MEASURES

    inner = tuple(to for to in TARGETS if to != CASTING)

    def numbers(self, it: Attempt) -> None:
        it.facts = facts = derive(it.asked)
        if has_to_touch(facts, it.asked.said.facts):
            it.tally(TOUCH, *touch_base(facts), least=0, floor=FLOOR)
            if is_attack(facts) and not facts.get("target.unaware"):
                it.tally(AVOID, *avoid_base(facts), least=0, floor=FLOOR)
        it.tally(CASTING, *cast_base(facts), least=0, floor=FLOOR)
        subjects = []
        if is_attack(facts):
            subjects = [share(_subject(who, it)) for who in people_of(facts)]
        value = it.tally(DRAIN, *drain_value(facts))  # net hits may add to it before it is raised
        it.keep(value.at_least(LEAST_DRAIN, "Drain is never below 1"))
        resist = it.tally(AGAINST_DRAIN, *drain_base(facts, it.catalog), least=0, floor=FLOOR)
        it.shown |= {name: facts[name] for name in _SHOWN if name in facts}
        drain = drain_of(it, value.total, resist.total, physical=facts["spell.overcast"])
        it.plan = tuple(subjects), drain, None if is_attack(facts) else aid_of(facts, it.asked)

    def first(self, it: Attempt) -> Stage:
        """The attack to touch, where there has to be one, or the Spellcasting test."""
        facts, asked, (subjects, drain, aid) = it.facts, it.asked, it.plan
        spell = share(
            Spell(
                facts["force"],
                facts.get("spell.attack", ""),
                side_of("spell", CASTER, it.total(CASTING), facts, asked, says=True),
                subjects,
                bool(facts["spell.area"]),
                aid,
                drain,
                bool(asked.options.get("direct_spell_net_drain", False)),
                NET_HITS in asked.open,
                RollRules.of(asked.options),
            )
        )
        if TOUCH not in it.made:
            return begin(spell)
        first, second = side_of("touch", CASTER, it.total(TOUCH), facts, asked), None
        if AVOID in it.made:
            second = side_of("avoid", "target", it.total(AVOID), facts, asked)
        ties = grazing(asked.options)
        rules = RollRules.of(asked.options, both_hits=second is not None and ties == "hits")
        return dice_test.start(first, second, Touching(spell, second is not None, ties), rules)


def _subject(who: str, it: Attempt) -> Subject:
    """Somebody whom the spell may harm, with the numbers against it."""
    seen = seen_by(it.facts, who)
    reached = not it.facts["spell.area"] or seen.get("target.center_distance", 0) <= it.facts["force"]
    against = _against_direct if it.facts["spell.attack"] == DIRECT else _against_indirect
    with reported_as({"target": who}):
        opposes, resistance, plan = against(who, it.of("" if who == "target" else who, seen))
    return Subject(who, opposes, resistance, reached, share(plan))


def _against_direct(who: str, it: Attempt) -> tuple[Side | None, int, Plan]:
    """Body or Willpower with Counterspelling; a thing has its resistance. The damage meets no armor."""
    seen = it.facts
    plan = _plan(who, it, 0, Side("soak", who, 0), False)
    if _OBJECT in seen:
        return None, seen[_OBJECT], plan
    name = seen["spell.resist"]
    base = pool_given(seen, "target.pool") or [Entry(name, name.capitalize(), seen[f"target.{name}"])]
    it.tally(OPPOSITION, *base, *_counterspelling(seen), least=0, floor=FLOOR)
    return _opposing("resist", who, OPPOSITION, it), 0, plan


def _against_indirect(who: str, it: Attempt) -> tuple[Side | None, int, Plan]:
    """Reaction, unless unaware; the damage meets half the Impact armor, Body and Counterspelling."""
    seen, opposes = it.facts, None
    if not seen.get("target.unaware"):
        it.tally(DEFENSE, *defense_base(seen), least=0, floor=FLOOR)
        opposes = _opposing("defense", who, DEFENSE, it)
    element = seen.get("spell.element", "")
    harm = Damage((), (), True, "impact", _track(seen), element == "electricity", False, element)
    against = protection(seen, "target", element)
    parts = penetrated(worn_armor(seen, "impact"), harm, it.options, avoided=False, against=against)
    rating = it.tally(SPELL_ARMOR, *parts, least=0, floor=FLOOR).total
    base = soak_entries(seen, "target", rating)
    base[2:2] = _counterspelling(seen)
    it.tally(SOAK, *base, least=0, floor=FLOOR)
    return opposes, 0, _plan(who, it, rating, _opposing("soak", who, SOAK, it), opposes is not None)


def _counterspelling(seen: Mapping[str, Any]) -> list[Entry]:
    dice = seen.get("target.counterspelling", 0)
    return by_rule("counterspelling", "Counterspelling", dice)


def _opposing(label: str, who: str, to: str, it: Attempt) -> Side:
    return side_of(label, "target", it.total(to), it.facts, it.asked)._replace(by=who)


def _track(seen: Mapping[str, Any]) -> str:
    """The monitor that it fills; electricity is Stun unless noted (section 11.6)."""
    return str(seen.get("spell.damage", "stun"))


def _plan(who: str, it: Attempt, armor: int, soak: Side, defended: bool) -> Plan:
    seen = it.facts
    vehicle, direct, thing = seen.get("target.vehicle"), seen["spell.attack"] == DIRECT, _OBJECT in seen
    plan = Plan.of(
        seen,
        it.asked,
        seen["force"],
        armor,
        0,
        _track(seen),
        "" if direct else seen.get("spell.element", ""),
        knockdown=seen.get("target.body", 1000),
        defended=defended,
        hard=bool(vehicle) and not direct,
        falls=not vehicle and not thing,
        who=who,
    )
    ties = "off" if plan.grazing == "off" else "hits"  # a spell without a hit fails
    return plan._replace(
        resist=soak, grazing=ties, track=_track(seen), monitors=None if thing else plan.monitors
    )


_OBJECT = "target.object_resistance"
_SHOWN = (
    "spell.overcast",
    "caster.wound_modifier",
    "target.wound_modifier",
    "target.encumbrance",
)


COUNTERSPELLING = "counterspelling"
"""The skill, and the condition of the packs; its field has the dice."""
PROTECTED = "protected"
"""The condition of those whom somebody else protects; it ends with that one's."""
DICE = "counterspelling.dice"
ALLIES = tuple(f"ally_{number}" for number in range(1, 9))


def _of_ally(who: str) -> Iterator[Field]:
    yield from fields(who, name=text("Name", most=80, example="Rook"))


DECLARE_COUNTERSPELLING = vocabulary(
    Record("caster", "Magician", "combatant"),
    *(
        person(who, f"Ally {number}", "One that the magician protects.")
        for number, who in enumerate(ALLIES, start=1)
    ),
    combatant_fields("caster"),
    focus_fields("caster", "counterspelling", "power"),
    (field for who in ALLIES for field in _of_ally(who)),
)

DROP_SPELL = vocabulary(
    Record("caster", "Caster", "combatant"),
    person("target", "Who bears the spell", "The caster if left out.", optional=True),
    Record("spell", "Spell", "power", "Left out: one that has no effect that a fight keeps."),
    combatant_fields("caster"),
    fields("target", name=text("Name", most=80, example="Rook")),
    fields(
        "spell",
        name=text("Name", most=80),
        does=choice("What it does", choices=DOES),
    ),
    RAISED_ATTRIBUTE,
)


class DeclareCounterspelling(Procedure):
    """Add the skill Counterspelling to the resistance of allies, until one's own next action."""

    id = "declare-counterspelling"
    label = "Declare counterspelling"
    doc = "The dice of the skill Counterspelling protect the magician and those who are named."
    vocabulary = DECLARE_COUNTERSPELLING
    targets: Mapping[str, str] = {DICE: "Dice of counterspelling"}
    measures = (mean("dice", "Dice"),)

    def numbers(self, it: Attempt) -> None:
        rating = it.need("caster.skills", "the skill ratings", {}).get(COUNTERSPELLING, 0)
        it.tally(DICE, Entry("skill", "Counterspelling", rating), least=0, floor=FLOOR)
        if not rating and not it.faults.problems:
            label = "Nobody protects others without the skill Counterspelling"
            it.refused.append(Refusal("no_default", label))

    def first(self, it: Attempt) -> Stage:
        return Protection(it.total(DICE), tuple(who for who in ALLIES if has_record(it.facts, who)))


class Protection(Outcome, kind="sr4.protection"):
    """Who is protected, with how many dice."""

    dice: int
    allies: tuple[str, ...]

    def notes(self) -> Facts:
        return {"dice": self.dice, "protected": len(self.allies)}

    def changes(self) -> Iterator[Effect]:
        sets: tuple[tuple[str, Fact], ...] = ((f"set_{COUNTERSPELLING}", self.dice),)
        for who, condition, towards in (
            *((CASTER, COUNTERSPELLING, who) for who in self.allies),
            *((who, PROTECTED, CASTER) for who in self.allies),
        ):
            yield Effect("add-condition", who, condition, None, (*sets, ("towards", towards)))
        if not self.allies:
            yield Effect("add-condition", CASTER, COUNTERSPELLING, None, sets)


class DropSpell(Procedure):
    """Keep up a spell no longer."""

    id = "drop-spell"
    label = "Drop a sustained spell"
    doc = "The caster keeps up one spell less, and what it did to its bearer is gone."
    vocabulary = DROP_SPELL
    measures = (Measure("dropped", "Spells dropped", lambda facts: 1.0),)

    def first(self, it: Attempt) -> Stage:
        condition, _ = condition_and_field(it.facts)
        return Dropped("target" if has_record(it.facts, "target") else CASTER, condition)


class Dropped(Outcome, kind="sr4.spell-dropped"):
    """A spell is over; `condition` is what it had put on its bearer, "" for nothing that a fight keeps."""

    bearer: str
    condition: str

    def notes(self) -> Facts:
        return {"dropped": True}

    def changes(self) -> Iterator[Effect]:
        yield Effect("remove-condition", CASTER, SUSTAINING, 1)
        if self.condition:
            yield Effect("remove-condition", self.bearer, self.condition, None, (("towards", CASTER),))
