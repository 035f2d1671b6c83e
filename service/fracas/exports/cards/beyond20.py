"""A card as the request that the browser extension Beyond20 takes from a page and passes on to virtual tabletops.

A page sends it as ``new CustomEvent("Beyond20_SendMessage", {detail: [request]})``. The templates of Beyond20 are those
of another game: they show the dice of an opposed test as damage, leave the outcome out, and differ by character sheet.
So the request is a chat message, which Beyond20 posts in Roll20 as it stands, whatever the sheet; Foundry VTT shows
`html`. Beyond20 has no reliable way to keep a message from the table: what is secret must not be sent.
`schemas/roll20/beyond20.schema.json` describes what is sent.
"""

from __future__ import annotations

import re
from typing import Any

from fracas.exports.cards.card import DECISIONS, NUMBERS, PROOF, Card, Line, Roll, first_lines
from fracas.exports.roll20 import chat_card
from fracas.exports.roll20.escaping import escape, speaker

SOURCE = "Fracas"

LONGEST = 6_000
"""Characters of all lines of the HTML; numbers, the proof and decisions are left out where there would be more."""

MOST_ROLLS = 40
"""Rolls whose dice the HTML shows; of the others it gives the number."""

_PUBLIC = 0
"""Beyond20's number for a message that everybody sees."""


def request(card: Card) -> dict[str, Any] | None:
    """The request; None while the step waits for an answer."""
    if card.status == "waiting":
        return None
    who = speaker(next(iter(card.who.values()), "")) or SOURCE
    # Beyond20 reads the settings of every character, and stops where there are none.
    character = {"name": who, "type": "Character", "settings": {}, "source": SOURCE, "url": ""}
    title = escape(card.title) or SOURCE
    message = {"name": title, "message": chat_card.message(card), "character": character}
    return {
        "action": "rendered-roll",
        "request": {"action": "roll", "type": "chat-message", **message, "whisper": _PUBLIC},
        "title": title,
        "html": _html(card),
        "character": who,
        "whisper": _PUBLIC,
        "play_sound": any(roll.faces for roll in card.rolls),
        "source": SOURCE,
        "attributes": {},
        "description": "",
        # With any of these Beyond20 would use its templates in place of the message.
        "attack_rolls": [],
        "roll_info": [],
        "damage_rolls": [],
        "total_damages": {},
        "open": False,
    }


def _html(card: Card) -> str:
    """The card for chats that show HTML; hits are bold."""
    first, rest = first_lines(card), _fitting(card)
    parts = [*map(_line, first), *map(_thrown, card.rolls[:MOST_ROLLS])]
    if len(card.rolls) > MOST_ROLLS:
        parts.append(_item("And", f"{len(card.rolls) - MOST_ROLLS} more rolls"))
    items = "".join([*parts, *map(_line, rest)])
    return f"<div><h3>{_inert(card.title)}</h3><ul>{items}</ul></div>"


def _fitting(card: Card) -> list[Line]:
    """The lines after the dice, as many as fit."""
    first = first_lines(card)
    lines = [line for line in card.lines if line not in first]
    room = LONGEST - sum(map(_length, first))
    for leave_out in ("", NUMBERS, PROOF, DECISIONS):
        lines = [line for line in lines if line.group != leave_out]
        if sum(map(_length, lines)) <= room:
            return lines
    fitting = []
    for line in lines:
        room -= _length(line)
        if room >= 0:
            fitting.append(line)
    return fitting


def _length(line: Line) -> int:
    return len(line.label) + len(line.value)


def _line(line: Line) -> str:
    return _item(line.label, _inert(line.value))


def _thrown(roll: Roll) -> str:
    faces = (f"<strong>{die.face}</strong>" if die.hit else str(die.face) for die in roll.faces)
    shown = f"{_inert(roll.dice)}: {' '.join(faces) or 'no dice'}"
    return _item(f"{roll.label} by {roll.by}", f"{shown} = {_inert(roll.text)}" if roll.text else shown)


def _item(label: str, html: str) -> str:
    return f"<li><b>{_inert(label)}</b>: {html}</li>"


def _inert(text: str) -> str:
    """A text in which Foundry finds no inline roll or link either, which it reads out of what is shown."""
    return re.sub("&#(?:91|123);", r"&#8288;\g<0>", escape(text))
