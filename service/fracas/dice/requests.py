"""Typed roll requests: what is rolled, how faces become an answer, and how likely each answer is.

A request is a small immutable value. Its answer is the smallest fact that the rule needs (net hits, a total,
whether a target was met); the faces stay with the one who asked, for the explanation.

Faces come as *groups*: one list of faces for each part that is thrown at once, in the order of
`groups()`. A group of no dice is not thrown and has no list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, gcd
from typing import Literal, NamedTuple, Protocol

from fracas.dice import exact
from fracas.errors import DiceError, InputError

MAX_DICE = 150
"""The largest pool that is rolled or computed."""
MAX_SIDES = 250

Faces = tuple[int, ...]
Answer = int | bool | tuple[int, ...]
Facts = dict[str, int | bool | str]


class Group(NamedTuple):
    """Dice of one kind thrown together."""

    dice: int
    sides: int
    exploding: bool = False
    """Each highest face asks for one more die of the same group."""

    def __str__(self) -> str:
        return f"{self.dice}d{self.sides}" + ("!" if self.exploding else "")


@lru_cache(maxsize=4096)
def _one_group(dice: int, sides: int, exploding: bool) -> tuple[Group, ...]:
    _check_size(dice)
    if not 2 <= sides <= MAX_SIDES:
        raise InputError.one("dice", "unknown-die", f"a die with {sides} sides; 2 to {MAX_SIDES} are known")
    return (Group(dice, sides, exploding),) if dice else ()


class Spread(NamedTuple):
    """An exact distribution: `weights[i] / total` is the chance of `answers[i]`."""

    answers: tuple[Answer, ...]
    weights: tuple[int, ...]
    total: int


class Request(Protocol):
    """What every typed request can do."""

    @property
    def kind(self) -> str: ...

    def groups(self) -> tuple[Group, ...]:
        """The dice to throw, part by part, without those that count zero."""

    def answer(self, faces: Sequence[Faces]) -> Answer:
        """What the rule needs of these faces, which fit `groups()`."""

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        """What a person wants to know of each part: one mapping a part, also for parts of no dice."""

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        """The faces of each part, in the order of `facts`; none for a part of no dice."""

    def spread(self) -> Spread:
        """How likely each answer is."""


GLITCHES = ("none", "glitch", "critical")
"""Kinds of glitches; an answer of detail ``glitch`` gives the place in this row."""


def glitch_of(dice: int, hits: int, ones: int, rule: str) -> str:
    """``none``, ``glitch`` or ``critical``; `rule` is ``half_or_more`` (of the dice are ones) or ``more_than_half``."""
    if dice < 1 or (ones * 2 < dice if rule == "half_or_more" else ones * 2 <= dice):
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
        return _one_group(self.dice, self.sides, self.exploding)

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
        _check_size(self.dice)
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
        _check_size(self.dice)
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
    dice, told = pool.before
    if 0 <= told <= dice:
        return ((told, 1),), 1
    misses, plain = dice - pool.bonus, pool.hit - 2
    found = {ones: comb(misses, ones) * plain ** (misses - ones) for ones in range(misses + 1)}
    if told != UNTOLD:
        glitches = told > dice
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
        told = request.detail == "full" and request.first.detail == "glitch"
        first = (request.first if told else request.first._replace(detail=request.detail)).spread()
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


class Total(NamedTuple):
    """A sum of dice and a fixed number: d20+7, 2d10+4, d100.

    `dice` holds (count, sides) pairs. With `target` the answer is whether the sum is at least `target`
    (or, `under`, at most `target`); without it the answer is the sum.
    """

    dice: tuple[tuple[int, int], ...]
    plus: int = 0
    target: int | None = None
    under: bool = False
    kind: Literal["total"] = "total"

    def groups(self) -> tuple[Group, ...]:
        return tuple(group for count, sides in self.dice for group in _one_group(count, sides, False))

    def answer(self, faces: Sequence[Faces]) -> Answer:
        total = sum([sum(group) for group in faces]) + self.plus
        return total if self.target is None else self.meets(total)

    def meets(self, total: int) -> bool:
        """Whether `total` meets the target, which is set."""
        assert self.target is not None
        return total <= self.target if self.under else total >= self.target

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        total = sum([sum(group) for group in faces]) + self.plus
        facts: Facts = {"total": total}
        if self.target is not None:
            facts["target"] = self.target
            facts["meets"] = self.meets(total)
        return (facts,)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (tuple(face for group in faces for face in group),)

    def spread(self) -> Spread:
        return _total_spread(self)

    def __str__(self) -> str:
        text = " + ".join(f"{count}d{sides}" for count, sides in self.dice) or "0"
        if self.plus:
            text += f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}"
        if self.target is not None:
            text += f" {'<=' if self.under else '>='} {self.target}"
        return text


@lru_cache(maxsize=4096)
def _total_spread(request: Total) -> Spread:
    _check_size(sum(count for count, _ in request.dice))
    weights = exact.sums(request.dice)
    lowest = sum(count for count, _ in request.dice) + request.plus
    total = sum(weights)
    if request.target is None:
        return Spread(tuple(range(lowest, lowest + len(weights))), weights, total)
    met = sum(weight for index, weight in enumerate(weights) if request.meets(lowest + index))
    pairs = [(answer, weight) for answer, weight in ((True, met), (False, total - met)) if weight]
    return Spread(tuple(answer for answer, _ in pairs), tuple(weight for _, weight in pairs), total)


class Kept(NamedTuple):
    """The highest of some dice, or the lowest, added up: 3d6 without the lowest.

    Attributes:
        keep: how many of the dice count.
        target: with it the answer is whether the sum is at least this; otherwise the sum.
        low: the lowest dice count, not the highest.
    """

    dice: int
    sides: int
    keep: int
    plus: int = 0
    target: int | None = None
    low: bool = False
    kind: Literal["kept"] = "kept"

    def groups(self) -> tuple[Group, ...]:
        return _one_group(self.dice, self.sides, False)

    def total(self, faces: Sequence[Faces]) -> int:
        """The sum of the dice that count, and what is added."""
        thrown = sorted((face for group in faces for face in group), reverse=not self.low)
        return sum(thrown[: self.keep]) + self.plus

    def answer(self, faces: Sequence[Faces]) -> Answer:
        total = self.total(faces)
        return total if self.target is None else total >= self.target

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        facts: Facts = {"total": self.total(faces)}
        if self.target is not None:
            facts |= {"target": self.target, "meets": self.total(faces) >= self.target}
        return (facts,)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (tuple(face for group in faces for face in group),)

    def spread(self) -> Spread:
        return _kept_spread(self)

    def __str__(self) -> str:
        text = f"{'lowest' if self.low else 'highest'} {self.keep} of {self.dice}d{self.sides}"
        if self.plus:
            text += f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}"
        return text if self.target is None else f"{text} >= {self.target}"


@lru_cache(maxsize=256)
def _kept_spread(request: Kept) -> Spread:
    _check_size(request.dice)
    sums = exact.kept(request.dice, request.sides, request.keep, request.low)
    total = request.sides**request.dice
    if request.target is None:
        return Spread(tuple(found + request.plus for found in sums), tuple(sums.values()), total)
    met = sum(weight for found, weight in sums.items() if found + request.plus >= request.target)
    pairs = [(answer, weight) for answer, weight in ((True, met), (False, total - met)) if weight]
    return Spread(tuple(answer for answer, _ in pairs), tuple(weight for _, weight in pairs), total)


def _check_size(dice: int) -> None:
    if dice > MAX_DICE:
        raise InputError.one("dice", "too-many-dice", f"a roll of {dice} dice; at most {MAX_DICE} are rolled")


AnyRequest = Pool | Opposed | Total | Kept


def check_faces(
    request: Request, faces: Sequence[Sequence[int]], path: str = "dice", first: int = 0
) -> tuple[Faces, ...]:
    """The faces, if they fit what `request` asks for; errors count the lists from `first`.

    Raises:
        DiceError: another number of groups, of dice or of pips than asked for; it says what was asked.
    """
    groups = request.groups()
    asked = f"{request} asks for {', '.join(map(str, groups)) if groups else 'no dice'}"
    if len(faces) != len(groups):
        raise DiceError.one(path, "wrong-dice", f"{asked}: {len(groups)} lists of faces, not {len(faces)}")
    return tuple(
        _check_group(group, list(given), f"{path}[{first + index}]", asked)
        for index, (group, given) in enumerate(zip(groups, faces, strict=True))
    )


def _check_group(group: Group, given: list[int], path: str, asked: str) -> Faces:
    for index, face in enumerate(given):
        if type(face) is not int or not 1 <= face <= group.sides:
            raise DiceError.one(
                f"{path}[{index}]",
                "wrong-face",
                f"{asked}: a face is a whole number 1 to {group.sides}, not {face!r}",
            )
    needed = _needed(group, given)
    if len(given) != needed:
        added = f" ({needed - group.dice} of them for each {group.sides})" if needed > group.dice else ""
        raise DiceError.one(path, "wrong-dice", f"{asked}: {needed} dice{added}, not {len(given)}")
    return tuple(given)


def _needed(group: Group, given: list[int]) -> int:
    """How many dice belong to the group: an exploding one goes on for each highest face, wave after wave."""
    needed = wave = group.dice
    while group.exploding and wave and needed <= len(given):
        wave = given[needed - wave : needed].count(group.sides)
        needed += wave
    return needed
