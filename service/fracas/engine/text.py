"""Answers as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fracas.exports.cards.card import words
from fracas.packs import certainty

_COUNTING = ("applied", "capped")
_HIDDEN = ("ones",)
MOST_NOT_GIVEN = 6
"""Fields that a text names of those that a situation leaves open."""
_LEAST_SEEN = 0.0005
"""Of a chance, a twentieth of a percent."""


def resolved_text(answer: Mapping[str, Any]) -> str:
    """A resolved or refused step: numbers with their explanation, dice, outcome, effects."""
    lines = [f"{answer['ruleset']} {answer['procedure']}: {answer['status']}", answer["summary"]]
    lines += [f"  {refusal['label']} ({refusal['code']})" for refusal in answer.get("refusals", ())]
    for tally in answer["modifiers"]:
        lines += _tally(tally)
    counted = [entry for tally in answer["modifiers"] for entry in tally["entries"] if entry["value"]]
    lines += certainty.legend(counted)
    lines += _not_given(answer["modifiers"])
    for roll in answer.get("rolls", ()):
        faces = " ".join(map(str, roll["faces"])) or "no dice"
        result = ", ".join(
            f"{words(name)} {_word(value)}" for name, value in roll["result"].items() if name not in _HIDDEN
        )
        lines.append(f"{words(roll['label'])} ({words(roll['by'])}): {roll['dice']}: {faces} -> {result}")
    for decision in answer.get("decisions", ()):
        asked, chosen = words(decision["decision"]), words(decision["choice"])
        lines.append(f"{asked} ({words(decision['by'])}): {chosen} ({decision['how']})")
    if answer.get("outcome"):
        lines.append("outcome: " + _facts(answer["outcome"]))
    for effect in answer.get("effects", ()):
        lines.append("effect: " + _effect(effect))
    if "committed" in answer:
        lines.append("committed dice: " + _facts(answer["committed"]))
    return "\n".join(lines)


def _tally(tally: Mapping[str, Any]) -> Iterable[str]:
    counted = [entry for entry in tally["entries"] if entry["verdict"] in _COUNTING and entry["value"]]
    parts = "  ".join(f"{entry['label']} {entry['value']:+d}{certainty.mark(entry)}" for entry in counted)
    yield f"{tally['label']}: {tally['total']}" + (f"  =  {parts}" if counted else "")
    stacked = [entry for entry in tally["entries"] if entry["verdict"] == "suppressed"]
    for entry in stacked:
        yield f"    suppressed: {entry['label']} {entry['value']:+d} (by {entry['reason']})"


def _not_given(tallies: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """The fields that would decide further modifiers, one modifier for each; packs name the usual ones first."""
    found: dict[str, str] = {}
    for entry in (entry for tally in tallies for entry in tally["entries"] if entry["verdict"] == "unknown"):
        found.setdefault(entry["reason"], entry["label"])
    if found:
        shown = [f"{label} ({field})" for field, label in [*found.items()][:MOST_NOT_GIVEN]]
        more = len(found) - len(shown)
        rest = f", and {more} more, which --json lists" if more else ""
        yield f"Not given, so they do not count: {', '.join(shown)}{rest}"


def _facts(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{words(name)} {_word(value)}" for name, value in facts.items() if value is not None)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words(value) if isinstance(value, str) and value[:1].isalpha() else str(value)


def _effect(effect: Mapping[str, Any]) -> str:
    amount = "" if effect["amount"] is None else f" {effect['amount']}"
    rest = {name: value for name, value in effect.items() if name not in ("type", "who", "what", "amount")}
    named = " ".join(words(str(effect[name])) for name in ("type", "who", "what"))
    return f"{named}{amount}" + (f" ({_facts(rest)})" if rest else "")


def odds_text(answer: Mapping[str, Any], width: int = 90) -> str:
    """Odds as bars, the measures, and what each modifier changes."""
    if answer["status"] == "refused":
        return resolved_text(answer)
    lines: list[str] = []
    for branch in answer["branches"]:
        if branch["branch"]:
            lines.append(branch["branch"])
        lines += _bars(_merged(branch["outcomes"]), width)
    lines.append("")
    for measure in answer["measures"]:
        lines.append(f"{measure['label']}: {_share(measure)}")
    for glitch in answer["glitches"]:
        lines.append(f"Glitch on {glitch['roll']}: {glitch['glitch']:.3%}, critical {glitch['critical']:.3%}")
    if answer["attribution"]:
        lines += ["", "What each modifier changes:"]
        numbers = {tally["to"]: tally["label"] for tally in answer.get("modifiers", ())}
        for row in answer["attribution"]:
            number = numbers.get(row["to"]) or words(row["to"])
            lines.append(f"  {row['label']} {row['value']:+d} to {number}: {_changes(answer, row)}")
    return "\n".join(lines)


def _share(measure: Mapping[str, Any]) -> str:
    return f"{measure['value']:.2%}" if measure["label"].startswith("Chance") else f"{measure['value']:.3f}"


def _changes(answer: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """What a modifier changes, by measures; those that it leaves alone are left out."""
    told = (
        f"{_inside(measure['label'])} {_change(measure, row['change'][measure['id']])}"
        for measure in changed_measures(answer, [row])
    )
    return ", ".join(told) or "nothing"


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
    """A label in the middle of a sentence."""
    return label[:1].lower() + label[1:]


def _merged(outcomes: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Chances by the words a person reads."""
    merged: dict[str, float] = {}
    for row in outcomes:
        name = _outcome_name(row["outcome"])
        merged[name] = merged.get(name, 0.0) + row["chance"]
    return merged


def _outcome_name(outcome: Mapping[str, Any]) -> str:
    if "success" in outcome:
        name = "success" if outcome["success"] else "failure"
        return f"{name}, hits {outcome['hits']}" if "hits" in outcome else name
    words = [str(outcome["result"])] if "result" in outcome else []
    if outcome.get("damage") or outcome.get("result") == "hit":
        words.append(f"{outcome.get('damage', 0)} {outcome.get('track') or 'damage'}")
    if outcome.get("traumatic"):
        words.append("traumatic")
    return ", ".join(words) or _facts(outcome) or "no change"


def _bars(chances: Mapping[str, float], width: int) -> list[str]:
    longest = max(len(name) for name in chances)
    top = max(chances.values())
    room = width - longest - 12
    lines = []
    for name, chance in chances.items():
        bar = "█" * round(room * chance / top) or ("▏" if chance else "")
        lines.append(f"{name:<{longest}}  {chance:>7.2%}  {bar}".rstrip())
    return lines
