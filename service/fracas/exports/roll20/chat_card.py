"""A card as a message of Roll20's chat, and as the command by which the Mod applies it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fracas.exports.cards.card import Card, Line, Roll, first_lines
from fracas.exports.roll20.escaping import Chat, bold, button, escape, template
from fracas.exports.roll20.importing import Change, Import, import_text

LONGEST = 12_000
"""Characters of a message; what a longer one would show of numbers and decisions is left out."""

_FIRST_LEFT_OUT = ("proof", "numbers", "decisions", "effects", "outcome")


class Button(NamedTuple):
    """Something that a card offers to those who may do it."""

    label: str
    command: str


def command(card: Card) -> str:
    """The command that applies what a card shows; "" if there is nothing to apply, or no end of it."""
    if card.status != "resolved":
        return ""
    changes = tuple(Change(one.who, one.type, one.what, one.amount) for one in card.effects)
    return import_text(Import(card.mark, card.title, card.who, changes))


def buttons(card: Card) -> list[Button]:
    """What a card offers in a chat that Mods listen to."""
    text = command(card)
    return [Button("Apply", text)] if text else []


def message(card: Card) -> str:
    """The card as one message, which any game shows, with or without a character sheet or Mods."""
    offered = Chat(" ".join(button(each.label, each.command) for each in buttons(card)))
    if not offered and card.status == "resolved" and card.effects:
        offered = Chat("More effects than one command holds")
    actions = [(Chat("Mod"), offered)] if offered else []
    first = first_lines(card)
    fields = [*_reported(first), *_rolls(card)]
    rest = [line for line in card.lines if line not in first]
    for leave_out in ("", *_FIRST_LEFT_OUT):
        rest = [line for line in rest if line.group != leave_out]
        text = template(card.title, [*fields, *_reported(rest), *actions])
        if len(text) <= LONGEST:
            return text
    while len(text) > LONGEST and fields:
        del fields[len(fields) // 2 :]
        text = template(card.title, [*fields, (Chat("And"), Chat("more than fits here")), *actions])
    return text


def _reported(lines: Iterable[Line]) -> list[tuple[str, str]]:
    return [(line.label, line.value) for line in lines]


def _rolls(card: Card) -> Iterator[tuple[str, str]]:
    for roll in card.rolls:
        yield escape(f"{roll.label} by {roll.by}"), _thrown(roll)


def _thrown(roll: Roll) -> Chat:
    """The dice, hits in bold letters, and what they came to."""
    faces = (bold(die.face) if die.hit else str(die.face) for die in roll.faces)
    shown = " ".join(faces) or "no dice"
    return Chat(f"{escape(roll.dice)}: {shown} {escape('= ' + roll.text)}")
