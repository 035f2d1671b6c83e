"""A second opinion: a small calculator of its own for the worked examples of cwn.

It was written from the rulebook and from the examples, before its author had read a stage of `fracas.rulesets.cwn`,
and imports nothing of it. Of the packs it reads plain YAML: who the people are, the printed figures of weapons and
armor. Every rule, every modifier and every order of steps stands here a second time. Where the rulebook decides nothing
it follows the reading of the ruleset, so that its agreement proves nothing there: which of two screeners with equal
totals is struck, what two NPCs make of a tie, the blast of a rocket that misses, that non-lethal damage kills the
Frail, when a Healer throws three dice, Sabotage of devices, the stat block of a hacker as a level of Program.

`answer` takes an example and says what its outcome and its totals must be. It takes the example's dice in the order in
which it asks for them itself, so an example with other dice differs at once (`DiffersError`). What it has no rule for,
it says (`NotUnderstoodError`); a word that it does not know is never passed over in silence.
"""

from __future__ import annotations

import second_opinions
from second_opinion_cwn_areas import blast, suppressive_fire
from second_opinion_cwn_blows import attack, whirlwind
from second_opinion_cwn_care import CARE
from second_opinion_cwn_checks import CHECKS
from second_opinion_cwn_hacking import HACKING
from second_opinion_cwn_machines import MACHINES
from second_opinion_cwn_maneuvers import MANEUVERS
from second_opinion_cwn_rules import Case
from second_opinions import Answer, Entry, work_out

PROCEDURES = {
    "attack": attack,
    "whirlwind": whirlwind,
    "blast": blast,
    "suppressive-fire": suppressive_fire,
    **MANEUVERS,
    **CHECKS,
    **CARE,
    **MACHINES,
    **HACKING,
}


AMOUNTS = {"mark", "spend", "gain", "item"}


def answer(example: Entry) -> Answer:
    """What the rulebook says of an example.

    Errors: `NotUnderstoodError`, and `DiffersError` for dice that do not fit.
    """
    case = work_out(Case(example), example, PROCEDURES)
    return Answer(case.refusals, case.outcome, case.totals, case.harm, case.then_so)


def differences(example: Entry) -> list[str]:
    """Where the example expects something else; see `second_opinions.differences`."""
    return second_opinions.differences(example, answer, AMOUNTS)
