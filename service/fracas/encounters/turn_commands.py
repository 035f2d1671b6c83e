"""Commands about the course of a fight: turns and slots, delays, undo and redo, the end."""

from __future__ import annotations

from typing import Any

from fracas.encounters import order, steps
from fracas.encounters.command_context import (
    Command,
    CommandContext,
    Draft,
    for_gm,
    known,
    mine,
    nothing_open,
    rolled_by_hand,
)
from fracas.encounters.events import counts
from fracas.encounters.permission import why_not_now
from fracas.encounters.steps import Wish
from fracas.errors import ForbiddenError, InputError, RefusedError, suggestion
from fracas.kernel.turns import DELAYING

MAX_CONTRIBUTIONS = 64
"""To the dice of a fight."""


def begin_turn(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "begin a turn")
    if context.state.phase not in ("setup", "turn-over") and not command["force"]:
        raise RefusedError("not-over", f"the {context.rules.words.turn} is not over{_left(context)}")
    nothing_open(context)
    begun = context._replace(state=order.begin_turn(context.rules, context.state))
    return "began-turn", _rolls(begun, command), False


def _left(context: CommandContext) -> str:
    """Who acts, is still to act in this part, or delays, to follow a sentence; "" for nobody."""
    scene, state, words = context.scene(), context.state, context.rules.words
    coming = [id for _, *who in state.queue for id in who]
    coming += [id for slot in context.rules.order(scene.table) for id in slot.actors]
    coming = [id for id in coming if id not in state.acting]
    delaying = [id for id, one in state.combatants.items() if DELAYING in one.marks and not one.gone]
    found = [f"it is the {words.slot} of {scene.called(state.acting)}"] if state.acting else []
    for ids, does in ((coming, f"to have their {words.slot}"), (delaying, "delaying")):
        if ids:
            is_ = "are" if len({*ids}) > 1 else "is"
            found.append(f"{scene.called(ids)} {is_} still {does}")
    return ": " + ", ".join(found) if found else ""


def roll_initiative(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "have initiative rolled")
    if context.state.turn == 0:
        raise RefusedError("not-begun", f"no {context.rules.words.turn} has begun")
    data = _rolls(context, command)
    if not data["rolls"] and not data["given"]:
        raise RefusedError("nothing-to-roll", "no combatant's initiative is missing")
    return "rolled-initiative", data, False


def _rolls(context: CommandContext, command: Command) -> dict[str, Any]:
    """Initiative that is given by hand, and rolls for everybody else."""
    state, given = context.state, {}
    there = order.table_of(context.rules, state).participants if command["given"] else {}
    for id, facts in command["given"].items():
        one = known(context, id, f"given.{id}")
        given[id] = dict(rolled_by_hand(context.rules, there[id], facts, f"given.{id}"))
        state = state._replace(combatants={**state.combatants, id: one._replace(rolled=given[id])})
    for at, choice in enumerate(command["decisions"]):
        if "combatant" in choice:
            known(context, choice["combatant"], f"decisions[{at}].combatant")
    found, _ = steps.initiative(context, state, Wish(decisions=command["decisions"]))
    return {"rolls": found, "given": given}


def delay(context: CommandContext, command: Command) -> Draft:
    one = mine(context, command["combatant"])
    scene = context.scene()
    if one.id not in context.state.acting:
        raise RefusedError("not-your-turn", f"it is not the {context.rules.words.slot} of {one.name}")
    if reasons := why_not_now(scene, one.id):
        raise RefusedError(*reasons[0])
    nothing_open(context, (one.id,))
    if why_not := context.rules.why_no_delay(scene.table, one.id):
        raise RefusedError("no-delay", why_not)
    return "delayed", {"combatant": one.id}, one.hidden


def intervene(context: CommandContext, command: Command) -> Draft:
    one = mine(context, command["combatant"])
    if DELAYING not in one.marks:
        raise RefusedError("not-delaying", f"{one.name} does not delay")
    when = command["when"] if context.state.acting else "now"
    if when == "before":  # what has only been declared waits
        state = context.state
        begun = tuple(step.actor for step in state.resolutions.values() if not order.is_declared(state, step))
        nothing_open(context, begun)
    else:
        nothing_open(context)
    table = context.scene().table
    if not table.participants[one.id].able:
        raise RefusedError("unable", f"{one.name} cannot act")
    ways = context.rules.interventions(table, one.id)
    if when not in ways:
        raise InputError.one(
            "when", "unknown-choice", f"{when!r} is no way to cut in", suggestion(when, ways)
        )
    if ways[when]:
        raise RefusedError("no-intervention", ways[when])
    data = {"combatant": one.id, "when": when}
    if context.rules.shares_moment(table, one.id, when):
        if when == "before":
            data["when"] = "with"
        elif order.opens_next(context.state):
            data["together"] = True
    return "intervened", data, one.hidden


