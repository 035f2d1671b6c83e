"""Killing a combatant who suspects nothing: rulebook section 8.3, with Sniper's Eye, Assassin and Viper Sting.

check (from afar) -> Physical save -> felled at once, or normal damage that is Traumatic -> Major Injury
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Kept, Total
from fracas.kernel.fields import fields, flag, vocabulary
from fracas.kernel.forms import Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import Faults
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Facts, Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.attacks.attack import HARM_MEASURES, TARGET, blow_of, body_of, rounds_of, shown_of
from fracas.rulesets.cwn.attacks.blows import FELLED, After, AttackEnd, TraumaDie, struck
from fracas.rulesets.cwn.attacks.facts import derive_attacker, dice_texts, foci_as_numbers, require_body
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_ATTACKS
from fracas.rulesets.cwn.attacks.numbers import combat_check, damage
from fracas.rulesets.cwn.attacks.rolling import Guard
from fracas.rulesets.cwn.checks import saves
from fracas.rulesets.cwn.checks.skill_check import check_request
from fracas.rulesets.cwn.harms.harm import Hurt, after_harm, risk_of
from fracas.rulesets.cwn.maneuvers.grips import RECORDS, words_of_attacks
from fracas.rulesets.cwn.vocabulary import focus_levels

UNGUARDED = Guard(0, 0, False)
"""A combatant who suspects nothing: Armor Class does not count."""


class Execution(Part, kind="cwn.execution"):
    """Everything that is settled before the first roll.

    Attributes:
        bonus, difficulty: of the check.
        keeps: three dice are thrown and the lowest is dropped.
        save: target of the victim's Physical save.
        after: what a hit does; its Trauma Die is not rolled: the hit is Traumatic in any case.
    """

    bonus: int
    difficulty: int
    keeps: bool
    save: int
    after: After

    @property
    def request(self) -> Total | Kept:
        return check_request(self.bonus, self.keeps, self.difficulty)


class ExecutionCheck(Waiting, kind="cwn.execution-check"):
    """Waits for the check of an attack from afar."""

    plan: Execution
    awaits = rolls("check", "attacker", lambda self: self.plan.request)

    def advance(self, answer: Any) -> Stage:
        return ExecutionSave(self.plan) if answer else self.plan.after.followed(UNGUARDED, (), False)


class ExecutionSave(Waiting, kind="cwn.execution-save"):
    """Waits for the Physical save of the victim, who is hit."""

    plan: Execution
    awaits = rolls("save", lambda self: self.plan.after.victim, lambda self: saves.d20(self.plan.save))

    def advance(self, answer: Any) -> Stage:
        return ExecutionDamage(self.plan.after) if answer else felled(self.plan.after)

    def notes(self) -> Facts:
        return {"hit": True}


class ExecutionDamage(Waiting, kind="cwn.execution-damage"):
    """Waits for the damage to a victim who made the save."""

    after: After
    awaits = rolls("damage", "attacker", lambda self: Total(self.after.blow.dice, self.after.blow.plus))

    def advance(self, answer: Any) -> Stage:
        return struck(self.after, 0, (), max(0, answer), self.after.trauma is not None)

    def notes(self) -> Facts:
        return {"saved": True}


def felled(after: After) -> Stage:
    """A combatant falls to 0 hit points at once, whatever Soak is left."""
    body = after.body
    loss = body.hp or 0
    hurt = Hurt(loss, 0, loss, body.hp, body.fall, after.trauma is not None)
    end = AttackEnd(True, None, None, False, 0, hurt, after.rounds, (FELLED,), after.victim)
    return after_harm(end, after.victim, after.risk.value)


CHECK, SAVE = "execution.check", "execution.save"
DIFFICULTIES = "execution-difficulty"
"""The table of the packs."""
SNIPERS_SAVE = 4
"""What Sniper's Eye 2 adds to the target of the victim's save, and the factor of the damage to who makes it."""
SNIPERS_FACTOR = 2


class ExecutionAttack(Procedure):
    """A skill check from a distance, a sure hit from close by; a Physical save decides whether the target falls."""

    vocabulary = vocabulary(
        *RECORDS,
        words_of_attacks("attack.snap", "attack.steadied", "attack.charge", "attack.charge_distance"),
        fields("attack", prepared=flag("A minute of preparation", "Undisturbed: of aiming, or close by.")),
        focus_levels("target", "alert"),
        focus_levels("attacker", "snipers-eye"),
    )
    targets = {
        CHECK: "Check to hit an unsuspecting target",
        SAVE: "Physical save against falling at once",
        "damage.bonus": OF_ATTACKS["damage.bonus"],
        **saves.save_targets(saves.PHYSICAL),
    }
    owners = {SAVE: TARGET, saves.save_name(saves.PHYSICAL): TARGET}
    measures = (chance("hit", "Chance to hit"), chance(FELLED, "Chance that the save fails"), *HARM_MEASURES)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts = _derive(it.request, it.faults)
        it.shown |= shown_of(facts)
        if it.faults.problems:
            return
        if not _is_sure(facts):  # Dexterity and the skill of the attack, which is Shoot as a rule
            with it.faults.collect():
                it.keep(combat_check(it.request, facts, CHECK, it.labels[CHECK], ("shoot",), ("dexterity",)))
        it.keep(_save(it.request, facts, it.labels[SAVE]))
        damage(it)
        risk, injury_save = risk_of(it.request, facts, TARGET)
        it.plan = risk
        if injury_save is not None and facts["attack.lethal"]:
            it.keep(injury_save)

    def first(self, it: Attempt) -> Stage:
        facts, sniper = it.facts, it.facts["attacker.foci.snipers-eye"]
        blow = blow_of(facts, it.total("damage.bonus"), None, floor_first=True)
        if facts["attack.kind"] != "melee" and sniper >= 2:
            blow = blow._replace(factor=blow.factor * SNIPERS_FACTOR)
        own = saves.save_name(saves.PHYSICAL)
        risk = share(it.plan._replace(save=it.total(own)) if own in it.made else it.plan)
        after = After(blow, _trauma(facts), body_of(it.request, facts), rounds_of(facts), TARGET, risk)
        bonus = it.total(CHECK) if CHECK in it.made else 0
        plan = Execution(bonus, _difficulty(it.request, facts), sniper == 1, it.total(SAVE), after)
        return ExecutionSave(plan) if _is_sure(facts) else ExecutionCheck(plan)


def _is_sure(facts: Mapping[str, Any]) -> bool:
    """Whether no check is made: from close by, and with Sniper's Eye 2."""
    afar = facts["attack.kind"] != "melee"
    return not afar or bool(facts["attack.sure"]) or facts["attacker.foci.snipers-eye"] >= 2


