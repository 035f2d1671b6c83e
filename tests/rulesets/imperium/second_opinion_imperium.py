"""A second opinion: a small calculator of its own for the worked examples of imperium.

It was written from the rulebook, the examples and the list of the project's own readings, and imports nothing of the
service; but its author had read the code of close combat, damage, ranges, tests, initiative, recovery and cold. That of
injuries, bleeding, staunching, healing, blasts and volleys he had not. Of the packs it reads plain YAML: who
the people are, the printed figures of weapons, of armor and of what is fixed to guns.
Every rule, every modifier, every table (ranges, locations, injuries, breakage) and every order of steps stands here a
second time. Where the rulebook decides nothing it follows the ruleset, so that its agreement proves nothing there: two
stuns do not add up, whoever loses consciousness falls, which of the dead lie, when the condition of suffering begins, a
gun's butt has no penalty, one roll of damage for all in a blast, everything about healing, that a force weapon doubles
nothing without its test.

`answer` takes an example and says what its outcome, totals and effects must be. It takes the example's dice in the
order in which it asks for them itself, so an example with other dice differs at once (`DiffersError`). What it has no
rule for, it says (`NotUnderstoodError`); a word that it does not know is never passed over in silence.
"""

from __future__ import annotations

import second_opinions
from second_opinion_imperium_blows import close_combat
from second_opinion_imperium_care import CARE
from second_opinion_imperium_checks import CHECKS
from second_opinion_imperium_powers import POWERS
from second_opinion_imperium_rules import Case
from second_opinion_imperium_shots import shooting
from second_opinion_imperium_substances import SUBSTANCES
from second_opinion_imperium_worlds import WORLDS
from second_opinions import Answer, Entry, work_out

PROCEDURES = {
    "shooting": shooting,
    "close-combat": close_combat,
    **CHECKS,
    **CARE,
    **WORLDS,
    **POWERS,
    **SUBSTANCES,
}
NOTHING = {"type": "nothing"}
"""Stands at the end of all effects, so that an example which expects one where there is none differs."""


def answer(example: Entry) -> Answer:
    """What the rulebook says of an example.

    Errors: `NotUnderstoodError`, and `DiffersError` for dice that do not fit.
    """
    case = work_out(Case(example), example, PROCEDURES)
    return Answer(case.refusals, case.outcome, case.totals, {}, [*case.then_so, NOTHING])


def differences(example: Entry) -> list[str]:
    """Where the example expects something else; see `second_opinions.differences`."""
    return second_opinions.differences(example, answer, ())
