"""What follows from where combatants stand: distances, reach, cover, movement, and who is in an area.

A fight may know positions (`fracas.space`). `SpaceRules` says what a game makes of them; it is a part of the contract
of fights (`kernel.turns`), and everything in it has a default: fields that procedures share by name are filled in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple

from fracas import space
from fracas.kernel.intents import Intent, Participant, StepContext, Table
from fracas.kernel.items import slug_of
from fracas.kernel.scattering import GOES_OFF
from fracas.kernel.vocabulary import EntryLookup, NoPacks, Vocabulary
from fracas.space import Area, Point, Position

__all__ = ["DISC", "FAN", "LINE", "METRES", "WEDGE", "Placing", "SpaceRules", "Spread", "Unit", "in_force"]


class Unit(NamedTuple):
    """What a game measures in.

    Attributes:
        name: as it stands behind numbers: ``m``, ``yd``.
        metres: in one of it.
    """

    name: str
    metres: float

    def of(self, metres: float) -> float:
        return space.rounded(metres / self.metres)


METRES = Unit("m", 1.0)
"""What a plain game measures in."""
DISC, FAN, LINE, WEDGE = "disc", "fan", "line", "wedge"
"""Shapes of areas: around the spot; a sector or a line from the actor towards it; a triangle that ends there."""


class Spread(NamedTuple):
    """The combatants that an action at a place may reach.

    Attributes:
        shape: `DISC`, `FAN`, `LINE` or `WEDGE`.
        reach: metres around the spot, or from the actor; None: as far as anybody is.
        scatter: metres by which the spot may be missed at most.
        width: degrees of a fan, metres of the far end of a wedge.
        own: it begins at its actor, and needs no spot: a disc lies around them, a line goes towards the target.
        foes: it reaches no one of the actor's own side.
    """

    shape: str = DISC
    reach: float | None = None
    scatter: float = 0.0
    width: float = 0.0
    own: bool = False
    foes: bool = False

    def has(self, actor: Position | None, spot: Point, at: Position) -> bool:
        """Whether a combatant may be reached. `actor`: needed for what begins there."""
        if self.shape == DISC:
            return self.reach is None or space.in_disc(spot, self.reach + self.scatter, at)
        if actor is None:
            return False
        if self.shape == WEDGE:
            return space.in_wedge(actor, spot, self.width, at)
        length = space.FARTHEST if self.reach is None else self.reach
        if self.shape == LINE:
            return space.in_line(actor, spot, length, at)
        return space.in_fan(actor, spot, self.width, length, at)

    def corners(self, actor: Position, spot: Point) -> tuple[Point, ...]:
        """The corners of a wedge, the apex first."""
        whole = hypot(spot.x - actor.x, spot.y - actor.y) or 1.0
        aside = self.width / 2 / whole
        dx, dy = aside * (actor.y - spot.y), aside * (spot.x - actor.x)
        ends = (Point(spot.x + dx, spot.y + dy), Point(spot.x - dx, spot.y - dy))
        return (actor.point, *(Point(space.rounded(one.x, 3), space.rounded(one.y, 3)) for one in ends))


class Placing(NamedTuple):
    """Where a step takes place, beside the positions of those who take part.

    Attributes:
        spot: the place that it is done to; None for none.
        run_up: the metres that the actor has moved for it.
    """

    spot: Point | None = None
    run_up: float | None = None


_ARCS = ((60.0, "front"), (120.0, "side"), (180.0, "rear"))
"""Where a blow comes from, by the angle to where the target looks."""
_AT_PLACE = ("place", "point")
"""Words of the field `aim` of what is aimed at a spot, though there is a target."""
_HIGHER = 0.5
"""Metres by which one stands higher who has the higher ground."""


class SpaceRules:
    """What a ruleset makes of positions. A ruleset overrides what differs from the defaults.

    Attributes:
        unit: that of the fields with distances.
        cover_words: the words of the field ``cover``, each with the share of the body from which on it holds, rising;
            below the first it is ``none``. Empty: walls do not say it.
        melee: the procedures of what is done within `reach`.
        zone: the condition of those who keep an area under fire, which is a zone of the map as long as they are in it.
        at_places: procedures that are done at a place though none of their fields measures from it.
        from_spot: fields of people that say how far they are from where something goes off.
        bands: the range bands, the nearest first: fields of the entry of kind ``range`` that a weapon names.
    """

    unit: Unit = METRES
    cover_words: Sequence[tuple[float, str]] = ()
    melee: Collection[str] = ()
    zone: str = ""
    at_places: Collection[str] = ()
    from_spot: Sequence[str] = ("blast_distance", "center_distance")
    bands: Sequence[str] = ()

    # Movement.

    def movement_span(self, options: Mapping[str, Any]) -> str:
        """The span whose beginning gives a combatant all of their movement again: ``phase`` (their own slot), ``pass``
        or ``turn``, as of limits."""
        return "phase"

    def free_metres(self, table: Table, who: str) -> float | None:
        """Metres that a combatant may move in that span as things stand, without another action; None: as many as
        people allow."""
        return None

    def strides(self, table: Table, who: str, lookup: EntryLookup) -> Mapping[str, float]:
        """Metres that actions of moving give, by their slugs, beside `free_metres`."""
        return {}

    def modes(self, table: Table, who: str, lookup: EntryLookup) -> Mapping[str, float]:
        """Actions that change how a combatant moves, each with the metres of the whole span after it."""
        return {}

    # Reach.

    def reach(self, who: Participant, lookup: EntryLookup) -> float:
        """How far a combatant strikes in melee, in metres: two neighbouring squares of 2 m, corner to corner."""
        return 3.0

    def must_be_within(self, table: Table, who: str, intent: Intent) -> float | None:
        """How near the target must be for an action, in metres; None: however far."""
        if intent.action.get("procedure") not in self.melee:
            return None
        return self.reach(table.participants[who], intent.lookup or NoPacks())

    def range_bands(
        self, who: Participant, item_data: Mapping[str, Any], lookup: EntryLookup
    ) -> Sequence[tuple[str, float]]:
        """The range bands of a weapon, the nearest first: a word, and the metres where it ends. An entry that is
        ``per_strength`` has metres for each point of Strength, as many as the weapon's ``minimum_strength`` at most."""
        entry = lookup.entry("range", str(item_data.get("range", "")))
        data = entry.data if entry is not None else {}
        times = who.sheet.get("strength") if data.get("per_strength") else 1
        if not isinstance(times, int):
            return ()
        if data.get("per_strength"):
            times = min(times, item_data.get("minimum_strength", times))
        return [(band, data[band] * times) for band in self.bands if band in data]

    def longest_reach(self, who: Participant, lookup: EntryLookup) -> int:
        """The greatest ``reach`` of the weapons in hand; 0 for none."""
        ready = (slug for slug, state in who.items.items() if state.get("ready"))
        weapons = (lookup.entry("weapon", slug_of(slug)) for slug in ready)
        return max((one.data.get("reach", 0) for one in weapons if one is not None), default=0)

    def spread(self, table: Table, who: str, intent: Intent) -> Spread:
        """The combatants that an action at a place may reach."""
        return Spread()

    def leaves(self, table: Table, who: str, intent: Intent) -> Area | None:
        """The zone that an action leaves where it strikes, such as smoke, without its middle: it is there as long as
        its actor is in the condition `Area.during`. None: it leaves none."""
        return None

    # A step.

    def placed(self, step: StepContext, placing: Placing, vocabulary: Vocabulary) -> Mapping[str, Any]:
        """What a procedure reads of a step that follows from positions, nested as in a request. What the sheets and
        the command say counts before it."""
        return _Placed(self, step, placing, vocabulary).all()

    def cover_between(self, eye: Participant, target: Participant, areas: Mapping[str, Area]) -> str | None:
        """The word for the cover of a target that walls give; None where there are no walls, or no words."""
        walls = [area for area in areas.values() if area.is_wall]
        if not walls or not self.cover_words or eye.position is None or target.position is None:
            return None
        hidden = space.cover_of(eye.position, target.position, walls, bool(target.sheet.get("prone")))
        found = "none"
        for share, word in self.cover_words:
            found = word if hidden >= share else found
        return found