def _save(request: AttemptRequest, facts: Mapping[str, Any], label: str) -> Tally:
    """The Physical save, to which everything applies that applies to such saves, with what makes it harder."""
    known = request.rules.by_target
    alike = (*known.get(SAVE, ()), *known.get(saves.save_name(saves.PHYSICAL), ()))
    rules = request.rules._replace(by_target={**known, SAVE: alike})
    base = saves.save_base(facts, TARGET, saves.PHYSICAL) or []
    return rules.tally(SAVE, label, [*base, *_penalty(facts)], facts, request.hand)


def _derive(request: AttemptRequest, faults: Faults) -> dict[str, Any]:
    given = dict(request.input.facts)
    if not given.get("weapon.attributes") and "attack.attribute" not in given:
        given.setdefault("attacker.attribute_modifier", 0)  # a weapon that names none adds none
    given.setdefault("attacker.base_attack_bonus", 0)  # there is no attack roll
    facts = derive_attacker(request.with_facts(given), faults)
    facts["attacker.foci.snipers-eye"] = facts.get("attacker.foci", {}).get("snipers-eye", 0)
    foci_as_numbers(facts, "target", "alert")
    dice_texts(facts, faults)
    require_body(facts, faults)
    for path, what in saves.missing_for_save(facts, TARGET, saves.PHYSICAL):
        faults.need(path, what)
    return facts


def _difficulty(request: AttemptRequest, facts: Mapping[str, Any]) -> int:
    far = "normal-range" if facts.get("range.band") == "normal" else "long-range"
    row = "within-2-metres" if facts.get("range.adjacent") else far
    return int(row_of(request.lookup, DIFFICULTIES, row)["difficulty"])


def _penalty(facts: Mapping[str, Any]) -> list[Entry]:
    """What makes the save harder: the attacker's combat skill, and Sniper's Eye 2."""
    level = facts.get("attack.skill_level", facts.get("attacker.skill_bonus", 0))
    entries = [Entry("attacker-skill", "Combat skill of the attacker", max(0, level))]
    if facts["attack.kind"] != "melee" and facts["attacker.foci.snipers-eye"] >= 2:
        entries.append(Entry("snipers-eye", "Sniper's Eye 2", SNIPERS_SAVE))
    return entries


def _trauma(facts: Mapping[str, Any]) -> TraumaDie | None:
    """A Traumatic Hit in any case; of what is not lethal, or has no Trauma Rating, none."""
    if not facts["attack.lethal"] or "weapon.trauma_rating" not in facts:
        return None
    return TraumaDie((), 0, 0, facts["weapon.trauma_rating"])
