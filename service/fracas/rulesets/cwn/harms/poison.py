"""Poison: the Physical save, what a medic adds to it, and what the poison does (rulebook sections 9.4 and 10.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Stage, lasting
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.kernel.written_dice import dice_of, dice_text
from fracas.rulesets.cwn.checks import saves
from fracas.rulesets.cwn.checks.skill_check import UNTRAINED
from fracas.rulesets.cwn.harms import harm
from fracas.rulesets.cwn.vocabulary import FOCUS_LEVELS, FRAIL, HP_LEFT, LEVELS, POISON_IMMUNE, trauma_sources

VICTIM, MEDIC = "victim", "medic"
NOTHING, DAMAGE = "nothing", "damage"
MEDIC_UNSKILLED, MEDIC_PER_LEVEL = 1, 2
"""What a medic of Heal-0 adds to the save, and for each level."""
CHOKEOUT = "chokeout"
"""The poison that kills upon a natural 1."""
GOES_ON = "suffer-poison"
"""The action of a round's damage, which a timer takes."""


_DICE = ("damage", "damage_rounds")


class Poison(Procedure):
    """A Physical save with the strength of the poison and a medic's help; then its damage and its conditions."""

    vocabulary = vocabulary(
        person(VICTIM, "Victim"),
        person(MEDIC, "Medic", "Within a minute, with a medkit.", optional=True),
        Record("drug", "Poison", "drug", "A poison of the packs, or fields of one, or both."),
        Record("poison", "The poisoning"),
        harm.injury_fields(VICTIM),
        fields(
            VICTIM,
            named=flag("Has a name", "A nameless one dies at 0 HP."),
            hp=HP_LEFT,
            frail=FRAIL,
            machine=flag("Machine", "Left out: a being."),
            poison_immune=POISON_IMMUNE,
            foci=FOCUS_LEVELS,
            trauma_sources=trauma_sources(),
            held_down=flag("Held down by two", "Hellbender does nothing then."),
        ),
        fields(MEDIC, skills=LEVELS, skill_bonus=whole("Skill of the stat block", "", -5, 20)),
        fields(
            "drug",
            name=text("Name", most=80),
            poison=flag("Poison"),
            on_save=choice(
                "On a save", "What a made save leaves; nothing unless given.", choices=(NOTHING, DAMAGE)
            ),
            damage=text("Damage", "Dice. Left out: none.", most=20, example="1d10"),
            damage_rounds=text("Rounds of damage", "For how many rounds it deals its damage.", most=20),
        ),
        fields(
            "poison",
            strength=whole(
                "Strength", "Added to the save: 4 for the weakest poison, -4 for the direst.", -4, 4
            ),
            bonus=whole("Circumstances", "Added to the save.", -20, 20),
            works=flag("Works on", "The damage of a later round, without a save."),
        ),
    )
    targets = saves.save_targets(saves.PHYSICAL, records=(VICTIM,))
    measures = (
        chance("saved", "Chance to save"),
        Measure("hp-loss", "Expected loss of hit points", harm.hp_lost),
        chance("down", "Chance to fall", but=(harm.NOBODY_DOWN,)),
        chance("down", "Chance to die at once", "dead", among=(harm.DEAD,)),
    )

    def numbers(self, it: Attempt) -> None:
        for name in _DICE:
            dice_text(it.facts, f"drug.{name}", it.faults)
        risk, save = harm.risk_of(it.request, it.facts, VICTIM, VICTIM)
        it.plan = _plan(it, risk), 0
        if not it.facts.get("poison.works"):
            made = saves.number_of_save(it, VICTIM, saves.PHYSICAL, *_helped(it.facts))
            if made is not None and save is not None:
                it.plan = _plan(it, risk), save.total - made.total
        elif it.need("drug.damage", "its damage") and save is not None:
            it.keep(save)

    def first(self, it: Attempt) -> Stage:
        plan, unhelped = it.plan
        if it.facts.get("poison.works"):
            return PoisonDamage(plan, False, True)
        # What changes the one save changes that against a Major Injury too.
        target = saves.total_of_save(it, VICTIM)
        return PoisonSave(plan._replace(risk=plan.risk._replace(save=target + unhelped)), target)


def _helped(facts: Mapping[str, Any]) -> Iterable[Entry]:
    """The strength of the poison, circumstances, and the medic."""
    strength = facts.get("poison.strength", 0)
    yield from saves.bonus_entries(strength, "strength", "Weak poison" if strength > 0 else "Strong poison")
    yield from saves.bonus_entries(facts.get("poison.bonus", 0))
    level = facts.get(f"{MEDIC}.skill_bonus")
    if f"{MEDIC}.skills" in facts:
        level = facts[f"{MEDIC}.skills"].get("heal", UNTRAINED)
    if level is not None and level >= 0:
        yield from saves.bonus_entries(level * MEDIC_PER_LEVEL or MEDIC_UNSKILLED, "medic", "Medic")


