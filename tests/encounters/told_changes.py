"""Nothing changes without a line: the transcript names whatever an event does to monitors, conditions and abilities.

It compares the states before and after each event by itself, and looks for who and what in the lines of that event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.encounters import fold, order
from fracas.encounters.chronicle import passages
from fracas.encounters.desk import Author
from fracas.encounters.events import TIMELESS, Event
from fracas.encounters.fight import Fight
from fracas.encounters.glossary import being
from fracas.encounters.state import Combatant, State
from fracas.engine.game import Game
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import Catalog


def check_told(game: Game, rules: TurnRules, fight: Fight, events: Sequence[Event], gm: Author) -> None:
    """Of a fight in which nothing was undone."""
    state = fold.NOTHING
    for event, passage in zip(events, passages(game, rules, fight, events, gm), strict=True):
        assert event.type not in TIMELESS
        before, state = state, fold.apply(rules, state, event)
        lines = [line.lower() for line in passage.lines()]
        for name, words in changed(game, rules, before, state):
            told = any(name.lower() in line and any(word in line for word in words) for line in lines)
            assert told, (event.version, event.type, name, words, lines)


def changed(game: Game, rules: TurnRules, before: State, after: State) -> Iterator[tuple[str, Sequence[str]]]:
    """Who changed, and words of which one must stand in a line with the name."""
    for id, one in after.combatants.items():
        was = before.combatants.get(id)
        if was is None or was is one or one.gone:
            continue
        for first, second in ((was, one), (one, was)):
            had = {each.slug for each in second.conditions}
            for each in first.conditions:
                if each.slug not in had:
                    yield one.name, (each.label.lower(), being(game, each.label).lower())
        gauges = [_gauges(rules, game.shelf, each, state) for each, state in ((was, before), (one, after))]
        if gauges[0] != gauges[1]:
            yield one.name, "0123456789"


def _gauges(rules: TurnRules, catalog: Catalog, one: Combatant, state: State) -> list[tuple[str, int]]:
    seen = order.participant(rules, one, state.options)
    return [(gauge.id, gauge.value) for gauge in rules.gauges(seen, catalog)]
