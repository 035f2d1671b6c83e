"""How a fight goes on: slots, parts, turns. Pure functions on states; the ruleset says who comes next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fracas.encounters import effects
from fracas.encounters.effects import with_combatant
from fracas.encounters.state import Combatant, State
from fracas.kernel.turns import DELAYING, Participant, Table, TurnRules

OPEN, RESUME = "open", "resume"
"""First words of what waits in the queue: a slot that begins, or one that goes on after an interruption."""


def participant(rules: TurnRules, combatant: Combatant) -> Participant:
    """Somebody as turn rules see it."""
    seen = Participant(
        combatant.id,
        combatant.name,
        combatant.side,
        combatant.player,
        effects.present(combatant),
        frozenset(one.slug for one in combatant.conditions),
        combatant.rolled,
        True,
        combatant.done,
        combatant.spent,
        {word: value for word, (value, _) in combatant.marks.items()},
        combatant.skips,
        combatant.targets,
        combatant.items,
    )
    if why_unable(rules, combatant, seen):
        return seen._replace(able=False)
    return seen


def why_unable(rules: TurnRules, combatant: Combatant, seen: Participant) -> str:
    """What takes somebody out; "" for nothing."""
    taking = next((one.label for one in combatant.conditions if one.incapacitates), "")
    return taking or rules.unable(seen)


def table_of(rules: TurnRules, state: State) -> Table:
    """A fight as turn rules see it."""
    there = {
        id: participant(rules, combatant) for id, combatant in state.combatants.items() if not combatant.gone
    }
    return Table(state.turn, state.part, there, state.acting, state.options)


def each(state: State, change: Callable[[Combatant], Combatant]) -> State:
    """Everybody changed."""
    return state._replace(combatants={id: change(one) for id, one in state.combatants.items()})


def rolling(state: State) -> bool:
    """Initiative rolls are awaited."""
    return any(one.purpose == "initiative" for one in state.resolutions.values())


def begin_turn(rules: TurnRules, state: State) -> State:
    """The next turn, before initiative is rolled. A turn that is not over ends now."""
    if state.phase in ("initiative", "slot", "waiting") and state.turn:
        state = _end_turn(rules, _end_part(rules, state))
    turn = state.turn + 1

    def begin(one: Combatant) -> Combatant:
        one = effects.reset(rules, effects.reset(rules, one, "turn"), "part")
        marks = {word: mark for word, mark in one.marks.items() if mark[1] == "fight"}
        rolled = {} if rules.rerolls else one.rolled
        return one._replace(done=False, spent={}, marks=marks, rolled=rolled)

    state = state._replace(turn=turn, part=1, phase="initiative", acting=(), queue=(), shielded=())
    return each(state, begin)


def go_on(rules: TurnRules, state: State) -> State:
    """Open the next slot when nobody acts: the next of this part, the next part, or the turn is over."""
    if not state.acting:
        state = state._replace(shielded=())
    if rolling(state):
        return state._replace(phase="initiative")
    while not state.acting:
        if state.queue:
            (how, *who), *queue = state.queue
            state = state._replace(queue=tuple(queue))
            if how == OPEN:
                state, who = _skipped(state, who)
            able = tuple(id for id in who if _able(rules, state, id))
            state = _open(rules, state, able, True, how == OPEN)
            continue
        table = table_of(rules, state)
        slots = rules.order(table)
        if slots:
            slot = slots[0]
            state, actors = _skipped(state, slot.actors)
            state = _open(rules, state, tuple(actors), slot.together, True)
            continue
        if delayers(rules, state) and state.phase != "waiting":
            return state._replace(phase="waiting")
        state = _end_part(rules, state)
        if state.part >= rules.parts(table_of(rules, state)):
            return _end_turn(rules, state)
        state = _begin_part(rules, state)
    return state


def _skipped(state: State, who: Sequence[str]) -> tuple[State, list[str]]:
    """Without those who have given up this slot beforehand."""
    for id in who:
        one = state.combatants[id]
        if one.skips:
            state = with_combatant(state, one._replace(done=True, skips=one.skips - 1))
    return state, [id for id in who if not state.combatants[id].done]


def _able(rules: TurnRules, state: State, id: str) -> bool:
    one = state.combatants.get(id)
    return one is not None and not one.gone and participant(rules, one).able


def delayers(rules: TurnRules, state: State) -> list[str]:
    """Those who could still use a delayed action in this part."""
    delaying = [id for id, one in state.combatants.items() if DELAYING in one.marks]
    return [id for id in delaying if _able(rules, state, id)]


def _open(rules: TurnRules, state: State, who: tuple[str, ...], together: bool, begins: bool) -> State:
    """A slot begins, or goes on."""
    for id in who if begins else ():
        state = begin_slot(rules, state, id)
    shielded = who if together and len(who) > 1 else ()
    return state._replace(
        acting=who, together=together, shielded=shielded, phase="slot" if who else state.phase
    )


def begin_slot(rules: TurnRules, state: State, id: str) -> State:
    """What the beginning of one's own slot does."""
    one = effects.ended(rules, state.combatants[id], "own-slot")
    return with_combatant(state, effects.reset(rules, one, "slot")._replace(targets=()))


