"""The text that `!fracas import` takes: what a result does, as one line that Roll20 passes on unchanged.

    !fracas import 1 <mark> <part> ... <check>

* 1 is the number of the form; ``<mark>`` are 16 hexadecimal digits by which the Mod knows a result that it has applied.
* A part is ``title=<word>``, ``<who>=<word>`` (a name), or ``<who>:<type>:<word>:<amount>`` (an effect; the amount may
  be left out).
* A word has letters, digits, dots and hyphens of ASCII as they are, a space as ``_``, and any other character as its
  number in Unicode, hexadecimal, between tildes: ``~e9~``.
* ``<check>`` is the CRC-32 of all between ``!fracas import`` and it, so that what was cut or changed is noticed.

The Mod reads it in integrations/roll20/fracas/fracas.js; `read_import` is the same for Python.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

COMMAND = "!fracas import "
FORM = "1"
LONGEST = 4000
"""Characters of the whole text; the Mod refuses more."""

_MOST_NAME = 80
_WORD = re.compile(r"(?:[A-Za-z0-9._-]|~[0-9a-f]{1,6}~)*")
_WHO = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_AMOUNT = re.compile(r"(?:-?[0-9]{1,9})?")
_MARK = re.compile(r"[0-9a-f]{16}")
_KEPT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-")


class Change(NamedTuple):
    """What a result does to a combatant.

    Attributes:
        who: a record of the request, or a combatant.
        what: a track, a condition, or a thing with what changes of it (``weapon/rounds``).
    """

    who: str
    type: str
    what: str
    amount: int | None


class Import(NamedTuple):
    """What the text says.

    Attributes:
        names: of those who are named.
    """

    mark: str
    title: str
    names: Mapping[str, str]
    changes: tuple[Change, ...]


def import_text(given: Import) -> str:
    """The text; "" if there is nothing to apply, or more than fits into it."""
    if not given.changes or not _MARK.fullmatch(given.mark):
        return ""
    concerned = {change.who for change in given.changes}
    names = [f"{who}={word(name[:_MOST_NAME])}" for who, name in given.names.items() if who in concerned]
    if not all(_WHO.fullmatch(who) and who != "title" for who in concerned):
        return ""
    body = " ".join([FORM, given.mark, f"title={word(given.title)}", *names, *map(_change, given.changes)])
    text = f"{COMMAND}{body} {_check(body)}"
    return text if len(text) <= LONGEST else ""


def _change(change: Change) -> str:
    amount = "" if change.amount is None else str(change.amount)
    return f"{change.who}:{change.type}:{word(change.what)}:{amount}"


def word(text: str) -> str:
    """A text without anything that Roll20 might read."""
    return "".join(
        character if character in _KEPT else "_" if character == " " else f"~{ord(character):x}~"
        for character in text
    )


def _check(body: str) -> str:
    return f"{zlib.crc32(body.encode('ascii')):08x}"


def read_import(text: str) -> Import:
    """
    Raises:
        ValueError: the text is none, or was changed; it says what is wrong.
    """
    if len(text) > LONGEST or not text.startswith(COMMAND):
        raise ValueError("no import, or one that is too long")
    body, _, check = text.removeprefix(COMMAND).rpartition(" ")
    if not body.isascii() or _check(body) != check:
        raise ValueError("the text was cut or changed")
    form, mark, *parts = body.split(" ")
    if form != FORM or not _MARK.fullmatch(mark):
        raise ValueError("another form")
    named = dict(part.split("=", 1) for part in parts if "=" in part)
    words = {who: _read(name) for who, name in named.items()}
    title = words.pop("title", "")
    return Import(mark, title, words, tuple(_changes(part for part in parts if "=" not in part)))


def _changes(parts: Iterable[str]) -> Iterable[Change]:
    for part in parts:
        who, type, what, amount = part.split(":")
        if not _WHO.fullmatch(who) or not _AMOUNT.fullmatch(amount):
            raise ValueError(f"no effect: {part}")
        yield Change(who, type, _read(what), int(amount) if amount else None)


def _read(text: str) -> str:
    if not _WORD.fullmatch(text):
        raise ValueError(f"no word: {text}")
    return re.sub(r"~([0-9a-f]+)~", lambda found: chr(int(found[1], 16)), text.replace("_", " "))
