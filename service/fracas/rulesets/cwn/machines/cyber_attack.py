"""Attacks on avatars: Stun, Kill and Paralyze (rulebook section 14).

A human hacker opposes the check, a Demon has a fixed difficulty. Damage goes through the Shielding of the cyberdeck and
the Neural Buffer to the hit points. Readings: the Trauma Rating multiplies before both; Soak does not help; a Demon of
which everything is gone is fragged; Paralyze is opposed like the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Fact, Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.attacks.attack import HARM_MEASURES
from fracas.rulesets.cwn.attacks.attack_vocabulary import target_fields
from fracas.rulesets.cwn.attacks.facts import BASE_TRAUMA_TARGET, dice_of, of_implants
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.attacks.stages import TraumaDie
from fracas.rulesets.cwn.checks.saves import PHYSICAL, save_name, save_targets
from fracas.rulesets.cwn.checks.skill_numbers import check_fields, check_tally, is_won
from fracas.rulesets.cwn.harms.harm import fall_of
from fracas.rulesets.cwn.harms.major_injury import Risk, risk_of
from fracas.rulesets.cwn.machines.cyber_stages import FRAGGED, KILL, PARALYZE, STUN, CyberStrike, Striking
from fracas.rulesets.cwn.machines.hack_vocabulary import (
    HACKER,
    SUBJECTS,
    TARGET,
    program_fields,
    programmer_fields,
)
from fracas.rulesets.cwn.machines.programs import (
    ATTRIBUTES,
    CIRCUMSTANCES,
    SKILLS,
    VERBS,
    program_check,
    program_level,
    with_costs,
)

AVATAR_VERBS = (STUN, KILL, PARALYZE)
CHECK, OPPOSED, TRAUMA_TARGET = "cyber.check", "cyber.opposed", "trauma.target"

TARGETS = {
    CHECK: "Check of the program",
    OPPOSED: "Check of the one attacked, or the difficulty of a Demon",
    TRAUMA_TARGET: OF_AN_ATTACK[TRAUMA_TARGET],
    **save_targets(PHYSICAL, records=(TARGET,)),
}
OWNERS: Mapping[str, str] = {CHECK: HACKER, OPPOSED: TARGET, save_name(PHYSICAL, TARGET): TARGET}
"""Whose number each tally is, as a record."""

_BODY = target_fields(TARGET)
CYBER_ATTACK = vocabulary(
    person(HACKER, "Hacker"),
    person(TARGET, "Avatar's owner", "Another hacker, or a Demon."),
    Record("hack", "The program"),
    programmer_fields(HACKER),
    _BODY,
    check_fields(TARGET),
    fields(
        TARGET,
        demon=flag("Demon", "Left out: a human hacker."),
        shielding=whole("Shielding left", "Of the cyberdeck. Left out: none.", most=100),
        neural_buffer=whole(
            "Neural Buffer left", "Points, 3 for each level of the implant. Left out: none.", most=100
        ),
        cyber_trauma_target=whole(
            "Trauma Target without armor",
            "Complete. Left out: 6 and what beside armor raises it, or trauma_target where that is given.",
            1,
            60,
        ),
        unconscious=flag("Unconscious", "Left out: is not."),
    ),
    fields(
        "hack",
        verb=choice("Verb", choices=AVATAR_VERBS, example=STUN),
        subject=choice("Subject of the program", "Left out: neither.", choices=SUBJECTS),
    ),
    program_fields(),
    fields("hack", fits=flag("The verb works on it", derived_from=f"{TARGET}.demon")),
)


class CyberAttack:
    """One attack on an avatar."""

    id = "cyber-attack"
    label = "Attack in cyberspace"
    doc = "Stun, Kill or Paralyze an avatar: an opposed check, and damage to Shielding, Neural Buffer and hit points."
    vocabulary = CYBER_ATTACK
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("success", "Chance that it works", lambda facts: float(bool(facts["success"]))),
        *HARM_MEASURES,
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        if "hack.verb" not in facts:
            raise lacks("hack.verb", "the verb of the program")
        facts |= {f"option.{name}": value for name, value in asked.options.items()}
        verb, demon = facts["hack.verb"], bool(facts.get(f"{TARGET}.demon"))
        row = row_of(asked.catalog, VERBS, verb)
        facts["hack.fits"] = verb != KILL or not demon
        with_costs(facts, HACKER, row)
        refusals = asked.rules.refusals(facts)
        shown: dict[str, Fact] = {"verb": verb, "access_cost": row["access"]}
        if refusals:
            return Prepared(None, (), refusals, shown)
        numbers = {
            CHECK: program_check(asked, facts, HACKER, CHECK, TARGETS[CHECK], verb),
            OPPOSED: _opposed(asked, facts, demon=demon),
        }
        if verb == KILL:
            numbers[TRAUMA_TARGET] = _trauma_target(asked, facts)
        risk, save = risk_of(asked, facts, TARGET, TARGET)
        if verb == KILL and save is not None:
            numbers[save.to] = save
        ties = is_won(0, 0, facts.get(f"{HACKER}.player"), facts.get(f"{TARGET}.player"))

        def first(numbers: Mapping[str, Tally]) -> Stage:
            saved = numbers.get(save_name(PHYSICAL, TARGET))
            told = risk._replace(save=saved.total) if saved else risk
            plan = share(_strike(asked, facts, verb, row["access"], numbers, told, demon=demon))
            return Striking(plan, numbers[CHECK].total, numbers[OPPOSED].total, ties, demon)

        def rebuild(changed: Tally) -> Stage:
            return first({**numbers, changed.to: changed})

        return Prepared(first(numbers), tuple(numbers.values()), (), shown, rebuild)


def _opposed(asked: Asked, facts: Mapping[str, Any], *, demon: bool) -> Tally:
    """The check of a human hacker, or the difficulty of a Demon.

    Raises:
        InputError: what is needed is missing.
    """
    if not demon:
        return check_tally(
            asked, facts, TARGET, OPPOSED, TARGETS[OPPOSED], skills=SKILLS, attributes=ATTRIBUTES
        )
    if f"{TARGET}.skill_bonus" not in facts:
        raise lacks(f"{TARGET}.skill_bonus", "the skill of the Demon")
    base = row_of(asked.catalog, CIRCUMSTANCES, "demon")["base"]
    parts = [
        Entry("base", "Demon", base),
        Entry("skill", "Skill of the Demon", facts[f"{TARGET}.skill_bonus"]),
    ]
    return asked.rules.tally(OPPOSED, TARGETS[OPPOSED], parts, facts, asked.hand)


def _trauma_target(asked: Asked, facts: dict[str, Any]) -> Tally:
    """Without armor: the number given, or 6 and what else raises it."""
    given = next(
        (
            facts[f"{TARGET}.{name}"]
            for name in ("cyber_trauma_target", "trauma_target")
            if f"{TARGET}.{name}" in facts
        ),
        None,
    )
    of_implants(facts)
    facts["target.printed_trauma_target"] = given is not None
    facts["target.armor_trauma"] = 0
    base = Entry("trauma-target", "Trauma Target", given) if given is not None else None
    parts = [base or Entry("base", "Base", BASE_TRAUMA_TARGET)]
    return asked.rules.tally(TRAUMA_TARGET, TARGETS[TRAUMA_TARGET], parts, facts, asked.hand)


def _strike(
    asked: Asked,
    facts: Mapping[str, Any],
    verb: str,
    access: int,
    numbers: Mapping[str, Tally],
    risk: Risk,
    *,
    demon: bool,
) -> CyberStrike:
    trauma = None
    if verb == KILL:
        row = row_of(asked.catalog, VERBS, verb)
        die = dice_of({"die": row["trauma_die"]}, "die")
        assert die is not None, "the table names a die"
        dice = ((die.dice, die.sides),)
        trauma = TraumaDie(dice, die.plus, numbers[TRAUMA_TARGET].total, row["trauma_rating"])
    fall = FRAGGED if demon else fall_of(facts, TARGET, lethal=verb == KILL)
    return CyberStrike(
        verb,
        access,
        max(1, program_level(facts, HACKER)),
        facts.get(f"{TARGET}.shielding", 0),
        facts.get(f"{TARGET}.neural_buffer", 0),
        facts.get(f"{TARGET}.hp"),
        fall,
        bool(facts.get(f"{TARGET}.unconscious")),
        trauma,
        risk,
    )
