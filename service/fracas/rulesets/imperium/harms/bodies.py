"""What damage meets: Toughness and what follows from it, injuries so far, and what the packs say of new ones.

Rulebook sections 8.3 and 8.4. The figures stand in the packs' tables ``injury-values``, ``injury-effects``,
``injury-checks``, ``surplus-levels`` and ``action-slots``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel.fields import entries, flag, ratings, text, whole
from fracas.kernel.forms import Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Shared, share
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.vocabulary import EntryLookup, Field
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS, LEFT_HAND, LOCATIONS, fields_named

HIGHEST = 5
"""The level of a crippled location."""
WITHSTANDS = "toughness"
"""The characteristic that withstands injuries, where the row ``system-shock`` of the packs names no other. It counts
for the tests of limbs and of consciousness too."""
NO_LEVELS = (0,) * len(LOCATIONS)
PRONE, DROP, UNCONSCIOUS, DEAD = "prone", "drop", "unconscious", "dead"
OWED = "owed-actions"
"""The track of actions that a combatant loses from those of the present round, or else of the next."""
PARTS = ("leg", "arm", "body", "head")
"""Parts of the body that are alike in what injuries do to them."""
_VALUES = ("base-injury-value", "system-shock", "consciousness", "death")
"""Rows of the table ``injury-values``, in the order of the fields of `Body`."""
CONSCIOUS = flag("Conscious", "Left out: is.")
SUFFERS = flag("Suffers as each own round ends", "Left out: does not.")
"""Whether a combatant's condition sees to it that bleeding and loss of consciousness are not forgotten."""


class Row(Part, kind="imperium.injury-row"):
    """What an injury of some level does: a row of the table ``injury-effects``.

    Attributes:
        bleeding: bleeding injuries that reaching the level adds.
        stunned: actions lost without any roll.
        dice: of how long it stuns, in spans of `unit` actions; None where nothing is rolled.
        does: `PRONE`, `DROP`, `UNCONSCIOUS`, `DEAD`: what happens at once.
        failure: what failing a test does: `PRONE` or `DROP`; "" where there is no test.
        condition: what it leaves for longer; "" where the packs have no condition called like the row.
    """

    bleeding: int
    stunned: int
    dice: Total | None
    unit: int
    does: tuple[str, ...]
    failure: str
    condition: str


Rows = tuple[tuple[Row, ...], ...]
"""By part of the body in the order of `PARTS`: the rows of the levels from 1 on."""


class Body(Part, kind="imperium.body"):
    """A combatant before damage. Locations are in the order of `LOCATIONS`.

    Attributes:
        base: Base Injury Value: net damage divided by it, rounded up, gives levels.
        shock: System Shock: net damage of one hit above it asks for a test.
        consciousness: an Injury Total above it asks for a test as each own round ends.
        death: the lowest Injury Total at which its owner dies.
        test: the test that withstands all of it.
        shock_stun, shock_unit: how long system shock stuns, as in `Row`.
        total: Injury Total.
        levels, bleeding: by location.
        stunned: actions yet to lose.
        out: ``unconscious``, ``dead`` or "".
        suffering: is in the condition of that name, see `harm.SUFFERING`.
        rows: what injuries do; see `row_of_place`.
        fatal: locations of which surplus levels kill.
        hands: the things that the right and the left hand hold; "" where that is not known, or nothing.
        holding: psychic powers, which harm may end.
        steady: neither stunned nor made unconscious by injuries, as some drugs have it.
        psychic: has mastered powers, which a wound hampers for the round.
    """

    base: int
    shock: int
    consciousness: int
    death: int
    test: percentile.Percentile
    shock_stun: Total
    shock_unit: int
    total: int
    levels: tuple[int, ...]
    bleeding: tuple[int, ...]
    stunned: int
    out: str
    suffering: bool
    rows: Rows
    fatal: tuple[bool, ...]
    hands: tuple[str, str]
    holding: bool = False
    steady: bool = False
    psychic: bool = False


