"""Attacks on avatars: Stun, Kill and Paralyze (rulebook section 14).

A human hacker opposes the check, a Demon has a fixed difficulty. Damage goes through the Shielding of the cyberdeck
and the Neural Buffer to the hit points. Readings: the Trauma Rating multiplies before both; Soak does not help; a
Demon of which everything is gone is fragged; Paralyze is opposed like the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.stage import Effect, Facts, Shared, Stage, lasting, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.kernel.written_dice import dice_of
from fracas.rulesets.cwn.attacks.attack import HARM_MEASURES
from fracas.rulesets.cwn.attacks.attack_vocabulary import target_fields
from fracas.rulesets.cwn.attacks.blows import TraumaDie
from fracas.rulesets.cwn.attacks.facts import BASE_TRAUMA_TARGET, of_implants
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.checks import skill_check
from fracas.rulesets.cwn.checks.saves import PHYSICAL, save_name, save_targets
from fracas.rulesets.cwn.harms.harm import DEAD, NOBODY_DOWN, Body, Hurt, Risk, after_harm, fall_of, risk_of
from fracas.rulesets.cwn.machines import hack
from fracas.rulesets.cwn.machines.hack import AVATAR_VERBS, HACKER, KILL, PARALYZE, STUN, TARGET

FRAGGED = "demon-fragged"
"""The condition of a Demon of which everything is gone."""
DIE = 10
"""Sides of the dice of damage."""


class CyberStrike(Part, kind="cwn.cyber-strike"):
    """What is settled before the first roll.

    Attributes:
        dice: of the damage.
        shielding, buffer, hp: what the damage meets, in this order; `hp` is None when the request did not say.
        fall: what becomes of the target at 0.
        helpless: the target is unconscious already, and dies of any Kill.
    """

    verb: str
    access: int
    dice: int
    shielding: int
    buffer: int
    hp: int | None
    fall: str
    helpless: bool
    trauma: TraumaDie | None
    risk: Risk


class Striking(Waiting, kind="cwn.cyber-striking"):
    """Waits for the hacker's check; against a Demon (`fixed`) `against` is the difficulty."""

    plan: Shared[CyberStrike]
    bonus: int
    against: int
    ties: bool
    fixed: bool
    awaits = rolls(
        "check",
        HACKER,
        lambda self: Total(skill_check.CHECK_DICE, self.bonus, self.against if self.fixed else None),
    )

    def advance(self, answer: Any) -> Stage:
        if self.fixed:
            return _settled(self.plan, answer)
        return Parrying(self.plan, answer, self.against, self.ties)


class Parrying(Waiting, kind="cwn.cyber-parrying"):
    """Waits for the check of the human hacker who is attacked."""

    plan: Shared[CyberStrike]
    total: int
    against: int
    ties: bool
    awaits = rolls("opposed", TARGET, lambda self: skill_check.opposing(self.against, self.total, self.ties))
    reports = (("check_total", "total"),)

    def advance(self, answer: Any) -> Stage:
        return _settled(self.plan, not answer)


def _settled(plan: Shared[CyberStrike], won: bool) -> Stage:
    one = plan.value
    nothing = Hurt(0, 0, 0, one.hp, "" if one.hp is None else NOBODY_DOWN)
    if not won or one.verb == PARALYZE:
        return CyberEnd(plan, won, 0, 0, nothing)
    if one.verb == KILL and one.helpless:
        return CyberEnd(plan, True, 0, 0, nothing._replace(down=DEAD))
    return CyberDamage(plan)


class CyberDamage(Waiting, kind="cwn.cyber-damage"):
    """Waits for the damage."""

    plan: Shared[CyberStrike]
    awaits = rolls("damage", HACKER, lambda self: Total(((self.plan.value.dice, DIE),), 0))

    def advance(self, answer: Any) -> Stage:
        return CyberTrauma(self.plan, answer) if self.plan.value.trauma else harmed(self.plan, answer, False)


class CyberTrauma(Waiting, kind="cwn.cyber-trauma"):
    """Waits for the Trauma Die of a Kill."""

    plan: Shared[CyberStrike]
    rolled: int
    awaits = rolls("trauma", HACKER, lambda self: self.plan.value.trauma.request)
    reports = (("damage_rolled", "rolled"),)

    def advance(self, answer: Any) -> Stage:
        return harmed(self.plan, self.rolled, answer)


def harmed(plan: Shared[CyberStrike], rolled: int, traumatic: bool) -> Stage:
    """Trauma multiplies; then Shielding, Neural Buffer and hit points."""
    one = plan.value
    damage = rolled * (one.trauma.rating if traumatic and one.trauma else 1)
    shielded = min(one.shielding, damage)
    buffered = min(one.buffer, damage - shielded)
    body = Body(0, True, 0, one.hp, one.fall)
    hurt = Hurt.by(body, damage - shielded - buffered, 0, traumatic)
    return after_harm(CyberEnd(plan, True, shielded, buffered, hurt), TARGET, one.risk)


class CyberEnd(Outcome, kind="cwn.cyber-end"):
    """How it ended; `shielded` and `buffered`: points that Shielding and Neural Buffer took; `hurt`: the body."""

    plan: Shared[CyberStrike]
    success: bool
    shielded: int
    buffered: int
    hurt: Hurt

    def notes(self) -> Facts:
        absorbed = {"shielding_absorbed": self.shielded, "buffer_absorbed": self.buffered}
        return {**self.hurt.facts(), "down": self.hurt.down, "success": self.success, **absorbed}

    def changes(self) -> Iterator[Effect]:
        one, hurt = self.plan.value, self.hurt
        yield from hack.access_spent(HACKER, one.access)
        if self.success and one.verb == PARALYZE:
            yield from hack.runs(PARALYZE, TARGET)
        if self.shielded:
            yield Effect("spend", TARGET, "shielding", self.shielded)
        if self.buffered:
            yield Effect("spend", TARGET, "neural-buffer", self.buffered)
        fragged = hurt.down == FRAGGED
        yield from (hurt._replace(down=NOBODY_DOWN) if fragged else hurt).effects(TARGET)
        if fragged:
            yield lasting(TARGET, FRAGGED, "hour", 1)


