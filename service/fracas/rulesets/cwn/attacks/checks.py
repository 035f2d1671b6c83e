"""Skill checks that go with an attack: those of who is in the way of it, and of execution attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Asked
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.checks.skill_numbers import check_tally


def combat_check(
    asked: Asked,
    facts: Mapping[str, Any],
    to: str,
    label: str,
    *,
    skills: Sequence[str],
    attributes: Sequence[str],
) -> Tally:
    """The attacker's check with the skill of the attack, as far as it is told; otherwise one of `skills`.

    Level and modifier that the request gives in place of skills and scores count here too.

    Raises:
        InputError: what it needs is missing.
    """
    if "attacker.skill_level" in facts and "attacker.attribute_modifier" in facts:
        level = facts["attacker.skill_level"]
        base = [
            Entry("attribute", "Attribute", facts["attacker.attribute_modifier"]),
            Entry("skill", "Skill", level),
        ]
        return asked.rules.tally(to, label, base, facts, asked.hand)
    used = (facts["attack.skill"],) if "attack.skill" in facts else skills
    return check_tally(asked, facts, "attacker", to, label, skills=used, attributes=attributes)
