"""Forms of stages: tuples like any stage, whose classes inherit what most of them have in common.

`kernel.stage` asks of a stage to be a NamedTuple with its kind as the last field. A NamedTuple cannot inherit, so each
would have to write out what all outcomes, or all stages that wait, have in common. A class of this module is made into
the same tuple, with the kind as a keyword of the class::

    class Soak(Waiting, kind="example.soak"):
        damage: int
        dice: int
        awaits = rolls("soak", "target", lambda self: Pool(self.dice))

        def advance(self, answer: int) -> Stage: ...

A class without a kind is a further base, whose fields stand before those of the classes that inherit from it. Stages
that odds pass by the thousand stay NamedTuples: a method of a class of its own is found a little faster.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, dataclass_transform

from fracas.dice.requests import Request
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, stage_class

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Continuation", "Outcome", "Part", "Waiting", "rolls"]

_OF_TUPLES = (
    "_fields",
    "_field_defaults",
    "_make",
    "_replace",
    "_asdict",
    "__new__",
    "__repr__",
    "__getnewargs__",
)
"""What a tuple class has of its fields, beside the fields themselves."""


@dataclass_transform(frozen_default=True)
class _Form(type):
    """Makes a tuple class of the annotated fields and the kind."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any], kind: str = "") -> Any:
        own = [field for field, its in space.get("__annotations__", {}).items() if "ClassVar" not in str(its)]
        given = {field: space.pop(field) for field in own if field in space}
        fields: dict[str, Any] = {}
        for base in bases:
            fields |= getattr(base, "_form", {})
        fields |= {field: (given[field],) if field in given else () for field in own}
        space |= {"__slots__": (), "_form": fields}
        if not kind:
            return super().__new__(mcs, name, bases, space)
        defaults = [its[0] for its in fields.values() if its]
        plain: Any = namedtuple(name, [*fields, "kind"], defaults=[*defaults, kind])  # type: ignore[misc]
        made = {part: vars(plain)[part] for part in (*_OF_TUPLES, *plain._fields)}
        return stage_class(
            super().__new__(mcs, name, bases, {**made, "__match_args__": tuple(fields), **space})
        )


class Part(tuple[Any, ...], metaclass=_Form):
    """A value that a stage may hold, such as the plan of an attack."""

    if TYPE_CHECKING:
        _fields: ClassVar[tuple[str, ...]]
        kind: ClassVar[str]

        def _replace(self, **changes: Any) -> Self:
            """The same value with other fields.

            Raises:
                ValueError: a field that it does not have.
            """

        def _asdict(self) -> dict[str, Any]:
            """Its fields by name."""


class _Noted(Part):
    """What has facts of its own.

    Attributes:
        reports: its facts, where it has no others: names of fields or properties, or pairs of a fact and where it is
            found, such as ``("armor", "plan.armor")``.
    """

    reports: ClassVar[tuple[str | tuple[str, str], ...]] = ()

    def notes(self) -> Facts:
        pairs = [(one, one) if isinstance(one, str) else one for one in self.reports]
        return {fact: attrgetter(place)(self) for fact, place in pairs}


class Continuation(_Noted):
    """What comes of a result: a stage that many procedures use holds one, and asks it for the next stage.

    The stage that holds it says what the result is. Its facts are noted with those of that stage.
    """


class Waiting(_Noted):
    """A stage that waits for a roll or a decision: its class has `awaits` and `advance`."""

    def effects(self) -> tuple[Effect, ...]:
        return ()


def rolls(
    label: str | Callable[[Any], str], by: str | Callable[[Any], str], request: Callable[[Any], Request]
) -> Any:
    """`awaits` of a class of stages that wait for the dice of one combatant.

    Args:
        label: a word for the dice, after which their facts are named; or a function of the stage.
        by: the record of who throws, in the same way.
        request: what is thrown, by the stage.
    """
    if isinstance(label, str) and isinstance(by, str):
        labels, throws = (label,), (by,)
        return property(lambda stage: Roll(labels, throws, request(stage)))

    def word(of: str | Callable[[Any], str], stage: Any) -> str:
        return of if isinstance(of, str) else of(stage)

    return property(lambda stage: Roll((word(label, stage),), (word(by, stage),), request(stage)))


class Outcome(_Noted):
    """The end of a chain: its class has `notes` or `reports`, and `changes` where there is something to apply."""

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: Any) -> NoReturn:
        raise AssertionError("an outcome does not advance")

    def changes(self) -> Iterable[Effect]:
        """What to apply, one after the other."""
        return ()

    def effects(self) -> tuple[Effect, ...]:
        return tuple(self.changes())
