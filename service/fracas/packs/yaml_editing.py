"""Changing a strict YAML text in one place, so that every other character stays as its author wrote it.

Comments, blank lines, quotes, indentation, line ends and a byte order mark survive, because the text is never
written anew from its data: something is put in at the positions that `yaml_source` gives. Every function loads
what it made and holds it against the data that ought to have come out; it returns nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from fracas.packs.yaml_source import Located, Position, YamlError, load

__all__ = ["EditError", "append_entry", "insert_key", "plain_text", "replace_scalar", "same_data"]

Path = Sequence[str | int]
"""Keys and list indexes, from the root."""


class EditError(ValueError):
    """A text that is strict YAML, but written so that it cannot be changed as asked.

    Attributes:
        message: what was found.
        position: where.
    """

    def __init__(self, message: str, position: Position) -> None:
        super().__init__(f"line {position.line}, column {position.column}: {message}")
        self.message = message
        self.position = position


def same_data(one: Any, other: Any) -> bool:
    """Whether two loaded texts say the same, also in the order of keys and in types: 1 is not 1.0, nor true."""
    return json.dumps(one) == json.dumps(other)


def plain_text(word: str) -> str:
    """`word`, a text of one line, as YAML: without quotes where it stays text, else in double quotes.

    `word` holds only characters that mean nothing in YAML, such as a slug: ``sr4`` stays, ``12`` becomes ``"12"``.
    """
    try:
        return word if load(word).data == word else json.dumps(word)
    except YamlError:
        return json.dumps(word)


# --- The edits ------------------------------------------------------------------------------------------


def insert_key(text: str, after: Path, key: str, value: str) -> str:
    """A new key behind the one that `after` leads to, in the same mapping.

    In block style it gets a line of its own, below the value of the key in front and what stands behind that
    value, with the line end of the line above; in braces it goes right behind that value.

    Args:
        after: the path of a key whose value is a scalar, or a list or mapping in flow style.
        key: the new key as YAML, plain text.
        value: its value as YAML, on one line.

    Raises:
        YamlError: `text` or `value` is not strict YAML.
        EditError: there is no such key, the new one is there already, or the value of `after` is written in a
            way that leaves no place behind it.
    """
    located = load(text)
    mapping = _child(located.data, after[:-1])
    if not isinstance(mapping, dict) or after[-1] not in mapping:
        raise EditError(f"there is no key {after[-1]!r}", located.position(after[:-1]))
    if key in mapping:
        raise EditError(
            f"the key {key!r} is there already", located.position((*after[:-1], key), of_key=True)
        )
    expected: dict[str, Any] = {}
    for name, old in mapping.items():
        expected[name] = old
        if name == after[-1]:
            expected[key] = load(value).data
    end = _value_end(text, located, after)
    outer = located.position(after[:-1])
    if text.startswith("{", _index(text, outer)):
        new = f"{text[:end]}, {key}: {value}{text[end:]}"
    else:
        line = _LINE.match(text, end)
        stop = line.end() if line else end
        line_end = _line_end(text, stop)
        added = f"{' ' * (outer.column - 1)}{key}: {value}"
        # A last line without a line end stays one.
        above_ends = text[:stop].endswith(("\r", "\n"))
        added = added + line_end if above_ends else line_end + added
        new = text[:stop] + added + text[stop:]
    return _checked(new, _with(located.data, after[:-1], expected), located.position(after, of_key=True))


def replace_scalar(text: str, path: Path, value: str) -> str:
    """The scalar at `path` written as `value` (YAML, on one line); quotes around the old one go with it.

    Raises:
        YamlError: `text` or `value` is not strict YAML.
        EditError: there is no scalar, or it is a block of text or goes on in further lines.
    """
    located = load(text)
    position = located.position(path)
    start = _index(text, position)
    if isinstance(_child(located.data, path, _NOTHING), (dict, list)) or text.startswith(("|", ">"), start):
        raise EditError("only a value of one line can be replaced", position)
    if _child(located.data, path, _NOTHING) is _NOTHING:
        raise EditError(f"there is nothing under {'.'.join(map(str, path))!r}", position)
    end = _value_end(text, located, path)
    if end == start:
        raise EditError("there is no value to replace", position)
    return _checked(text[:start] + value + text[end:], _with(located.data, path, load(value).data), position)


def append_entry(text: str, lines: Sequence[str]) -> str:
    """`text` with one more entry at the end of its list ``entries``.

    The list keeps its style and its indentation. An empty one, ``entries: []`` or ``entries:``, becomes a list in
    block style, indented by two; in braces or brackets the entry is put in as one line (then comments among
    `lines` are lost). Comments that belong to the last entry stay with it, and a comment at the very margin
    stays behind the list. The new lines end like the line above them; where the last line of `text` lacks its
    end, that is added first.

    Args:
        text: a file of entries.
        lines: the entry's own lines, as if they stood at the margin and without the dash:
            ``["slug: ak-97", "source: {ref: rulebook-sr4}"]``. Comments and blank lines in front of its first key go
            in front of the dash. Without line ends.

    Raises:
        YamlError: `text` or `lines` is not strict YAML.
        EditError: `text` has no list ``entries``, or `lines` are no mapping.
    """
    if any("\n" in line or "\r" in line for line in lines):
        raise EditError("a line of an entry holds a line end", Position(1, 1))
    entry = load("\n".join(lines) + "\n", "<entry>").data
    if not isinstance(entry, dict):
        raise EditError("an entry is a mapping, without a dash in front", Position(1, 1))
    located = load(text)
    data, place = located.data, located.position(("entries",))
    items: Any = data.get("entries", _NOTHING) if isinstance(data, dict) else _NOTHING
    start = _index(text, place)
    in_braces = text.startswith("{", _index(text, located.position(())))
    empty = items is None and not in_braces and not text[start : start + 1].strip(_BLANKS)
    if not isinstance(items, list) and not empty:
        raise EditError("there is no list 'entries'", place)
    if text.startswith("[", start) and (items or in_braces):
        as_written = len(lines) == 1 and lines[0].startswith("{")
        item = lines[0][: _flow_end(lines[0], 0)] if as_written else _flow_text(entry)
        new = _append_in_brackets(text, start, item)
        return _checked(new, _with(data, ("entries",), [*items, entry]), place)
    if not text.endswith(("\r", "\n")):
        text += _line_end(text, len(text))
        data = load(text).data  # which only matters to a block of text at the end
        items = data["entries"]
    if text.startswith("[", start):
        text = _without_brackets(text, start)
    expected = _with(data, ("entries",), [*(items or ()), entry])
    for new in _appended(text, lines, bool(items)):
        if _loads_as(new, expected):
            return new
    raise EditError("no entry can be added behind what stands here", place)


# --- Appending ------------------------------------------------------------------------------------------

_HEADING = re.compile(r"[ \t]*(?:#|\Z)")
_DOCUMENT_END = re.compile(r"\.\.\.(?:[ \t\r\n]|\Z)")


def _appended(text: str, lines: Sequence[str], has_items: bool) -> Iterator[str]:
    """`text` with the entry in its block list: at the best place, then at others further down.

    The best place is behind the last line that says something or is a comment within the list. A block of text
    that keeps its trailing blank lines, or a line of quoted text that looks like a comment, asks for another.
    """
    located = load(text)
    key = located.position(("entries",), of_key=True)
    column = located.position(("entries",)).column if has_items else located.position(()).column + 2
    rows = _LINE.findall(text)
    items = len(located.data["entries"] or ())
    first = located.position(("entries", items - 1)).line if has_items else key.line
    keys = (located.position((name,), of_key=True).line for name in located.data)
    last = min((line - 1 for line in keys if line > key.line), default=len(rows))
    last = next((at for at in range(first, last) if _DOCUMENT_END.match(rows[at])), last)
    best = last
    while best > first and _is_outside(rows[best - 1], max(column - 1, key.column)):
        best -= 1
    below = best
    while below < last and not rows[below].strip(_BLANKS):
        below += 1
    headings = next((at for at, line in enumerate(lines) if not _HEADING.match(line)), 0)
    margin = " " * (column - 1)
    prefixes = [margin] * headings + [margin + "- "] + [margin + "  "] * (len(lines) - headings - 1)
    for at in dict.fromkeys((best, below, last)):
        above = "".join(rows[:at])
        line_end = _line_end(text, len(above))
        new = (
            (prefix + line if line.strip(_BLANKS) else "") + line_end
            for prefix, line in zip(prefixes, lines, strict=True)
        )
        yield above + "".join(new) + "".join(rows[at:])


def _is_outside(row: str, inside: int) -> bool:
    """Whether a line behind the last entry is blank, or a comment that begins left of the list."""
    content = row.lstrip(" \t")
    return not content.strip(_BLANKS) or (content.startswith("#") and len(row) - len(content) < inside)


def _without_brackets(text: str, start: int) -> str:
    """`text` without the empty list in brackets at `start`; comments in the brackets stay."""
    end = _flow_end(text, start)
    before, inner, after = text[:start].rstrip(" \t"), text[start + 1 : end - 1].rstrip(_BLANKS), text[end:]
    rest = _LINE.match(after)
    if not inner and before.endswith(("\r", "\n")) and rest and not rest.group().strip(_BLANKS):
        return before + after[rest.end() :]  # the brackets had a line of their own
    return before + (" " if inner.startswith("#") else "") + inner + after


def _append_in_brackets(text: str, start: int, item: str) -> str:
    """`text` with one more item in the list in flow style at `start`."""
    end = _flow_end(text, start)
    last = _Token("[", start, start + 1)
    for token in _tokens(text, start):
        if token.end >= end:
            break
        last = token
    comma = ", " if last.end > start + 1 and last.text != "," else " " if last.text == "," else ""
    return text[: last.end] + comma + item + text[last.end :]


_NOT_IN_A_FILE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def _flow_text(value: Any) -> str:
    """A value as YAML on one line."""
    return _NOT_IN_A_FILE.sub(
        lambda found: f"\\u{ord(found.group()):04x}", json.dumps(value, ensure_ascii=False)
    )


# --- Where things are -----------------------------------------------------------------------------------

# Python's own idea of white space takes in characters that are ordinary text in YAML.
_BLANKS: Final = " \t\r\n"
_NOTHING: Final = object()
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|' r"'(?:[^']|'')*'", re.DOTALL)
_PLAIN_WORD = r"(?:(?!:(?:[ \t\r\n]|\Z))[^ \t\r\n])+"
_PLAIN = re.compile(rf"{_PLAIN_WORD}(?:[ \t]+(?!#){_PLAIN_WORD})*")
_FLOW_WORD = r"(?:(?!:(?:[ \t\r\n,\[\]{}]|\Z))[^ \t\r\n,\[\]{}])+"
_FLOW_PLAIN = re.compile(rf"{_FLOW_WORD}(?:[ \t\r\n]+(?!#){_FLOW_WORD})*")
_BETWEEN = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)+")


class _Token(NamedTuple):
    """A part of a list or mapping in flow style."""

    text: str
    start: int
    end: int


def _tokens(text: str, index: int) -> Iterator[_Token]:
    """What stands from the bracket or brace at `index` on, without blanks and comments."""
    while index < len(text):
        if between := _BETWEEN.match(text, index):
            index = between.end()
            continue
        found = None
        if text[index] in "\"'":
            found = _QUOTED.match(text, index)
        elif text[index] not in "[]{},:":
            found = _FLOW_PLAIN.match(text, index)
        end = found.end() if found else index + 1
        yield _Token(text[index:end], index, end)
        index = end


def _flow_end(text: str, start: int) -> int:
    """The index behind the bracket or brace that closes the one at `start`."""
    depth = 0
    for token in _tokens(text, start):
        depth += (token.text in ("[", "{")) - (token.text in ("]", "}"))
        if depth == 0:
            return token.end
    return len(text)


def _index(text: str, position: Position) -> int:
    """Where in `text`, which may begin with a byte order mark, a position is."""
    index = 1 if text.startswith("\ufeff") else 0
    for _ in range(position.line - 1):
        found = _LINE_END.search(text, index)
        index = found.end() if found else len(text)
    return index + position.column - 1


def _line_end(text: str, index: int) -> str:
    """The line end in front of `index`, or the first of the text, or ``\\n``."""
    if text[:index].endswith("\r\n"):
        return "\r\n"
    if text[:index].endswith(("\r", "\n")):
        return text[index - 1]
    found = _LINE_END.search(text)
    return found.group() if found else "\n"


def _value_end(text: str, located: Located, path: Path) -> int:
    """The index behind the value at `path`: a scalar, or a list or mapping in flow style.

    Unquoted text that goes on in further lines is taken to end with its first; those who edit there find out
    by loading the outcome.

    Raises:
        EditError: it is a list or mapping in block style.
    """
    position = located.position(path)
    start = _index(text, position)
    sign = text[start : start + 1]
    if sign in ("[", "{"):
        return _flow_end(text, start)
    if isinstance(_child(located.data, path), (dict, list)):
        raise EditError("nothing can be put behind a list or mapping in block style", position)
    in_flow = any(text[_index(text, located.position(path[:depth]))] in "[{" for depth in range(len(path)))
    if not sign.strip(_BLANKS) or (in_flow and sign in ",]}"):
        return start  # an empty value
    if sign in ("|", ">"):
        return _block_end(text, start, located.position(path[:-1]).column - 1)
    pattern = _QUOTED if sign in "\"'" else _FLOW_PLAIN if in_flow else _PLAIN
    found = pattern.match(text, start)
    return found.end() if found else start


def _block_end(text: str, start: int, margin: int) -> int:
    """The end of the last line of a block of text, which is indented deeper than `margin`."""
    header = _LINE.match(text, start)
    end = last = header.end() if header else len(text)
    inside = 0
    while row := _LINE.match(text, end):
        line = row.group().rstrip("\r\n")
        indent = len(line) - len(line.lstrip(" "))
        if line.strip(_BLANKS):
            if indent <= margin:
                break
            inside = inside or indent
        end = row.end()
        if line.strip(_BLANKS) or 0 < inside < indent:  # blanks beyond the indentation are text
            last = end
    return last - len(_line_end(text, last)) if text[:last].endswith(("\r", "\n")) else last


# --- Data -----------------------------------------------------------------------------------------------


def _child(data: Any, path: Path, default: Any = None) -> Any:
    for step in path:
        known: Any = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        if step not in known:
            return default
        data = data[step]
    return data


def _with(data: Any, path: Path, value: Any) -> Any:
    """A copy of `data` that has `value` at `path`."""
    if not path:
        return value
    changed = _with(data[path[0]], path[1:], value)
    if isinstance(data, dict):
        return {**data, path[0]: changed}
    return [changed if at == path[0] else item for at, item in enumerate(data)]


def _loads_as(text: str, expected: Any) -> bool:
    try:
        return same_data(load(text).data, expected)
    except YamlError:
        return False


def _checked(text: str, expected: Any, position: Position) -> str:
    if not _loads_as(text, expected):
        raise EditError("this is written so that it cannot be changed in place", position)
    return text
