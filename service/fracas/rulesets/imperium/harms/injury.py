"""From net damage to injuries: levels, the tests and dice that they ask for, and what they do.

Rulebook sections 8.3 and 8.4. `after_blows` goes on to any stage with a field ``harm``, once all of that is settled:
an outcome, or the stage that rolls the next shot. What hurts takes its facts, effects, measures and tracks from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from fracas.kernel.forms import Part, Waiting
from fracas.kernel.procedures import chance, mean
from fracas.kernel.stage import Awaited, Effect, Fact, Roll, Shared, Stage
from fracas.kernel.tracks import Track
from fracas.rulesets.imperium.checks.percentile import pass_or_fail
from fracas.rulesets.imperium.harms import bodies
from fracas.rulesets.imperium.harms.bodies import DEAD, PRONE, UNCONSCIOUS, Body, Row, Rows
from fracas.rulesets.imperium.vocabulary import LEVELS, LOCATIONS

NOBODY_DOWN = "none"
STUNNED = "stunned"
SUFFERING = "suffering"
"""The condition of a combatant who bleeds, or whose Injury Total is above Consciousness."""
SUFFER = "suffer-injuries"
"""The action that says, as each of their own rounds ends, what becomes of a combatant who suffers."""
ROUND_END = "own-round-end"
"""When: as the next own round ends that is not over yet."""
HOLD_POWERS, AT_ONCE = "hold-powers", "at-once"
"""The action by which a psyker who is hurt keeps hold of powers, and when it is due."""
INJURY_TOTAL = "injury-total"
"""The track of damage and bleeding."""
STUNNED_ACTIONS = "stunned-actions"
"""The track of actions that a stunned combatant has yet to lose."""
HURT = "hurt"
"""The moment of more points on the first, and the condition of psykers; that of the second is `STUNNED`."""
PLACES = {place: place.replace("-", "_") for place in LOCATIONS}
"""Locations as they stand in names of facts."""


def level_track(place: str) -> str:
    """The track of the injury level of a location."""
    return f"injury-{place}"


def bleeding_track(place: str) -> str:
    """The track of the bleeding injuries of a location."""
    return f"bleeding-{place}"


class Harm(Part, kind="imperium.harm"):
    """What some blows did. Begin with `unhurt`; `after_blows` adds blows.

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
        down = self.out if self.out != body.out else NOBODY_DOWN
        levels, bled = sum(self.levels) - sum(body.levels), sum(self.bled)
        facts |= {"injury_total": self.total, "levels": levels, "bleeding": bled}
        stunned = self.stunned if self.stunned > body.stunned else 0
        facts |= {"stunned_actions": stunned, "prone": self.prone, "down": down}
        if levels:
            for place, level, before in zip(LOCATIONS, self.levels, body.levels, strict=True):
                if level != before:
                    facts |= {f"{PLACES[place]}_level": level, f"{PLACES[place]}_injury": LEVELS[level]}
        known = any(body.hands)
        held = zip(ARMS, body.hands, self.drops, strict=True)
        if dropped := [arm for arm, hand, drops in held if drops and (hand or not known)]:
            facts["drops"] = ", ".join(dropped)
        return facts

    def effects(self, who: str) -> Iterator[Effect]:
        """What to apply to `who`, a record of the procedure."""
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
        falls = self.out != body.out
        yield from lets_go(
            who, *(hand for hand, drops in zip(body.hands, self.drops, strict=True) if drops or falls)
        )
        if falls:
            yield Effect("add-condition", who, self.out)
        if self.net and body.psychic and not self.out:
            yield Effect("add-condition", who, HURT)
        if self.net and body.holding and not self.out and self.stunned <= body.stunned:
            yield Effect("schedule", who, HOLD_POWERS, None, (("when", AT_ONCE),))
        if self.out == DEAD and body.suffering:
            yield Effect("remove-condition", who, SUFFERING)
        bleeds = any((*body.bleeding, *self.bled))
        if self.out != DEAD and not body.suffering and (bleeds or self.total > body.consciousness):
            yield from begins_to_suffer(who)


def unlocated(harm: Harm, points: int) -> Harm:
    """With points on the Injury Total that strike no location: only death is looked at, consciousness later."""
    harm = harm._replace(net=harm.net + points)
    dies = points > 0 and harm.body is not None and harm.total >= harm.body.value.death
    return harm._replace(out=DEAD) if dies else harm


