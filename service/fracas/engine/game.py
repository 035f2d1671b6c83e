"""A game: a ruleset together with the packs in use, its house rules checked and its modifiers compiled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from fracas.errors import MAX_SHOWN, InputError, PackError, Problem, UnknownNameError, suggestion
from fracas.kernel.predicates import Compiler, Failed
from fracas.kernel.ruleset import Procedure, Ruleset
from fracas.kernel.tally import Modifier, Rules
from fracas.kernel.values import compile_value
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.packs.entries import Entry, HouseRule
from fracas.packs.library import Library, Shelf

BUILT_IN = ("cwn", "sr4")


def load_ruleset(id: str) -> Ruleset:
    """A built-in ruleset, or one of another package (entry point group ``fracas.rulesets``).

    Raises:
        UnknownNameError: nobody provides it.
    """
    if id in BUILT_IN:
        ruleset: Ruleset = import_module(f"fracas.rulesets.{id}").RULESET
        return ruleset
    for point in entry_points(group="fracas.rulesets"):
        if point.name == id:
            loaded: Ruleset = point.load()
            return loaded
    known = ruleset_ids()
    raise UnknownNameError.one(
        "ruleset", "unknown-ruleset", f"no ruleset named {id!r}", suggestion(id, known)
    )


def ruleset_ids() -> list[str]:
    """Every ruleset that is installed."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group="fracas.rulesets"))})


class Game:
    """A ruleset with its packs.

    Raises:
        PackError: a modifier names an unknown word, path or tally.
    """

    def __init__(self, ruleset: Ruleset, shelf: Shelf) -> None:
        self.ruleset = ruleset
        self.shelf = shelf
        self.house_rules = shelf.options()
        self._rules: dict[tuple[str, tuple[tuple[str, Any], ...]], Rules] = {}
        self._vocabularies: dict[str, Vocabulary] = {}
        self._check_targets()
        for procedure in ruleset.procedures.values():
            self.rules(procedure, self.options({}))

    def procedure(self, id: str) -> Procedure:
        """
        Raises:
            UnknownNameError: the ruleset has no such procedure.
        """
        procedure = self.ruleset.procedures.get(id)
        if procedure is None:
            hint = suggestion(id, self.ruleset.procedures)
            message = f"{self.ruleset.id} has no procedure {id!r}"
            raise UnknownNameError.one("procedure", "unknown-procedure", message, hint)
        return procedure

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All house rules: those given, and the defaults.

        Raises:
            InputError: every unknown option and every wrong value.
        """
        problems: list[Problem] = []
        for id, value in given.items():
            rule = self.house_rules.get(id)
            if rule is None:
                hint = suggestion(id, self.house_rules) if len(problems) < MAX_SHOWN else None
                problems.append(Problem(f"options.{id}", "unknown-option", f"no house rule {id!r}", hint))
            elif problem := _option_problem(rule, value):
                problems.append(problem)
        if problems:
            raise InputError(problems)
        return {id: given.get(id, rule.default) for id, rule in self.house_rules.items()}

    def vocabulary(self, procedure: Procedure) -> Vocabulary:
        """The procedure's words, and the house rules as ``option.<id>``."""
        if procedure.id not in self._vocabularies:
            fields = [_option_field(rule) for rule in self.house_rules.values()]
            self._vocabularies[procedure.id] = procedure.vocabulary.with_fields(fields)
        return self._vocabularies[procedure.id]

    def rules(self, procedure: Procedure, options: Mapping[str, Any]) -> Rules:
        """The modifiers that may apply to the procedure under these house rules, compiled once."""
        key = (procedure.id, tuple(sorted(options.items())))
        if key not in self._rules:
            if len(self._rules) > 200:
                self._rules.clear()
            self._rules[key] = self._compile(procedure, options)
        return self._rules[key]

    def _compile(self, procedure: Procedure, options: Mapping[str, Any]) -> Rules:
        vocabulary = self.vocabulary(procedure)
        facts = {f"option.{id}": value for id, value in options.items()}
        by_target: dict[str, list[Modifier]] = {}
        problems: list[Problem] = []
        targets = {to: to for to in procedure.targets} | {f"{procedure.id}.refusal": "refusal"}
        for entry in self.shelf.entries("modifier"):
            wanted = [targets[to] for to in entry.data.get("applies_to", ()) if to in targets]
            if not wanted:
                continue
            compiler = Compiler(vocabulary)
            modifier = _compile_modifier(entry, compiler, facts)
            problems += [
                Problem(_place(entry, path), problem.code, problem.message, problem.hint)
                for path, problem in compiler.problems
            ]
            if modifier is not None:
                for to in wanted:
                    by_target.setdefault(to, []).append(modifier)
        if problems:
            raise PackError(problems)
        return Rules(by_target, self.shelf.caps())

    def _check_targets(self) -> None:
        known = {to for procedure in self.ruleset.procedures.values() for to in procedure.targets}
        known |= {f"{id}.refusal" for id in self.ruleset.procedures}
        problems = [
            Problem(
                _place(entry, ("applies_to",)),
                "unknown-target",
                f"nothing is called {to!r}",
                suggestion(to, known),
            )
            for entry in self.shelf.entries("modifier")
            for to in entry.data.get("applies_to", ()) or ("",)
            if to not in known
        ]
        if problems:
            raise PackError(problems)


