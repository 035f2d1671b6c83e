"""The one place where texts are made fit for Roll20's chat.

Roll20 reads a message more than once: for rolls in square brackets, for references to attributes, abilities and macros,
for questions, for fields of a template, for buttons, and at last as HTML. What `escape` gives holds no character that
any of these readings looks for; browsers show it as the text that it was made of.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -,:;+")
"""The only characters of ASCII that stay as they are. No reading begins or ends at one of them alone."""

_INERT = frozenset(".'\"()/!*_")
"""Signs that do nothing where none of the others is."""

_DROPPED = ("Cc", "Cf", "Cs", "Co", "Cn")
"""Categories of characters that are not shown, or that turn the direction of what follows."""

COMMAND = re.compile(r"![A-Za-z0-9._~:= -]+")
"""What a button may do: commands that need no escaping at all."""


class Chat(str):
    """A text that is fit for Roll20's chat as it is."""

    __slots__ = ()


def escape(text: str) -> Chat:
    """A text on one line, which Roll20 shows and does not read.

    >>> escape("[[1d6]] of {Rook}")
    '&#91;&#91;1d6&#93;&#93; of &#123;Rook&#125;'
    """
    return Chat(" ".join("".join(map(_escaped, text)).split()))


def _escaped(character: str) -> str:
    if character in _PLAIN:
        return character
    if character.isspace():
        return " "
    if character.isascii() and character.isprintable():
        return f"&#{ord(character)};"
    return "" if unicodedata.category(character) in _DROPPED else character


def speaker(name: str) -> str:
    """A name in the chat: as it is, so that it equals that of a character, unless Roll20 could read it.

    >>> speaker("Anna O'Brien (mage)"), speaker("[[1d6]]")
    ("Anna O'Brien (mage)", '&#91;&#91;1d6&#93;&#93;')
    """
    harmless = all(one in _PLAIN or one in _INERT or one.isspace() or not one.isascii() for one in name)
    shown = (_escaped(one) if one not in _INERT else one for one in name)
    return " ".join("".join(shown).split()) if harmless else escape(name)


_SPELLED = {
    "[": "(",
    "]": ")",
    "{": "(",
    "}": ")",
    "<": " below ",
    ">": " above ",
    "%": " percent",
    "&": " and ",
    "@": " at ",
    '"': "\u201d",
    "'": "\u2019",
    "*": "x",
    "_": " ",
}
_UNSAID = frozenset("?#|~`^$\\=!")


def spelled(text: str) -> str:
    """A text in characters that Roll20 never reads, for places in which people edit it again.

    There entities would turn into the characters that they stand for. It begins with no sign, and has no ``--``, at
    which commands are split.

    >>> spelled("[A] & 50% --x")
    '(A) and 50 percent -x'
    """
    characters = ("" if one in _UNSAID else _SPELLED.get(one, one) for one in text)
    shown = "".join(" " if one.isspace() else one for one in characters)
    seen = (one for one in shown if unicodedata.category(one) not in _DROPPED)
    return re.sub("--+", "-", " ".join("".join(seen).split())).lstrip("/ -")


def bold(text: str | int) -> Chat:
    """A text in bold letters."""
    return Chat(f"**{fit(str(text))}**")


def fit(text: str) -> Chat:
    """A text, escaped unless it is fit for the chat already."""
    return text if isinstance(text, Chat) else escape(text)


def button(label: str, command: str) -> Chat:
    """A link that gives a command to Mods when it is clicked.

    Raises:
        ValueError: the command holds characters that Roll20 might read.
    """
    if not COMMAND.fullmatch(command):
        raise ValueError(f"no command for a button: {command!r}")
    return Chat(f"[{escape(label) or 'Do'}]({command})")


def template(title: str, fields: Iterable[tuple[str, str]]) -> Chat:
    """A message that every game shows as a table, whatever its character sheet.

    Args:
        fields: label and value, in order; of several with one label only one would be shown, so they are numbered.
    """
    parts = [f"{{{{name={fit(title) or 'Fracas'}}}}}"]
    seen = {"name": 1}  # the title's own field
    for label, value in fields:
        parts.append(f"{{{{{distinguished(fit(label), seen)}={fit(value)}}}}}")
    return Chat("&{template:default} " + " ".join(parts))


def distinguished(label: Chat, seen: dict[str, int]) -> Chat:
    """A label with its number, if there was one like it before.

    Args:
        seen: how often each was there; grows.
    """
    shown = label or Chat("Note")
    key = shown.casefold()
    seen[key] = seen.get(key, 0) + 1
    return Chat(f"{shown} {seen[key]}") if seen[key] > 1 else shown
