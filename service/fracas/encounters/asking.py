"""The questions of a fight as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.encounters import effects
from fracas.encounters.glossary import Glossary
from fracas.encounters.state import State
from fracas.exports.cards.terms import words

Data = Mapping[str, Any]


def text(glossary: Glossary, question: Data, what: str, by: str, procedure: str, left: str = "") -> str:
    """What a question asks: "Spend Edge before the roll (3 points of Edge left)?".

    Args:
        what, by: what the step is called that asks it, such as "Fire semi-automatically", and whose it is.
        procedure: of the step.
        left: see `left`.
    """
    kind = question["kind"]
    if kind == "decision":
        known = f" ({left} left)" if left else ""
        return f"{glossary.decision(question['decision'], procedure)}{known}?"
    if kind == "reaction":
        return f"React to {what} by {by}?"
    if kind == "roll":
        due = [part for part in question["parts"] if part["hand"] and part["thrown"] is None]
        rolls = [f"{roll(part['label'], part['by'])} ({part['dice'].partition(' ')[0]})" for part in due]
        return f"Roll for {' and '.join(rolls)}"
    return f"Apply the effects of {what} by {by}?"


def roll(label: str, by: str) -> str:
    """What a roll is called whose maker stands beside it.

    >>> roll("victim_1_avoid", "victim_1"), roll("target.save", "target"), roll("attack", "attacker")
    ('avoid', 'save', 'attack')
    >>> roll("drain.drain", "caster")
    'drain'
    """
    branch, _, own = label.removeprefix(f"{by}_").removeprefix(f"{by}.").partition(".")
    return words(branch if own in ("", branch) else f"{branch}.{own}")


def in_words(glossary: Glossary, question: Data, what: str, by: str, procedure: str, left: str) -> Data:
    """The text of a question; and its options, those that cost something with a price for people; see `text`."""
    found: dict[str, Any] = {"text": text(glossary, question, what, by, procedure, left)}
    if "options" in question:
        found["options"] = [_with_price(glossary, option) for option in question["options"]]
    return found


def _with_price(glossary: Glossary, option: Data) -> Data:
    price = ", ".join(glossary.token(what, count) for what, count in option.get("cost", {}).items())
    return {**option, "price": price} if price else option


def left(glossary: Glossary, state: State, question: Data) -> str:
    """What the owner of a question still has of the resource that its options cost first, for those who may read the
    sheet; "" where nothing is spent."""
    owner = next((state.combatants[id] for id in question["owners"] if id in state.combatants), None)
    sheet = effects.present(owner) if owner else {}
    for name in (name for option in question.get("options", ()) for name in option.get("cost", ())):
        track = glossary.rules.tracks.get(name)
        amount = sheet.get(track.field) if track and track.noun else None
        if isinstance(amount, int) and not isinstance(amount, bool):
            return glossary.points(name, amount)
    return ""
