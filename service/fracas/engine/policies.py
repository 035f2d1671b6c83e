"""Decisions taken in advance: choices, and policies, which are choices with a condition.

A condition goes by the context of a decision: ``failing``, or ``{"short": {"at_least": 1, "at_most": 3}}``.
A choice without one answers a question once, and in odds each time it is asked. A policy answers every time its
condition holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.errors import InputError, Problem, suggestion
from fracas.kernel.readers import PolicyInputs
from fracas.kernel.ruleset import ContextField, DecisionInfo
from fracas.kernel.stage import Decision, Fact

AT_LEAST, AT_MOST = "at_least", "at_most"
MAX_AMONG = 32
"""Values that one context field of a condition may list."""


class Term(NamedTuple):
    """What a condition says of one context field.

    Attributes:
        field: its id.
        among: the values that will do; empty where bounds are given.
        least, most: bounds; None for none.
    """

    field: str
    among: tuple[Fact, ...] = ()
    least: int | None = None
    most: int | None = None

    def accepts(self, value: Fact) -> bool:
        if self.among:
            return value in self.among
        if not isinstance(value, int):
            return False
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def as_json(self) -> Any:
        if self.among:
            return self.among[0] if len(self.among) == 1 else list(self.among)
        return {
            name: bound for name, bound in ((AT_LEAST, self.least), (AT_MOST, self.most)) if bound is not None
        }


class Condition(NamedTuple):
    """When a policy answers: all terms hold.

    Attributes:
        word: the name under which it was given; "" for one that spells out its terms.
    """

    terms: tuple[Term, ...]
    word: str = ""

    def holds(self, about: Mapping[str, Fact]) -> bool | None:
        """Whether it does; None where a field is not known."""
        if any(term.field not in about for term in self.terms):
            return None
        return all(term.accepts(about[term.field]) for term in self.terms)

    def as_json(self) -> Any:
        """As a request says it."""
        return self.word or {term.field: term.as_json() for term in self.terms}


CONDITIONS: Mapping[str, Condition] = {
    condition.word: condition
    for condition in (
        Condition((Term("short", least=1),), "failing"),
        Condition((Term("short", most=0),), "succeeding"),
        Condition((Term("glitch", ("glitch", "critical")),), "glitch"),
        Condition((Term("glitch", ("critical",)),), "critical-glitch"),
    )
}
"""The conditions that have a name. A decision without the field does not know them."""


class Choice(NamedTuple):
    """A decision taken in advance.

    Attributes:
        decision: its id.
        by: who decides; "" for anybody.
        roll: the roll it belongs to; "" for any.
        choose: the option's id.
        when: the condition that makes it a policy; None to choose so in any case.
    """

    decision: str
    choose: str
    by: str = ""
    roll: str = ""
    when: Condition | None = None

    def concerns(self, decision: Decision) -> bool:
        """Whether it is about this decision, whatever its condition and the options."""
        return (
            self.decision == decision.id
            and self.by in ("", decision.by)
            and self.roll in ("", dict(decision.context).get("roll"))
        )

    def fits(self, decision: Decision) -> bool:
        """Whether it answers this decision."""
        return (
            self.concerns(decision)
            and any(option.id == self.choose for option in decision.options)
            and (self.when is None or bool(self.when.holds(dict(decision.context))))
        )

    @property
    def how(self) -> str:
        """How a decision came about that it has answered for a combatant who is there."""
        return "chosen" if self.when is None else "policy"

    def as_json(self) -> dict[str, Any]:
        """As a request says it."""
        row: dict[str, Any] = {
            "decision": self.decision,
            "by": self.by,
            "roll": self.roll,
            "choose": self.choose,
        }
        return row if self.when is None else row | {"when": self.when.as_json()}


class ChoicesOnce:
    """Each choice answers the first decision it fits, a policy all of them; the rest take their defaults."""

    def __init__(self, choices: Iterable[Choice]) -> None:
        self._left = list(choices)

    def choose(self, decision: Decision) -> tuple[str, str]:
        choice = take(self._left, decision)
        return (choice.choose, choice.how) if choice else (decision.default, "default")

    def finish(self) -> None:
        """Complain of choices that nobody asked for. Of a policy nobody expects that its case comes.

        Raises:
            InputError: some are left.
        """
        for choice in self._left:
            if choice.when is None:
                raise _not_asked(choice)


def take(choices: list[Choice], decision: Decision) -> Choice | None:
    """The first choice that answers the decision; it is taken off the list unless it is a policy."""
    choice = next((choice for choice in choices if choice.fits(decision)), None)
    if choice is not None and choice.when is None:
        choices.remove(choice)
    return choice


class ChoicesAlways:
    """For odds: a choice answers every decision it fits."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = choices
        self._unused = set(choices)

    def choose(self, decision: Decision) -> tuple[str, str]:
        for choice in self._choices:
            if not choice.concerns(decision):
                continue
            if choice.when is not None and choice.when.holds(dict(decision.context)) is not None:
                self._unused.discard(choice)
            if choice.fits(decision):
                self._unused.discard(choice)
                return choice.choose, "policy"
        return decision.default, "default"

    @property
    def inputs(self) -> PolicyInputs:
        """What its answers go by."""
        terms = (term for choice in self._choices if choice.when for term in choice.when.terms)
        return PolicyInputs(
            frozenset(term.field for term in terms), frozenset(choice.choose for choice in self._choices)
        )

    def finish(self, defaults: Mapping[str, str]) -> None:
        """Complain of choices that nobody asked for; one that takes the decision's default does no harm.

        A policy whose case never came has been asked, if only its context was known.

        Raises:
            InputError: some were never asked.
        """
        for choice in self._choices:
            if choice in self._unused and choice.choose != defaults.get(choice.decision):
                raise _not_asked(choice)


