"""Timers: what is to happen in a fight, and when it is due."""

from __future__ import annotations

from fracas.encounters import effects
from fracas.encounters.state import State, Timer
from fracas.kernel.monitors import DEAD
from fracas.kernel.turns import NOW, SLOT_END, TURN_BEGIN, TURN_END


def due_in_part(state: State) -> tuple[tuple[str, int], ...]:
    """Timers that run down in this part, or should have in one that never came."""
    now = (state.turn, state.part)
    return tuple(
        (timer.id, timer.rank)
        for timer in state.timers.values()
        if timer.when == "part" and (timer.turn, timer.part) <= now and timer.id != state.due
    )


def next_timer(state: State, when: str) -> str:
    """A timer that runs down at the beginning or the end of this turn, or should have; "" for none."""
    missed = TURN_END if when == TURN_BEGIN else ""
    due = (
        one.id
        for one in state.timers.values()
        if (one.when == when and one.turn <= state.turn) or (one.when == missed and one.turn < state.turn)
    )
    return next(due, "")


def after_slot(state: State, over: bool = False) -> str:
    """A timer that runs down as a slot of this turn ends, and the slot is over, or should have been; "" for none.

    `over`: no slot comes any more, also of those who have had none.
    """

    def is_due(timer: Timer) -> bool:
        if timer.when != SLOT_END or timer.turn > state.turn:
            return False
        return over or timer.turn < state.turn or state.combatants[timer.who].done

    return next((id for id, timer in state.timers.items() if is_due(timer)), "")


def due_now(state: State) -> str:
    """What a condition calls for at once; "" for nothing."""
    return next((id for id, timer in state.timers.items() if timer.when == NOW), "")


def without_lapsed(state: State) -> State:
    """Without what was to happen as long as combatants were in a condition that they no longer have, or were not in
    one that they have now, or out; without all of it for the dead."""
    if not state.timers:
        return state

    def lapsed(timer: Timer) -> bool:
        one = state.combatants.get(timer.who)
        if one is None or one.gone:
            return True
        dead = any(known.slug == DEAD for known in one.conditions)
        if dead or timer.lasting == effects.ALIVE:
            return dead
        if timer.lasting.startswith(effects.NOT):
            slug = timer.lasting.removeprefix(effects.NOT)
            return any(known.slug == slug or known.incapacitates for known in effects.shown(one))
        return all(condition.slug != timer.lasting for condition in effects.shown(one))

    gone = [
        id for id, timer in state.timers.items() if timer.lasting and not timer.happened and lapsed(timer)
    ]
    if not gone:
        return state
    left = {id: timer for id, timer in state.timers.items() if id not in gone}
    return state._replace(timers=left, due="" if state.due in gone else state.due)


def with_happened(state: State, id: str) -> State:
    """The action of a timer that is due is taken."""
    return state._replace(timers={**state.timers, id: state.timers[id]._replace(happened=True)})


def without_due(state: State) -> State:
    """What was due is so no longer; what has happened is over."""
    timer = state.timers.get(state.due)
    over = {state.due} if timer and timer.happened else set()
    left = {id: other for id, other in state.timers.items() if id not in over} if over else state.timers
    return state._replace(due="", timers=left)
