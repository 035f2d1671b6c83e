"""Every entry of a pack put to use once: a weapon is fired, a modifier applies and fails, an action is paid for.

What an entry does shows in use only. The situations come from the ruleset (`Ruleset.trials`), or else from the examples
of its fields; modifiers, actions and changes of numbers need none.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fracas.dice.sources import SeededDice
from fracas.engine.action_trials import action_faults
from fracas.engine.change_trials import change_faults, state_faults
from fracas.engine.example_trials import trials_of
from fracas.engine.game import Game, steps
from fracas.engine.modifier_trials import Fault, asked, try_modifier
from fracas.engine.skirmish_trials import skirmish_faults
from fracas.errors import InputError
from fracas.kernel import readers
from fracas.kernel.ruleset import Prepared, Procedure, Trial
from fracas.kernel.sample_facts import Mentions
from fracas.packs.entries import Entry

__all__ = ["Fault", "trial_faults"]

_ALWAYS_POSSIBLE = ("weapon", "armor", "ammunition", "range", "combatant", "vehicle")
"""Kinds whose trials must not be refused; a condition may well make an attack impossible."""

_ENTRY = re.compile(r"([a-z0-9-]+:[a-z]+/[a-z0-9-]+) (.*)")


def trial_faults(game: Game, entries: Iterable[Entry]) -> list[Fault]:
    """Put entries of the game to use, and report what goes wrong.

    The dice are the same each time. Worked examples have expectations of their own and are not run here.
    """
    found: list[Fault] = []
    for entry in entries:
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
    """What goes wrong in the ruleset's trials of the entry; what goes wrong several times is reported once."""
    told: set[tuple[Any, ...]] = set()
    try:
        trials = trials_of(game, entry)
    except Exception as error:
        yield _crash(entry, "its trial cannot be set up", error)
        return
    for number, trial in enumerate(trials):
        for fault in _trial(game, entry, trial, number):
            # The same field may be missed by several procedures, each in words of its own.
            seen = (fault.path, fault.code, "" if fault.path else fault.message)
            if seen not in told:
                told.add(seen)
                yield fault


def _trial(game: Game, entry: Entry, trial: Trial, number: int) -> Iterator[Fault]:
    """One trial: a worksheet reads the situation, a procedure plays it to its end."""
    try:
        if trial.procedure in game.ruleset.worksheets:
            game.ruleset.worksheets[trial.procedure].vocabulary.parse(trial.situation, game.shelf)
            return
        procedure = game.procedure(trial.procedure)
        prepared = procedure.prepare(asked(game, procedure, trial.situation, {}))
        if prepared.stage is not None:
            dice = SeededDice(hashlib.sha256(f"fracas trial {number} of {entry.id}".encode()).digest())
            progress = readers.resolve(prepared.stage, dice, readers.DefaultPolicy())
    except InputError as error:
        if not trial.tentative:
            yield from _input_faults(game, entry, trial, error)
        return
    except Exception as error:
        yield _crash(entry, f"{trial.procedure} breaks down", error)
        return
    if prepared.stage is None:
        if entry.kind in _ALWAYS_POSSIBLE and not trial.tentative:
            yield from _refusals(game, entry, trial, procedure, prepared)
        return
    result = {**progress.details, **progress.stage.notes()}
    effects = [effect._asdict() for effect in progress.stage.effects()]
    try:
        json.dumps([result, effects, dict(prepared.facts)], allow_nan=False)
    except (TypeError, ValueError) as error:
        message = f"the outcome of {trial.procedure} cannot be written down: {error}"
        yield Fault(entry, (), "bad-outcome", message, _brief(trial))


def _crash(entry: Entry, what: str, error: Exception) -> Fault:
    return Fault(entry, (), "trial-crashes", f"{what}: {type(error).__name__}: {error}")


def _input_faults(game: Game, entry: Entry, trial: Trial, error: InputError) -> Iterator[Fault]:
    for problem in error.problems:
        named = _ENTRY.fullmatch(problem.path)
        if named and named[1] != entry.id:
            continue  # the fault of another entry, which has trials of its own
        path = steps(named[2]) if named else _path_in(entry, trial, problem.path)
        message = f"{trial.procedure}: {problem.message}"
        if path is None:
            message = f"{trial.procedure}: {problem.path}: {problem.message}"
        yield Fault(entry, path or (), problem.code, message, problem.hint or _brief(trial))


def _path_in(entry: Entry, trial: Trial, field: str) -> tuple[str | int, ...] | None:
    """The part of the entry that a field of the situation comes from; None where it is unknown."""
    way = steps(field)[1:]
    at: Any = trial.situation
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
    game: Game, entry: Entry, trial: Trial, procedure: Procedure, prepared: Prepared
) -> Iterator[Fault]:
    for refusal in prepared.refusals:
        rule = game.shelf.entry("modifier", refusal.source)
        path = _read_of(game, entry, trial, procedure, rule) if rule else ()
        message = f"{trial.procedure} is refused: {refusal.label}"
        yield Fault(entry, path, "refused", message, _brief(trial))


def _read_of(
    game: Game, entry: Entry, trial: Trial, procedure: Procedure, rule: Entry
) -> tuple[str | int, ...]:
    """The one field of the entry that a refusal reads; empty where it reads none or several."""
    read = Mentions(game.vocabulary(procedure)).predicate(rule.data.get("when", [])).constants
    own = set()
    for path in read:
        record, _, name = path.rpartition(".")
        if record and _uses(trial.situation.get(record), entry) and name in entry.data:
            own.add(name)
    return (own.pop(),) if len(own) == 1 else ()


def _brief(trial: Trial) -> str:
    """The situation of a trial in one line."""
    return "tried with " + ", ".join(
        f"{name} {_short(value)}" for name, value in trial.situation.items() if value not in ({}, [])
    )


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        if "use" in value:
            return str(value["use"])
        shown = " ".join(str(item) for item in value.values() if isinstance(item, (str, int, float)))
        return shown or "as said"
    return str(value)
