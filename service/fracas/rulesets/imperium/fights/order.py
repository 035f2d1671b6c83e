"""Who acts when in a round (rulebook sections 2.1 to 2.3).

What is kept of a combatant's initiative: ``initiative``, as it counts in this round, and ``surprised``, whether it is
halved for that; where it is tested ``success`` and ``margin``; and the dice of ties, ``tie``, ``tie_2`` and so on.
Those who tie may also be put in order by hand: ``tie`` is then any number, the highest acts first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from fracas.kernel.intents import Participant, Table
from fracas.kernel.stage import Facts
from fracas.kernel.turns import InitiativeRoll, Slot
from fracas.rulesets.imperium.checks.initiative import SURPRISED, InitiativeProcedure

Score = tuple[int, ...]

_TIE = "tie"


class Unit(NamedTuple):
    """Those who have one place in the order: a combatant alone, or a group of equals.

    Attributes:
        score: the higher one acts first: whether the test is passed, the Initiative or the margin, dice of ties.
            Empty where nothing is known yet.
    """

    members: tuple[Participant, ...]
    score: Score


def units(table: Table) -> list[Unit]:
    """Everybody who can act, in the order in which they joined."""
    found: dict[object, list[Participant]] = {}
    for who in table.participants.values():
        if who.able:
            found.setdefault(_belongs(who), []).append(who)
    return [Unit(tuple(members), score_of(members[0].rolled)) for members in found.values()]


def _belongs(who: Participant) -> object:
    """What those of one unit have in common: nothing is shared without a group."""
    group = who.sheet.get("group")
    if not group:
        return who.id
    return who.side, group, is_surprised(who), tuple(sorted(who.rolled.items()))


def is_surprised(who: Participant) -> bool:
    return SURPRISED in who.conditions


def score_of(rolled: Facts) -> Score:
    """What decides a combatant's place: of tests passed the greatest margin comes first, of failed ones the
    smallest."""
    if isinstance(margin := rolled.get("margin"), int) and "success" in rolled:
        first = (1, margin) if rolled["success"] else (0, -margin)
    elif isinstance(value := rolled.get("initiative"), int):
        first = (1, value)
    else:
        return ()
    return (*first, *_ties(rolled))


def _ties(rolled: Facts) -> Iterator[int]:
    for at in range(1, len(rolled) + 1):
        value = rolled.get(_tie_name(at))
        if not isinstance(value, int):
            return
        yield value


def _tie_name(at: int) -> str:
    return _TIE if at == 1 else f"{_TIE}_{at}"


def kept(rolled: Facts, details: Facts) -> Facts:
    """What is kept after a further roll. A new Initiative takes the place of an old one with all its ties."""
    if _TIE in details:
        return {**rolled, _tie_name(len(list(_ties(rolled))) + 1): details[_TIE]}
    names = ("initiative", SURPRISED, "success", "margin")
    fresh = {name: details[name] for name in names if name in details}
    by_hand = {name: value for name, value in rolled.items() if name.startswith(_TIE)}
    return fresh if "initiative" in rolled else {**by_hand, **fresh}


def set_by_hand(who: Participant, facts: Facts) -> Facts:
    """What is said; an Initiative by hand is as it counts, also of a surprised combatant."""
    return {SURPRISED: is_surprised(who), **facts} if score_of(facts) else facts


def missing(table: Table) -> list[InitiativeRoll]:
    """What is not known yet: Initiatives, tests of them, and dice of ties. To be asked again after each roll."""
    if table.turn < 1:
        return []
    waiting = [unit for unit in units(table) if any(_waits(table, who) for who in unit.members)]
    lacking = [unit for unit in waiting if _lacks(unit)]
    if lacking:
        return [_roll(unit) for unit in lacking]
    return [_roll(unit, {"initiative": {"kind": "tie"}}) for unit in _tied(waiting, 2)]


def _lacks(unit: Unit) -> bool:
    """Nothing is known, or those it concerns have been surprised since."""
    first = unit.members[0]
    return not unit.score or (is_surprised(first) and not first.rolled.get(SURPRISED))


def _tied(found: Iterable[Unit], at: int) -> list[Unit]:
    """Those whose next die is missing: of units that are equal in the first `at` places, who have no further one."""

    def first(unit: Unit) -> Score:
        return unit.score[:at]

    lacking: list[Unit] = []
    for _, group in groupby(sorted(found, key=first), key=first):
        tied = list(group)
        if len(tied) > 1:
            without = [unit for unit in tied if len(unit.score) == at]
            lacking += without or _tied(tied, at + 1)
    return lacking


def _roll(unit: Unit, situation: Facts | dict[str, dict[str, str]] | None = None) -> InitiativeRoll:
    ids = tuple(who.id for who in unit.members)
    return InitiativeRoll(ids[0], ids, InitiativeProcedure.id, situation or {})


def _waits(table: Table, who: Participant) -> bool:
    return not who.done and who.id not in table.acting


def slots(table: Table) -> list[Slot]:
    """The slots still to come in this round; those of one unit act one after the other, in any order they like."""
    found = []
    for unit in sorted(units(table), key=lambda unit: tuple(-number for number in unit.score)):
        actors = tuple(who.id for who in unit.members if _waits(table, who))
        if unit.score and actors:
            found.append(Slot(actors, False, standing(unit.members[0].rolled)))
    return found


def standing(rolled: Facts) -> str:
    """For lists: ``61``, ``45 (3, 6)`` after ties, and of tests ``passes by 35``."""
    if not score_of(rolled):
        return ""
    if "success" in rolled and "margin" in rolled:
        shown = f"{'passes' if rolled['success'] else 'fails'} by {rolled['margin']}"
    else:
        shown = str(rolled["initiative"])
    ties = ", ".join(map(str, _ties(rolled)))
    return f"{shown} ({ties})" if ties else shown
