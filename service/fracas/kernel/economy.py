"""The action economy: what a combatant may spend in a phase, turn or round, and what an action costs.

A budget is a handful of typed tokens, a price is a list of alternatives, each some tokens. So "two Simple Actions
or a Complex one" is two tokens, of which the Complex Action takes both, and "a Free Action may be paid with a
Simple one" is a second alternative. An action is possible when one alternative can be paid from what is left;
the reason why not is the answer when none can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.errors import InputError, Problem, suggestion

__all__ = [
    "EVERY_SLOT",
    "MAX_TOKENS",
    "OWN_SLOT",
    "PART",
    "RETURNS",
    "SAVED",
    "SPANS",
    "TURN",
    "Economy",
    "Payment",
    "Shortage",
    "Tokens",
    "afford",
    "covers",
    "economy_of",
    "price_of",
    "special_first",
    "together",
]

Tokens = Mapping[str, int]
"""How many of each token, by name."""

SPANS = ("phase", "turn", "round")
"""The spans that a budget may be for."""
OWN_SLOT, EVERY_SLOT, PART, TURN, SAVED = "own-slot", "every-slot", "part", "turn", "saved"
"""The words of `RETURNS`."""
RETURNS = (OWN_SLOT, EVERY_SLOT, PART, TURN, SAVED)
"""When spent tokens come back. A token without such a word comes back as the span of the budget begins anew: a phase
with each part of a turn, a turn or round with each turn.

- ``own-slot``: as its owner's own slot begins, and not before: a reaction.
- ``every-slot``: as any slot begins, no matter which combatant acts.
- ``part``, ``turn``: as the next part or turn begins, whatever the span.
- ``saved``: with the span; but what is left at the end of a slot can be spent until the end of one's next, beside the
  tokens of that one, also in another turn. The budget gives those of a slot from its beginning until the turn is over.
"""
MAX_TOKENS = 20
"""The greatest number of one token."""


class Economy(NamedTuple):
    """What may be spent in a span, and what the types of action cost.

    Attributes:
        span: what the budget is for: ``phase``, ``turn`` or ``round``.
        budget: the tokens that everybody has.
        bonus: further tokens that some have, with the greatest number of each.
        types: for each type of action the alternatives that pay for it, the most special first.
        asked: types of which only the first alternative is taken unasked; any other has to be chosen.
        returns: when spent tokens come back, one of `RETURNS` by token; without one with the span.
    """

    span: str
    budget: Tokens
    bonus: Tokens
    types: Mapping[str, tuple[Tokens, ...]]
    asked: frozenset[str] = frozenset()
    returns: Mapping[str, str] = {}

    def full(self) -> dict[str, int]:
        """The budget of a combatant with every bonus token."""
        names = (*self.budget, *(name for name in self.bonus if name not in self.budget))
        return {name: self.budget.get(name, 0) + self.bonus.get(name, 0) for name in names}


def special_first(
    alternatives: Sequence[Tokens], types: Mapping[str, Sequence[Tokens]]
) -> tuple[Tokens, ...]:
    """The alternatives of a price, each before those whose tokens would pay for more than its own.

    A token is the more special the fewer types of action it pays for: one that pays for hacking only goes before one
    that pays for anything. Alternatives of which neither is the more special stay in their order.
    """
    left = [(tokens, _paid_by(tokens, types)) for tokens in alternatives]
    found: list[Tokens] = []
    while left:
        at = next(at for at, (_, mine) in enumerate(left) if not any(other < mine for _, other in left))
        found.append(left.pop(at)[0])
    return tuple(found)


def _paid_by(tokens: Tokens, types: Mapping[str, Sequence[Tokens]]) -> frozenset[str]:
    """The types of action for which some of these tokens pay."""
    return frozenset(
        type for type, price in types.items() if any(name in one for one in price for name in tokens)
    )


class Payment(NamedTuple):
    """An action can be paid.

    Attributes:
        alternative: which of the alternatives pays, from 0.
        spent: the tokens that it takes.
        left: the budget afterwards.
    """

    alternative: int
    spent: Tokens
    left: Tokens


class Shortage(NamedTuple):
    """An action cannot be paid.

    Attributes:
        token: the first token that the usual alternative lacks.
        had: how many of it are there.
        needed: how many of it that alternative takes.
        lacking: the first token that each alternative worth telling lacks, as (token, had, needed).
    """

    token: str
    had: int
    needed: int
    lacking: tuple[tuple[str, int, int], ...]

    def reason(self, called: Callable[[str, int], str] = lambda token, count: f"{count} {token}") -> str:
        """What the alternatives lack, each token once: "needs 1 free, 0 left, or 1 simple, 0 left".

        Args:
            called: what people call a number of tokens.
        """
        first: dict[str, str] = {}
        for token, had, needed in self.lacking:
            first.setdefault(token, f"{called(token, needed)}, {had} left")
        return f"needs {', or '.join(first.values())}"


def covers(budget: Tokens, price: Tokens) -> bool:
    """Whether a budget has all tokens of one alternative."""
    return all(budget.get(name, 0) >= count for name, count in price.items())


def afford(budget: Tokens, alternatives: Sequence[Tokens]) -> Payment | Shortage:
    """Pay with the first alternative that the budget covers; the most special one stands first.

    An empty alternative costs nothing and is always covered.

    Raises:
        ValueError: there is no alternative at all.
    """
    if not alternatives:
        raise ValueError("a price has at least one alternative; one that costs nothing is empty")
    lacking: list[tuple[str, int, int]] = []
    for at, tokens in enumerate(alternatives):
        short = next((name for name, count in tokens.items() if budget.get(name, 0) < count), None)
        if short is None:
            left = {name: count - tokens.get(name, 0) for name, count in budget.items()}
            return Payment(at, dict(tokens), left)
        lacking.append((short, budget.get(short, 0), tokens[short]))
    # Two alternatives that lack the same are named once; tokens that are not had at all only of the usual alternative.
    worth_telling = [one for at, one in enumerate(lacking) if at == 0 or one[0] in budget]
    return Shortage(*lacking[0], tuple(dict.fromkeys(worth_telling)))


def together(one: Sequence[Tokens], other: Sequence[Tokens]) -> tuple[Tokens, ...]:
    """The alternatives that pay two prices at once, each only once, in the order of the first price's."""
    found: list[Tokens] = []
    for tokens in one:
        for more in other:
            both = {name: tokens.get(name, 0) + more.get(name, 0) for name in (*tokens, *more)}
            if both not in found:
                found.append(both)
    return tuple(found)


