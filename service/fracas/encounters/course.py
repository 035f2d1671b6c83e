"""Commands about the course of a fight: turns and slots, delays, undo and redo, the end."""

from __future__ import annotations

from typing import Any

from fracas.encounters import order, steps
from fracas.encounters.desk import Command, Desk, Draft, for_gm, known, mine, nothing_open, rolled_by_hand
from fracas.encounters.events import counts
from fracas.encounters.permission import why_not_now
from fracas.encounters.steps import Wish
from fracas.errors import ForbiddenError, InputError, RefusedError, suggestion
from fracas.kernel.turns import DELAYING


def begin_turn(desk: Desk, command: Command) -> Draft:
    for_gm(desk, "begin a turn")
    if desk.state.phase not in ("setup", "turn-over") and not command["force"]:
        raise RefusedError("not-over", f"the {desk.rules.words.turn} is not over")
    nothing_open(desk)
    begun = desk._replace(state=order.begin_turn(desk.rules, desk.state))
    return "began-turn", _rolls(begun, command), False


def roll_initiative(desk: Desk, command: Command) -> Draft:
    for_gm(desk, "have initiative rolled")
    if desk.state.turn == 0:
        raise RefusedError("not-begun", f"no {desk.rules.words.turn} has begun")
    data = _rolls(desk, command)
    if not data["rolls"] and not data["given"]:
        raise RefusedError("nothing-to-roll", "nobody's initiative is missing")
    return "rolled-initiative", data, False


def _rolls(desk: Desk, command: Command) -> dict[str, Any]:
    """Initiative that is given by hand, and rolls for everybody else."""
    state, given = desk.state, {}
    there = order.table_of(desk.rules, state).participants if command["given"] else {}
    for id, facts in command["given"].items():
        one = known(desk, id, "given")
        given[id] = dict(desk.rules.set_by_hand(there[id], rolled_by_hand(facts, f"given.{id}")))
        state = state._replace(combatants={**state.combatants, id: one._replace(rolled=given[id])})
    for at, choice in enumerate(command["decisions"]):
        if "combatant" in choice:
            known(desk, choice["combatant"], f"decisions[{at}].combatant")
    found, _ = steps.initiative(desk, state, Wish(decisions=command["decisions"]))
    return {"rolls": found, "given": given}


def delay(desk: Desk, command: Command) -> Draft:
    one = mine(desk, command["combatant"])
    scene = desk.scene()
    if one.id not in desk.state.acting:
        raise RefusedError("not-your-turn", f"it is not the {desk.rules.words.slot} of {one.name}")
    if reasons := why_not_now(scene, one.id):
        raise RefusedError(*reasons[0])
    nothing_open(desk, (one.id,))
    if why_not := desk.rules.why_no_delay(scene.table, one.id):
        raise RefusedError("no-delay", why_not)
    return "delayed", {"combatant": one.id}, one.hidden


def intervene(desk: Desk, command: Command) -> Draft:
    one = mine(desk, command["combatant"])
    if DELAYING not in one.marks:
        raise RefusedError("not-delaying", f"{one.name} does not delay")
    nothing_open(desk)
    table = desk.scene().table
    if not table.participants[one.id].able:
        raise RefusedError("unable", f"{one.name} cannot act")
    ways = desk.rules.interventions(table, one.id)
    when = command["when"] if desk.state.acting else "now"
    if when not in ways:
        raise InputError.one(
            "when", "unknown-choice", f"{when!r} is no way to cut in", suggestion(when, ways)
        )
    if ways[when]:
        raise RefusedError("no-intervention", ways[when])
    data = {"combatant": one.id, "when": when}
    if desk.rules.shares_moment(table, one.id, when):
        if when == "before":
            data["when"] = "with"
        elif order.opens_next(desk.state):
            data["together"] = True
    return "intervened", data, one.hidden


def next_slot(desk: Desk, command: Command) -> Draft:
    state, words = desk.state, desk.rules.words
    if command["combatant"] is not None:
        one = mine(desk, command["combatant"])
        if state.phase == "waiting" and DELAYING in one.marks:
            nothing_open(desk)
            return "advanced", {"combatants": [], "waits": one.id}, one.hidden
        if one.id not in state.acting:
            raise RefusedError("not-your-turn", f"it is not the {words.slot} of {one.name}")
        who: tuple[str, ...] = (one.id,)
    else:
        who = tuple(id for id in state.acting if desk.by.commands(id))
        if state.acting and not who:
            raise ForbiddenError(f"it is not the {words.slot} of a combatant that you command")
    if not who and state.phase == "due":
        timer = state.timers.get(state.due)
        if timer is None or not desk.by.commands(timer.who):
            for_gm(desk, "go on")
        nothing_open(desk)
        return "advanced", {"combatants": [], "due": state.due}, False
    if not who:
        for_gm(desk, "go on")
        if state.phase != "waiting":
            reason = {
                "setup": f"no {words.turn} has begun: begin-turn begins one",
                "turn-over": f"the {words.turn} is over: begin-turn begins the next",
                "initiative": "initiative is being rolled",
            }
            raise RefusedError("nobody-acts", reason.get(state.phase, "nobody acts"))
    nothing_open(desk, who or None)
    return "advanced", {"combatants": list(who)}, False


def undo(desk: Desk, command: Command) -> Draft:
    history = desk.history
    to, steps_ = command["to"], command["steps"]
    if desk.by.role == "player":
        _own_last(desk, command)
        to = history.last(1)
    elif to is None:
        to = history.last(steps_)
        if to is None:
            raise RefusedError("nothing-to-undo", f"there are not {steps_} events to undo")
    elif not counts(history.past, to):
        raise RefusedError("nothing-to-undo", f"event {to} does not count, or is not there")
    if to == history.last(0):
        raise RefusedError("nothing-to-undo", "nothing stands after that event")
    return "undone", {"to": to}, False


def _own_last(desk: Desk, command: Command) -> None:
    """A player may take back their own last command while nothing came after it, if the table allows it."""
    if not desk.state.settings["player_undo"]:
        raise ForbiddenError("only the GM may undo at this table")
    if command["to"] is not None or command["steps"] != 1:
        raise ForbiddenError("a player takes back their own last command only")
    if not desk.by.token or desk.by.token != desk.last_by:
        raise RefusedError("not-your-last", "the last command was not yours, or threw dice")


def redo(desk: Desk, command: Command) -> Draft:
    for_gm(desk, "redo")
    history, to = desk.history, command["to"]
    if to is None:
        to = history.next(command["steps"])
    if to is None or not counts(history.future, to):
        raise RefusedError("nothing-to-redo", "there is nothing, or not so much, to redo")
    return "redone", {"to": to}, False


def close(desk: Desk, command: Command) -> Draft:
    for_gm(desk, "close the fight")
    return "closed", {"seed": desk.dice.seed.hex()}, False
