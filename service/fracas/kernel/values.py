"""Values of modifiers: whole numbers, paths, and small expression trees. Never `eval`.

::

    -2
    attacker.take_aim
    {"-": [target.defenses_made]}
    {min: [attacker.take_aim, {floor: [attacker.skill, 2]}]}
    {if: [{gt: [distance, 5]}, -2, 0]}

Operators: ``+`` and ``*`` (two or more), ``-`` (one negates, two subtract), ``min``, ``max``,
``floor`` and ``ceil`` ([a, b] is a / b rounded down or up), ``if`` ([predicate, then, else]).
A path that the request left out makes the value unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.predicates import Compiler, Facts, Unknown

__all__ = ["GREATEST", "OPERATORS", "Value", "compile_value"]

Value = Callable[[Facts], int | Unknown]
"""The value under these facts, or the field that it would need."""

GREATEST = 1_000_000_000_000
"""No expression gives more, nor less than its negative: a pack cannot make numbers of a million digits."""

OPERATORS = ("+", "-", "*", "min", "max", "floor", "ceil", "if")
"""Every operator of an expression."""


def compile_value(
    raw: Any, compiler: Compiler, path: tuple[str | int, ...] = (), fractional: bool = False
) -> Value:
    """A function from facts to the value, or to the Unknown that names the field left out.

    The value is whole, and so are the paths in it, but for those that `floor` and `ceil` round (`fractional`).
    Faults are reported to `compiler`; a faulty part counts as 0 so that the check can go on.
    """
    if isinstance(raw, bool) or raw is None:
        compiler.fault(path, "bad-value", f"a value is a whole number, a path or an expression, not {raw!r}")
    elif isinstance(raw, int):
        return _constant(raw)
    elif isinstance(raw, str):
        if compiler.number(raw, path, fractional):
            return _path(raw, compiler.source_of(raw))
    elif isinstance(raw, Mapping) and len(raw) == 1:
        (operator, operands), *_ = raw.items()
        return _expression(operator, operands, compiler, (*path, operator))
    else:
        compiler.fault(
            path, "bad-value", "an expression is a mapping with one operator", "such as {min: [a, 6]}"
        )
    return _constant(0)


def _constant(value: int) -> Value:
    return lambda facts: value


def _path(name: str, source: str) -> Value:
    unknown = Unknown(source)

    def read(facts: Facts) -> int | Unknown:
        value = facts.get(name)
        return unknown if value is None else value

    return read


def _expression(operator: str, operands: Any, compiler: Compiler, path: tuple[str | int, ...]) -> Value:
    if operator not in OPERATORS:
        compiler.unknown_word(path, "unknown-operator", operator, OPERATORS)
        return _constant(0)
    counts = {"-": (1, 2), "floor": (2, 2), "ceil": (2, 2), "if": (3, 3)}
    least, most = counts.get(operator, (2, 20))
    if not isinstance(operands, list) or not least <= len(operands) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        compiler.fault(path, "bad-value", f"{operator} takes a list of {wanted} values")
        return _constant(0)
    if operator == "if":
        holds = compiler.predicate(operands[0], (*path, 0))
        then, otherwise = (compile_value(operands[at], compiler, (*path, at)) for at in (1, 2))

        def branch(facts: Facts) -> int | Unknown:
            why = holds(facts)
            if isinstance(why, Unknown):
                return why
            return then(facts) if why is None else otherwise(facts)

        return branch
    rounds = operator in ("floor", "ceil")
    parts = tuple(
        compile_value(operand, compiler, (*path, at), rounds) for at, operand in enumerate(operands)
    )
    combine = _COMBINE[operator]

    def compute(facts: Facts) -> int | Unknown:
        values = []
        for part in parts:
            value = part(facts)
            if isinstance(value, Unknown):
                return value
            values.append(value)
        return max(-GREATEST, min(GREATEST, combine(values)))

    return compute


def _product(values: list[int]) -> int:
    total = 1
    for value in values:
        total *= value
    return total


def _floor(values: list[int]) -> int:
    return int(values[0] // values[1]) if values[1] else 0


def _ceil(values: list[int]) -> int:
    return int(-(-values[0] // values[1])) if values[1] else 0


_COMBINE: dict[str, Callable[[list[int]], int]] = {
    "+": sum,
    "-": lambda values: -values[0] if len(values) == 1 else values[0] - values[1],
    "*": _product,
    "min": min,
    "max": max,
    "floor": _floor,
    "ceil": _ceil,
}
