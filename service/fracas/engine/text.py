"""Answers as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fracas.exports.cards.card import apart
from fracas.exports.cards.terms import came_to, words
from fracas.exports.readable import counted
from fracas.packs import certainty

_COUNTING = ("applied", "capped")
MOST_NOT_GIVEN = 6
"""Fields that a text names of those that a situation leaves open."""
_LEAST_SEEN = 0.0005
"""Of a chance, a twentieth of a percent."""
_LEAST_SHOWN = 0.00005
"""The chance of an outcome that has a bar: it does not round to nothing."""
_LEAST_ROOM = 10
"""Columns of the longest bar in a narrow terminal."""


Span = tuple[str, str]
"""A piece of text and its style, as `rich` calls it; "" for none."""
Line = list[Span]
NAMELESS: Mapping[str, str] = MappingProxyType({})
"""No records have names."""
MEASURES_SHOWN = 2
"""Measures that odds always show, such as the chance to hit; of the others only what is not zero."""

OF_ONE: Mapping[str, str] = MappingProxyType(
    {
        "Expected number of people hit": "Chance to hit",
        "Expected number of people hit critically": "Chance of a critical hit",
    }
)
"""What numbers of people are where there is one target."""


def plain(lines: Iterable[Line]) -> str:
    """Lines without their styles."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def resolved_text(answer: Mapping[str, Any]) -> str:
    """The lines of `resolved_lines` without their styles."""
    return plain(resolved_lines(answer))


def resolved_lines(
    answer: Mapping[str, Any],
    names: Mapping[str, str] = NAMELESS,
    effects: Iterable[str] = (),
    measured: Iterable[tuple[str, str]] = (),
) -> list[Line]:
    """A resolved or refused step: what happened and its effects, then numbers with their explanation, dice, what these
    came to, and last what was not given.

    Args:
        names: what the records of the request are called.
        effects: sentences for the effects of the answer.
        measured: numbers of the outcome that led to the damage, with their labels.
    """
    names = apart(names)
    lines: list[Line] = [[(answer["summary"], "bold red" if answer["status"] == "refused" else "bold")]]
    lines += [[(f"  {effect}", "")] for effect in effects]
    lines.append([])
    for tally in answer["modifiers"]:
        lines += _tally(tally)
    summed = [entry for tally in answer["modifiers"] for entry in tally["entries"] if entry["value"]]
    lines += [[(line, "dim")] for line in certainty.legend(summed)]
    for roll in answer.get("rolls", ()):
        faces = " ".join(map(str, roll["faces"])) or "no dice"
        result = ", ".join(came_to(roll["result"]))
        head = f"{words(roll['label'])} ({names.get(roll['by']) or words(roll['by'])}): "
        lines.append([(head, ""), (f"{roll['dice']}: {faces}", "cyan"), (result and f" -> {result}", "")])
    for decision in answer.get("decisions", ()):
        asked, chosen = words(decision["decision"]), words(decision["choice"])
        who = names.get(decision["by"]) or words(decision["by"])
        lines.append([(f"{asked} ({who}): {chosen} ({decision['how']})", "")])
    lines += [[(f"{label}: ", ""), (value, "bold")] for label, value in measured]
    if "committed" in answer:
        lines.append([("committed dice: ", "dim"), (_facts(answer["committed"]), "")])
    lines += _not_given(answer["modifiers"])
    return lines


def _tally(tally: Mapping[str, Any]) -> Iterable[Line]:
    counted = [entry for entry in tally["entries"] if entry["verdict"] in _COUNTING and entry["value"]]
    line = [(f"{tally['label']}: ", ""), (str(tally["total"]), "bold")]
    for at, entry in enumerate(counted):
        line.append(("  " if at else "  =  ", ""))
        line.append((f"{entry['label']} ", ""))
        line.append((f"{entry['value']:+d}{certainty.mark(entry)}", _colour(entry["value"])))
    yield line
    stacked = [entry for entry in tally["entries"] if entry["verdict"] == "suppressed"]
    for entry in stacked:
        text = f"    suppressed: {entry['label']} {entry['value']:+d} (by {entry['reason']})"
        yield [(text, "dim")]


def _colour(change: float) -> str:
    return "green" if change > 0 else "red"


def _not_given(tallies: Iterable[Mapping[str, Any]]) -> Iterable[Line]:
    """The fields that would decide further modifiers, one modifier for each; packs name the usual ones first."""
    found: dict[str, str] = {}
    for entry in (entry for tally in tallies for entry in tally["entries"] if entry["verdict"] == "unknown"):
        found.setdefault(entry["reason"], entry["label"])
    if found:
        shown = [f"{label} ({field})" for field, label in [*found.items()][:MOST_NOT_GIVEN]]
        more = len(found) - len(shown)
        rest = f", and {more} more, which --json lists" if more else ""
        yield [(f"Not given, so they do not count: {', '.join(shown)}{rest}", "dim")]


