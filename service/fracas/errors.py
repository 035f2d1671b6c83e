"""Everything that Fracas raises on purpose.

::

    FracasError                 code, message
    ├── InputError              what a caller sent is wrong; one Problem per fault, each with its field path
    │   ├── UnknownNameError    a name (ruleset, procedure, entry) that nobody declared
    │   ├── OverBudgetError     a computation that needs more processor time than it may have
    │   └── DiceError           supplied dice that do not fit the roll that was asked for
    ├── ContinuationError       a continuation that was forged, altered, or made by another service
    ├── ReplayError             a log that does not lead where it says it leads
    ├── StageCodecError         JSON that is no stage
    ├── EventError              an event that this version does not know, or that does not fit the ones before it
    ├── KeyReusedError          an Idempotency-Key that stood for another request before
    ├── TokenError              a token that is not known, or not good any more
    ├── ForbiddenError          a command or question that is not for the caller
    ├── RefusedError            a command that the state of a fight does not allow; with a code for the reason
    ├── DatabaseError           the store of encounters cannot be reached, opened or used
    ├── NoEncounterError        an encounter that the store does not have
    ├── StaleVersionError       a write by a client that has not seen the last event
    ├── KeyTakenError           an Idempotency-Key that was used before
    └── PackError               a data pack that cannot be used; one Problem per fault, each with file:line:column

``code`` is stable: programs may compare it. Messages may be reworded at any time.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import NamedTuple

MAX_SHOWN = 50
"""Faults of one request that are reported."""

MAX_LENGTH = 300
"""Characters of a path or message about a request."""

MAX_HINT = 800
"""Characters of a hint, which lists the names that can be given."""


def _cut(text: str, most: int = MAX_LENGTH) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


class Problem(NamedTuple):
    """One fault.

    Attributes:
        path: the field, dotted (``situation.attacker.agility``), or ``file:line:column`` for packs.
        code: stable word for the kind of fault.
        message: what was found and what was expected.
        hint: a suggestion, or None.
    """

    path: str
    code: str
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{where}{self.code}: {self.message}{hint}"


class FracasError(Exception):
    """Base of the tree."""

    code = "fracas-error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ProblemsError(FracasError):
    """An error made of one or more problems, all found in one pass."""

    code = "problems"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class InputError(ProblemsError):
    """What a caller sent is wrong. A message about it stays short, however much was sent."""

    code = "invalid-input"

    def __init__(self, problems: Iterable[Problem]) -> None:
        found = list(problems)
        shown = [
            Problem(_cut(path), code, _cut(message), hint and _cut(hint, MAX_HINT))
            for path, code, message, hint in found[:MAX_SHOWN]
        ]
        if len(found) > MAX_SHOWN:
            shown.append(Problem("", "more-problems", f"{len(found) - MAX_SHOWN} more faults"))
        super().__init__(shown)

    @classmethod
    def one(cls, path: str, code: str, message: str, hint: str | None = None) -> InputError:
        return cls((Problem(path, code, message, hint),))


class UnknownNameError(InputError):
    code = "unknown-name"


class OverBudgetError(InputError):
    """A computation that needs more processor time than it may have."""

    @classmethod
    def after(cls, seconds: float, path: str = "", hint: str | None = None) -> OverBudgetError:
        """The error after so many seconds of work."""
        message = f"this takes more than {seconds:g} s of processor time, which is as much as it may have"
        return cls((Problem(path, "too-complex", message, hint),))


class DiceError(InputError):
    code = "wrong-dice"


class ContinuationError(FracasError):
    code = "bad-continuation"


class ReplayError(FracasError):
    code = "replay-differs"


class StageCodecError(FracasError):
    code = "bad-stage"


class EventError(FracasError):
    code = "bad-event"


class ForbiddenError(FracasError):
    code = "forbidden"


class RefusedError(FracasError):
    """A command that the fight does not allow now; nothing has changed.

    Attributes:
        reason: stable code of the reason, such as ``not-your-turn``.
        reasons: every reason, each as (code, sentence).
    """

    code = "refused"

    def __init__(self, reason: str, message: str, more: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.reasons = ((reason, message), *more)


class DatabaseError(FracasError):
    """The store of encounters cannot be reached, opened or used. The message names no password and no content."""

    code = "database"


class NoEncounterError(FracasError):
    """An encounter that the store does not have, or no longer.

    Attributes:
        encounter: the id that was asked for.
    """

    code = "no-encounter"

    def __init__(self, encounter: str) -> None:
        super().__init__(f"there is no encounter {_cut(encounter)!r}")
        self.encounter = encounter


class StaleVersionError(FracasError):
    """A write by a client that has not seen the last event.

    Attributes:
        current: the encounter's version now.
    """

    code = "stale-version"

    def __init__(self, current: int) -> None:
        super().__init__(f"the encounter has moved on to version {current}: look at it again, then decide")
        self.current = current


class KeyTakenError(FracasError):
    """An Idempotency-Key that the same token has used before in the same encounter.

    Attributes:
        key: the key.
    """

    code = "key-taken"

    def __init__(self, key: str) -> None:
        super().__init__(f"the Idempotency-Key {_cut(key)!r} has been used before in this encounter")
        self.key = key


class KeyReusedError(FracasError):
    """An Idempotency-Key that was used before for a different request."""

    code = "key-reused"


class TokenError(FracasError):
    """A token that nobody knows, that was revoked, or that is for another encounter."""

    code = "bad-token"


class PackError(ProblemsError):
    """Data packs that cannot be used.

    Attributes:
        packs: ids of the packs at fault, where that is known.
    """

    code = "bad-pack"

    def __init__(self, problems: Iterable[Problem], packs: frozenset[str] = frozenset()) -> None:
        super().__init__(problems)
        self.packs = packs


_budget: ContextVar[list[int] | None] = ContextVar("budget of suggestions", default=None)


@contextmanager
def few_suggestions(names: int) -> Iterator[None]:
    """While it lasts, suggestions end once words have been compared with so many names: it takes some 40 µs a name."""
    token = _budget.set([names])
    try:
        yield
    finally:
        _budget.reset(token)


def nearest(word: object, known: Iterable[str]) -> str | None:
    """The known name that is most like `word`, if any is like it."""
    budget = _budget.get()
    names = sorted(set(known))
    if not names or not isinstance(word, str) or (budget is not None and budget[0] <= 0):
        return None
    if budget is not None:
        budget[0] -= len(names)
    return (_nearest if len(word) <= _SHORT else _nearest.__wrapped__)(word, tuple(names))


def suggestion(word: object, known: Iterable[str]) -> str | None:
    """The known name nearest to `word`, or of which it is a part, as a ready hint; or a short list of what exists, or
    None."""
    budget = _budget.get()
    if budget is not None and budget[0] <= 0:
        return None
    names = sorted(set(known))
    name = nearest(word, names)
    if name is not None:
        return f"did you mean {name!r}?"
    called = [name for name in names if str(word).casefold() in _BETWEEN_WORDS.split(name.casefold())]
    if len(called) == 1:
        return f"did you mean {called[0]!r}?"
    if called and len(names) > _FEW:
        return "those of that name: " + ", ".join(called[:_FEW])
    if 0 < len(names) <= _FEW:
        return "known: " + ", ".join(names)
    return None


_FEW = 12
"""How many names a hint lists."""
_BETWEEN_WORDS = re.compile(r"[^a-z0-9]+")
"""Names have parts, such as the id of a combatant: ``wren`` means ``wren-gunhand``."""
_SHORT = 64
"""Longer words are not remembered: they are nobody's slip, and would fill the memory."""


@lru_cache(maxsize=512)
def _nearest(word: str, names: tuple[str, ...]) -> str | None:
    """The name most like a word, if any is like it; callers tend to repeat a mistake."""
    near = difflib.get_close_matches(word.casefold(), [name.casefold() for name in names], n=1, cutoff=0.6)
    return next(name for name in names if name.casefold() == near[0]) if near else None
