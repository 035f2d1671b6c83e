"""Words of the service as people say them: terms, numbers, and facts of dice and outcomes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fracas.exports.readable import plain

_INITIALS = frozenset(("ac", "ap", "dv", "hp"))
_PLURAL = re.compile(r"(?P<y>.*)ies$|(?P<stem>.*(?:ss|x|ch))es$|(?P<plain>.*[^su])s$")
SUCCESS = "success"
"""The fact of a roll that is worth a word where it is false, too."""

NOTHING = (None, False, "", "none")
"""Values of facts that are not worth a word."""


def words(term: str) -> str:
    """A term of the service (``net_hits``, ``target.shot_1``) in words, with the initials that players know.

    >>> words("modified_dv")
    'modified DV'
    """
    parts = re.sub(r"[_.-]+", " ", term).strip().split(" ")
    return " ".join(part.upper() if part in _INITIALS else part for part in parts)


def label_of(term: str) -> str:
    """A term at the beginning of a line."""
    text = words(term)
    return text[:1].upper() + text[1:]


def value_text(value: Any) -> str:
    """A fact's value: words of the rules without their hyphens, numbers as they are."""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(value_text, value))
    return words(value) if isinstance(value, str) else plain(value)


def signed(value: int) -> str:
    """A number that is added, with its sign."""
    return f"+{value}" if value > 0 else str(value)


def came_to(result: Mapping[str, Any]) -> list[str]:
    """What dice came to: the number first, then what else is worth a word.

    >>> (
    ...     came_to({"hits": 0, "ones": 3, "glitch": "critical"}),
    ...     came_to({"total": 7, "target": 9, "meets": False}),
    ... )
    (['0 hits', 'critical glitch'], ['total 7', 'not enough against 9'])
    """
    against = "meets" in result and "target" in result
    left = {name: value for name, value in result.items() if not against or name not in ("meets", "target")}
    first, *others = left.items() or (("", None),)
    telling = [one for one in others if one[0] != "ones" and (one[1] not in NOTHING or one[0] == SUCCESS)]
    found = [fact(name, value) for name, value in (first, *telling) if name]
    if against:
        found.append(f"{'enough' if result['meets'] else 'not enough'} against {result['target']}")
    return found


def fact(name: str, value: Any) -> str:
    """One fact: "3 net hits", "damage 4", "knockdown".

    >>> (
    ...     fact("net_hits", 3),
    ...     fact("hits", 1),
    ...     fact("damage", 4),
    ...     fact("knockdown", True),
    ...     fact("glitch", "critical"),
    ... )
    ('3 net hits', '1 hit', 'damage 4', 'knockdown', 'critical glitch')
    """
    text = words(name)
    if name == SUCCESS and value is False:
        return "failure"
    if name == "glitch" and isinstance(value, str):
        kind = words(value)
        return kind if name in kind.split() else f"{kind} {text}"
    if value is True or (isinstance(value, str) and value == name):
        return text
    if isinstance(value, int) and (plural := _PLURAL.fullmatch(text)):
        one = f"{plural['y']}y" if plural["y"] else plural["stem"] or plural["plain"]
        return f"{value} {one if value == 1 else text}"
    return f"{text} {value_text(value)}"


def lowered(label: str) -> str:
    """A label within a sentence.

    >>> lowered("Under fire"), lowered("VR")
    ('under fire', 'VR')
    """
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]
