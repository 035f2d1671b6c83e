"""One shot at one target, made ready. Rulebook sections 8.4 and 9 to 11."""

from __future__ import annotations

from typing import Any

from fracas.kernel.ruleset import Asked
from fracas.rulesets.sr5.attack import Attack
from fracas.rulesets.sr5.harms.damage import soaking
from fracas.rulesets.sr5.harms.numbers import Numbers
from fracas.rulesets.sr5.ranged.shot_numbers import (
    FLOOR,
    LIMIT_FLOOR,
    attack_base,
    compensation_base,
    damage_base,
    defense_base,
    harm_of,
    knocking,
    limit_base,
)
from fracas.rulesets.sr5.rolls.dice_test import side_of


def shot_of(asked: Asked, facts: dict[str, Any], tally: Numbers) -> Attack:
    """An attack made ready from what `derive_shot` found; the recoil compensation is added to it.

    Raises:
        InputError: nothing is said of the target's armor.
    """
    compensation = tally("recoil.compensation", compensation_base(facts, asked.catalog))
    facts["recoil.compensation"] = compensation.total
    attack = tally("attack.pool", attack_base(facts)).at_least(0, FLOOR)
    limit = tally("limit.accuracy", limit_base(facts)).at_least(0, LIMIT_FLOOR)
    numbers, second = [compensation, attack, limit], None
    if not facts.get("target.unaware"):
        defense = tally("defense.pool", defense_base(facts)).at_least(0, FLOOR)
        numbers.append(defense)
        second = side_of("defense", "target", defense.total, facts, asked)
    value = tally("damage.value", damage_base(facts))
    soaked = soaking(asked, tally, facts, harm_of(facts, value.total))
    numbers += [value, soaked.armor, soaked.pool]
    plan = knocking(soaked.plan, facts)
    first = side_of("attack", "attacker", attack.total, facts, asked, limit.total)
    return Attack(tuple(numbers), asked.rules.refusals(facts), first, second, plan)