CHECK, OPPOSED, TRAUMA_TARGET = "cyber.check", "cyber.opposed", "trauma.target"

_BUFFER = "Points, 3 for each level of the implant. Left out: none."
_UNARMORED = "Complete. Left out: 6 and what beside armor raises it, or trauma_target where that is given."


class CyberAttack(Procedure):
    """Stun, Kill or Paralyze an avatar: an opposed check, and damage to Shielding, Neural Buffer and hit points."""

    label = "Attack in cyberspace"
    vocabulary = vocabulary(
        person(HACKER, "Hacker"),
        person(TARGET, "Avatar's owner", "Another hacker, or a Demon."),
        Record("hack", "The program"),
        hack.programmer_fields(HACKER),
        target_fields(TARGET),
        skill_check.check_fields(TARGET),
        fields(
            TARGET,
            demon=flag("Demon", "Left out: a human hacker."),
            shielding=whole("Shielding left", "Of the cyberdeck. Left out: none.", most=100),
            neural_buffer=whole("Neural Buffer left", _BUFFER, most=100),
            cyber_trauma_target=whole("Trauma Target without armor", _UNARMORED, 1, 60),
            unconscious=flag("Unconscious", "Left out: is not."),
        ),
        fields(
            "hack",
            verb=choice("Verb", choices=AVATAR_VERBS, example=STUN),
            subject=choice("Subject of the program", "Left out: neither.", choices=hack.SUBJECTS),
        ),
        hack.program_fields(),
        fields("hack", fits=flag("The verb works on it", derived_from=f"{TARGET}.demon")),
    )
    targets = {
        CHECK: "Check of the program",
        OPPOSED: "Check of the one attacked, or the difficulty of a Demon",
        TRAUMA_TARGET: OF_AN_ATTACK[TRAUMA_TARGET],
        **save_targets(PHYSICAL, records=(TARGET,)),
    }
    owners = {OPPOSED: TARGET, TRAUMA_TARGET: TARGET}
    measures = (chance("success", "Chance that it works"), *HARM_MEASURES)

    def numbers(self, it: Attempt) -> None:
        facts, verb = it.facts, it.need("hack.verb", "the verb of the program", "")
        if not verb:
            return
        facts |= {f"option.{name}": value for name, value in it.options.items()}
        demon = bool(facts.get(f"{TARGET}.demon"))
        row = row_of(it.lookup, hack.VERBS, verb)
        facts["hack.fits"] = verb != KILL or not demon
        hack.with_costs(facts, HACKER, row)
        it.shown |= {"verb": verb, "access_cost": row["access"]}
        hack.program_check(it, CHECK, HACKER, verb)
        if demon:
            base = Entry("base", "Demon", row_of(it.lookup, hack.CIRCUMSTANCES, "demon")["base"])
            skill = it.need(f"{TARGET}.skill_bonus", "the skill of the Demon")
            it.tally(OPPOSED, base, Entry("skill", "Skill of the Demon", skill))
        else:
            skill_check.number_of_check(it, OPPOSED, TARGET, hack.SKILLS, hack.ATTRIBUTES)
        risk, save = risk_of(it.request, facts, TARGET, TARGET)
        it.plan = row, risk
        if verb == KILL:
            _trauma_target(it)
            if save is not None:
                it.keep(save)

    def first(self, it: Attempt) -> Stage:
        ties, demon = skill_check.wins_ties(it.facts, HACKER, TARGET), bool(it.facts.get(f"{TARGET}.demon"))
        return Striking(share(_strike(it, demon=demon)), it.total(CHECK), it.total(OPPOSED), ties, demon)


def _trauma_target(it: Attempt) -> None:
    """Without armor: the number given, or 6 and what else raises it."""
    names = [f"{TARGET}.{name}" for name in ("cyber_trauma_target", "trauma_target")]
    given = next((it.facts[name] for name in names if name in it.facts), None)
    of_implants(it.facts)
    it.facts["target.printed_trauma_target"] = given is not None
    it.facts["target.armor_trauma"] = 0
    base = Entry("base", "Base", BASE_TRAUMA_TARGET)
    it.tally(TRAUMA_TARGET, base if given is None else Entry("trauma-target", "Trauma Target", given))


def _strike(it: Attempt, *, demon: bool) -> CyberStrike:
    facts, (row, risk) = it.facts, it.plan
    verb, save, trauma = facts["hack.verb"], save_name(PHYSICAL, TARGET), None
    if die := dice_of(row, "trauma_die"):  # of Kill
        trauma = TraumaDie(die.parts, die.plus, it.total(TRAUMA_TARGET), row["trauma_rating"])
    fall = FRAGGED if demon else fall_of(facts, TARGET, lethal=verb == KILL)
    shielding, buffer = (facts.get(f"{TARGET}.{name}", 0) for name in ("shielding", "neural_buffer"))
    body = shielding, buffer, facts.get(f"{TARGET}.hp"), fall, bool(facts.get(f"{TARGET}.unconscious"))
    if save in it.made:
        risk = risk._replace(save=it.total(save))
    dice = max(1, hack.program_level(facts, HACKER))
    return CyberStrike(verb, row["access"], dice, *body, trauma, risk)