def in_force(table: Table) -> Mapping[str, Area]:
    """The walls and zones that are there now: without those of combatants who are no longer in their condition."""
    return {
        id: area
        for id, area in table.areas.items()
        if not area.during or area.during in getattr(table.participants.get(area.by), "conditions", ())
    }


class _Placed:
    """The fields of one procedure that positions fill in."""

    def __init__(
        self, rules: SpaceRules, step: StepContext, placing: Placing, vocabulary: Vocabulary
    ) -> None:
        self._rules, self._step, self._placing = rules, step, placing
        self._vocabulary, self._fields = vocabulary, vocabulary.fields
        self._actor = step.actor.position
        self._areas = in_force(step.table)
        people = [path for path, one in vocabulary.records.items() if one.entry_kind == "combatant"]
        self._own = people[0] if people else ""

    def all(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for path, value in self._paths():
            *parents, name = path.split(".")
            place = found
            for parent in parents:
                place = place.setdefault(parent, {})
            place[name] = value
        return found

    def _paths(self) -> Iterator[tuple[str, Any]]:
        step = self._step
        spot = self._placing.spot
        if spot is None and step.target is not None and step.target.position is not None:
            spot = step.target.position.point
        lies = step.situation.get("aim") == GOES_OFF
        if self._placing.spot is not None and not lies and step.target is not None:
            words = getattr(self._fields.get("aim"), "choices", ())
            yield from (("aim", word) for word in _AT_PLACE if word in words)
        if self._actor is not None and not lies and "distance" in self._fields:
            if self._placing.spot is not None:
                yield "distance", self._measured(space.distance(self._actor, self._placing.spot))
            elif step.target is not None and step.target.position is not None:
                yield "distance", self._measured(space.between(self._actor, step.target.position))
        for record, one in step.people.items():
            if one.position is None:
                continue
            # The target of a throw stands at the spot, or defends, if that is another way to aim.
            at_spot = record == "target" and self._placing.spot is None and self._aims_at_people()
            if spot is not None and not at_spot:
                yield from self._around(record, one.position, spot, lies)
            if self._has(record, "distance") and not self._is_around(record) and self._actor is not None:
                yield f"{record}.distance", self._measured(space.between(self._actor, one.position))
            if self._actor is not None:
                yield from self._towards(record, one)
            yield from self._standing(record, one)
        if self._actor is not None:
            yield from self._standing(self._own, step.actor)
            yield from self._own_side()
            yield from self._looking(spot)

    def _aims_at_people(self) -> bool:
        field = self._fields.get("aim")
        return field is None or "target" in field.choices

    def _has(self, record: str, name: str) -> bool:
        field = self._fields.get(f"{record}.{name}")
        return field is not None and field.derived_from is None

    def _is_around(self, record: str) -> bool:
        return self._has(record, "bearing")

    def _measured(self, metres: float) -> float:
        return self._rules.unit.of(metres)

    def _around(self, record: str, at: Position, spot: Point, lies: bool) -> Iterator[tuple[str, Any]]:
        """How far a combatant is from a spot, and where as the actor sees it, for scatter."""
        broader = max(0.0, at.size - space.BODY) / 2
        metres = self._measured(max(0.0, space.distance(spot, at) - broader))
        if self._is_around(record) and not lies and self._actor is not None:
            name = "spot_distance" if self._has(record, "spot_distance") else "distance"
            yield f"{record}.{name}", metres
            yield f"{record}.bearing", space.bearing(self._actor, spot, at)
            return
        for name in self._rules.from_spot:
            if self._has(record, name):
                yield f"{record}.{name}", metres
                return

    def _towards(self, record: str, one: Participant) -> Iterator[tuple[str, Any]]:
        """What a combatant is to the actor."""
        actor, at = self._step.actor, one.position
        assert actor.position is not None
        assert at is not None
        if self._has(record, "cover"):
            word = self._rules.cover_between(actor, one, self._areas)
            if word is not None:
                yield f"{record}.cover", word
        if record == "target" and "attack.direction" in self._fields and at.facing is not None:
            aside = abs((space.turned(at, actor.position) - at.facing + 180) % 360 - 180)
            yield "attack.direction", next(word for most, word in _ARCS if aside <= most + 1e-6)

    def _own_side(self) -> Iterator[tuple[str, Any]]:
        """What the actor is to the target."""
        actor, target = self._step.actor, self._step.target
        assert actor.position is not None
        if target is None or target.position is None:
            return
        higher = actor.position.elevation - target.position.elevation
        if higher and self._has(self._own, "superior_position"):
            yield f"{self._own}.superior_position", higher >= _HIGHER
        word = self._rules.cover_between(target, actor, self._areas)
        if word is not None and self._has(self._own, "in_cover"):
            yield f"{self._own}.in_cover", word != "none"
        if self._placing.run_up is not None and "attack.charge_distance" in self._fields:
            yield "attack.charge_distance", self._measured(self._placing.run_up)

    def _standing(self, record: str, one: Participant) -> Iterator[tuple[str, Any]]:
        """What zones say of a combatant who stands in them."""
        assert one.position is not None
        for area in self._areas.values():
            if area.inside and area.contains(one.position.point):
                for name, value in area.inside.items():
                    if self._has(record, name) and self._fits(f"{record}.{name}", value):
                        yield f"{record}.{name}", value

    def _looking(self, spot: Point | None) -> Iterator[tuple[str, Any]]:
        """What zones say of two who look at each other through them."""
        assert self._actor is not None
        end = self._actor.point if spot is None else spot
        for area in self._areas.values():
            if area.across and (area.contains(end) or area.touches(self._actor.point, end)):
                for path, value in area.across.items():
                    if path in self._fields and self._fits(path, value):
                        yield path, value

    def _fits(self, path: str, value: Any) -> bool:
        return not self._vocabulary.fault(path, value, NoPacks())
