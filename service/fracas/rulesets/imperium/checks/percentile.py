"""Tests with percentile dice (`kernel.percentiles`): their chances, halves that come last, locations, dice as text.

Rulebook sections 1 (tests), 3.2 (halves) and 7 (location). Dice are texts in packs and requests: ``2d10+4``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from fracas.dice.totals import Total
from fracas.errors import InputError, suggestion
from fracas.kernel import percentiles
from fracas.kernel.forms import Continuation
from fracas.kernel.percentiles import SIDES, halved, halved_again, reversed_face
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Roll, Stage
from fracas.kernel.steps import Against, Throw
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.imperium.vocabulary import LOCATIONS, is_merged, title

EXTREME_RANGE, FULL_AUTOMATIC, MERGED_ACTION = "extreme-range", "full-automatic", "merged-action"
"""Rows of the table ``halving`` that divide chances of success."""


class Percentile(percentiles.Percentile, kind="imperium.percentile"):
    """A test."""


class Passing(percentiles.Passing, kind="imperium.passing"):
    """A test of which only success counts."""


class Testing(percentiles.Testing, kind="imperium.testing"):
    """Waits for a test."""


class Halving(percentiles.Halving, kind="imperium.halving"):
    """What lowers a chance after everything else, such as a merged action."""


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


def halvings_of(lookup: EntryLookup, reasons: Iterable[str]) -> tuple[Halving, ...]:
    """The halvings for these rows of the table ``halving``, in the order that it gives them.

    Raises:
        InputError: the packs in use have no such table.
    """
    rows = rows_of(lookup, "halving")
    known = sorted({one for one in reasons if one in rows}, key=lambda one: rows[one]["order"])
    called = {one: "Full automatic fire" if one == FULL_AUTOMATIC else title(one) for one in known}
    return tuple(Halving(one, f"{called[one]}: halved", (1, rows[one]["divisor"])) for one in known)


def keep_chance(it: Attempt, to: str, *base: Entry, halvings: Sequence[Halving] = ()) -> None:
    """Make the chance of a test: base, modifiers of the packs and of hand, and the halvings at the end."""
    made, rounding = it.tally(to, *base), it.options["rounding"]
    kept = [one for one in halvings if it.request.rules.left_out != (made.to, one.id)]
    it.keep(halved(made, kept, rounding), lambda changed: halved_again(changed, halvings, rounding))


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


def dice_given(it: Attempt, field: str, what: str) -> Total:
    """Dice of the situation; none, and a fault, where they are not given or not written as dice."""
    text = it.need(field, f"{what}, {_LIKE}", "0")
    if (found := dice_of(text)) is None:
        it.faults.wrong(field, "bad-dice", f"dice are written {_LIKE}, not {text!r}")
    return found or NOTHING


def dice_if_given(it: Attempt, field: str) -> Total:
    """The same of a field that may be left out: none where it is, or where it is not written as dice."""
    return dice_of(it.facts.get(field, "0")) or NOTHING


def pass_or_fail(label: str, by: str, test: Percentile) -> Roll:
    """The roll of a test of which only success counts; its facts are named after the label."""
    return Roll((label,), (by,), Passing(test))


def merged_halvings(it: Attempt) -> tuple[Halving, ...]:
    """The half of a merged action; none of an action by itself."""
    return halvings_of(it.lookup, (MERGED_ACTION,) if is_merged(it.facts) else ())


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


class OwnTest(NamedTuple):
    """A test that each of several combatants may have, as a number of their record.

    Attributes:
        name: of the number, after the record.
        label: in words.
    """

    name: str
    label: str

    def of(self, who: str) -> str:
        """The tally of a combatant."""
        return f"{who}.{self.name}"

    def targets(self, *records: str) -> dict[str, str]:
        """The tallies of these records with their labels, for a procedure's `targets`."""
        return {self.of(who): f"{title(who)}: {self.label}" for who in records}


def tested(it: Attempt, to: str, who: str, then: Continuation) -> Stage:
    """The stage of a test with the number that the attempt has under this name."""
    return Testing("test", who, of_number(it, to), then)


def either(label: str, by: str, test: Percentile, passed: Stage, failed: Stage) -> Stage:
    """The stage of a test of which only success counts, and what comes of it."""
    return Throw(label, by, Passing(test), Against(passed, failed))
