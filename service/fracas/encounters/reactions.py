"""Reactions: what targets may do before any dice fall, such as full defense."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fracas.encounters import conversation, effects, fold
from fracas.encounters.command_context import CommandContext
from fracas.encounters.permission import Verdict, intent_of, judge
from fracas.encounters.scene import Scene
from fracas.encounters.sheets import merged, record_of, records
from fracas.encounters.state import Resolution, to_json
from fracas.encounters.steps import Step, Wish, action_taken, asked, ended, made_ready
from fracas.errors import RefusedError
from fracas.kernel.turns import TurnRules
from fracas.packs.entries import Entry

NO_REACTION = "none"


def begin_with_reaction(
    context: CommandContext, one: Resolution, wish: Wish, brought: Mapping[str, Any], quiet: bool
) -> Step | None:
    """A resolution that first asks its targets how they react, one after the other; None if nobody has a
    choice, or wants one.

    Raises:
        RefusedError, InputError: the step could not be resolved, whatever the reactions.
    """
    scene = context.scene()
    if _question(context, scene, one, may_react(context.rules, one))[0] is None:
        return None
    # What is wrong shows before anybody is asked.
    ready, _, _ = made_ready(context, context.state, one, wish, brought, quiet)
    numbers = {tally["to"] for tally in ready.tallies}
    question, left = _question(context, scene, one, may_react(context.rules, one, numbers))
    if question is None:
        return None
    request = {
        "situation": wish.situation,
        "modifiers": list(wish.modifiers),
        "decisions": list(wish.decisions),
        "brought": merged(_ended_by_acting(context, one), brought),
        "quiet": quiet,
        "react": left,
    }
    if wish.force:
        request["force"] = True
    waiting = one._replace(request=request, places=ready.places, policies=ready.policies, quiet=quiet)
    return {"open": to_json(waiting), "answers": [], "question": asked(context, waiting, question)}


def may_react(rules: TurnRules, one: Resolution, numbers: Collection[str] | None = None) -> list[str]:
    """The targets of a step who may react; for `numbers` see `ActionRules.reacting`."""
    found = [one.who[record] for record in rules.reacting(one.procedure, numbers) if record in one.who]
    return [id for id in found if id != one.actor]


def _question(
    context: CommandContext, scene: Scene, one: Resolution, may: list[str]
) -> tuple[dict[str, Any] | None, list[str]]:
    """The question to the first who has a choice, and those who may react after them."""
    for at, id in enumerate(may):
        combatant = scene.state.combatants.get(id)
        options = reactions(scene, one, id) if combatant is not None and combatant.decides(True) else []
        if options:
            none = {"id": NO_REACTION, "label": "No reaction", "cost": {}}
            question = {
                "kind": "reaction",
                "owners": [id],
                "options": [none, *options],
                "default": NO_REACTION,
            }
            return question, may[at + 1 :]
    return None, []


def _ended_by_acting(context: CommandContext, one: Resolution) -> dict[str, Any]:
    """What conditions give to the actor that this very action ends, such as aiming: it still counts for the action."""
    procedure, actor = context.game.procedure(one.procedure), context.state.combatants[one.actor]
    record = records(procedure, "combatant")[0]
    left = effects.ended(context.rules, actor, "own-action", "other-action", action=one.action, item=one.item)
    had, has = (record_of(procedure, record, combatant, one.item) for combatant in (actor, left))
    return {record: {name: value for name, value in had.items() if has.get(name) != value}}


def reactions(scene: Scene, one: Resolution, id: str) -> list[dict[str, Any]]:
    """What the target of a step may do before any dice fall, as options of a question."""
    found = []
    for action, verdict in possible(scene, one, id):
        cost: dict[str, int] = dict(verdict.payment)
        if verdict.skips:
            cost["coming slots"] = verdict.skips
        found.append({"id": action.slug, "label": action.label, "cost": cost})
    return found


def possible(scene: Scene, one: Resolution, id: str) -> Iterator[tuple[Entry, Verdict]]:
    """The actions by which a combatant may answer a step."""
    combatant = scene.state.combatants[id]
    for action in scene.game.packs.entries("action"):
        if one.procedure in action.data.get("answers", ()):
            verdict = judge(scene, id, action, intent_of(scene, combatant, action, "", one.actor, {}))
            if not verdict.reasons:
                yield action, verdict


def react(context: CommandContext, one: Resolution, option: str) -> Step:
    """A reaction is chosen: it happens, and the next is asked for, or the step is prepared and goes on.

    Raises:
        RefusedError: the reaction is not possible any more.
    """
    assert one.request is not None
    assert one.question is not None
    [id] = one.question["owners"]
    state, before = context.state, None
    if option != NO_REACTION:
        action = context.game.packs.entry("action", option)
        assert isinstance(action, Entry)
        scene = context.scene()
        intent = intent_of(scene, state.combatants[id], action, "", one.actor, {})
        verdict = judge(scene, id, action, intent)
        if verdict.reasons:
            raise RefusedError(*verdict.reasons[0], more=verdict.reasons[1:])
        before = action_taken(context, id, action, dict(verdict.payment), verdict.skips, intent)
        state = fold.acted(context.rules, state, before)
    given = one.request
    step: Step = {"resolution": one.id, "reaction": option, "before": before}
    question, left = _question(context, context.scene(state), one, given["react"])
    if question is not None:
        return step | {
            "answers": [],
            "request": {**given, "react": left},
            "question": asked(context, one, question),
        }
    wish = Wish(given["situation"], given["modifiers"], given["decisions"], given.get("force", False))
    ready, progress, talk = made_ready(context, state, one, wish, given["brought"], given["quiet"])
    turned = conversation.go_on(progress, talk)
    made = {"first": ready.first, "tallies": to_json(ready.tallies), "facts": ready.facts}
    return step | {"prepared": made, **ended(context, state, ready, turned)}