def _compile_modifier(entry: Entry, compiler: Compiler, options: Mapping[str, Any]) -> Modifier | None:
    """The modifier; None when these house rules alone already decide that it never applies."""
    data = entry.data
    raw = data.get("when", [])
    when = compiler.predicate(raw, ("when",))
    refuses = data.get("refuses", "")
    value = compile_value(data.get("value", 0), compiler, ("value",))
    if not compiler.problems:
        if isinstance(when(options), Failed):
            return None
        when = compiler.predicate(_with_options(raw, options, compiler), ("when",))
    return Modifier(
        entry.slug,
        entry.label,
        tuple(data.get("applies_to", ())),
        when,
        value,
        data.get("stack", "") or "",
        tuple(data.get("suppresses", ())),
        refuses,
        entry.id,
    )


def _with_options(raw: Any, options: Mapping[str, Any], compiler: Compiler) -> Any:
    """The predicate without the items that these house rules alone make true."""
    if not isinstance(raw, list):
        return raw
    return [item for item in raw if compiler.predicate(item)(options) is not None]


def _place(entry: Entry, path: Iterable[str | int]) -> str:
    return f"{entry.place} {entry.slug} {'.'.join(map(str, path))}"


def _option_problem(rule: HouseRule, value: Any) -> Problem | None:
    path = f"options.{rule.id}"
    if rule.type == "choice":
        if value not in rule.choices:
            return Problem(
                path, "unknown-choice", f"{value!r} is not known here", suggestion(value, rule.choices)
            )
    elif rule.type == "flag":
        if not isinstance(value, bool):
            return Problem(path, "wrong-type", f"true or false is expected, not {value!r}")
    elif isinstance(value, bool) or not isinstance(value, int) or not -1000 <= value <= 1000:
        return Problem(path, "wrong-type", f"a whole number is expected, not {value!r}")
    return None


def _option_field(rule: HouseRule) -> Field:
    path = f"option.{rule.id}"
    if rule.type == "flag":
        return Field(path, "flag", rule.label, rule.doc, derived_from=path)
    if rule.type == "choice":
        return Field(path, "choice", rule.label, rule.doc, choices=rule.choices, derived_from=path)
    return Field(path, "whole", rule.label, rule.doc, least=-1000, derived_from=path)


class Games:
    """The games of a library, made when first asked for."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._games: dict[str, Game] = {}

    def game(self, ruleset: str) -> Game:
        """
        Raises:
            UnknownNameError: no such ruleset.
            PackError: its packs cannot be used.
        """
        if ruleset not in self._games:
            self._games[ruleset] = Game(load_ruleset(ruleset), self.library.shelf(ruleset))
        return self._games[ruleset]

    def ids(self) -> list[str]:
        return ruleset_ids()
