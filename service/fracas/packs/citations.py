"""Where the rules of an entry stand: the sections of its ruleset's rulebook that its source cites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fracas.packs.entries import Entry

_NUMBER = re.compile(r"\d+(?:\.\d+)*")


@lru_cache(1_000)
def cited(section: str) -> tuple[str, ...]:
    """The numbers that a citation names.

    >>> cited("1.2, 1.8")
    ('1.2', '1.8')
    """
    return tuple(_NUMBER.findall(section))


def sections_of(entry: Entry, ruleset: str) -> tuple[str, ...]:
    """The sections of the ruleset's own rulebook that an entry cites; none if its source is another work."""
    return sections_in(entry.meta, ruleset)


def sections_in(about: Mapping[str, Any], ruleset: str) -> tuple[str, ...]:
    """The same of what a pack says about an entry or a house rule."""
    source = about.get("source")
    if not source or not isinstance(source, Mapping) or source.get("ref") != f"rulebook-{ruleset}":
        return ()
    return cited(str(source.get("section", "")))


def rule_of(entry: Entry, ruleset: str) -> str:
    """The address in the service of the first section that an entry cites, such as ``/book/sr4/8.2``; "" for none."""
    sections = sections_of(entry, ruleset)
    return address(ruleset, sections[0]) if sections else ""


def address(ruleset: str, section: str) -> str:
    """The address of a section in the service."""
    return f"/book/{ruleset}/{section}"


def section_at(there: str) -> str:
    """The section that such an address leads to.

    >>> section_at(address("sr4", "8.2"))
    '8.2'
    """
    return there.rpartition("/")[2]