def _not_asked(choice: Choice) -> InputError:
    what = f"with {choice.choose!r} among its options"
    if choice.when is not None:
        what = f"knowing {' and '.join(repr(term.field) for term in choice.when.terms)}"
    return InputError.one("decisions", "decision-not-asked", f"{choice.decision} was never asked {what}")


# Reading.


def choices_of(items: Sequence[Mapping[str, Any]]) -> tuple[Choice, ...]:
    """Choices as a request says them.

    Raises:
        InputError: every condition that is none.
    """
    problems: list[Problem] = []
    found = [
        Choice(
            item["decision"],
            item["choose"],
            item.get("by", ""),
            item.get("roll", ""),
            _condition(item.get("when"), f"decisions[{at}].when", problems),
        )
        for at, item in enumerate(items)
    ]
    if problems:
        raise InputError(problems)
    return tuple(found)


def _condition(given: Any, path: str, problems: list[Problem]) -> Condition | None:
    if given is None:
        return None
    if isinstance(given, str):
        found = CONDITIONS.get(given)
        if found is None:
            hint = suggestion(given, CONDITIONS)
            problems.append(
                Problem(path, "unknown-condition", f"no condition is called {given[:40]!r}", hint)
            )
        return found
    if not isinstance(given, Mapping) or not given:
        message = f"one of the words {', '.join(CONDITIONS)}, or an object with context fields, is expected"
        problems.append(Problem(path, "wrong-type", message))
        return None
    before = len(problems)
    terms = tuple(_term(str(field), wanted, f"{path}.{field}", problems) for field, wanted in given.items())
    return Condition(terms) if len(problems) == before else None


def _term(field: str, wanted: Any, path: str, problems: list[Problem]) -> Term:
    if isinstance(wanted, Mapping):
        return _bounds(field, wanted, path, problems)
    among = tuple(wanted) if isinstance(wanted, list) else (wanted,)
    if not 0 < len(among) <= MAX_AMONG or not all(_plain(value) for value in among):
        message = f"a whole number, a word, a list of them, or {AT_LEAST} and {AT_MOST} is expected"
        problems.append(Problem(path, "wrong-type", message))
        return Term(field)
    return Term(field, among)


def _plain(value: Any) -> bool:
    return isinstance(value, str) or _whole(value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _bounds(field: str, wanted: Mapping[str, Any], path: str, problems: list[Problem]) -> Term:
    before = len(problems)
    for name, bound in wanted.items():
        if name not in (AT_LEAST, AT_MOST):
            hint = suggestion(str(name), (AT_LEAST, AT_MOST))
            problems.append(Problem(f"{path}.{name}", "unknown-field", f"{name!r} is no field here", hint))
        elif not _whole(bound):
            problems.append(Problem(f"{path}.{name}", "wrong-type", "a whole number is expected"))
    if len(problems) > before:
        return Term(field)
    least, most = wanted.get(AT_LEAST), wanted.get(AT_MOST)
    if least is None and most is None:
        problems.append(Problem(path, "missing-field", f"{AT_LEAST} or {AT_MOST} is expected"))
    elif least is not None and most is not None and least > most:
        problems.append(Problem(path, "out-of-range", f"nothing is at least {least} and at most {most}"))
    return Term(field, (), least, most)


def choice_problems(choices: Sequence[Choice], decisions: Iterable[DecisionInfo], who: str) -> list[Problem]:
    """What is wrong with choices for these decisions, which `who`, a procedure, may ask."""
    known = {decision.id: decision for decision in decisions}
    problems = []
    for at, choice in enumerate(choices):
        decision = known.get(choice.decision)
        if decision is None:
            hint = suggestion(choice.decision, known)
            message = f"{who} never asks for {choice.decision!r}"
            problems.append(Problem(f"decisions[{at}].decision", "unknown-decision", message, hint))
            continue
        if choice.choose not in decision.options:
            hint = suggestion(choice.choose, decision.options)
            message = f"{choice.decision} has no option {choice.choose!r}"
            problems.append(Problem(f"decisions[{at}].choose", "unknown-option", message, hint))
        if choice.when is not None:
            problems += _condition_problems(choice.when, decision, f"decisions[{at}].when")
    return problems


def _condition_problems(condition: Condition, decision: DecisionInfo, path: str) -> list[Problem]:
    fields = {field.id: field for field in decision.context}
    if condition.word and any(term.field not in fields for term in condition.terms):
        fitting = [
            word for word, known in CONDITIONS.items() if all(term.field in fields for term in known.terms)
        ]
        message = f"{decision.id} is never asked knowing whether it is {condition.word!r}"
        return [Problem(path, "unknown-condition", message, suggestion(condition.word, fitting))]
    problems = []
    for term in condition.terms:
        field = fields.get(term.field)
        if field is None:
            hint = suggestion(term.field, fields)
            message = f"{decision.id} is never asked knowing {term.field[:40]!r}"
            problems.append(Problem(f"{path}.{term.field}", "unknown-clue", message, hint))
        else:
            problems += _term_problems(term, field, f"{path}.{term.field}")
    return problems


def _term_problems(term: Term, field: ContextField, path: str) -> list[Problem]:
    if not field.words:
        if all(map(_whole, term.among)):
            return []
        return [Problem(path, "wrong-type", f"{field.id} is a whole number")]
    if not term.among:
        return [Problem(path, "wrong-type", f"{field.id} is one of {', '.join(field.words)}")]
    return [
        Problem(path, "unknown-choice", f"{field.id} is never {value!r}", suggestion(str(value), field.words))
        for value in term.among
        if value not in field.words
    ]
