"""Conditions that hold only as long as something else does: of two people towards each other, and of those who can act.

The holder is in one condition, the held in another; each is the *counterpart* of the other and ends
with it. A counterpart that concerns nobody in particular holds everybody: a magician sustains spells, and those who
bear them are in conditions towards the magician. One whose own counterpart is a third condition is towards another, and
holds everybody as well: those who see through an illusion do so while its bearer has it, whoever keeps it up.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from fracas.encounters import order
from fracas.encounters.effects import with_combatant
from fracas.encounters.state import Combatant, Condition, State
from fracas.kernel.turns import TurnRules

UNABLE = "unable"
"""The moment at which a combatant cannot act any more, for whatever reason."""


def settled(rules: TurnRules, state: State) -> State:
    """The state without conditions whose counterpart is gone, or whose owner would have to be able to act."""
    having = [one for one in state.combatants.values() if one.conditions]
    if not having:
        return state
    able, bound = _words_of_the_able(rules), False
    for one in having:
        needing = []
        for condition in one.conditions:
            bound = bound or condition.counterpart != ""
            if condition.ends and not able.isdisjoint(condition.ends):
                needing.append(condition)
        if needing:
            seen = order.participant(rules, one, state.options)
            # Of what lets its owner act in spite of all else the sheet shows when it is over.
            gone = [its for its in needing if its.enables and rules.unable(seen)]
            seen = order.participant(rules, _without(one, gone), state.options) if gone else seen
            gone += [] if seen.able else [its for its in needing if not its.enables]
            state = with_combatant(state, _without(one, gone)) if gone else state
    for one in state.combatants.values() if bound else ():
        if any(condition.counterpart for condition in one.conditions):
            left = tuple(kept for condition in one.conditions for kept in _bound(state, one, condition))
            if left != one.conditions:
                state = with_combatant(state, one._replace(conditions=left))
    return state


def _without(one: Combatant, gone: Collection[Condition]) -> Combatant:
    return one._replace(conditions=tuple(kept for kept in one.conditions if kept not in gone))


@lru_cache(maxsize=16)
def _words_of_the_able(rules: TurnRules) -> frozenset[str]:
    """The words of `ends` for conditions of those who can act."""
    return frozenset(word for word, moment in rules.moments.items() if moment == UNABLE)


def _bound(state: State, owner: Combatant, condition: Condition) -> tuple[Condition, ...]:
    """What is left of a condition towards people: of one that concerns nobody in particular, all."""
    if not condition.counterpart or not condition.towards:
        return (condition,)
    towards = tuple(id for id in condition.towards if _answers(state, id, condition, owner.id))
    return (condition._replace(towards=towards),) if towards else ()


def _answers(state: State, id: str, condition: Condition, owner: str) -> bool:
    """Whether a combatant who is there is in the counterpart of a condition of the owner."""
    other = state.combatants.get(id)
    return other is not None and not other.gone and holds(other, condition, owner)


def holds(other: Combatant, condition: Condition, owner: str) -> bool:
    """Whether a combatant is in the counterpart of a condition of the owner, or in what covers it, towards the owner,
    towards nobody in particular, or towards those who keep it up."""
    return any(
        condition.counterpart in one.covers
        or (
            one.slug == condition.counterpart
            and (not one.towards or owner in one.towards or one.counterpart not in ("", condition.slug))
        )
        for one in other.conditions
    )
