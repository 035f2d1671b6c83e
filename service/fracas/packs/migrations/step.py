"""What a step of a migration is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fracas.errors import PackError, Problem
from fracas.packs.yaml_editing import EditError
from fracas.packs.yaml_source import Located

Edit = Callable[[str], str]
"""Makes a new text of an old one; may raise EditError."""


class Source(NamedTuple):
    """A file of a pack: its text, a byte order mark included, and what it says."""

    text: str
    located: Located


class Step(NamedTuple):
    """One step. Both functions know files by their paths inside the pack, the manifest among them.

    Attributes:
        before: the ``schema_version`` that it is for.
        after: the next one.
        does: what it does to a pack, in one line.
        texts: the new texts of the files that change; raises PackError for a pack that cannot be migrated.
        data: what all files say afterwards.
    """

    before: int
    after: int
    does: str
    texts: Callable[[Mapping[str, Source]], Mapping[str, str]]
    data: Callable[[Mapping[str, Any]], Mapping[str, Any]]


def edited(pack: Mapping[str, Source], edits: Mapping[str, Edit]) -> dict[str, str]:
    """The new text of each file that has an edit.

    Raises:
        PackError: for all files that are written in too odd a way to be changed in place.
    """
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for name, edit in edits.items():
        try:
            texts[name] = edit(pack[name].text)
        except EditError as error:
            line, column = error.position
            where = f"{pack[name].located.name}:{line}:{column}"
            hint = "write this in the usual way, 'key: value' on a line of its own"
            problems.append(Problem(where, "cannot-migrate", error.message, hint))
    if problems:
        raise PackError(problems)
    return texts
