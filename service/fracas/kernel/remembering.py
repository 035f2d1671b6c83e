"""Remembering what was made of objects that never change."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

__all__ = ["by_identity"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


def by_identity(most: int = 1_000) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Let a pure function of objects that never change, passed by position, remember its results.

    States of fights share what an event leaves alone, such as the sheets of all others. That the arguments are the same
    objects is quickly found out, while comparing or hashing them would take as long as the function. Equal ones that
    are not the same are evaluated again; so a function whose arguments change in place must not be remembered.

    Args:
        most: how many results are kept before all are forgotten.
    """

    def wrap(function: Callable[_P, _T]) -> Callable[_P, _T]:
        known: dict[tuple[int, ...], tuple[_T, tuple[Any, ...]]] = {}

        @wraps(function)
        def remembered(*given: Any) -> _T:
            key = tuple(map(id, given))
            found = known.get(key)
            if found is not None:
                return found[0]
            made = function(*given)  # type: ignore[call-arg]
            if len(known) >= most:
                known.clear()
            # What is kept with a result lives as long, so that no other object has its identity meanwhile.
            known[key] = made, given
            return made

        return cast(Callable[_P, _T], remembered)

    return wrap
