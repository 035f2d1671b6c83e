"""What has happened by itself is taken back: a slot has not begun after all, or a turn is not over.

Edge that is declared late makes it so. Pure functions on states.
"""

from __future__ import annotations

from fracas.encounters.effects import with_combatant
from fracas.encounters.order import begin_part, begin_slot, each, go_on, shield, turn_ended
from fracas.encounters.state import Combatant, State
from fracas.encounters.timers import without_due
from fracas.kernel.turns import TurnRules


def close_again(rules: TurnRules, state: State) -> State:
    """The slot that stands open has not begun after all: what its beginning has ended and reset is as before."""
    for id in state.acting:
        before, one = state.unopened.get(id), state.combatants[id]
        if before is None:
            continue
        begun = begin_slot(rules, with_combatant(state, before), id).combatants[id]
        ended = tuple(
            was for was in before.conditions if was not in begun.conditions and was not in one.conditions
        )
        changed = {name: value for name, value in before.sheet.items() if value != begun.sheet.get(name)}
        one = one._replace(
            conditions=(*ended, *one.conditions),
            sheet={**one.sheet, **changed},
            used={**before.used, **one.used},
            targets=before.targets,
        )
        state = with_combatant(state, one)
    return shield(rules, state, ())._replace(acting=(), unopened={})


def reopen(rules: TurnRules, state: State) -> State:
    """The turn that seemed over goes on, for a combatant who has bought a slot in its next part.

    What its end has ended holds again. What goes off at its end, and was due, is due when it ends again.
    """
    if state.phase != "turn-over":
        return go_on(rules, without_due(state)._replace(phase="slot"))
    state = each(state, lambda one: _not_ended(rules, state, one))
    return go_on(rules, begin_part(rules, state._replace(ended={})))


def _not_ended(rules: TurnRules, state: State, one: Combatant) -> Combatant:
    """A combatant as if the turn had not ended, with what has happened since."""
    was = state.ended.get(one.id)
    if was is None:
        return one
    ended = turn_ended(rules, was, state.turn)
    gone = tuple(
        condition
        for condition in was.conditions
        if condition not in ended.conditions and condition not in one.conditions
    )
    came = [condition for condition in ended.conditions if condition not in was.conditions]
    left = {name: was.sheet.get(name) for name, value in ended.sheet.items() if value != was.sheet.get(name)}
    sheet = {
        name: left[name] if name in left and value == ended.sheet[name] else value
        for name, value in one.sheet.items()
    }
    return one._replace(
        conditions=(*gone, *(condition for condition in one.conditions if condition not in came)),
        sheet={name: value for name, value in sheet.items() if value is not None or name not in left},
    )
