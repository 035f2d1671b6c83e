"""Finds what a procedure's stages ask, one after the other, by playing worked examples of the packs along many ways.

`python scripts/rulebook_flows.py` writes docs/rulebooks/flows, from which pictures of procedures are drawn.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from fracas.engine.examples import request_of
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import RequestSchema
from fracas.engine.running import prepare
from fracas.errors import InputError
from fracas.exports.cards.terms import words
from fracas.kernel.ruleset import Procedure
from fracas.kernel.stage import Fork, Roll, Stage
from fracas.packs.entries import Entry
from fracas.packs.flows import Flow, Node, path_of, written
from fracas.packs.library import Library

_MOST_VISITS = 8
"""How often the same question is answered in one example."""
_ANSWERS = 4
"""Results of a roll that are tried, from the least to the greatest."""
_NUMBER = re.compile(r"[_-]\d+$")
_OF_ONE = re.compile(r"^(?:[^():]+: )+")
"""Which of several people or weapons a number belongs to."""
_COUNT = re.compile(r"\d+(?: (?:die|dice)\b)?")
"""What differs between two situations in the labels of options."""


PACKS = Path(__file__).resolve().parents[1] / "datapacks"
RULESETS = ("cwn", "imperium", "sr4", "sr5")


def found(ruleset: str) -> dict[str, Flow]:
    """The flows of all procedures of a ruleset with the shipped packs."""
    games = Games(Library.read([PACKS], ruleset))
    procedures = games.game(ruleset).ruleset.procedures.values()
    return {procedure.id: flow_of(games, ruleset, procedure) for procedure in procedures}


def flow_of(games: Games, ruleset: str, procedure: Procedure) -> Flow:
    """The flow of a procedure; its numbers alone if no worked example of the packs plays it."""
    found = _Found(procedure)
    for entry in _examples(games, ruleset, procedure.id):
        stage = _first(games, ruleset, entry)
        if stage is not None:
            found.explore(stage)
    return found.flow()


def _examples(games: Games, ruleset: str, procedure: str) -> Iterator[Entry]:
    """Examples whose requests differ: each has a field, a choice or a result that the ones before have not."""
    seen: set[str] = set()
    for entry in games.game(ruleset).packs.entries("example"):
        request, expected = entry.data.get("request", {}), entry.data.get("expect", {})
        if request.get("procedure") != procedure or "refusals" in expected:
            continue
        differs = request.get("situation", {}), request.get("options", {}), expected.get("outcome", {})
        shape = {*_leaves(differs), *map(str, entry.data.get("decisions", ()))}
        if not seen or shape - seen:
            seen |= shape
            yield entry


def _leaves(data: Any, at: str = "") -> Iterator[str]:
    """The paths of all fields, with their values if these are words: numbers alone make no other way to play."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from _leaves(value, f"{at}.{name}")
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from _leaves(value, at)
    else:
        yield f"{at}={data}" if isinstance(data, str) else at


def _first(games: Games, ruleset: str, entry: Entry) -> Stage | None:
    """The first stage of an example with all decisions open."""
    data = request_of(entry, ruleset)
    plain = {name: value for name, value in data.items() if name not in ("dice", "decisions")}
    try:
        request = load(RequestSchema(games), {**plain, "mode": "step"})
        return prepare(request, request.attempt).stage
    except InputError:  # an example of what a request lacks
        return None


