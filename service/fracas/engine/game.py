"""A game: a ruleset together with the packs in use, its house rules checked and its modifiers compiled."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas._former_names import formerly
from fracas.engine.fight_words import with_fight_words
from fracas.errors import MAX_SHOWN, InputError, PackError, Problem, UnknownNameError, nearest, suggestion
from fracas.kernel.economy import Economy, economy_of
from fracas.kernel.predicates import Compiler, Failed, all_of
from fracas.kernel.ruleset import FieldSet, Phrases, Procedure, Ruleset
from fracas.kernel.tally import Modifier, Rules
from fracas.kernel.values import compile_value
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.packs.attached import PHRASES
from fracas.packs.entries import Entry, Fault, HouseRule
from fracas.packs.library import Library, RulesetPacks
from fracas.packs.manifest import value_fault
from fracas.packs.schemas import installed


def load_ruleset(id: str) -> Ruleset:
    """A ruleset of an installed package (entry point group ``fracas.rulesets``).

    Raises:
        UnknownNameError: no package provides it.
    """
    if id in installed():
        loaded: Ruleset = installed()[id].load()
        return loaded
    known = ruleset_ids()
    raise UnknownNameError.one(
        "ruleset", "unknown-ruleset", f"no ruleset named {id!r}", suggestion(id, known)
    )


def ruleset_ids() -> list[str]:
    """Every ruleset that is installed."""
    return sorted(installed())


_VALUES: Mapping[str, Any] = {"yes": True, "no": False}


def _phrases(ruleset_packs: RulesetPacks) -> Phrases:
    """How facts of outcomes read by the packs, the last of which counts."""
    found: dict[str, str | Mapping[Any, str]] = {}
    for pack in ruleset_packs.packs:
        for fact, given in pack.attached[PHRASES].data.items() if PHRASES in pack.attached else ():
            one = isinstance(given, str)
            found[fact] = given if one else {_VALUES.get(value, value): text for value, text in given.items()}
    return found


_Found = tuple[tuple[str | int, ...], Problem]
"""A problem, and the path within the entry."""


@formerly(shelf="packs")
class Game:
    """A ruleset with its packs.

    Args:
        tolerant: leave out modifiers that cannot be compiled, needs that cannot be checked and an economy that fits
            nobody, and keep what is wrong with them in `faults`.
        checked: the packs are known to fit, such as those that travel with Fracas: modifiers are compiled once
            their procedure is used.

    Raises:
        PackError: a modifier names an unknown word, path or tally, the economy an unknown token, a need an unknown
            form; unless `tolerant`.
    """

    def __init__(
        self, ruleset: Ruleset, ruleset_packs: RulesetPacks, tolerant: bool = False, checked: bool = False
    ) -> None:
        self.ruleset = ruleset._replace(phrases={**ruleset.phrases, **_phrases(ruleset_packs)})
        self.packs = ruleset_packs
        self.house_rules = ruleset_packs.options()
        self._rules: dict[tuple[str, tuple[tuple[str, Any], ...]], Rules] = {}
        self._last_rules: dict[str, tuple[Mapping[str, Any], Rules]] = {}  # a fight keeps its house rules
        self._vocabularies: dict[str, Vocabulary] = {}
        self._called_now: dict[str, Entry] = {}
        self._faults: dict[tuple[str, str], Fault] = {}
        if ruleset.turns is not None:
            turns, faults = with_fight_words(ruleset.turns, ruleset_packs)
            self.ruleset = self.ruleset._replace(turns=turns)
            self._faults |= {(fault.problem.path, fault.problem.code): fault for fault in faults}
        usual = {id: rule.current(rule.default) for id, rule in self.house_rules.items()}
        self._usual = {**self.ruleset.turns.options, **usual} if self.ruleset.turns is not None else usual
        self.economy = self._economy()
        if not checked:
            self._check_modifiers()
        if self._faults and not tolerant:
            raise PackError(
                (fault.problem for fault in self.faults), frozenset(fault.pack for fault in self.faults)
            )

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with needs, the economy and modifiers, in the order in which it was found."""
        return tuple(self._faults.values())

    def sheets(self) -> list[Procedure | FieldSet]:
        """Everything that has words and numbers for modifiers."""
        return [*self.ruleset.procedures.values(), *self.ruleset.field_sets.values()]

    def procedure(self, id: str) -> Procedure:
        """
        Raises:
            UnknownNameError: the ruleset has no such procedure.
        """
        procedure = self.ruleset.procedures.get(id)
        if procedure is None:
            message = f"{self.ruleset.id} has no procedure {id!r}"
            raise UnknownNameError.one("procedure", "unknown-procedure", message, self.like_procedure(id))
        return procedure

    def like_procedure(self, id: str) -> str:
        """A hint about a procedure that there is not: the nearest, and all."""
        near = nearest(id, self.ruleset.procedures)
        known = f"{self.ruleset.id} has {', '.join(self.ruleset.procedures)}"
        return f"did you mean {near!r}? {known}" if near else known

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All house rules: those given, the defaults, and what counts for those that no pack declares.

        Raises:
            InputError: every unknown option and every wrong value.
        """
        problems: list[Problem] = []
        for id, value in given.items():
            rule = self.house_rules.get(id)
            if rule is None:
                hint = suggestion(id, self.house_rules) if len(problems) < MAX_SHOWN else None
                problems.append(Problem(f"options.{id}", "unknown-option", f"no house rule {id!r}", hint))
            elif complaint := value_fault(rule, value):
                code = "unknown-choice" if rule.type == "choice" else "wrong-type"
                problems.append(Problem(f"options.{id}", code, *complaint))
        if problems:
            raise InputError(problems)
        return {**self._usual, **{id: self.house_rules[id].current(value) for id, value in given.items()}}

    def vocabulary(self, sheet: Procedure | FieldSet) -> Vocabulary:
        """The words of a procedure or field set, and the house rules as ``option.<id>``."""
        if sheet.id not in self._vocabularies:
            fields = [_option_field(rule) for rule in self.house_rules.values()]
            self._vocabularies[sheet.id] = sheet.vocabulary.with_fields(fields)
        return self._vocabularies[sheet.id]

    def rules(self, sheet: Procedure | FieldSet, options: Mapping[str, Any]) -> Rules:
        """The modifiers that may apply to the procedure under these house rules, compiled once."""
        last = self._last_rules.get(sheet.id)
        if last is not None and last[0] == options:
            return last[1]
        key = (sheet.id, tuple(sorted(options.items())))
        if key not in self._rules:
            if len(self._rules) > 200:
                self._rules.clear()
            self._rules[key] = self._compile(sheet, options)
        self._last_rules[sheet.id] = options, self._rules[key]
        return self._rules[key]

    def modifiers(self, sheet: Procedure | FieldSet) -> list[tuple[Entry, list[str]]]:
        """The modifiers that may apply to it, each with the tallies that it applies to (``refusal`` for one)."""
        targets = {to: to for to in sheet.targets} | {f"{sheet.id}.refusal": "refusal"}
        wanted = (
            (entry, [targets[to] for to in entry.data.get("applies_to", ()) if to in targets])
            for entry in self.packs.entries("modifier")
        )
        return [(entry, to) for entry, to in wanted if to]

    def _compile(self, sheet: Procedure | FieldSet, options: Mapping[str, Any]) -> Rules:
        vocabulary = self.vocabulary(sheet)
        facts = {f"option.{id}": value for id, value in options.items()}
        by_target: dict[str, list[Modifier]] = {}
        for entry, targets in self.modifiers(sheet):
            compiler = Compiler(vocabulary)
            modifier = compile_modifier(self._as_called_now(entry), compiler, facts)
            for path, problem in compiler.problems:
                self._fault(entry, path, problem)
            if modifier is not None and not compiler.problems:
                for to in targets:
                    by_target.setdefault(to, []).append(modifier)
        return Rules(by_target, self.packs.caps(options))

    def _as_called_now(self, entry: Entry) -> Entry:
        """A modifier with the former names of choices of house rules replaced."""
        if entry.id not in self._called_now:
            rules = {f"option.{id}": rule for id, rule in self.house_rules.items() if rule.former}
            self._called_now[entry.id] = entry._replace(data=_renamed(entry.data, rules)) if rules else entry
        return self._called_now[entry.id]

    def _economy(self) -> Economy | None:
        """What combatants may spend, as the last layer that says it says it."""
        packs = (pack for pack in reversed(self.packs.packs) if "economy" in pack.manifest.raw)
        pack = next(packs, None)
        raw = pack.manifest.raw["economy"] if pack else None
        if pack is None or not isinstance(raw, Mapping):  # the schema says that it is a mapping
            return None
        try:
            return economy_of(raw)
        except InputError as error:
            for problem in error.problems:
                of_key = problem.code == "unknown-token"
                place = pack.manifest.location.text(("economy", *steps(problem.path)), of_key=of_key)
                fault = Fault(pack.id, problem._replace(path=place))
                self._faults.setdefault((place, problem.code), fault)
        return None

    def examine(self, entry: Entry) -> list[Fault]:
        """What is wrong with the words of a modifier that the packs leave out, since its structure has faults."""
        targets = entry.data.get("applies_to")
        named = [to for to in targets if isinstance(to, str)] if isinstance(targets, list) else []
        meant = [sheet for sheet in self.sheets() if not _names(sheet).isdisjoint(named)]
        found = [*self._target_problems(named, self._target_names())]
        for sheet in meant:
            found += self._word_problems(entry, sheet)
        if not meant:
            found += self._nowhere(entry)
        return list(dict.fromkeys(_placed(entry, path, problem) for path, problem in found))

    def _word_problems(self, entry: Entry, sheet: Procedure | FieldSet) -> list[_Found]:
        compiler = Compiler(self.vocabulary(sheet))
        compiler.predicate(entry.data.get("when", []), ("when",))
        compile_value(entry.data.get("value", 0), compiler, ("value",))
        return compiler.problems

    def _nowhere(self, entry: Entry) -> list[_Found]:
        """Words that no procedure knows, of a modifier that names none."""
        first, *others = [self._word_problems(entry, sheet) for sheet in self.sheets()] or [[]]
        elsewhere = [{path for path, _ in problems} for problems in others]
        return [(path, problem) for path, problem in first if all(path in paths for paths in elsewhere)]

    def _check_modifiers(self) -> None:
        known = self._target_names()
        for entry in self.packs.entries("modifier"):
            targets = entry.data.get("applies_to", ()) or ("",)
            found = list(self._target_problems(targets, known))
            if len(found) == len(targets):
                found += self._nowhere(entry)
            for path, problem in found:
                self._fault(entry, path, problem)
        defaults = self.options({})
        for sheet in self.sheets():
            self.rules(sheet, defaults)

    def _target_names(self) -> set[str]:
        """Everything that modifiers may apply to."""
        return {name for sheet in self.sheets() for name in _names(sheet)}

    def _target_problems(self, targets: Sequence[str], known: Collection[str]) -> Iterator[_Found]:
        for at, to in enumerate(targets):
            if to not in known:
                message = f"nothing is called {to!r}"
                yield ("applies_to", at), Problem("", "unknown-target", message, suggestion(to, known))

    def _fault(self, entry: Entry, path: Sequence[str | int], problem: Problem) -> None:
        fault = _placed(entry, path, problem)
        self._faults.setdefault((fault.problem.path, problem.code), fault)


def _names(sheet: Procedure | FieldSet) -> set[str]:
    """What modifiers may apply to."""
    return {*sheet.targets, f"{sheet.id}.refusal"}


def _placed(entry: Entry, path: Sequence[str | int], problem: Problem) -> Fault:
    place = entry.location_of(path, of_key=problem.code == "unknown-operator")
    return Fault(entry.author_of(path), problem._replace(path=place))


_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def steps(path: str) -> tuple[str | int, ...]:
    """A dotted path such as ``skills[0].label``, taken apart."""
    return tuple(int(index) if index else name for index, name in _STEP.findall(path))


def compile_modifier(entry: Entry, compiler: Compiler, options: Mapping[str, Any]) -> Modifier | None:
    """The modifier; None when these house rules (facts ``option.<id>``) alone decide that it never applies."""
    data = entry.data
    items = compiler.items(data.get("when", []), ("when",))
    refuses = data.get("refuses", "")
    value = compile_value(data.get("value", 0), compiler, ("value",))
    if not compiler.problems:
        judged = [(item, item(options)) for item in items]
        if any(isinstance(why, Failed) for _, why in judged):
            return None
        # Those that hold by these house rules alone always will.
        items = [item for item, why in judged if why is not None]
    return Modifier(
        entry.slug,
        entry.label,
        tuple(data.get("applies_to", ())),
        all_of(items),
        value,
        data.get("stack", "") or "",
        tuple(data.get("suppresses", ())),
        refuses,
        entry.id,
    )


def _renamed(data: Any, rules: Mapping[str, HouseRule]) -> Any:
    """Data in which no comparison with one of these house rules has the former name of a choice."""
    if isinstance(data, Mapping):
        return {name: _renamed(part, rules) for name, part in data.items()}
    if not isinstance(data, list):
        return data
    rule = rules.get(data[0]) if data and isinstance(data[0], str) else None
    return [_renamed(part, rules) if rule is None else rule.current(part) for part in data]


def _option_field(rule: HouseRule) -> Field:
    path = f"option.{rule.id}"
    if rule.type == "flag":
        return Field(path, "flag", rule.label, rule.doc, derived_from=path)
    if rule.type == "choice":
        return Field(path, "choice", rule.label, rule.doc, choices=rule.choices, derived_from=path)
    return Field(path, "whole", rule.label, rule.doc, least=-1000, derived_from=path)


class Games:
    """The games of a library, made when first asked for.

    Args:
        left_out: packs that are not in the library for their faults: what their folders are called, and the faults.
        checked: see `Game`.
    """

    def __init__(
        self,
        library: Library,
        left_out: Mapping[str, tuple[Problem, ...]] | None = None,
        checked: bool = False,
    ) -> None:
        self._checked = checked
        self._state: tuple[Library, dict[str, Game], Mapping[str, tuple[Problem, ...]]]
        self._state = (library, {}, dict(left_out or {}))

    def __deepcopy__(self, memo: object) -> Games:
        """Itself: flask-smorest copies the schemas of requests, which hold it, and a copy would not be reloaded."""
        return self

    @property
    def library(self) -> Library:
        return self._state[0]

    @property
    def left_out(self) -> Mapping[str, tuple[Problem, ...]]:
        return self._state[2]

    def game(self, ruleset: str) -> Game:
        """
        Raises:
            UnknownNameError: no such ruleset.
            PackError: its packs cannot be used.
        """
        library, games, _ = self._state
        if ruleset not in games:
            packs = library.ruleset_packs(ruleset)
            games[ruleset] = Game(load_ruleset(ruleset), packs, checked=self._checked)
        return games[ruleset]

    def ruleset(self, id: str) -> Ruleset:
        """The ruleset with the words of its packs; see `game` for errors."""
        return self.game(id).ruleset

    def faults(self, ruleset: str) -> tuple[Fault, ...]:
        """What is wrong with a game; one without faults is kept for use."""
        library, games, _ = self._state
        game = games.get(ruleset) or Game(
            load_ruleset(ruleset), library.ruleset_packs(ruleset), tolerant=True
        )
        if not game.faults:
            games[ruleset] = game
        return game.faults

    def ids(self) -> list[str]:
        return ruleset_ids()

    def without(self, left_out: Mapping[str, tuple[Problem, ...]]) -> Games:
        """The same games, which know of these packs that are left out."""
        other = Games(self.library, left_out)
        other._state = (*self._state[:2], other.left_out)
        return other

    def become(self, other: Games) -> None:
        """Serve what the other serves, from the next call on. Games that are in use stay as they are."""
        self._state = other._state
