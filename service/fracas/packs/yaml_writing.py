"""Writing data as strict YAML in the style of the packs.

Short lists and mappings stand on one line, ``{ref: own, page: 3}``; longer ones have a line for each part. Text goes
without quotes where that is safe. `yaml_source.load` reads back what was written, with the same types and order.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from fracas.packs.yaml_source import YamlError, load

WIDTH = 110
"""Columns of a line, where its parts allow."""

SHORT = 80
"""Columns up to which a list or mapping with parts stands on one line."""

_LONGEST_KEY = 120
"""YAML allows 1024 characters, escapes counted; no key that makes sense comes near that."""


def mapping_lines(data: Mapping[str, Any], margin: int = 0) -> list[str]:
    """A mapping in block style, one line or more for each key, as if it stood at the margin.

    Args:
        data: mappings with text as keys, lists, text, numbers, booleans and None.
        margin: columns that the lines will be moved to the right.

    Raises:
        ValueError: a value that strict YAML cannot hold: half a surrogate pair, infinity, a number of more than 18
            digits, a key that is too long, an object of another type.
    """
    lines: list[str] = []
    for name, value in data.items():
        key = _key(name)
        one = f"{key}: {flow(value)}"
        if not _has_parts(value) or (len(one) <= SHORT and margin + len(one) <= WIDTH):
            lines.append(one)
        else:
            inner = 2 if isinstance(value, Mapping) else 4
            lines.append(f"{key}:")
            lines += ["  " + line for line in _block(value, margin + inner)]
    return lines


def flow(value: Any) -> str:
    """A value on one line.

    Raises:
        ValueError: as in `mapping_lines`.
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)}: {flow(item)}" for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        return _text(value)
    return _constant(value)


def _has_parts(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple)) and bool(value)


def _block(value: Any, margin: int) -> list[str]:
    if isinstance(value, Mapping):
        return mapping_lines(value, margin)
    lines: list[str] = []
    for item in value:
        one = flow(item)
        whole = not _has_parts(item) or margin + len(one) <= min(WIDTH, margin + SHORT)
        first, *more = [one] if whole else _block(item, margin + 2)
        lines += [f"- {first}", *("  " + line for line in more)]
    return lines


def _constant(value: Any) -> str:
    if value is None or value is True or value is False:
        return json.dumps(value)
    if isinstance(value, int) and len(str(abs(value))) <= 18:
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    raise ValueError(f"strict YAML has no place for {value!r}")


# --- Text -----------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`](?:[^\n:#,\[\]{}]|:(?![\s,?\[\]{}]|\Z)|(?<!\s)#)*")
"""Text that means the same without quotes, in block style and between brackets, as long as it is no number or word."""

_ELSEWHERE = re.compile(
    r"y|n|yes|no|on|off|true|false|null|~|=|<<|\.(?:inf|nan)"  # in any case of letters
    r"|[-+]?0[0-7_]+|[-+]?0x[0-9a-f_]+|[-+]?0b[01_]+|[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE | re.DOTALL,
)
"""Text for us and something else for other readers of YAML, so that quotes make it plain to everybody."""

_NOT_IN_A_FILE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _text(text: str) -> str:
    if _SURROGATE.search(text):
        raise ValueError(f"half a surrogate pair cannot be written: {text!r}")
    if not _NOT_IN_A_FILE.search(text):
        if _is_plain(text) and not _ELSEWHERE.fullmatch(text) and _loads_as_text(text):
            return text
        if ('"' in text or "\\" in text) and "'" not in text:
            return f"'{text}'"
    return _quoted(text)


def _key(name: object) -> str:
    """A key is text however it is written, except ``<<`` and nothing at all."""
    if not isinstance(name, str):
        raise ValueError(f"a key is text, and {name!r} is not")
    if len(name) > _LONGEST_KEY:
        raise ValueError(f"the key {name[:20]!r}... is longer than {_LONGEST_KEY} characters")
    if _SURROGATE.search(name):
        raise ValueError(f"half a surrogate pair cannot be written: {name!r}")
    plain = _is_plain(name) and not _NOT_IN_A_FILE.search(name) and name != "<<"
    return name if plain else _quoted(name)


def _is_plain(text: str) -> bool:
    return _PLAIN.fullmatch(text) is not None and text == text.strip() and not text.startswith("...")


def _loads_as_text(text: str) -> bool:
    try:
        return bool(load(text).data == text)
    except YamlError:
        return False


def _quoted(text: str) -> str:
    escaped = json.dumps(text, ensure_ascii=False)
    return _NOT_IN_A_FILE.sub(lambda found: f"\\u{ord(found.group()):04x}", escaped)
