"""Forecasts: a fight made ready, played as often as is wanted, and what it adds up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.encounters.fights import rules_of
from fracas.encounters.state import State
from fracas.engine.game import Game
from fracas.errors import InputError, OverBudgetError, suggestion
from fracas.forecast.asking import changed, chosen_tactics
from fracas.forecast.model import Model
from fracas.forecast.playing import Play
from fracas.forecast.summing import Tally, difference, report
from fracas.forecast.tactics import Book
from fracas.forecast.walks import lots
from fracas.garbage import uncollected
from fracas.kernel.budget import UNLIMITED, Budget

TIMERS = "What goes off by itself later, such as fires, bleeding and fuses, is left out"
NO_DISTANCE = "The scene has no distance, so that nothing counts that depends on it"
NEW_TURN = "The fight goes on with a new turn: what is left of the present one is not played"
POSITIONS = "Nobody moves: distances are those of the scene, and not of the map"


class Variant(NamedTuple):
    """A fight as it stands, or with one thing otherwise.

    Attributes:
        label: "" for the fight as it stands.
        first: the side that acts first; None for none.
    """

    label: str
    model: Model
    first: str | None


class Forecast:
    """A fight made ready to be forecast.

    Args:
        asked: as `asking.ForecastSchema` leaves it.
        budget: processor time for making it ready.

    Raises:
        InputError: it cannot be forecast, and why.
    """

    def __init__(
        self, game: Game, state: State, asked: Mapping[str, Any], budget: Budget = UNLIMITED
    ) -> None:
        self.game, self.state, self.seed = game, state, str(asked["seed"])
        self._budget = budget
        self.book: Book | None = None
        self.variants = [self._variant(state, asked, "", "")]
        for at, change in enumerate(asked["compare"]):
            path = f"compare[{at}]"
            other = changed(game, state, change, path)
            both = {
                "tactics": {**asked["tactics"], **change["tactics"]},
                "against": {**asked["against"], **change["against"]},
                "first": change["first"] or asked["first"],
            }
            self.variants.append(self._variant(other, both, change["label"], path))

    def _variant(self, state: State, asked: Mapping[str, Any], label: str, path: str) -> Variant:
        state = _as_forecast(state)
        within = f"{path}." if path else ""
        book, tactics = chosen_tactics(self.game, state, asked["tactics"], f"{within}tactics")
        self.book = self.book or book
        known = dict.fromkeys(one.side for one in state.combatants.values())
        sides = {f"{within}against.{side}": side for side in asked["against"]}
        if asked["first"]:
            sides[f"{within}first"] = asked["first"]
        for place, side in sides.items():
            if side not in known:
                raise InputError.one(
                    place, "unknown-side", f"there is no side {side!r}", suggestion(side, known)
                )
        self._check_against(asked["against"], within)
        rules = rules_of(self.game)
        model = Model(self.game, rules, state, tactics, asked["against"], self._budget)
        return Variant(label, model, asked["first"])

    def _check_against(self, against: Mapping[str, Mapping[str, Any]], within: str) -> None:
        """
        Raises:
            InputError: a field that no attack of the ruleset has.
        """
        procedures = [self.game.procedure(id) for id in self.game.ruleset.attacks]
        fields = {path: None for one in procedures for path in one.vocabulary.fields}
        for side, given in against.items():
            for name, value in given.items():
                parts = [f"{name}.{key}" for key in value] if isinstance(value, Mapping) else [name]
                for path in parts:
                    if path not in fields:
                        place, hint = f"{within}against.{side}.{path}", suggestion(path, fields)
                        raise InputError.one(place, "unknown-field", f"no attack has a field {path!r}", hint)

    def tallies(self) -> list[Tally]:
        """Of each variant, before any fight."""
        return [Tally(one.model) for one in self.variants]

    def play(self, start: int, count: int, budget: Budget = UNLIMITED) -> list[Tally]:
        """Play fights by their numbers, of each variant the same; fewer if the budget is used up.

        Raises:
            OverBudgetError: not even one can be played within the budget.
        """
        tallies = self.tallies()
        for one in self.variants:
            one.model.statuses.budget = budget
        with uncollected():  # what is remembered stays
            for number in range(start, start + count):
                try:
                    played = [
                        Play(one.model, lots(self.seed, number), one.first).run() for one in self.variants
                    ]
                except OverBudgetError:
                    if number == start:
                        raise
                    break
                for tally, fight in zip(tallies, played, strict=True):
                    tally.add(fight)
        return tallies

    def report(self, start: int, tallies: Sequence[Tally]) -> dict[str, Any]:
        """The answer to a request."""
        assert self.book is not None
        base = tallies[0]
        sides = base.model.sides
        compared = [
            {
                "label": variant.label,
                **report(tally),
                "differences": [
                    {"side": side, "wins": difference(base.counts.winners, tally.counts.winners, at)}
                    for at, side in enumerate(sides)
                    if side in tally.model.sides
                ],
            }
            for variant, tally in zip(self.variants[1:], tallies[1:], strict=True)
        ]
        return {
            "ruleset": self.game.ruleset.id,
            "title": self.state.title,
            "seed": self.seed,
            "from": start,
            **report(base),
            "tactics": self._tactics(base.model),
            "ignores": list(self.book.ignores),
            "assumed": list(self._assumed()),
            "compared": compared,
        }

    def _tactics(self, model: Model) -> list[dict[str, Any]]:
        """Who chooses how, and what each attacks with."""
        return [
            {
                "combatant": one.id,
                "name": one.name,
                "tactics": one.tactics.id,
                "label": one.tactics.label,
                "attacks": list(dict.fromkeys(self._first_attacks(model, at))),
            }
            for at, one in enumerate(model.fighters)
        ]

    def _first_attacks(self, model: Model, at: int) -> Iterator[str]:
        one = model.fighters[at]
        for other in model.fighters:
            if other.side != one.side:
                for way in model.attacks[one.kind, other.kind, one.tactics.id][:1]:
                    item = model.labels(way.way.item) if way.way.item else ""
                    yield f"{way.way.label} ({item})" if item else way.way.label

    def _assumed(self) -> Iterator[str]:
        model = self.variants[0].model
        for at, one in enumerate(model.fighters):
            if model.statuses.out[one.status]:
                yield f"{one.name} is out of the fight already"
                continue
            if model.apart[at]:
                yield f"{one.name} attacks nobody here and is attacked by nobody, and does not count for who wins"
                continue
            standing = (other for other in model.fighters if not model.statuses.out[other.status])
            foes = [other for other in standing if other.side != one.side]
            if foes and not any(model.attacks[one.kind, other.kind, one.tactics.id] for other in foes):
                yield f"{one.name} has no attack that needs no person's judgment, and only stands there"
        if "distance" not in self.state.settings.get("scene", {}):
            yield NO_DISTANCE
        yield TIMERS
        if self.state.turn:
            yield NEW_TURN
        if any(one.position is not None for one in self.state.combatants.values()):
            yield POSITIONS


def _as_forecast(state: State) -> State:
    """A fight as a forecast begins: nobody acts, and no step is open."""
    return state._replace(resolutions={}, timers={}, due="", contest=None, queue=(), acting=())
