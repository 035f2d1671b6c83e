"""Parts of stages of some types: finding them, and putting others in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fracas.kernel.stage import Shared, share

__all__ = ["parts_in", "replaced"]


def parts_in(value: Any, kinds: tuple[type, ...]) -> Iterator[Any]:
    """The parts of some kinds that a stage holds, in the order of its fields."""
    if isinstance(value, Shared):
        yield from parts_in(value.value, kinds)
    elif isinstance(value, kinds):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            if isinstance(part, (tuple, Shared)):
                yield from parts_in(part, kinds)


def replaced(value: Any, others: Callable[[Any], Any], kinds: tuple[type, ...]) -> Any:
    """A stage with other parts of some kinds; what holds none of them stays the same object."""
    if isinstance(value, Shared):
        inner = replaced(value.value, others, kinds)
        return value if inner is value.value else share(inner)
    if isinstance(value, kinds):
        return others(value)
    if not isinstance(value, tuple):
        return value
    changed: list[Any] | None = None
    for at, part in enumerate(value):
        if isinstance(part, (tuple, Shared)) and (new := replaced(part, others, kinds)) is not part:
            changed = changed or [*value]
            changed[at] = new
    return value if changed is None else tuple.__new__(type(value), changed)
