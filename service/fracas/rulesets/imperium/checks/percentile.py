"""Tests with percentile dice: the roll, margins, matched dice, halves that come last, the reversed roll.

Rulebook sections 1 (tests), 3.2 (halves) and 7 (location). One face, 1 to 100, says everything about a test: whether
it succeeds, its margin, whether the dice match, and where a blow lands. `Percentile` is the request; its answer is the
face, of which the next stage keeps what it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from fracas.dice.requests import Faces, Facts, Group, Spread
from fracas.errors import InputError, suggestion
from fracas.kernel.forms import Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Roll
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry, Tally, tally_of
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.imperium.vocabulary import LOCATIONS

SIDES = 100
"""The highest face, written 00."""
EXTREME_RANGE, FULL_AUTOMATIC, MERGED_ACTION = "extreme-range", "full-automatic", "merged-action"
"""Rows of the table ``halving`` that divide chances of success."""
_GROUPS = (Group(1, SIDES),)
_SPREAD = Spread(tuple(range(1, SIDES + 1)), (1,) * SIDES, SIDES)


class Percentile(Part, kind="imperium.percentile"):
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
        if face <= self.auto_success:
            return True
        return face <= self.chance and not 0 < self.auto_fail <= face

    def margin(self, face: int) -> int:
        """By how much the face succeeds (0 or more) or fails (1 or more).

        A face that succeeds or fails in spite of the chance does so by the least margin.
        """
        if self.passes(face):
            return max(0, self.chance - face)
        return max(1, face - self.chance)

    def told(self, face: int, prefix: str = "") -> Facts:
        """Everything about a test, for the explanation."""
        return {
            f"{prefix}roll": face,
            f"{prefix}chance": shown_chance(self.chance),
            f"{prefix}success": self.passes(face),
            f"{prefix}margin": self.margin(face),
            f"{prefix}matched": matched(face),
        }

    def groups(self) -> tuple[Group, ...]:
        return _GROUPS

    def answer(self, faces: Sequence[Faces]) -> int:
        return faces[0][0]

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        return (self.told(faces[0][0]),)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (faces[0],)

    def spread(self) -> Spread:
        return _SPREAD

    def __str__(self) -> str:
        return f"1d{SIDES} <= {self.chance}"


def d100(label: str, by: str, test: Percentile) -> Roll:
    """The roll of a test, whose facts are named after the label."""
    return Roll((label,), (by,), test)


def shown_chance(chance: int) -> int:
    """A chance as it is reported: 0 to 100 per cent."""
    return max(0, min(SIDES, chance))


def matched(face: int) -> bool:
    """Whether both dice show the same digit: 11, 22, ... 99, and 00, which is 100."""
    return face % 11 == 0 or face == SIDES


def reversed_face(face: int) -> int:
    """The face with its digits the other way round: 36 is 63, 05 is 50, 10 is 01, 00 stays 100."""
    return (face % 10 * 10 + face // 10) if face != SIDES else SIDES


Bands = tuple[tuple[str, int, int], ...]
"""Location, lowest and highest reversed roll."""


def location_bands(catalog: Catalog) -> Bands:
    """The rows of the table ``hit-location``.

    Raises:
        InputError: the packs in use have no such table, it leaves a roll out, or names a location that nobody has.
    """
    rows = rows_of(catalog, "hit-location")
    return _checked(tuple((name, row["from"], row["to"]) for name, row in rows.items()))


@lru_cache(maxsize=64)
def _checked(bands: Bands) -> Bands:
    for name, _, _ in bands:
        if name not in LOCATIONS:
            hint = suggestion(name, LOCATIONS)
            raise InputError.one("situation", "unknown-location", f"'hit-location' has a row {name!r}", hint)
    for roll in range(1, SIDES + 1):
        if not any(least <= roll <= most for _, least, most in bands):
            raise InputError.one("situation", "missing-table", f"'hit-location' has no row for {roll}")
    return bands


@lru_cache(maxsize=64)
def _located(bands: Bands) -> tuple[str, ...]:
    """The location by roll, from 1 on."""
    rolls = range(1, SIDES + 1)
    return tuple(next(name for name, least, most in bands if least <= roll <= most) for roll in rolls)


def location_at(roll: int, bands: Bands) -> str:
    """The location of a roll of its own, which is not reversed: a word of `LOCATIONS`."""
    return _located(bands)[roll - 1]


def location_of(face: int, bands: Bands) -> str:
    """Where a blow lands whose roll to hit showed this face."""
    return location_at(reversed_face(face), bands)


class Halving(Part, kind="imperium.halving"):
    """What lowers a chance after everything else, such as a merged action.

    Attributes:
        id, label: of its line in the tally.
        parts: how many parts are left, of so many: (1, 2) is a half, (3, 4) what a quarter less leaves.
    """

    id: str
    label: str
    parts: tuple[int, int] = (1, 2)


_LABELS = {
    EXTREME_RANGE: "Extreme range: halved",
    FULL_AUTOMATIC: "Full automatic fire: halved",
    MERGED_ACTION: "Merged action: halved",
    "surprised": "Surprised: halved",
}


def halvings_of(catalog: Catalog, reasons: Iterable[str]) -> tuple[Halving, ...]:
    """The halvings for these rows of the table ``halving``, in the order that it gives them.

    Raises:
        InputError: the packs in use have no such table.
    """
    rows = rows_of(catalog, "halving")
    known = sorted({reason for reason in reasons if reason in rows}, key=lambda reason: rows[reason]["order"])
    return tuple(
        Halving(reason, _LABELS.get(reason, f"{reason}: halved"), (1, rows[reason]["divisor"]))
        for reason in known
    )


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


def chance_of(
    asked: Asked,
    facts: Mapping[str, Any],
    to: str,
    label: str,
    base: Iterable[Entry],
    halvings: Sequence[Halving] = (),
) -> Tally:
    """The chance of a test: base, modifiers of the packs and of hand, and the halvings at the end.

    The total is the final chance.
    """
    left_out = asked.rules.left_out
    kept = [one for one in halvings if left_out != (to, one.id)]
    return halved(asked.rules.tally(to, label, base, facts, asked.hand), kept, asked.options["rounding"])


def keep_chance(it: Attempt, to: str, *base: Entry, halvings: Sequence[Halving] = ()) -> None:
    """Make the chance of a test, see `chance_of`, one of the numbers of an attempt."""
    tally = chance_of(it.asked, it.facts, to, it.labels[to], base, halvings)
    it.keep(tally, lambda changed: halved_again(changed, halvings, it.options["rounding"]))


def halved_again(changed: Tally, halvings: Sequence[Halving], rounding: str) -> Tally:
    """A tally of `chance_of` without one of its lines, with those of its halvings that are left computed anew."""
    ids = {one.id: one for one in halvings}
    left = [ids[entry.id] for entry in changed.entries if entry.origin == "rule" and entry.id in ids]
    entries = tuple(entry for entry in changed.entries if entry.origin != "rule" or entry.id not in ids)
    return halved(tally_of(changed.to, changed.label, entries), left, rounding)


def percentile(options: Mapping[str, Any], chance: int) -> Percentile:
    """The test with this chance, under the options of the packs."""
    return Percentile(chance, options["auto_success"], options["auto_fail"])
