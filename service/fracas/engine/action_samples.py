"""Actions put to use: what they name exists, and can be paid for."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.engine.game import Game, steps
from fracas.engine.modifier_samples import Fault
from fracas.errors import InputError, Problem, suggestion
from fracas.kernel.economy import Shortage, afford, price_of
from fracas.packs.entries import Entry


def action_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """An action names what exists, and can be paid for by a combatant who has spent nothing yet."""
    yield from _procedure_faults(game, entry)
    yield from _need_faults(game, entry)
    yield from _outcome_faults(game, entry)
    yield from _point_faults(game, entry)
    yield from _price_faults(game, entry)


def _procedure_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """The procedure that resolves it, those that it answers, and what it brings to a situation."""
    name = entry.data.get("procedure")
    if isinstance(name, str) and name not in game.ruleset.procedures:
        message = f"{game.ruleset.id} has no procedure {name!r}"
        hint = game.like_procedure(name)
        if name in game.ruleset.field_sets:
            hint = "its words are declared, but not how it is resolved; leave it out for now"
        yield Fault(entry, ("procedure",), "unknown-procedure", message, hint)
    for at, id in enumerate(entry.data.get("answers", ())):
        if id not in game.ruleset.procedures:
            message = f"{game.ruleset.id} has no procedure {id!r}"
            hint = game.like_procedure(id)
            yield Fault(entry, ("answers", at), "unknown-procedure", message, hint)
    situation = entry.data.get("situation")
    if situation is None:
        return
    procedure = game.ruleset.procedures.get(name) if isinstance(name, str) else None
    if procedure is None:
        message = "only an action with a procedure brings a situation"
        yield Fault(entry, ("situation",), "no-procedure", message, None)
        return
    try:
        procedure.vocabulary.parse(situation, game.packs)
    except InputError as error:
        for problem in error.problems:
            yield Fault(entry, steps(problem.path), problem.code, problem.message, problem.hint)


def _need_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """Words that it needs, where the ruleset says which there are."""
    known = game.ruleset.turns.needs if game.ruleset.turns else None
    for at, word in enumerate(entry.data.get("needs", ()) if known is not None else ()):
        if known is not None and word not in known:
            message = f"no action of {game.ruleset.id} needs {word!r}"
            yield Fault(
                entry,
                ("needs", at),
                "unknown-need",
                message,
                suggestion(word, known) or "fights.yaml of a pack declares it",
            )


def _outcome_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """What else happens after a procedure has ended so, or so: there must be one, and the thing to end must be."""
    outcomes = entry.data.get("outcomes")
    if outcomes is not None and "procedure" not in entry.data:
        message = "only an action with a procedure has outcomes"
        yield Fault(
            entry, ("outcomes",), "no-procedure", message, "'conditions' and 'removes' happen at once"
        )


def _point_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    """Tracks and resources that gain or lose points, where the ruleset says which there are."""
    known = game.ruleset.turns.tracks if game.ruleset.turns else None
    for what in entry.data.get("points", ()) if known is not None else ():
        if known is not None and what not in known:
            message = f"{game.ruleset.id} has no track or resource {what!r}"
            yield Fault(entry, ("points", what), "unknown-track", message, suggestion(what, known))


def _price_faults(game: Game, entry: Entry) -> Iterator[Fault]:
    economy = game.economy
    if economy is None:
        if "type" in entry.data or "cost" in entry.data:
            field = "type" if "type" in entry.data else "cost"
            message = "no pack in use says what combatants may spend on actions"
            yield Fault(entry, (field,), "no-economy", message, "state an 'economy' in pack.yaml")
        return
    if "cost" in entry.data:
        field, problems = "cost", list[Problem]()
        price = price_of(entry.data["cost"], {*economy.full()}, "cost", problems)
        for problem in problems:
            yield Fault(entry, steps(problem.path), problem.code, problem.message, problem.hint)
        if problems:
            return
    else:
        field, type = "type", str(entry.data.get("type"))
        if type not in economy.types:
            message = f"no economy has a type of action {type!r}"
            yield Fault(entry, ("type",), "unknown-type", message, suggestion(type, economy.types))
            return
        price = economy.types[type]
        for at, other in enumerate(entry.data.get("types", ())):
            if other["type"] not in economy.types:
                message = f"no economy has a type of action {other['type']!r}"
                hint = suggestion(other["type"], economy.types)
                yield Fault(entry, ("types", at, "type"), "unknown-type", message, hint)
            if other["option"] not in game.house_rules:
                message = f"no house rule {other['option']!r}"
                hint = suggestion(other["option"], game.house_rules)
                yield Fault(entry, ("types", at, "option"), "unknown-option", message, hint)
    if (each := entry.data.get("each_other")) is not None and each not in economy.types:
        message = f"no economy has a type of action {each!r}"
        yield Fault(entry, ("each_other",), "unknown-type", message, suggestion(each, economy.types))
    found = afford(economy.full(), price)
    if isinstance(found, Shortage) and "takes" not in entry.data:
        lacking = found.reason().replace(" left", " in all")
        message = f"nobody can pay for it in one {economy.span}: {lacking}"
        hint = f"say in 'takes' how many {economy.span}s it takes, if it takes longer"
        yield Fault(entry, (field,), "unaffordable", message, hint)
