"""Where effects on a sheet are kept, and what of it a table keeps an eye on."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Gauge", "Job", "Track"]


class Track(NamedTuple):
    """Where an effect on a track or resource is kept.

    Attributes:
        field: the field of the sheet.
        mark: what one marked point does to the field: 1 fills a box, -1 takes a hit point. Spending always takes
            points away, gaining adds them.
        least: the field never falls below it.
        resets: the span at whose beginning it returns to 0: ``slot`` (of its owner), ``part``, ``turn``, or "".
        flag: the field is true or false; spending makes it false, and a reset makes it true.
        token: the token of the budget that is spent instead of a field; "" for none.
        group: the field of the sheet that names a group, whose members have the same points; "" for one's own.
        fresh: the field of the sheet with how many points were marked by those who act at the same time: what
            follows from them for one's own tests waits until the slot is over. "" where nothing follows.
        key: the field holds numbers by name, such as injuries by location, and the track is the number of this name,
            which is 0 where the field has none; "" for a field that is the number.
        moment: what marking points on it is, for conditions that it ends (`TurnRules.moments`); "" for nothing.
        noun: what one of its points is called, in the singular: ``box of Physical damage``; "" for its name.
        burden: its points weigh on their owner, who takes and loses them, rather than gaining and spending them.
        fleeting: it counts something for the rest of a slot or turn, such as shots for recoil: cards leave it out.
        gauge: its label among the gauges, see `TurnRules.gauges`; "" for none.
        harm: as a gauge it shows how badly a combatant is hurt, and not what they have left to spend.
        out: what a combatant is who has 0 of it and so cannot act: ``down``; "" where that may be.
        most: the field never rises above it, such as what requests may have; None for no bound.
        phrases: what its owner does who gets points, and who is rid of some, with a gap for them: ``owes {}``; empty
            where they gain and spend, take and recover them.
    """

    field: str
    mark: int = 1
    least: int = 0
    resets: str = ""
    flag: bool = False
    token: str = ""
    group: str = ""
    fresh: str = ""
    key: str = ""
    moment: str = ""
    noun: str = ""
    burden: bool = False
    fleeting: bool = False
    gauge: str = ""
    harm: bool = True
    out: str = ""
    most: int | None = None
    phrases: tuple[str, ...] = ()


class Gauge(NamedTuple):
    """A number of a sheet that a table keeps an eye on, such as the boxes of a monitor or hit points.

    Attributes:
        id: the name of its track.
        label: for people.
        value: where it stands now.
        most: where it ends; None where the sheet does not have it.
        fills: it is bad as it rises, like boxes; otherwise as it falls, like hit points.
        harm: it shows how badly a combatant is hurt, and not what they have left to spend.
    """

    id: str
    label: str
    value: int
    most: int | None = None
    fills: bool = True
    harm: bool = True


class Job(NamedTuple):
    """How far something is that takes several actions.

    Attributes:
        done: actions that have gone into it without a break.
        of: how many it takes; None where that is not known.
    """

    done: int
    of: int | None = None
