"""Modifiers put to use: each must apply under some facts, and fail under others.

The facts are found from its predicate (`kernel.sample_facts`), so that no situation need be written for a modifier.
Where a request can say all of them, the modifier is also seen at work in the procedure itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from fracas.engine.example_samples import samples_of, situation_of
from fracas.engine.game import Game, compile_modifier
from fracas.errors import InputError
from fracas.kernel.predicates import Compiler, Facts, Unknown
from fracas.kernel.ruleset import AttemptRequest, FieldSet, Prepared, Procedure
from fracas.kernel.sample_facts import Domains, Mentions, Search, domains, search
from fracas.kernel.tally import Modifier
from fracas.packs.entries import Entry

MOST = 1000
"""No modifier adds or takes away more."""

_SAMPLES = 4
"""Facts under which a modifier is tried in its procedure."""
_BASES = 8
"""Situations of a procedure that these facts are added to."""
_ORDINARY = (1, 2, 3, 0, -1, -2, -3)
"""What numbers usually are; a value is computed for each of them."""


class Fault(NamedTuple):
    """What is wrong with an entry that was put to use.

    Attributes:
        path: keys and list indexes of the part at fault, from the entry; empty where it is unknown.
        code: stable word for the kind of fault.
        message: what was found and what was expected.
        hint: a suggestion, or None.
    """

    entry: Entry
    path: tuple[str | int, ...]
    code: str
    message: str
    hint: str | None = None


class ModifierCheck(NamedTuple):
    """How the sample of one modifier went.

    Attributes:
        faults: what is wrong with it.
        proven: ids of the procedures in which it was seen at work, with a situation that a request can say.
    """

    faults: tuple[Fault, ...]
    proven: tuple[str, ...]


def try_modifier(game: Game, entry: Entry) -> ModifierCheck:
    """Try a modifier or refusal against each procedure and field set that one of its numbers belongs to."""
    faults: dict[tuple[str, tuple[str | int, ...]], Fault] = {}
    proven = []
    wanted = _listed(entry.data.get("applies_to"))
    for sheet in game.sheets():
        targets = {to: to for to in sheet.targets} | {f"{sheet.id}.refusal": "refusal"}
        if any(to in targets for to in wanted):
            sample = _ModifierCheck(game, sheet, entry)
            for fault in sample.faults():
                faults.setdefault((fault.code, fault.path), fault)
            if sample.modifier is not None and not faults and not isinstance(sheet, FieldSet):
                procedure: Procedure = sheet
                seen = sample.seen(procedure)
                if seen is not None:
                    proven += [sheet.id] * seen.applied
                    if seen.fault:
                        faults.setdefault((seen.fault.code, seen.fault.path), seen.fault)
    return ModifierCheck(tuple(faults.values()), tuple(proven))


class _Seen(NamedTuple):
    """What a procedure made of a modifier."""

    applied: bool
    fault: Fault | None


class _ModifierCheck:
    """A modifier with the words of one procedure or field set."""

    def __init__(self, game: Game, sheet: Procedure | FieldSet, entry: Entry) -> None:
        self._game = game
        self._sheet = sheet
        self._entry = entry
        self._words = game.vocabulary(sheet)
        self._compiler = Compiler(self._words)
        self.modifier: Modifier | None = compile_modifier(entry, self._compiler, {})
        self._mentions = Mentions(self._words)
        self._domains = Domains({}, True)
        if not self._compiler.problems:
            self._mentions.predicate(self._when)
            if "refuses" not in entry.data:
                self._mentions.value(entry.data.get("value", 0))
            self._domains = domains(self._mentions, self._words)

    @property
    def _when(self) -> Any:
        return self._entry.data.get("when", [])

    def faults(self) -> Iterator[Fault]:
        """Whether it can apply and fail, and what it is worth then."""
        for path, problem in self._compiler.problems:
            yield Fault(self._entry, path, problem.code, problem.message, problem.hint)
        if self._compiler.problems:
            return
        applies = Search((), True)
        if self.modifier is not None:
            applies = search(self.modifier.when, self._domains, holds=True, most=_SAMPLES)
        if not applies.found and applies.complete:
            message = f"in {self._sheet.id} it can never apply: no situation makes all of this true"
            yield Fault(self._entry, ("when",), "never-applies", message, self._contradiction())
        if self.modifier is None:
            return
        if self._when:
            fails = search(self.modifier.when, self._domains, holds=False)
            if not fails.found and fails.complete:
                message = f"in {self._sheet.id} it always applies: no situation makes any of this false"
                hint = "an empty list says so too, unless something else was meant"
                yield Fault(self._entry, ("when",), "always-applies", message, hint)
        if not self.modifier.refuses and applies.found:
            yield from self._value_faults(applies.found[0])

    def _contradiction(self) -> str | None:
        """Two items of the predicate that cannot both hold, as a hint."""
        items = self._when if isinstance(self._when, list) else []
        for at, one in enumerate(items):
            for other in items[:at]:
                pair = Mentions(self._words).predicate([other, one])
                both = self._compiler.predicate([other, one])
                found = search(both, domains(pair, self._words), holds=True)
                if not found.found and found.complete:
                    first, second = (_shown(item) for item in (other, one))
                    return f"{first} and {second} exclude each other"
        return None

    def _value_faults(self, facts: Facts) -> Iterator[Fault]:
        """The first thing that goes wrong with its value, under these facts and with ordinary numbers."""
        assert self.modifier is not None
        read = Mentions(self._words).value(self._entry.data.get("value", 0)).constants
        for varied in self._varied(facts, read):
            if self.modifier.when(varied) is not None:
                continue
            value = self.modifier.value(varied)
            if isinstance(value, Unknown):
                message = f"in {self._sheet.id} its value cannot be computed: {value.field} is not known"
            elif isinstance(value, bool) or not isinstance(value, int):
                message = f"in {self._sheet.id} its value is {value!r}, and not a whole number"
            elif not -MOST <= value <= MOST:
                message = f"in {self._sheet.id} its value is {value}; -{MOST} to {MOST} is expected"
            else:
                continue
            hint = f"with {_facts_shown({path: varied[path] for path in read})}" if read else None
            yield Fault(self._entry, ("value",), "value-fails", message, hint)
            return

    def _varied(self, facts: Facts, paths: Iterable[str]) -> Iterator[Facts]:
        """The facts, and the same with one of these paths made something else that is ordinary."""
        yield facts
        for path in paths:
            values = self._domains.values[path]
            if self._words.is_number(path):
                field = self._words.fields[path]
                values = [number for number in _ORDINARY if field.least <= number <= field.most]
            for value in values:
                yield {**facts, path: value}

    def seen(self, procedure: Procedure) -> _Seen | None:
        """What the procedure makes of it; None when a request cannot say everything that it reads."""
        assert self.modifier is not None
        fields = [self._words.fields[path] for path in self._mentions.constants]
        if not all(field.derived_from in (None, field.path) for field in fields):
            return None
        verdicts: list[str] = []
        given: Facts = {}
        for facts in search(self.modifier.when, self._domains, holds=True, most=_SAMPLES).found:
            for base in bases(self._game, procedure):
                found = self._verdicts(procedure, base, facts)
                if any(verdict not in ("failed", "unknown") for verdict in found):
                    return _Seen(True, None)
                verdicts += found
                given = facts if found else given
        if not verdicts:
            return _Seen(False, None)
        message = f"{procedure.id} finds that it does not apply, though everything that it asks for was given"
        fault = Fault(self._entry, ("when",), "never-applies", message, f"with {_facts_shown(given)}")
        return _Seen(False, fault)

    def _verdicts(self, procedure: Procedure, base: Mapping[str, Any], facts: Facts) -> list[str]:
        """The verdicts on it in all tallies of one attempt; none when the attempt does not come that far."""
        options = {path.removeprefix("option."): value for path, value in facts.items() if _is_option(path)}
        given = {path: value for path, value in facts.items() if not _is_option(path)}
        try:
            prepared = prepare(self._game, procedure, merged(base, given), options)
        except InputError:
            return []
        if self._entry.data.get("refuses"):
            return ["applied" for refusal in prepared.refusals if refusal.source == self._entry.id]
        return [
            line.verdict
            for tally in prepared.tallies
            for line in tally.entries
            if line.source == self._entry.id and line.origin == "pack"
        ]


def prepare(
    game: Game, procedure: Procedure, situation: Mapping[str, Any], options: Mapping[str, Any]
) -> Prepared:
    """The procedure made ready with this situation and these house rules.

    Raises:
        InputError: the situation lacks something, or says something that does not exist.
    """
    return procedure.prepare(asked(game, procedure, situation, options))


def asked(
    game: Game, procedure: Procedure, situation: Mapping[str, Any], options: Mapping[str, Any]
) -> AttemptRequest:
    """An attempt as a request makes it, all decisions closed.

    Raises:
        InputError: the situation says something that does not exist.
    """
    given = procedure.vocabulary.parse(situation, game.packs)
    complete = game.options(options)
    given.facts.update((f"option.{id}", value) for id, value in complete.items())
    return AttemptRequest(given, complete, (), frozenset(), game.rules(procedure, complete), game.packs)


class _Bases:
    """The situations of `bases`, of which no more are found than were asked for.

    Args:
        samples: situations of the samples that are of the procedure.
    """

    def __init__(self, samples: Iterable[Mapping[str, Any]]) -> None:
        self._left = iter(samples)
        self._found: list[Mapping[str, Any]] = []
        self._made: set[frozenset[str]] = set()

    def of(self, game: Game, procedure: Procedure) -> Iterator[Mapping[str, Any]]:
        at = 0
        while at < len(self._found) or self._find(game, procedure):
            yield self._found[at]
            at += 1

    def _find(self, game: Game, procedure: Procedure) -> bool:
        """Whether there is one more."""
        for situation in self._left if len(self._found) < _BASES else ():
            try:
                prepared = prepare(game, procedure, situation, {})
            except Exception:
                continue  # the fault of that entry, whose own sample reports it
            made = frozenset(tally.to for tally in prepared.tallies)
            if prepared.stage is not None and made not in self._made:
                self._made.add(made)
                self._found.append(situation)
                return True
        return False


_bases: WeakKeyDictionary[Game, dict[str, _Bases]] = WeakKeyDictionary()


def bases(game: Game, procedure: Procedure) -> Iterator[Mapping[str, Any]]:
    """Situations of the procedure, of the samples of the game's entries, that differ in the numbers they make."""
    known = _bases.get(game)
    if known is None:
        known = _bases[game] = _all_bases(game)
    return known[procedure.id].of(game, procedure) if procedure.id in known else iter(())


