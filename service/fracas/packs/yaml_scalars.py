"""What an unquoted scalar of strict YAML means."""

from __future__ import annotations

import re
from typing import Any, Final

from fracas.packs.yaml_faults import Refusal, cut

_DIGITS: Final = 18

_WORDS: Final[dict[str, bool | None]] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_NOT_NUMBERS: Final = frozenset(
    [sign + word for sign in ("", "-", "+") for word in (".inf", ".Inf", ".INF")] + [".nan", ".NaN", ".NAN"]
)
_MAY_BE_MORE_THAN_TEXT: Final = frozenset("~ntfTF-+.0123456789")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_ONLY_DIGITS = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


class RefusedError(Exception):
    """A number that cannot be kept."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__()
        self.refusal = refusal


def plain_value(text: str) -> str | int | float | bool | None:
    """What an unquoted scalar means; raises RefusedError for a number that cannot be kept."""
    if text and text[0] not in _MAY_BE_MORE_THAN_TEXT:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        if len(text.lstrip("-+")) > _DIGITS:
            message = f"{_shown(text)} has more than {_DIGITS} digits"
            raise RefusedError(Refusal("integer-too-long", message, "put it in quotes if it is text"))
        return int(text)
    if _ONLY_DIGITS.fullmatch(text):
        return text
    number = float(text) if _FLOAT.fullmatch(text) else None
    if text in _NOT_NUMBERS or number in (float("inf"), float("-inf")):
        message = f"{_shown(text)} is not a finite number"
        raise RefusedError(Refusal("not-a-number", message, "put it in quotes if it is text"))
    return text if number is None else number


class PlainValues(dict[str, Any]):
    """What each unquoted scalar of one text means, worked out when first asked for."""

    __slots__ = ()

    def __missing__(self, text: str) -> Any:
        value = self[text] = plain_value(text)
        return value


def _shown(text: str) -> str:
    return repr(cut(text))
