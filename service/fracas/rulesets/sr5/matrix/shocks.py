"""What the user of a device suffers through it: biofeedback, and dumpshock. Rulebook sections 12 to 12.2.

Both are resisted with Willpower and the Firewall; that of a bricked device does not help. The interface decides which
track biofeedback strikes, and how hard it is to be thrown out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.forms import Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Shared, share
from fracas.kernel.tables import Row
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.combatant import VIRTUAL
from fracas.rulesets.sr5.harms.damage_resistance import interface_row, thrown_out
from fracas.rulesets.sr5.rolls.dice_test import Side, make_pool, side_of
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries

FEEDBACK, DUMPSHOCK = "biofeedback", "dumpshock"
"""The names of both in facts."""
FEEDBACK_POOL, DUMPSHOCK_POOL = f"{FEEDBACK}.pool", f"{DUMPSHOCK}.pool"
Suffered = tuple[tuple[str, int, str], ...]
"""What a combatant suffered: the name, boxes after resistance, and the track."""
USER_BOXES = Measure(
    "user",
    "Expected boxes of the user",
    lambda facts: sum(float(facts.get(f"{name}_damage") or 0) for name in (FEEDBACK, DUMPSHOCK)),
)


class Shocks(Part, kind="sr5.shocks"):
    """What may strike the user of a device.

    Attributes:
        feedback: track of biofeedback; "" where the attack brings none, or none gets through.
        dumpshock: Damage Value of being thrown out; 0 for none.
        track: of dumpshock.
        minutes: how long it hampers.
        sides: the tests against biofeedback and dumpshock, and against dumpshock with a device that still works: the
            Firewall of a bricked one does not help.
        monitors: of the user; None where the situation does not report them.
        thrown: a success throws the user out, whatever becomes of the device.
        who: the record of the user.
        points: of Edge that a user has who is not the target.
    """

    feedback: str
    dumpshock: int
    track: str
    minutes: int
    sides: tuple[Side, ...]
    monitors: Monitors | None
    thrown: bool = False
    who: str = "target"
    points: int = 0

    def coming(self, boxes: int, bricked: bool) -> Suffered:
        """What boxes of the device bring, before resistance; nobody is thrown out by none, but by the action itself."""
        feedback = ((FEEDBACK, boxes, self.feedback),) if self.feedback and boxes else ()
        out = self.dumpshock and (self.thrown or (bricked and boxes))
        return (*feedback, *(((DUMPSHOCK, self.dumpshock, self.track),) if out else ()))

    def side(self, name: str, full: bool) -> Side:
        return self.sides[0 if name == FEEDBACK else 1 if full else 2]


def deals_damage(row: Row) -> bool:
    """Whether an action damages a device."""
    return bool(row.get("damage") or row.get("dv"))


def firewall_entry(facts: Mapping[str, Any], who: str) -> Entry:
    """What the Firewall adds to a pool."""
    return Entry("firewall", "Firewall", facts[f"{who}.firewall"])


def user_of(row: Row) -> str:
    """Who may suffer: the owner of the icon, or those who throw themselves out."""
    return str(row.get("dumps", "target"))


def _feedback(it: Attempt, row: Row) -> str:
    """The track of biofeedback; "" where the attack brings none, or none gets through."""
    facts, how = it.facts, row.get("biofeedback", "")
    running = facts.get("attacker.programs", ())
    if not how and row.get("damage") in ("attack", "net"):
        how = "mode" if facts.get("attacker.biofeedback") or "biofeedback" in running else ""
        how = "stun" if "blackout" in running else how
    if not how:
        return ""
    track = str(interface_row(it).get(FEEDBACK, "none"))
    return "" if track == "none" else track if how == "mode" else str(how)


def _thrown(it: Attempt, row: Row) -> bool:
    """Whether the user may be thrown out: by the action itself, or with the device that holds them in the Matrix."""
    virtual = it.facts.get("target.interface") in VIRTUAL and "device" not in it.facts
    return "dumps" in row or (deals_damage(row) and bool(it.facts.get("target.through_device", virtual)))


def _dumpshock(it: Attempt, row: Row) -> int:
    """The Damage Value of being thrown out; 0 for none."""
    who = user_of(row)
    return int(interface_row(it, who).get(DUMPSHOCK, 0)) if _thrown(it, row) else 0


def resisting(it: Attempt, row: Row) -> None:
    """The pools with which the user resists: with the Firewall, and without that of a bricked device."""
    facts, who = it.facts, user_of(row)
    struck, dumped = _feedback(it, row), _dumpshock(it, row)
    if struck or (dumped and "dumps" in row):
        require(facts, [(f"{who}.firewall", "Firewall, against biofeedback and dumpshock")])
        willpower = attribute_entries(facts, who, ("willpower",))
        make_pool(it, FEEDBACK_POOL, *willpower, firewall_entry(facts, who))
    if dumped and deals_damage(row):
        make_pool(it, DUMPSHOCK_POOL, *attribute_entries(facts, who, ("willpower",)))


def shocks_of(it: Attempt, row: Row) -> Shared[Shocks] | None:
    """What may strike the user; None for nothing."""
    feedback, dumped, who = _feedback(it, row), _dumpshock(it, row), user_of(row)
    if not (feedback or dumped):
        return None
    _, track, minutes = thrown_out(it, who)
    whole, bare = it.known(FEEDBACK_POOL) or 0, it.known(DUMPSHOCK_POOL) or 0
    pools = ((FEEDBACK, whole), (DUMPSHOCK, bare), (DUMPSHOCK, whole))
    sides = tuple(side_of(it, name, who, pool) for name, pool in pools)
    monitors, points = Monitors.of(it.facts, who), it.facts.get(f"{who}.edge_points", 0)
    thrown = "dumps" in row
    return share(Shocks(feedback, dumped, track, minutes, sides, monitors, thrown, who, points))
