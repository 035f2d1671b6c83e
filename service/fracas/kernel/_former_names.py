"""Former names of fields: a record takes them for one more version, beside the new ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T", bound=type[Any])


def formerly(**names: str) -> Callable[[_T], _T]:
    """Let a NamedTuple be made, and changed by `_replace`, with former names of its fields.

    Args:
        names: the new name of each former one.
    """

    former = frozenset(names)

    def wrap(cls: _T) -> _T:
        new, replace = cls.__new__, cls._replace

        def made(of: Any, /, *values: Any, **fields: Any) -> Any:
            if fields and not former.isdisjoint(fields):
                fields = {names.get(name, name): value for name, value in fields.items()}
            return new(of, *values, **fields)

        def replaced(self: Any, /, **fields: Any) -> Any:
            if not former.isdisjoint(fields):
                fields = {names.get(name, name): value for name, value in fields.items()}
            return replace(self, **fields)

        cls.__new__, cls._replace = made, replaced
        return cls

    return wrap