def _facts(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{words(name)} {_word(value)}" for name, value in facts.items() if value is not None)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words(value) if isinstance(value, str) and value[:1].isalpha() else str(value)


def odds_text(answer: Mapping[str, Any], width: int = 90) -> str:
    """The lines of `odds_lines` without their styles."""
    return plain(odds_lines(answer, width))


def odds_lines(answer: Mapping[str, Any], width: int, names: Mapping[str, str] = NAMELESS) -> list[Line]:
    """Odds as bars from the worst to the best outcome, the measures, and what each modifier changes.

    Args:
        width: columns of a bar with its name.
        names: what the records of the request are called, which head the branches.
    """
    if answer["status"] == "refused":
        return resolved_lines(answer, names)
    lines: list[Line] = []
    names = apart(names)
    for branch in answer["branches"]:
        if whose := branch["branch"]:
            lines.append([(names.get(whose) or words(whose).capitalize(), "bold")])
        lines += _bars(_merged(branch["outcomes"]), width)
    lines.append([])
    if len(answer["branches"]) == 1:
        named = ({**one, "label": OF_ONE.get(one["label"], one["label"])} for one in answer["measures"])
        answer = {**answer, "measures": [*named]}
    for at, measure in enumerate(answer["measures"]):
        if at < MEASURES_SHOWN or measure["value"]:
            lines.append([(f"{measure['label']}: ", ""), (_share(measure), "bold")])
    for glitch in answer["glitches"]:
        text = f"Glitch on {glitch['roll']}: {glitch['glitch']:.3%}, critical {glitch['critical']:.3%}"
        lines.append([(text, "")])
    if answer["attribution"]:
        lines += [[], [("What each modifier changes:", "bold")]]
        numbers = {tally["to"]: tally["label"] for tally in answer.get("modifiers", ())}
        for row in answer["attribution"]:
            number = numbers.get(row["to"]) or words(row["to"])
            lines.append(
                [
                    (f"  {row['label']} ", ""),
                    (f"{row['value']:+d}", _colour(row["value"])),
                    (f" to {number}: ", ""),
                    (_changes(answer, row), "dim"),
                ]
            )
    return lines


def _share(measure: Mapping[str, Any]) -> str:
    return f"{measure['value']:.2%}" if measure["label"].startswith("Chance") else f"{measure['value']:.3f}"


def _changes(answer: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """What a modifier changes, by measures; those that it leaves alone are left out."""
    reported = (
        f"{_inside(measure['label'])} {_change(measure, row['change'][measure['id']])}"
        for measure in changed_measures(answer, [row])
    )
    return ", ".join(reported) or "nothing"


def changed_measures(answer: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The measures of odds that some of these rows of their attribution change so far that people see it."""
    return [
        measure
        for measure in answer["measures"]
        if any(abs(row["change"].get(measure["id"]) or 0) >= _LEAST_SEEN for row in rows)
    ]


def _change(measure: Mapping[str, Any], value: float) -> str:
    return f"{value:+.2%}" if measure["label"].startswith("Chance") else f"{value:+.3f}"


def _inside(label: str) -> str:
    """A label in the middle of a sentence; initials such as DV stay."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def _merged(outcomes: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Chances by the words a person reads: failures before successes, and of these the least first."""
    merged: dict[str, float] = {}
    places: dict[str, tuple[bool, tuple[float, ...]]] = {}
    for row in outcomes:
        name = _outcome_name(row["outcome"])
        merged[name] = merged.get(name, 0.0) + row["chance"]
        places.setdefault(name, _place(row["outcome"]))
    return {name: merged[name] for name in sorted(merged, key=lambda name: (places[name], -merged[name]))}


def _place(outcome: Mapping[str, Any]) -> tuple[bool, tuple[float, ...]]:
    """Where an outcome stands between the worst and the best: whether it succeeds, then the numbers that name it."""
    known = ("damage", "net_damage", "hits")
    named = [outcome.get(name) for name in known if name in outcome] or outcome.values()
    numbers = (value for value in named if isinstance(value, (int, float)) and not isinstance(value, bool))
    return bool(outcome.get("success", outcome.get("hit"))), tuple(numbers)


def _outcome_name(outcome: Mapping[str, Any]) -> str:
    if "success" in outcome:
        name = "success" if outcome["success"] else "failure"
        return f"{name}, {counted(outcome['hits'], 'hit')}" if "hits" in outcome else name
    named = [words(str(outcome["result"]))] if "result" in outcome else []
    damage = outcome.get("damage", outcome.get("net_damage", 0))
    if damage or outcome.get("result") == "hit":
        track = words(outcome["track"]).capitalize() if outcome.get("track") else "damage"
        named.append(f"{damage} {track}" if damage else "no damage")
    if outcome.get("traumatic"):
        named.append("traumatic")
    return ", ".join(named) or _facts(outcome) or "no change"


def _bars(chances: Mapping[str, float], width: int) -> Iterable[Line]:
    shown = {name: chance for name, chance in chances.items() if chance >= _LEAST_SHOWN} or chances
    longest = max(map(len, shown))
    top = max(shown.values())
    room = max(width - longest - 12, _LEAST_ROOM)
    for name, chance in shown.items():
        bar = "█" * round(room * chance / top) or ("▏" if chance else "")
        yield [(f"{name:<{longest}}  {chance:>7.2%}  ", ""), (bar, "cyan")]
    left_out = len(chances) - len(shown)
    if left_out:
        yield [(f"and {left_out} less likely than {_LEAST_SHOWN:.3%}, which --json lists", "dim")]
