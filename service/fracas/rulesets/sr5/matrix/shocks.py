"""What damage to a device does to its user: biofeedback and dumpshock (rulebook section 12).

How they strike depends on the interface, by the tables of the packs: one for the ordinary game, one for the house rule
``matrix_damage``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from fracas.kernel.forms import Part
from fracas.kernel.ruleset import Asked, Measure
from fracas.kernel.stage import Effect, Fact, Shared
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.harms.damage import dazed, facts_after, marks
from fracas.rulesets.sr5.rolls.dice_test import Side, side_of
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries

FEEDBACK, DUMPSHOCK = "biofeedback.pool", "dumpshock.pool"
_FEEDBACK, _DUMPSHOCK = "biofeedback", "dumpshock"
"""Their names in facts."""
_TABLES = {"core": "matrix-interfaces", "paydata": "matrix-interfaces-paydata"}
_MINUTES = 10
"""Less the Willpower: how long dumpshock hampers."""

Suffered = tuple[tuple[str, int, str], ...]
"""What a combatant suffered: the name, boxes after resistance, and the track."""

SHOCK_MEASURES = (
    Measure(
        "user",
        "Expected boxes of the user",
        lambda facts: sum(float(facts.get(f"{name}_damage") or 0) for name in (_FEEDBACK, _DUMPSHOCK)),
    ),
)


class Shocks(Part, kind="sr5.shocks"):
    """What may strike the user of a device.

    Attributes:
        feedback: track of biofeedback; "" where the attack brings none, or none gets through.
        dumpshock: Damage Value of being thrown out; 0 for none.
        track: of dumpshock.
        minutes: how long it hampers.
        sides: the tests against biofeedback and dumpshock; the Firewall of a bricked device does not help.
        monitors: of the user; None where the situation does not report them.
    """

    feedback: str
    dumpshock: int
    track: str
    minutes: int
    sides: tuple[Side, Side]
    monitors: Monitors | None

    def coming(self, boxes: int, bricked: bool) -> Suffered:
        """What boxes of the device bring, before resistance; nobody is thrown out by none."""
        feedback = ((_FEEDBACK, boxes, self.feedback),) if self.feedback and boxes else ()
        dumped = ((_DUMPSHOCK, self.dumpshock, self.track),) if self.dumpshock and bricked and boxes else ()
        return (*feedback, *dumped)

    def side(self, name: str) -> Side:
        return self.sides[name == _DUMPSHOCK]


def _row(asked: Asked, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """How the interface lets through what strikes; nothing where none is said."""
    interface = facts.get("target.interface", "none")
    if interface == "none":
        return {}
    name = interface
    if interface == "ar":
        name = "ar-with-dni" if facts.get("target.dni") else "ar-by-goggles"
    table = asked.catalog.entry("table", _TABLES[str(asked.options.get("matrix_damage", "core"))])
    row: Mapping[str, Any] = table.data["rows"][name] if table else {}
    return row


class ThrownOut(NamedTuple):
    """Dumpshock before resistance: a Damage Value, 0 where the interface lets nothing through, its track, and for how
    many minutes it hampers."""

    dv: int
    track: str
    minutes: int


def thrown_out(asked: Asked, facts: Mapping[str, Any]) -> ThrownOut:
    """What it does to a combatant to be thrown out of the Matrix; the Willpower is said."""
    row = _row(asked, facts)
    minutes = max(0, _MINUTES - int(facts["target.willpower"]))
    return ThrownOut(int(row.get("dumpshock", 0)), str(row.get("dumpshock_damage", "none")), minutes)


def shocks_of(
    asked: Asked, facts: Mapping[str, Any], tally: Callable[[str, list[Entry]], Tally]
) -> tuple[Shocks | None, tuple[Tally, ...]]:
    """What may strike the user, with the pools against it; None for nothing.

    Raises:
        InputError: something may strike, and the Willpower is not said.
    """
    row = _row(asked, facts)
    feedback = str(row.get("biofeedback", "none")) if facts.get("attacker.biofeedback") else "none"
    if feedback == "none" and not (facts.get("target.through_device") and row.get("dumpshock")):
        return None, ()
    base = attribute_entries(facts, "target", ("willpower",))
    out = thrown_out(asked, facts)
    dv = out.dv if facts.get("target.through_device") else 0
    firewall = Entry("firewall", "Firewall", facts["target.firewall"])
    against = tally(FEEDBACK, [*base, firewall])
    dumped = tally(DUMPSHOCK, base)
    sides = (
        side_of(_FEEDBACK, "target", against.total, facts, asked),
        side_of(_DUMPSHOCK, "target", dumped.total, facts, asked),
    )
    shocks = Shocks(
        "" if feedback == "none" else feedback,
        dv,
        out.track,
        out.minutes,
        sides,
        Monitors.of(facts, "target"),
    )
    shown = ((against, shocks.feedback), (dumped, dv))
    return shocks, tuple(pool for pool, counts in shown if counts)


def facts_of(shocks: Shared[Shocks] | None, suffered: Suffered) -> dict[str, Fact]:
    """What the user suffered, and how they are then."""
    facts: dict[str, Fact] = {}
    for name, boxes, track in suffered:
        facts |= {f"{name}_damage": boxes, f"{name}_track": track}
    monitors = shocks.value.monitors if shocks else None
    if monitors is None or not suffered:
        return facts
    for _, boxes, track in suffered[:-1]:
        monitors = _after(monitors, boxes, track)
    return facts | facts_after(monitors.after(*suffered[-1][1:]))


def effects_of(shocks: Shared[Shocks] | None, suffered: Suffered) -> Iterator[Effect]:
    """Boxes one after the other, and what dumpshock leaves."""
    if shocks is None:
        return
    monitors = shocks.value.monitors
    for name, boxes, track in suffered:
        yield from marks("target", monitors, boxes, track)
        if monitors is not None:
            monitors = _after(monitors, boxes, track)
        if name == _DUMPSHOCK:
            yield from dazed("target", shocks.value.minutes)


def _after(monitors: Monitors, boxes: int, track: str) -> Monitors:
    after = monitors.after(boxes, track)
    return monitors._replace(physical=after.physical, stun=after.stun)
