"""Stages: what a procedure is made of.

A procedure is a chain of stages. A stage is a small immutable value that says what it waits for:

* a `Roll`: a typed request for dice,
* a `Decision`: its owner chooses one of some options,
* nothing: it is an outcome, and has facts and effects.

`advance(answer)` gives the next stage. It is a pure function.

A stage class is a NamedTuple whose last field is its `kind`, a word that is unique in the program::

    @stage_class
    class Soak(NamedTuple):
        damage: int
        dice: int
        kind: Literal["example.soak"] = "example.soak"

`kernel.forms` has bases for stages that inherit what most of them have in common, and are the same tuples.

Tuples are made, compared and hashed in C, which is what exact odds spend their time on; the kind keeps two
classes with equal fields apart. Fields hold numbers, words, None, tuples of these, other values of registered
classes, and `Shared` ones: a stage may hold the stage or the receiver that takes its result, and survives JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

from fracas._former_names import formerly, warn
from fracas.dice.pools import Opposed, Pool
from fracas.dice.requests import Request
from fracas.dice.totals import Kept, Total
from fracas.errors import StageCodecError

__all__ = [
    "Awaited",
    "Decision",
    "Effect",
    "Fact",
    "Facts",
    "Fork",
    "Option",
    "Roll",
    "Shared",
    "Stage",
    "from_json",
    "lasting",
    "share",
    "stage_class",
    "to_json",
    "used_up",
]

Fact = int | float | bool | str | None
"""One thing that is known of an attempt; None: it does not apply."""
Facts = Mapping[str, Fact]
"""Facts by name."""


class Roll(NamedTuple):
    """A stage waits for dice.

    Attributes:
        labels: one word for each part of the request (``attack``, ``defense``); facts are named after it.
        by: who throws each part (``attacker``, ``target``).
        request: what is thrown; a ruleset may have kinds of its own, which are stage classes too.
    """

    labels: tuple[str, ...]
    by: tuple[str, ...]
    request: Request


class Option(NamedTuple):
    """One thing that may be chosen.

    Attributes:
        cost: what it spends, as (resource, amount) pairs.
        notes: facts that choosing it settles, for the explanation.
    """

    id: str
    label: str
    cost: tuple[tuple[str, int], ...] = ()
    notes: tuple[tuple[str, Fact], ...] = ()


@formerly(about="context")
class Decision(NamedTuple):
    """A stage waits for a choice.

    Attributes:
        id: what is decided; policies go by it (``edge-before``).
        by: who decides.
        options: at least two.
        default: the id of the option taken when nobody chooses.
        context: what the person who decides may know: for display, and for policies.
        reaction: how a combatant reacts to what is done to them, such as by which defense; not what they spend on a
            roll.
    """

    id: str
    by: str
    options: tuple[Option, ...]
    default: str
    context: tuple[tuple[str, Fact], ...] = ()
    reaction: bool = False


Awaited = Roll | Decision | None
"""What a stage waits for; None for an outcome."""


class Effect(NamedTuple):
    """One change to apply to a combatant, in ruleset-neutral words.

    Attributes:
        type: ``mark`` (boxes or points on a track), ``spend`` or ``gain`` (a resource),
            ``add-condition`` or ``remove-condition``, ``item`` (a change of an item's state).
        who: whose sheet changes: ``attacker``, ``target``.
        what: the track, resource, condition or item.
        amount: boxes, points, rounds; negative for an item's loss; None when it does not apply.
        detail: more facts (``unit``, ``state``, ``rounds``); several of ``towards`` where a condition concerns several.
    """

    type: str
    who: str
    what: str
    amount: int | None = None
    detail: tuple[tuple[str, Fact], ...] = ()


def lasting(who: str, name: str, unit: str, length: int, *more: tuple[str, Fact]) -> Effect:
    """An effect: a combatant gets into a condition for some time; with a length of 0 for as long as the packs say."""
    span = (("unit", unit), ("length", length)) if length else ()
    return Effect("add-condition", who, name, None, (*span, *more))


def used_up(who: str, item: str, count: int) -> Iterator[Effect]:
    """The effect of so much of an item used up, such as rounds of a weapon; none of nothing."""
    if count:
        yield Effect("item", who, item, -count, (("state", "rounds"),))


class Stage(Protocol):
    """One step of a procedure. See the module's text."""

    @property
    def kind(self) -> str:
        """A word that no other class of stages has."""

    @property
    def awaits(self) -> Awaited:
        """What this stage waits for; None for an outcome."""

    def advance(self, answer: Any) -> Stage:
        """The next stage. An outcome has none."""

    def notes(self) -> Facts:
        """Facts settled on reaching this stage, for the explanation only; an outcome's are its result."""

    def effects(self) -> tuple[Effect, ...]:
        """What to apply; empty before the outcome."""


_CLASSES: dict[str, type[Any]] = {}

_T = TypeVar("_T", bound=type[Any])
_V = TypeVar("_V")


def stage_class(cls: _T) -> _T:
    """Register a NamedTuple class so that its values survive JSON.

    Raises:
        TypeError: the class has no `kind` default, or the kind is taken.
    """
    kind = getattr(cls, "_field_defaults", {}).get("kind")
    if not isinstance(kind, str) or cls._fields[-1] != "kind":
        raise TypeError(f"{cls.__name__}: the last field of a stage class is its kind, with a default")
    known = _CLASSES.get(kind, cls)
    if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
        raise TypeError(f"two stage classes of kind {kind!r}")
    _CLASSES[kind] = cls
    for former, name in _FORMER_METHODS.items():
        if callable(getattr(cls, former, None)) and not hasattr(cls, name):
            warn(f"{cls.__name__}.{former}", name)
            setattr(cls, name, _by_former_name(former))
    return cls


_FORMER_METHODS = {"weigh": "spread", "followers": "successors", "rest": "shortcut"}
"""Methods that odds look for, see `odds.Transitions`, by the names that they had; those work for one more version."""


def _by_former_name(former: str) -> Callable[..., Any]:
    def called(stage: Any, *values: Any) -> Any:
        return getattr(stage, former)(*values)

    return called


class Shared(Generic[_V]):
    """A value that many stages of one chain hold, such as what an attack is all about.

    Equal values are one object, so that comparing and hashing take no time however much it holds. Made by `share`.
    """

    __slots__ = ("__weakref__", "value")

    def __init__(self, value: _V) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"share({self.value!r})"


_SHARED: WeakValueDictionary[Any, Shared[Any]] = WeakValueDictionary()


def share(value: _V) -> Shared[_V]:
    """The one shared object of this value."""
    found: Shared[_V] | None = _SHARED.get(value)
    return found if found is not None else _SHARED.setdefault(value, Shared(value))


def _of_branch(label: str, option: Option) -> Option:
    """An option whose facts are named after its branch."""
    return option._replace(notes=tuple((f"{label}.{name}", fact) for name, fact in option.notes))


@stage_class
class Fork(NamedTuple):
    """One branch a target after a shared roll: branches are ordinary chains, played one after the other.

    Odds are given for each branch by itself. Facts are named after the branch (``guard.damage``); those of a branch
    without a name are not: it is what goes on beside the others, and may fork again.
    """

    branches: tuple[tuple[str, Any], ...]
    kind: Literal["fork"] = "fork"

    def _open(self) -> int | None:
        return next((at for at, (_, stage) in enumerate(self.branches) if stage.awaits is not None), None)

    @property
    def awaits(self) -> Awaited:
        at = self._open()
        if at is None:
            return None
        label, stage = self.branches[at]
        awaited: Awaited = stage.awaits
        if isinstance(awaited, Roll) and label:
            awaited = awaited._replace(labels=tuple(f"{label}.{name}" for name in awaited.labels))
        elif isinstance(awaited, Decision) and label and any(option.notes for option in awaited.options):
            awaited = awaited._replace(options=tuple(_of_branch(label, one) for one in awaited.options))
        return awaited

    def advance(self, answer: Any) -> Fork:
        at = self._open()
        assert at is not None, "an outcome does not advance"
        branches = list(self.branches)
        label, stage = branches[at]
        branches[at] = (label, stage.advance(answer))
        return Fork(tuple(branches))

    def notes(self) -> Facts:
        return {
            f"{label}.{name}" if label else name: fact
            for label, stage in self.branches
            for name, fact in stage.notes().items()
        }

    def effects(self) -> tuple[Effect, ...]:
        return tuple(effect for _, stage in self.branches for effect in stage.effects())


for _request in (Pool, Opposed, Total, Kept):
    stage_class(_request)


_PLAIN = frozenset((str, int, bool, float, type(None)))
"""What is the same in JSON: most of what there is."""


def to_json(value: Any) -> Any:
    """A stage, or any value that a stage may hold, as compact JSON data: ``[kind, field, ...]``."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, tuple):
        parts = [part if type(part) in _PLAIN else to_json(part) for part in value]
        if hasattr(value, "_fields"):
            if _CLASSES.get(value[-1]) is not type(value):
                raise StageCodecError(f"{type(value).__name__} is not a stage class")
            return [parts.pop(), *parts]
        return ["", *parts]
    if isinstance(value, Shared):
        return ["=", to_json(value.value)]
    raise StageCodecError(f"a stage cannot hold {type(value).__name__}")


def from_json(data: Any, depth: int = 40) -> Any:
    """The value that `to_json` wrote.

    A field that a later version adds to a class stands last and has a default, so that values without it are read.

    Raises:
        StageCodecError: unknown kind, wrong number of fields, nested too deeply, or no JSON of a stage at all.
    """
    if type(data) in _PLAIN:
        return data
    if depth == 0 or not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise StageCodecError("this is not the JSON of a stage")
    kind, *fields = data
    values = tuple([field if type(field) in _PLAIN else from_json(field, depth - 1) for field in fields])
    if not kind:
        return values
    if kind == "=" and len(values) == 1:
        return share(values[0])
    cls = _CLASSES.get(kind)
    if cls is None or not len(cls._fields) - len(cls._field_defaults) <= len(values) < len(cls._fields):
        raise StageCodecError(f"no stage of kind {kind!r} with {len(values)} fields")
    return cls(*values)
