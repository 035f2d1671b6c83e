"""What fights that were played add up to, and how sure it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

from fracas.forecast.model import Fighter, Model
from fracas.forecast.playing import DRAWN, UNDECIDED, Played

SURE = 1.96
"""Standard deviations of an interval that holds in 95 of 100 cases."""
Standing = tuple[int, ...]
"""How many of each side still fight."""
_SHARES = (("low", 0.1), ("median", 0.5), ("high", 0.9))


class Counts:
    """Numbers of fights that were played; those of several parts of a forecast add up."""

    def __init__(self, fighters: Sequence[Fighter]) -> None:
        self.winners: list[int] = []
        self.turns: Counter[int] = Counter()
        self.down: list[Counter[int]] = [Counter() for _ in fighters]
        self.fled: list[Counter[int]] = [Counter() for _ in fighters]
        self.rounds = [[0] * len(one.rounds) for one in fighters]
        self.spent: list[Counter[str]] = [Counter() for _ in fighters]
        self.down_and: list[Counter[int]] = [Counter() for _ in fighters]
        self.left_with: list[Counter[str]] = [Counter() for _ in fighters]
        self.visits: Counter[Standing] = Counter()
        self.wins: Counter[tuple[Standing, int]] = Counter()
        self.moves: Counter[tuple[int, Standing, Standing]] = Counter()

    def plus(self, other: Counts) -> None:
        """Take in the counts of another part of the same forecast."""
        self.winners += other.winners
        self.turns.update(other.turns)
        self.visits.update(other.visits)
        self.wins.update(other.wins)
        self.moves.update(other.moves)
        for kind in ("down", "fled", "spent", "down_and", "left_with"):
            for one, more in zip(getattr(self, kind), getattr(other, kind), strict=True):
                one.update(more)
        for mine, theirs in zip(self.rounds, other.rounds, strict=True):
            mine[:] = [had + has for had, has in zip(mine, theirs, strict=True)]


class Tally:
    """Counts of the fights of a model."""

    def __init__(self, model: Model) -> None:
        self.model, self.counts = model, Counts(model.fighters)
        self._full = [one.rounds for one in model.fighters]
        self._left = [model.statuses.left[one.status] for one in model.fighters]

    def add(self, played: Played) -> None:
        counts, statuses = self.counts, self.model.statuses
        counts.winners.append(played.winner)
        counts.turns[played.turns] += 1
        each = zip(
            played.down, played.fled, played.status, played.rounds, self._full, self._left, strict=True
        )
        for at, (down, fled, status, rounds, full, before) in enumerate(each):
            if down:
                counts.down[at][down] += 1
                counts.down_and[at][played.winner] += 1
                for slug in statuses.fallen[status]:
                    counts.left_with[at][slug] += 1
            if fled:
                counts.fled[at][fled] += 1
            if rounds != full:
                mine = counts.rounds[at]
                for item, (had, has) in enumerate(zip(full, rounds, strict=True)):
                    mine[item] += had - has
            if before != (after := statuses.left[status]):
                for field, amount in before.items():
                    counts.spent[at][field] += amount - after.get(field, 0)
        stood = played.standing[0]
        counts.visits[stood] += 1
        counts.wins[stood, played.winner] += 1
        for turn, stands in enumerate(played.standing[1:], start=1):
            counts.visits[stands] += 1
            counts.wins[stands, played.winner] += 1
            counts.moves[turn, stood, stands] += 1
            stood = stands


def share(count: int, of: int) -> dict[str, float]:
    """A chance as fights show it, with the interval by Wilson.

    >>> share(50, 100)["value"], round(share(50, 100)["low"], 3), round(share(50, 100)["high"], 3)
    (0.5, 0.404, 0.596)
    """
    if not of:
        return {"value": 0.0, "low": 0.0, "high": 1.0}
    value, square = count / of, SURE * SURE
    middle = (value + square / (2 * of)) / (1 + square / of)
    width = SURE * sqrt(value * (1 - value) / of + square / (4 * of * of)) / (1 + square / of)
    return {"value": value, "low": max(0.0, middle - width), "high": min(1.0, middle + width)}


def difference(before: Sequence[int], after: Sequence[int], side: int) -> dict[str, float]:
    """How much more often a side wins, of pairs of fights that drew the same lots."""
    steps = [(b == side) - (a == side) for a, b in zip(before, after, strict=True)]
    of = len(steps)
    if not of:
        return {"value": 0.0, "low": -1.0, "high": 1.0}
    mean = sum(steps) / of
    spread = sum(step * step for step in steps) / of - mean * mean
    width = SURE * sqrt(max(0.0, spread) / of) + 1 / of
    return {"value": mean, "low": max(-1.0, mean - width), "high": min(1.0, mean + width)}


def quantiles(counts: Mapping[int, int]) -> dict[str, float]:
    """Mean, median and the bounds between which eight of ten lie."""
    of = sum(counts.values())
    found = {"mean": sum(turn * count for turn, count in counts.items()) / of if of else 0.0}
    for name, part in _SHARES:
        so_far, value = 0, 0
        for value in sorted(counts):
            so_far += counts[value]
            if so_far >= part * of:
                break
        found[name] = float(value)
    return found


def report(tally: Tally) -> dict[str, Any]:
    """What a forecast answers of its fights."""
    model, of = tally.model, len(tally.counts.winners)
    won = Counter(tally.counts.winners)
    return {
        "fights": of,
        "sides": [{"side": side, "wins": share(won[at], of)} for at, side in enumerate(model.sides)],
        "drawn": share(won[DRAWN], of),
        "undecided": share(won[UNDECIDED], of),
        "rounds": quantiles(tally.counts.turns),
        "combatants": [_of_combatant(tally, at, of) for at in range(len(model.fighters))],
        "turning_points": list(_turning_points(tally, of)),
    }


def _of_combatant(tally: Tally, at: int, of: int) -> dict[str, Any]:
    model = tally.model
    one, down = model.fighters[at], tally.counts.down[at]
    count = sum(down.values())
    side = model.sides.index(one.side)
    won = sum(winner == side for winner in tally.counts.winners)
    won_without = tally.counts.down_and[at][side]
    items = model.statuses.kinds[one.kind].full
    labels = model.labels
    return {
        "combatant": one.id,
        "name": one.name,
        "side": one.side,
        "down": share(count, of),
        "down_by_turn": _added_up(down, of),
        "left_with": [
            {"condition": slug, "label": model.condition(slug), "chance": share(with_it, of)}
            for slug, with_it in tally.counts.left_with[at].items()
        ],
        "fled": share(sum(tally.counts.fled[at].values()), of),
        "wins_if_down": share(won_without, count) if count else None,
        "wins_if_standing": share(won - won_without, of - count) if of > count else None,
        "rounds_spent": [
            {"item": item, "label": labels(item), "mean": spent / of if of else 0.0}
            for item, spent in zip(items, tally.counts.rounds[at], strict=True)
            if spent
        ],
        "spent": [
            {"field": field, "mean": amount / of if of else 0.0}
            for field, amount in tally.counts.spent[at].items()
            if amount
        ],
    }


def _added_up(counts: Mapping[int, int], of: int) -> list[float]:
    """The share that it has come to by the end of each turn, up to the last in which it comes."""
    found, so_far = [], 0
    for turn in range(1, max(counts, default=0) + 1):
        so_far += counts.get(turn, 0)
        found.append(so_far / of)
    return found


def _turning_points(tally: Tally, of: int) -> Iterable[dict[str, Any]]:
    """How far each turn moves the chance of the first side to win, on average: by who still stands."""
    chance = {state: tally.counts.wins[state, 0] / count for state, count in tally.counts.visits.items()}
    moved: Counter[int] = Counter()
    met: Counter[int] = Counter()
    distance: dict[int, float] = {}
    for (turn, before, after), count in tally.counts.moves.items():
        distance[turn] = distance.get(turn, 0.0) + count * abs(chance[after] - chance[before])
        met[turn] += count
        moved[turn] += count * (sum(map(bool, after)) < 2)
    for turn in sorted(distance):
        yield {
            "turn": turn,
            "reached": met[turn] / of,
            "decided": moved[turn] / of,
            "moves": distance[turn] / of,
        }
