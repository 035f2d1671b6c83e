"""What can be wrong with a YAML text, and PyYAML's own errors in our words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import yaml

_LINE_END = re.compile(r"\r\n|\r|\n")


class Position(NamedTuple):
    """A place in a text; both numbers start at 1, and the column counts characters, not bytes."""

    line: int
    column: int


class YamlProblem(NamedTuple):
    """One fault: a stable code, what is wrong, where, and, if there is one, a suggestion."""

    code: str
    message: str
    position: Position
    hint: str | None


class YamlError(Exception):
    """A text that is not strict YAML.

    Attributes:
        problems: every fault found, in the order of the text; at least one.
        name: what the text was called in `load`.
    """

    def __init__(self, problems: Iterable[YamlProblem], name: str) -> None:
        self.problems = tuple(problems)
        self.name = name
        super().__init__(self.problems, name)

    def __str__(self) -> str:
        """One line a problem: ``name:line:column: code: message (hint)``."""
        return "\n".join(
            f"{self.name}:{line}:{column}: {code}: {message}" + (f" ({hint})" if hint else "")
            for code, message, (line, column), hint in self.problems
        )


class Refusal(NamedTuple):
    """A kind of fault: code, message and hint."""

    code: str
    message: str
    hint: str | None


ALIAS = Refusal(
    "no-alias", "anchors and aliases are not allowed", "put text that begins with '&' or '*' in quotes"
)
TAG = Refusal("no-tag", "tags are not allowed", "put text that begins with '!' in quotes")
MERGE = Refusal("no-merge", "the merge key '<<' is not allowed", "write the shared keys out")
NO_KEY = Refusal("key-not-text", "a key is missing before ':'", None)
DIRECTIVE = Refusal("no-directive", "directives are not allowed", "remove the line that begins with '%'")


def position_at(source: str, index: int) -> Position:
    """Line and column of a character."""
    line, start = 1, 0
    for end in _LINE_END.finditer(source, 0, index):
        line, start = line + 1, end.end()
    return Position(line, index - start + 1)


def cut(text: str) -> str:
    """Text short enough for a message."""
    return text if len(text) <= 60 else text[:57] + "..."


_TAB_HINT: Final = "use spaces, not tabs"
_BACKSLASH_HINT: Final = "write \\\\ for a backslash, or use single quotes"
_ESCAPE_WORDS = Refusal("bad-yaml", "an escape in double quotes is malformed", _BACKSLASH_HINT)

# Looked for in PyYAML's "context: problem"; the first that is found counts. Its C part and its Python part
# word most problems differently.
_EXPLANATIONS: Final[tuple[tuple[re.Pattern[str], Refusal], ...]] = tuple(
    (re.compile(pattern), Refusal(code, message, hint))
    for pattern, code, message, hint in (
        (r"^[^:]* directive:", *DIRECTIVE),
        (r"^[^:]* an (?:alias|anchor):", *ALIAS),
        (r"^[^:]* tag:|undefined tag", *TAG),
        (
            r"mapping values are not allowed",
            "bad-yaml",
            "a ':' cannot stand here",
            "put text that contains ': ' in quotes; the keys of one mapping begin in the same column",
        ),
        (
            r"could not find expected ':'",
            "bad-yaml",
            "a key lacks its ':'",
            "write 'key: value' or '- item', and put text of several lines in quotes",
        ),
        (
            r"found unexpected ':'",
            "bad-yaml",
            "a ':' before a bracket, a brace or a comma needs a space behind it",
            "write '{key: }', or put the text in quotes",
        ),
        (r"',' or '\]'", "bad-yaml", "a list in brackets lacks a ',' or its ']'", None),
        (r"',' or '\}'", "bad-yaml", "a mapping in braces lacks a ',' or its '}'", None),
        (
            r"(?:quoted|double-quoted|single-quoted) scalar: found unexpected (?:end|document)",
            "bad-yaml",
            "quoted text is never closed",
            "add the closing quote; inside single quotes an apostrophe is written twice",
        ),
        (r"unknown escape|hexdecimal|hexadecimal|Unicode character escape", *_ESCAPE_WORDS),
        (
            r"sequence entries are not allowed",
            "bad-yaml",
            "a list item cannot stand here",
            "begin the list on a line of its own, or put text that begins with '- ' in quotes",
        ),
        (r"mapping keys are not allowed", "bad-yaml", "a '?' cannot stand here", "put the text in quotes"),
        (r"tab character", "bad-yaml", "a tab is used for indentation", _TAB_HINT),
        (
            r"block scalar",
            "bad-yaml",
            "the text block is malformed",
            "after '|' or '>' begin on the next line, indented with spaces",
        ),
        (
            r"block mapping: ",
            "bad-yaml",
            "this does not fit the indentation of the mapping that it stands in",
            "the keys of one mapping begin in the same column",
        ),
        (
            r"block collection: ",
            "bad-yaml",
            "this does not fit the indentation of the list that it stands in",
            "the items of one list begin in the same column",
        ),
        (r"node content", "bad-yaml", "a value is missing, or cannot begin like this", "put text in quotes"),
        (r"document start", "bad-yaml", "this stands after the end of the data", "check its indentation"),
    )
)

_MISPLACED = re.compile(r"block (?:mapping|collection): ")
_TRAILING = Refusal(
    "bad-yaml",
    "this cannot follow what stands before it in the line",
    "put the whole text in quotes; inside single quotes an apostrophe is written twice",
)
_INDENTED = re.compile(r"block (?:mapping|collection): |are not allowed|expected ':'")
_LATE = re.compile(r"simple key:|directive:|tag:|an (?:alias|anchor):|unexpected document")


def escape_problem(position: Position) -> YamlProblem:
    """A malformed escape."""
    code, message, hint = _ESCAPE_WORDS
    return YamlProblem(code, message, position, hint)


def explain(error: yaml.YAMLError, source: str) -> YamlProblem:
    """One of PyYAML's errors in our words, at the place where it can best be put right."""
    context: str = getattr(error, "context", None) or ""
    problem: str = getattr(error, "problem", None) or str(error)
    begun = getattr(error, "context_mark", None)
    found = getattr(error, "problem_mark", None)
    detail = f"{context}: {problem}"
    index = min(found.index if found else 0, len(source))
    # What is never closed, or a key that never gets its colon, is noticed long after the place to mend.
    if begun and (index == len(source) or _LATE.search(detail)):
        index = begun.index
    position = position_at(source, index)

    line = source[index - position.column + 1 : index]
    before = line.lstrip(" \t")
    code, message, hint = _words(detail, source[index : index + 1], alone=not before.strip(" -?"))
    if "\t" in line[: len(line) - len(before)] and _INDENTED.search(detail):
        hint = _TAB_HINT
    if begun and "flow" in context and begun.index != index:
        message += f"; it begins in line {begun.line + 1}"
    return YamlProblem(code, f"{message} [yaml: {cut(' '.join(problem.split()))}]", position, hint)


def _words(detail: str, character: str, *, alone: bool) -> Refusal:
    """Our words for `detail`, found at `character`; `alone` if nothing but indentation is in front of it."""
    if "cannot start any token" in detail:
        if character == "\t":
            return Refusal("bad-yaml", "a tab cannot stand here", _TAB_HINT)
        return Refusal("bad-yaml", f"text cannot begin with {character!r}", "put the text in quotes")
    misplaced = _MISPLACED.search(detail)
    if character == ":" and ("node content" in detail or misplaced):
        return NO_KEY
    if misplaced and not alone:
        return _TRAILING
    for pattern, refusal in _EXPLANATIONS:
        if pattern.search(detail):
            return refusal
    return Refusal("bad-yaml", "this is not well-formed YAML", None)
