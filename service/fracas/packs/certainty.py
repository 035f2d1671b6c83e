"""How sure numbers are, in signs with one legend: for books, answers, cards and pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

FIELDS = ("provenance", "confidence")
"""What an entry, or a line of a number, says of numbers that no source gives, or of which the packs are not sure."""

_MARKS = {"default": "†", "M": "‡", "L": "(?)"}
_MEANINGS = {
    "default": "no source gives this number: the authors of the pack chose it",
    "M": "worked out, remembered, or in one source only",
    "L": "not sure",
}
LEGEND = tuple(f"{_MARKS[word]} {meaning}" for word, meaning in _MEANINGS.items())
WORDS = tuple(_MEANINGS)
"""The values of `FIELDS` that have a sign, in the order of the legend."""


def mark(about: Mapping[str, Any]) -> str:
    """The signs of an entry's fields or a line of a number; "" for what is sure.

    >>> mark({"provenance": "default", "confidence": "L"})
    '†(?)'
    """
    return "".join(_MARKS.get(about.get(name, ""), "") for name in FIELDS)


def legend(about: Iterable[Mapping[str, Any]]) -> list[str]:
    """What the signs of these mean, each once.

    >>> legend([{"confidence": "L"}, {}])
    ['(?) not sure']
    """
    words = {one.get(name) for one in about for name in FIELDS}
    return [f"{_MARKS[word]} {meaning}" for word, meaning in _MEANINGS.items() if word in words]
