"""Packs are read when a test needs them, and not when its module is imported: each process of a run imports all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar, cast

import pytest
import tiers

T = TypeVar("T")
PACKS = tiers.TESTS.parent / "datapacks"
_refusing = False


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if _refusing and event == "open" and os.path.abspath(str(args[0])).startswith(f"{PACKS}{os.sep}"):
        raise RuntimeError(
            f"{args[0]} is read while tests are imported; read it in a test or a fixture, or by late_packs"
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


@contextmanager
def read() -> Iterator[None]:
    """Packs may be read, inside of `unread` too."""
    global _refusing
    before, _refusing = _refusing, False
    try:
        yield
    finally:
        _refusing = before


class _Late:
    """What is made when something of it is wanted."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = cache(make)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make(), name)

    def __getitem__(self, key: Any) -> Any:
        return self._make()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._make())

    def __len__(self) -> int:
        return len(self._make())

    def __contains__(self, key: object) -> bool:
        return key in self._make()


def late(make: Callable[[], T]) -> T:
    """Stands for what a function makes of packs, and calls it when a test first uses this; for constants of modules."""
    return cast("T", _Late(make))


def parametrize(metafunc: pytest.Metafunc) -> None:
    """``@pytest.mark.each(names, make)`` is ``parametrize`` with the values that a function makes of packs."""
    for mark in metafunc.definition.iter_markers("each"):
        names, make = mark.args
        with read():
            metafunc.parametrize(names, list(make()), **mark.kwargs)
