"""A fight in numbers: who hit how often, what damage they dealt and took, which opponents they brought down, and their
luck with the dice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from fracas.encounters import fold, sides, sight, views
from fracas.encounters.command_context import Author
from fracas.encounters.events import TIMELESS, Event, counts
from fracas.encounters.fight import Fight
from fracas.encounters.finished import pieces, with_piece
from fracas.encounters.state import Resolution, State, resolution_of
from fracas.engine.game import Game
from fracas.engine.summary import attack_facts
from fracas.kernel.turns import TurnRules

_ROLL = re.compile(r"(\d+)d(\d+)(!?)(?: ([+-]) (\d+))? (>=|<=) (-?\d+)")
"""Dice that are to reach a number, as rolls tell of them: ``12d6 >= 5``, ``1d20 + 4 >= 10``, ``1d100 <= 60``."""
_PASSED = ("meets", "success")
"""Facts of a roll of which all dice together reach a number, or do not."""
MOST_DICE = 12
"""More dice that are summed up are left out of the luck, as no ruleset has them."""


class Count(NamedTuple):
    """What a combatant did in a fight.

    Attributes:
        attacks, hits: attacks made, and how many of them hit.
        dealt, taken: points or boxes of damage, on whatever monitor.
        downed: ids of the combatants that their actions took out of the fight.
        luck: how many hits and passed tests they had above what their dice give on average.
        rolled: dice that went into the luck.
    """

    attacks: int = 0
    hits: int = 0
    dealt: int = 0
    taken: int = 0
    downed: tuple[str, ...] = ()
    luck: float = 0.0
    rolled: int = 0


class Tally(NamedTuple):
    """A fight in numbers, without what was undone.

    Attributes:
        by: for each combatant that the viewer sees, in the order in which they joined.
        actions: actions taken by all.
        minutes: from the first turn to the last event.
    """

    by: Mapping[str, Count]
    actions: int
    minutes: int


def tally(game: Game, rules: TurnRules, fight: Fight, events: Iterable[Event], viewer: Author) -> Tally:
    """
    Args:
        events: all of the fight.
        viewer: who sees all of it: the GM, or anybody after its end.
    """
    counted = _Count(game, rules, fight, viewer)
    for event in events:
        if event.type not in TIMELESS and counts(fight.history.past, event.version):
            counted.add(event)
    return counted.tally()


class _Count:
    def __init__(self, game: Game, rules: TurnRules, fight: Fight, viewer: Author) -> None:
        self._game, self._rules, self._fight, self._viewer = game, rules, fight, viewer
        self._state: State = fold.NOTHING
        self._open: dict[str, Resolution] = {}
        self._by: dict[str, Count] = {}
        self._actions = 0
        self._first = self._last = 0
        self._harm = {word for word, track in rules.tracks.items() if track.harm and not track.key}

    def add(self, event: Event) -> None:
        before, self._state = self._state, fold.apply(self._rules, self._state, event)
        self._first = self._first or (event.at if event.type == "began-turn" else 0)
        self._last = event.at
        self._actions += event.type == "acted"
        for one in self._finished(event):
            self._step(one, before)

    def _finished(self, event: Event) -> Iterator[Resolution]:
        """The steps whose effects an event applies."""
        for piece in pieces(event.data):
            opened = piece.get("open")
            id = opened["id"] if opened else piece["resolution"]
            one = resolution_of(opened) if opened else self._open.get(id)
            if one is None:
                continue
            self._open[id] = with_piece(one, piece)
            if self._open[id].outcome is not None and piece["applied"]:
                yield self._open.pop(id)
        if event.type in ("applied", "discarded"):
            one = self._open.pop(event.data["resolution"], None)
            if one is not None and event.type == "applied":
                yield one

    def _step(self, one: Resolution, before: State) -> None:
        reported = views.step_seen(one, self._fight.state, self._viewer)
        procedure = self._game.ruleset.procedures.get(one.procedure)
        if reported is None or procedure is None:
            return
        facts = attack_facts(self._game.ruleset, procedure, reported["outcome"])
        if "hit" in facts:
            self._change(one.actor, attacks=1, hits=int(bool(facts["hit"])))
        struck = {effect["who"] for effect in one.effects}
        for effect in one.effects:
            if effect["type"] == "mark" and effect["what"] in self._harm:
                self._change(effect["who"], taken=effect["amount"])
                if effect["who"] != one.actor:
                    self._change(one.actor, dealt=effect["amount"])
        for id in struck & before.combatants.keys() & self._state.combatants.keys() - {one.actor}:
            if sides.is_out(self._rules, self._state, id) and not sides.is_out(self._rules, before, id):
                self._change(one.actor, downed=(id,))
        for roll in reported["rolls"]:
            self._roll(one.who.get(roll["by"], roll["by"]), roll)

    def _roll(self, who: str, roll: Mapping[str, Any]) -> None:
        found = luck_of(roll["dice"], roll.get("result") or {})
        if found is not None:
            self._change(who, luck=found, rolled=len(roll["faces"]))

    def _change(self, who: str, **more: Any) -> None:
        had = self._by.get(who, Count())
        self._by[who] = had._replace(**{name: getattr(had, name) + value for name, value in more.items()})

    def tally(self) -> Tally:
        seen = [id for id in self._fight.state.combatants if sight.sees(self._viewer, self._fight.state, id)]
        minutes = round((self._last - self._first) / 60_000) if self._first else 0
        return Tally({id: self._by.get(id, Count()) for id in seen}, self._actions, minutes)


def luck_of(dice: str, result: Mapping[str, Any]) -> float | None:
    """How far hits, or passing or failing, lie above what these dice give on average; None for dice that have nothing
    to reach.

    >>> luck_of("12d6 >= 5", {"hits": 6})
    2.0
    >>> luck_of("1d20 + 4 >= 15", {"total": 20, "meets": True})
    0.5
    >>> luck_of("1d100 <= 60", {"success": False})
    -0.6
    >>> luck_of("2d10 + 4", {"rolled": 13})
    """
    asked = _ROLL.fullmatch(dice)
    if asked is None:
        return None
    count, sides_, goal = int(asked[1]), int(asked[2]), int(asked[7])
    more = int(f"{asked[4]}{asked[5]}") if asked[4] else 0
    if "hits" in result:
        chance = max(0, min(sides_, sides_ - goal + 1)) / sides_
        again = sides_ / (sides_ - 1) if asked[3] else 1.0  # the highest face is thrown again
        return round(float(result["hits"]) - count * chance * again, 6)
    passed = next((result[fact] for fact in _PASSED if fact in result), None)
    if passed is None or asked[3] or not 1 <= count <= MOST_DICE:
        return None
    ways = _ways(count, sides_)
    good = (
        sum_
        for sum_ in range(len(ways))
        if (sum_ + more >= goal if asked[6] == ">=" else sum_ + more <= goal)
    )
    return round(float(bool(passed)) - sum(ways[sum_] for sum_ in good) / sum(ways), 6)


@lru_cache(maxsize=64)
def _ways(count: int, sides_: int) -> Sequence[int]:
    """In how many ways so many dice come to each sum."""
    ways = [1]
    for _ in range(count):
        ways = [sum(ways[max(0, at - sides_) : at]) for at in range(len(ways) + sides_)]
    return tuple(ways)
