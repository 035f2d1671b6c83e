"""Edge outside of a roll: acting first in a pass, and one more pass (rulebook section 2)."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kernel.intents import Participant, Table
from fracas.kernel.turns import DELAYING, Purchase
from fracas.rulesets.sr4.fights.standing import (
    EXTRA_PASS,
    GO_FIRST,
    actions,
    bought_passes,
    most_passes,
    out_of_turn,
    own_passes,
)

_EDGE = (("edge", 1),)


def purchases(table: Table, who: str, no_slot: str) -> Sequence[Purchase]:
    """What somebody may buy in this pass, and why not; `no_slot`: why he has no action in it."""
    participant = table.participants[who]
    why_not = _why_no_edge(table, participant)
    return (
        Purchase(
            GO_FIRST,
            "Edge: go first in this pass",
            _EDGE,
            GO_FIRST,
            "part",
            why_not or _why_not_first(table, participant, no_slot),
        ),
        Purchase(
            "extra-pass",
            "Edge: one more pass in this turn",
            _EDGE,
            f"{EXTRA_PASS}{_next_pass(table, participant)}",
            "turn",
            why_not or _why_not_extra(table, participant),
        ),
    )


def _why_not_first(table: Table, who: Participant, no_slot: str) -> str:
    if who.marks.get(GO_FIRST):
        return "already bought in this pass"
    if DELAYING in who.marks:
        return "holds a delayed action"
    if who.skips:
        return "has given up the next action"
    if table.over:
        return "the pass is over"
    if no_slot or table.part in actions(who, table.options):
        return no_slot
    return f"no action in pass {table.part}"


def _why_no_edge(table: Table, who: Participant) -> str:
    """Why Edge buys nothing now, whatever it is."""
    if not who.able:
        return "cannot act"
    if not who.rolled:
        return "no Initiative Score yet"
    if who.sheet.get("edge_points", 0) < 1:
        return "no Edge left"
    if table.over:  # the end of a pass is the start of the next
        return ""
    for other in table.participants.values():
        if other.done or any(other.spent.values()) or other.marks.get(DELAYING) == table.part:
            return "only at the start of a pass"
    return ""


def _next_pass(table: Table, who: Participant) -> int:
    """The first pass from now on in which somebody has no action yet; a delayed action takes that of this pass."""
    taken = actions(who, table.options) | ({table.part} if DELAYING in who.marks else frozenset())
    now = table.part + table.over
    return next(part for part in range(now, now + len(taken) + 1) if part not in taken)


def _why_not_extra(table: Table, who: Participant) -> str:
    if bought_passes(who):
        return "one additional pass in a Combat Turn"
    if out_of_turn(who):
        return "Initiative Score of 0 or less: no action in this Combat Turn"
    most = most_passes(table.options)
    if own_passes(who, table.options) >= most or _next_pass(table, who) > most:
        return f"never more than {most} passes"
    return ""
