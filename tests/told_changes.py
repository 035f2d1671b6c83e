"""Nothing changes without a line: the transcript names whatever an event does to monitors, conditions and abilities.

It compares the states before and after each event by itself, and looks for who and what in the lines of that event.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fracas.encounters import by_itself, effects, fold, order, views
from fracas.encounters.command_context import Author
from fracas.encounters.events import TIMELESS, Event
from fracas.encounters.fight import Fight
from fracas.encounters.glossary import Glossary, being
from fracas.encounters.state import Combatant, Condition, State
from fracas.encounters.transcript import passages
from fracas.engine.game import Game
from fracas.kernel.intents import Participant
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup


def check_told(game: Game, rules: TurnRules, fight: Fight, events: Sequence[Event], gm: Author) -> None:
    """Of a fight in which nothing was undone."""
    state = fold.NOTHING
    for event, passage in zip(events, passages(game, rules, fight, events, gm), strict=True):
        assert event.type not in TIMELESS
        before, state = state, fold.apply(rules, state, event)
        kept = by_itself.changes(rules, game.packs, event, before, state)
        event = event._replace(data={**event.data, by_itself.CHANGES: kept})
        _check(event, changed(game, rules, before, state), list(passage.lines()))
        check_fed(game, rules, event, before, state, gm)


def check_fed(game: Game, rules: TurnRules, event: Event, before: State, after: State, gm: Author) -> None:
    """The feed names it all to the GM, and to others nobody who is hidden, and gives a reason for each change."""
    glossary = Glossary(game, rules)
    found = changed(game, rules, before, after)
    _check(event, found, [line["text"] for line in views.event_seen(event, gm, after, glossary)["lines"]])
    assert all(change["cause"] for change in by_itself.changes_in(event)), event
    seen = views.event_seen(event, OBSERVER, after, glossary)
    hidden = {one.name for one in after.combatants.values() if one.hidden}
    hidden -= {one.name for one in after.combatants.values() if not one.hidden}
    assert not any(name in json.dumps(seen) for name in hidden), (hidden, seen)


OBSERVER = Author("observer")


def _check(event: Event, found: Iterable[tuple[str, Sequence[str]]], lines: Iterable[str]) -> None:
    told = [line.lower() for line in lines]
    for name, words in found:
        assert any(name.lower() in line and any(word in line for word in words) for line in told), (
            event.version,
            event.type,
            name,
            words,
            told,
        )


def changed(game: Game, rules: TurnRules, before: State, after: State) -> Iterator[tuple[str, Sequence[str]]]:
    """Who changed, and words of which one must stand in a line with the name."""
    for id, one in after.combatants.items():
        was = before.combatants.get(id)
        if was is None or was is one or one.gone:
            continue
        for first, second, verbs in ((was, one, _ENDS), (one, was, _BEGINS)):
            more = Counter(each.slug for each in first.conditions)
            more.subtract(each.slug for each in second.conditions)
            left = Counter((each.slug, each.towards) for each in second.conditions)
            for each in effects.shown(first):  # what another covers needs no line
                left[each.slug, each.towards] -= 1
                if more[each.slug] > 0 and left[each.slug, each.towards] < 0:
                    more[each.slug] -= 1
                    yield one.name, tuple(f"{verb}{word}" for verb in verbs for word in _called(game, each))
        gauges = [_gauges(rules, game.packs, each, state) for each, state in ((was, before), (one, after))]
        for gauge in {**gauges[0], **gauges[1]}:
            if gauges[0].get(gauge) != gauges[1].get(gauge):
                yield one.name, _words_of(rules, *gauge)
        seen = [
            order.participant(rules, each, state.options) for each, state in ((was, before), (one, after))
        ]
        if seen[0].able != seen[1].able:
            yield one.name, tuple(_taking(rules, was, seen[0], before) + _taking(rules, one, seen[1], after))


_ENDS = ("is no longer ", "one “")
_BEGINS = ("is now ",)
"""What stands before a condition that ends or begins."""


def _called(game: Game, condition: Condition) -> Sequence[str]:
    entry = game.packs.entry("condition", condition.slug)
    towards = entry.data.get("state_towards") if entry and condition.towards else None
    return tuple(word.lower() for word in (condition.label, being(game, condition.label), towards) if word)


def _gauges(
    rules: TurnRules, catalog: EntryLookup, one: Combatant, state: State
) -> dict[tuple[str, str], int]:
    """The numbers that are kept an eye on, by slug and label; a gauge that is not shown stands at 0."""
    seen = order.participant(rules, one, state.options)
    return {(gauge.id, gauge.label): gauge.value for gauge in rules.gauges(seen, catalog) if gauge.value}


def _words_of(rules: TurnRules, gauge: str, label: str) -> Sequence[str]:
    """Words for a number: its name, or what its points are called."""
    noun = rules.tracks[gauge].noun
    points = noun.partition(" of ")[2] or noun
    return tuple(word.lower() for word in (gauge.replace("-", " "), label, points) if word)


def _taking(rules: TurnRules, one: Combatant, seen: Participant, state: State) -> list[str]:
    """Labels of what takes somebody out, or lets them act in spite of it."""
    labels = [each.label.lower() for each in one.conditions if each.incapacitates or each.enables]
    return [*labels, *filter(None, [rules.unable(seen).lower()])]