def _all_bases(game: Game) -> dict[str, _Bases]:
    """By id of the procedure."""
    procedures = game.ruleset.procedures.values()
    situations = {procedure.id: [situation_of(game, procedure)] for procedure in procedures}
    for kind in ("weapon", "combatant", "armor", "ammunition", "vehicle"):
        for entry in game.packs.entries(kind):
            for sample in samples_of(game, entry):
                situations.setdefault(sample.procedure, []).append(sample.situation)
    return {id: _Bases(found) for id, found in situations.items()}


def merged(situation: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """The situation with these facts given, in place of what it had for them."""
    result = dict(situation)
    for path, value in facts.items():
        *records, name = path.split(".")
        at = result
        for record in records:
            inner = at.get(record, {})
            at[record] = {"use": inner} if isinstance(inner, str) else dict(inner)
            at = at[record]
        at[name] = list(value) if isinstance(value, tuple) else value
    return result


def _is_option(path: str) -> bool:
    return path.startswith("option.")


def _listed(raw: Any) -> list[str]:
    return [item for item in raw if isinstance(item, str)] if isinstance(raw, list) else []


def _facts_shown(facts: Facts) -> str:
    return ", ".join(f"{path}: {_shown(value)}" for path, value in facts.items())


def _shown(raw: Any) -> str:
    """A predicate or a value as one short line."""
    if isinstance(raw, Mapping):
        return ", ".join(f"{key}: {_shown(value)}" for key, value in raw.items())
    if isinstance(raw, (list, tuple)):
        return "[" + ", ".join(map(_shown, raw)) + "]"
    return str(raw).lower() if isinstance(raw, bool) else str(raw)