def unhurt(body: Shared[Body] | None) -> Harm:
    """Before any blow."""
    if body is None:
        return Harm(None, 0, bodies.NO_LEVELS, bodies.NO_LEVELS, 0, False, (False, False), "")
    known = body.value
    return Harm(body, 0, known.levels, bodies.NO_LEVELS, known.stunned, False, (False, False), known.out)


def lets_go(who: str, *items: str) -> Iterator[Effect]:
    """What a combatant holds lies on the ground: by the names of things, "" for none."""
    for item in dict.fromkeys(filter(None, items)):
        yield Effect("item", who, item, None, (("ready", False), ("dropped", True)))


def begins_to_suffer(who: str) -> Iterator[Effect]:
    yield Effect("add-condition", who, SUFFERING)
    yield suffers_next(who)


def suffers_next(who: str) -> Effect:
    """The next time that bleeding and consciousness are seen to."""
    return Effect("schedule", who, SUFFER, None, (("when", ROUND_END), ("while", SUFFERING)))


def at_level(who: str, rows: Rows, levels: tuple[int, ...], place: str, level: int) -> Iterator[Effect]:
    """A location gets to another level: the points of its track, and the conditions that go and come."""
    at = LOCATIONS.index(place)
    yield Effect("mark", who, level_track(place), level - levels[at])
    yield from lasting_injuries(who, rows, levels, _changed(levels, at, level))


def lasting_injuries(
    who: str, rows: Rows, levels: tuple[int, ...], levels_after: tuple[int, ...]
) -> Iterator[Effect]:
    """The conditions of injuries that go and come with a change of levels."""
    before, after = bodies.conditions_of(rows, levels), bodies.conditions_of(rows, levels_after)
    yield from (Effect("remove-condition", who, slug) for slug in before if slug not in after)
    yield from (Effect("add-condition", who, slug) for slug in after if slug not in before)


MEASURES = (
    mean("net_damage", "Expected net damage", "net-damage"),
    mean("levels", "Expected injury levels"),
    chance("down", "Chance to go down", but=(NOBODY_DOWN,)),
    chance("down", "Chance to die", "dead", among=(DEAD,)),
)
"""Of every procedure that hurts."""
SHOCK, WITHSTAND, STUN = "system_shock", "injury_test", "stun"
"""What a blow may ask for; the labels of its rolls."""
ARMS = ("right-arm", "left-arm")
RIGHT_ARM, LEFT_ARM = map(LOCATIONS.index, ARMS)


class Blow(Part, kind="imperium.blow"):
    """One hit: the location, and the damage left after armor, cover and fields."""

    location: str
    net: int


def after_blows(end: Any, who: str, *blows: Blow) -> Stage:
    """The blows one after the other, then `end` with what they did.

    Args:
        end: a stage with a field ``harm``: the harm done so far, to which this is added.
        who: the record of the one who is hit, who throws the dice.
    """
    return _further(end, who, end.harm, blows)


def _further(end: Any, who: str, harm: Harm, blows: tuple[Blow, ...]) -> Stage:
    """The next blow that asks for dice; the end where none does."""
    for at, blow in enumerate(blows):
        if blow.net <= 0:
            continue
        harm = harm._replace(net=harm.net + blow.net)
        if harm.body is None:
            continue
        place = LOCATIONS.index(blow.location)
        harm, due = _struck(harm, harm.body.value, place, blow.net)
        if due:
            return Facing(end, who, harm, place, due, blows[at + 1 :])
    return cast(Stage, end._replace(harm=harm))


def level_after(body: Body, place: int, had: int, gained: int) -> tuple[int, Row | None, bool]:
    """The level of a location that gains some, the row of a level that is new, and whether surplus levels kill."""
    level = min(bodies.HIGHEST, had + gained)
    row = bodies.row_of_place(body.rows, place, level) if level > had else None
    return level, row, had + gained > bodies.HIGHEST and body.fatal[place]


