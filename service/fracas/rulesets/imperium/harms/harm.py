"""What blows did to a combatant: Injury Total, levels, bleeding, and what these bring (rulebook sections 8.3 and 8.4).

Every procedure that hurts takes its facts, effects and measures from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.forms import Part
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Shared
from fracas.rulesets.imperium.harms.body import DEAD, NO_LEVELS, PRONE, Body, Rows, conditions_of
from fracas.rulesets.imperium.vocabulary import LEVELS, LOCATIONS

NOBODY_DOWN = "none"
STUNNED = "stunned"
SUFFERING = "suffering"
"""The condition of a combatant who bleeds, or whose Injury Total is above Consciousness."""
SUFFER = "suffer-injuries"
"""The action that says, as each of their own rounds ends, what becomes of a combatant who suffers."""
ROUND_END = "own-round-end"
"""When: as the next own round ends that is not over yet."""
INJURY_TOTAL = "injury-total"
"""The track of damage and bleeding."""
STUNNED_ACTIONS = "stunned-actions"
"""The track of actions that a stunned combatant has yet to lose."""
PLACES = {place: place.replace("-", "_") for place in LOCATIONS}
"""Locations as they stand in names of facts."""


def level_track(place: str) -> str:
    """The track of the injury level of a location."""
    return f"injury-{place}"


def bleeding_track(place: str) -> str:
    """The track of the bleeding injuries of a location."""
    return f"bleeding-{place}"


class Harm(Part, kind="imperium.harm"):
    """What some blows did. Begin with `unhurt`; `injury.after_blows` adds blows.

    Attributes:
        body: before the blows; None where the request does not report the Toughness: then only damage counts.
        net: points left after armor, of all blows.
        levels: by location, after the blows.
        bled: bleeding injuries added, by location.
        stunned: actions yet to lose, after the blows.
        prone: fell.
        drops: the right, the left hand lets go of what it holds.
        out: ``unconscious``, ``dead`` or "", after the blows.
    """

    body: Shared[Body] | None
    net: int
    levels: tuple[int, ...]
    bled: tuple[int, ...]
    stunned: int
    prone: bool
    drops: tuple[bool, bool]
    out: str

    @property
    def total(self) -> int:
        """The Injury Total."""
        return self.net + (self.body.value.total if self.body else 0)

    def facts(self) -> dict[str, Fact]:
        """For the explanation. What needs the Toughness is left out where that is not given."""
        facts: dict[str, Fact] = {"net_damage": self.net}
        if self.body is None:
            return facts
        body = self.body.value
        gained = [after - before for after, before in zip(self.levels, body.levels, strict=True)]
        facts |= {
            "injury_total": self.total,
            "levels": sum(gained),
            "bleeding": sum(self.bled),
            "stunned_actions": self.stunned,
            "prone": self.prone,
            "down": self.out if self.out != body.out else NOBODY_DOWN,
        }
        for place, level, more in zip(LOCATIONS, self.levels, gained, strict=True):
            if more:
                facts |= {f"{PLACES[place]}_level": level, f"{PLACES[place]}_injury": LEVELS[level]}
        drops = [
            place for place, lets_go in zip(("right-arm", "left-arm"), self.drops, strict=True) if lets_go
        ]
        return facts | ({"drops": ", ".join(drops)} if drops else {})

    def effects(self, who: str) -> tuple[Effect, ...]:
        """What to apply to `who`, a record of the procedure."""
        return tuple(self._effects(who))

    def _effects(self, who: str) -> Iterator[Effect]:
        if self.net:
            yield Effect("mark", who, INJURY_TOTAL, self.net)
        if self.body is None:
            return
        body = self.body.value
        for place, level, before, bled in zip(LOCATIONS, self.levels, body.levels, self.bled, strict=True):
            if level != before:
                yield Effect("mark", who, level_track(place), level - before)
            if bled:
                yield Effect("mark", who, bleeding_track(place), bled)
        yield from lasting_injuries(who, body.rows, body.levels, self.levels)
        if self.stunned > body.stunned:
            yield Effect("mark", who, STUNNED_ACTIONS, self.stunned - body.stunned)
            yield Effect("add-condition", who, STUNNED)
        if self.prone:
            yield Effect("add-condition", who, PRONE)
        for thing, lets_go in zip(body.hands, self.drops, strict=True):
            if thing and lets_go:
                yield Effect("item", who, thing, None, (("ready", False), ("dropped", True)))
        if self.out != body.out:
            yield Effect("add-condition", who, self.out)
        if self.out == DEAD:
            if body.suffering:
                yield Effect("remove-condition", who, SUFFERING)
        elif not body.suffering and suffers(body, self.total, sum(body.bleeding) + sum(self.bled)):
            yield from begins_to_suffer(who)


def unhurt(body: Shared[Body] | None) -> Harm:
    """Before any blow."""
    if body is None:
        return Harm(None, 0, NO_LEVELS, NO_LEVELS, 0, False, (False, False), "")
    known = body.value
    return Harm(body, 0, known.levels, NO_LEVELS, known.stunned, False, (False, False), known.out)


def suffers(body: Body, total: int, bleedings: int) -> bool:
    """Whether the end of each own round has something to say about a combatant."""
    return bleedings > 0 or total > body.consciousness


def begins_to_suffer(who: str) -> Iterator[Effect]:
    yield Effect("add-condition", who, SUFFERING)
    yield suffers_next(who)


def suffers_next(who: str) -> Effect:
    """The next time that bleeding and consciousness are seen to."""
    return Effect("schedule", who, SUFFER, None, (("when", ROUND_END), ("while", SUFFERING)))


def lasting_injuries(
    who: str, rows: Rows, levels: tuple[int, ...], levels_after: tuple[int, ...]
) -> Iterator[Effect]:
    """The conditions of injuries that go and come with a change of levels."""
    before, after = conditions_of(rows, levels), conditions_of(rows, levels_after)
    for slug in before:
        if slug not in after:
            yield Effect("remove-condition", who, slug)
    for slug in after:
        if slug not in before:
            yield Effect("add-condition", who, slug)


def _number(name: str) -> Measure:
    label = {"net_damage": "Expected net damage", "levels": "Expected injury levels"}[name]
    return Measure(name.replace("_", "-"), label, lambda facts: float(facts.get(name) or 0))


def _is_down(facts: Mapping[str, Fact]) -> float:
    return float(facts.get("down", NOBODY_DOWN) != NOBODY_DOWN)


MEASURES = (
    _number("net_damage"),
    _number("levels"),
    Measure("down", "Chance to go down", _is_down),
    Measure("dead", "Chance to die", lambda facts: float(facts.get("down") == DEAD)),
)
"""Of every procedure that hurts."""
