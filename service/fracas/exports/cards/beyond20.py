"""A card as the request that the browser extension Beyond20 takes from a page and passes on to virtual tabletops.

A page sends it as ``new CustomEvent("Beyond20_SendMessage", {detail: [request]})``. What Beyond20 makes of it: on
Roll20 a message with the default template, whose texts it puts in as they are, so that they are escaped here for
Roll20; on Foundry VTT a message with `html`, and the dice. It has no reliable way to keep a message from the table:
what is secret must not be sent. `schemas/roll20/beyond20.schema.json` says what is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fracas.exports.cards.card import DECISIONS, NUMBERS, PROOF, Card, Line, Roll, first_lines
from fracas.exports.roll20.escaping import Chat, escape, told_apart

SOURCE = "Fracas"
_TAKEN = ("name", "source", "description", "totals")
"""Labels of Beyond20's own."""

LONGEST = 6_000
"""Characters of all lines; numbers, the proof and decisions are left out where there would be more."""

MOST_ROLLS = 40
"""Rolls that are sent with their dice; what others came to stands in the lines."""

_PUBLIC = 0
"""Beyond20's number for a message that everybody sees."""

_GROUPS = re.compile(r"(\d+)d(\d+)")
_BONUS = re.compile(r"([+-]) (\d+)(?= [<>]=|$)")


def request(card: Card) -> dict[str, Any] | None:
    """The request; None while the step waits for an answer."""
    if card.status == "waiting":
        return None
    seen = dict.fromkeys(_TAKEN, 1)
    who = escape(next(iter(card.who.values()), "")) or escape(SOURCE)
    thrown = [roll for roll in card.rolls if roll.faces][:MOST_ROLLS]
    first = f"{card.title}: {_label(thrown[0])}" if thrown else card.title
    title = told_apart(escape(first), seen)
    info = [[told_apart(label, seen), value] for label, value in _told(card)]
    others = [[told_apart(escape(_label(roll)), seen), _roll(roll), 1] for roll in thrown[1:]]
    character = {"name": who, "type": "Character", "source": SOURCE, "url": ""}
    asked = {"action": "roll", "type": "custom", "name": escape(card.title), "character": character}
    return {
        "action": "rendered-roll",
        "request": {
            **asked,
            "roll": _formula(thrown[0]) if thrown else "",
            "advantage": 0,
            "whisper": _PUBLIC,
        },
        "title": title,
        "html": _html(card),
        "character": who,
        "whisper": _PUBLIC,
        "play_sound": bool(thrown),
        "source": SOURCE,
        "attributes": {},
        "description": "",
        "attack_rolls": [_roll(roll) for roll in thrown[:1]],
        "roll_info": info,
        "damage_rolls": others,
        "total_damages": {},
        "open": False,
    }


def _label(roll: Roll) -> str:
    return f"{roll.label} by {roll.by}: {roll.text}" if roll.text else f"{roll.label} by {roll.by}"


def _told(card: Card) -> Iterator[tuple[Chat, Chat]]:
    """What a card says beside its dice."""
    for line in _lines(card):
        yield escape(line.label), escape(line.value)
    for roll in card.rolls:
        if not roll.faces:
            yield escape(f"{roll.label} by {roll.by}"), escape(f"no dice: {roll.text}")
    left = sum(1 for roll in card.rolls if roll.faces) - MOST_ROLLS
    if left > 0:
        yield Chat("And"), escape(f"{left} more rolls")


def _lines(card: Card) -> list[Line]:
    """What fits, with the first lines first."""
    first = first_lines(card)
    lines = [*first, *(line for line in card.lines if line not in first)]
    for leave_out in ("", NUMBERS, PROOF, DECISIONS):
        lines = [line for line in lines if line.group != leave_out]
        if sum(len(line.label) + len(line.value) for line in lines) <= LONGEST:
            return lines
    fitting, room = [], LONGEST
    for line in lines:
        room -= len(line.label) + len(line.value)
        if room >= 0:
            fitting.append(line)
    return fitting


def _formula(roll: Roll) -> str:
    """The dice alone: it stands between brackets that Roll20 reads."""
    return " + ".join(f"{len(faces)}d{sides}" for sides, faces in _groups(roll))


def _groups(roll: Roll) -> list[tuple[int, list[int]]]:
    """The faces by the kinds of dice that were asked for; all of one kind where that is not how many fell."""
    faces = [die.face for die in roll.faces]
    kinds = [(int(count), int(sides)) for count, sides in _GROUPS.findall(roll.dice)]
    if sum(count for count, _ in kinds) != len(faces) or any(not count for count, _ in kinds):
        return [(roll.sides, faces)]
    found, at = [], 0
    for count, sides in kinds:
        found.append((sides, faces[at : at + count]))
        at += count
    return found


def _roll(roll: Roll) -> dict[str, Any]:
    """The dice, each for itself, and what they came to."""
    parts: list[Any] = []
    for sides, faces in _groups(roll):
        parts += ["+"] if parts else []
        dice = {"formula": f"{len(faces)}d{sides}", "amount": len(faces), "faces": sides}
        parts.append({**dice, "total": sum(faces), "rolls": [{"roll": face} for face in faces]})
    fallen = sum(die.face for die in roll.faces)
    total = next(value for value in (roll.total, roll.hits, fallen) if value is not None)
    bonus = _BONUS.search(roll.dice)
    if roll.hits is None and bonus and total == fallen + int(bonus[1] + bonus[2]):
        parts += [bonus[1], int(bonus[2])]
    return {
        "formula": _formula(roll),
        "parts": parts,
        "total": total,
        "type": "custom",
        "discarded": False,
        "critical-success": False,
        "critical-failure": False,
    }


def _html(card: Card) -> str:
    """The card for chats that show HTML."""
    rolls = [(_label(roll), " ".join(str(die.face) for die in roll.faces)) for roll in card.rolls]
    lines = [(line.label, line.value) for line in _lines(card)]
    after = len(first_lines(card))
    told = [*lines[:after], *rolls[:MOST_ROLLS], *lines[after:]]
    items = "".join(f"<li><b>{_inert(label)}</b>: {_inert(value)}</li>" for label, value in told)
    return f"<div><h3>{_inert(card.title)}</h3><ul>{items}</ul></div>"


def _inert(text: str) -> str:
    """A text in which Foundry finds no inline roll or link either, which it reads out of what is shown."""
    return re.sub("&#(?:91|123);", r"&#8288;\g<0>", escape(text))
