"""Fights played by lot, on statuses as whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fracas.forecast.actions import Against, Begun
from fracas.forecast.model import NOT_ROLLED, Model
from fracas.forecast.statuses import ACTOR
from fracas.forecast.tactics import SOONEST, STRONGEST, WEAKEST

MOST_TURNS = 60
"""Turns after which a fight is left undecided."""
MOST_PARTS = 10
MOST_ACTIONS = 12
"""Actions of one combatant in a slot."""
Lot = Callable[[], float]


class Played(NamedTuple):
    """A fight that was played.

    Attributes:
        winner: the number of the side that is left; -1 for none, -2 where it was left undecided.
        turns: how many it took.
        down: for each combatant the turn in which they went down, 0 for never.
        fled: for each combatant the turn in which they fled, 0 for never.
        status, rounds: as they stand at the end.
        standing: how many of each side stood at the end of each turn, first as it began.
    """

    winner: int
    turns: int
    down: tuple[int, ...]
    fled: tuple[int, ...]
    status: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    standing: tuple[tuple[int, ...], ...]


DRAWN, UNDECIDED = -1, -2


class Play:
    """One fight under way.

    Args:
        first: the side that acts first in the first turn, whatever its initiative; None for none.
        choose: chooses among ways to act instead of the tactics, for tests.
    """

    def __init__(self, model: Model, lot: Lot, first: str | None = None) -> None:
        self.model, self.lot, self.first = model, lot, first
        fighters = model.fighters
        count = len(fighters)
        self.all = range(count)
        self.status = [one.status for one in fighters]
        self.rounds = [[*one.rounds] for one in fighters]
        self.rolled = [NOT_ROLLED] * count
        self.side = model.side
        self.held = [[*those] for those in model.held]
        """With whom each is in melee: they attack nobody else until those are out of the fight."""
        self.gone = [
            apart or model.statuses.out[status]
            for apart, status in zip(model.apart, self.status, strict=True)
        ]
        self.down = [0] * count
        self.fled = [0] * count
        self.begun = [0] * count
        """What each has taken without a target: nothing, what comes first, and what comes once they are hurt."""
        self.turn = 0
        self.busy = False
        self.ties: list[float] = []
        self.shielded: Sequence[int] = ()
        self.tended: set[int] = set()
        """Who is out of the fight and was helped in this turn."""
        self.struck: list[int] = []
        """Whom the one who acts has attacked in the slot."""

    def run(self) -> Played:
        statuses, status = self.model.statuses, self.status
        standing = [self._standing()]
        while self.turn < MOST_TURNS and self._goes_on():
            self.turn += 1
            self.busy = False
            for i in self.all:
                if not self.gone[i]:
                    status[i] = statuses.begin_turn[status[i]]
            self._roll()
            self._parts()
            for i in self.all:
                if not self.gone[i]:
                    status[i] = statuses.end_turn[statuses.end_part[status[i]]]
                    self._note(i)
            for i in self.tended:
                status[i] = statuses.end_turn[statuses.end_part[status[i]]]
            self.tended.clear()
            standing.append(self._standing())
            if not self.busy:
                break
        left = [side for side, count in enumerate(standing[-1]) if count]
        winner = left[0] if len(left) == 1 else UNDECIDED if left else DRAWN
        rounds = tuple(map(tuple, self.rounds))
        return Played(
            winner, self.turn, tuple(self.down), tuple(self.fled), tuple(status), rounds, tuple(standing)
        )

    def _standing(self) -> tuple[int, ...]:
        counts = [0] * len(self.model.sides)
        for side, gone in zip(self.side, self.gone, strict=True):
            if not gone:
                counts[side] += 1
        return tuple(counts)

    def _goes_on(self) -> bool:
        """Whether more than one side is left."""
        first = -1
        for side, gone in zip(self.side, self.gone, strict=True):
            if not gone:
                if first < 0:
                    first = side
                elif side != first:
                    return True
        return False

    def _note(self, i: int) -> None:
        """Notice that a combatant is out of the fight."""
        if not self.gone[i] and self.model.statuses.out[self.status[i]]:
            self._leaves(i)
            self.down[i] = self.turn

    def _leaves(self, i: int) -> None:
        """Out of the fight, which sets those free with whom they were in melee."""
        self.gone[i] = True
        for j in self.held[i]:
            self.held[j].remove(i)
            if not self.held[j]:
                self.status[j] = self.model.statuses.untied[self.status[j]]
        self.held[i] = []

    # The order.

    def _roll(self) -> None:
        model, lot = self.model, self.lot
        if model.rules.rolled_once:
            if self.turn == 1:
                for ids, walks, node, kept in model.opening:
                    end = walks.walk(node, lot)
                    for i in ids:
                        self.rolled[i] = kept[end, i]
        else:
            able, initiative = model.statuses.able, model.initiative
            for i in self.all:
                self.rolled[i] = NOT_ROLLED
                if not self.gone[i] and able[self.status[i]]:
                    roll = initiative[self.status[i]]
                    if roll is not None:
                        self.rolled[i] = roll[2][roll[0].walk(roll[1], lot), ACTOR]
        if model.together:
            self.ties = [0.0] * len(model.fighters)
            return
        ties = [lot() for _ in self.all]
        if not model.rules.rolled_once:
            self.ties = ties
        elif self.turn == 1:  # of one side all have the same
            of_side = [lot() for _ in model.sides]
            self.ties = [of_side[side] for side in self.side]

    def _parts(self) -> None:
        statuses = self.model.statuses
        for part in range(1, MOST_PARTS + 1):
            waiting: Sequence[int] = self.all
            if part > 1:
                if not self._keys(part, waiting):
                    return
                for i in self.all:
                    if not self.gone[i]:
                        self.status[i] = statuses.begin_part[statuses.end_part[self.status[i]]]
            while keys := self._keys(part, waiting):
                first = min(keys)
                who = [first[2]]
                if self.model.together:
                    who = [i for key, tie, i in keys if key == first[0]]
                self._slot(who)
                waiting = [i for i in waiting if i not in who]
                if not self._goes_on():
                    return

    def _keys(self, part: int, waiting: Sequence[int]) -> list[tuple[tuple[float, ...], float, int]]:
        """Those of the waiting who act in a part, each with their place."""
        place, status, rolled, ties, gone = self.model.place, self.status, self.rolled, self.ties, self.gone
        first = self.first if self.turn == 1 else None
        found = []
        for i in waiting:
            if not gone[i]:
                key = place[status[i], rolled[i], part]
                if key is not None:
                    if first is not None:
                        key = (0.0 if self.model.fighters[i].side == first else 1.0, *key)
                    found.append((key, ties[i], i))
        return found

    # A slot.

    def _slot(self, who: Sequence[int]) -> None:
        statuses, status = self.model.statuses, self.status
        for i in who:
            status[i] = statuses.begin_slot[status[i]]
        self.shielded = who if len(who) > 1 else ()
        for i in who:
            self._acts(i)
        end = statuses.end_slot_together if self.shielded else statuses.end_slot
        for i in who:
            status[i] = end[status[i]]
            self._note(i)
        if self.shielded:
            for i in who:
                status[i] = statuses.felt[status[i]]
                self._note(i)
            self.shielded = ()

    def _acts(self, i: int) -> None:
        statuses = self.model.statuses
        if not self._readies(i):
            return
        self.struck = []
        status, able, free = self.status, statuses.able, i in self.shielded
        tends = self.model.fighters[i].tactics.tends
        for _ in range(MOST_ACTIONS):
            if not free and not able[status[i]]:
                return
            if tends and self._tends(i):
                continue
            found = self._best(i)
            if found is None:
                if not self._loads(i):
                    return
                continue
            self._attacks(i, *found)

    def _readies(self, i: int) -> bool:
        """What comes before the first attack of a slot; whether the combatant stays in the fight."""
        tactics, left = self.model.fighters[i].tactics, self.model.statuses.rest[self.status[i]]
        if tactics.flees and left <= tactics.flees:
            self._leaves(i)
            self.fled[i] = self.turn
            return False
        if not self.begun[i]:
            self.begun[i] = 1
            for slug in tactics.first:
                self._takes(i, slug, "")
        if self.begun[i] == 1 and tactics.when_hurt and left <= tactics.hurt_left:
            self.begun[i] = 2
            for slug in tactics.when_hurt:
                self._takes(i, slug, "")
        return True

    def _best(self, i: int) -> tuple[Against, int] | None:
        """Whom to attack, and how."""
        model, aim, held = self.model, self.model.fighters[i].tactics.aim, self.held[i]
        status, rounds, gone, shielded = self.status, self.rounds[i], self.gone, self.shielded
        rest, me = model.statuses.rest, status[i]
        best, found, several = -1.0, None, bool(self.struck)
        for ready, those in model.foes[i]:
            way: Against | None = None
            known = False
            for j in those:
                if (gone[j] and j not in shielded) or (held and j not in held):
                    continue
                left = rest[status[j]]
                if not left:
                    continue
                if several or not known:
                    way, known = ready[self._turned(i, j) if several else me], True
                    if way:
                        for at, need in way.takes:
                            if rounds[at] < need:
                                way = self._other(i, j)
                                break
                if way is None:
                    continue
                if aim == SOONEST:
                    value = way.worth / left
                elif aim == WEAKEST:
                    value = 1 / left
                elif aim == STRONGEST:
                    value = left
                else:
                    value = self.lot()
                if value > best:
                    best, found = value, (way, j)
        return found

    def _other(self, i: int, j: int) -> Against | None:
        """The best attack for which there are rounds."""
        model, me, rounds = self.model, self._turned(i, j), self.rounds[i]
        for way in model.ways(model.fighters[i], model.fighters[j]):
            if way.begun[me] and all(rounds[at] >= need for at, need in way.takes):
                return way
        return None

    def _turned(self, i: int, j: int) -> int:
        """The status in which one acts on a target, after all whom they have attacked in the slot."""
        if not self.struck:
            return self.status[i]
        others = len(self.struck) - (j in self.struck)
        return self.model.statuses.turning[self.status[i], others] if others else self.status[i]

    def _attacks(self, i: int, way: Against, j: int) -> None:
        begun = way.begun[self._turned(i, j) if self.struck else self.status[i]]
        assert begun is not None
        self._suffer(i, way, j, begun, way.draw(begun, self.status[j], self.lot))

    def _suffer(self, i: int, way: Against, j: int, begun: Begun, end: int) -> None:
        """An attack that has ended so."""
        status, shielded, statuses, self.busy = self.status, self.shielded, self.model.statuses, True
        if j not in self.struck:
            self.struck.append(j)
        status[i], changes = way.actor_then[begun.after, end]
        if changes:
            self._spend(i, changes)
        then = way.shielded_then if j in shielded and i in shielded else way.target_then
        status[j], changes = then[status[j], end]
        if changes:
            self._spend(j, changes)
        if not self.held[i] and statuses.tied[status[i]]:
            self.held[i].append(j)
            self.held[j].append(i)
        out = statuses.out
        if out[status[j]] and j not in shielded:
            self._note(j)
        if out[status[i]] and i not in shielded:
            self._note(i)

    def _spend(self, i: int, changes: Sequence[int]) -> None:
        mine = self.rounds[i]
        for at, change in enumerate(changes):
            if change:
                left = mine[at] + change
                mine[at] = left if left > 0 else 0

    def _tends(self, i: int) -> bool:
        """Help the ally who is out of the fight and whom it helps most likely; whether there is one now."""
        statuses, slugs = self.model.statuses, self.model.fighters[i].tactics.tends
        best, found = 0.0, None
        for j in self.model.allies[i] if not self.held[i] else ():
            if not self.gone[j] or not statuses.out[self.status[j]]:
                continue
            for way in self.model.tending[slugs, self.status[j]]:
                begun = way.begun[self.status[i]]
                helps = way.helps(begun, self.status[j]) if begun is not None else 0.0
                if begun is not None and helps > best:
                    best, found = helps, (way, begun, j)
        if found is None:
            return False
        way, begun, j = found
        end = way.draw(begun, self.status[j], self.lot)
        self.status[i], changes = way.actor_then[begun.after, end]
        if changes:
            self._spend(i, changes)
        self.status[j], _ = way.target_then[self.status[j], end]
        self.tended.add(j)
        return True

    def _takes(self, i: int, slug: str, item: str) -> bool:
        then = self.model.untargeted[self.model.fighters[i].kind, slug, item][self.status[i]]
        if then is None:
            return False
        self.status[i] = then[0]
        return True

    def _loads(self, i: int) -> bool:
        """Load what an attack lacks rounds for; whether that can be done now."""
        model, fighter = self.model, self.model.fighters[i]
        for at, least, full, slug, item in model.reloads[fighter.kind, fighter.tactics.id]:
            if self.rounds[i][at] < least and self._takes(i, slug, item):
                self.rounds[i][at], self.busy = full, True
                return True
        return False
