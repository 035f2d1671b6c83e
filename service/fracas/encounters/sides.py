"""Who can still fight: the sides of a fight, whose combatants are out of it, and whether it is decided.

A combatant is *out* who cannot act and will not act again by themselves within a minute. Vehicles and other machines
that do nothing by themselves count for no side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from fracas.encounters import effects, order
from fracas.encounters.state import Combatant, State
from fracas.exports.readable import listed
from fracas.kernel.intents import Participant
from fracas.kernel.turns import TurnRules

SOON = 60
"""Seconds within which a combatant acts again who is not out."""


class Side(NamedTuple):
    """A side of a fight, without those who have left it.

    Attributes:
        able: ids of those who can fight, or can again soon.
        out: ids of the others.
    """

    side: str
    able: tuple[str, ...]
    out: tuple[str, ...]


def is_out(rules: TurnRules, state: State, id: str) -> bool:
    """Whether a combatant is out of the fight, dead say, and not only kept from acting for a moment."""
    one = state.combatants[id]
    return _is_out(rules, state, one, order.participant(rules, one, state.options))


def _is_out(rules: TurnRules, state: State, one: Combatant, seen: Participant) -> bool:
    return not seen.able and not _back_soon(rules, state, one, seen)


def _back_soon(rules: TurnRules, state: State, one: Combatant, seen: Participant) -> bool:
    """Whether all that takes a combatant out will be over within a minute, and nothing worse follows."""
    if rules.unable(seen):
        return False
    taking = [each for each in effects.shown(one) if each.incapacitates]
    return all(
        each.unit in ("slots", "parts")
        or (each.unit == "turn" and (each.until - state.turn + 1) * rules.seconds <= SOON)
        for each in taking
    ) and not any(each.then for each in taking)


def sides(rules: TurnRules, state: State, unknown: Collection[str] = ()) -> list[Side]:
    """The sides in the order in which their first combatants joined.

    Args:
        unknown: ids of those that the viewer does not know of.
    """
    found: dict[str, tuple[list[str], list[str]]] = {}
    for id, one in state.combatants.items():
        if one.gone or id in unknown:
            continue
        seen = order.participant(rules, one, state.options)
        if not rules.counts_for_side(seen):
            continue
        able, out = found.setdefault(one.side, ([], []))
        (out if _is_out(rules, state, one, seen) else able).append(id)
    return [Side(side, tuple(able), tuple(out)) for side, (able, out) in found.items()]


def over(found: Collection[Side]) -> dict[str, Any] | None:
    """That at most one of several sides can still fight; None while more can.

    ``left`` is the side that can, or None; ``out`` are the others; ``text`` says so.
    """
    if len(found) < 2:
        return None
    left = [one.side for one in found if one.able]
    if len(left) > 1:
        return None
    out = [one.side for one in found if not one.able]
    return {"left": left[0] if left else None, "out": out, "text": beaten(*out)}


def beaten(*sides: str) -> str:
    """That sides cannot fight any more, in words.

    >>> beaten("corp"), beaten("runners", "corp")
    ('All of the corp are out of the fight', 'All of the runners and the corp are out of the fight')
    """
    return f"All of {listed([f'the {side}' for side in sides])} are out of the fight"


def changes(rules: TurnRules, before: State, after: State) -> Iterator[Mapping[str, Any]]:
    """The sides that cannot fight any more after an event, or can again.

    ``seen_by`` is who knows it so: ``gm``, ``others`` or ``all``. Where combatants are hidden from viewers, these see
    a side beaten that is not.
    """
    if before.combatants is after.combatants:
        return
    known = _turned(rules, before, after, False)
    hidden = any(one.hidden for state in (before, after) for one in state.combatants.values())
    reported = {"gm": known, "others": _turned(rules, before, after, True) if hidden else known}
    for kind, side in dict.fromkeys((*reported["gm"], *reported["others"])):
        whose = [role for role, turned in reported.items() if (kind, side) in turned]
        more = {"who": "", "what": side, "label": side, "cause": "state", "why": ""}
        yield {"kind": kind, **more, "seen_by": "all" if len(whose) == 2 else whose[0]}


def _turned(rules: TurnRules, before: State, after: State, public: bool) -> list[tuple[str, str]]:
    stood, stands = _standing(rules, before, public), _standing(rules, after, public)
    found = []
    for side, able in stands.items():
        if side in stood and stood[side] != able and (len(stands) > 1 or len(stood) > 1):
            found.append(("side-back" if able else "side-out", side))
    return found


def _standing(rules: TurnRules, state: State, public: bool) -> dict[str, bool]:
    unknown = {id for id, one in state.combatants.items() if public and one.hidden}
    return {one.side: bool(one.able) for one in sides(rules, state, unknown)}