HARMED = ("total", "levels", "bleeding", "stunned", "out", "suffering", "hands")
"""The fields of a `Body` that injuries change."""

HOLDS = ratings("Powers held", "Conditions of psychic powers that go on, each 1. Left out: none.", most=1)
BODY = {
    "conscious": CONSCIOUS,
    "dead": flag("Dead or dying", "Left out: is not."),
    "stunned_actions": whole("Stunned", "Actions yet to lose. Left out: none."),
    "suffering": SUFFERS,
    "holds": HOLDS,
    "powers": entries("Powers", "Those that are mastered.", entry_kind="power"),
    "steady": flag(
        "Steady", "Neither System Shock nor stun, and no loss of consciousness. Left out: is not."
    ),
    "numbed": whole("Numbed", "Points by which the Injury Total counts less for consciousness.", most=100),
    "right_hand": text("In the right hand", "Name of the thing, to be dropped.", most=80),
    "left_hand": LEFT_HAND,
}
"""Fields of a combatant who may be hurt, beside those that everybody has."""


def body_fields(who: str) -> list[Field]:
    """What `body_of` reads of a combatant."""
    names = ("name", *CHARACTERISTICS, "injury_total", "injuries", "bleeding")
    return fields_named(who, *names, **BODY)


INJURY_TEST = percentile.OwnTest("injury-test", "test to withstand injuries")
"""Its numbers are those of `body_of`."""


def body_of(it: Attempt, who: str) -> Shared[Body] | None:
    """A combatant's body, of whose test the attempt keeps the number; None where the Toughness is not known.

    Raises:
        InputError: the packs in use lack a table, or a table has dice that are none.
    """
    facts, lookup = it.facts, it.lookup
    if f"{who}.toughness" not in facts:
        return None
    shock, surplus = row_of(lookup, "injury-checks", "system-shock"), rows_of(lookup, "surplus-levels")
    percentile.number_of_test(it, INJURY_TEST.of(who), who, shock.get("test") or WITHSTANDS)
    test, actions = percentile.of_number(it, INJURY_TEST.of(who)), actions_a_round(it.request)
    base, shock_at, faint, death = (injury_value(lookup, facts[f"{who}.toughness"], row) for row in _VALUES)
    death += it.options["death_at"] == "total_exceeds_toughness"
    faint += facts.get(f"{who}.numbed", 0)
    unit = actions if shock.get("stunned_unit") == "round" else 1
    total, lost = facts.get(f"{who}.injury_total", 0), facts.get(f"{who}.stunned_actions", 0)
    levels, bled = (by_location(facts.get(f"{who}.{name}", {})) for name in ("injuries", "bleeding"))
    out = DEAD if facts.get(f"{who}.dead") else "" if facts.get(f"{who}.conscious", True) else UNCONSCIOUS
    ill, rows = bool(facts.get(f"{who}.suffering")), injury_rows(lookup, actions)
    fatal = tuple(surplus[part_of_body(place)]["effect"] == "death" for place in LOCATIONS)
    hands = str(facts.get(f"{who}.right_hand", "")), str(facts.get(f"{who}.left_hand", ""))
    time = _stuns(shock, "injury-checks")
    numbers = base, shock_at, faint, death, test, time, unit, total
    states = (bool(facts.get(f"{who}.{name}")) for name in ("holds", "steady", "powers"))
    return share(Body(*numbers, levels, bled, lost, out, ill, rows, fatal, hands, *states))


def known_body(it: Attempt, who: str) -> Shared[Body] | None:
    """The same where the rule cannot do without; None, and a fault, where something is missing."""
    found: Shared[Body] | None = None
    it.need(f"{who}.toughness", "the Toughness")
    with it.faults.collect():
        found = body_of(it, who)
    return found


def as_numbered(it: Attempt, who: str, body: Shared[Body] | None) -> Any:
    """A body whose chance is the number that the attempt has of its test, where `changed` has put in another."""
    if body is None:
        return None
    return share(body.value._replace(test=percentile.of_number(it, INJURY_TEST.of(who))))