def economy_of(raw: Mapping[str, Any]) -> Economy:
    """The ``economy`` of a pack's manifest.

    Raises:
        InputError: every fault, with its path in `raw`.
    """
    problems: list[Problem] = []
    span = raw.get("span")
    if span not in SPANS:
        hint = suggestion(span, SPANS)
        problems.append(Problem("span", "unknown-choice", f"{span!r} is no span of a budget", hint))
    budget = _tokens(raw.get("budget"), "budget", problems)
    if raw.get("budget") == {}:
        problems.append(Problem("budget", "missing-field", "the budget has at least one token"))
    bonus = _tokens(raw.get("bonus", {}), "bonus", problems)
    known = {*budget, *bonus}
    types: dict[str, tuple[Tokens, ...]] = {}
    named = raw.get("types")
    if not isinstance(named, Mapping) or not named:
        problems.append(Problem("types", "wrong-type", "types maps each type of action to what pays for it"))
        named = {}
    for type, alternatives in named.items():
        types[type] = price_of(alternatives, known, f"types.{type}", problems)
    asked = raw.get("asked", [])
    if not isinstance(asked, list):
        problems.append(Problem("asked", "wrong-type", "asked lists types of action"))
        asked = []
    for at, type in enumerate(asked):
        if type not in types:
            hint = suggestion(type, types)
            problems.append(Problem(f"asked[{at}]", "unknown-type", f"no type of action {type!r}", hint))
    returns = raw.get("returns", {})
    if not isinstance(returns, Mapping):
        problems.append(Problem("returns", "wrong-type", "returns maps tokens to when they come back"))
        returns = {}
    for token, when in returns.items():
        if token not in known:
            message = f"no budget has a token {token!r}"
            problems.append(Problem(f"returns.{token}", "unknown-token", message, suggestion(token, known)))
        if when not in RETURNS:
            message = f"a token comes back with one of {', '.join(RETURNS)}, not {when!r}"
            problems.append(
                Problem(f"returns.{token}", "unknown-choice", message, suggestion(str(when), RETURNS))
            )
    if problems:
        raise InputError(problems)
    ordered = {type: special_first(price, types) for type, price in types.items()}
    return Economy(str(span), budget, bonus, ordered, frozenset(asked), dict(returns))


def price_of(raw: Any, known: set[str], path: str, problems: list[Problem]) -> tuple[Tokens, ...]:
    """The alternatives of a price; faults are added to `problems`, among them tokens that are not known."""
    if not isinstance(raw, list) or not raw:
        problems.append(Problem(path, "wrong-type", "a price is a list of alternatives, at least one"))
        return ()
    found = []
    for at, tokens in enumerate(raw):
        found.append(_tokens(tokens, f"{path}[{at}]", problems))
        for name in found[-1]:
            if name not in known:
                message = f"no budget has a token {name!r}"
                problems.append(
                    Problem(f"{path}[{at}].{name}", "unknown-token", message, suggestion(name, known))
                )
    return tuple(found)


def _tokens(raw: Any, path: str, problems: list[Problem]) -> dict[str, int]:
    if not isinstance(raw, Mapping):
        problems.append(Problem(path, "wrong-type", "tokens are counted by name, such as {simple: 2}"))
        return {}
    for name, count in raw.items():
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_TOKENS:
            message = f"1 to {MAX_TOKENS} tokens are expected, not {count!r}"
            problems.append(Problem(f"{path}.{name}", "out-of-range", message))
    return {name: count if isinstance(count, int) else 1 for name, count in raw.items()}
