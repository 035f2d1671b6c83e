"""Former names: they work for one more version beside the new ones, with a DeprecationWarning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

_T = TypeVar("_T", bound=type[Any])


def warn(former: str, name: str, level: int = 3) -> None:
    """Report the use of a former name; `level`: frames between the report and the code that uses it."""
    warnings.warn(f"{former} is called {name}", DeprecationWarning, stacklevel=level)


def in_module(module: str, **names: str) -> Callable[[str], Any]:
    """`__getattr__` of a module.

    Args:
        names: the new name of each former one, in this module, or after the name of another module and a dot.
    """

    def found(former: str) -> Any:
        if former not in names:
            raise AttributeError(f"module {module!r} has no attribute {former!r}")
        warn(f"{module}.{former}", names[former])
        place, _, name = names[former].rpartition(".")
        return getattr(import_module(place or module), name)

    return found


def _property(of: str, former: str, name: str) -> property:
    def read(self: Any) -> Any:
        warn(f"{of}.{former}", name)
        return getattr(self, name)

    def write(self: Any, value: Any) -> None:
        warn(f"{of}.{former}", name)
        setattr(self, name, value)

    return property(read, write, doc=f"The former name of `{name}`, for one more version.")


def formerly(**names: str) -> Callable[[_T], _T]:
    """Let the attributes and methods of a class be read by their former names.

    A NamedTuple is also made, and changed by `_replace`, with them.

    Args:
        names: the new name of each former one.
    """

    former = frozenset(names)

    def renamed(of: str, fields: dict[str, Any]) -> dict[str, Any]:
        for name in former & fields.keys():
            warn(f"{of}({name}=)", names[name], 4)
        return {names.get(name, name): value for name, value in fields.items()}

    def wrap(cls: _T) -> _T:
        for old, name in names.items():
            setattr(cls, old, _property(cls.__name__, old, name))
        if not hasattr(cls, "_fields"):
            return cls
        new, replace = cls.__new__, cls._replace

        def made(of: Any, /, *values: Any, **fields: Any) -> Any:
            if fields and not former.isdisjoint(fields):
                fields = renamed(cls.__name__, fields)
            return new(of, *values, **fields)

        def replaced(self: Any, /, **fields: Any) -> Any:
            if not former.isdisjoint(fields):
                fields = renamed(cls.__name__, fields)
            return replace(self, **fields)

        cls.__new__, cls._replace = made, replaced
        return cls

    return wrap
