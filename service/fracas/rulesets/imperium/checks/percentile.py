"""Tests with percentile dice: the roll, margins, matched dice, halves that come last, the reversed roll.

Rulebook sections 1 (tests), 3.2 (halves) and 7 (location). One face, 1 to 100, says everything about a test: whether
it succeeds, its margin, whether the dice match, and where a blow lands. `Percentile` is the request; its answer is the
face, of which the next stage keeps what it needs.

Dice are texts in packs and requests: ``2d10+4``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

from fracas.dice.requests import Faces, Facts, Group, Spread
from fracas.dice.totals import Total
from fracas.errors import InputError, suggestion
from fracas.kernel.forms import Continuation, Part, Waiting
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Roll, Stage
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry, Tally, tally_of
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.imperium.vocabulary import LOCATIONS, is_merged, title

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
        return _GROUPS

    def answer(self, faces: Sequence[Faces]) -> int:
        return faces[0][0]

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        return (self.facts_of(faces[0][0]),)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (faces[0],)

    def spread(self) -> Spread:
        return _SPREAD

    def __str__(self) -> str:
        return f"1d{SIDES} <= {self.chance}"


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


Bands = tuple[tuple[str, int, int], ...]
"""Location, lowest and highest reversed roll."""


def location_bands(lookup: EntryLookup) -> Bands:
    """The rows of the table ``hit-location``.

    Raises:
        InputError: the packs in use have no such table, it leaves a roll out, or names a location that nobody has.
    """
    rows = rows_of(lookup, "hit-location")
    bands = tuple((name, row["from"], row["to"]) for name, row in rows.items())
    _located(bands)
    return bands


@lru_cache(maxsize=64)
def _located(bands: Bands) -> tuple[str, ...]:
    """The location by roll, from 1 on."""
    for name, _, _ in bands:
        if name not in LOCATIONS:
            hint = suggestion(name, LOCATIONS)
            raise InputError.one("situation", "unknown-location", f"'hit-location' has a row {name!r}", hint)
    found: list[str] = []
    for roll in range(1, SIDES + 1):
        names = [name for name, least, most in bands if least <= roll <= most]
        if not names:
            raise InputError.one("situation", "missing-table", f"'hit-location' has no row for {roll}")
        found.append(names[0])
    return tuple(found)


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


def halvings_of(lookup: EntryLookup, reasons: Iterable[str]) -> tuple[Halving, ...]:
    """The halvings for these rows of the table ``halving``, in the order that it gives them.

    Raises:
        InputError: the packs in use have no such table.
    """
    rows = rows_of(lookup, "halving")
    known = sorted({one for one in reasons if one in rows}, key=lambda one: rows[one]["order"])
    called = {one: "Full automatic fire" if one == FULL_AUTOMATIC else title(one) for one in known}
    return tuple(Halving(one, f"{called[one]}: halved", (1, rows[one]["divisor"])) for one in known)


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


def keep_chance(it: Attempt, to: str, *base: Entry, halvings: Sequence[Halving] = ()) -> None:
    """Make the chance of a test: base, modifiers of the packs and of hand, and the halvings at the end."""
    made, rounding = it.tally(to, *base), it.options["rounding"]
    kept = [one for one in halvings if it.request.rules.left_out != (made.to, one.id)]
    it.keep(halved(made, kept, rounding), lambda changed: halved_again(changed, halvings, rounding))


def halved_again(changed: Tally, halvings: Sequence[Halving], rounding: str) -> Tally:
    """A tally of `keep_chance` without one of its lines, with those of its halvings that are left computed anew."""
    ids = {one.id: one for one in halvings}
    left = [ids[entry.id] for entry in changed.entries if entry.origin == "rule" and entry.id in ids]
    entries = tuple(entry for entry in changed.entries if entry.origin != "rule" or entry.id not in ids)
    return halved(tally_of(changed.to, changed.label, entries), left, rounding)


def of_chance(it: Attempt, chance: int) -> Percentile:
    """The test with this chance, under the options of the packs."""
    return Percentile(chance, it.options["auto_success"], it.options["auto_fail"])


def of_number(it: Attempt, to: str) -> Percentile:
    """The test whose chance is a number of the attempt."""
    return of_chance(it, it.total(to))


_DICE = re.compile(r"([1-9]\d?)d([1-9]\d{0,2})([+-]\d{1,3})?|(\d{1,3})")
_LIKE = "such as 2d10+4"
NOTHING = Total((), 0)
"""Dice of what does not happen."""


def dice_of(text: str) -> Total | None:
    """The dice that a text names, also a number without any; None where it is none of dice."""
    match = _DICE.fullmatch(text)
    if match is None:
        return None
    if match[4]:
        return Total((), int(match[4]))
    return Total(((int(match[1]), int(match[2])),), int(match[3] or 0))


def dice_in(table: str, text: object) -> Total:
    """The dice that a table of the packs has.

    Raises:
        InputError: they are no dice.
    """
    if (found := dice_of(str(text))) is None:
        raise InputError.one("situation", "bad-dice", f"the table {table!r} has no dice in {text!r}")
    return found


def dice_said(it: Attempt, field: str, what: str) -> Total:
    """Dice of the situation; none, and a fault, where they are not given or not written as dice."""
    text = it.need(field, f"{what}, {_LIKE}", "0")
    if (found := dice_of(text)) is None:
        it.faults.wrong(field, "bad-dice", f"dice are written {_LIKE}, not {text!r}")
    return found or NOTHING


class Passing(Part, kind="imperium.passing"):
    """A request whose answer is whether the test succeeds; it shows as much as `Percentile` does.

    Odds see two followers in place of a hundred.
    """

    test: Percentile

    def groups(self) -> tuple[Group, ...]:
        return self.test.groups()

    def answer(self, faces: Sequence[Faces]) -> bool:
        return self.test.passes(faces[0][0])

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        return self.test.facts(faces)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return self.test.by_part(faces)

    def spread(self) -> Spread:
        return _passing_spread(self.test)

    def __str__(self) -> str:
        return str(self.test)


@lru_cache(maxsize=1024)
def _passing_spread(test: Percentile) -> Spread:
    passing = sum(test.passes(face) for face in range(1, SIDES + 1))
    pairs = [(answer, weight) for answer, weight in ((True, passing), (False, SIDES - passing)) if weight]
    return Spread(tuple(answer for answer, _ in pairs), tuple(weight for _, weight in pairs), SIDES)


def pass_or_fail(label: str, by: str, test: Percentile) -> Roll:
    """The roll of a test of which only success counts; its facts are named after the label."""
    return Roll((label,), (by,), Passing(test))


def merged_halvings(it: Attempt) -> tuple[Halving, ...]:
    """The half of a merged action; none of an action by itself."""
    return halvings_of(it.lookup, (MERGED_ACTION,) if is_merged(it.facts) else ())


class Testing(Waiting, kind="imperium.testing"):
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
        return cast(Stage, self.then.on_result(self.test, answer))


def number_of_test(
    it: Attempt, to: str, who: str, name: str, *more: Entry, halvings: Sequence[Halving] = (), what: str = ""
) -> None:
    """Make the number of a test of a characteristic, which the situation must have.

    Args:
        who: the record of the combatant who tests.
        name: the characteristic; `what`: what it is called where it is missing.
        more: further parts of the base.
        halvings: what lowers it after everything else.
    """
    value = it.need(f"{who}.{name}", what or f"the {title(name)}")
    keep_chance(it, to, Entry(name, title(name), value), *more, halvings=halvings)


def tested(it: Attempt, to: str, who: str, then: Continuation) -> Stage:
    """The stage of a test with the number that the attempt has under this name."""
    return Testing("test", who, of_number(it, to), then)
