"""A second opinion: a small calculator of its own for the worked examples of sr5, with and without the house rules.

It was written from the rulebook and from the examples, before its author had read a line of `fracas.rulesets.sr5`, and
imports nothing of the service. Of the packs it reads plain YAML: who the people are, the printed figures of weapons,
loads, armor, ranges and spells, the defaults of options. Every rule, every modifier and every order of steps stands
here a second time. Where the rulebook decides nothing it follows the reading of the ruleset, so that its agreement
proves nothing there: by how many rows seeing betters a column, half of Willpower rounded up, vehicles without wound
modifiers, only the helmet of the best suit, attacks without dice, a touch without damage, Edge for as many attacks of
an action as there are points, teamwork, the second track of first aid, banishing, what biofeedback and dumpshock follow
from, conditions that a defense uses up.

`answer` takes an example and says what its outcome and its totals must be. It takes the example's dice in the order in
which it asks for them itself, so an example with other dice differs at once (`DiffersError`). What it has no rule for,
it says (`NotUnderstoodError`); a word that it does not know is never passed over in silence.
"""

from __future__ import annotations

import second_opinions
from second_opinion_sr5_blasts import blast_attack
from second_opinion_sr5_blows import melee_attack, melee_sweep
from second_opinion_sr5_care import CARE
from second_opinion_sr5_checks import CHECKS
from second_opinion_sr5_machines import MACHINES
from second_opinion_sr5_magic import MAGIC
from second_opinion_sr5_matrix import HACKING
from second_opinion_sr5_powers import POWERS
from second_opinion_sr5_rules import Case, MoreDiceError
from second_opinion_sr5_shots import escape_suppression, ranged_attack, ranged_volley, suppressive_fire
from second_opinions import Answer, Entry, work_out

PROCEDURES = {
    "ranged-attack": ranged_attack,
    "ranged-volley": ranged_volley,
    "suppressive-fire": suppressive_fire,
    "escape-suppression": escape_suppression,
    "melee-attack": melee_attack,
    "melee-sweep": melee_sweep,
    "blast-attack": blast_attack,
    **HACKING,
    **MACHINES,
    **POWERS,
    **MAGIC,
    **CHECKS,
    **CARE,
}


def answer(example: Entry, house: bool) -> Answer:
    """What the rulebook says of an example, with the house rules or without.

    Errors: `NotUnderstoodError`, and `DiffersError` for dice that do not fit.
    """
    case = Case(example, house)
    try:
        work_out(case, example, PROCEDURES)
    except MoreDiceError:
        if example.get("expect", {}).get("status") != "waiting":
            raise
    # The empty one stands for the end: where no effect comes of it, one that is expected differs
    return Answer(case.refusals, case.outcome, case.totals, {}, [*case.effects, {}])


def differences(example: Entry, house: bool) -> list[str]:
    """Where the example expects something else; see `second_opinions.differences`."""
    expect = example["expect"]
    effects = [{**one, **one.get("detail", {})} for one in expect.get("effects", [])]
    for one in effects:
        one.pop("detail", None)
    plain = {**example, "expect": {**expect, "effects": effects}}
    return second_opinions.differences(plain, lambda asked: answer(asked, house), ())
