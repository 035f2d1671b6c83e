"""Packs are read when a test needs them, and not while tests are collected, which each process does that runs some."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tiers

PACKS = tiers.TESTS.parent / "datapacks"
NOT_YET = (
    "rulesets/cwn/test_cwn_turns.py",
    "rulesets/imperium/test_imperium_second_opinion.py",
    "rulesets/sr4",
    "rulesets/sr5",
    "encounters/test_cwn_stat_blocks.py",
    "encounters/test_sr4_actions.py",
    "encounters/test_sr5_actions.py",
    "web/test_web_schemathesis.py",
)
"""Folders and files that make tests of the entries of packs, and read them to be collected."""

_refusing = False


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if _refusing and event == "open" and os.path.abspath(str(args[0])).startswith(f"{PACKS}{os.sep}"):
        raise RuntimeError(
            f"{args[0]} is read while tests are collected; read it in a test or a fixture, such as by shipped_library"
        )


sys.addaudithook(_watch)


@contextmanager
def unread() -> Iterator[None]:
    """Whatever opens a file of the packs fails."""
    global _refusing
    _refusing = True
    try:
        yield
    finally:
        _refusing = False


def may_read(path: Path) -> bool:
    """Whether a file of tests may read packs while it is collected."""
    places = [tiers.TESTS / place for place in NOT_YET]
    return any(place in (path, *path.parents) for place in places)
