"""Ways to break a line of a pack, each with the place where it must be told.

Everything here comes from the text of the lines alone: nothing of the reader of packs is used, so that its positions
can be held against these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Token(NamedTuple):
    """A key or a scalar value in a line, which begins at `column` (from 1).

    Attributes:
        owner: the key it stands under: of a value directly or in a list, of a key that of its mapping.
        value: for a key the column at which its value begins in this line; 0 if there is none.
    """

    is_key: bool
    text: str
    column: int
    owner: str
    value: int = 0


class Line(NamedTuple):
    """A line taken apart.

    Attributes:
        sort: ``comment``, ``text`` (inside a block of text), ``flow`` (goes on with braces or brackets of a line
            before), ``item`` (of a list, not a mapping) or ``pair`` (a key in block style).
        dashes: how many list items begin in it.
        key: column of the block key; 0 without one.
        owner: the key that a block key or item stands under.
    """

    number: int
    text: str
    sort: str
    dashes: int = 0
    key: int = 0
    tokens: tuple[Token, ...] = ()
    owner: str = ""


class Breakage(NamedTuple):
    """A file with one line broken.

    Attributes:
        way: how.
        what: the token or line.
        place: line and column at which it must be told.
    """

    way: str
    line: Line
    what: Token | None
    text: str
    place: tuple[int, int]


def lines_of(text: str) -> list[Line]:
    """The lines of a file, numbered from 1."""
    found: list[Line] = []
    open_: list[tuple[str, str]] = []
    above: list[tuple[int, str]] = []  # keys in block style that the next line may stand under
    block = None
    for number, line in enumerate(text.splitlines(), 1):
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and (not line.strip() or indent > block):
            found.append(Line(number, line, "text"))
            continue
        block = None
        if not open_ and (not line.strip() or line.lstrip().startswith("#")):
            found.append(Line(number, line, "comment"))
            continue
        if open_:
            found.append(Line(number, line, "flow", tokens=tuple(_flow(line, 0, open_))))
            continue
        start, dashes = indent, 0
        while line[start : start + 2] == "- ":
            start, dashes = start + 2, dashes + 1
        # A list may begin in the column of its key.
        above = [(column, key) for column, key in above if column < start - (dashes > 0)]
        owner = above[-1][1] if above else ""
        pair = re.match(r"(\"[^\"]*\"|'[^']*'|[^\s\[{\"'#:][^\s:]*):(?: +|$)", line[start:])
        if pair is None:
            tokens = _flow(line, start, open_, owner) or [
                Token(False, _scalar(line, start), start + 1, owner)
            ]
            found.append(Line(number, line, "item", dashes, 0, tuple(tokens), owner))
            continue
        key, value = pair[1].strip("\"'"), start + pair.end()
        above.append((start, key))
        rest = line[value:]
        has_value = bool(rest) and not rest.startswith("#")
        tokens = [Token(True, pair[1], start + 1, owner, value + 1 if has_value else 0)]
        if rest[:1] in ("|", ">"):
            block = indent + 2 * dashes
        elif has_value:
            inner = _flow(line, value, open_, key)
            tokens += inner if rest[0] in "[{" else [Token(False, _scalar(line, value), value + 1, key)]
        found.append(Line(number, line, "pair", dashes, start + 1, tuple(tokens), owner))
    return found


def _scalar(line: str, start: int) -> str:
    """A value in block style, without a comment behind it."""
    if line[start] in "\"'":
        return line[start : line.index(line[start], start + 1) + 1]
    return re.split(r" +#", line[start:])[0].rstrip()


def _flow(line: str, start: int, open_: list[tuple[str, str]], key: str = "") -> list[Token]:
    """Keys and scalars in braces and brackets.

    `open_` is what is open before, each with the key it stands under, and becomes what is open behind.
    """
    tokens: list[Token] = []
    at = start
    while at < len(line):
        sign = line[at]
        if sign == "#" and line[at - 1] == " ":
            break
        if sign in "[{":
            open_.append((sign, key))
        elif sign in "]}":
            open_.pop()
        elif open_ and sign not in ", ":
            text = re.match(r"\"[^\"]*\"|'[^']*'|(?:[^,:\[\]{}]|:(?! ))+", line[at:])
            assert text is not None
            end = at + len(text[0])
            opened, owner = open_[-1]
            if opened == "{" and line[end : end + 1] == ":":
                key = text[0].strip("\"'")
                tokens.append(Token(True, text[0], at + 1, owner, end + 3))
                end += 1
            else:
                owner = key if opened == "{" else owner
                tokens.append(Token(False, text[0].rstrip(), at + 1, owner))
            at = end
            continue
        at += 1
    return tokens


def breakages(text: str) -> Iterator[Breakage]:
    """Every way to break every line."""
    lines = lines_of(text)
    for line in lines:
        for way in (_keys, _types, _words, _signs, _doubles, _tabs, _indents):
            yield from way(text, line, lines)


def _with(text: str, line: Line, new: str) -> str:
    every = text.splitlines()
    every[line.number - 1] = new
    return "\n".join(every) + "\n"


def _put(line: Line, column: int, length: int, new: str) -> str:
    return line.text[: column - 1] + new + line.text[column - 1 + length :]


def _ends(tokens: list[Token]) -> list[Token]:
    """The first and the last."""
    return tokens if len(tokens) < 3 else [tokens[0], tokens[-1]]


def _misspelt(word: str) -> str:
    """Two more letters at the end, inside the quotes."""
    return word[:-1] + "zz" + word[-1] if word[0] in "\"'" else word + "zz"


def _keys(text: str, line: Line, lines: list[Line]) -> Iterator[Breakage]:
    for key in _ends([token for token in line.tokens if token.is_key]):
        new = _put(line, key.column, len(key.text), _misspelt(key.text))
        yield Breakage("misspelt key", line, key, _with(text, line, new), (line.number, key.column))


def _values(line: Line) -> Iterator[tuple[Token, int]]:
    """Keys and the length of their values, where these end in the line."""
    for key in line.tokens:
        if key.is_key and key.value:
            length = _length(line.text[key.value - 1 :], in_block=key.column == line.key)
            if length:
                yield key, length


def _length(text: str, *, in_block: bool) -> int:
    """Of the value with which a text begins; 0 if it goes on in the next line."""
    if text[0] in "|>":
        return 0
    if text[0] in "\"'":
        return text.index(text[0], 1) + 1
    if text[0] not in "[{":
        plain = re.match(r"(?:[^#]|(?<! )#)+" if in_block else r"(?:[^,\]}#]|(?<! )#)+", text)
        return len(plain[0].rstrip()) if plain else 0
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "[{") - (sign in "]}")
        if depth == 0:
            return at + 1
    return 0


def _types(text: str, line: Line, lines: list[Line]) -> Iterator[Breakage]:
    """A list in place of a scalar, and true in place of a list or mapping."""
    for key, length in _ends_of(list(_values(line))):
        new = "true" if line.text[key.value - 1] in "[{" else "[]"
        changed = _put(line, key.value, length, new)
        yield Breakage("wrong type", line, key, _with(text, line, changed), (line.number, key.value))


def _ends_of(pairs: list[tuple[Token, int]]) -> list[tuple[Token, int]]:
    return pairs if len(pairs) < 3 else [pairs[0], pairs[-1]]


def _words(text: str, line: Line, lines: list[Line]) -> Iterator[Breakage]:
    """Every word that is a value: a term, a path, a reference, a choice."""
    for word in line.tokens:
        if (
            not word.is_key
            and re.match(r"[\"']?[A-Za-z]", word.text)
            and word.text not in ("true", "false")
            and word.owner not in ("slug", "id")
        ):
            new = _put(line, word.column, len(word.text), _misspelt(word.text))
            yield Breakage("misspelt word", line, word, _with(text, line, new), (line.number, word.column))


def _signs(text: str, line: Line, lines: list[Line]) -> Iterator[Breakage]:
    """An at sign, with which no value can begin."""
    places = [key.value for key in line.tokens if key.is_key and key.value]
    places += [token.column for token in line.tokens if not token.is_key and line.sort == "item"]
    if line.sort == "pair" and not places:
        column = len(line.text.split(" #")[0].rstrip()) + 2
        yield Breakage(
            "bad sign", line, None, _with(text, line, _put(line, column - 1, 0, " @")), (line.number, column)
        )
    for column in places[:1] + places[1:][-1:]:
        if line.text[column - 1] not in "|>":
            new = _put(line, column, 0, "@")
            yield Breakage("bad sign", line, None, _with(text, line, new), (line.number, column))


def _doubles(text: str, line: Line, lines: list[Line]) -> Iterator[Breakage]:
    """The line twice. The second stands in the same mapping, unless it begins with a dash."""
    if line.sort not in ("pair", "item") or _goes_on(line, lines):
        return
    doubled = _with(text, line, f"{line.text}\n{line.text}")
    number = line.number + 1
    if line.sort == "pair" and not line.dashes:
        yield Breakage("double", line, None, doubled, (number, line.key))
    elif line.sort == "pair":  # of the two items the first is cut off
        key = line.tokens[0]
        column = key.column if key.value else key.column + len(key.text) + 1
        yield Breakage("double", line, None, doubled, (line.number, column))
    elif line.tokens[0].is_key:
        slug = next((key for key in line.tokens if key.is_key and key.text in ("slug", "id")), None)
        column = slug.value if slug else line.tokens[0].column - 1
        yield Breakage("double", line, None, doubled, (number, column))
    else:
        yield Breakage("double", line, None, doubled, (number, line.tokens[0].column))


def _goes_on(line: Line, lines: list[Line]) -> bool:
    """In braces, or in a block of text."""
    return line.number < len(lines) and lines[line.number].sort in ("flow", "text")


def _tabs(text: str, line: Line, lines: list[Line]) -> Iterator[Breakage]:
    if line.sort in ("pair", "item"):
        yield Breakage("tab", line, None, _with(text, line, f"\t{line.text}"), (line.number, 1))


def _indents(text: str, line: Line, lines: list[Line]) -> Iterator[Breakage]:
    """One blank too many behind a sibling, and one too few."""
    if line.sort != "pair" or line.dashes:
        return
    indent = line.key - 1
    before = next((other for other in reversed(lines[: line.number - 1]) if other.sort != "comment"), None)
    if before is None or before.sort != "pair" or before.key != line.key or not before.tokens[0].value:
        return
    plain = (
        len(before.tokens) == 2
        and not before.tokens[1].is_key
        and before.text[before.tokens[0].value - 1] not in "\"'[{"
    )
    if plain:  # the line goes on with the text before, until its colon
        column = line.key + 1 + len(line.tokens[0].text)
        if before.number != line.number - 1 or "#" in before.text:
            column = 0  # a comment ends the text
    else:
        column = line.key + 1
    if column:
        yield Breakage("deeper", line, None, _with(text, line, f" {line.text}"), (line.number, column))
    if indent:
        yield Breakage("shallower", line, None, _with(text, line, line.text[1:]), (line.number, line.key - 1))
