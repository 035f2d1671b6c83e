"""Every entry of a pack put to use once: a weapon is fired, a modifier applies and fails, an action is paid for.

What an entry does shows in use only. The situations come from the ruleset (`Ruleset.samples`), or else from the
examples of its fields; modifiers, actions and changes of numbers need none.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fracas.dice.sources import SeededDice
from fracas.engine.action_samples import action_faults
from fracas.engine.change_samples import change_faults, state_faults
from fracas.engine.example_samples import samples_of
from fracas.engine.game import Game, steps
from fracas.engine.modifier_samples import Fault, asked, try_modifier
from fracas.engine.skirmish_samples import skirmish_faults
from fracas.errors import InputError
from fracas.kernel import readers
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.ruleset import Prepared, Procedure, Sample
from fracas.kernel.sample_facts import Mentions
from fracas.packs.entries import Entry

__all__ = ["Fault", "sample_faults"]

_ALWAYS_POSSIBLE = ("weapon", "armor", "ammunition", "range", "combatant", "vehicle")
"""Kinds whose samples must not be refused; a condition may well make an attack impossible."""

_ENTRY = re.compile(r"([a-z0-9-]+:[a-z]+/[a-z0-9-]+) (.*)")


def sample_faults(game: Game, entries: Iterable[Entry], budget: Budget = UNLIMITED) -> list[Fault]:
    """Put entries of the game to use, and report what goes wrong.

    The dice are the same each time. Worked examples have expectations of their own and are not run here.

    Raises:
        OverBudgetError: it takes more processor time than there is; seen between two entries.
    """
    found: list[Fault] = []
    for entry in entries:
        budget.check()
        try:
            found += list(_faults(game, entry))
        except Exception as error:
            found.append(_crash(entry, "it cannot be tried", error))
    return found


def _faults(game: Game, entry: Entry) -> Iterator[Fault]:
    if entry.kind == "modifier":
        yield from try_modifier(game, entry).faults
        return
    if entry.kind == "action":
        yield from action_faults(game, entry)
    yield from skirmish_faults(game, entry)
    changes = [*change_faults(game, entry), *state_faults(game, entry)]
    yield from changes
    if entry.kind != "example" and not changes:  # a wrong change would only be reported again, less exactly
        yield from _procedure_faults(game, entry)


def _procedure_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """What goes wrong in the ruleset's samples of the entry; what goes wrong several times is reported once."""
    reported: set[tuple[Any, ...]] = set()
    try:
        samples = samples_of(game, entry)
    except Exception as error:
        yield _crash(entry, "its sample cannot be set up", error)
        return
    for number, sample in enumerate(samples):
        for fault in _sample(game, entry, sample, number):
            # The same field may be missed by several procedures, each in words of its own.
            seen = (fault.path, fault.code, "" if fault.path else fault.message)
            if seen not in reported:
                reported.add(seen)
                yield fault


def _sample(game: Game, entry: Entry, sample: Sample, number: int) -> Iterator[Fault]:
    """One sample: a field set reads the situation, a procedure plays it to its end."""
    try:
        if sample.procedure in game.ruleset.field_sets:
            game.ruleset.field_sets[sample.procedure].vocabulary.parse(sample.situation, game.packs)
            return
        procedure = game.procedure(sample.procedure)
        prepared = procedure.prepare(asked(game, procedure, sample.situation, {}))
        if prepared.stage is not None:
            dice = SeededDice(hashlib.sha256(f"fracas trial {number} of {entry.id}".encode()).digest())
            progress = readers.resolve(prepared.stage, dice, readers.DefaultPolicy())
    except InputError as error:
        if not sample.tentative:
            yield from _input_faults(game, entry, sample, error)
        return
    except Exception as error:
        yield _crash(entry, f"{sample.procedure} breaks down", error)
        return
    if prepared.stage is None:
        if entry.kind in _ALWAYS_POSSIBLE and not sample.tentative:
            yield from _refusals(game, entry, sample, procedure, prepared)
        return
    result = {**progress.details, **progress.stage.notes()}
    effects = [effect._asdict() for effect in progress.stage.effects()]
    try:
        json.dumps([result, effects, dict(prepared.facts)], allow_nan=False)
    except (TypeError, ValueError) as error:
        message = f"the outcome of {sample.procedure} cannot be written down: {error}"
        yield Fault(entry, (), "bad-outcome", message, _brief(sample))


def _crash(entry: Entry, what: str, error: Exception) -> Fault:
    return Fault(entry, (), "trial-crashes", f"{what}: {type(error).__name__}: {error}")


def _input_faults(game: Game, entry: Entry, sample: Sample, error: InputError) -> Iterator[Fault]:
    for problem in error.problems:
        named = _ENTRY.fullmatch(problem.path)
        if named and named[1] != entry.id:
            continue  # the fault of another entry, which has samples of its own
        path = steps(named[2]) if named else _path_in(entry, sample, problem.path)
        message = f"{sample.procedure}: {problem.message}"
        if path is None:
            message = f"{sample.procedure}: {problem.path}: {problem.message}"
        yield Fault(entry, path or (), problem.code, message, problem.hint or _brief(sample))


def _path_in(entry: Entry, sample: Sample, field: str) -> tuple[str | int, ...] | None:
    """The part of the entry that a field of the situation comes from; None where it is unknown."""
    way = steps(field)[1:]
    at: Any = sample.situation
    for depth, step in enumerate(way):
        if _uses(at, entry):
            return way[depth:]
        try:
            at = at[step]
        except (KeyError, IndexError, TypeError):
            return None
    return _holding(entry.data, at) if isinstance(at, str) else None


def _uses(record: Any, entry: Entry) -> bool:
    name = record.get("use") if isinstance(record, Mapping) else record
    return isinstance(name, str) and name in (entry.id, entry.slug)


def _holding(data: Mapping[str, Any], text: str) -> tuple[str | int, ...] | None:
    """The first field of an entry that is this text, or a list that holds it."""
    for name, value in data.items():
        if value == text:
            return (name,)
        if isinstance(value, list) and text in value:
            return name, value.index(text)
    return None


def _refusals(
    game: Game, entry: Entry, sample: Sample, procedure: Procedure, prepared: Prepared
) -> Iterator[Fault]:
    for refusal in prepared.refusals:
        rule = game.packs.entry("modifier", refusal.source)
        path = _read_of(game, entry, sample, procedure, rule) if rule else ()
        message = f"{sample.procedure} is refused: {refusal.label}"
        yield Fault(entry, path, "refused", message, _brief(sample))


def _read_of(
    game: Game, entry: Entry, sample: Sample, procedure: Procedure, rule: Entry
) -> tuple[str | int, ...]:
    """The one field of the entry that a refusal reads; empty where it reads none or several."""
    read = Mentions(game.vocabulary(procedure)).predicate(rule.data.get("when", [])).constants
    own = set()
    for path in read:
        record, _, name = path.rpartition(".")
        if record and _uses(sample.situation.get(record), entry) and name in entry.data:
            own.add(name)
    return (own.pop(),) if len(own) == 1 else ()


def _brief(sample: Sample) -> str:
    """The situation of a sample in one line."""
    return "tried with " + ", ".join(
        f"{name} {_short(value)}" for name, value in sample.situation.items() if value not in ({}, [])
    )


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        if "use" in value:
            return str(value["use"])
        shown = " ".join(str(item) for item in value.values() if isinstance(item, (str, int, float)))
        return shown or "as given"
    return str(value)
