"""A worked example in sentences: its numbers, its dice as the pack states them, and what comes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.sources import SuppliedDice
from fracas.engine import report, running
from fracas.engine.cards import caption_of
from fracas.engine.examples import request_of, run
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.errors import InputError
from fracas.exports.cards.card import apart
from fracas.exports.cards.terms import label_of, value_text, words
from fracas.kernel.readers import ChoiceRecord, RollRecord
from fracas.packs.certainty import mark
from fracas.packs.entries import Entry

_QUIET = ("ones", "hits_needed", "roll")
_POOL = re.compile(r"(\d+)d6(!?) >= 5(?: \+ (\d+) hits)?")
_NAMED = {
    "total": "total {}",
    "target": "against {}",
    "chance": "against {}",
    "margin": "by {}",
}
"""How results of a roll read that are more than a name and a value."""
_YES = {"meets": ("enough", "not enough"), "success": ("a success", "a failure"), "matched": ("matched", "")}


def example(games: Games, ruleset: str, procedure: str) -> tuple[Entry, list[str]] | None:
    """The worked example of a procedure that shows most, in sentences: one with dice, and then with most of dice,
    decisions and modifiers. Where layers have changed numbers, it is the first one that still goes as its pack says."""

    def shows(entry: Entry) -> tuple[bool, int]:
        data = entry.data
        expected, dice = data.get("expect", {}), data.get("dice", ())
        return bool(dice), len(dice) + len(data.get("decisions", ())) + len(expected.get("modifiers", ()))

    found = [
        entry
        for entry in games.game(ruleset).packs.entries("example")
        if entry.data.get("request", {}).get("procedure") == procedure
        and entry.data.get("expect", {}).get("status", "resolved") == "resolved"
    ]
    ordered = sorted(found, key=shows, reverse=True)
    return next(((entry, lines) for entry in ordered if (lines := in_sentences(games, ruleset, entry))), None)


def in_sentences(games: Games, ruleset: str, entry: Entry) -> list[str]:
    """An example in sentences; empty if its request cannot be carried out with its dice and decisions."""
    if not run(entry, ruleset, games).passed:
        return []
    request = load(RequestSchema(games), request_of(entry, ruleset))
    if request.dice.source != "supplied":
        request = request._replace(dice=request.dice._replace(source="supplied"))
    try:
        answer = running.resolve(request)
    except InputError:  # what is expected of it is only how it begins
        return []
    return [*map(_number, answer["modifiers"]), *_played(request), answer["summary"]]


def _number(tally: Mapping[str, Any]) -> str:
    parts = [
        f"{entry['label']} {entry['value']:+d}{mark(entry)}" for entry in tally["entries"] if entry["value"]
    ]
    because = f": {', '.join(parts)}" if parts else ""
    return f"{label_of(tally['label'])} is {tally['total']}{because}."


def _played(request: Request) -> Iterator[str]:
    """What is rolled and decided, in its order."""
    stage = running.prepare(request, request.attempt).stage
    if stage is None:
        return
    names = apart(caption_of(request.procedure, request.attempt.input, request.game.packs).names)
    labels = {decision.id: decision.label for decision in request.procedure.decisions}
    for record in running.played(request, stage, SuppliedDice(request.dice.faces)).records:
        if isinstance(record, RollRecord):
            yield from (_roll(row, names) for row in report.roll_rows(record))
        else:
            yield _decision(record, labels, names)


def _roll(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Who rolls what, the faces, and what they mean."""
    branch, _, what = row["label"].rpartition(".")
    target = f" ({_who(branch, names)})" if branch and branch != row["by"] else ""
    faces = ", ".join(map(str, row["faces"])) or "no dice"
    found = ", ".join(filter(None, (_result(name, value) for name, value in row["result"].items())))
    who = _who(row["by"], names) if row["by"] else "the service"
    begun = f"{who[:1].upper()}{who[1:]} rolls {_dice(row['dice'])} for {words(what)}{target}: {faces}"
    return f"{begun} – {found}." if found else f"{begun}."


def _dice(text: str) -> str:
    """Dice as people call them: a pool by its number, others without what they have to reach."""
    if pool := _POOL.fullmatch(text):
        again, before = (
            ", whose 6s roll again," if pool[2] else "",
            f" after {_hits(int(pool[3]))}" if pool[3] else "",
        )
        return f"{pool[1]} {'die' if pool[1] == '1' else 'dice'}{again}{before}"
    return re.split(r" [<>]= ", text)[0]


def _result(name: str, value: Any) -> str:
    if name in _QUIET or value == "none":
        return ""
    if name == "glitch":
        return "a critical glitch" if value == "critical" else "a glitch"
    if name == "hits":
        return _hits(value)
    if name in _YES:
        return _YES[name][not value]
    if name in _NAMED:
        return _NAMED[name].format(value)
    return f"{words(name)} {value_text(value)}"


def _hits(count: int) -> str:
    return f"{count} {'hit' if count == 1 else 'hits'}"


def _decision(record: ChoiceRecord, labels: Mapping[str, str], names: Mapping[str, str]) -> str:
    decision = record.decision
    chosen = next(option.label for option in decision.options if option.id == record.choice)
    roll = dict(decision.context).get("roll")
    of = f" ({words(roll)})" if isinstance(roll, str) else ""
    who = _who(decision.by, names)
    return (
        f"{who[:1].upper()}{who[1:]} decides: {labels.get(decision.id, words(decision.id))}{of}? “{chosen}”."
    )


def _who(record: str, names: Mapping[str, str]) -> str:
    """The name of a record; without one, its word with an article, or with the number of one among several."""
    name = words(record)
    return names.get(record) or (name if name[-1:].isdigit() else f"the {name}")
