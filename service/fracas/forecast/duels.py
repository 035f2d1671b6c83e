"""Duels solved exactly: the chances of a fight of two with fixed tactics, without any lot.

All ways in which the fight can stand are followed at once, each with its chance, through the same statuses,
distributions and choices as when it is played. Forecasts are held against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.forecast.actions import Against, Rounds
from fracas.forecast.model import NOT_ROLLED, Model
from fracas.forecast.playing import MOST_ACTIONS, MOST_PARTS, MOST_TURNS, Play
from fracas.forecast.statuses import ACTOR, Status

LEAST = 2e-6


class Solved(NamedTuple):
    """The chances of a duel.

    Attributes:
        wins: of each side.
        drawn: nobody is left.
        undecided: it is left so, as a forecast would.
        turns: the chance that it ends in each turn.
        lost: the chance of all that was not followed.
    """

    wins: tuple[float, ...]
    drawn: float
    undecided: float
    turns: dict[int, float]
    lost: float


class _Stands(NamedTuple):
    """How the two stand.

    Attributes:
        rolled, ties: their initiative, and what breaks ties.
        begun: what each has taken without a target, see `Play.begun`.
        gone: who is out of the fight.
        busy: something has been done in this turn.
    """

    status: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    rolled: tuple[int, ...]
    ties: tuple[float, ...]
    begun: tuple[int, ...]
    gone: tuple[bool, ...]
    busy: bool


_Chances = dict[_Stands, float]
_Places = tuple[tuple[tuple[float, ...] | None, ...], ...]
_PARTS = range(1, MOST_PARTS + 1)
_Result = tuple[int, Rounds, int, Rounds]
"""The status of the actor and the change of their rounds, and of the target."""


class Duel(Play):
    """A fight of two, followed in all its ways.

    Args:
        least: ways that are less likely are not followed any further; what they add up to is reported.

    Raises:
        InputError: more than two fight.
    """

    def __init__(self, model: Model, first: str | None = None, least: float = LEAST) -> None:
        if len(model.fighters) != 2:
            raise InputError.one("combatants", "no-duel", "a duel is fought by two")
        super().__init__(model, _middle, first)
        self.ties = [0.0, 0.0]
        self._known: dict[tuple[int, int, int, bool], list[tuple[_Result, float]]] = {}
        self._orders: dict[tuple[int, ...], _Stands] = {}
        self._profiles: list[dict[tuple[int, Any], Status]] = [{}, {}]
        self._alike: dict[tuple[Any, ...], tuple[tuple[int, int], tuple[float, float]]] = {}
        self._signatures: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._places_known: list[tuple[tuple[int, ...], list[_Places]]] = [((), []), ((), [])]
        self._lost, self._least = 0.0, least
        self._first = self._stands()

    def solve(self) -> Solved:
        """The chances of all ends.

        Rolls that put the two in the same order, however they are hurt by then, are one. Ways to be hurt turn up while
        the duel is solved; if there are new ones, it is solved again with these.
        """
        while True:
            known = [len(one) for one in self._profiles]
            solved = self._solved()
            if known == [len(one) for one in self._profiles]:
                return solved

    def _solved(self) -> Solved:
        self.turn, self._lost = 0, 0.0
        self._set(self._first)
        wins, drawn, undecided, turns = [0.0, 0.0], 0.0, 0.0, dict[int, float]()
        agenda: _Chances = {self._first: 1.0}
        while agenda and self.turn < MOST_TURNS:
            self.turn += 1
            following: _Chances = {}
            for stands, chance in self._pruned(self._played(agenda)).items():
                left = [side for side, gone in zip(self.side, stands.gone, strict=True) if not gone]
                if len(left) == 2 and stands.busy:
                    following[stands] = chance
                    continue
                turns[self.turn] = turns.get(self.turn, 0.0) + chance
                if len(left) == 1:
                    wins[left[0]] += chance
                elif left:
                    undecided += chance
                else:
                    drawn += chance
            agenda = following
        undecided += sum(agenda.values())
        return Solved(tuple(wins), drawn, undecided, turns, self._lost)

    def _pruned(self, chances: _Chances) -> _Chances:
        kept = {stands: chance for stands, chance in chances.items() if chance > self._least}
        self._lost += sum(chances.values()) - sum(kept.values())
        return kept

    def _stands(self) -> _Stands:
        return _Stands(
            tuple(self.status), tuple(map(tuple, self.rounds)), tuple(self.rolled), tuple(self.ties),
            tuple(self.begun), tuple(self.gone), self.busy,
        )  # fmt: skip

    def _set(self, stands: _Stands) -> None:
        self.status, self.rounds = list(stands.status), [list(one) for one in stands.rounds]
        self.rolled, self.ties = list(stands.rolled), list(stands.ties)
        self.begun, self.gone, self.busy = list(stands.begun), list(stands.gone), stands.busy

    # A turn.

    def _played(self, agenda: _Chances) -> _Chances:
        """How the two stand after a turn."""
        statuses, over, waiting = (
            self.model.statuses,
            _Chances(),
            dict[tuple[_Stands, int, frozenset[int]], float](),
        )
        for stands, chance in agenda.items():
            self._set(stands)
            self.busy = False
            for i in self.all:
                if not self.gone[i]:
                    self.status[i] = statuses.begin_turn[self.status[i]]
            for rolled, share in self._rolls():
                key = (rolled, 1, frozenset[int]())
                waiting[key] = waiting.get(key, 0.0) + chance * share
        while waiting:
            following: dict[tuple[_Stands, int, frozenset[int]], float] = {}
            for (stands, part, done), chance in waiting.items():
                self._set(stands)
                keys = self._keys(part, [i for i in self.all if i not in done])
                if not self._goes_on() or (not keys and part == MOST_PARTS):
                    over[stands] = over.get(stands, 0.0) + chance
                elif not keys:
                    if not self._keys(part + 1, self.all):
                        over[stands] = over.get(stands, 0.0) + chance
                        continue
                    for i in self.all:
                        if not self.gone[i]:
                            self.status[i] = statuses.begin_part[statuses.end_part[self.status[i]]]
                    key = (self._stands(), part + 1, frozenset[int]())
                    following[key] = following.get(key, 0.0) + chance
                else:
                    first = min(keys)
                    who = (
                        [i for place, _, i in keys if place == first[0]]
                        if self.model.together
                        else [first[2]]
                    )
                    for then, share in self._after_slot(who).items():
                        key = (then, part, done | {*who})
                        following[key] = following.get(key, 0.0) + chance * share
            waiting = {key: chance for key, chance in following.items() if chance > self._least}
            self._lost += sum(following.values()) - sum(waiting.values())
        ended: _Chances = {}
        for stands, chance in over.items():
            self._set(stands)
            for i in self.all:
                if not self.gone[i]:
                    self.status[i] = statuses.end_turn[statuses.end_part[self.status[i]]]
                    self._note(i)
            then = self._stands()
            if not self.model.rules.rolled_once:  # which is rolled anew
                then = then._replace(rolled=(NOT_ROLLED, NOT_ROLLED), ties=(0.0, 0.0))
            ended[then] = ended.get(then, 0.0) + chance
        return ended

    def _rolls(self) -> Iterator[tuple[_Stands, float]]:
        """The two after their initiative, in all its ways."""
        model = self.model
        if model.rules.rolled_once and self.turn > 1:
            yield self._stands(), 1.0
            return
        ways: list[tuple[tuple[int, int], float]] = [((NOT_ROLLED, NOT_ROLLED), 1.0)]
        for ids, ends in self._each_roll():
            ways = [
                ((end.get(0, both[0]), end.get(1, both[1])), chance * share)
                for both, chance in ways
                for end, share in ends
            ]
            del ids
        broken = [(0.0, 0.0)] if model.together else [(0.0, 1.0), (1.0, 0.0)]
        before = self._stands()
        if model.rules.rolled_once:
            for both, chance in ways:
                for ties in broken:
                    stands = before._replace(rolled=both, ties=ties)
                    yield self._in_order(stands), chance / len(broken)
            return
        merged: dict[tuple[tuple[int, int], tuple[float, float]], float] = {}
        for both, chance in ways:
            for ties in broken:
                alike = self._alike.setdefault(self._signature(both, ties), (both, ties))
                merged[alike] = merged.get(alike, 0.0) + chance / len(broken)
        for (both, ties), chance in merged.items():
            yield before._replace(rolled=both, ties=ties), chance

    def _keys(self, part: int, waiting: Sequence[int]) -> list[tuple[tuple[float, ...], float, int]]:
        statuses = self.model.statuses
        for i in self.all:
            status = self.status[i]
            self._profiles[i].setdefault((statuses.shape_of[status], statuses.hurt[status]), status)
        return super()._keys(part, waiting)

    def _signature(self, rolled: tuple[int, int], ties: tuple[float, float]) -> tuple[Any, ...]:
        """Who comes first in which part, for all that either may have suffered by then."""
        counted = (len(self.model.rolled), *map(len, self._profiles))
        key = (rolled, ties, counted)
        if key not in self._signatures:
            one, other = (self._places(i, counted) for i in self.all)
            self._signatures[key] = tuple(
                _which_first(first, ties[0], second, ties[1])
                for mine in one
                for theirs in other
                for first, second in zip(mine[rolled[0]], theirs[rolled[1]], strict=True)
            )
        return self._signatures[key]

    def _places(self, i: int, counted: tuple[int, ...]) -> list[_Places]:
        """The different places of one of the two, by all that they may have suffered: by roll, and by part."""
        if self._places_known[i][0] != counted:
            place, rolls = self.model.place, range(counted[0])
            found = dict.fromkeys(
                tuple(tuple(place[status, roll, part] for part in _PARTS) for roll in rolls)
                for status in self._profiles[i].values()
            )
            self._places_known[i] = counted, list(found)
        return self._places_known[i][1]

    def _in_order(self, stands: _Stands) -> _Stands:
        """The same for all rolls that put the two in the same order, where that stands for the whole fight."""
        self._set(stands)
        keys = sorted(self._keys(1, self.all))
        alike = self._orders.setdefault(tuple(key[2] for key in keys), stands)
        return stands._replace(rolled=alike.rolled, ties=alike.ties)

    def _each_roll(self) -> Iterator[tuple[Sequence[int], list[tuple[dict[int, int], float]]]]:
        """Each roll: for whom it counts, and what they keep of each end."""
        model = self.model
        if model.rules.rolled_once:
            for ids, walks, node, opening in model.opening:
                ends = walks.distribution(node).items()
                yield ids, [({i: opening[end, i] for i in ids}, share) for end, share in ends]
            return
        for i in self.all:
            status = self.status[i]
            roll = model.initiative[status] if not self.gone[i] and model.statuses.able[status] else None
            if roll is not None:
                walks, node, kept = roll
                yield [i], [({i: kept[end, ACTOR]}, share) for end, share in walks.distribution(node).items()]

    # A slot.

    def _after_slot(self, who: Sequence[int]) -> _Chances:
        statuses = self.model.statuses
        for i in who:
            self.status[i] = statuses.begin_slot[self.status[i]]
        self.shielded = who if len(who) > 1 else ()
        agenda: _Chances = {self._stands(): 1.0}
        for i in who:
            agenda = self._after_acting(i, agenda)
        end = statuses.end_slot_together if self.shielded else statuses.end_slot
        found: _Chances = {}
        for stands, chance in agenda.items():
            self._set(stands)
            for i in who:
                self.status[i] = end[self.status[i]]
                self._note(i)
                if self.shielded:
                    self.status[i] = statuses.felt[self.status[i]]
                    self._note(i)
            then = self._stands()
            found[then] = found.get(then, 0.0) + chance
        self.shielded = ()
        return found

    def _after_acting(self, i: int, agenda: _Chances) -> _Chances:
        over: _Chances = {}
        now: _Chances = {}
        for stands, chance in agenda.items():
            self._set(stands)
            into = now if self._readies(i) else over
            then = self._stands()
            into[then] = into.get(then, 0.0) + chance
        for _ in range(MOST_ACTIONS):
            following: _Chances = {}
            for stands, chance in now.items():
                self._set(stands)
                able = i in self.shielded or self.model.statuses.able[self.status[i]]
                found = self._best(i) if able else None
                if found is not None:
                    for then, share in self._after_attack(i, *found, stands):
                        following[then] = following.get(then, 0.0) + chance * share
                elif able and self._loads(i):
                    then = self._stands()
                    following[then] = following.get(then, 0.0) + chance
                else:
                    over[stands] = over.get(stands, 0.0) + chance
            now = following
        for stands, chance in now.items():
            over[stands] = over.get(stands, 0.0) + chance
        return over

    def _after_attack(self, i: int, way: Against, j: int, stands: _Stands) -> Iterator[tuple[_Stands, float]]:
        shielded = i in self.shielded and j in self.shielded
        for (mine, spent, theirs, lost), share in self._results(
            way, stands.status[i], stands.status[j], shielded
        ):
            status, rounds, gone = list(stands.status), list(stands.rounds), list(stands.gone)
            status[i], status[j] = mine, theirs
            for at, changes in ((i, spent), (j, lost)):
                if any(changes):
                    rounds[at] = tuple(
                        max(0, had + more) for had, more in zip(rounds[at], changes, strict=True)
                    )
                gone[at] = gone[at] or (at not in self.shielded and self.model.statuses.out[status[at]])
            yield (
                stands._replace(status=tuple(status), rounds=tuple(rounds), gone=tuple(gone), busy=True),
                share,
            )

    def _results(self, way: Against, actor: int, target: int, shielded: bool) -> list[tuple[_Result, float]]:
        """What an attack makes of the two, with its chance; equal results are one."""
        key = (id(way), actor, target, shielded)
        if key not in self._known:
            begun = way.begun[actor]
            assert begun is not None
            then = way.shielded_then if shielded else way.target_then
            found: dict[_Result, float] = {}
            for end, share in way.distribution(begun, target).items():
                result = (*way.actor_then[begun.after, end], *then[target, end])
                found[result] = found.get(result, 0.0) + share
            self._known[key] = list(found.items())
        return self._known[key]


def _which_first(
    mine: tuple[float, ...] | None, tie: float, theirs: tuple[float, ...] | None, other: float
) -> int:
    """Who comes first by their places: 0 or 1 where both have one, 2 where they are equal, more where one has none."""
    if mine is None or theirs is None:
        return 3 + (mine is None) + 2 * (theirs is None)
    first, second = (mine, tie), (theirs, other)
    return 2 if first == second else int(second < first)


def _middle() -> float:
    return 0.5
