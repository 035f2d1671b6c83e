"""Where a combatant stands in a Combat Turn: score, passes, the order that follows from them, and Edge that changes it.

Rulebook sections 2 (Edge), 3, 4.2 and 4.3. Everything is derived from the present sheet and from what was kept of the
Initiative Test, so that a new wound or a boost changes the order at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from fracas.kernel.intents import Participant, Table
from fracas.kernel.monitors import Condition
from fracas.kernel.remembering import by_identity
from fracas.kernel.turns import DELAYING, LOST_TURN, Slot
from fracas.rulesets.sr4.planes import in_body, initiative_parts, passes_of
from fracas.rulesets.sr4.sheet import Monitors, uses_edge, wound_modifier

GO_FIRST = "go-first"
EXTRA_PASS = "extra-pass-"
"""The mark of a bought pass, followed by its number: ``extra-pass-2`` is an action in pass 2."""

NO_SCORE = "Initiative Score of 0 or less: no action in this Combat Turn"

CRITICAL = "critical"
_GLITCHES = ("glitch", CRITICAL)


def as_filled(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet with all boxes that are filled, fresh ones too; a track left out has none."""
    return {"physical": 0, "stun": 0, **sheet, "physical_fresh": 0, "stun_fresh": 0}


def monitors_of(who: Participant) -> Monitors | None:
    """The monitors of a sheet; None where it does not report them."""
    return Monitors.of({"physical": 0, "stun": 0, **who.sheet}, "", who.options)


def state_of(who: Participant) -> Condition | None:
    """The same as boxes stand on them."""
    monitors = monitors_of(who)
    return monitors.after(0, "physical") if monitors is not None else None