def _struck(harm: Harm, body: Body, place: int, net: int) -> tuple[Harm, tuple[str, ...]]:
    """The harm with the blow's levels and what they do without dice, and what they ask for."""
    had = harm.levels[place]
    level, row, surplus = level_after(body, place, had, bodies.rounded_up(net, body.base))
    harm = harm._replace(levels=_changed(harm.levels, place, level))
    if row is not None:
        passed = (bodies.row_of_place(body.rows, place, one) for one in range(had + 1, level + 1))
        bled = sum(one.bleeding for one in passed)
        harm = _suffered(harm, row, place, body.steady)._replace(
            bled=_changed(harm.bled, place, harm.bled[place] + bled)
        )
    if surplus or harm.total >= body.death:
        harm = harm._replace(out=DEAD)
    if harm.out:
        return harm, ()
    due = [SHOCK] if net > body.shock and not body.steady else []
    if row is not None and row.failure:
        due.append(WITHSTAND)
    if body.steady:
        return harm, tuple(due)
    if row is not None and row.dice is not None:
        due.append(STUN)
    elif row is not None:
        harm = stunned(harm, row.stunned)
    return harm, tuple(due)


def _changed(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    return (*numbers[:place], number, *numbers[place + 1 :])


def _suffered(harm: Harm, row: Row, place: int, steady: bool) -> Harm:
    """What an injury does without any dice. Who loses consciousness falls; the steady do not lose it."""
    faints = not steady and UNCONSCIOUS in row.does and DEAD not in (harm.out, *row.does)
    out = DEAD if DEAD in row.does else UNCONSCIOUS if faints else harm.out
    harm = harm._replace(out=out, prone=harm.prone or faints or PRONE in row.does)
    return _dropped(harm, place) if bodies.DROP in row.does else harm


def _dropped(harm: Harm, place: int) -> Harm:
    right, left = harm.drops
    return harm._replace(drops=(right or place == RIGHT_ARM, left or place == LEFT_ARM))


def stunned(harm: Harm, actions: int) -> Harm:
    """The one who is stunned twice loses the same next actions: the longer time counts. The steady lose none."""
    steady = harm.body is not None and harm.body.value.steady
    return harm if steady else harm._replace(stunned=max(harm.stunned, actions))


class Facing(Waiting, kind="imperium.facing"):
    """Waits for the first of the dice that a blow asks for.

    Attributes:
        end: see `after_blows`.
        harm: with this blow, as far as it is settled.
        place: where it struck, as an index of `LOCATIONS`.
        due: what it asks for.
        blows: those still to come.
    """

    end: Any
    who: str
    harm: Harm
    place: int
    due: tuple[str, ...]
    blows: tuple[Blow, ...]

    @property
    def awaits(self) -> Awaited:
        body = self._body
        if self.due[0] == STUN:
            assert self._row.dice is not None
            return Roll((STUN,), (self.who,), self._row.dice)
        if self.due[0] == SHOCK_STUN:
            return Roll((SHOCK_STUN,), (self.who,), body.shock_stun)
        return pass_or_fail(self.due[0], self.who, body.test)

    @property
    def _body(self) -> Body:
        assert self.harm.body is not None
        return self.harm.body.value

    @property
    def _row(self) -> Row:
        return bodies.row_of_place(self._body.rows, self.place, self.harm.levels[self.place])

    def advance(self, answer: Any) -> Stage:
        what, harm, left = self.due[0], self.harm, self.due[1:]
        if what == STUN:
            harm = stunned(harm, max(0, answer) * self._row.unit)
        elif what == SHOCK_STUN:
            harm = stunned(harm, max(0, answer) * self._body.shock_unit)
        elif not answer and what == SHOCK and self._body.shock_stun.dice:
            left = (SHOCK_STUN, *left)
        elif not answer and what == SHOCK:
            harm = stunned(harm, self._body.shock_stun.plus * self._body.shock_unit)
        elif not answer:
            harm = harm._replace(prone=True) if self._row.failure == PRONE else _dropped(harm, self.place)
        if left:
            return self._replace(harm=harm, due=left)
        return _further(self.end, self.who, harm, self.blows)


SHOCK_STUN = "system_shock_stun"
"""Where the packs say in dice how long system shock stuns."""

_BY_PLACE = (level_track, "injuries", "level of injury"), (bleeding_track, "bleeding", "point of bleeding")
HARM_TRACKS: Mapping[str, Track] = {
    INJURY_TOTAL: Track("injury_total", noun="point of Injury", moment=HURT, burden=True),
    STUNNED_ACTIONS: Track("stunned_actions", noun="action of stun", moment=STUNNED, burden=True),
    **{
        name(place): Track(field, key=place, noun=f"{noun} in the {place.replace('-', ' ')}", burden=True)
        for name, field, noun in _BY_PLACE
        for place in LOCATIONS
    },
}
"""Where fights keep what harm does."""
