"""Strict YAML with the line and column of every key and value.

The language is a small, safe part of YAML that means the same everywhere:

- one document of mappings, lists and scalars; no anchors, aliases, merge keys, tags or directives;
- keys are text exactly as written (``1:`` is the key ``"1"``), and no key may appear twice in one mapping;
- only unquoted scalars become anything but text: ``null``, ``~`` and nothing at all, ``true`` and ``false``
  (also ``True``, ``TRUE``, ``False``, ``FALSE``), decimal integers and floats. ``on``, ``no``, ``012``,
  ``0x1F``, ``1_000``, ``1:30`` and ``2024-02-03`` stay text.

PyYAML scans and parses (in C where libyaml is built in, else in Python); the data is built right from the
event stream (`yaml_building`): faster than PyYAML's own construction, and nothing that the text names is ever run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from fracas.packs.yaml_faults import Position, YamlError, YamlProblem
from fracas.packs.yaml_text import checked_text

__all__ = ["Located", "Position", "Where", "YamlError", "YamlProblem", "load"]

MAX_PROBLEMS: Final = 100
"""After this many problems the rest of the text is not looked at."""

DEEPEST: Final = 200
"""The greatest `max_depth` that may be asked for; keeps the recursion here well inside Python's limit."""

Where: TypeAlias = "int | tuple[int, dict[str, tuple[int, Where]] | list[Where]]"
"""Positions, nested like the data they belong to.

A scalar's is one packed position; a list's is (position, one `Where` for each item); a mapping's is
(position, {key: (the key's position, the value's `Where`)}). `Located.position` unpacks them.
"""


class Located(NamedTuple):
    """Loaded data, and where each part of it stood in the text called `name`.

    Attributes:
        where: the positions, or what finds them when they are asked for.
    """

    data: Any
    where: Where | Callable[[], Where]
    name: str

    def position(self, path: Sequence[str | int], *, of_key: bool = False) -> Position:
        """Where the value at `path` (keys and list indexes, from the root) begins; never fails.

        `of_key` asks for the key that the value stands under instead; a list item or the root has no key, so
        there it changes nothing. Where the path leads nowhere, the nearest ancestor that exists stands in.

        Quoted text begins at its quote, a block of text at its ``|`` or ``>``, a mapping or list in block
        style at its first key or ``-``. An empty value begins right after its ``:`` or ``-``, but libyaml
        puts one in braces, and one that has no ``:``, where the next sign stands.
        """
        node = self.where() if callable(self.where) else self.where
        key = _start(node)
        for step in path:
            children = None if isinstance(node, int) else node[1]
            if isinstance(children, dict) and isinstance(step, str) and step in children:
                key, node = children[step]
            elif isinstance(children, list) and isinstance(step, int) and 0 <= step < len(children):
                node = children[step]
                key = _start(node)
            else:
                break
        return _unpack(key if of_key else _start(node))


def load(
    text: str | bytes, name: str = "<text>", *, max_depth: int = 32, max_bytes: int = 2_000_000
) -> Located:
    """Read one strict YAML document.

    Args:
        text: the document; bytes must be UTF-8. A byte order mark and CR LF line ends are fine.
        name: what to call the text in errors, for instance its file name.
        max_depth: how many lists and mappings may be nested in each other, 1 to 200.
        max_bytes: the greatest size of the text in UTF-8.

    Raises:
        YamlError: with all faults that could be found in one pass. Their codes:
            ``too-large``, ``not-text`` (not UTF-8, or a character that has no place in a text file),
            ``empty-file``, ``several-documents``, ``too-deep``, ``bad-yaml`` (YAML's grammar is broken),
            ``duplicate-key``, ``key-not-text``, ``no-alias`` (anchors too), ``no-merge``, ``no-tag``,
            ``no-directive``, ``not-a-number`` (infinite, NaN or beyond a float), ``integer-too-long``
            (over 18 digits), ``too-many-problems`` (always the last: the search was given up).
        ValueError: `max_depth` is out of range.
    """
    if not 1 <= max_depth <= DEEPEST:
        raise ValueError(f"max_depth must be 1 to {DEEPEST}, not {max_depth}")
    from fracas.packs.yaml_building import Builder  # PyYAML, which compiled packs and JSON need not load

    source = checked_text(text, name, max_bytes)
    builder = Builder(source, max_depth)
    data, where = builder.document()
    if builder.problems:
        raise YamlError(sorted(builder.problems, key=lambda problem: problem.position), name)
    return Located(data, where, name)


def _start(node: Where) -> int:
    return node if isinstance(node, int) else node[0]


def _unpack(place: int) -> Position:
    return Position((place >> 32) + 1, (place & 0xFFFF_FFFF) + 1)