def finish(rules: TurnRules, state: State, who: tuple[str, ...]) -> State:
    """The slots of some who act are over; when nobody is left, the fight goes on."""
    for id in who:
        one = effects.ended(rules, state.combatants[id], "own-slot-end")
        state = with_combatant(state, effects.counted_down(one, "slots", state.turn)._replace(done=True))
    state = state._replace(acting=tuple(id for id in state.acting if id not in who))
    return state if state.acting else go_on(rules, state)


def leave(rules: TurnRules, state: State, id: str) -> State:
    """Somebody who acts no longer does, without having finished."""
    if id not in state.acting:
        return state
    state = state._replace(acting=tuple(other for other in state.acting if other != id))
    return state if state.acting else go_on(rules, state)


def intervene(rules: TurnRules, state: State, id: str, when: str) -> State:
    """A delayed action is used: ``before``, ``with`` or ``after`` the slot of those who act, or ``now``."""
    one = state.combatants[id]
    marks = {word: mark for word, mark in one.marks.items() if word != DELAYING}
    state = with_combatant(state, one._replace(marks=marks, done=False))
    if when == "after":
        return state._replace(queue=((OPEN, id), *state.queue))
    if when == "with":
        state = begin_slot(rules, state, id)
        acting = (*state.acting, id)
        return state._replace(acting=acting, together=True, shielded=acting)
    if when == "before" and state.acting:
        state = state._replace(queue=((RESUME, *state.acting), *state.queue), acting=())
    return _open(rules, state, (id,), True, True)


def _end_part(rules: TurnRules, state: State) -> State:
    def end(one: Combatant) -> Combatant:
        return effects.counted_down(effects.ended(rules, one, "part-end"), "parts", state.turn)

    return each(state, end)


def _begin_part(rules: TurnRules, state: State) -> State:
    whole = state.economy.get("span") != "phase"
    kept = rules.keeps(state.options)

    def begin(one: Combatant) -> Combatant:
        marks = {word: mark for word, mark in one.marks.items() if mark[1] != "part"}
        one = effects.reset(rules, one, "part")
        spent = {token: count for token, count in one.spent.items() if whole or token in kept}
        return one._replace(done=False, marks=marks, spent=spent)

    return each(state._replace(part=state.part + 1, phase="slot"), begin)


def _end_turn(rules: TurnRules, state: State) -> State:
    def end(one: Combatant) -> Combatant:
        one = effects.ended(rules, one, "turn-end")
        return effects.outlived(one, state.turn, lambda its: its.unit == "turn" and its.until <= state.turn)

    return each(state._replace(phase="turn-over", acting=()), end)
