"""Pools of dice whose faces are hits, alone and against each other, with glitches.

`requests` says what every request can do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, gcd
from typing import Literal, NamedTuple

from fracas.dice import exact
from fracas.dice.requests import Answer, Faces, Facts, Group, Spread, check_size, one_group

GLITCHES = ("none", "glitch", "critical")
"""Kinds of glitches; an answer of detail ``glitch`` gives the place in this row."""


def glitch_of(dice: int, hits: int, ones: int, rule: str) -> str:
    """``none``, ``glitch`` or ``critical``; `rule` is ``half_or_more`` (of the dice are ones), ``more_than_half``, or
    ``never``."""
    if dice < 1 or rule == "never" or (ones * 2 < dice if rule == "half_or_more" else ones * 2 <= dice):
        return "none"
    return "glitch" if hits else "critical"


UNTOLD, UNTOLD_SMOOTH = -1, -2
"""In place of the ones of an earlier throw: as many as its hits let expect; the same if they made no glitch. More ones
than it had dice are as many as its hits let expect if they did. For odds where the number makes no difference.
"""


class Pool(NamedTuple):
    """A pool of dice in which each face of at least `hit` is one hit.

    Ones of dice that an explosion added are not counted, and neither are those dice in the glitch rule, unless
    `counts_exploded`.

    Attributes:
        exploding: each highest face adds one more die.
        bonus: hits that come without dice: bought, or of an earlier throw of the same test.
        detail: what the answer is: ``hits``, ``full`` for (hits, ones), or ``glitch`` for (hits, place in `GLITCHES`).
        glitch: the glitch rule, see `glitch_of`.
        before: (dice, ones) of an earlier throw of the same test, which the glitch rule counts.
        repeats: the dice are thrown a second time: neither their ones nor dice that they add count any more.
        counts_exploded: dice that an explosion added count for glitches like the others.
    """

    dice: int
    exploding: bool = False
    bonus: int = 0
    detail: Literal["hits", "full", "glitch"] = "hits"
    glitch: str = "half_or_more"
    before: tuple[int, int] = (0, 0)
    repeats: bool = False
    sides: int = 6
    hit: int = 5
    counts_exploded: bool = False
    kind: Literal["pool"] = "pool"

    def groups(self) -> tuple[Group, ...]:
        return one_group(self.dice, self.sides, self.exploding)

    def answer(self, faces: Sequence[Faces]) -> Answer:
        thrown = faces[0] if faces else ()
        hits, ones = self.read(thrown)
        if self.detail == "glitch":
            return hits, GLITCHES.index(self.glitches(hits, ones, self._added(thrown)))
        return hits if self.detail == "hits" else (hits, ones)

    def read(self, faces: Faces) -> tuple[int, int]:
        """(hits, ones) of the faces and of what came before them."""
        hit = self.hit
        counting = faces if self.counts_exploded else faces[: self.dice]
        ones = 0 if self.repeats else counting.count(1)
        return sum([face >= hit for face in faces]) + self.bonus, ones + self.before[1]

    def _added(self, faces: Faces) -> int:
        """How many of the dice are of explosions and count for glitches."""
        return len(faces) - self.dice if self.counts_exploded else 0

    def glitches(self, hits: int, ones: int, added: int = 0) -> str:
        """``none``, ``glitch`` or ``critical`` for these counts; `added`: dice of explosions that count."""
        dice = self.before[0] + (0 if self.repeats else self.dice + added)
        return glitch_of(dice, hits, ones, self.glitch)

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        thrown = faces[0] if faces else ()
        hits, ones = self.read(thrown)
        return ({"hits": hits, "ones": ones, "glitch": self.glitches(hits, ones, self._added(thrown))},)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (faces[0] if faces else (),)

    def spread(self) -> Spread:
        return _pool_spread(self)

    def joint(self) -> dict[tuple[int, int], int]:
        """Weights of (hits, ones)."""
        joint: dict[tuple[int, int], int] = defaultdict(int)
        for hits, ones, _, weight in self._counts():
            joint[hits, ones] += weight
        return joint

    def by_glitch(self) -> dict[tuple[int, int], int]:
        """Weights of (hits, place in `GLITCHES`)."""
        found: dict[tuple[int, int], int] = defaultdict(int)
        for hits, ones, added, weight in self._counts():
            found[hits, GLITCHES.index(self.glitches(hits, ones, added))] += weight
        return found

    def _counts(self) -> Iterator[tuple[int, int, int, int]]:
        """(hits, ones, added dice that count, weight)."""
        check_size(self.dice)
        bonus, before = self.bonus, self.before[1]
        if self.exploding and self.counts_exploded and not self.repeats:
            wholly = exact.exploding_wholly(self.dice, self.sides, self.hit)
            for (hits, ones, added), weight in wholly.items():
                yield hits + bonus, ones + before, added, weight
            return
        rows = (exact.exploding if self.exploding else exact.hits_and_ones)(self.dice, self.sides, self.hit)
        for (hits, ones), weight in rows.items():
            yield hits + bonus, (0 if self.repeats else ones) + before, 0, weight

    def hit_weights(self) -> tuple[int, ...]:
        """Weights of 0, 1, 2, ... hits."""
        check_size(self.dice)
        if not self.exploding:
            common = gcd(self.sides, self.hit - 1)  # 5+ of six sides are 3+ of three: smaller numbers
            weights = exact.hits(self.dice, self.sides // common, (self.hit - 1) // common + 1)
            return (0,) * self.bonus + weights
        counts: dict[int, int] = defaultdict(int)
        for (hits, _), weight in self.joint().items():
            counts[hits] += weight
        return tuple(counts[hits] for hits in range(max(counts) + 1))

    def glitch_chances(self) -> tuple[float, float]:
        """The chances of (a glitch with hits, a critical glitch)."""
        return _glitch_chances(self)

    def glitch_chances_before(self) -> tuple[float, float]:
        """The same of the earlier throw by itself; it had no bonus and did not explode."""
        dice, _ = self.before
        ones, total = _ones_before(self)
        share = sum(weight for one, weight in ones if glitch_of(dice, 1, one, self.glitch) != "none") / total
        return (share, 0.0) if self.bonus else (0.0, share)

    def __str__(self) -> str:
        bonus = f" + {self.bonus} hits" if self.bonus else ""
        return f"{self.dice}d{self.sides}{'!' if self.exploding else ''} >= {self.hit}{bonus}"


@lru_cache(maxsize=4096)
def _pool_spread(pool: Pool) -> Spread:
    if pool.detail == "full":
        return _spread_of(pool.joint())
    if pool.detail == "glitch":
        return _spread_of(pool.by_glitch())
    weights = pool.hit_weights()
    answers = tuple(hits for hits, weight in enumerate(weights) if weight)
    return Spread(answers, tuple(weight for weight in weights if weight), sum(weights))


def _spread_of(weights: Mapping[tuple[int, int], int]) -> Spread:
    return Spread(tuple(weights), tuple(weights.values()), sum(weights.values()))


@lru_cache(maxsize=4096)
def _glitch_chances(pool: Pool) -> tuple[float, float]:
    counts: dict[tuple[int, int, int], int] = defaultdict(int)
    bare = pool._replace(before=(0, 0))
    if pool.repeats:
        for hits, weight in enumerate(bare.hit_weights()):
            counts[min(hits, 1), 0, 0] += weight
    else:
        for hits, ones, added, weight in bare._counts():
            counts[min(hits, 1), ones, added] += weight
    before, ways = _ones_before(pool)
    chances = [0] * len(GLITCHES)
    for (hits, ones, added), weight in counts.items():
        for earlier, share in before:
            chances[GLITCHES.index(pool.glitches(hits, ones + earlier, added))] += weight * share
    total = sum(counts.values()) * ways
    return chances[1] / total, chances[2] / total


@lru_cache(maxsize=4096)
def _ones_before(pool: Pool) -> tuple[tuple[tuple[int, int], ...], int]:
    """Weights of the ones that the earlier throw may have had, and their sum, see `UNTOLD`."""
    dice, known = pool.before
    if 0 <= known <= dice:
        return ((known, 1),), 1
    misses, plain = dice - pool.bonus, pool.hit - 2
    found = {ones: comb(misses, ones) * plain ** (misses - ones) for ones in range(misses + 1)}
    if known != UNTOLD:
        glitches = known > dice
        found = {
            ones: weight
            for ones, weight in found.items()
            if (glitch_of(dice, 1, ones, pool.glitch) != "none") == glitches
        }
    return tuple(found.items()), sum(found.values())


class Opposed(NamedTuple):
    """Two pools thrown against each other.

    `detail` says what the answer is: ``net`` (hits of the first less hits of the second), ``hits``
    (both counts), ``told`` ((hits, place in `GLITCHES`) of the first, then hits of the second), or ``full`` ((hits,
    ones) of the first, then of the second; of a first pool of detail ``glitch`` its place in `GLITCHES` for the ones).
    """

    first: Pool
    second: Pool
    detail: Literal["net", "hits", "told", "full"] = "net"
    kind: Literal["opposed"] = "opposed"

    def groups(self) -> tuple[Group, ...]:
        return self.first.groups() + self.second.groups()

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, Faces]:
        thrown = iter(faces)
        mine = next(thrown) if self.first.dice else ()
        return mine, next(thrown) if self.second.dice else ()

    def answer(self, faces: Sequence[Faces]) -> Answer:
        mine, theirs = self.by_part(faces)
        if self.detail == "told":
            return (*_flat(self.first._replace(detail="glitch").answer((mine,))), self.second.read(theirs)[0])
        hits, ones = self.first.read(mine)
        other_hits, other_ones = self.second.read(theirs)
        if self.detail == "full" and self.first.detail == "glitch":
            return (*_flat(self.first.answer((mine,))), other_hits, other_ones)
        if self.detail == "net":
            return hits - other_hits
        if self.detail == "hits":
            return hits, other_hits
        return hits, ones, other_hits, other_ones

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        mine, theirs = self.by_part(faces)
        return self.first.facts((mine,)) + self.second.facts((theirs,))

    def spread(self) -> Spread:
        return _opposed_spread(self)

    def __str__(self) -> str:
        return f"{self.first} against {self.second}"


@lru_cache(maxsize=4096)
def _opposed_spread(request: Opposed) -> Spread:
    if request.detail == "net":
        mine, theirs = request.first.hit_weights(), request.second.hit_weights()
        weights = exact.convolve(mine, theirs[::-1])
        lowest = 1 - len(theirs)
        pairs = [(lowest + index, weight) for index, weight in enumerate(weights) if weight]
        return Spread(
            tuple(net for net, _ in pairs), tuple(weight for _, weight in pairs), sum(mine) * sum(theirs)
        )
    if request.detail == "told":
        first = request.first._replace(detail="glitch").spread()
        second = request.second._replace(detail="hits").spread()
    else:
        graded = request.detail == "full" and request.first.detail == "glitch"
        first = (request.first if graded else request.first._replace(detail=request.detail)).spread()
        second = request.second._replace(detail=request.detail).spread()
    answers: list[Answer] = []
    weights = []
    for answer, weight in zip(first.answers, first.weights, strict=True):
        for other, other_weight in zip(second.answers, second.weights, strict=True):
            answers.append(_flat(answer) + _flat(other))
            weights.append(weight * other_weight)
    return Spread(tuple(answers), tuple(weights), first.total * second.total)


def _flat(answer: Answer) -> tuple[int, ...]:
    return answer if isinstance(answer, tuple) else (answer,)
