"""The forms in which cards are given: plain data, and texts for chats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from fracas.exports.cards import beyond20
from fracas.exports.cards.card import Card, Roll, first_lines
from fracas.exports.markdown import escaped
from fracas.exports.readable import plain
from fracas.exports.roll20 import chat_card


def data(card: Card) -> dict[str, Any]:
    """The card itself as plain data; its texts are not escaped."""
    rolls = [roll._asdict() | {"faces": [die._asdict() for die in roll.faces]} for roll in card.rolls]
    reported = card._asdict() | {
        "who": dict(card.who),
        "rolls": rolls,
        "lines": [line._asdict() for line in card.lines],
        "effects": [effect._asdict() for effect in card.effects],
        "buttons": [button._asdict() for button in chat_card.buttons(card)],
    }
    del reported["mark"]
    return reported


def text(card: Card) -> str:
    """Lines of plain text; hits have a star."""
    return "\n".join([card.title, *(f"{label}: {value}" for label, value in _reported(card, plain, "{}*"))])


def markdown(card: Card) -> str:
    """A heading and a list; hits are bold."""
    lines = [f"- **{label}**: {value}" for label, value in _reported(card, escaped, "**{}**")]
    return "\n\n".join([f"### {escaped(card.title)}", "\n".join(lines)]).strip()


def _reported(card: Card, escape: Callable[[str], str], hit: str) -> Iterator[tuple[str, str]]:
    first = first_lines(card)
    for line in first:
        yield escape(line.label), escape(line.value)
    for roll in card.rolls:
        shown = faces(roll, hit)
        what = f"{escape(roll.dice)}: {shown} → {escape(roll.text)}"
        yield escape(f"{roll.label} by {roll.by}"), what
    for line in card.lines:
        if line not in first:
            yield escape(line.label), escape(line.value)


def faces(roll: Roll, hit: str) -> str:
    """The dice of a roll.

    Args:
        hit: how one that is a hit is written, with ``{}`` for its number.
    """
    return " ".join(hit.format(die.face) if die.hit else str(die.face) for die in roll.faces) or "no dice"


FORMS: Mapping[str, Callable[[Card], Any]] = {
    "data": data,
    "roll20": chat_card.message,
    "markdown": markdown,
    "text": text,
    "mod": chat_card.command,
    "beyond20": beyond20.request,
}
"""By the words with which a request asks for them."""


def forms(card: Card, wanted: Iterable[str]) -> dict[str, Any]:
    """A card in the forms that are wanted, which are all of FORMS."""
    return {form: FORMS[form](card) for form in wanted}