def actions_a_round(request: AttemptRequest) -> int:
    """How many actions a round is worth for what lasts rounds: with one action one, unless durations are doubled."""
    rounds = "one-action-rounds" if request.options["one_action_rounds"] else "normal"
    return rounds_as_they_count(request, row_of(request.lookup, "action-slots", rounds)["slots"])


def rounds_as_they_count(request: AttemptRequest, rounds: int) -> int:
    """How many rounds something lasts that is counted in rounds (section 3.3): in rounds of one action as many, or
    twice as many to make up for it."""
    options = request.options
    doubled = options["one_action_rounds"] and options["one_action_scale_durations"] == "double"
    return rounds * 2 if doubled else rounds


def by_location(ratings: Mapping[str, int]) -> tuple[int, ...]:
    """Numbers by location in the order of `LOCATIONS`; 0 where none is reported."""
    return tuple(ratings.get(place, 0) for place in LOCATIONS)


def part_of_body(place: str) -> str:
    """``leg``, ``arm``, ``body`` or ``head``."""
    return place.rpartition("-")[2]


_PART_OF = tuple(PARTS.index(part_of_body(place)) for place in LOCATIONS)


def rounded_up(number: int, divisor: int) -> int:
    return -(-number // divisor)


def injury_value(lookup: EntryLookup, toughness: int, row: str) -> int:
    """A value that follows from Toughness, by its row of the table ``injury-values`` (section 8.3)."""
    return max(1, rounded_up(toughness, row_of(lookup, "injury-values", row)["toughness_divisor"]))


def injury_rows(lookup: EntryLookup, actions: int) -> Rows:
    """The table ``injury-effects`` by part of the body; `actions`: how many a round is worth.

    Raises:
        InputError: the packs in use lack the table, or a level in it.
    """
    known = {
        (slug.partition("-")[0], row["level"]): _row(lookup, slug, row, actions)
        for slug, row in rows_of(lookup, "injury-effects").items()
        if slug.partition("-")[0] in PARTS
    }
    for part in PARTS:
        for level in range(1, HIGHEST + 1):
            if (part, level) not in known:
                message = f"the table 'injury-effects' has no level {level} of {part}"
                raise InputError.one("situation", "missing-table", message)
    return tuple(tuple(known[part, level] for level in range(1, HIGHEST + 1)) for part in PARTS)


def row_of_place(rows: Rows, place: int, level: int) -> Row:
    """What a level from 1 on does to a location, an index of `LOCATIONS`."""
    return rows[_PART_OF[place]][level - 1]


def would_faint(body: Body) -> bool:
    """Whether an injury takes consciousness, where nothing keeps the victim awake."""
    levels = ((place, level) for place, level in enumerate(body.levels) if level)
    return any(UNCONSCIOUS in row_of_place(body.rows, *one).does for one in levels)


def conditions_of(rows: Rows, levels: Iterable[int]) -> tuple[str, ...]:
    """What injuries of these levels leave for longer."""
    found = (row_of_place(rows, place, level).condition for place, level in enumerate(levels) if level)
    return tuple(dict.fromkeys(slug for slug in found if slug))


def _row(lookup: EntryLookup, slug: str, row: Mapping[str, Any], actions: int) -> Row:
    unit = actions if row.get("stunned_unit") == "round" else 1
    time = _stuns(row, "injury-effects")
    stunned, dice = (0, time) if time.dice else (time.plus * unit, None)
    does = tuple(word for word in (PRONE, DROP, UNCONSCIOUS, DEAD) if row.get(word))
    failure = row.get("failure") or "" if row.get("test") else ""
    condition = slug if lookup.entry("condition", slug) else ""
    return Row(row["bleeding"], stunned, dice, unit, does, failure, condition)


def _stuns(row: Mapping[str, Any], table: str) -> Total:
    """How long something stuns."""
    text = row.get("stunned")
    return percentile.NOTHING if text is None else percentile.dice_in(table, text)
