"""Commands about steps under way and what came of them, and about what is bought outside of a roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.encounters import conversation, fold, order, resorting, steps
from fracas.encounters.command_context import Command, CommandContext, Draft, for_gm, mine
from fracas.encounters.contests import CONTEST, reordered, settled
from fracas.encounters.permission import why_not_now
from fracas.encounters.reactions import react
from fracas.encounters.state import Resolution
from fracas.encounters.steps import Wish
from fracas.errors import ForbiddenError, InputError, RefusedError, suggestion


def _question(context: CommandContext, id: str) -> Resolution:
    """The resolution that asks a question.

    Raises:
        RefusedError: nobody asks it any more.
    """
    for one in context.state.resolutions.values():
        if one.question is not None and id in (one.question["id"], one.id):
            if (
                one.hidden
                and context.by.role == "player"
                and not any(map(context.by.commands, one.question["owners"]))
            ):
                break
            return one
    raise RefusedError("already-answered", f"there is no question {id!r}: it is answered, or was never asked")


def answer(context: CommandContext, command: Command) -> Draft:
    one = _question(context, command["question"])
    question = one.question
    assert question is not None
    owners = question["owners"]
    if context.by.role == "player" and not any(map(context.by.commands, owners)):
        if any(part["hand"] and context.by.commands(part["who"]) for part in question.get("parts", ())):
            raise RefusedError("already-answered", "your dice for this roll are thrown already")
        raise ForbiddenError("this question is for another player")
    kind, how = question["kind"], "timeout" if context.by.role == "clock" else "chosen"
    if kind != "roll" and command["dice"] is not None:
        raise InputError.one("dice", "wrong-answer", "a choice is awaited, not dice")
    if kind == "roll" and command["choose"] is not None:
        raise InputError.one("choose", "wrong-answer", "dice are awaited, not a choice")
    if kind == "confirm":
        choice = conversation.check_option(question, command["choose"])
        settle = apply if choice == "apply" else discard
        return settle(context, {"resolution": one.id, "only": None})
    if kind == "reaction":
        step = react(context, one, conversation.check_option(question, command["choose"]))
    elif kind == "decision":
        option = conversation.check_option(question, command["choose"])
        cost = next(one["cost"] for one in question["options"] if one["id"] == option)
        progress = steps.resume(one)
        if why_not := context.scene().why_not_pay(owners[0], cost, conversation.paid(progress, one.who)):
            raise RefusedError("cannot-pay", why_not)
        answer, progress = conversation.answer_decision(progress, option, how)
        step = steps.go_on(context, one, [answer], progress)
    else:
        step = _throw(context, one, question, command)
    found = [step]
    if one.purpose == "initiative":
        state = fold.steps(context.rules, context.state, found)
        if not order.rolling(state):  # ties may call for more
            more, _ = steps.initiative(context, state, Wish())
            found += more
    data = {"steps": found, "question": question["id"], "how": how}
    if one.purpose == CONTEST:
        data["settled"] = settled(context, fold.steps(context.rules, context.state, found))
        data |= reordered(context, fold.steps(context.rules, context.state, found), data["settled"])
    return "answered", data, one.hidden


def _throw(
    context: CommandContext, one: Resolution, question: Mapping[str, Any], command: Command
) -> dict[str, Any]:
    talk = steps.talk_of(context, context.state, one, [])
    everything = context.by.role == "clock" or (context.by.role == "gm" and command["dice"] is None)
    answer, left, progress = conversation.answer_roll(
        steps.resume(one), question, talk, command["dice"], context.by.commands, everything
    )
    if answer is None:
        return {"resolution": one.id, "answers": [], "question": left}
    return steps.go_on(context, one, [answer], progress)


def _open(context: CommandContext, id: str) -> Resolution:
    one = context.state.resolutions.get(id)
    if one is None:
        hint = suggestion(id, context.state.resolutions)
        message = f"no step {id!r} is open" + (f" ({hint})" if hint else "")
        raise RefusedError("no-such-step", message)
    return one


def apply(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "apply effects")
    one = _open(context, command["resolution"])
    if one.outcome is None:
        raise RefusedError("step-open", context.scene().not_over(one))
    only = command["only"]
    if only is not None and (wrong := [at for at in only if not 0 <= at < len(one.effects)]):
        message = f"there are effects 0 to {len(one.effects) - 1}, not {wrong[0]}"
        raise InputError.one("only", "out-of-range", message)
    found = [effect for at, effect in enumerate(one.effects) if only is None or at in only]
    return "applied", {"resolution": one.id, "effects": found}, one.hidden


def discard(context: CommandContext, command: Command) -> Draft:
    for_gm(context, "discard a step")
    one = _open(context, command["resolution"])
    data: dict[str, Any] = {"resolution": one.id}
    if one.purpose == CONTEST:
        data["settled"] = settled(context, fold.discarded(context.state, one.id))
    return "discarded", data, one.hidden


def spend(context: CommandContext, command: Command) -> Draft:
    one = mine(context, command["combatant"])
    known = {purchase.id: purchase for purchase in context.rules.purchases(context.scene().table, one.id)}
    found = known.get(command["on"])
    if found is None:
        hint = suggestion(command["on"], known)
        raise InputError.one("on", "unknown-purchase", f"nothing is bought as {command['on']!r}", hint)
    if reasons := why_not_now(context.scene(), one.id):
        raise RefusedError(*reasons[0])
    if found.why_not:
        raise RefusedError("cannot-buy", found.why_not)
    # The slot that stands open gives way to the new order, unless it has been used for something.
    reorders = resorting.unused(context.state)
    data = {
        "combatant": one.id,
        "purchase": found.id,
        "label": found.label,
        "cost": [list(cost) for cost in found.cost],
        "mark": found.mark,
        "span": found.span,
        "reorders": reorders,
    }
    if context.scene().table.over:
        data["reopens"] = True
    return "bought", data, one.hidden