class _Found:
    """The nodes and edges that were seen, and how deep. What several people roll or decide alike is one node."""

    def __init__(self, procedure: Procedure) -> None:
        self._labels = {decision.id: decision.label for decision in procedure.decisions}
        # Those of one among several are called like those of the first.
        labels = [_begun(_OF_ONE.sub("", label)) for label in procedure.targets.values()]
        first = {label.casefold(): label for label in reversed(labels)}
        numbers = dict.fromkeys(first[label.casefold()] for label in labels)
        self._start = Node("numbers", procedure.label)
        self._by: dict[Node, dict[str, None]] = {self._start: {}}
        self._options: dict[Node, dict[str, None]] = {self._start: numbers}
        self._depths: dict[Node, list[int]] = {self._start: [0]}
        self._edges: set[tuple[Node, Node]] = set()
        self._before: Counter[tuple[Node, Node]] = Counter()

    def explore(self, first: Stage) -> None:
        first = _thrown(first)
        node = self._seen(first, 1)
        self._lead((self._start,), node)
        visits: Counter[Node] = Counter()
        known: dict[Stage, Node] = {}
        waiting: deque[tuple[Stage, tuple[Node, ...]]] = deque([(first, (self._start, node))])
        while waiting:
            stage, way = waiting.popleft()
            for after in _successors(stage):
                if after in known:
                    self._lead(way, known[after])
                    continue
                there = known[after] = self._seen(after, len(way))
                self._lead(way, there)
                if after.awaits is not None and visits[there] < _MOST_VISITS:
                    visits[there] += 1
                    waiting.append((after, (*way, there)))

    def _lead(self, way: tuple[Node, ...], there: Node) -> None:
        """A way of nodes leads to one."""
        self._edges.add((way[-1], there))
        if there not in way:
            self._before.update((node, there) for node in {*way})

    def _seen(self, stage: Stage, depth: int) -> Node:
        node, people, options = self._node(stage)
        self._depths.setdefault(node, []).append(depth)
        self._by.setdefault(node, {}).update(dict.fromkeys(map(_plain, filter(None, people))))
        self._options.setdefault(node, {}).update(dict.fromkeys(options))
        return node

    def _node(self, stage: Stage) -> tuple[Node, Sequence[str], Sequence[str]]:
        """What is asked, of whom, with which options."""
        awaited = stage.awaits
        if awaited is None:
            return Node("outcome", _end(stage)), (), ()
        if isinstance(awaited, Roll):
            labels = dict.fromkeys(_plain(label) for label in awaited.labels)
            return Node("roll", " against ".join(labels).capitalize()), awaited.by, ()
        label = self._labels.get(awaited.id, words(awaited.id))
        roll = dict(awaited.context).get("roll")
        title = f"{label}: {_plain(roll)}" if isinstance(roll, str) else label
        return Node("decision", title), (awaited.by,), [option.label for option in awaited.options]

    def flow(self) -> Flow:
        nodes = self._in_order()
        at = {node: place for place, node in enumerate(nodes)}
        shown = tuple(
            node._replace(by=", ".join(self._by[node]), options=_merged(self._options[node]))
            for node in nodes
        )
        return Flow(shown, _direct({(at[one], at[other]) for one, other in self._edges if one != other}))

    def _in_order(self) -> list[Node]:
        """Each question after those that mostly come before it, and beside the one that leads to it; the ends last."""
        before = self._before
        waiting, placed = set(self._depths), [self._start]
        waiting.remove(self._start)

        def turn(node: Node) -> tuple[bool, int, bool, int, int, Node]:
            earlier = sum(before[other, node] > before[node, other] for other in waiting)
            leads_to = sum((node, other) in self._edges for other in waiting if other != node)
            direct = (placed[-1], node) in self._edges
            return node.kind == "outcome", earlier, not direct, -leads_to, min(self._depths[node]), node

        while waiting:
            placed.append(min(waiting, key=turn))
            waiting.remove(placed[-1])
        return placed


def _merged(labels: Iterable[str]) -> tuple[str, ...]:
    """The labels, those that differ in numbers only as one."""
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(_COUNT.sub("…", label), []).append(label)
    return tuple(them[0] if len(them) == 1 else plain for plain, them in alike.items())


def _direct(edges: Set[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """The edges without those ahead that only leave out questions which do not always come."""
    after: dict[int, set[int]] = {}
    for one, other in edges:
        if other > one:
            after.setdefault(one, set()).add(other)
    reached: dict[int, set[int]] = {}
    for one in sorted(after, reverse=True):
        reached[one] = after[one].union(*(reached.get(other, set()) for other in after[one]))
    return frozenset(
        (one, other)
        for one, other in edges
        if other < one or not any(other in reached.get(between, ()) for between in after[one])
    )


def _successors(stage: Stage) -> Iterator[Stage]:
    awaited = stage.awaits
    if isinstance(awaited, Roll):
        answers = awaited.request.spread().answers
        step = max(1, (len(answers) - 1) // (_ANSWERS - 1))
        for answer in dict.fromkeys((*answers[::step], answers[-1])):
            yield _thrown(stage.advance(answer))
    elif awaited is not None:
        for option in awaited.options:
            yield _thrown(stage.advance(option.id))


def _thrown(stage: Stage) -> Stage:
    """The stage after rolls of no dice, which nobody sees."""
    while isinstance(awaited := stage.awaits, Roll) and not awaited.request.groups():
        stage = stage.advance(awaited.request.answer(()))
    return stage


def _plain(name: str) -> str:
    """The name of a roll or a person, without that of the branch and the number of one among several."""
    return words(_NUMBER.sub("", name.rpartition(".")[2]))


def _begun(text: str) -> str:
    """The text with a large first letter."""
    return text[:1].upper() + text[1:]


def _end(stage: Stage) -> str:
    """How it ends, in a word; several targets end each in their own way."""
    if isinstance(stage, Fork):
        return "Outcome for each"
    facts: Any = stage.notes()
    if isinstance(facts.get("result"), str):
        return str(words(facts["result"])).capitalize()
    if isinstance(facts.get("success"), bool):
        return "Success" if facts["success"] else "Failure"
    return "Outcome"


if __name__ == "__main__":
    for each in RULESETS:
        path_of(each).parent.mkdir(exist_ok=True)
        path_of(each).write_text(written(found(each)), "utf-8", newline="\n")
