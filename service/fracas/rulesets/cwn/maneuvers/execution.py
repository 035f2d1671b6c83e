"""Killing somebody who suspects nothing: rulebook section 8.3, with Sniper's Eye, Assassin and Viper Sting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.attacks.attack import HARM_MEASURES, chance
from fracas.rulesets.cwn.attacks.checks import combat_check
from fracas.rulesets.cwn.attacks.facts import derive_attacker, dice_texts, require_body
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_ATTACKS
from fracas.rulesets.cwn.attacks.numbers import Reckoner
from fracas.rulesets.cwn.attacks.planning import TARGET, blow_of, body_of, rounds_of, shown_of
from fracas.rulesets.cwn.attacks.stages import After, TraumaDie
from fracas.rulesets.cwn.checks.saves import PHYSICAL, missing_for_save, save_base, save_name, save_targets
from fracas.rulesets.cwn.harms.major_injury import risk_of
from fracas.rulesets.cwn.maneuvers.execution_stages import Execution, ExecutionCheck, ExecutionSave, is_felled
from fracas.rulesets.cwn.maneuvers.maneuver_vocabulary import EXECUTION

CHECK, SAVE = "execution.check", "execution.save"
DIFFICULTIES = "execution-difficulty"
"""The table of the packs."""
SNIPERS_SAVE = 4
"""What Sniper's Eye 2 adds to the target of the victim's save, and the factor of the damage to who makes it."""
SNIPERS_FACTOR = 2
OWNERS: Mapping[str, str] = {CHECK: "attacker", SAVE: TARGET}
"""Whose number each tally is, see `TurnRules.tallies`."""


class ExecutionAttack:
    """One attack on somebody who suspects nothing, after a minute of preparation."""

    id = "execution-attack"
    label = "Execution attack"
    doc = "From afar a skill check, from close by a sure hit; then a Physical save, or 0 hit points at once."
    vocabulary = EXECUTION
    decisions = ()
    targets: Mapping[str, str] = {
        CHECK: "Check to hit an unsuspecting target",
        SAVE: "Physical save against falling at once",
        "damage.bonus": OF_ATTACKS["damage.bonus"],
        **save_targets(PHYSICAL),
    }
    measures = (
        Measure("hit", "Chance to hit", chance(lambda facts: facts["hit"])),
        Measure("felled", "Chance that the save fails", chance(is_felled)),
        *HARM_MEASURES,
    )

    def prepare(self, asked: Asked) -> Prepared:
        faults = Faults()
        facts = _derive(asked, faults)
        refusals = asked.rules.refusals(facts)
        faults.check(refused=bool(refusals))
        shown = shown_of(facts)
        if refusals:
            return Prepared(None, (), refusals, shown)
        damage = Reckoner(asked, facts).damage()
        afar = facts["attack.kind"] != "melee"
        sure = not afar or facts["attack.sure"] or facts["attacker.foci.snipers-eye"] >= 2
        check = None if sure else _check(asked, facts)
        save = self._save(asked, facts)
        risk, injury_save = risk_of(asked, facts, TARGET)
        lethal = facts["attack.lethal"]
        numbers = (check, save, damage, injury_save if lethal else None)
        tallies = tuple(tally for tally in numbers if tally is not None)
        risks = share(risk)

        def begin(changed: Tally | None = None) -> Stage:
            totals = {tally.to: tally.total for tally in tallies}
            if changed is not None:
                totals[changed.to] = changed.total
            blow = blow_of(facts, totals["damage.bonus"], None, floor_first=True)
            if afar and facts["attacker.foci.snipers-eye"] >= 2:
                blow = blow._replace(factor=blow.factor * SNIPERS_FACTOR)
            now = risks.value
            if injury_save is not None:
                now = now._replace(save=totals.get(injury_save.to, injury_save.total))
            after = After(blow, _trauma(facts), body_of(asked, facts), rounds_of(facts), TARGET, share(now))
            bonus = totals.get(CHECK, 0)
            keeps = facts["attacker.foci.snipers-eye"] == 1
            plan = Execution(bonus, _difficulty(asked, facts), keeps, totals[SAVE], after)
            return ExecutionSave(plan) if sure else ExecutionCheck(plan)

        return Prepared(begin(), tallies, (), shown, begin)

    def _save(self, asked: Asked, facts: Mapping[str, Any]) -> Tally:
        """The Physical save, to which everything applies that applies to such saves, with what makes it harder."""
        known = asked.rules.by_target
        alike = (*known.get(SAVE, ()), *known.get(save_name(PHYSICAL), ()))
        rules = asked.rules._replace(by_target={**known, SAVE: alike})
        base = save_base(facts, TARGET, PHYSICAL) or []
        return rules.tally(SAVE, self.targets[SAVE], [*base, *_penalty(facts)], facts, asked.hand)


def _derive(asked: Asked, faults: Faults) -> dict[str, Any]:
    said = dict(asked.said.facts)
    if not said.get("weapon.attributes") and "attack.attribute" not in said:
        said.setdefault("attacker.attribute_modifier", 0)  # a weapon that names none adds none
    said.setdefault("attacker.base_attack_bonus", 0)  # there is no attack roll
    facts = derive_attacker(asked._replace(said=asked.said._replace(facts=said)), faults)
    facts["attacker.foci.snipers-eye"] = facts.get("attacker.foci", {}).get("snipers-eye", 0)
    if "target.foci" in facts:
        facts["target.foci.alert"] = facts["target.foci"].get("alert", 0)
    dice_texts(facts, faults)
    require_body(facts, faults)
    for path, what in missing_for_save(facts, TARGET, PHYSICAL):
        faults.need(path, what)
    return facts


def _check(asked: Asked, facts: Mapping[str, Any]) -> Tally:
    """Dexterity and the skill of the attack, which is Shoot as a rule."""
    return combat_check(
        asked, facts, CHECK, ExecutionAttack.targets[CHECK], skills=("shoot",), attributes=("dexterity",)
    )


def _difficulty(asked: Asked, facts: Mapping[str, Any]) -> int:
    row = "normal-range" if facts.get("range.band") == "normal" else "long-range"
    if facts.get("range.adjacent"):
        row = "within-2-metres"
    return int(row_of(asked.catalog, DIFFICULTIES, row)["difficulty"])


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
