"""A card: an answer about a combat step, put in the words and the order in which people read it.

It is made of the plain data that the service answers with, knows no rules, and is the same for every chat; `forms`
turns it into texts. What it holds is meant for the whole table: its maker leaves out what is not for everybody.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from fracas.exports.cards.changes import BOXES, POINTS, Effect, Names, Points, effect_of, name_of
from fracas.exports.cards.terms import NOTHING, came_to, label_of, signed, value_text, words
from fracas.exports.readable import plain
from fracas.packs import certainty

REFUSALS, QUESTION, OUTCOME, EFFECTS = "refusals", "question", "outcome", "effects"
NUMBERS, DECISIONS, PROOF = "numbers", "decisions", "proof"
GROUPS = (REFUSALS, QUESTION, OUTCOME, EFFECTS, NUMBERS, DECISIONS, PROOF)
"""The groups of lines, in the order in which cards show them."""

_COUNTING = ("applied", "capped")
_POOL = re.compile(r"\d+d\d+!? >= (\d+)")
"""A pool of dice, of which each shows a hit for itself; what is summed up has no such number of hits."""

_TWICE = re.compile(r"\b(\w+) \1\b")
_MOST_LINES = 60
"""Lines of a group that a card shows; of a blast on a crowd the rest is only counted."""


class Die(NamedTuple):
    """
    Attributes:
        hit: whether it is one; None where dice are read together.
    """

    face: int
    hit: bool | None


class Roll(NamedTuple):
    """Dice that were thrown.

    Attributes:
        dice: what was asked, such as ``9d6 >= 5``.
        hits, total: what they came to; one of them, or neither.
        text: the same in words.
    """

    label: str
    by: str
    dice: str
    sides: int
    faces: tuple[Die, ...]
    hits: int | None
    total: int | None
    text: str


class Line(NamedTuple):
    """A line, with its group, in whose order cards show them."""

    group: str
    label: str
    value: str


class Card(NamedTuple):
    """
    Attributes:
        who: names of those who act or are concerned.
        result: the outcome in a word, if there is one.
        mark: distinguishes this result from every other one; 16 hexadecimal digits, or "".
    """

    title: str
    ruleset: str
    procedure: str
    status: str
    who: Names
    result: str
    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    effects: tuple[Effect, ...]
    mark: str = ""


def card_of(
    answer: Mapping[str, Any],
    title: str,
    names: Names,
    mark: str = "",
    points: Points = BOXES,
    then: Iterable[str] = (),
    came_of_it: Iterable[Line] | None = None,
) -> Card:
    """The card of an answer of ``/v1/resolve``, or of a step of a fight as a viewer sees it.

    Args:
        title: what is done, and who does it; see `title_of`.
        names: of all that have some; those without are called by their records.
        mark: see `Card`.
        points: what is known of the tracks.
        then: sentences about what follows from the effects.
        came_of_it: the lines of the outcome; None: its facts as they are.
    """
    rolls = tuple(_roll(roll, names) for roll in answer.get("rolls", ()))
    outcome = answer.get("outcome", {})
    effects = tuple(
        effect_of(effect, names, points)
        for effect in answer.get("effects", ())
        if effect["type"] not in POINTS or effect["what"] not in points.fleeting
    )
    question = answer.get("awaits") or answer.get("question")
    status = answer.get("status") or ("waiting" if question else "resolved")
    groups = (
        (Line(REFUSALS, "Impossible", plain(refusal["label"])) for refusal in answer.get("refusals", ())),
        _question(question, names, points.decisions) if question else (),
        outcome_lines(outcome, answer.get("rolls", ()), names) if came_of_it is None else came_of_it,
        _effect_lines(effects),
        (Line(EFFECTS, "Then", plain(text)) for text in then),
        _numbers(answer.get("modifiers", ()), names),
        _decisions(answer.get("decisions", ()), names, points.decisions),
        _proof(answer.get("committed") or {}),
    )
    concerned = _concerned(answer, question or {}, names)
    return Card(
        plain(title) or "Fracas",
        answer.get("ruleset", ""),
        answer.get("procedure", ""),
        status,
        concerned,
        words(str(outcome.get("result") or "")),
        rolls,
        tuple(line for group in groups for line in _shortened(list(group))),
        effects,
        mark,
    )


def first_lines(card: Card) -> tuple[Line, ...]:
    """What a card shows before its dice: why not, what is asked, or the outcome in a word."""
    heads = (REFUSALS, QUESTION)
    return tuple(
        line
        for line in card.lines
        if line.group in heads or (line.group == OUTCOME and line.label == "Result")
    )


def apart(names: Mapping[str, str]) -> dict[str, str]:
    """The names of records, numbered where several have the same."""
    same, seen = Counter(names.values()), Counter[str]()
    found = {}
    for record, name in names.items():
        seen[name] += 1
        found[record] = f"{name} {seen[name]}" if same[name] > 1 else name
    return found


def _of_record(term: str, names: Names) -> tuple[str, str]:
    """What a term is about, and the rest of it: of one of several (``victim_1.damage``) the name, else ""."""
    for record in sorted(names, key=len, reverse=True):
        joint, rest = term[len(record) : len(record) + 1], term[len(record) + 1 :]
        if term.startswith(record) and rest and (joint == "." or (joint == "_" and record[-1].isdigit())):
            return names[record], rest
    return "", term


def title_of(what: str, whose: Sequence[str]) -> str:
    """A title that names who does something, and the first target."""
    return f"{what}: {' → '.join(whose[:2])}" if whose else what


def _concerned(answer: Mapping[str, Any], question: Mapping[str, Any], names: Names) -> Names:
    """The combatants in an answer, in order."""
    found = [roll["by"] for roll in answer.get("rolls", ())]
    found += [decision["by"] for decision in answer.get("decisions", ())]
    found += [effect["who"] for effect in answer.get("effects", ())]
    found += [question["by"]] if question.get("by") else []
    found += [group["by"] for group in question.get("groups") or question.get("parts") or ()]
    return {who: name_of(who, names) for who in dict.fromkeys(found)}


def _roll(roll: Mapping[str, Any], names: Names) -> Roll:
    result = roll["result"]
    pool = _POOL.match(roll["dice"]) if "hits" in result else None
    least = int(pool[1]) if pool else None
    faces = tuple(Die(face, None if least is None else face >= least) for face in roll["faces"])
    numbers = (value for value in result.values() if isinstance(value, int) and not isinstance(value, bool))
    total = None if "hits" in result else next(numbers, None)
    text = ", ".join(came_to(result))
    whose, what = _of_record(roll["label"].removeprefix(f"{roll['by']}_"), names)
    by = name_of(roll["by"], names)
    what = _TWICE.sub(r"\1", words(what))  # the drain of a branch that is called so
    return Roll(
        f"{label_of(what)} ({whose})" if whose not in ("", by) else label_of(what),
        by,
        roll["dice"],
        roll["sides"],
        faces,
        result.get("hits"),
        total,
        text,
    )


def outcome_lines(
    outcome: Mapping[str, Any], rolls: Iterable[Mapping[str, Any]], names: Names = MappingProxyType({})
) -> Iterator[Line]:
    """What an outcome says that its rolls have not given; of several people with the name of each."""
    reported = {f"{roll['label']}_{name}" for roll in rolls for name in roll["result"]}
    for name, value in sorted(outcome.items(), key=lambda fact: fact[0] != "result"):
        if name not in reported and value not in NOTHING and not isinstance(value, Mapping):
            whose, what = _of_record(name, names)
            yield Line(OUTCOME, f"{whose}: {words(what)}" if whose else label_of(what), value_text(value))


def _numbers(tallies: Iterable[Mapping[str, Any]], names: Names) -> Iterator[Line]:
    """The numbers that were made of something, and of what; at last what the signs beside unsure ones mean."""
    unsure: list[Mapping[str, Any]] = []
    called = {f"{label_of(record)}:": f"{name}:" for record, name in names.items() if record[-1:].isdigit()}
    for tally in tallies:
        adding = [
            entry
            for entry in tally["entries"]
            if entry.get("verdict", "applied") in _COUNTING and entry["value"]
        ]
        if adding:
            unsure += adding
            parts = ", ".join(
                f"{plain(entry['label'])} {signed(entry['value'])}{certainty.mark(entry)}" for entry in adding
            )
            record, colon, what = plain(tally["label"]).partition(":")
            label = called.get(record + colon, record + colon) + what
            yield Line(NUMBERS, label, f"{tally['total']} = {parts}")
    if legend := certainty.legend(unsure):
        yield Line(NUMBERS, "Signs", "; ".join(legend))


def _counts(entry: Mapping[str, Any]) -> bool:
    """Whether a line adds something; those of a short explanation have no verdict if they do."""
    return bool(entry["value"]) and entry.get("verdict", "applied") in _COUNTING


def _decisions(decisions: Iterable[Mapping[str, Any]], names: Names, labels: Names) -> Iterator[Line]:
    """A line with what people chose. That nothing was done, or what happens by default, is not worth one."""
    chosen = [
        f"{name_of(one['by'], names)}: {labels.get(one['decision']) or words(one['decision'])}: {words(one['choice'])}"
        for one in decisions
        if one["choice"] not in NOTHING and one.get("how") != "default"
    ]
    if chosen:
        yield Line(DECISIONS, "Decisions", "; ".join(chosen))


def _question(question: Mapping[str, Any], names: Names, labels: Names) -> Iterator[Line]:
    """What is asked, and who is asked."""
    groups = question.get("groups") or question.get("parts") or ()
    by = [question["by"]] if question.get("by") else [group["by"] for group in groups]
    asked = question.get("owners") or by
    who = ", ".join(name_of(one, names) for one in dict.fromkeys(asked)) or "the game master"
    if text := plain(question.get("text")):
        yield Line(QUESTION, "Waiting for", f"{who}: {text}")
        return
    decision = question.get("decision") or ""
    what = labels.get(decision) or words(decision) or words(question.get("kind", ""))
    dice = f": {question['dice']}" if question.get("dice") else ""
    yield Line(QUESTION, "Waiting for", f"{who} ({what}{dice})")


def _proof(committed: Mapping[str, Any]) -> Iterator[Line]:
    """By which everybody can recompute the dice, and see that nobody has changed the log."""
    for name in ("commitment", "seed", "log"):
        if committed.get(name):
            yield Line(PROOF, label_of(name), str(committed[name]))


def _effect_lines(effects: Iterable[Effect]) -> Iterator[Line]:
    """A line for each who is concerned."""
    reported: dict[tuple[str, str], list[str]] = {}
    for effect in effects:
        reported.setdefault((effect.who, effect.name), []).append(effect.text)
    for (_, name), texts in reported.items():
        yield Line(EFFECTS, f"Effects on {name}", "; ".join(texts))


def _shortened(lines: Sequence[Line]) -> Sequence[Line]:
    if len(lines) <= _MOST_LINES:
        return lines
    left = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], Line(lines[0].group, "And", f"{left} more")]