def next_slot(context: CommandContext, command: Command) -> Draft:
    state, words = context.state, context.rules.words
    if command["combatant"] is not None:
        one = mine(context, command["combatant"])
        if state.phase == "waiting" and DELAYING in one.marks:
            nothing_open(context)
            return "advanced", {"combatants": [], "waits": one.id}, one.hidden
        if one.id not in state.acting:
            raise RefusedError("not-your-turn", f"it is not the {words.slot} of {one.name}")
        who: tuple[str, ...] = (one.id,)
    else:
        who = tuple(id for id in state.acting if context.by.commands(id))
        if state.acting and not who:
            raise ForbiddenError(f"it is not the {words.slot} of a combatant that you command")
    if not who and state.phase == "due":
        timer = state.timers.get(state.due)
        if timer is None or not context.by.commands(timer.who):
            for_gm(context, "go on")
        nothing_open(context)
        return "advanced", {"combatants": [], "due": state.due}, False
    if not who:
        for_gm(context, "go on")
        if state.phase != "waiting":
            reason = {
                "setup": f"no {words.turn} has begun: begin-turn begins one",
                "turn-over": f"the {words.turn} is over: begin-turn begins the next",
                "initiative": "initiative is being rolled",
            }
            raise RefusedError("nobody-acts", reason.get(state.phase, "no combatant acts"))
    nothing_open(context, who or None)
    return "advanced", {"combatants": list(who)}, False


def undo(context: CommandContext, command: Command) -> Draft:
    history = context.history
    to, steps_ = command["to"], command["steps"]
    if context.by.role == "player":
        _own_last(context, command)
        to = history.last(1)
    elif to is None:
        to = history.last(steps_)
        if to is None:
            raise RefusedError("nothing-to-undo", f"there are not {steps_} events to undo")
    elif not counts(history.past, to):
        raise RefusedError("nothing-to-undo", f"event {to} does not count, or is not there")
    if to == history.last(0):
        raise RefusedError("nothing-to-undo", "nothing stands after that event")
    if to is not None and to < history.rolled and context.state.settings.get("keep_rolls"):
        message = f"this fight keeps its rolls: dice fell in event {history.rolled}, and no undo goes back before it"
        raise RefusedError("rolls-kept", message)
    return "undone", {"to": to}, False


def _own_last(context: CommandContext, command: Command) -> None:
    """A player may take back their own last command while nothing came after it, if the table allows it."""
    if not context.state.settings["player_undo"]:
        raise ForbiddenError("only the GM may undo at this table")
    if command["to"] is not None or command["steps"] != 1:
        raise ForbiddenError("a player takes back their own last command only")
    if not context.by.token or context.by.token != context.last_by:
        raise RefusedError("not-your-last", "the last command was not yours, or threw dice")


def redo(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "redo")
    history, to = context.history, command["to"]
    if to is None:
        to = history.next(command["steps"])
    if to is None or not counts(history.future, to):
        raise RefusedError("nothing-to-redo", "there is nothing, or not so much, to redo")
    return "redone", {"to": to}, False


def contribute(context: CommandContext, command: Command) -> Draft:
    """A player adds to what the dice come from. The GM's share is the seed, which the service draws first."""
    if context.by.role != "player":
        raise ForbiddenError("players contribute to the dice; the service has committed to its own share")
    if not context.history.untouched:
        raise RefusedError("dice-fell", "dice have fallen already: contribute before the first roll")
    if len(context.history.contributions) >= MAX_CONTRIBUTIONS:
        raise RefusedError("too-many", f"there are {MAX_CONTRIBUTIONS} contributions already")
    return "contributed", {"entropy": command["entropy"]}, False


def close(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "close the fight")
    data: dict[str, Any] = {"seed": context.dice.seed.hex()}
    if context.former:
        data["former"] = [seed.hex() for seed in context.former]
    return "closed", data, False
