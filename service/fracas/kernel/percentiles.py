"""Tests with percentile dice: the roll, margins, matched dice, the reversed roll, and halves that come last.

One face, 1 to 100, says everything about a test: whether it succeeds, its margin, whether the dice match, and what the
digits say the other way round, such as where a blow lands. `Percentile` is the request; its answer is the face, of
which the next stage keeps what it needs. The classes are bases: a ruleset gives each a kind of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, cast

from fracas.dice.requests import Faces, Facts, Group, Spread
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.stage import Roll, Stage
from fracas.kernel.tally import Entry, Tally, tally_of

__all__ = [
    "SIDES",
    "Halving",
    "Passing",
    "Percentile",
    "Testing",
    "Weighed",
    "halved",
    "halved_again",
    "matched",
    "part_of",
    "reversed_face",
    "shown_chance",
    "ways_of",
]

SIDES = 100
"""The highest face, written 00."""
_GROUPS = (Group(1, SIDES),)
_SPREAD = Spread(tuple(range(1, SIDES + 1)), (1,) * SIDES, SIDES)


class Percentile(Part):
    """A test: a request whose answer is the face.

    Its facts follow the label of the roll: ``shot_roll``, ``shot_chance``, ``shot_success``, ``shot_margin`` (of
    success, 0 or more; of failure, 1 or more) and ``shot_matched``.

    Attributes:
        chance: what the face must not exceed; below 1 and above 100 are possible.
        auto_success: faces up to this one succeed whatever the chance; 0 for none.
        auto_fail: faces from this one on fail whatever the chance; 0 for none.
    """

    chance: int
    auto_success: int = 0
    auto_fail: int = 0

    def passes(self, face: int) -> bool:
        """Whether this face is a success."""
        return face <= self.auto_success or (face <= self.chance and not 0 < self.auto_fail <= face)

    def margin(self, face: int) -> int:
        """By how much the face succeeds (0 or more) or fails (1 or more).

        A face that succeeds or fails in spite of the chance does so by the least margin.
        """
        return max(0, self.chance - face) if self.passes(face) else max(1, face - self.chance)

    def facts_of(self, face: int) -> Facts:
        """Everything about a test, for the explanation."""
        facts: Facts = {"roll": face, "chance": shown_chance(self.chance), "success": self.passes(face)}
        return facts | {"margin": self.margin(face), "matched": matched(face)}

    def groups(self) -> tuple[Group, ...]:
        """The dice: one of a hundred faces."""
        return _GROUPS

    def answer(self, faces: Sequence[Faces]) -> int:
        """The face."""
        return faces[0][0]

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        """Those of the one part, see `facts_of`."""
        return (self.facts_of(faces[0][0]),)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        """The faces of the one part."""
        return (faces[0],)

    def spread(self) -> Spread:
        """Every face, with the same weight."""
        return _SPREAD

    def __str__(self) -> str:
        return f"1d{SIDES} <= {self.chance}"


class Passing(Part):
    """A request whose answer is whether the test succeeds; it shows as much as `Percentile` does.

    Odds see two followers in place of a hundred.
    """

    test: Percentile

    def groups(self) -> tuple[Group, ...]:
        """The dice: one of a hundred faces."""
        return self.test.groups()

    def answer(self, faces: Sequence[Faces]) -> bool:
        """Whether the face is a success."""
        return self.test.passes(faces[0][0])

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        """Those of the one part, see `facts_of`."""
        return self.test.facts(faces)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        """The faces of the one part."""
        return self.test.by_part(faces)

    def spread(self) -> Spread:
        """Success and failure, with how many faces bring each."""
        return _passing_spread(self.test)

    def __str__(self) -> str:
        return str(self.test)


@lru_cache(maxsize=1024)
def _passing_spread(test: Percentile) -> Spread:
    passing = sum(test.passes(face) for face in range(1, SIDES + 1))
    pairs = [(answer, weight) for answer, weight in ((True, passing), (False, SIDES - passing)) if weight]
    return Spread(tuple(answer for answer, _ in pairs), tuple(weight for _, weight in pairs), SIDES)


class Testing(Waiting):
    """Waits for a test.

    Attributes:
        label: of the roll.
        by: the record of the combatant who tests.
        then: what goes on, by its method ``on_result(test, face)``.
    """

    label: str
    by: str
    test: Percentile
    then: Any
    awaits = property(lambda self: Roll((self.label,), (self.by,), self.test))

    def advance(self, answer: Any) -> Stage:
        """What comes of the face."""
        return cast(Stage, self.then.on_result(self.test, answer))


def shown_chance(chance: int) -> int:
    """A chance as it is reported: 0 to 100 per cent."""
    return max(0, min(SIDES, chance))


def matched(face: int) -> bool:
    """Whether both dice show the same digit: 11, 22, ... 99, and 00, which is 100."""
    return face % 11 == 0 or face == SIDES


def reversed_face(face: int) -> int:
    """The face with its digits the other way round: 36 is 63, 05 is 50, 10 is 01, 00 stays 100."""
    return (face % 10 * 10 + face // 10) if face != SIDES else SIDES


Weighed = tuple[tuple[int, ...], tuple[int, ...], int]
"""What a stage's `spread` gives of a roll: faces, their weights, and the weight of all."""


def ways_of(meaning: Callable[[int], Hashable]) -> Weighed:
    """One face for each way that a roll can go, as the faces mean it, with how many faces go the same way, of all."""
    found: dict[Hashable, list[int]] = {}
    for face in range(1, SIDES + 1):
        found.setdefault(meaning(face), []).append(face)
    return tuple(faces[0] for faces in found.values()), tuple(map(len, found.values())), SIDES


class Halving(Part):
    """What lowers a chance after everything else, such as a merged action.

    Attributes:
        id, label: of its line in the tally.
        parts: how many parts are left, of so many: (1, 2) is a half, (3, 4) what a quarter less leaves.
    """

    id: str
    label: str
    parts: tuple[int, int] = (1, 2)


def part_of(value: int, parts: tuple[int, int], rounding: str) -> int:
    """A part of a number, such as half of it; `rounding` is ``up`` or ``down``, as the option says."""
    left, of = parts
    return -(-value * left // of) if rounding == "up" else value * left // of


def halved(tally: Tally, halvings: Sequence[Halving], rounding: str) -> Tally:
    """The tally with a line for each halving, which is taken of everything before and rounded by itself."""
    for one in halvings:
        less = part_of(tally.total, one.parts, rounding) - tally.total
        tally = tally.plus(Entry(one.id, one.label, less, origin="rule"))
    return tally


def halved_again(changed: Tally, halvings: Sequence[Halving], rounding: str) -> Tally:
    """A tally that was `halved` without one of its lines, with those of its halvings that are left computed anew."""
    ids = {one.id: one for one in halvings}
    left = [ids[entry.id] for entry in changed.entries if entry.origin == "rule" and entry.id in ids]
    entries = tuple(entry for entry in changed.entries if entry.origin != "rule" or entry.id not in ids)
    return halved(tally_of(changed.to, changed.label, entries), left, rounding)
