"""A worked example told in sentences: its numbers, its dice as the pack states them, and what comes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.engine import running
from fracas.engine.examples import request_of
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import RequestSchema
from fracas.errors import InputError
from fracas.exports.cards.card import label_of, value_text, words
from fracas.kernel.ruleset import Procedure
from fracas.packs.certainty import mark
from fracas.packs.entries import Entry

_QUIET = ("ones", "hits_needed")


def example_of(games: Games, ruleset: str, procedure: str) -> Entry | None:
    """The worked example of a procedure that shows most: the one with most of dice, decisions and modifiers."""

    def shows(entry: Entry) -> int:
        data = entry.data
        expected = data.get("expect", {})
        return len(data.get("dice", ())) + len(data.get("decisions", ())) + len(expected.get("modifiers", ()))

    found = [
        entry
        for entry in games.game(ruleset).shelf.entries("example")
        if entry.data.get("request", {}).get("procedure") == procedure
        and entry.data.get("expect", {}).get("status", "resolved") == "resolved"
    ]
    return max(found, key=shows, default=None)


def told(games: Games, ruleset: str, entry: Entry) -> list[str]:
    """The example in sentences; empty if it is one of a request that cannot be carried out."""
    try:
        request = load(RequestSchema(games), request_of(entry, ruleset))
    except InputError:
        return []
    if request.dice.source != "supplied":
        request = request._replace(dice=request.dice._replace(source="supplied"))
    answer = running.resolve(request)
    return [
        *map(_number, answer["modifiers"]),
        *_thrown(answer.get("rolls", ())),
        *_decided(request.procedure, answer.get("decisions", ())),
        answer["summary"],
    ]


def _number(tally: Mapping[str, Any]) -> str:
    parts = [
        f"{entry['label']} {entry['value']:+d}{mark(entry)}" for entry in tally["entries"] if entry["value"]
    ]
    because = f": {', '.join(parts)}" if parts else ""
    return f"{tally['label']} is {tally['total']}{because}."


def _thrown(rolls: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for roll in rolls:
        faces = ", ".join(map(str, roll["faces"])) or "no dice"
        result = ", ".join(
            f"{words(name)} {value_text(value)}"
            for name, value in roll["result"].items()
            if name not in _QUIET
        )
        who = label_of(roll["by"]) if roll["by"] else "The service"
        yield f"{who} rolls {roll['dice']} for {words(roll['label'])}: {faces}{f' ({result})' if result else ''}."


def _decided(procedure: Procedure, decisions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    labels = {decision.id: decision.label for decision in procedure.decisions}
    for one in decisions:
        asked = labels.get(one["decision"], words(one["decision"]))
        of = f" ({words(one['roll'])})" if "roll" in one else ""
        yield f"{label_of(one['by'])} decides “{asked}”{of}: {words(one['choice'])}."
