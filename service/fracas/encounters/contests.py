"""Contests: a test that several make, compared when all have thrown, such as that of surprise."""

from __future__ import annotations

from typing import Any

from fracas.encounters import effects, fold, order, resorting, steps
from fracas.encounters.command_context import Command, CommandContext, Draft, for_gm, known, nothing_open
from fracas.encounters.consequences import resolved
from fracas.encounters.sheets import records
from fracas.encounters.state import Resolution, State
from fracas.encounters.steps import Wish
from fracas.errors import InputError, RefusedError, suggestion

CONTEST = "contest"
"""The purpose of a resolution that is part of one."""


def contest(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "have a contest thrown")
    word, contests = command["contest"], context.rules.contests
    if word not in contests:
        hint = suggestion(word, contests) or "known: " + (", ".join(contests) or "none")
        raise InputError.one("contest", "unknown-contest", f"no contest is called {word!r}", hint)
    nothing_open(context)
    table = order.table_of(context.rules, context.state)
    for at, id in enumerate(command["combatants"]):
        known(context, id, f"combatants[{at}]")
        if not table.participants[id].able:
            raise RefusedError("unable", f"{context.state.combatants[id].name} cannot act")
    there = [id for id, one in table.participants.items() if one.able]
    who = list(dict.fromkeys(command["combatants"])) or there
    if len(who) < 2:
        raise InputError.one("combatants", "out-of-range", "at least two take part")
    sides = {table.participants[id].side for id in who}
    if contests[word].between_sides and len(sides) == 1:
        message = f"all who take part are on the side {sides.pop()!r}, and no side surprises itself"
        message += ": set the side of some of them first"
        raise RefusedError("one-side", message)
    for id in command["situations"]:
        known(context, id, "situations")
    state = context.state._replace(contest={CONTEST: word, "results": {}})
    rolls = []
    for number, id in enumerate(who):
        step = _step(context, state, contests[word].procedure, id, number, command)
        state = fold.steps(context.rules, state, [step])
        rolls.append(step)
    data = {CONTEST: word, "label": contests[word].label, "rolls": rolls, "settled": settled(context, state)}
    data |= reordered(context, state, data["settled"])
    return "contested", data, all(context.state.combatants[id].hidden for id in who)


def _step(
    context: CommandContext, state: State, procedure: str, id: str, number: int, command: Command
) -> dict[str, Any]:
    record = records(context.game.procedure(procedure), "combatant")[0]
    hidden = state.combatants[id].hidden
    one = Resolution(
        f"r{context.version}.{number}",
        CONTEST,
        id,
        "",
        "",
        "",
        (),
        procedure,
        {record: id},
        hidden,
        None,
        None,
        (),
        {},
    )
    decisions = [
        {name: value for name, value in choice.items() if name != "combatant"}
        for choice in command["decisions"]
        if choice.get("combatant", id) == id
    ]
    wish = Wish(command["situations"].get(id, {}), (), decisions)
    try:
        return steps.begin(context, state, one, wish, {}, False)
    except InputError as error:
        raise InputError(
            problem._replace(path=f"situations.{id}{problem.path.removeprefix('situation')}")
            for problem in error.problems
        ) from None


def reordered(context: CommandContext, state: State, found: list[dict[str, Any]] | None) -> dict[str, bool]:
    """Whether the slot that stands open gives way to the order after a contest, as an event reports it.

    Args:
        state: the fight after the last throw.
        found: what follows, see `settled`; None while a combatant has still to throw.
    """
    if not found:
        return {}
    after = effects.apply(context.rules, state._replace(contest=None), found)
    return {"reorders": True} if resorting.after(context, found, after).get("reorders") else {}


def settled(context: CommandContext, state: State) -> list[dict[str, Any]] | None:
    """What follows from a contest, as events hold effects; None while a combatant has still to throw, or there is
    none."""
    if state.contest is None or any(one.purpose == CONTEST for one in state.resolutions.values()):
        return None
    found = context.rules.contests[state.contest[CONTEST]]
    results = {id: facts for id, facts in state.contest["results"].items() if not state.combatants[id].gone}
    follows = found.settle(order.table_of(context.rules, state), results)
    nobody = Resolution("", CONTEST, "", "", "", "", (), found.procedure, {}, False, None, None, (), {})
    return resolved(context, nobody, follows)