def initiative(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> int:
    """The Initiative attribute with wounds, of the world that a combatant acts in (sections 4.2 to 4.4)."""
    attribute = sum(value for _, _, value in initiative_parts(sheet, options))
    hurt = sheet.get("physical") or sheet.get("stun")
    return attribute + ((wound_modifier(as_filled(sheet), "", options) or 0) if hurt else 0)


@by_identity()
def score(who: Participant) -> int:
    """The present Initiative Score: the attribute with its boosts and wounds, and the hits of this turn's test."""
    encumbered = _kept(who, "encumbrance") if "encumbrance" in who.rolled and in_body(who.sheet) else 0
    return initiative(who.sheet, who.options) + _kept(who, "hits") + encumbered


def out_of_turn(who: Participant) -> bool:
    """Whether the score leaves no action in this turn: it is 0 or less, or was so because of wounds."""
    return score(who) <= 0 or LOST_TURN in who.marks


def _kept(who: Participant, name: str) -> int:
    value = who.rolled.get(name)
    return value if isinstance(value, int) else 0


def most_passes(options: Mapping[str, Any]) -> int:
    """The greatest number of passes anybody has in a turn, Edge included: 4 unless the house rules say otherwise."""
    return max(1, int(options["max_passes"]))


@by_identity()
def own_passes(who: Participant, options: Mapping[str, Any]) -> int:
    """Passes without those that Edge bought: more of them count from the next turn, fewer at once. A critical glitch on
    the Initiative Test takes one away, but never the only one."""
    now = passes_of(who.sheet, options)
    passes = min(_kept(who, "passes") or now, now, most_passes(options))
    return max(1, passes - (who.rolled.get("glitch") == CRITICAL))


def bought_passes(who: Participant) -> frozenset[int]:
    """The passes in which Edge gives an action."""
    if not who.marks:
        return frozenset()
    marks = (mark for mark, value in who.marks.items() if value and mark.startswith(EXTRA_PASS))
    return frozenset(int(mark.removeprefix(EXTRA_PASS)) for mark in marks)


def acts_in(who: Participant, part: int, options: Mapping[str, Any]) -> bool:
    """Whether a combatant has an action in a pass, see `actions`."""
    if not who.rolled or out_of_turn(who):
        return False
    return part <= own_passes(who, options) or bool(who.marks.get(f"{EXTRA_PASS}{part}"))


def actions(who: Participant, options: Mapping[str, Any]) -> frozenset[int]:
    """The passes of this turn in which a combatant has an action; none before the test or with a score of 0 or less."""
    if not who.rolled or out_of_turn(who):
        return frozenset()
    return frozenset(range(1, own_passes(who, options) + 1)) | bought_passes(who)


def place(who: Participant) -> tuple[bool, bool, int, bool]:
    """Sorts those who act in a pass; equal places act at the same time. Edge goes first whatever the score; a critical
    glitch comes after everybody, a glitch after the same score."""
    glitch = who.rolled.get("glitch")
    return not who.marks.get(GO_FIRST), glitch == CRITICAL, -score(who), glitch in _GLITCHES


def slots(table: Table, waiting: Iterable[Participant]) -> list[Slot]:
    """The slots of those who still act in a pass, and of timed items after all of their score. Equals act at the same
    time, or with ``simultaneous_actions`` off in the strict order."""
    placed = sorted(((place(who), who.id) for who in waiting), key=itemgetter(0))
    together = table.options["simultaneous_actions"]
    found: list[Slot] = []
    first = 0  # slots of those who go first by Edge, whatever their score: nothing comes between them
    for (ordinary, _, lower, _), group in groupby(placed, key=itemgetter(0)):
        tied = tuple(id for _, id in group)
        label = str(-lower)
        ties = [Slot(tied, True, label)] if together else strict_order(table, tied, label)
        found += ties
        first = first if ordinary else len(found)
    for id, rank in sorted(table.timers, key=itemgetter(1), reverse=True):
        at = next((at for at, slot in enumerate(found) if at >= first and int(slot.label) < rank), len(found))
        found.insert(at, Slot((), True, str(rank), id))
    return found


def strict_order(table: Table, tied: Iterable[str], label: str = "") -> list[Slot]:
    """The order among equals, where one is indispensable (a tied score, delays after the last Action Phase): by Edge,
    Initiative, Reaction; glitches on the Initiative Test come last. Equals by all of these act together."""

    def key(who: Participant) -> tuple[bool, int, int, int]:
        sheet = who.sheet
        glitched = who.rolled.get("glitch") in _GLITCHES
        return glitched, -sheet.get("edge", 0), -initiative(sheet, who.options), -sheet.get("reaction", 0)

    ordered = sorted((table.participants[id] for id in tied), key=key)
    return [Slot(tuple(who.id for who in group), True, label) for _, group in groupby(ordered, key=key)]


def why_no_edge(table: Table, me: Participant) -> str:
    """Why Edge buys nothing in the order now; "" where it may."""
    if not me.able:
        return "cannot act"
    if not me.rolled:
        return "no Initiative Score yet"
    if not uses_edge(me.sheet, table.options):
        return "beings spend no Edge, by a house rule"
    if me.sheet.get("edge_points", 0) < 1:
        return "no Edge left"
    others = table.participants.values()
    begun = (one.done or any(one.spent.values()) or one.marks.get(DELAYING) == table.part for one in others)
    # the end of a pass is the start of the next
    return "only at the start of a pass" if not table.over and any(begun) else ""


def next_pass(table: Table, me: Participant) -> int:
    """The first pass from now on in which a combatant has no action yet; a delayed action takes that of this pass."""
    taken = actions(me, table.options) | ({table.part} if DELAYING in me.marks else frozenset())
    now = table.part + table.over
    return next(part for part in range(now, now + len(taken) + 1) if part not in taken)


def why_not_extra(table: Table, me: Participant) -> str:
    """Why Edge buys no additional pass now; "" where it does."""
    most = most_passes(table.options)
    if bought_passes(me):
        return "one additional pass in a Combat Turn"
    if out_of_turn(me):
        return NO_SCORE
    none_left = own_passes(me, table.options) >= most or next_pass(table, me) > most
    return f"never more than {most} passes" if none_left else ""
