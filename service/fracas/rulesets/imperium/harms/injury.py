"""From net damage to injuries: levels, the tests and dice that they ask for, and what they do.

Rulebook sections 8.3 and 8.4. `after_blows` goes on to any stage with a field ``harm``, once all of that is settled:
an outcome, or the stage that rolls the next shot.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.forms import Part, Waiting
from fracas.kernel.stage import Awaited, Roll, Shared, Stage
from fracas.rulesets.imperium.checks.passing import pass_or_fail
from fracas.rulesets.imperium.harms.body import (
    DEAD,
    DROP,
    HIGHEST,
    PRONE,
    UNCONSCIOUS,
    Body,
    Row,
    rounded_up,
    row_of_place,
)
from fracas.rulesets.imperium.harms.harm import Harm, unhurt
from fracas.rulesets.imperium.vocabulary import LOCATIONS

SHOCK, WITHSTAND, STUN = "system_shock", "injury_test", "stun"
"""What a blow may ask for; the labels of its rolls."""
RIGHT_ARM, LEFT_ARM = LOCATIONS.index("right-arm"), LOCATIONS.index("left-arm")


class Blow(Part, kind="imperium.blow"):
    """One hit: the location, and the damage left after armor, cover and fields."""

    location: str
    net: int


def after_blows(end: Any, who: str, body: Shared[Body] | None, blows: tuple[Blow, ...]) -> Stage:
    """The blows one after the other, then `end` with a `Harm` in its field ``harm``.

    Args:
        end: a stage with a field ``harm``: the harm done so far, to which this is added, or None.
        who: the record of the one who is hit, who throws the dice.
        body: from `body.body_of`; for the first blow, as the harm keeps it.
    """
    harm: Harm = end.harm if end.harm is not None else unhurt(body)
    return _further(end, who, harm, blows)


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
    stage: Stage = end._replace(harm=harm)
    return stage


def _struck(harm: Harm, body: Body, place: int, net: int) -> tuple[Harm, tuple[str, ...]]:
    """The harm with the blow's levels and what they do without dice, and what they ask for."""
    had, gained = harm.levels[place], rounded_up(net, body.base)
    level = min(HIGHEST, had + gained)
    harm = harm._replace(levels=_changed(harm.levels, place, level))
    row = None
    if level > had:
        row = row_of_place(body.rows, place, level)
        bled = sum(row_of_place(body.rows, place, passed).bleeding for passed in range(had + 1, level + 1))
        harm = _suffered(harm, row, place)._replace(bled=_changed(harm.bled, place, harm.bled[place] + bled))
    surplus = had + gained > HIGHEST and body.fatal[place]
    if surplus or harm.total >= body.death:
        harm = harm._replace(out=DEAD)
    if harm.out:
        return harm, ()
    due = [SHOCK] if net > body.shock else []
    if row is not None and row.failure:
        due.append(WITHSTAND)
    if row is not None and row.dice is not None:
        due.append(STUN)
    elif row is not None:
        harm = _stunned(harm, row.stunned)
    return harm, tuple(due)


def _changed(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    return (*numbers[:place], number, *numbers[place + 1 :])


def _suffered(harm: Harm, row: Row, place: int) -> Harm:
    """What an injury does without any dice. Who loses consciousness falls."""
    if DEAD in row.does:
        harm = harm._replace(out=DEAD)
    elif UNCONSCIOUS in row.does and harm.out != DEAD:
        harm = harm._replace(out=UNCONSCIOUS, prone=True)
    if PRONE in row.does:
        harm = harm._replace(prone=True)
    return _dropped(harm, place) if DROP in row.does else harm


def _dropped(harm: Harm, place: int) -> Harm:
    right, left = harm.drops
    return harm._replace(drops=(right or place == RIGHT_ARM, left or place == LEFT_ARM))


def _stunned(harm: Harm, actions: int) -> Harm:
    """The one who is stunned twice loses the same next actions: the longer time counts."""
    return harm._replace(stunned=max(harm.stunned, actions))


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
        return row_of_place(self._body.rows, self.place, self.harm.levels[self.place])

    def advance(self, answer: Any) -> Stage:
        what, harm, left = self.due[0], self.harm, self.due[1:]
        if what == STUN:
            harm = _stunned(harm, max(0, answer) * self._row.unit)
        elif what == SHOCK_STUN:
            harm = _stunned(harm, max(0, answer) * self._body.shock_unit)
        elif not answer and what == SHOCK:
            if self._body.shock_stun.dice:
                left = (SHOCK_STUN, *left)
            else:
                harm = _stunned(harm, self._body.shock_stun.plus * self._body.shock_unit)
        elif not answer:
            harm = harm._replace(prone=True) if self._row.failure == PRONE else _dropped(harm, self.place)
        if left:
            return self._replace(harm=harm, due=left)
        return _further(self.end, self.who, harm, self.blows)


SHOCK_STUN = "system_shock_stun"
"""Where the packs say in dice how long system shock stuns."""