def _plan(it: Attempt, risk: harm.Risk) -> PoisonPlan:
    facts, entry = it.facts, it.request.entry("drug")
    slug, hp = entry.slug if entry else "poison", facts.get(f"{VICTIM}.hp")
    falls = (harm.fall_of(facts, VICTIM, lethal=kills) for kills in (True, False))
    lethal, not_lethal = (harm.Body(0, True, 0, hp, fall) for fall in falls)
    texts = (dice_of(facts, f"drug.{name}") for name in _DICE)
    damage, rounds = (None if dice is None else PoisonDice(*dice) for dice in texts)
    harms = facts.get("drug.on_save", NOTHING) == DAMAGE
    conditions = entry.data.get("conditions", ()) if entry else ()
    does = damage, rounds, harms, slug == CHOKEOUT, tuple(conditions)
    return PoisonPlan(slug, *does, lethal, not_lethal, risk)


class PoisonDice(Part, kind="cwn.poison-dice"):
    """Dice and what is added to them."""

    dice: int
    sides: int
    plus: int

    @property
    def request(self) -> Total:
        return Total(((self.dice, self.sides),), self.plus)


class PoisonPlan(Part, kind="cwn.poison-plan"):
    """What is settled before the save.

    Attributes:
        drug: slug of the poison.
        damage: dice, without `rounds` at once, otherwise in each of so many rounds.
        harms_saved: a made save leaves damage that does not kill.
        kills_on_one: a natural 1 kills.
        conditions: what a failed save brings.
        lethal, not_lethal: the body, by what 0 hit points mean to it.
        risk: of a Major Injury.
    """

    drug: str
    damage: PoisonDice | None
    rounds: PoisonDice | None
    harms_saved: bool
    kills_on_one: bool
    conditions: tuple[str, ...]
    lethal: harm.Body
    not_lethal: harm.Body
    risk: harm.Risk | None

    @property
    def unhurt(self) -> harm.Hurt:
        return harm.Hurt.by(self.lethal, 0, 0)


class PoisonSave(Waiting, kind="cwn.poison-save"):
    """Waits for the d20."""

    plan: PoisonPlan
    target: int
    awaits = rolls("save", VICTIM, lambda self: Total(((1, 20),)))
    reports = (("save", "target"),)

    def advance(self, answer: Any) -> Stage:
        plan = self.plan
        if answer >= saves.least_face(self.target):
            harms = plan.harms_saved and plan.damage is not None
            return PoisonDamage(plan, True, False) if harms else PoisonEnd(plan, True, 0, plan.unhurt)
        if answer == 1 and plan.kills_on_one:
            return PoisonEnd(plan, False, 0, plan.unhurt._replace(down=harm.DEAD))
        if plan.rounds is not None:
            return PoisonRounds(plan)
        harms = plan.damage is not None and not plan.harms_saved
        return PoisonDamage(plan, False, False) if harms else PoisonEnd(plan, False, 0, plan.unhurt)


class PoisonRounds(Waiting, kind="cwn.poison-rounds"):
    """Waits for the number of rounds in which a poison deals its damage."""

    plan: PoisonPlan
    awaits = rolls("rounds", VICTIM, lambda self: self.plan.rounds.request)

    def advance(self, answer: Any) -> Stage:
        return PoisonEnd(self.plan, False, max(1, answer), self.plan.unhurt)

    def notes(self) -> Facts:
        return {"saved": False}


class PoisonDamage(Waiting, kind="cwn.poison-damage"):
    """Waits for the damage of a poison. `saved`: it does not kill. `later`: of a later round, without a save."""

    plan: PoisonPlan
    saved: bool
    later: bool
    awaits = rolls("damage", VICTIM, lambda self: self.plan.damage.request)
    reports = ("saved",)

    def advance(self, answer: Any) -> Stage:
        plan = self.plan
        hurt = harm.Hurt.by(plan.not_lethal if self.saved else plan.lethal, max(0, answer), 0)
        end = PoisonEnd(plan, self.saved, 0, hurt, self.later)
        return end if self.saved or plan.risk is None else harm.after_harm(end, VICTIM, plan.risk)


class PoisonEnd(Outcome, kind="cwn.poison-end"):
    """What a poison did. `rounds`: in how many it deals its damage from now on. `hurt`: what it did at once, or in this
    round, a `later` one or not."""

    plan: PoisonPlan
    saved: bool
    rounds: int
    hurt: harm.Hurt
    later: bool = False

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"saved": self.saved, "down": self.hurt.down, **self.hurt.facts()}
        return facts | {"rounds": self.rounds} if self.rounds else facts

    def changes(self) -> Iterator[Effect]:
        conditions = self.plan.conditions
        yield from self.hurt.effects(VICTIM)
        works = not self.later and not self.saved and self.hurt.down != harm.DEAD
        for condition in conditions if works else ():
            yield lasting(VICTIM, condition, "round", self.rounds)
        if conditions and (self.later or (works and self.rounds)):  # the damage of the next round
            when = (("when", "turn-end"), ("while", conditions[0]), ("set_drug.use", self.plan.drug))
            yield Effect("schedule", VICTIM, GOES_ON, None, (*when, ("turns", int(self.later))))
