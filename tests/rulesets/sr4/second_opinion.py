"""A second opinion: a small calculator of its own for the worked examples of sr4.

It was written from the text of the rulebook, before its author had read a stage of `fracas.rulesets.sr4`, and imports
nothing of it. Of the packs it reads plain YAML: who the people are and the printed figures of weapons, armor,
ammunition, ranges and spells. Every rule, every modifier and every order of steps stands here a second time. Where the
rulebook decides nothing it follows the reading of the ruleset, so that its agreement proves nothing there: several
visibilities (the best sense for each, then the worst), hidden, cover and the dark (not added), raised or halved armor
together with a barrier's, Gymnastics in a zone under fire, aim in a volley (the first shot only), a touching indirect
spell (avoided, then defended), the recoil of two guns (both ways), a single track, a shot that misfires.

`answer` takes an example and says what its outcome and its totals must be. It takes the example's dice in the order
in which it asks for them itself, so an example of which a pool has another size differs at once (`DiffersError`).
What it has no rule for, it says (`NotUnderstoodError`); a word that it does not know is never passed over in silence.
"""

from __future__ import annotations

import second_opinions
from second_opinion_blast import blast_attack, suppressive_fire
from second_opinion_matrix import launch_program, matrix_attack, matrix_test, matrix_work
from second_opinion_melee import melee_attack
from second_opinion_ranged import ranged_attack
from second_opinion_rules import Case
from second_opinion_spells import (
    boost_attribute,
    break_control,
    cast_spell,
    dispel,
    order_spirit,
    perceive_illusion,
)
from second_opinion_tests import damage_resistance, initiative_test, success_test, surprise_test
from second_opinion_volley import ranged_volley
from second_opinions import Answer, Entry, NotUnderstoodError, work_out

PROCEDURES = {
    "ranged-attack": ranged_attack,
    "ranged-volley": ranged_volley,
    "melee-attack": melee_attack,
    "blast-attack": blast_attack,
    "suppressive-fire": suppressive_fire,
    "success-test": success_test,
    "initiative-test": initiative_test,
    "surprise-test": surprise_test,
    "damage-resistance": damage_resistance,
    "cast-spell": cast_spell,
    "perceive-illusion": perceive_illusion,
    "break-control": break_control,
    "dispel": dispel,
    "boost-attribute": boost_attribute,
    "matrix-attack": matrix_attack,
    "matrix-test": matrix_test,
    "matrix-work": matrix_work,
    "launch-program": launch_program,
    "order-spirit": order_spirit,
}

REFUSALS = """
    below_minimum_range beyond_extreme_range called_shot_at_machine called_shot_with_area_weapon called_shot_with_spread
    called_shot_with_suppressive_fire called_shot_with_wide_burst called_shot_without_damage
    charge_without_running discharged_weapon empty_weapon full_burst_with_two_firearms
    full_defense_while_surprised interception_too_far mode_not_available no_choke no_default no_melee_weapon
    no_effect no_program no_weapon_to_parry not_a_ranged_weapon not_a_spell pool_too_small second_long_burst
    no_services no_wireless silenced_automatic_fire subdue_with_weapon targets_too_far_apart too_few_rounds
    too_many_targets
    too_little_force too_much_force weapon_too_large
"""
"""Codes of the refusals that it knows."""


def answer(example: Entry) -> Answer:
    """What the rulebook says of an example.

    Errors: `NotUnderstoodError`, and `DiffersError` for dice that do not fit.
    """
    case = work_out(Case(example), example, PROCEDURES)
    marks = {("mark", *whom): boxes for whom, boxes in case.marks.items()}
    return Answer(case.refusals, case.outcome, case.totals, marks)


def differences(example: Entry) -> list[str]:
    """Where the example expects something else; see `second_opinions.differences`."""
    if strange := set(example["expect"].get("refusals", [])) - set(REFUSALS.split()):
        raise NotUnderstoodError(f"refusals: {sorted(strange)}")
    return second_opinions.differences(example, answer, {"mark"})
