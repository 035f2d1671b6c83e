"""What follows for people from the effects of a step, beside the effects: what waits until a slot is over, and what
stays until the turn is."""

from __future__ import annotations

from collections.abc import Iterable

from fracas.encounters import effects, order
from fracas.encounters.effects import Effect, with_combatant
from fracas.encounters.state import Combatant, State
from fracas.kernel.turns import LOST_TURN, TurnRules


def applied(rules: TurnRules, state: State, actor: str, found: Iterable[Effect]) -> State:
    """The state after the effects of a combatant's step, in order."""
    found = tuple(found)
    after = effects.apply(rules, state, found)
    for id in dict.fromkeys(effect["who"] for effect in found):
        before, one = state.combatants.get(id), after.combatants.get(id)
        if before is None or one is None or one is before:
            continue
        changed = one
        if id != actor and actor in state.shielded and id in state.shielded:
            changed = not_felt(rules, before, changed)
        if _has_lost_turn(rules, state, before):
            changed = changed._replace(marks={**changed.marks, LOST_TURN: (1, "turn")})
        if changed is not one:
            after = with_combatant(after, changed)
    return after


def not_felt(rules: TurnRules, before: Combatant, one: Combatant) -> Combatant:
    """Of those who act at the same time nobody feels what another has just done to them; healing takes that first."""
    sheet = dict(one.sheet)
    for track in rules.tracks.values():
        had, has = before.sheet.get(track.field, 0), one.sheet.get(track.field, 0)
        if track.fresh and had != has:
            sheet[track.fresh] = max(0, sheet.get(track.fresh, 0) + has - had)
    return one._replace(sheet=sheet) if sheet != one.sheet else one


def _has_lost_turn(rules: TurnRules, state: State, one: Combatant) -> bool:
    if not one.rolled or LOST_TURN in one.marks:
        return False
    return rules.has_lost_turn(order.participant(rules, one, state.options))
