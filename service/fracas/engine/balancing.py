"""Is a weapon too good? Each weapon of a game against the others of its class, by the exact odds of the same attack.

The odds are those of `Ruleset.comparison`: expected damage over armor and distance. What else counts, such as a price,
is its `worth`. One weapon beats another if it is nowhere worse and somewhere better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, median
from typing import NamedTuple

from fracas.engine.comparing import PLAIN
from fracas.engine.game import Game
from fracas.engine.policies import ChoicesAlways
from fracas.engine.requests import check_request
from fracas.engine.running import prepare
from fracas.errors import FracasError, InputError, OverBudgetError, suggestion
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.expectations import Valuation
from fracas.kernel.odds import Transitions
from fracas.kernel.ruleset import Comparison, Procedure, Sample, Worth
from fracas.kernel.stage import Stage
from fracas.packs.entries import Entry

STEP = 2
"""Every so many values of armor of a comparison are enough to weigh weapons."""
OUTLYING = 1.5
"""Times the middle of its class that the damage of a weapon may be above or below before it stands out."""
FEW = 3
"""Weapons that a class needs before one of them can stand out."""
MOST_STEPS = 60_000
"""Of one attack: twice what any weapon needs whose odds have an end soon. Others cost seconds and have none."""
_EQUAL = 1e-9


class Weighed(NamedTuple):
    """One weapon.

    Attributes:
        damage: the expected damage by distance and, within, by armor; 0 where it does not reach.
        why: why there is no damage; "" where there is.
        mean: the average of `damage` over the distances that its class reaches, every armor and distance alike.
        share: `mean` as a part of the middle of its class; None for a class where that is 0.
        beaten_by: the weapons of its class that are nowhere worse and somewhere better; the best first.
        beats: how many it beats so.
        beats_all: it beats every other one of its class.
        outlying: it stands out from its class, see `OUTLYING`.
    """

    entry: Entry
    group: str
    damage: Sequence[Sequence[float]] = ()
    why: str = ""
    mean: float = 0.0
    share: float | None = None
    beaten_by: Sequence[Entry] = ()
    beats: int = 0
    beats_all: bool = False
    outlying: bool = False


class Balance(NamedTuple):
    """The weapons of a game.

    Attributes:
        armor: the values of armor.
        distances: in meters; None for the distance of the standard attack.
        weapons: those with numbers, by class and mean, the most first, then the others.
    """

    comparison: Comparison
    armor: Sequence[int]
    distances: Sequence[int | None]
    weapons: Sequence[Weighed]


class Balances:
    """The balance of games, kept for as long as the packs stay as they are."""

    def __init__(self) -> None:
        self._digest = ""
        self._kept: dict[tuple[str, str], Balance] = {}

    def of(self, game: Game, digest: str, budget: Budget = UNLIMITED, group: str = "") -> Balance:
        """
        Args:
            digest: of the library.

        Raises:
            InputError, OverBudgetError: see `balance_of`.
        """
        if digest != self._digest:
            self._digest, self._kept = digest, {}
        key = game.ruleset.id, group
        if key not in self._kept:
            self._kept[key] = balance_of(game, budget, group)
        return self._kept[key]


def balance_of(game: Game, budget: Budget = UNLIMITED, group: str = "") -> Balance:
    """The weapons of a game, weighed, in 1 to 3 s of processor time.

    Args:
        group: only this class; "" for all.

    Raises:
        InputError: the ruleset does not define how weapons are compared, or has no such class.
        OverBudgetError: it takes longer than the budget.
    """
    comparison = game.ruleset.comparison
    if comparison is None:
        message = f"{game.ruleset.label} does not define how weapons are compared"
        raise InputError.one("ruleset", "no-comparison", message)
    entries = game.packs.entries("weapon")
    if group:
        known = {comparison.class_of(entry) for entry in entries} - {""}
        if group not in known:
            message = f"{game.ruleset.label} has no class of weapons {group[:80]!r}"
            raise InputError.one("class", "unknown-class", message, suggestion(group, known))
        entries = [entry for entry in entries if comparison.class_of(entry) == group]
    armor = tuple(comparison.values)[::STEP]
    distances = (None, *comparison.distances)
    attacks = _Attacks(game, comparison, budget)
    groups: dict[str, list[Weighed]] = {}
    without: list[Weighed] = []
    for entry in entries:
        one = attacks.weighed(entry, armor, distances)
        (without if one.why else groups.setdefault(one.group, [])).append(one)
    weapons = [one for group in sorted(groups) for one in _within(groups[group], comparison.worth)]
    return Balance(comparison, armor, distances, (*weapons, *without))


class _Attacks:
    """The attacks of a comparison; what they have in common is computed once."""

    def __init__(self, game: Game, comparison: Comparison, budget: Budget) -> None:
        self._game, self._comparison, self._budget = game, comparison, budget
        policy = ChoicesAlways(())
        self._transitions = Transitions(policy, policy.inputs, budget)
        self._valued: dict[str, Valuation] = {}

    def weighed(self, entry: Entry, armor: Sequence[int], distances: Sequence[int | None]) -> Weighed:
        one = Weighed(entry, self._comparison.class_of(entry))
        samples = [self._comparison.sample(entry, value, self._game.packs) for value in armor]
        found = [sample for sample in samples if sample is not None]
        if not one.group:
            return one._replace(why="it comes with a combatant, so nobody chooses it")
        if len(found) < len(samples):
            return one._replace(why="it does no damage of its own to one person")
        try:
            damage = [[self._damage(sample, distance) for sample in found] for distance in distances]
        except OverBudgetError:
            raise
        except FracasError as error:
            if isinstance(error, InputError) and any(one.code == "too-complex" for one in error.problems):
                return one._replace(why="its attack has more outcomes than exact odds have room for")
            return one._replace(why=f"it cannot be tried: {error.message}")
        if all(value is None for value in damage[0]):
            return one._replace(why="such an attack is not possible with it")
        known = [[value or 0.0 for value in row] for row in damage]
        if not any(value for row in known for value in row):
            return one._replace(why="the attack does no damage by itself")
        return one._replace(damage=known)

    def _damage(self, sample: Sample, distance: int | None) -> float | None:
        """The expected damage; None where the attack is refused or does not reach so far."""
        situation = dict(sample.situation)
        if distance is not None:
            if "distance" not in situation:
                return None
            situation["distance"] = distance
        given = {**PLAIN, "procedure": sample.procedure, "situation": situation}
        request = check_request(given, self._game)
        stage = prepare(request, request.attempt).stage
        if stage is None:
            return None
        self._transitions.allow(MOST_STEPS)
        return self._expected(request.procedure)(stage)[0]

    def _expected(self, procedure: Procedure) -> Valuation:
        if procedure.id not in self._valued:
            of = next(one.of for one in procedure.measures if one.id == self._comparison.damage)

            def measured(outcome: Stage) -> tuple[float, ...]:
                return (of(outcome.notes()),)

            self._valued[procedure.id] = Valuation(self._transitions, measured)
        return self._valued[procedure.id]


def _within(group: Sequence[Weighed], worth: Sequence[Worth]) -> Iterator[Weighed]:
    """The weapons of a class, the most damage first."""
    reached = [at for at, _ in enumerate(group[0].damage) if any(any(one.damage[at]) for one in group)]
    group = [one._replace(mean=fmean(value for at in reached for value in one.damage[at])) for one in group]
    middle = median(one.mean for one in group)
    ordered = sorted(group, key=lambda one: (-one.mean, one.entry.label))
    beaten = {
        one.entry.id: [other.entry for other in ordered if other is not one and beats(other, one, worth)]
        for one in ordered
    }
    for one in ordered:
        share = one.mean / middle if middle else None
        beaten_ones = sum(one.entry in others for others in beaten.values())
        yield one._replace(
            share=share,
            beaten_by=beaten[one.entry.id],
            beats=beaten_ones,
            beats_all=0 < beaten_ones == len(group) - 1,
            outlying=share is not None and len(group) >= FEW and not 1 / OUTLYING < share < OUTLYING,
        )


def beats(one: Weighed, other: Weighed, worth: Sequence[Worth]) -> bool:
    """Whether a weapon is nowhere worse than another and somewhere better, by damage and all that counts beside it."""
    pairs = [
        (mine, theirs)
        for row, against in zip(one.damage, other.damage, strict=True)
        for mine, theirs in zip(row, against, strict=True)
    ]
    if any(mine < theirs - _EQUAL for mine, theirs in pairs):
        return False
    better = any(mine > theirs + _EQUAL for mine, theirs in pairs)
    for field in worth:
        mine, theirs = _worth_of(one.entry, field), _worth_of(other.entry, field)
        if mine is None or theirs is None:
            if mine is not theirs:
                return False
            continue
        if not _at_least(mine, theirs):
            return False
        better = better or mine != theirs
    return better


_Value = tuple[float, ...] | frozenset[str]


def _worth_of(entry: Entry, worth: Worth) -> _Value | None:
    """What counts of a weapon's field, so that more is better; None where it is not known."""
    given = entry.data.get(worth.field)
    value = worth.missing if given is None else worth.of(given)
    if value is None:
        return frozenset() if worth.more else None
    if isinstance(value, frozenset):
        return value
    numbers = value if isinstance(value, tuple) else (float(value),)
    return numbers if worth.more else tuple(-number for number in numbers)


def _at_least(mine: _Value, theirs: _Value) -> bool:
    if isinstance(mine, frozenset) or isinstance(theirs, frozenset):
        return frozenset(mine) >= frozenset(theirs)
    return all(own >= other for own, other in zip(mine, theirs, strict=True))
